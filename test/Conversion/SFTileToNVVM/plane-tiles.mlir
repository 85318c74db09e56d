// RUN: sparseflow-opt %s --pass-pipeline="builtin.module(sftile-assign-resources{max-shared-bytes=232448},gpu.module(convert-sftile-to-nvvm,canonicalize,cse))" | FileCheck %s

// A ring whose stages four warps fill with numbers out of planes.

#c = #sftile.layout<registers = [[0, 1], [8, 0]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#b = #sftile.layout<registers = [[0, 1], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#word = #sftile.layout<registers = [], lanes = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
#words = #sftile.layout<registers = [[0, 1], [0, 2]], lanes = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
!ring = !sftile.ring<2, [!sftile.tile<128x64xf16, swizzled>]>

// CHECK-LABEL: gpu.func @expand(
// CHECK-SAME: %[[SIGNS:arg3]]: i32
// A stage is full when the four warps have said so, not when bytes have arrived.
// CHECK: %[[FOUR:.*]] = arith.constant 4 : i32
// CHECK-COUNT-2: nvvm.mbarrier.init %{{.*}}, %[[FOUR]] : !llvm.ptr<3>, i32
// CHECK: nvvm.setmaxregister decrease 56
// CHECK: mbarrier.try_wait.parity
// CHECK-NOT: expect_tx
// Eight fields of a word, all but the first moved, in two matrix stores; signs
// are changed where the kernel says so.
// CHECK-COUNT-7: arith.shli
// CHECK: nvvm.stmatrix %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {{.*}}layout = #nvvm.mma_layout<row>
// CHECK: nvvm.stmatrix
// CHECK-COUNT-8: arith.xori %{{.*}}, %[[SIGNS]] : i32
// CHECK: nvvm.stmatrix {{.*}}layout = #nvvm.mma_layout<col>
// CHECK: nvvm.stmatrix
// What was written is for the asynchronous proxy; then a lane of a warp arrives.
// CHECK: nvvm.fence.proxy
// CHECK-NEXT: nvvm.bar.warp.sync
// CHECK: scf.if
// CHECK-NEXT: nvvm.mbarrier.arrive
// CHECK: nvvm.setmaxregister decrease 232
gpu.module @kernels {
  gpu.func @expand(%planes: !llvm.ptr<1>, %i: index, %n: i64, %signs: i32)
      kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %z = arith.constant 0 : i64
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %zero = arith.constant 0.0 : f32
    %ring = sftile.ring : !ring
    sftile.role "expand" warps 4 registers 56 {
      %v = sftile.view %planes[%n, %n] pitch %n : !sftile.view<i32, row_major>
      %w = sftile.load %v[%z, %z] width 16 : !sftile.view<i32, row_major> -> !sftile.frag<32x4xi32, #words>
      %s = sftile.acquire %ring[%i] : !ring -> !sftile.slot<128x64xf16, swizzled>
      %first = sftile.slice %w[0, 0] : !sftile.frag<32x4xi32, #words> -> !sftile.frag<32x1xi32, #word>
      %k = sftile.decode %first[0] by (#sftile.tern_cache) : !sftile.frag<32x1xi32, #word> -> !sftile.frag<8x64xf16, #b>
      sftile.store %k to %s[%c8, %c0] by (#sftile.stmatrix) : !sftile.frag<8x64xf16, #b> to !sftile.slot<128x64xf16, swizzled>
      %last = sftile.slice %w[0, 3] : !sftile.frag<32x4xi32, #words> -> !sftile.frag<32x1xi32, #word>
      %f = sftile.decode %last[0] flip %signs by (#sftile.tern_cache) : !sftile.frag<32x1xi32, #word> -> !sftile.frag<8x64xf16, #b>
      sftile.store transposed %f to %s[%c0, %c8] by (#sftile.stmatrix) : !sftile.frag<8x64xf16, #b> to !sftile.slot<128x64xf16, swizzled>
      sftile.commit %ring[%i] : !ring
    }
    sftile.role "multiply" warps 4 registers 232 {
      %t = sftile.wait %ring[%i] : !ring -> !sftile.tile<128x64xf16, swizzled>
      %acc = sftile.broadcast %zero : f32 -> !sftile.frag<16x128xf32, #c>
      %p = sftile.mma_async %t[%c0, %c0], %t[%c0, %c0], %acc by (#sftile.wgmma<f16>)
          : !sftile.tile<128x64xf16, swizzled>, !sftile.tile<128x64xf16, swizzled>, !sftile.frag<16x128xf32, #c>
          -> !sftile.pending<!sftile.frag<16x128xf32, #c>>
      %group = sftile.commit_group %p by (#sftile.wgmma<f16>) : !sftile.pending<!sftile.frag<16x128xf32, #c>>
      %r = sftile.wait_group %group by (#sftile.wgmma<f16>) : !sftile.pending<!sftile.frag<16x128xf32, #c>> -> !sftile.frag<16x128xf32, #c>
      sftile.release %ring[%i] : !ring
    }
    gpu.return
  }

  // Two blocks have half of the rows each, a warp 16: what it has stored goes to
  // the other block, whose barrier counts the bytes, as this one's counts those
  // that come.
  // CHECK-LABEL: gpu.func @share(
  // CHECK-DAG: %[[ROWS:.*]] = arith.constant 2048 : i32
  // CHECK: nvvm.cluster.arrive.relaxed
  // CHECK: nvvm.setmaxregister decrease 56
  // CHECK: nvvm.fence.proxy
  // CHECK-NEXT: nvvm.bar.warp.sync
  // CHECK: scf.if
  // CHECK: nvvm.mbarrier.arrive.expect_tx %{{.*}}, %[[ROWS]]
  // CHECK: %[[FULL:.*]] = nvvm.mapa
  // CHECK: %[[THEIRS:.*]] = nvvm.mapa
  // CHECK: llvm.inline_asm has_side_effects "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [$0], [$1], $2, [$3];", "r,r,r,r,~{memory}" %[[THEIRS]], %{{.*}}, %[[ROWS]], %[[FULL]]
  // CHECK-NOT: cp.async.bulk
  // CHECK: nvvm.setmaxregister decrease 232
  gpu.func @share(%i: index, %h: f16)
      kernel attributes {known_block_size = array<i32: 256, 1, 1>, nvvm.cluster_dim = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %ring = sftile.ring : !ring
    sftile.role "expand" warps 4 registers 56 {
      %s = sftile.acquire %ring[%i] : !ring -> !sftile.slot<128x64xf16, swizzled>
      %part = sftile.broadcast %h : f16 -> !sftile.frag<16x16xf16, #a>
      sftile.store %part to %s[%c0, %c0] by (#sftile.stmatrix) : !sftile.frag<16x16xf16, #a> to !sftile.slot<128x64xf16, swizzled>
      sftile.commit %ring[%i] shared_by 2 : !ring
    }
    sftile.role "multiply" warps 4 registers 232 {
      %t = sftile.wait %ring[%i] : !ring -> !sftile.tile<128x64xf16, swizzled>
      %acc = sftile.broadcast %zero : f32 -> !sftile.frag<16x128xf32, #c>
      %p = sftile.mma_async %t[%c0, %c0], %t[%c0, %c0], %acc by (#sftile.wgmma<f16>)
          : !sftile.tile<128x64xf16, swizzled>, !sftile.tile<128x64xf16, swizzled>, !sftile.frag<16x128xf32, #c>
          -> !sftile.pending<!sftile.frag<16x128xf32, #c>>
      %group = sftile.commit_group %p by (#sftile.wgmma<f16>) : !sftile.pending<!sftile.frag<16x128xf32, #c>>
      %r = sftile.wait_group %group by (#sftile.wgmma<f16>) : !sftile.pending<!sftile.frag<16x128xf32, #c>> -> !sftile.frag<16x128xf32, #c>
      sftile.release %ring[%i] : !ring
    }
    gpu.return
  }
}
