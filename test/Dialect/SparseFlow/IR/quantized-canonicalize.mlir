// RUN: sparseflow-opt %s --canonicalize | FileCheck %s

#w4 = #sparseflow.quantized<int4, scale = 128 : f16>

// Unpacked weights are rounded: a product with them stays one.
// CHECK-LABEL: func.func @unpacked
// CHECK: %[[W:.*]] = sparseflow.unpack
// CHECK: sparseflow.matmul %{{.*}}, %[[W]]
func.func @unpacked(%x: tensor<?x300xf16>, %w: tensor<70x300xf16, #w4>) -> tensor<?x70xf16> {
  %d = sparseflow.unpack %w : tensor<70x300xf16, #w4> -> tensor<70x300xf16>
  %y = sparseflow.matmul %x, %d {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } : tensor<?x300xf16>, tensor<70x300xf16> -> tensor<?x70xf16>
  return %y : tensor<?x70xf16>
}
