// RUN: sparseflow-opt %s --split-input-file --verify-diagnostics

// Every message of the verifiers of types and operations.

// expected-error@+1 {{expected row_major or a packed order for global memory, found swizzled, an order of shared memory}}
func.func private @f(!sftile.view<f16, swizzled>)

// -----

// expected-error@+1 {{expected an integer or float element of 8, 16 or 32 bits, found 'f64'}}
func.func private @f(!sftile.view<f64, row_major>)

// -----

// expected-error@+1 {{expected an integer or float element of 8, 16 or 32 bits, found 'index'}}
func.func private @f(!sftile.tile<8x8xindex, row_major>)

// -----

// expected-error@+1 {{expected a tile of rows x columns, both positive}}
func.func private @f(!sftile.tile<8xf16, row_major>)

// -----

// expected-error@+1 {{expected a tile of rows x columns, both positive}}
func.func private @f(!sftile.tile<8x0xf16, row_major>)

// -----

// expected-error@+1 {{expected rows of a power of two of at least 16 bytes in a swizzled tile, found 96 bytes}}
func.func private @f(!sftile.tile<8x48xf16, swizzled>)

// -----

// expected-error@+1 {{expected rows of a power of two of at least 16 bytes in a swizzled tile, found 8 bytes}}
func.func private @f(!sftile.slot<8x4xf16, swizzled>)

// -----

// expected-error@+1 {{expected values24 as a multiple of 64 x 32 nonzeros of 16 bits, found 32 x 32 of 'f16'}}
func.func private @f(!sftile.tile<32x32xf16, values24>)

// -----

// expected-error@+1 {{expected values24 as a multiple of 64 x 32 nonzeros of 16 bits, found 64 x 32 of 'f32'}}
func.func private @f(!sftile.slot<64x32xf32, values24>)

// -----

// expected-error@+1 {{expected metadata24 as a multiple of 4 x 32 words of i32, found 4 x 32 of 'i16'}}
func.func private @f(!sftile.tile<4x32xi16, metadata24>)

// -----

// expected-error@+1 {{expected row_major, swizzled, values24, metadata24 or ternary, found col_major}}
func.func private @f(!sftile.tile<8x8xf16, col_major>)

// -----

// expected-error@+1 {{expected at least 1 stage, found 0}}
func.func private @f(!sftile.ring<0, [!sftile.tile<8x8xf16, row_major>]>)

// -----

