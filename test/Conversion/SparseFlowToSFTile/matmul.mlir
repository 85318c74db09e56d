// RUN: sparseflow-opt %s --split-input-file --sparseflow-tensor --sparseflow-tile=target=sm_80 2>/dev/null | FileCheck %s
// RUN: sparseflow-opt %s --split-input-file --sparseflow-tensor --sparseflow-tile=target=sm_90 2>/dev/null | FileCheck %s --check-prefix=SM90
// RUN: sparseflow-opt %s --split-input-file --sparseflow-tensor --sparseflow-tile=target=sm_80 -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Schedules are pinned, so that the test does not follow the table.

#s = #sftile.schedule<"pinned", block = [64, 32], warp = [32, 16], group = 2, pipeline = #sftile.multistage<k = 64, stages = 3>>

// REMARK: remark: [schedule] pinned in the IR
// REMARK: remark: [copy] rows of 256 elements allow copies of 16 bytes and rows of 128 stores of 16 where pointers are aligned so; otherwise a kernel with single-element copies runs

// A ring of values, metadata and activations; 2 x 2 warps.
// CHECK-LABEL: gpu.func @sparse_0_a
// CHECK-SAME: %[[X:[a-z0-9]+]]: !llvm.ptr<1>, %[[W:[a-z0-9]+]]: !llvm.ptr<1>, %[[M:[a-z0-9]+]]: !llvm.ptr<1>, %[[B:[a-z0-9]+]]: !llvm.ptr<1>, %[[Y:[a-z0-9]+]]: !llvm.ptr<1>, %[[T:[a-z0-9]+]]: i64
// CHECK-SAME: known_block_size = array<i32: 128, 1, 1>
// CHECK-SAME: sftile.schedule = #sftile.schedule<"pinned"
// CHECK-DAG: sftile.view %[[W]][%{{.*}}, %{{.*}}] : <f16, values24>
// CHECK-DAG: sftile.view %[[M]][%{{.*}}, %{{.*}}] : <i32, metadata24>
// CHECK-DAG: sftile.view %[[B]][%c1_i64, %c128_i64] pitch %c128_i64 : <f16, row_major>
// CHECK-DAG: sftile.view %[[Y]][%[[T]], %c128_i64] pitch %c128_i64 : <f16, row_major>
// CHECK: sftile.ring : <3, [<64x32xf16, values24>, <4x32xi32, metadata24>, <32x64xf16, swizzled>]>
// CHECK: sftile.role "main" warps 4
// Two of three stages are filled before the loop, each with three copies.
// CHECK-COUNT-2: sftile.commit
// CHECK: scf.for
// CHECK: sftile.wait
// CHECK: sftile.acquire
// Past the end there are no weights to copy.
// CHECK: scf.if
// CHECK: sftile.copy {{.*}} : <f16, values24> to <64x32xf16, values24>
// CHECK: sftile.copy {{.*}} : <i32, metadata24> to <4x32xi32, metadata24>
// CHECK: }
// Tokens are tested always, K never: it is a multiple of the stage's.
// CHECK: sftile.copy {{.*}} by(#sftile.cp_async<16>) cols_in_bounds : <f16, row_major> to <32x64xf16, swizzled>
// CHECK: sftile.commit
// CHECK: sftile.load {{.*}} : !sftile.tile<4x32xi32, metadata24>
// CHECK: sftile.mma {{.*}}[0] by(#sftile.mma_sp_sync<32, f16>)
// CHECK: sftile.mma {{.*}}[1] by(#sftile.mma_sp_sync<32, f16>)
// CHECK: sftile.release
// CHECK: scf.yield
// CHECK: sftile.load row
// CHECK: sftile.map
// Machines before Hopper have no stmatrix.
// CHECK: sftile.convert_layout %{{.*}} via %{{[a-z0-9]+}} :
// CHECK: sftile.store {{.*}} width 16 cols_in_bounds
// SM90-LABEL: gpu.func @sparse_0_a
// SM90: sftile.convert_layout %{{.*}} via %{{.*}} by(#sftile.stmatrix)

// The kernel for any alignment copies and stores single elements; packed weights
// keep their 16 bytes.
// CHECK-LABEL: gpu.func @sparse_0_any
// CHECK: sftile.copy {{.*}} by(#sftile.cp_async<16>) {{.*}} : <f16, values24>
// CHECK: sftile.copy {{.*}} by(#sftile.ld_st<2>) cols_in_bounds : <f16, row_major>
// CHECK: sftile.store {{.*}} width 2 cols_in_bounds

