//===- WgmmaRules.h - Are registers of wgmma left alone? --------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX's rules for the registers of `wgmma.mma_async`, along every path:
//
//   * Between a write to a register and the wgmma that takes it, as
//   accumulator,
//     operand A or metadata, stands a `wgmma.fence`; and one stands before the
//     first wgmma. A wgmma that adds to the accumulators of the one before
//     needs none.
//   * From a wgmma to the `wgmma.wait_group` that covers its group nothing
//   reads
//     or writes its accumulators but a further wgmma that adds to them, and
//     nothing writes its operand A or metadata.
//
// ptxas assembles what breaks them, and says nothing or runs the MMAs one by
// one; the results are undefined.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TARGET_NVPTX_WGMMARULES_H
#define SPARSEFLOW_TARGET_NVPTX_WGMMARULES_H

#include "SparseFlow/Target/NVPTX/PtxText.h"

#include <string>

namespace mlir::sparseflow {

/// What breaks a rule in `kernel`, one sentence each, in the order of the text:
/// the line, what was expected, what was found. At most `limit` of them.
std::vector<std::string> findWgmmaHazards(const PtxKernel &kernel,
                                          size_t limit = 8);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_TARGET_NVPTX_WGMMARULES_H
