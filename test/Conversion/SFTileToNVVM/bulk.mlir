// RUN: sparseflow-opt %s --pass-pipeline="builtin.module(sftile-assign-resources{max-shared-bytes=232448},gpu.module(convert-sftile-to-nvvm,canonicalize,cse))" | FileCheck %s

// A ring between roles, bulk copies into it, and results that leave through
// shared memory.

#c = #sftile.layout<registers = [[0, 1], [8, 0]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>

#acc = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
!units = !sftile.ring<2, [!sftile.tile<128x32xf16, values24>, !sftile.tile<8x32xi32, metadata24>]>
!ring = !sftile.ring<3, [!sftile.tile<64x32xf16, values24>, !sftile.tile<128x64xf16, swizzled>]>
!pair = !sftile.ring<2, [!sftile.tile<64x64xf16, swizzled>, !sftile.tile<64x64xf16, swizzled>]>

// CHECK-LABEL: gpu.func @pipeline
// One thread makes the barriers: one arrival for a stage that is full, and one
// of every four warps that read it, in each of two blocks, for an empty one.
// CHECK: scf.if
// CHECK-COUNT-3: nvvm.mbarrier.init %{{.*}}, %[[ONE:.*]] : !llvm.ptr<3>, i32
// CHECK-COUNT-3: nvvm.mbarrier.init %{{.*}}, %[[FOUR:.*]] : !llvm.ptr<3>, i32
// CHECK-NEXT: nvvm.fence.mbarrier.init
// The fence is what orders this: the arrival waits for no other memory.
// CHECK: nvvm.cluster.arrive.relaxed
// CHECK-NEXT: nvvm.cluster.wait
// CHECK: nvvm.griddepcontrol launch_dependents
// CHECK-NEXT: nvvm.griddepcontrol wait
// The leader alone fills: it waits for the stage and says how much will come.
// CHECK: scf.if
// CHECK-NEXT: nvvm.setmaxregister decrease 40
// One thread of the first warp, by an instruction that says that it is one.
// CHECK: %[[FIRST:.*]] = arith.cmpi ult, %{{.*}}, %c32_i32
// CHECK-NEXT: scf.if %[[FIRST]]
// CHECK-NEXT: %[[ONLY:.*]] = nvvm.elect.sync
// CHECK-NEXT: scf.if %[[ONLY]]
// CHECK: llvm.inline_asm has_side_effects "{ .reg .pred p; WAIT: mbarrier.try_wait.parity.shared::cta.b64 p, [$0], $1; @p bra DONE; bra WAIT; DONE: }", "r,r,~{memory}"
// CHECK: nvvm.mbarrier.arrive.expect_tx %{{.*}}, %c20480_i32
// CHECK: nvvm.read.ptx.sreg.cluster.ctarank
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %{{.*}}, %{{.*}}, box[%{{.*}}, %{{.*}}] multicast_mask = %{{.*}}
// CHECK: nvvm.cp.async.bulk.shared.cluster.global
// Readers wait for the bytes and give the stage back to both blocks.
// CHECK: nvvm.setmaxregister increase 232
// CHECK: mbarrier.try_wait.parity
// CHECK: nvvm.mapa
// CHECK-NEXT: nvvm.mbarrier.arrive
// Four warps share a box: its source must have been read before it is filled,
// and be complete, for the asynchronous proxy, before it is sent.
// CHECK: nvvm.cp.async.bulk.wait_group 1 {read}
// CHECK: nvvm.barrier id = %{{.*}} number_of_threads = %{{.*}}
// CHECK: nvvm.stmatrix
// CHECK: nvvm.fence.proxy
// CHECK-NEXT: nvvm.barrier id
// CHECK: scf.if
// CHECK: nvvm.cp.async.bulk.tensor.global.shared.cta
// CHECK-NEXT: nvvm.cp.async.bulk.commit.group
// No block leaves while another may still signal its barriers.
// CHECK: nvvm.cluster.arrive
// CHECK-NEXT: nvvm.cluster.wait
// CHECK-NEXT: gpu.return

