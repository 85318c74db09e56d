// RUN: sparseflow-opt %s --resolve-ranked-shaped-type-result-dims --canonicalize | FileCheck %s

// The sizes of a product are those of x and w.
// CHECK-LABEL: func.func @dims
//  CHECK-SAME: %[[X:.*]]: tensor<?x?x64xf16>
//   CHECK-DAG: %[[N:.*]] = arith.constant 32 : index
//   CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
//       CHECK: %[[T:.*]] = tensor.dim %[[X]], %[[C1]]
//       CHECK: return %[[T]], %[[N]]
func.func @dims(%x: tensor<?x?x64xf16>, %w: tensor<32x64xf16>) -> (index, index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<?x?x64xf16>, tensor<32x64xf16> -> tensor<?x?x32xf32>
  %0 = tensor.dim %y, %c1 : tensor<?x?x32xf32>
  %1 = tensor.dim %y, %c2 : tensor<?x?x32xf32>
  return %0, %1 : index, index
}
