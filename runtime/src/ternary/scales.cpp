//===- scales.cpp - Scales of ternary weights -----------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ternary/pack.h"

#include "common/parallel.h"
#include "weights/convert.h"

#include <algorithm>
#include <cstring>

using namespace sparseflow::rt;

void sparseflow::rt::storeScale(float value, sf_dtype type, uint8_t *to) {
  if (type == SF_DTYPE_F32) {
    std::memcpy(to, &value, sizeof(value));
    return;
  }
  uint16_t bits =
      type == SF_DTYPE_F16 ? floatToHalf(value) : floatToBfloat(value);
  std::memcpy(to, &bits, sizeof(bits));
}

float sparseflow::rt::loadScale(const uint8_t *from, sf_dtype type) {
  if (type == SF_DTYPE_F32) {
    float value;
    std::memcpy(&value, from, sizeof(value));
    return value;
  }
  uint16_t bits;
  std::memcpy(&bits, from, sizeof(bits));
  return type == SF_DTYPE_F16 ? halfToFloat(bits) : bfloatToFloat(bits);
}

void sparseflow::rt::roundScales(float *scales, int64_t count, sf_dtype type) {
  uint8_t bytes[4];
  for (int64_t i = 0; i < count && type != SF_DTYPE_F32; ++i) {
    storeScale(scales[i], type, bytes);
    scales[i] = loadScale(bytes, type);
  }
}

void sparseflow::rt::expandTernary(const int8_t *trits, const float *scales,
                                   const TernaryFormat &format, int threads,
                                   float *result) {
  int64_t n = format.n, k = format.k;
  int64_t width =
      format.group > kRowScale ? format.group : std::max<int64_t>(k, 1);
  parallelFor(n, threads, [&](int64_t row) {
    float *target = result + row * k;
    for (int64_t first = 0, group = 0; first < k; first += width, ++group) {
      int64_t end = std::min(first + width, k);
      for (int plane = 0; plane < format.planes; ++plane) {
        const int8_t *source = trits + (plane * n + row) * k;
        int64_t index = plane * format.scalesPerPlane();
        if (format.group != kTensorScale)
          index += group * n + row;
        float scale = scales[index];
        for (int64_t col = first; col < end; ++col) {
          float value = scale * float(source[col]);
          target[col] = plane == 0 ? value : target[col] + value;
        }
      }
    }
  });
}
