// RUN: sparseflow-opt %s --split-input-file --verify-diagnostics

#c = #sftile.layout<registers = [[0, 1], [8, 0]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>

func.func @left_in_wrong_layout(%a: !sftile.frag<16x16xf16, #c>, %row: index,
    %v: !sftile.tile<64x64xf16, swizzled>, %acc: !sftile.frag<16x64xf32, #c>) {
  // expected-error @below {{expected a of 16 x 16 elements of 'f16' in the layout}}
  %p = sftile.mma_async %a, %v[%row, %row] transposed, %acc by (#sftile.wgmma<f16>)
      : !sftile.frag<16x16xf16, #c>, !sftile.tile<64x64xf16, swizzled>,
        !sftile.frag<16x64xf32, #c> -> !sftile.pending<!sftile.frag<16x64xf32, #c>>
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>

func.func @too_few_tiles(%a: !sftile.frag<16x16xf16, #a>, %row: index,
    %v: !sftile.tile<64x64xf16, swizzled>, %acc: !sftile.frag<16x72xf32, #c>) {
  // expected-error @below {{expected a tile for every 64 of the 72 columns of the accumulator, one behind the other in a stage, found 1}}
  %p = sftile.mma_async %a, %v[%row, %row] transposed, %acc by (#sftile.wgmma<f16>)
      : !sftile.frag<16x16xf16, #a>, !sftile.tile<64x64xf16, swizzled>,
        !sftile.frag<16x72xf32, #c> -> !sftile.pending<!sftile.frag<16x72xf32, #c>>
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>

func.func @too_many_pending(%p: !sftile.pending<!sftile.frag<16x64xf32, #c>>) {
  // expected-error @below {{expected 0 to 7 groups to be pending, found 8}}
  %s = sftile.wait_group %p pending 8 by (#sftile.wgmma<f16>)
      : !sftile.pending<!sftile.frag<16x64xf32, #c>> -> !sftile.frag<16x64xf32, #c>
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>

func.func @order_halves(%a: !sftile.frag<16x8xf16, #c>) {
  // expected-error @below {{expected elements of f32, found}}
  %t = sftile.sched_barrier in_sass %a : !sftile.frag<16x8xf16, #c>
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>

func.func @any_number(%a: !sftile.frag<16x8xf32, #c>) {
  // expected-error @below {{expected 'or' for elements of i1 and a scalar, and for nothing else, found}}
  %any = sftile.reduce or %a : !sftile.frag<16x8xf32, #c> -> i1
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>

func.func @conditions_in_memory(%a: !sftile.frag<16x8xi1, #c>, %n: i64, %p: !llvm.ptr<1>) {
  // expected-error @below {{expected an integer or float element of 8, 16 or 32 bits, found 'i1'}}
  %v = sftile.view %p[%n, %n] pitch %n : !sftile.view<i1, row_major>
  return
}

// -----

func.func @half_a_warpgroup() {
  sftile.role "multiply" warps 6 {
    // expected-error @below {{expected a role of whole warpgroups}}
    sftile.ordered_barrier wait
  }
  return
}

// -----

// expected-error @+2 {{schedule "s": expected one to three consumer warpgroups of four warps with 16 queries each, found 8 warps of 32}}
func.func private @rows_of_32() attributes { a =
    #sftile.attention_schedule<"s", queries = 256, warp = 32, keys = 64, pipeline = #sftile.warp_specialized_attention<stages = 2, producer_registers = 32>> }

// -----

// expected-error @+2 {{expected one of the fields stages, holds_queries, blocks_per_sm, feature_warps, key_warps, found 'turns'}}
func.func private @turns_of_nobody() attributes { a =
    #sftile.attention_schedule<"s", queries = 128, warp = 16, keys = 64, pipeline = #sftile.multistage_attention<stages = 2, turns = true>> }

// -----

// expected-error @+2 {{expected one of the fields stages, holds_queries, blocks_per_sm, feature_warps, key_warps, found 'cluster'}}
func.func private @cluster_of_equals() attributes { a =
    #sftile.attention_schedule<"s", queries = 128, warp = 16, keys = 64, pipeline = #sftile.multistage_attention<stages = 2, cluster = 2>> }

// -----

// expected-error @+2 {{expected cluster to be an integer from 1 to 2, found 4}}
func.func private @cluster_of_four() attributes { a =
    #sftile.attention_schedule<"s", queries = 128, warp = 16, keys = 64, pipeline = #sftile.warp_specialized_attention<stages = 2, producer_registers = 40, cluster = 4>> }

// -----

// expected-error @+2 {{schedule "s": expected a cluster of 1 block where heads are packed, or keys or features divided, found 2}}
func.func private @cluster_of_parts() attributes { a =
    #sftile.attention_schedule<"s", queries = 64, warp = 16, keys = 64, split_blocks = 132, split_min_keys = 64, pipeline = #sftile.warp_specialized_attention<stages = 2, producer_registers = 40, cluster = 2>> }

// -----

// expected-error @+2 {{schedule "s": expected grid as a multiple of the cluster's 2 blocks, found 131}}
func.func private @odd_grid() attributes { a =
    #sftile.attention_schedule<"s", queries = 128, warp = 16, keys = 64, pipeline = #sftile.warp_specialized_attention<stages = 2, producer_registers = 40, cluster = 2, grid = 131>> }

// -----

// expected-error @+2 {{schedule "s": expected heads of 1, or of 2, 4 or 8 with 64 or 128 queries, at least 16 of each head, found 3 heads in 128 queries}}
func.func private @odd_heads() attributes { a =
    #sftile.attention_schedule<"s", queries = 128, warp = 16, keys = 64, heads = 3, pipeline = #sftile.warp_specialized_attention<stages = 2>> }

// -----

// expected-error @+2 {{at least 16 of each head, found 2 heads in 192 queries}}
func.func private @heads_beside_boxes() attributes { a =
    #sftile.attention_schedule<"s", queries = 192, warp = 16, keys = 64, heads = 2, pipeline = #sftile.warp_specialized_attention<stages = 2, producer_registers = 32>> }

// -----

// expected-error @+2 {{at least 16 of each head, found 8 heads in 64 queries}}
func.func private @many_heads() attributes { a =
    #sftile.attention_schedule<"s", queries = 64, warp = 16, keys = 64, heads = 8, pipeline = #sftile.warp_specialized_attention<stages = 2>> }

// -----

// expected-error @+2 {{schedule "s": expected one head in a tile where heads are packed, keys or features divided, or blocks in clusters, found 4 heads}}
func.func private @heads_of_clusters() attributes { a =
    #sftile.attention_schedule<"s", queries = 128, warp = 16, keys = 64, heads = 4, pipeline = #sftile.warp_specialized_attention<stages = 2, cluster = 2, grid = 132>> }

// -----

// expected-error @+2 {{schedule "s": expected group_bytes to be an integer of at least 0, found -1}}
func.func private @negative_bytes() attributes { a =
    #sftile.attention_schedule<"s", queries = 128, warp = 16, keys = 64, group_bytes = -1, pipeline = #sftile.multistage_attention<stages = 2>> }

// -----

// expected-error @+2 {{schedule "s": expected a plan of whole tiles, without packed heads, split_blocks, feature_groups and cluster, for a grid of 1 block and more, found plan = true}}
func.func private @plan_of_splits() attributes { a =
    #sftile.attention_schedule<"s", queries = 64, warp = 16, keys = 64, split_blocks = 4, split_min_keys = 64, plan = true, pipeline = #sftile.warp_specialized_attention<stages = 2, grid = 4>> }

// -----

// expected-error @+2 {{schedule "s": expected a plan of whole tiles, without packed heads, split_blocks, feature_groups and cluster, for a grid of 1 block and more, found plan = true}}
func.func private @plan_of_heads() attributes { a =
    #sftile.attention_schedule<"s", queries = 64, warp = 16, keys = 64, packed = true, max_queries = 1, plan = true, pipeline = #sftile.warp_specialized_attention<stages = 2, grid = 4>> }

// -----

// expected-error @+2 {{schedule "s": expected a plan of whole tiles, without packed heads, split_blocks, feature_groups and cluster, for a grid of 1 block and more, found plan = true}}
func.func private @plan_of_clusters() attributes { a =
    #sftile.attention_schedule<"s", queries = 64, warp = 16, keys = 64, plan = true, pipeline = #sftile.warp_specialized_attention<stages = 2, grid = 4, cluster = 2>> }

// -----

// expected-error @+2 {{schedule "s": expected a plan of whole tiles, without packed heads, split_blocks, feature_groups and cluster, for a grid of 1 block and more, found plan = true}}
func.func private @plan_of_features() attributes { a =
    #sftile.attention_schedule<"s", queries = 64, warp = 16, keys = 64, plan = true, pipeline = #sftile.warp_specialized_attention<stages = 2, grid = 4, feature_groups = 2>> }

// -----

// expected-error @+2 {{schedule "s": expected a plan of whole tiles, without packed heads, split_blocks, feature_groups and cluster, for a grid of 1 block and more, found plan = true}}
func.func private @plan_without_grid() attributes { a =
    #sftile.attention_schedule<"s", queries = 64, warp = 16, keys = 64, plan = true, pipeline = #sftile.warp_specialized_attention<stages = 2>> }
