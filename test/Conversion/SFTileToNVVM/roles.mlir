// RUN: sparseflow-opt %s --pass-pipeline="builtin.module(gpu.module(convert-sftile-to-nvvm),canonicalize,cse)" | FileCheck %s

!ring = !sftile.ring<2, [!sftile.tile<8x64xf16, swizzled>]>
#vec = #sftile.layout<registers = [[1, 0], [2, 0]], lanes = [[4, 0], [8, 0], [0, 1], [0, 2], [0, 4]]>
#acc = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>

gpu.module @kernels {

// One role of all warps costs nothing. Its warp number comes from lane 0, which
// tells the assembler that the lanes agree.
// CHECK-LABEL: gpu.func @alone
// CHECK-DAG: %[[C32:.*]] = arith.constant 32 : i32
// CHECK-DAG: %[[C31:.*]] = arith.constant 31 : i32
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : i32
// CHECK-DAG: %[[ALL:.*]] = arith.constant -1 : i32
// CHECK-NOT: scf.if
// CHECK: %[[THREAD:.*]] = nvvm.read.ptx.sreg.tid.x
// CHECK: %[[WARP:.*]] = arith.divui %[[THREAD]], %[[C32]] : i32
// CHECK: nvvm.shfl.sync idx %[[ALL]], %[[WARP]], %[[C0]], %[[C31]] : i32 -> i32
// CHECK: gpu.return
gpu.func @alone(%p: !llvm.ptr<1>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
  sftile.role "main" warps 8 {
    %warp = sftile.warp_id
    %i = arith.index_cast %warp : index to i64
    llvm.store %i, %p : i64, !llvm.ptr<1>
  }
  gpu.return
}

// Roles take their warps in order, behind a test of the thread's number; each
// has a barrier of its own, because warps of the other do not come to it, and
// counts its threads from zero.
// CHECK-LABEL: gpu.func @two
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : i32
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : i32
// CHECK-DAG: %[[C64:.*]] = arith.constant 64 : i32
// CHECK-DAG: %[[C128:.*]] = arith.constant 128 : i32
// CHECK-DAG: %[[BEFORE:.*]] = arith.constant -128 : i32
// CHECK: %[[THREAD:.*]] = nvvm.read.ptx.sreg.tid.x
// CHECK: %[[FIRST:.*]] = arith.cmpi ult, %[[THREAD]], %[[C128]] : i32
// CHECK: scf.if %[[FIRST]] {
// CHECK-NOT: gpu.barrier
// CHECK: nvvm.barrier id = %[[C1]] number_of_threads = %[[C128]]
// CHECK: }
// CHECK: %[[OWN:.*]] = arith.addi %{{.*}}, %[[BEFORE]] : i32
// CHECK: %[[SECOND:.*]] = arith.cmpi ult, %[[OWN]], %[[C64]] : i32
// CHECK: scf.if %[[SECOND]] {
// CHECK-NOT: gpu.barrier
// CHECK: nvvm.barrier id = %[[C2]] number_of_threads = %[[C64]]
gpu.func @two(%p: !llvm.ptr<1>, %n: i64, %i: index) kernel attributes {known_block_size = array<i32: 192, 1, 1>} {
  %c64 = arith.constant 64 : i64
  %v = sftile.view %p[%n, %c64] pitch %c64 : !sftile.view<f16, row_major>
  %a = sftile.ring {offset = 0 : i64} : !ring
  %b = sftile.ring {offset = 2048 : i64} : !ring
  sftile.role "one" warps 4 {
    %s = sftile.acquire %a[%i] : !ring -> !sftile.slot<8x64xf16, swizzled>
    sftile.copy %v[%n, %n] to %s by (#sftile.cp_async<16>) : !sftile.view<f16, row_major> to !sftile.slot<8x64xf16, swizzled>
    sftile.commit %a[%i] : !ring
    %t = sftile.wait %a[%i] : !ring -> !sftile.tile<8x64xf16, swizzled>
  }
  sftile.role "other" warps 2 {
    %s = sftile.acquire %b[%i] : !ring -> !sftile.slot<8x64xf16, swizzled>
    sftile.copy %v[%n, %n] to %s by (#sftile.cp_async<16>) : !sftile.view<f16, row_major> to !sftile.slot<8x64xf16, swizzled>
    sftile.commit %b[%i] : !ring
    %t = sftile.wait %b[%i] : !ring -> !sftile.tile<8x64xf16, swizzled>
  }
  gpu.return
}

// Scratch tiles are a stride apart, one for each warp.
// CHECK-LABEL: gpu.func @scratch
// CHECK-DAG: %[[STRIDE:.*]] = arith.constant 1024 : i32
// CHECK-DAG: %[[BASE:.*]] = llvm.mlir.addressof @sftile_shared
// CHECK-DAG: %[[WARP:.*]] = nvvm.shfl.sync idx
// CHECK-DAG: %[[START:.*]] = llvm.getelementptr %[[BASE]][4096]
// CHECK: %[[OFFSET:.*]] = arith.muli %[[WARP]], %[[STRIDE]] : i32
// CHECK: llvm.getelementptr %[[START]][%[[OFFSET]]]
gpu.func @scratch(%x: f32, %p: !llvm.ptr<1>, %n: i64) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
  %v = sftile.view %p[%n, %n] pitch %n : !sftile.view<f32, row_major>
  sftile.role "main" warps 2 {
    %scratch = sftile.shared warps 2 sharers 1 overlaid {offset = 4096 : i64, stride = 1024 : i64} : !sftile.tile<8x16xf32, swizzled>
    %f = sftile.broadcast %x : f32 -> !sftile.frag<16x8xf32, #acc>
    %g = sftile.convert_layout %f via %scratch : !sftile.frag<16x8xf32, #acc> to !sftile.frag<16x8xf32, #vec>, !sftile.tile<8x16xf32, swizzled>
    sftile.store transposed %g to %v[%n, %n] width 4 : !sftile.frag<16x8xf32, #vec> to !sftile.view<f32, row_major>
  }
  gpu.return
}
}
