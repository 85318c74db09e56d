// RUN: sparseflow-opt %s --pass-pipeline="builtin.module(gpu.module(convert-sftile-to-nvvm),canonicalize,cse)" | FileCheck %s

// Codes become operand A by shifts, masks and, where they become numbers, one
// instruction that masks and sets the power, and a multiplication and an addition
// for two of them, which the back end fuses.

#codes = #sftile.layout<registers = [[0, 1], [0, 2]], lanes = [[0, 4], [0, 8], [0, 16], [0, 32], [0, 64]]>
#a16 = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#b16 = #sftile.layout<registers = [[0, 1], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#a8 = #sftile.layout<registers = [[0, 1], [0, 2], [8, 0], [0, 16]], lanes = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]]>
#b8 = #sftile.layout<registers = [[0, 1], [0, 2], [0, 16]], lanes = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]]>
#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
!halves = !sftile.ring<2, [!sftile.tile<4x128xi32, ternary>, !sftile.tile<8x128xf16, swizzled>]>
!brains = !sftile.ring<2, [!sftile.tile<4x128xi32, ternary>, !sftile.tile<8x128xbf16, swizzled>]>
!bytes = !sftile.ring<2, [!sftile.tile<4x128xi32, ternary>, !sftile.tile<8x128xi8, swizzled>]>

