//===- Model.cpp - What bounds a kernel -----------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Target/NVPTX/Model.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir::sparseflow;

// Columns: target, board, dense and 2:4 tensor TFLOP/s, f32 TFLOP/s, GB/s,
// SMs, boost clock in GHz. Vendor's figures, not measurements; one
// board stands for each target. The share of mma.sync is measured on an H200,
// 928 TFLOP/s; what it is on a B200 is not known here, and taken for the same.
static constexpr double kSyncShare = 928.0 / 1979;
static constexpr TargetPeaks kPeaks[] = {
    {"sm_80", "A100 80GB SXM", 312, 624, 19.5, 2039, 108, 1.41},
    {"sm_86", "A40", 149.7, 299.4, 37.4, 696, 84, 1.74},
    {"sm_89", "L40S", 362, 733, 91.6, 864, 142, 2.52},
    {"sm_90", "H200 SXM", 989, 1979, 66.9, 4800, 132, 1.98, kSyncShare},
    {"sm_90a", "H200 SXM", 989, 1979, 66.9, 4800, 132, 1.98, kSyncShare},
    {"sm_100", "B200 SXM", 2250, 4500, 80, 8000, 148, 1.96, kSyncShare},
    {"sm_120", "GeForce RTX 5090", 209.5, 419, 104.8, 1792, 170, 2.41},
};

static constexpr TargetPeaks kOthers[] = {
    {"sm_86", "GeForce RTX 3090", 71, 142, 35.6, 936, 82, 1.695},
    {"sm_89", "L4", 121, 242, 30.3, 300, 58, 2.04},
};

// Bytes that an SM moves to or from shared memory in a clock.
static constexpr double kSharedBytesPerClock = 128;

/// Whether a GPU's name has all words of the board's: "NVIDIA L4" that of "L4",
/// "NVIDIA L40S" not.
static bool isNamed(llvm::StringRef gpu, llvm::StringRef board) {
  llvm::SmallVector<llvm::StringRef> words, ofBoard;
  gpu.split(words, ' ', -1, /*KeepEmpty=*/false);
  board.split(ofBoard, ' ', -1, /*KeepEmpty=*/false);
  return llvm::all_of(ofBoard, [&](llvm::StringRef word) {
    return llvm::is_contained(words, word);
  });
}

const TargetPeaks *mlir::sparseflow::findPeaks(llvm::StringRef target,
                                               llvm::StringRef gpu) {
  for (const TargetPeaks &peaks : kOthers)
    if (peaks.target == target && isNamed(gpu, peaks.board))
      return &peaks;
  for (const TargetPeaks &peaks : kPeaks)
    if (peaks.target == target)
      return &peaks;
  return nullptr;
}

llvm::ArrayRef<TargetPeaks> mlir::sparseflow::otherBoards() { return kOthers; }

/// Bytes of 16-bit weights for one element of K and one feature: packed
/// 2:4 weights hold half the values and 2 bits for each of them.
static double weightBytes(bool isSparse) { return isSparse ? 1.125 : 2; }

/// Bytes through shared memory of a matmul: every block writes its part of the
/// operands once, and every warp reads what it multiplies.
static double sharedTraffic(const KernelWork &work, int64_t tiles) {
  if (!work.k)
    return 0;
  double weight = weightBytes(work.isSparse);
  auto features = static_cast<double>(work.block[0]);
  auto tokens = static_cast<double>(work.block[1]);
  double tokenBytes = work.tokensInRegisters ? 0 : 2;
  double written = features * weight + tokens * tokenBytes;
  double warps = features / static_cast<double>(work.warp[0]) * tokens /
                 static_cast<double>(work.warp[1]);
  double read = warps * (static_cast<double>(work.warp[0]) * weight +
                         static_cast<double>(work.warp[1]) * tokenBytes /
                             static_cast<double>(work.warpgroup));
  return static_cast<double>(tiles) * static_cast<double>(work.k) *
         (written + read);
}

Prediction mlir::sparseflow::predict(const TargetPeaks &peaks,
                                     const KernelWork &work) {
  Prediction result;
  int64_t tiles = llvm::divideCeil(work.n, work.block[0]) *
                  llvm::divideCeil(work.tokens, work.block[1]);
  result.blocks = tiles * work.splitK;
  int64_t waves = llvm::divideCeil(result.blocks, peaks.multiprocessors);
  result.utilization =
      result.blocks == 0
          ? 0
          : static_cast<double>(result.blocks) /
                static_cast<double>(waves * peaks.multiprocessors);
  double elements =
      static_cast<double>(work.tokens) * static_cast<double>(work.n);
  result.flops = work.k ? 2 * elements * static_cast<double>(work.k)
                        : elements * static_cast<double>(work.elementOps);
  result.memoryBytes = work.memoryBytes;
  result.sharedBytes = sharedTraffic(work, tiles);
  if (result.blocks == 0) {
    result.bound = "memory";
    return result;
  }
  double rate = !work.k         ? peaks.vectorTflops
                : work.isSparse ? peaks.sparseTflops
                                : peaks.denseTflops;
  result.compute = result.flops / (rate * 1e6 * result.utilization);
  result.memory = result.memoryBytes / (peaks.memoryGBps * 1e3);
  result.shared =
      result.sharedBytes /
      (kSharedBytesPerClock * static_cast<double>(peaks.multiprocessors) *
       peaks.clockGHz * 1e3 * result.utilization);
  result.time = std::max({result.compute, result.memory, result.shared});
  result.bound = result.time == result.memory    ? "memory"
                 : result.time == result.compute ? "compute"
                                                 : "shared memory";
  return result;
}
