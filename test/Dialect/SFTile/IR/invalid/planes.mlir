// RUN: sparseflow-opt %s --split-input-file --verify-diagnostics

#acc = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#b = #sftile.layout<registers = [[0, 1], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#two = #sftile.layout<registers = [[0, 1]], lanes = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
func.func @f(%x: !sftile.frag<16x8xf32, #acc>, %h: !sftile.frag<16x8xf16, #acc>, %w: !sftile.frag<32x2xi32, #two>) {
  // expected-error@+1 {{expected a column from 0 to 48 that is a multiple of 16, found 64}}
  %r = sftile.decode %w[64] by (#sftile.tern_cache) : !sftile.frag<32x2xi32, #two> -> !sftile.frag<16x16xf16, #b>
  return
}

// -----

#acc = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#b = #sftile.layout<registers = [[0, 1], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#word = #sftile.layout<registers = [], lanes = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
func.func @f(%x: !sftile.frag<16x8xf32, #acc>, %h: !sftile.frag<16x8xf16, #acc>, %w: !sftile.frag<32x1xi32, #word>) {
  // expected-error@+1 {{expected an operand of 8 x 16 elements or several times as many columns, 8 rows for each of the 1 words of a lane}}
  %r = sftile.decode %w[0] by (#sftile.tern_cache) : !sftile.frag<32x1xi32, #word> -> !sftile.frag<16x16xf16, #b>
  return
}

// -----

#acc = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#b = #sftile.layout<registers = [[0, 1], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#two = #sftile.layout<registers = [[0, 1]], lanes = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
func.func @f(%x: !sftile.frag<16x8xf32, #acc>, %h: !sftile.frag<16x8xf16, #acc>, %w: !sftile.frag<32x2xi32, #two>) {
  // expected-error@+1 {{expected a result of f16 or bf16, whose 2 is a bit, or of si8, whose 64 is, found}}
  %r = sftile.decode %w[0] by (#sftile.tern_cache) : !sftile.frag<32x2xi32, #two> -> !sftile.frag<16x16xf32, #b>
  return
}

// -----

#acc = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#b = #sftile.layout<registers = [[0, 1], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#words = #sftile.layout<registers = [[0, 1], [0, 2]], lanes = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
func.func @f(%x: !sftile.frag<16x8xf32, #acc>, %h: !sftile.frag<16x8xf16, #acc>, %w: !sftile.frag<32x4xi32, #words>) {
  // expected-error@+1 {{expected words of i32}}
  %r = sftile.decode %h[0] by (#sftile.tern_cache) : !sftile.frag<16x8xf16, #acc> -> !sftile.frag<16x16xf16, #b>
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

#word = #sftile.layout<registers = [], lanes = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
#b = #sftile.layout<registers = [[0, 1], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @beyond(%w: !sftile.frag<32x1xi32, #word>) {
  // expected-error@+1 {{expected a column from 0 to 0 that is a multiple of 16, found 16}}
  %r = sftile.decode %w[16] by (#sftile.tern_cache) : !sftile.frag<32x1xi32, #word> -> !sftile.frag<8x64xf16, #b>
  return
}

// -----

#two = #sftile.layout<registers = [[0, 1]], lanes = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
#a8 = #sftile.layout<registers = [[0, 1], [0, 2], [8, 0], [0, 16]], lanes = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]]>
func.func @signs(%w: !sftile.frag<32x2xi32, #two>, %signs: i32) {
  // expected-error@+1 {{expected elements with sign bits to flip, found 'si8' from #sftile.tern_cache}}
  %r = sftile.decode %w[32] flip %signs by (#sftile.tern_cache) : !sftile.frag<32x2xi32, #two> -> !sftile.frag<16x32xsi8, #a8>
  return
}

// -----

#two = #sftile.layout<registers = [[0, 1]], lanes = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
#a8 = #sftile.layout<registers = [[0, 1], [0, 2], [8, 0], [0, 16]], lanes = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]]>
func.func @step(%w: !sftile.frag<32x2xi32, #two>) {
  // expected-error@+1 {{expected a column from 0 to 32 that is a multiple of 32, found 64}}
  %r = sftile.decode %w[64] by (#sftile.tern_cache) : !sftile.frag<32x2xi32, #two> -> !sftile.frag<16x32xsi8, #a8>
  return
}

// -----

#two = #sftile.layout<registers = [[0, 1]], lanes = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
#rows = #sftile.layout<registers = [[0, 1], [0, 2], [0, 16], [8, 0]], lanes = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]]>
func.func @order(%w: !sftile.frag<32x2xi32, #two>) {
  // expected-error@+1 {{expected an operand of 16 x 32 elements, 8 rows for each of the 2 words of a lane}}
  %r = sftile.decode %w[32] by (#sftile.tern_cache) : !sftile.frag<32x2xi32, #two> -> !sftile.frag<16x32xsi8, #rows>
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
#column = #sftile.layout<registers = [[8, 0]], lanes = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]]>
func.func @sums(%a: !sftile.frag<16x8xi32, #c>) {
  // expected-error@+1 {{expected elements of the source that are in registers of the same lanes, found (0, 2) with strides [1, 2]}}
  %r = sftile.slice %a[0, 2] strides [1, 2] : !sftile.frag<16x8xi32, #c> -> !sftile.frag<16x4xi32, #column>
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
  // expected-error@+1 {{expected a column from 0 to 31 that is a multiple of 16, found 32}}
  %r = sftile.decode %w[32] by (#sftile.e4m3_cache<keys>) : !sftile.frag<32x4xi32, #words> -> !sftile.frag<16x16xf16, #a>
  return
}

// -----

#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#words = #sftile.layout<registers = [[0, 1], [0, 2]], lanes = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
func.func @f(%w: !sftile.frag<32x4xi32, #words>) {
  // expected-error@+1 {{expected a column from 0 to 31 that is a multiple of 16, found 32}}
  %r = sftile.decode %w[32] by (#sftile.int_cache<8, keys>) : !sftile.frag<32x4xi32, #words> -> !sftile.frag<16x16xf16, #a>
  return
}

// -----

#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#words = #sftile.layout<registers = [[0, 1], [0, 2]], lanes = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
func.func @f(%w: !sftile.frag<32x4xi32, #words>) {
  // expected-error@+1 {{expected numbers of 4 or 8 bits, found 2}}
  %r = sftile.decode %w[0] by (#sftile.int_cache<2, keys>) : !sftile.frag<32x4xi32, #words> -> !sftile.frag<16x16xf16, #a>
  return
}

// -----

#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#words = #sftile.layout<registers = [[0, 1], [0, 2]], lanes = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
func.func @f(%w: !sftile.frag<32x4xi32, #words>) {
  // expected-error@+1 {{expected bare numbers as f16, found '!sftile.frag<16x16xbf16}}
  %r = sftile.decode %w[0] by (#sftile.int_cache<4, keys, bare = true>) : !sftile.frag<32x4xi32, #words> -> !sftile.frag<16x16xbf16, #a>
  return
}

// -----

#a = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#words = #sftile.layout<registers = [[0, 1], [0, 2]], lanes = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
func.func @f(%w: !sftile.frag<32x4xi32, #words>) {
  // expected-error@+1 {{expected an operand of 16 x 16 elements of f16 or bf16, found '!sftile.frag<16x8xf32}}
  %r = sftile.decode %w[0] by (#sftile.int_cache<4, keys>) : !sftile.frag<32x4xi32, #words> -> !sftile.frag<16x8xf32, #a>
  return
}

// -----

#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#words = #sftile.layout<registers = [[0, 1]], lanes = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
func.func @f(%w: !sftile.frag<32x2xi32, #words>) {
  // expected-error@+1 {{expected four words of i32 for each lane, found}}
  %r = sftile.decode %w[0] by (#sftile.int_cache<4, keys>) : !sftile.frag<32x2xi32, #words> -> !sftile.frag<16x16xf16, #a>
  return
}

// -----

#words = #sftile.layout<registers = [[0, 1], [0, 2]], lanes = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @shifted(%w: !sftile.frag<32x4xi32, #words>) {
  // expected-error@+1 {{expected elements of #sftile.int_cache<8, keys> as they are, found shifted ones}}
  %r = sftile.decode %w[0] shifted by (#sftile.int_cache<8, keys>) : !sftile.frag<32x4xi32, #words> -> !sftile.frag<16x16xf16, #a>
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @strides(%a: !sftile.frag<16x8xi32, #c>) {
  // expected-error@+1 {{expected a stride from 1 of rows and one of columns, found [0, 1]}}
  %r = sftile.slice %a[0, 0] strides [0, 1] : !sftile.frag<16x8xi32, #c> -> !sftile.frag<16x8xi32, #c>
  return
}

// -----

#words = #sftile.layout<registers = [[0, 1], [0, 2]], lanes = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @scales_of_f32(%w: !sftile.frag<32x4xi32, #words>, %s: !sftile.frag<16x16xf32, #a>) {
  // expected-error@+1 {{expected a scale for each element, '!sftile.frag<16x16xf16,}}
  %r = sftile.decode %w[0] times %s by (#sftile.int_cache<8, keys>) : !sftile.frag<32x4xi32, #words>, !sftile.frag<16x16xf32, #a> -> !sftile.frag<16x16xf16, #a>
  return
}
