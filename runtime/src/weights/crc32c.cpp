//===- crc32c.cpp - CRC-32C checksums -------------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "weights/crc32c.h"

#include <cstring>

#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

using namespace sparseflow::rt;

namespace {
/// table[j][b]: the CRC of byte b followed by j zero bytes ("slicing by 8").
struct Tables {
  uint32_t table[8][256];
};
} // namespace

static constexpr Tables makeTables() {
  Tables t{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit)
      crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78u : 0);
    t.table[0][byte] = crc;
  }
  for (int j = 1; j < 8; ++j)
    for (uint32_t byte = 0; byte < 256; ++byte) {
      uint32_t previous = t.table[j - 1][byte];
      t.table[j][byte] = previous >> 8 ^ t.table[0][previous & 0xff];
    }
  return t;
}
static constexpr Tables tables = makeTables();

uint32_t sparseflow::rt::portableCrc32c(const void *data, size_t bytes,
                                        uint32_t crc) {
  const auto *next = static_cast<const uint8_t *>(data);
  crc = ~crc;
  for (; bytes >= 8; bytes -= 8, next += 8) {
    uint64_t word;
    std::memcpy(&word, next, sizeof(word));
    word ^= crc;
    crc = 0;
    for (int j = 0; j < 8; ++j)
      crc ^= tables.table[7 - j][word >> (8 * j) & 0xff];
  }
  for (; bytes > 0; --bytes, ++next)
    crc = crc >> 8 ^ tables.table[0][(crc ^ *next) & 0xff];
  return ~crc;
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) static uint32_t
hardwareCrc32c(const void *data, size_t bytes, uint32_t crc) {
  const auto *next = static_cast<const uint8_t *>(data);
  uint64_t state = ~crc;
  for (; bytes >= 8; bytes -= 8, next += 8) {
    uint64_t word;
    std::memcpy(&word, next, sizeof(word));
    state = _mm_crc32_u64(state, word);
  }
  uint32_t tail = state;
  for (; bytes > 0; --bytes, ++next)
    tail = _mm_crc32_u8(tail, *next);
  return ~tail;
}
#endif

uint32_t sparseflow::rt::crc32c(const void *data, size_t bytes, uint32_t crc) {
#if defined(__x86_64__)
  static const bool usable = __builtin_cpu_supports("sse4.2");
  if (usable)
    return hardwareCrc32c(data, bytes, crc);
#endif
  return portableCrc32c(data, bytes, crc);
}
