// Latent attention whose keys blocks of a cluster divide: 2, 4 and 8 of them, whole tiles and
// parts; blocks without keys, lengths, pages, fewer features, several queries, results in f32.
//
// REQUIRES: turn-0-of-3
// RUN: rm -rf %t && split-file %s %t
// DEFINE: %{run} = sparseflow run --device sim --check --races --target sm_90a
// RUN: %{run} %t/two.mlir --dim T=1 --dim T1=257 --seed 1 | FileCheck %s
// RUN: %{run} %t/two.mlir --dim T=2 --dim T1=63 --seed 2 | FileCheck %s
// RUN: %{run} %t/split-kv.mlir --dim T=1 --dim T1=1100 --seed 3 | FileCheck %s
// RUN: %{run} %t/eight.mlir --dim T=3 --dim T1=300 --seed 4 | FileCheck %s
// RUN: %{run} %t/paged.mlir --dim T=2 --dim T1=9 --dim T2=5 --seed 5 | FileCheck %s
// RUN: %{run} %t/narrow.mlir --dim T=1 --dim T1=70 --dim T2=210 --seed 6 | FileCheck %s
// RUN: sparseflow compile %t/split-kv.mlir --target sm_90a --emit cubin -o /dev/null --remarks 2>&1 | FileCheck %s --check-prefix=PTXAS
// RUN: sparseflow compile %t/split-kv.mlir --target sm_90a --emit bundle -o %t/b && FileCheck %s --check-prefix=GRID < %t/b/manifest.json
//
// CHECK: check {{.*}} ok
// CHECK: found    nothing: bounds, alignment, operands, races
//
// Both kernels: the cluster's blocks store results, and partial sums that are combined.
// PTXAS-DAG: [ptxas] 'f_0_a_whole' on sm_90a: {{.*}}no spills, 44 tensor core instructions
// PTXAS-DAG: [ptxas] 'f_0_a' on sm_90a: {{.*}}no spills, 44 tensor core instructions
// GRID: "cluster": 4

//--- two.mlir
#two = #sftile.attention_schedule<"two", queries = 64, warp = 16, keys = 64, packed = true, max_queries = 1, pipeline = #sftile.warp_specialized_attention<stages = 2, producer_registers = 40, feature_groups = 2, key_blocks = 2>>
func.func @f(%q: tensor<?x128x1x576xbf16>, %c: tensor<?x1x?x576xbf16>) -> tensor<?x128x1x512xf32> {
  %o = sparseflow.attention %q, %c, %c {value_features = 512 : i64, sftile.schedules = [#two]}
    : tensor<?x128x1x576xbf16>, tensor<?x1x?x576xbf16>, tensor<?x1x?x576xbf16> -> tensor<?x128x1x512xf32>
  return %o : tensor<?x128x1x512xf32>
}

//--- split-kv.mlir
#split_kv = #sftile.attention_schedule<"split_kv", queries = 64, warp = 16, keys = 64, packed = true, max_queries = 1, split_blocks = 8, split_min_keys = 64, pipeline = #sftile.warp_specialized_attention<stages = 2, producer_registers = 40, feature_groups = 2, key_blocks = 4>>
func.func @f(%q: tensor<?x16x1x576xf16>, %c: tensor<?x1x?x576xf16>) -> (tensor<?x16x1x512xf16>, tensor<?x16x1xf32>) {
  %o, %l = sparseflow.attention %q, %c, %c {value_features = 512 : i64, sftile.schedules = [#split_kv]}
    : tensor<?x16x1x576xf16>, tensor<?x1x?x576xf16>, tensor<?x1x?x576xf16> -> tensor<?x16x1x512xf16>, tensor<?x16x1xf32>
  return %o, %l : tensor<?x16x1x512xf16>, tensor<?x16x1xf32>
}

//--- eight.mlir
#eight = #sftile.attention_schedule<"eight", queries = 64, warp = 16, keys = 64, packed = true, max_queries = 1, pipeline = #sftile.warp_specialized_attention<stages = 2, producer_registers = 40, feature_groups = 2, key_blocks = 8>>
func.func @f(%q: tensor<?x16x1x576xf16>, %c: tensor<?x1x?x576xf16>, %n: tensor<?xi32>) -> (tensor<?x16x1x512xf16>, tensor<?x16x1xf32>) {
  %o, %l = sparseflow.attention %q, %c, %c lengths(%n : tensor<?xi32>) {value_features = 512 : i64, sftile.schedules = [#eight]}
    : tensor<?x16x1x576xf16>, tensor<?x1x?x576xf16>, tensor<?x1x?x576xf16> -> tensor<?x16x1x512xf16>, tensor<?x16x1xf32>
  return %o, %l : tensor<?x16x1x512xf16>, tensor<?x16x1xf32>
}

//--- paged.mlir
#two = #sftile.attention_schedule<"two", queries = 64, warp = 16, keys = 64, packed = true, max_queries = 1, pipeline = #sftile.warp_specialized_attention<stages = 2, producer_registers = 40, feature_groups = 2, key_blocks = 2>>
func.func @f(%q: tensor<?x16x1x576xf16>, %c: tensor<?x1x64x576xf16>, %n: tensor<?xi32>, %t: tensor<?x?xi32>) -> tensor<?x16x1x512xf16> {
  %o = sparseflow.attention %q, %c, %c lengths(%n : tensor<?xi32>) pages(%t : tensor<?x?xi32>) {value_features = 512 : i64, sftile.schedules = [#two]}
    : tensor<?x16x1x576xf16>, tensor<?x1x64x576xf16>, tensor<?x1x64x576xf16> -> tensor<?x16x1x512xf16>
  return %o : tensor<?x16x1x512xf16>
}

//--- narrow.mlir
#four = #sftile.attention_schedule<"four", queries = 64, warp = 16, keys = 64, pipeline = #sftile.warp_specialized_attention<stages = 2, producer_registers = 40, feature_groups = 2, key_blocks = 4>>
func.func @f(%q: tensor<?x2x?x264xf16>, %c: tensor<?x1x?x264xf16>) -> (tensor<?x2x?x256xf16>, tensor<?x2x?xf32>) {
  %o, %l = sparseflow.attention %q, %c, %c {causal, value_features = 256 : i64, sftile.schedules = [#four]}
    : tensor<?x2x?x264xf16>, tensor<?x1x?x264xf16>, tensor<?x1x?x264xf16> -> tensor<?x2x?x256xf16>, tensor<?x2x?xf32>
  return %o, %l : tensor<?x2x?x256xf16>, tensor<?x2x?xf32>
}
