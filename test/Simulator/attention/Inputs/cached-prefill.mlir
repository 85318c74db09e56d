func.func @f(%q: tensor<1x16x?x128xf16>, %k: tensor<1x2x?x128xf16, #sparseflow.quantized<key_int8, scale = token : f16>>, %v: tensor<1x2x?x128xf16, #sparseflow.quantized<value_int4, scale = token : f16>>) -> tensor<1x16x?x128xf16> {
  %o = sparseflow.attention %q, %k, %v {causal}
    : tensor<1x16x?x128xf16>, tensor<1x2x?x128xf16, #sparseflow.quantized<key_int8, scale = token : f16>>, tensor<1x2x?x128xf16, #sparseflow.quantized<value_int4, scale = token : f16>> -> tensor<1x16x?x128xf16>
  return %o : tensor<1x16x?x128xf16>
}
