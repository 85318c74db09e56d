//===- BlockCache.cpp - Memory of temporary buffers -----------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Target/CPU/Device/BlockCache.h"
#include "llvm/Support/MathExtras.h"
#include <cstdint>
#include <cstdlib>
#include <map>
#include <mutex>

using namespace mlir::sparseflow;

/// Smaller blocks stay in the C library's heap.
static constexpr size_t kLeastBytes = size_t(1) << 16;
static constexpr size_t kMostKept = size_t(1) << 26;

namespace {
/// In front of every block.
struct alignas(16) Header {
  /// Bytes behind the header.
  size_t bytes;
};

struct Cache {
  std::mutex mutex;
  std::multimap<size_t, Header *> blocks;
  size_t kept = 0;
};
} // namespace

/// Never destroyed: code may run while the process ends.
static Cache &getCache() {
  static Cache *cache = new Cache;
  return *cache;
}

/// Sizes in steps of an eighth, so that a block fits texts that grow.
static size_t roundUp(size_t bytes) {
  return llvm::alignTo(bytes, llvm::bit_floor(bytes) / 8);
}

void *cpu::allocateBlock(size_t bytes) {
  if (bytes > SIZE_MAX / 2)
    return nullptr;
  if (bytes >= kLeastBytes) {
    bytes = roundUp(bytes);
    Cache &cache = getCache();
    std::lock_guard<std::mutex> lock(cache.mutex);
    auto found = cache.blocks.find(bytes);
    if (found != cache.blocks.end()) {
      Header *header = found->second;
      cache.blocks.erase(found);
      cache.kept -= bytes;
      return header + 1;
    }
  }
  auto *header = static_cast<Header *>(std::malloc(sizeof(Header) + bytes));
  if (!header)
    return nullptr;
  header->bytes = bytes;
  return header + 1;
}

void cpu::releaseBlock(void *block) {
  if (!block)
    return;
  Header *header = static_cast<Header *>(block) - 1;
  if (header->bytes >= kLeastBytes) {
    Cache &cache = getCache();
    std::lock_guard<std::mutex> lock(cache.mutex);
    if (header->bytes <= kMostKept - cache.kept) {
      cache.blocks.emplace(header->bytes, header);
      cache.kept += header->bytes;
      return;
    }
  }
  std::free(header);
}
