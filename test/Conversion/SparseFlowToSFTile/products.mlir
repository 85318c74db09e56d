// RUN: sparseflow-opt %s --sparseflow-tensor --sparseflow-tile=target=sm_90a 2>/dev/null | FileCheck %s
// RUN: sparseflow-opt %s --sparseflow-tensor --sparseflow-tile=target=sm_90a 2>&1 >/dev/null | FileCheck %s --check-prefix=WHY

// Products of two activations on sm_90a: wgmma where K is long and rows of the first operand have
// K adjacent, with what follows element by element; mma.sync behind it for narrow copies.

// WHY: remark: [schedule] sm90a.product for a product: block 128x128, 3 stages of K 64
// WHY: remark: [schedule] product for a product of narrow copies: block 128x64, 3 stages of K 64
// CHECK-LABEL: gpu.func @direct_0_product(
// CHECK: sftile.mma_async
// CHECK: sftile.map
// CHECK: arith.mulf
// CHECK: arith.truncf
// CHECK-LABEL: gpu.func @direct_0_product_any(
// CHECK: sftile.mma %
// CHECK-LABEL: gpu.func @narrow_0_product(
// CHECK: sftile.mma_async {{.*}} transposed
// CHECK-LABEL: gpu.func @turned_0_product(
// CHECK: sftile.mma %
// CHECK-LABEL: gpu.func @shallow_0_product(
// CHECK: sftile.mma %

// WHY: remark: [schedule] sm90a.product.narrow for a product: block 64x64, 4 stages of K 64
// WHY: remark: [schedule] product for a product: block 128x64
// WHY: remark: [schedule] product for a product: block 128x64

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
