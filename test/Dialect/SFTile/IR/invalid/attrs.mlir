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

// expected-error@+1 {{expected ','}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [128], warp = [64, 64], group = 8, pipeline = #sftile.multistage<k = 64, stages = 4>> }

// -----

// expected-error@+1 {{schedule "s": expected a warp of a multiple of 16 features and of 8 tokens, the sizes of an instruction, found 24 x 64}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [128, 64], warp = [24, 64], group = 8, pipeline = #sftile.multistage<k = 64, stages = 4>> }

// -----

// expected-error@+1 {{schedule "s": expected a warp of a multiple of 16 features and of 8 tokens, the sizes of an instruction, found 64 x 0}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [128, 64], warp = [64, 0], group = 8, pipeline = #sftile.multistage<k = 64, stages = 4>> }

// -----

// expected-error@+1 {{schedule "s": expected a block that is a multiple of the warp's 64 x 64, found 128 x 96}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [128, 96], warp = [64, 64], group = 8, pipeline = #sftile.multistage<k = 64, stages = 4>> }

// -----

// expected-error@+1 {{schedule "s": expected at most 32 warps in a block, found 64; enlarge the warp's part or reduce the block's}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [128, 64], warp = [16, 8], group = 8, pipeline = #sftile.multistage<k = 64, stages = 4>> }

// -----

// expected-error@+1 {{schedule "s": expected a block of a multiple of 64 features where producer warps copy, found 96}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [96, 64], warp = [16, 64], group = 8, pipeline = #sftile.warp_specialized<k = 64, stages = 4>> }

// -----

// expected-error@+1 {{expected k to be a multiple of 64 of at least 64, found 32}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [128, 64], warp = [64, 64], group = 8, pipeline = #sftile.multistage<k = 32, stages = 4>> }

// -----

// expected-error@+1 {{expected stages to be an integer from 2 to 16, found 1}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [128, 64], warp = [64, 64], group = 8, pipeline = #sftile.multistage<k = 64, stages = 1>> }

// -----

// expected-error@+1 {{expected stages to be an integer from 2 to 16, found 17}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [128, 64], warp = [64, 64], group = 8, pipeline = #sftile.multistage<k = 64, stages = 17>> }

// -----

// expected-error@+1 {{schedule "s": expected split_k to be an integer of at least 1, found 0}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [128, 64], warp = [64, 64], split_k = 0, group = 8, pipeline = #sftile.multistage<k = 64, stages = 4>> }

// -----

// expected-error@+1 {{schedule "s": expected group to be an integer of at least 1, found 0}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [128, 64], warp = [64, 64], group = 0, pipeline = #sftile.multistage<k = 64, stages = 4>> }

// -----

// expected-error@+1 {{schedule "s": expected max_tokens to be an integer of at least 0, found -1}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [128, 64], warp = [64, 64], group = 8, max_tokens = -1, pipeline = #sftile.multistage<k = 64, stages = 4>> }

// -----

