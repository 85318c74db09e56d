// RUN: sparseflow-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{expected 'quantized' for the storage int4, found 'ternary'}}
func.func private @as_ternary(tensor<8x96xf16, #sparseflow.ternary<int4, scale = 32 : f16>>)

// -----

// expected-error @+1 {{expected 'ternary' for the storage codes, found 'quantized'}}
func.func private @as_quantized(tensor<8x96xf16, #sparseflow.quantized<codes, scale = 32 : f16>>)

// -----

// expected-error @+1 {{unknown attribute `quantised` in dialect `sparseflow`}}
func.func private @spelling(tensor<8x96xf16, #sparseflow.quantised<int4, scale = 32 : f16>>)

// -----

// expected-error @+1 {{expected one plane under int4, found 2; use codes for two}}
func.func private @planes(tensor<8x96xf16, #sparseflow.quantized<int4, scale = 32 : f16, planes = 2>>)

// -----

// expected-error @+1 {{expected a scale for the tensor, a row, or 32, 64, 128 or 256 columns, found 'token': only caches have heads and tokens}}
func.func private @cache(tensor<8x96xf16, #sparseflow.quantized<int4, scale = token : f16>>)

// -----

#w4 = #sparseflow.quantized<int4, scale = row : f32>
func.func @bytes(%x: tensor<?x96xi8>, %w: tensor<8x96xf16, #w4>) -> tensor<?x8xf32> {
  // expected-error @+1 {{expected x and w to have the same element type, found 'i8' and 'f16'; supported are f16 x f16 and bf16 x bf16, and i8 x ternary}}
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<?x96xi8>, tensor<8x96xf16, #w4> -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

// -----

#w4 = #sparseflow.quantized<int4, scale = row : f32>
func.func @ternarize(%w: tensor<8x64xf16>) -> tensor<8x64xf16, #w4> {
  // expected-error @+1 {{expected a result with an encoding #sparseflow.ternary, found 'tensor<8x64xf16, #sparseflow.quantized<int4, scale = row : f32>>'}}
  %t = sparseflow.ternarize %w by <lloyd> : tensor<8x64xf16> -> tensor<8x64xf16, #w4>
  return %t : tensor<8x64xf16, #w4>
}

// -----

#w4 = #sparseflow.quantized<int4, scale = row : f32>
func.func @split(%w: tensor<8x64xf16, #w4>) {
  // expected-error @+1 {{expected a source with an encoding #sparseflow.ternary, found 'tensor<8x64xf16, #sparseflow.quantized<int4, scale = row : f32>>'}}
  %p, %m = sparseflow.plane_split %w plane 0 : tensor<8x64xf16, #w4> -> tensor<8x64xi1>
  return
}
