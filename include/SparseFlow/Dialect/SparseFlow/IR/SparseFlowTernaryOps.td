//===- SparseFlowTernaryOps.td - Ops on ternary weights ----*- tablegen -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_DIALECT_SPARSEFLOW_IR_SPARSEFLOWTERNARYOPS_TD
#define SPARSEFLOW_DIALECT_SPARSEFLOW_IR_SPARSEFLOWTERNARYOPS_TD

// Included by SparseFlowOps.td, which defines SparseFlow_Op.

def SparseFlow_TernarizeOp : SparseFlow_Op<"ternarize", [Pure]> {
  let summary = "make a weight ternary";
  let description = [{
    Gives a dense weight the encoding of the result: scales and trits by the
    rules of `method`. Two planes and 2:4 storages choose by `lloyd` and take no
    other. A NaN or an infinity is refused where the data is seen. A weight that
    has the encoding already is not changed.

    ```mlir
    func.func @ternarize(%w: tensor<64x256xf16>)
        -> tensor<64x256xf16, #sparseflow.ternary<codes, scale = row : f32>> {
      %0 = sparseflow.ternarize %w by <lloyd> : tensor<64x256xf16>
          -> tensor<64x256xf16, #sparseflow.ternary<codes, scale = row : f32>>
      return %0
        : tensor<64x256xf16, #sparseflow.ternary<codes, scale = row : f32>>
    }
    ```
  }];
  let arguments = (ins AnyRankedTensor:$source,
                       SparseFlow_TernaryMethodAttr:$method);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $source `by` $method attr-dict `:` type($source) `->` type($result)
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Value":$source,
                   "::mlir::sparseflow::TernaryAttr":$encoding,
                   "::mlir::sparseflow::TernaryMethod":$method)>
  ];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def SparseFlow_QuantizeOp : SparseFlow_Op<"quantize", [Pure]> {
  let summary = "8-bit activations with a scale for each token";
  let description = [{
    Rounds each token (row of the last axis) of `x` to integers of 8 bits. All
    steps are in f32 and rounded to nearest even:

    ```
    m          = max(1e-5, max_k abs(x[.., k]))
    scale      = m / 127
    q[.., k]   = clamp(round_even(x[.., k] * (127 / m)), -127, 127)
    ```

    so that `x` is about `scale * q`. The least m is BitNet's: rows of zeros need
    no case of their own. A token that holds a NaN or an infinity has q = 0 and
    the scale NaN. The bits of both results are the same everywhere.

    Activations of a matmul with a ternary weight, whose epilogue multiplies the
    exact sum by the scale:

    ```mlir
    func.func @w2a8(
        %x: tensor<?x256xf16>,
        %w: tensor<64x256xf16, #sparseflow.ternary<codes, scale = row : f32>>)
        -> tensor<?x64xf16> {
      %q, %s = sparseflow.quantize %x
        : tensor<?x256xf16> -> tensor<?x256xi8>, tensor<?xf32>
      %y = sparseflow.matmul %q, %w epilogue(%s : tensor<?xf32>) as [per_token] {
      ^bb0(%acc: f32, %s_: f32):
        %0 = arith.mulf %acc, %s_ : f32
        %1 = arith.truncf %0 : f32 to f16
        sparseflow.yield %1 : f16
      } : tensor<?x256xi8>,
          tensor<64x256xf16, #sparseflow.ternary<codes, scale = row : f32>>
          -> tensor<?x64xf16>
      return %y : tensor<?x64xf16>
    }
    ```
  }];
  let arguments = (ins AnyRankedTensor:$x);
  let results = (outs AnyRankedTensor:$quantized, AnyRankedTensor:$scale);
  let assemblyFormat = [{
    $x attr-dict `:` type($x) `->` type($quantized) `,` type($scale)
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$x)>];
  let hasCanonicalizer = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The least `m`: what scales of small tokens come from.
    static constexpr float kLeastMagnitude = 1e-5f;
    static constexpr float kLargestInteger = 127.0f;
    /// The types of the results for activations `x`.
    static ::mlir::RankedTensorType getQuantizedType(::mlir::RankedTensorType x);
    static ::mlir::RankedTensorType getScaleType(::mlir::RankedTensorType x);
  }];
}

//===----------------------------------------------------------------------===//
// Planes
//===----------------------------------------------------------------------===//

def SparseFlow_Plane : RankedTensorOf<[I1], [HasRankGreaterOrEqualPred<1>],
                                      "a plane, a tensor of i1">;

