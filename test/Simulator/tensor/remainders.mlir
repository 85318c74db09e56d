// RUN: sparseflow run --device sim --check --races --target sm_80 --dim T=5 %s | FileCheck %s
// RUN: sparseflow run --device sim --check --races --target sm_90a --dim T=3 --unaligned %s | FileCheck %s

// Columns of a row and of tables by remainders: in vectors where start and divisor are
// multiples of one, one by one where they are not.
// CHECK: check result 0: ok
// CHECK: check result 1: ok
// CHECK: found nothing: bounds, alignment, operands, races

#id = affine_map<(t, n) -> (t, n)>

func.func @remainders(%x: tensor<?x64xf16>, %half: tensor<3x32xf32>, %z: tensor<?x24xf16>, %few: tensor<3x16xf16>) -> (tensor<?x64xf16>, tensor<?x24xf32>) {
  %c0 = arith.constant 0 : index
  %T = tensor.dim %x, %c0 : tensor<?x64xf16>
  %e0 = tensor.empty(%T) : tensor<?x64xf16>
  %e1 = tensor.empty(%T) : tensor<?x24xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x64xf16>) outs(%e0 : tensor<?x64xf16>) {
  ^bb0(%in: f16, %out: f16):
    %t = linalg.index 0 : index
    %d = linalg.index 1 : index
    %three = arith.constant 3 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %row = arith.remsi %t, %three : index
    %pair = arith.remsi %d, %c32 : index
    %behind = arith.addi %d, %c32 : index
    %other = arith.remsi %behind, %c64 : index
    %a = tensor.extract %x[%t, %other] : tensor<?x64xf16>
    %c = tensor.extract %half[%row, %pair] : tensor<3x32xf32>
    %0 = arith.extf %a : f16 to f32
    %1 = arith.mulf %0, %c : f32
    %2 = arith.extf %in : f16 to f32
    %3 = arith.addf %1, %2 : f32
    %4 = arith.truncf %3 : f32 to f16
    linalg.yield %4 : f16
  } -> tensor<?x64xf16>
  %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%z : tensor<?x24xf16>) outs(%e1 : tensor<?x24xf32>) {
  ^bb0(%in: f16, %out: f32):
    %t = linalg.index 0 : index
    %d = linalg.index 1 : index
    %three = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %c24 = arith.constant 24 : index
    %row = arith.remsi %t, %three : index
    %column = arith.remsi %d, %c16 : index
    %behind = arith.addi %d, %c4 : index
    %other = arith.remsi %behind, %c24 : index
    %a = tensor.extract %z[%t, %other] : tensor<?x24xf16>
    %c = tensor.extract %few[%row, %column] : tensor<3x16xf16>
    %0 = arith.mulf %a, %c : f16
    %1 = arith.extf %0 : f16 to f32
    %2 = arith.extf %in : f16 to f32
    %3 = arith.addf %1, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<?x24xf32>
  return %y, %w : tensor<?x64xf16>, tensor<?x24xf32>
}
