// Functions whose results are only multiplied and then rounded to 16 bits take
// their short forms; all others keep every bit.

// RUN: sparseflow-opt %s -sparseflow-lower-math | FileCheck %s

// CHECK-LABEL: func.func @silu_gate(
// CHECK-SAME: %[[ACC:.*]]: f32, %[[G:.*]]: f16
// CHECK-NOT: maxnum
// CHECK: %[[WIDE:.*]] = arith.extf %[[G]]
// CHECK: %[[E:.*]] = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f32"
// CHECK: %[[D:.*]] = llvm.call_intrinsic "llvm.fma.f32"(%[[E]], %[[QUARTER:.*]], %[[QUARTER]])
// CHECK: %[[N:.*]] = arith.mulf %[[WIDE]], %[[QUARTER]]
// CHECK: %[[R:.*]] = llvm.call_intrinsic "llvm.nvvm.rcp.approx.ftz.f"(%[[D]])
// CHECK: %[[S:.*]] = arith.mulf %[[N]], %[[R]]
// CHECK: %[[Y:.*]] = arith.mulf %[[ACC]], %[[S]]
// CHECK: arith.truncf %[[Y]]
func.func @silu_gate(%acc: f32, %g: f16) -> f16 {
  %one = arith.constant 1.0 : f32
  %x = arith.extf %g : f16 to f32
  %n = arith.negf %x : f32
  %e = math.exp %n : f32
  %d = arith.addf %e, %one : f32
  %s = arith.divf %x, %d : f32
  %y = arith.mulf %acc, %s : f32
  %r = arith.truncf %y : f32 to f16
  return %r : f16
}

// CHECK-LABEL: func.func @gelu(
// CHECK-COUNT-1: ex2.approx
// CHECK-NOT: maxnum
// CHECK-COUNT-1: rcp.approx
// CHECK: return
func.func @gelu(%x: f32, %u: f32) -> bf16 {
  %one = arith.constant 1.0 : f32
  %t = math.tanh %u : f32
  %s = arith.addf %t, %one : f32
  %y = arith.mulf %x, %s : f32
  %r = arith.truncf %y : f32 to bf16
  return %r : bf16
}

// Results in f32 show every bit.
// CHECK-LABEL: func.func @wide(
// CHECK: maxnum
// CHECK: arith.divf
func.func @wide(%x: f32) -> f32 {
  %one = arith.constant 1.0 : f32
  %e = math.exp %x : f32
  %d = arith.addf %e, %one : f32
  %s = arith.divf %x, %d : f32
  return %s : f32
}

// A difference loses leading digits, and so would show the last ones.
// CHECK-LABEL: func.func @difference(
// CHECK: maxnum
func.func @difference(%x: f32) -> f16 {
  %one = arith.constant -1.0 : f32
  %e = math.exp %x : f32
  %d = arith.addf %e, %one : f32
  %r = arith.truncf %d : f32 to f16
  return %r : f16
}

// So does a sum with a number of any sign.
// CHECK-LABEL: func.func @sum(
// CHECK: maxnum
func.func @sum(%x: f32, %y: f32) -> f16 {
  %e = math.exp %x : f32
  %d = arith.addf %e, %y : f32
  %r = arith.truncf %d : f32 to f16
  return %r : f16
}

// One use that is not rounded is enough.
// CHECK-LABEL: func.func @both(
// CHECK: arith.divf
func.func @both(%x: f32, %y: f32) -> (f16, f32) {
  %q = arith.divf %x, %y : f32
  %r = arith.truncf %q : f32 to f16
  return %r, %q : f16, f32
}
