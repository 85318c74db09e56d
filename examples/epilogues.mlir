// An epilogue is a region of scalar arithmetic, not a name from a list: each
// function here fuses a different one into the store of its kernel.
//
//   sparseflow run examples/epilogues.mlir --entry silu_gate --dim T=64 --check
//
// How an operand meets the result [T, N] is its broadcast: `per_feature` is a
// vector [N], `per_token` a vector [T], `full` a matrix [T, N], `scalar` one
// number.

// Squared ReLU with a bias.
func.func @squared_relu(%x: tensor<?x256xf16>,
                        %w: tensor<512x256xf16, #sparseflow.nm<2:4>>,
                        %b: tensor<512xf32>) -> tensor<?x512xf16> {
  %y = sparseflow.matmul %x, %w
      epilogue(%b : tensor<512xf32>) as [per_feature] {
  ^bb0(%acc: f32, %bias: f32):
    %zero = arith.constant 0.0 : f32
    %0 = arith.addf %acc, %bias : f32
    %1 = arith.maximumf %0, %zero : f32
    %2 = arith.mulf %1, %1 : f32
    %3 = arith.truncf %2 : f32 to f16
    sparseflow.yield %3 : f16
  } : tensor<?x256xf16>, tensor<512x256xf16, #sparseflow.nm<2:4>>
      -> tensor<?x512xf16>
  return %y : tensor<?x512xf16>
}

// GELU by the tanh approximation.
func.func @gelu_tanh(%x: tensor<?x256xf16>,
                     %w: tensor<512x256xf16, #sparseflow.nm<2:4>>)
    -> tensor<?x512xf16> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %half = arith.constant 0.5 : f32
    %one = arith.constant 1.0 : f32
    %cubic = arith.constant 0.044715 : f32
    %sqrt_2_over_pi = arith.constant 0.797884561 : f32
    %0 = arith.mulf %acc, %acc : f32
    %1 = arith.mulf %0, %cubic : f32
    %2 = arith.addf %1, %one : f32
    %3 = arith.mulf %2, %acc : f32
    %4 = arith.mulf %3, %sqrt_2_over_pi : f32
    %5 = math.tanh %4 : f32
    %6 = arith.addf %5, %one : f32
    %7 = arith.mulf %acc, %half : f32
    %8 = arith.mulf %6, %7 : f32
    %9 = arith.truncf %8 : f32 to f16
    sparseflow.yield %9 : f16
  } : tensor<?x256xf16>, tensor<512x256xf16, #sparseflow.nm<2:4>>
      -> tensor<?x512xf16>
  return %y : tensor<?x512xf16>
}

// A gated unit: silu(x * w^T) times a gate that another product made, in bf16.
func.func @silu_gate(%x: tensor<?x256xbf16>,
                     %w: tensor<512x256xbf16, #sparseflow.nm<2:4>>,
                     %gate: tensor<?x512xbf16>) -> tensor<?x512xbf16> {
  %y = sparseflow.matmul %x, %w
      epilogue(%gate : tensor<?x512xbf16>) as [full] {
  ^bb0(%acc: f32, %g: bf16):
    %one = arith.constant 1.0 : f32
    %0 = arith.negf %acc : f32
    %1 = math.exp %0 : f32
    %2 = arith.addf %1, %one : f32
    %3 = arith.divf %acc, %2 : f32
    %4 = arith.extf %g : bf16 to f32
    %5 = arith.mulf %3, %4 : f32
    %6 = arith.truncf %5 : f32 to bf16
    sparseflow.yield %6 : bf16
  } : tensor<?x256xbf16>, tensor<512x256xbf16, #sparseflow.nm<2:4>>
      -> tensor<?x512xbf16>
  return %y : tensor<?x512xbf16>
}

// Scales: one a token, one for the whole tensor; the result stays in f32.
func.func @scaled(%x: tensor<?x256xf16>,
                  %w: tensor<512x256xf16, #sparseflow.nm<2:4>>,
                  %token_scale: tensor<?xf32>, %scale: tensor<f32>)
    -> tensor<?x512xf32> {
  %y = sparseflow.matmul %x, %w
      epilogue(%token_scale, %scale : tensor<?xf32>, tensor<f32>)
      as [per_token, scalar] {
  ^bb0(%acc: f32, %ts: f32, %s: f32):
    %0 = arith.mulf %acc, %ts : f32
    %1 = arith.mulf %0, %s : f32
    sparseflow.yield %1 : f32
  } : tensor<?x256xf16>, tensor<512x256xf16, #sparseflow.nm<2:4>>
      -> tensor<?x512xf32>
  return %y : tensor<?x512xf32>
}

// A dense weight in the same op: sparsity is a property of the type.
func.func @dense_residual(%x: tensor<?x256xf16>, %w: tensor<256x256xf16>)
    -> tensor<?x256xf16> {
  %y = sparseflow.matmul %x, %w
      epilogue(%x : tensor<?x256xf16>) as [full] {
  ^bb0(%acc: f32, %residual: f16):
    %0 = arith.extf %residual : f16 to f32
    %1 = arith.addf %acc, %0 : f32
    %2 = arith.truncf %1 : f32 to f16
    sparseflow.yield %2 : f16
  } : tensor<?x256xf16>, tensor<256x256xf16> -> tensor<?x256xf16>
  return %y : tensor<?x256xf16>
}
