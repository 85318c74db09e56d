// No kernel of a matmul with f32 results spills: rows that would are not taken,
// so that nothing is compiled again.
// REQUIRES: ptxas, turn-2-of-3
// RUN: sparseflow compile %s --target sm_90a --gpu "NVIDIA H100 80GB HBM3" --emit cubin --remarks -o %t.cubin 2>&1 | FileCheck %s

// CHECK-NOT: [fallback]
// CHECK: remark: [schedule] sm90a.sparse.{{.*}} for any number of tokens
// CHECK-NOT: [fallback]

func.func @f32(%x: tensor<?x1024xf16>, %w: tensor<1024x1024xf16, #sparseflow.nm<2:4>>) -> tensor<?x1024xf32> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<?x1024xf16>, tensor<1024x1024xf16, #sparseflow.nm<2:4>> -> tensor<?x1024xf32>
  return %y : tensor<?x1024xf32>
}
