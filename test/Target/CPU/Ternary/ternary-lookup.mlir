// RUN: sparseflow-opt %s --sparseflow-cpu-lower-ternary --sparseflow-lower-to-linalg --sparseflow-cpu="int8-dot=avx512vnni lookup-tokens=16" 2>/dev/null | FileCheck %s
// RUN: sparseflow-opt %s --sparseflow-cpu-lower-ternary --sparseflow-lower-to-linalg --sparseflow-cpu="int8-dot=avx512vnni lookup-tokens=16" -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: sparseflow-opt %s --sparseflow-cpu-lower-ternary --sparseflow-lower-to-linalg --sparseflow-cpu="int8-dot=avx512vnni" 2>&1 | FileCheck %s --check-prefix=NEVER --implicit-check-not=permvar
// RUN: sparseflow-opt %s --sparseflow-cpu-lower-ternary --sparseflow-lower-to-linalg --sparseflow-cpu="int8-dot=avx2 lookup-tokens=16" 2>&1 | FileCheck %s --check-prefix=AVX2 --implicit-check-not=permvar

// Tables of 27 sums: digits of the even entries, then of the odd ones.
// Then each step of a group of 8 tokens: a lookup and two dots for each token.
// CHECK-DAG: llvm.mlir.constant(dense<[0, 2, 257, 512, 514, 65537, 65792, 65794, 66049, 131072, 131074, 131329, 131584, 131586, 0, 0]> : vector<16xi32>)
// CHECK-DAG: llvm.mlir.constant(dense<[1, 256, 258, 513, 65536, 65538, 65793, 66048, 66050, 131073, 131328, 131330, 131585, 0, 0, 0]> : vector<16xi32>)

// A number of tokens that is whole groups is all tables.
// CHECK-LABEL: llvm.func @whole(
// CHECK-COUNT-32: llvm.call_intrinsic "llvm.x86.avx512.permvar.hi.512"
// CHECK-NOT: permvar
// REMARK-DAG: [[#@LINE+4]]:8: remark: [matmul] 8-bit activations times packed trits by int8 dot products (avx512vnni), and by tables of sums for groups of 8 tokens where there are 16 or more
// NEVER: remark: [matmul] 8-bit activations times packed trits by int8 dot products (avx512vnni); tables of sums do not pay on this CPU (lookup-tokens is 0)
// AVX2: remark: [matmul] 8-bit activations times packed trits by int8 dot products (avx2); tables of sums need avx512vnni
func.func @whole(%x: tensor<16x300xi8>, %w: tensor<70x300xf16, #sparseflow.ternary<codes, scale = row : f16>>) -> tensor<16x70xf32> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<16x300xi8>, tensor<70x300xf16, #sparseflow.ternary<codes, scale = row : f16>> -> tensor<16x70xf32>
  return %y : tensor<16x70xf32>
}

// Fewer tokens than what pays.
// REMARK-DAG: remark: [matmul] 8-bit activations times packed trits by int8 dot products (avx512vnni); tables of sums pay from 16 tokens on, found 8
func.func @few(%x: tensor<2x4x300xi8>, %w: tensor<70x300xf16, #sparseflow.ternary<codes, scale = row : f16>>) -> tensor<2x4x70xf32> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<2x4x300xi8>, tensor<70x300xf16, #sparseflow.ternary<codes, scale = row : f16>> -> tensor<2x4x70xf32>
  return %y : tensor<2x4x70xf32>
}

// Products without a vector loop say what they would need.
// REMARK-DAG: [matmul] trits are unpacked before they are multiplied: vector loops over packed trits take one scale a row or tensor, found 2 groups
// REMARK-DAG: [matmul] trits are unpacked before they are multiplied: vector loops over packed trits take the layout tern.v1, found tern24.v1
// REMARK-DAG: [matmul] trits are unpacked before they are multiplied: vector loops over packed trits take 8-bit activations, found f16
func.func @others(%x: tensor<4x256xi8>, %f: tensor<4x256xf16>,
                  %g: tensor<8x256xf16, #sparseflow.ternary<codes, scale = 128 : f32>>,
                  %b: tensor<8x256xf16, #sparseflow.ternary<two_four, scale = row : f32>>,
                  %c: tensor<8x256xf16, #sparseflow.ternary<codes, scale = row : f32>>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = sparseflow.matmul %x, %g {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<4x256xi8>, tensor<8x256xf16, #sparseflow.ternary<codes, scale = 128 : f32>> -> tensor<4x8xf32>
  %1 = sparseflow.matmul %x, %b {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<4x256xi8>, tensor<8x256xf16, #sparseflow.ternary<two_four, scale = row : f32>> -> tensor<4x8xf32>
  %2 = sparseflow.matmul %f, %c {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<4x256xf16>, tensor<8x256xf16, #sparseflow.ternary<codes, scale = row : f32>> -> tensor<4x8xf32>
  return %0, %1, %2 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}
