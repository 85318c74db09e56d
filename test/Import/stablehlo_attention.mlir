// One attention head of a stablehlo program with a dynamic number of tokens:
// queries, keys and values by one product each, scores in f32, a softmax by
// linalg.reduce.
//
// DEFINE: %{marks} = --sparse wq=2:4 --sparse wk=2:4 --sparse wv=2:4
// RUN: sparseflow compile %s %{marks} --emit mlir | FileCheck %s
// RUN: sparseflow run %s %{marks} --device cpu --dim T=12 --check
// RUN: sparseflow run %s %{marks} --device sim --dim T=12 --check --races
// RUN: sparseflow run %s %{marks} --device sim --dim T=77 --check
// RUN: sparseflow compile %s %{marks} --target sm_80,sm_86,sm_89,sm_90,sm_90a,sm_100,sm_120 --emit manifest -o %t.json

// CHECK-COUNT-3: sparseflow.matmul
// CHECK: sparseflow.attention %{{.*}} : tensor<1x1x?x64xf16>, tensor<1x1x?x64xf16>, tensor<1x1x?x64xf16> -> tensor<1x1x?x64xf32>
// CHECK-NOT: linalg

#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d0)>
module {
  func.func @main(%x: tensor<?x64xf16>, %wq: tensor<64x64xf16>, %wk: tensor<64x64xf16>, %wv: tensor<64x64xf16>) -> tensor<?x64xf32> {
    %c0 = arith.constant 0 : index
    %cst = arith.constant 0.000000e+00 : f16
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 0xFF800000 : f32
    %dim = tensor.dim %x, %c0 : tensor<?x64xf16>
    %0 = tensor.empty(%dim) : tensor<?x64xf16>
    %1 = linalg.fill ins(%cst : f16) outs(%0 : tensor<?x64xf16>) -> tensor<?x64xf16>
    %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %wq : tensor<?x64xf16>, tensor<64x64xf16>) outs(%1 : tensor<?x64xf16>) {
    ^bb0(%in: f16, %in_5: f16, %out: f16):
      %20 = arith.mulf %in, %in_5 : f16
      %21 = arith.addf %out, %20 : f16
      linalg.yield %21 : f16
    } -> tensor<?x64xf16>
    %3 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %wk : tensor<?x64xf16>, tensor<64x64xf16>) outs(%1 : tensor<?x64xf16>) {
    ^bb0(%in: f16, %in_5: f16, %out: f16):
      %20 = arith.mulf %in, %in_5 : f16
      %21 = arith.addf %out, %20 : f16
      linalg.yield %21 : f16
    } -> tensor<?x64xf16>
    %4 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %wv : tensor<?x64xf16>, tensor<64x64xf16>) outs(%1 : tensor<?x64xf16>) {
    ^bb0(%in: f16, %in_5: f16, %out: f16):
      %20 = arith.mulf %in, %in_5 : f16
      %21 = arith.addf %out, %20 : f16
      linalg.yield %21 : f16
    } -> tensor<?x64xf16>
    %5 = tensor.empty(%dim, %dim) : tensor<?x?xf32>
    %6 = linalg.fill ins(%cst_0 : f32) outs(%5 : tensor<?x?xf32>) -> tensor<?x?xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%2, %3 : tensor<?x64xf16>, tensor<?x64xf16>) outs(%6 : tensor<?x?xf32>) {
    ^bb0(%in: f16, %in_5: f16, %out: f32):
      %20 = arith.extf %in : f16 to f32
      %21 = arith.extf %in_5 : f16 to f32
      %22 = arith.mulf %20, %21 : f32
      %23 = arith.addf %out, %22 : f32
      linalg.yield %23 : f32
    } -> tensor<?x?xf32>
    %8 = tensor.empty(%dim) : tensor<?xf32>
    %9 = linalg.fill ins(%cst_1 : f32) outs(%8 : tensor<?xf32>) -> tensor<?xf32>
    %reduced = linalg.reduce ins(%7 : tensor<?x?xf32>) outs(%9 : tensor<?xf32>) dimensions = [1]
      (%in: f32, %init: f32) {
        %20 = arith.maximumf %in, %init : f32
        linalg.yield %20 : f32
      }
    %10 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%reduced : tensor<?xf32>) outs(%5 : tensor<?x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x?xf32>
    %11 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%7, %10 : tensor<?x?xf32>, tensor<?x?xf32>) outs(%5 : tensor<?x?xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %20 = arith.subf %in, %in_5 : f32
      %21 = math.exp %20 : f32
      linalg.yield %21 : f32
    } -> tensor<?x?xf32>
    %12 = linalg.fill ins(%cst_0 : f32) outs(%8 : tensor<?xf32>) -> tensor<?xf32>
    %reduced_2 = linalg.reduce { arith.addf } ins(%11 : tensor<?x?xf32>) outs(%12 : tensor<?xf32>) dimensions = [1]
    %13 = tensor.empty(%dim, %dim) : tensor<?x?xf16>
    %14 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%11, %reduced_2 : tensor<?x?xf32>, tensor<?xf32>) outs(%13 : tensor<?x?xf16>) {
    ^bb0(%in: f32, %in_5: f32, %out: f16):
      %20 = arith.divf %in, %in_5 : f32
      %21 = arith.truncf %20 : f32 to f16
      linalg.yield %21 : f16
    } -> tensor<?x?xf16>
    %15 = tensor.empty(%dim) : tensor<?x64xf32>
    %16 = linalg.fill ins(%cst_0 : f32) outs(%15 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %17 = linalg.matmul ins(%14, %4 : tensor<?x?xf16>, tensor<?x64xf16>) outs(%16 : tensor<?x64xf32>) -> tensor<?x64xf32>
    return %17 : tensor<?x64xf32>
  }
}
