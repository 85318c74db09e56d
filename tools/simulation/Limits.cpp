//===- Limits.cpp - What a target's blocks may use ------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Limits.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::sparseflow;
using namespace mlir::sparseflow::simulation;

llvm::Error simulation::checkLimits(const BlockNeeds &needs,
                                    const TargetInfo &target) {
  if (needs.threads > target.maxThreadsPerBlock)
    return llvm::createStringError(
        llvm::formatv("kernel '{0}' is launched with {1} threads a block; {2} "
                      "has at most {3}: take fewer or larger warps in the "
                      "schedule",
                      needs.kernel, needs.threads, target.name,
                      target.maxThreadsPerBlock)
            .str());
  if (needs.sharedBytes > target.maxSharedBytes)
    return llvm::createStringError(
        llvm::formatv("kernel '{0}' is launched with {1} bytes of shared "
                      "memory a block; {2} has at most {3}: take fewer stages "
                      "or a smaller block in the schedule, or a target with "
                      "more",
                      needs.kernel, needs.sharedBytes, target.name,
                      target.maxSharedBytes)
            .str());
  int64_t perThread = llvm::alignTo(needs.registers, 8);
  int64_t lanes = llvm::alignTo(needs.threads, 32);
  if (perThread * lanes > target.registersPerBlock)
    return llvm::createStringError(
        llvm::formatv(
            "kernel '{0}' needs {1} registers a thread, for {2} threads a "
            "block {3} in all; {4} has {5}: state the number of threads in the "
            "kernel (nvvm.maxntid), so that ptxas keeps to {6} registers, or "
            "take smaller warp tiles in the schedule",
            needs.kernel, needs.registers, needs.threads, perThread * lanes,
            target.name, target.registersPerBlock,
            llvm::alignDown(target.registersPerBlock / lanes, 8))
            .str());
  return llvm::Error::success();
}
