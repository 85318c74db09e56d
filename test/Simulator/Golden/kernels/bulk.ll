target triple = "nvptx64-nvidia-cuda"
@shared = external addrspace(3) global [0 x i8], align 1024
@bar = internal addrspace(3) global [4 x i64] poison, align 8
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3), i32)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.cp.async.bulk.commit.group()
declare void @llvm.nvvm.cp.async.bulk.global.to.shared.cta(ptr addrspace(3), ptr addrspace(3), ptr addrspace(1), i32, i64, i1)
declare void @llvm.nvvm.cp.async.bulk.tensor.g2s.cta.tile.1d(ptr addrspace(3), ptr addrspace(3), ptr, i32, i64, i1)
declare void @llvm.nvvm.cp.async.bulk.tensor.g2s.cta.tile.2d(ptr addrspace(3), ptr addrspace(3), ptr, i32, i32, i64, i1)
declare void @llvm.nvvm.cp.async.bulk.tensor.g2s.cta.tile.3d(ptr addrspace(3), ptr addrspace(3), ptr, i32, i32, i32, i64, i1)
declare void @llvm.nvvm.cp.async.bulk.tensor.s2g.tile.1d(ptr addrspace(3), ptr, i32, i64, i1)
declare void @llvm.nvvm.cp.async.bulk.tensor.s2g.tile.2d(ptr addrspace(3), ptr, i32, i32, i64, i1)
declare void @llvm.nvvm.cp.async.bulk.tensor.s2g.tile.3d(ptr addrspace(3), ptr, i32, i32, i32, i64, i1)
declare void @llvm.nvvm.cp.async.bulk.wait.group(i32)
declare void @llvm.nvvm.fence.mbarrier_init.release.cluster()
declare void @llvm.nvvm.fence.proxy.async.shared_cta()
declare void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3), i32)
define ptx_kernel void @bulk_copy(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %t, 0
  %v1 = mul i32 %t, 1
  %v2 = add i32 %v1, 0
  %v3 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v2
  store <4 x i32> splat (i32 -559038737), ptr addrspace(3) %v3, align 16
  %v4 = mul i32 %t, 1
  %v5 = add i32 %v4, 128
  %v6 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v5
  store <4 x i32> splat (i32 -559038737), ptr addrspace(3) %v6, align 16
  %v7 = mul i32 %t, 1
  %v8 = add i32 %v7, 256
  %v9 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v8
  store <4 x i32> splat (i32 -559038737), ptr addrspace(3) %v9, align 16
  %v10 = mul i32 %t, 1
  %v11 = add i32 %v10, 384
  %v12 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> splat (i32 -559038737), ptr addrspace(3) %v12, align 16
  br i1 %first, label %init, label %init_end
init:
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @bar, i32 1)
  call void @llvm.nvvm.fence.mbarrier_init.release.cluster()
  br label %init_end
init_end:
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %first, label %expect, label %expect_end
expect:
  %v13 = call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3) @bar, i32 2048)
  br label %expect_end
expect_end:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %first, label %load, label %load_end
load:
  %v14 = getelementptr i8, ptr addrspace(3) @shared, i32 0
  %v15 = getelementptr i8, ptr addrspace(1) %in, i32 1024
  %v16 = addrspacecast ptr addrspace(3) %v14 to ptr addrspace(7)
  call void asm sideeffect "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1], $2, [$3];", "r,l,r,r"(ptr addrspace(7) %v16, ptr addrspace(1) %v15, i32 1024, ptr addrspace(3) @bar)
  %v17 = getelementptr i8, ptr addrspace(3) @shared, i32 2048
  %v18 = getelementptr i8, ptr addrspace(1) %in, i32 16
  %v19 = addrspacecast ptr addrspace(3) %v17 to ptr addrspace(7)
  call void asm sideeffect "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1], $2, [$3];", "r,l,r,r"(ptr addrspace(7) %v19, ptr addrspace(1) %v18, i32 1024, ptr addrspace(3) @bar)
  br label %load_end
load_end:
  call void asm sideeffect "{ .reg .pred P1; WAIT_0: mbarrier.try_wait.parity.shared::cta.b64 P1, [$0], $1; @P1 bra.uni DONE_0; bra.uni WAIT_0; DONE_0: }", "r,r"(ptr addrspace(3) @bar, i32 0)
  %v20 = add i32 %t, 0
  %v21 = add i32 %v20, 0
  %v22 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v20
  %v23 = load <4 x i32>, ptr addrspace(3) %v22, align 16
  %v24 = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %v20
  store <4 x i32> %v23, ptr addrspace(1) %v24, align 16
  %v25 = add i32 %t, 128
  %v26 = add i32 %v25, 0
  %v27 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v25
  %v28 = load <4 x i32>, ptr addrspace(3) %v27, align 16
  %v29 = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %v25
  store <4 x i32> %v28, ptr addrspace(1) %v29, align 16
  %v30 = add i32 %t, 256
  %v31 = add i32 %v30, 0
  %v32 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v30
  %v33 = load <4 x i32>, ptr addrspace(3) %v32, align 16
  %v34 = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %v30
  store <4 x i32> %v33, ptr addrspace(1) %v34, align 16
  %v35 = add i32 %t, 384
  %v36 = add i32 %v35, 0
  %v37 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v35
  %v38 = load <4 x i32>, ptr addrspace(3) %v37, align 16
  %v39 = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %v35
  store <4 x i32> %v38, ptr addrspace(1) %v39, align 16
  ret void
}
define ptx_kernel void @load_tile_1d_0(ptr byval([128 x i8]) align 64 "nvvm.grid_constant" %map, ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %t, 0
  %v1 = mul i32 %t, 1
  %v2 = add i32 %v1, 0
  %v3 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v2
  store <4 x i32> splat (i32 -559038737), ptr addrspace(3) %v3, align 16
  %v4 = mul i32 %t, 1
  %v5 = add i32 %v4, 128
  %v6 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v5
  store <4 x i32> splat (i32 -559038737), ptr addrspace(3) %v6, align 16
  %v7 = mul i32 %t, 1
  %v8 = add i32 %v7, 256
  %v9 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v8
  store <4 x i32> splat (i32 -559038737), ptr addrspace(3) %v9, align 16
  %v10 = mul i32 %t, 1
  %v11 = add i32 %v10, 384
  %v12 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> splat (i32 -559038737), ptr addrspace(3) %v12, align 16
  br i1 %first, label %init, label %init_end
init:
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @bar, i32 1)
  call void @llvm.nvvm.fence.mbarrier_init.release.cluster()
  br label %init_end
