//===- Resources.cpp - What kernels compete for on an SM ------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Target/NVPTX/Resources.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace mlir::sparseflow;

// What the driver keeps of each block, which is also what an SM has beyond the
// most that one block may have.
static constexpr int64_t kReservedSharedBytes = 1024;
// setmaxnreg takes multiples of 8; ptxas wants the rest of 255 for itself.
static constexpr int64_t kRegisterUnit = 8, kMostConsumerRegisters = 240;
static constexpr int64_t kWarpgroupThreads = 128;

SMLimits SMLimits::of(const TargetInfo &target) {
  SMLimits limits;
  limits.sharedBytesPerBlock = target.maxSharedBytes;
  limits.registers = target.registersPerBlock;
  limits.registersPerThread = target.registersPerThread;
  return limits;
}

SMLimits SMLimits::ofComputeCapability(unsigned capability) {
  SMLimits least = ofLargest();
  for (const TargetInfo &target : knownTargets())
    if (target.sm == capability &&
        target.maxSharedBytes < least.sharedBytesPerBlock)
      least = of(target);
  return least;
}

SMLimits SMLimits::ofLargest() {
  return of(*llvm::max_element(knownTargets(),
                               [](const TargetInfo &a, const TargetInfo &b) {
                                 return a.maxSharedBytes < b.maxSharedBytes;
                               }));
}

int64_t SMLimits::registersAtLaunch(int64_t threads) const {
  return std::min(registers / threads, registersPerThread) / kRegisterUnit *
         kRegisterUnit;
}

int64_t SMLimits::consumerRegisters(int64_t warpgroups,
                                    int64_t producerRegisters,
                                    int64_t blocks) const {
  int64_t threads = blocks * warpgroups * kWarpgroupThreads;
  int64_t pool = registersAtLaunch(threads) * warpgroups;
  int64_t each = (pool - producerRegisters) / (warpgroups - 1) / kRegisterUnit *
                 kRegisterUnit;
  return std::min(each, kMostConsumerRegisters);
}

int64_t SMLimits::sharedBytesOfEach(int64_t blocks) const {
  return (sharedBytesPerBlock + kReservedSharedBytes) / blocks -
         kReservedSharedBytes;
}

int64_t SMLimits::residentBlocks(int64_t sharedBytes, int64_t blockThreads,
                                 int64_t threadRegisters) const {
  int64_t byMemory = (sharedBytesPerBlock + kReservedSharedBytes) /
                     (sharedBytes + kReservedSharedBytes);
  int64_t byRegisters = registers / blockThreads / threadRegisters;
  return std::max<int64_t>(
      1, std::min({byMemory, byRegisters, threads / blockThreads}));
}
