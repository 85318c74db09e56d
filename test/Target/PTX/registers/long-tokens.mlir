// REQUIRES: ptxas
// The 53,248 inputs of a down projection of Llama 3.1 405B are more than a block's threads have
// registers for: they are read again once the largest is known.
// RUN: sparseflow compile %s --target sm_90a --emit cubin --ptxas %ptxas --remarks -o %t.cubin 2>&1 | FileCheck %s
// RUN: sparseflow run %s --device sim --target sm_90a --dim T=2 --check --races | FileCheck %s --check-prefix=SIM

// CHECK-NOT: [fallback]
// CHECK: remark: [ptxas] 'f_0_quantize' on sm_90a: {{.*}}no spills
// CHECK: remark: [ptxas] 'f_0_quantize_many' on sm_90a: {{.*}}no spills
// CHECK: remark: [ptxas] 'f_0_quantize_any' on sm_90a: {{.*}}no spills
// SIM: check    result 0: ok
// SIM: found    nothing
func.func @f(%x: tensor<?x53248xf16>, %w: tensor<8x53248xf16, #sparseflow.ternary<codes, scale = row : f32>>) -> tensor<?x8xf16> {
  %q, %s = sparseflow.quantize %x : tensor<?x53248xf16> -> tensor<?x53248xi8>, tensor<?xf32>
  %y = sparseflow.matmul %q, %w epilogue(%s : tensor<?xf32>) as [per_token] {
  ^bb0(%acc: f32, %scale: f32):
    %0 = arith.mulf %acc, %scale : f32
    %1 = arith.truncf %0 : f32 to f16
    sparseflow.yield %1 : f16
  } : tensor<?x53248xi8>, tensor<8x53248xf16, #sparseflow.ternary<codes, scale = row : f32>> -> tensor<?x8xf16>
  return %y : tensor<?x8xf16>
}