init_end:
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %first, label %expect, label %expect_end
expect:
  %v13 = call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3) @bar, i32 96)
  br label %expect_end
expect_end:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %first, label %go, label %go_end
go:
  %v14 = getelementptr i32, ptr addrspace(1) %in, i32 0
  %v15 = load i32, ptr addrspace(1) %v14
  call void @llvm.nvvm.cp.async.bulk.tensor.g2s.cta.tile.1d(ptr addrspace(3) @shared, ptr addrspace(3) @bar, ptr %map, i32 %v15, i64 0, i1 false)
  br label %go_end
go_end:
  call void asm sideeffect "{ .reg .pred P1; WAIT_1: mbarrier.try_wait.parity.shared::cta.b64 P1, [$0], $1; @P1 bra.uni DONE_1; bra.uni WAIT_1; DONE_1: }", "r,r"(ptr addrspace(3) @bar, i32 0)
  %v16 = add i32 %t, 0
  %v17 = add i32 %v16, 0
  %v18 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  %v19 = load <4 x i32>, ptr addrspace(3) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %v16
  store <4 x i32> %v19, ptr addrspace(1) %v20, align 16
  %v21 = add i32 %t, 128
  %v22 = add i32 %v21, 0
  %v23 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v21
  %v24 = load <4 x i32>, ptr addrspace(3) %v23, align 16
  %v25 = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %v21
  store <4 x i32> %v24, ptr addrspace(1) %v25, align 16
  %v26 = add i32 %t, 256
  %v27 = add i32 %v26, 0
  %v28 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v26
  %v29 = load <4 x i32>, ptr addrspace(3) %v28, align 16
  %v30 = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %v26
  store <4 x i32> %v29, ptr addrspace(1) %v30, align 16
  %v31 = add i32 %t, 384
  %v32 = add i32 %v31, 0
  %v33 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v31
  %v34 = load <4 x i32>, ptr addrspace(3) %v33, align 16
  %v35 = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %v31
  store <4 x i32> %v34, ptr addrspace(1) %v35, align 16
  ret void
}
define ptx_kernel void @store_tile_1d_0(ptr byval([128 x i8]) align 64 "nvvm.grid_constant" %map, ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %t, 0
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 1
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 1
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 1
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 1
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %first, label %go, label %go_end
go:
  %v21 = getelementptr i32, ptr addrspace(1) %in, i32 0
  %v22 = load i32, ptr addrspace(1) %v21
  call void @llvm.nvvm.cp.async.bulk.tensor.s2g.tile.1d(ptr addrspace(3) @shared, ptr %map, i32 %v22, i64 0, i1 false)
  call void @llvm.nvvm.cp.async.bulk.commit.group()
  call void @llvm.nvvm.cp.async.bulk.wait.group(i32 0)
  br label %go_end
go_end:
  ret void
}
define ptx_kernel void @load_tile_2d_0(ptr byval([128 x i8]) align 64 "nvvm.grid_constant" %map, ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %t, 0
  %v1 = mul i32 %t, 1
  %v2 = add i32 %v1, 0
  %v3 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v2
  store <4 x i32> splat (i32 -559038737), ptr addrspace(3) %v3, align 16
  %v4 = mul i32 %t, 1
  %v5 = add i32 %v4, 128
  %v6 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v5
  store <4 x i32> splat (i32 -559038737), ptr addrspace(3) %v6, align 16
  %v7 = mul i32 %t, 1
  %v8 = add i32 %v7, 256
  %v9 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v8
  store <4 x i32> splat (i32 -559038737), ptr addrspace(3) %v9, align 16
  %v10 = mul i32 %t, 1
  %v11 = add i32 %v10, 384
  %v12 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> splat (i32 -559038737), ptr addrspace(3) %v12, align 16
  br i1 %first, label %init, label %init_end
init:
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @bar, i32 1)
  call void @llvm.nvvm.fence.mbarrier_init.release.cluster()
  br label %init_end
init_end:
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %first, label %expect, label %expect_end
expect:
  %v13 = call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3) @bar, i32 1536)
  br label %expect_end
expect_end:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %first, label %go, label %go_end
go:
  %v14 = getelementptr i32, ptr addrspace(1) %in, i32 0
  %v15 = load i32, ptr addrspace(1) %v14
  %v16 = getelementptr i32, ptr addrspace(1) %in, i32 1
  %v17 = load i32, ptr addrspace(1) %v16
  call void @llvm.nvvm.cp.async.bulk.tensor.g2s.cta.tile.2d(ptr addrspace(3) @shared, ptr addrspace(3) @bar, ptr %map, i32 %v15, i32 %v17, i64 0, i1 false)
  br label %go_end
