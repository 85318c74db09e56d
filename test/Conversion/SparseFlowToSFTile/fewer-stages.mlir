// A row that was tuned without what an epilogue keeps in shared memory: the
// kernel has fewer stages, and a remark says so.

// RUN: split-file %s %t
// RUN: sparseflow compile %t/mm.mlir --schedule-file %t/table.json --target sm_90a --emit sftile -o - --remarks 2>&1 | FileCheck %s

// CHECK: remark: [schedule] deep with 2 stages of K 256: with 3 stages of K 256 and what the epilogue holds a block needs 237616 bytes of shared memory, of 232448 that it may have
// CHECK: gpu.func @mm_0_a(
// CHECK: sftile.ring : <2, [

// The same where a target has less of it, or a weight more bits than the row was tuned for;
// of two stages both become shorter.

// RUN: sparseflow compile %t/bytes.mlir --target sm_86 --emit sftile -o - --remarks 2>&1 | FileCheck %s --check-prefix=BYTES
// BYTES: remark: [schedule] sm80.ternary.large with 2 stages of K 64: with 2 stages of K 128 and what the epilogue holds a block needs {{[0-9]+}} bytes of shared memory, of 101376 that it may have

//--- bytes.mlir
func.func @bytes(%x: tensor<2048x4096xf16>, %w: tensor<4096x4096xf16, #sparseflow.quantized<int8, scale = row : f16>>) -> tensor<2048x4096xf16> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } : tensor<2048x4096xf16>, tensor<4096x4096xf16, #sparseflow.quantized<int8, scale = row : f16>> -> tensor<2048x4096xf16>
  return %y : tensor<2048x4096xf16>
}

//--- mm.mlir
func.func @mm(%x: tensor<?x512xf16>, %w: tensor<96x512xf16, #sparseflow.ternary<two_four_zero, scale = tensor : bf16>>, %r: tensor<?x96xf32>) -> tensor<?x96xf16> {
  %y = sparseflow.matmul %x, %w epilogue(%r : tensor<?x96xf32>) as [full] {
  ^bb0(%acc: f32, %r_: f32):
    %0 = arith.addf %acc, %r_ : f32
    %1 = arith.truncf %0 : f32 to f16
    sparseflow.yield %1 : f16
  } : tensor<?x512xf16>, tensor<96x512xf16, #sparseflow.ternary<two_four_zero, scale = tensor : bf16>> -> tensor<?x96xf16>
  return %y : tensor<?x96xf16>
}

//--- table.json
{"format": "sparseflow-schedules", "version": 1, "rows": [
  {"name": "deep", "op": "matmul", "weights": "ternary24", "targets": ["sm_90a"], "max_tokens": 0, "block": [128, 128], "warp": [16, 128], "group": 8, "split_k": 1, "pipeline": {"kind": "warp_specialized", "k": 256, "stages": 3, "store_tokens": 32}},
  {"name": "unaligned", "op": "matmul", "weights": "ternary24", "targets": ["sm_90a"], "unaligned": true, "max_tokens": 0, "block": [128, 16], "warp": [64, 16], "group": 1, "split_k": 1, "pipeline": {"kind": "streamed", "k": 256, "stages": 2, "k_warps": 4}}
]}
