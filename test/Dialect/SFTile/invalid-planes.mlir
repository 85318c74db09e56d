// RUN: sparseflow-opt %s --split-input-file --verify-diagnostics

#acc = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#b = #sftile.layout<registers = [[0, 1], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#words = #sftile.layout<registers = [[0, 1], [0, 2]], lanes = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
func.func @f(%x: !sftile.frag<16x8xf32, #acc>, %h: !sftile.frag<16x8xf16, #acc>, %w: !sftile.frag<32x4xi32, #words>) {
  // expected-error@+1 {{expected a step from 0 to 3 of the 64 that a word is deep, got 4}}
  %r = sftile.expand_trits %w[0, 1] step 4 : !sftile.frag<32x4xi32, #words> -> !sftile.frag<16x16xf16, #b>
  return
}

// -----

#acc = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#b = #sftile.layout<registers = [[0, 1], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#words = #sftile.layout<registers = [[0, 1], [0, 2]], lanes = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
func.func @f(%x: !sftile.frag<16x8xf32, #acc>, %h: !sftile.frag<16x8xf16, #acc>, %w: !sftile.frag<32x4xi32, #words>) {
  // expected-error@+1 {{expected words from 0 to 3, got 4}}
  %r = sftile.expand_trits %w[0, 4] step 0 : !sftile.frag<32x4xi32, #words> -> !sftile.frag<16x16xf16, #b>
  return
}

// -----

#acc = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#b = #sftile.layout<registers = [[0, 1], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#words = #sftile.layout<registers = [[0, 1], [0, 2]], lanes = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
func.func @f(%x: !sftile.frag<16x8xf32, #acc>, %h: !sftile.frag<16x8xf16, #acc>, %w: !sftile.frag<32x4xi32, #words>) {
  // expected-error@+1 {{expected an operand of 8 x 16 elements, 8 rows for each of the 1 words that are named}}
  %r = sftile.expand_trits %w[0] step 0 : !sftile.frag<32x4xi32, #words> -> !sftile.frag<16x16xf16, #b>
  return
}

// -----

#acc = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#b = #sftile.layout<registers = [[0, 1], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#words = #sftile.layout<registers = [[0, 1], [0, 2]], lanes = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
func.func @f(%x: !sftile.frag<16x8xf32, #acc>, %h: !sftile.frag<16x8xf16, #acc>, %w: !sftile.frag<32x4xi32, #words>) {
  // expected-error@+1 {{expected a result of f16 or bf16, whose 2 is a bit, got}}
  %r = sftile.expand_trits %w[0, 1] step 0 : !sftile.frag<32x4xi32, #words> -> !sftile.frag<16x16xf32, #b>
  return
}

// -----

#acc = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#b = #sftile.layout<registers = [[0, 1], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#words = #sftile.layout<registers = [[0, 1], [0, 2]], lanes = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
func.func @f(%x: !sftile.frag<16x8xf32, #acc>, %h: !sftile.frag<16x8xf16, #acc>, %w: !sftile.frag<32x4xi32, #words>) {
  // expected-error@+1 {{expected words of i32}}
  %r = sftile.expand_trits %h[0, 1] step 0 : !sftile.frag<16x8xf16, #acc> -> !sftile.frag<16x16xf16, #b>
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