go_end:
  call void asm sideeffect "{ .reg .pred P1; WAIT_1: mbarrier.try_wait.parity.shared::cta.b64 P1, [$0], $1; @P1 bra.uni DONE_1; bra.uni WAIT_1; DONE_1: }", "r,r"(ptr addrspace(3) @bar, i32 0)
  %v18 = add i32 %t, 0
  %v19 = add i32 %v18, 0
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v18
  %v21 = load <4 x i32>, ptr addrspace(3) %v20, align 16
  %v22 = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %v18
  store <4 x i32> %v21, ptr addrspace(1) %v22, align 16
  %v23 = add i32 %t, 128
  %v24 = add i32 %v23, 0
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v23
  %v26 = load <4 x i32>, ptr addrspace(3) %v25, align 16
  %v27 = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %v23
  store <4 x i32> %v26, ptr addrspace(1) %v27, align 16
  %v28 = add i32 %t, 256
  %v29 = add i32 %v28, 0
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v28
  %v31 = load <4 x i32>, ptr addrspace(3) %v30, align 16
  %v32 = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %v28
  store <4 x i32> %v31, ptr addrspace(1) %v32, align 16
  %v33 = add i32 %t, 384
  %v34 = add i32 %v33, 0
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v33
  %v36 = load <4 x i32>, ptr addrspace(3) %v35, align 16
  %v37 = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %v33
  store <4 x i32> %v36, ptr addrspace(1) %v37, align 16
  ret void
}
define ptx_kernel void @store_tile_2d_0(ptr byval([128 x i8]) align 64 "nvvm.grid_constant" %map, ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %t, 0
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 1
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 1
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 1
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 1
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %first, label %go, label %go_end
go:
  %v21 = getelementptr i32, ptr addrspace(1) %in, i32 0
  %v22 = load i32, ptr addrspace(1) %v21
  %v23 = getelementptr i32, ptr addrspace(1) %in, i32 1
  %v24 = load i32, ptr addrspace(1) %v23
  call void @llvm.nvvm.cp.async.bulk.tensor.s2g.tile.2d(ptr addrspace(3) @shared, ptr %map, i32 %v22, i32 %v24, i64 0, i1 false)
  call void @llvm.nvvm.cp.async.bulk.commit.group()
  call void @llvm.nvvm.cp.async.bulk.wait.group(i32 0)
  br label %go_end
go_end:
  ret void
}
define ptx_kernel void @load_tile_2d_32(ptr byval([128 x i8]) align 64 "nvvm.grid_constant" %map, ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %t, 0
  %v1 = mul i32 %t, 1
  %v2 = add i32 %v1, 0
  %v3 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v2
  store <4 x i32> splat (i32 -559038737), ptr addrspace(3) %v3, align 16
  %v4 = mul i32 %t, 1
  %v5 = add i32 %v4, 128
  %v6 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v5
  store <4 x i32> splat (i32 -559038737), ptr addrspace(3) %v6, align 16
  %v7 = mul i32 %t, 1
  %v8 = add i32 %v7, 256
  %v9 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v8
  store <4 x i32> splat (i32 -559038737), ptr addrspace(3) %v9, align 16
  %v10 = mul i32 %t, 1
  %v11 = add i32 %v10, 384
  %v12 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> splat (i32 -559038737), ptr addrspace(3) %v12, align 16
  br i1 %first, label %init, label %init_end
init:
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @bar, i32 1)
  call void @llvm.nvvm.fence.mbarrier_init.release.cluster()
  br label %init_end
init_end:
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %first, label %expect, label %expect_end
expect:
  %v13 = call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3) @bar, i32 512)
  br label %expect_end
expect_end:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %first, label %go, label %go_end
go:
  %v14 = getelementptr i32, ptr addrspace(1) %in, i32 0
  %v15 = load i32, ptr addrspace(1) %v14
  %v16 = getelementptr i32, ptr addrspace(1) %in, i32 1
  %v17 = load i32, ptr addrspace(1) %v16
  call void @llvm.nvvm.cp.async.bulk.tensor.g2s.cta.tile.2d(ptr addrspace(3) @shared, ptr addrspace(3) @bar, ptr %map, i32 %v15, i32 %v17, i64 0, i1 false)
  br label %go_end
