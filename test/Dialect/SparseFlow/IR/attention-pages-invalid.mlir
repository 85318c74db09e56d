// RUN: sparseflow-opt %s --split-input-file --verify-diagnostics

!q = tensor<2x4x1x64xf16>
func.func @row_for_each_entry(%q: !q, %k: tensor<9x2x16x64xf16>, %t: tensor<3x5xi32>) -> !q {
  // expected-error@+1 {{expected pages to be a row of i32 for each batch entry, a 'tensor<2x?xi32>', found 'tensor<3x5xi32>'}}
  %o = sparseflow.attention %q, %k, %k pages(%t : tensor<3x5xi32>) : !q, tensor<9x2x16x64xf16>, tensor<9x2x16x64xf16> -> !q
  return %o : !q
}

// -----

!q = tensor<2x4x1x64xf16>
func.func @numbers(%q: !q, %k: tensor<9x2x16x64xf16>, %t: tensor<2x5xi64>) -> !q {
  // expected-error@+1 {{expected pages to be a row of i32 for each batch entry, a 'tensor<2x?xi32>', found 'tensor<2x5xi64>'}}
  %o = sparseflow.attention %q, %k, %k pages(%t : tensor<2x5xi64>) : !q, tensor<9x2x16x64xf16>, tensor<9x2x16x64xf16> -> !q
  return %o : !q
}

// -----

!q = tensor<2x4x1x64xf16>
func.func @odd_page(%q: !q, %k: tensor<9x2x24x64xf16>, %t: tensor<2x5xi32>) -> !q {
  // expected-error@+1 {{expected pages of a static multiple of 16 keys, at most 256, found k 'tensor<9x2x24x64xf16>'; copy the cache to such pages}}
  %o = sparseflow.attention %q, %k, %k pages(%t : tensor<2x5xi32>) : !q, tensor<9x2x24x64xf16>, tensor<9x2x24x64xf16> -> !q
  return %o : !q
}

// -----

!q = tensor<2x4x1x64xf16>
func.func @unknown_page(%q: !q, %k: tensor<9x2x?x64xf16>, %t: tensor<2x5xi32>) -> !q {
  // expected-error@+1 {{expected pages of a static multiple of 16 keys, at most 256, found k 'tensor<9x2x?x64xf16>'; copy the cache to such pages}}
  %o = sparseflow.attention %q, %k, %k pages(%t : tensor<2x5xi32>) : !q, tensor<9x2x?x64xf16>, tensor<9x2x?x64xf16> -> !q
  return %o : !q
}

// -----

!q = tensor<2x1x4x64xf16>
func.func @large_page(%q: !q, %k: tensor<9x512x2x64xf16>, %t: tensor<2x5xi32>) -> !q {
  // expected-error@+1 {{expected pages of a static multiple of 16 keys, at most 256, found k 'tensor<9x512x2x64xf16>'; copy the cache to such pages}}
  %o = sparseflow.attention %q, %k, %k pages(%t : tensor<2x5xi32>) {layout = #sparseflow.attention_layout<bshd>} : !q, tensor<9x512x2x64xf16>, tensor<9x512x2x64xf16> -> !q
  return %o : !q
}

// -----

!q = tensor<2x4x1x64xf16>
func.func @other_values(%q: !q, %k: tensor<9x2x16x64xf16>, %v: tensor<8x2x16x64xf16>, %t: tensor<2x5xi32>) -> !q {
  // expected-error@+1 {{expected v to have the sizes of k except for its features, found 'tensor<8x2x16x64xf16>' for k 'tensor<9x2x16x64xf16>'}}
  %o = sparseflow.attention %q, %k, %v pages(%t : tensor<2x5xi32>) : !q, tensor<9x2x16x64xf16>, tensor<8x2x16x64xf16> -> !q
  return %o : !q
}

// -----

!q = tensor<2x4x1x64xf16>
func.func @rank(%q: !q, %k: tensor<9x16x64xf16>, %t: tensor<2x5xi32>) -> !q {
  // expected-error@+1 {{expected k to be [P, G, page, D] of rank 4, found 'tensor<9x16x64xf16>'}}
  %o = sparseflow.attention %q, %k, %k pages(%t : tensor<2x5xi32>) : !q, tensor<9x16x64xf16>, tensor<9x16x64xf16> -> !q
  return %o : !q
}

// -----

!q = tensor<2x4x1x64xf16>
!k = tensor<9x2x64x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>
func.func @planes(%q: !q, %k: !k, %v: tensor<9x2x64x64xf16>, %t: tensor<2x5xi32>) -> !q {
  // expected-error@+1 {{expected dense or quantized k and v beside a page table, found k 'tensor<9x2x64x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>', which has pages of its own; leave the table out, or unpack the cache}}
  %o = sparseflow.attention %q, %k, %v pages(%t : tensor<2x5xi32>) : !q, !k, tensor<9x2x64x64xf16> -> !q
  return %o : !q
}

// -----

!q = tensor<2x4x1x64xf16>
func.func @bias_of_unknown_keys(%q: !q, %k: tensor<9x2x16x64xf16>, %t: tensor<2x?xi32>, %b: tensor<?xf32>) -> !q {
  // expected-error@+1 {{expected a static number of pages in a row of the table, since score operand 0 has an element for each key, found 'tensor<2x?xi32>'; insert a tensor.cast}}
  %o = sparseflow.attention %q, %k, %k pages(%t : tensor<2x?xi32>) operands(%b : tensor<?xf32>) as ["k"] score {
  ^bb0(%s: f32, %i0: i32, %i1: i32, %i2: i32, %i3: i32, %x: f32):
    %0 = arith.addf %s, %x : f32
    sparseflow.yield %0 : f32
  } : !q, tensor<9x2x16x64xf16>, tensor<9x2x16x64xf16> -> !q
  return %o : !q
}

// -----

!q = tensor<2x4x1x64xf16>
func.func @bias_of_pages(%q: !q, %k: tensor<9x2x16x64xf16>, %t: tensor<2x5xi32>, %b: tensor<16xf32>) -> !q {
  // expected-error@+1 {{expected score operand 0, which is indexed by "k", to have the type 'tensor<80xf32>', found 'tensor<16xf32>'}}
  %o = sparseflow.attention %q, %k, %k pages(%t : tensor<2x5xi32>) operands(%b : tensor<16xf32>) as ["k"] score {
  ^bb0(%s: f32, %i0: i32, %i1: i32, %i2: i32, %i3: i32, %x: f32):
    %0 = arith.addf %s, %x : f32
    sparseflow.yield %0 : f32
  } : !q, tensor<9x2x16x64xf16>, tensor<9x2x16x64xf16> -> !q
  return %o : !q
}
