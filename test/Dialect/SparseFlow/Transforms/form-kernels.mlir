// RUN: sparseflow-opt %s --split-input-file --sparseflow-form-kernels 2>/dev/null | FileCheck %s
// RUN: sparseflow-opt %s --split-input-file --sparseflow-form-kernels -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// What reads a reduction row by row is its kernel; the conversion is inside it
// twice, where it costs less than what it would store.

#id = affine_map<(t, n) -> (t, n)>
#row = affine_map<(t, n) -> (t)>
// CHECK-LABEL: func.func @norm(
// CHECK: linalg.generic {{.*}} {{.*}}{sparseflow.inlined}
// CHECK: linalg.generic {{.*}} {{.*}}{sparseflow.inlined}
// CHECK: linalg.generic {{.*}} {{.*}}{sparseflow.kernel = "rows", sparseflow.row_dims = 1 : i64}
// REMARK: remark: [kernel] computed inside the kernel that reads it
// REMARK: remark: [kernel] a kernel of its own (rows): an op that is no kernel of tensor ops, or the caller, reads it
func.func @norm(%x: tensor<?x64xf16>, %zeros: tensor<?xf32>) -> tensor<?x64xf32> {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %x, %c0 : tensor<?x64xf16>
  %e = tensor.empty(%t) : tensor<?x64xf32>
  %wide = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x64xf16>) outs(%e : tensor<?x64xf32>) {
  ^bb0(%a: f16, %out: f32):
    %0 = arith.extf %a : f16 to f32
    linalg.yield %0 : f32
  } -> tensor<?x64xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%wide : tensor<?x64xf32>) outs(%zeros : tensor<?xf32>) {
  ^bb0(%a: f32, %out: f32):
    %0 = arith.addf %a, %out : f32
    linalg.yield %0 : f32
  } -> tensor<?xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%wide, %sum : tensor<?x64xf32>, tensor<?xf32>) outs(%e : tensor<?x64xf32>) {
  ^bb0(%a: f32, %s: f32, %out: f32):
    %0 = arith.subf %a, %s : f32
    linalg.yield %0 : f32
  } -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}

// -----

// Columns are reduced by a kernel of their own; what reads them is another.

