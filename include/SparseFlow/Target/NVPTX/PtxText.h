//===- PtxText.h - The kernels of a PTX module, read ------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Instructions, registers and control flow of the kernels in PTX text, for
// checks of what the back end wrote. The text is that of LLVM's NVPTX back end,
// inline assembly included; what ptxas would refuse need not be noticed here.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TARGET_NVPTX_PTXTEXT_H
#define SPARSEFLOW_TARGET_NVPTX_PTXTEXT_H

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <vector>

namespace mlir::sparseflow {

/// What stands between two commas outside of braces and brackets: "%r1",
/// "{%f1, %f2}", "[%rd1+16]", "%r1|%p1", "$L__BB0_2".
struct PtxOperand {
  llvm::StringRef text;
  /// Numbers of its registers, in order.
  llvm::SmallVector<unsigned, 4> registers;
};

struct PtxInstruction {
  /// "wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16".
  llvm::StringRef opcode;
  /// The line in the module, from 1.
  unsigned line = 0;
  llvm::SmallVector<PtxOperand, 4> operands;
  /// True if the registers of the first operand are written, and not read.
  bool writesFirst = false;
  /// True behind a guard ("@%p1"), which is an operand behind the others.
  bool guarded = false;

  /// True for "wgmma.mma_async" of "wgmma.mma_async.sp.sync...".
  bool is(llvm::StringRef prefix) const;
};

/// Instructions that run one after the other.
struct PtxBlock {
  /// Half-open range in PtxKernel::instructions.
  size_t begin = 0, end = 0;
  /// Blocks that may follow.
  llvm::SmallVector<size_t, 2> successors;
};

/// One `.entry` function. Text points into the module's.
struct PtxKernel {
  llvm::StringRef name;
  std::vector<PtxInstruction> instructions;
  /// In the order of the text; the first is the entry. Empty if there are no
  /// instructions.
  std::vector<PtxBlock> blocks;
  /// The registers' names, by number.
  std::vector<llvm::StringRef> registers;
};

/// The `.entry` functions of a module, in order.
std::vector<PtxKernel> readPtx(llvm::StringRef ptx);

/// The blocks of each natural loop of `kernel`, one for each block that back
/// edges lead to.
std::vector<llvm::BitVector> findLoops(const PtxKernel &kernel);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_TARGET_NVPTX_PTXTEXT_H
