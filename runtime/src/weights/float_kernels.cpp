//===- float_kernels.cpp - Inner loops of conversions ---------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "weights/float_kernels.h"

#include "weights/convert.h"

#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#define SPARSEFLOW_HAS_F16C 1
#define SPARSEFLOW_F16C_TARGET __attribute__((target("avx2,f16c")))
#endif
#define SPARSEFLOW_INLINE static inline __attribute__((always_inline))

using namespace sparseflow::rt;

SPARSEFLOW_INLINE uint32_t bitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}
SPARSEFLOW_INLINE float floatOf(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

float sparseflow::rt::halfToFloat(uint16_t half) {
  uint32_t sign = uint32_t(half & 0x8000) << 16;
  uint32_t exponent = half >> 10 & 0x1f, mantissa = half & 0x3ff;
  if (exponent == 0x1f) // a NaN becomes quiet, as in hardware
    return floatOf(sign | 0x7f800000 | mantissa << 13 |
                   (mantissa ? 0x400000 : 0));
  if (exponent != 0)
    return floatOf(sign | (exponent + 112) << 23 | mantissa << 13);
  if (mantissa == 0)
    return floatOf(sign);
  // Denormal: move the leading one to the hidden place.
  int shift = __builtin_clz(mantissa) - 21;
  return floatOf(sign | uint32_t(113 - shift) << 23 |
                 (mantissa << shift & 0x3ff) << 13);
}

float sparseflow::rt::bfloatToFloat(uint16_t bfloat) {
  return floatOf(uint32_t(bfloat) << 16);
}

uint16_t sparseflow::rt::floatToHalf(float value) {
  uint32_t bits = bitsOf(value), magnitude = bits & 0x7fffffff;
  uint16_t sign = bits >> 16 & 0x8000;
  if (magnitude > 0x7f800000)
    return sign | 0x7e00 | (magnitude >> 13 & 0x3ff);
  if (magnitude >= 0x477ff000) // 65520: half way between 65504 and 65536
    return sign | 0x7c00;
  if (magnitude >= 0x38800000) { // 2^-14: normal
    uint32_t rounded = magnitude + 0xfff + (magnitude >> 13 & 1);
    return sign | ((rounded - 0x38000000) >> 13);
  }
  if (magnitude <= 0x33000000) // 2^-25: half of the smallest denormal
    return sign;
  uint32_t mantissa = (magnitude & 0x7fffff) | 0x800000;
  int shift = 126 - int(magnitude >> 23); // 14 .. 24
  uint32_t half = uint32_t(1) << (shift - 1), odd = mantissa >> shift & 1;
  return sign | ((mantissa + half - 1 + odd) >> shift);
}

SPARSEFLOW_INLINE uint16_t roundToBfloat(float value) {
  uint32_t bits = bitsOf(value);
  uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  uint32_t quiet = bits >> 16 | 0x40;
  return (bits & 0x7fffffff) > 0x7f800000 ? quiet : rounded;
}

uint16_t sparseflow::rt::floatToBfloat(float value) {
  return roundToBfloat(value);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

static void portableHalfToFloat(const void *half, float *result,
                                int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    uint16_t bits;
    std::memcpy(&bits, static_cast<const char *>(half) + 2 * i, 2);
    result[i] = halfToFloat(bits);
  }
}

static bool portableFloatToHalf(const float *source, void *half,
                                int64_t count) {
  unsigned seen = 0;
  for (int64_t i = 0; i < count; ++i) {
    uint16_t bits = floatToHalf(source[i]);
    seen |= (bits & 0x7fffu) + 0x400u;
    std::memcpy(static_cast<char *>(half) + 2 * i, &bits, 2);
  }
  return seen & 0x8000u;
}

// The loops below vectorise well as they are; they are inlined into one
// function for each instruction set.

SPARSEFLOW_INLINE void bfloatToFloatLoop(const void *bfloat, float *result,
                                         int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    uint16_t bits;
    std::memcpy(&bits, static_cast<const char *>(bfloat) + 2 * i, 2);
    result[i] = floatOf(uint32_t(bits) << 16);
  }
}

SPARSEFLOW_INLINE bool floatToBfloatLoop(const float *source, void *bfloat,
                                         int64_t count) {
  uint32_t seen = 0;
  for (int64_t i = 0; i < count; ++i) {
    uint16_t bits = roundToBfloat(source[i]);
    seen |= (bits & 0x7fffu) + 0x80u;
    std::memcpy(static_cast<char *>(bfloat) + 2 * i, &bits, 2);
  }
  return seen & 0x8000u;
}

