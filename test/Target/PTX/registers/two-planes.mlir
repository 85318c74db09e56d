// REQUIRES: ptxas
// Ternary weights of two planes with a scale for each 64 columns spill with tiles of 32 x 32 a
// warp: a row with half the accumulators stands behind. Warpgroups have tiles for them, also for
// short K.
// DEFINE: %{cubin} = sparseflow compile %s --emit cubin --ptxas %ptxas --remarks -o %t.cubin
// RUN: %{cubin} --target sm_86 2>&1 | FileCheck %s
// RUN: %{cubin} --target sm_90a 2>&1 | FileCheck %s --check-prefix=WARPGROUPS

// CHECK: remark: [fallback] 'f_0_a' on sm_86 spills {{[0-9]+}} bytes of registers: compiled again without schedule
// CHECK: remark: [schedule] ternary_groups.tight for 4096 tokens: block 64x64, warp 16x32
// CHECK-NOT: [fallback]
// WARPGROUPS-NOT: [fallback]
// WARPGROUPS: remark: [schedule] sm90a.ternary_groups.{{.*}} for 4096 tokens
// WARPGROUPS-NOT: [fallback]
func.func @f(%x: tensor<4096x192xf16>, %w: tensor<1024x192xf16, #sparseflow.ternary<codes, scale = 64 : f32, planes = 2>>) -> tensor<4096x1024xf16> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } : tensor<4096x192xf16>, tensor<1024x192xf16, #sparseflow.ternary<codes, scale = 64 : f32, planes = 2>> -> tensor<4096x1024xf16>
  return %y : tensor<4096x1024xf16>
}
