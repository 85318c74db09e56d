//===- Block.cpp - Runs the threads of a block ----------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include <cstdarg>
#include <cstdio>

using namespace mlir::sparseflow::sim;

static thread_local Block *blockHere = nullptr;

Thread *mlir::sparseflow::sim::currentThread() {
  return blockHere->currentThread();
}

Block::Block(Launch &launch, SharedWindow &window)
    : launch(launch), window(window) {
  count = static_cast<uint32_t>(launch.block.count());
  warps = (count + 31) / 32;
  const SharedLayout &layout = launch.kernel->shared;
  staticRange = {window.base(), window.base()};
  dynamicRange.begin = window.base() + layout.dynamicOffset;
  dynamicRange.end = dynamicRange.begin + launch.sharedBytes;
}

uint64_t Block::random() {
  randomState ^= randomState << 13;
  randomState ^= randomState >> 7;
  randomState ^= randomState << 17;
  return randomState;
}

void Block::fibreMain() {
  // Nothing in this frame outlives a switch but what is read anew.
  blockHere->launch.kernel->entry(blockHere->launch.arguments);
  Block &block = *blockHere;
  Thread &thread = *block.current;
  thread.state = ThreadState::Done;
  block.exited[thread.warp] |= 1u << thread.lane;
  --block.alive;
  block.yield(thread);
  __builtin_unreachable();
}

void Block::startBlock(uint64_t index) {
  blockIndex = index;
  // Uninitialised shared memory reads as NaN.
  uint64_t used = dynamicRange.end - window.base();
  std::memset(reinterpret_cast<void *>(window.base()), 0xff, used);
  if (launch.races)
    detector.reset(used);
  clock = Clock();
  for (Barrier &barrier : barriers)
    barrier = Barrier();
  randomState =
      launch.seed ? launch.seed * 0x9e3779b97f4a7c15 + index * 0x100000001b3 + 1
                  : 0;
  if (launch.seed && randomState == 0)
    randomState = 1;
  const Dim3 &block = launch.block, &grid = launch.grid;
  for (uint32_t t = 0; t < warps * 32; ++t) {
    Thread &thread = threads[t];
    thread.block = this;
    thread.sharedBase = window.base();
    thread.index = t;
    thread.warp = t / 32;
    thread.lane = t % 32;
    thread.copies.clear();
    thread.groupEnds.clear();
    thread.state = t < count ? ThreadState::Ready : ThreadState::Done;
    const uint32_t registers[NumSpecialRegisters] = {
        t % block.x,
        t / block.x % block.y,
        t / (block.x * block.y),
        block.x,
        block.y,
        block.z,
        static_cast<uint32_t>(index % grid.x),
        static_cast<uint32_t>(index / grid.x % grid.y),
        static_cast<uint32_t>(index / (uint64_t(grid.x) * grid.y)),
        grid.x,
        grid.y,
        grid.z,
        t % 32,
        t / 32,
        warps};
    std::memcpy(thread.registers, registers, sizeof registers);
    if (t < count)
      thread.stackPointer = stacks.prepare(t, fibreMain);
  }
  readyWarps = 0;
  for (uint32_t w = 0; w < warps; ++w) {
    uint32_t lanes = count - w * 32;
    uint32_t all = lanes >= 32 ? ~0u : (1u << lanes) - 1;
    readyLanes[w] = all;
    exited[w] = ~all;
    waitingLanes[w] = 0;
    readyWarps |= 1u << w;
  }
  alive = count;
  warpNow = 0;
}

void Block::run() {
  if (!stacks.reserve(count)) {
    Finding finding;
    finding.kernel = launch.kernel->name;
    finding.message = "no memory for the stacks of " + std::to_string(count) +
                      " threads on this machine";
    std::lock_guard<std::mutex> lock(launch.mutex);
    launch.stopped = true;
    launch.findings.push_back({0, std::move(finding)});
    return;
  }
  threads.resize(warps * 32);
  if (launch.wavefronts)
    wavefronts.reset(launch.kernel->sites.size());
  blockHere = this;
  uint64_t total = launch.grid.count();
  while (!launch.stopped) {
    uint64_t index = launch.nextBlock.fetch_add(1);
    if (index >= total)
      break;
    if (launch.cancelled && launch.cancelled()) {
      launch.wasCancelled = true;
      launch.stopped = true;
      break;
    }
    startBlock(index);
    runThreads();
    ++blocks;
  }
  blockHere = nullptr;
  std::lock_guard<std::mutex> lock(launch.mutex);
  launch.blocks += blocks;
  launch.switches += switches;
  if (!launch.wavefronts)
    return;
  launch.traffic.resize(launch.kernel->sites.size());
  for (size_t site = 0; site < wavefronts.get().size(); ++site) {
    const WavefrontCounter::Count &count = wavefronts.get()[site];
    launch.traffic[site].accesses += count.accesses;
    launch.traffic[site].wavefronts += count.wavefronts;
    launch.traffic[site].ideal += count.ideal;
  }
}

