// RUN: sparseflow-opt %s -split-input-file -verify-diagnostics

// Loads, stores and what became of fragments and roles.

#acc = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#rows = #sftile.layout<registers = [[8, 0]], lanes = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]]>
func.func @f(%v: !sftile.view<f16, row_major>, %i: i64) {
  // expected-error@+1 {{expected no atom for a view, which every lane accesses by itself, found #sftile.ldmatrix}}
  %a = sftile.load %v[%i, %i] width 4 by (#sftile.ldmatrix) : !sftile.view<f16, row_major> -> !sftile.frag<16x16xf16, #acc>
  return
}

// -----

#acc = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#rows = #sftile.layout<registers = [[8, 0]], lanes = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]]>
func.func @f(%v: !sftile.view<f16, row_major>, %i: i64) {
  // expected-error@+1 {{expected a tile for the access of registers, found '!sftile.view<f16, row_major>'}}
  %a = sftile.load registers %v[%i, %i] width 4 : !sftile.view<f16, row_major> -> !sftile.frag<16x16xf16, #acc>
  return
}

// -----

#acc = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#rows = #sftile.layout<registers = [[8, 0]], lanes = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]]>
func.func @f(%v: !sftile.view<f16, row_major>, %i: i64) {
  // expected-error@+1 {{expected the width of an access, 'width 16', for a view}}
  %a = sftile.load %v[%i, %i] : !sftile.view<f16, row_major> -> !sftile.frag<16x16xf16, #acc>
  return
}

// -----

#acc = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#rows = #sftile.layout<registers = [[8, 0]], lanes = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]]>
func.func @f(%v: !sftile.view<f16, row_major>, %i: i64, %x: !sftile.frag<16x16xf16, #acc>) {
  // expected-error@+1 {{expected the access direct, transposed, registers or interleaved: each element has a place of its own; found col}}
  sftile.store col %x to %v[%i, %i] width 2 : !sftile.frag<16x16xf16, #acc> to !sftile.view<f16, row_major>
  return
}

// -----

#acc = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @f(%v: !sftile.view<f32, row_major>, %i: i64, %x: !sftile.frag<16x24xf32, #acc>) {
  // expected-error@+1 {{expected a multiple of 16 columns to interleave, found '!sftile.frag<16x24xf32, }}
  sftile.store interleaved %x to %v[%i, %i] width 16 : !sftile.frag<16x24xf32, #acc> to !sftile.view<f32, row_major>
  return
}

// -----

#acc = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#rows = #sftile.layout<registers = [[8, 0]], lanes = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]]>
func.func @f(%t: !sftile.tile<64x64xf16, swizzled>, %c: index) {
  // expected-error@+1 {{expected neither a width nor bounds for a tile, inside which the fragment lies}}
  %a = sftile.load %t[%c, %c] width 16 : !sftile.tile<64x64xf16, swizzled> -> !sftile.frag<16x16xf16, #acc>
  return
}

// -----

#acc = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#rows = #sftile.layout<registers = [[8, 0]], lanes = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]]>
func.func @f(%t: !sftile.tile<64x64xf16, swizzled>, %c: index) {
  // expected-error@+1 {{expected neither a width nor bounds for a tile}}
  %a = sftile.load %t[%c, %c] cols_in_bounds : !sftile.tile<64x64xf16, swizzled> -> !sftile.frag<16x16xf16, #acc>
  return
}

// -----

#acc = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#rows = #sftile.layout<registers = [[8, 0]], lanes = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]]>
func.func @f(%t: !sftile.tile<64x64xf16, swizzled>, %c: index) {
  // expected-error@+1 {{expected the access direct, transposed, row, col or registers of a tile, found scalar}}
  %a = sftile.load scalar %t[%c, %c] : !sftile.tile<64x64xf16, swizzled> -> !sftile.frag<16x16xf16, #acc>
  return
}

// -----

#acc = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @f(%t: !sftile.tile<8x1xf32, row_major>, %c: index) {
  // expected-error@+1 {{expected a row_major tile with a row for each column of the fragment, found '!sftile.tile<8x1xf32, row_major>' for '!sftile.frag<16x16xf32}}
  %a = sftile.load col %t[%c, %c] : !sftile.tile<8x1xf32, row_major> -> !sftile.frag<16x16xf32, #acc>
  return
}

// -----

#acc = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#rows = #sftile.layout<registers = [[8, 0]], lanes = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]]>
func.func @f(%t: !sftile.tile<64x64xf16, swizzled>, %c: index) {
  // expected-error@+1 {{expected a row_major tile with a column for each row of the fragment, found}}
  %a = sftile.load row %t[%c, %c] : !sftile.tile<64x64xf16, swizzled> -> !sftile.frag<16x1xf32, #rows>
  return
}

// -----

