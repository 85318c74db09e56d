//===- Cluster.cpp - CTAs that run together -------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Simulator/Machine/Cluster.h"

#include <algorithm>

using namespace mlir::sparseflow::sim;

namespace {
thread_local Cluster *clusterHere = nullptr;
/// How often threads that poll are asked again with nothing else to run.
constexpr uint32_t maxPolls = 100000;
} // namespace

Thread *mlir::sparseflow::sim::currentThread() {
  return clusterHere->currentThread();
}

Cluster::Cluster(Launch &launch, SharedWindow &window)
    : launch(launch), window(window) {
  perBlock = static_cast<uint32_t>((launch.block.count() + 31) / 32 * 32);
  uint64_t ctas = launch.kernel->cluster.count();
  for (uint32_t rank = 0; rank < ctas; ++rank)
    blocks.push_back(std::make_unique<Block>(
        launch, *this, rank, window.base() + rank * SharedWindow::stride));
}

uint64_t Cluster::random() {
  randomState ^= randomState << 13;
  randomState ^= randomState >> 7;
  randomState ^= randomState << 17;
  return randomState;
}

void Cluster::fibreMain() {
  // Nothing in this frame outlives a switch but what is read anew.
  clusterHere->launch.kernel->entry(clusterHere->launch.arguments);
  clusterHere->ended(*clusterHere->current);
  __builtin_unreachable();
}

void Cluster::ended(Thread &thread) {
  Block &block = *thread.block;
  thread.state = ThreadState::Done;
  block.exited[thread.warp] |= 1u << thread.lane;
  --block.alive;
  --alive;
  fruitless = 0;
  // It may have been the last one that others wait for.
  if (thread.arrivedAtCluster && thread.clusterPhase == phase)
    --arrived;
  completePhase();
  yield(thread);
}

void Cluster::start(uint64_t index) {
  clusterIndex = index;
  if (launch.races) {
    races.reset(perBlock, size(),
                launch.kernel->shared.dynamicOffset + launch.sharedBytes);
    gathering = complete = inits = Meeting();
  }
  randomState =
      launch.seed ? launch.seed * 0x9e3779b97f4a7c15 + index * 0x100000001b3 + 1
                  : 0;
  if (launch.seed && randomState == 0)
    randomState = 1;
  const Dim3 &shape = launch.kernel->cluster, &grid = launch.grid;
  uint64_t alongX = grid.x / shape.x, alongY = grid.y / shape.y;
  uint64_t x = index % alongX * shape.x, y = index / alongX % alongY * shape.y,
           z = index / (alongX * alongY) * shape.z;
  for (uint32_t rank = 0; rank < size(); ++rank) {
    uint64_t ownX = x + rank % shape.x, ownY = y + rank / shape.x % shape.y,
             ownZ = z + rank / (shape.x * shape.y);
    blocks[rank]->start(ownX + grid.x * (ownY + grid.y * ownZ));
  }
  readyBlocks = size() == 32 ? ~0u : (1u << size()) - 1;
  alive = static_cast<uint32_t>(launch.block.count()) * size();
  arrived = fruitless = phase = 0;
  pollersFirst = false;
  atBarrier.clear();
  pollers.clear();
  blockNow = 0;
}

void Cluster::run() {
  if (!stacks.reserve(perBlock * size())) {
    Finding finding;
    finding.kernel = launch.kernel->name;
    finding.message = "no memory for the stacks of " +
                      std::to_string(perBlock * size()) +
                      " threads on this machine";
    std::lock_guard<std::mutex> lock(launch.mutex);
    launch.stopFrom(0);
    launch.findings.push_back({0, std::move(finding)});
    return;
  }
  if (launch.wavefronts)
    counter.reset(launch.kernel->sites.size());
  clusterHere = this;
  uint64_t total = launch.grid.count() / size();
  while (true) {
    uint64_t index = launch.nextCluster.fetch_add(1);
    if (index >= total || index >= launch.stopAt)
      break;
    if (launch.cancelled && launch.cancelled()) {
      launch.wasCancelled = true;
      launch.stopFrom(0);
      break;
    }
    start(index);
    runThreads();
    ++clusters;
  }
  clusterHere = nullptr;
  std::lock_guard<std::mutex> lock(launch.mutex);
  launch.blocks += clusters * size();
  launch.switches += switches;
  if (!launch.wavefronts)
    return;
  launch.traffic.resize(launch.kernel->sites.size());
  for (size_t site = 0; site < counter.get().size(); ++site) {
    const WavefrontCounter::Count &count = counter.get()[site];
    launch.traffic[site].accesses += count.accesses;
    launch.traffic[site].wavefronts += count.wavefronts;
    launch.traffic[site].ideal += count.ideal;
  }
}

void Cluster::runThreads() {
  while (alive && !stopped()) {
    current = pick();
    if (!current) {
      reportDeadlock();
      return;
    }
    ++switches;
    sparseflow_sim_switch(&scheduler, current->stackPointer);
  }
  if (!stopped())
    finish();
  if (launch.wavefronts)
    for (uint32_t w = 0; w < size() * 32; ++w)
      counter.flush(w);
}

