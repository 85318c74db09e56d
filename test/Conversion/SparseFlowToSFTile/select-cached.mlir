// RUN: sparseflow-opt %s --split-input-file --sparseflow-select-schedule=target=sm_90a -o /dev/null 2>&1 | FileCheck %s

// For which int8 and int4 caches a kernel in front writes keys and values for wgmma, and
// why not for others. What has fewer keys, comes behind, and trits that one tile reads.

!q = tensor<4x32x?x128xf16>
!k = tensor<4x8x?x128xf16, #sparseflow.quantized<key_int8, scale = token : f16>>
!v = tensor<4x8x?x128xf16, #sparseflow.quantized<value_int4, scale = token x 32 : f32>>
// CHECK: sm80.attention.few for up to 16 queries
// CHECK: sm90a.attention.cached_d128 from 132 blocks on and 256 keys: 128 queries a block
// CHECK: sm90a.attention.cached_d128_small from 33 blocks on and 256 keys: 64 queries a block
// CHECK: sm90a.attention.cached_d128_split and 256 keys: 64 queries a block
// CHECK: sm80.attention.d128 {{.*}} 2 stages of 32 keys
// CHECK-NOT: no kernel
func.func @many(%q: !q, %k: !k, %v: !v) -> !q {
  %o = sparseflow.attention %q, %k, %v {causal} : !q, !k, !v -> !q
  return %o : !q
}

// -----

!q = tensor<32x8x128x128xf16>
!k = tensor<32x8x4096x128xf16, #sparseflow.quantized<key_int8, scale = token : f16>>
!v = tensor<32x8x4096x128xf16, #sparseflow.quantized<value_int8, scale = token : f16>>
// CHECK: sm90a.attention.cached_d128 with other sizes: one tile takes longer, too, where numbers of 8 and 4 bits are dequantized in registers
// CHECK: sm90a.attention.beside_d128_split up to 66 blocks and up to 4 tiles of 128 queries for a key head and 256 keys: 64 queries a block, {{.*}}, which producer warps dequantize
// CHECK: sm90a.attention.cached_d128 from 132 blocks on and 256 keys
func.func @one_tile(%q: !q, %k: !k, %v: !v) -> !q {
  %o = sparseflow.attention %q, %k, %v : !q, !k, !v -> !q
  return %o : !q
}

// -----

!q = tensor<32x8x128x128xf16>
!k = tensor<32x8x4096x128xf16, #sparseflow.ternary<key_planes, scale = token : f16>>
!v = tensor<32x8x4096x128xf16, #sparseflow.ternary<value_planes, scale = token : f16>>
// CHECK: sm80.attention.unaligned
// CHECK-NOT: cached_d128
// CHECK: sm80.attention.d128
func.func @one_tile_of_trits(%q: !q, %k: !k, %v: !v) -> !q {
  %o = sparseflow.attention %q, %k, %v : !q, !k, !v -> !q
  return %o : !q
}

// -----

!q = tensor<4x8x2048x128xf16>
!k = tensor<4x8x2048x128xf16, #sparseflow.quantized<key_int8, scale = token x 32 : f16>>
!v = tensor<4x8x2048x128xf16, #sparseflow.quantized<value_int8, scale = token : f16>>
// CHECK: sm90a.attention.cached_d128 from 132 blocks on
// CHECK: sm90a.attention.cached_d128_split
// CHECK-NOT: no kernel
func.func @groups(%q: !q, %k: !k, %v: !v) -> !q {
  %o = sparseflow.attention %q, %k, %v : !q, !k, !v -> !q
  return %o : !q
}

// -----

!q = tensor<4x8x2048x128xf16>
!k = tensor<4x8x2048x128xf16, #sparseflow.quantized<key_int8, scale = token : f16>>
!v = tensor<4x8x2048x128xf16, #sparseflow.quantized<value_int8, scale = token : f16>>
// CHECK: sm90a.attention.cached_d128 from 132 blocks on
// CHECK-NOT: no kernel
func.func @bias(%q: !q, %k: !k, %v: !v, %b: tensor<8xf32>) -> !q {
  %o = sparseflow.attention %q, %k, %v operands(%b : tensor<8xf32>) as ["h"] score {
  ^bb0(%s: f32, %i: i32, %h: i32, %r: i32, %c: i32, %add: f32):
    %t = arith.addf %s, %add : f32
    sparseflow.yield %t : f32
  } : !q, !k, !v -> !q
  return %o : !q
}

// -----

!q = tensor<4x8x2048x128xf16>
!k = tensor<4x8x2048x128xf16, #sparseflow.quantized<key_int8, scale = token : f16>>
!v = tensor<4x8x2048x128xf16, #sparseflow.quantized<value_int8, scale = token : f16>>
// CHECK: sm90a.attention.cached_d128 from 132 blocks on
// CHECK: sm90a.attention.cached_d128_split
// CHECK-NOT: no kernel
func.func @window(%q: !q, %k: !k, %v: !v) -> !q {
  %o = sparseflow.attention %q, %k, %v {causal, window = 64 : i64} : !q, !k, !v -> !q
  return %o : !q
}

// -----

