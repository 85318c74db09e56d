//===- Races.cpp - Accesses that nothing orders ---------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Simulator/Checks/Races.h"

#include <algorithm>

using namespace mlir::sparseflow::sim;

void RaceDetector::reset(uint32_t threadsPerBlock, uint32_t blocks,
                         uint64_t bytesPerBlock) {
  threads = threadsPerBlock * blocks;
  firstBarrier = threads + blocks * groupsPerBlock;
  nextBarrier = firstBarrier;
  width = firstBarrier + maxBarriers;
  blockBytes = bytesPerBlock;
  clocks.assign(size_t(threads) * width, 0);
  fencedClocks.assign(size_t(threads) * width, 0);
  readClocks.clear();
  agentTimes.assign(width, 0);
  for (uint32_t t = 0; t < threads; ++t)
    clock(t)[t] = 1;
  shadows.assign(blockBytes * blocks, Shadow());
}

uint32_t RaceDetector::newBarrierAgent() {
  // Beyond the last they share one, and some races go unseen.
  return nextBarrier + 1 < width ? nextBarrier++ : nextBarrier;
}

static void join(uint32_t *into, const uint32_t *from, uint32_t width) {
  for (uint32_t i = 0; i < width; ++i)
    into[i] = std::max(into[i], from[i]);
}

void RaceDetector::joinReads(std::vector<uint32_t> &into,
                             const uint32_t *from) const {
  into.resize(width);
  join(into.data(), from, width);
}

void RaceDetector::release(uint32_t thread, Meeting &meeting) {
  meeting.known.resize(width);
  meeting.fenced.resize(width);
  join(meeting.known.data(), clock(thread), width);
  join(meeting.fenced.data(), fenced(thread), width);
  if (!readClocks.empty())
    joinReads(meeting.reads, reads(thread));
  ++clock(thread)[thread];
}

void RaceDetector::acquire(uint32_t thread, const Meeting &meeting) {
  if (meeting.known.empty())
    return;
  join(clock(thread), meeting.known.data(), width);
  join(fenced(thread), meeting.fenced.data(), width);
  if (!meeting.reads.empty() && !readClocks.empty())
    join(reads(thread), meeting.reads.data(), width);
}

void RaceDetector::merge(Meeting &into, const Meeting &from) {
  if (from.known.empty())
    return;
  into.known.resize(width);
  into.fenced.resize(width);
  join(into.known.data(), from.known.data(), width);
  join(into.fenced.data(), from.fenced.data(), width);
  if (!from.reads.empty())
    joinReads(into.reads, from.reads.data());
}

void RaceDetector::meet(uint32_t first, uint32_t mask) {
  Meeting meeting;
  for (uint32_t rest = mask; rest; rest &= rest - 1)
    release(first + static_cast<uint32_t>(__builtin_ctz(rest)), meeting);
  for (uint32_t rest = mask; rest; rest &= rest - 1)
    acquire(first + static_cast<uint32_t>(__builtin_ctz(rest)), meeting);
}

void RaceDetector::fence(uint32_t thread) {
  std::copy_n(clock(thread), width, fenced(thread));
  // Later writes need another fence.
  ++clock(thread)[thread];
}

void RaceDetector::learn(uint32_t thread, uint32_t agent, uint32_t time) {
  uint32_t &known = clock(thread)[agent];
  known = std::max(known, time);
}

void RaceDetector::learnReads(uint32_t thread, uint32_t other, uint32_t time) {
  if (readClocks.empty())
    readClocks.assign(size_t(threads) * width, 0);
  uint32_t &known = reads(thread)[other];
  known = std::max(known, time);
}

uint32_t RaceDetector::advance(uint32_t agent, Meeting &meeting) {
  meeting.known.resize(width);
  meeting.fenced.resize(width);
  return meeting.known[agent] = ++agentTimes[agent];
}

void RaceDetector::noteRead(Shadow &shadow, const Access &now) {
  // An agent is a warp of its own.
  if (shadow.read.who / 32u != now.who / 32u ||
      shadow.read.async != now.async ||
      (now.async && shadow.read.who != now.who))
    shadow.otherRead = shadow.read;
  shadow.read = now;
}

