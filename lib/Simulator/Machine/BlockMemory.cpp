//===- BlockMemory.cpp - Accesses, collectives and copies of a block ------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Simulator/Checks/GlobalRaces.h"
#include "Simulator/Machine/Cluster.h"

using namespace mlir::sparseflow::sim;

namespace {
/// Findings of races kept for one launch; one defect shows in many threads.
constexpr size_t maxRaces = 16;
} // namespace

void Block::access(Thread &thread, uint64_t address, uint32_t bytes,
                   uint32_t alignment, AccessKind kind, uint32_t site,
                   bool counted) {
  const char *verb = kind == AccessKind::Read    ? "reads"
                     : kind == AccessKind::Write ? "writes"
                                                 : "updates";
  if (alignment > 1 && address % alignment)
    stop(thread, FindingKind::Misaligned, site, address,
         "%s %u bytes at 0x%llx, which is no multiple of %u: the remainder is "
         "%u",
         verb, bytes, static_cast<unsigned long long>(address), alignment,
         static_cast<unsigned>(address % alignment));
  Block *owner = holds(address) ? this : cluster.owner(address);
  if (owner) {
    owner->checkShared(thread, address, bytes, verb, site);
    if (launch.races)
      owner->detect(thread, address, bytes, kind, site);
    if (launch.wavefronts && counted && bytes <= 16)
      cluster.wavefronts().lane(warpOf(thread), thread.lane, address, bytes,
                                site);
    return;
  }
  checkGlobal(thread, address, bytes, kind, site);
  noteGlobal(thread, address, bytes, kind, site);
}

void Block::noteGlobal(Thread &thread, uint64_t address, uint64_t bytes,
                       AccessKind kind, uint32_t site) {
  GlobalRaces::Earlier earlier;
  if (!launch.globalRaces ||
      !launch.globalRaces->access(address, bytes, kind, cluster.number() + 1,
                                  site, earlier))
    return;
  Finding finding = describe(thread, FindingKind::Race, site);
  finding.address = address;
  const BufferTable::Entry *buffer = launch.buffers->below(address);
  finding.message = "byte " + std::to_string(address - buffer->begin) + " of " +
                    buffer->name + " was " +
                    (earlier.writes ? "written" : "read") + " by another " +
                    (cluster.size() > 1 ? "cluster" : "block") + " (number " +
                    std::to_string(earlier.cluster - 1) +
                    ") with no atomic operation in between, in\n  ";
  addRace(std::move(finding), launch.kernel->sites[earlier.site].text);
}

void Block::checkShared(Thread &thread, uint64_t address, uint64_t bytes,
                        const char *verb, uint32_t site) {
  if (dynamicRange.contains(address, bytes) && alive)
    return;
  const SharedLayout &layout = launch.kernel->shared;
  if (!alive)
    thread.block->stop(thread, FindingKind::OutOfBounds, site, address,
                       "%s %llu bytes of the shared memory of CTA %u of the "
                       "cluster, which has ended",
                       verb, static_cast<unsigned long long>(bytes), rank);
  for (const SharedLayout::Variable &variable : layout.variables) {
    uint64_t begin = windowBase + variable.offset;
    if (SharedRange{begin, begin + variable.bytes}.contains(address, bytes))
      return;
  }
  thread.block->stop(
      thread, FindingKind::OutOfBounds, site, address,
      "%s %llu bytes at byte %lld of shared memory; the launch has %llu "
      "bytes of dynamic shared memory, the kernel %llu static ones",
      verb, static_cast<unsigned long long>(bytes),
      static_cast<long long>(address - dynamicRange.begin),
      static_cast<unsigned long long>(launch.sharedBytes),
      static_cast<unsigned long long>(layout.staticBytes));
}

