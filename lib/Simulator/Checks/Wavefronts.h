//===- Wavefronts.h - Bank conflicts of shared memory -----------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_SIMULATOR_CHECKS_WAVEFRONTS_H
#define SPARSEFLOW_LIB_SIMULATOR_CHECKS_WAVEFRONTS_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace mlir::sparseflow::sim {

/// Counts how often shared memory has to be asked to serve the accesses of
/// warps. It has 32 banks of 4 bytes; a wavefront takes one word from each.
/// Accesses of 4 bytes a lane are served 32 lanes at a time, of 8 bytes 16, of
/// 16 bytes 8; lanes that read one word share it.
///
/// Lanes run one after another, so an access of a warp is put together from
/// theirs: between two meetings of the warp, the i-th execution of an
/// instruction by each lane.
class WavefrontCounter {
public:
  /// Warps are numbered through all CTAs of a cluster.
  static constexpr unsigned maxWarps = 16 * 32;

  struct Count {
    uint64_t accesses = 0, wavefronts = 0, ideal = 0;
  };

  void reset(size_t sites) { counts.assign(sites, Count()); }
  /// One lane's part of an access.
  void lane(uint32_t warp, uint32_t lane, uint64_t address, uint32_t bytes,
            uint32_t site);
  /// The lanes of `warp` have met: their accesses are complete.
  void flush(uint32_t warp);
  /// One 8x8 matrix of 16-bit elements: 8 rows of 16 bytes.
  void matrix(const uint64_t *rows, uint32_t site);

  const std::vector<Count> &get() const { return counts; }

private:
  struct Access {
    uint32_t lanes = 0, bytes = 0;
    uint64_t addresses[32];
  };
  void phase(const uint64_t *addresses, uint32_t lanes, unsigned count,
             uint32_t bytes, Count &total);

  std::map<uint32_t, std::vector<Access>> open[maxWarps];
  std::vector<Count> counts;
};

} // namespace mlir::sparseflow::sim

#endif // SPARSEFLOW_LIB_SIMULATOR_CHECKS_WAVEFRONTS_H
