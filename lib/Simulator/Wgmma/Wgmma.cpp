//===- Wgmma.cpp - MMAs of a warpgroup ------------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Simulator/Wgmma/Wgmma.h"

#include "Simulator/Machine/Cluster.h"
#include "Simulator/Machine/TensorTile.h"
#include "Simulator/Wgmma/WgmmaOperands.h"

using namespace mlir::sparseflow::sim;

// Of the whole MMA of a warpgroup, PTX ISA "Register Fragments and Shared
// Memory Matrix Layouts" of wgmma: thread t, in warp w = t / 32 at g = t % 32 /
// 4, c = t % 4.
//
//   D  element i:  row 16w + g + 8 * (i / 2 % 2), column 8 * (i / 4) + 2c + i %
//   2 A  register i: row 16w + g + 8 * (i % 2), columns 2c, 2c + 1 plus 8 * (i
//   / 2)
//
// A NaN for element i of an MMA with version v is 0x7fc00000 | v << 7 | i.

namespace {

constexpr uint32_t inFlightMark = 0x7fc00000;

uint32_t rowOf(uint32_t t, uint32_t i) {
  return 16 * (t / 32) + t % 32 / 4 + 8 * (i / 2 % 2);
}
uint32_t columnOf(uint32_t t, uint32_t i) {
  return 8 * (i / 4) + 2 * (t % 4) + i % 2;
}

/// Never 0 or all ones, whose NaNs are in common use.
uint32_t versionOf(uint64_t mma) { return mma % 0x7ffe + 1; }

Accumulators *findAccumulators(Warpgroup &group, uint32_t version) {
  for (const std::unique_ptr<Accumulators> &known : group.accumulators)
    if (known->version == version)
      return known.get();
  return nullptr;
}

void forget(Warpgroup &group, const Accumulators *gone) {
  for (auto it = group.accumulators.begin(); it != group.accumulators.end();
       ++it)
    if (it->get() == gone) {
      group.accumulators.erase(it);
      return;
    }
}

} // namespace

void Warpgroup::reset() {
  arrived = 0;
  issued = computed = 0;
  pending.clear();
  accumulators.clear();
  issues.clear();
  for (unsigned w = 0; w < 4; ++w) {
    groupEnds[w].clear();
    waited[w] = 0;
  }
}

uint64_t mlir::sparseflow::sim::takeAccumulator(Thread &thread, uint32_t bits) {
  if ((bits & inFlightMark) != inFlightMark || bits >> 31)
    return bits;
  Warpgroup &group = thread.block->warpgroup(thread.warp / 4);
  Accumulators *found = findAccumulators(group, bits >> 7 & 0x7fff);
  if (!found || found->last >= group.waited[thread.warp % 4])
    return bits;
  uint32_t t = thread.index % 128, i = bits & 127;
  if (i >= found->n / 2)
    return bits;
  uint32_t value;
  std::memcpy(&value, &found->sums[rowOf(t, i) * found->n + columnOf(t, i)],
              sizeof value);
  // All of them taken, nothing can refer to it any more.
  if (++found->taken == 64 * found->n)
    forget(group, found);
  return value;
}

void mlir::sparseflow::sim::startMma(WarpCall &call, WarpgroupMma &mma) {
  Thread &first = call.lanes[0];
  Block &block = *first.block;
  Warpgroup &group = block.warpgroup(first.warp / 4);
  bool late = block.getLaunch().lateCopies;
  const WgmmaForm form = mma.form;
  unsigned elements = form.n / 2;
  auto input = [&](uint32_t t, uint32_t i) {
    return static_cast<const WgmmaCall *>(call.lanes[t].arguments)->get(i);
  };
  // The same accumulators as those of an MMA before?
  Accumulators *sums = nullptr;
  uint32_t mark = input(0, 0);
  if (!form.clear && (mark & inFlightMark) == inFlightMark && !(mark >> 31))
    sums = findAccumulators(group, mark >> 7 & 0x7fff);
  if (sums && sums->n == form.n) {
    for (uint32_t t = 0; t < 128; ++t)
      for (uint32_t i = 0; i < elements; ++i)
        if (input(t, i) != (mark | i))
          block.stop(call.lanes[t], FindingKind::BadOperand, call.site, 0,
                     "accumulator %u is not the one of the MMA before, "
                     "which is in flight: expected all of them in order",
                     i);
  } else {
    if (late && !first.wgmmaFenced)
      block.stop(first, FindingKind::BadOperand, call.site, 0,
                 "accumulators that other instructions may have used: expected "
                 "wgmma.fence before, since the start or the last wait");
    group.accumulators.push_back(std::make_unique<Accumulators>());
    sums = group.accumulators.back().get();
    sums->n = form.n;
    sums->sums.assign(64 * form.n, 0.0f);
    if (!form.clear)
      for (uint32_t t = 0; t < 128; ++t)
        for (uint32_t i = 0; i < elements; ++i) {
          uint32_t bits = input(t, i);
          std::memcpy(&sums->sums[rowOf(t, i) * form.n + columnOf(t, i)], &bits,
                      sizeof bits);
        }
  }
  if (form.aInRegisters && late)
    for (uint32_t w = 0; w < 4; ++w)
      if (!call.lanes[32 * w].wgmmaFenced)
        block.stop(call.lanes[32 * w], FindingKind::BadOperand, call.site, 0,
                   "registers of A that other instructions may have written: "
                   "expected wgmma.fence before, since the last wait");
  uint64_t number = group.issued++;
  sums->last = number;
  sums->version = versionOf(number);
  sums->taken = 0;
  mma.accumulators = sums;
  mma.site = call.site;
  mma.group = first.warp / 4;
  checkOperands(call, mma);
  if (block.getLaunch().races && (form.sparse || form.aInRegisters)) {
    Warpgroup::Issue &issue = group.issues.emplace_back();
    issue.mma = number;
    for (uint32_t t = 0; t < 128; ++t)
      issue.times[t] =
          block.getCluster().detector().pass(block.numberOf(call.lanes[t]));
  }
  if (!late)
    computeMmas(block, group, group.issued);
  for (uint32_t t = 0; t < 128; ++t)
    for (uint32_t i = 0; i < elements; ++i) {
      uint32_t bits = inFlightMark | sums->version << 7 | i;
      if (!late)
        std::memcpy(&bits, &sums->sums[rowOf(t, i) * form.n + columnOf(t, i)],
                    sizeof bits);
      static_cast<const WgmmaCall *>(call.lanes[t].arguments)->set(i, bits);
    }
  if (!late)
    forget(group, sums);
}

void mlir::sparseflow::sim::computeMmas(Block &block, Warpgroup &group,
                                        uint64_t upTo) {
  for (; group.computed < upTo; ++group.computed) {
    WarpgroupMma &mma = *group.pending.front();
    computeMma(block, mma);
    if (block.getLaunch().races)
      endReads(block, mma, static_cast<uint32_t>(group.computed) + 1);
    group.pending.pop_front();
  }
}
