// Which form of attention is chosen on sm_90a, and why, is said.
//
// RUN: sparseflow-opt %s --sparseflow-select-schedule="target=sm_90a" 2>&1 >/dev/null | FileCheck %s

func.func @mapped(%q: tensor<4x16x2048x128xf16>) -> tensor<4x16x2048x128xf16> {
  // CHECK: :[[@LINE+3]]:{{.*}} remark: [schedule] sm90a.attention.d128 from 132 blocks on: 128
  // CHECK: :[[@LINE+2]]:{{.*}} remark: [schedule] sm90a.attention.d128_wave from 65 blocks on and from 133 tiles of 64 queries on: 128
  // CHECK-NOT: no kernel with tensor maps
  %o = sparseflow.attention %q, %q, %q
    : tensor<4x16x2048x128xf16>, tensor<4x16x2048x128xf16>, tensor<4x16x2048x128xf16> -> tensor<4x16x2048x128xf16>
  return %o : tensor<4x16x2048x128xf16>
}

// Long causal attention shares copies; a window leaves little to share.
func.func @long(%q: tensor<1x16x16384x128xf16>) -> tensor<1x16x16384x128xf16> {
  // CHECK: :[[@LINE+1]]:{{.*}} remark: [schedule] sm90a.attention.d128_long from 132 blocks on: {{.*}} stages of 128 keys that 2 blocks of a cluster share
  %o = sparseflow.attention %q, %q, %q {causal}
    : tensor<1x16x16384x128xf16>, tensor<1x16x16384x128xf16>, tensor<1x16x16384x128xf16> -> tensor<1x16x16384x128xf16>
  return %o : tensor<1x16x16384x128xf16>
}

func.func @narrow(%q: tensor<1x16x16384x128xf16>) -> tensor<1x16x16384x128xf16> {
  // CHECK-NOT: d128_long
  // CHECK: :[[@LINE+1]]:{{.*}} remark: [schedule] sm90a.attention.d128 from
  %o = sparseflow.attention %q, %q, %q {causal, window = 256 : i64}
    : tensor<1x16x16384x128xf16>, tensor<1x16x16384x128xf16>, tensor<1x16x16384x128xf16> -> tensor<1x16x16384x128xf16>
  return %o : tensor<1x16x16384x128xf16>
}

func.func @wide(%q: tensor<4x16x2048x256xf16>) -> tensor<4x16x2048x256xf16> {
  // CHECK: :[[@LINE+3]]:{{.*}} remark: [schedule] sm90a.attention.d256 from 100 blocks on: 128 queries a block
  // CHECK: :[[@LINE+2]]:{{.*}} remark: [schedule] sm90a.attention.d256_small: 64 queries a block
  // CHECK-NOT: no kernel with tensor maps
  %o = sparseflow.attention %q, %q, %q
    : tensor<4x16x2048x256xf16>, tensor<4x16x2048x256xf16>, tensor<4x16x2048x256xf16> -> tensor<4x16x2048x256xf16>
  return %o : tensor<4x16x2048x256xf16>
}

func.func @one_query(%q: tensor<4x16x1x32xf16>, %k: tensor<4x16x2048x32xf16>) -> tensor<4x16x1x32xf16> {
  // CHECK: :[[@LINE+1]]:{{.*}} remark: [schedule] no kernel with tensor maps: the table has no row of one for 32 features
  %o = sparseflow.attention %q, %k, %k
    : tensor<4x16x1x32xf16>, tensor<4x16x2048x32xf16>, tensor<4x16x2048x32xf16> -> tensor<4x16x1x32xf16>
  return %o : tensor<4x16x1x32xf16>
}

func.func @ragged(%q: tensor<4x16x2048x128xf16>, %n: tensor<4xi32>) -> tensor<4x16x2048x128xf16> {
  // CHECK: :[[@LINE+3]]:{{.*}} remark: [schedule] sm90a.attention.d128 from 132 blocks on
  // CHECK: :[[@LINE+2]]:{{.*}} remark: [schedule] values of the stage that a length cuts are overwritten with zeros behind it: by tensor maps they come as they are
  // CHECK-NOT: no kernel with tensor maps
  %o = sparseflow.attention %q, %q, %q lengths(%n : tensor<4xi32>)
    : tensor<4x16x2048x128xf16>, tensor<4x16x2048x128xf16>, tensor<4x16x2048x128xf16> -> tensor<4x16x2048x128xf16>
  return %o : tensor<4x16x2048x128xf16>
}

// Threads that dequantize keys meet nobody who would overwrite full values: a kernel in
// front does.
func.func @ragged_keys(%q: tensor<4x16x2048x64xf16>, %k: tensor<4x16x2048x64xf16, #sparseflow.ternary<key_planes, scale = head : f32>>, %n: tensor<4xi32>) -> tensor<4x16x2048x64xf16> {
  // CHECK: :[[@LINE+1]]:{{.*}} remark: [schedule] a kernel in front dequantizes planes, not warps beside those that multiply: the number of keys differs between batch entries
  %o = sparseflow.attention %q, %k, %q lengths(%n : tensor<4xi32>)
    : tensor<4x16x2048x64xf16>, tensor<4x16x2048x64xf16, #sparseflow.ternary<key_planes, scale = head : f32>>, tensor<4x16x2048x64xf16> -> tensor<4x16x2048x64xf16>
  return %o : tensor<4x16x2048x64xf16>
}

