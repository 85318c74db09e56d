//===- WgmmaOperands.h - Where wgmma finds its operands ---------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_SIMULATOR_WGMMA_WGMMAOPERANDS_H
#define SPARSEFLOW_LIB_SIMULATOR_WGMMA_WGMMAOPERANDS_H

#include "Simulator/Instructions/InlinePtx.h"
#include "Simulator/Wgmma/Wgmma.h"

namespace mlir::sparseflow::sim {

/// One thread's part of a wgmma.mma_async: its accumulators are argument 0.
struct WgmmaCall {
  const AssemblyCall *assembly;
  uint32_t get(uint32_t i) const { return assembly->get32(0, i); }
  void set(uint32_t i, uint32_t bits) const { assembly->set(0, bits, i); }
};

/// Starts `mma`, the latest of its warpgroup's pending ones.
void startMma(WarpCall &call, WarpgroupMma &mma);
/// Computes all pending MMAs with numbers below `upTo`.
void computeMmas(Block &block, Warpgroup &group, uint64_t upTo);

/// Stops unless the descriptors, metadata and places in shared memory are ones
/// that the MMA may have.
void checkOperands(WarpCall &call, const WarpgroupMma &mma);
/// Tells the race detector that shared memory has been read by the MMA with
/// this number, counted from 1.
void endReads(Block &block, const WarpgroupMma &mma, uint32_t number);
/// Reads shared memory and adds to the accumulators.
void computeMma(Block &block, const WarpgroupMma &mma);

} // namespace mlir::sparseflow::sim

#endif // SPARSEFLOW_LIB_SIMULATOR_WGMMA_WGMMAOPERANDS_H
