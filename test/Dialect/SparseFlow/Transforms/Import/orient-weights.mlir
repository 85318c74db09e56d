// RUN: sparseflow-opt %s --sparseflow-orient-weights --split-input-file --verify-diagnostics=all | FileCheck %s
// The third part is an error.
// RUN: not sparseflow-opt %s --sparseflow-orient-weights --sparseflow-raise-linalg --canonicalize --split-input-file 2>/dev/null | FileCheck %s --check-prefix=RAISED

// [K, N] becomes [N, K]; what lies between is gone once the product is raised.

// CHECK-LABEL: func.func @transposed
//  CHECK-SAME: %[[W:[a-z0-9]*]]: tensor<32x64xf16, #sparseflow.nm<2:4>>
//       CHECK: %[[D:.*]] = sparseflow.unpack %[[W]] : tensor<32x64xf16, #sparseflow.nm<2:4>> -> tensor<32x64xf16>
//       CHECK: %[[T:.*]] = linalg.generic {{.*}} ins(%[[D]] : tensor<32x64xf16>) outs(%{{.*}} : tensor<64x32xf16>)
//       CHECK: linalg.matmul ins(%{{.*}}, %[[T]] : tensor<8x64xf16>, tensor<64x32xf16>)
// RAISED-LABEL: func.func @transposed
//   RAISED-NOT: linalg
//       RAISED: sparseflow.matmul %{{.*}}, %{{.*}} {
//   RAISED-NOT: linalg
// expected-remark @+1 {{[import] argument 1 is stored as its matmuls read it, 'tensor<32x64xf16, #sparseflow.nm<2:4>>' instead of 'tensor<64x32xf16>': pack its transpose}}
func.func @transposed(%x: tensor<8x64xf16>, %w: tensor<64x32xf16, #sparseflow.nm<2:4, axis = 0>>) -> tensor<8x32xf32> {
  %zero = arith.constant dense<0.0> : tensor<8x32xf32>
  %y = linalg.matmul ins(%x, %w : tensor<8x64xf16>, tensor<64x32xf16, #sparseflow.nm<2:4, axis = 0>>)
    outs(%zero : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %y : tensor<8x32xf32>
}

// -----

// f32 that every product rounds to f16, with a unit dimension.

// CHECK-LABEL: func.func @rounded
//  CHECK-SAME: tensor<32x64xf16, #sparseflow.nm<2:4>>
//       CHECK: linalg.generic
//       CHECK: arith.extf
//       CHECK: tensor.expand_shape %{{.*}} {{\[}}[0, 1], [2]] output_shape [1, 32, 64]
// RAISED-LABEL: func.func @rounded
//       RAISED: sparseflow.matmul
#id = affine_map<(d0, d1) -> (d0, d1)>
#x = affine_map<(t, n, k) -> (t, k)>
#w = affine_map<(t, n, k) -> (n, k)>
#y = affine_map<(t, n, k) -> (t, n)>
// expected-remark @+1 {{instead of 'tensor<1x32x64xf32>': pack it so}}
func.func @rounded(%x: tensor<8x64xf16>, %w: tensor<1x32x64xf32, #sparseflow.nm<2:4>>) -> tensor<8x32xf32> {
  %zero = arith.constant dense<0.0> : tensor<8x32xf32>
  %d = sparseflow.unpack %w : tensor<1x32x64xf32, #sparseflow.nm<2:4>> -> tensor<1x32x64xf32>
  %c = tensor.collapse_shape %d [[0, 1], [2]] : tensor<1x32x64xf32> into tensor<32x64xf32>
  %e = tensor.empty() : tensor<32x64xf16>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<32x64xf32>) outs(%e : tensor<32x64xf16>) {
  ^bb0(%in: f32, %out: f16):
    %0 = arith.truncf %in : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<32x64xf16>
  %y = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %r : tensor<8x64xf16>, tensor<32x64xf16>)
    outs(%zero : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %y : tensor<8x32xf32>
}

// -----

// Another op reads the f32 values: both places are named.

#id = affine_map<(d0, d1) -> (d0, d1)>
#x = affine_map<(t, n, k) -> (t, k)>
#w = affine_map<(t, n, k) -> (n, k)>
#y = affine_map<(t, n, k) -> (t, n)>
// expected-error @+1 {{argument 1 is #sparseflow.nm<2:4>, which stores it as 'f16' for its matmul, but 'arith.addf' reads it as 'f32'; pass it twice, or do not mark it}}
func.func @wide(%x: tensor<8x64xf16>, %w: tensor<32x64xf32, #sparseflow.nm<2:4>>) -> (tensor<8x32xf32>, tensor<32x64xf32>) {
  %zero = arith.constant dense<0.0> : tensor<8x32xf32>
  %d = sparseflow.unpack %w : tensor<32x64xf32, #sparseflow.nm<2:4>> -> tensor<32x64xf32>
  // expected-note @+1 {{the other use}}
  %s = arith.addf %d, %d : tensor<32x64xf32>
  %r = arith.truncf %d : tensor<32x64xf32> to tensor<32x64xf16>
  // expected-note @+1 {{the matmul}}
  %y = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %r : tensor<8x64xf16>, tensor<32x64xf16>)
    outs(%zero : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %y, %s : tensor<8x32xf32>, tensor<32x64xf32>
}

// -----

// What stays, and why.

#x = affine_map<(t, n, k) -> (t, k)>
#w = affine_map<(t, n, k) -> (n, k)>
#y = affine_map<(t, n, k) -> (t, n)>
// CHECK-LABEL: func.func @other_axis
//  CHECK-SAME: tensor<32x64xf16, #sparseflow.nm<2:4, axis = 0>>
// expected-remark @+1 {{argument 1 stays 'tensor<32x64xf16, #sparseflow.nm<2:4, axis = 0>>': its encoding does not group the dimension that its matmuls sum over}}
func.func @other_axis(%x: tensor<8x64xf16>, %w: tensor<32x64xf16, #sparseflow.nm<2:4, axis = 0>>, %f: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %y = linalg.matmul indexing_maps = [#x, #w, #y]
    ins(%x, %w : tensor<8x64xf16>, tensor<32x64xf16, #sparseflow.nm<2:4, axis = 0>>)
    outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %y : tensor<8x32xf32>
}

// CHECK-LABEL: func.func @f32
// expected-remark @+1 {{its matmuls multiply in f32; convert the program to f16 or bf16}}
func.func @f32(%x: tensor<8x64xf32>, %w: tensor<64x32xf32, #sparseflow.nm<2:4, axis = 0>>, %f: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %y = linalg.matmul ins(%x, %w : tensor<8x64xf32>, tensor<64x32xf32, #sparseflow.nm<2:4, axis = 0>>)
    outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %y : tensor<8x32xf32>
}

// -----

#x = affine_map<(t, n, k) -> (t, k)>
#w = affine_map<(t, n, k) -> (n, k)>
#y = affine_map<(t, n, k) -> (t, n)>
// expected-remark @+1 {{its matmuls read it in different ways; pass it twice}}
func.func @both_ways(%x: tensor<8x32xf16>, %w: tensor<32x32xf16, #sparseflow.nm<2:4>>, %f: tensor<8x32xf32>) -> (tensor<8x32xf32>, tensor<8x32xf32>) {
  %y = linalg.matmul indexing_maps = [#x, #w, #y]
    ins(%x, %w : tensor<8x32xf16>, tensor<32x32xf16, #sparseflow.nm<2:4>>)
    outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  %z = linalg.matmul ins(%x, %w : tensor<8x32xf16>, tensor<32x32xf16, #sparseflow.nm<2:4>>)
    outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %y, %z : tensor<8x32xf32>, tensor<8x32xf32>
}

// -----

#x = affine_map<(t, n, k) -> (t, k)>
#w = affine_map<(t, n, k) -> (n, k)>
#y = affine_map<(t, n, k) -> (t, n)>
// expected-remark @+1 {{one of its two dimensions is a unit among units}}
func.func @unit_among_units(%x: tensor<8x64xf16>, %w: tensor<1x1x64xf16, #sparseflow.nm<2:4>>, %f: tensor<8x1xf32>) -> tensor<8x1xf32> {
  %d = sparseflow.unpack %w : tensor<1x1x64xf16, #sparseflow.nm<2:4>> -> tensor<1x1x64xf16>
  %c = tensor.collapse_shape %d [[0, 1], [2]] : tensor<1x1x64xf16> into tensor<1x64xf16>
  %y = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %c : tensor<8x64xf16>, tensor<1x64xf16>)
    outs(%f : tensor<8x1xf32>) -> tensor<8x1xf32>
  return %y : tensor<8x1xf32>
}
