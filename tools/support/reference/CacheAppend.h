//===- CacheAppend.h - New tokens in a cache --------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_SUPPORT_REFERENCE_CACHEAPPEND_H
#define SPARSEFLOW_TOOLS_SUPPORT_REFERENCE_CACHEAPPEND_H

#include "arguments/CacheArguments.h"
#include "arguments/Indices.h"
#include "reference/Reference.h"
#include "run/Manifest.h"

#include <algorithm>

namespace sparseflow::tools {

/// Copies token t of entry b to position lengths[b] + t of the pages that
/// `table` names for it; what lies outside of the table is dropped. Shapes are
/// those that ReferenceShapes checked. Fails as PageTable::places does for the
/// table, `tableText`.
template <typename Scalar>
Status
appendToPages(const AppendStep &step, const ReferenceResult<Scalar> &tokens,
              const ReferenceResult<Scalar> &lengths,
              const ReferenceResult<Scalar> &table,
              const std::string &tableText, ReferenceResult<Scalar> &cache) {
  int64_t page = cache.shape[step.positionDim()];
  const PageTable named{tableText, cache.shape[0], page};
  int64_t heads = cache.shape[step.headDim()], width = cache.shape[3];
  int64_t count = tokens.shape[step.positionDim()];
  int64_t columns = table.shape[1];
  auto offset = [&](int64_t entry, int64_t size, int64_t at, int64_t head) {
    int64_t row = step.bshd ? (entry * size + at) * heads + head
                            : (entry * heads + head) * size + at;
    return row * width;
  };
  auto places = named.places({lengths.data.begin(), lengths.data.end()}, count,
                             {table.data.begin(), table.data.end()}, columns);
  if (!places)
    return places.status();
  for (const TokenPlace &place : *places)
    for (int64_t head = 0; head < heads; ++head)
      std::copy_n(&tokens.data[offset(place.entry, count, place.token, head)],
                  width,
                  &cache.data[offset(place.page, page, place.row, head)]);
  return Status::success();
}

/// The values `out` of the quantized cache `pages` with new tokens, which the
/// kernels read as `stored`. On the pages themselves: they have the scales,
/// which values may not show. The host's append is the definition, so both
/// references are equal. `table`, `tableText`, is null without one.
template <typename Scalar>
Status appendQuantized(const AppendStep &step, const TensorSpec &spec,
                       const Buffer *pages, DType stored,
                       const ReferenceResult<Scalar> &tokens,
                       const ReferenceResult<Scalar> &lengths,
                       const ReferenceResult<Scalar> *table,
                       const std::string &tableText,
                       ReferenceResult<Scalar> &out) {
  Expected<uint64_t> bytes = rt::storageBytes(spec, out.shape.data());
  if (!bytes)
    return bytes.status();
  std::vector<uint8_t> grown;
  if (pages)
    grown.assign(pages->data(), pages->data() + pages->size());
  // A cache may have no pages.
  if (grown.size() != *bytes)
    return rt::invalidArgument("argument " + std::to_string(step.cache) +
                               ": expected the pages of a cache");
  std::vector<float> rounded(tokens.data.begin(), tokens.data.end());
  roundTo(stored, rounded.data(), rounded.size());
  std::vector<int64_t> first(lengths.data.begin(), lengths.data.end());
  NewTokens added{rounded, tokens.shape, first, step.method};
  if (table)
    added.setTable(table->data, table->shape[1], tableText);
  if (Status status = appendTokens(spec, out.shape, added, grown.data());
      !status)
    return status;
  HostTensor result = HostTensor::allocate(DType::F32, out.shape);
  if (Status status = readCachePages(spec, out.shape, grown.data(), result);
      !status)
    return status;
  out.data.resize(result.count());
  widen(result, out.data.data());
  return Status::success();
}

} // namespace sparseflow::tools

#endif // SPARSEFLOW_TOOLS_SUPPORT_REFERENCE_CACHEAPPEND_H
