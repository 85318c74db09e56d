// RUN: sparseflow-opt %s --split-input-file --verify-diagnostics --pass-pipeline="builtin.module(func.func(sparseflow-materialize-storage),convert-sparseflow-to-sftile)"

// Schedules that make no kernel of a matmul, most of ternary weights.

#s = #sftile.schedule<"s", block = [32, 8], warp = [32, 8], max_tokens = 8, pipeline = #sftile.streamed<k = 256, stages = 4, k_warps = 4>>
#r = #sftile.schedule<"r", block = [128, 16], warp = [64, 8]>
func.func @codes(%x: tensor<?x512xf16>, %w: tensor<128x512xf16, #sparseflow.ternary<codes, scale = row : f32>>) -> tensor<?x128xf16> {
  %q, %s = sparseflow.quantize %x : tensor<?x512xf16> -> tensor<?x512xi8>, tensor<?xf32>
  // expected-error@+1 {{expected a streamed pipeline with k = 128, and only for ternary weights, found it in schedule s}}
  %y = sparseflow.matmul %q, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } {sftile.schedules = [#s], sftile.reduce_schedule = #r} : tensor<?x512xi8>, tensor<128x512xf16, #sparseflow.ternary<codes, scale = row : f32>> -> tensor<?x128xf16>
  return %y : tensor<?x128xf16>
}

// -----

#s = #sftile.schedule<"s", block = [64, 8], warp = [16, 8], max_tokens = 1, pipeline = #sftile.multistage<k = 128, stages = 4, holds_activations = true>>
func.func @rows(%x: tensor<?x512xf16>, %w: tensor<128x512xf16, #sparseflow.ternary<codes, scale = row : f32>>) -> tensor<?x128xf16> {
  %q, %s = sparseflow.quantize %x : tensor<?x512xf16> -> tensor<?x512xi8>, tensor<?xf32>
  // expected-error@+1 {{expected dense or 2:4 weights where blocks compute the rows of one token, found #sparseflow.ternary<}}
  %y = sparseflow.matmul %q, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } {sftile.schedules = [#s]} : tensor<?x512xi8>, tensor<128x512xf16, #sparseflow.ternary<codes, scale = row : f32>> -> tensor<?x128xf16>
  return %y : tensor<?x128xf16>
}

// -----

#s = #sftile.schedule<"s", block = [32, 8], warp = [32, 8], max_tokens = 8, pipeline = #sftile.streamed<k = 128, stages = 4, k_warps = 4>>
#r = #sftile.schedule<"r", block = [128, 16], warp = [64, 8]>
func.func @dense(%x: tensor<?x512xf16>, %w: tensor<128x512xf16>) -> tensor<?x128xf16> {
  // expected-error@+1 {{expected a streamed pipeline with k = 128, and only for ternary weights, found it in schedule s}}
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } {sftile.schedules = [#s], sftile.reduce_schedule = #r} : tensor<?x512xf16>, tensor<128x512xf16> -> tensor<?x128xf16>
  return %y : tensor<?x128xf16>
}

// -----

#s = #sftile.schedule<"s", block = [128, 48], warp = [16, 48], pipeline = #sftile.warp_specialized<k = 128, stages = 4, store_tokens = 16>>
#r = #sftile.schedule<"r", block = [128, 16], warp = [64, 8]>
func.func @scales(%x: tensor<?x512xf16>, %w: tensor<128x512xf16, #sparseflow.ternary<codes, scale = 64 : f32>>) -> tensor<?x128xf16> {
  %q, %s = sparseflow.quantize %x : tensor<?x512xf16> -> tensor<?x512xi8>, tensor<?xf32>
  // expected-error@+1 {{expected blocks of a multiple of 32 tokens, and groups of at least 64 columns of weights that keep two of four, for scales of groups or planes with producer warps, found schedule s}}
  %y = sparseflow.matmul %q, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } {sftile.schedules = [#s], sftile.reduce_schedule = #r} : tensor<?x512xi8>, tensor<128x512xf16, #sparseflow.ternary<codes, scale = 64 : f32>> -> tensor<?x128xf16>
  return %y : tensor<?x128xf16>
}

// -----

#s = #sftile.schedule<"s", block = [128, 64], warp = [32, 32], pipeline = #sftile.multistage<k = 128, stages = 4>>
#r = #sftile.schedule<"r", block = [128, 16], warp = [64, 8]>
func.func @pairs(%x: tensor<?x512xf16>, %w: tensor<128x512xf16, #sparseflow.ternary<two_four_zero, scale = 64 : f32>>) -> tensor<?x128xf16> {
  // expected-error@+1 {{expected a streamed or warp_specialized pipeline, and k = 256, the columns of a unit, for weights that keep two of four columns, found schedule s}}
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } {sftile.schedules = [#s], sftile.reduce_schedule = #r} : tensor<?x512xf16>, tensor<128x512xf16, #sparseflow.ternary<two_four_zero, scale = 64 : f32>> -> tensor<?x128xf16>
  return %y : tensor<?x128xf16>
}

// -----

#s = #sftile.schedule<"s", block = [128, 40], warp = [16, 40], pipeline = #sftile.warp_specialized<k = 128, stages = 4, store_tokens = 8>>
#r = #sftile.schedule<"r", block = [128, 16], warp = [64, 8]>
func.func @tokens(%x: tensor<?x512xf16>, %w: tensor<128x512xf16, #sparseflow.ternary<codes, scale = row : f32>>) -> tensor<?x128xf16> {
  %q, %s = sparseflow.quantize %x : tensor<?x512xf16> -> tensor<?x512xi8>, tensor<?xf32>
  // expected-error@+1 {{expected blocks of 8, 24 or a multiple of 16 tokens for activations of 8 bits, the sizes of a warpgroup's MMA, found 40 in schedule s}}
  %y = sparseflow.matmul %q, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } {sftile.schedules = [#s], sftile.reduce_schedule = #r} : tensor<?x512xi8>, tensor<128x512xf16, #sparseflow.ternary<codes, scale = row : f32>> -> tensor<?x128xf16>
  return %y : tensor<?x128xf16>
}

// -----

#s = #sftile.schedule<"s", block = [128, 64], warp = [16, 64], split_k = 8, pipeline = #sftile.warp_specialized<k = 64, stages = 4, store_tokens = 8>>
#r = #sftile.schedule<"r", block = [128, 16], warp = [64, 8]>
func.func @parts(%x: tensor<?x320xf16>, %w: tensor<128x320xf16, #sparseflow.nm<2:4>>) -> tensor<?x128xf16> {
  // expected-error@+1 {{expected split_k to leave each part some of the 5 stages of K = 320 for schedule s, found 8}}
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } {sftile.schedules = [#s], sftile.reduce_schedule = #r} : tensor<?x320xf16>, tensor<128x320xf16, #sparseflow.nm<2:4>> -> tensor<?x128xf16>
  return %y : tensor<?x128xf16>
}

// -----

#s = #sftile.schedule<"s", block = [128, 64], warp = [16, 64], pipeline = #sftile.warp_specialized<k = 64, stages = 4>>
func.func @unaligned(%x: tensor<?x64xf16>, %w: tensor<128x64xf16>) -> tensor<?x128xf16> {
  // expected-error@+1 {{expected sftile.unaligned_schedule without producer_warps beside s, whose bulk copies need rows and pointers that are multiples of 16 bytes; pin one}}
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } {sftile.schedules = [#s]} : tensor<?x64xf16>, tensor<128x64xf16> -> tensor<?x128xf16>
  return %y : tensor<?x128xf16>
}

// -----

func.func @returned_codes(%x: tensor<?x64xf16>) -> (tensor<?x64xi8>, tensor<?xf32>) {
  // expected-error@+1 {{expected no result that the function returns: their order on a GPU is private; return matmuls of them}}
  %q, %s = sparseflow.quantize %x : tensor<?x64xf16> -> tensor<?x64xi8>, tensor<?xf32>
  return %q, %s : tensor<?x64xi8>, tensor<?xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @read_codes(%x: tensor<?x64xf16>) -> tensor<?x64xi8> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x64xf16>
  %q, %s = sparseflow.quantize %x : tensor<?x64xf16> -> tensor<?x64xi8>, tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?x64xi8>
  // expected-error@+1 {{expected a matmul to read quantized activations, whose order on a GPU is private}}
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%q : tensor<?x64xi8>) outs(%e : tensor<?x64xi8>) {
  ^bb0(%a: i8, %out: i8):
    %0 = arith.addi %a, %a : i8
    linalg.yield %0 : i8
  } -> tensor<?x64xi8>
  return %y : tensor<?x64xi8>
}

// -----

#s = #sftile.schedule<"s", block = [128, 64], warp = [32, 32]>
#r = #sftile.schedule<"r", block = [128, 16], warp = [64, 8]>
func.func @no_pipeline(%x: tensor<?x512xf16>, %w: tensor<128x512xf16, #sparseflow.ternary<codes, scale = row : f32>>) -> tensor<?x128xf16> {
  // expected-error@+1 {{expected a schedule with a pipeline, found #sftile.schedule<"s", block = [128, 64], warp = [32, 32]>, which is one for elementwise kernels}}
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } {sftile.schedules = [#s], sftile.reduce_schedule = #r} : tensor<?x512xf16>, tensor<128x512xf16, #sparseflow.ternary<codes, scale = row : f32>> -> tensor<?x128xf16>
  return %y : tensor<?x128xf16>
}

// -----

#s = #sftile.schedule<"s", block = [128, 64], warp = [32, 32], pipeline = #sftile.multistage<k = 128, stages = 3>>
#r = #sftile.schedule<"r", block = [128, 16], warp = [64, 8]>
func.func @no_kernels(%x: tensor<?x512xf16>, %w: tensor<128x512xf16, #sparseflow.ternary<bit_planes, scale = row : f32>>) -> tensor<?x128xf16> {
  // expected-error@+1 {{expected a weight that kernels read, found #sparseflow.ternary<bit_planes, scale = row : f32>; sparseflow-verify-program says what to do}}
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } {sftile.schedules = [#s], sftile.reduce_schedule = #r} : tensor<?x512xf16>, tensor<128x512xf16, #sparseflow.ternary<bit_planes, scale = row : f32>> -> tensor<?x128xf16>
  return %y : tensor<?x128xf16>
}

// -----

#s = #sftile.schedule<"s", block = [32, 8], warp = [32, 8], max_tokens = 8, pipeline = #sftile.streamed<k = 128, stages = 4, k_warps = 4>>
#r = #sftile.schedule<"r", block = [128, 16], warp = [64, 8]>
func.func @streamed_int4(%x: tensor<?x512xf16>, %w: tensor<128x512xf16, #sparseflow.quantized<int4, scale = 32 : f16>>) -> tensor<?x128xf16> {
  // expected-error@+1 {{expected a multistage or warp_specialized pipeline for weights of int4.v1, found schedule s}}
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } {sftile.schedules = [#s], sftile.reduce_schedule = #r} : tensor<?x512xf16>, tensor<128x512xf16, #sparseflow.quantized<int4, scale = 32 : f16>> -> tensor<?x128xf16>
  return %y : tensor<?x128xf16>
}

// -----

#s = #sftile.schedule<"s", block = [128, 64], warp = [16, 64], pipeline = #sftile.warp_specialized<k = 256, stages = 2>>
#r = #sftile.schedule<"r", block = [128, 16], warp = [64, 8]>
func.func @k_of_producers(%x: tensor<?x512xf16>, %w: tensor<128x512xf16, #sparseflow.ternary<codes, scale = row : f32>>) -> tensor<?x128xf16> {
  // expected-error@+1 {{expected k = 128 with producer warps for ternary weights of all columns, or 256 with activations of 8 bits, found schedule s}}
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } {sftile.schedules = [#s], sftile.reduce_schedule = #r} : tensor<?x512xf16>, tensor<128x512xf16, #sparseflow.ternary<codes, scale = row : f32>> -> tensor<?x128xf16>
  return %y : tensor<?x128xf16>
}

// -----

#s = #sftile.schedule<"s", block = [128, 64], warp = [32, 32], pipeline = #sftile.multistage<k = 64, stages = 3>>
#r = #sftile.schedule<"r", block = [128, 16], warp = [64, 8]>
func.func @half_units(%x: tensor<?x512xf16>, %w: tensor<128x512xf16, #sparseflow.ternary<codes, scale = row : f32>>) -> tensor<?x128xf16> {
  // expected-error@+1 {{expected k as a multiple of 128, the columns of a unit of ternary weights, for schedule s, found 64}}
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } {sftile.schedules = [#s], sftile.reduce_schedule = #r} : tensor<?x512xf16>, tensor<128x512xf16, #sparseflow.ternary<codes, scale = row : f32>> -> tensor<?x128xf16>
  return %y : tensor<?x128xf16>
}

// -----

#s = #sftile.schedule<"s", block = [64, 8], warp = [32, 8], pipeline = #sftile.multistage<k = 256, stages = 3, k_warps = 4>>
#r = #sftile.schedule<"r", block = [128, 16], warp = [64, 8]>
func.func @divided_codes(%x: tensor<?x512xf16>, %w: tensor<128x512xf16, #sparseflow.ternary<codes, scale = row : f32>>) -> tensor<?x128xf16> {
  // expected-error@+1 {{expected k_warps = 1 for packed weights, whose units warps do not divide, found schedule s with 4}}
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } {sftile.schedules = [#s], sftile.reduce_schedule = #r} : tensor<?x512xf16>, tensor<128x512xf16, #sparseflow.ternary<codes, scale = row : f32>> -> tensor<?x128xf16>
  return %y : tensor<?x128xf16>
}

// -----

#s = #sftile.schedule<"s", block = [128, 64], warp = [16, 64], pipeline = #sftile.multistage<k = 128, stages = 3, warpgroup = true>>
#r = #sftile.schedule<"r", block = [128, 16], warp = [64, 8]>
func.func @warpgroup_codes(%x: tensor<?x512xf16>, %w: tensor<128x512xf16, #sparseflow.ternary<codes, scale = row : f32>>) -> tensor<?x128xf16> {
  // expected-error@+1 {{expected warpgroup for ternary weights only with producer warps, found it in schedule s}}
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } {sftile.schedules = [#s], sftile.reduce_schedule = #r} : tensor<?x512xf16>, tensor<128x512xf16, #sparseflow.ternary<codes, scale = row : f32>> -> tensor<?x128xf16>
  return %y : tensor<?x128xf16>
}

// -----

#s = #sftile.schedule<"s", block = [128, 64], warp = [16, 64], pipeline = #sftile.multistage<k = 128, stages = 3, warpgroup = true>>
#r = #sftile.schedule<"r", block = [128, 16], warp = [64, 8]>
func.func @warpgroup_dense(%x: tensor<?x512xf16>, %w: tensor<128x512xf16>) -> tensor<?x128xf16> {
  // expected-error@+1 {{expected k = 64 where four warps multiply together, or 128 for 2:4 weights and producer warps, for schedule s, found 128}}
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } {sftile.schedules = [#s], sftile.reduce_schedule = #r} : tensor<?x512xf16>, tensor<128x512xf16> -> tensor<?x128xf16>
  return %y : tensor<?x128xf16>
}

// -----

#s = #sftile.schedule<"s", block = [128, 64], warp = [16, 64], pipeline = #sftile.warp_specialized<k = 256, stages = 2>>
#r = #sftile.schedule<"r", block = [128, 16], warp = [64, 8]>
#codes = #sparseflow.ternary<codes, scale = row : f32>
#pairs = #sparseflow.ternary<two_four_zero, scale = row : f32>
func.func @two_orders(%x: tensor<?x512xf16>, %w: tensor<128x512xf16, #codes>, %u: tensor<128x512xf16, #pairs>) -> (tensor<?x128xf16>, tensor<?x128xf16>) {
  %q, %s = sparseflow.quantize %x : tensor<?x512xf16> -> tensor<?x512xi8>, tensor<?xf32>
  // expected-error@+1 {{expected matmuls that share quantized activations to have weights of one order: all of them keep two of four columns, or none does; give this one activations of its own}}
  %y = sparseflow.matmul %q, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } {sftile.schedules = [#s], sftile.reduce_schedule = #r} : tensor<?x512xi8>, tensor<128x512xf16, #codes> -> tensor<?x128xf16>
  %z = sparseflow.matmul %q, %u {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } {sftile.schedules = [#s], sftile.reduce_schedule = #r} : tensor<?x512xi8>, tensor<128x512xf16, #pairs> -> tensor<?x128xf16>
  return %y, %z : tensor<?x128xf16>, tensor<?x128xf16>
}

// -----

#s = #sftile.schedule<"s", block = [64, 32], warp = [16, 32], pipeline = #sftile.warp_specialized<k = 128, stages = 4, grid = 132, store_tokens = 32, holds_activations = true>>
#r = #sftile.schedule<"r", block = [128, 16], warp = [64, 8]>
func.func @odd_rows(%x: tensor<?x508xf16>, %w: tensor<128x508xf16, #sparseflow.ternary<codes, scale = row : f32>>) -> tensor<?x128xf16> {
  %q, %s = sparseflow.quantize %x : tensor<?x508xf16> -> tensor<?x508xi8>, tensor<?xf32>
  // expected-error@+1 {{expected activations that sparseflow.quantize rounds, in rows of a multiple of 16 bytes and at most 4096 elements, and weights with one scale or one a row, for holds_activations and producer warps, found schedule s}}
  %y = sparseflow.matmul %q, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } {sftile.schedules = [#s], sftile.reduce_schedule = #r} : tensor<?x508xi8>, tensor<128x508xf16, #sparseflow.ternary<codes, scale = row : f32>> -> tensor<?x128xf16>
  return %y : tensor<?x128xf16>
}

// -----

#s = #sftile.schedule<"s", block = [64, 32], warp = [16, 32], pipeline = #sftile.warp_specialized<k = 128, stages = 4, grid = 132, store_tokens = 32, holds_activations = true>>
#r = #sftile.schedule<"r", block = [128, 16], warp = [64, 8]>
func.func @groups_held(%x: tensor<?x512xf16>, %w: tensor<128x512xf16, #sparseflow.ternary<codes, scale = 64 : f32>>) -> tensor<?x128xf16> {
  %q, %s = sparseflow.quantize %x : tensor<?x512xf16> -> tensor<?x512xi8>, tensor<?xf32>
  // expected-error@+1 {{expected activations that sparseflow.quantize rounds}}
  %y = sparseflow.matmul %q, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } {sftile.schedules = [#s], sftile.reduce_schedule = #r} : tensor<?x512xi8>, tensor<128x512xf16, #sparseflow.ternary<codes, scale = 64 : f32>> -> tensor<?x128xf16>
  return %y : tensor<?x128xf16>
}

// -----

#s = #sftile.schedule<"s", block = [64, 32], warp = [16, 32], pipeline = #sftile.warp_specialized<k = 64, stages = 4, k_warps = 2, store_tokens = 16>>
func.func @dense_k_warps(%x: tensor<?x512xf16>, %w: tensor<128x512xf16>) -> tensor<?x128xf16> {
  // expected-error@+1 {{expected k_warps = 1 for dense and 2:4 weights and producer warps, found schedule s with 2}}
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } {sftile.schedules = [#s]} : tensor<?x512xf16>, tensor<128x512xf16> -> tensor<?x128xf16>
  return %y : tensor<?x128xf16>
}

// -----

#s = #sftile.schedule<"s", block = [64, 32], warp = [16, 32], pipeline = #sftile.warp_specialized<k = 128, stages = 4, k_warps = 2, store_tokens = 16>>
func.func @planes_k_warps(%x: tensor<?x512xf16>, %w: tensor<128x512xf16, #sparseflow.ternary<codes, scale = 128 : f32, planes = 2>>) -> tensor<?x128xf16> {
  // expected-error@+1 {{expected k_warps = 1 for scales of groups or planes and producer warps, found schedule s with 2}}
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } {sftile.schedules = [#s]} : tensor<?x512xf16>, tensor<128x512xf16, #sparseflow.ternary<codes, scale = 128 : f32, planes = 2>> -> tensor<?x128xf16>
  return %y : tensor<?x128xf16>
}
