// The query heads of a key head for each of several queries as rows of one tile: numbers of heads that
// fill tiles and such that do not, causal masks, windows, both layouts, splits of the keys, lengths, pages,
// a mask that is an operand, log-sum-exps, results in f32, heads in one tile's warp and in four.
//
// RUN: rm -rf %t && split-file %s %t
// DEFINE: %{run} = sparseflow run --device sim --check --races
// RUN: %{run} %t/four.mlir --target sm_90a --dim T=2 --dim T1=5 --dim T2=700 --seed 1 | FileCheck %s
// RUN: %{run} %t/four.mlir --target sm_90a --dim T=1 --dim T1=37 --dim T2=130 --seed 2 | FileCheck %s
// RUN: %{run} %t/four.mlir --target sm_90a --dim T=1 --dim T1=3 --dim T2=1 --seed 3 | FileCheck %s
// RUN: %{run} %t/seven.mlir --target sm_90a --dim T=1 --dim T1=11 --dim T2=300 --seed 4 | FileCheck %s
// RUN: %{run} %t/seven.mlir --target sm_90a --dim T=2 --dim T1=1 --dim T2=64 --seed 5 | FileCheck %s
// RUN: %{run} %t/lengths.mlir --target sm_90a --dim T=3 --dim T1=6 --dim T2=400 --seed 6 | FileCheck %s
// RUN: %{run} %t/paged.mlir --target sm_90a --dim T=2 --dim T1=4 --dim T2=9 --dim T3=5 --seed 7 | FileCheck %s
// RUN: %{run} %t/tree.mlir --target sm_90a --dim T=2 --dim T1=13 --dim T2=260 --seed 8 | FileCheck %s
// RUN: %{run} %t/warps.mlir --target sm_90a --dim T=2 --dim T1=5 --dim T2=150 --seed 9 | FileCheck %s
// RUN: %{run} %t/warps.mlir --target sm_80 --dim T=1 --dim T1=8 --dim T2=70 --seed 10 | FileCheck %s
// DEFINE: %{explain} = sparseflow compile --target sm_90a --emit ptx -o /dev/null --explain-program
// RUN: %{explain} %t/four.mlir --dim T=2 --dim T1=5 --dim T2=700 2>&1 | FileCheck %s --check-prefix=WHOLE
// RUN: %{explain} %t/four.mlir --dim T=1 --dim T1=9 --dim T2=5000 2>&1 | FileCheck %s --check-prefix=PARTS
// RUN: %{run} %t/four.mlir --target sm_90a --dim T=1 --dim T1=9 --dim T2=5000 --seed 11 | FileCheck %s
// RUN: sparseflow compile %t/four.mlir --target sm_90a --emit cubin -o /dev/null --remarks 2>&1 | FileCheck %s --check-prefix=PTXAS
//
// CHECK: check {{.*}} ok
// CHECK: found    nothing: bounds, alignment, operands, races
//
// One tile of 16 queries of four heads for each of two key heads and two entries; its keys in parts.
// WHOLE: f_0_a_whole {{.*}}4 blocks
// PARTS: f_0_a {{.*}}6 blocks
// PARTS: f_0_a_merge {{.*}}72 blocks
//
// PTXAS-DAG: [ptxas] 'f_0_a' on sm_90a: {{.*}}no spills

