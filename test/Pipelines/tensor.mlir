// RUN: sparseflow-opt %s --pass-pipeline="builtin.module(sparseflow-import{mark=w2=2:4},sparseflow-tensor)" 2>/dev/null | FileCheck %s
// RUN: sparseflow-opt %s --sparseflow-import=mark=w2=2:4 --sparseflow-tensor 2>/dev/null | FileCheck %s
// RUN: sparseflow-opt %s --sparseflow-import=mark=w2=2:4 --sparseflow-tensor=materialize-storage=false --sparseflow-lower-to-linalg 2>/dev/null | FileCheck %s --check-prefix=CPU
// RUN: not sparseflow-opt %s --sparseflow-import=mark=w2=1:4 --sparseflow-tensor=require-sparse 2>&1 | FileCheck %s --check-prefix=REQUIRED

// A feed-forward layer as a front end writes it: an upstream encoding on one
// weight, a request for the other, named ops and broadcasts.

// REQUIRED: error: cannot pack argument 3: expected a weight with the encoding #sparseflow.nm<2:4>

// CPU-LABEL: func.func @ffn
// CPU-COUNT-4: linalg.generic
//     CPU-NOT: linalg.generic
//     CPU-NOT: sparseflow.matmul

// CHECK-LABEL: func.func @ffn
//  CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<?x64xf16>, %[[W1:[a-z0-9]*]]: tensor<9216xi8>, %[[B1:[a-z0-9]*]]: tensor<128xf16>, %[[W2:[a-z0-9]*]]: tensor<9216xi8> {sparseflow.name = "w2"}, %[[B2:[a-z0-9]*]]: tensor<64xf16>)
//   CHECK-NOT: linalg
//       CHECK: %[[H:.*]] = sparseflow.matmul %[[X]], %[[W1]] epilogue(%[[B1]] : tensor<128xf16>) as [per_feature] {
//       CHECK: arith.maximumf
//       CHECK: storage = #sparseflow.storage<"sf24.v1", 128x64xf16>
//       CHECK: sparseflow.matmul %[[H]], %[[W2]] epilogue(%[[B2]], %[[X]] : tensor<64xf16>, tensor<?x64xf16>) as [per_feature, full] {
//       CHECK: storage = #sparseflow.storage<"sf24.v1", 64x128xf16>
//   CHECK-NOT: linalg

#nv24 = #sparse_tensor.encoding<{
  map = (i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[2, 4])
}>
#x = affine_map<(t, n, k) -> (t, k)>
#w = affine_map<(t, n, k) -> (n, k)>
#y = affine_map<(t, n, k) -> (t, n)>

func.func @ffn(%x: tensor<?x64xf16>, %w1: tensor<128x64xf16, #nv24>, %b1: tensor<128xf16>,
               %w2: tensor<64x128xf16> {sparseflow.name = "w2"}, %b2: tensor<64xf16>) -> tensor<?x64xf16> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f16
  %t = tensor.dim %x, %c0 : tensor<?x64xf16>
  %e1 = tensor.empty(%t) : tensor<?x128xf16>
  %f1 = linalg.fill ins(%zero : f16) outs(%e1 : tensor<?x128xf16>) -> tensor<?x128xf16>
  %h0 = linalg.matmul indexing_maps = [#x, #w, #y]
    ins(%x, %w1 : tensor<?x64xf16>, tensor<128x64xf16, #nv24>)
    outs(%f1 : tensor<?x128xf16>) -> tensor<?x128xf16>
  %bb1 = linalg.broadcast ins(%b1 : tensor<128xf16>) outs(%e1 : tensor<?x128xf16>) dimensions = [0]
  %h1 = linalg.add ins(%h0, %bb1 : tensor<?x128xf16>, tensor<?x128xf16>) outs(%e1 : tensor<?x128xf16>) -> tensor<?x128xf16>
  %h2 = linalg.max ins(%h1, %f1 : tensor<?x128xf16>, tensor<?x128xf16>) outs(%e1 : tensor<?x128xf16>) -> tensor<?x128xf16>
  %et = tensor.empty() : tensor<128x64xf16>
  %w2t = linalg.transpose ins(%w2 : tensor<64x128xf16>) outs(%et : tensor<128x64xf16>) permutation = [1, 0]
  %e2 = tensor.empty(%t) : tensor<?x64xf16>
  %f2 = linalg.fill ins(%zero : f16) outs(%e2 : tensor<?x64xf16>) -> tensor<?x64xf16>
  %y0 = linalg.matmul ins(%h2, %w2t : tensor<?x128xf16>, tensor<128x64xf16>) outs(%f2 : tensor<?x64xf16>) -> tensor<?x64xf16>
  %bb2 = linalg.broadcast ins(%b2 : tensor<64xf16>) outs(%e2 : tensor<?x64xf16>) dimensions = [0]
  %y1 = linalg.add ins(%y0, %bb2 : tensor<?x64xf16>, tensor<?x64xf16>) outs(%e2 : tensor<?x64xf16>) -> tensor<?x64xf16>
  %y2 = linalg.add ins(%y1, %x : tensor<?x64xf16>, tensor<?x64xf16>) outs(%e2 : tensor<?x64xf16>) -> tensor<?x64xf16>
  return %y2 : tensor<?x64xf16>
}