go_end:
  call void asm sideeffect "{ .reg .pred P1; WAIT_1: mbarrier.try_wait.parity.shared::cta.b64 P1, [$0], $1; @P1 bra.uni DONE_1; bra.uni WAIT_1; DONE_1: }", "r,r"(ptr addrspace(3) @bar, i32 0)
  %v18 = add i32 %t, 0
  %v19 = add i32 %v18, 0
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v18
  %v21 = load <4 x i32>, ptr addrspace(3) %v20, align 16
  %v22 = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %v18
  store <4 x i32> %v21, ptr addrspace(1) %v22, align 16
  %v23 = add i32 %t, 128
  %v24 = add i32 %v23, 0
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v23
  %v26 = load <4 x i32>, ptr addrspace(3) %v25, align 16
  %v27 = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %v23
  store <4 x i32> %v26, ptr addrspace(1) %v27, align 16
  %v28 = add i32 %t, 256
  %v29 = add i32 %v28, 0
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v28
  %v31 = load <4 x i32>, ptr addrspace(3) %v30, align 16
  %v32 = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %v28
  store <4 x i32> %v31, ptr addrspace(1) %v32, align 16
  %v33 = add i32 %t, 384
  %v34 = add i32 %v33, 0
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v33
  %v36 = load <4 x i32>, ptr addrspace(3) %v35, align 16
  %v37 = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %v33
  store <4 x i32> %v36, ptr addrspace(1) %v37, align 16
  ret void
}
define ptx_kernel void @store_tile_2d_32(ptr byval([128 x i8]) align 64 "nvvm.grid_constant" %map, ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %t, 0
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 1
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 1
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 1
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 1
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %first, label %go, label %go_end
go:
  %v21 = getelementptr i32, ptr addrspace(1) %in, i32 0
  %v22 = load i32, ptr addrspace(1) %v21
  %v23 = getelementptr i32, ptr addrspace(1) %in, i32 1
  %v24 = load i32, ptr addrspace(1) %v23
  call void @llvm.nvvm.cp.async.bulk.tensor.s2g.tile.2d(ptr addrspace(3) @shared, ptr %map, i32 %v22, i32 %v24, i64 0, i1 false)
  call void @llvm.nvvm.cp.async.bulk.commit.group()
  call void @llvm.nvvm.cp.async.bulk.wait.group(i32 0)
  br label %go_end
go_end:
  ret void
}
define ptx_kernel void @load_tile_2d_64(ptr byval([128 x i8]) align 64 "nvvm.grid_constant" %map, ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %t, 0
  %v1 = mul i32 %t, 1
  %v2 = add i32 %v1, 0
  %v3 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v2
  store <4 x i32> splat (i32 -559038737), ptr addrspace(3) %v3, align 16
  %v4 = mul i32 %t, 1
  %v5 = add i32 %v4, 128
  %v6 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v5
  store <4 x i32> splat (i32 -559038737), ptr addrspace(3) %v6, align 16
  %v7 = mul i32 %t, 1
  %v8 = add i32 %v7, 256
  %v9 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v8
  store <4 x i32> splat (i32 -559038737), ptr addrspace(3) %v9, align 16
  %v10 = mul i32 %t, 1
  %v11 = add i32 %v10, 384
  %v12 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> splat (i32 -559038737), ptr addrspace(3) %v12, align 16
  br i1 %first, label %init, label %init_end
init:
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @bar, i32 1)
  call void @llvm.nvvm.fence.mbarrier_init.release.cluster()
  br label %init_end
init_end:
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %first, label %expect, label %expect_end
expect:
  %v13 = call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3) @bar, i32 1024)
  br label %expect_end
expect_end:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %first, label %go, label %go_end
go:
  %v14 = getelementptr i32, ptr addrspace(1) %in, i32 0
  %v15 = load i32, ptr addrspace(1) %v14
  %v16 = getelementptr i32, ptr addrspace(1) %in, i32 1
  %v17 = load i32, ptr addrspace(1) %v16
  call void @llvm.nvvm.cp.async.bulk.tensor.g2s.cta.tile.2d(ptr addrspace(3) @shared, ptr addrspace(3) @bar, ptr %map, i32 %v15, i32 %v17, i64 0, i1 false)
  br label %go_end
go_end:
  call void asm sideeffect "{ .reg .pred P1; WAIT_1: mbarrier.try_wait.parity.shared::cta.b64 P1, [$0], $1; @P1 bra.uni DONE_1; bra.uni WAIT_1; DONE_1: }", "r,r"(ptr addrspace(3) @bar, i32 0)
  %v18 = add i32 %t, 0
  %v19 = add i32 %v18, 0
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v18
  %v21 = load <4 x i32>, ptr addrspace(3) %v20, align 16
  %v22 = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %v18
  store <4 x i32> %v21, ptr addrspace(1) %v22, align 16
  %v23 = add i32 %t, 128
  %v24 = add i32 %v23, 0
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v23
  %v26 = load <4 x i32>, ptr addrspace(3) %v25, align 16
  %v27 = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %v23
  store <4 x i32> %v26, ptr addrspace(1) %v27, align 16
  %v28 = add i32 %t, 256
  %v29 = add i32 %v28, 0
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v28
  %v31 = load <4 x i32>, ptr addrspace(3) %v30, align 16
  %v32 = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %v28
  store <4 x i32> %v31, ptr addrspace(1) %v32, align 16
  %v33 = add i32 %t, 384
  %v34 = add i32 %v33, 0
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v33
  %v36 = load <4 x i32>, ptr addrspace(3) %v35, align 16
  %v37 = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %v33
  store <4 x i32> %v36, ptr addrspace(1) %v37, align 16
  ret void
}
define ptx_kernel void @store_tile_2d_64(ptr byval([128 x i8]) align 64 "nvvm.grid_constant" %map, ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %t, 0
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 1
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 1
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 1
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 1
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %first, label %go, label %go_end
go:
  %v21 = getelementptr i32, ptr addrspace(1) %in, i32 0
  %v22 = load i32, ptr addrspace(1) %v21
  %v23 = getelementptr i32, ptr addrspace(1) %in, i32 1
  %v24 = load i32, ptr addrspace(1) %v23
  call void @llvm.nvvm.cp.async.bulk.tensor.s2g.tile.2d(ptr addrspace(3) @shared, ptr %map, i32 %v22, i32 %v24, i64 0, i1 false)
  call void @llvm.nvvm.cp.async.bulk.commit.group()
  call void @llvm.nvvm.cp.async.bulk.wait.group(i32 0)
  br label %go_end
go_end:
  ret void
}
define ptx_kernel void @load_tile_2d_128(ptr byval([128 x i8]) align 64 "nvvm.grid_constant" %map, ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %t, 0
  %v1 = mul i32 %t, 1
  %v2 = add i32 %v1, 0
  %v3 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v2
  store <4 x i32> splat (i32 -559038737), ptr addrspace(3) %v3, align 16
  %v4 = mul i32 %t, 1
  %v5 = add i32 %v4, 128
  %v6 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v5
  store <4 x i32> splat (i32 -559038737), ptr addrspace(3) %v6, align 16
  %v7 = mul i32 %t, 1
  %v8 = add i32 %v7, 256
  %v9 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v8
  store <4 x i32> splat (i32 -559038737), ptr addrspace(3) %v9, align 16
  %v10 = mul i32 %t, 1
  %v11 = add i32 %v10, 384
  %v12 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> splat (i32 -559038737), ptr addrspace(3) %v12, align 16
  br i1 %first, label %init, label %init_end
init:
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @bar, i32 1)
  call void @llvm.nvvm.fence.mbarrier_init.release.cluster()
  br label %init_end
