// RUN: sparseflow-opt %s --split-input-file --verify-diagnostics

func.func @rank(%q: tensor<1x8x64xf16>, %k: tensor<1x1x8x64xf16>, %v: tensor<1x1x8x64xf16>) {
  // expected-error@+1 {{expected q to be [B, H, S_q, D] of rank 4, found 'tensor<1x8x64xf16>'; insert a tensor.expand_shape}}
  %o = sparseflow.attention %q, %k, %v
    : tensor<1x8x64xf16>, tensor<1x1x8x64xf16>, tensor<1x1x8x64xf16> -> tensor<1x1x8x64xf16>
  return
}

// -----

func.func @heads(%q: tensor<1x?x8x64xf16>, %k: tensor<1x1x8x64xf16>, %v: tensor<1x1x8x64xf16>) {
  // expected-error@+1 {{expected q [B, H, S_q, D] with a static, positive number of heads and of features, found}}
  %o = sparseflow.attention %q, %k, %v
    : tensor<1x?x8x64xf16>, tensor<1x1x8x64xf16>, tensor<1x1x8x64xf16> -> tensor<1x1x8x64xf16>
  return
}

// -----

func.func @layout_heads(%q: tensor<1x8x?x64xf16>, %k: tensor<1x8x1x64xf16>, %v: tensor<1x8x1x64xf16>) {
  // expected-error@+1 {{expected q [B, S_q, H, D] with a static, positive number of heads and of features, found}}
  %o = sparseflow.attention %q, %k, %v {layout = #sparseflow.attention_layout<bshd>}
    : tensor<1x8x?x64xf16>, tensor<1x8x1x64xf16>, tensor<1x8x1x64xf16> -> tensor<1x8x1x64xf16>
  return
}

// -----

func.func @element(%q: tensor<1x1x8x64xf32>, %k: tensor<1x1x8x64xf32>, %v: tensor<1x1x8x64xf32>) {
  // expected-error@+1 {{expected q to hold f16 or bf16, found 'f32'}}
  %o = sparseflow.attention %q, %k, %v
    : tensor<1x1x8x64xf32>, tensor<1x1x8x64xf32>, tensor<1x1x8x64xf32> -> tensor<1x1x8x64xf32>
  return
}

// -----

func.func @mixed(%q: tensor<1x1x8x64xf16>, %k: tensor<1x1x8x64xbf16>, %v: tensor<1x1x8x64xf16>) {
  // expected-error@+1 {{expected q, k and v to have one element type, found 'f16', 'bf16' and 'f16'}}
  %o = sparseflow.attention %q, %k, %v
    : tensor<1x1x8x64xf16>, tensor<1x1x8x64xbf16>, tensor<1x1x8x64xf16> -> tensor<1x1x8x64xf16>
  return
}

// -----

func.func @result_element(%q: tensor<1x1x8x64xf16>, %k: tensor<1x1x8x64xf16>, %v: tensor<1x1x8x64xf16>) {
  // expected-error@+1 {{expected the result to hold f16, bf16 or f32, found 'f64'}}
  %o = sparseflow.attention %q, %k, %v
    : tensor<1x1x8x64xf16>, tensor<1x1x8x64xf16>, tensor<1x1x8x64xf16> -> tensor<1x1x8x64xf64>
  return
}

// -----

func.func @ratio(%q: tensor<1x3x8x64xf16>, %k: tensor<1x2x8x64xf16>, %v: tensor<1x2x8x64xf16>) {
  // expected-error@+1 {{expected the number of query heads to be a multiple of the number of key heads, found 3 and 2}}
  %o = sparseflow.attention %q, %k, %v
    : tensor<1x3x8x64xf16>, tensor<1x2x8x64xf16>, tensor<1x2x8x64xf16> -> tensor<1x3x8x64xf16>
  return
}

// -----

func.func @features(%q: tensor<1x1x8x64xf16>, %k: tensor<1x1x8x32xf16>, %v: tensor<1x1x8x32xf16>) {
  // expected-error@+1 {{expected q and k to have the same number of features D, found 64 and 32}}
  %o = sparseflow.attention %q, %k, %v
    : tensor<1x1x8x64xf16>, tensor<1x1x8x32xf16>, tensor<1x1x8x32xf16> -> tensor<1x1x8x32xf16>
  return
}

// -----

func.func @keys(%q: tensor<1x1x8x64xf16>, %k: tensor<1x1x9x64xf16>, %v: tensor<1x1x8x64xf16>) {
  // expected-error@+1 {{expected v to have the sizes of k except for its features}}
  %o = sparseflow.attention %q, %k, %v
    : tensor<1x1x8x64xf16>, tensor<1x1x9x64xf16>, tensor<1x1x8x64xf16> -> tensor<1x1x8x64xf16>
  return
}

// -----

func.func @result(%q: tensor<1x1x8x64xf16>, %k: tensor<1x1x9x64xf16>, %v: tensor<1x1x9x32xf16>) {
  // expected-error@+1 {{expected the result type 'tensor<1x1x8x32xf16>'}}
  %o = sparseflow.attention %q, %k, %v
    : tensor<1x1x8x64xf16>, tensor<1x1x9x64xf16>, tensor<1x1x9x32xf16> -> tensor<1x1x8x64xf16>
  return
}

// -----

func.func @batch(%q: tensor<2x1x8x64xf16>, %k: tensor<1x1x9x64xf16>, %v: tensor<1x1x9x64xf16>) {
  // expected-error@+1 {{expected q and k to have one batch size, found 2 and 1}}
  %o = sparseflow.attention %q, %k, %v
    : tensor<2x1x8x64xf16>, tensor<1x1x9x64xf16>, tensor<1x1x9x64xf16> -> tensor<2x1x8x64xf16>
  return
}

// -----

func.func @lengths(%q: tensor<2x1x8x64xf16>, %k: tensor<2x1x8x64xf16>, %v: tensor<2x1x8x64xf16>, %n: tensor<3xi32>) {
  // expected-error@+1 {{expected lengths to be one i32 for each batch entry, a 'tensor<2xi32>', found 'tensor<3xi32>'}}
  %o = sparseflow.attention %q, %k, %v lengths(%n : tensor<3xi32>)
    : tensor<2x1x8x64xf16>, tensor<2x1x8x64xf16>, tensor<2x1x8x64xf16> -> tensor<2x1x8x64xf16>
  return
}

// -----

func.func @window(%q: tensor<1x1x8x64xf16>, %k: tensor<1x1x8x64xf16>, %v: tensor<1x1x8x64xf16>) {
  // expected-error@+1 {{expected a window of at least 1 key, found 0; leave it out}}
  %o = sparseflow.attention %q, %k, %v {window = 0 : i64}
    : tensor<1x1x8x64xf16>, tensor<1x1x8x64xf16>, tensor<1x1x8x64xf16> -> tensor<1x1x8x64xf16>
  return
}

// -----

func.func @scale(%q: tensor<1x1x8x64xf16>, %k: tensor<1x1x8x64xf16>, %v: tensor<1x1x8x64xf16>) {
  // expected-error@+1 {{expected a scale of at most 1024 in magnitude, found 0x7F800000 : f32; f32 has no digits for the differences of such scores}}
  %o = sparseflow.attention %q, %k, %v {scale = 0x7F800000 : f32}
    : tensor<1x1x8x64xf16>, tensor<1x1x8x64xf16>, tensor<1x1x8x64xf16> -> tensor<1x1x8x64xf16>
  return
}

// -----

func.func @large_scale(%q: tensor<1x1x8x64xf16>, %k: tensor<1x1x8x64xf16>, %v: tensor<1x1x8x64xf16>) {
  // expected-error@+1 {{expected a scale of at most 1024 in magnitude, found 1.000000e+30 : f32}}
  %o = sparseflow.attention %q, %k, %v {scale = 1.0e30 : f32}
    : tensor<1x1x8x64xf16>, tensor<1x1x8x64xf16>, tensor<1x1x8x64xf16> -> tensor<1x1x8x64xf16>
  return
}

// -----

func.func @lse(%q: tensor<1x2x8x64xf16>, %k: tensor<1x2x8x64xf16>, %v: tensor<1x2x8x64xf16>) {
  // expected-error@+1 {{expected the log-sum-exp to be [B, H, S_q] of f32, 'tensor<1x2x8xf32>', found}}
  %o, %l = sparseflow.attention %q, %k, %v
    : tensor<1x2x8x64xf16>, tensor<1x2x8x64xf16>, tensor<1x2x8x64xf16> -> tensor<1x2x8x64xf16>, tensor<1x8x2xf32>
  return
}

// -----

func.func @no_score(%q: tensor<1x1x8x64xf16>, %k: tensor<1x1x8x64xf16>, %v: tensor<1x1x8x64xf16>, %a: tensor<8x8xf16>) {
  // expected-error@+1 {{expected a score region that reads the 1 score operands, found none}}
  %o = sparseflow.attention %q, %k, %v operands(%a : tensor<8x8xf16>) as ["qk"]
    : tensor<1x1x8x64xf16>, tensor<1x1x8x64xf16>, tensor<1x1x8x64xf16> -> tensor<1x1x8x64xf16>
  return
}

// -----

func.func @letters(%q: tensor<1x1x8x64xf16>, %k: tensor<1x1x8x64xf16>, %v: tensor<1x1x8x64xf16>, %a: tensor<8x8xf16>) {
  // expected-error@+1 {{expected the dimensions of score operand 0 as letters of "bhqk", each at most once and in this order, found "kq"; transpose the operand}}
  %o = sparseflow.attention %q, %k, %v operands(%a : tensor<8x8xf16>) as ["kq"] score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32, %in: f16):
    sparseflow.yield %s : f32
  }
    : tensor<1x1x8x64xf16>, tensor<1x1x8x64xf16>, tensor<1x1x8x64xf16> -> tensor<1x1x8x64xf16>
  return
}

