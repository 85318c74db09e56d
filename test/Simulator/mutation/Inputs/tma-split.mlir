func.func @mm(%x: tensor<?x712xbf16>, %w: tensor<72x712xbf16>) -> tensor<?x72xbf16> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to bf16
    sparseflow.yield %0 : bf16
  } : tensor<?x712xbf16>, tensor<72x712xbf16> -> tensor<?x72xbf16>
  return %y : tensor<?x72xbf16>
}