init_end:
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %first, label %expect, label %expect_end
expect:
  %v13 = call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3) @bar, i32 2048)
  br label %expect_end
expect_end:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %first, label %go, label %go_end
go:
  %v14 = getelementptr i32, ptr addrspace(1) %in, i32 0
  %v15 = load i32, ptr addrspace(1) %v14
  %v16 = getelementptr i32, ptr addrspace(1) %in, i32 1
  %v17 = load i32, ptr addrspace(1) %v16
  call void @llvm.nvvm.cp.async.bulk.tensor.g2s.cta.tile.2d(ptr addrspace(3) @shared, ptr addrspace(3) @bar, ptr %map, i32 %v15, i32 %v17, i64 0, i1 false)
  br label %go_end
go_end:
  call void asm sideeffect "{ .reg .pred P1; WAIT_1: mbarrier.try_wait.parity.shared::cta.b64 P1, [$0], $1; @P1 bra.uni DONE_1; bra.uni WAIT_1; DONE_1: }", "r,r"(ptr addrspace(3) @bar, i32 0)
  %v18 = add i32 %t, 0
  %v19 = add i32 %v18, 0
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v18
  %v21 = load <4 x i32>, ptr addrspace(3) %v20, align 16
  %v22 = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %v18
  store <4 x i32> %v21, ptr addrspace(1) %v22, align 16
  %v23 = add i32 %t, 128
  %v24 = add i32 %v23, 0
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v23
  %v26 = load <4 x i32>, ptr addrspace(3) %v25, align 16
  %v27 = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %v23
  store <4 x i32> %v26, ptr addrspace(1) %v27, align 16
  %v28 = add i32 %t, 256
  %v29 = add i32 %v28, 0
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v28
  %v31 = load <4 x i32>, ptr addrspace(3) %v30, align 16
  %v32 = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %v28
  store <4 x i32> %v31, ptr addrspace(1) %v32, align 16
  %v33 = add i32 %t, 384
  %v34 = add i32 %v33, 0
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v33
  %v36 = load <4 x i32>, ptr addrspace(3) %v35, align 16
  %v37 = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %v33
  store <4 x i32> %v36, ptr addrspace(1) %v37, align 16
  ret void
}
define ptx_kernel void @store_tile_2d_128(ptr byval([128 x i8]) align 64 "nvvm.grid_constant" %map, ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %t, 0
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 1
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 1
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 1
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 1
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %first, label %go, label %go_end
go:
  %v21 = getelementptr i32, ptr addrspace(1) %in, i32 0
  %v22 = load i32, ptr addrspace(1) %v21
  %v23 = getelementptr i32, ptr addrspace(1) %in, i32 1
  %v24 = load i32, ptr addrspace(1) %v23
  call void @llvm.nvvm.cp.async.bulk.tensor.s2g.tile.2d(ptr addrspace(3) @shared, ptr %map, i32 %v22, i32 %v24, i64 0, i1 false)
  call void @llvm.nvvm.cp.async.bulk.commit.group()
  call void @llvm.nvvm.cp.async.bulk.wait.group(i32 0)
  br label %go_end
go_end:
  ret void
}
define ptx_kernel void @load_tile_3d_0(ptr byval([128 x i8]) align 64 "nvvm.grid_constant" %map, ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %t, 0
  %v1 = mul i32 %t, 1
  %v2 = add i32 %v1, 0
  %v3 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v2
  store <4 x i32> splat (i32 -559038737), ptr addrspace(3) %v3, align 16
  %v4 = mul i32 %t, 1
  %v5 = add i32 %v4, 128
  %v6 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v5
  store <4 x i32> splat (i32 -559038737), ptr addrspace(3) %v6, align 16
  %v7 = mul i32 %t, 1
  %v8 = add i32 %v7, 256
  %v9 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v8
  store <4 x i32> splat (i32 -559038737), ptr addrspace(3) %v9, align 16
  %v10 = mul i32 %t, 1
  %v11 = add i32 %v10, 384
  %v12 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> splat (i32 -559038737), ptr addrspace(3) %v12, align 16
  br i1 %first, label %init, label %init_end
init:
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @bar, i32 1)
  call void @llvm.nvvm.fence.mbarrier_init.release.cluster()
  br label %init_end
init_end:
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %first, label %expect, label %expect_end
expect:
  %v13 = call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3) @bar, i32 1536)
  br label %expect_end
