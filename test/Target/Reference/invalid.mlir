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

// -----

#id = affine_map<(i) -> (i)>
#diagonal = affine_map<(i) -> (i, i)>
func.func @diagonal(%x: tensor<8xf32>) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8x8xf32>
  // expected-error @+1 {{'linalg.generic' has no reference form: expected results that all loops but the reduced ones index, each once}}
  %0 = linalg.generic {indexing_maps = [#id, #diagonal], iterator_types = ["parallel"]}
    ins(%x : tensor<8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

#id = affine_map<(i) -> (i)>
func.func @two_results(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  // expected-error @+1 {{'linalg.generic' has no reference form: expected one result of what reduces nothing}}
  %0:2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
    ins(%x : tensor<8xf32>) outs(%e, %e : tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32, %p: f32):
    %1 = arith.negf %a : f32
    linalg.yield %a, %1 : f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>)
  return %0#0, %0#1 : tensor<8xf32>, tensor<8xf32>
}

// -----

#id = affine_map<(i) -> (i)>
func.func @size_of_index(%x: tensor<8xf32>) -> tensor<8xi64> {
  %e = tensor.empty() : tensor<8xi64>
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]}
    outs(%e : tensor<8xi64>) {
  ^bb0(%o: i64):
    %i = linalg.index 0 : index
    // expected-error @+1 {{'tensor.dim' has no reference form: expected a constant dimension}}
    %d = tensor.dim %x, %i : tensor<8xf32>
    %1 = arith.index_cast %d : index to i64
    linalg.yield %1 : i64
  } -> tensor<8xi64>
  return %0 : tensor<8xi64>
}

// -----

#id = affine_map<(i) -> (i)>
func.func @size_behind_rank(%x: tensor<?xf32>) -> tensor<8xi64> {
  %e = tensor.empty() : tensor<8xi64>
  %c5 = arith.constant 5 : index
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]}
    outs(%e : tensor<8xi64>) {
  ^bb0(%o: i64):
    // expected-error @+1 {{'tensor.dim' reads the size of what is no tensor of the function}}
    %d = tensor.dim %x, %c5 : tensor<?xf32>
    %1 = arith.index_cast %d : index to i64
    linalg.yield %1 : i64
  } -> tensor<8xi64>
  return %0 : tensor<8xi64>
}

// -----

func.func @insert(%x: tensor<4xf32>, %y: tensor<8xf32>, %at: tensor<i64>) -> tensor<8xf32> {
  %n = tensor.extract %at[] : tensor<i64>
  %s = arith.index_cast %n : i64 to index
  // expected-error @+1 {{'tensor.insert_slice' has no reference form: expected strides that are numbers from 1 on}}
  %0 = tensor.insert_slice %x into %y[0] [4] [%s] : tensor<4xf32> into tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @pad(%x: tensor<4xf32>) -> tensor<6xf32> {
  // expected-error @+1 {{'tensor.pad' has no reference form: expected a constant around the source}}
  %0 = tensor.pad %x low[1] high[1] {
  ^bb0(%i: index):
    %1 = arith.index_cast %i : index to i32
    %2 = arith.sitofp %1 : i32 to f32
    tensor.yield %2 : f32
  } : tensor<4xf32> to tensor<6xf32>
  return %0 : tensor<6xf32>
}

// -----

// Packed bytes are what storage made of a weight.
func.func @bytes(%x: tensor<8x64xf16>, %w: tensor<4608xi8>) -> tensor<8x64xf32> {
  // expected-error @+1 {{'sparseflow.matmul' reads packed bytes: expected a weight [N, K]; export the reference before sparseflow-materialize-storage}}
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } {storage = #sparseflow.storage<"sf24.v1", 64x64xf16>} : tensor<8x64xf16>, tensor<4608xi8> -> tensor<8x64xf32>
  return %y : tensor<8x64xf32>
}

// -----

#id = affine_map<(i) -> (i)>
func.func @branch(%x: tensor<8xf32>, %t: tensor<i1>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %c = tensor.extract %t[] : tensor<i1>
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %s = scf.if %c -> f32 {
    scf.yield %one : f32
  } else {
    scf.yield %two : f32
  }
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
    ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    // expected-error @+1 {{'arith.addf' reads a scalar from outside its region: expected a constant or a tensor of rank 0}}
    %1 = arith.addf %a, %s : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

#id = affine_map<(i) -> (i)>
func.func @vector(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
    ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    // expected-error @+1 {{'arith.constant' in a scalar region: expected a float or an integer, found vector<2xf32>}}
    %v = arith.constant dense<1.0> : vector<2xf32>
    %1 = arith.negf %v : vector<2xf32>
    linalg.yield %a : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
