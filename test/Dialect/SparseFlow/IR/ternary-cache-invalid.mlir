// RUN: sparseflow-opt %s --split-input-file --verify-diagnostics

// Ternary values with full keys.
func.func @f(%q: tensor<?x4x?x64xf16>, %k: tensor<?x2x?x64xf16>, %v: tensor<?x2x?x64xf16, #sparseflow.ternary<value_planes, scale = 32 : f16>>) -> tensor<?x4x?x64xf16> {
  // expected-error @+1 {{expected ternary keys where the values are ternary, found k}}
  %o = sparseflow.attention %q, %k, %v {causal} : tensor<?x4x?x64xf16>, tensor<?x2x?x64xf16>, tensor<?x2x?x64xf16, #sparseflow.ternary<value_planes, scale = 32 : f16>> -> tensor<?x4x?x64xf16>
  return %o : tensor<?x4x?x64xf16>
}

// -----

// Keys packed as values.
func.func @f(%q: tensor<?x4x?x64xf16>, %k: tensor<?x2x?x64xf16, #sparseflow.ternary<value_planes, scale = 32 : f16>>, %v: tensor<?x2x?x64xf16>) -> tensor<?x4x?x64xf16> {
  // expected-error @+1 {{expected ternary keys with the storage key_planes, found #sparseflow.ternary<value_planes, scale = 32 : f16>: matmuls with keys add up features, so a word holds features of one key; exchange the two}}
  %o = sparseflow.attention %q, %k, %v {causal} : tensor<?x4x?x64xf16>, tensor<?x2x?x64xf16, #sparseflow.ternary<value_planes, scale = 32 : f16>>, tensor<?x2x?x64xf16> -> tensor<?x4x?x64xf16>
  return %o : tensor<?x4x?x64xf16>
}

// -----

// Values packed as keys.
func.func @f(%q: tensor<?x4x?x64xf16>, %k: tensor<?x2x?x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>, %v: tensor<?x2x?x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>) -> tensor<?x4x?x64xf16> {
  // expected-error @+1 {{expected ternary values with the storage value_planes}}
  %o = sparseflow.attention %q, %k, %v {causal} : tensor<?x4x?x64xf16>, tensor<?x2x?x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>, tensor<?x2x?x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>> -> tensor<?x4x?x64xf16>
  return %o : tensor<?x4x?x64xf16>
}

// -----

// Masking planes is no mask.
func.func @f(%q: tensor<?x4x?x64xf16>, %k: tensor<?x2x?x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>, %v: tensor<?x2x?x64xf16, #sparseflow.ternary<value_planes, scale = 32 : f16>>) -> tensor<?x4x?x64xf16> {
  // expected-error @+1 {{masks planes, but excludes no key: a key whose planes are cleared has the score 0, not -inf, so it stays in the maximum and the sum of the softmax}}
  %o = sparseflow.attention %q, %k, %v {plane_mask = 64 : i64} : tensor<?x4x?x64xf16>, tensor<?x2x?x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>, tensor<?x2x?x64xf16, #sparseflow.ternary<value_planes, scale = 32 : f16>> -> tensor<?x4x?x64xf16>
  return %o : tensor<?x4x?x64xf16>
}

// -----

// The same with ternary keys alone.
func.func @f(%q: tensor<?x4x?x64xf16>, %k: tensor<?x2x?x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>, %v: tensor<?x2x?x64xf16>) -> tensor<?x4x?x64xf16> {
  // expected-error @+1 {{expected causal, a window or lengths, which leave it out, found none}}
  %o = sparseflow.attention %q, %k, %v {plane_mask = 32 : i64} : tensor<?x4x?x64xf16>, tensor<?x2x?x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>, tensor<?x2x?x64xf16> -> tensor<?x4x?x64xf16>
  return %o : tensor<?x4x?x64xf16>
}

// -----

// Full keys have no planes.
func.func @f(%q: tensor<?x4x?x64xf16>, %k: tensor<?x2x?x64xf16>, %v: tensor<?x2x?x64xf16>) -> tensor<?x4x?x64xf16> {
  // expected-error @+1 {{expected ternary keys with plane_mask}}
  %o = sparseflow.attention %q, %k, %v {causal, plane_mask = 64 : i64} : tensor<?x4x?x64xf16>, tensor<?x2x?x64xf16>, tensor<?x2x?x64xf16> -> tensor<?x4x?x64xf16>
  return %o : tensor<?x4x?x64xf16>
}

// -----

