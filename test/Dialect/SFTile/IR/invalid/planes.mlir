// RUN: sparseflow-opt %s --split-input-file --verify-diagnostics

#acc = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#b = #sftile.layout<registers = [[0, 1], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#words = #sftile.layout<registers = [[0, 1], [0, 2]], lanes = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
func.func @f(%x: !sftile.frag<16x8xf32, #acc>, %h: !sftile.frag<16x8xf16, #acc>, %w: !sftile.frag<32x4xi32, #words>) {
  // expected-error@+1 {{expected a step from 0 to 3 of the 64 that a word is deep, found 4}}
  %r = sftile.decode_planes %w[0, 1] step 4 : !sftile.frag<32x4xi32, #words> -> !sftile.frag<16x16xf16, #b>
  return
}

// -----

#acc = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#b = #sftile.layout<registers = [[0, 1], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#words = #sftile.layout<registers = [[0, 1], [0, 2]], lanes = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
func.func @f(%x: !sftile.frag<16x8xf32, #acc>, %h: !sftile.frag<16x8xf16, #acc>, %w: !sftile.frag<32x4xi32, #words>) {
  // expected-error@+1 {{expected words from 0 to 3, found 4}}
  %r = sftile.decode_planes %w[0, 4] step 0 : !sftile.frag<32x4xi32, #words> -> !sftile.frag<16x16xf16, #b>
  return
}

// -----

#acc = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#b = #sftile.layout<registers = [[0, 1], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#words = #sftile.layout<registers = [[0, 1], [0, 2]], lanes = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
func.func @f(%x: !sftile.frag<16x8xf32, #acc>, %h: !sftile.frag<16x8xf16, #acc>, %w: !sftile.frag<32x4xi32, #words>) {
  // expected-error@+1 {{expected an operand of 8 x 16 elements or several times as many columns, 8 rows for each of the 1 words that are named}}
  %r = sftile.decode_planes %w[0] step 0 : !sftile.frag<32x4xi32, #words> -> !sftile.frag<16x16xf16, #b>
  return
}

// -----

#acc = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#b = #sftile.layout<registers = [[0, 1], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#words = #sftile.layout<registers = [[0, 1], [0, 2]], lanes = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
func.func @f(%x: !sftile.frag<16x8xf32, #acc>, %h: !sftile.frag<16x8xf16, #acc>, %w: !sftile.frag<32x4xi32, #words>) {
  // expected-error@+1 {{expected a result of f16 or bf16, whose 2 is a bit, or of si8, whose 64 is, found}}
  %r = sftile.decode_planes %w[0, 1] step 0 : !sftile.frag<32x4xi32, #words> -> !sftile.frag<16x16xf32, #b>
  return
}

// -----

#acc = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#b = #sftile.layout<registers = [[0, 1], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#words = #sftile.layout<registers = [[0, 1], [0, 2]], lanes = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
func.func @f(%x: !sftile.frag<16x8xf32, #acc>, %h: !sftile.frag<16x8xf16, #acc>, %w: !sftile.frag<32x4xi32, #words>) {
  // expected-error@+1 {{expected words of i32}}
  %r = sftile.decode_planes %h[0, 1] step 0 : !sftile.frag<16x8xf16, #acc> -> !sftile.frag<16x16xf16, #b>
  return
}

// -----

#acc = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#b = #sftile.layout<registers = [[0, 1], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#words = #sftile.layout<registers = [[0, 1], [0, 2]], lanes = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
func.func @f(%x: !sftile.frag<16x8xf32, #acc>, %h: !sftile.frag<16x8xf16, #acc>, %w: !sftile.frag<32x4xi32, #words>) {
  // expected-error@+1 {{expected one element type, and the sizes exchanged}}
  %r = sftile.transpose %x : !sftile.frag<16x8xf32, #acc> -> !sftile.frag<16x8xf32, #acc>
  return
}

// -----

#acc = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#b = #sftile.layout<registers = [[0, 1], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#words = #sftile.layout<registers = [[0, 1], [0, 2]], lanes = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
func.func @f(%x: !sftile.frag<16x8xf32, #acc>, %h: !sftile.frag<16x8xf16, #acc>, %w: !sftile.frag<32x4xi32, #words>) {
  // expected-error@+1 {{expected layouts that are each other's transposes, or 8x8 matrices of 16-bit elements}}
  %r = sftile.transpose %x : !sftile.frag<16x8xf32, #acc> -> !sftile.frag<8x16xf32, #b>
  return
}

