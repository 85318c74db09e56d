//===- BulkCopy.cpp - cp.async.bulk and cp.async.bulk.tensor --------------===//
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

// Cache hints change no values and are ignored.

struct BulkOperands {
  uint64_t to, barrier, from;
  uint32_t bytes;
  uint16_t mask;
  uint64_t hint;
  bool hasMask, hasHint;
};
struct BulkToCtaOperands {
  uint64_t to, barrier, from;
  uint32_t bytes;
};
struct BulkStoreOperands {
  uint64_t to, from;
  uint32_t bytes;
};
template <unsigned rank>
struct TileOperands {
  uint64_t to, barrier;
  const TensorMap *map;
  int32_t coordinates[rank];
  uint16_t mask;
  uint64_t hint;
  bool hasMask, hasHint;
};
template <unsigned rank>
struct TileToCtaOperands {
  uint64_t to, barrier;
  const TensorMap *map;
  int32_t coordinates[rank];
};
template <unsigned rank>
struct TileStoreOperands {
  uint64_t from;
  const TensorMap *map;
  int32_t coordinates[rank];
};

void copyRow(Thread &thread, uint64_t to, uint64_t from, uint32_t bytes,
             uint64_t barrier, bool multicast, uint32_t mask, uint32_t site) {
  InFlight copy;
  copy.map.address = from;
  copy.to = to;
  copy.bytes = bytes;
  copy.site = site;
  thread.block->issueBulk(thread, copy, barrier, multicast, mask);
}

/// The map is an argument of the kernel or lies in global memory.
const TensorMap &readMap(Thread &thread, const TensorMap *map, unsigned rank,
                         uint32_t site) {
  auto address = reinterpret_cast<uint64_t>(map);
  if (address % 64)
    thread.block->stop(thread, FindingKind::Misaligned, site, address,
                       "a tensor map at 0x%llx: expected a multiple of 64",
                       static_cast<unsigned long long>(address));
  thread.block->checkGlobal(thread, address, sizeof(TensorMap),
                            AccessKind::Read, site);
  if (map->magic != TensorMap::magicNumber || map->rank != rank)
    thread.block->stop(thread, FindingKind::BadOperand, site, address,
                       "0x%llx is not the address of a tensor map of rank %u",
                       static_cast<unsigned long long>(address), rank);
  return *map;
}

void copyTile(Thread &thread, uint64_t to, const TensorMap *map,
              const int32_t *coordinates, unsigned rank, uint64_t barrier,
              bool multicast, uint32_t mask, uint32_t site) {
  InFlight copy;
  copy.map = readMap(thread, map, rank, site);
  copy.tile = true;
  std::memcpy(copy.coordinates, coordinates, 4 * rank);
  copy.to = to;
  copy.site = site;
  thread.block->issueBulk(thread, copy, barrier, multicast, mask);
}

void storeRow(Thread &thread, uint64_t to, uint64_t from, uint32_t bytes,
              uint32_t site) {
  BulkStore store;
  store.map.address = to;
  store.from = from;
  store.bytes = bytes;
  store.site = site;
  thread.block->issueStore(thread, store);
}

void storeTile(Thread &thread, const TensorMap *map, const int32_t *coordinates,
               unsigned rank, uint64_t from, uint32_t site) {
  BulkStore store;
  store.map = readMap(thread, map, rank, site);
  store.tile = true;
  std::memcpy(store.coordinates, coordinates, 4 * rank);
  store.from = from;
  store.site = site;
  thread.block->issueStore(thread, store);
}

void bulk(ThreadCall &call) {
  const auto &o = call.args<BulkOperands>();
  copyRow(call.thread, o.to, o.from, o.bytes, o.barrier, o.hasMask, o.mask,
          call.site);
}
void bulkToCta(ThreadCall &call) {
  const auto &o = call.args<BulkToCtaOperands>();
  copyRow(call.thread, o.to, o.from, o.bytes, o.barrier, false, 0, call.site);
}
void bulkStore(ThreadCall &call) {
  const auto &o = call.args<BulkStoreOperands>();
  storeRow(call.thread, o.to, o.from, o.bytes, call.site);
}
template <unsigned rank>
void tile(ThreadCall &call) {
  const auto &o = call.args<TileOperands<rank>>();
  copyTile(call.thread, o.to, o.map, o.coordinates, rank, o.barrier, o.hasMask,
           o.mask, call.site);
}
template <unsigned rank>
void tileToCta(ThreadCall &call) {
  const auto &o = call.args<TileToCtaOperands<rank>>();
  copyTile(call.thread, o.to, o.map, o.coordinates, rank, o.barrier, false, 0,
           call.site);
}
template <unsigned rank>
void tileStore(ThreadCall &call) {
  const auto &o = call.args<TileStoreOperands<rank>>();
  storeTile(call.thread, o.map, o.coordinates, rank, o.from, call.site);
}

void commit(ThreadCall &call) { call.thread.block->commitStores(call.thread); }
template <bool onlyRead>
void waitGroup(ThreadCall &call) {
  call.thread.block->waitStores(call.thread, call.args<uint32_t>(), onlyRead);
}
void nothing(ThreadCall &) {}

// Assembly: [to], [from], bytes, [barrier] {, mask} {, hint}; for tiles
// [to], [map, {coordinates}], [barrier] {, mask} {, hint}. The parameter is 1
// with a mask.

