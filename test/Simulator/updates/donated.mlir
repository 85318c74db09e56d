// Results in the memory of donated arguments: a token selected into a cache, which leaves
// every other element as it is, and an average that is updated element by element.

// RUN: sparseflow run %s --device sim --races --entry step --check | FileCheck %s
// RUN: sparseflow run %s --device sim --races --unaligned --target sm_90a --entry step --check --arg at=random:7 | FileCheck %s
// RUN: sparseflow run %s --device cpu --entry step --check | FileCheck %s
// RUN: sparseflow run %s --device sim --races --entry average --donate state --check --dim T=61 | FileCheck %s
// RUN: sparseflow run %s --device sim --races --unaligned --target sm_90a --entry average --donate 0 --check --dim T=1 | FileCheck %s
// CHECK: result 0: ok

// Callers see that the argument is updated, and where they give other memory it is an error.
// RUN: sparseflow compile %s --target sm_80 --emit manifest -o - | FileCheck %s --check-prefix=MANIFEST
// MANIFEST: "name": "step"
// MANIFEST: "updates": 0
// RUN: not sparseflow compile %s --target sm_80 --emit ptx --donate states -o %t 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: --donate states: no function has such an argument; give its name or its number

// What stays is neither read nor written: the loads of the cache's kernel are those of the
// token and of the place.
// RUN: sparseflow-opt %s --sparseflow-import --sparseflow-tensor --sparseflow-tile=target=sm_80 | FileCheck %s --check-prefix=KERNEL
// KERNEL-LABEL: gpu.func @step_0_map(
// KERNEL: scf.if
// KERNEL: scf.if
// KERNEL-NOT: llvm.store
// KERNEL: llvm.load {{.*}} -> vector<8xf16>
// KERNEL-NOT: llvm.load
// KERNEL: llvm.store {{.*}} : vector<8xf16>, !llvm.ptr<1>
// KERNEL-LABEL: gpu.func @step_0_map_any(

#cache = affine_map<(b, s, h, d) -> (b, s, h, d)>
#token = affine_map<(b, s, h, d) -> (b, h, d)>
#one = affine_map<(b, s, h, d) -> ()>
func.func @step(%cache: tensor<2x9x2x24xf16> {sparseflow.donated}, %new: tensor<2x2x24xf16>,
                %at: tensor<i64>) -> tensor<2x9x2x24xf16> {
  %e = tensor.empty() : tensor<2x9x2x24xf16>
  %r = linalg.generic {indexing_maps = [#token, #one, #cache, #cache], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%new, %at, %cache : tensor<2x2x24xf16>, tensor<i64>, tensor<2x9x2x24xf16>) outs(%e : tensor<2x9x2x24xf16>) {
  ^bb0(%token: f16, %place: i64, %old: f16, %out: f16):
    %s = linalg.index 1 : index
    %position = arith.index_cast %s : index to i64
    %isNew = arith.cmpi eq, %position, %place : i64
    %0 = arith.select %isNew, %token, %old : f16
    linalg.yield %0 : f16
  } -> tensor<2x9x2x24xf16>
  return %r : tensor<2x9x2x24xf16>
}

#id = affine_map<(t, n) -> (t, n)>
func.func @average(%state: tensor<?x37xf32>, %x: tensor<?x37xf32>) -> tensor<?x37xf32> {
  %c0 = arith.constant 0 : index
  %keep = arith.constant 0.875 : f32
  %take = arith.constant 0.125 : f32
  %t = tensor.dim %state, %c0 : tensor<?x37xf32>
  %e = tensor.empty(%t) : tensor<?x37xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%state, %x : tensor<?x37xf32>, tensor<?x37xf32>) outs(%e : tensor<?x37xf32>) {
  ^bb0(%s: f32, %v: f32, %out: f32):
    %0 = arith.mulf %s, %keep : f32
    %1 = arith.mulf %v, %take : f32
    %2 = arith.addf %0, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<?x37xf32>
  return %r : tensor<?x37xf32>
}
