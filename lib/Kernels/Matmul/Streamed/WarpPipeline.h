//===- WarpPipeline.h - Stages of warps that copy for themselves -*- C++-*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pipeline of a streamed kernel, with the steps of Support/Pipeline.h: the
// warps that share units along K acquire a stage, fill it, commit it, wait for
// it and release it. They are the only ones that do, so stages are counted by
// groups of copies, and nobody else is waited for. Where each lane reads what
// it has copied itself, not even the other lanes.
//
// Unlike stages of a `sftile.ring`, a stage is filled again as soon as it has
// been read, so all of them are on their way while a warp waits; and it is
// named by its place, which the loop carries, and not by a position
// (docs/Rationale/MatmulFewTokens.md has what these are worth).
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_MATMUL_STREAMED_WARPPIPELINE_H
#define SPARSEFLOW_LIB_KERNELS_MATMUL_STREAMED_WARPPIPELINE_H

#include "Kernels/Support/ThreadCode.h"
#include "SparseFlow/Dialect/SFTile/IR/ThreadOps.h"

namespace mlir::sparseflow {

class WarpPipeline : ThreadCode {
public:
  enum class Readers {
    Lane, // each lane what it has copied
    Warp, // the lanes of a warp what any of them has copied
    Warps // the warps of a group
  };
  struct Form {
    int64_t stages, stageBytes;
    Readers readers;
    /// Of `Warps`: the threads of a group.
    int64_t groupThreads;
  };

  /// `group` is the number of this warp's group, of which each has a pipeline
  /// of its own; they lie one after the other from the start of `shared` on.
  WarpPipeline(OpBuilder &builder, Location loc, const Form &form, Value shared,
               Value group);

  /// Bytes of all pipelines of a block.
  static int64_t bytes(const Form &form, int64_t groups) {
    return groups * form.stages * form.stageBytes;
  }

  /// The stage of the first round's position, in bytes from `start`; it may be
  /// filled.
  Value acquire(int64_t position) {
    return integer(position * form.stageBytes);
  }
  /// Ends what fills a stage: the oldest but `stages` - 1 is complete when as
  /// many others have been committed.
  void commit();
  /// Waits until the oldest stage has been filled.
  void wait();
  /// Gives the stage that was waited for back: it may be filled at once.
  void release() { meet(); }
  /// The stage after `stage`.
  Value next(Value stage);
  /// Waits for all stages, filled or empty.
  void drain();

  Value start;

private:
  /// Until all but `pending` groups of copies have arrived.
  void waitForGroups(int64_t pending);
  /// A barrier of those who read what others have copied.
  void meet();

  Form form;
  Value group;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_MATMUL_STREAMED_WARPPIPELINE_H
