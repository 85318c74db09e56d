// RUN: sparseflow-opt %s -sparseflow-lower-math | FileCheck %s

// CHECK-LABEL: func.func @add_f16(
// CHECK-SAME: %[[A:.*]]: f16, %[[B:.*]]: f16
// CHECK: %[[X:.*]] = arith.extf %[[A]] : f16 to f32
// CHECK: %[[Y:.*]] = arith.extf %[[B]] : f16 to f32
// CHECK: %[[S:.*]] = arith.addf %[[X]], %[[Y]] : f32
// CHECK: %[[R:.*]] = arith.truncf %[[S]] : f32 to f16
// CHECK: return %[[R]]
func.func @add_f16(%a: f16, %b: f16) -> f16 {
  %r = arith.addf %a, %b : f16
  return %r : f16
}

// Each op rounds: the sum is not kept in f32.
// CHECK-LABEL: func.func @chain_bf16(
// CHECK: arith.mulf {{.*}} : f32
// CHECK: arith.truncf {{.*}} : f32 to bf16
// CHECK: arith.extf {{.*}} : bf16 to f32
// CHECK: llvm.call_intrinsic "llvm.maximum.f32"
// CHECK: arith.truncf {{.*}} : f32 to bf16
func.func @chain_bf16(%a: bf16, %b: bf16) -> bf16 {
  %0 = arith.mulf %a, %b : bf16
  %1 = arith.maximumf %0, %b : bf16
  return %1 : bf16
}

// select moves bits and stays.
// CHECK-LABEL: func.func @compare(
// CHECK: %[[C:.*]] = arith.cmpf olt, %{{.*}}, %{{.*}} : f32
// CHECK: arith.select %[[C]], %{{.*}}, %{{.*}} : f16
func.func @compare(%a: f16, %b: f16) -> f16 {
  %c = arith.cmpf olt, %a, %b : f16
  %r = arith.select %c, %a, %b : f16
  return %r : f16
}

// CHECK-LABEL: func.func @exp_bf16(
// CHECK: arith.extf
// CHECK: llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f32"
// CHECK: arith.truncf
func.func @exp_bf16(%a: bf16) -> bf16 {
  %r = math.exp %a : bf16
  return %r : bf16
}

// Conversions between integers and f16 are the back end's; bf16 goes
// through f32.
// CHECK-LABEL: func.func @conversions(
// CHECK: arith.sitofp %{{.*}} : i32 to f16
// CHECK: %[[W:.*]] = arith.uitofp %{{.*}} : i8 to f32
// CHECK: arith.truncf %[[W]] : f32 to bf16
// CHECK: arith.fptosi %{{.*}} : f32 to i32
func.func @conversions(%i: i32, %j: i8, %b: bf16) -> (f16, bf16, i32) {
  %0 = arith.sitofp %i : i32 to f16
  %1 = arith.uitofp %j : i8 to bf16
  %2 = arith.fptosi %b : bf16 to i32
  return %0, %1, %2 : f16, bf16, i32
}

// Vectors of native f32 arithmetic are the back end's to split.
// CHECK-LABEL: func.func @vectors(
// CHECK: arith.addf %{{.*}}, %{{.*}} : vector<4xf32>
// CHECK: arith.truncf %{{.*}} : vector<4xf32> to vector<4xf16>
func.func @vectors(%a: vector<4xf32>, %b: vector<4xf32>) -> vector<4xf16> {
  %0 = arith.addf %a, %b : vector<4xf32>
  %1 = arith.truncf %0 : vector<4xf32> to vector<4xf16>
  return %1 : vector<4xf16>
}
