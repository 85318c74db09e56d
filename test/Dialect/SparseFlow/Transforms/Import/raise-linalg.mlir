// RUN: sparseflow-opt %s --sparseflow-raise-linalg --split-input-file --verify-diagnostics=all | FileCheck %s

#x = affine_map<(t, n, k) -> (t, k)>
#w = affine_map<(t, n, k) -> (n, k)>
#y = affine_map<(t, n, k) -> (t, n)>

// CHECK-LABEL: func.func @transposed_maps
//  CHECK-SAME: %[[X:.*]]: tensor<?x64xf16>, %[[W:.*]]: tensor<32x64xf16, #sparseflow.nm<2:4>>
//   CHECK-NOT: linalg
//       CHECK: sparseflow.matmul %[[X]], %[[W]] {
//  CHECK-NEXT: ^bb0(%[[ACC:.*]]: f32):
//  CHECK-NEXT: sparseflow.yield %[[ACC]] : f32
//   CHECK-NOT: linalg
func.func @transposed_maps(%x: tensor<?x64xf16>, %w: tensor<32x64xf16, #sparseflow.nm<2:4>>) -> tensor<?x32xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %t = tensor.dim %x, %c0 : tensor<?x64xf16>
  %e = tensor.empty(%t) : tensor<?x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x32xf32>) -> tensor<?x32xf32>
  // expected-remark @+1 {{[import] raised linalg.matmul; the weight [32, 64] is 2:4}}
  %y = linalg.matmul indexing_maps = [#x, #w, #y]
    ins(%x, %w : tensor<?x64xf16>, tensor<32x64xf16, #sparseflow.nm<2:4>>)
    outs(%f : tensor<?x32xf32>) -> tensor<?x32xf32>
  return %y : tensor<?x32xf32>
}

// The transpose drops the encoding; the weight under it has it.
// CHECK-LABEL: func.func @through_transpose
//  CHECK-SAME: %[[X:.*]]: tensor<8x64xbf16>, %[[W:.*]]: tensor<32x64xbf16, #sparseflow.nm<2:4>>
//   CHECK-NOT: linalg
//       CHECK: sparseflow.matmul %[[X]], %[[W]] {
//       CHECK: tensor<32x64xbf16, #sparseflow.nm<2:4>> -> tensor<8x32xf32>
func.func @through_transpose(%x: tensor<8x64xbf16>, %w: tensor<32x64xbf16, #sparseflow.nm<2:4>>) -> tensor<8x32xf32> {
  %zero = arith.constant dense<0.0> : tensor<8x32xf32>
  %e = tensor.empty() : tensor<64x32xbf16>
  %wt = linalg.transpose ins(%w : tensor<32x64xbf16, #sparseflow.nm<2:4>>)
    outs(%e : tensor<64x32xbf16>) permutation = [1, 0]
  // expected-remark @+1 {{raised linalg.matmul; the weight [32, 64] is 2:4}}
  %y = linalg.matmul ins(%x, %wt : tensor<8x64xbf16>, tensor<64x32xbf16>)
    outs(%zero : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %y : tensor<8x32xf32>
}

// A generic that transposes is a transpose.
// CHECK-LABEL: func.func @through_generic_transpose
//  CHECK-SAME: %[[X:.*]]: tensor<8x64xf16>, %[[W:.*]]: tensor<32x64xf16>
//       CHECK: sparseflow.matmul %[[X]], %[[W]] {
#from = affine_map<(k, n) -> (n, k)>
#to = affine_map<(k, n) -> (k, n)>
func.func @through_generic_transpose(%x: tensor<8x64xf16>, %w: tensor<32x64xf16>) -> tensor<8x32xf32> {
  %zero = arith.constant dense<0.0> : tensor<8x32xf32>
  %e = tensor.empty() : tensor<64x32xf16>
  %wt = linalg.generic {indexing_maps = [#from, #to], iterator_types = ["parallel", "parallel"]}
    ins(%w : tensor<32x64xf16>) outs(%e : tensor<64x32xf16>) {
  ^bb0(%a: f16, %o: f16):
    linalg.yield %a : f16
  } -> tensor<64x32xf16>
  // expected-remark @+1 {{raised linalg.matmul}}
  %y = linalg.matmul ins(%x, %wt : tensor<8x64xf16>, tensor<64x32xf16>)
    outs(%zero : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %y : tensor<8x32xf32>
}

// Any rank of x, and the inputs in either order.
// CHECK-LABEL: func.func @contract
//  CHECK-SAME: %[[X:.*]]: tensor<2x?x64xf16>, %[[W:.*]]: tensor<32x64xf16>
//       CHECK: sparseflow.matmul %[[X]], %[[W]] {
#cx = affine_map<(b, t, n, k) -> (b, t, k)>
#cw = affine_map<(b, t, n, k) -> (n, k)>
#cy = affine_map<(b, t, n, k) -> (b, t, n)>
func.func @contract(%x: tensor<2x?x64xf16>, %w: tensor<32x64xf16>, %e: tensor<2x?x32xf32>) -> tensor<2x?x32xf32> {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x?x32xf32>) -> tensor<2x?x32xf32>
  // expected-remark @+1 {{raised linalg.contract; the weight [32, 64] is dense}}
  %y = linalg.contract indexing_maps = [#cw, #cx, #cy]
    ins(%w, %x : tensor<32x64xf16>, tensor<2x?x64xf16>)
    outs(%f : tensor<2x?x32xf32>) -> tensor<2x?x32xf32>
  return %y : tensor<2x?x32xf32>
}

// CHECK-LABEL: func.func @generic
//       CHECK: sparseflow.matmul
#gx = affine_map<(n, k, t) -> (t, k)>
#gw = affine_map<(n, k, t) -> (n, k)>
#gy = affine_map<(n, k, t) -> (t, n)>
func.func @generic(%x: tensor<8x64xf16>, %w: tensor<32x64xf16>) -> tensor<8x32xf32> {
  %zero = arith.constant dense<0.0> : tensor<8x32xf32>
  // expected-remark @+1 {{raised linalg.generic}}
  %y = linalg.generic {indexing_maps = [#gx, #gw, #gy], iterator_types = ["parallel", "reduction", "parallel"]}
    ins(%x, %w : tensor<8x64xf16>, tensor<32x64xf16>) outs(%zero : tensor<8x32xf32>) {
  ^bb0(%a: f16, %b: f16, %c: f32):
    %0 = arith.extf %b : f16 to f32
    %1 = arith.extf %a : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %2, %c : f32
    linalg.yield %3 : f32
  } -> tensor<8x32xf32>
  return %y : tensor<8x32xf32>
}

// A narrow accumulator is promoted, and said so.
// CHECK-LABEL: func.func @promoted
//       CHECK: ^bb0(%[[ACC:.*]]: f32):
//       CHECK: %[[R:.*]] = arith.truncf %[[ACC]] : f32 to f16
//       CHECK: sparseflow.yield %[[R]] : f16
func.func @promoted(%x: tensor<8x64xf16>, %w: tensor<32x64xf16>) -> tensor<8x32xf16> {
  %zero = arith.constant dense<0.0> : tensor<8x32xf16>
  // expected-remark @+2 {{accumulates in f32 instead of 'f16'}}
  // expected-remark @+1 {{raised linalg.matmul}}
  %y = linalg.matmul indexing_maps = [#x, #w, #y]
    ins(%x, %w : tensor<8x64xf16>, tensor<32x64xf16>)
    outs(%zero : tensor<8x32xf16>) -> tensor<8x32xf16>
  return %y : tensor<8x32xf16>
}

// An initial value is added.
// CHECK-LABEL: func.func @initial
//  CHECK-SAME: %[[INIT:[a-z0-9]*]]: tensor<8x32xf16>
//       CHECK: sparseflow.matmul %{{.*}}, %{{.*}} epilogue(%[[INIT]] : tensor<8x32xf16>) as [full] {
//  CHECK-NEXT: ^bb0(%[[ACC:.*]]: f32, %[[IN:.*]]: f16):
//       CHECK: %[[IN32:.*]] = arith.extf %[[IN]]
//       CHECK: %[[SUM:.*]] = arith.addf %[[ACC]], %[[IN32]]
//       CHECK: arith.truncf %[[SUM]]
func.func @initial(%x: tensor<8x64xf16>, %w: tensor<32x64xf16>, %init: tensor<8x32xf16>) -> tensor<8x32xf16> {
  // expected-remark @+2 {{accumulates in f32}}
  // expected-remark @+1 {{raised linalg.matmul}}
  %y = linalg.matmul indexing_maps = [#x, #w, #y]
    ins(%x, %w : tensor<8x64xf16>, tensor<32x64xf16>)
    outs(%init : tensor<8x32xf16>) -> tensor<8x32xf16>
  return %y : tensor<8x32xf16>
}

// -----

// What stays, and why.

#x = affine_map<(t, n, k) -> (t, k)>
#w = affine_map<(t, n, k) -> (n, k)>
#y = affine_map<(t, n, k) -> (t, n)>

// CHECK-LABEL: func.func @one_row
//       CHECK: linalg.matvec
func.func @one_row(%x: tensor<64xf16>, %w: tensor<32x64xf16>, %f: tensor<32xf32>) -> tensor<32xf32> {
  // expected-remark @+1 {{linalg.matvec stays as it is: expected a result [..., T, N] and one summed dimension K}}
  %0 = linalg.matvec ins(%w, %x : tensor<32x64xf16>, tensor<64xf16>) outs(%f : tensor<32xf32>) -> tensor<32xf32>
  return %0 : tensor<32xf32>
}

// CHECK-LABEL: func.func @k_by_n
//       CHECK: linalg.matmul
func.func @k_by_n(%x: tensor<8x64xf16>, %w: tensor<64x32xf16, #sparseflow.nm<2:4, axis = 0>>, %f: tensor<8x32xf32>) -> tensor<8x32xf32> {
  // expected-remark @+1 {{linalg.matmul stays as it is: expected a sparse weight [N, K], found [K, N]; store it transposed}}
  %y = linalg.matmul ins(%x, %w : tensor<8x64xf16>, tensor<64x32xf16, #sparseflow.nm<2:4, axis = 0>>)
    outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %y : tensor<8x32xf32>
}

// A dense one is transposed.
// CHECK-LABEL: func.func @dense_k_by_n
//  CHECK-SAME: %[[X:.*]]: tensor<8x64xf16>, %[[W:.*]]: tensor<64x32xf16>
//       CHECK: %[[T:.*]] = linalg.transpose ins(%[[W]] : tensor<64x32xf16>) outs(%{{.*}} : tensor<32x64xf16>) permutation = [1, 0]
//       CHECK: sparseflow.matmul %[[X]], %[[T]]
func.func @dense_k_by_n(%x: tensor<8x64xf16>, %w: tensor<64x32xf16>, %f: tensor<8x32xf32>) -> tensor<8x32xf32> {
  // expected-remark @+1 {{raised linalg.matmul; the weight [32, 64] is dense, found as [K, N]: a GPU transposes it in every call; store it as [N, K]}}
  %y = linalg.matmul ins(%x, %w : tensor<8x64xf16>, tensor<64x32xf16>)
    outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %y : tensor<8x32xf32>
}

// A square weight that is copied, not transposed, is [K, N] still; so is one
// that is transposed and negated.
// CHECK-LABEL: func.func @no_transpose
// CHECK-COUNT-2: linalg.transpose ins(%{{.*}} : tensor<64x64xf16>)
#copy = affine_map<(k, n) -> (k, n)>
#swap = affine_map<(k, n) -> (n, k)>
func.func @no_transpose(%x: tensor<8x64xf16>, %w: tensor<64x64xf16>, %f: tensor<8x64xf32>) -> (tensor<8x64xf32>, tensor<8x64xf32>) {
  %e = tensor.empty() : tensor<64x64xf16>
  %w0 = linalg.generic {indexing_maps = [#copy, #copy], iterator_types = ["parallel", "parallel"]}
    ins(%w : tensor<64x64xf16>) outs(%e : tensor<64x64xf16>) {
  ^bb0(%a: f16, %o: f16):
    linalg.yield %a : f16
  } -> tensor<64x64xf16>
  %w1 = linalg.generic {indexing_maps = [#swap, #copy], iterator_types = ["parallel", "parallel"]}
    ins(%w : tensor<64x64xf16>) outs(%e : tensor<64x64xf16>) {
  ^bb0(%a: f16, %o: f16):
    %0 = arith.negf %a : f16
    linalg.yield %0 : f16
  } -> tensor<64x64xf16>
  // expected-remark @+1 {{found as [K, N]}}
  %y = linalg.matmul ins(%x, %w0 : tensor<8x64xf16>, tensor<64x64xf16>)
    outs(%f : tensor<8x64xf32>) -> tensor<8x64xf32>
  // expected-remark @+1 {{found as [K, N]}}
  %z = linalg.matmul ins(%x, %w1 : tensor<8x64xf16>, tensor<64x64xf16>)
    outs(%f : tensor<8x64xf32>) -> tensor<8x64xf32>
  return %y, %z : tensor<8x64xf32>, tensor<8x64xf32>
}

// CHECK-LABEL: func.func @f32
//       CHECK: linalg.matmul
func.func @f32(%x: tensor<8x64xf32>, %w: tensor<32x64xf32>, %f: tensor<8x32xf32>) -> tensor<8x32xf32> {
  // expected-remark @+1 {{expected f16 x f16 or bf16 x bf16, found f32 x f32}}
  %y = linalg.matmul indexing_maps = [#x, #w, #y]
    ins(%x, %w : tensor<8x64xf32>, tensor<32x64xf32>)
    outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %y : tensor<8x32xf32>
}

// CHECK-LABEL: func.func @integers
//       CHECK: linalg.matmul
func.func @integers(%x: tensor<8x64xi8>, %w: tensor<32x64xi8>, %f: tensor<8x32xi32>) -> tensor<8x32xi32> {
  // expected-remark @+1 {{expected the body out + x * w on floats}}
  %y = linalg.matmul indexing_maps = [#x, #w, #y]
    ins(%x, %w : tensor<8x64xi8>, tensor<32x64xi8>)
    outs(%f : tensor<8x32xi32>) -> tensor<8x32xi32>
  return %y : tensor<8x32xi32>
}

// CHECK-LABEL: func.func @dynamic_weight
//       CHECK: linalg.matmul
func.func @dynamic_weight(%x: tensor<8x64xf16>, %w: tensor<?x64xf16>, %f: tensor<8x?xf32>) -> tensor<8x?xf32> {
  // expected-remark @+1 {{expected a weight of static shape, found tensor<?x64xf16>}}
  %y = linalg.matmul indexing_maps = [#x, #w, #y]
    ins(%x, %w : tensor<8x64xf16>, tensor<?x64xf16>)
    outs(%f : tensor<8x?xf32>) -> tensor<8x?xf32>
  return %y : tensor<8x?xf32>
}

// CHECK-LABEL: func.func @batch
//       CHECK: linalg.batch_matmul
func.func @batch(%x: tensor<2x8x64xf16>, %w: tensor<2x64x32xf16>, %f: tensor<2x8x32xf32>) -> tensor<2x8x32xf32> {
  // expected-remark @+1 {{expected x [..., T, K] and one weight [N, K] for all of x}}
  %y = linalg.batch_matmul ins(%x, %w : tensor<2x8x64xf16>, tensor<2x64x32xf16>)
    outs(%f : tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
  return %y : tensor<2x8x32xf32>
}

// CHECK-LABEL: func.func @sparse_x
//       CHECK: linalg.matmul
func.func @sparse_x(%x: tensor<8x64xf16, #sparseflow.nm<2:4>>, %w: tensor<32x64xf16>, %f: tensor<8x32xf32>) -> tensor<8x32xf32> {
  // expected-remark @+1 {{expected only the weight to be sparse}}
  %y = linalg.matmul indexing_maps = [#x, #w, #y]
    ins(%x, %w : tensor<8x64xf16, #sparseflow.nm<2:4>>, tensor<32x64xf16>)
    outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %y : tensor<8x32xf32>
}

// CHECK-LABEL: func.func @other_axis
//       CHECK: linalg.matmul
func.func @other_axis(%x: tensor<8x64xf16>, %w: tensor<32x64xf16, #sparseflow.nm<2:4, axis = 0>>, %f: tensor<8x32xf32>) -> tensor<8x32xf32> {
  // expected-remark @+1 {{expected the weight's encoding to group K, found #sparseflow.nm<2:4, axis = 0>}}
  %y = linalg.matmul indexing_maps = [#x, #w, #y]
    ins(%x, %w : tensor<8x64xf16>, tensor<32x64xf16, #sparseflow.nm<2:4, axis = 0>>)
    outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %y : tensor<8x32xf32>
}

// A factor of the product that is no extension changes the result.
// CHECK-LABEL: func.func @negated
//       CHECK: linalg.generic
func.func @negated(%x: tensor<8x64xf16>, %w: tensor<32x64xf16>, %f: tensor<8x32xf32>) -> tensor<8x32xf32> {
  // expected-remark @+1 {{expected the body out + x * w on floats}}
  %y = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %w : tensor<8x64xf16>, tensor<32x64xf16>) outs(%f : tensor<8x32xf32>) {
  ^bb0(%a: f16, %b: f16, %c: f32):
    %n = arith.negf %a : f16
    %0 = arith.extf %n : f16 to f32
    %1 = arith.extf %b : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %c, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<8x32xf32>
  return %y : tensor<8x32xf32>
}

// The remarks can be turned off.
// CHECK-LABEL: func.func @silent
func.func @silent(%x: tensor<8x64xf16>, %w: tensor<64x32xf16>, %f: tensor<8x32xf32>) -> tensor<8x32xf32> attributes {sparseflow.remarks = false} {
  %y = linalg.matmul ins(%x, %w : tensor<8x64xf16>, tensor<64x32xf16>)
    outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %y : tensor<8x32xf32>
}
