// RUN: sparseflow-opt %s --verify-roundtrip | FileCheck %s

// Products that overlap, with the examples of their documentation.

#c = #sftile.layout<registers = [[0, 1], [8, 0]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>

#parts = #sftile.layout<registers = [[8, 0]],
    lanes = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]]>
#rows = #sftile.layout<registers = [[8, 0]],
    lanes = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]]>

// CHECK-LABEL: func.func @products
// CHECK: sftile.mma_async %{{.*}}, %{{.*}}#0[%{{.*}}, %{{.*}}] transposed, %{{.*}} by(#sftile.wgmma<f16>) :
// CHECK: sftile.commit_group %{{.*}} by(#sftile.wgmma<f16>)
// CHECK: sftile.wait_group %{{.*}} pending 1 by(#sftile.wgmma<f16>)
func.func @products(%weights: !sftile.frag<16x16xf16, #a>, %row: index,
                    %acc: !sftile.frag<16x128xf32, #c>) {
  %c0 = arith.constant 0 : index
  %ring = sftile.ring : !sftile.ring<2, [!sftile.tile<128x64xf16, swizzled>,
                                         !sftile.tile<128x64xf16, swizzled>]>
  %v0, %v1 = sftile.wait %ring[%c0]
      : !sftile.ring<2, [!sftile.tile<128x64xf16, swizzled>,
                         !sftile.tile<128x64xf16, swizzled>]>
      -> !sftile.tile<128x64xf16, swizzled>, !sftile.tile<128x64xf16, swizzled>
  %p = sftile.mma_async %weights, %v0[%row, %c0] transposed, %acc
      by (#sftile.wgmma<f16>)
      : !sftile.frag<16x16xf16, #a>, !sftile.tile<128x64xf16, swizzled>,
        !sftile.frag<16x128xf32, #c> -> !sftile.pending<!sftile.frag<16x128xf32, #c>>
  %q = sftile.commit_group %p by (#sftile.wgmma<f16>)
      : !sftile.pending<!sftile.frag<16x128xf32, #c>>
  %s = sftile.wait_group %q pending 1 by (#sftile.wgmma<f16>)
      : !sftile.pending<!sftile.frag<16x128xf32, #c>>
      -> !sftile.frag<16x128xf32, #c>
  return
}

// CHECK-LABEL: func.func @order
// CHECK: sftile.sched_barrier in_sass %{{.*}} : <16x4xf32, #{{.*}}>
// CHECK: %[[GROWN:.*]] = sftile.map %{{.*}}, %{{.*}} : !sftile.frag<16x1xf32, #{{.*}}>, !sftile.frag<16x1xf32, #{{.*}}> -> <16x1xi1, #{{.*}}>
// CHECK: sftile.reduce or %[[GROWN]] : <16x1xi1, #{{.*}}> -> i1
func.func @order(%totals: !sftile.frag<16x4xf32, #parts>,
                 %before: !sftile.frag<16x1xf32, #rows>,
                 %after: !sftile.frag<16x1xf32, #rows>) -> i1 {
  %t = sftile.sched_barrier in_sass %totals : !sftile.frag<16x4xf32, #parts>
  %grown = sftile.map %before, %after
      : !sftile.frag<16x1xf32, #rows>, !sftile.frag<16x1xf32, #rows>
      -> !sftile.frag<16x1xi1, #rows> {
  ^bb0(%a: f32, %b: f32):
    %less = arith.cmpf olt, %a, %b : f32
    sftile.yield %less : i1
  }
  %any = sftile.reduce or %grown : !sftile.frag<16x1xi1, #rows> -> i1
  return %any : i1
}

// CHECK-LABEL: func.func @turns
// CHECK: sftile.ordered_barrier arrive_first
// CHECK: sftile.ordered_barrier wait
// CHECK: sftile.sched_barrier %{{.*}} : <16x128xf32, #{{.*}}>
// CHECK: sftile.ordered_barrier arrive{{$}}
func.func @turns(%p: !sftile.frag<16x128xf32, #c>) {
  sftile.role "multiply" warps 8 {
    sftile.ordered_barrier arrive_first
    sftile.ordered_barrier wait
    %q = sftile.sched_barrier %p : !sftile.frag<16x128xf32, #c>
    sftile.ordered_barrier arrive
  }
  return
}
