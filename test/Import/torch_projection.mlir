// residual + nn.Linear(x) with folded tokens: as torch-mlir prints a view to
// [batch * tokens, features] around the product. The bias is [1, N] in the
// graph and read at 0 along its unit dimension.
//
// RUN: sparseflow compile %s --sparse arg1=2:4 --emit mlir | FileCheck %s
// RUN: sparseflow run %s --sparse arg1=2:4 --device cpu --check
// RUN: sparseflow run %s --sparse arg1=2:4 --device sim --check
// RUN: sparseflow compile %s --sparse arg1=2:4 --target sm_80 --emit ptx -o %t.80.ptx && FileCheck %s --check-prefix=PTX < %t.80.ptx
// RUN: sparseflow compile %s --sparse arg1=2:4 --target sm_90 --emit ptx -o %t.90.ptx && FileCheck %s --check-prefix=PTX < %t.90.ptx

// CHECK-NOT: linalg.
//     CHECK: sparseflow.matmul %arg0, %arg1 epilogue(%arg3, %arg2 : tensor<2x8x96xf16>, tensor<96xf16>) as [full, per_feature] {
// CHECK-NOT: linalg.
// PTX: mma.sp::ordered_metadata.sync

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (0, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
module attributes {torch.debug_module_name = "Projection"} {
  func.func @forward(%arg0: tensor<2x8x64xf16>, %arg1: tensor<96x64xf16>, %arg2: tensor<96xf16>, %arg3: tensor<2x8x96xf16>) -> tensor<2x8x96xf16> {
    %cst = arith.constant 0.000000e+00 : f16
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<2x8x64xf16> into tensor<16x64xf16>
    %0 = tensor.empty() : tensor<64x96xf16>
    %transposed = linalg.transpose ins(%arg1 : tensor<96x64xf16>) outs(%0 : tensor<64x96xf16>) permutation = [1, 0]
    %1 = tensor.empty() : tensor<16x96xf16>
    %2 = linalg.fill ins(%cst : f16) outs(%1 : tensor<16x96xf16>) -> tensor<16x96xf16>
    %3 = linalg.matmul ins(%collapsed, %transposed : tensor<16x64xf16>, tensor<64x96xf16>) outs(%2 : tensor<16x96xf16>) -> tensor<16x96xf16>
    %expanded = tensor.expand_shape %arg2 [[0, 1]] output_shape [1, 96] : tensor<96xf16> into tensor<1x96xf16>
    %4 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%3, %expanded : tensor<16x96xf16>, tensor<1x96xf16>) outs(%1 : tensor<16x96xf16>) {
    ^bb0(%in: f16, %in_1: f16, %out: f16):
      %7 = arith.addf %in, %in_1 : f16
      linalg.yield %7 : f16
    } -> tensor<16x96xf16>
    %expanded_0 = tensor.expand_shape %4 [[0, 1], [2]] output_shape [2, 8, 96] : tensor<16x96xf16> into tensor<2x8x96xf16>
    %5 = tensor.empty() : tensor<2x8x96xf16>
    %6 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg3, %expanded_0 : tensor<2x8x96xf16>, tensor<2x8x96xf16>) outs(%5 : tensor<2x8x96xf16>) {
    ^bb0(%in: f16, %in_1: f16, %out: f16):
      %7 = arith.addf %in, %in_1 : f16
      linalg.yield %7 : f16
    } -> tensor<2x8x96xf16>
    return %6 : tensor<2x8x96xf16>
  }
}
