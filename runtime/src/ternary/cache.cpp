//===- cache.cpp - Quantized keys and values of attention -----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ternary/cache.h"

#include "ternary/format.h"
#include "ternary/pack.h"
#include "weights/dtype.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

using namespace sparseflow;
using namespace sparseflow::rt;

Status CacheFormat::verify() const {
  if (features < 1 || features > INT32_MAX)
    return invalidArgument("expected a cache of at least 1 feature, found " +
                           std::to_string(features));
  if (bits != 2 && bits != 4 && bits != 8)
    return invalidArgument("expected elements of 2, 4 or 8 bits, found " +
                           std::to_string(bits));
  if (isFloat && bits != 8)
    return invalidArgument("expected floats of 8 bits, found " +
                           std::to_string(bits));
  bool ofToken = bits > 2 && (scope == -32 || scope == -64 || scope == -128);
  if (scope != kCacheHeadScale && scope != kCacheTokenScale && scope != 32 &&
      scope != 64 && scope != 128 && scope != 256 && !ofToken)
    return invalidArgument("expected a scale for a head, a token, or 32, 64, "
                           "128 or 256 features, found " +
                           std::to_string(scope));
  if (bits > 2 && scope > kCacheTokenScale)
    return invalidArgument("expected a scale for a token, or for 32, 64 or 128 "
                           "features of it, of numbers of " +
                           std::to_string(bits) + " bits, found " +
                           std::to_string(scope));
  if (scaleType != SF_DTYPE_F16 && scaleType != SF_DTYPE_BF16 &&
      scaleType != SF_DTYPE_F32)
    return invalidArgument("expected scales of type F16, BF16 or F32, found " +
                           std::string(dtypeName(scaleType)));
  return Status::success();
}

const char *CacheFormat::layoutName() const {
  if (isFloat)
    return values ? "e4m3v.v1" : "e4m3k.v1";
  if (bits == 8)
    return values ? "int8v.v1" : "int8k.v1";
  if (bits == 4)
    return values ? "int4v.v1" : "int4k.v1";
  return values ? "ternv.v1" : "ternk.v1";
}

const char *CacheFormat::storageName() const {
  if (isFloat)
    return values ? "value_e4m3" : "key_e4m3";
  if (bits == 8)
    return values ? "value_int8" : "key_int8";
  if (bits == 4)
    return values ? "value_int4" : "key_int4";
  return values ? "value_planes" : "key_planes";
}

int64_t CacheFormat::pageBytes() const {
  int64_t bytes = pageScales() * scaleElementBytes(scaleType);
  return planeBytes() + (bytes + 15) / 16 * 16;
}

int64_t CacheFormat::scalesPerHead(int64_t tokens) const {
  return isTokenScaled() ? tokens * groups() : groups();
}

std::optional<CacheFormat> CacheFormat::ofStorage(const std::string &name) {
  constexpr std::pair<int, bool> numbers[] = {
      {2, false}, {4, false}, {8, false}, {8, true}};
  for (auto [bits, isFloat] : numbers)
    for (bool values : {false, true}) {
      CacheFormat format;
      format.bits = bits;
      format.isFloat = isFloat;
      format.values = values;
      if (name == format.storageName())
        return format;
    }
  return std::nullopt;
}

Expected<uint64_t> CacheFormat::bytes(int64_t heads, int64_t tokens) const {
  if (heads < 0)
    return invalidArgument("expected at least 0 heads of a ternary cache, "
                           "found " +
                           std::to_string(heads));
  if (tokens < 0 || tokens % kPageTokens != 0)
    return invalidArgument(
        "expected room for a multiple of 64 tokens in a " +
        std::string(kindName()) + " cache, found " + std::to_string(tokens) +
        "; round it up, and say with lengths how many are taken");
  uint64_t pages, result;
  if (__builtin_mul_overflow(static_cast<uint64_t>(heads),
                             static_cast<uint64_t>(tokens / kPageTokens),
                             &pages) ||
      __builtin_mul_overflow(pages, static_cast<uint64_t>(pageBytes()),
                             &result) ||
      result > uint64_t(1) << 62)
    return invalidArgument("the cache's bytes do not fit 62 bits");
  return result;
}

