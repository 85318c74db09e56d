// A feed-forward layer in three types: what sparseflow-lower-to-linalg makes.
#a = affine_map<(t, n, k) -> (t, k)>
#b = affine_map<(t, n, k) -> (n, k)>
#c = affine_map<(t, n, k) -> (t, n)>
#id = affine_map<(t, n) -> (t, n)>
#feature = affine_map<(t, n) -> (n)>

func.func @f16(%x: tensor<?x64xf16>, %w: tensor<96x64xf16>, %bias: tensor<96xf16>) -> tensor<?x96xf16> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %t = tensor.dim %x, %c0 : tensor<?x64xf16>
  %e = tensor.empty(%t) : tensor<?x96xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x96xf32>) -> tensor<?x96xf32>
  %s = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<?x64xf16>, tensor<96x64xf16>) outs(%z : tensor<?x96xf32>) {
  ^bb0(%p: f16, %q: f16, %acc: f32):
    %0 = arith.extf %p : f16 to f32
    %1 = arith.extf %q : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %acc, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<?x96xf32>
  %o = tensor.empty(%t) : tensor<?x96xf16>
  %y = linalg.generic {indexing_maps = [#id, #feature, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s, %bias : tensor<?x96xf32>, tensor<96xf16>) outs(%o : tensor<?x96xf16>) {
  ^bb0(%a: f32, %b: f16, %out: f16):
    %0 = arith.extf %b : f16 to f32
    %1 = arith.addf %a, %0 : f32
    %2 = math.erf %1 : f32
    %3 = arith.addf %2, %one : f32
    %4 = arith.mulf %1, %half : f32
    %5 = arith.mulf %4, %3 : f32
    %6 = arith.truncf %5 : f32 to f16
    linalg.yield %6 : f16
  } -> tensor<?x96xf16>
  return %y : tensor<?x96xf16>
}

func.func @bf16(%x: tensor<?x64xbf16>, %w: tensor<96x64xbf16>, %r: tensor<?x96xbf16>) -> tensor<?x96xbf16> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %t = tensor.dim %x, %c0 : tensor<?x64xbf16>
  %e = tensor.empty(%t) : tensor<?x96xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x96xf32>) -> tensor<?x96xf32>
  %s = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<?x64xbf16>, tensor<96x64xbf16>) outs(%z : tensor<?x96xf32>) {
  ^bb0(%p: bf16, %q: bf16, %acc: f32):
    %0 = arith.extf %p : bf16 to f32
    %1 = arith.extf %q : bf16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %acc, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<?x96xf32>
  %o = tensor.empty(%t) : tensor<?x96xbf16>
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s, %r : tensor<?x96xf32>, tensor<?x96xbf16>) outs(%o : tensor<?x96xbf16>) {
  ^bb0(%a: f32, %b: bf16, %out: bf16):
    %0 = arith.truncf %a : f32 to bf16
    // Arithmetic on the narrow type itself.
    %1 = arith.addf %0, %b : bf16
    %2 = math.exp %1 : bf16
    linalg.yield %2 : bf16
  } -> tensor<?x96xbf16>
  return %y : tensor<?x96xbf16>
}

func.func @scalars(%x: tensor<?x9xf16>, %init: tensor<9xf16>) -> tensor<9xf16> {
  // A reduction over rows has no vector form here: scalar loops, scalar f16.
  %y = linalg.reduce ins(%x : tensor<?x9xf16>) outs(%init : tensor<9xf16>) dimensions = [0]
    (%a: f16, %b: f16) {
      %0 = arith.maximumf %a, %b : f16
      %1 = math.log %0 : f16
      linalg.yield %1 : f16
    }
  return %y : tensor<9xf16>
}
