//===- SparseFlowRotationOps.td - Rotations of activations -*- tablegen -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_DIALECT_SPARSEFLOW_IR_SPARSEFLOWROTATIONOPS_TD
#define SPARSEFLOW_DIALECT_SPARSEFLOW_IR_SPARSEFLOWROTATIONOPS_TD

// Included by SparseFlowOps.td, which defines SparseFlow_Op.

def SparseFlow_HadamardOp : SparseFlow_Op<"hadamard", [
    Pure, AllTypesMatch<["x", "result"]>,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
                              ["reifyResultShapes"]>]> {
  let summary = "y = x * diag(signs) * H / sqrt(block), block by block";
  let description = [{
    The Walsh-Hadamard transform of every `block` adjacent elements of the last
    dimension, times the signs of a random one, so that a few large elements of
    a block become many small ones: what one scale serves. H is Sylvester's
    matrix, `H[i][j] = (-1)^popcount(i & j)`, so that the op without signs is
    its own inverse, up to rounding. The weight of a matmul that reads the
    result has to be rotated by the same matrix along K (`sparseflow model
    rotate --activations`).

    All is computed in f32, rounded to nearest even, in this order, so that
    finite results are the same bits everywhere:

    ```
    v[i] = f32(x[i]) * f32(signs[i])                      (x[i] without signs)
    for h = 1, 2, 4, ..., block / 2:
      v[i], v[i + h] = v[i] + v[i + h], v[i] - v[i + h]   where i & h is 0
    y[i] = v[i] * f32(1 / sqrt(block))                    rounded to the type
    ```

    Before the last rounding an element differs from the exact one by at most
    `(log2(block) + 2) * 2^-24 * sum(abs(x * signs)) / sqrt(block)`, where sums
    and products stay in the range of normal numbers of f32. A NaN or an infinity makes all of its block NaN or
    infinite, and nothing outside of it.

    *Preconditions*: the last dimension is static; `block` divides it and is a
    power of two from 64 to 16384. `signs`, one for each element of the last
    dimension, are any numbers: the weights of a norm may be folded into them.

    ```mlir
    func.func @rotate(%x: tensor<?x1536xf16>, %signs: tensor<1536xf16>)
        -> tensor<?x1536xf16> {
      %y = sparseflow.hadamard %x signs(%signs : tensor<1536xf16>) block 512
        : tensor<?x1536xf16>
      return %y : tensor<?x1536xf16>
    }
    ```
  }];
  let arguments = (ins AnyRankedTensor:$x,
                       Optional<AnyRankedTensor>:$signs,
                       I64Attr:$block);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $x (`signs` `(` $signs^ `:` type($signs) `)`)? `block` $block attr-dict
    `:` type($x)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    static constexpr int64_t kLeastBlock = 64, kLargestBlock = 16384;
    /// Elements of the last dimension.
    int64_t getK();
    /// What sums of a block are multiplied by.
    float getScale();
  }];
}

#endif // SPARSEFLOW_DIALECT_SPARSEFLOW_IR_SPARSEFLOWROTATIONOPS_TD
