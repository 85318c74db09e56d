// RUN: sparseflow-opt %s --sparseflow-print-reference -o /dev/null | %python -m json.tool --compact | FileCheck %s --strict-whitespace

// Rounding inside a region has its type; arithmetic in 16 bits rounds.
// CHECK: "region":{"inputs":2,"ops":{{\[\[}}"truncf",0,"bf16"],["mulf",2,1],["truncf",3,"bf16"],["maximumf",4,1],["extf",5]],"yield":6}
#id = affine_map<(t, n) -> (t, n)>
func.func @rounded(%x: tensor<4x8xf32>, %y: tensor<4x8xbf16>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %z = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<4x8xf32>, tensor<4x8xbf16>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: bf16, %out: f32):
    %0 = arith.truncf %a : f32 to bf16
    %1 = arith.mulf %0, %b : bf16
    %2 = arith.maximumf %1, %b : bf16
    %3 = arith.extf %2 : bf16 to f32
    linalg.yield %3 : f32
  } -> tensor<4x8xf32>
  return %z : tensor<4x8xf32>
}
