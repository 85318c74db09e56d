// One query of several lengths: split-KV, and equal shares of the keys.
func.func @decode(%q: tensor<?x8x1x64xbf16>, %k: tensor<?x2x700x64xbf16>, %v: tensor<?x2x700x64xbf16>, %n: tensor<?xi32>, %s: tensor<8xf32>)
    -> (tensor<?x8x1x64xf32>, tensor<?x8x1xf32>) {
  %o, %l = sparseflow.attention %q, %k, %v lengths(%n : tensor<?xi32>) sink_logits(%s : tensor<8xf32>)
    : tensor<?x8x1x64xbf16>, tensor<?x2x700x64xbf16>, tensor<?x2x700x64xbf16> -> tensor<?x8x1x64xf32>, tensor<?x8x1xf32>
  return %o, %l : tensor<?x8x1x64xf32>, tensor<?x8x1xf32>
}

// Many queries, of which some see no key.
func.func @prefill(%q: tensor<3x?x8x72xf16>, %k: tensor<3x150x2x72xf16>, %v: tensor<3x150x2x72xf16>, %n: tensor<3xi32>, %s: tensor<8xf32>)
    -> (tensor<3x?x8x72xf16>, tensor<3x8x?xf32>) {
  %o, %l = sparseflow.attention %q, %k, %v lengths(%n : tensor<3xi32>) sink_logits(%s : tensor<8xf32>)
    {causal, window = 50 : i64, layout = #sparseflow.attention_layout<bshd>}
    : tensor<3x?x8x72xf16>, tensor<3x150x2x72xf16>, tensor<3x150x2x72xf16> -> tensor<3x?x8x72xf16>, tensor<3x8x?xf32>
  return %o, %l : tensor<3x?x8x72xf16>, tensor<3x8x?xf32>
}

// Heads and several queries of each are packed in a tile.
func.func @several(%q: tensor<2x8x5x128xf16>, %k: tensor<2x2x?x128xf16>, %v: tensor<2x2x?x128xf16>, %s: tensor<8xf32>)
    -> (tensor<2x8x5x128xf16>, tensor<2x8x5xf32>) {
  %o, %l = sparseflow.attention %q, %k, %v sink_logits(%s : tensor<8xf32>) {causal}
    : tensor<2x8x5x128xf16>, tensor<2x2x?x128xf16>, tensor<2x2x?x128xf16> -> tensor<2x8x5x128xf16>, tensor<2x8x5xf32>
  return %o, %l : tensor<2x8x5x128xf16>, tensor<2x8x5xf32>
}

// Ternary keys and values: kernels on trits, in int8 MMAs for one query.
!keys = tensor<2x2x192x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>
!values = tensor<2x2x192x64xf16, #sparseflow.ternary<value_planes, scale = token : f32>>
func.func @ternary(%q: tensor<2x8x?x64xf16>, %k: !keys, %v: !values, %n: tensor<2xi32>, %s: tensor<8xf32>)
    -> (tensor<2x8x?x64xf16>, tensor<2x8x?xf32>) {
  %o, %l = sparseflow.attention %q, %k, %v lengths(%n : tensor<2xi32>) sink_logits(%s : tensor<8xf32>)
    : tensor<2x8x?x64xf16>, !keys, !values -> tensor<2x8x?x64xf16>, tensor<2x8x?xf32>
  return %o, %l : tensor<2x8x?x64xf16>, tensor<2x8x?xf32>
}
