//===- CacheArguments.cpp - Quantized caches for a run --------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "arguments/CacheArguments.h"

#include "arguments/Indices.h"
#include "arguments/Random.h"
#include "ternary/pack.h"

#include <algorithm>
#include <cmath>

using namespace sparseflow;
using namespace sparseflow::tools;
using rt::CacheFormat;

static Status pack(const TensorSpec &spec, const std::vector<int64_t> &shape,
                   const std::vector<int8_t> &trits,
                   const std::vector<float> &scales, Argument &argument) {
  const CacheFormat &format = *spec.cache;
  int64_t heads = shape[0] * shape[1], tokens = shape[2];
  Expected<uint64_t> bytes = format.bytes(heads, tokens);
  if (!bytes)
    return bytes.status();
  argument.packed = Buffer(static_cast<size_t>(*bytes));
  if (Status status = rt::packCache(trits.data(), scales.data(), format, heads,
                                    tokens, spec.name, argument.packed.data());
      !status)
    return status;
  argument.dense = HostTensor::allocate(DType::F32, shape);
  rt::expandCache(trits.data(), scales.data(), format, heads, tokens,
                  reinterpret_cast<float *>(argument.dense.data.data()));
  return Status::success();
}

Status sparseflow::tools::generateCache(const TensorSpec &spec,
                                        const std::vector<int64_t> &shape,
                                        uint64_t stream, Argument &argument) {
  const CacheFormat &format = *spec.cache;
  int64_t heads = shape[0] * shape[1], tokens = shape[2];
  std::vector<int8_t> trits(
      static_cast<size_t>(heads * tokens * format.features));
  for (size_t i = 0; i < trits.size(); ++i) {
    float value = normalAt(stream, i);
    if (format.isTernary()) {
      trits[i] = value > 0.5f ? 1 : value < -0.5f ? -1 : 0;
    } else {
      // All numbers, the one without an opposite, too.
      float limit = static_cast<float>(format.limit());
      if (format.isFloat) {
        trits[i] = static_cast<int8_t>(rt::e4m3Of(value * limit / 3));
        continue;
      }
      value = std::nearbyint(value * limit / 3);
      trits[i] = static_cast<int8_t>(std::clamp(value, -limit - 1, limit));
    }
  }
  std::vector<float> scales(
      static_cast<size_t>(heads * format.scalesPerHead(tokens)));
  // One scale of four is negative, as the format allows.
  for (size_t i = 0; i < scales.size(); ++i) {
    uint64_t bits = mixBits(~stream + i);
    float size = 0.75f + static_cast<float>(bits >> 40) * 0x1p-25f;
    if (!format.isTernary())
      size *= 3 / static_cast<float>(format.limit());
    scales[i] = bits % 4 == 0 ? -size : size;
  }
  rt::roundScales(scales.data(), static_cast<int64_t>(scales.size()),
                  format.scaleType);
  return pack(spec, shape, trits, scales, argument);
}

/// Values of numbers are rounded as an append rounds them.
static Status packNumbers(const TensorSpec &spec,
                          const std::vector<int64_t> &shape,
                          const std::vector<float> &values,
                          Argument &argument) {
  const CacheFormat &format = *spec.cache;
  int64_t heads = shape[0] * shape[1], tokens = shape[2];
  std::vector<float> scales(
      static_cast<size_t>(heads * format.scalesPerHead(tokens)));
  std::vector<int8_t> zeros(values.size());
  if (Status status = pack(spec, shape, zeros, scales, argument); !status)
    return status;
  std::vector<int64_t> first(static_cast<size_t>(heads));
  rt::appendCache(argument.packed.data(), format, heads, tokens, values.data(),
                  tokens, first.data(), rt::CacheMethod::Absmean);
  return readCachePages(spec, shape, argument.packed.data(), argument.dense);
}

