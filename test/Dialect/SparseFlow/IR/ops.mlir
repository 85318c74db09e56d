// RUN: sparseflow-opt %s --verify-roundtrip | FileCheck %s
// RUN: sparseflow-opt %s --mlir-print-op-generic | sparseflow-opt | FileCheck %s
// RUN: sparseflow-opt %s --emit-bytecode | sparseflow-opt | FileCheck %s

// All four broadcasts, dynamic T, a sparse weight.
// CHECK-LABEL: func.func @every_broadcast
//       CHECK: sparseflow.matmul %{{.*}}, %{{.*}} epilogue(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : tensor<32xf16>, tensor<?xf32>, tensor<?x32xbf16>, tensor<f32>) as [per_feature, per_token, full, scalar] {
//  CHECK-NEXT: ^bb0(%[[ACC:.*]]: f32, %{{.*}}: f16, %[[TOKEN:.*]]: f32, %{{.*}}: bf16, %{{.*}}: f32):
//       CHECK: arith.mulf %[[ACC]], %[[TOKEN]] : f32
//       CHECK: sparseflow.yield %{{.*}} : f16
//       CHECK: } : tensor<?x64xf16>, tensor<32x64xf16, #sparseflow.nm<2:4>> -> tensor<?x32xf16>
func.func @every_broadcast(
    %x: tensor<?x64xf16>, %w: tensor<32x64xf16, #sparseflow.nm<2:4>>,
    %bias: tensor<32xf16>, %scale: tensor<?xf32>, %residual: tensor<?x32xbf16>,
    %factor: tensor<f32>) -> tensor<?x32xf16> {
  %y = sparseflow.matmul %x, %w
      epilogue(%bias, %scale, %residual, %factor
        : tensor<32xf16>, tensor<?xf32>, tensor<?x32xbf16>, tensor<f32>)
      as [per_feature, per_token, full, scalar] {
  ^bb0(%acc: f32, %b: f16, %s: f32, %r: bf16, %f: f32):
    %0 = arith.mulf %acc, %s : f32
    %1 = arith.extf %b : f16 to f32
    %2 = arith.addf %0, %1 : f32
    %3 = math.tanh %2 : f32
    %4 = arith.mulf %3, %f : f32
    %5 = arith.extf %r : bf16 to f32
    %6 = arith.addf %4, %5 : f32
    %7 = arith.truncf %6 : f32 to f16
    sparseflow.yield %7 : f16
  } : tensor<?x64xf16>, tensor<32x64xf16, #sparseflow.nm<2:4>> -> tensor<?x32xf16>
  return %y : tensor<?x32xf16>
}

// Leading dimensions are tokens too: per token is [..., T].
// CHECK-LABEL: func.func @batch
//       CHECK: epilogue(%{{.*}} : tensor<3x?xf32>) as [per_token]
//       CHECK: tensor<3x?x64xbf16>, tensor<32x64xbf16> -> tensor<3x?x32xf32>
func.func @batch(%x: tensor<3x?x64xbf16>, %w: tensor<32x64xbf16>,
                 %s: tensor<3x?xf32>) -> tensor<3x?x32xf32> {
  %y = sparseflow.matmul %x, %w epilogue(%s : tensor<3x?xf32>) as [per_token] {
  ^bb0(%acc: f32, %in: f32):
    %0 = arith.mulf %acc, %in : f32
    sparseflow.yield %0 : f32
  } : tensor<3x?x64xbf16>, tensor<32x64xbf16> -> tensor<3x?x32xf32>
  return %y : tensor<3x?x32xf32>
}

// A comparison makes an i1, which only the region sees.
// CHECK-LABEL: func.func @relu_by_select
//       CHECK: arith.cmpf ogt
//       CHECK: arith.select
func.func @relu_by_select(%x: tensor<4x8xf16>, %w: tensor<8x8xf16>) -> tensor<4x8xf32> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %zero = arith.constant 0.0 : f32
    %0 = arith.cmpf ogt, %acc, %zero : f32
    %1 = arith.select %0, %acc, %zero : f32
    sparseflow.yield %1 : f32
  } : tensor<4x8xf16>, tensor<8x8xf16> -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// Empty dimensions are allowed: T = 0, N = 0 and K = 0.
// CHECK-LABEL: func.func @empty
// CHECK-COUNT-3: sparseflow.matmul
func.func @empty(%x: tensor<0x8xf16>, %w: tensor<4x8xf16>, %w0: tensor<0x8xf16>,
                 %xk: tensor<5x0xf16>, %wk: tensor<4x0xf16, #sparseflow.nm<2:4>>)
    -> (tensor<0x4xf32>, tensor<0x0xf32>, tensor<5x4xf32>) {
  %0 = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<0x8xf16>, tensor<4x8xf16> -> tensor<0x4xf32>
  %1 = sparseflow.matmul %x, %w0 {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<0x8xf16>, tensor<0x8xf16> -> tensor<0x0xf32>
  %2 = sparseflow.matmul %xk, %wk {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<5x0xf16>, tensor<4x0xf16, #sparseflow.nm<2:4>> -> tensor<5x4xf32>
  return %0, %1, %2 : tensor<0x4xf32>, tensor<0x0xf32>, tensor<5x4xf32>
}

// CHECK-LABEL: func.func @storage
//       CHECK: sparseflow.matmul %{{.*}}, %{{.*}} {
//       CHECK: } {storage = #sparseflow.storage<"sf24.v1", 65x64xbf16>} : tensor<?x64xbf16>, tensor<9216xi8> -> tensor<?x65xbf16>
func.func @storage(%x: tensor<?x64xbf16>, %w: tensor<9216xi8>) -> tensor<?x65xbf16> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to bf16
    sparseflow.yield %0 : bf16
  } {storage = #sparseflow.storage<"sf24.v1", 65x64xbf16>}
    : tensor<?x64xbf16>, tensor<9216xi8> -> tensor<?x65xbf16>
  return %y : tensor<?x65xbf16>
}

// CHECK-LABEL: func.func @weights
//       CHECK: %[[P:.*]] = sparseflow.prune %{{.*}} : tensor<64x128xf16> -> tensor<64x128xf16, #sparseflow.nm<2:4>>
//       CHECK: %[[B:.*]] = sparseflow.pack %[[P]] as #sparseflow.storage<"sf24.v1", 64x128xf16> : tensor<64x128xf16, #sparseflow.nm<2:4>> -> tensor<9216xi8>
//       CHECK: sparseflow.unpack %[[B]] from #sparseflow.storage<"sf24.v1", 64x128xf16> : tensor<9216xi8> -> tensor<64x128xf16>
//       CHECK: sparseflow.unpack %[[P]] : tensor<64x128xf16, #sparseflow.nm<2:4>> -> tensor<64x128xf16>
func.func @weights(%w: tensor<64x128xf16>) -> (tensor<64x128xf16>, tensor<64x128xf16>) {
  %p = sparseflow.prune %w : tensor<64x128xf16> -> tensor<64x128xf16, #sparseflow.nm<2:4>>
  %b = sparseflow.pack %p as <"sf24.v1", 64x128xf16>
    : tensor<64x128xf16, #sparseflow.nm<2:4>> -> tensor<9216xi8>
  %0 = sparseflow.unpack %b from <"sf24.v1", 64x128xf16>
    : tensor<9216xi8> -> tensor<64x128xf16>
  %1 = sparseflow.unpack %p : tensor<64x128xf16, #sparseflow.nm<2:4>> -> tensor<64x128xf16>
  return %0, %1 : tensor<64x128xf16>, tensor<64x128xf16>
}
