// RUN: sparseflow-opt %s --pass-pipeline="builtin.module(gpu.module(convert-sftile-to-nvvm),canonicalize,cse)" | FileCheck %s

// The block's shared memory is one external array.
// CHECK: llvm.mlir.global external @sftile_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>

!ring = !sftile.ring<3, [!sftile.tile<16x64xf16, swizzled>, !sftile.tile<8x64xf16, swizzled>]>
!ring4 = !sftile.ring<4, [!sftile.tile<64x32xf16, values24>, !sftile.tile<4x32xi32, metadata24>, !sftile.tile<16x64xf16, swizzled>]>

gpu.module @kernels {

// Position p is stage p modulo the number of stages; the tiles of a stage follow
// one another. Position p is committed stages - 1 ahead, so stages - 2 groups
// may still be on their way when it is waited for.
// CHECK-LABEL: gpu.func @stages
// CHECK-SAME: %[[P:[a-z0-9]+]]: index
// CHECK-DAG: %[[C3:.*]] = arith.constant 3 : i32
// CHECK-DAG: %[[BYTES:.*]] = arith.constant 3072 : i32
// CHECK: %[[BASE:.*]] = llvm.mlir.addressof @sftile_shared
// CHECK: %[[RING:.*]] = llvm.getelementptr %[[BASE]][2048]
// CHECK: %[[POSITION:.*]] = arith.index_cast %[[P]] : index to i32
// CHECK: %[[STAGE:.*]] = arith.remui %[[POSITION]], %[[C3]] : i32
// CHECK: %[[OFFSET:.*]] = arith.muli %[[STAGE]], %[[BYTES]] : i32
// CHECK: %[[FIRST:.*]] = llvm.getelementptr %[[RING]][%[[OFFSET]]]
// CHECK: %[[SECOND:.*]] = llvm.getelementptr %[[FIRST]][2048]
// CHECK: nvvm.cp.async.shared.global
// CHECK: nvvm.cp.async.commit.group
// CHECK-NEXT: nvvm.cp.async.wait.group 1
// CHECK-NEXT: gpu.barrier
// CHECK: nvvm.ldmatrix
// Giving a stage back costs nothing: the barrier of the next wait says it.
// CHECK-NOT: gpu.barrier
// CHECK: gpu.return
gpu.func @stages(%p: !llvm.ptr<1>, %n: i64, %i: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : i64
  %c64 = arith.constant 64 : i64
  %z = arith.constant 0 : index
  %v = sftile.view %p[%n, %c64] pitch %c64 : !sftile.view<f16, row_major>
  %ring = sftile.ring {offset = 2048 : i64} : !ring
  sftile.role "main" warps 1 {
    %s:2 = sftile.acquire %ring[%i] : !ring -> !sftile.slot<16x64xf16, swizzled>, !sftile.slot<8x64xf16, swizzled>
    sftile.copy %v[%c0, %c0] to %s#1 by (#sftile.cp_async<16>) : !sftile.view<f16, row_major> to !sftile.slot<8x64xf16, swizzled>
    sftile.commit %ring[%i] : !ring
    %t:2 = sftile.wait %ring[%i] : !ring -> !sftile.tile<16x64xf16, swizzled>, !sftile.tile<8x64xf16, swizzled>
    %f = sftile.load %t#1[%z, %z] by (#sftile.ldmatrix) : !sftile.tile<8x64xf16, swizzled> -> !sftile.frag<8x8xf16, #sftile.layout<registers = [[0, 1]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>>
    %o = sftile.view %p[%n, %c64] pitch %c64 : !sftile.view<f16, row_major>
    sftile.release %ring[%i] : !ring
    sftile.store transposed %f to %o[%c0, %c0] width 2 cols_in_bounds : !sftile.frag<8x8xf16, #sftile.layout<registers = [[0, 1]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>> to !sftile.view<f16, row_major>
  }
  gpu.return
}

// What is promised to lie inside is not tested: no comparison, and no operand
// that says how many bytes are valid.
// CHECK-LABEL: gpu.func @in_bounds
// CHECK-NOT: arith.cmpi
// CHECK-NOT: arith.minsi
// CHECK-NOT: arith.select
// CHECK-COUNT-4: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
// CHECK-NOT: nvvm.cp.async
// CHECK: gpu.return
gpu.func @in_bounds(%p: !llvm.ptr<1>, %n: i64, %pitch: i64, %i: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : i64
  %v = sftile.view %p[%n, %pitch] pitch %pitch : !sftile.view<f16, row_major>
  %ring = sftile.ring {offset = 0 : i64} : !ring
  sftile.role "main" warps 1 {
    %s:2 = sftile.acquire %ring[%i] : !ring -> !sftile.slot<16x64xf16, swizzled>, !sftile.slot<8x64xf16, swizzled>
    sftile.copy %v[%c0, %c0] to %s#0 by (#sftile.cp_async<16>) rows_in_bounds cols_in_bounds : !sftile.view<f16, row_major> to !sftile.slot<16x64xf16, swizzled>
  }
  gpu.return
}

// A row outside reads no bytes, so that zeros arrive.
// CHECK-LABEL: gpu.func @rows_tested
// CHECK-SAME: %{{.*}}: !llvm.ptr<1>, %[[N:[a-z0-9]+]]: i64,
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : i32
// CHECK-DAG: %[[C16:.*]] = arith.constant 16 : i32
// CHECK: %[[INSIDE:.*]] = arith.cmpi slt, %{{.*}}, %[[N]] : i64
// CHECK: %[[VALID:.*]] = arith.select %[[INSIDE]], %[[C16]], %[[C0]] : i32
// CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg, %[[VALID]] : !llvm.ptr<3>, !llvm.ptr<1>, i32
// CHECK: gpu.return
gpu.func @rows_tested(%p: !llvm.ptr<1>, %n: i64, %pitch: i64, %i: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : i64
  %v = sftile.view %p[%n, %pitch] pitch %pitch : !sftile.view<f16, row_major>
  %ring = sftile.ring {offset = 0 : i64} : !ring
  sftile.role "main" warps 1 {
    %s:2 = sftile.acquire %ring[%i] : !ring -> !sftile.slot<16x64xf16, swizzled>, !sftile.slot<8x64xf16, swizzled>
    sftile.copy %v[%c0, %c0] to %s#0 by (#sftile.cp_async<16>) cols_in_bounds : !sftile.view<f16, row_major> to !sftile.slot<16x64xf16, swizzled>
  }
  gpu.return
}

// Past the last column as many bytes as are left are read; here of 8, through
// the first-level cache, which the narrow forms cannot bypass.
// CHECK-LABEL: gpu.func @columns_tested
// CHECK-SAME: %{{.*}}: !llvm.ptr<1>, %{{.*}}: i64, %[[COLS:[a-z0-9]+]]: i64,
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : i64
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : i64
// CHECK-DAG: %[[C8:.*]] = arith.constant 8 : i64
// CHECK: %[[LEFT:.*]] = arith.subi %[[COLS]], %{{.*}} : i64
// CHECK: %[[BYTES:.*]] = arith.muli %[[LEFT]], %[[C2]] : i64
// CHECK: %[[SOME:.*]] = arith.maxsi %[[BYTES]], %[[C0]] : i64
// CHECK: %[[MOST:.*]] = arith.minsi %[[SOME]], %[[C8]] : i64
// CHECK: %[[VALID:.*]] = arith.trunci %[[MOST]] : i64 to i32
// CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 8, cache = ca, %[[VALID]] : !llvm.ptr<3>, !llvm.ptr<1>, i32
// CHECK: gpu.return
gpu.func @columns_tested(%p: !llvm.ptr<1>, %n: i64, %cols: i64, %i: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : i64
  %v = sftile.view %p[%n, %cols] pitch %cols : !sftile.view<f16, row_major>
  %ring = sftile.ring {offset = 0 : i64} : !ring
  sftile.role "main" warps 1 {
    %s:2 = sftile.acquire %ring[%i] : !ring -> !sftile.slot<16x64xf16, swizzled>, !sftile.slot<8x64xf16, swizzled>
    sftile.copy %v[%c0, %c0] to %s#0 by (#sftile.cp_async<8>) rows_in_bounds : !sftile.view<f16, row_major> to !sftile.slot<16x64xf16, swizzled>
  }
  gpu.return
}

// Threads that own whole columns of pieces a constant number of rows apart keep
// one address: every further piece is a constant away (32 rows of 64 and 128
// bytes), and its row is compared with the rows that are left.
// CHECK-LABEL: gpu.func @constant_strides
// CHECK-DAG: %[[C32:.*]] = arith.constant 32 : i32
// CHECK: nvvm.cp.async.shared.global %[[TO:.*]], %[[FROM:.*]], 16, cache = cg, %{{.*}}
// CHECK: arith.cmpi sgt, %{{.*}}, %[[C32]]
// CHECK-DAG: %[[TO1:.*]] = llvm.getelementptr %[[TO]][4096]
// CHECK-DAG: %[[FROM1:.*]] = llvm.getelementptr %[[FROM]][8192]
// CHECK: nvvm.cp.async.shared.global %[[TO1]], %[[FROM1]], 16
// CHECK-NOT: arith.muli
// CHECK: gpu.return
gpu.func @constant_strides(%p: !llvm.ptr<1>, %n: i64, %i: index) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
  %c0 = arith.constant 0 : i64
  %c128 = arith.constant 128 : i64
  %v = sftile.view %p[%n, %c128] pitch %c128 : !sftile.view<f16, row_major>
  %ring = sftile.ring {offset = 0 : i64} : !sftile.ring<2, [!sftile.tile<64x64xf16, swizzled>]>
  sftile.role "main" warps 8 {
    %s = sftile.acquire %ring[%i] : !sftile.ring<2, [!sftile.tile<64x64xf16, swizzled>]> -> !sftile.slot<64x64xf16, swizzled>
    sftile.copy %v[%c0, %c0] to %s by (#sftile.cp_async<16>) cols_in_bounds : !sftile.view<f16, row_major> to !sftile.slot<64x64xf16, swizzled>
  }
  gpu.return
}

// Packed units are contiguous: a piece is a number of bytes, and the unit it
// falls into follows from it. The 512 bytes of a unit of metadata keep one warp
// busy; the 4096 bytes of values are 8 pieces a thread. Rows of units past the
// end are moved back to the last.
// CHECK-LABEL: gpu.func @packed
// CHECK-SAME: %{{.*}}: !llvm.ptr<1>, %{{.*}}: !llvm.ptr<1>, %[[ROWS:[a-z0-9]+]]: i64, %[[COLS:[a-z0-9]+]]: i64,
// CHECK-DAG: %[[LAST:.*]] = arith.constant -1 : i64
// CHECK-DAG: %[[UNIT:.*]] = arith.constant 4096 : i64
// CHECK-DAG: %[[WORDS:.*]] = arith.constant 512 : i64
// CHECK: %[[MOST:.*]] = arith.addi %[[ROWS]], %[[LAST]] : i64
// CHECK: %[[ROW:.*]] = arith.minsi %{{.*}}, %[[MOST]] : i64
// CHECK: %[[FIRST:.*]] = arith.muli %[[ROW]], %[[COLS]] : i64
// CHECK: %[[INDEX:.*]] = arith.addi %[[FIRST]], %{{.*}} : i64
// CHECK: arith.muli %[[INDEX]], %[[UNIT]] : i64
// CHECK-COUNT-8: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
// CHECK: arith.muli %{{.*}}, %[[WORDS]] : i64
// CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
// CHECK-NOT: nvvm.cp.async
// CHECK: gpu.return
gpu.func @packed(%w: !llvm.ptr<1>, %m: !llvm.ptr<1>, %rows: i64, %cols: i64, %i: index, %u: i64) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %values = sftile.view %w[%rows, %cols] : !sftile.view<f16, values24>
  %words = sftile.view %m[%rows, %cols] : !sftile.view<i32, metadata24>
  %ring = sftile.ring {offset = 0 : i64} : !ring4
  sftile.role "main" warps 1 {
    %s:3 = sftile.acquire %ring[%i] : !ring4 -> !sftile.slot<64x32xf16, values24>, !sftile.slot<4x32xi32, metadata24>, !sftile.slot<16x64xf16, swizzled>
    sftile.copy %values[%u, %u] to %s#0 by (#sftile.cp_async<16>) cols_in_bounds : !sftile.view<f16, values24> to !sftile.slot<64x32xf16, values24>
    sftile.copy %words[%u, %u] to %s#1 by (#sftile.cp_async<16>) cols_in_bounds : !sftile.view<i32, metadata24> to !sftile.slot<4x32xi32, metadata24>
  }
  gpu.return
}

