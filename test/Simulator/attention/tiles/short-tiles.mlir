// Where all tiles visit two stages at most, the first scores of a tile run beside
// the last P V of the one before it: causal and not, with one tile a block, several
// and an odd number of them. With three stages they do not.
//
// RUN: sparseflow run %s --entry causal --device sim --target sm_90a --check --races | FileCheck %s
// RUN: sparseflow run %s --entry full --device sim --target sm_90a --check --races | FileCheck %s
// RUN: sparseflow run %s --entry one --device sim --target sm_90a --check --races | FileCheck %s
// RUN: sparseflow run %s --entry longer --device sim --target sm_90a --check --races | FileCheck %s
// RUN: sparseflow compile %s --target sm_90a --emit sftile -o - | FileCheck %s --check-prefix=FORM
//
// CHECK: check {{.*}} ok
// CHECK: found    nothing: bounds, alignment, operands, races

#rows = #sftile.attention_schedule<"rows", queries = 128, warp = 16, keys = 64, pipeline = #sftile.warp_specialized_attention<stages = 2, grid = 2, ping_pong = true>>
#plain = #sftile.attention_schedule<"plain", queries = 64, warp = 16, keys = 32, pipeline = #sftile.multistage_attention<stages = 2>>

// The first scores of the block in front of the loop over tiles; in it those of the
// next tile, beside P V of this one's last stage, or that alone.
// FORM-LABEL: gpu.func @causal_0_a
// FORM: sftile.ordered_barrier arrive_first
// FORM: scf.if
// FORM: sftile.ordered_barrier wait
// FORM-NOT: transposed
// FORM: sftile.ordered_barrier arrive
// FORM: scf.for
// FORM: scf.for
// FORM: scf.for
// FORM: {{%.*}}:11 = scf.if
// FORM: sftile.ordered_barrier wait
// FORM: sftile.commit_group
// FORM: sftile.commit_group
// FORM: sftile.ordered_barrier arrive
// FORM: } else {
// FORM-NOT: sftile.ordered_barrier
// FORM: sftile.commit_group
// FORM: sftile.tma_store
func.func @causal(%q: tensor<1x5x100x80xf16>, %k: tensor<1x1x100x80xf16>) -> (tensor<1x5x100x80xf16>, tensor<1x5x100xf32>) {
  %o, %l = sparseflow.attention %q, %k, %k {causal, sftile.schedules = [#rows], sftile.unaligned_schedule = #plain}
    : tensor<1x5x100x80xf16>, tensor<1x1x100x80xf16>, tensor<1x1x100x80xf16> -> tensor<1x5x100x80xf16>, tensor<1x5x100xf32>
  return %o, %l : tensor<1x5x100x80xf16>, tensor<1x5x100xf32>
}

func.func @full(%q: tensor<2x2x200x128xf16>, %k: tensor<2x1x70x128xf16>) -> tensor<2x2x200x128xf16> {
  %o = sparseflow.attention %q, %k, %k {sftile.schedules = [#rows], sftile.unaligned_schedule = #plain}
    : tensor<2x2x200x128xf16>, tensor<2x1x70x128xf16>, tensor<2x1x70x128xf16> -> tensor<2x2x200x128xf16>
  return %o : tensor<2x2x200x128xf16>
}

func.func @one(%q: tensor<1x1x64x96xf16>, %k: tensor<1x1x64x96xf16>) -> tensor<1x1x64x96xf16> {
  %o = sparseflow.attention %q, %k, %k {causal, sftile.schedules = [#rows], sftile.unaligned_schedule = #plain}
    : tensor<1x1x64x96xf16>, tensor<1x1x64x96xf16>, tensor<1x1x64x96xf16> -> tensor<1x1x64x96xf16>
  return %o : tensor<1x1x64x96xf16>
}

// FORM-LABEL: gpu.func @longer_0_a
// FORM: sftile.ordered_barrier arrive_first
// FORM-NOT: scf.if
// FORM: scf.for
func.func @longer(%q: tensor<1x3x130x80xf16>, %k: tensor<1x3x130x80xf16>) -> tensor<1x3x130x80xf16> {
  %o = sparseflow.attention %q, %k, %k {causal, sftile.schedules = [#rows], sftile.unaligned_schedule = #plain}
    : tensor<1x3x130x80xf16>, tensor<1x3x130x80xf16>, tensor<1x3x130x80xf16> -> tensor<1x3x130x80xf16>
  return %o : tensor<1x3x130x80xf16>
}