// The last tile of two blocks that copy for each other: their parts begin at
// multiples of the box's rows, and the stage expects no more than comes.
// CHECK-LABEL: gpu.func @last_tile
// CHECK-SAME: i64, %[[ROWS:[a-z0-9]+]]: i64)
// CHECK: %[[SHORT:.*]] = arith.trunci %[[ROWS]] : i64 to i32
// CHECK: %[[X:.*]] = arith.muli %[[SHORT]], %c256_i32
// CHECK: %[[ALL:.*]] = arith.addi %[[X]], %c4096_i32
// CHECK: nvvm.mbarrier.arrive.expect_tx %{{.*}}, %[[ALL]]
// CHECK: %[[RANK:.*]] = nvvm.read.ptx.sreg.cluster.ctarank
// CHECK: %[[BEFORE:.*]] = arith.muli %[[RANK]], %[[SHORT]]
// CHECK: arith.addi %{{.*}}, %[[BEFORE]]
// CHECK: arith.muli %[[BEFORE]], %c128_i32
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global

// Packed weights by a tensor map: two dimensions inside a unit, then columns and
// rows of units; the bytes are those of the whole tile.
// CHECK-LABEL: gpu.func @units
// CHECK: nvvm.mbarrier.arrive.expect_tx %{{.*}}, %c9216_i32
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %{{.*}}, %{{.*}}, box[%c0_i32, %c0_i32, %[[COL:.*]], %[[ROW:.*]]] :
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %{{.*}}, %{{.*}}, box[%c0_i32, %c0_i32, %[[COL]], %[[ROW]]] :
// CHECK-NOT: nvvm.cp.async.bulk

