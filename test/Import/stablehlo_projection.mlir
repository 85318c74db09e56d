// A projection with residual in mixed precision: the program keeps f32, and
// casts around the product, as stablehlo-legalize-to-linalg prints a
// dot_general of [batch, tokens, K] with [N, K] and its converts. The product of
// f16 gives f32.
//
// RUN: sparseflow compile %s --sparse arg1=2:4 --emit mlir --remarks -o %t.mlir 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t.mlir
// RUN: sparseflow run %s --sparse arg1=2:4 --device cpu --check
// RUN: sparseflow run %s --sparse arg1=2:4 --device sim --check
// RUN: sparseflow compile %s --sparse arg1=2:4 --target sm_80 --emit ptx -o %t.80.ptx && FileCheck %s --check-prefix=PTX < %t.80.ptx
// RUN: sparseflow compile %s --sparse arg1=2:4 --target sm_90 --emit ptx -o %t.90.ptx && FileCheck %s --check-prefix=PTX < %t.90.ptx

// Casts that are not a weight's are a kernel of their own.
// RUN: sparseflow run %s --device cpu --check
// RUN: sparseflow run %s --device sim --check

// REMARK: argument 1 is stored as its matmuls read it, 'tensor<96x64xf16, #sparseflow.nm<2:4>>' instead of 'tensor<96x64xf32>': pack it so
//     CHECK: %[[X:.*]] = linalg.generic {{.*}} ins(%arg0 : tensor<2x8x64xf32>)
//     CHECK: sparseflow.matmul %[[X]], %arg1 epilogue(%arg2, %arg3 : tensor<96xf32>, tensor<2x8x96xf32>) as [per_feature, full] {
// CHECK-NOT: linalg.
// PTX: mma.sp::ordered_metadata.sync

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2) -> (d2)>
module {
  func.func @main(%arg0: tensor<2x8x64xf32>, %arg1: tensor<96x64xf32>, %arg2: tensor<96xf32>, %arg3: tensor<2x8x96xf32>) -> tensor<2x8x96xf32> {
    %0 = tensor.empty() : tensor<2x8x64xf16>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x8x64xf32>) outs(%0 : tensor<2x8x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %12 = arith.truncf %in : f32 to f16
      linalg.yield %12 : f16
    } -> tensor<2x8x64xf16>
    %2 = tensor.empty() : tensor<96x64xf16>
    %3 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<96x64xf32>) outs(%2 : tensor<96x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %12 = arith.truncf %in : f32 to f16
      linalg.yield %12 : f16
    } -> tensor<96x64xf16>
    %4 = tensor.empty() : tensor<2x8x96xf32>
    %cst = arith.constant 0.000000e+00 : f32
    %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<2x8x96xf32>) -> tensor<2x8x96xf32>
    %6 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%1, %3 : tensor<2x8x64xf16>, tensor<96x64xf16>) outs(%5 : tensor<2x8x96xf32>) {
    ^bb0(%in: f16, %in_0: f16, %out: f32):
      %12 = arith.extf %in : f16 to f32
      %13 = arith.extf %in_0 : f16 to f32
      %14 = arith.mulf %12, %13 : f32
      %15 = arith.addf %out, %14 : f32
      linalg.yield %15 : f32
    } -> tensor<2x8x96xf32>
    %7 = tensor.empty() : tensor<2x8x96xf32>
    %8 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg2 : tensor<96xf32>) outs(%7 : tensor<2x8x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x96xf32>
    %9 = tensor.empty() : tensor<2x8x96xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %8 : tensor<2x8x96xf32>, tensor<2x8x96xf32>) outs(%9 : tensor<2x8x96xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %12 = arith.addf %in, %in_0 : f32
      linalg.yield %12 : f32
    } -> tensor<2x8x96xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10, %arg3 : tensor<2x8x96xf32>, tensor<2x8x96xf32>) outs(%9 : tensor<2x8x96xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %12 = arith.addf %in, %in_0 : f32
      linalg.yield %12 : f32
    } -> tensor<2x8x96xf32>
    return %11 : tensor<2x8x96xf32>
  }
}
