#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1) -> (d1)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map7 = affine_map<(d0, d1) -> (0, d1)>
#map8 = affine_map<(d0, d1) -> (d0, 0)>
#map9 = affine_map<(d0, d1) -> ()>
#map10 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map12 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @gpt(%arg0: tensor<64xf16> {sparseflow.name = "l1.weight"}, %arg1: tensor<64xf16> {sparseflow.name = "l1.bias"}, %arg2: tensor<64x192xf16> {sparseflow.name = "attn.weight"}, %arg3: tensor<192xf16> {sparseflow.name = "attn.bias"}, %arg4: tensor<64x64xf16> {sparseflow.name = "proj.weight"}, %arg5: tensor<64xf16> {sparseflow.name = "proj.bias"}, %arg6: tensor<64xf16> {sparseflow.name = "l2.weight"}, %arg7: tensor<64xf16> {sparseflow.name = "l2.bias"}, %arg8: tensor<64x128xf16> {sparseflow.name = "fc.weight"}, %arg9: tensor<128xf16> {sparseflow.name = "fc.bias"}, %arg10: tensor<128x64xf16> {sparseflow.name = "out.weight"}, %arg11: tensor<64xf16> {sparseflow.name = "out.bias"}, %arg12: tensor<2x9x64xf16> {sparseflow.name = "x"}) -> tensor<2x9x64xf16> {
    %c3_i64 = arith.constant 3 : i64
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<2x4x9x9xf32>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_4 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_5 = arith.constant dense<true> : tensor<9x9xi1>
    %cst_6 = arith.constant 0.79788456080286541 : f64
    %cst_7 = arith.constant 4.471500e-02 : f64
    %cst_8 = arith.constant 0xFFF0000000000000 : f64
    %cst_9 = arith.constant 1.000000e-05 : f64
    %cst_10 = arith.constant 6.400000e+01 : f64
    %cst_11 = arith.constant 6.400000e+01 : f32
    %cst_12 = arith.constant 5.000000e-01 : f32
    %cst_13 = arith.constant 5.000000e-01 : f16
    %cst_14 = arith.constant 1.000000e+00 : f16
    %0 = tensor.empty() : tensor<2x9x64xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg12 : tensor<2x9x64xf16>) outs(%0 : tensor<2x9x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %142 = arith.extf %in : f16 to f32
      linalg.yield %142 : f32
    } -> tensor<2x9x64xf32>
    %2 = tensor.empty() : tensor<2x9x64xf64>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<2x9x64xf32>) outs(%2 : tensor<2x9x64xf64>) {
    ^bb0(%in: f32, %out: f64):
      %142 = arith.extf %in : f32 to f64
      linalg.yield %142 : f64
    } -> tensor<2x9x64xf64>
    %4 = tensor.empty() : tensor<2x9x1xf64>
    %5 = linalg.fill ins(%cst : f64) outs(%4 : tensor<2x9x1xf64>) -> tensor<2x9x1xf64>
    %6 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%3 : tensor<2x9x64xf64>) outs(%5 : tensor<2x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %142 = arith.addf %in, %out : f64
      linalg.yield %142 : f64
    } -> tensor<2x9x1xf64>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<2x9x1xf64>) outs(%4 : tensor<2x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %142 = arith.divf %in, %cst_10 : f64
      linalg.yield %142 : f64
    } -> tensor<2x9x1xf64>
    %8 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3, %7 : tensor<2x9x64xf64>, tensor<2x9x1xf64>) outs(%2 : tensor<2x9x64xf64>) {
    ^bb0(%in: f64, %in_39: f64, %out: f64):
      %142 = arith.subf %in, %in_39 : f64
      linalg.yield %142 : f64
    } -> tensor<2x9x64xf64>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %8 : tensor<2x9x64xf64>, tensor<2x9x64xf64>) outs(%2 : tensor<2x9x64xf64>) {
    ^bb0(%in: f64, %in_39: f64, %out: f64):
      %142 = arith.mulf %in, %in_39 : f64
      linalg.yield %142 : f64
    } -> tensor<2x9x64xf64>
    %10 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%9 : tensor<2x9x64xf64>) outs(%5 : tensor<2x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %142 = arith.addf %in, %out : f64
      linalg.yield %142 : f64
    } -> tensor<2x9x1xf64>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<2x9x1xf64>) outs(%4 : tensor<2x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %142 = arith.divf %in, %cst_10 : f64
      linalg.yield %142 : f64
    } -> tensor<2x9x1xf64>
    %12 = tensor.empty() : tensor<2x9x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<2x9x1xf64>) outs(%12 : tensor<2x9x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %142 = arith.truncf %in : f64 to f32
      linalg.yield %142 : f32
    } -> tensor<2x9x1xf32>
    %14 = linalg.fill ins(%cst_0 : f32) outs(%12 : tensor<2x9x1xf32>) -> tensor<2x9x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<2x9x64xf32>) outs(%14 : tensor<2x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %142 = arith.addf %in, %out : f32
      linalg.yield %142 : f32
    } -> tensor<2x9x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<2x9x1xf32>) outs(%12 : tensor<2x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %142 = arith.divf %in, %cst_11 : f32
      linalg.yield %142 : f32
    } -> tensor<2x9x1xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<2x9x1xf32>) outs(%12 : tensor<2x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %142 = arith.truncf %cst_9 : f64 to f32
      %143 = arith.addf %in, %142 : f32
      linalg.yield %143 : f32
    } -> tensor<2x9x1xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17 : tensor<2x9x1xf32>) outs(%12 : tensor<2x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %142 = math.rsqrt %in : f32
      linalg.yield %142 : f32
    } -> tensor<2x9x1xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %16 : tensor<2x9x64xf32>, tensor<2x9x1xf32>) outs(%0 : tensor<2x9x64xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %142 = arith.subf %in, %in_39 : f32
      linalg.yield %142 : f32
    } -> tensor<2x9x64xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %18 : tensor<2x9x64xf32>, tensor<2x9x1xf32>) outs(%0 : tensor<2x9x64xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %142 = arith.mulf %in, %in_39 : f32
      linalg.yield %142 : f32
    } -> tensor<2x9x64xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %arg0 : tensor<2x9x64xf32>, tensor<64xf16>) outs(%0 : tensor<2x9x64xf32>) {
    ^bb0(%in: f32, %in_39: f16, %out: f32):
      %142 = arith.extf %in_39 : f16 to f32
      %143 = arith.mulf %in, %142 : f32
      linalg.yield %143 : f32
    } -> tensor<2x9x64xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21, %arg1 : tensor<2x9x64xf32>, tensor<64xf16>) outs(%0 : tensor<2x9x64xf32>) {
    ^bb0(%in: f32, %in_39: f16, %out: f32):
      %142 = arith.extf %in_39 : f16 to f32
      %143 = arith.addf %in, %142 : f32
      linalg.yield %143 : f32
    } -> tensor<2x9x64xf32>
    %23 = tensor.empty() : tensor<2x9x64xf16>
    %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22 : tensor<2x9x64xf32>) outs(%23 : tensor<2x9x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %142 = arith.truncf %in : f32 to f16
      linalg.yield %142 : f16
    } -> tensor<2x9x64xf16>
    %collapsed = tensor.collapse_shape %24 [[0, 1], [2]] : tensor<2x9x64xf16> into tensor<18x64xf16>
    %25 = tensor.empty() : tensor<192xf32>
    %26 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg3 : tensor<192xf16>) outs(%25 : tensor<192xf32>) {
    ^bb0(%in: f16, %out: f32):
      %142 = arith.extf %in : f16 to f32
      linalg.yield %142 : f32
    } -> tensor<192xf32>
    %27 = tensor.empty() : tensor<18x64xf32>
    %28 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%collapsed : tensor<18x64xf16>) outs(%27 : tensor<18x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %142 = arith.extf %in : f16 to f32
      linalg.yield %142 : f32
    } -> tensor<18x64xf32>
    %29 = tensor.empty() : tensor<64x192xf32>
    %30 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<64x192xf16>) outs(%29 : tensor<64x192xf32>) {
    ^bb0(%in: f16, %out: f32):
      %142 = arith.extf %in : f16 to f32
      linalg.yield %142 : f32
    } -> tensor<64x192xf32>
    %31 = tensor.empty() : tensor<18x192xf32>
    %32 = linalg.fill ins(%cst_0 : f32) outs(%31 : tensor<18x192xf32>) -> tensor<18x192xf32>
    %33 = linalg.matmul ins(%28, %30 : tensor<18x64xf32>, tensor<64x192xf32>) outs(%32 : tensor<18x192xf32>) -> tensor<18x192xf32>
    %34 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%26 : tensor<192xf32>) outs(%31 : tensor<18x192xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<18x192xf32>
    %35 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%33, %34 : tensor<18x192xf32>, tensor<18x192xf32>) outs(%31 : tensor<18x192xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %142 = arith.addf %in, %in_39 : f32
      linalg.yield %142 : f32
    } -> tensor<18x192xf32>
    %36 = tensor.empty() : tensor<18x192xf16>
    %37 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%35 : tensor<18x192xf32>) outs(%36 : tensor<18x192xf16>) {
    ^bb0(%in: f32, %out: f16):
      %142 = arith.truncf %in : f32 to f16
      linalg.yield %142 : f16
    } -> tensor<18x192xf16>
    %expanded = tensor.expand_shape %37 [[0, 1], [2]] output_shape [2, 9, 192] : tensor<18x192xf16> into tensor<2x9x192xf16>
    %extracted_slice = tensor.extract_slice %expanded[0, 0, 0] [2, 9, 64] [1, 1, 1] : tensor<2x9x192xf16> to tensor<2x9x64xf16>
    %extracted_slice_15 = tensor.extract_slice %expanded[0, 0, 64] [2, 9, 64] [1, 1, 1] : tensor<2x9x192xf16> to tensor<2x9x64xf16>
    %extracted_slice_16 = tensor.extract_slice %expanded[0, 0, 128] [2, 9, 64] [1, 1, 1] : tensor<2x9x192xf16> to tensor<2x9x64xf16>
    %expanded_17 = tensor.expand_shape %extracted_slice [[0], [1], [2, 3]] output_shape [2, 9, 4, 16] : tensor<2x9x64xf16> into tensor<2x9x4x16xf16>
    %38 = tensor.empty() : tensor<2x4x9x16xf16>
    %transposed = linalg.transpose ins(%expanded_17 : tensor<2x9x4x16xf16>) outs(%38 : tensor<2x4x9x16xf16>) permutation = [0, 2, 1, 3]
    %expanded_18 = tensor.expand_shape %extracted_slice_15 [[0], [1], [2, 3]] output_shape [2, 9, 4, 16] : tensor<2x9x64xf16> into tensor<2x9x4x16xf16>
    %transposed_19 = linalg.transpose ins(%expanded_18 : tensor<2x9x4x16xf16>) outs(%38 : tensor<2x4x9x16xf16>) permutation = [0, 2, 1, 3]
    %expanded_20 = tensor.expand_shape %extracted_slice_16 [[0], [1], [2, 3]] output_shape [2, 9, 4, 16] : tensor<2x9x64xf16> into tensor<2x9x4x16xf16>
    %transposed_21 = linalg.transpose ins(%expanded_20 : tensor<2x9x4x16xf16>) outs(%38 : tensor<2x4x9x16xf16>) permutation = [0, 2, 1, 3]
    %39 = tensor.empty() : tensor<2x4x9x16xf32>
    %40 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed : tensor<2x4x9x16xf16>) outs(%39 : tensor<2x4x9x16xf32>) {
    ^bb0(%in: f16, %out: f32):
      %142 = arith.extf %in : f16 to f32
      linalg.yield %142 : f32
    } -> tensor<2x4x9x16xf32>
    %41 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_19 : tensor<2x4x9x16xf16>) outs(%39 : tensor<2x4x9x16xf32>) {
    ^bb0(%in: f16, %out: f32):
      %142 = arith.extf %in : f16 to f32
      linalg.yield %142 : f32
    } -> tensor<2x4x9x16xf32>
    %42 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_21 : tensor<2x4x9x16xf16>) outs(%39 : tensor<2x4x9x16xf32>) {
    ^bb0(%in: f16, %out: f32):
      %142 = arith.extf %in : f16 to f32
      linalg.yield %142 : f32
    } -> tensor<2x4x9x16xf32>
    %43 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40 : tensor<2x4x9x16xf32>) outs(%39 : tensor<2x4x9x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %142 = arith.mulf %in, %cst_12 : f32
      linalg.yield %142 : f32
    } -> tensor<2x4x9x16xf32>
    %44 = tensor.empty() : tensor<9xi64>
    %45 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel"]} outs(%44 : tensor<9xi64>) {
    ^bb0(%out: i64):
      %142 = linalg.index 0 : index
      %143 = arith.index_cast %142 : index to i64
      linalg.yield %143 : i64
    } -> tensor<9xi64>
    %expanded_22 = tensor.expand_shape %45 [[0, 1]] output_shape [1, 9] : tensor<9xi64> into tensor<1x9xi64>
    %expanded_23 = tensor.expand_shape %45 [[0, 1]] output_shape [9, 1] : tensor<9xi64> into tensor<9x1xi64>
    %46 = tensor.empty() : tensor<9x9xi64>
    %47 = linalg.generic {indexing_maps = [#map7, #map8, #map4], iterator_types = ["parallel", "parallel"]} ins(%expanded_22, %expanded_23 : tensor<1x9xi64>, tensor<9x1xi64>) outs(%46 : tensor<9x9xi64>) {
    ^bb0(%in: i64, %in_39: i64, %out: i64):
      %142 = arith.subi %in, %in_39 : i64
      linalg.yield %142 : i64
    } -> tensor<9x9xi64>
    %48 = tensor.empty() : tensor<9x9xi1>
    %49 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%47 : tensor<9x9xi64>) outs(%48 : tensor<9x9xi1>) {
    ^bb0(%in: i64, %out: i1):
      %142 = arith.cmpi sle, %in, %c0_i64 : i64
      linalg.yield %142 : i1
    } -> tensor<9x9xi1>
    %50 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%49, %cst_5 : tensor<9x9xi1>, tensor<9x9xi1>) outs(%48 : tensor<9x9xi1>) {
    ^bb0(%in: i1, %in_39: i1, %out: i1):
      %142 = arith.andi %in, %in_39 : i1
      linalg.yield %142 : i1
    } -> tensor<9x9xi1>
    %51 = tensor.empty() : tensor<9x9xf32>
    %52 = linalg.generic {indexing_maps = [#map4, #map9, #map9, #map4], iterator_types = ["parallel", "parallel"]} ins(%50, %cst_3, %cst_4 : tensor<9x9xi1>, tensor<f32>, tensor<f32>) outs(%51 : tensor<9x9xf32>) {
    ^bb0(%in: i1, %in_39: f32, %in_40: f32, %out: f32):
      %142 = arith.select %in, %in_39, %in_40 : f32
      linalg.yield %142 : f32
    } -> tensor<9x9xf32>
    %53 = tensor.empty() : tensor<2x4x16x9xf32>
    %transposed_24 = linalg.transpose ins(%41 : tensor<2x4x9x16xf32>) outs(%53 : tensor<2x4x16x9xf32>) permutation = [0, 1, 3, 2]
    %54 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_24 : tensor<2x4x16x9xf32>) outs(%53 : tensor<2x4x16x9xf32>) {
    ^bb0(%in: f32, %out: f32):
      %142 = arith.mulf %in, %cst_12 : f32
      linalg.yield %142 : f32
    } -> tensor<2x4x16x9xf32>
    %collapsed_25 = tensor.collapse_shape %43 [[0, 1], [2], [3]] : tensor<2x4x9x16xf32> into tensor<8x9x16xf32>
    %collapsed_26 = tensor.collapse_shape %54 [[0, 1], [2], [3]] : tensor<2x4x16x9xf32> into tensor<8x16x9xf32>
    %55 = tensor.empty() : tensor<8x9x9xf32>
    %56 = linalg.fill ins(%cst_0 : f32) outs(%55 : tensor<8x9x9xf32>) -> tensor<8x9x9xf32>
    %57 = linalg.batch_matmul ins(%collapsed_25, %collapsed_26 : tensor<8x9x16xf32>, tensor<8x16x9xf32>) outs(%56 : tensor<8x9x9xf32>) -> tensor<8x9x9xf32>
    %expanded_27 = tensor.expand_shape %57 [[0, 1], [2], [3]] output_shape [2, 4, 9, 9] : tensor<8x9x9xf32> into tensor<2x4x9x9xf32>
    %58 = tensor.empty() : tensor<2x4x9x9xf32>
    %59 = linalg.generic {indexing_maps = [#map6, #map10, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_27, %52 : tensor<2x4x9x9xf32>, tensor<9x9xf32>) outs(%58 : tensor<2x4x9x9xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %142 = arith.addf %in, %in_39 : f32
      linalg.yield %142 : f32
    } -> tensor<2x4x9x9xf32>
    %60 = tensor.empty() : tensor<2x4x9xi64>
    %61 = linalg.fill ins(%c0_i64 : i64) outs(%60 : tensor<2x4x9xi64>) -> tensor<2x4x9xi64>
    %62 = tensor.empty() : tensor<2x4x9xf32>
    %63 = linalg.fill ins(%cst_1 : f32) outs(%62 : tensor<2x4x9xf32>) -> tensor<2x4x9xf32>
    %64:2 = linalg.generic {indexing_maps = [#map6, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%59 : tensor<2x4x9x9xf32>) outs(%63, %61 : tensor<2x4x9xf32>, tensor<2x4x9xi64>) {
    ^bb0(%in: f32, %out: f32, %out_39: i64):
      %142 = linalg.index 3 : index
      %143 = arith.index_cast %142 : index to i64
      %144 = arith.maximumf %in, %out : f32
      %145 = arith.cmpf ogt, %in, %out : f32
      %146 = arith.select %145, %143, %out_39 : i64
      linalg.yield %144, %146 : f32, i64
    } -> (tensor<2x4x9xf32>, tensor<2x4x9xi64>)
    %expanded_28 = tensor.expand_shape %64#0 [[0], [1], [2, 3]] output_shape [2, 4, 9, 1] : tensor<2x4x9xf32> into tensor<2x4x9x1xf32>
    %65 = linalg.generic {indexing_maps = [#map6, #map12, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%59, %expanded_28 : tensor<2x4x9x9xf32>, tensor<2x4x9x1xf32>) outs(%58 : tensor<2x4x9x9xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %142 = arith.subf %in, %in_39 : f32
      linalg.yield %142 : f32
    } -> tensor<2x4x9x9xf32>
    %66 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%65 : tensor<2x4x9x9xf32>) outs(%58 : tensor<2x4x9x9xf32>) {
    ^bb0(%in: f32, %out: f32):
      %142 = math.exp %in : f32
      linalg.yield %142 : f32
    } -> tensor<2x4x9x9xf32>
    %67 = tensor.empty() : tensor<2x4x9x1xf32>
    %68 = linalg.fill ins(%cst_0 : f32) outs(%67 : tensor<2x4x9x1xf32>) -> tensor<2x4x9x1xf32>
    %69 = linalg.generic {indexing_maps = [#map6, #map12], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%66 : tensor<2x4x9x9xf32>) outs(%68 : tensor<2x4x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %142 = arith.addf %in, %out : f32
      linalg.yield %142 : f32
    } -> tensor<2x4x9x1xf32>
    %70 = linalg.generic {indexing_maps = [#map6, #map12, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%66, %69 : tensor<2x4x9x9xf32>, tensor<2x4x9x1xf32>) outs(%58 : tensor<2x4x9x9xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %142 = arith.divf %in, %in_39 : f32
      linalg.yield %142 : f32
    } -> tensor<2x4x9x9xf32>
    %71 = tensor.empty() : tensor<2x4x9x9xi1>
    %72 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%59 : tensor<2x4x9x9xf32>) outs(%71 : tensor<2x4x9x9xi1>) {
    ^bb0(%in: f32, %out: i1):
      %142 = arith.extf %in : f32 to f64
      %143 = arith.cmpf oeq, %142, %cst_8 : f64
      linalg.yield %143 : i1
    } -> tensor<2x4x9x9xi1>
    %73 = tensor.empty() : tensor<2x4x9x1xi1>
    %74 = linalg.fill ins(%true : i1) outs(%73 : tensor<2x4x9x1xi1>) -> tensor<2x4x9x1xi1>
    %75 = linalg.generic {indexing_maps = [#map6, #map12], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%72 : tensor<2x4x9x9xi1>) outs(%74 : tensor<2x4x9x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %142 = arith.andi %in, %out : i1
      linalg.yield %142 : i1
    } -> tensor<2x4x9x1xi1>
    %76 = linalg.generic {indexing_maps = [#map12, #map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%75, %cst_2, %70 : tensor<2x4x9x1xi1>, tensor<2x4x9x9xf32>, tensor<2x4x9x9xf32>) outs(%58 : tensor<2x4x9x9xf32>) {
    ^bb0(%in: i1, %in_39: f32, %in_40: f32, %out: f32):
      %142 = arith.select %in, %in_39, %in_40 : f32
      linalg.yield %142 : f32
    } -> tensor<2x4x9x9xf32>
    %collapsed_29 = tensor.collapse_shape %76 [[0, 1], [2], [3]] : tensor<2x4x9x9xf32> into tensor<8x9x9xf32>
    %collapsed_30 = tensor.collapse_shape %42 [[0, 1], [2], [3]] : tensor<2x4x9x16xf32> into tensor<8x9x16xf32>
    %77 = tensor.empty() : tensor<8x9x16xf32>
    %78 = linalg.fill ins(%cst_0 : f32) outs(%77 : tensor<8x9x16xf32>) -> tensor<8x9x16xf32>
    %79 = linalg.batch_matmul ins(%collapsed_29, %collapsed_30 : tensor<8x9x9xf32>, tensor<8x9x16xf32>) outs(%78 : tensor<8x9x16xf32>) -> tensor<8x9x16xf32>
    %expanded_31 = tensor.expand_shape %79 [[0, 1], [2], [3]] output_shape [2, 4, 9, 16] : tensor<8x9x16xf32> into tensor<2x4x9x16xf32>
    %80 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_31 : tensor<2x4x9x16xf32>) outs(%38 : tensor<2x4x9x16xf16>) {
    ^bb0(%in: f32, %out: f16):
      %142 = arith.truncf %in : f32 to f16
      linalg.yield %142 : f16
    } -> tensor<2x4x9x16xf16>
    %81 = tensor.empty() : tensor<2x9x4x16xf16>
    %transposed_32 = linalg.transpose ins(%80 : tensor<2x4x9x16xf16>) outs(%81 : tensor<2x9x4x16xf16>) permutation = [0, 2, 1, 3]
    %collapsed_33 = tensor.collapse_shape %transposed_32 [[0, 1], [2, 3]] : tensor<2x9x4x16xf16> into tensor<18x64xf16>
    %82 = tensor.empty() : tensor<64xf32>
    %83 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg5 : tensor<64xf16>) outs(%82 : tensor<64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %142 = arith.extf %in : f16 to f32
      linalg.yield %142 : f32
    } -> tensor<64xf32>
    %84 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%collapsed_33 : tensor<18x64xf16>) outs(%27 : tensor<18x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %142 = arith.extf %in : f16 to f32
      linalg.yield %142 : f32
    } -> tensor<18x64xf32>
    %85 = tensor.empty() : tensor<64x64xf32>
    %86 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg4 : tensor<64x64xf16>) outs(%85 : tensor<64x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %142 = arith.extf %in : f16 to f32
      linalg.yield %142 : f32
    } -> tensor<64x64xf32>
    %87 = linalg.fill ins(%cst_0 : f32) outs(%27 : tensor<18x64xf32>) -> tensor<18x64xf32>
    %88 = linalg.matmul ins(%84, %86 : tensor<18x64xf32>, tensor<64x64xf32>) outs(%87 : tensor<18x64xf32>) -> tensor<18x64xf32>
    %89 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%83 : tensor<64xf32>) outs(%27 : tensor<18x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<18x64xf32>
    %90 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%88, %89 : tensor<18x64xf32>, tensor<18x64xf32>) outs(%27 : tensor<18x64xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %142 = arith.addf %in, %in_39 : f32
      linalg.yield %142 : f32
    } -> tensor<18x64xf32>
    %91 = tensor.empty() : tensor<18x64xf16>
    %92 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%90 : tensor<18x64xf32>) outs(%91 : tensor<18x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %142 = arith.truncf %in : f32 to f16
      linalg.yield %142 : f16
    } -> tensor<18x64xf16>
    %expanded_34 = tensor.expand_shape %92 [[0, 1], [2]] output_shape [2, 9, 64] : tensor<18x64xf16> into tensor<2x9x64xf16>
    %93 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg12, %expanded_34 : tensor<2x9x64xf16>, tensor<2x9x64xf16>) outs(%23 : tensor<2x9x64xf16>) {
    ^bb0(%in: f16, %in_39: f16, %out: f16):
      %142 = arith.addf %in, %in_39 : f16
      linalg.yield %142 : f16
    } -> tensor<2x9x64xf16>
    %94 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%93 : tensor<2x9x64xf16>) outs(%0 : tensor<2x9x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %142 = arith.extf %in : f16 to f32
      linalg.yield %142 : f32
    } -> tensor<2x9x64xf32>
    %95 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%94 : tensor<2x9x64xf32>) outs(%2 : tensor<2x9x64xf64>) {
    ^bb0(%in: f32, %out: f64):
      %142 = arith.extf %in : f32 to f64
      linalg.yield %142 : f64
    } -> tensor<2x9x64xf64>
    %96 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%95 : tensor<2x9x64xf64>) outs(%5 : tensor<2x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %142 = arith.addf %in, %out : f64
      linalg.yield %142 : f64
    } -> tensor<2x9x1xf64>
    %97 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%96 : tensor<2x9x1xf64>) outs(%4 : tensor<2x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %142 = arith.divf %in, %cst_10 : f64
      linalg.yield %142 : f64
    } -> tensor<2x9x1xf64>
    %98 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%95, %97 : tensor<2x9x64xf64>, tensor<2x9x1xf64>) outs(%2 : tensor<2x9x64xf64>) {
    ^bb0(%in: f64, %in_39: f64, %out: f64):
      %142 = arith.subf %in, %in_39 : f64
      linalg.yield %142 : f64
    } -> tensor<2x9x64xf64>
    %99 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%98, %98 : tensor<2x9x64xf64>, tensor<2x9x64xf64>) outs(%2 : tensor<2x9x64xf64>) {
    ^bb0(%in: f64, %in_39: f64, %out: f64):
      %142 = arith.mulf %in, %in_39 : f64
      linalg.yield %142 : f64
    } -> tensor<2x9x64xf64>
    %100 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%99 : tensor<2x9x64xf64>) outs(%5 : tensor<2x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %142 = arith.addf %in, %out : f64
      linalg.yield %142 : f64
    } -> tensor<2x9x1xf64>
    %101 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%100 : tensor<2x9x1xf64>) outs(%4 : tensor<2x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %142 = arith.divf %in, %cst_10 : f64
      linalg.yield %142 : f64
    } -> tensor<2x9x1xf64>
    %102 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%101 : tensor<2x9x1xf64>) outs(%12 : tensor<2x9x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %142 = arith.truncf %in : f64 to f32
      linalg.yield %142 : f32
    } -> tensor<2x9x1xf32>
    %103 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%94 : tensor<2x9x64xf32>) outs(%14 : tensor<2x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %142 = arith.addf %in, %out : f32
      linalg.yield %142 : f32
    } -> tensor<2x9x1xf32>
    %104 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%103 : tensor<2x9x1xf32>) outs(%12 : tensor<2x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %142 = arith.divf %in, %cst_11 : f32
      linalg.yield %142 : f32
    } -> tensor<2x9x1xf32>
    %105 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%102 : tensor<2x9x1xf32>) outs(%12 : tensor<2x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %142 = arith.truncf %cst_9 : f64 to f32
      %143 = arith.addf %in, %142 : f32
      linalg.yield %143 : f32
    } -> tensor<2x9x1xf32>
    %106 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%105 : tensor<2x9x1xf32>) outs(%12 : tensor<2x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %142 = math.rsqrt %in : f32
      linalg.yield %142 : f32
    } -> tensor<2x9x1xf32>
    %107 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%94, %104 : tensor<2x9x64xf32>, tensor<2x9x1xf32>) outs(%0 : tensor<2x9x64xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %142 = arith.subf %in, %in_39 : f32
      linalg.yield %142 : f32
    } -> tensor<2x9x64xf32>
    %108 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%107, %106 : tensor<2x9x64xf32>, tensor<2x9x1xf32>) outs(%0 : tensor<2x9x64xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %142 = arith.mulf %in, %in_39 : f32
      linalg.yield %142 : f32
    } -> tensor<2x9x64xf32>
    %109 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%108, %arg6 : tensor<2x9x64xf32>, tensor<64xf16>) outs(%0 : tensor<2x9x64xf32>) {
    ^bb0(%in: f32, %in_39: f16, %out: f32):
      %142 = arith.extf %in_39 : f16 to f32
      %143 = arith.mulf %in, %142 : f32
      linalg.yield %143 : f32
    } -> tensor<2x9x64xf32>
    %110 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%109, %arg7 : tensor<2x9x64xf32>, tensor<64xf16>) outs(%0 : tensor<2x9x64xf32>) {
    ^bb0(%in: f32, %in_39: f16, %out: f32):
      %142 = arith.extf %in_39 : f16 to f32
      %143 = arith.addf %in, %142 : f32
      linalg.yield %143 : f32
    } -> tensor<2x9x64xf32>
    %111 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%110 : tensor<2x9x64xf32>) outs(%23 : tensor<2x9x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %142 = arith.truncf %in : f32 to f16
      linalg.yield %142 : f16
    } -> tensor<2x9x64xf16>
    %collapsed_35 = tensor.collapse_shape %111 [[0, 1], [2]] : tensor<2x9x64xf16> into tensor<18x64xf16>
    %112 = tensor.empty() : tensor<128xf32>
    %113 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg9 : tensor<128xf16>) outs(%112 : tensor<128xf32>) {
    ^bb0(%in: f16, %out: f32):
      %142 = arith.extf %in : f16 to f32
      linalg.yield %142 : f32
    } -> tensor<128xf32>
    %114 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%collapsed_35 : tensor<18x64xf16>) outs(%27 : tensor<18x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %142 = arith.extf %in : f16 to f32
      linalg.yield %142 : f32
    } -> tensor<18x64xf32>
    %115 = tensor.empty() : tensor<64x128xf32>
    %116 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg8 : tensor<64x128xf16>) outs(%115 : tensor<64x128xf32>) {
    ^bb0(%in: f16, %out: f32):
      %142 = arith.extf %in : f16 to f32
      linalg.yield %142 : f32
    } -> tensor<64x128xf32>
    %117 = tensor.empty() : tensor<18x128xf32>
    %118 = linalg.fill ins(%cst_0 : f32) outs(%117 : tensor<18x128xf32>) -> tensor<18x128xf32>
    %119 = linalg.matmul ins(%114, %116 : tensor<18x64xf32>, tensor<64x128xf32>) outs(%118 : tensor<18x128xf32>) -> tensor<18x128xf32>
    %120 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%113 : tensor<128xf32>) outs(%117 : tensor<18x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<18x128xf32>
    %121 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%119, %120 : tensor<18x128xf32>, tensor<18x128xf32>) outs(%117 : tensor<18x128xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %142 = arith.addf %in, %in_39 : f32
      linalg.yield %142 : f32
    } -> tensor<18x128xf32>
    %122 = tensor.empty() : tensor<18x128xf16>
    %123 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%121 : tensor<18x128xf32>) outs(%122 : tensor<18x128xf16>) {
    ^bb0(%in: f32, %out: f16):
      %142 = arith.truncf %in : f32 to f16
      linalg.yield %142 : f16
    } -> tensor<18x128xf16>
    %expanded_36 = tensor.expand_shape %123 [[0, 1], [2]] output_shape [2, 9, 128] : tensor<18x128xf16> into tensor<2x9x128xf16>
    %124 = tensor.empty() : tensor<2x9x128xf16>
    %125 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_36 : tensor<2x9x128xf16>) outs(%124 : tensor<2x9x128xf16>) {
    ^bb0(%in: f16, %out: f16):
      %142 = arith.mulf %in, %cst_13 : f16
      linalg.yield %142 : f16
    } -> tensor<2x9x128xf16>
    %126 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_36 : tensor<2x9x128xf16>) outs(%124 : tensor<2x9x128xf16>) {
    ^bb0(%in: f16, %out: f16):
      %142 = math.fpowi %in, %c3_i64 : f16, i64
      linalg.yield %142 : f16
    } -> tensor<2x9x128xf16>
    %127 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%126 : tensor<2x9x128xf16>) outs(%124 : tensor<2x9x128xf16>) {
    ^bb0(%in: f16, %out: f16):
      %142 = arith.truncf %cst_7 : f64 to f16
      %143 = arith.mulf %in, %142 : f16
      linalg.yield %143 : f16
    } -> tensor<2x9x128xf16>
    %128 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_36, %127 : tensor<2x9x128xf16>, tensor<2x9x128xf16>) outs(%124 : tensor<2x9x128xf16>) {
    ^bb0(%in: f16, %in_39: f16, %out: f16):
      %142 = arith.addf %in, %in_39 : f16
      linalg.yield %142 : f16
    } -> tensor<2x9x128xf16>
    %129 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%128 : tensor<2x9x128xf16>) outs(%124 : tensor<2x9x128xf16>) {
    ^bb0(%in: f16, %out: f16):
      %142 = arith.truncf %cst_6 : f64 to f16
      %143 = arith.mulf %in, %142 : f16
      linalg.yield %143 : f16
    } -> tensor<2x9x128xf16>
    %130 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%129 : tensor<2x9x128xf16>) outs(%124 : tensor<2x9x128xf16>) {
    ^bb0(%in: f16, %out: f16):
      %142 = math.tanh %in : f16
      linalg.yield %142 : f16
    } -> tensor<2x9x128xf16>
    %131 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%130 : tensor<2x9x128xf16>) outs(%124 : tensor<2x9x128xf16>) {
    ^bb0(%in: f16, %out: f16):
      %142 = arith.addf %in, %cst_14 : f16
      linalg.yield %142 : f16
    } -> tensor<2x9x128xf16>
    %132 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%125, %131 : tensor<2x9x128xf16>, tensor<2x9x128xf16>) outs(%124 : tensor<2x9x128xf16>) {
    ^bb0(%in: f16, %in_39: f16, %out: f16):
      %142 = arith.mulf %in, %in_39 : f16
      linalg.yield %142 : f16
    } -> tensor<2x9x128xf16>
    %collapsed_37 = tensor.collapse_shape %132 [[0, 1], [2]] : tensor<2x9x128xf16> into tensor<18x128xf16>
    %133 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg11 : tensor<64xf16>) outs(%82 : tensor<64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %142 = arith.extf %in : f16 to f32
      linalg.yield %142 : f32
    } -> tensor<64xf32>
    %134 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%collapsed_37 : tensor<18x128xf16>) outs(%117 : tensor<18x128xf32>) {
    ^bb0(%in: f16, %out: f32):
      %142 = arith.extf %in : f16 to f32
      linalg.yield %142 : f32
    } -> tensor<18x128xf32>
    %135 = tensor.empty() : tensor<128x64xf32>
    %136 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg10 : tensor<128x64xf16>) outs(%135 : tensor<128x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %142 = arith.extf %in : f16 to f32
      linalg.yield %142 : f32
    } -> tensor<128x64xf32>
    %137 = linalg.matmul ins(%134, %136 : tensor<18x128xf32>, tensor<128x64xf32>) outs(%87 : tensor<18x64xf32>) -> tensor<18x64xf32>
    %138 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%133 : tensor<64xf32>) outs(%27 : tensor<18x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<18x64xf32>
    %139 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%137, %138 : tensor<18x64xf32>, tensor<18x64xf32>) outs(%27 : tensor<18x64xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %142 = arith.addf %in, %in_39 : f32
      linalg.yield %142 : f32
    } -> tensor<18x64xf32>
    %140 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%139 : tensor<18x64xf32>) outs(%91 : tensor<18x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %142 = arith.truncf %in : f32 to f16
      linalg.yield %142 : f16
    } -> tensor<18x64xf16>
    %expanded_38 = tensor.expand_shape %140 [[0, 1], [2]] output_shape [2, 9, 64] : tensor<18x64xf16> into tensor<2x9x64xf16>
    %141 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%93, %expanded_38 : tensor<2x9x64xf16>, tensor<2x9x64xf16>) outs(%23 : tensor<2x9x64xf16>) {
    ^bb0(%in: f16, %in_39: f16, %out: f16):
      %142 = arith.addf %in, %in_39 : f16
      linalg.yield %142 : f16
    } -> tensor<2x9x64xf16>
    return %141 : tensor<2x9x64xf16>
  }
}