// The host form: pointers of arguments, results and workspace, and the symbol;
// the metadata stands behind the values, 2 x 4 units of 4096 bytes.
// CHECK-LABEL: func.func @sparse
// CHECK-SAME: %[[X:[a-z0-9]+]]: !llvm.ptr<1>, %[[W:[a-z0-9]+]]: !llvm.ptr<1>, %[[B:[a-z0-9]+]]: !llvm.ptr<1>, %[[Y:[a-z0-9]+]]: !llvm.ptr<1>, %[[WORK:[a-z0-9]+]]: !llvm.ptr<1>, %[[T:[a-z0-9]+]]: i64) -> i64
// CHECK-SAME: sparseflow.symbols = ["T"]
// CHECK: %[[M:.*]] = llvm.getelementptr %[[W]][32768]
// Packed weights, activations, result and bias are each a multiple of 16, or the
// other kernel runs; it needs the weights' alignment alone.
// CHECK: %[[WADDR:.*]] = llvm.ptrtoint %[[W]]
// CHECK: %[[WLOW:.*]] = arith.andi %[[WADDR]], %c15_i64 : i64
// CHECK: %[[WOK:.*]] = arith.cmpi eq, %[[WLOW]], %c0_i64 : i64
// CHECK: llvm.ptrtoint %[[X]]
// CHECK: llvm.ptrtoint %[[Y]]
// CHECK: llvm.ptrtoint %[[B]]
// CHECK: scf.if
// Blocks: token tiles times the two feature tiles.
// CHECK: %[[TILES:.*]] = arith.ceildivui %[[T]], %c32_i64 : i64
// CHECK: %[[BLOCKS:.*]] = arith.muli %[[TILES]], %c2_i64 : i64
// CHECK: %[[GRID:.*]] = arith.index_cast %[[BLOCKS]] : i64 to index
// CHECK: gpu.launch_func @kernels::@sparse_0_a blocks in (%[[GRID]], %c1, %c1) threads in (%c128, %c1, %c1) {{.*}} args(%[[X]] : !llvm.ptr<1>, %[[W]] : !llvm.ptr<1>, %[[M]] : !llvm.ptr<1>, %[[B]] : !llvm.ptr<1>, %[[Y]] : !llvm.ptr<1>, %[[T]] : i64) {sparseflow.op = "matmul", sparseflow.traffic = #map{{[0-9]*}}}
// CHECK: } else {
// CHECK: scf.if %[[WOK]] {
// CHECK: gpu.launch_func @kernels::@sparse_0_any
// CHECK: }
// No workspace.
// CHECK: return %c0_i64 : i64
func.func @sparse(%x: tensor<?x256xf16>, %w: tensor<128x256xf16, #sparseflow.nm<2:4>>, %b: tensor<128xf16>) -> tensor<?x128xf16> {
  %y = sparseflow.matmul %x, %w epilogue(%b : tensor<128xf16>) as [per_feature] {
  ^bb0(%acc: f32, %bias: f16):
    %0 = arith.extf %bias : f16 to f32
    %1 = arith.addf %acc, %0 : f32
    %2 = arith.truncf %1 : f32 to f16
    sparseflow.yield %2 : f16
  } {sftile.schedules = [#s], sftile.unaligned_schedule = #s} : tensor<?x256xf16>, tensor<128x256xf16, #sparseflow.nm<2:4>> -> tensor<?x128xf16>
  return %y : tensor<?x128xf16>
}

// -----

// Dense weights ride the ring swizzled. A K and an N that are no multiple
// of the tiles are tested; rows of 4 elements more than a multiple of 8 allow 8
// bytes at a time.

#s = #sftile.schedule<"pinned", block = [64, 32], warp = [32, 16], group = 2, pipeline = #sftile.multistage<k = 64, stages = 3>>

// REMARK: remark: [copy] rows of 100 elements allow copies of 8 bytes and rows of 90 stores of 4 where

// CHECK-LABEL: gpu.func @dense_0_a
// CHECK: sftile.ring : <3, [<64x64xbf16, swizzled>, <32x64xbf16, swizzled>]>
// CHECK: sftile.copy {{.*}} by(#sftile.cp_async<8>) : <bf16, row_major> to <64x64xbf16, swizzled>
// CHECK: sftile.copy {{.*}} by(#sftile.cp_async<8>) : <bf16, row_major> to <32x64xbf16, swizzled>
// CHECK-COUNT-4: by(#sftile.mma_sync<16, bf16>)
// Operands of every kind, the full one through vectors and a change of layout.
// CHECK: sftile.load col {{.*}} width 2 :
// CHECK: sftile.load transposed {{.*}} width 4 :
// CHECK: sftile.convert_layout {{.*}} by(#sftile.ldmatrix)
// CHECK: sftile.load scalar
// CHECK: sftile.map
// CHECK: sftile.convert_layout
// CHECK: sftile.store {{.*}} width 4 :
// CHECK-LABEL: func.func @dense
// The guards ask for what the copies need: 8 bytes of activations and weights,
// 4 of the result and of the operand that is loaded in vectors.
// CHECK-COUNT-2: arith.andi %{{.*}}, %c7_i64
// CHECK-COUNT-2: arith.andi %{{.*}}, %c3_i64
// CHECK: gpu.launch_func @kernels::@dense_0_a
// The other kernel needs nothing: it stands without a guard.
// CHECK: } else {
// CHECK-NOT: scf.if
// CHECK: gpu.launch_func @kernels::@dense_0_any
func.func @dense(%x: tensor<?x100xbf16>, %w: tensor<90x100xbf16>, %t: tensor<?xbf16>, %r: tensor<?x90xbf16>, %s: tensor<f32>) -> tensor<?x90xbf16> {
  %y = sparseflow.matmul %x, %w epilogue(%t, %r, %s : tensor<?xbf16>, tensor<?x90xbf16>, tensor<f32>) as [per_token, full, scalar] {
  ^bb0(%acc: f32, %token: bf16, %res: bf16, %scale: f32):
    %0 = arith.extf %token : bf16 to f32
    %1 = arith.addf %acc, %0 : f32
    %2 = arith.extf %res : bf16 to f32
    %3 = arith.addf %1, %2 : f32
    %4 = arith.mulf %3, %scale : f32
    %5 = arith.truncf %4 : f32 to bf16
    sparseflow.yield %5 : bf16
  } {sftile.schedules = [#s], sftile.unaligned_schedule = #s} : tensor<?x100xbf16>, tensor<90x100xbf16> -> tensor<?x90xbf16>
  return %y : tensor<?x90xbf16>
}

// -----

// Classes of token numbers are tested in order; the last has no bound.

#few = #sftile.schedule<"few", block = [64, 16], warp = [16, 16], max_tokens = 16, pipeline = #sftile.multistage<k = 64, stages = 3>>
#many = #sftile.schedule<"many", block = [64, 64], warp = [32, 32], group = 8, pipeline = #sftile.multistage<k = 64, stages = 3>>

// CHECK-LABEL: func.func @classes
// CHECK-SAME: %[[T:[a-z0-9]+]]: i64) -> i64
// CHECK: arith.cmpi ule, %[[T]], %c16_i64 : i64
// CHECK: gpu.launch_func @kernels::@classes_0_a
// CHECK: } else {
// CHECK-NOT: arith.cmpi ule
// CHECK: gpu.launch_func @kernels::@classes_0_b
// CHECK: } else {
// CHECK: gpu.launch_func @kernels::@classes_0_any
func.func @classes(%x: tensor<?x64xf16>, %w: tensor<64x64xf16>) -> tensor<?x64xf16> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } {sftile.schedules = [#few, #many], sftile.unaligned_schedule = #many} : tensor<?x64xf16>, tensor<64x64xf16> -> tensor<?x64xf16>
  return %y : tensor<?x64xf16>
}

// -----

// Split-K is two launches: partial sums of f32 into the workspace, then
// their sum in order with the epilogue. The workspace holds 3 x T x 128 of them,
// with T bounded by what the guard lets through.

#split = #sftile.schedule<"split", block = [64, 16], warp = [16, 16], split_k = 3, max_tokens = 16, pipeline = #sftile.multistage<k = 64, stages = 3>>
#whole = #sftile.schedule<"whole", block = [64, 64], warp = [32, 32], group = 8, pipeline = #sftile.multistage<k = 64, stages = 3>>
#add = #sftile.schedule<"add", block = [64, 16], warp = [64, 8]>

// The part's first step, and how many of the seven it has: 3, 3 and 1.
// CHECK-LABEL: gpu.func @split_0_a(
// CHECK-SAME: %{{.*}}: !llvm.ptr<1>, %{{.*}}: !llvm.ptr<1>, %{{.*}}: !llvm.ptr<1>, %[[PARTS:[a-z0-9]+]]: !llvm.ptr<1>, %[[T:[a-z0-9]+]]: i64)
// CHECK: %[[SPLIT:.*]] = arith.remui %{{.*}}, %c3 : index
// CHECK: %[[FIRST:.*]] = arith.muli %[[SPLIT]], %c3 : index
// CHECK: %[[REST:.*]] = arith.subi %c7, %[[FIRST]] : index
// CHECK: %[[SOME:.*]] = arith.minsi %[[REST]], %c3 : index
// CHECK: arith.maxsi %[[SOME]], %c0 : index
// The partial sums are stored as they are: no operand is read, nothing applied.
// CHECK-NOT: sftile.load {{.*}} width
// CHECK-NOT: sftile.map
// CHECK: sftile.view %{{.*}}[%[[T]], %c128_i64] pitch %c128_i64 : <f32, row_major>
// CHECK: sftile.store {{.*}} width 16 cols_in_bounds : <{{.*}}xf32
// CHECK-LABEL: gpu.func @split_0_a_reduce(
// CHECK-COUNT-3: sftile.load transposed
// CHECK: %[[SUM:.*]] = sftile.map
// CHECK: arith.addf
// CHECK: sftile.map %[[SUM]], %{{.*}}
// CHECK: arith.addf
// CHECK: sftile.load row
// CHECK: sftile.map
// CHECK: arith.truncf
// CHECK: sftile.store {{.*}} : <64x8xf16
// CHECK-LABEL: func.func @split(
// CHECK-SAME: %[[X:[a-z0-9]+]]: !llvm.ptr<1>, %[[W:[a-z0-9]+]]: !llvm.ptr<1>, %[[B:[a-z0-9]+]]: !llvm.ptr<1>, %[[Y:[a-z0-9]+]]: !llvm.ptr<1>, %[[WORK:[a-z0-9]+]]: !llvm.ptr<1>, %[[T:[a-z0-9]+]]: i64) -> i64
// CHECK-DAG: %[[COUNTED:.*]] = arith.minui %[[T]], %c16_i64 : i64
// CHECK-DAG: %[[BYTES:.*]] = arith.muli %[[COUNTED]], %c1536_i64 : i64
// CHECK-DAG: %[[UNITS:.*]] = arith.ceildivui %[[BYTES]], %c256_i64 : i64
// CHECK-DAG: %[[SIZE:.*]] = arith.muli %[[UNITS]], %c256_i64 : i64
// CHECK: scf.if
// CHECK: gpu.launch_func @kernels::@split_0_a blocks {{.*}} args(%[[X]] : !llvm.ptr<1>, %[[W]] : !llvm.ptr<1>, %{{.*}} : !llvm.ptr<1>, %[[PART:[a-z0-9]+]] : !llvm.ptr<1>, %[[T]] : i64)
// CHECK: gpu.launch_func @kernels::@split_0_a_reduce blocks {{.*}} args(%[[PART]] : !llvm.ptr<1>, %[[B]] : !llvm.ptr<1>, %[[Y]] : !llvm.ptr<1>, %[[T]] : i64)
// CHECK: } else {
// CHECK: return %{{.*}} : i64
func.func @split(%x: tensor<?x448xf16>, %w: tensor<128x448xf16, #sparseflow.nm<2:4>>, %b: tensor<128xf16>) -> tensor<?x128xf16> {
  %y = sparseflow.matmul %x, %w epilogue(%b : tensor<128xf16>) as [per_feature] {
  ^bb0(%acc: f32, %bias: f16):
    %0 = arith.extf %bias : f16 to f32
    %1 = arith.addf %acc, %0 : f32
    %2 = arith.truncf %1 : f32 to f16
    sparseflow.yield %2 : f16
  } {sftile.schedules = [#split, #whole], sftile.unaligned_schedule = #whole, sftile.reduce_schedule = #add} : tensor<?x448xf16>, tensor<128x448xf16, #sparseflow.nm<2:4>> -> tensor<?x128xf16>
  return %y : tensor<?x128xf16>
}
