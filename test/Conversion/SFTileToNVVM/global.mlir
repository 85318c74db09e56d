// RUN: sparseflow-opt %s --pass-pipeline="builtin.module(gpu.module(convert-sftile-to-nvvm),canonicalize,cse)" | FileCheck %s

// Fragments from and to global memory.

#vector = #sftile.layout<registers = [[1, 0], [2, 0], [4, 0]], lanes = [[8, 0], [16, 0], [32, 0], [0, 1], [0, 2]]>
#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>

gpu.module @kernels {

// Eight features that lie side by side in registers and memory are one access of
// 16 bytes. The token is tested before a store, and moved back to the last one
// before a load; addresses are 64 bits wide.
// CHECK-LABEL: gpu.func @wide
// CHECK-SAME: %[[P:[a-z0-9]+]]: !llvm.ptr<1>, %[[ROWS:[a-z0-9]+]]: i64, %[[COLS:[a-z0-9]+]]: i64,
// CHECK: %[[LAST:.*]] = arith.addi %[[ROWS]], %c-1_i64 : i64
// CHECK: %[[ROW:.*]] = arith.minsi %[[TOKEN:.*]], %[[LAST]] : i64
// CHECK: arith.muli %[[ROW]], %[[COLS]] : i64
// CHECK: %[[V:.*]] = llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<8xf16>
// CHECK-NOT: llvm.load
// CHECK: %[[INSIDE:.*]] = arith.cmpi slt, %[[TOKEN]], %[[ROWS]] : i64
// CHECK: scf.if %[[INSIDE]] {
// CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 16 : i64} : vector<8xf16>, !llvm.ptr<1>
// CHECK-NOT: llvm.store
// CHECK: gpu.return
gpu.func @wide(%p: !llvm.ptr<1>, %rows: i64, %cols: i64, %f: i64, %t: i64) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %v = sftile.view %p[%rows, %cols] pitch %cols : !sftile.view<f16, row_major>
  sftile.role "main" warps 1 {
    %x = sftile.load transposed %v[%t, %f] width 16 cols_in_bounds : !sftile.view<f16, row_major> -> !sftile.frag<64x4xf16, #vector>
    sftile.store transposed %x to %v[%t, %f] width 16 cols_in_bounds : !sftile.frag<64x4xf16, #vector> to !sftile.view<f16, row_major>
  }
  gpu.return
}

// Features that are not promised are tested too.
// CHECK-LABEL: gpu.func @masked
// CHECK-SAME: %[[P:[a-z0-9]+]]: !llvm.ptr<1>, %[[ROWS:[a-z0-9]+]]: i64, %[[COLS:[a-z0-9]+]]: i64,
// CHECK: %[[LAST:.*]] = arith.addi %[[COLS]], %c-4_i64 : i64
// CHECK: arith.minsi %{{.*}}, %[[LAST]] : i64
// CHECK-COUNT-2: llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr<1> -> vector<4xf16>
// CHECK: %[[TOKEN:.*]] = arith.cmpi slt, %{{.*}}, %[[ROWS]] : i64
// CHECK: %[[FEATURE:.*]] = arith.cmpi slt, %{{.*}}, %[[COLS]] : i64
// CHECK: %[[BOTH:.*]] = arith.andi %[[TOKEN]], %[[FEATURE]] : i1
// CHECK: scf.if %[[BOTH]] {
// CHECK: llvm.store %{{.*}} {alignment = 8 : i64} : vector<4xf16>
// CHECK: scf.if
// CHECK: llvm.store %{{.*}} {alignment = 8 : i64} : vector<4xf16>
gpu.func @masked(%p: !llvm.ptr<1>, %rows: i64, %cols: i64, %f: i64, %t: i64) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %v = sftile.view %p[%rows, %cols] pitch %cols : !sftile.view<f16, row_major>
  sftile.role "main" warps 1 {
    %x = sftile.load transposed %v[%t, %f] width 8 : !sftile.view<f16, row_major> -> !sftile.frag<64x4xf16, #vector>
    sftile.store transposed %x to %v[%t, %f] width 8 : !sftile.frag<64x4xf16, #vector> to !sftile.view<f16, row_major>
  }
  gpu.return
}

