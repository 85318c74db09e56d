// What C sees of a program: names, parameters, sizes, and what it refuses.
// No GPU and no ptxas: a header is made from the manifest.
//
// RUN: rm -rf %t && split-file %s %t
// RUN: sparseflow compile %t/f.mlir --emit header --target sm_80,sm_90 -o %t/my-ffn.h
// RUN: FileCheck %s < %t/my-ffn.h
// RUN: cc -std=c11 -Wall -Wextra -Werror -fsyntax-only -I %S/../../../runtime/include -x c %t/my-ffn.h
// RUN: c++ -std=c++17 -Wall -Wextra -Werror -fsyntax-only -I %S/../../../runtime/include -x c++ %t/my-ffn.h

// CHECK: Targets: sm_80, sm_90.
// CHECK: #ifndef SPARSEFLOW_OBJECT_MY_FFN_H
// CHECK: #include <sparseflow/runtime.h>
// CHECK: typedef struct my_ffn_program my_ffn_program;
// CHECK: sf_status my_ffn_init(sf_context *context, my_ffn_program **program);
// CHECK: void my_ffn_release(my_ffn_program *program);
// CHECK:      * Puts the kernels of 'layer' on `stream`.
// CHECK-NEXT: x in f16 [T][64], row-major
// CHECK-NEXT: int_ in f16 [96][64], 2:4 sparse, packed as sf24.v1 (9216 bytes, aligned to 256)
// CHECK-NEXT: workspace_ in f16 [96], row-major
// CHECK-NEXT: result out f16 [T][96], row-major
// CHECK:      {{^}}sf_status layer(my_ffn_program *program, const void *x, const void *int_,
// CHECK-NEXT: {{^}}    const void *workspace_, void *result, int64_t T, void *workspace,
// CHECK-NEXT: {{^}}    size_t workspace_bytes, void *stream);
// CHECK: sf_status layer_workspace_size(const my_ffn_program *program, int64_t T,
// CHECK: size_t *bytes);
// CHECK: void *result0, void *result1

// RUN: not sparseflow compile %t/name.mlir --emit header --target sm_80 -o %t/n.h 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: error: function 'double' cannot have this name in C: expected letters, digits and underscores, no keyword, no prefix sf_; rename it
// RUN: not sparseflow compile %t/clash.mlir --emit header --target sm_80 -o %t/ffn.h 2>&1 | FileCheck %s --check-prefix=CLASH
// CLASH: error: two things would be called 'ffn_init' in C: rename the function, or the object
// RUN: not ls %t/n.h %t/ffn.h

// RUN: not sparseflow compile %t/f.mlir --emit obj,header --target sm_80 -o %t/ffn.h 2>&1 | FileCheck %s --check-prefix=BESIDE
// BESIDE: error: --emit obj,header writes the header beside the object: name an object with -o, such as ffn.o
// RUN: not sparseflow compile %t/f.mlir --emit obj --target sm_80 2>&1 | FileCheck %s --check-prefix=BINARY
// BINARY: error: --emit obj is not text: name a file with -o

// A header on the standard output takes its name from the input.
// RUN: sparseflow compile %t/clash.mlir --emit header --target sm_80 | FileCheck %s --check-prefix=STDOUT
// STDOUT: sf_status clash_init(

//--- f.mlir
#nm = #sparseflow.nm<2:4>
func.func @layer(%x: tensor<?x64xf16> {sparseflow.name = "x"},
                 %w: tensor<96x64xf16, #nm> {sparseflow.name = "int"},
                 %b: tensor<96xf16> {sparseflow.name = "workspace"}) -> tensor<?x96xf16> {
  %y = sparseflow.matmul %x, %w epilogue(%b : tensor<96xf16>) as [per_feature] {
  ^bb0(%acc: f32, %bias: f16):
    %0 = arith.extf %bias : f16 to f32
    %1 = arith.addf %acc, %0 : f32
    %2 = arith.truncf %1 : f32 to f16
    sparseflow.yield %2 : f16
  } : tensor<?x64xf16>, tensor<96x64xf16, #nm> -> tensor<?x96xf16>
  return %y : tensor<?x96xf16>
}
func.func @pair(%x: tensor<?x64xf16>, %w: tensor<32x64xf16>) -> (tensor<?x32xf16>, tensor<?x32xf32>) {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } : tensor<?x64xf16>, tensor<32x64xf16> -> tensor<?x32xf16>
  %z = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<?x64xf16>, tensor<32x64xf16> -> tensor<?x32xf32>
  return %y, %z : tensor<?x32xf16>, tensor<?x32xf32>
}

//--- name.mlir
func.func @double(%x: tensor<?x64xf16>, %w: tensor<32x64xf16>) -> tensor<?x32xf32> {
  %z = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<?x64xf16>, tensor<32x64xf16> -> tensor<?x32xf32>
  return %z : tensor<?x32xf32>
}

//--- clash.mlir
func.func @ffn_init(%x: tensor<?x64xf16>, %w: tensor<32x64xf16>) -> tensor<?x32xf32> {
  %z = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<?x64xf16>, tensor<32x64xf16> -> tensor<?x32xf32>
  return %z : tensor<?x32xf32>
}
