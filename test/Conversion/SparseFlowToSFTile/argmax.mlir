// RUN: sparseflow-opt %s --split-input-file --sparseflow-import --sparseflow-tensor --sparseflow-tile=target=sm_80 2>/dev/null | FileCheck %s
// RUN: sparseflow-opt %s --split-input-file --sparseflow-import --sparseflow-tensor --sparseflow-tile=target=sm_90a 2>&1 >/dev/null | FileCheck %s --check-prefix=WHY

// An argmax over the features of a matmul: the matmul's kernels store partial
// maxima and their positions, of 16 features each, and a small kernel combines them.

#full = affine_map<(t, n) -> (t, n)>
#row = affine_map<(t, n) -> (t)>

// WHY: remark: [argmax] the matmul's kernels store 63 partial maxima for each token in place of 1000 results
// CHECK-LABEL: gpu.func @fused_0_a(
// CHECK: sftile.reduce max
// CHECK: sftile.reduce max
// CHECK: sftile.store {{.*}} width 4 : <{{[0-9]+}}x1xf32
// CHECK: sftile.store {{.*}} width 4 : <{{[0-9]+}}x1xi32
// CHECK-LABEL: gpu.func @fused_1_argmax(
// CHECK-LABEL: func.func @fused(
// CHECK: gpu.launch_func @kernels::@fused_1_argmax {{.*}} {sparseflow.op = "argmax"
func.func @fused(%x: tensor<?x256xf16>, %w: tensor<1000x256xf16>) -> tensor<?xi64> {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %x, %c0 : tensor<?x256xf16>
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %r = arith.truncf %acc : f32 to f16
    sparseflow.yield %r : f16
  } : tensor<?x256xf16>, tensor<1000x256xf16> -> tensor<?x1000xf16>
  %least = arith.constant 0xFC00 : f16
  %none = arith.constant 0 : i64
  %e0 = tensor.empty(%t) : tensor<?xf16>
  %e1 = tensor.empty(%t) : tensor<?xi64>
  %i0 = linalg.fill ins(%least : f16) outs(%e0 : tensor<?xf16>) -> tensor<?xf16>
  %i1 = linalg.fill ins(%none : i64) outs(%e1 : tensor<?xi64>) -> tensor<?xi64>
  %z:2 = linalg.generic {indexing_maps = [#full, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%y : tensor<?x1000xf16>) outs(%i0, %i1 : tensor<?xf16>, tensor<?xi64>) {
  ^bb0(%in: f16, %best: f16, %at: i64):
    %n = linalg.index 1 : index
    %p = arith.index_cast %n : index to i64
    %m = arith.maximumf %in, %best : f16
    %c = arith.cmpf ogt, %in, %best : f16
    %s = arith.select %c, %p, %at : i64
    linalg.yield %m, %s : f16, i64
  } -> (tensor<?xf16>, tensor<?xi64>)
  return %z#1 : tensor<?xi64>
}

// -----

#full = affine_map<(t, n) -> (t, n)>
#row = affine_map<(t, n) -> (t)>

