// An append is one kernel and one launch, on the argument's memory; attention behind
// it reads the same.
// RUN: sparseflow-opt %s --pass-pipeline='builtin.module(sparseflow-tensor,sparseflow-tile{target=sm_90})' \
// RUN:   | FileCheck %s

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
