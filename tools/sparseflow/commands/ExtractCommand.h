//===- ExtractCommand.h - Weights out of a program --------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_SPARSEFLOW_EXTRACTCOMMAND_H
#define SPARSEFLOW_TOOLS_SPARSEFLOW_EXTRACTCOMMAND_H

#include <string>

namespace CLI {
class App;
} // namespace CLI

namespace mlir::sparseflow::driver {

struct ExtractCommandOptions {
  std::string input;
  /// The program without constants; "" is the standard output.
  std::string output;
  /// The safetensors file to write.
  std::string weights;
};

void addExtractOptions(CLI::App &app, ExtractCommandOptions &options);

/// Writes the weights first, then the program. Returns an exit code.
int runExtractCommand(const ExtractCommandOptions &options);

} // namespace mlir::sparseflow::driver

#endif // SPARSEFLOW_TOOLS_SPARSEFLOW_EXTRACTCOMMAND_H
