#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> ()>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @attention(%arg0: tensor<?x?x64xf16>, %arg1: tensor<?x?x64xf16>, %arg2: tensor<?x?x64xf16>, %arg3: tensor<?x1x?x?xi1>) -> tensor<?x?x64xf16> {
    %c0_i64 = arith.constant 0 : i64
    %c1_i64 = arith.constant 1 : i64
    %c4_i64 = arith.constant 4 : i64
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c16_i64 = arith.constant 16 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %c64_i64 = arith.constant 64 : i64
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<f16>
    %cst_3 = arith.constant dense<0xFC00> : tensor<f16>
    %cst_4 = arith.constant 0xFFF0000000000000 : f64
    %cst_5 = arith.constant 5.000000e-01 : f32
    %dim = tensor.dim %arg1, %c1 : tensor<?x?x64xf16>
    %0 = arith.index_cast %dim : index to i64
    %dim_6 = tensor.dim %arg3, %c0 : tensor<?x1x?x?xi1>
    %1 = arith.index_cast %dim_6 : index to i64
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
    %dim_7 = tensor.dim %arg0, %c0 : tensor<?x?x64xf16>
    %13 = arith.index_cast %dim_7 : index to i64
    %dim_8 = tensor.dim %arg0, %c1 : tensor<?x?x64xf16>
    %14 = arith.index_cast %dim_8 : index to i64
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
    cf.assert %12, "must have at most one inferred (negative) dimension"
    %dim_9 = tensor.dim %arg1, %c0 : tensor<?x?x64xf16>
    %23 = arith.index_cast %dim_9 : index to i64
    %24 = arith.muli %23, %0 : i64
    %25 = arith.muli %24, %c64_i64 : i64
    %26 = arith.divsi %25, %10 : i64
    %27 = arith.select %2, %26, %1 : i64
    %28 = arith.select %7, %26, %0 : i64
    %from_elements_10 = tensor.from_elements %27, %28, %c4_i64, %26 : tensor<4xi64>
    %reshape_11 = tensor.reshape %arg1(%from_elements_10) : (tensor<?x?x64xf16>, tensor<4xi64>) -> tensor<?x?x4x16xf16>
    %29 = arith.index_cast %27 : i64 to index
    %30 = arith.index_cast %28 : i64 to index
    %31 = tensor.empty(%29, %30) : tensor<?x4x?x16xf16>
    %transposed_12 = linalg.transpose ins(%reshape_11 : tensor<?x?x4x16xf16>) outs(%31 : tensor<?x4x?x16xf16>) permutation = [0, 2, 1, 3]
    cf.assert %12, "must have at most one inferred (negative) dimension"
    %dim_13 = tensor.dim %arg2, %c0 : tensor<?x?x64xf16>
    %32 = arith.index_cast %dim_13 : index to i64
    %dim_14 = tensor.dim %arg2, %c1 : tensor<?x?x64xf16>
    %33 = arith.index_cast %dim_14 : index to i64
    %34 = arith.muli %32, %33 : i64
    %35 = arith.muli %34, %c64_i64 : i64
    %36 = arith.divsi %35, %10 : i64
    %37 = arith.select %2, %36, %1 : i64
    %38 = arith.select %7, %36, %0 : i64
    %from_elements_15 = tensor.from_elements %37, %38, %c4_i64, %36 : tensor<4xi64>
    %reshape_16 = tensor.reshape %arg2(%from_elements_15) : (tensor<?x?x64xf16>, tensor<4xi64>) -> tensor<?x?x4x16xf16>
    %39 = arith.index_cast %37 : i64 to index
    %40 = arith.index_cast %38 : i64 to index
    %41 = tensor.empty(%39, %40) : tensor<?x4x?x16xf16>
    %transposed_17 = linalg.transpose ins(%reshape_16 : tensor<?x?x4x16xf16>) outs(%41 : tensor<?x4x?x16xf16>) permutation = [0, 2, 1, 3]
    %dim_18 = tensor.dim %arg3, %c2 : tensor<?x1x?x?xi1>
    %dim_19 = tensor.dim %arg3, %c3 : tensor<?x1x?x?xi1>
    %42 = tensor.empty(%dim_6, %dim_18, %dim_19) : tensor<?x1x?x?xf16>
    %43 = linalg.generic {indexing_maps = [#map, #map1, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg3, %cst_2, %cst_3 : tensor<?x1x?x?xi1>, tensor<f16>, tensor<f16>) outs(%42 : tensor<?x1x?x?xf16>) {
    ^bb0(%in: i1, %in_35: f16, %in_36: f16, %out: f16):
      %172 = arith.select %in, %in_35, %in_36 : f16
      linalg.yield %172 : f16
    } -> tensor<?x1x?x?xf16>
    %44 = tensor.empty(%20, %21) : tensor<?x4x?x16xf32>
    %45 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed : tensor<?x4x?x16xf16>) outs(%44 : tensor<?x4x?x16xf32>) {
    ^bb0(%in: f16, %out: f32):
      %172 = arith.extf %in : f16 to f32
      linalg.yield %172 : f32
    } -> tensor<?x4x?x16xf32>
    %46 = tensor.empty(%29, %30) : tensor<?x4x?x16xf32>
    %47 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_12 : tensor<?x4x?x16xf16>) outs(%46 : tensor<?x4x?x16xf32>) {
    ^bb0(%in: f16, %out: f32):
      %172 = arith.extf %in : f16 to f32
      linalg.yield %172 : f32
    } -> tensor<?x4x?x16xf32>
    %48 = tensor.empty(%39, %40) : tensor<?x4x?x16xf32>
    %49 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_17 : tensor<?x4x?x16xf16>) outs(%48 : tensor<?x4x?x16xf32>) {
    ^bb0(%in: f16, %out: f32):
      %172 = arith.extf %in : f16 to f32
      linalg.yield %172 : f32
    } -> tensor<?x4x?x16xf32>
    %50 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%45 : tensor<?x4x?x16xf32>) outs(%44 : tensor<?x4x?x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %172 = arith.mulf %in, %cst_5 : f32
      linalg.yield %172 : f32
    } -> tensor<?x4x?x16xf32>
    %51 = tensor.empty(%29, %30) : tensor<?x4x16x?xf32>
    %transposed_20 = linalg.transpose ins(%47 : tensor<?x4x?x16xf32>) outs(%51 : tensor<?x4x16x?xf32>) permutation = [0, 1, 3, 2]
    %52 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_20 : tensor<?x4x16x?xf32>) outs(%51 : tensor<?x4x16x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %172 = arith.mulf %in, %cst_5 : f32
      linalg.yield %172 : f32
    } -> tensor<?x4x16x?xf32>
    %53 = arith.muli %1, %c4_i64 : i64
    %54 = arith.cmpi sge, %1, %c0_i64 : i64
    cf.assert %54, "unimplemented: dynamic negative broadcast sizes"
    %55 = arith.cmpi sge, %0, %c0_i64 : i64
    cf.assert %55, "unimplemented: dynamic negative broadcast sizes"
    %56 = tensor.empty(%dim_6, %dim) : tensor<?x4x?x16xf32>
    %57 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%56 : tensor<?x4x?x16xf32>) {
    ^bb0(%out: f32):
      %172 = linalg.index 0 : index
      %173 = linalg.index 1 : index
      %174 = linalg.index 2 : index
      %175 = linalg.index 3 : index
      %176 = arith.cmpi eq, %20, %c1 : index
      %177 = arith.select %176, %c0, %172 : index
      %178 = arith.cmpi eq, %21, %c1 : index
      %179 = arith.select %178, %c0, %174 : index
      %extracted = tensor.extract %50[%177, %173, %179, %175] : tensor<?x4x?x16xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x4x?x16xf32>
    %58 = arith.cmpi slt, %53, %c0_i64 : i64
    %59 = arith.select %58, %c1_i64, %53 : i64
    %60 = arith.extui %58 : i1 to i64
    %61 = arith.muli %59, %0 : i64
    %62 = arith.addi %60, %c1_i64 : i64
    %63 = arith.select %7, %59, %61 : i64
    %64 = arith.select %7, %62, %60 : i64
    %65 = arith.muli %63, %c16_i64 : i64
    %66 = arith.cmpi sle, %64, %c1_i64 : i64
    cf.assert %66, "must have at most one inferred (negative) dimension"
    %67 = arith.muli %53, %0 : i64
    %68 = arith.muli %67, %c16_i64 : i64
    %69 = arith.divsi %68, %65 : i64
    %70 = arith.select %58, %69, %53 : i64
    %71 = arith.select %7, %69, %0 : i64
    %from_elements_21 = tensor.from_elements %70, %71, %c16_i64 : tensor<3xi64>
    %reshape_22 = tensor.reshape %57(%from_elements_21) : (tensor<?x4x?x16xf32>, tensor<3xi64>) -> tensor<?x?x16xf32>
    cf.assert %54, "unimplemented: dynamic negative broadcast sizes"
    cf.assert %55, "unimplemented: dynamic negative broadcast sizes"
    %72 = tensor.empty(%dim_6, %dim) : tensor<?x4x16x?xf32>
    %73 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%72 : tensor<?x4x16x?xf32>) {
    ^bb0(%out: f32):
      %172 = linalg.index 0 : index
      %173 = linalg.index 1 : index
      %174 = linalg.index 2 : index
      %175 = linalg.index 3 : index
      %176 = arith.cmpi eq, %29, %c1 : index
      %177 = arith.select %176, %c0, %172 : index
      %178 = arith.cmpi eq, %30, %c1 : index
      %179 = arith.select %178, %c0, %175 : index
      %extracted = tensor.extract %52[%177, %173, %174, %179] : tensor<?x4x16x?xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x4x16x?xf32>
    %74 = arith.muli %59, %c16_i64 : i64
    %75 = arith.muli %74, %0 : i64
    %76 = arith.select %7, %74, %75 : i64
    cf.assert %66, "must have at most one inferred (negative) dimension"
    %77 = arith.muli %1, %c64_i64 : i64
    %78 = arith.muli %77, %0 : i64
    %79 = arith.divsi %78, %76 : i64
    %80 = arith.select %58, %79, %53 : i64
    %81 = arith.select %7, %79, %0 : i64
    %from_elements_23 = tensor.from_elements %80, %c16_i64, %81 : tensor<3xi64>
    %reshape_24 = tensor.reshape %73(%from_elements_23) : (tensor<?x4x16x?xf32>, tensor<3xi64>) -> tensor<?x16x?xf32>
    %82 = arith.index_cast %70 : i64 to index
    %83 = arith.index_cast %71 : i64 to index
    %84 = arith.index_cast %81 : i64 to index
    %85 = arith.cmpi eq, %70, %80 : i64
    cf.assert %85, "mismatching contracting dimension"
    %86 = tensor.empty(%82, %83, %84) : tensor<?x?x?xf32>
    %87 = linalg.fill ins(%cst : f32) outs(%86 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
    %88 = linalg.batch_matmul ins(%reshape_22, %reshape_24 : tensor<?x?x16xf32>, tensor<?x16x?xf32>) outs(%87 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
    %89 = arith.muli %3, %c4_i64 : i64
    %90 = arith.muli %89, %0 : i64
    %91 = arith.select %7, %89, %90 : i64
    %92 = arith.muli %91, %0 : i64
    %93 = arith.select %7, %89, %92 : i64
    %94 = arith.select %7, %11, %4 : i64
    %95 = arith.cmpi sle, %94, %c1_i64 : i64
    cf.assert %95, "must have at most one inferred (negative) dimension"
    %96 = arith.muli %70, %71 : i64
    %97 = arith.muli %96, %81 : i64
    %98 = arith.divsi %97, %93 : i64
    %99 = arith.select %2, %98, %1 : i64
    %100 = arith.select %7, %98, %0 : i64
    %from_elements_25 = tensor.from_elements %99, %c4_i64, %100, %100 : tensor<4xi64>
    %reshape_26 = tensor.reshape %88(%from_elements_25) : (tensor<?x?x?xf32>, tensor<4xi64>) -> tensor<?x4x?x?xf32>
    %101 = arith.index_cast %99 : i64 to index
    %102 = arith.index_cast %100 : i64 to index
    %103 = arith.cmpi eq, %101, %dim_6 : index
    cf.assert %103, "mismatched size for broadcast"
    %104 = arith.cmpi eq, %102, %dim_18 : index
    cf.assert %104, "mismatched size for broadcast"
    %105 = arith.cmpi eq, %102, %dim_19 : index
    cf.assert %105, "mismatched size for broadcast"
    %106 = tensor.empty(%101, %102, %102) : tensor<?x4x?x?xf32>
    %107 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%reshape_26, %43 : tensor<?x4x?x?xf32>, tensor<?x1x?x?xf16>) outs(%106 : tensor<?x4x?x?xf32>) {
    ^bb0(%in: f32, %in_35: f16, %out: f32):
      %172 = arith.extf %in_35 : f16 to f32
      %173 = arith.addf %in, %172 : f32
      linalg.yield %173 : f32
    } -> tensor<?x4x?x?xf32>
    %108 = tensor.empty(%101, %102) : tensor<?x4x?xi64>
    %109 = linalg.fill ins(%c0_i64 : i64) outs(%108 : tensor<?x4x?xi64>) -> tensor<?x4x?xi64>
    %110 = tensor.empty(%101, %102) : tensor<?x4x?xf32>
    %111 = linalg.fill ins(%cst_0 : f32) outs(%110 : tensor<?x4x?xf32>) -> tensor<?x4x?xf32>
    %112:2 = linalg.generic {indexing_maps = [#map, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%107 : tensor<?x4x?x?xf32>) outs(%111, %109 : tensor<?x4x?xf32>, tensor<?x4x?xi64>) {
    ^bb0(%in: f32, %out: f32, %out_35: i64):
      %172 = linalg.index 3 : index
      %173 = arith.index_cast %172 : index to i64
      %174 = arith.maximumf %in, %out : f32
      %175 = arith.cmpf ogt, %in, %out : f32
      %176 = arith.select %175, %173, %out_35 : i64
      linalg.yield %174, %176 : f32, i64
    } -> (tensor<?x4x?xf32>, tensor<?x4x?xi64>)
    %expanded = tensor.expand_shape %112#0 [[0], [1], [2, 3]] output_shape [%101, 4, %102, 1] : tensor<?x4x?xf32> into tensor<?x4x?x1xf32>
    %113 = linalg.generic {indexing_maps = [#map, #map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%107, %expanded : tensor<?x4x?x?xf32>, tensor<?x4x?x1xf32>) outs(%106 : tensor<?x4x?x?xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %172 = arith.subf %in, %in_35 : f32
      linalg.yield %172 : f32
    } -> tensor<?x4x?x?xf32>
    %114 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%113 : tensor<?x4x?x?xf32>) outs(%106 : tensor<?x4x?x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %172 = math.exp %in : f32
      linalg.yield %172 : f32
    } -> tensor<?x4x?x?xf32>
    %115 = tensor.empty(%101, %102) : tensor<?x4x?x1xf32>
    %116 = linalg.fill ins(%cst : f32) outs(%115 : tensor<?x4x?x1xf32>) -> tensor<?x4x?x1xf32>
    %117 = linalg.generic {indexing_maps = [#map, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%114 : tensor<?x4x?x?xf32>) outs(%116 : tensor<?x4x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %172 = arith.addf %in, %out : f32
      linalg.yield %172 : f32
    } -> tensor<?x4x?x1xf32>
    %118 = linalg.generic {indexing_maps = [#map, #map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%114, %117 : tensor<?x4x?x?xf32>, tensor<?x4x?x1xf32>) outs(%106 : tensor<?x4x?x?xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %172 = arith.divf %in, %in_35 : f32
      linalg.yield %172 : f32
    } -> tensor<?x4x?x?xf32>
    %119 = tensor.empty(%101, %102, %102) : tensor<?x4x?x?xi1>
    %120 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%107 : tensor<?x4x?x?xf32>) outs(%119 : tensor<?x4x?x?xi1>) {
    ^bb0(%in: f32, %out: i1):
      %172 = arith.extf %in : f32 to f64
      %173 = arith.cmpf oeq, %172, %cst_4 : f64
      linalg.yield %173 : i1
    } -> tensor<?x4x?x?xi1>
    %121 = tensor.empty(%101, %102) : tensor<?x4x?x1xi1>
    %122 = linalg.fill ins(%true : i1) outs(%121 : tensor<?x4x?x1xi1>) -> tensor<?x4x?x1xi1>
    %123 = linalg.generic {indexing_maps = [#map, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%120 : tensor<?x4x?x?xi1>) outs(%122 : tensor<?x4x?x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %172 = arith.andi %in, %out : i1
      linalg.yield %172 : i1
    } -> tensor<?x4x?x1xi1>
    %124 = arith.cmpi sge, %99, %c0_i64 : i64
    cf.assert %124, "negative values not allowed in new dimensions"
    %125 = arith.index_cast %99 : i64 to index
    %126 = arith.cmpi sge, %100, %c0_i64 : i64
    cf.assert %126, "negative values not allowed in new dimensions"
    %127 = arith.index_cast %100 : i64 to index
    cf.assert %126, "negative values not allowed in new dimensions"
    %128 = tensor.empty(%125, %127, %127) : tensor<?x4x?x?xf32>
    %129 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%128 : tensor<?x4x?x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x4x?x?xf32>
    %130 = arith.cmpi eq, %101, %125 : index
    cf.assert %130, "mismatched size for broadcast"
    %131 = arith.cmpi eq, %102, %127 : index
    cf.assert %131, "mismatched size for broadcast"
    %132 = arith.cmpi eq, %127, %102 : index
    cf.assert %132, "mismatched size for broadcast"
    %133 = tensor.empty(%101, %102, %127) : tensor<?x4x?x?xf32>
    %134 = linalg.generic {indexing_maps = [#map4, #map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%123, %129, %118 : tensor<?x4x?x1xi1>, tensor<?x4x?x?xf32>, tensor<?x4x?x?xf32>) outs(%133 : tensor<?x4x?x?xf32>) {
    ^bb0(%in: i1, %in_35: f32, %in_36: f32, %out: f32):
      %172 = arith.select %in, %in_35, %in_36 : f32
      linalg.yield %172 : f32
    } -> tensor<?x4x?x?xf32>
    cf.assert %54, "unimplemented: dynamic negative broadcast sizes"
    cf.assert %55, "unimplemented: dynamic negative broadcast sizes"
    cf.assert %55, "unimplemented: dynamic negative broadcast sizes"
    %135 = tensor.empty(%dim_6, %dim, %dim) : tensor<?x4x?x?xf32>
    %136 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%135 : tensor<?x4x?x?xf32>) {
    ^bb0(%out: f32):
      %172 = linalg.index 0 : index
      %173 = linalg.index 1 : index
      %174 = linalg.index 2 : index
      %175 = linalg.index 3 : index
      %176 = arith.cmpi eq, %101, %c1 : index
      %177 = arith.select %176, %c0, %172 : index
      %178 = arith.cmpi eq, %102, %c1 : index
      %179 = arith.select %178, %c0, %174 : index
      %180 = arith.cmpi eq, %127, %c1 : index
      %181 = arith.select %180, %c0, %175 : index
      %extracted = tensor.extract %134[%177, %173, %179, %181] : tensor<?x4x?x?xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x4x?x?xf32>
    %137 = arith.muli %63, %0 : i64
    %138 = arith.addi %64, %c1_i64 : i64
    %139 = arith.select %7, %59, %137 : i64
    %140 = arith.select %7, %138, %60 : i64
    %141 = arith.cmpi sle, %140, %c1_i64 : i64
    cf.assert %141, "must have at most one inferred (negative) dimension"
    %142 = arith.muli %67, %0 : i64
    %143 = arith.divsi %142, %139 : i64
    %144 = arith.select %58, %143, %53 : i64
    %145 = arith.select %7, %143, %0 : i64
    %from_elements_27 = tensor.from_elements %144, %145, %145 : tensor<3xi64>
    %reshape_28 = tensor.reshape %136(%from_elements_27) : (tensor<?x4x?x?xf32>, tensor<3xi64>) -> tensor<?x?x?xf32>
    cf.assert %54, "unimplemented: dynamic negative broadcast sizes"
    cf.assert %55, "unimplemented: dynamic negative broadcast sizes"
    %146 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%56 : tensor<?x4x?x16xf32>) {
    ^bb0(%out: f32):
      %172 = linalg.index 0 : index
      %173 = linalg.index 1 : index
      %174 = linalg.index 2 : index
      %175 = linalg.index 3 : index
      %176 = arith.cmpi eq, %39, %c1 : index
      %177 = arith.select %176, %c0, %172 : index
      %178 = arith.cmpi eq, %40, %c1 : index
      %179 = arith.select %178, %c0, %174 : index
      %extracted = tensor.extract %49[%177, %173, %179, %175] : tensor<?x4x?x16xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x4x?x16xf32>
    cf.assert %66, "must have at most one inferred (negative) dimension"
    %reshape_29 = tensor.reshape %146(%from_elements_21) : (tensor<?x4x?x16xf32>, tensor<3xi64>) -> tensor<?x?x16xf32>
    %147 = arith.index_cast %144 : i64 to index
    %148 = arith.index_cast %145 : i64 to index
    %149 = arith.cmpi eq, %144, %70 : i64
    cf.assert %149, "mismatching contracting dimension"
    %150 = arith.cmpi eq, %145, %71 : i64
    cf.assert %150, "mismatching contracting dimension"
    %151 = tensor.empty(%147, %148) : tensor<?x?x16xf32>
    %152 = linalg.fill ins(%cst : f32) outs(%151 : tensor<?x?x16xf32>) -> tensor<?x?x16xf32>
    %153 = linalg.batch_matmul ins(%reshape_28, %reshape_29 : tensor<?x?x?xf32>, tensor<?x?x16xf32>) outs(%152 : tensor<?x?x16xf32>) -> tensor<?x?x16xf32>
    %154 = arith.muli %91, %c16_i64 : i64
    %155 = arith.cmpi sle, %9, %c1_i64 : i64
    cf.assert %155, "must have at most one inferred (negative) dimension"
    %156 = arith.muli %144, %145 : i64
    %157 = arith.muli %156, %c16_i64 : i64
    %158 = arith.divsi %157, %154 : i64
    %159 = arith.select %2, %158, %1 : i64
    %160 = arith.select %7, %158, %0 : i64
    %from_elements_30 = tensor.from_elements %159, %c4_i64, %160, %c16_i64 : tensor<4xi64>
    %reshape_31 = tensor.reshape %153(%from_elements_30) : (tensor<?x?x16xf32>, tensor<4xi64>) -> tensor<?x4x?x16xf32>
    %161 = arith.index_cast %159 : i64 to index
    %162 = arith.index_cast %160 : i64 to index
    %163 = tensor.empty(%161, %162) : tensor<?x4x?x16xf16>
    %164 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%reshape_31 : tensor<?x4x?x16xf32>) outs(%163 : tensor<?x4x?x16xf16>) {
    ^bb0(%in: f32, %out: f16):
      %172 = arith.truncf %in : f32 to f16
      linalg.yield %172 : f16
    } -> tensor<?x4x?x16xf16>
    %165 = tensor.empty(%161, %162) : tensor<?x?x4x16xf16>
    %transposed_32 = linalg.transpose ins(%164 : tensor<?x4x?x16xf16>) outs(%165 : tensor<?x?x4x16xf16>) permutation = [0, 2, 1, 3]
    %166 = arith.muli %8, %c64_i64 : i64
    cf.assert %155, "must have at most one inferred (negative) dimension"
    %167 = arith.muli %159, %160 : i64
    %168 = arith.muli %167, %c64_i64 : i64
    %169 = arith.divsi %168, %166 : i64
    %170 = arith.select %2, %169, %1 : i64
    %171 = arith.select %7, %169, %0 : i64
    %from_elements_33 = tensor.from_elements %170, %171, %c64_i64 : tensor<3xi64>
    %reshape_34 = tensor.reshape %transposed_32(%from_elements_33) : (tensor<?x?x4x16xf16>, tensor<3xi64>) -> tensor<?x?x64xf16>
    return %reshape_34 : tensor<?x?x64xf16>
  }
}
