//===- Mbarrier.h - Barriers in shared memory -------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX leaves the 64 bits of an mbarrier opaque. Here they hold a number that
// says "initialised", so that a barrier that was never initialised, or was
// overwritten, is found out; what it counts is kept beside the memory.
//
// A bulk copy is an InFlight at the barrier that it signals until it lands. By
// default that is when no thread of the cluster can go on and one of them waits
// for the phase: the last moment the hardware has.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_SIMULATOR_MACHINE_MBARRIER_H
#define SPARSEFLOW_LIB_SIMULATOR_MACHINE_MBARRIER_H

#include "Simulator/Checks/Races.h"
#include "Simulator/Machine/Machine.h"

#include <deque>

namespace mlir::sparseflow::sim {

/// A copy into the shared memory of one CTA that has not landed.
struct InFlight {
  /// A tile of a tensor, or `bytes` in a row at `map.address`.
  TensorMap map;
  bool tile = false;
  int32_t coordinates[5] = {};
  /// Destination, and what arrives at the barrier.
  uint64_t to = 0;
  uint32_t bytes = 0;
  /// Of st.async: the value itself, at most 16 bytes.
  bool immediate = false;
  uint8_t value[16] = {};
  Thread *issuer = nullptr;
  uint32_t site = 0;
};

struct Mbarrier {
  /// In memory while the barrier is valid.
  static constexpr uint64_t initialized = 0x7ba221e2000000ff;
  static constexpr uint32_t maxCount = (1u << 20) - 1;

  uint32_t expected = 0, pending = 0;
  /// Bytes that are expected less those that arrived, in this phase.
  int64_t transactions = 0;
  uint32_t phase = 0;
  /// Where it was initialised.
  uint32_t site = 0;
  std::deque<InFlight> inFlight;
  std::vector<Thread *> waiting;
  /// A thread asked for it without waiting.
  bool polled = false;
  /// For the race detector: its agent, what those that arrived in this phase
  /// know, and what a complete phase tells those that wait.
  uint32_t agent = 0;
  Meeting gathering, complete;
};

} // namespace mlir::sparseflow::sim

#endif // SPARSEFLOW_LIB_SIMULATOR_MACHINE_MBARRIER_H
