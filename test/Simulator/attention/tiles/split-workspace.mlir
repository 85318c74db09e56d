// Partial results of split-KV have room in the workspace where keys are divided: one split has a kernel of whole
// tiles, behind which nothing is combined. Where sizes are known there is room for the splits that there are, else
// for as many as there may be, and none where tiles fill four waves.
//
// RUN: rm -rf %t && split-file %s %t
// DEFINE: %{explain} = sparseflow compile --target sm_90a --emit ptx -o /dev/null --explain-program
// RUN: %{explain} %t/f.mlir --dim T=1 --dim T1=64 --dim T2=2048 2>&1 | FileCheck %s --check-prefix=EIGHT
// RUN: %{explain} %t/f.mlir --dim T=1 --dim T1=1 --dim T2=4096 2>&1 | FileCheck %s --check-prefix=ROW
// RUN: %{explain} %t/f.mlir --dim T=1 --dim T1=64 --dim T2=256 2>&1 | FileCheck %s --check-prefix=FOUR
// RUN: %{explain} %t/f.mlir --dim T=64 --dim T1=512 --dim T2=8192 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: %{explain} %t/two.mlir 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: %{explain} %t/one.mlir 2>&1 | FileCheck %s --check-prefix=ONE
//
// Splits of 64 queries of 2 heads, or of one query: 64 numbers and a log-sum-exp, 4 bytes each; multiples of
// 256 bytes. Two tiles in eight splits fill four waves of 4 blocks; 256 keys are four splits at most.
// TWO: workspace 66.6 kB;
// EIGHT: workspace 266.2 kB;
// EIGHT: f_0_a_merge
// FOUR: workspace 133.1 kB;
// FOUR: f_0_a_whole
// ROW: workspace 4.4 kB;
// ONE: workspace 0 B;
//
// Whatever else a variant asks for, the one that writes partial results is launched for several splits only.
// RUN: sparseflow compile %t/f.mlir --target sm_90a --emit manifest -o %t/f.json
// RUN: %python -c "import json, sys; [print([l['kernel'] for l in v['launches']], *(f'{k} {g[k][1]}' for g in v['guards'] for k in g if isinstance(g[k][0], list))) for v in json.load(open(sys.argv[1]))['functions'][0]['programs'][0]['steps'][0]['variants']]" %t/f.json | FileCheck %s --check-prefix=VARIANTS
// VARIANTS: ['f_0_a', 'f_0_a_merge'] ge 2
// VARIANTS-NEXT: ['f_0_a_whole']{{$}}
// VARIANTS-NEXT: ['f_0_any']{{$}}
//
// DEFINE: %{run} = sparseflow run --device sim --check --races --target sm_90a
// RUN: %{run} %t/f.mlir --dim T=1 --dim T1=64 --dim T2=2048 --seed 1 | FileCheck %s
// RUN: %{run} %t/f.mlir --dim T=1 --dim T1=3 --dim T2=4001 --seed 2 | FileCheck %s
// RUN: %{run} %t/f.mlir --dim T=1 --dim T1=50 --dim T2=33 --seed 3 | FileCheck %s
// RUN: %{run} %t/f.mlir --dim T=3 --dim T1=70 --dim T2=190 --seed 4 | FileCheck %s
// RUN: %{run} %t/f.mlir --dim T=1 --dim T1=20 --dim T2=90 --seed 5 --unaligned | FileCheck %s
// RUN: %{run} %t/two.mlir --seed 6 | FileCheck %s
// RUN: %{run} %t/one.mlir --seed 7 | FileCheck %s
// CHECK: check {{.*}} ok
// CHECK: found    nothing: bounds, alignment, operands, races

//--- f.mlir
#s = #sftile.attention_schedule<"s", queries = 64, warp = 16, keys = 64, split_blocks = 4, split_min_keys = 64, pipeline = #sftile.warp_specialized_attention<stages = 2, producer_registers = 64, grid = 4>>
#any = #sftile.attention_schedule<"any", queries = 64, warp = 16, keys = 32, pipeline = #sftile.multistage_attention<stages = 2>>
func.func @f(%q: tensor<?x2x?x64xf16>, %k: tensor<?x1x?x64xf16>) -> tensor<?x2x?x64xf16> {
  %o = sparseflow.attention %q, %k, %k {sftile.schedules = [#s], sftile.unaligned_schedule = #any}
    : tensor<?x2x?x64xf16>, tensor<?x1x?x64xf16>, tensor<?x1x?x64xf16> -> tensor<?x2x?x64xf16>
  return %o : tensor<?x2x?x64xf16>
}

//--- two.mlir
#s = #sftile.attention_schedule<"s", queries = 64, warp = 16, keys = 64, split_blocks = 4, split_min_keys = 64, pipeline = #sftile.warp_specialized_attention<stages = 2, producer_registers = 64, grid = 4>>
#any = #sftile.attention_schedule<"any", queries = 64, warp = 16, keys = 32, pipeline = #sftile.multistage_attention<stages = 2>>
func.func @f(%q: tensor<1x2x64x64xf16>, %k: tensor<1x1x2048x64xf16>) -> tensor<1x2x64x64xf16> {
  %o = sparseflow.attention %q, %k, %k {sftile.schedules = [#s], sftile.unaligned_schedule = #any}
    : tensor<1x2x64x64xf16>, tensor<1x1x2048x64xf16>, tensor<1x1x2048x64xf16> -> tensor<1x2x64x64xf16>
  return %o : tensor<1x2x64x64xf16>
}

//--- one.mlir
#s = #sftile.attention_schedule<"s", queries = 64, warp = 16, keys = 64, split_blocks = 4, split_min_keys = 64, pipeline = #sftile.warp_specialized_attention<stages = 2, producer_registers = 64, grid = 4>>
#any = #sftile.attention_schedule<"any", queries = 64, warp = 16, keys = 32, pipeline = #sftile.multistage_attention<stages = 2>>
func.func @f(%q: tensor<1x2x64x64xf16>, %k: tensor<1x1x256x64xf16>) -> tensor<1x2x64x64xf16> {
  %o = sparseflow.attention %q, %k, %k {sftile.schedules = [#s], sftile.unaligned_schedule = #any}
    : tensor<1x2x64x64xf16>, tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16> -> tensor<1x2x64x64xf16>
  return %o : tensor<1x2x64x64xf16>
}
