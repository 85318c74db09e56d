//===- fused.cuh - The elementwise kernels of an unfused sequence ---------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a program without fusion launches after the matmul: reads y, writes y,
// 16 bytes a thread, at the rate of the memory.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_BENCH_GPU_PEERS_FUSED_CUH
#define SPARSEFLOW_BENCH_GPU_PEERS_FUSED_CUH

#include "data.cuh"

/// y[t][n] = epilogue(y, e) in place; n is a multiple of 8.
template <bool BF16>
__global__ void elementwise(uint16_t *y, const uint16_t *e, size_t count,
                            unsigned n, Epilogue kind) {
  size_t i = (blockIdx.x * size_t(blockDim.x) + threadIdx.x) * 8;
  if (i >= count)
    return;
  union Eight {
    uint4 bits;
    uint16_t values[8];
  } result, operand;
  result.bits = *reinterpret_cast<const uint4 *>(y + i);
  size_t from = kind == Epilogue::BiasGelu ? i % n : i;
  operand.bits = *reinterpret_cast<const uint4 *>(e + from);
  for (int j = 0; j < 8; ++j)
    result.values[j] =
        toBits(applyEpilogue(kind, fromBits(result.values[j], BF16),
                             fromBits(operand.values[j], BF16)),
               BF16);
  *reinterpret_cast<uint4 *>(y + i) = result.bits;
}

inline void runElementwise(const Problem &p, int s, cudaStream_t stream) {
  size_t count = size_t(p.t) * p.n;
  auto *y = static_cast<uint16_t *>(p.y[s]);
  auto *e = static_cast<const uint16_t *>(p.e[s]);
  unsigned blocks = unsigned((count / 8 + 255) / 256);
  if (p.bf16)
    elementwise<true>
        <<<blocks, 256, 0, stream>>>(y, e, count, unsigned(p.n), p.epilogue);
  else
    elementwise<false>
        <<<blocks, 256, 0, stream>>>(y, e, count, unsigned(p.n), p.epilogue);
  CK(cudaGetLastError());
}

#endif // SPARSEFLOW_BENCH_GPU_PEERS_FUSED_CUH
