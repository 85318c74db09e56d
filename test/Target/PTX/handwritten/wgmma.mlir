// A hand-written kernel on wgmma: y[T, 128] = x[T, 256] * w[128, 256]^T with dense weights, one
// warpgroup a block, a ring of two stages. MMAs run while the warps go on:
// their accumulator is pending, and only wait_group gives it back.
//
// REQUIRES: ptxas
// RUN: sparseflow compile %s --target sm_90a --emit ptx -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: %ptxas -arch=sm_90a -v %t.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS
// RUN: not sparseflow compile %s --target sm_90 --emit ptx -o - 2>&1 | FileCheck %s --check-prefix=OTHER
//
// CHECK: cp.async.wait_group
// CHECK: fence.proxy.async.shared::cta
// CHECK-NEXT: bar.sync
// CHECK: wgmma.fence.sync.aligned
// CHECK-COUNT-4: wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16
// CHECK: wgmma.commit_group.sync.aligned
// CHECK: wgmma.wait_group.sync.aligned 0
// PTXAS-NOT: {{warning|Advisory|C75}}
// PTXAS: 0 bytes spill stores, 0 bytes spill loads
// OTHER: error: {{.*}}which only sm_90a has; the target is sm_90

#acc = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#word = #sftile.layout<registers = [], lanes = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]]>
#vector = #sftile.layout<registers = [[1, 0], [2, 0]], lanes = [[4, 0], [8, 0], [0, 1], [0, 2], [0, 4]]>

