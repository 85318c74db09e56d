// RUN: sparseflow-opt %s --sparseflow-tensor --sparseflow-tile=target=sm_80 2>/dev/null | FileCheck %s
// RUN: sparseflow-opt %s --sparseflow-tensor --sparseflow-tile=target=sm_80 --sparseflow-codegen=target=sm_80 2>/dev/null | FileCheck %s --check-prefix=NVVM

// Many partial sums are added four at a time, in order: two before the loop, for
// it to have whole groups, and a loop that stays one, because unrolled it would
// hold the loads of all groups in registers.

#split = #sftile.schedule<"split", block = [64, 16], warp = [16, 16], split_k = 10, pipeline = #sftile.multistage<k = 64, stages = 3>>
#add = #sftile.schedule<"add", block = [64, 16], warp = [64, 8]>

// CHECK: #[[UNROLL:.*]] = #llvm.loop_unroll<disable = true>
// CHECK: #[[LOOP:.*]] = #llvm.loop_annotation<unroll = #[[UNROLL]]>
// CHECK-LABEL: gpu.func @many_0_a_reduce(
// CHECK-COUNT-2: sftile.load transposed
// CHECK: %[[HEAD:.*]] = sftile.map
// CHECK: %[[SUM:.*]] = scf.for %{{.*}} = %c2 to %c10 step %c4 iter_args(%[[BEFORE:.*]] = %[[HEAD]])
// CHECK-COUNT-4: sftile.load transposed
// CHECK: sftile.map %[[BEFORE]],
// CHECK-COUNT-3: sftile.map
// CHECK: } {llvm.loop_annotation = #[[LOOP]]}
// CHECK: sftile.map %[[SUM]]
// CHECK: arith.truncf
// CHECK: sftile.store

// NVVM-LABEL: llvm.func @many_0_a_reduce(
// NVVM: llvm.br {{.*}}{llvm.loop_annotation =
func.func @many(%x: tensor<?x640xf16>, %w: tensor<64x640xf16>) -> tensor<?x64xf16> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } {sftile.schedules = [#split], sftile.unaligned_schedule = #split, sftile.reduce_schedule = #add} : tensor<?x640xf16>, tensor<64x640xf16> -> tensor<?x64xf16>
  return %y : tensor<?x64xf16>
}
