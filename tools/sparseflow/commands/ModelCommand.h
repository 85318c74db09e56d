//===- ModelCommand.h - Models, by the Python package -----------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_SPARSEFLOW_MODELCOMMAND_H
#define SPARSEFLOW_TOOLS_SPARSEFLOW_MODELCOMMAND_H

#include <string>
#include <vector>

namespace CLI {
class App;
} // namespace CLI

namespace mlir::sparseflow::driver {

void addModelOptions(CLI::App &app);

/// Starts `python3 -m sparseflow.model` with `arguments`. `program` is the path
/// of this command, which the package then uses. Returns an exit code.
int runModelCommand(const std::vector<std::string> &arguments,
                    const std::string &program);

} // namespace mlir::sparseflow::driver

#endif // SPARSEFLOW_TOOLS_SPARSEFLOW_MODELCOMMAND_H
