// A slice that is inserted with strides, into a tensor that is not donated: every element of
// the result, in the simulator and on the CPU; odd sizes, offsets of a call, dropped dimensions.

// DEFINE: %{sim} = --device sim --races --check
// RUN: sparseflow run %s --entry rows %{sim} --target sm_80 --dim T=2 | FileCheck %s
// RUN: sparseflow run %s --entry rows %{sim} --target sm_90a --dim T=5 | FileCheck %s
// RUN: sparseflow run %s --entry columns %{sim} --target sm_80 | FileCheck %s
// RUN: sparseflow run %s --entry dropped %{sim} --target sm_80 | FileCheck %s
// RUN: sparseflow run %s --entry rows --device cpu --check --dim T=5 | FileCheck %s
// RUN: sparseflow run %s --entry columns --device cpu --check | FileCheck %s
// RUN: sparseflow run %s --entry dropped --device cpu --check | FileCheck %s
// CHECK: check result 0: ok

func.func @rows(%x: tensor<2x17x24xf16>, %y: tensor<2x?x24xf16>) -> tensor<2x17x24xf16> {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %y, %c1 : tensor<2x?x24xf16>
  %r = tensor.insert_slice %y into %x[0, 3, 0] [2, %n, 24] [1, 3, 1] : tensor<2x?x24xf16> into tensor<2x17x24xf16>
  return %r : tensor<2x17x24xf16>
}

func.func @columns(%x: tensor<5x33xf32>, %y: tensor<2x16xf32>) -> tensor<5x33xf32> {
  %e = tensor.empty() : tensor<2x16xf32>
  %z = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>],
      iterator_types = ["parallel", "parallel"]} ins(%y : tensor<2x16xf32>) outs(%e : tensor<2x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = arith.negf %in : f32
    linalg.yield %v : f32
  } -> tensor<2x16xf32>
  %r = tensor.insert_slice %z into %x[1, 1] [2, 16] [3, 2] : tensor<2x16xf32> into tensor<5x33xf32>
  return %r : tensor<5x33xf32>
}

func.func @dropped(%x: tensor<3x4x8xf16>, %y: tensor<4x4xf16>) -> tensor<3x4x8xf16> {
  %r = tensor.insert_slice %y into %x[1, 0, 0] [1, 4, 4] [7, 1, 2] : tensor<4x4xf16> into tensor<3x4x8xf16>
  return %r : tensor<3x4x8xf16>
}
