// RUN: sparseflow-opt %s --canonicalize | FileCheck %s

// One query stands at the last key: nothing comes after it.
// CHECK-LABEL: @one_query
// CHECK: sparseflow.attention %{{.*}}, %{{.*}}, %{{.*}} : tensor<2x4x1x64xf16>
func.func @one_query(%q: tensor<2x4x1x64xf16>, %k: tensor<2x4x?x64xf16>)
    -> tensor<2x4x1x64xf16> {
  %o = sparseflow.attention %q, %k, %k {causal}
    : tensor<2x4x1x64xf16>, tensor<2x4x?x64xf16>, tensor<2x4x?x64xf16>
      -> tensor<2x4x1x64xf16>
  return %o : tensor<2x4x1x64xf16>
}

// The window of the first op reaches over everything, that of the second does
// not: its last query stands at key 63 and sees keys from 1 on.
// CHECK-LABEL: @wide_window
// CHECK: sparseflow.attention {{.*}} {causal} : tensor<1x1x32x64xf16>
// CHECK: sparseflow.attention {{.*}} {causal, window = 63 : i64} :
func.func @wide_window(%q: tensor<1x1x32x64xf16>, %k: tensor<1x1x64x64xf16>)
    -> (tensor<1x1x32x64xf16>, tensor<1x1x32x64xf16>) {
  %a = sparseflow.attention %q, %k, %k {causal, window = 64 : i64}
    : tensor<1x1x32x64xf16>, tensor<1x1x64x64xf16>, tensor<1x1x64x64xf16>
      -> tensor<1x1x32x64xf16>
  %b = sparseflow.attention %q, %k, %k {causal, window = 63 : i64}
    : tensor<1x1x32x64xf16>, tensor<1x1x64x64xf16>, tensor<1x1x64x64xf16>
      -> tensor<1x1x32x64xf16>
  return %a, %b : tensor<1x1x32x64xf16>, tensor<1x1x32x64xf16>
}

// A window over more queries than keys is needed: with 64 queries and 32 keys
// the first query stands at position -32.
// CHECK-LABEL: @more_queries
// CHECK: window = 63 : i64
func.func @more_queries(%q: tensor<1x1x64x64xf16>, %k: tensor<1x1x32x64xf16>)
    -> tensor<1x1x64x64xf16> {
  %a = sparseflow.attention %q, %k, %k {window = 63 : i64}
    : tensor<1x1x64x64xf16>, tensor<1x1x32x64xf16>, tensor<1x1x32x64xf16>
      -> tensor<1x1x64x64xf16>
  return %a : tensor<1x1x64x64xf16>
}

// A score region that only scales is a scale; what it does not read goes away.
// CHECK-LABEL: @scaled
// CHECK: sparseflow.attention %{{.*}}, %{{.*}}, %{{.*}} {scale = 5.000000e-01 : f32} :
func.func @scaled(%q: tensor<1x1x8x64xf16>, %k: tensor<1x1x8x64xf16>,
                  %bias: tensor<8x8xf16>) -> tensor<1x1x8x64xf16> {
  %o = sparseflow.attention %q, %k, %k
      operands(%bias : tensor<8x8xf16>) as ["qk"] score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32, %in: f16):
    %two = arith.constant 2.0 : f32
    %0 = arith.mulf %s, %two : f32
    sparseflow.yield %0 : f32
  } {scale = 0.25 : f32}
    : tensor<1x1x8x64xf16>, tensor<1x1x8x64xf16>, tensor<1x1x8x64xf16>
      -> tensor<1x1x8x64xf16>
  return %o : tensor<1x1x8x64xf16>
}

