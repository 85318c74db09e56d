// Descriptors of products stay in uniform registers where the assembler could know in
// which stage of a ring every tile begins: there were 56 moves between the products.
//
// REQUIRES: ptxas
// RUN: %python %S/Inputs/uniform_descriptors.py %s %t | FileCheck %s
// CHECK: 32 products, 0 moves between them

func.func @whole(%q: tensor<4x16x2048x128xf16>, %k: tensor<4x16x2048x128xf16>,
                 %v: tensor<4x16x2048x128xf16>) -> tensor<4x16x2048x128xf16> {
  %o = sparseflow.attention %q, %k, %v
    : tensor<4x16x2048x128xf16>, tensor<4x16x2048x128xf16>, tensor<4x16x2048x128xf16> -> tensor<4x16x2048x128xf16>
  return %o : tensor<4x16x2048x128xf16>
}
