// RUN: sparseflow-opt %s --verify-roundtrip | FileCheck %s

// Operations on rows, with the examples of their documentation (examples.test
// checks that they are all here).

#accumulator = #sftile.layout<registers = [[0, 1], [8, 0]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#b = #sftile.layout<registers = [[0, 1], [0, 8]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#rows = #sftile.layout<registers = [[8, 0]],
    lanes = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]]>
#scores = #sftile.layout<registers = [[0, 1], [0, 8]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#columns = #sftile.layout<registers = [[0, 1], [0, 8]],
    lanes = [[0, 2], [0, 4], [0, 0], [0, 0], [0, 0]]>
#parts = #sftile.layout<registers = [[8, 0]],
    lanes = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]]>

// CHECK-LABEL: func.func private @schedule() attributes
// CHECK-SAME: a = #sftile.attention_schedule<"sm80.wide", queries = 128, warp = 32, keys = 64, group = 16, pipeline = #sftile.multistage_attention<stages = 2>>
func.func private @schedule() attributes { a =
    #sftile.attention_schedule<"sm80.wide", queries = 128, warp = 32, keys = 64, group = 16, pipeline = #sftile.multistage_attention<stages = 2>>
}

// CHECK-LABEL: func.func private @mapped_schedule() attributes
// CHECK-SAME: a = #sftile.attention_schedule<"sm90a.d128", queries = 128, warp = 16, keys = 128, group = 16, pipeline = #sftile.warp_specialized_attention<stages = 2, grid = 132, ping_pong = true>>
func.func private @mapped_schedule() attributes { a =
    #sftile.attention_schedule<"sm90a.d128", queries = 128, warp = 16, keys = 128, group = 16, pipeline = #sftile.warp_specialized_attention<stages = 2, grid = 132, ping_pong = true>>
}

// CHECK-LABEL: func.func private @clustered_schedule() attributes
// CHECK-SAME: group_bytes = 33554432, pipeline = #sftile.warp_specialized_attention<stages = 2, producer_registers = 40, cluster = 2, grid = 132, ping_pong = true>>
func.func private @clustered_schedule() attributes { a =
    #sftile.attention_schedule<"sm90a.d128", queries = 128, warp = 16, keys = 128, group = 16, group_bytes = 33554432, pipeline = #sftile.warp_specialized_attention<stages = 2, producer_registers = 40, cluster = 2, grid = 132, ping_pong = true>>
}

// CHECK-LABEL: func.func private @two_blocks_schedule() attributes
// CHECK-SAME: pipeline = #sftile.warp_specialized_attention<stages = 3, producer_registers = 64, grid = 264, blocks_per_sm = 2>>
func.func private @two_blocks_schedule() attributes { a =
    #sftile.attention_schedule<"sm90a.decode", queries = 64, warp = 16, keys = 64, packed = true, max_queries = 1, split_blocks = 264, split_min_keys = 128, pipeline = #sftile.warp_specialized_attention<stages = 3, producer_registers = 64, grid = 264, blocks_per_sm = 2>>
}

