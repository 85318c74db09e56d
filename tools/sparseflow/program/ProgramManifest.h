//===- ProgramManifest.h - A program's functions as a manifest --*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a bundle's manifest says of functions (arguments, results, reference),
// made from a program that no bundle is written for.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_SPARSEFLOW_PROGRAMMANIFEST_H
#define SPARSEFLOW_TOOLS_SPARSEFLOW_PROGRAMMANIFEST_H

#include "Options.h"

#include "arguments/Arguments.h"

#include "mlir/IR/BuiltinOps.h"

#include <optional>

namespace mlir::sparseflow::driver {

/// Imports the program into the sparseflow dialect, as `run` and `compile` do,
/// and describes its functions. Errors are printed; returns an exit code.
int describeProgram(ModuleOp module, const BuildOptions &build,
                    std::optional<::sparseflow::tools::BundleManifest> &made);

/// Makes options.entry the function of the mode that options.modePolicy
/// chooses for the sizes of `request` (ModePolicy.h), prints why and keeps the
/// decision in options.modeRecord. `module` stays as it is.
int applyModePolicy(ModuleOp module, RunCommandOptions &options,
                    const ::sparseflow::tools::ArgumentRequest &request);

} // namespace mlir::sparseflow::driver

#endif // SPARSEFLOW_TOOLS_SPARSEFLOW_PROGRAMMANIFEST_H
