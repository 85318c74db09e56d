// RUN: sparseflow-opt %s -sparseflow-lower-math | FileCheck %s
// RUN: sparseflow-opt %s -sparseflow-lower-math="approximate=true" | FileCheck %s --check-prefix=APPROX

// No math op is left, under either option.
// CHECK-NOT: math.
// APPROX-NOT: math.

// CHECK-LABEL: func.func @exp(
// CHECK-SAME: %[[X:.*]]: f32
// CHECK-DAG: %[[LOG2E:.*]] = arith.constant 1.44269502 : f32
// CHECK-DAG: %[[LOW:.*]] = arith.constant 1.92596303E-8 : f32
// CHECK-DAG: %[[MAGIC:.*]] = arith.constant 0x4B40007F : f32
// CHECK: %[[A:.*]] = arith.mulf %[[X]], %[[LOG2E]]
// CHECK: %[[B:.*]] = llvm.call_intrinsic "llvm.maxnum.f32"(%[[A]]
// CHECK: %[[C:.*]] = llvm.call_intrinsic "llvm.minnum.f32"(%[[B]]
// CHECK: %[[SUM:.*]] = arith.addf %[[C]], %[[MAGIC]]
// CHECK: %[[N:.*]] = arith.subf %[[SUM]], %[[MAGIC]]
// CHECK: %[[BITS:.*]] = arith.bitcast %[[SUM]] : f32 to i32
// CHECK: %[[SHIFT:.*]] = arith.shli %[[BITS]]
// CHECK: %[[SCALE:.*]] = arith.bitcast %[[SHIFT]] : i32 to f32
// CHECK: %[[NEG:.*]] = arith.negf %[[N]]
// CHECK: %[[F:.*]] = llvm.call_intrinsic "llvm.fma.f32"(%[[X]], %[[LOG2E]], %[[NEG]])
// CHECK: %[[G:.*]] = llvm.call_intrinsic "llvm.fma.f32"(%[[X]], %[[LOW]], %[[F]])
// CHECK: %[[P:.*]] = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f32"(%[[G]])
// CHECK: %[[R:.*]] = arith.mulf %[[P]], %[[SCALE]]
// CHECK: return %[[R]]

// APPROX-LABEL: func.func @exp(
// APPROX: arith.mulf
// APPROX-NEXT: llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f32"
// APPROX-NEXT: return
func.func @exp(%x: f32) -> f32 {
  %r = math.exp %x : f32
  return %r : f32
}

// The flag afn has the effect of the option, op by op.
// CHECK-LABEL: func.func @exp_afn(
// CHECK: arith.mulf
// CHECK-NEXT: llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f32"
// CHECK-NEXT: return
func.func @exp_afn(%x: f32) -> f32 {
  %r = math.exp %x fastmath<afn> : f32
  return %r : f32
}

// CHECK-LABEL: func.func @direct(
// CHECK: llvm.call_intrinsic "llvm.nvvm.ex2.approx.f32"
// CHECK-NEXT: llvm.call_intrinsic "llvm.nvvm.rsqrt.approx.f"
// CHECK-NEXT: llvm.call_intrinsic "llvm.sqrt.f32"
// CHECK-NEXT: llvm.call_intrinsic "llvm.floor.f32"
// CHECK-NEXT: llvm.call_intrinsic "llvm.ceil.f32"
// CHECK-NEXT: llvm.call_intrinsic "llvm.fabs.f32"
// CHECK-NEXT: llvm.call_intrinsic "llvm.roundeven.f32"
// CHECK-NEXT: llvm.call_intrinsic "llvm.trunc.f32"
// CHECK-NEXT: llvm.call_intrinsic "llvm.copysign.f32"
// CHECK-NEXT: llvm.call_intrinsic "llvm.fma.f32"
// CHECK-NEXT: return
func.func @direct(%x: f32) -> f32 {
  %0 = math.exp2 %x : f32
  %1 = math.rsqrt %0 : f32
  %2 = math.sqrt %1 : f32
  %3 = math.floor %2 : f32
  %4 = math.ceil %3 : f32
  %5 = math.absf %4 : f32
  %6 = math.roundeven %5 : f32
  %7 = math.trunc %6 : f32
  %8 = math.copysign %7, %x : f32
  %9 = math.fma %8, %x, %x : f32
  return %9 : f32
}

// Division stays IEEE unless a flag allows less.
// CHECK-LABEL: func.func @division(
// CHECK: arith.divf %{{.*}}, %{{.*}} : f32
// CHECK-NEXT: llvm.call_intrinsic "llvm.nvvm.div.full"
// CHECK-NEXT: llvm.call_intrinsic "llvm.nvvm.div.full"
// CHECK-NEXT: return
func.func @division(%x: f32, %y: f32) -> f32 {
  %0 = arith.divf %x, %y : f32
  %1 = arith.divf %0, %y fastmath<arcp> : f32
  %2 = arith.divf %1, %y fastmath<afn> : f32
  return %2 : f32
}

// One plus or minus tanh or erf is one function; a lone one is not computed.
// CHECK-LABEL: func.func @one_plus_tanh(
// CHECK-NOT: llvm.copysign
// CHECK: llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f32"
// CHECK-NOT: llvm.copysign
// CHECK: llvm.call_intrinsic "llvm.nvvm.rcp.approx.ftz.f"
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: return
func.func @one_plus_tanh(%x: f32) -> f32 {
  %one = arith.constant 1.0 : f32
  %t = math.tanh %x : f32
  %r = arith.addf %t, %one : f32
  return %r : f32
}

// CHECK-LABEL: func.func @one_minus_erf(
// CHECK-NOT: llvm.copysign
// CHECK: llvm.call_intrinsic "llvm.nvvm.rcp.approx.ftz.f"
// CHECK-NOT: llvm.copysign
// CHECK: llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f32"
// CHECK-NOT: llvm.copysign
// CHECK: return
func.func @one_minus_erf(%x: f32) -> f32 {
  %one = arith.constant 1.0 : f32
  %t = math.erf %x : f32
  %r = arith.subf %one, %t : f32
  return %r : f32
}

// tanh - 1 is no such form.
// CHECK-LABEL: func.func @tanh_minus_one(
// CHECK: llvm.call_intrinsic "llvm.copysign.f32"
// CHECK: arith.select
// CHECK-NEXT: arith.subf
func.func @tanh_minus_one(%x: f32) -> f32 {
  %one = arith.constant 1.0 : f32
  %t = math.tanh %x : f32
  %r = arith.subf %t, %one : f32
  return %r : f32
}

// CHECK-LABEL: func.func @cube(
// CHECK-SAME: %[[X:.*]]: f32
// CHECK: %[[S:.*]] = arith.mulf %[[X]], %[[X]]
// CHECK-NEXT: %[[C:.*]] = arith.mulf %[[S]], %[[X]]
// CHECK-NEXT: return %[[C]]
func.func @cube(%x: f32) -> f32 {
  %three = arith.constant 3.0 : f32
  %r = math.powf %x, %three : f32
  return %r : f32
}
