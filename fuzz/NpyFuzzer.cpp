//===- NpyFuzzer.cpp - Reads .npy files -----------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FuzzSupport.h"

#include "arguments/Npy.h"

using namespace sparseflow;
using namespace sparseflow::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  rt::Expected<tools::NpyArray> array = tools::parseNpy(data, size, "input");
  if (!array) {
    checkError(array.status());
    return 0;
  }
  // Sizes come from the header; an empty array may have large ones beside a 0.
  uint64_t count = 1;
  bool empty = false;
  for (int64_t dim : array->shape)
    empty |= dim == 0;
  for (int64_t dim : array->shape)
    if (!empty && __builtin_mul_overflow(count, uint64_t(dim), &count))
      broken("an accepted shape overflows");
  if (!empty && count > size)
    broken("more elements than the file has bytes");
  return 0;
}
