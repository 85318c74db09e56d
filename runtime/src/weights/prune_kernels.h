//===- prune_kernels.h - The inner loop of pruning --------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled for the baseline, and for AVX2 where the processor family has it;
// chosen once at run time. A test compares both.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RT_WEIGHTS_PRUNE_KERNELS_H
#define SPARSEFLOW_RT_WEIGHTS_PRUNE_KERNELS_H

#include <cstdint>

namespace sparseflow::rt {

/// Non-zero elements before and after pruning.
struct PruneCounts {
  int64_t nonZeros = 0, kept = 0;
};

/// Reads `groups` groups of 4 elements, keeps the two largest magnitudes of
/// each (ties: the lower column), writes +0.0 for the others and for -0.0.
/// `result` may be `source`; otherwise they must not overlap.
using PruneKernel = PruneCounts (*)(const uint16_t *source, uint16_t *result,
                                    int64_t groups);

PruneCounts portablePruneGroups(const uint16_t *source, uint16_t *result,
                                int64_t groups);

/// The fastest loop that this processor can run.
PruneKernel pruneKernel();

} // namespace sparseflow::rt

#endif // SPARSEFLOW_RT_WEIGHTS_PRUNE_KERNELS_H
