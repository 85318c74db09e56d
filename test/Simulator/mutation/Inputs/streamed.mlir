// Ternary weights that stream from L2 past shared memory, 16-bit activations.
func.func @f(%x: tensor<?x2048xf16>, %w: tensor<32x2048xf16, #sparseflow.ternary<codes, scale = row : f32>>) -> tensor<?x32xf32> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<?x2048xf16>, tensor<32x2048xf16, #sparseflow.ternary<codes, scale = row : f32>> -> tensor<?x32xf32>
  return %y : tensor<?x32xf32>
}
