// RUN: sparseflow-opt %s --sparseflow-normalize-linalg --split-input-file --verify-diagnostics=all | FileCheck %s

// Tokens that were folded for a product are unfolded: the product gets a loop
// for the batch, and so does what follows it.

// CHECK-LABEL: func.func @unfold
//   CHECK-NOT: tensor.collapse_shape
//       CHECK: linalg.transpose
//       CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%{{.*}}, %{{.*}} : tensor<2x8x64xf16>, tensor<64x32xf16>)
//       CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<2x8x32xf16>, tensor<32xf16>)
//   CHECK-NOT: tensor.expand_shape
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
func.func @unfold(%x: tensor<2x8x64xf16>, %w: tensor<32x64xf16>, %b: tensor<32xf16>) -> tensor<2x8x32xf16> {
  %cst = arith.constant 0.0 : f16
  %0 = tensor.collapse_shape %x [[0, 1], [2]] : tensor<2x8x64xf16> into tensor<16x64xf16>
  %1 = tensor.empty() : tensor<64x32xf16>
  %wt = linalg.transpose ins(%w : tensor<32x64xf16>) outs(%1 : tensor<64x32xf16>) permutation = [1, 0]
  %2 = tensor.empty() : tensor<16x32xf16>
  %3 = linalg.fill ins(%cst : f16) outs(%2 : tensor<16x32xf16>) -> tensor<16x32xf16>
  %4 = linalg.matmul ins(%0, %wt : tensor<16x64xf16>, tensor<64x32xf16>) outs(%3 : tensor<16x32xf16>) -> tensor<16x32xf16>
  %5 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%4, %b : tensor<16x32xf16>, tensor<32xf16>) outs(%2 : tensor<16x32xf16>) {
  ^bb0(%in: f16, %in_0: f16, %out: f16):
    %7 = arith.addf %in, %in_0 : f16
    linalg.yield %7 : f16
  } -> tensor<16x32xf16>
  %6 = tensor.expand_shape %5 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf16> into tensor<2x8x32xf16>
  return %6 : tensor<2x8x32xf16>
}

// -----

// A reshape of features, or of the operands of a product without a weight,
// stays where it is.

// CHECK-LABEL: func.func @features
//       CHECK: linalg.matmul
//       CHECK: tensor.expand_shape %{{.*}} {{\[}}[0], [1, 2]]
func.func @features(%x: tensor<8x64xf16>, %wt: tensor<64x32xf16>) -> tensor<8x2x16xf16> {
  %cst = arith.constant 0.0 : f16
  %2 = tensor.empty() : tensor<8x32xf16>
  %3 = linalg.fill ins(%cst : f16) outs(%2 : tensor<8x32xf16>) -> tensor<8x32xf16>
  %4 = linalg.matmul ins(%x, %wt : tensor<8x64xf16>, tensor<64x32xf16>) outs(%3 : tensor<8x32xf16>) -> tensor<8x32xf16>
  %5 = tensor.expand_shape %4 [[0], [1, 2]] output_shape [8, 2, 16] : tensor<8x32xf16> into tensor<8x2x16xf16>
  return %5 : tensor<8x2x16xf16>
}

// CHECK-LABEL: func.func @scores
//       CHECK: tensor.collapse_shape
//       CHECK: linalg.batch_matmul
func.func @scores(%q: tensor<1x2x8x32xf16>, %k: tensor<2x32x8xf16>, %init: tensor<2x8x8xf16>) -> tensor<2x8x8xf16> {
  %0 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<1x2x8x32xf16> into tensor<2x8x32xf16>
  %1 = linalg.batch_matmul ins(%0, %k : tensor<2x8x32xf16>, tensor<2x32x8xf16>) outs(%init : tensor<2x8x8xf16>) -> tensor<2x8x8xf16>
  return %1 : tensor<2x8x8xf16>
}

// -----

