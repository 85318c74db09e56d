// Partial sums of two planes, a single stage in each part of a split K: the loop
// over stages stays a loop, because of what ptxas makes of the straight line
// (docs/Rationale/ptxas.md).
//
// RUN: sparseflow run %s --device sim --target sm_90a --dim T=100 --check | FileCheck %s
// RUN: sparseflow run %s --device sim --target sm_90a --dim T=128 --check --races | FileCheck %s
// RUN: sparseflow compile %s --target sm_90a --emit ptx -o - | FileCheck %s --check-prefix=PTX
//
// CHECK: check    result 0: ok
// CHECK: found    nothing

// PTX: .entry f_0_a
// PTX: setp.ge.u32 {{%p[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}};
// PTX-COUNT-64: wgmma.mma_async

#s = #sftile.schedule<"s", block = [128, 128], warp = [16, 128], split_k = 2, pipeline = #sftile.warp_specialized<k = 128, stages = 2, store_tokens = 32>>
#r = #sftile.schedule<"r", block = [128, 16], warp = [64, 8]>
func.func @f(%x: tensor<?x256xf16>, %w: tensor<256x256xf16, #sparseflow.ternary<codes, scale = row : f32, planes = 2>>) -> tensor<?x256xf16> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %1 = arith.truncf %acc : f32 to f16
    sparseflow.yield %1 : f16
  } {sftile.schedules = [#s], sftile.reduce_schedule = #r} : tensor<?x256xf16>, tensor<256x256xf16, #sparseflow.ternary<codes, scale = row : f32, planes = 2>> -> tensor<?x256xf16>
  return %y : tensor<?x256xf16>
}
