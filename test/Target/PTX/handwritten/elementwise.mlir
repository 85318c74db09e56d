// A hand-written kernel without a product: y = relu(x + bias) for x [T, N], T and N
// any numbers, rows aligned to 16 bytes. A warp has a tile of 64 x 8. It loads and
// stores vectors along the rows, and computes in the layout of an accumulator, as
// epilogues do, where a lane has two features of four tokens and needs few of the
// bias: the way there and back leads through scratch memory.
//
// REQUIRES: ptxas
// RUN: sparseflow compile %s --target sm_80 --emit ptx -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: sparseflow compile %s --target sm_80 --emit cubin -o %t.cubin
// RUN: sparseflow compile %s --target sm_90 --emit cubin -o %t.cubin
// RUN: sparseflow compile %s --target sm_120 --emit cubin -o %t.cubin
//
// CHECK-LABEL: .entry relu(
// Two vectors of eight elements a lane.
// CHECK-COUNT-2: ld.global.v4
// CHECK: bar.warp.sync
// CHECK-COUNT-2: st.shared.v4
// CHECK-NOT: st.shared
// CHECK: bar.warp.sync
// Four transposed matrices at once, a register each.
// CHECK-COUNT-2: ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16
// CHECK-NOT: ldmatrix
// The bias of eight features: 4 tiles of 16, rows g and g + 8 of each.
// CHECK-COUNT-8: ld.global.b16
// CHECK-NOT: ld.global
// CHECK: bar.warp.sync
// CHECK-COUNT-16: st.shared.b16
// CHECK: bar.warp.sync
// CHECK: ld.shared.v4
// CHECK: st.global.v4
// CHECK: ld.shared.v4
// CHECK: st.global.v4
// CHECK-NOT: st.global

#vector = #sftile.layout<registers = [[1, 0], [2, 0], [4, 0], [0, 4]], lanes = [[8, 0], [16, 0], [32, 0], [0, 1], [0, 2]]>
#matrix = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>

module attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @relu(%xp: !llvm.ptr<1>, %bp: !llvm.ptr<1>, %yp: !llvm.ptr<1>, %tokens: i64, %features: i64) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : i64
    %c64 = arith.constant 64 : i64
    %one = arith.constant 1 : i64
    %x = sftile.view %xp[%tokens, %features] pitch %features : !sftile.view<f16, row_major>
    %b = sftile.view %bp[%one, %features] pitch %features : !sftile.view<f16, row_major>
    %y = sftile.view %yp[%tokens, %features] pitch %features : !sftile.view<f16, row_major>
    sftile.role "main" warps 4 {
      %scratch = sftile.shared warps 4 sharers 1 overlaid : !sftile.tile<8x64xf16, swizzled>
      %warp = sftile.warp_id
      %block = gpu.block_id x
      %first = arith.muli %block, %c4 : index
      %number = arith.addi %first, %warp : index
      %tile = arith.index_cast %number : index to i64
      %across = arith.ceildivui %features, %c64 : i64
      %tf = arith.remui %tile, %across : i64
      %tt = arith.divui %tile, %across : i64
      %feature = arith.muli %tf, %c64 : i64
      %token = arith.muli %tt, %c8 : i64
      %v = sftile.load transposed %x[%token, %feature] width 16 : !sftile.view<f16, row_major> -> !sftile.frag<64x8xf16, #vector>
      %m = sftile.convert_layout %v via %scratch by (#sftile.ldmatrix) : !sftile.frag<64x8xf16, #vector> to !sftile.frag<64x8xf16, #matrix>, !sftile.tile<8x64xf16, swizzled>
      %bias = sftile.load row %b[%token, %feature] width 2 : !sftile.view<f16, row_major> -> !sftile.frag<64x8xf16, #matrix>
      %r = sftile.map %m, %bias : !sftile.frag<64x8xf16, #matrix>, !sftile.frag<64x8xf16, #matrix> -> !sftile.frag<64x8xf16, #matrix> {
      ^bb0(%e: f16, %f: f16):
        %zero = arith.constant 0.0 : f16
        %sum = arith.addf %e, %f : f16
        %some = arith.maximumf %sum, %zero : f16
        sftile.yield %some : f16
      }
      %w = sftile.convert_layout %r via %scratch : !sftile.frag<64x8xf16, #matrix> to !sftile.frag<64x8xf16, #vector>, !sftile.tile<8x64xf16, swizzled>
      sftile.store transposed %w to %y[%token, %feature] width 16 : !sftile.frag<64x8xf16, #vector> to !sftile.view<f16, row_major>
    }
    gpu.return
  }
}
}
