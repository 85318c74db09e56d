// RUN: sparseflow-opt %s --sftile-merge-kernels -split-input-file -verify-diagnostics | FileCheck %s

// Names and locations may differ; the kernels behind become the first of them.
// CHECK-LABEL: gpu.module @kernels
// CHECK: gpu.func @f_0(%{{.*}}: i64, %{{.*}}: !llvm.ptr<1>) kernel attributes {known_block_size = array<i32: 32, 1, 1>, sftile.merged = ["f_1", "f_5"], sftile.schedule = "row"}
// CHECK-NOT: @f_1
// CHECK-NOT: @f_5
// Another constant, another operand, another operation, other threads, another
// type: kernels of their own.
// CHECK: gpu.func @f_2
// CHECK: gpu.func @f_3
// CHECK: gpu.func @f_4
// CHECK: gpu.func @f_6
// CHECK: gpu.func @f_7
// A function that is no kernel stays.
// CHECK: gpu.func @helper
// CHECK: gpu.func @helper_too
// CHECK-LABEL: func.func @f
// CHECK: gpu.launch_func @kernels::@f_0
// CHECK: scf.if
// CHECK: gpu.launch_func @kernels::@f_0
// CHECK: gpu.launch_func @kernels::@f_2
// CHECK: gpu.launch_func @kernels::@f_0
module attributes {gpu.container_module} {
// expected-remark@+1 {{[kernel] of 8 kernels, 2 are equal to another one, which is launched in their place}}
gpu.module @kernels {
  gpu.func @f_0(%n: i64, %p: !llvm.ptr<1>) kernel attributes {known_block_size = array<i32: 32, 1, 1>, sftile.schedule = "row"} {
    %c = arith.constant 1 : i64
    %m = arith.addi %n, %c : i64
    llvm.store %m, %p : i64, !llvm.ptr<1>
    gpu.return
  }
  gpu.func @f_1(%size: i64, %to: !llvm.ptr<1>) kernel attributes {known_block_size = array<i32: 32, 1, 1>, sftile.schedule = "row"} {
    %one = arith.constant 1 : i64
    %next = arith.addi %size, %one : i64
    llvm.store %next, %to : i64, !llvm.ptr<1>
    gpu.return
  }
  gpu.func @f_2(%n: i64, %p: !llvm.ptr<1>) kernel attributes {known_block_size = array<i32: 32, 1, 1>, sftile.schedule = "row"} {
    %c = arith.constant 2 : i64
    %m = arith.addi %n, %c : i64
    llvm.store %m, %p : i64, !llvm.ptr<1>
    gpu.return
  }
  gpu.func @f_3(%n: i64, %p: !llvm.ptr<1>) kernel attributes {known_block_size = array<i32: 32, 1, 1>, sftile.schedule = "row"} {
    %c = arith.constant 1 : i64
    %m = arith.addi %n, %n : i64
    llvm.store %m, %p : i64, !llvm.ptr<1>
    gpu.return
  }
  gpu.func @f_4(%n: i64, %p: !llvm.ptr<1>) kernel attributes {known_block_size = array<i32: 32, 1, 1>, sftile.schedule = "row"} {
    %c = arith.constant 1 : i64
    %m = arith.muli %n, %c : i64
    llvm.store %m, %p : i64, !llvm.ptr<1>
    gpu.return
  }
  gpu.func @f_5(%n: i64, %p: !llvm.ptr<1>) kernel attributes {known_block_size = array<i32: 32, 1, 1>, sftile.schedule = "row"} {
    %c = arith.constant 1 : i64
    %m = arith.addi %n, %c : i64
    llvm.store %m, %p : i64, !llvm.ptr<1>
    gpu.return
  }
  gpu.func @f_6(%n: i64, %p: !llvm.ptr<1>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, sftile.schedule = "row"} {
    %c = arith.constant 1 : i64
    %m = arith.addi %n, %c : i64
    llvm.store %m, %p : i64, !llvm.ptr<1>
    gpu.return
  }
  gpu.func @f_7(%n: i64, %p: !llvm.ptr<1>) kernel attributes {known_block_size = array<i32: 32, 1, 1>, sftile.schedule = "other"} {
    %c = arith.constant 1 : i64
    %m = arith.addi %n, %c : i64
    llvm.store %m, %p : i64, !llvm.ptr<1>
    gpu.return
  }
  gpu.func @helper(%n: i64) {
    gpu.return
  }
  gpu.func @helper_too(%n: i64) {
    gpu.return
  }
}
func.func @f(%p: !llvm.ptr<1>, %n: i64, %small: i1) {
  %one = arith.constant 1 : index
  %threads = arith.constant 32 : index
  gpu.launch_func @kernels::@f_0 blocks in (%one, %one, %one) threads in (%threads, %one, %one) args(%n : i64, %p : !llvm.ptr<1>)
  scf.if %small {
    gpu.launch_func @kernels::@f_1 blocks in (%one, %one, %one) threads in (%threads, %one, %one) args(%n : i64, %p : !llvm.ptr<1>)
  }
  gpu.launch_func @kernels::@f_2 blocks in (%one, %one, %one) threads in (%threads, %one, %one) args(%n : i64, %p : !llvm.ptr<1>)
  gpu.launch_func @kernels::@f_5 blocks in (%one, %one, %one) threads in (%threads, %one, %one) args(%n : i64, %p : !llvm.ptr<1>)
  return
}
}

// -----

// Operands follow the kernel's own values: swapped ones make another kernel.
// CHECK-LABEL: gpu.module @order
// CHECK: gpu.func @a
// CHECK: gpu.func @b
module attributes {gpu.container_module} {
gpu.module @order {
  gpu.func @a(%x: i64, %y: i64, %p: !llvm.ptr<1>) kernel {
    %d = arith.subi %x, %y : i64
    llvm.store %d, %p : i64, !llvm.ptr<1>
    gpu.return
  }
  gpu.func @b(%x: i64, %y: i64, %p: !llvm.ptr<1>) kernel {
    %d = arith.subi %y, %x : i64
    llvm.store %d, %p : i64, !llvm.ptr<1>
    gpu.return
  }
}
}
