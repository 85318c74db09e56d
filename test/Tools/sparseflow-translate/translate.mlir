// The compiler as translations: the bytes of `sparseflow compile`, from every
// level, and a manifest's functions back as declarations.
//
// RUN: rm -rf %t && split-file %s %t
// RUN: sparseflow-translate --sparseflow-to-ptx --target sm_90 %t/f.mlir -o %t/f.ptx
// RUN: sparseflow compile %t/f.mlir --emit ptx --target sm_90 -o %t/same.ptx && cmp %t/f.ptx %t/same.ptx
// RUN: sparseflow-translate --sparseflow-to-ptx --target sm_90 %t/f.mlir 2>&1 | cmp - %t/f.ptx
// RUN: FileCheck %s --check-prefix=PTX < %t/f.ptx
// PTX: .target sm_90
// PTX: mma.sp::ordered_metadata
// RUN: sparseflow compile %t/f.mlir --emit nvvm --target sm_90 | sparseflow-translate --sparseflow-to-ptx --target sm_90 -o %t/nvvm.ptx && cmp %t/f.ptx %t/nvvm.ptx
// RUN: sparseflow compile %t/f.mlir --emit sftile --target sm_90 | sparseflow-translate --sparseflow-to-ptx --target sm_90 -o %t/sftile.ptx && cmp %t/f.ptx %t/sftile.ptx

// RUN: not sparseflow-translate --no-implicit-module --sparseflow-to-ptx --target sm_90 %t/f.mlir 2>&1 | FileCheck %s --check-prefix=NO-MODULE
// NO-MODULE: error: expected a builtin.module

// RUN: sparseflow-translate --sparseflow-to-manifest --target sm_80 %t/f.mlir -o %t/manifest.json
// RUN: sparseflow compile %t/f.mlir --emit manifest --target sm_80 -o %t/same.json && cmp %t/manifest.json %t/same.json

// There and back: the types and names of the program, and sizes with symbols.
// RUN: sparseflow-translate --manifest-to-mlir %t/manifest.json -o %t/declarations.mlir
// RUN: FileCheck %s < %t/declarations.mlir
// RUN: sparseflow-opt %t/declarations.mlir --verify-roundtrip | diff -B - %t/declarations.mlir
// CHECK: func.func private @f(tensor<?x64xf16> {sparseflow.name = "x"}, tensor<32x64xf16, #sparseflow.nm<2:4>> {sparseflow.name = "w"}, tensor<32xf16> {sparseflow.name = "b"}) -> tensor<?x32xf32>
// CHECK-SAME: sparseflow.argument_shapes = {{\[\[}}"T", 64], [32, 64], [32]]
// CHECK-SAME: sparseflow.result_shapes = {{\[\[}}"T", 32]]
// CHECK-SAME: sparseflow.symbols = ["T"]

// --sparse marks arguments, as it does for the driver.
// RUN: sparseflow-translate --sparseflow-to-manifest --sparse w=2:4 %t/dense.mlir | sparseflow-translate --manifest-to-mlir | FileCheck %s --check-prefix=MARKED
// MARKED: tensor<32x64xf16, #sparseflow.nm<2:4>>

// RUN: not sparseflow-translate --sparseflow-to-ptx --target sm_11 %t/f.mlir 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: error: --target: unknown target 'sm_11': expected one of sm_80
// RUN: not sparseflow-translate --manifest-to-mlir %t/f.mlir 2>&1 | FileCheck %s --check-prefix=NOJSON
// NOJSON: error: manifest: {{.*}}
// RUN: not sparseflow-translate --manifest-to-mlir %t/other.json 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: error: manifest: expected the format sparseflow-bundle, version 1, and a list of functions
// RUN: not sparseflow-translate --manifest-to-mlir %t/odd.json 2>&1 | FileCheck %s --check-prefix=ODD
// ODD: error: manifest: expected the type f16, bf16 or f32, found 'f8'

// RUN: sparseflow-translate --manifest-to-mlir %t/ternary.json | FileCheck %s --check-prefix=TERNARY
// TERNARY: func.func private @f(tensor<64x96xf16, #sparseflow.ternary<codes, scale = row : f32>> {sparseflow.name = "w"}, tensor<8x96xbf16, #sparseflow.ternary<two_four, scale = 32 : f16>> {sparseflow.name = "v"})
// RUN: sed 's/"codes"/"bytes"/' %t/ternary.json > %t/bytes.json
// RUN: not sparseflow-translate --manifest-to-mlir %t/bytes.json 2>&1 | FileCheck %s --check-prefix=BYTES
// BYTES: error: manifest: expected a ternary encoding with a storage, such as 'codes', and a type of scales
// RUN: sed 's/"scale": 32/"scale": 33/' %t/ternary.json > %t/scale.json
// RUN: not sparseflow-translate --manifest-to-mlir %t/scale.json 2>&1 | FileCheck %s --check-prefix=SCALE
// SCALE: error: manifest: expected a scale for the tensor, a row, or 32, 64, 128 or 256 columns, found 33

//--- ternary.json
{"format": "sparseflow-bundle", "version": 1, "functions": [{"name": "f", "symbols": [], "arguments": [
  {"name": "w", "dtype": "f16", "shape": [64, 96], "layout": "tern.v1",
   "encoding": {"kind": "ternary", "storage": "codes", "scale": "row", "scale_dtype": "f32", "planes": 1}},
  {"name": "v", "dtype": "bf16", "shape": [8, 96], "layout": "tern24.v1",
   "encoding": {"kind": "ternary", "storage": "two_four", "scale": 32, "scale_dtype": "f16", "planes": 1}}],
  "results": []}]}

//--- f.mlir
func.func @f(%x: tensor<?x64xf16> {sparseflow.name = "x"},
             %w: tensor<32x64xf16, #sparseflow.nm<2:4>> {sparseflow.name = "w"},
             %b: tensor<32xf16> {sparseflow.name = "b"}) -> tensor<?x32xf32> {
  %y = sparseflow.matmul %x, %w epilogue(%b : tensor<32xf16>) as [per_feature] {
  ^bb0(%acc: f32, %bias: f16):
    %0 = arith.extf %bias : f16 to f32
    %1 = arith.addf %acc, %0 : f32
    sparseflow.yield %1 : f32
  } : tensor<?x64xf16>, tensor<32x64xf16, #sparseflow.nm<2:4>> -> tensor<?x32xf32>
  return %y : tensor<?x32xf32>
}

//--- dense.mlir
func.func @f(%x: tensor<?x64xf16>, %w: tensor<32x64xf16> {sparseflow.name = "w"}) -> tensor<?x32xf32> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<?x64xf16>, tensor<32x64xf16> -> tensor<?x32xf32>
  return %y : tensor<?x32xf32>
}

//--- other.json
{"format": "sparseflow-bundle", "version": 2, "functions": []}

//--- odd.json
{"format": "sparseflow-bundle", "version": 1, "functions": [
  {"name": "f", "symbols": [], "results": [],
   "arguments": [{"dtype": "f8", "shape": [4]}]}]}
