// The feed-forward block of a transformer with 2:4 sparse weights:
//
//   h = gelu(x * w1^T + b1)
//   y = h * w2^T + b2 + x
//
// T (the `?`) is chosen at run time. Each region is an epilogue: scalar
// arithmetic that the kernel applies to its accumulators before it stores them.
//
//   sparseflow run examples/ffn.mlir --device auto --check
//   sparseflow compile examples/ffn.mlir --target sm_90 --emit ptx -o ffn.ptx

func.func @ffn(%x: tensor<?x384xf16>,
               %w1: tensor<1536x384xf16, #sparseflow.nm<2:4>>,
               %b1: tensor<1536xf16>,
               %w2: tensor<384x1536xf16, #sparseflow.nm<2:4>>,
               %b2: tensor<384xf16>) -> tensor<?x384xf16> {
  %h = sparseflow.matmul %x, %w1
      epilogue(%b1 : tensor<1536xf16>) as [per_feature] {
  ^bb0(%acc: f32, %bias: f16):
    %half = arith.constant 0.5 : f32
    %one = arith.constant 1.0 : f32
    %rsqrt2 = arith.constant 0.707106781 : f32
    %bias32 = arith.extf %bias : f16 to f32
    %v = arith.addf %acc, %bias32 : f32
    %scaled = arith.mulf %v, %rsqrt2 : f32
    %erf = math.erf %scaled : f32
    %cdf2 = arith.addf %erf, %one : f32
    %v_half = arith.mulf %v, %half : f32
    %gelu = arith.mulf %v_half, %cdf2 : f32
    %out = arith.truncf %gelu : f32 to f16
    sparseflow.yield %out : f16
  } : tensor<?x384xf16>, tensor<1536x384xf16, #sparseflow.nm<2:4>>
      -> tensor<?x1536xf16>

  %y = sparseflow.matmul %h, %w2
      epilogue(%b2, %x : tensor<384xf16>, tensor<?x384xf16>)
      as [per_feature, full] {
  ^bb0(%acc: f32, %bias: f16, %residual: f16):
    %bias32 = arith.extf %bias : f16 to f32
    %residual32 = arith.extf %residual : f16 to f32
    %biased = arith.addf %acc, %bias32 : f32
    %sum = arith.addf %biased, %residual32 : f32
    %out = arith.truncf %sum : f32 to f16
    sparseflow.yield %out : f16
  } : tensor<?x1536xf16>, tensor<384x1536xf16, #sparseflow.nm<2:4>>
      -> tensor<?x384xf16>
  return %y : tensor<?x384xf16>
}
