// Where operands of the result's shape come from in kernels with warps that only
// copy: through a ring of their own, or by loads.

// RUN: split-file %s %t
// RUN: sparseflow compile %t/deep.mlir --schedule-file %S/Inputs/sparse.json --target sm_90a --emit sftile -o - \
// RUN:   | FileCheck %t/deep.mlir
// RUN: sparseflow compile %t/shallow.mlir --target sm_90a --emit sftile -o - \
// RUN:   | FileCheck %t/shallow.mlir
// RUN: sparseflow compile %t/wide.mlir --target sm_90a --emit sftile -o - \
// RUN:   | FileCheck %t/wide.mlir

//--- deep.mlir
// The last kernel before the one for unaligned pointers.
// CHECK-LABEL: gpu.func @mm_0_b(
// CHECK: %[[MAIN:.*]] = sftile.ring : <4, [<128x32xf16, values24>
// CHECK: %[[RING:.*]] = sftile.ring : <3, [<32x64xf16, swizzled>, <32x64xf16, swizzled>]>
// CHECK: sftile.role "copy"
// CHECK: sftile.acquire %[[MAIN]]
// CHECK: %[[SLOTS:.*]]:2 = sftile.acquire %[[RING]]
// CHECK-NEXT: scf.if %[[ANY:.*]] {
// CHECK-NEXT: sftile.copy %{{.*}} to %[[SLOTS]]#0 rows %[[ROWS:.*]] by(#sftile.tma)
// CHECK: scf.if %[[ANY]] {
// CHECK-NEXT: sftile.copy %{{.*}} to %[[SLOTS]]#1 rows %[[ROWS]] by(#sftile.tma)
// CHECK: sftile.commit %[[RING]]
// CHECK: sftile.role "multiply"
// CHECK: sftile.wait %[[RING]]
// CHECK: sftile.load transposed %{{.*}} by(#sftile.ldmatrix)
// CHECK: sftile.load transposed %{{.*}} by(#sftile.ldmatrix)
// CHECK-NEXT: sftile.release %[[RING]]
// CHECK-LABEL: gpu.func @mm_0_any(
// CHECK-NOT: sftile.take
func.func @mm(%x: tensor<?x2048xf16>,
              %w: tensor<2048x2048xf16, #sparseflow.nm<2:4>>,
              %r: tensor<?x2048xf16>) -> tensor<?x2048xf16> {
  %y = sparseflow.matmul %x, %w epilogue(%r : tensor<?x2048xf16>) as [full] {
  ^bb0(%acc: f32, %r_: f16):
    %0 = arith.extf %r_ : f16 to f32
    %1 = arith.addf %acc, %0 : f32
    %2 = arith.truncf %1 : f32 to f16
    sparseflow.yield %2 : f16
  } : tensor<?x2048xf16>, tensor<2048x2048xf16, #sparseflow.nm<2:4>>
      -> tensor<?x2048xf16>
  return %y : tensor<?x2048xf16>
}

//--- shallow.mlir
// CHECK: gpu.func
// CHECK-NOT: sftile.take
func.func @mm(%x: tensor<?x256xf16>,
              %w: tensor<2048x256xf16, #sparseflow.nm<2:4>>,
              %r: tensor<?x2048xf16>) -> tensor<?x2048xf16> {
  %y = sparseflow.matmul %x, %w epilogue(%r : tensor<?x2048xf16>) as [full] {
  ^bb0(%acc: f32, %r_: f16):
    %0 = arith.extf %r_ : f16 to f32
    %1 = arith.addf %acc, %0 : f32
    %2 = arith.truncf %1 : f32 to f16
    sparseflow.yield %2 : f16
  } : tensor<?x256xf16>, tensor<2048x256xf16, #sparseflow.nm<2:4>>
      -> tensor<?x2048xf16>
  return %y : tensor<?x2048xf16>
}

//--- wide.mlir
// Elements of 32 bits would make rows of more than the swizzle's 128 bytes.
// CHECK: gpu.func
// CHECK-NOT: sftile.take
func.func @mm(%x: tensor<?x2048xf16>,
              %w: tensor<2048x2048xf16, #sparseflow.nm<2:4>>,
              %r: tensor<?x2048xf32>) -> tensor<?x2048xf16> {
  %y = sparseflow.matmul %x, %w epilogue(%r : tensor<?x2048xf32>) as [full] {
  ^bb0(%acc: f32, %r_: f32):
    %1 = arith.addf %acc, %r_ : f32
    %2 = arith.truncf %1 : f32 to f16
    sparseflow.yield %2 : f16
  } : tensor<?x2048xf16>, tensor<2048x2048xf16, #sparseflow.nm<2:4>>
      -> tensor<?x2048xf16>
  return %y : tensor<?x2048xf16>
}
