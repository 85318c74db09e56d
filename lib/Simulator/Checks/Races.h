//===- Races.h - Accesses that nothing orders -------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_SIMULATOR_CHECKS_RACES_H
#define SPARSEFLOW_LIB_SIMULATOR_CHECKS_RACES_H

#include "Simulator/Machine/Memory.h"

namespace mlir::sparseflow::sim {

/// The earlier access of a conflict.
struct Conflict {
  enum Kind : uint8_t {
    Unordered,   ///< nothing in between
    PendingCopy, ///< an asynchronous copy that is still under way writes it
    PendingRead, ///< wgmma or a bulk store still reads it
    NoFence ///< written by the generic proxy, with no fence.proxy.async since
  };
  Kind kind = Unordered;
  bool earlierWrites = false;
  /// A thread of the cluster, or an agent.
  uint32_t who = 0;
  uint32_t site = 0;
};

/// What a barrier passes on from those that arrive to those that wait.
struct Meeting {
  /// `reads` is empty unless somebody knows of reads alone.
  std::vector<uint32_t> known, fenced, reads;
};

/// Remembers, for every byte of a cluster's shared memory, the last write, the
/// last reads by two different warps, and what the asynchronous proxy is about
/// to do with it.
///
/// Time is a vector clock. Threads are numbered through the CTAs of a cluster.
/// After them come agents, which act for the asynchronous proxy: one for each
/// warpgroup, whose time is the number of its MMAs that are complete, and
/// one for each mbarrier, whose time is the number of copies that have landed
/// there. Each thread knows a time of all the others: what they did up to then
/// happened before. Barriers pass that knowledge on. Two accesses, one of them
/// a write, conflict when the later one's thread does not know of the earlier
/// one.
///
/// A second clock of each thread says what of that knowledge a proxy fence has
/// made good for the asynchronous proxy.
///
/// A third one says up to when reads of others are known to have ended: those
/// of a warpgroup before an MMA that takes registers, by whoever waited for
/// the MMA. Their values are in it, or in registers before it began.
///
/// Other matrix instructions and shuffles order nothing. Of several lanes of
/// one warp that read a byte only the last is known.
class RaceDetector {
public:
  static constexpr uint32_t maxBarriers = 256, groupsPerBlock = 8;

  /// Forgets everything.
  void reset(uint32_t threadsPerBlock, uint32_t blocks, uint64_t bytesPerBlock);

  uint32_t groupAgent(uint32_t rank, uint32_t group) const {
    return threads + rank * groupsPerBlock + group;
  }
  /// One for another mbarrier.
  uint32_t newBarrierAgent();
  bool isAgent(uint32_t who) const { return who >= threads; }
  bool isGroup(uint32_t who) const {
    return who >= threads && who < firstBarrier;
  }

  void release(uint32_t thread, Meeting &meeting);
  void acquire(uint32_t thread, const Meeting &meeting);
  /// What `from` knows is known at `into`, too.
  void merge(Meeting &into, const Meeting &from);
  /// The lanes of `mask` of the warp that begins with thread `first` meet.
  void meet(uint32_t first, uint32_t mask);
  /// fence.proxy.async.
  void fence(uint32_t thread);
  /// From now on the thread knows what the agent did up to `time`.
  void learn(uint32_t thread, uint32_t agent, uint32_t time);
  /// The present time of a thread, which is over with this.
  uint32_t pass(uint32_t thread) { return clock(thread)[thread]++; }
  /// From now on the thread knows that reads of `other` up to `time` have
  /// ended.
  void learnReads(uint32_t thread, uint32_t other, uint32_t time);
  /// The agent of an mbarrier has done something; others learn it through the
  /// meeting.
  uint32_t advance(uint32_t agent, Meeting &meeting);

  /// Notes an access by a thread. Places are offsets from the CTA's window.
  /// True when it conflicts with an earlier one, and `conflict` says which.
  bool access(uint32_t rank, uint64_t offset, uint32_t bytes, AccessKind kind,
              uint32_t thread, uint32_t site, Conflict &conflict);
  /// Checks what the asynchronous proxy is going to do for `thread`.
  bool asyncAccess(uint32_t rank, uint64_t offset, uint32_t bytes, bool writes,
                   uint32_t thread, uint32_t site, Conflict &conflict);
  /// From now until the end a copy may write these bytes at any moment.
  void beginWrite(uint32_t rank, uint64_t offset, uint32_t bytes, uint32_t who,
                  uint32_t site);
  /// The copy has landed. Of a thread's own copy its write is noted by
  /// access().
  void endWrite(uint32_t rank, uint64_t offset, uint32_t bytes);
  void noteWrite(uint32_t rank, uint64_t offset, uint32_t bytes, uint32_t agent,
                 uint32_t time, uint32_t site);
  /// From now until the end these bytes may be read at any moment.
  void beginRead(uint32_t rank, uint64_t offset, uint32_t bytes, uint32_t who,
                 uint32_t site);
  /// They were read, by an agent or by a thread at its present time (0).
  void endRead(uint32_t rank, uint64_t offset, uint32_t bytes, uint32_t who,
               uint32_t time, uint32_t site);

private:
  struct Access {
    uint32_t site = 0, time = 0;
    uint16_t who = 0;
    bool atomic = false, async = false;
  };
  struct Shadow {
    Access write, read, otherRead;
    uint32_t pendingSite = 0;
    uint16_t pendingWho = 0;
    uint8_t readers = 0;
    bool copying = false;
  };
  Shadow *begin(uint32_t rank, uint64_t offset) {
    return &shadows[rank * blockBytes + offset];
  }
  uint32_t *clock(uint32_t thread) { return &clocks[size_t(thread) * width]; }
  uint32_t *fenced(uint32_t thread) {
    return &fencedClocks[size_t(thread) * width];
  }
  uint32_t *reads(uint32_t thread) {
    return &readClocks[size_t(thread) * width];
  }
  bool ordered(const Access &earlier, uint32_t thread) {
    // Time 0 is before the block began: nothing was there.
    return earlier.time == 0 || earlier.who == thread ||
           clock(thread)[earlier.who] >= earlier.time;
  }
  bool readOrdered(const Access &earlier, uint32_t thread) {
    return ordered(earlier, thread) ||
           (!readClocks.empty() && reads(thread)[earlier.who] >= earlier.time);
  }
  void joinReads(std::vector<uint32_t> &into, const uint32_t *from) const;
  static void noteRead(Shadow &shadow, const Access &now);

  uint32_t threads = 0, firstBarrier = 0, nextBarrier = 0, width = 0;
  uint64_t blockBytes = 0;
  std::vector<uint32_t> clocks, fencedClocks, agentTimes;
  /// Empty until somebody learns of reads.
  std::vector<uint32_t> readClocks;
  std::vector<Shadow> shadows;
};

} // namespace mlir::sparseflow::sim

#endif // SPARSEFLOW_LIB_SIMULATOR_CHECKS_RACES_H
