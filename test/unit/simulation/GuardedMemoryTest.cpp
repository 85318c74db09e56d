//===- GuardedMemoryTest.cpp - Tensors with nothing around them -----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GuardedMemory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <unistd.h>
#include <vector>

using mlir::sparseflow::simulation::GuardedMemory;

/// Whether the process may read the byte: a pipe takes it, or says that it
/// could not be read where a load would end the test.
static bool isReadable(const uint8_t *address) {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  bool isRead = ::write(ends[1], address, 1) == 1;
  ::close(ends[0]);
  ::close(ends[1]);
  return isRead;
}

TEST(GuardedMemory, HoldsItsBytesAndNothingAround) {
  constexpr size_t bytes = (3 << 20) + 5;
  GuardedMemory memory(bytes);
  std::memset(memory.data(), 0x5A, bytes);
  EXPECT_EQ(std::count(memory.data(), memory.data() + bytes, 0x5A),
            static_cast<ptrdiff_t>(bytes));
  EXPECT_TRUE(isReadable(memory.data() + bytes - 1));
  const auto page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  for (size_t beyond : {page, bytes / 2, bytes - page}) {
    EXPECT_FALSE(isReadable(memory.data() + bytes + beyond)) << beyond;
    EXPECT_FALSE(isReadable(memory.data() - beyond)) << beyond;
  }
}

TEST(GuardedMemory, AddressesAreMultiplesOf256Only) {
  for (size_t bytes : {0, 1, 255, 4096, 1 << 20}) {
    GuardedMemory memory(bytes);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(memory.data()) % 512, 256u) << bytes;
  }
}

TEST(GuardedMemory, SmallOnesAreFarApart) {
  std::vector<GuardedMemory> memories;
  std::vector<uintptr_t> addresses;
  for (int i = 0; i < 50; ++i) {
    memories.emplace_back(24);
    addresses.push_back(reinterpret_cast<uintptr_t>(memories.back().data()));
  }
  std::sort(addresses.begin(), addresses.end());
  for (size_t i = 1; i < addresses.size(); ++i)
    EXPECT_GT(addresses[i] - addresses[i - 1], size_t(2) << 20);
  // Still theirs after the vector has moved them.
  for (GuardedMemory &memory : memories)
    std::memset(memory.data(), 1, 24);
}

TEST(GuardedMemory, MoreThanThereIsThrows) {
  EXPECT_THROW(GuardedMemory(SIZE_MAX), std::bad_alloc);
  EXPECT_THROW(GuardedMemory(SIZE_MAX / 2), std::bad_alloc);
}
