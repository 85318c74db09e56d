// RUN: sparseflow-opt %s --sparseflow-verify-input --split-input-file --verify-diagnostics

func.func @even(%x: tensor<4xf16>) -> tensor<4xf16> {
  %0 = call @odd(%x) : (tensor<4xf16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}
func.func private @odd(%x: tensor<4xf16>) -> tensor<4xf16> {
  // expected-error @+1 {{recursion cannot be compiled: this call closes the circle 'even' -> 'odd' -> 'even', and kernels are launched from a list without a stack; write the steps out, or leave the loop to the caller}}
  %0 = call @even(%x) : (tensor<4xf16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// -----

func.func @self(%x: tensor<4xf16>) -> tensor<4xf16> {
  // expected-error @+1 {{closes the circle 'self' -> 'self'}}
  %0 = call @self(%x) : (tensor<4xf16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// -----

// One callee that several call is no circle; a declaration that nothing calls is
// left alone.

func.func private @outside(tensor<4xf16>) -> tensor<4xf16>
func.func private @leaf(%x: tensor<4xf16>) -> tensor<4xf16> {
  return %x : tensor<4xf16>
}
func.func private @middle(%x: tensor<4xf16>) -> tensor<4xf16> {
  %0 = call @leaf(%x) : (tensor<4xf16>) -> tensor<4xf16>
  %1 = call @leaf(%0) : (tensor<4xf16>) -> tensor<4xf16>
  return %1 : tensor<4xf16>
}
func.func @top(%x: tensor<4xf16>) -> tensor<4xf16> {
  %0 = call @middle(%x) : (tensor<4xf16>) -> tensor<4xf16>
  %1 = call @leaf(%0) : (tensor<4xf16>) -> tensor<4xf16>
  return %1 : tensor<4xf16>
}

// -----

// expected-note @+1 {{declared here}}
func.func private @outside(tensor<4xf16>) -> tensor<4xf16>
func.func @external(%x: tensor<4xf16>) -> tensor<4xf16> {
  // expected-error @+1 {{expected a function with a body, found the declaration 'outside': what is called becomes part of the kernels of its caller; put its body into the module}}
  %0 = call @outside(%x) : (tensor<4xf16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// -----

func.func private @apart(%x: tensor<4xf16>) -> tensor<4xf16> attributes {no_inline} {
  return %x : tensor<4xf16>
}
func.func @objects(%x: tensor<4xf16>) -> tensor<4xf16> {
  // expected-error @+1 {{expected a call without 'no_inline', found it at the function of 'apart'}}
  %0 = call @apart(%x) : (tensor<4xf16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// -----

// A mark of a callee's argument holds where the caller's argument has it, too.

func.func private @marked(%w: tensor<4x4xf16> {sparseflow.sparse = "2:4"}) -> tensor<4x4xf16> {
  return %w : tensor<4x4xf16>
}
func.func @same(%w: tensor<4x4xf16> {sparseflow.sparse = "2:4"}) -> tensor<4x4xf16> {
  %0 = call @marked(%w) : (tensor<4x4xf16>) -> tensor<4x4xf16>
  return %0 : tensor<4x4xf16>
}
func.func @other(%w: tensor<4x4xf16>) -> tensor<4x4xf16> {
  // expected-error @+1 {{expected operand 0 to be an argument with 'sparseflow.sparse' = "2:4", as argument 0 of 'marked' has: a call becomes part of its caller, and the mark would be lost; mark the caller's argument, too}}
  %0 = call @marked(%w) : (tensor<4x4xf16>) -> tensor<4x4xf16>
  return %0 : tensor<4x4xf16>
}

// -----

// The state of a random generator, which every torch-mlir module declares, is no
// error; reading a weight from a global is.

ml_program.global private mutable @global_seed(dense<0> : tensor<i64>) : tensor<i64>
ml_program.global private @weight(dense<1.0> : tensor<4x4xf16>) : tensor<4x4xf16>
func.func @global(%x: tensor<4x4xf16>) -> tensor<4x4xf16> {
  // expected-error @+1 {{'ml_program.global_load_const' cannot be compiled: a compiled function sees its arguments only; make the value an argument (torch-mlir: export with parameters as inputs), and pass weights with --weights}}
  %0 = ml_program.global_load_const @weight : tensor<4x4xf16>
  return %0 : tensor<4x4xf16>
}

// -----

func.func @dim(%x: tensor<?x97xf16>) -> tensor<?x97xf16> {
  %c = arith.constant -1 : index
  // expected-error @+1 {{'tensor.dim' op expected a dimension from 0 on, found -1; write the number of the dimension}}
  %d = tensor.dim %x, %c : tensor<?x97xf16>
  %e = tensor.empty(%d) : tensor<?x97xf16>
  return %e : tensor<?x97xf16>
}
