//===- convert.cpp - Conversions between f32, f16 and bf16 ----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "weights/convert.h"

#include "common/parallel.h"
#include "weights/float_kernels.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <vector>

using namespace sparseflow::rt;

namespace {

/// Elements that one thread takes at a time, and that fit in a staging buffer.
constexpr int64_t kBlock = 1 << 18;
constexpr int64_t kStage = 1 << 11;

/// What went wrong in one block.
struct BlockErrors {
  int64_t nonFinite = -1;     ///< index of the first, or -1
  int64_t firstOverflow = -1; ///< index of the first, or -1
  int64_t overflows = 0;
};

} // namespace

static bool isFloat(sf_dtype type) {
  return type == SF_DTYPE_F32 || isPackable(type);
}

static float loadOne(const void *source, sf_dtype type, int64_t index) {
  if (type == SF_DTYPE_F32) {
    float value;
    std::memcpy(&value, static_cast<const char *>(source) + index * 4, 4);
    return value;
  }
  uint16_t bits;
  std::memcpy(&bits, static_cast<const char *>(source) + index * 2, 2);
  return type == SF_DTYPE_F16 ? halfToFloat(bits) : bfloatToFloat(bits);
}

/// True for NaN and infinity.
static bool isNonFinite(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  return (bits & 0x7f800000) == 0x7f800000;
}

/// Finds out what is wrong with elements [first, last), one by one.
static void classify(const void *source, sf_dtype sourceType,
                     sf_dtype resultType, int64_t first, int64_t last,
                     BlockErrors &errors) {
  for (int64_t i = first; i < last; ++i) {
    float value = loadOne(source, sourceType, i);
    if (isNonFinite(value)) {
      if (errors.nonFinite < 0)
        errors.nonFinite = i;
      continue;
    }
    bool overflow = false;
    if (resultType == SF_DTYPE_F16)
      overflow = (floatToHalf(value) & 0x7fff) == 0x7c00;
    else if (resultType == SF_DTYPE_BF16)
      overflow = (floatToBfloat(value) & 0x7fff) == 0x7f80;
    if (overflow && errors.overflows++ == 0)
      errors.firstOverflow = i;
  }
}

/// Converts elements [first, last).
static BlockErrors convertBlock(const void *source, sf_dtype sourceType,
                                void *result, sf_dtype resultType,
                                int64_t first, int64_t last) {
  BlockErrors errors;
  float stage[kStage];
  const char *input = static_cast<const char *>(source);
  char *output = static_cast<char *>(result);
  const FloatKernels &kernels = floatKernels();
  for (int64_t start = first; start < last; start += kStage) {
    int64_t count = std::min(kStage, last - start);
    const char *from = input + start * (dtypeBits(sourceType) / 8);
    char *to = output + start * (dtypeBits(resultType) / 8);
    if (sourceType == SF_DTYPE_F16)
      kernels.halfToFloat(from, stage, count);
    else if (sourceType == SF_DTYPE_BF16)
      kernels.bfloatToFloat(from, stage, count);
    else
      std::memcpy(stage, from, count * 4);

    bool suspicious;
    if (resultType == SF_DTYPE_F16)
      suspicious = kernels.floatToHalf(stage, to, count);
    else if (resultType == SF_DTYPE_BF16)
      suspicious = kernels.floatToBfloat(stage, to, count);
    else
      suspicious = kernels.copyFloat(stage, to, count);
    // Equal types: the exact bytes, for NaN payloads too.
    if (sourceType == resultType)
      std::memcpy(to, from, count * (dtypeBits(resultType) / 8));
    if (suspicious)
      classify(source, sourceType, resultType, start, start + count, errors);
  }
  return errors;
}

Status sparseflow::rt::convert(const void *source, sf_dtype sourceType,
                               void *result, sf_dtype resultType, int64_t count,
                               const ConvertOptions &options,
                               int64_t *overflows) {
  std::string tensor =
      options.name.empty() ? "" : "tensor '" + printable(options.name) + "': ";
  if (overflows)
    *overflows = 0;
  if (!isFloat(sourceType) || !isFloat(resultType))
    return unsupported(tensor + "conversion from " + dtypeName(sourceType) +
                       " to " + dtypeName(resultType) +
                       " does not exist; expected F32, F16 or BF16");
  if (count < 0 || count > INT64_MAX / 4)
    return invalidArgument(tensor + "expected an element count >= 0, found " +
                           std::to_string(count));

  int64_t blocks = (count + kBlock - 1) / kBlock;
  std::vector<BlockErrors> errors(blocks);
  parallelFor(blocks, options.threads, [&](int64_t block) {
    errors[block] =
        convertBlock(source, sourceType, result, resultType, block * kBlock,
                     std::min(count, (block + 1) * kBlock));
  });

  BlockErrors all;
  for (const BlockErrors &block : errors) {
    if (all.nonFinite < 0)
      all.nonFinite = block.nonFinite;
    if (all.firstOverflow < 0)
      all.firstOverflow = block.firstOverflow;
    all.overflows += block.overflows;
  }
  if (overflows)
    *overflows = all.overflows;
  if (all.nonFinite >= 0 && !options.allowNonFinite) {
    float value = loadOne(source, sourceType, all.nonFinite);
    return formatError(tensor + "element " + std::to_string(all.nonFinite) +
                       ": expected a finite value, found " +
                       (value != value ? "NaN" : "infinity") +
                       "; repair the source or allow non-finite values "
                       "explicitly");
  }
  if (all.overflows > 0) {
    char value[32];
    std::snprintf(value, sizeof(value), "%g",
                  loadOne(source, sourceType, all.firstOverflow));
    return formatError(
        tensor + std::to_string(all.overflows) + " of " +
        std::to_string(count) + " elements exceed the range of " +
        dtypeName(resultType) + ", first element " +
        std::to_string(all.firstOverflow) + " = " + value +
        (resultType == SF_DTYPE_F16 ? "; use BF16 or scale the tensor"
                                    : "; scale the tensor"));
  }
  return Status::success();
}

bool sparseflow::rt::anyNonFinite(const uint16_t *data, int64_t count,
                                  sf_dtype dtype) {
  unsigned limit = nonFiniteMagnitude(dtype);
  constexpr int64_t chunk = 1 << 16;
  for (int64_t start = 0; start < count; start += chunk) {
    unsigned found = 0;
    for (int64_t i = start; i < std::min(count, start + chunk); ++i)
      found |= (data[i] & 0x7fffu) + (0x8000u - limit);
    if (found & 0x8000u)
      return true;
  }
  return false;
}

double sparseflow::rt::sumOfSquares(const uint16_t *data, int64_t count,
                                    sf_dtype dtype) {
  const FloatKernels &kernels = floatKernels();
  float stage[kStage];
  double sum = 0;
  for (int64_t start = 0; start < count; start += kStage) {
    int64_t part = std::min(kStage, count - start);
    (dtype == SF_DTYPE_F16 ? kernels.halfToFloat
                           : kernels.bfloatToFloat)(data + start, stage, part);
    sum += kernels.sumOfSquares(stage, part);
  }
  return sum;
}
