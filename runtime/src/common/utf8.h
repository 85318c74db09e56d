//===- utf8.h - Strict UTF-8 ------------------------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RT_COMMON_UTF8_H
#define SPARSEFLOW_RT_COMMON_UTF8_H

#include <cstddef>
#include <string>

namespace sparseflow::rt {

/// Bytes (1..4) of the well-formed UTF-8 sequence at the front of `bytes`, or
/// 0: stray continuation, overlong form, surrogate, above U+10FFFF or cut
/// short. `size` is the number of readable bytes and at least 1.
inline size_t utf8SequenceLength(const unsigned char *bytes, size_t size) {
  unsigned char first = bytes[0];
  if (first < 0x80)
    return 1;
  size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || size < length)
    return 0;
  // The second byte carries the limits that exclude overlong forms,
  // surrogates and values above U+10FFFF.
  unsigned char low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  unsigned char high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  if (bytes[1] < low || bytes[1] > high)
    return 0;
  for (size_t i = 2; i < length; ++i)
    if ((bytes[i] & 0xc0) != 0x80)
      return 0;
  return length;
}

/// True when all of `text` is well-formed UTF-8.
inline bool isUtf8(const std::string &text) {
  const auto *bytes = reinterpret_cast<const unsigned char *>(text.data());
  for (size_t i = 0; i < text.size();) {
    size_t length = utf8SequenceLength(bytes + i, text.size() - i);
    if (length == 0)
      return false;
    i += length;
  }
  return true;
}

} // namespace sparseflow::rt

#endif // SPARSEFLOW_RT_COMMON_UTF8_H
