// RUN: sparseflow-opt %s --sparseflow-materialize-storage --split-input-file --verify-diagnostics | FileCheck %s

#row = #sparseflow.ternary<codes, scale = row : f32>
#pairs = #sparseflow.ternary<two_four, scale = 64 : f16>

// CHECK-LABEL: func.func @products
// CHECK-SAME: %[[X:.*]]: tensor<?x256xf16>, %[[W:.*]]: tensor<4352xi8>, %[[V:.*]]: tensor<3584xi8>)
// CHECK-SAME: sparseflow.argument_types = [tensor<?x256xf16>, tensor<64x256xf16, #sparseflow.ternary<codes, scale = row : f32>>, tensor<64x256xf16, #sparseflow.ternary<two_four, scale = 64 : f16>>]
// CHECK: %[[Q:.*]], %[[S:.*]] = sparseflow.quantize %[[X]]
// CHECK: sparseflow.matmul %[[Q]], %[[W]] epilogue(%[[S]] : tensor<?xf32>) as [per_token]
// CHECK: {storage = #sparseflow.storage<"tern.v1", 64x256xf16, <codes, scale = row : f32>>} : tensor<?x256xi8>, tensor<4352xi8> -> tensor<?x64xf32>
// CHECK: sparseflow.matmul %[[X]], %[[V]]
// CHECK: {storage = #sparseflow.storage<"tern24.v1", 64x256xf16, <two_four, scale = 64 : f16>>} : tensor<?x256xf16>, tensor<3584xi8> -> tensor<?x64xf32>
func.func @products(%x: tensor<?x256xf16>, %w: tensor<64x256xf16, #row>, %v: tensor<64x256xf16, #pairs>) -> (tensor<?x64xf32>, tensor<?x64xf32>) {
  %q, %s = sparseflow.quantize %x : tensor<?x256xf16> -> tensor<?x256xi8>, tensor<?xf32>
  %y = sparseflow.matmul %q, %w epilogue(%s : tensor<?xf32>) as [per_token] {
  ^bb0(%acc: f32, %s_: f32):
    %0 = arith.mulf %acc, %s_ : f32
    sparseflow.yield %0 : f32
  } : tensor<?x256xi8>, tensor<64x256xf16, #row> -> tensor<?x64xf32>
  %z = sparseflow.matmul %x, %v {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<?x256xf16>, tensor<64x256xf16, #pairs> -> tensor<?x64xf32>
  return %y, %z : tensor<?x64xf32>, tensor<?x64xf32>
}

// -----

#row = #sparseflow.ternary<codes, scale = row : f32>
func.func @ternarize(%w: tensor<64x256xf16>, %x: tensor<4x256xf16>) -> tensor<4x64xf32> {
  // expected-error @+1 {{cannot run inside a compiled function: expected weights that are ternary already; pack them with 'sparseflow pack --format ternary'}}
  %t = sparseflow.ternarize %w by <lloyd> : tensor<64x256xf16> -> tensor<64x256xf16, #row>
  %y = sparseflow.matmul %x, %t {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<4x256xf16>, tensor<64x256xf16, #row> -> tensor<4x64xf32>
  return %y : tensor<4x64xf32>
}

// -----

#row = #sparseflow.ternary<codes, scale = row : f32>
func.func @unpack(%w: tensor<64x256xf16, #row>) -> tensor<64x256xf16> {
  // expected-error @+1 {{cannot read argument 0, which is packed as #sparseflow.storage<"tern.v1", 64x256xf16, <codes, scale = row : f32>>: expected the weight of a sparseflow.matmul; pass a dense copy for this op}}
  %d = sparseflow.unpack %w : tensor<64x256xf16, #row> -> tensor<64x256xf16>
  return %d : tensor<64x256xf16>
}
