// torch.matmul of four dimensions, as torch-mlir prints it: batches and heads joined
// for each product and split again, the softmax on [B, H, S, S] with a maximum that
// keeps its dimension and comes with its position, a mask for all heads.
//
// RUN: sparseflow compile %s --emit mlir | FileCheck %s
// RUN: sparseflow run %s --device cpu --check
// RUN: sparseflow run %s --device sim --check --races
// RUN: sparseflow run %s --device sim --target sm_90 --check

// CHECK: sparseflow.attention %arg0, %arg1, %arg2 operands(%arg3 : tensor<8x8xf16>) as ["qk"] score {
// CHECK: layout = #sparseflow.attention_layout<bshd>
// CHECK-SAME: -> tensor<2x8x4x32xf16>
// CHECK-NEXT: tensor.collapse_shape
// CHECK-NEXT: return

#id4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#keep = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#row = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#mask = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
func.func @f(%q: tensor<2x8x4x32xf16>, %k: tensor<2x8x4x32xf16>, %v: tensor<2x8x4x32xf16>, %m: tensor<8x8xf16>) -> tensor<2x8x128xf16> {
  %z = arith.constant 0.0 : f16
  %ninf = arith.constant 0xFC00 : f16
  %s = arith.constant 1.767580e-01 : f16
  %zi = arith.constant 0 : i64
  %e0 = tensor.empty() : tensor<2x4x8x32xf16>
  %qt = linalg.transpose ins(%q : tensor<2x8x4x32xf16>) outs(%e0 : tensor<2x4x8x32xf16>) permutation = [0, 2, 1, 3]
  %kt = linalg.transpose ins(%k : tensor<2x8x4x32xf16>) outs(%e0 : tensor<2x4x8x32xf16>) permutation = [0, 2, 1, 3]
  %vt = linalg.transpose ins(%v : tensor<2x8x4x32xf16>) outs(%e0 : tensor<2x4x8x32xf16>) permutation = [0, 2, 1, 3]
  %e1 = tensor.empty() : tensor<2x4x32x8xf16>
  %ktt = linalg.transpose ins(%kt : tensor<2x4x8x32xf16>) outs(%e1 : tensor<2x4x32x8xf16>) permutation = [0, 1, 3, 2]
  %qc = tensor.collapse_shape %qt [[0, 1], [2], [3]] : tensor<2x4x8x32xf16> into tensor<8x8x32xf16>
  %kc = tensor.collapse_shape %ktt [[0, 1], [2], [3]] : tensor<2x4x32x8xf16> into tensor<8x32x8xf16>
  %e2 = tensor.empty() : tensor<8x8x8xf16>
  %f2 = linalg.fill ins(%z : f16) outs(%e2 : tensor<8x8x8xf16>) -> tensor<8x8x8xf16>
  %p = linalg.batch_matmul ins(%qc, %kc : tensor<8x8x32xf16>, tensor<8x32x8xf16>) outs(%f2 : tensor<8x8x8xf16>) -> tensor<8x8x8xf16>
  %p4 = tensor.expand_shape %p [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf16> into tensor<2x4x8x8xf16>
  %e3 = tensor.empty() : tensor<2x4x8x8xf16>
  %sc = linalg.generic {indexing_maps = [#id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%p4 : tensor<2x4x8x8xf16>) outs(%e3 : tensor<2x4x8x8xf16>) {
  ^bb0(%a: f16, %o: f16):
    %0 = arith.mulf %a, %s : f16
    linalg.yield %0 : f16
  } -> tensor<2x4x8x8xf16>
  %sm = linalg.generic {indexing_maps = [#id4, #mask, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%sc, %m : tensor<2x4x8x8xf16>, tensor<8x8xf16>) outs(%e3 : tensor<2x4x8x8xf16>) {
  ^bb0(%a: f16, %b: f16, %o: f16):
    %0 = arith.addf %a, %b : f16
    linalg.yield %0 : f16
  } -> tensor<2x4x8x8xf16>
  %e5 = tensor.empty() : tensor<2x4x8x1xf16>
  %e6 = tensor.empty() : tensor<2x4x8x1xi64>
  %f5 = linalg.fill ins(%ninf : f16) outs(%e5 : tensor<2x4x8x1xf16>) -> tensor<2x4x8x1xf16>
  %f6 = linalg.fill ins(%zi : i64) outs(%e6 : tensor<2x4x8x1xi64>) -> tensor<2x4x8x1xi64>
  %mx:2 = linalg.generic {indexing_maps = [#id4, #keep, #keep], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%sm : tensor<2x4x8x8xf16>) outs(%f5, %f6 : tensor<2x4x8x1xf16>, tensor<2x4x8x1xi64>) {
  ^bb0(%in: f16, %out: f16, %outi: i64):
    %i = linalg.index 3 : index
    %ic = arith.index_cast %i : index to i64
    %mm = arith.maximumf %in, %out : f16
    %c = arith.cmpf ogt, %in, %out : f16
    %w = arith.select %c, %ic, %outi : i64
    linalg.yield %mm, %w : f16, i64
  } -> (tensor<2x4x8x1xf16>, tensor<2x4x8x1xi64>)
  %df = linalg.generic {indexing_maps = [#id4, #keep, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%sm, %mx#0 : tensor<2x4x8x8xf16>, tensor<2x4x8x1xf16>) outs(%e3 : tensor<2x4x8x8xf16>) {
  ^bb0(%a: f16, %b: f16, %o: f16):
    %0 = arith.subf %a, %b : f16
    linalg.yield %0 : f16
  } -> tensor<2x4x8x8xf16>
  %ex = linalg.generic {indexing_maps = [#id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%df : tensor<2x4x8x8xf16>) outs(%e3 : tensor<2x4x8x8xf16>) {
  ^bb0(%a: f16, %o: f16):
    %0 = math.exp %a : f16
    linalg.yield %0 : f16
  } -> tensor<2x4x8x8xf16>
  %f7 = linalg.fill ins(%z : f16) outs(%e5 : tensor<2x4x8x1xf16>) -> tensor<2x4x8x1xf16>
  %su = linalg.generic {indexing_maps = [#id4, #keep], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%ex : tensor<2x4x8x8xf16>) outs(%f7 : tensor<2x4x8x1xf16>) {
  ^bb0(%a: f16, %o: f16):
    %0 = arith.addf %a, %o : f16
    linalg.yield %0 : f16
  } -> tensor<2x4x8x1xf16>
  %pr = linalg.generic {indexing_maps = [#id4, #keep, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%ex, %su : tensor<2x4x8x8xf16>, tensor<2x4x8x1xf16>) outs(%e3 : tensor<2x4x8x8xf16>) {
  ^bb0(%a: f16, %b: f16, %o: f16):
    %0 = arith.divf %a, %b : f16
    linalg.yield %0 : f16
  } -> tensor<2x4x8x8xf16>
  %pc = tensor.collapse_shape %pr [[0, 1], [2], [3]] : tensor<2x4x8x8xf16> into tensor<8x8x8xf16>
  %vc = tensor.collapse_shape %vt [[0, 1], [2], [3]] : tensor<2x4x8x32xf16> into tensor<8x8x32xf16>
  %e8 = tensor.empty() : tensor<8x8x32xf16>
  %f8 = linalg.fill ins(%z : f16) outs(%e8 : tensor<8x8x32xf16>) -> tensor<8x8x32xf16>
  %o = linalg.batch_matmul ins(%pc, %vc : tensor<8x8x8xf16>, tensor<8x8x32xf16>) outs(%f8 : tensor<8x8x32xf16>) -> tensor<8x8x32xf16>
  %o4 = tensor.expand_shape %o [[0, 1], [2], [3]] output_shape [2, 4, 8, 32] : tensor<8x8x32xf16> into tensor<2x4x8x32xf16>
  %e9 = tensor.empty() : tensor<2x8x4x32xf16>
  %ot = linalg.transpose ins(%o4 : tensor<2x4x8x32xf16>) outs(%e9 : tensor<2x8x4x32xf16>) permutation = [0, 2, 1, 3]
  %r = tensor.collapse_shape %ot [[0], [1], [2, 3]] : tensor<2x8x4x32xf16> into tensor<2x8x128xf16>
  return %r : tensor<2x8x128xf16>
}
