//===- Races.cpp - Accesses that no barrier orders ------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Races.h"

#include <algorithm>

using namespace mlir::sparseflow::sim;

void RaceDetector::reset(uint64_t bytes) { shadows.assign(bytes, Shadow()); }

bool RaceDetector::ordered(const Access &earlier, uint32_t thread,
                           const Clock &clock) {
  // Time 0 is before the block began: nothing was there.
  if (earlier.blockTime == 0 || earlier.thread == thread ||
      earlier.blockTime < clock.block)
    return true;
  return earlier.thread / 32u == thread / 32 &&
         earlier.warpTime < clock.warps[thread / 32];
}

bool RaceDetector::access(uint64_t offset, uint32_t bytes, AccessKind kind,
                          uint32_t thread, uint32_t site, const Clock &clock,
                          Conflict &conflict) {
  bool found = false;
  auto clash = [&](bool writes, bool pending, uint32_t other,
                   uint32_t otherSite) {
    if (found)
      return;
    found = true;
    conflict.earlierWrites = writes;
    conflict.pending = pending;
    conflict.thread = other;
    conflict.site = otherSite;
  };
  Access now;
  now.site = site;
  now.blockTime = clock.block;
  now.warpTime = clock.warps[thread / 32];
  now.thread = static_cast<uint16_t>(thread);
  now.atomic = kind == AccessKind::Atomic;
  uint64_t end = std::min<uint64_t>(offset + bytes, shadows.size());
  for (uint64_t at = offset; at < end; ++at) {
    Shadow &shadow = shadows[at];
    if (shadow.copying)
      clash(true, true, shadow.copyThread, shadow.copySite);
    bool bothAtomic = now.atomic && shadow.write.atomic;
    if (!bothAtomic && !ordered(shadow.write, thread, clock))
      clash(true, false, shadow.write.thread, shadow.write.site);
    if (kind == AccessKind::Read) {
      if (shadow.read.thread / 32u != thread / 32)
        shadow.otherRead = shadow.read;
      shadow.read = now;
      continue;
    }
    for (const Access *read : {&shadow.read, &shadow.otherRead})
      if (!ordered(*read, thread, clock))
        clash(false, false, read->thread, read->site);
    shadow.write = now;
  }
  return found;
}

void RaceDetector::beginCopy(uint64_t offset, uint32_t bytes, uint32_t thread,
                             uint32_t site) {
  uint64_t end = std::min<uint64_t>(offset + bytes, shadows.size());
  for (uint64_t at = offset; at < end; ++at) {
    shadows[at].copying = true;
    shadows[at].copyThread = static_cast<uint16_t>(thread);
    shadows[at].copySite = site;
  }
}

void RaceDetector::endCopy(uint64_t offset, uint32_t bytes) {
  uint64_t end = std::min<uint64_t>(offset + bytes, shadows.size());
  for (uint64_t at = offset; at < end; ++at)
    shadows[at].copying = false;
}
