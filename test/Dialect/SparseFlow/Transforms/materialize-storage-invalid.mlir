// RUN: sparseflow-opt %s --sparseflow-materialize-storage=require-sparse --split-input-file --verify-diagnostics=all

// expected-error @+1 {{cannot pack argument 1: expected a weight with the encoding #sparseflow.nm<2:4> along its last axis, the only one with a packed layout, found 'tensor<32x64xf16, #sparseflow.nm<1:4>>'}}
func.func @required(%x: tensor<?x64xf16>, %w: tensor<32x64xf16, #sparseflow.nm<1:4>>) -> tensor<?x32xf32> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<?x64xf16>, tensor<32x64xf16, #sparseflow.nm<1:4>> -> tensor<?x32xf32>
  return %y : tensor<?x32xf32>
}

// -----

// expected-error @+1 {{expected f16 or bf16 elements in "sf24.v1", found 'f32'}}
func.func @element(%w: tensor<32x64xf32, #sparseflow.nm<2:4>>) {
  return
}

// -----

// expected-error @+1 {{expected a weight of static shape, found 'tensor<?x64xf16, #sparseflow.nm<2:4>>'}}
func.func @dynamic(%w: tensor<?x64xf16, #sparseflow.nm<2:4>>) {
  return
}

// -----

// An op that was not raised cannot read bytes.
func.func @unraised(%x: tensor<32x8xf16>, %w: tensor<8x32xf16, #sparseflow.nm<2:4>>, %y: tensor<32x32xf32>) -> tensor<32x32xf32> {
  // expected-error @+1 {{'linalg.matmul' op cannot read argument 1, which is packed as #sparseflow.storage<"sf24.v1", 8x32xf16>: expected the weight of a sparseflow.matmul; pass a dense copy for this op}}
  %0 = linalg.matmul ins(%x, %w : tensor<32x8xf16>, tensor<8x32xf16, #sparseflow.nm<2:4>>)
    outs(%y : tensor<32x32xf32>) -> tensor<32x32xf32>
  return %0 : tensor<32x32xf32>
}

// -----

func.func @unpacked(%w: tensor<8x32xf16, #sparseflow.nm<2:4>>) -> tensor<8x32xf16> {
  // expected-error @+1 {{'sparseflow.unpack' op cannot read argument 0, which is packed}}
  %0 = sparseflow.unpack %w : tensor<8x32xf16, #sparseflow.nm<2:4>> -> tensor<8x32xf16>
  return %0 : tensor<8x32xf16>
}

// -----

func.func @pruned(%x: tensor<?x64xf16>, %w: tensor<32x64xf16>) -> tensor<?x32xf32> {
  // expected-error @+1 {{'sparseflow.prune' op cannot run inside a compiled function: expected weights that are pruned already; mark the argument with sparseflow-mark-sparse and pack the data}}
  %p = sparseflow.prune %w : tensor<32x64xf16> -> tensor<32x64xf16, #sparseflow.nm<2:4>>
  %y = sparseflow.matmul %x, %p {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<?x64xf16>, tensor<32x64xf16, #sparseflow.nm<2:4>> -> tensor<?x32xf32>
  return %y : tensor<?x32xf32>
}

// -----

// expected-error @+1 {{expected result 0 to have no encoding at this point, found 'tensor<8x32xf16, #sparseflow.nm<2:4>>'}}
func.func private @declared(tensor<8x32xf16>) -> tensor<8x32xf16, #sparseflow.nm<2:4>>

// -----

// expected-error @+1 {{expected argument names to be unique, found arguments 0 and 1 named "x"; change 'sparseflow.name'}}
func.func @names(%a: tensor<8xf16> {sparseflow.name = "x"}, %b: tensor<8xf16> {sparseflow.name = "x"}) {
  return
}

// -----

// expected-error @+1 {{expected argument 1 to be a ranked tensor, found 'f32'; pass a scalar as a tensor of rank 0, such as tensor<f32>}}
func.func @scalar(%a: tensor<8xf16>, %b: f32) {
  return
}

// -----

func.func @scalar_result(%a: tensor<8xf16>) -> index {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{expected result 0 to be a ranked tensor, found 'index'}}
  return %c0 : index
}

// -----

// expected-error @+1 {{expected a body of one block, found 2; control flow cannot be compiled}}
func.func @blocks(%a: tensor<8xf16>) -> tensor<8xf16> {
  cf.br ^bb1
^bb1:
  return %a : tensor<8xf16>
}

// -----

func.func @unknown_size(%a: tensor<8xf16>) -> tensor<?xf16> {
  %n = arith.constant 3 : index
  // expected-note @+1 {{the result comes from 'tensor.empty'; sizes are followed through sparseflow.matmul, sparseflow.attention, linalg ops, tensor.cast, slices, unit dimensions}}
  %e = tensor.empty(%n) : tensor<?xf16>
  // expected-error @+1 {{expected dimension 0 of result 0 to be a size of an argument, found a size that no argument determines}}
  return %e : tensor<?xf16>
}

// -----

// Activations that are marked, as by --sparse x=2:4, are to blame, not the result.
// expected-error @+1 {{cannot pack argument 0: expected a weight of static shape, found 'tensor<?x64xf16, #sparseflow.nm<2:4>>'; N and K must be known to pack it}}
func.func @marked_activations(%x: tensor<?x64xf16, #sparseflow.nm<2:4>>, %w: tensor<32x64xf16, #sparseflow.nm<2:4>>) -> tensor<?x32xf32> {
  %d = sparseflow.unpack %x : tensor<?x64xf16, #sparseflow.nm<2:4>> -> tensor<?x64xf16>
  %y = sparseflow.matmul %d, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<?x64xf16>, tensor<32x64xf16, #sparseflow.nm<2:4>> -> tensor<?x32xf32>
  return %y : tensor<?x32xf32>
}

// -----

// The sizes of T contradict each other through the residual.
func.func @contradiction(%x: tensor<?x64xf16>, %w: tensor<32x64xf16>, %a: tensor<4x32xf32>, %b: tensor<5x32xf32>) -> tensor<?x32xf32> {
  // expected-error @+1 {{expected equal sizes, found 4 and 5; the shapes of its operands contradict each other}}
  %y = sparseflow.matmul %x, %w epilogue(%a, %b : tensor<4x32xf32>, tensor<5x32xf32>) as [full, full] {
  ^bb0(%acc: f32, %ai: f32, %bi: f32):
    %0 = arith.addf %ai, %bi : f32
    sparseflow.yield %0 : f32
  } : tensor<?x64xf16>, tensor<32x64xf16> -> tensor<?x32xf32>
  return %y : tensor<?x32xf32>
}

// -----

#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
// expected-error@+1 {{expected argument 0 to be dense or to have an encoding #sparseflow.nm<N:M>, #sparseflow.ternary or #sparseflow.quantized, found 'tensor<32x64xf16, #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>>'; run sparseflow-import-encodings}}
func.func @foreign(%w: tensor<32x64xf16, #csr>) {
  return
}
