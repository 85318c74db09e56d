//===- TuneCommand.h - Candidates for a GPU to measure ----------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_SPARSEFLOW_TUNECOMMAND_H
#define SPARSEFLOW_TOOLS_SPARSEFLOW_TUNECOMMAND_H

#include "Options.h"

namespace CLI {
class App;
} // namespace CLI

namespace mlir::sparseflow::driver {

struct TuneCommandOptions {
  /// The directory to write.
  std::string compileOnly;
  /// Whether candidates are spread for the cost model, not the best.
  bool calibrate = false;
  /// What was measured, in place of the above, and the calibration to write.
  std::string fit, from, output;
  /// Whether models of sizes that they were not fitted to are judged, too.
  bool leftOut = false;
  std::string target;
  /// Shapes, weights and types, joined by commas; no shapes: the space's own.
  std::string shapes, weights = "2:4", types = "f16";
  /// A file in place of the built-in space.
  std::string space;
  /// A table whose other rows serve small and unaligned calls, and stand behind
  /// the tuned ones; "": the built-in one.
  std::string scheduleFile;
  std::string ptxasPath;
  /// Candidates a shape.
  size_t candidates = 12;
};

void addTuneOptions(CLI::App &app, TuneCommandOptions &options);

/// Writes programs, bundles and tune.json into the directory, or the
/// calibration that fits what was measured. Returns an exit
/// code; candidates that the compiler refuses are recorded, not errors.
int runTuneCommand(const TuneCommandOptions &options);

} // namespace mlir::sparseflow::driver

#endif // SPARSEFLOW_TOOLS_SPARSEFLOW_TUNECOMMAND_H
