// Products of two activations on wgmma, with the arithmetic behind them: K of both operands
// adjacent, or columns of the second; odd sizes, tails of K, sizes of a call, narrow results. Where
// rows of the first operand are adjacent, and for pointers of any alignment, mma.sync.

// DEFINE: %{sim} = sparseflow run %s --device sim --races --check --target sm_90a
// RUN: %{sim} --entry direct | FileCheck %s
// RUN: %{sim} --entry across | FileCheck %s
// RUN: %{sim} --entry narrow | FileCheck %s
// RUN: %{sim} --entry turned | FileCheck %s
// RUN: %{sim} --entry sizes --dim T=100 --dim T1=77 | FileCheck %s
// RUN: %{sim} --entry shallow | FileCheck %s
// RUN: %{sim} --entry direct --unaligned | FileCheck %s
// RUN: sparseflow run %s --device sim --races --check --target sm_80 --entry across | FileCheck %s
// CHECK: check result 0: ok

func.func @direct(%a: tensor<2x70x264xf16>, %b: tensor<2x130x264xf16>) -> tensor<2x70x130xf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x70x130xf32>
  %s = linalg.fill ins(%zero : f32) outs(%e : tensor<2x70x130xf32>) -> tensor<2x70x130xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(h, m, n, k) -> (h, m, k)>, affine_map<(h, m, n, k) -> (h, n, k)>, affine_map<(h, m, n, k) -> (h, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%a, %b : tensor<2x70x264xf16>, tensor<2x130x264xf16>) outs(%s : tensor<2x70x130xf32>) {
  ^bb0(%x: f16, %z: f16, %sum: f32):
    %0 = arith.extf %x : f16 to f32
    %1 = arith.extf %z : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %sum, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<2x70x130xf32>
  %eighth = arith.constant 0.125 : f32
  %er = tensor.empty() : tensor<2x70x130xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%p : tensor<2x70x130xf32>) outs(%er : tensor<2x70x130xf16>) {
  ^bb0(%x: f32, %o: f16):
    %0 = arith.mulf %x, %eighth : f32
    %1 = arith.truncf %0 : f32 to f16
    linalg.yield %1 : f16
  } -> tensor<2x70x130xf16>
  return %r : tensor<2x70x130xf16>
}

func.func @across(%a: tensor<3x65x261xbf16>, %b: tensor<3x261x200xbf16>) -> tensor<3x65x200xbf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x65x200xf32>
  %s = linalg.fill ins(%zero : f32) outs(%e : tensor<3x65x200xf32>) -> tensor<3x65x200xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(h, m, n, k) -> (h, m, k)>, affine_map<(h, m, n, k) -> (h, k, n)>, affine_map<(h, m, n, k) -> (h, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%a, %b : tensor<3x65x261xbf16>, tensor<3x261x200xbf16>) outs(%s : tensor<3x65x200xf32>) {
  ^bb0(%x: bf16, %z: bf16, %sum: f32):
    %0 = arith.extf %x : bf16 to f32
    %1 = arith.extf %z : bf16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %sum, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<3x65x200xf32>
  %eighth = arith.constant 0.125 : f32
  %er = tensor.empty() : tensor<3x65x200xbf16>
  %r = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%p : tensor<3x65x200xf32>) outs(%er : tensor<3x65x200xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %0 = arith.mulf %x, %eighth : f32
    %1 = arith.truncf %0 : f32 to bf16
    linalg.yield %1 : bf16
  } -> tensor<3x65x200xbf16>
  return %r : tensor<3x65x200xbf16>
}

func.func @narrow(%a: tensor<2x130x320xf16>, %b: tensor<2x320x40xf16>) -> tensor<2x130x40xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x130x40xf32>
  %s = linalg.fill ins(%zero : f32) outs(%e : tensor<2x130x40xf32>) -> tensor<2x130x40xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(h, m, n, k) -> (h, m, k)>, affine_map<(h, m, n, k) -> (h, k, n)>, affine_map<(h, m, n, k) -> (h, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%a, %b : tensor<2x130x320xf16>, tensor<2x320x40xf16>) outs(%s : tensor<2x130x40xf32>) {
  ^bb0(%x: f16, %z: f16, %sum: f32):
    %0 = arith.extf %x : f16 to f32
    %1 = arith.extf %z : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %sum, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<2x130x40xf32>
  %eighth = arith.constant 0.125 : f32
  %er = tensor.empty() : tensor<2x130x40xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%p : tensor<2x130x40xf32>) outs(%er : tensor<2x130x40xf32>) {
  ^bb0(%x: f32, %o: f32):
    %0 = arith.mulf %x, %eighth : f32
    linalg.yield %0 : f32
  } -> tensor<2x130x40xf32>
  return %r : tensor<2x130x40xf32>
}

