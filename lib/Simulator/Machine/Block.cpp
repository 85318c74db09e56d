//===- Block.cpp - One CTA ------------------------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Simulator/Machine/Cluster.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>

using namespace mlir::sparseflow::sim;

Block::Block(Launch &launch, Cluster &cluster, uint32_t rank,
             uint64_t windowBase)
    : launch(launch), cluster(cluster), rank(rank), windowBase(windowBase) {
  count = static_cast<uint32_t>(launch.block.count());
  warps = (count + 31) / 32;
  dynamicRange.begin = windowBase + launch.kernel->shared.dynamicOffset;
  dynamicRange.end = dynamicRange.begin + launch.sharedBytes;
  threads.resize(warps * 32);
}

void Block::start(uint64_t index) {
  // Uninitialised shared memory reads as poison.
  uint64_t used = dynamicRange.end - windowBase;
  std::memset(reinterpret_cast<void *>(windowBase), launch.poison, used);
  for (NamedBarrier &barrier : barriers)
    barrier = NamedBarrier();
  mbarriers.clear();
  for (Warpgroup &group : warpgroups)
    group.reset();
  const Dim3 &block = launch.block, &grid = launch.grid;
  const Dim3 &shape = launch.kernel->cluster;
  uint32_t x = static_cast<uint32_t>(index % grid.x);
  uint32_t y = static_cast<uint32_t>(index / grid.x % grid.y);
  uint32_t z = static_cast<uint32_t>(index / (uint64_t(grid.x) * grid.y));
  for (uint32_t t = 0; t < warps * 32; ++t) {
    Thread &thread = threads[t];
    thread.reset();
    thread.block = this;
    thread.sharedBase = windowBase;
    thread.index = t;
    thread.warp = t / 32;
    thread.lane = t % 32;
    thread.state = t < count ? ThreadState::Ready : ThreadState::Done;
    const uint32_t registers[NumSpecialRegisters] = {t % block.x,
                                                     t / block.x % block.y,
                                                     t / (block.x * block.y),
                                                     block.x,
                                                     block.y,
                                                     block.z,
                                                     x,
                                                     y,
                                                     z,
                                                     grid.x,
                                                     grid.y,
                                                     grid.z,
                                                     t % 32,
                                                     t / 32,
                                                     warps,
                                                     32,
                                                     x / shape.x,
                                                     y / shape.y,
                                                     z / shape.z,
                                                     grid.x / shape.x,
                                                     grid.y / shape.y,
                                                     grid.z / shape.z,
                                                     x % shape.x,
                                                     y % shape.y,
                                                     z % shape.z,
                                                     shape.x,
                                                     shape.y,
                                                     shape.z,
                                                     rank,
                                                     cluster.size()};
    std::memcpy(thread.registers, registers, sizeof registers);
    if (t < count)
      thread.stackPointer = cluster.getStacks().prepare(
          rank * cluster.threadsOfBlock() + t, Cluster::fibreMain);
  }
  // What ptxas may give each thread of a kernel that asks for all it can get.
  uint32_t each = launch.kernel->maxRegisters;
  if (!each)
    each = std::min(255u, 65536 / (warps * 32 * launch.kernel->residentCtas)) /
           8 * 8;
  freeRegisters = 0;
  readyWarps = 0;
  for (uint32_t w = 0; w < warps; ++w) {
    uint32_t lanes = count - w * 32;
    uint32_t all = lanes >= 32 ? ~0u : (1u << lanes) - 1;
    readyLanes[w] = all;
    exited[w] = ~all;
    waitingLanes[w] = 0;
    registers[w] = each;
    readyWarps |= 1u << w;
  }
  alive = count;
  warpNow = 0;
  overlaps = dependencyOver = false;
}

/// The next thread that can run, which stays in the set of ready ones until it
/// waits. There has to be one.
Thread *Block::pick() {
  auto lowestFrom = [](uint32_t set, uint32_t from) {
    uint32_t upper = set & (~0u << (from & 31));
    return static_cast<uint32_t>(__builtin_ctz(upper ? upper : set));
  };
  if (launch.seed && cluster.random() % 4 == 0)
    warpNow = lowestFrom(readyWarps, cluster.random() % 32);
  if (!(readyWarps >> warpNow & 1))
    warpNow = lowestFrom(readyWarps, warpNow);
  uint32_t lane =
      lowestFrom(readyLanes[warpNow], launch.seed ? cluster.random() % 32 : 0);
  return &threads[warpNow * 32 + lane];
}

