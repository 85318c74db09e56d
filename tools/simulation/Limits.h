//===- Limits.h - What a target's blocks may use ----------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_SIMULATION_LIMITS_H
#define SPARSEFLOW_TOOLS_SIMULATION_LIMITS_H

#include "SparseFlow/Target/NVPTX/TargetInfo.h"

namespace mlir::sparseflow::simulation {

/// What one block of a launch asks for.
struct BlockNeeds {
  llvm::StringRef kernel;
  int64_t threads = 1;
  /// Dynamic shared memory in bytes.
  int64_t sharedBytes = 0;
  /// Of a thread, as ptxas counts them; 0: not known.
  int64_t registers = 0;
};

/// Success where a GPU of `target` would launch it; else what is too much, how
/// much there is, and what to do. Registers are given to whole warps, each
/// thread's rounded up to a multiple of 8.
llvm::Error checkLimits(const BlockNeeds &needs, const TargetInfo &target);

} // namespace mlir::sparseflow::simulation

#endif // SPARSEFLOW_TOOLS_SIMULATION_LIMITS_H