module attributes {gpu.container_module} {

gpu.module @kernels {
  gpu.func @product(%xp: !llvm.ptr<1>, %wp: !llvm.ptr<1>, %yp: !llvm.ptr<1>, %tokens: i64) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %steps = arith.constant 4 : index
    %c64 = arith.constant 64 : i64
    %depth = arith.constant 256 : i64
    %features = arith.constant 128 : i64
    %units = arith.constant 2 : i64
    %unit_cols = arith.constant 4 : i64
    %zero = arith.constant 0.0 : f32
    %bx = gpu.block_id x
    %two = arith.constant 2 : index
    %fb = arith.remui %bx, %two : index
    %tb = arith.divui %bx, %two : index
    %fb64 = arith.index_cast %fb : index to i64
    %tb64 = arith.index_cast %tb : index to i64
    %feature0 = arith.muli %fb64, %c64 : i64
    %token0 = arith.muli %tb64, %c64 : i64
    %x = sftile.view %xp[%tokens, %depth] pitch %depth : !sftile.view<f16, row_major>
    %w = sftile.view %wp[%features, %depth] pitch %depth : !sftile.view<f16, row_major>
    %y = sftile.view %yp[%tokens, %features] pitch %features : !sftile.view<f32, row_major>
    %ring = sftile.ring : !sftile.ring<2, [!sftile.tile<64x64xf16, swizzled>, !sftile.tile<64x64xf16, swizzled>]>
    sftile.role "multiply" warps 4 {
      %scratch = sftile.shared warps 4 sharers 1 overlaid : !sftile.tile<8x16xf32, swizzled>
      %warp = sftile.warp_id
      %slots_c0:2 = sftile.acquire %ring[%c0] : !sftile.ring<2, [!sftile.tile<64x64xf16, swizzled>, !sftile.tile<64x64xf16, swizzled>]> -> !sftile.slot<64x64xf16, swizzled>, !sftile.slot<64x64xf16, swizzled>
      %p_c0 = arith.index_cast %c0 : index to i64
      %k_c0 = arith.muli %p_c0, %c64 : i64
      sftile.copy %w[%feature0, %k_c0] to %slots_c0#0 by (#sftile.cp_async<16>) rows_in_bounds cols_in_bounds : !sftile.view<f16, row_major> to !sftile.slot<64x64xf16, swizzled>
      sftile.copy %x[%token0, %k_c0] to %slots_c0#1 by (#sftile.cp_async<16>) cols_in_bounds : !sftile.view<f16, row_major> to !sftile.slot<64x64xf16, swizzled>
      sftile.commit %ring[%c0] : !sftile.ring<2, [!sftile.tile<64x64xf16, swizzled>, !sftile.tile<64x64xf16, swizzled>]>
      // Zeros that stand in registers before the fence: constants may be written
      // behind it, where wgmma has the registers already.
      %zeros = sftile.broadcast %zero : f32 -> !sftile.frag<16x64xf32, #acc>
      %none = sftile.sched_barrier %zeros : !sftile.frag<16x64xf32, #acc>
      %sum = scf.for %i = %c0 to %steps step %c1 iter_args(%acc = %none) -> (!sftile.frag<16x64xf32, #acc>) {
        %t:2 = sftile.wait %ring[%i] : !sftile.ring<2, [!sftile.tile<64x64xf16, swizzled>, !sftile.tile<64x64xf16, swizzled>]> -> !sftile.tile<64x64xf16, swizzled>, !sftile.tile<64x64xf16, swizzled>
        %next = arith.addi %i, %c1 : index
        %more = arith.cmpi slt, %next, %steps : index
        scf.if %more {
          %slots_next:2 = sftile.acquire %ring[%next] : !sftile.ring<2, [!sftile.tile<64x64xf16, swizzled>, !sftile.tile<64x64xf16, swizzled>]> -> !sftile.slot<64x64xf16, swizzled>, !sftile.slot<64x64xf16, swizzled>
          %p_next = arith.index_cast %next : index to i64
          %k_next = arith.muli %p_next, %c64 : i64
          sftile.copy %w[%feature0, %k_next] to %slots_next#0 by (#sftile.cp_async<16>) rows_in_bounds cols_in_bounds : !sftile.view<f16, row_major> to !sftile.slot<64x64xf16, swizzled>
          sftile.copy %x[%token0, %k_next] to %slots_next#1 by (#sftile.cp_async<16>) cols_in_bounds : !sftile.view<f16, row_major> to !sftile.slot<64x64xf16, swizzled>
        }
        sftile.commit %ring[%next] : !sftile.ring<2, [!sftile.tile<64x64xf16, swizzled>, !sftile.tile<64x64xf16, swizzled>]>
        %k0 = arith.constant 0 : index
        %p0 = sftile.mma_async %t#0[%c0, %k0], %t#1[%c0, %k0], %acc by (#sftile.wgmma<f16>)
            : !sftile.tile<64x64xf16, swizzled>, !sftile.tile<64x64xf16, swizzled>, !sftile.frag<16x64xf32, #acc> -> !sftile.pending<!sftile.frag<16x64xf32, #acc>>
        %k1 = arith.constant 16 : index
        %p1 = sftile.mma_async %t#0[%c0, %k1], %t#1[%c0, %k1], %p0 by (#sftile.wgmma<f16>)
            : !sftile.tile<64x64xf16, swizzled>, !sftile.tile<64x64xf16, swizzled>, !sftile.pending<!sftile.frag<16x64xf32, #acc>> -> !sftile.pending<!sftile.frag<16x64xf32, #acc>>
        %k2 = arith.constant 32 : index
        %p2 = sftile.mma_async %t#0[%c0, %k2], %t#1[%c0, %k2], %p1 by (#sftile.wgmma<f16>)
            : !sftile.tile<64x64xf16, swizzled>, !sftile.tile<64x64xf16, swizzled>, !sftile.pending<!sftile.frag<16x64xf32, #acc>> -> !sftile.pending<!sftile.frag<16x64xf32, #acc>>
        %k3 = arith.constant 48 : index
        %p3 = sftile.mma_async %t#0[%c0, %k3], %t#1[%c0, %k3], %p2 by (#sftile.wgmma<f16>)
            : !sftile.tile<64x64xf16, swizzled>, !sftile.tile<64x64xf16, swizzled>, !sftile.pending<!sftile.frag<16x64xf32, #acc>> -> !sftile.pending<!sftile.frag<16x64xf32, #acc>>
        %group = sftile.commit_group %p3 by (#sftile.wgmma<f16>) : !sftile.pending<!sftile.frag<16x64xf32, #acc>>
        %done = sftile.wait_group %group by (#sftile.wgmma<f16>) : !sftile.pending<!sftile.frag<16x64xf32, #acc>> -> !sftile.frag<16x64xf32, #acc>
        sftile.release %ring[%i] : !sftile.ring<2, [!sftile.tile<64x64xf16, swizzled>, !sftile.tile<64x64xf16, swizzled>]>
        scf.yield %done : !sftile.frag<16x64xf32, #acc>
      }
      %w16 = arith.constant 16 : i64
      %warp64 = arith.index_cast %warp : index to i64
      %row = arith.muli %warp64, %w16 : i64
      %feature = arith.addi %feature0, %row : i64
      %part0 = sftile.slice %sum[0, 0] : !sftile.frag<16x64xf32, #acc> -> !sftile.frag<16x8xf32, #acc>
      %v0 = sftile.convert_layout %part0 via %scratch : !sftile.frag<16x8xf32, #acc> to !sftile.frag<16x8xf32, #vector>, !sftile.tile<8x16xf32, swizzled>
      %o0 = arith.constant 0 : i64
      %at0 = arith.addi %token0, %o0 : i64
      sftile.store transposed %v0 to %y[%at0, %feature] width 16 cols_in_bounds : !sftile.frag<16x8xf32, #vector> to !sftile.view<f32, row_major>
      %part1 = sftile.slice %sum[0, 8] : !sftile.frag<16x64xf32, #acc> -> !sftile.frag<16x8xf32, #acc>
      %v1 = sftile.convert_layout %part1 via %scratch : !sftile.frag<16x8xf32, #acc> to !sftile.frag<16x8xf32, #vector>, !sftile.tile<8x16xf32, swizzled>
      %o1 = arith.constant 8 : i64
      %at1 = arith.addi %token0, %o1 : i64
      sftile.store transposed %v1 to %y[%at1, %feature] width 16 cols_in_bounds : !sftile.frag<16x8xf32, #vector> to !sftile.view<f32, row_major>
      %part2 = sftile.slice %sum[0, 16] : !sftile.frag<16x64xf32, #acc> -> !sftile.frag<16x8xf32, #acc>
      %v2 = sftile.convert_layout %part2 via %scratch : !sftile.frag<16x8xf32, #acc> to !sftile.frag<16x8xf32, #vector>, !sftile.tile<8x16xf32, swizzled>
      %o2 = arith.constant 16 : i64
      %at2 = arith.addi %token0, %o2 : i64
      sftile.store transposed %v2 to %y[%at2, %feature] width 16 cols_in_bounds : !sftile.frag<16x8xf32, #vector> to !sftile.view<f32, row_major>
      %part3 = sftile.slice %sum[0, 24] : !sftile.frag<16x64xf32, #acc> -> !sftile.frag<16x8xf32, #acc>
      %v3 = sftile.convert_layout %part3 via %scratch : !sftile.frag<16x8xf32, #acc> to !sftile.frag<16x8xf32, #vector>, !sftile.tile<8x16xf32, swizzled>
      %o3 = arith.constant 24 : i64
      %at3 = arith.addi %token0, %o3 : i64
      sftile.store transposed %v3 to %y[%at3, %feature] width 16 cols_in_bounds : !sftile.frag<16x8xf32, #vector> to !sftile.view<f32, row_major>
      %part4 = sftile.slice %sum[0, 32] : !sftile.frag<16x64xf32, #acc> -> !sftile.frag<16x8xf32, #acc>
      %v4 = sftile.convert_layout %part4 via %scratch : !sftile.frag<16x8xf32, #acc> to !sftile.frag<16x8xf32, #vector>, !sftile.tile<8x16xf32, swizzled>
      %o4 = arith.constant 32 : i64
      %at4 = arith.addi %token0, %o4 : i64
      sftile.store transposed %v4 to %y[%at4, %feature] width 16 cols_in_bounds : !sftile.frag<16x8xf32, #vector> to !sftile.view<f32, row_major>
      %part5 = sftile.slice %sum[0, 40] : !sftile.frag<16x64xf32, #acc> -> !sftile.frag<16x8xf32, #acc>
      %v5 = sftile.convert_layout %part5 via %scratch : !sftile.frag<16x8xf32, #acc> to !sftile.frag<16x8xf32, #vector>, !sftile.tile<8x16xf32, swizzled>
      %o5 = arith.constant 40 : i64
      %at5 = arith.addi %token0, %o5 : i64
      sftile.store transposed %v5 to %y[%at5, %feature] width 16 cols_in_bounds : !sftile.frag<16x8xf32, #vector> to !sftile.view<f32, row_major>
      %part6 = sftile.slice %sum[0, 48] : !sftile.frag<16x64xf32, #acc> -> !sftile.frag<16x8xf32, #acc>
      %v6 = sftile.convert_layout %part6 via %scratch : !sftile.frag<16x8xf32, #acc> to !sftile.frag<16x8xf32, #vector>, !sftile.tile<8x16xf32, swizzled>
      %o6 = arith.constant 48 : i64
      %at6 = arith.addi %token0, %o6 : i64
      sftile.store transposed %v6 to %y[%at6, %feature] width 16 cols_in_bounds : !sftile.frag<16x8xf32, #vector> to !sftile.view<f32, row_major>
      %part7 = sftile.slice %sum[0, 56] : !sftile.frag<16x64xf32, #acc> -> !sftile.frag<16x8xf32, #acc>
      %v7 = sftile.convert_layout %part7 via %scratch : !sftile.frag<16x8xf32, #acc> to !sftile.frag<16x8xf32, #vector>, !sftile.tile<8x16xf32, swizzled>
      %o7 = arith.constant 56 : i64
      %at7 = arith.addi %token0, %o7 : i64
      sftile.store transposed %v7 to %y[%at7, %feature] width 16 cols_in_bounds : !sftile.frag<16x8xf32, #vector> to !sftile.view<f32, row_major>
    }
    gpu.return
  }
}

func.func @f(%x: !llvm.ptr<1>, %w: !llvm.ptr<1>, %y: !llvm.ptr<1>, %workspace: !llvm.ptr<1>, %T: i64) -> i64
    attributes {sparseflow.symbols = ["T"], sparseflow.argument_names = ["x", "w"],
      sparseflow.argument_types = [tensor<?x256xf16>, tensor<128x256xf16>],
      sparseflow.result_types = [tensor<?x128xf32>]} {
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %c64 = arith.constant 64 : i64
  %two = arith.constant 2 : i64
  %none = arith.constant 0 : i64
  %shared = arith.constant 0 : i32
  %tiles = arith.ceildivui %T, %c64 : i64
  %blocks = arith.muli %tiles, %two : i64
  %grid = arith.index_cast %blocks : i64 to index
  gpu.launch_func @kernels::@product blocks in (%grid, %c1, %c1) threads in (%c128, %c1, %c1)
      dynamic_shared_memory_size %shared args(%x : !llvm.ptr<1>, %w : !llvm.ptr<1>, %y : !llvm.ptr<1>, %T : i64)
  return %none : i64
}

}
