func.func @mm(%x: tensor<?x263xf16>, %w: tensor<71x263xf16>) -> tensor<?x71xf16> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } : tensor<?x263xf16>, tensor<71x263xf16> -> tensor<?x71xf16>
  return %y : tensor<?x71xf16>
}
