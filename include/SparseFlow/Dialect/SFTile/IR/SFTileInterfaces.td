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

// Every atom: which machines have the instruction, and what it is called.
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
    A matrix product D = A * B + C of a warp, with A of m x k, B of k x n. The
    operand that may be sparse is A; B is held as an n x k fragment, because
    tensor cores read it column by column.
  }];
  let methods = [
    InterfaceMethod<"Rows of A and D.", "int64_t", "getM">,
    InterfaceMethod<"Columns of B and D.", "int64_t", "getN">,
    InterfaceMethod<"The depth of the product, zeros of A included.", "int64_t",
                    "getK">,
    InterfaceMethod<"The type of the elements of A and B.", "::mlir::Type",
                    "getOperandType">,
    InterfaceMethod<"The type of the elements of C and D.", "::mlir::Type",
                    "getAccumulatorType">,
    InterfaceMethod<"Whether A holds the kept elements only, with metadata that "
                    "says where they were.", "bool", "isSparse">,
    InterfaceMethod<"The layout of A: m x k elements, m x k/2 if sparse.",
                    "::mlir::sftile::LinearLayout", "getLayoutA">,
    InterfaceMethod<"The layout of B as n x k elements.",
                    "::mlir::sftile::LinearLayout", "getLayoutB">,
    InterfaceMethod<"The layout of C and D: m x n elements.",
                    "::mlir::sftile::LinearLayout", "getLayoutC">,
    InterfaceMethod<"The number of selectors: how many products in a row one "
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

def SFTile_AsyncGroupAtomInterface
    : AttrInterface<"AsyncGroupAtomInterface", [SFTile_AtomInterface]> {
  let cppNamespace = "::mlir::sftile";
  let description = [{
    How products that run while the warps go on are ordered and waited for.
  }];
  let methods = [
    InterfaceMethod<
      "Emits what orders earlier accesses to the accumulators before a chain of "
      "products.", "void", "emitFence",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc)>,
    InterfaceMethod<
      "Emits what makes the products that were started since the last time a "
      "group.", "void", "emitCommit",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc)>,
    InterfaceMethod<
      "Emits a wait until at most `leaving` groups of the warp are unfinished. "
      "The accumulators pass through it, so that no use can move above it, and "
      "the registers `held` keep their contents up to it.",
      "::llvm::SmallVector<::mlir::Value>", "emitAwait",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::ValueRange":$accumulators, "::mlir::ValueRange":$held,
           "int64_t":$leaving)>
  ];
}

def SFTile_AsyncMmaAtomInterface
    : AttrInterface<"AsyncMmaAtomInterface", [SFTile_AsyncGroupAtomInterface]> {
  let cppNamespace = "::mlir::sftile";
  let description = [{
    A matrix product D = A * B + C of a warpgroup, four consecutive warps, that
    reads A and B from shared memory while the warps go on. A is m x k, B n x k
    with n as wide as the accumulator; each warp holds m/4 rows of C and D.
  }];
  let methods = [
    InterfaceMethod<"Rows of A, of all four warps.", "int64_t", "getM">,
    InterfaceMethod<"The depth of the product, zeros of A included.", "int64_t",
                    "getK">,
    InterfaceMethod<"The most columns of D; any multiple of 8 up to it serves.",
                    "int64_t", "getMaxN">,
    InterfaceMethod<"The type of the elements of A and B.", "::mlir::Type",
                    "getOperandType">,
    InterfaceMethod<"Whether A holds the kept elements only.", "bool",
                    "isSparse">,
    InterfaceMethod<"The order in which A lies in shared memory.",
                    "::mlir::sftile::Order", "getOrderA">,
    InterfaceMethod<"The layout of the rows of C and D that a warp holds: a tile "
                    "of m/4 x 8.", "::mlir::sftile::LinearLayout",
                    "getLayoutC">,
    InterfaceMethod<"The number of selectors: how many products in a row one "
                    "metadata register serves (1 if dense).", "int64_t",
                    "getNumSelectors">,
    InterfaceMethod<
      "Emits the start of one product. `a` and `b` are the shared addresses "
      "(!llvm.ptr<3>) of its corner in the two tiles. The results are the "
      "accumulators in flight, `columns` wide: nothing but a further product or "
      "emitAwait may use them. Without `c` the product is not added to "
      "anything.", "::llvm::SmallVector<::mlir::Value>", "emit",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::Value":$a, "::mlir::Value":$b, "::mlir::ValueRange":$c,
           "int64_t":$columns, "::mlir::Value":$metadata,
           "int64_t":$selector)>
  ];
}

