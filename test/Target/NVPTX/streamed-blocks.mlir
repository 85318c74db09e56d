// Blocks that stream weights behind a kernel that quantizes: shared memory that they do not use
// keeps each SM of 132 to as many of them as all need, so an interval of tokens is divided where
// that number changes. 4096 features are 64 blocks for 16 tokens. Only where that was measured, and
// not where activations are f16.
// RUN: rm -rf %t && split-file %s %t
// RUN: sparseflow compile %t/f.mlir --schedule-file %t/table.json --emit manifest --target sm_90a -o - | FileCheck %s
// RUN: sparseflow compile %t/f.mlir --schedule-file %t/table.json --emit manifest --target sm_100 -o - | FileCheck %s --check-prefix=ONE
// RUN: sparseflow compile %t/g.mlir --schedule-file %t/table.json --emit manifest --target sm_90a -o - | FileCheck %s --check-prefix=ONE

// CHECK: "op": "matmul"
// CHECK: {{^ *}}32{{$}}
// CHECK: "kernel": "f_1_a"
// CHECK-NEXT: "programmatic": true,
// CHECK-NEXT: "shared_bytes": 115840,
// CHECK: {{^ *}}64{{$}}
// CHECK: "kernel": "f_1_a"
// CHECK-NEXT: "programmatic": true,
// CHECK-NEXT: "shared_bytes": 76928,
// CHECK: {{^ *}}80{{$}}
// CHECK: "kernel": "f_1_a"
// CHECK-NEXT: "programmatic": true,
// CHECK-NEXT: "shared_bytes": 67584,
// CHECK: "kernel": "f_1_b"

// ONE: "op": "matmul"
// ONE: "kernel": "f_{{.}}_a"
// ONE-NOT: "kernel": "f_{{.}}_a"
// ONE: "kernel": "f_{{.}}_b"

//--- table.json
{"format": "sparseflow-schedules", "version": 1, "rows": [
  {"name": "few", "op": "matmul", "weights": "ternary", "targets": ["sm_90a", "sm_100"],
   "max_tokens": 80, "block": [64, 16], "warp": [64, 16],
   "pipeline": {"kind": "streamed", "k": 128, "stages": 4, "k_warps": 4}},
  {"name": "many", "op": "matmul", "weights": "ternary", "targets": ["sm_90a", "sm_100"],
   "block": [64, 64], "warp": [32, 32], "pipeline": {"kind": "multistage", "k": 128, "stages": 3}},
  {"name": "few", "op": "matmul", "weights": "ternary_i8", "targets": ["sm_90a", "sm_100"],
   "max_tokens": 80, "block": [64, 16], "warp": [64, 16],
   "pipeline": {"kind": "streamed", "k": 128, "stages": 4, "k_warps": 4}},
  {"name": "many", "op": "matmul", "weights": "ternary_i8", "targets": ["sm_90a", "sm_100"],
   "block": [64, 64], "warp": [32, 32], "pipeline": {"kind": "multistage", "k": 128, "stages": 3}}]}

//--- f.mlir
func.func @f(%x: tensor<?x512xf16>, %w: tensor<4096x512xf16, #sparseflow.ternary<codes, scale = row : f32>>) -> tensor<?x4096xf16> {
  %q, %s = sparseflow.quantize %x : tensor<?x512xf16> -> tensor<?x512xi8>, tensor<?xf32>
  %y = sparseflow.matmul %q, %w epilogue(%s : tensor<?xf32>) as [per_token] {
  ^bb0(%acc: f32, %scale: f32):
    %0 = arith.mulf %acc, %scale : f32
    %1 = arith.truncf %0 : f32 to f16
    sparseflow.yield %1 : f16
  } : tensor<?x512xi8>, tensor<4096x512xf16, #sparseflow.ternary<codes, scale = row : f32>> -> tensor<?x4096xf16>
  return %y : tensor<?x4096xf16>
}

//--- g.mlir
func.func @f(%x: tensor<?x512xf16>, %w: tensor<4096x512xf16, #sparseflow.ternary<codes, scale = row : f32>>) -> tensor<?x4096xf16> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } : tensor<?x512xf16>, tensor<4096x512xf16, #sparseflow.ternary<codes, scale = row : f32>> -> tensor<?x4096xf16>
  return %y : tensor<?x4096xf16>
}
