// REQUIRES: ptxas
// Two vectors of 16 bf16 numbers that a lane quantizes, none of which needs a bound: the
// kernel for many short tokens has five blocks on an SM then, for in the registers of six
// ptxas would spill, which is refused.
// DEFINE: %{cubin} = sparseflow compile %s --emit cubin --ptxas %ptxas -o %t.cubin
// RUN: %{cubin} --target sm_80
// RUN: %{cubin} --target sm_89
// RUN: %{cubin} --target sm_90a
// RUN: %{cubin} --target sm_120
// RUN: sparseflow compile %s --emit ptx --target sm_90a -o - | FileCheck %s

// CHECK: .entry f_0_quantize_short(
// CHECK: .maxntid 256
// CHECK-NEXT: .minnctapersm 5
func.func @f(%x: tensor<400x1024xbf16>, %w: tensor<64x1024xbf16, #sparseflow.ternary<codes, scale = row : f32>>) -> tensor<400x64xbf16> {
  %q, %s = sparseflow.quantize %x : tensor<400x1024xbf16> -> tensor<400x1024xi8>, tensor<400xf32>
  %y = sparseflow.matmul %q, %w epilogue(%s : tensor<400xf32>) as [per_token] {
  ^bb0(%acc: f32, %scale: f32):
    %0 = arith.mulf %acc, %scale : f32
    %1 = arith.truncf %0 : f32 to bf16
    sparseflow.yield %1 : bf16
  } : tensor<400x1024xi8>, tensor<64x1024xbf16, #sparseflow.ternary<codes, scale = row : f32>> -> tensor<400x64xbf16>
  return %y : tensor<400x64xbf16>
}
