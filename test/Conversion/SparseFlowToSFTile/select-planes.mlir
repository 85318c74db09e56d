// RUN: sparseflow-opt %s --split-input-file --sparseflow-select-schedule=target=sm_90a -o /dev/null 2>&1 | FileCheck %s

// Which ternary keys and values are dequantized for wgmma, and why
// others are not.

!q = tensor<4x8x2048x128xf16>
!k = tensor<4x8x2048x128xf16, #sparseflow.ternary<key_planes, scale = head : f32>>
!v = tensor<4x8x2048x128xf16, #sparseflow.ternary<value_planes, scale = 32 : f32>>
// CHECK: sm90a.attention.planes_d128 from 132 blocks on: 128 queries a block, 16 a warp, 2 stages of 128 keys
// CHECK: sm80.attention.d128 {{.*}} 2 stages of 64 keys
// CHECK-NOT: expands
func.func @expanded(%q: !q, %k: !k, %v: !v) -> !q {
  %o = sparseflow.attention %q, %k, %v {causal} : !q, !k, !v -> !q
  return %o : !q
}

// -----

!q = tensor<4x8x2048x64xf16>
!k = tensor<4x8x2048x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>
!v = tensor<4x8x2048x64xf16>
// CHECK-NOT: planes_d64
// CHECK: sm90a.attention.cached_d64 from 132 blocks on and 2 tiles of 128 queries for a key head and 256 keys
// CHECK: a kernel in front dequantizes planes, not warps beside those that multiply: keys have a scale for each token
func.func @tokens(%q: !q, %k: !k, %v: !v) -> !q {
  %o = sparseflow.attention %q, %k, %v : !q, !k, !v -> !q
  return %o : !q
}

// -----

!q = tensor<4x8x2048x64xf16>
!k = tensor<4x8x2048x64xf16, #sparseflow.ternary<key_planes, scale = 32 : f32>>
!v = tensor<4x8x2048x64xf16>
// CHECK: a kernel in front dequantizes planes, not warps beside those that multiply: keys have scales for groups of 32 features
func.func @groups(%q: !q, %k: !k, %v: !v) -> !q {
  %o = sparseflow.attention %q, %k, %v : !q, !k, !v -> !q
  return %o : !q
}

// -----

!q = tensor<4x8x?x128xf16>
!k = tensor<4x8x?x128xf16, #sparseflow.ternary<key_planes, scale = head : f32>>
!v = tensor<4x8x?x128xf16>
// CHECK: a kernel in front dequantizes planes, not warps beside those that multiply: the mask of lengths that are not known takes registers
func.func @unknown(%q: !q, %k: !k, %v: !v) -> !q {
  %o = sparseflow.attention %q, %k, %v {causal} : !q, !k, !v -> !q
  return %o : !q
}

// -----

!q = tensor<4x8x2048x64xf16>
!k = tensor<4x8x2048x64xf16, #sparseflow.ternary<key_planes, scale = head : f32>>
!v = tensor<4x8x2048x64xf16>
// CHECK: a kernel in front dequantizes planes, not warps beside those that multiply: the number of keys differs between batch entries
func.func @lengths(%q: !q, %k: !k, %v: !v, %n: tensor<4xi32>) -> !q {
  %o = sparseflow.attention %q, %k, %v lengths(%n : tensor<4xi32>) {causal} : !q, !k, !v -> !q
  return %o : !q
}

// -----

!q = tensor<2x8x1x64xf16>
!k = tensor<2x2x2048x64xf16, #sparseflow.ternary<key_planes, scale = head : f32>>
!v = tensor<2x2x2048x64xf16, #sparseflow.ternary<value_planes, scale = token : f32>>
// CHECK: sm90.attention.bytes_many for up to 1 queries from 265 blocks on: {{.*}}, int8 MMAs, 4 warps for the keys of a block
// CHECK: sm90.attention.bytes for up to 1 queries: {{.*}}, int8 MMAs, 16 warps for the keys of a block
// CHECK-NOT: no int8 MMAs
func.func @bytes(%q: !q, %k: !k, %v: !v) -> !q {
  %o = sparseflow.attention %q, %k, %v : !q, !k, !v -> !q
  return %o : !q
}

// -----

!q = tensor<2x16x1x64xf16>
!k = tensor<2x2x2048x64xf16, #sparseflow.ternary<key_planes, scale = head : f32>>
!v = tensor<2x2x2048x64xf16, #sparseflow.ternary<value_planes, scale = head : f32>>
// CHECK: sm80.attention.decode for up to 1 queries
// CHECK: no int8 MMAs: 8 heads share a key head, more than 4
func.func @eight(%q: !q, %k: !k, %v: !v) -> !q {
  %o = sparseflow.attention %q, %k, %v : !q, !k, !v -> !q
  return %o : !q
}

// -----

!q = tensor<2x8x1x64xf16>
!k = tensor<2x2x2048x64xf16, #sparseflow.ternary<key_planes, scale = head : f32>>
!v = tensor<2x2x2048x64xf16, #sparseflow.ternary<value_planes, scale = token : f16>>
// CHECK: sm80.attention.decode for up to 1 queries
// CHECK: no int8 MMAs: scales of tokens are no f32
func.func @narrow(%q: !q, %k: !k, %v: !v) -> !q {
  %o = sparseflow.attention %q, %k, %v : !q, !k, !v -> !q
  return %o : !q
}
