// 128 features, results in f32.
func.func @f(%q: tensor<1x1x?x128xf16>, %k: tensor<1x1x150x128xf16>, %v: tensor<1x1x150x128xf16>) -> tensor<1x1x?x128xf32> {
  %o = sparseflow.attention %q, %k, %v : tensor<1x1x?x128xf16>, tensor<1x1x150x128xf16>, tensor<1x1x150x128xf16> -> tensor<1x1x?x128xf32>
  return %o : tensor<1x1x?x128xf32>
}
