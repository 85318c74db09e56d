target triple = "nvptx64-nvidia-cuda"
@shared = external addrspace(3) global [0 x i8], align 1024
@bar = internal addrspace(3) global [4 x i64] poison, align 8
declare i32 @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16.p3(ptr addrspace(3))
declare i32 @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.trans.b16.p3(ptr addrspace(3))
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x1.b16.p3(ptr addrspace(3), i32)
declare void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x1.trans.b16.p3(ptr addrspace(3), i32)
declare void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x2.b16.p3(ptr addrspace(3), i32, i32)
declare void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x2.trans.b16.p3(ptr addrspace(3), i32, i32)
declare void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3), i32, i32, i32, i32)
declare void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x4.trans.b16.p3(ptr addrspace(3), i32, i32, i32, i32)
declare {i32, i32, i32, i32} @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3))
declare {i32, i32, i32, i32} @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.trans.b16.p3(ptr addrspace(3))
declare {i32, i32} @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.b16.p3(ptr addrspace(3))
declare {i32, i32} @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.trans.b16.p3(ptr addrspace(3))
define ptx_kernel void @load_x1(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 0
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 32
  %v7 = add i32 %v6, 0
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v11 = mul i32 %t, 13
  %v12 = add i32 %v11, 5
  %v13 = and i32 %v12, 63
  %v14 = mul i32 %v13, 16
  %v15 = getelementptr i8, ptr addrspace(3) @shared, i32 %v14
  %v16 = call i32 @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16.p3(ptr addrspace(3) %v15)
  %v17 = mul i32 %t, 1
  %v18 = add i32 %v17, 0
  %v19 = getelementptr i32, ptr addrspace(1) %out, i32 %v18
  store i32 %v16, ptr addrspace(1) %v19
  ret void
}
define ptx_kernel void @store_x1(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 8
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i32, ptr addrspace(3) @shared, i32 %v2
  %v4 = getelementptr <4 x i32>, ptr addrspace(3) %v3, i32 0
  store <4 x i32> zeroinitializer, ptr addrspace(3) %v4, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) %v3, i32 1
  store <4 x i32> zeroinitializer, ptr addrspace(3) %v5, align 16
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v6 = mul i32 %t, 13
  %v7 = add i32 %v6, 5
  %v8 = and i32 %v7, 63
  %v9 = mul i32 %v8, 16
  %v10 = getelementptr i8, ptr addrspace(3) @shared, i32 %v9
  %v11 = mul i32 %t, 1
  %v12 = add i32 %v11, 0
  %v13 = getelementptr i32, ptr addrspace(1) %in, i32 %v12
  %v14 = load i32, ptr addrspace(1) %v13
  call void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x1.b16.p3(ptr addrspace(3) %v10, i32 %v14)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v15 = add i32 %t, 0
  %v16 = add i32 %v15, 0
  %v17 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v15
  %v18 = load <4 x i32>, ptr addrspace(3) %v17, align 16
  %v19 = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %v15
  store <4 x i32> %v18, ptr addrspace(1) %v19, align 16
  %v20 = add i32 %t, 32
  %v21 = add i32 %v20, 0
  %v22 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v20
  %v23 = load <4 x i32>, ptr addrspace(3) %v22, align 16
  %v24 = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %v20
  store <4 x i32> %v23, ptr addrspace(1) %v24, align 16
  ret void
}
define ptx_kernel void @load_x1_trans(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 0
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 32
  %v7 = add i32 %v6, 0
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v11 = mul i32 %t, 13
  %v12 = add i32 %v11, 5
  %v13 = and i32 %v12, 63
  %v14 = mul i32 %v13, 16
  %v15 = getelementptr i8, ptr addrspace(3) @shared, i32 %v14
  %v16 = call i32 @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.trans.b16.p3(ptr addrspace(3) %v15)
  %v17 = mul i32 %t, 1
  %v18 = add i32 %v17, 0
  %v19 = getelementptr i32, ptr addrspace(1) %out, i32 %v18
  store i32 %v16, ptr addrspace(1) %v19
  ret void
}
define ptx_kernel void @store_x1_trans(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 8
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i32, ptr addrspace(3) @shared, i32 %v2
  %v4 = getelementptr <4 x i32>, ptr addrspace(3) %v3, i32 0
  store <4 x i32> zeroinitializer, ptr addrspace(3) %v4, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) %v3, i32 1
  store <4 x i32> zeroinitializer, ptr addrspace(3) %v5, align 16
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v6 = mul i32 %t, 13
  %v7 = add i32 %v6, 5
  %v8 = and i32 %v7, 63
  %v9 = mul i32 %v8, 16
  %v10 = getelementptr i8, ptr addrspace(3) @shared, i32 %v9
  %v11 = mul i32 %t, 1
  %v12 = add i32 %v11, 0
  %v13 = getelementptr i32, ptr addrspace(1) %in, i32 %v12
  %v14 = load i32, ptr addrspace(1) %v13
  call void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x1.trans.b16.p3(ptr addrspace(3) %v10, i32 %v14)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v15 = add i32 %t, 0
  %v16 = add i32 %v15, 0
  %v17 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v15
  %v18 = load <4 x i32>, ptr addrspace(3) %v17, align 16
  %v19 = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %v15
  store <4 x i32> %v18, ptr addrspace(1) %v19, align 16
  %v20 = add i32 %t, 32
  %v21 = add i32 %v20, 0
  %v22 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v20
  %v23 = load <4 x i32>, ptr addrspace(3) %v22, align 16
  %v24 = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %v20
  store <4 x i32> %v23, ptr addrspace(1) %v24, align 16
  ret void
}
define ptx_kernel void @load_x2(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 0
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 32
  %v7 = add i32 %v6, 0
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v11 = mul i32 %t, 13
  %v12 = add i32 %v11, 5
  %v13 = and i32 %v12, 63
  %v14 = mul i32 %v13, 16
  %v15 = getelementptr i8, ptr addrspace(3) @shared, i32 %v14
  %v16 = call {i32, i32} @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.b16.p3(ptr addrspace(3) %v15)
  %v17 = extractvalue {i32, i32} %v16, 0
  %v18 = mul i32 %t, 2
  %v19 = add i32 %v18, 0
  %v20 = getelementptr i32, ptr addrspace(1) %out, i32 %v19
  store i32 %v17, ptr addrspace(1) %v20
  %v21 = extractvalue {i32, i32} %v16, 1
  %v22 = mul i32 %t, 2
  %v23 = add i32 %v22, 1
  %v24 = getelementptr i32, ptr addrspace(1) %out, i32 %v23
  store i32 %v21, ptr addrspace(1) %v24
  ret void
}
define ptx_kernel void @store_x2(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 8
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i32, ptr addrspace(3) @shared, i32 %v2
  %v4 = getelementptr <4 x i32>, ptr addrspace(3) %v3, i32 0
  store <4 x i32> zeroinitializer, ptr addrspace(3) %v4, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) %v3, i32 1
  store <4 x i32> zeroinitializer, ptr addrspace(3) %v5, align 16
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v6 = mul i32 %t, 13
  %v7 = add i32 %v6, 5
  %v8 = and i32 %v7, 63
  %v9 = mul i32 %v8, 16
  %v10 = getelementptr i8, ptr addrspace(3) @shared, i32 %v9
  %v11 = mul i32 %t, 2
  %v12 = add i32 %v11, 0
  %v13 = getelementptr i32, ptr addrspace(1) %in, i32 %v12
  %v14 = load i32, ptr addrspace(1) %v13
  %v15 = mul i32 %t, 2
  %v16 = add i32 %v15, 1
  %v17 = getelementptr i32, ptr addrspace(1) %in, i32 %v16
  %v18 = load i32, ptr addrspace(1) %v17
  call void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x2.b16.p3(ptr addrspace(3) %v10, i32 %v14, i32 %v18)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v19 = add i32 %t, 0
  %v20 = add i32 %v19, 0
  %v21 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v19
  %v22 = load <4 x i32>, ptr addrspace(3) %v21, align 16
  %v23 = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %v19
  store <4 x i32> %v22, ptr addrspace(1) %v23, align 16
  %v24 = add i32 %t, 32
  %v25 = add i32 %v24, 0
  %v26 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v24
  %v27 = load <4 x i32>, ptr addrspace(3) %v26, align 16
  %v28 = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %v24
  store <4 x i32> %v27, ptr addrspace(1) %v28, align 16
  ret void
}
define ptx_kernel void @load_x2_trans(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 0
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 32
  %v7 = add i32 %v6, 0
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v11 = mul i32 %t, 13
  %v12 = add i32 %v11, 5
  %v13 = and i32 %v12, 63
  %v14 = mul i32 %v13, 16
  %v15 = getelementptr i8, ptr addrspace(3) @shared, i32 %v14
  %v16 = call {i32, i32} @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.trans.b16.p3(ptr addrspace(3) %v15)
  %v17 = extractvalue {i32, i32} %v16, 0
  %v18 = mul i32 %t, 2
  %v19 = add i32 %v18, 0
  %v20 = getelementptr i32, ptr addrspace(1) %out, i32 %v19
  store i32 %v17, ptr addrspace(1) %v20
  %v21 = extractvalue {i32, i32} %v16, 1
  %v22 = mul i32 %t, 2
  %v23 = add i32 %v22, 1
  %v24 = getelementptr i32, ptr addrspace(1) %out, i32 %v23
  store i32 %v21, ptr addrspace(1) %v24
  ret void
}
define ptx_kernel void @store_x2_trans(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 8
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i32, ptr addrspace(3) @shared, i32 %v2
  %v4 = getelementptr <4 x i32>, ptr addrspace(3) %v3, i32 0
  store <4 x i32> zeroinitializer, ptr addrspace(3) %v4, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) %v3, i32 1
  store <4 x i32> zeroinitializer, ptr addrspace(3) %v5, align 16
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v6 = mul i32 %t, 13
  %v7 = add i32 %v6, 5
  %v8 = and i32 %v7, 63
  %v9 = mul i32 %v8, 16
  %v10 = getelementptr i8, ptr addrspace(3) @shared, i32 %v9
  %v11 = mul i32 %t, 2
  %v12 = add i32 %v11, 0
  %v13 = getelementptr i32, ptr addrspace(1) %in, i32 %v12
  %v14 = load i32, ptr addrspace(1) %v13
  %v15 = mul i32 %t, 2
  %v16 = add i32 %v15, 1
  %v17 = getelementptr i32, ptr addrspace(1) %in, i32 %v16
  %v18 = load i32, ptr addrspace(1) %v17
  call void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x2.trans.b16.p3(ptr addrspace(3) %v10, i32 %v14, i32 %v18)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v19 = add i32 %t, 0
  %v20 = add i32 %v19, 0
  %v21 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v19
  %v22 = load <4 x i32>, ptr addrspace(3) %v21, align 16
  %v23 = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %v19
  store <4 x i32> %v22, ptr addrspace(1) %v23, align 16
  %v24 = add i32 %t, 32
  %v25 = add i32 %v24, 0
  %v26 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v24
  %v27 = load <4 x i32>, ptr addrspace(3) %v26, align 16
  %v28 = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %v24
  store <4 x i32> %v27, ptr addrspace(1) %v28, align 16
  ret void
}
define ptx_kernel void @load_x4(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 0
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 32
  %v7 = add i32 %v6, 0
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v11 = mul i32 %t, 13
  %v12 = add i32 %v11, 5
  %v13 = and i32 %v12, 63
  %v14 = mul i32 %v13, 16
  %v15 = getelementptr i8, ptr addrspace(3) @shared, i32 %v14
  %v16 = call {i32, i32, i32, i32} @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %v15)
  %v17 = extractvalue {i32, i32, i32, i32} %v16, 0
  %v18 = mul i32 %t, 4
  %v19 = add i32 %v18, 0
  %v20 = getelementptr i32, ptr addrspace(1) %out, i32 %v19
  store i32 %v17, ptr addrspace(1) %v20
  %v21 = extractvalue {i32, i32, i32, i32} %v16, 1
  %v22 = mul i32 %t, 4
  %v23 = add i32 %v22, 1
  %v24 = getelementptr i32, ptr addrspace(1) %out, i32 %v23
  store i32 %v21, ptr addrspace(1) %v24
  %v25 = extractvalue {i32, i32, i32, i32} %v16, 2
  %v26 = mul i32 %t, 4
  %v27 = add i32 %v26, 2
  %v28 = getelementptr i32, ptr addrspace(1) %out, i32 %v27
  store i32 %v25, ptr addrspace(1) %v28
  %v29 = extractvalue {i32, i32, i32, i32} %v16, 3
  %v30 = mul i32 %t, 4
  %v31 = add i32 %v30, 3
  %v32 = getelementptr i32, ptr addrspace(1) %out, i32 %v31
  store i32 %v29, ptr addrspace(1) %v32
  ret void
}
define ptx_kernel void @store_x4(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 8
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i32, ptr addrspace(3) @shared, i32 %v2
  %v4 = getelementptr <4 x i32>, ptr addrspace(3) %v3, i32 0
  store <4 x i32> zeroinitializer, ptr addrspace(3) %v4, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) %v3, i32 1
  store <4 x i32> zeroinitializer, ptr addrspace(3) %v5, align 16
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v6 = mul i32 %t, 13
  %v7 = add i32 %v6, 5
  %v8 = and i32 %v7, 63
  %v9 = mul i32 %v8, 16
  %v10 = getelementptr i8, ptr addrspace(3) @shared, i32 %v9
  %v11 = mul i32 %t, 4
  %v12 = add i32 %v11, 0
  %v13 = getelementptr i32, ptr addrspace(1) %in, i32 %v12
  %v14 = load i32, ptr addrspace(1) %v13
  %v15 = mul i32 %t, 4
  %v16 = add i32 %v15, 1
  %v17 = getelementptr i32, ptr addrspace(1) %in, i32 %v16
  %v18 = load i32, ptr addrspace(1) %v17
  %v19 = mul i32 %t, 4
  %v20 = add i32 %v19, 2
  %v21 = getelementptr i32, ptr addrspace(1) %in, i32 %v20
  %v22 = load i32, ptr addrspace(1) %v21
  %v23 = mul i32 %t, 4
  %v24 = add i32 %v23, 3
  %v25 = getelementptr i32, ptr addrspace(1) %in, i32 %v24
  %v26 = load i32, ptr addrspace(1) %v25
  call void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %v10, i32 %v14, i32 %v18, i32 %v22, i32 %v26)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v27 = add i32 %t, 0
  %v28 = add i32 %v27, 0
  %v29 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v27
  %v30 = load <4 x i32>, ptr addrspace(3) %v29, align 16
  %v31 = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %v27
  store <4 x i32> %v30, ptr addrspace(1) %v31, align 16
  %v32 = add i32 %t, 32
  %v33 = add i32 %v32, 0
  %v34 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v32
  %v35 = load <4 x i32>, ptr addrspace(3) %v34, align 16
  %v36 = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %v32
  store <4 x i32> %v35, ptr addrspace(1) %v36, align 16
  ret void
}
define ptx_kernel void @load_x4_trans(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = add i32 %t, 0
  %v2 = add i32 %v1, 0
  %v3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v2
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v1
  store <4 x i32> %v4, ptr addrspace(3) %v5, align 16
  %v6 = add i32 %t, 32
  %v7 = add i32 %v6, 0
  %v8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %v7
  %v9 = load <4 x i32>, ptr addrspace(1) %v8, align 16
  %v10 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v6
  store <4 x i32> %v9, ptr addrspace(3) %v10, align 16
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v11 = mul i32 %t, 13
  %v12 = add i32 %v11, 5
  %v13 = and i32 %v12, 63
  %v14 = mul i32 %v13, 16
  %v15 = getelementptr i8, ptr addrspace(3) @shared, i32 %v14
  %v16 = call {i32, i32, i32, i32} @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.trans.b16.p3(ptr addrspace(3) %v15)
  %v17 = extractvalue {i32, i32, i32, i32} %v16, 0
  %v18 = mul i32 %t, 4
  %v19 = add i32 %v18, 0
  %v20 = getelementptr i32, ptr addrspace(1) %out, i32 %v19
  store i32 %v17, ptr addrspace(1) %v20
  %v21 = extractvalue {i32, i32, i32, i32} %v16, 1
  %v22 = mul i32 %t, 4
  %v23 = add i32 %v22, 1
  %v24 = getelementptr i32, ptr addrspace(1) %out, i32 %v23
  store i32 %v21, ptr addrspace(1) %v24
  %v25 = extractvalue {i32, i32, i32, i32} %v16, 2
  %v26 = mul i32 %t, 4
  %v27 = add i32 %v26, 2
  %v28 = getelementptr i32, ptr addrspace(1) %out, i32 %v27
  store i32 %v25, ptr addrspace(1) %v28
  %v29 = extractvalue {i32, i32, i32, i32} %v16, 3
  %v30 = mul i32 %t, 4
  %v31 = add i32 %v30, 3
  %v32 = getelementptr i32, ptr addrspace(1) %out, i32 %v31
  store i32 %v29, ptr addrspace(1) %v32
  ret void
}
define ptx_kernel void @store_x4_trans(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = mul i32 %t, 8
  %v2 = add i32 %v1, 0
  %v3 = getelementptr i32, ptr addrspace(3) @shared, i32 %v2
  %v4 = getelementptr <4 x i32>, ptr addrspace(3) %v3, i32 0
  store <4 x i32> zeroinitializer, ptr addrspace(3) %v4, align 16
  %v5 = getelementptr <4 x i32>, ptr addrspace(3) %v3, i32 1
  store <4 x i32> zeroinitializer, ptr addrspace(3) %v5, align 16
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v6 = mul i32 %t, 13
  %v7 = add i32 %v6, 5
  %v8 = and i32 %v7, 63
  %v9 = mul i32 %v8, 16
  %v10 = getelementptr i8, ptr addrspace(3) @shared, i32 %v9
  %v11 = mul i32 %t, 4
  %v12 = add i32 %v11, 0
  %v13 = getelementptr i32, ptr addrspace(1) %in, i32 %v12
  %v14 = load i32, ptr addrspace(1) %v13
  %v15 = mul i32 %t, 4
  %v16 = add i32 %v15, 1
  %v17 = getelementptr i32, ptr addrspace(1) %in, i32 %v16
  %v18 = load i32, ptr addrspace(1) %v17
  %v19 = mul i32 %t, 4
  %v20 = add i32 %v19, 2
  %v21 = getelementptr i32, ptr addrspace(1) %in, i32 %v20
  %v22 = load i32, ptr addrspace(1) %v21
  %v23 = mul i32 %t, 4
  %v24 = add i32 %v23, 3
  %v25 = getelementptr i32, ptr addrspace(1) %in, i32 %v24
  %v26 = load i32, ptr addrspace(1) %v25
  call void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x4.trans.b16.p3(ptr addrspace(3) %v10, i32 %v14, i32 %v18, i32 %v22, i32 %v26)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v27 = add i32 %t, 0
  %v28 = add i32 %v27, 0
  %v29 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v27
  %v30 = load <4 x i32>, ptr addrspace(3) %v29, align 16
  %v31 = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %v27
  store <4 x i32> %v30, ptr addrspace(1) %v31, align 16
  %v32 = add i32 %t, 32
  %v33 = add i32 %v32, 0
  %v34 = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %v32
  %v35 = load <4 x i32>, ptr addrspace(3) %v34, align 16
  %v36 = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %v32
  store <4 x i32> %v35, ptr addrspace(1) %v36, align 16
  ret void
}
