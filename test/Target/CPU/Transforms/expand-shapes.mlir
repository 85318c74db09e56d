// RUN: sparseflow-opt %s --pass-pipeline="builtin.module(func.func(sparseflow-cpu-expand-shapes,canonicalize,cse))" | FileCheck %s
// RUN: sparseflow-opt %s --pass-pipeline="builtin.module(func.func(sparseflow-cpu-expand-shapes),expand-strided-metadata)" | FileCheck %s --check-prefix=AFTER

// Sizes are the op's, strides are made of them and of the source's.
// CHECK-LABEL: func.func @two
// CHECK-SAME: %[[X:.*]]: memref<?x8xf32>, %[[B:.*]]: index, %[[T:.*]]: index
// CHECK: %[[STRIDE:.*]] = arith.muli %[[T]], %{{.*}} : index
// CHECK: memref.reinterpret_cast %[[X]] to offset: [0], sizes: [%[[B]], %[[T]], 8], strides: [%[[STRIDE]], 8, 1]
// AFTER-NOT: memref.expand_shape
func.func @two(%x: memref<?x8xf32>, %b: index, %t: index) -> memref<?x?x8xf32> {
  %0 = memref.expand_shape %x [[0, 1], [2]] output_shape [%b, %t, 8] : memref<?x8xf32> into memref<?x?x8xf32>
  return %0 : memref<?x?x8xf32>
}

// One unknown is upstream's.
// CHECK-LABEL: func.func @one
// CHECK: memref.expand_shape
func.func @one(%x: memref<?x8xf32>, %b: index) -> memref<?x4x8xf32> {
  %0 = memref.expand_shape %x [[0, 1], [2]] output_shape [%b, 4, 8] : memref<?x8xf32> into memref<?x4x8xf32>
  return %0 : memref<?x4x8xf32>
}
