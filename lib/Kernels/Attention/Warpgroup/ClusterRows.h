//===- ClusterRows.h - Few rows of blocks that divide keys ------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocks of a cluster that divided the keys of a tile whose rows are few, the
// heads of one query: each leaves what it found in its shared memory, and reads
// of all of them (DSMEM) its share of the results. The order in which keys are
// added up depends on ranks alone.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_ATTENTION_WARPGROUP_CLUSTERROWS_H
#define SPARSEFLOW_LIB_KERNELS_ATTENTION_WARPGROUP_CLUSTERROWS_H

#include "Kernels/Attention/AttentionKernel.h"
#include "Kernels/Support/ThreadCode.h"

namespace mlir::sparseflow {

class ClusterRows : ThreadCode {
public:
  /// The rows of one warp.
  static constexpr int64_t kMostRows = 16;

  /// In the role of the consumer warps.
  ClusterRows(const AttentionKernel &spec, KernelBuilder &b);

  /// Leaves the first warp's rows where other blocks find them: weighted means
  /// of values over the block's keys and log-sum-exps (-inf of a row without
  /// keys), f32 fragments; and waits for those of all blocks.
  void put(Value means, Value lse);
  /// Stores the share of block `rank` (index) of the rows at `result`, and the
  /// first block the log-sum-exps at `lse` if there is any. `sinks`: the logits
  /// of the rows' sinks, null for none.
  void storeShare(Value rank, Value result, Value lse, Value sinks);

private:
  /// Columns behind the means: as many as an MMA's smallest fragment has, all
  /// with the log-sum-exp. So neighbouring rows are in banks of their own.
  static constexpr int64_t kLseColumns = 8;

  /// The two features of pair `number` (i32) of all rows.
  void storePair(Value number, Value result, Value lse, Value sinks);

  const AttentionKernel &spec;
  const AttentionShape &shape;
  KernelBuilder &b;
  Value tile;
  int64_t blocks;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_ATTENTION_WARPGROUP_CLUSTERROWS_H
