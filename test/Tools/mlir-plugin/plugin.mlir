// The plug-in in the mlir-opt of LLVM's package: dialects parse, verify and
// print; passes and pipelines run by name.
//
// RUN: rm -rf %t && split-file %s %t
// DEFINE: %{opt} = mlir-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin
// RUN: %{opt} %t/linalg.mlir --pass-pipeline='builtin.module(sparseflow-import{mark=w=2:4},sparseflow-tensor{materialize-storage=false})' > %t/tensor.mlir
// RUN: FileCheck %s < %t/tensor.mlir
// CHECK: func.func @f(%{{.*}}: tensor<?x64xf16>{{.*}}, %{{.*}}: tensor<32x64xf16, #sparseflow.nm<2:4>>
// CHECK: sparseflow.matmul
//
// The same text as our own tool gives.
// RUN: sparseflow-opt %t/linalg.mlir --sparseflow-import=mark=w=2:4 --sparseflow-tensor=materialize-storage=false | diff -B - %t/tensor.mlir
//
// To kernels, and what a verifier of ours says.
// RUN: %{opt} %t/tensor.mlir --pass-pipeline='builtin.module(sparseflow-pipeline{target=sm_80})' | FileCheck %s --check-prefix=KERNEL
// KERNEL: nvvm.mma.sp.sync
// RUN: not %{opt} %t/bad.mlir 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: error: {{.*}}multiple of
//
// Without the plug-in the tool knows nothing of it.
// RUN: not mlir-opt %t/tensor.mlir 2>&1 | FileCheck %s --check-prefix=STOCK
// STOCK: error: {{.*}}sparseflow
//
// It brings no second MLIR and exports what the tool looks for.
// RUN: llvm-nm --dynamic --extern-only --defined-only --format=just-symbols %plugin | grep -v TypeIDResolver | sort | FileCheck %s --check-prefix=EXPORTS
// EXPORTS-NOT: {{[a-z]}}
// EXPORTS: {{^}}mlirGetDialectPluginInfo{{$}}
// EXPORTS-NEXT: {{^}}mlirGetPassPluginInfo{{$}}
// EXPORTS-NOT: {{[a-z]}}

//--- linalg.mlir
#x = affine_map<(t, n, k) -> (t, k)>
#w = affine_map<(t, n, k) -> (n, k)>
#y = affine_map<(t, n, k) -> (t, n)>
func.func @f(%x: tensor<?x64xf16>, %w: tensor<32x64xf16> {sparseflow.name = "w"}) -> tensor<?x32xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %t = tensor.dim %x, %c0 : tensor<?x64xf16>
  %e = tensor.empty(%t) : tensor<?x32xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x32xf32>) -> tensor<?x32xf32>
  %y = linalg.matmul indexing_maps = [#x, #w, #y]
      ins(%x, %w : tensor<?x64xf16>, tensor<32x64xf16>)
      outs(%z : tensor<?x32xf32>) -> tensor<?x32xf32>
  return %y : tensor<?x32xf32>
}

//--- bad.mlir
func.func private @f(tensor<32x63xf16, #sparseflow.nm<2:4>>)
