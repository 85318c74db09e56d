// RUN: sparseflow-opt %s --split-input-file --sparseflow-raise-attention --verify-diagnostics | FileCheck %s

// Elementwise ops between a matmul and its softmax that are no scores of an attention.

// Whole numbers beside the scores.
// CHECK-LABEL: @number_of_key
// CHECK: linalg.softmax
func.func @number_of_key(%q: tensor<2x8x32xf16>, %k: tensor<2x16x32xf16>, %v: tensor<2x16x24xf16>, %n: tensor<16xi32>) -> tensor<2x8x24xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x8x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x8x32xf16>, tensor<2x16x32xf16>) outs(%z : tensor<2x8x16xf32>) {
  ^bb0(%a: f16, %b: f16, %c: f32):
    %0 = arith.extf %a : f16 to f32
    %1 = arith.extf %b : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %c, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<2x8x16xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%m, %n : tensor<2x8x16xf32>, tensor<16xi32>) outs(%e : tensor<2x8x16xf32>) {
  ^bb0(%a: f32, %b: i32, %c: f32):
    %0 = arith.sitofp %b : i32 to f32
    %r = arith.addf %a, %0 : f32
    linalg.yield %r : f32
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
  // expected-remark @+1 {{linalg.batch_matmul is no attention: expected inputs of elementwise ops on the scores to be tensors of floats or i1 that loops index}}
  %o = linalg.batch_matmul ins(%h, %v : tensor<2x8x16xf16>, tensor<2x16x24xf16>) outs(%oz : tensor<2x8x24xf32>) -> tensor<2x8x24xf32>
  return %o : tensor<2x8x24xf32>
}

// -----

// What no score computes.
// CHECK-LABEL: @foreign_scalar
// CHECK: linalg.softmax
func.func @foreign_scalar(%q: tensor<2x8x32xf16>, %k: tensor<2x16x32xf16>, %v: tensor<2x16x24xf16>) -> tensor<2x8x24xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x8x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x8x32xf16>, tensor<2x16x32xf16>) outs(%z : tensor<2x8x16xf32>) {
  ^bb0(%a: f16, %b: f16, %c: f32):
    %0 = arith.extf %a : f16 to f32
    %1 = arith.extf %b : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %c, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<2x8x16xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%m : tensor<2x8x16xf32>) outs(%e : tensor<2x8x16xf32>) {
  ^bb0(%a: f32, %c: f32):
    %0 = arith.bitcast %a : f32 to i32
    %r = arith.bitcast %0 : i32 to f32
    linalg.yield %r : f32
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
  // expected-remark @+1 {{linalg.batch_matmul is no attention: expected scalar arithmetic on the scores, found arith.bitcast}}
  %o = linalg.batch_matmul ins(%h, %v : tensor<2x8x16xf16>, tensor<2x16x24xf16>) outs(%oz : tensor<2x8x24xf32>) -> tensor<2x8x24xf32>
  return %o : tensor<2x8x24xf32>
}

// -----

// A scalar of the caller.
// CHECK-LABEL: @argument
// CHECK: linalg.softmax
func.func @argument(%q: tensor<2x8x32xf16>, %k: tensor<2x16x32xf16>, %v: tensor<2x16x24xf16>, %scale: f32) -> tensor<2x8x24xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x8x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x8x32xf16>, tensor<2x16x32xf16>) outs(%z : tensor<2x8x16xf32>) {
  ^bb0(%a: f16, %b: f16, %c: f32):
    %0 = arith.extf %a : f16 to f32
    %1 = arith.extf %b : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %c, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<2x8x16xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%m : tensor<2x8x16xf32>) outs(%e : tensor<2x8x16xf32>) {
  ^bb0(%a: f32, %c: f32):
    %r = arith.mulf %a, %scale : f32
    linalg.yield %r : f32
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
  // expected-remark @+1 {{linalg.batch_matmul is no attention: expected scalars from outside the elementwise ops to be constants}}
  %o = linalg.batch_matmul ins(%h, %v : tensor<2x8x16xf16>, tensor<2x16x24xf16>) outs(%oz : tensor<2x8x24xf32>) -> tensor<2x8x24xf32>
  return %o : tensor<2x8x24xf32>
}

// -----