expect_end:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %first, label %go, label %go_end
go:
  %v14 = getelementptr i32, ptr addrspace(1) %in, i32 0
  %v15 = load i32, ptr addrspace(1) %v14
  %v16 = getelementptr i32, ptr addrspace(1) %in, i32 1
  %v17 = load i32, ptr addrspace(1) %v16
  %v18 = getelementptr i32, ptr addrspace(1) %in, i32 2
  %v19 = load i32, ptr addrspace(1) %v18
  call void @llvm.nvvm.cp.async.bulk.tensor.g2s.cta.tile.3d(ptr addrspace(3) @shared, ptr addrspace(3) @bar, ptr %map, i32 %v15, i32 %v17, i32 %v19, i64 0, i1 false)
  br label %go_end
go_end:
  call void asm sideeffect "{ .reg .pred P1; WAIT_1: mbarrier.try_wait.parity.shared::cta.b64 P1, [$0], $1; @P1 bra.uni DONE_1; bra.uni WAIT_1; DONE_1: }", "r,r"(ptr addrspace(3) @bar, i32 0)
  %v20 = add i32 %t, 0
  %v21 = add i32 %v20, 0
  %v22 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v20
  %v23 = load <4 x i32>, ptr addrspace(3) %v22, align 16
  %v24 = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %v20
  store <4 x i32> %v23, ptr addrspace(1) %v24, align 16
  %v25 = add i32 %t, 128
  %v26 = add i32 %v25, 0
  %v27 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v25
  %v28 = load <4 x i32>, ptr addrspace(3) %v27, align 16
  %v29 = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %v25
  store <4 x i32> %v28, ptr addrspace(1) %v29, align 16
  %v30 = add i32 %t, 256
  %v31 = add i32 %v30, 0
  %v32 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v30
  %v33 = load <4 x i32>, ptr addrspace(3) %v32, align 16
  %v34 = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %v30
  store <4 x i32> %v33, ptr addrspace(1) %v34, align 16
  %v35 = add i32 %t, 384
  %v36 = add i32 %v35, 0
  %v37 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v35
  %v38 = load <4 x i32>, ptr addrspace(3) %v37, align 16
  %v39 = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %v35
  store <4 x i32> %v38, ptr addrspace(1) %v39, align 16
  ret void
}
define ptx_kernel void @store_tile_3d_0(ptr byval([128 x i8]) align 64 "nvvm.grid_constant" %map, ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %t, 0
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 1
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 1
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 1
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 1
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %first, label %go, label %go_end
go:
  %v21 = getelementptr i32, ptr addrspace(1) %in, i32 0
  %v22 = load i32, ptr addrspace(1) %v21
  %v23 = getelementptr i32, ptr addrspace(1) %in, i32 1
  %v24 = load i32, ptr addrspace(1) %v23
  %v25 = getelementptr i32, ptr addrspace(1) %in, i32 2
  %v26 = load i32, ptr addrspace(1) %v25
  call void @llvm.nvvm.cp.async.bulk.tensor.s2g.tile.3d(ptr addrspace(3) @shared, ptr %map, i32 %v22, i32 %v24, i32 %v26, i64 0, i1 false)
  call void @llvm.nvvm.cp.async.bulk.commit.group()
  call void @llvm.nvvm.cp.async.bulk.wait.group(i32 0)
  br label %go_end
go_end:
  ret void
}
define ptx_kernel void @load_tile_3d_32(ptr byval([128 x i8]) align 64 "nvvm.grid_constant" %map, ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %t, 0
  %v1 = mul i32 %t, 1
  %v2 = add i32 %v1, 0
  %v3 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v2
  store <4 x i32> splat (i32 -559038737), ptr addrspace(3) %v3, align 16
  %v4 = mul i32 %t, 1
  %v5 = add i32 %v4, 128
  %v6 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v5
  store <4 x i32> splat (i32 -559038737), ptr addrspace(3) %v6, align 16
  %v7 = mul i32 %t, 1
  %v8 = add i32 %v7, 256
  %v9 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v8
  store <4 x i32> splat (i32 -559038737), ptr addrspace(3) %v9, align 16
  %v10 = mul i32 %t, 1
  %v11 = add i32 %v10, 384
  %v12 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> splat (i32 -559038737), ptr addrspace(3) %v12, align 16
  br i1 %first, label %init, label %init_end
init:
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @bar, i32 1)
  call void @llvm.nvvm.fence.mbarrier_init.release.cluster()
  br label %init_end
init_end:
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %first, label %expect, label %expect_end
expect:
  %v13 = call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3) @bar, i32 512)
  br label %expect_end
expect_end:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %first, label %go, label %go_end
go:
  %v14 = getelementptr i32, ptr addrspace(1) %in, i32 0
  %v15 = load i32, ptr addrspace(1) %v14
  %v16 = getelementptr i32, ptr addrspace(1) %in, i32 1
  %v17 = load i32, ptr addrspace(1) %v16
  %v18 = getelementptr i32, ptr addrspace(1) %in, i32 2
  %v19 = load i32, ptr addrspace(1) %v18
  call void @llvm.nvvm.cp.async.bulk.tensor.g2s.cta.tile.3d(ptr addrspace(3) @shared, ptr addrspace(3) @bar, ptr %map, i32 %v15, i32 %v17, i32 %v19, i64 0, i1 false)
  br label %go_end
