// RUN: sparseflow-opt %s --split-input-file --verify-diagnostics

func.func @element(%x: tensor<8x64xi8>) -> tensor<8x64xi8> {
  // expected-error @+1 {{expected activations [..., K] of f16, bf16 or f32 without an encoding, found 'tensor<8x64xi8>'}}
  %y = sparseflow.hadamard %x block 64 : tensor<8x64xi8>
  return %y : tensor<8x64xi8>
}

// -----

func.func @encoded(%x: tensor<8x64xf16, #sparseflow.nm<2:4>>) -> tensor<8x64xf16, #sparseflow.nm<2:4>> {
  // expected-error @+1 {{expected activations [..., K] of f16, bf16 or f32 without an encoding}}
  %y = sparseflow.hadamard %x block 64 : tensor<8x64xf16, #sparseflow.nm<2:4>>
  return %y : tensor<8x64xf16, #sparseflow.nm<2:4>>
}

// -----

func.func @scalar(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{expected activations [..., K] of f16, bf16 or f32}}
  %y = sparseflow.hadamard %x block 64 : tensor<f32>
  return %y : tensor<f32>
}

// -----

func.func @dynamic(%x: tensor<8x?xf16>) -> tensor<8x?xf16> {
  // expected-error @+1 {{expected a static last dimension, which blocks divide, found 'tensor<8x?xf16>'}}
  %y = sparseflow.hadamard %x block 64 : tensor<8x?xf16>
  return %y : tensor<8x?xf16>
}

// -----

func.func @small(%x: tensor<8x64xf16>) -> tensor<8x64xf16> {
  // expected-error @+1 {{expected a block of a power of two from 64 to 16384, found 32}}
  %y = sparseflow.hadamard %x block 32 : tensor<8x64xf16>
  return %y : tensor<8x64xf16>
}

// -----

func.func @large(%x: tensor<8x32768xf16>) -> tensor<8x32768xf16> {
  // expected-error @+1 {{expected a block of a power of two from 64 to 16384, found 32768}}
  %y = sparseflow.hadamard %x block 32768 : tensor<8x32768xf16>
  return %y : tensor<8x32768xf16>
}

// -----

func.func @no_power(%x: tensor<8x192xf16>) -> tensor<8x192xf16> {
  // expected-error @+1 {{expected a block of a power of two from 64 to 16384, found 192}}
  %y = sparseflow.hadamard %x block 192 : tensor<8x192xf16>
  return %y : tensor<8x192xf16>
}

// -----

func.func @no_divisor(%x: tensor<8x1536xf16>) -> tensor<8x1536xf16> {
  // expected-error @+1 {{expected a block that divides the 1536 elements of the last dimension, found 1024; the largest one that does is 512}}
  %y = sparseflow.hadamard %x block 1024 : tensor<8x1536xf16>
  return %y : tensor<8x1536xf16>
}

// -----

func.func @no_block(%x: tensor<8x100xf16>) -> tensor<8x100xf16> {
  // expected-error @+1 {{expected a block that divides the 100 elements of the last dimension, found 64; no power of two from 64 on does, rotate a dimension that it divides}}
  %y = sparseflow.hadamard %x block 64 : tensor<8x100xf16>
  return %y : tensor<8x100xf16>
}

// -----

func.func @signs(%x: tensor<8x128xf16>, %s: tensor<64xf16>) -> tensor<8x128xf16> {
  // expected-error @+1 {{expected signs [128] of f16, bf16 or f32, one for each element of the last dimension, found 'tensor<64xf16>'}}
  %y = sparseflow.hadamard %x signs(%s : tensor<64xf16>) block 64 : tensor<8x128xf16>
  return %y : tensor<8x128xf16>
}

// -----

func.func @integer_signs(%x: tensor<8x128xf16>, %s: tensor<128xi8>) -> tensor<8x128xf16> {
  // expected-error @+1 {{expected signs [128] of f16, bf16 or f32, one for each element of the last dimension, found 'tensor<128xi8>'}}
  %y = sparseflow.hadamard %x signs(%s : tensor<128xi8>) block 64 : tensor<8x128xf16>
  return %y : tensor<8x128xf16>
}
