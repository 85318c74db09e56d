target triple = "nvptx64-nvidia-cuda"
@shared = external addrspace(3) global [0 x i8], align 1024
@bar = internal addrspace(3) global [4 x i64] poison, align 8
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare {float, float, float, float} @llvm.nvvm.mma.m16n8k16.row.col.bf16(i32, i32, i32, i32, i32, i32, float, float, float, float)
declare {float, float, float, float} @llvm.nvvm.mma.m16n8k16.row.col.f32.f32(<2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, float, float, float, float)
declare {float, float, float, float} @llvm.nvvm.mma.m16n8k8.row.col.bf16(i32, i32, i32, float, float, float, float)
declare {float, float, float, float} @llvm.nvvm.mma.m16n8k8.row.col.f32.f32(<2 x half>, <2 x half>, <2 x half>, float, float, float, float)
declare {float, float, float, float} @llvm.nvvm.mma.sp.ordered.metadata.m16n8k16.row.col.bf16(i32, i32, i32, i32, float, float, float, float, i32, i32)
declare {float, float, float, float} @llvm.nvvm.mma.sp.ordered.metadata.m16n8k16.row.col.f32.f32(<2 x half>, <2 x half>, <2 x half>, <2 x half>, float, float, float, float, i32, i32)
declare {float, float, float, float} @llvm.nvvm.mma.sp.ordered.metadata.m16n8k32.row.col.bf16(i32, i32, i32, i32, i32, i32, i32, i32, float, float, float, float, i32, i32)
declare {float, float, float, float} @llvm.nvvm.mma.sp.ordered.metadata.m16n8k32.row.col.f32.f32(<2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, float, float, float, float, i32, i32)
declare {i32, i32, i32, i32} @llvm.nvvm.mma.m16n8k32.row.col.s8(i32, i32, i32, i32, i32, i32, i32, i32, i32, i32)
declare {i32, i32, i32, i32} @llvm.nvvm.mma.m16n8k32.row.col.u8.s8(i32, i32, i32, i32, i32, i32, i32, i32, i32, i32)
declare {i32, i32, i32, i32} @llvm.nvvm.mma.sp.ordered.metadata.m16n8k32.row.col.s8(i32, i32, i32, i32, i32, i32, i32, i32, i32, i32)
declare {i32, i32, i32, i32} @llvm.nvvm.mma.sp.ordered.metadata.m16n8k64.row.col.s8(i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32)
declare {i32, i32, i32, i32} @llvm.nvvm.mma.sp.ordered.metadata.m16n8k64.row.col.u8.s8(i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32)
define ptx_kernel void @mma_k8_f16(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 2
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i32, ptr addrspace(1) %in, i32 %v2
  %v4 = load <2 x half>, ptr addrspace(1) %v3
  %v5 = mul i32 %t, 2
  %v6 = add i32 %v5, 1
  %v7 = getelementptr i32, ptr addrspace(1) %in, i32 %v6
  %v8 = load <2 x half>, ptr addrspace(1) %v7
  %v9 = mul i32 %t, 1
  %v10 = add i32 %v9, 64
  %v11 = getelementptr i32, ptr addrspace(1) %in, i32 %v10
  %v12 = load <2 x half>, ptr addrspace(1) %v11
  %v13 = mul i32 %t, 4
  %v14 = add i32 %v13, 192
  %v15 = getelementptr half, ptr addrspace(1) %in, i32 %v14
  %v16 = load half, ptr addrspace(1) %v15
  %v17 = fpext half %v16 to float
  %v18 = mul i32 %t, 4
  %v19 = add i32 %v18, 193
  %v20 = getelementptr half, ptr addrspace(1) %in, i32 %v19
  %v21 = load half, ptr addrspace(1) %v20
  %v22 = fpext half %v21 to float
  %v23 = mul i32 %t, 4
  %v24 = add i32 %v23, 194
  %v25 = getelementptr half, ptr addrspace(1) %in, i32 %v24
  %v26 = load half, ptr addrspace(1) %v25
  %v27 = fpext half %v26 to float
  %v28 = mul i32 %t, 4
  %v29 = add i32 %v28, 195
  %v30 = getelementptr half, ptr addrspace(1) %in, i32 %v29
  %v31 = load half, ptr addrspace(1) %v30
  %v32 = fpext half %v31 to float
  %v33 = call {float, float, float, float} @llvm.nvvm.mma.m16n8k8.row.col.f32.f32(<2 x half> %v4, <2 x half> %v8, <2 x half> %v12, float %v17, float %v22, float %v27, float %v32)
  %v34 = extractvalue {float, float, float, float} %v33, 0
  %v35 = mul i32 %t, 4
  %v36 = add i32 %v35, 0
  %v37 = getelementptr i32, ptr addrspace(1) %out, i32 %v36
  store float %v34, ptr addrspace(1) %v37
  %v38 = extractvalue {float, float, float, float} %v33, 1
  %v39 = mul i32 %t, 4
  %v40 = add i32 %v39, 1
  %v41 = getelementptr i32, ptr addrspace(1) %out, i32 %v40
  store float %v38, ptr addrspace(1) %v41
  %v42 = extractvalue {float, float, float, float} %v33, 2
  %v43 = mul i32 %t, 4
  %v44 = add i32 %v43, 2
  %v45 = getelementptr i32, ptr addrspace(1) %out, i32 %v44
  store float %v42, ptr addrspace(1) %v45
  %v46 = extractvalue {float, float, float, float} %v33, 3
  %v47 = mul i32 %t, 4
  %v48 = add i32 %v47, 3
  %v49 = getelementptr i32, ptr addrspace(1) %out, i32 %v48
  store float %v46, ptr addrspace(1) %v49
  ret void
}
define ptx_kernel void @mma_k8_bf16(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 2
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i32, ptr addrspace(1) %in, i32 %v2
  %v4 = load i32, ptr addrspace(1) %v3
  %v5 = mul i32 %t, 2
  %v6 = add i32 %v5, 1
  %v7 = getelementptr i32, ptr addrspace(1) %in, i32 %v6
  %v8 = load i32, ptr addrspace(1) %v7
  %v9 = mul i32 %t, 1
  %v10 = add i32 %v9, 64
  %v11 = getelementptr i32, ptr addrspace(1) %in, i32 %v10
  %v12 = load i32, ptr addrspace(1) %v11
  %v13 = mul i32 %t, 4
  %v14 = add i32 %v13, 192
  %v15 = getelementptr half, ptr addrspace(1) %in, i32 %v14
  %v16 = load half, ptr addrspace(1) %v15
  %v17 = fpext half %v16 to float
  %v18 = mul i32 %t, 4
  %v19 = add i32 %v18, 193
  %v20 = getelementptr half, ptr addrspace(1) %in, i32 %v19
  %v21 = load half, ptr addrspace(1) %v20
  %v22 = fpext half %v21 to float
  %v23 = mul i32 %t, 4
  %v24 = add i32 %v23, 194
  %v25 = getelementptr half, ptr addrspace(1) %in, i32 %v24
  %v26 = load half, ptr addrspace(1) %v25
  %v27 = fpext half %v26 to float
  %v28 = mul i32 %t, 4
  %v29 = add i32 %v28, 195
  %v30 = getelementptr half, ptr addrspace(1) %in, i32 %v29
  %v31 = load half, ptr addrspace(1) %v30
  %v32 = fpext half %v31 to float
  %v33 = call {float, float, float, float} @llvm.nvvm.mma.m16n8k8.row.col.bf16(i32 %v4, i32 %v8, i32 %v12, float %v17, float %v22, float %v27, float %v32)
  %v34 = extractvalue {float, float, float, float} %v33, 0
  %v35 = mul i32 %t, 4
  %v36 = add i32 %v35, 0
  %v37 = getelementptr i32, ptr addrspace(1) %out, i32 %v36
  store float %v34, ptr addrspace(1) %v37
  %v38 = extractvalue {float, float, float, float} %v33, 1
  %v39 = mul i32 %t, 4
  %v40 = add i32 %v39, 1
  %v41 = getelementptr i32, ptr addrspace(1) %out, i32 %v40
  store float %v38, ptr addrspace(1) %v41
  %v42 = extractvalue {float, float, float, float} %v33, 2
  %v43 = mul i32 %t, 4
  %v44 = add i32 %v43, 2
  %v45 = getelementptr i32, ptr addrspace(1) %out, i32 %v44
  store float %v42, ptr addrspace(1) %v45
  %v46 = extractvalue {float, float, float, float} %v33, 3
  %v47 = mul i32 %t, 4
  %v48 = add i32 %v47, 3
  %v49 = getelementptr i32, ptr addrspace(1) %out, i32 %v48
  store float %v46, ptr addrspace(1) %v49
  ret void
}
define ptx_kernel void @mma_k16_f16(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 4
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i32, ptr addrspace(1) %in, i32 %v2
  %v4 = load <2 x half>, ptr addrspace(1) %v3
  %v5 = mul i32 %t, 4
  %v6 = add i32 %v5, 1
  %v7 = getelementptr i32, ptr addrspace(1) %in, i32 %v6
  %v8 = load <2 x half>, ptr addrspace(1) %v7
  %v9 = mul i32 %t, 4
  %v10 = add i32 %v9, 2
  %v11 = getelementptr i32, ptr addrspace(1) %in, i32 %v10
  %v12 = load <2 x half>, ptr addrspace(1) %v11
  %v13 = mul i32 %t, 4
  %v14 = add i32 %v13, 3
  %v15 = getelementptr i32, ptr addrspace(1) %in, i32 %v14
  %v16 = load <2 x half>, ptr addrspace(1) %v15
  %v17 = mul i32 %t, 2
  %v18 = add i32 %v17, 128
  %v19 = getelementptr i32, ptr addrspace(1) %in, i32 %v18
  %v20 = load <2 x half>, ptr addrspace(1) %v19
  %v21 = mul i32 %t, 2
  %v22 = add i32 %v21, 129
  %v23 = getelementptr i32, ptr addrspace(1) %in, i32 %v22
  %v24 = load <2 x half>, ptr addrspace(1) %v23
  %v25 = mul i32 %t, 4
  %v26 = add i32 %v25, 384
  %v27 = getelementptr half, ptr addrspace(1) %in, i32 %v26
  %v28 = load half, ptr addrspace(1) %v27
  %v29 = fpext half %v28 to float
  %v30 = mul i32 %t, 4
  %v31 = add i32 %v30, 385
  %v32 = getelementptr half, ptr addrspace(1) %in, i32 %v31
  %v33 = load half, ptr addrspace(1) %v32
  %v34 = fpext half %v33 to float
  %v35 = mul i32 %t, 4
  %v36 = add i32 %v35, 386
  %v37 = getelementptr half, ptr addrspace(1) %in, i32 %v36
  %v38 = load half, ptr addrspace(1) %v37
  %v39 = fpext half %v38 to float
  %v40 = mul i32 %t, 4
  %v41 = add i32 %v40, 387
  %v42 = getelementptr half, ptr addrspace(1) %in, i32 %v41
  %v43 = load half, ptr addrspace(1) %v42
  %v44 = fpext half %v43 to float
  %v45 = call {float, float, float, float} @llvm.nvvm.mma.m16n8k16.row.col.f32.f32(<2 x half> %v4, <2 x half> %v8, <2 x half> %v12, <2 x half> %v16, <2 x half> %v20, <2 x half> %v24, float %v29, float %v34, float %v39, float %v44)
  %v46 = extractvalue {float, float, float, float} %v45, 0
  %v47 = mul i32 %t, 4
  %v48 = add i32 %v47, 0
  %v49 = getelementptr i32, ptr addrspace(1) %out, i32 %v48
  store float %v46, ptr addrspace(1) %v49
  %v50 = extractvalue {float, float, float, float} %v45, 1
  %v51 = mul i32 %t, 4
  %v52 = add i32 %v51, 1
  %v53 = getelementptr i32, ptr addrspace(1) %out, i32 %v52
  store float %v50, ptr addrspace(1) %v53
  %v54 = extractvalue {float, float, float, float} %v45, 2
  %v55 = mul i32 %t, 4
  %v56 = add i32 %v55, 2
  %v57 = getelementptr i32, ptr addrspace(1) %out, i32 %v56
  store float %v54, ptr addrspace(1) %v57
  %v58 = extractvalue {float, float, float, float} %v45, 3
  %v59 = mul i32 %t, 4
  %v60 = add i32 %v59, 3
  %v61 = getelementptr i32, ptr addrspace(1) %out, i32 %v60
  store float %v58, ptr addrspace(1) %v61
  ret void
}
define ptx_kernel void @mma_k16_bf16(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 4
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i32, ptr addrspace(1) %in, i32 %v2
  %v4 = load i32, ptr addrspace(1) %v3
  %v5 = mul i32 %t, 4
  %v6 = add i32 %v5, 1
  %v7 = getelementptr i32, ptr addrspace(1) %in, i32 %v6
  %v8 = load i32, ptr addrspace(1) %v7
  %v9 = mul i32 %t, 4
  %v10 = add i32 %v9, 2
  %v11 = getelementptr i32, ptr addrspace(1) %in, i32 %v10
  %v12 = load i32, ptr addrspace(1) %v11
  %v13 = mul i32 %t, 4
  %v14 = add i32 %v13, 3
  %v15 = getelementptr i32, ptr addrspace(1) %in, i32 %v14
  %v16 = load i32, ptr addrspace(1) %v15
  %v17 = mul i32 %t, 2
  %v18 = add i32 %v17, 128
  %v19 = getelementptr i32, ptr addrspace(1) %in, i32 %v18
  %v20 = load i32, ptr addrspace(1) %v19
  %v21 = mul i32 %t, 2
  %v22 = add i32 %v21, 129
  %v23 = getelementptr i32, ptr addrspace(1) %in, i32 %v22
  %v24 = load i32, ptr addrspace(1) %v23
  %v25 = mul i32 %t, 4
  %v26 = add i32 %v25, 384
  %v27 = getelementptr half, ptr addrspace(1) %in, i32 %v26
  %v28 = load half, ptr addrspace(1) %v27
  %v29 = fpext half %v28 to float
  %v30 = mul i32 %t, 4
  %v31 = add i32 %v30, 385
  %v32 = getelementptr half, ptr addrspace(1) %in, i32 %v31
  %v33 = load half, ptr addrspace(1) %v32
  %v34 = fpext half %v33 to float
  %v35 = mul i32 %t, 4
  %v36 = add i32 %v35, 386
  %v37 = getelementptr half, ptr addrspace(1) %in, i32 %v36
  %v38 = load half, ptr addrspace(1) %v37
  %v39 = fpext half %v38 to float
  %v40 = mul i32 %t, 4
  %v41 = add i32 %v40, 387
  %v42 = getelementptr half, ptr addrspace(1) %in, i32 %v41
  %v43 = load half, ptr addrspace(1) %v42
  %v44 = fpext half %v43 to float
  %v45 = call {float, float, float, float} @llvm.nvvm.mma.m16n8k16.row.col.bf16(i32 %v4, i32 %v8, i32 %v12, i32 %v16, i32 %v20, i32 %v24, float %v29, float %v34, float %v39, float %v44)
  %v46 = extractvalue {float, float, float, float} %v45, 0
  %v47 = mul i32 %t, 4
  %v48 = add i32 %v47, 0
  %v49 = getelementptr i32, ptr addrspace(1) %out, i32 %v48
  store float %v46, ptr addrspace(1) %v49
  %v50 = extractvalue {float, float, float, float} %v45, 1
  %v51 = mul i32 %t, 4
  %v52 = add i32 %v51, 1
  %v53 = getelementptr i32, ptr addrspace(1) %out, i32 %v52
  store float %v50, ptr addrspace(1) %v53
  %v54 = extractvalue {float, float, float, float} %v45, 2
  %v55 = mul i32 %t, 4
  %v56 = add i32 %v55, 2
  %v57 = getelementptr i32, ptr addrspace(1) %out, i32 %v56
  store float %v54, ptr addrspace(1) %v57
  %v58 = extractvalue {float, float, float, float} %v45, 3
  %v59 = mul i32 %t, 4
  %v60 = add i32 %v59, 3
  %v61 = getelementptr i32, ptr addrspace(1) %out, i32 %v60
  store float %v58, ptr addrspace(1) %v61
  ret void
}
define ptx_kernel void @mma_sp_k16_f16_s0(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 2
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i32, ptr addrspace(1) %in, i32 %v2
  %v4 = load <2 x half>, ptr addrspace(1) %v3
  %v5 = mul i32 %t, 2
  %v6 = add i32 %v5, 1
  %v7 = getelementptr i32, ptr addrspace(1) %in, i32 %v6
  %v8 = load <2 x half>, ptr addrspace(1) %v7
  %v9 = mul i32 %t, 2
  %v10 = add i32 %v9, 64
  %v11 = getelementptr i32, ptr addrspace(1) %in, i32 %v10
  %v12 = load <2 x half>, ptr addrspace(1) %v11
  %v13 = mul i32 %t, 2
  %v14 = add i32 %v13, 65
  %v15 = getelementptr i32, ptr addrspace(1) %in, i32 %v14
  %v16 = load <2 x half>, ptr addrspace(1) %v15
  %v17 = mul i32 %t, 4
  %v18 = add i32 %v17, 256
  %v19 = getelementptr half, ptr addrspace(1) %in, i32 %v18
  %v20 = load half, ptr addrspace(1) %v19
  %v21 = fpext half %v20 to float
  %v22 = mul i32 %t, 4
  %v23 = add i32 %v22, 257
  %v24 = getelementptr half, ptr addrspace(1) %in, i32 %v23
  %v25 = load half, ptr addrspace(1) %v24
  %v26 = fpext half %v25 to float
  %v27 = mul i32 %t, 4
  %v28 = add i32 %v27, 258
  %v29 = getelementptr half, ptr addrspace(1) %in, i32 %v28
  %v30 = load half, ptr addrspace(1) %v29
  %v31 = fpext half %v30 to float
  %v32 = mul i32 %t, 4
  %v33 = add i32 %v32, 259
  %v34 = getelementptr half, ptr addrspace(1) %in, i32 %v33
  %v35 = load half, ptr addrspace(1) %v34
  %v36 = fpext half %v35 to float
  %v37 = mul i32 %t, 1
  %v38 = add i32 %v37, 192
  %v39 = getelementptr i32, ptr addrspace(1) %in, i32 %v38
  %v40 = load i32, ptr addrspace(1) %v39
  %v41 = call {float, float, float, float} @llvm.nvvm.mma.sp.ordered.metadata.m16n8k16.row.col.f32.f32(<2 x half> %v4, <2 x half> %v8, <2 x half> %v12, <2 x half> %v16, float %v21, float %v26, float %v31, float %v36, i32 %v40, i32 0)
  %v42 = extractvalue {float, float, float, float} %v41, 0
  %v43 = mul i32 %t, 4
  %v44 = add i32 %v43, 0
  %v45 = getelementptr i32, ptr addrspace(1) %out, i32 %v44
  store float %v42, ptr addrspace(1) %v45
  %v46 = extractvalue {float, float, float, float} %v41, 1
  %v47 = mul i32 %t, 4
  %v48 = add i32 %v47, 1
  %v49 = getelementptr i32, ptr addrspace(1) %out, i32 %v48
  store float %v46, ptr addrspace(1) %v49
  %v50 = extractvalue {float, float, float, float} %v41, 2
  %v51 = mul i32 %t, 4
  %v52 = add i32 %v51, 2
  %v53 = getelementptr i32, ptr addrspace(1) %out, i32 %v52
  store float %v50, ptr addrspace(1) %v53
  %v54 = extractvalue {float, float, float, float} %v41, 3
  %v55 = mul i32 %t, 4
  %v56 = add i32 %v55, 3
  %v57 = getelementptr i32, ptr addrspace(1) %out, i32 %v56
  store float %v54, ptr addrspace(1) %v57
  ret void
}
define ptx_kernel void @mma_sp_k16_f16_s1(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 2
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i32, ptr addrspace(1) %in, i32 %v2
  %v4 = load <2 x half>, ptr addrspace(1) %v3
  %v5 = mul i32 %t, 2
  %v6 = add i32 %v5, 1
  %v7 = getelementptr i32, ptr addrspace(1) %in, i32 %v6
  %v8 = load <2 x half>, ptr addrspace(1) %v7
  %v9 = mul i32 %t, 2
  %v10 = add i32 %v9, 64
  %v11 = getelementptr i32, ptr addrspace(1) %in, i32 %v10
  %v12 = load <2 x half>, ptr addrspace(1) %v11
  %v13 = mul i32 %t, 2
  %v14 = add i32 %v13, 65
  %v15 = getelementptr i32, ptr addrspace(1) %in, i32 %v14
  %v16 = load <2 x half>, ptr addrspace(1) %v15
  %v17 = mul i32 %t, 4
  %v18 = add i32 %v17, 256
  %v19 = getelementptr half, ptr addrspace(1) %in, i32 %v18
  %v20 = load half, ptr addrspace(1) %v19
  %v21 = fpext half %v20 to float
  %v22 = mul i32 %t, 4
  %v23 = add i32 %v22, 257
  %v24 = getelementptr half, ptr addrspace(1) %in, i32 %v23
  %v25 = load half, ptr addrspace(1) %v24
  %v26 = fpext half %v25 to float
  %v27 = mul i32 %t, 4
  %v28 = add i32 %v27, 258
  %v29 = getelementptr half, ptr addrspace(1) %in, i32 %v28
  %v30 = load half, ptr addrspace(1) %v29
  %v31 = fpext half %v30 to float
  %v32 = mul i32 %t, 4
  %v33 = add i32 %v32, 259
  %v34 = getelementptr half, ptr addrspace(1) %in, i32 %v33
  %v35 = load half, ptr addrspace(1) %v34
  %v36 = fpext half %v35 to float
  %v37 = mul i32 %t, 1
  %v38 = add i32 %v37, 192
  %v39 = getelementptr i32, ptr addrspace(1) %in, i32 %v38
  %v40 = load i32, ptr addrspace(1) %v39
  %v41 = call {float, float, float, float} @llvm.nvvm.mma.sp.ordered.metadata.m16n8k16.row.col.f32.f32(<2 x half> %v4, <2 x half> %v8, <2 x half> %v12, <2 x half> %v16, float %v21, float %v26, float %v31, float %v36, i32 %v40, i32 1)
  %v42 = extractvalue {float, float, float, float} %v41, 0
  %v43 = mul i32 %t, 4
  %v44 = add i32 %v43, 0
  %v45 = getelementptr i32, ptr addrspace(1) %out, i32 %v44
  store float %v42, ptr addrspace(1) %v45
  %v46 = extractvalue {float, float, float, float} %v41, 1
  %v47 = mul i32 %t, 4
  %v48 = add i32 %v47, 1
  %v49 = getelementptr i32, ptr addrspace(1) %out, i32 %v48
  store float %v46, ptr addrspace(1) %v49
  %v50 = extractvalue {float, float, float, float} %v41, 2
  %v51 = mul i32 %t, 4
  %v52 = add i32 %v51, 2
  %v53 = getelementptr i32, ptr addrspace(1) %out, i32 %v52
  store float %v50, ptr addrspace(1) %v53
  %v54 = extractvalue {float, float, float, float} %v41, 3
  %v55 = mul i32 %t, 4
  %v56 = add i32 %v55, 3
  %v57 = getelementptr i32, ptr addrspace(1) %out, i32 %v56
  store float %v54, ptr addrspace(1) %v57
  ret void
}
define ptx_kernel void @mma_sp_k16_f16_s2(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 2
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i32, ptr addrspace(1) %in, i32 %v2
  %v4 = load <2 x half>, ptr addrspace(1) %v3
  %v5 = mul i32 %t, 2
  %v6 = add i32 %v5, 1
  %v7 = getelementptr i32, ptr addrspace(1) %in, i32 %v6
  %v8 = load <2 x half>, ptr addrspace(1) %v7
  %v9 = mul i32 %t, 2
  %v10 = add i32 %v9, 64
  %v11 = getelementptr i32, ptr addrspace(1) %in, i32 %v10
  %v12 = load <2 x half>, ptr addrspace(1) %v11
  %v13 = mul i32 %t, 2
  %v14 = add i32 %v13, 65
  %v15 = getelementptr i32, ptr addrspace(1) %in, i32 %v14
  %v16 = load <2 x half>, ptr addrspace(1) %v15
  %v17 = mul i32 %t, 4
  %v18 = add i32 %v17, 256
  %v19 = getelementptr half, ptr addrspace(1) %in, i32 %v18
  %v20 = load half, ptr addrspace(1) %v19
  %v21 = fpext half %v20 to float
  %v22 = mul i32 %t, 4
  %v23 = add i32 %v22, 257
  %v24 = getelementptr half, ptr addrspace(1) %in, i32 %v23
  %v25 = load half, ptr addrspace(1) %v24
  %v26 = fpext half %v25 to float
  %v27 = mul i32 %t, 4
  %v28 = add i32 %v27, 258
  %v29 = getelementptr half, ptr addrspace(1) %in, i32 %v28
  %v30 = load half, ptr addrspace(1) %v29
  %v31 = fpext half %v30 to float
  %v32 = mul i32 %t, 4
  %v33 = add i32 %v32, 259
  %v34 = getelementptr half, ptr addrspace(1) %in, i32 %v33
  %v35 = load half, ptr addrspace(1) %v34
  %v36 = fpext half %v35 to float
  %v37 = mul i32 %t, 1
  %v38 = add i32 %v37, 192
  %v39 = getelementptr i32, ptr addrspace(1) %in, i32 %v38
  %v40 = load i32, ptr addrspace(1) %v39
  %v41 = call {float, float, float, float} @llvm.nvvm.mma.sp.ordered.metadata.m16n8k16.row.col.f32.f32(<2 x half> %v4, <2 x half> %v8, <2 x half> %v12, <2 x half> %v16, float %v21, float %v26, float %v31, float %v36, i32 %v40, i32 2)
  %v42 = extractvalue {float, float, float, float} %v41, 0
  %v43 = mul i32 %t, 4
  %v44 = add i32 %v43, 0
  %v45 = getelementptr i32, ptr addrspace(1) %out, i32 %v44
  store float %v42, ptr addrspace(1) %v45
  %v46 = extractvalue {float, float, float, float} %v41, 1
  %v47 = mul i32 %t, 4
  %v48 = add i32 %v47, 1
  %v49 = getelementptr i32, ptr addrspace(1) %out, i32 %v48
  store float %v46, ptr addrspace(1) %v49
  %v50 = extractvalue {float, float, float, float} %v41, 2
  %v51 = mul i32 %t, 4
  %v52 = add i32 %v51, 2
  %v53 = getelementptr i32, ptr addrspace(1) %out, i32 %v52
  store float %v50, ptr addrspace(1) %v53
  %v54 = extractvalue {float, float, float, float} %v41, 3
  %v55 = mul i32 %t, 4
  %v56 = add i32 %v55, 3
  %v57 = getelementptr i32, ptr addrspace(1) %out, i32 %v56
  store float %v54, ptr addrspace(1) %v57
  ret void
}
define ptx_kernel void @mma_sp_k16_f16_s3(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 2
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i32, ptr addrspace(1) %in, i32 %v2
  %v4 = load <2 x half>, ptr addrspace(1) %v3
  %v5 = mul i32 %t, 2
  %v6 = add i32 %v5, 1
  %v7 = getelementptr i32, ptr addrspace(1) %in, i32 %v6
  %v8 = load <2 x half>, ptr addrspace(1) %v7
  %v9 = mul i32 %t, 2
  %v10 = add i32 %v9, 64
  %v11 = getelementptr i32, ptr addrspace(1) %in, i32 %v10
  %v12 = load <2 x half>, ptr addrspace(1) %v11
  %v13 = mul i32 %t, 2
  %v14 = add i32 %v13, 65
  %v15 = getelementptr i32, ptr addrspace(1) %in, i32 %v14
  %v16 = load <2 x half>, ptr addrspace(1) %v15
  %v17 = mul i32 %t, 4
  %v18 = add i32 %v17, 256
  %v19 = getelementptr half, ptr addrspace(1) %in, i32 %v18
  %v20 = load half, ptr addrspace(1) %v19
  %v21 = fpext half %v20 to float
  %v22 = mul i32 %t, 4
  %v23 = add i32 %v22, 257
  %v24 = getelementptr half, ptr addrspace(1) %in, i32 %v23
  %v25 = load half, ptr addrspace(1) %v24
  %v26 = fpext half %v25 to float
  %v27 = mul i32 %t, 4
  %v28 = add i32 %v27, 258
  %v29 = getelementptr half, ptr addrspace(1) %in, i32 %v28
  %v30 = load half, ptr addrspace(1) %v29
  %v31 = fpext half %v30 to float
  %v32 = mul i32 %t, 4
  %v33 = add i32 %v32, 259
  %v34 = getelementptr half, ptr addrspace(1) %in, i32 %v33
  %v35 = load half, ptr addrspace(1) %v34
  %v36 = fpext half %v35 to float
  %v37 = mul i32 %t, 1
  %v38 = add i32 %v37, 192
  %v39 = getelementptr i32, ptr addrspace(1) %in, i32 %v38
  %v40 = load i32, ptr addrspace(1) %v39
  %v41 = call {float, float, float, float} @llvm.nvvm.mma.sp.ordered.metadata.m16n8k16.row.col.f32.f32(<2 x half> %v4, <2 x half> %v8, <2 x half> %v12, <2 x half> %v16, float %v21, float %v26, float %v31, float %v36, i32 %v40, i32 3)
  %v42 = extractvalue {float, float, float, float} %v41, 0
  %v43 = mul i32 %t, 4
  %v44 = add i32 %v43, 0
  %v45 = getelementptr i32, ptr addrspace(1) %out, i32 %v44
  store float %v42, ptr addrspace(1) %v45
  %v46 = extractvalue {float, float, float, float} %v41, 1
  %v47 = mul i32 %t, 4
  %v48 = add i32 %v47, 1
  %v49 = getelementptr i32, ptr addrspace(1) %out, i32 %v48
  store float %v46, ptr addrspace(1) %v49
  %v50 = extractvalue {float, float, float, float} %v41, 2
  %v51 = mul i32 %t, 4
  %v52 = add i32 %v51, 2
  %v53 = getelementptr i32, ptr addrspace(1) %out, i32 %v52
  store float %v50, ptr addrspace(1) %v53
  %v54 = extractvalue {float, float, float, float} %v41, 3
  %v55 = mul i32 %t, 4
  %v56 = add i32 %v55, 3
  %v57 = getelementptr i32, ptr addrspace(1) %out, i32 %v56
  store float %v54, ptr addrspace(1) %v57
  ret void
}
define ptx_kernel void @mma_sp_k16_bf16_s0(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 2
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i32, ptr addrspace(1) %in, i32 %v2
  %v4 = load i32, ptr addrspace(1) %v3
  %v5 = mul i32 %t, 2
  %v6 = add i32 %v5, 1
  %v7 = getelementptr i32, ptr addrspace(1) %in, i32 %v6
  %v8 = load i32, ptr addrspace(1) %v7
  %v9 = mul i32 %t, 2
  %v10 = add i32 %v9, 64
  %v11 = getelementptr i32, ptr addrspace(1) %in, i32 %v10
  %v12 = load i32, ptr addrspace(1) %v11
  %v13 = mul i32 %t, 2
  %v14 = add i32 %v13, 65
  %v15 = getelementptr i32, ptr addrspace(1) %in, i32 %v14
  %v16 = load i32, ptr addrspace(1) %v15
  %v17 = mul i32 %t, 4
  %v18 = add i32 %v17, 256
  %v19 = getelementptr half, ptr addrspace(1) %in, i32 %v18
  %v20 = load half, ptr addrspace(1) %v19
  %v21 = fpext half %v20 to float
  %v22 = mul i32 %t, 4
  %v23 = add i32 %v22, 257
  %v24 = getelementptr half, ptr addrspace(1) %in, i32 %v23
  %v25 = load half, ptr addrspace(1) %v24
  %v26 = fpext half %v25 to float
  %v27 = mul i32 %t, 4
  %v28 = add i32 %v27, 258
  %v29 = getelementptr half, ptr addrspace(1) %in, i32 %v28
  %v30 = load half, ptr addrspace(1) %v29
  %v31 = fpext half %v30 to float
  %v32 = mul i32 %t, 4
  %v33 = add i32 %v32, 259
  %v34 = getelementptr half, ptr addrspace(1) %in, i32 %v33
  %v35 = load half, ptr addrspace(1) %v34
  %v36 = fpext half %v35 to float
  %v37 = mul i32 %t, 1
  %v38 = add i32 %v37, 192
  %v39 = getelementptr i32, ptr addrspace(1) %in, i32 %v38
  %v40 = load i32, ptr addrspace(1) %v39
  %v41 = call {float, float, float, float} @llvm.nvvm.mma.sp.ordered.metadata.m16n8k16.row.col.bf16(i32 %v4, i32 %v8, i32 %v12, i32 %v16, float %v21, float %v26, float %v31, float %v36, i32 %v40, i32 0)
  %v42 = extractvalue {float, float, float, float} %v41, 0
  %v43 = mul i32 %t, 4
  %v44 = add i32 %v43, 0
  %v45 = getelementptr i32, ptr addrspace(1) %out, i32 %v44
  store float %v42, ptr addrspace(1) %v45
  %v46 = extractvalue {float, float, float, float} %v41, 1
  %v47 = mul i32 %t, 4
  %v48 = add i32 %v47, 1
  %v49 = getelementptr i32, ptr addrspace(1) %out, i32 %v48
  store float %v46, ptr addrspace(1) %v49
  %v50 = extractvalue {float, float, float, float} %v41, 2
  %v51 = mul i32 %t, 4
  %v52 = add i32 %v51, 2
  %v53 = getelementptr i32, ptr addrspace(1) %out, i32 %v52
  store float %v50, ptr addrspace(1) %v53
  %v54 = extractvalue {float, float, float, float} %v41, 3
  %v55 = mul i32 %t, 4
  %v56 = add i32 %v55, 3
  %v57 = getelementptr i32, ptr addrspace(1) %out, i32 %v56
  store float %v54, ptr addrspace(1) %v57
  ret void
}
define ptx_kernel void @mma_sp_k16_bf16_s1(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 2
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i32, ptr addrspace(1) %in, i32 %v2
  %v4 = load i32, ptr addrspace(1) %v3
  %v5 = mul i32 %t, 2
  %v6 = add i32 %v5, 1
  %v7 = getelementptr i32, ptr addrspace(1) %in, i32 %v6
  %v8 = load i32, ptr addrspace(1) %v7
  %v9 = mul i32 %t, 2
  %v10 = add i32 %v9, 64
  %v11 = getelementptr i32, ptr addrspace(1) %in, i32 %v10
  %v12 = load i32, ptr addrspace(1) %v11
  %v13 = mul i32 %t, 2
  %v14 = add i32 %v13, 65
  %v15 = getelementptr i32, ptr addrspace(1) %in, i32 %v14
  %v16 = load i32, ptr addrspace(1) %v15
  %v17 = mul i32 %t, 4
  %v18 = add i32 %v17, 256
  %v19 = getelementptr half, ptr addrspace(1) %in, i32 %v18
  %v20 = load half, ptr addrspace(1) %v19
  %v21 = fpext half %v20 to float
  %v22 = mul i32 %t, 4
  %v23 = add i32 %v22, 257
  %v24 = getelementptr half, ptr addrspace(1) %in, i32 %v23
  %v25 = load half, ptr addrspace(1) %v24
  %v26 = fpext half %v25 to float
  %v27 = mul i32 %t, 4
  %v28 = add i32 %v27, 258
  %v29 = getelementptr half, ptr addrspace(1) %in, i32 %v28
  %v30 = load half, ptr addrspace(1) %v29
  %v31 = fpext half %v30 to float
  %v32 = mul i32 %t, 4
  %v33 = add i32 %v32, 259
  %v34 = getelementptr half, ptr addrspace(1) %in, i32 %v33
  %v35 = load half, ptr addrspace(1) %v34
  %v36 = fpext half %v35 to float
  %v37 = mul i32 %t, 1
  %v38 = add i32 %v37, 192
  %v39 = getelementptr i32, ptr addrspace(1) %in, i32 %v38
  %v40 = load i32, ptr addrspace(1) %v39
  %v41 = call {float, float, float, float} @llvm.nvvm.mma.sp.ordered.metadata.m16n8k16.row.col.bf16(i32 %v4, i32 %v8, i32 %v12, i32 %v16, float %v21, float %v26, float %v31, float %v36, i32 %v40, i32 1)
  %v42 = extractvalue {float, float, float, float} %v41, 0
  %v43 = mul i32 %t, 4
  %v44 = add i32 %v43, 0
  %v45 = getelementptr i32, ptr addrspace(1) %out, i32 %v44
  store float %v42, ptr addrspace(1) %v45
  %v46 = extractvalue {float, float, float, float} %v41, 1
  %v47 = mul i32 %t, 4
  %v48 = add i32 %v47, 1
  %v49 = getelementptr i32, ptr addrspace(1) %out, i32 %v48
  store float %v46, ptr addrspace(1) %v49
  %v50 = extractvalue {float, float, float, float} %v41, 2
  %v51 = mul i32 %t, 4
  %v52 = add i32 %v51, 2
  %v53 = getelementptr i32, ptr addrspace(1) %out, i32 %v52
  store float %v50, ptr addrspace(1) %v53
  %v54 = extractvalue {float, float, float, float} %v41, 3
  %v55 = mul i32 %t, 4
  %v56 = add i32 %v55, 3
  %v57 = getelementptr i32, ptr addrspace(1) %out, i32 %v56
  store float %v54, ptr addrspace(1) %v57
  ret void
}
define ptx_kernel void @mma_sp_k16_bf16_s2(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 2
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i32, ptr addrspace(1) %in, i32 %v2
  %v4 = load i32, ptr addrspace(1) %v3
  %v5 = mul i32 %t, 2
  %v6 = add i32 %v5, 1
  %v7 = getelementptr i32, ptr addrspace(1) %in, i32 %v6
  %v8 = load i32, ptr addrspace(1) %v7
  %v9 = mul i32 %t, 2
  %v10 = add i32 %v9, 64
  %v11 = getelementptr i32, ptr addrspace(1) %in, i32 %v10
  %v12 = load i32, ptr addrspace(1) %v11
  %v13 = mul i32 %t, 2
  %v14 = add i32 %v13, 65
  %v15 = getelementptr i32, ptr addrspace(1) %in, i32 %v14
  %v16 = load i32, ptr addrspace(1) %v15
  %v17 = mul i32 %t, 4
  %v18 = add i32 %v17, 256
  %v19 = getelementptr half, ptr addrspace(1) %in, i32 %v18
  %v20 = load half, ptr addrspace(1) %v19
  %v21 = fpext half %v20 to float
  %v22 = mul i32 %t, 4
  %v23 = add i32 %v22, 257
  %v24 = getelementptr half, ptr addrspace(1) %in, i32 %v23
  %v25 = load half, ptr addrspace(1) %v24
  %v26 = fpext half %v25 to float
  %v27 = mul i32 %t, 4
  %v28 = add i32 %v27, 258
  %v29 = getelementptr half, ptr addrspace(1) %in, i32 %v28
  %v30 = load half, ptr addrspace(1) %v29
  %v31 = fpext half %v30 to float
  %v32 = mul i32 %t, 4
  %v33 = add i32 %v32, 259
  %v34 = getelementptr half, ptr addrspace(1) %in, i32 %v33
  %v35 = load half, ptr addrspace(1) %v34
  %v36 = fpext half %v35 to float
  %v37 = mul i32 %t, 1
  %v38 = add i32 %v37, 192
  %v39 = getelementptr i32, ptr addrspace(1) %in, i32 %v38
  %v40 = load i32, ptr addrspace(1) %v39
  %v41 = call {float, float, float, float} @llvm.nvvm.mma.sp.ordered.metadata.m16n8k16.row.col.bf16(i32 %v4, i32 %v8, i32 %v12, i32 %v16, float %v21, float %v26, float %v31, float %v36, i32 %v40, i32 2)
  %v42 = extractvalue {float, float, float, float} %v41, 0
  %v43 = mul i32 %t, 4
  %v44 = add i32 %v43, 0
  %v45 = getelementptr i32, ptr addrspace(1) %out, i32 %v44
  store float %v42, ptr addrspace(1) %v45
  %v46 = extractvalue {float, float, float, float} %v41, 1
  %v47 = mul i32 %t, 4
  %v48 = add i32 %v47, 1
  %v49 = getelementptr i32, ptr addrspace(1) %out, i32 %v48
  store float %v46, ptr addrspace(1) %v49
  %v50 = extractvalue {float, float, float, float} %v41, 2
  %v51 = mul i32 %t, 4
  %v52 = add i32 %v51, 2
  %v53 = getelementptr i32, ptr addrspace(1) %out, i32 %v52
  store float %v50, ptr addrspace(1) %v53
  %v54 = extractvalue {float, float, float, float} %v41, 3
  %v55 = mul i32 %t, 4
  %v56 = add i32 %v55, 3
  %v57 = getelementptr i32, ptr addrspace(1) %out, i32 %v56
  store float %v54, ptr addrspace(1) %v57
  ret void
}
define ptx_kernel void @mma_sp_k16_bf16_s3(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 2
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i32, ptr addrspace(1) %in, i32 %v2
  %v4 = load i32, ptr addrspace(1) %v3
  %v5 = mul i32 %t, 2
  %v6 = add i32 %v5, 1
  %v7 = getelementptr i32, ptr addrspace(1) %in, i32 %v6
  %v8 = load i32, ptr addrspace(1) %v7
  %v9 = mul i32 %t, 2
  %v10 = add i32 %v9, 64
  %v11 = getelementptr i32, ptr addrspace(1) %in, i32 %v10
  %v12 = load i32, ptr addrspace(1) %v11
  %v13 = mul i32 %t, 2
  %v14 = add i32 %v13, 65
  %v15 = getelementptr i32, ptr addrspace(1) %in, i32 %v14
  %v16 = load i32, ptr addrspace(1) %v15
  %v17 = mul i32 %t, 4
  %v18 = add i32 %v17, 256
  %v19 = getelementptr half, ptr addrspace(1) %in, i32 %v18
  %v20 = load half, ptr addrspace(1) %v19
  %v21 = fpext half %v20 to float
  %v22 = mul i32 %t, 4
  %v23 = add i32 %v22, 257
  %v24 = getelementptr half, ptr addrspace(1) %in, i32 %v23
  %v25 = load half, ptr addrspace(1) %v24
  %v26 = fpext half %v25 to float
  %v27 = mul i32 %t, 4
  %v28 = add i32 %v27, 258
  %v29 = getelementptr half, ptr addrspace(1) %in, i32 %v28
  %v30 = load half, ptr addrspace(1) %v29
  %v31 = fpext half %v30 to float
  %v32 = mul i32 %t, 4
  %v33 = add i32 %v32, 259
  %v34 = getelementptr half, ptr addrspace(1) %in, i32 %v33
  %v35 = load half, ptr addrspace(1) %v34
  %v36 = fpext half %v35 to float
  %v37 = mul i32 %t, 1
  %v38 = add i32 %v37, 192
  %v39 = getelementptr i32, ptr addrspace(1) %in, i32 %v38
  %v40 = load i32, ptr addrspace(1) %v39
  %v41 = call {float, float, float, float} @llvm.nvvm.mma.sp.ordered.metadata.m16n8k16.row.col.bf16(i32 %v4, i32 %v8, i32 %v12, i32 %v16, float %v21, float %v26, float %v31, float %v36, i32 %v40, i32 3)
  %v42 = extractvalue {float, float, float, float} %v41, 0
  %v43 = mul i32 %t, 4
  %v44 = add i32 %v43, 0
  %v45 = getelementptr i32, ptr addrspace(1) %out, i32 %v44
  store float %v42, ptr addrspace(1) %v45
  %v46 = extractvalue {float, float, float, float} %v41, 1
  %v47 = mul i32 %t, 4
  %v48 = add i32 %v47, 1
  %v49 = getelementptr i32, ptr addrspace(1) %out, i32 %v48
  store float %v46, ptr addrspace(1) %v49
  %v50 = extractvalue {float, float, float, float} %v41, 2
  %v51 = mul i32 %t, 4
  %v52 = add i32 %v51, 2
  %v53 = getelementptr i32, ptr addrspace(1) %out, i32 %v52
  store float %v50, ptr addrspace(1) %v53
  %v54 = extractvalue {float, float, float, float} %v41, 3
  %v55 = mul i32 %t, 4
  %v56 = add i32 %v55, 3
  %v57 = getelementptr i32, ptr addrspace(1) %out, i32 %v56
  store float %v54, ptr addrspace(1) %v57
  ret void
}
define ptx_kernel void @mma_sp_k32_f16_s0(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 4
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i32, ptr addrspace(1) %in, i32 %v2
  %v4 = load <2 x half>, ptr addrspace(1) %v3
  %v5 = mul i32 %t, 4
  %v6 = add i32 %v5, 1
  %v7 = getelementptr i32, ptr addrspace(1) %in, i32 %v6
  %v8 = load <2 x half>, ptr addrspace(1) %v7
  %v9 = mul i32 %t, 4
  %v10 = add i32 %v9, 2
  %v11 = getelementptr i32, ptr addrspace(1) %in, i32 %v10
  %v12 = load <2 x half>, ptr addrspace(1) %v11
  %v13 = mul i32 %t, 4
  %v14 = add i32 %v13, 3
  %v15 = getelementptr i32, ptr addrspace(1) %in, i32 %v14
  %v16 = load <2 x half>, ptr addrspace(1) %v15
  %v17 = mul i32 %t, 4
  %v18 = add i32 %v17, 128
  %v19 = getelementptr i32, ptr addrspace(1) %in, i32 %v18
  %v20 = load <2 x half>, ptr addrspace(1) %v19
  %v21 = mul i32 %t, 4
  %v22 = add i32 %v21, 129
  %v23 = getelementptr i32, ptr addrspace(1) %in, i32 %v22
  %v24 = load <2 x half>, ptr addrspace(1) %v23
  %v25 = mul i32 %t, 4
  %v26 = add i32 %v25, 130
  %v27 = getelementptr i32, ptr addrspace(1) %in, i32 %v26
  %v28 = load <2 x half>, ptr addrspace(1) %v27
  %v29 = mul i32 %t, 4
  %v30 = add i32 %v29, 131
  %v31 = getelementptr i32, ptr addrspace(1) %in, i32 %v30
  %v32 = load <2 x half>, ptr addrspace(1) %v31
  %v33 = mul i32 %t, 4
  %v34 = add i32 %v33, 512
  %v35 = getelementptr half, ptr addrspace(1) %in, i32 %v34
  %v36 = load half, ptr addrspace(1) %v35
  %v37 = fpext half %v36 to float
  %v38 = mul i32 %t, 4
  %v39 = add i32 %v38, 513
  %v40 = getelementptr half, ptr addrspace(1) %in, i32 %v39
  %v41 = load half, ptr addrspace(1) %v40
  %v42 = fpext half %v41 to float
  %v43 = mul i32 %t, 4
  %v44 = add i32 %v43, 514
  %v45 = getelementptr half, ptr addrspace(1) %in, i32 %v44
  %v46 = load half, ptr addrspace(1) %v45
  %v47 = fpext half %v46 to float
  %v48 = mul i32 %t, 4
  %v49 = add i32 %v48, 515
  %v50 = getelementptr half, ptr addrspace(1) %in, i32 %v49
  %v51 = load half, ptr addrspace(1) %v50
  %v52 = fpext half %v51 to float
  %v53 = mul i32 %t, 1
  %v54 = add i32 %v53, 320
  %v55 = getelementptr i32, ptr addrspace(1) %in, i32 %v54
  %v56 = load i32, ptr addrspace(1) %v55
  %v57 = call {float, float, float, float} @llvm.nvvm.mma.sp.ordered.metadata.m16n8k32.row.col.f32.f32(<2 x half> %v4, <2 x half> %v8, <2 x half> %v12, <2 x half> %v16, <2 x half> %v20, <2 x half> %v24, <2 x half> %v28, <2 x half> %v32, float %v37, float %v42, float %v47, float %v52, i32 %v56, i32 0)
  %v58 = extractvalue {float, float, float, float} %v57, 0
  %v59 = mul i32 %t, 4
  %v60 = add i32 %v59, 0
  %v61 = getelementptr i32, ptr addrspace(1) %out, i32 %v60
  store float %v58, ptr addrspace(1) %v61
  %v62 = extractvalue {float, float, float, float} %v57, 1
  %v63 = mul i32 %t, 4
  %v64 = add i32 %v63, 1
  %v65 = getelementptr i32, ptr addrspace(1) %out, i32 %v64
  store float %v62, ptr addrspace(1) %v65
  %v66 = extractvalue {float, float, float, float} %v57, 2
  %v67 = mul i32 %t, 4
  %v68 = add i32 %v67, 2
  %v69 = getelementptr i32, ptr addrspace(1) %out, i32 %v68
  store float %v66, ptr addrspace(1) %v69
  %v70 = extractvalue {float, float, float, float} %v57, 3
  %v71 = mul i32 %t, 4
  %v72 = add i32 %v71, 3
  %v73 = getelementptr i32, ptr addrspace(1) %out, i32 %v72
  store float %v70, ptr addrspace(1) %v73
  ret void
}
define ptx_kernel void @mma_sp_k32_f16_s1(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 4
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i32, ptr addrspace(1) %in, i32 %v2
  %v4 = load <2 x half>, ptr addrspace(1) %v3
  %v5 = mul i32 %t, 4
  %v6 = add i32 %v5, 1
  %v7 = getelementptr i32, ptr addrspace(1) %in, i32 %v6
  %v8 = load <2 x half>, ptr addrspace(1) %v7
  %v9 = mul i32 %t, 4
  %v10 = add i32 %v9, 2
  %v11 = getelementptr i32, ptr addrspace(1) %in, i32 %v10
  %v12 = load <2 x half>, ptr addrspace(1) %v11
  %v13 = mul i32 %t, 4
  %v14 = add i32 %v13, 3
  %v15 = getelementptr i32, ptr addrspace(1) %in, i32 %v14
  %v16 = load <2 x half>, ptr addrspace(1) %v15
  %v17 = mul i32 %t, 4
  %v18 = add i32 %v17, 128
  %v19 = getelementptr i32, ptr addrspace(1) %in, i32 %v18
  %v20 = load <2 x half>, ptr addrspace(1) %v19
  %v21 = mul i32 %t, 4
  %v22 = add i32 %v21, 129
  %v23 = getelementptr i32, ptr addrspace(1) %in, i32 %v22
  %v24 = load <2 x half>, ptr addrspace(1) %v23
  %v25 = mul i32 %t, 4
  %v26 = add i32 %v25, 130
  %v27 = getelementptr i32, ptr addrspace(1) %in, i32 %v26
  %v28 = load <2 x half>, ptr addrspace(1) %v27
  %v29 = mul i32 %t, 4
  %v30 = add i32 %v29, 131
  %v31 = getelementptr i32, ptr addrspace(1) %in, i32 %v30
  %v32 = load <2 x half>, ptr addrspace(1) %v31
  %v33 = mul i32 %t, 4
  %v34 = add i32 %v33, 512
  %v35 = getelementptr half, ptr addrspace(1) %in, i32 %v34
  %v36 = load half, ptr addrspace(1) %v35
  %v37 = fpext half %v36 to float
  %v38 = mul i32 %t, 4
  %v39 = add i32 %v38, 513
  %v40 = getelementptr half, ptr addrspace(1) %in, i32 %v39
  %v41 = load half, ptr addrspace(1) %v40
  %v42 = fpext half %v41 to float
  %v43 = mul i32 %t, 4
  %v44 = add i32 %v43, 514
  %v45 = getelementptr half, ptr addrspace(1) %in, i32 %v44
  %v46 = load half, ptr addrspace(1) %v45
  %v47 = fpext half %v46 to float
  %v48 = mul i32 %t, 4
  %v49 = add i32 %v48, 515
  %v50 = getelementptr half, ptr addrspace(1) %in, i32 %v49
  %v51 = load half, ptr addrspace(1) %v50
  %v52 = fpext half %v51 to float
  %v53 = mul i32 %t, 1
  %v54 = add i32 %v53, 320
  %v55 = getelementptr i32, ptr addrspace(1) %in, i32 %v54
  %v56 = load i32, ptr addrspace(1) %v55
  %v57 = call {float, float, float, float} @llvm.nvvm.mma.sp.ordered.metadata.m16n8k32.row.col.f32.f32(<2 x half> %v4, <2 x half> %v8, <2 x half> %v12, <2 x half> %v16, <2 x half> %v20, <2 x half> %v24, <2 x half> %v28, <2 x half> %v32, float %v37, float %v42, float %v47, float %v52, i32 %v56, i32 1)
  %v58 = extractvalue {float, float, float, float} %v57, 0
  %v59 = mul i32 %t, 4
  %v60 = add i32 %v59, 0
  %v61 = getelementptr i32, ptr addrspace(1) %out, i32 %v60
  store float %v58, ptr addrspace(1) %v61
  %v62 = extractvalue {float, float, float, float} %v57, 1
  %v63 = mul i32 %t, 4
  %v64 = add i32 %v63, 1
  %v65 = getelementptr i32, ptr addrspace(1) %out, i32 %v64
  store float %v62, ptr addrspace(1) %v65
  %v66 = extractvalue {float, float, float, float} %v57, 2
  %v67 = mul i32 %t, 4
  %v68 = add i32 %v67, 2
  %v69 = getelementptr i32, ptr addrspace(1) %out, i32 %v68
  store float %v66, ptr addrspace(1) %v69
  %v70 = extractvalue {float, float, float, float} %v57, 3
  %v71 = mul i32 %t, 4
  %v72 = add i32 %v71, 3
  %v73 = getelementptr i32, ptr addrspace(1) %out, i32 %v72
  store float %v70, ptr addrspace(1) %v73
  ret void
}
define ptx_kernel void @mma_sp_k32_bf16_s0(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 4
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i32, ptr addrspace(1) %in, i32 %v2
  %v4 = load i32, ptr addrspace(1) %v3
  %v5 = mul i32 %t, 4
  %v6 = add i32 %v5, 1
  %v7 = getelementptr i32, ptr addrspace(1) %in, i32 %v6
  %v8 = load i32, ptr addrspace(1) %v7
  %v9 = mul i32 %t, 4
  %v10 = add i32 %v9, 2
  %v11 = getelementptr i32, ptr addrspace(1) %in, i32 %v10
  %v12 = load i32, ptr addrspace(1) %v11
  %v13 = mul i32 %t, 4
  %v14 = add i32 %v13, 3
  %v15 = getelementptr i32, ptr addrspace(1) %in, i32 %v14
  %v16 = load i32, ptr addrspace(1) %v15
  %v17 = mul i32 %t, 4
  %v18 = add i32 %v17, 128
  %v19 = getelementptr i32, ptr addrspace(1) %in, i32 %v18
  %v20 = load i32, ptr addrspace(1) %v19
  %v21 = mul i32 %t, 4
  %v22 = add i32 %v21, 129
  %v23 = getelementptr i32, ptr addrspace(1) %in, i32 %v22
  %v24 = load i32, ptr addrspace(1) %v23
  %v25 = mul i32 %t, 4
  %v26 = add i32 %v25, 130
  %v27 = getelementptr i32, ptr addrspace(1) %in, i32 %v26
  %v28 = load i32, ptr addrspace(1) %v27
  %v29 = mul i32 %t, 4
  %v30 = add i32 %v29, 131
  %v31 = getelementptr i32, ptr addrspace(1) %in, i32 %v30
  %v32 = load i32, ptr addrspace(1) %v31
  %v33 = mul i32 %t, 4
  %v34 = add i32 %v33, 512
  %v35 = getelementptr half, ptr addrspace(1) %in, i32 %v34
  %v36 = load half, ptr addrspace(1) %v35
  %v37 = fpext half %v36 to float
  %v38 = mul i32 %t, 4
  %v39 = add i32 %v38, 513
  %v40 = getelementptr half, ptr addrspace(1) %in, i32 %v39
  %v41 = load half, ptr addrspace(1) %v40
  %v42 = fpext half %v41 to float
  %v43 = mul i32 %t, 4
  %v44 = add i32 %v43, 514
  %v45 = getelementptr half, ptr addrspace(1) %in, i32 %v44
  %v46 = load half, ptr addrspace(1) %v45
  %v47 = fpext half %v46 to float
  %v48 = mul i32 %t, 4
  %v49 = add i32 %v48, 515
  %v50 = getelementptr half, ptr addrspace(1) %in, i32 %v49
  %v51 = load half, ptr addrspace(1) %v50
  %v52 = fpext half %v51 to float
  %v53 = mul i32 %t, 1
  %v54 = add i32 %v53, 320
  %v55 = getelementptr i32, ptr addrspace(1) %in, i32 %v54
  %v56 = load i32, ptr addrspace(1) %v55
  %v57 = call {float, float, float, float} @llvm.nvvm.mma.sp.ordered.metadata.m16n8k32.row.col.bf16(i32 %v4, i32 %v8, i32 %v12, i32 %v16, i32 %v20, i32 %v24, i32 %v28, i32 %v32, float %v37, float %v42, float %v47, float %v52, i32 %v56, i32 0)
  %v58 = extractvalue {float, float, float, float} %v57, 0
  %v59 = mul i32 %t, 4
  %v60 = add i32 %v59, 0
  %v61 = getelementptr i32, ptr addrspace(1) %out, i32 %v60
  store float %v58, ptr addrspace(1) %v61
  %v62 = extractvalue {float, float, float, float} %v57, 1
  %v63 = mul i32 %t, 4
  %v64 = add i32 %v63, 1
  %v65 = getelementptr i32, ptr addrspace(1) %out, i32 %v64
  store float %v62, ptr addrspace(1) %v65
  %v66 = extractvalue {float, float, float, float} %v57, 2
  %v67 = mul i32 %t, 4
  %v68 = add i32 %v67, 2
  %v69 = getelementptr i32, ptr addrspace(1) %out, i32 %v68
  store float %v66, ptr addrspace(1) %v69
  %v70 = extractvalue {float, float, float, float} %v57, 3
  %v71 = mul i32 %t, 4
  %v72 = add i32 %v71, 3
  %v73 = getelementptr i32, ptr addrspace(1) %out, i32 %v72
  store float %v70, ptr addrspace(1) %v73
  ret void
}
define ptx_kernel void @mma_sp_k32_bf16_s1(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 4
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i32, ptr addrspace(1) %in, i32 %v2
  %v4 = load i32, ptr addrspace(1) %v3
  %v5 = mul i32 %t, 4
  %v6 = add i32 %v5, 1
  %v7 = getelementptr i32, ptr addrspace(1) %in, i32 %v6
  %v8 = load i32, ptr addrspace(1) %v7
  %v9 = mul i32 %t, 4
  %v10 = add i32 %v9, 2
  %v11 = getelementptr i32, ptr addrspace(1) %in, i32 %v10
  %v12 = load i32, ptr addrspace(1) %v11
  %v13 = mul i32 %t, 4
  %v14 = add i32 %v13, 3
  %v15 = getelementptr i32, ptr addrspace(1) %in, i32 %v14
  %v16 = load i32, ptr addrspace(1) %v15
  %v17 = mul i32 %t, 4
  %v18 = add i32 %v17, 128
  %v19 = getelementptr i32, ptr addrspace(1) %in, i32 %v18
  %v20 = load i32, ptr addrspace(1) %v19
  %v21 = mul i32 %t, 4
  %v22 = add i32 %v21, 129
  %v23 = getelementptr i32, ptr addrspace(1) %in, i32 %v22
  %v24 = load i32, ptr addrspace(1) %v23
  %v25 = mul i32 %t, 4
  %v26 = add i32 %v25, 130
  %v27 = getelementptr i32, ptr addrspace(1) %in, i32 %v26
  %v28 = load i32, ptr addrspace(1) %v27
  %v29 = mul i32 %t, 4
  %v30 = add i32 %v29, 131
  %v31 = getelementptr i32, ptr addrspace(1) %in, i32 %v30
  %v32 = load i32, ptr addrspace(1) %v31
  %v33 = mul i32 %t, 4
  %v34 = add i32 %v33, 512
  %v35 = getelementptr half, ptr addrspace(1) %in, i32 %v34
  %v36 = load half, ptr addrspace(1) %v35
  %v37 = fpext half %v36 to float
  %v38 = mul i32 %t, 4
  %v39 = add i32 %v38, 513
  %v40 = getelementptr half, ptr addrspace(1) %in, i32 %v39
  %v41 = load half, ptr addrspace(1) %v40
  %v42 = fpext half %v41 to float
  %v43 = mul i32 %t, 4
  %v44 = add i32 %v43, 514
  %v45 = getelementptr half, ptr addrspace(1) %in, i32 %v44
  %v46 = load half, ptr addrspace(1) %v45
  %v47 = fpext half %v46 to float
  %v48 = mul i32 %t, 4
  %v49 = add i32 %v48, 515
  %v50 = getelementptr half, ptr addrspace(1) %in, i32 %v49
  %v51 = load half, ptr addrspace(1) %v50
  %v52 = fpext half %v51 to float
  %v53 = mul i32 %t, 1
  %v54 = add i32 %v53, 320
  %v55 = getelementptr i32, ptr addrspace(1) %in, i32 %v54
  %v56 = load i32, ptr addrspace(1) %v55
  %v57 = call {float, float, float, float} @llvm.nvvm.mma.sp.ordered.metadata.m16n8k32.row.col.bf16(i32 %v4, i32 %v8, i32 %v12, i32 %v16, i32 %v20, i32 %v24, i32 %v28, i32 %v32, float %v37, float %v42, float %v47, float %v52, i32 %v56, i32 1)
  %v58 = extractvalue {float, float, float, float} %v57, 0
  %v59 = mul i32 %t, 4
  %v60 = add i32 %v59, 0
  %v61 = getelementptr i32, ptr addrspace(1) %out, i32 %v60
  store float %v58, ptr addrspace(1) %v61
  %v62 = extractvalue {float, float, float, float} %v57, 1
  %v63 = mul i32 %t, 4
  %v64 = add i32 %v63, 1
  %v65 = getelementptr i32, ptr addrspace(1) %out, i32 %v64
  store float %v62, ptr addrspace(1) %v65
  %v66 = extractvalue {float, float, float, float} %v57, 2
  %v67 = mul i32 %t, 4
  %v68 = add i32 %v67, 2
  %v69 = getelementptr i32, ptr addrspace(1) %out, i32 %v68
  store float %v66, ptr addrspace(1) %v69
  %v70 = extractvalue {float, float, float, float} %v57, 3
  %v71 = mul i32 %t, 4
  %v72 = add i32 %v71, 3
  %v73 = getelementptr i32, ptr addrspace(1) %out, i32 %v72
  store float %v70, ptr addrspace(1) %v73
  ret void
}
define ptx_kernel void @mma_k32_u8_s8(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 4
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i32, ptr addrspace(1) %in, i32 %v2
  %v4 = load i32, ptr addrspace(1) %v3
  %v5 = mul i32 %t, 4
  %v6 = add i32 %v5, 1
  %v7 = getelementptr i32, ptr addrspace(1) %in, i32 %v6
  %v8 = load i32, ptr addrspace(1) %v7
  %v9 = mul i32 %t, 4
  %v10 = add i32 %v9, 2
  %v11 = getelementptr i32, ptr addrspace(1) %in, i32 %v10
  %v12 = load i32, ptr addrspace(1) %v11
  %v13 = mul i32 %t, 4
  %v14 = add i32 %v13, 3
  %v15 = getelementptr i32, ptr addrspace(1) %in, i32 %v14
  %v16 = load i32, ptr addrspace(1) %v15
  %v17 = mul i32 %t, 2
  %v18 = add i32 %v17, 128
  %v19 = getelementptr i32, ptr addrspace(1) %in, i32 %v18
  %v20 = load i32, ptr addrspace(1) %v19
  %v21 = mul i32 %t, 2
  %v22 = add i32 %v21, 129
  %v23 = getelementptr i32, ptr addrspace(1) %in, i32 %v22
  %v24 = load i32, ptr addrspace(1) %v23
  %v25 = mul i32 %t, 4
  %v26 = add i32 %v25, 192
  %v27 = getelementptr i32, ptr addrspace(1) %in, i32 %v26
  %v28 = load i32, ptr addrspace(1) %v27
  %v29 = mul i32 %t, 4
  %v30 = add i32 %v29, 193
  %v31 = getelementptr i32, ptr addrspace(1) %in, i32 %v30
  %v32 = load i32, ptr addrspace(1) %v31
  %v33 = mul i32 %t, 4
  %v34 = add i32 %v33, 194
  %v35 = getelementptr i32, ptr addrspace(1) %in, i32 %v34
  %v36 = load i32, ptr addrspace(1) %v35
  %v37 = mul i32 %t, 4
  %v38 = add i32 %v37, 195
  %v39 = getelementptr i32, ptr addrspace(1) %in, i32 %v38
  %v40 = load i32, ptr addrspace(1) %v39
  %v41 = call {i32, i32, i32, i32} @llvm.nvvm.mma.m16n8k32.row.col.u8.s8(i32 %v4, i32 %v8, i32 %v12, i32 %v16, i32 %v20, i32 %v24, i32 %v28, i32 %v32, i32 %v36, i32 %v40)
  %v42 = extractvalue {i32, i32, i32, i32} %v41, 0
  %v43 = mul i32 %t, 4
  %v44 = add i32 %v43, 0
  %v45 = getelementptr i32, ptr addrspace(1) %out, i32 %v44
  store i32 %v42, ptr addrspace(1) %v45
  %v46 = extractvalue {i32, i32, i32, i32} %v41, 1
  %v47 = mul i32 %t, 4
  %v48 = add i32 %v47, 1
  %v49 = getelementptr i32, ptr addrspace(1) %out, i32 %v48
  store i32 %v46, ptr addrspace(1) %v49
  %v50 = extractvalue {i32, i32, i32, i32} %v41, 2
  %v51 = mul i32 %t, 4
  %v52 = add i32 %v51, 2
  %v53 = getelementptr i32, ptr addrspace(1) %out, i32 %v52
  store i32 %v50, ptr addrspace(1) %v53
  %v54 = extractvalue {i32, i32, i32, i32} %v41, 3
  %v55 = mul i32 %t, 4
  %v56 = add i32 %v55, 3
  %v57 = getelementptr i32, ptr addrspace(1) %out, i32 %v56
  store i32 %v54, ptr addrspace(1) %v57
  ret void
}
define ptx_kernel void @mma_k32_s8(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 4
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i32, ptr addrspace(1) %in, i32 %v2
  %v4 = load i32, ptr addrspace(1) %v3
  %v5 = mul i32 %t, 4
  %v6 = add i32 %v5, 1
  %v7 = getelementptr i32, ptr addrspace(1) %in, i32 %v6
  %v8 = load i32, ptr addrspace(1) %v7
  %v9 = mul i32 %t, 4
  %v10 = add i32 %v9, 2
  %v11 = getelementptr i32, ptr addrspace(1) %in, i32 %v10
  %v12 = load i32, ptr addrspace(1) %v11
  %v13 = mul i32 %t, 4
  %v14 = add i32 %v13, 3
  %v15 = getelementptr i32, ptr addrspace(1) %in, i32 %v14
  %v16 = load i32, ptr addrspace(1) %v15
  %v17 = mul i32 %t, 2
  %v18 = add i32 %v17, 128
  %v19 = getelementptr i32, ptr addrspace(1) %in, i32 %v18
  %v20 = load i32, ptr addrspace(1) %v19
  %v21 = mul i32 %t, 2
  %v22 = add i32 %v21, 129
  %v23 = getelementptr i32, ptr addrspace(1) %in, i32 %v22
  %v24 = load i32, ptr addrspace(1) %v23
  %v25 = mul i32 %t, 4
  %v26 = add i32 %v25, 192
  %v27 = getelementptr i32, ptr addrspace(1) %in, i32 %v26
  %v28 = load i32, ptr addrspace(1) %v27
  %v29 = mul i32 %t, 4
  %v30 = add i32 %v29, 193
  %v31 = getelementptr i32, ptr addrspace(1) %in, i32 %v30
  %v32 = load i32, ptr addrspace(1) %v31
  %v33 = mul i32 %t, 4
  %v34 = add i32 %v33, 194
  %v35 = getelementptr i32, ptr addrspace(1) %in, i32 %v34
  %v36 = load i32, ptr addrspace(1) %v35
  %v37 = mul i32 %t, 4
  %v38 = add i32 %v37, 195
  %v39 = getelementptr i32, ptr addrspace(1) %in, i32 %v38
  %v40 = load i32, ptr addrspace(1) %v39
  %v41 = call {i32, i32, i32, i32} @llvm.nvvm.mma.m16n8k32.row.col.s8(i32 %v4, i32 %v8, i32 %v12, i32 %v16, i32 %v20, i32 %v24, i32 %v28, i32 %v32, i32 %v36, i32 %v40)
  %v42 = extractvalue {i32, i32, i32, i32} %v41, 0
  %v43 = mul i32 %t, 4
  %v44 = add i32 %v43, 0
  %v45 = getelementptr i32, ptr addrspace(1) %out, i32 %v44
  store i32 %v42, ptr addrspace(1) %v45
  %v46 = extractvalue {i32, i32, i32, i32} %v41, 1
  %v47 = mul i32 %t, 4
  %v48 = add i32 %v47, 1
  %v49 = getelementptr i32, ptr addrspace(1) %out, i32 %v48
  store i32 %v46, ptr addrspace(1) %v49
  %v50 = extractvalue {i32, i32, i32, i32} %v41, 2
  %v51 = mul i32 %t, 4
  %v52 = add i32 %v51, 2
  %v53 = getelementptr i32, ptr addrspace(1) %out, i32 %v52
  store i32 %v50, ptr addrspace(1) %v53
  %v54 = extractvalue {i32, i32, i32, i32} %v41, 3
  %v55 = mul i32 %t, 4
  %v56 = add i32 %v55, 3
  %v57 = getelementptr i32, ptr addrspace(1) %out, i32 %v56
  store i32 %v54, ptr addrspace(1) %v57
  ret void
}
define ptx_kernel void @mma_sp_k32_s8_s0(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 2
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i32, ptr addrspace(1) %in, i32 %v2
  %v4 = load i32, ptr addrspace(1) %v3
  %v5 = mul i32 %t, 2
  %v6 = add i32 %v5, 1
  %v7 = getelementptr i32, ptr addrspace(1) %in, i32 %v6
  %v8 = load i32, ptr addrspace(1) %v7
  %v9 = mul i32 %t, 2
  %v10 = add i32 %v9, 64
  %v11 = getelementptr i32, ptr addrspace(1) %in, i32 %v10
  %v12 = load i32, ptr addrspace(1) %v11
  %v13 = mul i32 %t, 2
  %v14 = add i32 %v13, 65
  %v15 = getelementptr i32, ptr addrspace(1) %in, i32 %v14
  %v16 = load i32, ptr addrspace(1) %v15
  %v17 = mul i32 %t, 4
  %v18 = add i32 %v17, 128
  %v19 = getelementptr i32, ptr addrspace(1) %in, i32 %v18
  %v20 = load i32, ptr addrspace(1) %v19
  %v21 = mul i32 %t, 4
  %v22 = add i32 %v21, 129
  %v23 = getelementptr i32, ptr addrspace(1) %in, i32 %v22
  %v24 = load i32, ptr addrspace(1) %v23
  %v25 = mul i32 %t, 4
  %v26 = add i32 %v25, 130
  %v27 = getelementptr i32, ptr addrspace(1) %in, i32 %v26
  %v28 = load i32, ptr addrspace(1) %v27
  %v29 = mul i32 %t, 4
  %v30 = add i32 %v29, 131
  %v31 = getelementptr i32, ptr addrspace(1) %in, i32 %v30
  %v32 = load i32, ptr addrspace(1) %v31
  %v33 = mul i32 %t, 1
  %v34 = add i32 %v33, 256
  %v35 = getelementptr i32, ptr addrspace(1) %in, i32 %v34
  %v36 = load i32, ptr addrspace(1) %v35
  %v37 = call {i32, i32, i32, i32} @llvm.nvvm.mma.sp.ordered.metadata.m16n8k32.row.col.s8(i32 %v4, i32 %v8, i32 %v12, i32 %v16, i32 %v20, i32 %v24, i32 %v28, i32 %v32, i32 %v36, i32 0)
  %v38 = extractvalue {i32, i32, i32, i32} %v37, 0
  %v39 = mul i32 %t, 4
  %v40 = add i32 %v39, 0
  %v41 = getelementptr i32, ptr addrspace(1) %out, i32 %v40
  store i32 %v38, ptr addrspace(1) %v41
  %v42 = extractvalue {i32, i32, i32, i32} %v37, 1
  %v43 = mul i32 %t, 4
  %v44 = add i32 %v43, 1
  %v45 = getelementptr i32, ptr addrspace(1) %out, i32 %v44
  store i32 %v42, ptr addrspace(1) %v45
  %v46 = extractvalue {i32, i32, i32, i32} %v37, 2
  %v47 = mul i32 %t, 4
  %v48 = add i32 %v47, 2
  %v49 = getelementptr i32, ptr addrspace(1) %out, i32 %v48
  store i32 %v46, ptr addrspace(1) %v49
  %v50 = extractvalue {i32, i32, i32, i32} %v37, 3
  %v51 = mul i32 %t, 4
  %v52 = add i32 %v51, 3
  %v53 = getelementptr i32, ptr addrspace(1) %out, i32 %v52
  store i32 %v50, ptr addrspace(1) %v53
  ret void
}
define ptx_kernel void @mma_sp_k32_s8_s1(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 2
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i32, ptr addrspace(1) %in, i32 %v2
  %v4 = load i32, ptr addrspace(1) %v3
  %v5 = mul i32 %t, 2
  %v6 = add i32 %v5, 1
  %v7 = getelementptr i32, ptr addrspace(1) %in, i32 %v6
  %v8 = load i32, ptr addrspace(1) %v7
  %v9 = mul i32 %t, 2
  %v10 = add i32 %v9, 64
  %v11 = getelementptr i32, ptr addrspace(1) %in, i32 %v10
  %v12 = load i32, ptr addrspace(1) %v11
  %v13 = mul i32 %t, 2
  %v14 = add i32 %v13, 65
  %v15 = getelementptr i32, ptr addrspace(1) %in, i32 %v14
  %v16 = load i32, ptr addrspace(1) %v15
  %v17 = mul i32 %t, 4
  %v18 = add i32 %v17, 128
  %v19 = getelementptr i32, ptr addrspace(1) %in, i32 %v18
  %v20 = load i32, ptr addrspace(1) %v19
  %v21 = mul i32 %t, 4
  %v22 = add i32 %v21, 129
  %v23 = getelementptr i32, ptr addrspace(1) %in, i32 %v22
  %v24 = load i32, ptr addrspace(1) %v23
  %v25 = mul i32 %t, 4
  %v26 = add i32 %v25, 130
  %v27 = getelementptr i32, ptr addrspace(1) %in, i32 %v26
  %v28 = load i32, ptr addrspace(1) %v27
  %v29 = mul i32 %t, 4
  %v30 = add i32 %v29, 131
  %v31 = getelementptr i32, ptr addrspace(1) %in, i32 %v30
  %v32 = load i32, ptr addrspace(1) %v31
  %v33 = mul i32 %t, 1
  %v34 = add i32 %v33, 256
  %v35 = getelementptr i32, ptr addrspace(1) %in, i32 %v34
  %v36 = load i32, ptr addrspace(1) %v35
  %v37 = call {i32, i32, i32, i32} @llvm.nvvm.mma.sp.ordered.metadata.m16n8k32.row.col.s8(i32 %v4, i32 %v8, i32 %v12, i32 %v16, i32 %v20, i32 %v24, i32 %v28, i32 %v32, i32 %v36, i32 1)
  %v38 = extractvalue {i32, i32, i32, i32} %v37, 0
  %v39 = mul i32 %t, 4
  %v40 = add i32 %v39, 0
  %v41 = getelementptr i32, ptr addrspace(1) %out, i32 %v40
  store i32 %v38, ptr addrspace(1) %v41
  %v42 = extractvalue {i32, i32, i32, i32} %v37, 1
  %v43 = mul i32 %t, 4
  %v44 = add i32 %v43, 1
  %v45 = getelementptr i32, ptr addrspace(1) %out, i32 %v44
  store i32 %v42, ptr addrspace(1) %v45
  %v46 = extractvalue {i32, i32, i32, i32} %v37, 2
  %v47 = mul i32 %t, 4
  %v48 = add i32 %v47, 2
  %v49 = getelementptr i32, ptr addrspace(1) %out, i32 %v48
  store i32 %v46, ptr addrspace(1) %v49
  %v50 = extractvalue {i32, i32, i32, i32} %v37, 3
  %v51 = mul i32 %t, 4
  %v52 = add i32 %v51, 3
  %v53 = getelementptr i32, ptr addrspace(1) %out, i32 %v52
  store i32 %v50, ptr addrspace(1) %v53
  ret void
}
define ptx_kernel void @mma_sp_k64_s8_s0(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 4
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i32, ptr addrspace(1) %in, i32 %v2
  %v4 = load i32, ptr addrspace(1) %v3
  %v5 = mul i32 %t, 4
  %v6 = add i32 %v5, 1
  %v7 = getelementptr i32, ptr addrspace(1) %in, i32 %v6
  %v8 = load i32, ptr addrspace(1) %v7
  %v9 = mul i32 %t, 4
  %v10 = add i32 %v9, 2
  %v11 = getelementptr i32, ptr addrspace(1) %in, i32 %v10
  %v12 = load i32, ptr addrspace(1) %v11
  %v13 = mul i32 %t, 4
  %v14 = add i32 %v13, 3
  %v15 = getelementptr i32, ptr addrspace(1) %in, i32 %v14
  %v16 = load i32, ptr addrspace(1) %v15
  %v17 = mul i32 %t, 4
  %v18 = add i32 %v17, 128
  %v19 = getelementptr i32, ptr addrspace(1) %in, i32 %v18
  %v20 = load i32, ptr addrspace(1) %v19
  %v21 = mul i32 %t, 4
  %v22 = add i32 %v21, 129
  %v23 = getelementptr i32, ptr addrspace(1) %in, i32 %v22
  %v24 = load i32, ptr addrspace(1) %v23
  %v25 = mul i32 %t, 4
  %v26 = add i32 %v25, 130
  %v27 = getelementptr i32, ptr addrspace(1) %in, i32 %v26
  %v28 = load i32, ptr addrspace(1) %v27
  %v29 = mul i32 %t, 4
  %v30 = add i32 %v29, 131
  %v31 = getelementptr i32, ptr addrspace(1) %in, i32 %v30
  %v32 = load i32, ptr addrspace(1) %v31
  %v33 = mul i32 %t, 4
  %v34 = add i32 %v33, 256
  %v35 = getelementptr i32, ptr addrspace(1) %in, i32 %v34
  %v36 = load i32, ptr addrspace(1) %v35
  %v37 = mul i32 %t, 4
  %v38 = add i32 %v37, 257
  %v39 = getelementptr i32, ptr addrspace(1) %in, i32 %v38
  %v40 = load i32, ptr addrspace(1) %v39
  %v41 = mul i32 %t, 4
  %v42 = add i32 %v41, 258
  %v43 = getelementptr i32, ptr addrspace(1) %in, i32 %v42
  %v44 = load i32, ptr addrspace(1) %v43
  %v45 = mul i32 %t, 4
  %v46 = add i32 %v45, 259
  %v47 = getelementptr i32, ptr addrspace(1) %in, i32 %v46
  %v48 = load i32, ptr addrspace(1) %v47
  %v49 = mul i32 %t, 1
  %v50 = add i32 %v49, 384
  %v51 = getelementptr i32, ptr addrspace(1) %in, i32 %v50
  %v52 = load i32, ptr addrspace(1) %v51
  %v53 = call {i32, i32, i32, i32} @llvm.nvvm.mma.sp.ordered.metadata.m16n8k64.row.col.s8(i32 %v4, i32 %v8, i32 %v12, i32 %v16, i32 %v20, i32 %v24, i32 %v28, i32 %v32, i32 %v36, i32 %v40, i32 %v44, i32 %v48, i32 %v52, i32 0)
  %v54 = extractvalue {i32, i32, i32, i32} %v53, 0
  %v55 = mul i32 %t, 4
  %v56 = add i32 %v55, 0
  %v57 = getelementptr i32, ptr addrspace(1) %out, i32 %v56
  store i32 %v54, ptr addrspace(1) %v57
  %v58 = extractvalue {i32, i32, i32, i32} %v53, 1
  %v59 = mul i32 %t, 4
  %v60 = add i32 %v59, 1
  %v61 = getelementptr i32, ptr addrspace(1) %out, i32 %v60
  store i32 %v58, ptr addrspace(1) %v61
  %v62 = extractvalue {i32, i32, i32, i32} %v53, 2
  %v63 = mul i32 %t, 4
  %v64 = add i32 %v63, 2
  %v65 = getelementptr i32, ptr addrspace(1) %out, i32 %v64
  store i32 %v62, ptr addrspace(1) %v65
  %v66 = extractvalue {i32, i32, i32, i32} %v53, 3
  %v67 = mul i32 %t, 4
  %v68 = add i32 %v67, 3
  %v69 = getelementptr i32, ptr addrspace(1) %out, i32 %v68
  store i32 %v66, ptr addrspace(1) %v69
  ret void
}
define ptx_kernel void @mma_sp_k64_u8_s8_s0(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 4
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i32, ptr addrspace(1) %in, i32 %v2
  %v4 = load i32, ptr addrspace(1) %v3
  %v5 = mul i32 %t, 4
  %v6 = add i32 %v5, 1
  %v7 = getelementptr i32, ptr addrspace(1) %in, i32 %v6
  %v8 = load i32, ptr addrspace(1) %v7
  %v9 = mul i32 %t, 4
  %v10 = add i32 %v9, 2
  %v11 = getelementptr i32, ptr addrspace(1) %in, i32 %v10
  %v12 = load i32, ptr addrspace(1) %v11
  %v13 = mul i32 %t, 4
  %v14 = add i32 %v13, 3
  %v15 = getelementptr i32, ptr addrspace(1) %in, i32 %v14
  %v16 = load i32, ptr addrspace(1) %v15
  %v17 = mul i32 %t, 4
  %v18 = add i32 %v17, 128
  %v19 = getelementptr i32, ptr addrspace(1) %in, i32 %v18
  %v20 = load i32, ptr addrspace(1) %v19
  %v21 = mul i32 %t, 4
  %v22 = add i32 %v21, 129
  %v23 = getelementptr i32, ptr addrspace(1) %in, i32 %v22
  %v24 = load i32, ptr addrspace(1) %v23
  %v25 = mul i32 %t, 4
  %v26 = add i32 %v25, 130
  %v27 = getelementptr i32, ptr addrspace(1) %in, i32 %v26
  %v28 = load i32, ptr addrspace(1) %v27
  %v29 = mul i32 %t, 4
  %v30 = add i32 %v29, 131
  %v31 = getelementptr i32, ptr addrspace(1) %in, i32 %v30
  %v32 = load i32, ptr addrspace(1) %v31
  %v33 = mul i32 %t, 4
  %v34 = add i32 %v33, 256
  %v35 = getelementptr i32, ptr addrspace(1) %in, i32 %v34
  %v36 = load i32, ptr addrspace(1) %v35
  %v37 = mul i32 %t, 4
  %v38 = add i32 %v37, 257
  %v39 = getelementptr i32, ptr addrspace(1) %in, i32 %v38
  %v40 = load i32, ptr addrspace(1) %v39
  %v41 = mul i32 %t, 4
  %v42 = add i32 %v41, 258
  %v43 = getelementptr i32, ptr addrspace(1) %in, i32 %v42
  %v44 = load i32, ptr addrspace(1) %v43
  %v45 = mul i32 %t, 4
  %v46 = add i32 %v45, 259
  %v47 = getelementptr i32, ptr addrspace(1) %in, i32 %v46
  %v48 = load i32, ptr addrspace(1) %v47
  %v49 = mul i32 %t, 1
  %v50 = add i32 %v49, 384
  %v51 = getelementptr i32, ptr addrspace(1) %in, i32 %v50
  %v52 = load i32, ptr addrspace(1) %v51
  %v53 = call {i32, i32, i32, i32} @llvm.nvvm.mma.sp.ordered.metadata.m16n8k64.row.col.u8.s8(i32 %v4, i32 %v8, i32 %v12, i32 %v16, i32 %v20, i32 %v24, i32 %v28, i32 %v32, i32 %v36, i32 %v40, i32 %v44, i32 %v48, i32 %v52, i32 0)
  %v54 = extractvalue {i32, i32, i32, i32} %v53, 0
  %v55 = mul i32 %t, 4
  %v56 = add i32 %v55, 0
  %v57 = getelementptr i32, ptr addrspace(1) %out, i32 %v56
  store i32 %v54, ptr addrspace(1) %v57
  %v58 = extractvalue {i32, i32, i32, i32} %v53, 1
  %v59 = mul i32 %t, 4
  %v60 = add i32 %v59, 1
  %v61 = getelementptr i32, ptr addrspace(1) %out, i32 %v60
  store i32 %v58, ptr addrspace(1) %v61
  %v62 = extractvalue {i32, i32, i32, i32} %v53, 2
  %v63 = mul i32 %t, 4
  %v64 = add i32 %v63, 2
  %v65 = getelementptr i32, ptr addrspace(1) %out, i32 %v64
  store i32 %v62, ptr addrspace(1) %v65
  %v66 = extractvalue {i32, i32, i32, i32} %v53, 3
  %v67 = mul i32 %t, 4
  %v68 = add i32 %v67, 3
  %v69 = getelementptr i32, ptr addrspace(1) %out, i32 %v68
  store i32 %v66, ptr addrspace(1) %v69
  ret void
}
