// One query of T batch entries on ternary keys and values.
func.func @f(%q: tensor<?x4x1x64xf16>, %k: tensor<?x1x3648x64xf16, #sparseflow.ternary<key_planes, scale = head : f32>>, %v: tensor<?x1x3648x64xf16, #sparseflow.ternary<value_planes, scale = token : f32>>) -> tensor<?x4x1x64xf32> {
  %o = sparseflow.attention %q, %k, %v : tensor<?x4x1x64xf16>, tensor<?x1x3648x64xf16, #sparseflow.ternary<key_planes, scale = head : f32>>, tensor<?x1x3648x64xf16, #sparseflow.ternary<value_planes, scale = token : f32>> -> tensor<?x4x1x64xf32>
  return %o : tensor<?x4x1x64xf32>
}
