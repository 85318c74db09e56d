//===- tensor_shape.cpp - Sizes of stored tensors -------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "io/tensor_shape.h"

#include <algorithm>

using namespace sparseflow::rt;

std::string sparseflow::rt::shapeText(const std::vector<int64_t> &shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + "]";
}

Expected<uint64_t>
sparseflow::rt::tensorBytes(const std::vector<int64_t> &shape, sf_dtype dtype) {
  if (dtypeBits(dtype) == 0)
    return unsupported("an unknown element type");
  bool empty = false;
  int64_t bits = dtypeBits(dtype);
  for (int64_t size : shape) {
    if (size < 0)
      return formatError("shape " + shapeText(shape) + " has a negative size");
    empty |= size == 0;
    if (__builtin_mul_overflow(bits, std::max<int64_t>(size, 1), &bits))
      return formatError("shape " + shapeText(shape) + " of " +
                         dtypeName(dtype) +
                         " has more bits than 63 bits can count");
  }
  if (empty)
    return uint64_t(0);
  if (bits % 8 != 0)
    return formatError("shape " + shapeText(shape) + " of " + dtypeName(dtype) +
                       " does not fill whole bytes");
  return uint64_t(bits / 8);
}
