// RUN: sparseflow-opt %s --verify-roundtrip | FileCheck %s

// Tensor maps, copies that one thread starts, results that leave through shared
// memory, and blocks that meet.

#c = #sftile.layout<registers = [[0, 1], [8, 0]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>

// CHECK-LABEL: func.func @tensor_map
// CHECK: sftile.tensor_map %{{.*}} sizes[%{{.*}}, %{{.*}}] strides[%{{.*}}] box [64, 128] swizzle 128 : f16
// CHECK: sftile.tensor_map %{{.*}} sizes[%{{.*}}] strides[] box [256] swizzle 0 : f32
// CHECK: sftile.tensor_map %{{.*}} sizes[%{{.*}}, %{{.*}}] strides[%{{.*}}] box [64, %{{.*}}] swizzle 128 : f16
func.func @tensor_map(%x: !llvm.ptr<1>, %k: i64, %tokens: i64, %pitch: i64,
                      %rows: i64) {
  %map = sftile.tensor_map %x sizes [%k, %tokens] strides [%pitch]
      box [64, 128] swizzle 128 : f16
  %line = sftile.tensor_map %x sizes [%k] strides [] box [256] swizzle 0 : f32
  %rest = sftile.tensor_map %x sizes [%k, %tokens] strides [%pitch]
      box [64, %rows] swizzle 128 : f16
  return
}

// CHECK-LABEL: func.func @mapped_view
// CHECK: sftile.view %{{.*}} : <f16, tensor_map>
// CHECK: sftile.view %{{.*}} at[%{{.*}}, %{{.*}}] : <f16, tensor_map>
func.func @mapped_view(%map: !llvm.ptr, %head: i64, %batch: i64) {
  %x = sftile.view %map : !sftile.view<f16, tensor_map>
  %k = sftile.view %map at [%head, %batch] : !sftile.view<f16, tensor_map>
  return
}

// CHECK-LABEL: func.func @dense_form
// CHECK: sftile.dense_form %{{.*}}
func.func @dense_form(%w: !llvm.ptr<1>) -> !llvm.ptr<1> {
  %dense = sftile.dense_form %w
  return %dense : !llvm.ptr<1>
}