// A unit dimension that is read at 0 leaves the operand; one that is written at
// 0 leaves the result.

// CHECK-DAG: #[[LAST:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-DAG: #[[FIRST:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func.func @units
//  CHECK-SAME: %[[X:.*]]: tensor<8x32xf16>, %[[B:.*]]: tensor<32xf16>, %[[C:.*]]: tensor<1x32xf16>
//       CHECK: %[[CC:.*]] = tensor.collapse_shape %[[C]] {{\[}}[0, 1]] : tensor<1x32xf16> into tensor<32xf16>
//       CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[LAST]], #[[LAST]], #{{.*}}], {{.*}} ins(%[[X]], %[[B]], %[[CC]] :
//       CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[FIRST]]], {{.*}} outs(%{{.*}} : tensor<8xf16>)
//       CHECK: tensor.expand_shape
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (0, d1)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
func.func @units(%x: tensor<8x32xf16>, %b: tensor<32xf16>, %c: tensor<1x32xf16>) -> (tensor<8x32xf16>, tensor<8x1xf16>) {
  %cst = arith.constant 0.0 : f16
  %0 = tensor.expand_shape %b [[0, 1]] output_shape [1, 32] : tensor<32xf16> into tensor<1x32xf16>
  %1 = tensor.empty() : tensor<8x32xf16>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%x, %0, %c : tensor<8x32xf16>, tensor<1x32xf16>, tensor<1x32xf16>) outs(%1 : tensor<8x32xf16>) {
  ^bb0(%in: f16, %in_0: f16, %in_1: f16, %out: f16):
    %7 = arith.addf %in, %in_0 : f16
    %8 = arith.mulf %7, %in_1 : f16
    linalg.yield %8 : f16
  } -> tensor<8x32xf16>
  %3 = tensor.empty() : tensor<8x1xf16>
  %4 = linalg.fill ins(%cst : f16) outs(%3 : tensor<8x1xf16>) -> tensor<8x1xf16>
  %5 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "reduction"]} ins(%2 : tensor<8x32xf16>) outs(%4 : tensor<8x1xf16>) {
  ^bb0(%in: f16, %out: f16):
    %7 = arith.addf %in, %out : f16
    linalg.yield %7 : f16
  } -> tensor<8x1xf16>
  return %2, %5 : tensor<8x32xf16>, tensor<8x1xf16>
}

// -----

// What is repeated, positions [1, S, C], brings no loop of size 1 into the rest.

// CHECK-LABEL: func.func @positions
//   CHECK-NOT: tensor.expand_shape
//       CHECK: %[[P:.*]] = tensor.collapse_shape %{{.*}} {{\[}}[0, 1], [2]] : tensor<1x?x8xf16> into tensor<?x8xf16>
//       CHECK: linalg.generic {{.*}}["parallel", "parallel", "parallel"]} ins(%{{.*}}, %[[P]]
#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#one = affine_map<(d0, d1, d2) -> (0, d1, d2)>
func.func @positions(%x: tensor<?x?x8xf16>, %p: tensor<1x?x8xf16>) -> tensor<?x?x8xf16> {
  %y = linalg.generic {indexing_maps = [#id3, #one, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %p : tensor<?x?x8xf16>, tensor<1x?x8xf16>) outs(%x : tensor<?x?x8xf16>) {
  ^bb0(%a: f16, %b: f16, %o: f16):
    %s = arith.addf %a, %b : f16
    linalg.yield %s : f16
  } -> tensor<?x?x8xf16>
  return %y : tensor<?x?x8xf16>
}

// -----

// Two dynamic dimensions that are joined and split again; what is joined in two
// places is joined in two steps, so that tokens stay batch and length.

// CHECK-LABEL: func.func @again
//  CHECK-SAME: %[[X:.*]]: tensor<?x?x8xf16>
//   CHECK-NOT: tensor.collapse_shape
//       CHECK: tensor.expand_shape %[[X]] {{\[}}[0], [1], [2, 3]]
func.func @again(%x: tensor<?x?x8xf16>) -> tensor<?x?x2x4xf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = tensor.dim %x, %c0 : tensor<?x?x8xf16>
  %s = tensor.dim %x, %c1 : tensor<?x?x8xf16>
  %t = tensor.collapse_shape %x [[0, 1], [2]] : tensor<?x?x8xf16> into tensor<?x8xf16>
  %y = tensor.expand_shape %t [[0, 1], [2, 3]] output_shape [%b, %s, 2, 4] : tensor<?x8xf16> into tensor<?x?x2x4xf16>
  return %y : tensor<?x?x2x4xf16>
}

