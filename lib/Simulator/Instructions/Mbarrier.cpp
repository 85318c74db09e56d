//===- Mbarrier.cpp - mbarrier --------------------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Simulator/Instructions/Handlers.h"
#include "Simulator/Instructions/InlinePtx.h"
#include "Simulator/Machine/Block.h"

using namespace mlir::sparseflow::sim;

namespace {

struct AddressAndCount {
  uint64_t address;
  uint32_t count;
};
struct AddressAndState {
  uint64_t address, state;
};

void init(ThreadCall &call) {
  const auto &operands = call.args<AddressAndCount>();
  call.thread.block->initMbarrier(call.thread, operands.address, operands.count,
                                  call.site);
}

void invalidate(ThreadCall &call) {
  call.thread.block->invalidateMbarrier(call.thread, call.args<uint64_t>(),
                                        call.site);
}

/// Of a barrier in another CTA there is no state to return.
template <bool counted, bool drop, bool returns>
void arrive(ThreadCall &call) {
  const auto &operands = call.args<AddressAndCount>();
  uint64_t state = call.thread.block->arriveMbarrier(
      call.thread, operands.address, counted ? operands.count : 1, 0, drop,
      call.site);
  if (returns)
    call.set(state);
}

template <bool drop, bool returns>
void arriveExpect(ThreadCall &call) {
  const auto &operands = call.args<AddressAndCount>();
  uint64_t state = call.thread.block->arriveMbarrier(
      call.thread, operands.address, 1, operands.count, drop, call.site);
  if (returns)
    call.set(state);
}

void expect(ThreadCall &call) {
  const auto &operands = call.args<AddressAndCount>();
  call.thread.block->expectBytes(call.thread, operands.address, operands.count,
                                 call.site);
}

void complete(ThreadCall &call) {
  const auto &operands = call.args<AddressAndCount>();
  call.thread.block->completeBytes(call.thread, operands.address,
                                   operands.count, call.site);
}

/// A state says the phase it was made in, see Block::arriveMbarrier.
template <bool parity, bool tries>
void wait(ThreadCall &call) {
  uint64_t address;
  uint32_t phase;
  if (parity) {
    const auto &operands = call.args<AddressAndCount>();
    address = operands.address;
    phase = operands.count;
  } else {
    const auto &operands = call.args<AddressAndState>();
    address = operands.address;
    phase = static_cast<uint32_t>(operands.state >> 32);
  }
  call.set(call.thread.block->waitMbarrier(call.thread, address, phase, parity,
                                           tries, /*loop=*/false, call.site));
}

void pendingCount(ThreadCall &call) {
  call.set(static_cast<uint32_t>(call.args<uint64_t>()));
}

// The same as inline assembly. The first argument of arrive and of the waits is
// the result.

void assemblyInit(AssemblyCall &call) {
  call.thread.block->initMbarrier(call.thread, call.get(0), call.get32(1),
                                  call.site);
}

void assemblyInvalidate(AssemblyCall &call) {
  call.thread.block->invalidateMbarrier(call.thread, call.get(0), call.site);
}

template <bool drop>
void assemblyArrive(AssemblyCall &call) {
  call.set(0, call.thread.block->arriveMbarrier(
                  call.thread, call.get(1), call.size() > 2 ? call.get32(2) : 1,
                  0, drop, call.site));
}

template <bool drop>
void assemblyArriveExpect(AssemblyCall &call) {
  call.set(0, call.thread.block->arriveMbarrier(
                  call.thread, call.get(1), 1, call.get32(2), drop, call.site));
}

void assemblyExpect(AssemblyCall &call) {
  call.thread.block->expectBytes(call.thread, call.get(0), call.get32(1),
                                 call.site);
}

template <bool parity, bool tries>
void assemblyWait(AssemblyCall &call) {
  uint32_t phase =
      parity ? call.get32(2) : static_cast<uint32_t>(call.get(2) >> 32);
  call.set(0, call.thread.block->waitMbarrier(call.thread, call.get(1), phase,
                                              parity, tries,
                                              call.program.loops(), call.site));
}

void addAssembly(Registry &registry) {
  for (const std::string space :
       {"", ".shared", ".shared::cta", ".shared::cluster"}) {
    std::string type = space + ".b64";
    registry.addAssembly("mbarrier.init" + type, {assemblyInit, 0, 2, 2});
    registry.addAssembly("mbarrier.inval" + type,
                         {assemblyInvalidate, 0, 1, 1});
    for (const std::string order : {"", ".release.cta", ".release.cluster",
                                    ".relaxed.cta", ".relaxed.cluster"}) {
      registry.addAssembly("mbarrier.arrive" + order + type,
                           {assemblyArrive<false>, 0, 2, 3});
      registry.addAssembly("mbarrier.arrive_drop" + order + type,
                           {assemblyArrive<true>, 0, 2, 3});
      registry.addAssembly("mbarrier.arrive.expect_tx" + order + type,
                           {assemblyArriveExpect<false>, 0, 3, 3});
      registry.addAssembly("mbarrier.arrive_drop.expect_tx" + order + type,
                           {assemblyArriveExpect<true>, 0, 3, 3});
    }
    for (const std::string order : {"", ".relaxed.cta", ".relaxed.cluster"})
      registry.addAssembly("mbarrier.expect_tx" + order + type,
                           {assemblyExpect, 0, 2, 2});
    for (const std::string order : {"", ".acquire.cta", ".acquire.cluster",
                                    ".relaxed.cta", ".relaxed.cluster"}) {
      registry.addAssembly("mbarrier.try_wait.parity" + order + type,
                           {assemblyWait<true, true>, 0, 3, 4});
      registry.addAssembly("mbarrier.try_wait" + order + type,
                           {assemblyWait<false, true>, 0, 3, 4});
      registry.addAssembly("mbarrier.test_wait.parity" + order + type,
                           {assemblyWait<true, false>, 0, 3, 3});
      registry.addAssembly("mbarrier.test_wait" + order + type,
                           {assemblyWait<false, false>, 0, 3, 3});
    }
  }
}

} // namespace

