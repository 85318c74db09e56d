//===- Resources.h - What kernels compete for on an SM ----------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared memory, registers and blocks of an SM, counted in one place: for the
// pass that assigns them (sftile-assign-resources), for generators that ask
// what is left, and for the tuner's model.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TARGET_NVPTX_RESOURCES_H
#define SPARSEFLOW_TARGET_NVPTX_RESOURCES_H

#include "SparseFlow/Target/NVPTX/TargetInfo.h"

namespace mlir::sparseflow {

/// What one SM has for the blocks that it holds. Bytes, 32-bit registers,
/// threads.
struct SMLimits {
  int64_t sharedBytesPerBlock = 0;
  int64_t registers = 0;
  int64_t registersPerThread = 0;
  int64_t threads = 2048;

  /// Of a target.
  static SMLimits of(const TargetInfo &target);
  /// Of the targets of a compute capability (major * 10 + minor): what all of
  /// them have. Of an unknown one what the largest target has.
  static SMLimits ofComputeCapability(unsigned capability);
  /// Of the target with the most shared memory. Sizes that a kernel is
  /// generated with do not depend on the target of a compile where it gets
  /// fewer: they are those of the largest.
  static SMLimits ofLargest();

  /// Registers of each thread when a block of `threads` starts that has the SM
  /// for itself: ptxas gives them out by eights.
  int64_t registersAtLaunch(int64_t threads) const;

  /// Registers that setmaxnreg may give to each consumer thread of a block of
  /// `warpgroups`, one of which are producers of `producerRegisters` each, with
  /// `blocks` of them on the SM.
  int64_t consumerRegisters(int64_t warpgroups, int64_t producerRegisters,
                            int64_t blocks = 1) const;

  /// Bytes of shared memory that each of `blocks` blocks of the SM may have.
  int64_t sharedBytesOfEach(int64_t blocks) const;

  /// Blocks that the SM holds at once, at least 1: of so many bytes of shared
  /// memory, threads, and registers of a thread.
  int64_t residentBlocks(int64_t sharedBytes, int64_t blockThreads,
                         int64_t threadRegisters) const;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_TARGET_NVPTX_RESOURCES_H
