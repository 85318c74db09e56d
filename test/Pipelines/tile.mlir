// RUN: sparseflow-opt %s --sparseflow-tensor --sparseflow-tile 2>/dev/null | FileCheck %s
// RUN: sparseflow-opt %s --pass-pipeline="builtin.module(sparseflow-tensor,sparseflow-tile{target=sm_90})" 2>/dev/null | FileCheck %s --check-prefixes=CHECK,SM90
// RUN: sparseflow-opt %s --sparseflow-tensor --sparseflow-tile=target=sm_80 --sparseflow-codegen=target=sm_80 2>/dev/null | FileCheck %s --check-prefix=NVVM
// RUN: sparseflow-opt %s --sparseflow-pipeline=target=sm_80 2>/dev/null | FileCheck %s --check-prefix=NVVM
// RUN: not sparseflow-opt %s --sparseflow-tensor --sparseflow-tile=target=sm_12 2>&1 | FileCheck %s --check-prefix=TARGET

// From tensors to kernels over tiles and a list of launches.

// TARGET: error: 'sparseflow.matmul' op expected a row of the schedule table for matmul 2:4 with N = 64, K = 128 on sm_12, found none

// CHECK: gpu.module @kernels
// CHECK: gpu.func @f_0_a(
// CHECK: sftile.mma {{.*}} by(#sftile.mma_sp_sync<32, f16>)
// SM90: #sftile.stmatrix
// CHECK: gpu.func @f_0_any(
// CHECK: func.func @f(
// CHECK-NOT: sparseflow.matmul
// CHECK: gpu.launch_func @kernels::@f_0_a

// Nothing of tiles is left in the kernels, and every launch asks for their memory.
// NVVM-NOT: sftile.{{(ring|role|copy|load|mma|map|store)}}
// NVVM: llvm.func @f_0_a({{.*}}nvvm.kernel{{.*}}sftile.shared_bytes = [[BYTES:[0-9]+]] : i64
// NVVM: nvvm.mma.sp.sync
// NVVM: func.func @f(
// NVVM: %[[SIZE:.*]] = arith.constant [[BYTES]] : i32
// NVVM: gpu.launch_func @kernels::@f_0_a {{.*}} dynamic_shared_memory_size %[[SIZE]]
func.func @f(%x: tensor<?x128xf16>, %w: tensor<64x128xf16, #sparseflow.nm<2:4>>) -> tensor<?x64xf16> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } : tensor<?x128xf16>, tensor<64x128xf16, #sparseflow.nm<2:4>> -> tensor<?x64xf16>
  return %y : tensor<?x64xf16>
}
