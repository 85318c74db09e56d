//===- Mbarrier.cpp - Barriers in shared memory ---------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Simulator/Machine/Mbarrier.h"

#include "Simulator/Machine/Cluster.h"

#include <algorithm>

using namespace mlir::sparseflow::sim;

namespace {
/// PTX: the tx-count lies between -(2^20 - 1) and 2^20 - 1.
constexpr int64_t maxTransactions = (1 << 20) - 1;

uint64_t &word(uint64_t address) {
  return *reinterpret_cast<uint64_t *>(address);
}
} // namespace

Mbarrier &Block::findMbarrier(Thread &thread, uint64_t address, uint32_t site,
                              Block *&owner) {
  owner = cluster.owner(address);
  if (!owner)
    stop(thread, FindingKind::OutOfBounds, site, address,
         "an mbarrier at 0x%llx, which is not shared memory of the cluster",
         static_cast<unsigned long long>(address));
  if (address % 8)
    stop(thread, FindingKind::Misaligned, site, address,
         "an mbarrier at 0x%llx: expected a multiple of 8",
         static_cast<unsigned long long>(address));
  owner->checkShared(thread, address, 8, "uses the mbarrier of", site);
  auto place = owner->mbarriers.find(address);
  if (place == owner->mbarriers.end())
    stop(thread, FindingKind::BadOperand, site, address,
         "the mbarrier at byte %lld of shared memory%s has not been "
         "initialised",
         static_cast<long long>(address - owner->dynamicRange.begin),
         owner == this ? "" : " of another CTA");
  if (word(address) != Mbarrier::initialized)
    stop(thread, FindingKind::BadOperand, site, address,
         "the mbarrier at byte %lld of shared memory was overwritten: it holds "
         "0x%llx",
         static_cast<long long>(address - owner->dynamicRange.begin),
         static_cast<unsigned long long>(word(address)));
  // Whoever uses it has to know of its initialisation.
  if (launch.races)
    owner->detect(thread, address, 8, AccessKind::Read, site);
  return place->second;
}

void Block::initMbarrier(Thread &thread, uint64_t address, uint32_t count,
                         uint32_t site) {
  access(thread, address, 8, 8, AccessKind::Write, site);
  if (!holds(address))
    stop(thread, FindingKind::BadOperand, site, address,
         "initialises an mbarrier of another CTA");
  if (count == 0 || count > Mbarrier::maxCount)
    stop(thread, FindingKind::BadOperand, site, address,
         "an mbarrier for %u arrivals: expected 1 to %u", count,
         Mbarrier::maxCount);
  auto place = mbarriers.find(address);
  if (place != mbarriers.end() && word(address) == Mbarrier::initialized)
    stop(thread, FindingKind::BadOperand, site, address,
         "the mbarrier at byte %lld of shared memory is initialised already "
         "and was not invalidated",
         static_cast<long long>(address - dynamicRange.begin));
  Mbarrier &barrier = mbarriers[address];
  barrier = Mbarrier();
  barrier.expected = barrier.pending = count;
  barrier.site = site;
  if (launch.races)
    barrier.agent = cluster.detector().newBarrierAgent();
  word(address) = Mbarrier::initialized;
}

void Block::invalidateMbarrier(Thread &thread, uint64_t address,
                               uint32_t site) {
  Block *owner;
  Mbarrier &barrier = findMbarrier(thread, address, site, owner);
  if (!barrier.waiting.empty() || !barrier.inFlight.empty())
    stop(thread, FindingKind::BadOperand, site, address,
         "invalidates an mbarrier at which %zu threads wait and %zu copies are "
         "on their way",
         barrier.waiting.size(), barrier.inFlight.size());
  owner->mbarriers.erase(address);
  std::memset(&word(address), 0xff, 8);
}

/// Ends the phase when all that it waits for has come.
void Block::completePhase(Mbarrier &barrier) {
  if (barrier.pending || barrier.transactions)
    return;
  ++barrier.phase;
  if (launch.races) {
    cluster.detector().merge(barrier.complete, barrier.gathering);
    barrier.gathering = Meeting();
  }
  barrier.pending = barrier.expected;
  cluster.progress();
  for (Thread *waiting : barrier.waiting)
    waiting->block->ready(*waiting);
  barrier.waiting.clear();
}

