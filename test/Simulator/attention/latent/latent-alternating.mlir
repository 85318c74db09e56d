// Latent attention of more heads than a tile has rows: two warpgroups have the scores of
// every other stage each. Even and odd numbers of stages, a last one that is cut, split-KV,
// lengths, pages, clusters of two, keys that are values as a whole, where P has a tile of
// its own, odd numbers of features and rows of a tile that no head has.
//
// REQUIRES: turn-1-of-3
// RUN: rm -rf %t && split-file %s %t
// DEFINE: %{run} = sparseflow run --device sim --check --races --target sm_90a
// RUN: %{run} %t/decode.mlir --dim T=1 --dim T1=192 --seed 1 | FileCheck %s
// RUN: %{run} %t/decode.mlir --dim T=1 --dim T1=1 --seed 2 | FileCheck %s
// RUN: %{run} %t/decode.mlir --dim T=1 --dim T1=850 --seed 3 | FileCheck %s
// RUN: %{run} %t/paged.mlir --dim T=2 --dim T1=9 --dim T2=5 --seed 4 | FileCheck %s
// RUN: %{run} %t/two.mlir --dim T=1 --dim T1=330 --seed 5 | FileCheck %s
// RUN: %{run} %t/square.mlir --dim T=1 --dim T1=150 --seed 6 | FileCheck %s
// RUN: %{run} %t/uneven.mlir --dim T=1 --dim T1=130 --seed 7 | FileCheck %s
// RUN: sparseflow compile %t/decode.mlir --target sm_90a --emit cubin -o /dev/null --remarks 2>&1 | FileCheck %s --check-prefix=MMAS --implicit-check-not fallback
//
// CHECK: check {{.*}} ok
// CHECK: found    nothing: bounds, alignment, operands, races
//
// 36 steps of 16 features of keys, and 4 of 16 keys for each half of the values: in the loop
// over pairs of stages twice, and for the last of an odd number.
// MMAS: [ptxas] 'f_0_d' on sm_90a: {{.*}}no spills, 132 tensor core instructions

//--- decode.mlir
func.func @f(%q: tensor<?x128x1x576xbf16>, %c: tensor<?x1x?x576xbf16>) -> (tensor<?x128x1x512xbf16>, tensor<?x128x1xf32>) {
  %o, %l = sparseflow.attention %q, %c, %c {value_features = 512 : i64}
    : tensor<?x128x1x576xbf16>, tensor<?x1x?x576xbf16>, tensor<?x1x?x576xbf16> -> tensor<?x128x1x512xbf16>, tensor<?x128x1xf32>
  return %o, %l : tensor<?x128x1x512xbf16>, tensor<?x128x1xf32>
}

//--- paged.mlir
func.func @f(%q: tensor<?x128x1x576xf16>, %c: tensor<?x1x64x576xf16>, %n: tensor<?xi32>, %t: tensor<?x?xi32>) -> (tensor<?x128x1x512xf16>, tensor<?x128x1xf32>) {
  %o, %l = sparseflow.attention %q, %c, %c lengths(%n : tensor<?xi32>) pages(%t : tensor<?x?xi32>) {value_features = 512 : i64}
    : tensor<?x128x1x576xf16>, tensor<?x1x64x576xf16>, tensor<?x1x64x576xf16> -> tensor<?x128x1x512xf16>, tensor<?x128x1xf32>
  return %o, %l : tensor<?x128x1x512xf16>, tensor<?x128x1xf32>
}

//--- two.mlir
#two = #sftile.attention_schedule<"two", queries = 64, warp = 16, keys = 64, packed = true, max_queries = 1, pipeline = #sftile.warp_specialized_attention<stages = 2, producer_registers = 40, feature_groups = 2, key_blocks = 2>>
func.func @f(%q: tensor<?x100x1x576xf16>, %c: tensor<?x1x?x576xf16>) -> (tensor<?x100x1x512xf32>, tensor<?x100x1xf32>) {
  %o, %l = sparseflow.attention %q, %c, %c {value_features = 512 : i64, sftile.schedules = [#two]}
    : tensor<?x100x1x576xf16>, tensor<?x1x?x576xf16>, tensor<?x1x?x576xf16> -> tensor<?x100x1x512xf32>, tensor<?x100x1xf32>
  return %o, %l : tensor<?x100x1x512xf32>, tensor<?x100x1xf32>
}

//--- square.mlir
func.func @f(%q: tensor<?x128x1x512xf16>, %c: tensor<?x1x?x512xf16>) -> (tensor<?x128x1x512xf16>, tensor<?x128x1xf32>) {
  %o, %l = sparseflow.attention %q, %c, %c {value_features = 512 : i64}
    : tensor<?x128x1x512xf16>, tensor<?x1x?x512xf16>, tensor<?x1x?x512xf16> -> tensor<?x128x1x512xf16>, tensor<?x128x1xf32>
  return %o, %l : tensor<?x128x1x512xf16>, tensor<?x128x1xf32>
}

//--- uneven.mlir
func.func @f(%q: tensor<?x128x1x328xf16>, %c: tensor<?x1x?x328xf16>) -> tensor<?x128x1x272xf16> {
  %o = sparseflow.attention %q, %c, %c {value_features = 272 : i64}
    : tensor<?x128x1x328xf16>, tensor<?x1x?x328xf16>, tensor<?x1x?x328xf16> -> tensor<?x128x1x272xf16>
  return %o : tensor<?x128x1x272xf16>
}
