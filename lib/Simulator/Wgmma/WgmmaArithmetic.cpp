//===- WgmmaArithmetic.cpp - The arithmetic of wgmma ----------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Simulator/Wgmma/Wgmma.h"

#include <immintrin.h>

using namespace mlir::sparseflow::sim;

namespace {

/// `lanes` columns of all rows of d, at most 64, which stay in registers for
/// all of k.
template <unsigned lanes>
inline __attribute__((always_inline)) void
multiplyColumns(float *d, const float *a, const uint8_t *columns,
                const float *b, unsigned n, unsigned stored, unsigned stride) {
  typedef float Vector __attribute__((vector_size(32)));
  constexpr unsigned vectors = lanes / 8;
  for (unsigned row = 0; row < 64; ++row) {
    float *out = d + row * n;
    Vector sums[vectors];
#pragma GCC unroll 8
    for (unsigned v = 0; v < vectors; ++v)
      std::memcpy(&sums[v], out + 8 * v, 32);
    for (unsigned i = 0; i < stored; ++i) {
      float factor = a[row * stored + i];
      const float *line =
          b + stride * (columns ? columns[row * stored + i] : i);
#pragma GCC unroll 8
      for (unsigned v = 0; v < vectors; ++v) {
        Vector other;
        std::memcpy(&other, line + 8 * v, 32);
        sums[v] += factor * other;
      }
    }
#pragma GCC unroll 8
    for (unsigned v = 0; v < vectors; ++v)
      std::memcpy(out + 8 * v, &sums[v], 32);
  }
}

inline __attribute__((always_inline)) void
multiplyIn(float *d, const float *a, const uint8_t *columns, const float *b,
           unsigned n, unsigned stored, unsigned stride) {
  unsigned first = 0;
  for (; first + 64 <= n; first += 64)
    multiplyColumns<64>(d + first, a, columns, b + first, n, stored, stride);
  for (; first + 32 <= n; first += 32)
    multiplyColumns<32>(d + first, a, columns, b + first, n, stored, stride);
  for (; first < n; first += 8)
    multiplyColumns<8>(d + first, a, columns, b + first, n, stored, stride);
}

#if defined(__x86_64__)
__attribute__((target("avx2,fma"))) void
multiplyAvx2(float *d, const float *a, const uint8_t *columns, const float *b,
             unsigned n, unsigned stored, unsigned stride) {
  multiplyIn(d, a, columns, b, n, stored, stride);
}
#endif

void multiplyPlain(float *d, const float *a, const uint8_t *columns,
                   const float *b, unsigned n, unsigned stored,
                   unsigned stride) {
  multiplyIn(d, a, columns, b, n, stored, stride);
}

#if defined(__x86_64__)
__attribute__((target("avx2,f16c"))) void widenHalvesF16c(const void *from,
                                                          float *to) {
  __m128i halves;
  std::memcpy(&halves, from, sizeof halves);
  _mm256_storeu_ps(to, _mm256_cvtph_ps(halves));
}
#endif

void widenHalvesPlain(const void *from, float *to) {
  uint16_t halves[8];
  std::memcpy(halves, from, sizeof halves);
  for (unsigned i = 0; i < 8; ++i) {
    // Exponent and mantissa move into place; a multiplication by 2^112 corrects
    // the bias and makes subnormal halves normal.
    uint32_t magnitude = uint32_t(halves[i] & 0x7fff) << 13;
    float scaled;
    std::memcpy(&scaled, &magnitude, sizeof scaled);
    scaled *= 0x1p112f;
    uint32_t bits;
    std::memcpy(&bits, &scaled, sizeof bits);
    if (magnitude >= 0x0f800000) // infinities and NaNs
      bits |= 0x7f800000;
    bits |= uint32_t(halves[i] & 0x8000) << 16;
    std::memcpy(&to[i], &bits, sizeof bits);
  }
}

} // namespace

void mlir::sparseflow::sim::multiplyPanels(float *d, const float *a,
                                           const uint8_t *columns,
                                           const float *b, unsigned n,
                                           unsigned stored, unsigned stride) {
#if defined(__x86_64__)
  static const bool avx2 =
      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (avx2)
    return multiplyAvx2(d, a, columns, b, n, stored, stride);
#endif
  multiplyPlain(d, a, columns, b, n, stored, stride);
}

void mlir::sparseflow::sim::widenEight(bool bfloat, const void *from,
                                       float *to) {
  if (bfloat) {
    uint16_t halves[8];
    std::memcpy(halves, from, sizeof halves);
    for (unsigned i = 0; i < 8; ++i) {
      uint32_t bits = uint32_t(halves[i]) << 16;
      std::memcpy(&to[i], &bits, sizeof bits);
    }
    return;
  }
#if defined(__x86_64__)
  static const bool f16c =
      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("f16c");
  if (f16c)
    return widenHalvesF16c(from, to);
#endif
  widenHalvesPlain(from, to);
}
