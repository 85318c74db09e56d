//===- Memory.h - What a kernel may touch -----------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_SIMULATOR_MACHINE_MEMORY_H
#define SPARSEFLOW_LIB_SIMULATOR_MACHINE_MEMORY_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace mlir::sparseflow::sim {

enum class AccessKind : uint8_t { Read, Write, Atomic };

/// A range of addresses, from `begin` up to `end`.
struct SharedRange {
  uint64_t begin = 0, end = 0;
  bool contains(uint64_t address, uint64_t bytes) const {
    return address >= begin && bytes <= end - begin && address <= end - bytes;
  }
};

/// Where a kernel's shared variables lie in the window.
struct SharedLayout {
  struct Variable {
    std::string name;
    uint64_t offset = 0, bytes = 0;
  };
  std::vector<Variable> variables;
  /// Dynamic shared memory starts here.
  uint64_t dynamicOffset = 0;
  /// Bytes of the variables without the gaps between them.
  uint64_t staticBytes = 0;
};

/// Shared memory of the blocks of a cluster that one OS thread runs: addresses
/// below 4 GiB, so that 32-bit shared addresses and generic ones convert by
/// plain arithmetic.
class SharedWindow {
public:
  /// From one CTA's shared memory to the next one's: what the 14 bits of an
  /// address in a matrix descriptor can tell apart.
  static constexpr uint64_t stride = uint64_t(256) << 10;
  static constexpr uint64_t maxBlocks = 16;
  static constexpr uint64_t bytes = stride * maxBlocks;

  SharedWindow() = default;
  ~SharedWindow();
  SharedWindow(const SharedWindow &) = delete;
  SharedWindow &operator=(const SharedWindow &) = delete;

  /// Maps a free window; false when there is none.
  bool map();
  uint64_t base() const { return address; }
  bool contains(uint64_t where) const { return where - address < bytes; }

private:
  uint64_t address = 0;
};

/// The buffers that were registered, by address.
class BufferTable {
public:
  struct Entry {
    uint64_t begin = 0, end = 0;
    std::string name;
    bool writable = true, constant = false;
  };

  void add(Entry entry);
  void clear() { entries.clear(); }
  const std::vector<Entry> &all() const { return entries; }
  /// The buffer with the greatest address not above `address`, or null.
  const Entry *below(uint64_t address) const;
  const Entry *above(uint64_t address) const;

private:
  std::vector<Entry> entries;
};

} // namespace mlir::sparseflow::sim

#endif // SPARSEFLOW_LIB_SIMULATOR_MACHINE_MEMORY_H
