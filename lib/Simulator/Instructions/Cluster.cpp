//===- Cluster.cpp - Clusters, fences, registers --------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Simulator/Machine/Cluster.h"
#include "Simulator/Instructions/Handlers.h"
#include "Simulator/Instructions/InlinePtx.h"

using namespace mlir::sparseflow::sim;

namespace {

/// The same place in the shared memory of another CTA.
uint64_t mapToRank(Thread &thread, uint64_t address, uint32_t rank,
                   uint32_t site) {
  Cluster &cluster = thread.block->getCluster();
  Block *owner = cluster.owner(address);
  if (!owner)
    thread.block->stop(thread, FindingKind::BadOperand, site, address,
                       "mapa of 0x%llx, which is not shared memory",
                       static_cast<unsigned long long>(address));
  // LLVM may compute addresses of CTAs that there are not before it is known
  // that nobody uses them. No memory is below 64 KiB: an access is found.
  if (rank >= cluster.size())
    return (address - owner->base()) & 0xffff;
  return cluster.block(rank).base() + (address - owner->base());
}

struct MapOperands {
  uint64_t address;
  uint32_t rank;
};
void mapa(ThreadCall &call) {
  const auto &operands = call.args<MapOperands>();
  call.set(mapToRank(call.thread, operands.address, operands.rank, call.site));
}
void assemblyMapa(AssemblyCall &call) {
  call.set(0, mapToRank(call.thread, call.get(1), call.get32(2), call.site));
}

uint32_t rankOf(Thread &thread, uint64_t address, uint32_t site) {
  Block *owner = thread.block->getCluster().owner(address);
  if (!owner)
    thread.block->stop(thread, FindingKind::BadOperand, site, address,
                       "getctarank of 0x%llx, which is not shared memory",
                       static_cast<unsigned long long>(address));
  return owner->getRank();
}
void getRank(ThreadCall &call) {
  call.set(rankOf(call.thread, call.args<uint64_t>(), call.site));
}
void assemblyGetRank(AssemblyCall &call) {
  call.set(0, rankOf(call.thread, call.get(1), call.site));
}

template <bool relaxed>
void arrive(ThreadCall &call) {
  call.thread.block->getCluster().arrive(call.thread, relaxed, call.site);
}
void wait(ThreadCall &call) {
  call.thread.block->getCluster().wait(call.thread, call.site);
}
template <bool relaxed>
void assemblyArrive(AssemblyCall &call) {
  call.thread.block->getCluster().arrive(call.thread, relaxed, call.site);
}
void assemblyWait(AssemblyCall &call) {
  call.thread.block->getCluster().wait(call.thread, call.site);
}

template <bool increase>
void setRegisters(ThreadCall &call) {
  call.thread.block->setRegisters(call.thread, call.args<uint32_t>(), increase,
                                  call.site);
}
template <bool increase>
void assemblySetRegisters(AssemblyCall &call) {
  call.thread.block->setRegisters(call.thread, call.get32(0), increase,
                                  call.site);
}

// elect.sync: the same lane for the same mask throughout a launch; which one is
// up to the seed.
struct Elected {
  uint32_t leader;
  bool is;
};
void elect(WarpCall &call) {
  Thread &first = call.lanes[__builtin_ctz(call.mask)];
  uint64_t seed = first.block->getCluster().seed();
  uint32_t leader = static_cast<uint32_t>(__builtin_ctz(call.mask));
  if (seed) {
    uint64_t mixed = (seed ^ call.mask) * 0x9e3779b97f4a7c15;
    uint32_t skip = static_cast<uint32_t>(mixed >> 40) %
                    static_cast<uint32_t>(__builtin_popcount(call.mask));
    uint32_t rest = call.mask;
    for (; skip; --skip)
      rest &= rest - 1;
    leader = static_cast<uint32_t>(__builtin_ctz(rest));
  }
  for (unsigned lane = 0; lane < 32; ++lane)
    if (call.has(lane))
      *call.result<Elected>(lane) = {leader, lane == leader};
}
void assemblyElect(AssemblyCall &call) {
  static const Handler &handler = *Registry::get().find("elect.sync");
  Elected result;
  uint32_t mask = call.get32(2);
  call.thread.block->collective(call.thread, handler, &result, &mask,
                                call.site);
  call.set(0, result.leader);
  call.set(1, result.is);
}

void nothing(ThreadCall &) {}
void assemblyNothing(AssemblyCall &) {}
// Launches run one after another, so the one before has always ended; but a
// kernel has to wait as if it had not.
void launchDependents(ThreadCall &call) {
  call.thread.block->launchDependents();
}
void assemblyLaunchDependents(AssemblyCall &call) {
  call.thread.block->launchDependents();
}
void waitForDependency(ThreadCall &call) {
  call.thread.block->waitForDependency();
}
void assemblyWaitForDependency(AssemblyCall &call) {
  call.thread.block->waitForDependency();
}
void fenceProxy(ThreadCall &call) {
  call.thread.block->proxyFence(call.thread);
}
void assemblyFenceProxy(AssemblyCall &call) {
  call.thread.block->proxyFence(call.thread);
}

void fenceInits(ThreadCall &call) {
  call.thread.block->proxyFence(call.thread);
  call.thread.block->getCluster().publishInits(call.thread);
}
void assemblyFenceInits(AssemblyCall &call) {
  call.thread.block->proxyFence(call.thread);
  call.thread.block->getCluster().publishInits(call.thread);
}

/// A counter that only goes up.
void timer(ThreadCall &call) {
  static std::atomic<uint64_t> now{1};
  call.set(now.fetch_add(32));
}

} // namespace

