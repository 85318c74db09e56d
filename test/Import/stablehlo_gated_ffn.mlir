// down(silu(gate(x)) * up(x)) of a PyTorch/XLA export, as
// stablehlo-legalize-to-linalg prints it with primitive ops: transposes, maps and
// broadcasts are named; the batch is dynamic.
//
// DEFINE: %{marks} = --sparse gate=2:4 --sparse up=2:4 --sparse down=2:4
// RUN: sparseflow compile %s %{marks} --emit mlir | FileCheck %s
// RUN: sparseflow run %s %{marks} --device cpu --dim T=19 --check
// RUN: sparseflow run %s %{marks} --device sim --dim T=7 --check
// RUN: sparseflow compile %s %{marks} --target sm_80 --emit ptx -o %t.80.ptx && FileCheck %s --check-prefix=PTX < %t.80.ptx
// RUN: sparseflow compile %s %{marks} --target sm_90 --emit ptx -o %t.90.ptx && FileCheck %s --check-prefix=PTX < %t.90.ptx

// CHECK-NOT: linalg.
//     CHECK: %[[GATE:.*]] = sparseflow.matmul %arg0, %arg1 {
//     CHECK: %[[H:.*]] = sparseflow.matmul %arg0, %arg2 epilogue(%[[GATE]] : tensor<?x128xf16>) as [full] {
//     CHECK: sparseflow.matmul %[[H]], %arg3 {
// CHECK-NOT: linalg.
// PTX: mma.sp::ordered_metadata.sync

module @SyncTensorsGraph.21 {
  func.func @main(%x: tensor<?x64xf16>, %gate: tensor<128x64xf16>, %up: tensor<128x64xf16>, %down: tensor<64x128xf16>) -> tensor<?x64xf16> {
    %cst = arith.constant 0.000000e+00 : f16
    %c0 = arith.constant 0 : index
    %0 = tensor.empty() : tensor<64x128xf16>
    %transposed = linalg.transpose ins(%gate : tensor<128x64xf16>) outs(%0 : tensor<64x128xf16>) permutation = [1, 0]
    %dim = tensor.dim %x, %c0 : tensor<?x64xf16>
    %1 = tensor.empty(%dim) : tensor<?x128xf16>
    %2 = linalg.fill ins(%cst : f16) outs(%1 : tensor<?x128xf16>) -> tensor<?x128xf16>
    %3 = linalg.matmul ins(%x, %transposed : tensor<?x64xf16>, tensor<64x128xf16>) outs(%2 : tensor<?x128xf16>) -> tensor<?x128xf16>
    %dim_0 = tensor.dim %3, %c0 : tensor<?x128xf16>
    %4 = tensor.empty(%dim_0) : tensor<?x128xf16>
    %mapped = linalg.map ins(%3 : tensor<?x128xf16>) outs(%4 : tensor<?x128xf16>)
      (%in: f16, %init: f16) {
        %cst_5 = arith.constant 1.000000e+00 : f16
        %9 = arith.negf %in : f16
        %10 = math.exp %9 : f16
        %11 = arith.addf %10, %cst_5 : f16
        %12 = arith.divf %cst_5, %11 : f16
        linalg.yield %12 : f16
      }
    %mapped_1 = linalg.map { arith.mulf } ins(%3, %mapped : tensor<?x128xf16>, tensor<?x128xf16>) outs(%4 : tensor<?x128xf16>)
    %transposed_2 = linalg.transpose ins(%up : tensor<128x64xf16>) outs(%0 : tensor<64x128xf16>) permutation = [1, 0]
    %5 = linalg.matmul ins(%x, %transposed_2 : tensor<?x64xf16>, tensor<64x128xf16>) outs(%2 : tensor<?x128xf16>) -> tensor<?x128xf16>
    %mapped_3 = linalg.map { arith.mulf } ins(%mapped_1, %5 : tensor<?x128xf16>, tensor<?x128xf16>) outs(%4 : tensor<?x128xf16>)
    %6 = tensor.empty() : tensor<128x64xf16>
    %transposed_4 = linalg.transpose ins(%down : tensor<64x128xf16>) outs(%6 : tensor<128x64xf16>) permutation = [1, 0]
    %7 = tensor.empty(%dim) : tensor<?x64xf16>
    %8 = linalg.fill ins(%cst : f16) outs(%7 : tensor<?x64xf16>) -> tensor<?x64xf16>
    %9 = linalg.matmul ins(%mapped_3, %transposed_4 : tensor<?x128xf16>, tensor<128x64xf16>) outs(%8 : tensor<?x64xf16>) -> tensor<?x64xf16>
    return %9 : tensor<?x64xf16>
  }
}
