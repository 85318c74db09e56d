#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
module {
  func.func @attention(%arg0: tensor<?x?x64xf16>, %arg1: tensor<?x?x64xf16>, %arg2: tensor<?x?x64xf16>) -> tensor<?x?x64xf16> {
    %c0_i64 = arith.constant 0 : i64
    %c1_i64 = arith.constant 1 : i64
    %c4_i64 = arith.constant 4 : i64
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16_i64 = arith.constant 16 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %c64_i64 = arith.constant 64 : i64
    %cst_1 = arith.constant 2.500000e-01 : f16
    %dim = tensor.dim %arg1, %c1 : tensor<?x?x64xf16>
    %0 = arith.index_cast %dim : index to i64
    %dim_2 = tensor.dim %arg2, %c0 : tensor<?x?x64xf16>
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
    %23 = arith.muli %1, %c4_i64 : i64
    %24 = arith.cmpi slt, %23, %c0_i64 : i64
    %25 = arith.select %24, %c1_i64, %23 : i64
    %26 = arith.extui %24 : i1 to i64
    %27 = arith.muli %25, %0 : i64
    %28 = arith.addi %26, %c1_i64 : i64
    %29 = arith.select %7, %25, %27 : i64
    %30 = arith.select %7, %28, %26 : i64
    %31 = arith.muli %29, %c16_i64 : i64
    %32 = arith.cmpi sle, %30, %c1_i64 : i64
    cf.assert %32, "must have at most one inferred (negative) dimension"
    %33 = arith.muli %18, %c4_i64 : i64
    %34 = arith.muli %33, %19 : i64
    %35 = arith.muli %34, %c16_i64 : i64
    %36 = arith.divsi %35, %31 : i64
    %37 = arith.select %24, %36, %23 : i64
    %38 = arith.select %7, %36, %0 : i64
    %from_elements_5 = tensor.from_elements %37, %38, %c16_i64 : tensor<3xi64>
    %reshape_6 = tensor.reshape %transposed(%from_elements_5) : (tensor<?x4x?x16xf16>, tensor<3xi64>) -> tensor<?x?x16xf16>
    cf.assert %12, "must have at most one inferred (negative) dimension"
    %dim_7 = tensor.dim %arg1, %c0 : tensor<?x?x64xf16>
    %39 = arith.index_cast %dim_7 : index to i64
    %40 = arith.muli %39, %0 : i64
    %41 = arith.muli %40, %c64_i64 : i64
    %42 = arith.divsi %41, %10 : i64
    %43 = arith.select %2, %42, %1 : i64
    %44 = arith.select %7, %42, %0 : i64
    %from_elements_8 = tensor.from_elements %43, %44, %c4_i64, %42 : tensor<4xi64>
    %reshape_9 = tensor.reshape %arg1(%from_elements_8) : (tensor<?x?x64xf16>, tensor<4xi64>) -> tensor<?x?x4x16xf16>
    %45 = arith.index_cast %43 : i64 to index
    %46 = arith.index_cast %44 : i64 to index
    %47 = tensor.empty(%45, %46) : tensor<?x4x?x16xf16>
    %transposed_10 = linalg.transpose ins(%reshape_9 : tensor<?x?x4x16xf16>) outs(%47 : tensor<?x4x?x16xf16>) permutation = [0, 2, 1, 3]
    cf.assert %32, "must have at most one inferred (negative) dimension"
    %48 = arith.muli %43, %c4_i64 : i64
    %49 = arith.muli %48, %44 : i64
    %50 = arith.muli %49, %c16_i64 : i64
    %51 = arith.divsi %50, %31 : i64
    %52 = arith.select %24, %51, %23 : i64
    %53 = arith.select %7, %51, %0 : i64
    %from_elements_11 = tensor.from_elements %52, %53, %c16_i64 : tensor<3xi64>
    %reshape_12 = tensor.reshape %transposed_10(%from_elements_11) : (tensor<?x4x?x16xf16>, tensor<3xi64>) -> tensor<?x?x16xf16>
    cf.assert %12, "must have at most one inferred (negative) dimension"
    %dim_13 = tensor.dim %arg2, %c1 : tensor<?x?x64xf16>
    %54 = arith.index_cast %dim_13 : index to i64
    %55 = arith.muli %1, %54 : i64
    %56 = arith.muli %55, %c64_i64 : i64
    %57 = arith.divsi %56, %10 : i64
    %58 = arith.select %2, %57, %1 : i64
    %59 = arith.select %7, %57, %0 : i64
    %from_elements_14 = tensor.from_elements %58, %59, %c4_i64, %57 : tensor<4xi64>
    %reshape_15 = tensor.reshape %arg2(%from_elements_14) : (tensor<?x?x64xf16>, tensor<4xi64>) -> tensor<?x?x4x16xf16>
    %60 = arith.index_cast %58 : i64 to index
    %61 = arith.index_cast %59 : i64 to index
    %62 = tensor.empty(%60, %61) : tensor<?x4x?x16xf16>
    %transposed_16 = linalg.transpose ins(%reshape_15 : tensor<?x?x4x16xf16>) outs(%62 : tensor<?x4x?x16xf16>) permutation = [0, 2, 1, 3]
    cf.assert %32, "must have at most one inferred (negative) dimension"
    %63 = arith.muli %58, %c4_i64 : i64
    %64 = arith.muli %63, %59 : i64
    %65 = arith.muli %64, %c16_i64 : i64
    %66 = arith.divsi %65, %31 : i64
    %67 = arith.select %24, %66, %23 : i64
    %68 = arith.select %7, %66, %0 : i64
    %from_elements_17 = tensor.from_elements %67, %68, %c16_i64 : tensor<3xi64>
    %reshape_18 = tensor.reshape %transposed_16(%from_elements_17) : (tensor<?x4x?x16xf16>, tensor<3xi64>) -> tensor<?x?x16xf16>
    %69 = arith.index_cast %37 : i64 to index
    %70 = arith.index_cast %38 : i64 to index
    %71 = tensor.empty(%69, %70) : tensor<?x?x16xf16>
    %72 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%reshape_6 : tensor<?x?x16xf16>) outs(%71 : tensor<?x?x16xf16>) {
    ^bb0(%in: f16, %out: f16):
      %120 = arith.mulf %in, %cst_1 : f16
      linalg.yield %120 : f16
    } -> tensor<?x?x16xf16>
    %73 = arith.index_cast %52 : i64 to index
    %74 = arith.index_cast %53 : i64 to index
    %75 = tensor.empty(%73, %74) : tensor<?x16x?xf16>
    %transposed_19 = linalg.transpose ins(%reshape_12 : tensor<?x?x16xf16>) outs(%75 : tensor<?x16x?xf16>) permutation = [0, 2, 1]
    %76 = arith.cmpi eq, %37, %52 : i64
    cf.assert %76, "mismatching contracting dimension"
    %77 = tensor.empty(%69, %70, %74) : tensor<?x?x?xf32>
    %78 = linalg.fill ins(%cst : f32) outs(%77 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
    %79 = linalg.batch_matmul ins(%72, %transposed_19 : tensor<?x?x16xf16>, tensor<?x16x?xf16>) outs(%78 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
    %80 = tensor.empty(%69, %70, %74) : tensor<?x?x?xf16>
    %81 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%79 : tensor<?x?x?xf32>) outs(%80 : tensor<?x?x?xf16>) {
    ^bb0(%in: f32, %out: f16):
      %120 = arith.truncf %in : f32 to f16
      linalg.yield %120 : f16
    } -> tensor<?x?x?xf16>
    %82 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%81 : tensor<?x?x?xf16>) outs(%77 : tensor<?x?x?xf32>) {
    ^bb0(%in: f16, %out: f32):
      %120 = arith.extf %in : f16 to f32
      linalg.yield %120 : f32
    } -> tensor<?x?x?xf32>
    %83 = tensor.empty(%69, %70) : tensor<?x?xi64>
    %84 = linalg.fill ins(%c0_i64 : i64) outs(%83 : tensor<?x?xi64>) -> tensor<?x?xi64>
    %85 = tensor.empty(%69, %70) : tensor<?x?xf32>
    %86 = linalg.fill ins(%cst_0 : f32) outs(%85 : tensor<?x?xf32>) -> tensor<?x?xf32>
    %87:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%82 : tensor<?x?x?xf32>) outs(%86, %84 : tensor<?x?xf32>, tensor<?x?xi64>) {
    ^bb0(%in: f32, %out: f32, %out_25: i64):
      %120 = linalg.index 2 : index
      %121 = arith.index_cast %120 : index to i64
      %122 = arith.maximumf %in, %out : f32
      %123 = arith.cmpf ogt, %in, %out : f32
      %124 = arith.select %123, %121, %out_25 : i64
      linalg.yield %122, %124 : f32, i64
    } -> (tensor<?x?xf32>, tensor<?x?xi64>)
    %expanded = tensor.expand_shape %87#0 [[0], [1, 2]] output_shape [%69, %70, 1] : tensor<?x?xf32> into tensor<?x?x1xf32>
    %88 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%82, %expanded : tensor<?x?x?xf32>, tensor<?x?x1xf32>) outs(%77 : tensor<?x?x?xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %120 = arith.subf %in, %in_25 : f32
      linalg.yield %120 : f32
    } -> tensor<?x?x?xf32>
    %89 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%88 : tensor<?x?x?xf32>) outs(%77 : tensor<?x?x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %120 = math.exp %in : f32
      linalg.yield %120 : f32
    } -> tensor<?x?x?xf32>
    %90 = tensor.empty(%69, %70) : tensor<?x?x1xf32>
    %91 = linalg.fill ins(%cst : f32) outs(%90 : tensor<?x?x1xf32>) -> tensor<?x?x1xf32>
    %92 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%89 : tensor<?x?x?xf32>) outs(%91 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %120 = arith.addf %in, %out : f32
      linalg.yield %120 : f32
    } -> tensor<?x?x1xf32>
    %93 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%89, %92 : tensor<?x?x?xf32>, tensor<?x?x1xf32>) outs(%77 : tensor<?x?x?xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %120 = arith.divf %in, %in_25 : f32
      linalg.yield %120 : f32
    } -> tensor<?x?x?xf32>
    %94 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%93 : tensor<?x?x?xf32>) outs(%80 : tensor<?x?x?xf16>) {
    ^bb0(%in: f32, %out: f16):
      %120 = arith.truncf %in : f32 to f16
      linalg.yield %120 : f16
    } -> tensor<?x?x?xf16>
    %95 = arith.cmpi eq, %37, %67 : i64
    cf.assert %95, "mismatching contracting dimension"
    %96 = arith.cmpi eq, %53, %68 : i64
    cf.assert %96, "mismatching contracting dimension"
    %97 = tensor.empty(%69, %70) : tensor<?x?x16xf32>
    %98 = linalg.fill ins(%cst : f32) outs(%97 : tensor<?x?x16xf32>) -> tensor<?x?x16xf32>
    %99 = linalg.batch_matmul ins(%94, %reshape_18 : tensor<?x?x?xf16>, tensor<?x?x16xf16>) outs(%98 : tensor<?x?x16xf32>) -> tensor<?x?x16xf32>
    %100 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%99 : tensor<?x?x16xf32>) outs(%71 : tensor<?x?x16xf16>) {
    ^bb0(%in: f32, %out: f16):
      %120 = arith.truncf %in : f32 to f16
      linalg.yield %120 : f16
    } -> tensor<?x?x16xf16>
    %101 = arith.muli %3, %c4_i64 : i64
    %102 = arith.muli %101, %0 : i64
    %103 = arith.select %7, %101, %102 : i64
    %104 = arith.muli %103, %c16_i64 : i64
    %105 = arith.cmpi sle, %9, %c1_i64 : i64
    cf.assert %105, "must have at most one inferred (negative) dimension"
    %106 = arith.muli %37, %38 : i64
    %107 = arith.muli %106, %c16_i64 : i64
    %108 = arith.divsi %107, %104 : i64
    %109 = arith.select %2, %108, %1 : i64
    %110 = arith.select %7, %108, %0 : i64
    %from_elements_20 = tensor.from_elements %109, %c4_i64, %110, %c16_i64 : tensor<4xi64>
    %reshape_21 = tensor.reshape %100(%from_elements_20) : (tensor<?x?x16xf16>, tensor<4xi64>) -> tensor<?x4x?x16xf16>
    %111 = arith.index_cast %109 : i64 to index
    %112 = arith.index_cast %110 : i64 to index
    %113 = tensor.empty(%111, %112) : tensor<?x?x4x16xf16>
    %transposed_22 = linalg.transpose ins(%reshape_21 : tensor<?x4x?x16xf16>) outs(%113 : tensor<?x?x4x16xf16>) permutation = [0, 2, 1, 3]
    %114 = arith.muli %8, %c64_i64 : i64
    cf.assert %105, "must have at most one inferred (negative) dimension"
    %115 = arith.muli %109, %110 : i64
    %116 = arith.muli %115, %c64_i64 : i64
    %117 = arith.divsi %116, %114 : i64
    %118 = arith.select %2, %117, %1 : i64
    %119 = arith.select %7, %117, %0 : i64
    %from_elements_23 = tensor.from_elements %118, %119, %c64_i64 : tensor<3xi64>
    %reshape_24 = tensor.reshape %transposed_22(%from_elements_23) : (tensor<?x?x4x16xf16>, tensor<3xi64>) -> tensor<?x?x64xf16>
    return %reshape_24 : tensor<?x?x64xf16>
  }
}
