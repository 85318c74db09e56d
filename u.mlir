#w = #sparseflow.ternary<codes, scale = row : f32>
func.func @f(%x: tensor<?x6144xbf16>, %g: tensor<6144xbf16>, %s: tensor<6144xf32>, %w: tensor<64x6144xf16, #w>) -> (tensor<?x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %minus_zero = arith.constant -0.0 : f32
  %k = arith.constant 6144.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %c0 = arith.constant 0 : index
  %d0 = tensor.dim %x, %c0 : tensor<?x6144xbf16>
  %empty = tensor.empty(%d0) : tensor<?x6144xbf16>
  %sums = tensor.empty(%d0) : tensor<?xf32>
  %none = linalg.fill ins(%zero : f32) outs(%sums : tensor<?xf32>) -> tensor<?xf32>
  %squares = linalg.generic {
    indexing_maps = [affine_map<(t, k) -> (t, k)>, affine_map<(t, k) -> (t)>], iterator_types = ["parallel", "reduction"]
  } ins(%x : tensor<?x6144xbf16>) outs(%none : tensor<?xf32>) {
  ^bb0(%a: bf16, %sum: f32):
    %wide = arith.extf %a : bf16 to f32
    %term = arith.mulf %wide, %wide : f32
    %next = arith.addf %sum, %term : f32
    linalg.yield %next : f32
  } -> tensor<?xf32>
  %norm = linalg.generic {
    indexing_maps = [affine_map<(t, k) -> (t, k)>, affine_map<(t, k) -> (t)>, affine_map<(t, k) -> (k)>, affine_map<(t, k) -> (t, k)>], iterator_types = ["parallel", "parallel"]
  } ins(%x, %squares, %g : tensor<?x6144xbf16>, tensor<?xf32>, tensor<6144xbf16>) outs(%empty : tensor<?x6144xbf16>) {
  ^bb0(%a: bf16, %sq: f32, %o: bf16, %out: bf16):
    %wide = arith.extf %a : bf16 to f32
    %mean_square = arith.divf %sq, %k : f32
    %safe = arith.addf %mean_square, %eps : f32
    %factor = math.rsqrt %safe : f32
    %gain = arith.extf %o : bf16 to f32
    %scaled = arith.mulf %wide, %factor : f32
    %y = arith.mulf %scaled, %gain : f32
    %rounded = arith.truncf %y : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<?x6144xbf16>
  %r = sparseflow.hadamard %norm signs(%s : tensor<6144xf32>) block 2048 : tensor<?x6144xbf16>
  %q, %scale = sparseflow.quantize %r : tensor<?x6144xbf16> -> tensor<?x6144xi8>, tensor<?xf32>
  %y = sparseflow.matmul %q, %w epilogue(%scale : tensor<?xf32>) as [per_token] {
  ^bb0(%acc: f32, %ts: f32):
    %0 = arith.mulf %acc, %ts : f32
    sparseflow.yield %0 : f32
  } : tensor<?x6144xi8>, tensor<64x6144xf16, #w> -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}
