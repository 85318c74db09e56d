target triple = "nvptx64-nvidia-cuda"
@shared = external addrspace(3) global [0 x i8], align 1024
@bar = internal addrspace(3) global [4 x i64] poison, align 8
%d128 = type {float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float}
%d16 = type {float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float}
%d32 = type {float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float}
%d4 = type {float, float, float, float}
%d64 = type {float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float}
%d8 = type {float, float, float, float, float, float, float, float}
%d96 = type {float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float}
%i32_128 = type {i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32}
%i32_32 = type {i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32}
%i32_4 = type {i32, i32, i32, i32}
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3), i32)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.fence.mbarrier_init.release.cluster()
declare void @llvm.nvvm.fence.proxy.async.shared_cta()
declare void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3), i32)
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
define ptx_kernel void @dense_ss_n8_f16(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 2
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 2
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 2
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 2
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  %v21 = add i32 %t, 512
  %v22 = add i32 %v21, 2
  %v23 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v22
  %v24 = load <4 x i32>, ptr addrspace(1) %v23, align 16
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v21
  store <4 x i32> %v24, ptr addrspace(3) %v25, align 16
  %v26 = add i32 %t, 640
  %v27 = add i32 %v26, 2
  %v28 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v27
  %v29 = load <4 x i32>, ptr addrspace(1) %v28, align 16
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v26
  store <4 x i32> %v29, ptr addrspace(3) %v30, align 16
  %v31 = add i32 %t, 768
  %v32 = add i32 %v31, 2
  %v33 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v32
  %v34 = load <4 x i32>, ptr addrspace(1) %v33, align 16
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v31
  store <4 x i32> %v34, ptr addrspace(3) %v35, align 16
  %v36 = add i32 %t, 896
  %v37 = add i32 %v36, 2
  %v38 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v37
  %v39 = load <4 x i32>, ptr addrspace(1) %v38, align 16
  %v40 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v36
  store <4 x i32> %v39, ptr addrspace(3) %v40, align 16
  %v41 = add i32 %t, 1024
  %v42 = add i32 %v41, 2
  %v43 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v42
  %v44 = load <4 x i32>, ptr addrspace(1) %v43, align 16
  %v45 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v41
  store <4 x i32> %v44, ptr addrspace(3) %v45, align 16
  %v46 = add i32 %t, 1152
  %v47 = add i32 %v46, 2
  %v48 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v47
  %v49 = load <4 x i32>, ptr addrspace(1) %v48, align 16
  %v50 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v46
  store <4 x i32> %v49, ptr addrspace(3) %v50, align 16
  %v51 = add i32 %t, 1280
  %v52 = add i32 %v51, 2
  %v53 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v52
  %v54 = load <4 x i32>, ptr addrspace(1) %v53, align 16
  %v55 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v51
  store <4 x i32> %v54, ptr addrspace(3) %v55, align 16
  %v56 = add i32 %t, 1408
  %v57 = add i32 %v56, 2
  %v58 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v57
  %v59 = load <4 x i32>, ptr addrspace(1) %v58, align 16
  %v60 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v56
  store <4 x i32> %v59, ptr addrspace(3) %v60, align 16
  %v61 = add i32 %t, 1536
  %v62 = add i32 %v61, 2
  %v63 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v62
  %v64 = load <4 x i32>, ptr addrspace(1) %v63, align 16
  %v65 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v61
  store <4 x i32> %v64, ptr addrspace(3) %v65, align 16
  %v66 = add i32 %t, 1664
  %v67 = add i32 %v66, 2
  %v68 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v67
  %v69 = load <4 x i32>, ptr addrspace(1) %v68, align 16
  %v70 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v66
  store <4 x i32> %v69, ptr addrspace(3) %v70, align 16
  %v71 = add i32 %t, 1792
  %v72 = add i32 %v71, 2
  %v73 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v72
  %v74 = load <4 x i32>, ptr addrspace(1) %v73, align 16
  %v75 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v71
  store <4 x i32> %v74, ptr addrspace(3) %v75, align 16
  %v76 = add i32 %t, 1920
  %v77 = add i32 %v76, 2
  %v78 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v77
  %v79 = load <4 x i32>, ptr addrspace(1) %v78, align 16
  %v80 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v76
  store <4 x i32> %v79, ptr addrspace(3) %v80, align 16
  %v81 = add i32 %t, 2048
  %v82 = add i32 %v81, 2
  %v83 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v82
  %v84 = load <4 x i32>, ptr addrspace(1) %v83, align 16
  %v85 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v81
  store <4 x i32> %v84, ptr addrspace(3) %v85, align 16
  %v86 = add i32 %t, 2176
  %v87 = add i32 %v86, 2
  %v88 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v87
  %v89 = load <4 x i32>, ptr addrspace(1) %v88, align 16
  %v90 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v86
  store <4 x i32> %v89, ptr addrspace(3) %v90, align 16
  %v91 = add i32 %t, 2304
  %v92 = add i32 %v91, 2
  %v93 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v92
  %v94 = load <4 x i32>, ptr addrspace(1) %v93, align 16
  %v95 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v91
  store <4 x i32> %v94, ptr addrspace(3) %v95, align 16
  %v96 = add i32 %t, 2432
  %v97 = add i32 %v96, 2
  %v98 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v97
  %v99 = load <4 x i32>, ptr addrspace(1) %v98, align 16
  %v100 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v96
  store <4 x i32> %v99, ptr addrspace(3) %v100, align 16
  %v101 = add i32 %t, 2560
  %v102 = add i32 %v101, 2
  %v103 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v102
  %v104 = load <4 x i32>, ptr addrspace(1) %v103, align 16
  %v105 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v101
  store <4 x i32> %v104, ptr addrspace(3) %v105, align 16
  %v106 = add i32 %t, 2688
  %v107 = add i32 %v106, 2
  %v108 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v107
  %v109 = load <4 x i32>, ptr addrspace(1) %v108, align 16
  %v110 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v106
  store <4 x i32> %v109, ptr addrspace(3) %v110, align 16
  %v111 = add i32 %t, 2816
  %v112 = add i32 %v111, 2
  %v113 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v112
  %v114 = load <4 x i32>, ptr addrspace(1) %v113, align 16
  %v115 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v111
  store <4 x i32> %v114, ptr addrspace(3) %v115, align 16
  %v116 = add i32 %t, 2944
  %v117 = add i32 %v116, 2
  %v118 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v117
  %v119 = load <4 x i32>, ptr addrspace(1) %v118, align 16
  %v120 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v116
  store <4 x i32> %v119, ptr addrspace(3) %v120, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v121 = ptrtoint ptr addrspace(3) @shared to i32
  %v122 = and i32 %v121, 262143
  %v123 = lshr i32 %v122, 4
  %v124 = zext i32 %v123 to i64
  %v125 = getelementptr i64, ptr addrspace(1) %in, i32 0
  %v126 = load i64, ptr addrspace(1) %v125
  %v127 = add i64 %v126, %v124
  %v128 = getelementptr i64, ptr addrspace(1) %in, i32 1
  %v129 = load i64, ptr addrspace(1) %v128
  %v130 = add i64 %v129, %v124
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %v131 = call %d4 asm sideeffect "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0, $1, $2, $3}, $4, $5, p, 1, 1, 0, 0; }", "=f,=f,=f,=f,l,l,0,1,2,3"(i64 %v127, i64 %v130, float poison, float poison, float poison, float poison)
  %v132 = extractvalue %d4 %v131, 0
  %v133 = extractvalue %d4 %v131, 1
  %v134 = extractvalue %d4 %v131, 2
  %v135 = extractvalue %d4 %v131, 3
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %v136 = call %d4 asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,0,1,2,3"(float %v132, float %v133, float %v134, float %v135)
  %v137 = mul i32 %t, 4
  %v138 = add i32 %v137, 0
  %v139 = getelementptr i32, ptr addrspace(1) %out, i32 %v138
  store %d4 %v136, ptr addrspace(1) %v139, align 4
  ret void
}
define ptx_kernel void @dense_rs_n8_f16(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 2
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 2
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 2
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 2
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  %v21 = add i32 %t, 512
  %v22 = add i32 %v21, 2
  %v23 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v22
  %v24 = load <4 x i32>, ptr addrspace(1) %v23, align 16
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v21
  store <4 x i32> %v24, ptr addrspace(3) %v25, align 16
  %v26 = add i32 %t, 640
  %v27 = add i32 %v26, 2
  %v28 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v27
  %v29 = load <4 x i32>, ptr addrspace(1) %v28, align 16
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v26
  store <4 x i32> %v29, ptr addrspace(3) %v30, align 16
  %v31 = add i32 %t, 768
  %v32 = add i32 %v31, 2
  %v33 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v32
  %v34 = load <4 x i32>, ptr addrspace(1) %v33, align 16
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v31
  store <4 x i32> %v34, ptr addrspace(3) %v35, align 16
  %v36 = add i32 %t, 896
  %v37 = add i32 %v36, 2
  %v38 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v37
  %v39 = load <4 x i32>, ptr addrspace(1) %v38, align 16
  %v40 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v36
  store <4 x i32> %v39, ptr addrspace(3) %v40, align 16
  %v41 = add i32 %t, 1024
  %v42 = add i32 %v41, 2
  %v43 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v42
  %v44 = load <4 x i32>, ptr addrspace(1) %v43, align 16
  %v45 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v41
  store <4 x i32> %v44, ptr addrspace(3) %v45, align 16
  %v46 = add i32 %t, 1152
  %v47 = add i32 %v46, 2
  %v48 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v47
  %v49 = load <4 x i32>, ptr addrspace(1) %v48, align 16
  %v50 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v46
  store <4 x i32> %v49, ptr addrspace(3) %v50, align 16
  %v51 = add i32 %t, 1280
  %v52 = add i32 %v51, 2
  %v53 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v52
  %v54 = load <4 x i32>, ptr addrspace(1) %v53, align 16
  %v55 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v51
  store <4 x i32> %v54, ptr addrspace(3) %v55, align 16
  %v56 = add i32 %t, 1408
  %v57 = add i32 %v56, 2
  %v58 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v57
  %v59 = load <4 x i32>, ptr addrspace(1) %v58, align 16
  %v60 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v56
  store <4 x i32> %v59, ptr addrspace(3) %v60, align 16
  %v61 = add i32 %t, 1536
  %v62 = add i32 %v61, 2
  %v63 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v62
  %v64 = load <4 x i32>, ptr addrspace(1) %v63, align 16
  %v65 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v61
  store <4 x i32> %v64, ptr addrspace(3) %v65, align 16
  %v66 = add i32 %t, 1664
  %v67 = add i32 %v66, 2
  %v68 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v67
  %v69 = load <4 x i32>, ptr addrspace(1) %v68, align 16
  %v70 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v66
  store <4 x i32> %v69, ptr addrspace(3) %v70, align 16
  %v71 = add i32 %t, 1792
  %v72 = add i32 %v71, 2
  %v73 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v72
  %v74 = load <4 x i32>, ptr addrspace(1) %v73, align 16
  %v75 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v71
  store <4 x i32> %v74, ptr addrspace(3) %v75, align 16
  %v76 = add i32 %t, 1920
  %v77 = add i32 %v76, 2
  %v78 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v77
  %v79 = load <4 x i32>, ptr addrspace(1) %v78, align 16
  %v80 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v76
  store <4 x i32> %v79, ptr addrspace(3) %v80, align 16
  %v81 = add i32 %t, 2048
  %v82 = add i32 %v81, 2
  %v83 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v82
  %v84 = load <4 x i32>, ptr addrspace(1) %v83, align 16
  %v85 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v81
  store <4 x i32> %v84, ptr addrspace(3) %v85, align 16
  %v86 = add i32 %t, 2176
  %v87 = add i32 %v86, 2
  %v88 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v87
  %v89 = load <4 x i32>, ptr addrspace(1) %v88, align 16
  %v90 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v86
  store <4 x i32> %v89, ptr addrspace(3) %v90, align 16
  %v91 = add i32 %t, 2304
  %v92 = add i32 %v91, 2
  %v93 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v92
  %v94 = load <4 x i32>, ptr addrspace(1) %v93, align 16
  %v95 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v91
  store <4 x i32> %v94, ptr addrspace(3) %v95, align 16
  %v96 = add i32 %t, 2432
  %v97 = add i32 %v96, 2
  %v98 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v97
  %v99 = load <4 x i32>, ptr addrspace(1) %v98, align 16
  %v100 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v96
  store <4 x i32> %v99, ptr addrspace(3) %v100, align 16
  %v101 = add i32 %t, 2560
  %v102 = add i32 %v101, 2
  %v103 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v102
  %v104 = load <4 x i32>, ptr addrspace(1) %v103, align 16
  %v105 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v101
  store <4 x i32> %v104, ptr addrspace(3) %v105, align 16
  %v106 = add i32 %t, 2688
  %v107 = add i32 %v106, 2
  %v108 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v107
  %v109 = load <4 x i32>, ptr addrspace(1) %v108, align 16
  %v110 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v106
  store <4 x i32> %v109, ptr addrspace(3) %v110, align 16
  %v111 = add i32 %t, 2816
  %v112 = add i32 %v111, 2
  %v113 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v112
  %v114 = load <4 x i32>, ptr addrspace(1) %v113, align 16
  %v115 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v111
  store <4 x i32> %v114, ptr addrspace(3) %v115, align 16
  %v116 = add i32 %t, 2944
  %v117 = add i32 %v116, 2
  %v118 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v117
  %v119 = load <4 x i32>, ptr addrspace(1) %v118, align 16
  %v120 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v116
  store <4 x i32> %v119, ptr addrspace(3) %v120, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v121 = ptrtoint ptr addrspace(3) @shared to i32
  %v122 = and i32 %v121, 262143
  %v123 = lshr i32 %v122, 4
  %v124 = zext i32 %v123 to i64
  %v125 = getelementptr i64, ptr addrspace(1) %in, i32 0
  %v126 = load i64, ptr addrspace(1) %v125
  %v127 = add i64 %v126, %v124
  %v128 = getelementptr i64, ptr addrspace(1) %in, i32 1
  %v129 = load i64, ptr addrspace(1) %v128
  %v130 = add i64 %v129, %v124
  %v131 = mul i32 %t, 4
  %v132 = add i32 %v131, 12424
  %v133 = getelementptr i32, ptr addrspace(1) %in, i32 %v132
  %v134 = load i32, ptr addrspace(1) %v133
  %v135 = mul i32 %t, 4
  %v136 = add i32 %v135, 12425
  %v137 = getelementptr i32, ptr addrspace(1) %in, i32 %v136
  %v138 = load i32, ptr addrspace(1) %v137
  %v139 = mul i32 %t, 4
  %v140 = add i32 %v139, 12426
  %v141 = getelementptr i32, ptr addrspace(1) %in, i32 %v140
  %v142 = load i32, ptr addrspace(1) %v141
  %v143 = mul i32 %t, 4
  %v144 = add i32 %v143, 12427
  %v145 = getelementptr i32, ptr addrspace(1) %in, i32 %v144
  %v146 = load i32, ptr addrspace(1) %v145
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %v147 = call %d4 asm sideeffect "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0, $1, $2, $3}, {$4, $5, $6, $7}, $8, p, 1, 1, 0; }", "=f,=f,=f,=f,r,r,r,r,l,0,1,2,3"(i32 %v134, i32 %v138, i32 %v142, i32 %v146, i64 %v130, float poison, float poison, float poison, float poison)
  %v148 = extractvalue %d4 %v147, 0
  %v149 = extractvalue %d4 %v147, 1
  %v150 = extractvalue %d4 %v147, 2
  %v151 = extractvalue %d4 %v147, 3
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %v152 = call %d4 asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,0,1,2,3"(float %v148, float %v149, float %v150, float %v151)
  %v153 = mul i32 %t, 4
  %v154 = add i32 %v153, 0
  %v155 = getelementptr i32, ptr addrspace(1) %out, i32 %v154
  store %d4 %v152, ptr addrspace(1) %v155, align 4
  ret void
}
define ptx_kernel void @sp_ss_n8_f16_s0(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 2
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 2
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 2
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 2
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  %v21 = add i32 %t, 512
  %v22 = add i32 %v21, 2
  %v23 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v22
  %v24 = load <4 x i32>, ptr addrspace(1) %v23, align 16
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v21
  store <4 x i32> %v24, ptr addrspace(3) %v25, align 16
  %v26 = add i32 %t, 640
  %v27 = add i32 %v26, 2
  %v28 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v27
  %v29 = load <4 x i32>, ptr addrspace(1) %v28, align 16
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v26
  store <4 x i32> %v29, ptr addrspace(3) %v30, align 16
  %v31 = add i32 %t, 768
  %v32 = add i32 %v31, 2
  %v33 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v32
  %v34 = load <4 x i32>, ptr addrspace(1) %v33, align 16
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v31
  store <4 x i32> %v34, ptr addrspace(3) %v35, align 16
  %v36 = add i32 %t, 896
  %v37 = add i32 %v36, 2
  %v38 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v37
  %v39 = load <4 x i32>, ptr addrspace(1) %v38, align 16
  %v40 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v36
  store <4 x i32> %v39, ptr addrspace(3) %v40, align 16
  %v41 = add i32 %t, 1024
  %v42 = add i32 %v41, 2
  %v43 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v42
  %v44 = load <4 x i32>, ptr addrspace(1) %v43, align 16
  %v45 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v41
  store <4 x i32> %v44, ptr addrspace(3) %v45, align 16
  %v46 = add i32 %t, 1152
  %v47 = add i32 %v46, 2
  %v48 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v47
  %v49 = load <4 x i32>, ptr addrspace(1) %v48, align 16
  %v50 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v46
  store <4 x i32> %v49, ptr addrspace(3) %v50, align 16
  %v51 = add i32 %t, 1280
  %v52 = add i32 %v51, 2
  %v53 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v52
  %v54 = load <4 x i32>, ptr addrspace(1) %v53, align 16
  %v55 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v51
  store <4 x i32> %v54, ptr addrspace(3) %v55, align 16
  %v56 = add i32 %t, 1408
  %v57 = add i32 %v56, 2
  %v58 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v57
  %v59 = load <4 x i32>, ptr addrspace(1) %v58, align 16
  %v60 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v56
  store <4 x i32> %v59, ptr addrspace(3) %v60, align 16
  %v61 = add i32 %t, 1536
  %v62 = add i32 %v61, 2
  %v63 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v62
  %v64 = load <4 x i32>, ptr addrspace(1) %v63, align 16
  %v65 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v61
  store <4 x i32> %v64, ptr addrspace(3) %v65, align 16
  %v66 = add i32 %t, 1664
  %v67 = add i32 %v66, 2
  %v68 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v67
  %v69 = load <4 x i32>, ptr addrspace(1) %v68, align 16
  %v70 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v66
  store <4 x i32> %v69, ptr addrspace(3) %v70, align 16
  %v71 = add i32 %t, 1792
  %v72 = add i32 %v71, 2
  %v73 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v72
  %v74 = load <4 x i32>, ptr addrspace(1) %v73, align 16
  %v75 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v71
  store <4 x i32> %v74, ptr addrspace(3) %v75, align 16
  %v76 = add i32 %t, 1920
  %v77 = add i32 %v76, 2
  %v78 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v77
  %v79 = load <4 x i32>, ptr addrspace(1) %v78, align 16
  %v80 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v76
  store <4 x i32> %v79, ptr addrspace(3) %v80, align 16
  %v81 = add i32 %t, 2048
  %v82 = add i32 %v81, 2
  %v83 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v82
  %v84 = load <4 x i32>, ptr addrspace(1) %v83, align 16
  %v85 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v81
  store <4 x i32> %v84, ptr addrspace(3) %v85, align 16
  %v86 = add i32 %t, 2176
  %v87 = add i32 %v86, 2
  %v88 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v87
  %v89 = load <4 x i32>, ptr addrspace(1) %v88, align 16
  %v90 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v86
  store <4 x i32> %v89, ptr addrspace(3) %v90, align 16
  %v91 = add i32 %t, 2304
  %v92 = add i32 %v91, 2
  %v93 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v92
  %v94 = load <4 x i32>, ptr addrspace(1) %v93, align 16
  %v95 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v91
  store <4 x i32> %v94, ptr addrspace(3) %v95, align 16
  %v96 = add i32 %t, 2432
  %v97 = add i32 %v96, 2
  %v98 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v97
  %v99 = load <4 x i32>, ptr addrspace(1) %v98, align 16
  %v100 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v96
  store <4 x i32> %v99, ptr addrspace(3) %v100, align 16
  %v101 = add i32 %t, 2560
  %v102 = add i32 %v101, 2
  %v103 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v102
  %v104 = load <4 x i32>, ptr addrspace(1) %v103, align 16
  %v105 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v101
  store <4 x i32> %v104, ptr addrspace(3) %v105, align 16
  %v106 = add i32 %t, 2688
  %v107 = add i32 %v106, 2
  %v108 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v107
  %v109 = load <4 x i32>, ptr addrspace(1) %v108, align 16
  %v110 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v106
  store <4 x i32> %v109, ptr addrspace(3) %v110, align 16
  %v111 = add i32 %t, 2816
  %v112 = add i32 %v111, 2
  %v113 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v112
  %v114 = load <4 x i32>, ptr addrspace(1) %v113, align 16
  %v115 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v111
  store <4 x i32> %v114, ptr addrspace(3) %v115, align 16
  %v116 = add i32 %t, 2944
  %v117 = add i32 %v116, 2
  %v118 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v117
  %v119 = load <4 x i32>, ptr addrspace(1) %v118, align 16
  %v120 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v116
  store <4 x i32> %v119, ptr addrspace(3) %v120, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v121 = ptrtoint ptr addrspace(3) @shared to i32
  %v122 = and i32 %v121, 262143
  %v123 = lshr i32 %v122, 4
  %v124 = zext i32 %v123 to i64
  %v125 = getelementptr i64, ptr addrspace(1) %in, i32 0
  %v126 = load i64, ptr addrspace(1) %v125
  %v127 = add i64 %v126, %v124
  %v128 = getelementptr i64, ptr addrspace(1) %in, i32 1
  %v129 = load i64, ptr addrspace(1) %v128
  %v130 = add i64 %v129, %v124
  %v131 = mul i32 %t, 1
  %v132 = add i32 %v131, 12296
  %v133 = getelementptr i32, ptr addrspace(1) %in, i32 %v132
  %v134 = load i32, ptr addrspace(1) %v133
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %v135 = call %d4 asm sideeffect "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {$0, $1, $2, $3}, $4, $5, $6, 0, p, 1, 1, 0, 0; }", "=f,=f,=f,=f,l,l,r,0,1,2,3"(i64 %v127, i64 %v130, i32 %v134, float poison, float poison, float poison, float poison)
  %v136 = extractvalue %d4 %v135, 0
  %v137 = extractvalue %d4 %v135, 1
  %v138 = extractvalue %d4 %v135, 2
  %v139 = extractvalue %d4 %v135, 3
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %v140 = call %d4 asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,0,1,2,3"(float %v136, float %v137, float %v138, float %v139)
  %v141 = mul i32 %t, 4
  %v142 = add i32 %v141, 0
  %v143 = getelementptr i32, ptr addrspace(1) %out, i32 %v142
  store %d4 %v140, ptr addrspace(1) %v143, align 4
  ret void
}
define ptx_kernel void @sp_ss_n8_f16_s1(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 2
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 2
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 2
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 2
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  %v21 = add i32 %t, 512
  %v22 = add i32 %v21, 2
  %v23 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v22
  %v24 = load <4 x i32>, ptr addrspace(1) %v23, align 16
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v21
  store <4 x i32> %v24, ptr addrspace(3) %v25, align 16
  %v26 = add i32 %t, 640
  %v27 = add i32 %v26, 2
  %v28 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v27
  %v29 = load <4 x i32>, ptr addrspace(1) %v28, align 16
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v26
  store <4 x i32> %v29, ptr addrspace(3) %v30, align 16
  %v31 = add i32 %t, 768
  %v32 = add i32 %v31, 2
  %v33 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v32
  %v34 = load <4 x i32>, ptr addrspace(1) %v33, align 16
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v31
  store <4 x i32> %v34, ptr addrspace(3) %v35, align 16
  %v36 = add i32 %t, 896
  %v37 = add i32 %v36, 2
  %v38 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v37
  %v39 = load <4 x i32>, ptr addrspace(1) %v38, align 16
  %v40 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v36
  store <4 x i32> %v39, ptr addrspace(3) %v40, align 16
  %v41 = add i32 %t, 1024
  %v42 = add i32 %v41, 2
  %v43 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v42
  %v44 = load <4 x i32>, ptr addrspace(1) %v43, align 16
  %v45 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v41
  store <4 x i32> %v44, ptr addrspace(3) %v45, align 16
  %v46 = add i32 %t, 1152
  %v47 = add i32 %v46, 2
  %v48 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v47
  %v49 = load <4 x i32>, ptr addrspace(1) %v48, align 16
  %v50 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v46
  store <4 x i32> %v49, ptr addrspace(3) %v50, align 16
  %v51 = add i32 %t, 1280
  %v52 = add i32 %v51, 2
  %v53 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v52
  %v54 = load <4 x i32>, ptr addrspace(1) %v53, align 16
  %v55 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v51
  store <4 x i32> %v54, ptr addrspace(3) %v55, align 16
  %v56 = add i32 %t, 1408
  %v57 = add i32 %v56, 2
  %v58 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v57
  %v59 = load <4 x i32>, ptr addrspace(1) %v58, align 16
  %v60 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v56
  store <4 x i32> %v59, ptr addrspace(3) %v60, align 16
  %v61 = add i32 %t, 1536
  %v62 = add i32 %v61, 2
  %v63 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v62
  %v64 = load <4 x i32>, ptr addrspace(1) %v63, align 16
  %v65 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v61
  store <4 x i32> %v64, ptr addrspace(3) %v65, align 16
  %v66 = add i32 %t, 1664
  %v67 = add i32 %v66, 2
  %v68 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v67
  %v69 = load <4 x i32>, ptr addrspace(1) %v68, align 16
  %v70 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v66
  store <4 x i32> %v69, ptr addrspace(3) %v70, align 16
  %v71 = add i32 %t, 1792
  %v72 = add i32 %v71, 2
  %v73 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v72
  %v74 = load <4 x i32>, ptr addrspace(1) %v73, align 16
  %v75 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v71
  store <4 x i32> %v74, ptr addrspace(3) %v75, align 16
  %v76 = add i32 %t, 1920
  %v77 = add i32 %v76, 2
  %v78 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v77
  %v79 = load <4 x i32>, ptr addrspace(1) %v78, align 16
  %v80 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v76
  store <4 x i32> %v79, ptr addrspace(3) %v80, align 16
  %v81 = add i32 %t, 2048
  %v82 = add i32 %v81, 2
  %v83 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v82
  %v84 = load <4 x i32>, ptr addrspace(1) %v83, align 16
  %v85 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v81
  store <4 x i32> %v84, ptr addrspace(3) %v85, align 16
  %v86 = add i32 %t, 2176
  %v87 = add i32 %v86, 2
  %v88 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v87
  %v89 = load <4 x i32>, ptr addrspace(1) %v88, align 16
  %v90 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v86
  store <4 x i32> %v89, ptr addrspace(3) %v90, align 16
  %v91 = add i32 %t, 2304
  %v92 = add i32 %v91, 2
  %v93 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v92
  %v94 = load <4 x i32>, ptr addrspace(1) %v93, align 16
  %v95 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v91
  store <4 x i32> %v94, ptr addrspace(3) %v95, align 16
  %v96 = add i32 %t, 2432
  %v97 = add i32 %v96, 2
  %v98 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v97
  %v99 = load <4 x i32>, ptr addrspace(1) %v98, align 16
  %v100 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v96
  store <4 x i32> %v99, ptr addrspace(3) %v100, align 16
  %v101 = add i32 %t, 2560
  %v102 = add i32 %v101, 2
  %v103 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v102
  %v104 = load <4 x i32>, ptr addrspace(1) %v103, align 16
  %v105 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v101
  store <4 x i32> %v104, ptr addrspace(3) %v105, align 16
  %v106 = add i32 %t, 2688
  %v107 = add i32 %v106, 2
  %v108 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v107
  %v109 = load <4 x i32>, ptr addrspace(1) %v108, align 16
  %v110 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v106
  store <4 x i32> %v109, ptr addrspace(3) %v110, align 16
  %v111 = add i32 %t, 2816
  %v112 = add i32 %v111, 2
  %v113 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v112
  %v114 = load <4 x i32>, ptr addrspace(1) %v113, align 16
  %v115 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v111
  store <4 x i32> %v114, ptr addrspace(3) %v115, align 16
  %v116 = add i32 %t, 2944
  %v117 = add i32 %v116, 2
  %v118 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v117
  %v119 = load <4 x i32>, ptr addrspace(1) %v118, align 16
  %v120 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v116
  store <4 x i32> %v119, ptr addrspace(3) %v120, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v121 = ptrtoint ptr addrspace(3) @shared to i32
  %v122 = and i32 %v121, 262143
  %v123 = lshr i32 %v122, 4
  %v124 = zext i32 %v123 to i64
  %v125 = getelementptr i64, ptr addrspace(1) %in, i32 0
  %v126 = load i64, ptr addrspace(1) %v125
  %v127 = add i64 %v126, %v124
  %v128 = getelementptr i64, ptr addrspace(1) %in, i32 1
  %v129 = load i64, ptr addrspace(1) %v128
  %v130 = add i64 %v129, %v124
  %v131 = mul i32 %t, 1
  %v132 = add i32 %v131, 12296
  %v133 = getelementptr i32, ptr addrspace(1) %in, i32 %v132
  %v134 = load i32, ptr addrspace(1) %v133
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %v135 = call %d4 asm sideeffect "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {$0, $1, $2, $3}, $4, $5, $6, 1, p, 1, 1, 0, 0; }", "=f,=f,=f,=f,l,l,r,0,1,2,3"(i64 %v127, i64 %v130, i32 %v134, float poison, float poison, float poison, float poison)
  %v136 = extractvalue %d4 %v135, 0
  %v137 = extractvalue %d4 %v135, 1
  %v138 = extractvalue %d4 %v135, 2
  %v139 = extractvalue %d4 %v135, 3
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %v140 = call %d4 asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,0,1,2,3"(float %v136, float %v137, float %v138, float %v139)
  %v141 = mul i32 %t, 4
  %v142 = add i32 %v141, 0
  %v143 = getelementptr i32, ptr addrspace(1) %out, i32 %v142
  store %d4 %v140, ptr addrspace(1) %v143, align 4
  ret void
}
define ptx_kernel void @sp_rs_n8_f16_s0(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 2
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 2
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 2
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 2
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  %v21 = add i32 %t, 512
  %v22 = add i32 %v21, 2
  %v23 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v22
  %v24 = load <4 x i32>, ptr addrspace(1) %v23, align 16
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v21
  store <4 x i32> %v24, ptr addrspace(3) %v25, align 16
  %v26 = add i32 %t, 640
  %v27 = add i32 %v26, 2
  %v28 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v27
  %v29 = load <4 x i32>, ptr addrspace(1) %v28, align 16
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v26
  store <4 x i32> %v29, ptr addrspace(3) %v30, align 16
  %v31 = add i32 %t, 768
  %v32 = add i32 %v31, 2
  %v33 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v32
  %v34 = load <4 x i32>, ptr addrspace(1) %v33, align 16
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v31
  store <4 x i32> %v34, ptr addrspace(3) %v35, align 16
  %v36 = add i32 %t, 896
  %v37 = add i32 %v36, 2
  %v38 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v37
  %v39 = load <4 x i32>, ptr addrspace(1) %v38, align 16
  %v40 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v36
  store <4 x i32> %v39, ptr addrspace(3) %v40, align 16
  %v41 = add i32 %t, 1024
  %v42 = add i32 %v41, 2
  %v43 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v42
  %v44 = load <4 x i32>, ptr addrspace(1) %v43, align 16
  %v45 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v41
  store <4 x i32> %v44, ptr addrspace(3) %v45, align 16
  %v46 = add i32 %t, 1152
  %v47 = add i32 %v46, 2
  %v48 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v47
  %v49 = load <4 x i32>, ptr addrspace(1) %v48, align 16
  %v50 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v46
  store <4 x i32> %v49, ptr addrspace(3) %v50, align 16
  %v51 = add i32 %t, 1280
  %v52 = add i32 %v51, 2
  %v53 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v52
  %v54 = load <4 x i32>, ptr addrspace(1) %v53, align 16
  %v55 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v51
  store <4 x i32> %v54, ptr addrspace(3) %v55, align 16
  %v56 = add i32 %t, 1408
  %v57 = add i32 %v56, 2
  %v58 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v57
  %v59 = load <4 x i32>, ptr addrspace(1) %v58, align 16
  %v60 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v56
  store <4 x i32> %v59, ptr addrspace(3) %v60, align 16
  %v61 = add i32 %t, 1536
  %v62 = add i32 %v61, 2
  %v63 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v62
  %v64 = load <4 x i32>, ptr addrspace(1) %v63, align 16
  %v65 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v61
  store <4 x i32> %v64, ptr addrspace(3) %v65, align 16
  %v66 = add i32 %t, 1664
  %v67 = add i32 %v66, 2
  %v68 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v67
  %v69 = load <4 x i32>, ptr addrspace(1) %v68, align 16
  %v70 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v66
  store <4 x i32> %v69, ptr addrspace(3) %v70, align 16
  %v71 = add i32 %t, 1792
  %v72 = add i32 %v71, 2
  %v73 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v72
  %v74 = load <4 x i32>, ptr addrspace(1) %v73, align 16
  %v75 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v71
  store <4 x i32> %v74, ptr addrspace(3) %v75, align 16
  %v76 = add i32 %t, 1920
  %v77 = add i32 %v76, 2
  %v78 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v77
  %v79 = load <4 x i32>, ptr addrspace(1) %v78, align 16
  %v80 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v76
  store <4 x i32> %v79, ptr addrspace(3) %v80, align 16
  %v81 = add i32 %t, 2048
  %v82 = add i32 %v81, 2
  %v83 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v82
  %v84 = load <4 x i32>, ptr addrspace(1) %v83, align 16
  %v85 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v81
  store <4 x i32> %v84, ptr addrspace(3) %v85, align 16
  %v86 = add i32 %t, 2176
  %v87 = add i32 %v86, 2
  %v88 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v87
  %v89 = load <4 x i32>, ptr addrspace(1) %v88, align 16
  %v90 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v86
  store <4 x i32> %v89, ptr addrspace(3) %v90, align 16
  %v91 = add i32 %t, 2304
  %v92 = add i32 %v91, 2
  %v93 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v92
  %v94 = load <4 x i32>, ptr addrspace(1) %v93, align 16
  %v95 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v91
  store <4 x i32> %v94, ptr addrspace(3) %v95, align 16
  %v96 = add i32 %t, 2432
  %v97 = add i32 %v96, 2
  %v98 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v97
  %v99 = load <4 x i32>, ptr addrspace(1) %v98, align 16
  %v100 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v96
  store <4 x i32> %v99, ptr addrspace(3) %v100, align 16
  %v101 = add i32 %t, 2560
  %v102 = add i32 %v101, 2
  %v103 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v102
  %v104 = load <4 x i32>, ptr addrspace(1) %v103, align 16
  %v105 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v101
  store <4 x i32> %v104, ptr addrspace(3) %v105, align 16
  %v106 = add i32 %t, 2688
  %v107 = add i32 %v106, 2
  %v108 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v107
  %v109 = load <4 x i32>, ptr addrspace(1) %v108, align 16
  %v110 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v106
  store <4 x i32> %v109, ptr addrspace(3) %v110, align 16
  %v111 = add i32 %t, 2816
  %v112 = add i32 %v111, 2
  %v113 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v112
  %v114 = load <4 x i32>, ptr addrspace(1) %v113, align 16
  %v115 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v111
  store <4 x i32> %v114, ptr addrspace(3) %v115, align 16
  %v116 = add i32 %t, 2944
  %v117 = add i32 %v116, 2
  %v118 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v117
  %v119 = load <4 x i32>, ptr addrspace(1) %v118, align 16
  %v120 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v116
  store <4 x i32> %v119, ptr addrspace(3) %v120, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v121 = ptrtoint ptr addrspace(3) @shared to i32
  %v122 = and i32 %v121, 262143
  %v123 = lshr i32 %v122, 4
  %v124 = zext i32 %v123 to i64
  %v125 = getelementptr i64, ptr addrspace(1) %in, i32 0
  %v126 = load i64, ptr addrspace(1) %v125
  %v127 = add i64 %v126, %v124
  %v128 = getelementptr i64, ptr addrspace(1) %in, i32 1
  %v129 = load i64, ptr addrspace(1) %v128
  %v130 = add i64 %v129, %v124
  %v131 = mul i32 %t, 1
  %v132 = add i32 %v131, 12296
  %v133 = getelementptr i32, ptr addrspace(1) %in, i32 %v132
  %v134 = load i32, ptr addrspace(1) %v133
  %v135 = mul i32 %t, 4
  %v136 = add i32 %v135, 12424
  %v137 = getelementptr i32, ptr addrspace(1) %in, i32 %v136
  %v138 = load i32, ptr addrspace(1) %v137
  %v139 = mul i32 %t, 4
  %v140 = add i32 %v139, 12425
  %v141 = getelementptr i32, ptr addrspace(1) %in, i32 %v140
  %v142 = load i32, ptr addrspace(1) %v141
  %v143 = mul i32 %t, 4
  %v144 = add i32 %v143, 12426
  %v145 = getelementptr i32, ptr addrspace(1) %in, i32 %v144
  %v146 = load i32, ptr addrspace(1) %v145
  %v147 = mul i32 %t, 4
  %v148 = add i32 %v147, 12427
  %v149 = getelementptr i32, ptr addrspace(1) %in, i32 %v148
  %v150 = load i32, ptr addrspace(1) %v149
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %v151 = call %d4 asm sideeffect "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {$0, $1, $2, $3}, {$4, $5, $6, $7}, $8, $9, 0, p, 1, 1, 0; }", "=f,=f,=f,=f,r,r,r,r,l,r,0,1,2,3"(i32 %v138, i32 %v142, i32 %v146, i32 %v150, i64 %v130, i32 %v134, float poison, float poison, float poison, float poison)
  %v152 = extractvalue %d4 %v151, 0
  %v153 = extractvalue %d4 %v151, 1
  %v154 = extractvalue %d4 %v151, 2
  %v155 = extractvalue %d4 %v151, 3
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %v156 = call %d4 asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,0,1,2,3"(float %v152, float %v153, float %v154, float %v155)
  %v157 = mul i32 %t, 4
  %v158 = add i32 %v157, 0
  %v159 = getelementptr i32, ptr addrspace(1) %out, i32 %v158
  store %d4 %v156, ptr addrspace(1) %v159, align 4
  ret void
}
define ptx_kernel void @sp_rs_n8_f16_s1(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 2
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 2
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 2
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 2
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  %v21 = add i32 %t, 512
  %v22 = add i32 %v21, 2
  %v23 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v22
  %v24 = load <4 x i32>, ptr addrspace(1) %v23, align 16
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v21
  store <4 x i32> %v24, ptr addrspace(3) %v25, align 16
  %v26 = add i32 %t, 640
  %v27 = add i32 %v26, 2
  %v28 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v27
  %v29 = load <4 x i32>, ptr addrspace(1) %v28, align 16
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v26
  store <4 x i32> %v29, ptr addrspace(3) %v30, align 16
  %v31 = add i32 %t, 768
  %v32 = add i32 %v31, 2
  %v33 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v32
  %v34 = load <4 x i32>, ptr addrspace(1) %v33, align 16
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v31
  store <4 x i32> %v34, ptr addrspace(3) %v35, align 16
  %v36 = add i32 %t, 896
  %v37 = add i32 %v36, 2
  %v38 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v37
  %v39 = load <4 x i32>, ptr addrspace(1) %v38, align 16
  %v40 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v36
  store <4 x i32> %v39, ptr addrspace(3) %v40, align 16
  %v41 = add i32 %t, 1024
  %v42 = add i32 %v41, 2
  %v43 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v42
  %v44 = load <4 x i32>, ptr addrspace(1) %v43, align 16
  %v45 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v41
  store <4 x i32> %v44, ptr addrspace(3) %v45, align 16
  %v46 = add i32 %t, 1152
  %v47 = add i32 %v46, 2
  %v48 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v47
  %v49 = load <4 x i32>, ptr addrspace(1) %v48, align 16
  %v50 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v46
  store <4 x i32> %v49, ptr addrspace(3) %v50, align 16
  %v51 = add i32 %t, 1280
  %v52 = add i32 %v51, 2
  %v53 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v52
  %v54 = load <4 x i32>, ptr addrspace(1) %v53, align 16
  %v55 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v51
  store <4 x i32> %v54, ptr addrspace(3) %v55, align 16
  %v56 = add i32 %t, 1408
  %v57 = add i32 %v56, 2
  %v58 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v57
  %v59 = load <4 x i32>, ptr addrspace(1) %v58, align 16
  %v60 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v56
  store <4 x i32> %v59, ptr addrspace(3) %v60, align 16
  %v61 = add i32 %t, 1536
  %v62 = add i32 %v61, 2
  %v63 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v62
  %v64 = load <4 x i32>, ptr addrspace(1) %v63, align 16
  %v65 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v61
  store <4 x i32> %v64, ptr addrspace(3) %v65, align 16
  %v66 = add i32 %t, 1664
  %v67 = add i32 %v66, 2
  %v68 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v67
  %v69 = load <4 x i32>, ptr addrspace(1) %v68, align 16
  %v70 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v66
  store <4 x i32> %v69, ptr addrspace(3) %v70, align 16
  %v71 = add i32 %t, 1792
  %v72 = add i32 %v71, 2
  %v73 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v72
  %v74 = load <4 x i32>, ptr addrspace(1) %v73, align 16
  %v75 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v71
  store <4 x i32> %v74, ptr addrspace(3) %v75, align 16
  %v76 = add i32 %t, 1920
  %v77 = add i32 %v76, 2
  %v78 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v77
  %v79 = load <4 x i32>, ptr addrspace(1) %v78, align 16
  %v80 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v76
  store <4 x i32> %v79, ptr addrspace(3) %v80, align 16
  %v81 = add i32 %t, 2048
  %v82 = add i32 %v81, 2
  %v83 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v82
  %v84 = load <4 x i32>, ptr addrspace(1) %v83, align 16
  %v85 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v81
  store <4 x i32> %v84, ptr addrspace(3) %v85, align 16
  %v86 = add i32 %t, 2176
  %v87 = add i32 %v86, 2
  %v88 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v87
  %v89 = load <4 x i32>, ptr addrspace(1) %v88, align 16
  %v90 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v86
  store <4 x i32> %v89, ptr addrspace(3) %v90, align 16
  %v91 = add i32 %t, 2304
  %v92 = add i32 %v91, 2
  %v93 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v92
  %v94 = load <4 x i32>, ptr addrspace(1) %v93, align 16
  %v95 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v91
  store <4 x i32> %v94, ptr addrspace(3) %v95, align 16
  %v96 = add i32 %t, 2432
  %v97 = add i32 %v96, 2
  %v98 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v97
  %v99 = load <4 x i32>, ptr addrspace(1) %v98, align 16
  %v100 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v96
  store <4 x i32> %v99, ptr addrspace(3) %v100, align 16
  %v101 = add i32 %t, 2560
  %v102 = add i32 %v101, 2
  %v103 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v102
  %v104 = load <4 x i32>, ptr addrspace(1) %v103, align 16
  %v105 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v101
  store <4 x i32> %v104, ptr addrspace(3) %v105, align 16
  %v106 = add i32 %t, 2688
  %v107 = add i32 %v106, 2
  %v108 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v107
  %v109 = load <4 x i32>, ptr addrspace(1) %v108, align 16
  %v110 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v106
  store <4 x i32> %v109, ptr addrspace(3) %v110, align 16
  %v111 = add i32 %t, 2816
  %v112 = add i32 %v111, 2
  %v113 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v112
  %v114 = load <4 x i32>, ptr addrspace(1) %v113, align 16
  %v115 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v111
  store <4 x i32> %v114, ptr addrspace(3) %v115, align 16
  %v116 = add i32 %t, 2944
  %v117 = add i32 %v116, 2
  %v118 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v117
  %v119 = load <4 x i32>, ptr addrspace(1) %v118, align 16
  %v120 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v116
  store <4 x i32> %v119, ptr addrspace(3) %v120, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v121 = ptrtoint ptr addrspace(3) @shared to i32
  %v122 = and i32 %v121, 262143
  %v123 = lshr i32 %v122, 4
  %v124 = zext i32 %v123 to i64
  %v125 = getelementptr i64, ptr addrspace(1) %in, i32 0
  %v126 = load i64, ptr addrspace(1) %v125
  %v127 = add i64 %v126, %v124
  %v128 = getelementptr i64, ptr addrspace(1) %in, i32 1
  %v129 = load i64, ptr addrspace(1) %v128
  %v130 = add i64 %v129, %v124
  %v131 = mul i32 %t, 1
  %v132 = add i32 %v131, 12296
  %v133 = getelementptr i32, ptr addrspace(1) %in, i32 %v132
  %v134 = load i32, ptr addrspace(1) %v133
  %v135 = mul i32 %t, 4
  %v136 = add i32 %v135, 12424
  %v137 = getelementptr i32, ptr addrspace(1) %in, i32 %v136
  %v138 = load i32, ptr addrspace(1) %v137
  %v139 = mul i32 %t, 4
  %v140 = add i32 %v139, 12425
  %v141 = getelementptr i32, ptr addrspace(1) %in, i32 %v140
  %v142 = load i32, ptr addrspace(1) %v141
  %v143 = mul i32 %t, 4
  %v144 = add i32 %v143, 12426
  %v145 = getelementptr i32, ptr addrspace(1) %in, i32 %v144
  %v146 = load i32, ptr addrspace(1) %v145
  %v147 = mul i32 %t, 4
  %v148 = add i32 %v147, 12427
  %v149 = getelementptr i32, ptr addrspace(1) %in, i32 %v148
  %v150 = load i32, ptr addrspace(1) %v149
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %v151 = call %d4 asm sideeffect "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {$0, $1, $2, $3}, {$4, $5, $6, $7}, $8, $9, 1, p, 1, 1, 0; }", "=f,=f,=f,=f,r,r,r,r,l,r,0,1,2,3"(i32 %v138, i32 %v142, i32 %v146, i32 %v150, i64 %v130, i32 %v134, float poison, float poison, float poison, float poison)
  %v152 = extractvalue %d4 %v151, 0
  %v153 = extractvalue %d4 %v151, 1
  %v154 = extractvalue %d4 %v151, 2
  %v155 = extractvalue %d4 %v151, 3
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %v156 = call %d4 asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,0,1,2,3"(float %v152, float %v153, float %v154, float %v155)
  %v157 = mul i32 %t, 4
  %v158 = add i32 %v157, 0
  %v159 = getelementptr i32, ptr addrspace(1) %out, i32 %v158
  store %d4 %v156, ptr addrspace(1) %v159, align 4
  ret void
}
define ptx_kernel void @dense_ss_n16_f16(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 2
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 2
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 2
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 2
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  %v21 = add i32 %t, 512
  %v22 = add i32 %v21, 2
  %v23 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v22
  %v24 = load <4 x i32>, ptr addrspace(1) %v23, align 16
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v21
  store <4 x i32> %v24, ptr addrspace(3) %v25, align 16
  %v26 = add i32 %t, 640
  %v27 = add i32 %v26, 2
  %v28 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v27
  %v29 = load <4 x i32>, ptr addrspace(1) %v28, align 16
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v26
  store <4 x i32> %v29, ptr addrspace(3) %v30, align 16
  %v31 = add i32 %t, 768
  %v32 = add i32 %v31, 2
  %v33 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v32
  %v34 = load <4 x i32>, ptr addrspace(1) %v33, align 16
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v31
  store <4 x i32> %v34, ptr addrspace(3) %v35, align 16
  %v36 = add i32 %t, 896
  %v37 = add i32 %v36, 2
  %v38 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v37
  %v39 = load <4 x i32>, ptr addrspace(1) %v38, align 16
  %v40 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v36
  store <4 x i32> %v39, ptr addrspace(3) %v40, align 16
  %v41 = add i32 %t, 1024
  %v42 = add i32 %v41, 2
  %v43 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v42
  %v44 = load <4 x i32>, ptr addrspace(1) %v43, align 16
  %v45 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v41
  store <4 x i32> %v44, ptr addrspace(3) %v45, align 16
  %v46 = add i32 %t, 1152
  %v47 = add i32 %v46, 2
  %v48 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v47
  %v49 = load <4 x i32>, ptr addrspace(1) %v48, align 16
  %v50 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v46
  store <4 x i32> %v49, ptr addrspace(3) %v50, align 16
  %v51 = add i32 %t, 1280
  %v52 = add i32 %v51, 2
  %v53 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v52
  %v54 = load <4 x i32>, ptr addrspace(1) %v53, align 16
  %v55 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v51
  store <4 x i32> %v54, ptr addrspace(3) %v55, align 16
  %v56 = add i32 %t, 1408
  %v57 = add i32 %v56, 2
  %v58 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v57
  %v59 = load <4 x i32>, ptr addrspace(1) %v58, align 16
  %v60 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v56
  store <4 x i32> %v59, ptr addrspace(3) %v60, align 16
  %v61 = add i32 %t, 1536
  %v62 = add i32 %v61, 2
  %v63 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v62
  %v64 = load <4 x i32>, ptr addrspace(1) %v63, align 16
  %v65 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v61
  store <4 x i32> %v64, ptr addrspace(3) %v65, align 16
  %v66 = add i32 %t, 1664
  %v67 = add i32 %v66, 2
  %v68 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v67
  %v69 = load <4 x i32>, ptr addrspace(1) %v68, align 16
  %v70 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v66
  store <4 x i32> %v69, ptr addrspace(3) %v70, align 16
  %v71 = add i32 %t, 1792
  %v72 = add i32 %v71, 2
  %v73 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v72
  %v74 = load <4 x i32>, ptr addrspace(1) %v73, align 16
  %v75 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v71
  store <4 x i32> %v74, ptr addrspace(3) %v75, align 16
  %v76 = add i32 %t, 1920
  %v77 = add i32 %v76, 2
  %v78 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v77
  %v79 = load <4 x i32>, ptr addrspace(1) %v78, align 16
  %v80 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v76
  store <4 x i32> %v79, ptr addrspace(3) %v80, align 16
  %v81 = add i32 %t, 2048
  %v82 = add i32 %v81, 2
  %v83 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v82
  %v84 = load <4 x i32>, ptr addrspace(1) %v83, align 16
  %v85 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v81
  store <4 x i32> %v84, ptr addrspace(3) %v85, align 16
  %v86 = add i32 %t, 2176
  %v87 = add i32 %v86, 2
  %v88 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v87
  %v89 = load <4 x i32>, ptr addrspace(1) %v88, align 16
  %v90 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v86
  store <4 x i32> %v89, ptr addrspace(3) %v90, align 16
  %v91 = add i32 %t, 2304
  %v92 = add i32 %v91, 2
  %v93 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v92
  %v94 = load <4 x i32>, ptr addrspace(1) %v93, align 16
  %v95 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v91
  store <4 x i32> %v94, ptr addrspace(3) %v95, align 16
  %v96 = add i32 %t, 2432
  %v97 = add i32 %v96, 2
  %v98 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v97
  %v99 = load <4 x i32>, ptr addrspace(1) %v98, align 16
  %v100 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v96
  store <4 x i32> %v99, ptr addrspace(3) %v100, align 16
  %v101 = add i32 %t, 2560
  %v102 = add i32 %v101, 2
  %v103 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v102
  %v104 = load <4 x i32>, ptr addrspace(1) %v103, align 16
  %v105 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v101
  store <4 x i32> %v104, ptr addrspace(3) %v105, align 16
  %v106 = add i32 %t, 2688
  %v107 = add i32 %v106, 2
  %v108 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v107
  %v109 = load <4 x i32>, ptr addrspace(1) %v108, align 16
  %v110 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v106
  store <4 x i32> %v109, ptr addrspace(3) %v110, align 16
  %v111 = add i32 %t, 2816
  %v112 = add i32 %v111, 2
  %v113 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v112
  %v114 = load <4 x i32>, ptr addrspace(1) %v113, align 16
  %v115 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v111
  store <4 x i32> %v114, ptr addrspace(3) %v115, align 16
  %v116 = add i32 %t, 2944
  %v117 = add i32 %v116, 2
  %v118 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v117
  %v119 = load <4 x i32>, ptr addrspace(1) %v118, align 16
  %v120 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v116
  store <4 x i32> %v119, ptr addrspace(3) %v120, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v121 = ptrtoint ptr addrspace(3) @shared to i32
  %v122 = and i32 %v121, 262143
  %v123 = lshr i32 %v122, 4
  %v124 = zext i32 %v123 to i64
  %v125 = getelementptr i64, ptr addrspace(1) %in, i32 0
  %v126 = load i64, ptr addrspace(1) %v125
  %v127 = add i64 %v126, %v124
  %v128 = getelementptr i64, ptr addrspace(1) %in, i32 1
  %v129 = load i64, ptr addrspace(1) %v128
  %v130 = add i64 %v129, %v124
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %v131 = call %d8 asm sideeffect "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7}, $8, $9, p, 1, 1, 0, 0; }", "=f,=f,=f,=f,=f,=f,=f,=f,l,l,0,1,2,3,4,5,6,7"(i64 %v127, i64 %v130, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison)
  %v132 = extractvalue %d8 %v131, 0
  %v133 = extractvalue %d8 %v131, 1
  %v134 = extractvalue %d8 %v131, 2
  %v135 = extractvalue %d8 %v131, 3
  %v136 = extractvalue %d8 %v131, 4
  %v137 = extractvalue %d8 %v131, 5
  %v138 = extractvalue %d8 %v131, 6
  %v139 = extractvalue %d8 %v131, 7
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %v140 = call %d8 asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7"(float %v132, float %v133, float %v134, float %v135, float %v136, float %v137, float %v138, float %v139)
  %v141 = mul i32 %t, 8
  %v142 = add i32 %v141, 0
  %v143 = getelementptr i32, ptr addrspace(1) %out, i32 %v142
  store %d8 %v140, ptr addrspace(1) %v143, align 4
  ret void
}
define ptx_kernel void @dense_rs_n16_f16(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 2
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 2
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 2
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 2
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  %v21 = add i32 %t, 512
  %v22 = add i32 %v21, 2
  %v23 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v22
  %v24 = load <4 x i32>, ptr addrspace(1) %v23, align 16
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v21
  store <4 x i32> %v24, ptr addrspace(3) %v25, align 16
  %v26 = add i32 %t, 640
  %v27 = add i32 %v26, 2
  %v28 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v27
  %v29 = load <4 x i32>, ptr addrspace(1) %v28, align 16
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v26
  store <4 x i32> %v29, ptr addrspace(3) %v30, align 16
  %v31 = add i32 %t, 768
  %v32 = add i32 %v31, 2
  %v33 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v32
  %v34 = load <4 x i32>, ptr addrspace(1) %v33, align 16
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v31
  store <4 x i32> %v34, ptr addrspace(3) %v35, align 16
  %v36 = add i32 %t, 896
  %v37 = add i32 %v36, 2
  %v38 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v37
  %v39 = load <4 x i32>, ptr addrspace(1) %v38, align 16
  %v40 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v36
  store <4 x i32> %v39, ptr addrspace(3) %v40, align 16
  %v41 = add i32 %t, 1024
  %v42 = add i32 %v41, 2
  %v43 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v42
  %v44 = load <4 x i32>, ptr addrspace(1) %v43, align 16
  %v45 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v41
  store <4 x i32> %v44, ptr addrspace(3) %v45, align 16
  %v46 = add i32 %t, 1152
  %v47 = add i32 %v46, 2
  %v48 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v47
  %v49 = load <4 x i32>, ptr addrspace(1) %v48, align 16
  %v50 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v46
  store <4 x i32> %v49, ptr addrspace(3) %v50, align 16
  %v51 = add i32 %t, 1280
  %v52 = add i32 %v51, 2
  %v53 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v52
  %v54 = load <4 x i32>, ptr addrspace(1) %v53, align 16
  %v55 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v51
  store <4 x i32> %v54, ptr addrspace(3) %v55, align 16
  %v56 = add i32 %t, 1408
  %v57 = add i32 %v56, 2
  %v58 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v57
  %v59 = load <4 x i32>, ptr addrspace(1) %v58, align 16
  %v60 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v56
  store <4 x i32> %v59, ptr addrspace(3) %v60, align 16
  %v61 = add i32 %t, 1536
  %v62 = add i32 %v61, 2
  %v63 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v62
  %v64 = load <4 x i32>, ptr addrspace(1) %v63, align 16
  %v65 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v61
  store <4 x i32> %v64, ptr addrspace(3) %v65, align 16
  %v66 = add i32 %t, 1664
  %v67 = add i32 %v66, 2
  %v68 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v67
  %v69 = load <4 x i32>, ptr addrspace(1) %v68, align 16
  %v70 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v66
  store <4 x i32> %v69, ptr addrspace(3) %v70, align 16
  %v71 = add i32 %t, 1792
  %v72 = add i32 %v71, 2
  %v73 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v72
  %v74 = load <4 x i32>, ptr addrspace(1) %v73, align 16
  %v75 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v71
  store <4 x i32> %v74, ptr addrspace(3) %v75, align 16
  %v76 = add i32 %t, 1920
  %v77 = add i32 %v76, 2
  %v78 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v77
  %v79 = load <4 x i32>, ptr addrspace(1) %v78, align 16
  %v80 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v76
  store <4 x i32> %v79, ptr addrspace(3) %v80, align 16
  %v81 = add i32 %t, 2048
  %v82 = add i32 %v81, 2
  %v83 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v82
  %v84 = load <4 x i32>, ptr addrspace(1) %v83, align 16
  %v85 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v81
  store <4 x i32> %v84, ptr addrspace(3) %v85, align 16
  %v86 = add i32 %t, 2176
  %v87 = add i32 %v86, 2
  %v88 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v87
  %v89 = load <4 x i32>, ptr addrspace(1) %v88, align 16
  %v90 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v86
  store <4 x i32> %v89, ptr addrspace(3) %v90, align 16
  %v91 = add i32 %t, 2304
  %v92 = add i32 %v91, 2
  %v93 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v92
  %v94 = load <4 x i32>, ptr addrspace(1) %v93, align 16
  %v95 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v91
  store <4 x i32> %v94, ptr addrspace(3) %v95, align 16
  %v96 = add i32 %t, 2432
  %v97 = add i32 %v96, 2
  %v98 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v97
  %v99 = load <4 x i32>, ptr addrspace(1) %v98, align 16
  %v100 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v96
  store <4 x i32> %v99, ptr addrspace(3) %v100, align 16
  %v101 = add i32 %t, 2560
  %v102 = add i32 %v101, 2
  %v103 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v102
  %v104 = load <4 x i32>, ptr addrspace(1) %v103, align 16
  %v105 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v101
  store <4 x i32> %v104, ptr addrspace(3) %v105, align 16
  %v106 = add i32 %t, 2688
  %v107 = add i32 %v106, 2
  %v108 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v107
  %v109 = load <4 x i32>, ptr addrspace(1) %v108, align 16
  %v110 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v106
  store <4 x i32> %v109, ptr addrspace(3) %v110, align 16
  %v111 = add i32 %t, 2816
  %v112 = add i32 %v111, 2
  %v113 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v112
  %v114 = load <4 x i32>, ptr addrspace(1) %v113, align 16
  %v115 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v111
  store <4 x i32> %v114, ptr addrspace(3) %v115, align 16
  %v116 = add i32 %t, 2944
  %v117 = add i32 %v116, 2
  %v118 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v117
  %v119 = load <4 x i32>, ptr addrspace(1) %v118, align 16
  %v120 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v116
  store <4 x i32> %v119, ptr addrspace(3) %v120, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v121 = ptrtoint ptr addrspace(3) @shared to i32
  %v122 = and i32 %v121, 262143
  %v123 = lshr i32 %v122, 4
  %v124 = zext i32 %v123 to i64
  %v125 = getelementptr i64, ptr addrspace(1) %in, i32 0
  %v126 = load i64, ptr addrspace(1) %v125
  %v127 = add i64 %v126, %v124
  %v128 = getelementptr i64, ptr addrspace(1) %in, i32 1
  %v129 = load i64, ptr addrspace(1) %v128
  %v130 = add i64 %v129, %v124
  %v131 = mul i32 %t, 4
  %v132 = add i32 %v131, 12424
  %v133 = getelementptr i32, ptr addrspace(1) %in, i32 %v132
  %v134 = load i32, ptr addrspace(1) %v133
  %v135 = mul i32 %t, 4
  %v136 = add i32 %v135, 12425
  %v137 = getelementptr i32, ptr addrspace(1) %in, i32 %v136
  %v138 = load i32, ptr addrspace(1) %v137
  %v139 = mul i32 %t, 4
  %v140 = add i32 %v139, 12426
  %v141 = getelementptr i32, ptr addrspace(1) %in, i32 %v140
  %v142 = load i32, ptr addrspace(1) %v141
  %v143 = mul i32 %t, 4
  %v144 = add i32 %v143, 12427
  %v145 = getelementptr i32, ptr addrspace(1) %in, i32 %v144
  %v146 = load i32, ptr addrspace(1) %v145
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %v147 = call %d8 asm sideeffect "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7}, {$8, $9, $10, $11}, $12, p, 1, 1, 0; }", "=f,=f,=f,=f,=f,=f,=f,=f,r,r,r,r,l,0,1,2,3,4,5,6,7"(i32 %v134, i32 %v138, i32 %v142, i32 %v146, i64 %v130, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison)
  %v148 = extractvalue %d8 %v147, 0
  %v149 = extractvalue %d8 %v147, 1
  %v150 = extractvalue %d8 %v147, 2
  %v151 = extractvalue %d8 %v147, 3
  %v152 = extractvalue %d8 %v147, 4
  %v153 = extractvalue %d8 %v147, 5
  %v154 = extractvalue %d8 %v147, 6
  %v155 = extractvalue %d8 %v147, 7
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %v156 = call %d8 asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7"(float %v148, float %v149, float %v150, float %v151, float %v152, float %v153, float %v154, float %v155)
  %v157 = mul i32 %t, 8
  %v158 = add i32 %v157, 0
  %v159 = getelementptr i32, ptr addrspace(1) %out, i32 %v158
  store %d8 %v156, ptr addrspace(1) %v159, align 4
  ret void
}
define ptx_kernel void @sp_ss_n16_f16_s0(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 2
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 2
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 2
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 2
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  %v21 = add i32 %t, 512
  %v22 = add i32 %v21, 2
  %v23 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v22
  %v24 = load <4 x i32>, ptr addrspace(1) %v23, align 16
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v21
  store <4 x i32> %v24, ptr addrspace(3) %v25, align 16
  %v26 = add i32 %t, 640
  %v27 = add i32 %v26, 2
  %v28 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v27
  %v29 = load <4 x i32>, ptr addrspace(1) %v28, align 16
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v26
  store <4 x i32> %v29, ptr addrspace(3) %v30, align 16
  %v31 = add i32 %t, 768
  %v32 = add i32 %v31, 2
  %v33 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v32
  %v34 = load <4 x i32>, ptr addrspace(1) %v33, align 16
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v31
  store <4 x i32> %v34, ptr addrspace(3) %v35, align 16
  %v36 = add i32 %t, 896
  %v37 = add i32 %v36, 2
  %v38 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v37
  %v39 = load <4 x i32>, ptr addrspace(1) %v38, align 16
  %v40 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v36
  store <4 x i32> %v39, ptr addrspace(3) %v40, align 16
  %v41 = add i32 %t, 1024
  %v42 = add i32 %v41, 2
  %v43 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v42
  %v44 = load <4 x i32>, ptr addrspace(1) %v43, align 16
  %v45 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v41
  store <4 x i32> %v44, ptr addrspace(3) %v45, align 16
  %v46 = add i32 %t, 1152
  %v47 = add i32 %v46, 2
  %v48 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v47
  %v49 = load <4 x i32>, ptr addrspace(1) %v48, align 16
  %v50 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v46
  store <4 x i32> %v49, ptr addrspace(3) %v50, align 16
  %v51 = add i32 %t, 1280
  %v52 = add i32 %v51, 2
  %v53 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v52
  %v54 = load <4 x i32>, ptr addrspace(1) %v53, align 16
  %v55 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v51
  store <4 x i32> %v54, ptr addrspace(3) %v55, align 16
  %v56 = add i32 %t, 1408
  %v57 = add i32 %v56, 2
  %v58 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v57
  %v59 = load <4 x i32>, ptr addrspace(1) %v58, align 16
  %v60 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v56
  store <4 x i32> %v59, ptr addrspace(3) %v60, align 16
  %v61 = add i32 %t, 1536
  %v62 = add i32 %v61, 2
  %v63 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v62
  %v64 = load <4 x i32>, ptr addrspace(1) %v63, align 16
  %v65 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v61
  store <4 x i32> %v64, ptr addrspace(3) %v65, align 16
  %v66 = add i32 %t, 1664
  %v67 = add i32 %v66, 2
  %v68 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v67
  %v69 = load <4 x i32>, ptr addrspace(1) %v68, align 16
  %v70 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v66
  store <4 x i32> %v69, ptr addrspace(3) %v70, align 16
  %v71 = add i32 %t, 1792
  %v72 = add i32 %v71, 2
  %v73 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v72
  %v74 = load <4 x i32>, ptr addrspace(1) %v73, align 16
  %v75 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v71
  store <4 x i32> %v74, ptr addrspace(3) %v75, align 16
  %v76 = add i32 %t, 1920
  %v77 = add i32 %v76, 2
  %v78 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v77
  %v79 = load <4 x i32>, ptr addrspace(1) %v78, align 16
  %v80 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v76
  store <4 x i32> %v79, ptr addrspace(3) %v80, align 16
  %v81 = add i32 %t, 2048
  %v82 = add i32 %v81, 2
  %v83 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v82
  %v84 = load <4 x i32>, ptr addrspace(1) %v83, align 16
  %v85 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v81
  store <4 x i32> %v84, ptr addrspace(3) %v85, align 16
  %v86 = add i32 %t, 2176
  %v87 = add i32 %v86, 2
  %v88 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v87
  %v89 = load <4 x i32>, ptr addrspace(1) %v88, align 16
  %v90 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v86
  store <4 x i32> %v89, ptr addrspace(3) %v90, align 16
  %v91 = add i32 %t, 2304
  %v92 = add i32 %v91, 2
  %v93 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v92
  %v94 = load <4 x i32>, ptr addrspace(1) %v93, align 16
  %v95 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v91
  store <4 x i32> %v94, ptr addrspace(3) %v95, align 16
  %v96 = add i32 %t, 2432
  %v97 = add i32 %v96, 2
  %v98 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v97
  %v99 = load <4 x i32>, ptr addrspace(1) %v98, align 16
  %v100 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v96
  store <4 x i32> %v99, ptr addrspace(3) %v100, align 16
  %v101 = add i32 %t, 2560
  %v102 = add i32 %v101, 2
  %v103 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v102
  %v104 = load <4 x i32>, ptr addrspace(1) %v103, align 16
  %v105 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v101
  store <4 x i32> %v104, ptr addrspace(3) %v105, align 16
  %v106 = add i32 %t, 2688
  %v107 = add i32 %v106, 2
  %v108 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v107
  %v109 = load <4 x i32>, ptr addrspace(1) %v108, align 16
  %v110 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v106
  store <4 x i32> %v109, ptr addrspace(3) %v110, align 16
  %v111 = add i32 %t, 2816
  %v112 = add i32 %v111, 2
  %v113 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v112
  %v114 = load <4 x i32>, ptr addrspace(1) %v113, align 16
  %v115 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v111
  store <4 x i32> %v114, ptr addrspace(3) %v115, align 16
  %v116 = add i32 %t, 2944
  %v117 = add i32 %v116, 2
  %v118 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v117
  %v119 = load <4 x i32>, ptr addrspace(1) %v118, align 16
  %v120 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v116
  store <4 x i32> %v119, ptr addrspace(3) %v120, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v121 = ptrtoint ptr addrspace(3) @shared to i32
  %v122 = and i32 %v121, 262143
  %v123 = lshr i32 %v122, 4
  %v124 = zext i32 %v123 to i64
  %v125 = getelementptr i64, ptr addrspace(1) %in, i32 0
  %v126 = load i64, ptr addrspace(1) %v125
  %v127 = add i64 %v126, %v124
  %v128 = getelementptr i64, ptr addrspace(1) %in, i32 1
  %v129 = load i64, ptr addrspace(1) %v128
  %v130 = add i64 %v129, %v124
  %v131 = mul i32 %t, 1
  %v132 = add i32 %v131, 12296
  %v133 = getelementptr i32, ptr addrspace(1) %in, i32 %v132
  %v134 = load i32, ptr addrspace(1) %v133
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %v135 = call %d8 asm sideeffect "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sp.sync.aligned.m64n16k32.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7}, $8, $9, $10, 0, p, 1, 1, 0, 0; }", "=f,=f,=f,=f,=f,=f,=f,=f,l,l,r,0,1,2,3,4,5,6,7"(i64 %v127, i64 %v130, i32 %v134, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison)
  %v136 = extractvalue %d8 %v135, 0
  %v137 = extractvalue %d8 %v135, 1
  %v138 = extractvalue %d8 %v135, 2
  %v139 = extractvalue %d8 %v135, 3
  %v140 = extractvalue %d8 %v135, 4
  %v141 = extractvalue %d8 %v135, 5
  %v142 = extractvalue %d8 %v135, 6
  %v143 = extractvalue %d8 %v135, 7
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %v144 = call %d8 asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7"(float %v136, float %v137, float %v138, float %v139, float %v140, float %v141, float %v142, float %v143)
  %v145 = mul i32 %t, 8
  %v146 = add i32 %v145, 0
  %v147 = getelementptr i32, ptr addrspace(1) %out, i32 %v146
  store %d8 %v144, ptr addrspace(1) %v147, align 4
  ret void
}
define ptx_kernel void @sp_ss_n16_f16_s1(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 2
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 2
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 2
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 2
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  %v21 = add i32 %t, 512
  %v22 = add i32 %v21, 2
  %v23 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v22
  %v24 = load <4 x i32>, ptr addrspace(1) %v23, align 16
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v21
  store <4 x i32> %v24, ptr addrspace(3) %v25, align 16
  %v26 = add i32 %t, 640
  %v27 = add i32 %v26, 2
  %v28 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v27
  %v29 = load <4 x i32>, ptr addrspace(1) %v28, align 16
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v26
  store <4 x i32> %v29, ptr addrspace(3) %v30, align 16
  %v31 = add i32 %t, 768
  %v32 = add i32 %v31, 2
  %v33 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v32
  %v34 = load <4 x i32>, ptr addrspace(1) %v33, align 16
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v31
  store <4 x i32> %v34, ptr addrspace(3) %v35, align 16
  %v36 = add i32 %t, 896
  %v37 = add i32 %v36, 2
  %v38 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v37
  %v39 = load <4 x i32>, ptr addrspace(1) %v38, align 16
  %v40 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v36
  store <4 x i32> %v39, ptr addrspace(3) %v40, align 16
  %v41 = add i32 %t, 1024
  %v42 = add i32 %v41, 2
  %v43 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v42
  %v44 = load <4 x i32>, ptr addrspace(1) %v43, align 16
  %v45 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v41
  store <4 x i32> %v44, ptr addrspace(3) %v45, align 16
  %v46 = add i32 %t, 1152
  %v47 = add i32 %v46, 2
  %v48 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v47
  %v49 = load <4 x i32>, ptr addrspace(1) %v48, align 16
  %v50 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v46
  store <4 x i32> %v49, ptr addrspace(3) %v50, align 16
  %v51 = add i32 %t, 1280
  %v52 = add i32 %v51, 2
  %v53 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v52
  %v54 = load <4 x i32>, ptr addrspace(1) %v53, align 16
  %v55 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v51
  store <4 x i32> %v54, ptr addrspace(3) %v55, align 16
  %v56 = add i32 %t, 1408
  %v57 = add i32 %v56, 2
  %v58 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v57
  %v59 = load <4 x i32>, ptr addrspace(1) %v58, align 16
  %v60 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v56
  store <4 x i32> %v59, ptr addrspace(3) %v60, align 16
  %v61 = add i32 %t, 1536
  %v62 = add i32 %v61, 2
  %v63 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v62
  %v64 = load <4 x i32>, ptr addrspace(1) %v63, align 16
  %v65 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v61
  store <4 x i32> %v64, ptr addrspace(3) %v65, align 16
  %v66 = add i32 %t, 1664
  %v67 = add i32 %v66, 2
  %v68 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v67
  %v69 = load <4 x i32>, ptr addrspace(1) %v68, align 16
  %v70 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v66
  store <4 x i32> %v69, ptr addrspace(3) %v70, align 16
  %v71 = add i32 %t, 1792
  %v72 = add i32 %v71, 2
  %v73 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v72
  %v74 = load <4 x i32>, ptr addrspace(1) %v73, align 16
  %v75 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v71
  store <4 x i32> %v74, ptr addrspace(3) %v75, align 16
  %v76 = add i32 %t, 1920
  %v77 = add i32 %v76, 2
  %v78 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v77
  %v79 = load <4 x i32>, ptr addrspace(1) %v78, align 16
  %v80 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v76
  store <4 x i32> %v79, ptr addrspace(3) %v80, align 16
  %v81 = add i32 %t, 2048
  %v82 = add i32 %v81, 2
  %v83 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v82
  %v84 = load <4 x i32>, ptr addrspace(1) %v83, align 16
  %v85 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v81
  store <4 x i32> %v84, ptr addrspace(3) %v85, align 16
  %v86 = add i32 %t, 2176
  %v87 = add i32 %v86, 2
  %v88 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v87
  %v89 = load <4 x i32>, ptr addrspace(1) %v88, align 16
  %v90 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v86
  store <4 x i32> %v89, ptr addrspace(3) %v90, align 16
  %v91 = add i32 %t, 2304
  %v92 = add i32 %v91, 2
  %v93 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v92
  %v94 = load <4 x i32>, ptr addrspace(1) %v93, align 16
  %v95 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v91
  store <4 x i32> %v94, ptr addrspace(3) %v95, align 16
  %v96 = add i32 %t, 2432
  %v97 = add i32 %v96, 2
  %v98 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v97
  %v99 = load <4 x i32>, ptr addrspace(1) %v98, align 16
  %v100 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v96
  store <4 x i32> %v99, ptr addrspace(3) %v100, align 16
  %v101 = add i32 %t, 2560
  %v102 = add i32 %v101, 2
  %v103 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v102
  %v104 = load <4 x i32>, ptr addrspace(1) %v103, align 16
  %v105 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v101
  store <4 x i32> %v104, ptr addrspace(3) %v105, align 16
  %v106 = add i32 %t, 2688
  %v107 = add i32 %v106, 2
  %v108 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v107
  %v109 = load <4 x i32>, ptr addrspace(1) %v108, align 16
  %v110 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v106
  store <4 x i32> %v109, ptr addrspace(3) %v110, align 16
  %v111 = add i32 %t, 2816
  %v112 = add i32 %v111, 2
  %v113 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v112
  %v114 = load <4 x i32>, ptr addrspace(1) %v113, align 16
  %v115 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v111
  store <4 x i32> %v114, ptr addrspace(3) %v115, align 16
  %v116 = add i32 %t, 2944
  %v117 = add i32 %v116, 2
  %v118 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v117
  %v119 = load <4 x i32>, ptr addrspace(1) %v118, align 16
  %v120 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v116
  store <4 x i32> %v119, ptr addrspace(3) %v120, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v121 = ptrtoint ptr addrspace(3) @shared to i32
  %v122 = and i32 %v121, 262143
  %v123 = lshr i32 %v122, 4
  %v124 = zext i32 %v123 to i64
  %v125 = getelementptr i64, ptr addrspace(1) %in, i32 0
  %v126 = load i64, ptr addrspace(1) %v125
  %v127 = add i64 %v126, %v124
  %v128 = getelementptr i64, ptr addrspace(1) %in, i32 1
  %v129 = load i64, ptr addrspace(1) %v128
  %v130 = add i64 %v129, %v124
  %v131 = mul i32 %t, 1
  %v132 = add i32 %v131, 12296
  %v133 = getelementptr i32, ptr addrspace(1) %in, i32 %v132
  %v134 = load i32, ptr addrspace(1) %v133
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %v135 = call %d8 asm sideeffect "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sp.sync.aligned.m64n16k32.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7}, $8, $9, $10, 1, p, 1, 1, 0, 0; }", "=f,=f,=f,=f,=f,=f,=f,=f,l,l,r,0,1,2,3,4,5,6,7"(i64 %v127, i64 %v130, i32 %v134, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison)
  %v136 = extractvalue %d8 %v135, 0
  %v137 = extractvalue %d8 %v135, 1
  %v138 = extractvalue %d8 %v135, 2
  %v139 = extractvalue %d8 %v135, 3
  %v140 = extractvalue %d8 %v135, 4
  %v141 = extractvalue %d8 %v135, 5
  %v142 = extractvalue %d8 %v135, 6
  %v143 = extractvalue %d8 %v135, 7
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %v144 = call %d8 asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7"(float %v136, float %v137, float %v138, float %v139, float %v140, float %v141, float %v142, float %v143)
  %v145 = mul i32 %t, 8
  %v146 = add i32 %v145, 0
  %v147 = getelementptr i32, ptr addrspace(1) %out, i32 %v146
  store %d8 %v144, ptr addrspace(1) %v147, align 4
  ret void
}
define ptx_kernel void @sp_rs_n16_f16_s0(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 2
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 2
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 2
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 2
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  %v21 = add i32 %t, 512
  %v22 = add i32 %v21, 2
  %v23 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v22
  %v24 = load <4 x i32>, ptr addrspace(1) %v23, align 16
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v21
  store <4 x i32> %v24, ptr addrspace(3) %v25, align 16
  %v26 = add i32 %t, 640
  %v27 = add i32 %v26, 2
  %v28 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v27
  %v29 = load <4 x i32>, ptr addrspace(1) %v28, align 16
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v26
  store <4 x i32> %v29, ptr addrspace(3) %v30, align 16
  %v31 = add i32 %t, 768
  %v32 = add i32 %v31, 2
  %v33 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v32
  %v34 = load <4 x i32>, ptr addrspace(1) %v33, align 16
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v31
  store <4 x i32> %v34, ptr addrspace(3) %v35, align 16
  %v36 = add i32 %t, 896
  %v37 = add i32 %v36, 2
  %v38 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v37
  %v39 = load <4 x i32>, ptr addrspace(1) %v38, align 16
  %v40 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v36
  store <4 x i32> %v39, ptr addrspace(3) %v40, align 16
  %v41 = add i32 %t, 1024
  %v42 = add i32 %v41, 2
  %v43 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v42
  %v44 = load <4 x i32>, ptr addrspace(1) %v43, align 16
  %v45 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v41
  store <4 x i32> %v44, ptr addrspace(3) %v45, align 16
  %v46 = add i32 %t, 1152
  %v47 = add i32 %v46, 2
  %v48 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v47
  %v49 = load <4 x i32>, ptr addrspace(1) %v48, align 16
  %v50 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v46
  store <4 x i32> %v49, ptr addrspace(3) %v50, align 16
  %v51 = add i32 %t, 1280
  %v52 = add i32 %v51, 2
  %v53 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v52
  %v54 = load <4 x i32>, ptr addrspace(1) %v53, align 16
  %v55 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v51
  store <4 x i32> %v54, ptr addrspace(3) %v55, align 16
  %v56 = add i32 %t, 1408
  %v57 = add i32 %v56, 2
  %v58 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v57
  %v59 = load <4 x i32>, ptr addrspace(1) %v58, align 16
  %v60 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v56
  store <4 x i32> %v59, ptr addrspace(3) %v60, align 16
  %v61 = add i32 %t, 1536
  %v62 = add i32 %v61, 2
  %v63 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v62
  %v64 = load <4 x i32>, ptr addrspace(1) %v63, align 16
  %v65 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v61
  store <4 x i32> %v64, ptr addrspace(3) %v65, align 16
  %v66 = add i32 %t, 1664
  %v67 = add i32 %v66, 2
  %v68 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v67
  %v69 = load <4 x i32>, ptr addrspace(1) %v68, align 16
  %v70 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v66
  store <4 x i32> %v69, ptr addrspace(3) %v70, align 16
  %v71 = add i32 %t, 1792
  %v72 = add i32 %v71, 2
  %v73 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v72
  %v74 = load <4 x i32>, ptr addrspace(1) %v73, align 16
  %v75 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v71
  store <4 x i32> %v74, ptr addrspace(3) %v75, align 16
  %v76 = add i32 %t, 1920
  %v77 = add i32 %v76, 2
  %v78 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v77
  %v79 = load <4 x i32>, ptr addrspace(1) %v78, align 16
  %v80 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v76
  store <4 x i32> %v79, ptr addrspace(3) %v80, align 16
  %v81 = add i32 %t, 2048
  %v82 = add i32 %v81, 2
  %v83 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v82
  %v84 = load <4 x i32>, ptr addrspace(1) %v83, align 16
  %v85 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v81
  store <4 x i32> %v84, ptr addrspace(3) %v85, align 16
  %v86 = add i32 %t, 2176
  %v87 = add i32 %v86, 2
  %v88 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v87
  %v89 = load <4 x i32>, ptr addrspace(1) %v88, align 16
  %v90 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v86
  store <4 x i32> %v89, ptr addrspace(3) %v90, align 16
  %v91 = add i32 %t, 2304
  %v92 = add i32 %v91, 2
  %v93 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v92
  %v94 = load <4 x i32>, ptr addrspace(1) %v93, align 16
  %v95 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v91
  store <4 x i32> %v94, ptr addrspace(3) %v95, align 16
  %v96 = add i32 %t, 2432
  %v97 = add i32 %v96, 2
  %v98 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v97
  %v99 = load <4 x i32>, ptr addrspace(1) %v98, align 16
  %v100 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v96
  store <4 x i32> %v99, ptr addrspace(3) %v100, align 16
  %v101 = add i32 %t, 2560
  %v102 = add i32 %v101, 2
  %v103 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v102
  %v104 = load <4 x i32>, ptr addrspace(1) %v103, align 16
  %v105 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v101
  store <4 x i32> %v104, ptr addrspace(3) %v105, align 16
  %v106 = add i32 %t, 2688
  %v107 = add i32 %v106, 2
  %v108 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v107
  %v109 = load <4 x i32>, ptr addrspace(1) %v108, align 16
  %v110 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v106
  store <4 x i32> %v109, ptr addrspace(3) %v110, align 16
  %v111 = add i32 %t, 2816
  %v112 = add i32 %v111, 2
  %v113 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v112
  %v114 = load <4 x i32>, ptr addrspace(1) %v113, align 16
  %v115 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v111
  store <4 x i32> %v114, ptr addrspace(3) %v115, align 16
  %v116 = add i32 %t, 2944
  %v117 = add i32 %v116, 2
  %v118 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v117
  %v119 = load <4 x i32>, ptr addrspace(1) %v118, align 16
  %v120 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v116
  store <4 x i32> %v119, ptr addrspace(3) %v120, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v121 = ptrtoint ptr addrspace(3) @shared to i32
  %v122 = and i32 %v121, 262143
  %v123 = lshr i32 %v122, 4
  %v124 = zext i32 %v123 to i64
  %v125 = getelementptr i64, ptr addrspace(1) %in, i32 0
  %v126 = load i64, ptr addrspace(1) %v125
  %v127 = add i64 %v126, %v124
  %v128 = getelementptr i64, ptr addrspace(1) %in, i32 1
  %v129 = load i64, ptr addrspace(1) %v128
  %v130 = add i64 %v129, %v124
  %v131 = mul i32 %t, 1
  %v132 = add i32 %v131, 12296
  %v133 = getelementptr i32, ptr addrspace(1) %in, i32 %v132
  %v134 = load i32, ptr addrspace(1) %v133
  %v135 = mul i32 %t, 4
  %v136 = add i32 %v135, 12424
  %v137 = getelementptr i32, ptr addrspace(1) %in, i32 %v136
  %v138 = load i32, ptr addrspace(1) %v137
  %v139 = mul i32 %t, 4
  %v140 = add i32 %v139, 12425
  %v141 = getelementptr i32, ptr addrspace(1) %in, i32 %v140
  %v142 = load i32, ptr addrspace(1) %v141
  %v143 = mul i32 %t, 4
  %v144 = add i32 %v143, 12426
  %v145 = getelementptr i32, ptr addrspace(1) %in, i32 %v144
  %v146 = load i32, ptr addrspace(1) %v145
  %v147 = mul i32 %t, 4
  %v148 = add i32 %v147, 12427
  %v149 = getelementptr i32, ptr addrspace(1) %in, i32 %v148
  %v150 = load i32, ptr addrspace(1) %v149
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %v151 = call %d8 asm sideeffect "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sp.sync.aligned.m64n16k32.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7}, {$8, $9, $10, $11}, $12, $13, 0, p, 1, 1, 0; }", "=f,=f,=f,=f,=f,=f,=f,=f,r,r,r,r,l,r,0,1,2,3,4,5,6,7"(i32 %v138, i32 %v142, i32 %v146, i32 %v150, i64 %v130, i32 %v134, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison)
  %v152 = extractvalue %d8 %v151, 0
  %v153 = extractvalue %d8 %v151, 1
  %v154 = extractvalue %d8 %v151, 2
  %v155 = extractvalue %d8 %v151, 3
  %v156 = extractvalue %d8 %v151, 4
  %v157 = extractvalue %d8 %v151, 5
  %v158 = extractvalue %d8 %v151, 6
  %v159 = extractvalue %d8 %v151, 7
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %v160 = call %d8 asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7"(float %v152, float %v153, float %v154, float %v155, float %v156, float %v157, float %v158, float %v159)
  %v161 = mul i32 %t, 8
  %v162 = add i32 %v161, 0
  %v163 = getelementptr i32, ptr addrspace(1) %out, i32 %v162
  store %d8 %v160, ptr addrspace(1) %v163, align 4
  ret void
}
define ptx_kernel void @sp_rs_n16_f16_s1(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 2
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 2
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 2
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 2
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  %v21 = add i32 %t, 512
  %v22 = add i32 %v21, 2
  %v23 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v22
  %v24 = load <4 x i32>, ptr addrspace(1) %v23, align 16
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v21
  store <4 x i32> %v24, ptr addrspace(3) %v25, align 16
  %v26 = add i32 %t, 640
  %v27 = add i32 %v26, 2
  %v28 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v27
  %v29 = load <4 x i32>, ptr addrspace(1) %v28, align 16
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v26
  store <4 x i32> %v29, ptr addrspace(3) %v30, align 16
  %v31 = add i32 %t, 768
  %v32 = add i32 %v31, 2
  %v33 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v32
  %v34 = load <4 x i32>, ptr addrspace(1) %v33, align 16
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v31
  store <4 x i32> %v34, ptr addrspace(3) %v35, align 16
  %v36 = add i32 %t, 896
  %v37 = add i32 %v36, 2
  %v38 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v37
  %v39 = load <4 x i32>, ptr addrspace(1) %v38, align 16
  %v40 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v36
  store <4 x i32> %v39, ptr addrspace(3) %v40, align 16
  %v41 = add i32 %t, 1024
  %v42 = add i32 %v41, 2
  %v43 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v42
  %v44 = load <4 x i32>, ptr addrspace(1) %v43, align 16
  %v45 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v41
  store <4 x i32> %v44, ptr addrspace(3) %v45, align 16
  %v46 = add i32 %t, 1152
  %v47 = add i32 %v46, 2
  %v48 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v47
  %v49 = load <4 x i32>, ptr addrspace(1) %v48, align 16
  %v50 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v46
  store <4 x i32> %v49, ptr addrspace(3) %v50, align 16
  %v51 = add i32 %t, 1280
  %v52 = add i32 %v51, 2
  %v53 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v52
  %v54 = load <4 x i32>, ptr addrspace(1) %v53, align 16
  %v55 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v51
  store <4 x i32> %v54, ptr addrspace(3) %v55, align 16
  %v56 = add i32 %t, 1408
  %v57 = add i32 %v56, 2
  %v58 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v57
  %v59 = load <4 x i32>, ptr addrspace(1) %v58, align 16
  %v60 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v56
  store <4 x i32> %v59, ptr addrspace(3) %v60, align 16
  %v61 = add i32 %t, 1536
  %v62 = add i32 %v61, 2
  %v63 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v62
  %v64 = load <4 x i32>, ptr addrspace(1) %v63, align 16
  %v65 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v61
  store <4 x i32> %v64, ptr addrspace(3) %v65, align 16
  %v66 = add i32 %t, 1664
  %v67 = add i32 %v66, 2
  %v68 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v67
  %v69 = load <4 x i32>, ptr addrspace(1) %v68, align 16
  %v70 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v66
  store <4 x i32> %v69, ptr addrspace(3) %v70, align 16
  %v71 = add i32 %t, 1792
  %v72 = add i32 %v71, 2
  %v73 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v72
  %v74 = load <4 x i32>, ptr addrspace(1) %v73, align 16
  %v75 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v71
  store <4 x i32> %v74, ptr addrspace(3) %v75, align 16
  %v76 = add i32 %t, 1920
  %v77 = add i32 %v76, 2
  %v78 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v77
  %v79 = load <4 x i32>, ptr addrspace(1) %v78, align 16
  %v80 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v76
  store <4 x i32> %v79, ptr addrspace(3) %v80, align 16
  %v81 = add i32 %t, 2048
  %v82 = add i32 %v81, 2
  %v83 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v82
  %v84 = load <4 x i32>, ptr addrspace(1) %v83, align 16
  %v85 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v81
  store <4 x i32> %v84, ptr addrspace(3) %v85, align 16
  %v86 = add i32 %t, 2176
  %v87 = add i32 %v86, 2
  %v88 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v87
  %v89 = load <4 x i32>, ptr addrspace(1) %v88, align 16
  %v90 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v86
  store <4 x i32> %v89, ptr addrspace(3) %v90, align 16
  %v91 = add i32 %t, 2304
  %v92 = add i32 %v91, 2
  %v93 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v92
  %v94 = load <4 x i32>, ptr addrspace(1) %v93, align 16
  %v95 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v91
  store <4 x i32> %v94, ptr addrspace(3) %v95, align 16
  %v96 = add i32 %t, 2432
  %v97 = add i32 %v96, 2
  %v98 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v97
  %v99 = load <4 x i32>, ptr addrspace(1) %v98, align 16
  %v100 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v96
  store <4 x i32> %v99, ptr addrspace(3) %v100, align 16
  %v101 = add i32 %t, 2560
  %v102 = add i32 %v101, 2
  %v103 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v102
  %v104 = load <4 x i32>, ptr addrspace(1) %v103, align 16
  %v105 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v101
  store <4 x i32> %v104, ptr addrspace(3) %v105, align 16
  %v106 = add i32 %t, 2688
  %v107 = add i32 %v106, 2
  %v108 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v107
  %v109 = load <4 x i32>, ptr addrspace(1) %v108, align 16
  %v110 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v106
  store <4 x i32> %v109, ptr addrspace(3) %v110, align 16
  %v111 = add i32 %t, 2816
  %v112 = add i32 %v111, 2
  %v113 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v112
  %v114 = load <4 x i32>, ptr addrspace(1) %v113, align 16
  %v115 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v111
  store <4 x i32> %v114, ptr addrspace(3) %v115, align 16
  %v116 = add i32 %t, 2944
  %v117 = add i32 %v116, 2
  %v118 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v117
  %v119 = load <4 x i32>, ptr addrspace(1) %v118, align 16
  %v120 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v116
  store <4 x i32> %v119, ptr addrspace(3) %v120, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v121 = ptrtoint ptr addrspace(3) @shared to i32
  %v122 = and i32 %v121, 262143
  %v123 = lshr i32 %v122, 4
  %v124 = zext i32 %v123 to i64
  %v125 = getelementptr i64, ptr addrspace(1) %in, i32 0
  %v126 = load i64, ptr addrspace(1) %v125
  %v127 = add i64 %v126, %v124
  %v128 = getelementptr i64, ptr addrspace(1) %in, i32 1
  %v129 = load i64, ptr addrspace(1) %v128
  %v130 = add i64 %v129, %v124
  %v131 = mul i32 %t, 1
  %v132 = add i32 %v131, 12296
  %v133 = getelementptr i32, ptr addrspace(1) %in, i32 %v132
  %v134 = load i32, ptr addrspace(1) %v133
  %v135 = mul i32 %t, 4
  %v136 = add i32 %v135, 12424
  %v137 = getelementptr i32, ptr addrspace(1) %in, i32 %v136
  %v138 = load i32, ptr addrspace(1) %v137
  %v139 = mul i32 %t, 4
  %v140 = add i32 %v139, 12425
  %v141 = getelementptr i32, ptr addrspace(1) %in, i32 %v140
  %v142 = load i32, ptr addrspace(1) %v141
  %v143 = mul i32 %t, 4
  %v144 = add i32 %v143, 12426
  %v145 = getelementptr i32, ptr addrspace(1) %in, i32 %v144
  %v146 = load i32, ptr addrspace(1) %v145
  %v147 = mul i32 %t, 4
  %v148 = add i32 %v147, 12427
  %v149 = getelementptr i32, ptr addrspace(1) %in, i32 %v148
  %v150 = load i32, ptr addrspace(1) %v149
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %v151 = call %d8 asm sideeffect "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sp.sync.aligned.m64n16k32.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7}, {$8, $9, $10, $11}, $12, $13, 1, p, 1, 1, 0; }", "=f,=f,=f,=f,=f,=f,=f,=f,r,r,r,r,l,r,0,1,2,3,4,5,6,7"(i32 %v138, i32 %v142, i32 %v146, i32 %v150, i64 %v130, i32 %v134, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison)
  %v152 = extractvalue %d8 %v151, 0
  %v153 = extractvalue %d8 %v151, 1
  %v154 = extractvalue %d8 %v151, 2
  %v155 = extractvalue %d8 %v151, 3
  %v156 = extractvalue %d8 %v151, 4
  %v157 = extractvalue %d8 %v151, 5
  %v158 = extractvalue %d8 %v151, 6
  %v159 = extractvalue %d8 %v151, 7
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %v160 = call %d8 asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7"(float %v152, float %v153, float %v154, float %v155, float %v156, float %v157, float %v158, float %v159)
  %v161 = mul i32 %t, 8
  %v162 = add i32 %v161, 0
  %v163 = getelementptr i32, ptr addrspace(1) %out, i32 %v162
  store %d8 %v160, ptr addrspace(1) %v163, align 4
  ret void
}
define ptx_kernel void @dense_ss_n64_f16(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 2
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 2
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 2
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 2
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  %v21 = add i32 %t, 512
  %v22 = add i32 %v21, 2
  %v23 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v22
  %v24 = load <4 x i32>, ptr addrspace(1) %v23, align 16
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v21
  store <4 x i32> %v24, ptr addrspace(3) %v25, align 16
  %v26 = add i32 %t, 640
  %v27 = add i32 %v26, 2
  %v28 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v27
  %v29 = load <4 x i32>, ptr addrspace(1) %v28, align 16
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v26
  store <4 x i32> %v29, ptr addrspace(3) %v30, align 16
  %v31 = add i32 %t, 768
  %v32 = add i32 %v31, 2
  %v33 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v32
  %v34 = load <4 x i32>, ptr addrspace(1) %v33, align 16
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v31
  store <4 x i32> %v34, ptr addrspace(3) %v35, align 16
  %v36 = add i32 %t, 896
  %v37 = add i32 %v36, 2
  %v38 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v37
  %v39 = load <4 x i32>, ptr addrspace(1) %v38, align 16
  %v40 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v36
  store <4 x i32> %v39, ptr addrspace(3) %v40, align 16
  %v41 = add i32 %t, 1024
  %v42 = add i32 %v41, 2
  %v43 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v42
  %v44 = load <4 x i32>, ptr addrspace(1) %v43, align 16
  %v45 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v41
  store <4 x i32> %v44, ptr addrspace(3) %v45, align 16
  %v46 = add i32 %t, 1152
  %v47 = add i32 %v46, 2
  %v48 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v47
  %v49 = load <4 x i32>, ptr addrspace(1) %v48, align 16
  %v50 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v46
  store <4 x i32> %v49, ptr addrspace(3) %v50, align 16
  %v51 = add i32 %t, 1280
  %v52 = add i32 %v51, 2
  %v53 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v52
  %v54 = load <4 x i32>, ptr addrspace(1) %v53, align 16
  %v55 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v51
  store <4 x i32> %v54, ptr addrspace(3) %v55, align 16
  %v56 = add i32 %t, 1408
  %v57 = add i32 %v56, 2
  %v58 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v57
  %v59 = load <4 x i32>, ptr addrspace(1) %v58, align 16
  %v60 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v56
  store <4 x i32> %v59, ptr addrspace(3) %v60, align 16
  %v61 = add i32 %t, 1536
  %v62 = add i32 %v61, 2
  %v63 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v62
  %v64 = load <4 x i32>, ptr addrspace(1) %v63, align 16
  %v65 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v61
  store <4 x i32> %v64, ptr addrspace(3) %v65, align 16
  %v66 = add i32 %t, 1664
  %v67 = add i32 %v66, 2
  %v68 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v67
  %v69 = load <4 x i32>, ptr addrspace(1) %v68, align 16
  %v70 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v66
  store <4 x i32> %v69, ptr addrspace(3) %v70, align 16
  %v71 = add i32 %t, 1792
  %v72 = add i32 %v71, 2
  %v73 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v72
  %v74 = load <4 x i32>, ptr addrspace(1) %v73, align 16
  %v75 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v71
  store <4 x i32> %v74, ptr addrspace(3) %v75, align 16
  %v76 = add i32 %t, 1920
  %v77 = add i32 %v76, 2
  %v78 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v77
  %v79 = load <4 x i32>, ptr addrspace(1) %v78, align 16
  %v80 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v76
  store <4 x i32> %v79, ptr addrspace(3) %v80, align 16
  %v81 = add i32 %t, 2048
  %v82 = add i32 %v81, 2
  %v83 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v82
  %v84 = load <4 x i32>, ptr addrspace(1) %v83, align 16
  %v85 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v81
  store <4 x i32> %v84, ptr addrspace(3) %v85, align 16
  %v86 = add i32 %t, 2176
  %v87 = add i32 %v86, 2
  %v88 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v87
  %v89 = load <4 x i32>, ptr addrspace(1) %v88, align 16
  %v90 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v86
  store <4 x i32> %v89, ptr addrspace(3) %v90, align 16
  %v91 = add i32 %t, 2304
  %v92 = add i32 %v91, 2
  %v93 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v92
  %v94 = load <4 x i32>, ptr addrspace(1) %v93, align 16
  %v95 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v91
  store <4 x i32> %v94, ptr addrspace(3) %v95, align 16
  %v96 = add i32 %t, 2432
  %v97 = add i32 %v96, 2
  %v98 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v97
  %v99 = load <4 x i32>, ptr addrspace(1) %v98, align 16
  %v100 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v96
  store <4 x i32> %v99, ptr addrspace(3) %v100, align 16
  %v101 = add i32 %t, 2560
  %v102 = add i32 %v101, 2
  %v103 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v102
  %v104 = load <4 x i32>, ptr addrspace(1) %v103, align 16
  %v105 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v101
  store <4 x i32> %v104, ptr addrspace(3) %v105, align 16
  %v106 = add i32 %t, 2688
  %v107 = add i32 %v106, 2
  %v108 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v107
  %v109 = load <4 x i32>, ptr addrspace(1) %v108, align 16
  %v110 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v106
  store <4 x i32> %v109, ptr addrspace(3) %v110, align 16
  %v111 = add i32 %t, 2816
  %v112 = add i32 %v111, 2
  %v113 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v112
  %v114 = load <4 x i32>, ptr addrspace(1) %v113, align 16
  %v115 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v111
  store <4 x i32> %v114, ptr addrspace(3) %v115, align 16
  %v116 = add i32 %t, 2944
  %v117 = add i32 %v116, 2
  %v118 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v117
  %v119 = load <4 x i32>, ptr addrspace(1) %v118, align 16
  %v120 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v116
  store <4 x i32> %v119, ptr addrspace(3) %v120, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v121 = ptrtoint ptr addrspace(3) @shared to i32
  %v122 = and i32 %v121, 262143
  %v123 = lshr i32 %v122, 4
  %v124 = zext i32 %v123 to i64
  %v125 = getelementptr i64, ptr addrspace(1) %in, i32 0
  %v126 = load i64, ptr addrspace(1) %v125
  %v127 = add i64 %v126, %v124
  %v128 = getelementptr i64, ptr addrspace(1) %in, i32 1
  %v129 = load i64, ptr addrspace(1) %v128
  %v130 = add i64 %v129, %v124
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %v131 = call %d32 asm sideeffect "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31}, $32, $33, p, 1, 1, 0, 0; }", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,l,l,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"(i64 %v127, i64 %v130, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison)
  %v132 = extractvalue %d32 %v131, 0
  %v133 = extractvalue %d32 %v131, 1
  %v134 = extractvalue %d32 %v131, 2
  %v135 = extractvalue %d32 %v131, 3
  %v136 = extractvalue %d32 %v131, 4
  %v137 = extractvalue %d32 %v131, 5
  %v138 = extractvalue %d32 %v131, 6
  %v139 = extractvalue %d32 %v131, 7
  %v140 = extractvalue %d32 %v131, 8
  %v141 = extractvalue %d32 %v131, 9
  %v142 = extractvalue %d32 %v131, 10
  %v143 = extractvalue %d32 %v131, 11
  %v144 = extractvalue %d32 %v131, 12
  %v145 = extractvalue %d32 %v131, 13
  %v146 = extractvalue %d32 %v131, 14
  %v147 = extractvalue %d32 %v131, 15
  %v148 = extractvalue %d32 %v131, 16
  %v149 = extractvalue %d32 %v131, 17
  %v150 = extractvalue %d32 %v131, 18
  %v151 = extractvalue %d32 %v131, 19
  %v152 = extractvalue %d32 %v131, 20
  %v153 = extractvalue %d32 %v131, 21
  %v154 = extractvalue %d32 %v131, 22
  %v155 = extractvalue %d32 %v131, 23
  %v156 = extractvalue %d32 %v131, 24
  %v157 = extractvalue %d32 %v131, 25
  %v158 = extractvalue %d32 %v131, 26
  %v159 = extractvalue %d32 %v131, 27
  %v160 = extractvalue %d32 %v131, 28
  %v161 = extractvalue %d32 %v131, 29
  %v162 = extractvalue %d32 %v131, 30
  %v163 = extractvalue %d32 %v131, 31
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %v164 = call %d32 asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"(float %v132, float %v133, float %v134, float %v135, float %v136, float %v137, float %v138, float %v139, float %v140, float %v141, float %v142, float %v143, float %v144, float %v145, float %v146, float %v147, float %v148, float %v149, float %v150, float %v151, float %v152, float %v153, float %v154, float %v155, float %v156, float %v157, float %v158, float %v159, float %v160, float %v161, float %v162, float %v163)
  %v165 = mul i32 %t, 32
  %v166 = add i32 %v165, 0
  %v167 = getelementptr i32, ptr addrspace(1) %out, i32 %v166
  store %d32 %v164, ptr addrspace(1) %v167, align 4
  ret void
}
define ptx_kernel void @dense_ss_n64_bf16(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 2
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 2
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 2
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 2
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  %v21 = add i32 %t, 512
  %v22 = add i32 %v21, 2
  %v23 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v22
  %v24 = load <4 x i32>, ptr addrspace(1) %v23, align 16
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v21
  store <4 x i32> %v24, ptr addrspace(3) %v25, align 16
  %v26 = add i32 %t, 640
  %v27 = add i32 %v26, 2
  %v28 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v27
  %v29 = load <4 x i32>, ptr addrspace(1) %v28, align 16
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v26
  store <4 x i32> %v29, ptr addrspace(3) %v30, align 16
  %v31 = add i32 %t, 768
  %v32 = add i32 %v31, 2
  %v33 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v32
  %v34 = load <4 x i32>, ptr addrspace(1) %v33, align 16
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v31
  store <4 x i32> %v34, ptr addrspace(3) %v35, align 16
  %v36 = add i32 %t, 896
  %v37 = add i32 %v36, 2
  %v38 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v37
  %v39 = load <4 x i32>, ptr addrspace(1) %v38, align 16
  %v40 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v36
  store <4 x i32> %v39, ptr addrspace(3) %v40, align 16
  %v41 = add i32 %t, 1024
  %v42 = add i32 %v41, 2
  %v43 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v42
  %v44 = load <4 x i32>, ptr addrspace(1) %v43, align 16
  %v45 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v41
  store <4 x i32> %v44, ptr addrspace(3) %v45, align 16
  %v46 = add i32 %t, 1152
  %v47 = add i32 %v46, 2
  %v48 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v47
  %v49 = load <4 x i32>, ptr addrspace(1) %v48, align 16
  %v50 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v46
  store <4 x i32> %v49, ptr addrspace(3) %v50, align 16
  %v51 = add i32 %t, 1280
  %v52 = add i32 %v51, 2
  %v53 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v52
  %v54 = load <4 x i32>, ptr addrspace(1) %v53, align 16
  %v55 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v51
  store <4 x i32> %v54, ptr addrspace(3) %v55, align 16
  %v56 = add i32 %t, 1408
  %v57 = add i32 %v56, 2
  %v58 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v57
  %v59 = load <4 x i32>, ptr addrspace(1) %v58, align 16
  %v60 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v56
  store <4 x i32> %v59, ptr addrspace(3) %v60, align 16
  %v61 = add i32 %t, 1536
  %v62 = add i32 %v61, 2
  %v63 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v62
  %v64 = load <4 x i32>, ptr addrspace(1) %v63, align 16
  %v65 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v61
  store <4 x i32> %v64, ptr addrspace(3) %v65, align 16
  %v66 = add i32 %t, 1664
  %v67 = add i32 %v66, 2
  %v68 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v67
  %v69 = load <4 x i32>, ptr addrspace(1) %v68, align 16
  %v70 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v66
  store <4 x i32> %v69, ptr addrspace(3) %v70, align 16
  %v71 = add i32 %t, 1792
  %v72 = add i32 %v71, 2
  %v73 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v72
  %v74 = load <4 x i32>, ptr addrspace(1) %v73, align 16
  %v75 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v71
  store <4 x i32> %v74, ptr addrspace(3) %v75, align 16
  %v76 = add i32 %t, 1920
  %v77 = add i32 %v76, 2
  %v78 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v77
  %v79 = load <4 x i32>, ptr addrspace(1) %v78, align 16
  %v80 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v76
  store <4 x i32> %v79, ptr addrspace(3) %v80, align 16
  %v81 = add i32 %t, 2048
  %v82 = add i32 %v81, 2
  %v83 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v82
  %v84 = load <4 x i32>, ptr addrspace(1) %v83, align 16
  %v85 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v81
  store <4 x i32> %v84, ptr addrspace(3) %v85, align 16
  %v86 = add i32 %t, 2176
  %v87 = add i32 %v86, 2
  %v88 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v87
  %v89 = load <4 x i32>, ptr addrspace(1) %v88, align 16
  %v90 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v86
  store <4 x i32> %v89, ptr addrspace(3) %v90, align 16
  %v91 = add i32 %t, 2304
  %v92 = add i32 %v91, 2
  %v93 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v92
  %v94 = load <4 x i32>, ptr addrspace(1) %v93, align 16
  %v95 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v91
  store <4 x i32> %v94, ptr addrspace(3) %v95, align 16
  %v96 = add i32 %t, 2432
  %v97 = add i32 %v96, 2
  %v98 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v97
  %v99 = load <4 x i32>, ptr addrspace(1) %v98, align 16
  %v100 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v96
  store <4 x i32> %v99, ptr addrspace(3) %v100, align 16
  %v101 = add i32 %t, 2560
  %v102 = add i32 %v101, 2
  %v103 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v102
  %v104 = load <4 x i32>, ptr addrspace(1) %v103, align 16
  %v105 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v101
  store <4 x i32> %v104, ptr addrspace(3) %v105, align 16
  %v106 = add i32 %t, 2688
  %v107 = add i32 %v106, 2
  %v108 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v107
  %v109 = load <4 x i32>, ptr addrspace(1) %v108, align 16
  %v110 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v106
  store <4 x i32> %v109, ptr addrspace(3) %v110, align 16
  %v111 = add i32 %t, 2816
  %v112 = add i32 %v111, 2
  %v113 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v112
  %v114 = load <4 x i32>, ptr addrspace(1) %v113, align 16
  %v115 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v111
  store <4 x i32> %v114, ptr addrspace(3) %v115, align 16
  %v116 = add i32 %t, 2944
  %v117 = add i32 %v116, 2
  %v118 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v117
  %v119 = load <4 x i32>, ptr addrspace(1) %v118, align 16
  %v120 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v116
  store <4 x i32> %v119, ptr addrspace(3) %v120, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v121 = ptrtoint ptr addrspace(3) @shared to i32
  %v122 = and i32 %v121, 262143
  %v123 = lshr i32 %v122, 4
  %v124 = zext i32 %v123 to i64
  %v125 = getelementptr i64, ptr addrspace(1) %in, i32 0
  %v126 = load i64, ptr addrspace(1) %v125
  %v127 = add i64 %v126, %v124
  %v128 = getelementptr i64, ptr addrspace(1) %in, i32 1
  %v129 = load i64, ptr addrspace(1) %v128
  %v130 = add i64 %v129, %v124
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %v131 = call %d32 asm sideeffect "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31}, $32, $33, p, 1, 1, 0, 0; }", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,l,l,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"(i64 %v127, i64 %v130, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison)
  %v132 = extractvalue %d32 %v131, 0
  %v133 = extractvalue %d32 %v131, 1
  %v134 = extractvalue %d32 %v131, 2
  %v135 = extractvalue %d32 %v131, 3
  %v136 = extractvalue %d32 %v131, 4
  %v137 = extractvalue %d32 %v131, 5
  %v138 = extractvalue %d32 %v131, 6
  %v139 = extractvalue %d32 %v131, 7
  %v140 = extractvalue %d32 %v131, 8
  %v141 = extractvalue %d32 %v131, 9
  %v142 = extractvalue %d32 %v131, 10
  %v143 = extractvalue %d32 %v131, 11
  %v144 = extractvalue %d32 %v131, 12
  %v145 = extractvalue %d32 %v131, 13
  %v146 = extractvalue %d32 %v131, 14
  %v147 = extractvalue %d32 %v131, 15
  %v148 = extractvalue %d32 %v131, 16
  %v149 = extractvalue %d32 %v131, 17
  %v150 = extractvalue %d32 %v131, 18
  %v151 = extractvalue %d32 %v131, 19
  %v152 = extractvalue %d32 %v131, 20
  %v153 = extractvalue %d32 %v131, 21
  %v154 = extractvalue %d32 %v131, 22
  %v155 = extractvalue %d32 %v131, 23
  %v156 = extractvalue %d32 %v131, 24
  %v157 = extractvalue %d32 %v131, 25
  %v158 = extractvalue %d32 %v131, 26
  %v159 = extractvalue %d32 %v131, 27
  %v160 = extractvalue %d32 %v131, 28
  %v161 = extractvalue %d32 %v131, 29
  %v162 = extractvalue %d32 %v131, 30
  %v163 = extractvalue %d32 %v131, 31
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %v164 = call %d32 asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"(float %v132, float %v133, float %v134, float %v135, float %v136, float %v137, float %v138, float %v139, float %v140, float %v141, float %v142, float %v143, float %v144, float %v145, float %v146, float %v147, float %v148, float %v149, float %v150, float %v151, float %v152, float %v153, float %v154, float %v155, float %v156, float %v157, float %v158, float %v159, float %v160, float %v161, float %v162, float %v163)
  %v165 = mul i32 %t, 32
  %v166 = add i32 %v165, 0
  %v167 = getelementptr i32, ptr addrspace(1) %out, i32 %v166
  store %d32 %v164, ptr addrspace(1) %v167, align 4
  ret void
}
define ptx_kernel void @dense_rs_n64_f16(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 2
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 2
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 2
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 2
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  %v21 = add i32 %t, 512
  %v22 = add i32 %v21, 2
  %v23 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v22
  %v24 = load <4 x i32>, ptr addrspace(1) %v23, align 16
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v21
  store <4 x i32> %v24, ptr addrspace(3) %v25, align 16
  %v26 = add i32 %t, 640
  %v27 = add i32 %v26, 2
  %v28 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v27
  %v29 = load <4 x i32>, ptr addrspace(1) %v28, align 16
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v26
  store <4 x i32> %v29, ptr addrspace(3) %v30, align 16
  %v31 = add i32 %t, 768
  %v32 = add i32 %v31, 2
  %v33 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v32
  %v34 = load <4 x i32>, ptr addrspace(1) %v33, align 16
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v31
  store <4 x i32> %v34, ptr addrspace(3) %v35, align 16
  %v36 = add i32 %t, 896
  %v37 = add i32 %v36, 2
  %v38 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v37
  %v39 = load <4 x i32>, ptr addrspace(1) %v38, align 16
  %v40 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v36
  store <4 x i32> %v39, ptr addrspace(3) %v40, align 16
  %v41 = add i32 %t, 1024
  %v42 = add i32 %v41, 2
  %v43 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v42
  %v44 = load <4 x i32>, ptr addrspace(1) %v43, align 16
  %v45 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v41
  store <4 x i32> %v44, ptr addrspace(3) %v45, align 16
  %v46 = add i32 %t, 1152
  %v47 = add i32 %v46, 2
  %v48 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v47
  %v49 = load <4 x i32>, ptr addrspace(1) %v48, align 16
  %v50 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v46
  store <4 x i32> %v49, ptr addrspace(3) %v50, align 16
  %v51 = add i32 %t, 1280
  %v52 = add i32 %v51, 2
  %v53 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v52
  %v54 = load <4 x i32>, ptr addrspace(1) %v53, align 16
  %v55 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v51
  store <4 x i32> %v54, ptr addrspace(3) %v55, align 16
  %v56 = add i32 %t, 1408
  %v57 = add i32 %v56, 2
  %v58 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v57
  %v59 = load <4 x i32>, ptr addrspace(1) %v58, align 16
  %v60 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v56
  store <4 x i32> %v59, ptr addrspace(3) %v60, align 16
  %v61 = add i32 %t, 1536
  %v62 = add i32 %v61, 2
  %v63 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v62
  %v64 = load <4 x i32>, ptr addrspace(1) %v63, align 16
  %v65 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v61
  store <4 x i32> %v64, ptr addrspace(3) %v65, align 16
  %v66 = add i32 %t, 1664
  %v67 = add i32 %v66, 2
  %v68 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v67
  %v69 = load <4 x i32>, ptr addrspace(1) %v68, align 16
  %v70 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v66
  store <4 x i32> %v69, ptr addrspace(3) %v70, align 16
  %v71 = add i32 %t, 1792
  %v72 = add i32 %v71, 2
  %v73 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v72
  %v74 = load <4 x i32>, ptr addrspace(1) %v73, align 16
  %v75 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v71
  store <4 x i32> %v74, ptr addrspace(3) %v75, align 16
  %v76 = add i32 %t, 1920
  %v77 = add i32 %v76, 2
  %v78 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v77
  %v79 = load <4 x i32>, ptr addrspace(1) %v78, align 16
  %v80 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v76
  store <4 x i32> %v79, ptr addrspace(3) %v80, align 16
  %v81 = add i32 %t, 2048
  %v82 = add i32 %v81, 2
  %v83 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v82
  %v84 = load <4 x i32>, ptr addrspace(1) %v83, align 16
  %v85 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v81
  store <4 x i32> %v84, ptr addrspace(3) %v85, align 16
  %v86 = add i32 %t, 2176
  %v87 = add i32 %v86, 2
  %v88 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v87
  %v89 = load <4 x i32>, ptr addrspace(1) %v88, align 16
  %v90 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v86
  store <4 x i32> %v89, ptr addrspace(3) %v90, align 16
  %v91 = add i32 %t, 2304
  %v92 = add i32 %v91, 2
  %v93 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v92
  %v94 = load <4 x i32>, ptr addrspace(1) %v93, align 16
  %v95 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v91
  store <4 x i32> %v94, ptr addrspace(3) %v95, align 16
  %v96 = add i32 %t, 2432
  %v97 = add i32 %v96, 2
  %v98 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v97
  %v99 = load <4 x i32>, ptr addrspace(1) %v98, align 16
  %v100 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v96
  store <4 x i32> %v99, ptr addrspace(3) %v100, align 16
  %v101 = add i32 %t, 2560
  %v102 = add i32 %v101, 2
  %v103 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v102
  %v104 = load <4 x i32>, ptr addrspace(1) %v103, align 16
  %v105 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v101
  store <4 x i32> %v104, ptr addrspace(3) %v105, align 16
  %v106 = add i32 %t, 2688
  %v107 = add i32 %v106, 2
  %v108 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v107
  %v109 = load <4 x i32>, ptr addrspace(1) %v108, align 16
  %v110 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v106
  store <4 x i32> %v109, ptr addrspace(3) %v110, align 16
  %v111 = add i32 %t, 2816
  %v112 = add i32 %v111, 2
  %v113 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v112
  %v114 = load <4 x i32>, ptr addrspace(1) %v113, align 16
  %v115 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v111
  store <4 x i32> %v114, ptr addrspace(3) %v115, align 16
  %v116 = add i32 %t, 2944
  %v117 = add i32 %v116, 2
  %v118 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v117
  %v119 = load <4 x i32>, ptr addrspace(1) %v118, align 16
  %v120 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v116
  store <4 x i32> %v119, ptr addrspace(3) %v120, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v121 = ptrtoint ptr addrspace(3) @shared to i32
  %v122 = and i32 %v121, 262143
  %v123 = lshr i32 %v122, 4
  %v124 = zext i32 %v123 to i64
  %v125 = getelementptr i64, ptr addrspace(1) %in, i32 0
  %v126 = load i64, ptr addrspace(1) %v125
  %v127 = add i64 %v126, %v124
  %v128 = getelementptr i64, ptr addrspace(1) %in, i32 1
  %v129 = load i64, ptr addrspace(1) %v128
  %v130 = add i64 %v129, %v124
  %v131 = mul i32 %t, 4
  %v132 = add i32 %v131, 12424
  %v133 = getelementptr i32, ptr addrspace(1) %in, i32 %v132
  %v134 = load i32, ptr addrspace(1) %v133
  %v135 = mul i32 %t, 4
  %v136 = add i32 %v135, 12425
  %v137 = getelementptr i32, ptr addrspace(1) %in, i32 %v136
  %v138 = load i32, ptr addrspace(1) %v137
  %v139 = mul i32 %t, 4
  %v140 = add i32 %v139, 12426
  %v141 = getelementptr i32, ptr addrspace(1) %in, i32 %v140
  %v142 = load i32, ptr addrspace(1) %v141
  %v143 = mul i32 %t, 4
  %v144 = add i32 %v143, 12427
  %v145 = getelementptr i32, ptr addrspace(1) %in, i32 %v144
  %v146 = load i32, ptr addrspace(1) %v145
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %v147 = call %d32 asm sideeffect "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31}, {$32, $33, $34, $35}, $36, p, 1, 1, 0; }", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,r,r,r,r,l,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"(i32 %v134, i32 %v138, i32 %v142, i32 %v146, i64 %v130, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison)
  %v148 = extractvalue %d32 %v147, 0
  %v149 = extractvalue %d32 %v147, 1
  %v150 = extractvalue %d32 %v147, 2
  %v151 = extractvalue %d32 %v147, 3
  %v152 = extractvalue %d32 %v147, 4
  %v153 = extractvalue %d32 %v147, 5
  %v154 = extractvalue %d32 %v147, 6
  %v155 = extractvalue %d32 %v147, 7
  %v156 = extractvalue %d32 %v147, 8
  %v157 = extractvalue %d32 %v147, 9
  %v158 = extractvalue %d32 %v147, 10
  %v159 = extractvalue %d32 %v147, 11
  %v160 = extractvalue %d32 %v147, 12
  %v161 = extractvalue %d32 %v147, 13
  %v162 = extractvalue %d32 %v147, 14
  %v163 = extractvalue %d32 %v147, 15
  %v164 = extractvalue %d32 %v147, 16
  %v165 = extractvalue %d32 %v147, 17
  %v166 = extractvalue %d32 %v147, 18
  %v167 = extractvalue %d32 %v147, 19
  %v168 = extractvalue %d32 %v147, 20
  %v169 = extractvalue %d32 %v147, 21
  %v170 = extractvalue %d32 %v147, 22
  %v171 = extractvalue %d32 %v147, 23
  %v172 = extractvalue %d32 %v147, 24
  %v173 = extractvalue %d32 %v147, 25
  %v174 = extractvalue %d32 %v147, 26
  %v175 = extractvalue %d32 %v147, 27
  %v176 = extractvalue %d32 %v147, 28
  %v177 = extractvalue %d32 %v147, 29
  %v178 = extractvalue %d32 %v147, 30
  %v179 = extractvalue %d32 %v147, 31
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %v180 = call %d32 asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"(float %v148, float %v149, float %v150, float %v151, float %v152, float %v153, float %v154, float %v155, float %v156, float %v157, float %v158, float %v159, float %v160, float %v161, float %v162, float %v163, float %v164, float %v165, float %v166, float %v167, float %v168, float %v169, float %v170, float %v171, float %v172, float %v173, float %v174, float %v175, float %v176, float %v177, float %v178, float %v179)
  %v181 = mul i32 %t, 32
  %v182 = add i32 %v181, 0
  %v183 = getelementptr i32, ptr addrspace(1) %out, i32 %v182
  store %d32 %v180, ptr addrspace(1) %v183, align 4
  ret void
}
define ptx_kernel void @dense_rs_n64_bf16(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 2
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 2
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 2
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 2
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  %v21 = add i32 %t, 512
  %v22 = add i32 %v21, 2
  %v23 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v22
  %v24 = load <4 x i32>, ptr addrspace(1) %v23, align 16
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v21
  store <4 x i32> %v24, ptr addrspace(3) %v25, align 16
  %v26 = add i32 %t, 640
  %v27 = add i32 %v26, 2
  %v28 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v27
  %v29 = load <4 x i32>, ptr addrspace(1) %v28, align 16
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v26
  store <4 x i32> %v29, ptr addrspace(3) %v30, align 16
  %v31 = add i32 %t, 768
  %v32 = add i32 %v31, 2
  %v33 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v32
  %v34 = load <4 x i32>, ptr addrspace(1) %v33, align 16
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v31
  store <4 x i32> %v34, ptr addrspace(3) %v35, align 16
  %v36 = add i32 %t, 896
  %v37 = add i32 %v36, 2
  %v38 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v37
  %v39 = load <4 x i32>, ptr addrspace(1) %v38, align 16
  %v40 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v36
  store <4 x i32> %v39, ptr addrspace(3) %v40, align 16
  %v41 = add i32 %t, 1024
  %v42 = add i32 %v41, 2
  %v43 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v42
  %v44 = load <4 x i32>, ptr addrspace(1) %v43, align 16
  %v45 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v41
  store <4 x i32> %v44, ptr addrspace(3) %v45, align 16
  %v46 = add i32 %t, 1152
  %v47 = add i32 %v46, 2
  %v48 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v47
  %v49 = load <4 x i32>, ptr addrspace(1) %v48, align 16
  %v50 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v46
  store <4 x i32> %v49, ptr addrspace(3) %v50, align 16
  %v51 = add i32 %t, 1280
  %v52 = add i32 %v51, 2
  %v53 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v52
  %v54 = load <4 x i32>, ptr addrspace(1) %v53, align 16
  %v55 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v51
  store <4 x i32> %v54, ptr addrspace(3) %v55, align 16
  %v56 = add i32 %t, 1408
  %v57 = add i32 %v56, 2
  %v58 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v57
  %v59 = load <4 x i32>, ptr addrspace(1) %v58, align 16
  %v60 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v56
  store <4 x i32> %v59, ptr addrspace(3) %v60, align 16
  %v61 = add i32 %t, 1536
  %v62 = add i32 %v61, 2
  %v63 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v62
  %v64 = load <4 x i32>, ptr addrspace(1) %v63, align 16
  %v65 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v61
  store <4 x i32> %v64, ptr addrspace(3) %v65, align 16
  %v66 = add i32 %t, 1664
  %v67 = add i32 %v66, 2
  %v68 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v67
  %v69 = load <4 x i32>, ptr addrspace(1) %v68, align 16
  %v70 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v66
  store <4 x i32> %v69, ptr addrspace(3) %v70, align 16
  %v71 = add i32 %t, 1792
  %v72 = add i32 %v71, 2
  %v73 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v72
  %v74 = load <4 x i32>, ptr addrspace(1) %v73, align 16
  %v75 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v71
  store <4 x i32> %v74, ptr addrspace(3) %v75, align 16
  %v76 = add i32 %t, 1920
  %v77 = add i32 %v76, 2
  %v78 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v77
  %v79 = load <4 x i32>, ptr addrspace(1) %v78, align 16
  %v80 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v76
  store <4 x i32> %v79, ptr addrspace(3) %v80, align 16
  %v81 = add i32 %t, 2048
  %v82 = add i32 %v81, 2
  %v83 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v82
  %v84 = load <4 x i32>, ptr addrspace(1) %v83, align 16
  %v85 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v81
  store <4 x i32> %v84, ptr addrspace(3) %v85, align 16
  %v86 = add i32 %t, 2176
  %v87 = add i32 %v86, 2
  %v88 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v87
  %v89 = load <4 x i32>, ptr addrspace(1) %v88, align 16
  %v90 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v86
  store <4 x i32> %v89, ptr addrspace(3) %v90, align 16
  %v91 = add i32 %t, 2304
  %v92 = add i32 %v91, 2
  %v93 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v92
  %v94 = load <4 x i32>, ptr addrspace(1) %v93, align 16
  %v95 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v91
  store <4 x i32> %v94, ptr addrspace(3) %v95, align 16
  %v96 = add i32 %t, 2432
  %v97 = add i32 %v96, 2
  %v98 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v97
  %v99 = load <4 x i32>, ptr addrspace(1) %v98, align 16
  %v100 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v96
  store <4 x i32> %v99, ptr addrspace(3) %v100, align 16
  %v101 = add i32 %t, 2560
  %v102 = add i32 %v101, 2
  %v103 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v102
  %v104 = load <4 x i32>, ptr addrspace(1) %v103, align 16
  %v105 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v101
  store <4 x i32> %v104, ptr addrspace(3) %v105, align 16
  %v106 = add i32 %t, 2688
  %v107 = add i32 %v106, 2
  %v108 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v107
  %v109 = load <4 x i32>, ptr addrspace(1) %v108, align 16
  %v110 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v106
  store <4 x i32> %v109, ptr addrspace(3) %v110, align 16
  %v111 = add i32 %t, 2816
  %v112 = add i32 %v111, 2
  %v113 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v112
  %v114 = load <4 x i32>, ptr addrspace(1) %v113, align 16
  %v115 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v111
  store <4 x i32> %v114, ptr addrspace(3) %v115, align 16
  %v116 = add i32 %t, 2944
  %v117 = add i32 %v116, 2
  %v118 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v117
  %v119 = load <4 x i32>, ptr addrspace(1) %v118, align 16
  %v120 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v116
  store <4 x i32> %v119, ptr addrspace(3) %v120, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v121 = ptrtoint ptr addrspace(3) @shared to i32
  %v122 = and i32 %v121, 262143
  %v123 = lshr i32 %v122, 4
  %v124 = zext i32 %v123 to i64
  %v125 = getelementptr i64, ptr addrspace(1) %in, i32 0
  %v126 = load i64, ptr addrspace(1) %v125
  %v127 = add i64 %v126, %v124
  %v128 = getelementptr i64, ptr addrspace(1) %in, i32 1
  %v129 = load i64, ptr addrspace(1) %v128
  %v130 = add i64 %v129, %v124
  %v131 = mul i32 %t, 4
  %v132 = add i32 %v131, 12424
  %v133 = getelementptr i32, ptr addrspace(1) %in, i32 %v132
  %v134 = load i32, ptr addrspace(1) %v133
  %v135 = mul i32 %t, 4
  %v136 = add i32 %v135, 12425
  %v137 = getelementptr i32, ptr addrspace(1) %in, i32 %v136
  %v138 = load i32, ptr addrspace(1) %v137
  %v139 = mul i32 %t, 4
  %v140 = add i32 %v139, 12426
  %v141 = getelementptr i32, ptr addrspace(1) %in, i32 %v140
  %v142 = load i32, ptr addrspace(1) %v141
  %v143 = mul i32 %t, 4
  %v144 = add i32 %v143, 12427
  %v145 = getelementptr i32, ptr addrspace(1) %in, i32 %v144
  %v146 = load i32, ptr addrspace(1) %v145
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %v147 = call %d32 asm sideeffect "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31}, {$32, $33, $34, $35}, $36, p, 1, 1, 0; }", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,r,r,r,r,l,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"(i32 %v134, i32 %v138, i32 %v142, i32 %v146, i64 %v130, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison)
  %v148 = extractvalue %d32 %v147, 0
  %v149 = extractvalue %d32 %v147, 1
  %v150 = extractvalue %d32 %v147, 2
  %v151 = extractvalue %d32 %v147, 3
  %v152 = extractvalue %d32 %v147, 4
  %v153 = extractvalue %d32 %v147, 5
  %v154 = extractvalue %d32 %v147, 6
  %v155 = extractvalue %d32 %v147, 7
  %v156 = extractvalue %d32 %v147, 8
  %v157 = extractvalue %d32 %v147, 9
  %v158 = extractvalue %d32 %v147, 10
  %v159 = extractvalue %d32 %v147, 11
  %v160 = extractvalue %d32 %v147, 12
  %v161 = extractvalue %d32 %v147, 13
  %v162 = extractvalue %d32 %v147, 14
  %v163 = extractvalue %d32 %v147, 15
  %v164 = extractvalue %d32 %v147, 16
  %v165 = extractvalue %d32 %v147, 17
  %v166 = extractvalue %d32 %v147, 18
  %v167 = extractvalue %d32 %v147, 19
  %v168 = extractvalue %d32 %v147, 20
  %v169 = extractvalue %d32 %v147, 21
  %v170 = extractvalue %d32 %v147, 22
  %v171 = extractvalue %d32 %v147, 23
  %v172 = extractvalue %d32 %v147, 24
  %v173 = extractvalue %d32 %v147, 25
  %v174 = extractvalue %d32 %v147, 26
  %v175 = extractvalue %d32 %v147, 27
  %v176 = extractvalue %d32 %v147, 28
  %v177 = extractvalue %d32 %v147, 29
  %v178 = extractvalue %d32 %v147, 30
  %v179 = extractvalue %d32 %v147, 31
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %v180 = call %d32 asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"(float %v148, float %v149, float %v150, float %v151, float %v152, float %v153, float %v154, float %v155, float %v156, float %v157, float %v158, float %v159, float %v160, float %v161, float %v162, float %v163, float %v164, float %v165, float %v166, float %v167, float %v168, float %v169, float %v170, float %v171, float %v172, float %v173, float %v174, float %v175, float %v176, float %v177, float %v178, float %v179)
  %v181 = mul i32 %t, 32
  %v182 = add i32 %v181, 0
  %v183 = getelementptr i32, ptr addrspace(1) %out, i32 %v182
  store %d32 %v180, ptr addrspace(1) %v183, align 4
  ret void
}
define ptx_kernel void @sp_ss_n64_f16_s0(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 2
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 2
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 2
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 2
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  %v21 = add i32 %t, 512
  %v22 = add i32 %v21, 2
  %v23 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v22
  %v24 = load <4 x i32>, ptr addrspace(1) %v23, align 16
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v21
  store <4 x i32> %v24, ptr addrspace(3) %v25, align 16
  %v26 = add i32 %t, 640
  %v27 = add i32 %v26, 2
  %v28 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v27
  %v29 = load <4 x i32>, ptr addrspace(1) %v28, align 16
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v26
  store <4 x i32> %v29, ptr addrspace(3) %v30, align 16
  %v31 = add i32 %t, 768
  %v32 = add i32 %v31, 2
  %v33 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v32
  %v34 = load <4 x i32>, ptr addrspace(1) %v33, align 16
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v31
  store <4 x i32> %v34, ptr addrspace(3) %v35, align 16
  %v36 = add i32 %t, 896
  %v37 = add i32 %v36, 2
  %v38 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v37
  %v39 = load <4 x i32>, ptr addrspace(1) %v38, align 16
  %v40 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v36
  store <4 x i32> %v39, ptr addrspace(3) %v40, align 16
  %v41 = add i32 %t, 1024
  %v42 = add i32 %v41, 2
  %v43 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v42
  %v44 = load <4 x i32>, ptr addrspace(1) %v43, align 16
  %v45 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v41
  store <4 x i32> %v44, ptr addrspace(3) %v45, align 16
  %v46 = add i32 %t, 1152
  %v47 = add i32 %v46, 2
  %v48 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v47
  %v49 = load <4 x i32>, ptr addrspace(1) %v48, align 16
  %v50 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v46
  store <4 x i32> %v49, ptr addrspace(3) %v50, align 16
  %v51 = add i32 %t, 1280
  %v52 = add i32 %v51, 2
  %v53 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v52
  %v54 = load <4 x i32>, ptr addrspace(1) %v53, align 16
  %v55 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v51
  store <4 x i32> %v54, ptr addrspace(3) %v55, align 16
  %v56 = add i32 %t, 1408
  %v57 = add i32 %v56, 2
  %v58 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v57
  %v59 = load <4 x i32>, ptr addrspace(1) %v58, align 16
  %v60 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v56
  store <4 x i32> %v59, ptr addrspace(3) %v60, align 16
  %v61 = add i32 %t, 1536
  %v62 = add i32 %v61, 2
  %v63 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v62
  %v64 = load <4 x i32>, ptr addrspace(1) %v63, align 16
  %v65 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v61
  store <4 x i32> %v64, ptr addrspace(3) %v65, align 16
  %v66 = add i32 %t, 1664
  %v67 = add i32 %v66, 2
  %v68 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v67
  %v69 = load <4 x i32>, ptr addrspace(1) %v68, align 16
  %v70 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v66
  store <4 x i32> %v69, ptr addrspace(3) %v70, align 16
  %v71 = add i32 %t, 1792
  %v72 = add i32 %v71, 2
  %v73 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v72
  %v74 = load <4 x i32>, ptr addrspace(1) %v73, align 16
  %v75 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v71
  store <4 x i32> %v74, ptr addrspace(3) %v75, align 16
  %v76 = add i32 %t, 1920
  %v77 = add i32 %v76, 2
  %v78 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v77
  %v79 = load <4 x i32>, ptr addrspace(1) %v78, align 16
  %v80 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v76
  store <4 x i32> %v79, ptr addrspace(3) %v80, align 16
  %v81 = add i32 %t, 2048
  %v82 = add i32 %v81, 2
  %v83 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v82
  %v84 = load <4 x i32>, ptr addrspace(1) %v83, align 16
  %v85 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v81
  store <4 x i32> %v84, ptr addrspace(3) %v85, align 16
  %v86 = add i32 %t, 2176
  %v87 = add i32 %v86, 2
  %v88 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v87
  %v89 = load <4 x i32>, ptr addrspace(1) %v88, align 16
  %v90 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v86
  store <4 x i32> %v89, ptr addrspace(3) %v90, align 16
  %v91 = add i32 %t, 2304
  %v92 = add i32 %v91, 2
  %v93 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v92
  %v94 = load <4 x i32>, ptr addrspace(1) %v93, align 16
  %v95 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v91
  store <4 x i32> %v94, ptr addrspace(3) %v95, align 16
  %v96 = add i32 %t, 2432
  %v97 = add i32 %v96, 2
  %v98 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v97
  %v99 = load <4 x i32>, ptr addrspace(1) %v98, align 16
  %v100 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v96
  store <4 x i32> %v99, ptr addrspace(3) %v100, align 16
  %v101 = add i32 %t, 2560
  %v102 = add i32 %v101, 2
  %v103 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v102
  %v104 = load <4 x i32>, ptr addrspace(1) %v103, align 16
  %v105 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v101
  store <4 x i32> %v104, ptr addrspace(3) %v105, align 16
  %v106 = add i32 %t, 2688
  %v107 = add i32 %v106, 2
  %v108 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v107
  %v109 = load <4 x i32>, ptr addrspace(1) %v108, align 16
  %v110 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v106
  store <4 x i32> %v109, ptr addrspace(3) %v110, align 16
  %v111 = add i32 %t, 2816
  %v112 = add i32 %v111, 2
  %v113 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v112
  %v114 = load <4 x i32>, ptr addrspace(1) %v113, align 16
  %v115 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v111
  store <4 x i32> %v114, ptr addrspace(3) %v115, align 16
  %v116 = add i32 %t, 2944
  %v117 = add i32 %v116, 2
  %v118 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v117
  %v119 = load <4 x i32>, ptr addrspace(1) %v118, align 16
  %v120 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v116
  store <4 x i32> %v119, ptr addrspace(3) %v120, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v121 = ptrtoint ptr addrspace(3) @shared to i32
  %v122 = and i32 %v121, 262143
  %v123 = lshr i32 %v122, 4
  %v124 = zext i32 %v123 to i64
  %v125 = getelementptr i64, ptr addrspace(1) %in, i32 0
  %v126 = load i64, ptr addrspace(1) %v125
  %v127 = add i64 %v126, %v124
  %v128 = getelementptr i64, ptr addrspace(1) %in, i32 1
  %v129 = load i64, ptr addrspace(1) %v128
  %v130 = add i64 %v129, %v124
  %v131 = mul i32 %t, 1
  %v132 = add i32 %v131, 12296
  %v133 = getelementptr i32, ptr addrspace(1) %in, i32 %v132
  %v134 = load i32, ptr addrspace(1) %v133
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %v135 = call %d32 asm sideeffect "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sp.sync.aligned.m64n64k32.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31}, $32, $33, $34, 0, p, 1, 1, 0, 0; }", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,l,l,r,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"(i64 %v127, i64 %v130, i32 %v134, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison)
  %v136 = extractvalue %d32 %v135, 0
  %v137 = extractvalue %d32 %v135, 1
  %v138 = extractvalue %d32 %v135, 2
  %v139 = extractvalue %d32 %v135, 3
  %v140 = extractvalue %d32 %v135, 4
  %v141 = extractvalue %d32 %v135, 5
  %v142 = extractvalue %d32 %v135, 6
  %v143 = extractvalue %d32 %v135, 7
  %v144 = extractvalue %d32 %v135, 8
  %v145 = extractvalue %d32 %v135, 9
  %v146 = extractvalue %d32 %v135, 10
  %v147 = extractvalue %d32 %v135, 11
  %v148 = extractvalue %d32 %v135, 12
  %v149 = extractvalue %d32 %v135, 13
  %v150 = extractvalue %d32 %v135, 14
  %v151 = extractvalue %d32 %v135, 15
  %v152 = extractvalue %d32 %v135, 16
  %v153 = extractvalue %d32 %v135, 17
  %v154 = extractvalue %d32 %v135, 18
  %v155 = extractvalue %d32 %v135, 19
  %v156 = extractvalue %d32 %v135, 20
  %v157 = extractvalue %d32 %v135, 21
  %v158 = extractvalue %d32 %v135, 22
  %v159 = extractvalue %d32 %v135, 23
  %v160 = extractvalue %d32 %v135, 24
  %v161 = extractvalue %d32 %v135, 25
  %v162 = extractvalue %d32 %v135, 26
  %v163 = extractvalue %d32 %v135, 27
  %v164 = extractvalue %d32 %v135, 28
  %v165 = extractvalue %d32 %v135, 29
  %v166 = extractvalue %d32 %v135, 30
  %v167 = extractvalue %d32 %v135, 31
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %v168 = call %d32 asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"(float %v136, float %v137, float %v138, float %v139, float %v140, float %v141, float %v142, float %v143, float %v144, float %v145, float %v146, float %v147, float %v148, float %v149, float %v150, float %v151, float %v152, float %v153, float %v154, float %v155, float %v156, float %v157, float %v158, float %v159, float %v160, float %v161, float %v162, float %v163, float %v164, float %v165, float %v166, float %v167)
  %v169 = mul i32 %t, 32
  %v170 = add i32 %v169, 0
  %v171 = getelementptr i32, ptr addrspace(1) %out, i32 %v170
  store %d32 %v168, ptr addrspace(1) %v171, align 4
  ret void
}
define ptx_kernel void @sp_ss_n64_f16_s1(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 2
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 2
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 2
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 2
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  %v21 = add i32 %t, 512
  %v22 = add i32 %v21, 2
  %v23 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v22
  %v24 = load <4 x i32>, ptr addrspace(1) %v23, align 16
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v21
  store <4 x i32> %v24, ptr addrspace(3) %v25, align 16
  %v26 = add i32 %t, 640
  %v27 = add i32 %v26, 2
  %v28 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v27
  %v29 = load <4 x i32>, ptr addrspace(1) %v28, align 16
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v26
  store <4 x i32> %v29, ptr addrspace(3) %v30, align 16
  %v31 = add i32 %t, 768
  %v32 = add i32 %v31, 2
  %v33 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v32
  %v34 = load <4 x i32>, ptr addrspace(1) %v33, align 16
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v31
  store <4 x i32> %v34, ptr addrspace(3) %v35, align 16
  %v36 = add i32 %t, 896
  %v37 = add i32 %v36, 2
  %v38 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v37
  %v39 = load <4 x i32>, ptr addrspace(1) %v38, align 16
  %v40 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v36
  store <4 x i32> %v39, ptr addrspace(3) %v40, align 16
  %v41 = add i32 %t, 1024
  %v42 = add i32 %v41, 2
  %v43 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v42
  %v44 = load <4 x i32>, ptr addrspace(1) %v43, align 16
  %v45 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v41
  store <4 x i32> %v44, ptr addrspace(3) %v45, align 16
  %v46 = add i32 %t, 1152
  %v47 = add i32 %v46, 2
  %v48 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v47
  %v49 = load <4 x i32>, ptr addrspace(1) %v48, align 16
  %v50 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v46
  store <4 x i32> %v49, ptr addrspace(3) %v50, align 16
  %v51 = add i32 %t, 1280
  %v52 = add i32 %v51, 2
  %v53 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v52
  %v54 = load <4 x i32>, ptr addrspace(1) %v53, align 16
  %v55 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v51
  store <4 x i32> %v54, ptr addrspace(3) %v55, align 16
  %v56 = add i32 %t, 1408
  %v57 = add i32 %v56, 2
  %v58 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v57
  %v59 = load <4 x i32>, ptr addrspace(1) %v58, align 16
  %v60 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v56
  store <4 x i32> %v59, ptr addrspace(3) %v60, align 16
  %v61 = add i32 %t, 1536
  %v62 = add i32 %v61, 2
  %v63 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v62
  %v64 = load <4 x i32>, ptr addrspace(1) %v63, align 16
  %v65 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v61
  store <4 x i32> %v64, ptr addrspace(3) %v65, align 16
  %v66 = add i32 %t, 1664
  %v67 = add i32 %v66, 2
  %v68 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v67
  %v69 = load <4 x i32>, ptr addrspace(1) %v68, align 16
  %v70 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v66
  store <4 x i32> %v69, ptr addrspace(3) %v70, align 16
  %v71 = add i32 %t, 1792
  %v72 = add i32 %v71, 2
  %v73 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v72
  %v74 = load <4 x i32>, ptr addrspace(1) %v73, align 16
  %v75 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v71
  store <4 x i32> %v74, ptr addrspace(3) %v75, align 16
  %v76 = add i32 %t, 1920
  %v77 = add i32 %v76, 2
  %v78 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v77
  %v79 = load <4 x i32>, ptr addrspace(1) %v78, align 16
  %v80 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v76
  store <4 x i32> %v79, ptr addrspace(3) %v80, align 16
  %v81 = add i32 %t, 2048
  %v82 = add i32 %v81, 2
  %v83 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v82
  %v84 = load <4 x i32>, ptr addrspace(1) %v83, align 16
  %v85 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v81
  store <4 x i32> %v84, ptr addrspace(3) %v85, align 16
  %v86 = add i32 %t, 2176
  %v87 = add i32 %v86, 2
  %v88 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v87
  %v89 = load <4 x i32>, ptr addrspace(1) %v88, align 16
  %v90 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v86
  store <4 x i32> %v89, ptr addrspace(3) %v90, align 16
  %v91 = add i32 %t, 2304
  %v92 = add i32 %v91, 2
  %v93 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v92
  %v94 = load <4 x i32>, ptr addrspace(1) %v93, align 16
  %v95 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v91
  store <4 x i32> %v94, ptr addrspace(3) %v95, align 16
  %v96 = add i32 %t, 2432
  %v97 = add i32 %v96, 2
  %v98 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v97
  %v99 = load <4 x i32>, ptr addrspace(1) %v98, align 16
  %v100 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v96
  store <4 x i32> %v99, ptr addrspace(3) %v100, align 16
  %v101 = add i32 %t, 2560
  %v102 = add i32 %v101, 2
  %v103 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v102
  %v104 = load <4 x i32>, ptr addrspace(1) %v103, align 16
  %v105 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v101
  store <4 x i32> %v104, ptr addrspace(3) %v105, align 16
  %v106 = add i32 %t, 2688
  %v107 = add i32 %v106, 2
  %v108 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v107
  %v109 = load <4 x i32>, ptr addrspace(1) %v108, align 16
  %v110 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v106
  store <4 x i32> %v109, ptr addrspace(3) %v110, align 16
  %v111 = add i32 %t, 2816
  %v112 = add i32 %v111, 2
  %v113 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v112
  %v114 = load <4 x i32>, ptr addrspace(1) %v113, align 16
  %v115 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v111
  store <4 x i32> %v114, ptr addrspace(3) %v115, align 16
  %v116 = add i32 %t, 2944
  %v117 = add i32 %v116, 2
  %v118 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v117
  %v119 = load <4 x i32>, ptr addrspace(1) %v118, align 16
  %v120 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v116
  store <4 x i32> %v119, ptr addrspace(3) %v120, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v121 = ptrtoint ptr addrspace(3) @shared to i32
  %v122 = and i32 %v121, 262143
  %v123 = lshr i32 %v122, 4
  %v124 = zext i32 %v123 to i64
  %v125 = getelementptr i64, ptr addrspace(1) %in, i32 0
  %v126 = load i64, ptr addrspace(1) %v125
  %v127 = add i64 %v126, %v124
  %v128 = getelementptr i64, ptr addrspace(1) %in, i32 1
  %v129 = load i64, ptr addrspace(1) %v128
  %v130 = add i64 %v129, %v124
  %v131 = mul i32 %t, 1
  %v132 = add i32 %v131, 12296
  %v133 = getelementptr i32, ptr addrspace(1) %in, i32 %v132
  %v134 = load i32, ptr addrspace(1) %v133
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %v135 = call %d32 asm sideeffect "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sp.sync.aligned.m64n64k32.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31}, $32, $33, $34, 1, p, 1, 1, 0, 0; }", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,l,l,r,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"(i64 %v127, i64 %v130, i32 %v134, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison)
  %v136 = extractvalue %d32 %v135, 0
  %v137 = extractvalue %d32 %v135, 1
  %v138 = extractvalue %d32 %v135, 2
  %v139 = extractvalue %d32 %v135, 3
  %v140 = extractvalue %d32 %v135, 4
  %v141 = extractvalue %d32 %v135, 5
  %v142 = extractvalue %d32 %v135, 6
  %v143 = extractvalue %d32 %v135, 7
  %v144 = extractvalue %d32 %v135, 8
  %v145 = extractvalue %d32 %v135, 9
  %v146 = extractvalue %d32 %v135, 10
  %v147 = extractvalue %d32 %v135, 11
  %v148 = extractvalue %d32 %v135, 12
  %v149 = extractvalue %d32 %v135, 13
  %v150 = extractvalue %d32 %v135, 14
  %v151 = extractvalue %d32 %v135, 15
  %v152 = extractvalue %d32 %v135, 16
  %v153 = extractvalue %d32 %v135, 17
  %v154 = extractvalue %d32 %v135, 18
  %v155 = extractvalue %d32 %v135, 19
  %v156 = extractvalue %d32 %v135, 20
  %v157 = extractvalue %d32 %v135, 21
  %v158 = extractvalue %d32 %v135, 22
  %v159 = extractvalue %d32 %v135, 23
  %v160 = extractvalue %d32 %v135, 24
  %v161 = extractvalue %d32 %v135, 25
  %v162 = extractvalue %d32 %v135, 26
  %v163 = extractvalue %d32 %v135, 27
  %v164 = extractvalue %d32 %v135, 28
  %v165 = extractvalue %d32 %v135, 29
  %v166 = extractvalue %d32 %v135, 30
  %v167 = extractvalue %d32 %v135, 31
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %v168 = call %d32 asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"(float %v136, float %v137, float %v138, float %v139, float %v140, float %v141, float %v142, float %v143, float %v144, float %v145, float %v146, float %v147, float %v148, float %v149, float %v150, float %v151, float %v152, float %v153, float %v154, float %v155, float %v156, float %v157, float %v158, float %v159, float %v160, float %v161, float %v162, float %v163, float %v164, float %v165, float %v166, float %v167)
  %v169 = mul i32 %t, 32
  %v170 = add i32 %v169, 0
  %v171 = getelementptr i32, ptr addrspace(1) %out, i32 %v170
  store %d32 %v168, ptr addrspace(1) %v171, align 4
  ret void
}
define ptx_kernel void @sp_ss_n64_bf16_s0(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 2
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 2
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 2
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 2
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  %v21 = add i32 %t, 512
  %v22 = add i32 %v21, 2
  %v23 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v22
  %v24 = load <4 x i32>, ptr addrspace(1) %v23, align 16
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v21
  store <4 x i32> %v24, ptr addrspace(3) %v25, align 16
  %v26 = add i32 %t, 640
  %v27 = add i32 %v26, 2
  %v28 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v27
  %v29 = load <4 x i32>, ptr addrspace(1) %v28, align 16
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v26
  store <4 x i32> %v29, ptr addrspace(3) %v30, align 16
  %v31 = add i32 %t, 768
  %v32 = add i32 %v31, 2
  %v33 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v32
  %v34 = load <4 x i32>, ptr addrspace(1) %v33, align 16
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v31
  store <4 x i32> %v34, ptr addrspace(3) %v35, align 16
  %v36 = add i32 %t, 896
  %v37 = add i32 %v36, 2
  %v38 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v37
  %v39 = load <4 x i32>, ptr addrspace(1) %v38, align 16
  %v40 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v36
  store <4 x i32> %v39, ptr addrspace(3) %v40, align 16
  %v41 = add i32 %t, 1024
  %v42 = add i32 %v41, 2
  %v43 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v42
  %v44 = load <4 x i32>, ptr addrspace(1) %v43, align 16
  %v45 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v41
  store <4 x i32> %v44, ptr addrspace(3) %v45, align 16
  %v46 = add i32 %t, 1152
  %v47 = add i32 %v46, 2
  %v48 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v47
  %v49 = load <4 x i32>, ptr addrspace(1) %v48, align 16
  %v50 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v46
  store <4 x i32> %v49, ptr addrspace(3) %v50, align 16
  %v51 = add i32 %t, 1280
  %v52 = add i32 %v51, 2
  %v53 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v52
  %v54 = load <4 x i32>, ptr addrspace(1) %v53, align 16
  %v55 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v51
  store <4 x i32> %v54, ptr addrspace(3) %v55, align 16
  %v56 = add i32 %t, 1408
  %v57 = add i32 %v56, 2
  %v58 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v57
  %v59 = load <4 x i32>, ptr addrspace(1) %v58, align 16
  %v60 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v56
  store <4 x i32> %v59, ptr addrspace(3) %v60, align 16
  %v61 = add i32 %t, 1536
  %v62 = add i32 %v61, 2
  %v63 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v62
  %v64 = load <4 x i32>, ptr addrspace(1) %v63, align 16
  %v65 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v61
  store <4 x i32> %v64, ptr addrspace(3) %v65, align 16
  %v66 = add i32 %t, 1664
  %v67 = add i32 %v66, 2
  %v68 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v67
  %v69 = load <4 x i32>, ptr addrspace(1) %v68, align 16
  %v70 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v66
  store <4 x i32> %v69, ptr addrspace(3) %v70, align 16
  %v71 = add i32 %t, 1792
  %v72 = add i32 %v71, 2
  %v73 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v72
  %v74 = load <4 x i32>, ptr addrspace(1) %v73, align 16
  %v75 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v71
  store <4 x i32> %v74, ptr addrspace(3) %v75, align 16
  %v76 = add i32 %t, 1920
  %v77 = add i32 %v76, 2
  %v78 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v77
  %v79 = load <4 x i32>, ptr addrspace(1) %v78, align 16
  %v80 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v76
  store <4 x i32> %v79, ptr addrspace(3) %v80, align 16
  %v81 = add i32 %t, 2048
  %v82 = add i32 %v81, 2
  %v83 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v82
  %v84 = load <4 x i32>, ptr addrspace(1) %v83, align 16
  %v85 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v81
  store <4 x i32> %v84, ptr addrspace(3) %v85, align 16
  %v86 = add i32 %t, 2176
  %v87 = add i32 %v86, 2
  %v88 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v87
  %v89 = load <4 x i32>, ptr addrspace(1) %v88, align 16
  %v90 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v86
  store <4 x i32> %v89, ptr addrspace(3) %v90, align 16
  %v91 = add i32 %t, 2304
  %v92 = add i32 %v91, 2
  %v93 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v92
  %v94 = load <4 x i32>, ptr addrspace(1) %v93, align 16
  %v95 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v91
  store <4 x i32> %v94, ptr addrspace(3) %v95, align 16
  %v96 = add i32 %t, 2432
  %v97 = add i32 %v96, 2
  %v98 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v97
  %v99 = load <4 x i32>, ptr addrspace(1) %v98, align 16
  %v100 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v96
  store <4 x i32> %v99, ptr addrspace(3) %v100, align 16
  %v101 = add i32 %t, 2560
  %v102 = add i32 %v101, 2
  %v103 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v102
  %v104 = load <4 x i32>, ptr addrspace(1) %v103, align 16
  %v105 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v101
  store <4 x i32> %v104, ptr addrspace(3) %v105, align 16
  %v106 = add i32 %t, 2688
  %v107 = add i32 %v106, 2
  %v108 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v107
  %v109 = load <4 x i32>, ptr addrspace(1) %v108, align 16
  %v110 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v106
  store <4 x i32> %v109, ptr addrspace(3) %v110, align 16
  %v111 = add i32 %t, 2816
  %v112 = add i32 %v111, 2
  %v113 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v112
  %v114 = load <4 x i32>, ptr addrspace(1) %v113, align 16
  %v115 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v111
  store <4 x i32> %v114, ptr addrspace(3) %v115, align 16
  %v116 = add i32 %t, 2944
  %v117 = add i32 %v116, 2
  %v118 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v117
  %v119 = load <4 x i32>, ptr addrspace(1) %v118, align 16
  %v120 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v116
  store <4 x i32> %v119, ptr addrspace(3) %v120, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v121 = ptrtoint ptr addrspace(3) @shared to i32
  %v122 = and i32 %v121, 262143
  %v123 = lshr i32 %v122, 4
  %v124 = zext i32 %v123 to i64
  %v125 = getelementptr i64, ptr addrspace(1) %in, i32 0
  %v126 = load i64, ptr addrspace(1) %v125
  %v127 = add i64 %v126, %v124
  %v128 = getelementptr i64, ptr addrspace(1) %in, i32 1
  %v129 = load i64, ptr addrspace(1) %v128
  %v130 = add i64 %v129, %v124
  %v131 = mul i32 %t, 1
  %v132 = add i32 %v131, 12296
  %v133 = getelementptr i32, ptr addrspace(1) %in, i32 %v132
  %v134 = load i32, ptr addrspace(1) %v133
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %v135 = call %d32 asm sideeffect "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sp.sync.aligned.m64n64k32.f32.bf16.bf16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31}, $32, $33, $34, 0, p, 1, 1, 0, 0; }", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,l,l,r,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"(i64 %v127, i64 %v130, i32 %v134, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison)
  %v136 = extractvalue %d32 %v135, 0
  %v137 = extractvalue %d32 %v135, 1
  %v138 = extractvalue %d32 %v135, 2
  %v139 = extractvalue %d32 %v135, 3
  %v140 = extractvalue %d32 %v135, 4
  %v141 = extractvalue %d32 %v135, 5
  %v142 = extractvalue %d32 %v135, 6
  %v143 = extractvalue %d32 %v135, 7
  %v144 = extractvalue %d32 %v135, 8
  %v145 = extractvalue %d32 %v135, 9
  %v146 = extractvalue %d32 %v135, 10
  %v147 = extractvalue %d32 %v135, 11
  %v148 = extractvalue %d32 %v135, 12
  %v149 = extractvalue %d32 %v135, 13
  %v150 = extractvalue %d32 %v135, 14
  %v151 = extractvalue %d32 %v135, 15
  %v152 = extractvalue %d32 %v135, 16
  %v153 = extractvalue %d32 %v135, 17
  %v154 = extractvalue %d32 %v135, 18
  %v155 = extractvalue %d32 %v135, 19
  %v156 = extractvalue %d32 %v135, 20
  %v157 = extractvalue %d32 %v135, 21
  %v158 = extractvalue %d32 %v135, 22
  %v159 = extractvalue %d32 %v135, 23
  %v160 = extractvalue %d32 %v135, 24
  %v161 = extractvalue %d32 %v135, 25
  %v162 = extractvalue %d32 %v135, 26
  %v163 = extractvalue %d32 %v135, 27
  %v164 = extractvalue %d32 %v135, 28
  %v165 = extractvalue %d32 %v135, 29
  %v166 = extractvalue %d32 %v135, 30
  %v167 = extractvalue %d32 %v135, 31
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %v168 = call %d32 asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"(float %v136, float %v137, float %v138, float %v139, float %v140, float %v141, float %v142, float %v143, float %v144, float %v145, float %v146, float %v147, float %v148, float %v149, float %v150, float %v151, float %v152, float %v153, float %v154, float %v155, float %v156, float %v157, float %v158, float %v159, float %v160, float %v161, float %v162, float %v163, float %v164, float %v165, float %v166, float %v167)
  %v169 = mul i32 %t, 32
  %v170 = add i32 %v169, 0
  %v171 = getelementptr i32, ptr addrspace(1) %out, i32 %v170
  store %d32 %v168, ptr addrspace(1) %v171, align 4
  ret void
}
define ptx_kernel void @sp_ss_n64_bf16_s1(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 2
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 2
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 2
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 2
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  %v21 = add i32 %t, 512
  %v22 = add i32 %v21, 2
  %v23 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v22
  %v24 = load <4 x i32>, ptr addrspace(1) %v23, align 16
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v21
  store <4 x i32> %v24, ptr addrspace(3) %v25, align 16
  %v26 = add i32 %t, 640
  %v27 = add i32 %v26, 2
  %v28 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v27
  %v29 = load <4 x i32>, ptr addrspace(1) %v28, align 16
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v26
  store <4 x i32> %v29, ptr addrspace(3) %v30, align 16
  %v31 = add i32 %t, 768
  %v32 = add i32 %v31, 2
  %v33 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v32
  %v34 = load <4 x i32>, ptr addrspace(1) %v33, align 16
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v31
  store <4 x i32> %v34, ptr addrspace(3) %v35, align 16
  %v36 = add i32 %t, 896
  %v37 = add i32 %v36, 2
  %v38 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v37
  %v39 = load <4 x i32>, ptr addrspace(1) %v38, align 16
  %v40 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v36
  store <4 x i32> %v39, ptr addrspace(3) %v40, align 16
  %v41 = add i32 %t, 1024
  %v42 = add i32 %v41, 2
  %v43 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v42
  %v44 = load <4 x i32>, ptr addrspace(1) %v43, align 16
  %v45 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v41
  store <4 x i32> %v44, ptr addrspace(3) %v45, align 16
  %v46 = add i32 %t, 1152
  %v47 = add i32 %v46, 2
  %v48 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v47
  %v49 = load <4 x i32>, ptr addrspace(1) %v48, align 16
  %v50 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v46
  store <4 x i32> %v49, ptr addrspace(3) %v50, align 16
  %v51 = add i32 %t, 1280
  %v52 = add i32 %v51, 2
  %v53 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v52
  %v54 = load <4 x i32>, ptr addrspace(1) %v53, align 16
  %v55 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v51
  store <4 x i32> %v54, ptr addrspace(3) %v55, align 16
  %v56 = add i32 %t, 1408
  %v57 = add i32 %v56, 2
  %v58 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v57
  %v59 = load <4 x i32>, ptr addrspace(1) %v58, align 16
  %v60 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v56
  store <4 x i32> %v59, ptr addrspace(3) %v60, align 16
  %v61 = add i32 %t, 1536
  %v62 = add i32 %v61, 2
  %v63 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v62
  %v64 = load <4 x i32>, ptr addrspace(1) %v63, align 16
  %v65 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v61
  store <4 x i32> %v64, ptr addrspace(3) %v65, align 16
  %v66 = add i32 %t, 1664
  %v67 = add i32 %v66, 2
  %v68 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v67
  %v69 = load <4 x i32>, ptr addrspace(1) %v68, align 16
  %v70 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v66
  store <4 x i32> %v69, ptr addrspace(3) %v70, align 16
  %v71 = add i32 %t, 1792
  %v72 = add i32 %v71, 2
  %v73 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v72
  %v74 = load <4 x i32>, ptr addrspace(1) %v73, align 16
  %v75 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v71
  store <4 x i32> %v74, ptr addrspace(3) %v75, align 16
  %v76 = add i32 %t, 1920
  %v77 = add i32 %v76, 2
  %v78 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v77
  %v79 = load <4 x i32>, ptr addrspace(1) %v78, align 16
  %v80 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v76
  store <4 x i32> %v79, ptr addrspace(3) %v80, align 16
  %v81 = add i32 %t, 2048
  %v82 = add i32 %v81, 2
  %v83 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v82
  %v84 = load <4 x i32>, ptr addrspace(1) %v83, align 16
  %v85 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v81
  store <4 x i32> %v84, ptr addrspace(3) %v85, align 16
  %v86 = add i32 %t, 2176
  %v87 = add i32 %v86, 2
  %v88 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v87
  %v89 = load <4 x i32>, ptr addrspace(1) %v88, align 16
  %v90 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v86
  store <4 x i32> %v89, ptr addrspace(3) %v90, align 16
  %v91 = add i32 %t, 2304
  %v92 = add i32 %v91, 2
  %v93 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v92
  %v94 = load <4 x i32>, ptr addrspace(1) %v93, align 16
  %v95 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v91
  store <4 x i32> %v94, ptr addrspace(3) %v95, align 16
  %v96 = add i32 %t, 2432
  %v97 = add i32 %v96, 2
  %v98 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v97
  %v99 = load <4 x i32>, ptr addrspace(1) %v98, align 16
  %v100 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v96
  store <4 x i32> %v99, ptr addrspace(3) %v100, align 16
  %v101 = add i32 %t, 2560
  %v102 = add i32 %v101, 2
  %v103 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v102
  %v104 = load <4 x i32>, ptr addrspace(1) %v103, align 16
  %v105 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v101
  store <4 x i32> %v104, ptr addrspace(3) %v105, align 16
  %v106 = add i32 %t, 2688
  %v107 = add i32 %v106, 2
  %v108 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v107
  %v109 = load <4 x i32>, ptr addrspace(1) %v108, align 16
  %v110 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v106
  store <4 x i32> %v109, ptr addrspace(3) %v110, align 16
  %v111 = add i32 %t, 2816
  %v112 = add i32 %v111, 2
  %v113 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v112
  %v114 = load <4 x i32>, ptr addrspace(1) %v113, align 16
  %v115 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v111
  store <4 x i32> %v114, ptr addrspace(3) %v115, align 16
  %v116 = add i32 %t, 2944
  %v117 = add i32 %v116, 2
  %v118 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v117
  %v119 = load <4 x i32>, ptr addrspace(1) %v118, align 16
  %v120 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v116
  store <4 x i32> %v119, ptr addrspace(3) %v120, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v121 = ptrtoint ptr addrspace(3) @shared to i32
  %v122 = and i32 %v121, 262143
  %v123 = lshr i32 %v122, 4
  %v124 = zext i32 %v123 to i64
  %v125 = getelementptr i64, ptr addrspace(1) %in, i32 0
  %v126 = load i64, ptr addrspace(1) %v125
  %v127 = add i64 %v126, %v124
  %v128 = getelementptr i64, ptr addrspace(1) %in, i32 1
  %v129 = load i64, ptr addrspace(1) %v128
  %v130 = add i64 %v129, %v124
  %v131 = mul i32 %t, 1
  %v132 = add i32 %v131, 12296
  %v133 = getelementptr i32, ptr addrspace(1) %in, i32 %v132
  %v134 = load i32, ptr addrspace(1) %v133
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %v135 = call %d32 asm sideeffect "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sp.sync.aligned.m64n64k32.f32.bf16.bf16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31}, $32, $33, $34, 1, p, 1, 1, 0, 0; }", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,l,l,r,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"(i64 %v127, i64 %v130, i32 %v134, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison)
  %v136 = extractvalue %d32 %v135, 0
  %v137 = extractvalue %d32 %v135, 1
  %v138 = extractvalue %d32 %v135, 2
  %v139 = extractvalue %d32 %v135, 3
  %v140 = extractvalue %d32 %v135, 4
  %v141 = extractvalue %d32 %v135, 5
  %v142 = extractvalue %d32 %v135, 6
  %v143 = extractvalue %d32 %v135, 7
  %v144 = extractvalue %d32 %v135, 8
  %v145 = extractvalue %d32 %v135, 9
  %v146 = extractvalue %d32 %v135, 10
  %v147 = extractvalue %d32 %v135, 11
  %v148 = extractvalue %d32 %v135, 12
  %v149 = extractvalue %d32 %v135, 13
  %v150 = extractvalue %d32 %v135, 14
  %v151 = extractvalue %d32 %v135, 15
  %v152 = extractvalue %d32 %v135, 16
  %v153 = extractvalue %d32 %v135, 17
  %v154 = extractvalue %d32 %v135, 18
  %v155 = extractvalue %d32 %v135, 19
  %v156 = extractvalue %d32 %v135, 20
  %v157 = extractvalue %d32 %v135, 21
  %v158 = extractvalue %d32 %v135, 22
  %v159 = extractvalue %d32 %v135, 23
  %v160 = extractvalue %d32 %v135, 24
  %v161 = extractvalue %d32 %v135, 25
  %v162 = extractvalue %d32 %v135, 26
  %v163 = extractvalue %d32 %v135, 27
  %v164 = extractvalue %d32 %v135, 28
  %v165 = extractvalue %d32 %v135, 29
  %v166 = extractvalue %d32 %v135, 30
  %v167 = extractvalue %d32 %v135, 31
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %v168 = call %d32 asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"(float %v136, float %v137, float %v138, float %v139, float %v140, float %v141, float %v142, float %v143, float %v144, float %v145, float %v146, float %v147, float %v148, float %v149, float %v150, float %v151, float %v152, float %v153, float %v154, float %v155, float %v156, float %v157, float %v158, float %v159, float %v160, float %v161, float %v162, float %v163, float %v164, float %v165, float %v166, float %v167)
  %v169 = mul i32 %t, 32
  %v170 = add i32 %v169, 0
  %v171 = getelementptr i32, ptr addrspace(1) %out, i32 %v170
  store %d32 %v168, ptr addrspace(1) %v171, align 4
  ret void
}
define ptx_kernel void @sp_rs_n64_f16_s0(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 2
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 2
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 2
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 2
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  %v21 = add i32 %t, 512
  %v22 = add i32 %v21, 2
  %v23 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v22
  %v24 = load <4 x i32>, ptr addrspace(1) %v23, align 16
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v21
  store <4 x i32> %v24, ptr addrspace(3) %v25, align 16
  %v26 = add i32 %t, 640
  %v27 = add i32 %v26, 2
  %v28 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v27
  %v29 = load <4 x i32>, ptr addrspace(1) %v28, align 16
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v26
  store <4 x i32> %v29, ptr addrspace(3) %v30, align 16
  %v31 = add i32 %t, 768
  %v32 = add i32 %v31, 2
  %v33 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v32
  %v34 = load <4 x i32>, ptr addrspace(1) %v33, align 16
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v31
  store <4 x i32> %v34, ptr addrspace(3) %v35, align 16
  %v36 = add i32 %t, 896
  %v37 = add i32 %v36, 2
  %v38 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v37
  %v39 = load <4 x i32>, ptr addrspace(1) %v38, align 16
  %v40 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v36
  store <4 x i32> %v39, ptr addrspace(3) %v40, align 16
  %v41 = add i32 %t, 1024
  %v42 = add i32 %v41, 2
  %v43 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v42
  %v44 = load <4 x i32>, ptr addrspace(1) %v43, align 16
  %v45 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v41
  store <4 x i32> %v44, ptr addrspace(3) %v45, align 16
  %v46 = add i32 %t, 1152
  %v47 = add i32 %v46, 2
  %v48 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v47
  %v49 = load <4 x i32>, ptr addrspace(1) %v48, align 16
  %v50 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v46
  store <4 x i32> %v49, ptr addrspace(3) %v50, align 16
  %v51 = add i32 %t, 1280
  %v52 = add i32 %v51, 2
  %v53 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v52
  %v54 = load <4 x i32>, ptr addrspace(1) %v53, align 16
  %v55 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v51
  store <4 x i32> %v54, ptr addrspace(3) %v55, align 16
  %v56 = add i32 %t, 1408
  %v57 = add i32 %v56, 2
  %v58 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v57
  %v59 = load <4 x i32>, ptr addrspace(1) %v58, align 16
  %v60 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v56
  store <4 x i32> %v59, ptr addrspace(3) %v60, align 16
  %v61 = add i32 %t, 1536
  %v62 = add i32 %v61, 2
  %v63 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v62
  %v64 = load <4 x i32>, ptr addrspace(1) %v63, align 16
  %v65 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v61
  store <4 x i32> %v64, ptr addrspace(3) %v65, align 16
  %v66 = add i32 %t, 1664
  %v67 = add i32 %v66, 2
  %v68 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v67
  %v69 = load <4 x i32>, ptr addrspace(1) %v68, align 16
  %v70 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v66
  store <4 x i32> %v69, ptr addrspace(3) %v70, align 16
  %v71 = add i32 %t, 1792
  %v72 = add i32 %v71, 2
  %v73 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v72
  %v74 = load <4 x i32>, ptr addrspace(1) %v73, align 16
  %v75 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v71
  store <4 x i32> %v74, ptr addrspace(3) %v75, align 16
  %v76 = add i32 %t, 1920
  %v77 = add i32 %v76, 2
  %v78 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v77
  %v79 = load <4 x i32>, ptr addrspace(1) %v78, align 16
  %v80 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v76
  store <4 x i32> %v79, ptr addrspace(3) %v80, align 16
  %v81 = add i32 %t, 2048
  %v82 = add i32 %v81, 2
  %v83 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v82
  %v84 = load <4 x i32>, ptr addrspace(1) %v83, align 16
  %v85 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v81
  store <4 x i32> %v84, ptr addrspace(3) %v85, align 16
  %v86 = add i32 %t, 2176
  %v87 = add i32 %v86, 2
  %v88 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v87
  %v89 = load <4 x i32>, ptr addrspace(1) %v88, align 16
  %v90 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v86
  store <4 x i32> %v89, ptr addrspace(3) %v90, align 16
  %v91 = add i32 %t, 2304
  %v92 = add i32 %v91, 2
  %v93 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v92
  %v94 = load <4 x i32>, ptr addrspace(1) %v93, align 16
  %v95 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v91
  store <4 x i32> %v94, ptr addrspace(3) %v95, align 16
  %v96 = add i32 %t, 2432
  %v97 = add i32 %v96, 2
  %v98 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v97
  %v99 = load <4 x i32>, ptr addrspace(1) %v98, align 16
  %v100 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v96
  store <4 x i32> %v99, ptr addrspace(3) %v100, align 16
  %v101 = add i32 %t, 2560
  %v102 = add i32 %v101, 2
  %v103 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v102
  %v104 = load <4 x i32>, ptr addrspace(1) %v103, align 16
  %v105 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v101
  store <4 x i32> %v104, ptr addrspace(3) %v105, align 16
  %v106 = add i32 %t, 2688
  %v107 = add i32 %v106, 2
  %v108 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v107
  %v109 = load <4 x i32>, ptr addrspace(1) %v108, align 16
  %v110 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v106
  store <4 x i32> %v109, ptr addrspace(3) %v110, align 16
  %v111 = add i32 %t, 2816
  %v112 = add i32 %v111, 2
  %v113 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v112
  %v114 = load <4 x i32>, ptr addrspace(1) %v113, align 16
  %v115 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v111
  store <4 x i32> %v114, ptr addrspace(3) %v115, align 16
  %v116 = add i32 %t, 2944
  %v117 = add i32 %v116, 2
  %v118 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v117
  %v119 = load <4 x i32>, ptr addrspace(1) %v118, align 16
  %v120 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v116
  store <4 x i32> %v119, ptr addrspace(3) %v120, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v121 = ptrtoint ptr addrspace(3) @shared to i32
  %v122 = and i32 %v121, 262143
  %v123 = lshr i32 %v122, 4
  %v124 = zext i32 %v123 to i64
  %v125 = getelementptr i64, ptr addrspace(1) %in, i32 0
  %v126 = load i64, ptr addrspace(1) %v125
  %v127 = add i64 %v126, %v124
  %v128 = getelementptr i64, ptr addrspace(1) %in, i32 1
  %v129 = load i64, ptr addrspace(1) %v128
  %v130 = add i64 %v129, %v124
  %v131 = mul i32 %t, 1
  %v132 = add i32 %v131, 12296
  %v133 = getelementptr i32, ptr addrspace(1) %in, i32 %v132
  %v134 = load i32, ptr addrspace(1) %v133
  %v135 = mul i32 %t, 4
  %v136 = add i32 %v135, 12424
  %v137 = getelementptr i32, ptr addrspace(1) %in, i32 %v136
  %v138 = load i32, ptr addrspace(1) %v137
  %v139 = mul i32 %t, 4
  %v140 = add i32 %v139, 12425
  %v141 = getelementptr i32, ptr addrspace(1) %in, i32 %v140
  %v142 = load i32, ptr addrspace(1) %v141
  %v143 = mul i32 %t, 4
  %v144 = add i32 %v143, 12426
  %v145 = getelementptr i32, ptr addrspace(1) %in, i32 %v144
  %v146 = load i32, ptr addrspace(1) %v145
  %v147 = mul i32 %t, 4
  %v148 = add i32 %v147, 12427
  %v149 = getelementptr i32, ptr addrspace(1) %in, i32 %v148
  %v150 = load i32, ptr addrspace(1) %v149
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %v151 = call %d32 asm sideeffect "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sp.sync.aligned.m64n64k32.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31}, {$32, $33, $34, $35}, $36, $37, 0, p, 1, 1, 0; }", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,r,r,r,r,l,r,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"(i32 %v138, i32 %v142, i32 %v146, i32 %v150, i64 %v130, i32 %v134, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison)
  %v152 = extractvalue %d32 %v151, 0
  %v153 = extractvalue %d32 %v151, 1
  %v154 = extractvalue %d32 %v151, 2
  %v155 = extractvalue %d32 %v151, 3
  %v156 = extractvalue %d32 %v151, 4
  %v157 = extractvalue %d32 %v151, 5
  %v158 = extractvalue %d32 %v151, 6
  %v159 = extractvalue %d32 %v151, 7
  %v160 = extractvalue %d32 %v151, 8
  %v161 = extractvalue %d32 %v151, 9
  %v162 = extractvalue %d32 %v151, 10
  %v163 = extractvalue %d32 %v151, 11
  %v164 = extractvalue %d32 %v151, 12
  %v165 = extractvalue %d32 %v151, 13
  %v166 = extractvalue %d32 %v151, 14
  %v167 = extractvalue %d32 %v151, 15
  %v168 = extractvalue %d32 %v151, 16
  %v169 = extractvalue %d32 %v151, 17
  %v170 = extractvalue %d32 %v151, 18
  %v171 = extractvalue %d32 %v151, 19
  %v172 = extractvalue %d32 %v151, 20
  %v173 = extractvalue %d32 %v151, 21
  %v174 = extractvalue %d32 %v151, 22
  %v175 = extractvalue %d32 %v151, 23
  %v176 = extractvalue %d32 %v151, 24
  %v177 = extractvalue %d32 %v151, 25
  %v178 = extractvalue %d32 %v151, 26
  %v179 = extractvalue %d32 %v151, 27
  %v180 = extractvalue %d32 %v151, 28
  %v181 = extractvalue %d32 %v151, 29
  %v182 = extractvalue %d32 %v151, 30
  %v183 = extractvalue %d32 %v151, 31
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %v184 = call %d32 asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"(float %v152, float %v153, float %v154, float %v155, float %v156, float %v157, float %v158, float %v159, float %v160, float %v161, float %v162, float %v163, float %v164, float %v165, float %v166, float %v167, float %v168, float %v169, float %v170, float %v171, float %v172, float %v173, float %v174, float %v175, float %v176, float %v177, float %v178, float %v179, float %v180, float %v181, float %v182, float %v183)
  %v185 = mul i32 %t, 32
  %v186 = add i32 %v185, 0
  %v187 = getelementptr i32, ptr addrspace(1) %out, i32 %v186
  store %d32 %v184, ptr addrspace(1) %v187, align 4
  ret void
}
define ptx_kernel void @sp_rs_n64_f16_s1(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 2
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 2
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 2
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 2
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  %v21 = add i32 %t, 512
  %v22 = add i32 %v21, 2
  %v23 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v22
  %v24 = load <4 x i32>, ptr addrspace(1) %v23, align 16
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v21
  store <4 x i32> %v24, ptr addrspace(3) %v25, align 16
  %v26 = add i32 %t, 640
  %v27 = add i32 %v26, 2
  %v28 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v27
  %v29 = load <4 x i32>, ptr addrspace(1) %v28, align 16
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v26
  store <4 x i32> %v29, ptr addrspace(3) %v30, align 16
  %v31 = add i32 %t, 768
  %v32 = add i32 %v31, 2
  %v33 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v32
  %v34 = load <4 x i32>, ptr addrspace(1) %v33, align 16
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v31
  store <4 x i32> %v34, ptr addrspace(3) %v35, align 16
  %v36 = add i32 %t, 896
  %v37 = add i32 %v36, 2
  %v38 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v37
  %v39 = load <4 x i32>, ptr addrspace(1) %v38, align 16
  %v40 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v36
  store <4 x i32> %v39, ptr addrspace(3) %v40, align 16
  %v41 = add i32 %t, 1024
  %v42 = add i32 %v41, 2
  %v43 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v42
  %v44 = load <4 x i32>, ptr addrspace(1) %v43, align 16
  %v45 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v41
  store <4 x i32> %v44, ptr addrspace(3) %v45, align 16
  %v46 = add i32 %t, 1152
  %v47 = add i32 %v46, 2
  %v48 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v47
  %v49 = load <4 x i32>, ptr addrspace(1) %v48, align 16
  %v50 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v46
  store <4 x i32> %v49, ptr addrspace(3) %v50, align 16
  %v51 = add i32 %t, 1280
  %v52 = add i32 %v51, 2
  %v53 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v52
  %v54 = load <4 x i32>, ptr addrspace(1) %v53, align 16
  %v55 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v51
  store <4 x i32> %v54, ptr addrspace(3) %v55, align 16
  %v56 = add i32 %t, 1408
  %v57 = add i32 %v56, 2
  %v58 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v57
  %v59 = load <4 x i32>, ptr addrspace(1) %v58, align 16
  %v60 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v56
  store <4 x i32> %v59, ptr addrspace(3) %v60, align 16
  %v61 = add i32 %t, 1536
  %v62 = add i32 %v61, 2
  %v63 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v62
  %v64 = load <4 x i32>, ptr addrspace(1) %v63, align 16
  %v65 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v61
  store <4 x i32> %v64, ptr addrspace(3) %v65, align 16
  %v66 = add i32 %t, 1664
  %v67 = add i32 %v66, 2
  %v68 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v67
  %v69 = load <4 x i32>, ptr addrspace(1) %v68, align 16
  %v70 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v66
  store <4 x i32> %v69, ptr addrspace(3) %v70, align 16
  %v71 = add i32 %t, 1792
  %v72 = add i32 %v71, 2
  %v73 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v72
  %v74 = load <4 x i32>, ptr addrspace(1) %v73, align 16
  %v75 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v71
  store <4 x i32> %v74, ptr addrspace(3) %v75, align 16
  %v76 = add i32 %t, 1920
  %v77 = add i32 %v76, 2
  %v78 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v77
  %v79 = load <4 x i32>, ptr addrspace(1) %v78, align 16
  %v80 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v76
  store <4 x i32> %v79, ptr addrspace(3) %v80, align 16
  %v81 = add i32 %t, 2048
  %v82 = add i32 %v81, 2
  %v83 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v82
  %v84 = load <4 x i32>, ptr addrspace(1) %v83, align 16
  %v85 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v81
  store <4 x i32> %v84, ptr addrspace(3) %v85, align 16
  %v86 = add i32 %t, 2176
  %v87 = add i32 %v86, 2
  %v88 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v87
  %v89 = load <4 x i32>, ptr addrspace(1) %v88, align 16
  %v90 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v86
  store <4 x i32> %v89, ptr addrspace(3) %v90, align 16
  %v91 = add i32 %t, 2304
  %v92 = add i32 %v91, 2
  %v93 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v92
  %v94 = load <4 x i32>, ptr addrspace(1) %v93, align 16
  %v95 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v91
  store <4 x i32> %v94, ptr addrspace(3) %v95, align 16
  %v96 = add i32 %t, 2432
  %v97 = add i32 %v96, 2
  %v98 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v97
  %v99 = load <4 x i32>, ptr addrspace(1) %v98, align 16
  %v100 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v96
  store <4 x i32> %v99, ptr addrspace(3) %v100, align 16
  %v101 = add i32 %t, 2560
  %v102 = add i32 %v101, 2
  %v103 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v102
  %v104 = load <4 x i32>, ptr addrspace(1) %v103, align 16
  %v105 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v101
  store <4 x i32> %v104, ptr addrspace(3) %v105, align 16
  %v106 = add i32 %t, 2688
  %v107 = add i32 %v106, 2
  %v108 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v107
  %v109 = load <4 x i32>, ptr addrspace(1) %v108, align 16
  %v110 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v106
  store <4 x i32> %v109, ptr addrspace(3) %v110, align 16
  %v111 = add i32 %t, 2816
  %v112 = add i32 %v111, 2
  %v113 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v112
  %v114 = load <4 x i32>, ptr addrspace(1) %v113, align 16
  %v115 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v111
  store <4 x i32> %v114, ptr addrspace(3) %v115, align 16
  %v116 = add i32 %t, 2944
  %v117 = add i32 %v116, 2
  %v118 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v117
  %v119 = load <4 x i32>, ptr addrspace(1) %v118, align 16
  %v120 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v116
  store <4 x i32> %v119, ptr addrspace(3) %v120, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v121 = ptrtoint ptr addrspace(3) @shared to i32
  %v122 = and i32 %v121, 262143
  %v123 = lshr i32 %v122, 4
  %v124 = zext i32 %v123 to i64
  %v125 = getelementptr i64, ptr addrspace(1) %in, i32 0
  %v126 = load i64, ptr addrspace(1) %v125
  %v127 = add i64 %v126, %v124
  %v128 = getelementptr i64, ptr addrspace(1) %in, i32 1
  %v129 = load i64, ptr addrspace(1) %v128
  %v130 = add i64 %v129, %v124
  %v131 = mul i32 %t, 1
  %v132 = add i32 %v131, 12296
  %v133 = getelementptr i32, ptr addrspace(1) %in, i32 %v132
  %v134 = load i32, ptr addrspace(1) %v133
  %v135 = mul i32 %t, 4
  %v136 = add i32 %v135, 12424
  %v137 = getelementptr i32, ptr addrspace(1) %in, i32 %v136
  %v138 = load i32, ptr addrspace(1) %v137
  %v139 = mul i32 %t, 4
  %v140 = add i32 %v139, 12425
  %v141 = getelementptr i32, ptr addrspace(1) %in, i32 %v140
  %v142 = load i32, ptr addrspace(1) %v141
  %v143 = mul i32 %t, 4
  %v144 = add i32 %v143, 12426
  %v145 = getelementptr i32, ptr addrspace(1) %in, i32 %v144
  %v146 = load i32, ptr addrspace(1) %v145
  %v147 = mul i32 %t, 4
  %v148 = add i32 %v147, 12427
  %v149 = getelementptr i32, ptr addrspace(1) %in, i32 %v148
  %v150 = load i32, ptr addrspace(1) %v149
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %v151 = call %d32 asm sideeffect "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sp.sync.aligned.m64n64k32.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31}, {$32, $33, $34, $35}, $36, $37, 1, p, 1, 1, 0; }", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,r,r,r,r,l,r,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"(i32 %v138, i32 %v142, i32 %v146, i32 %v150, i64 %v130, i32 %v134, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison)
  %v152 = extractvalue %d32 %v151, 0
  %v153 = extractvalue %d32 %v151, 1
  %v154 = extractvalue %d32 %v151, 2
  %v155 = extractvalue %d32 %v151, 3
  %v156 = extractvalue %d32 %v151, 4
  %v157 = extractvalue %d32 %v151, 5
  %v158 = extractvalue %d32 %v151, 6
  %v159 = extractvalue %d32 %v151, 7
  %v160 = extractvalue %d32 %v151, 8
  %v161 = extractvalue %d32 %v151, 9
  %v162 = extractvalue %d32 %v151, 10
  %v163 = extractvalue %d32 %v151, 11
  %v164 = extractvalue %d32 %v151, 12
  %v165 = extractvalue %d32 %v151, 13
  %v166 = extractvalue %d32 %v151, 14
  %v167 = extractvalue %d32 %v151, 15
  %v168 = extractvalue %d32 %v151, 16
  %v169 = extractvalue %d32 %v151, 17
  %v170 = extractvalue %d32 %v151, 18
  %v171 = extractvalue %d32 %v151, 19
  %v172 = extractvalue %d32 %v151, 20
  %v173 = extractvalue %d32 %v151, 21
  %v174 = extractvalue %d32 %v151, 22
  %v175 = extractvalue %d32 %v151, 23
  %v176 = extractvalue %d32 %v151, 24
  %v177 = extractvalue %d32 %v151, 25
  %v178 = extractvalue %d32 %v151, 26
  %v179 = extractvalue %d32 %v151, 27
  %v180 = extractvalue %d32 %v151, 28
  %v181 = extractvalue %d32 %v151, 29
  %v182 = extractvalue %d32 %v151, 30
  %v183 = extractvalue %d32 %v151, 31
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %v184 = call %d32 asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"(float %v152, float %v153, float %v154, float %v155, float %v156, float %v157, float %v158, float %v159, float %v160, float %v161, float %v162, float %v163, float %v164, float %v165, float %v166, float %v167, float %v168, float %v169, float %v170, float %v171, float %v172, float %v173, float %v174, float %v175, float %v176, float %v177, float %v178, float %v179, float %v180, float %v181, float %v182, float %v183)
  %v185 = mul i32 %t, 32
  %v186 = add i32 %v185, 0
  %v187 = getelementptr i32, ptr addrspace(1) %out, i32 %v186
  store %d32 %v184, ptr addrspace(1) %v187, align 4
  ret void
}
define ptx_kernel void @sp_rs_n64_bf16_s0(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 2
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 2
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 2
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 2
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  %v21 = add i32 %t, 512
  %v22 = add i32 %v21, 2
  %v23 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v22
  %v24 = load <4 x i32>, ptr addrspace(1) %v23, align 16
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v21
  store <4 x i32> %v24, ptr addrspace(3) %v25, align 16
  %v26 = add i32 %t, 640
  %v27 = add i32 %v26, 2
  %v28 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v27
  %v29 = load <4 x i32>, ptr addrspace(1) %v28, align 16
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v26
  store <4 x i32> %v29, ptr addrspace(3) %v30, align 16
  %v31 = add i32 %t, 768
  %v32 = add i32 %v31, 2
  %v33 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v32
  %v34 = load <4 x i32>, ptr addrspace(1) %v33, align 16
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v31
  store <4 x i32> %v34, ptr addrspace(3) %v35, align 16
  %v36 = add i32 %t, 896
  %v37 = add i32 %v36, 2
  %v38 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v37
  %v39 = load <4 x i32>, ptr addrspace(1) %v38, align 16
  %v40 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v36
  store <4 x i32> %v39, ptr addrspace(3) %v40, align 16
  %v41 = add i32 %t, 1024
  %v42 = add i32 %v41, 2
  %v43 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v42
  %v44 = load <4 x i32>, ptr addrspace(1) %v43, align 16
  %v45 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v41
  store <4 x i32> %v44, ptr addrspace(3) %v45, align 16
  %v46 = add i32 %t, 1152
  %v47 = add i32 %v46, 2
  %v48 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v47
  %v49 = load <4 x i32>, ptr addrspace(1) %v48, align 16
  %v50 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v46
  store <4 x i32> %v49, ptr addrspace(3) %v50, align 16
  %v51 = add i32 %t, 1280
  %v52 = add i32 %v51, 2
  %v53 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v52
  %v54 = load <4 x i32>, ptr addrspace(1) %v53, align 16
  %v55 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v51
  store <4 x i32> %v54, ptr addrspace(3) %v55, align 16
  %v56 = add i32 %t, 1408
  %v57 = add i32 %v56, 2
  %v58 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v57
  %v59 = load <4 x i32>, ptr addrspace(1) %v58, align 16
  %v60 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v56
  store <4 x i32> %v59, ptr addrspace(3) %v60, align 16
  %v61 = add i32 %t, 1536
  %v62 = add i32 %v61, 2
  %v63 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v62
  %v64 = load <4 x i32>, ptr addrspace(1) %v63, align 16
  %v65 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v61
  store <4 x i32> %v64, ptr addrspace(3) %v65, align 16
  %v66 = add i32 %t, 1664
  %v67 = add i32 %v66, 2
  %v68 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v67
  %v69 = load <4 x i32>, ptr addrspace(1) %v68, align 16
  %v70 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v66
  store <4 x i32> %v69, ptr addrspace(3) %v70, align 16
  %v71 = add i32 %t, 1792
  %v72 = add i32 %v71, 2
  %v73 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v72
  %v74 = load <4 x i32>, ptr addrspace(1) %v73, align 16
  %v75 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v71
  store <4 x i32> %v74, ptr addrspace(3) %v75, align 16
  %v76 = add i32 %t, 1920
  %v77 = add i32 %v76, 2
  %v78 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v77
  %v79 = load <4 x i32>, ptr addrspace(1) %v78, align 16
  %v80 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v76
  store <4 x i32> %v79, ptr addrspace(3) %v80, align 16
  %v81 = add i32 %t, 2048
  %v82 = add i32 %v81, 2
  %v83 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v82
  %v84 = load <4 x i32>, ptr addrspace(1) %v83, align 16
  %v85 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v81
  store <4 x i32> %v84, ptr addrspace(3) %v85, align 16
  %v86 = add i32 %t, 2176
  %v87 = add i32 %v86, 2
  %v88 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v87
  %v89 = load <4 x i32>, ptr addrspace(1) %v88, align 16
  %v90 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v86
  store <4 x i32> %v89, ptr addrspace(3) %v90, align 16
  %v91 = add i32 %t, 2304
  %v92 = add i32 %v91, 2
  %v93 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v92
  %v94 = load <4 x i32>, ptr addrspace(1) %v93, align 16
  %v95 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v91
  store <4 x i32> %v94, ptr addrspace(3) %v95, align 16
  %v96 = add i32 %t, 2432
  %v97 = add i32 %v96, 2
  %v98 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v97
  %v99 = load <4 x i32>, ptr addrspace(1) %v98, align 16
  %v100 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v96
  store <4 x i32> %v99, ptr addrspace(3) %v100, align 16
  %v101 = add i32 %t, 2560
  %v102 = add i32 %v101, 2
  %v103 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v102
  %v104 = load <4 x i32>, ptr addrspace(1) %v103, align 16
  %v105 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v101
  store <4 x i32> %v104, ptr addrspace(3) %v105, align 16
  %v106 = add i32 %t, 2688
  %v107 = add i32 %v106, 2
  %v108 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v107
  %v109 = load <4 x i32>, ptr addrspace(1) %v108, align 16
  %v110 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v106
  store <4 x i32> %v109, ptr addrspace(3) %v110, align 16
  %v111 = add i32 %t, 2816
  %v112 = add i32 %v111, 2
  %v113 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v112
  %v114 = load <4 x i32>, ptr addrspace(1) %v113, align 16
  %v115 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v111
  store <4 x i32> %v114, ptr addrspace(3) %v115, align 16
  %v116 = add i32 %t, 2944
  %v117 = add i32 %v116, 2
  %v118 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v117
  %v119 = load <4 x i32>, ptr addrspace(1) %v118, align 16
  %v120 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v116
  store <4 x i32> %v119, ptr addrspace(3) %v120, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v121 = ptrtoint ptr addrspace(3) @shared to i32
  %v122 = and i32 %v121, 262143
  %v123 = lshr i32 %v122, 4
  %v124 = zext i32 %v123 to i64
  %v125 = getelementptr i64, ptr addrspace(1) %in, i32 0
  %v126 = load i64, ptr addrspace(1) %v125
  %v127 = add i64 %v126, %v124
  %v128 = getelementptr i64, ptr addrspace(1) %in, i32 1
  %v129 = load i64, ptr addrspace(1) %v128
  %v130 = add i64 %v129, %v124
  %v131 = mul i32 %t, 1
  %v132 = add i32 %v131, 12296
  %v133 = getelementptr i32, ptr addrspace(1) %in, i32 %v132
  %v134 = load i32, ptr addrspace(1) %v133
  %v135 = mul i32 %t, 4
  %v136 = add i32 %v135, 12424
  %v137 = getelementptr i32, ptr addrspace(1) %in, i32 %v136
  %v138 = load i32, ptr addrspace(1) %v137
  %v139 = mul i32 %t, 4
  %v140 = add i32 %v139, 12425
  %v141 = getelementptr i32, ptr addrspace(1) %in, i32 %v140
  %v142 = load i32, ptr addrspace(1) %v141
  %v143 = mul i32 %t, 4
  %v144 = add i32 %v143, 12426
  %v145 = getelementptr i32, ptr addrspace(1) %in, i32 %v144
  %v146 = load i32, ptr addrspace(1) %v145
  %v147 = mul i32 %t, 4
  %v148 = add i32 %v147, 12427
  %v149 = getelementptr i32, ptr addrspace(1) %in, i32 %v148
  %v150 = load i32, ptr addrspace(1) %v149
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %v151 = call %d32 asm sideeffect "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sp.sync.aligned.m64n64k32.f32.bf16.bf16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31}, {$32, $33, $34, $35}, $36, $37, 0, p, 1, 1, 0; }", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,r,r,r,r,l,r,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"(i32 %v138, i32 %v142, i32 %v146, i32 %v150, i64 %v130, i32 %v134, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison)
  %v152 = extractvalue %d32 %v151, 0
  %v153 = extractvalue %d32 %v151, 1
  %v154 = extractvalue %d32 %v151, 2
  %v155 = extractvalue %d32 %v151, 3
  %v156 = extractvalue %d32 %v151, 4
  %v157 = extractvalue %d32 %v151, 5
  %v158 = extractvalue %d32 %v151, 6
  %v159 = extractvalue %d32 %v151, 7
  %v160 = extractvalue %d32 %v151, 8
  %v161 = extractvalue %d32 %v151, 9
  %v162 = extractvalue %d32 %v151, 10
  %v163 = extractvalue %d32 %v151, 11
  %v164 = extractvalue %d32 %v151, 12
  %v165 = extractvalue %d32 %v151, 13
  %v166 = extractvalue %d32 %v151, 14
  %v167 = extractvalue %d32 %v151, 15
  %v168 = extractvalue %d32 %v151, 16
  %v169 = extractvalue %d32 %v151, 17
  %v170 = extractvalue %d32 %v151, 18
  %v171 = extractvalue %d32 %v151, 19
  %v172 = extractvalue %d32 %v151, 20
  %v173 = extractvalue %d32 %v151, 21
  %v174 = extractvalue %d32 %v151, 22
  %v175 = extractvalue %d32 %v151, 23
  %v176 = extractvalue %d32 %v151, 24
  %v177 = extractvalue %d32 %v151, 25
  %v178 = extractvalue %d32 %v151, 26
  %v179 = extractvalue %d32 %v151, 27
  %v180 = extractvalue %d32 %v151, 28
  %v181 = extractvalue %d32 %v151, 29
  %v182 = extractvalue %d32 %v151, 30
  %v183 = extractvalue %d32 %v151, 31
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %v184 = call %d32 asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"(float %v152, float %v153, float %v154, float %v155, float %v156, float %v157, float %v158, float %v159, float %v160, float %v161, float %v162, float %v163, float %v164, float %v165, float %v166, float %v167, float %v168, float %v169, float %v170, float %v171, float %v172, float %v173, float %v174, float %v175, float %v176, float %v177, float %v178, float %v179, float %v180, float %v181, float %v182, float %v183)
  %v185 = mul i32 %t, 32
  %v186 = add i32 %v185, 0
  %v187 = getelementptr i32, ptr addrspace(1) %out, i32 %v186
  store %d32 %v184, ptr addrspace(1) %v187, align 4
  ret void
}
define ptx_kernel void @sp_rs_n64_bf16_s1(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 2
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 2
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 2
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 2
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  %v21 = add i32 %t, 512
  %v22 = add i32 %v21, 2
  %v23 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v22
  %v24 = load <4 x i32>, ptr addrspace(1) %v23, align 16
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v21
  store <4 x i32> %v24, ptr addrspace(3) %v25, align 16
  %v26 = add i32 %t, 640
  %v27 = add i32 %v26, 2
  %v28 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v27
  %v29 = load <4 x i32>, ptr addrspace(1) %v28, align 16
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v26
  store <4 x i32> %v29, ptr addrspace(3) %v30, align 16
  %v31 = add i32 %t, 768
  %v32 = add i32 %v31, 2
  %v33 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v32
  %v34 = load <4 x i32>, ptr addrspace(1) %v33, align 16
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v31
  store <4 x i32> %v34, ptr addrspace(3) %v35, align 16
  %v36 = add i32 %t, 896
  %v37 = add i32 %v36, 2
  %v38 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v37
  %v39 = load <4 x i32>, ptr addrspace(1) %v38, align 16
  %v40 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v36
  store <4 x i32> %v39, ptr addrspace(3) %v40, align 16
  %v41 = add i32 %t, 1024
  %v42 = add i32 %v41, 2
  %v43 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v42
  %v44 = load <4 x i32>, ptr addrspace(1) %v43, align 16
  %v45 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v41
  store <4 x i32> %v44, ptr addrspace(3) %v45, align 16
  %v46 = add i32 %t, 1152
  %v47 = add i32 %v46, 2
  %v48 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v47
  %v49 = load <4 x i32>, ptr addrspace(1) %v48, align 16
  %v50 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v46
  store <4 x i32> %v49, ptr addrspace(3) %v50, align 16
  %v51 = add i32 %t, 1280
  %v52 = add i32 %v51, 2
  %v53 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v52
  %v54 = load <4 x i32>, ptr addrspace(1) %v53, align 16
  %v55 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v51
  store <4 x i32> %v54, ptr addrspace(3) %v55, align 16
  %v56 = add i32 %t, 1408
  %v57 = add i32 %v56, 2
  %v58 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v57
  %v59 = load <4 x i32>, ptr addrspace(1) %v58, align 16
  %v60 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v56
  store <4 x i32> %v59, ptr addrspace(3) %v60, align 16
  %v61 = add i32 %t, 1536
  %v62 = add i32 %v61, 2
  %v63 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v62
  %v64 = load <4 x i32>, ptr addrspace(1) %v63, align 16
  %v65 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v61
  store <4 x i32> %v64, ptr addrspace(3) %v65, align 16
  %v66 = add i32 %t, 1664
  %v67 = add i32 %v66, 2
  %v68 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v67
  %v69 = load <4 x i32>, ptr addrspace(1) %v68, align 16
  %v70 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v66
  store <4 x i32> %v69, ptr addrspace(3) %v70, align 16
  %v71 = add i32 %t, 1792
  %v72 = add i32 %v71, 2
  %v73 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v72
  %v74 = load <4 x i32>, ptr addrspace(1) %v73, align 16
  %v75 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v71
  store <4 x i32> %v74, ptr addrspace(3) %v75, align 16
  %v76 = add i32 %t, 1920
  %v77 = add i32 %v76, 2
  %v78 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v77
  %v79 = load <4 x i32>, ptr addrspace(1) %v78, align 16
  %v80 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v76
  store <4 x i32> %v79, ptr addrspace(3) %v80, align 16
  %v81 = add i32 %t, 2048
  %v82 = add i32 %v81, 2
  %v83 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v82
  %v84 = load <4 x i32>, ptr addrspace(1) %v83, align 16
  %v85 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v81
  store <4 x i32> %v84, ptr addrspace(3) %v85, align 16
  %v86 = add i32 %t, 2176
  %v87 = add i32 %v86, 2
  %v88 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v87
  %v89 = load <4 x i32>, ptr addrspace(1) %v88, align 16
  %v90 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v86
  store <4 x i32> %v89, ptr addrspace(3) %v90, align 16
  %v91 = add i32 %t, 2304
  %v92 = add i32 %v91, 2
  %v93 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v92
  %v94 = load <4 x i32>, ptr addrspace(1) %v93, align 16
  %v95 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v91
  store <4 x i32> %v94, ptr addrspace(3) %v95, align 16
  %v96 = add i32 %t, 2432
  %v97 = add i32 %v96, 2
  %v98 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v97
  %v99 = load <4 x i32>, ptr addrspace(1) %v98, align 16
  %v100 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v96
  store <4 x i32> %v99, ptr addrspace(3) %v100, align 16
  %v101 = add i32 %t, 2560
  %v102 = add i32 %v101, 2
  %v103 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v102
  %v104 = load <4 x i32>, ptr addrspace(1) %v103, align 16
  %v105 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v101
  store <4 x i32> %v104, ptr addrspace(3) %v105, align 16
  %v106 = add i32 %t, 2688
  %v107 = add i32 %v106, 2
  %v108 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v107
  %v109 = load <4 x i32>, ptr addrspace(1) %v108, align 16
  %v110 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v106
  store <4 x i32> %v109, ptr addrspace(3) %v110, align 16
  %v111 = add i32 %t, 2816
  %v112 = add i32 %v111, 2
  %v113 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v112
  %v114 = load <4 x i32>, ptr addrspace(1) %v113, align 16
  %v115 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v111
  store <4 x i32> %v114, ptr addrspace(3) %v115, align 16
  %v116 = add i32 %t, 2944
  %v117 = add i32 %v116, 2
  %v118 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v117
  %v119 = load <4 x i32>, ptr addrspace(1) %v118, align 16
  %v120 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v116
  store <4 x i32> %v119, ptr addrspace(3) %v120, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v121 = ptrtoint ptr addrspace(3) @shared to i32
  %v122 = and i32 %v121, 262143
  %v123 = lshr i32 %v122, 4
  %v124 = zext i32 %v123 to i64
  %v125 = getelementptr i64, ptr addrspace(1) %in, i32 0
  %v126 = load i64, ptr addrspace(1) %v125
  %v127 = add i64 %v126, %v124
  %v128 = getelementptr i64, ptr addrspace(1) %in, i32 1
  %v129 = load i64, ptr addrspace(1) %v128
  %v130 = add i64 %v129, %v124
  %v131 = mul i32 %t, 1
  %v132 = add i32 %v131, 12296
  %v133 = getelementptr i32, ptr addrspace(1) %in, i32 %v132
  %v134 = load i32, ptr addrspace(1) %v133
  %v135 = mul i32 %t, 4
  %v136 = add i32 %v135, 12424
  %v137 = getelementptr i32, ptr addrspace(1) %in, i32 %v136
  %v138 = load i32, ptr addrspace(1) %v137
  %v139 = mul i32 %t, 4
  %v140 = add i32 %v139, 12425
  %v141 = getelementptr i32, ptr addrspace(1) %in, i32 %v140
  %v142 = load i32, ptr addrspace(1) %v141
  %v143 = mul i32 %t, 4
  %v144 = add i32 %v143, 12426
  %v145 = getelementptr i32, ptr addrspace(1) %in, i32 %v144
  %v146 = load i32, ptr addrspace(1) %v145
  %v147 = mul i32 %t, 4
  %v148 = add i32 %v147, 12427
  %v149 = getelementptr i32, ptr addrspace(1) %in, i32 %v148
  %v150 = load i32, ptr addrspace(1) %v149
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %v151 = call %d32 asm sideeffect "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sp.sync.aligned.m64n64k32.f32.bf16.bf16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31}, {$32, $33, $34, $35}, $36, $37, 1, p, 1, 1, 0; }", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,r,r,r,r,l,r,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"(i32 %v138, i32 %v142, i32 %v146, i32 %v150, i64 %v130, i32 %v134, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison)
  %v152 = extractvalue %d32 %v151, 0
  %v153 = extractvalue %d32 %v151, 1
  %v154 = extractvalue %d32 %v151, 2
  %v155 = extractvalue %d32 %v151, 3
  %v156 = extractvalue %d32 %v151, 4
  %v157 = extractvalue %d32 %v151, 5
  %v158 = extractvalue %d32 %v151, 6
  %v159 = extractvalue %d32 %v151, 7
  %v160 = extractvalue %d32 %v151, 8
  %v161 = extractvalue %d32 %v151, 9
  %v162 = extractvalue %d32 %v151, 10
  %v163 = extractvalue %d32 %v151, 11
  %v164 = extractvalue %d32 %v151, 12
  %v165 = extractvalue %d32 %v151, 13
  %v166 = extractvalue %d32 %v151, 14
  %v167 = extractvalue %d32 %v151, 15
  %v168 = extractvalue %d32 %v151, 16
  %v169 = extractvalue %d32 %v151, 17
  %v170 = extractvalue %d32 %v151, 18
  %v171 = extractvalue %d32 %v151, 19
  %v172 = extractvalue %d32 %v151, 20
  %v173 = extractvalue %d32 %v151, 21
  %v174 = extractvalue %d32 %v151, 22
  %v175 = extractvalue %d32 %v151, 23
  %v176 = extractvalue %d32 %v151, 24
  %v177 = extractvalue %d32 %v151, 25
  %v178 = extractvalue %d32 %v151, 26
  %v179 = extractvalue %d32 %v151, 27
  %v180 = extractvalue %d32 %v151, 28
  %v181 = extractvalue %d32 %v151, 29
  %v182 = extractvalue %d32 %v151, 30
  %v183 = extractvalue %d32 %v151, 31
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %v184 = call %d32 asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"(float %v152, float %v153, float %v154, float %v155, float %v156, float %v157, float %v158, float %v159, float %v160, float %v161, float %v162, float %v163, float %v164, float %v165, float %v166, float %v167, float %v168, float %v169, float %v170, float %v171, float %v172, float %v173, float %v174, float %v175, float %v176, float %v177, float %v178, float %v179, float %v180, float %v181, float %v182, float %v183)
  %v185 = mul i32 %t, 32
  %v186 = add i32 %v185, 0
  %v187 = getelementptr i32, ptr addrspace(1) %out, i32 %v186
  store %d32 %v184, ptr addrspace(1) %v187, align 4
  ret void
}
define ptx_kernel void @dense_ss_n128_f16(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 2
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 2
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 2
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 2
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  %v21 = add i32 %t, 512
  %v22 = add i32 %v21, 2
  %v23 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v22
  %v24 = load <4 x i32>, ptr addrspace(1) %v23, align 16
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v21
  store <4 x i32> %v24, ptr addrspace(3) %v25, align 16
  %v26 = add i32 %t, 640
  %v27 = add i32 %v26, 2
  %v28 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v27
  %v29 = load <4 x i32>, ptr addrspace(1) %v28, align 16
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v26
  store <4 x i32> %v29, ptr addrspace(3) %v30, align 16
  %v31 = add i32 %t, 768
  %v32 = add i32 %v31, 2
  %v33 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v32
  %v34 = load <4 x i32>, ptr addrspace(1) %v33, align 16
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v31
  store <4 x i32> %v34, ptr addrspace(3) %v35, align 16
  %v36 = add i32 %t, 896
  %v37 = add i32 %v36, 2
  %v38 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v37
  %v39 = load <4 x i32>, ptr addrspace(1) %v38, align 16
  %v40 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v36
  store <4 x i32> %v39, ptr addrspace(3) %v40, align 16
  %v41 = add i32 %t, 1024
  %v42 = add i32 %v41, 2
  %v43 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v42
  %v44 = load <4 x i32>, ptr addrspace(1) %v43, align 16
  %v45 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v41
  store <4 x i32> %v44, ptr addrspace(3) %v45, align 16
  %v46 = add i32 %t, 1152
  %v47 = add i32 %v46, 2
  %v48 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v47
  %v49 = load <4 x i32>, ptr addrspace(1) %v48, align 16
  %v50 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v46
  store <4 x i32> %v49, ptr addrspace(3) %v50, align 16
  %v51 = add i32 %t, 1280
  %v52 = add i32 %v51, 2
  %v53 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v52
  %v54 = load <4 x i32>, ptr addrspace(1) %v53, align 16
  %v55 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v51
  store <4 x i32> %v54, ptr addrspace(3) %v55, align 16
  %v56 = add i32 %t, 1408
  %v57 = add i32 %v56, 2
  %v58 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v57
  %v59 = load <4 x i32>, ptr addrspace(1) %v58, align 16
  %v60 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v56
  store <4 x i32> %v59, ptr addrspace(3) %v60, align 16
  %v61 = add i32 %t, 1536
  %v62 = add i32 %v61, 2
  %v63 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v62
  %v64 = load <4 x i32>, ptr addrspace(1) %v63, align 16
  %v65 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v61
  store <4 x i32> %v64, ptr addrspace(3) %v65, align 16
  %v66 = add i32 %t, 1664
  %v67 = add i32 %v66, 2
  %v68 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v67
  %v69 = load <4 x i32>, ptr addrspace(1) %v68, align 16
  %v70 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v66
  store <4 x i32> %v69, ptr addrspace(3) %v70, align 16
  %v71 = add i32 %t, 1792
  %v72 = add i32 %v71, 2
  %v73 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v72
  %v74 = load <4 x i32>, ptr addrspace(1) %v73, align 16
  %v75 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v71
  store <4 x i32> %v74, ptr addrspace(3) %v75, align 16
  %v76 = add i32 %t, 1920
  %v77 = add i32 %v76, 2
  %v78 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v77
  %v79 = load <4 x i32>, ptr addrspace(1) %v78, align 16
  %v80 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v76
  store <4 x i32> %v79, ptr addrspace(3) %v80, align 16
  %v81 = add i32 %t, 2048
  %v82 = add i32 %v81, 2
  %v83 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v82
  %v84 = load <4 x i32>, ptr addrspace(1) %v83, align 16
  %v85 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v81
  store <4 x i32> %v84, ptr addrspace(3) %v85, align 16
  %v86 = add i32 %t, 2176
  %v87 = add i32 %v86, 2
  %v88 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v87
  %v89 = load <4 x i32>, ptr addrspace(1) %v88, align 16
  %v90 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v86
  store <4 x i32> %v89, ptr addrspace(3) %v90, align 16
  %v91 = add i32 %t, 2304
  %v92 = add i32 %v91, 2
  %v93 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v92
  %v94 = load <4 x i32>, ptr addrspace(1) %v93, align 16
  %v95 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v91
  store <4 x i32> %v94, ptr addrspace(3) %v95, align 16
  %v96 = add i32 %t, 2432
  %v97 = add i32 %v96, 2
  %v98 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v97
  %v99 = load <4 x i32>, ptr addrspace(1) %v98, align 16
  %v100 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v96
  store <4 x i32> %v99, ptr addrspace(3) %v100, align 16
  %v101 = add i32 %t, 2560
  %v102 = add i32 %v101, 2
  %v103 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v102
  %v104 = load <4 x i32>, ptr addrspace(1) %v103, align 16
  %v105 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v101
  store <4 x i32> %v104, ptr addrspace(3) %v105, align 16
  %v106 = add i32 %t, 2688
  %v107 = add i32 %v106, 2
  %v108 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v107
  %v109 = load <4 x i32>, ptr addrspace(1) %v108, align 16
  %v110 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v106
  store <4 x i32> %v109, ptr addrspace(3) %v110, align 16
  %v111 = add i32 %t, 2816
  %v112 = add i32 %v111, 2
  %v113 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v112
  %v114 = load <4 x i32>, ptr addrspace(1) %v113, align 16
  %v115 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v111
  store <4 x i32> %v114, ptr addrspace(3) %v115, align 16
  %v116 = add i32 %t, 2944
  %v117 = add i32 %v116, 2
  %v118 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v117
  %v119 = load <4 x i32>, ptr addrspace(1) %v118, align 16
  %v120 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v116
  store <4 x i32> %v119, ptr addrspace(3) %v120, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v121 = ptrtoint ptr addrspace(3) @shared to i32
  %v122 = and i32 %v121, 262143
  %v123 = lshr i32 %v122, 4
  %v124 = zext i32 %v123 to i64
  %v125 = getelementptr i64, ptr addrspace(1) %in, i32 0
  %v126 = load i64, ptr addrspace(1) %v125
  %v127 = add i64 %v126, %v124
  %v128 = getelementptr i64, ptr addrspace(1) %in, i32 1
  %v129 = load i64, ptr addrspace(1) %v128
  %v130 = add i64 %v129, %v124
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %v131 = call %d64 asm sideeffect "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44, $45, $46, $47, $48, $49, $50, $51, $52, $53, $54, $55, $56, $57, $58, $59, $60, $61, $62, $63}, $64, $65, p, 1, 1, 0, 0; }", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,l,l,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63"(i64 %v127, i64 %v130, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison)
  %v132 = extractvalue %d64 %v131, 0
  %v133 = extractvalue %d64 %v131, 1
  %v134 = extractvalue %d64 %v131, 2
  %v135 = extractvalue %d64 %v131, 3
  %v136 = extractvalue %d64 %v131, 4
  %v137 = extractvalue %d64 %v131, 5
  %v138 = extractvalue %d64 %v131, 6
  %v139 = extractvalue %d64 %v131, 7
  %v140 = extractvalue %d64 %v131, 8
  %v141 = extractvalue %d64 %v131, 9
  %v142 = extractvalue %d64 %v131, 10
  %v143 = extractvalue %d64 %v131, 11
  %v144 = extractvalue %d64 %v131, 12
  %v145 = extractvalue %d64 %v131, 13
  %v146 = extractvalue %d64 %v131, 14
  %v147 = extractvalue %d64 %v131, 15
  %v148 = extractvalue %d64 %v131, 16
  %v149 = extractvalue %d64 %v131, 17
  %v150 = extractvalue %d64 %v131, 18
  %v151 = extractvalue %d64 %v131, 19
  %v152 = extractvalue %d64 %v131, 20
  %v153 = extractvalue %d64 %v131, 21
  %v154 = extractvalue %d64 %v131, 22
  %v155 = extractvalue %d64 %v131, 23
  %v156 = extractvalue %d64 %v131, 24
  %v157 = extractvalue %d64 %v131, 25
  %v158 = extractvalue %d64 %v131, 26
  %v159 = extractvalue %d64 %v131, 27
  %v160 = extractvalue %d64 %v131, 28
  %v161 = extractvalue %d64 %v131, 29
  %v162 = extractvalue %d64 %v131, 30
  %v163 = extractvalue %d64 %v131, 31
  %v164 = extractvalue %d64 %v131, 32
  %v165 = extractvalue %d64 %v131, 33
  %v166 = extractvalue %d64 %v131, 34
  %v167 = extractvalue %d64 %v131, 35
  %v168 = extractvalue %d64 %v131, 36
  %v169 = extractvalue %d64 %v131, 37
  %v170 = extractvalue %d64 %v131, 38
  %v171 = extractvalue %d64 %v131, 39
  %v172 = extractvalue %d64 %v131, 40
  %v173 = extractvalue %d64 %v131, 41
  %v174 = extractvalue %d64 %v131, 42
  %v175 = extractvalue %d64 %v131, 43
  %v176 = extractvalue %d64 %v131, 44
  %v177 = extractvalue %d64 %v131, 45
  %v178 = extractvalue %d64 %v131, 46
  %v179 = extractvalue %d64 %v131, 47
  %v180 = extractvalue %d64 %v131, 48
  %v181 = extractvalue %d64 %v131, 49
  %v182 = extractvalue %d64 %v131, 50
  %v183 = extractvalue %d64 %v131, 51
  %v184 = extractvalue %d64 %v131, 52
  %v185 = extractvalue %d64 %v131, 53
  %v186 = extractvalue %d64 %v131, 54
  %v187 = extractvalue %d64 %v131, 55
  %v188 = extractvalue %d64 %v131, 56
  %v189 = extractvalue %d64 %v131, 57
  %v190 = extractvalue %d64 %v131, 58
  %v191 = extractvalue %d64 %v131, 59
  %v192 = extractvalue %d64 %v131, 60
  %v193 = extractvalue %d64 %v131, 61
  %v194 = extractvalue %d64 %v131, 62
  %v195 = extractvalue %d64 %v131, 63
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %v196 = call %d64 asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63"(float %v132, float %v133, float %v134, float %v135, float %v136, float %v137, float %v138, float %v139, float %v140, float %v141, float %v142, float %v143, float %v144, float %v145, float %v146, float %v147, float %v148, float %v149, float %v150, float %v151, float %v152, float %v153, float %v154, float %v155, float %v156, float %v157, float %v158, float %v159, float %v160, float %v161, float %v162, float %v163, float %v164, float %v165, float %v166, float %v167, float %v168, float %v169, float %v170, float %v171, float %v172, float %v173, float %v174, float %v175, float %v176, float %v177, float %v178, float %v179, float %v180, float %v181, float %v182, float %v183, float %v184, float %v185, float %v186, float %v187, float %v188, float %v189, float %v190, float %v191, float %v192, float %v193, float %v194, float %v195)
  %v197 = mul i32 %t, 64
  %v198 = add i32 %v197, 0
  %v199 = getelementptr i32, ptr addrspace(1) %out, i32 %v198
  store %d64 %v196, ptr addrspace(1) %v199, align 4
  ret void
}
define ptx_kernel void @dense_rs_n128_f16(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 2
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 2
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 2
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 2
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  %v21 = add i32 %t, 512
  %v22 = add i32 %v21, 2
  %v23 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v22
  %v24 = load <4 x i32>, ptr addrspace(1) %v23, align 16
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v21
  store <4 x i32> %v24, ptr addrspace(3) %v25, align 16
  %v26 = add i32 %t, 640
  %v27 = add i32 %v26, 2
  %v28 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v27
  %v29 = load <4 x i32>, ptr addrspace(1) %v28, align 16
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v26
  store <4 x i32> %v29, ptr addrspace(3) %v30, align 16
  %v31 = add i32 %t, 768
  %v32 = add i32 %v31, 2
  %v33 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v32
  %v34 = load <4 x i32>, ptr addrspace(1) %v33, align 16
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v31
  store <4 x i32> %v34, ptr addrspace(3) %v35, align 16
  %v36 = add i32 %t, 896
  %v37 = add i32 %v36, 2
  %v38 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v37
  %v39 = load <4 x i32>, ptr addrspace(1) %v38, align 16
  %v40 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v36
  store <4 x i32> %v39, ptr addrspace(3) %v40, align 16
  %v41 = add i32 %t, 1024
  %v42 = add i32 %v41, 2
  %v43 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v42
  %v44 = load <4 x i32>, ptr addrspace(1) %v43, align 16
  %v45 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v41
  store <4 x i32> %v44, ptr addrspace(3) %v45, align 16
  %v46 = add i32 %t, 1152
  %v47 = add i32 %v46, 2
  %v48 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v47
  %v49 = load <4 x i32>, ptr addrspace(1) %v48, align 16
  %v50 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v46
  store <4 x i32> %v49, ptr addrspace(3) %v50, align 16
  %v51 = add i32 %t, 1280
  %v52 = add i32 %v51, 2
  %v53 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v52
  %v54 = load <4 x i32>, ptr addrspace(1) %v53, align 16
  %v55 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v51
  store <4 x i32> %v54, ptr addrspace(3) %v55, align 16
  %v56 = add i32 %t, 1408
  %v57 = add i32 %v56, 2
  %v58 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v57
  %v59 = load <4 x i32>, ptr addrspace(1) %v58, align 16
  %v60 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v56
  store <4 x i32> %v59, ptr addrspace(3) %v60, align 16
  %v61 = add i32 %t, 1536
  %v62 = add i32 %v61, 2
  %v63 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v62
  %v64 = load <4 x i32>, ptr addrspace(1) %v63, align 16
  %v65 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v61
  store <4 x i32> %v64, ptr addrspace(3) %v65, align 16
  %v66 = add i32 %t, 1664
  %v67 = add i32 %v66, 2
  %v68 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v67
  %v69 = load <4 x i32>, ptr addrspace(1) %v68, align 16
  %v70 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v66
  store <4 x i32> %v69, ptr addrspace(3) %v70, align 16
  %v71 = add i32 %t, 1792
  %v72 = add i32 %v71, 2
  %v73 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v72
  %v74 = load <4 x i32>, ptr addrspace(1) %v73, align 16
  %v75 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v71
  store <4 x i32> %v74, ptr addrspace(3) %v75, align 16
  %v76 = add i32 %t, 1920
  %v77 = add i32 %v76, 2
  %v78 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v77
  %v79 = load <4 x i32>, ptr addrspace(1) %v78, align 16
  %v80 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v76
  store <4 x i32> %v79, ptr addrspace(3) %v80, align 16
  %v81 = add i32 %t, 2048
  %v82 = add i32 %v81, 2
  %v83 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v82
  %v84 = load <4 x i32>, ptr addrspace(1) %v83, align 16
  %v85 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v81
  store <4 x i32> %v84, ptr addrspace(3) %v85, align 16
  %v86 = add i32 %t, 2176
  %v87 = add i32 %v86, 2
  %v88 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v87
  %v89 = load <4 x i32>, ptr addrspace(1) %v88, align 16
  %v90 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v86
  store <4 x i32> %v89, ptr addrspace(3) %v90, align 16
  %v91 = add i32 %t, 2304
  %v92 = add i32 %v91, 2
  %v93 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v92
  %v94 = load <4 x i32>, ptr addrspace(1) %v93, align 16
  %v95 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v91
  store <4 x i32> %v94, ptr addrspace(3) %v95, align 16
  %v96 = add i32 %t, 2432
  %v97 = add i32 %v96, 2
  %v98 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v97
  %v99 = load <4 x i32>, ptr addrspace(1) %v98, align 16
  %v100 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v96
  store <4 x i32> %v99, ptr addrspace(3) %v100, align 16
  %v101 = add i32 %t, 2560
  %v102 = add i32 %v101, 2
  %v103 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v102
  %v104 = load <4 x i32>, ptr addrspace(1) %v103, align 16
  %v105 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v101
  store <4 x i32> %v104, ptr addrspace(3) %v105, align 16
  %v106 = add i32 %t, 2688
  %v107 = add i32 %v106, 2
  %v108 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v107
  %v109 = load <4 x i32>, ptr addrspace(1) %v108, align 16
  %v110 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v106
  store <4 x i32> %v109, ptr addrspace(3) %v110, align 16
  %v111 = add i32 %t, 2816
  %v112 = add i32 %v111, 2
  %v113 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v112
  %v114 = load <4 x i32>, ptr addrspace(1) %v113, align 16
  %v115 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v111
  store <4 x i32> %v114, ptr addrspace(3) %v115, align 16
  %v116 = add i32 %t, 2944
  %v117 = add i32 %v116, 2
  %v118 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v117
  %v119 = load <4 x i32>, ptr addrspace(1) %v118, align 16
  %v120 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v116
  store <4 x i32> %v119, ptr addrspace(3) %v120, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v121 = ptrtoint ptr addrspace(3) @shared to i32
  %v122 = and i32 %v121, 262143
  %v123 = lshr i32 %v122, 4
  %v124 = zext i32 %v123 to i64
  %v125 = getelementptr i64, ptr addrspace(1) %in, i32 0
  %v126 = load i64, ptr addrspace(1) %v125
  %v127 = add i64 %v126, %v124
  %v128 = getelementptr i64, ptr addrspace(1) %in, i32 1
  %v129 = load i64, ptr addrspace(1) %v128
  %v130 = add i64 %v129, %v124
  %v131 = mul i32 %t, 4
  %v132 = add i32 %v131, 12424
  %v133 = getelementptr i32, ptr addrspace(1) %in, i32 %v132
  %v134 = load i32, ptr addrspace(1) %v133
  %v135 = mul i32 %t, 4
  %v136 = add i32 %v135, 12425
  %v137 = getelementptr i32, ptr addrspace(1) %in, i32 %v136
  %v138 = load i32, ptr addrspace(1) %v137
  %v139 = mul i32 %t, 4
  %v140 = add i32 %v139, 12426
  %v141 = getelementptr i32, ptr addrspace(1) %in, i32 %v140
  %v142 = load i32, ptr addrspace(1) %v141
  %v143 = mul i32 %t, 4
  %v144 = add i32 %v143, 12427
  %v145 = getelementptr i32, ptr addrspace(1) %in, i32 %v144
  %v146 = load i32, ptr addrspace(1) %v145
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %v147 = call %d64 asm sideeffect "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44, $45, $46, $47, $48, $49, $50, $51, $52, $53, $54, $55, $56, $57, $58, $59, $60, $61, $62, $63}, {$64, $65, $66, $67}, $68, p, 1, 1, 0; }", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,r,r,r,r,l,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63"(i32 %v134, i32 %v138, i32 %v142, i32 %v146, i64 %v130, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison)
  %v148 = extractvalue %d64 %v147, 0
  %v149 = extractvalue %d64 %v147, 1
  %v150 = extractvalue %d64 %v147, 2
  %v151 = extractvalue %d64 %v147, 3
  %v152 = extractvalue %d64 %v147, 4
  %v153 = extractvalue %d64 %v147, 5
  %v154 = extractvalue %d64 %v147, 6
  %v155 = extractvalue %d64 %v147, 7
  %v156 = extractvalue %d64 %v147, 8
  %v157 = extractvalue %d64 %v147, 9
  %v158 = extractvalue %d64 %v147, 10
  %v159 = extractvalue %d64 %v147, 11
  %v160 = extractvalue %d64 %v147, 12
  %v161 = extractvalue %d64 %v147, 13
  %v162 = extractvalue %d64 %v147, 14
  %v163 = extractvalue %d64 %v147, 15
  %v164 = extractvalue %d64 %v147, 16
  %v165 = extractvalue %d64 %v147, 17
  %v166 = extractvalue %d64 %v147, 18
  %v167 = extractvalue %d64 %v147, 19
  %v168 = extractvalue %d64 %v147, 20
  %v169 = extractvalue %d64 %v147, 21
  %v170 = extractvalue %d64 %v147, 22
  %v171 = extractvalue %d64 %v147, 23
  %v172 = extractvalue %d64 %v147, 24
  %v173 = extractvalue %d64 %v147, 25
  %v174 = extractvalue %d64 %v147, 26
  %v175 = extractvalue %d64 %v147, 27
  %v176 = extractvalue %d64 %v147, 28
  %v177 = extractvalue %d64 %v147, 29
  %v178 = extractvalue %d64 %v147, 30
  %v179 = extractvalue %d64 %v147, 31
  %v180 = extractvalue %d64 %v147, 32
  %v181 = extractvalue %d64 %v147, 33
  %v182 = extractvalue %d64 %v147, 34
  %v183 = extractvalue %d64 %v147, 35
  %v184 = extractvalue %d64 %v147, 36
  %v185 = extractvalue %d64 %v147, 37
  %v186 = extractvalue %d64 %v147, 38
  %v187 = extractvalue %d64 %v147, 39
  %v188 = extractvalue %d64 %v147, 40
  %v189 = extractvalue %d64 %v147, 41
  %v190 = extractvalue %d64 %v147, 42
  %v191 = extractvalue %d64 %v147, 43
  %v192 = extractvalue %d64 %v147, 44
  %v193 = extractvalue %d64 %v147, 45
  %v194 = extractvalue %d64 %v147, 46
  %v195 = extractvalue %d64 %v147, 47
  %v196 = extractvalue %d64 %v147, 48
  %v197 = extractvalue %d64 %v147, 49
  %v198 = extractvalue %d64 %v147, 50
  %v199 = extractvalue %d64 %v147, 51
  %v200 = extractvalue %d64 %v147, 52
  %v201 = extractvalue %d64 %v147, 53
  %v202 = extractvalue %d64 %v147, 54
  %v203 = extractvalue %d64 %v147, 55
  %v204 = extractvalue %d64 %v147, 56
  %v205 = extractvalue %d64 %v147, 57
  %v206 = extractvalue %d64 %v147, 58
  %v207 = extractvalue %d64 %v147, 59
  %v208 = extractvalue %d64 %v147, 60
  %v209 = extractvalue %d64 %v147, 61
  %v210 = extractvalue %d64 %v147, 62
  %v211 = extractvalue %d64 %v147, 63
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %v212 = call %d64 asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63"(float %v148, float %v149, float %v150, float %v151, float %v152, float %v153, float %v154, float %v155, float %v156, float %v157, float %v158, float %v159, float %v160, float %v161, float %v162, float %v163, float %v164, float %v165, float %v166, float %v167, float %v168, float %v169, float %v170, float %v171, float %v172, float %v173, float %v174, float %v175, float %v176, float %v177, float %v178, float %v179, float %v180, float %v181, float %v182, float %v183, float %v184, float %v185, float %v186, float %v187, float %v188, float %v189, float %v190, float %v191, float %v192, float %v193, float %v194, float %v195, float %v196, float %v197, float %v198, float %v199, float %v200, float %v201, float %v202, float %v203, float %v204, float %v205, float %v206, float %v207, float %v208, float %v209, float %v210, float %v211)
  %v213 = mul i32 %t, 64
  %v214 = add i32 %v213, 0
  %v215 = getelementptr i32, ptr addrspace(1) %out, i32 %v214
  store %d64 %v212, ptr addrspace(1) %v215, align 4
  ret void
}
define ptx_kernel void @sp_ss_n128_f16_s0(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 2
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 2
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 2
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 2
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  %v21 = add i32 %t, 512
  %v22 = add i32 %v21, 2
  %v23 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v22
  %v24 = load <4 x i32>, ptr addrspace(1) %v23, align 16
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v21
  store <4 x i32> %v24, ptr addrspace(3) %v25, align 16
  %v26 = add i32 %t, 640
  %v27 = add i32 %v26, 2
  %v28 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v27
  %v29 = load <4 x i32>, ptr addrspace(1) %v28, align 16
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v26
  store <4 x i32> %v29, ptr addrspace(3) %v30, align 16
  %v31 = add i32 %t, 768
  %v32 = add i32 %v31, 2
  %v33 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v32
  %v34 = load <4 x i32>, ptr addrspace(1) %v33, align 16
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v31
  store <4 x i32> %v34, ptr addrspace(3) %v35, align 16
  %v36 = add i32 %t, 896
  %v37 = add i32 %v36, 2
  %v38 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v37
  %v39 = load <4 x i32>, ptr addrspace(1) %v38, align 16
  %v40 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v36
  store <4 x i32> %v39, ptr addrspace(3) %v40, align 16
  %v41 = add i32 %t, 1024
  %v42 = add i32 %v41, 2
  %v43 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v42
  %v44 = load <4 x i32>, ptr addrspace(1) %v43, align 16
  %v45 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v41
  store <4 x i32> %v44, ptr addrspace(3) %v45, align 16
  %v46 = add i32 %t, 1152
  %v47 = add i32 %v46, 2
  %v48 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v47
  %v49 = load <4 x i32>, ptr addrspace(1) %v48, align 16
  %v50 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v46
  store <4 x i32> %v49, ptr addrspace(3) %v50, align 16
  %v51 = add i32 %t, 1280
  %v52 = add i32 %v51, 2
  %v53 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v52
  %v54 = load <4 x i32>, ptr addrspace(1) %v53, align 16
  %v55 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v51
  store <4 x i32> %v54, ptr addrspace(3) %v55, align 16
  %v56 = add i32 %t, 1408
  %v57 = add i32 %v56, 2
  %v58 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v57
  %v59 = load <4 x i32>, ptr addrspace(1) %v58, align 16
  %v60 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v56
  store <4 x i32> %v59, ptr addrspace(3) %v60, align 16
  %v61 = add i32 %t, 1536
  %v62 = add i32 %v61, 2
  %v63 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v62
  %v64 = load <4 x i32>, ptr addrspace(1) %v63, align 16
  %v65 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v61
  store <4 x i32> %v64, ptr addrspace(3) %v65, align 16
  %v66 = add i32 %t, 1664
  %v67 = add i32 %v66, 2
  %v68 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v67
  %v69 = load <4 x i32>, ptr addrspace(1) %v68, align 16
  %v70 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v66
  store <4 x i32> %v69, ptr addrspace(3) %v70, align 16
  %v71 = add i32 %t, 1792
  %v72 = add i32 %v71, 2
  %v73 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v72
  %v74 = load <4 x i32>, ptr addrspace(1) %v73, align 16
  %v75 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v71
  store <4 x i32> %v74, ptr addrspace(3) %v75, align 16
  %v76 = add i32 %t, 1920
  %v77 = add i32 %v76, 2
  %v78 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v77
  %v79 = load <4 x i32>, ptr addrspace(1) %v78, align 16
  %v80 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v76
  store <4 x i32> %v79, ptr addrspace(3) %v80, align 16
  %v81 = add i32 %t, 2048
  %v82 = add i32 %v81, 2
  %v83 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v82
  %v84 = load <4 x i32>, ptr addrspace(1) %v83, align 16
  %v85 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v81
  store <4 x i32> %v84, ptr addrspace(3) %v85, align 16
  %v86 = add i32 %t, 2176
  %v87 = add i32 %v86, 2
  %v88 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v87
  %v89 = load <4 x i32>, ptr addrspace(1) %v88, align 16
  %v90 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v86
  store <4 x i32> %v89, ptr addrspace(3) %v90, align 16
  %v91 = add i32 %t, 2304
  %v92 = add i32 %v91, 2
  %v93 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v92
  %v94 = load <4 x i32>, ptr addrspace(1) %v93, align 16
  %v95 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v91
  store <4 x i32> %v94, ptr addrspace(3) %v95, align 16
  %v96 = add i32 %t, 2432
  %v97 = add i32 %v96, 2
  %v98 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v97
  %v99 = load <4 x i32>, ptr addrspace(1) %v98, align 16
  %v100 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v96
  store <4 x i32> %v99, ptr addrspace(3) %v100, align 16
  %v101 = add i32 %t, 2560
  %v102 = add i32 %v101, 2
  %v103 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v102
  %v104 = load <4 x i32>, ptr addrspace(1) %v103, align 16
  %v105 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v101
  store <4 x i32> %v104, ptr addrspace(3) %v105, align 16
  %v106 = add i32 %t, 2688
  %v107 = add i32 %v106, 2
  %v108 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v107
  %v109 = load <4 x i32>, ptr addrspace(1) %v108, align 16
  %v110 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v106
  store <4 x i32> %v109, ptr addrspace(3) %v110, align 16
  %v111 = add i32 %t, 2816
  %v112 = add i32 %v111, 2
  %v113 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v112
  %v114 = load <4 x i32>, ptr addrspace(1) %v113, align 16
  %v115 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v111
  store <4 x i32> %v114, ptr addrspace(3) %v115, align 16
  %v116 = add i32 %t, 2944
  %v117 = add i32 %v116, 2
  %v118 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v117
  %v119 = load <4 x i32>, ptr addrspace(1) %v118, align 16
  %v120 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v116
  store <4 x i32> %v119, ptr addrspace(3) %v120, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v121 = ptrtoint ptr addrspace(3) @shared to i32
  %v122 = and i32 %v121, 262143
  %v123 = lshr i32 %v122, 4
  %v124 = zext i32 %v123 to i64
  %v125 = getelementptr i64, ptr addrspace(1) %in, i32 0
  %v126 = load i64, ptr addrspace(1) %v125
  %v127 = add i64 %v126, %v124
  %v128 = getelementptr i64, ptr addrspace(1) %in, i32 1
  %v129 = load i64, ptr addrspace(1) %v128
  %v130 = add i64 %v129, %v124
  %v131 = mul i32 %t, 1
  %v132 = add i32 %v131, 12296
  %v133 = getelementptr i32, ptr addrspace(1) %in, i32 %v132
  %v134 = load i32, ptr addrspace(1) %v133
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %v135 = call %d64 asm sideeffect "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sp.sync.aligned.m64n128k32.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44, $45, $46, $47, $48, $49, $50, $51, $52, $53, $54, $55, $56, $57, $58, $59, $60, $61, $62, $63}, $64, $65, $66, 0, p, 1, 1, 0, 0; }", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,l,l,r,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63"(i64 %v127, i64 %v130, i32 %v134, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison)
  %v136 = extractvalue %d64 %v135, 0
  %v137 = extractvalue %d64 %v135, 1
  %v138 = extractvalue %d64 %v135, 2
  %v139 = extractvalue %d64 %v135, 3
  %v140 = extractvalue %d64 %v135, 4
  %v141 = extractvalue %d64 %v135, 5
  %v142 = extractvalue %d64 %v135, 6
  %v143 = extractvalue %d64 %v135, 7
  %v144 = extractvalue %d64 %v135, 8
  %v145 = extractvalue %d64 %v135, 9
  %v146 = extractvalue %d64 %v135, 10
  %v147 = extractvalue %d64 %v135, 11
  %v148 = extractvalue %d64 %v135, 12
  %v149 = extractvalue %d64 %v135, 13
  %v150 = extractvalue %d64 %v135, 14
  %v151 = extractvalue %d64 %v135, 15
  %v152 = extractvalue %d64 %v135, 16
  %v153 = extractvalue %d64 %v135, 17
  %v154 = extractvalue %d64 %v135, 18
  %v155 = extractvalue %d64 %v135, 19
  %v156 = extractvalue %d64 %v135, 20
  %v157 = extractvalue %d64 %v135, 21
  %v158 = extractvalue %d64 %v135, 22
  %v159 = extractvalue %d64 %v135, 23
  %v160 = extractvalue %d64 %v135, 24
  %v161 = extractvalue %d64 %v135, 25
  %v162 = extractvalue %d64 %v135, 26
  %v163 = extractvalue %d64 %v135, 27
  %v164 = extractvalue %d64 %v135, 28
  %v165 = extractvalue %d64 %v135, 29
  %v166 = extractvalue %d64 %v135, 30
  %v167 = extractvalue %d64 %v135, 31
  %v168 = extractvalue %d64 %v135, 32
  %v169 = extractvalue %d64 %v135, 33
  %v170 = extractvalue %d64 %v135, 34
  %v171 = extractvalue %d64 %v135, 35
  %v172 = extractvalue %d64 %v135, 36
  %v173 = extractvalue %d64 %v135, 37
  %v174 = extractvalue %d64 %v135, 38
  %v175 = extractvalue %d64 %v135, 39
  %v176 = extractvalue %d64 %v135, 40
  %v177 = extractvalue %d64 %v135, 41
  %v178 = extractvalue %d64 %v135, 42
  %v179 = extractvalue %d64 %v135, 43
  %v180 = extractvalue %d64 %v135, 44
  %v181 = extractvalue %d64 %v135, 45
  %v182 = extractvalue %d64 %v135, 46
  %v183 = extractvalue %d64 %v135, 47
  %v184 = extractvalue %d64 %v135, 48
  %v185 = extractvalue %d64 %v135, 49
  %v186 = extractvalue %d64 %v135, 50
  %v187 = extractvalue %d64 %v135, 51
  %v188 = extractvalue %d64 %v135, 52
  %v189 = extractvalue %d64 %v135, 53
  %v190 = extractvalue %d64 %v135, 54
  %v191 = extractvalue %d64 %v135, 55
  %v192 = extractvalue %d64 %v135, 56
  %v193 = extractvalue %d64 %v135, 57
  %v194 = extractvalue %d64 %v135, 58
  %v195 = extractvalue %d64 %v135, 59
  %v196 = extractvalue %d64 %v135, 60
  %v197 = extractvalue %d64 %v135, 61
  %v198 = extractvalue %d64 %v135, 62
  %v199 = extractvalue %d64 %v135, 63
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %v200 = call %d64 asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63"(float %v136, float %v137, float %v138, float %v139, float %v140, float %v141, float %v142, float %v143, float %v144, float %v145, float %v146, float %v147, float %v148, float %v149, float %v150, float %v151, float %v152, float %v153, float %v154, float %v155, float %v156, float %v157, float %v158, float %v159, float %v160, float %v161, float %v162, float %v163, float %v164, float %v165, float %v166, float %v167, float %v168, float %v169, float %v170, float %v171, float %v172, float %v173, float %v174, float %v175, float %v176, float %v177, float %v178, float %v179, float %v180, float %v181, float %v182, float %v183, float %v184, float %v185, float %v186, float %v187, float %v188, float %v189, float %v190, float %v191, float %v192, float %v193, float %v194, float %v195, float %v196, float %v197, float %v198, float %v199)
  %v201 = mul i32 %t, 64
  %v202 = add i32 %v201, 0
  %v203 = getelementptr i32, ptr addrspace(1) %out, i32 %v202
  store %d64 %v200, ptr addrspace(1) %v203, align 4
  ret void
}
define ptx_kernel void @sp_ss_n128_f16_s1(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 2
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 2
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 2
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 2
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  %v21 = add i32 %t, 512
  %v22 = add i32 %v21, 2
  %v23 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v22
  %v24 = load <4 x i32>, ptr addrspace(1) %v23, align 16
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v21
  store <4 x i32> %v24, ptr addrspace(3) %v25, align 16
  %v26 = add i32 %t, 640
  %v27 = add i32 %v26, 2
  %v28 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v27
  %v29 = load <4 x i32>, ptr addrspace(1) %v28, align 16
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v26
  store <4 x i32> %v29, ptr addrspace(3) %v30, align 16
  %v31 = add i32 %t, 768
  %v32 = add i32 %v31, 2
  %v33 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v32
  %v34 = load <4 x i32>, ptr addrspace(1) %v33, align 16
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v31
  store <4 x i32> %v34, ptr addrspace(3) %v35, align 16
  %v36 = add i32 %t, 896
  %v37 = add i32 %v36, 2
  %v38 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v37
  %v39 = load <4 x i32>, ptr addrspace(1) %v38, align 16
  %v40 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v36
  store <4 x i32> %v39, ptr addrspace(3) %v40, align 16
  %v41 = add i32 %t, 1024
  %v42 = add i32 %v41, 2
  %v43 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v42
  %v44 = load <4 x i32>, ptr addrspace(1) %v43, align 16
  %v45 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v41
  store <4 x i32> %v44, ptr addrspace(3) %v45, align 16
  %v46 = add i32 %t, 1152
  %v47 = add i32 %v46, 2
  %v48 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v47
  %v49 = load <4 x i32>, ptr addrspace(1) %v48, align 16
  %v50 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v46
  store <4 x i32> %v49, ptr addrspace(3) %v50, align 16
  %v51 = add i32 %t, 1280
  %v52 = add i32 %v51, 2
  %v53 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v52
  %v54 = load <4 x i32>, ptr addrspace(1) %v53, align 16
  %v55 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v51
  store <4 x i32> %v54, ptr addrspace(3) %v55, align 16
  %v56 = add i32 %t, 1408
  %v57 = add i32 %v56, 2
  %v58 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v57
  %v59 = load <4 x i32>, ptr addrspace(1) %v58, align 16
  %v60 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v56
  store <4 x i32> %v59, ptr addrspace(3) %v60, align 16
  %v61 = add i32 %t, 1536
  %v62 = add i32 %v61, 2
  %v63 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v62
  %v64 = load <4 x i32>, ptr addrspace(1) %v63, align 16
  %v65 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v61
  store <4 x i32> %v64, ptr addrspace(3) %v65, align 16
  %v66 = add i32 %t, 1664
  %v67 = add i32 %v66, 2
  %v68 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v67
  %v69 = load <4 x i32>, ptr addrspace(1) %v68, align 16
  %v70 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v66
  store <4 x i32> %v69, ptr addrspace(3) %v70, align 16
  %v71 = add i32 %t, 1792
  %v72 = add i32 %v71, 2
  %v73 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v72
  %v74 = load <4 x i32>, ptr addrspace(1) %v73, align 16
  %v75 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v71
  store <4 x i32> %v74, ptr addrspace(3) %v75, align 16
  %v76 = add i32 %t, 1920
  %v77 = add i32 %v76, 2
  %v78 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v77
  %v79 = load <4 x i32>, ptr addrspace(1) %v78, align 16
  %v80 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v76
  store <4 x i32> %v79, ptr addrspace(3) %v80, align 16
  %v81 = add i32 %t, 2048
  %v82 = add i32 %v81, 2
  %v83 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v82
  %v84 = load <4 x i32>, ptr addrspace(1) %v83, align 16
  %v85 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v81
  store <4 x i32> %v84, ptr addrspace(3) %v85, align 16
  %v86 = add i32 %t, 2176
  %v87 = add i32 %v86, 2
  %v88 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v87
  %v89 = load <4 x i32>, ptr addrspace(1) %v88, align 16
  %v90 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v86
  store <4 x i32> %v89, ptr addrspace(3) %v90, align 16
  %v91 = add i32 %t, 2304
  %v92 = add i32 %v91, 2
  %v93 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v92
  %v94 = load <4 x i32>, ptr addrspace(1) %v93, align 16
  %v95 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v91
  store <4 x i32> %v94, ptr addrspace(3) %v95, align 16
  %v96 = add i32 %t, 2432
  %v97 = add i32 %v96, 2
  %v98 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v97
  %v99 = load <4 x i32>, ptr addrspace(1) %v98, align 16
  %v100 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v96
  store <4 x i32> %v99, ptr addrspace(3) %v100, align 16
  %v101 = add i32 %t, 2560
  %v102 = add i32 %v101, 2
  %v103 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v102
  %v104 = load <4 x i32>, ptr addrspace(1) %v103, align 16
  %v105 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v101
  store <4 x i32> %v104, ptr addrspace(3) %v105, align 16
  %v106 = add i32 %t, 2688
  %v107 = add i32 %v106, 2
  %v108 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v107
  %v109 = load <4 x i32>, ptr addrspace(1) %v108, align 16
  %v110 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v106
  store <4 x i32> %v109, ptr addrspace(3) %v110, align 16
  %v111 = add i32 %t, 2816
  %v112 = add i32 %v111, 2
  %v113 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v112
  %v114 = load <4 x i32>, ptr addrspace(1) %v113, align 16
  %v115 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v111
  store <4 x i32> %v114, ptr addrspace(3) %v115, align 16
  %v116 = add i32 %t, 2944
  %v117 = add i32 %v116, 2
  %v118 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v117
  %v119 = load <4 x i32>, ptr addrspace(1) %v118, align 16
  %v120 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v116
  store <4 x i32> %v119, ptr addrspace(3) %v120, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v121 = ptrtoint ptr addrspace(3) @shared to i32
  %v122 = and i32 %v121, 262143
  %v123 = lshr i32 %v122, 4
  %v124 = zext i32 %v123 to i64
  %v125 = getelementptr i64, ptr addrspace(1) %in, i32 0
  %v126 = load i64, ptr addrspace(1) %v125
  %v127 = add i64 %v126, %v124
  %v128 = getelementptr i64, ptr addrspace(1) %in, i32 1
  %v129 = load i64, ptr addrspace(1) %v128
  %v130 = add i64 %v129, %v124
  %v131 = mul i32 %t, 1
  %v132 = add i32 %v131, 12296
  %v133 = getelementptr i32, ptr addrspace(1) %in, i32 %v132
  %v134 = load i32, ptr addrspace(1) %v133
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %v135 = call %d64 asm sideeffect "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sp.sync.aligned.m64n128k32.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44, $45, $46, $47, $48, $49, $50, $51, $52, $53, $54, $55, $56, $57, $58, $59, $60, $61, $62, $63}, $64, $65, $66, 1, p, 1, 1, 0, 0; }", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,l,l,r,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63"(i64 %v127, i64 %v130, i32 %v134, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison)
  %v136 = extractvalue %d64 %v135, 0
  %v137 = extractvalue %d64 %v135, 1
  %v138 = extractvalue %d64 %v135, 2
  %v139 = extractvalue %d64 %v135, 3
  %v140 = extractvalue %d64 %v135, 4
  %v141 = extractvalue %d64 %v135, 5
  %v142 = extractvalue %d64 %v135, 6
  %v143 = extractvalue %d64 %v135, 7
  %v144 = extractvalue %d64 %v135, 8
  %v145 = extractvalue %d64 %v135, 9
  %v146 = extractvalue %d64 %v135, 10
  %v147 = extractvalue %d64 %v135, 11
  %v148 = extractvalue %d64 %v135, 12
  %v149 = extractvalue %d64 %v135, 13
  %v150 = extractvalue %d64 %v135, 14
  %v151 = extractvalue %d64 %v135, 15
  %v152 = extractvalue %d64 %v135, 16
  %v153 = extractvalue %d64 %v135, 17
  %v154 = extractvalue %d64 %v135, 18
  %v155 = extractvalue %d64 %v135, 19
  %v156 = extractvalue %d64 %v135, 20
  %v157 = extractvalue %d64 %v135, 21
  %v158 = extractvalue %d64 %v135, 22
  %v159 = extractvalue %d64 %v135, 23
  %v160 = extractvalue %d64 %v135, 24
  %v161 = extractvalue %d64 %v135, 25
  %v162 = extractvalue %d64 %v135, 26
  %v163 = extractvalue %d64 %v135, 27
  %v164 = extractvalue %d64 %v135, 28
  %v165 = extractvalue %d64 %v135, 29
  %v166 = extractvalue %d64 %v135, 30
  %v167 = extractvalue %d64 %v135, 31
  %v168 = extractvalue %d64 %v135, 32
  %v169 = extractvalue %d64 %v135, 33
  %v170 = extractvalue %d64 %v135, 34
  %v171 = extractvalue %d64 %v135, 35
  %v172 = extractvalue %d64 %v135, 36
  %v173 = extractvalue %d64 %v135, 37
  %v174 = extractvalue %d64 %v135, 38
  %v175 = extractvalue %d64 %v135, 39
  %v176 = extractvalue %d64 %v135, 40
  %v177 = extractvalue %d64 %v135, 41
  %v178 = extractvalue %d64 %v135, 42
  %v179 = extractvalue %d64 %v135, 43
  %v180 = extractvalue %d64 %v135, 44
  %v181 = extractvalue %d64 %v135, 45
  %v182 = extractvalue %d64 %v135, 46
  %v183 = extractvalue %d64 %v135, 47
  %v184 = extractvalue %d64 %v135, 48
  %v185 = extractvalue %d64 %v135, 49
  %v186 = extractvalue %d64 %v135, 50
  %v187 = extractvalue %d64 %v135, 51
  %v188 = extractvalue %d64 %v135, 52
  %v189 = extractvalue %d64 %v135, 53
  %v190 = extractvalue %d64 %v135, 54
  %v191 = extractvalue %d64 %v135, 55
  %v192 = extractvalue %d64 %v135, 56
  %v193 = extractvalue %d64 %v135, 57
  %v194 = extractvalue %d64 %v135, 58
  %v195 = extractvalue %d64 %v135, 59
  %v196 = extractvalue %d64 %v135, 60
  %v197 = extractvalue %d64 %v135, 61
  %v198 = extractvalue %d64 %v135, 62
  %v199 = extractvalue %d64 %v135, 63
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %v200 = call %d64 asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63"(float %v136, float %v137, float %v138, float %v139, float %v140, float %v141, float %v142, float %v143, float %v144, float %v145, float %v146, float %v147, float %v148, float %v149, float %v150, float %v151, float %v152, float %v153, float %v154, float %v155, float %v156, float %v157, float %v158, float %v159, float %v160, float %v161, float %v162, float %v163, float %v164, float %v165, float %v166, float %v167, float %v168, float %v169, float %v170, float %v171, float %v172, float %v173, float %v174, float %v175, float %v176, float %v177, float %v178, float %v179, float %v180, float %v181, float %v182, float %v183, float %v184, float %v185, float %v186, float %v187, float %v188, float %v189, float %v190, float %v191, float %v192, float %v193, float %v194, float %v195, float %v196, float %v197, float %v198, float %v199)
  %v201 = mul i32 %t, 64
  %v202 = add i32 %v201, 0
  %v203 = getelementptr i32, ptr addrspace(1) %out, i32 %v202
  store %d64 %v200, ptr addrspace(1) %v203, align 4
  ret void
}
define ptx_kernel void @sp_rs_n128_f16_s0(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 2
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 2
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 2
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 2
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  %v21 = add i32 %t, 512
  %v22 = add i32 %v21, 2
  %v23 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v22
  %v24 = load <4 x i32>, ptr addrspace(1) %v23, align 16
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v21
  store <4 x i32> %v24, ptr addrspace(3) %v25, align 16
  %v26 = add i32 %t, 640
  %v27 = add i32 %v26, 2
  %v28 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v27
  %v29 = load <4 x i32>, ptr addrspace(1) %v28, align 16
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v26
  store <4 x i32> %v29, ptr addrspace(3) %v30, align 16
  %v31 = add i32 %t, 768
  %v32 = add i32 %v31, 2
  %v33 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v32
  %v34 = load <4 x i32>, ptr addrspace(1) %v33, align 16
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v31
  store <4 x i32> %v34, ptr addrspace(3) %v35, align 16
  %v36 = add i32 %t, 896
  %v37 = add i32 %v36, 2
  %v38 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v37
  %v39 = load <4 x i32>, ptr addrspace(1) %v38, align 16
  %v40 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v36
  store <4 x i32> %v39, ptr addrspace(3) %v40, align 16
  %v41 = add i32 %t, 1024
  %v42 = add i32 %v41, 2
  %v43 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v42
  %v44 = load <4 x i32>, ptr addrspace(1) %v43, align 16
  %v45 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v41
  store <4 x i32> %v44, ptr addrspace(3) %v45, align 16
  %v46 = add i32 %t, 1152
  %v47 = add i32 %v46, 2
  %v48 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v47
  %v49 = load <4 x i32>, ptr addrspace(1) %v48, align 16
  %v50 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v46
  store <4 x i32> %v49, ptr addrspace(3) %v50, align 16
  %v51 = add i32 %t, 1280
  %v52 = add i32 %v51, 2
  %v53 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v52
  %v54 = load <4 x i32>, ptr addrspace(1) %v53, align 16
  %v55 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v51
  store <4 x i32> %v54, ptr addrspace(3) %v55, align 16
  %v56 = add i32 %t, 1408
  %v57 = add i32 %v56, 2
  %v58 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v57
  %v59 = load <4 x i32>, ptr addrspace(1) %v58, align 16
  %v60 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v56
  store <4 x i32> %v59, ptr addrspace(3) %v60, align 16
  %v61 = add i32 %t, 1536
  %v62 = add i32 %v61, 2
  %v63 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v62
  %v64 = load <4 x i32>, ptr addrspace(1) %v63, align 16
  %v65 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v61
  store <4 x i32> %v64, ptr addrspace(3) %v65, align 16
  %v66 = add i32 %t, 1664
  %v67 = add i32 %v66, 2
  %v68 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v67
  %v69 = load <4 x i32>, ptr addrspace(1) %v68, align 16
  %v70 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v66
  store <4 x i32> %v69, ptr addrspace(3) %v70, align 16
  %v71 = add i32 %t, 1792
  %v72 = add i32 %v71, 2
  %v73 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v72
  %v74 = load <4 x i32>, ptr addrspace(1) %v73, align 16
  %v75 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v71
  store <4 x i32> %v74, ptr addrspace(3) %v75, align 16
  %v76 = add i32 %t, 1920
  %v77 = add i32 %v76, 2
  %v78 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v77
  %v79 = load <4 x i32>, ptr addrspace(1) %v78, align 16
  %v80 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v76
  store <4 x i32> %v79, ptr addrspace(3) %v80, align 16
  %v81 = add i32 %t, 2048
  %v82 = add i32 %v81, 2
  %v83 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v82
  %v84 = load <4 x i32>, ptr addrspace(1) %v83, align 16
  %v85 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v81
  store <4 x i32> %v84, ptr addrspace(3) %v85, align 16
  %v86 = add i32 %t, 2176
  %v87 = add i32 %v86, 2
  %v88 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v87
  %v89 = load <4 x i32>, ptr addrspace(1) %v88, align 16
  %v90 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v86
  store <4 x i32> %v89, ptr addrspace(3) %v90, align 16
  %v91 = add i32 %t, 2304
  %v92 = add i32 %v91, 2
  %v93 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v92
  %v94 = load <4 x i32>, ptr addrspace(1) %v93, align 16
  %v95 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v91
  store <4 x i32> %v94, ptr addrspace(3) %v95, align 16
  %v96 = add i32 %t, 2432
  %v97 = add i32 %v96, 2
  %v98 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v97
  %v99 = load <4 x i32>, ptr addrspace(1) %v98, align 16
  %v100 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v96
  store <4 x i32> %v99, ptr addrspace(3) %v100, align 16
  %v101 = add i32 %t, 2560
  %v102 = add i32 %v101, 2
  %v103 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v102
  %v104 = load <4 x i32>, ptr addrspace(1) %v103, align 16
  %v105 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v101
  store <4 x i32> %v104, ptr addrspace(3) %v105, align 16
  %v106 = add i32 %t, 2688
  %v107 = add i32 %v106, 2
  %v108 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v107
  %v109 = load <4 x i32>, ptr addrspace(1) %v108, align 16
  %v110 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v106
  store <4 x i32> %v109, ptr addrspace(3) %v110, align 16
  %v111 = add i32 %t, 2816
  %v112 = add i32 %v111, 2
  %v113 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v112
  %v114 = load <4 x i32>, ptr addrspace(1) %v113, align 16
  %v115 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v111
  store <4 x i32> %v114, ptr addrspace(3) %v115, align 16
  %v116 = add i32 %t, 2944
  %v117 = add i32 %v116, 2
  %v118 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v117
  %v119 = load <4 x i32>, ptr addrspace(1) %v118, align 16
  %v120 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v116
  store <4 x i32> %v119, ptr addrspace(3) %v120, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v121 = ptrtoint ptr addrspace(3) @shared to i32
  %v122 = and i32 %v121, 262143
  %v123 = lshr i32 %v122, 4
  %v124 = zext i32 %v123 to i64
  %v125 = getelementptr i64, ptr addrspace(1) %in, i32 0
  %v126 = load i64, ptr addrspace(1) %v125
  %v127 = add i64 %v126, %v124
  %v128 = getelementptr i64, ptr addrspace(1) %in, i32 1
  %v129 = load i64, ptr addrspace(1) %v128
  %v130 = add i64 %v129, %v124
  %v131 = mul i32 %t, 1
  %v132 = add i32 %v131, 12296
  %v133 = getelementptr i32, ptr addrspace(1) %in, i32 %v132
  %v134 = load i32, ptr addrspace(1) %v133
  %v135 = mul i32 %t, 4
  %v136 = add i32 %v135, 12424
  %v137 = getelementptr i32, ptr addrspace(1) %in, i32 %v136
  %v138 = load i32, ptr addrspace(1) %v137
  %v139 = mul i32 %t, 4
  %v140 = add i32 %v139, 12425
  %v141 = getelementptr i32, ptr addrspace(1) %in, i32 %v140
  %v142 = load i32, ptr addrspace(1) %v141
  %v143 = mul i32 %t, 4
  %v144 = add i32 %v143, 12426
  %v145 = getelementptr i32, ptr addrspace(1) %in, i32 %v144
  %v146 = load i32, ptr addrspace(1) %v145
  %v147 = mul i32 %t, 4
  %v148 = add i32 %v147, 12427
  %v149 = getelementptr i32, ptr addrspace(1) %in, i32 %v148
  %v150 = load i32, ptr addrspace(1) %v149
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %v151 = call %d64 asm sideeffect "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sp.sync.aligned.m64n128k32.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44, $45, $46, $47, $48, $49, $50, $51, $52, $53, $54, $55, $56, $57, $58, $59, $60, $61, $62, $63}, {$64, $65, $66, $67}, $68, $69, 0, p, 1, 1, 0; }", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,r,r,r,r,l,r,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63"(i32 %v138, i32 %v142, i32 %v146, i32 %v150, i64 %v130, i32 %v134, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison)
  %v152 = extractvalue %d64 %v151, 0
  %v153 = extractvalue %d64 %v151, 1
  %v154 = extractvalue %d64 %v151, 2
  %v155 = extractvalue %d64 %v151, 3
  %v156 = extractvalue %d64 %v151, 4
  %v157 = extractvalue %d64 %v151, 5
  %v158 = extractvalue %d64 %v151, 6
  %v159 = extractvalue %d64 %v151, 7
  %v160 = extractvalue %d64 %v151, 8
  %v161 = extractvalue %d64 %v151, 9
  %v162 = extractvalue %d64 %v151, 10
  %v163 = extractvalue %d64 %v151, 11
  %v164 = extractvalue %d64 %v151, 12
  %v165 = extractvalue %d64 %v151, 13
  %v166 = extractvalue %d64 %v151, 14
  %v167 = extractvalue %d64 %v151, 15
  %v168 = extractvalue %d64 %v151, 16
  %v169 = extractvalue %d64 %v151, 17
  %v170 = extractvalue %d64 %v151, 18
  %v171 = extractvalue %d64 %v151, 19
  %v172 = extractvalue %d64 %v151, 20
  %v173 = extractvalue %d64 %v151, 21
  %v174 = extractvalue %d64 %v151, 22
  %v175 = extractvalue %d64 %v151, 23
  %v176 = extractvalue %d64 %v151, 24
  %v177 = extractvalue %d64 %v151, 25
  %v178 = extractvalue %d64 %v151, 26
  %v179 = extractvalue %d64 %v151, 27
  %v180 = extractvalue %d64 %v151, 28
  %v181 = extractvalue %d64 %v151, 29
  %v182 = extractvalue %d64 %v151, 30
  %v183 = extractvalue %d64 %v151, 31
  %v184 = extractvalue %d64 %v151, 32
  %v185 = extractvalue %d64 %v151, 33
  %v186 = extractvalue %d64 %v151, 34
  %v187 = extractvalue %d64 %v151, 35
  %v188 = extractvalue %d64 %v151, 36
  %v189 = extractvalue %d64 %v151, 37
  %v190 = extractvalue %d64 %v151, 38
  %v191 = extractvalue %d64 %v151, 39
  %v192 = extractvalue %d64 %v151, 40
  %v193 = extractvalue %d64 %v151, 41
  %v194 = extractvalue %d64 %v151, 42
  %v195 = extractvalue %d64 %v151, 43
  %v196 = extractvalue %d64 %v151, 44
  %v197 = extractvalue %d64 %v151, 45
  %v198 = extractvalue %d64 %v151, 46
  %v199 = extractvalue %d64 %v151, 47
  %v200 = extractvalue %d64 %v151, 48
  %v201 = extractvalue %d64 %v151, 49
  %v202 = extractvalue %d64 %v151, 50
  %v203 = extractvalue %d64 %v151, 51
  %v204 = extractvalue %d64 %v151, 52
  %v205 = extractvalue %d64 %v151, 53
  %v206 = extractvalue %d64 %v151, 54
  %v207 = extractvalue %d64 %v151, 55
  %v208 = extractvalue %d64 %v151, 56
  %v209 = extractvalue %d64 %v151, 57
  %v210 = extractvalue %d64 %v151, 58
  %v211 = extractvalue %d64 %v151, 59
  %v212 = extractvalue %d64 %v151, 60
  %v213 = extractvalue %d64 %v151, 61
  %v214 = extractvalue %d64 %v151, 62
  %v215 = extractvalue %d64 %v151, 63
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %v216 = call %d64 asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63"(float %v152, float %v153, float %v154, float %v155, float %v156, float %v157, float %v158, float %v159, float %v160, float %v161, float %v162, float %v163, float %v164, float %v165, float %v166, float %v167, float %v168, float %v169, float %v170, float %v171, float %v172, float %v173, float %v174, float %v175, float %v176, float %v177, float %v178, float %v179, float %v180, float %v181, float %v182, float %v183, float %v184, float %v185, float %v186, float %v187, float %v188, float %v189, float %v190, float %v191, float %v192, float %v193, float %v194, float %v195, float %v196, float %v197, float %v198, float %v199, float %v200, float %v201, float %v202, float %v203, float %v204, float %v205, float %v206, float %v207, float %v208, float %v209, float %v210, float %v211, float %v212, float %v213, float %v214, float %v215)
  %v217 = mul i32 %t, 64
  %v218 = add i32 %v217, 0
  %v219 = getelementptr i32, ptr addrspace(1) %out, i32 %v218
  store %d64 %v216, ptr addrspace(1) %v219, align 4
  ret void
}
define ptx_kernel void @sp_rs_n128_f16_s1(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 2
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 2
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 2
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 2
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  %v21 = add i32 %t, 512
  %v22 = add i32 %v21, 2
  %v23 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v22
  %v24 = load <4 x i32>, ptr addrspace(1) %v23, align 16
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v21
  store <4 x i32> %v24, ptr addrspace(3) %v25, align 16
  %v26 = add i32 %t, 640
  %v27 = add i32 %v26, 2
  %v28 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v27
  %v29 = load <4 x i32>, ptr addrspace(1) %v28, align 16
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v26
  store <4 x i32> %v29, ptr addrspace(3) %v30, align 16
  %v31 = add i32 %t, 768
  %v32 = add i32 %v31, 2
  %v33 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v32
  %v34 = load <4 x i32>, ptr addrspace(1) %v33, align 16
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v31
  store <4 x i32> %v34, ptr addrspace(3) %v35, align 16
  %v36 = add i32 %t, 896
  %v37 = add i32 %v36, 2
  %v38 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v37
  %v39 = load <4 x i32>, ptr addrspace(1) %v38, align 16
  %v40 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v36
  store <4 x i32> %v39, ptr addrspace(3) %v40, align 16
  %v41 = add i32 %t, 1024
  %v42 = add i32 %v41, 2
  %v43 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v42
  %v44 = load <4 x i32>, ptr addrspace(1) %v43, align 16
  %v45 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v41
  store <4 x i32> %v44, ptr addrspace(3) %v45, align 16
  %v46 = add i32 %t, 1152
  %v47 = add i32 %v46, 2
  %v48 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v47
  %v49 = load <4 x i32>, ptr addrspace(1) %v48, align 16
  %v50 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v46
  store <4 x i32> %v49, ptr addrspace(3) %v50, align 16
  %v51 = add i32 %t, 1280
  %v52 = add i32 %v51, 2
  %v53 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v52
  %v54 = load <4 x i32>, ptr addrspace(1) %v53, align 16
  %v55 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v51
  store <4 x i32> %v54, ptr addrspace(3) %v55, align 16
  %v56 = add i32 %t, 1408
  %v57 = add i32 %v56, 2
  %v58 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v57
  %v59 = load <4 x i32>, ptr addrspace(1) %v58, align 16
  %v60 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v56
  store <4 x i32> %v59, ptr addrspace(3) %v60, align 16
  %v61 = add i32 %t, 1536
  %v62 = add i32 %v61, 2
  %v63 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v62
  %v64 = load <4 x i32>, ptr addrspace(1) %v63, align 16
  %v65 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v61
  store <4 x i32> %v64, ptr addrspace(3) %v65, align 16
  %v66 = add i32 %t, 1664
  %v67 = add i32 %v66, 2
  %v68 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v67
  %v69 = load <4 x i32>, ptr addrspace(1) %v68, align 16
  %v70 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v66
  store <4 x i32> %v69, ptr addrspace(3) %v70, align 16
  %v71 = add i32 %t, 1792
  %v72 = add i32 %v71, 2
  %v73 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v72
  %v74 = load <4 x i32>, ptr addrspace(1) %v73, align 16
  %v75 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v71
  store <4 x i32> %v74, ptr addrspace(3) %v75, align 16
  %v76 = add i32 %t, 1920
  %v77 = add i32 %v76, 2
  %v78 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v77
  %v79 = load <4 x i32>, ptr addrspace(1) %v78, align 16
  %v80 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v76
  store <4 x i32> %v79, ptr addrspace(3) %v80, align 16
  %v81 = add i32 %t, 2048
  %v82 = add i32 %v81, 2
  %v83 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v82
  %v84 = load <4 x i32>, ptr addrspace(1) %v83, align 16
  %v85 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v81
  store <4 x i32> %v84, ptr addrspace(3) %v85, align 16
  %v86 = add i32 %t, 2176
  %v87 = add i32 %v86, 2
  %v88 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v87
  %v89 = load <4 x i32>, ptr addrspace(1) %v88, align 16
  %v90 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v86
  store <4 x i32> %v89, ptr addrspace(3) %v90, align 16
  %v91 = add i32 %t, 2304
  %v92 = add i32 %v91, 2
  %v93 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v92
  %v94 = load <4 x i32>, ptr addrspace(1) %v93, align 16
  %v95 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v91
  store <4 x i32> %v94, ptr addrspace(3) %v95, align 16
  %v96 = add i32 %t, 2432
  %v97 = add i32 %v96, 2
  %v98 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v97
  %v99 = load <4 x i32>, ptr addrspace(1) %v98, align 16
  %v100 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v96
  store <4 x i32> %v99, ptr addrspace(3) %v100, align 16
  %v101 = add i32 %t, 2560
  %v102 = add i32 %v101, 2
  %v103 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v102
  %v104 = load <4 x i32>, ptr addrspace(1) %v103, align 16
  %v105 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v101
  store <4 x i32> %v104, ptr addrspace(3) %v105, align 16
  %v106 = add i32 %t, 2688
  %v107 = add i32 %v106, 2
  %v108 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v107
  %v109 = load <4 x i32>, ptr addrspace(1) %v108, align 16
  %v110 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v106
  store <4 x i32> %v109, ptr addrspace(3) %v110, align 16
  %v111 = add i32 %t, 2816
  %v112 = add i32 %v111, 2
  %v113 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v112
  %v114 = load <4 x i32>, ptr addrspace(1) %v113, align 16
  %v115 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v111
  store <4 x i32> %v114, ptr addrspace(3) %v115, align 16
  %v116 = add i32 %t, 2944
  %v117 = add i32 %v116, 2
  %v118 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v117
  %v119 = load <4 x i32>, ptr addrspace(1) %v118, align 16
  %v120 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v116
  store <4 x i32> %v119, ptr addrspace(3) %v120, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v121 = ptrtoint ptr addrspace(3) @shared to i32
  %v122 = and i32 %v121, 262143
  %v123 = lshr i32 %v122, 4
  %v124 = zext i32 %v123 to i64
  %v125 = getelementptr i64, ptr addrspace(1) %in, i32 0
  %v126 = load i64, ptr addrspace(1) %v125
  %v127 = add i64 %v126, %v124
  %v128 = getelementptr i64, ptr addrspace(1) %in, i32 1
  %v129 = load i64, ptr addrspace(1) %v128
  %v130 = add i64 %v129, %v124
  %v131 = mul i32 %t, 1
  %v132 = add i32 %v131, 12296
  %v133 = getelementptr i32, ptr addrspace(1) %in, i32 %v132
  %v134 = load i32, ptr addrspace(1) %v133
  %v135 = mul i32 %t, 4
  %v136 = add i32 %v135, 12424
  %v137 = getelementptr i32, ptr addrspace(1) %in, i32 %v136
  %v138 = load i32, ptr addrspace(1) %v137
  %v139 = mul i32 %t, 4
  %v140 = add i32 %v139, 12425
  %v141 = getelementptr i32, ptr addrspace(1) %in, i32 %v140
  %v142 = load i32, ptr addrspace(1) %v141
  %v143 = mul i32 %t, 4
  %v144 = add i32 %v143, 12426
  %v145 = getelementptr i32, ptr addrspace(1) %in, i32 %v144
  %v146 = load i32, ptr addrspace(1) %v145
  %v147 = mul i32 %t, 4
  %v148 = add i32 %v147, 12427
  %v149 = getelementptr i32, ptr addrspace(1) %in, i32 %v148
  %v150 = load i32, ptr addrspace(1) %v149
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %v151 = call %d64 asm sideeffect "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sp.sync.aligned.m64n128k32.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44, $45, $46, $47, $48, $49, $50, $51, $52, $53, $54, $55, $56, $57, $58, $59, $60, $61, $62, $63}, {$64, $65, $66, $67}, $68, $69, 1, p, 1, 1, 0; }", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,r,r,r,r,l,r,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63"(i32 %v138, i32 %v142, i32 %v146, i32 %v150, i64 %v130, i32 %v134, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison)
  %v152 = extractvalue %d64 %v151, 0
  %v153 = extractvalue %d64 %v151, 1
  %v154 = extractvalue %d64 %v151, 2
  %v155 = extractvalue %d64 %v151, 3
  %v156 = extractvalue %d64 %v151, 4
  %v157 = extractvalue %d64 %v151, 5
  %v158 = extractvalue %d64 %v151, 6
  %v159 = extractvalue %d64 %v151, 7
  %v160 = extractvalue %d64 %v151, 8
  %v161 = extractvalue %d64 %v151, 9
  %v162 = extractvalue %d64 %v151, 10
  %v163 = extractvalue %d64 %v151, 11
  %v164 = extractvalue %d64 %v151, 12
  %v165 = extractvalue %d64 %v151, 13
  %v166 = extractvalue %d64 %v151, 14
  %v167 = extractvalue %d64 %v151, 15
  %v168 = extractvalue %d64 %v151, 16
  %v169 = extractvalue %d64 %v151, 17
  %v170 = extractvalue %d64 %v151, 18
  %v171 = extractvalue %d64 %v151, 19
  %v172 = extractvalue %d64 %v151, 20
  %v173 = extractvalue %d64 %v151, 21
  %v174 = extractvalue %d64 %v151, 22
  %v175 = extractvalue %d64 %v151, 23
  %v176 = extractvalue %d64 %v151, 24
  %v177 = extractvalue %d64 %v151, 25
  %v178 = extractvalue %d64 %v151, 26
  %v179 = extractvalue %d64 %v151, 27
  %v180 = extractvalue %d64 %v151, 28
  %v181 = extractvalue %d64 %v151, 29
  %v182 = extractvalue %d64 %v151, 30
  %v183 = extractvalue %d64 %v151, 31
  %v184 = extractvalue %d64 %v151, 32
  %v185 = extractvalue %d64 %v151, 33
  %v186 = extractvalue %d64 %v151, 34
  %v187 = extractvalue %d64 %v151, 35
  %v188 = extractvalue %d64 %v151, 36
  %v189 = extractvalue %d64 %v151, 37
  %v190 = extractvalue %d64 %v151, 38
  %v191 = extractvalue %d64 %v151, 39
  %v192 = extractvalue %d64 %v151, 40
  %v193 = extractvalue %d64 %v151, 41
  %v194 = extractvalue %d64 %v151, 42
  %v195 = extractvalue %d64 %v151, 43
  %v196 = extractvalue %d64 %v151, 44
  %v197 = extractvalue %d64 %v151, 45
  %v198 = extractvalue %d64 %v151, 46
  %v199 = extractvalue %d64 %v151, 47
  %v200 = extractvalue %d64 %v151, 48
  %v201 = extractvalue %d64 %v151, 49
  %v202 = extractvalue %d64 %v151, 50
  %v203 = extractvalue %d64 %v151, 51
  %v204 = extractvalue %d64 %v151, 52
  %v205 = extractvalue %d64 %v151, 53
  %v206 = extractvalue %d64 %v151, 54
  %v207 = extractvalue %d64 %v151, 55
  %v208 = extractvalue %d64 %v151, 56
  %v209 = extractvalue %d64 %v151, 57
  %v210 = extractvalue %d64 %v151, 58
  %v211 = extractvalue %d64 %v151, 59
  %v212 = extractvalue %d64 %v151, 60
  %v213 = extractvalue %d64 %v151, 61
  %v214 = extractvalue %d64 %v151, 62
  %v215 = extractvalue %d64 %v151, 63
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %v216 = call %d64 asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63"(float %v152, float %v153, float %v154, float %v155, float %v156, float %v157, float %v158, float %v159, float %v160, float %v161, float %v162, float %v163, float %v164, float %v165, float %v166, float %v167, float %v168, float %v169, float %v170, float %v171, float %v172, float %v173, float %v174, float %v175, float %v176, float %v177, float %v178, float %v179, float %v180, float %v181, float %v182, float %v183, float %v184, float %v185, float %v186, float %v187, float %v188, float %v189, float %v190, float %v191, float %v192, float %v193, float %v194, float %v195, float %v196, float %v197, float %v198, float %v199, float %v200, float %v201, float %v202, float %v203, float %v204, float %v205, float %v206, float %v207, float %v208, float %v209, float %v210, float %v211, float %v212, float %v213, float %v214, float %v215)
  %v217 = mul i32 %t, 64
  %v218 = add i32 %v217, 0
  %v219 = getelementptr i32, ptr addrspace(1) %out, i32 %v218
  store %d64 %v216, ptr addrspace(1) %v219, align 4
  ret void
}
define ptx_kernel void @dense_ss_n192_f16(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 2
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 2
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 2
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 2
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  %v21 = add i32 %t, 512
  %v22 = add i32 %v21, 2
  %v23 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v22
  %v24 = load <4 x i32>, ptr addrspace(1) %v23, align 16
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v21
  store <4 x i32> %v24, ptr addrspace(3) %v25, align 16
  %v26 = add i32 %t, 640
  %v27 = add i32 %v26, 2
  %v28 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v27
  %v29 = load <4 x i32>, ptr addrspace(1) %v28, align 16
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v26
  store <4 x i32> %v29, ptr addrspace(3) %v30, align 16
  %v31 = add i32 %t, 768
  %v32 = add i32 %v31, 2
  %v33 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v32
  %v34 = load <4 x i32>, ptr addrspace(1) %v33, align 16
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v31
  store <4 x i32> %v34, ptr addrspace(3) %v35, align 16
  %v36 = add i32 %t, 896
  %v37 = add i32 %v36, 2
  %v38 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v37
  %v39 = load <4 x i32>, ptr addrspace(1) %v38, align 16
  %v40 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v36
  store <4 x i32> %v39, ptr addrspace(3) %v40, align 16
  %v41 = add i32 %t, 1024
  %v42 = add i32 %v41, 2
  %v43 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v42
  %v44 = load <4 x i32>, ptr addrspace(1) %v43, align 16
  %v45 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v41
  store <4 x i32> %v44, ptr addrspace(3) %v45, align 16
  %v46 = add i32 %t, 1152
  %v47 = add i32 %v46, 2
  %v48 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v47
  %v49 = load <4 x i32>, ptr addrspace(1) %v48, align 16
  %v50 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v46
  store <4 x i32> %v49, ptr addrspace(3) %v50, align 16
  %v51 = add i32 %t, 1280
  %v52 = add i32 %v51, 2
  %v53 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v52
  %v54 = load <4 x i32>, ptr addrspace(1) %v53, align 16
  %v55 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v51
  store <4 x i32> %v54, ptr addrspace(3) %v55, align 16
  %v56 = add i32 %t, 1408
  %v57 = add i32 %v56, 2
  %v58 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v57
  %v59 = load <4 x i32>, ptr addrspace(1) %v58, align 16
  %v60 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v56
  store <4 x i32> %v59, ptr addrspace(3) %v60, align 16
  %v61 = add i32 %t, 1536
  %v62 = add i32 %v61, 2
  %v63 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v62
  %v64 = load <4 x i32>, ptr addrspace(1) %v63, align 16
  %v65 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v61
  store <4 x i32> %v64, ptr addrspace(3) %v65, align 16
  %v66 = add i32 %t, 1664
  %v67 = add i32 %v66, 2
  %v68 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v67
  %v69 = load <4 x i32>, ptr addrspace(1) %v68, align 16
  %v70 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v66
  store <4 x i32> %v69, ptr addrspace(3) %v70, align 16
  %v71 = add i32 %t, 1792
  %v72 = add i32 %v71, 2
  %v73 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v72
  %v74 = load <4 x i32>, ptr addrspace(1) %v73, align 16
  %v75 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v71
  store <4 x i32> %v74, ptr addrspace(3) %v75, align 16
  %v76 = add i32 %t, 1920
  %v77 = add i32 %v76, 2
  %v78 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v77
  %v79 = load <4 x i32>, ptr addrspace(1) %v78, align 16
  %v80 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v76
  store <4 x i32> %v79, ptr addrspace(3) %v80, align 16
  %v81 = add i32 %t, 2048
  %v82 = add i32 %v81, 2
  %v83 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v82
  %v84 = load <4 x i32>, ptr addrspace(1) %v83, align 16
  %v85 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v81
  store <4 x i32> %v84, ptr addrspace(3) %v85, align 16
  %v86 = add i32 %t, 2176
  %v87 = add i32 %v86, 2
  %v88 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v87
  %v89 = load <4 x i32>, ptr addrspace(1) %v88, align 16
  %v90 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v86
  store <4 x i32> %v89, ptr addrspace(3) %v90, align 16
  %v91 = add i32 %t, 2304
  %v92 = add i32 %v91, 2
  %v93 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v92
  %v94 = load <4 x i32>, ptr addrspace(1) %v93, align 16
  %v95 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v91
  store <4 x i32> %v94, ptr addrspace(3) %v95, align 16
  %v96 = add i32 %t, 2432
  %v97 = add i32 %v96, 2
  %v98 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v97
  %v99 = load <4 x i32>, ptr addrspace(1) %v98, align 16
  %v100 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v96
  store <4 x i32> %v99, ptr addrspace(3) %v100, align 16
  %v101 = add i32 %t, 2560
  %v102 = add i32 %v101, 2
  %v103 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v102
  %v104 = load <4 x i32>, ptr addrspace(1) %v103, align 16
  %v105 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v101
  store <4 x i32> %v104, ptr addrspace(3) %v105, align 16
  %v106 = add i32 %t, 2688
  %v107 = add i32 %v106, 2
  %v108 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v107
  %v109 = load <4 x i32>, ptr addrspace(1) %v108, align 16
  %v110 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v106
  store <4 x i32> %v109, ptr addrspace(3) %v110, align 16
  %v111 = add i32 %t, 2816
  %v112 = add i32 %v111, 2
  %v113 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v112
  %v114 = load <4 x i32>, ptr addrspace(1) %v113, align 16
  %v115 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v111
  store <4 x i32> %v114, ptr addrspace(3) %v115, align 16
  %v116 = add i32 %t, 2944
  %v117 = add i32 %v116, 2
  %v118 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v117
  %v119 = load <4 x i32>, ptr addrspace(1) %v118, align 16
  %v120 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v116
  store <4 x i32> %v119, ptr addrspace(3) %v120, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v121 = ptrtoint ptr addrspace(3) @shared to i32
  %v122 = and i32 %v121, 262143
  %v123 = lshr i32 %v122, 4
  %v124 = zext i32 %v123 to i64
  %v125 = getelementptr i64, ptr addrspace(1) %in, i32 0
  %v126 = load i64, ptr addrspace(1) %v125
  %v127 = add i64 %v126, %v124
  %v128 = getelementptr i64, ptr addrspace(1) %in, i32 1
  %v129 = load i64, ptr addrspace(1) %v128
  %v130 = add i64 %v129, %v124
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %v131 = call %d96 asm sideeffect "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sync.aligned.m64n192k16.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44, $45, $46, $47, $48, $49, $50, $51, $52, $53, $54, $55, $56, $57, $58, $59, $60, $61, $62, $63, $64, $65, $66, $67, $68, $69, $70, $71, $72, $73, $74, $75, $76, $77, $78, $79, $80, $81, $82, $83, $84, $85, $86, $87, $88, $89, $90, $91, $92, $93, $94, $95}, $96, $97, p, 1, 1, 0, 0; }", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,l,l,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64,65,66,67,68,69,70,71,72,73,74,75,76,77,78,79,80,81,82,83,84,85,86,87,88,89,90,91,92,93,94,95"(i64 %v127, i64 %v130, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison)
  %v132 = extractvalue %d96 %v131, 0
  %v133 = extractvalue %d96 %v131, 1
  %v134 = extractvalue %d96 %v131, 2
  %v135 = extractvalue %d96 %v131, 3
  %v136 = extractvalue %d96 %v131, 4
  %v137 = extractvalue %d96 %v131, 5
  %v138 = extractvalue %d96 %v131, 6
  %v139 = extractvalue %d96 %v131, 7
  %v140 = extractvalue %d96 %v131, 8
  %v141 = extractvalue %d96 %v131, 9
  %v142 = extractvalue %d96 %v131, 10
  %v143 = extractvalue %d96 %v131, 11
  %v144 = extractvalue %d96 %v131, 12
  %v145 = extractvalue %d96 %v131, 13
  %v146 = extractvalue %d96 %v131, 14
  %v147 = extractvalue %d96 %v131, 15
  %v148 = extractvalue %d96 %v131, 16
  %v149 = extractvalue %d96 %v131, 17
  %v150 = extractvalue %d96 %v131, 18
  %v151 = extractvalue %d96 %v131, 19
  %v152 = extractvalue %d96 %v131, 20
  %v153 = extractvalue %d96 %v131, 21
  %v154 = extractvalue %d96 %v131, 22
  %v155 = extractvalue %d96 %v131, 23
  %v156 = extractvalue %d96 %v131, 24
  %v157 = extractvalue %d96 %v131, 25
  %v158 = extractvalue %d96 %v131, 26
  %v159 = extractvalue %d96 %v131, 27
  %v160 = extractvalue %d96 %v131, 28
  %v161 = extractvalue %d96 %v131, 29
  %v162 = extractvalue %d96 %v131, 30
  %v163 = extractvalue %d96 %v131, 31
  %v164 = extractvalue %d96 %v131, 32
  %v165 = extractvalue %d96 %v131, 33
  %v166 = extractvalue %d96 %v131, 34
  %v167 = extractvalue %d96 %v131, 35
  %v168 = extractvalue %d96 %v131, 36
  %v169 = extractvalue %d96 %v131, 37
  %v170 = extractvalue %d96 %v131, 38
  %v171 = extractvalue %d96 %v131, 39
  %v172 = extractvalue %d96 %v131, 40
  %v173 = extractvalue %d96 %v131, 41
  %v174 = extractvalue %d96 %v131, 42
  %v175 = extractvalue %d96 %v131, 43
  %v176 = extractvalue %d96 %v131, 44
  %v177 = extractvalue %d96 %v131, 45
  %v178 = extractvalue %d96 %v131, 46
  %v179 = extractvalue %d96 %v131, 47
  %v180 = extractvalue %d96 %v131, 48
  %v181 = extractvalue %d96 %v131, 49
  %v182 = extractvalue %d96 %v131, 50
  %v183 = extractvalue %d96 %v131, 51
  %v184 = extractvalue %d96 %v131, 52
  %v185 = extractvalue %d96 %v131, 53
  %v186 = extractvalue %d96 %v131, 54
  %v187 = extractvalue %d96 %v131, 55
  %v188 = extractvalue %d96 %v131, 56
  %v189 = extractvalue %d96 %v131, 57
  %v190 = extractvalue %d96 %v131, 58
  %v191 = extractvalue %d96 %v131, 59
  %v192 = extractvalue %d96 %v131, 60
  %v193 = extractvalue %d96 %v131, 61
  %v194 = extractvalue %d96 %v131, 62
  %v195 = extractvalue %d96 %v131, 63
  %v196 = extractvalue %d96 %v131, 64
  %v197 = extractvalue %d96 %v131, 65
  %v198 = extractvalue %d96 %v131, 66
  %v199 = extractvalue %d96 %v131, 67
  %v200 = extractvalue %d96 %v131, 68
  %v201 = extractvalue %d96 %v131, 69
  %v202 = extractvalue %d96 %v131, 70
  %v203 = extractvalue %d96 %v131, 71
  %v204 = extractvalue %d96 %v131, 72
  %v205 = extractvalue %d96 %v131, 73
  %v206 = extractvalue %d96 %v131, 74
  %v207 = extractvalue %d96 %v131, 75
  %v208 = extractvalue %d96 %v131, 76
  %v209 = extractvalue %d96 %v131, 77
  %v210 = extractvalue %d96 %v131, 78
  %v211 = extractvalue %d96 %v131, 79
  %v212 = extractvalue %d96 %v131, 80
  %v213 = extractvalue %d96 %v131, 81
  %v214 = extractvalue %d96 %v131, 82
  %v215 = extractvalue %d96 %v131, 83
  %v216 = extractvalue %d96 %v131, 84
  %v217 = extractvalue %d96 %v131, 85
  %v218 = extractvalue %d96 %v131, 86
  %v219 = extractvalue %d96 %v131, 87
  %v220 = extractvalue %d96 %v131, 88
  %v221 = extractvalue %d96 %v131, 89
  %v222 = extractvalue %d96 %v131, 90
  %v223 = extractvalue %d96 %v131, 91
  %v224 = extractvalue %d96 %v131, 92
  %v225 = extractvalue %d96 %v131, 93
  %v226 = extractvalue %d96 %v131, 94
  %v227 = extractvalue %d96 %v131, 95
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %v228 = call %d96 asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64,65,66,67,68,69,70,71,72,73,74,75,76,77,78,79,80,81,82,83,84,85,86,87,88,89,90,91,92,93,94,95"(float %v132, float %v133, float %v134, float %v135, float %v136, float %v137, float %v138, float %v139, float %v140, float %v141, float %v142, float %v143, float %v144, float %v145, float %v146, float %v147, float %v148, float %v149, float %v150, float %v151, float %v152, float %v153, float %v154, float %v155, float %v156, float %v157, float %v158, float %v159, float %v160, float %v161, float %v162, float %v163, float %v164, float %v165, float %v166, float %v167, float %v168, float %v169, float %v170, float %v171, float %v172, float %v173, float %v174, float %v175, float %v176, float %v177, float %v178, float %v179, float %v180, float %v181, float %v182, float %v183, float %v184, float %v185, float %v186, float %v187, float %v188, float %v189, float %v190, float %v191, float %v192, float %v193, float %v194, float %v195, float %v196, float %v197, float %v198, float %v199, float %v200, float %v201, float %v202, float %v203, float %v204, float %v205, float %v206, float %v207, float %v208, float %v209, float %v210, float %v211, float %v212, float %v213, float %v214, float %v215, float %v216, float %v217, float %v218, float %v219, float %v220, float %v221, float %v222, float %v223, float %v224, float %v225, float %v226, float %v227)
  %v229 = mul i32 %t, 96
  %v230 = add i32 %v229, 0
  %v231 = getelementptr i32, ptr addrspace(1) %out, i32 %v230
  store %d96 %v228, ptr addrspace(1) %v231, align 4
  ret void
}
define ptx_kernel void @dense_rs_n192_f16(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 2
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 2
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 2
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 2
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  %v21 = add i32 %t, 512
  %v22 = add i32 %v21, 2
  %v23 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v22
  %v24 = load <4 x i32>, ptr addrspace(1) %v23, align 16
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v21
  store <4 x i32> %v24, ptr addrspace(3) %v25, align 16
  %v26 = add i32 %t, 640
  %v27 = add i32 %v26, 2
  %v28 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v27
  %v29 = load <4 x i32>, ptr addrspace(1) %v28, align 16
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v26
  store <4 x i32> %v29, ptr addrspace(3) %v30, align 16
  %v31 = add i32 %t, 768
  %v32 = add i32 %v31, 2
  %v33 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v32
  %v34 = load <4 x i32>, ptr addrspace(1) %v33, align 16
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v31
  store <4 x i32> %v34, ptr addrspace(3) %v35, align 16
  %v36 = add i32 %t, 896
  %v37 = add i32 %v36, 2
  %v38 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v37
  %v39 = load <4 x i32>, ptr addrspace(1) %v38, align 16
  %v40 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v36
  store <4 x i32> %v39, ptr addrspace(3) %v40, align 16
  %v41 = add i32 %t, 1024
  %v42 = add i32 %v41, 2
  %v43 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v42
  %v44 = load <4 x i32>, ptr addrspace(1) %v43, align 16
  %v45 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v41
  store <4 x i32> %v44, ptr addrspace(3) %v45, align 16
  %v46 = add i32 %t, 1152
  %v47 = add i32 %v46, 2
  %v48 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v47
  %v49 = load <4 x i32>, ptr addrspace(1) %v48, align 16
  %v50 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v46
  store <4 x i32> %v49, ptr addrspace(3) %v50, align 16
  %v51 = add i32 %t, 1280
  %v52 = add i32 %v51, 2
  %v53 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v52
  %v54 = load <4 x i32>, ptr addrspace(1) %v53, align 16
  %v55 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v51
  store <4 x i32> %v54, ptr addrspace(3) %v55, align 16
  %v56 = add i32 %t, 1408
  %v57 = add i32 %v56, 2
  %v58 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v57
  %v59 = load <4 x i32>, ptr addrspace(1) %v58, align 16
  %v60 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v56
  store <4 x i32> %v59, ptr addrspace(3) %v60, align 16
  %v61 = add i32 %t, 1536
  %v62 = add i32 %v61, 2
  %v63 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v62
  %v64 = load <4 x i32>, ptr addrspace(1) %v63, align 16
  %v65 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v61
  store <4 x i32> %v64, ptr addrspace(3) %v65, align 16
  %v66 = add i32 %t, 1664
  %v67 = add i32 %v66, 2
  %v68 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v67
  %v69 = load <4 x i32>, ptr addrspace(1) %v68, align 16
  %v70 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v66
  store <4 x i32> %v69, ptr addrspace(3) %v70, align 16
  %v71 = add i32 %t, 1792
  %v72 = add i32 %v71, 2
  %v73 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v72
  %v74 = load <4 x i32>, ptr addrspace(1) %v73, align 16
  %v75 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v71
  store <4 x i32> %v74, ptr addrspace(3) %v75, align 16
  %v76 = add i32 %t, 1920
  %v77 = add i32 %v76, 2
  %v78 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v77
  %v79 = load <4 x i32>, ptr addrspace(1) %v78, align 16
  %v80 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v76
  store <4 x i32> %v79, ptr addrspace(3) %v80, align 16
  %v81 = add i32 %t, 2048
  %v82 = add i32 %v81, 2
  %v83 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v82
  %v84 = load <4 x i32>, ptr addrspace(1) %v83, align 16
  %v85 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v81
  store <4 x i32> %v84, ptr addrspace(3) %v85, align 16
  %v86 = add i32 %t, 2176
  %v87 = add i32 %v86, 2
  %v88 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v87
  %v89 = load <4 x i32>, ptr addrspace(1) %v88, align 16
  %v90 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v86
  store <4 x i32> %v89, ptr addrspace(3) %v90, align 16
  %v91 = add i32 %t, 2304
  %v92 = add i32 %v91, 2
  %v93 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v92
  %v94 = load <4 x i32>, ptr addrspace(1) %v93, align 16
  %v95 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v91
  store <4 x i32> %v94, ptr addrspace(3) %v95, align 16
  %v96 = add i32 %t, 2432
  %v97 = add i32 %v96, 2
  %v98 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v97
  %v99 = load <4 x i32>, ptr addrspace(1) %v98, align 16
  %v100 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v96
  store <4 x i32> %v99, ptr addrspace(3) %v100, align 16
  %v101 = add i32 %t, 2560
  %v102 = add i32 %v101, 2
  %v103 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v102
  %v104 = load <4 x i32>, ptr addrspace(1) %v103, align 16
  %v105 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v101
  store <4 x i32> %v104, ptr addrspace(3) %v105, align 16
  %v106 = add i32 %t, 2688
  %v107 = add i32 %v106, 2
  %v108 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v107
  %v109 = load <4 x i32>, ptr addrspace(1) %v108, align 16
  %v110 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v106
  store <4 x i32> %v109, ptr addrspace(3) %v110, align 16
  %v111 = add i32 %t, 2816
  %v112 = add i32 %v111, 2
  %v113 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v112
  %v114 = load <4 x i32>, ptr addrspace(1) %v113, align 16
  %v115 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v111
  store <4 x i32> %v114, ptr addrspace(3) %v115, align 16
  %v116 = add i32 %t, 2944
  %v117 = add i32 %v116, 2
  %v118 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v117
  %v119 = load <4 x i32>, ptr addrspace(1) %v118, align 16
  %v120 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v116
  store <4 x i32> %v119, ptr addrspace(3) %v120, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v121 = ptrtoint ptr addrspace(3) @shared to i32
  %v122 = and i32 %v121, 262143
  %v123 = lshr i32 %v122, 4
  %v124 = zext i32 %v123 to i64
  %v125 = getelementptr i64, ptr addrspace(1) %in, i32 0
  %v126 = load i64, ptr addrspace(1) %v125
  %v127 = add i64 %v126, %v124
  %v128 = getelementptr i64, ptr addrspace(1) %in, i32 1
  %v129 = load i64, ptr addrspace(1) %v128
  %v130 = add i64 %v129, %v124
  %v131 = mul i32 %t, 4
  %v132 = add i32 %v131, 12424
  %v133 = getelementptr i32, ptr addrspace(1) %in, i32 %v132
  %v134 = load i32, ptr addrspace(1) %v133
  %v135 = mul i32 %t, 4
  %v136 = add i32 %v135, 12425
  %v137 = getelementptr i32, ptr addrspace(1) %in, i32 %v136
  %v138 = load i32, ptr addrspace(1) %v137
  %v139 = mul i32 %t, 4
  %v140 = add i32 %v139, 12426
  %v141 = getelementptr i32, ptr addrspace(1) %in, i32 %v140
  %v142 = load i32, ptr addrspace(1) %v141
  %v143 = mul i32 %t, 4
  %v144 = add i32 %v143, 12427
  %v145 = getelementptr i32, ptr addrspace(1) %in, i32 %v144
  %v146 = load i32, ptr addrspace(1) %v145
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %v147 = call %d96 asm sideeffect "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sync.aligned.m64n192k16.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44, $45, $46, $47, $48, $49, $50, $51, $52, $53, $54, $55, $56, $57, $58, $59, $60, $61, $62, $63, $64, $65, $66, $67, $68, $69, $70, $71, $72, $73, $74, $75, $76, $77, $78, $79, $80, $81, $82, $83, $84, $85, $86, $87, $88, $89, $90, $91, $92, $93, $94, $95}, {$96, $97, $98, $99}, $100, p, 1, 1, 0; }", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,r,r,r,r,l,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64,65,66,67,68,69,70,71,72,73,74,75,76,77,78,79,80,81,82,83,84,85,86,87,88,89,90,91,92,93,94,95"(i32 %v134, i32 %v138, i32 %v142, i32 %v146, i64 %v130, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison)
  %v148 = extractvalue %d96 %v147, 0
  %v149 = extractvalue %d96 %v147, 1
  %v150 = extractvalue %d96 %v147, 2
  %v151 = extractvalue %d96 %v147, 3
  %v152 = extractvalue %d96 %v147, 4
  %v153 = extractvalue %d96 %v147, 5
  %v154 = extractvalue %d96 %v147, 6
  %v155 = extractvalue %d96 %v147, 7
  %v156 = extractvalue %d96 %v147, 8
  %v157 = extractvalue %d96 %v147, 9
  %v158 = extractvalue %d96 %v147, 10
  %v159 = extractvalue %d96 %v147, 11
  %v160 = extractvalue %d96 %v147, 12
  %v161 = extractvalue %d96 %v147, 13
  %v162 = extractvalue %d96 %v147, 14
  %v163 = extractvalue %d96 %v147, 15
  %v164 = extractvalue %d96 %v147, 16
  %v165 = extractvalue %d96 %v147, 17
  %v166 = extractvalue %d96 %v147, 18
  %v167 = extractvalue %d96 %v147, 19
  %v168 = extractvalue %d96 %v147, 20
  %v169 = extractvalue %d96 %v147, 21
  %v170 = extractvalue %d96 %v147, 22
  %v171 = extractvalue %d96 %v147, 23
  %v172 = extractvalue %d96 %v147, 24
  %v173 = extractvalue %d96 %v147, 25
  %v174 = extractvalue %d96 %v147, 26
  %v175 = extractvalue %d96 %v147, 27
  %v176 = extractvalue %d96 %v147, 28
  %v177 = extractvalue %d96 %v147, 29
  %v178 = extractvalue %d96 %v147, 30
  %v179 = extractvalue %d96 %v147, 31
  %v180 = extractvalue %d96 %v147, 32
  %v181 = extractvalue %d96 %v147, 33
  %v182 = extractvalue %d96 %v147, 34
  %v183 = extractvalue %d96 %v147, 35
  %v184 = extractvalue %d96 %v147, 36
  %v185 = extractvalue %d96 %v147, 37
  %v186 = extractvalue %d96 %v147, 38
  %v187 = extractvalue %d96 %v147, 39
  %v188 = extractvalue %d96 %v147, 40
  %v189 = extractvalue %d96 %v147, 41
  %v190 = extractvalue %d96 %v147, 42
  %v191 = extractvalue %d96 %v147, 43
  %v192 = extractvalue %d96 %v147, 44
  %v193 = extractvalue %d96 %v147, 45
  %v194 = extractvalue %d96 %v147, 46
  %v195 = extractvalue %d96 %v147, 47
  %v196 = extractvalue %d96 %v147, 48
  %v197 = extractvalue %d96 %v147, 49
  %v198 = extractvalue %d96 %v147, 50
  %v199 = extractvalue %d96 %v147, 51
  %v200 = extractvalue %d96 %v147, 52
  %v201 = extractvalue %d96 %v147, 53
  %v202 = extractvalue %d96 %v147, 54
  %v203 = extractvalue %d96 %v147, 55
  %v204 = extractvalue %d96 %v147, 56
  %v205 = extractvalue %d96 %v147, 57
  %v206 = extractvalue %d96 %v147, 58
  %v207 = extractvalue %d96 %v147, 59
  %v208 = extractvalue %d96 %v147, 60
  %v209 = extractvalue %d96 %v147, 61
  %v210 = extractvalue %d96 %v147, 62
  %v211 = extractvalue %d96 %v147, 63
  %v212 = extractvalue %d96 %v147, 64
  %v213 = extractvalue %d96 %v147, 65
  %v214 = extractvalue %d96 %v147, 66
  %v215 = extractvalue %d96 %v147, 67
  %v216 = extractvalue %d96 %v147, 68
  %v217 = extractvalue %d96 %v147, 69
  %v218 = extractvalue %d96 %v147, 70
  %v219 = extractvalue %d96 %v147, 71
  %v220 = extractvalue %d96 %v147, 72
  %v221 = extractvalue %d96 %v147, 73
  %v222 = extractvalue %d96 %v147, 74
  %v223 = extractvalue %d96 %v147, 75
  %v224 = extractvalue %d96 %v147, 76
  %v225 = extractvalue %d96 %v147, 77
  %v226 = extractvalue %d96 %v147, 78
  %v227 = extractvalue %d96 %v147, 79
  %v228 = extractvalue %d96 %v147, 80
  %v229 = extractvalue %d96 %v147, 81
  %v230 = extractvalue %d96 %v147, 82
  %v231 = extractvalue %d96 %v147, 83
  %v232 = extractvalue %d96 %v147, 84
  %v233 = extractvalue %d96 %v147, 85
  %v234 = extractvalue %d96 %v147, 86
  %v235 = extractvalue %d96 %v147, 87
  %v236 = extractvalue %d96 %v147, 88
  %v237 = extractvalue %d96 %v147, 89
  %v238 = extractvalue %d96 %v147, 90
  %v239 = extractvalue %d96 %v147, 91
  %v240 = extractvalue %d96 %v147, 92
  %v241 = extractvalue %d96 %v147, 93
  %v242 = extractvalue %d96 %v147, 94
  %v243 = extractvalue %d96 %v147, 95
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %v244 = call %d96 asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64,65,66,67,68,69,70,71,72,73,74,75,76,77,78,79,80,81,82,83,84,85,86,87,88,89,90,91,92,93,94,95"(float %v148, float %v149, float %v150, float %v151, float %v152, float %v153, float %v154, float %v155, float %v156, float %v157, float %v158, float %v159, float %v160, float %v161, float %v162, float %v163, float %v164, float %v165, float %v166, float %v167, float %v168, float %v169, float %v170, float %v171, float %v172, float %v173, float %v174, float %v175, float %v176, float %v177, float %v178, float %v179, float %v180, float %v181, float %v182, float %v183, float %v184, float %v185, float %v186, float %v187, float %v188, float %v189, float %v190, float %v191, float %v192, float %v193, float %v194, float %v195, float %v196, float %v197, float %v198, float %v199, float %v200, float %v201, float %v202, float %v203, float %v204, float %v205, float %v206, float %v207, float %v208, float %v209, float %v210, float %v211, float %v212, float %v213, float %v214, float %v215, float %v216, float %v217, float %v218, float %v219, float %v220, float %v221, float %v222, float %v223, float %v224, float %v225, float %v226, float %v227, float %v228, float %v229, float %v230, float %v231, float %v232, float %v233, float %v234, float %v235, float %v236, float %v237, float %v238, float %v239, float %v240, float %v241, float %v242, float %v243)
  %v245 = mul i32 %t, 96
  %v246 = add i32 %v245, 0
  %v247 = getelementptr i32, ptr addrspace(1) %out, i32 %v246
  store %d96 %v244, ptr addrspace(1) %v247, align 4
  ret void
}
define ptx_kernel void @sp_ss_n192_f16_s0(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 2
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 2
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 2
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 2
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  %v21 = add i32 %t, 512
  %v22 = add i32 %v21, 2
  %v23 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v22
  %v24 = load <4 x i32>, ptr addrspace(1) %v23, align 16
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v21
  store <4 x i32> %v24, ptr addrspace(3) %v25, align 16
  %v26 = add i32 %t, 640
  %v27 = add i32 %v26, 2
  %v28 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v27
  %v29 = load <4 x i32>, ptr addrspace(1) %v28, align 16
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v26
  store <4 x i32> %v29, ptr addrspace(3) %v30, align 16
  %v31 = add i32 %t, 768
  %v32 = add i32 %v31, 2
  %v33 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v32
  %v34 = load <4 x i32>, ptr addrspace(1) %v33, align 16
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v31
  store <4 x i32> %v34, ptr addrspace(3) %v35, align 16
  %v36 = add i32 %t, 896
  %v37 = add i32 %v36, 2
  %v38 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v37
  %v39 = load <4 x i32>, ptr addrspace(1) %v38, align 16
  %v40 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v36
  store <4 x i32> %v39, ptr addrspace(3) %v40, align 16
  %v41 = add i32 %t, 1024
  %v42 = add i32 %v41, 2
  %v43 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v42
  %v44 = load <4 x i32>, ptr addrspace(1) %v43, align 16
  %v45 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v41
  store <4 x i32> %v44, ptr addrspace(3) %v45, align 16
  %v46 = add i32 %t, 1152
  %v47 = add i32 %v46, 2
  %v48 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v47
  %v49 = load <4 x i32>, ptr addrspace(1) %v48, align 16
  %v50 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v46
  store <4 x i32> %v49, ptr addrspace(3) %v50, align 16
  %v51 = add i32 %t, 1280
  %v52 = add i32 %v51, 2
  %v53 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v52
  %v54 = load <4 x i32>, ptr addrspace(1) %v53, align 16
  %v55 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v51
  store <4 x i32> %v54, ptr addrspace(3) %v55, align 16
  %v56 = add i32 %t, 1408
  %v57 = add i32 %v56, 2
  %v58 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v57
  %v59 = load <4 x i32>, ptr addrspace(1) %v58, align 16
  %v60 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v56
  store <4 x i32> %v59, ptr addrspace(3) %v60, align 16
  %v61 = add i32 %t, 1536
  %v62 = add i32 %v61, 2
  %v63 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v62
  %v64 = load <4 x i32>, ptr addrspace(1) %v63, align 16
  %v65 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v61
  store <4 x i32> %v64, ptr addrspace(3) %v65, align 16
  %v66 = add i32 %t, 1664
  %v67 = add i32 %v66, 2
  %v68 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v67
  %v69 = load <4 x i32>, ptr addrspace(1) %v68, align 16
  %v70 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v66
  store <4 x i32> %v69, ptr addrspace(3) %v70, align 16
  %v71 = add i32 %t, 1792
  %v72 = add i32 %v71, 2
  %v73 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v72
  %v74 = load <4 x i32>, ptr addrspace(1) %v73, align 16
  %v75 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v71
  store <4 x i32> %v74, ptr addrspace(3) %v75, align 16
  %v76 = add i32 %t, 1920
  %v77 = add i32 %v76, 2
  %v78 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v77
  %v79 = load <4 x i32>, ptr addrspace(1) %v78, align 16
  %v80 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v76
  store <4 x i32> %v79, ptr addrspace(3) %v80, align 16
  %v81 = add i32 %t, 2048
  %v82 = add i32 %v81, 2
  %v83 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v82
  %v84 = load <4 x i32>, ptr addrspace(1) %v83, align 16
  %v85 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v81
  store <4 x i32> %v84, ptr addrspace(3) %v85, align 16
  %v86 = add i32 %t, 2176
  %v87 = add i32 %v86, 2
  %v88 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v87
  %v89 = load <4 x i32>, ptr addrspace(1) %v88, align 16
  %v90 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v86
  store <4 x i32> %v89, ptr addrspace(3) %v90, align 16
  %v91 = add i32 %t, 2304
  %v92 = add i32 %v91, 2
  %v93 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v92
  %v94 = load <4 x i32>, ptr addrspace(1) %v93, align 16
  %v95 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v91
  store <4 x i32> %v94, ptr addrspace(3) %v95, align 16
  %v96 = add i32 %t, 2432
  %v97 = add i32 %v96, 2
  %v98 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v97
  %v99 = load <4 x i32>, ptr addrspace(1) %v98, align 16
  %v100 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v96
  store <4 x i32> %v99, ptr addrspace(3) %v100, align 16
  %v101 = add i32 %t, 2560
  %v102 = add i32 %v101, 2
  %v103 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v102
  %v104 = load <4 x i32>, ptr addrspace(1) %v103, align 16
  %v105 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v101
  store <4 x i32> %v104, ptr addrspace(3) %v105, align 16
  %v106 = add i32 %t, 2688
  %v107 = add i32 %v106, 2
  %v108 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v107
  %v109 = load <4 x i32>, ptr addrspace(1) %v108, align 16
  %v110 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v106
  store <4 x i32> %v109, ptr addrspace(3) %v110, align 16
  %v111 = add i32 %t, 2816
  %v112 = add i32 %v111, 2
  %v113 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v112
  %v114 = load <4 x i32>, ptr addrspace(1) %v113, align 16
  %v115 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v111
  store <4 x i32> %v114, ptr addrspace(3) %v115, align 16
  %v116 = add i32 %t, 2944
  %v117 = add i32 %v116, 2
  %v118 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v117
  %v119 = load <4 x i32>, ptr addrspace(1) %v118, align 16
  %v120 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v116
  store <4 x i32> %v119, ptr addrspace(3) %v120, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v121 = ptrtoint ptr addrspace(3) @shared to i32
  %v122 = and i32 %v121, 262143
  %v123 = lshr i32 %v122, 4
  %v124 = zext i32 %v123 to i64
  %v125 = getelementptr i64, ptr addrspace(1) %in, i32 0
  %v126 = load i64, ptr addrspace(1) %v125
  %v127 = add i64 %v126, %v124
  %v128 = getelementptr i64, ptr addrspace(1) %in, i32 1
  %v129 = load i64, ptr addrspace(1) %v128
  %v130 = add i64 %v129, %v124
  %v131 = mul i32 %t, 1
  %v132 = add i32 %v131, 12296
  %v133 = getelementptr i32, ptr addrspace(1) %in, i32 %v132
  %v134 = load i32, ptr addrspace(1) %v133
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %v135 = call %d96 asm sideeffect "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sp.sync.aligned.m64n192k32.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44, $45, $46, $47, $48, $49, $50, $51, $52, $53, $54, $55, $56, $57, $58, $59, $60, $61, $62, $63, $64, $65, $66, $67, $68, $69, $70, $71, $72, $73, $74, $75, $76, $77, $78, $79, $80, $81, $82, $83, $84, $85, $86, $87, $88, $89, $90, $91, $92, $93, $94, $95}, $96, $97, $98, 0, p, 1, 1, 0, 0; }", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,l,l,r,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64,65,66,67,68,69,70,71,72,73,74,75,76,77,78,79,80,81,82,83,84,85,86,87,88,89,90,91,92,93,94,95"(i64 %v127, i64 %v130, i32 %v134, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison)
  %v136 = extractvalue %d96 %v135, 0
  %v137 = extractvalue %d96 %v135, 1
  %v138 = extractvalue %d96 %v135, 2
  %v139 = extractvalue %d96 %v135, 3
  %v140 = extractvalue %d96 %v135, 4
  %v141 = extractvalue %d96 %v135, 5
  %v142 = extractvalue %d96 %v135, 6
  %v143 = extractvalue %d96 %v135, 7
  %v144 = extractvalue %d96 %v135, 8
  %v145 = extractvalue %d96 %v135, 9
  %v146 = extractvalue %d96 %v135, 10
  %v147 = extractvalue %d96 %v135, 11
  %v148 = extractvalue %d96 %v135, 12
  %v149 = extractvalue %d96 %v135, 13
  %v150 = extractvalue %d96 %v135, 14
  %v151 = extractvalue %d96 %v135, 15
  %v152 = extractvalue %d96 %v135, 16
  %v153 = extractvalue %d96 %v135, 17
  %v154 = extractvalue %d96 %v135, 18
  %v155 = extractvalue %d96 %v135, 19
  %v156 = extractvalue %d96 %v135, 20
  %v157 = extractvalue %d96 %v135, 21
  %v158 = extractvalue %d96 %v135, 22
  %v159 = extractvalue %d96 %v135, 23
  %v160 = extractvalue %d96 %v135, 24
  %v161 = extractvalue %d96 %v135, 25
  %v162 = extractvalue %d96 %v135, 26
  %v163 = extractvalue %d96 %v135, 27
  %v164 = extractvalue %d96 %v135, 28
  %v165 = extractvalue %d96 %v135, 29
  %v166 = extractvalue %d96 %v135, 30
  %v167 = extractvalue %d96 %v135, 31
  %v168 = extractvalue %d96 %v135, 32
  %v169 = extractvalue %d96 %v135, 33
  %v170 = extractvalue %d96 %v135, 34
  %v171 = extractvalue %d96 %v135, 35
  %v172 = extractvalue %d96 %v135, 36
  %v173 = extractvalue %d96 %v135, 37
  %v174 = extractvalue %d96 %v135, 38
  %v175 = extractvalue %d96 %v135, 39
  %v176 = extractvalue %d96 %v135, 40
  %v177 = extractvalue %d96 %v135, 41
  %v178 = extractvalue %d96 %v135, 42
  %v179 = extractvalue %d96 %v135, 43
  %v180 = extractvalue %d96 %v135, 44
  %v181 = extractvalue %d96 %v135, 45
  %v182 = extractvalue %d96 %v135, 46
  %v183 = extractvalue %d96 %v135, 47
  %v184 = extractvalue %d96 %v135, 48
  %v185 = extractvalue %d96 %v135, 49
  %v186 = extractvalue %d96 %v135, 50
  %v187 = extractvalue %d96 %v135, 51
  %v188 = extractvalue %d96 %v135, 52
  %v189 = extractvalue %d96 %v135, 53
  %v190 = extractvalue %d96 %v135, 54
  %v191 = extractvalue %d96 %v135, 55
  %v192 = extractvalue %d96 %v135, 56
  %v193 = extractvalue %d96 %v135, 57
  %v194 = extractvalue %d96 %v135, 58
  %v195 = extractvalue %d96 %v135, 59
  %v196 = extractvalue %d96 %v135, 60
  %v197 = extractvalue %d96 %v135, 61
  %v198 = extractvalue %d96 %v135, 62
  %v199 = extractvalue %d96 %v135, 63
  %v200 = extractvalue %d96 %v135, 64
  %v201 = extractvalue %d96 %v135, 65
  %v202 = extractvalue %d96 %v135, 66
  %v203 = extractvalue %d96 %v135, 67
  %v204 = extractvalue %d96 %v135, 68
  %v205 = extractvalue %d96 %v135, 69
  %v206 = extractvalue %d96 %v135, 70
  %v207 = extractvalue %d96 %v135, 71
  %v208 = extractvalue %d96 %v135, 72
  %v209 = extractvalue %d96 %v135, 73
  %v210 = extractvalue %d96 %v135, 74
  %v211 = extractvalue %d96 %v135, 75
  %v212 = extractvalue %d96 %v135, 76
  %v213 = extractvalue %d96 %v135, 77
  %v214 = extractvalue %d96 %v135, 78
  %v215 = extractvalue %d96 %v135, 79
  %v216 = extractvalue %d96 %v135, 80
  %v217 = extractvalue %d96 %v135, 81
  %v218 = extractvalue %d96 %v135, 82
  %v219 = extractvalue %d96 %v135, 83
  %v220 = extractvalue %d96 %v135, 84
  %v221 = extractvalue %d96 %v135, 85
  %v222 = extractvalue %d96 %v135, 86
  %v223 = extractvalue %d96 %v135, 87
  %v224 = extractvalue %d96 %v135, 88
  %v225 = extractvalue %d96 %v135, 89
  %v226 = extractvalue %d96 %v135, 90
  %v227 = extractvalue %d96 %v135, 91
  %v228 = extractvalue %d96 %v135, 92
  %v229 = extractvalue %d96 %v135, 93
  %v230 = extractvalue %d96 %v135, 94
  %v231 = extractvalue %d96 %v135, 95
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %v232 = call %d96 asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64,65,66,67,68,69,70,71,72,73,74,75,76,77,78,79,80,81,82,83,84,85,86,87,88,89,90,91,92,93,94,95"(float %v136, float %v137, float %v138, float %v139, float %v140, float %v141, float %v142, float %v143, float %v144, float %v145, float %v146, float %v147, float %v148, float %v149, float %v150, float %v151, float %v152, float %v153, float %v154, float %v155, float %v156, float %v157, float %v158, float %v159, float %v160, float %v161, float %v162, float %v163, float %v164, float %v165, float %v166, float %v167, float %v168, float %v169, float %v170, float %v171, float %v172, float %v173, float %v174, float %v175, float %v176, float %v177, float %v178, float %v179, float %v180, float %v181, float %v182, float %v183, float %v184, float %v185, float %v186, float %v187, float %v188, float %v189, float %v190, float %v191, float %v192, float %v193, float %v194, float %v195, float %v196, float %v197, float %v198, float %v199, float %v200, float %v201, float %v202, float %v203, float %v204, float %v205, float %v206, float %v207, float %v208, float %v209, float %v210, float %v211, float %v212, float %v213, float %v214, float %v215, float %v216, float %v217, float %v218, float %v219, float %v220, float %v221, float %v222, float %v223, float %v224, float %v225, float %v226, float %v227, float %v228, float %v229, float %v230, float %v231)
  %v233 = mul i32 %t, 96
  %v234 = add i32 %v233, 0
  %v235 = getelementptr i32, ptr addrspace(1) %out, i32 %v234
  store %d96 %v232, ptr addrspace(1) %v235, align 4
  ret void
}
define ptx_kernel void @sp_ss_n192_f16_s1(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 2
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 2
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 2
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 2
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  %v21 = add i32 %t, 512
  %v22 = add i32 %v21, 2
  %v23 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v22
  %v24 = load <4 x i32>, ptr addrspace(1) %v23, align 16
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v21
  store <4 x i32> %v24, ptr addrspace(3) %v25, align 16
  %v26 = add i32 %t, 640
  %v27 = add i32 %v26, 2
  %v28 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v27
  %v29 = load <4 x i32>, ptr addrspace(1) %v28, align 16
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v26
  store <4 x i32> %v29, ptr addrspace(3) %v30, align 16
  %v31 = add i32 %t, 768
  %v32 = add i32 %v31, 2
  %v33 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v32
  %v34 = load <4 x i32>, ptr addrspace(1) %v33, align 16
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v31
  store <4 x i32> %v34, ptr addrspace(3) %v35, align 16
  %v36 = add i32 %t, 896
  %v37 = add i32 %v36, 2
  %v38 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v37
  %v39 = load <4 x i32>, ptr addrspace(1) %v38, align 16
  %v40 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v36
  store <4 x i32> %v39, ptr addrspace(3) %v40, align 16
  %v41 = add i32 %t, 1024
  %v42 = add i32 %v41, 2
  %v43 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v42
  %v44 = load <4 x i32>, ptr addrspace(1) %v43, align 16
  %v45 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v41
  store <4 x i32> %v44, ptr addrspace(3) %v45, align 16
  %v46 = add i32 %t, 1152
  %v47 = add i32 %v46, 2
  %v48 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v47
  %v49 = load <4 x i32>, ptr addrspace(1) %v48, align 16
  %v50 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v46
  store <4 x i32> %v49, ptr addrspace(3) %v50, align 16
  %v51 = add i32 %t, 1280
  %v52 = add i32 %v51, 2
  %v53 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v52
  %v54 = load <4 x i32>, ptr addrspace(1) %v53, align 16
  %v55 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v51
  store <4 x i32> %v54, ptr addrspace(3) %v55, align 16
  %v56 = add i32 %t, 1408
  %v57 = add i32 %v56, 2
  %v58 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v57
  %v59 = load <4 x i32>, ptr addrspace(1) %v58, align 16
  %v60 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v56
  store <4 x i32> %v59, ptr addrspace(3) %v60, align 16
  %v61 = add i32 %t, 1536
  %v62 = add i32 %v61, 2
  %v63 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v62
  %v64 = load <4 x i32>, ptr addrspace(1) %v63, align 16
  %v65 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v61
  store <4 x i32> %v64, ptr addrspace(3) %v65, align 16
  %v66 = add i32 %t, 1664
  %v67 = add i32 %v66, 2
  %v68 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v67
  %v69 = load <4 x i32>, ptr addrspace(1) %v68, align 16
  %v70 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v66
  store <4 x i32> %v69, ptr addrspace(3) %v70, align 16
  %v71 = add i32 %t, 1792
  %v72 = add i32 %v71, 2
  %v73 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v72
  %v74 = load <4 x i32>, ptr addrspace(1) %v73, align 16
  %v75 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v71
  store <4 x i32> %v74, ptr addrspace(3) %v75, align 16
  %v76 = add i32 %t, 1920
  %v77 = add i32 %v76, 2
  %v78 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v77
  %v79 = load <4 x i32>, ptr addrspace(1) %v78, align 16
  %v80 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v76
  store <4 x i32> %v79, ptr addrspace(3) %v80, align 16
  %v81 = add i32 %t, 2048
  %v82 = add i32 %v81, 2
  %v83 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v82
  %v84 = load <4 x i32>, ptr addrspace(1) %v83, align 16
  %v85 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v81
  store <4 x i32> %v84, ptr addrspace(3) %v85, align 16
  %v86 = add i32 %t, 2176
  %v87 = add i32 %v86, 2
  %v88 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v87
  %v89 = load <4 x i32>, ptr addrspace(1) %v88, align 16
  %v90 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v86
  store <4 x i32> %v89, ptr addrspace(3) %v90, align 16
  %v91 = add i32 %t, 2304
  %v92 = add i32 %v91, 2
  %v93 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v92
  %v94 = load <4 x i32>, ptr addrspace(1) %v93, align 16
  %v95 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v91
  store <4 x i32> %v94, ptr addrspace(3) %v95, align 16
  %v96 = add i32 %t, 2432
  %v97 = add i32 %v96, 2
  %v98 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v97
  %v99 = load <4 x i32>, ptr addrspace(1) %v98, align 16
  %v100 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v96
  store <4 x i32> %v99, ptr addrspace(3) %v100, align 16
  %v101 = add i32 %t, 2560
  %v102 = add i32 %v101, 2
  %v103 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v102
  %v104 = load <4 x i32>, ptr addrspace(1) %v103, align 16
  %v105 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v101
  store <4 x i32> %v104, ptr addrspace(3) %v105, align 16
  %v106 = add i32 %t, 2688
  %v107 = add i32 %v106, 2
  %v108 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v107
  %v109 = load <4 x i32>, ptr addrspace(1) %v108, align 16
  %v110 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v106
  store <4 x i32> %v109, ptr addrspace(3) %v110, align 16
  %v111 = add i32 %t, 2816
  %v112 = add i32 %v111, 2
  %v113 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v112
  %v114 = load <4 x i32>, ptr addrspace(1) %v113, align 16
  %v115 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v111
  store <4 x i32> %v114, ptr addrspace(3) %v115, align 16
  %v116 = add i32 %t, 2944
  %v117 = add i32 %v116, 2
  %v118 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v117
  %v119 = load <4 x i32>, ptr addrspace(1) %v118, align 16
  %v120 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v116
  store <4 x i32> %v119, ptr addrspace(3) %v120, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v121 = ptrtoint ptr addrspace(3) @shared to i32
  %v122 = and i32 %v121, 262143
  %v123 = lshr i32 %v122, 4
  %v124 = zext i32 %v123 to i64
  %v125 = getelementptr i64, ptr addrspace(1) %in, i32 0
  %v126 = load i64, ptr addrspace(1) %v125
  %v127 = add i64 %v126, %v124
  %v128 = getelementptr i64, ptr addrspace(1) %in, i32 1
  %v129 = load i64, ptr addrspace(1) %v128
  %v130 = add i64 %v129, %v124
  %v131 = mul i32 %t, 1
  %v132 = add i32 %v131, 12296
  %v133 = getelementptr i32, ptr addrspace(1) %in, i32 %v132
  %v134 = load i32, ptr addrspace(1) %v133
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %v135 = call %d96 asm sideeffect "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sp.sync.aligned.m64n192k32.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44, $45, $46, $47, $48, $49, $50, $51, $52, $53, $54, $55, $56, $57, $58, $59, $60, $61, $62, $63, $64, $65, $66, $67, $68, $69, $70, $71, $72, $73, $74, $75, $76, $77, $78, $79, $80, $81, $82, $83, $84, $85, $86, $87, $88, $89, $90, $91, $92, $93, $94, $95}, $96, $97, $98, 1, p, 1, 1, 0, 0; }", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,l,l,r,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64,65,66,67,68,69,70,71,72,73,74,75,76,77,78,79,80,81,82,83,84,85,86,87,88,89,90,91,92,93,94,95"(i64 %v127, i64 %v130, i32 %v134, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison)
  %v136 = extractvalue %d96 %v135, 0
  %v137 = extractvalue %d96 %v135, 1
  %v138 = extractvalue %d96 %v135, 2
  %v139 = extractvalue %d96 %v135, 3
  %v140 = extractvalue %d96 %v135, 4
  %v141 = extractvalue %d96 %v135, 5
  %v142 = extractvalue %d96 %v135, 6
  %v143 = extractvalue %d96 %v135, 7
  %v144 = extractvalue %d96 %v135, 8
  %v145 = extractvalue %d96 %v135, 9
  %v146 = extractvalue %d96 %v135, 10
  %v147 = extractvalue %d96 %v135, 11
  %v148 = extractvalue %d96 %v135, 12
  %v149 = extractvalue %d96 %v135, 13
  %v150 = extractvalue %d96 %v135, 14
  %v151 = extractvalue %d96 %v135, 15
  %v152 = extractvalue %d96 %v135, 16
  %v153 = extractvalue %d96 %v135, 17
  %v154 = extractvalue %d96 %v135, 18
  %v155 = extractvalue %d96 %v135, 19
  %v156 = extractvalue %d96 %v135, 20
  %v157 = extractvalue %d96 %v135, 21
  %v158 = extractvalue %d96 %v135, 22
  %v159 = extractvalue %d96 %v135, 23
  %v160 = extractvalue %d96 %v135, 24
  %v161 = extractvalue %d96 %v135, 25
  %v162 = extractvalue %d96 %v135, 26
  %v163 = extractvalue %d96 %v135, 27
  %v164 = extractvalue %d96 %v135, 28
  %v165 = extractvalue %d96 %v135, 29
  %v166 = extractvalue %d96 %v135, 30
  %v167 = extractvalue %d96 %v135, 31
  %v168 = extractvalue %d96 %v135, 32
  %v169 = extractvalue %d96 %v135, 33
  %v170 = extractvalue %d96 %v135, 34
  %v171 = extractvalue %d96 %v135, 35
  %v172 = extractvalue %d96 %v135, 36
  %v173 = extractvalue %d96 %v135, 37
  %v174 = extractvalue %d96 %v135, 38
  %v175 = extractvalue %d96 %v135, 39
  %v176 = extractvalue %d96 %v135, 40
  %v177 = extractvalue %d96 %v135, 41
  %v178 = extractvalue %d96 %v135, 42
  %v179 = extractvalue %d96 %v135, 43
  %v180 = extractvalue %d96 %v135, 44
  %v181 = extractvalue %d96 %v135, 45
  %v182 = extractvalue %d96 %v135, 46
  %v183 = extractvalue %d96 %v135, 47
  %v184 = extractvalue %d96 %v135, 48
  %v185 = extractvalue %d96 %v135, 49
  %v186 = extractvalue %d96 %v135, 50
  %v187 = extractvalue %d96 %v135, 51
  %v188 = extractvalue %d96 %v135, 52
  %v189 = extractvalue %d96 %v135, 53
  %v190 = extractvalue %d96 %v135, 54
  %v191 = extractvalue %d96 %v135, 55
  %v192 = extractvalue %d96 %v135, 56
  %v193 = extractvalue %d96 %v135, 57
  %v194 = extractvalue %d96 %v135, 58
  %v195 = extractvalue %d96 %v135, 59
  %v196 = extractvalue %d96 %v135, 60
  %v197 = extractvalue %d96 %v135, 61
  %v198 = extractvalue %d96 %v135, 62
  %v199 = extractvalue %d96 %v135, 63
  %v200 = extractvalue %d96 %v135, 64
  %v201 = extractvalue %d96 %v135, 65
  %v202 = extractvalue %d96 %v135, 66
  %v203 = extractvalue %d96 %v135, 67
  %v204 = extractvalue %d96 %v135, 68
  %v205 = extractvalue %d96 %v135, 69
  %v206 = extractvalue %d96 %v135, 70
  %v207 = extractvalue %d96 %v135, 71
  %v208 = extractvalue %d96 %v135, 72
  %v209 = extractvalue %d96 %v135, 73
  %v210 = extractvalue %d96 %v135, 74
  %v211 = extractvalue %d96 %v135, 75
  %v212 = extractvalue %d96 %v135, 76
  %v213 = extractvalue %d96 %v135, 77
  %v214 = extractvalue %d96 %v135, 78
  %v215 = extractvalue %d96 %v135, 79
  %v216 = extractvalue %d96 %v135, 80
  %v217 = extractvalue %d96 %v135, 81
  %v218 = extractvalue %d96 %v135, 82
  %v219 = extractvalue %d96 %v135, 83
  %v220 = extractvalue %d96 %v135, 84
  %v221 = extractvalue %d96 %v135, 85
  %v222 = extractvalue %d96 %v135, 86
  %v223 = extractvalue %d96 %v135, 87
  %v224 = extractvalue %d96 %v135, 88
  %v225 = extractvalue %d96 %v135, 89
  %v226 = extractvalue %d96 %v135, 90
  %v227 = extractvalue %d96 %v135, 91
  %v228 = extractvalue %d96 %v135, 92
  %v229 = extractvalue %d96 %v135, 93
  %v230 = extractvalue %d96 %v135, 94
  %v231 = extractvalue %d96 %v135, 95
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %v232 = call %d96 asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64,65,66,67,68,69,70,71,72,73,74,75,76,77,78,79,80,81,82,83,84,85,86,87,88,89,90,91,92,93,94,95"(float %v136, float %v137, float %v138, float %v139, float %v140, float %v141, float %v142, float %v143, float %v144, float %v145, float %v146, float %v147, float %v148, float %v149, float %v150, float %v151, float %v152, float %v153, float %v154, float %v155, float %v156, float %v157, float %v158, float %v159, float %v160, float %v161, float %v162, float %v163, float %v164, float %v165, float %v166, float %v167, float %v168, float %v169, float %v170, float %v171, float %v172, float %v173, float %v174, float %v175, float %v176, float %v177, float %v178, float %v179, float %v180, float %v181, float %v182, float %v183, float %v184, float %v185, float %v186, float %v187, float %v188, float %v189, float %v190, float %v191, float %v192, float %v193, float %v194, float %v195, float %v196, float %v197, float %v198, float %v199, float %v200, float %v201, float %v202, float %v203, float %v204, float %v205, float %v206, float %v207, float %v208, float %v209, float %v210, float %v211, float %v212, float %v213, float %v214, float %v215, float %v216, float %v217, float %v218, float %v219, float %v220, float %v221, float %v222, float %v223, float %v224, float %v225, float %v226, float %v227, float %v228, float %v229, float %v230, float %v231)
  %v233 = mul i32 %t, 96
  %v234 = add i32 %v233, 0
  %v235 = getelementptr i32, ptr addrspace(1) %out, i32 %v234
  store %d96 %v232, ptr addrspace(1) %v235, align 4
  ret void
}
define ptx_kernel void @sp_rs_n192_f16_s0(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 2
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 2
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 2
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 2
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  %v21 = add i32 %t, 512
  %v22 = add i32 %v21, 2
  %v23 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v22
  %v24 = load <4 x i32>, ptr addrspace(1) %v23, align 16
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v21
  store <4 x i32> %v24, ptr addrspace(3) %v25, align 16
  %v26 = add i32 %t, 640
  %v27 = add i32 %v26, 2
  %v28 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v27
  %v29 = load <4 x i32>, ptr addrspace(1) %v28, align 16
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v26
  store <4 x i32> %v29, ptr addrspace(3) %v30, align 16
  %v31 = add i32 %t, 768
  %v32 = add i32 %v31, 2
  %v33 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v32
  %v34 = load <4 x i32>, ptr addrspace(1) %v33, align 16
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v31
  store <4 x i32> %v34, ptr addrspace(3) %v35, align 16
  %v36 = add i32 %t, 896
  %v37 = add i32 %v36, 2
  %v38 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v37
  %v39 = load <4 x i32>, ptr addrspace(1) %v38, align 16
  %v40 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v36
  store <4 x i32> %v39, ptr addrspace(3) %v40, align 16
  %v41 = add i32 %t, 1024
  %v42 = add i32 %v41, 2
  %v43 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v42
  %v44 = load <4 x i32>, ptr addrspace(1) %v43, align 16
  %v45 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v41
  store <4 x i32> %v44, ptr addrspace(3) %v45, align 16
  %v46 = add i32 %t, 1152
  %v47 = add i32 %v46, 2
  %v48 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v47
  %v49 = load <4 x i32>, ptr addrspace(1) %v48, align 16
  %v50 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v46
  store <4 x i32> %v49, ptr addrspace(3) %v50, align 16
  %v51 = add i32 %t, 1280
  %v52 = add i32 %v51, 2
  %v53 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v52
  %v54 = load <4 x i32>, ptr addrspace(1) %v53, align 16
  %v55 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v51
  store <4 x i32> %v54, ptr addrspace(3) %v55, align 16
  %v56 = add i32 %t, 1408
  %v57 = add i32 %v56, 2
  %v58 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v57
  %v59 = load <4 x i32>, ptr addrspace(1) %v58, align 16
  %v60 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v56
  store <4 x i32> %v59, ptr addrspace(3) %v60, align 16
  %v61 = add i32 %t, 1536
  %v62 = add i32 %v61, 2
  %v63 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v62
  %v64 = load <4 x i32>, ptr addrspace(1) %v63, align 16
  %v65 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v61
  store <4 x i32> %v64, ptr addrspace(3) %v65, align 16
  %v66 = add i32 %t, 1664
  %v67 = add i32 %v66, 2
  %v68 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v67
  %v69 = load <4 x i32>, ptr addrspace(1) %v68, align 16
  %v70 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v66
  store <4 x i32> %v69, ptr addrspace(3) %v70, align 16
  %v71 = add i32 %t, 1792
  %v72 = add i32 %v71, 2
  %v73 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v72
  %v74 = load <4 x i32>, ptr addrspace(1) %v73, align 16
  %v75 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v71
  store <4 x i32> %v74, ptr addrspace(3) %v75, align 16
  %v76 = add i32 %t, 1920
  %v77 = add i32 %v76, 2
  %v78 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v77
  %v79 = load <4 x i32>, ptr addrspace(1) %v78, align 16
  %v80 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v76
  store <4 x i32> %v79, ptr addrspace(3) %v80, align 16
  %v81 = add i32 %t, 2048
  %v82 = add i32 %v81, 2
  %v83 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v82
  %v84 = load <4 x i32>, ptr addrspace(1) %v83, align 16
  %v85 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v81
  store <4 x i32> %v84, ptr addrspace(3) %v85, align 16
  %v86 = add i32 %t, 2176
  %v87 = add i32 %v86, 2
  %v88 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v87
  %v89 = load <4 x i32>, ptr addrspace(1) %v88, align 16
  %v90 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v86
  store <4 x i32> %v89, ptr addrspace(3) %v90, align 16
  %v91 = add i32 %t, 2304
  %v92 = add i32 %v91, 2
  %v93 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v92
  %v94 = load <4 x i32>, ptr addrspace(1) %v93, align 16
  %v95 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v91
  store <4 x i32> %v94, ptr addrspace(3) %v95, align 16
  %v96 = add i32 %t, 2432
  %v97 = add i32 %v96, 2
  %v98 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v97
  %v99 = load <4 x i32>, ptr addrspace(1) %v98, align 16
  %v100 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v96
  store <4 x i32> %v99, ptr addrspace(3) %v100, align 16
  %v101 = add i32 %t, 2560
  %v102 = add i32 %v101, 2
  %v103 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v102
  %v104 = load <4 x i32>, ptr addrspace(1) %v103, align 16
  %v105 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v101
  store <4 x i32> %v104, ptr addrspace(3) %v105, align 16
  %v106 = add i32 %t, 2688
  %v107 = add i32 %v106, 2
  %v108 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v107
  %v109 = load <4 x i32>, ptr addrspace(1) %v108, align 16
  %v110 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v106
  store <4 x i32> %v109, ptr addrspace(3) %v110, align 16
  %v111 = add i32 %t, 2816
  %v112 = add i32 %v111, 2
  %v113 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v112
  %v114 = load <4 x i32>, ptr addrspace(1) %v113, align 16
  %v115 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v111
  store <4 x i32> %v114, ptr addrspace(3) %v115, align 16
  %v116 = add i32 %t, 2944
  %v117 = add i32 %v116, 2
  %v118 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v117
  %v119 = load <4 x i32>, ptr addrspace(1) %v118, align 16
  %v120 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v116
  store <4 x i32> %v119, ptr addrspace(3) %v120, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v121 = ptrtoint ptr addrspace(3) @shared to i32
  %v122 = and i32 %v121, 262143
  %v123 = lshr i32 %v122, 4
  %v124 = zext i32 %v123 to i64
  %v125 = getelementptr i64, ptr addrspace(1) %in, i32 0
  %v126 = load i64, ptr addrspace(1) %v125
  %v127 = add i64 %v126, %v124
  %v128 = getelementptr i64, ptr addrspace(1) %in, i32 1
  %v129 = load i64, ptr addrspace(1) %v128
  %v130 = add i64 %v129, %v124
  %v131 = mul i32 %t, 1
  %v132 = add i32 %v131, 12296
  %v133 = getelementptr i32, ptr addrspace(1) %in, i32 %v132
  %v134 = load i32, ptr addrspace(1) %v133
  %v135 = mul i32 %t, 4
  %v136 = add i32 %v135, 12424
  %v137 = getelementptr i32, ptr addrspace(1) %in, i32 %v136
  %v138 = load i32, ptr addrspace(1) %v137
  %v139 = mul i32 %t, 4
  %v140 = add i32 %v139, 12425
  %v141 = getelementptr i32, ptr addrspace(1) %in, i32 %v140
  %v142 = load i32, ptr addrspace(1) %v141
  %v143 = mul i32 %t, 4
  %v144 = add i32 %v143, 12426
  %v145 = getelementptr i32, ptr addrspace(1) %in, i32 %v144
  %v146 = load i32, ptr addrspace(1) %v145
  %v147 = mul i32 %t, 4
  %v148 = add i32 %v147, 12427
  %v149 = getelementptr i32, ptr addrspace(1) %in, i32 %v148
  %v150 = load i32, ptr addrspace(1) %v149
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %v151 = call %d96 asm sideeffect "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sp.sync.aligned.m64n192k32.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44, $45, $46, $47, $48, $49, $50, $51, $52, $53, $54, $55, $56, $57, $58, $59, $60, $61, $62, $63, $64, $65, $66, $67, $68, $69, $70, $71, $72, $73, $74, $75, $76, $77, $78, $79, $80, $81, $82, $83, $84, $85, $86, $87, $88, $89, $90, $91, $92, $93, $94, $95}, {$96, $97, $98, $99}, $100, $101, 0, p, 1, 1, 0; }", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,r,r,r,r,l,r,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64,65,66,67,68,69,70,71,72,73,74,75,76,77,78,79,80,81,82,83,84,85,86,87,88,89,90,91,92,93,94,95"(i32 %v138, i32 %v142, i32 %v146, i32 %v150, i64 %v130, i32 %v134, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison)
  %v152 = extractvalue %d96 %v151, 0
  %v153 = extractvalue %d96 %v151, 1
  %v154 = extractvalue %d96 %v151, 2
  %v155 = extractvalue %d96 %v151, 3
  %v156 = extractvalue %d96 %v151, 4
  %v157 = extractvalue %d96 %v151, 5
  %v158 = extractvalue %d96 %v151, 6
  %v159 = extractvalue %d96 %v151, 7
  %v160 = extractvalue %d96 %v151, 8
  %v161 = extractvalue %d96 %v151, 9
  %v162 = extractvalue %d96 %v151, 10
  %v163 = extractvalue %d96 %v151, 11
  %v164 = extractvalue %d96 %v151, 12
  %v165 = extractvalue %d96 %v151, 13
  %v166 = extractvalue %d96 %v151, 14
  %v167 = extractvalue %d96 %v151, 15
  %v168 = extractvalue %d96 %v151, 16
  %v169 = extractvalue %d96 %v151, 17
  %v170 = extractvalue %d96 %v151, 18
  %v171 = extractvalue %d96 %v151, 19
  %v172 = extractvalue %d96 %v151, 20
  %v173 = extractvalue %d96 %v151, 21
  %v174 = extractvalue %d96 %v151, 22
  %v175 = extractvalue %d96 %v151, 23
  %v176 = extractvalue %d96 %v151, 24
  %v177 = extractvalue %d96 %v151, 25
  %v178 = extractvalue %d96 %v151, 26
  %v179 = extractvalue %d96 %v151, 27
  %v180 = extractvalue %d96 %v151, 28
  %v181 = extractvalue %d96 %v151, 29
  %v182 = extractvalue %d96 %v151, 30
  %v183 = extractvalue %d96 %v151, 31
  %v184 = extractvalue %d96 %v151, 32
  %v185 = extractvalue %d96 %v151, 33
  %v186 = extractvalue %d96 %v151, 34
  %v187 = extractvalue %d96 %v151, 35
  %v188 = extractvalue %d96 %v151, 36
  %v189 = extractvalue %d96 %v151, 37
  %v190 = extractvalue %d96 %v151, 38
  %v191 = extractvalue %d96 %v151, 39
  %v192 = extractvalue %d96 %v151, 40
  %v193 = extractvalue %d96 %v151, 41
  %v194 = extractvalue %d96 %v151, 42
  %v195 = extractvalue %d96 %v151, 43
  %v196 = extractvalue %d96 %v151, 44
  %v197 = extractvalue %d96 %v151, 45
  %v198 = extractvalue %d96 %v151, 46
  %v199 = extractvalue %d96 %v151, 47
  %v200 = extractvalue %d96 %v151, 48
  %v201 = extractvalue %d96 %v151, 49
  %v202 = extractvalue %d96 %v151, 50
  %v203 = extractvalue %d96 %v151, 51
  %v204 = extractvalue %d96 %v151, 52
  %v205 = extractvalue %d96 %v151, 53
  %v206 = extractvalue %d96 %v151, 54
  %v207 = extractvalue %d96 %v151, 55
  %v208 = extractvalue %d96 %v151, 56
  %v209 = extractvalue %d96 %v151, 57
  %v210 = extractvalue %d96 %v151, 58
  %v211 = extractvalue %d96 %v151, 59
  %v212 = extractvalue %d96 %v151, 60
  %v213 = extractvalue %d96 %v151, 61
  %v214 = extractvalue %d96 %v151, 62
  %v215 = extractvalue %d96 %v151, 63
  %v216 = extractvalue %d96 %v151, 64
  %v217 = extractvalue %d96 %v151, 65
  %v218 = extractvalue %d96 %v151, 66
  %v219 = extractvalue %d96 %v151, 67
  %v220 = extractvalue %d96 %v151, 68
  %v221 = extractvalue %d96 %v151, 69
  %v222 = extractvalue %d96 %v151, 70
  %v223 = extractvalue %d96 %v151, 71
  %v224 = extractvalue %d96 %v151, 72
  %v225 = extractvalue %d96 %v151, 73
  %v226 = extractvalue %d96 %v151, 74
  %v227 = extractvalue %d96 %v151, 75
  %v228 = extractvalue %d96 %v151, 76
  %v229 = extractvalue %d96 %v151, 77
  %v230 = extractvalue %d96 %v151, 78
  %v231 = extractvalue %d96 %v151, 79
  %v232 = extractvalue %d96 %v151, 80
  %v233 = extractvalue %d96 %v151, 81
  %v234 = extractvalue %d96 %v151, 82
  %v235 = extractvalue %d96 %v151, 83
  %v236 = extractvalue %d96 %v151, 84
  %v237 = extractvalue %d96 %v151, 85
  %v238 = extractvalue %d96 %v151, 86
  %v239 = extractvalue %d96 %v151, 87
  %v240 = extractvalue %d96 %v151, 88
  %v241 = extractvalue %d96 %v151, 89
  %v242 = extractvalue %d96 %v151, 90
  %v243 = extractvalue %d96 %v151, 91
  %v244 = extractvalue %d96 %v151, 92
  %v245 = extractvalue %d96 %v151, 93
  %v246 = extractvalue %d96 %v151, 94
  %v247 = extractvalue %d96 %v151, 95
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %v248 = call %d96 asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64,65,66,67,68,69,70,71,72,73,74,75,76,77,78,79,80,81,82,83,84,85,86,87,88,89,90,91,92,93,94,95"(float %v152, float %v153, float %v154, float %v155, float %v156, float %v157, float %v158, float %v159, float %v160, float %v161, float %v162, float %v163, float %v164, float %v165, float %v166, float %v167, float %v168, float %v169, float %v170, float %v171, float %v172, float %v173, float %v174, float %v175, float %v176, float %v177, float %v178, float %v179, float %v180, float %v181, float %v182, float %v183, float %v184, float %v185, float %v186, float %v187, float %v188, float %v189, float %v190, float %v191, float %v192, float %v193, float %v194, float %v195, float %v196, float %v197, float %v198, float %v199, float %v200, float %v201, float %v202, float %v203, float %v204, float %v205, float %v206, float %v207, float %v208, float %v209, float %v210, float %v211, float %v212, float %v213, float %v214, float %v215, float %v216, float %v217, float %v218, float %v219, float %v220, float %v221, float %v222, float %v223, float %v224, float %v225, float %v226, float %v227, float %v228, float %v229, float %v230, float %v231, float %v232, float %v233, float %v234, float %v235, float %v236, float %v237, float %v238, float %v239, float %v240, float %v241, float %v242, float %v243, float %v244, float %v245, float %v246, float %v247)
  %v249 = mul i32 %t, 96
  %v250 = add i32 %v249, 0
  %v251 = getelementptr i32, ptr addrspace(1) %out, i32 %v250
  store %d96 %v248, ptr addrspace(1) %v251, align 4
  ret void
}
define ptx_kernel void @sp_rs_n192_f16_s1(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 2
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 2
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 2
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 2
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  %v21 = add i32 %t, 512
  %v22 = add i32 %v21, 2
  %v23 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v22
  %v24 = load <4 x i32>, ptr addrspace(1) %v23, align 16
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v21
  store <4 x i32> %v24, ptr addrspace(3) %v25, align 16
  %v26 = add i32 %t, 640
  %v27 = add i32 %v26, 2
  %v28 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v27
  %v29 = load <4 x i32>, ptr addrspace(1) %v28, align 16
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v26
  store <4 x i32> %v29, ptr addrspace(3) %v30, align 16
  %v31 = add i32 %t, 768
  %v32 = add i32 %v31, 2
  %v33 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v32
  %v34 = load <4 x i32>, ptr addrspace(1) %v33, align 16
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v31
  store <4 x i32> %v34, ptr addrspace(3) %v35, align 16
  %v36 = add i32 %t, 896
  %v37 = add i32 %v36, 2
  %v38 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v37
  %v39 = load <4 x i32>, ptr addrspace(1) %v38, align 16
  %v40 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v36
  store <4 x i32> %v39, ptr addrspace(3) %v40, align 16
  %v41 = add i32 %t, 1024
  %v42 = add i32 %v41, 2
  %v43 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v42
  %v44 = load <4 x i32>, ptr addrspace(1) %v43, align 16
  %v45 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v41
  store <4 x i32> %v44, ptr addrspace(3) %v45, align 16
  %v46 = add i32 %t, 1152
  %v47 = add i32 %v46, 2
  %v48 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v47
  %v49 = load <4 x i32>, ptr addrspace(1) %v48, align 16
  %v50 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v46
  store <4 x i32> %v49, ptr addrspace(3) %v50, align 16
  %v51 = add i32 %t, 1280
  %v52 = add i32 %v51, 2
  %v53 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v52
  %v54 = load <4 x i32>, ptr addrspace(1) %v53, align 16
  %v55 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v51
  store <4 x i32> %v54, ptr addrspace(3) %v55, align 16
  %v56 = add i32 %t, 1408
  %v57 = add i32 %v56, 2
  %v58 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v57
  %v59 = load <4 x i32>, ptr addrspace(1) %v58, align 16
  %v60 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v56
  store <4 x i32> %v59, ptr addrspace(3) %v60, align 16
  %v61 = add i32 %t, 1536
  %v62 = add i32 %v61, 2
  %v63 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v62
  %v64 = load <4 x i32>, ptr addrspace(1) %v63, align 16
  %v65 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v61
  store <4 x i32> %v64, ptr addrspace(3) %v65, align 16
  %v66 = add i32 %t, 1664
  %v67 = add i32 %v66, 2
  %v68 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v67
  %v69 = load <4 x i32>, ptr addrspace(1) %v68, align 16
  %v70 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v66
  store <4 x i32> %v69, ptr addrspace(3) %v70, align 16
  %v71 = add i32 %t, 1792
  %v72 = add i32 %v71, 2
  %v73 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v72
  %v74 = load <4 x i32>, ptr addrspace(1) %v73, align 16
  %v75 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v71
  store <4 x i32> %v74, ptr addrspace(3) %v75, align 16
  %v76 = add i32 %t, 1920
  %v77 = add i32 %v76, 2
  %v78 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v77
  %v79 = load <4 x i32>, ptr addrspace(1) %v78, align 16
  %v80 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v76
  store <4 x i32> %v79, ptr addrspace(3) %v80, align 16
  %v81 = add i32 %t, 2048
  %v82 = add i32 %v81, 2
  %v83 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v82
  %v84 = load <4 x i32>, ptr addrspace(1) %v83, align 16
  %v85 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v81
  store <4 x i32> %v84, ptr addrspace(3) %v85, align 16
  %v86 = add i32 %t, 2176
  %v87 = add i32 %v86, 2
  %v88 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v87
  %v89 = load <4 x i32>, ptr addrspace(1) %v88, align 16
  %v90 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v86
  store <4 x i32> %v89, ptr addrspace(3) %v90, align 16
  %v91 = add i32 %t, 2304
  %v92 = add i32 %v91, 2
  %v93 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v92
  %v94 = load <4 x i32>, ptr addrspace(1) %v93, align 16
  %v95 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v91
  store <4 x i32> %v94, ptr addrspace(3) %v95, align 16
  %v96 = add i32 %t, 2432
  %v97 = add i32 %v96, 2
  %v98 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v97
  %v99 = load <4 x i32>, ptr addrspace(1) %v98, align 16
  %v100 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v96
  store <4 x i32> %v99, ptr addrspace(3) %v100, align 16
  %v101 = add i32 %t, 2560
  %v102 = add i32 %v101, 2
  %v103 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v102
  %v104 = load <4 x i32>, ptr addrspace(1) %v103, align 16
  %v105 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v101
  store <4 x i32> %v104, ptr addrspace(3) %v105, align 16
  %v106 = add i32 %t, 2688
  %v107 = add i32 %v106, 2
  %v108 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v107
  %v109 = load <4 x i32>, ptr addrspace(1) %v108, align 16
  %v110 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v106
  store <4 x i32> %v109, ptr addrspace(3) %v110, align 16
  %v111 = add i32 %t, 2816
  %v112 = add i32 %v111, 2
  %v113 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v112
  %v114 = load <4 x i32>, ptr addrspace(1) %v113, align 16
  %v115 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v111
  store <4 x i32> %v114, ptr addrspace(3) %v115, align 16
  %v116 = add i32 %t, 2944
  %v117 = add i32 %v116, 2
  %v118 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v117
  %v119 = load <4 x i32>, ptr addrspace(1) %v118, align 16
  %v120 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v116
  store <4 x i32> %v119, ptr addrspace(3) %v120, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v121 = ptrtoint ptr addrspace(3) @shared to i32
  %v122 = and i32 %v121, 262143
  %v123 = lshr i32 %v122, 4
  %v124 = zext i32 %v123 to i64
  %v125 = getelementptr i64, ptr addrspace(1) %in, i32 0
  %v126 = load i64, ptr addrspace(1) %v125
  %v127 = add i64 %v126, %v124
  %v128 = getelementptr i64, ptr addrspace(1) %in, i32 1
  %v129 = load i64, ptr addrspace(1) %v128
  %v130 = add i64 %v129, %v124
  %v131 = mul i32 %t, 1
  %v132 = add i32 %v131, 12296
  %v133 = getelementptr i32, ptr addrspace(1) %in, i32 %v132
  %v134 = load i32, ptr addrspace(1) %v133
  %v135 = mul i32 %t, 4
  %v136 = add i32 %v135, 12424
  %v137 = getelementptr i32, ptr addrspace(1) %in, i32 %v136
  %v138 = load i32, ptr addrspace(1) %v137
  %v139 = mul i32 %t, 4
  %v140 = add i32 %v139, 12425
  %v141 = getelementptr i32, ptr addrspace(1) %in, i32 %v140
  %v142 = load i32, ptr addrspace(1) %v141
  %v143 = mul i32 %t, 4
  %v144 = add i32 %v143, 12426
  %v145 = getelementptr i32, ptr addrspace(1) %in, i32 %v144
  %v146 = load i32, ptr addrspace(1) %v145
  %v147 = mul i32 %t, 4
  %v148 = add i32 %v147, 12427
  %v149 = getelementptr i32, ptr addrspace(1) %in, i32 %v148
  %v150 = load i32, ptr addrspace(1) %v149
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %v151 = call %d96 asm sideeffect "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sp.sync.aligned.m64n192k32.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44, $45, $46, $47, $48, $49, $50, $51, $52, $53, $54, $55, $56, $57, $58, $59, $60, $61, $62, $63, $64, $65, $66, $67, $68, $69, $70, $71, $72, $73, $74, $75, $76, $77, $78, $79, $80, $81, $82, $83, $84, $85, $86, $87, $88, $89, $90, $91, $92, $93, $94, $95}, {$96, $97, $98, $99}, $100, $101, 1, p, 1, 1, 0; }", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,r,r,r,r,l,r,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64,65,66,67,68,69,70,71,72,73,74,75,76,77,78,79,80,81,82,83,84,85,86,87,88,89,90,91,92,93,94,95"(i32 %v138, i32 %v142, i32 %v146, i32 %v150, i64 %v130, i32 %v134, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison)
  %v152 = extractvalue %d96 %v151, 0
  %v153 = extractvalue %d96 %v151, 1
  %v154 = extractvalue %d96 %v151, 2
  %v155 = extractvalue %d96 %v151, 3
  %v156 = extractvalue %d96 %v151, 4
  %v157 = extractvalue %d96 %v151, 5
  %v158 = extractvalue %d96 %v151, 6
  %v159 = extractvalue %d96 %v151, 7
  %v160 = extractvalue %d96 %v151, 8
  %v161 = extractvalue %d96 %v151, 9
  %v162 = extractvalue %d96 %v151, 10
  %v163 = extractvalue %d96 %v151, 11
  %v164 = extractvalue %d96 %v151, 12
  %v165 = extractvalue %d96 %v151, 13
  %v166 = extractvalue %d96 %v151, 14
  %v167 = extractvalue %d96 %v151, 15
  %v168 = extractvalue %d96 %v151, 16
  %v169 = extractvalue %d96 %v151, 17
  %v170 = extractvalue %d96 %v151, 18
  %v171 = extractvalue %d96 %v151, 19
  %v172 = extractvalue %d96 %v151, 20
  %v173 = extractvalue %d96 %v151, 21
  %v174 = extractvalue %d96 %v151, 22
  %v175 = extractvalue %d96 %v151, 23
  %v176 = extractvalue %d96 %v151, 24
  %v177 = extractvalue %d96 %v151, 25
  %v178 = extractvalue %d96 %v151, 26
  %v179 = extractvalue %d96 %v151, 27
  %v180 = extractvalue %d96 %v151, 28
  %v181 = extractvalue %d96 %v151, 29
  %v182 = extractvalue %d96 %v151, 30
  %v183 = extractvalue %d96 %v151, 31
  %v184 = extractvalue %d96 %v151, 32
  %v185 = extractvalue %d96 %v151, 33
  %v186 = extractvalue %d96 %v151, 34
  %v187 = extractvalue %d96 %v151, 35
  %v188 = extractvalue %d96 %v151, 36
  %v189 = extractvalue %d96 %v151, 37
  %v190 = extractvalue %d96 %v151, 38
  %v191 = extractvalue %d96 %v151, 39
  %v192 = extractvalue %d96 %v151, 40
  %v193 = extractvalue %d96 %v151, 41
  %v194 = extractvalue %d96 %v151, 42
  %v195 = extractvalue %d96 %v151, 43
  %v196 = extractvalue %d96 %v151, 44
  %v197 = extractvalue %d96 %v151, 45
  %v198 = extractvalue %d96 %v151, 46
  %v199 = extractvalue %d96 %v151, 47
  %v200 = extractvalue %d96 %v151, 48
  %v201 = extractvalue %d96 %v151, 49
  %v202 = extractvalue %d96 %v151, 50
  %v203 = extractvalue %d96 %v151, 51
  %v204 = extractvalue %d96 %v151, 52
  %v205 = extractvalue %d96 %v151, 53
  %v206 = extractvalue %d96 %v151, 54
  %v207 = extractvalue %d96 %v151, 55
  %v208 = extractvalue %d96 %v151, 56
  %v209 = extractvalue %d96 %v151, 57
  %v210 = extractvalue %d96 %v151, 58
  %v211 = extractvalue %d96 %v151, 59
  %v212 = extractvalue %d96 %v151, 60
  %v213 = extractvalue %d96 %v151, 61
  %v214 = extractvalue %d96 %v151, 62
  %v215 = extractvalue %d96 %v151, 63
  %v216 = extractvalue %d96 %v151, 64
  %v217 = extractvalue %d96 %v151, 65
  %v218 = extractvalue %d96 %v151, 66
  %v219 = extractvalue %d96 %v151, 67
  %v220 = extractvalue %d96 %v151, 68
  %v221 = extractvalue %d96 %v151, 69
  %v222 = extractvalue %d96 %v151, 70
  %v223 = extractvalue %d96 %v151, 71
  %v224 = extractvalue %d96 %v151, 72
  %v225 = extractvalue %d96 %v151, 73
  %v226 = extractvalue %d96 %v151, 74
  %v227 = extractvalue %d96 %v151, 75
  %v228 = extractvalue %d96 %v151, 76
  %v229 = extractvalue %d96 %v151, 77
  %v230 = extractvalue %d96 %v151, 78
  %v231 = extractvalue %d96 %v151, 79
  %v232 = extractvalue %d96 %v151, 80
  %v233 = extractvalue %d96 %v151, 81
  %v234 = extractvalue %d96 %v151, 82
  %v235 = extractvalue %d96 %v151, 83
  %v236 = extractvalue %d96 %v151, 84
  %v237 = extractvalue %d96 %v151, 85
  %v238 = extractvalue %d96 %v151, 86
  %v239 = extractvalue %d96 %v151, 87
  %v240 = extractvalue %d96 %v151, 88
  %v241 = extractvalue %d96 %v151, 89
  %v242 = extractvalue %d96 %v151, 90
  %v243 = extractvalue %d96 %v151, 91
  %v244 = extractvalue %d96 %v151, 92
  %v245 = extractvalue %d96 %v151, 93
  %v246 = extractvalue %d96 %v151, 94
  %v247 = extractvalue %d96 %v151, 95
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %v248 = call %d96 asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64,65,66,67,68,69,70,71,72,73,74,75,76,77,78,79,80,81,82,83,84,85,86,87,88,89,90,91,92,93,94,95"(float %v152, float %v153, float %v154, float %v155, float %v156, float %v157, float %v158, float %v159, float %v160, float %v161, float %v162, float %v163, float %v164, float %v165, float %v166, float %v167, float %v168, float %v169, float %v170, float %v171, float %v172, float %v173, float %v174, float %v175, float %v176, float %v177, float %v178, float %v179, float %v180, float %v181, float %v182, float %v183, float %v184, float %v185, float %v186, float %v187, float %v188, float %v189, float %v190, float %v191, float %v192, float %v193, float %v194, float %v195, float %v196, float %v197, float %v198, float %v199, float %v200, float %v201, float %v202, float %v203, float %v204, float %v205, float %v206, float %v207, float %v208, float %v209, float %v210, float %v211, float %v212, float %v213, float %v214, float %v215, float %v216, float %v217, float %v218, float %v219, float %v220, float %v221, float %v222, float %v223, float %v224, float %v225, float %v226, float %v227, float %v228, float %v229, float %v230, float %v231, float %v232, float %v233, float %v234, float %v235, float %v236, float %v237, float %v238, float %v239, float %v240, float %v241, float %v242, float %v243, float %v244, float %v245, float %v246, float %v247)
  %v249 = mul i32 %t, 96
  %v250 = add i32 %v249, 0
  %v251 = getelementptr i32, ptr addrspace(1) %out, i32 %v250
  store %d96 %v248, ptr addrspace(1) %v251, align 4
  ret void
}
define ptx_kernel void @dense_ss_n256_f16(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 2
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 2
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 2
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 2
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  %v21 = add i32 %t, 512
  %v22 = add i32 %v21, 2
  %v23 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v22
  %v24 = load <4 x i32>, ptr addrspace(1) %v23, align 16
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v21
  store <4 x i32> %v24, ptr addrspace(3) %v25, align 16
  %v26 = add i32 %t, 640
  %v27 = add i32 %v26, 2
  %v28 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v27
  %v29 = load <4 x i32>, ptr addrspace(1) %v28, align 16
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v26
  store <4 x i32> %v29, ptr addrspace(3) %v30, align 16
  %v31 = add i32 %t, 768
  %v32 = add i32 %v31, 2
  %v33 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v32
  %v34 = load <4 x i32>, ptr addrspace(1) %v33, align 16
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v31
  store <4 x i32> %v34, ptr addrspace(3) %v35, align 16
  %v36 = add i32 %t, 896
  %v37 = add i32 %v36, 2
  %v38 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v37
  %v39 = load <4 x i32>, ptr addrspace(1) %v38, align 16
  %v40 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v36
  store <4 x i32> %v39, ptr addrspace(3) %v40, align 16
  %v41 = add i32 %t, 1024
  %v42 = add i32 %v41, 2
  %v43 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v42
  %v44 = load <4 x i32>, ptr addrspace(1) %v43, align 16
  %v45 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v41
  store <4 x i32> %v44, ptr addrspace(3) %v45, align 16
  %v46 = add i32 %t, 1152
  %v47 = add i32 %v46, 2
  %v48 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v47
  %v49 = load <4 x i32>, ptr addrspace(1) %v48, align 16
  %v50 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v46
  store <4 x i32> %v49, ptr addrspace(3) %v50, align 16
  %v51 = add i32 %t, 1280
  %v52 = add i32 %v51, 2
  %v53 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v52
  %v54 = load <4 x i32>, ptr addrspace(1) %v53, align 16
  %v55 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v51
  store <4 x i32> %v54, ptr addrspace(3) %v55, align 16
  %v56 = add i32 %t, 1408
  %v57 = add i32 %v56, 2
  %v58 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v57
  %v59 = load <4 x i32>, ptr addrspace(1) %v58, align 16
  %v60 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v56
  store <4 x i32> %v59, ptr addrspace(3) %v60, align 16
  %v61 = add i32 %t, 1536
  %v62 = add i32 %v61, 2
  %v63 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v62
  %v64 = load <4 x i32>, ptr addrspace(1) %v63, align 16
  %v65 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v61
  store <4 x i32> %v64, ptr addrspace(3) %v65, align 16
  %v66 = add i32 %t, 1664
  %v67 = add i32 %v66, 2
  %v68 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v67
  %v69 = load <4 x i32>, ptr addrspace(1) %v68, align 16
  %v70 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v66
  store <4 x i32> %v69, ptr addrspace(3) %v70, align 16
  %v71 = add i32 %t, 1792
  %v72 = add i32 %v71, 2
  %v73 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v72
  %v74 = load <4 x i32>, ptr addrspace(1) %v73, align 16
  %v75 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v71
  store <4 x i32> %v74, ptr addrspace(3) %v75, align 16
  %v76 = add i32 %t, 1920
  %v77 = add i32 %v76, 2
  %v78 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v77
  %v79 = load <4 x i32>, ptr addrspace(1) %v78, align 16
  %v80 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v76
  store <4 x i32> %v79, ptr addrspace(3) %v80, align 16
  %v81 = add i32 %t, 2048
  %v82 = add i32 %v81, 2
  %v83 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v82
  %v84 = load <4 x i32>, ptr addrspace(1) %v83, align 16
  %v85 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v81
  store <4 x i32> %v84, ptr addrspace(3) %v85, align 16
  %v86 = add i32 %t, 2176
  %v87 = add i32 %v86, 2
  %v88 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v87
  %v89 = load <4 x i32>, ptr addrspace(1) %v88, align 16
  %v90 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v86
  store <4 x i32> %v89, ptr addrspace(3) %v90, align 16
  %v91 = add i32 %t, 2304
  %v92 = add i32 %v91, 2
  %v93 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v92
  %v94 = load <4 x i32>, ptr addrspace(1) %v93, align 16
  %v95 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v91
  store <4 x i32> %v94, ptr addrspace(3) %v95, align 16
  %v96 = add i32 %t, 2432
  %v97 = add i32 %v96, 2
  %v98 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v97
  %v99 = load <4 x i32>, ptr addrspace(1) %v98, align 16
  %v100 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v96
  store <4 x i32> %v99, ptr addrspace(3) %v100, align 16
  %v101 = add i32 %t, 2560
  %v102 = add i32 %v101, 2
  %v103 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v102
  %v104 = load <4 x i32>, ptr addrspace(1) %v103, align 16
  %v105 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v101
  store <4 x i32> %v104, ptr addrspace(3) %v105, align 16
  %v106 = add i32 %t, 2688
  %v107 = add i32 %v106, 2
  %v108 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v107
  %v109 = load <4 x i32>, ptr addrspace(1) %v108, align 16
  %v110 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v106
  store <4 x i32> %v109, ptr addrspace(3) %v110, align 16
  %v111 = add i32 %t, 2816
  %v112 = add i32 %v111, 2
  %v113 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v112
  %v114 = load <4 x i32>, ptr addrspace(1) %v113, align 16
  %v115 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v111
  store <4 x i32> %v114, ptr addrspace(3) %v115, align 16
  %v116 = add i32 %t, 2944
  %v117 = add i32 %v116, 2
  %v118 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v117
  %v119 = load <4 x i32>, ptr addrspace(1) %v118, align 16
  %v120 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v116
  store <4 x i32> %v119, ptr addrspace(3) %v120, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v121 = ptrtoint ptr addrspace(3) @shared to i32
  %v122 = and i32 %v121, 262143
  %v123 = lshr i32 %v122, 4
  %v124 = zext i32 %v123 to i64
  %v125 = getelementptr i64, ptr addrspace(1) %in, i32 0
  %v126 = load i64, ptr addrspace(1) %v125
  %v127 = add i64 %v126, %v124
  %v128 = getelementptr i64, ptr addrspace(1) %in, i32 1
  %v129 = load i64, ptr addrspace(1) %v128
  %v130 = add i64 %v129, %v124
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %v131 = call %d128 asm sideeffect "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44, $45, $46, $47, $48, $49, $50, $51, $52, $53, $54, $55, $56, $57, $58, $59, $60, $61, $62, $63, $64, $65, $66, $67, $68, $69, $70, $71, $72, $73, $74, $75, $76, $77, $78, $79, $80, $81, $82, $83, $84, $85, $86, $87, $88, $89, $90, $91, $92, $93, $94, $95, $96, $97, $98, $99, $100, $101, $102, $103, $104, $105, $106, $107, $108, $109, $110, $111, $112, $113, $114, $115, $116, $117, $118, $119, $120, $121, $122, $123, $124, $125, $126, $127}, $128, $129, p, 1, 1, 0, 0; }", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,l,l,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64,65,66,67,68,69,70,71,72,73,74,75,76,77,78,79,80,81,82,83,84,85,86,87,88,89,90,91,92,93,94,95,96,97,98,99,100,101,102,103,104,105,106,107,108,109,110,111,112,113,114,115,116,117,118,119,120,121,122,123,124,125,126,127"(i64 %v127, i64 %v130, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison)
  %v132 = extractvalue %d128 %v131, 0
  %v133 = extractvalue %d128 %v131, 1
  %v134 = extractvalue %d128 %v131, 2
  %v135 = extractvalue %d128 %v131, 3
  %v136 = extractvalue %d128 %v131, 4
  %v137 = extractvalue %d128 %v131, 5
  %v138 = extractvalue %d128 %v131, 6
  %v139 = extractvalue %d128 %v131, 7
  %v140 = extractvalue %d128 %v131, 8
  %v141 = extractvalue %d128 %v131, 9
  %v142 = extractvalue %d128 %v131, 10
  %v143 = extractvalue %d128 %v131, 11
  %v144 = extractvalue %d128 %v131, 12
  %v145 = extractvalue %d128 %v131, 13
  %v146 = extractvalue %d128 %v131, 14
  %v147 = extractvalue %d128 %v131, 15
  %v148 = extractvalue %d128 %v131, 16
  %v149 = extractvalue %d128 %v131, 17
  %v150 = extractvalue %d128 %v131, 18
  %v151 = extractvalue %d128 %v131, 19
  %v152 = extractvalue %d128 %v131, 20
  %v153 = extractvalue %d128 %v131, 21
  %v154 = extractvalue %d128 %v131, 22
  %v155 = extractvalue %d128 %v131, 23
  %v156 = extractvalue %d128 %v131, 24
  %v157 = extractvalue %d128 %v131, 25
  %v158 = extractvalue %d128 %v131, 26
  %v159 = extractvalue %d128 %v131, 27
  %v160 = extractvalue %d128 %v131, 28
  %v161 = extractvalue %d128 %v131, 29
  %v162 = extractvalue %d128 %v131, 30
  %v163 = extractvalue %d128 %v131, 31
  %v164 = extractvalue %d128 %v131, 32
  %v165 = extractvalue %d128 %v131, 33
  %v166 = extractvalue %d128 %v131, 34
  %v167 = extractvalue %d128 %v131, 35
  %v168 = extractvalue %d128 %v131, 36
  %v169 = extractvalue %d128 %v131, 37
  %v170 = extractvalue %d128 %v131, 38
  %v171 = extractvalue %d128 %v131, 39
  %v172 = extractvalue %d128 %v131, 40
  %v173 = extractvalue %d128 %v131, 41
  %v174 = extractvalue %d128 %v131, 42
  %v175 = extractvalue %d128 %v131, 43
  %v176 = extractvalue %d128 %v131, 44
  %v177 = extractvalue %d128 %v131, 45
  %v178 = extractvalue %d128 %v131, 46
  %v179 = extractvalue %d128 %v131, 47
  %v180 = extractvalue %d128 %v131, 48
  %v181 = extractvalue %d128 %v131, 49
  %v182 = extractvalue %d128 %v131, 50
  %v183 = extractvalue %d128 %v131, 51
  %v184 = extractvalue %d128 %v131, 52
  %v185 = extractvalue %d128 %v131, 53
  %v186 = extractvalue %d128 %v131, 54
  %v187 = extractvalue %d128 %v131, 55
  %v188 = extractvalue %d128 %v131, 56
  %v189 = extractvalue %d128 %v131, 57
  %v190 = extractvalue %d128 %v131, 58
  %v191 = extractvalue %d128 %v131, 59
  %v192 = extractvalue %d128 %v131, 60
  %v193 = extractvalue %d128 %v131, 61
  %v194 = extractvalue %d128 %v131, 62
  %v195 = extractvalue %d128 %v131, 63
  %v196 = extractvalue %d128 %v131, 64
  %v197 = extractvalue %d128 %v131, 65
  %v198 = extractvalue %d128 %v131, 66
  %v199 = extractvalue %d128 %v131, 67
  %v200 = extractvalue %d128 %v131, 68
  %v201 = extractvalue %d128 %v131, 69
  %v202 = extractvalue %d128 %v131, 70
  %v203 = extractvalue %d128 %v131, 71
  %v204 = extractvalue %d128 %v131, 72
  %v205 = extractvalue %d128 %v131, 73
  %v206 = extractvalue %d128 %v131, 74
  %v207 = extractvalue %d128 %v131, 75
  %v208 = extractvalue %d128 %v131, 76
  %v209 = extractvalue %d128 %v131, 77
  %v210 = extractvalue %d128 %v131, 78
  %v211 = extractvalue %d128 %v131, 79
  %v212 = extractvalue %d128 %v131, 80
  %v213 = extractvalue %d128 %v131, 81
  %v214 = extractvalue %d128 %v131, 82
  %v215 = extractvalue %d128 %v131, 83
  %v216 = extractvalue %d128 %v131, 84
  %v217 = extractvalue %d128 %v131, 85
  %v218 = extractvalue %d128 %v131, 86
  %v219 = extractvalue %d128 %v131, 87
  %v220 = extractvalue %d128 %v131, 88
  %v221 = extractvalue %d128 %v131, 89
  %v222 = extractvalue %d128 %v131, 90
  %v223 = extractvalue %d128 %v131, 91
  %v224 = extractvalue %d128 %v131, 92
  %v225 = extractvalue %d128 %v131, 93
  %v226 = extractvalue %d128 %v131, 94
  %v227 = extractvalue %d128 %v131, 95
  %v228 = extractvalue %d128 %v131, 96
  %v229 = extractvalue %d128 %v131, 97
  %v230 = extractvalue %d128 %v131, 98
  %v231 = extractvalue %d128 %v131, 99
  %v232 = extractvalue %d128 %v131, 100
  %v233 = extractvalue %d128 %v131, 101
  %v234 = extractvalue %d128 %v131, 102
  %v235 = extractvalue %d128 %v131, 103
  %v236 = extractvalue %d128 %v131, 104
  %v237 = extractvalue %d128 %v131, 105
  %v238 = extractvalue %d128 %v131, 106
  %v239 = extractvalue %d128 %v131, 107
  %v240 = extractvalue %d128 %v131, 108
  %v241 = extractvalue %d128 %v131, 109
  %v242 = extractvalue %d128 %v131, 110
  %v243 = extractvalue %d128 %v131, 111
  %v244 = extractvalue %d128 %v131, 112
  %v245 = extractvalue %d128 %v131, 113
  %v246 = extractvalue %d128 %v131, 114
  %v247 = extractvalue %d128 %v131, 115
  %v248 = extractvalue %d128 %v131, 116
  %v249 = extractvalue %d128 %v131, 117
  %v250 = extractvalue %d128 %v131, 118
  %v251 = extractvalue %d128 %v131, 119
  %v252 = extractvalue %d128 %v131, 120
  %v253 = extractvalue %d128 %v131, 121
  %v254 = extractvalue %d128 %v131, 122
  %v255 = extractvalue %d128 %v131, 123
  %v256 = extractvalue %d128 %v131, 124
  %v257 = extractvalue %d128 %v131, 125
  %v258 = extractvalue %d128 %v131, 126
  %v259 = extractvalue %d128 %v131, 127
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %v260 = call %d128 asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64,65,66,67,68,69,70,71,72,73,74,75,76,77,78,79,80,81,82,83,84,85,86,87,88,89,90,91,92,93,94,95,96,97,98,99,100,101,102,103,104,105,106,107,108,109,110,111,112,113,114,115,116,117,118,119,120,121,122,123,124,125,126,127"(float %v132, float %v133, float %v134, float %v135, float %v136, float %v137, float %v138, float %v139, float %v140, float %v141, float %v142, float %v143, float %v144, float %v145, float %v146, float %v147, float %v148, float %v149, float %v150, float %v151, float %v152, float %v153, float %v154, float %v155, float %v156, float %v157, float %v158, float %v159, float %v160, float %v161, float %v162, float %v163, float %v164, float %v165, float %v166, float %v167, float %v168, float %v169, float %v170, float %v171, float %v172, float %v173, float %v174, float %v175, float %v176, float %v177, float %v178, float %v179, float %v180, float %v181, float %v182, float %v183, float %v184, float %v185, float %v186, float %v187, float %v188, float %v189, float %v190, float %v191, float %v192, float %v193, float %v194, float %v195, float %v196, float %v197, float %v198, float %v199, float %v200, float %v201, float %v202, float %v203, float %v204, float %v205, float %v206, float %v207, float %v208, float %v209, float %v210, float %v211, float %v212, float %v213, float %v214, float %v215, float %v216, float %v217, float %v218, float %v219, float %v220, float %v221, float %v222, float %v223, float %v224, float %v225, float %v226, float %v227, float %v228, float %v229, float %v230, float %v231, float %v232, float %v233, float %v234, float %v235, float %v236, float %v237, float %v238, float %v239, float %v240, float %v241, float %v242, float %v243, float %v244, float %v245, float %v246, float %v247, float %v248, float %v249, float %v250, float %v251, float %v252, float %v253, float %v254, float %v255, float %v256, float %v257, float %v258, float %v259)
  %v261 = mul i32 %t, 128
  %v262 = add i32 %v261, 0
  %v263 = getelementptr i32, ptr addrspace(1) %out, i32 %v262
  store %d128 %v260, ptr addrspace(1) %v263, align 4
  ret void
}
define ptx_kernel void @dense_rs_n256_f16(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 2
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 2
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 2
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 2
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  %v21 = add i32 %t, 512
  %v22 = add i32 %v21, 2
  %v23 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v22
  %v24 = load <4 x i32>, ptr addrspace(1) %v23, align 16
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v21
  store <4 x i32> %v24, ptr addrspace(3) %v25, align 16
  %v26 = add i32 %t, 640
  %v27 = add i32 %v26, 2
  %v28 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v27
  %v29 = load <4 x i32>, ptr addrspace(1) %v28, align 16
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v26
  store <4 x i32> %v29, ptr addrspace(3) %v30, align 16
  %v31 = add i32 %t, 768
  %v32 = add i32 %v31, 2
  %v33 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v32
  %v34 = load <4 x i32>, ptr addrspace(1) %v33, align 16
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v31
  store <4 x i32> %v34, ptr addrspace(3) %v35, align 16
  %v36 = add i32 %t, 896
  %v37 = add i32 %v36, 2
  %v38 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v37
  %v39 = load <4 x i32>, ptr addrspace(1) %v38, align 16
  %v40 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v36
  store <4 x i32> %v39, ptr addrspace(3) %v40, align 16
  %v41 = add i32 %t, 1024
  %v42 = add i32 %v41, 2
  %v43 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v42
  %v44 = load <4 x i32>, ptr addrspace(1) %v43, align 16
  %v45 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v41
  store <4 x i32> %v44, ptr addrspace(3) %v45, align 16
  %v46 = add i32 %t, 1152
  %v47 = add i32 %v46, 2
  %v48 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v47
  %v49 = load <4 x i32>, ptr addrspace(1) %v48, align 16
  %v50 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v46
  store <4 x i32> %v49, ptr addrspace(3) %v50, align 16
  %v51 = add i32 %t, 1280
  %v52 = add i32 %v51, 2
  %v53 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v52
  %v54 = load <4 x i32>, ptr addrspace(1) %v53, align 16
  %v55 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v51
  store <4 x i32> %v54, ptr addrspace(3) %v55, align 16
  %v56 = add i32 %t, 1408
  %v57 = add i32 %v56, 2
  %v58 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v57
  %v59 = load <4 x i32>, ptr addrspace(1) %v58, align 16
  %v60 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v56
  store <4 x i32> %v59, ptr addrspace(3) %v60, align 16
  %v61 = add i32 %t, 1536
  %v62 = add i32 %v61, 2
  %v63 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v62
  %v64 = load <4 x i32>, ptr addrspace(1) %v63, align 16
  %v65 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v61
  store <4 x i32> %v64, ptr addrspace(3) %v65, align 16
  %v66 = add i32 %t, 1664
  %v67 = add i32 %v66, 2
  %v68 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v67
  %v69 = load <4 x i32>, ptr addrspace(1) %v68, align 16
  %v70 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v66
  store <4 x i32> %v69, ptr addrspace(3) %v70, align 16
  %v71 = add i32 %t, 1792
  %v72 = add i32 %v71, 2
  %v73 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v72
  %v74 = load <4 x i32>, ptr addrspace(1) %v73, align 16
  %v75 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v71
  store <4 x i32> %v74, ptr addrspace(3) %v75, align 16
  %v76 = add i32 %t, 1920
  %v77 = add i32 %v76, 2
  %v78 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v77
  %v79 = load <4 x i32>, ptr addrspace(1) %v78, align 16
  %v80 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v76
  store <4 x i32> %v79, ptr addrspace(3) %v80, align 16
  %v81 = add i32 %t, 2048
  %v82 = add i32 %v81, 2
  %v83 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v82
  %v84 = load <4 x i32>, ptr addrspace(1) %v83, align 16
  %v85 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v81
  store <4 x i32> %v84, ptr addrspace(3) %v85, align 16
  %v86 = add i32 %t, 2176
  %v87 = add i32 %v86, 2
  %v88 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v87
  %v89 = load <4 x i32>, ptr addrspace(1) %v88, align 16
  %v90 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v86
  store <4 x i32> %v89, ptr addrspace(3) %v90, align 16
  %v91 = add i32 %t, 2304
  %v92 = add i32 %v91, 2
  %v93 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v92
  %v94 = load <4 x i32>, ptr addrspace(1) %v93, align 16
  %v95 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v91
  store <4 x i32> %v94, ptr addrspace(3) %v95, align 16
  %v96 = add i32 %t, 2432
  %v97 = add i32 %v96, 2
  %v98 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v97
  %v99 = load <4 x i32>, ptr addrspace(1) %v98, align 16
  %v100 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v96
  store <4 x i32> %v99, ptr addrspace(3) %v100, align 16
  %v101 = add i32 %t, 2560
  %v102 = add i32 %v101, 2
  %v103 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v102
  %v104 = load <4 x i32>, ptr addrspace(1) %v103, align 16
  %v105 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v101
  store <4 x i32> %v104, ptr addrspace(3) %v105, align 16
  %v106 = add i32 %t, 2688
  %v107 = add i32 %v106, 2
  %v108 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v107
  %v109 = load <4 x i32>, ptr addrspace(1) %v108, align 16
  %v110 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v106
  store <4 x i32> %v109, ptr addrspace(3) %v110, align 16
  %v111 = add i32 %t, 2816
  %v112 = add i32 %v111, 2
  %v113 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v112
  %v114 = load <4 x i32>, ptr addrspace(1) %v113, align 16
  %v115 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v111
  store <4 x i32> %v114, ptr addrspace(3) %v115, align 16
  %v116 = add i32 %t, 2944
  %v117 = add i32 %v116, 2
  %v118 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v117
  %v119 = load <4 x i32>, ptr addrspace(1) %v118, align 16
  %v120 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v116
  store <4 x i32> %v119, ptr addrspace(3) %v120, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v121 = ptrtoint ptr addrspace(3) @shared to i32
  %v122 = and i32 %v121, 262143
  %v123 = lshr i32 %v122, 4
  %v124 = zext i32 %v123 to i64
  %v125 = getelementptr i64, ptr addrspace(1) %in, i32 0
  %v126 = load i64, ptr addrspace(1) %v125
  %v127 = add i64 %v126, %v124
  %v128 = getelementptr i64, ptr addrspace(1) %in, i32 1
  %v129 = load i64, ptr addrspace(1) %v128
  %v130 = add i64 %v129, %v124
  %v131 = mul i32 %t, 4
  %v132 = add i32 %v131, 12424
  %v133 = getelementptr i32, ptr addrspace(1) %in, i32 %v132
  %v134 = load i32, ptr addrspace(1) %v133
  %v135 = mul i32 %t, 4
  %v136 = add i32 %v135, 12425
  %v137 = getelementptr i32, ptr addrspace(1) %in, i32 %v136
  %v138 = load i32, ptr addrspace(1) %v137
  %v139 = mul i32 %t, 4
  %v140 = add i32 %v139, 12426
  %v141 = getelementptr i32, ptr addrspace(1) %in, i32 %v140
  %v142 = load i32, ptr addrspace(1) %v141
  %v143 = mul i32 %t, 4
  %v144 = add i32 %v143, 12427
  %v145 = getelementptr i32, ptr addrspace(1) %in, i32 %v144
  %v146 = load i32, ptr addrspace(1) %v145
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %v147 = call %d128 asm sideeffect "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44, $45, $46, $47, $48, $49, $50, $51, $52, $53, $54, $55, $56, $57, $58, $59, $60, $61, $62, $63, $64, $65, $66, $67, $68, $69, $70, $71, $72, $73, $74, $75, $76, $77, $78, $79, $80, $81, $82, $83, $84, $85, $86, $87, $88, $89, $90, $91, $92, $93, $94, $95, $96, $97, $98, $99, $100, $101, $102, $103, $104, $105, $106, $107, $108, $109, $110, $111, $112, $113, $114, $115, $116, $117, $118, $119, $120, $121, $122, $123, $124, $125, $126, $127}, {$128, $129, $130, $131}, $132, p, 1, 1, 0; }", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,r,r,r,r,l,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64,65,66,67,68,69,70,71,72,73,74,75,76,77,78,79,80,81,82,83,84,85,86,87,88,89,90,91,92,93,94,95,96,97,98,99,100,101,102,103,104,105,106,107,108,109,110,111,112,113,114,115,116,117,118,119,120,121,122,123,124,125,126,127"(i32 %v134, i32 %v138, i32 %v142, i32 %v146, i64 %v130, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison)
  %v148 = extractvalue %d128 %v147, 0
  %v149 = extractvalue %d128 %v147, 1
  %v150 = extractvalue %d128 %v147, 2
  %v151 = extractvalue %d128 %v147, 3
  %v152 = extractvalue %d128 %v147, 4
  %v153 = extractvalue %d128 %v147, 5
  %v154 = extractvalue %d128 %v147, 6
  %v155 = extractvalue %d128 %v147, 7
  %v156 = extractvalue %d128 %v147, 8
  %v157 = extractvalue %d128 %v147, 9
  %v158 = extractvalue %d128 %v147, 10
  %v159 = extractvalue %d128 %v147, 11
  %v160 = extractvalue %d128 %v147, 12
  %v161 = extractvalue %d128 %v147, 13
  %v162 = extractvalue %d128 %v147, 14
  %v163 = extractvalue %d128 %v147, 15
  %v164 = extractvalue %d128 %v147, 16
  %v165 = extractvalue %d128 %v147, 17
  %v166 = extractvalue %d128 %v147, 18
  %v167 = extractvalue %d128 %v147, 19
  %v168 = extractvalue %d128 %v147, 20
  %v169 = extractvalue %d128 %v147, 21
  %v170 = extractvalue %d128 %v147, 22
  %v171 = extractvalue %d128 %v147, 23
  %v172 = extractvalue %d128 %v147, 24
  %v173 = extractvalue %d128 %v147, 25
  %v174 = extractvalue %d128 %v147, 26
  %v175 = extractvalue %d128 %v147, 27
  %v176 = extractvalue %d128 %v147, 28
  %v177 = extractvalue %d128 %v147, 29
  %v178 = extractvalue %d128 %v147, 30
  %v179 = extractvalue %d128 %v147, 31
  %v180 = extractvalue %d128 %v147, 32
  %v181 = extractvalue %d128 %v147, 33
  %v182 = extractvalue %d128 %v147, 34
  %v183 = extractvalue %d128 %v147, 35
  %v184 = extractvalue %d128 %v147, 36
  %v185 = extractvalue %d128 %v147, 37
  %v186 = extractvalue %d128 %v147, 38
  %v187 = extractvalue %d128 %v147, 39
  %v188 = extractvalue %d128 %v147, 40
  %v189 = extractvalue %d128 %v147, 41
  %v190 = extractvalue %d128 %v147, 42
  %v191 = extractvalue %d128 %v147, 43
  %v192 = extractvalue %d128 %v147, 44
  %v193 = extractvalue %d128 %v147, 45
  %v194 = extractvalue %d128 %v147, 46
  %v195 = extractvalue %d128 %v147, 47
  %v196 = extractvalue %d128 %v147, 48
  %v197 = extractvalue %d128 %v147, 49
  %v198 = extractvalue %d128 %v147, 50
  %v199 = extractvalue %d128 %v147, 51
  %v200 = extractvalue %d128 %v147, 52
  %v201 = extractvalue %d128 %v147, 53
  %v202 = extractvalue %d128 %v147, 54
  %v203 = extractvalue %d128 %v147, 55
  %v204 = extractvalue %d128 %v147, 56
  %v205 = extractvalue %d128 %v147, 57
  %v206 = extractvalue %d128 %v147, 58
  %v207 = extractvalue %d128 %v147, 59
  %v208 = extractvalue %d128 %v147, 60
  %v209 = extractvalue %d128 %v147, 61
  %v210 = extractvalue %d128 %v147, 62
  %v211 = extractvalue %d128 %v147, 63
  %v212 = extractvalue %d128 %v147, 64
  %v213 = extractvalue %d128 %v147, 65
  %v214 = extractvalue %d128 %v147, 66
  %v215 = extractvalue %d128 %v147, 67
  %v216 = extractvalue %d128 %v147, 68
  %v217 = extractvalue %d128 %v147, 69
  %v218 = extractvalue %d128 %v147, 70
  %v219 = extractvalue %d128 %v147, 71
  %v220 = extractvalue %d128 %v147, 72
  %v221 = extractvalue %d128 %v147, 73
  %v222 = extractvalue %d128 %v147, 74
  %v223 = extractvalue %d128 %v147, 75
  %v224 = extractvalue %d128 %v147, 76
  %v225 = extractvalue %d128 %v147, 77
  %v226 = extractvalue %d128 %v147, 78
  %v227 = extractvalue %d128 %v147, 79
  %v228 = extractvalue %d128 %v147, 80
  %v229 = extractvalue %d128 %v147, 81
  %v230 = extractvalue %d128 %v147, 82
  %v231 = extractvalue %d128 %v147, 83
  %v232 = extractvalue %d128 %v147, 84
  %v233 = extractvalue %d128 %v147, 85
  %v234 = extractvalue %d128 %v147, 86
  %v235 = extractvalue %d128 %v147, 87
  %v236 = extractvalue %d128 %v147, 88
  %v237 = extractvalue %d128 %v147, 89
  %v238 = extractvalue %d128 %v147, 90
  %v239 = extractvalue %d128 %v147, 91
  %v240 = extractvalue %d128 %v147, 92
  %v241 = extractvalue %d128 %v147, 93
  %v242 = extractvalue %d128 %v147, 94
  %v243 = extractvalue %d128 %v147, 95
  %v244 = extractvalue %d128 %v147, 96
  %v245 = extractvalue %d128 %v147, 97
  %v246 = extractvalue %d128 %v147, 98
  %v247 = extractvalue %d128 %v147, 99
  %v248 = extractvalue %d128 %v147, 100
  %v249 = extractvalue %d128 %v147, 101
  %v250 = extractvalue %d128 %v147, 102
  %v251 = extractvalue %d128 %v147, 103
  %v252 = extractvalue %d128 %v147, 104
  %v253 = extractvalue %d128 %v147, 105
  %v254 = extractvalue %d128 %v147, 106
  %v255 = extractvalue %d128 %v147, 107
  %v256 = extractvalue %d128 %v147, 108
  %v257 = extractvalue %d128 %v147, 109
  %v258 = extractvalue %d128 %v147, 110
  %v259 = extractvalue %d128 %v147, 111
  %v260 = extractvalue %d128 %v147, 112
  %v261 = extractvalue %d128 %v147, 113
  %v262 = extractvalue %d128 %v147, 114
  %v263 = extractvalue %d128 %v147, 115
  %v264 = extractvalue %d128 %v147, 116
  %v265 = extractvalue %d128 %v147, 117
  %v266 = extractvalue %d128 %v147, 118
  %v267 = extractvalue %d128 %v147, 119
  %v268 = extractvalue %d128 %v147, 120
  %v269 = extractvalue %d128 %v147, 121
  %v270 = extractvalue %d128 %v147, 122
  %v271 = extractvalue %d128 %v147, 123
  %v272 = extractvalue %d128 %v147, 124
  %v273 = extractvalue %d128 %v147, 125
  %v274 = extractvalue %d128 %v147, 126
  %v275 = extractvalue %d128 %v147, 127
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %v276 = call %d128 asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64,65,66,67,68,69,70,71,72,73,74,75,76,77,78,79,80,81,82,83,84,85,86,87,88,89,90,91,92,93,94,95,96,97,98,99,100,101,102,103,104,105,106,107,108,109,110,111,112,113,114,115,116,117,118,119,120,121,122,123,124,125,126,127"(float %v148, float %v149, float %v150, float %v151, float %v152, float %v153, float %v154, float %v155, float %v156, float %v157, float %v158, float %v159, float %v160, float %v161, float %v162, float %v163, float %v164, float %v165, float %v166, float %v167, float %v168, float %v169, float %v170, float %v171, float %v172, float %v173, float %v174, float %v175, float %v176, float %v177, float %v178, float %v179, float %v180, float %v181, float %v182, float %v183, float %v184, float %v185, float %v186, float %v187, float %v188, float %v189, float %v190, float %v191, float %v192, float %v193, float %v194, float %v195, float %v196, float %v197, float %v198, float %v199, float %v200, float %v201, float %v202, float %v203, float %v204, float %v205, float %v206, float %v207, float %v208, float %v209, float %v210, float %v211, float %v212, float %v213, float %v214, float %v215, float %v216, float %v217, float %v218, float %v219, float %v220, float %v221, float %v222, float %v223, float %v224, float %v225, float %v226, float %v227, float %v228, float %v229, float %v230, float %v231, float %v232, float %v233, float %v234, float %v235, float %v236, float %v237, float %v238, float %v239, float %v240, float %v241, float %v242, float %v243, float %v244, float %v245, float %v246, float %v247, float %v248, float %v249, float %v250, float %v251, float %v252, float %v253, float %v254, float %v255, float %v256, float %v257, float %v258, float %v259, float %v260, float %v261, float %v262, float %v263, float %v264, float %v265, float %v266, float %v267, float %v268, float %v269, float %v270, float %v271, float %v272, float %v273, float %v274, float %v275)
  %v277 = mul i32 %t, 128
  %v278 = add i32 %v277, 0
  %v279 = getelementptr i32, ptr addrspace(1) %out, i32 %v278
  store %d128 %v276, ptr addrspace(1) %v279, align 4
  ret void
}
define ptx_kernel void @sp_ss_n256_f16_s0(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 2
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 2
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 2
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 2
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  %v21 = add i32 %t, 512
  %v22 = add i32 %v21, 2
  %v23 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v22
  %v24 = load <4 x i32>, ptr addrspace(1) %v23, align 16
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v21
  store <4 x i32> %v24, ptr addrspace(3) %v25, align 16
  %v26 = add i32 %t, 640
  %v27 = add i32 %v26, 2
  %v28 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v27
  %v29 = load <4 x i32>, ptr addrspace(1) %v28, align 16
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v26
  store <4 x i32> %v29, ptr addrspace(3) %v30, align 16
  %v31 = add i32 %t, 768
  %v32 = add i32 %v31, 2
  %v33 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v32
  %v34 = load <4 x i32>, ptr addrspace(1) %v33, align 16
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v31
  store <4 x i32> %v34, ptr addrspace(3) %v35, align 16
  %v36 = add i32 %t, 896
  %v37 = add i32 %v36, 2
  %v38 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v37
  %v39 = load <4 x i32>, ptr addrspace(1) %v38, align 16
  %v40 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v36
  store <4 x i32> %v39, ptr addrspace(3) %v40, align 16
  %v41 = add i32 %t, 1024
  %v42 = add i32 %v41, 2
  %v43 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v42
  %v44 = load <4 x i32>, ptr addrspace(1) %v43, align 16
  %v45 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v41
  store <4 x i32> %v44, ptr addrspace(3) %v45, align 16
  %v46 = add i32 %t, 1152
  %v47 = add i32 %v46, 2
  %v48 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v47
  %v49 = load <4 x i32>, ptr addrspace(1) %v48, align 16
  %v50 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v46
  store <4 x i32> %v49, ptr addrspace(3) %v50, align 16
  %v51 = add i32 %t, 1280
  %v52 = add i32 %v51, 2
  %v53 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v52
  %v54 = load <4 x i32>, ptr addrspace(1) %v53, align 16
  %v55 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v51
  store <4 x i32> %v54, ptr addrspace(3) %v55, align 16
  %v56 = add i32 %t, 1408
  %v57 = add i32 %v56, 2
  %v58 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v57
  %v59 = load <4 x i32>, ptr addrspace(1) %v58, align 16
  %v60 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v56
  store <4 x i32> %v59, ptr addrspace(3) %v60, align 16
  %v61 = add i32 %t, 1536
  %v62 = add i32 %v61, 2
  %v63 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v62
  %v64 = load <4 x i32>, ptr addrspace(1) %v63, align 16
  %v65 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v61
  store <4 x i32> %v64, ptr addrspace(3) %v65, align 16
  %v66 = add i32 %t, 1664
  %v67 = add i32 %v66, 2
  %v68 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v67
  %v69 = load <4 x i32>, ptr addrspace(1) %v68, align 16
  %v70 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v66
  store <4 x i32> %v69, ptr addrspace(3) %v70, align 16
  %v71 = add i32 %t, 1792
  %v72 = add i32 %v71, 2
  %v73 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v72
  %v74 = load <4 x i32>, ptr addrspace(1) %v73, align 16
  %v75 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v71
  store <4 x i32> %v74, ptr addrspace(3) %v75, align 16
  %v76 = add i32 %t, 1920
  %v77 = add i32 %v76, 2
  %v78 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v77
  %v79 = load <4 x i32>, ptr addrspace(1) %v78, align 16
  %v80 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v76
  store <4 x i32> %v79, ptr addrspace(3) %v80, align 16
  %v81 = add i32 %t, 2048
  %v82 = add i32 %v81, 2
  %v83 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v82
  %v84 = load <4 x i32>, ptr addrspace(1) %v83, align 16
  %v85 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v81
  store <4 x i32> %v84, ptr addrspace(3) %v85, align 16
  %v86 = add i32 %t, 2176
  %v87 = add i32 %v86, 2
  %v88 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v87
  %v89 = load <4 x i32>, ptr addrspace(1) %v88, align 16
  %v90 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v86
  store <4 x i32> %v89, ptr addrspace(3) %v90, align 16
  %v91 = add i32 %t, 2304
  %v92 = add i32 %v91, 2
  %v93 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v92
  %v94 = load <4 x i32>, ptr addrspace(1) %v93, align 16
  %v95 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v91
  store <4 x i32> %v94, ptr addrspace(3) %v95, align 16
  %v96 = add i32 %t, 2432
  %v97 = add i32 %v96, 2
  %v98 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v97
  %v99 = load <4 x i32>, ptr addrspace(1) %v98, align 16
  %v100 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v96
  store <4 x i32> %v99, ptr addrspace(3) %v100, align 16
  %v101 = add i32 %t, 2560
  %v102 = add i32 %v101, 2
  %v103 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v102
  %v104 = load <4 x i32>, ptr addrspace(1) %v103, align 16
  %v105 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v101
  store <4 x i32> %v104, ptr addrspace(3) %v105, align 16
  %v106 = add i32 %t, 2688
  %v107 = add i32 %v106, 2
  %v108 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v107
  %v109 = load <4 x i32>, ptr addrspace(1) %v108, align 16
  %v110 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v106
  store <4 x i32> %v109, ptr addrspace(3) %v110, align 16
  %v111 = add i32 %t, 2816
  %v112 = add i32 %v111, 2
  %v113 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v112
  %v114 = load <4 x i32>, ptr addrspace(1) %v113, align 16
  %v115 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v111
  store <4 x i32> %v114, ptr addrspace(3) %v115, align 16
  %v116 = add i32 %t, 2944
  %v117 = add i32 %v116, 2
  %v118 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v117
  %v119 = load <4 x i32>, ptr addrspace(1) %v118, align 16
  %v120 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v116
  store <4 x i32> %v119, ptr addrspace(3) %v120, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v121 = ptrtoint ptr addrspace(3) @shared to i32
  %v122 = and i32 %v121, 262143
  %v123 = lshr i32 %v122, 4
  %v124 = zext i32 %v123 to i64
  %v125 = getelementptr i64, ptr addrspace(1) %in, i32 0
  %v126 = load i64, ptr addrspace(1) %v125
  %v127 = add i64 %v126, %v124
  %v128 = getelementptr i64, ptr addrspace(1) %in, i32 1
  %v129 = load i64, ptr addrspace(1) %v128
  %v130 = add i64 %v129, %v124
  %v131 = mul i32 %t, 1
  %v132 = add i32 %v131, 12296
  %v133 = getelementptr i32, ptr addrspace(1) %in, i32 %v132
  %v134 = load i32, ptr addrspace(1) %v133
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %v135 = call %d128 asm sideeffect "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sp.sync.aligned.m64n256k32.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44, $45, $46, $47, $48, $49, $50, $51, $52, $53, $54, $55, $56, $57, $58, $59, $60, $61, $62, $63, $64, $65, $66, $67, $68, $69, $70, $71, $72, $73, $74, $75, $76, $77, $78, $79, $80, $81, $82, $83, $84, $85, $86, $87, $88, $89, $90, $91, $92, $93, $94, $95, $96, $97, $98, $99, $100, $101, $102, $103, $104, $105, $106, $107, $108, $109, $110, $111, $112, $113, $114, $115, $116, $117, $118, $119, $120, $121, $122, $123, $124, $125, $126, $127}, $128, $129, $130, 0, p, 1, 1, 0, 0; }", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,l,l,r,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64,65,66,67,68,69,70,71,72,73,74,75,76,77,78,79,80,81,82,83,84,85,86,87,88,89,90,91,92,93,94,95,96,97,98,99,100,101,102,103,104,105,106,107,108,109,110,111,112,113,114,115,116,117,118,119,120,121,122,123,124,125,126,127"(i64 %v127, i64 %v130, i32 %v134, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison)
  %v136 = extractvalue %d128 %v135, 0
  %v137 = extractvalue %d128 %v135, 1
  %v138 = extractvalue %d128 %v135, 2
  %v139 = extractvalue %d128 %v135, 3
  %v140 = extractvalue %d128 %v135, 4
  %v141 = extractvalue %d128 %v135, 5
  %v142 = extractvalue %d128 %v135, 6
  %v143 = extractvalue %d128 %v135, 7
  %v144 = extractvalue %d128 %v135, 8
  %v145 = extractvalue %d128 %v135, 9
  %v146 = extractvalue %d128 %v135, 10
  %v147 = extractvalue %d128 %v135, 11
  %v148 = extractvalue %d128 %v135, 12
  %v149 = extractvalue %d128 %v135, 13
  %v150 = extractvalue %d128 %v135, 14
  %v151 = extractvalue %d128 %v135, 15
  %v152 = extractvalue %d128 %v135, 16
  %v153 = extractvalue %d128 %v135, 17
  %v154 = extractvalue %d128 %v135, 18
  %v155 = extractvalue %d128 %v135, 19
  %v156 = extractvalue %d128 %v135, 20
  %v157 = extractvalue %d128 %v135, 21
  %v158 = extractvalue %d128 %v135, 22
  %v159 = extractvalue %d128 %v135, 23
  %v160 = extractvalue %d128 %v135, 24
  %v161 = extractvalue %d128 %v135, 25
  %v162 = extractvalue %d128 %v135, 26
  %v163 = extractvalue %d128 %v135, 27
  %v164 = extractvalue %d128 %v135, 28
  %v165 = extractvalue %d128 %v135, 29
  %v166 = extractvalue %d128 %v135, 30
  %v167 = extractvalue %d128 %v135, 31
  %v168 = extractvalue %d128 %v135, 32
  %v169 = extractvalue %d128 %v135, 33
  %v170 = extractvalue %d128 %v135, 34
  %v171 = extractvalue %d128 %v135, 35
  %v172 = extractvalue %d128 %v135, 36
  %v173 = extractvalue %d128 %v135, 37
  %v174 = extractvalue %d128 %v135, 38
  %v175 = extractvalue %d128 %v135, 39
  %v176 = extractvalue %d128 %v135, 40
  %v177 = extractvalue %d128 %v135, 41
  %v178 = extractvalue %d128 %v135, 42
  %v179 = extractvalue %d128 %v135, 43
  %v180 = extractvalue %d128 %v135, 44
  %v181 = extractvalue %d128 %v135, 45
  %v182 = extractvalue %d128 %v135, 46
  %v183 = extractvalue %d128 %v135, 47
  %v184 = extractvalue %d128 %v135, 48
  %v185 = extractvalue %d128 %v135, 49
  %v186 = extractvalue %d128 %v135, 50
  %v187 = extractvalue %d128 %v135, 51
  %v188 = extractvalue %d128 %v135, 52
  %v189 = extractvalue %d128 %v135, 53
  %v190 = extractvalue %d128 %v135, 54
  %v191 = extractvalue %d128 %v135, 55
  %v192 = extractvalue %d128 %v135, 56
  %v193 = extractvalue %d128 %v135, 57
  %v194 = extractvalue %d128 %v135, 58
  %v195 = extractvalue %d128 %v135, 59
  %v196 = extractvalue %d128 %v135, 60
  %v197 = extractvalue %d128 %v135, 61
  %v198 = extractvalue %d128 %v135, 62
  %v199 = extractvalue %d128 %v135, 63
  %v200 = extractvalue %d128 %v135, 64
  %v201 = extractvalue %d128 %v135, 65
  %v202 = extractvalue %d128 %v135, 66
  %v203 = extractvalue %d128 %v135, 67
  %v204 = extractvalue %d128 %v135, 68
  %v205 = extractvalue %d128 %v135, 69
  %v206 = extractvalue %d128 %v135, 70
  %v207 = extractvalue %d128 %v135, 71
  %v208 = extractvalue %d128 %v135, 72
  %v209 = extractvalue %d128 %v135, 73
  %v210 = extractvalue %d128 %v135, 74
  %v211 = extractvalue %d128 %v135, 75
  %v212 = extractvalue %d128 %v135, 76
  %v213 = extractvalue %d128 %v135, 77
  %v214 = extractvalue %d128 %v135, 78
  %v215 = extractvalue %d128 %v135, 79
  %v216 = extractvalue %d128 %v135, 80
  %v217 = extractvalue %d128 %v135, 81
  %v218 = extractvalue %d128 %v135, 82
  %v219 = extractvalue %d128 %v135, 83
  %v220 = extractvalue %d128 %v135, 84
  %v221 = extractvalue %d128 %v135, 85
  %v222 = extractvalue %d128 %v135, 86
  %v223 = extractvalue %d128 %v135, 87
  %v224 = extractvalue %d128 %v135, 88
  %v225 = extractvalue %d128 %v135, 89
  %v226 = extractvalue %d128 %v135, 90
  %v227 = extractvalue %d128 %v135, 91
  %v228 = extractvalue %d128 %v135, 92
  %v229 = extractvalue %d128 %v135, 93
  %v230 = extractvalue %d128 %v135, 94
  %v231 = extractvalue %d128 %v135, 95
  %v232 = extractvalue %d128 %v135, 96
  %v233 = extractvalue %d128 %v135, 97
  %v234 = extractvalue %d128 %v135, 98
  %v235 = extractvalue %d128 %v135, 99
  %v236 = extractvalue %d128 %v135, 100
  %v237 = extractvalue %d128 %v135, 101
  %v238 = extractvalue %d128 %v135, 102
  %v239 = extractvalue %d128 %v135, 103
  %v240 = extractvalue %d128 %v135, 104
  %v241 = extractvalue %d128 %v135, 105
  %v242 = extractvalue %d128 %v135, 106
  %v243 = extractvalue %d128 %v135, 107
  %v244 = extractvalue %d128 %v135, 108
  %v245 = extractvalue %d128 %v135, 109
  %v246 = extractvalue %d128 %v135, 110
  %v247 = extractvalue %d128 %v135, 111
  %v248 = extractvalue %d128 %v135, 112
  %v249 = extractvalue %d128 %v135, 113
  %v250 = extractvalue %d128 %v135, 114
  %v251 = extractvalue %d128 %v135, 115
  %v252 = extractvalue %d128 %v135, 116
  %v253 = extractvalue %d128 %v135, 117
  %v254 = extractvalue %d128 %v135, 118
  %v255 = extractvalue %d128 %v135, 119
  %v256 = extractvalue %d128 %v135, 120
  %v257 = extractvalue %d128 %v135, 121
  %v258 = extractvalue %d128 %v135, 122
  %v259 = extractvalue %d128 %v135, 123
  %v260 = extractvalue %d128 %v135, 124
  %v261 = extractvalue %d128 %v135, 125
  %v262 = extractvalue %d128 %v135, 126
  %v263 = extractvalue %d128 %v135, 127
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %v264 = call %d128 asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64,65,66,67,68,69,70,71,72,73,74,75,76,77,78,79,80,81,82,83,84,85,86,87,88,89,90,91,92,93,94,95,96,97,98,99,100,101,102,103,104,105,106,107,108,109,110,111,112,113,114,115,116,117,118,119,120,121,122,123,124,125,126,127"(float %v136, float %v137, float %v138, float %v139, float %v140, float %v141, float %v142, float %v143, float %v144, float %v145, float %v146, float %v147, float %v148, float %v149, float %v150, float %v151, float %v152, float %v153, float %v154, float %v155, float %v156, float %v157, float %v158, float %v159, float %v160, float %v161, float %v162, float %v163, float %v164, float %v165, float %v166, float %v167, float %v168, float %v169, float %v170, float %v171, float %v172, float %v173, float %v174, float %v175, float %v176, float %v177, float %v178, float %v179, float %v180, float %v181, float %v182, float %v183, float %v184, float %v185, float %v186, float %v187, float %v188, float %v189, float %v190, float %v191, float %v192, float %v193, float %v194, float %v195, float %v196, float %v197, float %v198, float %v199, float %v200, float %v201, float %v202, float %v203, float %v204, float %v205, float %v206, float %v207, float %v208, float %v209, float %v210, float %v211, float %v212, float %v213, float %v214, float %v215, float %v216, float %v217, float %v218, float %v219, float %v220, float %v221, float %v222, float %v223, float %v224, float %v225, float %v226, float %v227, float %v228, float %v229, float %v230, float %v231, float %v232, float %v233, float %v234, float %v235, float %v236, float %v237, float %v238, float %v239, float %v240, float %v241, float %v242, float %v243, float %v244, float %v245, float %v246, float %v247, float %v248, float %v249, float %v250, float %v251, float %v252, float %v253, float %v254, float %v255, float %v256, float %v257, float %v258, float %v259, float %v260, float %v261, float %v262, float %v263)
  %v265 = mul i32 %t, 128
  %v266 = add i32 %v265, 0
  %v267 = getelementptr i32, ptr addrspace(1) %out, i32 %v266
  store %d128 %v264, ptr addrspace(1) %v267, align 4
  ret void
}
define ptx_kernel void @sp_ss_n256_f16_s1(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 2
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 2
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 2
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 2
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  %v21 = add i32 %t, 512
  %v22 = add i32 %v21, 2
  %v23 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v22
  %v24 = load <4 x i32>, ptr addrspace(1) %v23, align 16
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v21
  store <4 x i32> %v24, ptr addrspace(3) %v25, align 16
  %v26 = add i32 %t, 640
  %v27 = add i32 %v26, 2
  %v28 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v27
  %v29 = load <4 x i32>, ptr addrspace(1) %v28, align 16
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v26
  store <4 x i32> %v29, ptr addrspace(3) %v30, align 16
  %v31 = add i32 %t, 768
  %v32 = add i32 %v31, 2
  %v33 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v32
  %v34 = load <4 x i32>, ptr addrspace(1) %v33, align 16
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v31
  store <4 x i32> %v34, ptr addrspace(3) %v35, align 16
  %v36 = add i32 %t, 896
  %v37 = add i32 %v36, 2
  %v38 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v37
  %v39 = load <4 x i32>, ptr addrspace(1) %v38, align 16
  %v40 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v36
  store <4 x i32> %v39, ptr addrspace(3) %v40, align 16
  %v41 = add i32 %t, 1024
  %v42 = add i32 %v41, 2
  %v43 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v42
  %v44 = load <4 x i32>, ptr addrspace(1) %v43, align 16
  %v45 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v41
  store <4 x i32> %v44, ptr addrspace(3) %v45, align 16
  %v46 = add i32 %t, 1152
  %v47 = add i32 %v46, 2
  %v48 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v47
  %v49 = load <4 x i32>, ptr addrspace(1) %v48, align 16
  %v50 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v46
  store <4 x i32> %v49, ptr addrspace(3) %v50, align 16
  %v51 = add i32 %t, 1280
  %v52 = add i32 %v51, 2
  %v53 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v52
  %v54 = load <4 x i32>, ptr addrspace(1) %v53, align 16
  %v55 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v51
  store <4 x i32> %v54, ptr addrspace(3) %v55, align 16
  %v56 = add i32 %t, 1408
  %v57 = add i32 %v56, 2
  %v58 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v57
  %v59 = load <4 x i32>, ptr addrspace(1) %v58, align 16
  %v60 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v56
  store <4 x i32> %v59, ptr addrspace(3) %v60, align 16
  %v61 = add i32 %t, 1536
  %v62 = add i32 %v61, 2
  %v63 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v62
  %v64 = load <4 x i32>, ptr addrspace(1) %v63, align 16
  %v65 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v61
  store <4 x i32> %v64, ptr addrspace(3) %v65, align 16
  %v66 = add i32 %t, 1664
  %v67 = add i32 %v66, 2
  %v68 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v67
  %v69 = load <4 x i32>, ptr addrspace(1) %v68, align 16
  %v70 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v66
  store <4 x i32> %v69, ptr addrspace(3) %v70, align 16
  %v71 = add i32 %t, 1792
  %v72 = add i32 %v71, 2
  %v73 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v72
  %v74 = load <4 x i32>, ptr addrspace(1) %v73, align 16
  %v75 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v71
  store <4 x i32> %v74, ptr addrspace(3) %v75, align 16
  %v76 = add i32 %t, 1920
  %v77 = add i32 %v76, 2
  %v78 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v77
  %v79 = load <4 x i32>, ptr addrspace(1) %v78, align 16
  %v80 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v76
  store <4 x i32> %v79, ptr addrspace(3) %v80, align 16
  %v81 = add i32 %t, 2048
  %v82 = add i32 %v81, 2
  %v83 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v82
  %v84 = load <4 x i32>, ptr addrspace(1) %v83, align 16
  %v85 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v81
  store <4 x i32> %v84, ptr addrspace(3) %v85, align 16
  %v86 = add i32 %t, 2176
  %v87 = add i32 %v86, 2
  %v88 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v87
  %v89 = load <4 x i32>, ptr addrspace(1) %v88, align 16
  %v90 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v86
  store <4 x i32> %v89, ptr addrspace(3) %v90, align 16
  %v91 = add i32 %t, 2304
  %v92 = add i32 %v91, 2
  %v93 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v92
  %v94 = load <4 x i32>, ptr addrspace(1) %v93, align 16
  %v95 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v91
  store <4 x i32> %v94, ptr addrspace(3) %v95, align 16
  %v96 = add i32 %t, 2432
  %v97 = add i32 %v96, 2
  %v98 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v97
  %v99 = load <4 x i32>, ptr addrspace(1) %v98, align 16
  %v100 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v96
  store <4 x i32> %v99, ptr addrspace(3) %v100, align 16
  %v101 = add i32 %t, 2560
  %v102 = add i32 %v101, 2
  %v103 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v102
  %v104 = load <4 x i32>, ptr addrspace(1) %v103, align 16
  %v105 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v101
  store <4 x i32> %v104, ptr addrspace(3) %v105, align 16
  %v106 = add i32 %t, 2688
  %v107 = add i32 %v106, 2
  %v108 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v107
  %v109 = load <4 x i32>, ptr addrspace(1) %v108, align 16
  %v110 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v106
  store <4 x i32> %v109, ptr addrspace(3) %v110, align 16
  %v111 = add i32 %t, 2816
  %v112 = add i32 %v111, 2
  %v113 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v112
  %v114 = load <4 x i32>, ptr addrspace(1) %v113, align 16
  %v115 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v111
  store <4 x i32> %v114, ptr addrspace(3) %v115, align 16
  %v116 = add i32 %t, 2944
  %v117 = add i32 %v116, 2
  %v118 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v117
  %v119 = load <4 x i32>, ptr addrspace(1) %v118, align 16
  %v120 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v116
  store <4 x i32> %v119, ptr addrspace(3) %v120, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v121 = ptrtoint ptr addrspace(3) @shared to i32
  %v122 = and i32 %v121, 262143
  %v123 = lshr i32 %v122, 4
  %v124 = zext i32 %v123 to i64
  %v125 = getelementptr i64, ptr addrspace(1) %in, i32 0
  %v126 = load i64, ptr addrspace(1) %v125
  %v127 = add i64 %v126, %v124
  %v128 = getelementptr i64, ptr addrspace(1) %in, i32 1
  %v129 = load i64, ptr addrspace(1) %v128
  %v130 = add i64 %v129, %v124
  %v131 = mul i32 %t, 1
  %v132 = add i32 %v131, 12296
  %v133 = getelementptr i32, ptr addrspace(1) %in, i32 %v132
  %v134 = load i32, ptr addrspace(1) %v133
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %v135 = call %d128 asm sideeffect "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sp.sync.aligned.m64n256k32.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44, $45, $46, $47, $48, $49, $50, $51, $52, $53, $54, $55, $56, $57, $58, $59, $60, $61, $62, $63, $64, $65, $66, $67, $68, $69, $70, $71, $72, $73, $74, $75, $76, $77, $78, $79, $80, $81, $82, $83, $84, $85, $86, $87, $88, $89, $90, $91, $92, $93, $94, $95, $96, $97, $98, $99, $100, $101, $102, $103, $104, $105, $106, $107, $108, $109, $110, $111, $112, $113, $114, $115, $116, $117, $118, $119, $120, $121, $122, $123, $124, $125, $126, $127}, $128, $129, $130, 1, p, 1, 1, 0, 0; }", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,l,l,r,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64,65,66,67,68,69,70,71,72,73,74,75,76,77,78,79,80,81,82,83,84,85,86,87,88,89,90,91,92,93,94,95,96,97,98,99,100,101,102,103,104,105,106,107,108,109,110,111,112,113,114,115,116,117,118,119,120,121,122,123,124,125,126,127"(i64 %v127, i64 %v130, i32 %v134, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison)
  %v136 = extractvalue %d128 %v135, 0
  %v137 = extractvalue %d128 %v135, 1
  %v138 = extractvalue %d128 %v135, 2
  %v139 = extractvalue %d128 %v135, 3
  %v140 = extractvalue %d128 %v135, 4
  %v141 = extractvalue %d128 %v135, 5
  %v142 = extractvalue %d128 %v135, 6
  %v143 = extractvalue %d128 %v135, 7
  %v144 = extractvalue %d128 %v135, 8
  %v145 = extractvalue %d128 %v135, 9
  %v146 = extractvalue %d128 %v135, 10
  %v147 = extractvalue %d128 %v135, 11
  %v148 = extractvalue %d128 %v135, 12
  %v149 = extractvalue %d128 %v135, 13
  %v150 = extractvalue %d128 %v135, 14
  %v151 = extractvalue %d128 %v135, 15
  %v152 = extractvalue %d128 %v135, 16
  %v153 = extractvalue %d128 %v135, 17
  %v154 = extractvalue %d128 %v135, 18
  %v155 = extractvalue %d128 %v135, 19
  %v156 = extractvalue %d128 %v135, 20
  %v157 = extractvalue %d128 %v135, 21
  %v158 = extractvalue %d128 %v135, 22
  %v159 = extractvalue %d128 %v135, 23
  %v160 = extractvalue %d128 %v135, 24
  %v161 = extractvalue %d128 %v135, 25
  %v162 = extractvalue %d128 %v135, 26
  %v163 = extractvalue %d128 %v135, 27
  %v164 = extractvalue %d128 %v135, 28
  %v165 = extractvalue %d128 %v135, 29
  %v166 = extractvalue %d128 %v135, 30
  %v167 = extractvalue %d128 %v135, 31
  %v168 = extractvalue %d128 %v135, 32
  %v169 = extractvalue %d128 %v135, 33
  %v170 = extractvalue %d128 %v135, 34
  %v171 = extractvalue %d128 %v135, 35
  %v172 = extractvalue %d128 %v135, 36
  %v173 = extractvalue %d128 %v135, 37
  %v174 = extractvalue %d128 %v135, 38
  %v175 = extractvalue %d128 %v135, 39
  %v176 = extractvalue %d128 %v135, 40
  %v177 = extractvalue %d128 %v135, 41
  %v178 = extractvalue %d128 %v135, 42
  %v179 = extractvalue %d128 %v135, 43
  %v180 = extractvalue %d128 %v135, 44
  %v181 = extractvalue %d128 %v135, 45
  %v182 = extractvalue %d128 %v135, 46
  %v183 = extractvalue %d128 %v135, 47
  %v184 = extractvalue %d128 %v135, 48
  %v185 = extractvalue %d128 %v135, 49
  %v186 = extractvalue %d128 %v135, 50
  %v187 = extractvalue %d128 %v135, 51
  %v188 = extractvalue %d128 %v135, 52
  %v189 = extractvalue %d128 %v135, 53
  %v190 = extractvalue %d128 %v135, 54
  %v191 = extractvalue %d128 %v135, 55
  %v192 = extractvalue %d128 %v135, 56
  %v193 = extractvalue %d128 %v135, 57
  %v194 = extractvalue %d128 %v135, 58
  %v195 = extractvalue %d128 %v135, 59
  %v196 = extractvalue %d128 %v135, 60
  %v197 = extractvalue %d128 %v135, 61
  %v198 = extractvalue %d128 %v135, 62
  %v199 = extractvalue %d128 %v135, 63
  %v200 = extractvalue %d128 %v135, 64
  %v201 = extractvalue %d128 %v135, 65
  %v202 = extractvalue %d128 %v135, 66
  %v203 = extractvalue %d128 %v135, 67
  %v204 = extractvalue %d128 %v135, 68
  %v205 = extractvalue %d128 %v135, 69
  %v206 = extractvalue %d128 %v135, 70
  %v207 = extractvalue %d128 %v135, 71
  %v208 = extractvalue %d128 %v135, 72
  %v209 = extractvalue %d128 %v135, 73
  %v210 = extractvalue %d128 %v135, 74
  %v211 = extractvalue %d128 %v135, 75
  %v212 = extractvalue %d128 %v135, 76
  %v213 = extractvalue %d128 %v135, 77
  %v214 = extractvalue %d128 %v135, 78
  %v215 = extractvalue %d128 %v135, 79
  %v216 = extractvalue %d128 %v135, 80
  %v217 = extractvalue %d128 %v135, 81
  %v218 = extractvalue %d128 %v135, 82
  %v219 = extractvalue %d128 %v135, 83
  %v220 = extractvalue %d128 %v135, 84
  %v221 = extractvalue %d128 %v135, 85
  %v222 = extractvalue %d128 %v135, 86
  %v223 = extractvalue %d128 %v135, 87
  %v224 = extractvalue %d128 %v135, 88
  %v225 = extractvalue %d128 %v135, 89
  %v226 = extractvalue %d128 %v135, 90
  %v227 = extractvalue %d128 %v135, 91
  %v228 = extractvalue %d128 %v135, 92
  %v229 = extractvalue %d128 %v135, 93
  %v230 = extractvalue %d128 %v135, 94
  %v231 = extractvalue %d128 %v135, 95
  %v232 = extractvalue %d128 %v135, 96
  %v233 = extractvalue %d128 %v135, 97
  %v234 = extractvalue %d128 %v135, 98
  %v235 = extractvalue %d128 %v135, 99
  %v236 = extractvalue %d128 %v135, 100
  %v237 = extractvalue %d128 %v135, 101
  %v238 = extractvalue %d128 %v135, 102
  %v239 = extractvalue %d128 %v135, 103
  %v240 = extractvalue %d128 %v135, 104
  %v241 = extractvalue %d128 %v135, 105
  %v242 = extractvalue %d128 %v135, 106
  %v243 = extractvalue %d128 %v135, 107
  %v244 = extractvalue %d128 %v135, 108
  %v245 = extractvalue %d128 %v135, 109
  %v246 = extractvalue %d128 %v135, 110
  %v247 = extractvalue %d128 %v135, 111
  %v248 = extractvalue %d128 %v135, 112
  %v249 = extractvalue %d128 %v135, 113
  %v250 = extractvalue %d128 %v135, 114
  %v251 = extractvalue %d128 %v135, 115
  %v252 = extractvalue %d128 %v135, 116
  %v253 = extractvalue %d128 %v135, 117
  %v254 = extractvalue %d128 %v135, 118
  %v255 = extractvalue %d128 %v135, 119
  %v256 = extractvalue %d128 %v135, 120
  %v257 = extractvalue %d128 %v135, 121
  %v258 = extractvalue %d128 %v135, 122
  %v259 = extractvalue %d128 %v135, 123
  %v260 = extractvalue %d128 %v135, 124
  %v261 = extractvalue %d128 %v135, 125
  %v262 = extractvalue %d128 %v135, 126
  %v263 = extractvalue %d128 %v135, 127
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %v264 = call %d128 asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64,65,66,67,68,69,70,71,72,73,74,75,76,77,78,79,80,81,82,83,84,85,86,87,88,89,90,91,92,93,94,95,96,97,98,99,100,101,102,103,104,105,106,107,108,109,110,111,112,113,114,115,116,117,118,119,120,121,122,123,124,125,126,127"(float %v136, float %v137, float %v138, float %v139, float %v140, float %v141, float %v142, float %v143, float %v144, float %v145, float %v146, float %v147, float %v148, float %v149, float %v150, float %v151, float %v152, float %v153, float %v154, float %v155, float %v156, float %v157, float %v158, float %v159, float %v160, float %v161, float %v162, float %v163, float %v164, float %v165, float %v166, float %v167, float %v168, float %v169, float %v170, float %v171, float %v172, float %v173, float %v174, float %v175, float %v176, float %v177, float %v178, float %v179, float %v180, float %v181, float %v182, float %v183, float %v184, float %v185, float %v186, float %v187, float %v188, float %v189, float %v190, float %v191, float %v192, float %v193, float %v194, float %v195, float %v196, float %v197, float %v198, float %v199, float %v200, float %v201, float %v202, float %v203, float %v204, float %v205, float %v206, float %v207, float %v208, float %v209, float %v210, float %v211, float %v212, float %v213, float %v214, float %v215, float %v216, float %v217, float %v218, float %v219, float %v220, float %v221, float %v222, float %v223, float %v224, float %v225, float %v226, float %v227, float %v228, float %v229, float %v230, float %v231, float %v232, float %v233, float %v234, float %v235, float %v236, float %v237, float %v238, float %v239, float %v240, float %v241, float %v242, float %v243, float %v244, float %v245, float %v246, float %v247, float %v248, float %v249, float %v250, float %v251, float %v252, float %v253, float %v254, float %v255, float %v256, float %v257, float %v258, float %v259, float %v260, float %v261, float %v262, float %v263)
  %v265 = mul i32 %t, 128
  %v266 = add i32 %v265, 0
  %v267 = getelementptr i32, ptr addrspace(1) %out, i32 %v266
  store %d128 %v264, ptr addrspace(1) %v267, align 4
  ret void
}
define ptx_kernel void @sp_rs_n256_f16_s0(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 2
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 2
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 2
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 2
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  %v21 = add i32 %t, 512
  %v22 = add i32 %v21, 2
  %v23 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v22
  %v24 = load <4 x i32>, ptr addrspace(1) %v23, align 16
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v21
  store <4 x i32> %v24, ptr addrspace(3) %v25, align 16
  %v26 = add i32 %t, 640
  %v27 = add i32 %v26, 2
  %v28 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v27
  %v29 = load <4 x i32>, ptr addrspace(1) %v28, align 16
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v26
  store <4 x i32> %v29, ptr addrspace(3) %v30, align 16
  %v31 = add i32 %t, 768
  %v32 = add i32 %v31, 2
  %v33 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v32
  %v34 = load <4 x i32>, ptr addrspace(1) %v33, align 16
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v31
  store <4 x i32> %v34, ptr addrspace(3) %v35, align 16
  %v36 = add i32 %t, 896
  %v37 = add i32 %v36, 2
  %v38 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v37
  %v39 = load <4 x i32>, ptr addrspace(1) %v38, align 16
  %v40 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v36
  store <4 x i32> %v39, ptr addrspace(3) %v40, align 16
  %v41 = add i32 %t, 1024
  %v42 = add i32 %v41, 2
  %v43 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v42
  %v44 = load <4 x i32>, ptr addrspace(1) %v43, align 16
  %v45 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v41
  store <4 x i32> %v44, ptr addrspace(3) %v45, align 16
  %v46 = add i32 %t, 1152
  %v47 = add i32 %v46, 2
  %v48 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v47
  %v49 = load <4 x i32>, ptr addrspace(1) %v48, align 16
  %v50 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v46
  store <4 x i32> %v49, ptr addrspace(3) %v50, align 16
  %v51 = add i32 %t, 1280
  %v52 = add i32 %v51, 2
  %v53 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v52
  %v54 = load <4 x i32>, ptr addrspace(1) %v53, align 16
  %v55 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v51
  store <4 x i32> %v54, ptr addrspace(3) %v55, align 16
  %v56 = add i32 %t, 1408
  %v57 = add i32 %v56, 2
  %v58 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v57
  %v59 = load <4 x i32>, ptr addrspace(1) %v58, align 16
  %v60 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v56
  store <4 x i32> %v59, ptr addrspace(3) %v60, align 16
  %v61 = add i32 %t, 1536
  %v62 = add i32 %v61, 2
  %v63 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v62
  %v64 = load <4 x i32>, ptr addrspace(1) %v63, align 16
  %v65 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v61
  store <4 x i32> %v64, ptr addrspace(3) %v65, align 16
  %v66 = add i32 %t, 1664
  %v67 = add i32 %v66, 2
  %v68 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v67
  %v69 = load <4 x i32>, ptr addrspace(1) %v68, align 16
  %v70 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v66
  store <4 x i32> %v69, ptr addrspace(3) %v70, align 16
  %v71 = add i32 %t, 1792
  %v72 = add i32 %v71, 2
  %v73 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v72
  %v74 = load <4 x i32>, ptr addrspace(1) %v73, align 16
  %v75 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v71
  store <4 x i32> %v74, ptr addrspace(3) %v75, align 16
  %v76 = add i32 %t, 1920
  %v77 = add i32 %v76, 2
  %v78 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v77
  %v79 = load <4 x i32>, ptr addrspace(1) %v78, align 16
  %v80 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v76
  store <4 x i32> %v79, ptr addrspace(3) %v80, align 16
  %v81 = add i32 %t, 2048
  %v82 = add i32 %v81, 2
  %v83 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v82
  %v84 = load <4 x i32>, ptr addrspace(1) %v83, align 16
  %v85 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v81
  store <4 x i32> %v84, ptr addrspace(3) %v85, align 16
  %v86 = add i32 %t, 2176
  %v87 = add i32 %v86, 2
  %v88 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v87
  %v89 = load <4 x i32>, ptr addrspace(1) %v88, align 16
  %v90 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v86
  store <4 x i32> %v89, ptr addrspace(3) %v90, align 16
  %v91 = add i32 %t, 2304
  %v92 = add i32 %v91, 2
  %v93 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v92
  %v94 = load <4 x i32>, ptr addrspace(1) %v93, align 16
  %v95 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v91
  store <4 x i32> %v94, ptr addrspace(3) %v95, align 16
  %v96 = add i32 %t, 2432
  %v97 = add i32 %v96, 2
  %v98 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v97
  %v99 = load <4 x i32>, ptr addrspace(1) %v98, align 16
  %v100 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v96
  store <4 x i32> %v99, ptr addrspace(3) %v100, align 16
  %v101 = add i32 %t, 2560
  %v102 = add i32 %v101, 2
  %v103 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v102
  %v104 = load <4 x i32>, ptr addrspace(1) %v103, align 16
  %v105 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v101
  store <4 x i32> %v104, ptr addrspace(3) %v105, align 16
  %v106 = add i32 %t, 2688
  %v107 = add i32 %v106, 2
  %v108 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v107
  %v109 = load <4 x i32>, ptr addrspace(1) %v108, align 16
  %v110 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v106
  store <4 x i32> %v109, ptr addrspace(3) %v110, align 16
  %v111 = add i32 %t, 2816
  %v112 = add i32 %v111, 2
  %v113 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v112
  %v114 = load <4 x i32>, ptr addrspace(1) %v113, align 16
  %v115 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v111
  store <4 x i32> %v114, ptr addrspace(3) %v115, align 16
  %v116 = add i32 %t, 2944
  %v117 = add i32 %v116, 2
  %v118 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v117
  %v119 = load <4 x i32>, ptr addrspace(1) %v118, align 16
  %v120 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v116
  store <4 x i32> %v119, ptr addrspace(3) %v120, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v121 = ptrtoint ptr addrspace(3) @shared to i32
  %v122 = and i32 %v121, 262143
  %v123 = lshr i32 %v122, 4
  %v124 = zext i32 %v123 to i64
  %v125 = getelementptr i64, ptr addrspace(1) %in, i32 0
  %v126 = load i64, ptr addrspace(1) %v125
  %v127 = add i64 %v126, %v124
  %v128 = getelementptr i64, ptr addrspace(1) %in, i32 1
  %v129 = load i64, ptr addrspace(1) %v128
  %v130 = add i64 %v129, %v124
  %v131 = mul i32 %t, 1
  %v132 = add i32 %v131, 12296
  %v133 = getelementptr i32, ptr addrspace(1) %in, i32 %v132
  %v134 = load i32, ptr addrspace(1) %v133
  %v135 = mul i32 %t, 4
  %v136 = add i32 %v135, 12424
  %v137 = getelementptr i32, ptr addrspace(1) %in, i32 %v136
  %v138 = load i32, ptr addrspace(1) %v137
  %v139 = mul i32 %t, 4
  %v140 = add i32 %v139, 12425
  %v141 = getelementptr i32, ptr addrspace(1) %in, i32 %v140
  %v142 = load i32, ptr addrspace(1) %v141
  %v143 = mul i32 %t, 4
  %v144 = add i32 %v143, 12426
  %v145 = getelementptr i32, ptr addrspace(1) %in, i32 %v144
  %v146 = load i32, ptr addrspace(1) %v145
  %v147 = mul i32 %t, 4
  %v148 = add i32 %v147, 12427
  %v149 = getelementptr i32, ptr addrspace(1) %in, i32 %v148
  %v150 = load i32, ptr addrspace(1) %v149
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %v151 = call %d128 asm sideeffect "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sp.sync.aligned.m64n256k32.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44, $45, $46, $47, $48, $49, $50, $51, $52, $53, $54, $55, $56, $57, $58, $59, $60, $61, $62, $63, $64, $65, $66, $67, $68, $69, $70, $71, $72, $73, $74, $75, $76, $77, $78, $79, $80, $81, $82, $83, $84, $85, $86, $87, $88, $89, $90, $91, $92, $93, $94, $95, $96, $97, $98, $99, $100, $101, $102, $103, $104, $105, $106, $107, $108, $109, $110, $111, $112, $113, $114, $115, $116, $117, $118, $119, $120, $121, $122, $123, $124, $125, $126, $127}, {$128, $129, $130, $131}, $132, $133, 0, p, 1, 1, 0; }", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,r,r,r,r,l,r,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64,65,66,67,68,69,70,71,72,73,74,75,76,77,78,79,80,81,82,83,84,85,86,87,88,89,90,91,92,93,94,95,96,97,98,99,100,101,102,103,104,105,106,107,108,109,110,111,112,113,114,115,116,117,118,119,120,121,122,123,124,125,126,127"(i32 %v138, i32 %v142, i32 %v146, i32 %v150, i64 %v130, i32 %v134, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison)
  %v152 = extractvalue %d128 %v151, 0
  %v153 = extractvalue %d128 %v151, 1
  %v154 = extractvalue %d128 %v151, 2
  %v155 = extractvalue %d128 %v151, 3
  %v156 = extractvalue %d128 %v151, 4
  %v157 = extractvalue %d128 %v151, 5
  %v158 = extractvalue %d128 %v151, 6
  %v159 = extractvalue %d128 %v151, 7
  %v160 = extractvalue %d128 %v151, 8
  %v161 = extractvalue %d128 %v151, 9
  %v162 = extractvalue %d128 %v151, 10
  %v163 = extractvalue %d128 %v151, 11
  %v164 = extractvalue %d128 %v151, 12
  %v165 = extractvalue %d128 %v151, 13
  %v166 = extractvalue %d128 %v151, 14
  %v167 = extractvalue %d128 %v151, 15
  %v168 = extractvalue %d128 %v151, 16
  %v169 = extractvalue %d128 %v151, 17
  %v170 = extractvalue %d128 %v151, 18
  %v171 = extractvalue %d128 %v151, 19
  %v172 = extractvalue %d128 %v151, 20
  %v173 = extractvalue %d128 %v151, 21
  %v174 = extractvalue %d128 %v151, 22
  %v175 = extractvalue %d128 %v151, 23
  %v176 = extractvalue %d128 %v151, 24
  %v177 = extractvalue %d128 %v151, 25
  %v178 = extractvalue %d128 %v151, 26
  %v179 = extractvalue %d128 %v151, 27
  %v180 = extractvalue %d128 %v151, 28
  %v181 = extractvalue %d128 %v151, 29
  %v182 = extractvalue %d128 %v151, 30
  %v183 = extractvalue %d128 %v151, 31
  %v184 = extractvalue %d128 %v151, 32
  %v185 = extractvalue %d128 %v151, 33
  %v186 = extractvalue %d128 %v151, 34
  %v187 = extractvalue %d128 %v151, 35
  %v188 = extractvalue %d128 %v151, 36
  %v189 = extractvalue %d128 %v151, 37
  %v190 = extractvalue %d128 %v151, 38
  %v191 = extractvalue %d128 %v151, 39
  %v192 = extractvalue %d128 %v151, 40
  %v193 = extractvalue %d128 %v151, 41
  %v194 = extractvalue %d128 %v151, 42
  %v195 = extractvalue %d128 %v151, 43
  %v196 = extractvalue %d128 %v151, 44
  %v197 = extractvalue %d128 %v151, 45
  %v198 = extractvalue %d128 %v151, 46
  %v199 = extractvalue %d128 %v151, 47
  %v200 = extractvalue %d128 %v151, 48
  %v201 = extractvalue %d128 %v151, 49
  %v202 = extractvalue %d128 %v151, 50
  %v203 = extractvalue %d128 %v151, 51
  %v204 = extractvalue %d128 %v151, 52
  %v205 = extractvalue %d128 %v151, 53
  %v206 = extractvalue %d128 %v151, 54
  %v207 = extractvalue %d128 %v151, 55
  %v208 = extractvalue %d128 %v151, 56
  %v209 = extractvalue %d128 %v151, 57
  %v210 = extractvalue %d128 %v151, 58
  %v211 = extractvalue %d128 %v151, 59
  %v212 = extractvalue %d128 %v151, 60
  %v213 = extractvalue %d128 %v151, 61
  %v214 = extractvalue %d128 %v151, 62
  %v215 = extractvalue %d128 %v151, 63
  %v216 = extractvalue %d128 %v151, 64
  %v217 = extractvalue %d128 %v151, 65
  %v218 = extractvalue %d128 %v151, 66
  %v219 = extractvalue %d128 %v151, 67
  %v220 = extractvalue %d128 %v151, 68
  %v221 = extractvalue %d128 %v151, 69
  %v222 = extractvalue %d128 %v151, 70
  %v223 = extractvalue %d128 %v151, 71
  %v224 = extractvalue %d128 %v151, 72
  %v225 = extractvalue %d128 %v151, 73
  %v226 = extractvalue %d128 %v151, 74
  %v227 = extractvalue %d128 %v151, 75
  %v228 = extractvalue %d128 %v151, 76
  %v229 = extractvalue %d128 %v151, 77
  %v230 = extractvalue %d128 %v151, 78
  %v231 = extractvalue %d128 %v151, 79
  %v232 = extractvalue %d128 %v151, 80
  %v233 = extractvalue %d128 %v151, 81
  %v234 = extractvalue %d128 %v151, 82
  %v235 = extractvalue %d128 %v151, 83
  %v236 = extractvalue %d128 %v151, 84
  %v237 = extractvalue %d128 %v151, 85
  %v238 = extractvalue %d128 %v151, 86
  %v239 = extractvalue %d128 %v151, 87
  %v240 = extractvalue %d128 %v151, 88
  %v241 = extractvalue %d128 %v151, 89
  %v242 = extractvalue %d128 %v151, 90
  %v243 = extractvalue %d128 %v151, 91
  %v244 = extractvalue %d128 %v151, 92
  %v245 = extractvalue %d128 %v151, 93
  %v246 = extractvalue %d128 %v151, 94
  %v247 = extractvalue %d128 %v151, 95
  %v248 = extractvalue %d128 %v151, 96
  %v249 = extractvalue %d128 %v151, 97
  %v250 = extractvalue %d128 %v151, 98
  %v251 = extractvalue %d128 %v151, 99
  %v252 = extractvalue %d128 %v151, 100
  %v253 = extractvalue %d128 %v151, 101
  %v254 = extractvalue %d128 %v151, 102
  %v255 = extractvalue %d128 %v151, 103
  %v256 = extractvalue %d128 %v151, 104
  %v257 = extractvalue %d128 %v151, 105
  %v258 = extractvalue %d128 %v151, 106
  %v259 = extractvalue %d128 %v151, 107
  %v260 = extractvalue %d128 %v151, 108
  %v261 = extractvalue %d128 %v151, 109
  %v262 = extractvalue %d128 %v151, 110
  %v263 = extractvalue %d128 %v151, 111
  %v264 = extractvalue %d128 %v151, 112
  %v265 = extractvalue %d128 %v151, 113
  %v266 = extractvalue %d128 %v151, 114
  %v267 = extractvalue %d128 %v151, 115
  %v268 = extractvalue %d128 %v151, 116
  %v269 = extractvalue %d128 %v151, 117
  %v270 = extractvalue %d128 %v151, 118
  %v271 = extractvalue %d128 %v151, 119
  %v272 = extractvalue %d128 %v151, 120
  %v273 = extractvalue %d128 %v151, 121
  %v274 = extractvalue %d128 %v151, 122
  %v275 = extractvalue %d128 %v151, 123
  %v276 = extractvalue %d128 %v151, 124
  %v277 = extractvalue %d128 %v151, 125
  %v278 = extractvalue %d128 %v151, 126
  %v279 = extractvalue %d128 %v151, 127
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %v280 = call %d128 asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64,65,66,67,68,69,70,71,72,73,74,75,76,77,78,79,80,81,82,83,84,85,86,87,88,89,90,91,92,93,94,95,96,97,98,99,100,101,102,103,104,105,106,107,108,109,110,111,112,113,114,115,116,117,118,119,120,121,122,123,124,125,126,127"(float %v152, float %v153, float %v154, float %v155, float %v156, float %v157, float %v158, float %v159, float %v160, float %v161, float %v162, float %v163, float %v164, float %v165, float %v166, float %v167, float %v168, float %v169, float %v170, float %v171, float %v172, float %v173, float %v174, float %v175, float %v176, float %v177, float %v178, float %v179, float %v180, float %v181, float %v182, float %v183, float %v184, float %v185, float %v186, float %v187, float %v188, float %v189, float %v190, float %v191, float %v192, float %v193, float %v194, float %v195, float %v196, float %v197, float %v198, float %v199, float %v200, float %v201, float %v202, float %v203, float %v204, float %v205, float %v206, float %v207, float %v208, float %v209, float %v210, float %v211, float %v212, float %v213, float %v214, float %v215, float %v216, float %v217, float %v218, float %v219, float %v220, float %v221, float %v222, float %v223, float %v224, float %v225, float %v226, float %v227, float %v228, float %v229, float %v230, float %v231, float %v232, float %v233, float %v234, float %v235, float %v236, float %v237, float %v238, float %v239, float %v240, float %v241, float %v242, float %v243, float %v244, float %v245, float %v246, float %v247, float %v248, float %v249, float %v250, float %v251, float %v252, float %v253, float %v254, float %v255, float %v256, float %v257, float %v258, float %v259, float %v260, float %v261, float %v262, float %v263, float %v264, float %v265, float %v266, float %v267, float %v268, float %v269, float %v270, float %v271, float %v272, float %v273, float %v274, float %v275, float %v276, float %v277, float %v278, float %v279)
  %v281 = mul i32 %t, 128
  %v282 = add i32 %v281, 0
  %v283 = getelementptr i32, ptr addrspace(1) %out, i32 %v282
  store %d128 %v280, ptr addrspace(1) %v283, align 4
  ret void
}
define ptx_kernel void @sp_rs_n256_f16_s1(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 2
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 2
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 2
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 2
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  %v21 = add i32 %t, 512
  %v22 = add i32 %v21, 2
  %v23 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v22
  %v24 = load <4 x i32>, ptr addrspace(1) %v23, align 16
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v21
  store <4 x i32> %v24, ptr addrspace(3) %v25, align 16
  %v26 = add i32 %t, 640
  %v27 = add i32 %v26, 2
  %v28 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v27
  %v29 = load <4 x i32>, ptr addrspace(1) %v28, align 16
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v26
  store <4 x i32> %v29, ptr addrspace(3) %v30, align 16
  %v31 = add i32 %t, 768
  %v32 = add i32 %v31, 2
  %v33 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v32
  %v34 = load <4 x i32>, ptr addrspace(1) %v33, align 16
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v31
  store <4 x i32> %v34, ptr addrspace(3) %v35, align 16
  %v36 = add i32 %t, 896
  %v37 = add i32 %v36, 2
  %v38 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v37
  %v39 = load <4 x i32>, ptr addrspace(1) %v38, align 16
  %v40 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v36
  store <4 x i32> %v39, ptr addrspace(3) %v40, align 16
  %v41 = add i32 %t, 1024
  %v42 = add i32 %v41, 2
  %v43 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v42
  %v44 = load <4 x i32>, ptr addrspace(1) %v43, align 16
  %v45 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v41
  store <4 x i32> %v44, ptr addrspace(3) %v45, align 16
  %v46 = add i32 %t, 1152
  %v47 = add i32 %v46, 2
  %v48 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v47
  %v49 = load <4 x i32>, ptr addrspace(1) %v48, align 16
  %v50 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v46
  store <4 x i32> %v49, ptr addrspace(3) %v50, align 16
  %v51 = add i32 %t, 1280
  %v52 = add i32 %v51, 2
  %v53 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v52
  %v54 = load <4 x i32>, ptr addrspace(1) %v53, align 16
  %v55 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v51
  store <4 x i32> %v54, ptr addrspace(3) %v55, align 16
  %v56 = add i32 %t, 1408
  %v57 = add i32 %v56, 2
  %v58 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v57
  %v59 = load <4 x i32>, ptr addrspace(1) %v58, align 16
  %v60 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v56
  store <4 x i32> %v59, ptr addrspace(3) %v60, align 16
  %v61 = add i32 %t, 1536
  %v62 = add i32 %v61, 2
  %v63 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v62
  %v64 = load <4 x i32>, ptr addrspace(1) %v63, align 16
  %v65 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v61
  store <4 x i32> %v64, ptr addrspace(3) %v65, align 16
  %v66 = add i32 %t, 1664
  %v67 = add i32 %v66, 2
  %v68 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v67
  %v69 = load <4 x i32>, ptr addrspace(1) %v68, align 16
  %v70 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v66
  store <4 x i32> %v69, ptr addrspace(3) %v70, align 16
  %v71 = add i32 %t, 1792
  %v72 = add i32 %v71, 2
  %v73 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v72
  %v74 = load <4 x i32>, ptr addrspace(1) %v73, align 16
  %v75 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v71
  store <4 x i32> %v74, ptr addrspace(3) %v75, align 16
  %v76 = add i32 %t, 1920
  %v77 = add i32 %v76, 2
  %v78 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v77
  %v79 = load <4 x i32>, ptr addrspace(1) %v78, align 16
  %v80 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v76
  store <4 x i32> %v79, ptr addrspace(3) %v80, align 16
  %v81 = add i32 %t, 2048
  %v82 = add i32 %v81, 2
  %v83 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v82
  %v84 = load <4 x i32>, ptr addrspace(1) %v83, align 16
  %v85 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v81
  store <4 x i32> %v84, ptr addrspace(3) %v85, align 16
  %v86 = add i32 %t, 2176
  %v87 = add i32 %v86, 2
  %v88 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v87
  %v89 = load <4 x i32>, ptr addrspace(1) %v88, align 16
  %v90 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v86
  store <4 x i32> %v89, ptr addrspace(3) %v90, align 16
  %v91 = add i32 %t, 2304
  %v92 = add i32 %v91, 2
  %v93 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v92
  %v94 = load <4 x i32>, ptr addrspace(1) %v93, align 16
  %v95 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v91
  store <4 x i32> %v94, ptr addrspace(3) %v95, align 16
  %v96 = add i32 %t, 2432
  %v97 = add i32 %v96, 2
  %v98 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v97
  %v99 = load <4 x i32>, ptr addrspace(1) %v98, align 16
  %v100 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v96
  store <4 x i32> %v99, ptr addrspace(3) %v100, align 16
  %v101 = add i32 %t, 2560
  %v102 = add i32 %v101, 2
  %v103 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v102
  %v104 = load <4 x i32>, ptr addrspace(1) %v103, align 16
  %v105 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v101
  store <4 x i32> %v104, ptr addrspace(3) %v105, align 16
  %v106 = add i32 %t, 2688
  %v107 = add i32 %v106, 2
  %v108 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v107
  %v109 = load <4 x i32>, ptr addrspace(1) %v108, align 16
  %v110 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v106
  store <4 x i32> %v109, ptr addrspace(3) %v110, align 16
  %v111 = add i32 %t, 2816
  %v112 = add i32 %v111, 2
  %v113 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v112
  %v114 = load <4 x i32>, ptr addrspace(1) %v113, align 16
  %v115 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v111
  store <4 x i32> %v114, ptr addrspace(3) %v115, align 16
  %v116 = add i32 %t, 2944
  %v117 = add i32 %v116, 2
  %v118 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v117
  %v119 = load <4 x i32>, ptr addrspace(1) %v118, align 16
  %v120 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v116
  store <4 x i32> %v119, ptr addrspace(3) %v120, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v121 = ptrtoint ptr addrspace(3) @shared to i32
  %v122 = and i32 %v121, 262143
  %v123 = lshr i32 %v122, 4
  %v124 = zext i32 %v123 to i64
  %v125 = getelementptr i64, ptr addrspace(1) %in, i32 0
  %v126 = load i64, ptr addrspace(1) %v125
  %v127 = add i64 %v126, %v124
  %v128 = getelementptr i64, ptr addrspace(1) %in, i32 1
  %v129 = load i64, ptr addrspace(1) %v128
  %v130 = add i64 %v129, %v124
  %v131 = mul i32 %t, 1
  %v132 = add i32 %v131, 12296
  %v133 = getelementptr i32, ptr addrspace(1) %in, i32 %v132
  %v134 = load i32, ptr addrspace(1) %v133
  %v135 = mul i32 %t, 4
  %v136 = add i32 %v135, 12424
  %v137 = getelementptr i32, ptr addrspace(1) %in, i32 %v136
  %v138 = load i32, ptr addrspace(1) %v137
  %v139 = mul i32 %t, 4
  %v140 = add i32 %v139, 12425
  %v141 = getelementptr i32, ptr addrspace(1) %in, i32 %v140
  %v142 = load i32, ptr addrspace(1) %v141
  %v143 = mul i32 %t, 4
  %v144 = add i32 %v143, 12426
  %v145 = getelementptr i32, ptr addrspace(1) %in, i32 %v144
  %v146 = load i32, ptr addrspace(1) %v145
  %v147 = mul i32 %t, 4
  %v148 = add i32 %v147, 12427
  %v149 = getelementptr i32, ptr addrspace(1) %in, i32 %v148
  %v150 = load i32, ptr addrspace(1) %v149
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %v151 = call %d128 asm sideeffect "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sp.sync.aligned.m64n256k32.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44, $45, $46, $47, $48, $49, $50, $51, $52, $53, $54, $55, $56, $57, $58, $59, $60, $61, $62, $63, $64, $65, $66, $67, $68, $69, $70, $71, $72, $73, $74, $75, $76, $77, $78, $79, $80, $81, $82, $83, $84, $85, $86, $87, $88, $89, $90, $91, $92, $93, $94, $95, $96, $97, $98, $99, $100, $101, $102, $103, $104, $105, $106, $107, $108, $109, $110, $111, $112, $113, $114, $115, $116, $117, $118, $119, $120, $121, $122, $123, $124, $125, $126, $127}, {$128, $129, $130, $131}, $132, $133, 1, p, 1, 1, 0; }", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,r,r,r,r,l,r,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64,65,66,67,68,69,70,71,72,73,74,75,76,77,78,79,80,81,82,83,84,85,86,87,88,89,90,91,92,93,94,95,96,97,98,99,100,101,102,103,104,105,106,107,108,109,110,111,112,113,114,115,116,117,118,119,120,121,122,123,124,125,126,127"(i32 %v138, i32 %v142, i32 %v146, i32 %v150, i64 %v130, i32 %v134, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison)
  %v152 = extractvalue %d128 %v151, 0
  %v153 = extractvalue %d128 %v151, 1
  %v154 = extractvalue %d128 %v151, 2
  %v155 = extractvalue %d128 %v151, 3
  %v156 = extractvalue %d128 %v151, 4
  %v157 = extractvalue %d128 %v151, 5
  %v158 = extractvalue %d128 %v151, 6
  %v159 = extractvalue %d128 %v151, 7
  %v160 = extractvalue %d128 %v151, 8
  %v161 = extractvalue %d128 %v151, 9
  %v162 = extractvalue %d128 %v151, 10
  %v163 = extractvalue %d128 %v151, 11
  %v164 = extractvalue %d128 %v151, 12
  %v165 = extractvalue %d128 %v151, 13
  %v166 = extractvalue %d128 %v151, 14
  %v167 = extractvalue %d128 %v151, 15
  %v168 = extractvalue %d128 %v151, 16
  %v169 = extractvalue %d128 %v151, 17
  %v170 = extractvalue %d128 %v151, 18
  %v171 = extractvalue %d128 %v151, 19
  %v172 = extractvalue %d128 %v151, 20
  %v173 = extractvalue %d128 %v151, 21
  %v174 = extractvalue %d128 %v151, 22
  %v175 = extractvalue %d128 %v151, 23
  %v176 = extractvalue %d128 %v151, 24
  %v177 = extractvalue %d128 %v151, 25
  %v178 = extractvalue %d128 %v151, 26
  %v179 = extractvalue %d128 %v151, 27
  %v180 = extractvalue %d128 %v151, 28
  %v181 = extractvalue %d128 %v151, 29
  %v182 = extractvalue %d128 %v151, 30
  %v183 = extractvalue %d128 %v151, 31
  %v184 = extractvalue %d128 %v151, 32
  %v185 = extractvalue %d128 %v151, 33
  %v186 = extractvalue %d128 %v151, 34
  %v187 = extractvalue %d128 %v151, 35
  %v188 = extractvalue %d128 %v151, 36
  %v189 = extractvalue %d128 %v151, 37
  %v190 = extractvalue %d128 %v151, 38
  %v191 = extractvalue %d128 %v151, 39
  %v192 = extractvalue %d128 %v151, 40
  %v193 = extractvalue %d128 %v151, 41
  %v194 = extractvalue %d128 %v151, 42
  %v195 = extractvalue %d128 %v151, 43
  %v196 = extractvalue %d128 %v151, 44
  %v197 = extractvalue %d128 %v151, 45
  %v198 = extractvalue %d128 %v151, 46
  %v199 = extractvalue %d128 %v151, 47
  %v200 = extractvalue %d128 %v151, 48
  %v201 = extractvalue %d128 %v151, 49
  %v202 = extractvalue %d128 %v151, 50
  %v203 = extractvalue %d128 %v151, 51
  %v204 = extractvalue %d128 %v151, 52
  %v205 = extractvalue %d128 %v151, 53
  %v206 = extractvalue %d128 %v151, 54
  %v207 = extractvalue %d128 %v151, 55
  %v208 = extractvalue %d128 %v151, 56
  %v209 = extractvalue %d128 %v151, 57
  %v210 = extractvalue %d128 %v151, 58
  %v211 = extractvalue %d128 %v151, 59
  %v212 = extractvalue %d128 %v151, 60
  %v213 = extractvalue %d128 %v151, 61
  %v214 = extractvalue %d128 %v151, 62
  %v215 = extractvalue %d128 %v151, 63
  %v216 = extractvalue %d128 %v151, 64
  %v217 = extractvalue %d128 %v151, 65
  %v218 = extractvalue %d128 %v151, 66
  %v219 = extractvalue %d128 %v151, 67
  %v220 = extractvalue %d128 %v151, 68
  %v221 = extractvalue %d128 %v151, 69
  %v222 = extractvalue %d128 %v151, 70
  %v223 = extractvalue %d128 %v151, 71
  %v224 = extractvalue %d128 %v151, 72
  %v225 = extractvalue %d128 %v151, 73
  %v226 = extractvalue %d128 %v151, 74
  %v227 = extractvalue %d128 %v151, 75
  %v228 = extractvalue %d128 %v151, 76
  %v229 = extractvalue %d128 %v151, 77
  %v230 = extractvalue %d128 %v151, 78
  %v231 = extractvalue %d128 %v151, 79
  %v232 = extractvalue %d128 %v151, 80
  %v233 = extractvalue %d128 %v151, 81
  %v234 = extractvalue %d128 %v151, 82
  %v235 = extractvalue %d128 %v151, 83
  %v236 = extractvalue %d128 %v151, 84
  %v237 = extractvalue %d128 %v151, 85
  %v238 = extractvalue %d128 %v151, 86
  %v239 = extractvalue %d128 %v151, 87
  %v240 = extractvalue %d128 %v151, 88
  %v241 = extractvalue %d128 %v151, 89
  %v242 = extractvalue %d128 %v151, 90
  %v243 = extractvalue %d128 %v151, 91
  %v244 = extractvalue %d128 %v151, 92
  %v245 = extractvalue %d128 %v151, 93
  %v246 = extractvalue %d128 %v151, 94
  %v247 = extractvalue %d128 %v151, 95
  %v248 = extractvalue %d128 %v151, 96
  %v249 = extractvalue %d128 %v151, 97
  %v250 = extractvalue %d128 %v151, 98
  %v251 = extractvalue %d128 %v151, 99
  %v252 = extractvalue %d128 %v151, 100
  %v253 = extractvalue %d128 %v151, 101
  %v254 = extractvalue %d128 %v151, 102
  %v255 = extractvalue %d128 %v151, 103
  %v256 = extractvalue %d128 %v151, 104
  %v257 = extractvalue %d128 %v151, 105
  %v258 = extractvalue %d128 %v151, 106
  %v259 = extractvalue %d128 %v151, 107
  %v260 = extractvalue %d128 %v151, 108
  %v261 = extractvalue %d128 %v151, 109
  %v262 = extractvalue %d128 %v151, 110
  %v263 = extractvalue %d128 %v151, 111
  %v264 = extractvalue %d128 %v151, 112
  %v265 = extractvalue %d128 %v151, 113
  %v266 = extractvalue %d128 %v151, 114
  %v267 = extractvalue %d128 %v151, 115
  %v268 = extractvalue %d128 %v151, 116
  %v269 = extractvalue %d128 %v151, 117
  %v270 = extractvalue %d128 %v151, 118
  %v271 = extractvalue %d128 %v151, 119
  %v272 = extractvalue %d128 %v151, 120
  %v273 = extractvalue %d128 %v151, 121
  %v274 = extractvalue %d128 %v151, 122
  %v275 = extractvalue %d128 %v151, 123
  %v276 = extractvalue %d128 %v151, 124
  %v277 = extractvalue %d128 %v151, 125
  %v278 = extractvalue %d128 %v151, 126
  %v279 = extractvalue %d128 %v151, 127
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %v280 = call %d128 asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64,65,66,67,68,69,70,71,72,73,74,75,76,77,78,79,80,81,82,83,84,85,86,87,88,89,90,91,92,93,94,95,96,97,98,99,100,101,102,103,104,105,106,107,108,109,110,111,112,113,114,115,116,117,118,119,120,121,122,123,124,125,126,127"(float %v152, float %v153, float %v154, float %v155, float %v156, float %v157, float %v158, float %v159, float %v160, float %v161, float %v162, float %v163, float %v164, float %v165, float %v166, float %v167, float %v168, float %v169, float %v170, float %v171, float %v172, float %v173, float %v174, float %v175, float %v176, float %v177, float %v178, float %v179, float %v180, float %v181, float %v182, float %v183, float %v184, float %v185, float %v186, float %v187, float %v188, float %v189, float %v190, float %v191, float %v192, float %v193, float %v194, float %v195, float %v196, float %v197, float %v198, float %v199, float %v200, float %v201, float %v202, float %v203, float %v204, float %v205, float %v206, float %v207, float %v208, float %v209, float %v210, float %v211, float %v212, float %v213, float %v214, float %v215, float %v216, float %v217, float %v218, float %v219, float %v220, float %v221, float %v222, float %v223, float %v224, float %v225, float %v226, float %v227, float %v228, float %v229, float %v230, float %v231, float %v232, float %v233, float %v234, float %v235, float %v236, float %v237, float %v238, float %v239, float %v240, float %v241, float %v242, float %v243, float %v244, float %v245, float %v246, float %v247, float %v248, float %v249, float %v250, float %v251, float %v252, float %v253, float %v254, float %v255, float %v256, float %v257, float %v258, float %v259, float %v260, float %v261, float %v262, float %v263, float %v264, float %v265, float %v266, float %v267, float %v268, float %v269, float %v270, float %v271, float %v272, float %v273, float %v274, float %v275, float %v276, float %v277, float %v278, float %v279)
  %v281 = mul i32 %t, 128
  %v282 = add i32 %v281, 0
  %v283 = getelementptr i32, ptr addrspace(1) %out, i32 %v282
  store %d128 %v280, ptr addrspace(1) %v283, align 4
  ret void
}
define ptx_kernel void @dense_ss_n64_f16_tb(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 2
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 2
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 2
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 2
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  %v21 = add i32 %t, 512
  %v22 = add i32 %v21, 2
  %v23 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v22
  %v24 = load <4 x i32>, ptr addrspace(1) %v23, align 16
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v21
  store <4 x i32> %v24, ptr addrspace(3) %v25, align 16
  %v26 = add i32 %t, 640
  %v27 = add i32 %v26, 2
  %v28 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v27
  %v29 = load <4 x i32>, ptr addrspace(1) %v28, align 16
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v26
  store <4 x i32> %v29, ptr addrspace(3) %v30, align 16
  %v31 = add i32 %t, 768
  %v32 = add i32 %v31, 2
  %v33 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v32
  %v34 = load <4 x i32>, ptr addrspace(1) %v33, align 16
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v31
  store <4 x i32> %v34, ptr addrspace(3) %v35, align 16
  %v36 = add i32 %t, 896
  %v37 = add i32 %v36, 2
  %v38 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v37
  %v39 = load <4 x i32>, ptr addrspace(1) %v38, align 16
  %v40 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v36
  store <4 x i32> %v39, ptr addrspace(3) %v40, align 16
  %v41 = add i32 %t, 1024
  %v42 = add i32 %v41, 2
  %v43 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v42
  %v44 = load <4 x i32>, ptr addrspace(1) %v43, align 16
  %v45 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v41
  store <4 x i32> %v44, ptr addrspace(3) %v45, align 16
  %v46 = add i32 %t, 1152
  %v47 = add i32 %v46, 2
  %v48 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v47
  %v49 = load <4 x i32>, ptr addrspace(1) %v48, align 16
  %v50 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v46
  store <4 x i32> %v49, ptr addrspace(3) %v50, align 16
  %v51 = add i32 %t, 1280
  %v52 = add i32 %v51, 2
  %v53 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v52
  %v54 = load <4 x i32>, ptr addrspace(1) %v53, align 16
  %v55 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v51
  store <4 x i32> %v54, ptr addrspace(3) %v55, align 16
  %v56 = add i32 %t, 1408
  %v57 = add i32 %v56, 2
  %v58 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v57
  %v59 = load <4 x i32>, ptr addrspace(1) %v58, align 16
  %v60 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v56
  store <4 x i32> %v59, ptr addrspace(3) %v60, align 16
  %v61 = add i32 %t, 1536
  %v62 = add i32 %v61, 2
  %v63 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v62
  %v64 = load <4 x i32>, ptr addrspace(1) %v63, align 16
  %v65 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v61
  store <4 x i32> %v64, ptr addrspace(3) %v65, align 16
  %v66 = add i32 %t, 1664
  %v67 = add i32 %v66, 2
  %v68 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v67
  %v69 = load <4 x i32>, ptr addrspace(1) %v68, align 16
  %v70 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v66
  store <4 x i32> %v69, ptr addrspace(3) %v70, align 16
  %v71 = add i32 %t, 1792
  %v72 = add i32 %v71, 2
  %v73 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v72
  %v74 = load <4 x i32>, ptr addrspace(1) %v73, align 16
  %v75 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v71
  store <4 x i32> %v74, ptr addrspace(3) %v75, align 16
  %v76 = add i32 %t, 1920
  %v77 = add i32 %v76, 2
  %v78 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v77
  %v79 = load <4 x i32>, ptr addrspace(1) %v78, align 16
  %v80 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v76
  store <4 x i32> %v79, ptr addrspace(3) %v80, align 16
  %v81 = add i32 %t, 2048
  %v82 = add i32 %v81, 2
  %v83 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v82
  %v84 = load <4 x i32>, ptr addrspace(1) %v83, align 16
  %v85 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v81
  store <4 x i32> %v84, ptr addrspace(3) %v85, align 16
  %v86 = add i32 %t, 2176
  %v87 = add i32 %v86, 2
  %v88 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v87
  %v89 = load <4 x i32>, ptr addrspace(1) %v88, align 16
  %v90 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v86
  store <4 x i32> %v89, ptr addrspace(3) %v90, align 16
  %v91 = add i32 %t, 2304
  %v92 = add i32 %v91, 2
  %v93 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v92
  %v94 = load <4 x i32>, ptr addrspace(1) %v93, align 16
  %v95 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v91
  store <4 x i32> %v94, ptr addrspace(3) %v95, align 16
  %v96 = add i32 %t, 2432
  %v97 = add i32 %v96, 2
  %v98 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v97
  %v99 = load <4 x i32>, ptr addrspace(1) %v98, align 16
  %v100 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v96
  store <4 x i32> %v99, ptr addrspace(3) %v100, align 16
  %v101 = add i32 %t, 2560
  %v102 = add i32 %v101, 2
  %v103 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v102
  %v104 = load <4 x i32>, ptr addrspace(1) %v103, align 16
  %v105 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v101
  store <4 x i32> %v104, ptr addrspace(3) %v105, align 16
  %v106 = add i32 %t, 2688
  %v107 = add i32 %v106, 2
  %v108 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v107
  %v109 = load <4 x i32>, ptr addrspace(1) %v108, align 16
  %v110 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v106
  store <4 x i32> %v109, ptr addrspace(3) %v110, align 16
  %v111 = add i32 %t, 2816
  %v112 = add i32 %v111, 2
  %v113 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v112
  %v114 = load <4 x i32>, ptr addrspace(1) %v113, align 16
  %v115 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v111
  store <4 x i32> %v114, ptr addrspace(3) %v115, align 16
  %v116 = add i32 %t, 2944
  %v117 = add i32 %v116, 2
  %v118 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v117
  %v119 = load <4 x i32>, ptr addrspace(1) %v118, align 16
  %v120 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v116
  store <4 x i32> %v119, ptr addrspace(3) %v120, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v121 = ptrtoint ptr addrspace(3) @shared to i32
  %v122 = and i32 %v121, 262143
  %v123 = lshr i32 %v122, 4
  %v124 = zext i32 %v123 to i64
  %v125 = getelementptr i64, ptr addrspace(1) %in, i32 0
  %v126 = load i64, ptr addrspace(1) %v125
  %v127 = add i64 %v126, %v124
  %v128 = getelementptr i64, ptr addrspace(1) %in, i32 1
  %v129 = load i64, ptr addrspace(1) %v128
  %v130 = add i64 %v129, %v124
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %v131 = call %d32 asm sideeffect "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31}, $32, $33, p, 1, 1, 0, 1; }", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,l,l,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"(i64 %v127, i64 %v130, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison)
  %v132 = extractvalue %d32 %v131, 0
  %v133 = extractvalue %d32 %v131, 1
  %v134 = extractvalue %d32 %v131, 2
  %v135 = extractvalue %d32 %v131, 3
  %v136 = extractvalue %d32 %v131, 4
  %v137 = extractvalue %d32 %v131, 5
  %v138 = extractvalue %d32 %v131, 6
  %v139 = extractvalue %d32 %v131, 7
  %v140 = extractvalue %d32 %v131, 8
  %v141 = extractvalue %d32 %v131, 9
  %v142 = extractvalue %d32 %v131, 10
  %v143 = extractvalue %d32 %v131, 11
  %v144 = extractvalue %d32 %v131, 12
  %v145 = extractvalue %d32 %v131, 13
  %v146 = extractvalue %d32 %v131, 14
  %v147 = extractvalue %d32 %v131, 15
  %v148 = extractvalue %d32 %v131, 16
  %v149 = extractvalue %d32 %v131, 17
  %v150 = extractvalue %d32 %v131, 18
  %v151 = extractvalue %d32 %v131, 19
  %v152 = extractvalue %d32 %v131, 20
  %v153 = extractvalue %d32 %v131, 21
  %v154 = extractvalue %d32 %v131, 22
  %v155 = extractvalue %d32 %v131, 23
  %v156 = extractvalue %d32 %v131, 24
  %v157 = extractvalue %d32 %v131, 25
  %v158 = extractvalue %d32 %v131, 26
  %v159 = extractvalue %d32 %v131, 27
  %v160 = extractvalue %d32 %v131, 28
  %v161 = extractvalue %d32 %v131, 29
  %v162 = extractvalue %d32 %v131, 30
  %v163 = extractvalue %d32 %v131, 31
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %v164 = call %d32 asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"(float %v132, float %v133, float %v134, float %v135, float %v136, float %v137, float %v138, float %v139, float %v140, float %v141, float %v142, float %v143, float %v144, float %v145, float %v146, float %v147, float %v148, float %v149, float %v150, float %v151, float %v152, float %v153, float %v154, float %v155, float %v156, float %v157, float %v158, float %v159, float %v160, float %v161, float %v162, float %v163)
  %v165 = mul i32 %t, 32
  %v166 = add i32 %v165, 0
  %v167 = getelementptr i32, ptr addrspace(1) %out, i32 %v166
  store %d32 %v164, ptr addrspace(1) %v167, align 4
  ret void
}
define ptx_kernel void @dense_ss_n128_f16_tb(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 2
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 2
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 2
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 2
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  %v21 = add i32 %t, 512
  %v22 = add i32 %v21, 2
  %v23 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v22
  %v24 = load <4 x i32>, ptr addrspace(1) %v23, align 16
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v21
  store <4 x i32> %v24, ptr addrspace(3) %v25, align 16
  %v26 = add i32 %t, 640
  %v27 = add i32 %v26, 2
  %v28 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v27
  %v29 = load <4 x i32>, ptr addrspace(1) %v28, align 16
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v26
  store <4 x i32> %v29, ptr addrspace(3) %v30, align 16
  %v31 = add i32 %t, 768
  %v32 = add i32 %v31, 2
  %v33 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v32
  %v34 = load <4 x i32>, ptr addrspace(1) %v33, align 16
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v31
  store <4 x i32> %v34, ptr addrspace(3) %v35, align 16
  %v36 = add i32 %t, 896
  %v37 = add i32 %v36, 2
  %v38 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v37
  %v39 = load <4 x i32>, ptr addrspace(1) %v38, align 16
  %v40 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v36
  store <4 x i32> %v39, ptr addrspace(3) %v40, align 16
  %v41 = add i32 %t, 1024
  %v42 = add i32 %v41, 2
  %v43 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v42
  %v44 = load <4 x i32>, ptr addrspace(1) %v43, align 16
  %v45 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v41
  store <4 x i32> %v44, ptr addrspace(3) %v45, align 16
  %v46 = add i32 %t, 1152
  %v47 = add i32 %v46, 2
  %v48 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v47
  %v49 = load <4 x i32>, ptr addrspace(1) %v48, align 16
  %v50 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v46
  store <4 x i32> %v49, ptr addrspace(3) %v50, align 16
  %v51 = add i32 %t, 1280
  %v52 = add i32 %v51, 2
  %v53 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v52
  %v54 = load <4 x i32>, ptr addrspace(1) %v53, align 16
  %v55 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v51
  store <4 x i32> %v54, ptr addrspace(3) %v55, align 16
  %v56 = add i32 %t, 1408
  %v57 = add i32 %v56, 2
  %v58 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v57
  %v59 = load <4 x i32>, ptr addrspace(1) %v58, align 16
  %v60 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v56
  store <4 x i32> %v59, ptr addrspace(3) %v60, align 16
  %v61 = add i32 %t, 1536
  %v62 = add i32 %v61, 2
  %v63 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v62
  %v64 = load <4 x i32>, ptr addrspace(1) %v63, align 16
  %v65 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v61
  store <4 x i32> %v64, ptr addrspace(3) %v65, align 16
  %v66 = add i32 %t, 1664
  %v67 = add i32 %v66, 2
  %v68 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v67
  %v69 = load <4 x i32>, ptr addrspace(1) %v68, align 16
  %v70 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v66
  store <4 x i32> %v69, ptr addrspace(3) %v70, align 16
  %v71 = add i32 %t, 1792
  %v72 = add i32 %v71, 2
  %v73 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v72
  %v74 = load <4 x i32>, ptr addrspace(1) %v73, align 16
  %v75 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v71
  store <4 x i32> %v74, ptr addrspace(3) %v75, align 16
  %v76 = add i32 %t, 1920
  %v77 = add i32 %v76, 2
  %v78 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v77
  %v79 = load <4 x i32>, ptr addrspace(1) %v78, align 16
  %v80 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v76
  store <4 x i32> %v79, ptr addrspace(3) %v80, align 16
  %v81 = add i32 %t, 2048
  %v82 = add i32 %v81, 2
  %v83 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v82
  %v84 = load <4 x i32>, ptr addrspace(1) %v83, align 16
  %v85 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v81
  store <4 x i32> %v84, ptr addrspace(3) %v85, align 16
  %v86 = add i32 %t, 2176
  %v87 = add i32 %v86, 2
  %v88 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v87
  %v89 = load <4 x i32>, ptr addrspace(1) %v88, align 16
  %v90 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v86
  store <4 x i32> %v89, ptr addrspace(3) %v90, align 16
  %v91 = add i32 %t, 2304
  %v92 = add i32 %v91, 2
  %v93 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v92
  %v94 = load <4 x i32>, ptr addrspace(1) %v93, align 16
  %v95 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v91
  store <4 x i32> %v94, ptr addrspace(3) %v95, align 16
  %v96 = add i32 %t, 2432
  %v97 = add i32 %v96, 2
  %v98 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v97
  %v99 = load <4 x i32>, ptr addrspace(1) %v98, align 16
  %v100 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v96
  store <4 x i32> %v99, ptr addrspace(3) %v100, align 16
  %v101 = add i32 %t, 2560
  %v102 = add i32 %v101, 2
  %v103 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v102
  %v104 = load <4 x i32>, ptr addrspace(1) %v103, align 16
  %v105 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v101
  store <4 x i32> %v104, ptr addrspace(3) %v105, align 16
  %v106 = add i32 %t, 2688
  %v107 = add i32 %v106, 2
  %v108 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v107
  %v109 = load <4 x i32>, ptr addrspace(1) %v108, align 16
  %v110 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v106
  store <4 x i32> %v109, ptr addrspace(3) %v110, align 16
  %v111 = add i32 %t, 2816
  %v112 = add i32 %v111, 2
  %v113 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v112
  %v114 = load <4 x i32>, ptr addrspace(1) %v113, align 16
  %v115 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v111
  store <4 x i32> %v114, ptr addrspace(3) %v115, align 16
  %v116 = add i32 %t, 2944
  %v117 = add i32 %v116, 2
  %v118 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v117
  %v119 = load <4 x i32>, ptr addrspace(1) %v118, align 16
  %v120 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v116
  store <4 x i32> %v119, ptr addrspace(3) %v120, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v121 = ptrtoint ptr addrspace(3) @shared to i32
  %v122 = and i32 %v121, 262143
  %v123 = lshr i32 %v122, 4
  %v124 = zext i32 %v123 to i64
  %v125 = getelementptr i64, ptr addrspace(1) %in, i32 0
  %v126 = load i64, ptr addrspace(1) %v125
  %v127 = add i64 %v126, %v124
  %v128 = getelementptr i64, ptr addrspace(1) %in, i32 1
  %v129 = load i64, ptr addrspace(1) %v128
  %v130 = add i64 %v129, %v124
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %v131 = call %d64 asm sideeffect "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44, $45, $46, $47, $48, $49, $50, $51, $52, $53, $54, $55, $56, $57, $58, $59, $60, $61, $62, $63}, $64, $65, p, 1, 1, 0, 1; }", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,l,l,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63"(i64 %v127, i64 %v130, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison)
  %v132 = extractvalue %d64 %v131, 0
  %v133 = extractvalue %d64 %v131, 1
  %v134 = extractvalue %d64 %v131, 2
  %v135 = extractvalue %d64 %v131, 3
  %v136 = extractvalue %d64 %v131, 4
  %v137 = extractvalue %d64 %v131, 5
  %v138 = extractvalue %d64 %v131, 6
  %v139 = extractvalue %d64 %v131, 7
  %v140 = extractvalue %d64 %v131, 8
  %v141 = extractvalue %d64 %v131, 9
  %v142 = extractvalue %d64 %v131, 10
  %v143 = extractvalue %d64 %v131, 11
  %v144 = extractvalue %d64 %v131, 12
  %v145 = extractvalue %d64 %v131, 13
  %v146 = extractvalue %d64 %v131, 14
  %v147 = extractvalue %d64 %v131, 15
  %v148 = extractvalue %d64 %v131, 16
  %v149 = extractvalue %d64 %v131, 17
  %v150 = extractvalue %d64 %v131, 18
  %v151 = extractvalue %d64 %v131, 19
  %v152 = extractvalue %d64 %v131, 20
  %v153 = extractvalue %d64 %v131, 21
  %v154 = extractvalue %d64 %v131, 22
  %v155 = extractvalue %d64 %v131, 23
  %v156 = extractvalue %d64 %v131, 24
  %v157 = extractvalue %d64 %v131, 25
  %v158 = extractvalue %d64 %v131, 26
  %v159 = extractvalue %d64 %v131, 27
  %v160 = extractvalue %d64 %v131, 28
  %v161 = extractvalue %d64 %v131, 29
  %v162 = extractvalue %d64 %v131, 30
  %v163 = extractvalue %d64 %v131, 31
  %v164 = extractvalue %d64 %v131, 32
  %v165 = extractvalue %d64 %v131, 33
  %v166 = extractvalue %d64 %v131, 34
  %v167 = extractvalue %d64 %v131, 35
  %v168 = extractvalue %d64 %v131, 36
  %v169 = extractvalue %d64 %v131, 37
  %v170 = extractvalue %d64 %v131, 38
  %v171 = extractvalue %d64 %v131, 39
  %v172 = extractvalue %d64 %v131, 40
  %v173 = extractvalue %d64 %v131, 41
  %v174 = extractvalue %d64 %v131, 42
  %v175 = extractvalue %d64 %v131, 43
  %v176 = extractvalue %d64 %v131, 44
  %v177 = extractvalue %d64 %v131, 45
  %v178 = extractvalue %d64 %v131, 46
  %v179 = extractvalue %d64 %v131, 47
  %v180 = extractvalue %d64 %v131, 48
  %v181 = extractvalue %d64 %v131, 49
  %v182 = extractvalue %d64 %v131, 50
  %v183 = extractvalue %d64 %v131, 51
  %v184 = extractvalue %d64 %v131, 52
  %v185 = extractvalue %d64 %v131, 53
  %v186 = extractvalue %d64 %v131, 54
  %v187 = extractvalue %d64 %v131, 55
  %v188 = extractvalue %d64 %v131, 56
  %v189 = extractvalue %d64 %v131, 57
  %v190 = extractvalue %d64 %v131, 58
  %v191 = extractvalue %d64 %v131, 59
  %v192 = extractvalue %d64 %v131, 60
  %v193 = extractvalue %d64 %v131, 61
  %v194 = extractvalue %d64 %v131, 62
  %v195 = extractvalue %d64 %v131, 63
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %v196 = call %d64 asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63"(float %v132, float %v133, float %v134, float %v135, float %v136, float %v137, float %v138, float %v139, float %v140, float %v141, float %v142, float %v143, float %v144, float %v145, float %v146, float %v147, float %v148, float %v149, float %v150, float %v151, float %v152, float %v153, float %v154, float %v155, float %v156, float %v157, float %v158, float %v159, float %v160, float %v161, float %v162, float %v163, float %v164, float %v165, float %v166, float %v167, float %v168, float %v169, float %v170, float %v171, float %v172, float %v173, float %v174, float %v175, float %v176, float %v177, float %v178, float %v179, float %v180, float %v181, float %v182, float %v183, float %v184, float %v185, float %v186, float %v187, float %v188, float %v189, float %v190, float %v191, float %v192, float %v193, float %v194, float %v195)
  %v197 = mul i32 %t, 64
  %v198 = add i32 %v197, 0
  %v199 = getelementptr i32, ptr addrspace(1) %out, i32 %v198
  store %d64 %v196, ptr addrspace(1) %v199, align 4
  ret void
}
define ptx_kernel void @sp_ss_n64_f16_tb(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 2
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 2
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 2
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 2
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  %v21 = add i32 %t, 512
  %v22 = add i32 %v21, 2
  %v23 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v22
  %v24 = load <4 x i32>, ptr addrspace(1) %v23, align 16
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v21
  store <4 x i32> %v24, ptr addrspace(3) %v25, align 16
  %v26 = add i32 %t, 640
  %v27 = add i32 %v26, 2
  %v28 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v27
  %v29 = load <4 x i32>, ptr addrspace(1) %v28, align 16
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v26
  store <4 x i32> %v29, ptr addrspace(3) %v30, align 16
  %v31 = add i32 %t, 768
  %v32 = add i32 %v31, 2
  %v33 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v32
  %v34 = load <4 x i32>, ptr addrspace(1) %v33, align 16
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v31
  store <4 x i32> %v34, ptr addrspace(3) %v35, align 16
  %v36 = add i32 %t, 896
  %v37 = add i32 %v36, 2
  %v38 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v37
  %v39 = load <4 x i32>, ptr addrspace(1) %v38, align 16
  %v40 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v36
  store <4 x i32> %v39, ptr addrspace(3) %v40, align 16
  %v41 = add i32 %t, 1024
  %v42 = add i32 %v41, 2
  %v43 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v42
  %v44 = load <4 x i32>, ptr addrspace(1) %v43, align 16
  %v45 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v41
  store <4 x i32> %v44, ptr addrspace(3) %v45, align 16
  %v46 = add i32 %t, 1152
  %v47 = add i32 %v46, 2
  %v48 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v47
  %v49 = load <4 x i32>, ptr addrspace(1) %v48, align 16
  %v50 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v46
  store <4 x i32> %v49, ptr addrspace(3) %v50, align 16
  %v51 = add i32 %t, 1280
  %v52 = add i32 %v51, 2
  %v53 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v52
  %v54 = load <4 x i32>, ptr addrspace(1) %v53, align 16
  %v55 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v51
  store <4 x i32> %v54, ptr addrspace(3) %v55, align 16
  %v56 = add i32 %t, 1408
  %v57 = add i32 %v56, 2
  %v58 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v57
  %v59 = load <4 x i32>, ptr addrspace(1) %v58, align 16
  %v60 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v56
  store <4 x i32> %v59, ptr addrspace(3) %v60, align 16
  %v61 = add i32 %t, 1536
  %v62 = add i32 %v61, 2
  %v63 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v62
  %v64 = load <4 x i32>, ptr addrspace(1) %v63, align 16
  %v65 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v61
  store <4 x i32> %v64, ptr addrspace(3) %v65, align 16
  %v66 = add i32 %t, 1664
  %v67 = add i32 %v66, 2
  %v68 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v67
  %v69 = load <4 x i32>, ptr addrspace(1) %v68, align 16
  %v70 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v66
  store <4 x i32> %v69, ptr addrspace(3) %v70, align 16
  %v71 = add i32 %t, 1792
  %v72 = add i32 %v71, 2
  %v73 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v72
  %v74 = load <4 x i32>, ptr addrspace(1) %v73, align 16
  %v75 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v71
  store <4 x i32> %v74, ptr addrspace(3) %v75, align 16
  %v76 = add i32 %t, 1920
  %v77 = add i32 %v76, 2
  %v78 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v77
  %v79 = load <4 x i32>, ptr addrspace(1) %v78, align 16
  %v80 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v76
  store <4 x i32> %v79, ptr addrspace(3) %v80, align 16
  %v81 = add i32 %t, 2048
  %v82 = add i32 %v81, 2
  %v83 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v82
  %v84 = load <4 x i32>, ptr addrspace(1) %v83, align 16
  %v85 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v81
  store <4 x i32> %v84, ptr addrspace(3) %v85, align 16
  %v86 = add i32 %t, 2176
  %v87 = add i32 %v86, 2
  %v88 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v87
  %v89 = load <4 x i32>, ptr addrspace(1) %v88, align 16
  %v90 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v86
  store <4 x i32> %v89, ptr addrspace(3) %v90, align 16
  %v91 = add i32 %t, 2304
  %v92 = add i32 %v91, 2
  %v93 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v92
  %v94 = load <4 x i32>, ptr addrspace(1) %v93, align 16
  %v95 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v91
  store <4 x i32> %v94, ptr addrspace(3) %v95, align 16
  %v96 = add i32 %t, 2432
  %v97 = add i32 %v96, 2
  %v98 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v97
  %v99 = load <4 x i32>, ptr addrspace(1) %v98, align 16
  %v100 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v96
  store <4 x i32> %v99, ptr addrspace(3) %v100, align 16
  %v101 = add i32 %t, 2560
  %v102 = add i32 %v101, 2
  %v103 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v102
  %v104 = load <4 x i32>, ptr addrspace(1) %v103, align 16
  %v105 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v101
  store <4 x i32> %v104, ptr addrspace(3) %v105, align 16
  %v106 = add i32 %t, 2688
  %v107 = add i32 %v106, 2
  %v108 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v107
  %v109 = load <4 x i32>, ptr addrspace(1) %v108, align 16
  %v110 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v106
  store <4 x i32> %v109, ptr addrspace(3) %v110, align 16
  %v111 = add i32 %t, 2816
  %v112 = add i32 %v111, 2
  %v113 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v112
  %v114 = load <4 x i32>, ptr addrspace(1) %v113, align 16
  %v115 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v111
  store <4 x i32> %v114, ptr addrspace(3) %v115, align 16
  %v116 = add i32 %t, 2944
  %v117 = add i32 %v116, 2
  %v118 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v117
  %v119 = load <4 x i32>, ptr addrspace(1) %v118, align 16
  %v120 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v116
  store <4 x i32> %v119, ptr addrspace(3) %v120, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v121 = ptrtoint ptr addrspace(3) @shared to i32
  %v122 = and i32 %v121, 262143
  %v123 = lshr i32 %v122, 4
  %v124 = zext i32 %v123 to i64
  %v125 = getelementptr i64, ptr addrspace(1) %in, i32 0
  %v126 = load i64, ptr addrspace(1) %v125
  %v127 = add i64 %v126, %v124
  %v128 = getelementptr i64, ptr addrspace(1) %in, i32 1
  %v129 = load i64, ptr addrspace(1) %v128
  %v130 = add i64 %v129, %v124
  %v131 = mul i32 %t, 1
  %v132 = add i32 %v131, 12296
  %v133 = getelementptr i32, ptr addrspace(1) %in, i32 %v132
  %v134 = load i32, ptr addrspace(1) %v133
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %v135 = call %d32 asm sideeffect "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sp.sync.aligned.m64n64k32.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31}, $32, $33, $34, 0, p, 1, 1, 0, 1; }", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,l,l,r,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"(i64 %v127, i64 %v130, i32 %v134, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison)
  %v136 = extractvalue %d32 %v135, 0
  %v137 = extractvalue %d32 %v135, 1
  %v138 = extractvalue %d32 %v135, 2
  %v139 = extractvalue %d32 %v135, 3
  %v140 = extractvalue %d32 %v135, 4
  %v141 = extractvalue %d32 %v135, 5
  %v142 = extractvalue %d32 %v135, 6
  %v143 = extractvalue %d32 %v135, 7
  %v144 = extractvalue %d32 %v135, 8
  %v145 = extractvalue %d32 %v135, 9
  %v146 = extractvalue %d32 %v135, 10
  %v147 = extractvalue %d32 %v135, 11
  %v148 = extractvalue %d32 %v135, 12
  %v149 = extractvalue %d32 %v135, 13
  %v150 = extractvalue %d32 %v135, 14
  %v151 = extractvalue %d32 %v135, 15
  %v152 = extractvalue %d32 %v135, 16
  %v153 = extractvalue %d32 %v135, 17
  %v154 = extractvalue %d32 %v135, 18
  %v155 = extractvalue %d32 %v135, 19
  %v156 = extractvalue %d32 %v135, 20
  %v157 = extractvalue %d32 %v135, 21
  %v158 = extractvalue %d32 %v135, 22
  %v159 = extractvalue %d32 %v135, 23
  %v160 = extractvalue %d32 %v135, 24
  %v161 = extractvalue %d32 %v135, 25
  %v162 = extractvalue %d32 %v135, 26
  %v163 = extractvalue %d32 %v135, 27
  %v164 = extractvalue %d32 %v135, 28
  %v165 = extractvalue %d32 %v135, 29
  %v166 = extractvalue %d32 %v135, 30
  %v167 = extractvalue %d32 %v135, 31
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %v168 = call %d32 asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"(float %v136, float %v137, float %v138, float %v139, float %v140, float %v141, float %v142, float %v143, float %v144, float %v145, float %v146, float %v147, float %v148, float %v149, float %v150, float %v151, float %v152, float %v153, float %v154, float %v155, float %v156, float %v157, float %v158, float %v159, float %v160, float %v161, float %v162, float %v163, float %v164, float %v165, float %v166, float %v167)
  %v169 = mul i32 %t, 32
  %v170 = add i32 %v169, 0
  %v171 = getelementptr i32, ptr addrspace(1) %out, i32 %v170
  store %d32 %v168, ptr addrspace(1) %v171, align 4
  ret void
}
define ptx_kernel void @sp_ss_n128_f16_tb(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 2
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 2
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 2
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 2
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  %v21 = add i32 %t, 512
  %v22 = add i32 %v21, 2
  %v23 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v22
  %v24 = load <4 x i32>, ptr addrspace(1) %v23, align 16
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v21
  store <4 x i32> %v24, ptr addrspace(3) %v25, align 16
  %v26 = add i32 %t, 640
  %v27 = add i32 %v26, 2
  %v28 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v27
  %v29 = load <4 x i32>, ptr addrspace(1) %v28, align 16
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v26
  store <4 x i32> %v29, ptr addrspace(3) %v30, align 16
  %v31 = add i32 %t, 768
  %v32 = add i32 %v31, 2
  %v33 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v32
  %v34 = load <4 x i32>, ptr addrspace(1) %v33, align 16
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v31
  store <4 x i32> %v34, ptr addrspace(3) %v35, align 16
  %v36 = add i32 %t, 896
  %v37 = add i32 %v36, 2
  %v38 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v37
  %v39 = load <4 x i32>, ptr addrspace(1) %v38, align 16
  %v40 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v36
  store <4 x i32> %v39, ptr addrspace(3) %v40, align 16
  %v41 = add i32 %t, 1024
  %v42 = add i32 %v41, 2
  %v43 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v42
  %v44 = load <4 x i32>, ptr addrspace(1) %v43, align 16
  %v45 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v41
  store <4 x i32> %v44, ptr addrspace(3) %v45, align 16
  %v46 = add i32 %t, 1152
  %v47 = add i32 %v46, 2
  %v48 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v47
  %v49 = load <4 x i32>, ptr addrspace(1) %v48, align 16
  %v50 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v46
  store <4 x i32> %v49, ptr addrspace(3) %v50, align 16
  %v51 = add i32 %t, 1280
  %v52 = add i32 %v51, 2
  %v53 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v52
  %v54 = load <4 x i32>, ptr addrspace(1) %v53, align 16
  %v55 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v51
  store <4 x i32> %v54, ptr addrspace(3) %v55, align 16
  %v56 = add i32 %t, 1408
  %v57 = add i32 %v56, 2
  %v58 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v57
  %v59 = load <4 x i32>, ptr addrspace(1) %v58, align 16
  %v60 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v56
  store <4 x i32> %v59, ptr addrspace(3) %v60, align 16
  %v61 = add i32 %t, 1536
  %v62 = add i32 %v61, 2
  %v63 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v62
  %v64 = load <4 x i32>, ptr addrspace(1) %v63, align 16
  %v65 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v61
  store <4 x i32> %v64, ptr addrspace(3) %v65, align 16
  %v66 = add i32 %t, 1664
  %v67 = add i32 %v66, 2
  %v68 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v67
  %v69 = load <4 x i32>, ptr addrspace(1) %v68, align 16
  %v70 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v66
  store <4 x i32> %v69, ptr addrspace(3) %v70, align 16
  %v71 = add i32 %t, 1792
  %v72 = add i32 %v71, 2
  %v73 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v72
  %v74 = load <4 x i32>, ptr addrspace(1) %v73, align 16
  %v75 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v71
  store <4 x i32> %v74, ptr addrspace(3) %v75, align 16
  %v76 = add i32 %t, 1920
  %v77 = add i32 %v76, 2
  %v78 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v77
  %v79 = load <4 x i32>, ptr addrspace(1) %v78, align 16
  %v80 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v76
  store <4 x i32> %v79, ptr addrspace(3) %v80, align 16
  %v81 = add i32 %t, 2048
  %v82 = add i32 %v81, 2
  %v83 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v82
  %v84 = load <4 x i32>, ptr addrspace(1) %v83, align 16
  %v85 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v81
  store <4 x i32> %v84, ptr addrspace(3) %v85, align 16
  %v86 = add i32 %t, 2176
  %v87 = add i32 %v86, 2
  %v88 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v87
  %v89 = load <4 x i32>, ptr addrspace(1) %v88, align 16
  %v90 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v86
  store <4 x i32> %v89, ptr addrspace(3) %v90, align 16
  %v91 = add i32 %t, 2304
  %v92 = add i32 %v91, 2
  %v93 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v92
  %v94 = load <4 x i32>, ptr addrspace(1) %v93, align 16
  %v95 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v91
  store <4 x i32> %v94, ptr addrspace(3) %v95, align 16
  %v96 = add i32 %t, 2432
  %v97 = add i32 %v96, 2
  %v98 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v97
  %v99 = load <4 x i32>, ptr addrspace(1) %v98, align 16
  %v100 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v96
  store <4 x i32> %v99, ptr addrspace(3) %v100, align 16
  %v101 = add i32 %t, 2560
  %v102 = add i32 %v101, 2
  %v103 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v102
  %v104 = load <4 x i32>, ptr addrspace(1) %v103, align 16
  %v105 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v101
  store <4 x i32> %v104, ptr addrspace(3) %v105, align 16
  %v106 = add i32 %t, 2688
  %v107 = add i32 %v106, 2
  %v108 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v107
  %v109 = load <4 x i32>, ptr addrspace(1) %v108, align 16
  %v110 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v106
  store <4 x i32> %v109, ptr addrspace(3) %v110, align 16
  %v111 = add i32 %t, 2816
  %v112 = add i32 %v111, 2
  %v113 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v112
  %v114 = load <4 x i32>, ptr addrspace(1) %v113, align 16
  %v115 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v111
  store <4 x i32> %v114, ptr addrspace(3) %v115, align 16
  %v116 = add i32 %t, 2944
  %v117 = add i32 %v116, 2
  %v118 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v117
  %v119 = load <4 x i32>, ptr addrspace(1) %v118, align 16
  %v120 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v116
  store <4 x i32> %v119, ptr addrspace(3) %v120, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v121 = ptrtoint ptr addrspace(3) @shared to i32
  %v122 = and i32 %v121, 262143
  %v123 = lshr i32 %v122, 4
  %v124 = zext i32 %v123 to i64
  %v125 = getelementptr i64, ptr addrspace(1) %in, i32 0
  %v126 = load i64, ptr addrspace(1) %v125
  %v127 = add i64 %v126, %v124
  %v128 = getelementptr i64, ptr addrspace(1) %in, i32 1
  %v129 = load i64, ptr addrspace(1) %v128
  %v130 = add i64 %v129, %v124
  %v131 = mul i32 %t, 1
  %v132 = add i32 %v131, 12296
  %v133 = getelementptr i32, ptr addrspace(1) %in, i32 %v132
  %v134 = load i32, ptr addrspace(1) %v133
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %v135 = call %d64 asm sideeffect "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sp.sync.aligned.m64n128k32.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44, $45, $46, $47, $48, $49, $50, $51, $52, $53, $54, $55, $56, $57, $58, $59, $60, $61, $62, $63}, $64, $65, $66, 0, p, 1, 1, 0, 1; }", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,l,l,r,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63"(i64 %v127, i64 %v130, i32 %v134, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison)
  %v136 = extractvalue %d64 %v135, 0
  %v137 = extractvalue %d64 %v135, 1
  %v138 = extractvalue %d64 %v135, 2
  %v139 = extractvalue %d64 %v135, 3
  %v140 = extractvalue %d64 %v135, 4
  %v141 = extractvalue %d64 %v135, 5
  %v142 = extractvalue %d64 %v135, 6
  %v143 = extractvalue %d64 %v135, 7
  %v144 = extractvalue %d64 %v135, 8
  %v145 = extractvalue %d64 %v135, 9
  %v146 = extractvalue %d64 %v135, 10
  %v147 = extractvalue %d64 %v135, 11
  %v148 = extractvalue %d64 %v135, 12
  %v149 = extractvalue %d64 %v135, 13
  %v150 = extractvalue %d64 %v135, 14
  %v151 = extractvalue %d64 %v135, 15
  %v152 = extractvalue %d64 %v135, 16
  %v153 = extractvalue %d64 %v135, 17
  %v154 = extractvalue %d64 %v135, 18
  %v155 = extractvalue %d64 %v135, 19
  %v156 = extractvalue %d64 %v135, 20
  %v157 = extractvalue %d64 %v135, 21
  %v158 = extractvalue %d64 %v135, 22
  %v159 = extractvalue %d64 %v135, 23
  %v160 = extractvalue %d64 %v135, 24
  %v161 = extractvalue %d64 %v135, 25
  %v162 = extractvalue %d64 %v135, 26
  %v163 = extractvalue %d64 %v135, 27
  %v164 = extractvalue %d64 %v135, 28
  %v165 = extractvalue %d64 %v135, 29
  %v166 = extractvalue %d64 %v135, 30
  %v167 = extractvalue %d64 %v135, 31
  %v168 = extractvalue %d64 %v135, 32
  %v169 = extractvalue %d64 %v135, 33
  %v170 = extractvalue %d64 %v135, 34
  %v171 = extractvalue %d64 %v135, 35
  %v172 = extractvalue %d64 %v135, 36
  %v173 = extractvalue %d64 %v135, 37
  %v174 = extractvalue %d64 %v135, 38
  %v175 = extractvalue %d64 %v135, 39
  %v176 = extractvalue %d64 %v135, 40
  %v177 = extractvalue %d64 %v135, 41
  %v178 = extractvalue %d64 %v135, 42
  %v179 = extractvalue %d64 %v135, 43
  %v180 = extractvalue %d64 %v135, 44
  %v181 = extractvalue %d64 %v135, 45
  %v182 = extractvalue %d64 %v135, 46
  %v183 = extractvalue %d64 %v135, 47
  %v184 = extractvalue %d64 %v135, 48
  %v185 = extractvalue %d64 %v135, 49
  %v186 = extractvalue %d64 %v135, 50
  %v187 = extractvalue %d64 %v135, 51
  %v188 = extractvalue %d64 %v135, 52
  %v189 = extractvalue %d64 %v135, 53
  %v190 = extractvalue %d64 %v135, 54
  %v191 = extractvalue %d64 %v135, 55
  %v192 = extractvalue %d64 %v135, 56
  %v193 = extractvalue %d64 %v135, 57
  %v194 = extractvalue %d64 %v135, 58
  %v195 = extractvalue %d64 %v135, 59
  %v196 = extractvalue %d64 %v135, 60
  %v197 = extractvalue %d64 %v135, 61
  %v198 = extractvalue %d64 %v135, 62
  %v199 = extractvalue %d64 %v135, 63
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %v200 = call %d64 asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63"(float %v136, float %v137, float %v138, float %v139, float %v140, float %v141, float %v142, float %v143, float %v144, float %v145, float %v146, float %v147, float %v148, float %v149, float %v150, float %v151, float %v152, float %v153, float %v154, float %v155, float %v156, float %v157, float %v158, float %v159, float %v160, float %v161, float %v162, float %v163, float %v164, float %v165, float %v166, float %v167, float %v168, float %v169, float %v170, float %v171, float %v172, float %v173, float %v174, float %v175, float %v176, float %v177, float %v178, float %v179, float %v180, float %v181, float %v182, float %v183, float %v184, float %v185, float %v186, float %v187, float %v188, float %v189, float %v190, float %v191, float %v192, float %v193, float %v194, float %v195, float %v196, float %v197, float %v198, float %v199)
  %v201 = mul i32 %t, 64
  %v202 = add i32 %v201, 0
  %v203 = getelementptr i32, ptr addrspace(1) %out, i32 %v202
  store %d64 %v200, ptr addrspace(1) %v203, align 4
  ret void
}
define ptx_kernel void @dense_ss_n16_f16_ta(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 2
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 2
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 2
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 2
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  %v21 = add i32 %t, 512
  %v22 = add i32 %v21, 2
  %v23 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v22
  %v24 = load <4 x i32>, ptr addrspace(1) %v23, align 16
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v21
  store <4 x i32> %v24, ptr addrspace(3) %v25, align 16
  %v26 = add i32 %t, 640
  %v27 = add i32 %v26, 2
  %v28 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v27
  %v29 = load <4 x i32>, ptr addrspace(1) %v28, align 16
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v26
  store <4 x i32> %v29, ptr addrspace(3) %v30, align 16
  %v31 = add i32 %t, 768
  %v32 = add i32 %v31, 2
  %v33 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v32
  %v34 = load <4 x i32>, ptr addrspace(1) %v33, align 16
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v31
  store <4 x i32> %v34, ptr addrspace(3) %v35, align 16
  %v36 = add i32 %t, 896
  %v37 = add i32 %v36, 2
  %v38 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v37
  %v39 = load <4 x i32>, ptr addrspace(1) %v38, align 16
  %v40 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v36
  store <4 x i32> %v39, ptr addrspace(3) %v40, align 16
  %v41 = add i32 %t, 1024
  %v42 = add i32 %v41, 2
  %v43 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v42
  %v44 = load <4 x i32>, ptr addrspace(1) %v43, align 16
  %v45 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v41
  store <4 x i32> %v44, ptr addrspace(3) %v45, align 16
  %v46 = add i32 %t, 1152
  %v47 = add i32 %v46, 2
  %v48 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v47
  %v49 = load <4 x i32>, ptr addrspace(1) %v48, align 16
  %v50 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v46
  store <4 x i32> %v49, ptr addrspace(3) %v50, align 16
  %v51 = add i32 %t, 1280
  %v52 = add i32 %v51, 2
  %v53 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v52
  %v54 = load <4 x i32>, ptr addrspace(1) %v53, align 16
  %v55 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v51
  store <4 x i32> %v54, ptr addrspace(3) %v55, align 16
  %v56 = add i32 %t, 1408
  %v57 = add i32 %v56, 2
  %v58 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v57
  %v59 = load <4 x i32>, ptr addrspace(1) %v58, align 16
  %v60 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v56
  store <4 x i32> %v59, ptr addrspace(3) %v60, align 16
  %v61 = add i32 %t, 1536
  %v62 = add i32 %v61, 2
  %v63 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v62
  %v64 = load <4 x i32>, ptr addrspace(1) %v63, align 16
  %v65 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v61
  store <4 x i32> %v64, ptr addrspace(3) %v65, align 16
  %v66 = add i32 %t, 1664
  %v67 = add i32 %v66, 2
  %v68 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v67
  %v69 = load <4 x i32>, ptr addrspace(1) %v68, align 16
  %v70 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v66
  store <4 x i32> %v69, ptr addrspace(3) %v70, align 16
  %v71 = add i32 %t, 1792
  %v72 = add i32 %v71, 2
  %v73 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v72
  %v74 = load <4 x i32>, ptr addrspace(1) %v73, align 16
  %v75 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v71
  store <4 x i32> %v74, ptr addrspace(3) %v75, align 16
  %v76 = add i32 %t, 1920
  %v77 = add i32 %v76, 2
  %v78 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v77
  %v79 = load <4 x i32>, ptr addrspace(1) %v78, align 16
  %v80 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v76
  store <4 x i32> %v79, ptr addrspace(3) %v80, align 16
  %v81 = add i32 %t, 2048
  %v82 = add i32 %v81, 2
  %v83 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v82
  %v84 = load <4 x i32>, ptr addrspace(1) %v83, align 16
  %v85 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v81
  store <4 x i32> %v84, ptr addrspace(3) %v85, align 16
  %v86 = add i32 %t, 2176
  %v87 = add i32 %v86, 2
  %v88 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v87
  %v89 = load <4 x i32>, ptr addrspace(1) %v88, align 16
  %v90 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v86
  store <4 x i32> %v89, ptr addrspace(3) %v90, align 16
  %v91 = add i32 %t, 2304
  %v92 = add i32 %v91, 2
  %v93 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v92
  %v94 = load <4 x i32>, ptr addrspace(1) %v93, align 16
  %v95 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v91
  store <4 x i32> %v94, ptr addrspace(3) %v95, align 16
  %v96 = add i32 %t, 2432
  %v97 = add i32 %v96, 2
  %v98 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v97
  %v99 = load <4 x i32>, ptr addrspace(1) %v98, align 16
  %v100 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v96
  store <4 x i32> %v99, ptr addrspace(3) %v100, align 16
  %v101 = add i32 %t, 2560
  %v102 = add i32 %v101, 2
  %v103 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v102
  %v104 = load <4 x i32>, ptr addrspace(1) %v103, align 16
  %v105 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v101
  store <4 x i32> %v104, ptr addrspace(3) %v105, align 16
  %v106 = add i32 %t, 2688
  %v107 = add i32 %v106, 2
  %v108 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v107
  %v109 = load <4 x i32>, ptr addrspace(1) %v108, align 16
  %v110 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v106
  store <4 x i32> %v109, ptr addrspace(3) %v110, align 16
  %v111 = add i32 %t, 2816
  %v112 = add i32 %v111, 2
  %v113 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v112
  %v114 = load <4 x i32>, ptr addrspace(1) %v113, align 16
  %v115 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v111
  store <4 x i32> %v114, ptr addrspace(3) %v115, align 16
  %v116 = add i32 %t, 2944
  %v117 = add i32 %v116, 2
  %v118 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v117
  %v119 = load <4 x i32>, ptr addrspace(1) %v118, align 16
  %v120 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v116
  store <4 x i32> %v119, ptr addrspace(3) %v120, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v121 = ptrtoint ptr addrspace(3) @shared to i32
  %v122 = and i32 %v121, 262143
  %v123 = lshr i32 %v122, 4
  %v124 = zext i32 %v123 to i64
  %v125 = getelementptr i64, ptr addrspace(1) %in, i32 0
  %v126 = load i64, ptr addrspace(1) %v125
  %v127 = add i64 %v126, %v124
  %v128 = getelementptr i64, ptr addrspace(1) %in, i32 1
  %v129 = load i64, ptr addrspace(1) %v128
  %v130 = add i64 %v129, %v124
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %v131 = call %d8 asm sideeffect "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7}, $8, $9, p, 1, 1, 1, 0; }", "=f,=f,=f,=f,=f,=f,=f,=f,l,l,0,1,2,3,4,5,6,7"(i64 %v127, i64 %v130, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison)
  %v132 = extractvalue %d8 %v131, 0
  %v133 = extractvalue %d8 %v131, 1
  %v134 = extractvalue %d8 %v131, 2
  %v135 = extractvalue %d8 %v131, 3
  %v136 = extractvalue %d8 %v131, 4
  %v137 = extractvalue %d8 %v131, 5
  %v138 = extractvalue %d8 %v131, 6
  %v139 = extractvalue %d8 %v131, 7
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %v140 = call %d8 asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7"(float %v132, float %v133, float %v134, float %v135, float %v136, float %v137, float %v138, float %v139)
  %v141 = mul i32 %t, 8
  %v142 = add i32 %v141, 0
  %v143 = getelementptr i32, ptr addrspace(1) %out, i32 %v142
  store %d8 %v140, ptr addrspace(1) %v143, align 4
  ret void
}
define ptx_kernel void @dense_ss_n32_f16_two(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 2
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 2
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 2
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 2
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  %v21 = add i32 %t, 512
  %v22 = add i32 %v21, 2
  %v23 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v22
  %v24 = load <4 x i32>, ptr addrspace(1) %v23, align 16
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v21
  store <4 x i32> %v24, ptr addrspace(3) %v25, align 16
  %v26 = add i32 %t, 640
  %v27 = add i32 %v26, 2
  %v28 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v27
  %v29 = load <4 x i32>, ptr addrspace(1) %v28, align 16
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v26
  store <4 x i32> %v29, ptr addrspace(3) %v30, align 16
  %v31 = add i32 %t, 768
  %v32 = add i32 %v31, 2
  %v33 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v32
  %v34 = load <4 x i32>, ptr addrspace(1) %v33, align 16
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v31
  store <4 x i32> %v34, ptr addrspace(3) %v35, align 16
  %v36 = add i32 %t, 896
  %v37 = add i32 %v36, 2
  %v38 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v37
  %v39 = load <4 x i32>, ptr addrspace(1) %v38, align 16
  %v40 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v36
  store <4 x i32> %v39, ptr addrspace(3) %v40, align 16
  %v41 = add i32 %t, 1024
  %v42 = add i32 %v41, 2
  %v43 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v42
  %v44 = load <4 x i32>, ptr addrspace(1) %v43, align 16
  %v45 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v41
  store <4 x i32> %v44, ptr addrspace(3) %v45, align 16
  %v46 = add i32 %t, 1152
  %v47 = add i32 %v46, 2
  %v48 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v47
  %v49 = load <4 x i32>, ptr addrspace(1) %v48, align 16
  %v50 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v46
  store <4 x i32> %v49, ptr addrspace(3) %v50, align 16
  %v51 = add i32 %t, 1280
  %v52 = add i32 %v51, 2
  %v53 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v52
  %v54 = load <4 x i32>, ptr addrspace(1) %v53, align 16
  %v55 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v51
  store <4 x i32> %v54, ptr addrspace(3) %v55, align 16
  %v56 = add i32 %t, 1408
  %v57 = add i32 %v56, 2
  %v58 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v57
  %v59 = load <4 x i32>, ptr addrspace(1) %v58, align 16
  %v60 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v56
  store <4 x i32> %v59, ptr addrspace(3) %v60, align 16
  %v61 = add i32 %t, 1536
  %v62 = add i32 %v61, 2
  %v63 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v62
  %v64 = load <4 x i32>, ptr addrspace(1) %v63, align 16
  %v65 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v61
  store <4 x i32> %v64, ptr addrspace(3) %v65, align 16
  %v66 = add i32 %t, 1664
  %v67 = add i32 %v66, 2
  %v68 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v67
  %v69 = load <4 x i32>, ptr addrspace(1) %v68, align 16
  %v70 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v66
  store <4 x i32> %v69, ptr addrspace(3) %v70, align 16
  %v71 = add i32 %t, 1792
  %v72 = add i32 %v71, 2
  %v73 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v72
  %v74 = load <4 x i32>, ptr addrspace(1) %v73, align 16
  %v75 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v71
  store <4 x i32> %v74, ptr addrspace(3) %v75, align 16
  %v76 = add i32 %t, 1920
  %v77 = add i32 %v76, 2
  %v78 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v77
  %v79 = load <4 x i32>, ptr addrspace(1) %v78, align 16
  %v80 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v76
  store <4 x i32> %v79, ptr addrspace(3) %v80, align 16
  %v81 = add i32 %t, 2048
  %v82 = add i32 %v81, 2
  %v83 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v82
  %v84 = load <4 x i32>, ptr addrspace(1) %v83, align 16
  %v85 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v81
  store <4 x i32> %v84, ptr addrspace(3) %v85, align 16
  %v86 = add i32 %t, 2176
  %v87 = add i32 %v86, 2
  %v88 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v87
  %v89 = load <4 x i32>, ptr addrspace(1) %v88, align 16
  %v90 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v86
  store <4 x i32> %v89, ptr addrspace(3) %v90, align 16
  %v91 = add i32 %t, 2304
  %v92 = add i32 %v91, 2
  %v93 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v92
  %v94 = load <4 x i32>, ptr addrspace(1) %v93, align 16
  %v95 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v91
  store <4 x i32> %v94, ptr addrspace(3) %v95, align 16
  %v96 = add i32 %t, 2432
  %v97 = add i32 %v96, 2
  %v98 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v97
  %v99 = load <4 x i32>, ptr addrspace(1) %v98, align 16
  %v100 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v96
  store <4 x i32> %v99, ptr addrspace(3) %v100, align 16
  %v101 = add i32 %t, 2560
  %v102 = add i32 %v101, 2
  %v103 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v102
  %v104 = load <4 x i32>, ptr addrspace(1) %v103, align 16
  %v105 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v101
  store <4 x i32> %v104, ptr addrspace(3) %v105, align 16
  %v106 = add i32 %t, 2688
  %v107 = add i32 %v106, 2
  %v108 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v107
  %v109 = load <4 x i32>, ptr addrspace(1) %v108, align 16
  %v110 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v106
  store <4 x i32> %v109, ptr addrspace(3) %v110, align 16
  %v111 = add i32 %t, 2816
  %v112 = add i32 %v111, 2
  %v113 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v112
  %v114 = load <4 x i32>, ptr addrspace(1) %v113, align 16
  %v115 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v111
  store <4 x i32> %v114, ptr addrspace(3) %v115, align 16
  %v116 = add i32 %t, 2944
  %v117 = add i32 %v116, 2
  %v118 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v117
  %v119 = load <4 x i32>, ptr addrspace(1) %v118, align 16
  %v120 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v116
  store <4 x i32> %v119, ptr addrspace(3) %v120, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v121 = ptrtoint ptr addrspace(3) @shared to i32
  %v122 = and i32 %v121, 262143
  %v123 = lshr i32 %v122, 4
  %v124 = zext i32 %v123 to i64
  %v125 = getelementptr i64, ptr addrspace(1) %in, i32 0
  %v126 = load i64, ptr addrspace(1) %v125
  %v127 = add i64 %v126, %v124
  %v128 = getelementptr i64, ptr addrspace(1) %in, i32 1
  %v129 = load i64, ptr addrspace(1) %v128
  %v130 = add i64 %v129, %v124
  %v131 = getelementptr i64, ptr addrspace(1) %in, i32 2
  %v132 = load i64, ptr addrspace(1) %v131
  %v133 = add i64 %v132, %v124
  %v134 = getelementptr i64, ptr addrspace(1) %in, i32 3
  %v135 = load i64, ptr addrspace(1) %v134
  %v136 = add i64 %v135, %v124
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %v137 = call %d16 asm sideeffect "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15}, $16, $17, p, 1, 1, 0, 0; }", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,l,l,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15"(i64 %v127, i64 %v130, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison)
  %v138 = extractvalue %d16 %v137, 0
  %v139 = extractvalue %d16 %v137, 1
  %v140 = extractvalue %d16 %v137, 2
  %v141 = extractvalue %d16 %v137, 3
  %v142 = extractvalue %d16 %v137, 4
  %v143 = extractvalue %d16 %v137, 5
  %v144 = extractvalue %d16 %v137, 6
  %v145 = extractvalue %d16 %v137, 7
  %v146 = extractvalue %d16 %v137, 8
  %v147 = extractvalue %d16 %v137, 9
  %v148 = extractvalue %d16 %v137, 10
  %v149 = extractvalue %d16 %v137, 11
  %v150 = extractvalue %d16 %v137, 12
  %v151 = extractvalue %d16 %v137, 13
  %v152 = extractvalue %d16 %v137, 14
  %v153 = extractvalue %d16 %v137, 15
  %v154 = call %d16 asm sideeffect "{ .reg .pred p; setp.ne.b32 p, 1, 0; wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15}, $16, $17, p, 1, 1, 0, 0; }", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,l,l,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15"(i64 %v133, i64 %v136, float %v138, float %v139, float %v140, float %v141, float %v142, float %v143, float %v144, float %v145, float %v146, float %v147, float %v148, float %v149, float %v150, float %v151, float %v152, float %v153)
  %v155 = extractvalue %d16 %v154, 0
  %v156 = extractvalue %d16 %v154, 1
  %v157 = extractvalue %d16 %v154, 2
  %v158 = extractvalue %d16 %v154, 3
  %v159 = extractvalue %d16 %v154, 4
  %v160 = extractvalue %d16 %v154, 5
  %v161 = extractvalue %d16 %v154, 6
  %v162 = extractvalue %d16 %v154, 7
  %v163 = extractvalue %d16 %v154, 8
  %v164 = extractvalue %d16 %v154, 9
  %v165 = extractvalue %d16 %v154, 10
  %v166 = extractvalue %d16 %v154, 11
  %v167 = extractvalue %d16 %v154, 12
  %v168 = extractvalue %d16 %v154, 13
  %v169 = extractvalue %d16 %v154, 14
  %v170 = extractvalue %d16 %v154, 15
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %v171 = call %d16 asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15"(float %v155, float %v156, float %v157, float %v158, float %v159, float %v160, float %v161, float %v162, float %v163, float %v164, float %v165, float %v166, float %v167, float %v168, float %v169, float %v170)
  %v172 = mul i32 %t, 16
  %v173 = add i32 %v172, 0
  %v174 = getelementptr i32, ptr addrspace(1) %out, i32 %v173
  store %d16 %v171, ptr addrspace(1) %v174, align 4
  ret void
}
define ptx_kernel void @sp_ss_n32_f16_two(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 2
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 2
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 2
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 2
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  %v21 = add i32 %t, 512
  %v22 = add i32 %v21, 2
  %v23 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v22
  %v24 = load <4 x i32>, ptr addrspace(1) %v23, align 16
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v21
  store <4 x i32> %v24, ptr addrspace(3) %v25, align 16
  %v26 = add i32 %t, 640
  %v27 = add i32 %v26, 2
  %v28 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v27
  %v29 = load <4 x i32>, ptr addrspace(1) %v28, align 16
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v26
  store <4 x i32> %v29, ptr addrspace(3) %v30, align 16
  %v31 = add i32 %t, 768
  %v32 = add i32 %v31, 2
  %v33 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v32
  %v34 = load <4 x i32>, ptr addrspace(1) %v33, align 16
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v31
  store <4 x i32> %v34, ptr addrspace(3) %v35, align 16
  %v36 = add i32 %t, 896
  %v37 = add i32 %v36, 2
  %v38 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v37
  %v39 = load <4 x i32>, ptr addrspace(1) %v38, align 16
  %v40 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v36
  store <4 x i32> %v39, ptr addrspace(3) %v40, align 16
  %v41 = add i32 %t, 1024
  %v42 = add i32 %v41, 2
  %v43 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v42
  %v44 = load <4 x i32>, ptr addrspace(1) %v43, align 16
  %v45 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v41
  store <4 x i32> %v44, ptr addrspace(3) %v45, align 16
  %v46 = add i32 %t, 1152
  %v47 = add i32 %v46, 2
  %v48 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v47
  %v49 = load <4 x i32>, ptr addrspace(1) %v48, align 16
  %v50 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v46
  store <4 x i32> %v49, ptr addrspace(3) %v50, align 16
  %v51 = add i32 %t, 1280
  %v52 = add i32 %v51, 2
  %v53 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v52
  %v54 = load <4 x i32>, ptr addrspace(1) %v53, align 16
  %v55 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v51
  store <4 x i32> %v54, ptr addrspace(3) %v55, align 16
  %v56 = add i32 %t, 1408
  %v57 = add i32 %v56, 2
  %v58 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v57
  %v59 = load <4 x i32>, ptr addrspace(1) %v58, align 16
  %v60 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v56
  store <4 x i32> %v59, ptr addrspace(3) %v60, align 16
  %v61 = add i32 %t, 1536
  %v62 = add i32 %v61, 2
  %v63 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v62
  %v64 = load <4 x i32>, ptr addrspace(1) %v63, align 16
  %v65 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v61
  store <4 x i32> %v64, ptr addrspace(3) %v65, align 16
  %v66 = add i32 %t, 1664
  %v67 = add i32 %v66, 2
  %v68 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v67
  %v69 = load <4 x i32>, ptr addrspace(1) %v68, align 16
  %v70 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v66
  store <4 x i32> %v69, ptr addrspace(3) %v70, align 16
  %v71 = add i32 %t, 1792
  %v72 = add i32 %v71, 2
  %v73 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v72
  %v74 = load <4 x i32>, ptr addrspace(1) %v73, align 16
  %v75 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v71
  store <4 x i32> %v74, ptr addrspace(3) %v75, align 16
  %v76 = add i32 %t, 1920
  %v77 = add i32 %v76, 2
  %v78 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v77
  %v79 = load <4 x i32>, ptr addrspace(1) %v78, align 16
  %v80 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v76
  store <4 x i32> %v79, ptr addrspace(3) %v80, align 16
  %v81 = add i32 %t, 2048
  %v82 = add i32 %v81, 2
  %v83 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v82
  %v84 = load <4 x i32>, ptr addrspace(1) %v83, align 16
  %v85 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v81
  store <4 x i32> %v84, ptr addrspace(3) %v85, align 16
  %v86 = add i32 %t, 2176
  %v87 = add i32 %v86, 2
  %v88 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v87
  %v89 = load <4 x i32>, ptr addrspace(1) %v88, align 16
  %v90 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v86
  store <4 x i32> %v89, ptr addrspace(3) %v90, align 16
  %v91 = add i32 %t, 2304
  %v92 = add i32 %v91, 2
  %v93 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v92
  %v94 = load <4 x i32>, ptr addrspace(1) %v93, align 16
  %v95 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v91
  store <4 x i32> %v94, ptr addrspace(3) %v95, align 16
  %v96 = add i32 %t, 2432
  %v97 = add i32 %v96, 2
  %v98 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v97
  %v99 = load <4 x i32>, ptr addrspace(1) %v98, align 16
  %v100 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v96
  store <4 x i32> %v99, ptr addrspace(3) %v100, align 16
  %v101 = add i32 %t, 2560
  %v102 = add i32 %v101, 2
  %v103 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v102
  %v104 = load <4 x i32>, ptr addrspace(1) %v103, align 16
  %v105 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v101
  store <4 x i32> %v104, ptr addrspace(3) %v105, align 16
  %v106 = add i32 %t, 2688
  %v107 = add i32 %v106, 2
  %v108 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v107
  %v109 = load <4 x i32>, ptr addrspace(1) %v108, align 16
  %v110 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v106
  store <4 x i32> %v109, ptr addrspace(3) %v110, align 16
  %v111 = add i32 %t, 2816
  %v112 = add i32 %v111, 2
  %v113 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v112
  %v114 = load <4 x i32>, ptr addrspace(1) %v113, align 16
  %v115 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v111
  store <4 x i32> %v114, ptr addrspace(3) %v115, align 16
  %v116 = add i32 %t, 2944
  %v117 = add i32 %v116, 2
  %v118 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v117
  %v119 = load <4 x i32>, ptr addrspace(1) %v118, align 16
  %v120 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v116
  store <4 x i32> %v119, ptr addrspace(3) %v120, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v121 = ptrtoint ptr addrspace(3) @shared to i32
  %v122 = and i32 %v121, 262143
  %v123 = lshr i32 %v122, 4
  %v124 = zext i32 %v123 to i64
  %v125 = getelementptr i64, ptr addrspace(1) %in, i32 0
  %v126 = load i64, ptr addrspace(1) %v125
  %v127 = add i64 %v126, %v124
  %v128 = getelementptr i64, ptr addrspace(1) %in, i32 1
  %v129 = load i64, ptr addrspace(1) %v128
  %v130 = add i64 %v129, %v124
  %v131 = getelementptr i64, ptr addrspace(1) %in, i32 2
  %v132 = load i64, ptr addrspace(1) %v131
  %v133 = add i64 %v132, %v124
  %v134 = getelementptr i64, ptr addrspace(1) %in, i32 3
  %v135 = load i64, ptr addrspace(1) %v134
  %v136 = add i64 %v135, %v124
  %v137 = mul i32 %t, 1
  %v138 = add i32 %v137, 12296
  %v139 = getelementptr i32, ptr addrspace(1) %in, i32 %v138
  %v140 = load i32, ptr addrspace(1) %v139
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %v141 = call %d16 asm sideeffect "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sp.sync.aligned.m64n32k32.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15}, $16, $17, $18, 0, p, 1, 1, 0, 0; }", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,l,l,r,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15"(i64 %v127, i64 %v130, i32 %v140, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison)
  %v142 = extractvalue %d16 %v141, 0
  %v143 = extractvalue %d16 %v141, 1
  %v144 = extractvalue %d16 %v141, 2
  %v145 = extractvalue %d16 %v141, 3
  %v146 = extractvalue %d16 %v141, 4
  %v147 = extractvalue %d16 %v141, 5
  %v148 = extractvalue %d16 %v141, 6
  %v149 = extractvalue %d16 %v141, 7
  %v150 = extractvalue %d16 %v141, 8
  %v151 = extractvalue %d16 %v141, 9
  %v152 = extractvalue %d16 %v141, 10
  %v153 = extractvalue %d16 %v141, 11
  %v154 = extractvalue %d16 %v141, 12
  %v155 = extractvalue %d16 %v141, 13
  %v156 = extractvalue %d16 %v141, 14
  %v157 = extractvalue %d16 %v141, 15
  %v158 = call %d16 asm sideeffect "{ .reg .pred p; setp.ne.b32 p, 1, 0; wgmma.mma_async.sp.sync.aligned.m64n32k32.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15}, $16, $17, $18, 0, p, 1, 1, 0, 0; }", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,l,l,r,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15"(i64 %v133, i64 %v136, i32 %v140, float %v142, float %v143, float %v144, float %v145, float %v146, float %v147, float %v148, float %v149, float %v150, float %v151, float %v152, float %v153, float %v154, float %v155, float %v156, float %v157)
  %v159 = extractvalue %d16 %v158, 0
  %v160 = extractvalue %d16 %v158, 1
  %v161 = extractvalue %d16 %v158, 2
  %v162 = extractvalue %d16 %v158, 3
  %v163 = extractvalue %d16 %v158, 4
  %v164 = extractvalue %d16 %v158, 5
  %v165 = extractvalue %d16 %v158, 6
  %v166 = extractvalue %d16 %v158, 7
  %v167 = extractvalue %d16 %v158, 8
  %v168 = extractvalue %d16 %v158, 9
  %v169 = extractvalue %d16 %v158, 10
  %v170 = extractvalue %d16 %v158, 11
  %v171 = extractvalue %d16 %v158, 12
  %v172 = extractvalue %d16 %v158, 13
  %v173 = extractvalue %d16 %v158, 14
  %v174 = extractvalue %d16 %v158, 15
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %v175 = call %d16 asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15"(float %v159, float %v160, float %v161, float %v162, float %v163, float %v164, float %v165, float %v166, float %v167, float %v168, float %v169, float %v170, float %v171, float %v172, float %v173, float %v174)
  %v176 = mul i32 %t, 16
  %v177 = add i32 %v176, 0
  %v178 = getelementptr i32, ptr addrspace(1) %out, i32 %v177
  store %d16 %v175, ptr addrspace(1) %v178, align 4
  ret void
}
define ptx_kernel void @dense_rs_n8_u8_s8(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 2
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 2
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 2
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 2
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  %v21 = add i32 %t, 512
  %v22 = add i32 %v21, 2
  %v23 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v22
  %v24 = load <4 x i32>, ptr addrspace(1) %v23, align 16
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v21
  store <4 x i32> %v24, ptr addrspace(3) %v25, align 16
  %v26 = add i32 %t, 640
  %v27 = add i32 %v26, 2
  %v28 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v27
  %v29 = load <4 x i32>, ptr addrspace(1) %v28, align 16
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v26
  store <4 x i32> %v29, ptr addrspace(3) %v30, align 16
  %v31 = add i32 %t, 768
  %v32 = add i32 %v31, 2
  %v33 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v32
  %v34 = load <4 x i32>, ptr addrspace(1) %v33, align 16
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v31
  store <4 x i32> %v34, ptr addrspace(3) %v35, align 16
  %v36 = add i32 %t, 896
  %v37 = add i32 %v36, 2
  %v38 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v37
  %v39 = load <4 x i32>, ptr addrspace(1) %v38, align 16
  %v40 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v36
  store <4 x i32> %v39, ptr addrspace(3) %v40, align 16
  %v41 = add i32 %t, 1024
  %v42 = add i32 %v41, 2
  %v43 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v42
  %v44 = load <4 x i32>, ptr addrspace(1) %v43, align 16
  %v45 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v41
  store <4 x i32> %v44, ptr addrspace(3) %v45, align 16
  %v46 = add i32 %t, 1152
  %v47 = add i32 %v46, 2
  %v48 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v47
  %v49 = load <4 x i32>, ptr addrspace(1) %v48, align 16
  %v50 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v46
  store <4 x i32> %v49, ptr addrspace(3) %v50, align 16
  %v51 = add i32 %t, 1280
  %v52 = add i32 %v51, 2
  %v53 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v52
  %v54 = load <4 x i32>, ptr addrspace(1) %v53, align 16
  %v55 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v51
  store <4 x i32> %v54, ptr addrspace(3) %v55, align 16
  %v56 = add i32 %t, 1408
  %v57 = add i32 %v56, 2
  %v58 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v57
  %v59 = load <4 x i32>, ptr addrspace(1) %v58, align 16
  %v60 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v56
  store <4 x i32> %v59, ptr addrspace(3) %v60, align 16
  %v61 = add i32 %t, 1536
  %v62 = add i32 %v61, 2
  %v63 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v62
  %v64 = load <4 x i32>, ptr addrspace(1) %v63, align 16
  %v65 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v61
  store <4 x i32> %v64, ptr addrspace(3) %v65, align 16
  %v66 = add i32 %t, 1664
  %v67 = add i32 %v66, 2
  %v68 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v67
  %v69 = load <4 x i32>, ptr addrspace(1) %v68, align 16
  %v70 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v66
  store <4 x i32> %v69, ptr addrspace(3) %v70, align 16
  %v71 = add i32 %t, 1792
  %v72 = add i32 %v71, 2
  %v73 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v72
  %v74 = load <4 x i32>, ptr addrspace(1) %v73, align 16
  %v75 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v71
  store <4 x i32> %v74, ptr addrspace(3) %v75, align 16
  %v76 = add i32 %t, 1920
  %v77 = add i32 %v76, 2
  %v78 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v77
  %v79 = load <4 x i32>, ptr addrspace(1) %v78, align 16
  %v80 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v76
  store <4 x i32> %v79, ptr addrspace(3) %v80, align 16
  %v81 = add i32 %t, 2048
  %v82 = add i32 %v81, 2
  %v83 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v82
  %v84 = load <4 x i32>, ptr addrspace(1) %v83, align 16
  %v85 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v81
  store <4 x i32> %v84, ptr addrspace(3) %v85, align 16
  %v86 = add i32 %t, 2176
  %v87 = add i32 %v86, 2
  %v88 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v87
  %v89 = load <4 x i32>, ptr addrspace(1) %v88, align 16
  %v90 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v86
  store <4 x i32> %v89, ptr addrspace(3) %v90, align 16
  %v91 = add i32 %t, 2304
  %v92 = add i32 %v91, 2
  %v93 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v92
  %v94 = load <4 x i32>, ptr addrspace(1) %v93, align 16
  %v95 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v91
  store <4 x i32> %v94, ptr addrspace(3) %v95, align 16
  %v96 = add i32 %t, 2432
  %v97 = add i32 %v96, 2
  %v98 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v97
  %v99 = load <4 x i32>, ptr addrspace(1) %v98, align 16
  %v100 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v96
  store <4 x i32> %v99, ptr addrspace(3) %v100, align 16
  %v101 = add i32 %t, 2560
  %v102 = add i32 %v101, 2
  %v103 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v102
  %v104 = load <4 x i32>, ptr addrspace(1) %v103, align 16
  %v105 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v101
  store <4 x i32> %v104, ptr addrspace(3) %v105, align 16
  %v106 = add i32 %t, 2688
  %v107 = add i32 %v106, 2
  %v108 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v107
  %v109 = load <4 x i32>, ptr addrspace(1) %v108, align 16
  %v110 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v106
  store <4 x i32> %v109, ptr addrspace(3) %v110, align 16
  %v111 = add i32 %t, 2816
  %v112 = add i32 %v111, 2
  %v113 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v112
  %v114 = load <4 x i32>, ptr addrspace(1) %v113, align 16
  %v115 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v111
  store <4 x i32> %v114, ptr addrspace(3) %v115, align 16
  %v116 = add i32 %t, 2944
  %v117 = add i32 %v116, 2
  %v118 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v117
  %v119 = load <4 x i32>, ptr addrspace(1) %v118, align 16
  %v120 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v116
  store <4 x i32> %v119, ptr addrspace(3) %v120, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v121 = ptrtoint ptr addrspace(3) @shared to i32
  %v122 = and i32 %v121, 262143
  %v123 = lshr i32 %v122, 4
  %v124 = zext i32 %v123 to i64
  %v125 = getelementptr i64, ptr addrspace(1) %in, i32 0
  %v126 = load i64, ptr addrspace(1) %v125
  %v127 = add i64 %v126, %v124
  %v128 = getelementptr i64, ptr addrspace(1) %in, i32 1
  %v129 = load i64, ptr addrspace(1) %v128
  %v130 = add i64 %v129, %v124
  %v131 = mul i32 %t, 4
  %v132 = add i32 %v131, 12424
  %v133 = getelementptr i32, ptr addrspace(1) %in, i32 %v132
  %v134 = load i32, ptr addrspace(1) %v133
  %v135 = mul i32 %t, 4
  %v136 = add i32 %v135, 12425
  %v137 = getelementptr i32, ptr addrspace(1) %in, i32 %v136
  %v138 = load i32, ptr addrspace(1) %v137
  %v139 = mul i32 %t, 4
  %v140 = add i32 %v139, 12426
  %v141 = getelementptr i32, ptr addrspace(1) %in, i32 %v140
  %v142 = load i32, ptr addrspace(1) %v141
  %v143 = mul i32 %t, 4
  %v144 = add i32 %v143, 12427
  %v145 = getelementptr i32, ptr addrspace(1) %in, i32 %v144
  %v146 = load i32, ptr addrspace(1) %v145
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %v147 = call %i32_4 asm sideeffect "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sync.aligned.m64n8k32.s32.u8.s8 {$0, $1, $2, $3}, {$4, $5, $6, $7}, $8, p; }", "=r,=r,=r,=r,r,r,r,r,l,0,1,2,3"(i32 %v134, i32 %v138, i32 %v142, i32 %v146, i64 %v130, i32 poison, i32 poison, i32 poison, i32 poison)
  %v148 = extractvalue %i32_4 %v147, 0
  %v149 = extractvalue %i32_4 %v147, 1
  %v150 = extractvalue %i32_4 %v147, 2
  %v151 = extractvalue %i32_4 %v147, 3
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %v152 = call %i32_4 asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=r,=r,=r,=r,0,1,2,3"(i32 %v148, i32 %v149, i32 %v150, i32 %v151)
  %v153 = mul i32 %t, 4
  %v154 = add i32 %v153, 0
  %v155 = getelementptr i32, ptr addrspace(1) %out, i32 %v154
  store %i32_4 %v152, ptr addrspace(1) %v155, align 4
  ret void
}
define ptx_kernel void @sp_rs_n8_s8(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 2
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 2
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 2
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 2
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  %v21 = add i32 %t, 512
  %v22 = add i32 %v21, 2
  %v23 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v22
  %v24 = load <4 x i32>, ptr addrspace(1) %v23, align 16
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v21
  store <4 x i32> %v24, ptr addrspace(3) %v25, align 16
  %v26 = add i32 %t, 640
  %v27 = add i32 %v26, 2
  %v28 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v27
  %v29 = load <4 x i32>, ptr addrspace(1) %v28, align 16
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v26
  store <4 x i32> %v29, ptr addrspace(3) %v30, align 16
  %v31 = add i32 %t, 768
  %v32 = add i32 %v31, 2
  %v33 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v32
  %v34 = load <4 x i32>, ptr addrspace(1) %v33, align 16
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v31
  store <4 x i32> %v34, ptr addrspace(3) %v35, align 16
  %v36 = add i32 %t, 896
  %v37 = add i32 %v36, 2
  %v38 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v37
  %v39 = load <4 x i32>, ptr addrspace(1) %v38, align 16
  %v40 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v36
  store <4 x i32> %v39, ptr addrspace(3) %v40, align 16
  %v41 = add i32 %t, 1024
  %v42 = add i32 %v41, 2
  %v43 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v42
  %v44 = load <4 x i32>, ptr addrspace(1) %v43, align 16
  %v45 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v41
  store <4 x i32> %v44, ptr addrspace(3) %v45, align 16
  %v46 = add i32 %t, 1152
  %v47 = add i32 %v46, 2
  %v48 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v47
  %v49 = load <4 x i32>, ptr addrspace(1) %v48, align 16
  %v50 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v46
  store <4 x i32> %v49, ptr addrspace(3) %v50, align 16
  %v51 = add i32 %t, 1280
  %v52 = add i32 %v51, 2
  %v53 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v52
  %v54 = load <4 x i32>, ptr addrspace(1) %v53, align 16
  %v55 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v51
  store <4 x i32> %v54, ptr addrspace(3) %v55, align 16
  %v56 = add i32 %t, 1408
  %v57 = add i32 %v56, 2
  %v58 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v57
  %v59 = load <4 x i32>, ptr addrspace(1) %v58, align 16
  %v60 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v56
  store <4 x i32> %v59, ptr addrspace(3) %v60, align 16
  %v61 = add i32 %t, 1536
  %v62 = add i32 %v61, 2
  %v63 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v62
  %v64 = load <4 x i32>, ptr addrspace(1) %v63, align 16
  %v65 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v61
  store <4 x i32> %v64, ptr addrspace(3) %v65, align 16
  %v66 = add i32 %t, 1664
  %v67 = add i32 %v66, 2
  %v68 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v67
  %v69 = load <4 x i32>, ptr addrspace(1) %v68, align 16
  %v70 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v66
  store <4 x i32> %v69, ptr addrspace(3) %v70, align 16
  %v71 = add i32 %t, 1792
  %v72 = add i32 %v71, 2
  %v73 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v72
  %v74 = load <4 x i32>, ptr addrspace(1) %v73, align 16
  %v75 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v71
  store <4 x i32> %v74, ptr addrspace(3) %v75, align 16
  %v76 = add i32 %t, 1920
  %v77 = add i32 %v76, 2
  %v78 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v77
  %v79 = load <4 x i32>, ptr addrspace(1) %v78, align 16
  %v80 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v76
  store <4 x i32> %v79, ptr addrspace(3) %v80, align 16
  %v81 = add i32 %t, 2048
  %v82 = add i32 %v81, 2
  %v83 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v82
  %v84 = load <4 x i32>, ptr addrspace(1) %v83, align 16
  %v85 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v81
  store <4 x i32> %v84, ptr addrspace(3) %v85, align 16
  %v86 = add i32 %t, 2176
  %v87 = add i32 %v86, 2
  %v88 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v87
  %v89 = load <4 x i32>, ptr addrspace(1) %v88, align 16
  %v90 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v86
  store <4 x i32> %v89, ptr addrspace(3) %v90, align 16
  %v91 = add i32 %t, 2304
  %v92 = add i32 %v91, 2
  %v93 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v92
  %v94 = load <4 x i32>, ptr addrspace(1) %v93, align 16
  %v95 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v91
  store <4 x i32> %v94, ptr addrspace(3) %v95, align 16
  %v96 = add i32 %t, 2432
  %v97 = add i32 %v96, 2
  %v98 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v97
  %v99 = load <4 x i32>, ptr addrspace(1) %v98, align 16
  %v100 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v96
  store <4 x i32> %v99, ptr addrspace(3) %v100, align 16
  %v101 = add i32 %t, 2560
  %v102 = add i32 %v101, 2
  %v103 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v102
  %v104 = load <4 x i32>, ptr addrspace(1) %v103, align 16
  %v105 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v101
  store <4 x i32> %v104, ptr addrspace(3) %v105, align 16
  %v106 = add i32 %t, 2688
  %v107 = add i32 %v106, 2
  %v108 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v107
  %v109 = load <4 x i32>, ptr addrspace(1) %v108, align 16
  %v110 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v106
  store <4 x i32> %v109, ptr addrspace(3) %v110, align 16
  %v111 = add i32 %t, 2816
  %v112 = add i32 %v111, 2
  %v113 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v112
  %v114 = load <4 x i32>, ptr addrspace(1) %v113, align 16
  %v115 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v111
  store <4 x i32> %v114, ptr addrspace(3) %v115, align 16
  %v116 = add i32 %t, 2944
  %v117 = add i32 %v116, 2
  %v118 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v117
  %v119 = load <4 x i32>, ptr addrspace(1) %v118, align 16
  %v120 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v116
  store <4 x i32> %v119, ptr addrspace(3) %v120, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v121 = ptrtoint ptr addrspace(3) @shared to i32
  %v122 = and i32 %v121, 262143
  %v123 = lshr i32 %v122, 4
  %v124 = zext i32 %v123 to i64
  %v125 = getelementptr i64, ptr addrspace(1) %in, i32 0
  %v126 = load i64, ptr addrspace(1) %v125
  %v127 = add i64 %v126, %v124
  %v128 = getelementptr i64, ptr addrspace(1) %in, i32 1
  %v129 = load i64, ptr addrspace(1) %v128
  %v130 = add i64 %v129, %v124
  %v131 = mul i32 %t, 1
  %v132 = add i32 %v131, 12296
  %v133 = getelementptr i32, ptr addrspace(1) %in, i32 %v132
  %v134 = load i32, ptr addrspace(1) %v133
  %v135 = mul i32 %t, 4
  %v136 = add i32 %v135, 12424
  %v137 = getelementptr i32, ptr addrspace(1) %in, i32 %v136
  %v138 = load i32, ptr addrspace(1) %v137
  %v139 = mul i32 %t, 4
  %v140 = add i32 %v139, 12425
  %v141 = getelementptr i32, ptr addrspace(1) %in, i32 %v140
  %v142 = load i32, ptr addrspace(1) %v141
  %v143 = mul i32 %t, 4
  %v144 = add i32 %v143, 12426
  %v145 = getelementptr i32, ptr addrspace(1) %in, i32 %v144
  %v146 = load i32, ptr addrspace(1) %v145
  %v147 = mul i32 %t, 4
  %v148 = add i32 %v147, 12427
  %v149 = getelementptr i32, ptr addrspace(1) %in, i32 %v148
  %v150 = load i32, ptr addrspace(1) %v149
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %v151 = call %i32_4 asm sideeffect "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sp.sync.aligned.m64n8k64.s32.s8.s8 {$0, $1, $2, $3}, {$4, $5, $6, $7}, $8, $9, 0, p; }", "=r,=r,=r,=r,r,r,r,r,l,r,0,1,2,3"(i32 %v138, i32 %v142, i32 %v146, i32 %v150, i64 %v130, i32 %v134, i32 poison, i32 poison, i32 poison, i32 poison)
  %v152 = extractvalue %i32_4 %v151, 0
  %v153 = extractvalue %i32_4 %v151, 1
  %v154 = extractvalue %i32_4 %v151, 2
  %v155 = extractvalue %i32_4 %v151, 3
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %v156 = call %i32_4 asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=r,=r,=r,=r,0,1,2,3"(i32 %v152, i32 %v153, i32 %v154, i32 %v155)
  %v157 = mul i32 %t, 4
  %v158 = add i32 %v157, 0
  %v159 = getelementptr i32, ptr addrspace(1) %out, i32 %v158
  store %i32_4 %v156, ptr addrspace(1) %v159, align 4
  ret void
}
define ptx_kernel void @dense_rs_n64_u8_s8(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 2
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 2
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 2
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 2
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  %v21 = add i32 %t, 512
  %v22 = add i32 %v21, 2
  %v23 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v22
  %v24 = load <4 x i32>, ptr addrspace(1) %v23, align 16
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v21
  store <4 x i32> %v24, ptr addrspace(3) %v25, align 16
  %v26 = add i32 %t, 640
  %v27 = add i32 %v26, 2
  %v28 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v27
  %v29 = load <4 x i32>, ptr addrspace(1) %v28, align 16
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v26
  store <4 x i32> %v29, ptr addrspace(3) %v30, align 16
  %v31 = add i32 %t, 768
  %v32 = add i32 %v31, 2
  %v33 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v32
  %v34 = load <4 x i32>, ptr addrspace(1) %v33, align 16
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v31
  store <4 x i32> %v34, ptr addrspace(3) %v35, align 16
  %v36 = add i32 %t, 896
  %v37 = add i32 %v36, 2
  %v38 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v37
  %v39 = load <4 x i32>, ptr addrspace(1) %v38, align 16
  %v40 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v36
  store <4 x i32> %v39, ptr addrspace(3) %v40, align 16
  %v41 = add i32 %t, 1024
  %v42 = add i32 %v41, 2
  %v43 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v42
  %v44 = load <4 x i32>, ptr addrspace(1) %v43, align 16
  %v45 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v41
  store <4 x i32> %v44, ptr addrspace(3) %v45, align 16
  %v46 = add i32 %t, 1152
  %v47 = add i32 %v46, 2
  %v48 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v47
  %v49 = load <4 x i32>, ptr addrspace(1) %v48, align 16
  %v50 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v46
  store <4 x i32> %v49, ptr addrspace(3) %v50, align 16
  %v51 = add i32 %t, 1280
  %v52 = add i32 %v51, 2
  %v53 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v52
  %v54 = load <4 x i32>, ptr addrspace(1) %v53, align 16
  %v55 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v51
  store <4 x i32> %v54, ptr addrspace(3) %v55, align 16
  %v56 = add i32 %t, 1408
  %v57 = add i32 %v56, 2
  %v58 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v57
  %v59 = load <4 x i32>, ptr addrspace(1) %v58, align 16
  %v60 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v56
  store <4 x i32> %v59, ptr addrspace(3) %v60, align 16
  %v61 = add i32 %t, 1536
  %v62 = add i32 %v61, 2
  %v63 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v62
  %v64 = load <4 x i32>, ptr addrspace(1) %v63, align 16
  %v65 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v61
  store <4 x i32> %v64, ptr addrspace(3) %v65, align 16
  %v66 = add i32 %t, 1664
  %v67 = add i32 %v66, 2
  %v68 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v67
  %v69 = load <4 x i32>, ptr addrspace(1) %v68, align 16
  %v70 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v66
  store <4 x i32> %v69, ptr addrspace(3) %v70, align 16
  %v71 = add i32 %t, 1792
  %v72 = add i32 %v71, 2
  %v73 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v72
  %v74 = load <4 x i32>, ptr addrspace(1) %v73, align 16
  %v75 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v71
  store <4 x i32> %v74, ptr addrspace(3) %v75, align 16
  %v76 = add i32 %t, 1920
  %v77 = add i32 %v76, 2
  %v78 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v77
  %v79 = load <4 x i32>, ptr addrspace(1) %v78, align 16
  %v80 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v76
  store <4 x i32> %v79, ptr addrspace(3) %v80, align 16
  %v81 = add i32 %t, 2048
  %v82 = add i32 %v81, 2
  %v83 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v82
  %v84 = load <4 x i32>, ptr addrspace(1) %v83, align 16
  %v85 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v81
  store <4 x i32> %v84, ptr addrspace(3) %v85, align 16
  %v86 = add i32 %t, 2176
  %v87 = add i32 %v86, 2
  %v88 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v87
  %v89 = load <4 x i32>, ptr addrspace(1) %v88, align 16
  %v90 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v86
  store <4 x i32> %v89, ptr addrspace(3) %v90, align 16
  %v91 = add i32 %t, 2304
  %v92 = add i32 %v91, 2
  %v93 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v92
  %v94 = load <4 x i32>, ptr addrspace(1) %v93, align 16
  %v95 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v91
  store <4 x i32> %v94, ptr addrspace(3) %v95, align 16
  %v96 = add i32 %t, 2432
  %v97 = add i32 %v96, 2
  %v98 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v97
  %v99 = load <4 x i32>, ptr addrspace(1) %v98, align 16
  %v100 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v96
  store <4 x i32> %v99, ptr addrspace(3) %v100, align 16
  %v101 = add i32 %t, 2560
  %v102 = add i32 %v101, 2
  %v103 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v102
  %v104 = load <4 x i32>, ptr addrspace(1) %v103, align 16
  %v105 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v101
  store <4 x i32> %v104, ptr addrspace(3) %v105, align 16
  %v106 = add i32 %t, 2688
  %v107 = add i32 %v106, 2
  %v108 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v107
  %v109 = load <4 x i32>, ptr addrspace(1) %v108, align 16
  %v110 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v106
  store <4 x i32> %v109, ptr addrspace(3) %v110, align 16
  %v111 = add i32 %t, 2816
  %v112 = add i32 %v111, 2
  %v113 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v112
  %v114 = load <4 x i32>, ptr addrspace(1) %v113, align 16
  %v115 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v111
  store <4 x i32> %v114, ptr addrspace(3) %v115, align 16
  %v116 = add i32 %t, 2944
  %v117 = add i32 %v116, 2
  %v118 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v117
  %v119 = load <4 x i32>, ptr addrspace(1) %v118, align 16
  %v120 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v116
  store <4 x i32> %v119, ptr addrspace(3) %v120, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v121 = ptrtoint ptr addrspace(3) @shared to i32
  %v122 = and i32 %v121, 262143
  %v123 = lshr i32 %v122, 4
  %v124 = zext i32 %v123 to i64
  %v125 = getelementptr i64, ptr addrspace(1) %in, i32 0
  %v126 = load i64, ptr addrspace(1) %v125
  %v127 = add i64 %v126, %v124
  %v128 = getelementptr i64, ptr addrspace(1) %in, i32 1
  %v129 = load i64, ptr addrspace(1) %v128
  %v130 = add i64 %v129, %v124
  %v131 = mul i32 %t, 4
  %v132 = add i32 %v131, 12424
  %v133 = getelementptr i32, ptr addrspace(1) %in, i32 %v132
  %v134 = load i32, ptr addrspace(1) %v133
  %v135 = mul i32 %t, 4
  %v136 = add i32 %v135, 12425
  %v137 = getelementptr i32, ptr addrspace(1) %in, i32 %v136
  %v138 = load i32, ptr addrspace(1) %v137
  %v139 = mul i32 %t, 4
  %v140 = add i32 %v139, 12426
  %v141 = getelementptr i32, ptr addrspace(1) %in, i32 %v140
  %v142 = load i32, ptr addrspace(1) %v141
  %v143 = mul i32 %t, 4
  %v144 = add i32 %v143, 12427
  %v145 = getelementptr i32, ptr addrspace(1) %in, i32 %v144
  %v146 = load i32, ptr addrspace(1) %v145
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %v147 = call %i32_32 asm sideeffect "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sync.aligned.m64n64k32.s32.u8.s8 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31}, {$32, $33, $34, $35}, $36, p; }", "=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,r,r,r,r,l,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"(i32 %v134, i32 %v138, i32 %v142, i32 %v146, i64 %v130, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison)
  %v148 = extractvalue %i32_32 %v147, 0
  %v149 = extractvalue %i32_32 %v147, 1
  %v150 = extractvalue %i32_32 %v147, 2
  %v151 = extractvalue %i32_32 %v147, 3
  %v152 = extractvalue %i32_32 %v147, 4
  %v153 = extractvalue %i32_32 %v147, 5
  %v154 = extractvalue %i32_32 %v147, 6
  %v155 = extractvalue %i32_32 %v147, 7
  %v156 = extractvalue %i32_32 %v147, 8
  %v157 = extractvalue %i32_32 %v147, 9
  %v158 = extractvalue %i32_32 %v147, 10
  %v159 = extractvalue %i32_32 %v147, 11
  %v160 = extractvalue %i32_32 %v147, 12
  %v161 = extractvalue %i32_32 %v147, 13
  %v162 = extractvalue %i32_32 %v147, 14
  %v163 = extractvalue %i32_32 %v147, 15
  %v164 = extractvalue %i32_32 %v147, 16
  %v165 = extractvalue %i32_32 %v147, 17
  %v166 = extractvalue %i32_32 %v147, 18
  %v167 = extractvalue %i32_32 %v147, 19
  %v168 = extractvalue %i32_32 %v147, 20
  %v169 = extractvalue %i32_32 %v147, 21
  %v170 = extractvalue %i32_32 %v147, 22
  %v171 = extractvalue %i32_32 %v147, 23
  %v172 = extractvalue %i32_32 %v147, 24
  %v173 = extractvalue %i32_32 %v147, 25
  %v174 = extractvalue %i32_32 %v147, 26
  %v175 = extractvalue %i32_32 %v147, 27
  %v176 = extractvalue %i32_32 %v147, 28
  %v177 = extractvalue %i32_32 %v147, 29
  %v178 = extractvalue %i32_32 %v147, 30
  %v179 = extractvalue %i32_32 %v147, 31
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %v180 = call %i32_32 asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"(i32 %v148, i32 %v149, i32 %v150, i32 %v151, i32 %v152, i32 %v153, i32 %v154, i32 %v155, i32 %v156, i32 %v157, i32 %v158, i32 %v159, i32 %v160, i32 %v161, i32 %v162, i32 %v163, i32 %v164, i32 %v165, i32 %v166, i32 %v167, i32 %v168, i32 %v169, i32 %v170, i32 %v171, i32 %v172, i32 %v173, i32 %v174, i32 %v175, i32 %v176, i32 %v177, i32 %v178, i32 %v179)
  %v181 = mul i32 %t, 32
  %v182 = add i32 %v181, 0
  %v183 = getelementptr i32, ptr addrspace(1) %out, i32 %v182
  store %i32_32 %v180, ptr addrspace(1) %v183, align 4
  ret void
}
define ptx_kernel void @sp_rs_n64_s8(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 2
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 2
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 2
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 2
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  %v21 = add i32 %t, 512
  %v22 = add i32 %v21, 2
  %v23 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v22
  %v24 = load <4 x i32>, ptr addrspace(1) %v23, align 16
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v21
  store <4 x i32> %v24, ptr addrspace(3) %v25, align 16
  %v26 = add i32 %t, 640
  %v27 = add i32 %v26, 2
  %v28 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v27
  %v29 = load <4 x i32>, ptr addrspace(1) %v28, align 16
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v26
  store <4 x i32> %v29, ptr addrspace(3) %v30, align 16
  %v31 = add i32 %t, 768
  %v32 = add i32 %v31, 2
  %v33 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v32
  %v34 = load <4 x i32>, ptr addrspace(1) %v33, align 16
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v31
  store <4 x i32> %v34, ptr addrspace(3) %v35, align 16
  %v36 = add i32 %t, 896
  %v37 = add i32 %v36, 2
  %v38 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v37
  %v39 = load <4 x i32>, ptr addrspace(1) %v38, align 16
  %v40 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v36
  store <4 x i32> %v39, ptr addrspace(3) %v40, align 16
  %v41 = add i32 %t, 1024
  %v42 = add i32 %v41, 2
  %v43 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v42
  %v44 = load <4 x i32>, ptr addrspace(1) %v43, align 16
  %v45 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v41
  store <4 x i32> %v44, ptr addrspace(3) %v45, align 16
  %v46 = add i32 %t, 1152
  %v47 = add i32 %v46, 2
  %v48 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v47
  %v49 = load <4 x i32>, ptr addrspace(1) %v48, align 16
  %v50 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v46
  store <4 x i32> %v49, ptr addrspace(3) %v50, align 16
  %v51 = add i32 %t, 1280
  %v52 = add i32 %v51, 2
  %v53 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v52
  %v54 = load <4 x i32>, ptr addrspace(1) %v53, align 16
  %v55 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v51
  store <4 x i32> %v54, ptr addrspace(3) %v55, align 16
  %v56 = add i32 %t, 1408
  %v57 = add i32 %v56, 2
  %v58 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v57
  %v59 = load <4 x i32>, ptr addrspace(1) %v58, align 16
  %v60 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v56
  store <4 x i32> %v59, ptr addrspace(3) %v60, align 16
  %v61 = add i32 %t, 1536
  %v62 = add i32 %v61, 2
  %v63 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v62
  %v64 = load <4 x i32>, ptr addrspace(1) %v63, align 16
  %v65 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v61
  store <4 x i32> %v64, ptr addrspace(3) %v65, align 16
  %v66 = add i32 %t, 1664
  %v67 = add i32 %v66, 2
  %v68 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v67
  %v69 = load <4 x i32>, ptr addrspace(1) %v68, align 16
  %v70 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v66
  store <4 x i32> %v69, ptr addrspace(3) %v70, align 16
  %v71 = add i32 %t, 1792
  %v72 = add i32 %v71, 2
  %v73 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v72
  %v74 = load <4 x i32>, ptr addrspace(1) %v73, align 16
  %v75 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v71
  store <4 x i32> %v74, ptr addrspace(3) %v75, align 16
  %v76 = add i32 %t, 1920
  %v77 = add i32 %v76, 2
  %v78 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v77
  %v79 = load <4 x i32>, ptr addrspace(1) %v78, align 16
  %v80 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v76
  store <4 x i32> %v79, ptr addrspace(3) %v80, align 16
  %v81 = add i32 %t, 2048
  %v82 = add i32 %v81, 2
  %v83 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v82
  %v84 = load <4 x i32>, ptr addrspace(1) %v83, align 16
  %v85 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v81
  store <4 x i32> %v84, ptr addrspace(3) %v85, align 16
  %v86 = add i32 %t, 2176
  %v87 = add i32 %v86, 2
  %v88 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v87
  %v89 = load <4 x i32>, ptr addrspace(1) %v88, align 16
  %v90 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v86
  store <4 x i32> %v89, ptr addrspace(3) %v90, align 16
  %v91 = add i32 %t, 2304
  %v92 = add i32 %v91, 2
  %v93 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v92
  %v94 = load <4 x i32>, ptr addrspace(1) %v93, align 16
  %v95 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v91
  store <4 x i32> %v94, ptr addrspace(3) %v95, align 16
  %v96 = add i32 %t, 2432
  %v97 = add i32 %v96, 2
  %v98 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v97
  %v99 = load <4 x i32>, ptr addrspace(1) %v98, align 16
  %v100 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v96
  store <4 x i32> %v99, ptr addrspace(3) %v100, align 16
  %v101 = add i32 %t, 2560
  %v102 = add i32 %v101, 2
  %v103 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v102
  %v104 = load <4 x i32>, ptr addrspace(1) %v103, align 16
  %v105 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v101
  store <4 x i32> %v104, ptr addrspace(3) %v105, align 16
  %v106 = add i32 %t, 2688
  %v107 = add i32 %v106, 2
  %v108 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v107
  %v109 = load <4 x i32>, ptr addrspace(1) %v108, align 16
  %v110 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v106
  store <4 x i32> %v109, ptr addrspace(3) %v110, align 16
  %v111 = add i32 %t, 2816
  %v112 = add i32 %v111, 2
  %v113 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v112
  %v114 = load <4 x i32>, ptr addrspace(1) %v113, align 16
  %v115 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v111
  store <4 x i32> %v114, ptr addrspace(3) %v115, align 16
  %v116 = add i32 %t, 2944
  %v117 = add i32 %v116, 2
  %v118 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v117
  %v119 = load <4 x i32>, ptr addrspace(1) %v118, align 16
  %v120 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v116
  store <4 x i32> %v119, ptr addrspace(3) %v120, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v121 = ptrtoint ptr addrspace(3) @shared to i32
  %v122 = and i32 %v121, 262143
  %v123 = lshr i32 %v122, 4
  %v124 = zext i32 %v123 to i64
  %v125 = getelementptr i64, ptr addrspace(1) %in, i32 0
  %v126 = load i64, ptr addrspace(1) %v125
  %v127 = add i64 %v126, %v124
  %v128 = getelementptr i64, ptr addrspace(1) %in, i32 1
  %v129 = load i64, ptr addrspace(1) %v128
  %v130 = add i64 %v129, %v124
  %v131 = mul i32 %t, 1
  %v132 = add i32 %v131, 12296
  %v133 = getelementptr i32, ptr addrspace(1) %in, i32 %v132
  %v134 = load i32, ptr addrspace(1) %v133
  %v135 = mul i32 %t, 4
  %v136 = add i32 %v135, 12424
  %v137 = getelementptr i32, ptr addrspace(1) %in, i32 %v136
  %v138 = load i32, ptr addrspace(1) %v137
  %v139 = mul i32 %t, 4
  %v140 = add i32 %v139, 12425
  %v141 = getelementptr i32, ptr addrspace(1) %in, i32 %v140
  %v142 = load i32, ptr addrspace(1) %v141
  %v143 = mul i32 %t, 4
  %v144 = add i32 %v143, 12426
  %v145 = getelementptr i32, ptr addrspace(1) %in, i32 %v144
  %v146 = load i32, ptr addrspace(1) %v145
  %v147 = mul i32 %t, 4
  %v148 = add i32 %v147, 12427
  %v149 = getelementptr i32, ptr addrspace(1) %in, i32 %v148
  %v150 = load i32, ptr addrspace(1) %v149
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %v151 = call %i32_32 asm sideeffect "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sp.sync.aligned.m64n64k64.s32.s8.s8 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31}, {$32, $33, $34, $35}, $36, $37, 0, p; }", "=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,r,r,r,r,l,r,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"(i32 %v138, i32 %v142, i32 %v146, i32 %v150, i64 %v130, i32 %v134, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison)
  %v152 = extractvalue %i32_32 %v151, 0
  %v153 = extractvalue %i32_32 %v151, 1
  %v154 = extractvalue %i32_32 %v151, 2
  %v155 = extractvalue %i32_32 %v151, 3
  %v156 = extractvalue %i32_32 %v151, 4
  %v157 = extractvalue %i32_32 %v151, 5
  %v158 = extractvalue %i32_32 %v151, 6
  %v159 = extractvalue %i32_32 %v151, 7
  %v160 = extractvalue %i32_32 %v151, 8
  %v161 = extractvalue %i32_32 %v151, 9
  %v162 = extractvalue %i32_32 %v151, 10
  %v163 = extractvalue %i32_32 %v151, 11
  %v164 = extractvalue %i32_32 %v151, 12
  %v165 = extractvalue %i32_32 %v151, 13
  %v166 = extractvalue %i32_32 %v151, 14
  %v167 = extractvalue %i32_32 %v151, 15
  %v168 = extractvalue %i32_32 %v151, 16
  %v169 = extractvalue %i32_32 %v151, 17
  %v170 = extractvalue %i32_32 %v151, 18
  %v171 = extractvalue %i32_32 %v151, 19
  %v172 = extractvalue %i32_32 %v151, 20
  %v173 = extractvalue %i32_32 %v151, 21
  %v174 = extractvalue %i32_32 %v151, 22
  %v175 = extractvalue %i32_32 %v151, 23
  %v176 = extractvalue %i32_32 %v151, 24
  %v177 = extractvalue %i32_32 %v151, 25
  %v178 = extractvalue %i32_32 %v151, 26
  %v179 = extractvalue %i32_32 %v151, 27
  %v180 = extractvalue %i32_32 %v151, 28
  %v181 = extractvalue %i32_32 %v151, 29
  %v182 = extractvalue %i32_32 %v151, 30
  %v183 = extractvalue %i32_32 %v151, 31
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %v184 = call %i32_32 asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"(i32 %v152, i32 %v153, i32 %v154, i32 %v155, i32 %v156, i32 %v157, i32 %v158, i32 %v159, i32 %v160, i32 %v161, i32 %v162, i32 %v163, i32 %v164, i32 %v165, i32 %v166, i32 %v167, i32 %v168, i32 %v169, i32 %v170, i32 %v171, i32 %v172, i32 %v173, i32 %v174, i32 %v175, i32 %v176, i32 %v177, i32 %v178, i32 %v179, i32 %v180, i32 %v181, i32 %v182, i32 %v183)
  %v185 = mul i32 %t, 32
  %v186 = add i32 %v185, 0
  %v187 = getelementptr i32, ptr addrspace(1) %out, i32 %v186
  store %i32_32 %v184, ptr addrspace(1) %v187, align 4
  ret void
}
define ptx_kernel void @dense_rs_n256_u8_s8(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 2
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 2
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 2
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 2
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  %v21 = add i32 %t, 512
  %v22 = add i32 %v21, 2
  %v23 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v22
  %v24 = load <4 x i32>, ptr addrspace(1) %v23, align 16
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v21
  store <4 x i32> %v24, ptr addrspace(3) %v25, align 16
  %v26 = add i32 %t, 640
  %v27 = add i32 %v26, 2
  %v28 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v27
  %v29 = load <4 x i32>, ptr addrspace(1) %v28, align 16
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v26
  store <4 x i32> %v29, ptr addrspace(3) %v30, align 16
  %v31 = add i32 %t, 768
  %v32 = add i32 %v31, 2
  %v33 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v32
  %v34 = load <4 x i32>, ptr addrspace(1) %v33, align 16
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v31
  store <4 x i32> %v34, ptr addrspace(3) %v35, align 16
  %v36 = add i32 %t, 896
  %v37 = add i32 %v36, 2
  %v38 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v37
  %v39 = load <4 x i32>, ptr addrspace(1) %v38, align 16
  %v40 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v36
  store <4 x i32> %v39, ptr addrspace(3) %v40, align 16
  %v41 = add i32 %t, 1024
  %v42 = add i32 %v41, 2
  %v43 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v42
  %v44 = load <4 x i32>, ptr addrspace(1) %v43, align 16
  %v45 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v41
  store <4 x i32> %v44, ptr addrspace(3) %v45, align 16
  %v46 = add i32 %t, 1152
  %v47 = add i32 %v46, 2
  %v48 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v47
  %v49 = load <4 x i32>, ptr addrspace(1) %v48, align 16
  %v50 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v46
  store <4 x i32> %v49, ptr addrspace(3) %v50, align 16
  %v51 = add i32 %t, 1280
  %v52 = add i32 %v51, 2
  %v53 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v52
  %v54 = load <4 x i32>, ptr addrspace(1) %v53, align 16
  %v55 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v51
  store <4 x i32> %v54, ptr addrspace(3) %v55, align 16
  %v56 = add i32 %t, 1408
  %v57 = add i32 %v56, 2
  %v58 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v57
  %v59 = load <4 x i32>, ptr addrspace(1) %v58, align 16
  %v60 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v56
  store <4 x i32> %v59, ptr addrspace(3) %v60, align 16
  %v61 = add i32 %t, 1536
  %v62 = add i32 %v61, 2
  %v63 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v62
  %v64 = load <4 x i32>, ptr addrspace(1) %v63, align 16
  %v65 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v61
  store <4 x i32> %v64, ptr addrspace(3) %v65, align 16
  %v66 = add i32 %t, 1664
  %v67 = add i32 %v66, 2
  %v68 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v67
  %v69 = load <4 x i32>, ptr addrspace(1) %v68, align 16
  %v70 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v66
  store <4 x i32> %v69, ptr addrspace(3) %v70, align 16
  %v71 = add i32 %t, 1792
  %v72 = add i32 %v71, 2
  %v73 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v72
  %v74 = load <4 x i32>, ptr addrspace(1) %v73, align 16
  %v75 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v71
  store <4 x i32> %v74, ptr addrspace(3) %v75, align 16
  %v76 = add i32 %t, 1920
  %v77 = add i32 %v76, 2
  %v78 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v77
  %v79 = load <4 x i32>, ptr addrspace(1) %v78, align 16
  %v80 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v76
  store <4 x i32> %v79, ptr addrspace(3) %v80, align 16
  %v81 = add i32 %t, 2048
  %v82 = add i32 %v81, 2
  %v83 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v82
  %v84 = load <4 x i32>, ptr addrspace(1) %v83, align 16
  %v85 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v81
  store <4 x i32> %v84, ptr addrspace(3) %v85, align 16
  %v86 = add i32 %t, 2176
  %v87 = add i32 %v86, 2
  %v88 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v87
  %v89 = load <4 x i32>, ptr addrspace(1) %v88, align 16
  %v90 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v86
  store <4 x i32> %v89, ptr addrspace(3) %v90, align 16
  %v91 = add i32 %t, 2304
  %v92 = add i32 %v91, 2
  %v93 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v92
  %v94 = load <4 x i32>, ptr addrspace(1) %v93, align 16
  %v95 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v91
  store <4 x i32> %v94, ptr addrspace(3) %v95, align 16
  %v96 = add i32 %t, 2432
  %v97 = add i32 %v96, 2
  %v98 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v97
  %v99 = load <4 x i32>, ptr addrspace(1) %v98, align 16
  %v100 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v96
  store <4 x i32> %v99, ptr addrspace(3) %v100, align 16
  %v101 = add i32 %t, 2560
  %v102 = add i32 %v101, 2
  %v103 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v102
  %v104 = load <4 x i32>, ptr addrspace(1) %v103, align 16
  %v105 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v101
  store <4 x i32> %v104, ptr addrspace(3) %v105, align 16
  %v106 = add i32 %t, 2688
  %v107 = add i32 %v106, 2
  %v108 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v107
  %v109 = load <4 x i32>, ptr addrspace(1) %v108, align 16
  %v110 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v106
  store <4 x i32> %v109, ptr addrspace(3) %v110, align 16
  %v111 = add i32 %t, 2816
  %v112 = add i32 %v111, 2
  %v113 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v112
  %v114 = load <4 x i32>, ptr addrspace(1) %v113, align 16
  %v115 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v111
  store <4 x i32> %v114, ptr addrspace(3) %v115, align 16
  %v116 = add i32 %t, 2944
  %v117 = add i32 %v116, 2
  %v118 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v117
  %v119 = load <4 x i32>, ptr addrspace(1) %v118, align 16
  %v120 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v116
  store <4 x i32> %v119, ptr addrspace(3) %v120, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v121 = ptrtoint ptr addrspace(3) @shared to i32
  %v122 = and i32 %v121, 262143
  %v123 = lshr i32 %v122, 4
  %v124 = zext i32 %v123 to i64
  %v125 = getelementptr i64, ptr addrspace(1) %in, i32 0
  %v126 = load i64, ptr addrspace(1) %v125
  %v127 = add i64 %v126, %v124
  %v128 = getelementptr i64, ptr addrspace(1) %in, i32 1
  %v129 = load i64, ptr addrspace(1) %v128
  %v130 = add i64 %v129, %v124
  %v131 = mul i32 %t, 4
  %v132 = add i32 %v131, 12424
  %v133 = getelementptr i32, ptr addrspace(1) %in, i32 %v132
  %v134 = load i32, ptr addrspace(1) %v133
  %v135 = mul i32 %t, 4
  %v136 = add i32 %v135, 12425
  %v137 = getelementptr i32, ptr addrspace(1) %in, i32 %v136
  %v138 = load i32, ptr addrspace(1) %v137
  %v139 = mul i32 %t, 4
  %v140 = add i32 %v139, 12426
  %v141 = getelementptr i32, ptr addrspace(1) %in, i32 %v140
  %v142 = load i32, ptr addrspace(1) %v141
  %v143 = mul i32 %t, 4
  %v144 = add i32 %v143, 12427
  %v145 = getelementptr i32, ptr addrspace(1) %in, i32 %v144
  %v146 = load i32, ptr addrspace(1) %v145
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %v147 = call %i32_128 asm sideeffect "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sync.aligned.m64n256k32.s32.u8.s8 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44, $45, $46, $47, $48, $49, $50, $51, $52, $53, $54, $55, $56, $57, $58, $59, $60, $61, $62, $63, $64, $65, $66, $67, $68, $69, $70, $71, $72, $73, $74, $75, $76, $77, $78, $79, $80, $81, $82, $83, $84, $85, $86, $87, $88, $89, $90, $91, $92, $93, $94, $95, $96, $97, $98, $99, $100, $101, $102, $103, $104, $105, $106, $107, $108, $109, $110, $111, $112, $113, $114, $115, $116, $117, $118, $119, $120, $121, $122, $123, $124, $125, $126, $127}, {$128, $129, $130, $131}, $132, p; }", "=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,r,r,r,r,l,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64,65,66,67,68,69,70,71,72,73,74,75,76,77,78,79,80,81,82,83,84,85,86,87,88,89,90,91,92,93,94,95,96,97,98,99,100,101,102,103,104,105,106,107,108,109,110,111,112,113,114,115,116,117,118,119,120,121,122,123,124,125,126,127"(i32 %v134, i32 %v138, i32 %v142, i32 %v146, i64 %v130, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison)
  %v148 = extractvalue %i32_128 %v147, 0
  %v149 = extractvalue %i32_128 %v147, 1
  %v150 = extractvalue %i32_128 %v147, 2
  %v151 = extractvalue %i32_128 %v147, 3
  %v152 = extractvalue %i32_128 %v147, 4
  %v153 = extractvalue %i32_128 %v147, 5
  %v154 = extractvalue %i32_128 %v147, 6
  %v155 = extractvalue %i32_128 %v147, 7
  %v156 = extractvalue %i32_128 %v147, 8
  %v157 = extractvalue %i32_128 %v147, 9
  %v158 = extractvalue %i32_128 %v147, 10
  %v159 = extractvalue %i32_128 %v147, 11
  %v160 = extractvalue %i32_128 %v147, 12
  %v161 = extractvalue %i32_128 %v147, 13
  %v162 = extractvalue %i32_128 %v147, 14
  %v163 = extractvalue %i32_128 %v147, 15
  %v164 = extractvalue %i32_128 %v147, 16
  %v165 = extractvalue %i32_128 %v147, 17
  %v166 = extractvalue %i32_128 %v147, 18
  %v167 = extractvalue %i32_128 %v147, 19
  %v168 = extractvalue %i32_128 %v147, 20
  %v169 = extractvalue %i32_128 %v147, 21
  %v170 = extractvalue %i32_128 %v147, 22
  %v171 = extractvalue %i32_128 %v147, 23
  %v172 = extractvalue %i32_128 %v147, 24
  %v173 = extractvalue %i32_128 %v147, 25
  %v174 = extractvalue %i32_128 %v147, 26
  %v175 = extractvalue %i32_128 %v147, 27
  %v176 = extractvalue %i32_128 %v147, 28
  %v177 = extractvalue %i32_128 %v147, 29
  %v178 = extractvalue %i32_128 %v147, 30
  %v179 = extractvalue %i32_128 %v147, 31
  %v180 = extractvalue %i32_128 %v147, 32
  %v181 = extractvalue %i32_128 %v147, 33
  %v182 = extractvalue %i32_128 %v147, 34
  %v183 = extractvalue %i32_128 %v147, 35
  %v184 = extractvalue %i32_128 %v147, 36
  %v185 = extractvalue %i32_128 %v147, 37
  %v186 = extractvalue %i32_128 %v147, 38
  %v187 = extractvalue %i32_128 %v147, 39
  %v188 = extractvalue %i32_128 %v147, 40
  %v189 = extractvalue %i32_128 %v147, 41
  %v190 = extractvalue %i32_128 %v147, 42
  %v191 = extractvalue %i32_128 %v147, 43
  %v192 = extractvalue %i32_128 %v147, 44
  %v193 = extractvalue %i32_128 %v147, 45
  %v194 = extractvalue %i32_128 %v147, 46
  %v195 = extractvalue %i32_128 %v147, 47
  %v196 = extractvalue %i32_128 %v147, 48
  %v197 = extractvalue %i32_128 %v147, 49
  %v198 = extractvalue %i32_128 %v147, 50
  %v199 = extractvalue %i32_128 %v147, 51
  %v200 = extractvalue %i32_128 %v147, 52
  %v201 = extractvalue %i32_128 %v147, 53
  %v202 = extractvalue %i32_128 %v147, 54
  %v203 = extractvalue %i32_128 %v147, 55
  %v204 = extractvalue %i32_128 %v147, 56
  %v205 = extractvalue %i32_128 %v147, 57
  %v206 = extractvalue %i32_128 %v147, 58
  %v207 = extractvalue %i32_128 %v147, 59
  %v208 = extractvalue %i32_128 %v147, 60
  %v209 = extractvalue %i32_128 %v147, 61
  %v210 = extractvalue %i32_128 %v147, 62
  %v211 = extractvalue %i32_128 %v147, 63
  %v212 = extractvalue %i32_128 %v147, 64
  %v213 = extractvalue %i32_128 %v147, 65
  %v214 = extractvalue %i32_128 %v147, 66
  %v215 = extractvalue %i32_128 %v147, 67
  %v216 = extractvalue %i32_128 %v147, 68
  %v217 = extractvalue %i32_128 %v147, 69
  %v218 = extractvalue %i32_128 %v147, 70
  %v219 = extractvalue %i32_128 %v147, 71
  %v220 = extractvalue %i32_128 %v147, 72
  %v221 = extractvalue %i32_128 %v147, 73
  %v222 = extractvalue %i32_128 %v147, 74
  %v223 = extractvalue %i32_128 %v147, 75
  %v224 = extractvalue %i32_128 %v147, 76
  %v225 = extractvalue %i32_128 %v147, 77
  %v226 = extractvalue %i32_128 %v147, 78
  %v227 = extractvalue %i32_128 %v147, 79
  %v228 = extractvalue %i32_128 %v147, 80
  %v229 = extractvalue %i32_128 %v147, 81
  %v230 = extractvalue %i32_128 %v147, 82
  %v231 = extractvalue %i32_128 %v147, 83
  %v232 = extractvalue %i32_128 %v147, 84
  %v233 = extractvalue %i32_128 %v147, 85
  %v234 = extractvalue %i32_128 %v147, 86
  %v235 = extractvalue %i32_128 %v147, 87
  %v236 = extractvalue %i32_128 %v147, 88
  %v237 = extractvalue %i32_128 %v147, 89
  %v238 = extractvalue %i32_128 %v147, 90
  %v239 = extractvalue %i32_128 %v147, 91
  %v240 = extractvalue %i32_128 %v147, 92
  %v241 = extractvalue %i32_128 %v147, 93
  %v242 = extractvalue %i32_128 %v147, 94
  %v243 = extractvalue %i32_128 %v147, 95
  %v244 = extractvalue %i32_128 %v147, 96
  %v245 = extractvalue %i32_128 %v147, 97
  %v246 = extractvalue %i32_128 %v147, 98
  %v247 = extractvalue %i32_128 %v147, 99
  %v248 = extractvalue %i32_128 %v147, 100
  %v249 = extractvalue %i32_128 %v147, 101
  %v250 = extractvalue %i32_128 %v147, 102
  %v251 = extractvalue %i32_128 %v147, 103
  %v252 = extractvalue %i32_128 %v147, 104
  %v253 = extractvalue %i32_128 %v147, 105
  %v254 = extractvalue %i32_128 %v147, 106
  %v255 = extractvalue %i32_128 %v147, 107
  %v256 = extractvalue %i32_128 %v147, 108
  %v257 = extractvalue %i32_128 %v147, 109
  %v258 = extractvalue %i32_128 %v147, 110
  %v259 = extractvalue %i32_128 %v147, 111
  %v260 = extractvalue %i32_128 %v147, 112
  %v261 = extractvalue %i32_128 %v147, 113
  %v262 = extractvalue %i32_128 %v147, 114
  %v263 = extractvalue %i32_128 %v147, 115
  %v264 = extractvalue %i32_128 %v147, 116
  %v265 = extractvalue %i32_128 %v147, 117
  %v266 = extractvalue %i32_128 %v147, 118
  %v267 = extractvalue %i32_128 %v147, 119
  %v268 = extractvalue %i32_128 %v147, 120
  %v269 = extractvalue %i32_128 %v147, 121
  %v270 = extractvalue %i32_128 %v147, 122
  %v271 = extractvalue %i32_128 %v147, 123
  %v272 = extractvalue %i32_128 %v147, 124
  %v273 = extractvalue %i32_128 %v147, 125
  %v274 = extractvalue %i32_128 %v147, 126
  %v275 = extractvalue %i32_128 %v147, 127
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %v276 = call %i32_128 asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64,65,66,67,68,69,70,71,72,73,74,75,76,77,78,79,80,81,82,83,84,85,86,87,88,89,90,91,92,93,94,95,96,97,98,99,100,101,102,103,104,105,106,107,108,109,110,111,112,113,114,115,116,117,118,119,120,121,122,123,124,125,126,127"(i32 %v148, i32 %v149, i32 %v150, i32 %v151, i32 %v152, i32 %v153, i32 %v154, i32 %v155, i32 %v156, i32 %v157, i32 %v158, i32 %v159, i32 %v160, i32 %v161, i32 %v162, i32 %v163, i32 %v164, i32 %v165, i32 %v166, i32 %v167, i32 %v168, i32 %v169, i32 %v170, i32 %v171, i32 %v172, i32 %v173, i32 %v174, i32 %v175, i32 %v176, i32 %v177, i32 %v178, i32 %v179, i32 %v180, i32 %v181, i32 %v182, i32 %v183, i32 %v184, i32 %v185, i32 %v186, i32 %v187, i32 %v188, i32 %v189, i32 %v190, i32 %v191, i32 %v192, i32 %v193, i32 %v194, i32 %v195, i32 %v196, i32 %v197, i32 %v198, i32 %v199, i32 %v200, i32 %v201, i32 %v202, i32 %v203, i32 %v204, i32 %v205, i32 %v206, i32 %v207, i32 %v208, i32 %v209, i32 %v210, i32 %v211, i32 %v212, i32 %v213, i32 %v214, i32 %v215, i32 %v216, i32 %v217, i32 %v218, i32 %v219, i32 %v220, i32 %v221, i32 %v222, i32 %v223, i32 %v224, i32 %v225, i32 %v226, i32 %v227, i32 %v228, i32 %v229, i32 %v230, i32 %v231, i32 %v232, i32 %v233, i32 %v234, i32 %v235, i32 %v236, i32 %v237, i32 %v238, i32 %v239, i32 %v240, i32 %v241, i32 %v242, i32 %v243, i32 %v244, i32 %v245, i32 %v246, i32 %v247, i32 %v248, i32 %v249, i32 %v250, i32 %v251, i32 %v252, i32 %v253, i32 %v254, i32 %v255, i32 %v256, i32 %v257, i32 %v258, i32 %v259, i32 %v260, i32 %v261, i32 %v262, i32 %v263, i32 %v264, i32 %v265, i32 %v266, i32 %v267, i32 %v268, i32 %v269, i32 %v270, i32 %v271, i32 %v272, i32 %v273, i32 %v274, i32 %v275)
  %v277 = mul i32 %t, 128
  %v278 = add i32 %v277, 0
  %v279 = getelementptr i32, ptr addrspace(1) %out, i32 %v278
  store %i32_128 %v276, ptr addrspace(1) %v279, align 4
  ret void
}
define ptx_kernel void @sp_rs_n256_s8(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 2
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 128
  %v7 = add i32 %v6, 2
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  %v11 = add i32 %t, 256
  %v12 = add i32 %v11, 2
  %v13 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v12
  %v14 = load <4 x i32>, ptr addrspace(1) %v13, align 16
  %v15 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v11
  store <4 x i32> %v14, ptr addrspace(3) %v15, align 16
  %v16 = add i32 %t, 384
  %v17 = add i32 %v16, 2
  %v18 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v17
  %v19 = load <4 x i32>, ptr addrspace(1) %v18, align 16
  %v20 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v16
  store <4 x i32> %v19, ptr addrspace(3) %v20, align 16
  %v21 = add i32 %t, 512
  %v22 = add i32 %v21, 2
  %v23 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v22
  %v24 = load <4 x i32>, ptr addrspace(1) %v23, align 16
  %v25 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v21
  store <4 x i32> %v24, ptr addrspace(3) %v25, align 16
  %v26 = add i32 %t, 640
  %v27 = add i32 %v26, 2
  %v28 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v27
  %v29 = load <4 x i32>, ptr addrspace(1) %v28, align 16
  %v30 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v26
  store <4 x i32> %v29, ptr addrspace(3) %v30, align 16
  %v31 = add i32 %t, 768
  %v32 = add i32 %v31, 2
  %v33 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v32
  %v34 = load <4 x i32>, ptr addrspace(1) %v33, align 16
  %v35 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v31
  store <4 x i32> %v34, ptr addrspace(3) %v35, align 16
  %v36 = add i32 %t, 896
  %v37 = add i32 %v36, 2
  %v38 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v37
  %v39 = load <4 x i32>, ptr addrspace(1) %v38, align 16
  %v40 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v36
  store <4 x i32> %v39, ptr addrspace(3) %v40, align 16
  %v41 = add i32 %t, 1024
  %v42 = add i32 %v41, 2
  %v43 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v42
  %v44 = load <4 x i32>, ptr addrspace(1) %v43, align 16
  %v45 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v41
  store <4 x i32> %v44, ptr addrspace(3) %v45, align 16
  %v46 = add i32 %t, 1152
  %v47 = add i32 %v46, 2
  %v48 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v47
  %v49 = load <4 x i32>, ptr addrspace(1) %v48, align 16
  %v50 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v46
  store <4 x i32> %v49, ptr addrspace(3) %v50, align 16
  %v51 = add i32 %t, 1280
  %v52 = add i32 %v51, 2
  %v53 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v52
  %v54 = load <4 x i32>, ptr addrspace(1) %v53, align 16
  %v55 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v51
  store <4 x i32> %v54, ptr addrspace(3) %v55, align 16
  %v56 = add i32 %t, 1408
  %v57 = add i32 %v56, 2
  %v58 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v57
  %v59 = load <4 x i32>, ptr addrspace(1) %v58, align 16
  %v60 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v56
  store <4 x i32> %v59, ptr addrspace(3) %v60, align 16
  %v61 = add i32 %t, 1536
  %v62 = add i32 %v61, 2
  %v63 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v62
  %v64 = load <4 x i32>, ptr addrspace(1) %v63, align 16
  %v65 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v61
  store <4 x i32> %v64, ptr addrspace(3) %v65, align 16
  %v66 = add i32 %t, 1664
  %v67 = add i32 %v66, 2
  %v68 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v67
  %v69 = load <4 x i32>, ptr addrspace(1) %v68, align 16
  %v70 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v66
  store <4 x i32> %v69, ptr addrspace(3) %v70, align 16
  %v71 = add i32 %t, 1792
  %v72 = add i32 %v71, 2
  %v73 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v72
  %v74 = load <4 x i32>, ptr addrspace(1) %v73, align 16
  %v75 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v71
  store <4 x i32> %v74, ptr addrspace(3) %v75, align 16
  %v76 = add i32 %t, 1920
  %v77 = add i32 %v76, 2
  %v78 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v77
  %v79 = load <4 x i32>, ptr addrspace(1) %v78, align 16
  %v80 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v76
  store <4 x i32> %v79, ptr addrspace(3) %v80, align 16
  %v81 = add i32 %t, 2048
  %v82 = add i32 %v81, 2
  %v83 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v82
  %v84 = load <4 x i32>, ptr addrspace(1) %v83, align 16
  %v85 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v81
  store <4 x i32> %v84, ptr addrspace(3) %v85, align 16
  %v86 = add i32 %t, 2176
  %v87 = add i32 %v86, 2
  %v88 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v87
  %v89 = load <4 x i32>, ptr addrspace(1) %v88, align 16
  %v90 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v86
  store <4 x i32> %v89, ptr addrspace(3) %v90, align 16
  %v91 = add i32 %t, 2304
  %v92 = add i32 %v91, 2
  %v93 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v92
  %v94 = load <4 x i32>, ptr addrspace(1) %v93, align 16
  %v95 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v91
  store <4 x i32> %v94, ptr addrspace(3) %v95, align 16
  %v96 = add i32 %t, 2432
  %v97 = add i32 %v96, 2
  %v98 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v97
  %v99 = load <4 x i32>, ptr addrspace(1) %v98, align 16
  %v100 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v96
  store <4 x i32> %v99, ptr addrspace(3) %v100, align 16
  %v101 = add i32 %t, 2560
  %v102 = add i32 %v101, 2
  %v103 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v102
  %v104 = load <4 x i32>, ptr addrspace(1) %v103, align 16
  %v105 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v101
  store <4 x i32> %v104, ptr addrspace(3) %v105, align 16
  %v106 = add i32 %t, 2688
  %v107 = add i32 %v106, 2
  %v108 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v107
  %v109 = load <4 x i32>, ptr addrspace(1) %v108, align 16
  %v110 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v106
  store <4 x i32> %v109, ptr addrspace(3) %v110, align 16
  %v111 = add i32 %t, 2816
  %v112 = add i32 %v111, 2
  %v113 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v112
  %v114 = load <4 x i32>, ptr addrspace(1) %v113, align 16
  %v115 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v111
  store <4 x i32> %v114, ptr addrspace(3) %v115, align 16
  %v116 = add i32 %t, 2944
  %v117 = add i32 %v116, 2
  %v118 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v117
  %v119 = load <4 x i32>, ptr addrspace(1) %v118, align 16
  %v120 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v116
  store <4 x i32> %v119, ptr addrspace(3) %v120, align 16
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v121 = ptrtoint ptr addrspace(3) @shared to i32
  %v122 = and i32 %v121, 262143
  %v123 = lshr i32 %v122, 4
  %v124 = zext i32 %v123 to i64
  %v125 = getelementptr i64, ptr addrspace(1) %in, i32 0
  %v126 = load i64, ptr addrspace(1) %v125
  %v127 = add i64 %v126, %v124
  %v128 = getelementptr i64, ptr addrspace(1) %in, i32 1
  %v129 = load i64, ptr addrspace(1) %v128
  %v130 = add i64 %v129, %v124
  %v131 = mul i32 %t, 1
  %v132 = add i32 %v131, 12296
  %v133 = getelementptr i32, ptr addrspace(1) %in, i32 %v132
  %v134 = load i32, ptr addrspace(1) %v133
  %v135 = mul i32 %t, 4
  %v136 = add i32 %v135, 12424
  %v137 = getelementptr i32, ptr addrspace(1) %in, i32 %v136
  %v138 = load i32, ptr addrspace(1) %v137
  %v139 = mul i32 %t, 4
  %v140 = add i32 %v139, 12425
  %v141 = getelementptr i32, ptr addrspace(1) %in, i32 %v140
  %v142 = load i32, ptr addrspace(1) %v141
  %v143 = mul i32 %t, 4
  %v144 = add i32 %v143, 12426
  %v145 = getelementptr i32, ptr addrspace(1) %in, i32 %v144
  %v146 = load i32, ptr addrspace(1) %v145
  %v147 = mul i32 %t, 4
  %v148 = add i32 %v147, 12427
  %v149 = getelementptr i32, ptr addrspace(1) %in, i32 %v148
  %v150 = load i32, ptr addrspace(1) %v149
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %v151 = call %i32_128 asm sideeffect "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sp.sync.aligned.m64n256k64.s32.s8.s8 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44, $45, $46, $47, $48, $49, $50, $51, $52, $53, $54, $55, $56, $57, $58, $59, $60, $61, $62, $63, $64, $65, $66, $67, $68, $69, $70, $71, $72, $73, $74, $75, $76, $77, $78, $79, $80, $81, $82, $83, $84, $85, $86, $87, $88, $89, $90, $91, $92, $93, $94, $95, $96, $97, $98, $99, $100, $101, $102, $103, $104, $105, $106, $107, $108, $109, $110, $111, $112, $113, $114, $115, $116, $117, $118, $119, $120, $121, $122, $123, $124, $125, $126, $127}, {$128, $129, $130, $131}, $132, $133, 0, p; }", "=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,r,r,r,r,l,r,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64,65,66,67,68,69,70,71,72,73,74,75,76,77,78,79,80,81,82,83,84,85,86,87,88,89,90,91,92,93,94,95,96,97,98,99,100,101,102,103,104,105,106,107,108,109,110,111,112,113,114,115,116,117,118,119,120,121,122,123,124,125,126,127"(i32 %v138, i32 %v142, i32 %v146, i32 %v150, i64 %v130, i32 %v134, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison)
  %v152 = extractvalue %i32_128 %v151, 0
  %v153 = extractvalue %i32_128 %v151, 1
  %v154 = extractvalue %i32_128 %v151, 2
  %v155 = extractvalue %i32_128 %v151, 3
  %v156 = extractvalue %i32_128 %v151, 4
  %v157 = extractvalue %i32_128 %v151, 5
  %v158 = extractvalue %i32_128 %v151, 6
  %v159 = extractvalue %i32_128 %v151, 7
  %v160 = extractvalue %i32_128 %v151, 8
  %v161 = extractvalue %i32_128 %v151, 9
  %v162 = extractvalue %i32_128 %v151, 10
  %v163 = extractvalue %i32_128 %v151, 11
  %v164 = extractvalue %i32_128 %v151, 12
  %v165 = extractvalue %i32_128 %v151, 13
  %v166 = extractvalue %i32_128 %v151, 14
  %v167 = extractvalue %i32_128 %v151, 15
  %v168 = extractvalue %i32_128 %v151, 16
  %v169 = extractvalue %i32_128 %v151, 17
  %v170 = extractvalue %i32_128 %v151, 18
  %v171 = extractvalue %i32_128 %v151, 19
  %v172 = extractvalue %i32_128 %v151, 20
  %v173 = extractvalue %i32_128 %v151, 21
  %v174 = extractvalue %i32_128 %v151, 22
  %v175 = extractvalue %i32_128 %v151, 23
  %v176 = extractvalue %i32_128 %v151, 24
  %v177 = extractvalue %i32_128 %v151, 25
  %v178 = extractvalue %i32_128 %v151, 26
  %v179 = extractvalue %i32_128 %v151, 27
  %v180 = extractvalue %i32_128 %v151, 28
  %v181 = extractvalue %i32_128 %v151, 29
  %v182 = extractvalue %i32_128 %v151, 30
  %v183 = extractvalue %i32_128 %v151, 31
  %v184 = extractvalue %i32_128 %v151, 32
  %v185 = extractvalue %i32_128 %v151, 33
  %v186 = extractvalue %i32_128 %v151, 34
  %v187 = extractvalue %i32_128 %v151, 35
  %v188 = extractvalue %i32_128 %v151, 36
  %v189 = extractvalue %i32_128 %v151, 37
  %v190 = extractvalue %i32_128 %v151, 38
  %v191 = extractvalue %i32_128 %v151, 39
  %v192 = extractvalue %i32_128 %v151, 40
  %v193 = extractvalue %i32_128 %v151, 41
  %v194 = extractvalue %i32_128 %v151, 42
  %v195 = extractvalue %i32_128 %v151, 43
  %v196 = extractvalue %i32_128 %v151, 44
  %v197 = extractvalue %i32_128 %v151, 45
  %v198 = extractvalue %i32_128 %v151, 46
  %v199 = extractvalue %i32_128 %v151, 47
  %v200 = extractvalue %i32_128 %v151, 48
  %v201 = extractvalue %i32_128 %v151, 49
  %v202 = extractvalue %i32_128 %v151, 50
  %v203 = extractvalue %i32_128 %v151, 51
  %v204 = extractvalue %i32_128 %v151, 52
  %v205 = extractvalue %i32_128 %v151, 53
  %v206 = extractvalue %i32_128 %v151, 54
  %v207 = extractvalue %i32_128 %v151, 55
  %v208 = extractvalue %i32_128 %v151, 56
  %v209 = extractvalue %i32_128 %v151, 57
  %v210 = extractvalue %i32_128 %v151, 58
  %v211 = extractvalue %i32_128 %v151, 59
  %v212 = extractvalue %i32_128 %v151, 60
  %v213 = extractvalue %i32_128 %v151, 61
  %v214 = extractvalue %i32_128 %v151, 62
  %v215 = extractvalue %i32_128 %v151, 63
  %v216 = extractvalue %i32_128 %v151, 64
  %v217 = extractvalue %i32_128 %v151, 65
  %v218 = extractvalue %i32_128 %v151, 66
  %v219 = extractvalue %i32_128 %v151, 67
  %v220 = extractvalue %i32_128 %v151, 68
  %v221 = extractvalue %i32_128 %v151, 69
  %v222 = extractvalue %i32_128 %v151, 70
  %v223 = extractvalue %i32_128 %v151, 71
  %v224 = extractvalue %i32_128 %v151, 72
  %v225 = extractvalue %i32_128 %v151, 73
  %v226 = extractvalue %i32_128 %v151, 74
  %v227 = extractvalue %i32_128 %v151, 75
  %v228 = extractvalue %i32_128 %v151, 76
  %v229 = extractvalue %i32_128 %v151, 77
  %v230 = extractvalue %i32_128 %v151, 78
  %v231 = extractvalue %i32_128 %v151, 79
  %v232 = extractvalue %i32_128 %v151, 80
  %v233 = extractvalue %i32_128 %v151, 81
  %v234 = extractvalue %i32_128 %v151, 82
  %v235 = extractvalue %i32_128 %v151, 83
  %v236 = extractvalue %i32_128 %v151, 84
  %v237 = extractvalue %i32_128 %v151, 85
  %v238 = extractvalue %i32_128 %v151, 86
  %v239 = extractvalue %i32_128 %v151, 87
  %v240 = extractvalue %i32_128 %v151, 88
  %v241 = extractvalue %i32_128 %v151, 89
  %v242 = extractvalue %i32_128 %v151, 90
  %v243 = extractvalue %i32_128 %v151, 91
  %v244 = extractvalue %i32_128 %v151, 92
  %v245 = extractvalue %i32_128 %v151, 93
  %v246 = extractvalue %i32_128 %v151, 94
  %v247 = extractvalue %i32_128 %v151, 95
  %v248 = extractvalue %i32_128 %v151, 96
  %v249 = extractvalue %i32_128 %v151, 97
  %v250 = extractvalue %i32_128 %v151, 98
  %v251 = extractvalue %i32_128 %v151, 99
  %v252 = extractvalue %i32_128 %v151, 100
  %v253 = extractvalue %i32_128 %v151, 101
  %v254 = extractvalue %i32_128 %v151, 102
  %v255 = extractvalue %i32_128 %v151, 103
  %v256 = extractvalue %i32_128 %v151, 104
  %v257 = extractvalue %i32_128 %v151, 105
  %v258 = extractvalue %i32_128 %v151, 106
  %v259 = extractvalue %i32_128 %v151, 107
  %v260 = extractvalue %i32_128 %v151, 108
  %v261 = extractvalue %i32_128 %v151, 109
  %v262 = extractvalue %i32_128 %v151, 110
  %v263 = extractvalue %i32_128 %v151, 111
  %v264 = extractvalue %i32_128 %v151, 112
  %v265 = extractvalue %i32_128 %v151, 113
  %v266 = extractvalue %i32_128 %v151, 114
  %v267 = extractvalue %i32_128 %v151, 115
  %v268 = extractvalue %i32_128 %v151, 116
  %v269 = extractvalue %i32_128 %v151, 117
  %v270 = extractvalue %i32_128 %v151, 118
  %v271 = extractvalue %i32_128 %v151, 119
  %v272 = extractvalue %i32_128 %v151, 120
  %v273 = extractvalue %i32_128 %v151, 121
  %v274 = extractvalue %i32_128 %v151, 122
  %v275 = extractvalue %i32_128 %v151, 123
  %v276 = extractvalue %i32_128 %v151, 124
  %v277 = extractvalue %i32_128 %v151, 125
  %v278 = extractvalue %i32_128 %v151, 126
  %v279 = extractvalue %i32_128 %v151, 127
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %v280 = call %i32_128 asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64,65,66,67,68,69,70,71,72,73,74,75,76,77,78,79,80,81,82,83,84,85,86,87,88,89,90,91,92,93,94,95,96,97,98,99,100,101,102,103,104,105,106,107,108,109,110,111,112,113,114,115,116,117,118,119,120,121,122,123,124,125,126,127"(i32 %v152, i32 %v153, i32 %v154, i32 %v155, i32 %v156, i32 %v157, i32 %v158, i32 %v159, i32 %v160, i32 %v161, i32 %v162, i32 %v163, i32 %v164, i32 %v165, i32 %v166, i32 %v167, i32 %v168, i32 %v169, i32 %v170, i32 %v171, i32 %v172, i32 %v173, i32 %v174, i32 %v175, i32 %v176, i32 %v177, i32 %v178, i32 %v179, i32 %v180, i32 %v181, i32 %v182, i32 %v183, i32 %v184, i32 %v185, i32 %v186, i32 %v187, i32 %v188, i32 %v189, i32 %v190, i32 %v191, i32 %v192, i32 %v193, i32 %v194, i32 %v195, i32 %v196, i32 %v197, i32 %v198, i32 %v199, i32 %v200, i32 %v201, i32 %v202, i32 %v203, i32 %v204, i32 %v205, i32 %v206, i32 %v207, i32 %v208, i32 %v209, i32 %v210, i32 %v211, i32 %v212, i32 %v213, i32 %v214, i32 %v215, i32 %v216, i32 %v217, i32 %v218, i32 %v219, i32 %v220, i32 %v221, i32 %v222, i32 %v223, i32 %v224, i32 %v225, i32 %v226, i32 %v227, i32 %v228, i32 %v229, i32 %v230, i32 %v231, i32 %v232, i32 %v233, i32 %v234, i32 %v235, i32 %v236, i32 %v237, i32 %v238, i32 %v239, i32 %v240, i32 %v241, i32 %v242, i32 %v243, i32 %v244, i32 %v245, i32 %v246, i32 %v247, i32 %v248, i32 %v249, i32 %v250, i32 %v251, i32 %v252, i32 %v253, i32 %v254, i32 %v255, i32 %v256, i32 %v257, i32 %v258, i32 %v259, i32 %v260, i32 %v261, i32 %v262, i32 %v263, i32 %v264, i32 %v265, i32 %v266, i32 %v267, i32 %v268, i32 %v269, i32 %v270, i32 %v271, i32 %v272, i32 %v273, i32 %v274, i32 %v275, i32 %v276, i32 %v277, i32 %v278, i32 %v279)
  %v281 = mul i32 %t, 128
  %v282 = add i32 %v281, 0
  %v283 = getelementptr i32, ptr addrspace(1) %out, i32 %v282
  store %i32_128 %v280, ptr addrspace(1) %v283, align 4
  ret void
}
