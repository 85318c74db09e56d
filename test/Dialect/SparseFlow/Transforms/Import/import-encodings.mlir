// RUN: sparseflow-opt %s --sparseflow-import-encodings --split-input-file --verify-diagnostics=all | FileCheck %s

#nv24 = #sparse_tensor.encoding<{
  map = (i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[2, 4])
}>
#nv14rows = #sparse_tensor.encoding<{
  map = (i, j) -> (j : dense, i floordiv 4 : dense, i mod 4 : structured[1, 4])
}>

// Arguments, results, types inside ops and attributes change together.
// CHECK-LABEL: func.func @signature
//  CHECK-SAME: (%[[W:.*]]: tensor<8x16xf16, #sparseflow.nm<2:4>>, %{{.*}}: tensor<8x16xf16, #sparseflow.nm<1:4, axis = 0>>) -> tensor<8x16xf16, #sparseflow.nm<2:4>>
//  CHECK-SAME: kept = tensor<?x16xf16, #sparseflow.nm<2:4>>
//       CHECK: tensor.cast %[[W]] : tensor<8x16xf16, #sparseflow.nm<2:4>> to tensor<?x16xf16, #sparseflow.nm<2:4>>
func.func @signature(%w: tensor<8x16xf16, #nv24>, %v: tensor<8x16xf16, #nv14rows>)
    -> tensor<8x16xf16, #nv24> attributes {kept = tensor<?x16xf16, #nv24>} {
  %0 = tensor.cast %w : tensor<8x16xf16, #nv24> to tensor<?x16xf16, #nv24>
  %1 = tensor.cast %0 : tensor<?x16xf16, #nv24> to tensor<8x16xf16, #nv24>
  return %1 : tensor<8x16xf16, #nv24>
}

// CHECK-LABEL: func.func @linalg
//       CHECK: linalg.matmul {{.*}} ins(%{{.*}} : tensor<4x16xf16>, tensor<8x16xf16, #sparseflow.nm<2:4>>)
#x = affine_map<(t, n, k) -> (t, k)>
#w = affine_map<(t, n, k) -> (n, k)>
#y = affine_map<(t, n, k) -> (t, n)>
func.func @linalg(%x: tensor<4x16xf16>, %w: tensor<8x16xf16, #nv24>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = linalg.matmul indexing_maps = [#x, #w, #y]
    ins(%x, %w : tensor<4x16xf16>, tensor<8x16xf16, #nv24>)
    outs(%y : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @convert
//       CHECK: %[[P:.*]] = sparseflow.prune %{{.*}} : tensor<8x16xf16> -> tensor<8x16xf16, #sparseflow.nm<2:4>>
//       CHECK: sparseflow.unpack %[[P]]
func.func @convert(%w: tensor<8x16xf16>) -> tensor<8x16xf16> {
  %0 = sparse_tensor.convert %w : tensor<8x16xf16> to tensor<8x16xf16, #nv24>
  %1 = sparse_tensor.convert %0 : tensor<8x16xf16, #nv24> to tensor<8x16xf16>
  return %1 : tensor<8x16xf16>
}

// -----

#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
// CHECK-LABEL: func.func private @other(tensor<8x16xf16, #sparse{{.*}}>)
// expected-remark @+1 {{only dense levels and one structured[n, m] level are an N:M encoding}}
func.func private @other(tensor<8x16xf16, #csr>)

// -----

#nv24 = #sparse_tensor.encoding<{
  map = (i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[2, 4])
}>
// expected-error @+1 {{cannot import: expected dimension 1 to be a multiple of 4 under #sparseflow.nm<2:4>, found 18; pad it with zeros}}
func.func private @not_divisible(tensor<8x18xf16, #nv24>)

// -----

#nv44 = #sparse_tensor.encoding<{
  map = (i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[4, 4])
}>
// expected-error @+1 {{cannot import: expected N:M with 1 <= N < M, found 4:4; a dense tensor has no encoding}}
func.func private @full(tensor<8x16xf16, #nv44>)
