//===- SFTileInterfaces.td - What an instruction tells about itself -*- tablegen -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_DIALECT_SFTILE_IR_SFTILEINTERFACES
#define SPARSEFLOW_DIALECT_SFTILE_IR_SFTILEINTERFACES

include "mlir/IR/OpBase.td"

// Every atom: which targets have the instruction, and what it is called.
def SFTile_AtomInterface : AttrInterface<"AtomInterface"> {
  let cppNamespace = "::mlir::sftile";
  let description = [{
    A hardware instruction as an attribute. A new instruction is one new file in
    `lib/Dialect/SFTile/Atoms` plus its tests; nothing else in the compiler
    knows its name, its operand layouts or its PTX.
  }];
  let methods = [
    InterfaceMethod<
      "The PTX opcode with its modifiers up to the shape; what a census of the "
      "generated PTX counts.", "::std::string", "getInstruction">,
    InterfaceMethod<
      "The first compute capability that has the instruction, as major * 10 + "
      "minor.", "unsigned", "getMinComputeCapability">,
    InterfaceMethod<
      "Whether only the architecture-specific target of that capability has the "
      "instruction, such as sm_90a.", "bool", "isArchSpecific", (ins),
      /*methodBody=*/"", /*defaultImplementation=*/"return false;">
  ];
}

def SFTile_MmaAtomInterface
    : AttrInterface<"MmaAtomInterface", [SFTile_AtomInterface]> {
  let cppNamespace = "::mlir::sftile";
  let description = [{
    An MMA D = A * B + C of a warp, with A of m x k, B of k x n. The
    operand that may be sparse is A; B is held as an n x k fragment, because
    tensor cores read it column by column.
  }];
  let methods = [
    InterfaceMethod<"Rows of A and D.", "int64_t", "getM">,
    InterfaceMethod<"Columns of B and D.", "int64_t", "getN">,
    InterfaceMethod<"K, zeros of A included.", "int64_t",
                    "getK">,
    InterfaceMethod<"The type of the elements of A and B.", "::mlir::Type",
                    "getOperandType">,
    InterfaceMethod<"The type of the elements of C and D.", "::mlir::Type",
                    "getAccumulatorType">,
    InterfaceMethod<"Whether A holds the nonzeros only, with metadata that "
                    "says where they were.", "bool", "isSparse">,
    InterfaceMethod<"The layout of A: m x k elements, m x k/2 if sparse.",
                    "::mlir::sftile::LinearLayout", "getLayoutA">,
    InterfaceMethod<"The layout of B as n x k elements.",
                    "::mlir::sftile::LinearLayout", "getLayoutB">,
    InterfaceMethod<"The layout of C and D: m x n elements.",
                    "::mlir::sftile::LinearLayout", "getLayoutC">,
    InterfaceMethod<"The number of selectors: how many MMAs in a row one "
                    "metadata register serves (1 if dense).", "int64_t",
                    "getNumSelectors">,
    InterfaceMethod<
      "Emits the instruction for one tile. `a` and `b` are registers of 32 bits "
      "(i32, two 16-bit elements each), `c` and the results are elements of the "
      "accumulator type, `metadata` is an i32, null if dense.",
      "::llvm::SmallVector<::mlir::Value>", "emit",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::ValueRange":$a, "::mlir::ValueRange":$b,
           "::mlir::ValueRange":$c, "::mlir::Value":$metadata,
           "int64_t":$selector)>
  ];
}

