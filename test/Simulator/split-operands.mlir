// Split-K over a cluster with an operand of the epilogue that comes by TMA: the
// producer comes to the cluster's barriers when it has copied every box of the
// operand, so it must have a place for each (a step of a model waited for ever
// with four).
//
// RUN: sparseflow run %s --device sim --target sm_90a --dim T=450 --check --races | FileCheck %s
// RUN: sparseflow run %s --device sim --target sm_90a --dim T=113 --check | FileCheck %s
// RUN: sparseflow compile %s --target sm_90a --emit ptx -o - | FileCheck %s --check-prefix=PTX
//
// CHECK: check    result 0: ok
// CHECK: found    nothing

// PTX: .entry f_0_a(
// PTX-COUNT-5: cp.async.bulk.tensor.{{[24]}}d.shared
// PTX: .entry f_0_any(

#s = #sftile.schedule<"s", block = [128, 224], warp = [16, 224], split_k = 2, pipeline = #sftile.warp_specialized<k = 64, stages = 5, store_tokens = 16>>
#r = #sftile.schedule<"r", block = [128, 64], warp = [32, 32], pipeline = #sftile.multistage<k = 64, stages = 3>>
func.func @f(%x: tensor<?x2048xf16>, %w: tensor<256x2048xf16, #sparseflow.nm<2:4>>, %r: tensor<?x256xf16>) -> tensor<?x256xf16> {
  %y = sparseflow.matmul %x, %w epilogue(%r : tensor<?x256xf16>) as [full] {
  ^bb0(%acc: f32, %i: f16):
    %t = arith.truncf %acc : f32 to f16
    %s = arith.addf %t, %i : f16
    sparseflow.yield %s : f16
  } {sftile.schedules = [#s], sftile.unaligned_schedule = #r} : tensor<?x2048xf16>, tensor<256x2048xf16, #sparseflow.nm<2:4>> -> tensor<?x256xf16>
  return %y : tensor<?x256xf16>
}
