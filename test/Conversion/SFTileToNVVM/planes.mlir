// RUN: sparseflow-opt %s --pass-pipeline="builtin.module(gpu.module(convert-sftile-to-nvvm),canonicalize,cse)" | FileCheck %s

// Operations on planes of keys and values.

#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#t = #sftile.layout<registers = [[1, 0], [0, 8]], lanes = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]]>
#b = #sftile.layout<registers = [[0, 1], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#a8 = #sftile.layout<registers = [[0, 1], [0, 2], [8, 0], [0, 16]], lanes = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]]>
#b8 = #sftile.layout<registers = [[0, 1], [0, 2], [0, 16]], lanes = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]]>
#heads = #sftile.layout<registers = [[0, 8]], lanes = [[1, 0], [2, 0], [0, 1], [0, 2], [0, 4]]>
#two = #sftile.layout<registers = [[0, 1]], lanes = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
#column = #sftile.layout<registers = [[8, 0]], lanes = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]]>
#words = #sftile.layout<registers = [[0, 1], [0, 2]], lanes = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>

gpu.module @kernels {

// One load of 16 bytes, and for a step of K = 16 four registers: two words,
// each at fields 2 and 3, so moved by 4 and by 6 bits.
// CHECK-LABEL: gpu.func @expand
// CHECK-DAG: %[[MASK:.*]] = arith.constant -1073692672 : i32
// CHECK-DAG: %[[FOUR:.*]] = arith.constant 4 : i32
// CHECK-DAG: %[[SIX:.*]] = arith.constant 6 : i32
// CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
// CHECK-COUNT-2: arith.shli %{{.*}}, %[[FOUR]]
// CHECK: gpu.return
gpu.func @expand(%p: !llvm.ptr<1>, %n: i64) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %z = arith.constant 0 : i64
  %v = sftile.view %p[%n, %n] pitch %n : !sftile.view<i32, row_major>
  %o = sftile.view %p[%n, %n] pitch %n : !sftile.view<f16, row_major>
  sftile.role "main" warps 1 {
    %w = sftile.load %v[%z, %z] width 16 : !sftile.view<i32, row_major> -> !sftile.frag<32x4xi32, #words>
    %t = sftile.slice %w[0, 0] strides [1, 2] : !sftile.frag<32x4xi32, #words> -> !sftile.frag<32x2xi32, #two>
    %k = sftile.decode %t[16] by (#sftile.tern_cache) : !sftile.frag<32x2xi32, #two> -> !sftile.frag<16x16xf16, #b>
    sftile.store %k to %o[%z, %z] width 4 : !sftile.frag<16x16xf16, #b> to !sftile.view<f16, row_major>
  }
  gpu.return
}

// Transposed layouts: nothing is exchanged. 8x8 matrices: an instruction each.
// CHECK-LABEL: gpu.func @transpose
// CHECK-COUNT-2: movmatrix.sync
// CHECK-NOT: movmatrix.sync
// CHECK: gpu.return
gpu.func @transpose(%p: !llvm.ptr<1>, %n: i64) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %z = arith.constant 0 : i64
  %v = sftile.view %p[%n, %n] pitch %n : !sftile.view<f16, row_major>
  sftile.role "main" warps 1 {
    %x = sftile.load %v[%z, %z] width 2 : !sftile.view<f16, row_major> -> !sftile.frag<8x16xf16, #t>
    %y = sftile.transpose %x : !sftile.frag<8x16xf16, #t> -> !sftile.frag<16x8xf16, #c>
    %w = sftile.transpose %y : !sftile.frag<16x8xf16, #c> -> !sftile.frag<8x16xf16, #b>
    sftile.store %w to %v[%z, %z] width 4 : !sftile.frag<8x16xf16, #b> to !sftile.view<f16, row_major>
  }
  gpu.return
}

