func.func @mm(%x: tensor<?x360xf16>, %w: tensor<136x360xf16, #sparseflow.nm<2:4>>, %b: tensor<136xf16>) -> tensor<?x136xf16> {
  %y = sparseflow.matmul %x, %w
      epilogue(%b : tensor<136xf16>) as [per_feature] {
  ^bb0(%acc: f32, %b_in: f16):
    %0 = arith.extf %b_in : f16 to f32
    %1 = arith.addf %acc, %0 : f32
    %2 = arith.truncf %1 : f32 to f16
    sparseflow.yield %2 : f16
  } : tensor<?x360xf16>, tensor<136x360xf16, #sparseflow.nm<2:4>> -> tensor<?x136xf16>
  return %y : tensor<?x136xf16>
}
