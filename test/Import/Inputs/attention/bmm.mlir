#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
module {
  func.func @attention(%arg0: tensor<3x24x64xf16>, %arg1: tensor<3x24x64xf16>, %arg2: tensor<3x24x64xf16>) -> tensor<3x24x64xf16> {
    %cst = arith.constant 0.000000e+00 : f32
    %c0_i64 = arith.constant 0 : i64
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 2.500000e-01 : f16
    %expanded = tensor.expand_shape %arg0 [[0], [1], [2, 3]] output_shape [3, 24, 4, 16] : tensor<3x24x64xf16> into tensor<3x24x4x16xf16>
    %0 = tensor.empty() : tensor<3x4x24x16xf16>
    %transposed = linalg.transpose ins(%expanded : tensor<3x24x4x16xf16>) outs(%0 : tensor<3x4x24x16xf16>) permutation = [0, 2, 1, 3]
    %collapsed = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<3x4x24x16xf16> into tensor<12x24x16xf16>
    %expanded_2 = tensor.expand_shape %arg1 [[0], [1], [2, 3]] output_shape [3, 24, 4, 16] : tensor<3x24x64xf16> into tensor<3x24x4x16xf16>
    %transposed_3 = linalg.transpose ins(%expanded_2 : tensor<3x24x4x16xf16>) outs(%0 : tensor<3x4x24x16xf16>) permutation = [0, 2, 1, 3]
    %collapsed_4 = tensor.collapse_shape %transposed_3 [[0, 1], [2], [3]] : tensor<3x4x24x16xf16> into tensor<12x24x16xf16>
    %expanded_5 = tensor.expand_shape %arg2 [[0], [1], [2, 3]] output_shape [3, 24, 4, 16] : tensor<3x24x64xf16> into tensor<3x24x4x16xf16>
    %transposed_6 = linalg.transpose ins(%expanded_5 : tensor<3x24x4x16xf16>) outs(%0 : tensor<3x4x24x16xf16>) permutation = [0, 2, 1, 3]
    %collapsed_7 = tensor.collapse_shape %transposed_6 [[0, 1], [2], [3]] : tensor<3x4x24x16xf16> into tensor<12x24x16xf16>
    %1 = tensor.empty() : tensor<12x24x16xf16>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed : tensor<12x24x16xf16>) outs(%1 : tensor<12x24x16xf16>) {
    ^bb0(%in: f16, %out: f16):
      %27 = arith.mulf %in, %cst_1 : f16
      linalg.yield %27 : f16
    } -> tensor<12x24x16xf16>
    %3 = tensor.empty() : tensor<12x16x24xf16>
    %transposed_8 = linalg.transpose ins(%collapsed_4 : tensor<12x24x16xf16>) outs(%3 : tensor<12x16x24xf16>) permutation = [0, 2, 1]
    %4 = tensor.empty() : tensor<12x24x24xf32>
    %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<12x24x24xf32>) -> tensor<12x24x24xf32>
    %6 = linalg.batch_matmul ins(%2, %transposed_8 : tensor<12x24x16xf16>, tensor<12x16x24xf16>) outs(%5 : tensor<12x24x24xf32>) -> tensor<12x24x24xf32>
    %7 = tensor.empty() : tensor<12x24x24xf16>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<12x24x24xf32>) outs(%7 : tensor<12x24x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %27 = arith.truncf %in : f32 to f16
      linalg.yield %27 : f16
    } -> tensor<12x24x24xf16>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<12x24x24xf16>) outs(%4 : tensor<12x24x24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %27 = arith.extf %in : f16 to f32
      linalg.yield %27 : f32
    } -> tensor<12x24x24xf32>
    %10 = tensor.empty() : tensor<12x24xi64>
    %11 = linalg.fill ins(%c0_i64 : i64) outs(%10 : tensor<12x24xi64>) -> tensor<12x24xi64>
    %12 = tensor.empty() : tensor<12x24xf32>
    %13 = linalg.fill ins(%cst_0 : f32) outs(%12 : tensor<12x24xf32>) -> tensor<12x24xf32>
    %14:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%9 : tensor<12x24x24xf32>) outs(%13, %11 : tensor<12x24xf32>, tensor<12x24xi64>) {
    ^bb0(%in: f32, %out: f32, %out_13: i64):
      %27 = linalg.index 2 : index
      %28 = arith.index_cast %27 : index to i64
      %29 = arith.maximumf %in, %out : f32
      %30 = arith.cmpf ogt, %in, %out : f32
      %31 = arith.select %30, %28, %out_13 : i64
      linalg.yield %29, %31 : f32, i64
    } -> (tensor<12x24xf32>, tensor<12x24xi64>)
    %expanded_9 = tensor.expand_shape %14#0 [[0], [1, 2]] output_shape [12, 24, 1] : tensor<12x24xf32> into tensor<12x24x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9, %expanded_9 : tensor<12x24x24xf32>, tensor<12x24x1xf32>) outs(%4 : tensor<12x24x24xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %27 = arith.subf %in, %in_13 : f32
      linalg.yield %27 : f32
    } -> tensor<12x24x24xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<12x24x24xf32>) outs(%4 : tensor<12x24x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %27 = math.exp %in : f32
      linalg.yield %27 : f32
    } -> tensor<12x24x24xf32>
    %17 = tensor.empty() : tensor<12x24x1xf32>
    %18 = linalg.fill ins(%cst : f32) outs(%17 : tensor<12x24x1xf32>) -> tensor<12x24x1xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%16 : tensor<12x24x24xf32>) outs(%18 : tensor<12x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %27 = arith.addf %in, %out : f32
      linalg.yield %27 : f32
    } -> tensor<12x24x1xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16, %19 : tensor<12x24x24xf32>, tensor<12x24x1xf32>) outs(%4 : tensor<12x24x24xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %27 = arith.divf %in, %in_13 : f32
      linalg.yield %27 : f32
    } -> tensor<12x24x24xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20 : tensor<12x24x24xf32>) outs(%7 : tensor<12x24x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %27 = arith.truncf %in : f32 to f16
      linalg.yield %27 : f16
    } -> tensor<12x24x24xf16>
    %22 = tensor.empty() : tensor<12x24x16xf32>
    %23 = linalg.fill ins(%cst : f32) outs(%22 : tensor<12x24x16xf32>) -> tensor<12x24x16xf32>
    %24 = linalg.batch_matmul ins(%21, %collapsed_7 : tensor<12x24x24xf16>, tensor<12x24x16xf16>) outs(%23 : tensor<12x24x16xf32>) -> tensor<12x24x16xf32>
    %25 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%24 : tensor<12x24x16xf32>) outs(%1 : tensor<12x24x16xf16>) {
    ^bb0(%in: f32, %out: f16):
      %27 = arith.truncf %in : f32 to f16
      linalg.yield %27 : f16
    } -> tensor<12x24x16xf16>
    %expanded_10 = tensor.expand_shape %25 [[0, 1], [2], [3]] output_shape [3, 4, 24, 16] : tensor<12x24x16xf16> into tensor<3x4x24x16xf16>
    %26 = tensor.empty() : tensor<3x24x4x16xf16>
    %transposed_11 = linalg.transpose ins(%expanded_10 : tensor<3x4x24x16xf16>) outs(%26 : tensor<3x24x4x16xf16>) permutation = [0, 2, 1, 3]
    %collapsed_12 = tensor.collapse_shape %transposed_11 [[0], [1], [2, 3]] : tensor<3x24x4x16xf16> into tensor<3x24x64xf16>
    return %collapsed_12 : tensor<3x24x64xf16>
  }
}
