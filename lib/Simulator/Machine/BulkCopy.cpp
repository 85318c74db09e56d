//===- BulkCopy.cpp - Copies of the asynchronous proxy --------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Simulator/Machine/Cluster.h"
#include "Simulator/Machine/TensorTile.h"

#include <algorithm>

using namespace mlir::sparseflow::sim;

/// What copies and stores of tiles have in common. Returns the bytes of the
/// box, which lies at `shared`.
uint32_t Block::checkTile(Thread &thread, const TensorMap &map,
                          const int32_t *coordinates, uint64_t shared,
                          bool store, uint32_t site) {
  if (const char *problem = checkTensorMap(map))
    stop(thread, FindingKind::BadOperand, site, 0, "%s", problem);
  TileUse use = store ? TileUse::Store : TileUse::Load;
  std::string problem = checkCoordinates(map, coordinates, use);
  if (!problem.empty())
    stop(thread, FindingKind::BadOperand, site, 0, "%s", problem.c_str());
  if (shared % 128)
    stop(thread, FindingKind::Misaligned, site, shared,
         "%s a tile %s 0x%llx of shared memory: expected a multiple of 128",
         store ? "stores" : "copies", store ? "from" : "to",
         static_cast<unsigned long long>(shared));
  AccessKind kind = store ? AccessKind::Write : AccessKind::Read;
  TileAccess range = tileBounds(map, coordinates, use);
  if (range.bytes)
    checkGlobal(thread, range.address, range.bytes, kind, site);
  if (launch.globalRaces)
    forEachRun(map, coordinates, use, [&](uint64_t address, uint32_t bytes) {
      noteGlobal(thread, address, bytes, kind, site);
    });
  uint32_t bytes = tileBytes(map);
  if (launch.wavefronts && !store) {
    uint64_t elements = 0;
    forEachRun(map, coordinates, use,
               [&](uint64_t, uint32_t inside) { elements += inside; });
    launch.boxBytes += bytes;
    launch.paddingBytes += bytes - elements;
  }
  return bytes;
}

void Block::issueBulk(Thread &thread, InFlight &copy, uint64_t barrierAddress,
                      bool multicast, uint32_t mask) {
  copy.issuer = &thread;
  uint32_t site = copy.site;
  if (copy.tile) {
    copy.bytes = checkTile(thread, copy.map, copy.coordinates, copy.to,
                           /*store=*/false, site);
  } else if (!copy.immediate) {
    if (copy.bytes % 16 || copy.to % 16 || copy.map.address % 16)
      stop(thread, FindingKind::Misaligned, site, copy.to,
           "copies %u bytes from 0x%llx to 0x%llx: expected multiples of 16",
           copy.bytes, static_cast<unsigned long long>(copy.map.address),
           static_cast<unsigned long long>(copy.to));
    if (cluster.owner(copy.map.address))
      checkShared(thread, copy.map.address, copy.bytes, "copies", site);
    else if (copy.bytes) {
      checkGlobal(thread, copy.map.address, copy.bytes, AccessKind::Read, site);
      noteGlobal(thread, copy.map.address, copy.bytes, AccessKind::Read, site);
    }
  }
  Block *target = cluster.owner(copy.to);
  Block *signalled = cluster.owner(barrierAddress);
  if (!target)
    stop(thread, FindingKind::OutOfBounds, site, copy.to,
         "copies to 0x%llx, which is not shared memory of the cluster",
         static_cast<unsigned long long>(copy.to));
  if (!signalled || (!multicast && signalled != target))
    stop(thread, FindingKind::BadOperand, site, barrierAddress,
         "the mbarrier at 0x%llx is not in the CTA that the copy goes to",
         static_cast<unsigned long long>(barrierAddress));
  if (multicast && (mask == 0 || mask >> cluster.size()))
    stop(thread, FindingKind::BadOperand, site, 0,
         "the multicast mask 0x%x names CTAs that the cluster of %u does not "
         "have, or none",
         mask, cluster.size());
  if (!multicast)
    mask = 1u << target->rank;
  uint64_t place = copy.to - target->windowBase;
  uint64_t barrierPlace = barrierAddress - signalled->windowBase;
  for (uint32_t r = 0; r < cluster.size(); ++r) {
    if (!(mask >> r & 1))
      continue;
    Block &block = cluster.block(r);
    copy.to = block.windowBase + place;
    Block *owner;
    Mbarrier &barrier =
        findMbarrier(thread, block.windowBase + barrierPlace, site, owner);
    block.checkShared(thread, copy.to, copy.bytes, "copies to", site);
    block.checkAsync(thread, block.windowBase + barrierPlace, 8, false, site);
    block.checkAsync(thread, copy.to, copy.bytes, true, site);
    block.beginBulk(thread, copy);
    barrier.inFlight.push_back(copy);
    if (!launch.lateCopies)
      block.landCopy(barrier);
  }
}

void Block::beginBulk(Thread &thread, const InFlight &copy) {
  if (launch.races)
    cluster.detector().beginWrite(rank, copy.to - windowBase, copy.bytes,
                                  numberOf(thread), copy.site);
  if (launch.lateCopies)
    std::memset(reinterpret_cast<void *>(copy.to), launch.poison, copy.bytes);
}

void Block::landCopy(Mbarrier &barrier) {
  InFlight &copy = barrier.inFlight.front();
  auto *to = reinterpret_cast<uint8_t *>(copy.to);
  if (copy.tile)
    loadTile(copy.map, copy.coordinates, copy.to);
  else if (copy.immediate)
    std::memcpy(to, copy.value, copy.bytes);
  else
    std::memmove(to, reinterpret_cast<const void *>(copy.map.address),
                 copy.bytes);
  if (launch.races) {
    RaceDetector &detector = cluster.detector();
    uint32_t time = detector.advance(barrier.agent, barrier.gathering);
    detector.noteWrite(rank, copy.to - windowBase, copy.bytes, barrier.agent,
                       time, copy.site);
  }
  barrier.transactions -= copy.bytes;
  barrier.inFlight.pop_front();
  completePhase(barrier);
}

