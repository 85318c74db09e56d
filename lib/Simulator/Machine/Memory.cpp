//===- Memory.cpp - What a kernel may touch -------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Simulator/Machine/Memory.h"

#include <algorithm>
#include <sys/mman.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

using namespace mlir::sparseflow::sim;

SharedWindow::~SharedWindow() {
  if (address)
    ::munmap(reinterpret_cast<void *>(address), bytes);
}

bool SharedWindow::map() {
  // From 1 GiB up: below it lie programs linked to a fixed address.
  for (uint64_t at = uint64_t(1) << 30; at < uint64_t(4) << 30; at += bytes) {
    void *mapped = ::mmap(
        reinterpret_cast<void *>(at), bytes, PROT_READ | PROT_WRITE,
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE, -1,
        0);
    if (mapped == reinterpret_cast<void *>(at)) {
      address = at;
      return true;
    }
    // A kernel without MAP_FIXED_NOREPLACE takes the address as a hint.
    if (mapped != MAP_FAILED)
      ::munmap(mapped, bytes);
  }
  return false;
}

void BufferTable::add(Entry entry) {
  auto place = std::upper_bound(
      entries.begin(), entries.end(), entry.begin,
      [](uint64_t begin, const Entry &other) { return begin < other.begin; });
  entries.insert(place, std::move(entry));
}

const BufferTable::Entry *BufferTable::below(uint64_t address) const {
  auto place = std::upper_bound(
      entries.begin(), entries.end(), address,
      [](uint64_t where, const Entry &other) { return where < other.begin; });
  return place == entries.begin() ? nullptr : &*(place - 1);
}

const BufferTable::Entry *BufferTable::above(uint64_t address) const {
  auto place = std::upper_bound(
      entries.begin(), entries.end(), address,
      [](uint64_t where, const Entry &other) { return where < other.begin; });
  return place == entries.end() ? nullptr : &*place;
}
