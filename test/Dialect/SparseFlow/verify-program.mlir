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

// Every op without a kernel is named, not only the first.

#full = affine_map<(t, n) -> (t, n)>
#swap = affine_map<(t, n) -> (n, t)>
#row = affine_map<(t, n) -> (t)>
func.func @bad(%x: tensor<8x32xf16>, %y: tensor<8x32xf16>, %q: tensor<2x8x32xf16>, %k: tensor<2x32x8xf16>,
               %s: tensor<2x8x8xf16>, %rows: tensor<8xf16>, %i: tensor<8x32xi8>, %w: tensor<32x64xf16>)
    -> tensor<8x32xf16> {
  // expected-error @+1 {{'linalg.batch_matmul' op is a product without a GPU kernel: expected x [..., T, K] and one weight [N, K] for all of x; run it on the CPU (--device cpu, --target cpu), or end the compiled function before it and compute it outside}}
  %0 = linalg.batch_matmul ins(%q, %k : tensor<2x8x32xf16>, tensor<2x32x8xf16>) outs(%s : tensor<2x8x8xf16>) -> tensor<2x8x8xf16>
  // expected-error @+1 {{'linalg.generic' op reduces over dimension 1: reductions, such as those of a softmax or a norm, have no GPU kernel; run it on the CPU}}
  %1 = linalg.generic {indexing_maps = [#full, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x32xf16>) outs(%rows : tensor<8xf16>) {
  ^bb0(%a: f16, %acc: f16):
    %9 = arith.maximumf %a, %acc : f16
    linalg.yield %9 : f16
  } -> tensor<8xf16>
  %e = tensor.empty() : tensor<8x4x32xf16>
  // expected-error @+1 {{'linalg.generic' op reads input 0 by affine_map<(d0, d1, d2) -> (d0, d2)>, transposed or repeated along an inner dimension, and has no GPU kernel}}
  %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<8x32xf16>) outs(%e : tensor<8x4x32xf16>) {
  ^bb0(%a: f16, %out: f16):
    linalg.yield %a : f16
  } -> tensor<8x4x32xf16>
  // expected-error @+1 {{'linalg.generic' op reads the old value of its output}}
  %3 = linalg.generic {indexing_maps = [#full, #full], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x32xf16>) outs(%y : tensor<8x32xf16>) {
  ^bb0(%a: f16, %out: f16):
    %9 = arith.addf %a, %out : f16
    linalg.yield %9 : f16
  } -> tensor<8x32xf16>
  // expected-error @+1 {{'linalg.generic' op expected inputs of f16, bf16 or f32, found 'tensor<8x32xi8>' as input 0}}
  %4 = linalg.generic {indexing_maps = [#full, #full], iterator_types = ["parallel", "parallel"]}
      ins(%i : tensor<8x32xi8>) outs(%y : tensor<8x32xf16>) {
  ^bb0(%a: i8, %out: f16):
    %9 = arith.sitofp %a : i8 to f16
    linalg.yield %9 : f16
  } -> tensor<8x32xf16>
  // expected-error @+1 {{'tensor.extract_slice' op expected sparseflow.matmul, sparseflow.attention or elementwise linalg, the operations that have GPU kernels; run it on the CPU}}
  %5 = tensor.extract_slice %x[0, 0] [4, 32] [1, 1] : tensor<8x32xf16> to tensor<4x32xf16>
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

// Elementwise ops that no kernel of the compiler writes.

#full = affine_map<(t, n) -> (t, n)>
#swap = affine_map<(t, n) -> (n, t)>
func.func @elementwise(%x: tensor<8x32xf16>, %d: tensor<8x?xf16>, %s: tensor<f16>)
    -> (tensor<8x32xf16>, tensor<8x32xf16>, tensor<32x8xf16>, tensor<8x?xf16>, tensor<f16>) {
  %e = tensor.empty() : tensor<8x32xf16>
  // expected-error @+1 {{'linalg.generic' op expected one result that is a tensor, found 2; run it on the CPU}}
  %0:2 = linalg.generic {indexing_maps = [#full, #full, #full], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x32xf16>) outs(%e, %e : tensor<8x32xf16>, tensor<8x32xf16>) {
  ^bb0(%a: f16, %o0: f16, %o1: f16):
    linalg.yield %a, %a : f16, f16
  } -> (tensor<8x32xf16>, tensor<8x32xf16>)
  %es = tensor.empty() : tensor<32x8xf16>
  // expected-error @+1 {{'linalg.generic' op writes its result in another order than that of its loops, or has rank 0, and has no GPU kernel; run it on the CPU}}
  %1 = linalg.generic {indexing_maps = [#full, #swap], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x32xf16>) outs(%es : tensor<32x8xf16>) {
  ^bb0(%a: f16, %out: f16):
    linalg.yield %a : f16
  } -> tensor<32x8xf16>
  %c1 = arith.constant 1 : index
  %n = tensor.dim %d, %c1 : tensor<8x?xf16>
  %ed = tensor.empty(%n) : tensor<8x?xf16>
  // expected-error @+1 {{'linalg.generic' op expected a static last dimension, found 'tensor<8x?xf16>'; run it on the CPU}}
  %2 = linalg.generic {indexing_maps = [#full, #full], iterator_types = ["parallel", "parallel"]}
      ins(%d : tensor<8x?xf16>) outs(%ed : tensor<8x?xf16>) {
  ^bb0(%a: f16, %out: f16):
    linalg.yield %a : f16
  } -> tensor<8x?xf16>
  %ez = tensor.empty() : tensor<f16>
  // expected-error @+1 {{'linalg.generic' op writes its result in another order than that of its loops, or has rank 0}}
  %3 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
      ins(%s : tensor<f16>) outs(%ez : tensor<f16>) {
  ^bb0(%a: f16, %out: f16):
    linalg.yield %a : f16
  } -> tensor<f16>
  return %0#0, %0#1, %1, %2, %3 : tensor<8x32xf16>, tensor<8x32xf16>, tensor<32x8xf16>, tensor<8x?xf16>, tensor<f16>
}