void Block::checkGlobal(Thread &thread, uint64_t address, uint64_t bytes,
                        AccessKind kind, uint32_t site) {
  const char *verb = kind == AccessKind::Read    ? "reads"
                     : kind == AccessKind::Write ? "writes"
                                                 : "updates";
  auto count = static_cast<unsigned long long>(bytes);
  const BufferTable::Entry *buffer = launch.buffers->below(address);
  if (buffer && address < buffer->end && bytes <= buffer->end - address) {
    bool early = kind == AccessKind::Read && buffer->constant;
    if (overlaps && !dependencyOver && !early)
      stop(thread, FindingKind::MissingFence, site, address,
           "%s %llu bytes at byte %llu of %s before the kernel before has "
           "ended: expected griddepcontrol.wait first, in a kernel that "
           "executes griddepcontrol.launch_dependents",
           verb, count,
           static_cast<unsigned long long>(address - buffer->begin),
           buffer->name.c_str());
    if (kind != AccessKind::Read && !buffer->writable)
      stop(thread, FindingKind::ReadOnly, site, address,
           "%s %llu bytes at byte %llu of %s, which kernels may only read",
           verb, count,
           static_cast<unsigned long long>(address - buffer->begin),
           buffer->name.c_str());
    return;
  }
  // A variable of the thread itself whose address was taken.
  if (cluster.getStacks().contains(
          rank * cluster.threadsOfBlock() + thread.index, address))
    return;
  const BufferTable::Entry *above = launch.buffers->above(address);
  bool belowIsNearer =
      buffer && (!above || address - buffer->end < above->begin - address);
  if (belowIsNearer)
    stop(thread, FindingKind::OutOfBounds, site, address,
         "%s %llu bytes at 0x%llx, which is byte %llu of %s with %llu bytes",
         verb, count, static_cast<unsigned long long>(address),
         static_cast<unsigned long long>(address - buffer->begin),
         buffer->name.c_str(),
         static_cast<unsigned long long>(buffer->end - buffer->begin));
  if (above)
    stop(thread, FindingKind::OutOfBounds, site, address,
         "%s %llu bytes at 0x%llx, which is %llu bytes before %s", verb, count,
         static_cast<unsigned long long>(address),
         static_cast<unsigned long long>(above->begin - address),
         above->name.c_str());
  stop(thread, FindingKind::OutOfBounds, site, address,
       "%s %llu bytes at 0x%llx, and the launch has no buffers", verb, count,
       static_cast<unsigned long long>(address));
}

uint64_t Block::orderInLaunch() const {
  return cluster.number() * cluster.size() + rank;
}

uint32_t Block::numberOf(const Thread &thread) const {
  return thread.block->rank * cluster.threadsOfBlock() + thread.index;
}

void Block::detect(Thread &thread, uint64_t address, uint32_t bytes,
                   AccessKind kind, uint32_t site) {
  Conflict conflict;
  if (cluster.detector().access(rank, address - windowBase, bytes, kind,
                                numberOf(thread), site, conflict))
    reportRace(thread, address, site, conflict);
}

void Block::checkAsync(Thread &thread, uint64_t address, uint32_t bytes,
                       bool writes, uint32_t site) {
  if (!launch.races)
    return;
  Conflict conflict;
  if (cluster.detector().asyncAccess(rank, address - windowBase, bytes, writes,
                                     numberOf(thread), site, conflict))
    reportRace(thread, address, site, conflict);
}

void Block::warpBarrier(const WarpCall &call) {
  if (launch.races)
    cluster.detector().meet(numberOf(call.lanes[0]), call.mask);
}

void Block::proxyFence(Thread &thread) {
  if (launch.races)
    cluster.detector().fence(numberOf(thread));
}

std::string Block::nameOf(const Conflict &conflict) const {
  const RaceDetector &detector = cluster.detector();
  uint32_t per = cluster.threadsOfBlock();
  if (detector.isGroup(conflict.who)) {
    uint32_t group = conflict.who - per * cluster.size();
    return "wgmma of warpgroup " +
           std::to_string(group % RaceDetector::groupsPerBlock);
  }
  if (detector.isAgent(conflict.who))
    return "a bulk copy";
  const Thread &other =
      cluster.block(conflict.who / per).threads[conflict.who % per];
  std::string name = "thread (" + std::to_string(other.registers[TidX]) + ", " +
                     std::to_string(other.registers[TidY]) + ", " +
                     std::to_string(other.registers[TidZ]) + ")";
  if (cluster.size() > 1)
    name += " of CTA " + std::to_string(conflict.who / per);
  return name;
}

void Block::reportRace(const Thread &thread, uint64_t address, uint32_t site,
                       const Conflict &conflict) {
  FindingKind kind = conflict.kind == Conflict::Unordered ? FindingKind::Race
                     : conflict.kind == Conflict::NoFence
                         ? FindingKind::MissingFence
                         : FindingKind::AsyncRace;
  Finding finding = describe(thread, kind, site);
  finding.address = address;
  const std::string &earlier = launch.kernel->sites[conflict.site].text;
  std::string who = nameOf(conflict);
  finding.message =
      "byte " +
      std::to_string(static_cast<int64_t>(address - dynamicRange.begin)) +
      " of shared memory ";
  switch (conflict.kind) {
  case Conflict::Unordered:
    finding.message += (conflict.earlierWrites ? "was written by "
                                               : "was read "
                                                 "by ") +
                       who + " with no barrier in between, in\n  ";
    break;
  case Conflict::PendingCopy:
    finding.message += "is the destination of an asynchronous copy by " + who +
                       " that no wait has completed; the copy is\n  ";
    break;
  case Conflict::PendingRead:
    finding.message += "is still read by " + who +
                       ", asynchronously, and no wait has completed that; it "
                       "is\n  ";
    break;
  case Conflict::NoFence:
    finding.message += "was written by " + who +
                       " through the generic proxy, with no fence.proxy.async "
                       "before the asynchronous proxy uses it, in\n  ";
    break;
  }
  addRace(std::move(finding), earlier);
}

