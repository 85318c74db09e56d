// RUN: sparseflow-opt %s --sparseflow-print-reference --split-input-file --verify-diagnostics=all

// A sum that starts from values of the caller has no reference form.
func.func @contraction(%x: tensor<8x8xf16>, %w: tensor<8x8xf16>, %y: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-error @+1 {{'linalg.matmul' has no reference form: expected a reduction that starts from a constant}}
  %0 = linalg.matmul ins(%x, %w : tensor<8x8xf16>, tensor<8x8xf16>) outs(%y : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

func.func @call(%x: tensor<8x8xf16>) -> tensor<8x8xf16> {
  // expected-error @+1 {{'func.call' cannot be compiled}}
  %0 = call @callee(%x) : (tensor<8x8xf16>) -> tensor<8x8xf16>
  return %0 : tensor<8x8xf16>
}
func.func private @callee(tensor<8x8xf16>) -> tensor<8x8xf16>

// -----

#id = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>
func.func @sum(%x: tensor<8xf32>, %init: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{'linalg.generic' has no reference form: expected a reduction that starts from a constant}}
  %0 = linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction"]}
    ins(%x : tensor<8xf32>) outs(%init : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.addf %a, %o : f32
    linalg.yield %1 : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#window = affine_map<(i, j) -> (i ceildiv 2 + j)>
func.func @window(%x: tensor<8x8xf32>, %y: tensor<12xf32>) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8x8xf32>
  // expected-error @+1 {{'linalg.generic' has no reference form: its indexing maps hold more than sums and products}}
  %0 = linalg.generic {indexing_maps = [#window, #id], iterator_types = ["parallel", "parallel"]}
    ins(%y : tensor<12xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

#id = affine_map<(i) -> (i)>
func.func @scalar_op(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
    ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    // expected-error @+1 {{'math.acosh' has no reference form: expected one of the scalar ops of the manifest, such as arith.addf, arith.select or math.exp; rewrite it in terms of those}}
    %1 = math.acosh %a : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @constant(%x: tensor<8x8xf16>) -> tensor<8x8xf32> {
  // expected-error @+1 {{'arith.constant' cannot be compiled: expected sparseflow.matmul, sparseflow.attention or an elementwise linalg.generic; pass constants as arguments}}
  %w = arith.constant dense_resource<__elided__> : tensor<8x8xf16>
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<8x8xf16>, tensor<8x8xf16> -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// -----

// expected-error @+1 {{expected tensors of f16, bf16, f32, i1, i8, i32 or i64, found tensor<8xf64>}}
func.func @argument(%x: tensor<8xf64>) {
  return
}

// -----

func.func @packed(%x: tensor<?x64xf16>, %w: tensor<64x64xf16, #sparseflow.nm<2:4>>) -> tensor<?x64xf32> {
  // expected-error @+1 {{'sparseflow.pack' cannot be compiled}}
  %b = sparseflow.pack %w as <"sf24.v1", 64x64xf16> : tensor<64x64xf16, #sparseflow.nm<2:4>> -> tensor<4608xi8>
  %y = sparseflow.matmul %x, %b {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } {storage = #sparseflow.storage<"sf24.v1", 64x64xf16>} : tensor<?x64xf16>, tensor<4608xi8> -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}

// -----

func.func @packed(%w: tensor<64x64xf16, #sparseflow.ternary<codes, scale = row : f32>>) -> tensor<64x64xf16, #sparseflow.ternary<codes, scale = row : f32>> {
  // expected-error @+1 {{expected dense results and caches that grow in place, found result 0 of type tensor<64x64xf16, #sparseflow.ternary<codes, scale = row : f32>>; a caller has its packed weight already}}
  return %w : tensor<64x64xf16, #sparseflow.ternary<codes, scale = row : f32>>
}
