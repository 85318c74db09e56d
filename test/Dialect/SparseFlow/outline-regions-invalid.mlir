// RUN: sparseflow-opt %s --split-input-file --allow-unregistered-dialect --sparseflow-outline-regions=keep-ops=mine.number --verify-diagnostics

// A scalar that the host computes cannot go into a kernel.
func.func @scalar(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-remark@+1 {{[outline] stays in the host function: keep-ops names it}}
  %s = "mine.number"() : () -> f32
  %e = tensor.empty() : tensor<4x8xf32>
  // expected-error@+1 {{'linalg.fill' op needs 'f32' from the host function, expected tensors and sizes of tensors only; make it a tensor, or keep this op as well (keep-ops)}}
  %y = linalg.fill ins(%s : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

func.func @blocks(%x: tensor<4x8xf32>) -> tensor<4x8xf32> { // expected-error {{expected one block, found several; regions are cut out of straight code}}
  cf.br ^next
^next:
  return %x : tensor<4x8xf32>
}
