// RUN: sparseflow-opt %s --sparseflow-simplify-sizes --canonicalize --split-input-file --verify-diagnostics=all | FileCheck %s

// Quotients of numbers of elements cancel, what is asserted to be equal is one
// size, and a reshape by them is a collapse and an expansion.

// CHECK-LABEL: func.func @heads
//  CHECK-SAME: %[[X:.*]]: tensor<1x?x256xf16>, %[[M:.*]]: tensor<1x?xi64>
//       CHECK: %[[D:.*]] = tensor.dim %[[X]], %c1
//       CHECK: %[[R:.*]] = tensor.expand_shape %[[X]] {{\[}}[0], [1], [2, 3]] output_shape [1, %[[D]], 4, 64]
//       CHECK: return %[[R]]
// expected-remark @+1 {{[import] dropped 2 run-time checks of sizes: a call passes each size once}}
func.func @heads(%x: tensor<1x?x256xf16>, %m: tensor<1x?xi64>) -> tensor<1x?x4x64xf16> {
  %c1 = arith.constant 1 : index
  %c0_i64 = arith.constant 0 : i64
  %c1_i64 = arith.constant 1 : i64
  %c64_i64 = arith.constant 64 : i64
  %c256_i64 = arith.constant 256 : i64
  %dim = tensor.dim %m, %c1 : tensor<1x?xi64>
  %n = arith.index_cast %dim : index to i64
  %other = tensor.dim %x, %c1 : tensor<1x?x256xf16>
  %same = arith.cmpi eq, %dim, %other : index
  cf.assert %same, "mismatched size for broadcast"
  %negative = arith.cmpi slt, %n, %c0_i64 : i64
  %known = arith.select %negative, %c1_i64, %n : i64
  %count = arith.extui %negative : i1 to i64
  %inferred = arith.addi %count, %c1_i64 : i64
  %ok = arith.cmpi sle, %inferred, %c1_i64 : i64
  cf.assert %ok, "must have at most one inferred (negative) dimension"
  %part = arith.muli %known, %c64_i64 : i64
  %o = arith.index_cast %other : index to i64
  %all = arith.muli %o, %c256_i64 : i64
  %heads = arith.divsi %all, %part : i64
  %tokens = arith.select %negative, %heads, %n : i64
  %shape = tensor.from_elements %c1_i64, %tokens, %heads, %c64_i64 : tensor<4xi64>
  %r = tensor.reshape %x(%shape) : (tensor<1x?x256xf16>, tensor<4xi64>) -> tensor<1x?x4x64xf16>
  return %r : tensor<1x?x4x64xf16>
}

// -----

// Heads are joined again; batch and length are symbols of their own.

// CHECK-LABEL: func.func @join
//       CHECK: tensor.collapse_shape %{{.*}} {{\[}}[0], [1], [2, 3]] : tensor<?x?x4x64xf16> into tensor<?x?x256xf16>
//   CHECK-NOT: tensor.reshape
func.func @join(%x: tensor<?x?x4x64xf16>) -> tensor<?x?x256xf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %c4 = arith.constant 4 : index
  %b = tensor.dim %x, %c0 : tensor<?x?x4x64xf16>
  %s = tensor.dim %x, %c1 : tensor<?x?x4x64xf16>
  %c64 = arith.constant 64 : index
  %0 = arith.muli %b, %s : index
  %1 = arith.muli %0, %c256 : index
  %2 = arith.divsi %1, %0 : index
  %shape = tensor.from_elements %b, %s, %2 : tensor<3xindex>
  %r = tensor.reshape %x(%shape) : (tensor<?x?x4x64xf16>, tensor<3xindex>) -> tensor<?x?x256xf16>
  return %r : tensor<?x?x256xf16>
}

// -----

// What does not follow from the sizes stays, with a remark.

