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

#a8 = #sftile.layout<registers = [[0, 1], [0, 2], [8, 0], [0, 16]],
    lanes = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]]>
#c = #sftile.layout<registers = [[0, 1], [8, 0]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#b8 = #sftile.layout<registers = [[0, 1], [0, 2], [0, 16]],
    lanes = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]]>
#heads = #sftile.layout<registers = [[0, 8]],
    lanes = [[1, 0], [2, 0], [0, 1], [0, 2], [0, 4]]>
#pairs = #sftile.layout<registers = [[0, 1], [0, 8], [0, 16]],
    lanes = [[0, 2], [0, 4], [0, 0], [1, 0], [2, 0]]>
#two = #sftile.layout<registers = [[0, 1]],
    lanes = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
#word = #sftile.layout<registers = [],
    lanes = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
#column = #sftile.layout<registers = [[8, 0]],
    lanes = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]]>

// CHECK-LABEL: func.func @bytes
// CHECK: sftile.slice %{{.*}}[0, 0] strides [1, 2] : <32x4xi32, #{{.*}}> -> <32x2xi32, #{{.*}}>
// CHECK: sftile.decode %{{.*}}[16] by(#sftile.tern_cache) : <32x2xi32, #{{.*}}> -> <16x16xf16, #{{.*}}>
// CHECK: sftile.decode %{{.*}}[32] by(#sftile.tern_cache) : <32x2xi32, #{{.*}}> -> <16x32xsi8, #{{.*}}>
// CHECK: sftile.split_bytes %{{.*}}, %{{.*}} step 1 : <4x32xf32, #{{.*}}> -> <8x32xsi8, #{{.*}}>
// CHECK: sftile.split_bytes %{{.*}}, %{{.*}} scale 3.251200e+04 : <4x16xf32, #{{.*}}> -> <8x32xsi8, #{{.*}}>
// CHECK: sftile.mma {{.*}} by(#sftile.mma_int8_sync<32, si8>)
// CHECK: sftile.slice %{{.*}}[0, 1] strides [1, 2] : <16x8xi32, #{{.*}}> -> <16x4xi32, #{{.*}}>
// CHECK: sftile.transpose %{{.*}} : <16x4xi32, #{{.*}}> -> <4x16xi32, #{{.*}}>
func.func @bytes(%words: !sftile.frag<32x4xi32, #words>,
                 %q0: !sftile.frag<4x32xf32, #pairs>,
                 %q1: !sftile.frag<4x32xf32, #pairs>,
                 %p0: !sftile.frag<4x16xf32, #heads>,
                 %p2: !sftile.frag<4x16xf32, #heads>,
                 %none: !sftile.frag<16x8xi32, #c>) {
  %two = sftile.slice %words[0, 0] strides [1, 2]
      : !sftile.frag<32x4xi32, #words> -> !sftile.frag<32x2xi32, #two>
  %k = sftile.decode %two[16] by (#sftile.tern_cache)
      : !sftile.frag<32x2xi32, #two> -> !sftile.frag<16x16xf16, #b>
  %w = sftile.decode %two[32] by (#sftile.tern_cache)
      : !sftile.frag<32x2xi32, #two> -> !sftile.frag<16x32xsi8, #a8>
  %q8 = sftile.split_bytes %q0, %q1 step 1
      : !sftile.frag<4x32xf32, #pairs> -> !sftile.frag<8x32xsi8, #b8>
  %p8 = sftile.split_bytes %p0, %p2 scale 32512.0
      : !sftile.frag<4x16xf32, #heads> -> !sftile.frag<8x32xsi8, #b8>
  %acc = sftile.mma %w, %q8, %none by (#sftile.mma_int8_sync<32, si8>)
      : !sftile.frag<16x32xsi8, #a8>, !sftile.frag<8x32xsi8, #b8>,
        !sftile.frag<16x8xi32, #c>
  %low = sftile.slice %acc[0, 1] strides [1, 2]
      : !sftile.frag<16x8xi32, #c> -> !sftile.frag<16x4xi32, #column>
  %s = sftile.transpose %low
      : !sftile.frag<16x4xi32, #column> -> !sftile.frag<4x16xi32, #heads>
  return
}

// CHECK-LABEL: func.func @lanes
// CHECK: sftile.store registers %{{.*}} to %{{.*}}[%{{.*}}, %{{.*}}] : <4x16xf32, #{{.*}}> to !sftile.tile<16x32xf32, row_major>
// CHECK: sftile.load registers %{{.*}}[%{{.*}}, %{{.*}}] : !sftile.tile<16x32xf32, row_major> -> <4x16xf32, #{{.*}}>
func.func @lanes(%sum: !sftile.frag<4x16xf32, #heads>, %warp: index,
                 %other: index) -> !sftile.frag<4x16xf32, #heads> {
  %c0 = arith.constant 0 : index
  %sums = sftile.shared warps 8 sharers 8 : !sftile.tile<16x32xf32, row_major>
  sftile.store registers %sum to %sums[%warp, %c0]
      : !sftile.frag<4x16xf32, #heads> to !sftile.tile<16x32xf32, row_major>
  %found = sftile.load registers %sums[%other, %c0]
      : !sftile.tile<16x32xf32, row_major> -> !sftile.frag<4x16xf32, #heads>
  return %found : !sftile.frag<4x16xf32, #heads>
}

// CHECK-LABEL: func.func @planes
// CHECK: sftile.transpose %{{.*}} : <16x8xf32, #{{.*}}> -> <8x16xf32, #{{.*}}>
// CHECK: sftile.transpose %{{.*}} : <16x8xf16, #{{.*}}> -> <8x16xf16, #{{.*}}>
func.func @planes(%t: !sftile.frag<16x8xf32, #accumulator>,
                  %w: !sftile.frag<16x8xf16, #accumulator>) {
  %s = sftile.transpose %t : !sftile.frag<16x8xf32, #accumulator>
      -> !sftile.frag<8x16xf32, #transposed>
  %p = sftile.transpose %w : !sftile.frag<16x8xf16, #accumulator>
      -> !sftile.frag<8x16xf16, #b>
  return
}

// CHECK-LABEL: func.func @tiles
// CHECK: sftile.decode %{{.*}}[0] flip %{{.*}} by(#sftile.tern_cache) : <32x1xi32, #{{.*}}> -> <8x64xf16, #{{.*}}>
// CHECK: sftile.store transposed %{{.*}} to %{{.*}}[%{{.*}}, %{{.*}}] by(#sftile.stmatrix) : <8x64xf16, #{{.*}}> to !sftile.slot<128x64xf16, swizzled>
func.func @tiles(%w: !sftile.frag<32x4xi32, #words>, %key: index, %signs: i32,
                 %numbers: !sftile.frag<8x64xf16, #b>) {
  %c0 = arith.constant 0 : index
  %ring = sftile.ring : !sftile.ring<2, [!sftile.tile<128x64xf16, swizzled>]>
  %slot = sftile.acquire %ring[%c0]
      : !sftile.ring<2, [!sftile.tile<128x64xf16, swizzled>]>
      -> !sftile.slot<128x64xf16, swizzled>
  %word = sftile.slice %w[0, 3]
      : !sftile.frag<32x4xi32, #words> -> !sftile.frag<32x1xi32, #word>
  %all = sftile.decode %word[0] flip %signs by (#sftile.tern_cache)
      : !sftile.frag<32x1xi32, #word> -> !sftile.frag<8x64xf16, #b>
  sftile.store transposed %numbers to %slot[%key, %c0] by (#sftile.stmatrix)
      : !sftile.frag<8x64xf16, #b> to !sftile.slot<128x64xf16, swizzled>
  return
}
