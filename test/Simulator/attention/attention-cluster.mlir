// Clusters of two blocks on sizes that are known: three tiles of queries for each
// head, so that one block of the last pair has none, and pairs whose blocks end
// at different keys, as do two groups of heads.
//
// RUN: sparseflow run %s --device sim --target sm_90a --check --races \
// RUN:   --schedule-file %S/../Inputs/attention_cluster.json | FileCheck %s
// RUN: sparseflow compile %s --target sm_90a --emit sftile \
// RUN:   --schedule-file %S/../Inputs/attention_cluster.json | FileCheck %s --check-prefix=TILES
//
// CHECK: check {{.*}} ok
// CHECK: found    nothing: bounds, alignment, operands, races
// TILES: gpu.func @pairs_0_a{{.*}}nvvm.cluster_dim = array<i32: 2, 1, 1>
// TILES-COUNT-4: sftile.copy {{.*}} shared_by 2

func.func @pairs(%q: tensor<2x4x300x64xf16>, %k: tensor<2x2x320x64xf16>,
                 %v: tensor<2x2x320x64xf16>) -> tensor<2x4x300x64xf16> {
  %o = sparseflow.attention %q, %k, %v {causal}
    : tensor<2x4x300x64xf16>, tensor<2x2x320x64xf16>, tensor<2x2x320x64xf16> -> tensor<2x4x300x64xf16>
  return %o : tensor<2x4x300x64xf16>
}
