// The object refers to the loop runtime, allocation and C's mathematics; never
// to the conversion helpers of a compiler's own library (__truncsfbf2,
// __extendhfsf2, ...), which a machine need not have. The x86-64 baseline has no
// conversion instructions; x86-64-v3 and -v4 have them for f16.

// RUN: sparseflow-opt %S/Inputs/ffn.mlir --sparseflow-cpu="lanes=4" -o %t.soft.mlir
// RUN: mlir-translate --mlir-to-llvmir %t.soft.mlir -o %t.soft.ll
// RUN: FileCheck %s --check-prefix=SOFT < %t.soft.ll
// RUN: opt -O3 -mtriple=x86_64-linux-gnu -mcpu=x86-64 %t.soft.ll -o %t.soft.bc
// RUN: llc -O3 -mtriple=x86_64-linux-gnu -mcpu=x86-64 -filetype=obj %t.soft.bc -o %t.soft.o
// RUN: llvm-nm --undefined-only --just-symbol-name %t.soft.o | sort | FileCheck %s

// RUN: sparseflow-opt %S/Inputs/ffn.mlir --sparseflow-cpu="lanes=8 native-half=true" -o %t.v3.mlir
// RUN: mlir-translate --mlir-to-llvmir %t.v3.mlir -o %t.v3.ll
// RUN: FileCheck %s --check-prefix=NATIVE < %t.v3.ll
// RUN: opt -O3 -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3 %t.v3.ll -o %t.v3.bc
// RUN: llc -O3 -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3 -filetype=obj %t.v3.bc -o %t.v3.o
// RUN: llvm-nm --undefined-only --just-symbol-name %t.v3.o | sort | FileCheck %s

// RUN: sparseflow-opt %S/Inputs/ffn.mlir --sparseflow-cpu="lanes=16 tile-rows=8 native-half=true" -o %t.v4.mlir
// RUN: mlir-translate --mlir-to-llvmir %t.v4.mlir -o %t.v4.ll
// RUN: FileCheck %s --check-prefix=NATIVE < %t.v4.ll
// RUN: opt -O3 -mtriple=x86_64-linux-gnu -mcpu=x86-64-v4 %t.v4.ll -o %t.v4.bc
// RUN: llc -O3 -mtriple=x86_64-linux-gnu -mcpu=x86-64-v4 -filetype=obj %t.v4.bc -o %t.v4.o
// RUN: llvm-nm --undefined-only --just-symbol-name %t.v4.o | sort | FileCheck %s

// Without instructions no conversion is left in the IR at all.
// SOFT-NOT: {{fpext.*half|fptrunc.*half|fpext.*bfloat|fptrunc.*bfloat}}
// With them, f16 uses them on whole vectors; bf16 stays integer arithmetic.
// NATIVE-NOT: {{fpext.*bfloat|fptrunc.*bfloat}}
// NATIVE: fpext <{{8|16}} x half>
// NATIVE-NOT: {{fpext.*bfloat|fptrunc.*bfloat}}

// CHECK-NOT: {{__(extend|trunc|float|fix|gnu_)}}
// CHECK: {{^_mlir_memref_to_llvm_alloc$}}
// CHECK-NEXT: {{^_mlir_memref_to_llvm_free$}}
// CHECK-NOT: {{__(extend|trunc|float|fix|gnu_)}}
// CHECK: {{^logf$}}
// CHECK-NOT: {{__(extend|trunc|float|fix|gnu_)}}
// CHECK: {{^sparseflow_cpu_parallel_for$}}
// CHECK-NEXT: {{^sparseflow_cpu_pool$}}
// CHECK-NOT: {{.}}
