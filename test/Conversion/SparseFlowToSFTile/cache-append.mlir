// An append is one kernel and one launch, on the argument's memory; attention behind
// it reads the same.
// RUN: sparseflow-opt %s --pass-pipeline='builtin.module(sparseflow-tensor,sparseflow-tile{target=sm_90})' \
// RUN:   > %t && FileCheck %s < %t && FileCheck %s --check-prefix=PAIR < %t

!cache = tensor<?x2x?x64xf16, #sparseflow.ternary<key_planes, scale = token : f16>>
!values = tensor<?x2x?x64xf16, #sparseflow.ternary<value_planes, scale = head : f32>>
!new = tensor<?x2x?x64xf16>

// CHECK: llvm.mlir.global internal @grow_0_append_thresholds() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<64 x f32>
// CHECK: gpu.func @grow_0_append(%{{.*}}: !llvm.ptr<1>, %{{.*}}: !llvm.ptr<1>, %{{.*}}: !llvm.ptr<1>, %{{.*}}: i64, %{{.*}}: i64) kernel
// CHECK-SAME: known_block_size = array<i32: 256, 1, 1>
// CHECK: sftile.griddep wait
// A scale for each token is written, and its threshold kept.
// CHECK: gpu.shuffle
// CHECK: gpu.barrier
// CHECK: gpu.func @grow_1_append
// A head has its scale already: nothing is added up.
// CHECK-NOT: gpu.shuffle
// CHECK: gpu.barrier
// CHECK: gpu.return

// CHECK: func.func @grow(%[[K:arg0]]: !llvm.ptr<1>, %[[T:arg1]]: !llvm.ptr<1>, %[[N:arg2]]: !llvm.ptr<1>, %[[V:arg3]]: !llvm.ptr<1>, %[[Q:arg4]]: !llvm.ptr<1>
// CHECK-SAME: sparseflow.result_updates = array<i64: -1, 0, 3>
// CHECK: gpu.launch_func @kernels::@grow_0_append
// CHECK-SAME: args(%[[K]] : !llvm.ptr<1>, %[[T]] : !llvm.ptr<1>, %[[N]] : !llvm.ptr<1>
// CHECK-SAME: sparseflow.programmatic
// CHECK: gpu.launch_func @kernels::@grow_1_append
// CHECK-SAME: args(%[[V]] : !llvm.ptr<1>, %[[T]] : !llvm.ptr<1>, %[[N]] : !llvm.ptr<1>
// CHECK: gpu.launch_func @kernels::@grow_2_
// CHECK-SAME: args(%[[Q]] : !llvm.ptr<1>, %[[K]] : !llvm.ptr<1>, %[[V]] : !llvm.ptr<1>
func.func @grow(%k: !cache, %t: !new, %n: tensor<?xi32>, %v: !values, %q: !new) -> (!new, !cache, !values) {
  %0 = sparseflow.cache_append %k, %t at %n by <twn> : !cache, !new, tensor<?xi32>
  %1 = sparseflow.cache_append %v, %t at %n by <absmean> : !values, !new, tensor<?xi32>
  %o = sparseflow.attention %q, %0, %1 {causal} : !new, !cache, !values -> !new
  return %o, %0, %1 : !new, !cache, !values
}

// Keys and values of a layer, of int8 and e4m3: one launch, half of whose blocks are for
// each; not where lengths are others.
!k8 = tensor<?x2x?x64xf16, #sparseflow.quantized<key_int8, scale = token : f16>>
!v8 = tensor<?x2x?x96xf16, #sparseflow.quantized<value_e4m3, scale = token x 32 : f32>>
!newk = tensor<?x2x5x64xf16>
!newv = tensor<?x2x5x96xf16>

// PAIR: gpu.func @both_0_append(
// PAIR-SAME: !llvm.ptr<1>, %{{.*}}: !llvm.ptr<1>, %{{.*}}: !llvm.ptr<1>, %{{.*}}: !llvm.ptr<1>, %{{.*}}: !llvm.ptr<1>, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64) kernel
// PAIR-NOT: gpu.func @both_1_append
// PAIR: func.func @both(%[[K:arg0]]: !llvm.ptr<1>, %[[V:arg1]]: !llvm.ptr<1>, %[[X:arg2]]: !llvm.ptr<1>, %[[Y:arg3]]: !llvm.ptr<1>, %[[N:arg4]]: !llvm.ptr<1>
// PAIR: gpu.launch_func @kernels::@both_0_append
// PAIR-SAME: args(%[[K]] : !llvm.ptr<1>, %[[X]] : !llvm.ptr<1>, %[[N]] : !llvm.ptr<1>, %[[V]] : !llvm.ptr<1>, %[[Y]] : !llvm.ptr<1>
// PAIR-NOT: gpu.launch_func
// PAIR: return
func.func @both(%k: !k8, %v: !v8, %x: !newk, %y: !newv, %n: tensor<?xi32>) -> (!k8, !v8) {
  %0 = sparseflow.cache_append %k, %x at %n : !k8, !newk, tensor<?xi32>
  %1 = sparseflow.cache_append %v, %y at %n : !v8, !newv, tensor<?xi32>
  return %0, %1 : !k8, !v8
}

// PAIR: func.func @apart(
// PAIR: gpu.launch_func @kernels::@apart_0_append
// PAIR: gpu.launch_func @kernels::@apart_1_append
func.func @apart(%k: !k8, %v: !v8, %x: !newk, %y: !newv, %n: tensor<?xi32>, %m: tensor<?xi32>) -> (!k8, !v8) {
  %0 = sparseflow.cache_append %k, %x at %n : !k8, !newk, tensor<?xi32>
  %1 = sparseflow.cache_append %v, %y at %m : !v8, !newv, tensor<?xi32>
  return %0, %1 : !k8, !v8
}
