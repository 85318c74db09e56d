// RUN: sparseflow-opt %s --sparseflow-fold-epilogues --canonicalize --cse --split-input-file --verify-diagnostics=all | FileCheck %s

#id = affine_map<(t, n) -> (t, n)>
#feature = affine_map<(t, n) -> (n)>
#token = affine_map<(t, n) -> (t)>
#scalar = affine_map<(t, n) -> ()>

// All broadcasts at once, in one generic.
// CHECK-LABEL: func.func @broadcasts
//  CHECK-SAME: %[[X:.*]]: tensor<?x64xf16>, %[[W:.*]]: tensor<32x64xf16, #sparseflow.nm<2:4>>, %[[B:.*]]: tensor<32xf32>, %[[S:.*]]: tensor<?xf32>, %[[R:.*]]: tensor<?x32xf32>, %[[F:.*]]: tensor<f32>,
//   CHECK-NOT: linalg
//       CHECK: sparseflow.matmul %[[X]], %[[W]] epilogue(%[[B]], %[[S]], %[[R]], %[[F]] : tensor<32xf32>, tensor<?xf32>, tensor<?x32xf32>, tensor<f32>) as [per_feature, per_token, full, scalar] {
//  CHECK-NEXT: ^bb0(%[[ACC:.*]]: f32, %[[BI:.*]]: f32, %[[SI:.*]]: f32, %[[RI:.*]]: f32, %[[FI:.*]]: f32):
//  CHECK-NEXT: %[[V0:.*]] = arith.mulf %[[ACC]], %[[SI]]
//  CHECK-NEXT: %[[V1:.*]] = arith.addf %[[V0]], %[[BI]]
//  CHECK-NEXT: %[[V2:.*]] = arith.mulf %[[V1]], %[[FI]]
//  CHECK-NEXT: %[[V3:.*]] = arith.addf %[[V2]], %[[RI]]
//  CHECK-NEXT: %[[V4:.*]] = arith.truncf %[[V3]]
//  CHECK-NEXT: sparseflow.yield %[[V4]] : f16
//   CHECK-NOT: linalg
func.func @broadcasts(%x: tensor<?x64xf16>, %w: tensor<32x64xf16, #sparseflow.nm<2:4>>,
    %b: tensor<32xf32>, %s: tensor<?xf32>, %r: tensor<?x32xf32>, %f: tensor<f32>,
    %e: tensor<?x32xf16>) -> tensor<?x32xf16> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<?x64xf16>, tensor<32x64xf16, #sparseflow.nm<2:4>> -> tensor<?x32xf32>
  // expected-remark @+1 {{[epilogue] fused arith.mulf, arith.addf, arith.truncf; operands: per_feature, per_token, full, scalar}}
  %z = linalg.generic {indexing_maps = [#feature, #id, #token, #id, #scalar, #id], iterator_types = ["parallel", "parallel"]}
    ins(%b, %y, %s, %r, %f : tensor<32xf32>, tensor<?x32xf32>, tensor<?xf32>, tensor<?x32xf32>, tensor<f32>)
    outs(%e : tensor<?x32xf16>) {
  ^bb0(%bi: f32, %yi: f32, %si: f32, %ri: f32, %fi: f32, %o: f16):
    %0 = arith.mulf %yi, %si : f32
    %1 = arith.addf %0, %bi : f32
    %2 = arith.mulf %1, %fi : f32
    %3 = arith.addf %2, %ri : f32
    %4 = arith.truncf %3 : f32 to f16
    linalg.yield %4 : f16
  } -> tensor<?x32xf16>
  return %z : tensor<?x32xf16>
}

// -----

// Named ops, an elementwise op, a map, a broadcast and a fill: one chain.
// CHECK-LABEL: func.func @named
//  CHECK-SAME: %[[X:.*]]: tensor<8x64xf16>, %[[W:.*]]: tensor<32x64xf16>, %[[B:.*]]: tensor<32xf32>
//   CHECK-NOT: linalg
//       CHECK: sparseflow.matmul %[[X]], %[[W]] epilogue(%[[B]] : tensor<32xf32>) as [per_feature] {
//       CHECK: %[[HALF:.*]] = arith.constant 5.000000e-01
//       CHECK: %[[V0:.*]] = arith.addf
//       CHECK: %[[V1:.*]] = math.exp %[[V0]]
//       CHECK: %[[V2:.*]] = math.tanh %[[V1]]
//       CHECK: %[[V3:.*]] = arith.mulf %[[V2]], %[[HALF]]
//       CHECK: sparseflow.yield %[[V3]]
//   CHECK-NOT: linalg
func.func @named(%x: tensor<8x64xf16>, %w: tensor<32x64xf16>, %b: tensor<32xf32>) -> tensor<8x32xf32> {
  %e = tensor.empty() : tensor<8x32xf32>
  %half = arith.constant 0.5 : f32
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<8x64xf16>, tensor<32x64xf16> -> tensor<8x32xf32>
  %bb = linalg.broadcast ins(%b : tensor<32xf32>) outs(%e : tensor<8x32xf32>) dimensions = [0]
  %0 = linalg.add ins(%y, %bb : tensor<8x32xf32>, tensor<8x32xf32>) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %1 = linalg.elementwise kind=#linalg.elementwise_kind<exp> ins(%0 : tensor<8x32xf32>) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %2 = linalg.map { math.tanh } ins(%1 : tensor<8x32xf32>) outs(%e : tensor<8x32xf32>)
  %f = linalg.fill ins(%half : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-remark @+1 {{fused arith.addf, math.exp, math.tanh, arith.mulf; operands: per_feature}}
  %3 = linalg.mul ins(%2, %f : tensor<8x32xf32>, tensor<8x32xf32>) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %3 : tensor<8x32xf32>
}

// -----

#id = affine_map<(t, n) -> (t, n)>

// SiLU in two ops: y is read twice, by ops that become one.
// CHECK-LABEL: func.func @silu
//   CHECK-NOT: linalg
//       CHECK: ^bb0(%[[ACC:.*]]: f32):
//       CHECK: %[[S:.*]] = arith.divf
//       CHECK: arith.mulf %[[ACC]], %[[S]]
//   CHECK-NOT: linalg
func.func @silu(%x: tensor<8x64xf16>, %w: tensor<32x64xf16>) -> tensor<8x32xf32> {
  %e = tensor.empty() : tensor<8x32xf32>
  %one = arith.constant 1.0 : f32
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<8x64xf16>, tensor<32x64xf16> -> tensor<8x32xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%y : tensor<8x32xf32>) outs(%e : tensor<8x32xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.negf %a : f32
    %1 = math.exp %0 : f32
    %2 = arith.addf %1, %one : f32
    %3 = arith.divf %one, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<8x32xf32>
  // expected-remark @+1 {{fused arith.negf, math.exp, arith.addf, arith.divf, arith.mulf}}
  %z = linalg.mul ins(%y, %s : tensor<8x32xf32>, tensor<8x32xf32>) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %z : tensor<8x32xf32>
}

// -----

#id = affine_map<(t, n) -> (t, n)>

// The gate product of two matmuls: the later one takes it, with the earlier
// product as a full operand.
// CHECK-LABEL: func.func @gate
//  CHECK-SAME: %[[X:.*]]: tensor<?x64xf16>, %[[G:.*]]: tensor<32x64xf16>, %[[U:.*]]: tensor<32x64xf16>
//       CHECK: %[[GATE:.*]] = sparseflow.matmul %[[X]], %[[G]] {
//       CHECK: sparseflow.matmul %[[X]], %[[U]] epilogue(%[[GATE]] : tensor<?x32xf16>) as [full] {
//   CHECK-NOT: linalg
func.func @gate(%x: tensor<?x64xf16>, %g: tensor<32x64xf16>, %u: tensor<32x64xf16>, %e: tensor<?x32xf16>) -> tensor<?x32xf16> {
  %gate = sparseflow.matmul %x, %g {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } : tensor<?x64xf16>, tensor<32x64xf16> -> tensor<?x32xf16>
  %up = sparseflow.matmul %x, %u {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } : tensor<?x64xf16>, tensor<32x64xf16> -> tensor<?x32xf16>
  // expected-remark @+1 {{fused arith.mulf; operands: full}}
  %z = linalg.mul ins(%gate, %up : tensor<?x32xf16>, tensor<?x32xf16>) outs(%e : tensor<?x32xf16>) -> tensor<?x32xf16>
  return %z : tensor<?x32xf16>
}

// -----

#id = affine_map<(t, n) -> (t, n)>
#swapped = affine_map<(n, t) -> (t, n)>
#swappedFeature = affine_map<(n, t) -> (n)>

// The order of loops is not the order of dimensions.
// CHECK-LABEL: func.func @loops_swapped
//       CHECK: epilogue(%{{.*}} : tensor<64xf32>) as [per_feature]
//   CHECK-NOT: linalg
func.func @loops_swapped(%x: tensor<64x64xf16>, %w: tensor<64x64xf16>, %b: tensor<64xf32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  // expected-remark @+1 {{fused arith.addf; operands: per_feature}}
  %z = linalg.generic {indexing_maps = [#swapped, #swappedFeature, #swapped], iterator_types = ["parallel", "parallel"]}
    ins(%y, %b : tensor<64x64xf32>, tensor<64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%a: f32, %bi: f32, %o: f32):
    %0 = arith.addf %a, %bi : f32
    linalg.yield %0 : f32
  } -> tensor<64x64xf32>
  return %z : tensor<64x64xf32>
}

// -----

#id = affine_map<(t, n) -> (t, n)>

// An op that accumulates into its init: the init is a full operand.
// CHECK-LABEL: func.func @init
//  CHECK-SAME: %[[R:[a-z0-9]*]]: tensor<8x32xf32>
//       CHECK: epilogue(%[[R]] : tensor<8x32xf32>) as [full]
//       CHECK: arith.addf
//   CHECK-NOT: linalg
func.func @init(%x: tensor<8x64xf16>, %w: tensor<32x64xf16>, %r: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<8x64xf16>, tensor<32x64xf16> -> tensor<8x32xf32>
  // expected-remark @+1 {{fused arith.addf; operands: full}}
  %z = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%y : tensor<8x32xf32>) outs(%r : tensor<8x32xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %a, %o : f32
    linalg.yield %0 : f32
  } -> tensor<8x32xf32>
  return %z : tensor<8x32xf32>
}

// -----

#id = affine_map<(t, n) -> (t, n)>
#transposed = affine_map<(t, n) -> (n, t)>
#batch = affine_map<(b, t, n) -> (b)>
#id3 = affine_map<(b, t, n) -> (b, t, n)>

// What stays, and why. The product is read by two ops that cannot be one.
// CHECK-LABEL: func.func @several_users
//       CHECK: sparseflow.matmul
//       CHECK: linalg.generic
//       CHECK: linalg.generic
func.func @several_users(%x: tensor<8x64xf16>, %w: tensor<32x64xf16>) -> (tensor<8x32xf32>, tensor<8x32xf32>) {
  %e = tensor.empty() : tensor<8x32xf32>
  // expected-remark @+1 {{not fused: the matmul has several users, so it is stored}}
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<8x64xf16>, tensor<32x64xf16> -> tensor<8x32xf32>
  %0 = linalg.exp ins(%y : tensor<8x32xf32>) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %1 = linalg.tanh ins(%y : tensor<8x32xf32>) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0, %1 : tensor<8x32xf32>, tensor<8x32xf32>
}

// CHECK-LABEL: func.func @transposed
//       CHECK: linalg.generic
func.func @transposed(%x: tensor<32x64xf16>, %w: tensor<32x64xf16>, %r: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %e = tensor.empty() : tensor<32x32xf32>
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<32x64xf16>, tensor<32x64xf16> -> tensor<32x32xf32>
  // expected-remark @+1 {{not fused: it reads the matmul's result transposed or broadcast}}
  %z = linalg.generic {indexing_maps = [#transposed, #id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%y, %r : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<32x32xf32>
  return %z : tensor<32x32xf32>
}

// CHECK-LABEL: func.func @per_batch
//       CHECK: linalg.generic
func.func @per_batch(%x: tensor<2x8x64xf16>, %w: tensor<32x64xf16>, %s: tensor<2xf32>) -> tensor<2x8x32xf32> {
  %e = tensor.empty() : tensor<2x8x32xf32>
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<2x8x64xf16>, tensor<32x64xf16> -> tensor<2x8x32xf32>
  // expected-remark @+1 {{not fused: operand 1 is neither per feature, per token, full nor scalar}}
  %z = linalg.generic {indexing_maps = [#id3, #batch, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%y, %s : tensor<2x8x32xf32>, tensor<2xf32>) outs(%e : tensor<2x8x32xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<2x8x32xf32>
  return %z : tensor<2x8x32xf32>
}

// CHECK-LABEL: func.func @position
//       CHECK: linalg.index
func.func @position(%x: tensor<8x64xf16>, %w: tensor<32x64xf16>) -> tensor<8x32xf32> {
  %e = tensor.empty() : tensor<8x32xf32>
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<8x64xf16>, tensor<32x64xf16> -> tensor<8x32xf32>
  // expected-remark @+1 {{not fused: linalg.index is no scalar arith or math op on floats}}
  %z = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%y : tensor<8x32xf32>) outs(%e : tensor<8x32xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %0 = arith.index_cast %i : index to i32
    %1 = arith.sitofp %0 : i32 to f32
    %2 = arith.addf %a, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<8x32xf32>
  return %z : tensor<8x32xf32>
}

// CHECK-LABEL: func.func @quantized
//       CHECK: linalg.generic
func.func @quantized(%x: tensor<8x64xf16>, %w: tensor<32x64xf16>) -> tensor<8x32xi8> {
  %e = tensor.empty() : tensor<8x32xi8>
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<8x64xf16>, tensor<32x64xf16> -> tensor<8x32xf32>
  // expected-remark @+1 {{not fused: its result holds i8; expected f16, bf16 or f32}}
  %z = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%y : tensor<8x32xf32>) outs(%e : tensor<8x32xi8>) {
  ^bb0(%a: f32, %o: i8):
    %0 = arith.fptosi %a : f32 to i8
    linalg.yield %0 : i8
  } -> tensor<8x32xi8>
  return %z : tensor<8x32xi8>
}

// CHECK-LABEL: func.func @outside_scalar
//       CHECK: linalg.generic
func.func @outside_scalar(%x: tensor<8x64xf16>, %w: tensor<32x64xf16>, %s: f32) -> tensor<8x32xf32> {
  %e = tensor.empty() : tensor<8x32xf32>
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<8x64xf16>, tensor<32x64xf16> -> tensor<8x32xf32>
  // expected-remark @+1 {{not fused: its body reads a scalar from outside; pass it as a tensor of rank 0}}
  %z = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%y : tensor<8x32xf32>) outs(%e : tensor<8x32xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.mulf %a, %s : f32
    linalg.yield %0 : f32
  } -> tensor<8x32xf32>
  return %z : tensor<8x32xf32>
}

// A reduction is no epilogue, and no one said it should be: no remark.
// CHECK-LABEL: func.func @reduction
//       CHECK: linalg.reduce
func.func @reduction(%x: tensor<8x64xf16>, %w: tensor<32x64xf16>, %i: tensor<8xf32>) -> tensor<8xf32> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<8x64xf16>, tensor<32x64xf16> -> tensor<8x32xf32>
  %z = linalg.reduce { arith.addf } ins(%y : tensor<8x32xf32>) outs(%i : tensor<8xf32>) dimensions = [1]
  return %z : tensor<8xf32>
}
