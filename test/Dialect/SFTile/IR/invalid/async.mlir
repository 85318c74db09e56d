// RUN: sparseflow-opt %s --split-input-file --verify-diagnostics

// Every message of the verifiers of asynchronous products.

#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @f(%a: !sftile.tile<64x64xf16, swizzled>, %b: !sftile.tile<128x64xf16, swizzled>, %acc: !sftile.frag<16x128xf32, #c>, %i: index) {
  // expected-error@+1 {{expected an accumulator of the result's type '!sftile.frag<16x64xf32}}
  %p = sftile.mma_async %a[%i, %i], %b[%i, %i], %acc by (#sftile.wgmma<f16>)
      : !sftile.tile<64x64xf16, swizzled>, !sftile.tile<128x64xf16, swizzled>, !sftile.frag<16x128xf32, #c> -> !sftile.pending<!sftile.frag<16x64xf32, #c>>
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @f(%a: !sftile.tile<64x64xbf16, swizzled>, %b: !sftile.tile<128x64xf16, swizzled>, %acc: !sftile.frag<16x128xf32, #c>, %i: index) {
  // expected-error@+1 {{expected a of 'f16' for #sftile.wgmma<f16>, found 'bf16'}}
  %p = sftile.mma_async %a[%i, %i], %b[%i, %i], %acc by (#sftile.wgmma<f16>)
      : !sftile.tile<64x64xbf16, swizzled>, !sftile.tile<128x64xf16, swizzled>, !sftile.frag<16x128xf32, #c> -> !sftile.pending<!sftile.frag<16x128xf32, #c>>
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @f(%a: !sftile.tile<64x64xf16, swizzled>, %b: !sftile.tile<128x64xbf16, swizzled>, %acc: !sftile.frag<16x128xf32, #c>, %i: index) {
  // expected-error@+1 {{expected b of 'f16' for #sftile.wgmma<f16>, found 'bf16'}}
  %p = sftile.mma_async %a[%i, %i], %b[%i, %i], %acc by (#sftile.wgmma<f16>)
      : !sftile.tile<64x64xf16, swizzled>, !sftile.tile<128x64xbf16, swizzled>, !sftile.frag<16x128xf32, #c> -> !sftile.pending<!sftile.frag<16x128xf32, #c>>
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @f(%a: !sftile.tile<64x64xf16, row_major>, %b: !sftile.tile<128x64xf16, swizzled>, %acc: !sftile.frag<16x128xf32, #c>, %i: index) {
  // expected-error@+1 {{expected a in swizzled order for #sftile.wgmma<f16>, found row_major}}
  %p = sftile.mma_async %a[%i, %i], %b[%i, %i], %acc by (#sftile.wgmma<f16>)
      : !sftile.tile<64x64xf16, row_major>, !sftile.tile<128x64xf16, swizzled>, !sftile.frag<16x128xf32, #c> -> !sftile.pending<!sftile.frag<16x128xf32, #c>>
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#m = #sftile.layout<registers = [], lanes = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]]>
func.func @f(%a: !sftile.tile<64x64xf16, swizzled>, %b: !sftile.tile<128x64xf16, swizzled>, %acc: !sftile.frag<16x128xf32, #c>, %m: !sftile.frag<1x32xi32, #m>, %i: index) {
  // expected-error@+1 {{expected a in values24 order for #sftile.wgmma<f16, sparse>, found swizzled}}
  %p = sftile.mma_async %a[%i, %i], %b[%i, %i], %acc metadata %m[0] by (#sftile.wgmma<f16, sparse>)
      : !sftile.tile<64x64xf16, swizzled>, !sftile.tile<128x64xf16, swizzled>, !sftile.frag<16x128xf32, #c>, !sftile.frag<1x32xi32, #m> -> !sftile.pending<!sftile.frag<16x128xf32, #c>>
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @f(%a: !sftile.tile<64x32xf16, swizzled>, %b: !sftile.tile<128x64xf16, swizzled>, %acc: !sftile.frag<16x128xf32, #c>, %i: index) {
  // expected-error@+1 {{expected a in a swizzled tile with rows of 128 bytes, found '!sftile.tile<64x32xf16, swizzled>'}}
  %p = sftile.mma_async %a[%i, %i], %b[%i, %i], %acc by (#sftile.wgmma<f16>)
      : !sftile.tile<64x32xf16, swizzled>, !sftile.tile<128x64xf16, swizzled>, !sftile.frag<16x128xf32, #c> -> !sftile.pending<!sftile.frag<16x128xf32, #c>>
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @f(%a: !sftile.tile<64x64xf16, swizzled>, %b: !sftile.tile<128x64xf16, row_major>, %acc: !sftile.frag<16x128xf32, #c>, %i: index) {
  // expected-error@+1 {{expected b in a swizzled tile with rows of 128 bytes, found '!sftile.tile<128x64xf16, row_major>'}}
  %p = sftile.mma_async %a[%i, %i], %b[%i, %i], %acc by (#sftile.wgmma<f16>)
      : !sftile.tile<64x64xf16, swizzled>, !sftile.tile<128x64xf16, row_major>, !sftile.frag<16x128xf32, #c> -> !sftile.pending<!sftile.frag<16x128xf32, #c>>
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @f(%a: !sftile.tile<64x64xf16, swizzled>, %b: !sftile.tile<128x64xf16, swizzled>, %acc: !sftile.frag<32x128xf32, #c>, %i: index) {
  // expected-error@+1 {{expected an accumulator of 16 x n elements of 'f32', n at most 256, in the layout}}
  %p = sftile.mma_async %a[%i, %i], %b[%i, %i], %acc by (#sftile.wgmma<f16>)
      : !sftile.tile<64x64xf16, swizzled>, !sftile.tile<128x64xf16, swizzled>, !sftile.frag<32x128xf32, #c> -> !sftile.pending<!sftile.frag<32x128xf32, #c>>
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @f(%a: !sftile.tile<64x64xf16, swizzled>, %b: !sftile.tile<512x64xf16, swizzled>, %acc: !sftile.frag<16x264xf32, #c>, %i: index) {
  // expected-error@+1 {{expected an accumulator of 16 x n elements of 'f32', n at most 256, in the layout}}
  %p = sftile.mma_async %a[%i, %i], %b[%i, %i], %acc by (#sftile.wgmma<f16>)
      : !sftile.tile<64x64xf16, swizzled>, !sftile.tile<512x64xf16, swizzled>, !sftile.frag<16x264xf32, #c> -> !sftile.pending<!sftile.frag<16x264xf32, #c>>
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#x = #sftile.layout<registers = [[8, 0], [0, 1]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @f(%a: !sftile.tile<64x64xf16, swizzled>, %b: !sftile.tile<128x64xf16, swizzled>, %acc: !sftile.frag<16x128xf32, #x>, %i: index) {
  // expected-error@+1 {{expected an accumulator of 16 x n elements of 'f32', n at most 256, in the layout}}
  %p = sftile.mma_async %a[%i, %i], %b[%i, %i], %acc by (#sftile.wgmma<f16>)
      : !sftile.tile<64x64xf16, swizzled>, !sftile.tile<128x64xf16, swizzled>, !sftile.frag<16x128xf32, #x> -> !sftile.pending<!sftile.frag<16x128xf32, #x>>
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @f(%a: !sftile.tile<64x64xf16, swizzled>, %b: !sftile.tile<64x64xf16, swizzled>, %acc: !sftile.frag<16x128xf32, #c>, %i: index) {
  // expected-error@+1 {{expected b with a row for each of the 128 columns of the accumulator, found '!sftile.tile<64x64xf16, swizzled>'}}
  %p = sftile.mma_async %a[%i, %i], %b[%i, %i], %acc by (#sftile.wgmma<f16>)
      : !sftile.tile<64x64xf16, swizzled>, !sftile.tile<64x64xf16, swizzled>, !sftile.frag<16x128xf32, #c> -> !sftile.pending<!sftile.frag<16x128xf32, #c>>
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#m = #sftile.layout<registers = [], lanes = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]]>
func.func @f(%a: !sftile.tile<64x64xf16, swizzled>, %b: !sftile.tile<128x64xf16, swizzled>, %acc: !sftile.frag<16x128xf32, #c>, %m: !sftile.frag<1x32xi32, #m>, %i: index) {
  // expected-error@+1 {{expected no metadata: the atom is dense}}
  %p = sftile.mma_async %a[%i, %i], %b[%i, %i], %acc metadata %m[0] by (#sftile.wgmma<f16>)
      : !sftile.tile<64x64xf16, swizzled>, !sftile.tile<128x64xf16, swizzled>, !sftile.frag<16x128xf32, #c>, !sftile.frag<1x32xi32, #m> -> !sftile.pending<!sftile.frag<16x128xf32, #c>>
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @f(%a: !sftile.tile<64x32xf16, values24>, %b: !sftile.tile<128x64xf16, swizzled>, %acc: !sftile.frag<16x128xf32, #c>, %i: index) {
  // expected-error@+1 {{expected metadata: the atom is sparse}}
  %p = sftile.mma_async %a[%i, %i], %b[%i, %i], %acc by (#sftile.wgmma<f16, sparse>)
      : !sftile.tile<64x32xf16, values24>, !sftile.tile<128x64xf16, swizzled>, !sftile.frag<16x128xf32, #c> -> !sftile.pending<!sftile.frag<16x128xf32, #c>>
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#m = #sftile.layout<registers = [], lanes = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]]>
func.func @f(%a: !sftile.tile<64x32xf16, values24>, %b: !sftile.tile<128x64xf16, swizzled>, %acc: !sftile.frag<16x128xf32, #c>, %m: !sftile.frag<4x32xi32, #m>, %i: index) {
  // expected-error@+1 {{expected metadata of 1 x 32 words, one for each lane, or of 4 x 32, four neighbouring ones for each, found '!sftile.frag<4x32xi32}}
  %p = sftile.mma_async %a[%i, %i], %b[%i, %i], %acc metadata %m[0] by (#sftile.wgmma<f16, sparse>)
      : !sftile.tile<64x32xf16, values24>, !sftile.tile<128x64xf16, swizzled>, !sftile.frag<16x128xf32, #c>, !sftile.frag<4x32xi32, #m> -> !sftile.pending<!sftile.frag<16x128xf32, #c>>
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#m = #sftile.layout<registers = [], lanes = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]]>
func.func @f(%a: !sftile.tile<64x32xf16, values24>, %b: !sftile.tile<128x64xf16, swizzled>, %acc: !sftile.frag<16x128xf32, #c>, %m: !sftile.frag<1x32xi32, #m>, %i: index) {
  // expected-error@+1 {{expected a selector from 0 to 1 for #sftile.wgmma<f16, sparse>}}
  %p = sftile.mma_async %a[%i, %i], %b[%i, %i], %acc metadata %m[2] by (#sftile.wgmma<f16, sparse>)
      : !sftile.tile<64x32xf16, values24>, !sftile.tile<128x64xf16, swizzled>, !sftile.frag<16x128xf32, #c>, !sftile.frag<1x32xi32, #m> -> !sftile.pending<!sftile.frag<16x128xf32, #c>>
  return
}

// -----

// expected-error@+1 {{expected f16, bf16, i8 (without a sign) or si8 for wgmma, found 'f32'}}
func.func private @f() attributes { a = #sftile.wgmma<f32> }

// -----

// expected-error@+1 {{expected i8, whose bytes are signed, for a sparse wgmma, found 'si8'}}
func.func private @f() attributes { a = #sftile.wgmma<si8, sparse> }

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @f(%a: !sftile.tile<64x128xi8, swizzled>, %b: !sftile.tile<128x128xi8, swizzled>, %acc: !sftile.frag<16x128xi32, #c>, %i: index) {
  // expected-error@+1 {{expected a in registers for #sftile.wgmma<i8>, found '!sftile.tile<64x128xi8, swizzled>'}}
  %p = sftile.mma_async %a[%i, %i], %b[%i, %i], %acc by (#sftile.wgmma<i8>)
      : !sftile.tile<64x128xi8, swizzled>, !sftile.tile<128x128xi8, swizzled>, !sftile.frag<16x128xi32, #c> -> !sftile.pending<!sftile.frag<16x128xi32, #c>>
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @f(%a: !sftile.tile<64x64xf16, swizzled>, %b: !sftile.tile<128x64xf16, swizzled>, %acc: !sftile.frag<16x128xf32, #c>, %i: index) {
  // expected-error@+1 {{expected the corner of the MMA in a, a tile}}
  %p = sftile.mma_async %a, %b[%i, %i], %acc by (#sftile.wgmma<f16>)
      : !sftile.tile<64x64xf16, swizzled>, !sftile.tile<128x64xf16, swizzled>, !sftile.frag<16x128xf32, #c> -> !sftile.pending<!sftile.frag<16x128xf32, #c>>
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @f(%a: !sftile.frag<16x16xf16, #a>, %b: !sftile.tile<128x64xf16, swizzled>, %acc: !sftile.frag<16x128xf32, #c>, %i: index) {
  // expected-error@+1 {{expected no corner in a, whose registers are one step of K}}
  %p = sftile.mma_async %a[%i, %i], %b[%i, %i], %acc by (#sftile.wgmma<f16>)
      : !sftile.frag<16x16xf16, #a>, !sftile.tile<128x64xf16, swizzled>, !sftile.frag<16x128xf32, #c> -> !sftile.pending<!sftile.frag<16x128xf32, #c>>
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#a8 = #sftile.layout<registers = [[0, 1], [0, 2], [8, 0], [0, 16]], lanes = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]]>
func.func @f(%a: !sftile.frag<16x32xi8, #a8>, %b: !sftile.tile<128x128xi8, swizzled>, %acc: !sftile.frag<16x64xi32, #c>, %i: index) {
  // expected-error@+1 {{expected b of 16-bit elements to be transposed, found '!sftile.tile<128x128xi8, swizzled>'}}
  %p = sftile.mma_async %a, %b[%i, %i] transposed, %acc by (#sftile.wgmma<i8>)
      : !sftile.frag<16x32xi8, #a8>, !sftile.tile<128x128xi8, swizzled>, !sftile.frag<16x64xi32, #c> -> !sftile.pending<!sftile.frag<16x64xi32, #c>>
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @f(%a: !sftile.frag<16x16xf16, #a>, %b: !sftile.tile<8x64xf16, swizzled>, %acc: !sftile.frag<16x64xf32, #c>, %i: index) {
  // expected-error@+1 {{expected a transposed b of 64 columns and a multiple of 8 rows, at least 16, found '!sftile.tile<8x64xf16, swizzled>'}}
  %p = sftile.mma_async %a, %b[%i, %i] transposed, %acc by (#sftile.wgmma<f16>)
      : !sftile.frag<16x16xf16, #a>, !sftile.tile<8x64xf16, swizzled>, !sftile.frag<16x64xf32, #c> -> !sftile.pending<!sftile.frag<16x64xf32, #c>>
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @f(%a: !sftile.tile<64x64xf16, swizzled>, %b: !sftile.tile<128x64xf16, swizzled>, %acc: !sftile.frag<16x128xf32, #c>, %i: index) {
  %p = sftile.mma_async %a[%i, %i], %b[%i, %i], %acc by (#sftile.wgmma<f16>)
      : !sftile.tile<64x64xf16, swizzled>, !sftile.tile<128x64xf16, swizzled>, !sftile.frag<16x128xf32, #c> -> !sftile.pending<!sftile.frag<16x128xf32, #c>>
  // expected-error@+1 {{expected accumulators of groups of MMAs; use sftile.commit_group behind the last MMA}}
  %s = sftile.wait_group %p by (#sftile.wgmma<f16>) : !sftile.pending<!sftile.frag<16x128xf32, #c>> -> !sftile.frag<16x128xf32, #c>
  return
}
