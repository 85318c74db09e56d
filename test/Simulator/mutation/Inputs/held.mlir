// A block quantizes its tokens, and multiplies three tiles of features by them.
func.func @f(%x: tensor<?x384xf16>, %w: tensor<192x384xf16, #sparseflow.ternary<codes, scale = row : f32>>) -> tensor<?x192xf32> {
  %q, %s = sparseflow.quantize %x : tensor<?x384xf16> -> tensor<?x384xi8>, tensor<?xf32>
  %y = sparseflow.matmul %q, %w epilogue(%s : tensor<?xf32>) as [per_token] {
  ^bb0(%acc: f32, %scale: f32):
    %0 = arith.mulf %acc, %scale : f32
    sparseflow.yield %0 : f32
  } : tensor<?x384xi8>, tensor<192x384xf16, #sparseflow.ternary<codes, scale = row : f32>> -> tensor<?x192xf32>
  return %y : tensor<?x192xf32>
}
