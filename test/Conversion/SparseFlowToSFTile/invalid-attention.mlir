// RUN: sparseflow-opt %s --split-input-file --verify-diagnostics --pass-pipeline="builtin.module(func.func(sparseflow-materialize-storage),convert-sparseflow-to-sftile)"

// Schedules that make no kernel of an attention.

func.func @wide_heads(%q: tensor<1x4x8x640xf16>, %k: tensor<1x4x8x640xf16>, %v: tensor<1x4x8x512xf16>) -> tensor<1x4x8x512xf16> {
  // expected-error@+1 {{expected at most D = 576 and D_v = 512 features, found D = 640 and D_v = 512; the sums of a row would not fit into registers: use the cpu device, or divide D_v among several ops}}
  %o = sparseflow.attention %q, %k, %v {sftile.schedules = [#sftile.attention_schedule<"r", queries = 64, warp = 16, keys = 64, pipeline = #sftile.multistage_attention<stages = 2>>]} : tensor<1x4x8x640xf16>, tensor<1x4x8x640xf16>, tensor<1x4x8x512xf16> -> tensor<1x4x8x512xf16>
  return %o : tensor<1x4x8x512xf16>
}

// -----

func.func @wide_values(%q: tensor<1x4x8x576xf16>, %k: tensor<1x4x8x576xf16>, %v: tensor<1x4x8x576xf16>) -> tensor<1x4x8x576xf16> {
  // expected-error@+1 {{expected at most D = 576 and D_v = 512 features, found D = 576 and D_v = 576; the sums of a row would not fit into registers: use the cpu device, or divide D_v among several ops}}
  %o = sparseflow.attention %q, %k, %v {sftile.schedules = [#sftile.attention_schedule<"r", queries = 64, warp = 16, keys = 64, pipeline = #sftile.multistage_attention<stages = 2>>]} : tensor<1x4x8x576xf16>, tensor<1x4x8x576xf16>, tensor<1x4x8x576xf16> -> tensor<1x4x8x576xf16>
  return %o : tensor<1x4x8x576xf16>
}

// -----

func.func @narrow_schedule(%q: tensor<1x4x8x576xf16>, %k: tensor<1x4x8x576xf16>, %v: tensor<1x4x8x512xf16>) -> tensor<1x4x8x512xf16> {
  // expected-error@+1 {{expected schedules with feature_warps = 4 or feature_groups = 2 for more than 256 features, found D = 576, D_v = 512 and #sftile.attention_schedule<"r", queries = 64, warp = 16, keys = 64, pipeline = #sftile.multistage_attention<stages = 2>>}}
  %o = sparseflow.attention %q, %k, %v {sftile.schedules = [#sftile.attention_schedule<"r", queries = 64, warp = 16, keys = 64, pipeline = #sftile.multistage_attention<stages = 2>>]} : tensor<1x4x8x576xf16>, tensor<1x4x8x576xf16>, tensor<1x4x8x512xf16> -> tensor<1x4x8x512xf16>
  return %o : tensor<1x4x8x512xf16>
}

// -----

#groups = #sftile.attention_schedule<"r", queries = 64, warp = 16, keys = 64, pipeline = #sftile.warp_specialized_attention<stages = 2, producer_registers = 40, feature_groups = 2>>
func.func @values_of_their_own(%q: tensor<1x4x8x576xf16>, %k: tensor<1x4x8x576xf16>, %v: tensor<1x4x8x512xf16>) -> tensor<1x4x8x512xf16> {
  // expected-error@+1 {{expected values that are more than 64 features of the keys, one tensor as k and v, and no sink logits, for schedule r, whose warpgroups divide them, found D = 576 and D_v = 512}}
  %o = sparseflow.attention %q, %k, %v {sftile.schedules = [#groups]} : tensor<1x4x8x576xf16>, tensor<1x4x8x576xf16>, tensor<1x4x8x512xf16> -> tensor<1x4x8x512xf16>
  return %o : tensor<1x4x8x512xf16>
}

// -----

#turns = #sftile.attention_schedule<"r", queries = 64, warp = 16, keys = 64, pipeline = #sftile.warp_specialized_attention<stages = 2, producer_registers = 40, ping_pong = true, feature_groups = 2>>
func.func @groups_in_turns(%q: tensor<1x4x8x576xf16>, %k: tensor<1x4x8x576xf16>) -> tensor<1x4x8x512xf16> {
  // expected-error@+1 {{expected at most 64 keys in a stage and no ping_pong with feature_groups of 2, found schedule #sftile.attention_schedule<"r", queries = 64, warp = 16, keys = 64, pipeline = #sftile.warp_specialized_attention<stages = 2, producer_registers = 40, ping_pong = true, feature_groups = 2>>}}
  %o = sparseflow.attention %q, %k, %k {value_features = 512 : i64, sftile.schedules = [#turns]} : tensor<1x4x8x576xf16>, tensor<1x4x8x576xf16>, tensor<1x4x8x576xf16> -> tensor<1x4x8x512xf16>
  return %o : tensor<1x4x8x512xf16>
}

// -----

#heads = #sftile.attention_schedule<"r", queries = 64, warp = 16, keys = 64, packed = true, max_queries = 1, pipeline = #sftile.warp_specialized_attention<stages = 2, key_blocks = 3>>
func.func @many_heads_of_key_blocks(%q: tensor<1x34x1x64xf16>, %k: tensor<1x2x80x64xf16>) -> tensor<1x34x1x64xf16> {
  // expected-error@+1 {{expected at most 16 query heads for each key head, the rows of one warp, for schedule r, found 17; pin one without key_blocks}}
  %o = sparseflow.attention %q, %k, %k {sftile.schedules = [#heads]} : tensor<1x34x1x64xf16>, tensor<1x2x80x64xf16>, tensor<1x2x80x64xf16> -> tensor<1x34x1x64xf16>
  return %o : tensor<1x34x1x64xf16>
}

// -----

#several = #sftile.attention_schedule<"r", queries = 16, warp = 16, keys = 32, packed = true, max_queries = 4, pipeline = #sftile.multistage_attention<stages = 2>>
func.func @many_heads_of_queries(%q: tensor<1x34x3x64xf16>, %k: tensor<1x2x80x64xf16>) -> tensor<1x34x3x64xf16> {
  // expected-error@+1 {{expected keys and values that are not ternary, and at most 16 query heads for each key head, the rows of a tile, for schedule r, which packs those of several queries, found 17; pin another}}
  %o = sparseflow.attention %q, %k, %k {sftile.schedules = [#several]} : tensor<1x34x3x64xf16>, tensor<1x2x80x64xf16>, tensor<1x2x80x64xf16> -> tensor<1x34x3x64xf16>
  return %o : tensor<1x34x3x64xf16>
}

// -----

#shares = #sftile.attention_schedule<"r", queries = 64, warp = 16, keys = 64, pipeline = #sftile.warp_specialized_attention<stages = 2, producer_registers = 40, feature_groups = 2, key_blocks = 2>>
func.func @shares_of_values(%q: tensor<1x4x8x576xf16>, %k: tensor<1x4x8x576xf16>) -> tensor<1x4x8x320xf16> {
  // expected-error@+1 {{expected a multiple of 128 features of values, which the blocks of a cluster divide, for schedule r, found D_v = 320; pin one without key_blocks}}
  %o = sparseflow.attention %q, %k, %k {value_features = 320 : i64, sftile.schedules = [#shares]} : tensor<1x4x8x576xf16>, tensor<1x4x8x576xf16>, tensor<1x4x8x576xf16> -> tensor<1x4x8x320xf16>
  return %o : tensor<1x4x8x320xf16>
}

// -----

#divided = #sftile.attention_schedule<"r", queries = 16, warp = 16, keys = 64, packed = true, max_queries = 1, pipeline = #sftile.multistage_attention<stages = 2, key_warps = 4>>
func.func @ternary_divided(%q: tensor<1x4x1x64xf16>, %k: tensor<1x4x64x64xf16, #sparseflow.ternary<key_planes, scale = token : f16>>, %v: tensor<1x4x64x64xf16>) -> tensor<1x4x1x64xf16> {
  // expected-error@+1 {{expected keys and values of 8 or 4 bits with key_warps, found schedule #sftile.attention_schedule<"r", queries = 16, warp = 16, keys = 64, packed = true, max_queries = 1, pipeline = #sftile.multistage_attention<stages = 2, key_warps = 4>>}}
  %o = sparseflow.attention %q, %k, %v {sftile.schedules = [#divided]} : tensor<1x4x1x64xf16>, tensor<1x4x64x64xf16, #sparseflow.ternary<key_planes, scale = token : f16>>, tensor<1x4x64x64xf16> -> tensor<1x4x1x64xf16>
  return %o : tensor<1x4x1x64xf16>
}

// -----

func.func @ternary_wide(%q: tensor<1x4x8x64xf16>, %k: tensor<1x4x64x64xf16, #sparseflow.ternary<key_planes, scale = token : f16>>, %v: tensor<1x4x64x64xf16>) -> tensor<1x4x8x64xf16> {
  // expected-error@+1 {{expected a schedule without feature_warps for caches of fewer bits, found #sftile.attention_schedule<"r", queries = 16, warp = 16, keys = 64, pipeline = #sftile.multistage_attention<stages = 2, feature_warps = 4>>}}
  %o = sparseflow.attention %q, %k, %v {sftile.schedules = [#sftile.attention_schedule<"r", queries = 16, warp = 16, keys = 64, pipeline = #sftile.multistage_attention<stages = 2, feature_warps = 4>>]} : tensor<1x4x8x64xf16>, tensor<1x4x64x64xf16, #sparseflow.ternary<key_planes, scale = token : f16>>, tensor<1x4x64x64xf16> -> tensor<1x4x8x64xf16>
  return %o : tensor<1x4x8x64xf16>
}

// -----

func.func @attention_without_schedule(%q: tensor<1x4x8x64xf16>, %k: tensor<1x4x8x64xf16>, %v: tensor<1x4x8x64xf16>) -> tensor<1x4x8x64xf16> {
  // expected-error@+1 {{expected sftile.schedules of #sftile.attention_schedule; run sparseflow-select-schedule first}}
  %o = sparseflow.attention %q, %k, %v : tensor<1x4x8x64xf16>, tensor<1x4x8x64xf16>, tensor<1x4x8x64xf16> -> tensor<1x4x8x64xf16>
  return %o : tensor<1x4x8x64xf16>
}

// -----

#packed = #sftile.attention_schedule<"r", queries = 16, warp = 16, keys = 64, max_queries = 1, packed = true, pipeline = #sftile.multistage_attention<stages = 2>>
func.func @packed_last(%q: tensor<1x4x8x64xf16>, %k: tensor<1x4x8x64xf16>, %v: tensor<1x4x8x64xf16>) -> tensor<1x4x8x64xf16> {
  // expected-error@+1 {{expected a last schedule for any number of queries, found #sftile.attention_schedule<"r", queries = 16, warp = 16, keys = 64, packed = true, max_queries = 1, pipeline = #sftile.multistage_attention<stages = 2>>, which packs the heads of few queries}}
  %o = sparseflow.attention %q, %k, %v {sftile.schedules = [#packed]} : tensor<1x4x8x64xf16>, tensor<1x4x8x64xf16>, tensor<1x4x8x64xf16> -> tensor<1x4x8x64xf16>
  return %o : tensor<1x4x8x64xf16>
}

// -----

#s = #sftile.attention_schedule<"r", queries = 64, warp = 16, keys = 128, pipeline = #sftile.multistage_attention<stages = 2>>
func.func @stages_of_two_pages(%q: tensor<1x4x8x64xf16>, %k: tensor<1x2x64x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>, %v: tensor<1x2x64x64xf16>) -> tensor<1x4x8x64xf16> {
  // expected-error@+1 {{expected stages of one page, 64 keys, and 16 queries where heads are packed, or stages of two pages with producer warps, for ternary keys, found schedule #sftile.attention_schedule<"r", queries = 64, warp = 16, keys = 128, pipeline = #sftile.multistage_attention<stages = 2>>}}
  %o = sparseflow.attention %q, %k, %v {causal, sftile.schedules = [#s]} : tensor<1x4x8x64xf16>, tensor<1x2x64x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>, tensor<1x2x64x64xf16> -> tensor<1x4x8x64xf16>
  return %o : tensor<1x4x8x64xf16>
}

// -----

#s = #sftile.attention_schedule<"r", queries = 16, warp = 16, keys = 64, max_queries = 1, packed = true, pipeline = #sftile.int8_attention<stages = 2>>
func.func @bytes_of_full_values(%q: tensor<1x4x1x64xf16>, %k: tensor<1x2x64x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>, %v: tensor<1x2x64x64xf16>) -> tensor<1x4x1x64xf16> {
  // expected-error@+1 {{expected ternary keys and values and at most four query heads for each key head for schedule r, whose MMAs are of int8}}
  %o = sparseflow.attention %q, %k, %v {causal, sftile.schedules = [#s]} : tensor<1x4x1x64xf16>, tensor<1x2x64x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>, tensor<1x2x64x64xf16> -> tensor<1x4x1x64xf16>
  return %o : tensor<1x4x1x64xf16>
}

// -----

#planes = #sftile.attention_schedule<"r", queries = 128, warp = 16, keys = 128, pipeline = #sftile.warp_specialized_attention<stages = 2, producer_registers = 56>>
func.func @lengths_beside_planes(%q: tensor<1x4x?x64xf16>, %k: tensor<1x2x64x64xf16, #sparseflow.ternary<key_planes, scale = head : f32>>, %v: tensor<1x2x64x64xf16>, %n: tensor<1xi32>, %b: tensor<?x64xf16>) -> tensor<1x4x?x64xf16> {
  // expected-error@+1 {{expected rows of a multiple of 16 bytes, and no lengths where keys alone are planes, for schedule r, whose copies are by tensor maps, found D = 64, D_v = 64 and lengths}}
  %o = sparseflow.attention %q, %k, %v lengths(%n : tensor<1xi32>) operands(%b : tensor<?x64xf16>) as ["qk"] score {
  ^bb0(%s: f32, %i0: i32, %i1: i32, %i2: i32, %i3: i32, %x: f16):
    %0 = arith.extf %x : f16 to f32
    %1 = arith.addf %s, %0 : f32
    sparseflow.yield %1 : f32
  } {sftile.schedules = [#planes]} : tensor<1x4x?x64xf16>, tensor<1x2x64x64xf16, #sparseflow.ternary<key_planes, scale = head : f32>>, tensor<1x2x64x64xf16> -> tensor<1x4x?x64xf16>
  return %o : tensor<1x4x?x64xf16>
}

// -----

#mapped = #sftile.attention_schedule<"r", queries = 64, warp = 16, keys = 64, pipeline = #sftile.warp_specialized_attention<stages = 2, cluster = 2>>
func.func @mapped_pages(%q: tensor<1x4x8x64xf16>, %k: tensor<9x4x64x64xf16>, %t: tensor<1x3xi32>) -> tensor<1x4x8x64xf16> {
  // expected-error@+1 {{expected a schedule without clusters for keys in pages, found r, whose blocks each copy a part of a stage for all of them (multicast); pin another}}
  %o = sparseflow.attention %q, %k, %k pages(%t : tensor<1x3xi32>) {sftile.schedules = [#mapped]} : tensor<1x4x8x64xf16>, tensor<9x4x64x64xf16>, tensor<9x4x64x64xf16> -> tensor<1x4x8x64xf16>
  return %o : tensor<1x4x8x64xf16>
}

// -----

!k = tensor<2x2x64x64xf16, #sparseflow.quantized<key_int8, scale = token : f32>>
!v = tensor<2x2x64x64xf16, #sparseflow.quantized<value_int8, scale = token : f32>>
func.func @producers_of_scales(%q: tensor<2x4x9x64xf16>, %k: !k, %v: !v) -> tensor<2x4x9x64xf16> {
  // expected-error @+1 {{expected queries and scales of f16, numbers of 8 and 4 bits, and stages of 64 or 128 keys, or of 128 that two blocks share, where producer warps dequantize, found schedule}}
  %o = sparseflow.attention %q, %k, %v {sftile.schedules = [#sftile.attention_schedule<"beside", queries = 64, warp = 16, keys = 128, pipeline = #sftile.warp_specialized_attention<stages = 2, dequantizes = true>>]} : tensor<2x4x9x64xf16>, !k, !v -> tensor<2x4x9x64xf16>
  return %o : tensor<2x4x9x64xf16>
}

// -----

!k = tensor<2x2x64x64xf16, #sparseflow.quantized<key_int8, scale = token : f32>>
!v = tensor<2x2x64x64xf16, #sparseflow.quantized<value_int8, scale = token : f32>>
func.func @stage_of_numbers(%q: tensor<2x4x1x64xf16>, %k: !k, %v: !v) -> tensor<2x4x1x64xf16> {
  // expected-error @+1 {{expected stages of 16, 32 or 64 keys, and 16 queries where heads are packed, or producer warps without packed heads, for int8 and int4 keys, found schedule}}
  %o = sparseflow.attention %q, %k, %v {sftile.schedules = [#sftile.attention_schedule<"long", queries = 16, warp = 16, keys = 128, packed = true, max_queries = 1, pipeline = #sftile.multistage_attention<stages = 2, holds_queries = true>>]} : tensor<2x4x1x64xf16>, !k, !v -> tensor<2x4x1x64xf16>
  return %o : tensor<2x4x1x64xf16>
}

// -----

!k = tensor<2x2x64x64xf16, #sparseflow.quantized<key_int8, scale = token : f32>>
!v = tensor<2x2x64x64xf16, #sparseflow.quantized<value_int8, scale = token : f32>>
func.func @packed_heads(%q: tensor<2x4x1x64xf16>, %k: !k, %v: !v) -> tensor<2x4x1x64xf16> {
  // expected-error @+1 {{or producer warps without packed heads, for int8 and int4 keys, found schedule}}
  %o = sparseflow.attention %q, %k, %v {sftile.schedules = [#sftile.attention_schedule<"cached", queries = 64, warp = 16, keys = 128, packed = true, max_queries = 1, pipeline = #sftile.warp_specialized_attention<stages = 2>>]} : tensor<2x4x1x64xf16>, !k, !v -> tensor<2x4x1x64xf16>
  return %o : tensor<2x4x1x64xf16>
}

// -----

func.func @parts_of_sequences(%q: tensor<1x4x8x64xf16>, %k: tensor<1x4x8x64xf16>, %n: tensor<3xi32>) -> tensor<1x4x8x64xf16> {
  // expected-error@+1 {{expected schedules of whole tiles, without packed heads, split-KV, clusters and feature_groups, beside cu_seqlens, found #sftile.attention_schedule<"r", queries = 64, warp = 16, keys = 64, split_blocks = 4, split_min_keys = 64, pipeline = #sftile.multistage_attention<stages = 2>>; pin another}}
  %o = sparseflow.attention %q, %k, %k cu_seqlens(%n, %n : tensor<3xi32>, tensor<3xi32>) {sftile.schedules = [#sftile.attention_schedule<"r", queries = 64, warp = 16, keys = 64, split_blocks = 4, split_min_keys = 64, pipeline = #sftile.multistage_attention<stages = 2>>]} : tensor<1x4x8x64xf16>, tensor<1x4x8x64xf16>, tensor<1x4x8x64xf16> -> tensor<1x4x8x64xf16>
  return %o : tensor<1x4x8x64xf16>
}