!q = tensor<4x8x2048x128xf16>
!k = tensor<4x8x2048x128xf16, #sparseflow.quantized<key_int8, scale = token : f16>>
!v = tensor<4x8x2048x128xf16, #sparseflow.quantized<value_int8, scale = token : f16>>
// CHECK: sm90a.attention.cached_d128 from 132 blocks on
// CHECK: sm90a.attention.cached_d128_split
// CHECK-NOT: no kernel
func.func @softcap(%q: !q, %k: !k, %v: !v) -> !q {
  %o = sparseflow.attention %q, %k, %v score {
  ^bb0(%s: f32, %i: i32, %h: i32, %r: i32, %c: i32):
    %t = math.tanh %s : f32
    sparseflow.yield %t : f32
  } : !q, !k, !v -> !q
  return %o : !q
}

// -----

// Producer warps dequantize where few queries meet a key.
!q = tensor<4x8x?x128xf16>
!k = tensor<4x8x?x128xf16, #sparseflow.quantized<key_e4m3, scale = token : f16>>
!v = tensor<4x8x?x128xf16, #sparseflow.quantized<value_e4m3, scale = token : f16>>
// CHECK: sm90a.attention.beside_d128_few for up to 64 queries from 100 blocks on and up to 4 tiles of 128 queries for a key head and 256 keys
// CHECK: sm90a.attention.beside_d128 from 65 blocks on and from 133 tiles of 64 queries on and up to 2 tiles of 128 queries for a key head and 256 keys
// CHECK: sm90a.attention.beside_d128_split up to 66 blocks and up to 4 tiles of 128 queries for a key head and 256 keys
// CHECK: sm90a.attention.cached_d128 from 132 blocks on and 256 keys
func.func @few_for_a_key(%q: !q, %k: !k, %v: !v, %n: tensor<4xi32>) -> !q {
  %o = sparseflow.attention %q, %k, %v lengths(%n : tensor<4xi32>) {causal} : !q, !k, !v -> !q
  return %o : !q
}

// -----

// Six heads have more than four tiles for each key head.
!q = tensor<4x12x?x64xf16>
!k = tensor<4x2x?x64xf16, #sparseflow.quantized<key_int4, scale = token : f16>>
!v = tensor<4x2x?x64xf16, #sparseflow.quantized<value_int4, scale = token : f16>>
// CHECK: sm90a.attention.beside_d64 from 65 blocks on
// CHECK-NOT: beside_d64_split
// CHECK: sm90a.attention.cached_d64
func.func @six_heads(%q: !q, %k: !k, %v: !v) -> !q {
  %o = sparseflow.attention %q, %k, %v {causal} : !q, !k, !v -> !q
  return %o : !q
}

// -----

// Scales of groups take registers that two warpgroups need.
!q = tensor<4x8x?x128xf16>
!k = tensor<4x8x?x128xf16, #sparseflow.quantized<key_int8, scale = token x 64 : f16>>
!v = tensor<4x8x?x128xf16, #sparseflow.quantized<value_int8, scale = token : f16>>
// CHECK: sm90a.attention.beside_d128_few for up to 64 queries
// CHECK-NEXT: sparseflow.attention
// CHECK-NEXT: ^
// CHECK-NEXT: sm90a.attention.beside_d128_split up to 66 blocks
func.func @few_for_a_key_of_groups(%q: !q, %k: !k, %v: !v) -> !q {
  %o = sparseflow.attention %q, %k, %v {causal} : !q, !k, !v -> !q
  return %o : !q
}

// -----

// Blocks of a cluster have two heads of a key head, and dequantize half of a stage each.
!q = tensor<4x16x?x128xf16>
!k = tensor<4x8x?x128xf16, #sparseflow.quantized<key_int8, scale = token : f16>>
!v = tensor<4x8x?x128xf16, #sparseflow.quantized<value_int8, scale = token : f16>>
// CHECK: sm90a.attention.beside_d128_few_shared for up to 64 queries from 100 blocks on and up to 4 tiles of 128 queries for a key head and 256 keys: 64 queries a block, {{.*}}, which producer warps dequantize, of 2 blocks of a cluster a part each
// CHECK: sm90a.attention.beside_d128_shared from 65 blocks on and from 133 tiles of 64 queries on and up to 8 tiles of 128 queries for a key head and 256 keys: 128 queries a block
func.func @pairs_of_heads(%q: !q, %k: !k, %v: !v) -> !q {
  %o = sparseflow.attention %q, %k, %v {causal} : !q, !k, !v -> !q
  return %o : !q
}

// -----

// Three heads are no pairs.
!q = tensor<4x24x?x128xf16>
!k = tensor<4x8x?x128xf16, #sparseflow.quantized<key_int8, scale = token : f16>>
!v = tensor<4x8x?x128xf16, #sparseflow.quantized<value_int8, scale = token : f16>>
// CHECK-NOT: _shared
// CHECK: sm90a.attention.beside_d128 from 65 blocks on
func.func @three_heads(%q: !q, %k: !k, %v: !v) -> !q {
  %o = sparseflow.attention %q, %k, %v {causal} : !q, !k, !v -> !q
  return %o : !q
}
