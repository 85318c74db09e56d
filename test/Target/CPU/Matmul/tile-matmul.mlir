// RUN: sparseflow-opt %s --sparseflow-cpu-tile-matmul="lanes=8 tile-rows=2 tile-vectors=1 block-rows=3 block-columns=20 block-depth=5" --split-input-file | FileCheck %s

#a = affine_map<(t, n, k) -> (t, k)>
#b = affine_map<(t, n, k) -> (n, k)>
#c = affine_map<(t, n, k) -> (t, n)>

// Rows of one tile: a task packs a panel of the weight and multiplies it at once.
// CHECK-LABEL: func.func @dense
// CHECK: %[[FEW:.*]] = arith.cmpi ule, %{{.*}}, %c2
// CHECK: scf.if %[[FEW]] {
// CHECK: %[[ROWS:.*]] = memref.alloc({{.*}}) {alignment = 64 : i64} : memref<?x?x2xf32>
// CHECK: scf.parallel
// CHECK: scf.parallel
// CHECK: %[[PANEL:.*]] = memref.alloc(%c1{{.*}}) {alignment = 64 : i64} : memref<?x?x8xf32>
// CHECK: scf.for
// CHECK: vector.load %{{.*}} : memref<50x33xf16>, vector<8xf16>
// CHECK: memref.subview
// CHECK: func.call @sparseflow_cpu_kernel_2x8(%[[ROWS]], %[[PANEL]],
// CHECK: memref.dealloc %[[PANEL]]
// CHECK: memref.dealloc %[[ROWS]]
// More: two packings and the matmul are parallel loops; a task is a whole number of
// tiles (4 x 24 for blocks of 3 x 20), and sums 5 values of k at a time.
// CHECK: } else {
// CHECK: %[[PA:.*]] = memref.alloc({{.*}}) {alignment = 64 : i64} : memref<?x?x2xf32>
// CHECK: scf.parallel
// CHECK: vector.load %{{.*}} : memref<?x33xf16>, vector<2xf16>
// CHECK: arith.extf {{.*}} : vector<2xf16> to vector<2xf32>
// CHECK: vector.shuffle
// CHECK: vector.store %{{.*}}, %[[PA]]
// CHECK: %[[PB:.*]] = memref.alloc({{.*}}) {alignment = 64 : i64} : memref<?x?x8xf32>
// CHECK: scf.parallel
// CHECK: vector.load %{{.*}} : memref<50x33xf16>, vector<8xf16>
// CHECK: scf.parallel
// CHECK: scf.for
// CHECK: scf.for
// CHECK: scf.for
// CHECK: func.call @sparseflow_cpu_kernel_2x8(%[[PA]], %[[PB]],
// CHECK: memref.dealloc %[[PA]]
// CHECK: memref.dealloc %[[PB]]
// CHECK-NOT: linalg
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

// The kernel: 2 x 1 sums in registers; whole tiles without masks, edges with.
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

// Leading dimensions are rows; a body that skips zero weights gets the kernel
// that does.
// CHECK-LABEL: func.func @sparse_batch
// CHECK: memref.collapse_shape %{{.*}} {{\[\[}}0, 1], [2]] : memref<4x?x32xbf16> into memref<?x32xbf16>
// CHECK: func.call @sparseflow_cpu_kernel_2x8_skip_zero
// CHECK-LABEL: func.func private @sparseflow_cpu_kernel_2x8_skip_zero
// CHECK: arith.cmpf une
// CHECK: vector.fma
// CHECK: arith.select
func.func @sparse_batch(%x: memref<4x?x32xbf16>, %w: memref<50x32xbf16>, %y: memref<4x?x50xf32>) {
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