// The same operand twice is one, a splat constant none. Indexed differently it
// stays two.
// CHECK-LABEL: @operands
// CHECK: operands(%{{.*}}, %{{.*}} : tensor<8x8xf32>, tensor<8x8xf32>) as ["qk", "bk"]
func.func @operands(%q: tensor<8x1x8x64xf16>, %k: tensor<8x1x8x64xf16>,
                    %bias: tensor<8x8xf32>) -> tensor<8x1x8x64xf16> {
  %c = arith.constant dense<0.5> : tensor<8xf32>
  %o = sparseflow.attention %q, %k, %k
      operands(%bias, %bias, %c, %bias
               : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8xf32>,
                 tensor<8x8xf32>) as ["qk", "qk", "q", "bk"] score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32, %x: f32, %y: f32, %z: f32,
       %w: f32):
    %0 = arith.addf %s, %x : f32
    %1 = arith.addf %0, %y : f32
    %2 = arith.addf %1, %z : f32
    %3 = arith.addf %2, %w : f32
    sparseflow.yield %3 : f32
  } : tensor<8x1x8x64xf16>, tensor<8x1x8x64xf16>, tensor<8x1x8x64xf16>
      -> tensor<8x1x8x64xf16>
  return %o : tensor<8x1x8x64xf16>
}

// CHECK-LABEL: @unused_lse
// CHECK: = sparseflow.attention {{.*}} -> tensor<1x1x8x64xf16>{{$}}
func.func @unused_lse(%q: tensor<1x1x8x64xf16>) -> tensor<1x1x8x64xf16> {
  %o, %lse = sparseflow.attention %q, %q, %q
    : tensor<1x1x8x64xf16>, tensor<1x1x8x64xf16>, tensor<1x1x8x64xf16>
      -> tensor<1x1x8x64xf16>, tensor<1x1x8xf32>
  return %o : tensor<1x1x8x64xf16>
}

// Without keys rows are zeros, and their log-sum-exp is -inf.
// CHECK-LABEL: func.func @no_keys(
//   CHECK-NOT: sparseflow.attention
//   CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f16
//   CHECK-DAG: %[[NONE:.*]] = arith.constant 0xFF800000 : f32
//       CHECK: linalg.fill ins(%[[ZERO]] : f16)
//       CHECK: linalg.fill ins(%[[NONE]] : f32)
func.func @no_keys(%q: tensor<?x2x4x64xf16>, %k: tensor<?x1x0x64xf16>, %v: tensor<?x1x0x64xf16>) -> (tensor<?x2x4x64xf16>, tensor<?x2x4xf32>) {
  %o, %lse = sparseflow.attention %q, %k, %v : tensor<?x2x4x64xf16>, tensor<?x1x0x64xf16>, tensor<?x1x0x64xf16> -> tensor<?x2x4x64xf16>, tensor<?x2x4xf32>
  return %o, %lse : tensor<?x2x4x64xf16>, tensor<?x2x4xf32>
}

// Pages: 5 of 16 keys are 80, and no column or no page is no key.
// CHECK-LABEL: func.func @paged_window(
// CHECK: sparseflow.attention {{.*}} pages(%{{.*}} : tensor<1x5xi32>) {causal, window = 79 : i64} :
// CHECK: sparseflow.attention {{.*}} pages(%{{.*}} : tensor<1x5xi32>) {causal} :
func.func @paged_window(%q: tensor<1x1x32x64xf16>, %k: tensor<9x1x16x64xf16>, %t: tensor<1x5xi32>)
    -> (tensor<1x1x32x64xf16>, tensor<1x1x32x64xf16>) {
  %a = sparseflow.attention %q, %k, %k pages(%t : tensor<1x5xi32>) {causal, window = 79 : i64}
    : tensor<1x1x32x64xf16>, tensor<9x1x16x64xf16>, tensor<9x1x16x64xf16> -> tensor<1x1x32x64xf16>
  %b = sparseflow.attention %q, %k, %k pages(%t : tensor<1x5xi32>) {causal, window = 80 : i64}
    : tensor<1x1x32x64xf16>, tensor<9x1x16x64xf16>, tensor<9x1x16x64xf16> -> tensor<1x1x32x64xf16>
  return %a, %b : tensor<1x1x32x64xf16>, tensor<1x1x32x64xf16>
}

