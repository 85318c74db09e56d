// A query that sees one key gives that key's value, with the rounding that online softmax
// has of its own: the largest weight is 1 only nearly, while the value's copy is exact.

// RUN: sparseflow run %s --device sim --races --check --seed 3 | FileCheck %s
// RUN: sparseflow run %s --device sim --target sm_90a --check --seed 4 | FileCheck %s
// RUN: sparseflow run %s --device cpu --check --seed 5 | FileCheck %s
// CHECK: check result 0: ok
// CHECK: check result 1: ok

func.func @f(%q: tensor<3x130x4x80xbf16>, %k: tensor<3x1x1x80xbf16>, %v: tensor<3x1x1x80xbf16>) -> (tensor<3x130x4x80xf32>, tensor<3x4x130xf32>) {
  %o, %lse = sparseflow.attention %q, %k, %v {scale = 1.0 : f32, layout = #sparseflow.attention_layout<bshd>}
    : tensor<3x130x4x80xbf16>, tensor<3x1x1x80xbf16>, tensor<3x1x1x80xbf16> -> tensor<3x130x4x80xf32>, tensor<3x4x130xf32>
  return %o, %lse : tensor<3x130x4x80xf32>, tensor<3x4x130xf32>
}
