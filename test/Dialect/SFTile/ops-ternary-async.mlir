// RUN: sparseflow-opt %s --verify-roundtrip | FileCheck %s

// Products of a warpgroup that take A from registers: bytes.

#a = #sftile.layout<registers = [[0, 1], [0, 2], [8, 0], [0, 16]],
    lanes = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]]>
#c = #sftile.layout<registers = [[0, 1], [8, 0]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>

// CHECK-LABEL: func.func @mma_async_registers
// CHECK: sftile.mma_async_registers %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} by(#sftile.wgmma_registers<i8>) :
func.func @mma_async_registers(%w: !sftile.frag<16x32xi8, #a>,
                               %x: !sftile.tile<128x128xi8, swizzled>,
                               %acc: !sftile.frag<16x128xi32, #c>,
                               %token: index, %c0: index) {
  %p = sftile.mma_async_registers %w, %x[%token, %c0], %acc
      by (#sftile.wgmma_registers<i8>)
      : !sftile.frag<16x32xi8, #a>, !sftile.tile<128x128xi8, swizzled>,
        !sftile.frag<16x128xi32, #c> -> !sftile.pending<!sftile.frag<16x128xi32, #c>>
  return
}

#words = #sftile.layout<registers = [[0, 1], [0, 2]],
    lanes = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]]>
#signs = #sftile.layout<registers = [[0, 1]],
    lanes = [[0, 2], [0, 4], [0, 8], [0, 16], [1, 0]]>

// Kept bytes, and words that say which columns they are of.

// CHECK-LABEL: func.func @sparse
// CHECK: sftile.decode %{{.*}}[32] : <2x32xi32
// CHECK: sftile.decode %{{.*}}[96] : <4x32xi32
// CHECK: sftile.mma_async_registers %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} metadata %{{.*}}[3] by(#sftile.wgmma_sp_registers<i8>) :
func.func @sparse(%kept: !sftile.frag<2x32xi32, #signs>,
                  %codes: !sftile.frag<4x32xi32, #words>,
                  %x: !sftile.tile<128x128xi8, swizzled>,
                  %acc: !sftile.frag<16x128xi32, #c>,
                  %token: index, %c0: index) {
  %v = sftile.decode %kept[32]
      : !sftile.frag<2x32xi32, #signs> -> !sftile.frag<16x32xi8, #a>
  %w = sftile.decode %codes[96]
      : !sftile.frag<4x32xi32, #words> -> !sftile.frag<16x32xi8, #a>
  %p = sftile.mma_async_registers %w, %x[%token, %c0], %acc
      metadata %codes[3] by (#sftile.wgmma_sp_registers<i8>)
      : !sftile.frag<16x32xi8, #a>, !sftile.tile<128x128xi8, swizzled>,
        !sftile.frag<16x128xi32, #c>, !sftile.frag<4x32xi32, #words>
        -> !sftile.pending<!sftile.frag<16x128xi32, #c>>
  return
}