// CHECK-LABEL: func.func @no_pages(
//   CHECK-NOT: sparseflow.attention
//     CHECK: return
func.func @no_pages(%q: tensor<2x2x4x64xf16>, %k: tensor<9x1x16x64xf16>, %none: tensor<0x1x16x64xf16>, %t: tensor<2x0xi32>, %u: tensor<2x3xi32>)
    -> (tensor<2x2x4x64xf16>, tensor<2x2x4x64xf16>) {
  %a = sparseflow.attention %q, %k, %k pages(%t : tensor<2x0xi32>) : tensor<2x2x4x64xf16>, tensor<9x1x16x64xf16>, tensor<9x1x16x64xf16> -> tensor<2x2x4x64xf16>
  %b = sparseflow.attention %q, %none, %none pages(%u : tensor<2x3xi32>) : tensor<2x2x4x64xf16>, tensor<0x1x16x64xf16>, tensor<0x1x16x64xf16> -> tensor<2x2x4x64xf16>
  return %a, %b : tensor<2x2x4x64xf16>, tensor<2x2x4x64xf16>
}

// Values that are the first features of keys, of all rows, are read where they are.
// CHECK-LABEL: func.func @latent(
//  CHECK-SAME: %[[Q:.*]]: tensor<?x16x1x576xf16>, %[[CACHE:.*]]: tensor<?x1x?x576xf16>
//       CHECK: sparseflow.attention %[[Q]], %[[CACHE]], %[[CACHE]] {value_features = 512 : i64}
func.func @latent(%q: tensor<?x16x1x576xf16>, %cache: tensor<?x1x?x576xf16>) -> tensor<?x16x1x512xf16> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %b = tensor.dim %cache, %c0 : tensor<?x1x?x576xf16>
  %s = tensor.dim %cache, %c2 : tensor<?x1x?x576xf16>
  %v = tensor.extract_slice %cache[0, 0, 0, 0] [%b, 1, %s, 512] [1, 1, 1, 1] : tensor<?x1x?x576xf16> to tensor<?x1x?x512xf16>
  %o = sparseflow.attention %q, %cache, %v : tensor<?x16x1x576xf16>, tensor<?x1x?x576xf16>, tensor<?x1x?x512xf16> -> tensor<?x16x1x512xf16>
  return %o : tensor<?x16x1x512xf16>
}

// Other features, fewer rows, and all features.
// CHECK-LABEL: func.func @no_latent(
//       CHECK: tensor.extract_slice
//       CHECK: tensor.extract_slice
//   CHECK-NOT: value_features
//       CHECK: return
func.func @no_latent(%q: tensor<1x4x8x64xf16>, %k: tensor<1x1x8x64xf16>, %long: tensor<1x1x9x64xf16>)
    -> (tensor<1x4x8x32xf16>, tensor<1x4x8x32xf16>, tensor<1x4x8x64xf16>) {
  %v = tensor.extract_slice %k[0, 0, 0, 32] [1, 1, 8, 32] [1, 1, 1, 1] : tensor<1x1x8x64xf16> to tensor<1x1x8x32xf16>
  %w = tensor.extract_slice %long[0, 0, 0, 0] [1, 1, 8, 32] [1, 1, 1, 1] : tensor<1x1x9x64xf16> to tensor<1x1x8x32xf16>
  %a = sparseflow.attention %q, %k, %v : tensor<1x4x8x64xf16>, tensor<1x1x8x64xf16>, tensor<1x1x8x32xf16> -> tensor<1x4x8x32xf16>
  %b = sparseflow.attention %q, %k, %w : tensor<1x4x8x64xf16>, tensor<1x1x8x64xf16>, tensor<1x1x8x32xf16> -> tensor<1x4x8x32xf16>
  %c = sparseflow.attention %q, %k, %k {value_features = 64 : i64} : tensor<1x4x8x64xf16>, tensor<1x1x8x64xf16>, tensor<1x1x8x64xf16> -> tensor<1x4x8x64xf16>
  return %a, %b, %c : tensor<1x4x8x32xf16>, tensor<1x4x8x32xf16>, tensor<1x4x8x64xf16>
}

