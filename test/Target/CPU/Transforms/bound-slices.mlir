// RUN: sparseflow-opt %s --pass-pipeline="builtin.module(func.func(sparseflow-cpu-bound-slices))" | FileCheck %s

// Of a slice whose place is a size or data, the part that is inside is inserted; dropped
// unit dimensions are back for that.

// CHECK-LABEL: func.func @rows
//  CHECK-SAME: %[[CACHE:.*]]: tensor<?x8xf16>, %[[X:.*]]: tensor<3x8xf16>, %[[AT:.*]]: index
//   CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : index
//   CHECK-DAG: %[[THREE:.*]] = arith.constant 3 : index
//   CHECK-DAG: %[[ALL:.*]] = tensor.dim %[[CACHE]]
//       CHECK: %[[POSITIVE:.*]] = arith.maxsi %[[AT]], %[[ZERO]]
//       CHECK: %[[FIRST:.*]] = arith.minsi %[[POSITIVE]], %[[ALL]]
//       CHECK: %[[END:.*]] = arith.addi %[[AT]], %[[THREE]]
//       CHECK: %[[LAST:.*]] = arith.minsi %[[END]], %[[ALL]]
//       CHECK: %[[ROOM:.*]] = arith.subi %[[LAST]], %[[FIRST]]
//       CHECK: %[[BEHIND:.*]] = arith.subi %[[FIRST]], %[[AT]]
//       CHECK: %[[COUNT:.*]] = arith.maxsi %[[ROOM]], %[[ZERO]]
//       CHECK: %[[SKIPPED:.*]] = arith.minsi %[[BEHIND]], %[[THREE]]
//       CHECK: %[[PART:.*]] = tensor.extract_slice %[[X]][%[[SKIPPED]], 0] [%[[COUNT]], 8] [1, 1]
//       CHECK: tensor.insert_slice %[[PART]] into %[[CACHE]][%[[FIRST]], 0] [%[[COUNT]], 8] [1, 1]
func.func @rows(%cache: tensor<?x8xf16>, %x: tensor<3x8xf16>, %at: index) -> tensor<?x8xf16> {
  %r = tensor.insert_slice %x into %cache[%at, 0] [3, 8] [1, 1] : tensor<3x8xf16> into tensor<?x8xf16>
  return %r : tensor<?x8xf16>
}

// CHECK-LABEL: func.func @dropped
//       CHECK: tensor.expand_shape %{{.*}} {{\[\[}}0, 1, 2], [3, 4]] output_shape [1, 1, 8, 4, 1]
//       CHECK: tensor.insert_slice %{{.*}} : tensor<1x?x8x4x1xf16> into tensor<2x9x8x4x1xf16>
func.func @dropped(%cache: tensor<2x9x8x4x1xf16>, %x: tensor<8x4xf16>, %at: index) -> tensor<2x9x8x4x1xf16> {
  %r = tensor.insert_slice %x into %cache[1, %at, 0, 0, 0] [1, 1, 8, 4, 1] [1, 1, 1, 1, 1]
      : tensor<8x4xf16> into tensor<2x9x8x4x1xf16>
  return %r : tensor<2x9x8x4x1xf16>
}

// CHECK-LABEL: func.func @inside
//   CHECK-NOT: arith.
//       CHECK: return
func.func @inside(%cache: tensor<9x8xf16>, %x: tensor<3x8xf16>) -> tensor<9x8xf16> {
  %r = tensor.insert_slice %x into %cache[6, 0] [3, 8] [1, 1] : tensor<3x8xf16> into tensor<9x8xf16>
  return %r : tensor<9x8xf16>
}
