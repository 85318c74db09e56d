//===- Handlers.cpp - Instructions by name --------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Simulator/Instructions/Handlers.h"

#include "Simulator/Machine/Block.h"

using namespace mlir::sparseflow::sim;

const Registry &Registry::get() {
  static const Registry registry = [] {
    Registry made;
    addBarrierHandlers(made);
    addExchangeHandlers(made);
    addCopyHandlers(made);
    addMatrixHandlers(made);
    addMmaHandlers(made);
    addMmaInt8Handlers(made);
    addMathHandlers(made);
    addMbarrierHandlers(made);
    addBulkHandlers(made);
    addClusterHandlers(made);
    addWgmmaHandlers(made);
    addAssemblyHandlers(made);
    return made;
  }();
  return registry;
}

unsigned mlir::sparseflow::sim::findSpecialRegister(const std::string &name) {
  static const char *const names[NumSpecialRegisters] = {"tid.x",
                                                         "tid.y",
                                                         "tid.z",
                                                         "ntid.x",
                                                         "ntid.y",
                                                         "ntid.z",
                                                         "ctaid.x",
                                                         "ctaid.y",
                                                         "ctaid.z",
                                                         "nctaid.x",
                                                         "nctaid.y",
                                                         "nctaid.z",
                                                         "laneid",
                                                         "warpid",
                                                         "nwarpid",
                                                         "warpsize",
                                                         "clusterid.x",
                                                         "clusterid.y",
                                                         "clusterid.z",
                                                         "nclusterid.x",
                                                         "nclusterid.y",
                                                         "nclusterid.z",
                                                         "cluster.ctaid.x",
                                                         "cluster.ctaid.y",
                                                         "cluster.ctaid.z",
                                                         "cluster.nctaid.x",
                                                         "cluster.nctaid.y",
                                                         "cluster.nctaid.z",
                                                         "cluster.ctarank",
                                                         "cluster.nctarank"};
  for (unsigned i = 0; i < NumSpecialRegisters; ++i)
    if (name == names[i])
      return i;
  return NumSpecialRegisters;
}

void mlir::sparseflow::sim::invokeHandler(const Handler *handler,
                                          Thread *thread, void *result,
                                          const void *operands, uint32_t site) {
  if (handler->thread) {
    ThreadCall call{*thread, result, operands, site};
    handler->thread(call);
    return;
  }
  thread->block->collective(*thread, *handler, result, operands, site);
}

void mlir::sparseflow::sim::checkAccess(Thread *thread, uint64_t address,
                                        uint64_t what, uint32_t site) {
  thread->block->access(*thread, address, static_cast<uint32_t>(what),
                        static_cast<uint32_t>(what >> 32 & 0xffffff),
                        static_cast<AccessKind>(what >> 56), site);
}
