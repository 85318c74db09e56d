// RUN: sparseflow-opt %s --sparseflow-mark-sparse --split-input-file --verify-diagnostics=all | FileCheck %s
// RUN: sparseflow-opt %s --sparseflow-mark-sparse=mark=2=2:4 --split-input-file 2>&1 | FileCheck %s --check-prefix=OPTION

// The attribute on an argument asks like the option does, and is used up. The
// groups lie along what the products sum over, seen through a transpose, a
// broadcast over the batch, a unit dimension and a conversion.

// CHECK-LABEL: func.func @attribute
//  CHECK-SAME: tensor<64x32xf16, #sparseflow.nm<2:4, axis = 0>>, %{{.*}}: tensor<1x32x64xf32, #sparseflow.nm<2:4>>
//   CHECK-NOT: sparseflow.sparse
// OPTION: argument 2 is 'tensor<1x32x64xf32, #sparseflow.nm<2:4>>' by request
#id = affine_map<(d0, d1) -> (d0, d1)>
#repeat = affine_map<(d0, d1, d2) -> (d1, d2)>
#batch = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// expected-remark @+2 {{argument 1 is 'tensor<64x32xf16, #sparseflow.nm<2:4, axis = 0>>' by request}}
// expected-remark @+1 {{argument 2 is 'tensor<1x32x64xf32, #sparseflow.nm<2:4>>' by request}}
func.func @attribute(%x: tensor<2x8x64xf16>, %w: tensor<64x32xf16> {sparseflow.sparse = "2:4"},
                     %v: tensor<1x32x64xf32> {sparseflow.sparse = "2:4"}, %f: tensor<2x8x32xf32>)
    -> (tensor<2x8x32xf32>, tensor<2x8x32xf32>) {
  %e = tensor.empty() : tensor<2x64x32xf16>
  %wb = linalg.generic {indexing_maps = [#repeat, #batch], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<64x32xf16>) outs(%e : tensor<2x64x32xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<2x64x32xf16>
  %y = linalg.batch_matmul ins(%x, %wb : tensor<2x8x64xf16>, tensor<2x64x32xf16>) outs(%f : tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
  %c = tensor.collapse_shape %v [[0, 1], [2]] : tensor<1x32x64xf32> into tensor<32x64xf32>
  %e1 = tensor.empty() : tensor<32x64xf16>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<32x64xf32>) outs(%e1 : tensor<32x64xf16>) {
  ^bb0(%in: f32, %out: f16):
    %0 = arith.truncf %in : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<32x64xf16>
  %e2 = tensor.empty() : tensor<64x32xf16>
  %t = linalg.transpose ins(%r : tensor<32x64xf16>) outs(%e2 : tensor<64x32xf16>) permutation = [1, 0]
  %b = linalg.broadcast ins(%t : tensor<64x32xf16>) outs(%e : tensor<2x64x32xf16>) dimensions = [0]
  %z = linalg.batch_matmul ins(%x, %b : tensor<2x8x64xf16>, tensor<2x64x32xf16>) outs(%f : tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
  return %y, %z : tensor<2x8x32xf32>, tensor<2x8x32xf32>
}
