// Slices whose ends sizes of a call decide: inside of what they are taken from, or an error
// on every device.

// DEFINE: %{sim} = sparseflow run %s --device sim --check
// DEFINE: %{cpu} = sparseflow run %s --device cpu --check
// DEFINE: %{fails} = %python %S/../../Tools/sparseflow/Inputs/exits.py 1 sparseflow run %s

// RUN: %{sim} --entry table --dim T=16 | FileCheck %s
// RUN: %{cpu} --entry table --dim T=16 | FileCheck %s
// RUN: %{fails} --entry table --dim T=17 --device sim 2>&1 | FileCheck %s --check-prefix=TABLE
// RUN: %{fails} --entry table --dim T=17 --device cpu 2>&1 | FileCheck %s --check-prefix=TABLE-CPU
// CHECK: result 0: ok
// TABLE: no variant of step 'map' at {{.*}} takes these sizes and addresses (the last: 17 <= 16 does not hold)
// TABLE-CPU: expected the slice of dimension 0 at {{.*}}taken-slices.mlir:[[#]]:[[#]] to end inside of the tensor, found that sizes of this call end it 1 behind; give tensors whose sizes agree
func.func @table(%x: tensor<?x64xf32>, %t: tensor<16x64xf32>) -> tensor<?x64xf32> {
  %c0 = arith.constant 0 : index
  %s = tensor.dim %x, %c0 : tensor<?x64xf32>
  %r = tensor.extract_slice %t[0, 0] [%s, 64] [1, 1] : tensor<16x64xf32> to tensor<?x64xf32>
  %e = tensor.empty(%s) : tensor<?x64xf32>
  %y = linalg.add ins(%x, %r : tensor<?x64xf32>, tensor<?x64xf32>)
    outs(%e : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}

// Behind what a cache holds already: `past` and new rows together.
// RUN: %{sim} --entry behind --dim T=3 --dim T1=9 --dim T2=12 | FileCheck %s
// RUN: %{cpu} --entry behind --dim T=3 --dim T1=9 --dim T2=12 | FileCheck %s
// RUN: %{fails} --entry behind --dim T=3 --dim T1=9 --dim T2=10 --device sim 2>&1 | FileCheck %s --check-prefix=BEHIND
// RUN: %{fails} --entry behind --dim T=3 --dim T1=9 --dim T2=10 --device cpu 2>&1 | FileCheck %s --check-prefix=BEHIND-CPU
// BEHIND: no variant of step 'rows' at {{.*}} (the last: 12 <= 10 does not hold)
// BEHIND-CPU: the slice of dimension 0 at {{.*}} end it 2 behind
#full = affine_map<(t, n) -> (t, n)>
#row = affine_map<(t, n) -> (t)>
func.func @behind(%x: tensor<?x32xf32>, %past: tensor<?x32xf32>, %t: tensor<?x32xf32>)
    -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %s = tensor.dim %x, %c0 : tensor<?x32xf32>
  %p = tensor.dim %past, %c0 : tensor<?x32xf32>
  %r = tensor.extract_slice %t[%p, 0] [%s, 32] [1, 1] : tensor<?x32xf32> to tensor<?x32xf32>
  %e = tensor.empty(%s) : tensor<?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %y = linalg.generic {indexing_maps = [#full, #full, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%x, %r : tensor<?x32xf32>, tensor<?x32xf32>) outs(%f : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<?xf32>
  return %y : tensor<?xf32>
}
