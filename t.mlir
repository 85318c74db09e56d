#w = #sparseflow.ternary<codes, scale = row : f32>
func.func @f(%x: tensor<?x?x6144xbf16>, %g: tensor<6144xbf16>, %s: tensor<6144xf32>, %w: tensor<64x6144xf16, #w>) -> (tensor<?x?x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %minus_zero = arith.constant -0.0 : f32
  %k = arith.constant 6144.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %c0 = arith.constant 0 : index
  %d0 = tensor.dim %x, %c0 : tensor<?x?x6144xbf16>
  %c1 = arith.constant 1 : index
  %d1 = tensor.dim %x, %c1 : tensor<?x?x6144xbf16>
  %empty = tensor.empty(%d0, %d1) : tensor<?x?x6144xbf16>
  %sums = tensor.empty(%d0, %d1) : tensor<?x?xf32>
  %none = linalg.fill ins(%zero : f32) outs(%sums : tensor<?x?xf32>) -> tensor<?x?xf32>
  %mean = linalg.generic {
    indexing_maps = [affine_map<(b, t, k) -> (b, t, k)>, affine_map<(b, t, k) -> (b, t)>], iterator_types = ["parallel", "parallel", "reduction"]
  } ins(%x : tensor<?x?x6144xbf16>) outs(%none : tensor<?x?xf32>) {
  ^bb0(%a: bf16, %sum: f32):
    %wide = arith.extf %a : bf16 to f32
    %term = arith.divf %wide, %k : f32
    %next = arith.addf %sum, %term : f32
    linalg.yield %next : f32
  } -> tensor<?x?xf32>
  %squares = linalg.generic {
    indexing_maps = [affine_map<(b, t, k) -> (b, t, k)>, affine_map<(b, t, k) -> (b, t)>, affine_map<(b, t, k) -> (b, t)>], iterator_types = ["parallel", "parallel", "reduction"]
  } ins(%x, %mean : tensor<?x?x6144xbf16>, tensor<?x?xf32>) outs(%none : tensor<?x?xf32>) {
  ^bb0(%a: bf16, %m: f32, %sum: f32):
    %wide = arith.extf %a : bf16 to f32
    %d = arith.subf %wide, %m : f32
    %term = arith.mulf %d, %d : f32
    %next = arith.addf %sum, %term : f32
    linalg.yield %next : f32
  } -> tensor<?x?xf32>
  %norm = linalg.generic {
    indexing_maps = [affine_map<(b, t, k) -> (b, t, k)>, affine_map<(b, t, k) -> (b, t)>, affine_map<(b, t, k) -> (b, t)>, affine_map<(b, t, k) -> (b, t, k)>], iterator_types = ["parallel", "parallel", "parallel"]
  } ins(%x, %squares, %mean : tensor<?x?x6144xbf16>, tensor<?x?xf32>, tensor<?x?xf32>) outs(%empty : tensor<?x?x6144xbf16>) {
  ^bb0(%a: bf16, %sq: f32, %o: f32, %out: bf16):
    %wide = arith.extf %a : bf16 to f32
    %mean_square = arith.divf %sq, %k : f32
    %safe = arith.addf %mean_square, %eps : f32
    %factor = math.rsqrt %safe : f32
    %centred = arith.subf %wide, %o : f32
    %y = arith.mulf %centred, %factor : f32
    %rounded = arith.truncf %y : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<?x?x6144xbf16>
  %tokens = tensor.collapse_shape %norm [[0, 1], [2]] : tensor<?x?x6144xbf16> into tensor<?x6144xbf16>
  %q, %scale = sparseflow.quantize %tokens : tensor<?x6144xbf16> -> tensor<?x6144xi8>, tensor<?xf32>
  %y = sparseflow.matmul %q, %w epilogue(%scale : tensor<?xf32>) as [per_token] {
  ^bb0(%acc: f32, %ts: f32):
    %0 = arith.mulf %acc, %ts : f32
    sparseflow.yield %0 : f32
  } : tensor<?x6144xi8>, tensor<64x6144xf16, #w> -> tensor<?x64xf32>
  %all = tensor.expand_shape %y [[0, 1], [2]] output_shape [%d0, %d1, 64] : tensor<?x64xf32> into tensor<?x?x64xf32>
  return %all : tensor<?x?x64xf32>
}
