// all-MiniLM-L6-v2 from token ids to the sentence embedding: 6 layers of BERT, the mean of
// the tokens that the mask keeps, and its normalisation. `embed`, `bias`, `layer` and
// `pool` are what sparseflow.from_torch (torch-mlir) makes of the modules of Hugging
// Face's model in f16, with a dynamic batch and a dynamic length; `minilm` calls them.
// Weights have the names of the model's safetensors file. minilm.py runs it.
#map0 = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> ()>
#map2 = affine_map<(d0, d1) -> (d0, d1)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2) -> (0, d1, d2)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map7 = affine_map<(d0, d1, d2) -> (d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map9 = affine_map<(d0, d1, d2, d3) -> ()>
#map10 = affine_map<()[s0, s1] -> (s0 * s1)>
#map11 = affine_map<(d0, d1) -> (d1)>
#map12 = affine_map<()[s0] -> (s0 * 12)>
#map13 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, d3)>
#map14 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map15 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map16 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map17 = affine_map<(d0, d1) -> (d0, 0)>
module {
  func.func @minilm(
      %arg0: tensor<30522x384xf16> {sparseflow.name = "embeddings.word_embeddings.weight"},
      %arg1: tensor<512x384xf16> {sparseflow.name = "embeddings.position_embeddings.weight"},
      %arg2: tensor<2x384xf16> {sparseflow.name = "embeddings.token_type_embeddings.weight"},
      %arg3: tensor<384xf16> {sparseflow.name = "embeddings.LayerNorm.weight"},
      %arg4: tensor<384xf16> {sparseflow.name = "embeddings.LayerNorm.bias"},
      %arg5: tensor<384x384xf16> {sparseflow.name = "encoder.layer.0.attention.self.query.weight"},
      %arg6: tensor<384xf16> {sparseflow.name = "encoder.layer.0.attention.self.query.bias"},
      %arg7: tensor<384x384xf16> {sparseflow.name = "encoder.layer.0.attention.self.key.weight"},
      %arg8: tensor<384xf16> {sparseflow.name = "encoder.layer.0.attention.self.key.bias"},
      %arg9: tensor<384x384xf16> {sparseflow.name = "encoder.layer.0.attention.self.value.weight"},
      %arg10: tensor<384xf16> {sparseflow.name = "encoder.layer.0.attention.self.value.bias"},
      %arg11: tensor<384x384xf16> {sparseflow.name = "encoder.layer.0.attention.output.dense.weight"},
      %arg12: tensor<384xf16> {sparseflow.name = "encoder.layer.0.attention.output.dense.bias"},
      %arg13: tensor<384xf16> {sparseflow.name = "encoder.layer.0.attention.output.LayerNorm.weight"},
      %arg14: tensor<384xf16> {sparseflow.name = "encoder.layer.0.attention.output.LayerNorm.bias"},
      %arg15: tensor<1536x384xf16> {sparseflow.name = "encoder.layer.0.intermediate.dense.weight"},
      %arg16: tensor<1536xf16> {sparseflow.name = "encoder.layer.0.intermediate.dense.bias"},
      %arg17: tensor<384x1536xf16> {sparseflow.name = "encoder.layer.0.output.dense.weight"},
      %arg18: tensor<384xf16> {sparseflow.name = "encoder.layer.0.output.dense.bias"},
      %arg19: tensor<384xf16> {sparseflow.name = "encoder.layer.0.output.LayerNorm.weight"},
      %arg20: tensor<384xf16> {sparseflow.name = "encoder.layer.0.output.LayerNorm.bias"},
      %arg21: tensor<384x384xf16> {sparseflow.name = "encoder.layer.1.attention.self.query.weight"},
      %arg22: tensor<384xf16> {sparseflow.name = "encoder.layer.1.attention.self.query.bias"},
      %arg23: tensor<384x384xf16> {sparseflow.name = "encoder.layer.1.attention.self.key.weight"},
      %arg24: tensor<384xf16> {sparseflow.name = "encoder.layer.1.attention.self.key.bias"},
      %arg25: tensor<384x384xf16> {sparseflow.name = "encoder.layer.1.attention.self.value.weight"},
      %arg26: tensor<384xf16> {sparseflow.name = "encoder.layer.1.attention.self.value.bias"},
      %arg27: tensor<384x384xf16> {sparseflow.name = "encoder.layer.1.attention.output.dense.weight"},
      %arg28: tensor<384xf16> {sparseflow.name = "encoder.layer.1.attention.output.dense.bias"},
      %arg29: tensor<384xf16> {sparseflow.name = "encoder.layer.1.attention.output.LayerNorm.weight"},
      %arg30: tensor<384xf16> {sparseflow.name = "encoder.layer.1.attention.output.LayerNorm.bias"},
      %arg31: tensor<1536x384xf16> {sparseflow.name = "encoder.layer.1.intermediate.dense.weight"},
      %arg32: tensor<1536xf16> {sparseflow.name = "encoder.layer.1.intermediate.dense.bias"},
      %arg33: tensor<384x1536xf16> {sparseflow.name = "encoder.layer.1.output.dense.weight"},
      %arg34: tensor<384xf16> {sparseflow.name = "encoder.layer.1.output.dense.bias"},
      %arg35: tensor<384xf16> {sparseflow.name = "encoder.layer.1.output.LayerNorm.weight"},
      %arg36: tensor<384xf16> {sparseflow.name = "encoder.layer.1.output.LayerNorm.bias"},
      %arg37: tensor<384x384xf16> {sparseflow.name = "encoder.layer.2.attention.self.query.weight"},
      %arg38: tensor<384xf16> {sparseflow.name = "encoder.layer.2.attention.self.query.bias"},
      %arg39: tensor<384x384xf16> {sparseflow.name = "encoder.layer.2.attention.self.key.weight"},
      %arg40: tensor<384xf16> {sparseflow.name = "encoder.layer.2.attention.self.key.bias"},
      %arg41: tensor<384x384xf16> {sparseflow.name = "encoder.layer.2.attention.self.value.weight"},
      %arg42: tensor<384xf16> {sparseflow.name = "encoder.layer.2.attention.self.value.bias"},
      %arg43: tensor<384x384xf16> {sparseflow.name = "encoder.layer.2.attention.output.dense.weight"},
      %arg44: tensor<384xf16> {sparseflow.name = "encoder.layer.2.attention.output.dense.bias"},
      %arg45: tensor<384xf16> {sparseflow.name = "encoder.layer.2.attention.output.LayerNorm.weight"},
      %arg46: tensor<384xf16> {sparseflow.name = "encoder.layer.2.attention.output.LayerNorm.bias"},
      %arg47: tensor<1536x384xf16> {sparseflow.name = "encoder.layer.2.intermediate.dense.weight"},
      %arg48: tensor<1536xf16> {sparseflow.name = "encoder.layer.2.intermediate.dense.bias"},
      %arg49: tensor<384x1536xf16> {sparseflow.name = "encoder.layer.2.output.dense.weight"},
      %arg50: tensor<384xf16> {sparseflow.name = "encoder.layer.2.output.dense.bias"},
      %arg51: tensor<384xf16> {sparseflow.name = "encoder.layer.2.output.LayerNorm.weight"},
      %arg52: tensor<384xf16> {sparseflow.name = "encoder.layer.2.output.LayerNorm.bias"},
      %arg53: tensor<384x384xf16> {sparseflow.name = "encoder.layer.3.attention.self.query.weight"},
      %arg54: tensor<384xf16> {sparseflow.name = "encoder.layer.3.attention.self.query.bias"},
      %arg55: tensor<384x384xf16> {sparseflow.name = "encoder.layer.3.attention.self.key.weight"},
      %arg56: tensor<384xf16> {sparseflow.name = "encoder.layer.3.attention.self.key.bias"},
      %arg57: tensor<384x384xf16> {sparseflow.name = "encoder.layer.3.attention.self.value.weight"},
      %arg58: tensor<384xf16> {sparseflow.name = "encoder.layer.3.attention.self.value.bias"},
      %arg59: tensor<384x384xf16> {sparseflow.name = "encoder.layer.3.attention.output.dense.weight"},
      %arg60: tensor<384xf16> {sparseflow.name = "encoder.layer.3.attention.output.dense.bias"},
      %arg61: tensor<384xf16> {sparseflow.name = "encoder.layer.3.attention.output.LayerNorm.weight"},
      %arg62: tensor<384xf16> {sparseflow.name = "encoder.layer.3.attention.output.LayerNorm.bias"},
      %arg63: tensor<1536x384xf16> {sparseflow.name = "encoder.layer.3.intermediate.dense.weight"},
      %arg64: tensor<1536xf16> {sparseflow.name = "encoder.layer.3.intermediate.dense.bias"},
      %arg65: tensor<384x1536xf16> {sparseflow.name = "encoder.layer.3.output.dense.weight"},
      %arg66: tensor<384xf16> {sparseflow.name = "encoder.layer.3.output.dense.bias"},
      %arg67: tensor<384xf16> {sparseflow.name = "encoder.layer.3.output.LayerNorm.weight"},
      %arg68: tensor<384xf16> {sparseflow.name = "encoder.layer.3.output.LayerNorm.bias"},
      %arg69: tensor<384x384xf16> {sparseflow.name = "encoder.layer.4.attention.self.query.weight"},
      %arg70: tensor<384xf16> {sparseflow.name = "encoder.layer.4.attention.self.query.bias"},
      %arg71: tensor<384x384xf16> {sparseflow.name = "encoder.layer.4.attention.self.key.weight"},
      %arg72: tensor<384xf16> {sparseflow.name = "encoder.layer.4.attention.self.key.bias"},
      %arg73: tensor<384x384xf16> {sparseflow.name = "encoder.layer.4.attention.self.value.weight"},
      %arg74: tensor<384xf16> {sparseflow.name = "encoder.layer.4.attention.self.value.bias"},
      %arg75: tensor<384x384xf16> {sparseflow.name = "encoder.layer.4.attention.output.dense.weight"},
      %arg76: tensor<384xf16> {sparseflow.name = "encoder.layer.4.attention.output.dense.bias"},
      %arg77: tensor<384xf16> {sparseflow.name = "encoder.layer.4.attention.output.LayerNorm.weight"},
      %arg78: tensor<384xf16> {sparseflow.name = "encoder.layer.4.attention.output.LayerNorm.bias"},
      %arg79: tensor<1536x384xf16> {sparseflow.name = "encoder.layer.4.intermediate.dense.weight"},
      %arg80: tensor<1536xf16> {sparseflow.name = "encoder.layer.4.intermediate.dense.bias"},
      %arg81: tensor<384x1536xf16> {sparseflow.name = "encoder.layer.4.output.dense.weight"},
      %arg82: tensor<384xf16> {sparseflow.name = "encoder.layer.4.output.dense.bias"},
      %arg83: tensor<384xf16> {sparseflow.name = "encoder.layer.4.output.LayerNorm.weight"},
      %arg84: tensor<384xf16> {sparseflow.name = "encoder.layer.4.output.LayerNorm.bias"},
      %arg85: tensor<384x384xf16> {sparseflow.name = "encoder.layer.5.attention.self.query.weight"},
      %arg86: tensor<384xf16> {sparseflow.name = "encoder.layer.5.attention.self.query.bias"},
      %arg87: tensor<384x384xf16> {sparseflow.name = "encoder.layer.5.attention.self.key.weight"},
      %arg88: tensor<384xf16> {sparseflow.name = "encoder.layer.5.attention.self.key.bias"},
      %arg89: tensor<384x384xf16> {sparseflow.name = "encoder.layer.5.attention.self.value.weight"},
      %arg90: tensor<384xf16> {sparseflow.name = "encoder.layer.5.attention.self.value.bias"},
      %arg91: tensor<384x384xf16> {sparseflow.name = "encoder.layer.5.attention.output.dense.weight"},
      %arg92: tensor<384xf16> {sparseflow.name = "encoder.layer.5.attention.output.dense.bias"},
      %arg93: tensor<384xf16> {sparseflow.name = "encoder.layer.5.attention.output.LayerNorm.weight"},
      %arg94: tensor<384xf16> {sparseflow.name = "encoder.layer.5.attention.output.LayerNorm.bias"},
      %arg95: tensor<1536x384xf16> {sparseflow.name = "encoder.layer.5.intermediate.dense.weight"},
      %arg96: tensor<1536xf16> {sparseflow.name = "encoder.layer.5.intermediate.dense.bias"},
      %arg97: tensor<384x1536xf16> {sparseflow.name = "encoder.layer.5.output.dense.weight"},
      %arg98: tensor<384xf16> {sparseflow.name = "encoder.layer.5.output.dense.bias"},
      %arg99: tensor<384xf16> {sparseflow.name = "encoder.layer.5.output.LayerNorm.weight"},
      %arg100: tensor<384xf16> {sparseflow.name = "encoder.layer.5.output.LayerNorm.bias"},
      %arg101: tensor<?x?xi64> {sparseflow.name = "ids"},
      %arg102: tensor<?x?xi64> {sparseflow.name = "mask"}) -> tensor<?x384xf16> {
    %x0 = func.call @embed(%arg0, %arg1, %arg2, %arg3, %arg4, %arg101)
        : (tensor<30522x384xf16>, tensor<512x384xf16>, tensor<2x384xf16>, tensor<384xf16>, tensor<384xf16>, tensor<?x?xi64>) -> tensor<?x?x384xf16>
    %bias = func.call @bias(%arg102)
        : (tensor<?x?xi64>) -> tensor<?x1x1x?xf16>
    %x1 = func.call @layer(%arg5, %arg6, %arg7, %arg8, %arg9, %arg10, %arg11, %arg12, %arg13, %arg14, %arg15, %arg16, %arg17, %arg18, %arg19, %arg20, %x0, %bias)
        : (tensor<384x384xf16>, tensor<384xf16>, tensor<384x384xf16>, tensor<384xf16>, tensor<384x384xf16>, tensor<384xf16>, tensor<384x384xf16>, tensor<384xf16>, tensor<384xf16>, tensor<384xf16>, tensor<1536x384xf16>, tensor<1536xf16>, tensor<384x1536xf16>, tensor<384xf16>, tensor<384xf16>, tensor<384xf16>, tensor<?x?x384xf16>, tensor<?x1x1x?xf16>) -> tensor<?x?x384xf16>
    %x2 = func.call @layer(%arg21, %arg22, %arg23, %arg24, %arg25, %arg26, %arg27, %arg28, %arg29, %arg30, %arg31, %arg32, %arg33, %arg34, %arg35, %arg36, %x1, %bias)
        : (tensor<384x384xf16>, tensor<384xf16>, tensor<384x384xf16>, tensor<384xf16>, tensor<384x384xf16>, tensor<384xf16>, tensor<384x384xf16>, tensor<384xf16>, tensor<384xf16>, tensor<384xf16>, tensor<1536x384xf16>, tensor<1536xf16>, tensor<384x1536xf16>, tensor<384xf16>, tensor<384xf16>, tensor<384xf16>, tensor<?x?x384xf16>, tensor<?x1x1x?xf16>) -> tensor<?x?x384xf16>
    %x3 = func.call @layer(%arg37, %arg38, %arg39, %arg40, %arg41, %arg42, %arg43, %arg44, %arg45, %arg46, %arg47, %arg48, %arg49, %arg50, %arg51, %arg52, %x2, %bias)
        : (tensor<384x384xf16>, tensor<384xf16>, tensor<384x384xf16>, tensor<384xf16>, tensor<384x384xf16>, tensor<384xf16>, tensor<384x384xf16>, tensor<384xf16>, tensor<384xf16>, tensor<384xf16>, tensor<1536x384xf16>, tensor<1536xf16>, tensor<384x1536xf16>, tensor<384xf16>, tensor<384xf16>, tensor<384xf16>, tensor<?x?x384xf16>, tensor<?x1x1x?xf16>) -> tensor<?x?x384xf16>
    %x4 = func.call @layer(%arg53, %arg54, %arg55, %arg56, %arg57, %arg58, %arg59, %arg60, %arg61, %arg62, %arg63, %arg64, %arg65, %arg66, %arg67, %arg68, %x3, %bias)
        : (tensor<384x384xf16>, tensor<384xf16>, tensor<384x384xf16>, tensor<384xf16>, tensor<384x384xf16>, tensor<384xf16>, tensor<384x384xf16>, tensor<384xf16>, tensor<384xf16>, tensor<384xf16>, tensor<1536x384xf16>, tensor<1536xf16>, tensor<384x1536xf16>, tensor<384xf16>, tensor<384xf16>, tensor<384xf16>, tensor<?x?x384xf16>, tensor<?x1x1x?xf16>) -> tensor<?x?x384xf16>
    %x5 = func.call @layer(%arg69, %arg70, %arg71, %arg72, %arg73, %arg74, %arg75, %arg76, %arg77, %arg78, %arg79, %arg80, %arg81, %arg82, %arg83, %arg84, %x4, %bias)
        : (tensor<384x384xf16>, tensor<384xf16>, tensor<384x384xf16>, tensor<384xf16>, tensor<384x384xf16>, tensor<384xf16>, tensor<384x384xf16>, tensor<384xf16>, tensor<384xf16>, tensor<384xf16>, tensor<1536x384xf16>, tensor<1536xf16>, tensor<384x1536xf16>, tensor<384xf16>, tensor<384xf16>, tensor<384xf16>, tensor<?x?x384xf16>, tensor<?x1x1x?xf16>) -> tensor<?x?x384xf16>
    %x6 = func.call @layer(%arg85, %arg86, %arg87, %arg88, %arg89, %arg90, %arg91, %arg92, %arg93, %arg94, %arg95, %arg96, %arg97, %arg98, %arg99, %arg100, %x5, %bias)
        : (tensor<384x384xf16>, tensor<384xf16>, tensor<384x384xf16>, tensor<384xf16>, tensor<384x384xf16>, tensor<384xf16>, tensor<384x384xf16>, tensor<384xf16>, tensor<384xf16>, tensor<384xf16>, tensor<1536x384xf16>, tensor<1536xf16>, tensor<384x1536xf16>, tensor<384xf16>, tensor<384xf16>, tensor<384xf16>, tensor<?x?x384xf16>, tensor<?x1x1x?xf16>) -> tensor<?x?x384xf16>
    %y = func.call @pool(%x6, %arg102)
        : (tensor<?x?x384xf16>, tensor<?x?xi64>) -> tensor<?x384xf16>
    return %y : tensor<?x384xf16>
  }
  func.func private @embed(
      %arg0: tensor<30522x384xf16>,
      %arg1: tensor<512x384xf16>,
      %arg2: tensor<2x384xf16>,
      %arg3: tensor<384xf16>,
      %arg4: tensor<384xf16>,
      %arg5: tensor<?x?xi64>) -> tensor<?x?x384xf16> {
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %arg5, %c0 : tensor<?x?xi64>
    %c1 = arith.constant 1 : index
    %dim_0 = tensor.dim %arg5, %c1 : tensor<?x?xi64>
    %true = arith.constant true
    %c0_i64 = arith.constant 0 : i64
    %c0_1 = arith.constant 0 : index
    %c1_2 = arith.constant 1 : index
    %c30522 = arith.constant 30522 : index
    %c2 = arith.constant 2 : index
    %c512 = arith.constant 512 : index
    %cst = arith.constant 0.000000e+00 : f64
    %cst_3 = arith.constant 0.000000e+00 : f32
    %cst_4 = arith.constant 9.9999999999999998E-13 : f64
    %cst_5 = arith.constant 3.840000e+02 : f64
    %cst_6 = arith.constant 3.840000e+02 : f32
    %cst_7 = arith.constant dense<0> : tensor<i64>
    %dim_8 = tensor.dim %arg5, %c1_2 : tensor<?x?xi64>
    %0 = tensor.empty(%dim_8) : tensor<?xi64>
    %1 = linalg.generic {indexing_maps = [#map0], iterator_types = ["parallel"]} outs(%0 : tensor<?xi64>) {
    ^bb0(%out: i64):
      %40 = linalg.index 0 : index
      %41 = arith.index_cast %40 : index to i64
      linalg.yield %41 : i64
    } -> tensor<?xi64>
    %expanded = tensor.expand_shape %1 [[0, 1]] output_shape [1, %dim_8] : tensor<?xi64> into tensor<1x?xi64>
    %dim_9 = tensor.dim %arg5, %c0_1 : tensor<?x?xi64>
    %2 = arith.index_cast %dim_9 : index to i64
    %3 = arith.index_cast %dim_8 : index to i64
    %4 = arith.cmpi sge, %2, %c0_i64 : i64
    cf.assert %4, "negative values not allowed in new dimensions"
    %5 = arith.cmpi sge, %3, %c0_i64 : i64
    cf.assert %5, "negative values not allowed in new dimensions"
    %6 = tensor.empty(%dim_9, %dim_8) : tensor<?x?xi64>
    %7 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel"]} ins(%cst_7 : tensor<i64>) outs(%6 : tensor<?x?xi64>) {
    ^bb0(%in: i64, %out: i64):
      linalg.yield %in : i64
    } -> tensor<?x?xi64>
    %8 = tensor.empty(%dim_9, %dim_8) : tensor<?x?x384xf16>
    %9 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg5 : tensor<?x?xi64>) outs(%8 : tensor<?x?x384xf16>) {
    ^bb0(%in: i64, %out: f16):
      %40 = arith.index_cast %in : i64 to index
      %41 = linalg.index 2 : index
      %42 = arith.cmpi slt, %40, %c30522 : index
      cf.assert %42, "index must be smaller than dim size"
      %43 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %43, "index must be larger or equal to 0"
      %extracted = tensor.extract %arg0[%40, %41] : tensor<30522x384xf16>
      linalg.yield %extracted : f16
    } -> tensor<?x?x384xf16>
    %10 = tensor.empty(%dim_9, %dim_8) : tensor<?x?x384xf16>
    %11 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<?x?xi64>) outs(%10 : tensor<?x?x384xf16>) {
    ^bb0(%in: i64, %out: f16):
      %40 = arith.index_cast %in : i64 to index
      %41 = linalg.index 2 : index
      %42 = arith.cmpi slt, %40, %c2 : index
      cf.assert %42, "index must be smaller than dim size"
      %43 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %43, "index must be larger or equal to 0"
      %extracted = tensor.extract %arg2[%40, %41] : tensor<2x384xf16>
      linalg.yield %extracted : f16
    } -> tensor<?x?x384xf16>
    cf.assert %true, "mismatched size for broadcast"
    cf.assert %true, "mismatched size for broadcast"
    %12 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9, %11 : tensor<?x?x384xf16>, tensor<?x?x384xf16>) outs(%8 : tensor<?x?x384xf16>) {
    ^bb0(%in: f16, %in_10: f16, %out: f16):
      %40 = arith.addf %in, %in_10 : f16
      linalg.yield %40 : f16
    } -> tensor<?x?x384xf16>
    %13 = tensor.empty(%dim_8) : tensor<1x?x384xf16>
    %14 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x?xi64>) outs(%13 : tensor<1x?x384xf16>) {
    ^bb0(%in: i64, %out: f16):
      %40 = arith.index_cast %in : i64 to index
      %41 = linalg.index 2 : index
      %42 = arith.cmpi slt, %40, %c512 : index
      cf.assert %42, "index must be smaller than dim size"
      %43 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %43, "index must be larger or equal to 0"
      %extracted = tensor.extract %arg1[%40, %41] : tensor<512x384xf16>
      linalg.yield %extracted : f16
    } -> tensor<1x?x384xf16>
    %15 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12, %14 : tensor<?x?x384xf16>, tensor<1x?x384xf16>) outs(%8 : tensor<?x?x384xf16>) {
    ^bb0(%in: f16, %in_10: f16, %out: f16):
      %40 = arith.addf %in, %in_10 : f16
      linalg.yield %40 : f16
    } -> tensor<?x?x384xf16>
    %16 = tensor.empty(%dim_9, %dim_8) : tensor<?x?x384xf32>
    %17 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<?x?x384xf16>) outs(%16 : tensor<?x?x384xf32>) {
    ^bb0(%in: f16, %out: f32):
      %40 = arith.extf %in : f16 to f32
      linalg.yield %40 : f32
    } -> tensor<?x?x384xf32>
    %18 = tensor.empty(%dim_9, %dim_8) : tensor<?x?x384xf64>
    %19 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17 : tensor<?x?x384xf32>) outs(%18 : tensor<?x?x384xf64>) {
    ^bb0(%in: f32, %out: f64):
      %40 = arith.extf %in : f32 to f64
      linalg.yield %40 : f64
    } -> tensor<?x?x384xf64>
    %20 = tensor.empty(%dim_9, %dim_8) : tensor<?x?x1xf64>
    %21 = linalg.fill ins(%cst : f64) outs(%20 : tensor<?x?x1xf64>) -> tensor<?x?x1xf64>
    %22 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%19 : tensor<?x?x384xf64>) outs(%21 : tensor<?x?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %40 = arith.addf %in, %out : f64
      linalg.yield %40 : f64
    } -> tensor<?x?x1xf64>
    %23 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22 : tensor<?x?x1xf64>) outs(%20 : tensor<?x?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %40 = arith.divf %in, %cst_5 : f64
      linalg.yield %40 : f64
    } -> tensor<?x?x1xf64>
    %24 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %23 : tensor<?x?x384xf64>, tensor<?x?x1xf64>) outs(%18 : tensor<?x?x384xf64>) {
    ^bb0(%in: f64, %in_10: f64, %out: f64):
      %40 = arith.subf %in, %in_10 : f64
      linalg.yield %40 : f64
    } -> tensor<?x?x384xf64>
    %25 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%24, %24 : tensor<?x?x384xf64>, tensor<?x?x384xf64>) outs(%18 : tensor<?x?x384xf64>) {
    ^bb0(%in: f64, %in_10: f64, %out: f64):
      %40 = arith.mulf %in, %in_10 : f64
      linalg.yield %40 : f64
    } -> tensor<?x?x384xf64>
    %26 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%25 : tensor<?x?x384xf64>) outs(%21 : tensor<?x?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %40 = arith.addf %in, %out : f64
      linalg.yield %40 : f64
    } -> tensor<?x?x1xf64>
    %27 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26 : tensor<?x?x1xf64>) outs(%20 : tensor<?x?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %40 = arith.divf %in, %cst_5 : f64
      linalg.yield %40 : f64
    } -> tensor<?x?x1xf64>
    %28 = tensor.empty(%dim_9, %dim_8) : tensor<?x?x1xf32>
    %29 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%27 : tensor<?x?x1xf64>) outs(%28 : tensor<?x?x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %40 = arith.truncf %in : f64 to f32
      linalg.yield %40 : f32
    } -> tensor<?x?x1xf32>
    %30 = linalg.fill ins(%cst_3 : f32) outs(%28 : tensor<?x?x1xf32>) -> tensor<?x?x1xf32>
    %31 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%17 : tensor<?x?x384xf32>) outs(%30 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %40 = arith.addf %in, %out : f32
      linalg.yield %40 : f32
    } -> tensor<?x?x1xf32>
    %32 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%31 : tensor<?x?x1xf32>) outs(%28 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %40 = arith.divf %in, %cst_6 : f32
      linalg.yield %40 : f32
    } -> tensor<?x?x1xf32>
    %33 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%29 : tensor<?x?x1xf32>) outs(%28 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %40 = arith.truncf %cst_4 : f64 to f32
      %41 = arith.addf %in, %40 : f32
      linalg.yield %41 : f32
    } -> tensor<?x?x1xf32>
    %34 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%33 : tensor<?x?x1xf32>) outs(%28 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %40 = math.rsqrt %in : f32
      linalg.yield %40 : f32
    } -> tensor<?x?x1xf32>
    %35 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17, %32 : tensor<?x?x384xf32>, tensor<?x?x1xf32>) outs(%16 : tensor<?x?x384xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %40 = arith.subf %in, %in_10 : f32
      linalg.yield %40 : f32
    } -> tensor<?x?x384xf32>
    %36 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%35, %34 : tensor<?x?x384xf32>, tensor<?x?x1xf32>) outs(%16 : tensor<?x?x384xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %40 = arith.mulf %in, %in_10 : f32
      linalg.yield %40 : f32
    } -> tensor<?x?x384xf32>
    %37 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%36, %arg3 : tensor<?x?x384xf32>, tensor<384xf16>) outs(%16 : tensor<?x?x384xf32>) {
    ^bb0(%in: f32, %in_10: f16, %out: f32):
      %40 = arith.extf %in_10 : f16 to f32
      %41 = arith.mulf %in, %40 : f32
      linalg.yield %41 : f32
    } -> tensor<?x?x384xf32>
    %38 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%37, %arg4 : tensor<?x?x384xf32>, tensor<384xf16>) outs(%16 : tensor<?x?x384xf32>) {
    ^bb0(%in: f32, %in_10: f16, %out: f32):
      %40 = arith.extf %in_10 : f16 to f32
      %41 = arith.addf %in, %40 : f32
      linalg.yield %41 : f32
    } -> tensor<?x?x384xf32>
    %39 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%38 : tensor<?x?x384xf32>) outs(%8 : tensor<?x?x384xf16>) {
    ^bb0(%in: f32, %out: f16):
      %40 = arith.truncf %in : f32 to f16
      linalg.yield %40 : f16
    } -> tensor<?x?x384xf16>
    return %39 : tensor<?x?x384xf16>
  }
  func.func private @bias(
      %arg0: tensor<?x?xi64>) -> tensor<?x1x1x?xf16> {
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %arg0, %c0 : tensor<?x?xi64>
    %c1 = arith.constant 1 : index
    %dim_0 = tensor.dim %arg0, %c1 : tensor<?x?xi64>
    %c0_1 = arith.constant 0 : index
    %c1_2 = arith.constant 1 : index
    %cst = arith.constant dense<1.000000e+00> : tensor<f32>
    %cst_3 = arith.constant -6.550400e+04 : f16
    %dim_4 = tensor.dim %arg0, %c0_1 : tensor<?x?xi64>
    %dim_5 = tensor.dim %arg0, %c1_2 : tensor<?x?xi64>
    %expanded = tensor.expand_shape %arg0 [[0], [1, 2, 3]] output_shape [%dim_4, 1, 1, %dim_5] : tensor<?x?xi64> into tensor<?x1x1x?xi64>
    %0 = tensor.empty(%dim_4, %dim_5) : tensor<?x1x1x?xf16>
    %1 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<?x1x1x?xi64>) outs(%0 : tensor<?x1x1x?xf16>) {
    ^bb0(%in: i64, %out: f16):
      %4 = arith.sitofp %in : i64 to f16
      linalg.yield %4 : f16
    } -> tensor<?x1x1x?xf16>
    %2 = linalg.generic {indexing_maps = [#map9, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst, %1 : tensor<f32>, tensor<?x1x1x?xf16>) outs(%0 : tensor<?x1x1x?xf16>) {
    ^bb0(%in: f32, %in_6: f16, %out: f16):
      %4 = arith.truncf %in : f32 to f16
      %5 = arith.subf %4, %in_6 : f16
      linalg.yield %5 : f16
    } -> tensor<?x1x1x?xf16>
    %3 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2 : tensor<?x1x1x?xf16>) outs(%0 : tensor<?x1x1x?xf16>) {
    ^bb0(%in: f16, %out: f16):
      %4 = arith.mulf %in, %cst_3 : f16
      linalg.yield %4 : f16
    } -> tensor<?x1x1x?xf16>
    return %3 : tensor<?x1x1x?xf16>
  }
  func.func private @layer(
      %arg0: tensor<384x384xf16>,
      %arg1: tensor<384xf16>,
      %arg2: tensor<384x384xf16>,
      %arg3: tensor<384xf16>,
      %arg4: tensor<384x384xf16>,
      %arg5: tensor<384xf16>,
      %arg6: tensor<384x384xf16>,
      %arg7: tensor<384xf16>,
      %arg8: tensor<384xf16>,
      %arg9: tensor<384xf16>,
      %arg10: tensor<1536x384xf16>,
      %arg11: tensor<1536xf16>,
      %arg12: tensor<384x1536xf16>,
      %arg13: tensor<384xf16>,
      %arg14: tensor<384xf16>,
      %arg15: tensor<384xf16>,
      %arg16: tensor<?x?x384xf16>,
      %arg17: tensor<?x1x1x?xf16>) -> tensor<?x?x384xf16> {
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %arg16, %c0 : tensor<?x?x384xf16>
    %c1 = arith.constant 1 : index
    %dim_0 = tensor.dim %arg16, %c1 : tensor<?x?x384xf16>
    %c0_1 = arith.constant 0 : index
    %dim_2 = tensor.dim %arg17, %c0_1 : tensor<?x1x1x?xf16>
    %0 = arith.cmpi eq, %dim, %dim_2 : index
    cf.assert %0, "dimension 0 of 'bias' is of another size"
    %c3 = arith.constant 3 : index
    %dim_3 = tensor.dim %arg17, %c3 : tensor<?x1x1x?xf16>
    %1 = arith.cmpi eq, %dim_0, %dim_3 : index
    cf.assert %1, "dimension 3 of 'bias' is of another size"
    %true = arith.constant true
    %c384_i64 = arith.constant 384 : i64
    %c1_i64 = arith.constant 1 : i64
    %c0_i64 = arith.constant 0 : i64
    %c1_4 = arith.constant 1 : index
    %c0_5 = arith.constant 0 : index
    %cst = arith.constant 0.000000e+00 : f32
    %c32_i64 = arith.constant 32 : i64
    %c12 = arith.constant 12 : index
    %c3_6 = arith.constant 3 : index
    %cst_7 = arith.constant 0xFF800000 : f32
    %cst_8 = arith.constant 0.000000e+00 : f64
    %c1536_i64 = arith.constant 1536 : i64
    %cst_9 = arith.constant 1.000000e+00 : f16
    %cst_10 = arith.constant 2.000000e+00 : f16
    %cst_11 = arith.constant 5.000000e-01 : f16
    %cst_12 = arith.constant 9.9999999999999998E-13 : f64
    %cst_13 = arith.constant 0.17677669529663689 : f64
    %cst_14 = arith.constant 3.840000e+02 : f64
    %cst_15 = arith.constant 3.840000e+02 : f32
    %dim_16 = tensor.dim %arg17, %c0_5 : tensor<?x1x1x?xf16>
    %2 = arith.index_cast %dim_16 : index to i64
    %dim_17 = tensor.dim %arg17, %c3_6 : tensor<?x1x1x?xf16>
    %3 = arith.index_cast %dim_17 : index to i64
    %4 = arith.muli %2, %3 : i64
    %collapsed = tensor.collapse_shape %arg16 [[0, 1], [2]] : tensor<?x?x384xf16> into tensor<?x384xf16>
    %5 = tensor.empty() : tensor<384x384xf16>
    %transposed = linalg.transpose ins(%arg0 : tensor<384x384xf16>) outs(%5 : tensor<384x384xf16>) permutation = [1, 0]
    %6 = tensor.empty() : tensor<384xf32>
    %7 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel"]} ins(%arg1 : tensor<384xf16>) outs(%6 : tensor<384xf32>) {
    ^bb0(%in: f16, %out: f32):
      %195 = arith.extf %in : f16 to f32
      linalg.yield %195 : f32
    } -> tensor<384xf32>
    %dim_18 = tensor.dim %arg16, %c0_5 : tensor<?x?x384xf16>
    %dim_19 = tensor.dim %arg16, %c1_4 : tensor<?x?x384xf16>
    %8 = affine.apply #map10()[%dim_18, %dim_19]
    %9 = tensor.empty(%8) : tensor<?x384xf32>
    %10 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%collapsed : tensor<?x384xf16>) outs(%9 : tensor<?x384xf32>) {
    ^bb0(%in: f16, %out: f32):
      %195 = arith.extf %in : f16 to f32
      linalg.yield %195 : f32
    } -> tensor<?x384xf32>
    %11 = tensor.empty() : tensor<384x384xf32>
    %12 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%transposed : tensor<384x384xf16>) outs(%11 : tensor<384x384xf32>) {
    ^bb0(%in: f16, %out: f32):
      %195 = arith.extf %in : f16 to f32
      linalg.yield %195 : f32
    } -> tensor<384x384xf32>
    %13 = linalg.fill ins(%cst : f32) outs(%9 : tensor<?x384xf32>) -> tensor<?x384xf32>
    %14 = linalg.matmul ins(%10, %12 : tensor<?x384xf32>, tensor<384x384xf32>) outs(%13 : tensor<?x384xf32>) -> tensor<?x384xf32>
    %15 = arith.cmpi sge, %4, %c0_i64 : i64
    cf.assert %15, "negative values not allowed in new dimensions"
    %16 = arith.index_cast %4 : i64 to index
    %17 = tensor.empty(%16) : tensor<?x384xf32>
    %18 = linalg.generic {indexing_maps = [#map11, #map2], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<384xf32>) outs(%17 : tensor<?x384xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x384xf32>
    %19 = arith.cmpi eq, %8, %16 : index
    cf.assert %19, "mismatched size for broadcast"
    %20 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%14, %18 : tensor<?x384xf32>, tensor<?x384xf32>) outs(%9 : tensor<?x384xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %195 = arith.addf %in, %in_47 : f32
      linalg.yield %195 : f32
    } -> tensor<?x384xf32>
    %21 = tensor.empty(%8) : tensor<?x384xf16>
    %22 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%20 : tensor<?x384xf32>) outs(%21 : tensor<?x384xf16>) {
    ^bb0(%in: f32, %out: f16):
      %195 = arith.truncf %in : f32 to f16
      linalg.yield %195 : f16
    } -> tensor<?x384xf16>
    %23 = arith.cmpi slt, %2, %c0_i64 : i64
    %24 = arith.select %23, %c1_i64, %2 : i64
    %25 = arith.extui %23 : i1 to i64
    %26 = arith.muli %24, %3 : i64
    %27 = arith.addi %25, %c1_i64 : i64
    %28 = arith.cmpi slt, %3, %c0_i64 : i64
    %29 = arith.select %28, %24, %26 : i64
    %30 = arith.select %28, %27, %25 : i64
    %31 = arith.addi %30, %c1_i64 : i64
    %32 = arith.muli %29, %c32_i64 : i64
    %33 = arith.cmpi sle, %31, %c1_i64 : i64
    cf.assert %33, "must have at most one inferred (negative) dimension"
    %34 = arith.muli %4, %c384_i64 : i64
    %35 = arith.divsi %34, %32 : i64
    %36 = arith.select %23, %35, %2 : i64
    %37 = arith.select %28, %35, %3 : i64
    %from_elements = tensor.from_elements %36, %37, %35, %c32_i64 : tensor<4xi64>
    %reshape = tensor.reshape %22(%from_elements) : (tensor<?x384xf16>, tensor<4xi64>) -> tensor<?x?x12x32xf16>
    %38 = arith.index_cast %36 : i64 to index
    %39 = arith.index_cast %37 : i64 to index
    %40 = tensor.empty(%38, %39) : tensor<?x12x?x32xf16>
    %transposed_20 = linalg.transpose ins(%reshape : tensor<?x?x12x32xf16>) outs(%40 : tensor<?x12x?x32xf16>) permutation = [0, 2, 1, 3]
    %transposed_21 = linalg.transpose ins(%arg2 : tensor<384x384xf16>) outs(%5 : tensor<384x384xf16>) permutation = [1, 0]
    %41 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel"]} ins(%arg3 : tensor<384xf16>) outs(%6 : tensor<384xf32>) {
    ^bb0(%in: f16, %out: f32):
      %195 = arith.extf %in : f16 to f32
      linalg.yield %195 : f32
    } -> tensor<384xf32>
    %42 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%transposed_21 : tensor<384x384xf16>) outs(%11 : tensor<384x384xf32>) {
    ^bb0(%in: f16, %out: f32):
      %195 = arith.extf %in : f16 to f32
      linalg.yield %195 : f32
    } -> tensor<384x384xf32>
    %43 = linalg.matmul ins(%10, %42 : tensor<?x384xf32>, tensor<384x384xf32>) outs(%13 : tensor<?x384xf32>) -> tensor<?x384xf32>
    cf.assert %15, "negative values not allowed in new dimensions"
    %44 = linalg.generic {indexing_maps = [#map11, #map2], iterator_types = ["parallel", "parallel"]} ins(%41 : tensor<384xf32>) outs(%17 : tensor<?x384xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x384xf32>
    cf.assert %19, "mismatched size for broadcast"
    %45 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%43, %44 : tensor<?x384xf32>, tensor<?x384xf32>) outs(%9 : tensor<?x384xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %195 = arith.addf %in, %in_47 : f32
      linalg.yield %195 : f32
    } -> tensor<?x384xf32>
    %46 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%45 : tensor<?x384xf32>) outs(%21 : tensor<?x384xf16>) {
    ^bb0(%in: f32, %out: f16):
      %195 = arith.truncf %in : f32 to f16
      linalg.yield %195 : f16
    } -> tensor<?x384xf16>
    cf.assert %33, "must have at most one inferred (negative) dimension"
    %reshape_22 = tensor.reshape %46(%from_elements) : (tensor<?x384xf16>, tensor<4xi64>) -> tensor<?x?x12x32xf16>
    %transposed_23 = linalg.transpose ins(%arg4 : tensor<384x384xf16>) outs(%5 : tensor<384x384xf16>) permutation = [1, 0]
    %47 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel"]} ins(%arg5 : tensor<384xf16>) outs(%6 : tensor<384xf32>) {
    ^bb0(%in: f16, %out: f32):
      %195 = arith.extf %in : f16 to f32
      linalg.yield %195 : f32
    } -> tensor<384xf32>
    %48 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%transposed_23 : tensor<384x384xf16>) outs(%11 : tensor<384x384xf32>) {
    ^bb0(%in: f16, %out: f32):
      %195 = arith.extf %in : f16 to f32
      linalg.yield %195 : f32
    } -> tensor<384x384xf32>
    %49 = linalg.matmul ins(%10, %48 : tensor<?x384xf32>, tensor<384x384xf32>) outs(%13 : tensor<?x384xf32>) -> tensor<?x384xf32>
    cf.assert %15, "negative values not allowed in new dimensions"
    %50 = linalg.generic {indexing_maps = [#map11, #map2], iterator_types = ["parallel", "parallel"]} ins(%47 : tensor<384xf32>) outs(%17 : tensor<?x384xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x384xf32>
    cf.assert %19, "mismatched size for broadcast"
    %51 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%49, %50 : tensor<?x384xf32>, tensor<?x384xf32>) outs(%9 : tensor<?x384xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %195 = arith.addf %in, %in_47 : f32
      linalg.yield %195 : f32
    } -> tensor<?x384xf32>
    %52 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%51 : tensor<?x384xf32>) outs(%21 : tensor<?x384xf16>) {
    ^bb0(%in: f32, %out: f16):
      %195 = arith.truncf %in : f32 to f16
      linalg.yield %195 : f16
    } -> tensor<?x384xf16>
    cf.assert %33, "must have at most one inferred (negative) dimension"
    %reshape_24 = tensor.reshape %52(%from_elements) : (tensor<?x384xf16>, tensor<4xi64>) -> tensor<?x?x12x32xf16>
    %transposed_25 = linalg.transpose ins(%reshape_24 : tensor<?x?x12x32xf16>) outs(%40 : tensor<?x12x?x32xf16>) permutation = [0, 2, 1, 3]
    %53 = tensor.empty(%38, %39) : tensor<?x12x32x?xf16>
    %transposed_26 = linalg.transpose ins(%reshape_22 : tensor<?x?x12x32xf16>) outs(%53 : tensor<?x12x32x?xf16>) permutation = [0, 2, 3, 1]
    %54 = arith.cmpi sge, %2, %c0_i64 : i64
    cf.assert %54, "unimplemented: dynamic negative broadcast sizes"
    %55 = arith.cmpi sge, %3, %c0_i64 : i64
    cf.assert %55, "unimplemented: dynamic negative broadcast sizes"
    %56 = tensor.empty(%dim_16, %dim_17) : tensor<?x12x?x32xf16>
    %57 = linalg.generic {indexing_maps = [#map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%56 : tensor<?x12x?x32xf16>) {
    ^bb0(%out: f16):
      %195 = linalg.index 0 : index
      %196 = linalg.index 1 : index
      %197 = linalg.index 2 : index
      %198 = linalg.index 3 : index
      %199 = arith.cmpi eq, %38, %c1_4 : index
      %200 = arith.select %199, %c0_5, %195 : index
      %201 = arith.cmpi eq, %39, %c1_4 : index
      %202 = arith.select %201, %c0_5, %197 : index
      %extracted = tensor.extract %transposed_20[%200, %196, %202, %198] : tensor<?x12x?x32xf16>
      linalg.yield %extracted : f16
    } -> tensor<?x12x?x32xf16>
    %collapsed_27 = tensor.collapse_shape %57 [[0, 1], [2], [3]] : tensor<?x12x?x32xf16> into tensor<?x?x32xf16>
    cf.assert %54, "unimplemented: dynamic negative broadcast sizes"
    cf.assert %55, "unimplemented: dynamic negative broadcast sizes"
    %58 = tensor.empty(%dim_16, %dim_17) : tensor<?x12x32x?xf16>
    %59 = linalg.generic {indexing_maps = [#map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%58 : tensor<?x12x32x?xf16>) {
    ^bb0(%out: f16):
      %195 = linalg.index 0 : index
      %196 = linalg.index 1 : index
      %197 = linalg.index 2 : index
      %198 = linalg.index 3 : index
      %199 = arith.cmpi eq, %38, %c1_4 : index
      %200 = arith.select %199, %c0_5, %195 : index
      %201 = arith.cmpi eq, %39, %c1_4 : index
      %202 = arith.select %201, %c0_5, %198 : index
      %extracted = tensor.extract %transposed_26[%200, %196, %197, %202] : tensor<?x12x32x?xf16>
      linalg.yield %extracted : f16
    } -> tensor<?x12x32x?xf16>
    %collapsed_28 = tensor.collapse_shape %59 [[0, 1], [2], [3]] : tensor<?x12x32x?xf16> into tensor<?x32x?xf16>
    %60 = affine.apply #map12()[%dim_16]
    %61 = tensor.empty(%60, %dim_17, %dim_17) : tensor<?x?x?xf32>
    %62 = linalg.fill ins(%cst : f32) outs(%61 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
    %63 = linalg.batch_matmul ins(%collapsed_27, %collapsed_28 : tensor<?x?x32xf16>, tensor<?x32x?xf16>) outs(%62 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
    %64 = tensor.empty(%60, %dim_17, %dim_17) : tensor<?x?x?xf16>
    %65 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%63 : tensor<?x?x?xf32>) outs(%64 : tensor<?x?x?xf16>) {
    ^bb0(%in: f32, %out: f16):
      %195 = arith.truncf %in : f32 to f16
      linalg.yield %195 : f16
    } -> tensor<?x?x?xf16>
    %66 = arith.divsi %60, %c12 : index
    %expanded = tensor.expand_shape %65 [[0, 1], [2], [3]] output_shape [%66, 12, %dim_17, %dim_17] : tensor<?x?x?xf16> into tensor<?x12x?x?xf16>
    %67 = tensor.empty(%66, %dim_17, %dim_17) : tensor<?x12x?x?xf16>
    %68 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<?x12x?x?xf16>) outs(%67 : tensor<?x12x?x?xf16>) {
    ^bb0(%in: f16, %out: f16):
      %195 = arith.truncf %cst_13 : f64 to f16
      %196 = arith.mulf %in, %195 : f16
      linalg.yield %196 : f16
    } -> tensor<?x12x?x?xf16>
    %69 = arith.cmpi eq, %66, %dim_16 : index
    cf.assert %69, "mismatched size for broadcast"
    cf.assert %true, "mismatched size for broadcast"
    %70 = linalg.generic {indexing_maps = [#map8, #map13, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%68, %arg17 : tensor<?x12x?x?xf16>, tensor<?x1x1x?xf16>) outs(%67 : tensor<?x12x?x?xf16>) {
    ^bb0(%in: f16, %in_47: f16, %out: f16):
      %195 = arith.addf %in, %in_47 : f16
      linalg.yield %195 : f16
    } -> tensor<?x12x?x?xf16>
    %71 = tensor.empty(%66, %dim_17, %dim_17) : tensor<?x12x?x?xf32>
    %72 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%70 : tensor<?x12x?x?xf16>) outs(%71 : tensor<?x12x?x?xf32>) {
    ^bb0(%in: f16, %out: f32):
      %195 = arith.extf %in : f16 to f32
      linalg.yield %195 : f32
    } -> tensor<?x12x?x?xf32>
    %73 = tensor.empty(%66, %dim_17) : tensor<?x12x?xi64>
    %74 = linalg.fill ins(%c0_i64 : i64) outs(%73 : tensor<?x12x?xi64>) -> tensor<?x12x?xi64>
    %75 = tensor.empty(%66, %dim_17) : tensor<?x12x?xf32>
    %76 = linalg.fill ins(%cst_7 : f32) outs(%75 : tensor<?x12x?xf32>) -> tensor<?x12x?xf32>
    %77:2 = linalg.generic {indexing_maps = [#map8, #map14, #map14], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%72 : tensor<?x12x?x?xf32>) outs(%76, %74 : tensor<?x12x?xf32>, tensor<?x12x?xi64>) {
    ^bb0(%in: f32, %out: f32, %out_47: i64):
      %195 = linalg.index 3 : index
      %196 = arith.index_cast %195 : index to i64
      %197 = arith.maximumf %in, %out : f32
      %198 = arith.cmpf ogt, %in, %out : f32
      %199 = arith.select %198, %196, %out_47 : i64
      linalg.yield %197, %199 : f32, i64
    } -> (tensor<?x12x?xf32>, tensor<?x12x?xi64>)
    %expanded_29 = tensor.expand_shape %77#0 [[0], [1], [2, 3]] output_shape [%66, 12, %dim_17, 1] : tensor<?x12x?xf32> into tensor<?x12x?x1xf32>
    %78 = linalg.generic {indexing_maps = [#map8, #map15, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%72, %expanded_29 : tensor<?x12x?x?xf32>, tensor<?x12x?x1xf32>) outs(%71 : tensor<?x12x?x?xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %195 = arith.subf %in, %in_47 : f32
      linalg.yield %195 : f32
    } -> tensor<?x12x?x?xf32>
    %79 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%78 : tensor<?x12x?x?xf32>) outs(%71 : tensor<?x12x?x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %195 = math.exp %in : f32
      linalg.yield %195 : f32
    } -> tensor<?x12x?x?xf32>
    %80 = tensor.empty(%66, %dim_17) : tensor<?x12x?x1xf32>
    %81 = linalg.fill ins(%cst : f32) outs(%80 : tensor<?x12x?x1xf32>) -> tensor<?x12x?x1xf32>
    %82 = linalg.generic {indexing_maps = [#map8, #map15], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%79 : tensor<?x12x?x?xf32>) outs(%81 : tensor<?x12x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %195 = arith.addf %in, %out : f32
      linalg.yield %195 : f32
    } -> tensor<?x12x?x1xf32>
    %83 = linalg.generic {indexing_maps = [#map8, #map15, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%79, %82 : tensor<?x12x?x?xf32>, tensor<?x12x?x1xf32>) outs(%71 : tensor<?x12x?x?xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %195 = arith.divf %in, %in_47 : f32
      linalg.yield %195 : f32
    } -> tensor<?x12x?x?xf32>
    %84 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%83 : tensor<?x12x?x?xf32>) outs(%67 : tensor<?x12x?x?xf16>) {
    ^bb0(%in: f32, %out: f16):
      %195 = arith.truncf %in : f32 to f16
      linalg.yield %195 : f16
    } -> tensor<?x12x?x?xf16>
    cf.assert %54, "unimplemented: dynamic negative broadcast sizes"
    cf.assert %55, "unimplemented: dynamic negative broadcast sizes"
    cf.assert %55, "unimplemented: dynamic negative broadcast sizes"
    %85 = tensor.empty(%dim_16, %dim_17, %dim_17) : tensor<?x12x?x?xf16>
    %86 = linalg.generic {indexing_maps = [#map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%85 : tensor<?x12x?x?xf16>) {
    ^bb0(%out: f16):
      %195 = linalg.index 0 : index
      %196 = linalg.index 1 : index
      %197 = linalg.index 2 : index
      %198 = linalg.index 3 : index
      %199 = arith.cmpi eq, %66, %c1_4 : index
      %200 = arith.select %199, %c0_5, %195 : index
      %201 = arith.cmpi eq, %dim_17, %c1_4 : index
      %202 = arith.select %201, %c0_5, %197 : index
      %203 = arith.select %201, %c0_5, %198 : index
      %extracted = tensor.extract %84[%200, %196, %202, %203] : tensor<?x12x?x?xf16>
      linalg.yield %extracted : f16
    } -> tensor<?x12x?x?xf16>
    %collapsed_30 = tensor.collapse_shape %86 [[0, 1], [2], [3]] : tensor<?x12x?x?xf16> into tensor<?x?x?xf16>
    cf.assert %54, "unimplemented: dynamic negative broadcast sizes"
    cf.assert %55, "unimplemented: dynamic negative broadcast sizes"
    %87 = linalg.generic {indexing_maps = [#map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%56 : tensor<?x12x?x32xf16>) {
    ^bb0(%out: f16):
      %195 = linalg.index 0 : index
      %196 = linalg.index 1 : index
      %197 = linalg.index 2 : index
      %198 = linalg.index 3 : index
      %199 = arith.cmpi eq, %38, %c1_4 : index
      %200 = arith.select %199, %c0_5, %195 : index
      %201 = arith.cmpi eq, %39, %c1_4 : index
      %202 = arith.select %201, %c0_5, %197 : index
      %extracted = tensor.extract %transposed_25[%200, %196, %202, %198] : tensor<?x12x?x32xf16>
      linalg.yield %extracted : f16
    } -> tensor<?x12x?x32xf16>
    %collapsed_31 = tensor.collapse_shape %87 [[0, 1], [2], [3]] : tensor<?x12x?x32xf16> into tensor<?x?x32xf16>
    %88 = tensor.empty(%60, %dim_17) : tensor<?x?x32xf32>
    %89 = linalg.fill ins(%cst : f32) outs(%88 : tensor<?x?x32xf32>) -> tensor<?x?x32xf32>
    %90 = linalg.batch_matmul ins(%collapsed_30, %collapsed_31 : tensor<?x?x?xf16>, tensor<?x?x32xf16>) outs(%89 : tensor<?x?x32xf32>) -> tensor<?x?x32xf32>
    %91 = tensor.empty(%60, %dim_17) : tensor<?x?x32xf16>
    %92 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%90 : tensor<?x?x32xf32>) outs(%91 : tensor<?x?x32xf16>) {
    ^bb0(%in: f32, %out: f16):
      %195 = arith.truncf %in : f32 to f16
      linalg.yield %195 : f16
    } -> tensor<?x?x32xf16>
    %expanded_32 = tensor.expand_shape %92 [[0, 1], [2], [3]] output_shape [%66, 12, %dim_17, 32] : tensor<?x?x32xf16> into tensor<?x12x?x32xf16>
    %93 = tensor.empty(%66, %dim_17) : tensor<?x?x12x32xf16>
    %transposed_33 = linalg.transpose ins(%expanded_32 : tensor<?x12x?x32xf16>) outs(%93 : tensor<?x?x12x32xf16>) permutation = [0, 2, 1, 3]
    cf.assert %33, "must have at most one inferred (negative) dimension"
    %94 = arith.index_cast %66 : index to i64
    %95 = arith.muli %94, %3 : i64
    %96 = arith.muli %95, %c384_i64 : i64
    %97 = arith.divsi %96, %29 : i64
    %98 = arith.select %23, %97, %2 : i64
    %99 = arith.select %28, %97, %3 : i64
    %from_elements_34 = tensor.from_elements %98, %99, %97 : tensor<3xi64>
    %reshape_35 = tensor.reshape %transposed_33(%from_elements_34) : (tensor<?x?x12x32xf16>, tensor<3xi64>) -> tensor<?x?x384xf16>
    %collapsed_36 = tensor.collapse_shape %reshape_35 [[0, 1], [2]] : tensor<?x?x384xf16> into tensor<?x384xf16>
    %transposed_37 = linalg.transpose ins(%arg6 : tensor<384x384xf16>) outs(%5 : tensor<384x384xf16>) permutation = [1, 0]
    %100 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel"]} ins(%arg7 : tensor<384xf16>) outs(%6 : tensor<384xf32>) {
    ^bb0(%in: f16, %out: f32):
      %195 = arith.extf %in : f16 to f32
      linalg.yield %195 : f32
    } -> tensor<384xf32>
    %101 = arith.index_cast %98 : i64 to index
    %102 = arith.index_cast %99 : i64 to index
    %103 = affine.apply #map10()[%101, %102]
    %104 = tensor.empty(%103) : tensor<?x384xf32>
    %105 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%collapsed_36 : tensor<?x384xf16>) outs(%104 : tensor<?x384xf32>) {
    ^bb0(%in: f16, %out: f32):
      %195 = arith.extf %in : f16 to f32
      linalg.yield %195 : f32
    } -> tensor<?x384xf32>
    %106 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%transposed_37 : tensor<384x384xf16>) outs(%11 : tensor<384x384xf32>) {
    ^bb0(%in: f16, %out: f32):
      %195 = arith.extf %in : f16 to f32
      linalg.yield %195 : f32
    } -> tensor<384x384xf32>
    %107 = linalg.fill ins(%cst : f32) outs(%104 : tensor<?x384xf32>) -> tensor<?x384xf32>
    %108 = linalg.matmul ins(%105, %106 : tensor<?x384xf32>, tensor<384x384xf32>) outs(%107 : tensor<?x384xf32>) -> tensor<?x384xf32>
    cf.assert %15, "negative values not allowed in new dimensions"
    %109 = linalg.generic {indexing_maps = [#map11, #map2], iterator_types = ["parallel", "parallel"]} ins(%100 : tensor<384xf32>) outs(%17 : tensor<?x384xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x384xf32>
    %110 = arith.cmpi eq, %103, %16 : index
    cf.assert %110, "mismatched size for broadcast"
    %111 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%108, %109 : tensor<?x384xf32>, tensor<?x384xf32>) outs(%104 : tensor<?x384xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %195 = arith.addf %in, %in_47 : f32
      linalg.yield %195 : f32
    } -> tensor<?x384xf32>
    %112 = tensor.empty(%103) : tensor<?x384xf16>
    %113 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%111 : tensor<?x384xf32>) outs(%112 : tensor<?x384xf16>) {
    ^bb0(%in: f32, %out: f16):
      %195 = arith.truncf %in : f32 to f16
      linalg.yield %195 : f16
    } -> tensor<?x384xf16>
    %from_elements_38 = tensor.from_elements %2, %3, %c384_i64 : tensor<3xi64>
    %reshape_39 = tensor.reshape %113(%from_elements_38) : (tensor<?x384xf16>, tensor<3xi64>) -> tensor<?x?x384xf16>
    %114 = arith.cmpi eq, %dim_16, %dim_18 : index
    cf.assert %114, "mismatched size for broadcast"
    %115 = arith.cmpi eq, %dim_17, %dim_19 : index
    cf.assert %115, "mismatched size for broadcast"
    %116 = tensor.empty(%dim_16, %dim_17) : tensor<?x?x384xf16>
    %117 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%reshape_39, %arg16 : tensor<?x?x384xf16>, tensor<?x?x384xf16>) outs(%116 : tensor<?x?x384xf16>) {
    ^bb0(%in: f16, %in_47: f16, %out: f16):
      %195 = arith.addf %in, %in_47 : f16
      linalg.yield %195 : f16
    } -> tensor<?x?x384xf16>
    %118 = tensor.empty(%dim_16, %dim_17) : tensor<?x?x384xf32>
    %119 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%117 : tensor<?x?x384xf16>) outs(%118 : tensor<?x?x384xf32>) {
    ^bb0(%in: f16, %out: f32):
      %195 = arith.extf %in : f16 to f32
      linalg.yield %195 : f32
    } -> tensor<?x?x384xf32>
    %120 = tensor.empty(%dim_16, %dim_17) : tensor<?x?x384xf64>
    %121 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%119 : tensor<?x?x384xf32>) outs(%120 : tensor<?x?x384xf64>) {
    ^bb0(%in: f32, %out: f64):
      %195 = arith.extf %in : f32 to f64
      linalg.yield %195 : f64
    } -> tensor<?x?x384xf64>
    %122 = tensor.empty(%dim_16, %dim_17) : tensor<?x?x1xf64>
    %123 = linalg.fill ins(%cst_8 : f64) outs(%122 : tensor<?x?x1xf64>) -> tensor<?x?x1xf64>
    %124 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%121 : tensor<?x?x384xf64>) outs(%123 : tensor<?x?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %195 = arith.addf %in, %out : f64
      linalg.yield %195 : f64
    } -> tensor<?x?x1xf64>
    %125 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%124 : tensor<?x?x1xf64>) outs(%122 : tensor<?x?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %195 = arith.divf %in, %cst_14 : f64
      linalg.yield %195 : f64
    } -> tensor<?x?x1xf64>
    %126 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%121, %125 : tensor<?x?x384xf64>, tensor<?x?x1xf64>) outs(%120 : tensor<?x?x384xf64>) {
    ^bb0(%in: f64, %in_47: f64, %out: f64):
      %195 = arith.subf %in, %in_47 : f64
      linalg.yield %195 : f64
    } -> tensor<?x?x384xf64>
    %127 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%126, %126 : tensor<?x?x384xf64>, tensor<?x?x384xf64>) outs(%120 : tensor<?x?x384xf64>) {
    ^bb0(%in: f64, %in_47: f64, %out: f64):
      %195 = arith.mulf %in, %in_47 : f64
      linalg.yield %195 : f64
    } -> tensor<?x?x384xf64>
    %128 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%127 : tensor<?x?x384xf64>) outs(%123 : tensor<?x?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %195 = arith.addf %in, %out : f64
      linalg.yield %195 : f64
    } -> tensor<?x?x1xf64>
    %129 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%128 : tensor<?x?x1xf64>) outs(%122 : tensor<?x?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %195 = arith.divf %in, %cst_14 : f64
      linalg.yield %195 : f64
    } -> tensor<?x?x1xf64>
    %130 = tensor.empty(%dim_16, %dim_17) : tensor<?x?x1xf32>
    %131 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%129 : tensor<?x?x1xf64>) outs(%130 : tensor<?x?x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %195 = arith.truncf %in : f64 to f32
      linalg.yield %195 : f32
    } -> tensor<?x?x1xf32>
    %132 = linalg.fill ins(%cst : f32) outs(%130 : tensor<?x?x1xf32>) -> tensor<?x?x1xf32>
    %133 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%119 : tensor<?x?x384xf32>) outs(%132 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %195 = arith.addf %in, %out : f32
      linalg.yield %195 : f32
    } -> tensor<?x?x1xf32>
    %134 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%133 : tensor<?x?x1xf32>) outs(%130 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %195 = arith.divf %in, %cst_15 : f32
      linalg.yield %195 : f32
    } -> tensor<?x?x1xf32>
    %135 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%131 : tensor<?x?x1xf32>) outs(%130 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %195 = arith.truncf %cst_12 : f64 to f32
      %196 = arith.addf %in, %195 : f32
      linalg.yield %196 : f32
    } -> tensor<?x?x1xf32>
    %136 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%135 : tensor<?x?x1xf32>) outs(%130 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %195 = math.rsqrt %in : f32
      linalg.yield %195 : f32
    } -> tensor<?x?x1xf32>
    %137 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%119, %134 : tensor<?x?x384xf32>, tensor<?x?x1xf32>) outs(%118 : tensor<?x?x384xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %195 = arith.subf %in, %in_47 : f32
      linalg.yield %195 : f32
    } -> tensor<?x?x384xf32>
    %138 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%137, %136 : tensor<?x?x384xf32>, tensor<?x?x1xf32>) outs(%118 : tensor<?x?x384xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %195 = arith.mulf %in, %in_47 : f32
      linalg.yield %195 : f32
    } -> tensor<?x?x384xf32>
    %139 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%138, %arg8 : tensor<?x?x384xf32>, tensor<384xf16>) outs(%118 : tensor<?x?x384xf32>) {
    ^bb0(%in: f32, %in_47: f16, %out: f32):
      %195 = arith.extf %in_47 : f16 to f32
      %196 = arith.mulf %in, %195 : f32
      linalg.yield %196 : f32
    } -> tensor<?x?x384xf32>
    %140 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%139, %arg9 : tensor<?x?x384xf32>, tensor<384xf16>) outs(%118 : tensor<?x?x384xf32>) {
    ^bb0(%in: f32, %in_47: f16, %out: f32):
      %195 = arith.extf %in_47 : f16 to f32
      %196 = arith.addf %in, %195 : f32
      linalg.yield %196 : f32
    } -> tensor<?x?x384xf32>
    %141 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%140 : tensor<?x?x384xf32>) outs(%116 : tensor<?x?x384xf16>) {
    ^bb0(%in: f32, %out: f16):
      %195 = arith.truncf %in : f32 to f16
      linalg.yield %195 : f16
    } -> tensor<?x?x384xf16>
    %collapsed_40 = tensor.collapse_shape %141 [[0, 1], [2]] : tensor<?x?x384xf16> into tensor<?x384xf16>
    %142 = tensor.empty() : tensor<384x1536xf16>
    %transposed_41 = linalg.transpose ins(%arg10 : tensor<1536x384xf16>) outs(%142 : tensor<384x1536xf16>) permutation = [1, 0]
    %143 = tensor.empty() : tensor<1536xf32>
    %144 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel"]} ins(%arg11 : tensor<1536xf16>) outs(%143 : tensor<1536xf32>) {
    ^bb0(%in: f16, %out: f32):
      %195 = arith.extf %in : f16 to f32
      linalg.yield %195 : f32
    } -> tensor<1536xf32>
    %145 = affine.apply #map10()[%dim_16, %dim_17]
    %146 = tensor.empty(%145) : tensor<?x384xf32>
    %147 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%collapsed_40 : tensor<?x384xf16>) outs(%146 : tensor<?x384xf32>) {
    ^bb0(%in: f16, %out: f32):
      %195 = arith.extf %in : f16 to f32
      linalg.yield %195 : f32
    } -> tensor<?x384xf32>
    %148 = tensor.empty() : tensor<384x1536xf32>
    %149 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%transposed_41 : tensor<384x1536xf16>) outs(%148 : tensor<384x1536xf32>) {
    ^bb0(%in: f16, %out: f32):
      %195 = arith.extf %in : f16 to f32
      linalg.yield %195 : f32
    } -> tensor<384x1536xf32>
    %150 = tensor.empty(%145) : tensor<?x1536xf32>
    %151 = linalg.fill ins(%cst : f32) outs(%150 : tensor<?x1536xf32>) -> tensor<?x1536xf32>
    %152 = linalg.matmul ins(%147, %149 : tensor<?x384xf32>, tensor<384x1536xf32>) outs(%151 : tensor<?x1536xf32>) -> tensor<?x1536xf32>
    cf.assert %15, "negative values not allowed in new dimensions"
    %153 = tensor.empty(%16) : tensor<?x1536xf32>
    %154 = linalg.generic {indexing_maps = [#map11, #map2], iterator_types = ["parallel", "parallel"]} ins(%144 : tensor<1536xf32>) outs(%153 : tensor<?x1536xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x1536xf32>
    %155 = arith.cmpi eq, %145, %16 : index
    cf.assert %155, "mismatched size for broadcast"
    %156 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%152, %154 : tensor<?x1536xf32>, tensor<?x1536xf32>) outs(%150 : tensor<?x1536xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %195 = arith.addf %in, %in_47 : f32
      linalg.yield %195 : f32
    } -> tensor<?x1536xf32>
    %157 = tensor.empty(%145) : tensor<?x1536xf16>
    %158 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%156 : tensor<?x1536xf32>) outs(%157 : tensor<?x1536xf16>) {
    ^bb0(%in: f32, %out: f16):
      %195 = arith.truncf %in : f32 to f16
      linalg.yield %195 : f16
    } -> tensor<?x1536xf16>
    %from_elements_42 = tensor.from_elements %2, %3, %c1536_i64 : tensor<3xi64>
    %reshape_43 = tensor.reshape %158(%from_elements_42) : (tensor<?x1536xf16>, tensor<3xi64>) -> tensor<?x?x1536xf16>
    %159 = tensor.empty(%dim_16, %dim_17) : tensor<?x?x1536xf16>
    %160 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%reshape_43 : tensor<?x?x1536xf16>) outs(%159 : tensor<?x?x1536xf16>) {
    ^bb0(%in: f16, %out: f16):
      %195 = math.sqrt %cst_10 : f16
      %196 = arith.divf %in, %195 : f16
      %197 = math.erf %196 : f16
      %198 = arith.addf %197, %cst_9 : f16
      %199 = arith.mulf %198, %cst_11 : f16
      %200 = arith.mulf %in, %199 : f16
      linalg.yield %200 : f16
    } -> tensor<?x?x1536xf16>
    %collapsed_44 = tensor.collapse_shape %160 [[0, 1], [2]] : tensor<?x?x1536xf16> into tensor<?x1536xf16>
    %161 = tensor.empty() : tensor<1536x384xf16>
    %transposed_45 = linalg.transpose ins(%arg12 : tensor<384x1536xf16>) outs(%161 : tensor<1536x384xf16>) permutation = [1, 0]
    %162 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel"]} ins(%arg13 : tensor<384xf16>) outs(%6 : tensor<384xf32>) {
    ^bb0(%in: f16, %out: f32):
      %195 = arith.extf %in : f16 to f32
      linalg.yield %195 : f32
    } -> tensor<384xf32>
    %163 = affine.apply #map10()[%dim_16, %dim_17]
    %164 = tensor.empty(%163) : tensor<?x1536xf32>
    %165 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%collapsed_44 : tensor<?x1536xf16>) outs(%164 : tensor<?x1536xf32>) {
    ^bb0(%in: f16, %out: f32):
      %195 = arith.extf %in : f16 to f32
      linalg.yield %195 : f32
    } -> tensor<?x1536xf32>
    %166 = tensor.empty() : tensor<1536x384xf32>
    %167 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%transposed_45 : tensor<1536x384xf16>) outs(%166 : tensor<1536x384xf32>) {
    ^bb0(%in: f16, %out: f32):
      %195 = arith.extf %in : f16 to f32
      linalg.yield %195 : f32
    } -> tensor<1536x384xf32>
    %168 = tensor.empty(%163) : tensor<?x384xf32>
    %169 = linalg.fill ins(%cst : f32) outs(%168 : tensor<?x384xf32>) -> tensor<?x384xf32>
    %170 = linalg.matmul ins(%165, %167 : tensor<?x1536xf32>, tensor<1536x384xf32>) outs(%169 : tensor<?x384xf32>) -> tensor<?x384xf32>
    cf.assert %15, "negative values not allowed in new dimensions"
    %171 = linalg.generic {indexing_maps = [#map11, #map2], iterator_types = ["parallel", "parallel"]} ins(%162 : tensor<384xf32>) outs(%17 : tensor<?x384xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x384xf32>
    %172 = arith.cmpi eq, %163, %16 : index
    cf.assert %172, "mismatched size for broadcast"
    %173 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%170, %171 : tensor<?x384xf32>, tensor<?x384xf32>) outs(%168 : tensor<?x384xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %195 = arith.addf %in, %in_47 : f32
      linalg.yield %195 : f32
    } -> tensor<?x384xf32>
    %174 = tensor.empty(%163) : tensor<?x384xf16>
    %175 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%173 : tensor<?x384xf32>) outs(%174 : tensor<?x384xf16>) {
    ^bb0(%in: f32, %out: f16):
      %195 = arith.truncf %in : f32 to f16
      linalg.yield %195 : f16
    } -> tensor<?x384xf16>
    %reshape_46 = tensor.reshape %175(%from_elements_38) : (tensor<?x384xf16>, tensor<3xi64>) -> tensor<?x?x384xf16>
    %176 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%reshape_46, %141 : tensor<?x?x384xf16>, tensor<?x?x384xf16>) outs(%116 : tensor<?x?x384xf16>) {
    ^bb0(%in: f16, %in_47: f16, %out: f16):
      %195 = arith.addf %in, %in_47 : f16
      linalg.yield %195 : f16
    } -> tensor<?x?x384xf16>
    %177 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%176 : tensor<?x?x384xf16>) outs(%118 : tensor<?x?x384xf32>) {
    ^bb0(%in: f16, %out: f32):
      %195 = arith.extf %in : f16 to f32
      linalg.yield %195 : f32
    } -> tensor<?x?x384xf32>
    %178 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%177 : tensor<?x?x384xf32>) outs(%120 : tensor<?x?x384xf64>) {
    ^bb0(%in: f32, %out: f64):
      %195 = arith.extf %in : f32 to f64
      linalg.yield %195 : f64
    } -> tensor<?x?x384xf64>
    %179 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%178 : tensor<?x?x384xf64>) outs(%123 : tensor<?x?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %195 = arith.addf %in, %out : f64
      linalg.yield %195 : f64
    } -> tensor<?x?x1xf64>
    %180 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%179 : tensor<?x?x1xf64>) outs(%122 : tensor<?x?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %195 = arith.divf %in, %cst_14 : f64
      linalg.yield %195 : f64
    } -> tensor<?x?x1xf64>
    %181 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%178, %180 : tensor<?x?x384xf64>, tensor<?x?x1xf64>) outs(%120 : tensor<?x?x384xf64>) {
    ^bb0(%in: f64, %in_47: f64, %out: f64):
      %195 = arith.subf %in, %in_47 : f64
      linalg.yield %195 : f64
    } -> tensor<?x?x384xf64>
    %182 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%181, %181 : tensor<?x?x384xf64>, tensor<?x?x384xf64>) outs(%120 : tensor<?x?x384xf64>) {
    ^bb0(%in: f64, %in_47: f64, %out: f64):
      %195 = arith.mulf %in, %in_47 : f64
      linalg.yield %195 : f64
    } -> tensor<?x?x384xf64>
    %183 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%182 : tensor<?x?x384xf64>) outs(%123 : tensor<?x?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %195 = arith.addf %in, %out : f64
      linalg.yield %195 : f64
    } -> tensor<?x?x1xf64>
    %184 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%183 : tensor<?x?x1xf64>) outs(%122 : tensor<?x?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %195 = arith.divf %in, %cst_14 : f64
      linalg.yield %195 : f64
    } -> tensor<?x?x1xf64>
    %185 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%184 : tensor<?x?x1xf64>) outs(%130 : tensor<?x?x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %195 = arith.truncf %in : f64 to f32
      linalg.yield %195 : f32
    } -> tensor<?x?x1xf32>
    %186 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%177 : tensor<?x?x384xf32>) outs(%132 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %195 = arith.addf %in, %out : f32
      linalg.yield %195 : f32
    } -> tensor<?x?x1xf32>
    %187 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%186 : tensor<?x?x1xf32>) outs(%130 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %195 = arith.divf %in, %cst_15 : f32
      linalg.yield %195 : f32
    } -> tensor<?x?x1xf32>
    %188 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%185 : tensor<?x?x1xf32>) outs(%130 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %195 = arith.truncf %cst_12 : f64 to f32
      %196 = arith.addf %in, %195 : f32
      linalg.yield %196 : f32
    } -> tensor<?x?x1xf32>
    %189 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%188 : tensor<?x?x1xf32>) outs(%130 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %195 = math.rsqrt %in : f32
      linalg.yield %195 : f32
    } -> tensor<?x?x1xf32>
    %190 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%177, %187 : tensor<?x?x384xf32>, tensor<?x?x1xf32>) outs(%118 : tensor<?x?x384xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %195 = arith.subf %in, %in_47 : f32
      linalg.yield %195 : f32
    } -> tensor<?x?x384xf32>
    %191 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%190, %189 : tensor<?x?x384xf32>, tensor<?x?x1xf32>) outs(%118 : tensor<?x?x384xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %195 = arith.mulf %in, %in_47 : f32
      linalg.yield %195 : f32
    } -> tensor<?x?x384xf32>
    %192 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%191, %arg14 : tensor<?x?x384xf32>, tensor<384xf16>) outs(%118 : tensor<?x?x384xf32>) {
    ^bb0(%in: f32, %in_47: f16, %out: f32):
      %195 = arith.extf %in_47 : f16 to f32
      %196 = arith.mulf %in, %195 : f32
      linalg.yield %196 : f32
    } -> tensor<?x?x384xf32>
    %193 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%192, %arg15 : tensor<?x?x384xf32>, tensor<384xf16>) outs(%118 : tensor<?x?x384xf32>) {
    ^bb0(%in: f32, %in_47: f16, %out: f32):
      %195 = arith.extf %in_47 : f16 to f32
      %196 = arith.addf %in, %195 : f32
      linalg.yield %196 : f32
    } -> tensor<?x?x384xf32>
    %194 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%193 : tensor<?x?x384xf32>) outs(%116 : tensor<?x?x384xf16>) {
    ^bb0(%in: f32, %out: f16):
      %195 = arith.truncf %in : f32 to f16
      linalg.yield %195 : f16
    } -> tensor<?x?x384xf16>
    return %194 : tensor<?x?x384xf16>
  }
  func.func private @pool(
      %arg0: tensor<?x?x384xf16>,
      %arg1: tensor<?x?xi64>) -> tensor<?x384xf16> {
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %arg0, %c0 : tensor<?x?x384xf16>
    %c1 = arith.constant 1 : index
    %dim_0 = tensor.dim %arg0, %c1 : tensor<?x?x384xf16>
    %c0_1 = arith.constant 0 : index
    %dim_2 = tensor.dim %arg1, %c0_1 : tensor<?x?xi64>
    %0 = arith.cmpi eq, %dim, %dim_2 : index
    cf.assert %0, "dimension 0 of 'mask' is of another size"
    %c1_3 = arith.constant 1 : index
    %dim_4 = tensor.dim %arg1, %c1_3 : tensor<?x?xi64>
    %1 = arith.cmpi eq, %dim_0, %dim_4 : index
    cf.assert %1, "dimension 1 of 'mask' is of another size"
    %c0_i64 = arith.constant 0 : i64
    %c0_5 = arith.constant 0 : index
    %c1_6 = arith.constant 1 : index
    %cst = arith.constant 0.000000e+00 : f16
    %cst_7 = arith.constant 9.9999999999999998E-13 : f64
    %cst_8 = arith.constant 1.000000e-09 : f64
    %cst_9 = arith.constant 2.000000e+00 : f16
    %cst_10 = arith.constant 5.000000e-01 : f16
    %dim_11 = tensor.dim %arg1, %c0_5 : tensor<?x?xi64>
    %2 = arith.index_cast %dim_11 : index to i64
    %dim_12 = tensor.dim %arg1, %c1_6 : tensor<?x?xi64>
    %expanded = tensor.expand_shape %arg1 [[0], [1, 2]] output_shape [%dim_11, %dim_12, 1] : tensor<?x?xi64> into tensor<?x?x1xi64>
    %3 = tensor.empty(%dim_11, %dim_12) : tensor<?x?x1xf16>
    %4 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded : tensor<?x?x1xi64>) outs(%3 : tensor<?x?x1xf16>) {
    ^bb0(%in: i64, %out: f16):
      %27 = arith.sitofp %in : i64 to f16
      linalg.yield %27 : f16
    } -> tensor<?x?x1xf16>
    %dim_13 = tensor.dim %arg0, %c0_5 : tensor<?x?x384xf16>
    %dim_14 = tensor.dim %arg0, %c1_6 : tensor<?x?x384xf16>
    %5 = arith.cmpi eq, %dim_13, %dim_11 : index
    cf.assert %5, "mismatched size for broadcast"
    %6 = arith.cmpi eq, %dim_14, %dim_12 : index
    cf.assert %6, "mismatched size for broadcast"
    %7 = tensor.empty(%dim_13, %dim_14) : tensor<?x?x384xf16>
    %8 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %4 : tensor<?x?x384xf16>, tensor<?x?x1xf16>) outs(%7 : tensor<?x?x384xf16>) {
    ^bb0(%in: f16, %in_15: f16, %out: f16):
      %27 = arith.mulf %in, %in_15 : f16
      linalg.yield %27 : f16
    } -> tensor<?x?x384xf16>
    %9 = tensor.empty(%dim_13) : tensor<?x384xf16>
    %10 = linalg.fill ins(%cst : f16) outs(%9 : tensor<?x384xf16>) -> tensor<?x384xf16>
    %11 = linalg.generic {indexing_maps = [#map4, #map16], iterator_types = ["parallel", "reduction", "parallel"]} ins(%8 : tensor<?x?x384xf16>) outs(%10 : tensor<?x384xf16>) {
    ^bb0(%in: f16, %out: f16):
      %27 = arith.addf %in, %out : f16
      linalg.yield %27 : f16
    } -> tensor<?x384xf16>
    %12 = tensor.empty(%dim_11) : tensor<?x1xf16>
    %13 = linalg.fill ins(%cst : f16) outs(%12 : tensor<?x1xf16>) -> tensor<?x1xf16>
    %14 = linalg.generic {indexing_maps = [#map4, #map16], iterator_types = ["parallel", "reduction", "parallel"]} ins(%4 : tensor<?x?x1xf16>) outs(%13 : tensor<?x1xf16>) {
    ^bb0(%in: f16, %out: f16):
      %27 = arith.addf %in, %out : f16
      linalg.yield %27 : f16
    } -> tensor<?x1xf16>
    %15 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%14 : tensor<?x1xf16>) outs(%12 : tensor<?x1xf16>) {
    ^bb0(%in: f16, %out: f16):
      %27 = arith.truncf %cst_8 : f64 to f16
      %28 = arith.cmpf ult, %in, %27 : f16
      %29 = arith.select %28, %27, %in : f16
      linalg.yield %29 : f16
    } -> tensor<?x1xf16>
    cf.assert %5, "mismatched size for broadcast"
    %16 = linalg.generic {indexing_maps = [#map2, #map17, #map2], iterator_types = ["parallel", "parallel"]} ins(%11, %15 : tensor<?x384xf16>, tensor<?x1xf16>) outs(%9 : tensor<?x384xf16>) {
    ^bb0(%in: f16, %in_15: f16, %out: f16):
      %27 = arith.divf %in, %in_15 : f16
      linalg.yield %27 : f16
    } -> tensor<?x384xf16>
    %17 = tensor.empty(%dim_13) : tensor<?x1xf16>
    %18 = linalg.fill ins(%cst : f16) outs(%17 : tensor<?x1xf16>) -> tensor<?x1xf16>
    %19 = linalg.generic {indexing_maps = [#map2, #map17], iterator_types = ["parallel", "reduction"]} ins(%16 : tensor<?x384xf16>) outs(%18 : tensor<?x1xf16>) {
    ^bb0(%in: f16, %out: f16):
      %27 = math.absf %in : f16
      %28 = math.powf %27, %cst_9 : f16
      %29 = arith.addf %28, %out : f16
      linalg.yield %29 : f16
    } -> tensor<?x1xf16>
    %20 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%19 : tensor<?x1xf16>) outs(%17 : tensor<?x1xf16>) {
    ^bb0(%in: f16, %out: f16):
      %27 = math.powf %in, %cst_10 : f16
      linalg.yield %27 : f16
    } -> tensor<?x1xf16>
    %21 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%20 : tensor<?x1xf16>) outs(%17 : tensor<?x1xf16>) {
    ^bb0(%in: f16, %out: f16):
      %27 = arith.truncf %cst_7 : f64 to f16
      %28 = arith.cmpf ult, %in, %27 : f16
      %29 = arith.select %28, %27, %in : f16
      linalg.yield %29 : f16
    } -> tensor<?x1xf16>
    %22 = arith.cmpi sge, %2, %c0_i64 : i64
    cf.assert %22, "unimplemented: dynamic negative broadcast sizes"
    %23 = tensor.empty(%dim_11) : tensor<?x384xf16>
    %24 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel", "parallel"]} outs(%23 : tensor<?x384xf16>) {
    ^bb0(%out: f16):
      %27 = linalg.index 0 : index
      %28 = arith.cmpi eq, %dim_13, %c1_6 : index
      %29 = arith.select %28, %c0_5, %27 : index
      %extracted = tensor.extract %21[%29, %c0_5] : tensor<?x1xf16>
      linalg.yield %extracted : f16
    } -> tensor<?x384xf16>
    %25 = arith.cmpi eq, %dim_13, %dim_11 : index
    cf.assert %25, "mismatched size for broadcast"
    %26 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%16, %24 : tensor<?x384xf16>, tensor<?x384xf16>) outs(%9 : tensor<?x384xf16>) {
    ^bb0(%in: f16, %in_15: f16, %out: f16):
      %27 = arith.divf %in, %in_15 : f16
      linalg.yield %27 : f16
    } -> tensor<?x384xf16>
    return %26 : tensor<?x384xf16>
  }
}
