//===- SimRunner.h - Carries out a bundle's launches ------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_SIMULATION_SIMRUNNER_H
#define SPARSEFLOW_TOOLS_SIMULATION_SIMRUNNER_H

#include "SparseFlow/Simulator/Simulator.h"
#include "SparseFlow/Simulator/TensorMap.h"
#include "SparseFlow/Target/NVPTX/TargetInfo.h"

#include "GuardedMemory.h"
#include "arguments/Arguments.h"

#include "llvm/ADT/StringMap.h"

#include <set>

namespace mlir::sparseflow::simulation {

/// How one run is simulated.
struct SimOptions {
  bool races = false;
  bool wavefronts = false;
  bool earlyCopies = false;
  /// Tensors have the alignment of their element and no more.
  bool unaligned = false;
  /// Of an independent step, which of the variants that take the call runs,
  /// from 1; the last of them where there are fewer.
  unsigned variant = 1;
  uint64_t schedule = 0;
  /// Blocks at once, 0: one a core.
  unsigned threads = 0;
  /// Asked now and then; true ends the run with an error.
  std::function<bool()> cancelled;
  /// Called before each launch with the kernel's name, and after it with "".
  std::function<void(const std::string &kernel)> launching;
};

/// Carries out the launch list of one function on a simulator. All references
/// must outlive it. Not thread-safe.
class SimRunner {
public:
  /// `registers` holds the registers of a thread by kernel, where known.
  SimRunner(sim::Simulator &simulator, const ::sparseflow::rt::Function &,
            const ::sparseflow::rt::Program &program, const TargetInfo &target,
            llvm::StringMap<int64_t> registers = {});

  /// Runs once. An error with findings() set is the kernels' fault, and one
  /// without is a launch that a GPU would refuse.
  ::sparseflow::rt::Status
  run(const ::sparseflow::tools::ArgumentSet &set,
      std::vector<::sparseflow::tools::HostTensor> &results,
      const SimOptions &options);

  /// What the latest run found wrong with the kernels; "" for nothing.
  const std::string &findings() const { return found; }
  /// Shared memory traffic of the latest run, with SimOptions::wavefronts.
  const std::string &traffic() const { return counted; }
  /// Of all runs.
  uint64_t blocksRun() const { return blocks; }
  /// Names of the kernels launched so far.
  const std::set<std::string> &kernelsRun() const { return kernels; }

private:
  template <typename T>
  using Expected = ::sparseflow::rt::Expected<T>;
  using Status = ::sparseflow::rt::Status;

  uint8_t *place(const ::sparseflow::rt::TensorSpec &spec, const uint8_t *data,
                 size_t bytes, const std::string &name, bool writable);
  Expected<uint64_t>
  value(const ::sparseflow::rt::KernelArgument &argument) const;
  Expected<sim::TensorMap>
  encode(const ::sparseflow::rt::TensorMapSpec &spec) const;
  Expected<bool> holds(const ::sparseflow::rt::Guard &guard) const;
  Expected<bool> allHold(const ::sparseflow::rt::Variant &variant) const;
  /// In brackets, which comparison of sizes the last variant asks for; "" if
  /// none is missing.
  std::string whyNotLast(const ::sparseflow::rt::Step &step) const;
  Status launch(const ::sparseflow::rt::KernelLaunch &launch);
  Status launchSteps();

  sim::Simulator &simulator;
  const ::sparseflow::rt::Function &function;
  const ::sparseflow::rt::Program &program;
  const TargetInfo &target;
  llvm::StringMap<int64_t> registers;
  SimOptions options;
  const int64_t *symbols = nullptr;
  /// Of what has no dense form, or needs none, 0.
  std::vector<uint64_t> arguments, results, denseForms;
  /// The memory of both.
  std::vector<GuardedMemory> memories;
  uint64_t workspace = 0, blocks = 0;
  std::set<std::string> kernels;
  std::string found, counted;
};

} // namespace mlir::sparseflow::simulation

#endif // SPARSEFLOW_TOOLS_SIMULATION_SIMRUNNER_H
