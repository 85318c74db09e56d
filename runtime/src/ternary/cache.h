//===- cache.h - Quantized keys and values of attention -------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A cache holds the keys or the values of attention as trits, or as numbers of
// 4 or 8 bits, with scales: [heads][tokens][features], where `heads` counts
// batch entries times heads. docs/formats/ternary-cache.md and
// quantized-cache.md describe it byte by byte. It is made of pages of 64 tokens
// of one head, each with its planes or numbers and its scales.
//
// In memory before packing: trits and numbers, or the bits of floats, are one
// signed byte each, [heads][tokens][features]; scales are floats, [heads] for a
// head, [heads][tokens] for tokens, [heads][groups] for groups of features,
// [heads][tokens][groups] for groups of a token's. Every function may run
// concurrently on different caches.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RT_TERNARY_CACHE_H
#define SPARSEFLOW_RT_TERNARY_CACHE_H

#include "common/status.h"
#include "sparseflow/weights.h"

#include <cstdint>
#include <optional>
#include <string>

namespace sparseflow::rt {

/// Values of CacheFormat::scope that are no number of features.
inline constexpr int64_t kCacheHeadScale = -1, kCacheTokenScale = -2;
/// Tokens of a page.
inline constexpr int64_t kPageTokens = 64;

/// The number of an f8E4M3FN, whose bits 0x7F and 0xFF are NaN.
float floatOfE4M3(uint8_t bits);
/// The bits of the f8E4M3FN nearest to `number`, ties to even, at most 448 in
/// magnitude; of a NaN 0x7F.
uint8_t e4m3Of(float number);

/// How new tokens become ternary where each has a scale of its own.
enum class CacheMethod { Absmean, Twn };

struct CacheFormat {
  /// ternv.v1, int8v.v1, int4v.v1; otherwise ternk.v1 and so on.
  bool values = false;
  /// Bits of an element: 2 for trits, 4 or 8 for numbers in two's complement.
  int bits = 2;
  /// The 8 bits are a float, f8E4M3FN (e4m3k.v1, e4m3v.v1).
  bool isFloat = false;
  int64_t features = 0;
  /// kCacheHeadScale, kCacheTokenScale, or the features of a group: 32, 64, 128
  /// or 256. The last group may be shorter. Of numbers -32, -64 or -128, too: a
  /// token has a scale for so many features.
  int64_t scope = kCacheHeadScale;
  /// F16, BF16 or F32.
  sf_dtype scaleType = SF_DTYPE_F32;

  bool operator==(const CacheFormat &other) const {
    return values == other.values && bits == other.bits &&
           isFloat == other.isFloat && features == other.features &&
           scope == other.scope && scaleType == other.scaleType;
  }
  /// Checks every field.
  Status verify() const;
  /// "ternk.v1", "ternv.v1", "int8k.v1" and so on.
  const char *layoutName() const;
  /// The word of the encoding, such as "key_planes".
  const char *storageName() const;
  /// The keys or values of such a storage, of which no other field is set;
  /// none where it is another's.
  static std::optional<CacheFormat> ofStorage(const std::string &name);
  const char *kindName() const { return bits == 2 ? "ternary" : "quantized"; }
  bool isTernary() const { return bits == 2; }
  /// The largest number of an element; the least is that of the other sign, or
  /// one less where `bits` hold it.
  int limit() const {
    return bits == 2 ? 1 : isFloat ? 448 : (1 << (bits - 1)) - 1;
  }
  /// What an element stands for before it is scaled: `number` itself, or the
  /// float whose bits it is.
  float valueOf(int8_t number) const {
    return isFloat ? floatOfE4M3(static_cast<uint8_t>(number))
                   : static_cast<float>(number);
  }

  int64_t featuresPadded() const {
    int64_t unit = bits == 8 ? 32 : 64;
    return (features + unit - 1) / unit * unit;
  }
  /// Bytes of the planes or numbers of a page, which its scales follow.
  int64_t planeBytes() const {
    return featuresPadded() * kPageTokens * bits / 8;
  }
  bool isTokenScaled() const { return scope <= kCacheTokenScale; }
  /// Features that share a scale, and how often a vector has so many.
  int64_t scaleFeatures() const {
    return scope > 0 ? scope : scope < kCacheTokenScale ? -scope : features;
  }
  int64_t groups() const {
    return (features + scaleFeatures() - 1) / scaleFeatures();
  }
  /// Scales of a page: one or 64 for each group.
  int64_t pageScales() const {
    return isTokenScaled() ? groups() * kPageTokens : groups();
  }
  /// The number of the scale of an element among those of its page.
  int64_t pageScale(int64_t token, int64_t feature) const {
    int64_t group = feature / scaleFeatures();
    return isTokenScaled() ? group * kPageTokens + token % kPageTokens : group;
  }
  /// The same among those of a head in a `scales` buffer.
  int64_t headScale(int64_t token, int64_t feature) const {
    int64_t group = feature / scaleFeatures();
    return isTokenScaled() ? token * groups() + group : group;
  }
  int64_t pageBytes() const;
  /// Scales of one head in a `scales` buffer, for `tokens`.
  int64_t scalesPerHead(int64_t tokens) const;
  /// The bytes of a cache; fails where they do not fit 62 bits or `tokens` is
  /// no multiple of 64.
  Expected<uint64_t> bytes(int64_t heads, int64_t tokens) const;

  /// Where the element of a token of a page and a feature stands: the byte of
  /// the page, and the lowest of its bits.
  void locate(int64_t token, int64_t feature, int64_t &byte, int &bit) const;
};

/// Writes every byte of the cache. Refuses a trit outside {-1, 0, 1}, a number
/// that its bits do not hold, and a scale that is not finite, with its place;
/// scales are rounded to their type.
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

/// The trits or numbers of one vector by the rule of sparseflow.cache_append,
/// whose bits these are; numbers have one, whatever `method` is. `scales`: the
/// head's, read where the scope is no token; a token's scales are written there
/// otherwise, rounded to their type.
void quantizeToken(const float *vector, const CacheFormat &format,
                   CacheMethod method, int8_t *numbers, float *scales);

/// Appends `count` vectors to each head, [heads][count][features], as tokens
/// from `first`[head] on; those outside 0 .. tokens - 1 are dropped. No other
/// bit changes.
void appendCache(uint8_t *cache, const CacheFormat &format, int64_t heads,
                 int64_t tokens, const float *vectors, int64_t count,
                 const int64_t *first, CacheMethod method);

} // namespace sparseflow::rt

#endif // SPARSEFLOW_RT_TERNARY_CACHE_H
