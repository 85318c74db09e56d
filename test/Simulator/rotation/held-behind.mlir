// A schedule for more tokens quantizes what it reads, behind one that does not: for
// its tokens, too, what it reads is computed by a kernel that does not quantize.
//
// RUN: sparseflow run %s --device sim --target sm_90a --dim T=5 --check --races | FileCheck %s
// RUN: sparseflow run %s --device sim --target sm_90a --dim T=12 --check --races | FileCheck %s
// RUN: sparseflow run %s --device sim --target sm_90a --dim T=17 --check --races | FileCheck %s
// RUN: sparseflow run %s --device sim --target sm_90a --dim T=70 --check --races | FileCheck %s
// RUN: sparseflow compile %s --target sm_90a --emit ptx -o %t --remarks 2>&1 | FileCheck %s --check-prefix=REMARK
//
// CHECK: check    result 0: ok
// CHECK: found    nothing
// REMARK: remark: [rotation] rotated and quantized by one kernel
// REMARK-SAME: up to 8 tokens rotated alone, and quantized by the matmul; from 17 on up to 64 tokens rotated alone, and quantized by the matmul

#a = #sftile.schedule<"a", block = [32, 8], warp = [32, 8], max_tokens = 8, pipeline = #sftile.streamed<k = 128, stages = 2, k_warps = 4, holds_activations = true>>
#b = #sftile.schedule<"b", block = [32, 16], warp = [32, 16], max_tokens = 16, pipeline = #sftile.streamed<k = 128, stages = 2, k_warps = 4>>
#c = #sftile.schedule<"c", block = [32, 8], warp = [32, 8], max_tokens = 64, pipeline = #sftile.streamed<k = 128, stages = 2, k_warps = 4, holds_activations = true>>
#d = #sftile.schedule<"d", block = [128, 32], warp = [32, 32], pipeline = #sftile.multistage<k = 128, stages = 2>>
func.func @f(%x: tensor<?x256xf16>, %w: tensor<96x256xf16, #sparseflow.ternary<codes, scale = row : f32>>) -> tensor<?x96xf32> {
  %h = sparseflow.hadamard %x block 128 : tensor<?x256xf16>
  %q, %s = sparseflow.quantize %h : tensor<?x256xf16> -> tensor<?x256xi8>, tensor<?xf32>
  %y = sparseflow.matmul %q, %w epilogue(%s : tensor<?xf32>) as [per_token] {
  ^bb0(%acc: f32, %i: f32):
    %r = arith.mulf %acc, %i : f32
    sparseflow.yield %r : f32
  } {sftile.schedules = [#a, #b, #c, #d], sftile.unaligned_schedule = #d} : tensor<?x256xi8>, tensor<96x256xf16, #sparseflow.ternary<codes, scale = row : f32>> -> tensor<?x96xf32>
  return %y : tensor<?x96xf32>
}
