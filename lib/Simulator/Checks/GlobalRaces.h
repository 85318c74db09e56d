//===- GlobalRaces.h - Races between CTAs in global memory ------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_SIMULATOR_CHECKS_GLOBALRACES_H
#define SPARSEFLOW_LIB_SIMULATOR_CHECKS_GLOBALRACES_H

#include "Simulator/Machine/Memory.h"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>

namespace mlir::sparseflow::sim {

/// Remembers for every byte of the buffers of a launch which cluster wrote it
/// and which one, or that several, read it. An access conflicts with one of
/// another cluster when one of them writes, not both are atomic, and no chain
/// of atomic operations orders them: an atomic operation is taken to acquire
/// and release, so that a counter may hand data from CTA to CTA.
///
/// Used by all OS threads of a launch at once. What two of them do in the same
/// moment may be missed; what is ordered is never reported. Accesses of the
/// CTAs of one cluster are not compared.
class GlobalRaces {
public:
  /// The earlier access of a conflict.
  struct Earlier {
    bool writes = false;
    /// 0: one of several.
    uint64_t cluster = 0;
    uint32_t site = 0;
  };

  explicit GlobalRaces(const BufferTable &buffers);
  ~GlobalRaces();

  /// Notes an access by `cluster`, counted from 1. True when it conflicts.
  bool access(uint64_t address, uint64_t bytes, AccessKind kind,
              uint64_t cluster, uint32_t site, Earlier &earlier);

private:
  /// cluster << 40 | epoch << 24 | atomic << 23 | site; 0: none.
  struct Shadow {
    std::atomic<uint64_t> write, read;
  };
  struct Range {
    uint64_t begin, end;
    Shadow *shadows;
  };
  using Known = std::map<uint64_t, uint32_t>; // cluster to epoch
  static constexpr uint64_t severalReaders = ~uint64_t(0);

  void synchronise(uint64_t address, uint64_t cluster);
  bool ordered(uint64_t entry, uint64_t cluster);

  std::vector<Range> ranges;
  std::mutex mutex; ///< of what follows
  std::map<uint64_t, Known> places;
  struct Party {
    std::atomic<uint32_t> epoch{1};
    Known known;
    std::vector<uint64_t> touched;
  };
  Party &party(uint64_t cluster);
  std::map<uint64_t, std::unique_ptr<Party>> parties;
};

} // namespace mlir::sparseflow::sim

#endif // SPARSEFLOW_LIB_SIMULATOR_CHECKS_GLOBALRACES_H
