// The example of the README.
//
//   sparseflow run examples/layer.mlir --dim T=64 --check

// y = relu(x * w^T + b): keep 2 of every 4 weights along K.
func.func @layer(%x: tensor<?x384xf16>,
                 %w: tensor<1536x384xf16, #sparseflow.nm<2:4>>,
                 %b: tensor<1536xf16>) -> tensor<?x1536xf16> {
  %y = sparseflow.matmul %x, %w
      epilogue(%b : tensor<1536xf16>) as [per_feature] {
  ^bb0(%acc: f32, %bias: f16):
    %zero = arith.constant 0.0 : f32
    %bias32 = arith.extf %bias : f16 to f32
    %sum = arith.addf %acc, %bias32 : f32
    %relu = arith.maximumf %sum, %zero : f32
    %out = arith.truncf %relu : f32 to f16
    sparseflow.yield %out : f16
  } : tensor<?x384xf16>, tensor<1536x384xf16, #sparseflow.nm<2:4>>
      -> tensor<?x1536xf16>
  return %y : tensor<?x1536xf16>
}
