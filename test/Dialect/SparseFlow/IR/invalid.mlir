// RUN: sparseflow-opt %s --split-input-file --verify-diagnostics=all

// Encodings.

// expected-error @+1 {{expected N:M with 1 <= N < M, found 4:2; a dense tensor has no encoding}}
func.func private @n_above_m(tensor<8x8xf16, #sparseflow.nm<4:2>>)

// -----

// expected-error @+1 {{expected N:M with 1 <= N < M, found 4:4}}
func.func private @n_is_m(tensor<8x8xf16, #sparseflow.nm<4:4>>)

// -----

// expected-error @+1 {{expected N:M with 1 <= N < M, found 0:4}}
func.func private @n_zero(tensor<8x8xf16, #sparseflow.nm<0:4>>)

// -----

// expected-error @+1 {{expected N:M with 1 <= N < M, found 0:0}}
func.func private @m_zero(tensor<8x8xf16, #sparseflow.nm<0:0>>)

// -----

// expected-error @+1 {{expected N:M with 1 <= N < M, found -2:4}}
func.func private @n_negative(tensor<8x8xf16, #sparseflow.nm<-2:4>>)

// -----

// expected-error @+1 {{expected a non-negative axis, found -2; leave it out for the last one}}
func.func private @axis_negative(tensor<8x8xf16, #sparseflow.nm<2:4, axis = -2>>)

// -----

// expected-error @+1 {{expected the axis of #sparseflow.nm<2:4, axis = 2> to be one of the tensor's 2 dimensions, found 2}}
func.func private @axis_large(tensor<8x8xf16, #sparseflow.nm<2:4, axis = 2>>)

// -----

// expected-error @+1 {{expected the last axis to be left out, found axis = 1; write #sparseflow.nm<2:4>}}
func.func private @axis_last(tensor<8x8xf16, #sparseflow.nm<2:4, axis = 1>>)

// -----

// expected-error @+1 {{expected dimension 1 to be a multiple of 4 under #sparseflow.nm<2:4>, found 6; pad it with zeros}}
func.func private @not_divisible(tensor<8x6xf16, #sparseflow.nm<2:4>>)

// -----

// expected-error @+1 {{expected dimension 0 to be a multiple of 4 under #sparseflow.nm<2:4, axis = 0>, found 6}}
func.func private @not_divisible_axis(tensor<6x8xf16, #sparseflow.nm<2:4, axis = 0>>)

// -----

// expected-error @+1 {{on a tensor of rank 1 or more, found rank 0}}
func.func private @rank_zero(tensor<f16, #sparseflow.nm<2:4>>)

// -----

// expected-error @+1 {{expected a float or integer element type under #sparseflow.nm<2:4>, found 'index'}}
func.func private @element(tensor<8xindex, #sparseflow.nm<2:4>>)

// -----

// Literals that fit no integer are syntax errors, not aborts.
// expected-error @+1 {{integer value too large}}
func.func private @literal(tensor<8x8xf16, #sparseflow.nm<2:99999999999999999999999999>>)
// expected-error @-1 {{failed to parse SparseFlow_NmAttr parameter 'm'}}

// -----

// Storage.

// expected-error @+1 {{expected the packed layout "sf24.v1", found "sf24.v2"; repack the weight for this version}}
func.func private @layout() attributes {s = #sparseflow.storage<"sf24.v2", 8x8xf16>}

// -----

// expected-error @+1 {{expected a static logical shape NxK, found rank 3}}
func.func private @storage_rank() attributes {s = #sparseflow.storage<"sf24.v1", 2x8x8xf16>}

// -----

// expected-error @+1 {{expected f16 or bf16 elements in "sf24.v1", found 'f32'}}
func.func private @storage_element() attributes {s = #sparseflow.storage<"sf24.v1", 8x8xf32>}

// -----

// expected-error @+1 {{expected K to be a multiple of 4 in "sf24.v1", found 6; pad it with zeros}}
func.func private @storage_k() attributes {s = #sparseflow.storage<"sf24.v1", 8x6xf16>}

// -----

// The product of the sizes must fit, too.
// expected-error @+1 {{expected a packed size below 2^63 bytes, found a logical shape 9223372036854775807x9223372036854775804}}
func.func private @storage_size() attributes {s = #sparseflow.storage<"sf24.v1", 9223372036854775807x9223372036854775804xf16>}

// -----

// Names.

// expected-error @+1 {{expected 'sparseflow.name' of argument 0 to be a non-empty string, found ""}}
func.func private @name_empty(tensor<8xf16> {sparseflow.name = ""})

// -----

// expected-error @+1 {{expected 'sparseflow.name' of argument 1 to be a non-empty string, found 3}}
func.func private @name_number(tensor<8xf16>, tensor<8xf16> {sparseflow.name = 3})

// -----

// expected-error @+1 {{expected 'sparseflow.constant' of argument 0 without a value, found "yes"}}
func.func @constant(%x: tensor<4xf16> {sparseflow.constant = "yes"}) { return }

// -----

// expected-error @+1 {{expected 'sparseflow.name', 'sparseflow.sparse', 'sparseflow.constant' or 'sparseflow.donated', the attributes of arguments, found 'sparseflow.nam' at argument 0}}
func.func private @name_misspelt(tensor<8xf16> {sparseflow.nam = "x"})

// -----

// expected-error @+1 {{expected 'sparseflow.symbols' to be an array, found "T"}}
func.func private @symbols() attributes {sparseflow.symbols = "T"}

// -----

// The weight.

func.func @w_rank(%x: tensor<8x8xf16>, %w: tensor<2x8x8xf16>) -> tensor<8x8xf32> {
  // expected-error @+1 {{expected w to be a weight [N, K] of rank 2, found 'tensor<2x8x8xf16>'}}
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<8x8xf16>, tensor<2x8x8xf16> -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// -----

func.func @w_dynamic_n(%x: tensor<8x8xf16>, %w: tensor<?x8xf16>) -> tensor<8x?xf32> {
  // expected-error @+1 {{expected static N and K in w, found 'tensor<?x8xf16>'; only the dimensions of x before K may be dynamic}}
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<8x8xf16>, tensor<?x8xf16> -> tensor<8x?xf32>
  return %y : tensor<8x?xf32>
}

// -----

func.func @w_dynamic_k(%x: tensor<8x?xf16>, %w: tensor<8x?xf16, #sparseflow.nm<2:4>>) -> tensor<8x8xf32> {
  // expected-error @+1 {{expected static N and K in w}}
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<8x?xf16>, tensor<8x?xf16, #sparseflow.nm<2:4>> -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// -----

func.func @w_element(%x: tensor<8x8xf64>, %w: tensor<8x8xf64>) -> tensor<8x8xf32> {
  // expected-error @+1 {{expected w to hold f16 or bf16, found 'f64'; convert the weight first}}
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<8x8xf64>, tensor<8x8xf64> -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// -----

func.func @w_axis(%x: tensor<8x8xf16>, %w: tensor<8x8xf16, #sparseflow.nm<2:4, axis = 0>>) -> tensor<8x8xf32> {
  // expected-error @+1 {{expected the encoding of w [N, K] to group K, its last axis, found #sparseflow.nm<2:4, axis = 0>; transpose the weight or prune it along K}}
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<8x8xf16>, tensor<8x8xf16, #sparseflow.nm<2:4, axis = 0>> -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// -----

#nv24 = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[2, 4]) }>
func.func @w_foreign(%x: tensor<8x8xf16>, %w: tensor<8x8xf16, #nv24>) -> tensor<8x8xf32> {
  // expected-error @+1 {{run sparseflow-import-encodings}}
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<8x8xf16>, tensor<8x8xf16, #nv24> -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// -----

func.func @w_bytes(%x: tensor<?x64xf16>, %w: tensor<4609xi8>) -> tensor<?x64xf32> {
  // expected-error @+1 {{expected w to be the packed bytes 'tensor<4608xi8>' of #sparseflow.storage<"sf24.v1", 64x64xf16>, found 'tensor<4609xi8>'}}
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } {storage = #sparseflow.storage<"sf24.v1", 64x64xf16>} : tensor<?x64xf16>, tensor<4609xi8> -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}

// -----

func.func @w_bytes_without_storage(%x: tensor<?x64xf16>, %w: tensor<4608xi8>) -> tensor<?x64xf32> {
  // expected-error @+1 {{packed bytes need a 'storage' attribute}}
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<?x64xf16>, tensor<4608xi8> -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}

// -----

// The activations and the result.

func.func @x_rank(%x: tensor<8xf16>, %w: tensor<8x8xf16>) -> tensor<8xf32> {
  // expected-error @+1 {{expected x to be [..., T, K] of rank 2 or more, found 'tensor<8xf16>'; a single row is [1, K]}}
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<8xf16>, tensor<8x8xf16> -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

func.func @x_sparse(%x: tensor<8x8xf16, #sparseflow.nm<2:4>>, %w: tensor<8x8xf16>) -> tensor<8x8xf32> {
  // expected-error @+1 {{only the weight w may be sparse, so swap or transpose the matmul}}
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<8x8xf16, #sparseflow.nm<2:4>>, tensor<8x8xf16> -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// -----

func.func @x_element(%x: tensor<8x8xbf16>, %w: tensor<8x8xf16>) -> tensor<8x8xf32> {
  // expected-error @+1 {{expected x and w to have the same element type, found 'bf16' and 'f16'; supported are f16 x f16 and bf16 x bf16}}
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<8x8xbf16>, tensor<8x8xf16> -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// -----

func.func @k_mismatch(%x: tensor<4x8xf16>, %w: tensor<8x12xf16>) -> tensor<4x8xf32> {
  // expected-error @+1 {{expected the last dimension of x to be K = 12 of w [N, K], found 'tensor<4x8xf16>'; a weight [K, N] must be transposed}}
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<4x8xf16>, tensor<8x12xf16> -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

func.func @k_dynamic(%x: tensor<4x?xf16>, %w: tensor<8x12xf16>) -> tensor<4x8xf32> {
  // expected-error @+1 {{found 'tensor<4x?xf16>'; insert a tensor.cast}}
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<4x?xf16>, tensor<8x12xf16> -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

func.func @result_element(%x: tensor<4x8xf16>, %w: tensor<8x8xf16>) -> tensor<4x8xf64> {
  // expected-error @+1 {{expected the result to hold f16, bf16 or f32, found 'f64'}}
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.extf %acc : f32 to f64
    sparseflow.yield %0 : f64
  } : tensor<4x8xf16>, tensor<8x8xf16> -> tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

// -----

func.func @result_shape(%x: tensor<?x8xf16>, %w: tensor<12x8xf16>) -> tensor<4x12xf32> {
  // expected-error @+1 {{expected the result type 'tensor<?x12xf32>' for x 'tensor<?x8xf16>' and N = 12, found 'tensor<4x12xf32>'}}
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<?x8xf16>, tensor<12x8xf16> -> tensor<4x12xf32>
  return %y : tensor<4x12xf32>
}

// -----

// Epilogue operands.

func.func @broadcast_keyword(%x: tensor<4x8xf16>, %w: tensor<8x8xf16>, %b: tensor<8xf16>) -> tensor<4x8xf32> {
  // expected-error @+1 {{expected per_feature, per_token, full or scalar, found 'per_row'}}
  %y = sparseflow.matmul %x, %w epilogue(%b : tensor<8xf16>) as [per_row] {
  ^bb0(%acc: f32, %in: f16):
    sparseflow.yield %acc : f32
  } : tensor<4x8xf16>, tensor<8x8xf16> -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

func.func @broadcast_count(%x: tensor<4x8xf16>, %w: tensor<8x8xf16>, %b: tensor<8xf16>) -> tensor<4x8xf32> {
  // expected-error @+1 {{expected one broadcast for each of 1 epilogue operands, found 2}}
  %y = sparseflow.matmul %x, %w epilogue(%b : tensor<8xf16>) as [per_feature, full] {
  ^bb0(%acc: f32, %in: f16):
    sparseflow.yield %acc : f32
  } : tensor<4x8xf16>, tensor<8x8xf16> -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

func.func @operand_shape(%x: tensor<4x8xf16>, %w: tensor<12x8xf16>, %b: tensor<4xf16>) -> tensor<4x12xf32> {
  // expected-error @+1 {{expected epilogue operand 0, which is per_feature, to have the type 'tensor<12xf16>', found 'tensor<4xf16>'}}
  %y = sparseflow.matmul %x, %w epilogue(%b : tensor<4xf16>) as [per_feature] {
  ^bb0(%acc: f32, %in: f16):
    sparseflow.yield %acc : f32
  } : tensor<4x8xf16>, tensor<12x8xf16> -> tensor<4x12xf32>
  return %y : tensor<4x12xf32>
}

// -----

func.func @operand_rank(%x: tensor<2x4x8xf16>, %w: tensor<12x8xf16>, %s: tensor<4xf16>) -> tensor<2x4x12xf32> {
  // expected-error @+1 {{expected epilogue operand 0, which is per_token, to have the type 'tensor<2x4xf16>', found 'tensor<4xf16>'}}
  %y = sparseflow.matmul %x, %w epilogue(%s : tensor<4xf16>) as [per_token] {
  ^bb0(%acc: f32, %in: f16):
    sparseflow.yield %acc : f32
  } : tensor<2x4x8xf16>, tensor<12x8xf16> -> tensor<2x4x12xf32>
  return %y : tensor<2x4x12xf32>
}

// -----

func.func @operand_element(%x: tensor<4x8xf16>, %w: tensor<12x8xf16>, %b: tensor<12xi8>) -> tensor<4x12xf32> {
  // expected-error @+1 {{expected epilogue operand 0 to hold f16, bf16 or f32, found 'i8'}}
  %y = sparseflow.matmul %x, %w epilogue(%b : tensor<12xi8>) as [per_feature] {
  ^bb0(%acc: f32, %in: i8):
    sparseflow.yield %acc : f32
  } : tensor<4x8xf16>, tensor<12x8xf16> -> tensor<4x12xf32>
  return %y : tensor<4x12xf32>
}

// -----

func.func @operand_encoding(%x: tensor<4x8xf16>, %w: tensor<12x8xf16>, %b: tensor<4x12xf16, #sparseflow.nm<2:4>>) -> tensor<4x12xf32> {
  // expected-error @+1 {{expected epilogue operand 0 to have no encoding}}
  %y = sparseflow.matmul %x, %w epilogue(%b : tensor<4x12xf16, #sparseflow.nm<2:4>>) as [full] {
  ^bb0(%acc: f32, %in: f16):
    sparseflow.yield %acc : f32
  } : tensor<4x8xf16>, tensor<12x8xf16> -> tensor<4x12xf32>
  return %y : tensor<4x12xf32>
}

// -----

// The region.

func.func @region_arguments(%x: tensor<4x8xf16>, %w: tensor<12x8xf16>, %b: tensor<12xf16>) -> tensor<4x12xf32> {
  // expected-error @+1 {{expected epilogue arguments ('f32', 'f16'): the f32 accumulator, then one element of each operand, found ('f32', 'f32')}}
  %y = sparseflow.matmul %x, %w epilogue(%b : tensor<12xf16>) as [per_feature] {
  ^bb0(%acc: f32, %in: f32):
    sparseflow.yield %acc : f32
  } : tensor<4x8xf16>, tensor<12x8xf16> -> tensor<4x12xf32>
  return %y : tensor<4x12xf32>
}

// -----

func.func @region_op(%x: tensor<4x8xf16>, %w: tensor<12x8xf16>) -> tensor<4x12xf32> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    // expected-error @+1 {{'tensor.from_elements' op is not allowed in an epilogue: expected scalar arith and math ops on floats and i1; compute it outside and pass it as an epilogue operand}}
    %t = tensor.from_elements %acc : tensor<1xf32>
    sparseflow.yield %acc : f32
  } : tensor<4x8xf16>, tensor<12x8xf16> -> tensor<4x12xf32>
  return %y : tensor<4x12xf32>
}

// -----

// Scalars only: arith on vectors is not elementwise work.
func.func @region_vector(%x: tensor<4x8xf16>, %w: tensor<12x8xf16>) -> tensor<4x12xf32> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    // expected-error @+1 {{'arith.constant' op is not allowed in an epilogue}}
    %v = arith.constant dense<1.0> : vector<4xf32>
    sparseflow.yield %acc : f32
  } : tensor<4x8xf16>, tensor<12x8xf16> -> tensor<4x12xf32>
  return %y : tensor<4x12xf32>
}

// -----

func.func @region_yield(%x: tensor<4x8xf16>, %w: tensor<12x8xf16>) -> tensor<4x12xf16> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    // expected-error @+1 {{expected a value of the result's element type 'f16', found 'f32'; extend or truncate it}}
    sparseflow.yield %acc : f32
  } : tensor<4x8xf16>, tensor<12x8xf16> -> tensor<4x12xf16>
  return %y : tensor<4x12xf16>
}

// -----

func.func @region_capture(%x: tensor<4x8xf16>, %w: tensor<12x8xf16>, %s: f32) -> tensor<4x12xf32> {
  // expected-note @+1 {{required by region isolation constraints}}
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    // expected-error @+1 {{using value defined outside the region}}
    %0 = arith.mulf %acc, %s : f32
    sparseflow.yield %0 : f32
  } : tensor<4x8xf16>, tensor<12x8xf16> -> tensor<4x12xf32>
  return %y : tensor<4x12xf32>
}

// -----

func.func @region_terminator(%x: tensor<4x8xf16>, %w: tensor<12x8xf16>) -> tensor<4x12xf32> {
  // expected-error @+1 {{expected the epilogue to end with sparseflow.yield, found ub.unreachable}}
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    ub.unreachable
  } : tensor<4x8xf16>, tensor<12x8xf16> -> tensor<4x12xf32>
  return %y : tensor<4x12xf32>
}

// -----

func.func @yield_parent(%x: f32) {
  // expected-error @+1 {{expects parent op to be one of 'sparseflow.matmul, sparseflow.attention'}}
  sparseflow.yield %x : f32
}

// -----

// Weights.

func.func @prune_dense(%w: tensor<8x8xf16>) -> tensor<8x8xf16> {
  // expected-error @+1 {{expected a result with an encoding #sparseflow.nm<N:M>, found 'tensor<8x8xf16>'}}
  %0 = sparseflow.prune %w : tensor<8x8xf16> -> tensor<8x8xf16>
  return %0 : tensor<8x8xf16>
}

// -----

func.func @prune_shape(%w: tensor<8x8xf16>) -> tensor<8x16xf16, #sparseflow.nm<2:4>> {
  // expected-error @+1 {{expected a source of the type 'tensor<8x16xf16>', found 'tensor<8x8xf16>'}}
  %0 = sparseflow.prune %w : tensor<8x8xf16> -> tensor<8x16xf16, #sparseflow.nm<2:4>>
  return %0 : tensor<8x16xf16, #sparseflow.nm<2:4>>
}

// -----

func.func @prune_integers(%w: tensor<8x8xi8>) -> tensor<8x8xi8, #sparseflow.nm<2:4>> {
  // expected-error @+1 {{expected float elements, whose magnitudes can be compared}}
  %0 = sparseflow.prune %w : tensor<8x8xi8> -> tensor<8x8xi8, #sparseflow.nm<2:4>>
  return %0 : tensor<8x8xi8, #sparseflow.nm<2:4>>
}

// -----

func.func @pack_pattern(%w: tensor<8x8xf16, #sparseflow.nm<1:4>>) -> tensor<4608xi8> {
  // expected-error @+1 {{cannot pack its source: expected a weight with the encoding #sparseflow.nm<2:4> along its last axis, the only one with a packed layout, found 'tensor<8x8xf16, #sparseflow.nm<1:4>>'}}
  %0 = sparseflow.pack %w as <"sf24.v1", 8x8xf16> : tensor<8x8xf16, #sparseflow.nm<1:4>> -> tensor<4608xi8>
  return %0 : tensor<4608xi8>
}

// -----

func.func @pack_dynamic(%w: tensor<?x8xf16, #sparseflow.nm<2:4>>) -> tensor<4608xi8> {
  // expected-error @+1 {{expected a weight of static shape}}
  %0 = sparseflow.pack %w as <"sf24.v1", 8x8xf16> : tensor<?x8xf16, #sparseflow.nm<2:4>> -> tensor<4608xi8>
  return %0 : tensor<4608xi8>
}

// -----

func.func @pack_storage(%w: tensor<8x8xf16, #sparseflow.nm<2:4>>) -> tensor<4608xi8> {
  // expected-error @+1 {{expected storage #sparseflow.storage<"sf24.v1", 8x8xf16>}}
  %0 = sparseflow.pack %w as <"sf24.v1", 8x4xf16> : tensor<8x8xf16, #sparseflow.nm<2:4>> -> tensor<4608xi8>
  return %0 : tensor<4608xi8>
}

// -----

func.func @pack_bytes(%w: tensor<8x8xf16, #sparseflow.nm<2:4>>) -> tensor<4096xi8> {
  // expected-error @+1 {{expected the result type 'tensor<4608xi8>', found 'tensor<4096xi8>'}}
  %0 = sparseflow.pack %w as <"sf24.v1", 8x8xf16> : tensor<8x8xf16, #sparseflow.nm<2:4>> -> tensor<4096xi8>
  return %0 : tensor<4096xi8>
}

// -----

func.func @unpack_dense(%w: tensor<8x8xf16>) -> tensor<8x8xf16> {
  // expected-error @+1 {{expected a source with an encoding #sparseflow.nm<N:M>, found 'tensor<8x8xf16>'; packed bytes need 'from <"sf24.v1", ...>'}}
  %0 = sparseflow.unpack %w : tensor<8x8xf16> -> tensor<8x8xf16>
  return %0 : tensor<8x8xf16>
}

// -----

func.func @unpack_bytes(%w: tensor<100xi8>) -> tensor<8x8xf16> {
  // expected-error @+1 {{expected a source of the type 'tensor<4608xi8>' for #sparseflow.storage<"sf24.v1", 8x8xf16>, found 'tensor<100xi8>'}}
  %0 = sparseflow.unpack %w from <"sf24.v1", 8x8xf16> : tensor<100xi8> -> tensor<8x8xf16>
  return %0 : tensor<8x8xf16>
}

// -----

func.func @unpack_result(%w: tensor<4608xi8>) -> tensor<8x8xf16, #sparseflow.nm<1:4>> {
  // expected-error @+1 {{expected the result type 'tensor<8x8xf16, #sparseflow.nm<2:4>>' or 'tensor<8x8xf16>', found 'tensor<8x8xf16, #sparseflow.nm<1:4>>'}}
  %0 = sparseflow.unpack %w from <"sf24.v1", 8x8xf16> : tensor<4608xi8> -> tensor<8x8xf16, #sparseflow.nm<1:4>>
  return %0 : tensor<8x8xf16, #sparseflow.nm<1:4>>
}

// -----

#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
func.func @foreign(%x: tensor<?x64xf16>, %w: tensor<32x64xf16, #csr>) -> tensor<?x32xf32> {
  // expected-error@+1 {{expected w to be dense or to have an encoding #sparseflow.nm<N:M>, #sparseflow.ternary or #sparseflow.quantized, found #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>; run sparseflow-import-encodings}}
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<?x64xf16>, tensor<32x64xf16, #csr> -> tensor<?x32xf32>
  return %y : tensor<?x32xf32>
}

// -----

func.func @sparse_x(%x: tensor<?x64xf16, #sparseflow.nm<2:4>>, %w: tensor<32x64xf16>) -> tensor<?x32xf32> {
  // expected-error@+1 {{expected x and the result to have no encoding, found 'tensor<?x64xf16, #sparseflow.nm<2:4>>' and 'tensor<?x32xf32>'; only the weight w may be sparse, so swap or transpose the matmul}}
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<?x64xf16, #sparseflow.nm<2:4>>, tensor<32x64xf16> -> tensor<?x32xf32>
  return %y : tensor<?x32xf32>
}