func.func @turned(%a: tensor<2x256x33xf16>, %b: tensor<2x256x24xf16>) -> tensor<2x33x24xf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x33x24xf32>
  %s = linalg.fill ins(%zero : f32) outs(%e : tensor<2x33x24xf32>) -> tensor<2x33x24xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(h, m, n, k) -> (h, k, m)>, affine_map<(h, m, n, k) -> (h, k, n)>, affine_map<(h, m, n, k) -> (h, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%a, %b : tensor<2x256x33xf16>, tensor<2x256x24xf16>) outs(%s : tensor<2x33x24xf32>) {
  ^bb0(%x: f16, %z: f16, %sum: f32):
    %0 = arith.extf %x : f16 to f32
    %1 = arith.extf %z : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %sum, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<2x33x24xf32>
  %eighth = arith.constant 0.125 : f32
  %er = tensor.empty() : tensor<2x33x24xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%p : tensor<2x33x24xf32>) outs(%er : tensor<2x33x24xf16>) {
  ^bb0(%x: f32, %o: f16):
    %0 = arith.mulf %x, %eighth : f32
    %1 = arith.truncf %0 : f32 to f16
    linalg.yield %1 : f16
  } -> tensor<2x33x24xf16>
  return %r : tensor<2x33x24xf16>
}

func.func @sizes(%a: tensor<2x?x?xf16>, %b: tensor<2x?x64xf16>) -> tensor<2x?x64xf16> {
  %zero = arith.constant 0.0 : f32
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c1 : tensor<2x?x?xf16>
  %e = tensor.empty(%m) : tensor<2x?x64xf32>
  %s = linalg.fill ins(%zero : f32) outs(%e : tensor<2x?x64xf32>) -> tensor<2x?x64xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(h, m, n, k) -> (h, m, k)>, affine_map<(h, m, n, k) -> (h, k, n)>, affine_map<(h, m, n, k) -> (h, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%a, %b : tensor<2x?x?xf16>, tensor<2x?x64xf16>) outs(%s : tensor<2x?x64xf32>) {
  ^bb0(%x: f16, %z: f16, %sum: f32):
    %0 = arith.extf %x : f16 to f32
    %1 = arith.extf %z : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %sum, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<2x?x64xf32>
  %eighth = arith.constant 0.125 : f32
  %er = tensor.empty(%m) : tensor<2x?x64xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%p : tensor<2x?x64xf32>) outs(%er : tensor<2x?x64xf16>) {
  ^bb0(%x: f32, %o: f16):
    %0 = arith.mulf %x, %eighth : f32
    %1 = arith.truncf %0 : f32 to f16
    linalg.yield %1 : f16
  } -> tensor<2x?x64xf16>
  return %r : tensor<2x?x64xf16>
}

func.func @shallow(%a: tensor<2x33x64xf16>, %b: tensor<2x64x72xf16>) -> tensor<2x33x72xf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x33x72xf32>
  %s = linalg.fill ins(%zero : f32) outs(%e : tensor<2x33x72xf32>) -> tensor<2x33x72xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(h, m, n, k) -> (h, m, k)>, affine_map<(h, m, n, k) -> (h, k, n)>, affine_map<(h, m, n, k) -> (h, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%a, %b : tensor<2x33x64xf16>, tensor<2x64x72xf16>) outs(%s : tensor<2x33x72xf32>) {
  ^bb0(%x: f16, %z: f16, %sum: f32):
    %0 = arith.extf %x : f16 to f32
    %1 = arith.extf %z : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %sum, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<2x33x72xf32>
  %eighth = arith.constant 0.125 : f32
  %er = tensor.empty() : tensor<2x33x72xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%p : tensor<2x33x72xf32>) outs(%er : tensor<2x33x72xf16>) {
  ^bb0(%x: f32, %o: f16):
    %0 = arith.mulf %x, %eighth : f32
    %1 = arith.truncf %0 : f32 to f16
    linalg.yield %1 : f16
  } -> tensor<2x33x72xf16>
  return %r : tensor<2x33x72xf16>
}
