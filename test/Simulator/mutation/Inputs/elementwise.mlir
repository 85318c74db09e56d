#full = affine_map<(t, n) -> (t, n)>
#feature = affine_map<(t, n) -> (n)>
func.func @mm(%x: tensor<?x97xf16>, %b: tensor<97xf16>) -> tensor<?x97xf16> {
  %c0 = arith.constant 0 : index
  %tokens = tensor.dim %x, %c0 : tensor<?x97xf16>
  %empty = tensor.empty(%tokens) : tensor<?x97xf16>
  %y = linalg.generic {indexing_maps = [#full, #feature, #full],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %b : tensor<?x97xf16>, tensor<97xf16>)
      outs(%empty : tensor<?x97xf16>) {
  ^bb0(%x_: f16, %b_: f16, %y_: f16):
    %0 = arith.extf %x_ : f16 to f32
    %1 = arith.extf %b_ : f16 to f32
    %2 = math.tanh %0 : f32
    %3 = arith.addf %2, %1 : f32
    %4 = arith.truncf %3 : f32 to f16
    linalg.yield %4 : f16
  } -> tensor<?x97xf16>
  return %y : tensor<?x97xf16>
}
