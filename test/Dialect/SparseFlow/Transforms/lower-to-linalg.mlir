// RUN: sparseflow-opt %s --sparseflow-lower-to-linalg --split-input-file --verify-diagnostics=all | FileCheck %s

// The body for a sparse weight skips its zeros; the dense one does not.
// CHECK-DAG: #[[$X:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[$W:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-DAG: #[[$Y:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[$ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[$N:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-DAG: #[[$T:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG: #[[$S:.*]] = affine_map<(d0, d1) -> ()>
// CHECK-LABEL: func.func @sparse
//  CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<?x64xf16>, %[[W:[a-z0-9]*]]: tensor<32x64xf16>, %[[B:[a-z0-9]*]]: tensor<32xf16>
//  CHECK-SAME: sparseflow.argument_types = [tensor<?x64xf16>, tensor<32x64xf16, #sparseflow.nm<2:4>>,
//   CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
//       CHECK: %[[INIT:.*]] = linalg.fill ins(%[[ZERO]] : f32)
//       CHECK: %[[P:.*]] = linalg.generic {indexing_maps = [#[[$X]], #[[$W]], #[[$Y]]], iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[X]], %[[W]] : tensor<?x64xf16>, tensor<32x64xf16>) outs(%[[INIT]] : tensor<?x32xf32>) {
//       CHECK: ^bb0(%[[XI:.*]]: f16, %[[WI:.*]]: f16, %[[ACC:.*]]: f32):
//  CHECK-NEXT: %[[X32:.*]] = arith.extf %[[XI]]
//  CHECK-NEXT: %[[W32:.*]] = arith.extf %[[WI]]
//  CHECK-NEXT: %[[M:.*]] = arith.mulf %[[X32]], %[[W32]]
//  CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[ACC]], %[[M]]
//  CHECK-NEXT: %[[STORED:.*]] = arith.cmpf une, %[[W32]], %[[ZERO]]
//  CHECK-NEXT: %[[V:.*]] = arith.select %[[STORED]], %[[SUM]], %[[ACC]]
//  CHECK-NEXT: linalg.yield %[[V]]
//       CHECK: linalg.generic {indexing_maps = [#[[$ID]], #[[$N]], #[[$T]], #[[$ID]], #[[$S]], #[[$ID]]], iterator_types = ["parallel", "parallel"]} ins(%[[P]], %[[B]],
//       CHECK: arith.truncf
//  CHECK-NEXT: linalg.yield %{{.*}} : f16
func.func @sparse(%x: tensor<?x64xf16>, %w: tensor<32x64xf16, #sparseflow.nm<2:4>>,
    %b: tensor<32xf16>, %s: tensor<?xf32>, %r: tensor<?x32xf32>, %f: tensor<f32>) -> tensor<?x32xf16> {
  %y = sparseflow.matmul %x, %w
      epilogue(%b, %s, %r, %f : tensor<32xf16>, tensor<?xf32>, tensor<?x32xf32>, tensor<f32>)
      as [per_feature, per_token, full, scalar] {
  ^bb0(%acc: f32, %bi: f16, %si: f32, %ri: f32, %fi: f32):
    %0 = arith.extf %bi : f16 to f32
    %1 = arith.addf %acc, %0 : f32
    %2 = arith.mulf %1, %si : f32
    %3 = arith.addf %2, %ri : f32
    %4 = arith.mulf %3, %fi : f32
    %5 = arith.truncf %4 : f32 to f16
    sparseflow.yield %5 : f16
  } : tensor<?x64xf16>, tensor<32x64xf16, #sparseflow.nm<2:4>> -> tensor<?x32xf16>
  return %y : tensor<?x32xf16>
}

// -----

// An f32 product without an epilogue is the contraction alone, at any rank.
// CHECK-LABEL: func.func @dense
//       CHECK: %[[P:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel", "reduction"]
//   CHECK-NOT: arith.select
//   CHECK-NOT: linalg.generic
//       CHECK: return %[[P]]
func.func @dense(%x: tensor<2x?x64xbf16>, %w: tensor<32x64xbf16>) -> tensor<2x?x32xf32> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<2x?x64xbf16>, tensor<32x64xbf16> -> tensor<2x?x32xf32>
  return %y : tensor<2x?x32xf32>
}

