// RUN: sparseflow-opt %s --verify-roundtrip | FileCheck %s
// RUN: sparseflow-opt %s --canonicalize | FileCheck %s --check-prefix=CANON

// CHECK-LABEL: func @keys
// CHECK: sparseflow.attention {{.*}}#sparseflow.ternary<key_planes, scale = token : f32>
func.func @keys(%q: tensor<?x4x?x64xf16>, %k: tensor<?x2x?x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>, %v: tensor<?x2x?x64xf16>) -> tensor<?x4x?x64xf16> {
  %o = sparseflow.attention %q, %k, %v {causal} : tensor<?x4x?x64xf16>, tensor<?x2x?x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>, tensor<?x2x?x64xf16> -> tensor<?x4x?x64xf16>
  return %o : tensor<?x4x?x64xf16>
}

// CHECK-LABEL: func @both
// CHECK: plane_mask = 64
// CHECK-SAME: #sparseflow.ternary<value_planes, scale = 32 : f16>
func.func @both(%q: tensor<?x4x?x64xf16>, %k: tensor<?x2x?x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>, %v: tensor<?x2x?x64xf16, #sparseflow.ternary<value_planes, scale = 32 : f16>>, %n: tensor<?xi32>) -> tensor<?x4x?x64xf16> {
  %o = sparseflow.attention %q, %k, %v lengths(%n : tensor<?xi32>)
    {plane_mask = 64 : i64} : tensor<?x4x?x64xf16>, tensor<?x2x?x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>, tensor<?x2x?x64xf16, #sparseflow.ternary<value_planes, scale = 32 : f16>> -> tensor<?x4x?x64xf16>
  return %o : tensor<?x4x?x64xf16>
}

// One query sees every key, so nothing is left for planes to be masked by.
// CANON-LABEL: func @one_query
// CANON-NOT: plane_mask
// CANON: return
func.func @one_query(%q: tensor<2x4x1x64xf16>, %k: tensor<2x2x64x64xf16, #sparseflow.ternary<key_planes, scale = head : bf16>>, %v: tensor<2x2x64x64xf16>) -> tensor<2x4x1x64xf16> {
  %o = sparseflow.attention %q, %k, %v {causal, plane_mask = 32 : i64} : tensor<2x4x1x64xf16>, tensor<2x2x64x64xf16, #sparseflow.ternary<key_planes, scale = head : bf16>>, tensor<2x2x64x64xf16> -> tensor<2x4x1x64xf16>
  return %o : tensor<2x4x1x64xf16>
}

// CHECK-LABEL: func @append
// CHECK: sparseflow.cache_append %{{.*}}, %{{.*}} at %{{.*}} by <twn>
func.func @append(%c: tensor<?x2x?x64xf16, #sparseflow.ternary<value_planes, scale = 32 : f16>>, %t: tensor<?x2x?x64xf16>, %n: tensor<?xi32>) -> tensor<?x2x?x64xf16, #sparseflow.ternary<value_planes, scale = 32 : f16>> {
  %r = sparseflow.cache_append %c, %t at %n by <twn> : tensor<?x2x?x64xf16, #sparseflow.ternary<value_planes, scale = 32 : f16>>, tensor<?x2x?x64xf16>, tensor<?xi32>
  return %r : tensor<?x2x?x64xf16, #sparseflow.ternary<value_planes, scale = 32 : f16>>
}
