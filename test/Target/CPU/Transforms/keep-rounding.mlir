// RUN: sparseflow-opt %s --pass-pipeline="builtin.module(func.func(sparseflow-cpu-keep-rounding,canonicalize))" | FileCheck %s

// CHECK-LABEL: func.func @f
// CHECK: arith.truncf %{{.*}} : f32 to f16
// CHECK: arith.extf %{{.*}} : f16 to f32
func.func @f(%x: f32) -> f32 {
  %0 = arith.truncf %x fastmath<contract> : f32 to f16
  %1 = arith.extf %0 fastmath<contract> : f16 to f32
  return %1 : f32
}