// -----

func.func @operand_type(%q: tensor<1x1x8x64xf16>, %k: tensor<1x1x8x64xf16>, %v: tensor<1x1x8x64xf16>, %a: tensor<8x9xf16>) {
  // expected-error@+1 {{expected score operand 0, which is indexed by "qk", to have the type 'tensor<8x8xf16>', found}}
  %o = sparseflow.attention %q, %k, %v operands(%a : tensor<8x9xf16>) as ["qk"] score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32, %in: f16):
    sparseflow.yield %s : f32
  }
    : tensor<1x1x8x64xf16>, tensor<1x1x8x64xf16>, tensor<1x1x8x64xf16> -> tensor<1x1x8x64xf16>
  return
}

// -----

func.func @operand_element(%q: tensor<1x1x8x64xf16>, %k: tensor<1x1x8x64xf16>, %v: tensor<1x1x8x64xf16>, %a: tensor<8x8xi32>) {
  // expected-error@+1 {{expected score operand 0 to hold f16, bf16 or f32, found}}
  %o = sparseflow.attention %q, %k, %v operands(%a : tensor<8x8xi32>) as ["qk"] score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32, %in: i32):
    sparseflow.yield %s : f32
  }
    : tensor<1x1x8x64xf16>, tensor<1x1x8x64xf16>, tensor<1x1x8x64xf16> -> tensor<1x1x8x64xf16>
  return
}

