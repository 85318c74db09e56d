target triple = "nvptx64-nvidia-cuda"
@shared = external addrspace(3) global [0 x i8], align 1024
@bar = internal addrspace(3) global [4 x i64] poison, align 8
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
define ptx_kernel void @ex2(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 1
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i32, ptr addrspace(1) %in, i32 %v2
  %v4 = load float, ptr addrspace(1) %v3
  %v5 = call float asm "ex2.approx.f32 $0, $1;", "=f,f"(float %v4)
  %v6 = mul i32 %t, 1
  %v7 = add i32 %v6, 0
  %v8 = getelementptr i32, ptr addrspace(1) %out, i32 %v7
  store float %v5, ptr addrspace(1) %v8
  %v9 = mul i32 %t, 1
  %v10 = add i32 %v9, 32
  %v11 = getelementptr i32, ptr addrspace(1) %in, i32 %v10
  %v12 = load float, ptr addrspace(1) %v11
  %v13 = call float asm "ex2.approx.f32 $0, $1;", "=f,f"(float %v12)
  %v14 = mul i32 %t, 1
  %v15 = add i32 %v14, 32
  %v16 = getelementptr i32, ptr addrspace(1) %out, i32 %v15
  store float %v13, ptr addrspace(1) %v16
  %v17 = mul i32 %t, 1
  %v18 = add i32 %v17, 64
  %v19 = getelementptr i32, ptr addrspace(1) %in, i32 %v18
  %v20 = load float, ptr addrspace(1) %v19
  %v21 = call float asm "ex2.approx.f32 $0, $1;", "=f,f"(float %v20)
  %v22 = mul i32 %t, 1
  %v23 = add i32 %v22, 64
  %v24 = getelementptr i32, ptr addrspace(1) %out, i32 %v23
  store float %v21, ptr addrspace(1) %v24
  %v25 = mul i32 %t, 1
  %v26 = add i32 %v25, 96
  %v27 = getelementptr i32, ptr addrspace(1) %in, i32 %v26
  %v28 = load float, ptr addrspace(1) %v27
  %v29 = call float asm "ex2.approx.f32 $0, $1;", "=f,f"(float %v28)
  %v30 = mul i32 %t, 1
  %v31 = add i32 %v30, 96
  %v32 = getelementptr i32, ptr addrspace(1) %out, i32 %v31
  store float %v29, ptr addrspace(1) %v32
  %v33 = mul i32 %t, 1
  %v34 = add i32 %v33, 128
  %v35 = getelementptr i32, ptr addrspace(1) %in, i32 %v34
  %v36 = load float, ptr addrspace(1) %v35
  %v37 = call float asm "ex2.approx.f32 $0, $1;", "=f,f"(float %v36)
  %v38 = mul i32 %t, 1
  %v39 = add i32 %v38, 128
  %v40 = getelementptr i32, ptr addrspace(1) %out, i32 %v39
  store float %v37, ptr addrspace(1) %v40
  %v41 = mul i32 %t, 1
  %v42 = add i32 %v41, 160
  %v43 = getelementptr i32, ptr addrspace(1) %in, i32 %v42
  %v44 = load float, ptr addrspace(1) %v43
  %v45 = call float asm "ex2.approx.f32 $0, $1;", "=f,f"(float %v44)
  %v46 = mul i32 %t, 1
  %v47 = add i32 %v46, 160
  %v48 = getelementptr i32, ptr addrspace(1) %out, i32 %v47
  store float %v45, ptr addrspace(1) %v48
  %v49 = mul i32 %t, 1
  %v50 = add i32 %v49, 192
  %v51 = getelementptr i32, ptr addrspace(1) %in, i32 %v50
  %v52 = load float, ptr addrspace(1) %v51
  %v53 = call float asm "ex2.approx.f32 $0, $1;", "=f,f"(float %v52)
  %v54 = mul i32 %t, 1
  %v55 = add i32 %v54, 192
  %v56 = getelementptr i32, ptr addrspace(1) %out, i32 %v55
  store float %v53, ptr addrspace(1) %v56
  %v57 = mul i32 %t, 1
  %v58 = add i32 %v57, 224
  %v59 = getelementptr i32, ptr addrspace(1) %in, i32 %v58
  %v60 = load float, ptr addrspace(1) %v59
  %v61 = call float asm "ex2.approx.f32 $0, $1;", "=f,f"(float %v60)
  %v62 = mul i32 %t, 1
  %v63 = add i32 %v62, 224
  %v64 = getelementptr i32, ptr addrspace(1) %out, i32 %v63
  store float %v61, ptr addrspace(1) %v64
  ret void
}
define ptx_kernel void @ex2_ftz(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 1
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i32, ptr addrspace(1) %in, i32 %v2
  %v4 = load float, ptr addrspace(1) %v3
  %v5 = call float asm "ex2.approx.ftz.f32 $0, $1;", "=f,f"(float %v4)
  %v6 = mul i32 %t, 1
  %v7 = add i32 %v6, 0
  %v8 = getelementptr i32, ptr addrspace(1) %out, i32 %v7
  store float %v5, ptr addrspace(1) %v8
  %v9 = mul i32 %t, 1
  %v10 = add i32 %v9, 32
  %v11 = getelementptr i32, ptr addrspace(1) %in, i32 %v10
  %v12 = load float, ptr addrspace(1) %v11
  %v13 = call float asm "ex2.approx.ftz.f32 $0, $1;", "=f,f"(float %v12)
  %v14 = mul i32 %t, 1
  %v15 = add i32 %v14, 32
  %v16 = getelementptr i32, ptr addrspace(1) %out, i32 %v15
  store float %v13, ptr addrspace(1) %v16
  %v17 = mul i32 %t, 1
  %v18 = add i32 %v17, 64
  %v19 = getelementptr i32, ptr addrspace(1) %in, i32 %v18
  %v20 = load float, ptr addrspace(1) %v19
  %v21 = call float asm "ex2.approx.ftz.f32 $0, $1;", "=f,f"(float %v20)
  %v22 = mul i32 %t, 1
  %v23 = add i32 %v22, 64
  %v24 = getelementptr i32, ptr addrspace(1) %out, i32 %v23
  store float %v21, ptr addrspace(1) %v24
  %v25 = mul i32 %t, 1
  %v26 = add i32 %v25, 96
  %v27 = getelementptr i32, ptr addrspace(1) %in, i32 %v26
  %v28 = load float, ptr addrspace(1) %v27
  %v29 = call float asm "ex2.approx.ftz.f32 $0, $1;", "=f,f"(float %v28)
  %v30 = mul i32 %t, 1
  %v31 = add i32 %v30, 96
  %v32 = getelementptr i32, ptr addrspace(1) %out, i32 %v31
  store float %v29, ptr addrspace(1) %v32
  %v33 = mul i32 %t, 1
  %v34 = add i32 %v33, 128
  %v35 = getelementptr i32, ptr addrspace(1) %in, i32 %v34
  %v36 = load float, ptr addrspace(1) %v35
  %v37 = call float asm "ex2.approx.ftz.f32 $0, $1;", "=f,f"(float %v36)
  %v38 = mul i32 %t, 1
  %v39 = add i32 %v38, 128
  %v40 = getelementptr i32, ptr addrspace(1) %out, i32 %v39
  store float %v37, ptr addrspace(1) %v40
  %v41 = mul i32 %t, 1
  %v42 = add i32 %v41, 160
  %v43 = getelementptr i32, ptr addrspace(1) %in, i32 %v42
  %v44 = load float, ptr addrspace(1) %v43
  %v45 = call float asm "ex2.approx.ftz.f32 $0, $1;", "=f,f"(float %v44)
  %v46 = mul i32 %t, 1
  %v47 = add i32 %v46, 160
  %v48 = getelementptr i32, ptr addrspace(1) %out, i32 %v47
  store float %v45, ptr addrspace(1) %v48
  %v49 = mul i32 %t, 1
  %v50 = add i32 %v49, 192
  %v51 = getelementptr i32, ptr addrspace(1) %in, i32 %v50
  %v52 = load float, ptr addrspace(1) %v51
  %v53 = call float asm "ex2.approx.ftz.f32 $0, $1;", "=f,f"(float %v52)
  %v54 = mul i32 %t, 1
  %v55 = add i32 %v54, 192
  %v56 = getelementptr i32, ptr addrspace(1) %out, i32 %v55
  store float %v53, ptr addrspace(1) %v56
  %v57 = mul i32 %t, 1
  %v58 = add i32 %v57, 224
  %v59 = getelementptr i32, ptr addrspace(1) %in, i32 %v58
  %v60 = load float, ptr addrspace(1) %v59
  %v61 = call float asm "ex2.approx.ftz.f32 $0, $1;", "=f,f"(float %v60)
  %v62 = mul i32 %t, 1
  %v63 = add i32 %v62, 224
  %v64 = getelementptr i32, ptr addrspace(1) %out, i32 %v63
  store float %v61, ptr addrspace(1) %v64
  ret void
}
define ptx_kernel void @rsqrt(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 1
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i32, ptr addrspace(1) %in, i32 %v2
  %v4 = load float, ptr addrspace(1) %v3
  %v5 = call float asm "rsqrt.approx.f32 $0, $1;", "=f,f"(float %v4)
  %v6 = mul i32 %t, 1
  %v7 = add i32 %v6, 0
  %v8 = getelementptr i32, ptr addrspace(1) %out, i32 %v7
  store float %v5, ptr addrspace(1) %v8
  %v9 = mul i32 %t, 1
  %v10 = add i32 %v9, 32
  %v11 = getelementptr i32, ptr addrspace(1) %in, i32 %v10
  %v12 = load float, ptr addrspace(1) %v11
  %v13 = call float asm "rsqrt.approx.f32 $0, $1;", "=f,f"(float %v12)
  %v14 = mul i32 %t, 1
  %v15 = add i32 %v14, 32
  %v16 = getelementptr i32, ptr addrspace(1) %out, i32 %v15
  store float %v13, ptr addrspace(1) %v16
  %v17 = mul i32 %t, 1
  %v18 = add i32 %v17, 64
  %v19 = getelementptr i32, ptr addrspace(1) %in, i32 %v18
  %v20 = load float, ptr addrspace(1) %v19
  %v21 = call float asm "rsqrt.approx.f32 $0, $1;", "=f,f"(float %v20)
  %v22 = mul i32 %t, 1
  %v23 = add i32 %v22, 64
  %v24 = getelementptr i32, ptr addrspace(1) %out, i32 %v23
  store float %v21, ptr addrspace(1) %v24
  %v25 = mul i32 %t, 1
  %v26 = add i32 %v25, 96
  %v27 = getelementptr i32, ptr addrspace(1) %in, i32 %v26
  %v28 = load float, ptr addrspace(1) %v27
  %v29 = call float asm "rsqrt.approx.f32 $0, $1;", "=f,f"(float %v28)
  %v30 = mul i32 %t, 1
  %v31 = add i32 %v30, 96
  %v32 = getelementptr i32, ptr addrspace(1) %out, i32 %v31
  store float %v29, ptr addrspace(1) %v32
  %v33 = mul i32 %t, 1
  %v34 = add i32 %v33, 128
  %v35 = getelementptr i32, ptr addrspace(1) %in, i32 %v34
  %v36 = load float, ptr addrspace(1) %v35
  %v37 = call float asm "rsqrt.approx.f32 $0, $1;", "=f,f"(float %v36)
  %v38 = mul i32 %t, 1
  %v39 = add i32 %v38, 128
  %v40 = getelementptr i32, ptr addrspace(1) %out, i32 %v39
  store float %v37, ptr addrspace(1) %v40
  %v41 = mul i32 %t, 1
  %v42 = add i32 %v41, 160
  %v43 = getelementptr i32, ptr addrspace(1) %in, i32 %v42
  %v44 = load float, ptr addrspace(1) %v43
  %v45 = call float asm "rsqrt.approx.f32 $0, $1;", "=f,f"(float %v44)
  %v46 = mul i32 %t, 1
  %v47 = add i32 %v46, 160
  %v48 = getelementptr i32, ptr addrspace(1) %out, i32 %v47
  store float %v45, ptr addrspace(1) %v48
  %v49 = mul i32 %t, 1
  %v50 = add i32 %v49, 192
  %v51 = getelementptr i32, ptr addrspace(1) %in, i32 %v50
  %v52 = load float, ptr addrspace(1) %v51
  %v53 = call float asm "rsqrt.approx.f32 $0, $1;", "=f,f"(float %v52)
  %v54 = mul i32 %t, 1
  %v55 = add i32 %v54, 192
  %v56 = getelementptr i32, ptr addrspace(1) %out, i32 %v55
  store float %v53, ptr addrspace(1) %v56
  %v57 = mul i32 %t, 1
  %v58 = add i32 %v57, 224
  %v59 = getelementptr i32, ptr addrspace(1) %in, i32 %v58
  %v60 = load float, ptr addrspace(1) %v59
  %v61 = call float asm "rsqrt.approx.f32 $0, $1;", "=f,f"(float %v60)
  %v62 = mul i32 %t, 1
  %v63 = add i32 %v62, 224
  %v64 = getelementptr i32, ptr addrspace(1) %out, i32 %v63
  store float %v61, ptr addrspace(1) %v64
  ret void
}
define ptx_kernel void @sqrt(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 1
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i32, ptr addrspace(1) %in, i32 %v2
  %v4 = load float, ptr addrspace(1) %v3
  %v5 = call float asm "sqrt.approx.f32 $0, $1;", "=f,f"(float %v4)
  %v6 = mul i32 %t, 1
  %v7 = add i32 %v6, 0
  %v8 = getelementptr i32, ptr addrspace(1) %out, i32 %v7
  store float %v5, ptr addrspace(1) %v8
  %v9 = mul i32 %t, 1
  %v10 = add i32 %v9, 32
  %v11 = getelementptr i32, ptr addrspace(1) %in, i32 %v10
  %v12 = load float, ptr addrspace(1) %v11
  %v13 = call float asm "sqrt.approx.f32 $0, $1;", "=f,f"(float %v12)
  %v14 = mul i32 %t, 1
  %v15 = add i32 %v14, 32
  %v16 = getelementptr i32, ptr addrspace(1) %out, i32 %v15
  store float %v13, ptr addrspace(1) %v16
  %v17 = mul i32 %t, 1
  %v18 = add i32 %v17, 64
  %v19 = getelementptr i32, ptr addrspace(1) %in, i32 %v18
  %v20 = load float, ptr addrspace(1) %v19
  %v21 = call float asm "sqrt.approx.f32 $0, $1;", "=f,f"(float %v20)
  %v22 = mul i32 %t, 1
  %v23 = add i32 %v22, 64
  %v24 = getelementptr i32, ptr addrspace(1) %out, i32 %v23
  store float %v21, ptr addrspace(1) %v24
  %v25 = mul i32 %t, 1
  %v26 = add i32 %v25, 96
  %v27 = getelementptr i32, ptr addrspace(1) %in, i32 %v26
  %v28 = load float, ptr addrspace(1) %v27
  %v29 = call float asm "sqrt.approx.f32 $0, $1;", "=f,f"(float %v28)
  %v30 = mul i32 %t, 1
  %v31 = add i32 %v30, 96
  %v32 = getelementptr i32, ptr addrspace(1) %out, i32 %v31
  store float %v29, ptr addrspace(1) %v32
  %v33 = mul i32 %t, 1
  %v34 = add i32 %v33, 128
  %v35 = getelementptr i32, ptr addrspace(1) %in, i32 %v34
  %v36 = load float, ptr addrspace(1) %v35
  %v37 = call float asm "sqrt.approx.f32 $0, $1;", "=f,f"(float %v36)
  %v38 = mul i32 %t, 1
  %v39 = add i32 %v38, 128
  %v40 = getelementptr i32, ptr addrspace(1) %out, i32 %v39
  store float %v37, ptr addrspace(1) %v40
  %v41 = mul i32 %t, 1
  %v42 = add i32 %v41, 160
  %v43 = getelementptr i32, ptr addrspace(1) %in, i32 %v42
  %v44 = load float, ptr addrspace(1) %v43
  %v45 = call float asm "sqrt.approx.f32 $0, $1;", "=f,f"(float %v44)
  %v46 = mul i32 %t, 1
  %v47 = add i32 %v46, 160
  %v48 = getelementptr i32, ptr addrspace(1) %out, i32 %v47
  store float %v45, ptr addrspace(1) %v48
  %v49 = mul i32 %t, 1
  %v50 = add i32 %v49, 192
  %v51 = getelementptr i32, ptr addrspace(1) %in, i32 %v50
  %v52 = load float, ptr addrspace(1) %v51
  %v53 = call float asm "sqrt.approx.f32 $0, $1;", "=f,f"(float %v52)
  %v54 = mul i32 %t, 1
  %v55 = add i32 %v54, 192
  %v56 = getelementptr i32, ptr addrspace(1) %out, i32 %v55
  store float %v53, ptr addrspace(1) %v56
  %v57 = mul i32 %t, 1
  %v58 = add i32 %v57, 224
  %v59 = getelementptr i32, ptr addrspace(1) %in, i32 %v58
  %v60 = load float, ptr addrspace(1) %v59
  %v61 = call float asm "sqrt.approx.f32 $0, $1;", "=f,f"(float %v60)
  %v62 = mul i32 %t, 1
  %v63 = add i32 %v62, 224
  %v64 = getelementptr i32, ptr addrspace(1) %out, i32 %v63
  store float %v61, ptr addrspace(1) %v64
  ret void
}
define ptx_kernel void @rcp(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 1
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i32, ptr addrspace(1) %in, i32 %v2
  %v4 = load float, ptr addrspace(1) %v3
  %v5 = call float asm "rcp.approx.f32 $0, $1;", "=f,f"(float %v4)
  %v6 = mul i32 %t, 1
  %v7 = add i32 %v6, 0
  %v8 = getelementptr i32, ptr addrspace(1) %out, i32 %v7
  store float %v5, ptr addrspace(1) %v8
  %v9 = mul i32 %t, 1
  %v10 = add i32 %v9, 32
  %v11 = getelementptr i32, ptr addrspace(1) %in, i32 %v10
  %v12 = load float, ptr addrspace(1) %v11
  %v13 = call float asm "rcp.approx.f32 $0, $1;", "=f,f"(float %v12)
  %v14 = mul i32 %t, 1
  %v15 = add i32 %v14, 32
  %v16 = getelementptr i32, ptr addrspace(1) %out, i32 %v15
  store float %v13, ptr addrspace(1) %v16
  %v17 = mul i32 %t, 1
  %v18 = add i32 %v17, 64
  %v19 = getelementptr i32, ptr addrspace(1) %in, i32 %v18
  %v20 = load float, ptr addrspace(1) %v19
  %v21 = call float asm "rcp.approx.f32 $0, $1;", "=f,f"(float %v20)
  %v22 = mul i32 %t, 1
  %v23 = add i32 %v22, 64
  %v24 = getelementptr i32, ptr addrspace(1) %out, i32 %v23
  store float %v21, ptr addrspace(1) %v24
  %v25 = mul i32 %t, 1
  %v26 = add i32 %v25, 96
  %v27 = getelementptr i32, ptr addrspace(1) %in, i32 %v26
  %v28 = load float, ptr addrspace(1) %v27
  %v29 = call float asm "rcp.approx.f32 $0, $1;", "=f,f"(float %v28)
  %v30 = mul i32 %t, 1
  %v31 = add i32 %v30, 96
  %v32 = getelementptr i32, ptr addrspace(1) %out, i32 %v31
  store float %v29, ptr addrspace(1) %v32
  %v33 = mul i32 %t, 1
  %v34 = add i32 %v33, 128
  %v35 = getelementptr i32, ptr addrspace(1) %in, i32 %v34
  %v36 = load float, ptr addrspace(1) %v35
  %v37 = call float asm "rcp.approx.f32 $0, $1;", "=f,f"(float %v36)
  %v38 = mul i32 %t, 1
  %v39 = add i32 %v38, 128
  %v40 = getelementptr i32, ptr addrspace(1) %out, i32 %v39
  store float %v37, ptr addrspace(1) %v40
  %v41 = mul i32 %t, 1
  %v42 = add i32 %v41, 160
  %v43 = getelementptr i32, ptr addrspace(1) %in, i32 %v42
  %v44 = load float, ptr addrspace(1) %v43
  %v45 = call float asm "rcp.approx.f32 $0, $1;", "=f,f"(float %v44)
  %v46 = mul i32 %t, 1
  %v47 = add i32 %v46, 160
  %v48 = getelementptr i32, ptr addrspace(1) %out, i32 %v47
  store float %v45, ptr addrspace(1) %v48
  %v49 = mul i32 %t, 1
  %v50 = add i32 %v49, 192
  %v51 = getelementptr i32, ptr addrspace(1) %in, i32 %v50
  %v52 = load float, ptr addrspace(1) %v51
  %v53 = call float asm "rcp.approx.f32 $0, $1;", "=f,f"(float %v52)
  %v54 = mul i32 %t, 1
  %v55 = add i32 %v54, 192
  %v56 = getelementptr i32, ptr addrspace(1) %out, i32 %v55
  store float %v53, ptr addrspace(1) %v56
  %v57 = mul i32 %t, 1
  %v58 = add i32 %v57, 224
  %v59 = getelementptr i32, ptr addrspace(1) %in, i32 %v58
  %v60 = load float, ptr addrspace(1) %v59
  %v61 = call float asm "rcp.approx.f32 $0, $1;", "=f,f"(float %v60)
  %v62 = mul i32 %t, 1
  %v63 = add i32 %v62, 224
  %v64 = getelementptr i32, ptr addrspace(1) %out, i32 %v63
  store float %v61, ptr addrspace(1) %v64
  ret void
}
define ptx_kernel void @lg2(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 1
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i32, ptr addrspace(1) %in, i32 %v2
  %v4 = load float, ptr addrspace(1) %v3
  %v5 = call float asm "lg2.approx.f32 $0, $1;", "=f,f"(float %v4)
  %v6 = mul i32 %t, 1
  %v7 = add i32 %v6, 0
  %v8 = getelementptr i32, ptr addrspace(1) %out, i32 %v7
  store float %v5, ptr addrspace(1) %v8
  %v9 = mul i32 %t, 1
  %v10 = add i32 %v9, 32
  %v11 = getelementptr i32, ptr addrspace(1) %in, i32 %v10
  %v12 = load float, ptr addrspace(1) %v11
  %v13 = call float asm "lg2.approx.f32 $0, $1;", "=f,f"(float %v12)
  %v14 = mul i32 %t, 1
  %v15 = add i32 %v14, 32
  %v16 = getelementptr i32, ptr addrspace(1) %out, i32 %v15
  store float %v13, ptr addrspace(1) %v16
  %v17 = mul i32 %t, 1
  %v18 = add i32 %v17, 64
  %v19 = getelementptr i32, ptr addrspace(1) %in, i32 %v18
  %v20 = load float, ptr addrspace(1) %v19
  %v21 = call float asm "lg2.approx.f32 $0, $1;", "=f,f"(float %v20)
  %v22 = mul i32 %t, 1
  %v23 = add i32 %v22, 64
  %v24 = getelementptr i32, ptr addrspace(1) %out, i32 %v23
  store float %v21, ptr addrspace(1) %v24
  %v25 = mul i32 %t, 1
  %v26 = add i32 %v25, 96
  %v27 = getelementptr i32, ptr addrspace(1) %in, i32 %v26
  %v28 = load float, ptr addrspace(1) %v27
  %v29 = call float asm "lg2.approx.f32 $0, $1;", "=f,f"(float %v28)
  %v30 = mul i32 %t, 1
  %v31 = add i32 %v30, 96
  %v32 = getelementptr i32, ptr addrspace(1) %out, i32 %v31
  store float %v29, ptr addrspace(1) %v32
  %v33 = mul i32 %t, 1
  %v34 = add i32 %v33, 128
  %v35 = getelementptr i32, ptr addrspace(1) %in, i32 %v34
  %v36 = load float, ptr addrspace(1) %v35
  %v37 = call float asm "lg2.approx.f32 $0, $1;", "=f,f"(float %v36)
  %v38 = mul i32 %t, 1
  %v39 = add i32 %v38, 128
  %v40 = getelementptr i32, ptr addrspace(1) %out, i32 %v39
  store float %v37, ptr addrspace(1) %v40
  %v41 = mul i32 %t, 1
  %v42 = add i32 %v41, 160
  %v43 = getelementptr i32, ptr addrspace(1) %in, i32 %v42
  %v44 = load float, ptr addrspace(1) %v43
  %v45 = call float asm "lg2.approx.f32 $0, $1;", "=f,f"(float %v44)
  %v46 = mul i32 %t, 1
  %v47 = add i32 %v46, 160
  %v48 = getelementptr i32, ptr addrspace(1) %out, i32 %v47
  store float %v45, ptr addrspace(1) %v48
  %v49 = mul i32 %t, 1
  %v50 = add i32 %v49, 192
  %v51 = getelementptr i32, ptr addrspace(1) %in, i32 %v50
  %v52 = load float, ptr addrspace(1) %v51
  %v53 = call float asm "lg2.approx.f32 $0, $1;", "=f,f"(float %v52)
  %v54 = mul i32 %t, 1
  %v55 = add i32 %v54, 192
  %v56 = getelementptr i32, ptr addrspace(1) %out, i32 %v55
  store float %v53, ptr addrspace(1) %v56
  %v57 = mul i32 %t, 1
  %v58 = add i32 %v57, 224
  %v59 = getelementptr i32, ptr addrspace(1) %in, i32 %v58
  %v60 = load float, ptr addrspace(1) %v59
  %v61 = call float asm "lg2.approx.f32 $0, $1;", "=f,f"(float %v60)
  %v62 = mul i32 %t, 1
  %v63 = add i32 %v62, 224
  %v64 = getelementptr i32, ptr addrspace(1) %out, i32 %v63
  store float %v61, ptr addrspace(1) %v64
  ret void
}
define ptx_kernel void @tanh(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 1
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i32, ptr addrspace(1) %in, i32 %v2
  %v4 = load float, ptr addrspace(1) %v3
  %v5 = call float asm "tanh.approx.f32 $0, $1;", "=f,f"(float %v4)
  %v6 = mul i32 %t, 1
  %v7 = add i32 %v6, 0
  %v8 = getelementptr i32, ptr addrspace(1) %out, i32 %v7
  store float %v5, ptr addrspace(1) %v8
  %v9 = mul i32 %t, 1
  %v10 = add i32 %v9, 32
  %v11 = getelementptr i32, ptr addrspace(1) %in, i32 %v10
  %v12 = load float, ptr addrspace(1) %v11
  %v13 = call float asm "tanh.approx.f32 $0, $1;", "=f,f"(float %v12)
  %v14 = mul i32 %t, 1
  %v15 = add i32 %v14, 32
  %v16 = getelementptr i32, ptr addrspace(1) %out, i32 %v15
  store float %v13, ptr addrspace(1) %v16
  %v17 = mul i32 %t, 1
  %v18 = add i32 %v17, 64
  %v19 = getelementptr i32, ptr addrspace(1) %in, i32 %v18
  %v20 = load float, ptr addrspace(1) %v19
  %v21 = call float asm "tanh.approx.f32 $0, $1;", "=f,f"(float %v20)
  %v22 = mul i32 %t, 1
  %v23 = add i32 %v22, 64
  %v24 = getelementptr i32, ptr addrspace(1) %out, i32 %v23
  store float %v21, ptr addrspace(1) %v24
  %v25 = mul i32 %t, 1
  %v26 = add i32 %v25, 96
  %v27 = getelementptr i32, ptr addrspace(1) %in, i32 %v26
  %v28 = load float, ptr addrspace(1) %v27
  %v29 = call float asm "tanh.approx.f32 $0, $1;", "=f,f"(float %v28)
  %v30 = mul i32 %t, 1
  %v31 = add i32 %v30, 96
  %v32 = getelementptr i32, ptr addrspace(1) %out, i32 %v31
  store float %v29, ptr addrspace(1) %v32
  %v33 = mul i32 %t, 1
  %v34 = add i32 %v33, 128
  %v35 = getelementptr i32, ptr addrspace(1) %in, i32 %v34
  %v36 = load float, ptr addrspace(1) %v35
  %v37 = call float asm "tanh.approx.f32 $0, $1;", "=f,f"(float %v36)
  %v38 = mul i32 %t, 1
  %v39 = add i32 %v38, 128
  %v40 = getelementptr i32, ptr addrspace(1) %out, i32 %v39
  store float %v37, ptr addrspace(1) %v40
  %v41 = mul i32 %t, 1
  %v42 = add i32 %v41, 160
  %v43 = getelementptr i32, ptr addrspace(1) %in, i32 %v42
  %v44 = load float, ptr addrspace(1) %v43
  %v45 = call float asm "tanh.approx.f32 $0, $1;", "=f,f"(float %v44)
  %v46 = mul i32 %t, 1
  %v47 = add i32 %v46, 160
  %v48 = getelementptr i32, ptr addrspace(1) %out, i32 %v47
  store float %v45, ptr addrspace(1) %v48
  %v49 = mul i32 %t, 1
  %v50 = add i32 %v49, 192
  %v51 = getelementptr i32, ptr addrspace(1) %in, i32 %v50
  %v52 = load float, ptr addrspace(1) %v51
  %v53 = call float asm "tanh.approx.f32 $0, $1;", "=f,f"(float %v52)
  %v54 = mul i32 %t, 1
  %v55 = add i32 %v54, 192
  %v56 = getelementptr i32, ptr addrspace(1) %out, i32 %v55
  store float %v53, ptr addrspace(1) %v56
  %v57 = mul i32 %t, 1
  %v58 = add i32 %v57, 224
  %v59 = getelementptr i32, ptr addrspace(1) %in, i32 %v58
  %v60 = load float, ptr addrspace(1) %v59
  %v61 = call float asm "tanh.approx.f32 $0, $1;", "=f,f"(float %v60)
  %v62 = mul i32 %t, 1
  %v63 = add i32 %v62, 224
  %v64 = getelementptr i32, ptr addrspace(1) %out, i32 %v63
  store float %v61, ptr addrspace(1) %v64
  ret void
}
define ptx_kernel void @cvt_f16x2(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 2
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i32, ptr addrspace(1) %in, i32 %v2
  %v4 = load float, ptr addrspace(1) %v3
  %v5 = mul i32 %t, 2
  %v6 = add i32 %v5, 1
  %v7 = getelementptr i32, ptr addrspace(1) %in, i32 %v6
  %v8 = load float, ptr addrspace(1) %v7
  %v9 = call i32 asm "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f"(float %v4, float %v8)
  %v10 = mul i32 %t, 1
  %v11 = add i32 %v10, 0
  %v12 = getelementptr i32, ptr addrspace(1) %out, i32 %v11
  store i32 %v9, ptr addrspace(1) %v12
  %v13 = mul i32 %t, 2
  %v14 = add i32 %v13, 64
  %v15 = getelementptr i32, ptr addrspace(1) %in, i32 %v14
  %v16 = load float, ptr addrspace(1) %v15
  %v17 = mul i32 %t, 2
  %v18 = add i32 %v17, 65
  %v19 = getelementptr i32, ptr addrspace(1) %in, i32 %v18
  %v20 = load float, ptr addrspace(1) %v19
  %v21 = call i32 asm "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f"(float %v16, float %v20)
  %v22 = mul i32 %t, 1
  %v23 = add i32 %v22, 32
  %v24 = getelementptr i32, ptr addrspace(1) %out, i32 %v23
  store i32 %v21, ptr addrspace(1) %v24
  %v25 = mul i32 %t, 2
  %v26 = add i32 %v25, 128
  %v27 = getelementptr i32, ptr addrspace(1) %in, i32 %v26
  %v28 = load float, ptr addrspace(1) %v27
  %v29 = mul i32 %t, 2
  %v30 = add i32 %v29, 129
  %v31 = getelementptr i32, ptr addrspace(1) %in, i32 %v30
  %v32 = load float, ptr addrspace(1) %v31
  %v33 = call i32 asm "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f"(float %v28, float %v32)
  %v34 = mul i32 %t, 1
  %v35 = add i32 %v34, 64
  %v36 = getelementptr i32, ptr addrspace(1) %out, i32 %v35
  store i32 %v33, ptr addrspace(1) %v36
  %v37 = mul i32 %t, 2
  %v38 = add i32 %v37, 192
  %v39 = getelementptr i32, ptr addrspace(1) %in, i32 %v38
  %v40 = load float, ptr addrspace(1) %v39
  %v41 = mul i32 %t, 2
  %v42 = add i32 %v41, 193
  %v43 = getelementptr i32, ptr addrspace(1) %in, i32 %v42
  %v44 = load float, ptr addrspace(1) %v43
  %v45 = call i32 asm "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f"(float %v40, float %v44)
  %v46 = mul i32 %t, 1
  %v47 = add i32 %v46, 96
  %v48 = getelementptr i32, ptr addrspace(1) %out, i32 %v47
  store i32 %v45, ptr addrspace(1) %v48
  %v49 = mul i32 %t, 2
  %v50 = add i32 %v49, 256
  %v51 = getelementptr i32, ptr addrspace(1) %in, i32 %v50
  %v52 = load float, ptr addrspace(1) %v51
  %v53 = mul i32 %t, 2
  %v54 = add i32 %v53, 257
  %v55 = getelementptr i32, ptr addrspace(1) %in, i32 %v54
  %v56 = load float, ptr addrspace(1) %v55
  %v57 = call i32 asm "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f"(float %v52, float %v56)
  %v58 = mul i32 %t, 1
  %v59 = add i32 %v58, 128
  %v60 = getelementptr i32, ptr addrspace(1) %out, i32 %v59
  store i32 %v57, ptr addrspace(1) %v60
  %v61 = mul i32 %t, 2
  %v62 = add i32 %v61, 320
  %v63 = getelementptr i32, ptr addrspace(1) %in, i32 %v62
  %v64 = load float, ptr addrspace(1) %v63
  %v65 = mul i32 %t, 2
  %v66 = add i32 %v65, 321
  %v67 = getelementptr i32, ptr addrspace(1) %in, i32 %v66
  %v68 = load float, ptr addrspace(1) %v67
  %v69 = call i32 asm "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f"(float %v64, float %v68)
  %v70 = mul i32 %t, 1
  %v71 = add i32 %v70, 160
  %v72 = getelementptr i32, ptr addrspace(1) %out, i32 %v71
  store i32 %v69, ptr addrspace(1) %v72
  %v73 = mul i32 %t, 2
  %v74 = add i32 %v73, 384
  %v75 = getelementptr i32, ptr addrspace(1) %in, i32 %v74
  %v76 = load float, ptr addrspace(1) %v75
  %v77 = mul i32 %t, 2
  %v78 = add i32 %v77, 385
  %v79 = getelementptr i32, ptr addrspace(1) %in, i32 %v78
  %v80 = load float, ptr addrspace(1) %v79
  %v81 = call i32 asm "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f"(float %v76, float %v80)
  %v82 = mul i32 %t, 1
  %v83 = add i32 %v82, 192
  %v84 = getelementptr i32, ptr addrspace(1) %out, i32 %v83
  store i32 %v81, ptr addrspace(1) %v84
  %v85 = mul i32 %t, 2
  %v86 = add i32 %v85, 448
  %v87 = getelementptr i32, ptr addrspace(1) %in, i32 %v86
  %v88 = load float, ptr addrspace(1) %v87
  %v89 = mul i32 %t, 2
  %v90 = add i32 %v89, 449
  %v91 = getelementptr i32, ptr addrspace(1) %in, i32 %v90
  %v92 = load float, ptr addrspace(1) %v91
  %v93 = call i32 asm "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f"(float %v88, float %v92)
  %v94 = mul i32 %t, 1
  %v95 = add i32 %v94, 224
  %v96 = getelementptr i32, ptr addrspace(1) %out, i32 %v95
  store i32 %v93, ptr addrspace(1) %v96
  ret void
}
define ptx_kernel void @cvt_bf16x2(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 2
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i32, ptr addrspace(1) %in, i32 %v2
  %v4 = load float, ptr addrspace(1) %v3
  %v5 = mul i32 %t, 2
  %v6 = add i32 %v5, 1
  %v7 = getelementptr i32, ptr addrspace(1) %in, i32 %v6
  %v8 = load float, ptr addrspace(1) %v7
  %v9 = call i32 asm "cvt.rn.bf16x2.f32 $0, $1, $2;", "=r,f,f"(float %v4, float %v8)
  %v10 = mul i32 %t, 1
  %v11 = add i32 %v10, 0
  %v12 = getelementptr i32, ptr addrspace(1) %out, i32 %v11
  store i32 %v9, ptr addrspace(1) %v12
  %v13 = mul i32 %t, 2
  %v14 = add i32 %v13, 64
  %v15 = getelementptr i32, ptr addrspace(1) %in, i32 %v14
  %v16 = load float, ptr addrspace(1) %v15
  %v17 = mul i32 %t, 2
  %v18 = add i32 %v17, 65
  %v19 = getelementptr i32, ptr addrspace(1) %in, i32 %v18
  %v20 = load float, ptr addrspace(1) %v19
  %v21 = call i32 asm "cvt.rn.bf16x2.f32 $0, $1, $2;", "=r,f,f"(float %v16, float %v20)
  %v22 = mul i32 %t, 1
  %v23 = add i32 %v22, 32
  %v24 = getelementptr i32, ptr addrspace(1) %out, i32 %v23
  store i32 %v21, ptr addrspace(1) %v24
  %v25 = mul i32 %t, 2
  %v26 = add i32 %v25, 128
  %v27 = getelementptr i32, ptr addrspace(1) %in, i32 %v26
  %v28 = load float, ptr addrspace(1) %v27
  %v29 = mul i32 %t, 2
  %v30 = add i32 %v29, 129
  %v31 = getelementptr i32, ptr addrspace(1) %in, i32 %v30
  %v32 = load float, ptr addrspace(1) %v31
  %v33 = call i32 asm "cvt.rn.bf16x2.f32 $0, $1, $2;", "=r,f,f"(float %v28, float %v32)
  %v34 = mul i32 %t, 1
  %v35 = add i32 %v34, 64
  %v36 = getelementptr i32, ptr addrspace(1) %out, i32 %v35
  store i32 %v33, ptr addrspace(1) %v36
  %v37 = mul i32 %t, 2
  %v38 = add i32 %v37, 192
  %v39 = getelementptr i32, ptr addrspace(1) %in, i32 %v38
  %v40 = load float, ptr addrspace(1) %v39
  %v41 = mul i32 %t, 2
  %v42 = add i32 %v41, 193
  %v43 = getelementptr i32, ptr addrspace(1) %in, i32 %v42
  %v44 = load float, ptr addrspace(1) %v43
  %v45 = call i32 asm "cvt.rn.bf16x2.f32 $0, $1, $2;", "=r,f,f"(float %v40, float %v44)
  %v46 = mul i32 %t, 1
  %v47 = add i32 %v46, 96
  %v48 = getelementptr i32, ptr addrspace(1) %out, i32 %v47
  store i32 %v45, ptr addrspace(1) %v48
  %v49 = mul i32 %t, 2
  %v50 = add i32 %v49, 256
  %v51 = getelementptr i32, ptr addrspace(1) %in, i32 %v50
  %v52 = load float, ptr addrspace(1) %v51
  %v53 = mul i32 %t, 2
  %v54 = add i32 %v53, 257
  %v55 = getelementptr i32, ptr addrspace(1) %in, i32 %v54
  %v56 = load float, ptr addrspace(1) %v55
  %v57 = call i32 asm "cvt.rn.bf16x2.f32 $0, $1, $2;", "=r,f,f"(float %v52, float %v56)
  %v58 = mul i32 %t, 1
  %v59 = add i32 %v58, 128
  %v60 = getelementptr i32, ptr addrspace(1) %out, i32 %v59
  store i32 %v57, ptr addrspace(1) %v60
  %v61 = mul i32 %t, 2
  %v62 = add i32 %v61, 320
  %v63 = getelementptr i32, ptr addrspace(1) %in, i32 %v62
  %v64 = load float, ptr addrspace(1) %v63
  %v65 = mul i32 %t, 2
  %v66 = add i32 %v65, 321
  %v67 = getelementptr i32, ptr addrspace(1) %in, i32 %v66
  %v68 = load float, ptr addrspace(1) %v67
  %v69 = call i32 asm "cvt.rn.bf16x2.f32 $0, $1, $2;", "=r,f,f"(float %v64, float %v68)
  %v70 = mul i32 %t, 1
  %v71 = add i32 %v70, 160
  %v72 = getelementptr i32, ptr addrspace(1) %out, i32 %v71
  store i32 %v69, ptr addrspace(1) %v72
  %v73 = mul i32 %t, 2
  %v74 = add i32 %v73, 384
  %v75 = getelementptr i32, ptr addrspace(1) %in, i32 %v74
  %v76 = load float, ptr addrspace(1) %v75
  %v77 = mul i32 %t, 2
  %v78 = add i32 %v77, 385
  %v79 = getelementptr i32, ptr addrspace(1) %in, i32 %v78
  %v80 = load float, ptr addrspace(1) %v79
  %v81 = call i32 asm "cvt.rn.bf16x2.f32 $0, $1, $2;", "=r,f,f"(float %v76, float %v80)
  %v82 = mul i32 %t, 1
  %v83 = add i32 %v82, 192
  %v84 = getelementptr i32, ptr addrspace(1) %out, i32 %v83
  store i32 %v81, ptr addrspace(1) %v84
  %v85 = mul i32 %t, 2
  %v86 = add i32 %v85, 448
  %v87 = getelementptr i32, ptr addrspace(1) %in, i32 %v86
  %v88 = load float, ptr addrspace(1) %v87
  %v89 = mul i32 %t, 2
  %v90 = add i32 %v89, 449
  %v91 = getelementptr i32, ptr addrspace(1) %in, i32 %v90
  %v92 = load float, ptr addrspace(1) %v91
  %v93 = call i32 asm "cvt.rn.bf16x2.f32 $0, $1, $2;", "=r,f,f"(float %v88, float %v92)
  %v94 = mul i32 %t, 1
  %v95 = add i32 %v94, 224
  %v96 = getelementptr i32, ptr addrspace(1) %out, i32 %v95
  store i32 %v93, ptr addrspace(1) %v96
  ret void
}
define ptx_kernel void @prmt(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 3
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i32, ptr addrspace(1) %in, i32 %v2
  %v4 = load i32, ptr addrspace(1) %v3
  %v5 = mul i32 %t, 3
  %v6 = add i32 %v5, 1
  %v7 = getelementptr i32, ptr addrspace(1) %in, i32 %v6
  %v8 = load i32, ptr addrspace(1) %v7
  %v9 = mul i32 %t, 3
  %v10 = add i32 %v9, 2
  %v11 = getelementptr i32, ptr addrspace(1) %in, i32 %v10
  %v12 = load i32, ptr addrspace(1) %v11
  %v13 = call i32 asm "prmt.b32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %v4, i32 %v8, i32 %v12)
  %v14 = mul i32 %t, 1
  %v15 = add i32 %v14, 0
  %v16 = getelementptr i32, ptr addrspace(1) %out, i32 %v15
  store i32 %v13, ptr addrspace(1) %v16
  %v17 = mul i32 %t, 3
  %v18 = add i32 %v17, 96
  %v19 = getelementptr i32, ptr addrspace(1) %in, i32 %v18
  %v20 = load i32, ptr addrspace(1) %v19
  %v21 = mul i32 %t, 3
  %v22 = add i32 %v21, 97
  %v23 = getelementptr i32, ptr addrspace(1) %in, i32 %v22
  %v24 = load i32, ptr addrspace(1) %v23
  %v25 = mul i32 %t, 3
  %v26 = add i32 %v25, 98
  %v27 = getelementptr i32, ptr addrspace(1) %in, i32 %v26
  %v28 = load i32, ptr addrspace(1) %v27
  %v29 = call i32 asm "prmt.b32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %v20, i32 %v24, i32 %v28)
  %v30 = mul i32 %t, 1
  %v31 = add i32 %v30, 32
  %v32 = getelementptr i32, ptr addrspace(1) %out, i32 %v31
  store i32 %v29, ptr addrspace(1) %v32
  %v33 = mul i32 %t, 3
  %v34 = add i32 %v33, 192
  %v35 = getelementptr i32, ptr addrspace(1) %in, i32 %v34
  %v36 = load i32, ptr addrspace(1) %v35
  %v37 = mul i32 %t, 3
  %v38 = add i32 %v37, 193
  %v39 = getelementptr i32, ptr addrspace(1) %in, i32 %v38
  %v40 = load i32, ptr addrspace(1) %v39
  %v41 = mul i32 %t, 3
  %v42 = add i32 %v41, 194
  %v43 = getelementptr i32, ptr addrspace(1) %in, i32 %v42
  %v44 = load i32, ptr addrspace(1) %v43
  %v45 = call i32 asm "prmt.b32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %v36, i32 %v40, i32 %v44)
  %v46 = mul i32 %t, 1
  %v47 = add i32 %v46, 64
  %v48 = getelementptr i32, ptr addrspace(1) %out, i32 %v47
  store i32 %v45, ptr addrspace(1) %v48
  %v49 = mul i32 %t, 3
  %v50 = add i32 %v49, 288
  %v51 = getelementptr i32, ptr addrspace(1) %in, i32 %v50
  %v52 = load i32, ptr addrspace(1) %v51
  %v53 = mul i32 %t, 3
  %v54 = add i32 %v53, 289
  %v55 = getelementptr i32, ptr addrspace(1) %in, i32 %v54
  %v56 = load i32, ptr addrspace(1) %v55
  %v57 = mul i32 %t, 3
  %v58 = add i32 %v57, 290
  %v59 = getelementptr i32, ptr addrspace(1) %in, i32 %v58
  %v60 = load i32, ptr addrspace(1) %v59
  %v61 = call i32 asm "prmt.b32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %v52, i32 %v56, i32 %v60)
  %v62 = mul i32 %t, 1
  %v63 = add i32 %v62, 96
  %v64 = getelementptr i32, ptr addrspace(1) %out, i32 %v63
  store i32 %v61, ptr addrspace(1) %v64
  %v65 = mul i32 %t, 3
  %v66 = add i32 %v65, 384
  %v67 = getelementptr i32, ptr addrspace(1) %in, i32 %v66
  %v68 = load i32, ptr addrspace(1) %v67
  %v69 = mul i32 %t, 3
  %v70 = add i32 %v69, 385
  %v71 = getelementptr i32, ptr addrspace(1) %in, i32 %v70
  %v72 = load i32, ptr addrspace(1) %v71
  %v73 = mul i32 %t, 3
  %v74 = add i32 %v73, 386
  %v75 = getelementptr i32, ptr addrspace(1) %in, i32 %v74
  %v76 = load i32, ptr addrspace(1) %v75
  %v77 = call i32 asm "prmt.b32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %v68, i32 %v72, i32 %v76)
  %v78 = mul i32 %t, 1
  %v79 = add i32 %v78, 128
  %v80 = getelementptr i32, ptr addrspace(1) %out, i32 %v79
  store i32 %v77, ptr addrspace(1) %v80
  %v81 = mul i32 %t, 3
  %v82 = add i32 %v81, 480
  %v83 = getelementptr i32, ptr addrspace(1) %in, i32 %v82
  %v84 = load i32, ptr addrspace(1) %v83
  %v85 = mul i32 %t, 3
  %v86 = add i32 %v85, 481
  %v87 = getelementptr i32, ptr addrspace(1) %in, i32 %v86
  %v88 = load i32, ptr addrspace(1) %v87
  %v89 = mul i32 %t, 3
  %v90 = add i32 %v89, 482
  %v91 = getelementptr i32, ptr addrspace(1) %in, i32 %v90
  %v92 = load i32, ptr addrspace(1) %v91
  %v93 = call i32 asm "prmt.b32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %v84, i32 %v88, i32 %v92)
  %v94 = mul i32 %t, 1
  %v95 = add i32 %v94, 160
  %v96 = getelementptr i32, ptr addrspace(1) %out, i32 %v95
  store i32 %v93, ptr addrspace(1) %v96
  %v97 = mul i32 %t, 3
  %v98 = add i32 %v97, 576
  %v99 = getelementptr i32, ptr addrspace(1) %in, i32 %v98
  %v100 = load i32, ptr addrspace(1) %v99
  %v101 = mul i32 %t, 3
  %v102 = add i32 %v101, 577
  %v103 = getelementptr i32, ptr addrspace(1) %in, i32 %v102
  %v104 = load i32, ptr addrspace(1) %v103
  %v105 = mul i32 %t, 3
  %v106 = add i32 %v105, 578
  %v107 = getelementptr i32, ptr addrspace(1) %in, i32 %v106
  %v108 = load i32, ptr addrspace(1) %v107
  %v109 = call i32 asm "prmt.b32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %v100, i32 %v104, i32 %v108)
  %v110 = mul i32 %t, 1
  %v111 = add i32 %v110, 192
  %v112 = getelementptr i32, ptr addrspace(1) %out, i32 %v111
  store i32 %v109, ptr addrspace(1) %v112
  %v113 = mul i32 %t, 3
  %v114 = add i32 %v113, 672
  %v115 = getelementptr i32, ptr addrspace(1) %in, i32 %v114
  %v116 = load i32, ptr addrspace(1) %v115
  %v117 = mul i32 %t, 3
  %v118 = add i32 %v117, 673
  %v119 = getelementptr i32, ptr addrspace(1) %in, i32 %v118
  %v120 = load i32, ptr addrspace(1) %v119
  %v121 = mul i32 %t, 3
  %v122 = add i32 %v121, 674
  %v123 = getelementptr i32, ptr addrspace(1) %in, i32 %v122
  %v124 = load i32, ptr addrspace(1) %v123
  %v125 = call i32 asm "prmt.b32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %v116, i32 %v120, i32 %v124)
  %v126 = mul i32 %t, 1
  %v127 = add i32 %v126, 224
  %v128 = getelementptr i32, ptr addrspace(1) %out, i32 %v127
  store i32 %v125, ptr addrspace(1) %v128
  ret void
}
