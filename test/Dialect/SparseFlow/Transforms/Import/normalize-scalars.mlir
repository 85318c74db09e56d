// RUN: sparseflow-opt %s --sparseflow-normalize-scalars --canonicalize --split-input-file --verify-diagnostics=all | FileCheck %s

#id = affine_map<(t, n) -> (t, n)>
#none = affine_map<(t, n) -> ()>

// Powers of 2 and 3 are products, others go through math.powf, all in f32.

// CHECK-LABEL: func.func @powers
//       CHECK: %[[C5:.*]] = arith.constant 5.000000e+00 : f32
//       CHECK: ^bb0(%[[A:.*]]: f16, %[[N:.*]]: i32, %{{.*}}: f16):
//       CHECK: %[[W:.*]] = arith.extf %[[A]] : f16 to f32
//       CHECK: %[[S:.*]] = arith.mulf %[[W]], %[[W]] : f32
//       CHECK: %[[C:.*]] = arith.mulf %[[S]], %{{.*}} : f32
//       CHECK: math.powf %{{.*}}, %[[C5]] : f32
//       CHECK: %[[F:.*]] = arith.sitofp %[[N]] : i32 to f32
//       CHECK: math.powf %{{.*}}, %[[F]] : f32
//   CHECK-NOT: math.fpowi
func.func @powers(%x: tensor<4x8xf16>, %n: tensor<4x8xi32>) -> tensor<4x8xf16> {
  %three = arith.constant 3 : i32
  %five = arith.constant 5 : i64
  %e = tensor.empty() : tensor<4x8xf16>
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %n : tensor<4x8xf16>, tensor<4x8xi32>) outs(%e : tensor<4x8xf16>) {
  ^bb0(%a: f16, %b: i32, %out: f16):
    %0 = math.fpowi %a, %three : f16, i32
    %1 = math.fpowi %0, %five : f16, i64
    %2 = math.fpowi %1, %b : f16, i32
    linalg.yield %2 : f16
  } -> tensor<4x8xf16>
  return %y : tensor<4x8xf16>
}

// -----

#id = affine_map<(t, n) -> (t, n)>
#none = affine_map<(t, n) -> ()>

// A rounded constant has one rounding; arithmetic and comparisons in between
// are f32. Tensors of f64 are f32, too.

// CHECK-LABEL: func.func @doubles
//   CHECK-DAG: %[[E:.*]] = arith.constant 9.99999974E-6 : f32
//   CHECK-DAG: %[[I:.*]] = arith.constant 0xFF800000 : f32
//   CHECK-DAG: %[[H:.*]] = arith.constant 3.33{{[0-9]+}}e-01 : f16
//       CHECK: arith.addf %{{.*}}, %[[E]] : f32
//       CHECK: arith.cmpf oeq, %{{.*}}, %[[I]] : f32
//       CHECK: arith.mulf %{{.*}}, %[[H]] : f16
//   CHECK-NOT: f64
// expected-remark @+1 {{[import] computes 4 operations of f64 in f32}}
func.func @doubles(%x: tensor<4x8xf32>) -> tensor<4x8xf16> {
  %eps = arith.constant 1.0e-5 : f64
  %third = arith.constant 0.33333333333333331 : f64
  %inf = arith.constant 0xFFF0000000000000 : f64
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<4x8xf16>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf16>) {
  ^bb0(%a: f32, %out: f16):
    %w = arith.extf %a : f32 to f64
    %s = arith.addf %w, %eps : f64
    %t = arith.truncf %s : f64 to f16
    %c = arith.cmpf oeq, %w, %inf : f64
    %h = arith.truncf %third : f64 to f16
    %m = arith.mulf %t, %h : f16
    %r = arith.select %c, %zero, %m : f16
    linalg.yield %r : f16
  } -> tensor<4x8xf16>
  return %y : tensor<4x8xf16>
}

// -----

#id = affine_map<(t, n) -> (t, n)>
#none = affine_map<(t, n) -> ()>

// Tensors of one number: a constant of rank 0, a filled one, one that is
// reshaped.

// CHECK-LABEL: func.func @uniform
//  CHECK-SAME: %[[X:.*]]: tensor<4x8xf16>
//   CHECK-DAG: %[[A:.*]] = arith.constant 2.000000e+00 : f16
//   CHECK-DAG: %[[B:.*]] = arith.constant 3.000000e+00 : f16
//       CHECK: linalg.generic {{.*}} ins(%[[X]] : tensor<4x8xf16>)
//       CHECK: arith.mulf %{{.*}}, %[[A]]
//       CHECK: arith.addf %{{.*}}, %[[B]]
func.func @uniform(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %two = arith.constant dense<2.0> : tensor<f16>
  %three = arith.constant 3.0 : f16
  %e = tensor.empty() : tensor<4x8xf16>
  %f = tensor.empty() : tensor<32xf16>
  %g = linalg.fill ins(%three : f16) outs(%f : tensor<32xf16>) -> tensor<32xf16>
  %h = tensor.expand_shape %g [[0, 1]] output_shape [4, 8] : tensor<32xf16> into tensor<4x8xf16>
  %y = linalg.generic {indexing_maps = [#id, #none, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %two, %h : tensor<4x8xf16>, tensor<f16>, tensor<4x8xf16>) outs(%e : tensor<4x8xf16>) {
  ^bb0(%a: f16, %b: f16, %c: f16, %out: f16):
    %0 = arith.mulf %a, %b : f16
    %1 = arith.addf %0, %c : f16
    linalg.yield %1 : f16
  } -> tensor<4x8xf16>
  return %y : tensor<4x8xf16>
}
