func.func @mm(%x: tensor<?x328xbf16>, %w: tensor<72x328xbf16>, %r: tensor<?x72xbf16>) -> tensor<?x72xbf16> {
  %y = sparseflow.matmul %x, %w
      epilogue(%r : tensor<?x72xbf16>) as [full] {
  ^bb0(%acc: f32, %r_in: bf16):
    %0 = arith.extf %r_in : bf16 to f32
    %1 = arith.addf %acc, %0 : f32
    %2 = arith.truncf %1 : f32 to bf16
    sparseflow.yield %2 : bf16
  } : tensor<?x328xbf16>, tensor<72x328xbf16> -> tensor<?x72xbf16>
  return %y : tensor<?x72xbf16>
}
