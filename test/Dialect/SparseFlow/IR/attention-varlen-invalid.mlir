// RUN: sparseflow-opt %s --split-input-file --verify-diagnostics

!q = tensor<1x4x9x64xf16>
!k = tensor<1x2x9x64xf16>
func.func @one_of_two(%q: !q, %k: !k, %n: tensor<3xi32>) -> !q {
  // expected-error@+1 {{expected cumulative lengths of queries and of keys, or of queries beside the lengths of caches, found those of queries alone}}
  %o = "sparseflow.attention"(%q, %k, %k, %n) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0>}> ({}) : (!q, !k, !k, tensor<3xi32>) -> !q
  return %o : !q
}

// -----

!q = tensor<1x4x9x64xf16>
!k = tensor<1x2x9x64xf16>
func.func @numbers(%q: !q, %k: !k, %n: tensor<3xi64>) -> !q {
  // expected-error@+1 {{expected cu_seqlens to be an i32 for each sequence and one behind the last, a tensor<?xi32>, found 'tensor<3xi64>'}}
  %o = sparseflow.attention %q, %k, %k cu_seqlens(%n, %n : tensor<3xi64>, tensor<3xi64>) : !q, !k, !k -> !q
  return %o : !q
}

// -----

!q = tensor<1x4x9x64xf16>
!k = tensor<1x2x9x64xf16>
func.func @nothing(%q: !q, %k: !k, %n: tensor<0xi32>) -> !q {
  // expected-error@+1 {{expected cu_seqlens to be an i32 for each sequence and one behind the last, a tensor<?xi32>, found 'tensor<0xi32>'}}
  %o = sparseflow.attention %q, %k, %k cu_seqlens(%n, %n : tensor<0xi32>, tensor<0xi32>) : !q, !k, !k -> !q
  return %o : !q
}

// -----

!q = tensor<1x4x9x64xf16>
!k = tensor<1x2x9x64xf16>
func.func @counts(%q: !q, %k: !k, %n: tensor<3xi32>, %m: tensor<4xi32>) -> !q {
  // expected-error@+1 {{expected cu_seqlens of queries and of keys for one number of sequences, found 'tensor<3xi32>' and 'tensor<4xi32>'}}
  %o = sparseflow.attention %q, %k, %k cu_seqlens(%n, %m : tensor<3xi32>, tensor<4xi32>) : !q, !k, !k -> !q
  return %o : !q
}

// -----

!q = tensor<2x4x9x64xf16>
!k = tensor<2x2x9x64xf16>
func.func @entries(%q: !q, %k: !k, %n: tensor<3xi32>) -> !q {
  // expected-error@+1 {{expected q of one batch entry, whose rows are those of all sequences, beside cu_seqlens, found 'tensor<2x4x9x64xf16>'; reshape it}}
  %o = sparseflow.attention %q, %k, %k cu_seqlens(%n, %n : tensor<3xi32>, tensor<3xi32>) : !q, !k, !k -> !q
  return %o : !q
}

// -----

!q = tensor<1x4x9x64xf16>
!k = tensor<2x2x9x64xf16>
func.func @lengths(%q: !q, %k: !k, %n: tensor<3xi32>, %l: tensor<1xi32>) -> !q {
  // expected-error@+1 {{expected lengths to be one i32 for each batch entry, a 'tensor<2xi32>', found 'tensor<1xi32>'}}
  %o = sparseflow.attention %q, %k, %k lengths(%l : tensor<1xi32>) cu_seqlens(%n : tensor<3xi32>) : !q, !k, !k -> !q
  return %o : !q
}

// -----

!q = tensor<1x4x9x64xf16>
!k = tensor<1x2x9x64xf16>
func.func @lengths_and_offsets(%q: !q, %k: !k, %n: tensor<3xi32>, %l: tensor<2xi32>) -> !q {
  // expected-error@+1 {{expected no lengths and no pages beside cu_seqlens of keys, which say where each sequence's keys are; leave one or the other out}}
  %o = sparseflow.attention %q, %k, %k lengths(%l : tensor<2xi32>) cu_seqlens(%n, %n : tensor<3xi32>, tensor<3xi32>) : !q, !k, !k -> !q
  return %o : !q
}

// -----

!q = tensor<1x4x9x64xf16>
!k = tensor<5x2x64x64xf16>
func.func @pages_and_offsets(%q: !q, %k: !k, %n: tensor<3xi32>, %t: tensor<2x4xi32>) -> !q {
  // expected-error@+1 {{expected no lengths and no pages beside cu_seqlens of keys}}
  %o = sparseflow.attention %q, %k, %k pages(%t : tensor<2x4xi32>) cu_seqlens(%n, %n : tensor<3xi32>, tensor<3xi32>) : !q, !k, !k -> !q
  return %o : !q
}

// -----

