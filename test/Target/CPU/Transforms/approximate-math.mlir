// RUN: sparseflow-opt %s --pass-pipeline="builtin.module(func.func(sparseflow-cpu-approximate-math))" | FileCheck %s

// CHECK-LABEL: func.func @expanded
// CHECK-NOT: {{math\.(exp|exp2|tanh|erf|erfc) }}
// CHECK: return
func.func @expanded(%x: vector<8xf32>) -> vector<8xf32> {
  %one = arith.constant dense<1.0> : vector<8xf32>
  %0 = math.exp %x : vector<8xf32>
  %1 = math.tanh %0 : vector<8xf32>
  %2 = math.erf %1 : vector<8xf32>
  %3 = arith.addf %2, %one : vector<8xf32>
  %4 = math.exp2 %3 : vector<8xf32>
  return %4 : vector<8xf32>
}

// Calls of the C library, and another width.
// CHECK-LABEL: func.func @kept
// CHECK: math.log
// CHECK: math.sin
// CHECK: math.exp {{.*}} : f64
func.func @kept(%x: f32, %y: f64) -> (f32, f64) {
  %0 = math.log %x : f32
  %1 = math.sin %0 : f32
  %2 = math.exp %y : f64
  return %1, %2 : f32, f64
}
