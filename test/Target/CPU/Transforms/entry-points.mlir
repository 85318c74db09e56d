// RUN: sparseflow-opt %s --sparseflow-cpu-entry-points | FileCheck %s

// CHECK: func.func private @f
func.func @f(%x: memref<?x4xf16>, %y: memref<f32>) {
  return
}

// CHECK-LABEL: func.func @sparseflow_cpu_entry_f(%arg0: !llvm.ptr)
// CHECK: %[[S0:.*]] = llvm.getelementptr %arg0[0]
// CHECK: %[[D0:.*]] = llvm.load %[[S0]] : !llvm.ptr -> !llvm.ptr
// CHECK: llvm.load %[[D0]] : !llvm.ptr -> !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK: %[[S1:.*]] = llvm.getelementptr %arg0[1]
// CHECK: %[[D1:.*]] = llvm.load %[[S1]]
// CHECK: llvm.load %[[D1]] : !llvm.ptr -> !llvm.struct<(ptr, ptr, i64)>
// CHECK: call @f
