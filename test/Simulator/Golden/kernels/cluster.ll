target triple = "nvptx64-nvidia-cuda"
@shared = external addrspace(3) global [0 x i8], align 1024
@bar = internal addrspace(3) global [4 x i64] poison, align 8
declare i32 @llvm.nvvm.read.ptx.sreg.cluster.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
declare i32 @llvm.nvvm.read.ptx.sreg.cluster.nctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.cluster.nctarank()
declare i32 @llvm.nvvm.read.ptx.sreg.clusterid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nclusterid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3), i32)
declare ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3), i32)
declare void @llvm.nvvm.barrier.cluster.arrive.aligned()
declare void @llvm.nvvm.barrier.cluster.wait.aligned()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.cp.async.bulk.tensor.g2s.tile.2d(ptr addrspace(7), ptr addrspace(3), ptr, i32, i32, i16, i64, i1, i1, i32)
declare void @llvm.nvvm.fence.mbarrier_init.release.cluster()
declare void @llvm.nvvm.fence.proxy.async.shared_cta()
declare void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3), i32)
declare void @llvm.nvvm.setmaxnreg.dec.sync.aligned.u32(i32)
declare void @llvm.nvvm.setmaxnreg.inc.sync.aligned.u32(i32)
define ptx_kernel void @registers(ptr addrspace(1) %in, ptr addrspace(1) %out) "nvvm.cluster_dim"="2" {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %v2 = mul i32 %v1, 192
  %mine = getelementptr i32, ptr addrspace(1) %out, i32 %v2
  %v3 = call i32 @llvm.nvvm.read.ptx.sreg.clusterid.x()
  %v4 = mul i32 %t, 6
  %v5 = add i32 %v4, 0
  %v6 = getelementptr i32, ptr addrspace(1) %mine, i32 %v5
  store i32 %v3, ptr addrspace(1) %v6
  %v7 = call i32 @llvm.nvvm.read.ptx.sreg.nclusterid.x()
  %v8 = mul i32 %t, 6
  %v9 = add i32 %v8, 1
  %v10 = getelementptr i32, ptr addrspace(1) %mine, i32 %v9
  store i32 %v7, ptr addrspace(1) %v10
  %v11 = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctaid.x()
  %v12 = mul i32 %t, 6
  %v13 = add i32 %v12, 2
  %v14 = getelementptr i32, ptr addrspace(1) %mine, i32 %v13
  store i32 %v11, ptr addrspace(1) %v14
  %v15 = call i32 @llvm.nvvm.read.ptx.sreg.cluster.nctaid.x()
  %v16 = mul i32 %t, 6
  %v17 = add i32 %v16, 3
  %v18 = getelementptr i32, ptr addrspace(1) %mine, i32 %v17
  store i32 %v15, ptr addrspace(1) %v18
  %v19 = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
  %v20 = mul i32 %t, 6
  %v21 = add i32 %v20, 4
  %v22 = getelementptr i32, ptr addrspace(1) %mine, i32 %v21
  store i32 %v19, ptr addrspace(1) %v22
  %v23 = call i32 @llvm.nvvm.read.ptx.sreg.cluster.nctarank()
  %v24 = mul i32 %t, 6
  %v25 = add i32 %v24, 5
  %v26 = getelementptr i32, ptr addrspace(1) %mine, i32 %v25
  store i32 %v23, ptr addrspace(1) %v26
  ret void
}
define ptx_kernel void @mapa(ptr addrspace(1) %in, ptr addrspace(1) %out) "nvvm.cluster_dim"="2" {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %v2 = mul i32 %v1, 32
  %mine = getelementptr i32, ptr addrspace(1) %out, i32 %v2
  %v3 = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
  %v4 = xor i32 %v3, 1
  %v5 = mul i32 %t, 1
  %v6 = add i32 %v5, 0
  %v7 = getelementptr i32, ptr addrspace(3) @shared, i32 %v6
  %v8 = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3) %v7, i32 %v4)
  %v9 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %v10 = mul i32 %v9, 1000
  %v11 = add i32 %v10, %t
  store i32 %v11, ptr addrspace(7) %v8
  call void @llvm.nvvm.barrier.cluster.arrive.aligned()
  call void @llvm.nvvm.barrier.cluster.wait.aligned()
  %v12 = load i32, ptr addrspace(3) %v7
  %v13 = mul i32 %t, 1
  %v14 = add i32 %v13, 0
  %v15 = getelementptr i32, ptr addrspace(1) %mine, i32 %v14
  store i32 %v12, ptr addrspace(1) %v15
  ret void
}
define ptx_kernel void @multicast(ptr byval([128 x i8]) align 64 "nvvm.grid_constant" %map, ptr addrspace(1) %in, ptr addrspace(1) %out) "nvvm.cluster_dim"="2" {
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
  %v14 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %v15 = mul i32 %v14, 2048
  %mine = getelementptr i32, ptr addrspace(1) %out, i32 %v15
  call void @llvm.nvvm.barrier.cluster.arrive.aligned()
  call void @llvm.nvvm.barrier.cluster.wait.aligned()
  %v16 = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
  br i1 %first, label %load, label %load_end
load:
  %v17 = mul i32 %v16, 8
  %v18 = mul i32 %v16, 1024
  %v19 = getelementptr i8, ptr addrspace(3) @shared, i32 %v18
  %v20 = addrspacecast ptr addrspace(3) %v19 to ptr addrspace(7)
  call void @llvm.nvvm.cp.async.bulk.tensor.g2s.tile.2d(ptr addrspace(7) %v20, ptr addrspace(3) @bar, ptr %map, i32 0, i32 %v17, i16 3, i64 0, i1 true, i1 false, i32 0)
  br label %load_end
load_end:
  call void asm sideeffect "{ .reg .pred P1; WAIT_2: mbarrier.try_wait.parity.shared::cta.b64 P1, [$0], $1; @P1 bra.uni DONE_2; bra.uni WAIT_2; DONE_2: }", "r,r"(ptr addrspace(3) @bar, i32 0)
  %first_piece = mul i32 %t, 4
  %v21 = mul i32 %t, 1
  %v22 = add i32 %v21, 0
  %v23 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v22
  %v24 = load <4 x i32>, ptr addrspace(3) %v23, align 16
  %v25 = mul i32 %t, 1
  %v26 = add i32 %v25, 0
  %v27 = getelementptr <4 x i32>, ptr addrspace(1) %mine, i32 %v26
  store <4 x i32> %v24, ptr addrspace(1) %v27, align 16
  %v28 = mul i32 %t, 1
  %v29 = add i32 %v28, 128
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v29
  %v31 = load <4 x i32>, ptr addrspace(3) %v30, align 16
  %v32 = mul i32 %t, 1
  %v33 = add i32 %v32, 128
  %v34 = getelementptr <4 x i32>, ptr addrspace(1) %mine, i32 %v33
  store <4 x i32> %v31, ptr addrspace(1) %v34, align 16
  %v35 = mul i32 %t, 1
  %v36 = add i32 %v35, 256
  %v37 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v36
  %v38 = load <4 x i32>, ptr addrspace(3) %v37, align 16
  %v39 = mul i32 %t, 1
  %v40 = add i32 %v39, 256
  %v41 = getelementptr <4 x i32>, ptr addrspace(1) %mine, i32 %v40
  store <4 x i32> %v38, ptr addrspace(1) %v41, align 16
  %v42 = mul i32 %t, 1
  %v43 = add i32 %v42, 384
  %v44 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v43
  %v45 = load <4 x i32>, ptr addrspace(3) %v44, align 16
  %v46 = mul i32 %t, 1
  %v47 = add i32 %v46, 384
  %v48 = getelementptr <4 x i32>, ptr addrspace(1) %mine, i32 %v47
  store <4 x i32> %v45, ptr addrspace(1) %v48, align 16
  call void @llvm.nvvm.barrier.cluster.arrive.aligned()
  call void @llvm.nvvm.barrier.cluster.wait.aligned()
  ret void
}
define ptx_kernel void @setmaxnreg(ptr addrspace(1) %in, ptr addrspace(1) %out) "nvvm.reqntid"="384" "nvvm.minctasm"="1" {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %low = icmp ult i32 %t, 128
  br i1 %low, label %less, label %more
less:
  call void @llvm.nvvm.setmaxnreg.dec.sync.aligned.u32(i32 24)
  br label %join
more:
  call void @llvm.nvvm.setmaxnreg.inc.sync.aligned.u32(i32 240)
  br label %join
join:
  %v1 = mul i32 %t, 1
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i32, ptr addrspace(1) %out, i32 %v2
  store i32 %t, ptr addrspace(1) %v3
  ret void
}