//--- four.mlir
#rows = #sftile.attention_schedule<"rows", queries = 64, warp = 16, keys = 64, packed = true, max_queries = 64, split_blocks = 6, split_min_keys = 64, pipeline = #sftile.warp_specialized_attention<stages = 3, producer_registers = 64, grid = 6>>
#plain = #sftile.attention_schedule<"plain", queries = 64, warp = 16, keys = 32, pipeline = #sftile.multistage_attention<stages = 2>>
func.func @f(%q: tensor<?x?x8x128xf16>, %k: tensor<?x?x2x128xf16>, %v: tensor<?x?x2x128xf16>) -> (tensor<?x?x8x128xf16>, tensor<?x8x?xf32>) {
  %o, %l = sparseflow.attention %q, %k, %v {causal, layout = #sparseflow.attention_layout<bshd>, sftile.schedules = [#rows, #plain]}
    : tensor<?x?x8x128xf16>, tensor<?x?x2x128xf16>, tensor<?x?x2x128xf16> -> tensor<?x?x8x128xf16>, tensor<?x8x?xf32>
  return %o, %l : tensor<?x?x8x128xf16>, tensor<?x8x?xf32>
}

//--- seven.mlir
#rows = #sftile.attention_schedule<"rows", queries = 64, warp = 16, keys = 64, packed = true, max_queries = 32, split_blocks = 4, split_min_keys = 64, pipeline = #sftile.warp_specialized_attention<stages = 3, producer_registers = 64, grid = 4>>
#plain = #sftile.attention_schedule<"plain", queries = 64, warp = 16, keys = 32, pipeline = #sftile.multistage_attention<stages = 2>>
func.func @f(%q: tensor<?x14x?x80xbf16>, %k: tensor<?x2x?x80xbf16>, %v: tensor<?x2x?x64xbf16>) -> (tensor<?x14x?x64xf32>, tensor<?x14x?xf32>) {
  %o, %l = sparseflow.attention %q, %k, %v {window = 100 : i64, causal, sftile.schedules = [#rows, #plain]}
    : tensor<?x14x?x80xbf16>, tensor<?x2x?x80xbf16>, tensor<?x2x?x64xbf16> -> tensor<?x14x?x64xf32>, tensor<?x14x?xf32>
  return %o, %l : tensor<?x14x?x64xf32>, tensor<?x14x?xf32>
}

//--- lengths.mlir
#rows = #sftile.attention_schedule<"rows", queries = 64, warp = 16, keys = 128, packed = true, max_queries = 16, split_blocks = 12, split_min_keys = 128, pipeline = #sftile.warp_specialized_attention<stages = 2, producer_registers = 64, grid = 5>>
#plain = #sftile.attention_schedule<"plain", queries = 64, warp = 16, keys = 32, pipeline = #sftile.multistage_attention<stages = 2>>
func.func @f(%q: tensor<?x15x?x64xf16>, %k: tensor<?x3x?x64xf16>, %v: tensor<?x3x?x64xf16>, %n: tensor<?xi32>) -> (tensor<?x15x?x64xf16>, tensor<?x15x?xf32>) {
  %o, %l = sparseflow.attention %q, %k, %v lengths(%n : tensor<?xi32>) {causal, sftile.schedules = [#rows, #plain]}
    : tensor<?x15x?x64xf16>, tensor<?x3x?x64xf16>, tensor<?x3x?x64xf16> -> tensor<?x15x?x64xf16>, tensor<?x15x?xf32>
  return %o, %l : tensor<?x15x?x64xf16>, tensor<?x15x?xf32>
}

//--- paged.mlir
#rows = #sftile.attention_schedule<"rows", queries = 64, warp = 16, keys = 64, packed = true, max_queries = 8, split_blocks = 8, split_min_keys = 64, pipeline = #sftile.warp_specialized_attention<stages = 3, producer_registers = 64, grid = 8>>
#plain = #sftile.attention_schedule<"plain", queries = 64, warp = 16, keys = 32, pipeline = #sftile.multistage_attention<stages = 2>>
func.func @f(%q: tensor<?x?x16x128xf16>, %k: tensor<?x64x1x128xf16>, %v: tensor<?x64x1x128xf16>, %n: tensor<?xi32>, %t: tensor<?x?xi32>) -> tensor<?x?x16x128xf16> {
  %o = sparseflow.attention %q, %k, %v lengths(%n : tensor<?xi32>) pages(%t : tensor<?x?xi32>) {causal, layout = #sparseflow.attention_layout<bshd>, sftile.schedules = [#rows, #plain]}
    : tensor<?x?x16x128xf16>, tensor<?x64x1x128xf16>, tensor<?x64x1x128xf16> -> tensor<?x?x16x128xf16>
  return %o : tensor<?x?x16x128xf16>
}

//--- tree.mlir
#rows = #sftile.attention_schedule<"rows", queries = 64, warp = 16, keys = 64, packed = true, max_queries = 16, pipeline = #sftile.warp_specialized_attention<stages = 3, producer_registers = 64, grid = 8>>
#plain = #sftile.attention_schedule<"plain", queries = 64, warp = 16, keys = 32, pipeline = #sftile.multistage_attention<stages = 2>>
func.func @f(%q: tensor<?x10x?x64xf16>, %k: tensor<?x2x?x64xf16>, %v: tensor<?x2x?x64xf16>, %m: tensor<?x?x?xf16>, %a: tensor<10xf32>) -> tensor<?x10x?x64xf16> {
  %o = sparseflow.attention %q, %k, %v operands(%m, %a : tensor<?x?x?xf16>, tensor<10xf32>) as ["bqk", "h"] score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32, %in: f16, %slope: f32):
    %0 = arith.extf %in : f16 to f32
    %1 = arith.addf %s, %0 : f32
    %2 = arith.subi %j, %i : i32
    %3 = arith.sitofp %2 : i32 to f32
    %4 = arith.mulf %3, %slope : f32
    %5 = arith.constant 0.03 : f32
    %6 = arith.mulf %4, %5 : f32
    %7 = arith.addf %1, %6 : f32
    %8 = arith.sitofp %h : i32 to f32
    %9 = arith.mulf %8, %5 : f32
    %r = arith.mulf %7, %9 : f32
    sparseflow.yield %r : f32
  } {sftile.schedules = [#rows, #plain]}
    : tensor<?x10x?x64xf16>, tensor<?x2x?x64xf16>, tensor<?x2x?x64xf16> -> tensor<?x10x?x64xf16>
  return %o : tensor<?x10x?x64xf16>
}

//--- warps.mlir
#rows = #sftile.attention_schedule<"rows", queries = 32, warp = 16, keys = 32, packed = true, max_queries = 16, split_blocks = 8, split_min_keys = 32, pipeline = #sftile.multistage_attention<stages = 2>>
#plain = #sftile.attention_schedule<"plain", queries = 64, warp = 16, keys = 32, pipeline = #sftile.multistage_attention<stages = 2>>
func.func @f(%q: tensor<?x?x6x72xf16>, %k: tensor<?x?x2x72xf16>, %v: tensor<?x?x2x72xf16>) -> (tensor<?x?x6x72xf16>, tensor<?x6x?xf32>) {
  %o, %l = sparseflow.attention %q, %k, %v {causal, layout = #sparseflow.attention_layout<bshd>, sftile.schedules = [#rows, #plain]}
    : tensor<?x?x6x72xf16>, tensor<?x?x2x72xf16>, tensor<?x?x2x72xf16> -> tensor<?x?x6x72xf16>, tensor<?x6x?xf32>
  return %o, %l : tensor<?x?x6x72xf16>, tensor<?x6x?xf32>
}