// expected-error@+1 {{expected K = 16 for mma_sync of 16-bit elements, found 32}}
func.func private @f() attributes { a = #sftile.mma_sync<32, f16> }

// -----

// expected-error@+1 {{expected f16 or bf16 for mma_sync, found 'f32'}}
func.func private @f() attributes { a = #sftile.mma_sync<16, f32> }

// -----

// expected-error@+1 {{expected K = 16 or 32 for mma_sp_sync of 16-bit elements, found 64}}
func.func private @f() attributes { a = #sftile.mma_sp_sync<64, f16> }

// -----

// expected-error@+1 {{expected f16, bf16 or si8 for mma_sp_sync, found 'i8'}}
func.func private @f() attributes { a = #sftile.mma_sp_sync<32, i8> }

// -----

// expected-error@+1 {{expected K = 64 for mma_sp_sync of 8-bit elements, found 32}}
func.func private @f() attributes { a = #sftile.mma_sp_sync<32, si8> }

// -----

// expected-error@+1 {{expected 4, 8 or 16 bytes for cp_async, found 2}}
func.func private @f() attributes { a = #sftile.cp_async<2> }

// -----

// expected-error@+1 {{expected 2 or 4 bytes for ld_st (cp_async serves what is aligned better), found 8}}
func.func private @f() attributes { a = #sftile.ld_st<8> }

// -----

// expected-error@+1 {{schedule "s": expected consumer warps that each see all tokens of the block, at most 256, four by four; found 16 of 16 x 128}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [128, 256], warp = [16, 128], group = 8, pipeline = #sftile.warp_specialized<k = 64, stages = 4>> }

// -----

// expected-error@+1 {{schedule "s": expected at most 12 consumer warps and 192 accumulators a thread for 8 of them, found 256}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [256, 256], warp = [32, 256], group = 8, pipeline = #sftile.warp_specialized<k = 64, stages = 4>> }

// -----

// expected-error@+1 {{expected cluster to be an integer from 1 to 8, found 9}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [128, 256], warp = [16, 256], group = 8, pipeline = #sftile.warp_specialized<k = 64, stages = 4, cluster = 9>> }

// -----

// expected-error@+1 {{schedule "s": expected grid as a multiple of the cluster's 2 blocks, found 131}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [128, 256], warp = [16, 256], group = 8, pipeline = #sftile.warp_specialized<k = 64, stages = 4, cluster = 2, grid = 131>> }

// -----

// expected-error@+1 {{schedule "s": expected split_k of 1, 2, 4 or 8 with producer warps, and if it is more than 1 cluster = 1, grid = 0 and a multiple of 8 tokens for each part, found 3}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [128, 256], warp = [16, 256], split_k = 3, group = 8, pipeline = #sftile.warp_specialized<k = 64, stages = 4>> }

// -----

// expected-error@+1 {{expected store_tokens to be a multiple of 8 from 8 to 256, found 20}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [128, 256], warp = [16, 256], group = 8, pipeline = #sftile.warp_specialized<k = 64, stages = 4, store_tokens = 20>> }

// -----

// expected-error@+1 {{schedule "s": expected store_buffers that divide the 8 boxes of a block, found 3}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [128, 256], warp = [16, 256], group = 8, pipeline = #sftile.warp_specialized<k = 64, stages = 4, store_tokens = 32, store_buffers = 3>> }

// -----

// expected-error@+1 {{expected one of the fields k, stages, k_warps, warpgroup, holds_activations, found 'cluster'}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [128, 256], warp = [16, 256], group = 8, pipeline = #sftile.multistage<k = 64, stages = 4, warpgroup = true, cluster = 2>> }

// -----

// expected-error@+1 {{schedule "s": expected warps of 16 features and at most 256 tokens, and k = 64 (128 if weights are ternary), where the warps that multiply together copy too, found 32 x 128 and k = 64}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [256, 128], warp = [32, 128], group = 8, pipeline = #sftile.multistage<k = 64, stages = 4, warpgroup = true>> }

// -----

// expected-error@+1 {{schedule "s": expected max_tokens = 1, a power of two of warps and no warpgroup with holds_activations where every warp copies, found 8 and 4 warps}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [64, 8], warp = [16, 8], max_tokens = 8, pipeline = #sftile.multistage<k = 64, stages = 4, holds_activations = true>> }

// -----

// expected-error@+1 {{schedule "s": expected cluster = 1, split_k = 1 and a grid with holds_activations and producer warps, found 1, 1 and 0}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [64, 32], warp = [16, 32], pipeline = #sftile.warp_specialized<k = 128, stages = 4, store_tokens = 32, holds_activations = true>> }

// -----

// A last wave that is divided.
// expected-error@+1 {{schedule "s": expected stream_k less than the 66 blocks or clusters of grid, split_k = 1, k_warps = 1 and no holds_activations with stream_k, found 66, 1 and 1}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [128, 128], warp = [16, 128], pipeline = #sftile.warp_specialized<k = 128, stages = 4, cluster = 2, grid = 132, stream_k = 66>> }

// -----

// expected-error@+1 {{schedule "s": expected stream_k less than the 8 blocks or clusters of grid, split_k = 1, k_warps = 1 and no holds_activations with stream_k, found 2, 1 and 2}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [64, 32], warp = [16, 32], pipeline = #sftile.warp_specialized<k = 128, stages = 4, k_warps = 2, grid = 8, stream_k = 2, store_tokens = 16>> }
// -----

// Warps that read their own ternary weights.
// expected-error@+1 {{expected one of the fields k, stages, k_warps, holds_activations, found 'warpgroup'}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [64, 32], warp = [16, 32], pipeline = #sftile.streamed<k = 128, stages = 4, k_warps = 1, warpgroup = true>> }

// -----

// expected-error@+1 {{schedule "s": expected split_k of 1, 2, 4 or 8 where warps stream their weights, found 3}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [32, 8], warp = [32, 8], split_k = 3, max_tokens = 8, pipeline = #sftile.streamed<k = 128, stages = 4, k_warps = 4>> }

// -----

// expected-error@+1 {{schedule "s": expected warps of 16, 32 or 64 features and all 8 to 64 tokens of the block where they stream their weights, found 32 x 8}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [32, 16], warp = [32, 8], max_tokens = 8, pipeline = #sftile.streamed<k = 128, stages = 4, k_warps = 4>> }

// -----

// expected-error@+1 {{schedule "s": expected warps of 16, 32 or 64 features and all 8 to 64 tokens of the block where they stream their weights, found 32 x 72}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [32, 72], warp = [32, 72], max_tokens = 8, pipeline = #sftile.streamed<k = 128, stages = 4, k_warps = 4>> }

// -----

// expected-error@+1 {{schedule "s": expected a block of a multiple or a half or a quarter of 64 features, the unit of packed weights, found 96}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [96, 8], warp = [32, 8], max_tokens = 8, pipeline = #sftile.streamed<k = 128, stages = 4, k_warps = 4>> }

// -----

// expected-error@+1 {{expected k to be a multiple of 128 from 128 to 256, found 64}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [32, 8], warp = [32, 8], max_tokens = 8, pipeline = #sftile.streamed<k = 64, stages = 4, k_warps = 4>> }

// -----

// expected-error@+1 {{schedule "s": expected at most 15 k_warps where several warps share activations, because a block has 16 barriers, found 16}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [64, 8], warp = [32, 8], max_tokens = 8, pipeline = #sftile.streamed<k = 128, stages = 4, k_warps = 16>> }

// -----

// expected-error@+1 {{schedule "s": expected max_tokens of at least 1 with holds_activations, and blocks of 8 tokens where it is more than 8, found 9 and blocks of 16}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [32, 16], warp = [32, 16], max_tokens = 9, pipeline = #sftile.streamed<k = 128, stages = 4, k_warps = 4, holds_activations = true>> }

// -----

// expected-error@+1 {{expected one of the fields k, stages, k_warps, warpgroup, holds_activations, found 'held'}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [64, 8], warp = [16, 8], max_tokens = 8, pipeline = #sftile.multistage<k = 128, stages = 4, held = true>> }

// -----

// expected-error@+1 {{schedule "s": expected k as a multiple of 64 columns for each of the k_warps and no warpgroup where several warps share a part of the result, found 4 k_warps and k = 128}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [16, 8], warp = [16, 8], max_tokens = 8, pipeline = #sftile.multistage<k = 128, stages = 4, k_warps = 4>> }

// -----

// expected-error@+1 {{schedule "s": expected k as a multiple of 64 columns for each of the k_warps and no warpgroup where several warps share a part of the result, found 2 k_warps and k = 128}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [64, 8], warp = [16, 8], max_tokens = 8, pipeline = #sftile.multistage<k = 128, stages = 4, k_warps = 2, warpgroup = true>> }

// -----

// expected-error@+1 {{schedule "s": expected at most 32 warps in a block, found 64; enlarge the warp's part or reduce the block's}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [64, 8], warp = [16, 8], max_tokens = 8, pipeline = #sftile.multistage<k = 1024, stages = 4, k_warps = 16>> }

// -----

// expected-error@+1 {{expected a value for stages}}
func.func private @f() attributes { a = #sftile.multistage<k = 64> }

// -----

// expected-error@+1 {{expected 'k' once, found it again}}
func.func private @f() attributes { a = #sftile.multistage<k = 64, stages = 4, k = 128> }

// -----

// expected-error@+1 {{expected true or false, found 'yes'}}
func.func private @f() attributes { a = #sftile.multistage<k = 64, stages = 4, warpgroup = yes> }

// -----

// expected-error@+1 {{schedule "s": expected k = 64, 128 or 256, found 192}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [128, 128], warp = [16, 128], pipeline = #sftile.warp_specialized<k = 192, stages = 4>> }

// -----

// expected-error@+1 {{schedule "s": expected store_tokens that divide the block's tokens, found 48}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [128, 128], warp = [16, 128], pipeline = #sftile.warp_specialized<k = 64, stages = 4, store_tokens = 48>> }

// -----

// expected-error@+1 {{schedule "s": expected a cluster of blocks that share the block's tokens in groups of 8, found 3}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [128, 128], warp = [16, 128], pipeline = #sftile.warp_specialized<k = 64, stages = 4, cluster = 3>> }

// -----

// Warpgroups that share a tile.
// expected-error@+1 {{schedule "s": expected cluster = 1, no holds_activations, at least 4 stages and a multiple of 8 tokens for each part of split_k and of 2 k_warps with producer warps, found 1, 3 stages and 32 tokens}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [64, 32], warp = [16, 32], pipeline = #sftile.warp_specialized<k = 128, stages = 3, k_warps = 2, store_tokens = 8>> }

// -----

// expected-error@+1 {{schedule "s": expected cluster = 1, no holds_activations, at least 4 stages and a multiple of 8 tokens for each part of split_k and of 2 k_warps with producer warps, found 2, 4 stages and 32 tokens}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [64, 32], warp = [16, 32], pipeline = #sftile.warp_specialized<k = 128, stages = 4, k_warps = 2, cluster = 2, store_tokens = 8>> }

// -----

// expected-error@+1 {{schedule "s": expected cluster = 1, no holds_activations, at least 4 stages and a multiple of 8 tokens for each part of split_k and of 2 k_warps with producer warps, found 1, 4 stages and 48 tokens}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [64, 48], warp = [16, 48], split_k = 2, pipeline = #sftile.warp_specialized<k = 128, stages = 4, k_warps = 2, store_tokens = 8>> }

// -----

// expected-error@+1 {{expected at most 12 consumer warps and 32 accumulators a thread for 16 of them, found 16}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [128, 32], warp = [16, 32], pipeline = #sftile.warp_specialized<k = 128, stages = 4, k_warps = 2, store_tokens = 16>> }

// -----

// expected-error@+1 {{expected at most 16 consumer warps and 32 accumulators a thread for 20 of them, found 8}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [320, 16], warp = [16, 16], pipeline = #sftile.warp_specialized<k = 128, stages = 4, grid = 132, store_tokens = 16, holds_activations = true>> }

// -----

// expected-error@+1 {{expected at most 16 consumer warps and 32 accumulators a thread for 16 of them, found 40}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [256, 80], warp = [16, 80], pipeline = #sftile.warp_specialized<k = 128, stages = 4, grid = 132, store_tokens = 16, holds_activations = true>> }

// -----

// expected-error@+1 {{schedule "s": expected a pipeline of multistage, warp_specialized or streamed, found #sftile.int8_attention<stages = 2>}}
func.func private @f() attributes { a = #sftile.schedule<"s", block = [128, 128], warp = [32, 32], pipeline = #sftile.int8_attention<stages = 2>> }
