// RUN: sparseflow-opt %s --split-input-file --verify-diagnostics

// Every message about codes, bytes and products of them.

// expected-error@+1 {{expected ternary as a multiple of 4 x 128 words of i32, found 4 x 64 of 'i32'}}
func.func private @f(!sftile.tile<4x64xi32, ternary>)

// -----

// expected-error@+1 {{expected ternary as a multiple of 4 x 128 words of i32, found 4 x 128 of 'i16'}}
func.func private @f(!sftile.tile<4x128xi16, ternary>)

// -----

// expected-error@+1 {{expected K = 32 for mma_int8_sync, found 16}}
func.func private @f() attributes { a = #sftile.mma_int8_sync<16, i8> }

// -----

// expected-error@+1 {{expected i8 (A of unsigned bytes) or si8 (A of signed bytes) for mma_int8_sync, found 'f16'}}
func.func private @f() attributes { a = #sftile.mma_int8_sync<32, f16> }

// -----

// expected-error@+1 {{expected i8 (A of unsigned bytes) or si8 (A of signed bytes) for mma_int8_sync, found 'ui8'}}
func.func private @f() attributes { a = #sftile.mma_int8_sync<32, ui8> }

// -----

#a8 = #sftile.layout<registers = [[0, 1], [0, 2], [8, 0], [0, 16]], lanes = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]]>
#b8 = #sftile.layout<registers = [[0, 1], [0, 2], [0, 16]], lanes = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]]>
#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @codes(%a: !sftile.frag<16x32xi8, #a8>, %b: !sftile.frag<8x32xi8, #b8>, %c: !sftile.frag<16x8xi32, #c>) {
  // expected-error@+1 {{expected a of 'si8' for #sftile.mma_int8_sync<32, si8>, found 'i8'}}
  %d = sftile.mma %a, %b, %c by (#sftile.mma_int8_sync<32, si8>)
    : !sftile.frag<16x32xi8, #a8>, !sftile.frag<8x32xi8, #b8>, !sftile.frag<16x8xi32, #c>
  return
}

// -----

#row = #sftile.layout<registers = [], lanes = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]]>
#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @layout(%codes: !sftile.frag<1x128xi32, #row>) {
  // expected-error@+1 {{expected the words of 16 rows of #sftile.tern_v1, }}
  %a = sftile.decode %codes[0] by (#sftile.tern_v1) : !sftile.frag<1x128xi32, #row> -> !sftile.frag<16x16xf16, #a>
  return
}

// -----

#codes = #sftile.layout<registers = [[0, 1], [0, 2]], lanes = [[0, 4], [0, 8], [0, 16], [0, 32], [0, 64]]>
#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @element(%codes: !sftile.frag<1x128xi32, #codes>) {
  // expected-error@+1 {{expected weights of f16 or bf16 or i8 or si8 from #sftile.tern_v1, found 'f32'}}
  %a = sftile.decode %codes[0] by (#sftile.tern_v1) : !sftile.frag<1x128xi32, #codes> -> !sftile.frag<16x8xf32, #c>
  return
}

// -----

#codes = #sftile.layout<registers = [[0, 1], [0, 2]], lanes = [[0, 4], [0, 8], [0, 16], [0, 32], [0, 64]]>
#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @shape(%codes: !sftile.frag<2x128xi32, #codes>) {
  // expected-error@+1 {{expected the words of 16 rows of #sftile.tern_v1, }}
  %a = sftile.decode %codes[0] by (#sftile.tern_v1) : !sftile.frag<2x128xi32, #codes> -> !sftile.frag<16x16xf16, #a>
  return
}

// -----

#codes = #sftile.layout<registers = [[0, 1], [0, 2]], lanes = [[0, 4], [0, 8], [0, 16], [0, 32], [0, 64]]>
#a8 = #sftile.layout<registers = [[0, 1], [0, 2], [8, 0], [0, 16]], lanes = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]]>
func.func @column(%codes: !sftile.frag<1x128xi32, #codes>) {
  // expected-error@+1 {{expected a column from 0 to 127 that is a multiple of 32, found 16}}
  %a = sftile.decode %codes[16] by (#sftile.tern_v1) : !sftile.frag<1x128xi32, #codes> -> !sftile.frag<16x32xi8, #a8>
  return
}

// -----

#a8 = #sftile.layout<registers = [[0, 1], [0, 2], [8, 0], [0, 16]], lanes = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]]>
#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @accumulator(%a: !sftile.frag<16x32xi8, #a8>, %b: !sftile.tile<64x128xi8, swizzled>, %c: !sftile.frag<16x64xi32, #c>, %i: index) {
  // expected-error@+1 {{expected an accumulator of the result's type}}
  %d = sftile.mma_async %a, %b[%i, %i], %c by (#sftile.wgmma<i8>)
    : !sftile.frag<16x32xi8, #a8>, !sftile.tile<64x128xi8, swizzled>, !sftile.frag<16x64xi32, #c> -> !sftile.pending<!sftile.frag<16x32xi32, #c>>
  return
}

// -----

#a16 = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @operand(%a: !sftile.frag<16x16xf16, #a16>, %b: !sftile.tile<64x128xi8, swizzled>, %c: !sftile.frag<16x64xi32, #c>, %i: index) {
  // expected-error@+1 {{expected a of 16 x 32 elements of 'i8' in the layout}}
  %d = sftile.mma_async %a, %b[%i, %i], %c by (#sftile.wgmma<i8>)
    : !sftile.frag<16x16xf16, #a16>, !sftile.tile<64x128xi8, swizzled>, !sftile.frag<16x64xi32, #c> -> !sftile.pending<!sftile.frag<16x64xi32, #c>>
  return
}

// -----

#a8 = #sftile.layout<registers = [[0, 1], [0, 2], [8, 0], [0, 16]], lanes = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]]>
#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @rows_of_b(%a: !sftile.frag<16x32xi8, #a8>, %b: !sftile.tile<64x64xi8, swizzled>, %c: !sftile.frag<16x64xi32, #c>, %i: index) {
  // expected-error@+1 {{expected b in a swizzled tile with rows of 128 bytes, found '!sftile.tile<64x64xi8, swizzled>'}}
  %d = sftile.mma_async %a, %b[%i, %i], %c by (#sftile.wgmma<i8>)
    : !sftile.frag<16x32xi8, #a8>, !sftile.tile<64x64xi8, swizzled>, !sftile.frag<16x64xi32, #c> -> !sftile.pending<!sftile.frag<16x64xi32, #c>>
  return
}

// -----

#a8 = #sftile.layout<registers = [[0, 1], [0, 2], [8, 0], [0, 16]], lanes = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]]>
#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @columns(%a: !sftile.frag<16x32xi8, #a8>, %b: !sftile.tile<64x128xi8, swizzled>, %c: !sftile.frag<16x40xi32, #c>, %i: index) {
  // expected-error@+1 {{expected an accumulator of 16 x n elements of 'i32', n at most 256 and 8, 24 or a multiple of 16}}
  %d = sftile.mma_async %a, %b[%i, %i], %c by (#sftile.wgmma<i8>)
    : !sftile.frag<16x32xi8, #a8>, !sftile.tile<64x128xi8, swizzled>, !sftile.frag<16x40xi32, #c> -> !sftile.pending<!sftile.frag<16x40xi32, #c>>
  return
}

// -----

#words = #sftile.layout<registers = [[0, 1], [0, 2]], lanes = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]]>
#a8 = #sftile.layout<registers = [[0, 1], [0, 2], [8, 0], [0, 16]], lanes = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]]>
func.func @kept_words(%codes: !sftile.frag<8x32xi32, #words>) {
  // expected-error@+1 {{expected the words of 16 rows of #sftile.tern24z_v1, }}
  %a = sftile.decode %codes[0] by (#sftile.tern24z_v1) : !sftile.frag<8x32xi32, #words> -> !sftile.frag<16x32xi8, #a8>
  return
}

// -----

#words = #sftile.layout<registers = [[0, 1], [0, 2]], lanes = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]]>
#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @kept_weights(%codes: !sftile.frag<4x32xi32, #words>) {
  // expected-error@+1 {{expected weights of 16 x 16 in the layout #sftile.layout<registers = }}
  %a = sftile.decode %codes[0] by (#sftile.tern24z_v1) : !sftile.frag<4x32xi32, #words> -> !sftile.frag<16x32xf16, #a>
  return
}

// -----

#words = #sftile.layout<registers = [[0, 1], [0, 2]], lanes = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]]>
#a8 = #sftile.layout<registers = [[0, 1], [0, 2], [8, 0], [0, 16]], lanes = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]]>
func.func @kept_column(%codes: !sftile.frag<4x32xi32, #words>) {
  // expected-error@+1 {{expected a column from 0 to 127 that is a multiple of 32, found 128}}
  %a = sftile.decode %codes[128] by (#sftile.tern24z_v1) : !sftile.frag<4x32xi32, #words> -> !sftile.frag<16x32xi8, #a8>
  return
}

// -----

#a8 = #sftile.layout<registers = [[0, 1], [0, 2], [8, 0], [0, 16]], lanes = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]]>
#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @no_metadata(%a: !sftile.frag<16x32xi8, #a8>, %b: !sftile.tile<64x128xi8, swizzled>, %c: !sftile.frag<16x64xi32, #c>, %i: index) {
  // expected-error@+1 {{expected metadata: the atom is sparse}}
  %d = sftile.mma_async %a, %b[%i, %i], %c by (#sftile.wgmma<i8, sparse>)
    : !sftile.frag<16x32xi8, #a8>, !sftile.tile<64x128xi8, swizzled>, !sftile.frag<16x64xi32, #c> -> !sftile.pending<!sftile.frag<16x64xi32, #c>>
  return
}

// -----

#words = #sftile.layout<registers = [[0, 1], [0, 2]], lanes = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]]>
#a8 = #sftile.layout<registers = [[0, 1], [0, 2], [8, 0], [0, 16]], lanes = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]]>
#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @dense_metadata(%m: !sftile.frag<4x32xi32, #words>, %a: !sftile.frag<16x32xi8, #a8>, %b: !sftile.tile<64x128xi8, swizzled>, %c: !sftile.frag<16x64xi32, #c>, %i: index) {
  // expected-error@+1 {{expected no metadata: the atom is dense}}
  %d = sftile.mma_async %a, %b[%i, %i], %c metadata %m[0] by (#sftile.wgmma<i8>)
    : !sftile.frag<16x32xi8, #a8>, !sftile.tile<64x128xi8, swizzled>, !sftile.frag<16x64xi32, #c>, !sftile.frag<4x32xi32, #words> -> !sftile.pending<!sftile.frag<16x64xi32, #c>>
  return
}

// -----

#words = #sftile.layout<registers = [[0, 1], [0, 2]], lanes = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]]>
#a8 = #sftile.layout<registers = [[0, 1], [0, 2], [8, 0], [0, 16]], lanes = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]]>
#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @metadata_word(%m: !sftile.frag<4x32xi32, #words>, %a: !sftile.frag<16x32xi8, #a8>, %b: !sftile.tile<64x128xi8, swizzled>, %c: !sftile.frag<16x64xi32, #c>, %i: index) {
  // expected-error@+1 {{expected a selector from 0 to 3 for #sftile.wgmma<i8, sparse>}}
  %d = sftile.mma_async %a, %b[%i, %i], %c metadata %m[4] by (#sftile.wgmma<i8, sparse>)
    : !sftile.frag<16x32xi8, #a8>, !sftile.tile<64x128xi8, swizzled>, !sftile.frag<16x64xi32, #c>, !sftile.frag<4x32xi32, #words> -> !sftile.pending<!sftile.frag<16x64xi32, #c>>
  return
}

// -----

func.func @kept_order(%t: !sftile.tile<4x128xi32, ternary>, %i: index) {
  // expected-error@+1 {{expected a tile in metadata24 order, found '!sftile.tile<4x128xi32, ternary>'}}
  %w = sftile.load_nonzeros %t[%i, %i] : !sftile.tile<4x128xi32, ternary> -> !sftile.frag<4x32xi32, #sftile.layout<registers = [[0, 1], [0, 2]], lanes = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]]>>
  return
}

// -----

#signs = #sftile.layout<registers = [[0, 1]], lanes = [[0, 2], [0, 4], [0, 8], [0, 16], [1, 0]]>
func.func @kept_metadata(%t: !sftile.tile<4x192xi32, metadata24>, %i: index) {
  // expected-error@+1 {{expected metadata of 4 x 32 words, found '!sftile.frag<2x32xi32}}
  %w = sftile.load_nonzeros metadata %t[%i, %i] : !sftile.tile<4x192xi32, metadata24> -> !sftile.frag<2x32xi32, #signs>
  return
}

// -----

#codes = #sftile.layout<registers = [[0, 1], [0, 2]], lanes = [[0, 4], [0, 8], [0, 16], [0, 32], [0, 64]]>
#a8 = #sftile.layout<registers = [[0, 1], [0, 2], [8, 0], [0, 16]], lanes = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]]>
#rows = #sftile.layout<registers = [[8, 0]], lanes = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]]>
func.func @scaled_bytes(%codes: !sftile.frag<1x128xi32, #codes>, %s: !sftile.frag<16x1xf32, #rows>) {
  // expected-error@+1 {{expected 16 rows of weights of f16 or bf16 for scales, found '!sftile.frag<16x32xi8}}
  %a = sftile.decode %codes[0] times %s by (#sftile.tern_v1) : !sftile.frag<1x128xi32, #codes>, !sftile.frag<16x1xf32, #rows> -> !sftile.frag<16x32xi8, #a8>
  return
}

// -----

#codes = #sftile.layout<registers = [[0, 1], [0, 2]], lanes = [[0, 4], [0, 8], [0, 16], [0, 32], [0, 64]]>
#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @scales(%codes: !sftile.frag<1x128xi32, #codes>, %s: !sftile.frag<16x8xf32, #c>) {
  // expected-error@+1 {{expected scales of 16 x 1 in f32 in the layout #sftile.layout<registers = }}
  %a = sftile.decode %codes[0] times %s by (#sftile.tern_v1) : !sftile.frag<1x128xi32, #codes>, !sftile.frag<16x8xf32, #c> -> !sftile.frag<16x16xf16, #a>
  return
}

// -----

#codes = #sftile.layout<registers = [[0, 1], [0, 2]], lanes = [[0, 4], [0, 8], [0, 16], [0, 32], [0, 64]]>
#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @shifted_floats(%codes: !sftile.frag<1x128xi32, #codes>) {
  // expected-error@+1 {{expected shifted weights of i8 or si8 from #sftile.tern_v1, found 'f16'}}
  %a = sftile.decode %codes[0] shifted by (#sftile.tern_v1) : !sftile.frag<1x128xi32, #codes> -> !sftile.frag<16x16xf16, #a>
  return
}

// -----

#a8 = #sftile.layout<registers = [[0, 1], [0, 2], [8, 0], [0, 16]], lanes = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]]>
#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @cleared(%a: !sftile.frag<16x32xi8, #a8>, %b: !sftile.tile<64x128xi8, swizzled>, %c: !sftile.pending<!sftile.frag<16x64xi32, #c>>, %i: index) {
  // expected-error@+1 {{expected registers of finished sums to be cleared, found '!sftile.pending}}
  %d = sftile.mma_async %a, %b[%i, %i], cleared %c by (#sftile.wgmma<i8>)
    : !sftile.frag<16x32xi8, #a8>, !sftile.tile<64x128xi8, swizzled>, !sftile.pending<!sftile.frag<16x64xi32, #c>> -> !sftile.pending<!sftile.frag<16x64xi32, #c>>
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @side_by_side(%a: !sftile.frag<16x64xf32, #c>) {
  // expected-error@+1 {{expected parts of 16 rows, whose columns are those of the result, found 2 times}}
  %b = sftile.concat %a, %a : !sftile.frag<16x64xf32, #c>, !sftile.frag<16x64xf32, #c> -> !sftile.frag<16x64xf32, #c>
  return
}

// -----

#rows = #sftile.layout<registers = [[8, 0]], lanes = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]]>
func.func @rows_of_bytes(%t: !sftile.tile<2x64xi8, row_major>, %i: index) {
  // expected-error@+1 {{expected tile and fragment of one element type, found 'i8' and 'f32'}}
  %a = sftile.load row %t[%i, %i] : !sftile.tile<2x64xi8, row_major> -> !sftile.frag<16x1xf32, #rows>
  return
}

// -----

#words = #sftile.layout<registers = [[0, 1], [0, 2]], lanes = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]]>
#a8 = #sftile.layout<registers = [[0, 1], [0, 2], [8, 0], [0, 16]], lanes = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]]>
func.func @shifted_nonzeros(%codes: !sftile.frag<4x32xi32, #words>) {
  // expected-error@+1 {{expected shifted weights of i8 from #sftile.tern24z_v1, found 'si8'}}
  %a = sftile.decode %codes[0] shifted by (#sftile.tern24z_v1) : !sftile.frag<4x32xi32, #words> -> !sftile.frag<16x32xsi8, #a8>
  return
}

// -----

#codes = #sftile.layout<registers = [[0, 1], [0, 2]], lanes = [[0, 4], [0, 8], [0, 16], [0, 32], [0, 64]]>
#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @shifted_integers(%codes: !sftile.frag<1x128xi32, #codes>) {
  // expected-error@+1 {{expected weights of #sftile.int8_v1 as they are, found shifted ones}}
  %a = sftile.decode %codes[0] shifted by (#sftile.int8_v1) : !sftile.frag<1x128xi32, #codes> -> !sftile.frag<16x16xf16, #a>
  return
}

// -----

#codes = #sftile.layout<registers = [[0, 1], [0, 2]], lanes = [[0, 4], [0, 8], [0, 16], [0, 32], [0, 64]]>
#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @column_of_int4(%codes: !sftile.frag<1x128xi32, #codes>) {
  // expected-error@+1 {{expected a column from 0 to 63 that is a multiple of 16, found 64}}
  %a = sftile.decode %codes[64] by (#sftile.int4_v1) : !sftile.frag<1x128xi32, #codes> -> !sftile.frag<16x16xf16, #a>
  return
}

// -----

#codes = #sftile.layout<registers = [[0, 1], [0, 2]], lanes = [[0, 4], [0, 8], [0, 16], [0, 32], [0, 64]]>
#a8 = #sftile.layout<registers = [[0, 1], [0, 2], [8, 0], [0, 16]], lanes = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]]>
func.func @bytes_of_int4(%codes: !sftile.frag<1x128xi32, #codes>) {
  // expected-error@+1 {{expected weights of f16 or bf16 from #sftile.int4_v1, found 'i8'}}
  %a = sftile.decode %codes[0] by (#sftile.int4_v1) : !sftile.frag<1x128xi32, #codes> -> !sftile.frag<16x32xi8, #a8>
  return
}

// -----

#codes = #sftile.layout<registers = [[0, 1], [0, 2]], lanes = [[0, 4], [0, 8], [0, 16], [0, 32], [0, 64]]>
#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @column_of_int8(%codes: !sftile.frag<1x128xi32, #codes>) {
  // expected-error@+1 {{expected}}
  %a = sftile.decode %codes[32] by (#sftile.int8_v1) : !sftile.frag<1x128xi32, #codes> -> !sftile.frag<16x16xf16, #a>
  return
}

// -----

#codes = #sftile.layout<registers = [[0, 1], [0, 2]], lanes = [[0, 4], [0, 8], [0, 16], [0, 32], [0, 64]]>
#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @signs(%codes: !sftile.frag<1x128xi32, #codes>, %signs: i32) {
  // expected-error@+1 {{expected a codec of a cache for signs that are flipped, found #sftile.tern_v1}}
  %a = sftile.decode %codes[0] flip %signs by (#sftile.tern_v1) : !sftile.frag<1x128xi32, #codes> -> !sftile.frag<16x16xf16, #a>
  return
}
