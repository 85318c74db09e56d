// RUN: sparseflow-opt %s --sparseflow-mark-sparse="mark=w=ternary:codes:row:f32,v=ternary:two_four:128:f16:1,u=ternary:codes:tensor:bf16:2" 2>&1 | FileCheck %s
// RUN: sparseflow-opt %s --sparseflow-mark-sparse="mark=t=ternary:codes:row:f32" -o /dev/null
// RUN: not sparseflow-opt %s --sparseflow-mark-sparse="mark=t=ternary:codes:tensor:f32" 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not sparseflow-opt %s --sparseflow-mark-sparse="mark=t=2:4" 2>&1 | FileCheck %s --check-prefix=PAIRS
// RUN: not sparseflow-opt %s --sparseflow-mark-sparse="mark=w=ternary:codes:row:f32,w=2:4" 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not sparseflow-opt %s --sparseflow-mark-sparse="mark=w=ternary:codes:row" 2>&1 | FileCheck %s --check-prefix=SYNTAX
// RUN: not sparseflow-opt %s --sparseflow-mark-sparse="mark=w=ternary:nibbles:row:f32" 2>&1 | FileCheck %s --check-prefix=SYNTAX
// RUN: not sparseflow-opt %s --sparseflow-mark-sparse="mark=w=ternary:codes:1:f32" 2>&1 | FileCheck %s --check-prefix=SYNTAX
// RUN: not sparseflow-opt %s --sparseflow-mark-sparse="mark=w=ternary:codes:row:f64" 2>&1 | FileCheck %s --check-prefix=SYNTAX
// RUN: not sparseflow-opt %s --sparseflow-mark-sparse="mark=w=ternary:codes:48:f32" 2>&1 | FileCheck %s --check-prefix=GROUP
// RUN: not sparseflow-opt %s --sparseflow-mark-sparse="mark=w=ternary:two_four:row:f32:2" 2>&1 | FileCheck %s --check-prefix=PLANES
// RUN: not sparseflow-opt %s --sparseflow-mark-sparse="mark=w=quantized:codes:row:f32" 2>&1 | FileCheck %s --check-prefix=KEYWORD
// RUN: sparseflow-opt %s --sparseflow-mark-sparse="mark=w=quantized:int4:128:f16" | FileCheck %s --check-prefix=INT4
// RUN: not sparseflow-opt %s --sparseflow-mark-sparse="mark=k=ternary:codes:row:f32" 2>&1 | FileCheck %s --check-prefix=AXIS

// OTHER: error: cannot mark argument 4 as #sparseflow.ternary<codes, scale = tensor : f32>: it has the encoding #sparseflow.ternary<codes, scale = row : f32> already; remove one of the two
// PAIRS: error: cannot mark argument 4 as 2:4: it has the encoding #sparseflow.ternary<codes, scale = row : f32> already; remove one of the two
// TWICE: error: cannot mark argument 1: the mark w=ternary:codes:row:f32 says #sparseflow.ternary<codes, scale = row : f32> and the mark w=2:4 says 2:4; remove one of the two
// SYNTAX: error: expected an item of 'mark' as NAME=N:M or INDEX=N:M, or with ternary:STORAGE:SCALE:TYPE[:PLANES] or quantized:... in place of N:M, found "w=ternary
// KEYWORD: error: expected an item of 'mark' as {{.*}}, found "w=quantized:codes:row:f32"
// INT4: tensor<64x32xf16, #sparseflow.quantized<int4, scale = 128 : f16>> {sparseflow.name = "w"}
// GROUP: error: the mark w=ternary:codes:48:f32: expected a scale for the tensor, a row, or 32, 64, 128 or 256 columns, found 48
// PLANES: error: the mark w=ternary:two_four:row:f32:2: expected one plane under two_four, found 2; use codes for two
// AXIS: error: cannot mark argument 5 as #sparseflow.ternary<codes, scale = row : f32>: expected a weight [N, K], found one whose matmuls sum over dimension 0; transpose it in the program

// CHECK: module {
// CHECK-NEXT: func.func @f(%{{.*}}: tensor<8x32xf16>,
// CHECK-SAME: tensor<64x32xf16, #sparseflow.ternary<codes, scale = row : f32>> {sparseflow.name = "w"}
// CHECK-SAME: tensor<64x32xf16, #sparseflow.ternary<two_four, scale = 128 : f16>> {sparseflow.name = "v"}
// CHECK-SAME: tensor<64x32xf16, #sparseflow.ternary<codes, scale = tensor : bf16, planes = 2>> {sparseflow.name = "u"}
#row = #sparseflow.ternary<codes, scale = row : f32>
func.func @f(%x: tensor<8x32xf16>, %w: tensor<64x32xf16> {sparseflow.name = "w"},
             %v: tensor<64x32xf16> {sparseflow.name = "v"}, %u: tensor<64x32xf16> {sparseflow.name = "u"},
             %t: tensor<64x32xf16, #row> {sparseflow.name = "t"}, %k: tensor<32x64xf16> {sparseflow.name = "k"},
             %f: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %y = linalg.matmul ins(%x, %k : tensor<8x32xf16>, tensor<32x64xf16>) outs(%f : tensor<8x64xf32>) -> tensor<8x64xf32>
  return %y : tensor<8x64xf32>
}
