//===- CacheAttention.h - Attention on packed keys and values ---*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What attention kernels share whose warps read words of packed keys or values
// from global memory and unpack them in registers: queries, MMAs and scales.
//
// Where the rows are the heads of one query there are few of them, and the
// matmuls are computed transposed: keys, then features of the result, are the
// 16 rows of an MMA and heads its 8 columns. The softmax is the same: its
// fragments have heads as rows, in the transposed layout.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_ATTENTION_CACHEATTENTION_H
#define SPARSEFLOW_LIB_KERNELS_ATTENTION_CACHEATTENTION_H

#include "Kernels/Attention/MultistageAttention.h"

namespace mlir::sparseflow {

class CacheAttention : protected MultistageAttention {
protected:
  /// Bytes of a page that a warp reads at once.
  static constexpr int64_t kChunkBytes = 512;

  CacheAttention(const AttentionKernel &spec, OpBuilder &builder);

  /// Accumulators in the layout of MMAs, and in that of the softmax; both are
  /// free.
  Value toMma(Value sum) {
    return isTransposed ? transposed(sum, productLayout) : sum;
  }
  Value fromMma(Value sum) {
    return isTransposed ? transposed(sum, accLayout) : sum;
  }
  /// Rows (queries, or their probabilities) times keys or values.
  Value multiply(Value headOperand, Value cacheOperand, Value sum);
  /// An accumulator of zeros for multiply.
  Value noProducts();
  /// The layouts of rows, and of keys or values, as operands.
  sftile::LayoutAttr headLayout() const {
    return isTransposed ? bLayout : aLayout;
  }
  sftile::LayoutAttr cacheLayout() const {
    return isTransposed ? aLayout : bLayout;
  }
  /// One value for each column of scores, in every lane that has one of it.
  sftile::LayoutAttr columnLayout() const;
  /// Probabilities as an operand.
  Value toOperand(Value weight);

  /// Fills `queries`.
  void loadQueries();

  Value toF32(OpBuilder &inner, Value value);
  Value map(ValueRange inputs, KernelBuilder::Body body) {
    return b.map(accType, inputs, body);
  }
  /// `frag` times `scale`, a fragment or a scalar.
  Value scaled(Value frag, Value scale);

  // Row max and row sum have the layout accLayout, MMAs this one.
  sftile::LayoutAttr productLayout;
  // The words of a chunk: four for each lane.
  sftile::FragType wordType;
  sftile::FragType accType, mmaType;
  bool isTransposed;
  SmallVector<Value> queries;

private:
  Value transposed(Value frag, sftile::LayoutAttr layout);
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_ATTENTION_CACHEATTENTION_H