// CHECK-LABEL: func.func @unknown
//       CHECK: tensor.reshape
func.func @unknown(%x: tensor<?x6xf16>, %shape: tensor<2xindex>) -> tensor<?x?xf16> {
  // expected-remark @+1 {{[import] tensor.reshape stays as it is: expected sizes whose products follow from those of 'tensor<?x6xf16>'}}
  %r = tensor.reshape %x(%shape) : (tensor<?x6xf16>, tensor<2xindex>) -> tensor<?x?xf16>
  return %r : tensor<?x?xf16>
}

// -----

// A broadcast of what may have size 1 is none where both sizes are one; an
// element at a constant index of a dimension of size 1 is an operand, too.

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-DAG: #[[IN:.*]] = affine_map<(d0, d1, d2) -> (d1, 0, d2)>
// CHECK-LABEL: func.func @broadcast
//  CHECK-SAME: %[[X:.*]]: tensor<?x1x64xf16>
//       CHECK: linalg.generic {indexing_maps = [#[[IN]], #{{.*}}], {{.*}} ins(%[[X]] : tensor<?x1x64xf16>) outs(%{{.*}} : tensor<4x?x64xf16>)
//   CHECK-NOT: tensor.extract
func.func @broadcast(%x: tensor<?x1x64xf16>) -> tensor<4x?x64xf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x1x64xf16>
  %e = tensor.empty(%n) : tensor<4x?x64xf16>
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel", "parallel"]}
      outs(%e : tensor<4x?x64xf16>) {
  ^bb0(%out: f16):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %is1 = arith.cmpi eq, %n, %c1 : index
    %at = arith.select %is1, %c0, %i : index
    %v = tensor.extract %x[%at, %c0, %j] : tensor<?x1x64xf16>
    linalg.yield %v : f16
  } -> tensor<4x?x64xf16>
  return %r : tensor<4x?x64xf16>
}

// -----

// An id stays inside of its table; a loop is inside already. The checks go.

#row = affine_map<(d0, d1) -> (d0)>
#all = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func.func @embedding
//   CHECK-NOT: cf.assert
//       CHECK: %[[LAST:.*]] = arith.constant 511 : index
//       CHECK: ^bb0(%[[ID:.*]]: i64, %{{.*}}: f16):
//       CHECK: %[[I:.*]] = arith.index_cast %[[ID]]
//       CHECK: %[[J:.*]] = linalg.index 1
//       CHECK: %[[A:.*]] = arith.maxsi %[[I]], %{{.*}} : index
//       CHECK: %[[B:.*]] = arith.minsi %[[A]], %[[LAST]] {sparseflow.index_clamp} : index
//       CHECK: tensor.extract %{{.*}}[%[[B]], %[[J]]] : tensor<512x64xf16>
// expected-remark @+1 {{[import] dropped 2 run-time checks of elements: an index outside of a tensor reads its nearest element, and a checked run refuses it}}
func.func @embedding(%ids: tensor<16xi64>, %w: tensor<512x64xf16>) -> tensor<16x64xf16> {
  %c512 = arith.constant 512 : index
  %c0_i64 = arith.constant 0 : i64
  %e = tensor.empty() : tensor<16x64xf16>
  %r = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%ids : tensor<16xi64>) outs(%e : tensor<16x64xf16>) {
  ^bb0(%id: i64, %out: f16):
    %i = arith.index_cast %id : i64 to index
    %j = linalg.index 1 : index
    %below = arith.cmpi slt, %i, %c512 : index
    cf.assert %below, "index must be smaller than dim size"
    %from = arith.cmpi sge, %id, %c0_i64 : i64
    cf.assert %from, "index must be larger or equal to 0"
    %v = tensor.extract %w[%i, %j] : tensor<512x64xf16>
    linalg.yield %v : f16
  } -> tensor<16x64xf16>
  return %r : tensor<16x64xf16>
}

// -----

