// Keys and values of 8 bits that producer warps dequantize beside two warpgroups, under a
// causal mask, with sizes that are known: which columns a stage's mask compares is known then,
// too, and is not kept in registers. One kernel takes every call whose pointers are aligned, so
// that neither those of other rows nor a kernel in front are there, nor a workspace.
// REQUIRES: ptxas
// RUN: sparseflow compile %s --target sm_90a --emit bundle -o %t --remarks 2>&1 | FileCheck %s --implicit-check-not="compiled again"
// RUN: FileCheck %s --check-prefix=MANIFEST < %t/manifest.json
!q = tensor<8x16x256x128xf16>
!k = tensor<8x16x2048x128xf16, #sparseflow.quantized<key_int8, scale = token : f16>>
!v = tensor<8x16x2048x128xf16, #sparseflow.quantized<value_int8, scale = token : f16>>
// CHECK: sm90a.attention.cached_d128 has no kernel: one in front of it takes every call that it would
// CHECK: 'prompt_0_a' on sm_90a: 168 registers, {{.*}} no spills
// MANIFEST-NOT: prompt_0_dequantize
// MANIFEST: "kernel": "prompt_0_a"
// MANIFEST-NOT: prompt_0_{{[b-z]}}
// MANIFEST: "kernel": "prompt_0_any"
// MANIFEST: "workspace": 0
func.func @prompt(%q: !q, %k: !k, %v: !v) -> !q {
  %o = sparseflow.attention %q, %k, %v {causal} : !q, !k, !v -> !q
  return %o : !q
}

// Sizes that are not known: blocks of one warpgroup, too.
// CHECK-DAG: 'chunk_0_{{[a-z]}}' on sm_90a: 255 registers, {{.*}} no spills
// CHECK-DAG: 'chunk_0_{{[a-z]}}' on sm_90a: 168 registers, {{.*}} no spills
!qs = tensor<?x16x?x128xf16>
!ks = tensor<?x16x?x128xf16, #sparseflow.quantized<key_e4m3, scale = token : f16>>
!vs = tensor<?x16x?x128xf16, #sparseflow.quantized<value_e4m3, scale = token : f16>>
func.func @chunk(%q: !qs, %k: !ks, %v: !vs) -> !qs {
  %o = sparseflow.attention %q, %k, %v {causal} : !qs, !ks, !vs -> !qs
  return %o : !qs
}
