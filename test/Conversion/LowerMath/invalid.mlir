// RUN: sparseflow-opt %s -split-input-file -verify-diagnostics -sparseflow-lower-math

func.func @unknown(%x: f32) -> f32 {
  // expected-error@+1 {{'math.asin' op has no form that runs without a device library; supported are arith.{addf, }}
  %r = math.asin %x : f32
  return %r : f32
}

// -----

gpu.module @kernels {
  gpu.func @remainder(%x: f32, %y: f32, %p: !llvm.ptr) kernel {
    // expected-error@+1 {{'arith.remf' op has no form that runs without a device library}}
    %r = arith.remf %x, %y : f32
    llvm.store %r, %p : f32, !llvm.ptr
    gpu.return
  }
}

// -----

func.func @wide(%x: f64) -> f64 {
  // expected-error@+1 {{'math.exp' op expected f16, bf16 or f32, found 'f64'; compute in f32 instead}}
  %r = math.exp %x : f64
  return %r : f64
}

// -----

func.func @vector(%x: vector<4xf32>) -> vector<4xf32> {
  // expected-error@+1 {{'math.exp' op expected scalars, found 'vector<4xf32>'; unroll it into scalar ops before this pass}}
  %r = math.exp %x : vector<4xf32>
  return %r : vector<4xf32>
}

// -----

func.func @half_vector(%x: vector<2xf16>) -> vector<2xf16> {
  // expected-error@+1 {{'arith.addf' op expected scalars, found 'vector<2xf16>'}}
  %r = arith.addf %x, %x : vector<2xf16>
  return %r : vector<2xf16>
}

// -----

func.func @rounding(%x: f32) -> f16 {
  // expected-error@+1 {{'arith.truncf' op expected the rounding mode to_nearest_even, found toward_zero; drop the rounding mode}}
  %r = arith.truncf %x toward_zero : f32 to f16
  return %r : f16
}

// -----

func.func @integer(%x: i32) -> bf16 {
  // expected-error@+1 {{'arith.sitofp' op expected an integer of at most 24 bits to convert to bf16, found 'i32'; convert to f32 and use arith.truncf}}
  %r = arith.sitofp %x : i32 to bf16
  return %r : bf16
}

// -----

// Every offending op is reported, not only the first.
func.func @several(%x: f32) -> f32 {
  // expected-error@+1 {{'math.asinh' op has no form}}
  %0 = math.asinh %x : f32
  // expected-error@+1 {{'math.acosh' op has no form}}
  %1 = math.acosh %0 : f32
  return %1 : f32
}
