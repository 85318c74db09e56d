// A layer of a decoder as torch.compile(backend="sparseflow") writes it: one token behind a
// static cache of 128 positions, %a6 of which are taken.

func.func @main(%a0: tensor<1x1x64xf16>, %a1: tensor<64xf16>, %a2: tensor<128x64xf16, #sparseflow.nm<2:4>>, %a3: tensor<1x1x16xf16>, %a4: tensor<1x1x16xf16>, %a5: tensor<1x2x128x16xf16>, %a6: tensor<i64>, %a7: tensor<1x2x128x16xf16>, %a8: tensor<1xi32>, %a9: tensor<64x64xf16, #sparseflow.nm<2:4>>, %a10: tensor<64xf16>, %a11: tensor<96x64xf16, #sparseflow.nm<2:4>>, %a12: tensor<96x64xf16, #sparseflow.nm<2:4>>, %a13: tensor<64x96xf16, #sparseflow.nm<2:4>>) -> (tensor<1x2x128x16xf16>, tensor<1x2x128x16xf16>, tensor<1x1x64xf16>) {
  %n1 = tensor.empty() : tensor<1x1x64xf32>
  %n2 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a0 : tensor<1x1x64xf16>) outs(%n1 : tensor<1x1x64xf32>) {
  ^bb0(%e0: f16, %e1: f32):
    %b0 = arith.extf %e0 : f16 to f32
    linalg.yield %b0 : f32
  } -> tensor<1x1x64xf32>
  %n3 = tensor.empty() : tensor<1x1x64xf32>
  %n4 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%n2 : tensor<1x1x64xf32>) outs(%n3 : tensor<1x1x64xf32>) {
  ^bb0(%e0: f32, %e1: f32):
    %b0 = arith.mulf %e0, %e0 : f32
    linalg.yield %b0 : f32
  } -> tensor<1x1x64xf32>
  %n6 = tensor.empty() : tensor<1x1xf32>
  %n5 = arith.constant 0.0 : f32
  %n7 = linalg.fill ins(%n5 : f32) outs(%n6 : tensor<1x1xf32>) -> tensor<1x1xf32>
  %n8 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%n4 : tensor<1x1x64xf32>) outs(%n7 : tensor<1x1xf32>) {
  ^bb0(%e0: f32, %e1: f32):
    %b0 = arith.addf %e1, %e0 : f32
    linalg.yield %b0 : f32
  } -> tensor<1x1xf32>
  %n9 = tensor.expand_shape %n8 [[0], [1, 2]] output_shape [1, 1, 1] : tensor<1x1xf32> into tensor<1x1x1xf32>
  %n10 = tensor.empty() : tensor<1x1x1xf32>
  %n11 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%n9 : tensor<1x1x1xf32>) outs(%n10 : tensor<1x1x1xf32>) {
  ^bb0(%e0: f32, %e1: f32):
    %b0 = arith.constant 64.0 : f32
    %b1 = arith.divf %e0, %b0 : f32
    linalg.yield %b1 : f32
  } -> tensor<1x1x1xf32>
  %n12 = tensor.empty() : tensor<1x1x1xf32>
  %n13 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%n11 : tensor<1x1x1xf32>) outs(%n12 : tensor<1x1x1xf32>) {
  ^bb0(%e0: f32, %e1: f32):
    %b0 = arith.constant 9.999999974752427e-07 : f32
    %b1 = arith.addf %e0, %b0 : f32
    linalg.yield %b1 : f32
  } -> tensor<1x1x1xf32>
  %n14 = tensor.empty() : tensor<1x1x1xf32>
  %n15 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%n13 : tensor<1x1x1xf32>) outs(%n14 : tensor<1x1x1xf32>) {
  ^bb0(%e0: f32, %e1: f32):
    %b0 = math.rsqrt %e0 : f32
    linalg.yield %b0 : f32
  } -> tensor<1x1x1xf32>
  %n16 = tensor.empty() : tensor<1x1x64xf32>
  %n17 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%n2, %n15 : tensor<1x1x64xf32>, tensor<1x1x1xf32>) outs(%n16 : tensor<1x1x64xf32>) {
  ^bb0(%e0: f32, %e1: f32, %e2: f32):
    %b0 = arith.mulf %e0, %e1 : f32
    linalg.yield %b0 : f32
  } -> tensor<1x1x64xf32>
  %n18 = tensor.empty() : tensor<1x1x64xf16>
  %n19 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%n17 : tensor<1x1x64xf32>) outs(%n18 : tensor<1x1x64xf16>) {
  ^bb0(%e0: f32, %e1: f16):
    %b0 = arith.truncf %e0 : f32 to f16
    linalg.yield %b0 : f16
  } -> tensor<1x1x64xf16>
  %n20 = tensor.empty() : tensor<1x1x64xf16>
  %n21 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a1, %n19 : tensor<64xf16>, tensor<1x1x64xf16>) outs(%n20 : tensor<1x1x64xf16>) {
  ^bb0(%e0: f16, %e1: f16, %e2: f16):
    %b0 = arith.extf %e0 : f16 to f32
    %b1 = arith.extf %e1 : f16 to f32
    %b2 = arith.mulf %b0, %b1 : f32
    %b3 = arith.truncf %b2 : f32 to f16
    linalg.yield %b3 : f16
  } -> tensor<1x1x64xf16>
  %n22 = sparseflow.matmul %n21, %a2 {
  ^bb0(%in_acc: f32):
    %v0 = arith.truncf %in_acc : f32 to f16
    sparseflow.yield %v0 : f16
  } : tensor<1x1x64xf16>, tensor<128x64xf16, #sparseflow.nm<2:4>> -> tensor<1x1x128xf16>
  %n24 = tensor.extract_slice %n22[0, 0, 0][1, 1, 64][1, 1, 1] : tensor<1x1x128xf16> to tensor<1x1x64xf16>
  %n25 = tensor.extract_slice %n22[0, 0, 64][1, 1, 32][1, 1, 1] : tensor<1x1x128xf16> to tensor<1x1x32xf16>
  %n26 = tensor.extract_slice %n22[0, 0, 96][1, 1, 32][1, 1, 1] : tensor<1x1x128xf16> to tensor<1x1x32xf16>
  %n27 = tensor.expand_shape %n24 [[0], [1], [2, 3]] output_shape [1, 1, 4, 16] : tensor<1x1x64xf16> into tensor<1x1x4x16xf16>
  %n28 = tensor.collapse_shape %n27 [[0], [1, 2], [3]] : tensor<1x1x4x16xf16> into tensor<1x4x16xf16>
  %n29 = tensor.expand_shape %n28 [[0], [1], [2, 3]] output_shape [1, 4, 1, 16] : tensor<1x4x16xf16> into tensor<1x4x1x16xf16>
  %n30 = tensor.expand_shape %n25 [[0], [1], [2, 3]] output_shape [1, 1, 2, 16] : tensor<1x1x32xf16> into tensor<1x1x2x16xf16>
  %n31 = tensor.collapse_shape %n30 [[0], [1, 2], [3]] : tensor<1x1x2x16xf16> into tensor<1x2x16xf16>
  %n32 = tensor.expand_shape %n31 [[0], [1], [2, 3]] output_shape [1, 2, 1, 16] : tensor<1x2x16xf16> into tensor<1x2x1x16xf16>
  %n33 = tensor.expand_shape %n26 [[0], [1], [2, 3]] output_shape [1, 1, 2, 16] : tensor<1x1x32xf16> into tensor<1x1x2x16xf16>
  %n34 = tensor.collapse_shape %n33 [[0], [1, 2], [3]] : tensor<1x1x2x16xf16> into tensor<1x2x16xf16>
  %n35 = tensor.expand_shape %n34 [[0], [1], [2, 3]] output_shape [1, 2, 1, 16] : tensor<1x2x16xf16> into tensor<1x2x1x16xf16>
  %n36 = tensor.expand_shape %a3 [[0], [1], [2, 3]] output_shape [1, 1, 1, 16] : tensor<1x1x16xf16> into tensor<1x1x1x16xf16>
  %n37 = tensor.expand_shape %a4 [[0], [1], [2, 3]] output_shape [1, 1, 1, 16] : tensor<1x1x16xf16> into tensor<1x1x1x16xf16>
  %n38 = tensor.empty() : tensor<1x4x1x16xf16>
  %n39 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%n29, %n36 : tensor<1x4x1x16xf16>, tensor<1x1x1x16xf16>) outs(%n38 : tensor<1x4x1x16xf16>) {
  ^bb0(%e0: f16, %e1: f16, %e2: f16):
    %b0 = arith.extf %e0 : f16 to f32
    %b1 = arith.extf %e1 : f16 to f32
    %b2 = arith.mulf %b0, %b1 : f32
    %b3 = arith.truncf %b2 : f32 to f16
    linalg.yield %b3 : f16
  } -> tensor<1x4x1x16xf16>
  %n40 = tensor.extract_slice %n29[0, 0, 0, 0][1, 4, 1, 8][1, 1, 1, 1] : tensor<1x4x1x16xf16> to tensor<1x4x1x8xf16>
  %n41 = tensor.extract_slice %n29[0, 0, 0, 8][1, 4, 1, 8][1, 1, 1, 1] : tensor<1x4x1x16xf16> to tensor<1x4x1x8xf16>
  %n42 = tensor.empty() : tensor<1x4x1x8xf16>
  %n43 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%n41 : tensor<1x4x1x8xf16>) outs(%n42 : tensor<1x4x1x8xf16>) {
  ^bb0(%e0: f16, %e1: f16):
    %b0 = arith.extf %e0 : f16 to f32
    %b1 = arith.negf %b0 : f32
    %b2 = arith.truncf %b1 : f32 to f16
    linalg.yield %b2 : f16
  } -> tensor<1x4x1x8xf16>
  %n44 = tensor.concat dim(3) %n43, %n40 : (tensor<1x4x1x8xf16>, tensor<1x4x1x8xf16>) -> tensor<1x4x1x16xf16>
  %n45 = tensor.empty() : tensor<1x4x1x16xf16>
  %n46 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%n44, %n37 : tensor<1x4x1x16xf16>, tensor<1x1x1x16xf16>) outs(%n45 : tensor<1x4x1x16xf16>) {
  ^bb0(%e0: f16, %e1: f16, %e2: f16):
    %b0 = arith.extf %e0 : f16 to f32
    %b1 = arith.extf %e1 : f16 to f32
    %b2 = arith.mulf %b0, %b1 : f32
    %b3 = arith.truncf %b2 : f32 to f16
    linalg.yield %b3 : f16
  } -> tensor<1x4x1x16xf16>
  %n47 = tensor.empty() : tensor<1x4x1x16xf16>
  %n48 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%n39, %n46 : tensor<1x4x1x16xf16>, tensor<1x4x1x16xf16>) outs(%n47 : tensor<1x4x1x16xf16>) {
  ^bb0(%e0: f16, %e1: f16, %e2: f16):
    %b0 = arith.extf %e0 : f16 to f32
    %b1 = arith.extf %e1 : f16 to f32
    %b2 = arith.addf %b0, %b1 : f32
    %b3 = arith.truncf %b2 : f32 to f16
    linalg.yield %b3 : f16
  } -> tensor<1x4x1x16xf16>
  %n49 = tensor.empty() : tensor<1x2x1x16xf16>
  %n50 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%n32, %n36 : tensor<1x2x1x16xf16>, tensor<1x1x1x16xf16>) outs(%n49 : tensor<1x2x1x16xf16>) {
  ^bb0(%e0: f16, %e1: f16, %e2: f16):
    %b0 = arith.extf %e0 : f16 to f32
    %b1 = arith.extf %e1 : f16 to f32
    %b2 = arith.mulf %b0, %b1 : f32
    %b3 = arith.truncf %b2 : f32 to f16
    linalg.yield %b3 : f16
  } -> tensor<1x2x1x16xf16>
  %n51 = tensor.extract_slice %n32[0, 0, 0, 0][1, 2, 1, 8][1, 1, 1, 1] : tensor<1x2x1x16xf16> to tensor<1x2x1x8xf16>
  %n52 = tensor.extract_slice %n32[0, 0, 0, 8][1, 2, 1, 8][1, 1, 1, 1] : tensor<1x2x1x16xf16> to tensor<1x2x1x8xf16>
  %n53 = tensor.empty() : tensor<1x2x1x8xf16>
  %n54 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%n52 : tensor<1x2x1x8xf16>) outs(%n53 : tensor<1x2x1x8xf16>) {
  ^bb0(%e0: f16, %e1: f16):
    %b0 = arith.extf %e0 : f16 to f32
    %b1 = arith.negf %b0 : f32
    %b2 = arith.truncf %b1 : f32 to f16
    linalg.yield %b2 : f16
  } -> tensor<1x2x1x8xf16>
  %n55 = tensor.concat dim(3) %n54, %n51 : (tensor<1x2x1x8xf16>, tensor<1x2x1x8xf16>) -> tensor<1x2x1x16xf16>
  %n56 = tensor.empty() : tensor<1x2x1x16xf16>
  %n57 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%n55, %n37 : tensor<1x2x1x16xf16>, tensor<1x1x1x16xf16>) outs(%n56 : tensor<1x2x1x16xf16>) {
  ^bb0(%e0: f16, %e1: f16, %e2: f16):
    %b0 = arith.extf %e0 : f16 to f32
    %b1 = arith.extf %e1 : f16 to f32
    %b2 = arith.mulf %b0, %b1 : f32
    %b3 = arith.truncf %b2 : f32 to f16
    linalg.yield %b3 : f16
  } -> tensor<1x2x1x16xf16>
  %n58 = tensor.empty() : tensor<1x2x1x16xf16>
  %n59 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%n50, %n57 : tensor<1x2x1x16xf16>, tensor<1x2x1x16xf16>) outs(%n58 : tensor<1x2x1x16xf16>) {
  ^bb0(%e0: f16, %e1: f16, %e2: f16):
    %b0 = arith.extf %e0 : f16 to f32
    %b1 = arith.extf %e1 : f16 to f32
    %b2 = arith.addf %b0, %b1 : f32
    %b3 = arith.truncf %b2 : f32 to f16
    linalg.yield %b3 : f16
  } -> tensor<1x2x1x16xf16>
  %n60 = tensor.empty() : tensor<1xi32>
  %n61 = linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a6 : tensor<i64>) outs(%n60 : tensor<1xi32>) {
  ^bb0(%e0: i64, %e1: i32):
    %b0 = arith.trunci %e0 : i64 to i32
    %b1 = arith.constant 0 : i32
    %b2 = arith.addi %b0, %b1 : i32
    linalg.yield %b2 : i32
  } -> tensor<1xi32>
  %n62 = sparseflow.cache_append %a5, %n59 at %n61 {layout = #sparseflow.attention_layout<bhsd>} : tensor<1x2x128x16xf16>, tensor<1x2x1x16xf16>, tensor<1xi32>
  %n63 = tensor.empty() : tensor<1xi32>
  %n64 = linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a6 : tensor<i64>) outs(%n63 : tensor<1xi32>) {
  ^bb0(%e0: i64, %e1: i32):
    %b0 = arith.trunci %e0 : i64 to i32
    %b1 = arith.constant 0 : i32
    %b2 = arith.addi %b0, %b1 : i32
    linalg.yield %b2 : i32
  } -> tensor<1xi32>
  %n65 = sparseflow.cache_append %a7, %n35 at %n64 {layout = #sparseflow.attention_layout<bhsd>} : tensor<1x2x128x16xf16>, tensor<1x2x1x16xf16>, tensor<1xi32>
  %n66 = tensor.expand_shape %n62 [[0], [1], [2, 3], [4]] output_shape [1, 2, 1, 128, 16] : tensor<1x2x128x16xf16> into tensor<1x2x1x128x16xf16>
  %n67 = tensor.empty() : tensor<1x2x2x128x16xf16>
  %n68 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, 0, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%n66 : tensor<1x2x1x128x16xf16>) outs(%n67 : tensor<1x2x2x128x16xf16>) {
  ^bb0(%e0: f16, %e1: f16):
    linalg.yield %e0 : f16
  } -> tensor<1x2x2x128x16xf16>
  %n69 = tensor.collapse_shape %n68 [[0], [1, 2], [3], [4]] : tensor<1x2x2x128x16xf16> into tensor<1x4x128x16xf16>
  %n70 = tensor.expand_shape %n65 [[0], [1], [2, 3], [4]] output_shape [1, 2, 1, 128, 16] : tensor<1x2x128x16xf16> into tensor<1x2x1x128x16xf16>
  %n71 = tensor.empty() : tensor<1x2x2x128x16xf16>
  %n72 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, 0, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%n70 : tensor<1x2x1x128x16xf16>) outs(%n71 : tensor<1x2x2x128x16xf16>) {
  ^bb0(%e0: f16, %e1: f16):
    linalg.yield %e0 : f16
  } -> tensor<1x2x2x128x16xf16>
  %n73 = tensor.collapse_shape %n72 [[0], [1, 2], [3], [4]] : tensor<1x2x2x128x16xf16> into tensor<1x4x128x16xf16>
  %n74 = sparseflow.attention %n48, %n62, %n65 lengths(%a8 : tensor<1xi32>) {layout = #sparseflow.attention_layout<bhsd>, scale = 0.25 : f32} : tensor<1x4x1x16xf16>, tensor<1x2x128x16xf16>, tensor<1x2x128x16xf16> -> tensor<1x4x1x16xf16>
  %n75 = tensor.collapse_shape %n74 [[0], [1], [2, 3]] : tensor<1x4x1x16xf16> into tensor<1x4x16xf16>
  %n76 = tensor.expand_shape %n75 [[0], [1, 2], [3]] output_shape [1, 1, 4, 16] : tensor<1x4x16xf16> into tensor<1x1x4x16xf16>
  %n77 = tensor.collapse_shape %n76 [[0], [1], [2, 3]] : tensor<1x1x4x16xf16> into tensor<1x1x64xf16>
  %n78 = sparseflow.matmul %n77, %a9 {
  ^bb0(%in_acc: f32):
    %v0 = arith.truncf %in_acc : f32 to f16
    sparseflow.yield %v0 : f16
  } : tensor<1x1x64xf16>, tensor<64x64xf16, #sparseflow.nm<2:4>> -> tensor<1x1x64xf16>
  %n80 = tensor.empty() : tensor<1x1x64xf16>
  %n81 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a0, %n78 : tensor<1x1x64xf16>, tensor<1x1x64xf16>) outs(%n80 : tensor<1x1x64xf16>) {
  ^bb0(%e0: f16, %e1: f16, %e2: f16):
    %b0 = arith.extf %e0 : f16 to f32
    %b1 = arith.extf %e1 : f16 to f32
    %b2 = arith.addf %b0, %b1 : f32
    %b3 = arith.truncf %b2 : f32 to f16
    linalg.yield %b3 : f16
  } -> tensor<1x1x64xf16>
  %n82 = tensor.empty() : tensor<1x1x64xf32>
  %n83 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%n81 : tensor<1x1x64xf16>) outs(%n82 : tensor<1x1x64xf32>) {
  ^bb0(%e0: f16, %e1: f32):
    %b0 = arith.extf %e0 : f16 to f32
    linalg.yield %b0 : f32
  } -> tensor<1x1x64xf32>
  %n84 = tensor.empty() : tensor<1x1x64xf32>
  %n85 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%n83 : tensor<1x1x64xf32>) outs(%n84 : tensor<1x1x64xf32>) {
  ^bb0(%e0: f32, %e1: f32):
    %b0 = arith.mulf %e0, %e0 : f32
    linalg.yield %b0 : f32
  } -> tensor<1x1x64xf32>
  %n87 = tensor.empty() : tensor<1x1xf32>
  %n86 = arith.constant 0.0 : f32
  %n88 = linalg.fill ins(%n86 : f32) outs(%n87 : tensor<1x1xf32>) -> tensor<1x1xf32>
  %n89 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%n85 : tensor<1x1x64xf32>) outs(%n88 : tensor<1x1xf32>) {
  ^bb0(%e0: f32, %e1: f32):
    %b0 = arith.addf %e1, %e0 : f32
    linalg.yield %b0 : f32
  } -> tensor<1x1xf32>
  %n90 = tensor.expand_shape %n89 [[0], [1, 2]] output_shape [1, 1, 1] : tensor<1x1xf32> into tensor<1x1x1xf32>
  %n91 = tensor.empty() : tensor<1x1x1xf32>
  %n92 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%n90 : tensor<1x1x1xf32>) outs(%n91 : tensor<1x1x1xf32>) {
  ^bb0(%e0: f32, %e1: f32):
    %b0 = arith.constant 64.0 : f32
    %b1 = arith.divf %e0, %b0 : f32
    linalg.yield %b1 : f32
  } -> tensor<1x1x1xf32>
  %n93 = tensor.empty() : tensor<1x1x1xf32>
  %n94 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%n92 : tensor<1x1x1xf32>) outs(%n93 : tensor<1x1x1xf32>) {
  ^bb0(%e0: f32, %e1: f32):
    %b0 = arith.constant 9.999999974752427e-07 : f32
    %b1 = arith.addf %e0, %b0 : f32
    linalg.yield %b1 : f32
  } -> tensor<1x1x1xf32>
  %n95 = tensor.empty() : tensor<1x1x1xf32>
  %n96 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%n94 : tensor<1x1x1xf32>) outs(%n95 : tensor<1x1x1xf32>) {
  ^bb0(%e0: f32, %e1: f32):
    %b0 = math.rsqrt %e0 : f32
    linalg.yield %b0 : f32
  } -> tensor<1x1x1xf32>
  %n97 = tensor.empty() : tensor<1x1x64xf32>
  %n98 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%n83, %n96 : tensor<1x1x64xf32>, tensor<1x1x1xf32>) outs(%n97 : tensor<1x1x64xf32>) {
  ^bb0(%e0: f32, %e1: f32, %e2: f32):
    %b0 = arith.mulf %e0, %e1 : f32
    linalg.yield %b0 : f32
  } -> tensor<1x1x64xf32>
  %n99 = tensor.empty() : tensor<1x1x64xf16>
  %n100 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%n98 : tensor<1x1x64xf32>) outs(%n99 : tensor<1x1x64xf16>) {
  ^bb0(%e0: f32, %e1: f16):
    %b0 = arith.truncf %e0 : f32 to f16
    linalg.yield %b0 : f16
  } -> tensor<1x1x64xf16>
  %n101 = tensor.empty() : tensor<1x1x64xf16>
  %n102 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a10, %n100 : tensor<64xf16>, tensor<1x1x64xf16>) outs(%n101 : tensor<1x1x64xf16>) {
  ^bb0(%e0: f16, %e1: f16, %e2: f16):
    %b0 = arith.extf %e0 : f16 to f32
    %b1 = arith.extf %e1 : f16 to f32
    %b2 = arith.mulf %b0, %b1 : f32
    %b3 = arith.truncf %b2 : f32 to f16
    linalg.yield %b3 : f16
  } -> tensor<1x1x64xf16>
  %n104 = sparseflow.matmul %n102, %a12 {
  ^bb0(%in_acc: f32):
    %v0 = arith.truncf %in_acc : f32 to f16
    sparseflow.yield %v0 : f16
  } : tensor<1x1x64xf16>, tensor<96x64xf16, #sparseflow.nm<2:4>> -> tensor<1x1x96xf16>
  %n103 = sparseflow.matmul %n102, %a11 epilogue(%n104 : tensor<1x1x96xf16>) as [full] {
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
  } : tensor<1x1x64xf16>, tensor<96x64xf16, #sparseflow.nm<2:4>> -> tensor<1x1x96xf16>
  %n105 = sparseflow.matmul %n103, %a13 {
  ^bb0(%in_acc: f32):
    %v0 = arith.truncf %in_acc : f32 to f16
    sparseflow.yield %v0 : f16
  } : tensor<1x1x96xf16>, tensor<64x96xf16, #sparseflow.nm<2:4>> -> tensor<1x1x64xf16>
  %n107 = tensor.empty() : tensor<1x1x64xf16>
  %n108 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%n81, %n105 : tensor<1x1x64xf16>, tensor<1x1x64xf16>) outs(%n107 : tensor<1x1x64xf16>) {
  ^bb0(%e0: f16, %e1: f16, %e2: f16):
    %b0 = arith.extf %e0 : f16 to f32
    %b1 = arith.extf %e1 : f16 to f32
    %b2 = arith.addf %b0, %b1 : f32
    %b3 = arith.truncf %b2 : f32 to f16
    linalg.yield %b3 : f16
  } -> tensor<1x1x64xf16>
  return %n62, %n65, %n108 : tensor<1x2x128x16xf16>, tensor<1x2x128x16xf16>, tensor<1x1x64xf16>
}
