// RUN: sparseflow-opt %s --canonicalize --split-input-file | FileCheck %s

#row = #sparseflow.ternary<codes, scale = row : f32>

// A weight that has the encoding stays as it is.
// CHECK-LABEL: func.func @again
//  CHECK-NEXT: return %arg0
func.func @again(%w: tensor<8x64xf16, #row>) -> tensor<8x64xf16, #row> {
  %0 = sparseflow.ternarize %w by <lloyd> : tensor<8x64xf16, #row> -> tensor<8x64xf16, #row>
  return %0 : tensor<8x64xf16, #row>
}

// -----

#row = #sparseflow.ternary<codes, scale = row : f32>

// CHECK-LABEL: func.func @there_and_back
//  CHECK-NEXT: return %arg0
func.func @there_and_back(%w: tensor<8x64xf16, #row>) -> tensor<8x64xf16, #row> {
  %0 = sparseflow.pack %w as <"tern.v1", 8x64xf16, <codes, scale = row : f32>> : tensor<8x64xf16, #row> -> tensor<2304xi8>
  %1 = sparseflow.unpack %0 from <"tern.v1", 8x64xf16, <codes, scale = row : f32>> : tensor<2304xi8> -> tensor<8x64xf16, #row>
  return %1 : tensor<8x64xf16, #row>
}

// -----

// Scales of the element type are not rounded by unpack: the product may read
// the trits. f32 scales are.
#same = #sparseflow.ternary<codes, scale = row : f16>
#wide = #sparseflow.ternary<codes, scale = row : f32>

// CHECK-LABEL: func.func @products
//   CHECK-NOT: unpack %arg1
//       CHECK: sparseflow.unpack %arg2
//       CHECK: sparseflow.matmul %arg0, %arg1
//       CHECK: sparseflow.matmul %arg0, %{{[0-9a-z]+}} {
func.func @products(%x: tensor<?x64xf16>, %a: tensor<8x64xf16, #same>, %b: tensor<8x64xf16, #wide>) -> (tensor<?x8xf32>, tensor<?x8xf32>) {
  %0 = sparseflow.unpack %a : tensor<8x64xf16, #same> -> tensor<8x64xf16>
  %1 = sparseflow.unpack %b : tensor<8x64xf16, #wide> -> tensor<8x64xf16>
  %2 = sparseflow.matmul %x, %0 {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<?x64xf16>, tensor<8x64xf16> -> tensor<?x8xf32>
  %3 = sparseflow.matmul %x, %1 {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<?x64xf16>, tensor<8x64xf16> -> tensor<?x8xf32>
  return %2, %3 : tensor<?x8xf32>, tensor<?x8xf32>
}

// -----

// CHECK-LABEL: func.func @same_plane
//  CHECK-NEXT: return %arg0, %arg0
func.func @same_plane(%a: tensor<2x4xi1>) -> (tensor<2x4xi1>, tensor<2x4xi1>) {
  %0 = sparseflow.plane_and %a, %a : tensor<2x4xi1>
  %1 = sparseflow.plane_or %a, %a : tensor<2x4xi1>
  return %0, %1 : tensor<2x4xi1>, tensor<2x4xi1>
}

// -----

// CHECK-LABEL: func.func @splats
//   CHECK-DAG: %[[NONE:.+]] = arith.constant dense<false>
//   CHECK-DAG: %[[ALL:.+]] = arith.constant dense<true>
//       CHECK: return %[[NONE]], %arg0, %arg0, %[[ALL]], %arg1
func.func @splats(%a: tensor<2x4xi1>, %x: tensor<2x4xf16>) -> (tensor<2x4xi1>, tensor<2x4xi1>, tensor<2x4xi1>, tensor<2x4xi1>, tensor<2x4xf16>) {
  %none = arith.constant dense<false> : tensor<2x4xi1>
  %all = arith.constant dense<true> : tensor<2x4xi1>
  %0 = sparseflow.plane_and %none, %a : tensor<2x4xi1>
  %1 = sparseflow.plane_and %a, %all : tensor<2x4xi1>
  %2 = sparseflow.plane_or %none, %a : tensor<2x4xi1>
  %3 = sparseflow.plane_or %a, %all : tensor<2x4xi1>
  %4 = sparseflow.plane_mask %x, %all : tensor<2x4xf16>, tensor<2x4xi1>
  return %0, %1, %2, %3, %4 : tensor<2x4xi1>, tensor<2x4xi1>, tensor<2x4xi1>, tensor<2x4xi1>, tensor<2x4xf16>
}

// -----

#row = #sparseflow.ternary<codes, scale = row : f32>

// The number of tokens is that of what was quantized: a matmul is the only reader of the
// values, also where nothing is left to add up.
// CHECK-LABEL: func.func @sizes_of_quantized
//  CHECK-SAME: %[[X:.*]]: tensor<?x64xf16>, %[[NONE:.*]]: tensor<?x0xf16>
//   CHECK-DAG: %[[T:.*]] = tensor.dim %[[NONE]], %c0
//   CHECK-DAG: tensor.empty(%[[T]])
//   CHECK-DAG: %[[DIM:.*]] = tensor.dim %[[X]], %c0
//       CHECK: return %{{.*}}, %[[DIM]], %[[DIM]]
func.func @sizes_of_quantized(%x: tensor<?x64xf16>, %none: tensor<?x0xf16>, %w: tensor<8x0xf16, #row>)
    -> (tensor<?x8xf32>, index, index) {
  %c0 = arith.constant 0 : index
  %q, %s = sparseflow.quantize %x : tensor<?x64xf16> -> tensor<?x64xi8>, tensor<?xf32>
  %0 = tensor.dim %q, %c0 : tensor<?x64xi8>
  %1 = tensor.dim %s, %c0 : tensor<?xf32>
  %p, %t = sparseflow.quantize %none : tensor<?x0xf16> -> tensor<?x0xi8>, tensor<?xf32>
  %y = sparseflow.matmul %p, %w epilogue(%t : tensor<?xf32>) as [per_token] {
  ^bb0(%acc: f32, %scale: f32):
    %r = arith.addf %acc, %scale : f32
    sparseflow.yield %r : f32
  } : tensor<?x0xi8>, tensor<8x0xf16, #row> -> tensor<?x8xf32>
  return %y, %0, %1 : tensor<?x8xf32>, index, index
}
