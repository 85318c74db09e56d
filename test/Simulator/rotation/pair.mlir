// Rotations of equal blocks without signs that read nothing of each other share a
// launch: of other numbers of rows and of blocks in a row, where the last block of
// threads of the first has room left, and where either has no rows. What reads the
// first one's result, has signs or other blocks, or is the third of three, is launched
// alone. The second one's result does not lie where the first one reads.
//
// DEFINE: %{run} = sparseflow run %s --device sim --check --races
// RUN: %{run} --entry two --target sm_90a --dim T=5 --dim T1=3 | FileCheck %s --check-prefixes=CHECK,TWO
// RUN: %{run} --entry two --target sm_80 --dim T=1 --dim T1=40 | FileCheck %s --check-prefixes=CHECK,TWO
// RUN: %{run} --entry two --target sm_80 --dim T=0 --dim T1=3 | FileCheck %s --check-prefixes=CHECK,TWO
// RUN: %{run} --entry two --target sm_80 --dim T=3 --dim T1=0 | FileCheck %s --check-prefixes=CHECK,TWO
// RUN: %{run} --entry more --target sm_90a --dim T=5 | FileCheck %s --check-prefixes=CHECK,MORE
// RUN: %{run} --entry held --target sm_90a --dim T=5 | FileCheck %s
// RUN: sparseflow compile %s --target sm_90a --emit ptx -o %t --remarks 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: grep -o "entry [a-z]*_[0-9]*_hadamard(" %t | FileCheck %s --check-prefix=KERNEL
//
// CHECK: check    result 0: ok
// TWO: result 1: ok
// MORE: result 1: ok
// MORE: result 2: ok
// MORE: result 3: ok
// MORE: result 4: ok
// MORE: result 5: ok
// MORE: result 6: ok
// CHECK: found    nothing
//
// Equal kernels are one, such as those of a rotation alone.
//
// KERNEL: entry two_0_hadamard(
// KERNEL-NEXT: entry more_0_hadamard(
// KERNEL-NEXT: entry more_2_hadamard(
// KERNEL-NEXT: entry more_3_hadamard(
// KERNEL-NEXT: entry more_4_hadamard(
// KERNEL-NEXT: entry held_2_hadamard(
// KERNEL-NOT: hadamard

func.func @two(%x: tensor<?x3x64xf16>, %z: tensor<?x128xf16>) -> (tensor<?x3x64xf16>, tensor<?x128xf16>) {
  %a = sparseflow.hadamard %x block 64 : tensor<?x3x64xf16>
  // REMARK: pair.mlir:[[# @LINE + 1]]:{{.*}} remark: [rotation] in the launch of the rotation before it, of which it reads nothing
  %b = sparseflow.hadamard %z block 64 : tensor<?x128xf16>
  return %a, %b : tensor<?x3x64xf16>, tensor<?x128xf16>
}

!t = tensor<?x128xbf16>
func.func @more(%x: !t, %y: !t, %z: !t, %w: !t, %s: tensor<128xbf16>) -> (!t, !t, !t, !t, !t, !t, !t) {
  %a = sparseflow.hadamard %x block 64 : !t
  %b = sparseflow.hadamard %a block 64 : !t
  %c = sparseflow.hadamard %x signs(%s : tensor<128xbf16>) block 64 : !t
  %d = sparseflow.hadamard %x block 128 : !t
  %e = sparseflow.hadamard %y block 64 : !t
  // REMARK-NOT: rotation before it
  // REMARK: pair.mlir:[[# @LINE + 1]]:{{.*}} remark: [rotation] in the launch of the rotation before it
  %f = sparseflow.hadamard %z block 64 : !t
  %g = sparseflow.hadamard %w block 64 : !t
  return %a, %b, %c, %d, %e, %f, %g : !t, !t, !t, !t, !t, !t, !t
}

#map = affine_map<(t, c) -> (t, c)>
#all = affine_map<(t, c) -> (c)>
func.func @held(%x: tensor<?x64xf32>, %v: tensor<64xf32>, %u: tensor<64xf32>, %n: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %p = linalg.generic {indexing_maps = [#map, #all, #map], iterator_types = ["parallel", "parallel"]}
      ins(%x, %v : tensor<?x64xf32>, tensor<64xf32>) outs(%n : tensor<?x64xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %r = arith.addf %i, %j : f32
    linalg.yield %r : f32
  } -> tensor<?x64xf32>
  %q = linalg.generic {indexing_maps = [#map, #all, #map], iterator_types = ["parallel", "parallel"]}
      ins(%x, %u : tensor<?x64xf32>, tensor<64xf32>) outs(%n : tensor<?x64xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %r = arith.mulf %i, %j : f32
    linalg.yield %r : f32
  } -> tensor<?x64xf32>
  %a = sparseflow.hadamard %p block 64 : tensor<?x64xf32>
  // REMARK-NOT: rotation before it
  // REMARK: pair.mlir:[[# @LINE + 1]]:{{.*}} remark: [rotation] in the launch of the rotation before it
  %b = sparseflow.hadamard %q block 64 : tensor<?x64xf32>
  %y = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<?x64xf32>, tensor<?x64xf32>) outs(%n : tensor<?x64xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %r = arith.subf %i, %j : f32
    linalg.yield %r : f32
  } -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}
