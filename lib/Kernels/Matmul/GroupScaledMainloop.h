//===- GroupScaledMainloop.h - Partial sums with scales --------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sums of a tile of a kernel with copying warps (WarpSpecializedMatmul)
// whose ternary weights have scales for groups of columns or for planes. The
// products of a part of a stage, one group of one plane, add up to exact
// integers, for some of the tokens at a time; while those of the next tokens
// run they are multiplied by the scales of their rows and added to what there
// is, in f32.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_MATMUL_GROUPSCALEDMAINLOOP_H
#define SPARSEFLOW_LIB_KERNELS_MATMUL_GROUPSCALEDMAINLOOP_H

#include "Kernels/Matmul/DequantizedMainloop.h"

namespace mlir::sparseflow {

class GroupScaledMainloop {
public:
  /// `rows` are the first of the 16 rows of a stage that the warp has of each
  /// of its accumulators; `scales` is the pointer to all of them. Executed by
  /// the warps that multiply, before anything else.
  GroupScaledMainloop(const MatmulKernel &spec, KernelBuilder &b,
                      DequantizedMainloop &decoded, Value ring,
                      ArrayRef<Value> rows, Value scales);

  /// The sums, f32, of a tile of `steps` stages, the first of which has
  /// `position` (i32) in the ring: a fragment for each of the rows.
  SmallVector<Value> multiplyTile(Value position, int64_t steps);

private:
  /// What is there, slice by slice of each accumulator, and the sums of a part
  /// that are under way, if any. `spare` are what the registers for sums of
  /// parts held last; those of `set` are the next.
  struct Running {
    SmallVector<Value> sums, spare;
    int64_t set = 0, pendingSet = 0;
    Value pending, scale;
    SmallVector<Value> held;
    int64_t slice = 0; // among `sums`
  };

  /// `values`, sums and then spare registers, with the products of the stage at
  /// `position`, which is given back.
  SmallVector<Value> multiplyStage(Value position, ValueRange values);
  /// Waits for what is under way but for `younger` groups behind it.
  void collect(Running &state, int64_t younger);
  Value scaleOf(ValueRange tiles, int64_t plane, int64_t group, Value row);
  Value at(Value position) { return b.toIndex(position); }

  const MatmulKernel &spec;
  KernelBuilder &b;
  OpBuilder &builder;
  Location loc;
  DequantizedMainloop &decoded;
  Value ring;
  SmallVector<Value> rows, scalars;
  int64_t tokens, slices, depth, columns;
  sftile::FragType partType, sumType, scaleType;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_MATMUL_GROUPSCALEDMAINLOOP_H