go_end:
  call void asm sideeffect "{ .reg .pred P1; WAIT_1: mbarrier.try_wait.parity.shared::cta.b64 P1, [$0], $1; @P1 bra.uni DONE_1; bra.uni WAIT_1; DONE_1: }", "r,r"(ptr addrspace(3) @bar, i32 0)
  %v20 = add i32 %t, 0
  %v21 = add i32 %v20, 0
  %v22 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v20
  %v23 = load <4 x i32>, ptr addrspace(3) %v22, align 16
  %v24 = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %v20
  store <4 x i32> %v23, ptr addrspace(1) %v24, align 16
  %v25 = add i32 %t, 128
  %v26 = add i32 %v25, 0
  %v27 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v25
  %v28 = load <4 x i32>, ptr addrspace(3) %v27, align 16
  %v29 = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %v25
  store <4 x i32> %v28, ptr addrspace(1) %v29, align 16
  %v30 = add i32 %t, 256
  %v31 = add i32 %v30, 0
  %v32 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v30
  %v33 = load <4 x i32>, ptr addrspace(3) %v32, align 16
  %v34 = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %v30
  store <4 x i32> %v33, ptr addrspace(1) %v34, align 16
  %v35 = add i32 %t, 384
  %v36 = add i32 %v35, 0
  %v37 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v35
  %v38 = load <4 x i32>, ptr addrspace(3) %v37, align 16
  %v39 = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %v35
  store <4 x i32> %v38, ptr addrspace(1) %v39, align 16
  ret void
}
define ptx_kernel void @store_tile_3d_32(ptr byval([128 x i8]) align 64 "nvvm.grid_constant" %map, ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %t, 0
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 1
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 1
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 1
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 1
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %first, label %go, label %go_end
go:
  %v21 = getelementptr i32, ptr addrspace(1) %in, i32 0
  %v22 = load i32, ptr addrspace(1) %v21
  %v23 = getelementptr i32, ptr addrspace(1) %in, i32 1
  %v24 = load i32, ptr addrspace(1) %v23
  %v25 = getelementptr i32, ptr addrspace(1) %in, i32 2
  %v26 = load i32, ptr addrspace(1) %v25
  call void @llvm.nvvm.cp.async.bulk.tensor.s2g.tile.3d(ptr addrspace(3) @shared, ptr %map, i32 %v22, i32 %v24, i32 %v26, i64 0, i1 false)
  call void @llvm.nvvm.cp.async.bulk.commit.group()
  call void @llvm.nvvm.cp.async.bulk.wait.group(i32 0)
  br label %go_end
go_end:
  ret void
}
define ptx_kernel void @load_tile_3d_64(ptr byval([128 x i8]) align 64 "nvvm.grid_constant" %map, ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %t, 0
  %v1 = mul i32 %t, 1
  %v2 = add i32 %v1, 0
  %v3 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v2
  store <4 x i32> splat (i32 -559038737), ptr addrspace(3) %v3, align 16
  %v4 = mul i32 %t, 1
  %v5 = add i32 %v4, 128
  %v6 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v5
  store <4 x i32> splat (i32 -559038737), ptr addrspace(3) %v6, align 16
  %v7 = mul i32 %t, 1
  %v8 = add i32 %v7, 256
  %v9 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v8
  store <4 x i32> splat (i32 -559038737), ptr addrspace(3) %v9, align 16
  %v10 = mul i32 %t, 1
  %v11 = add i32 %v10, 384
  %v12 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> splat (i32 -559038737), ptr addrspace(3) %v12, align 16
  br i1 %first, label %init, label %init_end
init:
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @bar, i32 1)
  call void @llvm.nvvm.fence.mbarrier_init.release.cluster()
  br label %init_end
init_end:
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %first, label %expect, label %expect_end
expect:
  %v13 = call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3) @bar, i32 1024)
  br label %expect_end
expect_end:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %first, label %go, label %go_end
go:
  %v14 = getelementptr i32, ptr addrspace(1) %in, i32 0
  %v15 = load i32, ptr addrspace(1) %v14
  %v16 = getelementptr i32, ptr addrspace(1) %in, i32 1
  %v17 = load i32, ptr addrspace(1) %v16
  %v18 = getelementptr i32, ptr addrspace(1) %in, i32 2
  %v19 = load i32, ptr addrspace(1) %v18
  call void @llvm.nvvm.cp.async.bulk.tensor.g2s.cta.tile.3d(ptr addrspace(3) @shared, ptr addrspace(3) @bar, ptr %map, i32 %v15, i32 %v17, i32 %v19, i64 0, i1 false)
  br label %go_end
