// Two nn.Linear with a GELU between, float16, dynamic batch: as torch-mlir's
// linalg-on-tensors backend prints it. Products accumulate in f32 and are
// rounded; sizes are checked at run time; the weight is transposed in the graph.
//
// DEFINE: %{marks} = --sparse arg1=2:4 --sparse arg3=2:4
// RUN: sparseflow compile %s %{marks} --emit mlir | FileCheck %s
// RUN: sparseflow run %s %{marks} --device cpu --dim T=33 --check
// RUN: sparseflow run %s %{marks} --device sim --dim T=9 --check
// RUN: sparseflow compile %s %{marks} --target sm_80 --emit ptx -o %t.80.ptx && FileCheck %s --check-prefix=PTX < %t.80.ptx
// RUN: sparseflow compile %s %{marks} --target sm_90 --emit ptx -o %t.90.ptx && FileCheck %s --check-prefix=PTX < %t.90.ptx
// Without the marks the same program is dense.
// RUN: sparseflow run %s --device cpu --dim T=5 --check

// CHECK-NOT: linalg.
//     CHECK: sparseflow.matmul %arg0, %arg1 epilogue(%arg2 : tensor<256xf16>) as [per_feature] {
//     CHECK: math.erf
//     CHECK: tensor<?x64xf16>, tensor<256x64xf16, #sparseflow.nm<2:4>> -> tensor<?x256xf16>
//     CHECK: sparseflow.matmul %{{.*}}, %arg3 epilogue(%arg4 : tensor<64xf16>) as [per_feature] {
// CHECK-NOT: linalg.
// CHECK-NOT: cf.assert
// PTX: mma.sp::ordered_metadata.sync

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
module attributes {torch.debug_module_name = "MLP"} {
  ml_program.global private mutable @global_seed(dense<0> : tensor<i64>) : tensor<i64>
  func.func @forward(%arg0: tensor<?x64xf16>, %arg1: tensor<256x64xf16>, %arg2: tensor<256xf16>, %arg3: tensor<64x256xf16>, %arg4: tensor<64xf16>) -> tensor<?x64xf16> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 5.000000e-01 : f16
    %cst_1 = arith.constant 1.000000e+00 : f16
    %cst_2 = arith.constant 2.000000e+00 : f16
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %0 = tensor.empty() : tensor<64x256xf16>
    %transposed = linalg.transpose ins(%arg1 : tensor<256x64xf16>) outs(%0 : tensor<64x256xf16>) permutation = [1, 0]
    %dim = tensor.dim %arg0, %c0 : tensor<?x64xf16>
    %dim_3 = tensor.dim %arg0, %c1 : tensor<?x64xf16>
    %1 = arith.cmpi eq, %dim_3, %c64 : index
    cf.assert %1, "mismatching contracting dimension"
    %2 = tensor.empty(%dim) : tensor<?x256xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<?x256xf32>) -> tensor<?x256xf32>
    %4 = linalg.matmul ins(%arg0, %transposed : tensor<?x64xf16>, tensor<64x256xf16>) outs(%3 : tensor<?x256xf32>) -> tensor<?x256xf32>
    %5 = tensor.empty(%dim) : tensor<?x256xf16>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<?x256xf32>) outs(%5 : tensor<?x256xf16>) {
    ^bb0(%in: f32, %out: f16):
      %20 = arith.truncf %in : f32 to f16
      linalg.yield %20 : f16
    } -> tensor<?x256xf16>
    %dim_4 = tensor.dim %6, %c0 : tensor<?x256xf16>
    %7 = tensor.empty(%dim_4) : tensor<?x256xf16>
    %8 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%6, %arg2 : tensor<?x256xf16>, tensor<256xf16>) outs(%7 : tensor<?x256xf16>) {
    ^bb0(%in: f16, %in_7: f16, %out: f16):
      %20 = arith.addf %in, %in_7 : f16
      linalg.yield %20 : f16
    } -> tensor<?x256xf16>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%8 : tensor<?x256xf16>) outs(%7 : tensor<?x256xf16>) {
    ^bb0(%in: f16, %out: f16):
      %20 = math.sqrt %cst_2 : f16
      %21 = arith.divf %in, %20 : f16
      %22 = math.erf %21 : f16
      %23 = arith.addf %22, %cst_1 : f16
      %24 = arith.mulf %23, %cst_0 : f16
      %25 = arith.mulf %in, %24 : f16
      linalg.yield %25 : f16
    } -> tensor<?x256xf16>
    %10 = tensor.empty() : tensor<256x64xf16>
    %transposed_5 = linalg.transpose ins(%arg3 : tensor<64x256xf16>) outs(%10 : tensor<256x64xf16>) permutation = [1, 0]
    %11 = tensor.empty(%dim_4) : tensor<?x64xf32>
    %12 = linalg.fill ins(%cst : f32) outs(%11 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %13 = linalg.matmul ins(%9, %transposed_5 : tensor<?x256xf16>, tensor<256x64xf16>) outs(%12 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %14 = tensor.empty(%dim_4) : tensor<?x64xf16>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%13 : tensor<?x64xf32>) outs(%14 : tensor<?x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %20 = arith.truncf %in : f32 to f16
      linalg.yield %20 : f16
    } -> tensor<?x64xf16>
    %dim_6 = tensor.dim %15, %c0 : tensor<?x64xf16>
    %16 = tensor.empty(%dim_6) : tensor<?x64xf16>
    %17 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%15, %arg4 : tensor<?x64xf16>, tensor<64xf16>) outs(%16 : tensor<?x64xf16>) {
    ^bb0(%in: f16, %in_7: f16, %out: f16):
      %20 = arith.addf %in, %in_7 : f16
      linalg.yield %20 : f16
    } -> tensor<?x64xf16>
    %cast = tensor.cast %17 : tensor<?x64xf16> to tensor<?x64xf16>
    return %cast : tensor<?x64xf16>
  }
}