// expected-error@+1 {{expected register bits 0 and 1 to step along a row, because bytes share a register by fours; found #sftile.layout}}
func.func private @f(!sftile.frag<16x8xi8, #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>>)

// -----

// expected-error@+1 {{expected a fragment of rows x columns, found 1 sizes}}
func.func private @f(!sftile.frag<16xf16, #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>>)

// -----

// expected-error@+1 {{expected a shape that is a multiple of the layout's tile of 16 x 8, found 16 x 12}}
func.func private @f(!sftile.frag<16x12xf16, #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>>)

// -----

// expected-error@+1 {{expected register bit 0 to step to a neighbouring element, because 16-bit elements share a register in pairs; found #sftile.layout<registers = }}
func.func private @f(!sftile.frag<16x8xf16, #sftile.layout<registers = [[8, 0], [0, 1]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>>)

// -----

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

func.func @f(%p: !llvm.ptr<1>, %n: i64) {
  // expected-error@+1 {{expected a pitch: a row-major view has a distance between rows}}
  %v = sftile.view %p[%n, %n] : !sftile.view<f16, row_major>
  return
}

// -----

func.func @f(%p: !llvm.ptr<1>, %n: i64) {
  // expected-error@+1 {{expected no pitch: it is in the tensor map, or units of a packed view follow one another}}
  %v = sftile.view %p[%n, %n] pitch %n : !sftile.view<f16, values24>
  return
}

// -----

func.func @f(%p: !llvm.ptr<1>, %n: i64) {
  // expected-error@+1 {{expected groups only of a view in grouped_rows order}}
  %v = sftile.view %p[%n, %n] pitch %n groups of 4 every %n : !sftile.view<f16, row_major>
  return
}

// -----

func.func @f(%p: !llvm.ptr<1>, %n: i64) {
  // expected-error@+1 {{expected groups of a number of rows, and a distance between groups, of grouped rows}}
  %v = sftile.view %p[%n, %n] pitch %n : !sftile.view<f16, grouped_rows>
  return
}

// -----

func.func @f(%p: !llvm.ptr<1>, %n: i64) {
  // expected-error@+1 {{expected groups of a number of rows, and a distance between groups, of grouped rows}}
  %v = sftile.view %p[%n, %n] pitch %n groups of 0 every %n : !sftile.view<f16, grouped_rows>
  return
}

// -----

func.func @f(%v: !sftile.view<f16, grouped_rows>, %s: !sftile.slot<64x64xf16, swizzled>, %i: i64) {
  // expected-error@+1 {{expected a view whose rows are one distance apart, found '!sftile.view<f16, grouped_rows>'}}
  sftile.copy %v[%i, %i] to %s by (#sftile.cp_async<16>) : !sftile.view<f16, grouped_rows> to !sftile.slot<64x64xf16, swizzled>
  return
}

// -----

// expected-error@+1 {{expected an order of shared memory, found grouped_rows, which describes global memory}}
func.func private @f(!sftile.tile<64x64xf16, grouped_rows>)

// -----

func.func @f(%p: !llvm.ptr<3>, %n: i64) {
  // expected-error@+1 {{operand #0 must be LLVM pointer in address space 1 or LLVM pointer in address space 0}}
  %v = "sftile.view"(%p, %n, %n, %n) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>} : (!llvm.ptr<3>, i64, i64, i64) -> !sftile.view<f16, row_major>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expected 1 to 32 warps, found 33}}
  sftile.role "all" warps 33 {
  }
  return
}

// -----

//===----------------------------------------------------------------------===//
// Rings
//===----------------------------------------------------------------------===//

func.func @f(%r: !sftile.ring<2, [!sftile.tile<8x8xf16, row_major>, !sftile.tile<8x8xf16, row_major>]>, %i: index) {
  // expected-error@+1 {{expected one result for each of the 2 tiles of the ring, found 1}}
  %s = sftile.acquire %r[%i] : !sftile.ring<2, [!sftile.tile<8x8xf16, row_major>, !sftile.tile<8x8xf16, row_major>]> -> !sftile.slot<8x8xf16, row_major>
  return
}

// -----

func.func @f(%r: !sftile.ring<2, [!sftile.tile<8x8xf16, row_major>]>, %i: index) {
  // expected-error@+1 {{expected result #0 to be the memory of '!sftile.tile<8x8xf16, row_major>', found '!sftile.tile<8x16xf16, row_major>'}}
  %s = sftile.wait %r[%i] : !sftile.ring<2, [!sftile.tile<8x8xf16, row_major>]> -> !sftile.tile<8x16xf16, row_major>
  return
}

// -----

// What is being filled cannot be read.
func.func @f(%s: !sftile.slot<64x64xf16, swizzled>, %i: index) {
  // expected-error@+1 {{operand #0 must be A tile in shared memory that may be read}}
  %x = "sftile.load"(%s, %i, %i) : (!sftile.slot<64x64xf16, swizzled>, index, index) -> !sftile.frag<16x8xf16, #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>>
  return
}

// -----

// What is still being computed cannot be used.
!acc = !sftile.frag<16x8xf32, #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>>
func.func @f(%p: !sftile.pending<!acc>) {
  // expected-error@+1 {{operand #0 must be A tile in the registers of a warp}}
  %x = "sftile.slice"(%p) <{row = 0 : i64, col = 0 : i64}> : (!sftile.pending<!acc>) -> !acc
  return
}

// -----

// What is read cannot be written.
func.func @f(%v: !sftile.view<f16, row_major>, %t: !sftile.tile<64x64xf16, swizzled>, %i: i64) {
  // expected-error@+1 {{operand #3 must be A tile in shared memory that is being filled}}
  "sftile.copy"(%v, %i, %i, %t) <{atom = #sftile.cp_async<16>}> : (!sftile.view<f16, row_major>, i64, i64, !sftile.tile<64x64xf16, swizzled>) -> ()
  return
}

// -----

func.func @f(%v: !sftile.view<bf16, row_major>, %s: !sftile.slot<64x64xf16, swizzled>, %i: i64) {
  // expected-error@+1 {{expected view and slot of one element type, found 'bf16' and 'f16'}}
  sftile.copy %v[%i, %i] to %s by (#sftile.cp_async<16>) : !sftile.view<bf16, row_major> to !sftile.slot<64x64xf16, swizzled>
  return
}

// -----

func.func @f(%v: !sftile.view<f16, values24>, %s: !sftile.slot<64x64xf16, swizzled>, %i: i64) {
  // expected-error@+1 {{expected a slot that keeps the order of the view (or swizzles rows), found values24 to swizzled}}
  sftile.copy %v[%i, %i] to %s by (#sftile.cp_async<16>) : !sftile.view<f16, values24> to !sftile.slot<64x64xf16, swizzled>
  return
}

// -----

func.func @f(%v: !sftile.view<f16, row_major>, %s: !sftile.slot<64x32xf16, values24>, %i: i64) {
  // expected-error@+1 {{expected a slot that keeps the order of the view (or swizzles rows), found row_major to values24}}
  sftile.copy %v[%i, %i] to %s by (#sftile.cp_async<16>) : !sftile.view<f16, row_major> to !sftile.slot<64x32xf16, values24>
  return
}

// -----

func.func @f(%v: !sftile.view<f16, values24>, %s: !sftile.slot<64x32xf16, values24>, %i: i64) {
  // expected-error@+1 {{expected a 16-byte atom for packed weights, whose units are aligned by construction; found 8 bytes}}
  sftile.copy %v[%i, %i] to %s by (#sftile.cp_async<8>) : !sftile.view<f16, values24> to !sftile.slot<64x32xf16, values24>
  return
}

// -----

func.func @f(%v: !sftile.view<f16, row_major>, %s: !sftile.slot<64x12xf16, row_major>, %i: i64) {
  // expected-error@+1 {{expected rows of a multiple of 16 bytes, found 24}}
  sftile.copy %v[%i, %i] to %s by (#sftile.cp_async<8>) : !sftile.view<f16, row_major> to !sftile.slot<64x12xf16, row_major>
  return
}

// -----

func.func @f(%v: !sftile.view<f16, row_major>, %s: !sftile.slot<64x64xf16, swizzled>, %i: i64) {
  // expected-error@+1 {{expected a copy atom, found #sftile.ldmatrix}}
  sftile.copy %v[%i, %i] to %s by (#sftile.ldmatrix) : !sftile.view<f16, row_major> to !sftile.slot<64x64xf16, swizzled>
  return
}

// -----

//===----------------------------------------------------------------------===//
// Fragments
//===----------------------------------------------------------------------===//

#b = #sftile.layout<registers = [[0, 1], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @f(%t: !sftile.tile<64x64xbf16, swizzled>, %i: index) {
  // expected-error@+1 {{expected tile and fragment of one element type, found 'bf16' and 'f16'}}
  %x = sftile.load %t[%i, %i] : !sftile.tile<64x64xbf16, swizzled> -> !sftile.frag<8x16xf16, #b>
  return
}

// -----

#b = #sftile.layout<registers = [[0, 1], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @f(%t: !sftile.tile<8x64xf16, swizzled>, %i: index) {
  // expected-error@+1 {{expected a fragment no larger than the tile}}
  %x = sftile.load %t[%i, %i] : !sftile.tile<8x64xf16, swizzled> -> !sftile.frag<16x16xf16, #b>
  return
}

// -----

#vector = #sftile.layout<registers = [[1, 0], [2, 0], [4, 0]], lanes = [[8, 0], [16, 0], [32, 0], [0, 1], [0, 2]]>
func.func @f(%t: !sftile.tile<64x64xf16, swizzled>, %i: index) {
  // expected-error@+1 {{expected a fragment of matrices of 8 rows of 16 bytes, each lane holding four neighbouring bytes, for #sftile.ldmatrix, found '!sftile.frag<64x4xf16}}
  %x = sftile.load %t[%i, %i] by (#sftile.ldmatrix) : !sftile.tile<64x64xf16, swizzled> -> !sftile.frag<64x4xf16, #vector>
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @f(%t: !sftile.tile<64x32xf32, swizzled>, %i: index) {
  // expected-error@+1 {{expected a fragment of matrices of 8 rows of 16 bytes, each lane holding four neighbouring bytes, for #sftile.ldmatrix, found '!sftile.frag<16x8xf32}}
  %x = sftile.load %t[%i, %i] by (#sftile.ldmatrix) : !sftile.tile<64x32xf32, swizzled> -> !sftile.frag<16x8xf32, #c>
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @f(%s: f16) {
  // expected-error@+1 {{expected a scalar of the fragment's element type 'f32', or a fragment of one column, found 'f16'}}
  %x = sftile.broadcast %s : f16 -> !sftile.frag<16x8xf32, #c>
  return
}

// -----

#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#b = #sftile.layout<registers = [[0, 1], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @f(%a: !sftile.frag<16x16xbf16, #a>, %b: !sftile.frag<8x16xf16, #b>, %c: !sftile.frag<16x8xf32, #c>) {
  // expected-error@+1 {{expected a of 'f16' for #sftile.mma_sync<16, f16>, found 'bf16'}}
  %d = sftile.mma %a, %b, %c by (#sftile.mma_sync<16, f16>) : !sftile.frag<16x16xbf16, #a>, !sftile.frag<8x16xf16, #b>, !sftile.frag<16x8xf32, #c>
  return
}

// -----

#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @f(%a: !sftile.frag<16x16xf16, #a>, %b: !sftile.frag<16x16xf16, #a>, %c: !sftile.frag<16x16xf32, #c>) {
  // expected-error@+1 {{expected b in the layout that #sftile.mma_sync<16, f16> assigns to it, #sftile.layout<registers = }}
  %d = sftile.mma %a, %b, %c by (#sftile.mma_sync<16, f16>) : !sftile.frag<16x16xf16, #a>, !sftile.frag<16x16xf16, #a>, !sftile.frag<16x16xf32, #c>
  return
}

// -----

#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#b = #sftile.layout<registers = [[0, 1], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @f(%a: !sftile.frag<16x16xf16, #a>, %b: !sftile.frag<8x16xf16, #b>, %c: !sftile.frag<16x8xf16, #c>) {
  // expected-error@+1 {{expected the accumulator of 'f32' for #sftile.mma_sync<16, f16>, found 'f16'}}
  %d = sftile.mma %a, %b, %c by (#sftile.mma_sync<16, f16>) : !sftile.frag<16x16xf16, #a>, !sftile.frag<8x16xf16, #b>, !sftile.frag<16x8xf16, #c>
  return
}

// -----

#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#b = #sftile.layout<registers = [[0, 1], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @f(%a: !sftile.frag<32x16xf16, #a>, %b: !sftile.frag<8x16xf16, #b>, %c: !sftile.frag<16x8xf32, #c>) {
  // expected-error@+1 {{expected a of m x k, b of n x k and an accumulator of m x n, found '!sftile.frag<32x16xf16}}
  %d = sftile.mma %a, %b, %c by (#sftile.mma_sync<16, f16>) : !sftile.frag<32x16xf16, #a>, !sftile.frag<8x16xf16, #b>, !sftile.frag<16x8xf32, #c>
  return
}

// -----

#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#b = #sftile.layout<registers = [[0, 1], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @f(%a: !sftile.frag<16x32xf16, #a>, %b: !sftile.frag<8x32xf16, #b>, %c: !sftile.frag<16x8xf32, #c>) {
  // expected-error@+1 {{expected one K step of 16, the K of #sftile.mma_sync<16, f16>, found 32; use an MMA for each step}}
  %d = sftile.mma %a, %b, %c by (#sftile.mma_sync<16, f16>) : !sftile.frag<16x32xf16, #a>, !sftile.frag<8x32xf16, #b>, !sftile.frag<16x8xf32, #c>
  return
}

// -----

#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#b = #sftile.layout<registers = [[0, 1], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#m = #sftile.layout<registers = [], lanes = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]]>
func.func @f(%a: !sftile.frag<16x16xf16, #a>, %b: !sftile.frag<8x16xf16, #b>, %c: !sftile.frag<16x8xf32, #c>, %m: !sftile.frag<1x32xi32, #m>) {
  // expected-error@+1 {{expected no metadata: the atom is dense}}
  %d = sftile.mma %a, %b, %c metadata %m[0] by (#sftile.mma_sync<16, f16>) : !sftile.frag<16x16xf16, #a>, !sftile.frag<8x16xf16, #b>, !sftile.frag<16x8xf32, #c>, !sftile.frag<1x32xi32, #m>
  return
}

// -----

#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#x = #sftile.layout<registers = [[0, 1], [0, 8], [0, 16]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @f(%a: !sftile.frag<16x16xf16, #a>, %b: !sftile.frag<8x32xf16, #x>, %c: !sftile.frag<16x8xf32, #c>) {
  // expected-error@+1 {{expected metadata: the atom is sparse}}
  %d = sftile.mma %a, %b, %c by (#sftile.mma_sp_sync<32, f16>) : !sftile.frag<16x16xf16, #a>, !sftile.frag<8x32xf16, #x>, !sftile.frag<16x8xf32, #c>
  return
}

// -----

// The nonzeros of a sparse operand are half as many as K.
#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#x = #sftile.layout<registers = [[0, 1], [0, 8], [0, 16]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#m = #sftile.layout<registers = [], lanes = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]]>
func.func @f(%a: !sftile.frag<16x32xf16, #a>, %b: !sftile.frag<8x32xf16, #x>, %c: !sftile.frag<16x8xf32, #c>, %m: !sftile.frag<1x32xi32, #m>) {
  // expected-error@+1 {{expected a of m x k/2, b of n x k and an accumulator of m x n}}
  %d = sftile.mma %a, %b, %c metadata %m[0] by (#sftile.mma_sp_sync<32, f16>) : !sftile.frag<16x32xf16, #a>, !sftile.frag<8x32xf16, #x>, !sftile.frag<16x8xf32, #c>, !sftile.frag<1x32xi32, #m>
  return
}

// -----

#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#x = #sftile.layout<registers = [[0, 1], [0, 8], [0, 16]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#m = #sftile.layout<registers = [], lanes = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]]>
func.func @f(%a: !sftile.frag<16x16xf16, #a>, %b: !sftile.frag<8x32xf16, #x>, %c: !sftile.frag<16x8xf32, #c>, %m: !sftile.frag<2x32xi32, #m>) {
  // expected-error@+1 {{expected metadata of 1 x 32 words, a row for each instruction, found '!sftile.frag<2x32xi32}}
  %d = sftile.mma %a, %b, %c metadata %m[0] by (#sftile.mma_sp_sync<32, f16>) : !sftile.frag<16x16xf16, #a>, !sftile.frag<8x32xf16, #x>, !sftile.frag<16x8xf32, #c>, !sftile.frag<2x32xi32, #m>
  return
}

// -----

#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#x = #sftile.layout<registers = [[0, 1], [0, 8], [0, 16]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @f(%a: !sftile.frag<16x16xf16, #a>, %b: !sftile.frag<8x32xf16, #x>, %c: !sftile.frag<16x8xf32, #c>, %m: !sftile.frag<16x8xi32, #c>) {
  // expected-error@+1 {{expected metadata in the layout that #sftile.mma_sp_sync<32, f16> assigns to it}}
  %d = sftile.mma %a, %b, %c metadata %m[0] by (#sftile.mma_sp_sync<32, f16>) : !sftile.frag<16x16xf16, #a>, !sftile.frag<8x32xf16, #x>, !sftile.frag<16x8xf32, #c>, !sftile.frag<16x8xi32, #c>
  return
}

// -----

#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#x = #sftile.layout<registers = [[0, 1], [0, 8], [0, 16]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#m = #sftile.layout<registers = [], lanes = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]]>
func.func @f(%a: !sftile.frag<16x16xf16, #a>, %b: !sftile.frag<8x32xf16, #x>, %c: !sftile.frag<16x8xf32, #c>, %m: !sftile.frag<1x32xi32, #m>) {
  // expected-error@+1 {{expected a selector from 0 to 1 for #sftile.mma_sp_sync<32, f16>}}
  %d = sftile.mma %a, %b, %c metadata %m[2] by (#sftile.mma_sp_sync<32, f16>) : !sftile.frag<16x16xf16, #a>, !sftile.frag<8x32xf16, #x>, !sftile.frag<16x8xf32, #c>, !sftile.frag<1x32xi32, #m>
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @f(%x: !sftile.frag<64x64xf32, #c>) {
  // expected-error@+1 {{expected the element type of the source, found '!sftile.frag<64x16xf16}}
  %s = sftile.slice %x[0, 0] : !sftile.frag<64x64xf32, #c> -> !sftile.frag<64x16xf16, #c>
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @f(%x: !sftile.frag<64x64xf32, #c>) {
  // expected-error@+1 {{expected elements of the source that are in registers of the same lanes, found (0, 4) with strides [1, 1] of}}
  %s = sftile.slice %x[0, 4] : !sftile.frag<64x64xf32, #c> -> !sftile.frag<64x16xf32, #c>
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @f(%x: !sftile.frag<64x64xf32, #c>) {
  // expected-error@+1 {{expected elements of the source that are in registers of the same lanes, found (0, 56) with strides [1, 1] of}}
  %s = sftile.slice %x[0, 56] : !sftile.frag<64x64xf32, #c> -> !sftile.frag<64x16xf32, #c>
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @f(%x: !sftile.frag<16x8xf32, #c>) {
  // expected-error@+1 {{expected a region argument for each of the 1 inputs, found 2}}
  %y = sftile.map %x : !sftile.frag<16x8xf32, #c> -> !sftile.frag<16x8xf32, #c> {
  ^bb0(%a: f32, %b: f32):
    sftile.yield %a : f32
  }
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @f(%x: !sftile.frag<16x16xf32, #c>) {
  // expected-error@+1 {{expected input #0 with the shape and layout of the result, found '!sftile.frag<16x16xf32}}
  %y = sftile.map %x : !sftile.frag<16x16xf32, #c> -> !sftile.frag<16x8xf32, #c> {
  ^bb0(%a: f32):
    sftile.yield %a : f32
  }
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @f(%x: !sftile.frag<16x8xf16, #c>) {
  // expected-error@+1 {{expected region argument #0 of the element type 'f16', found 'f32'}}
  %y = sftile.map %x : !sftile.frag<16x8xf16, #c> -> !sftile.frag<16x8xf32, #c> {
  ^bb0(%a: f32):
    sftile.yield %a : f32
  }
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @f(%x: !sftile.frag<16x8xf32, #c>) {
  // expected-error@+1 {{expected the region to yield a 'f16'}}
  %y = sftile.map %x : !sftile.frag<16x8xf32, #c> -> !sftile.frag<16x8xf16, #c> {
  ^bb0(%a: f32):
    sftile.yield %a : f32
  }
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @f(%x: !sftile.frag<16x8xf32, #c>, %s: !sftile.tile<8x16xf32, swizzled>) {
  // expected-error@+1 {{expected source and result of one shape and element type, found '!sftile.frag<16x8xf32}}
  %y = sftile.convert_layout %x via %s : !sftile.frag<16x8xf32, #c> to !sftile.frag<32x8xf32, #c>, !sftile.tile<8x16xf32, swizzled>
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @f(%x: !sftile.frag<16x8xf32, #c>, %s: !sftile.tile<16x8xf32, swizzled>) {
  // expected-error@+1 {{expected a scratch tile of at least 8 x 16 of 'f32', the transposed fragment, found '!sftile.tile<16x8xf32, swizzled>'}}
  %y = sftile.convert_layout %x via %s : !sftile.frag<16x8xf32, #c> to !sftile.frag<16x8xf32, #c>, !sftile.tile<16x8xf32, swizzled>
  return
}

// -----

#b = #sftile.layout<registers = [[0, 1], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @f(%x: !sftile.frag<32x64xf16, #b>, %s: !sftile.tile<64x32xf16, values24>) {
  // expected-error@+1 {{expected a swizzled or row-major scratch tile, found '!sftile.tile<64x32xf16, values24>'}}
  %y = sftile.convert_layout %x via %s : !sftile.frag<32x64xf16, #b> to !sftile.frag<32x64xf16, #b>, !sftile.tile<64x32xf16, values24>
  return
}

// -----

//===----------------------------------------------------------------------===//
// Between registers and global memory
//===----------------------------------------------------------------------===//

#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @f(%v: !sftile.view<f16, values24>, %i: i64) {
  // expected-error@+1 {{expected a view of rows, found '!sftile.view<f16, values24>'}}
  %x = sftile.load row %v[%i, %i] width 16 : !sftile.view<f16, values24> -> !sftile.frag<16x8xf16, #c>
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @f(%v: !sftile.view<f16, row_major>, %i: i64, %x: !sftile.frag<16x8xf32, #c>) {
  // expected-error@+1 {{expected view and fragment of one element type, found 'f16' and 'f32'}}
  sftile.store transposed %x to %v[%i, %i] width 16 : !sftile.frag<16x8xf32, #c> to !sftile.view<f16, row_major>
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @f(%v: !sftile.view<f32, row_major>, %i: i64, %x: !sftile.frag<16x8xf32, #c>) {
  // expected-error@+1 {{expected a width of 2, 4, 8 or 16 bytes and at least one element, found 2}}
  sftile.store transposed %x to %v[%i, %i] width 2 : !sftile.frag<16x8xf32, #c> to !sftile.view<f32, row_major>
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @f(%v: !sftile.view<f16, row_major>, %i: i64) {
  // expected-error@+1 {{expected a width of 2, 4, 8 or 16 bytes and at least one element, found 12}}
  %x = sftile.load row %v[%i, %i] width 12 : !sftile.view<f16, row_major> -> !sftile.frag<16x8xf16, #c>
  return
}

// -----

#words = #sftile.layout<registers = [[0, 1], [0, 2]], lanes = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]]>
func.func @few_nonzero_words(%t: !sftile.tile<4x128xi32, metadata24>, %i: index) {
  // expected-error@+1 {{expected codes of 2 x 32 or 4 x 32 words of i32, whose lanes hold neighbouring ones, found '!sftile.frag<8x32xi32, #sftile.layout<registers = [[0, 1], [0, 2]], lanes = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]]>>'}}
  %w = sftile.load_nonzeros %t[%i, %i] : !sftile.tile<4x128xi32, metadata24> -> !sftile.frag<8x32xi32, #words>
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @no_parts() {
  // expected-error@+1 {{expected at least one part}}
  %b = "sftile.concat"() : () -> !sftile.frag<16x64xf32, #c>
  return
}

// -----

// expected-error@+1 {{expected an order of shared memory, found tensor_map, which describes global memory}}
func.func private @f(!sftile.tile<8x8xf16, tensor_map>)

// -----

func.func @half_a_warpgroup() {
  sftile.role "multiply" warps 6 {
    // expected-error@+1 {{expected a role of whole warpgroups, four warps each, that all take part}}
    sftile.ordered_barrier arrive
  }
  return
}