// The other order of sizes is another tensor.
// CHECK-LABEL: func.func @other
//       CHECK: tensor.collapse_shape
//       CHECK: tensor.expand_shape
func.func @other(%x: tensor<?x?x8xf16>) -> tensor<?x?x8xf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = tensor.dim %x, %c0 : tensor<?x?x8xf16>
  %s = tensor.dim %x, %c1 : tensor<?x?x8xf16>
  %t = tensor.collapse_shape %x [[0, 1], [2]] : tensor<?x?x8xf16> into tensor<?x8xf16>
  %y = tensor.expand_shape %t [[0, 1], [2]] output_shape [%s, %b, 8] : tensor<?x8xf16> into tensor<?x?x8xf16>
  return %y : tensor<?x?x8xf16>
}

// CHECK-LABEL: func.func @heads
//       CHECK: %[[H:.*]] = tensor.collapse_shape %{{.*}} {{\[}}[0], [1], [2, 3]]
//       CHECK: linalg.generic {{.*}} ins(%[[H]] : tensor<?x?x8xf16>)
#id2 = affine_map<(d0, d1) -> (d0, d1)>
func.func @heads(%x: tensor<?x?x2x4xf16>) -> tensor<?x8xf16> {
  %t = tensor.collapse_shape %x [[0, 1], [2, 3]] : tensor<?x?x2x4xf16> into tensor<?x8xf16>
  %y = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%t : tensor<?x8xf16>) outs(%t : tensor<?x8xf16>) {
  ^bb0(%a: f16, %o: f16):
    %s = arith.negf %a : f16
    linalg.yield %s : f16
  } -> tensor<?x8xf16>
  return %y : tensor<?x8xf16>
}

// -----

// The position of a maximum is that of the first NaN, where there is one, in any order.

// CHECK-LABEL: func.func @argmax
//       CHECK: ^bb0(%[[IN:.*]]: f32, %[[BEST:.*]]: f32, %[[AT:.*]]: i64):
//       CHECK: %[[ABOVE:.*]] = arith.cmpf ugt, %[[IN]], %[[BEST]] : f32
//       CHECK: %[[NUMBER:.*]] = arith.cmpf ord, %[[BEST]], %[[BEST]] : f32
//       CHECK: %[[TAKES:.*]] = arith.andi %[[ABOVE]], %[[NUMBER]] : i1
//       CHECK: arith.select %[[TAKES]], %{{.*}}, %[[AT]] : i64
func.func @argmax(%x: tensor<4x30xf32>, %best: tensor<4xf32>, %at: tensor<4xi64>) -> (tensor<4xf32>, tensor<4xi64>) {
  %y:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>],
      iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x30xf32>) outs(%best, %at : tensor<4xf32>, tensor<4xi64>) {
  ^bb0(%in: f32, %b: f32, %a: i64):
    %n = linalg.index 1 : index
    %p = arith.index_cast %n : index to i64
    %m = arith.maximumf %in, %b : f32
    %c = arith.cmpf ogt, %in, %b : f32
    %s = arith.select %c, %p, %a : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<4xf32>, tensor<4xi64>)
  return %y#0, %y#1 : tensor<4xf32>, tensor<4xi64>
}
