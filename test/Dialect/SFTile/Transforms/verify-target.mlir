// RUN: sparseflow-opt %s --pass-pipeline="builtin.module(gpu.module(sftile-verify-target{compute-capability=90}))" | FileCheck %s
// RUN: not sparseflow-opt %s --pass-pipeline="builtin.module(gpu.module(sftile-verify-target{compute-capability=80}))" 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: not sparseflow-opt %s --pass-pipeline="builtin.module(gpu.module(sftile-verify-target{compute-capability=75}))" 2>&1 | FileCheck %s --check-prefix=OLDER
// RUN: not sparseflow-opt %s --pass-pipeline="builtin.module(gpu.module(sftile-verify-target{compute-capability=0 target=sm_1}))" 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not sparseflow-opt %s --sparseflow-codegen=target=sm_80 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: not sparseflow compile %s --target sm_80 --emit ptx 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: not sparseflow-opt %s --sparseflow-codegen=target=sm_12 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// An instruction that the target lacks is refused where it stands, with the
// first target that has it.

// OLD: error: 'sftile.convert_layout' op uses #sftile.stmatrix (stmatrix.sync.aligned), which exists from sm_90; the target is sm_80
// OLD-NOT: error:
// All of them are reported.
// OLDER: error: 'sftile.copy' op uses #sftile.cp_async<16> (cp.async.cg.shared.global), which exists from sm_80; the target is sm_75
// OLDER: error: 'sftile.convert_layout' op uses #sftile.stmatrix
// UNKNOWN: error: unknown target 'sm_1{{2?}}'; expected a name such as sm_80 or sm_90a

#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#vector = #sftile.layout<registers = [[1, 0], [2, 0]], lanes = [[4, 0], [8, 0], [0, 1], [0, 2], [0, 4]]>

// CHECK: sftile.convert_layout
gpu.module @kernels {
  gpu.func @k(%p: !llvm.ptr<1>, %n: i64, %x: f16) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %v = sftile.view %p[%n, %n] pitch %n : !sftile.view<f16, row_major>
    %ring = sftile.ring : !sftile.ring<2, [!sftile.tile<8x64xf16, swizzled>]>
    sftile.role "main" warps 1 {
      %i = arith.constant 0 : index
      %slot = sftile.acquire %ring[%i] : !sftile.ring<2, [!sftile.tile<8x64xf16, swizzled>]> -> !sftile.slot<8x64xf16, swizzled>
      sftile.copy %v[%n, %n] to %slot by (#sftile.cp_async<16>) : !sftile.view<f16, row_major> to !sftile.slot<8x64xf16, swizzled>
      %scratch = sftile.shared warps 1 sharers 1 overlaid : !sftile.tile<8x16xf16, swizzled>
      %f = sftile.broadcast %x : f16 -> !sftile.frag<16x8xf16, #c>
      %y = sftile.convert_layout %f via %scratch by (#sftile.stmatrix)
          : !sftile.frag<16x8xf16, #c> to !sftile.frag<16x8xf16, #vector>, !sftile.tile<8x16xf16, swizzled>
    }
    gpu.return
  }
}
