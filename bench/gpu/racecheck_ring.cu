//===- racecheck_ring.cu - The smallest ring that racecheck is asked about ===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One thread copies into a ring in shared memory by cp.async.bulk, a warpgroup
// reads it, and every stage is filled four times. Each stage has a barrier in
// memory that counts the bytes which arrive, and one on which readers say that
// they have read. The variants differ in nothing but who says so:
//
//   0  every thread that read
//   1  one thread of each warp, behind __syncwarp
//   2  one thread of the warpgroup, behind bar.sync of the warpgroup
//   3  one thread of the warpgroup, behind the wait for a wgmma.sp that takes
//      what was read as its metadata
//   4  every thread, BEFORE it reads: a race, which a checker must report
//   5 - 8   as 0 - 3, in clusters of two blocks that copy halves for each other
//   9 - 11  as 0 - 2, and readers execute fence.proxy.async after they have
//   read
//
// `racecheck_ring VARIANT` also compares what was read. What compute-sanitizer
// says of each variant stands in docs/benchmarks.md. To build:
//   nvcc -std=c++17 -lineinfo -gencode arch=compute_90a,code=sm_90a -o ring
//        racecheck_ring.cu
//
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {

constexpr int kStages = 3, kSteps = 12, kWords = 1024, kReaders = 128;
// Places of two of four columns, as metadata has them.
constexpr uint32_t kPairs[] = {4, 8, 12, 9, 13, 14};

enum Variant { EachReader, Warp, Group, Wgmma, Race };

__device__ uint32_t shared(const void *pointer) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}

__device__ void wait(uint32_t barrier, uint32_t parity) {
  asm volatile("{ .reg .pred p; W: mbarrier.try_wait.parity.shared::cta.b64 "
               "p, [%0], %1; @p bra D; bra W; D: }" ::"r"(barrier),
               "r"(parity)
               : "memory");
}

/// Arrives at the barrier of block `rank` of the cluster.
__device__ void arrive(uint32_t barrier, uint32_t rank) {
  asm volatile("{ .reg .b32 r; mapa.shared::cluster.u32 r, %0, %1; "
               "mbarrier.arrive.release.cluster.shared::cluster.b64 _, "
               "[r]; }" ::"r"(barrier),
               "r"(rank)
               : "memory");
}

__device__ uint32_t clusterRank() {
  uint32_t rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}

__device__ void clusterBarrier() {
  asm volatile(
      "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::
          : "memory");
}

/// Fills stage `to` with its words of `step`; blocks of a cluster copy a half
/// each, for both.
template <int Blocks>
__device__ void copy(uint32_t to, const uint32_t *step, uint32_t full) {
  asm volatile(
      "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(full),
      "r"(kWords * 4)
      : "memory");
  if (Blocks == 1) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
                 "bytes [%0], [%1], %2, [%3];" ::"r"(to),
                 "l"(step), "r"(kWords * 4), "r"(full)
                 : "memory");
    return;
  }
  uint32_t half = clusterRank() * kWords / 2;
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
      "bytes.multicast::cluster [%0], [%1], %2, [%3], %4;" ::"r"(to + half * 4),
      "l"(step + half), "r"(kWords * 2), "r"(full),
      "h"(static_cast<uint16_t>(3))
      : "memory");
}

/// A product of zeros under `metadata`, complete on return.
__device__ float multiply(uint32_t zeros, uint32_t metadata) {
  float d[4] = {};
  uint64_t matrix = ((zeros & 0x3ffff) >> 4) | 8ull << 16 | 16ull << 32;
  asm volatile("wgmma.fence.sync.aligned;\n"
               "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 "
               "{%0,%1,%2,%3}, %4, %4, %5, 0, 1, 1, 1, 0, 0;\n"
               "wgmma.commit_group.sync.aligned;\n"
               "wgmma.wait_group.sync.aligned 0;"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "l"(matrix), "r"(metadata)
               : "memory");
  return d[0] + d[1] + d[2] + d[3];
}