// CHECK-LABEL: func.func @flag
//   CHECK-NOT: cf.assert
func.func @flag(%x: tensor<4xf16>, %flag: tensor<i1>) -> tensor<4xf16> {
  %f = tensor.extract %flag[] : tensor<i1>
  // expected-remark @+1 {{[import] dropped a run-time check: 'data'}}
  cf.assert %f, "data"
  return %x : tensor<4xf16>
}

// -----

// A product of sizes may be an affine map; tokens that are B * S are B and S again.

// CHECK-LABEL: func.func @tokens
//  CHECK-SAME: %[[X:.*]]: tensor<?x?x64xf16>
//   CHECK-DAG: %[[B:.*]] = tensor.dim %[[X]], %c0
//   CHECK-DAG: %[[S:.*]] = tensor.dim %[[X]], %c1
//       CHECK: tensor.expand_shape %{{.*}} {{\[}}[0, 1], [2, 3]] output_shape [%[[B]], %[[S]], 4, 16]
func.func @tokens(%x: tensor<?x?x64xf16>) -> tensor<?x?x4x16xf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %b = tensor.dim %x, %c0 : tensor<?x?x64xf16>
  %s = tensor.dim %x, %c1 : tensor<?x?x64xf16>
  %bs = affine.apply affine_map<()[s0, s1] -> (s0 * s1)>()[%b, %s]
  %all = affine.apply affine_map<(d0) -> (d0 * 64)>(%bs)
  %row = affine.apply affine_map<()[s0] -> (s0 * 64)>()[%s]
  %again = arith.divsi %all, %row : index
  %t = tensor.collapse_shape %x [[0, 1], [2]] : tensor<?x?x64xf16> into tensor<?x64xf16>
  %shape = tensor.from_elements %again, %s, %c4, %c16 : tensor<4xindex>
  %y = tensor.reshape %t(%shape) : (tensor<?x64xf16>, tensor<4xindex>) -> tensor<?x?x4x16xf16>
  return %y : tensor<?x?x4x16xf16>
}

// -----

// Tokens of a batch that are features of one token: right for a length of 1 only.

#map = affine_map<(d0, d1) -> (d0, d1)>
func.func @dropped(%x: tensor<?x?x8xf16>) -> tensor<?x8xf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = tensor.dim %x, %c0 : tensor<?x?x8xf16>
  %s = tensor.dim %x, %c1 : tensor<?x?x8xf16>
  %bs = arith.muli %b, %s : index
  %one = tensor.cast %x : tensor<?x?x8xf16> to tensor<?x1x8xf16>
  %t = tensor.collapse_shape %one [[0, 1], [2]] : tensor<?x1x8xf16> into tensor<?x8xf16>
  %e = tensor.empty(%bs) : tensor<?x8xf16>
  // expected-error @+1 {{'linalg.generic' op is right only where dimension 1 of argument 0 is 1, but the argument's type leaves that size to the call: write the size in the type, or, where any size is meant, mend the program}}
  %y = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%t : tensor<?x8xf16>) outs(%e : tensor<?x8xf16>) {
  ^bb0(%a: f16, %o: f16):
    linalg.yield %a : f16
  } -> tensor<?x8xf16>
  return %y : tensor<?x8xf16>
}

// -----

// What a loop carries has no place outside of it.
// CHECK-LABEL: func.func @carried(
// CHECK: scf.for {{.*}} iter_args(%[[A:.+]] = %{{.+}}) -> (tensor<?xi32>) {
// CHECK: tensor.dim %[[A]]
func.func @carried(%x: tensor<?xi32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %x) -> tensor<?xi32> {
    %d = tensor.dim %a, %c0 : tensor<?xi32>
    %e = tensor.empty(%d) : tensor<?xi32>
    %y = linalg.copy ins(%a : tensor<?xi32>) outs(%e : tensor<?xi32>) -> tensor<?xi32>
    scf.yield %y : tensor<?xi32>
  }
  return %r : tensor<?xi32>
}

