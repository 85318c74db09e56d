//===- CompressParts.h - Tensors that are finished --------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `compress --resume FOLDER` keeps each tensor that it finished in a file of
// its own, so that a run that was stopped, or found the disk full, goes on
// where it was. A part is found again by all that it depends on: the weights,
// their moments and targets, and their rule.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_COMMANDS_WEIGHTS_COMPRESSPARTS_H
#define SPARSEFLOW_TOOLS_COMMANDS_WEIGHTS_COMPRESSPARTS_H

#include "common/status.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sparseflow::tools {

class CompressParts {
public:
  /// Creates the folder where it is missing.
  static rt::Expected<CompressParts> open(const std::string &folder);

  /// What a part depends on, as the name of its file.
  static std::string key(const std::string &name,
                         const std::vector<uint8_t> &data,
                         const std::vector<const std::vector<float> *> &numbers,
                         const std::string &rule);
  /// Replaces `data` by the part's, of the same size, and gives its text;
  /// false where there is none, or a damaged one.
  bool find(const std::string &key, std::vector<uint8_t> &data,
            std::string &text) const;
  rt::Status save(const std::string &key, const std::vector<uint8_t> &data,
                  const std::string &text);
  /// Removes the parts that were found or saved, and the folder if it is empty.
  void remove();

private:
  std::string path(const std::string &key) const {
    return folder + "/" + key + ".part";
  }

  std::string folder;
  mutable std::vector<std::string> used;
};

} // namespace sparseflow::tools

#endif // SPARSEFLOW_TOOLS_COMMANDS_WEIGHTS_COMPRESSPARTS_H
