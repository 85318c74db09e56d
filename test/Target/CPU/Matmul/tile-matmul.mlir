// RUN: sparseflow-opt %s --sparseflow-cpu-tile-matmul="lanes=8 tile-rows=2 tile-vectors=1 block-rows=3 block-columns=20 block-depth=5 direct-rows=9 prefetch-bytes=4096 unit=100" --split-input-file | FileCheck %s

#a = affine_map<(t, n, k) -> (t, k)>
#b = affine_map<(t, n, k) -> (n, k)>
#c = affine_map<(t, n, k) -> (t, n)>

// b [n, k] is read where it lies, however many rows there are. Rows of x are widened
// once; a task of some columns (more where there are several blocks of rows) widens a
// group of b's rows, as many as lanes, where at least 16 rows meet them.
// CHECK-LABEL: func.func @dense
// CHECK: %[[ROWS:.*]] = memref.alloc({{.*}}) {alignment = 64 : i64} : memref<?x?xf32>
// CHECK: linalg.generic {{.*}} ins(%arg0 : memref<?x33xf16>) outs(%[[ROWS]] : memref<?x?xf32>)
// CHECK: arith.extf
// CHECK: %[[SEVERAL:.*]] = arith.cmpi ugt
// CHECK: arith.select %[[SEVERAL]]
// CHECK: scf.parallel
// CHECK: %[[MANY:.*]] = arith.cmpi uge, %{{.*}}, %c16
// CHECK: scf.if %[[MANY]] {
// CHECK: %[[PANEL:.*]] = memref.alloc({{.*}}) {alignment = 64 : i64} : memref<8x?xf32>
// CHECK: scf.for
// CHECK: %[[FROM:.*]] = memref.subview %arg1
// CHECK: %[[TO:.*]] = memref.subview %[[PANEL]]
// CHECK: linalg.generic {{.*}} ins(%[[FROM]]
// CHECK-SAME: outs(%[[TO]]
// CHECK: memref.subview %arg2
// CHECK: func.call @sparseflow_cpu_direct_4x1_f32(
// CHECK: func.call @sparseflow_cpu_direct_1x1_f32(
// CHECK: memref.dealloc %[[PANEL]]
// CHECK: } else {
// CHECK: scf.for
// CHECK: func.call @sparseflow_cpu_direct_4x1_f16_ahead(
// CHECK: func.call @sparseflow_cpu_direct_1x1_f16_ahead(
// CHECK: memref.dealloc %[[ROWS]]
func.func @dense(%x: memref<?x33xf16>, %w: memref<50x33xf16>, %y: memref<?x50xf32>) {
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : memref<?x33xf16>, memref<50x33xf16>) outs(%y : memref<?x50xf32>) {
  ^bb0(%p: f16, %q: f16, %acc: f32):
    %0 = arith.extf %p : f16 to f32
    %1 = arith.extf %q : f16 to f32
    %2 = arith.mulf %1, %0 : f32
    %3 = arith.addf %2, %acc : f32
    linalg.yield %3 : f32
  }
  return
}

// The kernel: sums side by side in a vector, what is left of k in its first lane, a
// place for each row of the group; then the sum of each, at once.
// CHECK-LABEL: func.func private @sparseflow_cpu_direct_1x1_f16_ahead
// CHECK: memref.alloca() {alignment = 64 : i64} : memref<1x8x8xf32>
// CHECK: scf.for
// CHECK: scf.for {{.*}} -> (vector<8xf32>)
// CHECK: memref.prefetch %arg1{{.*}}, read, locality<3>, data
// CHECK: vector.load %arg1{{.*}}, vector<8xf16>
// CHECK: arith.extf
// CHECK: vector.load %arg0{{.*}}, vector<8xf32>
// CHECK: vector.fma
// CHECK: scf.for {{.*}} -> (f32)
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK: vector.insert
// CHECK: vector.store
// CHECK-COUNT-14: vector.shuffle
// CHECK-NOT: vector.shuffle
// CHECK: scf.if
// CHECK: vector.store
// CHECK: } else {
// CHECK: vector.maskedstore

// -----

#a = affine_map<(t, n, k) -> (t, k)>
#b = affine_map<(t, n, k) -> (k, n)>
#c = affine_map<(t, n, k) -> (t, n)>

// b [k, n]: many rows pack it; few read it along n, in the order of sums that packed
// panels have, 5 values of k at a time.
// CHECK-LABEL: func.func @columns
// CHECK: %[[FEW:.*]] = arith.cmpi ule, %{{.*}}, %c9
// CHECK: scf.if %[[FEW]] {
// CHECK: scf.parallel
// CHECK: %[[DEPTH:.*]] = arith.constant 5 : index
// CHECK: scf.for {{.*}} step %[[DEPTH]]
// CHECK: func.call @sparseflow_cpu_direct_4x1_f32_columns_ahead(
// CHECK: func.call @sparseflow_cpu_direct_1x1_f32_columns_ahead(
// CHECK: } else {
// CHECK: %[[PA:.*]] = memref.alloc({{.*}}) {alignment = 64 : i64} : memref<?x?x2xf32>
// CHECK: scf.parallel
// CHECK: vector.shuffle
// CHECK: vector.store %{{.*}}, %[[PA]]
// CHECK: %[[PB:.*]] = memref.alloc({{.*}}) {alignment = 64 : i64} : memref<?x?x8xf32>
// CHECK: scf.parallel
// CHECK: scf.parallel
// CHECK: func.call @sparseflow_cpu_kernel_2x8(%[[PA]], %[[PB]],
// CHECK: memref.dealloc %[[PA]]
// CHECK: memref.dealloc %[[PB]]
// CHECK-NOT: linalg
func.func @columns(%x: memref<?x33xf32>, %w: memref<33x50xf32>, %y: memref<?x50xf32>) {
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : memref<?x33xf32>, memref<33x50xf32>) outs(%y : memref<?x50xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %0 = arith.mulf %p, %q : f32
    %1 = arith.addf %0, %acc : f32
    linalg.yield %1 : f32
  }
  return
}