// More threads than pieces: the rest stands behind a test.
// CHECK-LABEL: gpu.func @fewer_pieces_than_threads
// CHECK-DAG: %[[C32:.*]] = arith.constant 32 : i32
// CHECK: %[[THREAD:.*]] = nvvm.read.ptx.sreg.tid.x
// CHECK: %[[MINE:.*]] = arith.cmpi slt, %[[THREAD]], %[[C32]] : i32
// CHECK: scf.if %[[MINE]] {
// CHECK: nvvm.cp.async.shared.global
// CHECK-NOT: nvvm.cp.async
// CHECK: gpu.return
gpu.func @fewer_pieces_than_threads(%m: !llvm.ptr<1>, %rows: i64, %cols: i64, %i: index, %u: i64) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
  %words = sftile.view %m[%rows, %cols] : !sftile.view<i32, metadata24>
  %ring = sftile.ring {offset = 0 : i64} : !sftile.ring<2, [!sftile.tile<4x32xi32, metadata24>]>
  sftile.role "main" warps 2 {
    %s = sftile.acquire %ring[%i] : !sftile.ring<2, [!sftile.tile<4x32xi32, metadata24>]> -> !sftile.slot<4x32xi32, metadata24>
    sftile.copy %words[%u, %u] to %s by (#sftile.cp_async<16>) : !sftile.view<i32, metadata24> to !sftile.slot<4x32xi32, metadata24>
  }
  gpu.return
}

