// Programs whose results cannot be checked row by row.
// RUN: split-file %s %t
// RUN: not sparseflow run %t/matmul.mlir --device cpu --check=sampled:2 2>&1 | FileCheck %s --check-prefix=MATMUL
// RUN: not sparseflow run %t/rotation.mlir --device cpu --check=sampled:2 2>&1 | FileCheck %s --check-prefix=ROTATION
// RUN: not sparseflow run %t/attention.mlir --device cpu --check=sampled:2 2>&1 | FileCheck %s --check-prefix=ATTENTION
// RUN: not sparseflow run %t/lse.mlir --device cpu --check=sampled:2 2>&1 | FileCheck %s --check-prefix=LSE
// RUN: not sparseflow run %t/quantize.mlir --device cpu --check=sampled:2 2>&1 | FileCheck %s --check-prefix=QUANTIZE
// RUN: not sparseflow run %t/append.mlir --device cpu --check=sampled:2 2>&1 | FileCheck %s --check-prefix=APPEND
// MATMUL: rows cannot be checked apart: step 0 makes per-token values by a matmul; use a full check
// ROTATION: rows cannot be checked apart: step 0 makes per-token values by a rotation; use a full check
// ATTENTION: rows cannot be checked apart: step 0 makes per-token values by attention; use a full check
// LSE: rows cannot be checked apart: step 0 makes log-sum-exps that are not used by the rows of its result; use a full check
// QUANTIZE: rows cannot be checked apart: step 0 makes activations that are used both by rows and as a whole; use a full check
// APPEND: rows cannot be checked apart: step 0 appends to a cache; use a full check

//--- matmul.mlir
#e = affine_map<(t, n, e) -> (t, n)>
#all = affine_map<(t, n, e) -> (t, n, e)>
func.func @matmul(%x: tensor<8x64xf16>, %w: tensor<32x64xf16>) -> tensor<8x32x2xf32> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<8x64xf16>, tensor<32x64xf16> -> tensor<8x32xf32>
  %e = tensor.empty() : tensor<8x32x2xf32>
  %z = linalg.generic {indexing_maps = [#e, #all], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%y : tensor<8x32xf32>) outs(%e : tensor<8x32x2xf32>) {
  ^bb0(%a: f32, %o: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  } -> tensor<8x32x2xf32>
  return %z : tensor<8x32x2xf32>
}

//--- rotation.mlir
#e = affine_map<(t, n, e) -> (t, n)>
#all = affine_map<(t, n, e) -> (t, n, e)>
func.func @rotation(%x: tensor<8x64xf16>) -> tensor<8x64x2xf16> {
  %y = sparseflow.hadamard %x block 64 : tensor<8x64xf16>
  %e = tensor.empty() : tensor<8x64x2xf16>
  %z = linalg.generic {indexing_maps = [#e, #all], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%y : tensor<8x64xf16>) outs(%e : tensor<8x64x2xf16>) {
  ^bb0(%a: f16, %o: f16):
    %n = arith.negf %a : f16
    linalg.yield %n : f16
  } -> tensor<8x64x2xf16>
  return %z : tensor<8x64x2xf16>
}

//--- attention.mlir
#e = affine_map<(b, h, s, d, e) -> (b, h, s, d)>
#all = affine_map<(b, h, s, d, e) -> (b, h, s, d, e)>
func.func @attention(%x: tensor<1x2x8x64xf16>) -> tensor<1x2x8x64x2xf16> {
  %y = sparseflow.attention %x, %x, %x : tensor<1x2x8x64xf16>, tensor<1x2x8x64xf16>, tensor<1x2x8x64xf16> -> tensor<1x2x8x64xf16>
  %e = tensor.empty() : tensor<1x2x8x64x2xf16>
  %z = linalg.generic {indexing_maps = [#e, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
    ins(%y : tensor<1x2x8x64xf16>) outs(%e : tensor<1x2x8x64x2xf16>) {
  ^bb0(%a: f16, %o: f16):
    %n = arith.negf %a : f16
    linalg.yield %n : f16
  } -> tensor<1x2x8x64x2xf16>
  return %z : tensor<1x2x8x64x2xf16>
}

//--- lse.mlir
func.func @lse(%x: tensor<1x2x8x64xf16>) -> tensor<1x2x8xf32> {
  %y, %lse = sparseflow.attention %x, %x, %x : tensor<1x2x8x64xf16>, tensor<1x2x8x64xf16>, tensor<1x2x8x64xf16> -> tensor<1x2x8x64xf16>, tensor<1x2x8xf32>
  return %lse : tensor<1x2x8xf32>
}

//--- quantize.mlir
#e = affine_map<(t, n, e) -> (t, n)>
#all = affine_map<(t, n, e) -> (t, n, e)>
func.func @quantize(%x: tensor<8x64xf16>) -> tensor<8x64x2xf32> {
  %y, %s = sparseflow.quantize %x : tensor<8x64xf16> -> tensor<8x64xi8>, tensor<8xf32>
  %e = tensor.empty() : tensor<8x64x2xf32>
  %z = linalg.generic {indexing_maps = [#e, #all], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%y : tensor<8x64xi8>) outs(%e : tensor<8x64x2xf32>) {
  ^bb0(%a: i8, %o: f32):
    %n = arith.sitofp %a : i8 to f32
    linalg.yield %n : f32
  } -> tensor<8x64x2xf32>
  return %z : tensor<8x64x2xf32>
}

//--- append.mlir
!cache = tensor<2x2x64x64xf16, #sparseflow.quantized<key_int8, scale = token : f16>>
func.func @append(%c: !cache, %t: tensor<2x2x1x64xf16>, %n: tensor<2xi32>) -> !cache {
  %r = sparseflow.cache_append %c, %t at %n : !cache, tensor<2x2x1x64xf16>, tensor<2xi32>
  return %r : !cache
}
