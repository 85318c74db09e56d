// RUN: sparseflow-opt %s --pass-pipeline="builtin.module(gpu.module(convert-sftile-to-nvvm),canonicalize,cse)" | FileCheck %s

// Operations on rows of fragments.

#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#b = #sftile.layout<registers = [[0, 1], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#rows = #sftile.layout<registers = [[8, 0]], lanes = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]]>
#parts = #sftile.layout<registers = [[8, 0]], lanes = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]]>
!stage = !sftile.ring<2, [!sftile.tile<16x64xf16, swizzled>]>

gpu.module @kernels {

// The maxima of a lane's own elements, then two exchanges, across one and two
// lanes: those that hold other columns of the same row. Two rows a lane.
// CHECK-LABEL: gpu.func @reduce
// CHECK: %[[M:.*]] = arith.maxnumf %{{.*}}, %{{.*}} : f32
// CHECK: nvvm.shfl.sync bfly %{{.*}}, %[[M]], %c1_i32, %c31_i32 : f32 -> f32
// CHECK: nvvm.shfl.sync bfly %{{.*}}, %{{.*}}, %c2_i32, %c31_i32 : f32 -> f32
// CHECK: nvvm.shfl.sync bfly
// CHECK: nvvm.shfl.sync bfly
// CHECK-NOT: nvvm.shfl.sync
// CHECK: gpu.return
gpu.func @reduce(%p: !llvm.ptr<1>, %n: i64) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %z = arith.constant 0 : i64
  %v = sftile.view %p[%n, %n] pitch %n : !sftile.view<f32, row_major>
  sftile.role "main" warps 1 {
    %x = sftile.load %v[%z, %z] width 8 : !sftile.view<f32, row_major> -> !sftile.frag<16x8xf32, #c>
    %m = sftile.reduce max %x : !sftile.frag<16x8xf32, #c> -> !sftile.frag<16x1xf32, #rows>
    sftile.store %m to %v[%z, %z] width 4 : !sftile.frag<16x1xf32, #rows> to !sftile.view<f32, row_major>
  }
  gpu.return
}

// A condition for each element, or-ed in a lane, then one vote of the warp.
// CHECK-LABEL: gpu.func @any
// CHECK: %[[A:.*]] = arith.cmpf olt
// CHECK: %[[B:.*]] = arith.cmpf olt
// CHECK: %[[OR:.*]] = arith.ori %[[A]], %[[B]] : i1
// CHECK: nvvm.vote.sync any %{{.*}}, %[[OR]] -> i1
gpu.func @any(%p: !llvm.ptr<1>, %n: i64) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %z = arith.constant 0 : i64
  %v = sftile.view %p[%n, %n] pitch %n : !sftile.view<f32, row_major>
  sftile.role "main" warps 1 {
    %x = sftile.load %v[%z, %z] width 4 : !sftile.view<f32, row_major> -> !sftile.frag<16x1xf32, #rows>
    %y = sftile.load %v[%n, %z] width 4 : !sftile.view<f32, row_major> -> !sftile.frag<16x1xf32, #rows>
    %less = sftile.map %x, %y : !sftile.frag<16x1xf32, #rows>, !sftile.frag<16x1xf32, #rows> -> !sftile.frag<16x1xi1, #rows> {
    ^bb0(%a: f32, %b: f32):
      %c = arith.cmpf olt, %a, %b : f32
      sftile.yield %c : i1
    }
    %any = sftile.reduce or %less : !sftile.frag<16x1xi1, #rows> -> i1
    scf.if %any {
      sftile.store %x to %v[%z, %z] width 4 : !sftile.frag<16x1xf32, #rows> to !sftile.view<f32, row_major>
    }
  }
  gpu.return
}

// Sums of a lane's own elements only, left to right.
// CHECK-LABEL: gpu.func @parts
// CHECK: %[[V:.*]] = llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr<1> -> vector<2xf32>
// CHECK-COUNT-6: arith.addf
// CHECK-NOT: arith.addf
// CHECK-NOT: nvvm.shfl.sync
// CHECK: gpu.return
gpu.func @parts(%p: !llvm.ptr<1>, %n: i64) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %z = arith.constant 0 : i64
  %v = sftile.view %p[%n, %n] pitch %n : !sftile.view<f32, row_major>
  sftile.role "main" warps 1 {
    %x = sftile.load %v[%z, %z] width 8 : !sftile.view<f32, row_major> -> !sftile.frag<16x16xf32, #c>
    %m = sftile.reduce add %x : !sftile.frag<16x16xf32, #c> -> !sftile.frag<16x4xf32, #parts>
    sftile.store %m to %v[%z, %z] width 4 : !sftile.frag<16x4xf32, #parts> to !sftile.view<f32, row_major>
  }
  gpu.return
}

