//===- attention_mode.cpp - How keys and values are to be held ------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ternary/attention_mode.h"

#include <cmath>
#include <cstdio>
#include <utility>

using namespace sparseflow;
using namespace sparseflow::rt;

static const char *const modeNames[SF_ATTENTION_MODES] = {
    "full_precision", "ternary_keys", "ternary_keys_values",
    "int8",           "int4",         "e4m3"};

// Bytes that an H200 reads in a second, and what a call costs beside: of f16,
// int8 and e4m3 as one, and int4 the least mean relative error over the rows of
// one query of bench/results/h200-quantized-attention.md (88 MB to 1.1 GB; 4 to
// 7 %), of f16 with what it takes for the shortest caches, of trits least
// squares over the rows of h200-ternary-attention.md.
static const sf_mode_speed measuredSpeeds[SF_ATTENTION_MODES] = {
    {4210, 5}, {4830, 18}, {3730, 21}, {4120, 6.5}, {4020, 11}, {4120, 6.5}};

const char *sparseflow::rt::modeName(sf_attention_mode mode) {
  return modeNames[mode];
}

std::optional<sf_attention_mode>
sparseflow::rt::parseMode(const std::string &name) {
  for (int mode = 0; mode < SF_ATTENTION_MODES; ++mode)
    if (name == modeNames[mode])
      return static_cast<sf_attention_mode>(mode);
  return std::nullopt;
}

Expected<CacheFormat>
sparseflow::rt::readCacheFormat(const sf_cache_format *format) {
  if (!format)
    return invalidArgument("format is null");
  if (format->struct_size != sizeof(*format))
    return invalidArgument("sf_cache_format.struct_size: expected "
                           "sizeof(sf_cache_format) = " +
                           std::to_string(sizeof(*format)) + ", found " +
                           std::to_string(format->struct_size));
  CacheFormat result;
  result.values = format->values != 0;
  result.isFloat = format->bits == SF_CACHE_E4M3;
  result.bits = result.isFloat ? 8 : format->bits ? format->bits : 2;
  result.features = format->features;
  result.scope = format->scale_features;
  result.scaleType = format->scale_type;
  if (Status status = result.verify(); !status)
    return status;
  return result;
}

static std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.4g", value);
  return text;
}

std::string ModeDecision::text() const {
  if (mode)
    return std::string(modeName(*mode)) + ": " + reasons[*mode];
  std::string result = "no mode is left";
  for (int m = 0; m < SF_ATTENTION_MODES; ++m)
    result += std::string(m ? ", " : ": ") + modeNames[m] + " " + reasons[m];
  return result;
}

Status ModeDecision::refusal() const {
  return unsupported(text() +
                     "; give more memory, or compile a mode within the "
                     "error allowed");
}

std::string ModeDecision::json() const {
  auto flag = [](int value) { return value ? "true" : "false"; };
  std::string result =
      "{\"mode\": " +
      (mode ? "\"" + std::string(modeName(*mode)) + "\"" : "null") +
      ", \"modes\": [";
  for (int m = 0; m < SF_ATTENTION_MODES; ++m) {
    const sf_mode_estimate &one = estimates[m];
    result += std::string(m ? ", " : "") + "{\"mode\": \"" + modeNames[m] +
              "\", \"bytes\": " + std::to_string(one.bytes) +
              ", \"bytes_read\": " + std::to_string(one.bytes_read) +
              ", \"microseconds\": " + number(one.microseconds) +
              ", \"compiled\": " + flag(one.is_compiled) +
              ", \"accurate\": " + flag(one.is_accurate) +
              ", \"fits\": " + flag(one.fits) + ", \"reason\": \"" +
              reasons[m] + "\"}";
  }
  return result + "]}";
}

namespace {

class Decider {
public:
  explicit Decider(const sf_attention_case &call) : call(call) {}
  Expected<ModeDecision> run();

private:
  Status verify();
  Status estimate(int mode, sf_mode_estimate &result);
  std::string refusal(int mode, const sf_mode_estimate &estimate) const;

