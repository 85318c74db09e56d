// RUN: sparseflow-opt %s --split-input-file --sparseflow-raise-attention --verify-diagnostics | FileCheck %s

// What is almost an attention stays, with the reason.

#q = affine_map<(b, h, i, j, d) -> (b, h, i, d)>
#k = affine_map<(b, h, i, j, d) -> (b, h, j, d)>
#s = affine_map<(b, h, i, j, d) -> (b, h, i, j)>
#all = affine_map<(b, h, i, j) -> (b, h, i, j)>
#row = affine_map<(b, h, i, j) -> (b, h, i)>

// Probabilities of one order, a sum that starts elsewhere.
// CHECK-LABEL: @start
// CHECK: linalg.softmax
func.func @start(%q: tensor<2x4x8x32xf16>, %k: tensor<2x4x16x32xf16>,
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
  %one = arith.constant 1.0 : f32
  %oz = linalg.fill ins(%one : f32) outs(%oe : tensor<2x4x8x24xf32>) -> tensor<2x4x8x24xf32>
  // expected-remark @+1 {{linalg.generic is no attention: expected probabilities [B, H, S_q, S_k], or without the first dimensions, values [.., S_k, D] and a sum that starts at zero}}
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

#q = affine_map<(b, h, i, j, d) -> (b, h, i, d)>
#k = affine_map<(b, h, i, j, d) -> (h, b, j, d)>
#s = affine_map<(b, h, i, j, d) -> (b, h, i, j)>
#all = affine_map<(b, h, i, j) -> (b, h, i, j)>
#row = affine_map<(b, h, i, j) -> (b, h, i)>

// Keys in another order than values.
// CHECK-LABEL: @order
// CHECK: linalg.softmax
func.func @order(%q: tensor<2x4x8x32xf16>, %k: tensor<4x2x16x32xf16>,
                 %v: tensor<2x4x16x24xf16>) -> tensor<2x4x8x24xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4x8x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x4x8x32xf16>, tensor<4x2x16x32xf16>) outs(%z : tensor<2x4x8x16xf32>) {
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
  // expected-remark @+1 {{linalg.generic is no attention: expected queries, keys and values of one type, f16 or bf16, all in one of the layouts [B, H, S, D] and [B, S, H, D], where each head of keys serves neighbouring heads of queries}}
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

// A softmax that multiplies a weight is no attention: the weight stays one.
// CHECK-LABEL: @mixture
// CHECK: linalg.softmax
// CHECK: linalg.matmul
func.func @mixture(%x: tensor<?x64xf16>, %w1: tensor<16x64xf16>, %w2: tensor<16x32xf16>) -> tensor<?x32xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %t = tensor.dim %x, %c0 : tensor<?x64xf16>
  %e = tensor.empty(%t) : tensor<?x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(t, n, k) -> (t, k)>, affine_map<(t, n, k) -> (n, k)>, affine_map<(t, n, k) -> (t, n)>]
      ins(%x, %w1 : tensor<?x64xf16>, tensor<16x64xf16>) outs(%z : tensor<?x16xf32>) -> tensor<?x16xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<?x16xf32>) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
  %he = tensor.empty(%t) : tensor<?x16xf16>
  %h = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<?x16xf32>) outs(%he : tensor<?x16xf16>) {
  ^bb0(%a: f32, %b: f16):
    %0 = arith.truncf %a : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<?x16xf16>
  %oe = tensor.empty(%t) : tensor<?x32xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<?x32xf32>) -> tensor<?x32xf32>
  %o = linalg.matmul ins(%h, %w2 : tensor<?x16xf16>, tensor<16x32xf16>) outs(%oz : tensor<?x32xf32>) -> tensor<?x32xf32>
  return %o : tensor<?x32xf32>
}

// So does one that is repeated for a batch.
// CHECK-LABEL: @batched_mixture
// CHECK: linalg.softmax
// CHECK: linalg.batch_matmul
func.func @batched_mixture(%s: tensor<2x8x16xf32>, %w: tensor<16x32xf16>) -> tensor<2x8x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x8x16xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<2x8x16xf32>) outs(%e : tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  %he = tensor.empty() : tensor<2x8x16xf16>
  %h = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%p : tensor<2x8x16xf32>) outs(%he : tensor<2x8x16xf16>) {
  ^bb0(%a: f32, %b: f16):
    %0 = arith.truncf %a : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<2x8x16xf16>
  %we = tensor.empty() : tensor<2x16x32xf16>
  %v = linalg.broadcast ins(%w : tensor<16x32xf16>) outs(%we : tensor<2x16x32xf16>) dimensions = [0]
  %oe = tensor.empty() : tensor<2x8x32xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
  %o = linalg.batch_matmul ins(%h, %v : tensor<2x8x16xf16>, tensor<2x16x32xf16>) outs(%oz : tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
  return %o : tensor<2x8x32xf32>
}

// -----

// Scores that start elsewhere.
// CHECK-LABEL: @scores_start
// CHECK: linalg.softmax
func.func @scores_start(%q: tensor<2x8x32xf16>, %k: tensor<2x16x32xf16>, %v: tensor<2x16x24xf16>) -> tensor<2x8x24xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<2x8x16xf32>
  %z = linalg.fill ins(%one : f32) outs(%e : tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x8x32xf16>, tensor<2x16x32xf16>) outs(%z : tensor<2x8x16xf32>) {
  ^bb0(%a: f16, %b: f16, %c: f32):
    %0 = arith.extf %a : f16 to f32
    %1 = arith.extf %b : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %c, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<2x8x16xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<2x8x16xf32>) outs(%e : tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  %he = tensor.empty() : tensor<2x8x16xf16>
  %h = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%p : tensor<2x8x16xf32>) outs(%he : tensor<2x8x16xf16>) {
  ^bb0(%a: f32, %b: f16):
    %0 = arith.truncf %a : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<2x8x16xf16>
  %oe = tensor.empty() : tensor<2x8x24xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x8x24xf32>) -> tensor<2x8x24xf32>
  // expected-remark @+1 {{linalg.batch_matmul is no attention: expected scores from a matmul of queries and keys that starts at zero, found another initial value of 'linalg.generic'}}
  %o = linalg.batch_matmul ins(%h, %v : tensor<2x8x16xf16>, tensor<2x16x24xf16>) outs(%oz : tensor<2x8x24xf32>) -> tensor<2x8x24xf32>
  return %o : tensor<2x8x24xf32>
}

