// RUN: sparseflow-opt %s --split-input-file --verify-diagnostics

func.func @element(%l: tensor<8x64xf64>, %t: tensor<8xf32>, %k: tensor<8xi32>, %p: tensor<8xf32>,
    %s: tensor<8xi64>, %n: tensor<8xi32>) -> tensor<8xi32> {
  // expected-error @+1 {{expected logits [..., V] of f16, bf16 or f32 without an encoding, found 'tensor<8x64xf64>'}}
  %ids = sparseflow.sample %l temperature(%t) top_k(%k) top_p(%p) seed(%s) position(%n) : tensor<8x64xf64>
  return %ids : tensor<8xi32>
}

// -----

func.func @encoded(%l: tensor<8x64xf16, #sparseflow.nm<2:4>>, %t: tensor<8xf32>, %k: tensor<8xi32>, %p: tensor<8xf32>,
    %s: tensor<8xi64>, %n: tensor<8xi32>) -> tensor<8xi32> {
  // expected-error @+1 {{expected logits [..., V] of f16, bf16 or f32 without an encoding}}
  %ids = sparseflow.sample %l temperature(%t) top_k(%k) top_p(%p) seed(%s) position(%n) : tensor<8x64xf16, #sparseflow.nm<2:4>>
  return %ids : tensor<8xi32>
}

// -----

func.func @scalar(%l: tensor<f32>, %t: tensor<f32>, %k: tensor<i32>, %p: tensor<f32>,
    %s: tensor<i64>, %n: tensor<i32>) -> tensor<i32> {
  // expected-error @+1 {{expected logits [..., V] of f16, bf16 or f32}}
  %ids = sparseflow.sample %l temperature(%t) top_k(%k) top_p(%p) seed(%s) position(%n) : tensor<f32>
  return %ids : tensor<i32>
}

// -----

func.func @dynamic(%l: tensor<8x?xf32>, %t: tensor<8xf32>, %k: tensor<8xi32>, %p: tensor<8xf32>,
    %s: tensor<8xi64>, %n: tensor<8xi32>) -> tensor<8xi32> {
  // expected-error @+1 {{expected a static last dimension of 1 to 1048576 logits, found 'tensor<8x?xf32>'}}
  %ids = sparseflow.sample %l temperature(%t) top_k(%k) top_p(%p) seed(%s) position(%n) : tensor<8x?xf32>
  return %ids : tensor<8xi32>
}

// -----

func.func @none(%l: tensor<8x0xf32>, %t: tensor<8xf32>, %k: tensor<8xi32>, %p: tensor<8xf32>,
    %s: tensor<8xi64>, %n: tensor<8xi32>) -> tensor<8xi32> {
  // expected-error @+1 {{expected a static last dimension of 1 to 1048576 logits}}
  %ids = sparseflow.sample %l temperature(%t) top_k(%k) top_p(%p) seed(%s) position(%n) : tensor<8x0xf32>
  return %ids : tensor<8xi32>
}

// -----

func.func @many(%l: tensor<8x1048577xf32>, %t: tensor<8xf32>, %k: tensor<8xi32>, %p: tensor<8xf32>,
    %s: tensor<8xi64>, %n: tensor<8xi32>) -> tensor<8xi32> {
  // expected-error @+1 {{expected a static last dimension of 1 to 1048576 logits}}
  %ids = sparseflow.sample %l temperature(%t) top_k(%k) top_p(%p) seed(%s) position(%n) : tensor<8x1048577xf32>
  return %ids : tensor<8xi32>
}

// -----

func.func @parameter(%l: tensor<8x64xf32>, %t: tensor<f32>, %k: tensor<8xi32>,
    %p: tensor<8xf32>, %s: tensor<8xi64>, %n: tensor<8xi32>) -> tensor<8xi32> {
  // expected-error @+1 {{temperature is f32, one for each row of logits}}
  %ids = "sparseflow.sample"(%l, %t, %k, %p, %s, %n)
      : (tensor<8x64xf32>, tensor<f32>, tensor<8xi32>, tensor<8xf32>, tensor<8xi64>, tensor<8xi32>)
      -> tensor<8xi32>
  return %ids : tensor<8xi32>
}
