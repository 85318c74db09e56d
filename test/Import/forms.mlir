// The other ways to say a product, a bias, a GELU: a contraction with maps of its
// own, linalg.contract, a product of f32 after extensions, the bias as initial value, a
// bias that is repeated for two products, a batch of one.
//
// RUN: sparseflow compile %s --emit mlir | FileCheck %s
// RUN: sparseflow run %s --entry contract --sparse w=2:4 --device cpu --dim T=5 --check
// RUN: sparseflow run %s --entry extended --sparse w=2:4 --device cpu --check
// RUN: sparseflow run %s --entry extended --sparse w=2:4 --device sim --check
// RUN: sparseflow run %s --entry init --device cpu --dim T=5 --check
// RUN: sparseflow run %s --entry shared --device cpu --check
// RUN: sparseflow run %s --entry unsqueezed --device cpu --check
// RUN: sparseflow run %s --entry unsqueezed --device sim --check
// RUN: sparseflow run %s --entry returned_flat --device sim --check
// RUN: sparseflow compile %s --target sm_80 --emit ptx -o %t.ptx

#x = affine_map<(t, n, k) -> (t, k)>
#w = affine_map<(t, n, k) -> (n, k)>
#y = affine_map<(t, n, k) -> (t, n)>
#id = affine_map<(d0, d1) -> (d0, d1)>
#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

// GELU in its tanh form, in f32.
// CHECK-LABEL: func.func @contract
//   CHECK-NOT: linalg.
//       CHECK: sparseflow.matmul
//       CHECK: math.tanh
//   CHECK-NOT: linalg.
func.func @contract(%x: tensor<?x64xf16>, %w: tensor<32x64xf16>) -> tensor<?x32xf16> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %t = tensor.dim %x, %c0 : tensor<?x64xf16>
  %e = tensor.empty(%t) : tensor<?x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x32xf32>) -> tensor<?x32xf32>
  %p = linalg.contract indexing_maps = [#x, #w, #y] ins(%x, %w : tensor<?x64xf16>, tensor<32x64xf16>) outs(%f : tensor<?x32xf32>) -> tensor<?x32xf32>
  %h = tensor.empty(%t) : tensor<?x32xf16>
  %g = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<?x32xf32>) outs(%h : tensor<?x32xf16>) {
  ^bb0(%in: f32, %out: f16):
    %half = arith.constant 5.000000e-01 : f32
    %one = arith.constant 1.000000e+00 : f32
    %a = arith.constant 4.471500e-02 : f32
    %b = arith.constant 0.797884583 : f32
    %0 = arith.mulf %in, %in : f32
    %1 = arith.mulf %0, %in : f32
    %2 = arith.mulf %1, %a : f32
    %3 = arith.addf %in, %2 : f32
    %4 = arith.mulf %3, %b : f32
    %5 = math.tanh %4 : f32
    %6 = arith.addf %5, %one : f32
    %7 = arith.mulf %in, %half : f32
    %8 = arith.mulf %7, %6 : f32
    %9 = arith.truncf %8 : f32 to f16
    linalg.yield %9 : f16
  } -> tensor<?x32xf16>
  return %g : tensor<?x32xf16>
}

