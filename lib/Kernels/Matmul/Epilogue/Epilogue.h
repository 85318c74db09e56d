//===- Epilogue.h - From accumulators to results -*- C++ -*- ------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// What generators of matmul kernels do with accumulators: a slice at a time,
// they load what the operands contribute, apply the body and store.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_MATMUL_EPILOGUE_EPILOGUE_H
#define SPARSEFLOW_LIB_KERNELS_MATMUL_EPILOGUE_EPILOGUE_H

#include "Kernels/Matmul/MatmulProblem.h"

namespace mlir::sparseflow {

/// Slices are `features` x `tokens` parts of a warp's accumulators.
class Epilogue {
public:
  /// `scratchBlock` is the body of the role: scratch tiles are made there. The
  /// operands whose numbers are in `given` whoever applies the epilogue has:
  /// they come by TMA, or are another epilogue's results. Of operands with a
  /// value for each token a view may be a tile in shared memory, of the tokens
  /// from `heldFrom` (i64) on.
  Epilogue(const MatmulProblem &problem, KernelBuilder &b,
           sftile::LayoutAttr accLayout, int64_t features, int64_t tokens,
           int64_t warps, ArrayRef<Value> operandViews, Block *scratchBlock,
           ArrayRef<size_t> given = {}, Value heldFrom = {})
      : problem(problem), b(b), accLayout(accLayout), features(features),
        tokens(tokens), warps(warps), operandViews(operandViews), given(given),
        heldFrom(heldFrom), scratchBlock(scratchBlock) {}

  int64_t tokensOfSlice() const { return tokens; }
  /// True if no block reaches past the last feature.
  bool wholeFeatures() const {
    const sftile::ScheduleAttr &schedule = problem.schedule;
    return problem.n % (schedule.getBlock()[0] * schedule.getCluster()) == 0;
  }

  /// The results that belong to accumulators `part`, whose element (0, 0)
  /// stands at feature `row` and token `col` (i64).
  Value apply(Value part, Value row, Value col) {
    return apply(part, row, col, load(row, col));
  }
  /// The two halves of it: operands on their way from memory, which takes long,
  /// and what is done with them once they are there. Those that are the same
  /// for all tokens are near after the first slice and not held in registers:
  /// load() leaves them out, as null values, and those that are given, which
  /// the caller then adds.
  SmallVector<Value> load(Value row, Value col);
  Value apply(Value part, Value row, Value col, ArrayRef<Value> operands);
  /// Stores a slice at (`row`, `col`) of `view`, at most `width` bytes at once.
  void store(Value value, Value view, Value row, Value col, int64_t width);
  /// The matrix store or load of elements of `type`, null if there is none.
  Attribute matrixAtom(Type type, bool store) const;

private:
  sftile::LayoutAttr memoryLayout(Type type, int64_t width) const;
  Value scratchFor(Type type);
  Value convert(Value source, sftile::LayoutAttr layout, bool store);
  Value loadOne(size_t index, Value row, Value col);

  const MatmulProblem &problem;
  KernelBuilder &b;
  sftile::LayoutAttr accLayout;
  int64_t features, tokens, warps;
  ArrayRef<Value> operandViews;
  ArrayRef<size_t> given;
  Value heldFrom;
  Block *scratchBlock;
  DenseMap<Type, Value> scratches;
};

/// The slices of a tile in turn, with operands of the next ones under way while
/// one is finished: memory takes longer than the arithmetic of a slice.
class OperandsAhead {
public:
  /// `placeOf` makes the feature and the token (i64) of a slice, by number; it
  /// must outlive this object.
  OperandsAhead(Epilogue &epilogue, int64_t slices,
                function_ref<std::pair<Value, Value>(int64_t)> placeOf)
      : epilogue(epilogue), slices(slices), placeOf(placeOf) {}

  /// The results of the next slice, from its accumulators and from the operands
  /// that a producer warp has copied: a value or null for each operand.
  Value applyNext(Value part, ArrayRef<Value> taken);

private:
  struct Slice {
    std::pair<Value, Value> place;
    SmallVector<Value> operands;
  };

  Epilogue &epilogue;
  int64_t slices;
  function_ref<std::pair<Value, Value>(int64_t)> placeOf;
  SmallVector<Slice> loaded;
  size_t next = 0;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_MATMUL_EPILOGUE_EPILOGUE_H
