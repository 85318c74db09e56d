func.func @mm(%x: tensor<?x328xbf16>, %w: tensor<136x328xbf16, #sparseflow.nm<2:4>>) -> tensor<?x136xbf16> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %c0 = arith.constant 0.0 : f32
    %0 = arith.maximumf %acc, %c0 : f32
    %1 = arith.truncf %0 : f32 to bf16
    sparseflow.yield %1 : bf16
  } : tensor<?x328xbf16>, tensor<136x328xbf16, #sparseflow.nm<2:4>> -> tensor<?x136xbf16>
  return %y : tensor<?x136xbf16>
}
