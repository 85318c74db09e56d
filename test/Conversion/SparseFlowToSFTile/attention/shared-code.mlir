// Rows that differ only in what they are used for share a kernel: d128 and d128_wave without masks, with a
// causal one d128 and those for chunks and prompts, and one query's for few tiles of many keys and for many.
//
// RUN: sparseflow-opt %s --pass-pipeline="builtin.module(func.func(sparseflow-select-schedule{target=sm_90a},sparseflow-materialize-storage),convert-sparseflow-to-sftile)" 2>/dev/null | FileCheck %s

// CHECK-NOT: gpu.func @full_0_{{[efjor](_|$|\()}}
// CHECK-NOT: @quantized_0_{{[b-z]}}_merge
// CHECK-NOT: gpu.func @entry_0_g(
// CHECK-NOT: further_tokens
// CHECK-LABEL: func.func @full
// CHECK-COUNT-3: gpu.launch_func @kernels::@full_0_d blocks
// CHECK: gpu.launch_func @kernels::@full_0_g blocks
// CHECK-COUNT-2: gpu.launch_func @kernels::@full_0_i blocks
// CHECK: gpu.launch_func @kernels::@full_0_k blocks
// CHECK-COUNT-2: gpu.launch_func @kernels::@full_0_n blocks
// CHECK: gpu.launch_func @kernels::@full_0_p blocks
// CHECK: gpu.launch_func @kernels::@full_0_q blocks
// CHECK: gpu.launch_func @kernels::@full_0_p blocks
func.func @full(%q: tensor<?x16x?x128xf16>, %k: tensor<?x16x?x128xf16>) -> tensor<?x16x?x128xf16> {
  %o = sparseflow.attention %q, %k, %k
    : tensor<?x16x?x128xf16>, tensor<?x16x?x128xf16>, tensor<?x16x?x128xf16> -> tensor<?x16x?x128xf16>
  return %o : tensor<?x16x?x128xf16>
}

// Of up to so many queries or of any number, tiles of one head each where there is no plan.
// CHECK-LABEL: func.func @causal
// CHECK-COUNT-5: gpu.launch_func @kernels::@causal_0_n blocks
// CHECK-NOT: gpu.launch_func @kernels::@causal_0_n blocks
// CHECK: return
func.func @causal(%q: tensor<?x16x?x128xf16>, %k: tensor<?x16x?x128xf16>) -> tensor<?x16x?x128xf16> {
  %o = sparseflow.attention %q, %k, %k {causal}
    : tensor<?x16x?x128xf16>, tensor<?x16x?x128xf16>, tensor<?x16x?x128xf16> -> tensor<?x16x?x128xf16>
  return %o : tensor<?x16x?x128xf16>
}

// Partials are combined by one kernel, whatever row of the table they are of.
// CHECK-LABEL: func.func @quantized
// CHECK: gpu.launch_func @kernels::@quantized_0_a {{.*}}
// CHECK: gpu.launch_func @kernels::@quantized_0_a_merge
// CHECK: gpu.launch_func @kernels::@quantized_0_b {{.*}}
// CHECK: gpu.launch_func @kernels::@quantized_0_a_merge
!cache_k = tensor<?x8x?x128xf16, #sparseflow.quantized<key_int8, scale = token : f16>>
!cache_v = tensor<?x8x?x128xf16, #sparseflow.quantized<value_int8, scale = token : f16>>
func.func @quantized(%q: tensor<?x32x1x128xf16>, %k: !cache_k, %v: !cache_v) -> tensor<?x32x1x128xf16> {
  %o = sparseflow.attention %q, %k, %v
    : tensor<?x32x1x128xf16>, !cache_k, !cache_v -> tensor<?x32x1x128xf16>
  return %o : tensor<?x32x1x128xf16>
}

// A batch of one entry has no kernel that divides keys of several lengths.
// CHECK-LABEL: func.func @entry
// CHECK: gpu.launch_func @kernels::@entry_0_g_one
// CHECK: gpu.launch_func @kernels::@entry_0_any
func.func @entry(%q: tensor<1x32x1x128xf16>, %k: tensor<1x8x?x128xf16>, %n: tensor<1xi32>) -> tensor<1x32x1x128xf16> {
  %o = sparseflow.attention %q, %k, %k lengths(%n : tensor<1xi32>)
    : tensor<1x32x1x128xf16>, tensor<1x8x?x128xf16>, tensor<1x8x?x128xf16> -> tensor<1x32x1x128xf16>
  return %o : tensor<1x32x1x128xf16>
}
