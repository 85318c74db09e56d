//===- Wgmma.cpp - wgmma --------------------------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Simulator/Instructions/Handlers.h"
#include "Simulator/Instructions/InlinePtx.h"
#include "Simulator/Machine/Cluster.h"
#include "Simulator/Wgmma/WgmmaOperands.h"

#include <algorithm>
#include <cstdlib>

using namespace mlir::sparseflow::sim;

// SS   {d...}, a-descriptor, b-descriptor [, metadata, selector], scale-d,
//      scale-a, scale-b, transpose-a, transpose-b
// RS   {d...}, {a0, a1, a2, a3}, b-descriptor [, metadata, selector], scale-d,
//      scale-a, scale-b, transpose-b
// RS of bytes   {d...}, {a0, a1, a2, a3}, b-descriptor [, metadata, selector],
//      scale-d

namespace {

struct Parsed {
  uint32_t n;
  bool sparse, bfloat, bytes, signedA;
};

/// The form of an opcode is kept in the parameter: n, 1 << 16 for sparse,
/// 1 << 17 for bf16, 1 << 18 for bytes and 1 << 19 if those of A have a sign.
Parsed parsedOf(const AssemblyCall &call) {
  uint64_t bits = call.instruction.handler.parameter;
  return {static_cast<uint32_t>(bits & 0xffff), (bits >> 16 & 1) != 0,
          (bits >> 17 & 1) != 0, (bits >> 18 & 1) != 0, (bits >> 19 & 1) != 0};
}

WgmmaForm formOf(const AssemblyCall &call) {
  Parsed parsed = parsedOf(call);
  WgmmaForm form;
  form.n = static_cast<uint16_t>(parsed.n);
  form.k = static_cast<uint16_t>(16 << (parsed.sparse + parsed.bytes));
  form.sparse = parsed.sparse;
  form.bfloat = parsed.bfloat;
  form.bytes = parsed.bytes;
  form.signedA = parsed.signedA;
  form.aInRegisters = call.count(1) == 4;
  unsigned at = 1;
  if (!form.aInRegisters)
    form.aDescriptor = call.get(at);
  ++at;
  form.bDescriptor = call.get(at++);
  if (form.sparse) {
    ++at;
    form.selector = static_cast<uint8_t>(call.get(at++));
  }
  form.clear = !(call.get(at++) & 1);
  if (form.bytes)
    return form;
  form.negateA = static_cast<int32_t>(call.get32(at++)) < 0;
  form.negateB = static_cast<int32_t>(call.get32(at++)) < 0;
  if (!form.aInRegisters)
    form.transposeA = call.get(at++) & 1;
  form.transposeB = call.get(at++) & 1;
  return form;
}

bool same(const WgmmaForm &a, const WgmmaForm &b) {
  return a.n == b.n && a.sparse == b.sparse && a.bfloat == b.bfloat &&
         a.bytes == b.bytes && a.aInRegisters == b.aInRegisters &&
         a.transposeA == b.transposeA && a.transposeB == b.transposeB &&
         a.negateA == b.negateA && a.negateB == b.negateB &&
         a.clear == b.clear && a.selector == b.selector &&
         a.aDescriptor == b.aDescriptor && a.bDescriptor == b.bDescriptor;
}

const AssemblyCall &assemblyOf(const WarpCall &call, uint32_t t) {
  return *static_cast<const WgmmaCall *>(call.lanes[t].arguments)->assembly;
}

void multiply(WarpCall &call) {
  Warpgroup &group = call.lanes[0].block->warpgroup(call.lanes[0].warp / 4);
  group.pending.push_back(std::make_unique<WarpgroupMma>());
  WarpgroupMma &mma = *group.pending.back();
  WgmmaForm &form = mma.form;
  form = formOf(assemblyOf(call, 0));
  const char *wrong = nullptr;
  Thread *who = nullptr;
  for (uint32_t t = 0; t < 128 && !wrong; ++t) {
    const AssemblyCall &own = assemblyOf(call, t);
    who = &call.lanes[t];
    if (!same(form, formOf(own)))
      wrong = "the threads of the warpgroup have different descriptors, "
              "selectors or scales: expected the same in all 128";
    if (form.aInRegisters)
      for (unsigned i = 0; i < 4; ++i) {
        uint32_t bits = own.get32(1, i);
        std::memcpy(&mma.a[t][2 * i], &bits, sizeof bits);
      }
    mma.metadata[t] = form.sparse ? own.get32(3) : 0;
  }
  if (form.sparse && form.selector > (form.bytes ? 0 : 1))
    wrong = form.bytes ? "a sparsity selector that is not 0"
                       : "a sparsity selector that is not 0 or 1";
  if (wrong)
    who->block->stop(*who, FindingKind::BadOperand, call.site, 0, "%s", wrong);
  startMma(call, mma);
}

void assemblyMultiply(AssemblyCall &call) {
  static const Handler handler = [] {
    Handler made;
    made.name = "wgmma.mma_async";
    made.warpgroup = multiply;
    return made;
  }();
  Parsed parsed = parsedOf(call);
  unsigned scalars = parsed.bytes ? 1 : call.count(1) == 4 ? 4 : 5;
  if ((parsed.bytes && call.count(1) != 4) || call.count(0) != parsed.n / 2 ||
      (call.count(1) != 1 && call.count(1) != 4) ||
      call.size() != 3 + (parsed.sparse ? 2u : 0u) + scalars)
    call.thread.block->stop(call.thread, FindingKind::BadOperand, call.site, 0,
                            "%s with %u accumulators and %zu operands",
                            call.instruction.opcode.c_str(), call.count(0),
                            call.size());
  WgmmaCall arguments{&call};
  call.thread.block->warpgroupCollective(call.thread, handler, nullptr,
                                         &arguments, call.site);
}

// Fences and groups are those of a warp.

void fence(WarpCall &call) {
  for (unsigned lane = 0; lane < 32; ++lane)
    call.lanes[lane].wgmmaFenced = true;
}

void commit(WarpCall &call) {
  Thread &first = call.lanes[0];
  Warpgroup &group = first.block->warpgroup(first.warp / 4);
  group.groupEnds[first.warp % 4].push_back(group.issued);
}

/// The warp knows of the MMAs that it has waited for, and of what their
/// threads had read before they issued them.
void learnMmas(WarpCall &call, Warpgroup &group) {
  Thread &first = call.lanes[0];
  Block &block = *first.block;
  RaceDetector &detector = block.getCluster().detector();
  uint64_t waited = group.waited[first.warp % 4];
  // Issues that all four warps know are needed no more, but for the last.
  uint64_t least = *std::min_element(group.waited, group.waited + 4);
  while (group.issues.size() > 1 && group.issues[1].mma < least)
    group.issues.pop_front();
  const Warpgroup::Issue *last = nullptr;
  for (const Warpgroup::Issue &issue : group.issues)
    if (issue.mma < waited)
      last = &issue;
  uint32_t begin = block.numberOf(first) - first.index % 128;
  for (unsigned lane = 0; lane < 32; ++lane) {
    uint32_t thread = block.numberOf(call.lanes[lane]);
    detector.learn(thread, detector.groupAgent(block.getRank(), first.warp / 4),
                   static_cast<uint32_t>(waited));
    for (uint32_t t = 0; last && t < 128; ++t)
      detector.learnReads(thread, begin + t, last->times[t]);
  }
}

void waitFor(WarpCall &call, uint64_t pending) {
  Thread &first = call.lanes[0];
  Warpgroup &group = first.block->warpgroup(first.warp / 4);
  std::vector<uint64_t> &ends = group.groupEnds[first.warp % 4];
  for (unsigned lane = 0; lane < 32; ++lane)
    call.lanes[lane].wgmmaFenced = false;
  if (ends.size() <= pending)
    return;
  uint64_t &waited = group.waited[first.warp % 4];
  waited = ends[ends.size() - pending - 1];
  if (first.block->getLaunch().races)
    learnMmas(call, group);
  ends.erase(ends.begin(), ends.end() - static_cast<long>(pending));
  computeMmas(*first.block, group, waited);
}

void waitGroup(WarpCall &call) { waitFor(call, call.args<uint64_t>(0)); }

/// Of an assembly: the operand is the number of groups.
void collectiveOf(AssemblyCall &call, const char *name) {
  uint64_t pending = call.size() ? call.get(0) : 0;
  call.thread.block->collective(call.thread, *Registry::get().find(name),
                                nullptr, &pending, call.site);
}
void assemblyFence(AssemblyCall &call) {
  collectiveOf(call, "wgmma.fence.sync.aligned");
}
void assemblyCommit(AssemblyCall &call) {
  collectiveOf(call, "wgmma.commit_group.sync.aligned");
}
void assemblyWait(AssemblyCall &call) {
  collectiveOf(call, "wgmma.wait_group.sync.aligned");
}

} // namespace

