// RUN: rm -rf %t && split-file %s %t
// RUN: sparseflow-opt %t/f.mlir --sparseflow-select-schedule="target=sm_80 schedule-file=%t/table.json" 2>%t/remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t/remarks
// RUN: not sparseflow-opt %t/f.mlir --sparseflow-select-schedule="target=sm_90 schedule-file=%t/table.json" 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not sparseflow-opt %t/f.mlir --sparseflow-select-schedule="schedule-file=%t/none.json" 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not sparseflow-opt %t/f.mlir --sparseflow-select-schedule="schedule-file=%t/typo.json" 2>&1 | FileCheck %s --check-prefix=TYPO
// RUN: not sparseflow-opt %t/f.mlir --sparseflow-select-schedule="schedule-file=%t/sizes.json" 2>&1 | FileCheck %s --check-prefix=SIZES
// RUN: sparseflow-opt %t/f.mlir --sparseflow-select-schedule="target=sm_80 schedule-file=%t/flat.json" 2>%t/flat | FileCheck %s
// RUN: FileCheck %s --check-prefix=FLAT < %t/flat
// RUN: not sparseflow compile %t/f.mlir --target sm_80 --schedule-file %t/sizes.json --emit ptx 2>&1 | FileCheck %s --check-prefix=SIZES

// Every class of token numbers that the operation can meet, in order.
// CHECK: sparseflow.matmul
// CHECK: sftile.reduce_schedule = #sftile.schedule<"each"
// CHECK-SAME: sftile.schedules = [#sftile.schedule<"few", {{.*}} split_k = 2, max_tokens = 16, pipeline = #sftile.multistage<k = 64, stages = 3>>, #sftile.schedule<"many",
// CHECK-SAME: sftile.unaligned_schedule = #sftile.schedule<"any",
// A static number of tokens meets one.
// CHECK: sparseflow.matmul
// CHECK: sftile.schedules = [#sftile.schedule<"few", block = [64, 16], warp = [16, 16], split_k = 2, max_tokens = 16, pipeline = #sftile.multistage<k = 64, stages = 3>>]
// Kernels of tensor ops choose for themselves.
// CHECK: linalg.generic
// CHECK-NOT: "each"

// REMARK: f.mlir:2:8: remark: [schedule] few for up to 16 tokens: block 64x16, warp 16x16, 3 stages of K 64, split-K 2
// REMARK: f.mlir:2:8: remark: [schedule] many for any number of tokens: block 64x64, warp 32x32, 3 stages of K 64, split-K 1
// REMARK: remark: [schedule] few for 7 tokens:

// NONE: f.mlir:2:8: error: 'sparseflow.matmul' op expected a row of the schedule table for matmul dense with N = 64, K = 256 on sm_90, found none; add one to the schedule file
// MISSING: error: the schedule file: cannot open '{{.*}}none.json': No such file or directory
// Rows of before there were pipelines are read for one version more.
// FLAT: warning: {{.*}}flat.json: row 0 (many): rows without "pipeline" are read by this version for the last time; write them as docs/formats/schedules.md says
// FLAT: remark: [schedule] few for up to 16 tokens: block 64x16, warp 16x16, 3 stages
// FLAT-NOT: warning:

// TYPO: error: {{.*}}typo.json: row 0 (bad): pipeline: expected "stages" to be an integer from 2 to 16
// A row that makes no schedule is one error, whichever kernel it is for.
// SIZES: error: schedule "bad": expected a warp of a multiple of 16 features and of 8 tokens, the sizes of an instruction, found 32 x 20
// SIZES-NOT: error:

//--- f.mlir
func.func @f(%x: tensor<?x256xf16>, %w: tensor<64x256xf16>, %z: tensor<7x256xf16>) -> (tensor<?x64xf16>, tensor<7x64xf16>, tensor<7x64xf16>) {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } : tensor<?x256xf16>, tensor<64x256xf16> -> tensor<?x64xf16>
  %u = sparseflow.matmul %z, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } : tensor<7x256xf16>, tensor<64x256xf16> -> tensor<7x64xf16>
  %e = tensor.empty() : tensor<7x64xf16>
  %q = linalg.generic {indexing_maps = [affine_map<(t, n) -> (t, n)>, affine_map<(t, n) -> (t, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%u : tensor<7x64xf16>) outs(%e : tensor<7x64xf16>) {
  ^bb0(%a: f16, %out: f16):
    linalg.yield %a : f16
  } -> tensor<7x64xf16>
  return %y, %u, %q : tensor<?x64xf16>, tensor<7x64xf16>, tensor<7x64xf16>
}

//--- table.json
{"format": "sparseflow-schedules", "version": 1, "rows": [
  {"name": "many", "op": "matmul", "weights": "dense", "targets": ["sm_80"], "block": [64, 64], "warp": [32, 32], "group": 8, "split_k": 1, "pipeline": {"kind": "multistage", "k": 64, "stages": 3}},
  {"name": "few", "op": "matmul", "weights": "dense", "targets": ["sm_80"], "max_tokens": 16, "block": [64, 16], "warp": [16, 16], "group": 1, "split_k": {"blocks": 8, "min_k": 128}, "pipeline": {"kind": "multistage", "k": 64, "stages": 3}},
  {"name": "any", "op": "matmul", "weights": "dense", "targets": ["sm_80"], "unaligned": true, "block": [64, 32], "warp": [32, 32], "group": 8, "split_k": 1, "pipeline": {"kind": "multistage", "k": 64, "stages": 3}},
  {"name": "each", "op": "elementwise", "targets": ["sm_80"], "block": [128, 16], "warp": [64, 8]}
]}

//--- flat.json
{"format": "sparseflow-schedules", "version": 1, "rows": [
  {"name": "many", "op": "matmul", "weights": "dense", "targets": ["sm_80"], "block": [64, 64], "warp": [32, 32], "k": 64, "stages": 3, "group": 8, "split_k": 1},
  {"name": "few", "op": "matmul", "weights": "dense", "targets": ["sm_80"], "max_tokens": 16, "block": [64, 16], "warp": [16, 16], "k": 64, "stages": 3, "group": 1, "split_k": {"blocks": 8, "min_depth": 128}},
  {"name": "any", "op": "matmul", "weights": "dense", "targets": ["sm_80"], "unaligned": true, "block": [64, 32], "warp": [32, 32], "k": 64, "stages": 3, "group": 8, "split_k": 1},
  {"name": "each", "op": "elementwise", "targets": ["sm_80"], "block": [128, 16], "warp": [64, 8]}
]}

//--- typo.json
{"format": "sparseflow-schedules", "version": 1, "rows": [
  {"name": "bad", "op": "matmul", "weights": "dense", "targets": ["sm_80"], "block": [64, 64], "warp": [32, 32], "group": 8, "split_k": 1, "pipeline": {"kind": "multistage", "k": 64, "stages": 1}}
]}

//--- sizes.json
{"format": "sparseflow-schedules", "version": 1, "rows": [
  {"name": "good", "op": "matmul", "weights": "dense", "targets": ["sm_80"], "block": [64, 64], "warp": [32, 32], "group": 8, "split_k": 1, "pipeline": {"kind": "multistage", "k": 64, "stages": 3}},
  {"name": "bad", "op": "matmul", "weights": "dense", "targets": ["sm_80"], "unaligned": true, "block": [64, 20], "warp": [32, 20], "group": 8, "split_k": 1, "pipeline": {"kind": "multistage", "k": 64, "stages": 3}},
  {"name": "each", "op": "elementwise", "targets": ["sm_80"], "block": [128, 16], "warp": [64, 8]}
]}
