// Without masks, tiles of two warpgroups in one wave take the place of those of
// one only where the latter would take two: five of 64 queries are a wave of this
// table, six are not.
//
// RUN: sparseflow run %s --entry six --device sim --target sm_90a --check --races \
// RUN:   --schedule-file %S/Inputs/attention_wave.json | FileCheck %s --check-prefixes=SIX,CHECK
// RUN: sparseflow run %s --entry four --device sim --target sm_90a --check --races \
// RUN:   --schedule-file %S/Inputs/attention_wave.json | FileCheck %s --check-prefixes=FOUR,CHECK
//
// SIX: simulator (sm_90a, 3 blocks)
// FOUR: simulator (sm_90a, 4 blocks)
// CHECK: check {{.*}} ok
// CHECK: found    nothing: bounds, alignment, operands, races

func.func @six(%q: tensor<1x3x100x64xf16>, %k: tensor<1x3x150x64xf16>) -> tensor<1x3x100x64xf16> {
  %o = sparseflow.attention %q, %k, %k
    : tensor<1x3x100x64xf16>, tensor<1x3x150x64xf16>, tensor<1x3x150x64xf16> -> tensor<1x3x100x64xf16>
  return %o : tensor<1x3x100x64xf16>
}

func.func @four(%q: tensor<1x2x100x64xf16>, %k: tensor<1x2x150x64xf16>) -> tensor<1x2x100x64xf16> {
  %o = sparseflow.attention %q, %k, %k
    : tensor<1x2x100x64xf16>, tensor<1x2x150x64xf16>, tensor<1x2x150x64xf16> -> tensor<1x2x100x64xf16>
  return %o : tensor<1x2x100x64xf16>
}
