// The reproducer of docs/Rationale/ptxas.md: ptxas drops the first of two MMAs. A
// ptxas that does not is welcome; this test then says so.
//
// REQUIRES: ptxas
// RUN: not sparseflow compile %s --target sm_90a --emit cubin -o %t.cubin 2>&1 | FileCheck %s
// RUN: sparseflow compile %s --target sm_90a --emit ptx -o - | FileCheck %s --check-prefix=PTX
//
// CHECK: error: ptxas {{[0-9.]+}} drops MMAs of kernel 'k' for sm_90a: expected 2 tensor core instructions, as in the PTX, found 1; the results would be wrong
// PTX-COUNT-2: wgmma.mma_async

module {
  gpu.module @kernels {
    llvm.func @k(%out: !llvm.ptr<1>, %b: i64, %scale: f32) attributes {nvvm.kernel} {
      llvm.inline_asm has_side_effects "{ .reg .b32 t, a0, a1, a2, a3; .reg .f32 x0, x1, x2, x3, y0, y1, y2, y3, z0, z1, z2, z3; .reg .b64 b; .reg .pred p; mov.u32 t, %tid.x; add.u32 a0, t, 0; add.u32 a1, t, 1; add.u32 a2, t, 2; add.u32 a3, t, 3; mov.b64 b, $1; setp.ne.u32 p, 0, 0; wgmma.fence.sync.aligned; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {x0, x1, x2, x3}, {a0, a1, a2, a3}, b, p, 1, 1, 0; wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0; fma.rn.f32 y0, x0, $2, 0f00000000; fma.rn.f32 y1, x1, $2, 0f00000000; fma.rn.f32 y2, x2, $2, 0f00000000; fma.rn.f32 y3, x3, $2, 0f00000000; add.u64 b, b, 2; wgmma.fence.sync.aligned; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {x0, x1, x2, x3}, {a0, a1, a2, a3}, b, p, 1, 1, 0; wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0; fma.rn.f32 z0, x0, $2, 0f00000000; fma.rn.f32 z1, x1, $2, 0f00000000; fma.rn.f32 z2, x2, $2, 0f00000000; fma.rn.f32 z3, x3, $2, 0f00000000; st.global.v4.f32 [$0], {y0, y1, y2, y3}; st.global.v4.f32 [$0+16], {z0, z1, z2, z3}; }", "l,l,f" %out, %b, %scale : (!llvm.ptr<1>, i64, f32) -> ()
      llvm.return
    }
  }
}
