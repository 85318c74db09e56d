// Self-attention with two heads, as torch-mlir prints it: projections, views
// and transposes to heads, a scaled product, a softmax whose maximum comes with
// its position, a product with the values, the output projection.
//
// DEFINE: %{marks} = --sparse arg1=2:4 --sparse arg4=2:4
// RUN: sparseflow compile %s %{marks} --emit mlir --remarks 2>&1 | FileCheck %s
// RUN: sparseflow run %s %{marks} --device cpu --check
// RUN: sparseflow run %s --device cpu --check
// RUN: sparseflow run %s %{marks} --device sim --check --races
// RUN: sparseflow compile %s %{marks} --target sm_80 --emit ptx -o - | FileCheck %s --check-prefix=PTX
// RUN: sparseflow compile %s %{marks} --target sm_80,sm_86,sm_89,sm_90,sm_90a,sm_100,sm_120 --emit manifest -o %t.json

// The heads are read where the projections wrote them: no transpose is left. The
// scale is part of the attention, the bias and the residual of the last product.
// CHECK: remark: [import] raised to attention over 1 elementwise ops on the scores, which are computed in f32 like the softmax
// CHECK-COUNT-3: sparseflow.matmul
// CHECK: sparseflow.attention %{{.*}}, %{{.*}}, %{{.*}} {layout = #sparseflow.attention_layout<bshd>, scale = 0.176757813 : f32} : tensor<1x8x2x32xf16>
// CHECK: sparseflow.matmul %{{.*}}, %arg4 epilogue(%arg0, %arg5
// CHECK-NOT: linalg
// The matmuls of two dense weights are one kernel.
// PTX-COUNT-4: .entry forward_{{[0-4]}}_a(
// PTX-NOT: .entry forward_{{[0-4]}}_a(

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
module attributes {torch.debug_module_name = "Attention"} {
  func.func @forward(%arg0: tensor<1x8x64xf16>, %arg1: tensor<64x64xf16>, %arg2: tensor<64x64xf16>, %arg3: tensor<64x64xf16>, %arg4: tensor<64x64xf16>, %arg5: tensor<64xf16>) -> tensor<1x8x64xf16> {
    %cst = arith.constant 0.000000e+00 : f16
    %cst_0 = arith.constant 0xFC00 : f16
    %cst_1 = arith.constant 1.767580e-01 : f16
    %c0_i64 = arith.constant 0 : i64
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<1x8x64xf16> into tensor<8x64xf16>
    %0 = tensor.empty() : tensor<64x64xf16>
    %transposed = linalg.transpose ins(%arg1 : tensor<64x64xf16>) outs(%0 : tensor<64x64xf16>) permutation = [1, 0]
    %1 = tensor.empty() : tensor<8x64xf16>
    %2 = linalg.fill ins(%cst : f16) outs(%1 : tensor<8x64xf16>) -> tensor<8x64xf16>
    %3 = linalg.matmul ins(%collapsed, %transposed : tensor<8x64xf16>, tensor<64x64xf16>) outs(%2 : tensor<8x64xf16>) -> tensor<8x64xf16>
    %transposed_2 = linalg.transpose ins(%arg2 : tensor<64x64xf16>) outs(%0 : tensor<64x64xf16>) permutation = [1, 0]
    %4 = linalg.matmul ins(%collapsed, %transposed_2 : tensor<8x64xf16>, tensor<64x64xf16>) outs(%2 : tensor<8x64xf16>) -> tensor<8x64xf16>
    %transposed_3 = linalg.transpose ins(%arg3 : tensor<64x64xf16>) outs(%0 : tensor<64x64xf16>) permutation = [1, 0]
    %5 = linalg.matmul ins(%collapsed, %transposed_3 : tensor<8x64xf16>, tensor<64x64xf16>) outs(%2 : tensor<8x64xf16>) -> tensor<8x64xf16>
    %expanded = tensor.expand_shape %3 [[0, 1], [2, 3]] output_shape [1, 8, 2, 32] : tensor<8x64xf16> into tensor<1x8x2x32xf16>
    %6 = tensor.empty() : tensor<1x2x8x32xf16>
    %transposed_4 = linalg.transpose ins(%expanded : tensor<1x8x2x32xf16>) outs(%6 : tensor<1x2x8x32xf16>) permutation = [0, 2, 1, 3]
    %expanded_5 = tensor.expand_shape %4 [[0, 1], [2, 3]] output_shape [1, 8, 2, 32] : tensor<8x64xf16> into tensor<1x8x2x32xf16>
    %transposed_6 = linalg.transpose ins(%expanded_5 : tensor<1x8x2x32xf16>) outs(%6 : tensor<1x2x8x32xf16>) permutation = [0, 2, 1, 3]
    %expanded_7 = tensor.expand_shape %5 [[0, 1], [2, 3]] output_shape [1, 8, 2, 32] : tensor<8x64xf16> into tensor<1x8x2x32xf16>
    %transposed_8 = linalg.transpose ins(%expanded_7 : tensor<1x8x2x32xf16>) outs(%6 : tensor<1x2x8x32xf16>) permutation = [0, 2, 1, 3]
    %7 = tensor.empty() : tensor<1x2x32x8xf16>
    %transposed_9 = linalg.transpose ins(%transposed_6 : tensor<1x2x8x32xf16>) outs(%7 : tensor<1x2x32x8xf16>) permutation = [0, 1, 3, 2]
    %collapsed_10 = tensor.collapse_shape %transposed_4 [[0, 1], [2], [3]] : tensor<1x2x8x32xf16> into tensor<2x8x32xf16>
    %collapsed_11 = tensor.collapse_shape %transposed_9 [[0, 1], [2], [3]] : tensor<1x2x32x8xf16> into tensor<2x32x8xf16>
    %8 = tensor.empty() : tensor<2x8x8xf16>
    %9 = linalg.fill ins(%cst : f16) outs(%8 : tensor<2x8x8xf16>) -> tensor<2x8x8xf16>
    %10 = linalg.batch_matmul ins(%collapsed_10, %collapsed_11 : tensor<2x8x32xf16>, tensor<2x32x8xf16>) outs(%9 : tensor<2x8x8xf16>) -> tensor<2x8x8xf16>
    %11 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<2x8x8xf16>) outs(%8 : tensor<2x8x8xf16>) {
    ^bb0(%in: f16, %out: f16):
      %31 = arith.mulf %in, %cst_1 : f16
      linalg.yield %31 : f16
    } -> tensor<2x8x8xf16>
    %12 = tensor.empty() : tensor<2x8xi64>
    %13 = linalg.fill ins(%c0_i64 : i64) outs(%12 : tensor<2x8xi64>) -> tensor<2x8xi64>
    %14 = tensor.empty() : tensor<2x8xf16>
    %15 = linalg.fill ins(%cst_0 : f16) outs(%14 : tensor<2x8xf16>) -> tensor<2x8xf16>
    %16:2 = linalg.generic {indexing_maps = [#map2, #map3, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%11 : tensor<2x8x8xf16>) outs(%15, %13 : tensor<2x8xf16>, tensor<2x8xi64>) {
    ^bb0(%in: f16, %out: f16, %out_20: i64):
      %31 = linalg.index 2 : index
      %32 = arith.index_cast %31 : index to i64
      %33 = arith.maximumf %in, %out : f16
      %34 = arith.cmpf ogt, %in, %out : f16
      %35 = arith.select %34, %32, %out_20 : i64
      linalg.yield %33, %35 : f16, i64
    } -> (tensor<2x8xf16>, tensor<2x8xi64>)
    %expanded_12 = tensor.expand_shape %16#0 [[0], [1, 2]] output_shape [2, 8, 1] : tensor<2x8xf16> into tensor<2x8x1xf16>
    %17 = linalg.generic {indexing_maps = [#map2, #map4, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11, %expanded_12 : tensor<2x8x8xf16>, tensor<2x8x1xf16>) outs(%8 : tensor<2x8x8xf16>) {
    ^bb0(%in: f16, %in_20: f16, %out: f16):
      %31 = arith.subf %in, %in_20 : f16
      linalg.yield %31 : f16
    } -> tensor<2x8x8xf16>
    %18 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17 : tensor<2x8x8xf16>) outs(%8 : tensor<2x8x8xf16>) {
    ^bb0(%in: f16, %out: f16):
      %31 = math.exp %in : f16
      linalg.yield %31 : f16
    } -> tensor<2x8x8xf16>
    %19 = tensor.empty() : tensor<2x8x1xf16>
    %20 = linalg.fill ins(%cst : f16) outs(%19 : tensor<2x8x1xf16>) -> tensor<2x8x1xf16>
    %21 = linalg.generic {indexing_maps = [#map2, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%18 : tensor<2x8x8xf16>) outs(%20 : tensor<2x8x1xf16>) {
    ^bb0(%in: f16, %out: f16):
      %31 = arith.addf %in, %out : f16
      linalg.yield %31 : f16
    } -> tensor<2x8x1xf16>
    %22 = linalg.generic {indexing_maps = [#map2, #map4, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18, %21 : tensor<2x8x8xf16>, tensor<2x8x1xf16>) outs(%8 : tensor<2x8x8xf16>) {
    ^bb0(%in: f16, %in_20: f16, %out: f16):
      %31 = arith.divf %in, %in_20 : f16
      linalg.yield %31 : f16
    } -> tensor<2x8x8xf16>
    %collapsed_13 = tensor.collapse_shape %transposed_8 [[0, 1], [2], [3]] : tensor<1x2x8x32xf16> into tensor<2x8x32xf16>
    %23 = tensor.empty() : tensor<2x8x32xf16>
    %24 = linalg.fill ins(%cst : f16) outs(%23 : tensor<2x8x32xf16>) -> tensor<2x8x32xf16>
    %25 = linalg.batch_matmul ins(%22, %collapsed_13 : tensor<2x8x8xf16>, tensor<2x8x32xf16>) outs(%24 : tensor<2x8x32xf16>) -> tensor<2x8x32xf16>
    %expanded_14 = tensor.expand_shape %25 [[0, 1], [2], [3]] output_shape [1, 2, 8, 32] : tensor<2x8x32xf16> into tensor<1x2x8x32xf16>
    %26 = tensor.empty() : tensor<1x8x2x32xf16>
    %transposed_15 = linalg.transpose ins(%expanded_14 : tensor<1x2x8x32xf16>) outs(%26 : tensor<1x8x2x32xf16>) permutation = [0, 2, 1, 3]
    %collapsed_16 = tensor.collapse_shape %transposed_15 [[0, 1], [2, 3]] : tensor<1x8x2x32xf16> into tensor<8x64xf16>
    %transposed_17 = linalg.transpose ins(%arg4 : tensor<64x64xf16>) outs(%0 : tensor<64x64xf16>) permutation = [1, 0]
    %27 = linalg.matmul ins(%collapsed_16, %transposed_17 : tensor<8x64xf16>, tensor<64x64xf16>) outs(%2 : tensor<8x64xf16>) -> tensor<8x64xf16>
    %28 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%27, %arg5 : tensor<8x64xf16>, tensor<64xf16>) outs(%1 : tensor<8x64xf16>) {
    ^bb0(%in: f16, %in_20: f16, %out: f16):
      %31 = arith.addf %in, %in_20 : f16
      linalg.yield %31 : f16
    } -> tensor<8x64xf16>
    %expanded_18 = tensor.expand_shape %28 [[0, 1], [2]] output_shape [1, 8, 64] : tensor<8x64xf16> into tensor<1x8x64xf16>
    %29 = tensor.empty() : tensor<1x8x64xf16>
    %30 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %expanded_18 : tensor<1x8x64xf16>, tensor<1x8x64xf16>) outs(%29 : tensor<1x8x64xf16>) {
    ^bb0(%in: f16, %in_20: f16, %out: f16):
      %31 = arith.addf %in, %in_20 : f16
      linalg.yield %31 : f16
    } -> tensor<1x8x64xf16>
    return %30 : tensor<1x8x64xf16>
  }
}
