// Decoding with a paged cache of 4 bits: one token of each sequence.
//
//   sparseflow run examples/int4_cache.mlir --dim T=2 --dim T1=9 --dim T2=3 --arg n=N.npy ...
//   (test/Examples/int4-cache.test makes the files)
//
// Queries and keys are rotated by an orthogonal matrix first, such as a Hadamard matrix
// over 8: scores stay what they are, and outliers of a feature are spread over all, so
// that the numbers of a token share a scale at less loss. The new key and value are
// rounded and written into the page that the table names, and the query attends to
// all keys that the sequence has then. Pages are 64 keys of all heads.

!query = tensor<?x8x1x64xf16>
!token = tensor<?x2x1x64xf16>
!keys = tensor<?x2x64x64xf16, #sparseflow.quantized<key_int4, scale = token x 32 : f16>>
!values = tensor<?x2x64x64xf16, #sparseflow.quantized<value_int4, scale = token x 32 : f16>>

// T sequences, T1 pages, T2 pages of a sequence. `n` says how many keys a sequence has
// before the call, `all` behind it.
func.func @decode(%q: !query, %key: !token, %value: !token, %rotation: tensor<64x64xf16>,
                  %keys: !keys, %values: !values, %n: tensor<?xi32>, %all: tensor<?xi32>,
                  %table: tensor<?x?xi32>) -> (!query, !keys, !values) {
  %turned_q = sparseflow.matmul %q, %rotation {
  ^bb0(%sum: f32):
    %out = arith.truncf %sum : f32 to f16
    sparseflow.yield %out : f16
  } : !query, tensor<64x64xf16> -> !query
  %turned_key = sparseflow.matmul %key, %rotation {
  ^bb0(%sum: f32):
    %out = arith.truncf %sum : f32 to f16
    sparseflow.yield %out : f16
  } : !token, tensor<64x64xf16> -> !token
  %more_keys = sparseflow.cache_append %keys, %turned_key at %n
      pages(%table : tensor<?x?xi32>) : !keys, !token, tensor<?xi32>
  %more_values = sparseflow.cache_append %values, %value at %n
      pages(%table : tensor<?x?xi32>) : !values, !token, tensor<?xi32>
  %o = sparseflow.attention %turned_q, %more_keys, %more_values
      lengths(%all : tensor<?xi32>) pages(%table : tensor<?x?xi32>)
      : !query, !keys, !values -> !query
  return %o, %more_keys, %more_values : !query, !keys, !values
}
