// RUN: sparseflow-opt %s --split-input-file --verify-diagnostics

// Every message of the verifiers of operations on rows and of their schedules.

// expected-error@+1 {{schedule "r": expected warp to be a multiple of 16 of at least 16, found 8}}
func.func private @f() attributes { a = #sftile.attention_schedule<"r", queries = 64, warp = 8, keys = 64, pipeline = #sftile.multistage_attention<stages = 2>> }

// -----

// expected-error@+1 {{schedule "r": expected a pipeline of multistage_attention, warp_specialized_attention or int8_attention, found #sftile.multistage<k = 64, stages = 2>}}
func.func private @f() attributes { a = #sftile.attention_schedule<"r", queries = 64, warp = 16, keys = 64, pipeline = #sftile.multistage<k = 64, stages = 2>> }

// -----

// expected-error@+1 {{schedule "r": expected packed heads of 16 queries for int8 MMAs, found 32 queries}}
func.func private @f() attributes { a = #sftile.attention_schedule<"r", queries = 32, warp = 16, keys = 64, pipeline = #sftile.int8_attention<stages = 2>> }

// -----

// expected-error@+1 {{schedule "r": expected at most 256 keys in a stage, the columns of an MMA, with producer warps, found 272}}
func.func private @f() attributes { a = #sftile.attention_schedule<"r", queries = 64, warp = 16, keys = 272, pipeline = #sftile.warp_specialized_attention<stages = 2>> }

// -----

// expected-error@+1 {{schedule "r": expected 1 to 32 warps of 16 queries in a block, found 40 queries}}
func.func private @f() attributes { a = #sftile.attention_schedule<"r", queries = 40, warp = 16, keys = 64, pipeline = #sftile.multistage_attention<stages = 2>> }

// -----

// expected-error@+1 {{schedule "r": expected keys to be a multiple of 16 of at least 16, found 24}}
func.func private @f() attributes { a = #sftile.attention_schedule<"r", queries = 64, warp = 16, keys = 24, pipeline = #sftile.multistage_attention<stages = 2>> }

// -----

// expected-error@+1 {{expected stages to be an integer from 2 to 16, found 1}}
func.func private @f() attributes { a = #sftile.attention_schedule<"r", queries = 64, warp = 16, keys = 64, pipeline = #sftile.multistage_attention<stages = 1>> }

// -----

// expected-error@+1 {{schedule "r": expected min_blocks to be an integer of at least 0, found -1}}
func.func private @f() attributes { a = #sftile.attention_schedule<"r", queries = 64, warp = 16, keys = 64, min_blocks = -1, pipeline = #sftile.multistage_attention<stages = 2>> }

// -----

// expected-error@+1 {{schedule "r": expected split_min_keys of at least 1 with split_blocks, found 0}}
func.func private @f() attributes { a = #sftile.attention_schedule<"r", queries = 64, warp = 16, keys = 64, split_blocks = 4, pipeline = #sftile.multistage_attention<stages = 2>> }

// -----

// expected-error@+1 {{schedule "r": expected max_queries of at least 1 where heads are packed, found 0}}
func.func private @f() attributes { a = #sftile.attention_schedule<"r", queries = 64, warp = 16, keys = 64, packed = true, pipeline = #sftile.multistage_attention<stages = 2>> }

// -----

// expected-error@+1 {{schedule "r": expected max_queries = 1 where heads are packed and blocks or warps divide the keys or the features of a tile, found 4}}
func.func private @f() attributes { a = #sftile.attention_schedule<"r", queries = 64, warp = 16, keys = 64, packed = true, max_queries = 4, pipeline = #sftile.warp_specialized_attention<stages = 2, key_blocks = 2>> }

// -----

// expected-error@+1 {{schedule "r": expected no plan without producer warps, found plan = true}}
func.func private @f() attributes { a = #sftile.attention_schedule<"r", queries = 64, warp = 16, keys = 64, plan = true, pipeline = #sftile.multistage_attention<stages = 2>> }

// -----

// expected-error@+1 {{schedule "r": expected one head in a tile without producer warps, found 2 heads}}
func.func private @f() attributes { a = #sftile.attention_schedule<"r", queries = 64, warp = 16, keys = 64, heads = 2, pipeline = #sftile.multistage_attention<stages = 2>> }

// -----

// expected-error@+1 {{schedule "r": expected group to be an integer of at least 1, found 0}}
func.func private @f() attributes { a = #sftile.attention_schedule<"r", queries = 64, warp = 16, keys = 64, group = 0, pipeline = #sftile.multistage_attention<stages = 2>> }

// -----

#acc = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#b = #sftile.layout<registers = [[0, 1], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#rows = #sftile.layout<registers = [[8, 0]], lanes = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]]>
func.func @f(%x: !sftile.frag<16x16xf16, #acc>) {
  // expected-error@+1 {{expected elements of f32, found}}
  %y = sftile.reduce max %x : !sftile.frag<16x16xf16, #acc> -> !sftile.frag<16x16xf16, #acc>
  return
}

// -----

#acc = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#b = #sftile.layout<registers = [[0, 1], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#rows = #sftile.layout<registers = [[8, 0]], lanes = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]]>
func.func @f(%x: !sftile.frag<16x16xf32, #acc>) {
  // expected-error@+1 {{expected source and result to hold the same rows in the same lanes}}
  %y = sftile.reduce max %x : !sftile.frag<16x16xf32, #acc> -> !sftile.frag<32x1xf32, #rows>
  return
}

// -----

#acc = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#b = #sftile.layout<registers = [[0, 1], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#rows = #sftile.layout<registers = [[8, 0]], lanes = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]]>
func.func @f(%x: !sftile.frag<16x16xf32, #acc>) {
  // expected-error@+1 {{expected one element type}}
  %y = sftile.reduce max %x : !sftile.frag<16x16xf32, #acc> -> !sftile.frag<16x1xi32, #rows>
  return
}

// -----

#acc = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#b = #sftile.layout<registers = [[0, 1], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#rows = #sftile.layout<registers = [[8, 0]], lanes = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]]>
func.func @f(%x: !sftile.frag<16x16xf32, #acc>) {
  // expected-error@+1 {{expected a result of one column with the layout}}
  %y = sftile.reduce max %x : !sftile.frag<16x16xf32, #acc> -> !sftile.frag<16x8xf32, #acc>
  return
}

// -----

#acc = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#b = #sftile.layout<registers = [[0, 1], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#rows = #sftile.layout<registers = [[8, 0]], lanes = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]]>
func.func @f(%x: !sftile.frag<16x8xf32, #acc>) {
  // expected-error@+1 {{expected a source of one column}}
  %y = sftile.broadcast %x : !sftile.frag<16x8xf32, #acc> -> !sftile.frag<16x16xf32, #acc>
  return
}

// -----

#acc = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#b = #sftile.layout<registers = [[0, 1], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#rows = #sftile.layout<registers = [[8, 0]], lanes = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]]>
#columns = #sftile.layout<registers = [[0, 1]], lanes = [[0, 2], [0, 4], [0, 0], [0, 0], [0, 0]]>
func.func @f(%x: !sftile.frag<1x8xf32, #columns>) {
  // expected-error@+1 {{expected source and result to hold the same columns in the same lanes}}
  %y = sftile.broadcast %x : !sftile.frag<1x8xf32, #columns> -> !sftile.frag<16x16xf32, #acc>
  return
}

// -----

#acc = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#b = #sftile.layout<registers = [[0, 1], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#rows = #sftile.layout<registers = [[8, 0]], lanes = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]]>
func.func @f(%x: !sftile.frag<16x16xf16, #acc>) {
  // expected-error@+1 {{expected layouts between which no element moves, or scratch memory, 'via %tile', through which elements do; found}}
  %y = sftile.convert_layout %x : !sftile.frag<16x16xf16, #acc> to !sftile.frag<16x16xf16, #b>
  return
}

// -----

#acc = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#b = #sftile.layout<registers = [[0, 1], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#rows = #sftile.layout<registers = [[8, 0]], lanes = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]]>
func.func @f(%x: !sftile.frag<16x16xf16, #acc>) {
  // expected-error@+1 {{expected source and result of one shape and element type}}
  %y = sftile.convert_layout %x : !sftile.frag<16x16xf16, #acc> to !sftile.frag<16x32xf16, #a>
  return
}

// -----

#acc = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#b = #sftile.layout<registers = [[0, 1], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#rows = #sftile.layout<registers = [[8, 0]], lanes = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]]>
func.func @f(%x: i32) {
  // expected-error@+1 {{expected elements of i32}}
  %y = sftile.positions col %x : !sftile.frag<16x16xf32, #acc>
  return
}

// -----

#acc = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#b = #sftile.layout<registers = [[0, 1], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#rows = #sftile.layout<registers = [[8, 0]], lanes = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]]>
#vec = #sftile.layout<registers = [[1, 0], [0, 4]], lanes = [[2, 0], [4, 0], [8, 0], [0, 1], [0, 2]]>
func.func @f(%x: !sftile.frag<16x16xf16, #acc>, %t: !sftile.tile<64x64xf16, swizzled>, %v: !sftile.view<f32, row_major>, %p: !sftile.view<f16, values24>, %c: index, %i: i64) {
  %s = sftile.shared warps 1 sharers 1 overlaid : !sftile.tile<8x64xf16, swizzled>
  %u = sftile.shared warps 1 sharers 1 overlaid : !sftile.tile<64x64xbf16, swizzled>
  // expected-error@+1 {{expected tile and fragment of one element type}}
  %f = sftile.load transposed %t[%c, %c] by (#sftile.ldmatrix) : !sftile.tile<64x64xf16, swizzled> -> !sftile.frag<16x16xbf16, #b>
  return
}

// -----

#acc = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#b = #sftile.layout<registers = [[0, 1], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#rows = #sftile.layout<registers = [[8, 0]], lanes = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]]>
#vec = #sftile.layout<registers = [[1, 0], [0, 4]], lanes = [[2, 0], [4, 0], [8, 0], [0, 1], [0, 2]]>
func.func @f(%x: !sftile.frag<16x16xf16, #acc>, %t: !sftile.tile<64x64xf16, swizzled>, %v: !sftile.view<f32, row_major>, %p: !sftile.view<f16, values24>, %c: index, %i: i64) {
  %s = sftile.shared warps 1 sharers 1 overlaid : !sftile.tile<8x64xf16, swizzled>
  %u = sftile.shared warps 1 sharers 1 overlaid : !sftile.tile<64x64xbf16, swizzled>
  // expected-error@+1 {{expected a fragment whose transpose is no larger than the tile}}
  %f = sftile.load transposed %t[%c, %c] by (#sftile.ldmatrix) : !sftile.tile<64x64xf16, swizzled> -> !sftile.frag<128x16xf16, #b>
  return
}

// -----

#acc = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#b = #sftile.layout<registers = [[0, 1], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#rows = #sftile.layout<registers = [[8, 0]], lanes = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]]>
#vec = #sftile.layout<registers = [[1, 0], [0, 4]], lanes = [[2, 0], [4, 0], [8, 0], [0, 1], [0, 2]]>
func.func @f(%x: !sftile.frag<16x16xf16, #acc>, %t: !sftile.tile<64x64xf16, swizzled>, %v: !sftile.view<f32, row_major>, %p: !sftile.view<f16, values24>, %c: index, %i: i64) {
  %s = sftile.shared warps 1 sharers 1 overlaid : !sftile.tile<8x64xf16, swizzled>
  %u = sftile.shared warps 1 sharers 1 overlaid : !sftile.tile<64x64xbf16, swizzled>
  // expected-error@+1 {{expected a fragment of matrices of 8 rows of 16 bytes, each lane holding four neighbouring bytes of 16-bit elements, for #sftile.ldmatrix}}
  %f = sftile.load transposed %t[%c, %c] by (#sftile.ldmatrix) : !sftile.tile<64x64xf16, swizzled> -> !sftile.frag<16x16xf16, #vec>
  return
}

// -----

#acc = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#b = #sftile.layout<registers = [[0, 1], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#rows = #sftile.layout<registers = [[8, 0]], lanes = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]]>
#vec = #sftile.layout<registers = [[1, 0], [0, 4]], lanes = [[2, 0], [4, 0], [8, 0], [0, 1], [0, 2]]>
func.func @f(%x: !sftile.frag<16x16xf16, #acc>, %t: !sftile.tile<64x64xf16, swizzled>, %v: !sftile.view<f32, row_major>, %p: !sftile.view<f16, values24>, %c: index, %i: i64) {
  %s = sftile.shared warps 1 sharers 1 overlaid : !sftile.tile<8x64xf16, swizzled>
  %u = sftile.shared warps 1 sharers 1 overlaid : !sftile.tile<64x64xbf16, swizzled>
  // expected-error@+1 {{expected a tile that sftile.shared gave, or sftile.wait to a role that overwrites what it has read}}
  sftile.store %x to %t[%c, %c] : !sftile.frag<16x16xf16, #acc> to !sftile.tile<64x64xf16, swizzled>
  return
}

// -----

#acc = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#b = #sftile.layout<registers = [[0, 1], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#rows = #sftile.layout<registers = [[8, 0]], lanes = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]]>
#vec = #sftile.layout<registers = [[1, 0], [0, 4]], lanes = [[2, 0], [4, 0], [8, 0], [0, 1], [0, 2]]>
func.func @f(%x: !sftile.frag<16x16xf16, #acc>, %t: !sftile.tile<64x64xf16, swizzled>, %v: !sftile.view<f32, row_major>, %p: !sftile.view<f16, values24>, %c: index, %i: i64) {
  %s = sftile.shared warps 1 sharers 1 overlaid : !sftile.tile<8x64xf16, swizzled>
  %u = sftile.shared warps 1 sharers 1 overlaid : !sftile.tile<64x64xbf16, swizzled>
  // expected-error@+1 {{expected a fragment no larger than the tile}}
  sftile.store %x to %s[%c, %c] : !sftile.frag<16x16xf16, #acc> to !sftile.tile<8x64xf16, swizzled>
  return
}

// -----

#acc = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#b = #sftile.layout<registers = [[0, 1], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#rows = #sftile.layout<registers = [[8, 0]], lanes = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]]>
#vec = #sftile.layout<registers = [[1, 0], [0, 4]], lanes = [[2, 0], [4, 0], [8, 0], [0, 1], [0, 2]]>
func.func @f(%x: !sftile.frag<16x16xf16, #acc>, %t: !sftile.tile<64x64xf16, swizzled>, %v: !sftile.view<f32, row_major>, %p: !sftile.view<f16, values24>, %c: index, %i: i64) {
  %s = sftile.shared warps 1 sharers 1 overlaid : !sftile.tile<8x64xf16, swizzled>
  %u = sftile.shared warps 1 sharers 1 overlaid : !sftile.tile<64x64xbf16, swizzled>
  // expected-error@+1 {{expected tile and fragment of one element type}}
  sftile.store %x to %u[%c, %c] : !sftile.frag<16x16xf16, #acc> to !sftile.tile<64x64xbf16, swizzled>
  return
}

// -----

#acc = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#b = #sftile.layout<registers = [[0, 1], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#rows = #sftile.layout<registers = [[8, 0]], lanes = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]]>
#vec = #sftile.layout<registers = [[1, 0], [0, 4]], lanes = [[2, 0], [4, 0], [8, 0], [0, 1], [0, 2]]>
func.func @f(%x: !sftile.frag<16x16xf16, #acc>, %t: !sftile.tile<64x64xf16, swizzled>, %v: !sftile.view<f32, row_major>, %p: !sftile.view<f16, values24>, %c: index, %i: i64) {
  %s = sftile.shared warps 1 sharers 1 overlaid : !sftile.tile<8x64xf16, swizzled>
  %u = sftile.shared warps 1 sharers 1 overlaid : !sftile.tile<64x64xbf16, swizzled>
  // expected-error@+1 {{expected view and fragment of one element type}}
  sftile.store %x to %v[%i, %i] width 4 : !sftile.frag<16x16xf16, #acc> to !sftile.view<f32, row_major>
  return
}

// -----

#acc = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#b = #sftile.layout<registers = [[0, 1], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#rows = #sftile.layout<registers = [[8, 0]], lanes = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]]>
#vec = #sftile.layout<registers = [[1, 0], [0, 4]], lanes = [[2, 0], [4, 0], [8, 0], [0, 1], [0, 2]]>
func.func @f(%x: !sftile.frag<16x16xf16, #acc>, %t: !sftile.tile<64x64xf16, swizzled>, %v: !sftile.view<f32, row_major>, %p: !sftile.view<f16, values24>, %c: index, %i: i64) {
  %s = sftile.shared warps 1 sharers 1 overlaid : !sftile.tile<8x64xf16, swizzled>
  %u = sftile.shared warps 1 sharers 1 overlaid : !sftile.tile<64x64xbf16, swizzled>
  // expected-error@+1 {{expected a view of rows}}
  sftile.store %x to %p[%i, %i] width 4 : !sftile.frag<16x16xf16, #acc> to !sftile.view<f16, values24>
  return
}

// -----

#acc = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#b = #sftile.layout<registers = [[0, 1], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#rows = #sftile.layout<registers = [[8, 0]], lanes = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]]>
#vec = #sftile.layout<registers = [[1, 0], [0, 4]], lanes = [[2, 0], [4, 0], [8, 0], [0, 1], [0, 2]]>
func.func @f(%x: !sftile.frag<16x16xf16, #acc>, %t: !sftile.tile<64x64xf16, swizzled>, %v: !sftile.view<f32, row_major>, %p: !sftile.view<f16, values24>, %c: index, %i: i64) {
  %s = sftile.shared warps 1 sharers 1 overlaid : !sftile.tile<8x64xf16, swizzled>
  %u = sftile.shared warps 1 sharers 1 overlaid : !sftile.tile<64x64xbf16, swizzled>
  // expected-error@+1 {{expected a width of 2, 4, 8 or 16 bytes and at least one element, found 2}}
  %f = sftile.load %v[%i, %i] width 2 : !sftile.view<f32, row_major> -> !sftile.frag<16x16xf32, #acc>
  return
}

// -----

// expected-error@+1 {{schedule "r": expected feature_warps of 1, or of 4 with 16 queries a warp, found 2 with 16 queries}}
func.func private @feature_warps() attributes { a = #sftile.attention_schedule<"r", queries = 16, warp = 16, keys = 64, pipeline = #sftile.multistage_attention<stages = 2, feature_warps = 2>> }

// -----

// expected-error@+1 {{schedule "r": expected packed heads of one warp's queries with key_warps, found 16 queries}}
func.func private @key_warps() attributes { a = #sftile.attention_schedule<"r", queries = 16, warp = 16, keys = 32, pipeline = #sftile.multistage_attention<stages = 2, key_warps = 4>> }

// -----

// expected-error@+1 {{schedule "r": expected at most 32 warps in a block, found 64}}
func.func private @feature_blocks() attributes { a = #sftile.attention_schedule<"r", queries = 256, warp = 16, keys = 64, pipeline = #sftile.multistage_attention<stages = 2, feature_warps = 4>> }
