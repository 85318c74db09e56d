#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @attention(%arg0: tensor<3x24x64xf16>, %arg1: tensor<3x24x32xf16>, %arg2: tensor<3x24x32xf16>, %arg3: tensor<3x1x24x24xf16>) -> tensor<3x24x64xf16> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 2.500000e-01 : f16
    %expanded = tensor.expand_shape %arg0 [[0], [1], [2, 3]] output_shape [3, 24, 4, 16] : tensor<3x24x64xf16> into tensor<3x24x4x16xf16>
    %0 = tensor.empty() : tensor<3x4x24x16xf16>
    %transposed = linalg.transpose ins(%expanded : tensor<3x24x4x16xf16>) outs(%0 : tensor<3x4x24x16xf16>) permutation = [0, 2, 1, 3]
    %expanded_2 = tensor.expand_shape %arg1 [[0], [1], [2, 3]] output_shape [3, 24, 2, 16] : tensor<3x24x32xf16> into tensor<3x24x2x16xf16>
    %1 = tensor.empty() : tensor<3x2x24x16xf16>
    %transposed_3 = linalg.transpose ins(%expanded_2 : tensor<3x24x2x16xf16>) outs(%1 : tensor<3x2x24x16xf16>) permutation = [0, 2, 1, 3]
    %expanded_4 = tensor.expand_shape %arg2 [[0], [1], [2, 3]] output_shape [3, 24, 2, 16] : tensor<3x24x32xf16> into tensor<3x24x2x16xf16>
    %transposed_5 = linalg.transpose ins(%expanded_4 : tensor<3x24x2x16xf16>) outs(%1 : tensor<3x2x24x16xf16>) permutation = [0, 2, 1, 3]
    %2 = tensor.empty() : tensor<3x2x2x24x16xf16>
    %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%transposed_3 : tensor<3x2x24x16xf16>) outs(%2 : tensor<3x2x2x24x16xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<3x2x2x24x16xf16>
    %collapsed = tensor.collapse_shape %3 [[0], [1, 2], [3], [4]] : tensor<3x2x2x24x16xf16> into tensor<3x4x24x16xf16>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%transposed_5 : tensor<3x2x24x16xf16>) outs(%2 : tensor<3x2x2x24x16xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<3x2x2x24x16xf16>
    %5 = tensor.empty() : tensor<3x4x16x24xf16>
    %transposed_6 = linalg.transpose ins(%collapsed : tensor<3x4x24x16xf16>) outs(%5 : tensor<3x4x16x24xf16>) permutation = [0, 1, 3, 2]
    %collapsed_7 = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<3x4x24x16xf16> into tensor<12x24x16xf16>
    %collapsed_8 = tensor.collapse_shape %transposed_6 [[0, 1], [2], [3]] : tensor<3x4x16x24xf16> into tensor<12x16x24xf16>
    %6 = tensor.empty() : tensor<12x24x24xf32>
    %7 = linalg.fill ins(%cst : f32) outs(%6 : tensor<12x24x24xf32>) -> tensor<12x24x24xf32>
    %8 = linalg.batch_matmul ins(%collapsed_7, %collapsed_8 : tensor<12x24x16xf16>, tensor<12x16x24xf16>) outs(%7 : tensor<12x24x24xf32>) -> tensor<12x24x24xf32>
    %9 = tensor.empty() : tensor<12x24x24xf16>
    %10 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<12x24x24xf32>) outs(%9 : tensor<12x24x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %34 = arith.truncf %in : f32 to f16
      linalg.yield %34 : f16
    } -> tensor<12x24x24xf16>
    %expanded_9 = tensor.expand_shape %10 [[0, 1], [2], [3]] output_shape [3, 4, 24, 24] : tensor<12x24x24xf16> into tensor<3x4x24x24xf16>
    %11 = tensor.empty() : tensor<3x4x24x24xf16>
    %12 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_9 : tensor<3x4x24x24xf16>) outs(%11 : tensor<3x4x24x24xf16>) {
    ^bb0(%in: f16, %out: f16):
      %34 = arith.mulf %in, %cst_1 : f16
      linalg.yield %34 : f16
    } -> tensor<3x4x24x24xf16>
    %13 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %arg3 : tensor<3x4x24x24xf16>, tensor<3x1x24x24xf16>) outs(%11 : tensor<3x4x24x24xf16>) {
    ^bb0(%in: f16, %in_16: f16, %out: f16):
      %34 = arith.addf %in, %in_16 : f16
      linalg.yield %34 : f16
    } -> tensor<3x4x24x24xf16>
    %14 = tensor.empty() : tensor<3x4x24x24xf32>
    %15 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<3x4x24x24xf16>) outs(%14 : tensor<3x4x24x24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %34 = arith.extf %in : f16 to f32
      linalg.yield %34 : f32
    } -> tensor<3x4x24x24xf32>
    %16 = tensor.empty() : tensor<3x4x24xi64>
    %17 = linalg.fill ins(%c0_i64 : i64) outs(%16 : tensor<3x4x24xi64>) -> tensor<3x4x24xi64>
    %18 = tensor.empty() : tensor<3x4x24xf32>
    %19 = linalg.fill ins(%cst_0 : f32) outs(%18 : tensor<3x4x24xf32>) -> tensor<3x4x24xf32>
    %20:2 = linalg.generic {indexing_maps = [#map3, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%15 : tensor<3x4x24x24xf32>) outs(%19, %17 : tensor<3x4x24xf32>, tensor<3x4x24xi64>) {
    ^bb0(%in: f32, %out: f32, %out_16: i64):
      %34 = linalg.index 3 : index
      %35 = arith.index_cast %34 : index to i64
      %36 = arith.maximumf %in, %out : f32
      %37 = arith.cmpf ogt, %in, %out : f32
      %38 = arith.select %37, %35, %out_16 : i64
      linalg.yield %36, %38 : f32, i64
    } -> (tensor<3x4x24xf32>, tensor<3x4x24xi64>)
    %expanded_10 = tensor.expand_shape %20#0 [[0], [1], [2, 3]] output_shape [3, 4, 24, 1] : tensor<3x4x24xf32> into tensor<3x4x24x1xf32>
    %21 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15, %expanded_10 : tensor<3x4x24x24xf32>, tensor<3x4x24x1xf32>) outs(%14 : tensor<3x4x24x24xf32>) {
    ^bb0(%in: f32, %in_16: f32, %out: f32):
      %34 = arith.subf %in, %in_16 : f32
      linalg.yield %34 : f32
    } -> tensor<3x4x24x24xf32>
    %22 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21 : tensor<3x4x24x24xf32>) outs(%14 : tensor<3x4x24x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %34 = math.exp %in : f32
      linalg.yield %34 : f32
    } -> tensor<3x4x24x24xf32>
    %23 = tensor.empty() : tensor<3x4x24x1xf32>
    %24 = linalg.fill ins(%cst : f32) outs(%23 : tensor<3x4x24x1xf32>) -> tensor<3x4x24x1xf32>
    %25 = linalg.generic {indexing_maps = [#map3, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%22 : tensor<3x4x24x24xf32>) outs(%24 : tensor<3x4x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %34 = arith.addf %in, %out : f32
      linalg.yield %34 : f32
    } -> tensor<3x4x24x1xf32>
    %26 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22, %25 : tensor<3x4x24x24xf32>, tensor<3x4x24x1xf32>) outs(%14 : tensor<3x4x24x24xf32>) {
    ^bb0(%in: f32, %in_16: f32, %out: f32):
      %34 = arith.divf %in, %in_16 : f32
      linalg.yield %34 : f32
    } -> tensor<3x4x24x24xf32>
    %27 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26 : tensor<3x4x24x24xf32>) outs(%11 : tensor<3x4x24x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %34 = arith.truncf %in : f32 to f16
      linalg.yield %34 : f16
    } -> tensor<3x4x24x24xf16>
    %collapsed_11 = tensor.collapse_shape %27 [[0, 1], [2], [3]] : tensor<3x4x24x24xf16> into tensor<12x24x24xf16>
    %collapsed_12 = tensor.collapse_shape %4 [[0, 1, 2], [3], [4]] : tensor<3x2x2x24x16xf16> into tensor<12x24x16xf16>
    %28 = tensor.empty() : tensor<12x24x16xf32>
    %29 = linalg.fill ins(%cst : f32) outs(%28 : tensor<12x24x16xf32>) -> tensor<12x24x16xf32>
    %30 = linalg.batch_matmul ins(%collapsed_11, %collapsed_12 : tensor<12x24x24xf16>, tensor<12x24x16xf16>) outs(%29 : tensor<12x24x16xf32>) -> tensor<12x24x16xf32>
    %31 = tensor.empty() : tensor<12x24x16xf16>
    %32 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%30 : tensor<12x24x16xf32>) outs(%31 : tensor<12x24x16xf16>) {
    ^bb0(%in: f32, %out: f16):
      %34 = arith.truncf %in : f32 to f16
      linalg.yield %34 : f16
    } -> tensor<12x24x16xf16>
    %expanded_13 = tensor.expand_shape %32 [[0, 1], [2], [3]] output_shape [3, 4, 24, 16] : tensor<12x24x16xf16> into tensor<3x4x24x16xf16>
    %33 = tensor.empty() : tensor<3x24x4x16xf16>
    %transposed_14 = linalg.transpose ins(%expanded_13 : tensor<3x4x24x16xf16>) outs(%33 : tensor<3x24x4x16xf16>) permutation = [0, 2, 1, 3]
    %collapsed_15 = tensor.collapse_shape %transposed_14 [[0], [1], [2, 3]] : tensor<3x24x4x16xf16> into tensor<3x24x64xf16>
    return %collapsed_15 : tensor<3x24x64xf16>
  }
}
