// REQUIRES: ptxas
// 48 elements of f32 that a lane quantizes: left to itself ptxas took 64 registers and 8 bytes of
// local memory, which is refused.
// RUN: sparseflow compile %s --target sm_89 --emit cubin --ptxas %ptxas --remarks -o %t.cubin 2>&1 | FileCheck %s

// CHECK: remark: [ptxas] 'f_0_quantize_short' on sm_89: {{.*}}no spills
func.func @f(%x: tensor<2x1536xf32>, %w: tensor<64x1536xf16, #sparseflow.ternary<codes, scale = row : f32>>) -> tensor<2x64xf16> {
  %q, %s = sparseflow.quantize %x : tensor<2x1536xf32> -> tensor<2x1536xi8>, tensor<2xf32>
  %y = sparseflow.matmul %q, %w epilogue(%s : tensor<2xf32>) as [per_token] {
  ^bb0(%acc: f32, %scale: f32):
    %0 = arith.mulf %acc, %scale : f32
    %1 = arith.truncf %0 : f32 to f16
    sparseflow.yield %1 : f16
  } : tensor<2x1536xi8>, tensor<64x1536xf16, #sparseflow.ternary<codes, scale = row : f32>> -> tensor<2x64xf16>
  return %y : tensor<2x64xf16>
}
