// A matmul of few tokens quantizes what it reads: the tensor in front of the
// quantization lives until that matmul has ended, and its result lies elsewhere.
//
// RUN: sparseflow run %s --device sim --target sm_90a --dim T=3 --check --races | FileCheck %s
// RUN: sparseflow run %s --device sim --target sm_80 --dim T=1 --check --races | FileCheck %s
//
// CHECK: check    result 0: ok
// CHECK: found    nothing

func.func @f(%x: tensor<?x256xf16>, %w: tensor<96x256xf16, #sparseflow.ternary<codes, scale = row : f32>>, %v: tensor<64x96xf16, #sparseflow.nm<2:4>>) -> tensor<?x64xf16> {
  %h = sparseflow.hadamard %x block 128 : tensor<?x256xf16>
  %q, %s = sparseflow.quantize %h : tensor<?x256xf16> -> tensor<?x256xi8>, tensor<?xf32>
  %y = sparseflow.matmul %q, %w epilogue(%s : tensor<?xf32>) as [per_token] {
  ^bb0(%acc: f32, %i: f32):
    %r = arith.mulf %acc, %i : f32
    %t = arith.truncf %r : f32 to f16
    sparseflow.yield %t : f16
  } : tensor<?x256xi8>, tensor<96x256xf16, #sparseflow.ternary<codes, scale = row : f32>> -> tensor<?x96xf16>
  %z = sparseflow.matmul %y, %v {
  ^bb0(%acc: f32):
    %t = arith.truncf %acc : f32 to f16
    sparseflow.yield %t : f16
  } : tensor<?x96xf16>, tensor<64x96xf16, #sparseflow.nm<2:4>> -> tensor<?x64xf16>
  return %z : tensor<?x64xf16>
}