// -----

// Keys that overlap.
// CHECK-LABEL: @sliding
// CHECK: linalg.softmax
func.func @sliding(%q: tensor<2x8x32xf16>, %k: tensor<2x47xf16>, %v: tensor<2x16x24xf16>) -> tensor<2x8x24xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x8x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j + d)>, affine_map<(b, i, j, d) -> (b, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x8x32xf16>, tensor<2x47xf16>) outs(%z : tensor<2x8x16xf32>) {
  ^bb0(%a: f16, %b: f16, %c: f32):
    %0 = arith.extf %a : f16 to f32
    %1 = arith.extf %b : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %c, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<2x8x16xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<2x8x16xf32>) outs(%e : tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  %he = tensor.empty() : tensor<2x8x16xf16>
  %h = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%p : tensor<2x8x16xf32>) outs(%he : tensor<2x8x16xf16>) {
  ^bb0(%a: f32, %b: f16):
    %0 = arith.truncf %a : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<2x8x16xf16>
  %oe = tensor.empty() : tensor<2x8x24xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x8x24xf32>) -> tensor<2x8x24xf32>
  // expected-remark @+1 {{linalg.batch_matmul is no attention: expected a matmul of queries and keys by loops}}
  %o = linalg.batch_matmul ins(%h, %v : tensor<2x8x16xf16>, tensor<2x16x24xf16>) outs(%oz : tensor<2x8x24xf32>) -> tensor<2x8x24xf32>
  return %o : tensor<2x8x24xf32>
}

// -----

// One score for all keys.
// CHECK-LABEL: @no_keys
// CHECK: linalg.softmax
func.func @no_keys(%q: tensor<2x8x32xf16>, %k: tensor<2x32xf16>, %v: tensor<2x16x24xf16>) -> tensor<2x8x24xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x8x16xf32>
  %te = tensor.empty() : tensor<2x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%te : tensor<2x8xf32>) -> tensor<2x8xf32>
  %t = linalg.batch_matvec ins(%q, %k : tensor<2x8x32xf16>, tensor<2x32xf16>) outs(%z : tensor<2x8xf32>) -> tensor<2x8xf32>
  %s = linalg.broadcast ins(%t : tensor<2x8xf32>) outs(%e : tensor<2x8x16xf32>) dimensions = [2]
  %p = linalg.softmax dimension(2) ins(%s : tensor<2x8x16xf32>) outs(%e : tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  %he = tensor.empty() : tensor<2x8x16xf16>
  %h = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%p : tensor<2x8x16xf32>) outs(%he : tensor<2x8x16xf16>) {
  ^bb0(%a: f32, %b: f16):
    %0 = arith.truncf %a : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<2x8x16xf16>
  %oe = tensor.empty() : tensor<2x8x24xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x8x24xf32>) -> tensor<2x8x24xf32>
  // expected-remark @+1 {{linalg.batch_matmul is no attention: expected keys in the matmul that makes the scores}}
  %o = linalg.batch_matmul ins(%h, %v : tensor<2x8x16xf16>, tensor<2x16x24xf16>) outs(%oz : tensor<2x8x24xf32>) -> tensor<2x8x24xf32>
  return %o : tensor<2x8x24xf32>
}

// -----

// Keys that are one weight.
// CHECK-LABEL: @one_weight
// CHECK: linalg.softmax
func.func @one_weight(%q: tensor<2x8x32xf16>, %k: tensor<16x32xf16>, %v: tensor<2x16x24xf16>) -> tensor<2x8x24xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x8x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x8x32xf16>, tensor<16x32xf16>) outs(%z : tensor<2x8x16xf32>) {
  ^bb0(%a: f16, %b: f16, %c: f32):
    %0 = arith.extf %a : f16 to f32
    %1 = arith.extf %b : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %c, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<2x8x16xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<2x8x16xf32>) outs(%e : tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  %he = tensor.empty() : tensor<2x8x16xf16>
  %h = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%p : tensor<2x8x16xf32>) outs(%he : tensor<2x8x16xf16>) {
  ^bb0(%a: f32, %b: f16):
    %0 = arith.truncf %a : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<2x8x16xf16>
  %oe = tensor.empty() : tensor<2x8x24xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x8x24xf32>) -> tensor<2x8x24xf32>
  // expected-remark @+1 {{linalg.batch_matmul is no attention: expected keys that are computed, found one weight for the batch}}
  %o = linalg.batch_matmul ins(%h, %v : tensor<2x8x16xf16>, tensor<2x16x24xf16>) outs(%oz : tensor<2x8x24xf32>) -> tensor<2x8x24xf32>
  return %o : tensor<2x8x24xf32>
}
