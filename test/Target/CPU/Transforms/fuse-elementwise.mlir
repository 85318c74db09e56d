// RUN: sparseflow-opt %s --pass-pipeline="builtin.module(func.func(sparseflow-cpu-fuse-elementwise))" | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>

// The chain over one space becomes one op; the exponential of a row, which the
// last op broadcasts, is not computed once per element.
// CHECK-LABEL: func.func @chain
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel"]
// CHECK: math.exp
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
// CHECK: math.absf
// CHECK: arith.addf
// CHECK-NOT: linalg.generic
func.func @chain(%x: tensor<8x16xf32>, %r: tensor<16xf32>) -> tensor<8x16xf32> {
  %e1 = tensor.empty() : tensor<16xf32>
  %row = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%r : tensor<16xf32>) outs(%e1 : tensor<16xf32>) {
  ^bb0(%a: f32, %out: f32):
    %0 = math.exp %a : f32
    linalg.yield %0 : f32
  } -> tensor<16xf32>
  %e2 = tensor.empty() : tensor<8x16xf32>
  %abs = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x16xf32>) outs(%e2 : tensor<8x16xf32>) {
  ^bb0(%a: f32, %out: f32):
    %0 = math.absf %a : f32
    linalg.yield %0 : f32
  } -> tensor<8x16xf32>
  %sum = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%abs, %row : tensor<8x16xf32>, tensor<16xf32>) outs(%e2 : tensor<8x16xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<8x16xf32>
  return %sum : tensor<8x16xf32>
}

// Fusion into the contraction would hide it from the matmul pass.
// CHECK-LABEL: func.func @before_matmul
// CHECK-COUNT-2: linalg.generic
func.func @before_matmul(%x: tensor<8x16xf32>, %w: tensor<4x16xf32>, %y: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %abs = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%a: f32, %out: f32):
    %0 = math.absf %a : f32
    linalg.yield %0 : f32
  } -> tensor<8x16xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(t, n, k) -> (t, k)>, affine_map<(t, n, k) -> (n, k)>, affine_map<(t, n, k) -> (t, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%abs, %w : tensor<8x16xf32>, tensor<4x16xf32>) outs(%y : tensor<8x4xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %0 = arith.mulf %p, %q : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<8x4xf32>
  return %s : tensor<8x4xf32>
}