// CHECK-LABEL: func.func @rows
// CHECK: sftile.reduce add %{{.*}} : <16x64xf32, #{{.*}}> -> !sftile.frag<16x4xf32, #{{.*}}>
// CHECK: sftile.reduce add %{{.*}} : <16x4xf32, #{{.*}}> -> !sftile.frag<16x1xf32, #{{.*}}>
// CHECK: sftile.reduce max %{{.*}} : <16x64xf32, #{{.*}}> -> !sftile.frag<16x1xf32, #{{.*}}>
// CHECK: sftile.broadcast %{{.*}} : !sftile.frag<16x1xf32, #{{.*}}> -> <16x64xf32, #{{.*}}>
// CHECK: sftile.broadcast %{{.*}} : !sftile.frag<1x16xf32, #{{.*}}> -> <8x16xf32, #{{.*}}>
// CHECK: sftile.positions col %{{.*}} : <16x64xi32, #{{.*}}>
// CHECK: sftile.positions row %{{.*}} : <16x1xi32, #{{.*}}>
func.func @rows(%p: !sftile.frag<16x64xf32, #accumulator>,
                %scale: !sftile.frag<1x16xf32, #columns>, %first: i32) {
  %part = sftile.reduce add %p : !sftile.frag<16x64xf32, #accumulator>
      -> !sftile.frag<16x4xf32, #parts>
  %sum = sftile.reduce add %part : !sftile.frag<16x4xf32, #parts>
      -> !sftile.frag<16x1xf32, #rows>
  %max = sftile.reduce max %p : !sftile.frag<16x64xf32, #accumulator>
      -> !sftile.frag<16x1xf32, #rows>
  %c = arith.constant 0.0 : f32
  %zero = sftile.broadcast %c : f32 -> !sftile.frag<64x64xf32, #accumulator>
  %all = sftile.broadcast %max : !sftile.frag<16x1xf32, #rows>
      -> !sftile.frag<16x64xf32, #accumulator>
  %each = sftile.broadcast %scale : !sftile.frag<1x16xf32, #columns>
      -> !sftile.frag<8x16xf32, #scores>
  %key = sftile.positions col %first : !sftile.frag<16x64xi32, #accumulator>
  %row = sftile.positions row %first : !sftile.frag<16x1xi32, #rows>
  return
}

// CHECK-LABEL: func.func @memory
// CHECK: sftile.load %{{.*}}[%{{.*}}, %{{.*}}] width 4 : !sftile.view<f16, row_major> -> <16x64xf16, #{{.*}}>
// CHECK: sftile.store %{{.*}} to %{{.*}}[%{{.*}}, %{{.*}}] : <16x64xf16, #{{.*}}> to !sftile.tile<16x64xf16, swizzled>
// CHECK: sftile.load transposed %{{.*}}[%{{.*}}, %{{.*}}] by(#sftile.ldmatrix) : !sftile.tile<64x64xf16, swizzled> -> <16x16xf16, #{{.*}}>
// CHECK: sftile.convert_layout %{{.*}} : <16x64xf16, #{{.*}}> to <16x64xf16, #{{.*}}>
// CHECK: sftile.store %{{.*}} to %{{.*}}[%{{.*}}, %{{.*}}] width 4 : <16x64xf16, #{{.*}}> to !sftile.view<f16, row_major>
func.func @memory(%view: !sftile.view<f16, row_major>,
                  %values: !sftile.tile<64x64xf16, swizzled>,
                  %p: !sftile.frag<16x64xf16, #accumulator>, %query: i64,
                  %feature: i64, %key: index) {
  %c0 = arith.constant 0 : index
  %scratch = sftile.shared warps 4 sharers 1 overlaid : !sftile.tile<16x64xf16, swizzled>
  %q = sftile.load %view[%query, %feature] width 4
      : !sftile.view<f16, row_major> -> !sftile.frag<16x64xf16, #a>
  sftile.store %q to %scratch[%c0, %c0]
      : !sftile.frag<16x64xf16, #a> to !sftile.tile<16x64xf16, swizzled>
  %v = sftile.load transposed %values[%key, %c0] by (#sftile.ldmatrix)
      : !sftile.tile<64x64xf16, swizzled> -> !sftile.frag<16x16xf16, #b>
  %a = sftile.convert_layout %p : !sftile.frag<16x64xf16, #accumulator>
      to !sftile.frag<16x64xf16, #a>
  %o = sftile.convert_layout %a : !sftile.frag<16x64xf16, #a>
      to !sftile.frag<16x64xf16, #accumulator>
  sftile.store %o to %view[%query, %feature] width 4
      : !sftile.frag<16x64xf16, #accumulator> to !sftile.view<f16, row_major>
  return
}