// A mask with keys before queries.
// CHECK-LABEL: @mask_of_keys
// CHECK: linalg.softmax
func.func @mask_of_keys(%q: tensor<2x8x32xf16>, %k: tensor<2x16x32xf16>, %v: tensor<2x16x24xf16>, %mask: tensor<16x8xf32>) -> tensor<2x8x24xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x8x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x8x32xf16>, tensor<2x16x32xf16>) outs(%z : tensor<2x8x16xf32>) {
  ^bb0(%a: f16, %b: f16, %c: f32):
    %0 = arith.extf %a : f16 to f32
    %1 = arith.extf %b : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %c, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<2x8x16xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (j, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%m, %mask : tensor<2x8x16xf32>, tensor<16x8xf32>) outs(%e : tensor<2x8x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
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
  // expected-remark @+1 {{linalg.batch_matmul is no attention: expected inputs of elementwise ops on the scores to be indexed by some of batch, head, query and key in this order}}
  %o = linalg.batch_matmul ins(%h, %v : tensor<2x8x16xf16>, tensor<2x16x24xf16>) outs(%oz : tensor<2x8x24xf32>) -> tensor<2x8x24xf32>
  return %o : tensor<2x8x24xf32>
}

// -----

// Batch and head as one index.
// CHECK-LABEL: @joined_index
// CHECK: linalg.softmax
func.func @joined_index(%q4: tensor<3x2x8x32xf16>, %k4: tensor<3x2x16x32xf16>, %v4: tensor<3x2x16x24xf16>) -> tensor<6x8x24xf32> {
  %q = tensor.collapse_shape %q4 [[0, 1], [2], [3]] : tensor<3x2x8x32xf16> into tensor<6x8x32xf16>
  %k = tensor.collapse_shape %k4 [[0, 1], [2], [3]] : tensor<3x2x16x32xf16> into tensor<6x16x32xf16>
  %v = tensor.collapse_shape %v4 [[0, 1], [2], [3]] : tensor<3x2x16x24xf16> into tensor<6x16x24xf16>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x8x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<6x8x16xf32>) -> tensor<6x8x16xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<6x8x32xf16>, tensor<6x16x32xf16>) outs(%z : tensor<6x8x16xf32>) {
  ^bb0(%a: f16, %b: f16, %c: f32):
    %0 = arith.extf %a : f16 to f32
    %1 = arith.extf %b : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %c, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<6x8x16xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%m : tensor<6x8x16xf32>) outs(%e : tensor<6x8x16xf32>) {
  ^bb0(%a: f32, %c: f32):
    %0 = linalg.index 0 : index
    %1 = arith.index_cast %0 : index to i32
    %2 = arith.sitofp %1 : i32 to f32
    %r = arith.addf %a, %2 : f32
    linalg.yield %r : f32
  } -> tensor<6x8x16xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<6x8x16xf32>) outs(%e : tensor<6x8x16xf32>) -> tensor<6x8x16xf32>
  %he = tensor.empty() : tensor<6x8x16xf16>
  %h = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%p : tensor<6x8x16xf32>) outs(%he : tensor<6x8x16xf16>) {
  ^bb0(%a: f32, %b: f16):
    %0 = arith.truncf %a : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<6x8x16xf16>
  %oe = tensor.empty() : tensor<6x8x24xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<6x8x24xf32>) -> tensor<6x8x24xf32>
  // expected-remark @+1 {{linalg.batch_matmul is no attention: expected batches and heads apart where scores depend on them}}
  %o = linalg.batch_matmul ins(%h, %v : tensor<6x8x16xf16>, tensor<6x16x24xf16>) outs(%oz : tensor<6x8x24xf32>) -> tensor<6x8x24xf32>
  return %o : tensor<6x8x24xf32>
}

// -----

// A mask for each batch and head.
// CHECK-LABEL: @joined_mask
// CHECK: linalg.softmax
func.func @joined_mask(%q4: tensor<3x2x8x32xf16>, %k4: tensor<3x2x16x32xf16>, %v4: tensor<3x2x16x24xf16>, %mask: tensor<6x16xf32>) -> tensor<6x8x24xf32> {
  %q = tensor.collapse_shape %q4 [[0, 1], [2], [3]] : tensor<3x2x8x32xf16> into tensor<6x8x32xf16>
  %k = tensor.collapse_shape %k4 [[0, 1], [2], [3]] : tensor<3x2x16x32xf16> into tensor<6x16x32xf16>
  %v = tensor.collapse_shape %v4 [[0, 1], [2], [3]] : tensor<3x2x16x24xf16> into tensor<6x16x24xf16>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x8x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<6x8x16xf32>) -> tensor<6x8x16xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<6x8x32xf16>, tensor<6x16x32xf16>) outs(%z : tensor<6x8x16xf32>) {
  ^bb0(%a: f16, %b: f16, %c: f32):
    %0 = arith.extf %a : f16 to f32
    %1 = arith.extf %b : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %c, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<6x8x16xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%m, %mask : tensor<6x8x16xf32>, tensor<6x16xf32>) outs(%e : tensor<6x8x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<6x8x16xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<6x8x16xf32>) outs(%e : tensor<6x8x16xf32>) -> tensor<6x8x16xf32>
  %he = tensor.empty() : tensor<6x8x16xf16>
  %h = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%p : tensor<6x8x16xf32>) outs(%he : tensor<6x8x16xf16>) {
  ^bb0(%a: f32, %b: f16):
    %0 = arith.truncf %a : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<6x8x16xf16>
  %oe = tensor.empty() : tensor<6x8x24xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<6x8x24xf32>) -> tensor<6x8x24xf32>
  // expected-remark @+1 {{linalg.batch_matmul is no attention: expected batches and heads apart where scores depend on them}}
  %o = linalg.batch_matmul ins(%h, %v : tensor<6x8x16xf16>, tensor<6x16x24xf16>) outs(%oz : tensor<6x8x24xf32>) -> tensor<6x8x24xf32>
  return %o : tensor<6x8x24xf32>
}
