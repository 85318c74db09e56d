//===- Indices.cpp - Numbers that pick an element -------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "arguments/Indices.h"

#include <algorithm>

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

rt::Expected<std::vector<TokenPlace>>
PageTable::places(const std::vector<int64_t> &lengths, int64_t count,
                  const std::vector<int64_t> &numbers, int64_t columns) const {
  std::vector<TokenPlace> places;
  std::vector<bool> taken(static_cast<size_t>(pages * page));
  for (size_t b = 0; b < lengths.size(); ++b)
    for (int64_t t = 0; t < count; ++t) {
      auto entry = static_cast<int64_t>(b);
      int64_t position = lengths[b] + t;
      if (position < 0 || position >= columns * page)
        continue;
      int64_t number = numbers[entry * columns + position / page];
      if (rt::Status status = check(number, position, entry); !status)
        return status;
      TokenPlace place{entry, t, number, position % page};
      if (taken[number * page + place.row]) {
        auto other = std::find_if(
            places.begin(), places.end(), [&](const TokenPlace &o) {
              return o.page == number && o.row == place.row;
            });
        return rt::invalidArgument(
            table + " gives token " + std::to_string(t) + " of batch entry " +
            std::to_string(entry) + " row " + std::to_string(place.row) +
            " of page " + std::to_string(number) + ", where token " +
            std::to_string(other->token) + " of batch entry " +
            std::to_string(other->entry) +
            " is, expected a place for each; share pages that are only read");
      }
      taken[number * page + place.row] = true;
      places.push_back(place);
    }
  return places;
}
