//===- Wgmma.h - MMAs of a warpgroup ----------------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// wgmma.mma_async only starts an MMA. By default it is computed when a warp
// of its warpgroup waits for its group: then shared memory is read. Until that
// wait the accumulators are in flight: LLVM's values for them are NaNs that say
// which accumulator they stand for. A later MMA takes them as its input,
// and a wait that has them as tied operands gives the sums in their place. Code
// that uses them without such a wait gets the NaNs.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_SIMULATOR_WGMMA_WGMMA_H
#define SPARSEFLOW_LIB_SIMULATOR_WGMMA_WGMMA_H

#include "Simulator/Machine/Machine.h"

#include <deque>

namespace mlir::sparseflow::sim {

/// A 64 x n matrix of sums that MMAs add to.
struct Accumulators {
  uint32_t n = 0;
  /// Of the NaNs that stand for it: that of the latest MMA.
  uint32_t version = 0;
  /// The latest MMA's number.
  uint64_t last = 0;
  /// Elements that threads have taken out after a wait.
  uint32_t taken = 0;
  /// Numbers, or the bits of integers.
  std::vector<float> sums;
};

/// The parts of one wgmma.mma_async that are the same in all threads.
struct WgmmaForm {
  uint16_t n = 0;
  /// Of the whole operands: 16, or 32 of bytes; twice that in sparse MMAs.
  uint16_t k = 0;
  bool sparse = false, bfloat = false, aInRegisters = false;
  /// A of bytes, with a sign or without, B of signed ones, and sums of 32-bit
  /// integers.
  bool bytes = false, signedA = false;
  bool transposeA = false, transposeB = false;
  bool negateA = false, negateB = false;
  /// Start from zero.
  bool clear = false;
  uint8_t selector = 0;
  uint64_t aDescriptor = 0, bDescriptor = 0;
};

struct WarpgroupMma {
  WgmmaForm form;
  Accumulators *accumulators = nullptr;
  uint32_t site = 0;
  /// The warpgroup's number in its block.
  uint32_t group = 0;
  /// By thread of the warpgroup.
  uint32_t metadata[128];
  uint16_t a[128][8];
};

struct Warpgroup {
  uint32_t arrived = 0, site = 0;
  const Handler *handler = nullptr;
  /// MMAs started and computed; `pending` are those between.
  uint64_t issued = 0, computed = 0;
  std::deque<std::unique_ptr<WarpgroupMma>> pending;
  std::vector<std::unique_ptr<Accumulators>> accumulators;
  /// Of each warp: MMAs issued before each of its committed groups ended,
  /// and before the latest one it waited for.
  std::vector<uint64_t> groupEnds[4];
  uint64_t waited[4] = {};
  /// With the race detector, of MMAs that take registers: when each thread
  /// issued them. What it read before is in those registers.
  struct Issue {
    uint64_t mma;
    uint32_t times[128];
  };
  std::deque<Issue> issues;

  void reset();
};

/// The sum that `bits` stands for, when it is an accumulator of the thread's
/// warpgroup that a wait of its warp has completed; otherwise `bits`.
uint64_t takeAccumulator(Thread &thread, uint32_t bits);

/// d[64][n] += a[64][stored] * b[k][stride], with columns[row][i] the row of b
/// that a[row][i] meets, or null where it is i. Sums in order of i, each with
/// one rounding.
void multiplyPanels(float *d, const float *a, const uint8_t *columns,
                    const float *b, unsigned n, unsigned stored,
                    unsigned stride);
/// 8 elements of 16 bits each.
void widenEight(bool bfloat, const void *from, float *to);

} // namespace mlir::sparseflow::sim

#endif // SPARSEFLOW_LIB_SIMULATOR_WGMMA_WGMMA_H