#acc = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#rows = #sftile.layout<registers = [[8, 0]], lanes = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]]>
func.func @f(%t: !sftile.tile<2x8xf16, row_major>, %c: index) {
  // expected-error@+1 {{expected a row_major tile with a column for each row of the fragment, found}}
  %a = sftile.load row %t[%c, %c] : !sftile.tile<2x8xf16, row_major> -> !sftile.frag<16x1xf32, #rows>
  return
}

// -----

#acc = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#rows = #sftile.layout<registers = [[8, 0]], lanes = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]]>
func.func @f(%t: !sftile.tile<2x64xf32, row_major>, %c: index) {
  // expected-error@+1 {{expected a row_major tile of the fragment's elements of 32 bits, with a row of 32 for each of the 2 registers, found}}
  %a = sftile.load registers %t[%c, %c] : !sftile.tile<2x64xf32, row_major> -> !sftile.frag<16x1xf32, #rows>
  return
}

// -----

#acc = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#rows = #sftile.layout<registers = [[8, 0]], lanes = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]]>
func.func @f(%t: !sftile.tile<1x32xf32, row_major>, %c: index) {
  // expected-error@+1 {{with a row of 32 for each of the 2 registers, found}}
  %a = sftile.load registers %t[%c, %c] : !sftile.tile<1x32xf32, row_major> -> !sftile.frag<16x1xf32, #rows>
  return
}

// -----

#acc = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#rows = #sftile.layout<registers = [[8, 0]], lanes = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]]>
func.func @f(%t: !sftile.tile<2x32xf16, row_major>, %c: index) {
  // expected-error@+1 {{expected the access direct or transposed for #sftile.ldmatrix, found row}}
  %a = sftile.load row %t[%c, %c] by (#sftile.ldmatrix) : !sftile.tile<2x32xf16, row_major> -> !sftile.frag<16x1xf32, #rows>
  return
}

// -----

#acc = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#rows = #sftile.layout<registers = [[8, 0]], lanes = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]]>
func.func @f(%x: !sftile.frag<16x1xf32, #rows>) {
  // expected-error@+1 {{expected scratch memory, 'via %tile', for #sftile.stmatrix}}
  %a = sftile.convert_layout %x by (#sftile.stmatrix) : !sftile.frag<16x1xf32, #rows> to !sftile.frag<16x1xf32, #rows>
  return
}

// -----

#acc = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#rows = #sftile.layout<registers = [[8, 0]], lanes = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]]>
func.func @f(%x: i32) {
  // expected-error@+1 {{expected a scalar of the fragment's element type 'f32', or a fragment of one column, found 'i32'}}
  %a = sftile.broadcast %x : i32 -> !sftile.frag<16x1xf32, #rows>
  return
}

// -----

#acc = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#rows = #sftile.layout<registers = [[8, 0]], lanes = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]]>
func.func @f(%x: f32) {
  // expected-error@+1 {{expected a region that yields nothing}}
  sftile.role "main" warps 1 {
    sftile.yield %x : f32
  }
  return
}

// -----

#acc = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @f(%t: !sftile.tile<64x64xf16, swizzled>, %c: index) {
  // expected-error@+1 {{expected an atom that loads matrices, found #sftile.stmatrix}}
  %a = sftile.load %t[%c, %c] by (#sftile.stmatrix) : !sftile.tile<64x64xf16, swizzled> -> !sftile.frag<16x16xf16, #acc>
  return
}

// -----

#acc = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @f(%x: !sftile.frag<16x16xf16, #acc>, %c: index) {
  %s = sftile.shared warps 1 sharers 1 : !sftile.tile<64x64xf16, swizzled>
  // expected-error@+1 {{expected an atom that stores matrices, found #sftile.ldmatrix}}
  sftile.store transposed %x to %s[%c, %c] by (#sftile.ldmatrix) : !sftile.frag<16x16xf16, #acc> to !sftile.tile<64x64xf16, swizzled>
  return
}

// -----

func.func @f(%g: !llvm.ptr<1>, %s: !llvm.ptr<3>) {
  // expected-error@+1 {{expected an atom of a thread's copies, found #sftile.bulk}}
  sftile.thread.copy %g to %s by (#sftile.bulk)
  return
}

// -----

func.func @f(%g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %n: i32) {
  // expected-error@+1 {{expected the atom bulk, without tensor maps, for a copy to global memory, found #sftile.tma}}
  sftile.thread.copy %g from %s bytes %n by (#sftile.tma)
  return
}

// -----

func.func @f(%g: !llvm.ptr<1>, %s: !llvm.ptr<3>) {
  // expected-error@+1 {{expected the number of bytes of a copy to global memory}}
  sftile.thread.copy %g from %s by (#sftile.bulk)
  return
}

// -----

func.func @f(%s: !llvm.ptr<3>) {
  // expected-error@+1 {{expected an atom that loads matrices, found #sftile.stmatrix}}
  %x:4 = sftile.thread.load_matrices %s by (#sftile.stmatrix)
  return
}