def SparseFlow_PlaneSplitOp : SparseFlow_Op<"plane_split", [Pure,
    AllTypesMatch<["plus", "minus"]>]> {
  let summary = "where the trits of a plane are +1 and where -1";
  let description = [{
    Takes trit plane `plane` (0 or 1) of a ternary weight apart: bit [n, k] of
    `plus` is set where the trit is +1, of `minus` where it is -1. No bit is set
    in both.

    ```mlir
    func.func @split(
        %w: tensor<64x256xf16, #sparseflow.ternary<codes, scale = row : f32>>)
        -> (tensor<64x256xi1>, tensor<64x256xi1>) {
      %plus, %minus = sparseflow.plane_split %w plane 0
        : tensor<64x256xf16, #sparseflow.ternary<codes, scale = row : f32>>
          -> tensor<64x256xi1>
      return %plus, %minus : tensor<64x256xi1>, tensor<64x256xi1>
    }
    ```
  }];
  let arguments = (ins AnyRankedTensor:$source, I64Attr:$plane);
  let results = (outs SparseFlow_Plane:$plus, SparseFlow_Plane:$minus);
  let assemblyFormat = [{
    $source `plane` $plane attr-dict `:` type($source) `->` type($plus)
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$source, "int64_t":$plane)>];
  let hasVerifier = 1;
}

class SparseFlow_PlaneBinaryOp<string name, list<Trait> traits = []>
    : SparseFlow_Op<name, !listconcat(traits,
        [Pure, SameOperandsAndResultType])> {
  let arguments = (ins SparseFlow_Plane:$lhs, SparseFlow_Plane:$rhs);
  let results = (outs SparseFlow_Plane:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
  let hasFolder = 1;
}

def SparseFlow_PlaneAndOp : SparseFlow_PlaneBinaryOp<"plane_and",
                                                     [Commutative]> {
  let summary = "the bits that both planes have";
  let description = [{
    ```mlir
    func.func @both(%a: tensor<8x64xi1>, %b: tensor<8x64xi1>)
        -> tensor<8x64xi1> {
      %0 = sparseflow.plane_and %a, %b : tensor<8x64xi1>
      return %0 : tensor<8x64xi1>
    }
    ```
  }];
}

def SparseFlow_PlaneOrOp : SparseFlow_PlaneBinaryOp<"plane_or",
                                                    [Commutative]> {
  let summary = "the bits that at least one of two planes has";
  let description = [{
    ```mlir
    func.func @any(%a: tensor<8x64xi1>, %b: tensor<8x64xi1>)
        -> tensor<8x64xi1> {
      %0 = sparseflow.plane_or %a, %b : tensor<8x64xi1>
      return %0 : tensor<8x64xi1>
    }
    ```
  }];
}

def SparseFlow_PlanePopcountOp : SparseFlow_Op<"plane_popcount", [Pure]> {
  let summary = "how many bits each row of a plane has";
  let description = [{
    Counts the set bits along the last axis: `tensor<..xKxi1>` becomes
    `tensor<..xi32>`. The product of two ternary rows a and b is
    `popcount(a+ & b+) + popcount(a- & b-) - popcount(a+ & b-) - popcount(a- & b+)`.

    ```mlir
    func.func @count(%a: tensor<8x64xi1>) -> tensor<8xi32> {
      %0 = sparseflow.plane_popcount %a : tensor<8x64xi1> -> tensor<8xi32>
      return %0 : tensor<8xi32>
    }
    ```
  }];
  let arguments = (ins SparseFlow_Plane:$plane);
  let results = (outs RankedTensorOf<[I32]>:$result);
  let assemblyFormat =
      "$plane attr-dict `:` type($plane) `->` type($result)";
  let builders = [OpBuilder<(ins "::mlir::Value":$plane)>];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def SparseFlow_PlaneMaskOp : SparseFlow_Op<"plane_mask", [Pure,
    TypesMatchWith<"the result has the type of the source", "source", "result",
                   "$_self">]> {
  let summary = "keep the elements where a plane has a bit";
  let description = [{
    Element by element: the source where the bit of `plane` is set, else +0.
    Shapes are equal.

    ```mlir
    func.func @mask(%x: tensor<8x64xf16>, %a: tensor<8x64xi1>)
        -> tensor<8x64xf16> {
      %0 = sparseflow.plane_mask %x, %a : tensor<8x64xf16>, tensor<8x64xi1>
      return %0 : tensor<8x64xf16>
    }
    ```
  }];
  let arguments = (ins AnyRankedTensor:$source, SparseFlow_Plane:$plane);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat =
      "$source `,` $plane attr-dict `:` type($source) `,` type($plane)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

#endif // SPARSEFLOW_DIALECT_SPARSEFLOW_IR_SPARSEFLOWTERNARYOPS_TD
