// A cache that grows is passed twice; the comment says so, and how large it is.
//
// RUN: sparseflow compile %s --emit header --target sm_90 -o %t.h
// RUN: FileCheck %s < %t.h
// RUN: cc -std=c11 -Wall -Wextra -Werror -fsyntax-only -I %S/../../../runtime/include -x c %t.h

// CHECK:      k in f16 [T][2][T1][128], ternary, packed as ternk.v1 (2304 bytes for 64 positions of a head, aligned to 256)
// CHECK-NEXT: v in bf16 [T][2][T2][96], ternary, packed as ternv.v1 (2064 bytes for 64 positions of a head, aligned to 256)
// CHECK:      result0 out f16 [T][2][T1][128], ternary, packed as ternk.v1 (2304 bytes for 64 positions of a head, aligned to 256); updated in place: pass k
// CHECK-NEXT: result1 out bf16 [T][2][T2][96], ternary, packed as ternv.v1 (2064 bytes for 64 positions of a head, aligned to 256); updated in place: pass v
// CHECK: sf_status grow({{.*}}const void *k

!keys = tensor<?x2x?x128xf16, #sparseflow.ternary<key_planes, scale = token : f32>>
!values = tensor<?x2x?x96xbf16, #sparseflow.ternary<value_planes, scale = 32 : f32>>
func.func @grow(%k: !keys, %v: !values, %s: tensor<?x2x1x128xf16>, %t: tensor<?x2x1x96xbf16>,
                %n: tensor<?xi32>) -> (!keys, !values) {
  %0 = sparseflow.cache_append %k, %s at %n by <twn> : !keys, tensor<?x2x1x128xf16>, tensor<?xi32>
  %1 = sparseflow.cache_append %v, %t at %n by <absmean> : !values, tensor<?x2x1x96xbf16>, tensor<?xi32>
  return %0, %1 : !keys, !values
}
