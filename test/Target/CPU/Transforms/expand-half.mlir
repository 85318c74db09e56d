// RUN: sparseflow-opt %s --pass-pipeline="builtin.module(func.func(sparseflow-cpu-expand-half))" | FileCheck %s

// CHECK-LABEL: func.func @conversions
// CHECK-NOT: {{arith.extf|arith.truncf .*f16$}}
// CHECK: arith.bitcast {{.*}} : vector<4xf16> to vector<4xi16>
// CHECK-NOT: {{arith.extf|arith.truncf .*f16$}}
// CHECK: arith.bitcast {{.*}} : i16 to f16
// Others stay.
// CHECK: arith.truncf {{.*}} : f64 to f32
func.func @conversions(%x: vector<4xf16>, %y: f32, %z: f64) -> (vector<4xf32>, f16, f32) {
  %0 = arith.extf %x : vector<4xf16> to vector<4xf32>
  %1 = arith.truncf %y : f32 to f16
  %2 = arith.truncf %z : f64 to f32
  return %0, %1, %2 : vector<4xf32>, f16, f32
}