// As many queries as keys in all are not as many in each sequence: the score
// stays. A log-sum-exp that nobody reads goes, offsets do not.
// CHECK-LABEL: func.func @sequences(
// CHECK: sparseflow.attention {{.*}} cu_seqlens(%{{.*}}, %{{.*}} : tensor<3xi32>, tensor<3xi32>) score {
// CHECK: arith.select
// CHECK: } : tensor<1x2x8x64xf16>
func.func @sequences(%q: tensor<1x2x8x64xf16>, %k: tensor<1x1x8x64xf16>, %a: tensor<3xi32>, %b: tensor<3xi32>)
    -> tensor<1x2x8x64xf16> {
  %o, %l = sparseflow.attention %q, %k, %k cu_seqlens(%a, %b : tensor<3xi32>, tensor<3xi32>) score {
  ^bb0(%s: f32, %n: i32, %h: i32, %i: i32, %j: i32):
    %none = arith.constant 0xFF800000 : f32
    %c = arith.cmpi sle, %j, %i : i32
    %r = arith.select %c, %s, %none : f32
    sparseflow.yield %r : f32
  } : tensor<1x2x8x64xf16>, tensor<1x1x8x64xf16>, tensor<1x1x8x64xf16> -> tensor<1x2x8x64xf16>, tensor<1x2x8xf32>
  return %o : tensor<1x2x8x64xf16>
}

// Sinks of -inf are none, others stay, also where there are no keys: then they
// are the log-sum-exp.
// CHECK-LABEL: func.func @sinks(
// CHECK: sparseflow.attention %{{.*}}, %{{.*}}, %{{.*}} : tensor<1x4x8x64xf16>
// CHECK: sparseflow.attention {{.*}} sink_logits(%{{.*}} : tensor<4xf32>) : tensor<1x4x8x64xf16>
// CHECK: sparseflow.attention {{.*}} sink_logits(%{{.*}} : tensor<4xf32>) {{.*}} -> tensor<1x4x8x64xf16>, tensor<1x4x8xf32>
func.func @sinks(%q: tensor<1x4x8x64xf16>, %k: tensor<1x2x8x64xf16>, %none: tensor<1x2x0x64xf16>, %s: tensor<4xf32>)
    -> (tensor<1x4x8x64xf16>, tensor<1x4x8x64xf16>, tensor<1x4x8xf32>) {
  %idle = arith.constant dense<0xFF800000> : tensor<4xf32>
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %a = sparseflow.attention %q, %k, %k sink_logits(%idle : tensor<4xf32>)
    : tensor<1x4x8x64xf16>, tensor<1x2x8x64xf16>, tensor<1x2x8x64xf16> -> tensor<1x4x8x64xf16>
  %b = sparseflow.attention %q, %k, %k sink_logits(%zero : tensor<4xf32>)
    : tensor<1x4x8x64xf16>, tensor<1x2x8x64xf16>, tensor<1x2x8x64xf16> -> tensor<1x4x8x64xf16>
  %c, %l = sparseflow.attention %q, %none, %none sink_logits(%s : tensor<4xf32>)
    : tensor<1x4x8x64xf16>, tensor<1x2x0x64xf16>, tensor<1x2x0x64xf16> -> tensor<1x4x8x64xf16>, tensor<1x4x8xf32>
  return %a, %b, %l : tensor<1x4x8x64xf16>, tensor<1x4x8x64xf16>, tensor<1x4x8xf32>
}
