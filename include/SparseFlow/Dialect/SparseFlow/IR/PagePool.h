//===- PagePool.h - Pages of keys and values of one allocation --*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Servers keep keys and values, of several layers too, in one allocation:
// [P, 2, page, G, D] or [P, layers, 2, page, G, D]. What an attention reads of
// it is a slice, whose pages have a pitch: kernels read it where it is.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_DIALECT_SPARSEFLOW_IR_PAGEPOOL_H
#define SPARSEFLOW_DIALECT_SPARSEFLOW_IR_PAGEPOOL_H

#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"

namespace mlir::sparseflow {

struct PagePool {
  Value pool;
  /// From a page to the next, and before the first one: in pages.
  int64_t pitch, first;
};

/// The pool that `pages` is a slice of, if it is one page of each of its
/// entries: whole pages, all entries, at known places between these. Reasons
/// why it is none are in `reason`, empty where it is no slice of a pool at all.
std::optional<PagePool> getPagePool(Value pages, std::string &reason);

/// True for such a slice of an argument that only attentions read, as keys or
/// values in pages.
bool isReadInPool(Operation *op);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_DIALECT_SPARSEFLOW_IR_PAGEPOOL_H