def SFTile_RegisterMmaAtomInterface
    : AttrInterface<"RegisterMmaAtomInterface",
                    [SFTile_AsyncGroupAtomInterface]> {
  let cppNamespace = "::mlir::sftile";
  let description = [{
    A matrix product D = A * B + C of a warpgroup, four consecutive warps, that
    reads B from shared memory while the warps go on and A from their registers,
    which must keep their contents as long. Each warp holds m/4 rows of A, C and
    D.
  }];
  let methods = [
    InterfaceMethod<"Rows of A, of all four warps.", "int64_t", "getM">,
    InterfaceMethod<"The depth of the product.", "int64_t", "getK">,
    InterfaceMethod<"The most columns of D; any multiple of 16 up to it serves, "
                    "and 8.", "int64_t", "getMaxN">,
    InterfaceMethod<"The type of the elements of A and B.", "::mlir::Type",
                    "getOperandType">,
    InterfaceMethod<"The type of the elements of C and D.", "::mlir::Type",
                    "getAccumulatorType">,
    InterfaceMethod<"Whether A has two of four columns, and metadata that says "
                    "which.", "bool", "isSparse">,
    InterfaceMethod<"Products that a word of metadata serves in each lane, one "
                    "after the other: 1, or 2 if each takes the words of half "
                    "the lanes.", "int64_t", "getNumSelectors">,
    InterfaceMethod<"The layout of the rows of A that a warp holds: m/4 x k, or "
                    "m/4 x k/2 if it is sparse.",
                    "::mlir::sftile::LinearLayout", "getLayoutA">,
    InterfaceMethod<"The layout of the rows of C and D that a warp holds: a tile "
                    "of m/4 x 8.", "::mlir::sftile::LinearLayout",
                    "getLayoutC">,
    InterfaceMethod<
      "Emits the start of one product. `a` are registers of 32 bits and "
      "`metadata`, of a sparse A, one more, of which `selector` says whose lanes' "
      "words the product takes, `b` is the "
      "shared address (!llvm.ptr<3>) of its corner in the tile. The results are "
      "the accumulators in flight, `columns` wide: nothing but a further product "
      "or emitAwait may use them. Without `c` the product is not added to "
      "anything; if `cleared` neither, but takes its registers.",
      "::llvm::SmallVector<::mlir::Value>", "emit",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::ValueRange":$a, "::mlir::Value":$b, "::mlir::ValueRange":$c,
           "int64_t":$columns, "::mlir::Value":$metadata,
           "int64_t":$selector, "bool":$cleared)>
  ];
}

def SFTile_FragmentMmaAtomInterface
    : AttrInterface<"FragmentMmaAtomInterface", [SFTile_AtomInterface]> {
  let cppNamespace = "::mlir::sftile";
  let description = [{
    A product of a warpgroup like those of AsyncMmaAtomInterface, but with A in
    registers, and B in shared memory with its depth along the rows.
  }];
  let methods = [
    InterfaceMethod<"The layout of the rows of A that a warp holds.",
                    "::mlir::sftile::LinearLayout", "getFragmentLayoutA">,
    InterfaceMethod<
      "Emits the start of one product. `a` are registers of 32 bits (i32), `b` "
      "the shared address (!llvm.ptr<3>) of the first row and column in tiles of "
      "64 columns, `tileBytes` apart. The rest is as for emit.",
      "::llvm::SmallVector<::mlir::Value>", "emitFragment",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::ValueRange":$a, "::mlir::Value":$b, "::mlir::ValueRange":$c,
           "int64_t":$columns, "int64_t":$tileBytes)>
  ];
}

