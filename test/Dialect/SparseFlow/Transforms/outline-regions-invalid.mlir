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

// -----

!cache = tensor<2x2x?x64xf16, #sparseflow.ternary<value_planes, scale = 32 : f16>>
func.func @grows(%c: !cache, %t: tensor<2x2x?x64xf16>, %n: tensor<2xi32>) -> !cache {
  // expected-error@+1 {{'sparseflow.cache_append' op grows an argument in place, which a call of a region cannot say; compile it in a function of its own, all of which has kernels}}
  %r = sparseflow.cache_append %c, %t at %n by <twn> : !cache, tensor<2x2x?x64xf16>, tensor<2xi32>
  return %r : !cache
}