void Cluster::finish() {
  for (const std::unique_ptr<Block> &block : blocks)
    block->finish();
}

/// The next thread that can run, which stays in the set of ready ones until it
/// waits. Copies land and pollers ask again only when nothing else can go on.
/// Null when that does not help.
Thread *Cluster::pick() {
  while (!readyBlocks) {
    // Those who only ask get an answer before a copy lands, so that code which
    // does not ask again is found out.
    pollersFirst = !pollersFirst && !pollers.empty();
    if (!pollersFirst && landOne())
      continue;
    if (pollers.empty() || ++fruitless > maxPolls)
      return nullptr;
    for (Thread *polling : pollers)
      polling->block->ready(*polling);
    pollers.clear();
  }
  if (size() > 1) {
    if (launch.seed && random() % 4 == 0)
      blockNow = static_cast<uint32_t>(random() % size());
    while (!(readyBlocks >> blockNow & 1))
      blockNow = blockNow + 1 == size() ? 0 : blockNow + 1;
  }
  return blocks[blockNow]->pick();
}

bool Cluster::landOne() {
  Block *owner = nullptr;
  Mbarrier *chosen = nullptr;
  uint64_t candidates = 0;
  for (const std::unique_ptr<Block> &block : blocks)
    for (auto &[address, barrier] : block->mbarriers) {
      if (barrier.inFlight.empty() ||
          (barrier.waiting.empty() && !barrier.polled))
        continue;
      ++candidates;
      if (!chosen || (launch.seed && random() % candidates == 0)) {
        chosen = &barrier;
        owner = block.get();
      }
    }
  if (!chosen)
    return false;
  fruitless = 0;
  owner->landCopy(*chosen);
  return true;
}

void Cluster::yield(Thread &thread) {
  thread.block->notReady(thread);
  Thread *next = stopped() ? nullptr : pick();
  if (next == &thread) {
    // A copy that just landed is what it waited for.
    current = next;
    return;
  }
  if (!next) {
    sparseflow_sim_switch(&thread.stackPointer, scheduler);
    return;
  }
  current = next;
  ++switches;
  sparseflow_sim_switch(&thread.stackPointer, next->stackPointer);
}

void Cluster::poll(Thread &thread, uint32_t site, Mbarrier *barrier) {
  thread.state = ThreadState::Polling;
  thread.site = site;
  if (barrier)
    barrier->polled = true;
  pollers.push_back(&thread);
  yield(thread);
}

void Cluster::abandon() {
  launch.stopFrom(clusterIndex);
  sparseflow_sim_switch(&abandoned, scheduler);
  __builtin_unreachable();
}

Block *Cluster::owner(uint64_t address) {
  uint64_t rank = (address - window.base()) / SharedWindow::stride;
  return address >= window.base() && rank < size() ? blocks[rank].get()
                                                   : nullptr;
}

void Cluster::arrive(Thread &thread, bool relaxed, uint32_t site) {
  if (thread.arrivedAtCluster)
    thread.block->stop(thread, FindingKind::BadOperand, site, 0,
                       "arrives at the cluster's barrier again without having "
                       "waited there");
  thread.arrivedAtCluster = true;
  thread.clusterPhase = phase;
  if (launch.races && !relaxed)
    races.release(thread.block->numberOf(thread), gathering);
  else if (launch.races && thread.fencedInits)
    races.merge(gathering, inits);
  thread.fencedInits = false;
  ++arrived;
  completePhase();
}

void Cluster::publishInits(Thread &thread) {
  thread.fencedInits = true;
  if (launch.races)
    races.release(thread.block->numberOf(thread), inits);
}

void Cluster::completePhase() {
  if (arrived == 0 || arrived < alive)
    return;
  arrived = 0;
  ++phase;
  if (launch.races) {
    races.merge(complete, gathering);
    gathering = Meeting();
  }
  for (Thread *waiting : atBarrier)
    waiting->block->ready(*waiting);
  atBarrier.clear();
}

void Cluster::wait(Thread &thread, uint32_t site) {
  if (!thread.arrivedAtCluster)
    thread.block->stop(thread, FindingKind::BadOperand, site, 0,
                       "waits at the cluster's barrier without having arrived "
                       "there");
  if (thread.clusterPhase == phase) {
    thread.site = site;
    thread.state = ThreadState::AtClusterBarrier;
    atBarrier.push_back(&thread);
    yield(thread);
  }
  thread.arrivedAtCluster = false;
  if (launch.races)
    races.acquire(thread.block->numberOf(thread), complete);
}

void Cluster::reportDeadlock() {
  std::string message;
  for (const std::unique_ptr<Block> &block : blocks)
    block->appendWaiting(message);
  Block &first = *blocks.front();
  uint32_t total = static_cast<uint32_t>(launch.block.count()) * size();
  Finding finding = first.describe(first.threads[0], FindingKind::Deadlock, 0);
  finding.message = std::to_string(alive) + " of " + std::to_string(total) +
                    " threads wait for others, " +
                    std::to_string(total - alive) + " have ended:" + message;
  launch.stopFrom(clusterIndex);
  first.report(std::move(finding));
}