def SFTile_CopyAtomInterface
    : AttrInterface<"CopyAtomInterface", [SFTile_AtomInterface]> {
  let cppNamespace = "::mlir::sftile";
  let description = [{
    A copy of a few bytes from global to shared memory by one thread.
  }];
  let methods = [
    InterfaceMethod<"Bytes that one execution moves: the alignment that source "
                    "and destination must have.", "int64_t", "getBytes">,
    InterfaceMethod<"Whether the bytes arrive later, when a group of copies is "
                    "waited for.", "bool", "isAsynchronous">,
    InterfaceMethod<
      "Emits the copy. `destination` is a !llvm.ptr<3>, `source` a !llvm.ptr<1>; "
      "`valid` says how many bytes to read (i32, 0 to getBytes(); the rest is "
      "filled with zeros); null means all of them.",
      "void", "emit",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::Value":$destination, "::mlir::Value":$source,
           "::mlir::Value":$valid)>,
    InterfaceMethod<"Emits what ends a group of copies of this thread.", "void",
                    "emitCommit",
                    (ins "::mlir::OpBuilder &":$builder,
                         "::mlir::Location":$loc)>,
    InterfaceMethod<"Emits a wait until at most `pending` younger groups of this "
                    "thread are unfinished.", "void", "emitWait",
                    (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
                         "int64_t":$pending)>
  ];
}

def SFTile_BulkCopyAtomInterface
    : AttrInterface<"BulkCopyAtomInterface", [SFTile_AtomInterface]> {
  let cppNamespace = "::mlir::sftile";
  let description = [{
    A copy of many bytes from global to shared memory that one thread starts and
    that counts the bytes down in a barrier in shared memory.
  }];
  let methods = [
    InterfaceMethod<"Whether the source is a tensor map and the place in it, "
                    "and not an address.", "bool", "usesTensorMap">,
    InterfaceMethod<
      "Emits the copy. `destination` and `barrier` are !llvm.ptr<3>. `source` is "
      "a !llvm.ptr<1>, or the tensor map's !llvm.ptr with `place`, i32, the "
      "fastest coordinate first. `bytes` is what arrives. With a `multicast` "
      "mask (i16) it arrives in every block of the cluster whose bit is set, at "
      "the same offset, and counts in that block's barrier.", "void", "emitLoad",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::Value":$destination, "::mlir::Value":$source,
           "::mlir::ValueRange":$place, "int64_t":$bytes,
           "::mlir::Value":$barrier, "::mlir::Value":$multicast)>
  ];
}

def SFTile_TensorStoreAtomInterface
    : AttrInterface<"TensorStoreAtomInterface", [SFTile_AtomInterface]> {
  let cppNamespace = "::mlir::sftile";
  let description = [{
    A copy of a box from shared to global memory that one thread starts.
  }];
  let methods = [
    InterfaceMethod<
      "Emits the copy of `source` (!llvm.ptr<3>) to `place` (i32, the fastest "
      "coordinate first) of the tensor map (!llvm.ptr), a group of its own.",
      "void", "emitStore",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::Value":$source, "::mlir::Value":$map,
           "::mlir::ValueRange":$place)>,
    InterfaceMethod<
      "Emits a wait until all but `leaving` groups of this thread have read "
      "their source.", "void", "emitWaitRead",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "int64_t":$leaving)>
  ];
}

def SFTile_MatrixLoadAtomInterface
    : AttrInterface<"MatrixLoadAtomInterface", [SFTile_AtomInterface]> {
  let cppNamespace = "::mlir::sftile";
  let description = [{
    A collective load of 8x8 matrices of 16-bit elements from shared memory into
    registers. Lane l gives the address of row l % 8 of matrix l / 8.
  }];
  let methods = [
    InterfaceMethod<"The most matrices that one execution loads.", "int64_t",
                    "getMaxMatrices">,
    InterfaceMethod<
      "Emits a load of `count` matrices; one i32 of two elements for each. If "
      "`transposed`, every matrix is transposed on the way.",
      "::llvm::SmallVector<::mlir::Value>", "emit",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::Value":$address, "int64_t":$count, "bool":$transposed)>
  ];
}

def SFTile_MatrixStoreAtomInterface
    : AttrInterface<"MatrixStoreAtomInterface", [SFTile_AtomInterface]> {
  let cppNamespace = "::mlir::sftile";
  let description = [{
    The reverse of a matrix load: a collective store of 8x8 matrices of 16-bit
    elements from registers into shared memory.
  }];
  let methods = [
    InterfaceMethod<"The most matrices that one execution stores.", "int64_t",
                    "getMaxMatrices">,
    InterfaceMethod<
      "Emits a store of one matrix for each register in `registers` (i32).",
      "void", "emit",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::Value":$address, "::mlir::ValueRange":$registers,
           "bool":$transposed)>
  ];
}

#endif // SPARSEFLOW_DIALECT_SFTILE_IR_SFTILEINTERFACES
