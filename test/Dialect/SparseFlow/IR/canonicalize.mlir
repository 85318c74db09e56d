// RUN: sparseflow-opt %s --canonicalize --split-input-file | FileCheck %s

// unpack(pack(w)) is w; to dense it is only the loss of the encoding.
// CHECK-LABEL: func.func @unpack_pack
//  CHECK-SAME: %[[W:.*]]: tensor<64x64xf16, #sparseflow.nm<2:4>>
//   CHECK-NOT: sparseflow.pack
//       CHECK: %[[D:.*]] = sparseflow.unpack %[[W]] : tensor<64x64xf16, #sparseflow.nm<2:4>> -> tensor<64x64xf16>
//       CHECK: return %[[W]], %[[D]]
func.func @unpack_pack(%w: tensor<64x64xf16, #sparseflow.nm<2:4>>)
    -> (tensor<64x64xf16, #sparseflow.nm<2:4>>, tensor<64x64xf16>) {
  %b = sparseflow.pack %w as <"sf24.v1", 64x64xf16>
    : tensor<64x64xf16, #sparseflow.nm<2:4>> -> tensor<4608xi8>
  %0 = sparseflow.unpack %b from <"sf24.v1", 64x64xf16>
    : tensor<4608xi8> -> tensor<64x64xf16, #sparseflow.nm<2:4>>
  %1 = sparseflow.unpack %b from <"sf24.v1", 64x64xf16>
    : tensor<4608xi8> -> tensor<64x64xf16>
  return %0, %1 : tensor<64x64xf16, #sparseflow.nm<2:4>>, tensor<64x64xf16>
}

// -----

// Bytes of one shape read as another stay: they are an error in the data.
// CHECK-LABEL: func.func @unpack_other_storage
//       CHECK: sparseflow.pack
//       CHECK: sparseflow.unpack
func.func @unpack_other_storage(%w: tensor<64x64xf16, #sparseflow.nm<2:4>>)
    -> tensor<32x64xf16> {
  %b = sparseflow.pack %w as <"sf24.v1", 64x64xf16>
    : tensor<64x64xf16, #sparseflow.nm<2:4>> -> tensor<4608xi8>
  %0 = sparseflow.unpack %b from <"sf24.v1", 32x64xf16>
    : tensor<4608xi8> -> tensor<32x64xf16>
  return %0 : tensor<32x64xf16>
}

// -----

// CHECK-LABEL: func.func @pack_unpack
//  CHECK-SAME: %[[B:.*]]: tensor<4608xi8>
//       CHECK: %[[D:.*]] = sparseflow.unpack %[[B]] from {{.*}} -> tensor<64x64xf16>
//       CHECK: return %[[B]], %[[D]]
func.func @pack_unpack(%b: tensor<4608xi8>) -> (tensor<4608xi8>, tensor<64x64xf16>) {
  %0 = sparseflow.unpack %b from <"sf24.v1", 64x64xf16>
    : tensor<4608xi8> -> tensor<64x64xf16, #sparseflow.nm<2:4>>
  %1 = sparseflow.pack %0 as <"sf24.v1", 64x64xf16>
    : tensor<64x64xf16, #sparseflow.nm<2:4>> -> tensor<4608xi8>
  %2 = sparseflow.unpack %0 : tensor<64x64xf16, #sparseflow.nm<2:4>> -> tensor<64x64xf16>
  return %1, %2 : tensor<4608xi8>, tensor<64x64xf16>
}

// -----

// Pruning what has the pattern changes nothing.
// CHECK-LABEL: func.func @prune_pruned
//  CHECK-SAME: %[[W:[a-z0-9]*]]: tensor<8x8xf16, #sparseflow.nm<2:4>>
//  CHECK-NEXT: return %[[W]], %[[W]]
func.func @prune_pruned(%w: tensor<8x8xf16, #sparseflow.nm<2:4>>)
    -> (tensor<8x8xf16, #sparseflow.nm<2:4>>, tensor<8x8xf16, #sparseflow.nm<2:4>>) {
  %0 = sparseflow.prune %w
    : tensor<8x8xf16, #sparseflow.nm<2:4>> -> tensor<8x8xf16, #sparseflow.nm<2:4>>
  %d = sparseflow.unpack %w : tensor<8x8xf16, #sparseflow.nm<2:4>> -> tensor<8x8xf16>
  %1 = sparseflow.prune %d : tensor<8x8xf16> -> tensor<8x8xf16, #sparseflow.nm<2:4>>
  return %0, %1 : tensor<8x8xf16, #sparseflow.nm<2:4>>, tensor<8x8xf16, #sparseflow.nm<2:4>>
}

// -----

// Pruning to another pattern is work.
// CHECK-LABEL: func.func @prune_other
//       CHECK: sparseflow.unpack
//       CHECK: sparseflow.prune
func.func @prune_other(%w: tensor<8x8xf16, #sparseflow.nm<2:4>>)
    -> tensor<8x8xf16, #sparseflow.nm<1:4>> {
  %d = sparseflow.unpack %w : tensor<8x8xf16, #sparseflow.nm<2:4>> -> tensor<8x8xf16>
  %0 = sparseflow.prune %d : tensor<8x8xf16> -> tensor<8x8xf16, #sparseflow.nm<1:4>>
  return %0 : tensor<8x8xf16, #sparseflow.nm<1:4>>
}

// -----

// CHECK-LABEL: func.func @matmul_unpack
//  CHECK-SAME: %[[X:.*]]: tensor<?x64xf16>, %[[W:.*]]: tensor<64x64xf16, #sparseflow.nm<2:4>>, %[[B:.*]]: tensor<4608xi8>
//   CHECK-NOT: sparseflow.unpack
//       CHECK: sparseflow.matmul %[[X]], %[[W]] {
//       CHECK: tensor<64x64xf16, #sparseflow.nm<2:4>>
//       CHECK: sparseflow.matmul %[[X]], %[[B]] {
//       CHECK: storage = #sparseflow.storage<"sf24.v1", 64x64xf16>
func.func @matmul_unpack(%x: tensor<?x64xf16>,
                         %w: tensor<64x64xf16, #sparseflow.nm<2:4>>,
                         %b: tensor<4608xi8>)
    -> (tensor<?x64xf32>, tensor<?x64xf32>) {
  %0 = sparseflow.unpack %w : tensor<64x64xf16, #sparseflow.nm<2:4>> -> tensor<64x64xf16>
  %y = sparseflow.matmul %x, %0 {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<?x64xf16>, tensor<64x64xf16> -> tensor<?x64xf32>
  %1 = sparseflow.unpack %b from <"sf24.v1", 64x64xf16>
    : tensor<4608xi8> -> tensor<64x64xf16>
  %z = sparseflow.matmul %x, %1 {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<?x64xf16>, tensor<64x64xf16> -> tensor<?x64xf32>
  return %y, %z : tensor<?x64xf32>, tensor<?x64xf32>
}

// -----

// Grouped along N, the encoding says nothing about K: it stays outside.
// CHECK-LABEL: func.func @matmul_unpack_other_axis
//       CHECK: %[[D:.*]] = sparseflow.unpack
//       CHECK: sparseflow.matmul %{{.*}}, %[[D]] {
func.func @matmul_unpack_other_axis(%x: tensor<?x64xf16>,
    %w: tensor<64x64xf16, #sparseflow.nm<2:4, axis = 0>>) -> tensor<?x64xf32> {
  %0 = sparseflow.unpack %w
    : tensor<64x64xf16, #sparseflow.nm<2:4, axis = 0>> -> tensor<64x64xf16>
  %y = sparseflow.matmul %x, %0 {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<?x64xf16>, tensor<64x64xf16> -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}

// -----

// One operand is unused, two are the same, one is a splat, and one value is
// there twice with different broadcasts (N = T = 8).
// CHECK-LABEL: func.func @operands
//  CHECK-SAME: %[[X:.*]]: tensor<8x8xf16>, %[[W:.*]]: tensor<8x8xf16>, %[[B:.*]]: tensor<8xf32>, %{{.*}}: tensor<8x8xf32>
//       CHECK: sparseflow.matmul %[[X]], %[[W]] epilogue(%[[B]], %[[B]] : tensor<8xf32>, tensor<8xf32>) as [per_feature, per_token] {
//  CHECK-NEXT: ^bb0(%[[ACC:.*]]: f32, %[[N:.*]]: f32, %[[T:.*]]: f32):
//       CHECK: %[[SPLAT:.*]] = arith.constant 5.000000e-01 : f32
//       CHECK: %[[A0:.*]] = arith.addf %[[ACC]], %[[N]]
//       CHECK: %[[A1:.*]] = arith.addf %[[A0]], %[[N]]
//       CHECK: %[[A2:.*]] = arith.mulf %[[A1]], %[[SPLAT]]
//       CHECK: arith.mulf %[[A2]], %[[T]]
func.func @operands(%x: tensor<8x8xf16>, %w: tensor<8x8xf16>, %b: tensor<8xf32>,
                    %r: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %splat = arith.constant dense<0.5> : tensor<8xf32>
  %y = sparseflow.matmul %x, %w
      epilogue(%b, %r, %b, %splat, %b
        : tensor<8xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
      as [per_feature, full, per_feature, per_feature, per_token] {
  ^bb0(%acc: f32, %b0: f32, %unused: f32, %b1: f32, %s: f32, %t: f32):
    %0 = arith.addf %acc, %b0 : f32
    %1 = arith.addf %0, %b1 : f32
    %2 = arith.mulf %1, %s : f32
    %3 = arith.mulf %2, %t : f32
    sparseflow.yield %3 : f32
  } : tensor<8x8xf16>, tensor<8x8xf16> -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// -----

// A product that nobody reads is no work.
// CHECK-LABEL: func.func @dead
//  CHECK-NEXT: return
func.func @dead(%x: tensor<8x8xf16>, %w: tensor<8x8xf16>) {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<8x8xf16>, tensor<8x8xf16> -> tensor<8x8xf32>
  return
}

// -----

// Constants stay inside the epilogue, which sees no value from outside.
// CHECK-LABEL: func.func @isolated
//   CHECK-NOT: arith.constant
//       CHECK: sparseflow.matmul
//       CHECK: arith.constant 3.000000e+00
func.func @isolated(%x: tensor<8x8xf16>, %w: tensor<8x8xf16>) -> tensor<8x8xf32> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %one = arith.constant 1.0 : f32
    %two = arith.constant 2.0 : f32
    %three = arith.addf %one, %two : f32
    %0 = arith.mulf %acc, %three : f32
    sparseflow.yield %0 : f32
  } : tensor<8x8xf16>, tensor<8x8xf16> -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// -----

// Without features a product is its epilogue of zero.
// CHECK-DAG: #[[FULL:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-DAG: #[[FEATURE:.*]] = affine_map<(d0, d1, d2) -> (d2)>
// CHECK-DAG: #[[TOKEN:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[ONE:.*]] = affine_map<(d0, d1, d2) -> ()>
// CHECK-LABEL: func.func @no_features(
//  CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x?x0xf16>, %{{.*}}: tensor<8x0xf16, #sparseflow.nm<2:4>>, %[[B:[a-z0-9]+]]: tensor<8xf32>, %[[S:[a-z0-9]+]]: tensor<2x?xf32>, %[[R:[a-z0-9]+]]: tensor<2x?x8xf32>, %[[A:[a-z0-9]+]]: tensor<f32>)
//   CHECK-NOT: sparseflow.matmul
//   CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
//   CHECK-DAG: %[[DIM:.*]] = tensor.dim %[[X]], %c1
//       CHECK: %[[E:.*]] = tensor.empty(%[[DIM]]) : tensor<2x?x8xf32>
//       CHECK: linalg.generic {indexing_maps = [#[[FEATURE]], #[[TOKEN]], #[[FULL]], #[[ONE]], #[[FULL]]], iterator_types = ["parallel", "parallel", "parallel"]} ins(%[[B]], %[[S]], %[[R]], %[[A]] : {{.*}}) outs(%[[E]]
//       CHECK: ^bb0(%[[IN:.*]]: f32, %{{.*}}: f32, %{{.*}}: f32, %{{.*}}: f32, %{{.*}}: f32):
//       CHECK: arith.addf %[[IN]], %[[ZERO]] : f32
func.func @no_features(%x: tensor<2x?x0xf16>, %w: tensor<8x0xf16, #sparseflow.nm<2:4>>, %b: tensor<8xf32>, %s: tensor<2x?xf32>, %r: tensor<2x?x8xf32>, %a: tensor<f32>) -> tensor<2x?x8xf32> {
  %y = sparseflow.matmul %x, %w epilogue(%b, %s, %r, %a : tensor<8xf32>, tensor<2x?xf32>, tensor<2x?x8xf32>, tensor<f32>) as [per_feature, per_token, full, scalar] {
  ^bb0(%acc: f32, %b_: f32, %s_: f32, %r_: f32, %a_: f32):
    %0 = arith.addf %acc, %b_ : f32
    %1 = arith.mulf %0, %s_ : f32
    %2 = arith.addf %1, %r_ : f32
    %3 = arith.mulf %2, %a_ : f32
    sparseflow.yield %3 : f32
  } : tensor<2x?x0xf16>, tensor<8x0xf16, #sparseflow.nm<2:4>> -> tensor<2x?x8xf32>
  return %y : tensor<2x?x8xf32>
}
