// As torch-layer.mlir, of three tokens of two texts, with heads that are repeated by the model;
// the mask is a comparison in the scores.

func.func @main(%a0: tensor<i64>, %a1: tensor<2x3x64xf16>, %a2: tensor<64xf16>, %a3: tensor<128x64xf16, #sparseflow.nm<2:4>>, %a4: tensor<2x2x96x16xf16>, %a5: tensor<2x2x96x16xf16>, %a6: tensor<64x64xf16, #sparseflow.nm<2:4>>, %a7: tensor<64xf16>, %a8: tensor<96x64xf16, #sparseflow.nm<2:4>>, %a9: tensor<96x64xf16, #sparseflow.nm<2:4>>, %a10: tensor<64x96xf16, #sparseflow.nm<2:4>>) -> (tensor<2x2x96x16xf16>, tensor<2x2x96x16xf16>, tensor<2x3x64xf16>) {
  %n1 = tensor.expand_shape %a0 [] output_shape [1] : tensor<i64> into tensor<1xi64>
  %n2 = tensor.empty() : tensor<1xi64>
  %n3 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%n1 : tensor<1xi64>) outs(%n2 : tensor<1xi64>) {
  ^bb0(%e0: i64, %e1: i64):
    %b0 = arith.constant 3 : i64
    %b1 = arith.addi %e0, %b0 : i64
    linalg.yield %b1 : i64
  } -> tensor<1xi64>
  %n4 = tensor.empty() : tensor<1xi32>
  %n5 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%n3 : tensor<1xi64>) outs(%n4 : tensor<1xi32>) {
  ^bb0(%e0: i64, %e1: i32):
    %b0 = arith.trunci %e0 : i64 to i32
    linalg.yield %b0 : i32
  } -> tensor<1xi32>
  %n6 = tensor.empty() : tensor<2xi32>
  %n7 = linalg.generic {indexing_maps = [affine_map<(d0) -> (0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%n5 : tensor<1xi32>) outs(%n6 : tensor<2xi32>) {
  ^bb0(%e0: i32, %e1: i32):
    linalg.yield %e0 : i32
  } -> tensor<2xi32>
  %n8 = tensor.empty() : tensor<2x3x64xf32>
  %n9 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a1 : tensor<2x3x64xf16>) outs(%n8 : tensor<2x3x64xf32>) {
  ^bb0(%e0: f16, %e1: f32):
    %b0 = arith.extf %e0 : f16 to f32
    linalg.yield %b0 : f32
  } -> tensor<2x3x64xf32>
  %n10 = tensor.empty() : tensor<2x3x64xf32>
  %n11 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%n9 : tensor<2x3x64xf32>) outs(%n10 : tensor<2x3x64xf32>) {
  ^bb0(%e0: f32, %e1: f32):
    %b0 = arith.mulf %e0, %e0 : f32
    linalg.yield %b0 : f32
  } -> tensor<2x3x64xf32>
  %n13 = tensor.empty() : tensor<2x3xf32>
  %n12 = arith.constant 0.0 : f32
  %n14 = linalg.fill ins(%n12 : f32) outs(%n13 : tensor<2x3xf32>) -> tensor<2x3xf32>
  %n15 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%n11 : tensor<2x3x64xf32>) outs(%n14 : tensor<2x3xf32>) {
  ^bb0(%e0: f32, %e1: f32):
    %b0 = arith.addf %e1, %e0 : f32
    linalg.yield %b0 : f32
  } -> tensor<2x3xf32>
  %n16 = tensor.expand_shape %n15 [[0], [1, 2]] output_shape [2, 3, 1] : tensor<2x3xf32> into tensor<2x3x1xf32>
  %n17 = tensor.empty() : tensor<2x3x1xf32>
  %n18 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%n16 : tensor<2x3x1xf32>) outs(%n17 : tensor<2x3x1xf32>) {
  ^bb0(%e0: f32, %e1: f32):
    %b0 = arith.constant 64.0 : f32
    %b1 = arith.divf %e0, %b0 : f32
    linalg.yield %b1 : f32
  } -> tensor<2x3x1xf32>
  %n19 = tensor.empty() : tensor<2x3x1xf32>
  %n20 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%n18 : tensor<2x3x1xf32>) outs(%n19 : tensor<2x3x1xf32>) {
  ^bb0(%e0: f32, %e1: f32):
    %b0 = arith.constant 9.999999974752427e-07 : f32
    %b1 = arith.addf %e0, %b0 : f32
    linalg.yield %b1 : f32
  } -> tensor<2x3x1xf32>
  %n21 = tensor.empty() : tensor<2x3x1xf32>
  %n22 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%n20 : tensor<2x3x1xf32>) outs(%n21 : tensor<2x3x1xf32>) {
  ^bb0(%e0: f32, %e1: f32):
    %b0 = math.rsqrt %e0 : f32
    linalg.yield %b0 : f32
  } -> tensor<2x3x1xf32>
  %n23 = tensor.empty() : tensor<2x3x64xf32>
  %n24 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%n9, %n22 : tensor<2x3x64xf32>, tensor<2x3x1xf32>) outs(%n23 : tensor<2x3x64xf32>) {
  ^bb0(%e0: f32, %e1: f32, %e2: f32):
    %b0 = arith.mulf %e0, %e1 : f32
    linalg.yield %b0 : f32
  } -> tensor<2x3x64xf32>
  %n25 = tensor.empty() : tensor<2x3x64xf16>
  %n26 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%n24 : tensor<2x3x64xf32>) outs(%n25 : tensor<2x3x64xf16>) {
  ^bb0(%e0: f32, %e1: f16):
    %b0 = arith.truncf %e0 : f32 to f16
    linalg.yield %b0 : f16
  } -> tensor<2x3x64xf16>
  %n27 = tensor.empty() : tensor<2x3x64xf16>
  %n28 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a2, %n26 : tensor<64xf16>, tensor<2x3x64xf16>) outs(%n27 : tensor<2x3x64xf16>) {
  ^bb0(%e0: f16, %e1: f16, %e2: f16):
    %b0 = arith.extf %e0 : f16 to f32
    %b1 = arith.extf %e1 : f16 to f32
    %b2 = arith.mulf %b0, %b1 : f32
    %b3 = arith.truncf %b2 : f32 to f16
    linalg.yield %b3 : f16
  } -> tensor<2x3x64xf16>
  %n29 = sparseflow.matmul %n28, %a3 {
  ^bb0(%in_acc: f32):
    %v0 = arith.truncf %in_acc : f32 to f16
    sparseflow.yield %v0 : f16
  } : tensor<2x3x64xf16>, tensor<128x64xf16, #sparseflow.nm<2:4>> -> tensor<2x3x128xf16>
  %n31 = tensor.extract_slice %n29[0, 0, 0][2, 3, 64][1, 1, 1] : tensor<2x3x128xf16> to tensor<2x3x64xf16>
  %n32 = tensor.extract_slice %n29[0, 0, 64][2, 3, 32][1, 1, 1] : tensor<2x3x128xf16> to tensor<2x3x32xf16>
  %n33 = tensor.extract_slice %n29[0, 0, 96][2, 3, 32][1, 1, 1] : tensor<2x3x128xf16> to tensor<2x3x32xf16>
  %n34 = tensor.expand_shape %n31 [[0], [1], [2, 3]] output_shape [2, 3, 4, 16] : tensor<2x3x64xf16> into tensor<2x3x4x16xf16>
  %n35 = tensor.empty() : tensor<2x4x3x16xf16>
  %n36 = linalg.transpose ins(%n34 : tensor<2x3x4x16xf16>) outs(%n35 : tensor<2x4x3x16xf16>) permutation = [0, 2, 1, 3]
  %n37 = tensor.expand_shape %n32 [[0], [1], [2, 3]] output_shape [2, 3, 2, 16] : tensor<2x3x32xf16> into tensor<2x3x2x16xf16>
  %n38 = tensor.empty() : tensor<2x2x3x16xf16>
  %n39 = linalg.transpose ins(%n37 : tensor<2x3x2x16xf16>) outs(%n38 : tensor<2x2x3x16xf16>) permutation = [0, 2, 1, 3]
  %n40 = tensor.expand_shape %n33 [[0], [1], [2, 3]] output_shape [2, 3, 2, 16] : tensor<2x3x32xf16> into tensor<2x3x2x16xf16>
  %n41 = tensor.empty() : tensor<2x2x3x16xf16>
  %n42 = linalg.transpose ins(%n40 : tensor<2x3x2x16xf16>) outs(%n41 : tensor<2x2x3x16xf16>) permutation = [0, 2, 1, 3]
  %n43 = tensor.empty() : tensor<2xi32>
  %n44 = linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a0 : tensor<i64>) outs(%n43 : tensor<2xi32>) {
  ^bb0(%e0: i64, %e1: i32):
    %b0 = arith.trunci %e0 : i64 to i32
    %b1 = arith.constant 0 : i32
    %b2 = arith.addi %b0, %b1 : i32
    linalg.yield %b2 : i32
  } -> tensor<2xi32>
  %n45 = sparseflow.cache_append %a4, %n39 at %n44 {layout = #sparseflow.attention_layout<bhsd>} : tensor<2x2x96x16xf16>, tensor<2x2x3x16xf16>, tensor<2xi32>
  %n46 = tensor.empty() : tensor<2xi32>
  %n47 = linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a0 : tensor<i64>) outs(%n46 : tensor<2xi32>) {
  ^bb0(%e0: i64, %e1: i32):
    %b0 = arith.trunci %e0 : i64 to i32
    %b1 = arith.constant 0 : i32
    %b2 = arith.addi %b0, %b1 : i32
    linalg.yield %b2 : i32
  } -> tensor<2xi32>
  %n48 = sparseflow.cache_append %a5, %n42 at %n47 {layout = #sparseflow.attention_layout<bhsd>} : tensor<2x2x96x16xf16>, tensor<2x2x3x16xf16>, tensor<2xi32>
  %n49 = tensor.expand_shape %n45 [[0], [1], [2, 3], [4]] output_shape [2, 2, 1, 96, 16] : tensor<2x2x96x16xf16> into tensor<2x2x1x96x16xf16>
  %n50 = tensor.empty() : tensor<2x2x2x96x16xf16>
  %n51 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, 0, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%n49 : tensor<2x2x1x96x16xf16>) outs(%n50 : tensor<2x2x2x96x16xf16>) {
  ^bb0(%e0: f16, %e1: f16):
    linalg.yield %e0 : f16
  } -> tensor<2x2x2x96x16xf16>
  %n52 = tensor.collapse_shape %n51 [[0], [1, 2], [3], [4]] : tensor<2x2x2x96x16xf16> into tensor<2x4x96x16xf16>
  %n53 = tensor.expand_shape %n48 [[0], [1], [2, 3], [4]] output_shape [2, 2, 1, 96, 16] : tensor<2x2x96x16xf16> into tensor<2x2x1x96x16xf16>
  %n54 = tensor.empty() : tensor<2x2x2x96x16xf16>
  %n55 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, 0, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%n53 : tensor<2x2x1x96x16xf16>) outs(%n54 : tensor<2x2x2x96x16xf16>) {
  ^bb0(%e0: f16, %e1: f16):
    linalg.yield %e0 : f16
  } -> tensor<2x2x2x96x16xf16>
  %n56 = tensor.collapse_shape %n55 [[0], [1, 2], [3], [4]] : tensor<2x2x2x96x16xf16> into tensor<2x4x96x16xf16>
  %n57 = tensor.empty() : tensor<2xf32>
  %n58 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%n7 : tensor<2xi32>) outs(%n57 : tensor<2xf32>) {
  ^bb0(%e0: i32, %e1: f32):
    %b0 = arith.sitofp %e0 : i32 to f32
    %b1 = arith.constant 3.0 : f32
    %b2 = arith.subf %b0, %b1 : f32
    linalg.yield %b2 : f32
  } -> tensor<2xf32>
  %n59 = sparseflow.attention %n36, %n45, %n48 lengths(%n7 : tensor<2xi32>) operands(%n58 : tensor<2xf32>) as ["b"] score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32, %past: f32):
    %query = arith.sitofp %i : i32 to f32
    %key = arith.sitofp %j : i32 to f32
    %last = arith.addf %query, %past : f32
    %seen = arith.cmpf ole, %key, %last : f32
    %none = arith.constant 0xFF800000 : f32
    %kept = arith.select %seen, %s, %none : f32
    sparseflow.yield %kept : f32
  } {layout = #sparseflow.attention_layout<bhsd>, scale = 0.25 : f32} : tensor<2x4x3x16xf16>, tensor<2x2x96x16xf16>, tensor<2x2x96x16xf16> -> tensor<2x4x3x16xf16>
  %n60 = tensor.empty() : tensor<2x3x4x16xf16>
  %n61 = linalg.transpose ins(%n59 : tensor<2x4x3x16xf16>) outs(%n60 : tensor<2x3x4x16xf16>) permutation = [0, 2, 1, 3]
  %n62 = tensor.collapse_shape %n61 [[0], [1], [2, 3]] : tensor<2x3x4x16xf16> into tensor<2x3x64xf16>
  %n63 = sparseflow.matmul %n62, %a6 {
  ^bb0(%in_acc: f32):
    %v0 = arith.truncf %in_acc : f32 to f16
    sparseflow.yield %v0 : f16
  } : tensor<2x3x64xf16>, tensor<64x64xf16, #sparseflow.nm<2:4>> -> tensor<2x3x64xf16>
  %n65 = tensor.empty() : tensor<2x3x64xf16>
  %n66 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a1, %n63 : tensor<2x3x64xf16>, tensor<2x3x64xf16>) outs(%n65 : tensor<2x3x64xf16>) {
  ^bb0(%e0: f16, %e1: f16, %e2: f16):
    %b0 = arith.extf %e0 : f16 to f32
    %b1 = arith.extf %e1 : f16 to f32
    %b2 = arith.addf %b0, %b1 : f32
    %b3 = arith.truncf %b2 : f32 to f16
    linalg.yield %b3 : f16
  } -> tensor<2x3x64xf16>
  %n67 = tensor.empty() : tensor<2x3x64xf32>
  %n68 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%n66 : tensor<2x3x64xf16>) outs(%n67 : tensor<2x3x64xf32>) {
  ^bb0(%e0: f16, %e1: f32):
    %b0 = arith.extf %e0 : f16 to f32
    linalg.yield %b0 : f32
  } -> tensor<2x3x64xf32>
  %n69 = tensor.empty() : tensor<2x3x64xf32>
  %n70 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%n68 : tensor<2x3x64xf32>) outs(%n69 : tensor<2x3x64xf32>) {
  ^bb0(%e0: f32, %e1: f32):
    %b0 = arith.mulf %e0, %e0 : f32
    linalg.yield %b0 : f32
  } -> tensor<2x3x64xf32>
  %n72 = tensor.empty() : tensor<2x3xf32>
  %n71 = arith.constant 0.0 : f32
  %n73 = linalg.fill ins(%n71 : f32) outs(%n72 : tensor<2x3xf32>) -> tensor<2x3xf32>
  %n74 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%n70 : tensor<2x3x64xf32>) outs(%n73 : tensor<2x3xf32>) {
  ^bb0(%e0: f32, %e1: f32):
    %b0 = arith.addf %e1, %e0 : f32
    linalg.yield %b0 : f32
  } -> tensor<2x3xf32>
  %n75 = tensor.expand_shape %n74 [[0], [1, 2]] output_shape [2, 3, 1] : tensor<2x3xf32> into tensor<2x3x1xf32>
  %n76 = tensor.empty() : tensor<2x3x1xf32>
  %n77 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%n75 : tensor<2x3x1xf32>) outs(%n76 : tensor<2x3x1xf32>) {
  ^bb0(%e0: f32, %e1: f32):
    %b0 = arith.constant 64.0 : f32
    %b1 = arith.divf %e0, %b0 : f32
    linalg.yield %b1 : f32
  } -> tensor<2x3x1xf32>
  %n78 = tensor.empty() : tensor<2x3x1xf32>
  %n79 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%n77 : tensor<2x3x1xf32>) outs(%n78 : tensor<2x3x1xf32>) {
  ^bb0(%e0: f32, %e1: f32):
    %b0 = arith.constant 9.999999974752427e-07 : f32
    %b1 = arith.addf %e0, %b0 : f32
    linalg.yield %b1 : f32
  } -> tensor<2x3x1xf32>
  %n80 = tensor.empty() : tensor<2x3x1xf32>
  %n81 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%n79 : tensor<2x3x1xf32>) outs(%n80 : tensor<2x3x1xf32>) {
  ^bb0(%e0: f32, %e1: f32):
    %b0 = math.rsqrt %e0 : f32
    linalg.yield %b0 : f32
  } -> tensor<2x3x1xf32>
  %n82 = tensor.empty() : tensor<2x3x64xf32>
  %n83 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%n68, %n81 : tensor<2x3x64xf32>, tensor<2x3x1xf32>) outs(%n82 : tensor<2x3x64xf32>) {
  ^bb0(%e0: f32, %e1: f32, %e2: f32):
    %b0 = arith.mulf %e0, %e1 : f32
    linalg.yield %b0 : f32
  } -> tensor<2x3x64xf32>
  %n84 = tensor.empty() : tensor<2x3x64xf16>
  %n85 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%n83 : tensor<2x3x64xf32>) outs(%n84 : tensor<2x3x64xf16>) {
  ^bb0(%e0: f32, %e1: f16):
    %b0 = arith.truncf %e0 : f32 to f16
    linalg.yield %b0 : f16
  } -> tensor<2x3x64xf16>
  %n86 = tensor.empty() : tensor<2x3x64xf16>
  %n87 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a7, %n85 : tensor<64xf16>, tensor<2x3x64xf16>) outs(%n86 : tensor<2x3x64xf16>) {
  ^bb0(%e0: f16, %e1: f16, %e2: f16):
    %b0 = arith.extf %e0 : f16 to f32
    %b1 = arith.extf %e1 : f16 to f32
    %b2 = arith.mulf %b0, %b1 : f32
    %b3 = arith.truncf %b2 : f32 to f16
    linalg.yield %b3 : f16
  } -> tensor<2x3x64xf16>
  %n89 = sparseflow.matmul %n87, %a9 {
  ^bb0(%in_acc: f32):
    %v0 = arith.truncf %in_acc : f32 to f16
    sparseflow.yield %v0 : f16
  } : tensor<2x3x64xf16>, tensor<96x64xf16, #sparseflow.nm<2:4>> -> tensor<2x3x96xf16>
  %n88 = sparseflow.matmul %n87, %a8 epilogue(%n89 : tensor<2x3x96xf16>) as [full] {
  ^bb0(%in_acc: f32, %in_up: f16):
    %v0 = arith.negf %in_acc : f32
    %v1 = math.exp %v0 : f32
    %v2 = arith.constant 1.0 : f32
    %v3 = arith.addf %v1, %v2 : f32
    %v4 = arith.divf %in_acc, %v3 : f32
    %v5 = arith.extf %in_up : f16 to f32
    %v6 = arith.mulf %v4, %v5 : f32
    %v7 = arith.truncf %v6 : f32 to f16
    sparseflow.yield %v7 : f16
  } : tensor<2x3x64xf16>, tensor<96x64xf16, #sparseflow.nm<2:4>> -> tensor<2x3x96xf16>
  %n90 = sparseflow.matmul %n88, %a10 {
  ^bb0(%in_acc: f32):
    %v0 = arith.truncf %in_acc : f32 to f16
    sparseflow.yield %v0 : f16
  } : tensor<2x3x96xf16>, tensor<64x96xf16, #sparseflow.nm<2:4>> -> tensor<2x3x64xf16>
  %n92 = tensor.empty() : tensor<2x3x64xf16>
  %n93 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%n66, %n90 : tensor<2x3x64xf16>, tensor<2x3x64xf16>) outs(%n92 : tensor<2x3x64xf16>) {
  ^bb0(%e0: f16, %e1: f16, %e2: f16):
    %b0 = arith.extf %e0 : f16 to f32
    %b1 = arith.extf %e1 : f16 to f32
    %b2 = arith.addf %b0, %b1 : f32
    %b3 = arith.truncf %b2 : f32 to f16
    linalg.yield %b3 : f16
  } -> tensor<2x3x64xf16>
  return %n45, %n48, %n93 : tensor<2x2x96x16xf16>, tensor<2x2x96x16xf16>, tensor<2x3x64xf16>
}
