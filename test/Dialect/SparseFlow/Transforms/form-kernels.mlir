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