void mlir::sparseflow::sim::addClusterHandlers(Registry &registry) {
  registry.addThread("mapa", mapa);
  registry.addThread("mapa.shared.cluster", mapa);
  registry.addThread("getctarank", getRank);
  registry.addThread("getctarank.shared.cluster", getRank);
  for (const std::string aligned : {"", ".aligned"}) {
    registry.addThread("barrier.cluster.arrive" + aligned, arrive<false>);
    registry.addThread("barrier.cluster.arrive.relaxed" + aligned,
                       arrive<true>);
    registry.addThread("barrier.cluster.wait" + aligned, wait);
    for (const std::string order : {"", ".release"})
      registry.addAssembly("barrier.cluster.arrive" + order + aligned,
                           {assemblyArrive<false>, 0, 0, 0});
    registry.addAssembly("barrier.cluster.arrive.relaxed" + aligned,
                         {assemblyArrive<true>, 0, 0, 0});
    for (const std::string order : {"", ".acquire"})
      registry.addAssembly("barrier.cluster.wait" + order + aligned,
                           {assemblyWait, 0, 0, 0});
  }
  registry.addThread("setmaxnreg.inc.sync.aligned.u32", setRegisters<true>);
  registry.addThread("setmaxnreg.dec.sync.aligned.u32", setRegisters<false>);
  registry.addAssembly("setmaxnreg.inc.sync.aligned.u32",
                       {assemblySetRegisters<true>, 0, 1, 1});
  registry.addAssembly("setmaxnreg.dec.sync.aligned.u32",
                       {assemblySetRegisters<false>, 0, 1, 1});
  registry.addWarp("elect.sync", elect, /*hasMask=*/true);
  registry.addAssembly("elect.sync", {assemblyElect, 0, 3, 3});
  for (const char *space : {"mapa.u64", "mapa.u32", "mapa.shared::cluster.u32",
                            "mapa.shared::cluster.u64"})
    registry.addAssembly(space, {assemblyMapa, 0, 3, 3});
  for (const char *space :
       {"getctarank.u64", "getctarank.u32", "getctarank.shared::cluster.u32"})
    registry.addAssembly(space, {assemblyGetRank, 0, 2, 2});

  registry.addThread("griddepcontrol.wait", waitForDependency);
  registry.addThread("griddepcontrol.launch.dependents", launchDependents);
  registry.addAssembly("griddepcontrol.wait",
                       {assemblyWaitForDependency, 0, 0, 0});
  registry.addAssembly("griddepcontrol.launch_dependents",
                       {assemblyLaunchDependents, 0, 0, 0});
  for (const char *name :
       {"fence.sc.cluster", "fence.proxy.async.global", "fence.proxy.alias",
        "membar.cta", "membar.gl", "membar.sys", "prefetchu.L1", "prefetch.L1",
        "prefetch.L2", "prefetch.global.L1", "prefetch.global.L2", "nanosleep",
        "fence.acquire.sync_restrict.space.cluster.scope.cluster",
        "fence.release.sync_restrict.space.cta.scope.cluster"})
    registry.addThread(name, nothing);
  for (const char *name :
       {"fence.sc.cluster", "fence.proxy.async.global", "fence.proxy.alias",
        "fence.sc.cta", "fence.sc.gpu", "fence.sc.sys", "fence.acq_rel.cta",
        "fence.acq_rel.cluster", "fence.acq_rel.gpu", "fence.acq_rel.sys",
        "membar.cta", "membar.gl", "membar.sys", "nanosleep.u32",
        "prefetch.global.L1", "prefetch.global.L2"})
    registry.addAssembly(name, {assemblyNothing});
  for (const char *name : {"fence.proxy.async", "fence.proxy.async.shared_cta",
                           "fence.proxy.async.shared_cluster"})
    registry.addThread(name, fenceProxy);
  for (const char *name : {"fence.proxy.async", "fence.proxy.async.shared::cta",
                           "fence.proxy.async.shared::cluster"})
    registry.addAssembly(name, {assemblyFenceProxy, 0, 0, 0});
  registry.addThread("fence.mbarrier_init.release.cluster", fenceInits);
  registry.addAssembly("fence.mbarrier_init.release.cluster",
                       {assemblyFenceInits, 0, 0, 0});
  registry.addThread("read.ptx.sreg.globaltimer", timer);
  registry.addThread("read.ptx.sreg.clock64", timer);
}
