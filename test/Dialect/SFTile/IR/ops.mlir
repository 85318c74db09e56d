// RUN: sparseflow-opt %s --verify-roundtrip | FileCheck %s
// RUN: sparseflow-opt %s --verify-roundtrip --mlir-print-op-generic --mlir-print-local-scope | FileCheck %s --check-prefix=GENERIC

// Every operation, with the examples of its documentation (examples.test checks
// that they are all here).

#accumulator = #sftile.layout<registers = [[0, 1], [8, 0]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#b = #sftile.layout<registers = [[0, 1], [0, 8]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#c = #sftile.layout<registers = [[0, 1], [8, 0]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#w = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#x = #sftile.layout<registers = [[0, 1], [0, 8], [0, 16]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#m = #sftile.layout<registers = [],
    lanes = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]]>
#layout_b = #sftile.layout<registers = [[0, 1], [0, 8]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#vector = #sftile.layout<registers = [[1, 0], [2, 0], [4, 0], [0, 4], [0, 8]],
    lanes = [[8, 0], [16, 0], [32, 0], [0, 1], [0, 2]]>

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func.func @view
// CHECK: sftile.view %{{.*}}[%{{.*}}, %[[D:.*]]] pitch %[[D]] : <f16, row_major>
// CHECK: sftile.view %{{.*}}[%{{.*}}, %{{.*}}] : <f16, values24>
// CHECK: sftile.view %{{.*}}[%{{.*}}, %[[D]]] pitch %[[D]] groups of 4 every %{{.*}} : <f16, grouped_rows>
// GENERIC: "sftile.view"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>}> : (!llvm.ptr<1>, i64, i64, i64) -> !sftile.view<f16, row_major>
func.func @view(%pointer: !llvm.ptr<1>, %values: !llvm.ptr<1>, %tokens: i64,
                %k: i64, %unit_rows: i64, %unit_cols: i64, %rows: i64,
                %all_heads: i64) {
  %x = sftile.view %pointer[%tokens, %k] pitch %k
      : !sftile.view<f16, row_major>
  %w = sftile.view %values[%unit_rows, %unit_cols] : !sftile.view<f16, values24>
  %m = sftile.view %values[%unit_rows, %unit_cols] : !sftile.view<i32, metadata24>
  %q = sftile.view %pointer[%rows, %k] pitch %k groups of 4 every %all_heads
      : !sftile.view<f16, grouped_rows>
  return
}

// CHECK-LABEL: func.func @shared
// CHECK: sftile.ring : <4, [<128x64xf16, swizzled>]>
// CHECK: sftile.ring {offset = 1024 : i64} : <2, [<8x8xf32, row_major>]>
// CHECK: sftile.shared warps 8 sharers 4 : !sftile.tile<64x64xf16, swizzled>
// CHECK: sftile.shared warps 8 sharers 1 overlaid : !sftile.tile<16x64xf16, swizzled>
// CHECK: sftile.shared bytes 65536 : !llvm.ptr<3>
// CHECK: sftile.shared warps 8 sharers 1 overlaid {offset = 0 : i64, stride = 2048 : i64} : !sftile.tile<16x64xf16, swizzled>
func.func @shared() {
  %ring = sftile.ring : !sftile.ring<4, [!sftile.tile<128x64xf16, swizzled>]>
  %placed = sftile.ring {offset = 1024 : i64} : !sftile.ring<2, [!sftile.tile<8x8xf32, row_major>]>
  %box = sftile.shared warps 8 sharers 4 : !sftile.tile<64x64xf16, swizzled>
  %scratch = sftile.shared warps 8 sharers 1 overlaid
      : !sftile.tile<16x64xf16, swizzled>
  %place = sftile.shared bytes 65536 : !llvm.ptr<3>
  %lies = sftile.shared warps 8 sharers 1 overlaid {offset = 0 : i64, stride = 2048 : i64} : !sftile.tile<16x64xf16, swizzled>
  return
}

//===----------------------------------------------------------------------===//
// Roles and rings
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func.func @roles
// CHECK: sftile.role "multiply" warps 8 {
// CHECK-NEXT: sftile.warp_id
// CHECK-NEXT: }
// CHECK-NEXT: sftile.role "store" warps 1 {
// CHECK-NEXT: }
// GENERIC: "sftile.role"() <{name = "multiply", warps = 8 : i64}> ({
// GENERIC: "sftile.yield"() : () -> ()
func.func @roles() {
  sftile.role "multiply" warps 8 {
    %warp = sftile.warp_id
  }
  sftile.role "store" warps 1 {
  }
  return
}

