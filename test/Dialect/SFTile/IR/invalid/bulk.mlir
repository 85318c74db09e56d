// RUN: sparseflow-opt %s --split-input-file --verify-diagnostics

// Every message of the verifiers of tensor maps, bulk copies and TMA stores.

#c = #sftile.layout<registers = [[0, 1], [8, 0]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>

func.func @f(%p: !llvm.ptr<1>, %i: i64) {
  // expected-error@+1 {{expected 1 to 5 sizes, a stride for each but the first and a box of as many, found 2 sizes, 0 strides and a box of 2}}
  %m = sftile.tensor_map %p sizes [%i, %i] strides [] box [64, 8] swizzle 128 : f16
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>

func.func @f(%p: !llvm.ptr<1>, %i: i64) {
  // expected-error@+1 {{expected a box of 1 to 256 in each dimension, found 512}}
  %m = sftile.tensor_map %p sizes [%i] strides [] box [512] swizzle 0 : f16
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>

func.func @f(%p: !llvm.ptr<1>, %i: i64) {
  // expected-error@+1 {{expected a swizzle of 0, 32, 64 or 128 bytes, found 16}}
  %m = sftile.tensor_map %p sizes [%i] strides [] box [64] swizzle 16 : f16
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>

func.func @f(%p: !llvm.ptr<1>, %i: i64) {
  // expected-error@+1 {{expected rows of the box of a multiple of 16 bytes and no longer than the swizzle, found 256 bytes}}
  %m = sftile.tensor_map %p sizes [%i] strides [] box [128] swizzle 128 : f16
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>

func.func @f(%p: !llvm.ptr<1>, %i: i64) {
  // expected-error@+1 {{expected rows of the box of a multiple of 16 bytes, found 24 bytes}}
  %m = sftile.tensor_map %p sizes [%i] strides [] box [12] swizzle 0 : f16
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>

func.func @f(%m: !llvm.ptr, %i: i64) {
  // expected-error@+1 {{expected no bounds: they are in the tensor map}}
  %v = sftile.view %m[%i, %i] : !sftile.view<f16, tensor_map>
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>

func.func @f() {
  // expected-error@+1 {{expected warps as a multiple of the sharers of a tile, found 6 and 4}}
  %b = sftile.shared warps 6 sharers 4 : !sftile.tile<64x64xf16, swizzled>
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>

func.func @f() {
  // expected-error@+1 {{expected a multiple of 4 warps, which take and give registers together, found 2}}
  sftile.role "r" warps 2 registers 40 {
  }
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>

func.func @f() {
  // expected-error@+1 {{expected registers as a multiple of 8 from 24 to 256, found 41}}
  sftile.role "r" warps 4 registers 41 {
  }
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>

func.func @f(%v: !sftile.view<f16, tensor_map>, %s: !sftile.slot<128x64xf16, swizzled>, %i: i64) {
  // expected-error@+1 {{expected a role with a leader, or a branch that one thread takes, around a copy that one thread starts}}
  sftile.copy %v[%i, %i] to %s by (#sftile.tma) : !sftile.view<f16, tensor_map> to !sftile.slot<128x64xf16, swizzled>
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>

func.func @f(%v: !sftile.view<f16, tensor_map>, %s: !sftile.slot<128x64xf16, swizzled>, %i: i64) {
  // expected-error@+1 {{expected an atom that reads tensor maps for '!sftile.view<f16, tensor_map>', found #sftile.cp_async<16>}}
  sftile.copy %v[%i, %i] to %s by (#sftile.cp_async<16>) : !sftile.view<f16, tensor_map> to !sftile.slot<128x64xf16, swizzled>
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>

func.func @f(%v: !sftile.view<f16, tensor_map>, %s: !sftile.slot<128x64xf16, swizzled>, %i: i64) {
  // expected-error@+1 {{expected a packed view for #sftile.bulk, found '!sftile.view<f16, tensor_map>'}}
  sftile.copy %v[%i, %i] to %s by (#sftile.bulk) : !sftile.view<f16, tensor_map> to !sftile.slot<128x64xf16, swizzled>
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>

func.func @f(%v: !sftile.view<f16, row_major>, %s: !sftile.slot<128x64xf16, swizzled>, %i: i64) {
  // expected-error@+1 {{expected a tensor_map view for #sftile.tma, found '!sftile.view<f16, row_major>'}}
  sftile.copy %v[%i, %i] to %s by (#sftile.tma) : !sftile.view<f16, row_major> to !sftile.slot<128x64xf16, swizzled>
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>

func.func @f(%v: !sftile.view<f16, row_major>, %s: !sftile.slot<128x64xf16, swizzled>, %i: i64) {
  // expected-error@+1 {{expected a packed view, or rows of a multiple of 64 elements in their order, for #sftile.bulk, whose bytes are adjacent; found '!sftile.view<f16, row_major>' to '!sftile.tile<128x64xf16, swizzled>'}}
  sftile.copy %v[%i, %i] to %s by (#sftile.bulk) : !sftile.view<f16, row_major> to !sftile.slot<128x64xf16, swizzled>
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>

func.func @f(%v: !sftile.view<f16, row_major>, %s: !sftile.slot<128x64xf16, swizzled>, %i: i64) {
  // expected-error@+1 {{expected a bulk atom for a copy that blocks share, found #sftile.cp_async<16>}}
  sftile.copy %v[%i, %i] to %s by (#sftile.cp_async<16>) shared_by 2 : !sftile.view<f16, row_major> to !sftile.slot<128x64xf16, swizzled>
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>

func.func @f(%v: !sftile.view<f16, tensor_map>, %s: !sftile.slot<128x32xf16, swizzled>, %i: i64) {
  sftile.role "r" warps 4 leader {
  // expected-error@+1 {{expected rows of 128 bytes, the span of the swizzle, found 64}}
  sftile.copy %v[%i, %i] to %s by (#sftile.tma) : !sftile.view<f16, tensor_map> to !sftile.slot<128x32xf16, swizzled>
  }
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>

func.func @f(%v: !sftile.view<f16, tensor_map>, %s: !sftile.slot<128x64xf16, swizzled>, %i: i64) {
  sftile.role "r" warps 4 leader {
  // expected-error@+1 {{expected shared_by to divide a tile of a tensor map in parts of a multiple of 8 rows, found 3 for '!sftile.tile<128x64xf16, swizzled>'}}
  sftile.copy %v[%i, %i] to %s by (#sftile.tma) shared_by 3 : !sftile.view<f16, tensor_map> to !sftile.slot<128x64xf16, swizzled>
  }
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>

func.func @f(%p: !sftile.pending<!sftile.frag<16x128xf32, #c>>) {
  // expected-error-re@+1 {{expected a result of {{.*}}, finished or pending, found {{.*}}}}
  %a = sftile.wait_group %p pending 1 by (#sftile.wgmma<f16>) : !sftile.pending<!sftile.frag<16x128xf32, #c>> -> !sftile.frag<16x64xf32, #c>
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>

func.func @f(%p: !sftile.pending<!sftile.frag<16x128xf32, #c>>) {
  // expected-error-re@+1 {{expected a result of {{.*}}, found {{.*}}}}
  %a = sftile.wait_group %p by (#sftile.wgmma<f16>) : !sftile.pending<!sftile.frag<16x128xf32, #c>> -> !sftile.pending<!sftile.frag<16x128xf32, #c>>
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>

func.func @f(%p: !sftile.pending<!sftile.frag<16x128xf32, #c>>) {
  // expected-error@+1 {{expected 0 to 7 groups to be pending, found 9}}
  %a = sftile.wait_group %p pending 9 by (#sftile.wgmma<f16>) : !sftile.pending<!sftile.frag<16x128xf32, #c>> -> !sftile.pending<!sftile.frag<16x128xf32, #c>>
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>

func.func @f(%p: !sftile.pending<!sftile.frag<16x128xf32, #c>>) {
  // expected-error@+1 {{expected a result for each accumulator, found 1 accumulators and 2 results}}
  %a:2 = sftile.wait_group %p by (#sftile.wgmma<f16>) : !sftile.pending<!sftile.frag<16x128xf32, #c>> -> !sftile.frag<16x128xf32, #c>, !sftile.frag<16x128xf32, #c>
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>

func.func @f(%y: !sftile.frag<16x16xf32, #c>, %t: !sftile.tile<64x64xf16, swizzled>, %i: index) {
  // expected-error@+1 {{expected tile and fragment of one element type, found 'f16' and 'f32'}}
  sftile.store transposed %y to %t[%i, %i] : !sftile.frag<16x16xf32, #c> to !sftile.tile<64x64xf16, swizzled>
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>

func.func @f(%y: !sftile.frag<16x128xf16, #c>, %t: !sftile.tile<64x64xf16, swizzled>, %i: index) {
  // expected-error-re@+1 {{expected a fragment whose transpose is no larger than the tile, found {{.*}}}}
  sftile.store transposed %y to %t[%i, %i] : !sftile.frag<16x128xf16, #c> to !sftile.tile<64x64xf16, swizzled>
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>

func.func @f(%t: !sftile.tile<8x64xf16, swizzled>, %i: index) {
  // expected-error-re@+1 {{expected a fragment whose transpose is no larger than the tile, found {{.*}}}}
  %y = sftile.load transposed %t[%i, %i] : !sftile.tile<8x64xf16, swizzled> -> !sftile.frag<16x16xf16, #c>
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>

func.func @f(%v: !sftile.view<f16, row_major>, %i: i64) {
  %t = sftile.shared warps 4 sharers 4 : !sftile.tile<64x64xf16, swizzled>
  // expected-error@+1 {{expected a tensor_map view, found '!sftile.view<f16, row_major>'}}
  sftile.tma_store %t to %v[%i, %i] by (#sftile.tma) : !sftile.tile<64x64xf16, swizzled> to !sftile.view<f16, row_major>
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>

func.func @f(%v: !sftile.view<bf16, tensor_map>, %i: i64) {
  %t = sftile.shared warps 4 sharers 4 : !sftile.tile<64x64xf16, swizzled>
  // expected-error@+1 {{expected tile and view of one element type, found 'f16' and 'bf16'}}
  sftile.tma_store %t to %v[%i, %i] by (#sftile.tma) : !sftile.tile<64x64xf16, swizzled> to !sftile.view<bf16, tensor_map>
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>

func.func @f(%v: !sftile.view<f16, tensor_map>, %i: i64) {
  %t = sftile.shared warps 4 sharers 4 : !sftile.tile<64x32xf16, swizzled>
  // expected-error@+1 {{expected a swizzled tile with rows of 128 bytes, found '!sftile.tile<64x32xf16, swizzled>'}}
  sftile.tma_store %t to %v[%i, %i] by (#sftile.tma) : !sftile.tile<64x32xf16, swizzled> to !sftile.view<f16, tensor_map>
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>

func.func @f(%y: !sftile.frag<16x128xf32, #c>, %r: !sftile.ring<2, [!sftile.tile<8x64xf16, swizzled>]>, %i: index) {
  // expected-error@+1 {{expected a role whose warps all take part}}
  %t = sftile.dsmem_exchange %y with %i via %r at 0 : !sftile.ring<2, [!sftile.tile<8x64xf16, swizzled>]>, !sftile.frag<16x128xf32, #c> -> !sftile.frag<16x128xf32, #c>
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>

func.func @f(%y: !sftile.frag<16x128xf32, #c>, %r: !sftile.ring<2, [!sftile.tile<8x64xf16, swizzled>]>, %i: index) {
  sftile.role "r" warps 4 {
  // expected-error@+1 {{expected to take fragments of the types that it gives, found '!sftile.frag<16x64xf32}}
  %t = sftile.dsmem_exchange %y with %i via %r at 0 : !sftile.ring<2, [!sftile.tile<8x64xf16, swizzled>]>, !sftile.frag<16x128xf32, #c> -> !sftile.frag<16x64xf32, #c>
  }
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>

func.func @f(%y: !sftile.frag<16x128xf32, #c>, %r: !sftile.ring<2, [!sftile.tile<8x64xf16, swizzled>]>, %i: index) {
  sftile.role "r" warps 4 {
  // expected-error@+1 {{expected a ring with memory for the fragments of 4 warps, up to byte 33792, found 2048}}
  %t = sftile.dsmem_exchange %y with %i via %r at 1024 : !sftile.ring<2, [!sftile.tile<8x64xf16, swizzled>]>, !sftile.frag<16x128xf32, #c> -> !sftile.frag<16x128xf32, #c>
  }
  return
}

// -----

func.func @f(%t: !sftile.tile<64x64xf16, swizzled>) {
  // expected-error@+1 {{expected a tile that sftile.shared gave to its sharers alone}}
  sftile.wait_group from (%t : !sftile.tile<64x64xf16, swizzled>) by (#sftile.tma)
  return
}

// -----

func.func @f() {
  %t = sftile.shared warps 4 sharers 4 : !sftile.tile<64x64xf16, swizzled>
  // expected-error@+1 {{expected an atom that uses tensor maps, found #sftile.bulk}}
  sftile.wait_group from (%t : !sftile.tile<64x64xf16, swizzled>) by (#sftile.bulk)
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
func.func @f(%x: !sftile.frag<16x8xf32, #c>) {
  %t = sftile.shared warps 4 sharers 4 : !sftile.tile<64x64xf16, swizzled>
  // expected-error@+1 {{expected no accumulators and no fragments to hold for copies from a tile}}
  sftile.wait_group holding (%x : !sftile.frag<16x8xf32, #c>) from (%t : !sftile.tile<64x64xf16, swizzled>) by (#sftile.tma)
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expected warps and sharers of a tile, or bytes of a pointer}}
  %t = sftile.shared bytes 64 : !sftile.tile<64x64xf16, swizzled>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expected a tile to be overlaid, found '!llvm.ptr<3>'}}
  %t = sftile.shared bytes 64 overlaid : !llvm.ptr<3>
  return
}

// -----

func.func @f(%p: !llvm.ptr<1>) {
  // expected-error@+1 {{expected bounds: rows and columns, or units}}
  %v = sftile.view %p : !sftile.view<f16, values24>
  return
}

// -----

func.func @f(%p: !llvm.ptr<1>, %i: i64) {
  // expected-error@+1 {{expected indices of further dimensions only of a view in tensor_map order, found '!sftile.view<f16, values24>'}}
  %v = sftile.view %p[%i, %i] at [%i] : !sftile.view<f16, values24>
  return
}

// -----

func.func @f(%p: !llvm.ptr<1>, %i: i64) {
  // expected-error@+1 {{expected a number as the first extent of the box, found a value: rows in shared memory have one length}}
  %m = sftile.tensor_map %p sizes [%i] strides [] box [%i] swizzle 0 : f16
  return
}

// -----

func.func @f(%p: !llvm.ptr<1>, %i: i64) {
  // expected-error@+1 {{expected a value for each of the 1 extents of the box that are not numbers, found 0}}
  %m = "sftile.tensor_map"(%p, %i, %i, %i) {operandSegmentSizes = array<i32: 1, 2, 1, 0>,
      box = array<i64: 64, -9223372036854775808>, swizzle = 128 : i64, elementType = f16}
      : (!llvm.ptr<1>, i64, i64, i64) -> !llvm.ptr
  return
}

// -----

// Rows of packed weights hold metadata, which must be valid.
func.func @f(%m: !sftile.view<f16, tensor_map>, %i: i64,
             %slot: !sftile.slot<64x32xf16, values24>) {
  sftile.role "copy" warps 4 leader {
    // expected-error@+1 {{expected rows only of a tensor map's box for a swizzled slot, found '!sftile.view<f16, tensor_map>' to '!sftile.slot<64x32xf16, values24>'}}
    sftile.copy %m[%i, %i] to %slot rows %i by (#sftile.tma)
        : !sftile.view<f16, tensor_map> to !sftile.slot<64x32xf16, values24>
  }
  return
}

// -----

func.func @f(%x: !sftile.view<f16, row_major>, %i: i64,
             %slot: !sftile.slot<64x64xf16, swizzled>) {
  // expected-error@+1 {{expected a bulk atom for a copy of some rows, found #sftile.cp_async<16>}}
  sftile.copy %x[%i, %i] to %slot rows %i by (#sftile.cp_async<16>)
      : !sftile.view<f16, row_major> to !sftile.slot<64x64xf16, swizzled>
  return
}

// -----

!ring = !sftile.ring<2, [!sftile.tile<64x64xf16, swizzled>]>
func.func @f(%m: !sftile.view<f16, tensor_map>, %i: i64, %at: index, %ring: !ring) {
  sftile.role "copy" warps 4 leader {
    %slot = sftile.acquire %ring[%at] : !ring -> !sftile.slot<64x64xf16, swizzled>
    %rows = arith.addi %i, %i : i64
    // expected-error@+1 {{expected rows that are known before the slot is acquired, because the stage then expects their bytes; move them in front of sftile.acquire}}
    sftile.copy %m[%i, %i] to %slot rows %rows by (#sftile.tma)
        : !sftile.view<f16, tensor_map> to !sftile.slot<64x64xf16, swizzled>
  }
  return
}

// -----

func.func @f(%v: !sftile.view<f16, tensor_map>, %s: !sftile.slot<112x64xf16, swizzled>, %i: i64) {
  sftile.role "copy" warps 4 leader {
    // expected-error@+1 {{expected a piece of a tile of a tensor map that one block copies, in parts of a multiple of 8 rows, found 1 of 4 for '!sftile.tile<112x64xf16, swizzled>'}}
    sftile.copy %v[%i, %i] to %s by (#sftile.tma) piece 1 of 4 : !sftile.view<f16, tensor_map> to !sftile.slot<112x64xf16, swizzled>
  }
  return
}

// -----

func.func @f(%v: !sftile.view<f16, tensor_map>, %s: !sftile.slot<128x64xf16, swizzled>, %i: i64) {
  sftile.role "copy" warps 4 leader {
    // expected-error@+1 {{in parts of a multiple of 8 rows, found 4 of 4 for}}
    sftile.copy %v[%i, %i] to %s by (#sftile.tma) piece 4 of 4 : !sftile.view<f16, tensor_map> to !sftile.slot<128x64xf16, swizzled>
  }
  return
}

// -----

func.func @f(%v: !sftile.view<f16, row_major>, %s: !sftile.slot<128x64xf16, swizzled>, %i: i64) {
  sftile.role "copy" warps 4 {
    // expected-error@+1 {{expected a bulk atom for a piece of a slot, found #sftile.cp_async<16>}}
    sftile.copy %v[%i, %i] to %s by (#sftile.cp_async<16>) piece 0 of 2 : !sftile.view<f16, row_major> to !sftile.slot<128x64xf16, swizzled>
  }
  return
}

// -----

func.func @f(%v: !sftile.view<f16, row_major>, %s: !sftile.slot<128x64xf16, swizzled>, %i: i64) {
  sftile.role "copy" warps 4 {
    // expected-error@+1 {{expected a tensor map for what is read once, found '!sftile.view<f16, row_major>'}}
    sftile.copy %v[%i, %i] to %s by (#sftile.cp_async<16>) read_once : !sftile.view<f16, row_major> to !sftile.slot<128x64xf16, swizzled>
  }
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expected a leader, and a second warp, for what stands beside its body}}
  sftile.role "copy" warps 4 {
  } beside {
    sftile.barrier role
  }
  return
}

// -----

!ring = !sftile.ring<2, [!sftile.tile<64x32xf16, swizzled>]>
func.func @f(%i: index) {
  %ring = sftile.ring : !ring
  // expected-error@+1 {{expected no ring beside its body: one warp fills stages, or all of a role read them}}
  sftile.role "copy" warps 4 leader {
  } beside {
    sftile.release %ring[%i] : !ring
  }
  return
}
