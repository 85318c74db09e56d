//===- Block.h - One CTA ----------------------------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A handler runs on the stack of the thread that arrived last. stop() abandons
// all stacks of the cluster where they are, so code that may call it holds no
// memory that needs a destructor.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_SIMULATOR_MACHINE_BLOCK_H
#define SPARSEFLOW_LIB_SIMULATOR_MACHINE_BLOCK_H

#include "Simulator/Checks/Races.h"
#include "Simulator/Checks/Wavefronts.h"
#include "Simulator/Machine/Fibre.h"
#include "Simulator/Machine/Mbarrier.h"
#include "Simulator/Wgmma/Wgmma.h"

#include <map>

namespace mlir::sparseflow::sim {

class Block {
public:
  /// Number `rank` of `cluster`, with its shared memory at `windowBase`.
  Block(Launch &launch, Cluster &cluster, uint32_t rank, uint64_t windowBase);

  void start(uint64_t index);

  /// Reports `kind` for `thread` at `site` and ends the launch; does not
  /// return. The rest is as for printf.
  [[noreturn]] void stop(const Thread &thread, FindingKind kind, uint32_t site,
                         uint64_t address, const char *format, ...)
      __attribute__((format(printf, 6, 7)));

  /// Checks an access, and tells the detectors about it. Returns only if it is
  /// allowed. `counted` is false where countMatrix counts it.
  void access(Thread &thread, uint64_t address, uint32_t bytes,
              uint32_t alignment, AccessKind kind, uint32_t site,
              bool counted = true);
  /// Stops unless `bytes` from `address` are shared memory of this block, or
  /// memory of the launch that allows the access.
  void checkShared(Thread &thread, uint64_t address, uint64_t bytes,
                   const char *verb, uint32_t site);
  /// Tells the detector of races between CTAs about an access that is allowed.
  void noteGlobal(Thread &thread, uint64_t address, uint64_t bytes,
                  AccessKind kind, uint32_t site);
  void checkGlobal(Thread &thread, uint64_t address, uint64_t bytes,
                   AccessKind kind, uint32_t site);

  /// Waits until all lanes of the call have arrived, and carries it out.
  void collective(Thread &thread, const Handler &handler, void *result,
                  const void *arguments, uint32_t site);
  /// The same for all 128 threads of a warpgroup.
  void warpgroupCollective(Thread &thread, const Handler &handler, void *result,
                           const void *arguments, uint32_t site);
  /// Arrives at barrier `id` for `count` threads (0: all of the block), and
  /// waits there unless `wait` is false.
  void barrier(Thread &thread, uint32_t id, uint32_t count, bool wait,
               uint32_t site);
  /// Orders the memory accesses of the lanes of a mask.
  void warpBarrier(const WarpCall &call);
  /// fence.proxy.async.
  void proxyFence(Thread &thread);
  /// Reports when the asynchronous proxy, acting for the thread, must not touch
  /// these bytes of this block.
  void checkAsync(Thread &thread, uint64_t address, uint32_t bytes, bool writes,
                  uint32_t site);

  /// cp.async.
  void issueCopy(Thread &thread, const AsyncCopy &copy);
  void commitCopies(Thread &thread);
  /// Lands all committed groups but the latest `pending`.
  void waitCopies(Thread &thread, size_t pending);
  /// Lands everything, committed or not.
  void waitAllCopies(Thread &thread);

  /// Bulk copies of the asynchronous proxy. `copy.to` and the barrier are in
  /// the cluster's shared memory; with a mask the copy goes to the same places
  /// of each CTA that it names.
  void issueBulk(Thread &thread, InFlight &copy, uint64_t barrier,
                 bool multicast, uint32_t mask);
  void issueStore(Thread &thread, BulkStore &store);
  uint32_t checkTile(Thread &thread, const TensorMap &map,
                     const int32_t *coordinates, uint64_t shared, bool store,
                     uint32_t site);
  void commitStores(Thread &thread);
  /// Waits until all groups but the latest `pending` are written, or only
  /// read.
  void waitStores(Thread &thread, size_t pending, bool onlyRead);

