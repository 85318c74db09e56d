//===- Indices.cpp - Numbers that pick an element -------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "arguments/Indices.h"

using namespace sparseflow;
using namespace sparseflow::tools;

std::string sparseflow::tools::argumentText(const rt::Function &function,
                                            int value) {
  auto index = static_cast<size_t>(value);
  if (value < 0 || index >= function.arguments.size())
    return "a tensor that the function computes";
  const std::string &name = function.arguments[index].name;
  return "argument " + std::to_string(index) +
         (name.empty() ? "" : " ('" + rt::printable(name) + "')");
}

std::string sparseflow::tools::indexText(const std::vector<int64_t> &index) {
  std::string text = "[";
  for (size_t i = 0; i < index.size(); ++i)
    text += (i ? ", " : "") + std::to_string(index[i]);
  return text + "]";
}

rt::Status sparseflow::tools::indexOutside(const std::string &what,
                                           int64_t size) {
  return rt::invalidArgument(
      what + (size > 0 ? ", expected 0 to " + std::to_string(size - 1)
                       : ", but what it indexes is empty"));
}

rt::Status PageTable::check(int64_t number, int64_t position,
                            int64_t entry) const {
  if (number >= 0 && number < pages)
    return rt::Status::success();
  return indexOutside(table + " holds " + std::to_string(number) + " at " +
                          indexText({entry, position / page}) +
                          ", the page of position " + std::to_string(position),
                      pages);
}
