// RUN: sparseflow-opt %s --sparseflow-cpu --split-input-file --verify-diagnostics

// expected-error @+1 {{argument 0 of 'scalar': expected a ranked tensor (a scalar is a tensor of rank 0), found 'f32'}}
func.func @scalar(%x: f32) {
  return
}

// -----

// expected-error @+1 {{argument 0 of 'encoded': expected a tensor without an encoding: lower the sparseflow dialect to linalg first (sparseflow-lower-to-linalg)}}
func.func @encoded(%x: tensor<8x8xf16, #sparseflow.nm<2:4>>) {
  return
}

// -----

// expected-error @+1 {{result 0 of 'wide': expected elements of f16, bf16, f32, f64, i1, i8, i16, i32 or i64, found 'tensor<4xi128>'}}
func.func @wide() -> tensor<4xi128> {
  %c = arith.constant dense<0> : tensor<4xi128>
  return %c : tensor<4xi128>
}
