//===- Cluster.h - CTAs that run together -----------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_SIMULATOR_MACHINE_CLUSTER_H
#define SPARSEFLOW_LIB_SIMULATOR_MACHINE_CLUSTER_H

#include "Simulator/Machine/Block.h"

namespace mlir::sparseflow::sim {

/// The CTAs of one cluster and the choice of the thread that runs. The window
/// holds their shared memory, that of rank r from r * SharedWindow::stride on,
/// so that a shared address says whose memory it is.
class Cluster {
public:
  Cluster(Launch &launch, SharedWindow &window);

  /// Takes clusters from the launch until there are none left.
  void run();

  Thread *currentThread() { return current; }
  uint32_t size() const { return static_cast<uint32_t>(blocks.size()); }
  Block &block(uint32_t rank) { return *blocks[rank]; }
  /// The block whose shared memory holds `address`, or null.
  Block *owner(uint64_t address);

  /// The cluster's barrier: wait() returns when all threads of all its CTAs
  /// that have not ended have arrived.
  /// A relaxed arrival makes known what publishInits() has published, and
  /// nothing else.
  void arrive(Thread &thread, bool relaxed, uint32_t site);
  void wait(Thread &thread, uint32_t site);
  /// fence.mbarrier_init.release.cluster: what the thread did before becomes
  /// known by its next arrival, even by a relaxed one. PTX says so of
  /// mbarrier.init alone; this detector does not tell it from other writes.
  void publishInits(Thread &thread);

  /// Leaves the running thread, whose state says what it waits for.
  void yield(Thread &thread);
  /// Lets others run until none of them can go on.
  void poll(Thread &thread, uint32_t site, Mbarrier *barrier);
  /// Something happened that a poller may have waited for.
  void progress() { fruitless = 0; }
  /// Goes on with the scheduler and never comes back.
  [[noreturn]] void abandon();
  void ended(Thread &thread);
  void setReady(uint32_t rank, bool ready) {
    readyBlocks =
        ready ? readyBlocks | 1u << rank : readyBlocks & ~(1u << rank);
  }

  /// Xorshift; never used when the seed is 0.
  uint64_t random();
  uint64_t seed() const { return launch.seed; }
  /// Of those of the launch.
  uint64_t number() const { return clusterIndex; }
  /// It, or one before it, has a finding that ends the launch.
  bool stopped() const {
    return clusterIndex >= launch.stopAt.load(std::memory_order_relaxed);
  }
  WavefrontCounter &wavefronts() { return counter; }
  RaceDetector &detector() { return races; }
  Stacks &getStacks() { return stacks; }
  /// What sparseflow_sim_switch starts a thread with.
  static void fibreMain();
  uint32_t threadsOfBlock() const { return perBlock; }

private:
  void start(uint64_t index);
  void runThreads();
  Thread *pick();
  /// Lands one copy that a thread waits for; false when there is none.
  bool landOne();
  void completePhase();
  void finish();
  void reportDeadlock();

  Launch &launch;
  SharedWindow &window;
  Stacks stacks;
  std::vector<std::unique_ptr<Block>> blocks;
  uint32_t perBlock = 0, alive = 0;
  /// At the cluster's barrier.
  uint32_t arrived = 0, phase = 0;
  std::vector<Thread *> atBarrier;
  std::vector<Thread *> pollers;
  uint32_t fruitless = 0;
  bool pollersFirst = false;
  Thread *current = nullptr;
  void *scheduler = nullptr, *abandoned = nullptr;
  uint32_t readyBlocks = 0, blockNow = 0;
  uint64_t clusterIndex = 0, randomState = 0, switches = 0, clusters = 0;
  WavefrontCounter counter;
  RaceDetector races;
  Meeting gathering, complete;
  /// Of the threads with fencedInits.
  Meeting inits;
};

} // namespace mlir::sparseflow::sim

#endif // SPARSEFLOW_LIB_SIMULATOR_MACHINE_CLUSTER_H