  /// mbarrier. Addresses are in the cluster's shared memory.
  void initMbarrier(Thread &thread, uint64_t address, uint32_t count,
                    uint32_t site);
  void invalidateMbarrier(Thread &thread, uint64_t address, uint32_t site);
  /// Returns the state: the phase in the upper half, what was pending in the
  /// lower.
  uint64_t arriveMbarrier(Thread &thread, uint64_t address, uint32_t count,
                          uint64_t expectBytes, bool drop, uint32_t site);
  void expectBytes(Thread &thread, uint64_t address, uint32_t bytes,
                   uint32_t site);
  void completeBytes(Thread &thread, uint64_t address, uint32_t bytes,
                     uint32_t site);
  /// Whether the phase with number `phase` (or, with `parity`, the latest one
  /// of that parity) is complete. With `wait` it waits; every other call that
  /// would have to is allowed to return early, as try_wait may, unless `loop`
  /// says that the caller asks again in any case.
  bool waitMbarrier(Thread &thread, uint64_t address, uint32_t phase,
                    bool parity, bool wait, bool loop, uint32_t site);
  /// Lands the first copy on its way to `barrier`.
  void landCopy(Mbarrier &barrier);

  /// setmaxnreg for the warp of the thread.
  void setRegisters(Thread &thread, uint32_t count, bool increase,
                    uint32_t site);

  Warpgroup &warpgroup(uint32_t index) { return warpgroups[index]; }

  const Launch &getLaunch() const { return launch; }
  Cluster &getCluster() { return cluster; }
  uint32_t getRank() const { return rank; }
  uint64_t base() const { return windowBase; }
  /// The thread's number among all of the cluster.
  uint32_t numberOf(const Thread &thread) const;
  bool holds(uint64_t address) const {
    return address - windowBase < SharedWindow::stride;
  }
  /// Blocks by cluster, then by rank: the order of findings.
  uint64_t orderInLaunch() const;
  void launchDependents() { overlaps = true; }
  void waitForDependency() { dependencyOver = true; }
  uint32_t size() const { return count; }
  Thread &thread(uint32_t index) { return threads[index]; }
  /// Tells the wavefront counter about one access of a whole warp.
  void countMatrix(Thread &thread, const uint64_t *rows, uint32_t site);

private:
  friend class Cluster;
  /// A warp's number among all of the cluster.
  uint32_t warpOf(const Thread &thread) const {
    return rank * 32 + thread.warp;
  }
  struct NamedBarrier {
    uint32_t arrived = 0, expected = 0;
    uint32_t lanes[32] = {};
    Meeting meeting;
  };

  Thread *pick();
  void ready(Thread &thread);
  void notReady(Thread &thread);
  void land(Thread &thread, size_t count);
  Finding describe(const Thread &thread, FindingKind kind, uint32_t site) const;
  void report(Finding finding);
  void appendWaiting(std::string &message) const;
  std::string describeMbarrier(const Thread &thread) const;
  void reportRace(const Thread &thread, uint64_t address, uint32_t site,
                  const Conflict &conflict);
  std::string nameOf(const Conflict &conflict) const;
  /// Keeps one report for a pair of instructions, and not too many.
  void addRace(Finding finding, const std::string &earlier);
  /// An access by the detector's number of `thread` to this block's memory.
  void detect(Thread &thread, uint64_t address, uint32_t bytes, AccessKind kind,
              uint32_t site);
  Mbarrier &findMbarrier(Thread &thread, uint64_t address, uint32_t site,
                         Block *&owner);
  void completePhase(Mbarrier &barrier);
  void beginBulk(Thread &thread, const InFlight &copy);
  void readStore(Thread &thread, BulkStore &store);
  void finish();

  Launch &launch;
  Cluster &cluster;
  uint32_t rank;
  uint64_t windowBase;
  SharedRange dynamicRange;
  std::vector<Thread> threads;
  uint32_t count = 0, alive = 0, warps = 0;
  uint32_t readyLanes[32] = {}, waitingLanes[32] = {}, exited[32] = {};
  uint32_t readyWarps = 0, warpNow = 0;
  NamedBarrier barriers[16];
  std::map<uint64_t, Mbarrier> mbarriers;
  Warpgroup warpgroups[8];
  /// Registers of a thread by warp, and how many of the CTA's are free.
  uint32_t registers[32] = {}, freeRegisters = 0;
  /// griddepcontrol: a thread has let the next kernel start, which says that
  /// this one may itself have started early; and one has waited for the kernel
  /// before.
  bool overlaps = false, dependencyOver = false;
};

} // namespace mlir::sparseflow::sim

#endif // SPARSEFLOW_LIB_SIMULATOR_MACHINE_BLOCK_H
