// A two-layer perceptron as a front end writes it: linalg on dense tensors,
// nothing of SparseFlow in it. Front ends have no way to say "2:4", so the
// command line does; the mark follows the argument into the product:
//
//   sparseflow run examples/linalg_mlp.mlir --sparse w1=2:4 --sparse w2=2:4 \
//     --device auto --check
//
// Without the marks the same file compiles to dense kernels.

#activations = affine_map<(t, n, k) -> (t, k)>
#weights = affine_map<(t, n, k) -> (n, k)>
#product = affine_map<(t, n, k) -> (t, n)>
#element = affine_map<(t, n) -> (t, n)>
#feature = affine_map<(t, n) -> (n)>

func.func @mlp(%x: tensor<?x256xf16>, %w1: tensor<512x256xf16>,
               %b1: tensor<512xf32>, %w2: tensor<128x512xf16>)
    -> tensor<?x128xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %t = tensor.dim %x, %c0 : tensor<?x256xf16>

  // h = relu(x * w1^T + b1), rounded to f16 for the second product.
  %e0 = tensor.empty(%t) : tensor<?x512xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<?x512xf32>)
      -> tensor<?x512xf32>
  %p0 = linalg.matmul indexing_maps = [#activations, #weights, #product]
      ins(%x, %w1 : tensor<?x256xf16>, tensor<512x256xf16>)
      outs(%z0 : tensor<?x512xf32>) -> tensor<?x512xf32>
  %e1 = tensor.empty(%t) : tensor<?x512xf16>
  %h = linalg.generic {indexing_maps = [#element, #feature, #element],
                       iterator_types = ["parallel", "parallel"]}
      ins(%p0, %b1 : tensor<?x512xf32>, tensor<512xf32>)
      outs(%e1 : tensor<?x512xf16>) {
  ^bb0(%acc: f32, %bias: f32, %unused: f16):
    %zero_ = arith.constant 0.0 : f32
    %0 = arith.addf %acc, %bias : f32
    %1 = arith.maximumf %0, %zero_ : f32
    %2 = arith.truncf %1 : f32 to f16
    linalg.yield %2 : f16
  } -> tensor<?x512xf16>

  // y = h * w2^T
  %e2 = tensor.empty(%t) : tensor<?x128xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<?x128xf32>)
      -> tensor<?x128xf32>
  %y = linalg.matmul indexing_maps = [#activations, #weights, #product]
      ins(%h, %w2 : tensor<?x512xf16>, tensor<128x512xf16>)
      outs(%z2 : tensor<?x128xf32>) -> tensor<?x128xf32>
  return %y : tensor<?x128xf32>
}