def SFTile_AsyncMmaAtomInterface
    : AttrInterface<"AsyncMmaAtomInterface", [SFTile_AtomInterface]> {
  let cppNamespace = "::mlir::sftile";
  let description = [{
    An MMA D = A * B + C of a warpgroup, four consecutive warps, that
    runs while the warps go on. A is m x k, in shared memory or in registers, B is
    n x k in shared memory, with n as wide as the accumulator; each warp holds m/4
    rows of C and D, and of an A in registers.
  }];
  let methods = [
    InterfaceMethod<"Rows of A, of all four warps.", "int64_t", "getM">,
    InterfaceMethod<"K of one instruction, zeros of A included.", "int64_t",
                    "getK">,
    InterfaceMethod<"The largest N; multiples of 16 up to it serve, and 8. With "
                    "16-bit elements every multiple of 8 does.", "int64_t",
                    "getMaxN">,
    InterfaceMethod<"The type of the elements of A.", "::mlir::Type",
                    "getOperandType">,
    InterfaceMethod<"The type of the elements of C and D.", "::mlir::Type",
                    "getAccumulatorType">,
    InterfaceMethod<"Whether A holds the nonzeros of 2:4 only, with metadata "
                    "that says where they were.", "bool", "isSparse">,
    InterfaceMethod<"The order of an A in shared memory; none if A has to be in "
                    "registers.", "::std::optional<::mlir::sftile::Order>",
                    "getOrderA">,
    InterfaceMethod<"The layout of the rows of an A in registers that a warp "
                    "holds: m/4 x k, or m/4 x k/2 if it is sparse.",
                    "::mlir::sftile::LinearLayout", "getLayoutA">,
    InterfaceMethod<"The layout of the rows of C and D that a warp holds: a tile "
                    "of m/4 x 8.", "::mlir::sftile::LinearLayout",
                    "getLayoutC">,
    InterfaceMethod<"The number of selectors: how many MMAs one metadata "
                    "word of a lane serves, one after the other (1 if dense).",
                    "int64_t", "getNumSelectors">,
    InterfaceMethod<
      "Emits what orders earlier accesses to the accumulators before a chain of "
      "MMAs.", "void", "emitFence",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc)>,
    InterfaceMethod<
      "Emits the start of one MMA. The results are the accumulators in "
      "flight: nothing but a further MMA or emitWait may use them.",
      "::llvm::SmallVector<::mlir::Value>", "emit",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "const ::mlir::sftile::AsyncMmaOperands &":$operands)>,
    InterfaceMethod<
      "Emits what makes the MMAs that were started since the last time a "
      "group.", "void", "emitCommit",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc)>,
    InterfaceMethod<
      "Emits a wait until at most `pending` groups of the warp are unfinished. "
      "The accumulators pass through it, so that no use can move above it, and "
      "the registers `held` keep their contents up to it.",
      "::llvm::SmallVector<::mlir::Value>", "emitWait",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::ValueRange":$accumulators, "::mlir::ValueRange":$held,
           "int64_t":$pending)>
  ];
}

