// RUN: sparseflow-opt %s --split-input-file --verify-diagnostics

// Every message of the verifiers of layouts, schedules and atoms.

// expected-error@+1 {{expected a [row, column] pair of non-negative integers for each bit, found [0]}}
func.func private @f() attributes { a = #sftile.layout<registers = [[0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]> }

// -----

// expected-error@+1 {{expected a [row, column] pair of non-negative integers for each bit, found [0, -1]}}
func.func private @f() attributes { a = #sftile.layout<registers = [[0, -1]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]> }

// -----

// expected-error@+1 {{expected 5 lane bits for the 32 lanes of a warp, found 4}}
func.func private @f() attributes { a = #sftile.layout<registers = [[0, 1]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0]]> }

// -----

// expected-error@+1 {{expected at most 8 register bits (256 elements a lane), found 9}}
func.func private @f() attributes { a = #sftile.layout<
    registers = [[0, 1], [8, 0], [16, 0], [32, 0], [64, 0], [128, 0], [256, 0], [512, 0], [1024, 0]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]> }

// -----

// expected-error@+1 {{expected registers and lanes to decide about different bits of the position, found a bit that both change}}
func.func private @f() attributes { a = #sftile.layout<registers = [[0, 1], [4, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]> }

// -----

// expected-error@+1 {{schedule "s": expected block and warp as [features, tokens], found 1 and 2 sizes}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [128], warp = [64, 64], k = 64, stages = 4, split_k = 1, group = 8, max_tokens = 0> }

// -----

// expected-error@+1 {{schedule "s": expected a warp of a multiple of 16 features and of 8 tokens, the sizes of an instruction, found 24 x 64}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [128, 64], warp = [24, 64], k = 64, stages = 4, split_k = 1, group = 8, max_tokens = 0> }

// -----

// expected-error@+1 {{schedule "s": expected a warp of a multiple of 16 features and of 8 tokens, the sizes of an instruction, found 64 x 0}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [128, 64], warp = [64, 0], k = 64, stages = 4, split_k = 1, group = 8, max_tokens = 0> }

// -----

// expected-error@+1 {{schedule "s": expected a block that is a multiple of the warp's 64 x 64, found 128 x 96}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [128, 96], warp = [64, 64], k = 64, stages = 4, split_k = 1, group = 8, max_tokens = 0> }

// -----

// expected-error@+1 {{schedule "s": expected at most 32 warps in a block, found 64; enlarge the warp's part or reduce the block's}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [128, 64], warp = [16, 8], k = 64, stages = 4, split_k = 1, group = 8, max_tokens = 0> }

// -----

// expected-error@+1 {{schedule "s": expected a block of a multiple of 64 features, the unit of packed weights, found 96}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [96, 64], warp = [48, 64], k = 64, stages = 4, split_k = 1, group = 8, max_tokens = 0> }

// -----

// expected-error@+1 {{schedule "s": expected a stage depth k that is a multiple of 64, the unit of packed weights, found 32}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [128, 64], warp = [64, 64], k = 32, stages = 4, split_k = 1, group = 8, max_tokens = 0> }

// -----

// expected-error@+1 {{schedule "s": expected 2 to 16 stages, found 1}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [128, 64], warp = [64, 64], k = 64, stages = 1, split_k = 1, group = 8, max_tokens = 0> }

// -----

// expected-error@+1 {{schedule "s": expected 2 to 16 stages, found 17}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [128, 64], warp = [64, 64], k = 64, stages = 17, split_k = 1, group = 8, max_tokens = 0> }

// -----

// expected-error@+1 {{schedule "s": expected split_k of at least 1, found 0}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [128, 64], warp = [64, 64], k = 64, stages = 4, split_k = 0, group = 8, max_tokens = 0> }

// -----

// expected-error@+1 {{schedule "s": expected group of at least 1, found 0}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [128, 64], warp = [64, 64], k = 64, stages = 4, split_k = 1, group = 0, max_tokens = 0> }

// -----

// expected-error@+1 {{schedule "s": expected max_tokens of at least 0, found -1}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [128, 64], warp = [64, 64], k = 64, stages = 4, split_k = 1, group = 8, max_tokens = -1> }

// -----

// expected-error@+1 {{expected depth 16 for mma_sync of 16-bit elements, found 32}}
func.func private @f() attributes { a = #sftile.mma_sync<32, f16> }

// -----

// expected-error@+1 {{expected f16 or bf16 for mma_sync, found 'f32'}}
func.func private @f() attributes { a = #sftile.mma_sync<16, f32> }

// -----

// expected-error@+1 {{expected depth 16 or 32 for mma_sp_sync of 16-bit elements, found 64}}
func.func private @f() attributes { a = #sftile.mma_sp_sync<64, f16> }

// -----

// expected-error@+1 {{expected f16, bf16 or si8 for mma_sp_sync, found 'i8'}}
func.func private @f() attributes { a = #sftile.mma_sp_sync<32, i8> }

// -----

// expected-error@+1 {{expected depth 64 for mma_sp_sync of 8-bit elements, found 32}}
func.func private @f() attributes { a = #sftile.mma_sp_sync<32, si8> }

// -----

// expected-error@+1 {{expected 4, 8 or 16 bytes for cp_async, found 2}}
func.func private @f() attributes { a = #sftile.cp_async<2> }

// -----

// expected-error@+1 {{expected 2 or 4 bytes for ld_st (cp_async serves what is aligned better), found 8}}
func.func private @f() attributes { a = #sftile.ld_st<8> }

// -----

// expected-error@+1 {{schedule "s": expected 4 producer_warps, warpgroup = true and warps that each see all tokens of the block, four by four; found 4 producer_warps beside 8 of 16 x 256}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [128, 256], warp = [16, 256], k = 64, stages = 4, split_k = 1, group = 8, max_tokens = 0, producer_warps = 4> }

// -----

// expected-error@+1 {{schedule "s": expected at most 12 warps that multiply and 192 accumulators a thread for 8 of them, found 256}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [256, 256], warp = [32, 256], k = 64, stages = 4, split_k = 1, group = 8, max_tokens = 0, warpgroup = true, producer_warps = 4> }

// -----

// expected-error@+1 {{schedule "s": expected a cluster of 1 to 8 blocks that share the block's tokens in groups of 8, found 9}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [128, 256], warp = [16, 256], k = 64, stages = 4, split_k = 1, group = 8, max_tokens = 0, warpgroup = true, producer_warps = 4, cluster = 9> }

// -----

// expected-error@+1 {{schedule "s": expected grid as a multiple of the cluster's 2 blocks, found 131}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [128, 256], warp = [16, 256], k = 64, stages = 4, split_k = 1, group = 8, max_tokens = 0, warpgroup = true, producer_warps = 4, cluster = 2, grid = 131> }

// -----

// expected-error@+1 {{schedule "s": expected split_k of 1, 2, 4 or 8 with producer_warps, and if it is more than 1 cluster = 1, grid = 0 and 16 tokens for each part, found 3}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [128, 256], warp = [16, 256], k = 64, stages = 4, split_k = 3, group = 8, max_tokens = 0, warpgroup = true, producer_warps = 4> }

// -----

// expected-error@+1 {{schedule "s": expected store_tokens as a multiple of 16 that divides the block's tokens, found 24}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [128, 256], warp = [16, 256], k = 64, stages = 4, split_k = 1, group = 8, max_tokens = 0, warpgroup = true, producer_warps = 4, store_tokens = 24> }

// -----

// expected-error@+1 {{schedule "s": expected store_buffers that divide the 8 boxes of a block, found 3}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [128, 256], warp = [16, 256], k = 64, stages = 4, split_k = 1, group = 8, max_tokens = 0, warpgroup = true, producer_warps = 4, store_tokens = 32, store_buffers = 3> }

// -----

// expected-error@+1 {{schedule "s": expected cluster = 1 and grid = 0 without producer_warps}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [128, 256], warp = [16, 256], k = 64, stages = 4, split_k = 1, group = 8, max_tokens = 0, warpgroup = true, cluster = 2> }

// -----

// expected-error@+1 {{schedule "s": expected a warp of 16 features where the warps that multiply together copy too, found 32}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [256, 128], warp = [32, 128], k = 64, stages = 4, split_k = 1, group = 8, max_tokens = 0, warpgroup = true> }

// -----

// Warps that read their own ternary weights.
// expected-error@+1 {{schedule "s": expected depth_warps without producer_warps and warpgroup}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [64, 32], warp = [16, 32], k = 128, stages = 4, split_k = 1, group = 1, max_tokens = 0, warpgroup = true, depth_warps = 1> }

// -----

// expected-error@+1 {{schedule "s": expected split_k of 1, 2, 4 or 8 with depth_warps, found 3}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [32, 8], warp = [32, 8], k = 128, stages = 4, split_k = 3, group = 1, max_tokens = 8, depth_warps = 4> }

// -----

// expected-error@+1 {{schedule "s": expected warps of 16, 32 or 64 features and all 8 or 16 tokens (8 to 64 with k = 256) of the block with depth_warps, found 32 x 8}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [32, 16], warp = [32, 8], k = 128, stages = 4, split_k = 1, group = 1, max_tokens = 8, depth_warps = 4> }

// -----

// expected-error@+1 {{schedule "s": expected warps of 16, 32 or 64 features and all 8 or 16 tokens (8 to 64 with k = 256) of the block with depth_warps, found 32 x 32}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [32, 32], warp = [32, 32], k = 128, stages = 4, split_k = 1, group = 1, max_tokens = 8, depth_warps = 4> }

// -----

// expected-error@+1 {{schedule "s": expected a block of a multiple or a half or a quarter of 64 features, the unit of packed weights, found 96}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [96, 8], warp = [32, 8], k = 128, stages = 4, split_k = 1, group = 1, max_tokens = 8, depth_warps = 4> }

// -----

// expected-error@+1 {{schedule "s": expected k = 128 or 256, the units of ternary weights, with depth_warps, found 64}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [32, 8], warp = [32, 8], k = 64, stages = 4, split_k = 1, group = 1, max_tokens = 8, depth_warps = 4> }

// -----

// expected-error@+1 {{schedule "s": expected at most 15 depth_warps where several warps share activations, because a block has 16 barriers, found 16}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [64, 8], warp = [32, 8], k = 128, stages = 4, split_k = 1, group = 1, max_tokens = 8, depth_warps = 16> }

// -----

// expected-error@+1 {{schedule "s": expected max_tokens of at most the block's 8 with depth_warps and without held, found 9}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [32, 8], warp = [32, 8], k = 128, stages = 4, split_k = 1, group = 1, max_tokens = 9, depth_warps = 4> }

// -----

// expected-error@+1 {{schedule "s": expected max_tokens of at least 1 with held, and blocks of 8 tokens where it is more than 8, found 9 and blocks of 16}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [32, 16], warp = [32, 16], k = 128, stages = 4, split_k = 1, group = 1, max_tokens = 9, depth_warps = 4, held = true> }

// -----

// expected-error@+1 {{schedule "s": expected depth_warps of at least 0, and of at least 1 with held, found 0}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [64, 8], warp = [16, 8], k = 128, stages = 4, split_k = 1, group = 1, max_tokens = 8, held = true> }