gpu.module @kernels {

// The second half of the first word's columns: fields 2 and 3 of its four, which
// make 1024 + 16 c and 1024 + 64 c. One load for a lane's four words.
// CHECK-LABEL: gpu.func @halves
// CHECK-DAG: %[[POWER:.*]] = arith.constant 1677747200 : i32
// CHECK-DAG: %[[FIELD2:.*]] = arith.constant 3145776 : i32
// CHECK-DAG: %[[FIELD3:.*]] = arith.constant 12583104 : i32
// CHECK-DAG: %[[SCALE2:.*]] = arith.constant dense<6.250000e-02> : vector<2xf16>
// CHECK-DAG: %[[SCALE3:.*]] = arith.constant dense<1.562{{.*}}e-02> : vector<2xf16>
// CHECK-DAG: %[[LESS2:.*]] = arith.constant dense<-6.500000e+01> : vector<2xf16>
// CHECK-DAG: %[[LESS3:.*]] = arith.constant dense<-1.700000e+01> : vector<2xf16>
// CHECK-DAG: %[[EIGHT:.*]] = arith.constant 8 : i32
// CHECK: %[[WORDS:.*]] = llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32>
// CHECK: %[[W:.*]] = vector.extract %[[WORDS]][0] : i32 from vector<4xi32>
// CHECK: %[[M2:.*]] = llvm.inline_asm "lop3.b32 $0, $1, $2, $3, 0xEA;", "=r,r,r,r" %[[W]], %[[FIELD2]], %[[POWER]]
// CHECK: %[[N2:.*]] = llvm.bitcast %[[M2]] : i32 to vector<2xf16>
// CHECK: %[[P2:.*]] = llvm.fmul %[[N2]], %[[SCALE2]] {fastmathFlags = #llvm.fastmath<contract>}
// CHECK: llvm.fadd %[[P2]], %[[LESS2]] {fastmathFlags = #llvm.fastmath<contract>}
// CHECK: llvm.inline_asm "lop3.b32 $0, $1, $2, $3, 0xEA;", "=r,r,r,r" %[[W]], %[[FIELD3]], %[[POWER]]
// CHECK: llvm.fmul %{{.*}}, %[[SCALE3]]
// CHECK: llvm.fadd %{{.*}}, %[[LESS3]]
// CHECK: arith.shrui %[[W]], %[[EIGHT]]
// CHECK: gpu.return
gpu.func @halves(%p: !llvm.ptr<1>, %n: i64, %zero: f32, %i: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %ring = sftile.ring {offset = 0 : i64} : !halves
  %o = sftile.view %p[%n, %n] pitch %n : !sftile.view<f32, row_major>
  sftile.role "main" warps 1 {
    %t:2 = sftile.wait %ring[%i] : !halves -> !sftile.tile<4x128xi32, ternary>, !sftile.tile<8x128xf16, swizzled>
    %c0 = arith.constant 0 : index
    %codes = sftile.load %t#0[%c0, %c0] : !sftile.tile<4x128xi32, ternary> -> !sftile.frag<1x128xi32, #codes>
    %a = sftile.decode %codes[16] by (#sftile.tern_v1) : !sftile.frag<1x128xi32, #codes> -> !sftile.frag<16x16xf16, #a16>
    %b = sftile.load %t#1[%c0, %c0] by (#sftile.ldmatrix) : !sftile.tile<8x128xf16, swizzled> -> !sftile.frag<8x16xf16, #b16>
    %c = sftile.broadcast %zero : f32 -> !sftile.frag<16x8xf32, #c>
    %d = sftile.mma %a, %b, %c by (#sftile.mma_sync<16, f16>) : !sftile.frag<16x16xf16, #a16>, !sftile.frag<8x16xf16, #b16>, !sftile.frag<16x8xf32, #c>
    sftile.store transposed %d to %o[%n, %n] width 4 : !sftile.frag<16x8xf32, #c> to !sftile.view<f32, row_major>
  }
  gpu.return
}

// A bf16 has room for fields 0 to 2: the others are shifted down first, here the
// fourth, which is one of them, by three.
// CHECK-LABEL: gpu.func @brains
// CHECK-DAG: %[[POWER:.*]] = arith.constant 1124090624 : i32
// CHECK-DAG: %[[LESS0:.*]] = arith.constant dense<-1.290000e+02> : vector<2xbf16>
// CHECK-DAG: %[[LESS2:.*]] = arith.constant dense<-9.000000e+00> : vector<2xbf16>
// CHECK-DAG: %[[SIX:.*]] = arith.constant 6 : i32
// CHECK: llvm.inline_asm "lop3.b32 {{.*}}%[[POWER]]
// CHECK: llvm.fadd %{{.*}}, %[[LESS2]]
// CHECK: %[[DOWN:.*]] = arith.shrui %{{.*}}, %[[SIX]]
// CHECK: llvm.inline_asm "lop3.b32 {{.*}} %[[DOWN]], %{{.*}}, %[[POWER]]
// CHECK: llvm.fadd %{{.*}}, %[[LESS0]]
// CHECK: gpu.return
gpu.func @brains(%p: !llvm.ptr<1>, %n: i64, %zero: f32, %i: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %ring = sftile.ring {offset = 0 : i64} : !brains
  %o = sftile.view %p[%n, %n] pitch %n : !sftile.view<f32, row_major>
  sftile.role "main" warps 1 {
    %t:2 = sftile.wait %ring[%i] : !brains -> !sftile.tile<4x128xi32, ternary>, !sftile.tile<8x128xbf16, swizzled>
    %c0 = arith.constant 0 : index
    %codes = sftile.load %t#0[%c0, %c0] : !sftile.tile<4x128xi32, ternary> -> !sftile.frag<1x128xi32, #codes>
    %a = sftile.decode %codes[16] by (#sftile.tern_v1) : !sftile.frag<1x128xi32, #codes> -> !sftile.frag<16x16xbf16, #a16>
    %b = sftile.load %t#1[%c0, %c0] by (#sftile.ldmatrix) : !sftile.tile<8x128xbf16, swizzled> -> !sftile.frag<8x16xbf16, #b16>
    %c = sftile.broadcast %zero : f32 -> !sftile.frag<16x8xf32, #c>
    %d = sftile.mma %a, %b, %c by (#sftile.mma_sync<16, bf16>) : !sftile.frag<16x16xbf16, #a16>, !sftile.frag<8x16xbf16, #b16>, !sftile.frag<16x8xf32, #c>
    sftile.store transposed %d to %o[%n, %n] width 4 : !sftile.frag<16x8xf32, #c> to !sftile.view<f32, row_major>
  }
  gpu.return
}

// Bytes: the third word of a row, four registers by shifts and masks, and a
// product that takes them as unsigned. ldmatrix loads bytes of B as pairs.
// CHECK-LABEL: gpu.func @bytes
// CHECK-DAG: %[[MASK:.*]] = arith.constant 50529027 : i32
// CHECK-DAG: %[[SIX:.*]] = arith.constant 6 : i32
// CHECK: %[[W:.*]] = vector.extract %{{.*}}[2] : i32 from vector<4xi32>
// CHECK: %[[A0:.*]] = arith.andi %[[W]], %[[MASK]]
// CHECK: arith.shrui %[[W]], %[[SIX]]
// CHECK: nvvm.ldmatrix %{{.*}} num = 2 : i32
// CHECK: nvvm.mma.sync A[%[[A0]], %{{.*}}, %{{.*}}, %{{.*}}] B[%{{.*}}, %{{.*}}] C[%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}] {intOverflowBehavior = #nvvm.mma_int_overflow<wrapped>, {{.*}}multiplicandAPtxType = #nvvm.mma_type<u8>, multiplicandBPtxType = #nvvm.mma_type<s8>, shape = #nvvm.shape<m = 16, n = 8, k = 32>}
// CHECK: gpu.return
gpu.func @bytes(%p: !llvm.ptr<1>, %n: i64, %zero: i32, %i: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %ring = sftile.ring {offset = 0 : i64} : !bytes
  %o = sftile.view %p[%n, %n] pitch %n : !sftile.view<i32, row_major>
  sftile.role "main" warps 1 {
    %t:2 = sftile.wait %ring[%i] : !bytes -> !sftile.tile<4x128xi32, ternary>, !sftile.tile<8x128xi8, swizzled>
    %c0 = arith.constant 0 : index
    %codes = sftile.load %t#0[%c0, %c0] : !sftile.tile<4x128xi32, ternary> -> !sftile.frag<1x128xi32, #codes>
    %a = sftile.decode %codes[64] by (#sftile.tern_v1) : !sftile.frag<1x128xi32, #codes> -> !sftile.frag<16x32xi8, #a8>
    %b = sftile.load %t#1[%c0, %c0] by (#sftile.ldmatrix) : !sftile.tile<8x128xi8, swizzled> -> !sftile.frag<8x32xi8, #b8>
    %c = sftile.broadcast %zero : i32 -> !sftile.frag<16x8xi32, #c>
    %d = sftile.mma %a, %b, %c by (#sftile.mma_int8_sync<32, i8>) : !sftile.frag<16x32xi8, #a8>, !sftile.frag<8x32xi8, #b8>, !sftile.frag<16x8xi32, #c>
    sftile.store transposed %d to %o[%n, %n] width 4 : !sftile.frag<16x8xi32, #c> to !sftile.view<i32, row_major>
  }
  gpu.return
}

// Bytes that are the weights: 127 more than codes carries into no other byte, and
// the top bit is 128 more. The product takes them as signed.
// CHECK-LABEL: gpu.func @trits
// CHECK-DAG: %[[MASK:.*]] = arith.constant 50529027 : i32
// CHECK-DAG: %[[MORE:.*]] = arith.constant 2139062143 : i32
// CHECK-DAG: %[[TOP:.*]] = arith.constant -2139062144 : i32
// CHECK: %[[W:.*]] = vector.extract %{{.*}}[2] : i32 from vector<4xi32>
// CHECK: %[[CODES:.*]] = arith.andi %[[W]], %[[MASK]]
// CHECK: %[[SUM:.*]] = arith.addi %[[CODES]], %[[MORE]]
// CHECK: %[[A0:.*]] = arith.xori %[[SUM]], %[[TOP]]
// CHECK: nvvm.mma.sync A[%[[A0]], %{{.*}} multiplicandAPtxType = #nvvm.mma_type<s8>, multiplicandBPtxType = #nvvm.mma_type<s8>
// CHECK: gpu.return
gpu.func @trits(%p: !llvm.ptr<1>, %n: i64, %zero: i32, %i: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %ring = sftile.ring {offset = 0 : i64} : !bytes
  %o = sftile.view %p[%n, %n] pitch %n : !sftile.view<i32, row_major>
  sftile.role "main" warps 1 {
    %t:2 = sftile.wait %ring[%i] : !bytes -> !sftile.tile<4x128xi32, ternary>, !sftile.tile<8x128xi8, swizzled>
    %c0 = arith.constant 0 : index
    %codes = sftile.load %t#0[%c0, %c0] : !sftile.tile<4x128xi32, ternary> -> !sftile.frag<1x128xi32, #codes>
    %a = sftile.decode %codes[64] by (#sftile.tern_v1) : !sftile.frag<1x128xi32, #codes> -> !sftile.frag<16x32xsi8, #a8>
    %b = sftile.load %t#1[%c0, %c0] by (#sftile.ldmatrix) : !sftile.tile<8x128xi8, swizzled> -> !sftile.frag<8x32xi8, #b8>
    %c = sftile.broadcast %zero : i32 -> !sftile.frag<16x8xi32, #c>
    %d = sftile.mma %a, %b, %c by (#sftile.mma_int8_sync<32, si8>) : !sftile.frag<16x32xsi8, #a8>, !sftile.frag<8x32xi8, #b8>, !sftile.frag<16x8xi32, #c>
    sftile.store transposed %d to %o[%n, %n] width 4 : !sftile.frag<16x8xi32, #c> to !sftile.view<i32, row_major>
  }
  gpu.return
}

// -64 times the weights, for as much work as codes: the two bits on top of their
// byte, the lower one changed.
// CHECK-LABEL: gpu.func @shifted
// CHECK-DAG: %[[TOPS:.*]] = arith.constant -1061109568 : i32
// CHECK-DAG: %[[LOWER:.*]] = arith.constant 1077952576 : i32
// CHECK-DAG: %[[SIX:.*]] = arith.constant 6 : i32
// CHECK: %[[W:.*]] = vector.extract %{{.*}}[2] : i32 from vector<4xi32>
// CHECK: %[[UP:.*]] = arith.shli %[[W]], %[[SIX]]
// CHECK: %[[BITS:.*]] = arith.andi %[[UP]], %[[TOPS]]
// CHECK: %[[A0:.*]] = arith.xori %[[BITS]], %[[LOWER]]
// CHECK: nvvm.mma.sync A[%[[A0]], %{{.*}} multiplicandAPtxType = #nvvm.mma_type<s8>, multiplicandBPtxType = #nvvm.mma_type<s8>
// CHECK: gpu.return
gpu.func @shifted(%p: !llvm.ptr<1>, %n: i64, %zero: i32, %i: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %ring = sftile.ring {offset = 0 : i64} : !bytes
  %o = sftile.view %p[%n, %n] pitch %n : !sftile.view<i32, row_major>
  sftile.role "main" warps 1 {
    %t:2 = sftile.wait %ring[%i] : !bytes -> !sftile.tile<4x128xi32, ternary>, !sftile.tile<8x128xi8, swizzled>
    %c0 = arith.constant 0 : index
    %codes = sftile.load %t#0[%c0, %c0] : !sftile.tile<4x128xi32, ternary> -> !sftile.frag<1x128xi32, #codes>
    %a = sftile.decode %codes[64] shifted by (#sftile.tern_v1) : !sftile.frag<1x128xi32, #codes> -> !sftile.frag<16x32xsi8, #a8>
    %b = sftile.load %t#1[%c0, %c0] by (#sftile.ldmatrix) : !sftile.tile<8x128xi8, swizzled> -> !sftile.frag<8x32xi8, #b8>
    %c = sftile.broadcast %zero : i32 -> !sftile.frag<16x8xi32, #c>
    %d = sftile.mma %a, %b, %c by (#sftile.mma_int8_sync<32, si8>) : !sftile.frag<16x32xsi8, #a8>, !sftile.frag<8x32xi8, #b8>, !sftile.frag<16x8xi32, #c>
    sftile.store transposed %d to %o[%n, %n] width 4 : !sftile.frag<16x8xi32, #c> to !sftile.view<i32, row_major>
  }
  gpu.return
}

// 64 times the codes: shifts to the left alone, and masks.
// CHECK-LABEL: gpu.func @shifted_codes
// CHECK-DAG: %[[TOPS:.*]] = arith.constant -1061109568 : i32
// CHECK-DAG: %[[SIX:.*]] = arith.constant 6 : i32
// CHECK: %[[W:.*]] = vector.extract %{{.*}}[2] : i32 from vector<4xi32>
// CHECK: %[[UP:.*]] = arith.shli %[[W]], %[[SIX]]
// CHECK: %[[A0:.*]] = arith.andi %[[UP]], %[[TOPS]]
// CHECK-NOT: arith.shrui %[[W]]
// CHECK: arith.andi %[[W]], %[[TOPS]]
// CHECK: nvvm.mma.sync A[%[[A0]], %{{.*}} multiplicandAPtxType = #nvvm.mma_type<u8>, multiplicandBPtxType = #nvvm.mma_type<s8>
// CHECK: gpu.return
gpu.func @shifted_codes(%p: !llvm.ptr<1>, %n: i64, %zero: i32, %i: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %ring = sftile.ring {offset = 0 : i64} : !bytes
  %o = sftile.view %p[%n, %n] pitch %n : !sftile.view<i32, row_major>
  sftile.role "main" warps 1 {
    %t:2 = sftile.wait %ring[%i] : !bytes -> !sftile.tile<4x128xi32, ternary>, !sftile.tile<8x128xi8, swizzled>
    %c0 = arith.constant 0 : index
    %codes = sftile.load %t#0[%c0, %c0] : !sftile.tile<4x128xi32, ternary> -> !sftile.frag<1x128xi32, #codes>
    %a = sftile.decode %codes[64] shifted by (#sftile.tern_v1) : !sftile.frag<1x128xi32, #codes> -> !sftile.frag<16x32xi8, #a8>
    %b = sftile.load %t#1[%c0, %c0] by (#sftile.ldmatrix) : !sftile.tile<8x128xi8, swizzled> -> !sftile.frag<8x32xi8, #b8>
    %c = sftile.broadcast %zero : i32 -> !sftile.frag<16x8xi32, #c>
    %d = sftile.mma %a, %b, %c by (#sftile.mma_int8_sync<32, i8>) : !sftile.frag<16x32xi8, #a8>, !sftile.frag<8x32xi8, #b8>, !sftile.frag<16x8xi32, #c>
    sftile.store transposed %d to %o[%n, %n] width 4 : !sftile.frag<16x8xi32, #c> to !sftile.view<i32, row_major>
  }
  gpu.return
}
}