bool RaceDetector::access(uint32_t rank, uint64_t offset, uint32_t bytes,
                          AccessKind kind, uint32_t thread, uint32_t site,
                          Conflict &conflict) {
  bool found = false;
  auto clash = [&](Conflict::Kind how, bool writes, uint32_t who,
                   uint32_t earlier) {
    if (!found)
      conflict = {how, writes, who, earlier};
    found = true;
  };
  Access now;
  now.site = site;
  now.time = clock(thread)[thread];
  now.who = static_cast<uint16_t>(thread);
  now.atomic = kind == AccessKind::Atomic;
  uint64_t end = std::min<uint64_t>(offset + bytes, blockBytes);
  for (uint64_t at = offset; at < end; ++at) {
    Shadow &shadow = *begin(rank, at);
    if (shadow.copying)
      clash(Conflict::PendingCopy, true, shadow.pendingWho, shadow.pendingSite);
    bool bothAtomic = now.atomic && shadow.write.atomic;
    if (!bothAtomic && !ordered(shadow.write, thread))
      clash(Conflict::Unordered, true, shadow.write.who, shadow.write.site);
    if (kind == AccessKind::Read) {
      noteRead(shadow, now);
      continue;
    }
    if (shadow.readers)
      clash(Conflict::PendingRead, false, shadow.pendingWho,
            shadow.pendingSite);
    for (const Access *read : {&shadow.read, &shadow.otherRead})
      if (!readOrdered(*read, thread))
        clash(Conflict::Unordered, false, read->who, read->site);
    shadow.write = now;
  }
  return found;
}

bool RaceDetector::asyncAccess(uint32_t rank, uint64_t offset, uint32_t bytes,
                               bool writes, uint32_t thread, uint32_t site,
                               Conflict &conflict) {
  uint64_t end = std::min<uint64_t>(offset + bytes, blockBytes);
  const uint32_t *good = fenced(thread);
  for (uint64_t at = offset; at < end; ++at) {
    const Shadow &shadow = *begin(rank, at);
    const Access &write = shadow.write;
    if (shadow.copying) {
      conflict = {Conflict::PendingCopy, true, shadow.pendingWho,
                  shadow.pendingSite};
      return true;
    }
    if (!ordered(write, thread)) {
      conflict = {Conflict::Unordered, true, write.who, write.site};
      return true;
    }
    if (write.time && !write.async && good[write.who] < write.time) {
      conflict = {Conflict::NoFence, true, write.who, write.site};
      return true;
    }
    if (!writes)
      continue;
    if (shadow.readers) {
      conflict = {Conflict::PendingRead, false, shadow.pendingWho,
                  shadow.pendingSite};
      return true;
    }
    for (const Access *read : {&shadow.read, &shadow.otherRead})
      if (!readOrdered(*read, thread)) {
        conflict = {Conflict::Unordered, false, read->who, read->site};
        return true;
      }
  }
  return false;
}

void RaceDetector::beginWrite(uint32_t rank, uint64_t offset, uint32_t bytes,
                              uint32_t who, uint32_t site) {
  uint64_t end = std::min<uint64_t>(offset + bytes, blockBytes);
  for (uint64_t at = offset; at < end; ++at) {
    Shadow &shadow = *begin(rank, at);
    shadow.copying = true;
    shadow.pendingWho = static_cast<uint16_t>(who);
    shadow.pendingSite = site;
  }
}

void RaceDetector::endWrite(uint32_t rank, uint64_t offset, uint32_t bytes) {
  uint64_t end = std::min<uint64_t>(offset + bytes, blockBytes);
  for (uint64_t at = offset; at < end; ++at)
    begin(rank, at)->copying = false;
}

void RaceDetector::noteWrite(uint32_t rank, uint64_t offset, uint32_t bytes,
                             uint32_t agent, uint32_t time, uint32_t site) {
  Access now;
  now.site = site;
  now.time = time;
  now.who = static_cast<uint16_t>(agent);
  now.async = true;
  uint64_t end = std::min<uint64_t>(offset + bytes, blockBytes);
  for (uint64_t at = offset; at < end; ++at) {
    Shadow &shadow = *begin(rank, at);
    shadow.copying = false;
    shadow.write = now;
  }
}

void RaceDetector::beginRead(uint32_t rank, uint64_t offset, uint32_t bytes,
                             uint32_t who, uint32_t site) {
  uint64_t end = std::min<uint64_t>(offset + bytes, blockBytes);
  for (uint64_t at = offset; at < end; ++at) {
    Shadow &shadow = *begin(rank, at);
    ++shadow.readers;
    shadow.pendingWho = static_cast<uint16_t>(who);
    shadow.pendingSite = site;
  }
}

void RaceDetector::endRead(uint32_t rank, uint64_t offset, uint32_t bytes,
                           uint32_t who, uint32_t time, uint32_t site) {
  Access now;
  now.site = site;
  now.time = time ? time : clock(who)[who];
  now.who = static_cast<uint16_t>(who);
  now.async = isAgent(who);
  uint64_t end = std::min<uint64_t>(offset + bytes, blockBytes);
  for (uint64_t at = offset; at < end; ++at) {
    Shadow &shadow = *begin(rank, at);
    --shadow.readers;
    noteRead(shadow, now);
  }
}
