// The sums of tokens are for weights whose codes are one more than they are: where no matmul
// reads them, the kernel that quantizes meets once a token and not twice.
// RUN: sparseflow compile %s --emit ptx --target sm_90a -o - | FileCheck %s

// CHECK: .entry f_0_quantize(
// CHECK: bar.sync
// CHECK-NOT: bar.sync
// CHECK: ret;
func.func @f(%x: tensor<64x4096xf16>, %w: tensor<64x4096xf16, #sparseflow.ternary<two_four, scale = row : f32>>) -> tensor<64x64xf16> {
  %q, %s = sparseflow.quantize %x : tensor<64x4096xf16> -> tensor<64x4096xi8>, tensor<64xf32>
  %y = sparseflow.matmul %q, %w epilogue(%s : tensor<64xf32>) as [per_token] {
  ^bb0(%acc: f32, %scale: f32):
    %0 = arith.mulf %acc, %scale : f32
    %1 = arith.truncf %0 : f32 to f16
    sparseflow.yield %1 : f16
  } : tensor<64x4096xi8>, tensor<64x4096xf16, #sparseflow.ternary<two_four, scale = row : f32>> -> tensor<64x64xf16>
  return %y : tensor<64x64xf16>
}

// CHECK: .entry g_0_quantize(
// CHECK: bar.sync
// CHECK: bar.sync
// CHECK: ret;
func.func @g(%x: tensor<64x4096xf16>, %w: tensor<64x4096xf16, #sparseflow.ternary<codes, scale = row : f32>>) -> tensor<64x64xf16> {
  %q, %s = sparseflow.quantize %x : tensor<64x4096xf16> -> tensor<64x4096xi8>, tensor<64xf32>
  %y = sparseflow.matmul %q, %w epilogue(%s : tensor<64xf32>) as [per_token] {
  ^bb0(%acc: f32, %scale: f32):
    %0 = arith.mulf %acc, %scale : f32
    %1 = arith.truncf %0 : f32 to f16
    sparseflow.yield %1 : f16
  } : tensor<64x4096xi8>, tensor<64x4096xf16, #sparseflow.ternary<codes, scale = row : f32>> -> tensor<64x64xf16>
  return %y : tensor<64x64xf16>
}
