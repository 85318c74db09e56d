// RUN: sparseflow-opt %s --verify-roundtrip | FileCheck %s

// Products of a warpgroup that take A from registers: bytes.

#a = #sftile.layout<registers = [[0, 1], [0, 2], [8, 0], [0, 16]],
    lanes = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]]>
#c = #sftile.layout<registers = [[0, 1], [8, 0]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>

// CHECK-LABEL: func.func @mma_async
// CHECK: sftile.mma_async %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} by(#sftile.wgmma<i8>) :
func.func @mma_async(%w: !sftile.frag<16x32xi8, #a>,
                               %x: !sftile.tile<128x128xi8, swizzled>,
                               %acc: !sftile.frag<16x128xi32, #c>,
                               %token: index, %c0: index) {
  %p = sftile.mma_async %w, %x[%token, %c0], %acc by (#sftile.wgmma<i8>)
      : !sftile.frag<16x32xi8, #a>, !sftile.tile<128x128xi8, swizzled>,
        !sftile.frag<16x128xi32, #c> -> !sftile.pending<!sftile.frag<16x128xi32, #c>>
  return
}

#a16 = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#words = #sftile.layout<registers = [[0, 1], [0, 2]],
    lanes = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]]>
#signs = #sftile.layout<registers = [[0, 1]],
    lanes = [[0, 2], [0, 4], [0, 8], [0, 16], [1, 0]]>

// Kept bytes, and words that say which columns they are of.

