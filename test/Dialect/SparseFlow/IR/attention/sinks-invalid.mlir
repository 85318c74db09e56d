// RUN: sparseflow-opt %s --split-input-file --verify-diagnostics

!q = tensor<1x4x9x64xf16>
!k = tensor<1x2x9x64xf16>
func.func @key_heads(%q: !q, %k: !k, %s: tensor<2xf32>) -> !q {
  // expected-error@+1 {{expected sink_logits to be one f32 for each query head, a 'tensor<4xf32>', found 'tensor<2xf32>'; convert or cast it}}
  %o = sparseflow.attention %q, %k, %k sink_logits(%s : tensor<2xf32>) : !q, !k, !k -> !q
  return %o : !q
}

// -----

!q = tensor<1x4x9x64xf16>
!k = tensor<1x2x9x64xf16>
func.func @half(%q: !q, %k: !k, %s: tensor<4xf16>) -> !q {
  // expected-error@+1 {{expected sink_logits to be one f32 for each query head, a 'tensor<4xf32>', found 'tensor<4xf16>'; convert or cast it}}
  %o = sparseflow.attention %q, %k, %k sink_logits(%s : tensor<4xf16>) : !q, !k, !k -> !q
  return %o : !q
}

// -----

!q = tensor<1x4x9x64xf16>
!k = tensor<1x2x9x64xf16>
func.func @unknown(%q: !q, %k: !k, %s: tensor<?xf32>) -> !q {
  // expected-error@+1 {{expected sink_logits to be one f32 for each query head, a 'tensor<4xf32>', found 'tensor<?xf32>'; convert or cast it}}
  %o = sparseflow.attention %q, %k, %k sink_logits(%s : tensor<?xf32>) : !q, !k, !k -> !q
  return %o : !q
}