Status sparseflow::tools::packCacheValues(const TensorSpec &spec,
                                          Argument &argument) {
  const CacheFormat &format = *spec.cache;
  const std::vector<int64_t> shape = argument.dense.shape;
  int64_t heads = shape[0] * shape[1], tokens = shape[2], d = format.features;
  std::vector<float> values(argument.dense.count());
  widen(argument.dense, values.data());
  if (!format.isTernary())
    return packNumbers(spec, shape, values, argument);
  std::vector<int8_t> trits(values.size());
  int64_t perHead = format.scalesPerHead(tokens);
  std::vector<float> scales(static_cast<size_t>(heads * perHead));
  for (size_t i = 0; i < values.size(); ++i) {
    int64_t feature = static_cast<int64_t>(i) % d;
    int64_t token = static_cast<int64_t>(i) / d % tokens;
    int64_t head = static_cast<int64_t>(i) / d / tokens;
    int64_t at = format.scope == rt::kCacheHeadScale ? 0
                 : format.scope == rt::kCacheTokenScale
                     ? token
                     : feature / format.scope;
    float &scale = scales[static_cast<size_t>(head * perHead + at)];
    float size = std::fabs(values[i]);
    if (size != 0 && scale == 0)
      scale = size;
    if (size != 0 && size != scale)
      return rt::invalidArgument(
          "expected values of one magnitude, or zero, where a scale is shared; "
          "found " +
          std::to_string(values[i]) + " beside " + std::to_string(scale) +
          " at head " + std::to_string(head) + ", token " +
          std::to_string(token) + ", feature " + std::to_string(feature) +
          "; a file holds the values of a ternary cache, not what it is made "
          "from");
    trits[i] = static_cast<int8_t>((values[i] > 0) - (values[i] < 0));
  }
  return pack(spec, shape, trits, scales, argument);
}

Status sparseflow::tools::readCachePages(const TensorSpec &spec,
                                         const std::vector<int64_t> &shape,
                                         const uint8_t *pages,
                                         HostTensor &values) {
  const CacheFormat &format = *spec.cache;
  int64_t heads = shape[0] * shape[1], tokens = shape[2];
  std::vector<int8_t> trits(values.count());
  std::vector<float> scales(
      static_cast<size_t>(heads * format.scalesPerHead(tokens)));
  if (Status status =
          rt::unpackCache(pages, format, heads, tokens, spec.name, trits.data(),
                          scales.data(), rt::ScaleCheck::Any);
      !status)
    return status;
  rt::expandCache(trits.data(), scales.data(), format, heads, tokens,
                  reinterpret_cast<float *>(values.data.data()));
  return Status::success();
}

Status sparseflow::tools::appendTokens(const TensorSpec &spec,
                                       const std::vector<int64_t> &shape,
                                       const NewTokens &tokens,
                                       uint8_t *pages) {
  const CacheFormat &format = *spec.cache;
  int64_t heads = shape[1], page = shape[2], count = tokens.shape[2];
  if (!tokens.table) {
    std::vector<int64_t> first(static_cast<size_t>(shape[0] * heads));
    for (size_t head = 0; head < first.size(); ++head)
      first[head] = tokens.lengths[head / static_cast<size_t>(heads)];
    rt::appendCache(pages, format, shape[0] * heads, page, tokens.values.data(),
                    count, first.data(), tokens.method);
    return Status::success();
  }
  int64_t bytes = page / rt::kPageTokens * format.pageBytes();
  const PageTable table{tokens.tableText, shape[0], page};
  auto places =
      table.places(tokens.lengths, count, *tokens.table, tokens.columns);
  if (!places)
    return places.status();
  for (const TokenPlace &place : *places)
    for (int64_t head = 0; head < heads; ++head) {
      int64_t row = (place.entry * heads + head) * count + place.token;
      rt::appendCache(pages + (place.page * heads + head) * bytes, format, 1,
                      page, &tokens.values[row * format.features], 1,
                      &place.row, tokens.method);
    }
  return Status::success();
}

Status sparseflow::tools::readUpdated(const TensorSpec &spec,
                                      const std::vector<int64_t> &shape,
                                      const Buffer &stored,
                                      HostTensor &result) {
  if (spec.isCache())
    return readCachePages(spec, shape, stored.data(), result);
  std::copy_n(stored.data(), stored.size(), result.data.data());
  return Status::success();
}
