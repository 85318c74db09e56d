// RUN: sparseflow-opt %s --sparseflow-cpu-entry-points --split-input-file --verify-diagnostics

// expected-error@+1 {{expected the results of 'results' as buffers (sparseflow-cpu-results-to-destinations), found 1 results}}
func.func @results(%x: memref<4xf32>) -> memref<4xf32> {
  return %x : memref<4xf32>
}

// -----

// expected-error@+1 {{expected argument 0 of 'scalar' to be a memref, found 'f32'}}
func.func @scalar(%x: f32) {
  return
}
