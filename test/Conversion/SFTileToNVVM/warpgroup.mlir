// RUN: sparseflow-opt %s --pass-pipeline="builtin.module(sftile-assign-resources{max-shared-bytes=232448},gpu.module(convert-sftile-to-nvvm,canonicalize,cse))" | FileCheck %s

// Products that overlap, warpgroups that take turns, and boxes of one matrix of
// a tensor.

#c = #sftile.layout<registers = [[0, 1], [8, 0]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
!ring = !sftile.ring<2, [!sftile.tile<32x64xf16, swizzled>, !sftile.tile<32x64xf16, swizzled>]>
!sum = !sftile.frag<16x72xf32, #c>

// CHECK-LABEL: gpu.func @overlap
// The box's place: column, row, and the matrix in the tensor.
// CHECK: %[[HEAD:.*]] = arith.trunci %arg2 : i64 to i32
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %arg0, %{{.*}}, box[%{{.*}}, %{{.*}}, %[[HEAD]], %[[HEAD]]]
// The role behind stands where the test for the first fails.
// CHECK: } else {
// The last of two warpgroups arrives first, for the first to go on: two
// barriers behind those of the roles and of staging buffers.
// CHECK: llvm.inline_asm has_side_effects "bar.arrive $0, 256;", "r,~{memory}"
// CHECK: nvvm.barrier id = %{{.*}} number_of_threads = %{{.*}}
// What is in the product's registers is written before it: 36 sums.
// CHECK: llvm.inline_asm has_side_effects "", "=f,{{.*}},0,1,{{.*}},35"
// CHECK: nvvm.wgmma.fence.aligned
// Columns past the 64th lie in the tile behind, 4096 bytes on: 256 in the field.
// CHECK: llvm.inline_asm has_side_effects "{ .reg .pred p; setp.eq.u32 p, 0, 0; wgmma.mma_async.sync.aligned.m64n72k16.f32.f16.f16 {{{.*}}}, {$36, $37, $38, $39}, $40, p, 1, 1, 1; }", "=f,{{.*}},r,r,r,r,l,0,{{.*}},35"
// The next K step is 2048 bytes on, in the same chain.
// CHECK-NOT: wgmma.fence
// CHECK: wgmma.mma_async.sync.aligned.m64n72k16
// CHECK: nvvm.wgmma.commit.group.sync.aligned
// CHECK: bar.arrive
// CHECK: llvm.inline_asm has_side_effects "wgmma.wait_group.sync.aligned 1;"
// CHECK: mbarrier.arrive
gpu.module @kernels {
  gpu.func @overlap(%map: !llvm.ptr, %out: !llvm.ptr<1>, %head: i64, %sums: !llvm.ptr<1>, %i: index)
      kernel attributes {known_block_size = array<i32: 384, 1, 1>} {
    %ring = sftile.ring : !ring
    sftile.role "copy" warps 4 leader registers 40 {
      %x = sftile.view %map at [%head, %head] : !sftile.view<f16, tensor_map>
      %s:2 = sftile.acquire %ring[%i] : !ring -> !sftile.slot<32x64xf16, swizzled>, !sftile.slot<32x64xf16, swizzled>
      sftile.copy %x[%head, %head] to %s#0 by (#sftile.tma) : !sftile.view<f16, tensor_map> to !sftile.slot<32x64xf16, swizzled>
      sftile.copy %x[%head, %head] to %s#1 by (#sftile.tma) : !sftile.view<f16, tensor_map> to !sftile.slot<32x64xf16, swizzled>
      sftile.commit %ring[%i] : !ring
    }
    sftile.role "multiply" warps 8 registers 232 {
      sftile.ordered_barrier arrive_first
      %c0 = arith.constant 0 : index
      %c16 = arith.constant 16 : index
      %c0_i64 = arith.constant 0 : i64
      %c16_i64 = arith.constant 16 : i64
      %c72 = arith.constant 72 : i64
      %p = sftile.view %out[%c16_i64, %c72] pitch %c72 : !sftile.view<f16, row_major>
      %f = sftile.view %sums[%c16_i64, %c72] pitch %c72 : !sftile.view<f32, row_major>
      %w = sftile.load %p[%c0_i64, %c0_i64] width 4 : !sftile.view<f16, row_major> -> !sftile.frag<16x16xf16, #a>
      %old = sftile.load %f[%c0_i64, %c0_i64] width 8 : !sftile.view<f32, row_major> -> !sum
      %t:2 = sftile.wait %ring[%i] : !ring -> !sftile.tile<32x64xf16, swizzled>, !sftile.tile<32x64xf16, swizzled>
      sftile.ordered_barrier wait
      %acc = sftile.sched_barrier %old : !sum
      %0 = sftile.mma_async %w, %t#0[%c0, %c0] transposed, %acc by (#sftile.wgmma<f16>)
          : !sftile.frag<16x16xf16, #a>, !sftile.tile<32x64xf16, swizzled>, !sum -> !sftile.pending<!sum>
      %1 = sftile.mma_async %w, %t#0[%c16, %c0] transposed, %0 by (#sftile.wgmma<f16>)
          : !sftile.frag<16x16xf16, #a>, !sftile.tile<32x64xf16, swizzled>, !sftile.pending<!sum> -> !sftile.pending<!sum>
      %2 = sftile.commit_group %1 by (#sftile.wgmma<f16>) : !sftile.pending<!sum>
      sftile.ordered_barrier arrive
      %3 = sftile.wait_group %2 pending 1 by (#sftile.wgmma<f16>) : !sftile.pending<!sum> -> !sum
      sftile.release %ring[%i] : !ring
      sftile.store %3 to %f[%c0_i64, %c0_i64] width 8 : !sum to !sftile.view<f32, row_major>
    }
    gpu.return
  }
}
