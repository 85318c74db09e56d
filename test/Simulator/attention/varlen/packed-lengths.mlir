// Heads of a query are packed into a tile, and entries have lengths of their own: no
// plan, whose tiles are those of one head, but the tiles in order.
//
// RUN: sparseflow run %s --device sim --target sm_90a --dim T=3 --check --races | FileCheck %s
// RUN: sparseflow compile %s --target sm_90a --emit sftile -o - | FileCheck %s --check-prefix=KERNELS
//
// CHECK: result 0: ok
// CHECK: found    nothing
// KERNELS: gpu.func @f_0_a(
// KERNELS-NOT: _plan

#packed = #sftile.attention_schedule<"packed", queries = 64, warp = 16, keys = 64, packed = true, max_queries = 1, min_blocks = 1, pipeline = #sftile.warp_specialized_attention<stages = 2, grid = 2>>
#plain = #sftile.attention_schedule<"plain", queries = 64, warp = 16, keys = 32, pipeline = #sftile.multistage_attention<stages = 2>>
func.func @f(%q: tensor<?x8x1x64xf16>, %k: tensor<?x2x100x64xf16>, %v: tensor<?x2x100x64xf16>, %n: tensor<?xi32>) -> tensor<?x8x1x64xf16> {
  %o = sparseflow.attention %q, %k, %v lengths(%n : tensor<?xi32>) {sftile.schedules = [#packed, #plain], sftile.unaligned_schedule = #plain}
    : tensor<?x8x1x64xf16>, tensor<?x2x100x64xf16>, tensor<?x2x100x64xf16> -> tensor<?x8x1x64xf16>
  return %o : tensor<?x8x1x64xf16>
}