void Block::runThreads() {
  while (alive && !launch.stopped) {
    current = pick();
    if (!current) {
      reportDeadlock();
      return;
    }
    ++switches;
    sparseflow_sim_switch(&scheduler, current->stackPointer);
  }
  if (launch.wavefronts)
    for (uint32_t w = 0; w < warps; ++w)
      wavefronts.flush(w);
}

/// The next thread that can run, which stays in the set of ready ones until it
/// waits; null when there is none.
Thread *Block::pick() {
  if (!readyWarps)
    return nullptr;
  auto lowestFrom = [](uint32_t set, uint32_t from) {
    uint32_t upper = set & (~0u << (from & 31));
    return static_cast<uint32_t>(__builtin_ctz(upper ? upper : set));
  };
  if (launch.seed && random() % 4 == 0)
    warpNow = lowestFrom(readyWarps, random() % 32);
  if (!(readyWarps >> warpNow & 1))
    warpNow = lowestFrom(readyWarps, warpNow);
  uint32_t lane =
      lowestFrom(readyLanes[warpNow], launch.seed ? random() % 32 : 0);
  return &threads[warpNow * 32 + lane];
}

void Block::ready(Thread &thread) {
  thread.state = ThreadState::Ready;
  readyLanes[thread.warp] |= 1u << thread.lane;
  readyWarps |= 1u << thread.warp;
}

/// Leaves the running thread, whose state says what it waits for.
void Block::yield(Thread &thread) {
  readyLanes[thread.warp] &= ~(1u << thread.lane);
  if (!readyLanes[thread.warp])
    readyWarps &= ~(1u << thread.warp);
  Thread *next =
      launch.stopped.load(std::memory_order_relaxed) ? nullptr : pick();
  if (!next) {
    sparseflow_sim_switch(&thread.stackPointer, scheduler);
    return;
  }
  current = next;
  ++switches;
  sparseflow_sim_switch(&thread.stackPointer, next->stackPointer);
}

Finding Block::describe(const Thread &thread, FindingKind kind,
                        uint32_t site) const {
  Finding finding;
  finding.kind = kind;
  finding.kernel = launch.kernel->name;
  const Dim3 &grid = launch.grid;
  finding.block = {
      static_cast<uint32_t>(blockIndex % grid.x),
      static_cast<uint32_t>(blockIndex / grid.x % grid.y),
      static_cast<uint32_t>(blockIndex / (uint64_t(grid.x) * grid.y))};
  finding.thread = {thread.registers[TidX], thread.registers[TidY],
                    thread.registers[TidZ]};
  if (site)
    finding.instruction = launch.kernel->sites[site].text;
  return finding;
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
    std::lock_guard<std::mutex> lock(launch.mutex);
    launch.findings.push_back({blockIndex, std::move(finding)});
  }
  launch.stopped = true;
  sparseflow_sim_switch(&abandoned, scheduler);
  __builtin_unreachable();
}

void Block::reportDeadlock() {
  // Threads that wait for the same thing, together.
  std::string message;
  std::vector<bool> told(threads.size(), false);
  for (uint32_t t = 0; t < count; ++t) {
    const Thread &thread = threads[t];
    if (told[t] || thread.state == ThreadState::Done)
      continue;
    std::string who;
    uint32_t together = 0;
    for (uint32_t u = t; u < count; ++u) {
      const Thread &other = threads[u];
      if (other.state != thread.state || other.site != thread.site ||
          (thread.state == ThreadState::AtBarrier &&
           other.barrier != thread.barrier))
        continue;
      told[u] = true;
      uint32_t last = u;
      ++together;
      // A run of neighbours is written as one.
      while (last + 1 < count && threads[last + 1].state == thread.state &&
             threads[last + 1].site == thread.site) {
        told[++last] = true;
        ++together;
      }
      who += (who.empty() ? "" : ", ") + std::to_string(u) +
             (last > u ? "-" + std::to_string(last) : "");
      u = last;
    }
    message +=
        "\n  " + std::to_string(together) + " threads (" + who + ") wait at ";
    if (thread.state == ThreadState::AtBarrier)
      message += "barrier " + std::to_string(thread.barrier) + ", ";
    message += launch.kernel->sites[thread.site].text;
  }
  Finding finding = describe(threads[0], FindingKind::Deadlock, 0);
  finding.message = std::to_string(alive) + " of " + std::to_string(count) +
                    " threads wait for others, " +
                    std::to_string(count - alive) + " have ended:" + message;
  std::lock_guard<std::mutex> lock(launch.mutex);
  launch.stopped = true;
  launch.findings.push_back({blockIndex, std::move(finding)});
}
