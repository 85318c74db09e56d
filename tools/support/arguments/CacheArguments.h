//===- CacheArguments.h - Ternary caches for a run -------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_SUPPORT_ARGUMENTS_CACHEARGUMENTS_H
#define SPARSEFLOW_TOOLS_SUPPORT_ARGUMENTS_CACHEARGUMENTS_H

#include "arguments/Arguments.h"

#include <optional>

namespace sparseflow::tools {

/// Fills `argument` with a seeded cache of the format of `spec` (isCache) and
/// the sizes `shape` [B, G, S, D], the same on every machine: its bytes, and
/// its values in F32. About four in ten trits are zero; scales lie between 3/4
/// and 5/4. All S tokens are taken.
Status generateCache(const TensorSpec &spec, const std::vector<int64_t> &shape,
                     uint64_t stream, Argument &argument);

/// Packs values that are what the cache can hold, such as those that a file
/// gives: each scale times -1, 0 or 1. Fails, with the place, where they are
/// not.
Status packCacheValues(const TensorSpec &spec, Argument &argument);

/// Tokens [B, G, T, D] that follow `lengths`[B] others of a cache, with a table
/// in the pages that it names.
struct NewTokens {
  const std::vector<float> &values;
  const std::vector<int64_t> &shape, &lengths;
  rt::CacheMethod method;
  /// [B, columns]
  std::optional<std::vector<int64_t>> table = std::nullopt;
  int64_t columns = 0;
  /// The table's argumentText.
  std::string tableText = {};

  template <typename Scalar>
  void setTable(const std::vector<Scalar> &numbers, int64_t width,
                std::string text) {
    table.emplace(numbers.begin(), numbers.end());
    columns = width;
    tableText = std::move(text);
  }
};

/// Appends to a cache of `shape`. Fails as PageTable::places does.
Status appendTokens(const TensorSpec &spec, const std::vector<int64_t> &shape,
                    const NewTokens &tokens, uint8_t *pages);

/// The values of a cache from its pages: fills `values`, F32 of the sizes
/// `shape`. A scale that is no number, as a token with a NaN has, gives NaNs.
/// Fails, with the place, where bits are no trit.
Status readCachePages(const TensorSpec &spec, const std::vector<int64_t> &shape,
                      const uint8_t *pages, HostTensor &values);

/// A result from the bytes of the argument that it updates, which may be a
/// cache.
Status readUpdated(const TensorSpec &spec, const std::vector<int64_t> &shape,
                   const Buffer &stored, HostTensor &result);

} // namespace sparseflow::tools

#endif // SPARSEFLOW_TOOLS_SUPPORT_ARGUMENTS_CACHEARGUMENTS_H
