// RUN: sparseflow-opt %s --pass-pipeline="builtin.module(gpu.module(convert-sftile-to-nvvm),canonicalize,cse)" | FileCheck %s

// int4.v1: the second word of a lane is operand A of columns 16 to 31. Its codes lie
// in four fields of both halves, and become 1024 + c and 1024 + 16 c in f16.

#codes = #sftile.layout<registers = [[0, 1], [0, 2]], lanes = [[0, 4], [0, 8], [0, 16], [0, 32], [0, 64]]>
#a16 = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#b16 = #sftile.layout<registers = [[0, 1], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
!halves = !sftile.ring<2, [!sftile.tile<4x128xi32, ternary>, !sftile.tile<8x128xf16, swizzled>]>
!brains = !sftile.ring<2, [!sftile.tile<4x128xi32, ternary>, !sftile.tile<8x128xbf16, swizzled>]>

gpu.module @kernels {

// CHECK-LABEL: gpu.func @halves
// CHECK-DAG: %[[POWER:.*]] = arith.constant 1677747200 : i32
// CHECK-DAG: %[[FIELD0:.*]] = arith.constant 983055 : i32
// CHECK-DAG: %[[FIELD1:.*]] = arith.constant 15728880 : i32
// CHECK-DAG: %[[SCALE1:.*]] = arith.constant dense<6.250000e-02> : vector<2xf16>
// CHECK-DAG: %[[LESS0:.*]] = arith.constant dense<-1.032000e+03> : vector<2xf16>
// CHECK-DAG: %[[LESS1:.*]] = arith.constant dense<-7.200000e+01> : vector<2xf16>
// CHECK-DAG: %[[EIGHT:.*]] = arith.constant 8 : i32
// CHECK: %[[W:.*]] = vector.extract %{{.*}}[1] : i32 from vector<4xi32>
// CHECK: llvm.inline_asm "lop3.b32 $0, $1, $2, $3, 0xEA;", "=r,r,r,r" %[[W]], %[[FIELD0]], %[[POWER]]
// CHECK: llvm.fadd %{{.*}}, %[[LESS0]]
// CHECK: llvm.inline_asm "lop3.b32 $0, $1, $2, $3, 0xEA;", "=r,r,r,r" %[[W]], %[[FIELD1]], %[[POWER]]
// CHECK: llvm.fmul %{{.*}}, %[[SCALE1]]
// CHECK: llvm.fadd %{{.*}}, %[[LESS1]]
// CHECK: %[[LATER:.*]] = arith.shrui %[[W]], %[[EIGHT]]
// CHECK: llvm.inline_asm "lop3.b32 {{.*}} %[[LATER]], %[[FIELD0]], %[[POWER]]
// CHECK: llvm.inline_asm "lop3.b32 {{.*}} %[[LATER]], %[[FIELD1]], %[[POWER]]
// CHECK: gpu.return
gpu.func @halves(%p: !llvm.ptr<1>, %n: i64, %zero: f32, %i: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %ring = sftile.ring {offset = 0 : i64} : !halves
  %o = sftile.view %p[%n, %n] pitch %n : !sftile.view<f32, row_major>
  sftile.role "main" warps 1 {
    %t:2 = sftile.wait %ring[%i] : !halves -> !sftile.tile<4x128xi32, ternary>, !sftile.tile<8x128xf16, swizzled>
    %c0 = arith.constant 0 : index
    %codes = sftile.load %t#0[%c0, %c0] : !sftile.tile<4x128xi32, ternary> -> !sftile.frag<1x128xi32, #codes>
    %a = sftile.decode %codes[16] by (#sftile.int4_v1) : !sftile.frag<1x128xi32, #codes> -> !sftile.frag<16x16xf16, #a16>
    %b = sftile.load %t#1[%c0, %c0] by (#sftile.ldmatrix) : !sftile.tile<8x128xf16, swizzled> -> !sftile.frag<8x16xf16, #b16>
    %c = sftile.broadcast %zero : f32 -> !sftile.frag<16x8xf32, #c>
    %d = sftile.mma %a, %b, %c by (#sftile.mma_sync<16, f16>) : !sftile.frag<16x16xf16, #a16>, !sftile.frag<8x16xf16, #b16>, !sftile.frag<16x8xf32, #c>
    sftile.store %d to %o[%n, %n] width 4 : !sftile.frag<16x8xf32, #c> to !sftile.view<f32, row_major>
  }
  gpu.return
}

// A bf16 has room for one field: the others are shifted down to it.
// CHECK-LABEL: gpu.func @brains
// CHECK-DAG: %[[POWER:.*]] = arith.constant 1124090624 : i32
// CHECK-DAG: %[[FIELD:.*]] = arith.constant 983055 : i32
// CHECK-DAG: %[[LESS:.*]] = arith.constant dense<-1.360000e+02> : vector<2xbf16>
// CHECK-DAG: arith.constant 4 : i32
// CHECK-DAG: arith.constant 8 : i32
// CHECK-DAG: arith.constant 12 : i32
// CHECK-COUNT-4: llvm.inline_asm "lop3.b32 {{.*}}, %[[FIELD]], %[[POWER]]
// CHECK: gpu.return
gpu.func @brains(%p: !llvm.ptr<1>, %n: i64, %zero: f32, %i: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %ring = sftile.ring {offset = 0 : i64} : !brains
  %o = sftile.view %p[%n, %n] pitch %n : !sftile.view<f32, row_major>
  sftile.role "main" warps 1 {
    %t:2 = sftile.wait %ring[%i] : !brains -> !sftile.tile<4x128xi32, ternary>, !sftile.tile<8x128xbf16, swizzled>
    %c0 = arith.constant 0 : index
    %codes = sftile.load %t#0[%c0, %c0] : !sftile.tile<4x128xi32, ternary> -> !sftile.frag<1x128xi32, #codes>
    %a = sftile.decode %codes[0] by (#sftile.int4_v1) : !sftile.frag<1x128xi32, #codes> -> !sftile.frag<16x16xbf16, #a16>
    %b = sftile.load %t#1[%c0, %c0] by (#sftile.ldmatrix) : !sftile.tile<8x128xbf16, swizzled> -> !sftile.frag<8x16xbf16, #b16>
    %c = sftile.broadcast %zero : f32 -> !sftile.frag<16x8xf32, #c>
    %d = sftile.mma %a, %b, %c by (#sftile.mma_sync<16, bf16>) : !sftile.frag<16x16xbf16, #a16>, !sftile.frag<8x16xbf16, #b16>, !sftile.frag<16x8xf32, #c>
    sftile.store %d to %o[%n, %n] width 4 : !sftile.frag<16x8xf32, #c> to !sftile.view<f32, row_major>
  }
  gpu.return
}

}
