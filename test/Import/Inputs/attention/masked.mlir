#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @attention(%arg0: tensor<3x24x64xf16>, %arg1: tensor<3x24x64xf16>, %arg2: tensor<3x24x64xf16>, %arg3: tensor<3x1x24x24xf16>) -> tensor<3x24x64xf16> {
    %cst = arith.constant 0.000000e+00 : f32
    %c0_i64 = arith.constant 0 : i64
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 2.500000e-01 : f16
    %expanded = tensor.expand_shape %arg0 [[0], [1], [2, 3]] output_shape [3, 24, 4, 16] : tensor<3x24x64xf16> into tensor<3x24x4x16xf16>
    %0 = tensor.empty() : tensor<3x4x24x16xf16>
    %transposed = linalg.transpose ins(%expanded : tensor<3x24x4x16xf16>) outs(%0 : tensor<3x4x24x16xf16>) permutation = [0, 2, 1, 3]
    %expanded_2 = tensor.expand_shape %arg1 [[0], [1], [2, 3]] output_shape [3, 24, 4, 16] : tensor<3x24x64xf16> into tensor<3x24x4x16xf16>
    %expanded_3 = tensor.expand_shape %arg2 [[0], [1], [2, 3]] output_shape [3, 24, 4, 16] : tensor<3x24x64xf16> into tensor<3x24x4x16xf16>
    %transposed_4 = linalg.transpose ins(%expanded_3 : tensor<3x24x4x16xf16>) outs(%0 : tensor<3x4x24x16xf16>) permutation = [0, 2, 1, 3]
    %1 = tensor.empty() : tensor<3x4x16x24xf16>
    %transposed_5 = linalg.transpose ins(%expanded_2 : tensor<3x24x4x16xf16>) outs(%1 : tensor<3x4x16x24xf16>) permutation = [0, 2, 3, 1]
    %collapsed = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<3x4x24x16xf16> into tensor<12x24x16xf16>
    %collapsed_6 = tensor.collapse_shape %transposed_5 [[0, 1], [2], [3]] : tensor<3x4x16x24xf16> into tensor<12x16x24xf16>
    %2 = tensor.empty() : tensor<12x24x24xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<12x24x24xf32>) -> tensor<12x24x24xf32>
    %4 = linalg.batch_matmul ins(%collapsed, %collapsed_6 : tensor<12x24x16xf16>, tensor<12x16x24xf16>) outs(%3 : tensor<12x24x24xf32>) -> tensor<12x24x24xf32>
    %5 = tensor.empty() : tensor<12x24x24xf16>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<12x24x24xf32>) outs(%5 : tensor<12x24x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %30 = arith.truncf %in : f32 to f16
      linalg.yield %30 : f16
    } -> tensor<12x24x24xf16>
    %expanded_7 = tensor.expand_shape %6 [[0, 1], [2], [3]] output_shape [3, 4, 24, 24] : tensor<12x24x24xf16> into tensor<3x4x24x24xf16>
    %7 = tensor.empty() : tensor<3x4x24x24xf16>
    %8 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_7 : tensor<3x4x24x24xf16>) outs(%7 : tensor<3x4x24x24xf16>) {
    ^bb0(%in: f16, %out: f16):
      %30 = arith.mulf %in, %cst_1 : f16
      linalg.yield %30 : f16
    } -> tensor<3x4x24x24xf16>
    %9 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %arg3 : tensor<3x4x24x24xf16>, tensor<3x1x24x24xf16>) outs(%7 : tensor<3x4x24x24xf16>) {
    ^bb0(%in: f16, %in_14: f16, %out: f16):
      %30 = arith.addf %in, %in_14 : f16
      linalg.yield %30 : f16
    } -> tensor<3x4x24x24xf16>
    %10 = tensor.empty() : tensor<3x4x24x24xf32>
    %11 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<3x4x24x24xf16>) outs(%10 : tensor<3x4x24x24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %30 = arith.extf %in : f16 to f32
      linalg.yield %30 : f32
    } -> tensor<3x4x24x24xf32>
    %12 = tensor.empty() : tensor<3x4x24xi64>
    %13 = linalg.fill ins(%c0_i64 : i64) outs(%12 : tensor<3x4x24xi64>) -> tensor<3x4x24xi64>
    %14 = tensor.empty() : tensor<3x4x24xf32>
    %15 = linalg.fill ins(%cst_0 : f32) outs(%14 : tensor<3x4x24xf32>) -> tensor<3x4x24xf32>
    %16:2 = linalg.generic {indexing_maps = [#map1, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%11 : tensor<3x4x24x24xf32>) outs(%15, %13 : tensor<3x4x24xf32>, tensor<3x4x24xi64>) {
    ^bb0(%in: f32, %out: f32, %out_14: i64):
      %30 = linalg.index 3 : index
      %31 = arith.index_cast %30 : index to i64
      %32 = arith.maximumf %in, %out : f32
      %33 = arith.cmpf ogt, %in, %out : f32
      %34 = arith.select %33, %31, %out_14 : i64
      linalg.yield %32, %34 : f32, i64
    } -> (tensor<3x4x24xf32>, tensor<3x4x24xi64>)
    %expanded_8 = tensor.expand_shape %16#0 [[0], [1], [2, 3]] output_shape [3, 4, 24, 1] : tensor<3x4x24xf32> into tensor<3x4x24x1xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11, %expanded_8 : tensor<3x4x24x24xf32>, tensor<3x4x24x1xf32>) outs(%10 : tensor<3x4x24x24xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %30 = arith.subf %in, %in_14 : f32
      linalg.yield %30 : f32
    } -> tensor<3x4x24x24xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17 : tensor<3x4x24x24xf32>) outs(%10 : tensor<3x4x24x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = math.exp %in : f32
      linalg.yield %30 : f32
    } -> tensor<3x4x24x24xf32>
    %19 = tensor.empty() : tensor<3x4x24x1xf32>
    %20 = linalg.fill ins(%cst : f32) outs(%19 : tensor<3x4x24x1xf32>) -> tensor<3x4x24x1xf32>
    %21 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%18 : tensor<3x4x24x24xf32>) outs(%20 : tensor<3x4x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = arith.addf %in, %out : f32
      linalg.yield %30 : f32
    } -> tensor<3x4x24x1xf32>
    %22 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18, %21 : tensor<3x4x24x24xf32>, tensor<3x4x24x1xf32>) outs(%10 : tensor<3x4x24x24xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %30 = arith.divf %in, %in_14 : f32
      linalg.yield %30 : f32
    } -> tensor<3x4x24x24xf32>
    %23 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22 : tensor<3x4x24x24xf32>) outs(%7 : tensor<3x4x24x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %30 = arith.truncf %in : f32 to f16
      linalg.yield %30 : f16
    } -> tensor<3x4x24x24xf16>
    %collapsed_9 = tensor.collapse_shape %23 [[0, 1], [2], [3]] : tensor<3x4x24x24xf16> into tensor<12x24x24xf16>
    %collapsed_10 = tensor.collapse_shape %transposed_4 [[0, 1], [2], [3]] : tensor<3x4x24x16xf16> into tensor<12x24x16xf16>
    %24 = tensor.empty() : tensor<12x24x16xf32>
    %25 = linalg.fill ins(%cst : f32) outs(%24 : tensor<12x24x16xf32>) -> tensor<12x24x16xf32>
    %26 = linalg.batch_matmul ins(%collapsed_9, %collapsed_10 : tensor<12x24x24xf16>, tensor<12x24x16xf16>) outs(%25 : tensor<12x24x16xf32>) -> tensor<12x24x16xf32>
    %27 = tensor.empty() : tensor<12x24x16xf16>
    %28 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26 : tensor<12x24x16xf32>) outs(%27 : tensor<12x24x16xf16>) {
    ^bb0(%in: f32, %out: f16):
      %30 = arith.truncf %in : f32 to f16
      linalg.yield %30 : f16
    } -> tensor<12x24x16xf16>
    %expanded_11 = tensor.expand_shape %28 [[0, 1], [2], [3]] output_shape [3, 4, 24, 16] : tensor<12x24x16xf16> into tensor<3x4x24x16xf16>
    %29 = tensor.empty() : tensor<3x24x4x16xf16>
    %transposed_12 = linalg.transpose ins(%expanded_11 : tensor<3x4x24x16xf16>) outs(%29 : tensor<3x24x4x16xf16>) permutation = [0, 2, 1, 3]
    %collapsed_13 = tensor.collapse_shape %transposed_12 [[0], [1], [2, 3]] : tensor<3x24x4x16xf16> into tensor<3x24x64xf16>
    return %collapsed_13 : tensor<3x24x64xf16>
  }
}
