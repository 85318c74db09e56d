// Linear layers in the shapes of a BitNet model, a tenth of its width: weights
// are -1, 0 or 1 times one scale, four heads share a key and value head, and the
// feed-forward block is gated by a squared ReLU, which needs the range of bf16.
//
// `sparseflow pack --format ternary` makes the weights; without a file they are
// random. With --activations i8 every product multiplies activations of 8 bits
// with a scale for each token, exactly; matmuls of the same activations share
// them.

!hidden = tensor<?x256xbf16>
!keys = tensor<?x64xbf16>
!inner = tensor<?x704xbf16>
#trits = #sparseflow.ternary<codes, scale = tensor : f32>

// Queries, keys and values of one input.
func.func @attention(%x: !hidden, %wq: tensor<256x256xbf16, #trits>, %wk: tensor<64x256xbf16, #trits>, %wv: tensor<64x256xbf16, #trits>) -> (!hidden, !keys, !keys) {
  %q = sparseflow.matmul %x, %wq {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to bf16
    sparseflow.yield %0 : bf16
  } : !hidden, tensor<256x256xbf16, #trits> -> !hidden
  %k = sparseflow.matmul %x, %wk {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to bf16
    sparseflow.yield %0 : bf16
  } : !hidden, tensor<64x256xbf16, #trits> -> !keys
  %v = sparseflow.matmul %x, %wv {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to bf16
    sparseflow.yield %0 : bf16
  } : !hidden, tensor<64x256xbf16, #trits> -> !keys
  return %q, %k, %v : !hidden, !keys, !keys
}

// Two feed-forward layers: relu(x gate)^2 * (x up), down, and the residual.
func.func @ffn(%x: !hidden,
               %gate0: tensor<704x256xbf16, #trits>, %up0: tensor<704x256xbf16, #trits>, %down0: tensor<256x704xbf16, #trits>,
               %gate1: tensor<704x256xbf16, #trits>, %up1: tensor<704x256xbf16, #trits>, %down1: tensor<256x704xbf16, #trits>) -> !hidden {
  %u0 = sparseflow.matmul %x, %up0 {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to bf16
    sparseflow.yield %0 : bf16
  } : !hidden, tensor<704x256xbf16, #trits> -> !inner
  %h0 = sparseflow.matmul %x, %gate0 epilogue(%u0 : !inner) as [full] {
  ^bb0(%acc: f32, %up: bf16):
    %zero = arith.constant 0.0 : f32
    %wide = arith.extf %up : bf16 to f32
    %relu = arith.maximumf %acc, %zero : f32
    %square = arith.mulf %relu, %relu : f32
    %gated = arith.mulf %square, %wide : f32
    %0 = arith.truncf %gated : f32 to bf16
    sparseflow.yield %0 : bf16
  } : !hidden, tensor<704x256xbf16, #trits> -> !inner
  %y0 = sparseflow.matmul %h0, %down0 epilogue(%x : !hidden) as [full] {
  ^bb0(%acc: f32, %residual: bf16):
    %wide = arith.extf %residual : bf16 to f32
    %sum = arith.addf %acc, %wide : f32
    %0 = arith.truncf %sum : f32 to bf16
    sparseflow.yield %0 : bf16
  } : !inner, tensor<256x704xbf16, #trits> -> !hidden
  %u1 = sparseflow.matmul %y0, %up1 {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to bf16
    sparseflow.yield %0 : bf16
  } : !hidden, tensor<704x256xbf16, #trits> -> !inner
  %h1 = sparseflow.matmul %y0, %gate1 epilogue(%u1 : !inner) as [full] {
  ^bb0(%acc: f32, %up: bf16):
    %zero = arith.constant 0.0 : f32
    %wide = arith.extf %up : bf16 to f32
    %relu = arith.maximumf %acc, %zero : f32
    %square = arith.mulf %relu, %relu : f32
    %gated = arith.mulf %square, %wide : f32
    %0 = arith.truncf %gated : f32 to bf16
    sparseflow.yield %0 : bf16
  } : !hidden, tensor<704x256xbf16, #trits> -> !inner
  %y1 = sparseflow.matmul %h1, %down1 epilogue(%y0 : !hidden) as [full] {
  ^bb0(%acc: f32, %residual: bf16):
    %wide = arith.extf %residual : bf16 to f32
    %sum = arith.addf %acc, %wide : f32
    %0 = arith.truncf %sum : f32 to bf16
    sparseflow.yield %0 : bf16
  } : !inner, tensor<256x704xbf16, #trits> -> !hidden
  return %y1 : !hidden
}

// One product of weights that are ternary and 2:4: 1.5 bits a weight.
func.func @pairs(%x: !hidden, %w: tensor<256x256xbf16, #sparseflow.ternary<two_four, scale = row : f32>>) -> !hidden {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to bf16
    sparseflow.yield %0 : bf16
  } : !hidden, tensor<256x256xbf16, #sparseflow.ternary<two_four, scale = row : f32>> -> !hidden
  return %y : !hidden
}
