// RUN: sparseflow-opt %s --sparseflow-codegen=target=sm_80 | FileCheck %s
// RUN: not sparseflow-opt %s --sparseflow-codegen=target=sm_86 2>&1 | FileCheck %s --check-prefix=SMALL
// RUN: not sparseflow-opt %s --sparseflow-codegen=target=sm_7 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// Kernels over tiles, written by hand here, to operations of llvm and nvvm. What
// a target has not is an error before anything is generated.

// SMALL: error: kernel k needs 131072 bytes of shared memory, but a block may have 101376 on this target; use fewer stages or a smaller block
// SMALL: note: a ring of stages, '!sftile.ring<4, [<256x64xf16, swizzled>]>', takes 131072 bytes
// UNKNOWN: error: unknown target 'sm_7'; expected a name such as sm_80 or sm_90a

// CHECK: llvm.mlir.global external @sftile_shared() {addr_space = 3 : i32, alignment = 1024 : i64}
// CHECK: llvm.func @k(%{{.*}}: !llvm.ptr<1>, %{{.*}}: i64) attributes {{.*}}nvvm.kernel{{.*}}sftile.shared_bytes = 131072 : i64
// CHECK: nvvm.cp.async.shared.global
// CHECK: nvvm.cp.async.commit.group
// CHECK-NEXT: nvvm.cp.async.wait.group 2
// CHECK-NEXT: nvvm.barrier
// CHECK: llvm.return
!ring = !sftile.ring<4, [!sftile.tile<256x64xf16, swizzled>]>
gpu.module @kernels {
  gpu.func @k(%p: !llvm.ptr<1>, %n: i64) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %v = sftile.view %p[%n, %n] pitch %n : !sftile.view<f16, row_major>
    %ring = sftile.ring : !ring
    sftile.role "main" warps 8 {
      %s = sftile.acquire %ring[%c0] : !ring -> !sftile.slot<256x64xf16, swizzled>
      sftile.copy %v[%n, %n] to %s by (#sftile.cp_async<16>) : !sftile.view<f16, row_major> to !sftile.slot<256x64xf16, swizzled>
      sftile.commit %ring[%c0] : !ring
      %t = sftile.wait %ring[%c0] : !ring -> !sftile.tile<256x64xf16, swizzled>
    }
    gpu.return
  }
}