// A word of 16 keys.
func.func @f(%q: tensor<?x4x?x64xf16>, %k: tensor<?x2x?x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>, %v: tensor<?x2x?x64xf16, #sparseflow.ternary<value_planes, scale = 32 : f16>>) -> tensor<?x4x?x64xf16> {
  // expected-error @+1 {{expected a plane_mask of words of 32 or 64 keys, found 16}}
  %o = sparseflow.attention %q, %k, %v {causal, plane_mask = 16 : i64} : tensor<?x4x?x64xf16>, tensor<?x2x?x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>, tensor<?x2x?x64xf16, #sparseflow.ternary<value_planes, scale = 32 : f16>> -> tensor<?x4x?x64xf16>
  return %o : tensor<?x4x?x64xf16>
}

// -----

// A word of no keys.
func.func @f(%q: tensor<?x4x?x64xf16>, %k: tensor<?x2x?x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>, %v: tensor<?x2x?x64xf16, #sparseflow.ternary<value_planes, scale = 32 : f16>>) -> tensor<?x4x?x64xf16> {
  // expected-error @+1 {{expected a plane_mask of words of 32 or 64 keys, found 0}}
  %o = sparseflow.attention %q, %k, %v {causal, plane_mask = 0 : i64} : tensor<?x4x?x64xf16>, tensor<?x2x?x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>, tensor<?x2x?x64xf16, #sparseflow.ternary<value_planes, scale = 32 : f16>> -> tensor<?x4x?x64xf16>
  return %o : tensor<?x4x?x64xf16>
}

// -----