// WHY: remark: [argmax] the results of the matmul are stored: something else reads the matmul's results
func.func @read(%x: tensor<8x128xf16>, %w: tensor<256x128xf16>) -> (tensor<8xi64>, tensor<8x256xf32>) {
  %least = arith.constant 0xFF800000 : f32
  %none = arith.constant 0 : i64
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<8x128xf16>, tensor<256x128xf16> -> tensor<8x256xf32>
  %e0 = tensor.empty() : tensor<8xf32>
  %e1 = tensor.empty() : tensor<8xi64>
  %i0 = linalg.fill ins(%least : f32) outs(%e0 : tensor<8xf32>) -> tensor<8xf32>
  %i1 = linalg.fill ins(%none : i64) outs(%e1 : tensor<8xi64>) -> tensor<8xi64>
  %z:2 = linalg.generic {indexing_maps = [#full, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%y : tensor<8x256xf32>) outs(%i0, %i1 : tensor<8xf32>, tensor<8xi64>) {
  ^bb0(%in: f32, %best: f32, %at: i64):
    %n = linalg.index 1 : index
    %p = arith.index_cast %n : index to i64
    %m = arith.maximumf %in, %best : f32
    %c = arith.cmpf ogt, %in, %best : f32
    %s = arith.select %c, %p, %at : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<8xf32>, tensor<8xi64>)
  return %z#1, %y : tensor<8xi64>, tensor<8x256xf32>
}

// -----

#full = affine_map<(t, n) -> (t, n)>
#row = affine_map<(t, n) -> (t)>

// WHY: remark: [argmax] the results of the matmul are stored: the maximum is read, not its position alone
func.func @maximum(%x: tensor<8x128xf16>, %w: tensor<256x128xf16>) -> (tensor<8xf32>, tensor<8xi64>) {
  %least = arith.constant 0xFF800000 : f32
  %none = arith.constant 0 : i64
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<8x128xf16>, tensor<256x128xf16> -> tensor<8x256xf32>
  %e0 = tensor.empty() : tensor<8xf32>
  %e1 = tensor.empty() : tensor<8xi64>
  %i0 = linalg.fill ins(%least : f32) outs(%e0 : tensor<8xf32>) -> tensor<8xf32>
  %i1 = linalg.fill ins(%none : i64) outs(%e1 : tensor<8xi64>) -> tensor<8xi64>
  %z:2 = linalg.generic {indexing_maps = [#full, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%y : tensor<8x256xf32>) outs(%i0, %i1 : tensor<8xf32>, tensor<8xi64>) {
  ^bb0(%in: f32, %best: f32, %at: i64):
    %n = linalg.index 1 : index
    %p = arith.index_cast %n : index to i64
    %m = arith.maximumf %in, %best : f32
    %c = arith.cmpf ogt, %in, %best : f32
    %s = arith.select %c, %p, %at : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<8xf32>, tensor<8xi64>)
  return %z#0, %z#1 : tensor<8xf32>, tensor<8xi64>
}

// -----

#full = affine_map<(t, n) -> (t, n)>
#row = affine_map<(t, n) -> (t)>

// WHY: remark: [argmax] the results of the matmul are stored: its positions are no integers of 32 or 64 bits
func.func @short(%x: tensor<8x128xf16>, %w: tensor<256x128xf16>) -> tensor<8xi16> {
  %least = arith.constant 0xFF800000 : f32
  %none = arith.constant 0 : i16
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<8x128xf16>, tensor<256x128xf16> -> tensor<8x256xf32>
  %e0 = tensor.empty() : tensor<8xf32>
  %e1 = tensor.empty() : tensor<8xi16>
  %i0 = linalg.fill ins(%least : f32) outs(%e0 : tensor<8xf32>) -> tensor<8xf32>
  %i1 = linalg.fill ins(%none : i16) outs(%e1 : tensor<8xi16>) -> tensor<8xi16>
  %z:2 = linalg.generic {indexing_maps = [#full, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%y : tensor<8x256xf32>) outs(%i0, %i1 : tensor<8xf32>, tensor<8xi16>) {
  ^bb0(%in: f32, %best: f32, %at: i16):
    %n = linalg.index 1 : index
    %p = arith.index_cast %n : index to i16
    %m = arith.maximumf %in, %best : f32
    %c = arith.cmpf ogt, %in, %best : f32
    %s = arith.select %c, %p, %at : i16
    linalg.yield %m, %s : f32, i16
  } -> (tensor<8xf32>, tensor<8xi16>)
  return %z#1 : tensor<8xi16>
}

// -----

#full = affine_map<(t, n) -> (t, n)>
#row = affine_map<(t, n) -> (t)>

// WHY: remark: [argmax] the results of the matmul are stored: {{.*}} splits K, and a second kernel computes the results
func.func @split(%x: tensor<16x3008xf16>, %w: tensor<256x3008xf16>) -> tensor<16xi64> {
  %least = arith.constant 0xFF800000 : f32
  %none = arith.constant 0 : i64
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<16x3008xf16>, tensor<256x3008xf16> -> tensor<16x256xf32>
  %e0 = tensor.empty() : tensor<16xf32>
  %e1 = tensor.empty() : tensor<16xi64>
  %i0 = linalg.fill ins(%least : f32) outs(%e0 : tensor<16xf32>) -> tensor<16xf32>
  %i1 = linalg.fill ins(%none : i64) outs(%e1 : tensor<16xi64>) -> tensor<16xi64>
  %z:2 = linalg.generic {indexing_maps = [#full, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%y : tensor<16x256xf32>) outs(%i0, %i1 : tensor<16xf32>, tensor<16xi64>) {
  ^bb0(%in: f32, %best: f32, %at: i64):
    %n = linalg.index 1 : index
    %p = arith.index_cast %n : index to i64
    %m = arith.maximumf %in, %best : f32
    %c = arith.cmpf ogt, %in, %best : f32
    %s = arith.select %c, %p, %at : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<16xf32>, tensor<16xi64>)
  return %z#1 : tensor<16xi64>
}

// -----

#full = affine_map<(t, n) -> (t, n)>
#row = affine_map<(t, n) -> (t)>

// WHY: remark: [argmax] the results of the matmul are stored: {{.*}} streams weights, whose warps share the sums of a feature
func.func @streamed(%x: tensor<8x2048xf16>, %w: tensor<2048x2048xf16, #sparseflow.ternary<codes, scale = row : f32>>) -> tensor<8xi64> {
  %least = arith.constant 0xFF800000 : f32
  %none = arith.constant 0 : i64
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<8x2048xf16>, tensor<2048x2048xf16, #sparseflow.ternary<codes, scale = row : f32>> -> tensor<8x2048xf32>
  %e0 = tensor.empty() : tensor<8xf32>
  %e1 = tensor.empty() : tensor<8xi64>
  %i0 = linalg.fill ins(%least : f32) outs(%e0 : tensor<8xf32>) -> tensor<8xf32>
  %i1 = linalg.fill ins(%none : i64) outs(%e1 : tensor<8xi64>) -> tensor<8xi64>
  %z:2 = linalg.generic {indexing_maps = [#full, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%y : tensor<8x2048xf32>) outs(%i0, %i1 : tensor<8xf32>, tensor<8xi64>) {
  ^bb0(%in: f32, %best: f32, %at: i64):
    %n = linalg.index 1 : index
    %p = arith.index_cast %n : index to i64
    %m = arith.maximumf %in, %best : f32
    %c = arith.cmpf ogt, %in, %best : f32
    %s = arith.select %c, %p, %at : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<8xf32>, tensor<8xi64>)
  return %z#1 : tensor<8xi64>
}