// -----

func.func @region_arguments(%q: tensor<1x1x8x64xf16>) {
  // expected-error@+1 {{expected score arguments ('f32', 'i32', 'i32', 'i32', 'i32'): the scaled dot product, the indices}}
  %o = sparseflow.attention %q, %q, %q score {
  ^bb0(%s: f32):
    sparseflow.yield %s : f32
  } : tensor<1x1x8x64xf16>, tensor<1x1x8x64xf16>, tensor<1x1x8x64xf16>
      -> tensor<1x1x8x64xf16>
  return
}

// -----

func.func @region_op(%q: tensor<1x1x8x64xf16>) {
  %o = sparseflow.attention %q, %q, %q score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
    // expected-error@+1 {{is not allowed in a score region}}
    %0 = arith.divsi %i, %j : i32
    sparseflow.yield %s : f32
  } : tensor<1x1x8x64xf16>, tensor<1x1x8x64xf16>, tensor<1x1x8x64xf16>
      -> tensor<1x1x8x64xf16>
  return
}

// -----

func.func @region_yield(%q: tensor<1x1x8x64xf16>) {
  // expected-error@+1 {{expected the score region to end with sparseflow.yield of an f32}}
  %o = sparseflow.attention %q, %q, %q score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
    %0 = arith.truncf %s : f32 to f16
    sparseflow.yield %0 : f16
  } : tensor<1x1x8x64xf16>, tensor<1x1x8x64xf16>, tensor<1x1x8x64xf16>
      -> tensor<1x1x8x64xf16>
  return
}

