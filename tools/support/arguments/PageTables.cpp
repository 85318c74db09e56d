//===- PageTables.cpp - Random page tables that appends may use -----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "arguments/PageTables.h"

#include "arguments/Random.h"

#include <algorithm>
#include <numeric>

using namespace sparseflow;
using namespace sparseflow::tools;

static int32_t *numbersOf(HostTensor &tensor) {
  return reinterpret_cast<int32_t *>(tensor.data.data());
}

std::vector<bool>
sparseflow::tools::writtenEntries(const std::vector<int64_t> &shape,
                                  const std::vector<PagedWrites> &writes) {
  int64_t columns = shape[1];
  std::vector<bool> written(static_cast<size_t>(shape[0] * columns));
  for (const PagedWrites &write : writes)
    for (int64_t entry = 0; entry < shape[0]; ++entry) {
      int64_t first = 0, last = columns * write.size - 1;
      if (write.lengths) {
        const auto *lengths =
            reinterpret_cast<const int32_t *>(write.lengths->data.data());
        first = std::max<int64_t>(first, lengths[entry]);
        last = std::min(last, lengths[entry] + write.tokens - 1);
      }
      if (first > last || write.tokens == 0)
        continue;
      for (int64_t c = first / write.size; c <= last / write.size; ++c)
        written[entry * columns + c] = true;
    }
  return written;
}

void sparseflow::tools::beginPages(HostTensor &lengths, int64_t size) {
  for (size_t i = 0; i < lengths.count(); ++i)
    numbersOf(lengths)[i] -= static_cast<int32_t>(numbersOf(lengths)[i] % size);
}

void sparseflow::tools::fillPageTable(HostTensor &table, uint64_t stream,
                                      int64_t pages,
                                      const std::vector<bool> &written) {
  fillUniform(table, stream, std::max<int64_t>(0, pages - 1));
  std::vector<int32_t> order(static_cast<size_t>(pages));
  std::iota(order.begin(), order.end(), 0);
  for (size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1],
              order[mixBits(streamSeed(stream, i)) % static_cast<uint64_t>(i)]);
  int32_t *numbers = numbersOf(table);
  size_t taken = 0, columns = static_cast<size_t>(table.shape[1]);
  for (size_t i = 0; i < written.size() && taken < order.size(); ++i)
    if (written[i])
      numbers[i] = order[taken++];
  size_t left = order.size() - taken;
  for (size_t i = 0; i < written.size() && taken; ++i) {
    if (written[i])
      continue;
    // The number that is there already says which one.
    auto drawn = static_cast<size_t>(numbers[i]);
    if (left) {
      numbers[i] = order[taken + drawn % left];
      continue;
    }
    size_t row = i / columns * columns;
    for (size_t c = 0; c < columns; ++c)
      if (size_t at = row + (drawn + c) % columns; written[at]) {
        numbers[i] = numbers[at];
        break;
      }
  }
}
