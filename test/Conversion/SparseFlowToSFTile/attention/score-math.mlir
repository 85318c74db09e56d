// A soft cap's tanh and quotient take their short forms, whose errors reach nothing but scores; what
// multiplies an error by more, or leaves it to another function, is computed in full.

// RUN: sparseflow-opt %s --pass-pipeline="builtin.module(func.func(sparseflow-select-schedule{target=sm_90a},sparseflow-materialize-storage),convert-sparseflow-to-sftile)" 2>/dev/null | FileCheck %s

// CHECK-LABEL: gpu.func @capped_0_a
// CHECK: arith.divf %{{.*}}, %{{.*}} fastmath<afn> : f32
// CHECK: math.tanh %{{.*}} fastmath<afn> : f32
// CHECK-NOT: math.tanh %{{[^ ]*}} : f32
func.func @capped(%q: tensor<4x16x2048x128xf16>) -> tensor<4x16x2048x128xf16> {
  %o = sparseflow.attention %q, %q, %q score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
    %cap = arith.constant 30.0 : f32
    %0 = arith.divf %s, %cap : f32
    %1 = math.tanh %0 : f32
    %2 = arith.mulf %1, %cap : f32
    sparseflow.yield %2 : f32
  } {causal} : tensor<4x16x2048x128xf16>, tensor<4x16x2048x128xf16>, tensor<4x16x2048x128xf16> -> tensor<4x16x2048x128xf16>
  return %o : tensor<4x16x2048x128xf16>
}

// CHECK-LABEL: gpu.func @amplified_0_a
// CHECK: math.tanh %{{[^ ]*}} : f32
// CHECK-NOT: fastmath<afn> : f32{{$}}
// CHECK: math.exp
func.func @amplified(%q: tensor<4x16x2048x128xf16>) -> tensor<4x16x2048x128xf16> {
  %o = sparseflow.attention %q, %q, %q score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
    %many = arith.constant 1.0e4 : f32
    %1 = math.tanh %s : f32
    %2 = arith.mulf %1, %many : f32
    %3 = arith.divf %s, %many : f32
    %4 = math.exp %3 : f32
    %5 = arith.addf %2, %4 : f32
    sparseflow.yield %5 : f32
  } : tensor<4x16x2048x128xf16>, tensor<4x16x2048x128xf16>, tensor<4x16x2048x128xf16> -> tensor<4x16x2048x128xf16>
  return %o : tensor<4x16x2048x128xf16>
}