// CHECK-LABEL: func.func @sparse
// CHECK: sftile.decode %{{.*}}[32] by(#sftile.tern24_v1) : <2x32xi32
// CHECK: sftile.decode %{{.*}}[96] by(#sftile.tern24z_v1) : <4x32xi32
// CHECK: sftile.mma_async %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} metadata %{{.*}}[3] by(#sftile.wgmma<i8, sparse>) :
func.func @sparse(%kept: !sftile.frag<2x32xi32, #signs>,
                  %codes: !sftile.frag<4x32xi32, #words>,
                  %x: !sftile.tile<128x128xi8, swizzled>,
                  %acc: !sftile.frag<16x128xi32, #c>,
                  %token: index, %c0: index) {
  %v = sftile.decode %kept[32] by (#sftile.tern24_v1)
      : !sftile.frag<2x32xi32, #signs> -> !sftile.frag<16x32xi8, #a>
  %w = sftile.decode %codes[96] by (#sftile.tern24z_v1)
      : !sftile.frag<4x32xi32, #words> -> !sftile.frag<16x32xi8, #a>
  %p = sftile.mma_async %w, %x[%token, %c0], %acc
      metadata %codes[3] by (#sftile.wgmma<i8, sparse>)
      : !sftile.frag<16x32xi8, #a>, !sftile.tile<128x128xi8, swizzled>,
        !sftile.frag<16x128xi32, #c>, !sftile.frag<4x32xi32, #words>
        -> !sftile.pending<!sftile.frag<16x128xi32, #c>>
  return
}

// Kept numbers of 16 bits: words of two lanes, and two products for each word of
// metadata.

// CHECK-LABEL: func.func @sparse_floats
// CHECK: sftile.load_nonzeros metadata %{{.*}}[%{{.*}}, %{{.*}}] : <16x256xi32, metadata24> -> <4x32xi32
// CHECK: sftile.load_nonzeros %{{.*}}[%{{.*}}, %{{.*}}] : <16x256xi32, metadata24> -> <4x32xi32
// CHECK: sftile.load_nonzeros %{{.*}}[%{{.*}}, %{{.*}}] : <16x256xi32, metadata24> -> <2x32xi32
// CHECK: sftile.decode %{{.*}}[112] by(#sftile.tern24_v1) : <2x32xi32
// CHECK: sftile.mma_async %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} metadata %{{.*}}[7] by(#sftile.wgmma<bf16, sparse>) :
func.func @sparse_floats(%tile: !sftile.tile<16x256xi32, metadata24>,
                         %x: !sftile.tile<128x64xbf16, swizzled>,
                         %acc: !sftile.frag<16x128xf32, #c>,
                         %token: index, %c0: index, %unit: index,
                         %piece: index, %group: index) {
  %m = sftile.load_nonzeros metadata %tile[%unit, %group]
      : !sftile.tile<16x256xi32, metadata24> -> !sftile.frag<4x32xi32, #words>
  %v = sftile.load_nonzeros %tile[%unit, %piece]
      : !sftile.tile<16x256xi32, metadata24> -> !sftile.frag<4x32xi32, #words>
  %kept = sftile.load_nonzeros %tile[%c0, %c0]
      : !sftile.tile<16x256xi32, metadata24> -> !sftile.frag<2x32xi32, #signs>
  %w = sftile.decode %kept[112] by (#sftile.tern24_v1)
      : !sftile.frag<2x32xi32, #signs> -> !sftile.frag<16x16xbf16, #a16>
  %p = sftile.mma_async %w, %x[%token, %c0], %acc
      metadata %m[7] by (#sftile.wgmma<bf16, sparse>)
      : !sftile.frag<16x16xbf16, #a16>, !sftile.tile<128x64xbf16, swizzled>,
        !sftile.frag<16x128xf32, #c>, !sftile.frag<4x32xi32, #words>
        -> !sftile.pending<!sftile.frag<16x128xf32, #c>>
  return
}

#rows = #sftile.layout<registers = [[8, 0]],
    lanes = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]]>
#codes = #sftile.layout<registers = [[0, 1], [0, 2]],
    lanes = [[0, 4], [0, 8], [0, 16], [0, 32], [0, 64]]>

// Weights that are multiplied by the scales of their rows as they are decoded.

// CHECK-LABEL: func.func @scaled
// CHECK: sftile.decode %{{.*}}[16] times %{{.*}} by(#sftile.tern_v1) : <1x128xi32, #{{.*}}>, !sftile.frag<16x1xf32, #{{.*}}> -> <16x16xf16, #{{.*}}>
func.func @scaled(%codes: !sftile.frag<1x128xi32, #codes>,
                  %s: !sftile.frag<16x1xf32, #rows>) {
  %a = sftile.decode %codes[16] times %s by (#sftile.tern_v1)
      : !sftile.frag<1x128xi32, #codes>, !sftile.frag<16x1xf32, #rows>
      -> !sftile.frag<16x16xf16, #a16>
  return
}

// Parts of the columns: weights with a sign, sums that start from nothing in given
// registers, and the scales of their rows.

// CHECK-LABEL: func.func @parts
// CHECK: sftile.decode %{{.*}}[32] shifted by(#sftile.tern_v1) : <1x128xi32
// CHECK: sftile.mma_async %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}], cleared %{{.*}} by(#sftile.wgmma<si8>) :
// CHECK: sftile.commit_group %{{.*}} by(#sftile.wgmma<si8>)
// CHECK: sftile.wait_group %{{.*}} pending 1 holding(%{{.*}} : {{.*}}) by(#sftile.wgmma<si8>)
func.func @parts(%codes: !sftile.frag<1x128xi32, #codes>,
                 %x: !sftile.tile<128x128xi8, swizzled>,
                 %spare: !sftile.frag<16x64xi32, #c>, %i: index) {
  %w = sftile.decode %codes[32] shifted by (#sftile.tern_v1)
      : !sftile.frag<1x128xi32, #codes> -> !sftile.frag<16x32xsi8, #a>
  %p = sftile.mma_async %w, %x[%i, %i], cleared %spare
      by (#sftile.wgmma<si8>)
      : !sftile.frag<16x32xsi8, #a>, !sftile.tile<128x128xi8, swizzled>,
        !sftile.frag<16x64xi32, #c> -> !sftile.pending<!sftile.frag<16x64xi32, #c>>
  %q = sftile.commit_group %p by (#sftile.wgmma<si8>)
      : !sftile.pending<!sftile.frag<16x64xi32, #c>>
  %sum = sftile.wait_group %q pending 1 holding (%w : !sftile.frag<16x32xsi8, #a>)
      by (#sftile.wgmma<si8>)
      : !sftile.pending<!sftile.frag<16x64xi32, #c>> -> !sftile.frag<16x64xi32, #c>
  return
}

// CHECK-LABEL: func.func @scales_and_sums
// CHECK: sftile.load row %{{.*}}[%{{.*}}, %{{.*}}] : !sftile.tile<2x128xf16, row_major> -> <16x1xf32
// CHECK: sftile.concat %{{.*}}, %{{.*}} : !sftile.frag<16x64xf32, #{{.*}}>, !sftile.frag<16x64xf32, #{{.*}}> -> <16x128xf32
#accumulator = #sftile.layout<registers = [[0, 1], [8, 0]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @scales_and_sums(%tile: !sftile.tile<2x128xf16, row_major>,
                           %a: !sftile.frag<16x64xf32, #accumulator>,
                           %b: !sftile.frag<16x64xf32, #accumulator>,
                           %group: index, %feature: index) {
    %scales = sftile.load row %tile[%group, %feature]
        : !sftile.tile<2x128xf16, row_major> -> !sftile.frag<16x1xf32, #rows>
    %all = sftile.concat %a, %b : !sftile.frag<16x64xf32, #accumulator>,
        !sftile.frag<16x64xf32, #accumulator>
        -> !sftile.frag<16x128xf32, #accumulator>
  return
}
