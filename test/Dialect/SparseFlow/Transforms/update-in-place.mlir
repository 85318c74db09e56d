// A result takes the memory of a donated argument where an elementwise op makes it of that
// argument's own elements.
// RUN: sparseflow-opt %s --split-input-file --verify-diagnostics \
// RUN:   --pass-pipeline='builtin.module(func.func(sparseflow-update-in-place,sparseflow-verify-program))' | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#col = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: func.func @select(
// CHECK: linalg.generic {{.*}} {sparseflow.in_place = 2 : i64}
// expected-remark @+6 {{argument 2 is donated: this result is written in place}}
func.func @select(%flags: tensor<8xi1>, %new: tensor<4xf16>, %cache: tensor<8x4xf16> {sparseflow.donated})
    -> (tensor<4xf16>, tensor<8x4xf16>) {
  %e = tensor.empty() : tensor<8x4xf16>
  %s = tensor.empty() : tensor<4xf16>
  %n = linalg.exp ins(%new : tensor<4xf16>) outs(%s : tensor<4xf16>) -> tensor<4xf16>
  %r = linalg.generic {indexing_maps = [#row, #col, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%flags, %n, %cache : tensor<8xi1>, tensor<4xf16>, tensor<8x4xf16>) outs(%e : tensor<8x4xf16>) {
  ^bb0(%flag: i1, %token: f16, %old: f16, %out: f16):
    %0 = arith.select %flag, %token, %old : f16
    linalg.yield %0 : f16
  } -> tensor<8x4xf16>
  return %n, %r : tensor<4xf16>, tensor<8x4xf16>
}

// -----

// expected-error @+1 {{argument 0 is donated: expected a result of its type that an elementwise op, or insertions of slices, make of it, so that it can be written in place, found none that reads it; take the donation away, or write the update as a select of new and old elements or as slices without strides}}
func.func @unread(%cache: tensor<8x4xf16> {sparseflow.donated}, %x: tensor<8x4xf16>) -> tensor<8x4xf16> {
  %e = tensor.empty() : tensor<8x4xf16>
  %r = linalg.exp ins(%x : tensor<8x4xf16>) outs(%e : tensor<8x4xf16>) -> tensor<8x4xf16>
  return %r : tensor<8x4xf16>
}

// -----

// expected-error @+1 {{found one that reads other elements of it than those that it writes}}
func.func @across(%cache: tensor<8x8xf16> {sparseflow.donated}) -> tensor<8x8xf16> {
  %e = tensor.empty() : tensor<8x8xf16>
  %r = linalg.transpose ins(%cache : tensor<8x8xf16>) outs(%e : tensor<8x8xf16>) permutation = [1, 0]
  return %r : tensor<8x8xf16>
}

// -----

// CHECK-LABEL: func.func @inserted(
// CHECK: tensor.insert_slice {{.*}} {sparseflow.in_place = 0 : i64}
func.func @inserted(%cache: tensor<8x8xf16> {sparseflow.donated}, %x: tensor<1x8xf16>) -> tensor<8x8xf16> {
  // expected-remark @+1 {{argument 0 is donated: this slice is written in place, and nothing else of it}}
  %r = tensor.insert_slice %x into %cache[3, 0] [1, 8] [1, 1] : tensor<1x8xf16> into tensor<8x8xf16>
  return %r : tensor<8x8xf16>
}

// -----

// CHECK-LABEL: func.func @slices(
// CHECK-COUNT-2: tensor.insert_slice {{.*}} {sparseflow.in_place = 0 : i64}
func.func @slices(%cache: tensor<8x8xf16> {sparseflow.donated}, %x: tensor<1x8xf16>) -> tensor<8x8xf16> {
  %0 = tensor.insert_slice %x into %cache[3, 0] [1, 8] [1, 1] : tensor<1x8xf16> into tensor<8x8xf16>
  // expected-remark @+1 {{argument 0 is donated: 2 slices are written in place, and nothing else of it}}
  %r = tensor.insert_slice %x into %0[5, 0] [1, 8] [1, 1] : tensor<1x8xf16> into tensor<8x8xf16>
  return %r : tensor<8x8xf16>
}

// -----

// expected-error @+1 {{found one that inserts a slice with strides; take the donation away}}
func.func @strides(%cache: tensor<8x8xf16> {sparseflow.donated}, %x: tensor<2x8xf16>) -> tensor<8x8xf16> {
  %r = tensor.insert_slice %x into %cache[3, 0] [2, 8] [2, 1] : tensor<2x8xf16> into tensor<8x8xf16>
  return %r : tensor<8x8xf16>
}

// -----

// expected-error @+1 {{found one that reads other elements of it than those that it writes}}
func.func @itself(%cache: tensor<1x8xf16> {sparseflow.donated}) -> tensor<1x8xf16> {
  %flat = tensor.collapse_shape %cache [[0, 1]] : tensor<1x8xf16> into tensor<8xf16>
  %r = tensor.insert_slice %flat into %cache[0, 0] [1, 8] [1, 1] : tensor<8xf16> into tensor<1x8xf16>
  return %r : tensor<1x8xf16>
}

// -----

// The caller gets the first one in the argument's memory, and a copy with the second slice.

// CHECK-LABEL: func.func @both(
// CHECK: %[[FIRST:.*]] = tensor.insert_slice {{.*}} {sparseflow.in_place = 0 : i64}
// CHECK: tensor.insert_slice {{.*}} into %[[FIRST]]
// CHECK-NOT: sparseflow.in_place
// CHECK: return
func.func @both(%cache: tensor<8x8xf16> {sparseflow.donated}, %x: tensor<1x8xf16>) -> (tensor<8x8xf16>, tensor<8x8xf16>) {
  // expected-remark @+1 {{argument 0 is donated: this slice}}
  %0 = tensor.insert_slice %x into %cache[3, 0] [1, 8] [1, 1] : tensor<1x8xf16> into tensor<8x8xf16>
  %r = tensor.insert_slice %x into %0[5, 0] [1, 8] [1, 1] : tensor<1x8xf16> into tensor<8x8xf16>
  return %r, %0 : tensor<8x8xf16>, tensor<8x8xf16>
}

// -----

// expected-error @+1 {{found one that is made by 'tensor.pad', not by an elementwise op or by insertions of slices}}
func.func @padded(%cache: tensor<8xf16> {sparseflow.donated}) -> tensor<8xf16> {
  %zero = arith.constant 0.0 : f16
  %r = tensor.pad %cache low[0] high[0] {
  ^bb0(%i: index):
    tensor.yield %zero : f16
  } : tensor<8xf16> to tensor<8xf16>
  return %r : tensor<8xf16>
}

// -----

// Each version may be read until the next slice is written.

func.func @late_slice(%cache: tensor<8x8xf16> {sparseflow.donated}, %x: tensor<1x8xf16>) -> (tensor<8x8xf16>, tensor<8x8xf16>) {
  %e = tensor.empty() : tensor<8x8xf16>
  %0 = tensor.insert_slice %x into %cache[3, 0] [1, 8] [1, 1] : tensor<1x8xf16> into tensor<8x8xf16>
  // expected-remark @+1 {{argument 0 is donated: 2 slices}}
  %r = tensor.insert_slice %x into %0[5, 0] [1, 8] [1, 1] : tensor<1x8xf16> into tensor<8x8xf16>
  // expected-error @+1 {{reads argument 0 behind the tensor.insert_slice that updates it in place; read the result of the update}}
  %s = linalg.tanh ins(%0 : tensor<8x8xf16>) outs(%e : tensor<8x8xf16>) -> tensor<8x8xf16>
  return %r, %s : tensor<8x8xf16>, tensor<8x8xf16>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#all = affine_map<(d0, d1, d2) -> (d0, d2)>
#to = affine_map<(d0, d1, d2) -> (d0, d1)>
// expected-error @+1 {{found one that is made by a reduction, or with other results}}
func.func @reduced(%cache: tensor<8x8xf32> {sparseflow.donated}) -> tensor<8x8xf32> {
  %r = linalg.generic {indexing_maps = [#all, #to], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%cache : tensor<8x8xf32>) outs(%cache : tensor<8x8xf32>) {
  ^bb0(%x: f32, %out: f32):
    %0 = arith.addf %x, %out : f32
    linalg.yield %0 : f32
  } -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>
// expected-error @+1 {{found one that reads other elements of it than those that it writes}}
func.func @gathered(%cache: tensor<8xf16> {sparseflow.donated}) -> tensor<8xf16> {
  %e = tensor.empty() : tensor<8xf16>
  %c0 = arith.constant 0 : index
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%cache : tensor<8xf16>) outs(%e : tensor<8xf16>) {
  ^bb0(%x: f16, %out: f16):
    %first = tensor.extract %cache[%c0] : tensor<8xf16>
    %0 = arith.addf %x, %first : f16
    linalg.yield %0 : f16
  } -> tensor<8xf16>
  return %r : tensor<8xf16>
}

// -----

// What reads the argument behind its update would read new elements.

func.func @late(%cache: tensor<8x8xf16> {sparseflow.donated}) -> (tensor<8x8xf16>, tensor<8x8xf16>) {
  %e = tensor.empty() : tensor<8x8xf16>
  // expected-remark @+1 {{argument 0 is donated}}
  %r = linalg.exp ins(%cache : tensor<8x8xf16>) outs(%e : tensor<8x8xf16>) -> tensor<8x8xf16>
  // expected-error @+1 {{reads argument 0 behind the linalg.exp that updates it in place; read the result of the update}}
  %s = linalg.tanh ins(%cache : tensor<8x8xf16>) outs(%e : tensor<8x8xf16>) -> tensor<8x8xf16>
  return %r, %s : tensor<8x8xf16>, tensor<8x8xf16>
}

// -----

// By another shape, too.

func.func @view(%cache: tensor<8x8xf16> {sparseflow.donated}) -> (tensor<8x8xf16>, tensor<64xf16>) {
  %e = tensor.empty() : tensor<8x8xf16>
  %f = tensor.empty() : tensor<64xf16>
  %flat = tensor.collapse_shape %cache [[0, 1]] : tensor<8x8xf16> into tensor<64xf16>
  // expected-remark @+1 {{argument 0 is donated}}
  %r = linalg.exp ins(%cache : tensor<8x8xf16>) outs(%e : tensor<8x8xf16>) -> tensor<8x8xf16>
  // expected-error @+1 {{reads argument 0 behind the linalg.exp that updates it in place}}
  %s = linalg.tanh ins(%flat : tensor<64xf16>) outs(%f : tensor<64xf16>) -> tensor<64xf16>
  return %r, %s : tensor<8x8xf16>, tensor<64xf16>
}

// -----

// A kernel reads an element that decides an offset, or that its body uses, when it runs.

// expected-error @+1 {{found one that reads other elements of it than those that it writes}}
func.func @own_place(%state: tensor<8xindex> {sparseflow.donated}, %x: tensor<1xindex>) -> tensor<8xindex> {
  %c0 = arith.constant 0 : index
  %at = tensor.extract %state[%c0] : tensor<8xindex>
  %r = tensor.insert_slice %x into %state[%at] [1] [1] : tensor<1xindex> into tensor<8xindex>
  return %r : tensor<8xindex>
}

// -----

#id = affine_map<(d0) -> (d0)>
// expected-error @+1 {{found one that reads other elements of it than those that it writes}}
func.func @own_scale(%state: tensor<8xi64> {sparseflow.donated}) -> tensor<8xi64> {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<8xi64>
  %first = tensor.extract %state[%c0] : tensor<8xi64>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%state : tensor<8xi64>) outs(%e : tensor<8xi64>) {
  ^bb0(%x: i64, %out: i64):
    %0 = arith.addi %x, %first : i64
    linalg.yield %0 : i64
  } -> tensor<8xi64>
  return %r : tensor<8xi64>
}

// -----

// A position that is counted on in place before the slice is written there.

#none = affine_map<() -> ()>
func.func @counter(%count: tensor<i64> {sparseflow.donated}, %cache: tensor<8x4xf16> {sparseflow.donated}, %x: tensor<1x4xf16>)
    -> (tensor<i64>, tensor<8x4xf16>) {
  %one = arith.constant 1 : i64
  %e = tensor.empty() : tensor<i64>
  %v = tensor.extract %count[] : tensor<i64>
  %at = arith.index_cast %v : i64 to index
  // expected-remark @+1 {{argument 0 is donated}}
  %next = linalg.generic {indexing_maps = [#none, #none], iterator_types = []}
      ins(%count : tensor<i64>) outs(%e : tensor<i64>) {
  ^bb0(%c: i64, %out: i64):
    %0 = arith.addi %c, %one : i64
    linalg.yield %0 : i64
  } -> tensor<i64>
  // expected-remark @+2 {{argument 1 is donated}}
  // expected-error @+1 {{reads argument 0 behind the linalg.generic that updates it in place}}
  %r = tensor.insert_slice %x into %cache[%at, 0] [1, 4] [1, 1] : tensor<1x4xf16> into tensor<8x4xf16>
  return %next, %r : tensor<i64>, tensor<8x4xf16>
}

// -----

// Behind the slice it may be counted on.

#none = affine_map<() -> ()>
// CHECK-LABEL: func.func @counter_behind(
// CHECK: tensor.insert_slice {{.*}} {sparseflow.in_place = 1 : i64}
// CHECK: linalg.generic {{.*}} {sparseflow.in_place = 0 : i64}
func.func @counter_behind(%count: tensor<i64> {sparseflow.donated}, %cache: tensor<8x4xf16> {sparseflow.donated}, %x: tensor<1x4xf16>)
    -> (tensor<i64>, tensor<8x4xf16>) {
  %one = arith.constant 1 : i64
  %e = tensor.empty() : tensor<i64>
  %v = tensor.extract %count[] : tensor<i64>
  %at = arith.index_cast %v : i64 to index
  // expected-remark @+1 {{argument 1 is donated}}
  %r = tensor.insert_slice %x into %cache[%at, 0] [1, 4] [1, 1] : tensor<1x4xf16> into tensor<8x4xf16>
  // expected-remark @+1 {{argument 0 is donated}}
  %next = linalg.generic {indexing_maps = [#none, #none], iterator_types = []}
      ins(%count : tensor<i64>) outs(%e : tensor<i64>) {
  ^bb0(%c: i64, %out: i64):
    %0 = arith.addi %c, %one : i64
    linalg.yield %0 : i64
  } -> tensor<i64>
  return %next, %r : tensor<i64>, tensor<8x4xf16>
}