void assemblyBulk(AssemblyCall &call) {
  bool multicast = call.instruction.handler.parameter;
  copyRow(call.thread, call.get(0), call.get(1), call.get32(2), call.get(3),
          multicast, multicast ? call.get32(4) & 0xffff : 0, call.site);
}
void assemblyTile(AssemblyCall &call) {
  bool multicast = call.instruction.handler.parameter;
  int32_t coordinates[5] = {};
  unsigned rank = call.count(2);
  for (unsigned i = 0; i < rank && i < 5; ++i)
    coordinates[i] = static_cast<int32_t>(call.get32(2, i));
  copyTile(call.thread, call.get(0),
           reinterpret_cast<const TensorMap *>(call.get(1)), coordinates, rank,
           call.get(3), multicast, multicast ? call.get32(4) & 0xffff : 0,
           call.site);
}
void assemblyBulkStore(AssemblyCall &call) {
  storeRow(call.thread, call.get(0), call.get(1), call.get32(2), call.site);
}
void assemblyTileStore(AssemblyCall &call) {
  int32_t coordinates[5] = {};
  unsigned rank = call.count(1);
  for (unsigned i = 0; i < rank && i < 5; ++i)
    coordinates[i] = static_cast<int32_t>(call.get32(1, i));
  storeTile(call.thread, reinterpret_cast<const TensorMap *>(call.get(0)),
            coordinates, rank, call.get(2), call.site);
}
void assemblyCommit(AssemblyCall &call) {
  call.thread.block->commitStores(call.thread);
}
template <bool onlyRead>
void assemblyWaitGroup(AssemblyCall &call) {
  call.thread.block->waitStores(call.thread, call.get32(0), onlyRead);
}
void assemblyNothing(AssemblyCall &) {}

template <unsigned rank>
void addRank(Registry &registry) {
  const std::string number = std::to_string(rank);
  const std::string d = ".tile." + number + "d";
  registry.addThread("cp.async.bulk.tensor.g2s" + d, tile<rank>);
  registry.addThread("cp.async.bulk.tensor.g2s.cta" + d, tileToCta<rank>);
  registry.addThread("cp.async.bulk.tensor.s2g" + d, tileStore<rank>);
  registry.addThread("cp.async.bulk.tensor.prefetch" + d, nothing);
  const std::string name = "cp.async.bulk.tensor." + number + "d.";
  for (const std::string kind : {"", ".tile"})
    for (const std::string hint : {"", ".L2::cache_hint"}) {
      uint8_t extra = hint.empty() ? 0 : 1;
      for (const std::string to : {"shared::cluster", "shared::cta"}) {
        std::string load =
            name + to + ".global" + kind + ".mbarrier::complete_tx::bytes";
        registry.addAssembly(load + hint, {assemblyTile, 0, uint8_t(4 + extra),
                                           uint8_t(4 + extra)});
        registry.addAssembly(
            load + ".multicast::cluster" + hint,
            {assemblyTile, 1, uint8_t(5 + extra), uint8_t(5 + extra)});
      }
      registry.addAssembly(
          name + "global.shared::cta" + kind + ".bulk_group" + hint,
          {assemblyTileStore, 0, uint8_t(3 + extra), uint8_t(3 + extra)});
      registry.addAssembly("cp.async.bulk.prefetch.tensor." + number +
                               "d.L2.global" + kind + hint,
                           {assemblyNothing});
    }
}

} // namespace

void mlir::sparseflow::sim::addBulkHandlers(Registry &registry) {
  registry.addThread("cp.async.bulk.global.to.shared.cluster", bulk);
  registry.addThread("cp.async.bulk.global.to.shared.cta", bulkToCta);
  // From the shared memory of one CTA to that of another.
  registry.addThread("cp.async.bulk.shared.cta.to.cluster", bulkToCta);
  registry.addThread("cp.async.bulk.shared.cta.to.global", bulkStore);
  registry.addThread("cp.async.bulk.prefetch.L2", nothing);
  registry.addThread("cp.async.bulk.commit.group", commit);
  registry.addThread("cp.async.bulk.wait.group", waitGroup<false>);
  registry.addThread("cp.async.bulk.wait.group.read", waitGroup<true>);
  registry.addThread("prefetch.tensormap.p0", nothing);
  registry.addThread("prefetch.tensormap.p101", nothing);
  addRank<1>(registry);
  addRank<2>(registry);
  addRank<3>(registry);
  addRank<4>(registry);
  addRank<5>(registry);

  const std::string bytes = ".mbarrier::complete_tx::bytes";
  for (const std::string hint : {"", ".L2::cache_hint"}) {
    uint8_t extra = hint.empty() ? 0 : 1;
    for (const std::string to : {"shared::cluster", "shared::cta"})
      registry.addAssembly(
          "cp.async.bulk." + to + ".global" + bytes + hint,
          {assemblyBulk, 0, uint8_t(4 + extra), uint8_t(4 + extra)});
    registry.addAssembly(
        "cp.async.bulk.shared::cluster.global" + bytes + ".multicast::cluster" +
            hint,
        {assemblyBulk, 1, uint8_t(5 + extra), uint8_t(5 + extra)});
    registry.addAssembly(
        "cp.async.bulk.global.shared::cta.bulk_group" + hint,
        {assemblyBulkStore, 0, uint8_t(3 + extra), uint8_t(3 + extra)});
    registry.addAssembly("cp.async.bulk.prefetch.L2.global" + hint,
                         {assemblyNothing});
  }
  registry.addAssembly("cp.async.bulk.shared::cluster.shared::cta" + bytes,
                       {assemblyBulk, 0, 4, 4});
  registry.addAssembly("cp.async.bulk.commit_group", {assemblyCommit, 0, 0, 0});
  registry.addAssembly("cp.async.bulk.wait_group",
                       {assemblyWaitGroup<false>, 0, 1, 1});
  registry.addAssembly("cp.async.bulk.wait_group.read",
                       {assemblyWaitGroup<true>, 0, 1, 1});
  registry.addAssembly("prefetch.tensormap", {assemblyNothing, 0, 1, 1});
}
