//===- GlobalRaces.cpp - Races between CTAs in global memory --------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Simulator/Checks/GlobalRaces.h"

#include <algorithm>
#include <sys/mman.h>

using namespace mlir::sparseflow::sim;

namespace {
constexpr unsigned clusterShift = 40, epochShift = 24;
constexpr uint64_t atomicBit = uint64_t(1) << 23, siteMask = atomicBit - 1;
uint64_t clusterOf(uint64_t entry) { return entry >> clusterShift; }
uint32_t epochOf(uint64_t entry) {
  return static_cast<uint32_t>(entry >> epochShift & 0xffff);
}
} // namespace

GlobalRaces::GlobalRaces(const BufferTable &buffers) {
  for (const BufferTable::Entry &entry : buffers.all()) {
    // Zeros, which take no memory until they are touched.
    uint64_t bytes = entry.end - entry.begin;
    void *mapped =
        bytes ? ::mmap(nullptr, bytes * sizeof(Shadow), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
              : MAP_FAILED;
    if (mapped != MAP_FAILED)
      ranges.push_back({entry.begin, entry.end, static_cast<Shadow *>(mapped)});
  }
}

GlobalRaces::~GlobalRaces() {
  for (const Range &range : ranges)
    ::munmap(range.shadows, (range.end - range.begin) * sizeof(Shadow));
}

GlobalRaces::Party &GlobalRaces::party(uint64_t cluster) {
  std::unique_ptr<Party> &known = parties[cluster];
  if (!known)
    known = std::make_unique<Party>();
  return *known;
}

void GlobalRaces::synchronise(uint64_t address, uint64_t cluster) {
  std::lock_guard<std::mutex> lock(mutex);
  Party &own = party(cluster);
  Known &place = places[address];
  for (const auto &[other, epoch] : place)
    own.known[other] = std::max(own.known[other], epoch);
  uint32_t epoch = own.epoch.load(std::memory_order_relaxed);
  own.known[cluster] = epoch;
  place = own.known;
  if (epoch < 0xffff)
    own.epoch.store(epoch + 1, std::memory_order_relaxed);
  if (std::find(own.touched.begin(), own.touched.end(), address) ==
      own.touched.end())
    own.touched.push_back(address);
}

bool GlobalRaces::ordered(uint64_t entry, uint64_t cluster) {
  std::lock_guard<std::mutex> lock(mutex);
  Party &own = party(cluster);
  auto knows = [&] {
    auto it = own.known.find(clusterOf(entry));
    return it != own.known.end() && it->second >= epochOf(entry);
  };
  if (knows())
    return true;
  // An atomic operation is noted a little before it is carried out. One that
  // was noted since may be what this cluster's own has seen.
  for (uint64_t address : own.touched)
    for (const auto &[other, epoch] : places[address])
      own.known[other] = std::max(own.known[other], epoch);
  return knows();
}

bool GlobalRaces::access(uint64_t address, uint64_t bytes, AccessKind kind,
                         uint64_t cluster, uint32_t site, Earlier &earlier) {
  const Range *range = nullptr;
  for (const Range &candidate : ranges)
    if (address >= candidate.begin && address + bytes <= candidate.end)
      range = &candidate;
  if (!range)
    return false;
  bool atomic = kind == AccessKind::Atomic;
  uint32_t epoch;
  if (atomic) {
    synchronise(address, cluster);
    // It belongs to what it releases.
    std::lock_guard<std::mutex> lock(mutex);
    epoch = party(cluster).known[cluster];
  } else {
    std::lock_guard<std::mutex> lock(mutex);
    epoch = party(cluster).epoch.load(std::memory_order_relaxed);
  }
  uint64_t now = cluster << clusterShift | uint64_t(epoch) << epochShift |
                 (atomic ? atomicBit : 0) | (site & siteMask);
  bool found = false;
  auto clash = [&](bool writes, uint64_t entry) {
    if (found)
      return;
    found = true;
    bool several = entry == severalReaders;
    earlier = {writes, several ? 0 : clusterOf(entry),
               several ? 0 : static_cast<uint32_t>(entry & siteMask)};
  };
  for (uint64_t i = address - range->begin; i < address + bytes - range->begin;
       ++i) {
    Shadow &shadow = range->shadows[i];
    uint64_t write = shadow.write.load(std::memory_order_relaxed);
    if (write && clusterOf(write) != cluster &&
        !(atomic && (write & atomicBit)) && !ordered(write, cluster))
      clash(true, write);
    if (kind == AccessKind::Read) {
      uint64_t read = shadow.read.load(std::memory_order_relaxed);
      if (!read || clusterOf(read) == cluster)
        shadow.read.store(now, std::memory_order_relaxed);
      else
        shadow.read.store(severalReaders, std::memory_order_relaxed);
      continue;
    }
    uint64_t read = shadow.read.load(std::memory_order_relaxed);
    // Of several readers it is not known which; a cluster that read last and
    // alone is compared.
    if (read && read != severalReaders && clusterOf(read) != cluster &&
        !ordered(read, cluster))
      clash(false, read);
    shadow.write.store(now, std::memory_order_relaxed);
  }
  return found;
}
