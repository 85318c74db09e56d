// A quantize and dequantize pair on the activations, as torch-mlir prints
// quantize_per_tensor with int8: left alone. The product behind it is raised, and
// the program runs and is checked.
//
// RUN: sparseflow compile %s --sparse arg1=2:4 --emit mlir --remarks 2>&1 | FileCheck %s
// RUN: sparseflow run %s --sparse arg1=2:4 --device cpu --check | FileCheck %s --check-prefix=CHECKED

// CHECK: remark: [import] raised linalg.matmul; the weight [32, 64] is 2:4
// CHECK: arith.fptosi
// CHECK: arith.sitofp
// CHECK: sparseflow.matmul
// CHECKED: result 0: ok

#map = affine_map<(d0, d1) -> (d0, d1)>
module attributes {torch.debug_module_name = "Quantized"} {
  func.func @forward(%arg0: tensor<8x64xf16>, %arg1: tensor<32x64xf16>) -> tensor<8x32xf16> {
    %cst = arith.constant 0.000000e+00 : f16
    %cst_0 = arith.constant 5.000000e-02 : f16
    %cst_1 = arith.constant -1.280000e+02 : f16
    %cst_2 = arith.constant 1.270000e+02 : f16
    %0 = tensor.empty() : tensor<8x64xi8>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<8x64xf16>) outs(%0 : tensor<8x64xi8>) {
    ^bb0(%in: f16, %out: i8):
      %8 = arith.divf %in, %cst_0 : f16
      %9 = math.roundeven %8 : f16
      %10 = arith.maximumf %9, %cst_1 : f16
      %11 = arith.minimumf %10, %cst_2 : f16
      %12 = arith.fptosi %11 : f16 to i8
      linalg.yield %12 : i8
    } -> tensor<8x64xi8>
    %2 = tensor.empty() : tensor<8x64xf16>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<8x64xi8>) outs(%2 : tensor<8x64xf16>) {
    ^bb0(%in: i8, %out: f16):
      %8 = arith.sitofp %in : i8 to f16
      %9 = arith.mulf %8, %cst_0 : f16
      linalg.yield %9 : f16
    } -> tensor<8x64xf16>
    %4 = tensor.empty() : tensor<64x32xf16>
    %transposed = linalg.transpose ins(%arg1 : tensor<32x64xf16>) outs(%4 : tensor<64x32xf16>) permutation = [1, 0]
    %5 = tensor.empty() : tensor<8x32xf16>
    %6 = linalg.fill ins(%cst : f16) outs(%5 : tensor<8x32xf16>) -> tensor<8x32xf16>
    %7 = linalg.matmul ins(%3, %transposed : tensor<8x64xf16>, tensor<64x32xf16>) outs(%6 : tensor<8x32xf16>) -> tensor<8x32xf16>
    return %7 : tensor<8x32xf16>
  }
}
