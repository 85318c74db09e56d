// One query by blocks that share an SM with another: registers are dealt out for two of
// them. Whole tiles, more and fewer than blocks; parts, of which the last wave is not full.
//
// RUN: rm -rf %t && split-file %s %t
// DEFINE: %{run} = sparseflow run --device sim --check --races --target sm_90a --schedule-file %S/../Inputs/attention_two_blocks.json
// RUN: %{run} %t/d64.mlir --dim T=9 --dim T1=150 | FileCheck %s
// RUN: %{run} %t/d64.mlir --dim T=2 --dim T1=1100 --seed 1 | FileCheck %s
// RUN: %{run} %t/d64.mlir --dim T=3 --dim T1=129 --seed 2 | FileCheck %s
// RUN: %{run} %t/d96.mlir --dim T=5 --dim T1=77 --seed 3 | FileCheck %s
// RUN: %{run} %t/d96.mlir --dim T=1 --dim T1=999 --seed 4 | FileCheck %s
// RUN: sparseflow compile %t/d64.mlir --target sm_90a --schedule-file %S/../Inputs/attention_two_blocks.json --emit ptx -o - | FileCheck %s --check-prefix=PTX
//
// CHECK: check {{.*}} ok
// CHECK: found    nothing: bounds, alignment, operands, races
// PTX: .minnctapersm 2
// PTX: setmaxnreg.dec.sync.aligned.u32 {{.*}}64;
// PTX: setmaxnreg.inc.sync.aligned.u32 {{.*}}192;

//--- d64.mlir
func.func @f(%q: tensor<?x6x1x64xf16>, %k: tensor<?x2x?x64xf16>, %v: tensor<?x2x?x64xf16>) -> (tensor<?x6x1x64xf16>, tensor<?x6x1xf32>) {
  %o, %l = sparseflow.attention %q, %k, %v
    : tensor<?x6x1x64xf16>, tensor<?x2x?x64xf16>, tensor<?x2x?x64xf16> -> tensor<?x6x1x64xf16>, tensor<?x6x1xf32>
  return %o, %l : tensor<?x6x1x64xf16>, tensor<?x6x1xf32>
}

//--- d96.mlir
func.func @f(%q: tensor<?x1x4x96xbf16>, %k: tensor<?x?x4x96xbf16>, %v: tensor<?x?x4x96xbf16>) -> tensor<?x1x4x96xbf16> {
  %o = sparseflow.attention %q, %k, %v {layout = #sparseflow.attention_layout<bshd>}
    : tensor<?x1x4x96xbf16>, tensor<?x?x4x96xbf16>, tensor<?x?x4x96xbf16> -> tensor<?x1x4x96xbf16>
  return %o : tensor<?x1x4x96xbf16>
}
