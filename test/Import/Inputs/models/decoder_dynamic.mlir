#map = affine_map<(d0, d1, d2) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d0, 0)>
#map5 = affine_map<(d0, d1) -> (0, d1)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map7 = affine_map<(d0, d1, d2) -> (d2)>
#map8 = affine_map<()[s0] -> (s0 * 2)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map10 = affine_map<(d0, d1, d2, d3) -> (0, 0, d2, d3)>
#map11 = affine_map<(d0, d1) -> ()>
#map12 = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, d3)>
#map13 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map14 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map15 = affine_map<(d0, d1, d2, d3) -> ()>
#map16 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map17 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map18 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map19 = affine_map<(d0, d1, d2) -> (d1, d2)>
module {
  func.func @decoder(%arg0: tensor<50x64xf16> {sparseflow.name = "embed.weight"}, %arg1: tensor<64xf16> {sparseflow.name = "n1.weight"}, %arg2: tensor<64xf16> {sparseflow.name = "n2.weight"}, %arg3: tensor<64xf16> {sparseflow.name = "n3.weight"}, %arg4: tensor<64x64xf16> {sparseflow.name = "q.weight"}, %arg5: tensor<32x64xf16> {sparseflow.name = "k.weight"}, %arg6: tensor<32x64xf16> {sparseflow.name = "v.weight"}, %arg7: tensor<64x64xf16> {sparseflow.name = "o.weight"}, %arg8: tensor<96x64xf16> {sparseflow.name = "gate.weight"}, %arg9: tensor<96x64xf16> {sparseflow.name = "up.weight"}, %arg10: tensor<64x96xf16> {sparseflow.name = "down.weight"}, %arg11: tensor<50x64xf16> {sparseflow.name = "head.weight"}, %arg12: tensor<8xf16> {sparseflow.name = "freq"}, %arg13: tensor<2x?xi64> {sparseflow.name = "ids"}, %arg14: tensor<2x?xi64> {sparseflow.name = "mask"}) -> (tensor<2x?x50xf16>, tensor<2x?xi64>) {
    %c8_i64 = arith.constant 8 : i64
    %c16_i64 = arith.constant 16 : i64
    %c2_i64 = arith.constant 2 : i64
    %c0_i64 = arith.constant 0 : i64
    %c1_i64 = arith.constant 1 : i64
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c50 = arith.constant 50 : index
    %cst = arith.constant 0.000000e+00 : f32
    %c4_i64 = arith.constant 4 : i64
    %cst_0 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_1 = arith.constant 1.000000e+00 : f32
    %cst_2 = arith.constant 0xFC00 : f16
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<f16>
    %cst_5 = arith.constant dense<0xFC00> : tensor<f16>
    %cst_6 = arith.constant dense<true> : tensor<i1>
    %cst_7 = arith.constant 0xFFF0000000000000 : f64
    %cst_8 = arith.constant 9.9999999999999995E-7 : f64
    %cst_9 = arith.constant 6.400000e+01 : f32
    %c128_i64 = arith.constant 128 : i64
    %c64_i64 = arith.constant 64 : i64
    %cst_10 = arith.constant 5.000000e-01 : f32
    %dim = tensor.dim %arg13, %c1 : tensor<2x?xi64>
    %0 = arith.index_cast %dim : index to i64
    %1 = tensor.empty(%dim) : tensor<2x?x64xf16>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg13 : tensor<2x?xi64>) outs(%1 : tensor<2x?x64xf16>) {
    ^bb0(%in: i64, %out: f16):
      %223 = arith.index_cast %in : i64 to index
      %224 = linalg.index 2 : index
      %225 = arith.cmpi slt, %223, %c50 : index
      cf.assert %225, "index must be smaller than dim size"
      %226 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %226, "index must be larger or equal to 0"
      %extracted = tensor.extract %arg0[%223, %224] : tensor<50x64xf16>
      linalg.yield %extracted : f16
    } -> tensor<2x?x64xf16>
    %3 = tensor.empty(%dim) : tensor<?xi64>
    %4 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%3 : tensor<?xi64>) {
    ^bb0(%out: i64):
      %223 = linalg.index 0 : index
      %224 = arith.index_cast %223 : index to i64
      linalg.yield %224 : i64
    } -> tensor<?xi64>
    %expanded = tensor.expand_shape %4 [[0, 1]] output_shape [%dim, 1] : tensor<?xi64> into tensor<?x1xi64>
    %5 = tensor.empty(%dim) : tensor<?x1xf32>
    %6 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%expanded : tensor<?x1xi64>) outs(%5 : tensor<?x1xf32>) {
    ^bb0(%in: i64, %out: f32):
      %223 = arith.sitofp %in : i64 to f32
      linalg.yield %223 : f32
    } -> tensor<?x1xf32>
    %7 = tensor.empty() : tensor<8xf32>
    %8 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%arg12 : tensor<8xf16>) outs(%7 : tensor<8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %223 = arith.extf %in : f16 to f32
      linalg.yield %223 : f32
    } -> tensor<8xf32>
    %expanded_11 = tensor.expand_shape %8 [[0, 1]] output_shape [1, 8] : tensor<8xf32> into tensor<1x8xf32>
    %9 = tensor.empty(%dim) : tensor<?x8xf32>
    %10 = linalg.generic {indexing_maps = [#map4, #map5, #map3], iterator_types = ["parallel", "parallel"]} ins(%6, %expanded_11 : tensor<?x1xf32>, tensor<1x8xf32>) outs(%9 : tensor<?x8xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %223 = arith.mulf %in, %in_65 : f32
      linalg.yield %223 : f32
    } -> tensor<?x8xf32>
    %concat = tensor.concat dim(1) %10, %10 : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x16xf32>
    %dim_12 = tensor.dim %10, %c0 : tensor<?x8xf32>
    %11 = tensor.empty(%dim_12) : tensor<?x16xf32>
    %12 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%concat : tensor<?x16xf32>) outs(%11 : tensor<?x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %223 = math.cos %in : f32
      linalg.yield %223 : f32
    } -> tensor<?x16xf32>
    %13 = tensor.empty(%dim_12) : tensor<?x16xf16>
    %14 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%12 : tensor<?x16xf32>) outs(%13 : tensor<?x16xf16>) {
    ^bb0(%in: f32, %out: f16):
      %223 = arith.truncf %in : f32 to f16
      linalg.yield %223 : f16
    } -> tensor<?x16xf16>
    %expanded_13 = tensor.expand_shape %14 [[0, 1, 2], [3]] output_shape [1, 1, %dim_12, 16] : tensor<?x16xf16> into tensor<1x1x?x16xf16>
    %15 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%concat : tensor<?x16xf32>) outs(%11 : tensor<?x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %223 = math.sin %in : f32
      linalg.yield %223 : f32
    } -> tensor<?x16xf32>
    %16 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%15 : tensor<?x16xf32>) outs(%13 : tensor<?x16xf16>) {
    ^bb0(%in: f32, %out: f16):
      %223 = arith.truncf %in : f32 to f16
      linalg.yield %223 : f16
    } -> tensor<?x16xf16>
    %expanded_14 = tensor.expand_shape %16 [[0, 1, 2], [3]] output_shape [1, 1, %dim_12, 16] : tensor<?x16xf16> into tensor<1x1x?x16xf16>
    %17 = tensor.empty(%dim) : tensor<2x?x64xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<2x?x64xf16>) outs(%17 : tensor<2x?x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %223 = arith.extf %in : f16 to f32
      linalg.yield %223 : f32
    } -> tensor<2x?x64xf32>
    %19 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18 : tensor<2x?x64xf32>) outs(%17 : tensor<2x?x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %223 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %223 : f32
    } -> tensor<2x?x64xf32>
    %20 = tensor.empty(%dim) : tensor<2x?x1xf32>
    %21 = linalg.fill ins(%cst : f32) outs(%20 : tensor<2x?x1xf32>) -> tensor<2x?x1xf32>
    %22 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%19 : tensor<2x?x64xf32>) outs(%21 : tensor<2x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %223 = arith.addf %in, %out : f32
      linalg.yield %223 : f32
    } -> tensor<2x?x1xf32>
    %23 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22 : tensor<2x?x1xf32>) outs(%20 : tensor<2x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %223 = arith.divf %in, %cst_9 : f32
      linalg.yield %223 : f32
    } -> tensor<2x?x1xf32>
    %24 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23 : tensor<2x?x1xf32>) outs(%20 : tensor<2x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %223 = arith.truncf %cst_8 : f64 to f32
      %224 = arith.addf %in, %223 : f32
      linalg.yield %224 : f32
    } -> tensor<2x?x1xf32>
    %25 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%24 : tensor<2x?x1xf32>) outs(%20 : tensor<2x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %223 = math.rsqrt %in : f32
      linalg.yield %223 : f32
    } -> tensor<2x?x1xf32>
    %26 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18, %25 : tensor<2x?x64xf32>, tensor<2x?x1xf32>) outs(%17 : tensor<2x?x64xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %223 = arith.mulf %in, %in_65 : f32
      linalg.yield %223 : f32
    } -> tensor<2x?x64xf32>
    %27 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26 : tensor<2x?x64xf32>) outs(%1 : tensor<2x?x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %223 = arith.truncf %in : f32 to f16
      linalg.yield %223 : f16
    } -> tensor<2x?x64xf16>
    %28 = linalg.generic {indexing_maps = [#map7, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1, %27 : tensor<64xf16>, tensor<2x?x64xf16>) outs(%1 : tensor<2x?x64xf16>) {
    ^bb0(%in: f16, %in_65: f16, %out: f16):
      %223 = arith.mulf %in, %in_65 : f16
      linalg.yield %223 : f16
    } -> tensor<2x?x64xf16>
    %29 = tensor.empty() : tensor<64x64xf16>
    %transposed = linalg.transpose ins(%arg4 : tensor<64x64xf16>) outs(%29 : tensor<64x64xf16>) permutation = [1, 0]
    %collapsed = tensor.collapse_shape %28 [[0, 1], [2]] : tensor<2x?x64xf16> into tensor<?x64xf16>
    %30 = affine.apply #map8()[%dim]
    %31 = tensor.empty(%30) : tensor<?x64xf32>
    %32 = linalg.fill ins(%cst : f32) outs(%31 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %33 = linalg.matmul ins(%collapsed, %transposed : tensor<?x64xf16>, tensor<64x64xf16>) outs(%32 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %34 = tensor.empty(%30) : tensor<?x64xf16>
    %35 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%33 : tensor<?x64xf32>) outs(%34 : tensor<?x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %223 = arith.truncf %in : f32 to f16
      linalg.yield %223 : f16
    } -> tensor<?x64xf16>
    %36 = arith.divsi %30, %c2 : index
    %expanded_15 = tensor.expand_shape %35 [[0, 1], [2]] output_shape [2, %36, 64] : tensor<?x64xf16> into tensor<2x?x64xf16>
    %37 = arith.muli %0, %c2_i64 : i64
    %38 = arith.cmpi slt, %0, %c0_i64 : i64
    %39 = arith.select %38, %c2_i64, %37 : i64
    %40 = arith.extui %38 : i1 to i64
    %41 = arith.addi %40, %c1_i64 : i64
    %42 = arith.muli %39, %c16_i64 : i64
    %43 = arith.cmpi sle, %41, %c1_i64 : i64
    cf.assert %43, "must have at most one inferred (negative) dimension"
    %44 = arith.index_cast %36 : index to i64
    %45 = arith.muli %44, %c128_i64 : i64
    %46 = arith.divsi %45, %42 : i64
    %47 = arith.select %38, %46, %0 : i64
    %from_elements = tensor.from_elements %c2_i64, %47, %46, %c16_i64 : tensor<4xi64>
    %reshape = tensor.reshape %expanded_15(%from_elements) : (tensor<2x?x64xf16>, tensor<4xi64>) -> tensor<2x?x4x16xf16>
    %48 = arith.index_cast %47 : i64 to index
    %49 = tensor.empty(%48) : tensor<2x4x?x16xf16>
    %transposed_16 = linalg.transpose ins(%reshape : tensor<2x?x4x16xf16>) outs(%49 : tensor<2x4x?x16xf16>) permutation = [0, 2, 1, 3]
    %50 = tensor.empty() : tensor<64x32xf16>
    %transposed_17 = linalg.transpose ins(%arg5 : tensor<32x64xf16>) outs(%50 : tensor<64x32xf16>) permutation = [1, 0]
    %51 = tensor.empty(%30) : tensor<?x32xf32>
    %52 = linalg.fill ins(%cst : f32) outs(%51 : tensor<?x32xf32>) -> tensor<?x32xf32>
    %53 = linalg.matmul ins(%collapsed, %transposed_17 : tensor<?x64xf16>, tensor<64x32xf16>) outs(%52 : tensor<?x32xf32>) -> tensor<?x32xf32>
    %54 = tensor.empty(%30) : tensor<?x32xf16>
    %55 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%53 : tensor<?x32xf32>) outs(%54 : tensor<?x32xf16>) {
    ^bb0(%in: f32, %out: f16):
      %223 = arith.truncf %in : f32 to f16
      linalg.yield %223 : f16
    } -> tensor<?x32xf16>
    %expanded_18 = tensor.expand_shape %55 [[0, 1], [2]] output_shape [2, %36, 32] : tensor<?x32xf16> into tensor<2x?x32xf16>
    cf.assert %43, "must have at most one inferred (negative) dimension"
    %56 = arith.muli %44, %c64_i64 : i64
    %57 = arith.divsi %56, %42 : i64
    %58 = arith.select %38, %57, %0 : i64
    %from_elements_19 = tensor.from_elements %c2_i64, %58, %57, %c16_i64 : tensor<4xi64>
    %reshape_20 = tensor.reshape %expanded_18(%from_elements_19) : (tensor<2x?x32xf16>, tensor<4xi64>) -> tensor<2x?x2x16xf16>
    %59 = arith.index_cast %58 : i64 to index
    %60 = tensor.empty(%59) : tensor<2x2x?x16xf16>
    %transposed_21 = linalg.transpose ins(%reshape_20 : tensor<2x?x2x16xf16>) outs(%60 : tensor<2x2x?x16xf16>) permutation = [0, 2, 1, 3]
    %transposed_22 = linalg.transpose ins(%arg6 : tensor<32x64xf16>) outs(%50 : tensor<64x32xf16>) permutation = [1, 0]
    %61 = linalg.matmul ins(%collapsed, %transposed_22 : tensor<?x64xf16>, tensor<64x32xf16>) outs(%52 : tensor<?x32xf32>) -> tensor<?x32xf32>
    %62 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%61 : tensor<?x32xf32>) outs(%54 : tensor<?x32xf16>) {
    ^bb0(%in: f32, %out: f16):
      %223 = arith.truncf %in : f32 to f16
      linalg.yield %223 : f16
    } -> tensor<?x32xf16>
    %expanded_23 = tensor.expand_shape %62 [[0, 1], [2]] output_shape [2, %36, 32] : tensor<?x32xf16> into tensor<2x?x32xf16>
    cf.assert %43, "must have at most one inferred (negative) dimension"
    %reshape_24 = tensor.reshape %expanded_23(%from_elements_19) : (tensor<2x?x32xf16>, tensor<4xi64>) -> tensor<2x?x2x16xf16>
    %transposed_25 = linalg.transpose ins(%reshape_24 : tensor<2x?x2x16xf16>) outs(%60 : tensor<2x2x?x16xf16>) permutation = [0, 2, 1, 3]
    %63 = arith.cmpi eq, %48, %dim_12 : index
    cf.assert %63, "mismatched size for broadcast"
    %64 = linalg.generic {indexing_maps = [#map9, #map10, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_16, %expanded_13 : tensor<2x4x?x16xf16>, tensor<1x1x?x16xf16>) outs(%49 : tensor<2x4x?x16xf16>) {
    ^bb0(%in: f16, %in_65: f16, %out: f16):
      %223 = arith.mulf %in, %in_65 : f16
      linalg.yield %223 : f16
    } -> tensor<2x4x?x16xf16>
    %extracted_slice = tensor.extract_slice %transposed_16[0, 0, 0, 0] [2, 4, %48, 8] [1, 1, 1, 1] : tensor<2x4x?x16xf16> to tensor<2x4x?x8xf16>
    %extracted_slice_26 = tensor.extract_slice %transposed_16[0, 0, 0, 8] [2, 4, %48, 8] [1, 1, 1, 1] : tensor<2x4x?x16xf16> to tensor<2x4x?x8xf16>
    %65 = tensor.empty(%48) : tensor<2x4x?x8xf16>
    %66 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_26 : tensor<2x4x?x8xf16>) outs(%65 : tensor<2x4x?x8xf16>) {
    ^bb0(%in: f16, %out: f16):
      %223 = arith.negf %in : f16
      linalg.yield %223 : f16
    } -> tensor<2x4x?x8xf16>
    %concat_27 = tensor.concat dim(3) %66, %extracted_slice : (tensor<2x4x?x8xf16>, tensor<2x4x?x8xf16>) -> tensor<2x4x?x16xf16>
    %dim_28 = tensor.dim %66, %c2 : tensor<2x4x?x8xf16>
    %67 = arith.cmpi eq, %dim_28, %dim_12 : index
    cf.assert %67, "mismatched size for broadcast"
    %68 = tensor.empty(%dim_28) : tensor<2x4x?x16xf16>
    %69 = linalg.generic {indexing_maps = [#map9, #map10, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_27, %expanded_14 : tensor<2x4x?x16xf16>, tensor<1x1x?x16xf16>) outs(%68 : tensor<2x4x?x16xf16>) {
    ^bb0(%in: f16, %in_65: f16, %out: f16):
      %223 = arith.mulf %in, %in_65 : f16
      linalg.yield %223 : f16
    } -> tensor<2x4x?x16xf16>
    %70 = arith.cmpi eq, %48, %dim_28 : index
    cf.assert %70, "mismatched size for broadcast"
    %71 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%64, %69 : tensor<2x4x?x16xf16>, tensor<2x4x?x16xf16>) outs(%49 : tensor<2x4x?x16xf16>) {
    ^bb0(%in: f16, %in_65: f16, %out: f16):
      %223 = arith.addf %in, %in_65 : f16
      linalg.yield %223 : f16
    } -> tensor<2x4x?x16xf16>
    %72 = arith.cmpi eq, %59, %dim_12 : index
    cf.assert %72, "mismatched size for broadcast"
    %73 = linalg.generic {indexing_maps = [#map9, #map10, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_21, %expanded_13 : tensor<2x2x?x16xf16>, tensor<1x1x?x16xf16>) outs(%60 : tensor<2x2x?x16xf16>) {
    ^bb0(%in: f16, %in_65: f16, %out: f16):
      %223 = arith.mulf %in, %in_65 : f16
      linalg.yield %223 : f16
    } -> tensor<2x2x?x16xf16>
    %extracted_slice_29 = tensor.extract_slice %transposed_21[0, 0, 0, 0] [2, 2, %59, 8] [1, 1, 1, 1] : tensor<2x2x?x16xf16> to tensor<2x2x?x8xf16>
    %extracted_slice_30 = tensor.extract_slice %transposed_21[0, 0, 0, 8] [2, 2, %59, 8] [1, 1, 1, 1] : tensor<2x2x?x16xf16> to tensor<2x2x?x8xf16>
    %74 = tensor.empty(%59) : tensor<2x2x?x8xf16>
    %75 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_30 : tensor<2x2x?x8xf16>) outs(%74 : tensor<2x2x?x8xf16>) {
    ^bb0(%in: f16, %out: f16):
      %223 = arith.negf %in : f16
      linalg.yield %223 : f16
    } -> tensor<2x2x?x8xf16>
    %concat_31 = tensor.concat dim(3) %75, %extracted_slice_29 : (tensor<2x2x?x8xf16>, tensor<2x2x?x8xf16>) -> tensor<2x2x?x16xf16>
    %dim_32 = tensor.dim %75, %c2 : tensor<2x2x?x8xf16>
    %76 = arith.cmpi eq, %dim_32, %dim_12 : index
    cf.assert %76, "mismatched size for broadcast"
    %77 = tensor.empty(%dim_32) : tensor<2x2x?x16xf16>
    %78 = linalg.generic {indexing_maps = [#map9, #map10, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_31, %expanded_14 : tensor<2x2x?x16xf16>, tensor<1x1x?x16xf16>) outs(%77 : tensor<2x2x?x16xf16>) {
    ^bb0(%in: f16, %in_65: f16, %out: f16):
      %223 = arith.mulf %in, %in_65 : f16
      linalg.yield %223 : f16
    } -> tensor<2x2x?x16xf16>
    %79 = arith.cmpi eq, %59, %dim_32 : index
    cf.assert %79, "mismatched size for broadcast"
    %80 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%73, %78 : tensor<2x2x?x16xf16>, tensor<2x2x?x16xf16>) outs(%60 : tensor<2x2x?x16xf16>) {
    ^bb0(%in: f16, %in_65: f16, %out: f16):
      %223 = arith.addf %in, %in_65 : f16
      linalg.yield %223 : f16
    } -> tensor<2x2x?x16xf16>
    %81 = arith.cmpi sge, %0, %c0_i64 : i64
    cf.assert %81, "negative values not allowed in new dimensions"
    cf.assert %81, "negative values not allowed in new dimensions"
    %82 = tensor.empty(%dim, %dim) : tensor<?x?xi1>
    %83 = linalg.generic {indexing_maps = [#map11, #map3], iterator_types = ["parallel", "parallel"]} ins(%cst_6 : tensor<i1>) outs(%82 : tensor<?x?xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<?x?xi1>
    %expanded_33 = tensor.expand_shape %4 [[0, 1]] output_shape [1, %dim] : tensor<?xi64> into tensor<1x?xi64>
    %84 = tensor.empty(%dim, %dim) : tensor<?x?xi64>
    %85 = linalg.generic {indexing_maps = [#map5, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%expanded_33, %expanded : tensor<1x?xi64>, tensor<?x1xi64>) outs(%84 : tensor<?x?xi64>) {
    ^bb0(%in: i64, %in_65: i64, %out: i64):
      %223 = arith.subi %in, %in_65 : i64
      linalg.yield %223 : i64
    } -> tensor<?x?xi64>
    %86 = tensor.empty(%dim, %dim) : tensor<?x?xi1>
    %87 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%85 : tensor<?x?xi64>) outs(%86 : tensor<?x?xi1>) {
    ^bb0(%in: i64, %out: i1):
      %223 = arith.cmpi sle, %in, %c0_i64 : i64
      linalg.yield %223 : i1
    } -> tensor<?x?xi1>
    cf.assert %true, "mismatched size for broadcast"
    cf.assert %true, "mismatched size for broadcast"
    %88 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%87, %83 : tensor<?x?xi1>, tensor<?x?xi1>) outs(%86 : tensor<?x?xi1>) {
    ^bb0(%in: i1, %in_65: i1, %out: i1):
      %223 = arith.andi %in, %in_65 : i1
      linalg.yield %223 : i1
    } -> tensor<?x?xi1>
    %expanded_34 = tensor.expand_shape %88 [[0, 1, 2], [3]] output_shape [1, 1, %dim, %dim] : tensor<?x?xi1> into tensor<1x1x?x?xi1>
    %dim_35 = tensor.dim %arg14, %c1 : tensor<2x?xi64>
    %89 = tensor.empty(%dim_35) : tensor<2x?xi1>
    %90 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%arg14 : tensor<2x?xi64>) outs(%89 : tensor<2x?xi1>) {
    ^bb0(%in: i64, %out: i1):
      %223 = arith.cmpi ne, %in, %c0_i64 : i64
      linalg.yield %223 : i1
    } -> tensor<2x?xi1>
    %expanded_36 = tensor.expand_shape %90 [[0], [1, 2, 3]] output_shape [2, 1, 1, %dim_35] : tensor<2x?xi1> into tensor<2x1x1x?xi1>
    %91 = arith.cmpi eq, %dim, %dim_35 : index
    cf.assert %91, "mismatched size for broadcast"
    %92 = tensor.empty(%dim, %dim) : tensor<2x1x?x?xi1>
    %93 = linalg.generic {indexing_maps = [#map12, #map13, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_34, %expanded_36 : tensor<1x1x?x?xi1>, tensor<2x1x1x?xi1>) outs(%92 : tensor<2x1x?x?xi1>) {
    ^bb0(%in: i1, %in_65: i1, %out: i1):
      %223 = arith.andi %in, %in_65 : i1
      linalg.yield %223 : i1
    } -> tensor<2x1x?x?xi1>
    %expanded_37 = tensor.expand_shape %80 [[0], [1], [2, 3], [4]] output_shape [2, 2, 1, %59, 16] : tensor<2x2x?x16xf16> into tensor<2x2x1x?x16xf16>
    %94 = arith.cmpi sge, %0, %c0_i64 : i64
    cf.assert %94, "unimplemented: dynamic negative broadcast sizes"
    %95 = tensor.empty(%dim) : tensor<2x2x2x?x16xf16>
    %96 = linalg.generic {indexing_maps = [#map14], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} outs(%95 : tensor<2x2x2x?x16xf16>) {
    ^bb0(%out: f16):
      %223 = linalg.index 0 : index
      %224 = linalg.index 1 : index
      %225 = linalg.index 3 : index
      %226 = linalg.index 4 : index
      %227 = arith.cmpi eq, %59, %c1 : index
      %228 = arith.select %227, %c0, %225 : index
      %extracted = tensor.extract %expanded_37[%223, %224, %c0, %228, %226] : tensor<2x2x1x?x16xf16>
      linalg.yield %extracted : f16
    } -> tensor<2x2x2x?x16xf16>
    %collapsed_38 = tensor.collapse_shape %96 [[0], [1, 2], [3], [4]] : tensor<2x2x2x?x16xf16> into tensor<2x4x?x16xf16>
    %expanded_39 = tensor.expand_shape %transposed_25 [[0], [1], [2, 3], [4]] output_shape [2, 2, 1, %59, 16] : tensor<2x2x?x16xf16> into tensor<2x2x1x?x16xf16>
    cf.assert %94, "unimplemented: dynamic negative broadcast sizes"
    %97 = linalg.generic {indexing_maps = [#map14], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} outs(%95 : tensor<2x2x2x?x16xf16>) {
    ^bb0(%out: f16):
      %223 = linalg.index 0 : index
      %224 = linalg.index 1 : index
      %225 = linalg.index 3 : index
      %226 = linalg.index 4 : index
      %227 = arith.cmpi eq, %59, %c1 : index
      %228 = arith.select %227, %c0, %225 : index
      %extracted = tensor.extract %expanded_39[%223, %224, %c0, %228, %226] : tensor<2x2x1x?x16xf16>
      linalg.yield %extracted : f16
    } -> tensor<2x2x2x?x16xf16>
    %collapsed_40 = tensor.collapse_shape %97 [[0], [1, 2], [3], [4]] : tensor<2x2x2x?x16xf16> into tensor<2x4x?x16xf16>
    %98 = tensor.empty(%dim, %dim) : tensor<2x1x?x?xf16>
    %99 = linalg.generic {indexing_maps = [#map9, #map15, #map15, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%93, %cst_4, %cst_5 : tensor<2x1x?x?xi1>, tensor<f16>, tensor<f16>) outs(%98 : tensor<2x1x?x?xf16>) {
    ^bb0(%in: i1, %in_65: f16, %in_66: f16, %out: f16):
      %223 = arith.select %in, %in_65, %in_66 : f16
      linalg.yield %223 : f16
    } -> tensor<2x1x?x?xf16>
    %100 = tensor.empty(%48) : tensor<2x4x?x16xf32>
    %101 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%71 : tensor<2x4x?x16xf16>) outs(%100 : tensor<2x4x?x16xf32>) {
    ^bb0(%in: f16, %out: f32):
      %223 = arith.extf %in : f16 to f32
      linalg.yield %223 : f32
    } -> tensor<2x4x?x16xf32>
    %102 = tensor.empty(%dim) : tensor<2x4x?x16xf32>
    %103 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_38 : tensor<2x4x?x16xf16>) outs(%102 : tensor<2x4x?x16xf32>) {
    ^bb0(%in: f16, %out: f32):
      %223 = arith.extf %in : f16 to f32
      linalg.yield %223 : f32
    } -> tensor<2x4x?x16xf32>
    %104 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_40 : tensor<2x4x?x16xf16>) outs(%102 : tensor<2x4x?x16xf32>) {
    ^bb0(%in: f16, %out: f32):
      %223 = arith.extf %in : f16 to f32
      linalg.yield %223 : f32
    } -> tensor<2x4x?x16xf32>
    %105 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%101 : tensor<2x4x?x16xf32>) outs(%100 : tensor<2x4x?x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %223 = arith.mulf %in, %cst_10 : f32
      linalg.yield %223 : f32
    } -> tensor<2x4x?x16xf32>
    %106 = tensor.empty(%dim) : tensor<2x4x16x?xf32>
    %transposed_41 = linalg.transpose ins(%103 : tensor<2x4x?x16xf32>) outs(%106 : tensor<2x4x16x?xf32>) permutation = [0, 1, 3, 2]
    %107 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_41 : tensor<2x4x16x?xf32>) outs(%106 : tensor<2x4x16x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %223 = arith.mulf %in, %cst_10 : f32
      linalg.yield %223 : f32
    } -> tensor<2x4x16x?xf32>
    cf.assert %94, "unimplemented: dynamic negative broadcast sizes"
    %108 = linalg.generic {indexing_maps = [#map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%102 : tensor<2x4x?x16xf32>) {
    ^bb0(%out: f32):
      %223 = linalg.index 0 : index
      %224 = linalg.index 1 : index
      %225 = linalg.index 2 : index
      %226 = linalg.index 3 : index
      %227 = arith.cmpi eq, %48, %c1 : index
      %228 = arith.select %227, %c0, %225 : index
      %extracted = tensor.extract %105[%223, %224, %228, %226] : tensor<2x4x?x16xf32>
      linalg.yield %extracted : f32
    } -> tensor<2x4x?x16xf32>
    %collapsed_42 = tensor.collapse_shape %108 [[0, 1], [2], [3]] : tensor<2x4x?x16xf32> into tensor<8x?x16xf32>
    cf.assert %94, "unimplemented: dynamic negative broadcast sizes"
    %109 = linalg.generic {indexing_maps = [#map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%106 : tensor<2x4x16x?xf32>) {
    ^bb0(%out: f32):
      %223 = linalg.index 0 : index
      %224 = linalg.index 1 : index
      %225 = linalg.index 2 : index
      %226 = linalg.index 3 : index
      %227 = arith.cmpi eq, %dim, %c1 : index
      %228 = arith.select %227, %c0, %226 : index
      %extracted = tensor.extract %107[%223, %224, %225, %228] : tensor<2x4x16x?xf32>
      linalg.yield %extracted : f32
    } -> tensor<2x4x16x?xf32>
    %collapsed_43 = tensor.collapse_shape %109 [[0, 1], [2], [3]] : tensor<2x4x16x?xf32> into tensor<8x16x?xf32>
    %110 = tensor.empty(%dim, %dim) : tensor<8x?x?xf32>
    %111 = linalg.fill ins(%cst : f32) outs(%110 : tensor<8x?x?xf32>) -> tensor<8x?x?xf32>
    %112 = linalg.batch_matmul ins(%collapsed_42, %collapsed_43 : tensor<8x?x16xf32>, tensor<8x16x?xf32>) outs(%111 : tensor<8x?x?xf32>) -> tensor<8x?x?xf32>
    %113 = arith.muli %0, %c8_i64 : i64
    %114 = arith.select %38, %c8_i64, %113 : i64
    %115 = arith.muli %114, %0 : i64
    %116 = arith.select %38, %c8_i64, %115 : i64
    %117 = arith.select %38, %41, %40 : i64
    %118 = arith.cmpi sle, %117, %c1_i64 : i64
    cf.assert %118, "must have at most one inferred (negative) dimension"
    %119 = arith.muli %113, %0 : i64
    %120 = arith.divsi %119, %116 : i64
    %121 = arith.select %38, %120, %0 : i64
    %from_elements_44 = tensor.from_elements %c2_i64, %c4_i64, %121, %121 : tensor<4xi64>
    %reshape_45 = tensor.reshape %112(%from_elements_44) : (tensor<8x?x?xf32>, tensor<4xi64>) -> tensor<2x4x?x?xf32>
    %122 = arith.index_cast %121 : i64 to index
    %123 = arith.cmpi eq, %122, %dim : index
    cf.assert %123, "mismatched size for broadcast"
    cf.assert %123, "mismatched size for broadcast"
    %124 = tensor.empty(%122, %122) : tensor<2x4x?x?xf32>
    %125 = linalg.generic {indexing_maps = [#map9, #map16, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%reshape_45, %99 : tensor<2x4x?x?xf32>, tensor<2x1x?x?xf16>) outs(%124 : tensor<2x4x?x?xf32>) {
    ^bb0(%in: f32, %in_65: f16, %out: f32):
      %223 = arith.extf %in_65 : f16 to f32
      %224 = arith.addf %in, %223 : f32
      linalg.yield %224 : f32
    } -> tensor<2x4x?x?xf32>
    %126 = tensor.empty(%122) : tensor<2x4x?xi64>
    %127 = linalg.fill ins(%c0_i64 : i64) outs(%126 : tensor<2x4x?xi64>) -> tensor<2x4x?xi64>
    %128 = tensor.empty(%122) : tensor<2x4x?xf32>
    %129 = linalg.fill ins(%cst_0 : f32) outs(%128 : tensor<2x4x?xf32>) -> tensor<2x4x?xf32>
    %130:2 = linalg.generic {indexing_maps = [#map9, #map17, #map17], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%125 : tensor<2x4x?x?xf32>) outs(%129, %127 : tensor<2x4x?xf32>, tensor<2x4x?xi64>) {
    ^bb0(%in: f32, %out: f32, %out_65: i64):
      %223 = linalg.index 3 : index
      %224 = arith.index_cast %223 : index to i64
      %225 = arith.maximumf %in, %out : f32
      %226 = arith.cmpf ogt, %in, %out : f32
      %227 = arith.select %226, %224, %out_65 : i64
      linalg.yield %225, %227 : f32, i64
    } -> (tensor<2x4x?xf32>, tensor<2x4x?xi64>)
    %expanded_46 = tensor.expand_shape %130#0 [[0], [1], [2, 3]] output_shape [2, 4, %122, 1] : tensor<2x4x?xf32> into tensor<2x4x?x1xf32>
    %131 = linalg.generic {indexing_maps = [#map9, #map18, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%125, %expanded_46 : tensor<2x4x?x?xf32>, tensor<2x4x?x1xf32>) outs(%124 : tensor<2x4x?x?xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %223 = arith.subf %in, %in_65 : f32
      linalg.yield %223 : f32
    } -> tensor<2x4x?x?xf32>
    %132 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%131 : tensor<2x4x?x?xf32>) outs(%124 : tensor<2x4x?x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %223 = math.exp %in : f32
      linalg.yield %223 : f32
    } -> tensor<2x4x?x?xf32>
    %133 = tensor.empty(%122) : tensor<2x4x?x1xf32>
    %134 = linalg.fill ins(%cst : f32) outs(%133 : tensor<2x4x?x1xf32>) -> tensor<2x4x?x1xf32>
    %135 = linalg.generic {indexing_maps = [#map9, #map18], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%132 : tensor<2x4x?x?xf32>) outs(%134 : tensor<2x4x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %223 = arith.addf %in, %out : f32
      linalg.yield %223 : f32
    } -> tensor<2x4x?x1xf32>
    %136 = linalg.generic {indexing_maps = [#map9, #map18, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%132, %135 : tensor<2x4x?x?xf32>, tensor<2x4x?x1xf32>) outs(%124 : tensor<2x4x?x?xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %223 = arith.divf %in, %in_65 : f32
      linalg.yield %223 : f32
    } -> tensor<2x4x?x?xf32>
    %137 = tensor.empty(%122, %122) : tensor<2x4x?x?xi1>
    %138 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%125 : tensor<2x4x?x?xf32>) outs(%137 : tensor<2x4x?x?xi1>) {
    ^bb0(%in: f32, %out: i1):
      %223 = arith.extf %in : f32 to f64
      %224 = arith.cmpf oeq, %223, %cst_7 : f64
      linalg.yield %224 : i1
    } -> tensor<2x4x?x?xi1>
    %139 = tensor.empty(%122) : tensor<2x4x?x1xi1>
    %140 = linalg.fill ins(%true : i1) outs(%139 : tensor<2x4x?x1xi1>) -> tensor<2x4x?x1xi1>
    %141 = linalg.generic {indexing_maps = [#map9, #map18], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%138 : tensor<2x4x?x?xi1>) outs(%140 : tensor<2x4x?x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %223 = arith.andi %in, %out : i1
      linalg.yield %223 : i1
    } -> tensor<2x4x?x1xi1>
    %142 = arith.cmpi sge, %121, %c0_i64 : i64
    cf.assert %142, "negative values not allowed in new dimensions"
    %143 = arith.index_cast %121 : i64 to index
    cf.assert %142, "negative values not allowed in new dimensions"
    %144 = tensor.empty(%143, %143) : tensor<2x4x?x?xf32>
    %145 = linalg.generic {indexing_maps = [#map15, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_3 : tensor<f32>) outs(%144 : tensor<2x4x?x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x?x?xf32>
    %146 = arith.cmpi eq, %122, %143 : index
    cf.assert %146, "mismatched size for broadcast"
    %147 = arith.cmpi eq, %143, %122 : index
    cf.assert %147, "mismatched size for broadcast"
    %148 = tensor.empty(%122, %143) : tensor<2x4x?x?xf32>
    %149 = linalg.generic {indexing_maps = [#map18, #map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%141, %145, %136 : tensor<2x4x?x1xi1>, tensor<2x4x?x?xf32>, tensor<2x4x?x?xf32>) outs(%148 : tensor<2x4x?x?xf32>) {
    ^bb0(%in: i1, %in_65: f32, %in_66: f32, %out: f32):
      %223 = arith.select %in, %in_65, %in_66 : f32
      linalg.yield %223 : f32
    } -> tensor<2x4x?x?xf32>
    cf.assert %94, "unimplemented: dynamic negative broadcast sizes"
    cf.assert %94, "unimplemented: dynamic negative broadcast sizes"
    %150 = tensor.empty(%dim, %dim) : tensor<2x4x?x?xf32>
    %151 = linalg.generic {indexing_maps = [#map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%150 : tensor<2x4x?x?xf32>) {
    ^bb0(%out: f32):
      %223 = linalg.index 0 : index
      %224 = linalg.index 1 : index
      %225 = linalg.index 2 : index
      %226 = linalg.index 3 : index
      %227 = arith.cmpi eq, %122, %c1 : index
      %228 = arith.select %227, %c0, %225 : index
      %229 = arith.cmpi eq, %143, %c1 : index
      %230 = arith.select %229, %c0, %226 : index
      %extracted = tensor.extract %149[%223, %224, %228, %230] : tensor<2x4x?x?xf32>
      linalg.yield %extracted : f32
    } -> tensor<2x4x?x?xf32>
    cf.assert %118, "must have at most one inferred (negative) dimension"
    %from_elements_47 = tensor.from_elements %c8_i64, %121, %121 : tensor<3xi64>
    %reshape_48 = tensor.reshape %151(%from_elements_47) : (tensor<2x4x?x?xf32>, tensor<3xi64>) -> tensor<8x?x?xf32>
    cf.assert %94, "unimplemented: dynamic negative broadcast sizes"
    %152 = linalg.generic {indexing_maps = [#map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%102 : tensor<2x4x?x16xf32>) {
    ^bb0(%out: f32):
      %223 = linalg.index 0 : index
      %224 = linalg.index 1 : index
      %225 = linalg.index 2 : index
      %226 = linalg.index 3 : index
      %227 = arith.cmpi eq, %dim, %c1 : index
      %228 = arith.select %227, %c0, %225 : index
      %extracted = tensor.extract %104[%223, %224, %228, %226] : tensor<2x4x?x16xf32>
      linalg.yield %extracted : f32
    } -> tensor<2x4x?x16xf32>
    %collapsed_49 = tensor.collapse_shape %152 [[0, 1], [2], [3]] : tensor<2x4x?x16xf32> into tensor<8x?x16xf32>
    %153 = arith.cmpi eq, %121, %0 : i64
    cf.assert %153, "mismatching contracting dimension"
    %154 = tensor.empty(%122) : tensor<8x?x16xf32>
    %155 = linalg.fill ins(%cst : f32) outs(%154 : tensor<8x?x16xf32>) -> tensor<8x?x16xf32>
    %156 = linalg.batch_matmul ins(%reshape_48, %collapsed_49 : tensor<8x?x?xf32>, tensor<8x?x16xf32>) outs(%155 : tensor<8x?x16xf32>) -> tensor<8x?x16xf32>
    %expanded_50 = tensor.expand_shape %156 [[0, 1], [2], [3]] output_shape [2, 4, %122, 16] : tensor<8x?x16xf32> into tensor<2x4x?x16xf32>
    %157 = tensor.empty(%122) : tensor<2x4x?x16xf16>
    %158 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_50 : tensor<2x4x?x16xf32>) outs(%157 : tensor<2x4x?x16xf16>) {
    ^bb0(%in: f32, %out: f16):
      %223 = arith.truncf %in : f32 to f16
      linalg.yield %223 : f16
    } -> tensor<2x4x?x16xf16>
    %159 = tensor.empty(%122) : tensor<2x?x4x16xf16>
    %transposed_51 = linalg.transpose ins(%158 : tensor<2x4x?x16xf16>) outs(%159 : tensor<2x?x4x16xf16>) permutation = [0, 2, 1, 3]
    %collapsed_52 = tensor.collapse_shape %transposed_51 [[0], [1], [2, 3]] : tensor<2x?x4x16xf16> into tensor<2x?x64xf16>
    %transposed_53 = linalg.transpose ins(%arg7 : tensor<64x64xf16>) outs(%29 : tensor<64x64xf16>) permutation = [1, 0]
    cf.assert %94, "unimplemented: dynamic negative broadcast sizes"
    %160 = tensor.empty(%dim) : tensor<2x?x64xf16>
    %161 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel", "parallel", "parallel"]} outs(%160 : tensor<2x?x64xf16>) {
    ^bb0(%out: f16):
      %223 = linalg.index 0 : index
      %224 = linalg.index 1 : index
      %225 = linalg.index 2 : index
      %226 = arith.cmpi eq, %122, %c1 : index
      %227 = arith.select %226, %c0, %224 : index
      %extracted = tensor.extract %collapsed_52[%223, %227, %225] : tensor<2x?x64xf16>
      linalg.yield %extracted : f16
    } -> tensor<2x?x64xf16>
    %162 = tensor.empty() : tensor<2x64x64xf16>
    %163 = linalg.generic {indexing_maps = [#map19, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_53 : tensor<64x64xf16>) outs(%162 : tensor<2x64x64xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<2x64x64xf16>
    %164 = tensor.empty(%dim) : tensor<2x?x64xf32>
    %165 = linalg.fill ins(%cst : f32) outs(%164 : tensor<2x?x64xf32>) -> tensor<2x?x64xf32>
    %166 = linalg.batch_matmul ins(%161, %163 : tensor<2x?x64xf16>, tensor<2x64x64xf16>) outs(%165 : tensor<2x?x64xf32>) -> tensor<2x?x64xf32>
    %167 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%166 : tensor<2x?x64xf32>) outs(%160 : tensor<2x?x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %223 = arith.truncf %in : f32 to f16
      linalg.yield %223 : f16
    } -> tensor<2x?x64xf16>
    cf.assert %true, "mismatched size for broadcast"
    %168 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2, %167 : tensor<2x?x64xf16>, tensor<2x?x64xf16>) outs(%1 : tensor<2x?x64xf16>) {
    ^bb0(%in: f16, %in_65: f16, %out: f16):
      %223 = arith.addf %in, %in_65 : f16
      linalg.yield %223 : f16
    } -> tensor<2x?x64xf16>
    %169 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%168 : tensor<2x?x64xf16>) outs(%17 : tensor<2x?x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %223 = arith.extf %in : f16 to f32
      linalg.yield %223 : f32
    } -> tensor<2x?x64xf32>
    %170 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%169 : tensor<2x?x64xf32>) outs(%17 : tensor<2x?x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %223 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %223 : f32
    } -> tensor<2x?x64xf32>
    %171 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%170 : tensor<2x?x64xf32>) outs(%21 : tensor<2x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %223 = arith.addf %in, %out : f32
      linalg.yield %223 : f32
    } -> tensor<2x?x1xf32>
    %172 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%171 : tensor<2x?x1xf32>) outs(%20 : tensor<2x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %223 = arith.divf %in, %cst_9 : f32
      linalg.yield %223 : f32
    } -> tensor<2x?x1xf32>
    %173 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%172 : tensor<2x?x1xf32>) outs(%20 : tensor<2x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %223 = arith.truncf %cst_8 : f64 to f32
      %224 = arith.addf %in, %223 : f32
      linalg.yield %224 : f32
    } -> tensor<2x?x1xf32>
    %174 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%173 : tensor<2x?x1xf32>) outs(%20 : tensor<2x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %223 = math.rsqrt %in : f32
      linalg.yield %223 : f32
    } -> tensor<2x?x1xf32>
    %175 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%169, %174 : tensor<2x?x64xf32>, tensor<2x?x1xf32>) outs(%17 : tensor<2x?x64xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %223 = arith.mulf %in, %in_65 : f32
      linalg.yield %223 : f32
    } -> tensor<2x?x64xf32>
    %176 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%175 : tensor<2x?x64xf32>) outs(%1 : tensor<2x?x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %223 = arith.truncf %in : f32 to f16
      linalg.yield %223 : f16
    } -> tensor<2x?x64xf16>
    %177 = linalg.generic {indexing_maps = [#map7, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg2, %176 : tensor<64xf16>, tensor<2x?x64xf16>) outs(%1 : tensor<2x?x64xf16>) {
    ^bb0(%in: f16, %in_65: f16, %out: f16):
      %223 = arith.mulf %in, %in_65 : f16
      linalg.yield %223 : f16
    } -> tensor<2x?x64xf16>
    %178 = tensor.empty() : tensor<64x96xf16>
    %transposed_54 = linalg.transpose ins(%arg8 : tensor<96x64xf16>) outs(%178 : tensor<64x96xf16>) permutation = [1, 0]
    %collapsed_55 = tensor.collapse_shape %177 [[0, 1], [2]] : tensor<2x?x64xf16> into tensor<?x64xf16>
    %179 = tensor.empty(%30) : tensor<?x96xf32>
    %180 = linalg.fill ins(%cst : f32) outs(%179 : tensor<?x96xf32>) -> tensor<?x96xf32>
    %181 = linalg.matmul ins(%collapsed_55, %transposed_54 : tensor<?x64xf16>, tensor<64x96xf16>) outs(%180 : tensor<?x96xf32>) -> tensor<?x96xf32>
    %182 = tensor.empty(%30) : tensor<?x96xf16>
    %183 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%181 : tensor<?x96xf32>) outs(%182 : tensor<?x96xf16>) {
    ^bb0(%in: f32, %out: f16):
      %223 = arith.truncf %in : f32 to f16
      linalg.yield %223 : f16
    } -> tensor<?x96xf16>
    %expanded_56 = tensor.expand_shape %183 [[0, 1], [2]] output_shape [2, %36, 96] : tensor<?x96xf16> into tensor<2x?x96xf16>
    %184 = tensor.empty(%36) : tensor<2x?x96xf32>
    %185 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_56 : tensor<2x?x96xf16>) outs(%184 : tensor<2x?x96xf32>) {
    ^bb0(%in: f16, %out: f32):
      %223 = arith.extf %in : f16 to f32
      linalg.yield %223 : f32
    } -> tensor<2x?x96xf32>
    %186 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%185 : tensor<2x?x96xf32>) outs(%184 : tensor<2x?x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %223 = arith.negf %in : f32
      %224 = math.exp %223 : f32
      %225 = arith.addf %224, %cst_1 : f32
      %226 = arith.divf %cst_1, %225 : f32
      linalg.yield %226 : f32
    } -> tensor<2x?x96xf32>
    %187 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%185, %186 : tensor<2x?x96xf32>, tensor<2x?x96xf32>) outs(%184 : tensor<2x?x96xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %223 = arith.mulf %in, %in_65 : f32
      linalg.yield %223 : f32
    } -> tensor<2x?x96xf32>
    %188 = tensor.empty(%36) : tensor<2x?x96xf16>
    %189 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%187 : tensor<2x?x96xf32>) outs(%188 : tensor<2x?x96xf16>) {
    ^bb0(%in: f32, %out: f16):
      %223 = arith.truncf %in : f32 to f16
      linalg.yield %223 : f16
    } -> tensor<2x?x96xf16>
    %transposed_57 = linalg.transpose ins(%arg9 : tensor<96x64xf16>) outs(%178 : tensor<64x96xf16>) permutation = [1, 0]
    %190 = linalg.matmul ins(%collapsed_55, %transposed_57 : tensor<?x64xf16>, tensor<64x96xf16>) outs(%180 : tensor<?x96xf32>) -> tensor<?x96xf32>
    %191 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%190 : tensor<?x96xf32>) outs(%182 : tensor<?x96xf16>) {
    ^bb0(%in: f32, %out: f16):
      %223 = arith.truncf %in : f32 to f16
      linalg.yield %223 : f16
    } -> tensor<?x96xf16>
    %expanded_58 = tensor.expand_shape %191 [[0, 1], [2]] output_shape [2, %36, 96] : tensor<?x96xf16> into tensor<2x?x96xf16>
    %192 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%189, %expanded_58 : tensor<2x?x96xf16>, tensor<2x?x96xf16>) outs(%188 : tensor<2x?x96xf16>) {
    ^bb0(%in: f16, %in_65: f16, %out: f16):
      %223 = arith.mulf %in, %in_65 : f16
      linalg.yield %223 : f16
    } -> tensor<2x?x96xf16>
    %193 = tensor.empty() : tensor<96x64xf16>
    %transposed_59 = linalg.transpose ins(%arg10 : tensor<64x96xf16>) outs(%193 : tensor<96x64xf16>) permutation = [1, 0]
    %collapsed_60 = tensor.collapse_shape %192 [[0, 1], [2]] : tensor<2x?x96xf16> into tensor<?x96xf16>
    %194 = affine.apply #map8()[%36]
    %195 = tensor.empty(%194) : tensor<?x64xf32>
    %196 = linalg.fill ins(%cst : f32) outs(%195 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %197 = linalg.matmul ins(%collapsed_60, %transposed_59 : tensor<?x96xf16>, tensor<96x64xf16>) outs(%196 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %198 = tensor.empty(%194) : tensor<?x64xf16>
    %199 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%197 : tensor<?x64xf32>) outs(%198 : tensor<?x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %223 = arith.truncf %in : f32 to f16
      linalg.yield %223 : f16
    } -> tensor<?x64xf16>
    %200 = arith.divsi %194, %c2 : index
    %expanded_61 = tensor.expand_shape %199 [[0, 1], [2]] output_shape [2, %200, 64] : tensor<?x64xf16> into tensor<2x?x64xf16>
    %201 = arith.cmpi eq, %dim, %200 : index
    cf.assert %201, "mismatched size for broadcast"
    %202 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%168, %expanded_61 : tensor<2x?x64xf16>, tensor<2x?x64xf16>) outs(%1 : tensor<2x?x64xf16>) {
    ^bb0(%in: f16, %in_65: f16, %out: f16):
      %223 = arith.addf %in, %in_65 : f16
      linalg.yield %223 : f16
    } -> tensor<2x?x64xf16>
    %203 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%202 : tensor<2x?x64xf16>) outs(%17 : tensor<2x?x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %223 = arith.extf %in : f16 to f32
      linalg.yield %223 : f32
    } -> tensor<2x?x64xf32>
    %204 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%203 : tensor<2x?x64xf32>) outs(%17 : tensor<2x?x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %223 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %223 : f32
    } -> tensor<2x?x64xf32>
    %205 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%204 : tensor<2x?x64xf32>) outs(%21 : tensor<2x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %223 = arith.addf %in, %out : f32
      linalg.yield %223 : f32
    } -> tensor<2x?x1xf32>
    %206 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%205 : tensor<2x?x1xf32>) outs(%20 : tensor<2x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %223 = arith.divf %in, %cst_9 : f32
      linalg.yield %223 : f32
    } -> tensor<2x?x1xf32>
    %207 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%206 : tensor<2x?x1xf32>) outs(%20 : tensor<2x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %223 = arith.truncf %cst_8 : f64 to f32
      %224 = arith.addf %in, %223 : f32
      linalg.yield %224 : f32
    } -> tensor<2x?x1xf32>
    %208 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%207 : tensor<2x?x1xf32>) outs(%20 : tensor<2x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %223 = math.rsqrt %in : f32
      linalg.yield %223 : f32
    } -> tensor<2x?x1xf32>
    %209 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%203, %208 : tensor<2x?x64xf32>, tensor<2x?x1xf32>) outs(%17 : tensor<2x?x64xf32>) {
    ^bb0(%in: f32, %in_65: f32, %out: f32):
      %223 = arith.mulf %in, %in_65 : f32
      linalg.yield %223 : f32
    } -> tensor<2x?x64xf32>
    %210 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%209 : tensor<2x?x64xf32>) outs(%1 : tensor<2x?x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %223 = arith.truncf %in : f32 to f16
      linalg.yield %223 : f16
    } -> tensor<2x?x64xf16>
    %211 = linalg.generic {indexing_maps = [#map7, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg3, %210 : tensor<64xf16>, tensor<2x?x64xf16>) outs(%1 : tensor<2x?x64xf16>) {
    ^bb0(%in: f16, %in_65: f16, %out: f16):
      %223 = arith.mulf %in, %in_65 : f16
      linalg.yield %223 : f16
    } -> tensor<2x?x64xf16>
    %212 = tensor.empty() : tensor<64x50xf16>
    %transposed_62 = linalg.transpose ins(%arg11 : tensor<50x64xf16>) outs(%212 : tensor<64x50xf16>) permutation = [1, 0]
    %collapsed_63 = tensor.collapse_shape %211 [[0, 1], [2]] : tensor<2x?x64xf16> into tensor<?x64xf16>
    %213 = tensor.empty(%30) : tensor<?x50xf32>
    %214 = linalg.fill ins(%cst : f32) outs(%213 : tensor<?x50xf32>) -> tensor<?x50xf32>
    %215 = linalg.matmul ins(%collapsed_63, %transposed_62 : tensor<?x64xf16>, tensor<64x50xf16>) outs(%214 : tensor<?x50xf32>) -> tensor<?x50xf32>
    %216 = tensor.empty(%30) : tensor<?x50xf16>
    %217 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%215 : tensor<?x50xf32>) outs(%216 : tensor<?x50xf16>) {
    ^bb0(%in: f32, %out: f16):
      %223 = arith.truncf %in : f32 to f16
      linalg.yield %223 : f16
    } -> tensor<?x50xf16>
    %expanded_64 = tensor.expand_shape %217 [[0, 1], [2]] output_shape [2, %36, 50] : tensor<?x50xf16> into tensor<2x?x50xf16>
    %218 = tensor.empty(%36) : tensor<2x?xi64>
    %219 = linalg.fill ins(%c0_i64 : i64) outs(%218 : tensor<2x?xi64>) -> tensor<2x?xi64>
    %220 = tensor.empty(%36) : tensor<2x?xf16>
    %221 = linalg.fill ins(%cst_2 : f16) outs(%220 : tensor<2x?xf16>) -> tensor<2x?xf16>
    %222:2 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%expanded_64 : tensor<2x?x50xf16>) outs(%221, %219 : tensor<2x?xf16>, tensor<2x?xi64>) {
    ^bb0(%in: f16, %out: f16, %out_65: i64):
      %223 = linalg.index 2 : index
      %224 = arith.index_cast %223 : index to i64
      %225 = arith.maximumf %in, %out : f16
      %226 = arith.cmpf ogt, %in, %out : f16
      %227 = arith.select %226, %224, %out_65 : i64
      linalg.yield %225, %227 : f16, i64
    } -> (tensor<2x?xf16>, tensor<2x?xi64>)
    return %expanded_64, %222#1 : tensor<2x?x50xf16>, tensor<2x?xi64>
  }
}
