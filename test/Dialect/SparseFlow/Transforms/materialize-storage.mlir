// RUN: sparseflow-opt %s --sparseflow-materialize-storage --split-input-file --verify-diagnostics=all | FileCheck %s
// RUN: sparseflow-opt %s --pass-pipeline="builtin.module(func.func(sparseflow-materialize-storage,sparseflow-materialize-storage))" --split-input-file 2>/dev/null | FileCheck %s

// CHECK-LABEL: func.func @one
//  CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<?x64xf16> {sparseflow.name = "x"}, %[[W:.*]]: tensor<9216xi8>, %[[B:.*]]: tensor<65xf16>) -> tensor<?x65xf16>
//  CHECK-SAME: sparseflow.argument_names = ["x", "arg1", "arg2"]
//  CHECK-SAME: sparseflow.argument_shapes = {{\[}}["T", 64], [65, 64], [65]]
//  CHECK-SAME: sparseflow.argument_types = [tensor<?x64xf16>, tensor<65x64xf16, #sparseflow.nm<2:4>>, tensor<65xf16>]
//  CHECK-SAME: sparseflow.result_shapes = {{\[}}["T", 65]]
//  CHECK-SAME: sparseflow.result_types = [tensor<?x65xf16>]
//  CHECK-SAME: sparseflow.symbols = ["T"]
//       CHECK: sparseflow.matmul %[[X]], %[[W]] epilogue(%[[B]] : tensor<65xf16>)
//       CHECK: } {storage = #sparseflow.storage<"sf24.v1", 65x64xf16>} : tensor<?x64xf16>, tensor<9216xi8> -> tensor<?x65xf16>
func.func @one(%x: tensor<?x64xf16> {sparseflow.name = "x"},
               %w: tensor<65x64xf16, #sparseflow.nm<2:4>>, %b: tensor<65xf16>) -> tensor<?x65xf16> {
  %y = sparseflow.matmul %x, %w epilogue(%b : tensor<65xf16>) as [per_feature] {
  ^bb0(%acc: f32, %in: f16):
    %0 = arith.truncf %acc : f32 to f16
    %1 = arith.addf %0, %in : f16
    sparseflow.yield %1 : f16
  } : tensor<?x64xf16>, tensor<65x64xf16, #sparseflow.nm<2:4>> -> tensor<?x65xf16>
  return %y : tensor<?x65xf16>
}

// One weight of two products; bytes packed by the program are the argument.
// CHECK-LABEL: func.func @shared
//  CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<?x64xf16>, %[[W:.*]]: tensor<4608xi8>) ->
//       CHECK: sparseflow.matmul %[[X]], %[[W]] {
//       CHECK: %[[Z:.*]] = sparseflow.matmul %{{.*}}, %[[W]] {
//       CHECK: return %[[Z]], %[[W]]
func.func @shared(%x: tensor<?x64xf16>, %w: tensor<64x64xf16, #sparseflow.nm<2:4>>) -> (tensor<?x64xf16>, tensor<4608xi8>) {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } : tensor<?x64xf16>, tensor<64x64xf16, #sparseflow.nm<2:4>> -> tensor<?x64xf16>
  %z = sparseflow.matmul %y, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } : tensor<?x64xf16>, tensor<64x64xf16, #sparseflow.nm<2:4>> -> tensor<?x64xf16>
  %b = sparseflow.pack %w as <"sf24.v1", 64x64xf16> : tensor<64x64xf16, #sparseflow.nm<2:4>> -> tensor<4608xi8>
  return %z, %b : tensor<?x64xf16>, tensor<4608xi8>
}

// Sizes that an op needs to be equal share a symbol; others do not. A size that
// turns out static is static.
// CHECK-LABEL: func.func @symbols
//  CHECK-SAME: sparseflow.argument_shapes = {{\[}}["T", "T1", 64], [32, 64], ["T", "T1"], ["T", "T1", 32], ["T2"], [32]]
//  CHECK-SAME: sparseflow.result_shapes = {{\[}}["T", "T1", 32], ["T2"]]
//  CHECK-SAME: sparseflow.symbols = ["T", "T1", "T2"]
#id = affine_map<(d0) -> (d0)>
func.func @symbols(%x: tensor<?x?x64xf16>, %w: tensor<32x64xf16>, %s: tensor<?x?xf32>,
                   %r: tensor<?x?x32xf32>, %v: tensor<?xf32>, %b: tensor<?xf32>) -> (tensor<?x?x32xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %y = sparseflow.matmul %x, %w
      epilogue(%s, %r, %b : tensor<?x?xf32>, tensor<?x?x32xf32>, tensor<?xf32>) as [per_token, full, per_feature] {
  ^bb0(%acc: f32, %si: f32, %ri: f32, %bi: f32):
    %0 = arith.mulf %acc, %si : f32
    %1 = arith.addf %0, %ri : f32
    %2 = arith.addf %1, %bi : f32
    sparseflow.yield %2 : f32
  } : tensor<?x?x64xf16>, tensor<32x64xf16> -> tensor<?x?x32xf32>
  %n = tensor.dim %v, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %z = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
    ins(%v : tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = math.exp %a : f32
    linalg.yield %0 : f32
  } -> tensor<?xf32>
  return %y, %z : tensor<?x?x32xf32>, tensor<?xf32>
}

// Other patterns have no packed layout: dense, and said so.
// CHECK-LABEL: func.func @other_pattern
//  CHECK-SAME: %{{.*}}: tensor<?x64xf16>, %[[W:[a-z0-9]*]]: tensor<32x64xf16>)
//  CHECK-SAME: tensor<32x64xf16, #sparseflow.nm<1:4>>
//       CHECK: sparseflow.matmul %{{.*}}, %[[W]] {
//   CHECK-NOT: storage
//       CHECK: tensor<32x64xf16> -> tensor<?x32xf32>
func.func @other_pattern(%x: tensor<?x64xf16>,
    // expected-remark @+1 {{[storage] argument 1 is stored densely: #sparseflow.nm<1:4> has no packed layout, only #sparseflow.nm<2:4> along K has one}}
    %w: tensor<32x64xf16, #sparseflow.nm<1:4>>) -> tensor<?x32xf32> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<?x64xf16>, tensor<32x64xf16, #sparseflow.nm<1:4>> -> tensor<?x32xf32>
  return %y : tensor<?x32xf32>
}
