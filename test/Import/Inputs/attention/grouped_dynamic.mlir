#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @attention(%arg0: tensor<?x?x64xf16>, %arg1: tensor<?x?x32xf16>, %arg2: tensor<?x?x32xf16>, %arg3: tensor<?x1x?x?xf16>) -> tensor<?x?x64xf16> {
    %c0_i64 = arith.constant 0 : i64
    %c1_i64 = arith.constant 1 : i64
    %c4_i64 = arith.constant 4 : i64
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c2_i64 = arith.constant 2 : i64
    %c16_i64 = arith.constant 16 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %c64_i64 = arith.constant 64 : i64
    %c32_i64 = arith.constant 32 : i64
    %cst_1 = arith.constant 2.500000e-01 : f16
    %dim = tensor.dim %arg1, %c1 : tensor<?x?x32xf16>
    %0 = arith.index_cast %dim : index to i64
    %dim_2 = tensor.dim %arg3, %c0 : tensor<?x1x?x?xf16>
    %1 = arith.index_cast %dim_2 : index to i64
    %2 = arith.cmpi slt, %1, %c0_i64 : i64
    %3 = arith.select %2, %c1_i64, %1 : i64
    %4 = arith.extui %2 : i1 to i64
    %5 = arith.muli %3, %0 : i64
    %6 = arith.addi %4, %c1_i64 : i64
    %7 = arith.cmpi slt, %0, %c0_i64 : i64
    %8 = arith.select %7, %3, %5 : i64
    %9 = arith.select %7, %6, %4 : i64
    %10 = arith.muli %8, %c4_i64 : i64
    %11 = arith.addi %9, %c1_i64 : i64
    %12 = arith.cmpi sle, %11, %c1_i64 : i64
    cf.assert %12, "must have at most one inferred (negative) dimension"
    %dim_3 = tensor.dim %arg0, %c0 : tensor<?x?x64xf16>
    %13 = arith.index_cast %dim_3 : index to i64
    %dim_4 = tensor.dim %arg0, %c1 : tensor<?x?x64xf16>
    %14 = arith.index_cast %dim_4 : index to i64
    %15 = arith.muli %13, %14 : i64
    %16 = arith.muli %15, %c64_i64 : i64
    %17 = arith.divsi %16, %10 : i64
    %18 = arith.select %2, %17, %1 : i64
    %19 = arith.select %7, %17, %0 : i64
    %from_elements = tensor.from_elements %18, %19, %c4_i64, %17 : tensor<4xi64>
    %reshape = tensor.reshape %arg0(%from_elements) : (tensor<?x?x64xf16>, tensor<4xi64>) -> tensor<?x?x4x16xf16>
    %20 = arith.index_cast %18 : i64 to index
    %21 = arith.index_cast %19 : i64 to index
    %22 = tensor.empty(%20, %21) : tensor<?x4x?x16xf16>
    %transposed = linalg.transpose ins(%reshape : tensor<?x?x4x16xf16>) outs(%22 : tensor<?x4x?x16xf16>) permutation = [0, 2, 1, 3]
    %23 = arith.muli %8, %c2_i64 : i64
    cf.assert %12, "must have at most one inferred (negative) dimension"
    %dim_5 = tensor.dim %arg1, %c0 : tensor<?x?x32xf16>
    %24 = arith.index_cast %dim_5 : index to i64
    %25 = arith.muli %24, %0 : i64
    %26 = arith.muli %25, %c32_i64 : i64
    %27 = arith.divsi %26, %23 : i64
    %28 = arith.select %2, %27, %1 : i64
    %29 = arith.select %7, %27, %0 : i64
    %from_elements_6 = tensor.from_elements %28, %29, %c2_i64, %27 : tensor<4xi64>
    %reshape_7 = tensor.reshape %arg1(%from_elements_6) : (tensor<?x?x32xf16>, tensor<4xi64>) -> tensor<?x?x2x16xf16>
    %30 = arith.index_cast %28 : i64 to index
    %31 = arith.index_cast %29 : i64 to index
    %32 = tensor.empty(%30, %31) : tensor<?x2x?x16xf16>
    %transposed_8 = linalg.transpose ins(%reshape_7 : tensor<?x?x2x16xf16>) outs(%32 : tensor<?x2x?x16xf16>) permutation = [0, 2, 1, 3]
    cf.assert %12, "must have at most one inferred (negative) dimension"
    %dim_9 = tensor.dim %arg2, %c0 : tensor<?x?x32xf16>
    %33 = arith.index_cast %dim_9 : index to i64
    %dim_10 = tensor.dim %arg2, %c1 : tensor<?x?x32xf16>
    %34 = arith.index_cast %dim_10 : index to i64
    %35 = arith.muli %33, %34 : i64
    %36 = arith.muli %35, %c32_i64 : i64
    %37 = arith.divsi %36, %23 : i64
    %38 = arith.select %2, %37, %1 : i64
    %39 = arith.select %7, %37, %0 : i64
    %from_elements_11 = tensor.from_elements %38, %39, %c2_i64, %37 : tensor<4xi64>
    %reshape_12 = tensor.reshape %arg2(%from_elements_11) : (tensor<?x?x32xf16>, tensor<4xi64>) -> tensor<?x?x2x16xf16>
    %40 = arith.index_cast %38 : i64 to index
    %41 = arith.index_cast %39 : i64 to index
    %42 = tensor.empty(%40, %41) : tensor<?x2x?x16xf16>
    %transposed_13 = linalg.transpose ins(%reshape_12 : tensor<?x?x2x16xf16>) outs(%42 : tensor<?x2x?x16xf16>) permutation = [0, 2, 1, 3]
    %expanded = tensor.expand_shape %transposed_8 [[0], [1], [2, 3], [4]] output_shape [%30, 2, 1, %31, 16] : tensor<?x2x?x16xf16> into tensor<?x2x1x?x16xf16>
    %43 = arith.cmpi sge, %1, %c0_i64 : i64
    cf.assert %43, "unimplemented: dynamic negative broadcast sizes"
    %44 = arith.cmpi sge, %0, %c0_i64 : i64
    cf.assert %44, "unimplemented: dynamic negative broadcast sizes"
    %45 = tensor.empty(%dim_2, %dim) : tensor<?x2x2x?x16xf16>
    %46 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} outs(%45 : tensor<?x2x2x?x16xf16>) {
    ^bb0(%out: f16):
      %161 = linalg.index 0 : index
      %162 = linalg.index 1 : index
      %163 = linalg.index 3 : index
      %164 = linalg.index 4 : index
      %165 = arith.cmpi eq, %30, %c1 : index
      %166 = arith.select %165, %c0, %161 : index
      %167 = arith.cmpi eq, %31, %c1 : index
      %168 = arith.select %167, %c0, %163 : index
      %extracted = tensor.extract %expanded[%166, %162, %c0, %168, %164] : tensor<?x2x1x?x16xf16>
      linalg.yield %extracted : f16
    } -> tensor<?x2x2x?x16xf16>
    %47 = arith.muli %3, %c4_i64 : i64
    %48 = arith.muli %47, %0 : i64
    %49 = arith.select %7, %47, %48 : i64
    %50 = arith.muli %49, %c16_i64 : i64
    %51 = arith.cmpi sle, %9, %c1_i64 : i64
    cf.assert %51, "must have at most one inferred (negative) dimension"
    %52 = arith.muli %1, %c4_i64 : i64
    %53 = arith.muli %52, %0 : i64
    %54 = arith.muli %53, %c16_i64 : i64
    %55 = arith.divsi %54, %50 : i64
    %56 = arith.select %2, %55, %1 : i64
    %57 = arith.select %7, %55, %0 : i64
    %from_elements_14 = tensor.from_elements %56, %c4_i64, %57, %c16_i64 : tensor<4xi64>
    %reshape_15 = tensor.reshape %46(%from_elements_14) : (tensor<?x2x2x?x16xf16>, tensor<4xi64>) -> tensor<?x4x?x16xf16>
    %expanded_16 = tensor.expand_shape %transposed_13 [[0], [1], [2, 3], [4]] output_shape [%40, 2, 1, %41, 16] : tensor<?x2x?x16xf16> into tensor<?x2x1x?x16xf16>
    cf.assert %43, "unimplemented: dynamic negative broadcast sizes"
    cf.assert %44, "unimplemented: dynamic negative broadcast sizes"
    %58 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} outs(%45 : tensor<?x2x2x?x16xf16>) {
    ^bb0(%out: f16):
      %161 = linalg.index 0 : index
      %162 = linalg.index 1 : index
      %163 = linalg.index 3 : index
      %164 = linalg.index 4 : index
      %165 = arith.cmpi eq, %40, %c1 : index
      %166 = arith.select %165, %c0, %161 : index
      %167 = arith.cmpi eq, %41, %c1 : index
      %168 = arith.select %167, %c0, %163 : index
      %extracted = tensor.extract %expanded_16[%166, %162, %c0, %168, %164] : tensor<?x2x1x?x16xf16>
      linalg.yield %extracted : f16
    } -> tensor<?x2x2x?x16xf16>
    cf.assert %51, "must have at most one inferred (negative) dimension"
    %reshape_17 = tensor.reshape %58(%from_elements_14) : (tensor<?x2x2x?x16xf16>, tensor<4xi64>) -> tensor<?x4x?x16xf16>
    %59 = arith.index_cast %56 : i64 to index
    %60 = arith.index_cast %57 : i64 to index
    %61 = tensor.empty(%59, %60) : tensor<?x4x16x?xf16>
    %transposed_18 = linalg.transpose ins(%reshape_15 : tensor<?x4x?x16xf16>) outs(%61 : tensor<?x4x16x?xf16>) permutation = [0, 1, 3, 2]
    cf.assert %43, "unimplemented: dynamic negative broadcast sizes"
    cf.assert %44, "unimplemented: dynamic negative broadcast sizes"
    %62 = tensor.empty(%dim_2, %dim) : tensor<?x4x?x16xf16>
    %63 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%62 : tensor<?x4x?x16xf16>) {
    ^bb0(%out: f16):
      %161 = linalg.index 0 : index
      %162 = linalg.index 1 : index
      %163 = linalg.index 2 : index
      %164 = linalg.index 3 : index
      %165 = arith.cmpi eq, %20, %c1 : index
      %166 = arith.select %165, %c0, %161 : index
      %167 = arith.cmpi eq, %21, %c1 : index
      %168 = arith.select %167, %c0, %163 : index
      %extracted = tensor.extract %transposed[%166, %162, %168, %164] : tensor<?x4x?x16xf16>
      linalg.yield %extracted : f16
    } -> tensor<?x4x?x16xf16>
    %64 = arith.cmpi slt, %52, %c0_i64 : i64
    %65 = arith.select %64, %c1_i64, %52 : i64
    %66 = arith.extui %64 : i1 to i64
    %67 = arith.muli %65, %0 : i64
    %68 = arith.addi %66, %c1_i64 : i64
    %69 = arith.select %7, %65, %67 : i64
    %70 = arith.select %7, %68, %66 : i64
    %71 = arith.muli %69, %c16_i64 : i64
    %72 = arith.cmpi sle, %70, %c1_i64 : i64
    cf.assert %72, "must have at most one inferred (negative) dimension"
    %73 = arith.divsi %54, %71 : i64
    %74 = arith.select %64, %73, %52 : i64
    %75 = arith.select %7, %73, %0 : i64
    %from_elements_19 = tensor.from_elements %74, %75, %c16_i64 : tensor<3xi64>
    %reshape_20 = tensor.reshape %63(%from_elements_19) : (tensor<?x4x?x16xf16>, tensor<3xi64>) -> tensor<?x?x16xf16>
    cf.assert %43, "unimplemented: dynamic negative broadcast sizes"
    cf.assert %44, "unimplemented: dynamic negative broadcast sizes"
    %76 = tensor.empty(%dim_2, %dim) : tensor<?x4x16x?xf16>
    %77 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%76 : tensor<?x4x16x?xf16>) {
    ^bb0(%out: f16):
      %161 = linalg.index 0 : index
      %162 = linalg.index 1 : index
      %163 = linalg.index 2 : index
      %164 = linalg.index 3 : index
      %165 = arith.cmpi eq, %59, %c1 : index
      %166 = arith.select %165, %c0, %161 : index
      %167 = arith.cmpi eq, %60, %c1 : index
      %168 = arith.select %167, %c0, %164 : index
      %extracted = tensor.extract %transposed_18[%166, %162, %163, %168] : tensor<?x4x16x?xf16>
      linalg.yield %extracted : f16
    } -> tensor<?x4x16x?xf16>
    %78 = arith.muli %65, %c16_i64 : i64
    %79 = arith.muli %78, %0 : i64
    %80 = arith.select %7, %78, %79 : i64
    cf.assert %72, "must have at most one inferred (negative) dimension"
    %81 = arith.muli %1, %c64_i64 : i64
    %82 = arith.muli %81, %0 : i64
    %83 = arith.divsi %82, %80 : i64
    %84 = arith.select %64, %83, %52 : i64
    %85 = arith.select %7, %83, %0 : i64
    %from_elements_21 = tensor.from_elements %84, %c16_i64, %85 : tensor<3xi64>
    %reshape_22 = tensor.reshape %77(%from_elements_21) : (tensor<?x4x16x?xf16>, tensor<3xi64>) -> tensor<?x16x?xf16>
    %86 = arith.index_cast %74 : i64 to index
    %87 = arith.index_cast %75 : i64 to index
    %88 = arith.index_cast %85 : i64 to index
    %89 = arith.cmpi eq, %74, %84 : i64
    cf.assert %89, "mismatching contracting dimension"
    %90 = tensor.empty(%86, %87, %88) : tensor<?x?x?xf32>
    %91 = linalg.fill ins(%cst : f32) outs(%90 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
    %92 = linalg.batch_matmul ins(%reshape_20, %reshape_22 : tensor<?x?x16xf16>, tensor<?x16x?xf16>) outs(%91 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
    %93 = tensor.empty(%86, %87, %88) : tensor<?x?x?xf16>
    %94 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%92 : tensor<?x?x?xf32>) outs(%93 : tensor<?x?x?xf16>) {
    ^bb0(%in: f32, %out: f16):
      %161 = arith.truncf %in : f32 to f16
      linalg.yield %161 : f16
    } -> tensor<?x?x?xf16>
    %95 = arith.muli %49, %0 : i64
    %96 = arith.select %7, %47, %95 : i64
    %97 = arith.select %7, %11, %4 : i64
    %98 = arith.cmpi sle, %97, %c1_i64 : i64
    cf.assert %98, "must have at most one inferred (negative) dimension"
    %99 = arith.muli %74, %75 : i64
    %100 = arith.muli %99, %85 : i64
    %101 = arith.divsi %100, %96 : i64
    %102 = arith.select %2, %101, %1 : i64
    %103 = arith.select %7, %101, %0 : i64
    %from_elements_23 = tensor.from_elements %102, %c4_i64, %103, %103 : tensor<4xi64>
    %reshape_24 = tensor.reshape %94(%from_elements_23) : (tensor<?x?x?xf16>, tensor<4xi64>) -> tensor<?x4x?x?xf16>
    %104 = arith.index_cast %102 : i64 to index
    %105 = arith.index_cast %103 : i64 to index
    %106 = tensor.empty(%104, %105, %105) : tensor<?x4x?x?xf16>
    %107 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%reshape_24 : tensor<?x4x?x?xf16>) outs(%106 : tensor<?x4x?x?xf16>) {
    ^bb0(%in: f16, %out: f16):
      %161 = arith.mulf %in, %cst_1 : f16
      linalg.yield %161 : f16
    } -> tensor<?x4x?x?xf16>
    %108 = arith.cmpi eq, %104, %dim_2 : index
    cf.assert %108, "mismatched size for broadcast"
    %dim_25 = tensor.dim %arg3, %c2 : tensor<?x1x?x?xf16>
    %109 = arith.cmpi eq, %105, %dim_25 : index
    cf.assert %109, "mismatched size for broadcast"
    %dim_26 = tensor.dim %arg3, %c3 : tensor<?x1x?x?xf16>
    %110 = arith.cmpi eq, %105, %dim_26 : index
    cf.assert %110, "mismatched size for broadcast"
    %111 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%107, %arg3 : tensor<?x4x?x?xf16>, tensor<?x1x?x?xf16>) outs(%106 : tensor<?x4x?x?xf16>) {
    ^bb0(%in: f16, %in_36: f16, %out: f16):
      %161 = arith.addf %in, %in_36 : f16
      linalg.yield %161 : f16
    } -> tensor<?x4x?x?xf16>
    %112 = tensor.empty(%104, %105, %105) : tensor<?x4x?x?xf32>
    %113 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%111 : tensor<?x4x?x?xf16>) outs(%112 : tensor<?x4x?x?xf32>) {
    ^bb0(%in: f16, %out: f32):
      %161 = arith.extf %in : f16 to f32
      linalg.yield %161 : f32
    } -> tensor<?x4x?x?xf32>
    %114 = tensor.empty(%104, %105) : tensor<?x4x?xi64>
    %115 = linalg.fill ins(%c0_i64 : i64) outs(%114 : tensor<?x4x?xi64>) -> tensor<?x4x?xi64>
    %116 = tensor.empty(%104, %105) : tensor<?x4x?xf32>
    %117 = linalg.fill ins(%cst_0 : f32) outs(%116 : tensor<?x4x?xf32>) -> tensor<?x4x?xf32>
    %118:2 = linalg.generic {indexing_maps = [#map1, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%113 : tensor<?x4x?x?xf32>) outs(%117, %115 : tensor<?x4x?xf32>, tensor<?x4x?xi64>) {
    ^bb0(%in: f32, %out: f32, %out_36: i64):
      %161 = linalg.index 3 : index
      %162 = arith.index_cast %161 : index to i64
      %163 = arith.maximumf %in, %out : f32
      %164 = arith.cmpf ogt, %in, %out : f32
      %165 = arith.select %164, %162, %out_36 : i64
      linalg.yield %163, %165 : f32, i64
    } -> (tensor<?x4x?xf32>, tensor<?x4x?xi64>)
    %expanded_27 = tensor.expand_shape %118#0 [[0], [1], [2, 3]] output_shape [%104, 4, %105, 1] : tensor<?x4x?xf32> into tensor<?x4x?x1xf32>
    %119 = linalg.generic {indexing_maps = [#map1, #map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%113, %expanded_27 : tensor<?x4x?x?xf32>, tensor<?x4x?x1xf32>) outs(%112 : tensor<?x4x?x?xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %161 = arith.subf %in, %in_36 : f32
      linalg.yield %161 : f32
    } -> tensor<?x4x?x?xf32>
    %120 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%119 : tensor<?x4x?x?xf32>) outs(%112 : tensor<?x4x?x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %161 = math.exp %in : f32
      linalg.yield %161 : f32
    } -> tensor<?x4x?x?xf32>
    %121 = tensor.empty(%104, %105) : tensor<?x4x?x1xf32>
    %122 = linalg.fill ins(%cst : f32) outs(%121 : tensor<?x4x?x1xf32>) -> tensor<?x4x?x1xf32>
    %123 = linalg.generic {indexing_maps = [#map1, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%120 : tensor<?x4x?x?xf32>) outs(%122 : tensor<?x4x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %161 = arith.addf %in, %out : f32
      linalg.yield %161 : f32
    } -> tensor<?x4x?x1xf32>
    %124 = linalg.generic {indexing_maps = [#map1, #map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%120, %123 : tensor<?x4x?x?xf32>, tensor<?x4x?x1xf32>) outs(%112 : tensor<?x4x?x?xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %161 = arith.divf %in, %in_36 : f32
      linalg.yield %161 : f32
    } -> tensor<?x4x?x?xf32>
    %125 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%124 : tensor<?x4x?x?xf32>) outs(%106 : tensor<?x4x?x?xf16>) {
    ^bb0(%in: f32, %out: f16):
      %161 = arith.truncf %in : f32 to f16
      linalg.yield %161 : f16
    } -> tensor<?x4x?x?xf16>
    cf.assert %43, "unimplemented: dynamic negative broadcast sizes"
    cf.assert %44, "unimplemented: dynamic negative broadcast sizes"
    cf.assert %44, "unimplemented: dynamic negative broadcast sizes"
    %126 = tensor.empty(%dim_2, %dim, %dim) : tensor<?x4x?x?xf16>
    %127 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%126 : tensor<?x4x?x?xf16>) {
    ^bb0(%out: f16):
      %161 = linalg.index 0 : index
      %162 = linalg.index 1 : index
      %163 = linalg.index 2 : index
      %164 = linalg.index 3 : index
      %165 = arith.cmpi eq, %104, %c1 : index
      %166 = arith.select %165, %c0, %161 : index
      %167 = arith.cmpi eq, %105, %c1 : index
      %168 = arith.select %167, %c0, %163 : index
      %169 = arith.select %167, %c0, %164 : index
      %extracted = tensor.extract %125[%166, %162, %168, %169] : tensor<?x4x?x?xf16>
      linalg.yield %extracted : f16
    } -> tensor<?x4x?x?xf16>
    %128 = arith.muli %69, %0 : i64
    %129 = arith.addi %70, %c1_i64 : i64
    %130 = arith.select %7, %65, %128 : i64
    %131 = arith.select %7, %129, %66 : i64
    %132 = arith.cmpi sle, %131, %c1_i64 : i64
    cf.assert %132, "must have at most one inferred (negative) dimension"
    %133 = arith.muli %53, %0 : i64
    %134 = arith.divsi %133, %130 : i64
    %135 = arith.select %64, %134, %52 : i64
    %136 = arith.select %7, %134, %0 : i64
    %from_elements_28 = tensor.from_elements %135, %136, %136 : tensor<3xi64>
    %reshape_29 = tensor.reshape %127(%from_elements_28) : (tensor<?x4x?x?xf16>, tensor<3xi64>) -> tensor<?x?x?xf16>
    cf.assert %43, "unimplemented: dynamic negative broadcast sizes"
    cf.assert %44, "unimplemented: dynamic negative broadcast sizes"
    %137 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%62 : tensor<?x4x?x16xf16>) {
    ^bb0(%out: f16):
      %161 = linalg.index 0 : index
      %162 = linalg.index 1 : index
      %163 = linalg.index 2 : index
      %164 = linalg.index 3 : index
      %165 = arith.cmpi eq, %59, %c1 : index
      %166 = arith.select %165, %c0, %161 : index
      %167 = arith.cmpi eq, %60, %c1 : index
      %168 = arith.select %167, %c0, %163 : index
      %extracted = tensor.extract %reshape_17[%166, %162, %168, %164] : tensor<?x4x?x16xf16>
      linalg.yield %extracted : f16
    } -> tensor<?x4x?x16xf16>
    cf.assert %72, "must have at most one inferred (negative) dimension"
    %reshape_30 = tensor.reshape %137(%from_elements_19) : (tensor<?x4x?x16xf16>, tensor<3xi64>) -> tensor<?x?x16xf16>
    %138 = arith.index_cast %135 : i64 to index
    %139 = arith.index_cast %136 : i64 to index
    %140 = arith.cmpi eq, %135, %74 : i64
    cf.assert %140, "mismatching contracting dimension"
    %141 = arith.cmpi eq, %136, %75 : i64
    cf.assert %141, "mismatching contracting dimension"
    %142 = tensor.empty(%138, %139) : tensor<?x?x16xf32>
    %143 = linalg.fill ins(%cst : f32) outs(%142 : tensor<?x?x16xf32>) -> tensor<?x?x16xf32>
    %144 = linalg.batch_matmul ins(%reshape_29, %reshape_30 : tensor<?x?x?xf16>, tensor<?x?x16xf16>) outs(%143 : tensor<?x?x16xf32>) -> tensor<?x?x16xf32>
    %145 = tensor.empty(%138, %139) : tensor<?x?x16xf16>
    %146 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%144 : tensor<?x?x16xf32>) outs(%145 : tensor<?x?x16xf16>) {
    ^bb0(%in: f32, %out: f16):
      %161 = arith.truncf %in : f32 to f16
      linalg.yield %161 : f16
    } -> tensor<?x?x16xf16>
    cf.assert %51, "must have at most one inferred (negative) dimension"
    %147 = arith.muli %135, %136 : i64
    %148 = arith.muli %147, %c16_i64 : i64
    %149 = arith.divsi %148, %50 : i64
    %150 = arith.select %2, %149, %1 : i64
    %151 = arith.select %7, %149, %0 : i64
    %from_elements_31 = tensor.from_elements %150, %c4_i64, %151, %c16_i64 : tensor<4xi64>
    %reshape_32 = tensor.reshape %146(%from_elements_31) : (tensor<?x?x16xf16>, tensor<4xi64>) -> tensor<?x4x?x16xf16>
    %152 = arith.index_cast %150 : i64 to index
    %153 = arith.index_cast %151 : i64 to index
    %154 = tensor.empty(%152, %153) : tensor<?x?x4x16xf16>
    %transposed_33 = linalg.transpose ins(%reshape_32 : tensor<?x4x?x16xf16>) outs(%154 : tensor<?x?x4x16xf16>) permutation = [0, 2, 1, 3]
    %155 = arith.muli %8, %c64_i64 : i64
    cf.assert %51, "must have at most one inferred (negative) dimension"
    %156 = arith.muli %150, %151 : i64
    %157 = arith.muli %156, %c64_i64 : i64
    %158 = arith.divsi %157, %155 : i64
    %159 = arith.select %2, %158, %1 : i64
    %160 = arith.select %7, %158, %0 : i64
    %from_elements_34 = tensor.from_elements %159, %160, %c64_i64 : tensor<3xi64>
    %reshape_35 = tensor.reshape %transposed_33(%from_elements_34) : (tensor<?x?x4x16xf16>, tensor<3xi64>) -> tensor<?x?x64xf16>
    return %reshape_35 : tensor<?x?x64xf16>
  }
}