void CacheFormat::locate(int64_t token, int64_t feature, int64_t &byte,
                         int &bit) const {
  if (bits > 2) {
    // A lane has 16 bytes of 16 tokens; in a word, two numbers that are
    // neighbours along K in its halves.
    int64_t inner = values ? token : feature, outer = values ? feature : token;
    int64_t lane = outer % 8 * 4 + inner % 8 / 2;
    int64_t field = feature / 8 % 2 + token / 8 % 2 * 2;
    int64_t place = inner % 2 * 16, word;
    if (bits == 8) {
      word = feature / 16 % 2 * 2 + field / 2;
      place += field % 2 * 8;
    } else {
      word = feature / 16 % 4;
      place += field * 4;
    }
    int64_t chunks = featuresPadded() * bits / 256;
    int64_t chunk = token / 16 * chunks + feature * bits / 256;
    byte = chunk * 512 + lane * 16 + word * 4 + place / 8;
    bit = static_cast<int>(place % 8);
    return;
  }
  // Rows and K of the MMAs that read the page.
  int64_t row = values ? feature : token, k = values ? token : feature;
  int64_t words = values ? 1 : featuresPadded() / 64;
  int64_t word = row / 8 * words + k / 64;
  int64_t lane = row % 8 * 4 + k % 8 / 2;
  int64_t field = k % 64 / 8;
  int place = static_cast<int>(k % 2 * 16 + 14 - 2 * field);
  byte = word / 4 * 512 + lane * 16 + word % 4 * 4 + place / 8;
  bit = place % 8;
}

/// The bits of an element: of a float what is given, of a trit 0, 1, and 3 for
/// -1, otherwise two's complement, which is the same.
static uint8_t bitsOf(const CacheFormat &format, int8_t number) {
  return static_cast<uint8_t>(static_cast<uint8_t>(number) &
                              ((1 << format.bits) - 1));
}

static std::string place(int64_t head, int64_t token, int64_t feature) {
  return "head " + std::to_string(head) + ", token " + std::to_string(token) +
         ", feature " + std::to_string(feature);
}

/// The number, in a head's scales, of scale `index` of page `page`.
static int64_t scaleOfPage(const CacheFormat &format, int64_t page,
                           int64_t index) {
  if (!format.isTokenScaled())
    return index;
  int64_t token = page * kPageTokens + index % kPageTokens;
  return token * format.groups() + index / kPageTokens;
}

Status sparseflow::rt::packCache(const int8_t *trits, const float *scales,
                                 const CacheFormat &format, int64_t heads,
                                 int64_t tokens, const std::string &name,
                                 uint8_t *cache) {
  Expected<uint64_t> bytes = format.bytes(heads, tokens);
  if (!bytes)
    return bytes.status();
  if (*bytes)
    std::memset(cache, 0, *bytes);
  int64_t pages = tokens / kPageTokens, perHead = format.scalesPerHead(tokens);
  int64_t width = scaleElementBytes(format.scaleType);
  for (int64_t head = 0; head < heads; ++head)
    for (int64_t page = 0; page < pages; ++page) {
      uint8_t *to = cache + (head * pages + page) * format.pageBytes();
      for (int64_t t = 0; t < kPageTokens; ++t) {
        int64_t token = page * kPageTokens + t;
        const int8_t *row = trits + (head * tokens + token) * format.features;
        for (int64_t d = 0; d < format.features; ++d) {
          int least = format.isTernary() ? -1 : -format.limit() - 1;
          if (row[d] < least || row[d] > format.limit())
            return formatError(
                "'" + printable(name) + "': expected a " +
                (format.isTernary()
                     ? "trit"
                     : "number of " + std::to_string(format.bits) + " bits") +
                ", found " + std::to_string(row[d]) + " at " +
                place(head, token, d));
          int64_t byte;
          int bit;
          format.locate(t, d, byte, bit);
          to[byte] |= static_cast<uint8_t>(bitsOf(format, row[d]) << bit);
        }
      }
      for (int64_t s = 0; s < format.pageScales(); ++s) {
        float scale = scales[head * perHead + scaleOfPage(format, page, s)];
        uint8_t *stored = to + format.planeBytes() + s * width;
        storeScale(scale, format.scaleType, stored);
        if (!std::isfinite(loadScale(stored, format.scaleType)))
          return formatError("'" + printable(name) +
                             "': expected finite "
                             "scales of type " +
                             std::string(dtypeName(format.scaleType)) +
                             ", found " + std::to_string(scale) + " at head " +
                             std::to_string(head) + ", page " +
                             std::to_string(page) + ", scale " +
                             std::to_string(s));
      }
    }
  return Status::success();
}