!q = tensor<1x4x9x64xf16>
!k = tensor<5x2x64x64xf16>
func.func @pages_alone(%q: !q, %k: !k, %n: tensor<3xi32>, %t: tensor<2x4xi32>) -> !q {
  // expected-error@+1 {{expected cumulative lengths of queries and of keys, or of queries beside the lengths of caches, found those of queries alone}}
  %o = sparseflow.attention %q, %k, %k pages(%t : tensor<2x4xi32>) cu_seqlens(%n : tensor<3xi32>) : !q, !k, !k -> !q
  return %o : !q
}

// -----

!q = tensor<1x4x9x64xf16>
!k = tensor<5x2x64x64xf16>
func.func @rows_of_the_table(%q: !q, %k: !k, %n: tensor<3xi32>, %l: tensor<2xi32>, %t: tensor<1x4xi32>) -> !q {
  // expected-error@+1 {{expected pages to be a row of i32 for each batch entry, a 'tensor<2x?xi32>', found 'tensor<1x4xi32>'}}
  %o = sparseflow.attention %q, %k, %k lengths(%l : tensor<2xi32>) pages(%t : tensor<1x4xi32>) cu_seqlens(%n : tensor<3xi32>) : !q, !k, !k -> !q
  return %o : !q
}

// -----

!q = tensor<1x4x9x64xf16>
!k = tensor<3x2x64x64xf16>
func.func @caches_of_others(%q: !q, %k: !k, %n: tensor<3xi32>, %l: tensor<2xi32>) -> !q {
  // expected-error@+1 {{expected q and k to have one batch size, found 2 and 3}}
  %o = sparseflow.attention %q, %k, %k lengths(%l : tensor<2xi32>) cu_seqlens(%n : tensor<3xi32>) : !q, !k, !k -> !q
  return %o : !q
}

// -----

!q = tensor<1x4x9x64xf16>
!k = tensor<2x2x64x64xf16>
func.func @no_offsets(%q: !q, %k: !k, %n: tensor<0xi32>, %l: tensor<2xi32>) -> !q {
  // expected-error@+1 {{expected cu_seqlens to be an i32 for each sequence and one behind the last, a tensor<?xi32>, found 'tensor<0xi32>'}}
  %o = sparseflow.attention %q, %k, %k lengths(%l : tensor<2xi32>) cu_seqlens(%n : tensor<0xi32>) : !q, !k, !k -> !q
  return %o : !q
}

// -----

!q = tensor<2x4x9x64xf16>
!k = tensor<2x2x64x64xf16>
func.func @entries_of_queries(%q: !q, %k: !k, %n: tensor<3xi32>, %l: tensor<2xi32>) -> !q {
  // expected-error@+1 {{expected q of one batch entry, whose rows are those of all sequences, beside cu_seqlens, found 'tensor<2x4x9x64xf16>'; reshape it}}
  %o = sparseflow.attention %q, %k, %k lengths(%l : tensor<2xi32>) cu_seqlens(%n : tensor<3xi32>) : !q, !k, !k -> !q
  return %o : !q
}

// -----

!q = tensor<1x4x9x64xf16>
!k = tensor<1x2x64x64xf16, #sparseflow.quantized<key_int8, scale = token : f16>>
!v = tensor<1x2x64x64xf16, #sparseflow.quantized<value_int8, scale = token : f16>>
func.func @caches(%q: !q, %k: !k, %v: !v, %n: tensor<3xi32>) -> !q {
  // expected-error@+1 {{expected k and v of f16 or bf16 beside cu_seqlens, or quantized ones beside lengths, found k}}
  %o = sparseflow.attention %q, %k, %v cu_seqlens(%n, %n : tensor<3xi32>, tensor<3xi32>) : !q, !k, !v -> !q
  return %o : !q
}

// -----

!q = tensor<1x4x9x64xf16>
!k = tensor<2x2x64x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>
!v = tensor<2x2x64x64xf16, #sparseflow.ternary<value_planes, scale = token : f32>>
func.func @planes(%q: !q, %k: !k, %v: !v, %n: tensor<3xi32>, %l: tensor<2xi32>) -> !q {
  // expected-error@+1 {{expected k and v of f16 or bf16 beside cu_seqlens, or quantized ones beside lengths, found k}}
  %o = sparseflow.attention %q, %k, %v lengths(%l : tensor<2xi32>) cu_seqlens(%n : tensor<3xi32>) : !q, !k, !v -> !q
  return %o : !q
}

// -----

!q = tensor<1x4x9x64xf16>
!k = tensor<1x2x9x64xf16>
func.func @operands(%q: !q, %k: !k, %n: tensor<3xi32>, %s: tensor<4xf32>) -> !q {
  // expected-error@+1 {{expected no score operands beside cu_seqlens, since the score counts heads, queries and keys from those of a sequence, found 1; a score of the indices alone may stand there}}
  %o = sparseflow.attention %q, %k, %k cu_seqlens(%n, %n : tensor<3xi32>, tensor<3xi32>) operands(%s : tensor<4xf32>) as ["h"] score {
  ^bb0(%p: f32, %b: i32, %h: i32, %i: i32, %j: i32, %x: f32):
    %r = arith.addf %p, %x : f32
    sparseflow.yield %r : f32
  } : !q, !k, !k -> !q
  return %o : !q
}
