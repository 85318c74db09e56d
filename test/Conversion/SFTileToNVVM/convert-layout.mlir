// RUN: sparseflow-opt %s --pass-pipeline="builtin.module(gpu.module(convert-sftile-to-nvvm),canonicalize,cse)" | FileCheck %s

// A change of layout goes through memory of the warp: wait for earlier readers,
// store, wait for the stores, load.

#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#vector = #sftile.layout<registers = [[1, 0], [2, 0], [4, 0], [0, 4]], lanes = [[8, 0], [16, 0], [32, 0], [0, 1], [0, 2]]>
#odd = #sftile.layout<registers = [[0, 1], [0, 9]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#pairs = #sftile.layout<registers = [[0, 1], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>

gpu.module @kernels {

// With stmatrix the eight registers of a 64x8 fragment are two instructions of
// four transposed matrices; the vectors come back by 16-byte loads.
// CHECK-LABEL: gpu.func @stmatrix
// CHECK: nvvm.bar.warp.sync
// CHECK: nvvm.stmatrix %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {{{.*}}layout = #nvvm.mma_layout<col>
// CHECK: nvvm.stmatrix %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {{{.*}}layout = #nvvm.mma_layout<col>
// CHECK-NOT: nvvm.stmatrix
// CHECK: nvvm.bar.warp.sync
// CHECK-COUNT-2: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<8xf16>
// CHECK-NOT: !llvm.ptr<3>
// CHECK: gpu.return
gpu.func @stmatrix(%p: !llvm.ptr<1>, %n: i64, %x: f16) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %v = sftile.view %p[%n, %n] pitch %n : !sftile.view<f16, row_major>
  sftile.role "main" warps 1 {
    %scratch = sftile.shared warps 1 sharers 1 overlaid {offset = 0 : i64, stride = 1024 : i64} : !sftile.tile<8x64xf16, swizzled>
    %a = sftile.load transposed %v[%n, %n] width 2 : !sftile.view<f16, row_major> -> !sftile.frag<64x8xf16, #c>
    %b = sftile.convert_layout %a via %scratch by (#sftile.stmatrix) : !sftile.frag<64x8xf16, #c> to !sftile.frag<64x8xf16, #vector>, !sftile.tile<8x64xf16, swizzled>
    sftile.store transposed %b to %v[%n, %n] width 16 : !sftile.frag<64x8xf16, #vector> to !sftile.view<f16, row_major>
  }
  gpu.return
}

// Without it every lane stores its elements.
// CHECK-LABEL: gpu.func @no_stmatrix
// CHECK: nvvm.bar.warp.sync
// CHECK-NOT: nvvm.stmatrix
// CHECK-COUNT-16: llvm.store %{{.*}} {alignment = 2 : i64} : f16, !llvm.ptr<3>
// CHECK: nvvm.bar.warp.sync
// CHECK-COUNT-2: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<8xf16>
// CHECK: gpu.return
gpu.func @no_stmatrix(%p: !llvm.ptr<1>, %n: i64, %x: f16) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %v = sftile.view %p[%n, %n] pitch %n : !sftile.view<f16, row_major>
  sftile.role "main" warps 1 {
    %scratch = sftile.shared warps 1 sharers 1 overlaid {offset = 0 : i64, stride = 1024 : i64} : !sftile.tile<8x64xf16, swizzled>
    %a = sftile.load transposed %v[%n, %n] width 2 : !sftile.view<f16, row_major> -> !sftile.frag<64x8xf16, #c>
    %b = sftile.convert_layout %a via %scratch : !sftile.frag<64x8xf16, #c> to !sftile.frag<64x8xf16, #vector>, !sftile.tile<8x64xf16, swizzled>
    sftile.store transposed %b to %v[%n, %n] width 16 : !sftile.frag<64x8xf16, #vector> to !sftile.view<f16, row_major>
  }
  gpu.return
}

// The way back: vectors are stored, and ldmatrix transposes.
// CHECK-LABEL: gpu.func @ldmatrix
// CHECK-COUNT-2: llvm.store %{{.*}} {alignment = 16 : i64} : vector<8xf16>, !llvm.ptr<3>
// CHECK: nvvm.bar.warp.sync
// CHECK-COUNT-2: nvvm.ldmatrix %{{.*}} layout = #nvvm.mma_layout<col>, num = 4 : i32
// CHECK-NOT: nvvm.ldmatrix
// CHECK: gpu.return
gpu.func @ldmatrix(%p: !llvm.ptr<1>, %n: i64, %x: f16) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %v = sftile.view %p[%n, %n] pitch %n : !sftile.view<f16, row_major>
  sftile.role "main" warps 1 {
    %scratch = sftile.shared warps 1 sharers 1 overlaid {offset = 0 : i64, stride = 1024 : i64} : !sftile.tile<8x64xf16, swizzled>
    %a = sftile.load transposed %v[%n, %n] width 16 : !sftile.view<f16, row_major> -> !sftile.frag<64x8xf16, #vector>
    %b = sftile.convert_layout %a via %scratch by (#sftile.ldmatrix) : !sftile.frag<64x8xf16, #vector> to !sftile.frag<64x8xf16, #c>, !sftile.tile<8x64xf16, swizzled>
    sftile.store transposed %b to %v[%n, %n] width 2 : !sftile.frag<64x8xf16, #c> to !sftile.view<f16, row_major>
  }
  gpu.return
}

// Matrix instructions move whole matrices only: a layout whose second register
// is not the corner of one is loaded and stored by elements.
// CHECK-LABEL: gpu.func @no_matrices
// CHECK-NOT: nvvm.stmatrix
// CHECK-COUNT-4: llvm.store %{{.*}} {alignment = 2 : i64} : f16, !llvm.ptr<3>
// CHECK: gpu.return
gpu.func @no_matrices(%p: !llvm.ptr<1>, %n: i64, %x: f16) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %v = sftile.view %p[%n, %n] pitch %n : !sftile.view<f16, row_major>
  sftile.role "main" warps 1 {
    %scratch = sftile.shared warps 1 sharers 1 overlaid {offset = 0 : i64, stride = 1024 : i64} : !sftile.tile<16x8xf16, swizzled>
    %a = sftile.load transposed %v[%n, %n] width 2 : !sftile.view<f16, row_major> -> !sftile.frag<8x16xf16, #odd>
    %b = sftile.convert_layout %a via %scratch by (#sftile.stmatrix) : !sftile.frag<8x16xf16, #odd> to !sftile.frag<8x16xf16, #pairs>, !sftile.tile<16x8xf16, swizzled>
    sftile.store transposed %b to %v[%n, %n] width 2 : !sftile.frag<8x16xf16, #pairs> to !sftile.view<f16, row_major>
  }
  gpu.return
}
}
