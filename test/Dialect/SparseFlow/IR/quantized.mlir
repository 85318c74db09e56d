// RUN: sparseflow-opt %s --verify-roundtrip | FileCheck %s
// RUN: sparseflow-opt %s --emit-bytecode | sparseflow-opt | FileCheck %s
// RUN: sparseflow-opt %s --sparseflow-materialize-storage | FileCheck %s --check-prefix=BYTES

// Weights of other numbers than -1, 0 and 1: one encoding under another name.

#w4 = #sparseflow.quantized<int4, scale = 128 : f16>

// CHECK-LABEL: func.func @matmul
// CHECK-SAME: tensor<70x300xf16, #sparseflow.quantized<int4, scale = 128 : f16>>
// 2 x 5 units of 2048 bytes, then 3 groups of 128 scales of 2 bytes.
// BYTES-LABEL: func.func @matmul
// BYTES-SAME: tensor<21248xi8>
// BYTES: sparseflow.matmul
// BYTES: } {storage = #sparseflow.storage<"int4.v1", 70x300xf16, <int4, scale = 128 : f16>>} :
func.func @matmul(%x: tensor<?x300xf16>, %w: tensor<70x300xf16, #w4>) -> tensor<?x70xf16> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } : tensor<?x300xf16>, tensor<70x300xf16, #w4> -> tensor<?x70xf16>
  return %y : tensor<?x70xf16>
}

#w8 = #sparseflow.quantized<int8, scale = row : f16>

// CHECK-LABEL: func.func @bytes
// CHECK-SAME: tensor<70x300xf16, #sparseflow.quantized<int8, scale = row : f16>>
// 2 x 10 units of 2048 bytes, then 128 scales of 2 bytes.
// BYTES-LABEL: func.func @bytes
// BYTES-SAME: tensor<41216xi8>
// BYTES: } {storage = #sparseflow.storage<"int8.v1", 70x300xf16, <int8, scale = row : f16>>} :
func.func @bytes(%x: tensor<?x300xf16>, %w: tensor<70x300xf16, #w8>) -> tensor<?x70xf16> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } : tensor<?x300xf16>, tensor<70x300xf16, #w8> -> tensor<?x70xf16>
  return %y : tensor<?x70xf16>
}
