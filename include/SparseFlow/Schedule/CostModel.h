//===- CostModel.h - How long a matmul's kernel takes -----------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Predicts the time of a schedule as a function of the number of tokens, for
// the compiler, which chooses by it, and for the tuner, which orders
// candidates. The terms are waves of tiles on the SMs, MMAs,
// dequantization, bytes from L2 and memory, how far the pipeline runs ahead,
// split-K, launches and quantization; docs/Rationale/CostModel.md writes them
// out. Their constants are fitted to measurements (Calibration.h).
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_SCHEDULE_COSTMODEL_H
#define SPARSEFLOW_SCHEDULE_COSTMODEL_H

#include "SparseFlow/Schedule/ScheduleTable.h"
#include "SparseFlow/Schedule/StreamK.h"
#include "SparseFlow/Target/NVPTX/Resources.h"

#include <array>

namespace mlir::sparseflow {

/// What the kernels of a matmul y[T, N] = x[T, K] w[N, K]^T have to do,
/// whatever their schedules. Bytes are those of an element.
struct MatmulWork {
  int64_t n = 0, k = 0;
  double weightBytes = 2, activationBytes = 2;
  /// Whether MMAs skip half of the weights, and whether these are dequantized
  /// in registers.
  bool sparse = false, ternary = false;
  /// Whether activations have 8 bits; a kernel before quantizes them, where the
  /// matmul's own does not.
  bool integer = false;
  int64_t planes = 1;
  /// Columns that share a scale which multiplies partial sums; 0: there are
  /// none. With planes alone it is K.
  int64_t scaleColumns = 0;
  /// Columns that share a scale which a stage has, also of those that multiply
  /// weights; 0: there are none.
  int64_t storedColumns = 0;
  /// Tensors of the size of the result that the epilogue reads; a stage of them
  /// needs shared memory.
  int64_t fullOperands = 0;

  static MatmulWork of(const ScheduleQuery &query);
};

/// What a GPU does in parallel and how fast, at least by its data sheet.
struct ModelMachine {
  SMLimits limits;
  int64_t multiprocessors = 0;
  /// Under the load that was measured, in 10^9 a second.
  double clockGHz = 0;
  double memoryGBps = 0;
  /// Multiply-adds of f16 MMAs in a cycle of an SM, dense.
  double mmaRate = 0;
  /// Blocks that run at a time as clusters of 1, 2, 4 and 8 of them, where a
  /// SM holds one: a cluster has its blocks in one GPC.
  std::array<int64_t, 4> clusterBlocks = {};
};

/// The constants of kernels of one kind of weights and one pipeline.
struct ModelConstants {
  double launchUs = 2, waveUs = 1, tileCycles = 200, epilogueCycles = 0.2;
  double reductionUs = 0.8, reductionCycles = 0.1;
  double mmaEfficiency = 0.8, mmaTokens = 8, unpackCycles = 0.02;
  double scaleCycles = 0.02, overlap = 0.5, stageCycles = 60;
  double l2BytesPerCycle = 60, l2TotalBytesPerCycle = 6000;
  double straddledBytesPerCycle = 2500;
  double clusterUs = 0.1, clusterCycles = 20, fillCycles = 200;
  double latencyNs = 600, cacheMBytes = 25;
  double memoryEfficiency = 0.8, quantizeUs = 1, quantizeGBps = 3000;
  double quantizeWaitUs = 0, holdCycles = 0.055;

  struct Field {
    llvm::StringLiteral name;
    double ModelConstants::*member;
    /// What a fit may find: beyond that it would say nothing of the hardware.
    double least, most;
    /// A sentence for the documentation.
    llvm::StringLiteral meaning;
  };
  static ArrayRef<Field> fields();
};

/// What a schedule asks of an SM.
struct ScheduleResources {
  int64_t sharedBytes = 0, threads = 0;
  /// Registers of a thread that accumulate.
  int64_t accumulators = 0;
  /// Blocks that an SM holds at once.
  int64_t residentBlocks = 1;
  /// Why there can be no such kernel, or "".
  std::string refusal;
};

/// Counts them as the generators and sftile-assign-resources do.
ScheduleResources resourcesOf(const MatmulSizes &sizes, const MatmulWork &work,
                              const SMLimits &limits);

/// Of the bytes that a full tile of tokens has copied for all features, the
/// share that stands for no element: of features behind N and of columns behind
/// K. Tokens that there are not are copied by no kernel.
double paddedShare(const MatmulSizes &sizes, const MatmulWork &work);

/// Whether a kernel with `sizes` reads activations from copies, whose rows are
/// multiples of 16 bytes: those of the program allow narrower accesses than it
/// needs.
bool copiesRows(const MatmulSizes &sizes, const MatmulWork &work);

/// The name of the pipeline in schedule tables: "warp_specialized" or the like.
StringRef pipelineName(const MatmulSizes &sizes);

/// The time of one schedule. Cheap to ask for many numbers of tokens.
class KernelTime {
public:
  /// `splitK` is what the row's rule gives. `machine` and `constants` must live
  /// as long as this.
  KernelTime(const MatmulSizes &sizes, int64_t splitK, const MatmulWork &work,
             const ScheduleResources &resources, const ModelMachine &machine,
             const ModelConstants &constants);

  /// Microseconds for so many tokens, at least 1.
  double operator()(int64_t tokens) const;
  /// Tiles of so many tokens, or blocks where a block holds activations for
  /// several tiles, and rounds in which the SMs compute them.
  int64_t tiles(int64_t tokens) const;
  int64_t waves(int64_t tokens) const;

private:
  MatmulWork work;
  const ModelMachine *machine;
  const ModelConstants *constants;
  int64_t tileTokens, featureTiles, split, group, slots, multiprocessors,
      kWarps, turnStages, grid, cluster, streamK;
  bool quantizes, copies, isPersistent, isCluster, inClusters, holdsActivations,
      hidesBarriers, isStreamed;
  /// Cycles of a block that has an SM for itself, while so many
  /// SMs compute: what it takes of the SM's time, and
  /// how long it takes at least.
  struct BlockCycles {
    double busy, least;
  };
  /// Of `count` tiles.
  BlockCycles blockCycles(int64_t active, int64_t count) const;
  /// Cycles of a last wave of `count` tiles that all blocks divide.
  double dividedCycles(int64_t count) const;
  StreamKRule rule() const;
  /// Tiles that a block computes with the activations that it holds.
  int64_t tilesOfBlock(int64_t tokens) const;

  // Of a block's stages, or of turns of as many as warpgroups share a tile
  // (`turnStages`): how many, MMAs and dequantization of one, in a full SM and
  // alone, and what else one takes; what a tile takes beside them, and a block
  // that quantizes.
  double steps, stageCompute, stageAlone, stageOther, tileCycles, holdCycles;
  double tileArea, stageBytes, weightBytes, ahead, reductionUs, clusterUs;
  /// Of `stageBytes` those of rows that straddle lines, and how many of these
  /// arrive in a cycle.
  double straddlingBytes, straddledRate;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_SCHEDULE_COSTMODEL_H
