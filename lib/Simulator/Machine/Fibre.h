//===- Fibre.h - Stacks to run threads on, and switching them ---*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_SIMULATOR_MACHINE_FIBRE_H
#define SPARSEFLOW_LIB_SIMULATOR_MACHINE_FIBRE_H

#include <cstddef>
#include <cstdint>

/// Saves the callee-saved registers and the stack pointer (to `*save`) and goes
/// on where `to` was saved. About 5 ns.
extern "C" void sparseflow_sim_switch(void **save, void *to);

namespace mlir::sparseflow::sim {

/// Stacks for all threads of a block, each with a guard page below it. Memory
/// is committed as it is touched. Used by one OS thread.
class Stacks {
public:
  Stacks() = default;
  ~Stacks();
  Stacks(const Stacks &) = delete;
  Stacks &operator=(const Stacks &) = delete;

  /// Makes room for `count` stacks; false when the system has no memory.
  bool reserve(unsigned count);
  /// A stack pointer for stack `index` on which a switch calls `entry`, which
  /// must not return.
  void *prepare(unsigned index, void (*entry)());
  bool contains(unsigned index, uint64_t address) const;

private:
  static constexpr size_t stride = size_t(256) << 10;
  uint8_t *memory = nullptr;
  unsigned capacity = 0;
};

} // namespace mlir::sparseflow::sim

#endif // SPARSEFLOW_LIB_SIMULATOR_MACHINE_FIBRE_H
