// RUN: sparseflow-opt %s --split-input-file --sparseflow-tensor --sparseflow-tile=target=sm_80 2>/dev/null | FileCheck %s

// Tensor ops that no matmul takes in are kernels of their own.

#full = affine_map<(b, t, n) -> (b, t, n)>
#feature = affine_map<(b, t, n) -> (n)>
#token = affine_map<(b, t, n) -> (b, t)>
#one = affine_map<(b, t, n) -> ()>

// Four results are 16 bytes. Of the operands one is read as it lies, by 8 bytes,
// one by features, one once for all lanes.
// CHECK-LABEL: gpu.func @map_0_map(
// CHECK-SAME: known_block_size = array<i32: 256, 1, 1>
// CHECK-DAG: llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr<1> -> vector<4xf16>
// CHECK-DAG: llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr<1> -> vector<4xf16>
// CHECK-DAG: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK-DAG: llvm.load %{{.*}} {alignment = 2 : i64} : !llvm.ptr<1> -> f16
// CHECK-COUNT-8: math.exp
// CHECK: llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
// Pointers that are not aligned, element by element.
// CHECK-LABEL: gpu.func @map_0_map_any(
// CHECK-NOT: vector
// CHECK: llvm.store %{{.*}} {alignment = 4 : i64} : f32, !llvm.ptr<1>
// CHECK-LABEL: func.func @map(
// CHECK-SAME: %[[B:[a-z0-9]+]]: i64, %[[T:[a-z0-9]+]]: i64) -> i64
// CHECK: scf.if
// CHECK: gpu.launch_func @kernels::@map_0_map blocks {{.*}} {sparseflow.op = "map", sparseflow.traffic = #map{{[0-9]*}}}
// CHECK: } else {
// CHECK: gpu.launch_func @kernels::@map_0_map_any blocks {{.*}} {sparseflow.op = "map", sparseflow.traffic = #map{{[0-9]*}}}
func.func @map(%x: tensor<?x?x100xf16>, %f: tensor<100xf16>, %t: tensor<?x?xf32>, %s: tensor<f16>) -> tensor<?x?x100xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = tensor.dim %x, %c0 : tensor<?x?x100xf16>
  %n = tensor.dim %x, %c1 : tensor<?x?x100xf16>
  %e = tensor.empty(%b, %n) : tensor<?x?x100xf32>
  %y = linalg.generic {indexing_maps = [#full, #feature, #token, #one, #full], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %f, %t, %s : tensor<?x?x100xf16>, tensor<100xf16>, tensor<?x?xf32>, tensor<f16>) outs(%e : tensor<?x?x100xf32>) {
  ^bb0(%a: f16, %v: f16, %w: f32, %z: f16, %out: f32):
    %0 = arith.mulf %a, %v : f16
    %1 = arith.mulf %0, %z : f16
    %2 = arith.extf %1 : f16 to f32
    %3 = arith.addf %2, %w : f32
    %4 = math.exp %3 : f32
    linalg.yield %4 : f32
  } -> tensor<?x?x100xf32>
  return %y : tensor<?x?x100xf32>
}

// -----

#id = affine_map<(t, n) -> (t, n)>

// Remainders of the columns of a vector, as rotary positions have them, are columns of
// a vector.
// CHECK-LABEL: gpu.func @halves_0_map(
// CHECK-DAG: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<8xf16>
// CHECK-DAG: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK-DAG: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK-NOT: llvm.load
// CHECK-LABEL: gpu.func @halves_0_map_any(
func.func @halves(%x: tensor<16x64xf16>, %table: tensor<16x32xf32>) -> tensor<16x64xf16> {
  %e = tensor.empty() : tensor<16x64xf16>
  %y = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<16x64xf16>) {
  ^bb0(%out: f16):
    %t = linalg.index 0 : index
    %d = linalg.index 1 : index
    %half = arith.constant 32 : index
    %whole = arith.constant 64 : index
    %pair = arith.remsi %d, %half : index
    %behind = arith.addi %d, %half : index
    %other = arith.remsi %behind, %whole : index
    %a = tensor.extract %x[%t, %other] : tensor<16x64xf16>
    %c = tensor.extract %table[%t, %pair] : tensor<16x32xf32>
    %0 = arith.extf %a : f16 to f32
    %1 = arith.mulf %0, %c : f32
    %2 = arith.truncf %1 : f32 to f16
    linalg.yield %2 : f16
  } -> tensor<16x64xf16>
  return %y : tensor<16x64xf16>
}

// -----

#id = affine_map<(t, n) -> (t, n)>

