// RUN: sparseflow-opt %s --verify-roundtrip | FileCheck %s

#accumulator = #sftile.layout<registers = [[0, 1], [8, 0]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>

// CHECK: #[[ACC:.*]] = #sftile.layout<registers = {{\[}}[0, 1], [8, 0]], lanes = {{\[}}[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
// A layout without register bits: one word for each lane.
// CHECK: #[[WORDS:.*]] = #sftile.layout<registers = [], lanes = {{\[}}[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]]>

// CHECK-LABEL: func.func private @layouts() attributes
// CHECK-SAME: a = #[[ACC]], b = #[[WORDS]]
func.func private @layouts() attributes {
  a = #accumulator,
  b = #sftile.layout<registers = [], lanes = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]]>
}

// CHECK-LABEL: func.func private @schedule() attributes
// CHECK-SAME: a = #sftile.schedule<"sm90.large", block = [128, 128], warp = [64, 64], group = 8, pipeline = #sftile.multistage<k = 64, stages = 4>>
// CHECK-SAME: b = #sftile.schedule<"sm90a.large", block = [128, 256], warp = [16, 256], group = 8, pipeline = #sftile.warp_specialized<k = 64, stages = 5, cluster = 2, grid = 132, store_tokens = 32, store_buffers = 2>>
func.func private @schedule() attributes { a =
    #sftile.schedule<"sm90.large", block = [128, 128], warp = [64, 64], group = 8, pipeline = #sftile.multistage<k = 64, stages = 4>>, b =
    #sftile.schedule<"sm90a.large", block = [128, 256], warp = [16, 256], group = 8, pipeline = #sftile.warp_specialized<k = 64, stages = 5, cluster = 2, grid = 132, store_tokens = 32, store_buffers = 2>>
}

// CHECK-LABEL: func.func private @atoms() attributes
// CHECK-SAME: a = #sftile.mma_sync<16, f16>
// CHECK-SAME: b = #sftile.mma_sync<16, bf16>
// CHECK-SAME: c = #sftile.mma_sp_sync<32, f16>
// CHECK-SAME: d = #sftile.mma_sp_sync<16, bf16>
// CHECK-SAME: e = #sftile.cp_async<16>
// CHECK-SAME: f = #sftile.cp_async<4>
// CHECK-SAME: g = #sftile.ld_st<2>
// CHECK-SAME: h = #sftile.ldmatrix
// CHECK-SAME: i = #sftile.stmatrix
// CHECK-SAME: j = #sftile.bulk
// CHECK-SAME: k = #sftile.tma
func.func private @atoms() attributes {
  a = #sftile.mma_sync<16, f16>, b = #sftile.mma_sync<16, bf16>,
  c = #sftile.mma_sp_sync<32, f16>, d = #sftile.mma_sp_sync<16, bf16>,
  e = #sftile.cp_async<16>, f = #sftile.cp_async<4>, g = #sftile.ld_st<2>,
  h = #sftile.ldmatrix, i = #sftile.stmatrix,
  j = #sftile.bulk, k = #sftile.tma
}
