// RUN: sparseflow-opt %s --verify-roundtrip | FileCheck %s
// RUN: sparseflow-opt %s --resolve-ranked-shaped-type-result-dims --canonicalize | FileCheck %s --check-prefix=SIZES

// CHECK-LABEL: func.func @rows
// CHECK: sparseflow.sample %{{.*}} temperature(%{{.*}}) top_k(%{{.*}}) top_p(%{{.*}}) seed(%{{.*}}) position(%{{.*}}) : tensor<2x?x1000xbf16>
// SIZES-LABEL: func.func @rows
// SIZES-SAME: %[[X:.*]]: tensor<2x?x1000xbf16>
// SIZES: %[[C1:.*]] = arith.constant 1 : index
// SIZES: %[[T:.*]] = tensor.dim %[[X]], %[[C1]]
// SIZES: return %{{.*}}, %[[T]]
func.func @rows(%l: tensor<2x?x1000xbf16>, %t: tensor<2x?xf32>, %k: tensor<2x?xi32>,
                %p: tensor<2x?xf32>, %s: tensor<2x?xi64>, %n: tensor<2x?xi32>)
    -> (tensor<2x?xi32>, index) {
  %c1 = arith.constant 1 : index
  %ids = sparseflow.sample %l temperature(%t) top_k(%k) top_p(%p) seed(%s) position(%n)
      : tensor<2x?x1000xbf16>
  %size = tensor.dim %ids, %c1 : tensor<2x?xi32>
  return %ids, %size : tensor<2x?xi32>, index
}

// CHECK-LABEL: func.func @one
// CHECK: sparseflow.sample {{.*}} : tensor<1xf32>
func.func @one(%l: tensor<1xf32>, %t: tensor<f32>, %k: tensor<i32>, %p: tensor<f32>,
               %s: tensor<i64>, %n: tensor<i32>) -> tensor<i32> {
  %ids = sparseflow.sample %l temperature(%t) top_k(%k) top_p(%p) seed(%s) position(%n)
      : tensor<1xf32>
  return %ids : tensor<i32>
}
