// RUN: sparseflow-opt %s --sparseflow-quantize-activations --canonicalize --cse --split-input-file --verify-diagnostics | FileCheck %s

#row = #sparseflow.ternary<codes, scale = row : f32>

// The scale comes before what the epilogue did, and is its last operand.
// CHECK-LABEL: func.func @epilogue
// CHECK-SAME: %[[X:.*]]: tensor<?x256xf16>, %[[W:.*]]: tensor<64x256xf16, {{.*}}>, %[[B:.*]]: tensor<64xf16>
// CHECK: %[[Q:.*]], %[[S:.*]] = sparseflow.quantize %[[X]] : tensor<?x256xf16> -> tensor<?x256xi8>, tensor<?xf32>
// CHECK: sparseflow.matmul %[[Q]], %[[W]] epilogue(%[[B]], %[[S]] : tensor<64xf16>, tensor<?xf32>) as [per_feature, per_token] {
// CHECK-NEXT: ^bb0(%[[ACC:.*]]: f32, %[[BIAS:.*]]: f16, %[[SCALE:.*]]: f32):
// CHECK-NEXT:   %[[SCALED:.*]] = arith.mulf %[[ACC]], %[[SCALE]] : f32
// CHECK-NEXT:   %[[WIDE:.*]] = arith.extf %[[BIAS]]
// CHECK-NEXT:   %[[SUM:.*]] = arith.addf %[[SCALED]], %[[WIDE]]
// CHECK-NEXT:   %[[OUT:.*]] = arith.truncf %[[SUM]]
// CHECK-NEXT:   sparseflow.yield %[[OUT]] : f16
// CHECK-NEXT: } : tensor<?x256xi8>, tensor<64x256xf16, #sparseflow.ternary<codes, scale = row : f32>> -> tensor<?x64xf16>
func.func @epilogue(%x: tensor<?x256xf16>, %w: tensor<64x256xf16, #row>, %b: tensor<64xf16>) -> tensor<?x64xf16> {
  // expected-remark @+1 {{[quantize] 8-bit activations of [.., 256], a scale for each token}}
  %y = sparseflow.matmul %x, %w epilogue(%b : tensor<64xf16>) as [per_feature] {
  ^bb0(%acc: f32, %b_: f16):
    %0 = arith.extf %b_ : f16 to f32
    %1 = arith.addf %acc, %0 : f32
    %2 = arith.truncf %1 : f32 to f16
    sparseflow.yield %2 : f16
  } : tensor<?x256xf16>, tensor<64x256xf16, #row> -> tensor<?x64xf16>
  return %y : tensor<?x64xf16>
}

// -----

#row = #sparseflow.ternary<codes, scale = row : f32>

// Gate and up share the activations.
// CHECK-LABEL: func.func @shared
// CHECK-COUNT-1: sparseflow.quantize
// CHECK-NOT: sparseflow.quantize
// CHECK: return
func.func @shared(%x: tensor<4x64xbf16>, %g: tensor<8x64xbf16, #row>, %u: tensor<8x64xbf16, #row>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  // expected-remark @+1 {{8-bit activations}}
  %a = sparseflow.matmul %x, %g {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<4x64xbf16>, tensor<8x64xbf16, #row> -> tensor<4x8xf32>
  // expected-remark @+1 {{8-bit activations}}
  %b = sparseflow.matmul %x, %u {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<4x64xbf16>, tensor<8x64xbf16, #row> -> tensor<4x8xf32>
  return %a, %b : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

#row = #sparseflow.ternary<codes, scale = row : f32>

// What has 8 bits already, and weights that are not ternary, stay.
// CHECK-LABEL: func.func @others
// CHECK-NOT: sparseflow.quantize
func.func @others(%x: tensor<4x64xf16>, %q: tensor<4x64xi8>, %w: tensor<8x64xf16, #row>, %d: tensor<8x64xf16>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %a = sparseflow.matmul %x, %d {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<4x64xf16>, tensor<8x64xf16> -> tensor<4x8xf32>
  %b = sparseflow.matmul %q, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<4x64xi8>, tensor<8x64xf16, #row> -> tensor<4x8xf32>
  return %a, %b : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

#tensor = #sparseflow.ternary<codes, scale = tensor : f32>

// Sums of 8-bit activations would not fit 32 bits.
// CHECK-LABEL: func.func @deep
// CHECK-NOT: sparseflow.quantize
func.func @deep(%x: tensor<1x16777216xf16>, %w: tensor<1x16777216xf16, #tensor>) -> tensor<1x1xf32> {
  // expected-remark @+1 {{[quantize] activations stay as they are: expected K below 2^24, found 16777216}}
  %a = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<1x16777216xf16>, tensor<1x16777216xf16, #tensor> -> tensor<1x1xf32>
  return %a : tensor<1x1xf32>
}