// Two neighbouring tiles of an accumulator give a lane four elements of a row side by
// side: two rows, 16 bytes of each.
// CHECK-LABEL: gpu.func @interleaved
// CHECK-COUNT-2: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK-NOT: llvm.load
// CHECK-COUNT-2: llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
// CHECK-NOT: llvm.store
// CHECK: gpu.return
gpu.func @interleaved(%p: !llvm.ptr<1>, %rows: i64, %cols: i64, %z: i64) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %v = sftile.view %p[%rows, %cols] pitch %cols : !sftile.view<f32, row_major>
  sftile.role "main" warps 1 {
    %x = sftile.load interleaved %v[%z, %z] width 16 rows_in_bounds cols_in_bounds : !sftile.view<f32, row_major> -> !sftile.frag<16x16xf32, #c>
    sftile.store interleaved %x to %v[%z, %z] width 16 rows_in_bounds cols_in_bounds : !sftile.frag<16x16xf32, #c> to !sftile.view<f32, row_major>
  }
  gpu.return
}

// What elements share is loaded once: in the layout of an accumulator a lane has
// two features and four tokens of a 16x16 fragment.
// CHECK-LABEL: gpu.func @broadcasts
// CHECK-COUNT-2: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK-NOT: llvm.load
// CHECK: llvm.store
// CHECK-LABEL: gpu.func @broadcasts_tokens
// CHECK-COUNT-4: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK-NOT: llvm.load
// CHECK: llvm.store
// CHECK-LABEL: gpu.func @broadcasts_scalar
// CHECK: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK-NOT: llvm.load
// CHECK: llvm.store
gpu.func @broadcasts(%p: !llvm.ptr<1>, %rows: i64, %cols: i64, %f: i64, %t: i64) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %v = sftile.view %p[%rows, %cols] pitch %cols : !sftile.view<f32, row_major>
  sftile.role "main" warps 1 {
    %x = sftile.load row %v[%t, %f] width 16 cols_in_bounds : !sftile.view<f32, row_major> -> !sftile.frag<16x16xf32, #c>
    sftile.store transposed %x to %v[%t, %f] width 4 cols_in_bounds : !sftile.frag<16x16xf32, #c> to !sftile.view<f32, row_major>
  }
  gpu.return
}
gpu.func @broadcasts_tokens(%p: !llvm.ptr<1>, %rows: i64, %cols: i64, %f: i64, %t: i64) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %v = sftile.view %p[%rows, %cols] pitch %cols : !sftile.view<f32, row_major>
  sftile.role "main" warps 1 {
    %x = sftile.load col %v[%t, %f] width 4 : !sftile.view<f32, row_major> -> !sftile.frag<16x16xf32, #c>
    sftile.store transposed %x to %v[%t, %f] width 4 cols_in_bounds : !sftile.frag<16x16xf32, #c> to !sftile.view<f32, row_major>
  }
  gpu.return
}
gpu.func @broadcasts_scalar(%p: !llvm.ptr<1>, %rows: i64, %cols: i64, %f: i64, %t: i64) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %v = sftile.view %p[%rows, %cols] pitch %cols : !sftile.view<f32, row_major>
  sftile.role "main" warps 1 {
    %x = sftile.load scalar %v[%t, %f] width 4 : !sftile.view<f32, row_major> -> !sftile.frag<16x16xf32, #c>
    sftile.store transposed %x to %v[%t, %f] width 4 cols_in_bounds : !sftile.frag<16x16xf32, #c> to !sftile.view<f32, row_major>
  }
  gpu.return
}
}