// A tile in two pieces, whose bytes are those of the tile, and one that is read once: the
// policy L2::evict_first.
// CHECK-LABEL: gpu.func @behind
// CHECK: %[[HINT:.*]] = llvm.mlir.constant(1364590687093260288 : i64)
// CHECK: nvvm.mbarrier.arrive.expect_tx %{{.*}}, %c16384_i32
// CHECK: llvm.addrspacecast %[[SLOT:[0-9]+]] : !llvm.ptr<3> to !llvm.ptr<7>
// CHECK-NEXT: nvvm.cp.async.bulk.tensor.shared.cluster.global
// CHECK: %[[HALF:.*]] = llvm.getelementptr %[[SLOT]][4096]
// CHECK: %[[TO:.*]] = llvm.addrspacecast %[[HALF]]
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %[[TO]],
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}} l2_cache_hint = %[[HINT]]
// CHECK: mbarrier.try_wait.parity
// What threads write to a tile that copies filled, the role's MMAs see behind it.
// CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<3>
// CHECK: nvvm.fence.proxy
// CHECK-NEXT: nvvm.barrier id = %c2_i32 number_of_threads = %c256_i32
gpu.module @kernels {
  gpu.func @pipeline(%map: !llvm.ptr, %weights: !llvm.ptr<1>, %out: !llvm.ptr, %i: index, %row: i64, %col: i64, %y: f16)
      kernel attributes {known_block_size = array<i32: 384, 1, 1>, nvvm.cluster_dim = array<i32: 2, 1, 1>} {
    %x = sftile.view %map : !sftile.view<f16, tensor_map>
    %w = sftile.view %weights[%row, %col] : !sftile.view<f16, values24>
    %o = sftile.view %out : !sftile.view<f16, tensor_map>
    %ring = sftile.ring : !ring
    sftile.griddep launch_dependents
    sftile.griddep wait
    sftile.role "copy" warps 4 leader registers 40 {
      %s:2 = sftile.acquire %ring[%i] : !ring -> !sftile.slot<64x32xf16, values24>, !sftile.slot<128x64xf16, swizzled>
      sftile.copy %x[%row, %col] to %s#1 by (#sftile.tma) shared_by 2 : !sftile.view<f16, tensor_map> to !sftile.slot<128x64xf16, swizzled>
      sftile.copy %w[%row, %col] to %s#0 by (#sftile.bulk) rows_in_bounds cols_in_bounds : !sftile.view<f16, values24> to !sftile.slot<64x32xf16, values24>
      sftile.commit %ring[%i] : !ring
    }
    sftile.role "multiply" warps 8 registers 232 {
      %c0 = arith.constant 0 : index
      %box = sftile.shared warps 8 sharers 4 : !sftile.tile<64x64xf16, swizzled>
      %t:2 = sftile.wait %ring[%i] : !ring -> !sftile.tile<64x32xf16, values24>, !sftile.tile<128x64xf16, swizzled>
      %zero = arith.constant 0.0 : f32
      %none = sftile.broadcast %zero : f32 -> !sftile.frag<16x128xf32, #c>
      %m = arith.constant 0 : i32
      %meta = sftile.broadcast %m : i32 -> !sftile.frag<1x32xi32, #sftile.layout<registers = [], lanes = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]]>>
      %p = sftile.mma_async %t#0[%c0, %c0], %t#1[%c0, %c0], %none metadata %meta[0] by (#sftile.wgmma<f16, sparse>)
          : !sftile.tile<64x32xf16, values24>, !sftile.tile<128x64xf16, swizzled>, !sftile.frag<16x128xf32, #c>, !sftile.frag<1x32xi32, #sftile.layout<registers = [], lanes = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]]>>
          -> !sftile.pending<!sftile.frag<16x128xf32, #c>>
      %group = sftile.commit_group %p by (#sftile.wgmma<f16, sparse>) : !sftile.pending<!sftile.frag<16x128xf32, #c>>
      %acc = sftile.wait_group %group by (#sftile.wgmma<f16, sparse>) : !sftile.pending<!sftile.frag<16x128xf32, #c>> -> !sftile.frag<16x128xf32, #c>
      sftile.release %ring[%i] : !ring
      sftile.wait_group pending 1 from (%box : !sftile.tile<64x64xf16, swizzled>) by (#sftile.tma)
      %v = sftile.broadcast %y : f16 -> !sftile.frag<16x16xf16, #c>
      sftile.store transposed %v to %box[%c0, %c0] by (#sftile.stmatrix) : !sftile.frag<16x16xf16, #c> to !sftile.tile<64x64xf16, swizzled>
      sftile.tma_store %box to %o[%row, %col] by (#sftile.tma) : !sftile.tile<64x64xf16, swizzled> to !sftile.view<f16, tensor_map>
    }
    gpu.return
  }

  gpu.func @last_tile(%map: !llvm.ptr, %weights: !llvm.ptr<1>, %i: index, %row: i64, %rows: i64)
      kernel attributes {known_block_size = array<i32: 384, 1, 1>, nvvm.cluster_dim = array<i32: 2, 1, 1>} {
    %x = sftile.view %map : !sftile.view<f16, tensor_map>
    %w = sftile.view %weights[%row, %row] : !sftile.view<f16, values24>
    %ring = sftile.ring : !ring
    sftile.role "copy" warps 4 leader {
      %s:2 = sftile.acquire %ring[%i] : !ring -> !sftile.slot<64x32xf16, values24>, !sftile.slot<128x64xf16, swizzled>
      sftile.copy %x[%row, %row] to %s#1 rows %rows by (#sftile.tma) shared_by 2 : !sftile.view<f16, tensor_map> to !sftile.slot<128x64xf16, swizzled>
      sftile.copy %w[%row, %row] to %s#0 by (#sftile.bulk) rows_in_bounds cols_in_bounds : !sftile.view<f16, values24> to !sftile.slot<64x32xf16, values24>
      sftile.commit %ring[%i] : !ring
    }
    sftile.role "read" warps 8 {
      %t:2 = sftile.wait %ring[%i] : !ring -> !sftile.tile<64x32xf16, values24>, !sftile.tile<128x64xf16, swizzled>
      sftile.release %ring[%i] : !ring
    }
    gpu.return
  }

  gpu.func @units(%values: !llvm.ptr, %metadata: !llvm.ptr, %i: index, %row: i64, %col: i64)
      kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %v = sftile.view %values : !sftile.view<f16, tensor_map>
    %m = sftile.view %metadata : !sftile.view<i32, tensor_map>
    %ring = sftile.ring : !units
    sftile.role "copy" warps 4 leader registers 40 {
      %s:2 = sftile.acquire %ring[%i] : !units -> !sftile.slot<128x32xf16, values24>, !sftile.slot<8x32xi32, metadata24>
      sftile.copy %v[%row, %col] to %s#0 by (#sftile.tma) : !sftile.view<f16, tensor_map> to !sftile.slot<128x32xf16, values24>
      sftile.copy %m[%row, %col] to %s#1 by (#sftile.tma) : !sftile.view<i32, tensor_map> to !sftile.slot<8x32xi32, metadata24>
      sftile.commit %ring[%i] : !units
    }
    sftile.role "read" warps 4 {
      %t:2 = sftile.wait %ring[%i] : !units -> !sftile.tile<128x32xf16, values24>, !sftile.tile<8x32xi32, metadata24>
      sftile.release %ring[%i] : !units
    }
    gpu.return
  }

  gpu.func @behind(%map: !llvm.ptr, %i: index, %row: i64)
      kernel attributes {known_block_size = array<i32: 384, 1, 1>} {
    %x = sftile.view %map : !sftile.view<f16, tensor_map>
    %ring = sftile.ring : !pair
    sftile.role "copy" warps 4 leader {
      %s:2 = sftile.acquire %ring[%i] : !pair -> !sftile.slot<64x64xf16, swizzled>, !sftile.slot<64x64xf16, swizzled>
      sftile.copy %x[%row, %row] to %s#0 by (#sftile.tma) piece 0 of 2 : !sftile.view<f16, tensor_map> to !sftile.slot<64x64xf16, swizzled>
      sftile.copy %x[%row, %row] to %s#0 by (#sftile.tma) piece 1 of 2 : !sftile.view<f16, tensor_map> to !sftile.slot<64x64xf16, swizzled>
      sftile.copy %x[%row, %row] to %s#1 by (#sftile.tma) read_once : !sftile.view<f16, tensor_map> to !sftile.slot<64x64xf16, swizzled>
      sftile.commit %ring[%i] : !pair
    }
    sftile.role "read" warps 8 {
      %t:2 = sftile.wait %ring[%i] : !pair -> !sftile.tile<64x64xf16, swizzled>, !sftile.tile<64x64xf16, swizzled>
      %place = sftile.address %t#0 : !sftile.tile<64x64xf16, swizzled>
      %zeros = arith.constant dense<0> : vector<4xi32>
      llvm.store %zeros, %place {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<3>
      sftile.barrier role
      sftile.release %ring[%i] : !pair
    }
    gpu.return
  }

  // What threads have written to a tile is shown to the role and to its asynchronous
  // MMAs, and read as a value for each token.
  // CHECK-LABEL: gpu.func @published
  // CHECK: llvm.store %{{.*}}, %{{.*}} : f32, !llvm.ptr<3>
  // CHECK: nvvm.fence.proxy
  // CHECK: nvvm.barrier id = %{{.*}} number_of_threads = %{{.*}}
  // CHECK-COUNT-2: llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr<3> -> vector<2xf32>
  // CHECK-NOT: llvm.load
  // CHECK: llvm.store
  gpu.func @published(%p: !llvm.ptr<1>, %n: i64, %f: f32, %i: index) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %v = sftile.view %p[%n, %n] pitch %n : !sftile.view<f32, row_major>
    %zero = arith.constant 0 : i64
    %c0 = arith.constant 0 : index
    sftile.role "copy" warps 4 {
    }
    sftile.role "multiply" warps 4 {
      %tile = sftile.shared warps 4 sharers 4 {offset = 0 : i64, stride = 1024 : i64} : !sftile.tile<32x1xf32, row_major>
      %place = sftile.address %tile : !sftile.tile<32x1xf32, row_major>
      llvm.store %f, %place : f32, !llvm.ptr<3>
      sftile.barrier role
      %scales = sftile.load col %tile[%i, %c0] : !sftile.tile<32x1xf32, row_major> -> !sftile.frag<16x16xf32, #acc>
      sftile.store transposed %scales to %v[%zero, %zero] width 4 : !sftile.frag<16x16xf32, #acc> to !sftile.view<f32, row_major>
    }
    gpu.return
  }
}

// What stands beside the body of a role with a leader its second warp executes,
// and a barrier of the role is one of that warp.
// CHECK-LABEL: gpu.func @beside
// CHECK: nvvm.setmaxregister decrease 40
// CHECK: %[[FIRST:.*]] = arith.cmpi ult, %[[THREAD:.*]], %c32_i32
// CHECK: scf.if %[[FIRST]]
// CHECK: nvvm.elect.sync
// CHECK: } else {
// CHECK-NEXT: %[[SECOND:.*]] = arith.cmpi ult, %[[THREAD]], %c64_i32
// CHECK-NEXT: scf.if %[[SECOND]]
// CHECK-NOT: elect.sync
// CHECK: nvvm.fence.proxy
// CHECK-NEXT: nvvm.bar.warp.sync
// CHECK-NEXT: nvvm.cp.async.bulk.global.shared.cta
gpu.module @besides {
  gpu.func @beside(%to: !llvm.ptr<1>, %from: !llvm.ptr<3>, %bytes: i32, %p: !llvm.ptr<1>)
      kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    sftile.role "copy" warps 4 leader registers 40 {
      llvm.store %bytes, %p : i32, !llvm.ptr<1>
    } beside {
      sftile.barrier role
      sftile.thread.copy %to from %from bytes %bytes by (#sftile.bulk)
    }
    sftile.role "multiply" warps 4 {
      sftile.barrier role
    }
    gpu.return
  }
}
