// Kernels of ternary weights with scales of groups and 8-bit activations do not spill where N
// is odd and an operand of the result's size is added: nothing is compiled again.
// REQUIRES: ptxas, turn-2-of-3
// RUN: sparseflow compile %s --target sm_90a --emit cubin --remarks -o %t.cubin 2>&1 | FileCheck %s

// CHECK-NOT: [fallback]
// CHECK: remark: [schedule] sm90a.ternary_groups_i8.{{.*}} for any number of tokens
// CHECK-NOT: [fallback]

func.func @odd(%x: tensor<?x2048xf16>, %w: tensor<1025x2048xf16, #sparseflow.ternary<codes, scale = 64 : f32>>, %r: tensor<?x1025xf32>) -> tensor<?x1025xf32> {
  %q, %s = sparseflow.quantize %x : tensor<?x2048xf16> -> tensor<?x2048xi8>, tensor<?xf32>
  %y = sparseflow.matmul %q, %w epilogue(%s, %r : tensor<?xf32>, tensor<?x1025xf32>) as [per_token, full] {
  ^bb0(%acc: f32, %scale: f32, %residual: f32):
    %0 = arith.mulf %acc, %scale : f32
    %1 = arith.addf %0, %residual : f32
    sparseflow.yield %1 : f32
  } : tensor<?x2048xi8>, tensor<1025x2048xf16, #sparseflow.ternary<codes, scale = 64 : f32>> -> tensor<?x1025xf32>
  return %y : tensor<?x1025xf32>
}