// CHECK-LABEL: func.func @ring
// CHECK: sftile.acquire %{{.*}}[%{{.*}}] : <4, [<128x64xf16, swizzled>]> -> !sftile.slot<128x64xf16, swizzled>
// CHECK: sftile.copy %{{.*}}[%{{.*}}, %{{.*}}] to %{{.*}} by(#sftile.cp_async<16>) : <f16, row_major> to <128x64xf16, swizzled>
// CHECK: sftile.copy {{.*}} by(#sftile.ld_st<2>) rows_in_bounds cols_in_bounds :
// CHECK: sftile.commit %{{.*}}[%{{.*}}] : <4, [<128x64xf16, swizzled>]>
// CHECK: sftile.commit %{{.*}}[%{{.*}}] shared_by 2 : <4, [<128x64xf16, swizzled>]>
// CHECK: sftile.wait %{{.*}}[%{{.*}}] : <4, [<128x64xf16, swizzled>]> -> !sftile.tile<128x64xf16, swizzled>
// CHECK: sftile.release %{{.*}}[%{{.*}}] : <4, [<128x64xf16, swizzled>]>
func.func @ring(%ring: !sftile.ring<4, [!sftile.tile<128x64xf16, swizzled>]>,
                %i: index, %x: !sftile.view<f16, row_major>, %token: i64,
                %k: i64) {
  %slot = sftile.acquire %ring[%i]
      : !sftile.ring<4, [!sftile.tile<128x64xf16, swizzled>]>
      -> !sftile.slot<128x64xf16, swizzled>
  sftile.copy %x[%token, %k] to %slot by (#sftile.cp_async<16>)
      : !sftile.view<f16, row_major> to !sftile.slot<128x64xf16, swizzled>
  sftile.copy %x[%token, %k] to %slot by (#sftile.ld_st<2>) rows_in_bounds cols_in_bounds
      : !sftile.view<f16, row_major> to !sftile.slot<128x64xf16, swizzled>
  sftile.commit %ring[%i] : !sftile.ring<4, [!sftile.tile<128x64xf16, swizzled>]>
  sftile.commit %ring[%i] shared_by 2 : !sftile.ring<4, [!sftile.tile<128x64xf16, swizzled>]>
  %tile = sftile.wait %ring[%i]
      : !sftile.ring<4, [!sftile.tile<128x64xf16, swizzled>]>
      -> !sftile.tile<128x64xf16, swizzled>
  sftile.release %ring[%i] : !sftile.ring<4, [!sftile.tile<128x64xf16, swizzled>]>
  return
}

// A stage of several tiles gives one slot and one tile for each.
// CHECK-LABEL: func.func @stage_of_three
// CHECK: %[[SLOTS:.*]]:3 = sftile.acquire
// CHECK: sftile.copy {{.*}} to %[[SLOTS]]#0 by(#sftile.cp_async<16>) : <f16, values24> to <128x32xf16, values24>
// CHECK: sftile.copy {{.*}} to %[[SLOTS]]#1 by(#sftile.cp_async<16>) : <i32, metadata24> to <8x32xi32, metadata24>
// CHECK: %{{.*}}:3 = sftile.wait
func.func @stage_of_three(%w: !sftile.view<f16, values24>,
                          %m: !sftile.view<i32, metadata24>, %unit: i64, %i: index,
                          %ring: !sftile.ring<3, [!sftile.tile<128x32xf16, values24>, !sftile.tile<8x32xi32, metadata24>, !sftile.tile<64x64xf16, swizzled>]>) {
  %s:3 = sftile.acquire %ring[%i]
      : !sftile.ring<3, [!sftile.tile<128x32xf16, values24>, !sftile.tile<8x32xi32, metadata24>, !sftile.tile<64x64xf16, swizzled>]>
      -> !sftile.slot<128x32xf16, values24>, !sftile.slot<8x32xi32, metadata24>, !sftile.slot<64x64xf16, swizzled>
  sftile.copy %w[%unit, %unit] to %s#0 by (#sftile.cp_async<16>)
      : !sftile.view<f16, values24> to !sftile.slot<128x32xf16, values24>
  sftile.copy %m[%unit, %unit] to %s#1 by (#sftile.cp_async<16>)
      : !sftile.view<i32, metadata24> to !sftile.slot<8x32xi32, metadata24>
  %t:3 = sftile.wait %ring[%i]
      : !sftile.ring<3, [!sftile.tile<128x32xf16, values24>, !sftile.tile<8x32xi32, metadata24>, !sftile.tile<64x64xf16, swizzled>]>
      -> !sftile.tile<128x32xf16, values24>, !sftile.tile<8x32xi32, metadata24>, !sftile.tile<64x64xf16, swizzled>
  return
}

//===----------------------------------------------------------------------===//
// Fragments
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func.func @load
// CHECK: sftile.load %{{.*}}[%{{.*}}, %{{.*}}] by(#sftile.ldmatrix) : !sftile.tile<128x64xf16, swizzled> -> <64x32xf16,
// CHECK: sftile.load %{{.*}}[%{{.*}}, %{{.*}}] : !sftile.tile<8x32xi32, metadata24> -> <4x32xi32,
func.func @load(%tile: !sftile.tile<128x64xf16, swizzled>,
                %words: !sftile.tile<8x32xi32, metadata24>, %row: index,
                %col: index) {
  %b = sftile.load %tile[%row, %col] by (#sftile.ldmatrix)
      : !sftile.tile<128x64xf16, swizzled> -> !sftile.frag<64x32xf16, #layout_b>
  %m = sftile.load %words[%row, %col]
      : !sftile.tile<8x32xi32, metadata24> -> !sftile.frag<4x32xi32, #m>
  return
}

// CHECK-LABEL: func.func @broadcast
// CHECK: sftile.broadcast %{{.*}} : f32 -> <64x64xf32,
func.func @broadcast(%c: f32) {
  %zero = sftile.broadcast %c : f32 -> !sftile.frag<64x64xf32, #accumulator>
  return
}

// CHECK-LABEL: func.func @mma
// CHECK: sftile.mma %{{.*}}, %{{.*}}, %{{.*}} by(#sftile.mma_sync<16, f16>) : <64x16xf16,
// CHECK: sftile.mma %{{.*}}, %{{.*}}, %{{.*}} metadata %{{.*}}[0] by(#sftile.mma_sp_sync<32, f16>) : <64x16xf16,
func.func @mma(%a: !sftile.frag<64x16xf16, #a>, %b: !sftile.frag<64x16xf16, #b>,
               %c: !sftile.frag<64x64xf32, #c>, %w: !sftile.frag<64x16xf16, #w>,
               %x: !sftile.frag<64x32xf16, #x>, %m: !sftile.frag<4x32xi32, #m>) {
  %d = sftile.mma %a, %b, %c by (#sftile.mma_sync<16, f16>)
      : !sftile.frag<64x16xf16, #a>, !sftile.frag<64x16xf16, #b>,
        !sftile.frag<64x64xf32, #c>
  %e = sftile.mma %w, %x, %c metadata %m[0] by (#sftile.mma_sp_sync<32, f16>)
      : !sftile.frag<64x16xf16, #w>, !sftile.frag<64x32xf16, #x>,
        !sftile.frag<64x64xf32, #c>, !sftile.frag<4x32xi32, #m>
  return
}

// An MMA of K = 16 has a metadata register for four of them.
// CHECK-LABEL: func.func @mma_sp_of_k_16
// CHECK: metadata %{{.*}}[3] by(#sftile.mma_sp_sync<16, bf16>)
func.func @mma_sp_of_k_16(%w: !sftile.frag<16x8xbf16, #c>,
                              %x: !sftile.frag<8x16xbf16, #b>,
                              %acc: !sftile.frag<16x8xf32, #c>,
                              %m: !sftile.frag<1x32xi32, #m>)
    -> !sftile.frag<16x8xf32, #c> {
  %d = sftile.mma %w, %x, %acc metadata %m[3] by (#sftile.mma_sp_sync<16, bf16>)
      : !sftile.frag<16x8xbf16, #c>, !sftile.frag<8x16xbf16, #b>,
        !sftile.frag<16x8xf32, #c>, !sftile.frag<1x32xi32, #m>
  return %d : !sftile.frag<16x8xf32, #c>
}

// CHECK-LABEL: func.func @slice
// CHECK: sftile.slice %{{.*}}[0, 16] : <64x64xf32, {{.*}}> -> <64x16xf32,
func.func @slice(%acc: !sftile.frag<64x64xf32, #accumulator>) {
  %part = sftile.slice %acc[0, 16] : !sftile.frag<64x64xf32, #accumulator>
      -> !sftile.frag<64x16xf32, #accumulator>
  return
}

// CHECK-LABEL: func.func @map
// CHECK: sftile.map %{{.*}}, %{{.*}} : !sftile.frag<64x16xf32, {{.*}}>, !sftile.frag<64x16xf16, {{.*}}> -> <64x16xf16, {{.*}}> {
// CHECK-NEXT: ^bb0(%{{.*}}: f32, %{{.*}}: f16):
// CHECK: sftile.yield %{{.*}} : f16
func.func @map(%acc: !sftile.frag<64x16xf32, #c>,
               %bias: !sftile.frag<64x16xf16, #c>) {
  %y = sftile.map %acc, %bias : !sftile.frag<64x16xf32, #c>, !sftile.frag<64x16xf16, #c>
      -> !sftile.frag<64x16xf16, #c> {
  ^bb0(%a: f32, %b: f16):
    %0 = arith.extf %b : f16 to f32
    %1 = arith.addf %a, %0 : f32
    %2 = arith.truncf %1 : f32 to f16
    sftile.yield %2 : f16
  }
  return
}

// CHECK-LABEL: func.func @convert_layout
// CHECK: sftile.convert_layout %{{.*}} via %{{.*}} by(#sftile.stmatrix) : <64x16xf16, {{.*}}> to <64x16xf16, {{.*}}>, !sftile.tile<16x64xf16, swizzled>
// CHECK: sftile.convert_layout %{{.*}} via %{{.*}} : <64x16xf16,
func.func @convert_layout(%y: !sftile.frag<64x16xf16, #accumulator>,
                          %scratch: !sftile.tile<16x64xf16, swizzled>) {
  %v = sftile.convert_layout %y via %scratch by (#sftile.stmatrix)
      : !sftile.frag<64x16xf16, #accumulator> to !sftile.frag<64x16xf16, #vector>,
        !sftile.tile<16x64xf16, swizzled>
  %back = sftile.convert_layout %v via %scratch
      : !sftile.frag<64x16xf16, #vector> to !sftile.frag<64x16xf16, #accumulator>,
        !sftile.tile<16x64xf16, swizzled>
  return
}

//===----------------------------------------------------------------------===//
// Between registers and memory
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func.func @load_view
// CHECK: sftile.load row %{{.*}}[%{{.*}}, %{{.*}}] width 16 cols_in_bounds : !sftile.view<f16, row_major> -> <64x16xf16,
// CHECK: sftile.load transposed %{{.*}} width 2 cols_in_bounds :
// CHECK: sftile.load col
// CHECK: sftile.load scalar
// CHECK: sftile.load %{{.*}} width 2 rows_in_bounds
func.func @load_view(%b: !sftile.view<f16, row_major>, %feature: i64, %token: i64) {
  %zero = arith.constant 0 : i64
  %bias = sftile.load row %b[%zero, %feature] width 16 cols_in_bounds
      : !sftile.view<f16, row_major> -> !sftile.frag<64x16xf16, #vector>
  %full = sftile.load transposed %b[%token, %feature] width 2 cols_in_bounds
      : !sftile.view<f16, row_major> -> !sftile.frag<64x16xf16, #vector>
  %scale = sftile.load col %b[%token, %feature] width 2
      : !sftile.view<f16, row_major> -> !sftile.frag<64x16xf16, #vector>
  %one = sftile.load scalar %b[%token, %feature] width 2
      : !sftile.view<f16, row_major> -> !sftile.frag<64x16xf16, #vector>
  %across = sftile.load %b[%feature, %token] width 2 rows_in_bounds
      : !sftile.view<f16, row_major> -> !sftile.frag<64x16xf16, #vector>
  return
}

// CHECK-LABEL: func.func @store
// CHECK: sftile.store transposed %{{.*}} to %{{.*}}[%{{.*}}, %{{.*}}] width 16 : <64x16xf16, {{.*}}> to !sftile.view<f16, row_major>
// CHECK: sftile.store {{.*}} width 4 cols_in_bounds :
func.func @store(%y: !sftile.frag<64x16xf16, #vector>,
                 %view: !sftile.view<f16, row_major>, %feature: i64, %token: i64) {
  sftile.store transposed %y to %view[%token, %feature] width 16
      : !sftile.frag<64x16xf16, #vector> to !sftile.view<f16, row_major>
  sftile.store transposed %y to %view[%token, %feature] width 4 cols_in_bounds
      : !sftile.frag<64x16xf16, #vector> to !sftile.view<f16, row_major>
  return
}
