// Attention over one dimension of batches and heads, as batch_matmul writes it: an
// entry of it is a batch entry with one head.
//
// RUN: sparseflow compile %s --emit mlir --remarks 2>&1 | FileCheck %s
// RUN: sparseflow run %s --device cpu --check
// RUN: sparseflow compile %s --target sm_80,sm_90a --emit manifest -o %t.json

// CHECK: remark: [import] raised to attention over 1 elementwise ops on the scores, which are computed in f32 like the softmax
// CHECK: %[[Q:.*]] = tensor.expand_shape %arg0 {{.*}} into tensor<8x1x16x32xf16>
// CHECK: %[[K:.*]] = tensor.expand_shape %arg1 {{.*}} into tensor<8x1x24x32xf16>
// CHECK: %[[V:.*]] = tensor.expand_shape %arg2 {{.*}} into tensor<8x1x24x40xf16>
// CHECK: %[[O:.*]] = sparseflow.attention %[[Q]], %[[K]], %[[V]] {scale = 1.767760e-01 : f32}
// CHECK: %[[R:.*]] = tensor.collapse_shape %[[O]]
// CHECK-NOT: linalg
// CHECK: return %[[R]]
func.func @rank3(%q: tensor<8x16x32xf16>, %k: tensor<8x24x32xf16>,
                 %v: tensor<8x24x40xf16>) -> tensor<8x16x40xf32> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.176776 : f32
  %kt = tensor.empty() : tensor<8x32x24xf16>
  %t = linalg.transpose ins(%k : tensor<8x24x32xf16>) outs(%kt : tensor<8x32x24xf16>) permutation = [0, 2, 1]
  %e = tensor.empty() : tensor<8x16x24xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x16x24xf32>) -> tensor<8x16x24xf32>
  %s = linalg.batch_matmul ins(%q, %t : tensor<8x16x32xf16>, tensor<8x32x24xf16>) outs(%z : tensor<8x16x24xf32>) -> tensor<8x16x24xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(a, i, j) -> (a, i, j)>, affine_map<(a, i, j) -> (a, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : tensor<8x16x24xf32>) outs(%e : tensor<8x16x24xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.mulf %a, %scale : f32
    linalg.yield %0 : f32
  } -> tensor<8x16x24xf32>
  %p = linalg.softmax dimension(2) ins(%c : tensor<8x16x24xf32>) outs(%e : tensor<8x16x24xf32>) -> tensor<8x16x24xf32>
  %he = tensor.empty() : tensor<8x16x24xf16>
  %h = linalg.generic {indexing_maps = [affine_map<(a, i, j) -> (a, i, j)>, affine_map<(a, i, j) -> (a, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%p : tensor<8x16x24xf32>) outs(%he : tensor<8x16x24xf16>) {
  ^bb0(%a: f32, %b: f16):
    %0 = arith.truncf %a : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<8x16x24xf16>
  %oe = tensor.empty() : tensor<8x16x40xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x16x40xf32>) -> tensor<8x16x40xf32>
  %o = linalg.batch_matmul ins(%h, %v : tensor<8x16x24xf16>, tensor<8x24x40xf16>) outs(%oz : tensor<8x16x40xf32>) -> tensor<8x16x40xf32>
  return %o : tensor<8x16x40xf32>
}
