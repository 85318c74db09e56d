// Calls become part of their caller: a layer that is written once and called
// twice, public itself, and a private step between.
//
// RUN: sparseflow compile %s --emit mlir -o - | FileCheck %s
// RUN: sparseflow compile %s --target sm_80 --emit ptx -o %t.ptx && FileCheck %s --check-prefix=PTX < %t.ptx
// RUN: sparseflow run %s --entry two --device cpu --check
// RUN: sparseflow run %s --entry two --device sim --check
// RUN: sparseflow run %s --entry layer --device cpu --check

#w = #sparseflow.nm<2:4>
#all = affine_map<(t, n) -> (t, n)>
#feature = affine_map<(t, n) -> (n)>

// CHECK-NOT: @step
// CHECK-LABEL: func.func @layer(
//       CHECK: sparseflow.matmul
//   CHECK-NOT: sparseflow.matmul
//   CHECK-NOT: call
// CHECK-LABEL: func.func @two(
//       CHECK: %[[FIRST:.*]] = sparseflow.matmul %arg0, %arg1 epilogue(%arg2 : tensor<64xf16>)
//       CHECK: %[[SECOND:.*]] = sparseflow.matmul %[[FIRST]], %arg3 epilogue(%arg4 : tensor<64xf16>)
//       CHECK: return %[[SECOND]]
//   CHECK-NOT: call
// PTX: mma.sp::ordered_metadata.sync
func.func private @step(%x: tensor<?x64xf16>, %w: tensor<64x64xf16, #w>) -> tensor<?x64xf32> {
  %0 = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<?x64xf16>, tensor<64x64xf16, #w> -> tensor<?x64xf32>
  return %0 : tensor<?x64xf32>
}
func.func @layer(%x: tensor<?x64xf16>, %w: tensor<64x64xf16, #w>, %b: tensor<64xf16>) -> tensor<?x64xf16> {
  %0 = call @step(%x, %w) : (tensor<?x64xf16>, tensor<64x64xf16, #w>) -> tensor<?x64xf32>
  %c0 = arith.constant 0 : index
  %t = tensor.dim %x, %c0 : tensor<?x64xf16>
  %empty = tensor.empty(%t) : tensor<?x64xf16>
  %1 = linalg.generic {indexing_maps = [#all, #feature, #all], iterator_types = ["parallel", "parallel"]}
      ins(%0, %b : tensor<?x64xf32>, tensor<64xf16>) outs(%empty : tensor<?x64xf16>) {
  ^bb0(%acc: f32, %bias: f16, %out: f16):
    %2 = arith.extf %bias : f16 to f32
    %3 = arith.addf %acc, %2 : f32
    %4 = arith.truncf %3 : f32 to f16
    linalg.yield %4 : f16
  } -> tensor<?x64xf16>
  return %1 : tensor<?x64xf16>
}
func.func @two(%x: tensor<?x64xf16>, %w1: tensor<64x64xf16, #w>, %b1: tensor<64xf16>, %w2: tensor<64x64xf16, #w>, %b2: tensor<64xf16>) -> tensor<?x64xf16> {
  %0 = call @layer(%x, %w1, %b1) : (tensor<?x64xf16>, tensor<64x64xf16, #w>, tensor<64xf16>) -> tensor<?x64xf16>
  %1 = call @layer(%0, %w2, %b2) : (tensor<?x64xf16>, tensor<64x64xf16, #w>, tensor<64xf16>) -> tensor<?x64xf16>
  return %1 : tensor<?x64xf16>
}
