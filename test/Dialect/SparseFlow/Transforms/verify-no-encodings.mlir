// RUN: sparseflow-opt %s --allow-unregistered-dialect --sparseflow-verify-no-encodings --split-input-file --verify-diagnostics=all

// expected-error @+1 {{expected argument 0 to have no encoding at this point, found 'tensor<8x8xf16, #sparseflow.nm<2:4>>'; sparseflow-materialize-storage turns the weights of sparseflow.matmul into bytes, anything else needs sparseflow.unpack}}
func.func @argument(%w: tensor<8x8xf16, #sparseflow.nm<2:4>>) {
  return
}

// -----

// Upstream encodings too: bufferization drops every one of them.
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
func.func @value() {
  // expected-error @+1 {{'tensor.empty' op expected its result to have no encoding at this point}}
  %0 = tensor.empty() : tensor<8x8xf16, #csr>
  return
}

// -----

func.func @nested(%c: i1, %w: tensor<8x8xf16>) {
  scf.if %c {
    // expected-error @+1 {{'sparseflow.prune' op expected its result to have no encoding}}
    %0 = sparseflow.prune %w : tensor<8x8xf16> -> tensor<8x8xf16, #sparseflow.nm<2:4>>
  }
  return
}

// -----

// The signature that a function remembers is no type of a value.
func.func @remembered(%w: tensor<4608xi8>) attributes {
  sparseflow.argument_types = [tensor<8x8xf16, #sparseflow.nm<2:4>>]
} {
  return
}

// -----

func.func @block(%n: index, %w: tensor<8x8xf16>) {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{expected its block arguments to have no encoding at this point, found 'tensor<8x8xf16, #sparseflow.nm<2:4>>'; sparseflow-materialize-storage turns the weights of sparseflow.matmul into bytes, anything else needs sparseflow.unpack}}
  "test.loop"(%n) ({
  ^bb0(%a: tensor<8x8xf16, #sparseflow.nm<2:4>>):
    "test.end"() : () -> ()
  }) : (index) -> ()
  return
}