  const sf_attention_case &call;
  /// Of keys, and of values; nothing where they have two bytes an element.
  std::optional<CacheFormat> formats[SF_ATTENTION_MODES][2];
};

} // namespace

Status Decider::verify() {
  const std::pair<const char *, int64_t> sizes[] = {
      {"layers", call.layers},
      {"batch", call.batch},
      {"query_heads", call.query_heads},
      {"key_heads", call.key_heads},
      {"features", call.features},
      {"value_features", call.value_features},
      {"capacity", call.capacity},
      {"queries", call.queries}};
  for (auto [name, size] : sizes)
    if (size < 1 || size > int64_t(1) << 32)
      return invalidArgument(std::string("expected ") + name +
                             " of 1 to 2^32, found " + std::to_string(size));
  if (call.query_heads % call.key_heads)
    return invalidArgument("expected query_heads as a multiple of key_heads, " +
                           std::to_string(call.key_heads) + ", found " +
                           std::to_string(call.query_heads));
  for (const sf_mode_speed &speed : call.speed)
    if (!std::isfinite(speed.gigabytes_per_second) ||
        !std::isfinite(speed.fixed_microseconds) ||
        speed.fixed_microseconds < 0)
      return invalidArgument("expected speeds that are finite, and a fixed "
                             "time of 0 or more, found " +
                             number(speed.gigabytes_per_second) + " GB/s and " +
                             number(speed.fixed_microseconds) +
                             " us; leave them 0 for measured ones");
  if (!(call.taken >= 0 && call.taken <= static_cast<double>(call.capacity)))
    return invalidArgument("expected 0 to " + std::to_string(call.capacity) +
                           " positions taken, found " + number(call.taken));
  if (!(call.max_error >= 0))
    return invalidArgument("expected an error bound of 0 or more, found " +
                           number(call.max_error));
  sf_cache_format numbers[2] = {call.quantized_keys, call.quantized_values};
  for (sf_cache_format &format : numbers)
    if (!format.struct_size) {
      format.struct_size = sizeof(format);
      format.scale_features = SF_CACHE_TOKEN_SCALE;
      format.scale_type = SF_DTYPE_F32;
    }
  const struct {
    sf_attention_mode mode;
    int bits;
    const sf_cache_format *keys, *values;
  } quantized[] = {
      {SF_ATTENTION_TERNARY_KEYS, 2, &call.keys, nullptr},
      {SF_ATTENTION_TERNARY_KEYS_VALUES, 2, &call.keys, &call.values},
      {SF_ATTENTION_INT8, 8, &numbers[0], &numbers[1]},
      {SF_ATTENTION_INT4, 4, &numbers[0], &numbers[1]},
      {SF_ATTENTION_E4M3, SF_CACHE_E4M3, &numbers[0], &numbers[1]}};
  for (const auto &[mode, bits, keys, values] : quantized)
    for (int i = 0; i < 2; ++i) {
      if (i && !values)
        continue;
      sf_cache_format given = i ? *values : *keys;
      given.values = i;
      given.bits = bits;
      given.features = i ? call.value_features : call.features;
      Expected<CacheFormat> format = readCacheFormat(&given);
      if (!format)
        return format.status().withContext(
            std::string(bits == 2 ? "" : "quantized ") +
            (i ? "values" : "keys"));
      formats[mode][i] = *format;
    }
  return Status::success();
}

