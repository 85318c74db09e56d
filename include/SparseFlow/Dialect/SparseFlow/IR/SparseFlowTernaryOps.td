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
  let hasVerifier = 1;
  let hasFolder = 1;
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