// -----

#b = #sftile.layout<registers = [[0, 1], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @deep(%k: !sftile.frag<8x64xf16, #b>, %i: index) {
  %ring = sftile.ring : !sftile.ring<2, [!sftile.tile<48x64xf16, swizzled>]>
  %s = sftile.acquire %ring[%i] : !sftile.ring<2, [!sftile.tile<48x64xf16, swizzled>]> -> !sftile.slot<48x64xf16, swizzled>
  // expected-error@+1 {{expected a fragment whose transpose is no larger than the tile, found}}
  sftile.store transposed %k to %s[%i, %i] by (#sftile.stmatrix) : !sftile.frag<8x64xf16, #b> to !sftile.slot<48x64xf16, swizzled>
  return
}

// -----

#b = #sftile.layout<registers = [[0, 1], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @given(%k: !sftile.frag<8x64xf16, #b>, %s: !sftile.slot<128x64xf16, swizzled>, %i: index) {
  // expected-error@+1 {{expected a slot that sftile.acquire gave}}
  sftile.store %k to %s[%i, %i] by (#sftile.stmatrix) : !sftile.frag<8x64xf16, #b> to !sftile.slot<128x64xf16, swizzled>
  return
}

// -----

#words = #sftile.layout<registers = [[0, 1], [0, 2]], lanes = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
#b = #sftile.layout<registers = [[0, 1], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @beyond(%w: !sftile.frag<32x4xi32, #words>) {
  // expected-error@+1 {{expected a step from 0 to 0 of the 64 that a word is deep, found 1}}
  %r = sftile.decode_planes %w[0] step 1 : !sftile.frag<32x4xi32, #words> -> !sftile.frag<8x64xf16, #b>
  return
}

// -----

#words = #sftile.layout<registers = [[0, 1], [0, 2]], lanes = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
#a8 = #sftile.layout<registers = [[0, 1], [0, 2], [8, 0], [0, 16]], lanes = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]]>
func.func @signs(%w: !sftile.frag<32x4xi32, #words>, %signs: i32) {
  // expected-error@+1 {{expected elements of f16 or bf16 for sign bits, found 'si8'}}
  %r = sftile.decode_planes %w[0, 1] step 1 flip %signs : !sftile.frag<32x4xi32, #words> -> !sftile.frag<16x32xsi8, #a8>
  return
}

// -----

#words = #sftile.layout<registers = [[0, 1], [0, 2]], lanes = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
#a8 = #sftile.layout<registers = [[0, 1], [0, 2], [8, 0], [0, 16]], lanes = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]]>
func.func @step(%w: !sftile.frag<32x4xi32, #words>) {
  // expected-error@+1 {{expected a step from 0 to 1 of the 64 that a word is deep, found 2}}
  %r = sftile.decode_planes %w[0, 1] step 2 : !sftile.frag<32x4xi32, #words> -> !sftile.frag<16x32xsi8, #a8>
  return
}

// -----

#words = #sftile.layout<registers = [[0, 1], [0, 2]], lanes = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
#rows = #sftile.layout<registers = [[0, 1], [0, 2], [0, 16], [8, 0]], lanes = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]]>
func.func @order(%w: !sftile.frag<32x4xi32, #words>) {
  // expected-error@+1 {{expected an operand of 16 x 32 elements, 8 rows for each of the 2 words that are named}}
  %r = sftile.decode_planes %w[0, 1] step 1 : !sftile.frag<32x4xi32, #words> -> !sftile.frag<16x32xsi8, #rows>
  return
}

// -----

#pairs = #sftile.layout<registers = [[0, 1], [0, 8], [0, 16]], lanes = [[0, 2], [0, 4], [0, 0], [1, 0], [2, 0]]>
#b8 = #sftile.layout<registers = [[0, 1], [0, 2], [0, 16]], lanes = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]]>
func.func @half(%q: !sftile.frag<4x32xf32, #pairs>) {
  // expected-error@+1 {{expected a step from 0 to 1 of the columns of}}
  %r = sftile.split_bytes %q, %q step 2 : !sftile.frag<4x32xf32, #pairs> -> !sftile.frag<8x32xsi8, #b8>
  return
}