// CHECK-LABEL: func.func @roles
// CHECK: sftile.role "copy" warps 4 leader registers 40 {
// CHECK: sftile.griddep wait
// CHECK: sftile.copy %{{.*}}[%{{.*}}, %{{.*}}] to %{{.*}} by(#sftile.tma) shared_by 2 : <f16, tensor_map> to <128x64xf16, swizzled>
// CHECK: sftile.copy %{{.*}}[%{{.*}}, %{{.*}}] to %{{.*}} rows %{{.*}} by(#sftile.tma) : <f16, tensor_map> to <128x64xf16, swizzled>
// CHECK: sftile.copy %{{.*}}[%{{.*}}, %{{.*}}] to %{{.*}} by(#sftile.bulk) cols_in_bounds : <f16, values24> to <64x32xf16, values24>
// CHECK: sftile.role "multiply" warps 8 registers 232 {
func.func @roles(%m: !sftile.view<f16, tensor_map>, %token: i64, %k: i64,
                 %rest: !sftile.view<f16, tensor_map>, %rows: i64,
                 %slot: !sftile.slot<128x64xf16, swizzled>,
                 %w: !sftile.view<f16, values24>,
                 %values: !sftile.slot<64x32xf16, values24>) {
  sftile.role "copy" warps 4 leader registers 40 {
    sftile.griddep launch_dependents
    sftile.griddep wait
    sftile.copy %m[%token, %k] to %slot by (#sftile.tma) shared_by 2
        : !sftile.view<f16, tensor_map> to !sftile.slot<128x64xf16, swizzled>
    sftile.copy %rest[%token, %k] to %slot rows %rows by (#sftile.tma)
        : !sftile.view<f16, tensor_map> to !sftile.slot<128x64xf16, swizzled>
    sftile.copy %w[%token, %k] to %values by (#sftile.bulk) cols_in_bounds
        : !sftile.view<f16, values24> to !sftile.slot<64x32xf16, values24>
  }
  sftile.role "multiply" warps 8 registers 232 {
    %warp = sftile.warp_id
  }
  return
}

// CHECK-LABEL: func.func @beside
// CHECK: sftile.role "copy" warps 4 leader registers 24 {
// CHECK-NEXT: } beside {
// CHECK-NEXT: sftile.barrier role
func.func @beside() {
  sftile.role "copy" warps 4 leader registers 24 {
  } beside {
    sftile.barrier role
  }
  return
}

// CHECK-LABEL: func.func @page
// CHECK: sftile.copy %{{.*}}[%{{.*}}, %{{.*}}] to %{{.*}} by(#sftile.tma) piece 1 of 2 : <f16, tensor_map> to <128x64xf16, swizzled>
// CHECK: sftile.copy %{{.*}}[%{{.*}}, %{{.*}}] to %{{.*}} by(#sftile.tma) read_once : <f16, tensor_map> to <128x64xf16, swizzled>
func.func @page(%page: !sftile.view<f16, tensor_map>, %row: i64, %k: i64,
                %slot: !sftile.slot<128x64xf16, swizzled>) {
  sftile.role "copy" warps 4 leader registers 40 {
    sftile.copy %page[%row, %k] to %slot by (#sftile.tma) piece 1 of 2
        : !sftile.view<f16, tensor_map> to !sftile.slot<128x64xf16, swizzled>
    sftile.copy %page[%row, %k] to %slot by (#sftile.tma) read_once
        : !sftile.view<f16, tensor_map> to !sftile.slot<128x64xf16, swizzled>
  }
  return
}

// CHECK-LABEL: func.func @results
// CHECK: %[[BOX:.*]] = sftile.shared warps 8 sharers 4 : !sftile.tile<64x64xf16, swizzled>
// CHECK: sftile.wait_group pending 1 from(%[[BOX]] : !sftile.tile<64x64xf16, swizzled>) by(#sftile.tma)
// CHECK: sftile.store transposed %{{.*}} to %[[BOX]][%{{.*}}, %{{.*}}] by(#sftile.stmatrix) : <16x16xf16, #{{.*}}> to !sftile.tile<64x64xf16, swizzled>
// CHECK: sftile.tma_store %[[BOX]] to %{{.*}}[%{{.*}}, %{{.*}}] by(#sftile.tma) : <64x64xf16, swizzled> to <f16, tensor_map>
func.func @results(%y: !sftile.frag<16x16xf16, #c>, %token: index,
                   %feature: index, %out: !sftile.view<f16, tensor_map>,
                   %row: i64, %col: i64) {
  %box = sftile.shared warps 8 sharers 4 : !sftile.tile<64x64xf16, swizzled>
  sftile.wait_group pending 1
      from (%box : !sftile.tile<64x64xf16, swizzled>) by (#sftile.tma)
  sftile.store transposed %y to %box[%token, %feature] by (#sftile.stmatrix)
      : !sftile.frag<16x16xf16, #c> to !sftile.tile<64x64xf16, swizzled>
  sftile.tma_store %box to %out[%row, %col] by (#sftile.tma)
      : !sftile.tile<64x64xf16, swizzled> to !sftile.view<f16, tensor_map>
  return
}

// CHECK-LABEL: func.func @operands
// CHECK: sftile.load transposed %{{.*}}[%{{.*}}, %{{.*}}] by(#sftile.ldmatrix) : !sftile.tile<32x64xf16, swizzled> -> <16x16xf16, #{{.*}}>
func.func @operands(%tile: !sftile.tile<32x64xf16, swizzled>, %token: index,
                    %feature: index) -> !sftile.frag<16x16xf16, #c> {
  %r = sftile.load transposed %tile[%token, %feature] by (#sftile.ldmatrix)
      : !sftile.tile<32x64xf16, swizzled> -> !sftile.frag<16x16xf16, #c>
  return %r : !sftile.frag<16x16xf16, #c>
}

// CHECK-LABEL: func.func @dsmem_exchange
// CHECK: sftile.dsmem_exchange %{{.*}}, %{{.*}} with %{{.*}} via %{{.*}} at 4096 : <4, [<128x64xf16, swizzled>]>, !sftile.frag<16x128xf32, #{{.*}}>, !sftile.frag<16x64xf32, #{{.*}}> -> !sftile.frag<16x128xf32, #{{.*}}>, !sftile.frag<16x64xf32, #{{.*}}>
func.func @dsmem_exchange(%wide: !sftile.frag<16x128xf32, #c>,
                    %narrow: !sftile.frag<16x64xf32, #c>, %partner: index,
                    %ring: !sftile.ring<4, [!sftile.tile<128x64xf16, swizzled>]>) {
  sftile.role "multiply" warps 4 {
    %theirs:2 = sftile.dsmem_exchange %wide, %narrow with %partner via %ring at 4096
        : !sftile.ring<4, [!sftile.tile<128x64xf16, swizzled>]>,
          !sftile.frag<16x128xf32, #c>, !sftile.frag<16x64xf32, #c>
          -> !sftile.frag<16x128xf32, #c>, !sftile.frag<16x64xf32, #c>
  }
  return
}
