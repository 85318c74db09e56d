// RUN: sparseflow-opt %s --pass-pipeline="builtin.module(gpu.module(sftile-tensor-map-parameters))" | FileCheck %s

gpu.module @kernels {
  // CHECK: llvm.func @mapped(%{{.*}}: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant}, %{{.*}}: !llvm.ptr<1>)
  llvm.func @mapped(%map: !llvm.ptr, %y: !llvm.ptr<1>) attributes {nvvm.kernel, sftile.tensor_maps = array<i64: 0>} {
    llvm.return
  }
  // CHECK: llvm.func @plain(%{{.*}}: !llvm.ptr)
  llvm.func @plain(%x: !llvm.ptr) attributes {nvvm.kernel} {
    llvm.return
  }
}
