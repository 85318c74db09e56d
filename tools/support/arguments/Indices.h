//===- Indices.h - Numbers that pick an element -----------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Ids of a gather and pages of a table, as a checked run words what is wrong
// with them.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_SUPPORT_ARGUMENTS_INDICES_H
#define SPARSEFLOW_TOOLS_SUPPORT_ARGUMENTS_INDICES_H

#include "device/manifest/manifest.h"

namespace sparseflow::tools {

/// "argument 3 ('table')", or, of a value that is no argument, "a tensor that
/// the function computes".
std::string argumentText(const rt::Function &function, int value);

/// "[3, 17]".
std::string indexText(const std::vector<int64_t> &index);

/// That `what` is said of an index that is not below `size`: "argument 0
/// ('ids') holds 50257 at [3], expected 0 to 50256".
rt::Status indexOutside(const std::string &what, int64_t size);

/// Where a new token of a batch entry goes: a row of a page.
struct TokenPlace {
  int64_t entry, token, page, row;
};

/// A table [B, columns] of numbers of pages, of which there are `pages` of
/// `page` positions each; `table` is its argumentText.
struct PageTable {
  std::string table;
  int64_t pages = 0, page = 0;

  /// An error where `number`, the page of `position` of batch entry `entry`, is
  /// none of them.
  rt::Status check(int64_t number, int64_t position, int64_t entry) const;

  /// The places of `count` new tokens behind `lengths`[B] others, by the
  /// `numbers` of the table; tokens outside of it have none. An error where a
  /// number is no page, and where two tokens have one place.
  rt::Expected<std::vector<TokenPlace>>
  places(const std::vector<int64_t> &lengths, int64_t count,
         const std::vector<int64_t> &numbers, int64_t columns) const;
};

} // namespace sparseflow::tools

#endif // SPARSEFLOW_TOOLS_SUPPORT_ARGUMENTS_INDICES_H