Status Decider::estimate(int mode, sf_mode_estimate &result) {
  // Whole pages hold and are read.
  auto pages = [](double positions) {
    return static_cast<int64_t>(std::ceil(positions / kPageTokens)) *
           kPageTokens;
  };
  auto bytesOf = [&](bool isValues, double positions) -> Expected<uint64_t> {
    if (const std::optional<CacheFormat> &format = formats[mode][isValues])
      return format->bytes(call.key_heads, pages(positions));
    int64_t features = isValues ? call.value_features : call.features;
    return static_cast<uint64_t>(std::ceil(positions)) *
           static_cast<uint64_t>(features) *
           static_cast<uint64_t>(call.key_heads) * 2;
  };
  uint64_t held = 0, readBytes = 0;
  for (bool isValues : {false, true}) {
    Expected<uint64_t> all =
        bytesOf(isValues, static_cast<double>(call.capacity));
    Expected<uint64_t> some = bytesOf(isValues, call.taken);
    if (!all || !some)
      return all ? some.status() : all.status();
    held += *all;
    readBytes += *some;
  }
  if (__builtin_mul_overflow(held, static_cast<uint64_t>(call.batch), &held) ||
      __builtin_mul_overflow(held, static_cast<uint64_t>(call.layers), &held) ||
      __builtin_mul_overflow(readBytes, static_cast<uint64_t>(call.batch),
                             &readBytes))
    return invalidArgument("the bytes of keys and values do not fit 64 bits");
  sf_mode_speed speed = call.speed[mode];
  if (speed.gigabytes_per_second <= 0)
    speed = measuredSpeeds[mode];
  result.bytes = held;
  result.bytes_read = readBytes;
  result.microseconds =
      speed.fixed_microseconds +
      static_cast<double>(readBytes) / (1000 * speed.gigabytes_per_second);
  result.is_compiled = call.available >> mode & 1;
  double error = mode == SF_ATTENTION_FULL_PRECISION ? 0 : call.error[mode];
  result.is_accurate = error >= 0 && error <= call.max_error;
  result.fits = call.memory_budget == 0 || held <= call.memory_budget;
  return Status::success();
}

std::string Decider::refusal(int mode, const sf_mode_estimate &one) const {
  if (!one.is_compiled)
    return "is not compiled";
  if (!one.is_accurate)
    return !(call.error[mode] >= 0)
               ? "has no measured error"
               : "has an error of " + number(call.error[mode]) +
                     ", more than " + number(call.max_error);
  return "takes " + std::to_string(one.bytes) + " bytes, more than " +
         std::to_string(call.memory_budget);
}

Expected<ModeDecision> Decider::run() {
  if (Status status = verify(); !status)
    return status;
  ModeDecision decision;
  auto usable = [&](int mode) {
    const sf_mode_estimate &one = decision.estimates[mode];
    return one.is_compiled && one.is_accurate && one.fits;
  };
  // With many rows a key head the matmuls decide, which planes and numbers only
  // add to: the most bits first, whatever is read.
  int64_t rows = call.queries * (call.query_heads / call.key_heads);
  bool isDecode = rows <= 16;
  for (int mode = 0; mode < SF_ATTENTION_MODES; ++mode) {
    if (Status status = estimate(mode, decision.estimates[mode]); !status)
      return status;
    if (!usable(mode))
      continue;
    const sf_mode_estimate &one = decision.estimates[mode];
    const sf_mode_estimate *best =
        decision.mode ? &decision.estimates[*decision.mode] : nullptr;
    if (!best || (isDecode ? one.microseconds < best->microseconds
                           : one.bytes > best->bytes))
      decision.mode = static_cast<sf_attention_mode>(mode);
  }
  for (int mode = 0; mode < SF_ATTENTION_MODES; ++mode) {
    const sf_mode_estimate &one = decision.estimates[mode];
    std::string &reason = decision.reasons[mode];
    if (!usable(mode))
      reason = refusal(mode, one);
    else if (mode == *decision.mode)
      reason = isDecode
                   ? "reads " + std::to_string(one.bytes_read) +
                         " bytes a layer, about " + number(one.microseconds) +
                         " us, the least of what is accurate and fits"
                   : std::to_string(rows) +
                         " rows for each key head, where matmuls decide: the "
                         "fullest that is accurate and fits";
    else
      reason = isDecode ? "would take about " + number(one.microseconds) + " us"
                        : "would save memory, not time";
  }
  return decision;
}

Status sparseflow::rt::checkCase(const sf_attention_case &call) {
  if (call.struct_size == sizeof(call))
    return Status::success();
  return invalidArgument("sf_attention_case.struct_size: expected "
                         "sizeof(sf_attention_case) = " +
                         std::to_string(sizeof(call)) + ", found " +
                         std::to_string(call.struct_size));
}

Expected<ModeDecision>
sparseflow::rt::decideMode(const sf_attention_case &call) {
  return Decider(call).run();
}
