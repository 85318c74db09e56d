//===- Model.h - What bounds a kernel ---------------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The least time a launch can take: the largest of three times, each of which
// is an amount of work over a chip's peak rate.
//
//   compute        products over the tensor cores' rate, corrected for blocks
//                  that leave SMs idle
//   memory         bytes that have to cross the memory bus once
//   shared memory  bytes that the warps read from shared memory, and that the
//                  copies write there
//
// It says which of the three to look at first, and how far a measured time is
// from what the chip allows. It is no forecast: latencies, launches and the L2
// cache are not in it. docs/formats/report.md writes the formulas out.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TARGET_NVPTX_MODEL_H
#define SPARSEFLOW_TARGET_NVPTX_MODEL_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace mlir::sparseflow {

/// Peak rates of a board with a target's chip, as its data sheet states them.
struct TargetPeaks {
  llvm::StringRef target;
  llvm::StringRef board;
  /// f16 or bf16 matmuls with f32 sums, in 10^12 operations a second; a 2:4
  /// product counts as if it were dense.
  double denseTflops, sparseTflops;
  /// f32 arithmetic outside the tensor cores.
  double vectorTflops;
  /// 10^9 bytes a second.
  double memoryGBps;
  int64_t multiprocessors;
  /// The boost clock, in 10^9 a second. An SM moves 128 bytes of
  /// shared memory in a clock.
  double clockGHz;
  /// What mma.sync reaches of the 2:4 rate: all of it where tensor cores have
  /// no other instruction.
  double syncShare = 1;
};

/// The row of `target`: of its boards the one whose words are all in `gpu`, a
/// name that a driver says, else the board that stands for the target. Null
/// where there is none.
const TargetPeaks *findPeaks(llvm::StringRef target, llvm::StringRef gpu = {});
/// Boards beside those that stand for their targets.
llvm::ArrayRef<TargetPeaks> otherBoards();

/// One launch of a kernel.
struct KernelWork {
  int64_t tokens = 0;
  /// Features of the result, and K of the matmul; 0 for a kernel that
  /// multiplies nothing.
  int64_t n = 0, k = 0;
  bool isSparse = false;
  /// Bytes that are read from and written to memory at least once.
  double memoryBytes = 0;
  /// Scalar operations for each element of the result.
  int64_t elementOps = 0;
  /// Features x tokens of a block and of a warp; warps of a warpgroup (4 with
  /// wgmma, else 1) read activations together.
  int64_t block[2] = {1, 1}, warp[2] = {1, 1};
  int64_t warpgroup = 1;
  int64_t splitK = 1;
  /// The tokens of a block stay in registers: queries of an attention.
  bool tokensInRegisters = false;
};

struct Prediction {
  double flops = 0;
  double memoryBytes = 0;
  double sharedBytes = 0;
  int64_t blocks = 0;
  /// Blocks over the places for them in the waves they take, 0 to 1.
  double utilization = 0;
  /// Microseconds.
  double compute = 0, memory = 0, shared = 0;
  /// The largest of the three.
  double time = 0;
  /// "compute", "memory" or "shared memory".
  llvm::StringRef bound;
};

Prediction predict(const TargetPeaks &peaks, const KernelWork &work);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_TARGET_NVPTX_MODEL_H
