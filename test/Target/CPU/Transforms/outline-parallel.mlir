// RUN: sparseflow-opt %s --sparseflow-cpu-outline-parallel | FileCheck %s

// CHECK: llvm.func @sparseflow_cpu_parallel_for(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64)
// CHECK: llvm.mlir.global external @sparseflow_cpu_pool() {{.*}} : i8

// The body gets the range and what it uses through a structure; constants are
// copied instead. A loop inside a loop stays with its iteration.
// CHECK-LABEL: func.func private @f_parallel_0(
// CHECK-SAME: %[[CONTEXT:.*]]: !llvm.ptr, %[[BEGIN:.*]]: i64, %[[END:.*]]: i64)
// CHECK-DAG: arith.constant 1.000000e+00 : f32
// CHECK-DAG: llvm.getelementptr %[[CONTEXT]][0, 0]
// CHECK: scf.for
// CHECK: scf.parallel
// CHECK: memref.store
// CHECK-LABEL: func.func @f
// CHECK: %[[SLOT:.*]] = llvm.alloca
// CHECK: %[[POOL:.*]] = llvm.mlir.addressof @sparseflow_cpu_pool
// CHECK: %[[BODY:.*]] = constant @f_parallel_0 : (!llvm.ptr, i64, i64) -> ()
// CHECK: llvm.call @sparseflow_cpu_parallel_for(%[[POOL]], %{{.*}}, %[[SLOT]], %{{.*}})
// CHECK-NOT: scf.parallel
func.func @f(%x: memref<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f32
  scf.parallel (%i) = (%c2) to (%n) step (%c2) {
    scf.parallel (%j) = (%c0) to (%n) step (%c2) {
      memref.store %one, %x[%i, %j] : memref<?x?xf32>
    }
  }
  return
}
