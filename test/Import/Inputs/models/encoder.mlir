#map = affine_map<(d0, d1, d2) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0, d1) -> (d0)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2) -> (0, d1, d2)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map7 = affine_map<(d0, d1, d2) -> (d2)>
#map8 = affine_map<(d0, d1) -> (d1)>
#map9 = affine_map<(d0, d1) -> ()>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, d3)>
#map12 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map13 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map14 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map15 = affine_map<(d0, d1) -> (d0, 0)>
module {
  func.func @encoder(%arg0: tensor<50x64xf16> {sparseflow.name = "w.weight"}, %arg1: tensor<40x64xf16> {sparseflow.name = "p.weight"}, %arg2: tensor<64xf16> {sparseflow.name = "ln.weight"}, %arg3: tensor<64xf16> {sparseflow.name = "ln.bias"}, %arg4: tensor<64x64xf16> {sparseflow.name = "qkv.0.weight"}, %arg5: tensor<64xf16> {sparseflow.name = "qkv.0.bias"}, %arg6: tensor<64x64xf16> {sparseflow.name = "qkv.1.weight"}, %arg7: tensor<64xf16> {sparseflow.name = "qkv.1.bias"}, %arg8: tensor<64x64xf16> {sparseflow.name = "qkv.2.weight"}, %arg9: tensor<64xf16> {sparseflow.name = "qkv.2.bias"}, %arg10: tensor<64x64xf16> {sparseflow.name = "o.weight"}, %arg11: tensor<64xf16> {sparseflow.name = "o.bias"}, %arg12: tensor<64xf16> {sparseflow.name = "l1.weight"}, %arg13: tensor<64xf16> {sparseflow.name = "l1.bias"}, %arg14: tensor<96x64xf16> {sparseflow.name = "i.weight"}, %arg15: tensor<96xf16> {sparseflow.name = "i.bias"}, %arg16: tensor<64x96xf16> {sparseflow.name = "j.weight"}, %arg17: tensor<64xf16> {sparseflow.name = "j.bias"}, %arg18: tensor<64xf16> {sparseflow.name = "l2.weight"}, %arg19: tensor<64xf16> {sparseflow.name = "l2.bias"}, %arg20: tensor<2x9xi64> {sparseflow.name = "ids"}, %arg21: tensor<2x9xi64> {sparseflow.name = "mask"}) -> tensor<2x64xf16> {
    %c0_i64 = arith.constant 0 : i64
    %c50 = arith.constant 50 : index
    %c40 = arith.constant 40 : index
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 0xFF800000 : f32
    %cst_2 = arith.constant 0.000000e+00 : f16
    %cst_3 = arith.constant 1.000000e+00 : f16
    %cst_4 = arith.constant 2.000000e+00 : f16
    %cst_5 = arith.constant 5.000000e-01 : f16
    %cst_6 = arith.constant 1.000000e-09 : f64
    %cst_7 = arith.constant 9.9999999999999998E-13 : f64
    %cst_8 = arith.constant 6.400000e+01 : f64
    %cst_9 = arith.constant 6.400000e+01 : f32
    %cst_10 = arith.constant -6.550400e+04 : f16
    %cst_11 = arith.constant 4.000000e+00 : f16
    %cst_12 = arith.constant dense<1> : tensor<i64>
    %0 = tensor.empty() : tensor<2x9x64xf16>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg20 : tensor<2x9xi64>) outs(%0 : tensor<2x9x64xf16>) {
    ^bb0(%in: i64, %out: f16):
      %176 = arith.index_cast %in : i64 to index
      %177 = linalg.index 2 : index
      %178 = arith.cmpi slt, %176, %c50 : index
      cf.assert %178, "index must be smaller than dim size"
      %179 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %179, "index must be larger or equal to 0"
      %extracted = tensor.extract %arg0[%176, %177] : tensor<50x64xf16>
      linalg.yield %extracted : f16
    } -> tensor<2x9x64xf16>
    %2 = tensor.empty() : tensor<9xi64>
    %3 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%2 : tensor<9xi64>) {
    ^bb0(%out: i64):
      %176 = linalg.index 0 : index
      %177 = arith.index_cast %176 : index to i64
      linalg.yield %177 : i64
    } -> tensor<9xi64>
    %4 = tensor.empty() : tensor<9x64xf16>
    %5 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<9xi64>) outs(%4 : tensor<9x64xf16>) {
    ^bb0(%in: i64, %out: f16):
      %176 = arith.index_cast %in : i64 to index
      %177 = linalg.index 1 : index
      %178 = arith.cmpi slt, %176, %c40 : index
      cf.assert %178, "index must be smaller than dim size"
      %179 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %179, "index must be larger or equal to 0"
      %extracted = tensor.extract %arg1[%176, %177] : tensor<40x64xf16>
      linalg.yield %extracted : f16
    } -> tensor<9x64xf16>
    %expanded = tensor.expand_shape %5 [[0, 1], [2]] output_shape [1, 9, 64] : tensor<9x64xf16> into tensor<1x9x64xf16>
    %6 = linalg.generic {indexing_maps = [#map1, #map5, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %expanded : tensor<2x9x64xf16>, tensor<1x9x64xf16>) outs(%0 : tensor<2x9x64xf16>) {
    ^bb0(%in: f16, %in_41: f16, %out: f16):
      %176 = arith.addf %in, %in_41 : f16
      linalg.yield %176 : f16
    } -> tensor<2x9x64xf16>
    %7 = tensor.empty() : tensor<2x9x64xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<2x9x64xf16>) outs(%7 : tensor<2x9x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %176 = arith.extf %in : f16 to f32
      linalg.yield %176 : f32
    } -> tensor<2x9x64xf32>
    %9 = tensor.empty() : tensor<2x9x64xf64>
    %10 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<2x9x64xf32>) outs(%9 : tensor<2x9x64xf64>) {
    ^bb0(%in: f32, %out: f64):
      %176 = arith.extf %in : f32 to f64
      linalg.yield %176 : f64
    } -> tensor<2x9x64xf64>
    %11 = tensor.empty() : tensor<2x9x1xf64>
    %12 = linalg.fill ins(%cst : f64) outs(%11 : tensor<2x9x1xf64>) -> tensor<2x9x1xf64>
    %13 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%10 : tensor<2x9x64xf64>) outs(%12 : tensor<2x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %176 = arith.addf %in, %out : f64
      linalg.yield %176 : f64
    } -> tensor<2x9x1xf64>
    %14 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<2x9x1xf64>) outs(%11 : tensor<2x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %176 = arith.divf %in, %cst_8 : f64
      linalg.yield %176 : f64
    } -> tensor<2x9x1xf64>
    %15 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10, %14 : tensor<2x9x64xf64>, tensor<2x9x1xf64>) outs(%9 : tensor<2x9x64xf64>) {
    ^bb0(%in: f64, %in_41: f64, %out: f64):
      %176 = arith.subf %in, %in_41 : f64
      linalg.yield %176 : f64
    } -> tensor<2x9x64xf64>
    %16 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15, %15 : tensor<2x9x64xf64>, tensor<2x9x64xf64>) outs(%9 : tensor<2x9x64xf64>) {
    ^bb0(%in: f64, %in_41: f64, %out: f64):
      %176 = arith.mulf %in, %in_41 : f64
      linalg.yield %176 : f64
    } -> tensor<2x9x64xf64>
    %17 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%16 : tensor<2x9x64xf64>) outs(%12 : tensor<2x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %176 = arith.addf %in, %out : f64
      linalg.yield %176 : f64
    } -> tensor<2x9x1xf64>
    %18 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17 : tensor<2x9x1xf64>) outs(%11 : tensor<2x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %176 = arith.divf %in, %cst_8 : f64
      linalg.yield %176 : f64
    } -> tensor<2x9x1xf64>
    %19 = tensor.empty() : tensor<2x9x1xf32>
    %20 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18 : tensor<2x9x1xf64>) outs(%19 : tensor<2x9x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %176 = arith.truncf %in : f64 to f32
      linalg.yield %176 : f32
    } -> tensor<2x9x1xf32>
    %21 = linalg.fill ins(%cst_0 : f32) outs(%19 : tensor<2x9x1xf32>) -> tensor<2x9x1xf32>
    %22 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%8 : tensor<2x9x64xf32>) outs(%21 : tensor<2x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %176 = arith.addf %in, %out : f32
      linalg.yield %176 : f32
    } -> tensor<2x9x1xf32>
    %23 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22 : tensor<2x9x1xf32>) outs(%19 : tensor<2x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %176 = arith.divf %in, %cst_9 : f32
      linalg.yield %176 : f32
    } -> tensor<2x9x1xf32>
    %24 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20 : tensor<2x9x1xf32>) outs(%19 : tensor<2x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %176 = arith.truncf %cst_7 : f64 to f32
      %177 = arith.addf %in, %176 : f32
      linalg.yield %177 : f32
    } -> tensor<2x9x1xf32>
    %25 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%24 : tensor<2x9x1xf32>) outs(%19 : tensor<2x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %176 = math.rsqrt %in : f32
      linalg.yield %176 : f32
    } -> tensor<2x9x1xf32>
    %26 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %23 : tensor<2x9x64xf32>, tensor<2x9x1xf32>) outs(%7 : tensor<2x9x64xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %176 = arith.subf %in, %in_41 : f32
      linalg.yield %176 : f32
    } -> tensor<2x9x64xf32>
    %27 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26, %25 : tensor<2x9x64xf32>, tensor<2x9x1xf32>) outs(%7 : tensor<2x9x64xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %176 = arith.mulf %in, %in_41 : f32
      linalg.yield %176 : f32
    } -> tensor<2x9x64xf32>
    %28 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%27, %arg2 : tensor<2x9x64xf32>, tensor<64xf16>) outs(%7 : tensor<2x9x64xf32>) {
    ^bb0(%in: f32, %in_41: f16, %out: f32):
      %176 = arith.extf %in_41 : f16 to f32
      %177 = arith.mulf %in, %176 : f32
      linalg.yield %177 : f32
    } -> tensor<2x9x64xf32>
    %29 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28, %arg3 : tensor<2x9x64xf32>, tensor<64xf16>) outs(%7 : tensor<2x9x64xf32>) {
    ^bb0(%in: f32, %in_41: f16, %out: f32):
      %176 = arith.extf %in_41 : f16 to f32
      %177 = arith.addf %in, %176 : f32
      linalg.yield %177 : f32
    } -> tensor<2x9x64xf32>
    %30 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%29 : tensor<2x9x64xf32>) outs(%0 : tensor<2x9x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %176 = arith.truncf %in : f32 to f16
      linalg.yield %176 : f16
    } -> tensor<2x9x64xf16>
    %collapsed = tensor.collapse_shape %30 [[0, 1], [2]] : tensor<2x9x64xf16> into tensor<18x64xf16>
    %31 = tensor.empty() : tensor<64x64xf16>
    %transposed = linalg.transpose ins(%arg4 : tensor<64x64xf16>) outs(%31 : tensor<64x64xf16>) permutation = [1, 0]
    %32 = tensor.empty() : tensor<64xf32>
    %33 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%arg5 : tensor<64xf16>) outs(%32 : tensor<64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %176 = arith.extf %in : f16 to f32
      linalg.yield %176 : f32
    } -> tensor<64xf32>
    %34 = tensor.empty() : tensor<18x64xf32>
    %35 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%collapsed : tensor<18x64xf16>) outs(%34 : tensor<18x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %176 = arith.extf %in : f16 to f32
      linalg.yield %176 : f32
    } -> tensor<18x64xf32>
    %36 = tensor.empty() : tensor<64x64xf32>
    %37 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%transposed : tensor<64x64xf16>) outs(%36 : tensor<64x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %176 = arith.extf %in : f16 to f32
      linalg.yield %176 : f32
    } -> tensor<64x64xf32>
    %38 = linalg.fill ins(%cst_0 : f32) outs(%34 : tensor<18x64xf32>) -> tensor<18x64xf32>
    %39 = linalg.matmul ins(%35, %37 : tensor<18x64xf32>, tensor<64x64xf32>) outs(%38 : tensor<18x64xf32>) -> tensor<18x64xf32>
    %40 = linalg.generic {indexing_maps = [#map8, #map4], iterator_types = ["parallel", "parallel"]} ins(%33 : tensor<64xf32>) outs(%34 : tensor<18x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<18x64xf32>
    %41 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%39, %40 : tensor<18x64xf32>, tensor<18x64xf32>) outs(%34 : tensor<18x64xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %176 = arith.addf %in, %in_41 : f32
      linalg.yield %176 : f32
    } -> tensor<18x64xf32>
    %42 = tensor.empty() : tensor<18x64xf16>
    %43 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%41 : tensor<18x64xf32>) outs(%42 : tensor<18x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %176 = arith.truncf %in : f32 to f16
      linalg.yield %176 : f16
    } -> tensor<18x64xf16>
    %expanded_13 = tensor.expand_shape %43 [[0, 1], [2, 3]] output_shape [2, 9, 4, 16] : tensor<18x64xf16> into tensor<2x9x4x16xf16>
    %44 = tensor.empty() : tensor<2x4x9x16xf16>
    %transposed_14 = linalg.transpose ins(%expanded_13 : tensor<2x9x4x16xf16>) outs(%44 : tensor<2x4x9x16xf16>) permutation = [0, 2, 1, 3]
    %transposed_15 = linalg.transpose ins(%arg6 : tensor<64x64xf16>) outs(%31 : tensor<64x64xf16>) permutation = [1, 0]
    %45 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%arg7 : tensor<64xf16>) outs(%32 : tensor<64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %176 = arith.extf %in : f16 to f32
      linalg.yield %176 : f32
    } -> tensor<64xf32>
    %46 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%transposed_15 : tensor<64x64xf16>) outs(%36 : tensor<64x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %176 = arith.extf %in : f16 to f32
      linalg.yield %176 : f32
    } -> tensor<64x64xf32>
    %47 = linalg.matmul ins(%35, %46 : tensor<18x64xf32>, tensor<64x64xf32>) outs(%38 : tensor<18x64xf32>) -> tensor<18x64xf32>
    %48 = linalg.generic {indexing_maps = [#map8, #map4], iterator_types = ["parallel", "parallel"]} ins(%45 : tensor<64xf32>) outs(%34 : tensor<18x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<18x64xf32>
    %49 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%47, %48 : tensor<18x64xf32>, tensor<18x64xf32>) outs(%34 : tensor<18x64xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %176 = arith.addf %in, %in_41 : f32
      linalg.yield %176 : f32
    } -> tensor<18x64xf32>
    %50 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%49 : tensor<18x64xf32>) outs(%42 : tensor<18x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %176 = arith.truncf %in : f32 to f16
      linalg.yield %176 : f16
    } -> tensor<18x64xf16>
    %expanded_16 = tensor.expand_shape %50 [[0, 1], [2, 3]] output_shape [2, 9, 4, 16] : tensor<18x64xf16> into tensor<2x9x4x16xf16>
    %transposed_17 = linalg.transpose ins(%arg8 : tensor<64x64xf16>) outs(%31 : tensor<64x64xf16>) permutation = [1, 0]
    %51 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%arg9 : tensor<64xf16>) outs(%32 : tensor<64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %176 = arith.extf %in : f16 to f32
      linalg.yield %176 : f32
    } -> tensor<64xf32>
    %52 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%transposed_17 : tensor<64x64xf16>) outs(%36 : tensor<64x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %176 = arith.extf %in : f16 to f32
      linalg.yield %176 : f32
    } -> tensor<64x64xf32>
    %53 = linalg.matmul ins(%35, %52 : tensor<18x64xf32>, tensor<64x64xf32>) outs(%38 : tensor<18x64xf32>) -> tensor<18x64xf32>
    %54 = linalg.generic {indexing_maps = [#map8, #map4], iterator_types = ["parallel", "parallel"]} ins(%51 : tensor<64xf32>) outs(%34 : tensor<18x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<18x64xf32>
    %55 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%53, %54 : tensor<18x64xf32>, tensor<18x64xf32>) outs(%34 : tensor<18x64xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %176 = arith.addf %in, %in_41 : f32
      linalg.yield %176 : f32
    } -> tensor<18x64xf32>
    %56 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%55 : tensor<18x64xf32>) outs(%42 : tensor<18x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %176 = arith.truncf %in : f32 to f16
      linalg.yield %176 : f16
    } -> tensor<18x64xf16>
    %expanded_18 = tensor.expand_shape %56 [[0, 1], [2, 3]] output_shape [2, 9, 4, 16] : tensor<18x64xf16> into tensor<2x9x4x16xf16>
    %transposed_19 = linalg.transpose ins(%expanded_18 : tensor<2x9x4x16xf16>) outs(%44 : tensor<2x4x9x16xf16>) permutation = [0, 2, 1, 3]
    %57 = tensor.empty() : tensor<2x9xf16>
    %58 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg21 : tensor<2x9xi64>) outs(%57 : tensor<2x9xf16>) {
    ^bb0(%in: i64, %out: f16):
      %176 = arith.sitofp %in : i64 to f16
      linalg.yield %176 : f16
    } -> tensor<2x9xf16>
    %59 = linalg.generic {indexing_maps = [#map9, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%cst_12, %58 : tensor<i64>, tensor<2x9xf16>) outs(%57 : tensor<2x9xf16>) {
    ^bb0(%in: i64, %in_41: f16, %out: f16):
      %176 = arith.sitofp %in : i64 to f16
      %177 = arith.subf %176, %in_41 : f16
      linalg.yield %177 : f16
    } -> tensor<2x9xf16>
    %expanded_20 = tensor.expand_shape %59 [[0], [1, 2, 3]] output_shape [2, 1, 1, 9] : tensor<2x9xf16> into tensor<2x1x1x9xf16>
    %60 = tensor.empty() : tensor<2x1x1x9xf16>
    %61 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_20 : tensor<2x1x1x9xf16>) outs(%60 : tensor<2x1x1x9xf16>) {
    ^bb0(%in: f16, %out: f16):
      %176 = arith.mulf %in, %cst_10 : f16
      linalg.yield %176 : f16
    } -> tensor<2x1x1x9xf16>
    %62 = tensor.empty() : tensor<2x4x16x9xf16>
    %transposed_21 = linalg.transpose ins(%expanded_16 : tensor<2x9x4x16xf16>) outs(%62 : tensor<2x4x16x9xf16>) permutation = [0, 2, 3, 1]
    %collapsed_22 = tensor.collapse_shape %transposed_14 [[0, 1], [2], [3]] : tensor<2x4x9x16xf16> into tensor<8x9x16xf16>
    %collapsed_23 = tensor.collapse_shape %transposed_21 [[0, 1], [2], [3]] : tensor<2x4x16x9xf16> into tensor<8x16x9xf16>
    %63 = tensor.empty() : tensor<8x9x9xf32>
    %64 = linalg.fill ins(%cst_0 : f32) outs(%63 : tensor<8x9x9xf32>) -> tensor<8x9x9xf32>
    %65 = linalg.batch_matmul ins(%collapsed_22, %collapsed_23 : tensor<8x9x16xf16>, tensor<8x16x9xf16>) outs(%64 : tensor<8x9x9xf32>) -> tensor<8x9x9xf32>
    %66 = tensor.empty() : tensor<8x9x9xf16>
    %67 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%65 : tensor<8x9x9xf32>) outs(%66 : tensor<8x9x9xf16>) {
    ^bb0(%in: f32, %out: f16):
      %176 = arith.truncf %in : f32 to f16
      linalg.yield %176 : f16
    } -> tensor<8x9x9xf16>
    %expanded_24 = tensor.expand_shape %67 [[0, 1], [2], [3]] output_shape [2, 4, 9, 9] : tensor<8x9x9xf16> into tensor<2x4x9x9xf16>
    %68 = tensor.empty() : tensor<2x4x9x9xf16>
    %69 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_24 : tensor<2x4x9x9xf16>) outs(%68 : tensor<2x4x9x9xf16>) {
    ^bb0(%in: f16, %out: f16):
      %176 = arith.divf %in, %cst_11 : f16
      linalg.yield %176 : f16
    } -> tensor<2x4x9x9xf16>
    %70 = linalg.generic {indexing_maps = [#map10, #map11, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%69, %61 : tensor<2x4x9x9xf16>, tensor<2x1x1x9xf16>) outs(%68 : tensor<2x4x9x9xf16>) {
    ^bb0(%in: f16, %in_41: f16, %out: f16):
      %176 = arith.addf %in, %in_41 : f16
      linalg.yield %176 : f16
    } -> tensor<2x4x9x9xf16>
    %71 = tensor.empty() : tensor<2x4x9x9xf32>
    %72 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%70 : tensor<2x4x9x9xf16>) outs(%71 : tensor<2x4x9x9xf32>) {
    ^bb0(%in: f16, %out: f32):
      %176 = arith.extf %in : f16 to f32
      linalg.yield %176 : f32
    } -> tensor<2x4x9x9xf32>
    %73 = tensor.empty() : tensor<2x4x9xi64>
    %74 = linalg.fill ins(%c0_i64 : i64) outs(%73 : tensor<2x4x9xi64>) -> tensor<2x4x9xi64>
    %75 = tensor.empty() : tensor<2x4x9xf32>
    %76 = linalg.fill ins(%cst_1 : f32) outs(%75 : tensor<2x4x9xf32>) -> tensor<2x4x9xf32>
    %77:2 = linalg.generic {indexing_maps = [#map10, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%72 : tensor<2x4x9x9xf32>) outs(%76, %74 : tensor<2x4x9xf32>, tensor<2x4x9xi64>) {
    ^bb0(%in: f32, %out: f32, %out_41: i64):
      %176 = linalg.index 3 : index
      %177 = arith.index_cast %176 : index to i64
      %178 = arith.maximumf %in, %out : f32
      %179 = arith.cmpf ogt, %in, %out : f32
      %180 = arith.select %179, %177, %out_41 : i64
      linalg.yield %178, %180 : f32, i64
    } -> (tensor<2x4x9xf32>, tensor<2x4x9xi64>)
    %expanded_25 = tensor.expand_shape %77#0 [[0], [1], [2, 3]] output_shape [2, 4, 9, 1] : tensor<2x4x9xf32> into tensor<2x4x9x1xf32>
    %78 = linalg.generic {indexing_maps = [#map10, #map13, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%72, %expanded_25 : tensor<2x4x9x9xf32>, tensor<2x4x9x1xf32>) outs(%71 : tensor<2x4x9x9xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %176 = arith.subf %in, %in_41 : f32
      linalg.yield %176 : f32
    } -> tensor<2x4x9x9xf32>
    %79 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%78 : tensor<2x4x9x9xf32>) outs(%71 : tensor<2x4x9x9xf32>) {
    ^bb0(%in: f32, %out: f32):
      %176 = math.exp %in : f32
      linalg.yield %176 : f32
    } -> tensor<2x4x9x9xf32>
    %80 = tensor.empty() : tensor<2x4x9x1xf32>
    %81 = linalg.fill ins(%cst_0 : f32) outs(%80 : tensor<2x4x9x1xf32>) -> tensor<2x4x9x1xf32>
    %82 = linalg.generic {indexing_maps = [#map10, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%79 : tensor<2x4x9x9xf32>) outs(%81 : tensor<2x4x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %176 = arith.addf %in, %out : f32
      linalg.yield %176 : f32
    } -> tensor<2x4x9x1xf32>
    %83 = linalg.generic {indexing_maps = [#map10, #map13, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%79, %82 : tensor<2x4x9x9xf32>, tensor<2x4x9x1xf32>) outs(%71 : tensor<2x4x9x9xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %176 = arith.divf %in, %in_41 : f32
      linalg.yield %176 : f32
    } -> tensor<2x4x9x9xf32>
    %84 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%83 : tensor<2x4x9x9xf32>) outs(%68 : tensor<2x4x9x9xf16>) {
    ^bb0(%in: f32, %out: f16):
      %176 = arith.truncf %in : f32 to f16
      linalg.yield %176 : f16
    } -> tensor<2x4x9x9xf16>
    %collapsed_26 = tensor.collapse_shape %84 [[0, 1], [2], [3]] : tensor<2x4x9x9xf16> into tensor<8x9x9xf16>
    %collapsed_27 = tensor.collapse_shape %transposed_19 [[0, 1], [2], [3]] : tensor<2x4x9x16xf16> into tensor<8x9x16xf16>
    %85 = tensor.empty() : tensor<8x9x16xf32>
    %86 = linalg.fill ins(%cst_0 : f32) outs(%85 : tensor<8x9x16xf32>) -> tensor<8x9x16xf32>
    %87 = linalg.batch_matmul ins(%collapsed_26, %collapsed_27 : tensor<8x9x9xf16>, tensor<8x9x16xf16>) outs(%86 : tensor<8x9x16xf32>) -> tensor<8x9x16xf32>
    %88 = tensor.empty() : tensor<8x9x16xf16>
    %89 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%87 : tensor<8x9x16xf32>) outs(%88 : tensor<8x9x16xf16>) {
    ^bb0(%in: f32, %out: f16):
      %176 = arith.truncf %in : f32 to f16
      linalg.yield %176 : f16
    } -> tensor<8x9x16xf16>
    %expanded_28 = tensor.expand_shape %89 [[0, 1], [2], [3]] output_shape [2, 4, 9, 16] : tensor<8x9x16xf16> into tensor<2x4x9x16xf16>
    %90 = tensor.empty() : tensor<2x9x4x16xf16>
    %transposed_29 = linalg.transpose ins(%expanded_28 : tensor<2x4x9x16xf16>) outs(%90 : tensor<2x9x4x16xf16>) permutation = [0, 2, 1, 3]
    %collapsed_30 = tensor.collapse_shape %transposed_29 [[0, 1], [2, 3]] : tensor<2x9x4x16xf16> into tensor<18x64xf16>
    %transposed_31 = linalg.transpose ins(%arg10 : tensor<64x64xf16>) outs(%31 : tensor<64x64xf16>) permutation = [1, 0]
    %91 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%arg11 : tensor<64xf16>) outs(%32 : tensor<64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %176 = arith.extf %in : f16 to f32
      linalg.yield %176 : f32
    } -> tensor<64xf32>
    %92 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%collapsed_30 : tensor<18x64xf16>) outs(%34 : tensor<18x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %176 = arith.extf %in : f16 to f32
      linalg.yield %176 : f32
    } -> tensor<18x64xf32>
    %93 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%transposed_31 : tensor<64x64xf16>) outs(%36 : tensor<64x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %176 = arith.extf %in : f16 to f32
      linalg.yield %176 : f32
    } -> tensor<64x64xf32>
    %94 = linalg.matmul ins(%92, %93 : tensor<18x64xf32>, tensor<64x64xf32>) outs(%38 : tensor<18x64xf32>) -> tensor<18x64xf32>
    %95 = linalg.generic {indexing_maps = [#map8, #map4], iterator_types = ["parallel", "parallel"]} ins(%91 : tensor<64xf32>) outs(%34 : tensor<18x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<18x64xf32>
    %96 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%94, %95 : tensor<18x64xf32>, tensor<18x64xf32>) outs(%34 : tensor<18x64xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %176 = arith.addf %in, %in_41 : f32
      linalg.yield %176 : f32
    } -> tensor<18x64xf32>
    %97 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%96 : tensor<18x64xf32>) outs(%42 : tensor<18x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %176 = arith.truncf %in : f32 to f16
      linalg.yield %176 : f16
    } -> tensor<18x64xf16>
    %expanded_32 = tensor.expand_shape %97 [[0, 1], [2]] output_shape [2, 9, 64] : tensor<18x64xf16> into tensor<2x9x64xf16>
    %98 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%30, %expanded_32 : tensor<2x9x64xf16>, tensor<2x9x64xf16>) outs(%0 : tensor<2x9x64xf16>) {
    ^bb0(%in: f16, %in_41: f16, %out: f16):
      %176 = arith.addf %in, %in_41 : f16
      linalg.yield %176 : f16
    } -> tensor<2x9x64xf16>
    %99 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%98 : tensor<2x9x64xf16>) outs(%7 : tensor<2x9x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %176 = arith.extf %in : f16 to f32
      linalg.yield %176 : f32
    } -> tensor<2x9x64xf32>
    %100 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%99 : tensor<2x9x64xf32>) outs(%9 : tensor<2x9x64xf64>) {
    ^bb0(%in: f32, %out: f64):
      %176 = arith.extf %in : f32 to f64
      linalg.yield %176 : f64
    } -> tensor<2x9x64xf64>
    %101 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%100 : tensor<2x9x64xf64>) outs(%12 : tensor<2x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %176 = arith.addf %in, %out : f64
      linalg.yield %176 : f64
    } -> tensor<2x9x1xf64>
    %102 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%101 : tensor<2x9x1xf64>) outs(%11 : tensor<2x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %176 = arith.divf %in, %cst_8 : f64
      linalg.yield %176 : f64
    } -> tensor<2x9x1xf64>
    %103 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%100, %102 : tensor<2x9x64xf64>, tensor<2x9x1xf64>) outs(%9 : tensor<2x9x64xf64>) {
    ^bb0(%in: f64, %in_41: f64, %out: f64):
      %176 = arith.subf %in, %in_41 : f64
      linalg.yield %176 : f64
    } -> tensor<2x9x64xf64>
    %104 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%103, %103 : tensor<2x9x64xf64>, tensor<2x9x64xf64>) outs(%9 : tensor<2x9x64xf64>) {
    ^bb0(%in: f64, %in_41: f64, %out: f64):
      %176 = arith.mulf %in, %in_41 : f64
      linalg.yield %176 : f64
    } -> tensor<2x9x64xf64>
    %105 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%104 : tensor<2x9x64xf64>) outs(%12 : tensor<2x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %176 = arith.addf %in, %out : f64
      linalg.yield %176 : f64
    } -> tensor<2x9x1xf64>
    %106 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%105 : tensor<2x9x1xf64>) outs(%11 : tensor<2x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %176 = arith.divf %in, %cst_8 : f64
      linalg.yield %176 : f64
    } -> tensor<2x9x1xf64>
    %107 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%106 : tensor<2x9x1xf64>) outs(%19 : tensor<2x9x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %176 = arith.truncf %in : f64 to f32
      linalg.yield %176 : f32
    } -> tensor<2x9x1xf32>
    %108 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%99 : tensor<2x9x64xf32>) outs(%21 : tensor<2x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %176 = arith.addf %in, %out : f32
      linalg.yield %176 : f32
    } -> tensor<2x9x1xf32>
    %109 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%108 : tensor<2x9x1xf32>) outs(%19 : tensor<2x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %176 = arith.divf %in, %cst_9 : f32
      linalg.yield %176 : f32
    } -> tensor<2x9x1xf32>
    %110 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%107 : tensor<2x9x1xf32>) outs(%19 : tensor<2x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %176 = arith.truncf %cst_7 : f64 to f32
      %177 = arith.addf %in, %176 : f32
      linalg.yield %177 : f32
    } -> tensor<2x9x1xf32>
    %111 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%110 : tensor<2x9x1xf32>) outs(%19 : tensor<2x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %176 = math.rsqrt %in : f32
      linalg.yield %176 : f32
    } -> tensor<2x9x1xf32>
    %112 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%99, %109 : tensor<2x9x64xf32>, tensor<2x9x1xf32>) outs(%7 : tensor<2x9x64xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %176 = arith.subf %in, %in_41 : f32
      linalg.yield %176 : f32
    } -> tensor<2x9x64xf32>
    %113 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%112, %111 : tensor<2x9x64xf32>, tensor<2x9x1xf32>) outs(%7 : tensor<2x9x64xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %176 = arith.mulf %in, %in_41 : f32
      linalg.yield %176 : f32
    } -> tensor<2x9x64xf32>
    %114 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%113, %arg12 : tensor<2x9x64xf32>, tensor<64xf16>) outs(%7 : tensor<2x9x64xf32>) {
    ^bb0(%in: f32, %in_41: f16, %out: f32):
      %176 = arith.extf %in_41 : f16 to f32
      %177 = arith.mulf %in, %176 : f32
      linalg.yield %177 : f32
    } -> tensor<2x9x64xf32>
    %115 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%114, %arg13 : tensor<2x9x64xf32>, tensor<64xf16>) outs(%7 : tensor<2x9x64xf32>) {
    ^bb0(%in: f32, %in_41: f16, %out: f32):
      %176 = arith.extf %in_41 : f16 to f32
      %177 = arith.addf %in, %176 : f32
      linalg.yield %177 : f32
    } -> tensor<2x9x64xf32>
    %116 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%115 : tensor<2x9x64xf32>) outs(%0 : tensor<2x9x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %176 = arith.truncf %in : f32 to f16
      linalg.yield %176 : f16
    } -> tensor<2x9x64xf16>
    %collapsed_33 = tensor.collapse_shape %116 [[0, 1], [2]] : tensor<2x9x64xf16> into tensor<18x64xf16>
    %117 = tensor.empty() : tensor<64x96xf16>
    %transposed_34 = linalg.transpose ins(%arg14 : tensor<96x64xf16>) outs(%117 : tensor<64x96xf16>) permutation = [1, 0]
    %118 = tensor.empty() : tensor<96xf32>
    %119 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%arg15 : tensor<96xf16>) outs(%118 : tensor<96xf32>) {
    ^bb0(%in: f16, %out: f32):
      %176 = arith.extf %in : f16 to f32
      linalg.yield %176 : f32
    } -> tensor<96xf32>
    %120 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%collapsed_33 : tensor<18x64xf16>) outs(%34 : tensor<18x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %176 = arith.extf %in : f16 to f32
      linalg.yield %176 : f32
    } -> tensor<18x64xf32>
    %121 = tensor.empty() : tensor<64x96xf32>
    %122 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%transposed_34 : tensor<64x96xf16>) outs(%121 : tensor<64x96xf32>) {
    ^bb0(%in: f16, %out: f32):
      %176 = arith.extf %in : f16 to f32
      linalg.yield %176 : f32
    } -> tensor<64x96xf32>
    %123 = tensor.empty() : tensor<18x96xf32>
    %124 = linalg.fill ins(%cst_0 : f32) outs(%123 : tensor<18x96xf32>) -> tensor<18x96xf32>
    %125 = linalg.matmul ins(%120, %122 : tensor<18x64xf32>, tensor<64x96xf32>) outs(%124 : tensor<18x96xf32>) -> tensor<18x96xf32>
    %126 = linalg.generic {indexing_maps = [#map8, #map4], iterator_types = ["parallel", "parallel"]} ins(%119 : tensor<96xf32>) outs(%123 : tensor<18x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<18x96xf32>
    %127 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%125, %126 : tensor<18x96xf32>, tensor<18x96xf32>) outs(%123 : tensor<18x96xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %176 = arith.addf %in, %in_41 : f32
      linalg.yield %176 : f32
    } -> tensor<18x96xf32>
    %128 = tensor.empty() : tensor<18x96xf16>
    %129 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%127 : tensor<18x96xf32>) outs(%128 : tensor<18x96xf16>) {
    ^bb0(%in: f32, %out: f16):
      %176 = arith.truncf %in : f32 to f16
      linalg.yield %176 : f16
    } -> tensor<18x96xf16>
    %expanded_35 = tensor.expand_shape %129 [[0, 1], [2]] output_shape [2, 9, 96] : tensor<18x96xf16> into tensor<2x9x96xf16>
    %130 = tensor.empty() : tensor<2x9x96xf16>
    %131 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_35 : tensor<2x9x96xf16>) outs(%130 : tensor<2x9x96xf16>) {
    ^bb0(%in: f16, %out: f16):
      %176 = math.sqrt %cst_4 : f16
      %177 = arith.divf %in, %176 : f16
      %178 = math.erf %177 : f16
      %179 = arith.addf %178, %cst_3 : f16
      %180 = arith.mulf %179, %cst_5 : f16
      %181 = arith.mulf %in, %180 : f16
      linalg.yield %181 : f16
    } -> tensor<2x9x96xf16>
    %collapsed_36 = tensor.collapse_shape %131 [[0, 1], [2]] : tensor<2x9x96xf16> into tensor<18x96xf16>
    %132 = tensor.empty() : tensor<96x64xf16>
    %transposed_37 = linalg.transpose ins(%arg16 : tensor<64x96xf16>) outs(%132 : tensor<96x64xf16>) permutation = [1, 0]
    %133 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%arg17 : tensor<64xf16>) outs(%32 : tensor<64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %176 = arith.extf %in : f16 to f32
      linalg.yield %176 : f32
    } -> tensor<64xf32>
    %134 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%collapsed_36 : tensor<18x96xf16>) outs(%123 : tensor<18x96xf32>) {
    ^bb0(%in: f16, %out: f32):
      %176 = arith.extf %in : f16 to f32
      linalg.yield %176 : f32
    } -> tensor<18x96xf32>
    %135 = tensor.empty() : tensor<96x64xf32>
    %136 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%transposed_37 : tensor<96x64xf16>) outs(%135 : tensor<96x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %176 = arith.extf %in : f16 to f32
      linalg.yield %176 : f32
    } -> tensor<96x64xf32>
    %137 = linalg.matmul ins(%134, %136 : tensor<18x96xf32>, tensor<96x64xf32>) outs(%38 : tensor<18x64xf32>) -> tensor<18x64xf32>
    %138 = linalg.generic {indexing_maps = [#map8, #map4], iterator_types = ["parallel", "parallel"]} ins(%133 : tensor<64xf32>) outs(%34 : tensor<18x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<18x64xf32>
    %139 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%137, %138 : tensor<18x64xf32>, tensor<18x64xf32>) outs(%34 : tensor<18x64xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %176 = arith.addf %in, %in_41 : f32
      linalg.yield %176 : f32
    } -> tensor<18x64xf32>
    %140 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%139 : tensor<18x64xf32>) outs(%42 : tensor<18x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %176 = arith.truncf %in : f32 to f16
      linalg.yield %176 : f16
    } -> tensor<18x64xf16>
    %expanded_38 = tensor.expand_shape %140 [[0, 1], [2]] output_shape [2, 9, 64] : tensor<18x64xf16> into tensor<2x9x64xf16>
    %141 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%116, %expanded_38 : tensor<2x9x64xf16>, tensor<2x9x64xf16>) outs(%0 : tensor<2x9x64xf16>) {
    ^bb0(%in: f16, %in_41: f16, %out: f16):
      %176 = arith.addf %in, %in_41 : f16
      linalg.yield %176 : f16
    } -> tensor<2x9x64xf16>
    %142 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%141 : tensor<2x9x64xf16>) outs(%7 : tensor<2x9x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %176 = arith.extf %in : f16 to f32
      linalg.yield %176 : f32
    } -> tensor<2x9x64xf32>
    %143 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%142 : tensor<2x9x64xf32>) outs(%9 : tensor<2x9x64xf64>) {
    ^bb0(%in: f32, %out: f64):
      %176 = arith.extf %in : f32 to f64
      linalg.yield %176 : f64
    } -> tensor<2x9x64xf64>
    %144 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%143 : tensor<2x9x64xf64>) outs(%12 : tensor<2x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %176 = arith.addf %in, %out : f64
      linalg.yield %176 : f64
    } -> tensor<2x9x1xf64>
    %145 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%144 : tensor<2x9x1xf64>) outs(%11 : tensor<2x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %176 = arith.divf %in, %cst_8 : f64
      linalg.yield %176 : f64
    } -> tensor<2x9x1xf64>
    %146 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%143, %145 : tensor<2x9x64xf64>, tensor<2x9x1xf64>) outs(%9 : tensor<2x9x64xf64>) {
    ^bb0(%in: f64, %in_41: f64, %out: f64):
      %176 = arith.subf %in, %in_41 : f64
      linalg.yield %176 : f64
    } -> tensor<2x9x64xf64>
    %147 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%146, %146 : tensor<2x9x64xf64>, tensor<2x9x64xf64>) outs(%9 : tensor<2x9x64xf64>) {
    ^bb0(%in: f64, %in_41: f64, %out: f64):
      %176 = arith.mulf %in, %in_41 : f64
      linalg.yield %176 : f64
    } -> tensor<2x9x64xf64>
    %148 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%147 : tensor<2x9x64xf64>) outs(%12 : tensor<2x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %176 = arith.addf %in, %out : f64
      linalg.yield %176 : f64
    } -> tensor<2x9x1xf64>
    %149 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%148 : tensor<2x9x1xf64>) outs(%11 : tensor<2x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %176 = arith.divf %in, %cst_8 : f64
      linalg.yield %176 : f64
    } -> tensor<2x9x1xf64>
    %150 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%149 : tensor<2x9x1xf64>) outs(%19 : tensor<2x9x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %176 = arith.truncf %in : f64 to f32
      linalg.yield %176 : f32
    } -> tensor<2x9x1xf32>
    %151 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%142 : tensor<2x9x64xf32>) outs(%21 : tensor<2x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %176 = arith.addf %in, %out : f32
      linalg.yield %176 : f32
    } -> tensor<2x9x1xf32>
    %152 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%151 : tensor<2x9x1xf32>) outs(%19 : tensor<2x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %176 = arith.divf %in, %cst_9 : f32
      linalg.yield %176 : f32
    } -> tensor<2x9x1xf32>
    %153 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%150 : tensor<2x9x1xf32>) outs(%19 : tensor<2x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %176 = arith.truncf %cst_7 : f64 to f32
      %177 = arith.addf %in, %176 : f32
      linalg.yield %177 : f32
    } -> tensor<2x9x1xf32>
    %154 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%153 : tensor<2x9x1xf32>) outs(%19 : tensor<2x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %176 = math.rsqrt %in : f32
      linalg.yield %176 : f32
    } -> tensor<2x9x1xf32>
    %155 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%142, %152 : tensor<2x9x64xf32>, tensor<2x9x1xf32>) outs(%7 : tensor<2x9x64xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %176 = arith.subf %in, %in_41 : f32
      linalg.yield %176 : f32
    } -> tensor<2x9x64xf32>
    %156 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%155, %154 : tensor<2x9x64xf32>, tensor<2x9x1xf32>) outs(%7 : tensor<2x9x64xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %176 = arith.mulf %in, %in_41 : f32
      linalg.yield %176 : f32
    } -> tensor<2x9x64xf32>
    %157 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%156, %arg18 : tensor<2x9x64xf32>, tensor<64xf16>) outs(%7 : tensor<2x9x64xf32>) {
    ^bb0(%in: f32, %in_41: f16, %out: f32):
      %176 = arith.extf %in_41 : f16 to f32
      %177 = arith.mulf %in, %176 : f32
      linalg.yield %177 : f32
    } -> tensor<2x9x64xf32>
    %158 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%157, %arg19 : tensor<2x9x64xf32>, tensor<64xf16>) outs(%7 : tensor<2x9x64xf32>) {
    ^bb0(%in: f32, %in_41: f16, %out: f32):
      %176 = arith.extf %in_41 : f16 to f32
      %177 = arith.addf %in, %176 : f32
      linalg.yield %177 : f32
    } -> tensor<2x9x64xf32>
    %159 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%158 : tensor<2x9x64xf32>) outs(%0 : tensor<2x9x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %176 = arith.truncf %in : f32 to f16
      linalg.yield %176 : f16
    } -> tensor<2x9x64xf16>
    %expanded_39 = tensor.expand_shape %arg21 [[0], [1, 2]] output_shape [2, 9, 1] : tensor<2x9xi64> into tensor<2x9x1xi64>
    %160 = tensor.empty() : tensor<2x9x1xf16>
    %161 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_39 : tensor<2x9x1xi64>) outs(%160 : tensor<2x9x1xf16>) {
    ^bb0(%in: i64, %out: f16):
      %176 = arith.sitofp %in : i64 to f16
      linalg.yield %176 : f16
    } -> tensor<2x9x1xf16>
    %162 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%159, %161 : tensor<2x9x64xf16>, tensor<2x9x1xf16>) outs(%0 : tensor<2x9x64xf16>) {
    ^bb0(%in: f16, %in_41: f16, %out: f16):
      %176 = arith.mulf %in, %in_41 : f16
      linalg.yield %176 : f16
    } -> tensor<2x9x64xf16>
    %163 = tensor.empty() : tensor<2x64xf16>
    %164 = linalg.fill ins(%cst_2 : f16) outs(%163 : tensor<2x64xf16>) -> tensor<2x64xf16>
    %165 = linalg.generic {indexing_maps = [#map1, #map14], iterator_types = ["parallel", "reduction", "parallel"]} ins(%162 : tensor<2x9x64xf16>) outs(%164 : tensor<2x64xf16>) {
    ^bb0(%in: f16, %out: f16):
      %176 = arith.addf %in, %out : f16
      linalg.yield %176 : f16
    } -> tensor<2x64xf16>
    %166 = tensor.empty() : tensor<2x1xf16>
    %167 = linalg.fill ins(%cst_2 : f16) outs(%166 : tensor<2x1xf16>) -> tensor<2x1xf16>
    %168 = linalg.generic {indexing_maps = [#map1, #map14], iterator_types = ["parallel", "reduction", "parallel"]} ins(%161 : tensor<2x9x1xf16>) outs(%167 : tensor<2x1xf16>) {
    ^bb0(%in: f16, %out: f16):
      %176 = arith.addf %in, %out : f16
      linalg.yield %176 : f16
    } -> tensor<2x1xf16>
    %169 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%168 : tensor<2x1xf16>) outs(%166 : tensor<2x1xf16>) {
    ^bb0(%in: f16, %out: f16):
      %176 = arith.truncf %cst_6 : f64 to f16
      %177 = arith.cmpf ult, %in, %176 : f16
      %178 = arith.select %177, %176, %in : f16
      linalg.yield %178 : f16
    } -> tensor<2x1xf16>
    %170 = linalg.generic {indexing_maps = [#map4, #map15, #map4], iterator_types = ["parallel", "parallel"]} ins(%165, %169 : tensor<2x64xf16>, tensor<2x1xf16>) outs(%163 : tensor<2x64xf16>) {
    ^bb0(%in: f16, %in_41: f16, %out: f16):
      %176 = arith.divf %in, %in_41 : f16
      linalg.yield %176 : f16
    } -> tensor<2x64xf16>
    %171 = linalg.generic {indexing_maps = [#map4, #map15], iterator_types = ["parallel", "reduction"]} ins(%170 : tensor<2x64xf16>) outs(%167 : tensor<2x1xf16>) {
    ^bb0(%in: f16, %out: f16):
      %176 = math.absf %in : f16
      %177 = math.powf %176, %cst_4 : f16
      %178 = arith.addf %177, %out : f16
      linalg.yield %178 : f16
    } -> tensor<2x1xf16>
    %172 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%171 : tensor<2x1xf16>) outs(%166 : tensor<2x1xf16>) {
    ^bb0(%in: f16, %out: f16):
      %176 = math.powf %in, %cst_5 : f16
      linalg.yield %176 : f16
    } -> tensor<2x1xf16>
    %173 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%172 : tensor<2x1xf16>) outs(%166 : tensor<2x1xf16>) {
    ^bb0(%in: f16, %out: f16):
      %176 = arith.truncf %cst_7 : f64 to f16
      %177 = arith.cmpf ult, %in, %176 : f16
      %178 = arith.select %177, %176, %in : f16
      linalg.yield %178 : f16
    } -> tensor<2x1xf16>
    %collapsed_40 = tensor.collapse_shape %173 [[0, 1]] : tensor<2x1xf16> into tensor<2xf16>
    %174 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%collapsed_40 : tensor<2xf16>) outs(%163 : tensor<2x64xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<2x64xf16>
    %175 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%170, %174 : tensor<2x64xf16>, tensor<2x64xf16>) outs(%163 : tensor<2x64xf16>) {
    ^bb0(%in: f16, %in_41: f16, %out: f16):
      %176 = arith.divf %in, %in_41 : f16
      linalg.yield %176 : f16
    } -> tensor<2x64xf16>
    return %175 : tensor<2x64xf16>
  }
}