// Four of a word's trits in a register, a shift and a mask each; of pairs of bytes
// two registers, each with one permutation and one transposing move.
// CHECK-LABEL: gpu.func @bytes
// CHECK-DAG: arith.constant -1061109568 : i32
// CHECK-COUNT-2: prmt.b32
// CHECK: nvvm.mma.sync {{.*}}multiplicandAPtxType = #nvvm.mma_type<s8>, multiplicandBPtxType = #nvvm.mma_type<s8>
// CHECK-COUNT-2: llvm.store {{.*}} : i32, !llvm.ptr<3>
// CHECK: gpu.return
gpu.func @bytes(%p: !llvm.ptr<1>, %n: i64) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %z = arith.constant 0 : i64
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %v = sftile.view %p[%n, %n] pitch %n : !sftile.view<i32, row_major>
  %f = sftile.view %p[%n, %n] pitch %n : !sftile.view<f32, row_major>
  sftile.role "main" warps 1 {
    %w = sftile.load %v[%z, %z] width 16 : !sftile.view<i32, row_major> -> !sftile.frag<32x4xi32, #words>
    %x = sftile.load %f[%z, %z] width 4 : !sftile.view<f32, row_major> -> !sftile.frag<4x16xf32, #heads>
    %none = sftile.broadcast %zero : i32 -> !sftile.frag<16x8xi32, #c>
    %t = sftile.slice %w[0, 0] strides [1, 2] : !sftile.frag<32x4xi32, #words> -> !sftile.frag<32x2xi32, #two>
    %a = sftile.decode %t[32] by (#sftile.tern_cache) : !sftile.frag<32x2xi32, #two> -> !sftile.frag<16x32xsi8, #a8>
    %b = sftile.split_bytes %x, %x scale 32512.0 : !sftile.frag<4x16xf32, #heads> -> !sftile.frag<8x32xsi8, #b8>
    %d = sftile.mma %a, %b, %none by (#sftile.mma_int8_sync<32, si8>) : !sftile.frag<16x32xsi8, #a8>, !sftile.frag<8x32xsi8, #b8>, !sftile.frag<16x8xi32, #c>
    %odd = sftile.slice %d[0, 1] strides [1, 2] : !sftile.frag<16x8xi32, #c> -> !sftile.frag<16x4xi32, #column>
    %j = sftile.transpose %odd : !sftile.frag<16x4xi32, #column> -> !sftile.frag<4x16xi32, #heads>
    %place = sftile.shared warps 1 sharers 1 {offset = 0 : i64, stride = 1024 : i64} : !sftile.tile<2x32xi32, row_major>
    sftile.store registers %j to %place[%c0, %c0] : !sftile.frag<4x16xi32, #heads> to !sftile.tile<2x32xi32, row_major>
  }
  gpu.return
}

// Bare numbers: 1, less what 8 takes away as bits, and no arithmetic. Values of
// features 8 to 15 stay where they are, 16 times as large.
// CHECK-LABEL: gpu.func @bare
// CHECK: lop3.b32 $0, $1, $2, $3, 0x6A
// CHECK-NOT: llvm.fadd
// CHECK-NOT: llvm.fmul
// CHECK: gpu.return
gpu.func @bare(%p: !llvm.ptr<1>, %n: i64) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %z = arith.constant 0 : i64
  %v = sftile.view %p[%n, %n] pitch %n : !sftile.view<i32, row_major>
  %f = sftile.view %p[%n, %n] pitch %n : !sftile.view<f16, row_major>
  sftile.role "main" warps 1 {
    %w = sftile.load %v[%z, %z] width 16 : !sftile.view<i32, row_major> -> !sftile.frag<32x4xi32, #words>
    %k = sftile.decode %w[16] by (#sftile.int_cache<4, keys, bare = true>) : !sftile.frag<32x4xi32, #words> -> !sftile.frag<16x16xf16, #a>
    %x = sftile.decode %w[16] by (#sftile.int_cache<4, values, bare = true>) : !sftile.frag<32x4xi32, #words> -> !sftile.frag<16x16xf16, #a>
    sftile.store %k to %f[%z, %z] width 4 : !sftile.frag<16x16xf16, #a> to !sftile.view<f16, row_major>
    sftile.store %x to %f[%z, %z] width 4 : !sftile.frag<16x16xf16, #a> to !sftile.view<f16, row_major>
  }
  gpu.return
}

// A product of elements of 16 bits is one of registers.
// CHECK-LABEL: gpu.func @pairs
// CHECK-COUNT-2: llvm.fmul {{.*}} : vector<2xf16>
// CHECK-NOT: mulf
// CHECK: gpu.return
gpu.func @pairs(%p: !llvm.ptr<1>, %n: i64) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %z = arith.constant 0 : i64
  %f = sftile.view %p[%n, %n] pitch %n : !sftile.view<f16, row_major>
  sftile.role "main" warps 1 {
    %x = sftile.load %f[%z, %z] width 4 : !sftile.view<f16, row_major> -> !sftile.frag<8x16xf16, #b>
    %y = sftile.map %x, %x : !sftile.frag<8x16xf16, #b>, !sftile.frag<8x16xf16, #b> -> !sftile.frag<8x16xf16, #b> {
    ^bb0(%a: f16, %c: f16):
      %d = arith.mulf %a, %c : f16
      sftile.yield %d : f16
    }
    sftile.store %y to %f[%z, %z] width 4 : !sftile.frag<8x16xf16, #b> to !sftile.view<f16, row_major>
  }
  gpu.return
}
}
