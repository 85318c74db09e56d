!q = tensor<?x8x1x64xf16>
!k = tensor<?x2x?x64xf16, #sparseflow.ternary<key_planes, scale = head : f32>>
!v = tensor<?x2x?x64xf16, #sparseflow.ternary<value_planes, scale = token : f32>>
func.func @step(%q: !q {sparseflow.name = "q"}, %k: !k, %v: !v) -> !q {
  %o = sparseflow.attention %q, %k, %v : !q, !k, !v -> !q
  return %o : !q
}
