// Partial sums of integers, and those of one and two stages, are in the registers of wgmma before
// the fence, not behind it: they are converted before an MMA takes their registers again.
// RUN: sparseflow compile %s --target sm_90a --emit ptx --remarks -o %t.ptx 2>&1 | FileCheck %s
// RUN: sed 's/K = 1024//; s/1024/1888/g; s/scale = 64/scale = 32/; s/32x/48x/g' %s > %t.four.mlir
// RUN: sparseflow compile %t.four.mlir --target sm_90a --emit ptx --remarks -o %t.ptx 2>&1 | FileCheck %s
// RUN: sed 's/1024/128/g' %s > %t.one.mlir
// RUN: sparseflow compile %t.one.mlir --target sm_90a --emit ptx --remarks -o %t.ptx 2>&1 | FileCheck %s
// RUN: %if ptxas %{ sparseflow compile %s --target sm_90a --emit cubin -o %t.cubin 2>&1 | count 0 %}

// CHECK: sm90a.ternary_groups_i8.{{.*}} for {{32|48}} tokens
// CHECK-NOT: error:
func.func @f(%x: tensor<32x1024xf16>, %w: tensor<64x1024xf16, #sparseflow.ternary<codes, scale = 64 : f32>>) -> tensor<32x64xf16> {
  %q, %s = sparseflow.quantize %x : tensor<32x1024xf16> -> tensor<32x1024xi8>, tensor<32xf32>
  %y = sparseflow.matmul %q, %w epilogue(%s : tensor<32xf32>) as [per_token] {
  ^bb0(%acc: f32, %scale: f32):
    %0 = arith.mulf %acc, %scale : f32
    %1 = arith.truncf %0 : f32 to f16
    sparseflow.yield %1 : f16
  } : tensor<32x1024xi8>, tensor<64x1024xf16, #sparseflow.ternary<codes, scale = 64 : f32>> -> tensor<32x64xf16>
  return %y : tensor<32x64xf16>
}