// -----

#heads = #sftile.layout<registers = [[0, 8]], lanes = [[1, 0], [2, 0], [0, 1], [0, 2], [0, 4]]>
#b8 = #sftile.layout<registers = [[0, 1], [0, 2], [0, 16]], lanes = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]]>
func.func @numbers(%p: !sftile.frag<4x16xi32, #heads>) {
  // expected-error@+1 {{expected numbers of}}
  %r = sftile.split_bytes %p, %p scale 1.0 : !sftile.frag<4x16xi32, #heads> -> !sftile.frag<8x32xsi8, #b8>
  return
}

// -----

#heads = #sftile.layout<registers = [[0, 8]], lanes = [[1, 0], [2, 0], [0, 1], [0, 2], [0, 4]]>
#b8 = #sftile.layout<registers = [[0, 1], [0, 2], [0, 16]], lanes = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]]>
func.func @unsigned(%p: !sftile.frag<4x16xf32, #heads>) {
  // expected-error@+1 {{expected a result of}}
  %r = sftile.split_bytes %p, %p scale 1.0 : !sftile.frag<4x16xf32, #heads> -> !sftile.frag<8x32xi8, #b8>
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#heads = #sftile.layout<registers = [[0, 8]], lanes = [[1, 0], [2, 0], [0, 1], [0, 2], [0, 4]]>
func.func @sums(%a: !sftile.frag<16x8xf32, #c>) {
  // expected-error@+1 {{expected sums of}}
  %r = sftile.join_bytes %a : !sftile.frag<16x8xf32, #c> -> !sftile.frag<4x16xi32, #heads>
  return
}

// -----

#heads = #sftile.layout<registers = [[0, 8]], lanes = [[1, 0], [2, 0], [0, 1], [0, 2], [0, 4]]>
#b8 = #sftile.layout<registers = [[0, 1], [0, 2], [0, 16]], lanes = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]]>
func.func @step_of_joined(%p: !sftile.frag<4x16xf32, #heads>) {
  // expected-error@+1 {{expected a step from 0 to 0 of the columns of}}
  %r = sftile.split_bytes %p, %p step 1 : !sftile.frag<4x16xf32, #heads> -> !sftile.frag<8x32xsi8, #b8>
  return
}

// -----

#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#words = #sftile.layout<registers = [[0, 1], [0, 2]], lanes = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
func.func @f(%w: !sftile.frag<32x4xi32, #words>) {
  // expected-error@+1 {{expected a step from 0 to 1 of a chunk of 32 features, found 2}}
  %r = sftile.decode_cache %w step 2 of 8 : !sftile.frag<32x4xi32, #words> -> !sftile.frag<16x16xf16, #a>
  return
}

// -----

#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#words = #sftile.layout<registers = [[0, 1], [0, 2]], lanes = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
func.func @f(%w: !sftile.frag<32x4xi32, #words>) {
  // expected-error@+1 {{expected numbers of 4 or 8 bits, found 2}}
  %r = sftile.decode_cache %w step 0 of 2 : !sftile.frag<32x4xi32, #words> -> !sftile.frag<16x16xf16, #a>
  return
}

// -----

#a = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#words = #sftile.layout<registers = [[0, 1], [0, 2]], lanes = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
func.func @f(%w: !sftile.frag<32x4xi32, #words>) {
  // expected-error@+1 {{expected an operand of 16 x 16 elements of f16 or bf16, found '!sftile.frag<16x8xf32}}
  %r = sftile.decode_cache %w step 0 of 4 : !sftile.frag<32x4xi32, #words> -> !sftile.frag<16x8xf32, #a>
  return
}

// -----

#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#words = #sftile.layout<registers = [[0, 1]], lanes = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
func.func @f(%w: !sftile.frag<32x2xi32, #words>) {
  // expected-error@+1 {{expected four words of i32 for each lane, found}}
  %r = sftile.decode_cache %w step 0 of 4 : !sftile.frag<32x2xi32, #words> -> !sftile.frag<16x16xf16, #a>
  return
}
