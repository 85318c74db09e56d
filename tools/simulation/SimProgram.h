//===- SimProgram.h - A compiled program on the simulator -------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_SIMULATION_SIMPROGRAM_H
#define SPARSEFLOW_TOOLS_SIMULATION_SIMPROGRAM_H

#include "SimRunner.h"
#include "SparseFlow/Compiler/Compiler.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

namespace mlir::sparseflow::simulation {

struct SimProgramOptions {
  /// The function; "" for the only one.
  std::string entry;
  /// The kernels as they are before LLVM's optimisation (needs
  /// CompileOptions::keepLLVMIR).
  bool unoptimized = false;
  /// A file with LLVM IR in place of the compiled kernels, or "".
  std::string kernelsFile;
};

/// One function of a program that was compiled for one target (to a manifest,
/// or to a bundle when its registers are to be known), with its kernels on a
/// simulator. Kernels are compiled for this CPU at their first launch and kept:
/// any number of runs, of any sizes, share them.
class SimProgram {
public:
  /// `compiled` is not needed afterwards. Errors: SF_ERROR_FORMAT and
  /// SF_ERROR_INVALID_ARGUMENT for input at fault, SF_ERROR_INTERNAL for a CPU
  /// that cannot simulate.
  static ::sparseflow::rt::Expected<std::unique_ptr<SimProgram>>
  create(const CompileResult &compiled, const SimProgramOptions &options);

  const ::sparseflow::tools::Function &function() const {
    return manifest.manifest.functions[index];
  }
  /// Null for programs that have none.
  const ::sparseflow::tools::Reference *reference() const {
    const auto &held = manifest.references[index];
    return held ? &*held : nullptr;
  }
  const llvm::Module &kernels() const { return *module; }
  SimRunner &runner() { return *launches; }

private:
  SimProgram() = default;

  ::sparseflow::tools::BundleManifest manifest;
  size_t index = 0;
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  std::unique_ptr<sim::Simulator> simulator;
  std::unique_ptr<SimRunner> launches;
};

} // namespace mlir::sparseflow::simulation

#endif // SPARSEFLOW_TOOLS_SIMULATION_SIMPROGRAM_H
