// Rows that differ only in what they are used for share a kernel: d128 and d128_wave without masks, and
// one query's for few tiles of many keys and for many tiles.
//
// RUN: sparseflow-opt %s --pass-pipeline="builtin.module(func.func(sparseflow-select-schedule{target=sm_90a},sparseflow-materialize-storage),convert-sparseflow-to-sftile)" 2>/dev/null | FileCheck %s

// CHECK-NOT: @full_0_{{[efk](_|$)}}
// CHECK-LABEL: func.func @full
// CHECK: gpu.launch_func @kernels::@full_0_d
// CHECK: gpu.launch_func @kernels::@full_0_d
// CHECK: gpu.launch_func @kernels::@full_0_g
// CHECK: gpu.launch_func @kernels::@full_0_j
// CHECK: gpu.launch_func @kernels::@full_0_j
// CHECK: gpu.launch_func @kernels::@full_0_l
func.func @full(%q: tensor<?x16x?x128xf16>, %k: tensor<?x16x?x128xf16>) -> tensor<?x16x?x128xf16> {
  %o = sparseflow.attention %q, %k, %k
    : tensor<?x16x?x128xf16>, tensor<?x16x?x128xf16>, tensor<?x16x?x128xf16> -> tensor<?x16x?x128xf16>
  return %o : tensor<?x16x?x128xf16>
}
