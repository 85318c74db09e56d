// Kernels of 2:4 ternary weights with 8-bit activations do not spill where N is odd or
// results are f32: nothing is compiled again.
// REQUIRES: ptxas, turn-1-of-3
// RUN: sparseflow compile %s --target sm_90a --gpu "NVIDIA H100 80GB HBM3" --emit cubin --remarks -o %t.cubin 2>&1 | FileCheck %s

// CHECK-NOT: [fallback]
// CHECK: remark: [schedule] sm90a.ternary24_i8
// CHECK-NOT: [fallback]

func.func @odd(%x: tensor<?x2048xf16>, %w: tensor<1025x2048xf16, #sparseflow.ternary<two_four, scale = row : f32>>) -> tensor<?x1025xf32> {
  %q, %s = sparseflow.quantize %x : tensor<?x2048xf16> -> tensor<?x2048xi8>, tensor<?xf32>
  %y = sparseflow.matmul %q, %w epilogue(%s : tensor<?xf32>) as [per_token] {
  ^bb0(%acc: f32, %scale: f32):
    %0 = arith.mulf %acc, %scale : f32
    sparseflow.yield %0 : f32
  } : tensor<?x2048xi8>, tensor<1025x2048xf16, #sparseflow.ternary<two_four, scale = row : f32>> -> tensor<?x1025xf32>
  return %y : tensor<?x1025xf32>
}

func.func @short(%x: tensor<?x320xf16>, %w: tensor<705x320xf16, #sparseflow.ternary<two_four, scale = row : f32>>, %r: tensor<?x705xf16>) -> tensor<?x705xf16> {
  %q, %s = sparseflow.quantize %x : tensor<?x320xf16> -> tensor<?x320xi8>, tensor<?xf32>
  %y = sparseflow.matmul %q, %w epilogue(%s, %r : tensor<?xf32>, tensor<?x705xf16>) as [per_token, full] {
  ^bb0(%acc: f32, %scale: f32, %residual: f16):
    %0 = arith.mulf %acc, %scale : f32
    %1 = arith.extf %residual : f16 to f32
    %2 = arith.addf %0, %1 : f32
    %3 = arith.truncf %2 : f32 to f16
    sparseflow.yield %3 : f16
  } : tensor<?x320xi8>, tensor<705x320xf16, #sparseflow.ternary<two_four, scale = row : f32>> -> tensor<?x705xf16>
  return %y : tensor<?x705xf16>
}
