// RUN: sparseflow-opt %s --pass-pipeline="builtin.module(func.func(sparseflow-cpu-split-batches))" --split-input-file | FileCheck %s

#q = affine_map<(b, h, q, k, d) -> (b, q, h, d)>
#k = affine_map<(b, h, q, k, d) -> (b, k, h floordiv 3, d)>
#s = affine_map<(b, h, q, k, d) -> (b, h, q, k)>

// Products of queries and keys: a loop over batch and heads, of which three share keys,
// around a product of slices. The order of dimensions does not matter.
// CHECK-DAG: #[[A:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[B:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-DAG: #[[C:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: func.func @scores
// CHECK: scf.parallel (%[[I:.*]]) =
// CHECK: %[[H:.*]] = arith.remui %[[I]], %c9
// CHECK: %[[E:.*]] = arith.divui %[[I]], %c9
// CHECK: %[[Q:.*]] = memref.subview %arg0[%[[E]], 0, %[[H]], 0] [1, %{{.*}}, 1, 64]
// CHECK-SAME: to memref<?x64xf16, strided<[576, 1], offset: ?>>
// CHECK: %[[G:.*]] = arith.divui %[[H]], %c3
// CHECK: %[[K:.*]] = memref.subview %arg1[%{{.*}}, 0, %[[G]], 0]
// CHECK: %[[S:.*]] = memref.subview %arg2[%{{.*}}, %{{.*}}, 0, 0]
// CHECK: linalg.generic {indexing_maps = [#[[A]], #[[B]], #[[C]]], iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK-SAME: ins(%[[Q]], %[[K]]
// CHECK-SAME: outs(%[[S]]
// CHECK: arith.mulf
func.func @scores(%q: memref<?x?x9x64xf16>, %k: memref<?x?x3x64xf16>, %s: memref<?x9x?x?xf32>) {
  linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : memref<?x?x9x64xf16>, memref<?x?x3x64xf16>) outs(%s : memref<?x9x?x?xf32>) {
  ^bb0(%x: f16, %y: f16, %acc: f32):
    %0 = arith.extf %x : f16 to f32
    %1 = arith.extf %y : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %acc, %2 : f32
    linalg.yield %3 : f32
  }
  return
}

// -----

#x = affine_map<(b, t, n, k) -> (b, t, k)>
#w = affine_map<(b, t, n, k) -> (n, k)>
#y = affine_map<(b, t, n, k) -> (b, t, n)>
#half = affine_map<(b, t, n, k) -> (b, t floordiv 2, k)>
#bw = affine_map<(b, t, n, k) -> (b, n, k)>

// A weight that a batch shares makes its entries rows; rows that are a quotient are no
// rows of a product; an index of the batch would be lost.
// CHECK-LABEL: func.func @left
// CHECK-NOT: scf.parallel
// CHECK-COUNT-3: linalg.generic
func.func @left(%x: memref<4x?x32xf32>, %w: memref<50x32xf32>, %bw: memref<4x50x32xf32>, %y: memref<4x?x50xf32>) {
  linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : memref<4x?x32xf32>, memref<50x32xf32>) outs(%y : memref<4x?x50xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %0 = arith.mulf %p, %q : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  }
  linalg.generic {indexing_maps = [#half, #bw, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %bw : memref<4x?x32xf32>, memref<4x50x32xf32>) outs(%y : memref<4x?x50xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %0 = arith.mulf %p, %q : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  }
  linalg.generic {indexing_maps = [#x, #bw, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %bw : memref<4x?x32xf32>, memref<4x50x32xf32>) outs(%y : memref<4x?x50xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i32
    %f = arith.sitofp %j : i32 to f32
    %0 = arith.mulf %p, %f : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  }
  return
}
