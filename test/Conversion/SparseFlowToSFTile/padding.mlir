// RUN: rm -rf %t && split-file %s %t
// RUN: sparseflow-opt %t/ragged.mlir --sparseflow-select-schedule="target=sm_90a schedule-file=%t/table.json" 2>&1 | FileCheck %s
// RUN: sparseflow-opt %t/whole.mlir --sparseflow-select-schedule="target=sm_90a schedule-file=%t/table.json" 2>&1 | FileCheck %s --check-prefix=WHOLE
// RUN: sparseflow run %t/ragged.mlir --device sim --target sm_90a --schedule-file %t/table.json --check --wavefronts --dim T=320 | FileCheck %s --check-prefix=SIM

// Two tiles of 64 features and four stages of 64 columns: the simulator counts
// the share that the remark says.
// CHECK: ragged.mlir:2:8: remark: [padding] tma: 33% of what it copies is padding: N = 100 in tiles of 64 features, K = 200 in stages of 64 columns
// SIM: check    result 0: ok
// SIM: tensor maps: 983040 bytes, 327040 of them padding, more than an eighth

// WHOLE: remark: [schedule] tma for any number of tokens
// WHOLE-NOT: [padding]

//--- table.json
{"format": "sparseflow-schedules", "version": 1, "rows": [
  {"name": "tma", "op": "matmul", "weights": "dense", "targets": ["sm_90a"], "block": [64, 32], "warp": [16, 32],
   "pipeline": {"kind": "warp_specialized", "k": 64, "stages": 4, "store_tokens": 32}},
  {"name": "any", "op": "matmul", "weights": "dense", "targets": ["sm_90a"], "unaligned": true, "block": [64, 32], "warp": [32, 32],
   "pipeline": {"kind": "multistage", "k": 64, "stages": 2}}]}

//--- ragged.mlir
func.func @f(%x: tensor<?x200xf16>, %w: tensor<100x200xf16>) -> tensor<?x100xf16> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } : tensor<?x200xf16>, tensor<100x200xf16> -> tensor<?x100xf16>
  return %y : tensor<?x100xf16>
}

//--- whole.mlir
func.func @f(%x: tensor<?x256xf16>, %w: tensor<128x256xf16>) -> tensor<?x128xf16> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } : tensor<?x256xf16>, tensor<128x256xf16> -> tensor<?x128xf16>
  return %y : tensor<?x128xf16>
}
