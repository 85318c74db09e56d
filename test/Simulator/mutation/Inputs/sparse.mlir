func.func @mm(%x: tensor<?x392xf16>, %w: tensor<104x392xf16, #sparseflow.nm<2:4>>, %b: tensor<104xf16>) -> tensor<?x104xf16> {
  %y = sparseflow.matmul %x, %w
      epilogue(%b : tensor<104xf16>) as [per_feature] {
  ^bb0(%acc: f32, %b_in: f16):
    %0 = arith.extf %b_in : f16 to f32
    %1 = arith.addf %acc, %0 : f32
    %2 = arith.truncf %1 : f32 to f16
    sparseflow.yield %2 : f16
  } : tensor<?x392xf16>, tensor<104x392xf16, #sparseflow.nm<2:4>> -> tensor<?x104xf16>
  return %y : tensor<?x104xf16>
}
