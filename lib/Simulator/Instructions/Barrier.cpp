//===- Barrier.cpp - bar.sync, bar.arrive, bar.warp.sync ------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Simulator/Instructions/Handlers.h"

#include "Simulator/Machine/Block.h"

using namespace mlir::sparseflow::sim;

static void syncAll(ThreadCall &call) {
  call.thread.block->barrier(call.thread, call.args<uint32_t>(), 0, true,
                             call.site);
}

namespace {
struct Counted {
  uint32_t barrier, threads;
};
} // namespace

/// A count of 0 would mean all threads to the block's barrier, not to PTX.
static void refuseZero(ThreadCall &call, uint32_t threads) {
  if (threads == 0)
    call.thread.block->stop(call.thread, FindingKind::BadOperand, call.site, 0,
                            "a barrier for 0 threads: expected a positive "
                            "multiple of 32");
}

static void syncCount(ThreadCall &call) {
  const Counted &operands = call.args<Counted>();
  refuseZero(call, operands.threads);
  call.thread.block->barrier(call.thread, operands.barrier, operands.threads,
                             true, call.site);
}

static void arriveCount(ThreadCall &call) {
  const Counted &operands = call.args<Counted>();
  refuseZero(call, operands.threads);
  call.thread.block->barrier(call.thread, operands.barrier, operands.threads,
                             false, call.site);
}

static void syncWarp(WarpCall &call) { call.lanes[0].block->warpBarrier(call); }

void mlir::sparseflow::sim::addBarrierHandlers(Registry &registry) {
  for (const char *kind : {"barrier.cta.sync.aligned", "barrier.cta.sync"}) {
    registry.addThread(std::string(kind) + ".all", syncAll);
    registry.addThread(std::string(kind) + ".count", syncCount);
  }
  registry.addThread("barrier.cta.arrive.aligned.count", arriveCount);
  registry.addThread("barrier.cta.arrive.count", arriveCount);
  registry.addWarp("bar.warp.sync", syncWarp, /*hasMask=*/true);
}