#id = affine_map<(t, n) -> (t, n)>
#col = affine_map<(t, n) -> (n)>
// CHECK-LABEL: func.func @columns(
// CHECK: linalg.generic {{.*}} {{.*}}{sparseflow.kernel = "columns"}
// CHECK: linalg.generic {{.*}} {{.*}}{sparseflow.kernel = "map"}
// REMARK: remark: [kernel] a kernel of its own (columns): its results are no rows of what reads them
func.func @columns(%x: tensor<8x64xf32>, %zeros: tensor<64xf32>) -> tensor<8x64xf32> {
  %e = tensor.empty() : tensor<8x64xf32>
  %sum = linalg.generic {indexing_maps = [#id, #col], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<8x64xf32>) outs(%zeros : tensor<64xf32>) {
  ^bb0(%a: f32, %out: f32):
    %0 = arith.addf %a, %out : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  %y = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<8x64xf32>, tensor<64xf32>) outs(%e : tensor<8x64xf32>) {
  ^bb0(%a: f32, %s: f32, %out: f32):
    %0 = arith.subf %a, %s : f32
    linalg.yield %0 : f32
  } -> tensor<8x64xf32>
  return %y : tensor<8x64xf32>
}

// -----

// A product reads its operands several times: what they are made of is stored.
// Functions are not computed for every repetition of what they give. Slices are
// inside what reads them.

#id3 = affine_map<(b, m, n) -> (b, m, n)>
#mn = affine_map<(b, m, n) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
// CHECK-LABEL: func.func @stored(
// CHECK: linalg.generic {{.*}} {{.*}}{sparseflow.kernel = "map"}
// CHECK: tensor.extract_slice {{.*}} {sparseflow.inlined}
// CHECK: linalg.generic {{.*}} {{.*}}{sparseflow.kernel = "map"}
// CHECK: linalg.batch_matmul {sparseflow.kernel = "columns"}
// REMARK: remark: [kernel] a kernel of its own (map): its reader would compute its functions once for every repetition of its elements
// REMARK: remark: [kernel] a kernel of its own (map): a contraction reads it several times
// REMARK: remark: [kernel] a contraction without tensor cores, whose kernel is correct and not fast: expected
func.func @stored(%a: tensor<4x16xf32>, %x: tensor<2x4x24xf32>, %k: tensor<2x16x8xf32>, %s: tensor<2x4x8xf32>) -> tensor<2x4x8xf32> {
  %e = tensor.empty() : tensor<4x16xf32>
  %e3 = tensor.empty() : tensor<2x4x16xf32>
  %cos = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<4x16xf32>) outs(%e : tensor<4x16xf32>) {
  ^bb0(%v: f32, %out: f32):
    %0 = math.cos %v : f32
    linalg.yield %0 : f32
  } -> tensor<4x16xf32>
  %part = tensor.extract_slice %x[0, 0, 8] [2, 4, 16] [1, 1, 1] : tensor<2x4x24xf32> to tensor<2x4x16xf32>
  %q = linalg.generic {indexing_maps = [#id3, #mn, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%part, %cos : tensor<2x4x16xf32>, tensor<4x16xf32>) outs(%e3 : tensor<2x4x16xf32>) {
  ^bb0(%v: f32, %c: f32, %out: f32):
    %0 = arith.mulf %v, %c : f32
    linalg.yield %0 : f32
  } -> tensor<2x4x16xf32>
  %y = linalg.batch_matmul ins(%q, %k : tensor<2x4x16xf32>, tensor<2x16x8xf32>) outs(%s : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  return %y : tensor<2x4x8xf32>
}

// -----

// Tensor cores multiply what lies in memory: through transposes, unit dimensions and
// extensions, whatever the order of dimensions. What computes an operand is stored.

#id = affine_map<(b, m, n) -> (b, m, n)>
// CHECK-LABEL: func.func @multiplied(
// CHECK: linalg.generic {{.*}} {{.*}}{sparseflow.kernel = "map"}
// CHECK: linalg.transpose {{.*}} {sparseflow.inlined}
// CHECK: linalg.batch_matmul {sparseflow.kernel = "product"}
// REMARK: remark: [kernel] a kernel of its own (map): a product on tensor cores reads it
// REMARK: remark: [kernel] a product of two activations, on tensor cores
func.func @multiplied(%a: tensor<2x?x16xf16>, %k: tensor<2x?x16xf16>) -> tensor<2x?x?xf32> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c1 : tensor<2x?x16xf16>
  %n = tensor.dim %k, %c1 : tensor<2x?x16xf16>
  %e = tensor.empty(%m) : tensor<2x?x16xf16>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%a : tensor<2x?x16xf16>) outs(%e : tensor<2x?x16xf16>) {
  ^bb0(%v: f16, %out: f16):
    %0 = math.exp %v : f16
    linalg.yield %0 : f16
  } -> tensor<2x?x16xf16>
  %et = tensor.empty(%n) : tensor<2x16x?xf16>
  %t = linalg.transpose ins(%k : tensor<2x?x16xf16>) outs(%et : tensor<2x16x?xf16>) permutation = [0, 2, 1]
  %es = tensor.empty(%m, %n) : tensor<2x?x?xf32>
  %s = linalg.fill ins(%zero : f32) outs(%es : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %y = linalg.batch_matmul ins(%q, %t : tensor<2x?x16xf16>, tensor<2x16x?xf16>) outs(%s : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  return %y : tensor<2x?x?xf32>
}

// -----

// What follows a product element by element is part of its kernel; what rounds it is stored so, whoever
// reads it.

#id = affine_map<(a, b, c) -> (a, b, c)>
// CHECK-LABEL: func.func @rounded(
// CHECK: linalg.batch_matmul {sparseflow.inlined}
// CHECK: linalg.generic {{.*}} attrs = {sparseflow.kernel = "product"}
// CHECK: linalg.generic {{.*}} attrs = {sparseflow.kernel = "map"}
// REMARK: remark: [kernel] a kernel of its own (product): it rounds a product, which is stored so
func.func @rounded(%a: tensor<2x8x16xf16>, %b: tensor<2x16x24xf16>) -> tensor<2x8x24xf16> {
  %zero = arith.constant 0.0 : f32
  %es = tensor.empty() : tensor<2x8x24xf32>
  %s = linalg.fill ins(%zero : f32) outs(%es : tensor<2x8x24xf32>) -> tensor<2x8x24xf32>
  %y = linalg.batch_matmul ins(%a, %b : tensor<2x8x16xf16>, tensor<2x16x24xf16>) outs(%s : tensor<2x8x24xf32>) -> tensor<2x8x24xf32>
  %e = tensor.empty() : tensor<2x8x24xf16>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%y : tensor<2x8x24xf32>) outs(%e : tensor<2x8x24xf16>) {
  ^bb0(%v: f32, %out: f16):
    %0 = arith.truncf %v : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<2x8x24xf16>
  %z = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%r, %r : tensor<2x8x24xf16>, tensor<2x8x24xf16>) outs(%e : tensor<2x8x24xf16>) {
  ^bb0(%v: f16, %w: f16, %out: f16):
    %0 = arith.addf %v, %w : f16
    linalg.yield %0 : f16
  } -> tensor<2x8x24xf16>
  return %z : tensor<2x8x24xf16>
}

// -----

// A vector, sums that begin with a tensor, what is no sum of products, and batches that are
// innermost are left to other kernels.

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#y = affine_map<(m, n, k) -> (m, n)>
#ab = affine_map<(b, m, n, k) -> (m, k, b)>
#bb = affine_map<(b, m, n, k) -> (n, k, b)>
#yb = affine_map<(b, m, n, k) -> (m, n, b)>
// CHECK-LABEL: func.func @left(
// CHECK: linalg.batch_matvec {sparseflow.kernel = "rows"}
// CHECK: linalg.batch_matmul {sparseflow.kernel = "columns"}
// REMARK: remark: [kernel] a contraction without tensor cores, whose kernel is correct and not fast: it adds to a tensor: add to the product instead
// REMARK: whose kernel is correct and not fast: it is no matmul
// REMARK: whose kernel is correct and not fast: expected operands [.., M, K] and [.., N, K] of a result [.., M, N], with M or N or K adjacent in memory
func.func @left(%a: tensor<2x8x16xf16>, %v: tensor<2x16xf16>, %b: tensor<2x16x8xf16>, %c: tensor<2x8xf32>, %d: tensor<2x8x8xf32>) -> (tensor<2x8xf32>, tensor<2x8x8xf32>) {
  %x = linalg.batch_matvec ins(%a, %v : tensor<2x8x16xf16>, tensor<2x16xf16>) outs(%c : tensor<2x8xf32>) -> tensor<2x8xf32>
  %y = linalg.batch_matmul ins(%a, %b : tensor<2x8x16xf16>, tensor<2x16x8xf16>) outs(%d : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  return %x, %y : tensor<2x8xf32>, tensor<2x8x8xf32>
}

func.func @others(%a: tensor<8x16xf16>, %b: tensor<8x16xf16>, %c: tensor<8x16x2xf16>, %d: tensor<8x16x2xf16>) -> (tensor<8x8xf16>, tensor<8x8x2xf16>) {
  %low = arith.constant dense<-1.0> : tensor<8x8xf16>
  %zero = arith.constant dense<0.0> : tensor<8x8x2xf16>
  %x = linalg.generic {indexing_maps = [#a, #b, #y], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<8x16xf16>, tensor<8x16xf16>) outs(%low : tensor<8x8xf16>) {
  ^bb0(%v: f16, %w: f16, %out: f16):
    %0 = arith.addf %v, %w : f16
    %1 = arith.maximumf %0, %out : f16
    linalg.yield %1 : f16
  } -> tensor<8x8xf16>
  %y = linalg.generic {indexing_maps = [#ab, #bb, #yb], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%c, %d : tensor<8x16x2xf16>, tensor<8x16x2xf16>) outs(%zero : tensor<8x8x2xf16>) {
  ^bb0(%v: f16, %w: f16, %out: f16):
    %0 = arith.mulf %v, %w : f16
    %1 = arith.addf %0, %out : f16
    linalg.yield %1 : f16
  } -> tensor<8x8x2xf16>
  return %x, %y : tensor<8x8xf16>, tensor<8x8x2xf16>
}

// -----

// A reduction of rows that are longer than those of its reader, or of another
// dynamic size, has a kernel of its own: threads hold parts of the reader's rows.

#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
// CHECK-LABEL: func.func @longer(
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} {{.*}}{sparseflow.kernel = "rows"
// REMARK: remark: [kernel] a kernel of its own (rows): its rows are longer or shorter than those of what reads it
func.func @longer(%x: tensor<?x64xf32>, %z: tensor<?x96xf32>, %s: tensor<?xf32>) -> tensor<?x64xf32> {
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%z : tensor<?x96xf32>) outs(%s : tensor<?xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %0 = arith.addf %v, %acc : f32
    linalg.yield %0 : f32
  } -> tensor<?xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<?x64xf32>, tensor<?xf32>) outs(%x : tensor<?x64xf32>) {
  ^bb0(%v: f32, %t: f32, %out: f32):
    %0 = arith.mulf %v, %t : f32
    linalg.yield %0 : f32
  } -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}

// CHECK-LABEL: func.func @same(
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} {{.*}}{sparseflow.inlined}
func.func @same(%x: tensor<?x?xf32>, %s: tensor<?xf32>) -> tensor<?x?xf32> {
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x?xf32>) outs(%s : tensor<?xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %0 = arith.addf %v, %acc : f32
    linalg.yield %0 : f32
  } -> tensor<?xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<?x?xf32>, tensor<?xf32>) outs(%x : tensor<?x?xf32>) {
  ^bb0(%v: f32, %t: f32, %out: f32):
    %0 = arith.mulf %v, %t : f32
    linalg.yield %0 : f32
  } -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#none = affine_map<(i, j) -> (0)>

// What is one for all that a row folds makes neither columns nor a contraction of it.
// CHECK-LABEL: func.func @scaled(
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} {{.*}}{sparseflow.kernel = "rows"}
func.func @scaled(%x: tensor<?x?xf32>, %f: tensor<?xf32>, %r: tensor<1xf32>, %s: tensor<?xf32>) -> tensor<?xf32> {
  %sum = linalg.generic {indexing_maps = [#id, #row, #none, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %f, %r : tensor<?x?xf32>, tensor<?xf32>, tensor<1xf32>) outs(%s : tensor<?xf32>) {
  ^bb0(%v: f32, %factor: f32, %rate: f32, %acc: f32):
    %0 = arith.mulf %v, %factor : f32
    %1 = arith.mulf %0, %rate : f32
    %2 = arith.addf %1, %acc : f32
    linalg.yield %2 : f32
  } -> tensor<?xf32>
  return %sum : tensor<?xf32>
}
