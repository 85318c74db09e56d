#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> ()>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @attention(%arg0: tensor<3x24x64xf16>, %arg1: tensor<3x24x64xf16>, %arg2: tensor<3x24x64xf16>, %arg3: tensor<3x1x24x24xi1>) -> tensor<3x24x64xf16> {
    %cst = arith.constant 0.000000e+00 : f32
    %c0_i64 = arith.constant 0 : i64
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant dense<-6.550400e+04> : tensor<f16>
    %cst_2 = arith.constant 4.000000e+00 : f16
    %expanded = tensor.expand_shape %arg0 [[0], [1], [2, 3, 4]] output_shape [3, 24, 4, 16, 1] : tensor<3x24x64xf16> into tensor<3x24x4x16x1xf16>
    %expanded_3 = tensor.expand_shape %arg1 [[0], [1], [2, 3, 4]] output_shape [3, 24, 4, 16, 1] : tensor<3x24x64xf16> into tensor<3x24x4x16x1xf16>
    %0 = tensor.empty() : tensor<3x4x24x16x1xf16>
    %transposed = linalg.transpose ins(%expanded : tensor<3x24x4x16x1xf16>) outs(%0 : tensor<3x4x24x16x1xf16>) permutation = [0, 2, 1, 3, 4]
    %collapsed = tensor.collapse_shape %transposed [[0, 1], [2], [3, 4]] : tensor<3x4x24x16x1xf16> into tensor<12x24x16xf16>
    %1 = tensor.empty() : tensor<3x4x16x24x1xf16>
    %transposed_4 = linalg.transpose ins(%expanded_3 : tensor<3x24x4x16x1xf16>) outs(%1 : tensor<3x4x16x24x1xf16>) permutation = [0, 2, 3, 1, 4]
    %collapsed_5 = tensor.collapse_shape %transposed_4 [[0, 1], [2], [3, 4]] : tensor<3x4x16x24x1xf16> into tensor<12x16x24xf16>
    %2 = tensor.empty() : tensor<12x24x24xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<12x24x24xf32>) -> tensor<12x24x24xf32>
    %4 = linalg.batch_matmul ins(%collapsed, %collapsed_5 : tensor<12x24x16xf16>, tensor<12x16x24xf16>) outs(%3 : tensor<12x24x24xf32>) -> tensor<12x24x24xf32>
    %5 = tensor.empty() : tensor<12x24x24xf16>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<12x24x24xf32>) outs(%5 : tensor<12x24x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %31 = arith.truncf %in : f32 to f16
      linalg.yield %31 : f16
    } -> tensor<12x24x24xf16>
    %expanded_6 = tensor.expand_shape %6 [[0, 1], [2], [3, 4]] output_shape [3, 4, 24, 1, 24] : tensor<12x24x24xf16> into tensor<3x4x24x1x24xf16>
    %7 = tensor.empty() : tensor<3x4x24x24x1xf16>
    %transposed_7 = linalg.transpose ins(%expanded_6 : tensor<3x4x24x1x24xf16>) outs(%7 : tensor<3x4x24x24x1xf16>) permutation = [0, 1, 2, 4, 3]
    %collapsed_8 = tensor.collapse_shape %transposed_7 [[0], [1], [2], [3, 4]] : tensor<3x4x24x24x1xf16> into tensor<3x4x24x24xf16>
    %8 = tensor.empty() : tensor<3x4x24x24xf16>
    %9 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_8 : tensor<3x4x24x24xf16>) outs(%8 : tensor<3x4x24x24xf16>) {
    ^bb0(%in: f16, %out: f16):
      %31 = arith.divf %in, %cst_2 : f16
      linalg.yield %31 : f16
    } -> tensor<3x4x24x24xf16>
    %10 = linalg.generic {indexing_maps = [#map2, #map3, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg3, %cst_1, %9 : tensor<3x1x24x24xi1>, tensor<f16>, tensor<3x4x24x24xf16>) outs(%8 : tensor<3x4x24x24xf16>) {
    ^bb0(%in: i1, %in_17: f16, %in_18: f16, %out: f16):
      %31 = arith.select %in, %in_17, %in_18 : f16
      linalg.yield %31 : f16
    } -> tensor<3x4x24x24xf16>
    %11 = tensor.empty() : tensor<3x4x24x24xf32>
    %12 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10 : tensor<3x4x24x24xf16>) outs(%11 : tensor<3x4x24x24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %31 = arith.extf %in : f16 to f32
      linalg.yield %31 : f32
    } -> tensor<3x4x24x24xf32>
    %13 = tensor.empty() : tensor<3x4x24xi64>
    %14 = linalg.fill ins(%c0_i64 : i64) outs(%13 : tensor<3x4x24xi64>) -> tensor<3x4x24xi64>
    %15 = tensor.empty() : tensor<3x4x24xf32>
    %16 = linalg.fill ins(%cst_0 : f32) outs(%15 : tensor<3x4x24xf32>) -> tensor<3x4x24xf32>
    %17:2 = linalg.generic {indexing_maps = [#map1, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%12 : tensor<3x4x24x24xf32>) outs(%16, %14 : tensor<3x4x24xf32>, tensor<3x4x24xi64>) {
    ^bb0(%in: f32, %out: f32, %out_17: i64):
      %31 = linalg.index 3 : index
      %32 = arith.index_cast %31 : index to i64
      %33 = arith.maximumf %in, %out : f32
      %34 = arith.cmpf ogt, %in, %out : f32
      %35 = arith.select %34, %32, %out_17 : i64
      linalg.yield %33, %35 : f32, i64
    } -> (tensor<3x4x24xf32>, tensor<3x4x24xi64>)
    %expanded_9 = tensor.expand_shape %17#0 [[0], [1], [2, 3]] output_shape [3, 4, 24, 1] : tensor<3x4x24xf32> into tensor<3x4x24x1xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %expanded_9 : tensor<3x4x24x24xf32>, tensor<3x4x24x1xf32>) outs(%11 : tensor<3x4x24x24xf32>) {
    ^bb0(%in: f32, %in_17: f32, %out: f32):
      %31 = arith.subf %in, %in_17 : f32
      linalg.yield %31 : f32
    } -> tensor<3x4x24x24xf32>
    %19 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<3x4x24x24xf32>) outs(%11 : tensor<3x4x24x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %31 = math.exp %in : f32
      linalg.yield %31 : f32
    } -> tensor<3x4x24x24xf32>
    %20 = tensor.empty() : tensor<3x4x24x1xf32>
    %21 = linalg.fill ins(%cst : f32) outs(%20 : tensor<3x4x24x1xf32>) -> tensor<3x4x24x1xf32>
    %22 = linalg.generic {indexing_maps = [#map1, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%19 : tensor<3x4x24x24xf32>) outs(%21 : tensor<3x4x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %31 = arith.addf %in, %out : f32
      linalg.yield %31 : f32
    } -> tensor<3x4x24x1xf32>
    %23 = linalg.generic {indexing_maps = [#map1, #map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %22 : tensor<3x4x24x24xf32>, tensor<3x4x24x1xf32>) outs(%11 : tensor<3x4x24x24xf32>) {
    ^bb0(%in: f32, %in_17: f32, %out: f32):
      %31 = arith.divf %in, %in_17 : f32
      linalg.yield %31 : f32
    } -> tensor<3x4x24x24xf32>
    %24 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23 : tensor<3x4x24x24xf32>) outs(%8 : tensor<3x4x24x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %31 = arith.truncf %in : f32 to f16
      linalg.yield %31 : f16
    } -> tensor<3x4x24x24xf16>
    %expanded_10 = tensor.expand_shape %arg2 [[0], [1], [2, 3, 4]] output_shape [3, 24, 4, 16, 1] : tensor<3x24x64xf16> into tensor<3x24x4x16x1xf16>
    %collapsed_11 = tensor.collapse_shape %24 [[0, 1], [2], [3]] : tensor<3x4x24x24xf16> into tensor<12x24x24xf16>
    %transposed_12 = linalg.transpose ins(%expanded_10 : tensor<3x24x4x16x1xf16>) outs(%0 : tensor<3x4x24x16x1xf16>) permutation = [0, 2, 1, 3, 4]
    %collapsed_13 = tensor.collapse_shape %transposed_12 [[0, 1], [2], [3, 4]] : tensor<3x4x24x16x1xf16> into tensor<12x24x16xf16>
    %25 = tensor.empty() : tensor<12x24x16xf32>
    %26 = linalg.fill ins(%cst : f32) outs(%25 : tensor<12x24x16xf32>) -> tensor<12x24x16xf32>
    %27 = linalg.batch_matmul ins(%collapsed_11, %collapsed_13 : tensor<12x24x24xf16>, tensor<12x24x16xf16>) outs(%26 : tensor<12x24x16xf32>) -> tensor<12x24x16xf32>
    %28 = tensor.empty() : tensor<12x24x16xf16>
    %29 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%27 : tensor<12x24x16xf32>) outs(%28 : tensor<12x24x16xf16>) {
    ^bb0(%in: f32, %out: f16):
      %31 = arith.truncf %in : f32 to f16
      linalg.yield %31 : f16
    } -> tensor<12x24x16xf16>
    %expanded_14 = tensor.expand_shape %29 [[0, 1], [2], [3, 4]] output_shape [3, 4, 24, 1, 16] : tensor<12x24x16xf16> into tensor<3x4x24x1x16xf16>
    %30 = tensor.empty() : tensor<3x24x4x16x1xf16>
    %transposed_15 = linalg.transpose ins(%expanded_14 : tensor<3x4x24x1x16xf16>) outs(%30 : tensor<3x24x4x16x1xf16>) permutation = [0, 2, 1, 4, 3]
    %collapsed_16 = tensor.collapse_shape %transposed_15 [[0], [1], [2, 3, 4]] : tensor<3x24x4x16x1xf16> into tensor<3x24x64xf16>
    return %collapsed_16 : tensor<3x24x64xf16>
  }
}
