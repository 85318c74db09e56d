#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> ()>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @attention(%arg0: tensor<3x24x64xf16>, %arg1: tensor<3x24x64xf16>, %arg2: tensor<3x24x64xf16>, %arg3: tensor<3x1x24x24xi1>) -> tensor<3x24x64xf16> {
    %cst = arith.constant 0.000000e+00 : f32
    %c0_i64 = arith.constant 0 : i64
    %cst_0 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<3x4x24x24xf32>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<f16>
    %cst_3 = arith.constant dense<0xFC00> : tensor<f16>
    %cst_4 = arith.constant 0xFFF0000000000000 : f64
    %cst_5 = arith.constant 5.000000e-01 : f32
    %expanded = tensor.expand_shape %arg0 [[0], [1], [2, 3]] output_shape [3, 24, 4, 16] : tensor<3x24x64xf16> into tensor<3x24x4x16xf16>
    %0 = tensor.empty() : tensor<3x4x24x16xf16>
    %transposed = linalg.transpose ins(%expanded : tensor<3x24x4x16xf16>) outs(%0 : tensor<3x4x24x16xf16>) permutation = [0, 2, 1, 3]
    %expanded_6 = tensor.expand_shape %arg1 [[0], [1], [2, 3]] output_shape [3, 24, 4, 16] : tensor<3x24x64xf16> into tensor<3x24x4x16xf16>
    %transposed_7 = linalg.transpose ins(%expanded_6 : tensor<3x24x4x16xf16>) outs(%0 : tensor<3x4x24x16xf16>) permutation = [0, 2, 1, 3]
    %expanded_8 = tensor.expand_shape %arg2 [[0], [1], [2, 3]] output_shape [3, 24, 4, 16] : tensor<3x24x64xf16> into tensor<3x24x4x16xf16>
    %transposed_9 = linalg.transpose ins(%expanded_8 : tensor<3x24x4x16xf16>) outs(%0 : tensor<3x4x24x16xf16>) permutation = [0, 2, 1, 3]
    %1 = tensor.empty() : tensor<3x1x24x24xf16>
    %2 = linalg.generic {indexing_maps = [#map, #map1, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg3, %cst_2, %cst_3 : tensor<3x1x24x24xi1>, tensor<f16>, tensor<f16>) outs(%1 : tensor<3x1x24x24xf16>) {
    ^bb0(%in: i1, %in_19: f16, %in_20: f16, %out: f16):
      %37 = arith.select %in, %in_19, %in_20 : f16
      linalg.yield %37 : f16
    } -> tensor<3x1x24x24xf16>
    %3 = tensor.empty() : tensor<3x4x24x16xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed : tensor<3x4x24x16xf16>) outs(%3 : tensor<3x4x24x16xf32>) {
    ^bb0(%in: f16, %out: f32):
      %37 = arith.extf %in : f16 to f32
      linalg.yield %37 : f32
    } -> tensor<3x4x24x16xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_7 : tensor<3x4x24x16xf16>) outs(%3 : tensor<3x4x24x16xf32>) {
    ^bb0(%in: f16, %out: f32):
      %37 = arith.extf %in : f16 to f32
      linalg.yield %37 : f32
    } -> tensor<3x4x24x16xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_9 : tensor<3x4x24x16xf16>) outs(%3 : tensor<3x4x24x16xf32>) {
    ^bb0(%in: f16, %out: f32):
      %37 = arith.extf %in : f16 to f32
      linalg.yield %37 : f32
    } -> tensor<3x4x24x16xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4 : tensor<3x4x24x16xf32>) outs(%3 : tensor<3x4x24x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = arith.mulf %in, %cst_5 : f32
      linalg.yield %37 : f32
    } -> tensor<3x4x24x16xf32>
    %8 = tensor.empty() : tensor<3x4x16x24xf32>
    %transposed_10 = linalg.transpose ins(%5 : tensor<3x4x24x16xf32>) outs(%8 : tensor<3x4x16x24xf32>) permutation = [0, 1, 3, 2]
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_10 : tensor<3x4x16x24xf32>) outs(%8 : tensor<3x4x16x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = arith.mulf %in, %cst_5 : f32
      linalg.yield %37 : f32
    } -> tensor<3x4x16x24xf32>
    %collapsed = tensor.collapse_shape %7 [[0, 1], [2], [3]] : tensor<3x4x24x16xf32> into tensor<12x24x16xf32>
    %collapsed_11 = tensor.collapse_shape %9 [[0, 1], [2], [3]] : tensor<3x4x16x24xf32> into tensor<12x16x24xf32>
    %10 = tensor.empty() : tensor<12x24x24xf32>
    %11 = linalg.fill ins(%cst : f32) outs(%10 : tensor<12x24x24xf32>) -> tensor<12x24x24xf32>
    %12 = linalg.batch_matmul ins(%collapsed, %collapsed_11 : tensor<12x24x16xf32>, tensor<12x16x24xf32>) outs(%11 : tensor<12x24x24xf32>) -> tensor<12x24x24xf32>
    %expanded_12 = tensor.expand_shape %12 [[0, 1], [2], [3]] output_shape [3, 4, 24, 24] : tensor<12x24x24xf32> into tensor<3x4x24x24xf32>
    %13 = tensor.empty() : tensor<3x4x24x24xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_12, %2 : tensor<3x4x24x24xf32>, tensor<3x1x24x24xf16>) outs(%13 : tensor<3x4x24x24xf32>) {
    ^bb0(%in: f32, %in_19: f16, %out: f32):
      %37 = arith.extf %in_19 : f16 to f32
      %38 = arith.addf %in, %37 : f32
      linalg.yield %38 : f32
    } -> tensor<3x4x24x24xf32>
    %15 = tensor.empty() : tensor<3x4x24xi64>
    %16 = linalg.fill ins(%c0_i64 : i64) outs(%15 : tensor<3x4x24xi64>) -> tensor<3x4x24xi64>
    %17 = tensor.empty() : tensor<3x4x24xf32>
    %18 = linalg.fill ins(%cst_0 : f32) outs(%17 : tensor<3x4x24xf32>) -> tensor<3x4x24xf32>
    %19:2 = linalg.generic {indexing_maps = [#map, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%14 : tensor<3x4x24x24xf32>) outs(%18, %16 : tensor<3x4x24xf32>, tensor<3x4x24xi64>) {
    ^bb0(%in: f32, %out: f32, %out_19: i64):
      %37 = linalg.index 3 : index
      %38 = arith.index_cast %37 : index to i64
      %39 = arith.maximumf %in, %out : f32
      %40 = arith.cmpf ogt, %in, %out : f32
      %41 = arith.select %40, %38, %out_19 : i64
      linalg.yield %39, %41 : f32, i64
    } -> (tensor<3x4x24xf32>, tensor<3x4x24xi64>)
    %expanded_13 = tensor.expand_shape %19#0 [[0], [1], [2, 3]] output_shape [3, 4, 24, 1] : tensor<3x4x24xf32> into tensor<3x4x24x1xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14, %expanded_13 : tensor<3x4x24x24xf32>, tensor<3x4x24x1xf32>) outs(%13 : tensor<3x4x24x24xf32>) {
    ^bb0(%in: f32, %in_19: f32, %out: f32):
      %37 = arith.subf %in, %in_19 : f32
      linalg.yield %37 : f32
    } -> tensor<3x4x24x24xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<3x4x24x24xf32>) outs(%13 : tensor<3x4x24x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = math.exp %in : f32
      linalg.yield %37 : f32
    } -> tensor<3x4x24x24xf32>
    %22 = tensor.empty() : tensor<3x4x24x1xf32>
    %23 = linalg.fill ins(%cst : f32) outs(%22 : tensor<3x4x24x1xf32>) -> tensor<3x4x24x1xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%21 : tensor<3x4x24x24xf32>) outs(%23 : tensor<3x4x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = arith.addf %in, %out : f32
      linalg.yield %37 : f32
    } -> tensor<3x4x24x1xf32>
    %25 = linalg.generic {indexing_maps = [#map, #map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21, %24 : tensor<3x4x24x24xf32>, tensor<3x4x24x1xf32>) outs(%13 : tensor<3x4x24x24xf32>) {
    ^bb0(%in: f32, %in_19: f32, %out: f32):
      %37 = arith.divf %in, %in_19 : f32
      linalg.yield %37 : f32
    } -> tensor<3x4x24x24xf32>
    %26 = tensor.empty() : tensor<3x4x24x24xi1>
    %27 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14 : tensor<3x4x24x24xf32>) outs(%26 : tensor<3x4x24x24xi1>) {
    ^bb0(%in: f32, %out: i1):
      %37 = arith.extf %in : f32 to f64
      %38 = arith.cmpf oeq, %37, %cst_4 : f64
      linalg.yield %38 : i1
    } -> tensor<3x4x24x24xi1>
    %28 = tensor.empty() : tensor<3x4x24x1xi1>
    %29 = linalg.fill ins(%true : i1) outs(%28 : tensor<3x4x24x1xi1>) -> tensor<3x4x24x1xi1>
    %30 = linalg.generic {indexing_maps = [#map, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%27 : tensor<3x4x24x24xi1>) outs(%29 : tensor<3x4x24x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %37 = arith.andi %in, %out : i1
      linalg.yield %37 : i1
    } -> tensor<3x4x24x1xi1>
    %31 = linalg.generic {indexing_maps = [#map4, #map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30, %cst_1, %25 : tensor<3x4x24x1xi1>, tensor<3x4x24x24xf32>, tensor<3x4x24x24xf32>) outs(%13 : tensor<3x4x24x24xf32>) {
    ^bb0(%in: i1, %in_19: f32, %in_20: f32, %out: f32):
      %37 = arith.select %in, %in_19, %in_20 : f32
      linalg.yield %37 : f32
    } -> tensor<3x4x24x24xf32>
    %collapsed_14 = tensor.collapse_shape %31 [[0, 1], [2], [3]] : tensor<3x4x24x24xf32> into tensor<12x24x24xf32>
    %collapsed_15 = tensor.collapse_shape %6 [[0, 1], [2], [3]] : tensor<3x4x24x16xf32> into tensor<12x24x16xf32>
    %32 = tensor.empty() : tensor<12x24x16xf32>
    %33 = linalg.fill ins(%cst : f32) outs(%32 : tensor<12x24x16xf32>) -> tensor<12x24x16xf32>
    %34 = linalg.batch_matmul ins(%collapsed_14, %collapsed_15 : tensor<12x24x24xf32>, tensor<12x24x16xf32>) outs(%33 : tensor<12x24x16xf32>) -> tensor<12x24x16xf32>
    %expanded_16 = tensor.expand_shape %34 [[0, 1], [2], [3]] output_shape [3, 4, 24, 16] : tensor<12x24x16xf32> into tensor<3x4x24x16xf32>
    %35 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_16 : tensor<3x4x24x16xf32>) outs(%0 : tensor<3x4x24x16xf16>) {
    ^bb0(%in: f32, %out: f16):
      %37 = arith.truncf %in : f32 to f16
      linalg.yield %37 : f16
    } -> tensor<3x4x24x16xf16>
    %36 = tensor.empty() : tensor<3x24x4x16xf16>
    %transposed_17 = linalg.transpose ins(%35 : tensor<3x4x24x16xf16>) outs(%36 : tensor<3x24x4x16xf16>) permutation = [0, 2, 1, 3]
    %collapsed_18 = tensor.collapse_shape %transposed_17 [[0], [1], [2, 3]] : tensor<3x24x4x16xf16> into tensor<3x24x64xf16>
    return %collapsed_18 : tensor<3x24x64xf16>
  }
}
