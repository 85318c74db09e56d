//===- DequantizedMainloop.h - Ternary weights for warpgroups ---*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The products of one stage of a kernel with copying warps
// (WarpSpecializedMatmul) whose weights are ternary: decoded in registers,
// which wgmma reads.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_MATMUL_DEQUANTIZEDMAINLOOP_H
#define SPARSEFLOW_LIB_KERNELS_MATMUL_DEQUANTIZEDMAINLOOP_H

#include "Kernels/Matmul/MatmulKernel.h"

namespace mlir::sparseflow {

class DequantizedMainloop {
public:
  DequantizedMainloop(const MatmulKernel &spec, KernelBuilder &b);

  /// Decodes the weights of a stage and starts their products. `tiles` are the
  /// stage's, `rows` the first of the 16 rows in it that a warp has of each of
  /// `sums`. The registers that products read are appended to `held`.
  void start(ValueRange tiles, ArrayRef<Value> rows,
             SmallVectorImpl<Value> &sums, SmallVectorImpl<Value> &held);

  /// Whether a thread has the registers to decode the weights of a stage while
  /// the products of another run, beside `pieces` accumulators.
  bool leavesRoom(int64_t pieces) const;

  /// What a lane has of the codes of 16 rows and a unit of columns, and of
  /// weights that keep pairs the words that say which.
  struct Words {
    Value codes, metadata;
  };
  /// Columns of such a unit.
  int64_t unitColumns() const { return atom.isSparse() ? 256 : 128; }
  /// Loads those of unit `unit` of a stage, whose weight is `tile`, and of the
  /// rows from `row` on.
  Words loadUnit(Value tile, Value row, int64_t unit, int64_t plane = 0);
  /// The weights of a product: columns from `k` of the stage on, times `scale`
  /// of their rows if there is one.
  Value decode(const Words &words, int64_t k, Value scale = {});
  /// Starts the product with these, and with the `activations` of a stage from
  /// `token` on. Adds to `sum`, a fragment or products under way, or if
  /// `cleared` only takes its registers.
  Value multiply(Value weights, const Words &words, int64_t k,
                 ValueRange activations, int64_t token, Value sum,
                 bool cleared = false);

  sftile::AsyncMmaAtomInterface atom;
  /// Whether sums are -64 times those of the weights.
  bool shifted;

private:
  sftile::FragType words(int64_t rows, int64_t cols,
                         const sftile::LinearLayout &layout);
  Value loadKeptWords(Value tile, int64_t count, Value row, Value col,
                      bool metadata);
  Value load(Value tile, int64_t rows, int64_t cols,
             const sftile::LinearLayout &layout, Value row, Value col);
  Words loadCodes(Value tile, Value row, int64_t unit, int64_t plane);
  Words loadKept(Value tile, Value row);
  /// The scales of 16 rows from `row` on for a group of columns of a stage.
  Value loadScale(Value tile, int64_t group, Value row);

  const MatmulKernel &spec;
  KernelBuilder &b;
  sftile::FragType weightsType;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_MATMUL_DEQUANTIZEDMAINLOOP_H