// -----

// Unpacking is nothing to do here.
// CHECK-LABEL: func.func @unpack
//  CHECK-SAME: %[[W:.*]]: tensor<32x64xbf16>)
//       CHECK: return %[[W]] : tensor<32x64xbf16>
func.func @unpack(%w: tensor<32x64xbf16, #sparseflow.nm<1:4>>) -> tensor<32x64xbf16> {
  %0 = sparseflow.unpack %w : tensor<32x64xbf16, #sparseflow.nm<1:4>> -> tensor<32x64xbf16>
  return %0 : tensor<32x64xbf16>
}

// -----

func.func @packed(%x: tensor<?x64xf16>, %w: tensor<4608xi8>) -> tensor<?x64xf32> {
  // expected-error @+1 {{expected a weight tensor [N, K], found packed bytes #sparseflow.storage<"sf24.v1", 64x64xf16>; run sparseflow-lower-to-linalg instead of sparseflow-materialize-storage}}
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } {storage = #sparseflow.storage<"sf24.v1", 64x64xf16>} : tensor<?x64xf16>, tensor<4608xi8> -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}

// -----

func.func @prune(%w: tensor<8x8xf16>) -> tensor<8x8xf16> {
  // expected-error @+1 {{'sparseflow.prune' op cannot run inside a compiled function}}
  %0 = sparseflow.prune %w : tensor<8x8xf16> -> tensor<8x8xf16, #sparseflow.nm<2:4>>
  %1 = sparseflow.unpack %0 : tensor<8x8xf16, #sparseflow.nm<2:4>> -> tensor<8x8xf16>
  return %1 : tensor<8x8xf16>
}

// -----

// Sums of 16-bit floats are made in f32 and rounded once; products in them are
// not rounded before. A maximum is left alone.

// CHECK-LABEL: func.func @sums
//       CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<2x8x8xf32>)
//       CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
//       CHECK: %[[A:.*]] = arith.extf %{{.*}} : f16 to f32
//       CHECK: %[[B:.*]] = arith.extf %{{.*}} : f16 to f32
//       CHECK: %[[P:.*]] = arith.mulf %[[A]], %[[B]] : f32
//       CHECK: arith.addf %{{.*}}, %[[P]] : f32
//       CHECK: arith.truncf %{{.*}} : f32 to f16
//       CHECK: math.exp %{{.*}} : f16
//       CHECK: arith.extf
//       CHECK: arith.addf %{{.*}}, %{{.*}} : f32
//       CHECK: linalg.reduce { arith.maximumf } ins(%{{.*}} : tensor<2x8x8xf16>)
#full = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#row = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @sums(%q: tensor<2x8x32xf16>, %k: tensor<2x32x8xf16>, %s: tensor<2x8x8xf16>, %z: tensor<2x8xf16>)
    -> (tensor<2x8xf16>, tensor<2x8xf16>) {
  %0 = linalg.batch_matmul ins(%q, %k : tensor<2x8x32xf16>, tensor<2x32x8xf16>) outs(%s : tensor<2x8x8xf16>) -> tensor<2x8x8xf16>
  %1 = linalg.generic {indexing_maps = [#full, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%0 : tensor<2x8x8xf16>) outs(%z : tensor<2x8xf16>) {
  ^bb0(%a: f16, %acc: f16):
    %3 = math.exp %a : f16
    %4 = arith.addf %3, %acc : f16
    linalg.yield %4 : f16
  } -> tensor<2x8xf16>
  %2 = linalg.reduce { arith.maximumf } ins(%0 : tensor<2x8x8xf16>) outs(%z : tensor<2x8xf16>) dimensions = [2]
  return %1, %2 : tensor<2x8xf16>, tensor<2x8xf16>
}

// -----

// expected-error @+1 {{expected no ternary argument, found argument 1 of type}}
func.func @ternary(%x: tensor<?x512xf16>, %w: tensor<128x512xf16, #sparseflow.ternary<codes, scale = row : f32>>) -> tensor<?x128xf16> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } : tensor<?x512xf16>, tensor<128x512xf16, #sparseflow.ternary<codes, scale = row : f32>> -> tensor<?x128xf16>
  return %y : tensor<?x128xf16>
}
