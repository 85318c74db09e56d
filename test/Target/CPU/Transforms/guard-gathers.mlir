// RUN: sparseflow-opt %s --pass-pipeline="builtin.module(func.func(sparseflow-cpu-guard-gathers))" | FileCheck %s

// Of a table that may be empty nothing is read then; loops have no element there, and
// what is not dynamic is not empty.

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// CHECK-LABEL: func.func @gather
//   CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : index
//       CHECK: %[[ROWS:.*]] = tensor.dim %[[TABLE:.*]], %{{.*}} : tensor<?x8xf16>
//       CHECK: %[[SOME:.*]] = arith.cmpi ne, %[[ROWS]], %[[ZERO]]
//       CHECK: linalg.generic
//       CHECK: %[[V:.*]] = scf.if %[[SOME]] -> (f16) {
//  CHECK-NEXT:   %[[E:.*]] = tensor.extract %[[TABLE]]
//  CHECK-NEXT:   scf.yield %[[E]]
//  CHECK-NEXT: } else {
//       CHECK:   %[[NONE:.*]] = arith.constant 0.0{{.*}} : f16
//  CHECK-NEXT:   scf.yield %[[NONE]]
//       CHECK: linalg.yield %[[V]]
func.func @gather(%ids: tensor<4xindex>, %table: tensor<?x8xf16>) -> tensor<4x8xf16> {
  %e = tensor.empty() : tensor<4x8xf16>
  %0 = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%ids : tensor<4xindex>) outs(%e : tensor<4x8xf16>) {
  ^bb0(%id: index, %out: f16):
    %j = linalg.index 1 : index
    %v = tensor.extract %table[%id, %j] : tensor<?x8xf16>
    linalg.yield %v : f16
  } -> tensor<4x8xf16>
  return %0 : tensor<4x8xf16>
}

// CHECK-LABEL: func.func @unguarded
//   CHECK-NOT: scf.if
//       CHECK: return
func.func @unguarded(%ids: tensor<?xindex>, %table: tensor<8x?xf16>, %e: tensor<?x?xf16>) -> tensor<?x?xf16> {
  %0 = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%ids : tensor<?xindex>) outs(%e : tensor<?x?xf16>) {
  ^bb0(%id: index, %out: f16):
    %j = linalg.index 1 : index
    %v = tensor.extract %table[%id, %j] : tensor<8x?xf16>
    linalg.yield %v : f16
  } -> tensor<?x?xf16>
  return %0 : tensor<?x?xf16>
}
