// Keys and values that one query's heads read once are given up first by the L2 cache; not
// those of several queries, and not pages, which entries may share.
//
// RUN: sparseflow compile %s --target sm_90a --emit ptx -o - | FileCheck %s
//
// CHECK-LABEL: .entry once_
// CHECK: cp.async.bulk.tensor.{{.*}}.L2::cache_hint
// CHECK-LABEL: .entry paged_
// CHECK-NOT: L2::cache_hint
// CHECK-LABEL: .entry several_
// CHECK-NOT: L2::cache_hint

func.func @once(%q: tensor<1x8x1x64xf16>, %k: tensor<1x2x9000x64xf16>, %v: tensor<1x2x9000x64xf16>) -> tensor<1x8x1x64xf16> {
  %o = sparseflow.attention %q, %k, %v
    : tensor<1x8x1x64xf16>, tensor<1x2x9000x64xf16>, tensor<1x2x9000x64xf16> -> tensor<1x8x1x64xf16>
  return %o : tensor<1x8x1x64xf16>
}

func.func @paged(%q: tensor<4x8x1x64xf16>, %k: tensor<99x2x64x64xf16>, %v: tensor<99x2x64x64xf16>, %n: tensor<4xi32>, %t: tensor<4x40xi32>) -> tensor<4x8x1x64xf16> {
  %o = sparseflow.attention %q, %k, %v lengths(%n : tensor<4xi32>) pages(%t : tensor<4x40xi32>)
    : tensor<4x8x1x64xf16>, tensor<99x2x64x64xf16>, tensor<99x2x64x64xf16> -> tensor<4x8x1x64xf16>
  return %o : tensor<4x8x1x64xf16>
}

func.func @several(%q: tensor<1x8x500x64xf16>, %k: tensor<1x2x500x64xf16>, %v: tensor<1x2x500x64xf16>) -> tensor<1x8x500x64xf16> {
  %o = sparseflow.attention %q, %k, %v
    : tensor<1x8x500x64xf16>, tensor<1x2x500x64xf16>, tensor<1x2x500x64xf16> -> tensor<1x8x500x64xf16>
  return %o : tensor<1x8x500x64xf16>
}
