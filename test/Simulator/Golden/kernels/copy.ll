target triple = "nvptx64-nvidia-cuda"
@shared = external addrspace(3) global [0 x i8], align 1024
@bar = internal addrspace(3) global [4 x i64] poison, align 8
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.cp.async.ca.shared.global.16(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.ca.shared.global.16.s(ptr addrspace(3), ptr addrspace(1), i32)
declare void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.ca.shared.global.4.s(ptr addrspace(3), ptr addrspace(1), i32)
declare void @llvm.nvvm.cp.async.ca.shared.global.8(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.ca.shared.global.8.s(ptr addrspace(3), ptr addrspace(1), i32)
declare void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.cg.shared.global.16.s(ptr addrspace(3), ptr addrspace(1), i32)
declare void @llvm.nvvm.cp.async.wait.all()
define ptx_kernel void @cp_async_ca_4(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 4
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i8, ptr addrspace(3) @shared, i32 %v2
  %v4 = mul i32 %t, 5
  %v5 = and i32 %v4, 31
  %v6 = mul i32 %v5, 4
  %v7 = getelementptr i8, ptr addrspace(1) %in, i32 %v6
  call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) %v3, ptr addrspace(1) %v7)
  call void @llvm.nvvm.cp.async.wait.all()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v8 = mul i32 %t, 1
  %v9 = add i32 %v8, 0
  %v10 = getelementptr i32, ptr addrspace(3) @shared, i32 %v9
  %v11 = load i32, ptr addrspace(3) %v10
  %v12 = mul i32 %t, 1
  %v13 = add i32 %v12, 0
  %v14 = getelementptr i32, ptr addrspace(1) %out, i32 %v13
  store i32 %v11, ptr addrspace(1) %v14
  ret void
}
define ptx_kernel void @cp_async_ca_4_sized(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 4
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i8, ptr addrspace(3) @shared, i32 %v2
  %v4 = mul i32 %t, 5
  %v5 = and i32 %v4, 31
  %v6 = mul i32 %v5, 4
  %v7 = getelementptr i8, ptr addrspace(1) %in, i32 %v6
  %v8 = urem i32 %t, 5
  call void @llvm.nvvm.cp.async.ca.shared.global.4.s(ptr addrspace(3) %v3, ptr addrspace(1) %v7, i32 %v8)
  call void @llvm.nvvm.cp.async.wait.all()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v9 = mul i32 %t, 1
  %v10 = add i32 %v9, 0
  %v11 = getelementptr i32, ptr addrspace(3) @shared, i32 %v10
  %v12 = load i32, ptr addrspace(3) %v11
  %v13 = mul i32 %t, 1
  %v14 = add i32 %v13, 0
  %v15 = getelementptr i32, ptr addrspace(1) %out, i32 %v14
  store i32 %v12, ptr addrspace(1) %v15
  ret void
}
define ptx_kernel void @cp_async_ca_8(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 8
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i8, ptr addrspace(3) @shared, i32 %v2
  %v4 = mul i32 %t, 5
  %v5 = and i32 %v4, 31
  %v6 = mul i32 %v5, 8
  %v7 = getelementptr i8, ptr addrspace(1) %in, i32 %v6
  call void @llvm.nvvm.cp.async.ca.shared.global.8(ptr addrspace(3) %v3, ptr addrspace(1) %v7)
  call void @llvm.nvvm.cp.async.wait.all()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v8 = mul i32 %t, 1
  %v9 = add i32 %v8, 0
  %v10 = getelementptr i32, ptr addrspace(3) @shared, i32 %v9
  %v11 = load i32, ptr addrspace(3) %v10
  %v12 = mul i32 %t, 1
  %v13 = add i32 %v12, 0
  %v14 = getelementptr i32, ptr addrspace(1) %out, i32 %v13
  store i32 %v11, ptr addrspace(1) %v14
  %v15 = mul i32 %t, 1
  %v16 = add i32 %v15, 32
  %v17 = getelementptr i32, ptr addrspace(3) @shared, i32 %v16
  %v18 = load i32, ptr addrspace(3) %v17
  %v19 = mul i32 %t, 1
  %v20 = add i32 %v19, 32
  %v21 = getelementptr i32, ptr addrspace(1) %out, i32 %v20
  store i32 %v18, ptr addrspace(1) %v21
  ret void
}
define ptx_kernel void @cp_async_ca_8_sized(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 8
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i8, ptr addrspace(3) @shared, i32 %v2
  %v4 = mul i32 %t, 5
  %v5 = and i32 %v4, 31
  %v6 = mul i32 %v5, 8
  %v7 = getelementptr i8, ptr addrspace(1) %in, i32 %v6
  %v8 = urem i32 %t, 9
  call void @llvm.nvvm.cp.async.ca.shared.global.8.s(ptr addrspace(3) %v3, ptr addrspace(1) %v7, i32 %v8)
  call void @llvm.nvvm.cp.async.wait.all()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v9 = mul i32 %t, 1
  %v10 = add i32 %v9, 0
  %v11 = getelementptr i32, ptr addrspace(3) @shared, i32 %v10
  %v12 = load i32, ptr addrspace(3) %v11
  %v13 = mul i32 %t, 1
  %v14 = add i32 %v13, 0
  %v15 = getelementptr i32, ptr addrspace(1) %out, i32 %v14
  store i32 %v12, ptr addrspace(1) %v15
  %v16 = mul i32 %t, 1
  %v17 = add i32 %v16, 32
  %v18 = getelementptr i32, ptr addrspace(3) @shared, i32 %v17
  %v19 = load i32, ptr addrspace(3) %v18
  %v20 = mul i32 %t, 1
  %v21 = add i32 %v20, 32
  %v22 = getelementptr i32, ptr addrspace(1) %out, i32 %v21
  store i32 %v19, ptr addrspace(1) %v22
  ret void
}
define ptx_kernel void @cp_async_ca_16(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 16
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i8, ptr addrspace(3) @shared, i32 %v2
  %v4 = mul i32 %t, 5
  %v5 = and i32 %v4, 31
  %v6 = mul i32 %v5, 16
  %v7 = getelementptr i8, ptr addrspace(1) %in, i32 %v6
  call void @llvm.nvvm.cp.async.ca.shared.global.16(ptr addrspace(3) %v3, ptr addrspace(1) %v7)
  call void @llvm.nvvm.cp.async.wait.all()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v8 = mul i32 %t, 1
  %v9 = add i32 %v8, 0
  %v10 = getelementptr i32, ptr addrspace(3) @shared, i32 %v9
  %v11 = load i32, ptr addrspace(3) %v10
  %v12 = mul i32 %t, 1
  %v13 = add i32 %v12, 0
  %v14 = getelementptr i32, ptr addrspace(1) %out, i32 %v13
  store i32 %v11, ptr addrspace(1) %v14
  %v15 = mul i32 %t, 1
  %v16 = add i32 %v15, 32
  %v17 = getelementptr i32, ptr addrspace(3) @shared, i32 %v16
  %v18 = load i32, ptr addrspace(3) %v17
  %v19 = mul i32 %t, 1
  %v20 = add i32 %v19, 32
  %v21 = getelementptr i32, ptr addrspace(1) %out, i32 %v20
  store i32 %v18, ptr addrspace(1) %v21
  %v22 = mul i32 %t, 1
  %v23 = add i32 %v22, 64
  %v24 = getelementptr i32, ptr addrspace(3) @shared, i32 %v23
  %v25 = load i32, ptr addrspace(3) %v24
  %v26 = mul i32 %t, 1
  %v27 = add i32 %v26, 64
  %v28 = getelementptr i32, ptr addrspace(1) %out, i32 %v27
  store i32 %v25, ptr addrspace(1) %v28
  %v29 = mul i32 %t, 1
  %v30 = add i32 %v29, 96
  %v31 = getelementptr i32, ptr addrspace(3) @shared, i32 %v30
  %v32 = load i32, ptr addrspace(3) %v31
  %v33 = mul i32 %t, 1
  %v34 = add i32 %v33, 96
  %v35 = getelementptr i32, ptr addrspace(1) %out, i32 %v34
  store i32 %v32, ptr addrspace(1) %v35
  ret void
}
define ptx_kernel void @cp_async_ca_16_sized(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 16
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i8, ptr addrspace(3) @shared, i32 %v2
  %v4 = mul i32 %t, 5
  %v5 = and i32 %v4, 31
  %v6 = mul i32 %v5, 16
  %v7 = getelementptr i8, ptr addrspace(1) %in, i32 %v6
  %v8 = urem i32 %t, 17
  call void @llvm.nvvm.cp.async.ca.shared.global.16.s(ptr addrspace(3) %v3, ptr addrspace(1) %v7, i32 %v8)
  call void @llvm.nvvm.cp.async.wait.all()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v9 = mul i32 %t, 1
  %v10 = add i32 %v9, 0
  %v11 = getelementptr i32, ptr addrspace(3) @shared, i32 %v10
  %v12 = load i32, ptr addrspace(3) %v11
  %v13 = mul i32 %t, 1
  %v14 = add i32 %v13, 0
  %v15 = getelementptr i32, ptr addrspace(1) %out, i32 %v14
  store i32 %v12, ptr addrspace(1) %v15
  %v16 = mul i32 %t, 1
  %v17 = add i32 %v16, 32
  %v18 = getelementptr i32, ptr addrspace(3) @shared, i32 %v17
  %v19 = load i32, ptr addrspace(3) %v18
  %v20 = mul i32 %t, 1
  %v21 = add i32 %v20, 32
  %v22 = getelementptr i32, ptr addrspace(1) %out, i32 %v21
  store i32 %v19, ptr addrspace(1) %v22
  %v23 = mul i32 %t, 1
  %v24 = add i32 %v23, 64
  %v25 = getelementptr i32, ptr addrspace(3) @shared, i32 %v24
  %v26 = load i32, ptr addrspace(3) %v25
  %v27 = mul i32 %t, 1
  %v28 = add i32 %v27, 64
  %v29 = getelementptr i32, ptr addrspace(1) %out, i32 %v28
  store i32 %v26, ptr addrspace(1) %v29
  %v30 = mul i32 %t, 1
  %v31 = add i32 %v30, 96
  %v32 = getelementptr i32, ptr addrspace(3) @shared, i32 %v31
  %v33 = load i32, ptr addrspace(3) %v32
  %v34 = mul i32 %t, 1
  %v35 = add i32 %v34, 96
  %v36 = getelementptr i32, ptr addrspace(1) %out, i32 %v35
  store i32 %v33, ptr addrspace(1) %v36
  ret void
}
define ptx_kernel void @cp_async_cg_16(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 16
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i8, ptr addrspace(3) @shared, i32 %v2
  %v4 = mul i32 %t, 5
  %v5 = and i32 %v4, 31
  %v6 = mul i32 %v5, 16
  %v7 = getelementptr i8, ptr addrspace(1) %in, i32 %v6
  call void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3) %v3, ptr addrspace(1) %v7)
  call void @llvm.nvvm.cp.async.wait.all()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v8 = mul i32 %t, 1
  %v9 = add i32 %v8, 0
  %v10 = getelementptr i32, ptr addrspace(3) @shared, i32 %v9
  %v11 = load i32, ptr addrspace(3) %v10
  %v12 = mul i32 %t, 1
  %v13 = add i32 %v12, 0
  %v14 = getelementptr i32, ptr addrspace(1) %out, i32 %v13
  store i32 %v11, ptr addrspace(1) %v14
  %v15 = mul i32 %t, 1
  %v16 = add i32 %v15, 32
  %v17 = getelementptr i32, ptr addrspace(3) @shared, i32 %v16
  %v18 = load i32, ptr addrspace(3) %v17
  %v19 = mul i32 %t, 1
  %v20 = add i32 %v19, 32
  %v21 = getelementptr i32, ptr addrspace(1) %out, i32 %v20
  store i32 %v18, ptr addrspace(1) %v21
  %v22 = mul i32 %t, 1
  %v23 = add i32 %v22, 64
  %v24 = getelementptr i32, ptr addrspace(3) @shared, i32 %v23
  %v25 = load i32, ptr addrspace(3) %v24
  %v26 = mul i32 %t, 1
  %v27 = add i32 %v26, 64
  %v28 = getelementptr i32, ptr addrspace(1) %out, i32 %v27
  store i32 %v25, ptr addrspace(1) %v28
  %v29 = mul i32 %t, 1
  %v30 = add i32 %v29, 96
  %v31 = getelementptr i32, ptr addrspace(3) @shared, i32 %v30
  %v32 = load i32, ptr addrspace(3) %v31
  %v33 = mul i32 %t, 1
  %v34 = add i32 %v33, 96
  %v35 = getelementptr i32, ptr addrspace(1) %out, i32 %v34
  store i32 %v32, ptr addrspace(1) %v35
  ret void
}
define ptx_kernel void @cp_async_cg_16_sized(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 16
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i8, ptr addrspace(3) @shared, i32 %v2
  %v4 = mul i32 %t, 5
  %v5 = and i32 %v4, 31
  %v6 = mul i32 %v5, 16
  %v7 = getelementptr i8, ptr addrspace(1) %in, i32 %v6
  %v8 = urem i32 %t, 17
  call void @llvm.nvvm.cp.async.cg.shared.global.16.s(ptr addrspace(3) %v3, ptr addrspace(1) %v7, i32 %v8)
  call void @llvm.nvvm.cp.async.wait.all()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v9 = mul i32 %t, 1
  %v10 = add i32 %v9, 0
  %v11 = getelementptr i32, ptr addrspace(3) @shared, i32 %v10
  %v12 = load i32, ptr addrspace(3) %v11
  %v13 = mul i32 %t, 1
  %v14 = add i32 %v13, 0
  %v15 = getelementptr i32, ptr addrspace(1) %out, i32 %v14
  store i32 %v12, ptr addrspace(1) %v15
  %v16 = mul i32 %t, 1
  %v17 = add i32 %v16, 32
  %v18 = getelementptr i32, ptr addrspace(3) @shared, i32 %v17
  %v19 = load i32, ptr addrspace(3) %v18
  %v20 = mul i32 %t, 1
  %v21 = add i32 %v20, 32
  %v22 = getelementptr i32, ptr addrspace(1) %out, i32 %v21
  store i32 %v19, ptr addrspace(1) %v22
  %v23 = mul i32 %t, 1
  %v24 = add i32 %v23, 64
  %v25 = getelementptr i32, ptr addrspace(3) @shared, i32 %v24
  %v26 = load i32, ptr addrspace(3) %v25
  %v27 = mul i32 %t, 1
  %v28 = add i32 %v27, 64
  %v29 = getelementptr i32, ptr addrspace(1) %out, i32 %v28
  store i32 %v26, ptr addrspace(1) %v29
  %v30 = mul i32 %t, 1
  %v31 = add i32 %v30, 96
  %v32 = getelementptr i32, ptr addrspace(3) @shared, i32 %v31
  %v33 = load i32, ptr addrspace(3) %v32
  %v34 = mul i32 %t, 1
  %v35 = add i32 %v34, 96
  %v36 = getelementptr i32, ptr addrspace(1) %out, i32 %v35
  store i32 %v33, ptr addrspace(1) %v36
  ret void
}
