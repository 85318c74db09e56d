// A two-layer perceptron of JAX, float16, as stablehlo-legalize-to-linalg prints
// it: kernels are [in, out], a bias is reshaped to [1, N] and broadcast, relu is
// a private function with a constant.
//
// A mark makes a kernel [in, out] a packed [N, K]; the remark says so.
// DEFINE: %{marks} = --sparse arg1=2:4 --sparse arg3=2:4
// RUN: sparseflow compile %s %{marks} --emit mlir --remarks -o %t.mlir 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t.mlir
// RUN: sparseflow run %s %{marks} --device cpu --check
// RUN: sparseflow run %s %{marks} --device sim --check
// RUN: sparseflow compile %s %{marks} --target sm_80 --emit ptx -o %t.80.ptx && FileCheck %s --check-prefix=PTX < %t.80.ptx
// RUN: sparseflow compile %s %{marks} --target sm_90 --emit ptx -o %t.90.ptx && FileCheck %s --check-prefix=PTX < %t.90.ptx
// Dense, the CPU multiplies with [K, N] as it is, and a GPU transposes it first.
// RUN: sparseflow run %s --device cpu --check
// RUN: sparseflow run %s --device sim --check --races
// RUN: sparseflow run %s --device sim --check --unaligned
// RUN: sparseflow compile %s --target sm_80 --emit ptx --remarks -o %t.ptx 2>&1 | FileCheck %s --check-prefix=DENSE

// REMARK: remark: [import] argument 1 is 'tensor<64x128xf16, #sparseflow.nm<2:4, axis = 0>>' by request
// REMARK: remark: [import] argument 1 is stored as its matmuls read it, 'tensor<128x64xf16, #sparseflow.nm<2:4>>' instead of 'tensor<64x128xf16>': pack its transpose
// CHECK-NOT: linalg.
//     CHECK: sparseflow.matmul %arg0, %arg1 epilogue(%arg2 : tensor<128xf16>) as [per_feature] {
//     CHECK: arith.maximumf
//     CHECK: sparseflow.matmul %{{.*}}, %arg3 epilogue(%arg4 : tensor<64xf16>) as [per_feature] {
// CHECK-NOT: linalg.
// PTX: mma.sp::ordered_metadata.sync
// DENSE: remark: [import] raised linalg.matmul; the weight [128, 64] is dense, found as [K, N]: a GPU transposes it in every call; store it as [N, K]

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (0, d1)>
#map2 = affine_map<(d0, d1) -> ()>
module @jit_mlp attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16x64xf16>, %arg1: tensor<64x128xf16>, %arg2: tensor<128xf16>, %arg3: tensor<128x64xf16>, %arg4: tensor<64xf16>) -> (tensor<16x64xf16> {jax.result_info = "result"}) {
    %cst = arith.constant 0.000000e+00 : f16
    %0 = tensor.empty() : tensor<16x128xf16>
    %1 = linalg.fill ins(%cst : f16) outs(%0 : tensor<16x128xf16>) -> tensor<16x128xf16>
    %2 = linalg.matmul ins(%arg0, %arg1 : tensor<16x64xf16>, tensor<64x128xf16>) outs(%1 : tensor<16x128xf16>) -> tensor<16x128xf16>
    %expanded = tensor.expand_shape %arg2 [[0, 1]] output_shape [1, 128] : tensor<128xf16> into tensor<1x128xf16>
    %3 = tensor.empty() : tensor<16x128xf16>
    %4 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%expanded : tensor<1x128xf16>) outs(%3 : tensor<16x128xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<16x128xf16>
    %5 = tensor.empty() : tensor<16x128xf16>
    %6 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%2, %4 : tensor<16x128xf16>, tensor<16x128xf16>) outs(%5 : tensor<16x128xf16>) {
    ^bb0(%in: f16, %in_1: f16, %out: f16):
      %14 = arith.addf %in, %in_1 : f16
      linalg.yield %14 : f16
    } -> tensor<16x128xf16>
    %7 = call @relu(%6) : (tensor<16x128xf16>) -> tensor<16x128xf16>
    %8 = tensor.empty() : tensor<16x64xf16>
    %9 = linalg.fill ins(%cst : f16) outs(%8 : tensor<16x64xf16>) -> tensor<16x64xf16>
    %10 = linalg.matmul ins(%7, %arg3 : tensor<16x128xf16>, tensor<128x64xf16>) outs(%9 : tensor<16x64xf16>) -> tensor<16x64xf16>
    %expanded_0 = tensor.expand_shape %arg4 [[0, 1]] output_shape [1, 64] : tensor<64xf16> into tensor<1x64xf16>
    %11 = tensor.empty() : tensor<16x64xf16>
    %12 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%expanded_0 : tensor<1x64xf16>) outs(%11 : tensor<16x64xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<16x64xf16>
    %13 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%10, %12 : tensor<16x64xf16>, tensor<16x64xf16>) outs(%11 : tensor<16x64xf16>) {
    ^bb0(%in: f16, %in_1: f16, %out: f16):
      %14 = arith.addf %in, %in_1 : f16
      linalg.yield %14 : f16
    } -> tensor<16x64xf16>
    return %13 : tensor<16x64xf16>
  }
  func.func private @relu(%arg0: tensor<16x128xf16>) -> tensor<16x128xf16> {
    %cst = arith.constant dense<0.000000e+00> : tensor<f16>
    %0 = tensor.empty() : tensor<16x128xf16>
    %1 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst : tensor<f16>) outs(%0 : tensor<16x128xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<16x128xf16>
    %2 = tensor.empty() : tensor<16x128xf16>
    %3 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %1 : tensor<16x128xf16>, tensor<16x128xf16>) outs(%2 : tensor<16x128xf16>) {
    ^bb0(%in: f16, %in_0: f16, %out: f16):
      %4 = arith.maximumf %in, %in_0 : f16
      linalg.yield %4 : f16
    } -> tensor<16x128xf16>
    return %3 : tensor<16x128xf16>
  }
}
