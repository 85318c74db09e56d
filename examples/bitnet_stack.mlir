// Two feed-forward layers in the shapes of a BitNet model, a tenth of its width,
// as plain matrices: nothing here says that they are ternary. A packed file does,
// so that one program serves every format:
//
//   sparseflow pack model.safetensors --include . --format ternary -o model.sfpk
//   sparseflow run examples/bitnet_stack.mlir --weights model.sfpk --activations i8
//
// relu(x gate)^2 * (x up), down, and the residual; squares need the range of bf16.

!hidden = tensor<?x256xbf16>
!inner = tensor<?x704xbf16>
!wide = tensor<704x256xbf16>
!narrow = tensor<256x704xbf16>

func.func @stack(%x: !hidden, %gate0: !wide, %up0: !wide, %down0: !narrow,
                 %gate1: !wide, %up1: !wide, %down1: !narrow) -> !hidden {
  %u0 = sparseflow.matmul %x, %up0 {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to bf16
    sparseflow.yield %0 : bf16
  } : !hidden, !wide -> !inner
  %h0 = sparseflow.matmul %x, %gate0 epilogue(%u0 : !inner) as [full] {
  ^bb0(%acc: f32, %up: bf16):
    %zero = arith.constant 0.0 : f32
    %wide = arith.extf %up : bf16 to f32
    %relu = arith.maximumf %acc, %zero : f32
    %square = arith.mulf %relu, %relu : f32
    %gated = arith.mulf %square, %wide : f32
    %0 = arith.truncf %gated : f32 to bf16
    sparseflow.yield %0 : bf16
  } : !hidden, !wide -> !inner
  %y0 = sparseflow.matmul %h0, %down0 epilogue(%x : !hidden) as [full] {
  ^bb0(%acc: f32, %residual: bf16):
    %wide = arith.extf %residual : bf16 to f32
    %sum = arith.addf %acc, %wide : f32
    %0 = arith.truncf %sum : f32 to bf16
    sparseflow.yield %0 : bf16
  } : !inner, !narrow -> !hidden
  %u1 = sparseflow.matmul %y0, %up1 {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to bf16
    sparseflow.yield %0 : bf16
  } : !hidden, !wide -> !inner
  %h1 = sparseflow.matmul %y0, %gate1 epilogue(%u1 : !inner) as [full] {
  ^bb0(%acc: f32, %up: bf16):
    %zero = arith.constant 0.0 : f32
    %wide = arith.extf %up : bf16 to f32
    %relu = arith.maximumf %acc, %zero : f32
    %square = arith.mulf %relu, %relu : f32
    %gated = arith.mulf %square, %wide : f32
    %0 = arith.truncf %gated : f32 to bf16
    sparseflow.yield %0 : bf16
  } : !hidden, !wide -> !inner
  %y1 = sparseflow.matmul %h1, %down1 epilogue(%y0 : !hidden) as [full] {
  ^bb0(%acc: f32, %residual: bf16):
    %wide = arith.extf %residual : bf16 to f32
    %sum = arith.addf %acc, %wide : f32
    %0 = arith.truncf %sum : f32 to bf16
    sparseflow.yield %0 : bf16
  } : !inner, !narrow -> !hidden
  return %y1 : !hidden
}
