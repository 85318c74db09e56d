// RUN: sparseflow-opt %s --sparseflow-cpu-outline-parallel --verify-diagnostics

// The body of a loop gets what it uses through a structure of LLVM's.
func.func @f(%x: tensor<8xf32>, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  // expected-error@+1 {{expected parallel loops to use values that LLVM can store, found one of type 'tensor<8xf32>'; run one-shot-bufferize first}}
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %v = tensor.extract %x[%i] : tensor<8xf32>
    memref.store %v, %y[%i] : memref<8xf32>
  }
  return
}
