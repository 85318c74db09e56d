// An op gets none of the rows that it is told to avoid; of a class of token
// numbers another row may serve, or none. Where all are avoided, that for
// operands in any place serves it.

// RUN: sparseflow-opt %s --sparseflow-select-schedule=target=sm_120 2>%t.remarks | FileCheck %s --check-prefix=IR
// RUN: FileCheck %s < %t.remarks

// CHECK: remark: [schedule] sm86.sparse.small for up to 16 tokens
// CHECK-NOT: sm86.sparse.medium
// CHECK: remark: [schedule] sm86.sparse.large for any number of tokens
// CHECK: remark: [schedule] sm86.sparse.small
// CHECK: remark: [schedule] no row for more than 64 tokens: a kernel with single-element copies runs then
// CHECK: remark: [schedule] sm86.sparse.unaligned for 7 tokens
// CHECK: remark: [schedule] sm86.attention.unaligned: 64 queries a block

// IR: func.func @f
// IR: sftile.schedules = [#sftile.schedule<"sm86.sparse.small"{{.*}}>, #sftile.schedule<"sm86.sparse.large"{{.*}}>]

func.func @f(%x: tensor<?x256xf16>, %w: tensor<64x256xf16, #sparseflow.nm<2:4>>) -> tensor<?x64xf16> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } {sftile.avoid_schedules = ["sm86.sparse.medium"]} : tensor<?x256xf16>, tensor<64x256xf16, #sparseflow.nm<2:4>> -> tensor<?x64xf16>
  return %y : tensor<?x64xf16>
}

func.func @g(%x: tensor<?x256xf16>, %w: tensor<64x256xf16, #sparseflow.nm<2:4>>) -> tensor<?x64xf16> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } {sftile.avoid_schedules = ["sm86.sparse.large"]} : tensor<?x256xf16>, tensor<64x256xf16, #sparseflow.nm<2:4>> -> tensor<?x64xf16>
  return %y : tensor<?x64xf16>
}

func.func @all(%x: tensor<7x256xf16>, %w: tensor<64x256xf16, #sparseflow.nm<2:4>>) -> tensor<7x64xf16> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } {sftile.avoid_schedules = ["sm86.sparse.small", "sm86.sparse.medium", "sm86.sparse.large"]} : tensor<7x256xf16>, tensor<64x256xf16, #sparseflow.nm<2:4>> -> tensor<7x64xf16>
  return %y : tensor<7x64xf16>
}

func.func @attention(%q: tensor<1x2x64x64xf16>, %k: tensor<1x2x64x64xf16>) -> tensor<1x2x64x64xf16> {
  %o = sparseflow.attention %q, %k, %k {sftile.avoid_schedules = ["sm86.attention.d64", "sm86.attention.small"]} : tensor<1x2x64x64xf16>, tensor<1x2x64x64xf16>, tensor<1x2x64x64xf16> -> tensor<1x2x64x64xf16>
  return %o : tensor<1x2x64x64xf16>
}
