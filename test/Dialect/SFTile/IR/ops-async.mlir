// RUN: sparseflow-opt %s --verify-roundtrip | FileCheck %s

// Products that read shared memory while the warps go on.

#c = #sftile.layout<registers = [[0, 1], [8, 0]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>

#m = #sftile.layout<registers = [],
    lanes = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]]>

// CHECK-LABEL: func.func @mma_async
// CHECK: sftile.mma_async %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} by(#sftile.wgmma<f16>) :
func.func @mma_async(%w: !sftile.tile<64x64xf16, swizzled>,
                     %x: !sftile.tile<128x64xf16, swizzled>,
                     %acc: !sftile.frag<16x128xf32, #c>, %row: index,
                     %token: index, %c0: index) {
  %p = sftile.mma_async %w[%row, %c0], %x[%token, %c0], %acc
      by (#sftile.wgmma<f16>)
      : !sftile.tile<64x64xf16, swizzled>, !sftile.tile<128x64xf16, swizzled>,
        !sftile.frag<16x128xf32, #c> -> !sftile.pending<!sftile.frag<16x128xf32, #c>>
  return
}

// CHECK-LABEL: func.func @wait_group
// CHECK: sftile.wait_group %{{.*}} by(#sftile.wgmma<f16>) : !sftile.pending<<16x128xf32, #{{.*}}>> -> !sftile.frag<16x128xf32, #{{.*}}>
// CHECK: sftile.wait_group %{{.*}} pending 1 holding(%{{.*}} : !sftile.frag<1x32xi32, #{{.*}}>) by(#sftile.wgmma<f16, sparse>)
func.func @wait_group(%q: !sftile.pending<!sftile.frag<16x128xf32, #c>>,
                 %m: !sftile.frag<1x32xi32, #m>) {
  %acc = sftile.wait_group %q by (#sftile.wgmma<f16>)
      : !sftile.pending<!sftile.frag<16x128xf32, #c>>
      -> !sftile.frag<16x128xf32, #c>
  %r = sftile.wait_group %q pending 1 holding (%m : !sftile.frag<1x32xi32, #m>)
      by (#sftile.wgmma<f16, sparse>)
      : !sftile.pending<!sftile.frag<16x128xf32, #c>>
      -> !sftile.pending<!sftile.frag<16x128xf32, #c>>
  return
}