// A number for each query and key leaves registers for wgmma where both numbers are known.
func.func @bias(%q: tensor<4x16x2048x128xf16>, %b: tensor<2048x2048xf16>) -> tensor<4x16x2048x128xf16> {
  // CHECK: :[[@LINE+1]]:{{.*}} remark: [schedule] sm90a.attention.d128 from 132 blocks on
  %o = sparseflow.attention %q, %q, %q operands(%b : tensor<2048x2048xf16>) as ["qk"] score {
  ^bb0(%s: f32, %i0: i32, %i1: i32, %i2: i32, %i3: i32, %x: f16):
    %0 = arith.extf %x : f16 to f32
    %1 = arith.addf %s, %0 : f32
    sparseflow.yield %1 : f32
  } : tensor<4x16x2048x128xf16>, tensor<4x16x2048x128xf16>, tensor<4x16x2048x128xf16> -> tensor<4x16x2048x128xf16>
  return %o : tensor<4x16x2048x128xf16>
}

func.func @bias_of_any_keys(%q: tensor<4x16x2048x128xf16>, %k: tensor<4x16x?x128xf16>, %b: tensor<2048x?xf16>) -> tensor<4x16x2048x128xf16> {
  // CHECK: :[[@LINE+1]]:{{.*}} remark: [schedule] no kernel with tensor maps: score operand #0 has an element for each query and key, and the numbers of queries and keys are not known
  %o = sparseflow.attention %q, %k, %k operands(%b : tensor<2048x?xf16>) as ["qk"] score {
  ^bb0(%s: f32, %i0: i32, %i1: i32, %i2: i32, %i3: i32, %x: f16):
    %0 = arith.extf %x : f16 to f32
    %1 = arith.addf %s, %0 : f32
    sparseflow.yield %1 : f32
  } : tensor<4x16x2048x128xf16>, tensor<4x16x?x128xf16>, tensor<4x16x?x128xf16> -> tensor<4x16x2048x128xf16>
  return %o : tensor<4x16x2048x128xf16>
}

func.func @odd(%q: tensor<4x16x2048x36xf16>) -> tensor<4x16x2048x36xf16> {
  // CHECK: :[[@LINE+1]]:{{.*}} remark: [schedule] no kernel with tensor maps: rows of D = 36 and D_v = 36 are no multiples of 16 bytes
  %o = sparseflow.attention %q, %q, %q
    : tensor<4x16x2048x36xf16>, tensor<4x16x2048x36xf16>, tensor<4x16x2048x36xf16> -> tensor<4x16x2048x36xf16>
  return %o : tensor<4x16x2048x36xf16>
}

func.func @paged(%q: tensor<4x16x1x128xf16>, %k: tensor<99x2x64x128xf16>, %t: tensor<4x64xi32>) -> tensor<4x16x1x128xf16> {
  // CHECK: :[[@LINE+2]]:{{.*}} remark: [schedule] sm90a.attention.decode{{.*}} 64 queries a block
  // CHECK-NOT: no kernel with tensor maps
  %o = sparseflow.attention %q, %k, %k pages(%t : tensor<4x64xi32>)
    : tensor<4x16x1x128xf16>, tensor<99x2x64x128xf16>, tensor<99x2x64x128xf16> -> tensor<4x16x1x128xf16>
  return %o : tensor<4x16x1x128xf16>
}

// Blocks of a cluster would share a page.
func.func @long_pages(%q: tensor<1x16x16384x128xf16>, %k: tensor<299x16x64x128xf16>, %t: tensor<1x256xi32>) -> tensor<1x16x16384x128xf16> {
  // CHECK-NOT: d128_long
  // CHECK: :[[@LINE+1]]:{{.*}} remark: [schedule] sm90a.attention.d128 from
  %o = sparseflow.attention %q, %k, %k pages(%t : tensor<1x256xi32>) {causal}
    : tensor<1x16x16384x128xf16>, tensor<299x16x64x128xf16>, tensor<299x16x64x128xf16> -> tensor<1x16x16384x128xf16>
  return %o : tensor<1x16x16384x128xf16>
}

func.func @odd_pages(%q: tensor<4x16x1x128xf16>, %k: tensor<99x2x48x128xf16>, %t: tensor<4x64xi32>) -> tensor<4x16x1x128xf16> {
  // CHECK: :[[@LINE+1]]:{{.*}} remark: [schedule] no kernel with tensor maps: pages of 48 keys are no power of two
  %o = sparseflow.attention %q, %k, %k pages(%t : tensor<4x64xi32>)
    : tensor<4x16x1x128xf16>, tensor<99x2x48x128xf16>, tensor<99x2x48x128xf16> -> tensor<4x16x1x128xf16>
  return %o : tensor<4x16x1x128xf16>
}