def SFTile_CopyAtomInterface
    : AttrInterface<"CopyAtomInterface", [SFTile_AtomInterface]> {
  let cppNamespace = "::mlir::sftile";
  let description = [{
    A copy between global and shared memory: of a few bytes, by every thread, or
    (bulk) of as many as one thread says, which a barrier counts down when they
    have arrived. An atom that uses tensor maps moves boxes, in both directions.
  }];
  let methods = [
    InterfaceMethod<"Bytes that one execution moves: the alignment that source "
                    "and destination must have. 0 of a bulk copy.", "int64_t",
                    "getBytes", (ins), /*methodBody=*/"",
                    /*defaultImplementation=*/"return 0;">,
    InterfaceMethod<"Whether one thread starts it and a barrier says when it is "
                    "done.", "bool", "isBulk", (ins), /*methodBody=*/"",
                    /*defaultImplementation=*/"return false;">,
    InterfaceMethod<"Whether the source is a tensor map and the place in it, "
                    "and not an address.", "bool", "usesTensorMap", (ins),
                    /*methodBody=*/"",
                    /*defaultImplementation=*/"return false;">,
    InterfaceMethod<"Whether the bytes arrive later than the thread goes on.",
                    "bool", "isAsynchronous", (ins), /*methodBody=*/"",
                    /*defaultImplementation=*/"return true;">,
    InterfaceMethod<"Emits the copy to shared memory.", "void", "emit",
                    (ins "::mlir::OpBuilder &":$builder,
                         "::mlir::Location":$loc,
                         "const ::mlir::sftile::CopyOperands &":$operands)>,
    InterfaceMethod<
      "Emits the copy of a box, `source` (!llvm.ptr<3>), to `place` (i32, the "
      "fastest coordinate first) of the tensor map (!llvm.ptr). Only an atom "
      "that uses tensor maps is asked.",
      "void", "emitStore",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::Value":$source, "::mlir::Value":$map,
           "::mlir::ValueRange":$place), /*methodBody=*/"",
      /*defaultImplementation=*/"llvm_unreachable(\"no tensor map\");">,
    InterfaceMethod<
      "Emits the copy of `bytes` (i32) adjacent bytes from `source` "
      "(!llvm.ptr<3>) to `destination` (!llvm.ptr<1>). Only a bulk atom without "
      "tensor maps is asked.",
      "void", "emitStoreBytes",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::Value":$source, "::mlir::Value":$destination,
           "::mlir::Value":$bytes), /*methodBody=*/"",
      /*defaultImplementation=*/"llvm_unreachable(\"no bulk copy\");">,
    InterfaceMethod<"Emits what ends a group of this thread's copies; of a bulk "
                    "atom, of its stores.", "void", "emitCommit",
                    (ins "::mlir::OpBuilder &":$builder,
                         "::mlir::Location":$loc), /*methodBody=*/"",
                    /*defaultImplementation=*/"return;">,
    InterfaceMethod<"Emits a wait until at most `pending` younger groups of this "
                    "thread are unfinished: have not arrived, or if they are "
                    "stores of boxes, not read their source.", "void", "emitWait",
                    (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
                         "int64_t":$pending), /*methodBody=*/"",
                    /*defaultImplementation=*/"return;">
  ];
}

def SFTile_MatrixAtomInterface
    : AttrInterface<"MatrixAtomInterface", [SFTile_AtomInterface]> {
  let cppNamespace = "::mlir::sftile";
  let description = [{
    A collective load or store of 8x8 matrices of 16-bit elements between shared
    memory and registers, one i32 of two elements for each matrix. Lane l gives
    the address of row l % 8 of matrix l / 8. If `transposed`, every matrix is
    transposed on the way.
  }];
  let methods = [
    InterfaceMethod<"The most matrices that one execution moves.", "int64_t",
                    "getMaxMatrices">,
    InterfaceMethod<"Whether it stores; otherwise it loads.", "bool", "isStore",
                    (ins), /*methodBody=*/"",
                    /*defaultImplementation=*/"return false;">,
    InterfaceMethod<
      "Emits a load of `count` matrices.", "::llvm::SmallVector<::mlir::Value>",
      "emitLoad",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::Value":$address, "int64_t":$count, "bool":$transposed),
      /*methodBody=*/"",
      /*defaultImplementation=*/"llvm_unreachable(\"it stores\");">,
    InterfaceMethod<
      "Emits a store of one matrix for each register in `registers` (i32).",
      "void", "emitStore",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::Value":$address, "::mlir::ValueRange":$registers,
           "bool":$transposed), /*methodBody=*/"",
      /*defaultImplementation=*/"llvm_unreachable(\"it loads\");">
  ];
}

