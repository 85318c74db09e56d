// RUN: sparseflow-opt %s --split-input-file --sparseflow-raise-attention --canonicalize | FileCheck %s

#q = affine_map<(b, h, i, j, d) -> (b, h, i, d)>
#k = affine_map<(b, h, i, j, d) -> (b, h, j, d)>
#s = affine_map<(b, h, i, j, d) -> (b, h, i, j)>
#all = affine_map<(b, h, i, j) -> (b, h, i, j)>
#row = affine_map<(b, h, i, j) -> (b, h, i)>

// One softmax op, nothing else.
// CHECK-LABEL: @plain
// CHECK-SAME: (%[[Q:.*]]: tensor<2x4x8x32xf16>, %[[K:.*]]: tensor<2x4x16x32xf16>, %[[V:.*]]: tensor<2x4x16x24xf16>)
// CHECK-NEXT: %[[O:.*]] = sparseflow.attention %[[Q]], %[[K]], %[[V]] {scale = 1.000000e+00 : f32} : tensor<2x4x8x32xf16>, tensor<2x4x16x32xf16>, tensor<2x4x16x24xf16> -> tensor<2x4x8x24xf32>
// CHECK-NEXT: return %[[O]]
func.func @plain(%q: tensor<2x4x8x32xf16>, %k: tensor<2x4x16x32xf16>,
                 %v: tensor<2x4x16x24xf16>) -> tensor<2x4x8x24xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4x8x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x4x8x32xf16>, tensor<2x4x16x32xf16>) outs(%z : tensor<2x4x8x16xf32>) {
  ^bb0(%a: f16, %b: f16, %c: f32):
    %0 = arith.extf %a : f16 to f32
    %1 = arith.extf %b : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %c, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<2x4x8x16xf32>
  %p = linalg.softmax dimension(3) ins(%s : tensor<2x4x8x16xf32>) outs(%e : tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  %he = tensor.empty() : tensor<2x4x8x16xf16>
  %h = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%p : tensor<2x4x8x16xf32>) outs(%he : tensor<2x4x8x16xf16>) {
  ^bb0(%a: f32, %b: f16):
    %0 = arith.truncf %a : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<2x4x8x16xf16>
  %oe = tensor.empty() : tensor<2x4x8x24xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x4x8x24xf32>) -> tensor<2x4x8x24xf32>
  %o = linalg.generic {indexing_maps = [affine_map<(b, h, i, d, j) -> (b, h, i, j)>, affine_map<(b, h, i, d, j) -> (b, h, j, d)>, affine_map<(b, h, i, d, j) -> (b, h, i, d)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%h, %v : tensor<2x4x8x16xf16>, tensor<2x4x16x24xf16>) outs(%oz : tensor<2x4x8x24xf32>) {
  ^bb0(%a: f16, %b: f16, %c: f32):
    %0 = arith.extf %a : f16 to f32
    %1 = arith.extf %b : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %c, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<2x4x8x24xf32>
  return %o : tensor<2x4x8x24xf32>
}

// -----

#q = affine_map<(b, h, i, j, d) -> (b, i, h, d)>
#k = affine_map<(b, h, i, j, d) -> (b, j, h, d)>
#s = affine_map<(b, h, i, j, d) -> (b, h, i, j)>
#all = affine_map<(b, h, i, j) -> (b, h, i, j)>
#row = affine_map<(b, h, i, j) -> (b, h, i)>
#qk = affine_map<(b, h, i, j) -> (i, j)>

// The five steps of a softmax, a scale, a bias of all heads, a causal mask, and
// positions before heads.
// CHECK-LABEL: @steps
// CHECK-SAME: (%[[Q:.*]]: tensor<2x16x4x32xbf16>, %[[K:.*]]: tensor<2x16x4x32xbf16>, %[[V:.*]]: tensor<2x16x4x32xbf16>, %[[B:.*]]: tensor<16x16xf32>)
// CHECK: sparseflow.attention %[[Q]], %[[K]], %[[V]] operands(%[[B]] : tensor<16x16xf32>) as ["qk"] score {
// CHECK-NEXT: ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32, %in: f32):
// CHECK-NEXT:   %[[SCALE:.*]] = arith.constant 1.250000e-01 : f32
// CHECK-NEXT:   %[[X:.*]] = arith.mulf %s, %[[SCALE]] : f32
// CHECK-NEXT:   %[[Y:.*]] = arith.addf %[[X]], %in : f32
// CHECK-NEXT:   sparseflow.yield %[[Y]] : f32
// CHECK-NEXT: } {causal, layout = #sparseflow.attention_layout<bshd>, scale = 1.000000e+00 : f32}
// CHECK-NOT: linalg
func.func @steps(%q: tensor<2x16x4x32xbf16>, %k: tensor<2x16x4x32xbf16>,
                 %v: tensor<2x16x4x32xbf16>, %bias: tensor<16x16xf32>) -> tensor<2x16x4x32xf32> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.125 : f32
  %e = tensor.empty() : tensor<2x4x16x16xf32>
  %re = tensor.empty() : tensor<2x4x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x16x4x32xbf16>, tensor<2x16x4x32xbf16>) outs(%z : tensor<2x4x16x16xf32>) {
  ^bb0(%a: bf16, %b: bf16, %c: f32):
    %0 = arith.extf %a : bf16 to f32
    %1 = arith.extf %b : bf16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %c, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<2x4x16x16xf32>
  %t = linalg.generic {indexing_maps = [#all, #qk, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s, %bias : tensor<2x4x16x16xf32>, tensor<16x16xf32>) outs(%e : tensor<2x4x16x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.mulf %a, %scale : f32
    %1 = arith.addf %0, %b : f32
    linalg.yield %1 : f32
  } -> tensor<2x4x16x16xf32>
  %u = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%t : tensor<2x4x16x16xf32>) outs(%e : tensor<2x4x16x16xf32>) {
  ^bb0(%a: f32, %c: f32):
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %0 = arith.cmpi ule, %j, %i : index
    %1 = arith.select %0, %a, %none : f32
    linalg.yield %1 : f32
  } -> tensor<2x4x16x16xf32>
  %mi = linalg.fill ins(%none : f32) outs(%re : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  %m = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%u : tensor<2x4x16x16xf32>) outs(%mi : tensor<2x4x16xf32>) {
  ^bb0(%a: f32, %c: f32):
    %0 = arith.maximumf %a, %c : f32
    linalg.yield %0 : f32
  } -> tensor<2x4x16xf32>
  %x = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%u, %m : tensor<2x4x16x16xf32>, tensor<2x4x16xf32>) outs(%e : tensor<2x4x16x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.subf %a, %b : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x4x16x16xf32>
  %li = linalg.fill ins(%zero : f32) outs(%re : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  %l = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x : tensor<2x4x16x16xf32>) outs(%li : tensor<2x4x16xf32>) {
  ^bb0(%a: f32, %c: f32):
    %0 = arith.addf %a, %c : f32
    linalg.yield %0 : f32
  } -> tensor<2x4x16xf32>
  %he = tensor.empty() : tensor<2x4x16x16xbf16>
  %p = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %l : tensor<2x4x16x16xf32>, tensor<2x4x16xf32>) outs(%e : tensor<2x4x16x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<2x4x16x16xf32>
  %h = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%p : tensor<2x4x16x16xf32>) outs(%he : tensor<2x4x16x16xbf16>) {
  ^bb0(%a: f32, %b: bf16):
    %0 = arith.truncf %a : f32 to bf16
    linalg.yield %0 : bf16
  } -> tensor<2x4x16x16xbf16>
  %oe = tensor.empty() : tensor<2x16x4x32xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x16x4x32xf32>) -> tensor<2x16x4x32xf32>
  %o = linalg.generic {indexing_maps = [affine_map<(b, h, i, d, j) -> (b, h, i, j)>, affine_map<(b, h, i, d, j) -> (b, j, h, d)>, affine_map<(b, h, i, d, j) -> (b, i, h, d)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%h, %v : tensor<2x4x16x16xbf16>, tensor<2x16x4x32xbf16>) outs(%oz : tensor<2x16x4x32xf32>) {
  ^bb0(%a: bf16, %b: bf16, %c: f32):
    %0 = arith.extf %a : bf16 to f32
    %1 = arith.extf %b : bf16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %c, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<2x16x4x32xf32>
  return %o : tensor<2x16x4x32xf32>
}