void Block::addRace(Finding finding, const std::string &earlier) {
  finding.message += earlier;
  std::lock_guard<std::mutex> lock(launch.mutex);
  size_t races = 0;
  for (auto &[block, known] : launch.findings) {
    bool race = known.kind == finding.kind;
    // One report for a pair of instructions, of the first block that has it.
    if (race && known.instruction == finding.instruction &&
        known.message.size() >= earlier.size() &&
        known.message.compare(known.message.size() - earlier.size(),
                              earlier.size(), earlier) == 0) {
      if (orderInLaunch() < block) {
        block = orderInLaunch();
        known = std::move(finding);
      }
      return;
    }
    races += race;
  }
  if (races < maxRaces)
    launch.findings.push_back({orderInLaunch(), std::move(finding)});
}

void Block::collective(Thread &thread, const Handler &handler, void *result,
                       const void *arguments, uint32_t site) {
  uint32_t warp = thread.warp, self = 1u << thread.lane;
  uint32_t mask = ~0u;
  if (handler.hasMask) {
    std::memcpy(&mask, arguments, sizeof mask);
    if (!(mask & self))
      stop(thread, FindingKind::BadOperand, site, 0,
           "lane %u runs %s with member mask 0x%x, which it is not in",
           thread.lane, handler.name.c_str(), mask);
    // Lanes that never were, in a last warp that is not full, take no part.
    uint32_t lanes = count - warp * 32;
    if (lanes < 32)
      mask &= (1u << lanes) - 1;
  }
  if (mask & exited[warp])
    stop(thread, FindingKind::BadOperand, site, 0,
         "%s needs lanes 0x%x of warp %u, of which 0x%x have ended or do not "
         "exist",
         handler.name.c_str(), mask, warp, mask & exited[warp]);
  thread.state = ThreadState::AtCollective;
  thread.site = site;
  thread.handler = &handler;
  thread.mask = mask;
  thread.result = result;
  thread.arguments = arguments;
  waitingLanes[warp] |= self;
  Thread *lanes = &threads[warp * 32];
  bool complete = (waitingLanes[warp] & mask) == mask;
  for (uint32_t rest = mask; rest && complete; rest &= rest - 1) {
    const Thread &lane = lanes[__builtin_ctz(rest)];
    complete = lane.handler == &handler && lane.mask == mask;
  }
  if (!complete) {
    cluster.yield(thread);
    return;
  }
  // The lanes' accesses so far belong together before the collective's own.
  if (launch.wavefronts)
    cluster.wavefronts().flush(rank * 32 + warp);
  WarpCall call{lanes, mask, site};
  handler.warp(call);
  waitingLanes[warp] &= ~mask;
  readyLanes[warp] |= mask;
  readyWarps |= 1u << warp;
  for (uint32_t rest = mask; rest; rest &= rest - 1)
    lanes[__builtin_ctz(rest)].state = ThreadState::Ready;
}

void Block::warpgroupCollective(Thread &thread, const Handler &handler,
                                void *result, const void *arguments,
                                uint32_t site) {
  uint32_t first = thread.warp / 4 * 4;
  Warpgroup &group = warpgroups[thread.warp / 4];
  if (count < (first + 4) * 32)
    stop(thread, FindingKind::BadOperand, site, 0,
         "%s needs a warpgroup of 4 whole warps; the block has %u threads",
         handler.name.c_str(), count);
  for (uint32_t w = first; w < first + 4; ++w)
    if (exited[w])
      stop(thread, FindingKind::BadOperand, site, 0,
           "%s needs all threads of warps %u to %u, of which lanes 0x%x of "
           "warp %u have ended",
           handler.name.c_str(), first, first + 3, exited[w], w);
  if (group.arrived && (group.handler != &handler || group.site != site))
    stop(thread, FindingKind::BadOperand, site, 0,
         "%u threads of the warpgroup are at another instruction: %s",
         group.arrived, launch.kernel->sites[group.site].text.c_str());
  group.handler = &handler;
  group.site = site;
  thread.state = ThreadState::AtCollective;
  thread.site = site;
  thread.handler = &handler;
  thread.result = result;
  thread.arguments = arguments;
  if (++group.arrived < 128) {
    cluster.yield(thread);
    return;
  }
  group.arrived = 0;
  WarpCall call{&threads[first * 32], ~0u, site};
  handler.warpgroup(call);
  for (uint32_t i = 0; i < 128; ++i)
    ready(threads[first * 32 + i]);
}

