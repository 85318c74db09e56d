// down(SiLU(gate(x)) * up(x)) in bfloat16 on [batch, tokens, features]: as
// torch-mlir prints x @ w.T of three dimensions, with the transposed weight
// repeated over the batch. SiLU comes as a sigmoid and a product.
//
// DEFINE: %{marks} = --sparse arg1=2:4 --sparse arg2=2:4 --sparse arg3=2:4
// RUN: sparseflow compile %s %{marks} --emit mlir | FileCheck %s
// RUN: sparseflow run %s %{marks} --device cpu --check
// RUN: sparseflow run %s %{marks} --device sim --check
// RUN: sparseflow compile %s %{marks} --target sm_80 --emit ptx -o %t.80.ptx && FileCheck %s --check-prefix=PTX < %t.80.ptx
// RUN: sparseflow compile %s %{marks} --target sm_90 --emit ptx -o %t.90.ptx && FileCheck %s --check-prefix=PTX < %t.90.ptx

// Three products, and nothing between them: the gate is an operand of the
// second product's epilogue.
// CHECK-NOT: linalg.
//     CHECK: %[[GATE:.*]] = sparseflow.matmul %arg0, %arg1 {
//     CHECK: %[[H:.*]] = sparseflow.matmul %arg0, %arg2 epilogue(%[[GATE]] : tensor<2x8x128xbf16>) as [full] {
//     CHECK: math.exp
//     CHECK: sparseflow.matmul %[[H]], %arg3 {
// CHECK-NOT: linalg.
// PTX: mma.sp::ordered_metadata.sync

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
module attributes {torch.debug_module_name = "GatedFFN"} {
  func.func @forward(%arg0: tensor<2x8x64xbf16>, %arg1: tensor<128x64xbf16>, %arg2: tensor<128x64xbf16>, %arg3: tensor<64x128xbf16>) -> tensor<2x8x64xbf16> {
    %cst = arith.constant 0.000000e+00 : bf16
    %cst_0 = arith.constant 1.000000e+00 : bf16
    %0 = tensor.empty() : tensor<64x128xbf16>
    %transposed = linalg.transpose ins(%arg1 : tensor<128x64xbf16>) outs(%0 : tensor<64x128xbf16>) permutation = [1, 0]
    %1 = tensor.empty() : tensor<2x64x128xbf16>
    %2 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed : tensor<64x128xbf16>) outs(%1 : tensor<2x64x128xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<2x64x128xbf16>
    %3 = tensor.empty() : tensor<2x8x128xbf16>
    %4 = linalg.fill ins(%cst : bf16) outs(%3 : tensor<2x8x128xbf16>) -> tensor<2x8x128xbf16>
    %5 = linalg.batch_matmul ins(%arg0, %2 : tensor<2x8x64xbf16>, tensor<2x64x128xbf16>) outs(%4 : tensor<2x8x128xbf16>) -> tensor<2x8x128xbf16>
    %6 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<2x8x128xbf16>) outs(%3 : tensor<2x8x128xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %16 = arith.negf %in : bf16
      %17 = math.exp %16 : bf16
      %18 = arith.addf %17, %cst_0 : bf16
      %19 = arith.divf %cst_0, %18 : bf16
      linalg.yield %19 : bf16
    } -> tensor<2x8x128xbf16>
    %7 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %5 : tensor<2x8x128xbf16>, tensor<2x8x128xbf16>) outs(%3 : tensor<2x8x128xbf16>) {
    ^bb0(%in: bf16, %in_3: bf16, %out: bf16):
      %16 = arith.mulf %in, %in_3 : bf16
      linalg.yield %16 : bf16
    } -> tensor<2x8x128xbf16>
    %transposed_1 = linalg.transpose ins(%arg2 : tensor<128x64xbf16>) outs(%0 : tensor<64x128xbf16>) permutation = [1, 0]
    %8 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_1 : tensor<64x128xbf16>) outs(%1 : tensor<2x64x128xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<2x64x128xbf16>
    %9 = linalg.batch_matmul ins(%arg0, %8 : tensor<2x8x64xbf16>, tensor<2x64x128xbf16>) outs(%4 : tensor<2x8x128xbf16>) -> tensor<2x8x128xbf16>
    %10 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7, %9 : tensor<2x8x128xbf16>, tensor<2x8x128xbf16>) outs(%3 : tensor<2x8x128xbf16>) {
    ^bb0(%in: bf16, %in_3: bf16, %out: bf16):
      %16 = arith.mulf %in, %in_3 : bf16
      linalg.yield %16 : bf16
    } -> tensor<2x8x128xbf16>
    %11 = tensor.empty() : tensor<128x64xbf16>
    %transposed_2 = linalg.transpose ins(%arg3 : tensor<64x128xbf16>) outs(%11 : tensor<128x64xbf16>) permutation = [1, 0]
    %12 = tensor.empty() : tensor<2x128x64xbf16>
    %13 = linalg.broadcast ins(%transposed_2 : tensor<128x64xbf16>) outs(%12 : tensor<2x128x64xbf16>) dimensions = [0]
    %14 = tensor.empty() : tensor<2x8x64xbf16>
    %15 = linalg.fill ins(%cst : bf16) outs(%14 : tensor<2x8x64xbf16>) -> tensor<2x8x64xbf16>
    %16 = linalg.batch_matmul ins(%10, %13 : tensor<2x8x128xbf16>, tensor<2x128x64xbf16>) outs(%15 : tensor<2x8x64xbf16>) -> tensor<2x8x64xbf16>
    return %16 : tensor<2x8x64xbf16>
  }
}
