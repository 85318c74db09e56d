//===- PageTables.h - Random page tables that appends may use ---*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// sparseflow.cache_append asks that no two new tokens have one place. So a page
// that is written belongs to one entry of the table alone; others may be
// shared, as the pages of a common prefix are.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_SUPPORT_ARGUMENTS_PAGETABLES_H
#define SPARSEFLOW_TOOLS_SUPPORT_ARGUMENTS_PAGETABLES_H

#include "arguments/Tensor.h"

namespace sparseflow::tools {

/// What an append writes through a page table [B, C]: `tokens` positions of
/// each batch entry, in `count` pages of `size` keys.
struct PagedWrites {
  /// The value that is the cache.
  int cache = 0;
  int64_t count = 0, size = 0, tokens = 0;
  /// The positions in front of the tokens, I32 [B]; null where they are not
  /// known, so that they may be any.
  const HostTensor *lengths = nullptr;
};

/// Which entries of a table of `shape` the appends `writes` write through,
/// row-major.
std::vector<bool> writtenEntries(const std::vector<int64_t> &shape,
                                 const std::vector<PagedWrites> &writes);

/// Rounds lengths down to where a page of `size` keys begins: then tokens lie
/// in as few pages as they can.
void beginPages(HostTensor &lengths, int64_t size);

/// Fills a table, I32 [B, C], with numbers from 0 to `pages` - 1. Entries that
/// are `written`, at most `pages`, have a page each. The others share those
/// that are left, or where none is, those of their batch entry.
void fillPageTable(HostTensor &table, uint64_t stream, int64_t pages,
                   const std::vector<bool> &written);

} // namespace sparseflow::tools

#endif // SPARSEFLOW_TOOLS_SUPPORT_ARGUMENTS_PAGETABLES_H
