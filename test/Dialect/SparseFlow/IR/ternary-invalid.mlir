// RUN: sparseflow-opt %s --split-input-file --verify-diagnostics=all

// expected-error @+1 {{expected a scale for the tensor, a row, or 32, 64, 128 or 256 columns, found 48}}
func.func private @group(tensor<8x96xf16, #sparseflow.ternary<codes, scale = 48 : f32>>)

// -----

// expected-error @+1 {{expected 'tensor', 'row' or a number of columns from 32 on, found 1}}
func.func private @one(tensor<8x96xf16, #sparseflow.ternary<codes, scale = 1 : f32>>)

// -----

// expected-error @+1 {{expected scales of type f16, bf16 or f32, found 'i8'}}
func.func private @scale_type(tensor<8x96xf16, #sparseflow.ternary<codes, scale = row : i8>>)

// -----

// expected-error @+1 {{expected one or two planes, found 3}}
func.func private @planes(tensor<8x96xf16, #sparseflow.ternary<codes, scale = row : f32, planes = 3>>)

// -----

// expected-error @+1 {{expected one plane under two_four, found 2; use codes for two}}
func.func private @two_planes(tensor<8x96xf16, #sparseflow.ternary<two_four, scale = row : f32, planes = 2>>)

// -----

// expected-error @+1 {{on a weight [N, K] of rank 2, found rank 3}}
func.func private @rank(tensor<2x8x96xf16, #sparseflow.ternary<codes, scale = row : f32>>)

// -----

// expected-error @+1 {{expected f16 or bf16 elements under #sparseflow.ternary<codes, scale = row : f32>, found 'f32'}}
func.func private @element(tensor<8x96xf32, #sparseflow.ternary<codes, scale = row : f32>>)

// -----

// expected-error @+1 {{expected K to be a multiple of 4 under #sparseflow.ternary<two_four, scale = row : f32>, found 98; pad it with zeros, or use codes}}
func.func private @multiple(tensor<8x98xf16, #sparseflow.ternary<two_four, scale = row : f32>>)

// -----

// expected-error @+1 {{expected at most 2^56 weights}}
func.func private @huge(tensor<4294967296x4294967296xf16, #sparseflow.ternary<codes, scale = row : f32>>)

// -----

// expected-error @+1 {{expected the packed layout "tern.v1" of #sparseflow.ternary<codes, scale = row : f32>, found "tern3.v1"}}
func.func private @layout() attributes {s = #sparseflow.storage<"tern3.v1", 8x96xf16, <codes, scale = row : f32>>}

// -----

// expected-error @+1 {{expected the encoding of the layout "tern.v1" behind the shape}}
func.func private @bare() attributes {s = #sparseflow.storage<"tern.v1", 8x96xf16>}

// -----

#row = #sparseflow.ternary<codes, scale = row : f32>
func.func @types(%x: tensor<?x64xbf16>, %w: tensor<8x64xf16, #row>) -> tensor<?x8xf32> {
  // expected-error @+1 {{expected x and w to have the same element type, found 'bf16' and 'f16'; supported are f16 x f16 and bf16 x bf16, and i8 x ternary}}
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<?x64xbf16>, tensor<8x64xf16, #row> -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

// -----

func.func @dense_integer(%x: tensor<?x64xi8>, %w: tensor<8x64xf16>) -> tensor<?x8xf32> {
  // expected-error @+1 {{expected x and w to have the same element type, found 'i8' and 'f16'}}
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<?x64xi8>, tensor<8x64xf16> -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

// -----

#row = #sparseflow.ternary<codes, scale = row : f32>
func.func @overflow(%x: tensor<?x16777216xi8>, %w: tensor<8x16777216xf16, #row>) -> tensor<?x8xf32> {
  // expected-error @+1 {{expected K below 2^24 for i8 activations, whose sums have 32 bits, found 16777216}}
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<?x16777216xi8>, tensor<8x16777216xf16, #row> -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

// -----

func.func @ternarize_result(%w: tensor<8x64xf16>) -> tensor<8x64xf16> {
  // expected-error @+1 {{expected a result with an encoding #sparseflow.ternary, found 'tensor<8x64xf16>'}}
  %0 = sparseflow.ternarize %w by <twn> : tensor<8x64xf16> -> tensor<8x64xf16>
  return %0 : tensor<8x64xf16>
}

// -----

#row = #sparseflow.ternary<codes, scale = row : f32>
func.func @ternarize_source(%w: tensor<8x64xbf16>) -> tensor<8x64xf16, #row> {
  // expected-error @+1 {{expected a source of the type 'tensor<8x64xf16>', found 'tensor<8x64xbf16>'}}
  %0 = sparseflow.ternarize %w by <twn> : tensor<8x64xbf16> -> tensor<8x64xf16, #row>
  return %0 : tensor<8x64xf16, #row>
}

// -----

#pairs = #sparseflow.ternary<two_four, scale = row : f32>
func.func @ternarize_method(%w: tensor<8x64xf16>) -> tensor<8x64xf16, #pairs> {
  // expected-error @+1 {{expected the method lloyd for two planes and for 2:4, found twn}}
  %0 = sparseflow.ternarize %w by <twn> : tensor<8x64xf16> -> tensor<8x64xf16, #pairs>
  return %0 : tensor<8x64xf16, #pairs>
}

// -----

func.func @split_dense(%w: tensor<8x64xf16>) -> tensor<8x64xi1> {
  // expected-error @+1 {{expected a source with an encoding #sparseflow.ternary, found 'tensor<8x64xf16>'}}
  %0, %1 = sparseflow.plane_split %w plane 0 : tensor<8x64xf16> -> tensor<8x64xi1>
  return %0 : tensor<8x64xi1>
}

// -----

#row = #sparseflow.ternary<codes, scale = row : f32>
func.func @split_plane(%w: tensor<8x64xf16, #row>) -> tensor<8x64xi1> {
  // expected-error @+1 {{expected a plane below 1, found 1}}
  %0, %1 = sparseflow.plane_split %w plane 1 : tensor<8x64xf16, #row> -> tensor<8x64xi1>
  return %0 : tensor<8x64xi1>
}

// -----

#row = #sparseflow.ternary<codes, scale = row : f32>
func.func @split_shape(%w: tensor<8x64xf16, #row>) -> tensor<8x32xi1> {
  // expected-error @+1 {{expected planes of the type 'tensor<8x64xi1>', found 'tensor<8x32xi1>'}}
  %0, %1 = sparseflow.plane_split %w plane 0 : tensor<8x64xf16, #row> -> tensor<8x32xi1>
  return %0 : tensor<8x32xi1>
}

// -----

func.func @popcount(%a: tensor<8x64xi1>) -> tensor<4xi32> {
  // expected-error @+1 {{expected the result type 'tensor<8xi32>', found 'tensor<4xi32>'}}
  %0 = sparseflow.plane_popcount %a : tensor<8x64xi1> -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

func.func @mask(%x: tensor<8x32xf16>, %a: tensor<8x64xi1>) -> tensor<8x32xf16> {
  // expected-error @+1 {{expected a plane of the source's shape, found 'tensor<8x64xi1>' for 'tensor<8x32xf16>'}}
  %0 = sparseflow.plane_mask %x, %a : tensor<8x32xf16>, tensor<8x64xi1>
  return %0 : tensor<8x32xf16>
}

// -----

#row = #sparseflow.ternary<codes, scale = row : f32>
func.func @mask_encoded(%x: tensor<8x64xf16, #row>, %a: tensor<8x64xi1>) -> tensor<8x64xf16, #row> {
  // expected-error @+1 {{expected a source without an encoding}}
  %0 = sparseflow.plane_mask %x, %a : tensor<8x64xf16, #row>, tensor<8x64xi1>
  return %0 : tensor<8x64xf16, #row>
}

// -----

func.func @quantize_element(%x: tensor<8x64xi8>) {
  // expected-error @+1 {{expected activations of f16, bf16 or f32 without an encoding, found 'tensor<8x64xi8>'}}
  %q, %s = sparseflow.quantize %x : tensor<8x64xi8> -> tensor<8x64xi8>, tensor<8xf32>
  return
}

// -----

#row = #sparseflow.ternary<codes, scale = row : f32>
func.func @quantize_weight(%x: tensor<8x64xf16, #row>) {
  // expected-error @+1 {{expected activations of f16, bf16 or f32 without an encoding}}
  %q, %s = sparseflow.quantize %x : tensor<8x64xf16, #row> -> tensor<8x64xi8>, tensor<8xf32>
  return
}

// -----

func.func @quantize_scalar(%x: tensor<f32>) {
  // expected-error @+1 {{expected activations [..., K] of rank 1 or more, found 'tensor<f32>'}}
  %q, %s = sparseflow.quantize %x : tensor<f32> -> tensor<i8>, tensor<f32>
  return
}

// -----

func.func @quantize_results(%x: tensor<?x64xf16>) {
  // expected-error @+1 {{expected results of the types 'tensor<?x64xi8>' and 'tensor<?xf32>', found 'tensor<?x64xi8>' and 'tensor<?xf16>'}}
  %q, %s = sparseflow.quantize %x : tensor<?x64xf16> -> tensor<?x64xi8>, tensor<?xf16>
  return
}

// -----

func.func @packed_bytes(%x: tensor<8x256xf16>, %w: tensor<4096xi8>) -> tensor<8x64xf32> {
  // expected-error @+1 {{expected w to be the packed bytes 'tensor<4352xi8>'}}
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } {storage = #sparseflow.storage<"tern.v1", 64x256xf16, <codes, scale = row : f32>>} : tensor<8x256xf16>, tensor<4096xi8> -> tensor<8x64xf32>
  return %y : tensor<8x64xf32>
}

// -----

func.func @popcount(%a: tensor<2x4294967296xi1>) -> tensor<2xi32> {
  // expected-error@+1 {{expected rows of fewer than 2^31 bits, found 'tensor<2x4294967296xi1>'}}
  %0 = sparseflow.plane_popcount %a : tensor<2x4294967296xi1> -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

func.func @mask(%x: tensor<8x64xcomplex<f32>>, %a: tensor<8x64xi1>) {
  // expected-error@+1 {{expected float or integer elements, found 'tensor<8x64xcomplex<f32>>'}}
  %0 = sparseflow.plane_mask %x, %a : tensor<8x64xcomplex<f32>>, tensor<8x64xi1>
  return
}

// -----

// expected-error@+1 {{expected one plane under key_planes, found 2; a cache holds one trit an element}}
func.func private @cache_planes(tensor<1x2x64x64xf16, #sparseflow.ternary<key_planes, scale = token : f32, planes = 2>>)

// -----

// expected-error@+1 {{expected room for a multiple of 64 positions under #sparseflow.ternary<key_planes, scale = token : f32>, whose pages are whole, found S = 60; round it up, and say with `lengths` how many are taken}}
func.func private @cache_room(tensor<1x2x60x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>)
