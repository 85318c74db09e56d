// RUN: sparseflow-opt %s --sparseflow-mark-sparse="mark=w=2:4,2=1:4" 2>&1 | FileCheck %s
// RUN: not sparseflow-opt %s --sparseflow-mark-sparse="mark=nobody=2:4" 2>&1 | FileCheck %s --check-prefix=NOBODY
// RUN: not sparseflow-opt %s --sparseflow-mark-sparse="mark=w" 2>&1 | FileCheck %s --check-prefix=SYNTAX
// RUN: not sparseflow-opt %s --sparseflow-mark-sparse="mark==2:4" 2>&1 | FileCheck %s --check-prefix=SYNTAX
// RUN: not sparseflow-opt %s --sparseflow-mark-sparse="mark=w=2:x" 2>&1 | FileCheck %s --check-prefix=SYNTAX
// RUN: not sparseflow-opt %s --sparseflow-mark-sparse="mark=w=4:2" 2>&1 | FileCheck %s --check-prefix=PATTERN
// RUN: not sparseflow-opt %s --sparseflow-mark-sparse="mark=w=2:5" 2>&1 | FileCheck %s --check-prefix=SHAPE
// RUN: not sparseflow-opt %s --sparseflow-mark-sparse="mark=w=2:4,w=1:4" 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: sparseflow-opt %s --sparseflow-mark-sparse="mark=w=2:4,w=2:4" -o /dev/null

// NOBODY: error: expected 'mark' to name an argument, found "nobody", which no function has; names are the 'sparseflow.name' of arguments
// SYNTAX: error: expected an item of 'mark' as NAME=N:M or INDEX=N:M, or with ternary:STORAGE:SCALE:TYPE[:PLANES] or quantized:... in place of N:M, found "
// PATTERN: error: cannot mark argument 1 as 4:2: expected N:M with 1 <= N < M, found 4:2
// SHAPE: error: cannot mark argument 1 as 2:5: expected dimension 1 to be a multiple of 5 {{.*}} found 32
// TWICE: error: cannot mark argument 1: the mark w=2:4 says 2:4 and the mark w=1:4 says 1:4; remove one of the two

// CHECK: remark: [import] argument 1 is 'tensor<64x32xf16, #sparseflow.nm<2:4>>' by request
// CHECK: remark: [import] argument 2 is 'tensor<64x32xf16, #sparseflow.nm<1:4>>' by request

// The linalg op and the weight of the matmul see the encoding; the addition and
// the activations read the dense values.
//       CHECK: module {
//  CHECK-NEXT: func.func @f(%[[X:.*]]: tensor<8x32xf16>, %[[W:.*]]: tensor<64x32xf16, #sparseflow.nm<2:4>> {sparseflow.name = "w"}, %[[V:.*]]: tensor<64x32xf16, #sparseflow.nm<1:4>>)
//       CHECK: %[[D:.*]] = sparseflow.unpack %[[W]]
//       CHECK: linalg.transpose ins(%[[V]] : tensor<64x32xf16, #sparseflow.nm<1:4>>)
//       CHECK: sparseflow.matmul %[[X]], %[[W]] {
//       CHECK: sparseflow.matmul %[[D]], %[[W]] {
//       CHECK: arith.addf %[[D]], %[[D]] : tensor<64x32xf16>
func.func @f(%x: tensor<8x32xf16>, %w: tensor<64x32xf16> {sparseflow.name = "w"},
             %v: tensor<64x32xf16>)
    -> (tensor<32x64xf16>, tensor<8x64xf32>, tensor<64x64xf32>, tensor<64x32xf16>) {
  %e = tensor.empty() : tensor<32x64xf16>
  %t = linalg.transpose ins(%v : tensor<64x32xf16>) outs(%e : tensor<32x64xf16>)
    permutation = [1, 0]
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<8x32xf16>, tensor<64x32xf16> -> tensor<8x64xf32>
  %z = sparseflow.matmul %w, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<64x32xf16>, tensor<64x32xf16> -> tensor<64x64xf32>
  %a = arith.addf %w, %w : tensor<64x32xf16>
  return %t, %y, %z, %a : tensor<32x64xf16>, tensor<8x64xf32>, tensor<64x64xf32>, tensor<64x32xf16>
}
