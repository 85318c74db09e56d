// A cache grows in place: nothing may read it as it was, and callers see that it
// is updated.
// RUN: sparseflow-opt %s --split-input-file --verify-diagnostics \
// RUN:   --pass-pipeline='builtin.module(func.func(sparseflow-verify-program))'

!cache = tensor<2x2x128x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>
!new = tensor<2x2x1x64xf16>
func.func @good(%c: !cache, %t: !new, %n: tensor<2xi32>) -> !cache {
  %r = sparseflow.cache_append %c, %t at %n by <twn> : !cache, !new, tensor<2xi32>
  return %r : !cache
}

// -----

!cache = tensor<2x2x128x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>
!new = tensor<2x2x1x64xf16>
func.func @lost(%c: !cache, %t: !new, %n: tensor<2xi32>) -> !new {
  // expected-error @+1 {{expected the function to return the cache once, so that its callers see that argument 0 is updated, found 0 returns of it}}
  %r = sparseflow.cache_append %c, %t at %n by <twn> : !cache, !new, tensor<2xi32>
  return %t : !new
}

// -----

!cache = tensor<2x2x128x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>
!new = tensor<2x2x1x64xf16>
func.func @twice(%c: !cache, %t: !new, %n: tensor<2xi32>) -> (!cache, !cache) {
  // expected-error @+1 {{found 2 returns of it}}
  %r = sparseflow.cache_append %c, %t at %n by <twn> : !cache, !new, tensor<2xi32>
  return %r, %r : !cache, !cache
}

// -----

!cache = tensor<2x2x128x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>
!new = tensor<2x2x1x64xf16>
func.func @chained(%c: !cache, %t: !new, %n: tensor<2xi32>, %m: tensor<2xi32>) -> !cache {
  // expected-error @+1 {{expected the function to return the cache once}}
  %r = sparseflow.cache_append %c, %t at %n by <twn> : !cache, !new, tensor<2xi32>
  // expected-error @+1 {{expected a cache that is an argument of the function, which is updated in place; found the result of sparseflow.cache_append; append all tokens at once}}
  %s = sparseflow.cache_append %r, %t at %m by <twn> : !cache, !new, tensor<2xi32>
  return %s : !cache
}

// -----

!cache = tensor<2x2x128x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>
!values = tensor<2x2x128x64xf16, #sparseflow.ternary<value_planes, scale = token : f32>>
!new = tensor<2x2x1x64xf16>
func.func @stale(%c: !cache, %v: !values, %t: !new, %n: tensor<2xi32>, %q: !new) -> (!cache, !new) {
  %r = sparseflow.cache_append %c, %t at %n by <twn> : !cache, !new, tensor<2xi32>
  // expected-error @+1 {{reads argument 0 behind the sparseflow.cache_append that updates it in place; read the result of the update}}
  %o = sparseflow.attention %q, %c, %v : !new, !cache, !values -> !new
  return %r, %o : !cache, !new
}

// -----

!cache = tensor<2x2x128x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>
!new = tensor<2x2x1x64xf16>
func.func @both(%c: !cache, %t: !new, %n: tensor<2xi32>) -> (!cache, !cache) {
  %r = sparseflow.cache_append %c, %t at %n by <twn> : !cache, !new, tensor<2xi32>
  // expected-error @+1 {{reads argument 0 behind}}
  return %r, %c : !cache, !cache
}
