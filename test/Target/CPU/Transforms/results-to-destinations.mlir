// RUN: sparseflow-opt %s --pass-pipeline="builtin.module(func.func(sparseflow-cpu-results-to-destinations))" | FileCheck %s

// CHECK-LABEL: func.func @f(
// CHECK-SAME: %[[X:.*]]: tensor<?x4xf16> {bufferization.writable = false},
// CHECK-SAME: %[[A:[^:]*]]: memref<?x4xf16>, %[[B:[^:]*]]: memref<f32>)
// CHECK-NOT: ->
// CHECK: %[[C:.*]] = arith.constant
// CHECK: bufferization.materialize_in_destination %[[X]] in restrict writable %[[A]]
// CHECK: bufferization.materialize_in_destination %[[C]] in restrict writable %[[B]]
// CHECK: return
func.func @f(%x: tensor<?x4xf16>) -> (tensor<?x4xf16>, tensor<f32>) {
  %c = arith.constant dense<1.0> : tensor<f32>
  return %x, %c : tensor<?x4xf16>, tensor<f32>
}

// Only what a caller sees changes.
// CHECK: func.func private @helper(%{{.*}}: tensor<4xf32>) -> tensor<4xf32>
func.func private @helper(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