uint64_t Block::arriveMbarrier(Thread &thread, uint64_t address, uint32_t count,
                               uint64_t expectBytes, bool drop, uint32_t site) {
  Block *owner;
  Mbarrier &barrier = findMbarrier(thread, address, site, owner);
  uint64_t state = uint64_t(barrier.phase) << 32 | barrier.pending;
  if (count == 0 || count > barrier.pending)
    stop(thread, FindingKind::BadOperand, site, address,
         "%u arrivals at the mbarrier at byte %lld of shared memory, which "
         "waits for %u of %u in phase %u",
         count, static_cast<long long>(address - owner->dynamicRange.begin),
         barrier.pending, barrier.expected, barrier.phase);
  barrier.transactions += static_cast<int64_t>(expectBytes);
  if (barrier.transactions > maxTransactions)
    stop(thread, FindingKind::BadOperand, site, address,
         "the mbarrier would wait for %lld bytes: it can count %lld",
         static_cast<long long>(barrier.transactions),
         static_cast<long long>(maxTransactions));
  if (drop)
    barrier.expected -= count;
  if (launch.races)
    cluster.detector().release(numberOf(thread), barrier.gathering);
  barrier.pending -= count;
  owner->completePhase(barrier);
  return state;
}

void Block::expectBytes(Thread &thread, uint64_t address, uint32_t bytes,
                        uint32_t site) {
  Block *owner;
  findMbarrier(thread, address, site, owner).transactions += bytes;
}

void Block::completeBytes(Thread &thread, uint64_t address, uint32_t bytes,
                          uint32_t site) {
  Block *owner;
  Mbarrier &barrier = findMbarrier(thread, address, site, owner);
  barrier.transactions -= bytes;
  owner->completePhase(barrier);
}

bool Block::waitMbarrier(Thread &thread, uint64_t address, uint32_t phase,
                         bool parity, bool wait, bool loop, uint32_t site) {
  Block *owner;
  findMbarrier(thread, address, site, owner);
  if (owner != this)
    stop(thread, FindingKind::BadOperand, site, address,
         "waits at an mbarrier of another CTA: expected one of its own");
  if (parity && phase > 1)
    stop(thread, FindingKind::BadOperand, site, address,
         "waits for parity %u: expected 0 or 1", phase);
  // What the barrier holds may change whenever others run.
  auto complete = [&] {
    Mbarrier &barrier = findMbarrier(thread, address, site, owner);
    bool is = parity ? (barrier.phase & 1) != phase : barrier.phase != phase;
    if (is && launch.races)
      cluster.detector().acquire(numberOf(thread), barrier.complete);
    return is;
  };
  if (complete()) {
    thread.tries = 0;
    return true;
  }
  thread.mbarrier = address;
  thread.phase = phase;
  if (!wait || (!loop && thread.tries++ % 2 == 0)) {
    cluster.poll(thread, site, &findMbarrier(thread, address, site, owner));
    return complete();
  }
  while (!complete()) {
    thread.site = site;
    thread.state = ThreadState::AtMbarrier;
    uint32_t before = mbarriers[address].phase;
    mbarriers[address].waiting.push_back(&thread);
    cluster.yield(thread);
    // Woken, it may find that the next phase has ended, too: with parity that
    // looks as if nothing had, and hardware may be as late.
    uint32_t phases = findMbarrier(thread, address, site, owner).phase - before;
    if (parity && phases > 1)
      stop(thread, FindingKind::Race, site, address,
           "waits for parity %u at the mbarrier at byte %lld of shared memory, "
           "which went through %u phases before the thread ran again: "
           "expected that the next phase cannot end before all have seen "
           "this one",
           phase, static_cast<long long>(address - dynamicRange.begin), phases);
  }
  thread.tries = 0;
  return true;
}

std::string Block::describeMbarrier(const Thread &thread) const {
  auto place = mbarriers.find(thread.mbarrier);
  if (place == mbarriers.end())
    return "an mbarrier that is gone, ";
  const Mbarrier &barrier = place->second;
  std::string text = "the mbarrier at byte " +
                     std::to_string(static_cast<int64_t>(thread.mbarrier -
                                                         dynamicRange.begin)) +
                     " for parity " + std::to_string(thread.phase & 1) +
                     " (phase " + std::to_string(barrier.phase) + " lacks " +
                     std::to_string(barrier.pending) + " of " +
                     std::to_string(barrier.expected) + " arrivals and ";
  if (barrier.transactions < 0)
    text += "received " + std::to_string(-barrier.transactions) +
            " bytes more than it expects";
  else
    text += std::to_string(barrier.transactions) + " bytes";
  if (!barrier.inFlight.empty())
    text += ", " + std::to_string(barrier.inFlight.size()) + " copies to come";
  return text + "), ";
}
