// A hand-written kernel: y[T, N] = x[T, K] * w[N, K]^T for N and K multiples of
// 64, a tile of 64 features x 64 tokens a block on four warps, a ring of two
// stages. While one stage is multiplied the other is filled.
//
// REQUIRES: ptxas
// RUN: sparseflow compile %s --target sm_80 --emit ptx -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: FileCheck %s --check-prefix=MMA < %t.ptx
// RUN: sparseflow compile %s --target sm_80 --emit cubin -o %t.cubin
// RUN: sparseflow compile %s --target sm_90 --emit cubin -o %t.cubin
// RUN: sparseflow compile %s --target sm_120 --emit cubin -o %t.cubin
//
// CHECK-LABEL: .entry product(
// Before the loop the first stage: eight pieces of 16 bytes a thread.
// CHECK-COUNT-8: cp.async.cg.shared.global
// CHECK: cp.async.commit_group
// With two stages nothing younger may be on its way.
// CHECK: cp.async.wait_group 0
// CHECK-NEXT: bar.sync 0
//
// Four steps of 2 x 4 products for each warp's 32 x 32.
// MMA-COUNT-32: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
// MMA-NOT: mma.

#acc = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#b = #sftile.layout<registers = [[0, 1], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#vector = #sftile.layout<registers = [[1, 0], [2, 0]], lanes = [[4, 0], [8, 0], [16, 0], [0, 1], [0, 2]]>
!ring = !sftile.ring<2, [!sftile.tile<64x64xf16, swizzled>, !sftile.tile<64x64xf16, swizzled>]>
!slot = !sftile.slot<64x64xf16, swizzled>
!tile = !sftile.tile<64x64xf16, swizzled>
!sum = !sftile.frag<32x32xf32, #acc>

module attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @product(%xp: !llvm.ptr<1>, %wp: !llvm.ptr<1>, %yp: !llvm.ptr<1>, %tokens: i64, %features: i64, %depth: i64) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0.0 : f32
    %x = sftile.view %xp[%tokens, %depth] pitch %depth : !sftile.view<f16, row_major>
    %w = sftile.view %wp[%features, %depth] pitch %depth : !sftile.view<f16, row_major>
    %y = sftile.view %yp[%tokens, %features] pitch %features : !sftile.view<f32, row_major>
    %ring = sftile.ring : !ring
    sftile.role "main" warps 4 {
      %scratch = sftile.shared warps 4 sharers 1 overlaid : !sftile.tile<8x32xf32, swizzled>
      // The block's tile, feature tiles fastest.
      %block = gpu.block_id x
      %all = arith.index_cast %features : i64 to index
      %feature_tiles = arith.divui %all, %c64 : index
      %fb = arith.remui %block, %feature_tiles : index
      %tb = arith.divui %block, %feature_tiles : index
      %fi = arith.muli %fb, %c64 : index
      %ti = arith.muli %tb, %c64 : index
      %feature = arith.index_cast %fi : index to i64
      %token = arith.index_cast %ti : index to i64
      %k_all = arith.index_cast %depth : i64 to index
      %steps = arith.divui %k_all, %c64 : index
      // The warp's part of it: two by two.
      %warp = sftile.warp_id
      %wf = arith.remui %warp, %c2 : index
      %wt = arith.divui %warp, %c2 : index
      %row = arith.muli %wf, %c32 : index
      %col = arith.muli %wt, %c32 : index

      %k0 = arith.constant 0 : i64
      %s:2 = sftile.acquire %ring[%c0] : !ring -> !slot, !slot
      sftile.copy %w[%feature, %k0] to %s#0 by (#sftile.cp_async<16>) rows_in_bounds cols_in_bounds : !sftile.view<f16, row_major> to !slot
      sftile.copy %x[%token, %k0] to %s#1 by (#sftile.cp_async<16>) cols_in_bounds : !sftile.view<f16, row_major> to !slot
      sftile.commit %ring[%c0] : !ring

      %none = sftile.broadcast %zero : f32 -> !sum
      %sum = scf.for %i = %c0 to %steps step %c1 iter_args(%acc = %none) -> (!sum) {
        %t:2 = sftile.wait %ring[%i] : !ring -> !tile, !tile
        %next = arith.addi %i, %c1 : index
        %n:2 = sftile.acquire %ring[%next] : !ring -> !slot, !slot
        %more = arith.cmpi ult, %next, %steps : index
        scf.if %more {
          %ki = arith.muli %next, %c64 : index
          %k = arith.index_cast %ki : index to i64
          sftile.copy %w[%feature, %k] to %n#0 by (#sftile.cp_async<16>) rows_in_bounds cols_in_bounds : !sftile.view<f16, row_major> to !slot
          sftile.copy %x[%token, %k] to %n#1 by (#sftile.cp_async<16>) cols_in_bounds : !sftile.view<f16, row_major> to !slot
        }
        sftile.commit %ring[%next] : !ring
        %c48 = arith.constant 48 : index
        %a0 = sftile.load %t#0[%row, %c0] by (#sftile.ldmatrix) : !tile -> !sftile.frag<32x16xf16, #a>
        %b0 = sftile.load %t#1[%col, %c0] by (#sftile.ldmatrix) : !tile -> !sftile.frag<32x16xf16, #b>
        %d0 = sftile.mma %a0, %b0, %acc by (#sftile.mma_sync<16, f16>) : !sftile.frag<32x16xf16, #a>, !sftile.frag<32x16xf16, #b>, !sum
        %a1 = sftile.load %t#0[%row, %c16] by (#sftile.ldmatrix) : !tile -> !sftile.frag<32x16xf16, #a>
        %b1 = sftile.load %t#1[%col, %c16] by (#sftile.ldmatrix) : !tile -> !sftile.frag<32x16xf16, #b>
        %d1 = sftile.mma %a1, %b1, %d0 by (#sftile.mma_sync<16, f16>) : !sftile.frag<32x16xf16, #a>, !sftile.frag<32x16xf16, #b>, !sum
        %a2 = sftile.load %t#0[%row, %c32] by (#sftile.ldmatrix) : !tile -> !sftile.frag<32x16xf16, #a>
        %b2 = sftile.load %t#1[%col, %c32] by (#sftile.ldmatrix) : !tile -> !sftile.frag<32x16xf16, #b>
        %d2 = sftile.mma %a2, %b2, %d1 by (#sftile.mma_sync<16, f16>) : !sftile.frag<32x16xf16, #a>, !sftile.frag<32x16xf16, #b>, !sum
        %a3 = sftile.load %t#0[%row, %c48] by (#sftile.ldmatrix) : !tile -> !sftile.frag<32x16xf16, #a>
        %b3 = sftile.load %t#1[%col, %c48] by (#sftile.ldmatrix) : !tile -> !sftile.frag<32x16xf16, #b>
        %d3 = sftile.mma %a3, %b3, %d2 by (#sftile.mma_sync<16, f16>) : !sftile.frag<32x16xf16, #a>, !sftile.frag<32x16xf16, #b>, !sum
        sftile.release %ring[%i] : !ring
        scf.yield %d3 : !sum
      }

      %row64 = arith.index_cast %row : index to i64
      %col64 = arith.index_cast %col : index to i64
      %f = arith.addi %feature, %row64 : i64
      %u = arith.addi %token, %col64 : i64
      %c8 = arith.constant 8 : i64
      %u1 = arith.addi %u, %c8 : i64
      %u2 = arith.addi %u1, %c8 : i64
      %u3 = arith.addi %u2, %c8 : i64
      %p0 = sftile.slice %sum[0, 0] : !sum -> !sftile.frag<32x8xf32, #acc>
      %v0 = sftile.convert_layout %p0 via %scratch : !sftile.frag<32x8xf32, #acc> to !sftile.frag<32x8xf32, #vector>, !sftile.tile<8x32xf32, swizzled>
      sftile.store transposed %v0 to %y[%u, %f] width 16 cols_in_bounds : !sftile.frag<32x8xf32, #vector> to !sftile.view<f32, row_major>
      %p1 = sftile.slice %sum[0, 8] : !sum -> !sftile.frag<32x8xf32, #acc>
      %v1 = sftile.convert_layout %p1 via %scratch : !sftile.frag<32x8xf32, #acc> to !sftile.frag<32x8xf32, #vector>, !sftile.tile<8x32xf32, swizzled>
      sftile.store transposed %v1 to %y[%u1, %f] width 16 cols_in_bounds : !sftile.frag<32x8xf32, #vector> to !sftile.view<f32, row_major>
      %p2 = sftile.slice %sum[0, 16] : !sum -> !sftile.frag<32x8xf32, #acc>
      %v2 = sftile.convert_layout %p2 via %scratch : !sftile.frag<32x8xf32, #acc> to !sftile.frag<32x8xf32, #vector>, !sftile.tile<8x32xf32, swizzled>
      sftile.store transposed %v2 to %y[%u2, %f] width 16 cols_in_bounds : !sftile.frag<32x8xf32, #vector> to !sftile.view<f32, row_major>
      %p3 = sftile.slice %sum[0, 24] : !sum -> !sftile.frag<32x8xf32, #acc>
      %v3 = sftile.convert_layout %p3 via %scratch : !sftile.frag<32x8xf32, #acc> to !sftile.frag<32x8xf32, #vector>, !sftile.tile<8x32xf32, swizzled>
      sftile.store transposed %v3 to %y[%u3, %f] width 16 cols_in_bounds : !sftile.frag<32x8xf32, #vector> to !sftile.view<f32, row_major>
    }
    gpu.return
  }
}
}
