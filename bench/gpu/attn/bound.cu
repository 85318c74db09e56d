// What the hardware reaches of the bytes and of the FLOPs of an attention, and
// nothing else: a kernel that reads memory, and one of wgmma (sm_90a) whose
// operands stay in shared memory. Built and called by bound.py.
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cstdint>
#include <cuda_runtime.h>

namespace {

constexpr int kReaders = 512;
// 16-byte loads of a thread that are in flight at once.
constexpr int kLoads = 8;

__global__ void readAll(const uint4 *from, size_t count, uint4 *out) {
  uint4 sum = {0, 0, 0, 0};
  auto take = [&](uint4 value) {
    sum.x ^= value.x, sum.y ^= value.y, sum.z ^= value.z, sum.w ^= value.w;
  };
  size_t stride = size_t(gridDim.x) * blockDim.x;
  size_t at = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
#pragma unroll 1
  for (; at + (kLoads - 1) * stride < count; at += kLoads * stride) {
    uint4 loaded[kLoads];
#pragma unroll
    for (int i = 0; i < kLoads; ++i)
      loaded[i] = __ldcs(from + at + i * stride);
#pragma unroll
    for (int i = 0; i < kLoads; ++i)
      take(loaded[i]);
  }
  for (; at < count; at += stride)
    take(__ldcs(from + at));
  // All bytes are needed, and nearly no thread writes.
  if ((sum.x ^ sum.y ^ sum.z ^ sum.w) == 0x9e3779b9)
    *out = sum;
}

// A warpgroup multiplies 64 rows by 256 columns, 16 deep in a step.
constexpr int kGroups = 2, kThreads = 128 * kGroups;
constexpr int kRows = 64, kColumns = 256, kStep = 16;
// Tiles of 64 features with rows of 128 bytes, swizzled: four steps each.
constexpr int kTileBytesA = kRows * 128, kTileBytesB = kColumns * 128;
constexpr int kShared = 1024 + kGroups * (kTileBytesA + kTileBytesB);

__device__ uint64_t descriptor(uint32_t address) {
  uint64_t eightRows = 1024 >> 4, swizzle128 = 1;
  return uint64_t((address & 0x3ffff) >> 4) | uint64_t(1) << 16 |
         eightRows << 32 | swizzle128 << 62;
}

// clang-format off
#define TEN(n) "%" #n "0, %" #n "1, %" #n "2, %" #n "3, %" #n "4, " \
               "%" #n "5, %" #n "6, %" #n "7, %" #n "8, %" #n "9, "
#define F4(i) "+f"(sum[i]), "+f"(sum[i + 1]), "+f"(sum[i + 2]), "+f"(sum[i + 3])
#define F16(i) F4(i), F4(i + 4), F4(i + 8), F4(i + 12)

__device__ __forceinline__ void multiply(float (&sum)[128], uint64_t a,
                                         uint64_t b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {"
      TEN() TEN(1) TEN(2) TEN(3) TEN(4) TEN(5) TEN(6) TEN(7) TEN(8) TEN(9)
      TEN(10) TEN(11) "%120, %121, %122, %123, %124, %125, %126, %127}, "
      "%128, %129, 1, 1, 1, 0, 0;"
      : F16(0), F16(16), F16(32), F16(48), F16(64), F16(80), F16(96), F16(112)
      : "l"(a), "l"(b));
}
// clang-format on

/// `steps` MMAs of each warpgroup on what lies in `from`, the same for all
/// blocks. out[block * groups + group] is a sum of theirs.
__global__ void __launch_bounds__(kThreads, 1)
    multiplyAll(const uint4 *from, int steps, float *out) {
  extern __shared__ uint8_t raw[];
  uint8_t *shared = reinterpret_cast<uint8_t *>(
      (reinterpret_cast<uintptr_t>(raw) + 1023) & ~uintptr_t(1023));
  for (int at = threadIdx.x; at < (kShared - 1024) / 16; at += kThreads)
    reinterpret_cast<uint4 *>(shared)[at] = from[at];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  int group = threadIdx.x / 128;
  uint32_t base = uint32_t(__cvta_generic_to_shared(shared)) +
                  group * (kTileBytesA + kTileBytesB);
  uint64_t a = descriptor(base), b = descriptor(base + kTileBytesA);
  float sum[128];
#pragma unroll
  for (int i = 0; i < 128; ++i)
    sum[i] = 0;
  // As many steps as a stage of 128 keys has are in flight.
  constexpr int kBatch = 8;
#pragma unroll 1
  for (int step = 0; step < steps;) {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    if (step + kBatch <= steps) {
#pragma unroll
      for (int i = 0; i < kBatch; ++i)
        multiply(sum, a + 2 * (i % 4), b + 2 * (i % 4));
      asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
      step += kBatch;
    } else {
      multiply(sum, a, b);
      asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
      step += 1;
    }
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  }
  float all = 0;
#pragma unroll
  for (int i = 0; i < 128; ++i)
    all += sum[i];
  if (threadIdx.x % 128 == 0)
    out[blockIdx.x * kGroups + group] = all;
}

} // namespace

/// Reads `bytes` (a multiple of 16) from device memory with `blocks` blocks.
extern "C" int readBytes(const void *from, size_t bytes, void *out, int blocks,
                         cudaStream_t stream) {
  readAll<<<blocks, kReaders, 0, stream>>>(
      static_cast<const uint4 *>(from), bytes / 16, static_cast<uint4 *>(out));
  return cudaGetLastError();
}

/// Steps that a warpgroup of multiplyFlops takes.
extern "C" int stepsOf(double flops, int blocks) {
  double each = 2.0 * kRows * kColumns * kStep * kGroups * blocks;
  return int((flops + each - 1) / each);
}

/// MMAs of `flops` FLOPs or a little more, dealt out to `blocks` blocks;
/// `from`: 81,920 bytes of f16; out: f32 [2 * blocks], each the sum of 128
/// elements of a product.
extern "C" int multiplyFlops(const void *from, double flops, void *out,
                             int blocks, cudaStream_t stream) {
  cudaFuncSetAttribute(multiplyAll, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       kShared);
  multiplyAll<<<blocks, kThreads, kShared, stream>>>(
      static_cast<const uint4 *>(from), stepsOf(flops, blocks),
      static_cast<float *>(out));
  return cudaGetLastError();
}
