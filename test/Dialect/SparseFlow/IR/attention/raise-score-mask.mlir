// Masks in score regions become attributes where they are these; what only looks like one stays.
//
// RUN: sparseflow-opt %s --canonicalize | FileCheck %s
// RUN: sparseflow-opt %s --canonicalize 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// A window and a causal mask, as differences.
// CHECK-LABEL: @window
// CHECK: sparseflow.attention %{{.*}}, %{{.*}}, %{{.*}} {causal, window = 7 : i64} :
// REMARK: remark: [mask] the score region is -inf behind a query's own key: causal, and 7 or more keys before a query's own: window = 7
func.func @window(%q: tensor<?x1x32x64xf16>, %k: tensor<?x1x32x64xf16>) -> tensor<?x1x32x64xf16> {
  %o = sparseflow.attention %q, %k, %k score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
    %none = arith.constant 0xFF800000 : f32
    %w = arith.constant 7 : i32
    %zero = arith.constant 0 : i32
    %d = arith.subi %i, %j : i32
    %x = arith.cmpi sge, %d, %zero : i32
    %y = arith.cmpi slt, %d, %w : i32
    %m = arith.andi %x, %y : i1
    %r = arith.select %m, %s, %none : f32
    sparseflow.yield %r : f32
  } : tensor<?x1x32x64xf16>, tensor<?x1x32x64xf16>, tensor<?x1x32x64xf16> -> tensor<?x1x32x64xf16>
  return %o : tensor<?x1x32x64xf16>
}

// One unsigned comparison is both; keys that are more than queries move positions.
// CHECK-LABEL: @unsigned
// CHECK: sparseflow.attention %{{.*}}, %{{.*}}, %{{.*}} {causal, window = 9 : i64} :
func.func @unsigned(%q: tensor<?x1x32x64xf16>, %k: tensor<?x1x40x64xf16>) -> tensor<?x1x32x64xf16> {
  %o = sparseflow.attention %q, %k, %k score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
    %none = arith.constant 0xFF800000 : f32
    %w = arith.constant 9 : i32
    %eight = arith.constant 8 : i32
    %p = arith.addi %i, %eight : i32
    %d = arith.subi %p, %j : i32
    %m = arith.cmpi ult, %d, %w : i32
    %r = arith.select %m, %s, %none : f32
    sparseflow.yield %r : f32
  } : tensor<?x1x32x64xf16>, tensor<?x1x40x64xf16>, tensor<?x1x40x64xf16> -> tensor<?x1x32x64xf16>
  return %o : tensor<?x1x32x64xf16>
}

// A window to both sides; the first key is a maximum.
// CHECK-LABEL: @both_sides
// CHECK: sparseflow.attention %{{.*}}, %{{.*}}, %{{.*}} {window = 4 : i64} :
func.func @both_sides(%q: tensor<?x1x32x64xf16>, %k: tensor<?x1x32x64xf16>) -> tensor<?x1x32x64xf16> {
  %o = sparseflow.attention %q, %k, %k score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
    %none = arith.constant 0xFF800000 : f32
    %three = arith.constant 3 : i32
    %zero = arith.constant 0 : i32
    %f = arith.subi %i, %three : i32
    %g = arith.maxsi %f, %zero : i32
    %e = arith.addi %i, %three : i32
    %x = arith.cmpi slt, %j, %g : i32
    %y = arith.cmpi sgt, %j, %e : i32
    %m = arith.ori %x, %y : i1
    %r = arith.select %m, %none, %s : f32
    sparseflow.yield %r : f32
  } : tensor<?x1x32x64xf16>, tensor<?x1x32x64xf16>, tensor<?x1x32x64xf16> -> tensor<?x1x32x64xf16>
  return %o : tensor<?x1x32x64xf16>
}

