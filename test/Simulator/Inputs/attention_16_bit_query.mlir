func.func @f(%q: tensor<1x12x1x128xbf16>,
             %k: tensor<1x3x64x128xbf16, #sparseflow.ternary<key_planes, scale = head : f16>>,
             %v: tensor<1x3x64x128xbf16, #sparseflow.ternary<value_planes, scale = head : f16>>,
             %n: tensor<1xi32>) -> (tensor<1x12x1x128xf32>, tensor<1x12x1xf32>) {
  %o, %l = sparseflow.attention %q, %k, %v lengths(%n : tensor<1xi32>) {causal, scale = 1.0 : f32}
      : tensor<1x12x1x128xbf16>,
        tensor<1x3x64x128xbf16, #sparseflow.ternary<key_planes, scale = head : f16>>,
        tensor<1x3x64x128xbf16, #sparseflow.ternary<value_planes, scale = head : f16>>
      -> tensor<1x12x1x128xf32>, tensor<1x12x1xf32>
  return %o, %l : tensor<1x12x1x128xf32>, tensor<1x12x1xf32>
}