template <Variant V, int Blocks, bool Fence>
__device__ void ring(const uint32_t *in, uint32_t *out) {
  __shared__ alignas(1024) uint32_t stages[kStages][kWords];
  __shared__ alignas(1024) uint32_t zeros[512];
  __shared__ alignas(8) uint64_t full[kStages], empty[kStages];
  constexpr bool all = V == EachReader || V == Race;
  constexpr int arrivals = Blocks * (all ? kReaders : V == Warp ? 4 : 1);
  int thread = threadIdx.x;
  for (int i = thread; i < 512; i += blockDim.x)
    zeros[i] = 0;
  if (thread == 0) {
    for (int i = 0; i < kStages; ++i) {
      asm volatile(
          "mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared(&full[i])));
      asm volatile(
          "mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared(&empty[i])),
          "r"(arrivals));
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  clusterBarrier();

  if (thread == kReaders)
    for (int step = 0; step < kSteps; ++step) {
      int i = step % kStages;
      wait(shared(&empty[i]), step / kStages % 2 ^ 1);
      copy<Blocks>(shared(stages[i]), in + step * kWords, shared(&full[i]));
    }
  if (thread < kReaders) {
    uint32_t sum = 0;
    auto give = [&](int i) {
      int local = V == Warp ? thread % 32 : thread;
      if (!all && local < Blocks)
        arrive(shared(&empty[i]), local);
      for (int rank = 0; all && rank < Blocks; ++rank)
        arrive(shared(&empty[i]), rank);
    };
    for (int step = 0; step < kSteps; ++step) {
      int i = step % kStages;
      wait(shared(&full[i]), step / kStages % 2);
      if (V == Race)
        give(i);
      for (int w = thread; w < kWords; w += kReaders) {
        uint32_t word = *static_cast<volatile uint32_t *>(&stages[i][w]);
        if (V == Wgmma)
          sum += multiply(shared(zeros), word) != 0;
        sum += word;
      }
      if (Fence)
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
      if (V == Warp)
        __syncwarp();
      if (V == Group)
        asm volatile("bar.sync 1, 128;" ::: "memory");
      if (V != Race)
        give(i);
    }
    out[blockIdx.x * kReaders + thread] = sum;
  }
  clusterBarrier();
}

template <Variant V, bool Fence = false>
__global__ void __launch_bounds__(160)
    single(const uint32_t *in, uint32_t *out) {
  ring<V, 1, Fence>(in, out);
}

template <Variant V>
__global__ void __cluster_dims__(2) __launch_bounds__(160)
    pair(const uint32_t *in, uint32_t *out) {
  ring<V, 2, false>(in, out);
}

} // namespace

int main(int argc, char **argv) {
  using Kernel = void (*)(const uint32_t *, uint32_t *);
  const Kernel kernels[] = {single<EachReader>, single<Warp>,
                            single<Group>,      single<Wgmma>,
                            single<Race>,       pair<EachReader>,
                            pair<Warp>,         pair<Group>,
                            pair<Wgmma>,        single<EachReader, true>,
                            single<Warp, true>, single<Group, true>};
  int variant = argc == 2 ? std::atoi(argv[1]) : -1;
  if (variant < 0 || variant > 11) {
    std::fprintf(stderr, "usage: racecheck_ring VARIANT, from 0 to 11\n");
    return 2;
  }
  static uint32_t words[kSteps * kWords], expected[kReaders];
  static uint32_t found[2 * kReaders];
  for (int i = 0; i < kSteps * kWords; ++i) {
    for (int group = 0; group < 8; ++group)
      words[i] |= kPairs[(i * 2654435761u >> 2 * group) % 6] << 4 * group;
    expected[i % kReaders] += words[i];
  }
  uint32_t *in = nullptr, *out = nullptr;
  cudaMalloc(&in, sizeof words);
  cudaMalloc(&out, sizeof found);
  cudaMemcpy(in, words, sizeof words, cudaMemcpyHostToDevice);
  cudaMemset(out, 255, sizeof found);
  kernels[variant]<<<2, 160>>>(in, out);
  cudaError_t error = cudaDeviceSynchronize();
  cudaMemcpy(found, out, sizeof found, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < 2 * kReaders; ++i)
    wrong += found[i] != expected[i % kReaders];
  std::printf("variant %d: %s, %d of %d sums wrong\n", variant,
              cudaGetErrorString(error), wrong, 2 * kReaders);
  return error != cudaSuccess || (wrong && variant != Race);
}