// Both sides are extended before a product of f32: it is one of f16.
// CHECK-LABEL: func.func @extended
//  CHECK-SAME: %[[X:.*]]: tensor<8x64xf16>{{.*}}, %[[W:.*]]: tensor<32x64xf16>
//   CHECK-NOT: linalg.
//       CHECK: sparseflow.matmul %[[X]], %[[W]] {
//   CHECK-NOT: linalg.
func.func @extended(%x: tensor<8x64xf16>, %w: tensor<32x64xf16>) -> tensor<8x32xf16> {
  %zero = arith.constant 0.0 : f32
  %ex = tensor.empty() : tensor<8x64xf32>
  %x32 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x64xf16>) outs(%ex : tensor<8x64xf32>) {
  ^bb0(%in: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    linalg.yield %0 : f32
  } -> tensor<8x64xf32>
  %ew = tensor.empty() : tensor<32x64xf32>
  %w32 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<32x64xf16>) outs(%ew : tensor<32x64xf32>) {
  ^bb0(%in: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    linalg.yield %0 : f32
  } -> tensor<32x64xf32>
  %et = tensor.empty() : tensor<64x32xf32>
  %wt = linalg.transpose ins(%w32 : tensor<32x64xf32>) outs(%et : tensor<64x32xf32>) permutation = [1, 0]
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %p = linalg.matmul ins(%x32, %wt : tensor<8x64xf32>, tensor<64x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  %h = tensor.empty() : tensor<8x32xf16>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<8x32xf32>) outs(%h : tensor<8x32xf16>) {
  ^bb0(%in: f32, %out: f16):
    %0 = arith.truncf %in : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<8x32xf16>
  return %y : tensor<8x32xf16>
}

// CHECK-LABEL: func.func @init
//   CHECK-NOT: linalg.
//       CHECK: sparseflow.matmul %{{.*}}, %{{.*}} epilogue(%{{.*}} : tensor<32xf16>) as [per_feature] {
//   CHECK-NOT: linalg.
func.func @init(%x: tensor<?x64xf16>, %w: tensor<32x64xf16>, %b: tensor<32xf16>) -> tensor<?x32xf16> {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %x, %c0 : tensor<?x64xf16>
  %et = tensor.empty() : tensor<64x32xf16>
  %wt = linalg.transpose ins(%w : tensor<32x64xf16>) outs(%et : tensor<64x32xf16>) permutation = [1, 0]
  %e = tensor.empty(%t) : tensor<?x32xf16>
  %f = linalg.broadcast ins(%b : tensor<32xf16>) outs(%e : tensor<?x32xf16>) dimensions = [0]
  %p = linalg.matmul ins(%x, %wt : tensor<?x64xf16>, tensor<64x32xf16>) outs(%f : tensor<?x32xf16>) -> tensor<?x32xf16>
  return %p : tensor<?x32xf16>
}

// One repeated bias for two products is read as the vector by both.
// CHECK-LABEL: func.func @shared
//   CHECK-NOT: linalg.
// CHECK-COUNT-2: sparseflow.matmul %{{.*}}, %{{.*}} epilogue(%{{.*}} : tensor<32xf16>) as [per_feature] {
//   CHECK-NOT: linalg.
func.func @shared(%x: tensor<8x64xf16>, %w: tensor<32x64xf16>, %v: tensor<32x64xf16>, %b: tensor<32xf16>) -> (tensor<8x32xf16>, tensor<8x32xf16>) {
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<8x32xf16>
  %f = linalg.fill ins(%zero : f16) outs(%e : tensor<8x32xf16>) -> tensor<8x32xf16>
  %bb = linalg.broadcast ins(%b : tensor<32xf16>) outs(%e : tensor<8x32xf16>) dimensions = [0]
  %p = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %w : tensor<8x64xf16>, tensor<32x64xf16>) outs(%f : tensor<8x32xf16>) -> tensor<8x32xf16>
  %q = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %v : tensor<8x64xf16>, tensor<32x64xf16>) outs(%f : tensor<8x32xf16>) -> tensor<8x32xf16>
  %0 = linalg.add ins(%p, %bb : tensor<8x32xf16>, tensor<8x32xf16>) outs(%e : tensor<8x32xf16>) -> tensor<8x32xf16>
  %1 = linalg.add ins(%q, %bb : tensor<8x32xf16>, tensor<8x32xf16>) outs(%e : tensor<8x32xf16>) -> tensor<8x32xf16>
  return %0, %1 : tensor<8x32xf16>, tensor<8x32xf16>
}

// A batch of one around a product of two dimensions.
// CHECK-LABEL: func.func @unsqueezed
//       CHECK: sparseflow.matmul {{.*}} as [per_feature] {
func.func @unsqueezed(%x: tensor<1x8x64xf16>, %w: tensor<32x64xf16>, %b: tensor<1x1x32xf16>) -> tensor<1x8x32xf16> {
  %zero = arith.constant 0.0 : f16
  %x2 = tensor.collapse_shape %x [[0, 1], [2]] : tensor<1x8x64xf16> into tensor<8x64xf16>
  %e = tensor.empty() : tensor<8x32xf16>
  %f = linalg.fill ins(%zero : f16) outs(%e : tensor<8x32xf16>) -> tensor<8x32xf16>
  %p = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x2, %w : tensor<8x64xf16>, tensor<32x64xf16>) outs(%f : tensor<8x32xf16>) -> tensor<8x32xf16>
  %y = tensor.expand_shape %p [[0, 1], [2]] output_shape [1, 8, 32] : tensor<8x32xf16> into tensor<1x8x32xf16>
  %e3 = tensor.empty() : tensor<1x8x32xf16>
  %z = linalg.generic {indexing_maps = [#id3, affine_map<(d0, d1, d2) -> (0, 0, d2)>, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%y, %b : tensor<1x8x32xf16>, tensor<1x1x32xf16>) outs(%e3 : tensor<1x8x32xf16>) {
  ^bb0(%in: f16, %in_0: f16, %out: f16):
    %0 = arith.addf %in, %in_0 : f16
    linalg.yield %0 : f16
  } -> tensor<1x8x32xf16>
  return %z : tensor<1x8x32xf16>
}

// A reshape at the end moves no data.
// CHECK-LABEL: func.func @returned_flat
//       CHECK: sparseflow.matmul
//       CHECK: tensor.collapse_shape
func.func @returned_flat(%x: tensor<2x8x64xf16>, %w: tensor<32x64xf16>) -> tensor<16x32xf16> {
  %zero = arith.constant 0.0 : f16
  %x2 = tensor.collapse_shape %x [[0, 1], [2]] : tensor<2x8x64xf16> into tensor<16x64xf16>
  %e = tensor.empty() : tensor<16x32xf16>
  %f = linalg.fill ins(%zero : f16) outs(%e : tensor<16x32xf16>) -> tensor<16x32xf16>
  %p = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x2, %w : tensor<16x64xf16>, tensor<32x64xf16>) outs(%f : tensor<16x32xf16>) -> tensor<16x32xf16>
  return %p : tensor<16x32xf16>
}
