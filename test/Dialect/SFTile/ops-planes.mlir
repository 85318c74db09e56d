// RUN: sparseflow-opt %s --verify-roundtrip | FileCheck %s

// Operations on planes of keys and values, with the examples of their
// documentation.

#accumulator = #sftile.layout<registers = [[0, 1], [8, 0]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#transposed = #sftile.layout<registers = [[1, 0], [0, 8]],
    lanes = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]]>
#b = #sftile.layout<registers = [[0, 1], [0, 8]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#words = #sftile.layout<registers = [[0, 1], [0, 2]],
    lanes = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>

// CHECK-LABEL: func.func @planes
// CHECK: sftile.transpose %{{.*}} : <16x8xf32, #{{.*}}> -> <8x16xf32, #{{.*}}>
// CHECK: sftile.transpose %{{.*}} : <16x8xf16, #{{.*}}> -> <8x16xf16, #{{.*}}>
// CHECK: sftile.expand_trits %{{.*}}[0, 2] step 1 : <32x4xi32, #{{.*}}> -> <16x16xf16, #{{.*}}>
func.func @planes(%t: !sftile.frag<16x8xf32, #accumulator>,
                  %w: !sftile.frag<16x8xf16, #accumulator>,
                  %words: !sftile.frag<32x4xi32, #words>) {
  %s = sftile.transpose %t : !sftile.frag<16x8xf32, #accumulator>
      -> !sftile.frag<8x16xf32, #transposed>
  %p = sftile.transpose %w : !sftile.frag<16x8xf16, #accumulator>
      -> !sftile.frag<8x16xf16, #b>
  %k = sftile.expand_trits %words[0, 2] step 1
      : !sftile.frag<32x4xi32, #words> -> !sftile.frag<16x16xf16, #b>
  return
}

// CHECK-LABEL: func.func @tiles
// CHECK: sftile.put_trits %{{.*}}[1] to %{{.*}}[%{{.*}}, %{{.*}}] by(#sftile.stmatrix) : <32x4xi32, #{{.*}}> to <128x64xf16, swizzled>
// CHECK: sftile.put_trits %{{.*}}[3] flip %{{.*}} to %{{.*}}[%{{.*}}, %{{.*}}] transposed by(#sftile.stmatrix) : <32x4xi32, #{{.*}}> to <128x64xf16, swizzled>
func.func @tiles(%w: !sftile.frag<32x4xi32, #words>, %key: index, %signs: i32) {
  %c0 = arith.constant 0 : index
  %ring = sftile.ring : !sftile.ring<2, [!sftile.tile<128x64xf16, swizzled>]>
  %slot = sftile.acquire %ring[%c0]
      : !sftile.ring<2, [!sftile.tile<128x64xf16, swizzled>]>
      -> !sftile.slot<128x64xf16, swizzled>
  sftile.put_trits %w[1] to %slot[%key, %c0] by (#sftile.stmatrix)
      : !sftile.frag<32x4xi32, #words> to !sftile.slot<128x64xf16, swizzled>
  sftile.put_trits %w[3] flip %signs to %slot[%key, %c0] transposed
      by (#sftile.stmatrix)
      : !sftile.frag<32x4xi32, #words> to !sftile.slot<128x64xf16, swizzled>
  return
}
