// The same as odd-results.mlir for sm_86, with results and operands of f32.
// REQUIRES: ptxas, turn-2-of-3
// RUN: sparseflow compile %s --target sm_86 --emit cubin --remarks -o %t.cubin 2>&1 | FileCheck %s

// CHECK-NOT: [fallback]
// CHECK: remark: [schedule] sync.sparse.{{.*}} for any number of tokens
// CHECK-NOT: [fallback]

func.func @odd(%x: tensor<?x4396xf16>, %w: tensor<5661x4396xf16, #sparseflow.nm<2:4>>, %r: tensor<?x5661xf32>) -> tensor<?x5661xf32> {
  %y = sparseflow.matmul %x, %w epilogue(%r : tensor<?x5661xf32>) as [full] {
  ^bb0(%acc: f32, %residual: f32):
    %0 = arith.addf %acc, %residual : f32
    sparseflow.yield %0 : f32
  } : tensor<?x4396xf16>, tensor<5661x4396xf16, #sparseflow.nm<2:4>> -> tensor<?x5661xf32>
  return %y : tensor<?x5661xf32>
}