SPARSEFLOW_INLINE bool copyFloatLoop(const float *source, void *result,
                                     int64_t count) {
  uint32_t seen = 0;
  for (int64_t i = 0; i < count; ++i)
    seen |= (bitsOf(source[i]) & 0x7fffffffu) + 0x800000u;
  std::memcpy(result, source, count * 4);
  return seen & 0x80000000u;
}

SPARSEFLOW_INLINE double sumOfSquaresLoop(const float *source, int64_t count) {
  double partial[16] = {};
  int64_t i = 0;
  for (; i + 16 <= count; i += 16)
    for (int j = 0; j < 16; ++j)
      partial[j] += double(source[i + j]) * source[i + j];
  for (; i < count; ++i)
    partial[i % 16] += double(source[i]) * source[i];
  for (int width = 8; width > 0; width /= 2)
    for (int j = 0; j < width; ++j)
      partial[j] += partial[j + width];
  return partial[0];
}

static void portableBfloatToFloat(const void *bfloat, float *result,
                                  int64_t count) {
  bfloatToFloatLoop(bfloat, result, count);
}
static bool portableFloatToBfloat(const float *source, void *bfloat,
                                  int64_t count) {
  return floatToBfloatLoop(source, bfloat, count);
}
static bool portableCopyFloat(const float *source, void *result,
                              int64_t count) {
  return copyFloatLoop(source, result, count);
}
static double portableSumOfSquares(const float *source, int64_t count) {
  return sumOfSquaresLoop(source, count);
}

const FloatKernels &sparseflow::rt::portableFloatKernels() {
  static const FloatKernels kernels = {
      "portable",          portableHalfToFloat,   portableBfloatToFloat,
      portableFloatToHalf, portableFloatToBfloat, portableCopyFloat,
      portableSumOfSquares};
  return kernels;
}

#ifdef SPARSEFLOW_HAS_F16C

SPARSEFLOW_F16C_TARGET static void
f16cHalfToFloat(const void *half, float *result, int64_t count) {
  const char *from = static_cast<const char *>(half);
  int64_t i = 0;
  for (; i + 8 <= count; i += 8)
    _mm256_storeu_ps(result + i,
                     _mm256_cvtph_ps(_mm_loadu_si128(
                         reinterpret_cast<const __m128i *>(from + 2 * i))));
  portableHalfToFloat(from + 2 * i, result + i, count - i);
}

SPARSEFLOW_F16C_TARGET static bool f16cFloatToHalf(const float *source,
                                                   void *half, int64_t count) {
  char *to = static_cast<char *>(half);
  __m128i seen = _mm_setzero_si128();
  const __m128i magnitude = _mm_set1_epi16(0x7fff);
  const __m128i toLimit = _mm_set1_epi16(0x400);
  int64_t i = 0;
  for (; i + 8 <= count; i += 8) {
    __m128i bits =
        _mm256_cvtps_ph(_mm256_loadu_ps(source + i),
                        _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    _mm_storeu_si128(reinterpret_cast<__m128i *>(to + 2 * i), bits);
    seen = _mm_or_si128(seen,
                        _mm_add_epi16(_mm_and_si128(bits, magnitude), toLimit));
  }
  bool tail = portableFloatToHalf(source + i, to + 2 * i, count - i);
  return tail | ((_mm_movemask_epi8(seen) & 0xaaaa) != 0);
}

SPARSEFLOW_F16C_TARGET static void
avx2BfloatToFloat(const void *bfloat, float *result, int64_t count) {
  bfloatToFloatLoop(bfloat, result, count);
}
SPARSEFLOW_F16C_TARGET static bool
avx2FloatToBfloat(const float *source, void *bfloat, int64_t count) {
  return floatToBfloatLoop(source, bfloat, count);
}
SPARSEFLOW_F16C_TARGET static bool avx2CopyFloat(const float *source,
                                                 void *result, int64_t count) {
  return copyFloatLoop(source, result, count);
}
SPARSEFLOW_F16C_TARGET static double avx2SumOfSquares(const float *source,
                                                      int64_t count) {
  return sumOfSquaresLoop(source, count);
}

#endif // SPARSEFLOW_HAS_F16C

const FloatKernels &sparseflow::rt::floatKernels() {
#ifdef SPARSEFLOW_HAS_F16C
  static const FloatKernels f16c = {
      "avx2+f16c",       f16cHalfToFloat, avx2BfloatToFloat, f16cFloatToHalf,
      avx2FloatToBfloat, avx2CopyFloat,   avx2SumOfSquares};
  static const bool usable =
      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("f16c");
  if (usable)
    return f16c;
#endif
  return portableFloatKernels();
}
