// The back end's path from a gpu.module to machine code, without the passes
// above it.

// RUN: sparseflow compile %s --emit ptx --target sm_80 | FileCheck %s --check-prefixes=PTX,PTX80
// RUN: sparseflow compile %s --emit ptx --target sm_90a | FileCheck %s --check-prefixes=PTX,PTX90
// RUN: sparseflow compile %s --emit ptx --target sm_120 | FileCheck %s --check-prefixes=PTX,PTX120
// RUN: sparseflow compile %s --emit llvm --target sm_80 | FileCheck %s --check-prefix=LLVM

// PTX80: .version 8.5
// PTX80: .target sm_80
// PTX90: .version 8.5
// PTX90: .target sm_90a
// PTX120: .version 8.7
// PTX120: .target sm_120
// PTX: .visible .entry product(
// PTX: .reqntid 32
// PTX: mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32
// PTX-NOT: mma.sp
// PTX: .visible .entry assembly(

// LLVM: target datalayout = "e-{{.*}}"
// LLVM: target triple = "nvptx64-nvidia-cuda"
// LLVM: define ptx_kernel void @product
// LLVM: call {{.*}} @llvm.nvvm.mma.sp.ordered.metadata.m16n8k32
// Inline assembly is convergent though llvm.inline_asm cannot say so.
// LLVM: call {{.*}}asm sideeffect "bar.warp.sync 0xffffffff;", ""() #[[ASM:[0-9]+]]
// LLVM: attributes #[[ASM]] = { convergent

module {
  gpu.module @kernels {
    llvm.func @product(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %d: !llvm.ptr<1>)
        attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32>,
                    sftile.shared_bytes = 0 : i64} {
      %lane = nvvm.read.ptx.sreg.laneid : i32
      %pa = llvm.getelementptr %a[%lane] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<4 x vector<2xf16>>
      %pb = llvm.getelementptr %b[%lane] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<4 x vector<2xf16>>
      %va = llvm.load %pa {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
      %vb = llvm.load %pb {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
      %i0 = llvm.mlir.constant(0 : i32) : i32
      %i1 = llvm.mlir.constant(1 : i32) : i32
      %i2 = llvm.mlir.constant(2 : i32) : i32
      %i3 = llvm.mlir.constant(3 : i32) : i32
      %a0i = llvm.extractelement %va[%i0 : i32] : vector<4xi32>
      %a1i = llvm.extractelement %va[%i1 : i32] : vector<4xi32>
      %a2i = llvm.extractelement %va[%i2 : i32] : vector<4xi32>
      %a3i = llvm.extractelement %va[%i3 : i32] : vector<4xi32>
      %b0i = llvm.extractelement %vb[%i0 : i32] : vector<4xi32>
      %b1i = llvm.extractelement %vb[%i1 : i32] : vector<4xi32>
      %b2i = llvm.extractelement %vb[%i2 : i32] : vector<4xi32>
      %b3i = llvm.extractelement %vb[%i3 : i32] : vector<4xi32>
      %a0 = llvm.bitcast %a0i : i32 to vector<2xf16>
      %a1 = llvm.bitcast %a1i : i32 to vector<2xf16>
      %a2 = llvm.bitcast %a2i : i32 to vector<2xf16>
      %a3 = llvm.bitcast %a3i : i32 to vector<2xf16>
      %b0 = llvm.bitcast %b0i : i32 to vector<2xf16>
      %b1 = llvm.bitcast %b1i : i32 to vector<2xf16>
      %b2 = llvm.bitcast %b2i : i32 to vector<2xf16>
      %b3 = llvm.bitcast %b3i : i32 to vector<2xf16>
      %c = llvm.mlir.constant(0.0 : f32) : f32
      // 0x4444: positions 0 and 1 of every group.
      %e = llvm.mlir.constant(0x44444444 : i32) : i32
      %sel = llvm.mlir.constant(0 : i32) : i32
      %r = nvvm.mma.sp.sync A[%a0, %a1, %a2, %a3] B[%b0, %b1, %b2, %b3] C[%c, %c, %c, %c]
          sparseMetadata[%e] selector[%sel]
          {orderedMetadata, shape = #nvvm.shape<m = 16, n = 8, k = 32>}
          : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
      %r0 = llvm.extractvalue %r[0] : !llvm.struct<(f32, f32, f32, f32)>
      %r1 = llvm.extractvalue %r[1] : !llvm.struct<(f32, f32, f32, f32)>
      %r2 = llvm.extractvalue %r[2] : !llvm.struct<(f32, f32, f32, f32)>
      %r3 = llvm.extractvalue %r[3] : !llvm.struct<(f32, f32, f32, f32)>
      %s0 = llvm.fadd %r0, %r1 : f32
      %s1 = llvm.fadd %r2, %r3 : f32
      %s = llvm.fadd %s0, %s1 : f32
      %pd = llvm.getelementptr %d[%lane] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      llvm.store %s, %pd : f32, !llvm.ptr<1>
      llvm.return
    }
    llvm.func @assembly(%d: !llvm.ptr<1>) attributes {nvvm.kernel} {
      %zero = llvm.mlir.constant(0.0 : f32) : f32
      llvm.inline_asm has_side_effects "bar.warp.sync 0xffffffff;", "" : () -> ()
      llvm.store %zero, %d : f32, !llvm.ptr<1>
      llvm.return
    }
  }
}
