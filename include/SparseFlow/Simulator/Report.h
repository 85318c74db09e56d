//===- Report.h - What a simulated launch found -----------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_SIMULATOR_REPORT_H
#define SPARSEFLOW_SIMULATOR_REPORT_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace mlir::sparseflow::sim {

struct Dim3 {
  uint32_t x = 1, y = 1, z = 1;
  uint64_t count() const { return uint64_t(x) * y * z; }
};

enum class FindingKind : uint8_t {
  OutOfBounds, ///< an address that no buffer and no shared memory holds
  Misaligned,  ///< an address that is no multiple of what the access declares
  ReadOnly,    ///< a store to a buffer that was registered for reading
  Race,        ///< two accesses to a byte of shared memory, nothing between
  AsyncRace,   ///< a byte touched while something asynchronous uses it
  Deadlock,    ///< no thread of a block can go on
  BadOperand,  ///< an instruction whose operands its description forbids
  MissingFence ///< memory that the asynchronous proxy uses without a fence
};
/// "out of bounds", ...
const char *findingName(FindingKind kind);

struct Finding {
  FindingKind kind = FindingKind::BadOperand;
  std::string kernel;
  Dim3 block, thread;
  /// The address concerned, 0 where there is none.
  uint64_t address = 0;
  /// The instruction at fault, as the LLVM IR has it, with its source location
  /// where the IR has one.
  std::string instruction;
  /// What was expected and what was found.
  std::string message;

  /// All of it, in lines for a person.
  std::string text() const;
};

/// Accesses of warps to shared memory by one instruction. A wavefront serves 32
/// banks of 4 bytes once; without bank conflicts `wavefronts` is `ideal`.
struct SharedTraffic {
  std::string instruction;
  uint64_t accesses = 0, wavefronts = 0, ideal = 0;
};

struct LaunchReport {
  /// In the order of blocks. Empty means that nothing is wrong.
  std::vector<Finding> findings;
  /// By instruction, in the order of the kernel's text; filled when
  /// SimulatorOptions::wavefronts is set.
  std::vector<SharedTraffic> traffic;
  /// Bytes that boxes of tensor maps bring into shared memory, and how many of
  /// them are no elements of their tensor: an H200 fills a row of 128 such
  /// bytes in about 8 cycles. Counted when SimulatorOptions::wavefronts is set.
  uint64_t boxBytes = 0, paddingBytes = 0;
  uint64_t blocks = 0;
  /// Switches between threads.
  uint64_t switches = 0;

  bool ok() const { return findings.empty(); }
  uint64_t wavefronts() const;
  uint64_t idealWavefronts() const;
  /// The findings, and the traffic where it was counted.
  std::string text() const;
};

} // namespace mlir::sparseflow::sim

#endif // SPARSEFLOW_SIMULATOR_REPORT_H
