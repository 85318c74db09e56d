// RUN: not sparseflow-opt %s --sparseflow-mark-sparse=mark=w=1:4 --split-input-file 2>&1 | FileCheck %s

// Two who ask for different patterns are both named.

// CHECK: error: cannot mark argument 0: its attribute 'sparseflow.sparse' says 2:4 and the mark w=1:4 says 1:4; remove one of the two
func.func @attribute(%w: tensor<64x32xf16> {sparseflow.name = "w", sparseflow.sparse = "2:4"}) {
  return
}

// -----

// CHECK: error: cannot mark argument 0 as 1:4: that is what the mark w=1:4 says, but its type has the encoding #sparseflow.nm<2:4>; remove one of the two
func.func @type(%w: tensor<64x32xf16, #sparseflow.nm<2:4>> {sparseflow.name = "w"}) {
  return
}

// -----

// A weight that is used as [N, K] and as [K, N] can be grouped along one only.

// CHECK: error: cannot mark argument 0: its matmuls sum over different dimensions, and it can be grouped along one only; pass it twice
// CHECK: note: this matmul sums over dimension 0
// CHECK: note: this matmul sums over dimension 1
#x = affine_map<(t, n, k) -> (t, k)>
#w = affine_map<(t, n, k) -> (n, k)>
#y = affine_map<(t, n, k) -> (t, n)>
func.func @tied(%w: tensor<64x64xf16> {sparseflow.name = "w"}, %x: tensor<8x64xf16>, %f: tensor<8x64xf32>) -> (tensor<8x64xf32>, tensor<8x64xf32>) {
  %a = linalg.matmul ins(%x, %w : tensor<8x64xf16>, tensor<64x64xf16>) outs(%f : tensor<8x64xf32>) -> tensor<8x64xf32>
  %b = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %w : tensor<8x64xf16>, tensor<64x64xf16>) outs(%f : tensor<8x64xf32>) -> tensor<8x64xf32>
  return %a, %b : tensor<8x64xf32>, tensor<8x64xf32>
}

// -----

// CHECK: error: expected 'sparseflow.sparse' of argument 0 as "N:M" or "ternary:STORAGE:SCALE:TYPE", found "half"
func.func @text(%w: tensor<64x32xf16> {sparseflow.name = "w", sparseflow.sparse = "half"}) {
  return
}
