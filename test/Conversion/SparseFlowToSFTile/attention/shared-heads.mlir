// Heads that share a key head share the tiles of a plan, as far as the schedule's number
// divides them: boxes of 32 queries of four heads, and results of two heads for each
// warpgroup. Three heads have tiles of their own, and so have those that no plan is for.
//
// RUN: sparseflow compile %s --target sm_90a --emit manifest -o - --remarks 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARKS --input-file %t.remarks
//
// CHECK: "name": "four"
// CHECK: "box": [
// CHECK-NEXT: 64,
// CHECK-NEXT: 32,
// CHECK-NEXT: 4,
// CHECK-NEXT: 1
// CHECK: "box": [
// CHECK-NEXT: 64,
// CHECK-NEXT: 64,
// CHECK-NEXT: 1,
// CHECK: "box": [
// CHECK-NEXT: 64,
// CHECK-NEXT: 64,
// CHECK-NEXT: 1,
// CHECK: "box": [
// CHECK-NEXT: 64,
// CHECK-NEXT: 32,
// CHECK-NEXT: 2,
// CHECK-NEXT: 1
// CHECK: "name": "three"
// CHECK: "box": [
// CHECK-NEXT: 64,
// CHECK-NEXT: 128,
// CHECK-NEXT: 1,
// CHECK: "name": "equal"
// CHECK: "box": [
// CHECK-NEXT: 64,
// CHECK-NEXT: 128,
// CHECK-NEXT: 1,
//
// REMARKS: [schedule] heads: the tiles of a plan have 32 queries of each of 4 heads that share a key head
// REMARKS-NOT: that share a key head

#heads = #sftile.attention_schedule<"heads", queries = 128, warp = 16, keys = 64, heads = 4, pipeline = #sftile.warp_specialized_attention<stages = 2, grid = 132>>
#plain = #sftile.attention_schedule<"plain", queries = 64, warp = 16, keys = 32, pipeline = #sftile.multistage_attention<stages = 2>>

func.func @four(%q: tensor<1x8x500x64xf16>, %k: tensor<1x2x500x64xf16>, %v: tensor<1x2x500x64xf16>, %n: tensor<4xi32>) -> tensor<1x8x500x64xf16> {
  %o = sparseflow.attention %q, %k, %v cu_seqlens(%n, %n : tensor<4xi32>, tensor<4xi32>)
    {causal, sftile.schedules = [#heads], sftile.unaligned_schedule = #plain}
    : tensor<1x8x500x64xf16>, tensor<1x2x500x64xf16>, tensor<1x2x500x64xf16> -> tensor<1x8x500x64xf16>
  return %o : tensor<1x8x500x64xf16>
}

func.func @three(%q: tensor<1x3x500x64xf16>, %k: tensor<1x1x500x64xf16>, %v: tensor<1x1x500x64xf16>, %n: tensor<4xi32>) -> tensor<1x3x500x64xf16> {
  %o = sparseflow.attention %q, %k, %v cu_seqlens(%n, %n : tensor<4xi32>, tensor<4xi32>)
    {causal, sftile.schedules = [#heads], sftile.unaligned_schedule = #plain}
    : tensor<1x3x500x64xf16>, tensor<1x1x500x64xf16>, tensor<1x1x500x64xf16> -> tensor<1x3x500x64xf16>
  return %o : tensor<1x3x500x64xf16>
}

func.func @equal(%q: tensor<1x8x500x64xf16>, %k: tensor<1x2x500x64xf16>, %v: tensor<1x2x500x64xf16>) -> tensor<1x8x500x64xf16> {
  %o = sparseflow.attention %q, %k, %v
    {causal, sftile.schedules = [#heads], sftile.unaligned_schedule = #plain}
    : tensor<1x8x500x64xf16>, tensor<1x2x500x64xf16>, tensor<1x2x500x64xf16> -> tensor<1x8x500x64xf16>
  return %o : tensor<1x8x500x64xf16>
}