Status sparseflow::rt::unpackCache(const uint8_t *cache,
                                   const CacheFormat &format, int64_t heads,
                                   int64_t tokens, const std::string &name,
                                   int8_t *trits, float *scales,
                                   ScaleCheck check) {
  Expected<uint64_t> bytes = format.bytes(heads, tokens);
  if (!bytes)
    return bytes.status();
  int64_t pages = tokens / kPageTokens, perHead = format.scalesPerHead(tokens);
  int64_t width = scaleElementBytes(format.scaleType);
  for (int64_t head = 0; head < heads; ++head)
    for (int64_t page = 0; page < pages; ++page) {
      const uint8_t *from = cache + (head * pages + page) * format.pageBytes();
      for (int64_t t = 0; t < kPageTokens; ++t) {
        int64_t token = page * kPageTokens + t;
        for (int64_t d = 0; d < format.featuresPadded(); ++d) {
          int64_t byte;
          int bit;
          format.locate(t, d, byte, bit);
          int ones = (1 << format.bits) - 1;
          int bits = from[byte] >> bit & ones;
          bool isPadding = d >= format.features;
          if ((format.isTernary() && bits == 2) || (isPadding && bits))
            return formatError(
                "'" + printable(name) + "': expected " +
                (isPadding ? "padding of zeros" : "a trit (bits 0, 1 or 3)") +
                ", found bits " + std::to_string(bits) + " at " +
                place(head, token, d));
          if (trits && !isPadding)
            trits[(head * tokens + token) * format.features + d] =
                static_cast<int8_t>(bits > ones / 2 ? bits - ones - 1 : bits);
        }
      }
      for (int64_t s = 0; s < format.pageScales(); ++s) {
        float scale =
            loadScale(from + format.planeBytes() + s * width, format.scaleType);
        if (check == ScaleCheck::Finite && !std::isfinite(scale))
          return formatError("'" + printable(name) +
                             "': expected finite "
                             "scales, found one that is not at head " +
                             std::to_string(head) + ", page " +
                             std::to_string(page) + ", scale " +
                             std::to_string(s));
        if (scales)
          scales[head * perHead + scaleOfPage(format, page, s)] = scale;
      }
    }
  return Status::success();
}

void sparseflow::rt::expandCache(const int8_t *trits, const float *scales,
                                 const CacheFormat &format, int64_t heads,
                                 int64_t tokens, float *result) {
  int64_t perHead = format.scalesPerHead(tokens), d = format.features;
  for (int64_t head = 0; head < heads; ++head)
    for (int64_t token = 0; token < tokens; ++token)
      for (int64_t i = 0; i < d; ++i) {
        int64_t at = format.headScale(token, i);
        int64_t element = (head * tokens + token) * d + i;
        result[element] =
            scales[head * perHead + at] * format.valueOf(trits[element]);
      }
}

//===----------------------------------------------------------------------===//
// New tokens
//===----------------------------------------------------------------------===//

/// The sum in the order of a warp: 32 parts, then halves of them.
static float sumLikeWarp(const float *values, int64_t count) {
  float parts[32] = {};
  for (int64_t i = 0; i < count; ++i)
    parts[i % 32] += values[i];
  for (int distance = 16; distance; distance /= 2)
    for (int i = 0; i < distance; ++i)
      parts[i] += parts[i + distance];
  return parts[0];
}

float sparseflow::rt::floatOfE4M3(uint8_t bits) {
  int exponent = bits >> 3 & 15, mantissa = bits & 7;
  float size = exponent == 15 && mantissa == 7 ? NAN
               : exponent
                   ? std::ldexp(static_cast<float>(8 + mantissa), exponent - 10)
                   : std::ldexp(static_cast<float>(mantissa), -9);
  return bits & 0x80 ? -size : size;
}

uint8_t sparseflow::rt::e4m3Of(float number) {
  if (std::isnan(number))
    return 0x7F;
  uint8_t sign = std::signbit(number) ? 0x80 : 0;
  float size = std::min(std::fabs(number), 448.0f);
  // Three bits behind the first, or behind the point of the least exponent.
  int exponent = size < 0x1p-6f ? -6 : std::ilogb(size);
  auto units = static_cast<int>(std::nearbyint(std::ldexp(size, 3 - exponent)));
  // 16 of them are 8 of the next exponent, 8 of the least are its first normal
  // number: both are the same sum of bits.
  return static_cast<uint8_t>(sign | (((exponent + 6) << 3) + units));
}

/// The nearest multiples of scales by which the largest magnitudes of a token
/// are `limit`.
static void roundToken(const float *vector, const CacheFormat &format,
                       int8_t *numbers, float *scales) {
  auto limit = static_cast<float>(format.limit());
  for (int64_t group = 0; group < format.groups(); ++group) {
    int64_t first = group * format.scaleFeatures();
    int64_t end = std::min(first + format.scaleFeatures(), format.features);
    float largest = 0;
    for (int64_t i = first; i < end; ++i)
      largest = std::max(largest, std::fabs(vector[i]));
    scales[group] = largest / limit;
    roundScales(&scales[group], 1, format.scaleType);
    float scale = scales[group];
    for (int64_t i = first; i < end; ++i) {
      if (format.isFloat) {
        numbers[i] = static_cast<int8_t>(scale != 0 ? e4m3Of(vector[i] / scale)
                                                    : uint8_t(0));
        continue;
      }
      // A scale that was rounded down may leave more than the limit.
      float number = scale != 0 ? std::nearbyint(vector[i] / scale) : 0;
      numbers[i] = static_cast<int8_t>(std::clamp(number, -limit, limit));
    }
  }
}

