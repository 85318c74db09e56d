// No kernel of a matmul with an odd number of features and an operand of the
// result's size spills: rows that would are not taken, so that nothing is
// compiled again.
// REQUIRES: ptxas, turn-1-of-3
// RUN: sparseflow compile %s --target sm_90a --emit cubin --remarks -o %t.cubin 2>&1 | FileCheck %s

// CHECK-NOT: [fallback]
// CHECK: remark: [schedule] sm90a.sparse.{{.*}} for any number of tokens
// CHECK-NOT: [fallback]

func.func @odd(%x: tensor<?x4396xf16>, %w: tensor<5661x4396xf16, #sparseflow.nm<2:4>>, %r: tensor<?x5661xf16>) -> tensor<?x5661xf16> {
  %y = sparseflow.matmul %x, %w epilogue(%r : tensor<?x5661xf16>) as [full] {
  ^bb0(%acc: f32, %residual: f16):
    %0 = arith.extf %residual : f16 to f32
    %1 = arith.addf %acc, %0 : f32
    %2 = arith.truncf %1 : f32 to f16
    sparseflow.yield %2 : f16
  } : tensor<?x4396xf16>, tensor<5661x4396xf16, #sparseflow.nm<2:4>> -> tensor<?x5661xf16>
  return %y : tensor<?x5661xf16>
}
