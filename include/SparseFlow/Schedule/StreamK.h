//===- StreamK.h - When a last wave is divided along K ----------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What kernels with stream-K decide of a last wave of tiles, for the cost
// model: lib/Kernels/Matmul/StreamK builds the same of values.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_SCHEDULE_STREAMK_H
#define SPARSEFLOW_SCHEDULE_STREAMK_H

#include <algorithm>
#include <cstdint>

namespace mlir::sparseflow {

struct StreamKRule {
  /// Stages that are not divided: those of a turn of the mainloop.
  static constexpr int64_t kStages = 2;
  /// Most parts of a tile along K, but for one that two shares cut.
  static constexpr int64_t kParts = 8;
  /// Columns whose MMAs take as long as writing and reading the sums of a part
  /// by one of the blocks that do at the same time: f32 at 3 TB/s by 132 SMs.
  static constexpr int64_t kColumns = 6;

  /// Blocks or clusters of the grid, columns of K and pairs of stages of it.
  int64_t blocks, k, pairs;

  /// Whether `tiles` take less time divided than each by a block.
  bool divides(int64_t tiles) const {
    return tiles && k * (blocks - tiles) > kColumns * blocks * (blocks + tiles);
  }
  /// Blocks that share them. So many to each tile that no share cuts one are
  /// better than all, if the sums of fewer parts save more than the others
  /// would.
  int64_t sharersOf(int64_t tiles) const {
    int64_t each = std::min({blocks / tiles, kParts, pairs});
    int64_t idle = blocks - each * tiles;
    bool whole = each == std::min(kParts, pairs) ||
                 k * idle <= kColumns * each * blocks * (idle + tiles);
    return whole ? each * tiles : blocks;
  }
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_SCHEDULE_STREAMK_H