go_end:
  call void asm sideeffect "{ .reg .pred P1; WAIT_1: mbarrier.try_wait.parity.shared::cta.b64 P1, [$0], $1; @P1 bra.uni DONE_1; bra.uni WAIT_1; DONE_1: }", "r,r"(ptr addrspace(3) @bar, i32 0)
  %v20 = add i32 %t, 0
  %v21 = add i32 %v20, 0
  %v22 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v20
  %v23 = load <4 x i32>, ptr addrspace(3) %v22, align 16
  %v24 = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %v20
  store <4 x i32> %v23, ptr addrspace(1) %v24, align 16
  %v25 = add i32 %t, 128
  %v26 = add i32 %v25, 0
  %v27 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v25
  %v28 = load <4 x i32>, ptr addrspace(3) %v27, align 16
  %v29 = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %v25
  store <4 x i32> %v28, ptr addrspace(1) %v29, align 16
  %v30 = add i32 %t, 256
  %v31 = add i32 %v30, 0
  %v32 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v30
  %v33 = load <4 x i32>, ptr addrspace(3) %v32, align 16
  %v34 = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %v30
  store <4 x i32> %v33, ptr addrspace(1) %v34, align 16
  %v35 = add i32 %t, 384
  %v36 = add i32 %v35, 0
  %v37 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v35
  %v38 = load <4 x i32>, ptr addrspace(3) %v37, align 16
  %v39 = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %v35
  store <4 x i32> %v38, ptr addrspace(1) %v39, align 16
  ret void
}
define ptx_kernel void @store_tile_3d_64(ptr byval([128 x i8]) align 64 "nvvm.grid_constant" %map, ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %t, 0
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 1
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 1
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 1
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 1
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %first, label %go, label %go_end
go:
  %v21 = getelementptr i32, ptr addrspace(1) %in, i32 0
  %v22 = load i32, ptr addrspace(1) %v21
  %v23 = getelementptr i32, ptr addrspace(1) %in, i32 1
  %v24 = load i32, ptr addrspace(1) %v23
  %v25 = getelementptr i32, ptr addrspace(1) %in, i32 2
  %v26 = load i32, ptr addrspace(1) %v25
  call void @llvm.nvvm.cp.async.bulk.tensor.s2g.tile.3d(ptr addrspace(3) @shared, ptr %map, i32 %v22, i32 %v24, i32 %v26, i64 0, i1 false)
  call void @llvm.nvvm.cp.async.bulk.commit.group()
  call void @llvm.nvvm.cp.async.bulk.wait.group(i32 0)
  br label %go_end
go_end:
  ret void
}
define ptx_kernel void @load_tile_3d_128(ptr byval([128 x i8]) align 64 "nvvm.grid_constant" %map, ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %t, 0
  %v1 = mul i32 %t, 1
  %v2 = add i32 %v1, 0
  %v3 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v2
  store <4 x i32> splat (i32 -559038737), ptr addrspace(3) %v3, align 16
  %v4 = mul i32 %t, 1
  %v5 = add i32 %v4, 128
  %v6 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v5
  store <4 x i32> splat (i32 -559038737), ptr addrspace(3) %v6, align 16
  %v7 = mul i32 %t, 1
  %v8 = add i32 %v7, 256
  %v9 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v8
  store <4 x i32> splat (i32 -559038737), ptr addrspace(3) %v9, align 16
  %v10 = mul i32 %t, 1
  %v11 = add i32 %v10, 384
  %v12 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> splat (i32 -559038737), ptr addrspace(3) %v12, align 16
  br i1 %first, label %init, label %init_end
init:
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @bar, i32 1)
  call void @llvm.nvvm.fence.mbarrier_init.release.cluster()
  br label %init_end
init_end:
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %first, label %expect, label %expect_end
expect:
  %v13 = call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3) @bar, i32 2048)
  br label %expect_end
expect_end:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %first, label %go, label %go_end
go:
  %v14 = getelementptr i32, ptr addrspace(1) %in, i32 0
  %v15 = load i32, ptr addrspace(1) %v14
  %v16 = getelementptr i32, ptr addrspace(1) %in, i32 1
  %v17 = load i32, ptr addrspace(1) %v16
  %v18 = getelementptr i32, ptr addrspace(1) %in, i32 2
  %v19 = load i32, ptr addrspace(1) %v18
  call void @llvm.nvvm.cp.async.bulk.tensor.g2s.cta.tile.3d(ptr addrspace(3) @shared, ptr addrspace(3) @bar, ptr %map, i32 %v15, i32 %v17, i32 %v19, i64 0, i1 false)
  br label %go_end
go_end:
  call void asm sideeffect "{ .reg .pred P1; WAIT_1: mbarrier.try_wait.parity.shared::cta.b64 P1, [$0], $1; @P1 bra.uni DONE_1; bra.uni WAIT_1; DONE_1: }", "r,r"(ptr addrspace(3) @bar, i32 0)
  %v20 = add i32 %t, 0
  %v21 = add i32 %v20, 0
  %v22 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v20
  %v23 = load <4 x i32>, ptr addrspace(3) %v22, align 16
  %v24 = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %v20
  store <4 x i32> %v23, ptr addrspace(1) %v24, align 16
  %v25 = add i32 %t, 128
  %v26 = add i32 %v25, 0
  %v27 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v25
  %v28 = load <4 x i32>, ptr addrspace(3) %v27, align 16
  %v29 = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %v25
  store <4 x i32> %v28, ptr addrspace(1) %v29, align 16
  %v30 = add i32 %t, 256
  %v31 = add i32 %v30, 0
  %v32 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v30
  %v33 = load <4 x i32>, ptr addrspace(3) %v32, align 16
  %v34 = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %v30
  store <4 x i32> %v33, ptr addrspace(1) %v34, align 16
  %v35 = add i32 %t, 384
  %v36 = add i32 %v35, 0
  %v37 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v35
  %v38 = load <4 x i32>, ptr addrspace(3) %v37, align 16
  %v39 = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %v35
  store <4 x i32> %v38, ptr addrspace(1) %v39, align 16
  ret void
}
define ptx_kernel void @store_tile_3d_128(ptr byval([128 x i8]) align 64 "nvvm.grid_constant" %map, ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %t, 0
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 1
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 1
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 1
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 1
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %first, label %go, label %go_end
go:
  %v21 = getelementptr i32, ptr addrspace(1) %in, i32 0
  %v22 = load i32, ptr addrspace(1) %v21
  %v23 = getelementptr i32, ptr addrspace(1) %in, i32 1
  %v24 = load i32, ptr addrspace(1) %v23
  %v25 = getelementptr i32, ptr addrspace(1) %in, i32 2
  %v26 = load i32, ptr addrspace(1) %v25
  call void @llvm.nvvm.cp.async.bulk.tensor.s2g.tile.3d(ptr addrspace(3) @shared, ptr %map, i32 %v22, i32 %v24, i32 %v26, i64 0, i1 false)
  call void @llvm.nvvm.cp.async.bulk.commit.group()
  call void @llvm.nvvm.cp.async.bulk.wait.group(i32 0)
  br label %go_end
go_end:
  ret void
}
