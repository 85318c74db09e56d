// RUN: sparseflow-opt %s --pass-pipeline="builtin.module(gpu.module(convert-sftile-to-nvvm),canonicalize,cse)" | FileCheck %s

// int8.v1: the first two words of a lane, of two rows, are operand A of columns 0 to 15,
// the others that of columns 16 to 31. A byte with its sign changed becomes
// 1024 + 128 + q in f16.

#codes = #sftile.layout<registers = [[0, 1], [0, 2]], lanes = [[0, 4], [0, 8], [0, 16], [0, 32], [0, 64]]>
#a16 = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#b16 = #sftile.layout<registers = [[0, 1], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
!halves = !sftile.ring<2, [!sftile.tile<4x128xi32, ternary>, !sftile.tile<8x128xf16, swizzled>]>
!brains = !sftile.ring<2, [!sftile.tile<4x128xi32, ternary>, !sftile.tile<8x128xbf16, swizzled>]>

gpu.module @kernels {

// CHECK-LABEL: gpu.func @halves
// CHECK-DAG: %[[BYTES:.*]] = arith.constant 16711935 : i32
// CHECK-DAG: %[[POWER:.*]] = arith.constant 1686135936 : i32
// CHECK-DAG: %[[LESS:.*]] = arith.constant dense<-1.152000e+03> : vector<2xf16>
// CHECK-DAG: %[[EIGHT:.*]] = arith.constant 8 : i32
// CHECK-DAG: %[[UPPER:.*]] = vector.extract %{{.*}}[2] : i32 from vector<4xi32>
// CHECK-DAG: %[[LOWER:.*]] = vector.extract %{{.*}}[3] : i32 from vector<4xi32>
// CHECK-DAG: llvm.inline_asm "lop3.b32 $0, $1, $2, $3, 0x6A;", "=r,r,r,r" %[[UPPER]], %[[BYTES]], %[[POWER]]
// CHECK-DAG: llvm.inline_asm "lop3.b32 $0, $1, $2, $3, 0x6A;", "=r,r,r,r" %[[LOWER]], %[[BYTES]], %[[POWER]]
// CHECK-DAG: %[[NEXT:.*]] = arith.shrui %[[UPPER]], %[[EIGHT]]
// CHECK-DAG: llvm.inline_asm "lop3.b32 $0, $1, $2, $3, 0x6A;", "=r,r,r,r" %[[NEXT]], %[[BYTES]], %[[POWER]]
// CHECK-DAG: llvm.fadd %{{.*}}, %[[LESS]]
// CHECK: gpu.return
gpu.func @halves(%p: !llvm.ptr<1>, %n: i64, %zero: f32, %i: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %ring = sftile.ring {offset = 0 : i64} : !halves
  %o = sftile.view %p[%n, %n] pitch %n : !sftile.view<f32, row_major>
  sftile.role "main" warps 1 {
    %t:2 = sftile.wait %ring[%i] : !halves -> !sftile.tile<4x128xi32, ternary>, !sftile.tile<8x128xf16, swizzled>
    %c0 = arith.constant 0 : index
    %codes = sftile.load %t#0[%c0, %c0] : !sftile.tile<4x128xi32, ternary> -> !sftile.frag<1x128xi32, #codes>
    %a = sftile.decode %codes[16] by (#sftile.int8_v1) : !sftile.frag<1x128xi32, #codes> -> !sftile.frag<16x16xf16, #a16>
    %b = sftile.load %t#1[%c0, %c0] by (#sftile.ldmatrix) : !sftile.tile<8x128xf16, swizzled> -> !sftile.frag<8x16xf16, #b16>
    %c = sftile.broadcast %zero : f32 -> !sftile.frag<16x8xf32, #c>
    %d = sftile.mma %a, %b, %c by (#sftile.mma_sync<16, f16>) : !sftile.frag<16x16xf16, #a16>, !sftile.frag<8x16xf16, #b16>, !sftile.frag<16x8xf32, #c>
    sftile.store %d to %o[%n, %n] width 4 : !sftile.frag<16x8xf32, #c> to !sftile.view<f32, row_major>
  }
  gpu.return
}

// A bf16 has seven bits below the point of 128: the sign is taken off apart.
// CHECK-LABEL: gpu.func @brains
// CHECK-DAG: %[[SEVEN:.*]] = arith.constant 8323199 : i32
// CHECK-DAG: %[[SIGN:.*]] = arith.constant 8388736 : i32
// CHECK-DAG: %[[POWER:.*]] = arith.constant 1124090624 : i32
// CHECK-DAG: %[[MINUS:.*]] = arith.constant dense<-1.000000e+00> : vector<2xbf16>
// CHECK: llvm.inline_asm "lop3.b32 $0, $1, $2, $3, 0xEA;", "=r,r,r,r" %[[W:.*]], %[[SIGN]], %[[POWER]]
// CHECK: %[[LESS:.*]] = llvm.fmul %{{.*}}, %[[MINUS]]
// CHECK: llvm.inline_asm "lop3.b32 $0, $1, $2, $3, 0xEA;", "=r,r,r,r" %[[W]], %[[SEVEN]], %[[POWER]]
// CHECK: llvm.fadd %[[LESS]], %{{.*}}
// CHECK: gpu.return
gpu.func @brains(%p: !llvm.ptr<1>, %n: i64, %zero: f32, %i: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %ring = sftile.ring {offset = 0 : i64} : !brains
  %o = sftile.view %p[%n, %n] pitch %n : !sftile.view<f32, row_major>
  sftile.role "main" warps 1 {
    %t:2 = sftile.wait %ring[%i] : !brains -> !sftile.tile<4x128xi32, ternary>, !sftile.tile<8x128xbf16, swizzled>
    %c0 = arith.constant 0 : index
    %codes = sftile.load %t#0[%c0, %c0] : !sftile.tile<4x128xi32, ternary> -> !sftile.frag<1x128xi32, #codes>
    %a = sftile.decode %codes[0] by (#sftile.int8_v1) : !sftile.frag<1x128xi32, #codes> -> !sftile.frag<16x16xbf16, #a16>
    %b = sftile.load %t#1[%c0, %c0] by (#sftile.ldmatrix) : !sftile.tile<8x128xbf16, swizzled> -> !sftile.frag<8x16xbf16, #b16>
    %c = sftile.broadcast %zero : f32 -> !sftile.frag<16x8xf32, #c>
    %d = sftile.mma %a, %b, %c by (#sftile.mma_sync<16, bf16>) : !sftile.frag<16x16xbf16, #a16>, !sftile.frag<8x16xbf16, #b16>, !sftile.frag<16x8xf32, #c>
    sftile.store %d to %o[%n, %n] width 4 : !sftile.frag<16x8xf32, #c> to !sftile.view<f32, row_major>
  }
  gpu.return
}

}
