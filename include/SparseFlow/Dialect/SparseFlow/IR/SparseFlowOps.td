//===- SparseFlowOps.td - The sparseflow ops ---------------*- tablegen -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_DIALECT_SPARSEFLOW_IR_SPARSEFLOWOPS_TD
#define SPARSEFLOW_DIALECT_SPARSEFLOW_IR_SPARSEFLOWOPS_TD

include "SparseFlow/Dialect/SparseFlow/IR/SparseFlowAttributes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class SparseFlow_Op<string mnemonic, list<Trait> traits = []>
    : Op<SparseFlow_Dialect, mnemonic, traits>;

def SparseFlow_OperandElement
    : AnyTypeOf<[F16, BF16, F32], "f16, bf16 or f32">;
def SparseFlow_WeightElement : AnyTypeOf<[F16, BF16], "f16 or bf16">;

//===----------------------------------------------------------------------===//
// matmul
//===----------------------------------------------------------------------===//

def SparseFlow_MatmulOp : SparseFlow_Op<"matmul", [
    Pure, IsolatedFromAbove, SingleBlock,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
                              ["reifyResultShapes"]>]> {
  let summary = "y = epilogue(x * w^T, operands)";
  let description = [{
    Multiplies activations `x` [..., T, K] with a weight `w` [N, K], dense, N:M
    sparse along K or ternary, and applies a scalar epilogue to every element of the
    product:

    ```
    y[..., t, n] = epilogue(sum_k f32(x[..., t, k]) * f32(w[n, k]),
                            operand_0 at [..., t, n], operand_1 ..., ...)
    ```

    Products accumulate in f32, in an order that is not specified. The epilogue
    is a region of scalar `arith` and `math` ops, on floats and i1, over the f32
    accumulator and one element of each epilogue operand; it yields the element of `y` and sees
    no other value. How an operand's element is found is its *broadcast*:
    `per_feature` [N], `per_token` [..., T], `full` [..., T, N] or `scalar` [].

    The matmul with a *ternary* weight is the sum over planes and groups of
    columns of `f32(scale) * sum(f32(x) * trit)`. Its activations may also be
    i8; then the inner sums are exact integers of 32 bits, converted to f32
    (exactly, below 2^24), multiplied by the scale and added up in f32 with the
    groups outside and the planes inside, so that the result is the same bits
    everywhere. The scale of an i8 token is an epilogue operand, `per_token`;
    `sparseflow.quantize` makes both.

    *Preconditions*: N and K are static; T and the leading dimensions may be
    dynamic and agree between `x`, the result and the operands. `x` and `w` have
    the same element type, f16 or bf16, or `x` is i8 and `w` ternary; K is then
    below 2^24, so that no sum overflows; operands and result are f16, bf16 or
    f32. An encoding of `w` groups its last axis.

    *Postconditions*: a sparse weight gives the dense matmul over its non-zero
    entries. Where a token holds an infinity or a NaN, an element of a matmul
    with a 2:4 weight, or with two planes, may be NaN instead: kernels multiply
    the zeros that fill up a group, and planes one by one. K = 0 applies the
    epilogue to zero. An empty result is no work.

    After `sparseflow-materialize-storage`, `w` is the packed bytes and
    `storage` says what they hold.

    A feed-forward layer's first half, bias and ReLU fused:

    ```mlir
    func.func @bias_relu(%x: tensor<?x384xf16>,
                         %w: tensor<1536x384xf16, #sparseflow.nm<2:4>>,
                         %b: tensor<1536xf16>) -> tensor<?x1536xf16> {
      %y = sparseflow.matmul %x, %w
          epilogue(%b : tensor<1536xf16>) as [per_feature] {
      ^bb0(%acc: f32, %b_: f16):
        %zero = arith.constant 0.0 : f32
        %b32 = arith.extf %b_ : f16 to f32
        %0 = arith.addf %acc, %b32 : f32
        %1 = arith.maximumf %0, %zero : f32
        %2 = arith.truncf %1 : f32 to f16
        sparseflow.yield %2 : f16
      } : tensor<?x384xf16>, tensor<1536x384xf16, #sparseflow.nm<2:4>>
          -> tensor<?x1536xf16>
      return %y : tensor<?x1536xf16>
    }
    ```

    The same matmul on packed bytes:

    ```mlir
    func.func @packed(%x: tensor<?x64xf16>, %w: tensor<4608xi8>)
        -> tensor<?x64xf32> {
      %y = sparseflow.matmul %x, %w {
      ^bb0(%acc: f32):
        sparseflow.yield %acc : f32
      } {storage = #sparseflow.storage<"sf24.v1", 64x64xf16>}
        : tensor<?x64xf16>, tensor<4608xi8> -> tensor<?x64xf32>
      return %y : tensor<?x64xf32>
    }
    ```
  }];
  let arguments = (ins
    AnyRankedTensor:$x,
    AnyRankedTensor:$w,
    Variadic<AnyRankedTensor>:$epilogueOperands,
    DefaultValuedAttr<SparseFlow_BroadcastArrayAttr, "{}">:$broadcasts,
    OptionalAttr<SparseFlow_StorageAttr>:$storage);
  let results = (outs AnyRankedTensor:$result);
  let regions = (region SizedRegion<1>:$epilogue);
  // The operand list, its types and its broadcasts print as one clause, which
  // is absent without operands; no generated directive prints an array of enum
  // attributes as bare keywords.
  let assemblyFormat = [{
    $x `,` $w ``
    custom<EpilogueOperands>($epilogueOperands, type($epilogueOperands),
                             $broadcasts)
    $epilogue attr-dict `:` type($x) `,` type($w) `->` type($result)
  }];
  let skipDefaultBuilders = 1;
  let builders = [
    OpBuilder<(ins "::mlir::Type":$resultType, "::mlir::Value":$x,
      "::mlir::Value":$w, "::mlir::ValueRange":$operands,
      "::llvm::ArrayRef<::mlir::sparseflow::Broadcast>":$broadcasts,
      CArg<"::llvm::function_ref<void(::mlir::OpBuilder &, "
           "::mlir::Location, ::mlir::ValueRange)>", "nullptr">:$body)>,
    // The result's type follows from `x`, `w` and its element type; `w` is a
    // tensor [N, K]. Without a body the accumulator is rounded to `element`.
    OpBuilder<(ins "::mlir::Value":$x, "::mlir::Value":$w,
      "::mlir::Type":$element, CArg<"::mlir::ValueRange", "{}">:$operands,
      CArg<"::llvm::ArrayRef<::mlir::sparseflow::Broadcast>", "{}">:$broadcasts,
      CArg<"::llvm::function_ref<void(::mlir::OpBuilder &, "
           "::mlir::Location, ::mlir::ValueRange)>", "nullptr">:$body)>
  ];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    /// Output and input features: the logical shape of the weight, whether
    /// `w` is a tensor [N, K] or packed bytes.
    int64_t getN();
    int64_t getK();
    /// The element type of the weight, f16 or bf16.
    ::mlir::FloatType getWeightElementType();
    /// The N:M encoding of `w`; null where `w` is dense, ternary or packed.
    NmAttr getEncoding();
    /// The ternary encoding of `w`, by type or by storage, or null.
    TernaryAttr getTernary();
    /// True where the weight is N:M sparse, by type or by storage.
    bool isSparse();

    ::mlir::RankedTensorType getXType();
    ::mlir::RankedTensorType getResultType();
    /// The broadcast of epilogue operand `index`.
    Broadcast getBroadcast(unsigned index);
    ::llvm::SmallVector<Broadcast> getBroadcastList();
    /// The f32 argument of the epilogue that holds the product.
    ::mlir::BlockArgument getAccumulator() {
      return getEpilogue().getArgument(0);
    }
    /// The value that the epilogue yields.
    ::mlir::Value getYieldedValue();
    /// True where the epilogue only rounds the accumulator to the result.
    bool hasIdentityEpilogue();

    /// The type of x * w^T with elements of type `element`: [..., T, N].
    static ::mlir::RankedTensorType
    inferResultType(::mlir::RankedTensorType x, int64_t n,
                    ::mlir::Type element);
    /// Yields the accumulator rounded to `element`: a body for `build`.
    static void buildIdentityEpilogue(::mlir::OpBuilder &b,
                                      ::mlir::Location loc,
                                      ::mlir::Value accumulator,
                                      ::mlir::Type element);
  }];
}

