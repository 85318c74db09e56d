// RUN: sparseflow-opt %s --sparseflow-tensor --sparseflow-tile=target=sm_90a 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t

// Behind whole tiles each block has parts of those of the last wave: sums leave as
// they lie in registers, and a second kernel adds them in order of K.

#divided = #sftile.schedule<"divided", block = [128, 64], warp = [16, 64], group = 8, pipeline = #sftile.warp_specialized<k = 128, stages = 4, grid = 132, stream_k = 66>>
#any = #sftile.schedule<"any", block = [128, 32], warp = [32, 32], pipeline = #sftile.multistage<k = 128, stages = 3>>
#add = #sftile.schedule<"add", block = [128, 16], warp = [64, 8]>

// CHECK-LABEL: gpu.func @divided_0_a(
// CHECK: sftile.role "copy"
// CHECK: arith.remui {{.*}} : i32
// CHECK: %[[PAYS:.*]] = arith.cmpi ugt
// CHECK: %[[FEW:.*]] = arith.cmpi ule
// CHECK: %[[DIVIDES:.*]] = arith.andi %[[PAYS]], %[[FEW]]
// CHECK: arith.select %[[DIVIDES]]
// CHECK: %[[BEHIND:.*]] = scf.for {{.*}} iter_args(
// CHECK: scf.for {{.*}} iter_args({{.*}} = %[[BEHIND]])
// CHECK: sftile.role "multiply"
// CHECK: %[[BEHIND:.*]] = scf.for {{.*}} iter_args(
// CHECK: sftile.tma_store
// CHECK: scf.for {{.*}} iter_args({{.*}} = %[[BEHIND]])
// CHECK: sftile.mma_async
// CHECK: sftile.store transposed {{.*}}xf32, #{{.*}}> to !sftile.view<f32

// CHECK-LABEL: gpu.func @divided_0_a_reduce(
// CHECK: scf.if
// CHECK: sftile.load transposed
// CHECK: scf.for
// CHECK: sftile.load transposed
// CHECK: sftile.map
// CHECK: arith.truncf
// CHECK: sftile.store
func.func @divided(%x: tensor<?x1024xf16>, %w: tensor<256x1024xf16, #sparseflow.ternary<codes, scale = tensor : f32>>) -> tensor<?x256xf16> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } {sftile.schedules = [#divided], sftile.unaligned_schedule = #any, sftile.reduce_schedule = #add} : tensor<?x1024xf16>, tensor<256x1024xf16, #sparseflow.ternary<codes, scale = tensor : f32>> -> tensor<?x256xf16>
  return %y : tensor<?x256xf16>
}

// Sums lie behind the copies of rows that TMA does not read.
// REMARK-NOT: divides no tiles along K
// CHECK-LABEL: func.func @padded(
// CHECK-DAG: %[[PITCH:.*]] = arith.constant 2048 : i64
// CHECK: %[[COPIED:.*]] = arith.muli %{{.*}}, %[[PITCH]] : i64
// CHECK: %[[SUMS:.*]] = llvm.getelementptr %[[COPIES:.*]][%[[COPIED]]]
// CHECK: gpu.launch_func{{.*}}@padded_0_a_pad
// CHECK-SAME: %[[COPIES]] : !llvm.ptr<1>
// CHECK: gpu.launch_func{{.*}}@padded_0_a blocks
// CHECK-SAME: %[[SUMS]] : !llvm.ptr<1>
// CHECK: gpu.launch_func{{.*}}@padded_0_a_reduce
// CHECK-SAME: %[[SUMS]] : !llvm.ptr<1>
func.func @padded(%x: tensor<?x1022xf16>, %w: tensor<256x1022xf16, #sparseflow.ternary<codes, scale = tensor : f32>>) -> tensor<?x256xf16> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } {sftile.schedules = [#divided], sftile.unaligned_schedule = #any, sftile.reduce_schedule = #add} : tensor<?x1022xf16>, tensor<256x1022xf16, #sparseflow.ternary<codes, scale = tensor : f32>> -> tensor<?x256xf16>
  return %y : tensor<?x256xf16>
}
