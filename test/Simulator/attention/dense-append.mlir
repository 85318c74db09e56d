// New tokens of dense caches, in both layouts: at any length, some of them before the
// first position or behind the last, and computed where they are written. Every other
// element keeps its bits, and nothing outside of the cache is touched.

// RUN: %python %S/../Inputs/write_lengths.py %t
// RUN: sparseflow run %s --device sim --races --entry bshd --check --dim T=2 --dim T1=64 --dim T2=7 --arg n=%t/low.npy | FileCheck %s
// RUN: sparseflow run %s --device sim --races --unaligned --target sm_90a --entry bshd --check --dim T=2 --dim T1=37 --dim T2=5 --arg n=%t/high.npy | FileCheck %s
// RUN: sparseflow run %s --device sim --races --target sm_90a --entry rotated --check --dim T=33 --arg n=%t/low.npy | FileCheck %s
// RUN: sparseflow run %s --device sim --entry rotated --check --dim T=33 --arg n=%t/high.npy | FileCheck %s
// RUN: sparseflow run %s --device cpu --entry bshd --check --dim T=2 --dim T1=37 --dim T2=5 --arg n=%t/high.npy | FileCheck %s
// RUN: sparseflow run %s --device cpu --entry rotated --check --dim T=33 --arg n=%t/low.npy | FileCheck %s
// RUN: sparseflow run %s --device sim --races --entry decode --check --dim T=2 --dim T1=37 --arg n=%t/low.npy | FileCheck %s --check-prefix=DECODE
// CHECK: result 0: ok
// DECODE: result 0: ok
// DECODE: result 1: ok

// The kernel of the tokens is the kernel of the append.
// RUN: sparseflow-opt %s --sparseflow-form-kernels | FileCheck %s --check-prefix=FORM
// FORM-LABEL: func.func @rotated
// FORM: linalg.generic {{.*}} attrs = {sparseflow.inlined}
// FORM: sparseflow.cache_append {{.*}} {sparseflow.kernel = "map"}
// What reads the cache in front of the append is not computed behind it.
// FORM-LABEL: func.func @decode
// FORM: linalg.generic {{.*}} attrs = {sparseflow.kernel = "map"}
// FORM: sparseflow.cache_append

#all = affine_map<(a, b, c, d) -> (a, b, c, d)>
func.func @bshd(%cache: tensor<?x?x2x24xf16>, %new: tensor<?x?x2x24xf16>,
                %n: tensor<?xi32>) -> tensor<?x?x2x24xf16> {
  %0 = sparseflow.cache_append %cache, %new at %n
    {layout = #sparseflow.attention_layout<bshd>}
    : tensor<?x?x2x24xf16>, tensor<?x?x2x24xf16>, tensor<?xi32>
  return %0 : tensor<?x?x2x24xf16>
}

func.func @rotated(%cache: tensor<2x3x40x5xbf16>, %new: tensor<2x3x?x5xbf16>,
                   %n: tensor<2xi32>) -> tensor<2x3x40x5xbf16> {
  %c2 = arith.constant 2 : index
  %t = tensor.dim %new, %c2 : tensor<2x3x?x5xbf16>
  %e = tensor.empty(%t) : tensor<2x3x?x5xbf16>
  %d = linalg.generic {indexing_maps = [#all, #all],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%new : tensor<2x3x?x5xbf16>) outs(%e : tensor<2x3x?x5xbf16>) {
  ^bb0(%x: bf16, %o: bf16):
    %y = arith.negf %x : bf16
    linalg.yield %y : bf16
  } -> tensor<2x3x?x5xbf16>
  %0 = sparseflow.cache_append %cache, %d at %n
    : tensor<2x3x40x5xbf16>, tensor<2x3x?x5xbf16>, tensor<2xi32>
  return %0 : tensor<2x3x40x5xbf16>
}

func.func @decode(%cache: tensor<?x?x2x16xf16>, %new: tensor<?x1x2x16xf16>,
                  %q: tensor<?x1x4x16xf16>, %n: tensor<?xi32>)
    -> (tensor<?x1x4x16xf16>, tensor<?x?x2x16xf16>) {
  %c0 = arith.constant 0 : index
  %b = tensor.dim %new, %c0 : tensor<?x1x2x16xf16>
  %e = tensor.empty(%b) : tensor<?x1x2x16xf16>
  // The first token of the cache as it was.
  %first = linalg.generic {indexing_maps = [#all, #all],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%new : tensor<?x1x2x16xf16>) outs(%e : tensor<?x1x2x16xf16>) {
  ^bb0(%x: f16, %o: f16):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %l = linalg.index 3 : index
    %old = tensor.extract %cache[%i, %j, %k, %l] : tensor<?x?x2x16xf16>
    %y = arith.addf %x, %old : f16
    linalg.yield %y : f16
  } -> tensor<?x1x2x16xf16>
  %0 = sparseflow.cache_append %cache, %first at %n
    {layout = #sparseflow.attention_layout<bshd>}
    : tensor<?x?x2x16xf16>, tensor<?x1x2x16xf16>, tensor<?xi32>
  %1 = sparseflow.attention %q, %0, %0
    {layout = #sparseflow.attention_layout<bshd>}
    : tensor<?x1x4x16xf16>, tensor<?x?x2x16xf16>, tensor<?x?x2x16xf16>
      -> tensor<?x1x4x16xf16>
  return %1, %0 : tensor<?x1x4x16xf16>, tensor<?x?x2x16xf16>
}
