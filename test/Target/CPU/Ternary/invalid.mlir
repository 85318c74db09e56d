// RUN: sparseflow-opt %s --allow-unregistered-dialect --sparseflow-cpu-lower-ternary --split-input-file --verify-diagnostics

// Packed weights and caches that something else reads.

#w = #sparseflow.ternary<codes, scale = row : f32>
func.func @weight_elsewhere(%w: tensor<8x64xf16, #w>) -> index {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{cannot read argument 0, which is ternary: expected sparseflow.matmul, unpack or plane_split}}
  %n = "test.read"(%w) : (tensor<8x64xf16, #w>) -> index
  return %n : index
}

// -----

#k = #sparseflow.ternary<key_planes, scale = token : f32>
func.func @computed_cache(%c: i1, %q: tensor<1x4x8x64xf16>, %k: tensor<1x2x64x64xf16, #k>, %l: tensor<1x2x64x64xf16, #k>, %v: tensor<1x2x64x64xf16>) -> tensor<1x4x8x64xf16> {
  %s = arith.select %c, %k, %l : tensor<1x2x64x64xf16, #k>
  // expected-error@+1 {{expected ternary keys and values to be arguments of the function, or what sparseflow.cache_append made of them, found the result of another op; pass the cache as an argument}}
  %o = sparseflow.attention %q, %s, %v {causal} : tensor<1x4x8x64xf16>, tensor<1x2x64x64xf16, #k>, tensor<1x2x64x64xf16> -> tensor<1x4x8x64xf16>
  return %o : tensor<1x4x8x64xf16>
}

// -----

#k = #sparseflow.ternary<key_planes, scale = token : f32>
func.func @cache_elsewhere(%k: tensor<1x2x64x64xf16, #k>) {
  // expected-error@+1 {{cannot read argument 0, which is a ternary cache: expected sparseflow.attention or sparseflow.cache_append}}
  "test.read"(%k) : (tensor<1x2x64x64xf16, #k>) -> ()
  return
}

// -----

#v = #sparseflow.ternary<value_planes, scale = 32 : f16>
func.func @grown_elsewhere(%c: tensor<1x2x64x64xf16, #v>, %t: tensor<1x2x4x64xf16>, %n: tensor<1xi32>) {
  // expected-error@+1 {{expected the function to return the cache once, so that its callers see that argument 0 is updated, found 0 returns of it}}
  %r = sparseflow.cache_append %c, %t at %n by <twn> : tensor<1x2x64x64xf16, #v>, tensor<1x2x4x64xf16>, tensor<1xi32>
  "test.read"(%r) : (tensor<1x2x64x64xf16, #v>) -> ()
  return
}
