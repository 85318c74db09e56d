//===- cache.h - Ternary keys and values of attention ---------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A cache holds the keys or the values of attention as trits with scales:
// [heads][tokens][features], where `heads` counts batch entries times heads.
// docs/formats/ternary-cache.md describes it byte by byte. It is made of pages
// of 64 tokens of one head, each with its planes and its scales.
//
// In memory before packing: trits are one signed byte each, [heads][tokens]
// [features]; scales are floats, [heads] for a head, [heads][tokens] for
// tokens, [heads][groups] for groups of features. Every function may run
// concurrently on different caches.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RT_TERNARY_CACHE_H
#define SPARSEFLOW_RT_TERNARY_CACHE_H

#include "common/status.h"
#include "sparseflow/weights.h"

#include <cstdint>
#include <string>

namespace sparseflow::rt {

/// Values of CacheFormat::scope that are no number of features.
inline constexpr int64_t kCacheHeadScale = -1, kCacheTokenScale = -2;
/// Tokens of a page.
inline constexpr int64_t kPageTokens = 64;

/// How new tokens become ternary where each has a scale of its own.
enum class CacheMethod { Absmean, Twn };

struct CacheFormat {
  /// ternv.v1; otherwise ternk.v1.
  bool values = false;
  int64_t features = 0;
  /// kCacheHeadScale, kCacheTokenScale, or the features of a group: 32, 64, 128
  /// or 256. The last group may be shorter.
  int64_t scope = kCacheHeadScale;
  /// F16, BF16 or F32.
  sf_dtype scaleType = SF_DTYPE_F32;

  bool operator==(const CacheFormat &other) const {
    return values == other.values && features == other.features &&
           scope == other.scope && scaleType == other.scaleType;
  }
  /// Checks every field.
  Status verify() const;
  /// "ternk.v1" or "ternv.v1".
  const char *layoutName() const { return values ? "ternv.v1" : "ternk.v1"; }

  int64_t featuresPadded() const { return (features + 63) / 64 * 64; }
  /// Bytes of the planes of a page, which its scales follow.
  int64_t planeBytes() const { return featuresPadded() * kPageTokens / 4; }
  /// Scales of a page: 1, 64, or the groups.
  int64_t pageScales() const;
  int64_t pageBytes() const;
  /// Scales of one head in a `scales` buffer, for `tokens`.
  int64_t scalesPerHead(int64_t tokens) const;
  /// The bytes of a cache; fails where they do not fit 62 bits or `tokens` is
  /// no multiple of 64.
  Expected<uint64_t> bytes(int64_t heads, int64_t tokens) const;

  /// Where the trit of a token of a page and a feature stands: the byte of the
  /// page, and the lower of its two bits.
  void locate(int64_t token, int64_t feature, int64_t &byte, int &bit) const;
};

/// Writes every byte of the cache. Refuses a trit outside {-1, 0, 1} and a
/// scale that is not finite, with its place; scales are rounded to their type.
Status packCache(const int8_t *trits, const float *scales,
                 const CacheFormat &format, int64_t heads, int64_t tokens,
                 const std::string &name, uint8_t *cache);

/// Which scales unpackCache takes: finite ones, or any, as an appended token
/// with a NaN has one.
enum class ScaleCheck { Finite, Any };

/// The inverse; refuses the bit pair 2, which is no trit, bits of features that
/// are padding, and scales that are not finite unless `check` takes them.
/// `trits` and `scales` may be null: then it only checks.
Status unpackCache(const uint8_t *cache, const CacheFormat &format,
                   int64_t heads, int64_t tokens, const std::string &name,
                   int8_t *trits, float *scales,
                   ScaleCheck check = ScaleCheck::Finite);

/// The values: result[heads][tokens][features] = scale * trit in f32.
void expandCache(const int8_t *trits, const float *scales,
                 const CacheFormat &format, int64_t heads, int64_t tokens,
                 float *result);

/// The trits of one vector by the rule of sparseflow.cache_append, whose bits
/// these are. `scales`: the head's, read where the scope is no token; a
/// token's scale is written there otherwise, rounded to its type.
void ternarizeToken(const float *vector, const CacheFormat &format,
                    CacheMethod method, int8_t *trits, float *scales);

/// Appends `count` vectors to each head, [heads][count][features], as tokens
/// from `first`[head] on; those outside 0 .. tokens - 1 are dropped. No other
/// bit changes.
void appendCache(uint8_t *cache, const CacheFormat &format, int64_t heads,
                 int64_t tokens, const float *vectors, int64_t count,
                 const int64_t *first, CacheMethod method);

} // namespace sparseflow::rt

#endif // SPARSEFLOW_RT_TERNARY_CACHE_H