void Block::issueStore(Thread &thread, BulkStore &store) {
  uint32_t site = store.site;
  if (store.tile) {
    store.bytes = checkTile(thread, store.map, store.coordinates, store.from,
                            /*store=*/true, site);
  } else {
    if (store.bytes % 16 || store.from % 16 || store.map.address % 16)
      stop(thread, FindingKind::Misaligned, site, store.from,
           "stores %u bytes from 0x%llx to 0x%llx: expected multiples of 16",
           store.bytes, static_cast<unsigned long long>(store.from),
           static_cast<unsigned long long>(store.map.address));
    if (store.bytes) {
      checkGlobal(thread, store.map.address, store.bytes, AccessKind::Write,
                  site);
      noteGlobal(thread, store.map.address, store.bytes, AccessKind::Write,
                 site);
    }
  }
  if (!holds(store.from))
    stop(thread, FindingKind::OutOfBounds, site, store.from,
         "stores from 0x%llx, which is not the CTA's shared memory",
         static_cast<unsigned long long>(store.from));
  checkShared(thread, store.from, store.bytes, "stores", site);
  checkAsync(thread, store.from, store.bytes, false, site);
  if (launch.races)
    cluster.detector().beginRead(rank, store.from - windowBase, store.bytes,
                                 numberOf(thread), site);
  thread.stores.push_back(store);
  if (!launch.lateCopies)
    readStore(thread, thread.stores.back());
}

void Block::readStore(Thread &thread, BulkStore &store) {
  if (store.read)
    return;
  store.read = true;
  if (launch.races)
    cluster.detector().endRead(rank, store.from - windowBase, store.bytes,
                               numberOf(thread), 0, store.site);
  auto *from = reinterpret_cast<const uint8_t *>(store.from);
  store.data.assign(from, from + store.bytes);
}

static void writeStore(const BulkStore &store) {
  if (store.tile)
    storeTile(store.map, store.coordinates, store.data.data(), store.from);
  else
    std::memcpy(reinterpret_cast<void *>(store.map.address), store.data.data(),
                store.bytes);
}

void Block::commitStores(Thread &thread) {
  thread.storeGroupEnds.push_back(thread.stores.size());
}

void Block::waitStores(Thread &thread, size_t pending, bool onlyRead) {
  std::vector<size_t> &ends = thread.storeGroupEnds;
  if (ends.size() <= pending)
    return;
  size_t groups = ends.size() - pending;
  size_t landing = ends[groups - 1];
  for (size_t i = 0; i < landing; ++i)
    readStore(thread, thread.stores[i]);
  if (onlyRead)
    return;
  for (size_t i = 0; i < landing; ++i)
    writeStore(thread.stores[i]);
  thread.stores.erase(thread.stores.begin(),
                      thread.stores.begin() + static_cast<long>(landing));
  ends.erase(ends.begin(), ends.begin() + static_cast<long>(groups));
  for (size_t &end : ends)
    end -= landing;
}

/// All threads have ended: what is still on its way lands, or never does.
void Block::finish() {
  for (Thread &thread : threads)
    for (BulkStore &store : thread.stores) {
      if (!store.read) {
        Finding finding = describe(thread, FindingKind::AsyncRace, store.site);
        finding.message = "the thread ended before this store had read shared "
                          "memory: expected cp.async.bulk.wait_group.read";
        report(std::move(finding));
        return;
      }
      writeStore(store);
    }
  for (auto &[address, barrier] : mbarriers)
    if (!barrier.inFlight.empty()) {
      const InFlight &copy = barrier.inFlight.front();
      Finding finding = copy.issuer->block->describe(
          *copy.issuer, FindingKind::AsyncRace, copy.site);
      finding.message =
          "the CTA ended before this copy into its shared memory had landed: "
          "nothing waited for it at the mbarrier at byte " +
          std::to_string(static_cast<int64_t>(address - dynamicRange.begin));
      report(std::move(finding));
      return;
    }
}

void Block::setRegisters(Thread &thread, uint32_t wanted, bool increase,
                         uint32_t site) {
  if (wanted % 8 || wanted < 24 || wanted > 256)
    stop(thread, FindingKind::BadOperand, site, 0,
         "setmaxnreg %u: expected a multiple of 8 from 24 to 256", wanted);
  uint32_t w = thread.warp;
  // The first lane of the warp to come does it for all.
  if (!increase) {
    if (wanted > registers[w])
      stop(thread, FindingKind::BadOperand, site, 0,
           "setmaxnreg.dec to %u registers; the thread has %u", wanted,
           registers[w]);
    freeRegisters += (registers[w] - wanted) * 32;
    registers[w] = wanted;
    for (Thread &other : threads)
      if (other.state == ThreadState::AtRegisters)
        ready(other);
    return;
  }
  if (wanted < registers[w])
    stop(thread, FindingKind::BadOperand, site, 0,
         "setmaxnreg.inc to %u registers; the thread has %u", wanted,
         registers[w]);
  while ((wanted - std::min(wanted, registers[w])) * 32 > freeRegisters) {
    thread.state = ThreadState::AtRegisters;
    thread.site = site;
    cluster.yield(thread);
  }
  freeRegisters -= (wanted - std::min(wanted, registers[w])) * 32;
  registers[w] = wanted;
}