// CHECK-LABEL: func.func private @sparseflow_cpu_direct_4x1_f32_columns_ahead
// CHECK: scf.if
// CHECK: scf.for {{.*}} -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>)
// CHECK: vector.load %arg1
// CHECK-COUNT-4: vector.fma
// CHECK: vector.store
// CHECK: } else {
// CHECK: vector.maskedload %arg1
// CHECK: vector.maskedstore

// The kernel for panels: 2 x 1 sums in registers; whole tiles without masks, edges with.
// CHECK-LABEL: func.func private @sparseflow_cpu_kernel_2x8
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (vector<8xf32>, vector<8xf32>)
// CHECK-COUNT-2: vector.fma
// CHECK-NOT: arith.select
// CHECK: scf.if
// CHECK: vector.load
// CHECK: vector.store
// CHECK: } else {
// CHECK: vector.maskedload
// CHECK: vector.maskedstore

// -----

#a = affine_map<(b, t, n, k) -> (b, t, k)>
#b = affine_map<(b, t, n, k) -> (n, k)>
#c = affine_map<(b, t, n, k) -> (b, t, n)>

// Leading dimensions are rows; a body that skips zero weights gets kernels that do,
// and a weight whose elements are no neighbours is packed.
// CHECK-LABEL: func.func @sparse_batch
// CHECK: memref.collapse_shape %{{.*}} {{\[\[}}0, 1], [2]] : memref<4x?x32xbf16> into memref<?x32xbf16>
// CHECK: func.call @sparseflow_cpu_direct_4x1_bf16_skip_zero_ahead
// CHECK: func.call @sparseflow_cpu_kernel_2x8_skip_zero
// CHECK-LABEL: func.func private @sparseflow_cpu_direct_4x1_bf16_skip_zero_ahead
// CHECK: arith.cmpf une
// CHECK: arith.select
// CHECK-LABEL: func.func private @sparseflow_cpu_kernel_2x8_skip_zero
// CHECK: arith.cmpf une
// CHECK: vector.fma
// CHECK: arith.select
func.func @sparse_batch(%x: memref<4x?x32xbf16>, %w: memref<50x32xbf16>, %far: memref<50x32xbf16, strided<[64, 2]>>, %y: memref<4x?x50xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : memref<4x?x32xbf16>, memref<50x32xbf16>) outs(%y : memref<4x?x50xf32>) {
  ^bb0(%p: bf16, %q: bf16, %acc: f32):
    %0 = arith.extf %p : bf16 to f32
    %1 = arith.extf %q : bf16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %acc, %2 : f32
    %4 = arith.cmpf une, %1, %zero : f32
    %5 = arith.select %4, %3, %acc : f32
    linalg.yield %5 : f32
  }
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %far : memref<4x?x32xbf16>, memref<50x32xbf16, strided<[64, 2]>>) outs(%y : memref<4x?x50xf32>) {
  ^bb0(%p: bf16, %q: bf16, %acc: f32):
    %0 = arith.extf %p : bf16 to f32
    %1 = arith.extf %q : bf16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %acc, %2 : f32
    %4 = arith.cmpf une, %1, %zero : f32
    %5 = arith.select %4, %3, %acc : f32
    linalg.yield %5 : f32
  }
  return
}

// -----

#a = affine_map<(t, n, k) -> (t, k)>
#b = affine_map<(t, n, k) -> (n, k)>
#c = affine_map<(t, n, k) -> (t, n)>

// Not a contraction with f32 sums: left alone.
// CHECK-LABEL: func.func @others
// CHECK-COUNT-3: linalg.generic
// CHECK-NOT: sparseflow_cpu_kernel
func.func @others(%x: memref<?x32xf16>, %w: memref<50x32xf16>, %y: memref<?x50xf16>, %z: memref<?x50xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : memref<?x32xf16>, memref<50x32xf16>) outs(%y : memref<?x50xf16>) {
  ^bb0(%p: f16, %q: f16, %acc: f16):
    %0 = arith.mulf %p, %q : f16
    %1 = arith.addf %acc, %0 : f16
    linalg.yield %1 : f16
  }
  // A maximum is no sum.
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : memref<?x32xf16>, memref<50x32xf16>) outs(%z : memref<?x50xf32>) {
  ^bb0(%p: f16, %q: f16, %acc: f32):
    %0 = arith.extf %p : f16 to f32
    %1 = arith.extf %q : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.maximumf %acc, %2 : f32
    linalg.yield %3 : f32
  }
  // Skips zeros of x, not of w; `one` would also skip NaN.
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : memref<?x32xf16>, memref<50x32xf16>) outs(%z : memref<?x50xf32>) {
  ^bb0(%p: f16, %q: f16, %acc: f32):
    %0 = arith.extf %p : f16 to f32
    %1 = arith.extf %q : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %acc, %2 : f32
    %4 = arith.cmpf one, %1, %zero : f32
    %5 = arith.select %4, %3, %acc : f32
    linalg.yield %5 : f32
  }
  return
}
