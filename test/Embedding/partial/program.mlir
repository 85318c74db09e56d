#x = affine_map<(t, n, k) -> (t, k)>
#w = affine_map<(t, n, k) -> (n, k)>
#y = affine_map<(t, n, k) -> (t, n)>
#id = affine_map<(t, n) -> (t, n)>

// Two matmuls, and between them an op that is none of SparseFlow's: tokens in
// reverse order.
func.func @model(%x: tensor<?x64xf16>, %v: tensor<64x64xf16>, %w: tensor<32x64xf16>)
    -> tensor<?x32xf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %t = tensor.dim %x, %c0 : tensor<?x64xf16>
  %e0 = tensor.empty(%t) : tensor<?x64xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<?x64xf32>) -> tensor<?x64xf32>
  %p0 = linalg.matmul indexing_maps = [#x, #w, #y]
      ins(%x, %v : tensor<?x64xf16>, tensor<64x64xf16>)
      outs(%z0 : tensor<?x64xf32>) -> tensor<?x64xf32>
  %o0 = tensor.empty(%t) : tensor<?x64xf16>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p0 : tensor<?x64xf32>) outs(%o0 : tensor<?x64xf16>) {
  ^bb0(%a: f32, %unused: f16):
    %0 = arith.truncf %a : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<?x64xf16>
  %last = arith.subi %t, %c1 : index
  %r = tensor.generate %t {
  ^bb0(%i: index, %j: index):
    %k = arith.subi %last, %i : index
    %value = tensor.extract %h[%k, %j] : tensor<?x64xf16>
    tensor.yield %value : f16
  } : tensor<?x64xf16>
  %e1 = tensor.empty(%t) : tensor<?x32xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<?x32xf32>) -> tensor<?x32xf32>
  %p1 = linalg.matmul indexing_maps = [#x, #w, #y]
      ins(%r, %w : tensor<?x64xf16>, tensor<32x64xf16>)
      outs(%z1 : tensor<?x32xf32>) -> tensor<?x32xf32>
  %o1 = tensor.empty(%t) : tensor<?x32xf16>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p1 : tensor<?x32xf32>) outs(%o1 : tensor<?x32xf16>) {
  ^bb0(%a: f32, %unused: f16):
    %0 = arith.truncf %a : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<?x32xf16>
  return %y : tensor<?x32xf16>
}
