//===- AsyncCopy.cpp - cp.async -------------------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Simulator/Instructions/Handlers.h"

#include "Simulator/Machine/Block.h"

using namespace mlir::sparseflow::sim;

namespace {

struct CopyOperands {
  uint8_t *to;
  const uint8_t *from;
};
struct SizedCopyOperands {
  uint8_t *to;
  const uint8_t *from;
  uint32_t read;
};

template <uint32_t bytes>
void copy(ThreadCall &call) {
  const CopyOperands &operands = call.args<CopyOperands>();
  call.thread.block->issueCopy(
      call.thread, {operands.to, operands.from, bytes, bytes, call.site});
}

/// With a source size: the rest of the destination becomes zeros, and nothing
/// beyond the size is read.
template <uint32_t bytes>
void copySized(ThreadCall &call) {
  const SizedCopyOperands &operands = call.args<SizedCopyOperands>();
  if (operands.read > bytes)
    call.thread.block->stop(call.thread, FindingKind::BadOperand, call.site, 0,
                            "cp.async of %u bytes with a source size of %u",
                            bytes, operands.read);
  call.thread.block->issueCopy(call.thread, {operands.to, operands.from, bytes,
                                             operands.read, call.site});
}

void commit(ThreadCall &call) { call.thread.block->commitCopies(call.thread); }

void waitGroup(ThreadCall &call) {
  call.thread.block->waitCopies(call.thread, call.args<uint32_t>());
}

void waitAll(ThreadCall &call) {
  call.thread.block->waitAllCopies(call.thread);
}

template <uint32_t bytes>
void addCopy(Registry &registry, const std::string &name) {
  registry.addThread(name, copy<bytes>);
  registry.addThread(name + ".s", copySized<bytes>);
}

} // namespace

void mlir::sparseflow::sim::addCopyHandlers(Registry &registry) {
  addCopy<4>(registry, "cp.async.ca.shared.global.4");
  addCopy<8>(registry, "cp.async.ca.shared.global.8");
  addCopy<16>(registry, "cp.async.ca.shared.global.16");
  addCopy<16>(registry, "cp.async.cg.shared.global.16");
  registry.addThread("cp.async.commit.group", commit);
  registry.addThread("cp.async.wait.group", waitGroup);
  registry.addThread("cp.async.wait.all", waitAll);
}
