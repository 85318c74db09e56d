//===- cache_api.cpp - C ABI of ternary caches ----------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sparseflow/cache.h"

#include "ternary/attention_mode.h"

#include <algorithm>
#include <cstring>

using namespace sparseflow::rt;

/// The format, where the cache has exactly `bytes`.
static Expected<CacheFormat> readCache(const sf_cache_format *format,
                                       int64_t heads, int64_t tokens,
                                       const void *cache, uint64_t bytes) {
  Expected<CacheFormat> given = readCacheFormat(format);
  if (!given)
    return given;
  Expected<uint64_t> needed = given->bytes(heads, tokens);
  if (!needed)
    return needed.status();
  if (bytes != *needed)
    return invalidArgument("cache: expected " + std::to_string(*needed) +
                           " bytes, found " + std::to_string(bytes));
  if (!cache && bytes)
    return invalidArgument("cache is null");
  return given;
}

extern "C" sf_status sf_cache_size(const sf_cache_format *format, int64_t heads,
                                   int64_t tokens, uint64_t *bytes,
                                   uint64_t *pageBytes, uint64_t *scaleCount) {
  return guard([&]() -> Status {
    Expected<CacheFormat> given = readCacheFormat(format);
    if (!given)
      return given.status();
    Expected<uint64_t> size = given->bytes(heads, tokens);
    if (!size)
      return size.status();
    if (bytes)
      *bytes = *size;
    if (pageBytes)
      *pageBytes = static_cast<uint64_t>(given->pageBytes());
    if (scaleCount)
      *scaleCount = static_cast<uint64_t>(heads * given->scalesPerHead(tokens));
    return Status::success();
  });
}

extern "C" sf_status sf_cache_pack(const int8_t *trits, const float *scales,
                                   const sf_cache_format *format, int64_t heads,
                                   int64_t tokens, const char *name,
                                   void *cache, uint64_t bytes) {
  return guard([&]() -> Status {
    Expected<CacheFormat> given =
        readCache(format, heads, tokens, cache, bytes);
    if (!given)
      return given.status();
    if (bytes && (!trits || !scales))
      return invalidArgument("trits or scales is null");
    return packCache(trits, scales, *given, heads, tokens, name ? name : "",
                     static_cast<uint8_t *>(cache));
  });
}

extern "C" sf_status sf_cache_unpack(const void *cache, uint64_t bytes,
                                     const sf_cache_format *format,
                                     int64_t heads, int64_t tokens,
                                     const char *name, int8_t *trits,
                                     float *scales) {
  return guard([&]() -> Status {
    Expected<CacheFormat> given =
        readCache(format, heads, tokens, cache, bytes);
    if (!given)
      return given.status();
    return unpackCache(static_cast<const uint8_t *>(cache), *given, heads,
                       tokens, name ? name : "", trits, scales,
                       ScaleCheck::Any);
  });
}

extern "C" sf_status
sf_cache_append(void *cache, uint64_t bytes, const sf_cache_format *format,
                int64_t heads, int64_t tokens, const float *vectors,
                int64_t count, const int64_t *first, sf_ternary_method method) {
  return guard([&]() -> Status {
    Expected<CacheFormat> given =
        readCache(format, heads, tokens, cache, bytes);
    if (!given)
      return given.status();
    if (method != SF_TERNARY_ABSMEAN && method != SF_TERNARY_TWN)
      return invalidArgument("expected the method absmean or twn, found " +
                             std::to_string(int(method)));
    if (count < 0)
      return invalidArgument("expected 0 or more tokens, found " +
                             std::to_string(count));
    if (count == 0 || heads == 0)
      return Status::success();
    if (!vectors || !first)
      return invalidArgument("vectors or first is null");
    for (int64_t head = 0; head < heads; ++head)
      if (first[head] < 0 || count > tokens || first[head] > tokens - count)
        return invalidArgument(
            "head " + std::to_string(head) + ": " + std::to_string(count) +
            " tokens from position " + std::to_string(first[head]) +
            " on have no place in a cache with room for " +
            std::to_string(tokens) + "; make a larger cache, or append less");
    appendCache(static_cast<uint8_t *>(cache), *given, heads, tokens, vectors,
                count, first,
                method == SF_TERNARY_TWN ? CacheMethod::Twn
                                         : CacheMethod::Absmean);
    return Status::success();
  });
}

extern "C" sf_status sf_attention_choose_mode(const sf_attention_case *call,
                                              sf_attention_mode *mode,
                                              sf_mode_estimate *estimates,
                                              char *json, size_t jsonBytes) {
  return guard([&]() -> Status {
    if (!call || !mode)
      return invalidArgument(!call ? "call is null" : "mode is null");
    if (Status status = checkCase(*call); !status)
      return status;
    Expected<ModeDecision> decision = decideMode(*call);
    if (!decision)
      return decision.status();
    if (estimates)
      std::copy_n(decision->estimates, int(SF_ATTENTION_MODES), estimates);
    if (json && jsonBytes) {
      std::string text = decision->json();
      size_t kept = std::min(text.size(), jsonBytes - 1);
      std::memcpy(json, text.data(), kept);
      json[kept] = 0;
    }
    if (!decision->mode)
      return decision->refusal();
    *mode = *decision->mode;
    return Status::success();
  });
}
