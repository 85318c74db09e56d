// One query of 136 to 256 features on the Hopper kernels, with keys divided among blocks
// and not; parts without keys; rows of more parts than a warp of the merge takes at once.
//
// RUN: rm -rf %t && split-file %s %t
// DEFINE: %{run} = sparseflow run --device sim --check --races
// RUN: %{run} %t/wide.mlir --target sm_90a --dim T=1 --dim T1=1 | FileCheck %s
// RUN: %{run} %t/wide.mlir --target sm_90a --dim T=2 --dim T1=65 | FileCheck %s
// RUN: %{run} %t/wide.mlir --target sm_90a --dim T=1 --dim T1=1000 | FileCheck %s
// RUN: %{run} %t/narrow.mlir --target sm_90a --dim T=1 --dim T1=999 | FileCheck %s
// RUN: %{run} %t/many.mlir --target sm_90a --dim T=50 --dim T1=77 | FileCheck %s
// RUN: %{run} %t/parts.mlir --target sm_90 --dim T=8500 | FileCheck %s
// RUN: sparseflow compile %t/wide.mlir --target sm_90a --emit ptx -o /dev/null --remarks 2>&1 | FileCheck %s --check-prefix=WIDE
// RUN: sparseflow compile %t/wide.mlir --target sm_90a --emit ptx -o - | FileCheck %s --check-prefix=WHOLE
// RUN: sparseflow compile %t/parts.mlir --target sm_90 --emit ptx -o - | FileCheck %s --check-prefix=PARTS
//
// CHECK: check {{.*}} ok
// CHECK: found    nothing: bounds, alignment, operands, races
// WIDE: remark: [schedule] sm90a.attention.decode_d256 for up to 1 queries: 64 queries a block
//
// Few keys are not divided, and nothing is combined.
// WHOLE: .entry f_0_a_whole(
// WHOLE-NOT: .entry f_0_a_whole_merge(
// WHOLE: .entry f_0_a(
// WHOLE: .entry f_0_a_merge(
//
// Both kernels of split-KV start before the one in front of them has ended.
// PARTS: .entry f_0_a(
// PARTS: griddepcontrol.launch_dependents
// PARTS: griddepcontrol.wait
// PARTS: .entry f_0_a_merge(
// PARTS: griddepcontrol.wait
// PARTS: bar.sync

//--- wide.mlir
func.func @f(%q: tensor<?x6x1x256xf16>, %k: tensor<?x1x?x256xf16>, %v: tensor<?x1x?x256xf16>) -> (tensor<?x6x1x256xf16>, tensor<?x6x1xf32>) {
  %o, %l = sparseflow.attention %q, %k, %v
    : tensor<?x6x1x256xf16>, tensor<?x1x?x256xf16>, tensor<?x1x?x256xf16> -> tensor<?x6x1x256xf16>, tensor<?x6x1xf32>
  return %o, %l : tensor<?x6x1x256xf16>, tensor<?x6x1xf32>
}

//--- narrow.mlir
func.func @f(%q: tensor<?x1x4x136xbf16>, %k: tensor<?x?x2x136xbf16>, %v: tensor<?x?x2x192xbf16>) -> tensor<?x1x4x192xbf16> {
  %o = sparseflow.attention %q, %k, %v {layout = #sparseflow.attention_layout<bshd>, causal, window = 700 : i64}
    : tensor<?x1x4x136xbf16>, tensor<?x?x2x136xbf16>, tensor<?x?x2x192xbf16> -> tensor<?x1x4x192xbf16>
  return %o : tensor<?x1x4x192xbf16>
}

//--- many.mlir
func.func @f(%q: tensor<?x4x1x200xf16>, %k: tensor<?x2x?x200xf16>, %v: tensor<?x2x?x200xf16>) -> tensor<?x4x1x200xf16> {
  %o = sparseflow.attention %q, %k, %v
    : tensor<?x4x1x200xf16>, tensor<?x2x?x200xf16>, tensor<?x2x?x200xf16> -> tensor<?x4x1x200xf16>
  return %o : tensor<?x4x1x200xf16>
}

//--- parts.mlir
func.func @f(%q: tensor<1x3x1x32xf16>, %k: tensor<1x1x?x32xf16>, %v: tensor<1x1x?x32xf16>) -> tensor<1x3x1x32xf16> {
  %o = sparseflow.attention %q, %k, %v
    : tensor<1x3x1x32xf16>, tensor<1x1x?x32xf16>, tensor<1x1x?x32xf16> -> tensor<1x3x1x32xf16>
  return %o : tensor<1x3x1x32xf16>
}
