// RUN: sparseflow-opt %s --split-input-file --sparseflow-tensor --sparseflow-tile=target=sm_80 2>/dev/null | FileCheck %s
// RUN: sparseflow-opt %s --split-input-file --sparseflow-tensor --sparseflow-tile=target=sm_80 -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Elementwise linalg that no matmul takes in is a kernel of its own.

#add = #sftile.schedule<"pinned", block = [128, 16], warp = [64, 8]>

#full = affine_map<(b, t, n) -> (b, t, n)>
#feature = affine_map<(b, t, n) -> (n)>
#token = affine_map<(b, t, n) -> (b, t)>
#one = affine_map<(b, t, n) -> ()>

// REMARK: remark: [schedule] pinned in the IR

// CHECK-LABEL: gpu.func @map_0_map(
// CHECK-SAME: known_block_size = array<i32: 128, 1, 1>
// CHECK-NOT: sftile.ring
// CHECK-NOT: sftile.shared
// CHECK: sftile.load transposed {{.*}} width 8 :
// CHECK: sftile.load row {{.*}} width 8 :
// CHECK: sftile.load col {{.*}} width 4 :
// CHECK: sftile.load scalar {{.*}} width 2 :
// CHECK: sftile.map
// CHECK: math.exp
// CHECK: sftile.store {{.*}} width 16 :
// CHECK-LABEL: gpu.func @map_0_map_any(
// CHECK: sftile.load transposed {{.*}} width 2 :
// CHECK: sftile.store {{.*}} width 4 :
// Leading dimensions fold into rows: B * T of them.
// CHECK-LABEL: func.func @map(
// CHECK-SAME: %[[B:[a-z0-9]+]]: i64, %[[T:[a-z0-9]+]]: i64) -> i64
// CHECK: %[[ROWS:.*]] = arith.muli %[[B]], %[[T]] : i64
// CHECK: scf.if
// CHECK: arith.ceildivui %[[ROWS]], %c8_i64
// CHECK: gpu.launch_func @kernels::@map_0_map blocks {{.*}} {sparseflow.op = "map"}
// CHECK: } else {
// CHECK: gpu.launch_func @kernels::@map_0_map_any blocks {{.*}} {sparseflow.op = "map"}
func.func @map(%x: tensor<?x?x100xf16>, %f: tensor<100xf16>, %t: tensor<?x?xf32>, %s: tensor<f16>) -> tensor<?x?x100xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = tensor.dim %x, %c0 : tensor<?x?x100xf16>
  %n = tensor.dim %x, %c1 : tensor<?x?x100xf16>
  %e = tensor.empty(%b, %n) : tensor<?x?x100xf32>
  %y = linalg.generic {indexing_maps = [#full, #feature, #token, #one, #full], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %f, %t, %s : tensor<?x?x100xf16>, tensor<100xf16>, tensor<?x?xf32>, tensor<f16>) outs(%e : tensor<?x?x100xf32>)
      attrs = {sftile.schedules = [#add]} {
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

// Any schedule serves: parts of a warp with few or with an odd number of vectors
// take narrower ones.

#small = #sftile.schedule<"small", block = [64, 8], warp = [16, 8]>
#odd = #sftile.schedule<"odd", block = [192, 24], warp = [48, 24]>
#id = affine_map<(t, n) -> (t, n)>

// CHECK-LABEL: gpu.func @parts_0_map(
// CHECK: sftile.store {{.*}} : <16x8xf16
// CHECK-LABEL: gpu.func @parts_1_map(
// CHECK: sftile.store {{.*}} : <48x24xf16
// An intermediate lives in the workspace.
// CHECK-LABEL: func.func @parts(
// CHECK-SAME: %[[X:[a-z0-9]+]]: !llvm.ptr<1>, %[[Y:[a-z0-9]+]]: !llvm.ptr<1>, %[[Z:[a-z0-9]+]]: !llvm.ptr<1>, %[[WORK:[a-z0-9]+]]: !llvm.ptr<1>, %[[T:[a-z0-9]+]]: i64) -> i64
// CHECK: gpu.launch_func @kernels::@parts_0_map {{.*}} args(%[[X]] : !llvm.ptr<1>, %[[Y]] : !llvm.ptr<1>, %[[T]] : i64)
// CHECK: gpu.launch_func @kernels::@parts_1_map {{.*}} args(%[[Y]] : !llvm.ptr<1>, %[[Z]] : !llvm.ptr<1>, %[[T]] : i64)
func.func @parts(%x: tensor<?x64xf16>) -> (tensor<?x64xf16>, tensor<?x64xf16>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x64xf16>
  %e = tensor.empty(%n) : tensor<?x64xf16>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x64xf16>) outs(%e : tensor<?x64xf16>) attrs = {sftile.schedules = [#small]} {
  ^bb0(%a: f16, %out: f16):
    %0 = arith.negf %a : f16
    linalg.yield %0 : f16
  } -> tensor<?x64xf16>
  %z = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<?x64xf16>) outs(%e : tensor<?x64xf16>) attrs = {sftile.schedules = [#odd]} {
  ^bb0(%a: f16, %out: f16):
    %0 = math.absf %a : f16
    linalg.yield %0 : f16
  } -> tensor<?x64xf16>
  return %y, %z : tensor<?x64xf16>, tensor<?x64xf16>
}

// -----

// A matrix that is read across its rows: one element at a time, at the place that the
// fragment has.
#add = #sftile.schedule<"pinned", block = [128, 16], warp = [64, 8]>

// CHECK-LABEL: gpu.func @turn_0_map(
// CHECK: %[[COLS:.*]] = arith.constant 100 : i64
// CHECK: %[[V:.*]] = sftile.view %arg0[%[[COLS]], %arg3] pitch %arg3
// CHECK: sftile.load %[[V]]{{.*}} width 2 : !sftile.view<f16, row_major>
// CHECK: sftile.load transposed {{.*}} width 8 :
// CHECK: sftile.store {{.*}} width 8 :
func.func @turn(%x: tensor<100x32xf16>, %y: tensor<32x100xf16>) -> tensor<32x100xf16> {
  %e = tensor.empty() : tensor<32x100xf16>
  %z = linalg.generic {indexing_maps = [affine_map<(t, n) -> (n, t)>, affine_map<(t, n) -> (t, n)>, affine_map<(t, n) -> (t, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<100x32xf16>, tensor<32x100xf16>) outs(%e : tensor<32x100xf16>)
      attrs = {sftile.schedules = [#add]} {
  ^bb0(%a: f16, %b: f16, %out: f16):
    %0 = arith.addf %a, %b : f16
    linalg.yield %0 : f16
  } -> tensor<32x100xf16>
  return %z : tensor<32x100xf16>
}
