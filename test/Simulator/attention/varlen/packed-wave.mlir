// Where tiles of 64 queries of packed sequences would be two waves of this table, tiles of 32
// queries of each of four heads are one: for chunks behind at least twice as many keys, and for
// short sequences whose heads share tiles. Others take 64 queries of one head, as sequences do
// that have fewer than 64 queries and share none. (Blocks are those of the kernel, 5 or 16, and
// of its plan.)
//
// RUN: sparseflow run %s --entry chunk --device sim --target sm_90a --check --races \
// RUN:   --schedule-file %S/Inputs/packed_wave.json | FileCheck %s --check-prefixes=HIGH,CHECK
// RUN: sparseflow run %s --entry prompt --device sim --target sm_90a --check --races \
// RUN:   --schedule-file %S/Inputs/packed_wave.json | FileCheck %s --check-prefixes=LOW,CHECK
// RUN: sparseflow run %s --entry short --device sim --target sm_90a --check --races \
// RUN:   --schedule-file %S/Inputs/packed_wave.json | FileCheck %s --check-prefixes=HIGH,CHECK
// RUN: sparseflow run %s --entry few --device sim --target sm_90a --check --races \
// RUN:   --schedule-file %S/Inputs/packed_wave.json | FileCheck %s --check-prefixes=HIGH,CHECK
// RUN: sparseflow run %s --entry fewer --device sim --target sm_90a --check --races \
// RUN:   --schedule-file %S/Inputs/packed_wave.json | FileCheck %s --check-prefixes=LOW,CHECK
//
// HIGH: simulator (sm_90a, {{[78]}} blocks)
// LOW: simulator (sm_90a, {{1[89]}} blocks)
// CHECK: check {{.*}} ok
// CHECK: found    nothing: bounds, alignment, operands, races

func.func @chunk(%q: tensor<1x4x100x64xf16>, %k: tensor<1x1x210x64xf16>, %n: tensor<2xi32>, %m: tensor<2xi32>) -> tensor<1x4x100x64xf16> {
  %o = sparseflow.attention %q, %k, %k cu_seqlens(%n, %m : tensor<2xi32>, tensor<2xi32>) {causal}
    : tensor<1x4x100x64xf16>, tensor<1x1x210x64xf16>, tensor<1x1x210x64xf16> -> tensor<1x4x100x64xf16>
  return %o : tensor<1x4x100x64xf16>
}

func.func @prompt(%q: tensor<1x4x100x64xf16>, %k: tensor<1x1x100x64xf16>, %n: tensor<2xi32>, %m: tensor<2xi32>) -> tensor<1x4x100x64xf16> {
  %o = sparseflow.attention %q, %k, %k cu_seqlens(%n, %m : tensor<2xi32>, tensor<2xi32>) {causal}
    : tensor<1x4x100x64xf16>, tensor<1x1x100x64xf16>, tensor<1x1x100x64xf16> -> tensor<1x4x100x64xf16>
  return %o : tensor<1x4x100x64xf16>
}

func.func @short(%q: tensor<1x4x100x64xf16>, %k: tensor<1x1x100x64xf16>, %n: tensor<4xi32>, %m: tensor<4xi32>) -> tensor<1x4x100x64xf16> {
  %o = sparseflow.attention %q, %k, %k cu_seqlens(%n, %m : tensor<4xi32>, tensor<4xi32>) {causal}
    : tensor<1x4x100x64xf16>, tensor<1x1x100x64xf16>, tensor<1x1x100x64xf16> -> tensor<1x4x100x64xf16>
  return %o : tensor<1x4x100x64xf16>
}

func.func @few(%q: tensor<1x4x100x64xf16>, %k: tensor<1x4x210x64xf16>, %n: tensor<2xi32>, %m: tensor<2xi32>) -> tensor<1x4x100x64xf16> {
  %o = sparseflow.attention %q, %k, %k cu_seqlens(%n, %m : tensor<2xi32>, tensor<2xi32>) {causal}
    : tensor<1x4x100x64xf16>, tensor<1x4x210x64xf16>, tensor<1x4x210x64xf16> -> tensor<1x4x100x64xf16>
  return %o : tensor<1x4x100x64xf16>
}

func.func @fewer(%q: tensor<1x4x100x64xf16>, %k: tensor<1x4x400x64xf16>, %n: tensor<4xi32>, %m: tensor<4xi32>) -> tensor<1x4x100x64xf16> {
  %o = sparseflow.attention %q, %k, %k cu_seqlens(%n, %m : tensor<4xi32>, tensor<4xi32>) {causal}
    : tensor<1x4x100x64xf16>, tensor<1x4x400x64xf16>, tensor<1x4x400x64xf16> -> tensor<1x4x100x64xf16>
  return %o : tensor<1x4x100x64xf16>
}
