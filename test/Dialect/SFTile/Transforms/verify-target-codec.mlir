// RUN: sparseflow-opt %s --pass-pipeline="builtin.module(gpu.module(sftile-verify-target{compute-capability=89}))" | FileCheck %s
// RUN: not sparseflow-opt %s --pass-pipeline="builtin.module(gpu.module(sftile-verify-target{compute-capability=86}))" 2>&1 | FileCheck %s --check-prefix=OLD

// A codec that needs an instruction is refused where the target lacks it.

// CHECK: sftile.decode
// OLD: error: 'sftile.decode' op uses #sftile.e4m3_cache<keys, converts = true> (cvt.rn.f16x2.e4m3x2), which exists from sm_89; the target is sm_86
// OLD-NOT: error:

#words = #sftile.layout<registers = [[0, 1], [0, 2]],
    lanes = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
gpu.module @kernels {
  func.func @f(%words: !sftile.frag<32x4xi32, #words>) {
    %k = sftile.decode %words[16] by (#sftile.e4m3_cache<keys, converts = true>)
        : !sftile.frag<32x4xi32, #words> -> !sftile.frag<16x16xf16, #a>
    %v = sftile.decode %words[0] by (#sftile.e4m3_cache<keys>)
        : !sftile.frag<32x4xi32, #words> -> !sftile.frag<16x16xf16, #a>
    return
  }
}
