//===- OnlineSoftmax.h - The softmax on fragments ---------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds the arithmetic between the two products of attention: scores, masks,
// maxima, exponentials and sums of the rows that a warp holds. It knows layouts
// only by the accumulator's, so it serves every kind of product.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_ATTENTION_ONLINESOFTMAX_H
#define SPARSEFLOW_LIB_KERNELS_ATTENTION_ONLINESOFTMAX_H

#include "Kernels/Attention/AttentionKernel.h"

namespace mlir::sparseflow {

/// What a loop over keys carries: the sums of values (fragments of some columns
/// each), the maximum of each row, and what each lane has added up of its row.
struct SoftmaxState {
  SoftmaxState() = default;
  /// From the values of a loop, in the order of `values`.
  explicit SoftmaxState(ValueRange carried)
      : sums(carried.drop_back(2)), most(carried[carried.size() - 2]),
        total(carried.back()) {}
  SmallVector<Value> values() const {
    SmallVector<Value> all(sums);
    all.push_back(most);
    all.push_back(total);
    return all;
  }
  SmallVector<Value> sums;
  Value most, total;
};

/// Where a fragment of scores stands; all index values.
struct ScorePlace {
  Value key, row, batch, head;
  /// The rows are heads of one query and not queries of one head.
  bool packed = false;
  Value batchCount, queryCount, keyCount;
  /// The parameter that holds the first score operand.
  int64_t firstPointer = 0;
};

/// What masks compare with, i32, relative to the first key of the scores.
struct MaskPlace {
  /// The number of keys.
  Value length;
  /// The position of the warp's first row.
  Value position;
  /// All rows stand at one position.
  bool onePosition = false;
  /// Columns are counted from the position, which changes from stage to stage:
  /// otherwise their numbers are the same in all stages, and loops keep them in
  /// registers.
  bool counted = false;
};

class Softmax {
public:
  /// `rows` of a warp, in fragments with the layout `acc`. Where scores have a
  /// scale that is known at run time only, `factor` (f32, positive) is it; it
  /// takes part where the constant one does.
  Softmax(KernelBuilder &b, const AttentionShape &shape, sftile::LayoutAttr acc,
          int64_t rows, Value factor = {});

  /// The state before the first key, with `pieces` sums of `columns`.
  SoftmaxState start(int64_t pieces, int64_t columns);
  /// The scores in natural units.
  SmallVector<Value> scaled(ArrayRef<Value> scores);
  /// The score region on a fragment of `columns` keys.
  Value applyRegion(Value score, int64_t columns, const ScorePlace &place);
  /// -inf for every key that its row may not attend to.
  SmallVector<Value> mask(ArrayRef<Value> scores, int64_t columns,
                          const MaskPlace &place);
  /// Corrects the totals of `state` for the maximum over `scores` too, and adds
  /// their exponentials, which it returns with the factor that the sums still
  /// have to be corrected by. If `lazy` a maximum that grew little stays what
  /// it was, so that sums seldom need a correction.
  std::pair<SmallVector<Value>, Value>
  weigh(SoftmaxState &state, ArrayRef<Value> scores, bool lazy = false);
  /// Exponentials relative to the maximum over `scores` alone, of every row,
  /// and what the old sums and those of these exponentials have to be
  /// multiplied by to be relative to the maximum of all; `state` has that and
  /// the new totals.
  struct PageWeights {
    SmallVector<Value> weights;
    Value oldFactor, newFactor;
  };
  PageWeights weighAlone(SoftmaxState &state, ArrayRef<Value> scores);
  /// Makes maximum and totals of `state` those of several states, and returns
  /// what the sums of each have to be multiplied by.
  SmallVector<Value> join(SoftmaxState &state, ArrayRef<Value> mosts,
                          ArrayRef<Value> totals);
  /// Corrects the sums by `factor`.
  void correct(SoftmaxState &state, Value factor);
  /// The same where `condition` (i1) holds; elsewhere `factor` is one.
  void correctIf(SoftmaxState &state, Value factor, Value condition);
  /// Both; returns the exponentials, rounded to the operand type.
  SmallVector<Value> update(SoftmaxState &state, ArrayRef<Value> scores);
  /// The sums divided by the totals, and the log-sum-exp of each row.
  std::pair<SmallVector<Value>, Value> finish(const SoftmaxState &state);
  /// A fragment of `columns` with elements of `type`.
  Value rounded(Value frag, Type type, int64_t columns);

private:
  /// The factor of log2(e) and of what is left of the scale.
  float constantUnit() const;
  Value unit(OpBuilder &inner) const;
  Value offsetOf(Value most);
  Value expand(Value column, Value like);
  Value loadOperand(unsigned number, int64_t columns, const ScorePlace &place);

  KernelBuilder &b;
  const AttentionShape &shape;
  OpBuilder &builder;
  Location loc;
  int64_t rows;
  Type f32;
  sftile::LayoutAttr acc;
  sftile::FragType columnType, partsType;
  Value givenUnit; // f32
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_ATTENTION_ONLINESOFTMAX_H
