// Kernels are named by letters, each by the first interval of tokens that it serves: a to
// z, then aa. Of 28 intervals two kernels serve 27 in turn.
//
// RUN: sparseflow-opt %s --sparseflow-tensor --sparseflow-tile=target=sm_80 2>/dev/null | FileCheck %s

// CHECK-DAG: gpu.func @f_0_a(
// CHECK-DAG: gpu.func @f_0_b(
// CHECK-DAG: gpu.func @f_0_ab(
// CHECK-DAG: gpu.func @f_0_any(

#s0 = #sftile.schedule<"x", block = [64, 16], warp = [32, 16], max_tokens = 16, pipeline = #sftile.multistage<k = 64, stages = 2>>
#s1 = #sftile.schedule<"y", block = [64, 32], warp = [32, 16], max_tokens = 32, pipeline = #sftile.multistage<k = 64, stages = 2>>
#s2 = #sftile.schedule<"x", block = [64, 16], warp = [32, 16], max_tokens = 48, pipeline = #sftile.multistage<k = 64, stages = 2>>
#s3 = #sftile.schedule<"y", block = [64, 32], warp = [32, 16], max_tokens = 64, pipeline = #sftile.multistage<k = 64, stages = 2>>
#s4 = #sftile.schedule<"x", block = [64, 16], warp = [32, 16], max_tokens = 80, pipeline = #sftile.multistage<k = 64, stages = 2>>
#s5 = #sftile.schedule<"y", block = [64, 32], warp = [32, 16], max_tokens = 96, pipeline = #sftile.multistage<k = 64, stages = 2>>
#s6 = #sftile.schedule<"x", block = [64, 16], warp = [32, 16], max_tokens = 112, pipeline = #sftile.multistage<k = 64, stages = 2>>
#s7 = #sftile.schedule<"y", block = [64, 32], warp = [32, 16], max_tokens = 128, pipeline = #sftile.multistage<k = 64, stages = 2>>
#s8 = #sftile.schedule<"x", block = [64, 16], warp = [32, 16], max_tokens = 144, pipeline = #sftile.multistage<k = 64, stages = 2>>
#s9 = #sftile.schedule<"y", block = [64, 32], warp = [32, 16], max_tokens = 160, pipeline = #sftile.multistage<k = 64, stages = 2>>
#s10 = #sftile.schedule<"x", block = [64, 16], warp = [32, 16], max_tokens = 176, pipeline = #sftile.multistage<k = 64, stages = 2>>
#s11 = #sftile.schedule<"y", block = [64, 32], warp = [32, 16], max_tokens = 192, pipeline = #sftile.multistage<k = 64, stages = 2>>
#s12 = #sftile.schedule<"x", block = [64, 16], warp = [32, 16], max_tokens = 208, pipeline = #sftile.multistage<k = 64, stages = 2>>
#s13 = #sftile.schedule<"y", block = [64, 32], warp = [32, 16], max_tokens = 224, pipeline = #sftile.multistage<k = 64, stages = 2>>
#s14 = #sftile.schedule<"x", block = [64, 16], warp = [32, 16], max_tokens = 240, pipeline = #sftile.multistage<k = 64, stages = 2>>
#s15 = #sftile.schedule<"y", block = [64, 32], warp = [32, 16], max_tokens = 256, pipeline = #sftile.multistage<k = 64, stages = 2>>
#s16 = #sftile.schedule<"x", block = [64, 16], warp = [32, 16], max_tokens = 272, pipeline = #sftile.multistage<k = 64, stages = 2>>
#s17 = #sftile.schedule<"y", block = [64, 32], warp = [32, 16], max_tokens = 288, pipeline = #sftile.multistage<k = 64, stages = 2>>
#s18 = #sftile.schedule<"x", block = [64, 16], warp = [32, 16], max_tokens = 304, pipeline = #sftile.multistage<k = 64, stages = 2>>
#s19 = #sftile.schedule<"y", block = [64, 32], warp = [32, 16], max_tokens = 320, pipeline = #sftile.multistage<k = 64, stages = 2>>
#s20 = #sftile.schedule<"x", block = [64, 16], warp = [32, 16], max_tokens = 336, pipeline = #sftile.multistage<k = 64, stages = 2>>
#s21 = #sftile.schedule<"y", block = [64, 32], warp = [32, 16], max_tokens = 352, pipeline = #sftile.multistage<k = 64, stages = 2>>
#s22 = #sftile.schedule<"x", block = [64, 16], warp = [32, 16], max_tokens = 368, pipeline = #sftile.multistage<k = 64, stages = 2>>
#s23 = #sftile.schedule<"y", block = [64, 32], warp = [32, 16], max_tokens = 384, pipeline = #sftile.multistage<k = 64, stages = 2>>
#s24 = #sftile.schedule<"x", block = [64, 16], warp = [32, 16], max_tokens = 400, pipeline = #sftile.multistage<k = 64, stages = 2>>
#s25 = #sftile.schedule<"y", block = [64, 32], warp = [32, 16], max_tokens = 416, pipeline = #sftile.multistage<k = 64, stages = 2>>
#s26 = #sftile.schedule<"x", block = [64, 16], warp = [32, 16], max_tokens = 432, pipeline = #sftile.multistage<k = 64, stages = 2>>
#s27 = #sftile.schedule<"z", block = [64, 64], warp = [32, 16], max_tokens = 0, pipeline = #sftile.multistage<k = 64, stages = 2>>

func.func @f(%x: tensor<?x64xf16>, %w: tensor<64x64xf16>) -> tensor<?x64xf16> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %t = arith.truncf %acc : f32 to f16
    sparseflow.yield %t : f16
  } {sftile.schedules = [#s0, #s1, #s2, #s3, #s4, #s5, #s6, #s7, #s8, #s9, #s10, #s11, #s12, #s13, #s14, #s15, #s16, #s17, #s18, #s19, #s20, #s21, #s22, #s23, #s24, #s25, #s26, #s27]} : tensor<?x64xf16>, tensor<64x64xf16> -> tensor<?x64xf16>
  return %y : tensor<?x64xf16>
}
