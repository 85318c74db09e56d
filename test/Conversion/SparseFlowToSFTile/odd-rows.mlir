// Sizes whose rows are no multiple of 16 bytes: activations, and dense weights,
// are copied to rows that TMA reads, and results leave from registers.

// RUN: split-file %s %t
// RUN: sparseflow compile %t/k.mlir --schedule-file %S/Inputs/sparse.json --target sm_90a --emit sftile -o - --remarks 2>&1 | FileCheck %t/k.mlir
// RUN: sparseflow compile %t/n.mlir --schedule-file %S/Inputs/sparse.json --target sm_90a --emit sftile -o - | FileCheck %t/n.mlir
// RUN: sparseflow-opt %t/dense.mlir --sparseflow-tensor --sparseflow-tile=target=sm_90a 2>&1 | FileCheck %t/dense.mlir
// RUN: sparseflow compile %t/bytes.mlir --target sm_90a --activations i8 --emit sftile -o - | FileCheck %t/bytes.mlir

//--- k.mlir
// Pieces of 8 bytes, into rows of 128; the map has the columns that there are.
// CHECK: remark: [copy] tiles: rows of 1100 elements are copied to rows of 1152 first, because TMA reads rows of a multiple of 16 bytes
// CHECK-DAG: %[[COLUMNS:.*]] = arith.constant 1100 : i64
// CHECK-DAG: %[[PITCH:.*]] = arith.constant 2304 : i64
// CHECK: sftile.tensor_map %[[SCRATCH:.*]] sizes[%[[COLUMNS]], %{{.*}}] strides[%[[PITCH]]]
// CHECK: gpu.launch_func{{.*}} @{{.*}}::@mm_0_[[LETTER:[a-z]]]_pad
// CHECK-SAME: args(%{{.*}} : !llvm.ptr<1>, %[[SCRATCH]] : !llvm.ptr<1>, %{{.*}} : i64)
// CHECK: gpu.launch_func{{.*}} @{{.*}}::@mm_0_[[LETTER]] blocks
func.func @mm(%x: tensor<?x1100xf16>, %w: tensor<2048x1100xf16, #sparseflow.nm<2:4>>) -> tensor<?x2048xf16> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } : tensor<?x1100xf16>, tensor<2048x1100xf16, #sparseflow.nm<2:4>> -> tensor<?x2048xf16>
  return %y : tensor<?x2048xf16>
}

//--- n.mlir
// CHECK-NOT: _pad
// CHECK: sftile.mma_async
// CHECK-NOT: sftile.tma_store
// CHECK: sftile.store transposed %{{.*}} width 2
func.func @mm(%x: tensor<?x1024xf16>, %w: tensor<2051x1024xf16, #sparseflow.nm<2:4>>) -> tensor<?x2051xf16> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } : tensor<?x1024xf16>, tensor<2051x1024xf16, #sparseflow.nm<2:4>> -> tensor<?x2051xf16>
  return %y : tensor<?x2051xf16>
}

//--- dense.mlir
// One kernel copies both, the weight behind the activations; no weight is read before
// that has ended.
#s = #sftile.schedule<"s", block = [128, 64], warp = [16, 64], pipeline = #sftile.warp_specialized<k = 64, stages = 4>>
#any = #sftile.schedule<"any", block = [128, 32], warp = [32, 32], pipeline = #sftile.multistage<k = 64, stages = 3>>
// CHECK: remark: [copy] s: rows of 517 elements, those of the weight as well, are copied to rows of 576 first, because TMA reads rows of a multiple of 16 bytes
// CHECK-LABEL: gpu.func @mm_0_a(
// CHECK-NOT: sftile.copy
// CHECK: sftile.griddep wait
// CHECK: sftile.copy
// CHECK: gpu.func @mm_0_a_pad(
// CHECK-LABEL: func.func @mm(
// CHECK-DAG: %[[PITCH:.*]] = arith.constant 1152 : i64
// CHECK-DAG: %[[FEATURES:.*]] = arith.constant 128 : i64
// CHECK-DAG: %[[COLUMNS:.*]] = arith.constant 517 : i64
// CHECK: %[[W:.*]] = llvm.getelementptr %[[X:.*]][%{{.*}}]
// CHECK: sftile.tensor_map %[[W]] sizes[%[[COLUMNS]], %[[FEATURES]]] strides[%[[PITCH]]]
// CHECK: gpu.launch_func{{.*}} @{{.*}}::@mm_0_a_pad
// CHECK-SAME: args(%{{.*}} : !llvm.ptr<1>, %[[X]] : !llvm.ptr<1>, %{{.*}} : !llvm.ptr<1>, %[[W]] : !llvm.ptr<1>, %{{.*}} : i64)
// CHECK: gpu.launch_func{{.*}} @{{.*}}::@mm_0_a blocks
func.func @mm(%x: tensor<?x517xf16>, %w: tensor<128x517xf16> {sparseflow.constant}) -> tensor<?x128xf16> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } {sftile.schedules = [#s], sftile.unaligned_schedule = #any} : tensor<?x517xf16>, tensor<128x517xf16> -> tensor<?x128xf16>
  return %y : tensor<?x128xf16>
}

//--- bytes.mlir
// Quantized rows are whole whatever K is.
// CHECK-NOT: _pad
// CHECK: sftile.mma_async
// CHECK-NOT: _pad
func.func @mm(%x: tensor<?x1101xf16>, %w: tensor<2051x1101xf16, #sparseflow.ternary<codes, scale = row : f32>>) -> tensor<?x2051xf16> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } : tensor<?x1101xf16>, tensor<2051x1101xf16, #sparseflow.ternary<codes, scale = row : f32>> -> tensor<?x2051xf16>
  return %y : tensor<?x2051xf16>
}