void Block::ready(Thread &thread) {
  thread.state = ThreadState::Ready;
  readyLanes[thread.warp] |= 1u << thread.lane;
  readyWarps |= 1u << thread.warp;
  cluster.setReady(rank, true);
}

void Block::notReady(Thread &thread) {
  readyLanes[thread.warp] &= ~(1u << thread.lane);
  if (!readyLanes[thread.warp])
    readyWarps &= ~(1u << thread.warp);
  if (!readyWarps)
    cluster.setReady(rank, false);
}

Finding Block::describe(const Thread &thread, FindingKind kind,
                        uint32_t site) const {
  Finding finding;
  finding.kind = kind;
  finding.kernel = launch.kernel->name;
  finding.block = {thread.registers[CtaidX], thread.registers[CtaidY],
                   thread.registers[CtaidZ]};
  finding.thread = {thread.registers[TidX], thread.registers[TidY],
                    thread.registers[TidZ]};
  if (site)
    finding.instruction = launch.kernel->sites[site].text;
  return finding;
}

void Block::report(Finding finding) {
  std::lock_guard<std::mutex> lock(launch.mutex);
  launch.findings.push_back({orderInLaunch(), std::move(finding)});
}

void Block::stop(const Thread &thread, FindingKind kind, uint32_t site,
                 uint64_t address, const char *format, ...) {
  {
    char message[512];
    va_list list;
    va_start(list, format);
    std::vsnprintf(message, sizeof message, format, list);
    va_end(list);
    Finding finding = describe(thread, kind, site);
    finding.address = address;
    finding.message = message;
    report(std::move(finding));
  }
  cluster.abandon();
}

/// Whether both wait for the same thing.
static bool waitAlike(const Thread &a, const Thread &b) {
  return a.state == b.state && a.site == b.site &&
         (a.state != ThreadState::AtBarrier || a.barrier == b.barrier) &&
         ((a.state != ThreadState::AtMbarrier &&
           a.state != ThreadState::Polling) ||
          (a.mbarrier == b.mbarrier && a.phase == b.phase));
}

void Block::appendWaiting(std::string &message) const {
  // Threads that wait for the same thing, together.
  std::vector<bool> told(threads.size(), false);
  for (uint32_t t = 0; t < count; ++t) {
    const Thread &thread = threads[t];
    if (told[t] || thread.state == ThreadState::Done)
      continue;
    std::string who;
    uint32_t together = 0;
    for (uint32_t u = t; u < count; ++u) {
      if (!waitAlike(threads[u], thread))
        continue;
      uint32_t last = u;
      told[u] = true;
      ++together;
      // A run of neighbours is written as one.
      while (last + 1 < count && waitAlike(threads[last + 1], thread)) {
        told[++last] = true;
        ++together;
      }
      who += (who.empty() ? "" : ", ") + std::to_string(u) +
             (last > u ? "-" + std::to_string(last) : "");
      u = last;
    }
    message += "\n  " + std::to_string(together) + " threads (" + who + ")";
    if (cluster.size() > 1)
      message += " of CTA " + std::to_string(rank) + " of the cluster";
    message += " wait at ";
    if (thread.state == ThreadState::AtBarrier)
      message += "barrier " + std::to_string(thread.barrier) + ", ";
    if (thread.state == ThreadState::AtClusterBarrier)
      message += "the cluster's barrier, ";
    if (thread.state == ThreadState::AtRegisters)
      message += "setmaxnreg for more registers than the block has free (" +
                 std::to_string(freeRegisters) + "), ";
    if (thread.state == ThreadState::AtMbarrier ||
        thread.state == ThreadState::Polling)
      message += describeMbarrier(thread);
    message += launch.kernel->sites[thread.site].text;
  }
}

void mlir::sparseflow::sim::requireWarp(const WarpCall &call,
                                        const char *instruction) {
  if (call.mask == ~0u)
    return;
  Thread &first = call.lanes[__builtin_ctz(call.mask)];
  first.block->stop(first, FindingKind::BadOperand, call.site, 0,
                    "%s needs all 32 lanes, found 0x%x", instruction,
                    call.mask);
}