// Pages belong to a head.
func.func @f(%q: tensor<?x?x64x64xf16>, %k: tensor<?x64x64x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>, %v: tensor<?x64x64x64xf16>) -> tensor<?x?x64x64xf16> {
  // expected-error @+1 {{expected the layout bhsd with ternary keys, whose pages belong to a head, found bshd}}
  %o = sparseflow.attention %q, %k, %v {layout = #sparseflow.attention_layout<bshd>} : tensor<?x?x64x64xf16>, tensor<?x64x64x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>, tensor<?x64x64x64xf16> -> tensor<?x?x64x64xf16>
  return %o : tensor<?x?x64x64xf16>
}

// -----

// Ternary queries.
func.func @f(%q: tensor<?x4x?x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>, %k: tensor<?x2x?x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>, %v: tensor<?x2x?x64xf16, #sparseflow.ternary<value_planes, scale = 32 : f16>>) -> tensor<?x4x?x64xf16> {
  // expected-error @+1 {{expected q to have no encoding}}
  %o = sparseflow.attention %q, %k, %v {causal} : tensor<?x4x?x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>, tensor<?x2x?x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>, tensor<?x2x?x64xf16, #sparseflow.ternary<value_planes, scale = 32 : f16>> -> tensor<?x4x?x64xf16>
  return %o : tensor<?x4x?x64xf16>
}

// -----

// Values of another type.
func.func @f(%q: tensor<?x4x?x64xf16>, %k: tensor<?x2x?x64xbf16, #sparseflow.ternary<key_planes, scale = token : f32>>, %v: tensor<?x2x?x64xf16, #sparseflow.ternary<value_planes, scale = 32 : f16>>) -> tensor<?x4x?x64xf16> {
  // expected-error @+1 {{expected q, k and v to have one element type}}
  %o = sparseflow.attention %q, %k, %v {causal} : tensor<?x4x?x64xf16>, tensor<?x2x?x64xbf16, #sparseflow.ternary<key_planes, scale = token : f32>>, tensor<?x2x?x64xf16, #sparseflow.ternary<value_planes, scale = 32 : f16>> -> tensor<?x4x?x64xf16>
  return %o : tensor<?x4x?x64xf16>
}

// -----

// Other sizes.
func.func @f(%q: tensor<?x4x?x64xf16>, %k: tensor<?x2x?x128xf16, #sparseflow.ternary<key_planes, scale = token : f32>>, %v: tensor<?x2x?x64xf16, #sparseflow.ternary<value_planes, scale = 32 : f16>>) -> tensor<?x4x?x64xf16> {
  // expected-error @+1 {{expected q and k to have the same number of features D, found 64 and 128}}
  %o = sparseflow.attention %q, %k, %v {causal} : tensor<?x4x?x64xf16>, tensor<?x2x?x128xf16, #sparseflow.ternary<key_planes, scale = token : f32>>, tensor<?x2x?x64xf16, #sparseflow.ternary<value_planes, scale = 32 : f16>> -> tensor<?x4x?x64xf16>
  return %o : tensor<?x4x?x64xf16>
}

// -----

// A cache has rank 4.
// expected-error @+1 {{on a cache [B, G, S, D] of rank 4, found rank 3}}
func.func private @f(tensor<2x64x64xf16, #sparseflow.ternary<key_planes, scale = head : f32>>)

// -----

// Pages are whole.
// expected-error @+1 {{expected room for a multiple of 64 positions under}}
func.func private @f(tensor<1x1x100x64xf16, #sparseflow.ternary<key_planes, scale = head : f32>>)

// -----

// Heads are static.
// expected-error @+1 {{expected a static number of heads G and a positive one of features D}}
func.func private @f(tensor<1x?x64x64xf16, #sparseflow.ternary<key_planes, scale = head : f32>>)

// -----

// Features are static.
// expected-error @+1 {{only B and S may be dynamic}}
func.func private @f(tensor<1x1x64x?xf16, #sparseflow.ternary<value_planes, scale = head : f32>>)

// -----

// A cache of f32.
// expected-error @+1 {{expected f16 or bf16 elements under}}
func.func private @f(tensor<1x1x64x64xf32, #sparseflow.ternary<key_planes, scale = head : f32>>)

// -----

// A cache has no rows.
// expected-error @+1 {{expected the scale of a cache for a 'head', a 'token', or 32, 64, 128 or 256 features of a head, found 'row'}}
func.func private @f(tensor<1x1x64x64xf16, #sparseflow.ternary<key_planes, scale = row : f32>>)

// -----

// A cache is no tensor of one scale.
// expected-error @+1 {{found 'tensor': weights have rows, caches have tokens}}
func.func private @f(tensor<1x1x64x64xf16, #sparseflow.ternary<value_planes, scale = tensor : f32>>)

// -----

// Weights have no tokens.
// expected-error @+1 {{found 'token': only caches have heads and tokens}}
func.func private @f(tensor<64x64xf16, #sparseflow.ternary<codes, scale = token : f32>>)

// -----

// Weights have no heads.
// expected-error @+1 {{found 'head': only caches}}
func.func private @f(tensor<64x64xf16, #sparseflow.ternary<codes, scale = head : f32>>)

// -----

// One plane.
// expected-error @+1 {{expected one plane under key_planes, found 2}}
func.func private @f(tensor<1x1x64x64xf16, #sparseflow.ternary<key_planes, scale = head : f32, planes = 2>>)

// -----

// A group of 48.
// expected-error @+1 {{found 48}}
func.func private @f(tensor<1x1x64x64xf16, #sparseflow.ternary<key_planes, scale = 48 : f32>>)

// -----

// Scales of i8.
// expected-error @+1 {{expected scales of type f16, bf16 or f32}}
func.func private @f(tensor<1x1x64x64xf16, #sparseflow.ternary<key_planes, scale = head : i8>>)

// -----

// A dense cache has no method.
func.func @f(%c: tensor<?x2x?x64xf16>, %t: tensor<?x2x?x64xf16>, %n: tensor<?xi32>) {
  // expected-error @+1 {{expected no method, since a dense cache takes tokens as they are, found twn}}
  %r = sparseflow.cache_append %c, %t at %n by <twn> : tensor<?x2x?x64xf16>, tensor<?x2x?x64xf16>, tensor<?xi32>
  return
}

// -----

// A weight.
func.func @f(%c: tensor<64x64xf16, #sparseflow.ternary<codes, scale = row : f32>>, %t: tensor<?x2x?x64xf16>, %n: tensor<?xi32>) {
  // expected-error @+1 {{expected a cache [B, G, S, D]}}
  %r = sparseflow.cache_append %c, %t at %n by <twn> : tensor<64x64xf16, #sparseflow.ternary<codes, scale = row : f32>>, tensor<?x2x?x64xf16>, tensor<?xi32>
  return
}

// -----

// Integers.
func.func @f(%c: tensor<?x2x?x64xi8>, %t: tensor<?x2x?x64xi8>, %n: tensor<?xi32>) {
  // expected-error @+1 {{expected a cache [B, G, S, D] of floats, or with an encoding #sparseflow.ternary<key_planes, ...> or <value_planes, ...>, or #sparseflow.quantized<key_int8, ...> and the like, found 'tensor<?x2x?x64xi8>'}}
  %r = sparseflow.cache_append %c, %t at %n : tensor<?x2x?x64xi8>, tensor<?x2x?x64xi8>, tensor<?xi32>
  return
}

// -----

// Tokens of the other layout.
func.func @f(%c: tensor<?x9x2x64xf16>, %t: tensor<?x2x3x64xf16>, %n: tensor<?xi32>) {
  // expected-error @+1 {{expected tokens [B, G, T, D], in the layout bshd [B, T, G, D], of the cache's type}}
  %r = sparseflow.cache_append %c, %t at %n {layout = #sparseflow.attention_layout<bshd>} : tensor<?x9x2x64xf16>, tensor<?x2x3x64xf16>, tensor<?xi32>
  return
}

// -----

// A ternary cache without a method.
func.func @f(%c: tensor<?x2x?x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>, %t: tensor<?x2x?x64xf16>, %n: tensor<?xi32>) {
  // expected-error @+1 {{expected a method ('by <absmean>') for a ternary cache, and none for a quantized one, which has one rule; found none}}
  %r = sparseflow.cache_append %c, %t at %n : tensor<?x2x?x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>, tensor<?x2x?x64xf16>, tensor<?xi32>
  return
}

// -----

// A ternary cache in the other layout.
func.func @f(%c: tensor<?x64x64x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>, %t: tensor<?x1x64x64xf16>, %n: tensor<?xi32>) {
  // expected-error @+1 {{expected the layout bhsd of a quantized or ternary cache, found bshd}}
  %r = sparseflow.cache_append %c, %t at %n by <twn> {layout = #sparseflow.attention_layout<bshd>} : tensor<?x64x64x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>, tensor<?x1x64x64xf16>, tensor<?xi32>
  return
}

// -----

// Lloyd.
func.func @f(%c: tensor<?x2x?x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>, %t: tensor<?x2x?x64xf16>, %n: tensor<?xi32>) {
  // expected-error @+1 {{expected the method absmean or twn: lloyd repeats until nothing changes}}
  %r = sparseflow.cache_append %c, %t at %n by <lloyd> : tensor<?x2x?x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>, tensor<?x2x?x64xf16>, tensor<?xi32>
  return
}

// -----

// Tokens of other heads.
func.func @f(%c: tensor<?x2x?x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>, %t: tensor<?x4x?x64xf16>, %n: tensor<?xi32>) {
  // expected-error @+1 {{expected tokens [B, G, T, D] of the cache's type without an encoding}}
  %r = sparseflow.cache_append %c, %t at %n by <twn> : tensor<?x2x?x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>, tensor<?x4x?x64xf16>, tensor<?xi32>
  return
}

// -----

// Tokens of another type.
func.func @f(%c: tensor<?x2x?x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>, %t: tensor<?x2x?x64xbf16>, %n: tensor<?xi32>) {
  // expected-error @+1 {{expected tokens [B, G, T, D]}}
  %r = sparseflow.cache_append %c, %t at %n by <twn> : tensor<?x2x?x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>, tensor<?x2x?x64xbf16>, tensor<?xi32>
  return
}

// -----

// Tokens that are ternary.
func.func @f(%c: tensor<?x2x?x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>, %t: tensor<?x2x?x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>, %n: tensor<?xi32>) {
  // expected-error @+1 {{without an encoding}}
  %r = sparseflow.cache_append %c, %t at %n by <twn> : tensor<?x2x?x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>, tensor<?x2x?x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>, tensor<?xi32>
  return
}

// -----

// Lengths of f32.
func.func @f(%c: tensor<?x2x?x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>, %t: tensor<?x2x?x64xf16>, %n: tensor<?xf32>) {
  // expected-error @+1 {{expected lengths to be one i32 for each batch entry}}
  %r = sparseflow.cache_append %c, %t at %n by <absmean> : tensor<?x2x?x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>, tensor<?x2x?x64xf16>, tensor<?xf32>
  return
}

// -----

// A cache is no weight.
func.func @f(%x: tensor<?x2x?x64xf16>) {
  // expected-error @+1 {{tokens become ternary in sparseflow.cache_append}}
  %0 = sparseflow.ternarize %x by <twn> : tensor<?x2x?x64xf16> -> tensor<?x2x?x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>
  return
}

// -----

// Its planes are attention's.
func.func @f(%x: tensor<?x2x?x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>) {
  // expected-error @+1 {{its planes are read by sparseflow.attention}}
  %0, %1 = sparseflow.plane_split %x plane 0 : tensor<?x2x?x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>> -> tensor<?x2x?x64xi1>
  return
}

// -----

// A cache is no weight, whose sizes are known when it is packed.
func.func @pack(%v: tensor<2x2x64x64xf16, #sparseflow.ternary<value_planes, scale = 32 : f16>>) -> tensor<4608xi8> {
  // expected-error @+1 {{cannot pack its source: expected a weight, found the cache 'tensor<2x2x64x64xf16, #sparseflow.ternary<value_planes, scale = 32 : f16>>', which is the k or v of sparseflow.attention and is filled by sparseflow.cache_append}}
  %0 = sparseflow.pack %v as <"sf24.v1", 8x8xf16> : tensor<2x2x64x64xf16, #sparseflow.ternary<value_planes, scale = 32 : f16>> -> tensor<4608xi8>
  return %0 : tensor<4608xi8>
}
