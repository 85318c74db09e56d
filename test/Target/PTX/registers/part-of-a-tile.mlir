// REQUIRES: ptxas
// Ternary weights whose last tile of 128 features has none for its second warpgroup, a K of many
// stages that two blocks divide, and tiles of 32 tokens: that kernel spills, and is no candidate
// there. Nothing is compiled again.
// RUN: sparseflow compile %s --target sm_90a --emit cubin --ptxas %ptxas --remarks -o %t.cubin 2>&1 | FileCheck %s

// CHECK-NOT: [fallback]
// CHECK: remark: [schedule] sm90a.ternary.{{.*}} for 1000 tokens
// CHECK-NOT: [fallback]
func.func @f(%x: tensor<1000x3176xf16>, %w: tensor<136x3176xf16, #sparseflow.ternary<codes, scale = row : f32>>) -> tensor<1000x136xf16> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } : tensor<1000x3176xf16>, tensor<136x3176xf16, #sparseflow.ternary<codes, scale = row : f32>> -> tensor<1000x136xf16>
  return %y : tensor<1000x136xf16>
}
