// REQUIRES: ptxas
// What adds up eight parts of K with two operands of the result's size, where N is odd and every
// access is one element, spills with 16 elements a thread: a row with 4 stands behind.
// RUN: sparseflow compile %s --target sm_86 --emit cubin --ptxas %ptxas --remarks -o %t.cubin 2>&1 | FileCheck %s

// CHECK: remark: [fallback] 'f_0_a_reduce' on sm_86 spills {{[0-9]+}} bytes of registers: compiled again without schedule 'elementwise'
// CHECK-NOT: [fallback]
// CHECK: remark: [ptxas] 'f_0_a_reduce' on sm_86: {{.*}}no spills
func.func @f(%x: tensor<48x11008xf16>, %w: tensor<1019x11008xf16, #sparseflow.nm<2:4>>, %a: tensor<48x1019xf16>, %b: tensor<48x1019xf32>) -> tensor<48x1019xf32> {
  %y = sparseflow.matmul %x, %w epilogue(%a, %b : tensor<48x1019xf16>, tensor<48x1019xf32>) as [full, full] {
  ^bb0(%acc: f32, %first: f16, %second: f32):
    %0 = arith.extf %first : f16 to f32
    %1 = arith.addf %acc, %0 : f32
    %2 = arith.addf %1, %second : f32
    sparseflow.yield %2 : f32
  } : tensor<48x11008xf16>, tensor<1019x11008xf16, #sparseflow.nm<2:4>> -> tensor<48x1019xf32>
  return %y : tensor<48x1019xf32>
}