// -----

func.func @k(%q: tensor<1x4x8x64xf16, #sparseflow.nm<2:4>>, %k: tensor<1x4x8x64xf16>, %v: tensor<1x4x8x64xf16>) -> tensor<1x4x8x64xf16> {
  // expected-error@+1 {{expected q to have no encoding, found 'tensor<1x4x8x64xf16, #sparseflow.nm<2:4>>'; only the weight of sparseflow.matmul may be sparse, and k and v may be #sparseflow.ternary or #sparseflow.quantized caches}}
  %o = sparseflow.attention %q, %k, %v : tensor<1x4x8x64xf16, #sparseflow.nm<2:4>>, tensor<1x4x8x64xf16>, tensor<1x4x8x64xf16> -> tensor<1x4x8x64xf16>
  return %o : tensor<1x4x8x64xf16>
}

// -----

func.func @not_a_score(%q: tensor<1x4x8x64xf16>, %k: tensor<1x4x8x64xf16>, %v: tensor<1x4x8x64xf16>) -> tensor<1x4x8x64xf16> {
  %o = sparseflow.attention %q, %k, %v score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
    // expected-error@+1 {{is not allowed in a score region: expected scalar arith and math ops on floats and i1, and arith.{addi, subi, muli, maxsi, minsi, cmpi, select, sitofp} on i32 indices; compute it outside and pass it as a score operand}}
    %0 = arith.divsi %i, %j : i32
    sparseflow.yield %s : f32
  } : tensor<1x4x8x64xf16>, tensor<1x4x8x64xf16>, tensor<1x4x8x64xf16> -> tensor<1x4x8x64xf16>
  return %o : tensor<1x4x8x64xf16>
}

// -----

func.func @too_many_values(%q: tensor<1x4x8x64xf16>, %k: tensor<1x1x8x64xf16>) {
  // expected-error@+1 {{expected value_features from 1 to 64, the features of v, found 65}}
  %o = sparseflow.attention %q, %k, %k {value_features = 65 : i64}
    : tensor<1x4x8x64xf16>, tensor<1x1x8x64xf16>, tensor<1x1x8x64xf16> -> tensor<1x4x8x65xf16>
  return
}

// -----

func.func @no_values(%q: tensor<1x4x8x64xf16>, %k: tensor<1x1x8x64xf16>) {
  // expected-error@+1 {{expected value_features from 1 to 64, the features of v, found 0}}
  %o = sparseflow.attention %q, %k, %k {value_features = 0 : i64}
    : tensor<1x4x8x64xf16>, tensor<1x1x8x64xf16>, tensor<1x1x8x64xf16> -> tensor<1x4x8x64xf16>
  return
}

// -----

func.func @other_result(%q: tensor<1x4x8x64xf16>, %k: tensor<1x1x8x64xf16>) {
  // expected-error@+1 {{expected the result type 'tensor<1x4x8x48xf16>' for q}}
  %o = sparseflow.attention %q, %k, %k {value_features = 48 : i64}
    : tensor<1x4x8x64xf16>, tensor<1x1x8x64xf16>, tensor<1x1x8x64xf16> -> tensor<1x4x8x64xf16>
  return
}

// -----

func.func @part_of_a_cache(%q: tensor<1x4x1x64xf16>, %k: tensor<1x1x64x64xf16, #sparseflow.quantized<key_int8, scale = token : f16>>, %v: tensor<1x1x64x64xf16, #sparseflow.quantized<value_int8, scale = token : f16>>) {
  // expected-error@+1 {{expected v without an encoding beside value_features, found}}
  %o = sparseflow.attention %q, %k, %v {value_features = 48 : i64}
    : tensor<1x4x1x64xf16>, tensor<1x1x64x64xf16, #sparseflow.quantized<key_int8, scale = token : f16>>, tensor<1x1x64x64xf16, #sparseflow.quantized<value_int8, scale = token : f16>> -> tensor<1x4x1x48xf16>
  return
}
