//===- GuardedMemory.h - A tensor of a simulated device ---------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_SIMULATION_GUARDEDMEMORY_H
#define SPARSEFLOW_TOOLS_SIMULATION_GUARDEDMEMORY_H

#include <cstddef>
#include <cstdint>

namespace mlir::sparseflow::simulation {

/// Memory between two gaps that nothing may touch, each at least as large as
/// the memory (up to 1 GiB) and 1 MiB. So what a kernel does beyond the end of
/// a tensor never falls into the next one, where it would pass as an access to
/// that, and is nearer to the tensor that it missed than to any other. Owns the
/// mapping; moves, but does not copy.
class GuardedMemory {
public:
  /// Zeroed. `bytes` may be 0: the address is then one that nothing may touch.
  /// Throws std::bad_alloc.
  explicit GuardedMemory(size_t bytes);
  ~GuardedMemory();
  GuardedMemory(GuardedMemory &&other) noexcept;
  GuardedMemory &operator=(GuardedMemory &&) = delete;

  /// A multiple of 256, as a device gives it, and of no greater power of two.
  uint8_t *data() const { return begin; }

private:
  void *mapping = nullptr;
  size_t mapped = 0;
  uint8_t *begin = nullptr;
};

} // namespace mlir::sparseflow::simulation

#endif // SPARSEFLOW_TOOLS_SIMULATION_GUARDEDMEMORY_H
