// RUN: rm -rf %t && split-file %s %t
// RUN: sparseflow-opt %t/f.mlir --sparseflow-select-schedule="target=sm_90a schedule-file=%t/table.json" 2>%t/remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t/remarks
// RUN: sparseflow-opt %t/f.mlir --sparseflow-select-schedule="target=sm_90 schedule-file=%t/table.json" 2>&1 | FileCheck %s --check-prefix=CLASSES
// RUN: sparseflow-opt %t/f.mlir --sparseflow-select-schedule="target=sm_120 schedule-file=%t/table.json" 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not sparseflow-opt %t/f.mlir --sparseflow-select-schedule="target=sm_90a schedule-file=%t/bad.json" 2>&1 | FileCheck %s --check-prefix=BAD

// The row is for fewer tokens than the family; then come its members, each for
// an interval, in the order of their tokens. The last has no bound.
// CHECK: sparseflow.matmul
// CHECK: sftile.schedules = [#sftile.schedule<"few", block = [64, 16], warp = [16, 16], max_tokens = 16, pipeline = #sftile.multistage<k = 64, stages = 3>>,
// CHECK-SAME: #sftile.schedule<"tma.{{[^"]*}}", {{[^#]*}} max_tokens = {{[0-9]+}}, pipeline = #sftile.warp_specialized
// CHECK-SAME: #sftile.schedule<"tma.{{[^"]*}}", block = [{{[0-9, ]+}}], warp = [{{[0-9, ]+}}], {{[^m#]*}}pipeline = #sftile.warp_specialized<{{[^>]*}}>>], sftile.unaligned
// A number of tokens that is known takes one.
// CHECK: sparseflow.matmul
// CHECK: sftile.schedules = [#sftile.schedule<"tma.{{[^"]*}}", {{[^#]*}}#sftile.warp_specialized<{{[^>]*}}>>]
// What is pinned stays.
// CHECK: sparseflow.matmul
// CHECK: sftile.schedules = [#sftile.schedule<"pinned",

// REMARK: f.mlir:2:8: remark: [schedule] few for up to 16 tokens: block 64x16, warp 16x16, 3 stages of K 64, split-K 1
// REMARK: f.mlir:2:8: remark: [schedule] tma.{{.*}} for up to {{[0-9]+}} tokens: block {{[0-9]+}}x{{[0-9]+}}, {{.*}}; predicted {{[0-9.]+}} us at {{[0-9]+}} tokens, next tma.{{.*}} with {{[0-9.]+}} us
// REMARK: f.mlir:2:8: remark: [schedule] tma.{{.*}} for any number of tokens: {{.*}}; predicted
// REMARK: f.mlir:2:8: remark: [schedule] times are predicted for NVIDIA H200, by measurements on it
// REMARK: remark: [schedule] tma.{{.*}} for 300 tokens: {{.*}}; predicted {{[0-9.]+}} us at 300 tokens
// REMARK: remark: [schedule] pinned in the IR

// Without a family for the target the classes of the table decide.
// CLASSES: remark: [schedule] few for up to 16 tokens
// CLASSES-NEXT: {{%y = sparseflow}}
// CLASSES-NOT: predicted
// CLASSES: remark: [schedule] many for any number of tokens

// Of another board times are derived.
// OTHER: [schedule] other.{{.*}} for any number of tokens: {{.*}}; predicted
// OTHER: [schedule] times are predicted for GeForce RTX 5090, by measurements on NVIDIA H100 80GB HBM3; calibration h200, the default where no GPU is named

// BAD: error: {{.*}}bad.json: family 0 (tma): expected "vary" to be about integers of the tile or the pipeline; there is no "stage"

//--- f.mlir
func.func @f(%x: tensor<?x1024xf16>, %w: tensor<2048x1024xf16, #sparseflow.nm<2:4>>, %z: tensor<300x1024xf16>) -> (tensor<?x2048xf16>, tensor<300x2048xf16>, tensor<300x2048xf16>) {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } : tensor<?x1024xf16>, tensor<2048x1024xf16, #sparseflow.nm<2:4>> -> tensor<?x2048xf16>
  %u = sparseflow.matmul %z, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } : tensor<300x1024xf16>, tensor<2048x1024xf16, #sparseflow.nm<2:4>> -> tensor<300x2048xf16>
  %v = sparseflow.matmul %z, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } {sftile.schedules = [#sftile.schedule<"pinned", block = [64, 16], warp = [16, 16], pipeline = #sftile.multistage<k = 64, stages = 3>>]} : tensor<300x1024xf16>, tensor<2048x1024xf16, #sparseflow.nm<2:4>> -> tensor<300x2048xf16>
  return %y, %u, %v : tensor<?x2048xf16>, tensor<300x2048xf16>, tensor<300x2048xf16>
}

//--- table.json
{"format": "sparseflow-schedules", "version": 1, "rows": [
  {"name": "few", "op": "matmul", "weights": "2:4", "targets": ["sm_90", "sm_90a"], "max_tokens": 16, "block": [64, 16], "warp": [16, 16],
   "pipeline": {"kind": "multistage", "k": 64, "stages": 3}},
  {"name": "many", "op": "matmul", "weights": "2:4", "targets": ["sm_90", "sm_90a", "sm_120"], "block": [64, 64], "warp": [32, 32],
   "pipeline": {"kind": "multistage", "k": 64, "stages": 3}}],
 "families": [
  {"name": "tma", "weights": ["2:4"], "targets": ["sm_90a"], "where": [{"min_n": 4096, "min_tokens": 1}, {"min_tokens": 17}],
   "features": [[64, 16], [128, 16]], "tokens": [32, 64, 128, 256],
   "row": {"group": 8, "pipeline": {"kind": "warp_specialized", "k": 64, "stages": 16}}, "vary": {"split_k": [1, 2]}},
  {"name": "other", "weights": ["2:4"], "targets": ["sm_120"], "where": [{"min_tokens": 1}],
   "tiles": [{"block": [128, 64], "warp": [32, 32]}, {"block": [64, 64], "warp": [32, 32]}],
   "row": {"group": 8, "pipeline": {"kind": "multistage", "k": 64, "stages": 4}}}]}

//--- bad.json
{"format": "sparseflow-schedules", "version": 1, "rows": [], "families": [
  {"name": "tma", "weights": ["2:4"], "targets": ["sm_90a"], "where": [{"min_tokens": 17}], "features": [[64, 16]], "tokens": [32],
   "row": {"pipeline": {"kind": "warp_specialized", "k": 64, "stages": 16}}, "vary": {"stage": [1, 2]}}]}
