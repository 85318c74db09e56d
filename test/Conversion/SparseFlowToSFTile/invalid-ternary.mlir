// RUN: sparseflow-opt %s --split-input-file --verify-diagnostics --pass-pipeline="builtin.module(func.func(sparseflow-materialize-storage),convert-sparseflow-to-sftile)"

// Schedules that make no kernel of a ternary product.

#s = #sftile.schedule<"s", block = [32, 8], warp = [32, 8], max_tokens = 8, pipeline = #sftile.streamed<k = 256, stages = 4, k_warps = 4>>
#r = #sftile.schedule<"r", block = [128, 16], warp = [64, 8]>
func.func @codes(%x: tensor<?x512xf16>, %w: tensor<128x512xf16, #sparseflow.ternary<codes, scale = row : f32>>) -> tensor<?x128xf16> {
  %q, %s = sparseflow.quantize %x : tensor<?x512xf16> -> tensor<?x512xi8>, tensor<?xf32>
  // expected-error@+1 {{expected a streamed pipeline with k = 128 and max_tokens, and only for ternary weights, found it in schedule s}}
  %y = sparseflow.matmul %q, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } {sftile.schedules = [#s], sftile.reduce_schedule = #r} : tensor<?x512xi8>, tensor<128x512xf16, #sparseflow.ternary<codes, scale = row : f32>> -> tensor<?x128xf16>
  return %y : tensor<?x128xf16>
}

// -----

#s = #sftile.schedule<"s", block = [32, 8], warp = [32, 8], max_tokens = 8, pipeline = #sftile.streamed<k = 128, stages = 4, k_warps = 4>>
#r = #sftile.schedule<"r", block = [128, 16], warp = [64, 8]>
func.func @dense(%x: tensor<?x512xf16>, %w: tensor<128x512xf16>) -> tensor<?x128xf16> {
  // expected-error@+1 {{expected a streamed pipeline with k = 128 and max_tokens, and only for ternary weights, found it in schedule s}}
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
  // expected-error@+1 {{expected a streamed or warp_specialized pipeline, and k = 256, the depth of a unit, for weights that keep two of four columns, found schedule s}}
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

#s = #sftile.schedule<"s", block = [128, 64], warp = [16, 64], pipeline = #sftile.warp_specialized<k = 64, stages = 4>>
#r = #sftile.schedule<"r", block = [128, 16], warp = [64, 8]>
func.func @dense_rows(%x: tensor<?x516xf16>, %w: tensor<128x516xf16>) -> tensor<?x128xf16> {
  // expected-error@+1 {{expected K as a multiple of 8 for dense weights and schedule s, whose copies need rows of a multiple of 16 bytes, found K = 516}}
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } {sftile.schedules = [#s], sftile.reduce_schedule = #r} : tensor<?x516xf16>, tensor<128x516xf16> -> tensor<?x128xf16>
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
