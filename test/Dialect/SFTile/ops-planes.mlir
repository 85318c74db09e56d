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