void mlir::sparseflow::sim::addMbarrierHandlers(Registry &registry) {
  for (const std::string space : {"", ".shared"}) {
    registry.addThread("mbarrier.init" + space, init);
    registry.addThread("mbarrier.inval" + space, invalidate);
    registry.addThread("mbarrier.arrive" + space, arrive<false, false, true>);
    registry.addThread("mbarrier.arrive.noComplete" + space,
                       arrive<true, false, true>);
    registry.addThread("mbarrier.arrive.drop" + space,
                       arrive<false, true, true>);
    registry.addThread("mbarrier.arrive.drop.noComplete" + space,
                       arrive<true, true, true>);
    registry.addThread("mbarrier.test.wait" + space, wait<false, false>);
  }
  registry.addThread("mbarrier.pending.count", pendingCount);
  for (const std::string scope : {"scope.cta", "scope.cluster"}) {
    for (const std::string order : {"", ".relaxed"}) {
      const std::string own = order + "." + scope + ".space.cta";
      const std::string other = order + "." + scope + ".space.cluster";
      registry.addThread("mbarrier.arrive" + own, arrive<true, false, true>);
      registry.addThread("mbarrier.arrive" + other, arrive<true, false, false>);
      registry.addThread("mbarrier.arrive.drop" + own,
                         arrive<true, true, true>);
      registry.addThread("mbarrier.arrive.drop" + other,
                         arrive<true, true, false>);
      registry.addThread("mbarrier.arrive.expect.tx" + own,
                         arriveExpect<false, true>);
      registry.addThread("mbarrier.arrive.expect.tx" + other,
                         arriveExpect<false, false>);
      registry.addThread("mbarrier.arrive.drop.expect.tx" + own,
                         arriveExpect<true, true>);
      registry.addThread("mbarrier.arrive.drop.expect.tx" + other,
                         arriveExpect<true, false>);
      registry.addThread("mbarrier.test.wait.parity" + own, wait<true, false>);
      registry.addThread("mbarrier.test.wait" + own, wait<false, false>);
      for (const std::string limit : {"", ".tl"}) {
        registry.addThread("mbarrier.try.wait.parity" + limit + own,
                           wait<true, true>);
        registry.addThread("mbarrier.try.wait" + limit + own,
                           wait<false, true>);
      }
    }
    for (const std::string space : {".space.cta", ".space.cluster"}) {
      registry.addThread("mbarrier.expect.tx." + scope + space, expect);
      registry.addThread("mbarrier.complete.tx." + scope + space, complete);
    }
  }
  addAssembly(registry);
}
