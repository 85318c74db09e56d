//===- CacheCommand.h - sparseflow cache ------------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_COMMANDS_WEIGHTS_CACHECOMMAND_H
#define SPARSEFLOW_TOOLS_COMMANDS_WEIGHTS_CACHECOMMAND_H

#include <cstdint>
#include <string>
#include <vector>

namespace sparseflow::tools {

/// A model's attention, as the command line of cache says it.
struct CacheArguments {
  int64_t layers = 1, batch = 1, heads = 0, keyHeads = 0;
  /// Of keys; of values, 0 for as many.
  int64_t features = 128, valueFeatures = 0;
  int64_t queries = 1;
  /// Positions of a batch entry, a row of the report each.
  std::vector<int64_t> lengths = {1024, 8192, 32768, 131072};
  /// "head", "token", or a number of features.
  std::string scale = "token";
  std::string scaleType = "f32";
  /// A policy (ModePolicy.h), or empty: then no mode is chosen.
  std::string policy;
  bool json = false;
};

/// Prints the report and returns the exit code.
int runCache(const CacheArguments &arguments);

} // namespace sparseflow::tools

#endif // SPARSEFLOW_TOOLS_COMMANDS_WEIGHTS_CACHECOMMAND_H
