// Of 513 to 1,056 tokens all blocks of the kernel that quantizes run at once: shared memory that it
// does not use keeps each SM of 132 to 5, 6, 7 or 8 of them, and more tokens have no limit. Only
// where that was measured.
// RUN: sparseflow compile %s --emit manifest --target sm_90a -o - | FileCheck %s
// RUN: sparseflow compile %s --emit manifest --target sm_80 -o - | FileCheck %s --check-prefix=FEW

// CHECK: "op": "quantize"
// CHECK: {{^ *}}512{{$}}
// CHECK: "kernel": "f_0_quantize"
// CHECK-NEXT: "programmatic": true,
// CHECK-NEXT: "shared_bytes": 0,
// CHECK: {{^ *}}594{{$}}
// CHECK: "kernel": "f_0_quantize_many"
// CHECK-NEXT: "programmatic": true,
// CHECK-NEXT: "shared_bytes": 44646,
// CHECK: {{^ *}}726{{$}}
// CHECK: "kernel": "f_0_quantize_many"
// CHECK-NEXT: "programmatic": true,
// CHECK-NEXT: "shared_bytes": 36864,
// CHECK: {{^ *}}858{{$}}
// CHECK: "kernel": "f_0_quantize_many"
// CHECK-NEXT: "programmatic": true,
// CHECK-NEXT: "shared_bytes": 31305,
// CHECK: {{^ *}}1056{{$}}
// CHECK: "kernel": "f_0_quantize_many"
// CHECK-NEXT: "programmatic": true,
// CHECK-NEXT: "shared_bytes": 27136,
// CHECK: "kernel": "f_0_quantize_many"
// CHECK-NEXT: "programmatic": true,
// CHECK-NEXT: "shared_bytes": 0,
// CHECK: "op": "matmul"

// FEW: "op": "quantize"
// FEW-COUNT-3: "shared_bytes": 0,
// FEW-NOT: "kernel": "f_0_quantize
// FEW: "op": "matmul"
func.func @f(%x: tensor<?x4096xf16>, %w: tensor<64x4096xf16, #sparseflow.ternary<codes, scale = row : f32>>) -> tensor<?x64xf16> {
  %q, %s = sparseflow.quantize %x : tensor<?x4096xf16> -> tensor<?x4096xi8>, tensor<?xf32>
  %y = sparseflow.matmul %q, %w epilogue(%s : tensor<?xf32>) as [per_token] {
  ^bb0(%acc: f32, %scale: f32):
    %0 = arith.mulf %acc, %scale : f32
    %1 = arith.truncf %0 : f32 to f16
    sparseflow.yield %1 : f16
  } : tensor<?x4096xi8>, tensor<64x4096xf16, #sparseflow.ternary<codes, scale = row : f32>> -> tensor<?x64xf16>
  return %y : tensor<?x64xf16>
}
