// Entries of lengths of their own, more queries than keys: a block has several tiles
// that see no key, whose zeros and log-sum-exps it stores, and tiles of several
// stages and of one before them.
//
// RUN: sparseflow run %s --entry heads --device sim --target sm_90a --check --races | FileCheck %s
// RUN: sparseflow run %s --entry rows --device sim --target sm_90a --check --races | FileCheck %s
// RUN: sparseflow run %s --entry halves --device sim --target sm_90a --check --races | FileCheck %s
// RUN: sparseflow compile %s --target sm_90a --emit sftile -o - | FileCheck %s --check-prefix=KERNELS
//
// CHECK: result 0: ok
// CHECK: found    nothing: bounds, alignment, operands, races
// KERNELS: gpu.func @heads_0_a_plan(
// KERNELS: gpu.func @halves_0_a_plan(

#rows = #sftile.attention_schedule<"rows", queries = 128, warp = 16, keys = 32, heads = 2, min_blocks = 1, plan = true, pipeline = #sftile.warp_specialized_attention<stages = 2, grid = 2, ping_pong = true>>
#plain = #sftile.attention_schedule<"plain", queries = 64, warp = 16, keys = 32, pipeline = #sftile.multistage_attention<stages = 2>>

func.func @heads(%q: tensor<3x2x300x80xf16>, %k: tensor<3x1x150x80xf16>, %n: tensor<3xi32>) -> (tensor<3x2x300x80xf16>, tensor<3x2x300xf32>) {
  %o, %l = sparseflow.attention %q, %k, %k lengths(%n : tensor<3xi32>) {causal, sftile.schedules = [#rows], sftile.unaligned_schedule = #plain}
    : tensor<3x2x300x80xf16>, tensor<3x1x150x80xf16>, tensor<3x1x150x80xf16> -> tensor<3x2x300x80xf16>, tensor<3x2x300xf32>
  return %o, %l : tensor<3x2x300x80xf16>, tensor<3x2x300xf32>
}

func.func @rows(%q: tensor<3x200x6x128xf16>, %k: tensor<3x100x3x128xf16>, %n: tensor<3xi32>) -> tensor<3x200x6x128xf16> {
  %o = sparseflow.attention %q, %k, %k lengths(%n : tensor<3xi32>) {causal, layout = #sparseflow.attention_layout<bshd>, sftile.schedules = [#rows], sftile.unaligned_schedule = #plain}
    : tensor<3x200x6x128xf16>, tensor<3x100x3x128xf16>, tensor<3x100x3x128xf16> -> tensor<3x200x6x128xf16>
  return %o : tensor<3x200x6x128xf16>
}

func.func @halves(%q: tensor<4x1x270x64xf16>, %k: tensor<4x1x130x64xf16>, %n: tensor<4xi32>) -> tensor<4x1x270x64xf16> {
  %o = sparseflow.attention %q, %k, %k lengths(%n : tensor<4xi32>) {causal, sftile.schedules = [#rows], sftile.unaligned_schedule = #plain}
    : tensor<4x1x270x64xf16>, tensor<4x1x130x64xf16>, tensor<4x1x130x64xf16> -> tensor<4x1x270x64xf16>
  return %o : tensor<4x1x270x64xf16>
}
