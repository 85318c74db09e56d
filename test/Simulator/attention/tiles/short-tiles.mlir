// Tiles of few stages: causal and not, with one tile a block, several and an odd
// number of them. Of packed sequences the first scores of a tile run beside the last
// P V of the one before it. Causal sizes between one stage and two are compiled to
// PTX, where copies of accumulators in front of a wait for them would be refused.
//
// RUN: sparseflow run %s --entry causal --device sim --target sm_90a --check --races | FileCheck %s
// RUN: sparseflow run %s --entry full --device sim --target sm_90a --check --races | FileCheck %s
// RUN: sparseflow run %s --entry one --device sim --target sm_90a --check --races | FileCheck %s
// RUN: sparseflow run %s --entry longer --device sim --target sm_90a --check --races | FileCheck %s
// RUN: sparseflow compile %s --target sm_90a --emit sftile -o - | FileCheck %s --check-prefix=FORM
// RUN: sparseflow compile %s --target sm_90a --emit ptx -o %t.ptx
//
// CHECK: check {{.*}} ok
// CHECK: found    nothing: bounds, alignment, operands, races

#rows = #sftile.attention_schedule<"rows", queries = 128, warp = 16, keys = 64, pipeline = #sftile.warp_specialized_attention<stages = 2, grid = 2, ping_pong = true>>
#plain = #sftile.attention_schedule<"plain", queries = 64, warp = 16, keys = 32, pipeline = #sftile.multistage_attention<stages = 2>>

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

func.func @longer(%q: tensor<1x3x130x80xf16>, %k: tensor<1x3x130x80xf16>) -> tensor<1x3x130x80xf16> {
  %o = sparseflow.attention %q, %k, %k {causal, sftile.schedules = [#rows], sftile.unaligned_schedule = #plain}
    : tensor<1x3x130x80xf16>, tensor<1x3x130x80xf16>, tensor<1x3x130x80xf16> -> tensor<1x3x130x80xf16>
  return %o : tensor<1x3x130x80xf16>
}

func.func @between(%q: tensor<2x32x129x128xf16>, %k: tensor<2x8x129x128xf16>) -> tensor<2x32x129x128xf16> {
  %o = sparseflow.attention %q, %k, %k {causal} : tensor<2x32x129x128xf16>, tensor<2x8x129x128xf16>, tensor<2x8x129x128xf16> -> tensor<2x32x129x128xf16>
  return %o : tensor<2x32x129x128xf16>
}

func.func @between_96(%q: tensor<14x8x87x96xf16>, %k: tensor<14x8x237x96xf16>) -> tensor<14x8x87x96xf16> {
  %o = sparseflow.attention %q, %k, %k {causal} : tensor<14x8x87x96xf16>, tensor<14x8x237x96xf16>, tensor<14x8x237x96xf16> -> tensor<14x8x87x96xf16>
  return %o : tensor<14x8x87x96xf16>
}

// The first scores of the block in front of the loop over tiles; in it those of the
// next tile, beside P V of this one's last stage, or that alone.
// FORM-LABEL: gpu.func @packed_0_a
// FORM: sftile.ordered_barrier arrive_first
// FORM: scf.if
// FORM: sftile.ordered_barrier wait
// FORM-NOT: transposed
// FORM: sftile.ordered_barrier arrive
// FORM: scf.for
// FORM: scf.for
// FORM: scf.for
// FORM: {{%.*}}:{{[0-9]+}} = scf.if
// FORM: sftile.ordered_barrier wait
// FORM: sftile.commit_group
// FORM: sftile.commit_group
// FORM: sftile.ordered_barrier arrive
// FORM: } else {
// FORM-NOT: sftile.ordered_barrier
// FORM: sftile.commit_group
// FORM: sftile.tma_store
func.func @packed(%q: tensor<1x4x?x128xf16>, %k: tensor<1x2x?x128xf16>, %cu: tensor<?xi32>) -> tensor<1x4x?x128xf16> {
  %o = sparseflow.attention %q, %k, %k cu_seqlens(%cu, %cu : tensor<?xi32>, tensor<?xi32>) {causal}
    : tensor<1x4x?x128xf16>, tensor<1x2x?x128xf16>, tensor<1x2x?x128xf16> -> tensor<1x4x?x128xf16>
  return %o : tensor<1x4x?x128xf16>
}