// One value of a row stands for all of its columns, and an accumulator is the
// next product's left operand: no instruction. What several lanes hold, the
// first of them stores.
// CHECK-LABEL: gpu.func @registers
// CHECK-DAG: %[[LANE:.*]] = nvvm.read.ptx.sreg.laneid : i32
// CHECK-DAG: %[[QUAD:.*]] = arith.andi %[[LANE]], %c3_i32 : i32
// CHECK: arith.cmpi slt, %[[QUAD]], %c1_i32
// CHECK: nvvm.ldmatrix %{{.*}} {{.*}}layout = #nvvm.mma_layout<col>, num = 4 : i32
// CHECK-NOT: nvvm.shfl.sync
// CHECK: nvvm.mma.sync
// CHECK: gpu.return
gpu.func @registers(%p: !llvm.ptr<1>, %n: i64, %i: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %ring = sftile.ring {offset = 0 : i64} : !stage
  %z = arith.constant 0 : i64
  %v = sftile.view %p[%n, %n] pitch %n : !sftile.view<f32, row_major>
  sftile.role "main" warps 1 {
    %one = sftile.load %v[%z, %z] width 4 : !sftile.view<f32, row_major> -> !sftile.frag<16x1xf32, #rows>
    sftile.store %one to %v[%z, %z] width 4 : !sftile.frag<16x1xf32, #rows> to !sftile.view<f32, row_major>
    %all = sftile.broadcast %one : !sftile.frag<16x1xf32, #rows> -> !sftile.frag<16x16xf32, #c>
    %p16 = sftile.map %all : !sftile.frag<16x16xf32, #c> -> !sftile.frag<16x16xf16, #c> {
    ^bb0(%e: f32):
      %h = arith.truncf %e : f32 to f16
      sftile.yield %h : f16
    }
    %a = sftile.convert_layout %p16 : !sftile.frag<16x16xf16, #c> to !sftile.frag<16x16xf16, #a>
    %c0 = arith.constant 0 : index
    %t = sftile.wait %ring[%i] : !stage -> !sftile.tile<16x64xf16, swizzled>
    %b = sftile.load transposed %t[%c0, %c0] by (#sftile.ldmatrix) : !sftile.tile<16x64xf16, swizzled> -> !sftile.frag<16x16xf16, #b>
    %d = sftile.mma %a, %b, %all by (#sftile.mma_sync<16, f16>) : !sftile.frag<16x16xf16, #a>, !sftile.frag<16x16xf16, #b>, !sftile.frag<16x16xf32, #c>
    sftile.store %d to %v[%z, %z] width 8 : !sftile.frag<16x16xf32, #c> to !sftile.view<f32, row_major>
  }
  gpu.return
}

// A warp's scratch tile: the barriers are those that the kernel says.
// CHECK-LABEL: gpu.func @put
// CHECK: nvvm.bar.warp.sync
// CHECK-COUNT-4: llvm.store %{{.*}} : vector<2xf16>, !llvm.ptr<3>
// CHECK: nvvm.bar.warp.sync
// CHECK-NOT: barrier
// CHECK: gpu.return
gpu.func @put(%p: !llvm.ptr<1>, %n: i64) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %z = arith.constant 0 : i64
  %v = sftile.view %p[%n, %n] pitch %n : !sftile.view<f16, row_major>
  sftile.role "main" warps 1 {
    %s = sftile.shared warps 1 sharers 1 overlaid {offset = 0 : i64, stride = 2048 : i64} : !sftile.tile<16x64xf16, swizzled>
    %c0 = arith.constant 0 : index
    %x = sftile.load %v[%z, %z] width 4 : !sftile.view<f16, row_major> -> !sftile.frag<16x16xf16, #a>
    sftile.barrier warp
    sftile.store %x to %s[%c0, %c0] : !sftile.frag<16x16xf16, #a> to !sftile.tile<16x64xf16, swizzled>
    sftile.barrier warp
  }
  gpu.return
}
}
