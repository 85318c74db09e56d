//===- Races.h - Accesses that no barrier orders ----------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_SIMULATOR_RACES_H
#define SPARSEFLOW_LIB_SIMULATOR_RACES_H

#include "Memory.h"

namespace mlir::sparseflow::sim {

/// How often the threads of a block, and of each warp, have met at a barrier.
struct Clock {
  uint32_t block = 1;
  uint32_t warps[32] = {};
};

/// The earlier access of a conflict.
struct Conflict {
  bool earlierWrites = false;
  /// An asynchronous copy that is still under way.
  bool pending = false;
  uint32_t thread = 0, site = 0;
};

/// Remembers, for every byte of shared memory, the last write and the last
/// reads by two different warps. Two accesses, one of them a write, are ordered
/// when the same thread makes both, when all threads of the block met at a
/// barrier in between, or when both are by one warp whose lanes met in between
/// (bar.warp.sync). Shuffles and matrix instructions order nothing. Of several
/// lanes of one warp that read a byte only the last is known.
class RaceDetector {
public:
  /// Forgets everything; `bytes` of the window are in use from now on.
  void reset(uint64_t bytes);

  /// Notes an access by `thread` to `bytes` from `offset` in the window. True
  /// when it conflicts with an earlier one, and `conflict` says which.
  bool access(uint64_t offset, uint32_t bytes, AccessKind kind, uint32_t thread,
              uint32_t site, const Clock &clock, Conflict &conflict);
  /// From now until endCopy an asynchronous copy may write these bytes at any
  /// moment.
  void beginCopy(uint64_t offset, uint32_t bytes, uint32_t thread,
                 uint32_t site);
  void endCopy(uint64_t offset, uint32_t bytes);

private:
  struct Access {
    uint32_t site = 0, blockTime = 0, warpTime = 0;
    uint16_t thread = 0;
    bool atomic = false;
  };
  struct Shadow {
    Access write, read, otherRead;
    uint32_t copySite = 0;
    uint16_t copyThread = 0;
    bool copying = false;
  };
  static bool ordered(const Access &earlier, uint32_t thread,
                      const Clock &clock);

  std::vector<Shadow> shadows;
};

} // namespace mlir::sparseflow::sim

#endif // SPARSEFLOW_LIB_SIMULATOR_RACES_H
