// RUN: sparseflow-opt %s --verify-roundtrip | FileCheck %s
// RUN: sparseflow-opt %s --resolve-ranked-shaped-type-result-dims --canonicalize | FileCheck %s --check-prefix=SIZES

// CHECK-LABEL: func.func @signs
// CHECK: sparseflow.hadamard %{{.*}} signs(%{{.*}} : tensor<1536xf32>) block 512 : tensor<2x?x1536xbf16>
// SIZES-LABEL: func.func @signs
// SIZES-SAME: %[[X:.*]]: tensor<2x?x1536xbf16>
// SIZES: %[[C1:.*]] = arith.constant 1 : index
// SIZES: %[[T:.*]] = tensor.dim %[[X]], %[[C1]]
// SIZES: return %{{.*}}, %[[T]]
func.func @signs(%x: tensor<2x?x1536xbf16>, %signs: tensor<1536xf32>)
    -> (tensor<2x?x1536xbf16>, index) {
  %c1 = arith.constant 1 : index
  %y = sparseflow.hadamard %x signs(%signs : tensor<1536xf32>) block 512 : tensor<2x?x1536xbf16>
  %t = tensor.dim %y, %c1 : tensor<2x?x1536xbf16>
  return %y, %t : tensor<2x?x1536xbf16>, index
}

// Twice is the identity up to rounding only, so that both stay.
// CHECK-LABEL: func.func @twice
// CHECK-COUNT-2: sparseflow.hadamard %{{.*}} block 64 : tensor<64xf32>
// SIZES-LABEL: func.func @twice
// SIZES-COUNT-2: sparseflow.hadamard
func.func @twice(%x: tensor<64xf32>) -> tensor<64xf32> {
  %y = sparseflow.hadamard %x block 64 : tensor<64xf32>
  %z = sparseflow.hadamard %y block 64 : tensor<64xf32>
  return %z : tensor<64xf32>
}