def SparseFlow_YieldOp : SparseFlow_Op<"yield", [
    Pure, ReturnLike, Terminator,
    ParentOneOf<["MatmulOp", "AttentionOp"]>]> {
  let summary = "ends a scalar region with its value";
  let description = [{
    Ends the epilogue region of `sparseflow.matmul`, with a scalar of the
    result's element type, or the score region of `sparseflow.attention`, with
    an f32.

    ```mlir
    func.func @identity(%x: tensor<8x64xbf16>, %w: tensor<16x64xbf16>)
        -> tensor<8x16xf32> {
      %y = sparseflow.matmul %x, %w {
      ^bb0(%acc: f32):
        sparseflow.yield %acc : f32
      } : tensor<8x64xbf16>, tensor<16x64xbf16> -> tensor<8x16xf32>
      return %y : tensor<8x16xf32>
    }
    ```
  }];
  let arguments = (ins AnyFloat:$value);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

def SparseFlow_PruneOp : SparseFlow_Op<"prune", [Pure]> {
  let summary = "keep the n largest magnitudes of every group of m";
  let description = [{
    Gives a dense weight an N:M encoding: in every group of `m` elements along
    the encoding's axis the `n` of largest magnitude stay and the others become
    zero. Of equal magnitudes the lower index stays; -0.0 is zero; a NaN or an
    infinity is refused where the data is seen. Pruning a value that has the
    encoding already changes nothing.

    ```mlir
    func.func @prune(%w: tensor<1536x384xf16>)
        -> tensor<1536x384xf16, #sparseflow.nm<2:4>> {
      %0 = sparseflow.prune %w
        : tensor<1536x384xf16> -> tensor<1536x384xf16, #sparseflow.nm<2:4>>
      return %0 : tensor<1536x384xf16, #sparseflow.nm<2:4>>
    }
    ```
  }];
  let arguments = (ins AnyRankedTensor:$source);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat =
      "$source attr-dict `:` type($source) `->` type($result)";
  let builders = [
    OpBuilder<(ins "::mlir::Value":$source,
                   "::mlir::sparseflow::NmAttr":$encoding)>
  ];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def SparseFlow_PackOp : SparseFlow_Op<"pack", [Pure]> {
  let summary = "the bytes of a packed layout that hold an encoded weight";
  let description = [{
    Turns a weight with an N:M encoding into the bytes of a packed layout. The
    shape and element type in `storage` are those of the source.

    ```mlir
    func.func @pack(%w: tensor<64x128xf16, #sparseflow.nm<2:4>>)
        -> tensor<9216xi8> {
      %0 = sparseflow.pack %w as <"sf24.v1", 64x128xf16>
        : tensor<64x128xf16, #sparseflow.nm<2:4>> -> tensor<9216xi8>
      return %0 : tensor<9216xi8>
    }
    ```
  }];
  let arguments = (ins AnyRankedTensor:$source,
                       SparseFlow_StorageAttr:$storage);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $source `as` $storage attr-dict
    `:` type($source) `->` type($result)
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Value":$source,
                   "::mlir::sparseflow::StorageAttr":$storage)>
  ];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def SparseFlow_UnpackOp : SparseFlow_Op<"unpack", [Pure]> {
  let summary = "forget an encoding, or read packed bytes back";
  let description = [{
    Without `storage`, turns a weight with an N:M encoding into the dense tensor
    of the same values. With `storage`, reads packed bytes back into the weight
    that they hold, with its encoding or dense.

    ```mlir
    func.func @unpack(%w: tensor<64x128xf16, #sparseflow.nm<2:4>>,
                      %blob: tensor<9216xi8>)
        -> (tensor<64x128xf16>, tensor<64x128xf16, #sparseflow.nm<2:4>>) {
      %0 = sparseflow.unpack %w
        : tensor<64x128xf16, #sparseflow.nm<2:4>> -> tensor<64x128xf16>
      %1 = sparseflow.unpack %blob
        from <"sf24.v1", 64x128xf16>
        : tensor<9216xi8> -> tensor<64x128xf16, #sparseflow.nm<2:4>>
      return %0, %1
        : tensor<64x128xf16>, tensor<64x128xf16, #sparseflow.nm<2:4>>
    }
    ```
  }];
  let arguments = (ins AnyRankedTensor:$source,
                       OptionalAttr<SparseFlow_StorageAttr>:$storage);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $source (`from` $storage^)? attr-dict
    `:` type($source) `->` type($result)
  }];
  let builders = [
    // Forgets the encoding of `source`.
    OpBuilder<(ins "::mlir::Value":$source)>
  ];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

include "SparseFlow/Dialect/SparseFlow/IR/SparseFlowAttentionOps.td"
include "SparseFlow/Dialect/SparseFlow/IR/SparseFlowTernaryOps.td"
include "SparseFlow/Dialect/SparseFlow/IR/SparseFlowRotationOps.td"
include "SparseFlow/Dialect/SparseFlow/IR/SparseFlowSampleOp.td"

#endif // SPARSEFLOW_DIALECT_SPARSEFLOW_IR_SPARSEFLOWOPS_TD
