// RUN: sparseflow-opt %s --sparseflow-verify-program --split-input-file --verify-diagnostics

// Products, elementwise ops in the four ways of an epilogue, reshapes and sizes
// have kernels or need none.

#full = affine_map<(t, n) -> (t, n)>
#feature = affine_map<(t, n) -> (n)>
func.func @good(%x: tensor<?x64xf16>, %w: tensor<32x64xf16, #sparseflow.nm<2:4>>, %b: tensor<32xf16>) -> tensor<1x?x32xf16> {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %x, %c0 : tensor<?x64xf16>
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } : tensor<?x64xf16>, tensor<32x64xf16, #sparseflow.nm<2:4>> -> tensor<?x32xf16>
  %e = tensor.empty(%t) : tensor<?x32xf16>
  %z = linalg.generic {indexing_maps = [#full, #feature, #full], iterator_types = ["parallel", "parallel"]}
      ins(%y, %b : tensor<?x32xf16>, tensor<32xf16>) outs(%e : tensor<?x32xf16>) {
  ^bb0(%a: f16, %c: f16, %out: f16):
    %0 = arith.addf %a, %c : f16
    linalg.yield %0 : f16
  } -> tensor<?x32xf16>
  %r = tensor.expand_shape %z [[0, 1], [2]] output_shape [1, %t, 32] : tensor<?x32xf16> into tensor<1x?x32xf16>
  return %r : tensor<1x?x32xf16>
}

// -----

// Reductions, products of activations, slices, broadcasts, integers, dynamic
// last dimensions and several results have kernels, too.

#full = affine_map<(t, n) -> (t, n)>
#row = affine_map<(t, n) -> (t)>
func.func @all(%x: tensor<8x?xf16>, %q: tensor<2x8x32xf16>, %k: tensor<2x32x8xf16>, %s: tensor<2x8x8xf16>,
               %rows: tensor<8xf16>, %i: tensor<8x?xi8>) -> tensor<2x8x8xf16> {
  %0 = linalg.batch_matmul ins(%q, %k : tensor<2x8x32xf16>, tensor<2x32x8xf16>) outs(%s : tensor<2x8x8xf16>) -> tensor<2x8x8xf16>
  %1 = linalg.generic {indexing_maps = [#full, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x?xf16>) outs(%rows : tensor<8xf16>) {
  ^bb0(%a: f16, %acc: f16):
    %9 = arith.maximumf %a, %acc : f16
    linalg.yield %9 : f16
  } -> tensor<8xf16>
  %2 = linalg.generic {indexing_maps = [#full, #full], iterator_types = ["parallel", "parallel"]}
      ins(%i : tensor<8x?xi8>) outs(%x : tensor<8x?xf16>) {
  ^bb0(%a: i8, %out: f16):
    %9 = arith.sitofp %a : i8 to f16
    %10 = arith.addf %9, %out : f16
    linalg.yield %10 : f16
  } -> tensor<8x?xf16>
  %3 = tensor.extract_slice %x[0, 0] [4, 2] [1, 1] : tensor<8x?xf16> to tensor<4x2xf16>
  return %0 : tensor<2x8x8xf16>
}

// -----

// Every op without a kernel is named, not only the first.

#full = affine_map<(t, n) -> (t, n)>
#row = affine_map<(t, n) -> (t)>
func.func @bad(%x: tensor<8x32xf16>, %rows: tensor<8xf16>, %w: tensor<8x32xf64>) -> tensor<8x32xf16> {
  // expected-error @+1 {{'linalg.generic' op has no GPU kernel: reduces in a way that is no sum, product, maximum, minimum, bitwise operation or position of one; run it on the CPU (--device cpu, --target cpu), or end the compiled function before it and compute it outside}}
  %1 = linalg.generic {indexing_maps = [#full, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x32xf16>) outs(%rows : tensor<8xf16>) {
  ^bb0(%a: f16, %acc: f16):
    %9 = arith.subf %a, %acc : f16
    linalg.yield %9 : f16
  } -> tensor<8xf16>
  // expected-error @+1 {{'linalg.generic' op has no GPU kernel: expected elements of f16, bf16, f32, index or an integer of 1, 8, 16, 32 or 64 bits, found tensor<8x32xf64> as an operand; run it on the CPU}}
  %2 = linalg.generic {indexing_maps = [#full, #full], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<8x32xf64>) outs(%x : tensor<8x32xf16>) {
  ^bb0(%a: f64, %out: f16):
    %9 = arith.truncf %a : f64 to f16
    linalg.yield %9 : f16
  } -> tensor<8x32xf16>
  %c = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf16>
  %e = tensor.empty() : tensor<2x2xf16>
  // expected-error @+1 {{'linalg.generic' op has no GPU kernel: reads a constant tensor as input 0; pass it as an argument of the function; run it on the CPU}}
  %3 = linalg.generic {indexing_maps = [#full, #full], iterator_types = ["parallel", "parallel"]}
      ins(%c : tensor<2x2xf16>) outs(%e : tensor<2x2xf16>) {
  ^bb0(%a: f16, %out: f16):
    linalg.yield %a : f16
  } -> tensor<2x2xf16>
  %cf = arith.constant 1.0 : f16
  // expected-error @+1 {{'tensor.splat' op has no GPU kernel: is no linalg op, slice, concatenation, pad or reshape; run it on the CPU}}
  %4 = tensor.splat %cf : tensor<2x2xf16>
  %cw = arith.constant dense_resource<__elided__> : tensor<16x32xf16>
  // expected-error @+1 {{'sparseflow.matmul' op has a constant weight: pass it as an argument, so that it can be packed; 'sparseflow extract' makes arguments of constants and writes them to a file}}
  %6 = sparseflow.matmul %x, %cw {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<8x32xf16>, tensor<16x32xf16> -> tensor<8x16xf32>
  return %x : tensor<8x32xf16>
}

// -----

#row = #sparseflow.ternary<base3, scale = row : f32>
func.func @ternary(%x: tensor<4x64xf16>, %w: tensor<8x64xf16, #row>) -> tensor<4x8xf32> {
  // expected-error @+1 {{multiplies with a weight of #sparseflow.ternary<base3, scale = row : f32>, which has no GPU kernel: expected codes (`sparseflow pack --format ternary`); run it on the CPU (--device cpu, --target cpu)}}
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<4x64xf16>, tensor<8x64xf16, #row> -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

func.func @bytes(%q: tensor<4x256xi8>, %w: tensor<8x256xf16, #sparseflow.ternary<codes, scale = row : f32>>) -> tensor<4x8xf32> {
  // expected-error @+1 {{expected 8-bit activations of a sparseflow.quantize, whose order on a GPU is private, found argument 0; pass the activations in 16 or 32 bits and quantize them here}}
  %y = sparseflow.matmul %q, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<4x256xi8>, tensor<8x256xf16, #sparseflow.ternary<codes, scale = row : f32>> -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

func.func @strides(%x: tensor<8x8xf16>, %y: tensor<2x8xf16>, %z: tensor<?xf16>) -> tensor<8x8xf16> {
  %c0 = arith.constant 0 : index
  %s = tensor.dim %z, %c0 : tensor<?xf16>
  // expected-error @+1 {{'tensor.insert_slice' op has no GPU kernel: inserts a slice with strides that are no numbers from 1 on; run it on the CPU}}
  %r = tensor.insert_slice %y into %x[3, 0] [2, 8] [%s, 1] : tensor<2x8xf16> into tensor<8x8xf16>
  return %r : tensor<8x8xf16>
}