// A mask that is added to products of f16, in f16 before.
// CHECK-LABEL: @added
// CHECK: sparseflow.attention %{{.*}}, %{{.*}}, %{{.*}} {causal} :
func.func @added(%q: tensor<?x1x32x64xf16>, %k: tensor<?x1x32x64xf16>) -> tensor<?x1x32x64xf16> {
  %o = sparseflow.attention %q, %k, %k score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
    %none = arith.constant 0xFC00 : f16
    %zero = arith.constant 0.0 : f16
    %c = arith.cmpi ugt, %j, %i : i32
    %a = arith.select %c, %none, %zero : f16
    %e = arith.extf %a : f16 to f32
    %r = arith.addf %s, %e : f32
    sparseflow.yield %r : f32
  } : tensor<?x1x32x64xf16>, tensor<?x1x32x64xf16>, tensor<?x1x32x64xf16> -> tensor<?x1x32x64xf16>
  return %o : tensor<?x1x32x64xf16>
}

// Products of bf16 may be infinite: infinity minus infinity is no -inf.
// CHECK-LABEL: @added_wide
// CHECK: arith.cmpi
// CHECK-NOT: causal
// CHECK: return
func.func @added_wide(%q: tensor<?x1x32x64xbf16>, %k: tensor<?x1x32x64xbf16>) -> tensor<?x1x32x64xbf16> {
  %o = sparseflow.attention %q, %k, %k score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
    %none = arith.constant 0xFF800000 : f32
    %zero = arith.constant 0.0 : f32
    %c = arith.cmpi sgt, %j, %i : i32
    %a = arith.select %c, %none, %zero : f32
    %r = arith.addf %s, %a : f32
    sparseflow.yield %r : f32
  } : tensor<?x1x32x64xbf16>, tensor<?x1x32x64xbf16>, tensor<?x1x32x64xbf16> -> tensor<?x1x32x64xbf16>
  return %o : tensor<?x1x32x64xbf16>
}

// So may products in f16, and indices.
// CHECK-LABEL: @added_half
// CHECK: arith.cmpi
// CHECK-NOT: causal
// CHECK: return
func.func @added_half(%q: tensor<?x1x32x64xf16>, %k: tensor<?x1x32x64xf16>) -> tensor<?x1x32x64xf16> {
  %o = sparseflow.attention %q, %k, %k score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
    %none = arith.constant 0xFC00 : f16
    %zero = arith.constant 0.0 : f16
    %far = arith.constant 30000.0 : f16
    %c = arith.cmpi ugt, %j, %i : i32
    %a = arith.select %c, %none, %zero : f16
    %n = arith.sitofp %j : i32 to f16
    %f = arith.mulf %n, %far : f16
    %t = arith.addf %f, %a : f16
    %e = arith.extf %t : f16 to f32
    %r = arith.addf %s, %e : f32
    sparseflow.yield %r : f32
  } : tensor<?x1x32x64xf16>, tensor<?x1x32x64xf16>, tensor<?x1x32x64xf16> -> tensor<?x1x32x64xf16>
  return %o : tensor<?x1x32x64xf16>
}

// Padding beside a causal mask stays, and so does what is done to the score.
// CHECK-LABEL: @padding
// CHECK: score {
// CHECK-NOT: arith.cmpi
// CHECK: math.tanh
// CHECK: arith.cmpf
// CHECK: arith.select
// CHECK: } {causal} :
func.func @padding(%q: tensor<?x1x32x64xf16>, %k: tensor<?x1x32x64xf16>, %pad: tensor<?x32xf16>) -> tensor<?x1x32x64xf16> {
  %o = sparseflow.attention %q, %k, %k operands(%pad : tensor<?x32xf16>) as ["bk"] score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32, %in: f16):
    %none = arith.constant 0xFF800000 : f32
    %zero = arith.constant 0.0 : f16
    %t = math.tanh %s : f32
    %c = arith.cmpi sle, %j, %i : i32
    %d = arith.cmpf one, %in, %zero : f16
    %m = arith.andi %d, %c : i1
    %r = arith.select %m, %t, %none : f32
    sparseflow.yield %r : f32
  } : tensor<?x1x32x64xf16>, tensor<?x1x32x64xf16>, tensor<?x1x32x64xf16> -> tensor<?x1x32x64xf16>
  return %o : tensor<?x1x32x64xf16>
}

