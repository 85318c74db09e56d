// The conversion of kernels finds nothing that it would turn into a call of
// the device library.
// RUN: sparseflow-opt %s -sparseflow-lower-math -convert-gpu-to-nvvm \
// RUN:   | FileCheck %s --check-prefix=GPU --implicit-check-not=__nv_

gpu.module @kernels {
  // GPU: llvm.func @kernel
  gpu.func @kernel(%x: f32, %p: !llvm.ptr) kernel {
    %one = arith.constant 1.0 : f32
    %0 = math.tanh %x : f32
    %1 = arith.addf %0, %one : f32
    %2 = math.exp %1 : f32
    %3 = math.floor %2 : f32
    %4 = math.sqrt %3 : f32
    %5 = math.fma %4, %x, %one : f32
    %6 = math.powf %5, %x : f32
    %7 = math.absf %6 : f32
    %8 = math.sin %7 : f32
    %9 = arith.maximumf %8, %one : f32
    %10 = arith.minnumf %9, %x : f32
    %11 = math.erf %10 : f32
    %12 = arith.divf %11, %x : f32
    llvm.store %12, %p : f32, !llvm.ptr
    gpu.return
  }
}
