// A kernel that says nothing of blocks on a processor: ptxas 13.0, left alone,
// spills 8 bytes of the last one here to stay at 64 registers. It is asked again.

// REQUIRES: ptxas
// RUN: sparseflow compile %s --emit cubin --target sm_90a -o %t.cubin --remarks 2>&1 | FileCheck %s
// CHECK: remark: [ptxas] 'mm_0_c' on sm_90a: {{[0-9]+}} registers, {{.*}}, no spills

func.func @mm(%x: tensor<?x1016xf16>,
              %w: tensor<1001x1016xf16, #sparseflow.nm<2:4>>)
    -> tensor<?x1001xf16> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } : tensor<?x1016xf16>, tensor<1001x1016xf16, #sparseflow.nm<2:4>>
      -> tensor<?x1001xf16>
  return %y : tensor<?x1001xf16>
}