// What the attributes say already is not compared again.
// CHECK-LABEL: @implied
// CHECK: sparseflow.attention %{{.*}}, %{{.*}}, %{{.*}} {causal, window = 5 : i64} :
func.func @implied(%q: tensor<?x1x32x64xf16>, %k: tensor<?x1x32x64xf16>) -> tensor<?x1x32x64xf16> {
  %o = sparseflow.attention %q, %k, %k score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
    %none = arith.constant 0xFF800000 : f32
    %eight = arith.constant 8 : i32
    %d = arith.subi %i, %j : i32
    %c = arith.cmpi slt, %d, %eight : i32
    %r = arith.select %c, %s, %none : f32
    sparseflow.yield %r : f32
  } {causal, window = 5 : i64} : tensor<?x1x32x64xf16>, tensor<?x1x32x64xf16>, tensor<?x1x32x64xf16> -> tensor<?x1x32x64xf16>
  return %o : tensor<?x1x32x64xf16>
}

// Sequences with as many keys as queries, whatever these are.
// CHECK-LABEL: @packed
// CHECK: sparseflow.attention {{.*}} cu_seqlens(%{{.*}}, %{{.*}} : tensor<?xi32>, tensor<?xi32>) {causal} :
// CHECK: sparseflow.attention {{.*}} cu_seqlens(%{{.*}}, %{{.*}} : tensor<?xi32>, tensor<?xi32>) score {
func.func @packed(%q: tensor<1x1x?x64xf16>, %cu: tensor<?xi32>, %other: tensor<?xi32>) -> (tensor<1x1x?x64xf16>, tensor<1x1x?x64xf16>) {
  %o = sparseflow.attention %q, %q, %q cu_seqlens(%cu, %cu : tensor<?xi32>, tensor<?xi32>) score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
    %none = arith.constant 0xFF800000 : f32
    %c = arith.cmpi sle, %j, %i : i32
    %r = arith.select %c, %s, %none : f32
    sparseflow.yield %r : f32
  } : tensor<1x1x?x64xf16>, tensor<1x1x?x64xf16>, tensor<1x1x?x64xf16> -> tensor<1x1x?x64xf16>
  %p = sparseflow.attention %q, %q, %q cu_seqlens(%cu, %other : tensor<?xi32>, tensor<?xi32>) score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
    %none = arith.constant 0xFF800000 : f32
    %c = arith.cmpi sle, %j, %i : i32
    %r = arith.select %c, %s, %none : f32
    sparseflow.yield %r : f32
  } : tensor<1x1x?x64xf16>, tensor<1x1x?x64xf16>, tensor<1x1x?x64xf16> -> tensor<1x1x?x64xf16>
  return %o, %p : tensor<1x1x?x64xf16>, tensor<1x1x?x64xf16>
}