// A result that the caller gets is read where it lies.
// CHECK-LABEL: func.func @parts(
// CHECK-SAME: %[[X:[a-z0-9]+]]: !llvm.ptr<1>, %[[Y:[a-z0-9]+]]: !llvm.ptr<1>, %[[Z:[a-z0-9]+]]: !llvm.ptr<1>, %[[WORK:[a-z0-9]+]]: !llvm.ptr<1>, %[[T:[a-z0-9]+]]: i64) -> i64
// CHECK: gpu.launch_func @kernels::@parts_0_map {{.*}} args(%[[X]] : !llvm.ptr<1>, %[[Y]] : !llvm.ptr<1>, %[[T]] : i64)
// CHECK: gpu.launch_func @kernels::@parts_1_map {{.*}} args(%[[Y]] : !llvm.ptr<1>, %[[Z]] : !llvm.ptr<1>, %[[T]] : i64)
func.func @parts(%x: tensor<?x64xf16>) -> (tensor<?x64xf16>, tensor<?x64xf16>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x64xf16>
  %e = tensor.empty(%n) : tensor<?x64xf16>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x64xf16>) outs(%e : tensor<?x64xf16>) {
  ^bb0(%a: f16, %out: f16):
    %0 = arith.negf %a : f16
    linalg.yield %0 : f16
  } -> tensor<?x64xf16>
  %z = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<?x64xf16>) outs(%e : tensor<?x64xf16>) {
  ^bb0(%a: f16, %out: f16):
    %0 = math.absf %a : f16
    linalg.yield %0 : f16
  } -> tensor<?x64xf16>
  return %y, %z : tensor<?x64xf16>, tensor<?x64xf16>
}

// -----

// A softmax is one kernel: the row is loaded once, its reductions meet in shared
// memory, and it is stored from registers.

#id = affine_map<(t, n) -> (t, n)>
#row = affine_map<(t, n) -> (t)>

// CHECK-LABEL: gpu.func @softmax_0_rows(
// CHECK-SAME: known_block_size = array<i32: 128, 1, 1>
// CHECK-COUNT-2: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<8xf16>
// CHECK-NOT: !llvm.ptr<1> ->
// CHECK: gpu.shuffle
// CHECK: gpu.barrier
// CHECK-COUNT-16: math.exp
// CHECK: gpu.barrier
// CHECK-COUNT-2: llvm.store %{{.*}} {alignment = 16 : i64} : vector<8xf16>, !llvm.ptr<1>
// CHECK: gpu.return
// CHECK-LABEL: func.func @softmax(
func.func @softmax(%x: tensor<6x2048xf16>) -> tensor<6x2048xf16> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %ef = tensor.empty() : tensor<6x2048xf32>
  %er = tensor.empty() : tensor<6xf32>
  %eh = tensor.empty() : tensor<6x2048xf16>
  %lows = linalg.fill ins(%low : f32) outs(%er : tensor<6xf32>) -> tensor<6xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%er : tensor<6xf32>) -> tensor<6xf32>
  %wide = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<6x2048xf16>) outs(%ef : tensor<6x2048xf32>) {
  ^bb0(%a: f16, %out: f32):
    %0 = arith.extf %a : f16 to f32
    linalg.yield %0 : f32
  } -> tensor<6x2048xf32>
  %top = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%wide : tensor<6x2048xf32>) outs(%lows : tensor<6xf32>) {
  ^bb0(%a: f32, %out: f32):
    %0 = arith.maximumf %a, %out : f32
    linalg.yield %0 : f32
  } -> tensor<6xf32>
  %exp = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%wide, %top : tensor<6x2048xf32>, tensor<6xf32>) outs(%ef : tensor<6x2048xf32>) {
  ^bb0(%a: f32, %m: f32, %out: f32):
    %0 = arith.subf %a, %m : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<6x2048xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%exp : tensor<6x2048xf32>) outs(%zeros : tensor<6xf32>) {
  ^bb0(%a: f32, %out: f32):
    %0 = arith.addf %a, %out : f32
    linalg.yield %0 : f32
  } -> tensor<6xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%exp, %sum : tensor<6x2048xf32>, tensor<6xf32>) outs(%eh : tensor<6x2048xf16>) {
  ^bb0(%a: f32, %s: f32, %out: f16):
    %0 = arith.divf %a, %s : f32
    %1 = arith.truncf %0 : f32 to f16
    linalg.yield %1 : f16
  } -> tensor<6x2048xf16>
  return %y : tensor<6x2048xf16>
}

// -----

// A product of activations: copies of 16 bytes where pitches and pointers allow, else of
// elements; the sizes that are dynamic are parameters.

// CHECK-LABEL: gpu.func @product_0_product(
// CHECK-SAME: sftile.schedule = #sftile.schedule<"product", block = [128, 64]
// CHECK: sftile.copy {{.*}} by(#sftile.cp_async<16>) : <f16, row_major> to <64x64xf16, swizzled>
// CHECK: sftile.copy {{.*}} by(#sftile.cp_async<16>) : <f16, row_major> to <64x128xf16, swizzled>
// CHECK: sftile.mma
// CHECK: sftile.store
// CHECK-LABEL: gpu.func @product_0_product_any(
// CHECK: sftile.copy {{.*}} by(#sftile.ld_st<2>)
// CHECK-LABEL: func.func @product(
// CHECK: gpu.launch_func @kernels::@product_0_product blocks {{.*}} {sparseflow.op = "product", sparseflow.traffic = #map{{[0-9]*}}}
// CHECK: } else {
// CHECK: gpu.launch_func @kernels::@product_0_product_any blocks
func.func @product(%a: tensor<2x?x64xf16>, %b: tensor<2x64x?xf16>) -> tensor<2x?x?xf32> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c1 : tensor<2x?x64xf16>
  %n = tensor.dim %b, %c2 : tensor<2x64x?xf16>
  %e = tensor.empty(%m, %n) : tensor<2x?x?xf32>
  %s = linalg.fill ins(%zero : f32) outs(%e : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %y = linalg.batch_matmul ins(%a, %b : tensor<2x?x64xf16>, tensor<2x64x?xf16>) outs(%s : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  return %y : tensor<2x?x?xf32>
}