// A synchronous copy is a loop of one load and one store: no register waits for
// a later one. It has no group to commit or wait for; the barrier publishes it.
// CHECK-LABEL: gpu.func @synchronous
// CHECK: scf.for
// CHECK: %[[ANY:.*]] = llvm.icmp "ne" %{{.*}}, %{{.*}} : i32
// CHECK: %[[ELEMENT:.*]] = scf.if %[[ANY]] -> (i16) {
// CHECK: llvm.load %{{.*}} {alignment = 2 : i64} : !llvm.ptr<1> -> i16
// CHECK: } else {
// CHECK: llvm.store %[[ELEMENT]], %{{.*}} {alignment = 2 : i64} : i16, !llvm.ptr<3>
// CHECK-NOT: nvvm.cp.async
// CHECK: gpu.barrier
// CHECK: gpu.return
gpu.func @synchronous(%p: !llvm.ptr<1>, %n: i64, %pitch: i64, %i: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : i64
  %v = sftile.view %p[%n, %pitch] pitch %pitch : !sftile.view<f16, row_major>
  %ring = sftile.ring {offset = 0 : i64} : !ring
  sftile.role "main" warps 1 {
    %s:2 = sftile.acquire %ring[%i] : !ring -> !sftile.slot<16x64xf16, swizzled>, !sftile.slot<8x64xf16, swizzled>
    sftile.copy %v[%c0, %c0] to %s#0 by (#sftile.ld_st<2>) : !sftile.view<f16, row_major> to !sftile.slot<16x64xf16, swizzled>
    sftile.commit %ring[%i] : !ring
    %t:2 = sftile.wait %ring[%i] : !ring -> !sftile.tile<16x64xf16, swizzled>, !sftile.tile<8x64xf16, swizzled>
  }
  gpu.return
}
}