// -----

// A clamp of the program's own is no second one, and has no mark, where its bound is
// below the size.

#row = affine_map<(d0, d1) -> (d0)>
#all = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func.func @own_clamps
//   CHECK-DAG: %[[C511:.*]] = arith.constant 511 : index
//   CHECK-DAG: %[[C512:.*]] = arith.constant 512 : index
//       CHECK: %[[A:.*]] = arith.minsi %{{.*}}, %[[C511]] : index
//       CHECK: %[[B:.*]] = arith.minsi %{{.*}}, %[[C512]] : index
//       CHECK: %[[N:.*]] = arith.minsi %{{.*}}, %{{.*}} : index
//       CHECK: tensor.extract %{{.*}}[%[[A]], %{{.*}}] : tensor<512x64xf16>
//       CHECK: %[[C:.*]] = arith.minsi %{{.*}} {sparseflow.index_clamp} : index
//       CHECK: tensor.extract %{{.*}}[%[[C]], %{{.*}}] : tensor<512x64xf16>
//       CHECK: tensor.extract %{{.*}}[%[[N]], %{{.*}}] : tensor<?x64xf16>
func.func @own_clamps(%ids: tensor<16xindex>, %w: tensor<512x64xf16>, %u: tensor<?x64xf16>) -> tensor<16x64xf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c511 = arith.constant 511 : index
  %c512 = arith.constant 512 : index
  %n = tensor.dim %u, %c0 : tensor<?x64xf16>
  %last = arith.subi %n, %c1 : index
  %e = tensor.empty() : tensor<16x64xf16>
  %r = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%ids : tensor<16xindex>) outs(%e : tensor<16x64xf16>) {
  ^bb0(%id: index, %out: f16):
    %j = linalg.index 1 : index
    %least = arith.maxsi %id, %c0 : index
    %inside = arith.minsi %least, %c511 : index
    %behind = arith.minsi %least, %c512 : index
    %dynamic = arith.minsi %least, %last : index
    %a = tensor.extract %w[%inside, %j] : tensor<512x64xf16>
    %b = tensor.extract %w[%behind, %j] : tensor<512x64xf16>
    %c = tensor.extract %u[%dynamic, %j] : tensor<?x64xf16>
    %ab = arith.addf %a, %b : f16
    %sum = arith.addf %ab, %c : f16
    linalg.yield %sum : f16
  } -> tensor<16x64xf16>
  return %r : tensor<16x64xf16>
}

// -----

// The offset of a slice that data decide keeps it inside; one that sizes decide stays.

// CHECK-LABEL: func.func @slices
//   CHECK-DAG: %[[C6:.*]] = arith.constant 6 : index
//   CHECK-DAG: %[[N:.*]] = tensor.dim %arg1
//       CHECK: %[[AT:.*]] = arith.minsi %{{.*}}, %[[C6]] {sparseflow.index_clamp} : index
//       CHECK: tensor.extract_slice %{{.*}}[%[[AT]], 0] [2, 8] [1, 1]
//       CHECK: tensor.extract_slice %{{.*}}[%[[N]], 0] [2, 8] [1, 1]
func.func @slices(%x: tensor<8x8xf16>, %u: tensor<?xf16>, %at: tensor<i64>) -> (tensor<2x8xf16>, tensor<2x8xf16>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %u, %c0 : tensor<?xf16>
  %v = tensor.extract %at[] : tensor<i64>
  %p = arith.index_cast %v : i64 to index
  %a = tensor.extract_slice %x[%p, 0] [2, 8] [1, 1] : tensor<8x8xf16> to tensor<2x8xf16>
  %b = tensor.extract_slice %x[%n, 0] [2, 8] [1, 1] : tensor<8x8xf16> to tensor<2x8xf16>
  return %a, %b : tensor<2x8xf16>, tensor<2x8xf16>
}
