//===- TernaryReportFile.h - What pack tells about ternary ------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_COMMANDS_WEIGHTS_TERNARYREPORTFILE_H
#define SPARSEFLOW_TOOLS_COMMANDS_WEIGHTS_TERNARYREPORTFILE_H

#include "ternary/ternarize.h"

#include <optional>
#include <string>
#include <vector>

namespace sparseflow::tools {

/// One packed tensor. `error` is absent for tensors that were ternary before:
/// nothing was lost.
struct TernaryLine {
  std::string name, source, method;
  rt::TernaryFormat format;
  rt::TernaryReport report;
  bool imported = false, weighted = false;
};

/// The line that `sparseflow pack` prints.
std::string ternaryText(const TernaryLine &line);

/// The JSON report of all tensors (docs/cli.md).
std::string ternaryJson(const std::string &input,
                        const std::vector<TernaryLine> &lines);

} // namespace sparseflow::tools

#endif // SPARSEFLOW_TOOLS_COMMANDS_WEIGHTS_TERNARYREPORTFILE_H