// Not causal: a large negative number; the other way round; a prefix beside it; a diagonal that
// is not that of the last key; a condition of the head; an exclusive or; a mask below a soft cap.
// CHECK-LABEL: @others
// CHECK-NOT: causal
// CHECK-NOT: window
// CHECK: return
func.func @others(%q: tensor<?x2x32x64xf16>, %k: tensor<?x2x40x64xf16>) -> (tensor<?x2x32x64xf16>, tensor<?x2x32x64xf16>, tensor<?x2x32x64xf16>, tensor<?x2x32x64xf16>, tensor<?x2x32x64xf16>, tensor<?x2x32x64xf16>) {
  %huge = sparseflow.attention %q, %q, %q score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
    %none = arith.constant -1.0e30 : f32
    %c = arith.cmpi sle, %j, %i : i32
    %r = arith.select %c, %s, %none : f32
    sparseflow.yield %r : f32
  } : tensor<?x2x32x64xf16>, tensor<?x2x32x64xf16>, tensor<?x2x32x64xf16> -> tensor<?x2x32x64xf16>
  %turned = sparseflow.attention %q, %q, %q score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
    %none = arith.constant 0xFF800000 : f32
    %c = arith.cmpi sge, %j, %i : i32
    %r = arith.select %c, %s, %none : f32
    sparseflow.yield %r : f32
  } : tensor<?x2x32x64xf16>, tensor<?x2x32x64xf16>, tensor<?x2x32x64xf16> -> tensor<?x2x32x64xf16>
  %prefix = sparseflow.attention %q, %q, %q score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
    %none = arith.constant 0xFF800000 : f32
    %p = arith.constant 5 : i32
    %c = arith.cmpi sle, %j, %i : i32
    %d = arith.cmpi slt, %j, %p : i32
    %m = arith.ori %c, %d : i1
    %r = arith.select %m, %s, %none : f32
    sparseflow.yield %r : f32
  } : tensor<?x2x32x64xf16>, tensor<?x2x32x64xf16>, tensor<?x2x32x64xf16> -> tensor<?x2x32x64xf16>
  %first = sparseflow.attention %q, %k, %k score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
    %none = arith.constant 0xFF800000 : f32
    %c = arith.cmpi sle, %j, %i : i32
    %r = arith.select %c, %s, %none : f32
    sparseflow.yield %r : f32
  } : tensor<?x2x32x64xf16>, tensor<?x2x40x64xf16>, tensor<?x2x40x64xf16> -> tensor<?x2x32x64xf16>
  %heads = sparseflow.attention %q, %q, %q score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
    %none = arith.constant 0xFF800000 : f32
    %zero = arith.constant 0 : i32
    %c = arith.cmpi sle, %j, %i : i32
    %d = arith.cmpi eq, %h, %zero : i32
    %m = arith.ori %c, %d : i1
    %r = arith.select %m, %s, %none : f32
    sparseflow.yield %r : f32
  } : tensor<?x2x32x64xf16>, tensor<?x2x32x64xf16>, tensor<?x2x32x64xf16> -> tensor<?x2x32x64xf16>
  %below = sparseflow.attention %q, %q, %q score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
    %none = arith.constant 0xFF800000 : f32
    %c = arith.cmpi sle, %j, %i : i32
    %m = arith.select %c, %s, %none : f32
    %r = math.tanh %m : f32
    sparseflow.yield %r : f32
  } : tensor<?x2x32x64xf16>, tensor<?x2x32x64xf16>, tensor<?x2x32x64xf16> -> tensor<?x2x32x64xf16>
  return %huge, %turned, %prefix, %first, %heads, %below : tensor<?x2x32x64xf16>, tensor<?x2x32x64xf16>, tensor<?x2x32x64xf16>, tensor<?x2x32x64xf16>, tensor<?x2x32x64xf16>, tensor<?x2x32x64xf16>
}

// Nor what lengths move, sizes that are not known, and an index that may wrap around.
// CHECK-LABEL: @unknown
// CHECK-NOT: causal
// CHECK: return
func.func @unknown(%q: tensor<?x2x32x64xf16>, %p: tensor<?x2x?x64xf16>, %n: tensor<?xi32>) -> (tensor<?x2x32x64xf16>, tensor<?x2x?x64xf16>, tensor<?x2x32x64xf16>) {
  %a = sparseflow.attention %q, %q, %q lengths(%n : tensor<?xi32>) score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
    %none = arith.constant 0xFF800000 : f32
    %c = arith.cmpi sle, %j, %i : i32
    %r = arith.select %c, %s, %none : f32
    sparseflow.yield %r : f32
  } : tensor<?x2x32x64xf16>, tensor<?x2x32x64xf16>, tensor<?x2x32x64xf16> -> tensor<?x2x32x64xf16>
  %b0 = sparseflow.attention %p, %p, %p score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
    %none = arith.constant 0xFF800000 : f32
    %c = arith.cmpi sle, %j, %i : i32
    %r = arith.select %c, %s, %none : f32
    sparseflow.yield %r : f32
  } : tensor<?x2x?x64xf16>, tensor<?x2x?x64xf16>, tensor<?x2x?x64xf16> -> tensor<?x2x?x64xf16>
  %c0 = sparseflow.attention %q, %q, %q score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
    %none = arith.constant 0xFF800000 : f32
    %far = arith.constant 2147483640 : i32
    %t = arith.addi %i, %far : i32
    %u = arith.addi %j, %far : i32
    %c = arith.cmpi sle, %u, %t : i32
    %r = arith.select %c, %s, %none : f32
    sparseflow.yield %r : f32
  } : tensor<?x2x32x64xf16>, tensor<?x2x32x64xf16>, tensor<?x2x32x64xf16> -> tensor<?x2x32x64xf16>
  return %a, %b0, %c0 : tensor<?x2x32x64xf16>, tensor<?x2x?x64xf16>, tensor<?x2x32x64xf16>
}