void mlir::sparseflow::sim::addWgmmaHandlers(Registry &registry) {
  registry.addWarp("wgmma.fence.sync.aligned", fence);
  registry.addWarp("wgmma.commit_group.sync.aligned", commit);
  registry.addWarp("wgmma.wait_group.sync.aligned", waitGroup);
  registry.addAssembly("wgmma.fence.sync.aligned", {assemblyFence, 0, 0, 0});
  registry.addAssembly("wgmma.commit_group.sync.aligned",
                       {assemblyCommit, 0, 0, 0});
  registry.addAssembly("wgmma.wait_group.sync.aligned",
                       {assemblyWait, 0, 1, 1});
  for (uint32_t n = 8; n <= 256; n += n < 32 ? 8 : 16)
    for (bool isSigned : {false, true})
      registry.addAssembly(
          "wgmma.mma_async.sync.aligned.m64n" + std::to_string(n) + "k32.s32." +
              (isSigned ? "s8" : "u8") + ".s8",
          {assemblyMultiply, n | uint64_t(1) << 18 | uint64_t(isSigned) << 19,
           4, 4});
  for (uint32_t n = 8; n <= 256; n += n < 32 ? 8 : 16)
    registry.addAssembly(
        "wgmma.mma_async.sp.sync.aligned.m64n" + std::to_string(n) +
            "k64.s32.s8.s8",
        {assemblyMultiply, n | uint64_t(1) << 16 | uint64_t(3) << 18, 6, 6});
  for (bool sparse : {false, true})
    for (bool bfloat : {false, true})
      for (uint32_t n = 8; n <= 256; n += 8) {
        std::string type = bfloat ? "bf16" : "f16";
        std::string name = std::string("wgmma.mma_async") +
                           (sparse ? ".sp" : "") + ".sync.aligned.m64n" +
                           std::to_string(n) + (sparse ? "k32" : "k16") +
                           ".f32." + type + "." + type;
        registry.addAssembly(
            name, {assemblyMultiply,
                   n | uint64_t(sparse) << 16 | uint64_t(bfloat) << 17, 7, 10});
      }
}