void Block::barrier(Thread &thread, uint32_t id, uint32_t expected, bool wait,
                    uint32_t site) {
  if (id >= 16)
    stop(thread, FindingKind::BadOperand, site, 0,
         "barrier %u: a block has barriers 0 to 15", id);
  if (expected % 32 && expected)
    stop(thread, FindingKind::BadOperand, site, 0,
         "barrier %u for %u threads: expected a multiple of 32", id, expected);
  if (expected == 0)
    expected = count;
  NamedBarrier &barrier = barriers[id];
  if (barrier.arrived && barrier.expected != expected)
    stop(thread, FindingKind::BadOperand, site, 0,
         "barrier %u for %u threads, while others wait at it for %u", id,
         expected, barrier.expected);
  barrier.expected = expected;
  ++barrier.arrived;
  if (launch.races)
    cluster.detector().release(numberOf(thread), barrier.meeting);
  if (barrier.arrived < expected) {
    if (!wait)
      return;
    barrier.lanes[thread.warp] |= 1u << thread.lane;
    thread.state = ThreadState::AtBarrier;
    thread.site = site;
    thread.barrier = id;
    cluster.yield(thread);
    return;
  }
  for (uint32_t w = 0; w < warps; ++w) {
    uint32_t lanes = barrier.lanes[w];
    if (launch.wavefronts && lanes)
      cluster.wavefronts().flush(rank * 32 + w);
    for (; lanes; lanes &= lanes - 1) {
      Thread &waiting = threads[w * 32 + __builtin_ctz(lanes)];
      if (launch.races)
        cluster.detector().acquire(numberOf(waiting), barrier.meeting);
      ready(waiting);
    }
  }
  if (launch.races && wait)
    cluster.detector().acquire(numberOf(thread), barrier.meeting);
  if (launch.wavefronts)
    cluster.wavefronts().flush(warpOf(thread));
  barrier = NamedBarrier();
}

void Block::issueCopy(Thread &thread, const AsyncCopy &copy) {
  uint64_t to = reinterpret_cast<uint64_t>(copy.to);
  uint64_t from = reinterpret_cast<uint64_t>(copy.from);
  if (!holds(to))
    stop(thread, FindingKind::OutOfBounds, copy.site, to,
         "copies to 0x%llx, which is not shared memory",
         static_cast<unsigned long long>(to));
  access(thread, to, copy.bytes, copy.bytes, AccessKind::Write, copy.site);
  if (copy.read)
    access(thread, from, copy.read, 1, AccessKind::Read, copy.site);
  if (from % copy.bytes)
    stop(thread, FindingKind::Misaligned, copy.site, from,
         "copies %u bytes from 0x%llx, which is no multiple of %u", copy.bytes,
         static_cast<unsigned long long>(from), copy.bytes);
  if (launch.lateCopies) {
    std::memset(copy.to, launch.poison, copy.bytes);
  } else {
    std::memcpy(copy.to, copy.from, copy.read);
    std::memset(copy.to + copy.read, 0, copy.bytes - copy.read);
  }
  if (launch.races)
    cluster.detector().beginWrite(rank, to - windowBase, copy.bytes,
                                  numberOf(thread), copy.site);
  thread.copies.push_back(copy);
}

void Block::commitCopies(Thread &thread) {
  thread.groupEnds.push_back(thread.copies.size());
}

void Block::land(Thread &thread, size_t landing) {
  for (size_t i = 0; i < landing; ++i) {
    const AsyncCopy &copy = thread.copies[i];
    if (launch.lateCopies) {
      std::memcpy(copy.to, copy.from, copy.read);
      std::memset(copy.to + copy.read, 0, copy.bytes - copy.read);
    }
    if (!launch.races)
      continue;
    uint64_t offset = reinterpret_cast<uint64_t>(copy.to) - windowBase;
    cluster.detector().endWrite(rank, offset, copy.bytes);
    // The write is this thread's, now: others see it after the next barrier.
    detect(thread, windowBase + offset, copy.bytes, AccessKind::Write,
           copy.site);
  }
  thread.copies.erase(thread.copies.begin(), thread.copies.begin() + landing);
  for (size_t &end : thread.groupEnds)
    end -= end < landing ? end : landing;
}

void Block::waitCopies(Thread &thread, size_t pending) {
  std::vector<size_t> &ends = thread.groupEnds;
  if (ends.size() <= pending)
    return;
  size_t groups = ends.size() - pending;
  size_t landing = ends[groups - 1];
  ends.erase(ends.begin(), ends.begin() + groups);
  land(thread, landing);
}

void Block::waitAllCopies(Thread &thread) {
  thread.groupEnds.clear();
  land(thread, thread.copies.size());
}

void Block::countMatrix(Thread &thread, const uint64_t *rows, uint32_t site) {
  if (launch.wavefronts)
    cluster.wavefronts().matrix(rows, site);
}
