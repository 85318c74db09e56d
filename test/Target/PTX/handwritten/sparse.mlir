// A hand-written kernel: y[T, 64] = x[T, K] * w[64, K]^T with packed 2:4 weights,
// K a multiple of 64. A block of two warps computes 64 features of 16 tokens;
// values, metadata and activations share the stages of a ring of three.
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
// CHECK: cp.async.commit_group
// CHECK: cp.async.commit_group
// CHECK: cp.async.wait_group 1
// CHECK-NEXT: bar.sync 0
//
// Two steps of 2 x 2 products: the first reads the metadata of the lower lanes
// of a quad, the second that of the upper ones. The selector is the last operand.
// MMA-COUNT-8: mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.bf16.bf16.f32
// MMA-NOT: mma.

#acc = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#b = #sftile.layout<registers = [[0, 1], [0, 8], [0, 16]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#word = #sftile.layout<registers = [], lanes = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]]>
!values = !sftile.tile<64x32xbf16, values24>
!words = !sftile.tile<4x32xi32, metadata24>
!tokens = !sftile.tile<16x64xbf16, swizzled>
!ring = !sftile.ring<3, [!values, !words, !tokens]>
!values_slot = !sftile.slot<64x32xbf16, values24>
!words_slot = !sftile.slot<4x32xi32, metadata24>
!tokens_slot = !sftile.slot<16x64xbf16, swizzled>
!sum = !sftile.frag<32x16xf32, #acc>
!part = !sftile.frag<32x16xbf16, #a>
!x = !sftile.frag<16x32xbf16, #b>
!m = !sftile.frag<2x32xi32, #word>

module attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @product(%xp: !llvm.ptr<1>, %wp: !llvm.ptr<1>, %mp: !llvm.ptr<1>, %yp: !llvm.ptr<1>, %count: i64, %depth: i64) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %k64 = arith.constant 64 : i64
    %zero = arith.constant 0.0 : f32
    // Packed views count units of 64 x 64 weights.
    %units = arith.divui %depth, %k64 : i64
    %steps = arith.index_cast %units : i64 to index
    %x = sftile.view %xp[%count, %depth] pitch %depth : !sftile.view<bf16, row_major>
    %w = sftile.view %wp[%one, %units] : !sftile.view<bf16, values24>
    %m = sftile.view %mp[%one, %units] : !sftile.view<i32, metadata24>
    %y = sftile.view %yp[%count, %k64] pitch %k64 : !sftile.view<f32, row_major>
    %ring = sftile.ring : !ring
    sftile.role "main" warps 2 {
      %block = gpu.block_id x
      %ti = arith.muli %block, %c16 : index
      %token = arith.index_cast %ti : index to i64
      %warp = sftile.warp_id
      %row = arith.muli %warp, %c32 : index
      %word_row = arith.muli %warp, %c2 : index

      // Two of the three stages; of a short depth the second holds zeros.
      scf.for %p = %c0 to %c2 step %c1 {
        %s:3 = sftile.acquire %ring[%p] : !ring -> !values_slot, !words_slot, !tokens_slot
        %u = arith.index_cast %p : index to i64
        %k = arith.muli %u, %k64 : i64
        sftile.copy %w[%z, %u] to %s#0 by (#sftile.cp_async<16>) rows_in_bounds : !sftile.view<bf16, values24> to !values_slot
        sftile.copy %m[%z, %u] to %s#1 by (#sftile.cp_async<16>) rows_in_bounds : !sftile.view<i32, metadata24> to !words_slot
        sftile.copy %x[%token, %k] to %s#2 by (#sftile.cp_async<16>) : !sftile.view<bf16, row_major> to !tokens_slot
        sftile.commit %ring[%p] : !ring
      }

      %none = sftile.broadcast %zero : f32 -> !sum
      %sum = scf.for %i = %c0 to %steps step %c1 iter_args(%acc = %none) -> (!sum) {
        %t:3 = sftile.wait %ring[%i] : !ring -> !values, !words, !tokens
        %next = arith.addi %i, %c2 : index
        %n:3 = sftile.acquire %ring[%next] : !ring -> !values_slot, !words_slot, !tokens_slot
        %u = arith.index_cast %next : index to i64
        %k = arith.muli %u, %k64 : i64
        sftile.copy %w[%z, %u] to %n#0 by (#sftile.cp_async<16>) rows_in_bounds : !sftile.view<bf16, values24> to !values_slot
        sftile.copy %m[%z, %u] to %n#1 by (#sftile.cp_async<16>) rows_in_bounds : !sftile.view<i32, metadata24> to !words_slot
        sftile.copy %x[%token, %k] to %n#2 by (#sftile.cp_async<16>) : !sftile.view<bf16, row_major> to !tokens_slot
        sftile.commit %ring[%next] : !ring
        %mm = sftile.load %t#1[%word_row, %c0] : !words -> !m
        %a0 = sftile.load %t#0[%row, %c0] by (#sftile.ldmatrix) : !values -> !part
        %b0 = sftile.load %t#2[%c0, %c0] by (#sftile.ldmatrix) : !tokens -> !x
        %d0 = sftile.mma %a0, %b0, %acc metadata %mm[0] by (#sftile.mma_sp_sync<32, bf16>) : !part, !x, !sum, !m
        %a1 = sftile.load %t#0[%row, %c16] by (#sftile.ldmatrix) : !values -> !part
        %b1 = sftile.load %t#2[%c0, %c32] by (#sftile.ldmatrix) : !tokens -> !x
        %d1 = sftile.mma %a1, %b1, %d0 metadata %mm[1] by (#sftile.mma_sp_sync<32, bf16>) : !part, !x, !sum, !m
        sftile.release %ring[%i] : !ring
        scf.yield %d1 : !sum
      }
      %f = arith.index_cast %row : index to i64
      sftile.store transposed %sum to %y[%token, %f] width 4 cols_in_bounds : !sum to !sftile.view<f32, row_major>
    }
    gpu.return
  }
}
}
