// A pipeline of three iterations: each computes the MMA of the next one's scores. ptxas
// unrolls it and drops the MMA of a fourth iteration, by right; that number could as well
// be one of missing MMAs. The kernel is assembled again with its loop as it stands.
//
// REQUIRES: ptxas
// RUN: sparseflow compile %s --target sm_80 --emit cubin -o %t.cubin --remarks --report %t.json 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT < %t.json
//
// CHECK: remark: [ptxas] 'k' on sm_80: {{.*}}, 3 tensor core instructions, loops not unrolled: their copies lack MMAs
// CHECK: remark: [ptxas] 'straight' on sm_80: {{.*}}, 1 tensor core instructions{{$}}
// REPORT: "keeps_loops": true
// REPORT-NOT: "keeps_loops"

module {
  gpu.module @kernels {
    llvm.func @k(%x: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.maxntid = array<i32: 32>} {
      llvm.inline_asm has_side_effects "{ .reg .b64 p; .reg .b32 i, t, a0, a1, a2, a3, b0, b1, c0, c1; .reg .f32 s0, s1, s2, s3, y0, y1, y2, y3, z; .reg .pred more; mov.u32 t, %tid.x; mul.wide.u32 p, t, 64; add.s64 p, p, $0; ld.global.v4.b32 {a0, a1, a2, a3}, [p]; ld.global.v2.b32 {b0, b1}, [p+16]; mov.f32 z, 0f00000000; mov.f32 y0, z; mov.f32 y1, z; mov.f32 y2, z; mov.f32 y3, z; mov.b32 i, 0; mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {s0, s1, s2, s3}, {a0, a1, a2, a3}, {b0, b1}, {z, z, z, z};\0A$$again:\0Acvt.rn.f16x2.f32 c0, s0, s1; cvt.rn.f16x2.f32 c1, s2, s3; mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {y0, y1, y2, y3}, {a0, a1, a2, a3}, {c0, c1}, {y0, y1, y2, y3}; add.s64 p, p, 4096; ld.global.v2.b32 {b0, b1}, [p+16]; mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {s0, s1, s2, s3}, {a0, a1, a2, a3}, {b0, b1}, {z, z, z, z}; add.s32 i, i, 1; setp.lt.s32 more, i, 3; @more bra $$again; st.global.v4.f32 [$0], {y0, y1, y2, y3}; }", "l" %x : (!llvm.ptr<1>) -> ()
      llvm.return
    }
    llvm.func @straight(%x: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.maxntid = array<i32: 32>} {
      llvm.inline_asm has_side_effects "{ .reg .b32 a0, a1, a2, a3, b0, b1; .reg .f32 y0, y1, y2, y3, z; ld.global.v4.b32 {a0, a1, a2, a3}, [$0]; ld.global.v2.b32 {b0, b1}, [$0+16]; mov.f32 z, 0f00000000; mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {y0, y1, y2, y3}, {a0, a1, a2, a3}, {b0, b1}, {z, z, z, z}; st.global.v4.f32 [$0], {y0, y1, y2, y3}; }", "l" %x : (!llvm.ptr<1>) -> ()
      llvm.return
    }
  }
}
