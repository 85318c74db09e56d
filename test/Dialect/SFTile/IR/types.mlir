// RUN: sparseflow-opt %s --verify-roundtrip | FileCheck %s

#accumulator = #sftile.layout<registers = [[0, 1], [8, 0]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>

// CHECK-LABEL: func.func private @views(
// CHECK-SAME: !sftile.view<f16, row_major>, !sftile.view<bf16, values24>, !sftile.view<i32, metadata24>
func.func private @views(!sftile.view<f16, row_major>, !sftile.view<bf16, values24>,
                         !sftile.view<i32, metadata24>)

// Packed tiles count kept elements and words: the shapes of one unit.
// CHECK-LABEL: func.func private @tiles(
// CHECK-SAME: !sftile.tile<128x64xf16, swizzled>, !sftile.tile<64x32xf16, values24>, !sftile.tile<4x32xi32, metadata24>, !sftile.tile<3x5xi8, row_major>
func.func private @tiles(!sftile.tile<128x64xf16, swizzled>, !sftile.tile<64x32xf16, values24>,
                         !sftile.tile<4x32xi32, metadata24>, !sftile.tile<3x5xi8, row_major>)

// CHECK-LABEL: func.func private @slots(
// CHECK-SAME: !sftile.slot<128x64xf16, swizzled>
func.func private @slots(!sftile.slot<128x64xf16, swizzled>)

// CHECK-LABEL: func.func private @rings(
// CHECK-SAME: !sftile.ring<4, [<128x32xf16, values24>, <8x32xi32, metadata24>, <128x64xf16, swizzled>]>
func.func private @rings(
    !sftile.ring<4, [!sftile.tile<128x32xf16, values24>,
                     !sftile.tile<8x32xi32, metadata24>,
                     !sftile.tile<128x64xf16, swizzled>]>)

// The size of a fragment may be no power of two: it is a grid of tiles.
// CHECK-LABEL: func.func private @frags(
// CHECK-SAME: !sftile.frag<64x64xf32, #{{.*}}>, !sftile.frag<48x24xbf16, #{{.*}}>
func.func private @frags(!sftile.frag<64x64xf32, #accumulator>,
                         !sftile.frag<48x24xbf16, #accumulator>)

// CHECK-LABEL: func.func private @pending(
// CHECK-SAME: !sftile.pending<<64x64xf32, #{{.*}}>>
func.func private @pending(!sftile.pending<!sftile.frag<64x64xf32, #accumulator>>)
