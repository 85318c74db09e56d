func.func @mm(%x: tensor<?x1032xf16>, %w: tensor<104x1032xf16, #sparseflow.nm<2:4>>) -> tensor<?x104xf16> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } : tensor<?x1032xf16>, tensor<104x1032xf16, #sparseflow.nm<2:4>> -> tensor<?x104xf16>
  return %y : tensor<?x104xf16>
}
