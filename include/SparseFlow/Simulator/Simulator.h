//===- Simulator.h - Runs GPU kernels on this machine -----------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Executes LLVM IR that was made for NVPTX thread by thread on an x86-64 CPU.
// Every thread of a block is a fibre; every llvm.nvvm intrinsic is a call to a
// handler that was written from the PTX manual. It is a test instrument: it
// runs kernels as host code, so only trusted ones, and is linked neither into
// the runtime nor into programs that embed the compiler.
//
//   auto simulator = Simulator::create(*module, options);
//   (*simulator)->addBuffer({x.data(), x.size(), "x", false});
//   uint64_t pointer = ..., rows = 7;
//   auto report = (*simulator)->launch("ffn_0_a", {48}, {128}, 98304,
//                                      {&pointer, &rows});
//   if (report && !report->ok()) llvm::errs() << report->text();
//
// By default the machine is an adversary: shared memory holds NaNs before each
// block, an asynchronous copy leaves NaNs at its destination until the thread
// that issued it waits for it, and shared variables have the alignment they
// declare and no more.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_SIMULATOR_SIMULATOR_H
#define SPARSEFLOW_SIMULATOR_SIMULATOR_H

#include "SparseFlow/Simulator/Report.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <functional>
#include <memory>

namespace llvm {
class Module;
} // namespace llvm

namespace mlir::sparseflow::sim {

/// When an asynchronous copy writes its destination. A correct kernel gives the
/// same results either way.
enum class AsyncCopies : uint8_t {
  Late, ///< at the wait that makes it visible
  Early ///< at once
};

/// The byte that memory holds before anything is written to it: NaNs under even
/// seeds. Under odd ones numbers, 14.6 in f16 and 1.3e7 in bf16 and f32: a
/// kernel that computes again what is not finite would put right what it read
/// too early.
inline uint8_t poisonOf(uint64_t seed) { return seed % 2 ? 0x4b : 0xff; }

struct SimulatorOptions {
  /// Chooses the order in which warps and lanes run, and what memory holds that
  /// nothing has been written to (poisonOf). 0: in order of their numbers.
  uint64_t seed = 0;
  AsyncCopies asyncCopies = AsyncCopies::Late;
  /// Check bounds and alignment of every load and store.
  bool checkMemory = true;
  /// Report accesses to shared memory that no barrier orders. About 3 times
  /// slower.
  bool races = false;
  /// Count wavefronts of shared memory.
  bool wavefronts = false;
  /// Clusters run at once; 0: one a core.
  unsigned threads = 0;
  /// Shared memory a block may have, static and dynamic, in bytes.
  size_t sharedLimit = 227 * 1024;
  /// Asked before each block, on several threads; true ends the launch with an
  /// error. A kernel that never ends is not stopped by it.
  std::function<bool()> cancelled;
};

/// Memory that kernels may touch.
struct DeviceBuffer {
  const void *data = nullptr;
  size_t bytes = 0;
  /// For messages: "argument 0 'x'".
  std::string name;
  bool writable = true;
  /// Weights: nothing that runs just before writes them, so that a kernel may
  /// read them before it has waited for those (griddepcontrol.wait).
  bool constant = false;
};

class Simulator {
public:
  /// Takes a module for nvptx64, before or after optimisation; it is copied.
  static llvm::Expected<std::unique_ptr<Simulator>>
  create(const llvm::Module &module, const SimulatorOptions &options = {});
  ~Simulator();

  /// Options for later launches. `checkMemory`, `races` and `wavefronts` are
  /// part of the code of a kernel, which is compiled again when they change.
  void setOptions(const SimulatorOptions &options);

  /// Buffers must not overlap and must outlive the launches. An access beyond
  /// one that falls into another passes as an access to that: leave gaps
  /// between them that are larger than what a kernel may be wrong by.
  void addBuffer(DeviceBuffer buffer);
  void clearBuffers();

  /// Runs `kernel` to its end. `arguments` holds the address of each argument's
  /// value, as for cuLaunchKernel; that of a tensor map is a TensorMap.
  /// Clusters have the size that the kernel's attribute "nvvm.cluster_dim"
  /// states. The first launch of a kernel compiles it.
  ///
  /// Errors: a launch that a GPU would refuse (names, sizes), or an instruction
  /// without a handler, which the text names. What the kernel does wrong while
  /// it runs is in the report. Not thread-safe.
  llvm::Expected<LaunchReport> launch(llvm::StringRef kernel, Dim3 grid,
                                      Dim3 block, size_t sharedBytes,
                                      llvm::ArrayRef<const void *> arguments);

  /// The intrinsics that `kernel` uses, sorted, each with the number of calls
  /// in its text: what a test covers.
  llvm::Expected<std::vector<std::pair<std::string, unsigned>>>
  instructions(llvm::StringRef kernel);

private:
  Simulator();
  struct Impl;
  std::unique_ptr<Impl> impl;
};

/// Names of all intrinsics with a handler, and of all opcodes of inline
/// assembly as "asm:OPCODE", sorted. Loads and stores in assembly are not
/// listed.
std::vector<std::string> handledInstructions();

} // namespace mlir::sparseflow::sim

#endif // SPARSEFLOW_SIMULATOR_SIMULATOR_H