// Beside the atoms: what packed bits mean.
def SFTile_CodecInterface : AttrInterface<"CodecInterface"> {
  let cppNamespace = "::mlir::sftile";
  let description = [{
    A packed encoding of quantized weights as an attribute. A new encoding is one
    new file in `lib/Dialect/SFTile/Codecs` plus its tests; kernels copy its units
    and multiply what `decode` makes of them, and know neither its name nor its
    bits.

    A unit is 64 rows of a weight and `getUnitColumns()` columns along K. For each
    16 of its rows a lane of a warp has `getWordsPerLane()` adjacent words, which
    hold the weights that operand A of the unit's MMAs has in that lane. Where
    weights are 2:4 sparse these are the nonzeros, and metadata stands before them.
  }];
  let methods = [
    InterfaceMethod<"The name of the packed layout in docs/formats, such as "
                    "tern.v1.", "::llvm::StringRef", "getPackedLayout">,
    InterfaceMethod<"Columns of the weight in a unit.", "int64_t",
                    "getUnitColumns">,
    InterfaceMethod<"Words of a lane for 16 rows of a unit: 4, or 2 or 4 of "
                    "nonzeros.", "int64_t", "getWordsPerLane", (ins),
                    /*methodBody=*/"", /*defaultImplementation=*/"return 4;">,
    InterfaceMethod<"Whether the words hold the nonzeros of 2:4 sparse weights.",
                    "bool", "isSparse", (ins), /*methodBody=*/"",
                    /*defaultImplementation=*/"return false;">,
    InterfaceMethod<
      "Whether weights become operand A of `element`: f16, bf16, i8 or si8, or "
      "`shifted` -64 times the weights as si8 or 64 times the codes as i8.",
      "bool", "decodesTo",
      (ins "::mlir::Type":$element, "bool":$shifted)>,
    InterfaceMethod<
      "How much elements of type `element` exceed the weights.", "int64_t",
      "getBias", (ins "::mlir::Type":$element), /*methodBody=*/"",
      /*defaultImplementation=*/"return 0;">,
    InterfaceMethod<"Whether streamed kernels multiply such weights.", "bool",
                    "isStreamed", (ins), /*methodBody=*/"",
                    /*defaultImplementation=*/"return false;">,
    InterfaceMethod<
      "Emits operand A of one MMA, four registers (i32), from the `words` (i32) "
      "that a lane has of 16 rows: columns from `col` on, of sparse weights "
      "among the nonzeros. Every step is exact.",
      "::llvm::SmallVector<::mlir::Value>", "emit",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::ValueRange":$words, "int64_t":$col,
           "::mlir::Type":$element, "bool":$shifted)>
  ];
  let extraSharedClassDeclaration = [{
    /// How words lie in a tile, and tiles of that order that make a unit.
    ::mlir::sftile::Order getOrder() const {
      return $_attr.isSparse() ? ::mlir::sftile::Order::Metadata24
                               : ::mlir::sftile::Order::Ternary;
    }
    int64_t getUnitTiles() const {
      return $_attr.isSparse() ? 4 + $_attr.getWordsPerLane() : 1;
    }
  }];
}

def SFTile_CacheCodecInterface : AttrInterface<"CacheCodecInterface"> {
  let cppNamespace = "::mlir::sftile";
  let description = [{
    A packed encoding of keys or values in a cache as an attribute: a file of
    `lib/Dialect/SFTile/Codecs`, too. What `decode` makes of its words is an operand
    of an MMA, A or B.
  }];
  let methods = [
    InterfaceMethod<
      "Checks that `words`, a fragment of i32, become the fragment `operand` from "
      "column `col` of K on.", "::llvm::LogicalResult", "verifyDecode",
      (ins "::llvm::function_ref<::mlir::InFlightDiagnostic()>":$emitError,
           "::mlir::Type":$words, "::mlir::Type":$operand, "int64_t":$col)>,
    InterfaceMethod<
      "Whether a pair of elements of `element` may take other signs (`flip`).",
      "bool", "hasSignBits", (ins "::mlir::Type":$element), /*methodBody=*/"",
      /*defaultImplementation=*/"return false;">,
    InterfaceMethod<
      "Emits register `index` (i32) of the fragment `operand`, from the `words` "
      "(i32) that a lane has. Every step is exact.", "::mlir::Value", "emit",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::ValueRange":$words, "::mlir::Type":$operand, "int64_t":$col,
           "int64_t":$index)>
  ];
}

#endif // SPARSEFLOW_DIALECT_SFTILE_IR_SFTILEINTERFACES
