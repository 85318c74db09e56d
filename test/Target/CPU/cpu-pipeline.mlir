// The pipeline leaves the LLVM dialect and nothing else, whatever the schedule.

// RUN: sparseflow-opt %S/Inputs/ffn.mlir --sparseflow-cpu | FileCheck %s
// RUN: sparseflow-opt %S/Inputs/ffn.mlir --sparseflow-cpu="lanes=16 tile-rows=8 native-half=true" | FileCheck %s
// RUN: sparseflow-opt %S/Inputs/ffn.mlir --sparseflow-cpu="lanes=1 tile-rows=1 tile-vectors=1 block-rows=1 block-columns=1 block-depth=1 elementwise-unit=1" | FileCheck %s

// No line may start an op of another dialect.
// CHECK-NOT: {{^ *(%[0-9a-z_:, %]+ = )?"?(affine|arith|bufferization|builtin\.unrealized|cf|func|linalg|math|memref|scf|tensor|ub|vector)\.}}
// CHECK-DAG: llvm.func @sparseflow_cpu_parallel_for(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64)
// CHECK-DAG: llvm.func @sparseflow_cpu_entry_f16(%{{.*}}: !llvm.ptr)
// CHECK-DAG: llvm.func @sparseflow_cpu_entry_bf16(%{{.*}}: !llvm.ptr)
// CHECK-DAG: llvm.func @sparseflow_cpu_entry_scalars(%{{.*}}: !llvm.ptr)
// CHECK-NOT: {{^ *(%[0-9a-z_:, %]+ = )?"?(affine|arith|bufferization|builtin\.unrealized|cf|func|linalg|math|memref|scf|tensor|ub|vector)\.}}
