target triple = "nvptx64-nvidia-cuda"
@shared = external addrspace(3) global [0 x i8], align 1024
@bar = internal addrspace(3) global [4 x i64] poison, align 8
declare i1 @llvm.nvvm.vote.all.sync(i32, i1)
declare i1 @llvm.nvvm.vote.any.sync(i32, i1)
declare i1 @llvm.nvvm.vote.uni.sync(i32, i1)
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare {i32, i1} @llvm.nvvm.elect.sync(i32)
declare {i32, i1} @llvm.nvvm.shfl.sync.bfly.i32p(i32, i32, i32, i32)
declare {i32, i1} @llvm.nvvm.shfl.sync.down.i32p(i32, i32, i32, i32)
declare {i32, i1} @llvm.nvvm.shfl.sync.idx.i32p(i32, i32, i32, i32)
declare {i32, i1} @llvm.nvvm.shfl.sync.up.i32p(i32, i32, i32, i32)
define ptx_kernel void @shfl_idx_1f(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 1
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i32, ptr addrspace(1) %in, i32 %v2
  %v4 = load i32, ptr addrspace(1) %v3
  %v5 = call {i32, i1} @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %v4, i32 0, i32 31)
  %v6 = extractvalue {i32, i1} %v5, 0
  %v7 = mul i32 %t, 16
  %v8 = add i32 %v7, 0
  %v9 = getelementptr i32, ptr addrspace(1) %out, i32 %v8
  store i32 %v6, ptr addrspace(1) %v9
  %v10 = extractvalue {i32, i1} %v5, 1
  %v11 = zext i1 %v10 to i32
  %v12 = mul i32 %t, 16
  %v13 = add i32 %v12, 1
  %v14 = getelementptr i32, ptr addrspace(1) %out, i32 %v13
  store i32 %v11, ptr addrspace(1) %v14
  %v15 = call {i32, i1} @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %v4, i32 3, i32 31)
  %v16 = extractvalue {i32, i1} %v15, 0
  %v17 = mul i32 %t, 16
  %v18 = add i32 %v17, 2
  %v19 = getelementptr i32, ptr addrspace(1) %out, i32 %v18
  store i32 %v16, ptr addrspace(1) %v19
  %v20 = extractvalue {i32, i1} %v15, 1
  %v21 = zext i1 %v20 to i32
  %v22 = mul i32 %t, 16
  %v23 = add i32 %v22, 3
  %v24 = getelementptr i32, ptr addrspace(1) %out, i32 %v23
  store i32 %v21, ptr addrspace(1) %v24
  %v25 = call {i32, i1} @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %v4, i32 6, i32 31)
  %v26 = extractvalue {i32, i1} %v25, 0
  %v27 = mul i32 %t, 16
  %v28 = add i32 %v27, 4
  %v29 = getelementptr i32, ptr addrspace(1) %out, i32 %v28
  store i32 %v26, ptr addrspace(1) %v29
  %v30 = extractvalue {i32, i1} %v25, 1
  %v31 = zext i1 %v30 to i32
  %v32 = mul i32 %t, 16
  %v33 = add i32 %v32, 5
  %v34 = getelementptr i32, ptr addrspace(1) %out, i32 %v33
  store i32 %v31, ptr addrspace(1) %v34
  %v35 = call {i32, i1} @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %v4, i32 9, i32 31)
  %v36 = extractvalue {i32, i1} %v35, 0
  %v37 = mul i32 %t, 16
  %v38 = add i32 %v37, 6
  %v39 = getelementptr i32, ptr addrspace(1) %out, i32 %v38
  store i32 %v36, ptr addrspace(1) %v39
  %v40 = extractvalue {i32, i1} %v35, 1
  %v41 = zext i1 %v40 to i32
  %v42 = mul i32 %t, 16
  %v43 = add i32 %v42, 7
  %v44 = getelementptr i32, ptr addrspace(1) %out, i32 %v43
  store i32 %v41, ptr addrspace(1) %v44
  %v45 = mul i32 %t, 1
  %v46 = add i32 %v45, 128
  %v47 = getelementptr i32, ptr addrspace(1) %in, i32 %v46
  %v48 = load i32, ptr addrspace(1) %v47
  %v49 = and i32 %v48, 31
  %v50 = call {i32, i1} @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %v4, i32 %v49, i32 31)
  %v51 = extractvalue {i32, i1} %v50, 0
  %v52 = mul i32 %t, 16
  %v53 = add i32 %v52, 8
  %v54 = getelementptr i32, ptr addrspace(1) %out, i32 %v53
  store i32 %v51, ptr addrspace(1) %v54
  %v55 = extractvalue {i32, i1} %v50, 1
  %v56 = zext i1 %v55 to i32
  %v57 = mul i32 %t, 16
  %v58 = add i32 %v57, 9
  %v59 = getelementptr i32, ptr addrspace(1) %out, i32 %v58
  store i32 %v56, ptr addrspace(1) %v59
  %v60 = mul i32 %t, 1
  %v61 = add i32 %v60, 160
  %v62 = getelementptr i32, ptr addrspace(1) %in, i32 %v61
  %v63 = load i32, ptr addrspace(1) %v62
  %v64 = and i32 %v63, 31
  %v65 = call {i32, i1} @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %v4, i32 %v64, i32 31)
  %v66 = extractvalue {i32, i1} %v65, 0
  %v67 = mul i32 %t, 16
  %v68 = add i32 %v67, 10
  %v69 = getelementptr i32, ptr addrspace(1) %out, i32 %v68
  store i32 %v66, ptr addrspace(1) %v69
  %v70 = extractvalue {i32, i1} %v65, 1
  %v71 = zext i1 %v70 to i32
  %v72 = mul i32 %t, 16
  %v73 = add i32 %v72, 11
  %v74 = getelementptr i32, ptr addrspace(1) %out, i32 %v73
  store i32 %v71, ptr addrspace(1) %v74
  %v75 = mul i32 %t, 1
  %v76 = add i32 %v75, 192
  %v77 = getelementptr i32, ptr addrspace(1) %in, i32 %v76
  %v78 = load i32, ptr addrspace(1) %v77
  %v79 = and i32 %v78, 31
  %v80 = call {i32, i1} @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %v4, i32 %v79, i32 31)
  %v81 = extractvalue {i32, i1} %v80, 0
  %v82 = mul i32 %t, 16
  %v83 = add i32 %v82, 12
  %v84 = getelementptr i32, ptr addrspace(1) %out, i32 %v83
  store i32 %v81, ptr addrspace(1) %v84
  %v85 = extractvalue {i32, i1} %v80, 1
  %v86 = zext i1 %v85 to i32
  %v87 = mul i32 %t, 16
  %v88 = add i32 %v87, 13
  %v89 = getelementptr i32, ptr addrspace(1) %out, i32 %v88
  store i32 %v86, ptr addrspace(1) %v89
  %v90 = mul i32 %t, 1
  %v91 = add i32 %v90, 224
  %v92 = getelementptr i32, ptr addrspace(1) %in, i32 %v91
  %v93 = load i32, ptr addrspace(1) %v92
  %v94 = and i32 %v93, 31
  %v95 = call {i32, i1} @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %v4, i32 %v94, i32 31)
  %v96 = extractvalue {i32, i1} %v95, 0
  %v97 = mul i32 %t, 16
  %v98 = add i32 %v97, 14
  %v99 = getelementptr i32, ptr addrspace(1) %out, i32 %v98
  store i32 %v96, ptr addrspace(1) %v99
  %v100 = extractvalue {i32, i1} %v95, 1
  %v101 = zext i1 %v100 to i32
  %v102 = mul i32 %t, 16
  %v103 = add i32 %v102, 15
  %v104 = getelementptr i32, ptr addrspace(1) %out, i32 %v103
  store i32 %v101, ptr addrspace(1) %v104
  ret void
}
define ptx_kernel void @shfl_idx_181f(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 1
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i32, ptr addrspace(1) %in, i32 %v2
  %v4 = load i32, ptr addrspace(1) %v3
  %v5 = call {i32, i1} @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %v4, i32 0, i32 6175)
  %v6 = extractvalue {i32, i1} %v5, 0
  %v7 = mul i32 %t, 16
  %v8 = add i32 %v7, 0
  %v9 = getelementptr i32, ptr addrspace(1) %out, i32 %v8
  store i32 %v6, ptr addrspace(1) %v9
  %v10 = extractvalue {i32, i1} %v5, 1
  %v11 = zext i1 %v10 to i32
  %v12 = mul i32 %t, 16
  %v13 = add i32 %v12, 1
  %v14 = getelementptr i32, ptr addrspace(1) %out, i32 %v13
  store i32 %v11, ptr addrspace(1) %v14
  %v15 = call {i32, i1} @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %v4, i32 3, i32 6175)
  %v16 = extractvalue {i32, i1} %v15, 0
  %v17 = mul i32 %t, 16
  %v18 = add i32 %v17, 2
  %v19 = getelementptr i32, ptr addrspace(1) %out, i32 %v18
  store i32 %v16, ptr addrspace(1) %v19
  %v20 = extractvalue {i32, i1} %v15, 1
  %v21 = zext i1 %v20 to i32
  %v22 = mul i32 %t, 16
  %v23 = add i32 %v22, 3
  %v24 = getelementptr i32, ptr addrspace(1) %out, i32 %v23
  store i32 %v21, ptr addrspace(1) %v24
  %v25 = call {i32, i1} @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %v4, i32 6, i32 6175)
  %v26 = extractvalue {i32, i1} %v25, 0
  %v27 = mul i32 %t, 16
  %v28 = add i32 %v27, 4
  %v29 = getelementptr i32, ptr addrspace(1) %out, i32 %v28
  store i32 %v26, ptr addrspace(1) %v29
  %v30 = extractvalue {i32, i1} %v25, 1
  %v31 = zext i1 %v30 to i32
  %v32 = mul i32 %t, 16
  %v33 = add i32 %v32, 5
  %v34 = getelementptr i32, ptr addrspace(1) %out, i32 %v33
  store i32 %v31, ptr addrspace(1) %v34
  %v35 = call {i32, i1} @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %v4, i32 9, i32 6175)
  %v36 = extractvalue {i32, i1} %v35, 0
  %v37 = mul i32 %t, 16
  %v38 = add i32 %v37, 6
  %v39 = getelementptr i32, ptr addrspace(1) %out, i32 %v38
  store i32 %v36, ptr addrspace(1) %v39
  %v40 = extractvalue {i32, i1} %v35, 1
  %v41 = zext i1 %v40 to i32
  %v42 = mul i32 %t, 16
  %v43 = add i32 %v42, 7
  %v44 = getelementptr i32, ptr addrspace(1) %out, i32 %v43
  store i32 %v41, ptr addrspace(1) %v44
  %v45 = mul i32 %t, 1
  %v46 = add i32 %v45, 128
  %v47 = getelementptr i32, ptr addrspace(1) %in, i32 %v46
  %v48 = load i32, ptr addrspace(1) %v47
  %v49 = and i32 %v48, 31
  %v50 = call {i32, i1} @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %v4, i32 %v49, i32 6175)
  %v51 = extractvalue {i32, i1} %v50, 0
  %v52 = mul i32 %t, 16
  %v53 = add i32 %v52, 8
  %v54 = getelementptr i32, ptr addrspace(1) %out, i32 %v53
  store i32 %v51, ptr addrspace(1) %v54
  %v55 = extractvalue {i32, i1} %v50, 1
  %v56 = zext i1 %v55 to i32
  %v57 = mul i32 %t, 16
  %v58 = add i32 %v57, 9
  %v59 = getelementptr i32, ptr addrspace(1) %out, i32 %v58
  store i32 %v56, ptr addrspace(1) %v59
  %v60 = mul i32 %t, 1
  %v61 = add i32 %v60, 160
  %v62 = getelementptr i32, ptr addrspace(1) %in, i32 %v61
  %v63 = load i32, ptr addrspace(1) %v62
  %v64 = and i32 %v63, 31
  %v65 = call {i32, i1} @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %v4, i32 %v64, i32 6175)
  %v66 = extractvalue {i32, i1} %v65, 0
  %v67 = mul i32 %t, 16
  %v68 = add i32 %v67, 10
  %v69 = getelementptr i32, ptr addrspace(1) %out, i32 %v68
  store i32 %v66, ptr addrspace(1) %v69
  %v70 = extractvalue {i32, i1} %v65, 1
  %v71 = zext i1 %v70 to i32
  %v72 = mul i32 %t, 16
  %v73 = add i32 %v72, 11
  %v74 = getelementptr i32, ptr addrspace(1) %out, i32 %v73
  store i32 %v71, ptr addrspace(1) %v74
  %v75 = mul i32 %t, 1
  %v76 = add i32 %v75, 192
  %v77 = getelementptr i32, ptr addrspace(1) %in, i32 %v76
  %v78 = load i32, ptr addrspace(1) %v77
  %v79 = and i32 %v78, 31
  %v80 = call {i32, i1} @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %v4, i32 %v79, i32 6175)
  %v81 = extractvalue {i32, i1} %v80, 0
  %v82 = mul i32 %t, 16
  %v83 = add i32 %v82, 12
  %v84 = getelementptr i32, ptr addrspace(1) %out, i32 %v83
  store i32 %v81, ptr addrspace(1) %v84
  %v85 = extractvalue {i32, i1} %v80, 1
  %v86 = zext i1 %v85 to i32
  %v87 = mul i32 %t, 16
  %v88 = add i32 %v87, 13
  %v89 = getelementptr i32, ptr addrspace(1) %out, i32 %v88
  store i32 %v86, ptr addrspace(1) %v89
  %v90 = mul i32 %t, 1
  %v91 = add i32 %v90, 224
  %v92 = getelementptr i32, ptr addrspace(1) %in, i32 %v91
  %v93 = load i32, ptr addrspace(1) %v92
  %v94 = and i32 %v93, 31
  %v95 = call {i32, i1} @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %v4, i32 %v94, i32 6175)
  %v96 = extractvalue {i32, i1} %v95, 0
  %v97 = mul i32 %t, 16
  %v98 = add i32 %v97, 14
  %v99 = getelementptr i32, ptr addrspace(1) %out, i32 %v98
  store i32 %v96, ptr addrspace(1) %v99
  %v100 = extractvalue {i32, i1} %v95, 1
  %v101 = zext i1 %v100 to i32
  %v102 = mul i32 %t, 16
  %v103 = add i32 %v102, 15
  %v104 = getelementptr i32, ptr addrspace(1) %out, i32 %v103
  store i32 %v101, ptr addrspace(1) %v104
  ret void
}
define ptx_kernel void @shfl_idx_f(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 1
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i32, ptr addrspace(1) %in, i32 %v2
  %v4 = load i32, ptr addrspace(1) %v3
  %v5 = call {i32, i1} @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %v4, i32 0, i32 15)
  %v6 = extractvalue {i32, i1} %v5, 0
  %v7 = mul i32 %t, 16
  %v8 = add i32 %v7, 0
  %v9 = getelementptr i32, ptr addrspace(1) %out, i32 %v8
  store i32 %v6, ptr addrspace(1) %v9
  %v10 = extractvalue {i32, i1} %v5, 1
  %v11 = zext i1 %v10 to i32
  %v12 = mul i32 %t, 16
  %v13 = add i32 %v12, 1
  %v14 = getelementptr i32, ptr addrspace(1) %out, i32 %v13
  store i32 %v11, ptr addrspace(1) %v14
  %v15 = call {i32, i1} @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %v4, i32 3, i32 15)
  %v16 = extractvalue {i32, i1} %v15, 0
  %v17 = mul i32 %t, 16
  %v18 = add i32 %v17, 2
  %v19 = getelementptr i32, ptr addrspace(1) %out, i32 %v18
  store i32 %v16, ptr addrspace(1) %v19
  %v20 = extractvalue {i32, i1} %v15, 1
  %v21 = zext i1 %v20 to i32
  %v22 = mul i32 %t, 16
  %v23 = add i32 %v22, 3
  %v24 = getelementptr i32, ptr addrspace(1) %out, i32 %v23
  store i32 %v21, ptr addrspace(1) %v24
  %v25 = call {i32, i1} @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %v4, i32 6, i32 15)
  %v26 = extractvalue {i32, i1} %v25, 0
  %v27 = mul i32 %t, 16
  %v28 = add i32 %v27, 4
  %v29 = getelementptr i32, ptr addrspace(1) %out, i32 %v28
  store i32 %v26, ptr addrspace(1) %v29
  %v30 = extractvalue {i32, i1} %v25, 1
  %v31 = zext i1 %v30 to i32
  %v32 = mul i32 %t, 16
  %v33 = add i32 %v32, 5
  %v34 = getelementptr i32, ptr addrspace(1) %out, i32 %v33
  store i32 %v31, ptr addrspace(1) %v34
  %v35 = call {i32, i1} @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %v4, i32 9, i32 15)
  %v36 = extractvalue {i32, i1} %v35, 0
  %v37 = mul i32 %t, 16
  %v38 = add i32 %v37, 6
  %v39 = getelementptr i32, ptr addrspace(1) %out, i32 %v38
  store i32 %v36, ptr addrspace(1) %v39
  %v40 = extractvalue {i32, i1} %v35, 1
  %v41 = zext i1 %v40 to i32
  %v42 = mul i32 %t, 16
  %v43 = add i32 %v42, 7
  %v44 = getelementptr i32, ptr addrspace(1) %out, i32 %v43
  store i32 %v41, ptr addrspace(1) %v44
  %v45 = mul i32 %t, 1
  %v46 = add i32 %v45, 128
  %v47 = getelementptr i32, ptr addrspace(1) %in, i32 %v46
  %v48 = load i32, ptr addrspace(1) %v47
  %v49 = and i32 %v48, 31
  %v50 = call {i32, i1} @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %v4, i32 %v49, i32 15)
  %v51 = extractvalue {i32, i1} %v50, 0
  %v52 = mul i32 %t, 16
  %v53 = add i32 %v52, 8
  %v54 = getelementptr i32, ptr addrspace(1) %out, i32 %v53
  store i32 %v51, ptr addrspace(1) %v54
  %v55 = extractvalue {i32, i1} %v50, 1
  %v56 = zext i1 %v55 to i32
  %v57 = mul i32 %t, 16
  %v58 = add i32 %v57, 9
  %v59 = getelementptr i32, ptr addrspace(1) %out, i32 %v58
  store i32 %v56, ptr addrspace(1) %v59
  %v60 = mul i32 %t, 1
  %v61 = add i32 %v60, 160
  %v62 = getelementptr i32, ptr addrspace(1) %in, i32 %v61
  %v63 = load i32, ptr addrspace(1) %v62
  %v64 = and i32 %v63, 31
  %v65 = call {i32, i1} @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %v4, i32 %v64, i32 15)
  %v66 = extractvalue {i32, i1} %v65, 0
  %v67 = mul i32 %t, 16
  %v68 = add i32 %v67, 10
  %v69 = getelementptr i32, ptr addrspace(1) %out, i32 %v68
  store i32 %v66, ptr addrspace(1) %v69
  %v70 = extractvalue {i32, i1} %v65, 1
  %v71 = zext i1 %v70 to i32
  %v72 = mul i32 %t, 16
  %v73 = add i32 %v72, 11
  %v74 = getelementptr i32, ptr addrspace(1) %out, i32 %v73
  store i32 %v71, ptr addrspace(1) %v74
  %v75 = mul i32 %t, 1
  %v76 = add i32 %v75, 192
  %v77 = getelementptr i32, ptr addrspace(1) %in, i32 %v76
  %v78 = load i32, ptr addrspace(1) %v77
  %v79 = and i32 %v78, 31
  %v80 = call {i32, i1} @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %v4, i32 %v79, i32 15)
  %v81 = extractvalue {i32, i1} %v80, 0
  %v82 = mul i32 %t, 16
  %v83 = add i32 %v82, 12
  %v84 = getelementptr i32, ptr addrspace(1) %out, i32 %v83
  store i32 %v81, ptr addrspace(1) %v84
  %v85 = extractvalue {i32, i1} %v80, 1
  %v86 = zext i1 %v85 to i32
  %v87 = mul i32 %t, 16
  %v88 = add i32 %v87, 13
  %v89 = getelementptr i32, ptr addrspace(1) %out, i32 %v88
  store i32 %v86, ptr addrspace(1) %v89
  %v90 = mul i32 %t, 1
  %v91 = add i32 %v90, 224
  %v92 = getelementptr i32, ptr addrspace(1) %in, i32 %v91
  %v93 = load i32, ptr addrspace(1) %v92
  %v94 = and i32 %v93, 31
  %v95 = call {i32, i1} @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %v4, i32 %v94, i32 15)
  %v96 = extractvalue {i32, i1} %v95, 0
  %v97 = mul i32 %t, 16
  %v98 = add i32 %v97, 14
  %v99 = getelementptr i32, ptr addrspace(1) %out, i32 %v98
  store i32 %v96, ptr addrspace(1) %v99
  %v100 = extractvalue {i32, i1} %v95, 1
  %v101 = zext i1 %v100 to i32
  %v102 = mul i32 %t, 16
  %v103 = add i32 %v102, 15
  %v104 = getelementptr i32, ptr addrspace(1) %out, i32 %v103
  store i32 %v101, ptr addrspace(1) %v104
  ret void
}
define ptx_kernel void @shfl_idx_1c1f(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 1
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i32, ptr addrspace(1) %in, i32 %v2
  %v4 = load i32, ptr addrspace(1) %v3
  %v5 = call {i32, i1} @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %v4, i32 0, i32 7199)
  %v6 = extractvalue {i32, i1} %v5, 0
  %v7 = mul i32 %t, 16
  %v8 = add i32 %v7, 0
  %v9 = getelementptr i32, ptr addrspace(1) %out, i32 %v8
  store i32 %v6, ptr addrspace(1) %v9
  %v10 = extractvalue {i32, i1} %v5, 1
  %v11 = zext i1 %v10 to i32
  %v12 = mul i32 %t, 16
  %v13 = add i32 %v12, 1
  %v14 = getelementptr i32, ptr addrspace(1) %out, i32 %v13
  store i32 %v11, ptr addrspace(1) %v14
  %v15 = call {i32, i1} @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %v4, i32 3, i32 7199)
  %v16 = extractvalue {i32, i1} %v15, 0
  %v17 = mul i32 %t, 16
  %v18 = add i32 %v17, 2
  %v19 = getelementptr i32, ptr addrspace(1) %out, i32 %v18
  store i32 %v16, ptr addrspace(1) %v19
  %v20 = extractvalue {i32, i1} %v15, 1
  %v21 = zext i1 %v20 to i32
  %v22 = mul i32 %t, 16
  %v23 = add i32 %v22, 3
  %v24 = getelementptr i32, ptr addrspace(1) %out, i32 %v23
  store i32 %v21, ptr addrspace(1) %v24
  %v25 = call {i32, i1} @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %v4, i32 6, i32 7199)
  %v26 = extractvalue {i32, i1} %v25, 0
  %v27 = mul i32 %t, 16
  %v28 = add i32 %v27, 4
  %v29 = getelementptr i32, ptr addrspace(1) %out, i32 %v28
  store i32 %v26, ptr addrspace(1) %v29
  %v30 = extractvalue {i32, i1} %v25, 1
  %v31 = zext i1 %v30 to i32
  %v32 = mul i32 %t, 16
  %v33 = add i32 %v32, 5
  %v34 = getelementptr i32, ptr addrspace(1) %out, i32 %v33
  store i32 %v31, ptr addrspace(1) %v34
  %v35 = call {i32, i1} @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %v4, i32 9, i32 7199)
  %v36 = extractvalue {i32, i1} %v35, 0
  %v37 = mul i32 %t, 16
  %v38 = add i32 %v37, 6
  %v39 = getelementptr i32, ptr addrspace(1) %out, i32 %v38
  store i32 %v36, ptr addrspace(1) %v39
  %v40 = extractvalue {i32, i1} %v35, 1
  %v41 = zext i1 %v40 to i32
  %v42 = mul i32 %t, 16
  %v43 = add i32 %v42, 7
  %v44 = getelementptr i32, ptr addrspace(1) %out, i32 %v43
  store i32 %v41, ptr addrspace(1) %v44
  %v45 = mul i32 %t, 1
  %v46 = add i32 %v45, 128
  %v47 = getelementptr i32, ptr addrspace(1) %in, i32 %v46
  %v48 = load i32, ptr addrspace(1) %v47
  %v49 = and i32 %v48, 31
  %v50 = call {i32, i1} @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %v4, i32 %v49, i32 7199)
  %v51 = extractvalue {i32, i1} %v50, 0
  %v52 = mul i32 %t, 16
  %v53 = add i32 %v52, 8
  %v54 = getelementptr i32, ptr addrspace(1) %out, i32 %v53
  store i32 %v51, ptr addrspace(1) %v54
  %v55 = extractvalue {i32, i1} %v50, 1
  %v56 = zext i1 %v55 to i32
  %v57 = mul i32 %t, 16
  %v58 = add i32 %v57, 9
  %v59 = getelementptr i32, ptr addrspace(1) %out, i32 %v58
  store i32 %v56, ptr addrspace(1) %v59
  %v60 = mul i32 %t, 1
  %v61 = add i32 %v60, 160
  %v62 = getelementptr i32, ptr addrspace(1) %in, i32 %v61
  %v63 = load i32, ptr addrspace(1) %v62
  %v64 = and i32 %v63, 31
  %v65 = call {i32, i1} @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %v4, i32 %v64, i32 7199)
  %v66 = extractvalue {i32, i1} %v65, 0
  %v67 = mul i32 %t, 16
  %v68 = add i32 %v67, 10
  %v69 = getelementptr i32, ptr addrspace(1) %out, i32 %v68
  store i32 %v66, ptr addrspace(1) %v69
  %v70 = extractvalue {i32, i1} %v65, 1
  %v71 = zext i1 %v70 to i32
  %v72 = mul i32 %t, 16
  %v73 = add i32 %v72, 11
  %v74 = getelementptr i32, ptr addrspace(1) %out, i32 %v73
  store i32 %v71, ptr addrspace(1) %v74
  %v75 = mul i32 %t, 1
  %v76 = add i32 %v75, 192
  %v77 = getelementptr i32, ptr addrspace(1) %in, i32 %v76
  %v78 = load i32, ptr addrspace(1) %v77
  %v79 = and i32 %v78, 31
  %v80 = call {i32, i1} @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %v4, i32 %v79, i32 7199)
  %v81 = extractvalue {i32, i1} %v80, 0
  %v82 = mul i32 %t, 16
  %v83 = add i32 %v82, 12
  %v84 = getelementptr i32, ptr addrspace(1) %out, i32 %v83
  store i32 %v81, ptr addrspace(1) %v84
  %v85 = extractvalue {i32, i1} %v80, 1
  %v86 = zext i1 %v85 to i32
  %v87 = mul i32 %t, 16
  %v88 = add i32 %v87, 13
  %v89 = getelementptr i32, ptr addrspace(1) %out, i32 %v88
  store i32 %v86, ptr addrspace(1) %v89
  %v90 = mul i32 %t, 1
  %v91 = add i32 %v90, 224
  %v92 = getelementptr i32, ptr addrspace(1) %in, i32 %v91
  %v93 = load i32, ptr addrspace(1) %v92
  %v94 = and i32 %v93, 31
  %v95 = call {i32, i1} @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %v4, i32 %v94, i32 7199)
  %v96 = extractvalue {i32, i1} %v95, 0
  %v97 = mul i32 %t, 16
  %v98 = add i32 %v97, 14
  %v99 = getelementptr i32, ptr addrspace(1) %out, i32 %v98
  store i32 %v96, ptr addrspace(1) %v99
  %v100 = extractvalue {i32, i1} %v95, 1
  %v101 = zext i1 %v100 to i32
  %v102 = mul i32 %t, 16
  %v103 = add i32 %v102, 15
  %v104 = getelementptr i32, ptr addrspace(1) %out, i32 %v103
  store i32 %v101, ptr addrspace(1) %v104
  ret void
}
define ptx_kernel void @shfl_bfly_1f(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 1
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i32, ptr addrspace(1) %in, i32 %v2
  %v4 = load i32, ptr addrspace(1) %v3
  %v5 = call {i32, i1} @llvm.nvvm.shfl.sync.bfly.i32p(i32 -1, i32 %v4, i32 0, i32 31)
  %v6 = extractvalue {i32, i1} %v5, 0
  %v7 = mul i32 %t, 16
  %v8 = add i32 %v7, 0
  %v9 = getelementptr i32, ptr addrspace(1) %out, i32 %v8
  store i32 %v6, ptr addrspace(1) %v9
  %v10 = extractvalue {i32, i1} %v5, 1
  %v11 = zext i1 %v10 to i32
  %v12 = mul i32 %t, 16
  %v13 = add i32 %v12, 1
  %v14 = getelementptr i32, ptr addrspace(1) %out, i32 %v13
  store i32 %v11, ptr addrspace(1) %v14
  %v15 = call {i32, i1} @llvm.nvvm.shfl.sync.bfly.i32p(i32 -1, i32 %v4, i32 3, i32 31)
  %v16 = extractvalue {i32, i1} %v15, 0
  %v17 = mul i32 %t, 16
  %v18 = add i32 %v17, 2
  %v19 = getelementptr i32, ptr addrspace(1) %out, i32 %v18
  store i32 %v16, ptr addrspace(1) %v19
  %v20 = extractvalue {i32, i1} %v15, 1
  %v21 = zext i1 %v20 to i32
  %v22 = mul i32 %t, 16
  %v23 = add i32 %v22, 3
  %v24 = getelementptr i32, ptr addrspace(1) %out, i32 %v23
  store i32 %v21, ptr addrspace(1) %v24
  %v25 = call {i32, i1} @llvm.nvvm.shfl.sync.bfly.i32p(i32 -1, i32 %v4, i32 6, i32 31)
  %v26 = extractvalue {i32, i1} %v25, 0
  %v27 = mul i32 %t, 16
  %v28 = add i32 %v27, 4
  %v29 = getelementptr i32, ptr addrspace(1) %out, i32 %v28
  store i32 %v26, ptr addrspace(1) %v29
  %v30 = extractvalue {i32, i1} %v25, 1
  %v31 = zext i1 %v30 to i32
  %v32 = mul i32 %t, 16
  %v33 = add i32 %v32, 5
  %v34 = getelementptr i32, ptr addrspace(1) %out, i32 %v33
  store i32 %v31, ptr addrspace(1) %v34
  %v35 = call {i32, i1} @llvm.nvvm.shfl.sync.bfly.i32p(i32 -1, i32 %v4, i32 9, i32 31)
  %v36 = extractvalue {i32, i1} %v35, 0
  %v37 = mul i32 %t, 16
  %v38 = add i32 %v37, 6
  %v39 = getelementptr i32, ptr addrspace(1) %out, i32 %v38
  store i32 %v36, ptr addrspace(1) %v39
  %v40 = extractvalue {i32, i1} %v35, 1
  %v41 = zext i1 %v40 to i32
  %v42 = mul i32 %t, 16
  %v43 = add i32 %v42, 7
  %v44 = getelementptr i32, ptr addrspace(1) %out, i32 %v43
  store i32 %v41, ptr addrspace(1) %v44
  %v45 = mul i32 %t, 1
  %v46 = add i32 %v45, 128
  %v47 = getelementptr i32, ptr addrspace(1) %in, i32 %v46
  %v48 = load i32, ptr addrspace(1) %v47
  %v49 = and i32 %v48, 31
  %v50 = call {i32, i1} @llvm.nvvm.shfl.sync.bfly.i32p(i32 -1, i32 %v4, i32 %v49, i32 31)
  %v51 = extractvalue {i32, i1} %v50, 0
  %v52 = mul i32 %t, 16
  %v53 = add i32 %v52, 8
  %v54 = getelementptr i32, ptr addrspace(1) %out, i32 %v53
  store i32 %v51, ptr addrspace(1) %v54
  %v55 = extractvalue {i32, i1} %v50, 1
  %v56 = zext i1 %v55 to i32
  %v57 = mul i32 %t, 16
  %v58 = add i32 %v57, 9
  %v59 = getelementptr i32, ptr addrspace(1) %out, i32 %v58
  store i32 %v56, ptr addrspace(1) %v59
  %v60 = mul i32 %t, 1
  %v61 = add i32 %v60, 160
  %v62 = getelementptr i32, ptr addrspace(1) %in, i32 %v61
  %v63 = load i32, ptr addrspace(1) %v62
  %v64 = and i32 %v63, 31
  %v65 = call {i32, i1} @llvm.nvvm.shfl.sync.bfly.i32p(i32 -1, i32 %v4, i32 %v64, i32 31)
  %v66 = extractvalue {i32, i1} %v65, 0
  %v67 = mul i32 %t, 16
  %v68 = add i32 %v67, 10
  %v69 = getelementptr i32, ptr addrspace(1) %out, i32 %v68
  store i32 %v66, ptr addrspace(1) %v69
  %v70 = extractvalue {i32, i1} %v65, 1
  %v71 = zext i1 %v70 to i32
  %v72 = mul i32 %t, 16
  %v73 = add i32 %v72, 11
  %v74 = getelementptr i32, ptr addrspace(1) %out, i32 %v73
  store i32 %v71, ptr addrspace(1) %v74
  %v75 = mul i32 %t, 1
  %v76 = add i32 %v75, 192
  %v77 = getelementptr i32, ptr addrspace(1) %in, i32 %v76
  %v78 = load i32, ptr addrspace(1) %v77
  %v79 = and i32 %v78, 31
  %v80 = call {i32, i1} @llvm.nvvm.shfl.sync.bfly.i32p(i32 -1, i32 %v4, i32 %v79, i32 31)
  %v81 = extractvalue {i32, i1} %v80, 0
  %v82 = mul i32 %t, 16
  %v83 = add i32 %v82, 12
  %v84 = getelementptr i32, ptr addrspace(1) %out, i32 %v83
  store i32 %v81, ptr addrspace(1) %v84
  %v85 = extractvalue {i32, i1} %v80, 1
  %v86 = zext i1 %v85 to i32
  %v87 = mul i32 %t, 16
  %v88 = add i32 %v87, 13
  %v89 = getelementptr i32, ptr addrspace(1) %out, i32 %v88
  store i32 %v86, ptr addrspace(1) %v89
  %v90 = mul i32 %t, 1
  %v91 = add i32 %v90, 224
  %v92 = getelementptr i32, ptr addrspace(1) %in, i32 %v91
  %v93 = load i32, ptr addrspace(1) %v92
  %v94 = and i32 %v93, 31
  %v95 = call {i32, i1} @llvm.nvvm.shfl.sync.bfly.i32p(i32 -1, i32 %v4, i32 %v94, i32 31)
  %v96 = extractvalue {i32, i1} %v95, 0
  %v97 = mul i32 %t, 16
  %v98 = add i32 %v97, 14
  %v99 = getelementptr i32, ptr addrspace(1) %out, i32 %v98
  store i32 %v96, ptr addrspace(1) %v99
  %v100 = extractvalue {i32, i1} %v95, 1
  %v101 = zext i1 %v100 to i32
  %v102 = mul i32 %t, 16
  %v103 = add i32 %v102, 15
  %v104 = getelementptr i32, ptr addrspace(1) %out, i32 %v103
  store i32 %v101, ptr addrspace(1) %v104
  ret void
}
define ptx_kernel void @shfl_bfly_181f(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 1
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i32, ptr addrspace(1) %in, i32 %v2
  %v4 = load i32, ptr addrspace(1) %v3
  %v5 = call {i32, i1} @llvm.nvvm.shfl.sync.bfly.i32p(i32 -1, i32 %v4, i32 0, i32 6175)
  %v6 = extractvalue {i32, i1} %v5, 0
  %v7 = mul i32 %t, 16
  %v8 = add i32 %v7, 0
  %v9 = getelementptr i32, ptr addrspace(1) %out, i32 %v8
  store i32 %v6, ptr addrspace(1) %v9
  %v10 = extractvalue {i32, i1} %v5, 1
  %v11 = zext i1 %v10 to i32
  %v12 = mul i32 %t, 16
  %v13 = add i32 %v12, 1
  %v14 = getelementptr i32, ptr addrspace(1) %out, i32 %v13
  store i32 %v11, ptr addrspace(1) %v14
  %v15 = call {i32, i1} @llvm.nvvm.shfl.sync.bfly.i32p(i32 -1, i32 %v4, i32 3, i32 6175)
  %v16 = extractvalue {i32, i1} %v15, 0
  %v17 = mul i32 %t, 16
  %v18 = add i32 %v17, 2
  %v19 = getelementptr i32, ptr addrspace(1) %out, i32 %v18
  store i32 %v16, ptr addrspace(1) %v19
  %v20 = extractvalue {i32, i1} %v15, 1
  %v21 = zext i1 %v20 to i32
  %v22 = mul i32 %t, 16
  %v23 = add i32 %v22, 3
  %v24 = getelementptr i32, ptr addrspace(1) %out, i32 %v23
  store i32 %v21, ptr addrspace(1) %v24
  %v25 = call {i32, i1} @llvm.nvvm.shfl.sync.bfly.i32p(i32 -1, i32 %v4, i32 6, i32 6175)
  %v26 = extractvalue {i32, i1} %v25, 0
  %v27 = mul i32 %t, 16
  %v28 = add i32 %v27, 4
  %v29 = getelementptr i32, ptr addrspace(1) %out, i32 %v28
  store i32 %v26, ptr addrspace(1) %v29
  %v30 = extractvalue {i32, i1} %v25, 1
  %v31 = zext i1 %v30 to i32
  %v32 = mul i32 %t, 16
  %v33 = add i32 %v32, 5
  %v34 = getelementptr i32, ptr addrspace(1) %out, i32 %v33
  store i32 %v31, ptr addrspace(1) %v34
  %v35 = call {i32, i1} @llvm.nvvm.shfl.sync.bfly.i32p(i32 -1, i32 %v4, i32 9, i32 6175)
  %v36 = extractvalue {i32, i1} %v35, 0
  %v37 = mul i32 %t, 16
  %v38 = add i32 %v37, 6
  %v39 = getelementptr i32, ptr addrspace(1) %out, i32 %v38
  store i32 %v36, ptr addrspace(1) %v39
  %v40 = extractvalue {i32, i1} %v35, 1
  %v41 = zext i1 %v40 to i32
  %v42 = mul i32 %t, 16
  %v43 = add i32 %v42, 7
  %v44 = getelementptr i32, ptr addrspace(1) %out, i32 %v43
  store i32 %v41, ptr addrspace(1) %v44
  %v45 = mul i32 %t, 1
  %v46 = add i32 %v45, 128
  %v47 = getelementptr i32, ptr addrspace(1) %in, i32 %v46
  %v48 = load i32, ptr addrspace(1) %v47
  %v49 = and i32 %v48, 31
  %v50 = call {i32, i1} @llvm.nvvm.shfl.sync.bfly.i32p(i32 -1, i32 %v4, i32 %v49, i32 6175)
  %v51 = extractvalue {i32, i1} %v50, 0
  %v52 = mul i32 %t, 16
  %v53 = add i32 %v52, 8
  %v54 = getelementptr i32, ptr addrspace(1) %out, i32 %v53
  store i32 %v51, ptr addrspace(1) %v54
  %v55 = extractvalue {i32, i1} %v50, 1
  %v56 = zext i1 %v55 to i32
  %v57 = mul i32 %t, 16
  %v58 = add i32 %v57, 9
  %v59 = getelementptr i32, ptr addrspace(1) %out, i32 %v58
  store i32 %v56, ptr addrspace(1) %v59
  %v60 = mul i32 %t, 1
  %v61 = add i32 %v60, 160
  %v62 = getelementptr i32, ptr addrspace(1) %in, i32 %v61
  %v63 = load i32, ptr addrspace(1) %v62
  %v64 = and i32 %v63, 31
  %v65 = call {i32, i1} @llvm.nvvm.shfl.sync.bfly.i32p(i32 -1, i32 %v4, i32 %v64, i32 6175)
  %v66 = extractvalue {i32, i1} %v65, 0
  %v67 = mul i32 %t, 16
  %v68 = add i32 %v67, 10
  %v69 = getelementptr i32, ptr addrspace(1) %out, i32 %v68
  store i32 %v66, ptr addrspace(1) %v69
  %v70 = extractvalue {i32, i1} %v65, 1
  %v71 = zext i1 %v70 to i32
  %v72 = mul i32 %t, 16
  %v73 = add i32 %v72, 11
  %v74 = getelementptr i32, ptr addrspace(1) %out, i32 %v73
  store i32 %v71, ptr addrspace(1) %v74
  %v75 = mul i32 %t, 1
  %v76 = add i32 %v75, 192
  %v77 = getelementptr i32, ptr addrspace(1) %in, i32 %v76
  %v78 = load i32, ptr addrspace(1) %v77
  %v79 = and i32 %v78, 31
  %v80 = call {i32, i1} @llvm.nvvm.shfl.sync.bfly.i32p(i32 -1, i32 %v4, i32 %v79, i32 6175)
  %v81 = extractvalue {i32, i1} %v80, 0
  %v82 = mul i32 %t, 16
  %v83 = add i32 %v82, 12
  %v84 = getelementptr i32, ptr addrspace(1) %out, i32 %v83
  store i32 %v81, ptr addrspace(1) %v84
  %v85 = extractvalue {i32, i1} %v80, 1
  %v86 = zext i1 %v85 to i32
  %v87 = mul i32 %t, 16
  %v88 = add i32 %v87, 13
  %v89 = getelementptr i32, ptr addrspace(1) %out, i32 %v88
  store i32 %v86, ptr addrspace(1) %v89
  %v90 = mul i32 %t, 1
  %v91 = add i32 %v90, 224
  %v92 = getelementptr i32, ptr addrspace(1) %in, i32 %v91
  %v93 = load i32, ptr addrspace(1) %v92
  %v94 = and i32 %v93, 31
  %v95 = call {i32, i1} @llvm.nvvm.shfl.sync.bfly.i32p(i32 -1, i32 %v4, i32 %v94, i32 6175)
  %v96 = extractvalue {i32, i1} %v95, 0
  %v97 = mul i32 %t, 16
  %v98 = add i32 %v97, 14
  %v99 = getelementptr i32, ptr addrspace(1) %out, i32 %v98
  store i32 %v96, ptr addrspace(1) %v99
  %v100 = extractvalue {i32, i1} %v95, 1
  %v101 = zext i1 %v100 to i32
  %v102 = mul i32 %t, 16
  %v103 = add i32 %v102, 15
  %v104 = getelementptr i32, ptr addrspace(1) %out, i32 %v103
  store i32 %v101, ptr addrspace(1) %v104
  ret void
}
define ptx_kernel void @shfl_bfly_f(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 1
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i32, ptr addrspace(1) %in, i32 %v2
  %v4 = load i32, ptr addrspace(1) %v3
  %v5 = call {i32, i1} @llvm.nvvm.shfl.sync.bfly.i32p(i32 -1, i32 %v4, i32 0, i32 15)
  %v6 = extractvalue {i32, i1} %v5, 0
  %v7 = mul i32 %t, 16
  %v8 = add i32 %v7, 0
  %v9 = getelementptr i32, ptr addrspace(1) %out, i32 %v8
  store i32 %v6, ptr addrspace(1) %v9
  %v10 = extractvalue {i32, i1} %v5, 1
  %v11 = zext i1 %v10 to i32
  %v12 = mul i32 %t, 16
  %v13 = add i32 %v12, 1
  %v14 = getelementptr i32, ptr addrspace(1) %out, i32 %v13
  store i32 %v11, ptr addrspace(1) %v14
  %v15 = call {i32, i1} @llvm.nvvm.shfl.sync.bfly.i32p(i32 -1, i32 %v4, i32 3, i32 15)
  %v16 = extractvalue {i32, i1} %v15, 0
  %v17 = mul i32 %t, 16
  %v18 = add i32 %v17, 2
  %v19 = getelementptr i32, ptr addrspace(1) %out, i32 %v18
  store i32 %v16, ptr addrspace(1) %v19
  %v20 = extractvalue {i32, i1} %v15, 1
  %v21 = zext i1 %v20 to i32
  %v22 = mul i32 %t, 16
  %v23 = add i32 %v22, 3
  %v24 = getelementptr i32, ptr addrspace(1) %out, i32 %v23
  store i32 %v21, ptr addrspace(1) %v24
  %v25 = call {i32, i1} @llvm.nvvm.shfl.sync.bfly.i32p(i32 -1, i32 %v4, i32 6, i32 15)
  %v26 = extractvalue {i32, i1} %v25, 0
  %v27 = mul i32 %t, 16
  %v28 = add i32 %v27, 4
  %v29 = getelementptr i32, ptr addrspace(1) %out, i32 %v28
  store i32 %v26, ptr addrspace(1) %v29
  %v30 = extractvalue {i32, i1} %v25, 1
  %v31 = zext i1 %v30 to i32
  %v32 = mul i32 %t, 16
  %v33 = add i32 %v32, 5
  %v34 = getelementptr i32, ptr addrspace(1) %out, i32 %v33
  store i32 %v31, ptr addrspace(1) %v34
  %v35 = call {i32, i1} @llvm.nvvm.shfl.sync.bfly.i32p(i32 -1, i32 %v4, i32 9, i32 15)
  %v36 = extractvalue {i32, i1} %v35, 0
  %v37 = mul i32 %t, 16
  %v38 = add i32 %v37, 6
  %v39 = getelementptr i32, ptr addrspace(1) %out, i32 %v38
  store i32 %v36, ptr addrspace(1) %v39
  %v40 = extractvalue {i32, i1} %v35, 1
  %v41 = zext i1 %v40 to i32
  %v42 = mul i32 %t, 16
  %v43 = add i32 %v42, 7
  %v44 = getelementptr i32, ptr addrspace(1) %out, i32 %v43
  store i32 %v41, ptr addrspace(1) %v44
  %v45 = mul i32 %t, 1
  %v46 = add i32 %v45, 128
  %v47 = getelementptr i32, ptr addrspace(1) %in, i32 %v46
  %v48 = load i32, ptr addrspace(1) %v47
  %v49 = and i32 %v48, 31
  %v50 = call {i32, i1} @llvm.nvvm.shfl.sync.bfly.i32p(i32 -1, i32 %v4, i32 %v49, i32 15)
  %v51 = extractvalue {i32, i1} %v50, 0
  %v52 = mul i32 %t, 16
  %v53 = add i32 %v52, 8
  %v54 = getelementptr i32, ptr addrspace(1) %out, i32 %v53
  store i32 %v51, ptr addrspace(1) %v54
  %v55 = extractvalue {i32, i1} %v50, 1
  %v56 = zext i1 %v55 to i32
  %v57 = mul i32 %t, 16
  %v58 = add i32 %v57, 9
  %v59 = getelementptr i32, ptr addrspace(1) %out, i32 %v58
  store i32 %v56, ptr addrspace(1) %v59
  %v60 = mul i32 %t, 1
  %v61 = add i32 %v60, 160
  %v62 = getelementptr i32, ptr addrspace(1) %in, i32 %v61
  %v63 = load i32, ptr addrspace(1) %v62
  %v64 = and i32 %v63, 31
  %v65 = call {i32, i1} @llvm.nvvm.shfl.sync.bfly.i32p(i32 -1, i32 %v4, i32 %v64, i32 15)
  %v66 = extractvalue {i32, i1} %v65, 0
  %v67 = mul i32 %t, 16
  %v68 = add i32 %v67, 10
  %v69 = getelementptr i32, ptr addrspace(1) %out, i32 %v68
  store i32 %v66, ptr addrspace(1) %v69
  %v70 = extractvalue {i32, i1} %v65, 1
  %v71 = zext i1 %v70 to i32
  %v72 = mul i32 %t, 16
  %v73 = add i32 %v72, 11
  %v74 = getelementptr i32, ptr addrspace(1) %out, i32 %v73
  store i32 %v71, ptr addrspace(1) %v74
  %v75 = mul i32 %t, 1
  %v76 = add i32 %v75, 192
  %v77 = getelementptr i32, ptr addrspace(1) %in, i32 %v76
  %v78 = load i32, ptr addrspace(1) %v77
  %v79 = and i32 %v78, 31
  %v80 = call {i32, i1} @llvm.nvvm.shfl.sync.bfly.i32p(i32 -1, i32 %v4, i32 %v79, i32 15)
  %v81 = extractvalue {i32, i1} %v80, 0
  %v82 = mul i32 %t, 16
  %v83 = add i32 %v82, 12
  %v84 = getelementptr i32, ptr addrspace(1) %out, i32 %v83
  store i32 %v81, ptr addrspace(1) %v84
  %v85 = extractvalue {i32, i1} %v80, 1
  %v86 = zext i1 %v85 to i32
  %v87 = mul i32 %t, 16
  %v88 = add i32 %v87, 13
  %v89 = getelementptr i32, ptr addrspace(1) %out, i32 %v88
  store i32 %v86, ptr addrspace(1) %v89
  %v90 = mul i32 %t, 1
  %v91 = add i32 %v90, 224
  %v92 = getelementptr i32, ptr addrspace(1) %in, i32 %v91
  %v93 = load i32, ptr addrspace(1) %v92
  %v94 = and i32 %v93, 31
  %v95 = call {i32, i1} @llvm.nvvm.shfl.sync.bfly.i32p(i32 -1, i32 %v4, i32 %v94, i32 15)
  %v96 = extractvalue {i32, i1} %v95, 0
  %v97 = mul i32 %t, 16
  %v98 = add i32 %v97, 14
  %v99 = getelementptr i32, ptr addrspace(1) %out, i32 %v98
  store i32 %v96, ptr addrspace(1) %v99
  %v100 = extractvalue {i32, i1} %v95, 1
  %v101 = zext i1 %v100 to i32
  %v102 = mul i32 %t, 16
  %v103 = add i32 %v102, 15
  %v104 = getelementptr i32, ptr addrspace(1) %out, i32 %v103
  store i32 %v101, ptr addrspace(1) %v104
  ret void
}
define ptx_kernel void @shfl_bfly_101f(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 1
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i32, ptr addrspace(1) %in, i32 %v2
  %v4 = load i32, ptr addrspace(1) %v3
  %v5 = call {i32, i1} @llvm.nvvm.shfl.sync.bfly.i32p(i32 -1, i32 %v4, i32 0, i32 4127)
  %v6 = extractvalue {i32, i1} %v5, 0
  %v7 = mul i32 %t, 16
  %v8 = add i32 %v7, 0
  %v9 = getelementptr i32, ptr addrspace(1) %out, i32 %v8
  store i32 %v6, ptr addrspace(1) %v9
  %v10 = extractvalue {i32, i1} %v5, 1
  %v11 = zext i1 %v10 to i32
  %v12 = mul i32 %t, 16
  %v13 = add i32 %v12, 1
  %v14 = getelementptr i32, ptr addrspace(1) %out, i32 %v13
  store i32 %v11, ptr addrspace(1) %v14
  %v15 = call {i32, i1} @llvm.nvvm.shfl.sync.bfly.i32p(i32 -1, i32 %v4, i32 3, i32 4127)
  %v16 = extractvalue {i32, i1} %v15, 0
  %v17 = mul i32 %t, 16
  %v18 = add i32 %v17, 2
  %v19 = getelementptr i32, ptr addrspace(1) %out, i32 %v18
  store i32 %v16, ptr addrspace(1) %v19
  %v20 = extractvalue {i32, i1} %v15, 1
  %v21 = zext i1 %v20 to i32
  %v22 = mul i32 %t, 16
  %v23 = add i32 %v22, 3
  %v24 = getelementptr i32, ptr addrspace(1) %out, i32 %v23
  store i32 %v21, ptr addrspace(1) %v24
  %v25 = call {i32, i1} @llvm.nvvm.shfl.sync.bfly.i32p(i32 -1, i32 %v4, i32 6, i32 4127)
  %v26 = extractvalue {i32, i1} %v25, 0
  %v27 = mul i32 %t, 16
  %v28 = add i32 %v27, 4
  %v29 = getelementptr i32, ptr addrspace(1) %out, i32 %v28
  store i32 %v26, ptr addrspace(1) %v29
  %v30 = extractvalue {i32, i1} %v25, 1
  %v31 = zext i1 %v30 to i32
  %v32 = mul i32 %t, 16
  %v33 = add i32 %v32, 5
  %v34 = getelementptr i32, ptr addrspace(1) %out, i32 %v33
  store i32 %v31, ptr addrspace(1) %v34
  %v35 = call {i32, i1} @llvm.nvvm.shfl.sync.bfly.i32p(i32 -1, i32 %v4, i32 9, i32 4127)
  %v36 = extractvalue {i32, i1} %v35, 0
  %v37 = mul i32 %t, 16
  %v38 = add i32 %v37, 6
  %v39 = getelementptr i32, ptr addrspace(1) %out, i32 %v38
  store i32 %v36, ptr addrspace(1) %v39
  %v40 = extractvalue {i32, i1} %v35, 1
  %v41 = zext i1 %v40 to i32
  %v42 = mul i32 %t, 16
  %v43 = add i32 %v42, 7
  %v44 = getelementptr i32, ptr addrspace(1) %out, i32 %v43
  store i32 %v41, ptr addrspace(1) %v44
  %v45 = mul i32 %t, 1
  %v46 = add i32 %v45, 128
  %v47 = getelementptr i32, ptr addrspace(1) %in, i32 %v46
  %v48 = load i32, ptr addrspace(1) %v47
  %v49 = and i32 %v48, 31
  %v50 = call {i32, i1} @llvm.nvvm.shfl.sync.bfly.i32p(i32 -1, i32 %v4, i32 %v49, i32 4127)
  %v51 = extractvalue {i32, i1} %v50, 0
  %v52 = mul i32 %t, 16
  %v53 = add i32 %v52, 8
  %v54 = getelementptr i32, ptr addrspace(1) %out, i32 %v53
  store i32 %v51, ptr addrspace(1) %v54
  %v55 = extractvalue {i32, i1} %v50, 1
  %v56 = zext i1 %v55 to i32
  %v57 = mul i32 %t, 16
  %v58 = add i32 %v57, 9
  %v59 = getelementptr i32, ptr addrspace(1) %out, i32 %v58
  store i32 %v56, ptr addrspace(1) %v59
  %v60 = mul i32 %t, 1
  %v61 = add i32 %v60, 160
  %v62 = getelementptr i32, ptr addrspace(1) %in, i32 %v61
  %v63 = load i32, ptr addrspace(1) %v62
  %v64 = and i32 %v63, 31
  %v65 = call {i32, i1} @llvm.nvvm.shfl.sync.bfly.i32p(i32 -1, i32 %v4, i32 %v64, i32 4127)
  %v66 = extractvalue {i32, i1} %v65, 0
  %v67 = mul i32 %t, 16
  %v68 = add i32 %v67, 10
  %v69 = getelementptr i32, ptr addrspace(1) %out, i32 %v68
  store i32 %v66, ptr addrspace(1) %v69
  %v70 = extractvalue {i32, i1} %v65, 1
  %v71 = zext i1 %v70 to i32
  %v72 = mul i32 %t, 16
  %v73 = add i32 %v72, 11
  %v74 = getelementptr i32, ptr addrspace(1) %out, i32 %v73
  store i32 %v71, ptr addrspace(1) %v74
  %v75 = mul i32 %t, 1
  %v76 = add i32 %v75, 192
  %v77 = getelementptr i32, ptr addrspace(1) %in, i32 %v76
  %v78 = load i32, ptr addrspace(1) %v77
  %v79 = and i32 %v78, 31
  %v80 = call {i32, i1} @llvm.nvvm.shfl.sync.bfly.i32p(i32 -1, i32 %v4, i32 %v79, i32 4127)
  %v81 = extractvalue {i32, i1} %v80, 0
  %v82 = mul i32 %t, 16
  %v83 = add i32 %v82, 12
  %v84 = getelementptr i32, ptr addrspace(1) %out, i32 %v83
  store i32 %v81, ptr addrspace(1) %v84
  %v85 = extractvalue {i32, i1} %v80, 1
  %v86 = zext i1 %v85 to i32
  %v87 = mul i32 %t, 16
  %v88 = add i32 %v87, 13
  %v89 = getelementptr i32, ptr addrspace(1) %out, i32 %v88
  store i32 %v86, ptr addrspace(1) %v89
  %v90 = mul i32 %t, 1
  %v91 = add i32 %v90, 224
  %v92 = getelementptr i32, ptr addrspace(1) %in, i32 %v91
  %v93 = load i32, ptr addrspace(1) %v92
  %v94 = and i32 %v93, 31
  %v95 = call {i32, i1} @llvm.nvvm.shfl.sync.bfly.i32p(i32 -1, i32 %v4, i32 %v94, i32 4127)
  %v96 = extractvalue {i32, i1} %v95, 0
  %v97 = mul i32 %t, 16
  %v98 = add i32 %v97, 14
  %v99 = getelementptr i32, ptr addrspace(1) %out, i32 %v98
  store i32 %v96, ptr addrspace(1) %v99
  %v100 = extractvalue {i32, i1} %v95, 1
  %v101 = zext i1 %v100 to i32
  %v102 = mul i32 %t, 16
  %v103 = add i32 %v102, 15
  %v104 = getelementptr i32, ptr addrspace(1) %out, i32 %v103
  store i32 %v101, ptr addrspace(1) %v104
  ret void
}
define ptx_kernel void @shfl_down_1f(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 1
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i32, ptr addrspace(1) %in, i32 %v2
  %v4 = load i32, ptr addrspace(1) %v3
  %v5 = call {i32, i1} @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %v4, i32 0, i32 31)
  %v6 = extractvalue {i32, i1} %v5, 0
  %v7 = mul i32 %t, 16
  %v8 = add i32 %v7, 0
  %v9 = getelementptr i32, ptr addrspace(1) %out, i32 %v8
  store i32 %v6, ptr addrspace(1) %v9
  %v10 = extractvalue {i32, i1} %v5, 1
  %v11 = zext i1 %v10 to i32
  %v12 = mul i32 %t, 16
  %v13 = add i32 %v12, 1
  %v14 = getelementptr i32, ptr addrspace(1) %out, i32 %v13
  store i32 %v11, ptr addrspace(1) %v14
  %v15 = call {i32, i1} @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %v4, i32 3, i32 31)
  %v16 = extractvalue {i32, i1} %v15, 0
  %v17 = mul i32 %t, 16
  %v18 = add i32 %v17, 2
  %v19 = getelementptr i32, ptr addrspace(1) %out, i32 %v18
  store i32 %v16, ptr addrspace(1) %v19
  %v20 = extractvalue {i32, i1} %v15, 1
  %v21 = zext i1 %v20 to i32
  %v22 = mul i32 %t, 16
  %v23 = add i32 %v22, 3
  %v24 = getelementptr i32, ptr addrspace(1) %out, i32 %v23
  store i32 %v21, ptr addrspace(1) %v24
  %v25 = call {i32, i1} @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %v4, i32 6, i32 31)
  %v26 = extractvalue {i32, i1} %v25, 0
  %v27 = mul i32 %t, 16
  %v28 = add i32 %v27, 4
  %v29 = getelementptr i32, ptr addrspace(1) %out, i32 %v28
  store i32 %v26, ptr addrspace(1) %v29
  %v30 = extractvalue {i32, i1} %v25, 1
  %v31 = zext i1 %v30 to i32
  %v32 = mul i32 %t, 16
  %v33 = add i32 %v32, 5
  %v34 = getelementptr i32, ptr addrspace(1) %out, i32 %v33
  store i32 %v31, ptr addrspace(1) %v34
  %v35 = call {i32, i1} @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %v4, i32 9, i32 31)
  %v36 = extractvalue {i32, i1} %v35, 0
  %v37 = mul i32 %t, 16
  %v38 = add i32 %v37, 6
  %v39 = getelementptr i32, ptr addrspace(1) %out, i32 %v38
  store i32 %v36, ptr addrspace(1) %v39
  %v40 = extractvalue {i32, i1} %v35, 1
  %v41 = zext i1 %v40 to i32
  %v42 = mul i32 %t, 16
  %v43 = add i32 %v42, 7
  %v44 = getelementptr i32, ptr addrspace(1) %out, i32 %v43
  store i32 %v41, ptr addrspace(1) %v44
  %v45 = mul i32 %t, 1
  %v46 = add i32 %v45, 128
  %v47 = getelementptr i32, ptr addrspace(1) %in, i32 %v46
  %v48 = load i32, ptr addrspace(1) %v47
  %v49 = and i32 %v48, 31
  %v50 = call {i32, i1} @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %v4, i32 %v49, i32 31)
  %v51 = extractvalue {i32, i1} %v50, 0
  %v52 = mul i32 %t, 16
  %v53 = add i32 %v52, 8
  %v54 = getelementptr i32, ptr addrspace(1) %out, i32 %v53
  store i32 %v51, ptr addrspace(1) %v54
  %v55 = extractvalue {i32, i1} %v50, 1
  %v56 = zext i1 %v55 to i32
  %v57 = mul i32 %t, 16
  %v58 = add i32 %v57, 9
  %v59 = getelementptr i32, ptr addrspace(1) %out, i32 %v58
  store i32 %v56, ptr addrspace(1) %v59
  %v60 = mul i32 %t, 1
  %v61 = add i32 %v60, 160
  %v62 = getelementptr i32, ptr addrspace(1) %in, i32 %v61
  %v63 = load i32, ptr addrspace(1) %v62
  %v64 = and i32 %v63, 31
  %v65 = call {i32, i1} @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %v4, i32 %v64, i32 31)
  %v66 = extractvalue {i32, i1} %v65, 0
  %v67 = mul i32 %t, 16
  %v68 = add i32 %v67, 10
  %v69 = getelementptr i32, ptr addrspace(1) %out, i32 %v68
  store i32 %v66, ptr addrspace(1) %v69
  %v70 = extractvalue {i32, i1} %v65, 1
  %v71 = zext i1 %v70 to i32
  %v72 = mul i32 %t, 16
  %v73 = add i32 %v72, 11
  %v74 = getelementptr i32, ptr addrspace(1) %out, i32 %v73
  store i32 %v71, ptr addrspace(1) %v74
  %v75 = mul i32 %t, 1
  %v76 = add i32 %v75, 192
  %v77 = getelementptr i32, ptr addrspace(1) %in, i32 %v76
  %v78 = load i32, ptr addrspace(1) %v77
  %v79 = and i32 %v78, 31
  %v80 = call {i32, i1} @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %v4, i32 %v79, i32 31)
  %v81 = extractvalue {i32, i1} %v80, 0
  %v82 = mul i32 %t, 16
  %v83 = add i32 %v82, 12
  %v84 = getelementptr i32, ptr addrspace(1) %out, i32 %v83
  store i32 %v81, ptr addrspace(1) %v84
  %v85 = extractvalue {i32, i1} %v80, 1
  %v86 = zext i1 %v85 to i32
  %v87 = mul i32 %t, 16
  %v88 = add i32 %v87, 13
  %v89 = getelementptr i32, ptr addrspace(1) %out, i32 %v88
  store i32 %v86, ptr addrspace(1) %v89
  %v90 = mul i32 %t, 1
  %v91 = add i32 %v90, 224
  %v92 = getelementptr i32, ptr addrspace(1) %in, i32 %v91
  %v93 = load i32, ptr addrspace(1) %v92
  %v94 = and i32 %v93, 31
  %v95 = call {i32, i1} @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %v4, i32 %v94, i32 31)
  %v96 = extractvalue {i32, i1} %v95, 0
  %v97 = mul i32 %t, 16
  %v98 = add i32 %v97, 14
  %v99 = getelementptr i32, ptr addrspace(1) %out, i32 %v98
  store i32 %v96, ptr addrspace(1) %v99
  %v100 = extractvalue {i32, i1} %v95, 1
  %v101 = zext i1 %v100 to i32
  %v102 = mul i32 %t, 16
  %v103 = add i32 %v102, 15
  %v104 = getelementptr i32, ptr addrspace(1) %out, i32 %v103
  store i32 %v101, ptr addrspace(1) %v104
  ret void
}
define ptx_kernel void @shfl_down_181f(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 1
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i32, ptr addrspace(1) %in, i32 %v2
  %v4 = load i32, ptr addrspace(1) %v3
  %v5 = call {i32, i1} @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %v4, i32 0, i32 6175)
  %v6 = extractvalue {i32, i1} %v5, 0
  %v7 = mul i32 %t, 16
  %v8 = add i32 %v7, 0
  %v9 = getelementptr i32, ptr addrspace(1) %out, i32 %v8
  store i32 %v6, ptr addrspace(1) %v9
  %v10 = extractvalue {i32, i1} %v5, 1
  %v11 = zext i1 %v10 to i32
  %v12 = mul i32 %t, 16
  %v13 = add i32 %v12, 1
  %v14 = getelementptr i32, ptr addrspace(1) %out, i32 %v13
  store i32 %v11, ptr addrspace(1) %v14
  %v15 = call {i32, i1} @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %v4, i32 3, i32 6175)
  %v16 = extractvalue {i32, i1} %v15, 0
  %v17 = mul i32 %t, 16
  %v18 = add i32 %v17, 2
  %v19 = getelementptr i32, ptr addrspace(1) %out, i32 %v18
  store i32 %v16, ptr addrspace(1) %v19
  %v20 = extractvalue {i32, i1} %v15, 1
  %v21 = zext i1 %v20 to i32
  %v22 = mul i32 %t, 16
  %v23 = add i32 %v22, 3
  %v24 = getelementptr i32, ptr addrspace(1) %out, i32 %v23
  store i32 %v21, ptr addrspace(1) %v24
  %v25 = call {i32, i1} @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %v4, i32 6, i32 6175)
  %v26 = extractvalue {i32, i1} %v25, 0
  %v27 = mul i32 %t, 16
  %v28 = add i32 %v27, 4
  %v29 = getelementptr i32, ptr addrspace(1) %out, i32 %v28
  store i32 %v26, ptr addrspace(1) %v29
  %v30 = extractvalue {i32, i1} %v25, 1
  %v31 = zext i1 %v30 to i32
  %v32 = mul i32 %t, 16
  %v33 = add i32 %v32, 5
  %v34 = getelementptr i32, ptr addrspace(1) %out, i32 %v33
  store i32 %v31, ptr addrspace(1) %v34
  %v35 = call {i32, i1} @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %v4, i32 9, i32 6175)
  %v36 = extractvalue {i32, i1} %v35, 0
  %v37 = mul i32 %t, 16
  %v38 = add i32 %v37, 6
  %v39 = getelementptr i32, ptr addrspace(1) %out, i32 %v38
  store i32 %v36, ptr addrspace(1) %v39
  %v40 = extractvalue {i32, i1} %v35, 1
  %v41 = zext i1 %v40 to i32
  %v42 = mul i32 %t, 16
  %v43 = add i32 %v42, 7
  %v44 = getelementptr i32, ptr addrspace(1) %out, i32 %v43
  store i32 %v41, ptr addrspace(1) %v44
  %v45 = mul i32 %t, 1
  %v46 = add i32 %v45, 128
  %v47 = getelementptr i32, ptr addrspace(1) %in, i32 %v46
  %v48 = load i32, ptr addrspace(1) %v47
  %v49 = and i32 %v48, 31
  %v50 = call {i32, i1} @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %v4, i32 %v49, i32 6175)
  %v51 = extractvalue {i32, i1} %v50, 0
  %v52 = mul i32 %t, 16
  %v53 = add i32 %v52, 8
  %v54 = getelementptr i32, ptr addrspace(1) %out, i32 %v53
  store i32 %v51, ptr addrspace(1) %v54
  %v55 = extractvalue {i32, i1} %v50, 1
  %v56 = zext i1 %v55 to i32
  %v57 = mul i32 %t, 16
  %v58 = add i32 %v57, 9
  %v59 = getelementptr i32, ptr addrspace(1) %out, i32 %v58
  store i32 %v56, ptr addrspace(1) %v59
  %v60 = mul i32 %t, 1
  %v61 = add i32 %v60, 160
  %v62 = getelementptr i32, ptr addrspace(1) %in, i32 %v61
  %v63 = load i32, ptr addrspace(1) %v62
  %v64 = and i32 %v63, 31
  %v65 = call {i32, i1} @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %v4, i32 %v64, i32 6175)
  %v66 = extractvalue {i32, i1} %v65, 0
  %v67 = mul i32 %t, 16
  %v68 = add i32 %v67, 10
  %v69 = getelementptr i32, ptr addrspace(1) %out, i32 %v68
  store i32 %v66, ptr addrspace(1) %v69
  %v70 = extractvalue {i32, i1} %v65, 1
  %v71 = zext i1 %v70 to i32
  %v72 = mul i32 %t, 16
  %v73 = add i32 %v72, 11
  %v74 = getelementptr i32, ptr addrspace(1) %out, i32 %v73
  store i32 %v71, ptr addrspace(1) %v74
  %v75 = mul i32 %t, 1
  %v76 = add i32 %v75, 192
  %v77 = getelementptr i32, ptr addrspace(1) %in, i32 %v76
  %v78 = load i32, ptr addrspace(1) %v77
  %v79 = and i32 %v78, 31
  %v80 = call {i32, i1} @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %v4, i32 %v79, i32 6175)
  %v81 = extractvalue {i32, i1} %v80, 0
  %v82 = mul i32 %t, 16
  %v83 = add i32 %v82, 12
  %v84 = getelementptr i32, ptr addrspace(1) %out, i32 %v83
  store i32 %v81, ptr addrspace(1) %v84
  %v85 = extractvalue {i32, i1} %v80, 1
  %v86 = zext i1 %v85 to i32
  %v87 = mul i32 %t, 16
  %v88 = add i32 %v87, 13
  %v89 = getelementptr i32, ptr addrspace(1) %out, i32 %v88
  store i32 %v86, ptr addrspace(1) %v89
  %v90 = mul i32 %t, 1
  %v91 = add i32 %v90, 224
  %v92 = getelementptr i32, ptr addrspace(1) %in, i32 %v91
  %v93 = load i32, ptr addrspace(1) %v92
  %v94 = and i32 %v93, 31
  %v95 = call {i32, i1} @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %v4, i32 %v94, i32 6175)
  %v96 = extractvalue {i32, i1} %v95, 0
  %v97 = mul i32 %t, 16
  %v98 = add i32 %v97, 14
  %v99 = getelementptr i32, ptr addrspace(1) %out, i32 %v98
  store i32 %v96, ptr addrspace(1) %v99
  %v100 = extractvalue {i32, i1} %v95, 1
  %v101 = zext i1 %v100 to i32
  %v102 = mul i32 %t, 16
  %v103 = add i32 %v102, 15
  %v104 = getelementptr i32, ptr addrspace(1) %out, i32 %v103
  store i32 %v101, ptr addrspace(1) %v104
  ret void
}
define ptx_kernel void @shfl_down_1c1f(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 1
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i32, ptr addrspace(1) %in, i32 %v2
  %v4 = load i32, ptr addrspace(1) %v3
  %v5 = call {i32, i1} @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %v4, i32 0, i32 7199)
  %v6 = extractvalue {i32, i1} %v5, 0
  %v7 = mul i32 %t, 16
  %v8 = add i32 %v7, 0
  %v9 = getelementptr i32, ptr addrspace(1) %out, i32 %v8
  store i32 %v6, ptr addrspace(1) %v9
  %v10 = extractvalue {i32, i1} %v5, 1
  %v11 = zext i1 %v10 to i32
  %v12 = mul i32 %t, 16
  %v13 = add i32 %v12, 1
  %v14 = getelementptr i32, ptr addrspace(1) %out, i32 %v13
  store i32 %v11, ptr addrspace(1) %v14
  %v15 = call {i32, i1} @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %v4, i32 3, i32 7199)
  %v16 = extractvalue {i32, i1} %v15, 0
  %v17 = mul i32 %t, 16
  %v18 = add i32 %v17, 2
  %v19 = getelementptr i32, ptr addrspace(1) %out, i32 %v18
  store i32 %v16, ptr addrspace(1) %v19
  %v20 = extractvalue {i32, i1} %v15, 1
  %v21 = zext i1 %v20 to i32
  %v22 = mul i32 %t, 16
  %v23 = add i32 %v22, 3
  %v24 = getelementptr i32, ptr addrspace(1) %out, i32 %v23
  store i32 %v21, ptr addrspace(1) %v24
  %v25 = call {i32, i1} @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %v4, i32 6, i32 7199)
  %v26 = extractvalue {i32, i1} %v25, 0
  %v27 = mul i32 %t, 16
  %v28 = add i32 %v27, 4
  %v29 = getelementptr i32, ptr addrspace(1) %out, i32 %v28
  store i32 %v26, ptr addrspace(1) %v29
  %v30 = extractvalue {i32, i1} %v25, 1
  %v31 = zext i1 %v30 to i32
  %v32 = mul i32 %t, 16
  %v33 = add i32 %v32, 5
  %v34 = getelementptr i32, ptr addrspace(1) %out, i32 %v33
  store i32 %v31, ptr addrspace(1) %v34
  %v35 = call {i32, i1} @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %v4, i32 9, i32 7199)
  %v36 = extractvalue {i32, i1} %v35, 0
  %v37 = mul i32 %t, 16
  %v38 = add i32 %v37, 6
  %v39 = getelementptr i32, ptr addrspace(1) %out, i32 %v38
  store i32 %v36, ptr addrspace(1) %v39
  %v40 = extractvalue {i32, i1} %v35, 1
  %v41 = zext i1 %v40 to i32
  %v42 = mul i32 %t, 16
  %v43 = add i32 %v42, 7
  %v44 = getelementptr i32, ptr addrspace(1) %out, i32 %v43
  store i32 %v41, ptr addrspace(1) %v44
  %v45 = mul i32 %t, 1
  %v46 = add i32 %v45, 128
  %v47 = getelementptr i32, ptr addrspace(1) %in, i32 %v46
  %v48 = load i32, ptr addrspace(1) %v47
  %v49 = and i32 %v48, 31
  %v50 = call {i32, i1} @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %v4, i32 %v49, i32 7199)
  %v51 = extractvalue {i32, i1} %v50, 0
  %v52 = mul i32 %t, 16
  %v53 = add i32 %v52, 8
  %v54 = getelementptr i32, ptr addrspace(1) %out, i32 %v53
  store i32 %v51, ptr addrspace(1) %v54
  %v55 = extractvalue {i32, i1} %v50, 1
  %v56 = zext i1 %v55 to i32
  %v57 = mul i32 %t, 16
  %v58 = add i32 %v57, 9
  %v59 = getelementptr i32, ptr addrspace(1) %out, i32 %v58
  store i32 %v56, ptr addrspace(1) %v59
  %v60 = mul i32 %t, 1
  %v61 = add i32 %v60, 160
  %v62 = getelementptr i32, ptr addrspace(1) %in, i32 %v61
  %v63 = load i32, ptr addrspace(1) %v62
  %v64 = and i32 %v63, 31
  %v65 = call {i32, i1} @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %v4, i32 %v64, i32 7199)
  %v66 = extractvalue {i32, i1} %v65, 0
  %v67 = mul i32 %t, 16
  %v68 = add i32 %v67, 10
  %v69 = getelementptr i32, ptr addrspace(1) %out, i32 %v68
  store i32 %v66, ptr addrspace(1) %v69
  %v70 = extractvalue {i32, i1} %v65, 1
  %v71 = zext i1 %v70 to i32
  %v72 = mul i32 %t, 16
  %v73 = add i32 %v72, 11
  %v74 = getelementptr i32, ptr addrspace(1) %out, i32 %v73
  store i32 %v71, ptr addrspace(1) %v74
  %v75 = mul i32 %t, 1
  %v76 = add i32 %v75, 192
  %v77 = getelementptr i32, ptr addrspace(1) %in, i32 %v76
  %v78 = load i32, ptr addrspace(1) %v77
  %v79 = and i32 %v78, 31
  %v80 = call {i32, i1} @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %v4, i32 %v79, i32 7199)
  %v81 = extractvalue {i32, i1} %v80, 0
  %v82 = mul i32 %t, 16
  %v83 = add i32 %v82, 12
  %v84 = getelementptr i32, ptr addrspace(1) %out, i32 %v83
  store i32 %v81, ptr addrspace(1) %v84
  %v85 = extractvalue {i32, i1} %v80, 1
  %v86 = zext i1 %v85 to i32
  %v87 = mul i32 %t, 16
  %v88 = add i32 %v87, 13
  %v89 = getelementptr i32, ptr addrspace(1) %out, i32 %v88
  store i32 %v86, ptr addrspace(1) %v89
  %v90 = mul i32 %t, 1
  %v91 = add i32 %v90, 224
  %v92 = getelementptr i32, ptr addrspace(1) %in, i32 %v91
  %v93 = load i32, ptr addrspace(1) %v92
  %v94 = and i32 %v93, 31
  %v95 = call {i32, i1} @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %v4, i32 %v94, i32 7199)
  %v96 = extractvalue {i32, i1} %v95, 0
  %v97 = mul i32 %t, 16
  %v98 = add i32 %v97, 14
  %v99 = getelementptr i32, ptr addrspace(1) %out, i32 %v98
  store i32 %v96, ptr addrspace(1) %v99
  %v100 = extractvalue {i32, i1} %v95, 1
  %v101 = zext i1 %v100 to i32
  %v102 = mul i32 %t, 16
  %v103 = add i32 %v102, 15
  %v104 = getelementptr i32, ptr addrspace(1) %out, i32 %v103
  store i32 %v101, ptr addrspace(1) %v104
  ret void
}
define ptx_kernel void @shfl_down_f(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 1
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i32, ptr addrspace(1) %in, i32 %v2
  %v4 = load i32, ptr addrspace(1) %v3
  %v5 = call {i32, i1} @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %v4, i32 0, i32 15)
  %v6 = extractvalue {i32, i1} %v5, 0
  %v7 = mul i32 %t, 16
  %v8 = add i32 %v7, 0
  %v9 = getelementptr i32, ptr addrspace(1) %out, i32 %v8
  store i32 %v6, ptr addrspace(1) %v9
  %v10 = extractvalue {i32, i1} %v5, 1
  %v11 = zext i1 %v10 to i32
  %v12 = mul i32 %t, 16
  %v13 = add i32 %v12, 1
  %v14 = getelementptr i32, ptr addrspace(1) %out, i32 %v13
  store i32 %v11, ptr addrspace(1) %v14
  %v15 = call {i32, i1} @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %v4, i32 3, i32 15)
  %v16 = extractvalue {i32, i1} %v15, 0
  %v17 = mul i32 %t, 16
  %v18 = add i32 %v17, 2
  %v19 = getelementptr i32, ptr addrspace(1) %out, i32 %v18
  store i32 %v16, ptr addrspace(1) %v19
  %v20 = extractvalue {i32, i1} %v15, 1
  %v21 = zext i1 %v20 to i32
  %v22 = mul i32 %t, 16
  %v23 = add i32 %v22, 3
  %v24 = getelementptr i32, ptr addrspace(1) %out, i32 %v23
  store i32 %v21, ptr addrspace(1) %v24
  %v25 = call {i32, i1} @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %v4, i32 6, i32 15)
  %v26 = extractvalue {i32, i1} %v25, 0
  %v27 = mul i32 %t, 16
  %v28 = add i32 %v27, 4
  %v29 = getelementptr i32, ptr addrspace(1) %out, i32 %v28
  store i32 %v26, ptr addrspace(1) %v29
  %v30 = extractvalue {i32, i1} %v25, 1
  %v31 = zext i1 %v30 to i32
  %v32 = mul i32 %t, 16
  %v33 = add i32 %v32, 5
  %v34 = getelementptr i32, ptr addrspace(1) %out, i32 %v33
  store i32 %v31, ptr addrspace(1) %v34
  %v35 = call {i32, i1} @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %v4, i32 9, i32 15)
  %v36 = extractvalue {i32, i1} %v35, 0
  %v37 = mul i32 %t, 16
  %v38 = add i32 %v37, 6
  %v39 = getelementptr i32, ptr addrspace(1) %out, i32 %v38
  store i32 %v36, ptr addrspace(1) %v39
  %v40 = extractvalue {i32, i1} %v35, 1
  %v41 = zext i1 %v40 to i32
  %v42 = mul i32 %t, 16
  %v43 = add i32 %v42, 7
  %v44 = getelementptr i32, ptr addrspace(1) %out, i32 %v43
  store i32 %v41, ptr addrspace(1) %v44
  %v45 = mul i32 %t, 1
  %v46 = add i32 %v45, 128
  %v47 = getelementptr i32, ptr addrspace(1) %in, i32 %v46
  %v48 = load i32, ptr addrspace(1) %v47
  %v49 = and i32 %v48, 31
  %v50 = call {i32, i1} @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %v4, i32 %v49, i32 15)
  %v51 = extractvalue {i32, i1} %v50, 0
  %v52 = mul i32 %t, 16
  %v53 = add i32 %v52, 8
  %v54 = getelementptr i32, ptr addrspace(1) %out, i32 %v53
  store i32 %v51, ptr addrspace(1) %v54
  %v55 = extractvalue {i32, i1} %v50, 1
  %v56 = zext i1 %v55 to i32
  %v57 = mul i32 %t, 16
  %v58 = add i32 %v57, 9
  %v59 = getelementptr i32, ptr addrspace(1) %out, i32 %v58
  store i32 %v56, ptr addrspace(1) %v59
  %v60 = mul i32 %t, 1
  %v61 = add i32 %v60, 160
  %v62 = getelementptr i32, ptr addrspace(1) %in, i32 %v61
  %v63 = load i32, ptr addrspace(1) %v62
  %v64 = and i32 %v63, 31
  %v65 = call {i32, i1} @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %v4, i32 %v64, i32 15)
  %v66 = extractvalue {i32, i1} %v65, 0
  %v67 = mul i32 %t, 16
  %v68 = add i32 %v67, 10
  %v69 = getelementptr i32, ptr addrspace(1) %out, i32 %v68
  store i32 %v66, ptr addrspace(1) %v69
  %v70 = extractvalue {i32, i1} %v65, 1
  %v71 = zext i1 %v70 to i32
  %v72 = mul i32 %t, 16
  %v73 = add i32 %v72, 11
  %v74 = getelementptr i32, ptr addrspace(1) %out, i32 %v73
  store i32 %v71, ptr addrspace(1) %v74
  %v75 = mul i32 %t, 1
  %v76 = add i32 %v75, 192
  %v77 = getelementptr i32, ptr addrspace(1) %in, i32 %v76
  %v78 = load i32, ptr addrspace(1) %v77
  %v79 = and i32 %v78, 31
  %v80 = call {i32, i1} @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %v4, i32 %v79, i32 15)
  %v81 = extractvalue {i32, i1} %v80, 0
  %v82 = mul i32 %t, 16
  %v83 = add i32 %v82, 12
  %v84 = getelementptr i32, ptr addrspace(1) %out, i32 %v83
  store i32 %v81, ptr addrspace(1) %v84
  %v85 = extractvalue {i32, i1} %v80, 1
  %v86 = zext i1 %v85 to i32
  %v87 = mul i32 %t, 16
  %v88 = add i32 %v87, 13
  %v89 = getelementptr i32, ptr addrspace(1) %out, i32 %v88
  store i32 %v86, ptr addrspace(1) %v89
  %v90 = mul i32 %t, 1
  %v91 = add i32 %v90, 224
  %v92 = getelementptr i32, ptr addrspace(1) %in, i32 %v91
  %v93 = load i32, ptr addrspace(1) %v92
  %v94 = and i32 %v93, 31
  %v95 = call {i32, i1} @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %v4, i32 %v94, i32 15)
  %v96 = extractvalue {i32, i1} %v95, 0
  %v97 = mul i32 %t, 16
  %v98 = add i32 %v97, 14
  %v99 = getelementptr i32, ptr addrspace(1) %out, i32 %v98
  store i32 %v96, ptr addrspace(1) %v99
  %v100 = extractvalue {i32, i1} %v95, 1
  %v101 = zext i1 %v100 to i32
  %v102 = mul i32 %t, 16
  %v103 = add i32 %v102, 15
  %v104 = getelementptr i32, ptr addrspace(1) %out, i32 %v103
  store i32 %v101, ptr addrspace(1) %v104
  ret void
}
define ptx_kernel void @shfl_up_0(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 1
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i32, ptr addrspace(1) %in, i32 %v2
  %v4 = load i32, ptr addrspace(1) %v3
  %v5 = call {i32, i1} @llvm.nvvm.shfl.sync.up.i32p(i32 -1, i32 %v4, i32 0, i32 0)
  %v6 = extractvalue {i32, i1} %v5, 0
  %v7 = mul i32 %t, 16
  %v8 = add i32 %v7, 0
  %v9 = getelementptr i32, ptr addrspace(1) %out, i32 %v8
  store i32 %v6, ptr addrspace(1) %v9
  %v10 = extractvalue {i32, i1} %v5, 1
  %v11 = zext i1 %v10 to i32
  %v12 = mul i32 %t, 16
  %v13 = add i32 %v12, 1
  %v14 = getelementptr i32, ptr addrspace(1) %out, i32 %v13
  store i32 %v11, ptr addrspace(1) %v14
  %v15 = call {i32, i1} @llvm.nvvm.shfl.sync.up.i32p(i32 -1, i32 %v4, i32 3, i32 0)
  %v16 = extractvalue {i32, i1} %v15, 0
  %v17 = mul i32 %t, 16
  %v18 = add i32 %v17, 2
  %v19 = getelementptr i32, ptr addrspace(1) %out, i32 %v18
  store i32 %v16, ptr addrspace(1) %v19
  %v20 = extractvalue {i32, i1} %v15, 1
  %v21 = zext i1 %v20 to i32
  %v22 = mul i32 %t, 16
  %v23 = add i32 %v22, 3
  %v24 = getelementptr i32, ptr addrspace(1) %out, i32 %v23
  store i32 %v21, ptr addrspace(1) %v24
  %v25 = call {i32, i1} @llvm.nvvm.shfl.sync.up.i32p(i32 -1, i32 %v4, i32 6, i32 0)
  %v26 = extractvalue {i32, i1} %v25, 0
  %v27 = mul i32 %t, 16
  %v28 = add i32 %v27, 4
  %v29 = getelementptr i32, ptr addrspace(1) %out, i32 %v28
  store i32 %v26, ptr addrspace(1) %v29
  %v30 = extractvalue {i32, i1} %v25, 1
  %v31 = zext i1 %v30 to i32
  %v32 = mul i32 %t, 16
  %v33 = add i32 %v32, 5
  %v34 = getelementptr i32, ptr addrspace(1) %out, i32 %v33
  store i32 %v31, ptr addrspace(1) %v34
  %v35 = call {i32, i1} @llvm.nvvm.shfl.sync.up.i32p(i32 -1, i32 %v4, i32 9, i32 0)
  %v36 = extractvalue {i32, i1} %v35, 0
  %v37 = mul i32 %t, 16
  %v38 = add i32 %v37, 6
  %v39 = getelementptr i32, ptr addrspace(1) %out, i32 %v38
  store i32 %v36, ptr addrspace(1) %v39
  %v40 = extractvalue {i32, i1} %v35, 1
  %v41 = zext i1 %v40 to i32
  %v42 = mul i32 %t, 16
  %v43 = add i32 %v42, 7
  %v44 = getelementptr i32, ptr addrspace(1) %out, i32 %v43
  store i32 %v41, ptr addrspace(1) %v44
  %v45 = mul i32 %t, 1
  %v46 = add i32 %v45, 128
  %v47 = getelementptr i32, ptr addrspace(1) %in, i32 %v46
  %v48 = load i32, ptr addrspace(1) %v47
  %v49 = and i32 %v48, 31
  %v50 = call {i32, i1} @llvm.nvvm.shfl.sync.up.i32p(i32 -1, i32 %v4, i32 %v49, i32 0)
  %v51 = extractvalue {i32, i1} %v50, 0
  %v52 = mul i32 %t, 16
  %v53 = add i32 %v52, 8
  %v54 = getelementptr i32, ptr addrspace(1) %out, i32 %v53
  store i32 %v51, ptr addrspace(1) %v54
  %v55 = extractvalue {i32, i1} %v50, 1
  %v56 = zext i1 %v55 to i32
  %v57 = mul i32 %t, 16
  %v58 = add i32 %v57, 9
  %v59 = getelementptr i32, ptr addrspace(1) %out, i32 %v58
  store i32 %v56, ptr addrspace(1) %v59
  %v60 = mul i32 %t, 1
  %v61 = add i32 %v60, 160
  %v62 = getelementptr i32, ptr addrspace(1) %in, i32 %v61
  %v63 = load i32, ptr addrspace(1) %v62
  %v64 = and i32 %v63, 31
  %v65 = call {i32, i1} @llvm.nvvm.shfl.sync.up.i32p(i32 -1, i32 %v4, i32 %v64, i32 0)
  %v66 = extractvalue {i32, i1} %v65, 0
  %v67 = mul i32 %t, 16
  %v68 = add i32 %v67, 10
  %v69 = getelementptr i32, ptr addrspace(1) %out, i32 %v68
  store i32 %v66, ptr addrspace(1) %v69
  %v70 = extractvalue {i32, i1} %v65, 1
  %v71 = zext i1 %v70 to i32
  %v72 = mul i32 %t, 16
  %v73 = add i32 %v72, 11
  %v74 = getelementptr i32, ptr addrspace(1) %out, i32 %v73
  store i32 %v71, ptr addrspace(1) %v74
  %v75 = mul i32 %t, 1
  %v76 = add i32 %v75, 192
  %v77 = getelementptr i32, ptr addrspace(1) %in, i32 %v76
  %v78 = load i32, ptr addrspace(1) %v77
  %v79 = and i32 %v78, 31
  %v80 = call {i32, i1} @llvm.nvvm.shfl.sync.up.i32p(i32 -1, i32 %v4, i32 %v79, i32 0)
  %v81 = extractvalue {i32, i1} %v80, 0
  %v82 = mul i32 %t, 16
  %v83 = add i32 %v82, 12
  %v84 = getelementptr i32, ptr addrspace(1) %out, i32 %v83
  store i32 %v81, ptr addrspace(1) %v84
  %v85 = extractvalue {i32, i1} %v80, 1
  %v86 = zext i1 %v85 to i32
  %v87 = mul i32 %t, 16
  %v88 = add i32 %v87, 13
  %v89 = getelementptr i32, ptr addrspace(1) %out, i32 %v88
  store i32 %v86, ptr addrspace(1) %v89
  %v90 = mul i32 %t, 1
  %v91 = add i32 %v90, 224
  %v92 = getelementptr i32, ptr addrspace(1) %in, i32 %v91
  %v93 = load i32, ptr addrspace(1) %v92
  %v94 = and i32 %v93, 31
  %v95 = call {i32, i1} @llvm.nvvm.shfl.sync.up.i32p(i32 -1, i32 %v4, i32 %v94, i32 0)
  %v96 = extractvalue {i32, i1} %v95, 0
  %v97 = mul i32 %t, 16
  %v98 = add i32 %v97, 14
  %v99 = getelementptr i32, ptr addrspace(1) %out, i32 %v98
  store i32 %v96, ptr addrspace(1) %v99
  %v100 = extractvalue {i32, i1} %v95, 1
  %v101 = zext i1 %v100 to i32
  %v102 = mul i32 %t, 16
  %v103 = add i32 %v102, 15
  %v104 = getelementptr i32, ptr addrspace(1) %out, i32 %v103
  store i32 %v101, ptr addrspace(1) %v104
  ret void
}
define ptx_kernel void @shfl_up_1800(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 1
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i32, ptr addrspace(1) %in, i32 %v2
  %v4 = load i32, ptr addrspace(1) %v3
  %v5 = call {i32, i1} @llvm.nvvm.shfl.sync.up.i32p(i32 -1, i32 %v4, i32 0, i32 6144)
  %v6 = extractvalue {i32, i1} %v5, 0
  %v7 = mul i32 %t, 16
  %v8 = add i32 %v7, 0
  %v9 = getelementptr i32, ptr addrspace(1) %out, i32 %v8
  store i32 %v6, ptr addrspace(1) %v9
  %v10 = extractvalue {i32, i1} %v5, 1
  %v11 = zext i1 %v10 to i32
  %v12 = mul i32 %t, 16
  %v13 = add i32 %v12, 1
  %v14 = getelementptr i32, ptr addrspace(1) %out, i32 %v13
  store i32 %v11, ptr addrspace(1) %v14
  %v15 = call {i32, i1} @llvm.nvvm.shfl.sync.up.i32p(i32 -1, i32 %v4, i32 3, i32 6144)
  %v16 = extractvalue {i32, i1} %v15, 0
  %v17 = mul i32 %t, 16
  %v18 = add i32 %v17, 2
  %v19 = getelementptr i32, ptr addrspace(1) %out, i32 %v18
  store i32 %v16, ptr addrspace(1) %v19
  %v20 = extractvalue {i32, i1} %v15, 1
  %v21 = zext i1 %v20 to i32
  %v22 = mul i32 %t, 16
  %v23 = add i32 %v22, 3
  %v24 = getelementptr i32, ptr addrspace(1) %out, i32 %v23
  store i32 %v21, ptr addrspace(1) %v24
  %v25 = call {i32, i1} @llvm.nvvm.shfl.sync.up.i32p(i32 -1, i32 %v4, i32 6, i32 6144)
  %v26 = extractvalue {i32, i1} %v25, 0
  %v27 = mul i32 %t, 16
  %v28 = add i32 %v27, 4
  %v29 = getelementptr i32, ptr addrspace(1) %out, i32 %v28
  store i32 %v26, ptr addrspace(1) %v29
  %v30 = extractvalue {i32, i1} %v25, 1
  %v31 = zext i1 %v30 to i32
  %v32 = mul i32 %t, 16
  %v33 = add i32 %v32, 5
  %v34 = getelementptr i32, ptr addrspace(1) %out, i32 %v33
  store i32 %v31, ptr addrspace(1) %v34
  %v35 = call {i32, i1} @llvm.nvvm.shfl.sync.up.i32p(i32 -1, i32 %v4, i32 9, i32 6144)
  %v36 = extractvalue {i32, i1} %v35, 0
  %v37 = mul i32 %t, 16
  %v38 = add i32 %v37, 6
  %v39 = getelementptr i32, ptr addrspace(1) %out, i32 %v38
  store i32 %v36, ptr addrspace(1) %v39
  %v40 = extractvalue {i32, i1} %v35, 1
  %v41 = zext i1 %v40 to i32
  %v42 = mul i32 %t, 16
  %v43 = add i32 %v42, 7
  %v44 = getelementptr i32, ptr addrspace(1) %out, i32 %v43
  store i32 %v41, ptr addrspace(1) %v44
  %v45 = mul i32 %t, 1
  %v46 = add i32 %v45, 128
  %v47 = getelementptr i32, ptr addrspace(1) %in, i32 %v46
  %v48 = load i32, ptr addrspace(1) %v47
  %v49 = and i32 %v48, 31
  %v50 = call {i32, i1} @llvm.nvvm.shfl.sync.up.i32p(i32 -1, i32 %v4, i32 %v49, i32 6144)
  %v51 = extractvalue {i32, i1} %v50, 0
  %v52 = mul i32 %t, 16
  %v53 = add i32 %v52, 8
  %v54 = getelementptr i32, ptr addrspace(1) %out, i32 %v53
  store i32 %v51, ptr addrspace(1) %v54
  %v55 = extractvalue {i32, i1} %v50, 1
  %v56 = zext i1 %v55 to i32
  %v57 = mul i32 %t, 16
  %v58 = add i32 %v57, 9
  %v59 = getelementptr i32, ptr addrspace(1) %out, i32 %v58
  store i32 %v56, ptr addrspace(1) %v59
  %v60 = mul i32 %t, 1
  %v61 = add i32 %v60, 160
  %v62 = getelementptr i32, ptr addrspace(1) %in, i32 %v61
  %v63 = load i32, ptr addrspace(1) %v62
  %v64 = and i32 %v63, 31
  %v65 = call {i32, i1} @llvm.nvvm.shfl.sync.up.i32p(i32 -1, i32 %v4, i32 %v64, i32 6144)
  %v66 = extractvalue {i32, i1} %v65, 0
  %v67 = mul i32 %t, 16
  %v68 = add i32 %v67, 10
  %v69 = getelementptr i32, ptr addrspace(1) %out, i32 %v68
  store i32 %v66, ptr addrspace(1) %v69
  %v70 = extractvalue {i32, i1} %v65, 1
  %v71 = zext i1 %v70 to i32
  %v72 = mul i32 %t, 16
  %v73 = add i32 %v72, 11
  %v74 = getelementptr i32, ptr addrspace(1) %out, i32 %v73
  store i32 %v71, ptr addrspace(1) %v74
  %v75 = mul i32 %t, 1
  %v76 = add i32 %v75, 192
  %v77 = getelementptr i32, ptr addrspace(1) %in, i32 %v76
  %v78 = load i32, ptr addrspace(1) %v77
  %v79 = and i32 %v78, 31
  %v80 = call {i32, i1} @llvm.nvvm.shfl.sync.up.i32p(i32 -1, i32 %v4, i32 %v79, i32 6144)
  %v81 = extractvalue {i32, i1} %v80, 0
  %v82 = mul i32 %t, 16
  %v83 = add i32 %v82, 12
  %v84 = getelementptr i32, ptr addrspace(1) %out, i32 %v83
  store i32 %v81, ptr addrspace(1) %v84
  %v85 = extractvalue {i32, i1} %v80, 1
  %v86 = zext i1 %v85 to i32
  %v87 = mul i32 %t, 16
  %v88 = add i32 %v87, 13
  %v89 = getelementptr i32, ptr addrspace(1) %out, i32 %v88
  store i32 %v86, ptr addrspace(1) %v89
  %v90 = mul i32 %t, 1
  %v91 = add i32 %v90, 224
  %v92 = getelementptr i32, ptr addrspace(1) %in, i32 %v91
  %v93 = load i32, ptr addrspace(1) %v92
  %v94 = and i32 %v93, 31
  %v95 = call {i32, i1} @llvm.nvvm.shfl.sync.up.i32p(i32 -1, i32 %v4, i32 %v94, i32 6144)
  %v96 = extractvalue {i32, i1} %v95, 0
  %v97 = mul i32 %t, 16
  %v98 = add i32 %v97, 14
  %v99 = getelementptr i32, ptr addrspace(1) %out, i32 %v98
  store i32 %v96, ptr addrspace(1) %v99
  %v100 = extractvalue {i32, i1} %v95, 1
  %v101 = zext i1 %v100 to i32
  %v102 = mul i32 %t, 16
  %v103 = add i32 %v102, 15
  %v104 = getelementptr i32, ptr addrspace(1) %out, i32 %v103
  store i32 %v101, ptr addrspace(1) %v104
  ret void
}
define ptx_kernel void @shfl_up_1c00(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 1
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i32, ptr addrspace(1) %in, i32 %v2
  %v4 = load i32, ptr addrspace(1) %v3
  %v5 = call {i32, i1} @llvm.nvvm.shfl.sync.up.i32p(i32 -1, i32 %v4, i32 0, i32 7168)
  %v6 = extractvalue {i32, i1} %v5, 0
  %v7 = mul i32 %t, 16
  %v8 = add i32 %v7, 0
  %v9 = getelementptr i32, ptr addrspace(1) %out, i32 %v8
  store i32 %v6, ptr addrspace(1) %v9
  %v10 = extractvalue {i32, i1} %v5, 1
  %v11 = zext i1 %v10 to i32
  %v12 = mul i32 %t, 16
  %v13 = add i32 %v12, 1
  %v14 = getelementptr i32, ptr addrspace(1) %out, i32 %v13
  store i32 %v11, ptr addrspace(1) %v14
  %v15 = call {i32, i1} @llvm.nvvm.shfl.sync.up.i32p(i32 -1, i32 %v4, i32 3, i32 7168)
  %v16 = extractvalue {i32, i1} %v15, 0
  %v17 = mul i32 %t, 16
  %v18 = add i32 %v17, 2
  %v19 = getelementptr i32, ptr addrspace(1) %out, i32 %v18
  store i32 %v16, ptr addrspace(1) %v19
  %v20 = extractvalue {i32, i1} %v15, 1
  %v21 = zext i1 %v20 to i32
  %v22 = mul i32 %t, 16
  %v23 = add i32 %v22, 3
  %v24 = getelementptr i32, ptr addrspace(1) %out, i32 %v23
  store i32 %v21, ptr addrspace(1) %v24
  %v25 = call {i32, i1} @llvm.nvvm.shfl.sync.up.i32p(i32 -1, i32 %v4, i32 6, i32 7168)
  %v26 = extractvalue {i32, i1} %v25, 0
  %v27 = mul i32 %t, 16
  %v28 = add i32 %v27, 4
  %v29 = getelementptr i32, ptr addrspace(1) %out, i32 %v28
  store i32 %v26, ptr addrspace(1) %v29
  %v30 = extractvalue {i32, i1} %v25, 1
  %v31 = zext i1 %v30 to i32
  %v32 = mul i32 %t, 16
  %v33 = add i32 %v32, 5
  %v34 = getelementptr i32, ptr addrspace(1) %out, i32 %v33
  store i32 %v31, ptr addrspace(1) %v34
  %v35 = call {i32, i1} @llvm.nvvm.shfl.sync.up.i32p(i32 -1, i32 %v4, i32 9, i32 7168)
  %v36 = extractvalue {i32, i1} %v35, 0
  %v37 = mul i32 %t, 16
  %v38 = add i32 %v37, 6
  %v39 = getelementptr i32, ptr addrspace(1) %out, i32 %v38
  store i32 %v36, ptr addrspace(1) %v39
  %v40 = extractvalue {i32, i1} %v35, 1
  %v41 = zext i1 %v40 to i32
  %v42 = mul i32 %t, 16
  %v43 = add i32 %v42, 7
  %v44 = getelementptr i32, ptr addrspace(1) %out, i32 %v43
  store i32 %v41, ptr addrspace(1) %v44
  %v45 = mul i32 %t, 1
  %v46 = add i32 %v45, 128
  %v47 = getelementptr i32, ptr addrspace(1) %in, i32 %v46
  %v48 = load i32, ptr addrspace(1) %v47
  %v49 = and i32 %v48, 31
  %v50 = call {i32, i1} @llvm.nvvm.shfl.sync.up.i32p(i32 -1, i32 %v4, i32 %v49, i32 7168)
  %v51 = extractvalue {i32, i1} %v50, 0
  %v52 = mul i32 %t, 16
  %v53 = add i32 %v52, 8
  %v54 = getelementptr i32, ptr addrspace(1) %out, i32 %v53
  store i32 %v51, ptr addrspace(1) %v54
  %v55 = extractvalue {i32, i1} %v50, 1
  %v56 = zext i1 %v55 to i32
  %v57 = mul i32 %t, 16
  %v58 = add i32 %v57, 9
  %v59 = getelementptr i32, ptr addrspace(1) %out, i32 %v58
  store i32 %v56, ptr addrspace(1) %v59
  %v60 = mul i32 %t, 1
  %v61 = add i32 %v60, 160
  %v62 = getelementptr i32, ptr addrspace(1) %in, i32 %v61
  %v63 = load i32, ptr addrspace(1) %v62
  %v64 = and i32 %v63, 31
  %v65 = call {i32, i1} @llvm.nvvm.shfl.sync.up.i32p(i32 -1, i32 %v4, i32 %v64, i32 7168)
  %v66 = extractvalue {i32, i1} %v65, 0
  %v67 = mul i32 %t, 16
  %v68 = add i32 %v67, 10
  %v69 = getelementptr i32, ptr addrspace(1) %out, i32 %v68
  store i32 %v66, ptr addrspace(1) %v69
  %v70 = extractvalue {i32, i1} %v65, 1
  %v71 = zext i1 %v70 to i32
  %v72 = mul i32 %t, 16
  %v73 = add i32 %v72, 11
  %v74 = getelementptr i32, ptr addrspace(1) %out, i32 %v73
  store i32 %v71, ptr addrspace(1) %v74
  %v75 = mul i32 %t, 1
  %v76 = add i32 %v75, 192
  %v77 = getelementptr i32, ptr addrspace(1) %in, i32 %v76
  %v78 = load i32, ptr addrspace(1) %v77
  %v79 = and i32 %v78, 31
  %v80 = call {i32, i1} @llvm.nvvm.shfl.sync.up.i32p(i32 -1, i32 %v4, i32 %v79, i32 7168)
  %v81 = extractvalue {i32, i1} %v80, 0
  %v82 = mul i32 %t, 16
  %v83 = add i32 %v82, 12
  %v84 = getelementptr i32, ptr addrspace(1) %out, i32 %v83
  store i32 %v81, ptr addrspace(1) %v84
  %v85 = extractvalue {i32, i1} %v80, 1
  %v86 = zext i1 %v85 to i32
  %v87 = mul i32 %t, 16
  %v88 = add i32 %v87, 13
  %v89 = getelementptr i32, ptr addrspace(1) %out, i32 %v88
  store i32 %v86, ptr addrspace(1) %v89
  %v90 = mul i32 %t, 1
  %v91 = add i32 %v90, 224
  %v92 = getelementptr i32, ptr addrspace(1) %in, i32 %v91
  %v93 = load i32, ptr addrspace(1) %v92
  %v94 = and i32 %v93, 31
  %v95 = call {i32, i1} @llvm.nvvm.shfl.sync.up.i32p(i32 -1, i32 %v4, i32 %v94, i32 7168)
  %v96 = extractvalue {i32, i1} %v95, 0
  %v97 = mul i32 %t, 16
  %v98 = add i32 %v97, 14
  %v99 = getelementptr i32, ptr addrspace(1) %out, i32 %v98
  store i32 %v96, ptr addrspace(1) %v99
  %v100 = extractvalue {i32, i1} %v95, 1
  %v101 = zext i1 %v100 to i32
  %v102 = mul i32 %t, 16
  %v103 = add i32 %v102, 15
  %v104 = getelementptr i32, ptr addrspace(1) %out, i32 %v103
  store i32 %v101, ptr addrspace(1) %v104
  ret void
}
define ptx_kernel void @shfl_up_1000(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 1
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i32, ptr addrspace(1) %in, i32 %v2
  %v4 = load i32, ptr addrspace(1) %v3
  %v5 = call {i32, i1} @llvm.nvvm.shfl.sync.up.i32p(i32 -1, i32 %v4, i32 0, i32 4096)
  %v6 = extractvalue {i32, i1} %v5, 0
  %v7 = mul i32 %t, 16
  %v8 = add i32 %v7, 0
  %v9 = getelementptr i32, ptr addrspace(1) %out, i32 %v8
  store i32 %v6, ptr addrspace(1) %v9
  %v10 = extractvalue {i32, i1} %v5, 1
  %v11 = zext i1 %v10 to i32
  %v12 = mul i32 %t, 16
  %v13 = add i32 %v12, 1
  %v14 = getelementptr i32, ptr addrspace(1) %out, i32 %v13
  store i32 %v11, ptr addrspace(1) %v14
  %v15 = call {i32, i1} @llvm.nvvm.shfl.sync.up.i32p(i32 -1, i32 %v4, i32 3, i32 4096)
  %v16 = extractvalue {i32, i1} %v15, 0
  %v17 = mul i32 %t, 16
  %v18 = add i32 %v17, 2
  %v19 = getelementptr i32, ptr addrspace(1) %out, i32 %v18
  store i32 %v16, ptr addrspace(1) %v19
  %v20 = extractvalue {i32, i1} %v15, 1
  %v21 = zext i1 %v20 to i32
  %v22 = mul i32 %t, 16
  %v23 = add i32 %v22, 3
  %v24 = getelementptr i32, ptr addrspace(1) %out, i32 %v23
  store i32 %v21, ptr addrspace(1) %v24
  %v25 = call {i32, i1} @llvm.nvvm.shfl.sync.up.i32p(i32 -1, i32 %v4, i32 6, i32 4096)
  %v26 = extractvalue {i32, i1} %v25, 0
  %v27 = mul i32 %t, 16
  %v28 = add i32 %v27, 4
  %v29 = getelementptr i32, ptr addrspace(1) %out, i32 %v28
  store i32 %v26, ptr addrspace(1) %v29
  %v30 = extractvalue {i32, i1} %v25, 1
  %v31 = zext i1 %v30 to i32
  %v32 = mul i32 %t, 16
  %v33 = add i32 %v32, 5
  %v34 = getelementptr i32, ptr addrspace(1) %out, i32 %v33
  store i32 %v31, ptr addrspace(1) %v34
  %v35 = call {i32, i1} @llvm.nvvm.shfl.sync.up.i32p(i32 -1, i32 %v4, i32 9, i32 4096)
  %v36 = extractvalue {i32, i1} %v35, 0
  %v37 = mul i32 %t, 16
  %v38 = add i32 %v37, 6
  %v39 = getelementptr i32, ptr addrspace(1) %out, i32 %v38
  store i32 %v36, ptr addrspace(1) %v39
  %v40 = extractvalue {i32, i1} %v35, 1
  %v41 = zext i1 %v40 to i32
  %v42 = mul i32 %t, 16
  %v43 = add i32 %v42, 7
  %v44 = getelementptr i32, ptr addrspace(1) %out, i32 %v43
  store i32 %v41, ptr addrspace(1) %v44
  %v45 = mul i32 %t, 1
  %v46 = add i32 %v45, 128
  %v47 = getelementptr i32, ptr addrspace(1) %in, i32 %v46
  %v48 = load i32, ptr addrspace(1) %v47
  %v49 = and i32 %v48, 31
  %v50 = call {i32, i1} @llvm.nvvm.shfl.sync.up.i32p(i32 -1, i32 %v4, i32 %v49, i32 4096)
  %v51 = extractvalue {i32, i1} %v50, 0
  %v52 = mul i32 %t, 16
  %v53 = add i32 %v52, 8
  %v54 = getelementptr i32, ptr addrspace(1) %out, i32 %v53
  store i32 %v51, ptr addrspace(1) %v54
  %v55 = extractvalue {i32, i1} %v50, 1
  %v56 = zext i1 %v55 to i32
  %v57 = mul i32 %t, 16
  %v58 = add i32 %v57, 9
  %v59 = getelementptr i32, ptr addrspace(1) %out, i32 %v58
  store i32 %v56, ptr addrspace(1) %v59
  %v60 = mul i32 %t, 1
  %v61 = add i32 %v60, 160
  %v62 = getelementptr i32, ptr addrspace(1) %in, i32 %v61
  %v63 = load i32, ptr addrspace(1) %v62
  %v64 = and i32 %v63, 31
  %v65 = call {i32, i1} @llvm.nvvm.shfl.sync.up.i32p(i32 -1, i32 %v4, i32 %v64, i32 4096)
  %v66 = extractvalue {i32, i1} %v65, 0
  %v67 = mul i32 %t, 16
  %v68 = add i32 %v67, 10
  %v69 = getelementptr i32, ptr addrspace(1) %out, i32 %v68
  store i32 %v66, ptr addrspace(1) %v69
  %v70 = extractvalue {i32, i1} %v65, 1
  %v71 = zext i1 %v70 to i32
  %v72 = mul i32 %t, 16
  %v73 = add i32 %v72, 11
  %v74 = getelementptr i32, ptr addrspace(1) %out, i32 %v73
  store i32 %v71, ptr addrspace(1) %v74
  %v75 = mul i32 %t, 1
  %v76 = add i32 %v75, 192
  %v77 = getelementptr i32, ptr addrspace(1) %in, i32 %v76
  %v78 = load i32, ptr addrspace(1) %v77
  %v79 = and i32 %v78, 31
  %v80 = call {i32, i1} @llvm.nvvm.shfl.sync.up.i32p(i32 -1, i32 %v4, i32 %v79, i32 4096)
  %v81 = extractvalue {i32, i1} %v80, 0
  %v82 = mul i32 %t, 16
  %v83 = add i32 %v82, 12
  %v84 = getelementptr i32, ptr addrspace(1) %out, i32 %v83
  store i32 %v81, ptr addrspace(1) %v84
  %v85 = extractvalue {i32, i1} %v80, 1
  %v86 = zext i1 %v85 to i32
  %v87 = mul i32 %t, 16
  %v88 = add i32 %v87, 13
  %v89 = getelementptr i32, ptr addrspace(1) %out, i32 %v88
  store i32 %v86, ptr addrspace(1) %v89
  %v90 = mul i32 %t, 1
  %v91 = add i32 %v90, 224
  %v92 = getelementptr i32, ptr addrspace(1) %in, i32 %v91
  %v93 = load i32, ptr addrspace(1) %v92
  %v94 = and i32 %v93, 31
  %v95 = call {i32, i1} @llvm.nvvm.shfl.sync.up.i32p(i32 -1, i32 %v4, i32 %v94, i32 4096)
  %v96 = extractvalue {i32, i1} %v95, 0
  %v97 = mul i32 %t, 16
  %v98 = add i32 %v97, 14
  %v99 = getelementptr i32, ptr addrspace(1) %out, i32 %v98
  store i32 %v96, ptr addrspace(1) %v99
  %v100 = extractvalue {i32, i1} %v95, 1
  %v101 = zext i1 %v100 to i32
  %v102 = mul i32 %t, 16
  %v103 = add i32 %v102, 15
  %v104 = getelementptr i32, ptr addrspace(1) %out, i32 %v103
  store i32 %v101, ptr addrspace(1) %v104
  ret void
}
define ptx_kernel void @votes(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = icmp ult i32 %t, 0
  %v2 = call i1 @llvm.nvvm.vote.all.sync(i32 -1, i1 %v1)
  %v3 = zext i1 %v2 to i32
  %v4 = mul i32 %t, 20
  %v5 = add i32 %v4, 0
  %v6 = getelementptr i32, ptr addrspace(1) %out, i32 %v5
  store i32 %v3, ptr addrspace(1) %v6
  %v7 = call i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 %v1)
  %v8 = zext i1 %v7 to i32
  %v9 = mul i32 %t, 20
  %v10 = add i32 %v9, 1
  %v11 = getelementptr i32, ptr addrspace(1) %out, i32 %v10
  store i32 %v8, ptr addrspace(1) %v11
  %v12 = call i1 @llvm.nvvm.vote.uni.sync(i32 -1, i1 %v1)
  %v13 = zext i1 %v12 to i32
  %v14 = mul i32 %t, 20
  %v15 = add i32 %v14, 2
  %v16 = getelementptr i32, ptr addrspace(1) %out, i32 %v15
  store i32 %v13, ptr addrspace(1) %v16
  %v17 = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %v1)
  %v18 = mul i32 %t, 20
  %v19 = add i32 %v18, 3
  %v20 = getelementptr i32, ptr addrspace(1) %out, i32 %v19
  store i32 %v17, ptr addrspace(1) %v20
  %v21 = icmp ult i32 %t, 1
  %v22 = call i1 @llvm.nvvm.vote.all.sync(i32 -1, i1 %v21)
  %v23 = zext i1 %v22 to i32
  %v24 = mul i32 %t, 20
  %v25 = add i32 %v24, 4
  %v26 = getelementptr i32, ptr addrspace(1) %out, i32 %v25
  store i32 %v23, ptr addrspace(1) %v26
  %v27 = call i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 %v21)
  %v28 = zext i1 %v27 to i32
  %v29 = mul i32 %t, 20
  %v30 = add i32 %v29, 5
  %v31 = getelementptr i32, ptr addrspace(1) %out, i32 %v30
  store i32 %v28, ptr addrspace(1) %v31
  %v32 = call i1 @llvm.nvvm.vote.uni.sync(i32 -1, i1 %v21)
  %v33 = zext i1 %v32 to i32
  %v34 = mul i32 %t, 20
  %v35 = add i32 %v34, 6
  %v36 = getelementptr i32, ptr addrspace(1) %out, i32 %v35
  store i32 %v33, ptr addrspace(1) %v36
  %v37 = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %v21)
  %v38 = mul i32 %t, 20
  %v39 = add i32 %v38, 7
  %v40 = getelementptr i32, ptr addrspace(1) %out, i32 %v39
  store i32 %v37, ptr addrspace(1) %v40
  %v41 = icmp ult i32 %t, 5
  %v42 = call i1 @llvm.nvvm.vote.all.sync(i32 -1, i1 %v41)
  %v43 = zext i1 %v42 to i32
  %v44 = mul i32 %t, 20
  %v45 = add i32 %v44, 8
  %v46 = getelementptr i32, ptr addrspace(1) %out, i32 %v45
  store i32 %v43, ptr addrspace(1) %v46
  %v47 = call i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 %v41)
  %v48 = zext i1 %v47 to i32
  %v49 = mul i32 %t, 20
  %v50 = add i32 %v49, 9
  %v51 = getelementptr i32, ptr addrspace(1) %out, i32 %v50
  store i32 %v48, ptr addrspace(1) %v51
  %v52 = call i1 @llvm.nvvm.vote.uni.sync(i32 -1, i1 %v41)
  %v53 = zext i1 %v52 to i32
  %v54 = mul i32 %t, 20
  %v55 = add i32 %v54, 10
  %v56 = getelementptr i32, ptr addrspace(1) %out, i32 %v55
  store i32 %v53, ptr addrspace(1) %v56
  %v57 = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %v41)
  %v58 = mul i32 %t, 20
  %v59 = add i32 %v58, 11
  %v60 = getelementptr i32, ptr addrspace(1) %out, i32 %v59
  store i32 %v57, ptr addrspace(1) %v60
  %v61 = icmp ult i32 %t, 31
  %v62 = call i1 @llvm.nvvm.vote.all.sync(i32 -1, i1 %v61)
  %v63 = zext i1 %v62 to i32
  %v64 = mul i32 %t, 20
  %v65 = add i32 %v64, 12
  %v66 = getelementptr i32, ptr addrspace(1) %out, i32 %v65
  store i32 %v63, ptr addrspace(1) %v66
  %v67 = call i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 %v61)
  %v68 = zext i1 %v67 to i32
  %v69 = mul i32 %t, 20
  %v70 = add i32 %v69, 13
  %v71 = getelementptr i32, ptr addrspace(1) %out, i32 %v70
  store i32 %v68, ptr addrspace(1) %v71
  %v72 = call i1 @llvm.nvvm.vote.uni.sync(i32 -1, i1 %v61)
  %v73 = zext i1 %v72 to i32
  %v74 = mul i32 %t, 20
  %v75 = add i32 %v74, 14
  %v76 = getelementptr i32, ptr addrspace(1) %out, i32 %v75
  store i32 %v73, ptr addrspace(1) %v76
  %v77 = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %v61)
  %v78 = mul i32 %t, 20
  %v79 = add i32 %v78, 15
  %v80 = getelementptr i32, ptr addrspace(1) %out, i32 %v79
  store i32 %v77, ptr addrspace(1) %v80
  %v81 = icmp ult i32 %t, 32
  %v82 = call i1 @llvm.nvvm.vote.all.sync(i32 -1, i1 %v81)
  %v83 = zext i1 %v82 to i32
  %v84 = mul i32 %t, 20
  %v85 = add i32 %v84, 16
  %v86 = getelementptr i32, ptr addrspace(1) %out, i32 %v85
  store i32 %v83, ptr addrspace(1) %v86
  %v87 = call i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 %v81)
  %v88 = zext i1 %v87 to i32
  %v89 = mul i32 %t, 20
  %v90 = add i32 %v89, 17
  %v91 = getelementptr i32, ptr addrspace(1) %out, i32 %v90
  store i32 %v88, ptr addrspace(1) %v91
  %v92 = call i1 @llvm.nvvm.vote.uni.sync(i32 -1, i1 %v81)
  %v93 = zext i1 %v92 to i32
  %v94 = mul i32 %t, 20
  %v95 = add i32 %v94, 18
  %v96 = getelementptr i32, ptr addrspace(1) %out, i32 %v95
  store i32 %v93, ptr addrspace(1) %v96
  %v97 = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %v81)
  %v98 = mul i32 %t, 20
  %v99 = add i32 %v98, 19
  %v100 = getelementptr i32, ptr addrspace(1) %out, i32 %v99
  store i32 %v97, ptr addrspace(1) %v100
  ret void
}
define ptx_kernel void @elect(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = call {i32, i1} @llvm.nvvm.elect.sync(i32 -1)
  %v2 = extractvalue {i32, i1} %v1, 0
  %v3 = mul i32 %t, 2
  %v4 = add i32 %v3, 0
  %v5 = getelementptr i32, ptr addrspace(1) %out, i32 %v4
  store i32 %v2, ptr addrspace(1) %v5
  %v6 = extractvalue {i32, i1} %v1, 1
  %v7 = zext i1 %v6 to i32
  %v8 = mul i32 %t, 2
  %v9 = add i32 %v8, 1
  %v10 = getelementptr i32, ptr addrspace(1) %out, i32 %v9
  store i32 %v7, ptr addrspace(1) %v10
  ret void
}
