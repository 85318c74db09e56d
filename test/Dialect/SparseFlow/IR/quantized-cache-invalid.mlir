// RUN: sparseflow-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{expected a scale for each 'token', or for 32, 64 or 128 features of it ('token x 64'), under key_int8; the numbers of an append are rounded to it}}
func.func private @head(tensor<2x2x64x64xf16, #sparseflow.quantized<key_int8, scale = head : f32>>)

// -----

// expected-error @+1 {{expected a scale for each 'token', or for 32, 64 or 128 features of it ('token x 64'), under value_int4}}
func.func private @features(tensor<2x2x64x64xf16, #sparseflow.quantized<value_int4, scale = 64 : f32>>)

// -----

// expected-error @+1 {{expected the scale of a cache for a 'head', a 'token', or 32, 64, 128 or 256 features of a head, found 'row'}}
func.func private @row(tensor<2x2x64x64xf16, #sparseflow.quantized<key_int4, scale = row : f32>>)

// -----

// expected-error @+1 {{expected a scale for each 32, 64 or 128 features of a token, found 16}}
func.func private @small_group(tensor<2x2x64x64xf16, #sparseflow.quantized<key_int4, scale = token x 16 : f32>>)

// -----

// expected-error @+1 {{expected a scale for each 32, 64 or 128 features of a token, found 48}}
func.func private @odd_group(tensor<2x2x64x64xf16, #sparseflow.quantized<key_int4, scale = token x 48 : f32>>)

// -----

// expected-error @+1 {{expected one scale for a token of trits, found one for each 64 features; use int4 or int8}}
func.func private @trits(tensor<2x2x64x64xf16, #sparseflow.ternary<key_planes, scale = token x 64 : f32>>)

// -----

// expected-error @+1 {{expected one plane under key_int8, found 2; a cache holds one number an element}}
func.func private @planes(tensor<2x2x64x64xf16, #sparseflow.quantized<key_int8, scale = token : f32, planes = 2>>)

// -----

// expected-error @+1 {{expected 'quantized' for the storage key_int8, found 'ternary'}}
func.func private @keyword(tensor<2x2x64x64xf16, #sparseflow.ternary<key_int8, scale = token : f32>>)

// -----

// expected-error @+1 {{expected room for a multiple of 64 positions under #sparseflow.quantized<key_int8, scale = token : f32>, whose pages are whole, found S = 80}}
func.func private @room(tensor<2x2x80x64xf16, #sparseflow.quantized<key_int8, scale = token : f32>>)

// -----

!q = tensor<2x4x1x64xf16>
!k = tensor<2x2x64x64xf16, #sparseflow.quantized<key_int8, scale = token : f32>>
func.func @full_values(%q: !q, %k: !k, %v: tensor<2x2x64x64xf16>) -> !q {
  // expected-error @+1 {{expected quantized keys and values together, found k 'tensor<2x2x64x64xf16, #sparseflow.quantized<key_int8, scale = token : f32>>' and v 'tensor<2x2x64x64xf16>'; quantize both, or neither}}
  %o = sparseflow.attention %q, %k, %v : !q, !k, tensor<2x2x64x64xf16> -> !q
  return %o : !q
}

// -----

!q = tensor<2x4x1x64xf16>
!k = tensor<2x2x64x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>
!v = tensor<2x2x64x64xf16, #sparseflow.quantized<value_int8, scale = token : f32>>
func.func @trit_keys(%q: !q, %k: !k, %v: !v) -> !q {
  // expected-error @+1 {{expected quantized keys and values together, found k}}
  %o = sparseflow.attention %q, %k, %v : !q, !k, !v -> !q
  return %o : !q
}

// -----

!q = tensor<2x4x1x64xf16>
!k = tensor<2x2x64x64xf16, #sparseflow.quantized<key_int8, scale = token : f32>>
func.func @exchanged(%q: !q, %k: !k) -> !q {
  // expected-error @+1 {{expected quantized v}}
  %o = sparseflow.attention %q, %k, %k : !q, !k, !k -> !q
  return %o : !q
}

// -----

!q = tensor<2x4x1x64xf16>
!v = tensor<2x2x64x64xf16, #sparseflow.quantized<value_e4m3, scale = token : f32>>
func.func @exchanged_floats(%q: !q, %v: !v) -> !q {
  // expected-error @+1 {{expected quantized keys with the storage key_e4m3, found}}
  %o = sparseflow.attention %q, %v, %v : !q, !v, !v -> !q
  return %o : !q
}

// -----

// expected-error @+1 {{under key_e4m3; the numbers of an append are rounded to it}}
func.func private @head_floats(tensor<2x2x64x64xf16, #sparseflow.quantized<key_e4m3, scale = head : f32>>)

// -----

!q = tensor<2x1x64x64xf16>
!k = tensor<2x64x64x64xf16, #sparseflow.quantized<key_int8, scale = token : f32>>
!v = tensor<2x64x64x64xf16, #sparseflow.quantized<value_int8, scale = token : f32>>
func.func @layout(%q: !q, %k: !k, %v: !v) -> !q {
  // expected-error @+1 {{expected the layout bhsd with quantized keys, whose pages belong to a head, found bshd}}
  %o = sparseflow.attention %q, %k, %v {layout = #sparseflow.attention_layout<bshd>} : !q, !k, !v -> !q
  return %o : !q
}

// -----

!q = tensor<2x4x3x64xf16>
!k = tensor<2x2x64x64xf16, #sparseflow.quantized<key_int8, scale = token : f32>>
!v = tensor<2x2x64x64xf16, #sparseflow.quantized<value_int8, scale = token : f32>>
func.func @mask(%q: !q, %k: !k, %v: !v) -> !q {
  // expected-error @+1 {{expected ternary keys with plane_mask, found k}}
  %o = sparseflow.attention %q, %k, %v {causal, plane_mask = 64 : i64} : !q, !k, !v -> !q
  return %o : !q
}

// -----

!q = tensor<2x4x1x64xf16>
!k = tensor<9x2x320x64xf16, #sparseflow.quantized<key_int8, scale = token : f32>>
!v = tensor<9x2x320x64xf16, #sparseflow.quantized<value_int8, scale = token : f32>>
func.func @page(%q: !q, %k: !k, %v: !v, %t: tensor<2x5xi32>) -> !q {
  // expected-error @+1 {{expected pages of a static multiple of 64 keys, at most 256, found k}}
  %o = sparseflow.attention %q, %k, %v pages(%t : tensor<2x5xi32>) : !q, !k, !v -> !q
  return %o : !q
}

// -----

!c = tensor<2x2x64x64xf16, #sparseflow.quantized<key_int8, scale = token : f32>>
func.func @method(%c: !c, %x: tensor<2x2x1x64xf16>, %n: tensor<2xi32>) -> !c {
  // expected-error @+1 {{expected a method ('by <absmean>') for a ternary cache, and none for a quantized one, which has one rule; found twn for}}
  %r = sparseflow.cache_append %c, %x at %n by <twn> : !c, tensor<2x2x1x64xf16>, tensor<2xi32>
  return %r : !c
}

// -----

!c = tensor<2x2x64x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>
func.func @no_method(%c: !c, %x: tensor<2x2x1x64xf16>, %n: tensor<2xi32>) -> !c {
  // expected-error @+1 {{expected a method ('by <absmean>') for a ternary cache, and none for a quantized one, which has one rule; found none for}}
  %r = sparseflow.cache_append %c, %x at %n : !c, tensor<2x2x1x64xf16>, tensor<2xi32>
  return %r : !c
}

// -----

!c = tensor<2x2x64x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>
func.func @trits_in_pages(%c: !c, %x: tensor<2x2x1x64xf16>, %n: tensor<2xi32>, %t: tensor<2x3xi32>) -> !c {
  // expected-error @+1 {{expected a dense or quantized cache in pages of a static multiple of 64 keys, at most 256, beside a page table, found}}
  %r = sparseflow.cache_append %c, %x at %n pages(%t : tensor<2x3xi32>) by <twn> : !c, tensor<2x2x1x64xf16>, tensor<2xi32>
  return %r : !c
}

// -----

!c = tensor<9x2x64x64xf16, #sparseflow.quantized<key_int8, scale = token : f32>>
func.func @table(%c: !c, %x: tensor<2x2x1x64xf16>, %n: tensor<2xi32>, %t: tensor<2x3xi64>) -> !c {
  // expected-error @+1 {{expected pages to be a row of i32 for each batch entry, found 'tensor<2x3xi64>'}}
  %r = sparseflow.cache_append %c, %x at %n pages(%t : tensor<2x3xi64>) : !c, tensor<2x2x1x64xf16>, tensor<2xi32>
  return %r : !c
}

// -----

!c = tensor<9x2x64x64xf16, #sparseflow.quantized<key_int8, scale = token : f32>>
func.func @lengths(%c: !c, %x: tensor<2x2x1x64xf16>, %n: tensor<9xi32>, %t: tensor<2x3xi32>) -> !c {
  // expected-error @+1 {{expected lengths to be one i32 for each batch entry}}
  %r = sparseflow.cache_append %c, %x at %n pages(%t : tensor<2x3xi32>) : !c, tensor<2x2x1x64xf16>, tensor<9xi32>
  return %r : !c
}

// -----

func.func @odd_pages(%c: tensor<4x24x2x64xf16>, %x: tensor<2x1x2x64xf16>, %n: tensor<2xi32>, %t: tensor<2x3xi32>) -> tensor<4x24x2x64xf16> {
  // expected-error @+1 {{expected a dense or quantized cache in pages of a static multiple of 16 keys, at most 256, beside a page table, found 'tensor<4x24x2x64xf16>'}}
  %r = sparseflow.cache_append %c, %x at %n pages(%t : tensor<2x3xi32>) {layout = #sparseflow.attention_layout<bshd>} : tensor<4x24x2x64xf16>, tensor<2x1x2x64xf16>, tensor<2xi32>
  return %r : tensor<4x24x2x64xf16>
}
