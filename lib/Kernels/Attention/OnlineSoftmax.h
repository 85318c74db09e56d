//===- OnlineSoftmax.h - The softmax on fragments ---------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds the arithmetic between the two matmuls of attention: scores, masks,
// row max, exponentials and row sums of the rows that a warp holds. All layouts
// follow from the accumulator's, so it serves every kind of MMA.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_ATTENTION_ONLINESOFTMAX_H
#define SPARSEFLOW_LIB_KERNELS_ATTENTION_ONLINESOFTMAX_H

#include "Kernels/Attention/AttentionKernel.h"

namespace mlir::sparseflow {

/// What the loop over keys carries: the accumulators of P V (fragments of some
/// columns each), the row max, and the row sum, each lane's share of it.
struct SoftmaxState {
  SoftmaxState() = default;
  /// From the values of a loop, in the order of `values`.
  explicit SoftmaxState(ValueRange carried)
      : accumulators(carried.drop_back(2)), rowMax(carried[carried.size() - 2]),
        rowSum(carried.back()) {}
  SmallVector<Value> values() const {
    SmallVector<Value> all(accumulators);
    all.push_back(rowMax);
    all.push_back(rowSum);
    return all;
  }
  SmallVector<Value> accumulators;
  Value rowMax, rowSum;
};

/// The coordinates of a fragment of scores; all index values.
struct ScorePlace {
  Value key, row, batch, head;
  /// The rows are heads of one query and not queries of one head; or all heads
  /// that share a key head for each of several queries.
  bool packed = false;
  bool severalQueries = false;
  Value batchCount, queryCount, keyCount;
  /// The parameter that holds the first score operand.
  int64_t firstPointer = 0;
  /// Neighbouring keys of a score operand that are loaded at once.
  int64_t operandKeys = 1;
};

/// What masks compare with, i32, relative to the first key of the scores.
struct MaskPlace {
  /// The number of keys.
  Value length;
  /// The position of the warp's first row.
  Value position;
  /// All rows have one position.
  bool onePosition = false;
  /// Else so many rows have a position together, from the tile's first row on,
  /// whose position is given; `row` (i32) is the warp's first one.
  int64_t rowsOfPosition = 1;
  Value row;
  /// Columns are counted from the position, which changes from stage to stage:
  /// otherwise their numbers are the same in all stages, and loops keep them in
  /// registers.
  bool counted = false;
};

class Softmax {
public:
  /// `rows` of a warp, in fragments with the layout `acc`. `factor` (f32,
  /// positive): a scale of the scores that is known at run time only; it is
  /// applied with the constant one.
  Softmax(KernelBuilder &b, const AttentionShape &shape, sftile::LayoutAttr acc,
          int64_t rows, Value factor = {});

  /// The state before the first key, with `pieces` accumulators of `columns`.
  SoftmaxState start(int64_t pieces, int64_t columns);
  /// The scores in natural units.
  SmallVector<Value> scaled(ArrayRef<Value> scores);
  /// What the score region reads of tensors for a fragment of `columns` keys,
  /// null for an operand that it does not read.
  SmallVector<Value> loadOperands(int64_t columns, const ScorePlace &place);
  /// The score region on a fragment of `columns` keys, and on its `operands`.
  Value applyRegion(Value score, int64_t columns, const ScorePlace &place,
                    ValueRange operands);
  /// -inf for every key that its row may not attend to.
  SmallVector<Value> mask(ArrayRef<Value> scores, int64_t columns,
                          const MaskPlace &place);
  /// Updates row max and row sum of `state` with `scores`. Returns their
  /// exponentials and the factor that the accumulators have to be rescaled by.
  /// If `lazy`, a row max that grew little stays what it was, so that
  /// accumulators seldom have to be rescaled.
  std::pair<SmallVector<Value>, Value>
  exponentiate(SoftmaxState &state, ArrayRef<Value> scores, bool lazy = false);
  /// Makes the row max of `state` one that others have found, which is no less;
  /// brings the row sum to it, and returns the factor of the accumulators.
  Value adopt(SoftmaxState &state, Value rowMax);
  /// Exponentials relative to the row max of `scores` alone, and the factors
  /// that bring the old accumulators and those of this page to the common row
  /// max, which `state` has then, as it has the new row sums.
  struct PageWeights {
    SmallVector<Value> weights;
    Value oldFactor, newFactor;
  };
  PageWeights exponentiatePage(SoftmaxState &state, ArrayRef<Value> scores);
  /// Makes row max and row sum of `state` those of several states, and returns
  /// the factors of the accumulators of each.
  SmallVector<Value> combine(SoftmaxState &state, ArrayRef<Value> rowMaxes,
                             ArrayRef<Value> rowSums);
  /// Rescales the accumulators by `factor`.
  void rescale(SoftmaxState &state, Value factor);
  /// The same where `condition` (i1) holds; elsewhere `factor` is one.
  void rescaleIf(SoftmaxState &state, Value factor, Value condition);
  /// exponentiate() and rescale(); returns the exponentials, rounded to the
  /// operand type.
  SmallVector<Value> update(SoftmaxState &state, ArrayRef<Value> scores);
  /// One by the sum of each row, 0 for a row without keys.
  Value inverseSums(const SoftmaxState &state);
  /// The accumulators divided by the row sums, and the log-sum-exp of each row.
  std::pair<SmallVector<Value>, Value> finish(const SoftmaxState &state);
  /// A fragment of `columns` with elements of `type`.
  Value rounded(Value frag, Type type, int64_t columns);

  /// What holds a number for each row.
  sftile::FragType getColumnType() const { return columnType; }

private:
  Value wholeSums(const SoftmaxState &state);
  /// log2(e), times the scale where it can be folded in.
  float constantUnit() const;
  Value unit(OpBuilder &inner) const;
  Value offsetOf(Value rowMax);
  Value exponential(OpBuilder &inner, Value score, Value offset);
  /// What sums relative to `oldMax` are multiplied by where `offset` is new.
  Value factorFrom(Value oldMax, Value offset);
  Value factorOf(OpBuilder &inner, Value oldMax, Value offset);
  Value broadcast(Value column, Value like);
  Value loadOperand(unsigned number, int64_t columns, const ScorePlace &place);

  KernelBuilder &b;
  const AttentionShape &shape;
  OpBuilder &builder;
  Location loc;
  int64_t rows;
  bool isFar;
  Type f32;
  sftile::LayoutAttr acc;
  sftile::FragType columnType, partsType;
  Value givenUnit; // f32
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_ATTENTION_ONLINESOFTMAX_H
