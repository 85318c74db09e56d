//===- GuardedMemory.cpp - A tensor of a simulated device -----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GuardedMemory.h"

#include <algorithm>
#include <new>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

using namespace mlir::sparseflow::simulation;

namespace {
constexpr size_t alignment = 256;
constexpr size_t leastGap = size_t(1) << 20;
constexpr size_t greatestGap = size_t(1) << 30;
} // namespace

GuardedMemory::GuardedMemory(size_t bytes) {
  const auto page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  auto wholePages = [&](size_t size) {
    return (size + page - 1) / page * page;
  };
  if (bytes > SIZE_MAX - 4 * greatestGap)
    throw std::bad_alloc();
  size_t inside = wholePages(alignment + bytes);
  size_t gap = wholePages(std::clamp(bytes, leastGap, greatestGap));
  mapped = gap + inside + gap;
  mapping = ::mmap(nullptr, mapped, PROT_NONE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED)
    throw std::bad_alloc();
  uint8_t *first = static_cast<uint8_t *>(mapping) + gap;
  if (::mprotect(first, inside, PROT_READ | PROT_WRITE)) {
    ::munmap(mapping, mapped);
    throw std::bad_alloc();
  }
  begin = first + alignment;
}

GuardedMemory::~GuardedMemory() {
  if (mapping)
    ::munmap(mapping, mapped);
}

GuardedMemory::GuardedMemory(GuardedMemory &&other) noexcept
    : mapping(std::exchange(other.mapping, nullptr)), mapped(other.mapped),
      begin(other.begin) {}
