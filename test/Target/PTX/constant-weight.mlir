// The first stages of a dense weight that no kernel writes are copied before the
// kernel waits for those before it; those of another one are not.
//
// RUN: sparseflow compile %s --target sm_90 --emit ptx -o - | FileCheck %s

// CHECK-LABEL: .entry constant_0_a(
// 16 features of 512 columns by 128 threads, 16 bytes each.
// CHECK-COUNT-8: cp.async.cg
// CHECK-NOT: cp.async
// CHECK: griddepcontrol.wait
func.func @constant(%x: tensor<1x512xf16>, %w: tensor<64x512xf16> {sparseflow.constant}) -> tensor<1x64xf16> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %t = arith.truncf %acc : f32 to f16
    sparseflow.yield %t : f16
  } : tensor<1x512xf16>, tensor<64x512xf16> -> tensor<1x64xf16>
  return %y : tensor<1x64xf16>
}

// CHECK-LABEL: .entry computed_0_a(
// CHECK-NOT: cp.async
// CHECK: griddepcontrol.wait
func.func @computed(%x: tensor<1x512xf16>, %w: tensor<64x512xf16>) -> tensor<1x64xf16> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %t = arith.truncf %acc : f32 to f16
    sparseflow.yield %t : f16
  } : tensor<1x512xf16>, tensor<64x512xf16> -> tensor<1x64xf16>
  return %y : tensor<1x64xf16>
}
