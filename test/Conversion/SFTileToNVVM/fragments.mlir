// RUN: sparseflow-opt %s --pass-pipeline="builtin.module(gpu.module(convert-sftile-to-nvvm),canonicalize,cse)" | FileCheck %s

// Operations on fragments: one SSA value for each register of a lane.

#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#b = #sftile.layout<registers = [[0, 1], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#x = #sftile.layout<registers = [[0, 1], [0, 8], [0, 16]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#m = #sftile.layout<registers = [], lanes = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]]>
#row = #sftile.layout<registers = [[0, 1]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#xor = #sftile.layout<registers = [[0, 32]], lanes = [[0, 1], [0, 3], [0, 4], [0, 8], [0, 16]]>
!stage = !sftile.ring<2, [!sftile.tile<64x32xbf16, values24>, !sftile.tile<4x32xi32, metadata24>, !sftile.tile<8x64xbf16, swizzled>]>

gpu.module @kernels {

// A dense MMA of 32 x 16: two row tiles by two column tiles, with a 16x16
// operand in one ldmatrix of four matrices each, and two 8x16 operands in one.
// Registers go to the instruction in the order of the layout's bits.
// CHECK-LABEL: gpu.func @dense
// CHECK: %[[A0:.*]] = nvvm.ldmatrix %{{.*}} num = 4 : i32
// CHECK: %[[R0:.*]] = llvm.extractvalue %[[A0]][0]
// CHECK: nvvm.ldmatrix %{{.*}} num = 4 : i32
// CHECK: %[[B:.*]] = nvvm.ldmatrix %{{.*}} num = 4 : i32
// CHECK: llvm.extractvalue %[[B]][0]
// CHECK-NOT: nvvm.ldmatrix
// CHECK: %[[P0:.*]] = llvm.bitcast %[[R0]] : i32 to vector<2xf16>
// CHECK: nvvm.mma.sync A[%[[P0]], %{{.*}}, %{{.*}}, %{{.*}}] B[%{{.*}}, %{{.*}}] C[%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>}
// CHECK-COUNT-3: nvvm.mma.sync
// CHECK-NOT: nvvm.mma.sync
// CHECK: gpu.return
gpu.func @dense(%p: !llvm.ptr<1>, %n: i64, %zero: f32, %i: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %ring = sftile.ring {offset = 0 : i64} : !sftile.ring<2, [!sftile.tile<32x64xf16, swizzled>, !sftile.tile<16x64xf16, swizzled>]>
  %o = sftile.view %p[%n, %n] pitch %n : !sftile.view<f32, row_major>
  sftile.role "main" warps 1 {
    %t:2 = sftile.wait %ring[%i] : !sftile.ring<2, [!sftile.tile<32x64xf16, swizzled>, !sftile.tile<16x64xf16, swizzled>]> -> !sftile.tile<32x64xf16, swizzled>, !sftile.tile<16x64xf16, swizzled>
    %c0 = arith.constant 0 : index
    %a = sftile.load %t#0[%c0, %c0] by (#sftile.ldmatrix) : !sftile.tile<32x64xf16, swizzled> -> !sftile.frag<32x16xf16, #a>
    %b = sftile.load %t#1[%c0, %c0] by (#sftile.ldmatrix) : !sftile.tile<16x64xf16, swizzled> -> !sftile.frag<16x16xf16, #b>
    %c = sftile.broadcast %zero : f32 -> !sftile.frag<32x16xf32, #c>
    %d = sftile.mma %a, %b, %c by (#sftile.mma_sync<16, f16>) : !sftile.frag<32x16xf16, #a>, !sftile.frag<16x16xf16, #b>, !sftile.frag<32x16xf32, #c>
    sftile.store transposed %d to %o[%n, %n] width 4 : !sftile.frag<32x16xf32, #c> to !sftile.view<f32, row_major>
  }
  gpu.return
}

// A sparse MMA: nonzeros from the packed order, a metadata word for
// each lane by a plain load, and the selector as a constant. bf16 operands stay
// registers of 32 bits.
// CHECK-LABEL: gpu.func @sparse
// CHECK-DAG: %[[SELECTOR:.*]] = llvm.mlir.constant(1 : i32)
// CHECK: nvvm.ldmatrix %{{.*}} num = 4 : i32
// CHECK: nvvm.ldmatrix %{{.*}} num = 4 : i32
// CHECK: %[[META:.*]] = llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<3> -> i32
// CHECK: nvvm.mma.sp.sync A[%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}] B[%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}] C[%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}] sparseMetadata[%[[META]]] selector[%[[SELECTOR]]] {{{.*}}orderedMetadata{{.*}}shape = #nvvm.shape<m = 16, n = 8, k = 32>} : (i32, i32, f32)
// CHECK-NOT: nvvm.mma
// CHECK: gpu.return
gpu.func @sparse(%p: !llvm.ptr<1>, %n: i64, %zero: f32, %i: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %ring = sftile.ring {offset = 0 : i64} : !stage
  %o = sftile.view %p[%n, %n] pitch %n : !sftile.view<f32, row_major>
  sftile.role "main" warps 1 {
    %t:3 = sftile.wait %ring[%i] : !stage -> !sftile.tile<64x32xbf16, values24>, !sftile.tile<4x32xi32, metadata24>, !sftile.tile<8x64xbf16, swizzled>
    %c0 = arith.constant 0 : index
    %w = sftile.load %t#0[%c0, %c0] by (#sftile.ldmatrix) : !sftile.tile<64x32xbf16, values24> -> !sftile.frag<16x16xbf16, #a>
    %x = sftile.load %t#2[%c0, %c0] by (#sftile.ldmatrix) : !sftile.tile<8x64xbf16, swizzled> -> !sftile.frag<8x32xbf16, #x>
    %m = sftile.load %t#1[%c0, %c0] : !sftile.tile<4x32xi32, metadata24> -> !sftile.frag<1x32xi32, #m>
    %c = sftile.broadcast %zero : f32 -> !sftile.frag<16x8xf32, #c>
    %d = sftile.mma %w, %x, %c metadata %m[1] by (#sftile.mma_sp_sync<32, bf16>) : !sftile.frag<16x16xbf16, #a>, !sftile.frag<8x32xbf16, #x>, !sftile.frag<16x8xf32, #c>, !sftile.frag<1x32xi32, #m>
    sftile.store transposed %d to %o[%n, %n] width 4 : !sftile.frag<16x8xf32, #c> to !sftile.view<f32, row_major>
  }
  gpu.return
}

// As many matrices at once as make a line or a rectangle: 3 are 1 and 2, 5 are 4
// and 1.
// CHECK-LABEL: gpu.func @counts
// CHECK: nvvm.ldmatrix %{{.*}} num = 1 : i32, {{.*}} : (!llvm.ptr<3>) -> i32
// CHECK: nvvm.ldmatrix %{{.*}} num = 2 : i32
// CHECK: nvvm.ldmatrix %{{.*}} num = 4 : i32
// CHECK: nvvm.ldmatrix %{{.*}} num = 1 : i32
// CHECK-NOT: nvvm.ldmatrix
// CHECK: gpu.return
gpu.func @counts(%p: !llvm.ptr<1>, %n: i64, %i: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %ring = sftile.ring {offset = 0 : i64} : !sftile.ring<2, [!sftile.tile<64x64xf16, swizzled>]>
  %o = sftile.view %p[%n, %n] pitch %n : !sftile.view<f16, row_major>
  sftile.role "main" warps 1 {
    %t = sftile.wait %ring[%i] : !sftile.ring<2, [!sftile.tile<64x64xf16, swizzled>]> -> !sftile.tile<64x64xf16, swizzled>
    %c0 = arith.constant 0 : index
    %a = sftile.load %t[%c0, %c0] by (#sftile.ldmatrix) : !sftile.tile<64x64xf16, swizzled> -> !sftile.frag<24x8xf16, #row>
    %b = sftile.load %t[%c0, %c0] by (#sftile.ldmatrix) : !sftile.tile<64x64xf16, swizzled> -> !sftile.frag<40x8xf16, #row>
    sftile.store transposed %a to %o[%n, %n] width 2 : !sftile.frag<24x8xf16, #row> to !sftile.view<f16, row_major>
    sftile.store transposed %b to %o[%n, %n] width 2 : !sftile.frag<40x8xf16, #row> to !sftile.view<f16, row_major>
  }
  gpu.return
}

// The swizzle: the number of a 16-byte chunk, exclusive or the row modulo 8.
// CHECK-LABEL: gpu.func @swizzle
// CHECK-SAME: %{{.*}}: index, %[[ROW:[a-z0-9]+]]: index, %[[COL:[a-z0-9]+]]: index
// CHECK-DAG: %[[R:.*]] = arith.index_cast %[[ROW]] : index to i32
// CHECK-DAG: %[[C:.*]] = arith.index_cast %[[COL]] : index to i32
// CHECK-DAG: %[[C8:.*]] = arith.constant 8 : i32
// CHECK-DAG: %[[C16:.*]] = arith.constant 16 : i32
// CHECK-DAG: %[[PITCH:.*]] = arith.constant 128 : i32
// CHECK: %[[LANEROW:.*]] = arith.addi %[[R]], %{{.*}} : i32
// CHECK: %[[PHASE:.*]] = arith.remui %[[LANEROW]], %[[C8]] : i32
// CHECK: %[[CHUNK:.*]] = arith.divui %[[C]], %[[C8]] : i32
// CHECK: %[[SWIZZLED:.*]] = arith.xori %[[CHUNK]], %[[PHASE]] : i32
// CHECK-DAG: arith.muli %[[LANEROW]], %[[PITCH]] : i32
// CHECK-DAG: arith.muli %[[SWIZZLED]], %[[C16]] : i32
// CHECK: nvvm.ldmatrix
gpu.func @swizzle(%p: !llvm.ptr<1>, %n: i64, %i: index, %row: index, %col: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %ring = sftile.ring {offset = 0 : i64} : !sftile.ring<2, [!sftile.tile<64x64xf16, swizzled>]>
  %o = sftile.view %p[%n, %n] pitch %n : !sftile.view<f16, row_major>
  sftile.role "main" warps 1 {
    %t = sftile.wait %ring[%i] : !sftile.ring<2, [!sftile.tile<64x64xf16, swizzled>]> -> !sftile.tile<64x64xf16, swizzled>
    %a = sftile.load %t[%row, %col] by (#sftile.ldmatrix) : !sftile.tile<64x64xf16, swizzled> -> !sftile.frag<8x8xf16, #row>
    sftile.store transposed %a to %o[%n, %n] width 2 : !sftile.frag<8x8xf16, #row> to !sftile.view<f16, row_major>
  }
  gpu.return
}

// A choice of registers: the last two of four tiles, and no code.
// CHECK-LABEL: gpu.func @slice
// CHECK-SAME: %[[X:[a-z0-9]+]]: f32, %[[Y:[a-z0-9]+]]: f32
// CHECK-NOT: arith.addf
// CHECK: llvm.store %[[X]]
gpu.func @slice(%p: !llvm.ptr<1>, %n: i64, %v: f32, %w: f32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %o = sftile.view %p[%n, %n] pitch %n : !sftile.view<f32, row_major>
  sftile.role "main" warps 1 {
    %a = sftile.broadcast %v : f32 -> !sftile.frag<32x16xf32, #c>
    %b = sftile.slice %a[16, 8] : !sftile.frag<32x16xf32, #c> -> !sftile.frag<16x8xf32, #c>
    sftile.store transposed %b to %o[%n, %n] width 4 : !sftile.frag<16x8xf32, #c> to !sftile.view<f32, row_major>
  }
  gpu.return
}

// The region once for each element of a lane. Elements of 16 bits are taken out
// of their registers and put back in pairs.
// CHECK-LABEL: gpu.func @map
// CHECK-COUNT-4: arith.mulf {{.*}} : f32
// CHECK-NOT: arith.mulf
// CHECK: gpu.return
gpu.func @map(%p: !llvm.ptr<1>, %n: i64) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %o = sftile.view %p[%n, %n] pitch %n : !sftile.view<f16, row_major>
  sftile.role "main" warps 1 {
    %a = sftile.load transposed %o[%n, %n] width 2 : !sftile.view<f16, row_major> -> !sftile.frag<16x8xf16, #c>
    %b = sftile.map %a : !sftile.frag<16x8xf16, #c> -> !sftile.frag<16x8xf16, #c> {
    ^bb0(%e: f16):
      %0 = arith.extf %e : f16 to f32
      %1 = arith.mulf %0, %0 : f32
      %2 = arith.truncf %1 : f32 to f16
      sftile.yield %2 : f16
    }
    sftile.store transposed %b to %o[%n, %n] width 2 : !sftile.frag<16x8xf16, #c> to !sftile.view<f16, row_major>
  }
  gpu.return
}

// Lane bits that change the same bit of a coordinate cancel there: lane 3 of
// this layout holds column 1 ^ 3 = 2, not 1 + 3.
// CHECK-LABEL: gpu.func @lanes_that_cancel
// CHECK-DAG: %[[C3:.*]] = arith.constant 3 : i32
// CHECK: %[[LANE:.*]] = nvvm.read.ptx.sreg.laneid
// CHECK: %[[BIT0:.*]] = arith.remui %[[LANE]], %{{.*}} : i32
// CHECK: %[[BIT1:.*]] = arith.remui %{{.*}}, %{{.*}} : i32
// CHECK: %[[THREE:.*]] = arith.muli %[[BIT1]], %[[C3]] : i32
// CHECK: arith.xori %[[BIT0]], %[[THREE]] : i32
gpu.func @lanes_that_cancel(%p: !llvm.ptr<1>, %n: i64, %i: i64, %x: f32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %o = sftile.view %p[%n, %n] pitch %n : !sftile.view<f32, row_major>
  sftile.role "main" warps 1 {
    %a = sftile.broadcast %x : f32 -> !sftile.frag<1x64xf32, #xor>
    sftile.store transposed %a to %o[%i, %i] width 4 : !sftile.frag<1x64xf32, #xor> to !sftile.view<f32, row_major>
  }
  gpu.return
}
}