void sparseflow::rt::quantizeToken(const float *vector,
                                   const CacheFormat &format,
                                   CacheMethod method, int8_t *trits,
                                   float *scales) {
  int64_t d = format.features;
  bool finite = true;
  for (int64_t i = 0; i < d; ++i)
    finite &= std::isfinite(vector[i]);
  bool ofToken = format.isTokenScaled();
  if (!finite) {
    std::memset(trits, 0, static_cast<size_t>(d));
    if (ofToken)
      std::fill_n(scales, format.groups(), NAN);
    return;
  }
  if (!format.isTernary())
    return roundToken(vector, format, trits, scales);
  if (!ofToken) {
    for (int64_t i = 0; i < d; ++i) {
      float scale = scales[format.scope > 0 ? i / format.scope : 0];
      bool far = std::fabs(vector[i]) > std::fabs(scale) * 0.5f;
      // A scale of zero leaves nothing to choose from.
      bool same = (vector[i] > 0) == (scale > 0);
      trits[i] = static_cast<int8_t>(far && scale != 0 ? (same ? 1 : -1) : 0);
    }
    return;
  }
  std::vector<float> magnitudes(static_cast<size_t>(d));
  for (int64_t i = 0; i < d; ++i)
    magnitudes[i] = std::fabs(vector[i]);
  float mean = sumLikeWarp(magnitudes.data(), d) / static_cast<float>(d);
  float threshold = mean * (method == CacheMethod::Absmean ? 0.5f : 0.7f);
  float scale = mean;
  int64_t count = 0;
  for (int64_t i = 0; i < d; ++i) {
    bool far = magnitudes[i] > threshold;
    trits[i] = static_cast<int8_t>(!far ? 0 : vector[i] > 0 ? 1 : -1);
    count += far;
    if (!far)
      magnitudes[i] = 0;
  }
  if (method == CacheMethod::Twn)
    scale = count
                ? sumLikeWarp(magnitudes.data(), d) / static_cast<float>(count)
                : 0;
  roundScales(&scale, 1, format.scaleType);
  scales[0] = scale;
}

void sparseflow::rt::appendCache(uint8_t *cache, const CacheFormat &format,
                                 int64_t heads, int64_t tokens,
                                 const float *vectors, int64_t count,
                                 const int64_t *first, CacheMethod method) {
  int64_t pages = tokens / kPageTokens, d = format.features;
  int64_t width = scaleElementBytes(format.scaleType);
  std::vector<int8_t> trits(static_cast<size_t>(d));
  std::vector<float> scales(static_cast<size_t>(format.groups()));
  // Most heads append behind as many tokens, whose elements have the places of
  // the head before.
  std::vector<std::pair<int64_t, int>> places(static_cast<size_t>(d));
  int64_t placed = -1;
  for (int64_t t = 0; t < count; ++t)
    for (int64_t head = 0; head < heads; ++head) {
      int64_t token = first[head] + t;
      if (token < 0 || token >= tokens)
        continue;
      if (token % kPageTokens != placed) {
        placed = token % kPageTokens;
        for (int64_t i = 0; i < d; ++i)
          format.locate(placed, i, places[i].first, places[i].second);
      }
      uint8_t *page =
          cache + (head * pages + token / kPageTokens) * format.pageBytes();
      auto stored = [&](int64_t group) {
        int64_t number =
            format.pageScale(token, group * format.scaleFeatures());
        return page + format.planeBytes() + number * width;
      };
      for (int64_t group = 0; group < format.groups(); ++group)
        scales[group] = loadScale(stored(group), format.scaleType);
      quantizeToken(vectors + (head * count + t) * d, format, method,
                    trits.data(), scales.data());
      if (format.isTokenScaled())
        for (int64_t group = 0; group < format.groups(); ++group)
          storeScale(scales[group], format.scaleType, stored(group));
      int ones = (1 << format.bits) - 1;
      for (int64_t i = 0; i < d; ++i) {
        auto [byte, bit] = places[i];
        page[byte] = static_cast<uint8_t>((page[byte] & ~(ones << bit)) |
                                          bitsOf(format, trits[i]) << bit);
      }
    }
}
