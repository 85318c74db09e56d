// RUN: sparseflow-opt %s --pass-pipeline="builtin.module(func.func(sparseflow-cpu-vectorize-reductions{lanes=4 unit=100}))" --split-input-file | FileCheck %s

#id = affine_map<(i, k) -> (i, k)>
#row = affine_map<(i, k) -> (i)>

// The lanes of a row, which begin with -0.0, and in them what is no whole vector; then
// their sum and the old value.
// CHECK-LABEL: func.func @squares
// CHECK: scf.parallel
// CHECK: scf.for
// CHECK: %[[NONE:.*]] = arith.constant -0.000000e+00 : f32
// CHECK: %[[INIT:.*]] = vector.broadcast %[[NONE]] : f32 to vector<4xf32>
// CHECK: %[[WHOLE:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[INIT]])
// CHECK: vector.load %arg0{{.*}}, vector<4xf16>
// CHECK: arith.extf
// CHECK: arith.mulf
// CHECK: arith.addf {{.*}} : vector<4xf32>
// CHECK: %[[LANES:.*]] = scf.for {{.*}} iter_args(%[[ALL:.*]] = %[[WHOLE]])
// CHECK: %[[OWN:.*]] = vector.extract %[[ALL]][%[[LANE:.*]]] : f32 from vector<4xf32>
// CHECK: memref.load %arg0
// CHECK: %[[NEXT:.*]] = arith.addf %[[OWN]], %{{.*}} : f32
// CHECK: vector.insert %[[NEXT]], %[[ALL]] [%[[LANE]]] : f32 into vector<4xf32>
// CHECK: %[[OLD:.*]] = memref.load %arg1
// CHECK: vector.shuffle %[[LANES]], %[[LANES]] [0, 1]
// CHECK: vector.shuffle %[[LANES]], %[[LANES]] [2, 3]
// CHECK: arith.addf {{.*}} : vector<2xf32>
// CHECK: arith.addf {{.*}} : vector<1xf32>
// CHECK: %[[SUM:.*]] = vector.extract
// CHECK: %[[BOTH:.*]] = arith.addf %[[OLD]], %[[SUM]] : f32
// CHECK: memref.store %[[BOTH]], %arg1
// CHECK-NOT: linalg
func.func @squares(%x: memref<?x?xf16>, %y: memref<?xf32>) {
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<?x?xf16>) outs(%y : memref<?xf32>) {
  ^bb0(%a: f16, %sum: f32):
    %0 = arith.extf %a : f16 to f32
    %1 = arith.mulf %0, %0 : f32
    %2 = arith.addf %sum, %1 : f32
    linalg.yield %2 : f32
  }
  return
}

// -----

#id = affine_map<(i, k) -> (i, k)>
#row = affine_map<(i, k) -> (i)>

// Extremes and integers too.
// CHECK-LABEL: func.func @extremes
// CHECK: arith.constant 0xFF800000 : f32
// CHECK: arith.maximumf {{.*}} : vector<4xf32>
// CHECK: arith.maximumf {{.*}} : f32
// CHECK: arith.constant 0 : i32
// CHECK: arith.addi {{.*}} : vector<4xi32>
// CHECK-NOT: linalg
func.func @extremes(%x: memref<?x?xf32>, %n: memref<?x?xi32>, %y: memref<?xf32>, %m: memref<?xi32>) {
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<?x?xf32>) outs(%y : memref<?xf32>) {
  ^bb0(%a: f32, %most: f32):
    %0 = arith.maximumf %most, %a : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%n : memref<?x?xi32>) outs(%m : memref<?xi32>) {
  ^bb0(%a: i32, %sum: i32):
    %0 = arith.addi %a, %sum : i32
    linalg.yield %0 : i32
  }
  return
}

// -----

#id = affine_map<(i, k) -> (i, k)>
#column = affine_map<(i, k) -> (k, i)>
#row = affine_map<(i, k) -> (i)>

// Columns are no neighbours; a difference is not associative; the old value is read
// twice: left for scalar loops.
// CHECK-LABEL: func.func @left
// CHECK-NOT: scf.parallel
// CHECK-COUNT-3: linalg.generic
func.func @left(%x: memref<8x8xf32>, %y: memref<8xf32>) {
  linalg.generic {indexing_maps = [#column, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<8x8xf32>) outs(%y : memref<8xf32>) {
  ^bb0(%a: f32, %sum: f32):
    %0 = arith.addf %sum, %a : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<8x8xf32>) outs(%y : memref<8xf32>) {
  ^bb0(%a: f32, %sum: f32):
    %0 = arith.subf %sum, %a : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<8x8xf32>) outs(%y : memref<8xf32>) {
  ^bb0(%a: f32, %sum: f32):
    %0 = arith.mulf %sum, %a : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  }
  return
}
