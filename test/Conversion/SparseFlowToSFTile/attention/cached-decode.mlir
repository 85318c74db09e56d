// One query on keys in a few bits: splits of 32 keys a warp and more, as long as one round of
// loads combines them, and an early start where there are few blocks. Sizes that are known
// leave the kernels of others away.
// RUN: sparseflow-opt %s --split-input-file -o %t \
// RUN:   --pass-pipeline='builtin.module(sparseflow-tensor,sparseflow-tile{target=sm_90a})' 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t

!q = tensor<1x32x1x128xf16>
!k = tensor<1x8x1024x128xf16, #sparseflow.quantized<key_int8, scale = token : f16>>
!v = tensor<1x8x1024x128xf16, #sparseflow.quantized<value_int8, scale = token : f16>>
// 8 key heads times 4 splits of 8 warps.
// REMARK: [launch] sm90.attention.numbers_few starts early (PDL)
// REMARK: [schedule] sm90.attention.numbers_wave has no kernel: it is for other sizes than these
// REMARK: [schedule] sm80.attention.decode has no kernel: one in front of it takes every call that it would
// CHECK-NOT: gpu.func @few_0_{{[b-z]}}
// CHECK-LABEL: func.func @few
// CHECK: %[[BLOCKS:.*]] = arith.constant 32 : index
// CHECK: gpu.launch_func @kernels::@few_0_a blocks in (%[[BLOCKS]],
// CHECK-SAME: sparseflow.programmatic
// CHECK: gpu.launch_func @kernels::@few_0_a_merge
// CHECK-SAME: sparseflow.programmatic
func.func @few(%q: !q, %k: !k, %v: !v) -> !q {
  %o = sparseflow.attention %q, %k, %v : !q, !k, !v -> !q
  return %o : !q
}

// -----

!q = tensor<12x32x1x128xf16>
!k = tensor<12x8x8192x128xf16, #sparseflow.quantized<key_int4, scale = token : f16>>
!v = tensor<12x8x8192x128xf16, #sparseflow.quantized<value_int4, scale = token : f16>>
// 96 rows, which fill no whole wave, times 16 splits of a warp.
// REMARK-NOT: starts early
// CHECK-LABEL: func.func @long
// CHECK: %[[BLOCKS:.*]] = arith.constant 1536 : index
// CHECK: gpu.launch_func @kernels::@long_0_e blocks in (%[[BLOCKS]],
// CHECK-NOT: sparseflow.programmatic
// CHECK: return
func.func @long(%q: !q, %k: !k, %v: !v) -> !q {
  %o = sparseflow.attention %q, %k, %v : !q, !k, !v -> !q
  return %o : !q
}

// -----

!q = tensor<?x32x1x128xf16>
!k = tensor<?x8x?x128xf16, #sparseflow.quantized<key_e4m3, scale = token : f16>>
!v = tensor<?x8x?x128xf16, #sparseflow.quantized<value_e4m3, scale = token : f16>>
// REMARK: [launch] sm90.attention.numbers_few starts early (PDL) where there are up to 396 blocks
// CHECK-LABEL: func.func @dynamic
// CHECK: %[[MOST:.*]] = arith.constant 396 : i64
// CHECK: arith.cmpi ule, %{{.*}}, %[[MOST]] : i64
// CHECK: gpu.launch_func @kernels::@dynamic_0_a blocks
// CHECK-SAME: sparseflow.programmatic
// CHECK: gpu.launch_func @kernels::@dynamic_0_a_merge
// CHECK-SAME: sparseflow.programmatic
// CHECK: gpu.launch_func @kernels::@dynamic_0_a blocks
// CHECK-NOT: sparseflow.programmatic
// CHECK: gpu.launch_func @kernels::@dynamic_0_a_merge
// CHECK-NOT: sparseflow.programmatic
// CHECK: } else {
// CHECK: gpu.launch_func @kernels::@dynamic_0_any
func.func @dynamic(%q: !q, %k: !k, %v: !v) -> !q {
  %o = sparseflow.attention %q, %k, %v : !q, !k, !v -> !q
  return %o : !q
}
