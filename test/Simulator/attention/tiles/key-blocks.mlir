// One query of few heads whose keys the blocks of a cluster divide: more blocks than stages, lengths
// that leave blocks without keys, an entry without any, pages, a window, log-sum-exps, results in f32.
//
// REQUIRES: turn-0-of-3
// RUN: rm -rf %t && split-file %s %t
// DEFINE: %{run} = sparseflow run --device sim --check --races --target sm_90a
// RUN: %{run} %t/eight.mlir --dim T=1 --dim T1=400 --seed 1 | FileCheck %s
// RUN: %{run} %t/eight.mlir --dim T=3 --dim T1=1030 --seed 2 | FileCheck %s
// RUN: %{run} %t/lse.mlir --dim T=2 --dim T1=257 --seed 3 | FileCheck %s
// RUN: %{run} %t/paged.mlir --dim T=2 --dim T1=9 --dim T2=5 --seed 4 | FileCheck %s
// RUN: sparseflow compile %t/eight.mlir --target sm_90a --emit cubin -o /dev/null --remarks 2>&1 | FileCheck %s --check-prefix=PTXAS
// RUN: sparseflow compile %t/eight.mlir --target sm_90a --emit bundle -o %t/b && FileCheck %s --check-prefix=GRID < %t/b/manifest.json
//
// CHECK: check {{.*}} ok
// CHECK: found    nothing: bounds, alignment, operands, races
//
// PTXAS-DAG: [ptxas] 'f_0_a' on sm_90a: {{.*}}no spills
// GRID: "cluster": 8

//--- eight.mlir
#eight = #sftile.attention_schedule<"eight", queries = 64, warp = 16, keys = 128, packed = true, max_queries = 1, pipeline = #sftile.warp_specialized_attention<stages = 2, producer_registers = 64, key_blocks = 8>>
func.func @f(%q: tensor<?x1x20x128xf16>, %k: tensor<?x?x5x128xf16>, %v: tensor<?x?x5x128xf16>, %n: tensor<?xi32>) -> tensor<?x1x20x128xf16> {
  %o = sparseflow.attention %q, %k, %v lengths(%n : tensor<?xi32>) {causal, layout = #sparseflow.attention_layout<bshd>, sftile.schedules = [#eight]}
    : tensor<?x1x20x128xf16>, tensor<?x?x5x128xf16>, tensor<?x?x5x128xf16> -> tensor<?x1x20x128xf16>
  return %o : tensor<?x1x20x128xf16>
}

//--- lse.mlir
#three = #sftile.attention_schedule<"three", queries = 64, warp = 16, keys = 64, packed = true, max_queries = 1, pipeline = #sftile.warp_specialized_attention<stages = 3, producer_registers = 64, key_blocks = 3>>
func.func @f(%q: tensor<?x9x1x64xbf16>, %k: tensor<?x3x?x64xbf16>, %v: tensor<?x3x?x64xbf16>) -> (tensor<?x9x1x64xf32>, tensor<?x9x1xf32>) {
  %o, %l = sparseflow.attention %q, %k, %v {window = 100 : i64, causal, sftile.schedules = [#three]}
    : tensor<?x9x1x64xbf16>, tensor<?x3x?x64xbf16>, tensor<?x3x?x64xbf16> -> tensor<?x9x1x64xf32>, tensor<?x9x1xf32>
  return %o, %l : tensor<?x9x1x64xf32>, tensor<?x9x1xf32>
}

//--- paged.mlir
#seven = #sftile.attention_schedule<"seven", queries = 64, warp = 16, keys = 64, packed = true, max_queries = 1, pipeline = #sftile.warp_specialized_attention<stages = 3, producer_registers = 64, key_blocks = 7>>
func.func @f(%q: tensor<?x16x1x128xf16>, %k: tensor<?x2x64x128xf16>, %v: tensor<?x2x64x128xf16>, %n: tensor<?xi32>, %t: tensor<?x?xi32>) -> tensor<?x16x1x128xf16> {
  %o = sparseflow.attention %q, %k, %v lengths(%n : tensor<?xi32>) pages(%t : tensor<?x?xi32>) {sftile.schedules = [#seven]}
    : tensor<?x16x1x128xf16>, tensor<?x2x64x128xf16>, tensor<?x2x64x128xf16> -> tensor<?x16x1x128xf16>
  return %o : tensor<?x16x1x128xf16>
}
