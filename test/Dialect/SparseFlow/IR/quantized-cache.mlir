// RUN: sparseflow-opt %s --verify-roundtrip | FileCheck %s

!k8 = tensor<?x2x?x64xf16, #sparseflow.quantized<key_int8, scale = token : f16>>
!v4 = tensor<?x2x?x96xf16, #sparseflow.quantized<value_int4, scale = token x 32 : bf16>>

// CHECK-LABEL: func @mixed
// CHECK: sparseflow.attention {{.*}}#sparseflow.quantized<key_int8, scale = token : f16>>
// CHECK-SAME: #sparseflow.quantized<value_int4, scale = token x 32 : bf16>>
func.func @mixed(%q: tensor<?x4x?x64xf16>, %k: !k8, %v: !v4, %n: tensor<?xi32>) -> tensor<?x4x?x96xf16> {
  %o = sparseflow.attention %q, %k, %v lengths(%n : tensor<?xi32>) {causal} : tensor<?x4x?x64xf16>, !k8, !v4 -> tensor<?x4x?x96xf16>
  return %o : tensor<?x4x?x96xf16>
}

!k4 = tensor<9x2x128x64xbf16, #sparseflow.quantized<key_int4, scale = token x 64 : f32>>
!v8 = tensor<9x2x128x64xbf16, #sparseflow.quantized<value_int8, scale = token : f32>>

// CHECK-LABEL: func @paged
// CHECK: sparseflow.attention {{.*}} pages(%{{.*}} : tensor<2x3xi32>) : tensor<2x4x1x64xbf16>, tensor<9x2x128x64xbf16, #sparseflow.quantized<key_int4, scale = token x 64 : f32>>
func.func @paged(%q: tensor<2x4x1x64xbf16>, %k: !k4, %v: !v8, %t: tensor<2x3xi32>) -> tensor<2x4x1x64xbf16> {
  %o = sparseflow.attention %q, %k, %v pages(%t : tensor<2x3xi32>) : tensor<2x4x1x64xbf16>, !k4, !v8 -> tensor<2x4x1x64xbf16>
  return %o : tensor<2x4x1x64xbf16>
}

// CHECK-LABEL: func @append
// CHECK: sparseflow.cache_append %{{.*}}, %{{.*}} at %{{.*}} : tensor<?x2x?x96xf16, #sparseflow.quantized<value_int4, scale = token x 32 : bf16>>
func.func @append(%c: !v4, %t: tensor<?x2x5x96xf16>, %n: tensor<?xi32>) -> !v4 {
  %r = sparseflow.cache_append %c, %t at %n : !v4, tensor<?x2x5x96xf16>, tensor<?xi32>
  return %r : !v4
}

// CHECK-LABEL: func @append_to_pages
// CHECK: sparseflow.cache_append %{{.*}}, %{{.*}} at %{{.*}} pages(%{{.*}} : tensor<2x3xi32>) : tensor<9x2x128x64xbf16
func.func @append_to_pages(%c: !k4, %x: tensor<2x2x1x64xbf16>, %n: tensor<2xi32>, %t: tensor<2x3xi32>) -> !k4 {
  %r = sparseflow.cache_append %c, %x at %n pages(%t : tensor<2x3xi32>) : !k4, tensor<2x2x1x64xbf16>, tensor<2xi32>
  return %r : !k4
}
