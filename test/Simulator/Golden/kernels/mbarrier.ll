target triple = "nvptx64-nvidia-cuda"
@shared = external addrspace(3) global [0 x i8], align 1024
@bar = internal addrspace(3) global [4 x i64] poison, align 8
declare i1 @llvm.nvvm.mbarrier.test.wait.shared(ptr addrspace(3), i64)
declare i32 @llvm.nvvm.mbarrier.pending.count(i64)
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i64 @llvm.nvvm.mbarrier.arrive.drop.shared(ptr addrspace(3))
declare i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3), i32)
declare i64 @llvm.nvvm.mbarrier.arrive.noComplete.shared(ptr addrspace(3), i32)
declare i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3))
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.fence.mbarrier_init.release.cluster()
declare void @llvm.nvvm.fence.proxy.async.shared_cta()
declare void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3), i32)
define ptx_kernel void @arrivals(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %t, 0
  br i1 %first, label %go, label %go_end
go:
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @bar, i32 5)
  %v1 = call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3) @bar)
  %v2 = call i32 @llvm.nvvm.mbarrier.pending.count(i64 %v1)
  %v3 = getelementptr i32, ptr addrspace(1) %out, i32 0
  store i32 %v2, ptr addrspace(1) %v3
  %v4 = call i1 @llvm.nvvm.mbarrier.test.wait.shared(ptr addrspace(3) @bar, i64 %v1)
  %v5 = zext i1 %v4 to i32
  %v6 = getelementptr i32, ptr addrspace(1) %out, i32 1
  store i32 %v5, ptr addrspace(1) %v6
  %v7 = call i32 asm sideeffect "{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [$1], 0; selp.b32 $0, 1, 0, p; }", "=r,r"(ptr addrspace(3) @bar)
  %v8 = getelementptr i32, ptr addrspace(1) %out, i32 2
  store i32 %v7, ptr addrspace(1) %v8
  %v9 = call i32 asm sideeffect "{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [$1], 1; selp.b32 $0, 1, 0, p; }", "=r,r"(ptr addrspace(3) @bar)
  %v10 = getelementptr i32, ptr addrspace(1) %out, i32 3
  store i32 %v9, ptr addrspace(1) %v10
  %v11 = call i64 @llvm.nvvm.mbarrier.arrive.noComplete.shared(ptr addrspace(3) @bar, i32 3)
  %v12 = call i32 @llvm.nvvm.mbarrier.pending.count(i64 %v11)
  %v13 = getelementptr i32, ptr addrspace(1) %out, i32 4
  store i32 %v12, ptr addrspace(1) %v13
  %v14 = call i1 @llvm.nvvm.mbarrier.test.wait.shared(ptr addrspace(3) @bar, i64 %v11)
  %v15 = zext i1 %v14 to i32
  %v16 = getelementptr i32, ptr addrspace(1) %out, i32 5
  store i32 %v15, ptr addrspace(1) %v16
  %v17 = call i32 asm sideeffect "{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [$1], 0; selp.b32 $0, 1, 0, p; }", "=r,r"(ptr addrspace(3) @bar)
  %v18 = getelementptr i32, ptr addrspace(1) %out, i32 6
  store i32 %v17, ptr addrspace(1) %v18
  %v19 = call i32 asm sideeffect "{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [$1], 1; selp.b32 $0, 1, 0, p; }", "=r,r"(ptr addrspace(3) @bar)
  %v20 = getelementptr i32, ptr addrspace(1) %out, i32 7
  store i32 %v19, ptr addrspace(1) %v20
  %v21 = call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3) @bar)
  %v22 = call i32 @llvm.nvvm.mbarrier.pending.count(i64 %v21)
  %v23 = getelementptr i32, ptr addrspace(1) %out, i32 8
  store i32 %v22, ptr addrspace(1) %v23
  %v24 = call i1 @llvm.nvvm.mbarrier.test.wait.shared(ptr addrspace(3) @bar, i64 %v21)
  %v25 = zext i1 %v24 to i32
  %v26 = getelementptr i32, ptr addrspace(1) %out, i32 9
  store i32 %v25, ptr addrspace(1) %v26
  %v27 = call i32 asm sideeffect "{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [$1], 0; selp.b32 $0, 1, 0, p; }", "=r,r"(ptr addrspace(3) @bar)
  %v28 = getelementptr i32, ptr addrspace(1) %out, i32 10
  store i32 %v27, ptr addrspace(1) %v28
  %v29 = call i32 asm sideeffect "{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [$1], 1; selp.b32 $0, 1, 0, p; }", "=r,r"(ptr addrspace(3) @bar)
  %v30 = getelementptr i32, ptr addrspace(1) %out, i32 11
  store i32 %v29, ptr addrspace(1) %v30
  %v31 = call i1 @llvm.nvvm.mbarrier.test.wait.shared(ptr addrspace(3) @bar, i64 %v1)
  %v32 = zext i1 %v31 to i32
  %v33 = getelementptr i32, ptr addrspace(1) %out, i32 12
  store i32 %v32, ptr addrspace(1) %v33
  %v34 = call i32 asm sideeffect "{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [$1], 0; selp.b32 $0, 1, 0, p; }", "=r,r"(ptr addrspace(3) @bar)
  %v35 = getelementptr i32, ptr addrspace(1) %out, i32 13
  store i32 %v34, ptr addrspace(1) %v35
  %v36 = call i32 asm sideeffect "{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [$1], 1; selp.b32 $0, 1, 0, p; }", "=r,r"(ptr addrspace(3) @bar)
  %v37 = getelementptr i32, ptr addrspace(1) %out, i32 14
  store i32 %v36, ptr addrspace(1) %v37
  %v38 = call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3) @bar)
  %v39 = call i32 @llvm.nvvm.mbarrier.pending.count(i64 %v38)
  %v40 = getelementptr i32, ptr addrspace(1) %out, i32 15
  store i32 %v39, ptr addrspace(1) %v40
  %v41 = call i1 @llvm.nvvm.mbarrier.test.wait.shared(ptr addrspace(3) @bar, i64 %v38)
  %v42 = zext i1 %v41 to i32
  %v43 = getelementptr i32, ptr addrspace(1) %out, i32 16
  store i32 %v42, ptr addrspace(1) %v43
  %v44 = call i32 asm sideeffect "{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [$1], 0; selp.b32 $0, 1, 0, p; }", "=r,r"(ptr addrspace(3) @bar)
  %v45 = getelementptr i32, ptr addrspace(1) %out, i32 17
  store i32 %v44, ptr addrspace(1) %v45
  %v46 = call i32 asm sideeffect "{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [$1], 1; selp.b32 $0, 1, 0, p; }", "=r,r"(ptr addrspace(3) @bar)
  %v47 = getelementptr i32, ptr addrspace(1) %out, i32 18
  store i32 %v46, ptr addrspace(1) %v47
  %v48 = call i64 @llvm.nvvm.mbarrier.arrive.noComplete.shared(ptr addrspace(3) @bar, i32 3)
  %v49 = call i32 @llvm.nvvm.mbarrier.pending.count(i64 %v48)
  %v50 = getelementptr i32, ptr addrspace(1) %out, i32 19
  store i32 %v49, ptr addrspace(1) %v50
  %v51 = call i1 @llvm.nvvm.mbarrier.test.wait.shared(ptr addrspace(3) @bar, i64 %v48)
  %v52 = zext i1 %v51 to i32
  %v53 = getelementptr i32, ptr addrspace(1) %out, i32 20
  store i32 %v52, ptr addrspace(1) %v53
  %v54 = call i32 asm sideeffect "{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [$1], 0; selp.b32 $0, 1, 0, p; }", "=r,r"(ptr addrspace(3) @bar)
  %v55 = getelementptr i32, ptr addrspace(1) %out, i32 21
  store i32 %v54, ptr addrspace(1) %v55
  %v56 = call i32 asm sideeffect "{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [$1], 1; selp.b32 $0, 1, 0, p; }", "=r,r"(ptr addrspace(3) @bar)
  %v57 = getelementptr i32, ptr addrspace(1) %out, i32 22
  store i32 %v56, ptr addrspace(1) %v57
  %v58 = call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3) @bar)
  %v59 = call i32 @llvm.nvvm.mbarrier.pending.count(i64 %v58)
  %v60 = getelementptr i32, ptr addrspace(1) %out, i32 23
  store i32 %v59, ptr addrspace(1) %v60
  %v61 = call i1 @llvm.nvvm.mbarrier.test.wait.shared(ptr addrspace(3) @bar, i64 %v58)
  %v62 = zext i1 %v61 to i32
  %v63 = getelementptr i32, ptr addrspace(1) %out, i32 24
  store i32 %v62, ptr addrspace(1) %v63
  %v64 = call i32 asm sideeffect "{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [$1], 0; selp.b32 $0, 1, 0, p; }", "=r,r"(ptr addrspace(3) @bar)
  %v65 = getelementptr i32, ptr addrspace(1) %out, i32 25
  store i32 %v64, ptr addrspace(1) %v65
  %v66 = call i32 asm sideeffect "{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [$1], 1; selp.b32 $0, 1, 0, p; }", "=r,r"(ptr addrspace(3) @bar)
  %v67 = getelementptr i32, ptr addrspace(1) %out, i32 26
  store i32 %v66, ptr addrspace(1) %v67
  %v68 = call i1 @llvm.nvvm.mbarrier.test.wait.shared(ptr addrspace(3) @bar, i64 %v38)
  %v69 = zext i1 %v68 to i32
  %v70 = getelementptr i32, ptr addrspace(1) %out, i32 27
  store i32 %v69, ptr addrspace(1) %v70
  %v71 = call i32 asm sideeffect "{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [$1], 0; selp.b32 $0, 1, 0, p; }", "=r,r"(ptr addrspace(3) @bar)
  %v72 = getelementptr i32, ptr addrspace(1) %out, i32 28
  store i32 %v71, ptr addrspace(1) %v72
  %v73 = call i32 asm sideeffect "{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [$1], 1; selp.b32 $0, 1, 0, p; }", "=r,r"(ptr addrspace(3) @bar)
  %v74 = getelementptr i32, ptr addrspace(1) %out, i32 29
  store i32 %v73, ptr addrspace(1) %v74
  %v75 = call i64 @llvm.nvvm.mbarrier.arrive.drop.shared(ptr addrspace(3) @bar)
  %v76 = call i32 @llvm.nvvm.mbarrier.pending.count(i64 %v75)
  %v77 = getelementptr i32, ptr addrspace(1) %out, i32 30
  store i32 %v76, ptr addrspace(1) %v77
  %v78 = call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3) @bar)
  %v79 = call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3) @bar)
  %v80 = call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3) @bar)
  %v81 = call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3) @bar)
  %v82 = call i32 @llvm.nvvm.mbarrier.pending.count(i64 %v81)
  %v83 = getelementptr i32, ptr addrspace(1) %out, i32 31
  store i32 %v82, ptr addrspace(1) %v83
  %v84 = call i1 @llvm.nvvm.mbarrier.test.wait.shared(ptr addrspace(3) @bar, i64 %v75)
  %v85 = zext i1 %v84 to i32
  %v86 = getelementptr i32, ptr addrspace(1) %out, i32 32
  store i32 %v85, ptr addrspace(1) %v86
  %v87 = call i32 asm sideeffect "{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [$1], 0; selp.b32 $0, 1, 0, p; }", "=r,r"(ptr addrspace(3) @bar)
  %v88 = getelementptr i32, ptr addrspace(1) %out, i32 33
  store i32 %v87, ptr addrspace(1) %v88
  %v89 = call i32 asm sideeffect "{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [$1], 1; selp.b32 $0, 1, 0, p; }", "=r,r"(ptr addrspace(3) @bar)
  %v90 = getelementptr i32, ptr addrspace(1) %out, i32 34
  store i32 %v89, ptr addrspace(1) %v90
  %v91 = call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3) @bar)
  %v92 = call i32 @llvm.nvvm.mbarrier.pending.count(i64 %v91)
  %v93 = getelementptr i32, ptr addrspace(1) %out, i32 35
  store i32 %v92, ptr addrspace(1) %v93
  %v94 = call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3) @bar)
  %v95 = call i32 @llvm.nvvm.mbarrier.pending.count(i64 %v94)
  %v96 = getelementptr i32, ptr addrspace(1) %out, i32 36
  store i32 %v95, ptr addrspace(1) %v96
  %v97 = call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3) @bar)
  %v98 = call i32 @llvm.nvvm.mbarrier.pending.count(i64 %v97)
  %v99 = getelementptr i32, ptr addrspace(1) %out, i32 37
  store i32 %v98, ptr addrspace(1) %v99
  %v100 = call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3) @bar)
  %v101 = call i32 @llvm.nvvm.mbarrier.pending.count(i64 %v100)
  %v102 = getelementptr i32, ptr addrspace(1) %out, i32 38
  store i32 %v101, ptr addrspace(1) %v102
  %v103 = call i1 @llvm.nvvm.mbarrier.test.wait.shared(ptr addrspace(3) @bar, i64 %v100)
  %v104 = zext i1 %v103 to i32
  %v105 = getelementptr i32, ptr addrspace(1) %out, i32 39
  store i32 %v104, ptr addrspace(1) %v105
  %v106 = call i32 asm sideeffect "{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [$1], 0; selp.b32 $0, 1, 0, p; }", "=r,r"(ptr addrspace(3) @bar)
  %v107 = getelementptr i32, ptr addrspace(1) %out, i32 40
  store i32 %v106, ptr addrspace(1) %v107
  %v108 = call i32 asm sideeffect "{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [$1], 1; selp.b32 $0, 1, 0, p; }", "=r,r"(ptr addrspace(3) @bar)
  %v109 = getelementptr i32, ptr addrspace(1) %out, i32 41
  store i32 %v108, ptr addrspace(1) %v109
  br label %go_end
go_end:
  ret void
}
