// RUN: sparseflow-opt %s --pass-pipeline="builtin.module(func.func(sparseflow-cpu-vectorize-elementwise{lanes=8 unit=100}))" --split-input-file | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>

// What does not vary along a row is loaded before its loop. Units of 100
// elements become 104, whole vectors.
// CHECK-LABEL: func.func @broadcasts
// CHECK-DAG: arith.constant 104 : index
// CHECK: scf.parallel
// CHECK: scf.for
// CHECK: %[[R:.*]] = memref.load %arg1[%{{.*}}] : memref<?xf32>
// CHECK: scf.for
// CHECK: vector.load %arg0[{{.*}}] : memref<?x?xf16>, vector<8xf16>
// CHECK: vector.broadcast %[[R]] : f32 to vector<8xf32>
// CHECK: vector.load %arg2[{{.*}}] : memref<?xf32>, vector<8xf32>
// CHECK: arith.extf {{.*}} : vector<8xf16> to vector<8xf32>
// CHECK: vector.store {{.*}} : memref<?x?xf32>, vector<8xf32>
// CHECK: scf.for
// CHECK: memref.load %arg0
// CHECK: memref.store
// CHECK-NOT: linalg
func.func @broadcasts(%x: memref<?x?xf16>, %r: memref<?xf32>, %c: memref<?xf32>, %y: memref<?x?xf32>) {
  linalg.generic {indexing_maps = [#id, #row, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %r, %c : memref<?x?xf16>, memref<?xf32>, memref<?xf32>) outs(%y : memref<?x?xf32>) {
  ^bb0(%a: f16, %b: f32, %d: f32, %out: f32):
    %0 = arith.extf %a : f16 to f32
    %1 = arith.mulf %0, %b : f32
    %2 = arith.addf %1, %d : f32
    linalg.yield %2 : f32
  }
  return
}

// -----

// CHECK-LABEL: func.func @fill_and_copy
// CHECK: scf.parallel
// CHECK: vector.store
// CHECK: scf.parallel
// CHECK: vector.load
// CHECK: vector.store
// CHECK-NOT: {{linalg|memref.copy}}
func.func @fill_and_copy(%x: memref<?x64xf32>, %y: memref<?x64xf32, strided<[128, 1], offset: ?>>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%x : memref<?x64xf32>)
  memref.copy %x, %y : memref<?x64xf32> to memref<?x64xf32, strided<[128, 1], offset: ?>>
  return
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#transposed = affine_map<(i, j) -> (j, i)>

// A transposed operand has no vector form: left for scalar loops.
// CHECK-LABEL: func.func @left
// CHECK: linalg.generic
// CHECK-NOT: scf.parallel
func.func @left(%x: memref<8x8xf32>, %y: memref<8x8xf32>) {
  linalg.generic {indexing_maps = [#transposed, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<8x8xf32>) outs(%y : memref<8x8xf32>) {
  ^bb0(%a: f32, %out: f32):
    linalg.yield %a : f32
  }
  return
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// The index of the last loop differs from lane to lane, another one does not.
// CHECK-LABEL: func.func @indices
// CHECK: scf.parallel
// CHECK: %[[I:.*]] = vector.broadcast {{.*}} : index to vector<8xindex>
// CHECK: %[[STEP:.*]] = vector.step : vector<8xindex>
// CHECK: %[[FIRST:.*]] = vector.broadcast {{.*}} : index to vector<8xindex>
// CHECK: %[[J:.*]] = arith.addi %[[FIRST]], %[[STEP]] : vector<8xindex>
// CHECK: arith.cmpi sle, %[[J]], %[[I]] : vector<8xindex>
// CHECK: arith.select {{.*}} : vector<8xi1>, vector<8xf32>
// CHECK-NOT: linalg
func.func @indices(%x: memref<?x?xf32>, %y: memref<?x?xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<?x?xf32>) outs(%y : memref<?x?xf32>) {
  ^bb0(%a: f32, %out: f32):
    %0 = linalg.index 0 : index
    %1 = linalg.index 1 : index
    %2 = arith.cmpi sle, %1, %0 : index
    %3 = arith.select %2, %a, %zero : f32
    linalg.yield %3 : f32
  }
  return
}
