// T queries on 200 keys: more than a stage of them.
func.func @f(%q: tensor<1x2x?x64xf16>, %k: tensor<1x1x200x64xf16>, %v: tensor<1x1x200x64xf16>) -> tensor<1x2x?x64xf32> {
  %o = sparseflow.attention %q, %k, %v {causal} : tensor<1x2x?x64xf16>, tensor<1x1x200x64xf16>, tensor<1x1x200x64xf16> -> tensor<1x2x?x64xf32>
  return %o : tensor<1x2x?x64xf32>
}
