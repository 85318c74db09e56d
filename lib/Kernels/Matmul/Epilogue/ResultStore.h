//===- ResultStore.h - Where the results of a tile go -----------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What happens to the accumulators of a warp behind the mainloop: the epilogue
// is applied to them slice by slice, and results leave from registers, or
// staged in shared memory by TMA; or the accumulators of a part of K leave as
// they are; or of an argmax partial maxima.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_MATMUL_EPILOGUE_RESULTSTORE_H
#define SPARSEFLOW_LIB_KERNELS_MATMUL_EPILOGUE_RESULTSTORE_H

#include "Kernels/Elementwise/MaximaKernel.h"
#include "Kernels/Matmul/Epilogue/Epilogue.h"
#include "Kernels/Matmul/Epilogue/EpilogueLoad.h"

namespace mlir::sparseflow {

/// Accumulators of a warp, whose element (0, 0) stands at `feature` and at
/// `token` (i64) + `tokenOffset`; `boxFeature` is the first of its warpgroup's
/// 64 features, if it has some.
struct AccumulatorTile {
  Value sums, feature, token, boxFeature = {};
  int64_t tokenOffset = 0;
};

class ResultStore {
public:
  virtual ~ResultStore() = default;
  /// Stores the results of a tile, whose number among the block's is `number`
  /// (index; null if the block has one).
  virtual void store(ArrayRef<AccumulatorTile> accumulators, Value number) = 0;
  /// Behind the last tile.
  virtual void finish() {}

protected:
  /// `slice` tokens of an accumulator from its token `first` on.
  static Value slice(KernelBuilder &b, Value sums, int64_t first,
                     int64_t tokens);
};

/// The epilogue's results, from registers.
class DirectStore : public ResultStore {
public:
  /// Slices are as `epilogue` takes them; `result` is the view. `ahead` are the
  /// operands that it loads, where the only slice's are loaded before.
  DirectStore(const MatmulProblem &problem, KernelBuilder &b,
              Epilogue &epilogue, Value result, ArrayRef<Value> ahead = {})
      : problem(problem), b(b), epilogue(epilogue), result(result),
        ahead(ahead) {}
  void store(ArrayRef<AccumulatorTile> accumulators, Value number) override;

private:
  const MatmulProblem &problem;
  KernelBuilder &b;
  Epilogue &epilogue;
  Value result;
  ArrayRef<Value> ahead;
};

/// The results of the second of two epilogues, from registers: an operand of it
/// is the first one's results, which are not stored.
class GatedStore : public ResultStore {
public:
  /// The accumulators of `first` come before as many of `second`, whose operand
  /// `gate` the caller of `second` is to give.
  GatedStore(const MatmulProblem &problem, KernelBuilder &b, Epilogue &first,
             Epilogue &second, int64_t gate, Value result)
      : problem(problem), b(b), first(first), second(second), gate(gate),
        result(result) {}
  void store(ArrayRef<AccumulatorTile> accumulators, Value number) override;

private:
  /// The second one's.
  const MatmulProblem &problem;
  KernelBuilder &b;
  Epilogue &first, &second;
  int64_t gate;
  Value result;
};

/// The accumulators themselves: partial sums of part `split` (index) of K. The
/// sums of a part are a matrix [tokens, features] of their own, behind those of
/// the part before, so that rows past the last token are left out. A second
/// kernel adds them up and applies the epilogue.
class PartialSumStore : public ResultStore {
public:
  PartialSumStore(const MatmulProblem &problem, KernelBuilder &b,
                  Epilogue &epilogue, Value pointer, Value firstRow)
      : problem(problem), b(b), epilogue(epilogue), pointer(pointer),
        firstRow(firstRow) {}
  void store(ArrayRef<AccumulatorTile> accumulators, Value number) override;

private:
  const MatmulProblem &problem;
  KernelBuilder &b;
  Epilogue &epilogue;
  /// To the sums of all parts, and this part's first row among those (i64).
  Value pointer, firstRow;
};

/// Of every kFeaturesOfMaximum of a token's results the largest, and its
/// position, as MaximaKernel.h reads them at `pointer`.
class PartialMaximaStore : public ResultStore {
public:
  PartialMaximaStore(const MatmulProblem &problem, KernelBuilder &b,
                     Epilogue &epilogue, Value pointer);
  void store(ArrayRef<AccumulatorTile> accumulators, Value number) override;

private:
  void storePart(Value results, Value feature, Value token);
  Value elementsOf(Value results, sftile::FragType type);
  Value codesOf(Value elements, Value largest, Value inside, Value features,
                sftile::FragType column);

  const MatmulProblem &problem;
  KernelBuilder &b;
  Epilogue &epilogue;
  Value values, positions;
};

/// The epilogue's results, staged in shared memory, a box of 64 features and a
/// few tokens at a time, from where TMA stores them beside the next tile's
/// mainloop. Operands may come by TMA, too.
class TmaStore : public ResultStore {
public:
  /// Makes the boxes; executed by the consumer warps. `warpRow` (index) is the
  /// warp's first feature in a box; accumulators have layout `accLayout`.
  TmaStore(const MatmulProblem &problem, KernelBuilder &b, Epilogue &epilogue,
           EpilogueLoad &load, Value result, Value warpRow,
           sftile::LayoutAttr accLayout);

  void store(ArrayRef<AccumulatorTile> accumulators, Value number) override;
  /// The memory of the last boxes must outlive their way.
  void finish() override;

private:
  const MatmulProblem &problem;
  KernelBuilder &b;
  Epilogue &epilogue;
  EpilogueLoad &load;
  Value result, warpRow;
  sftile::LayoutAttr accLayout;
  SmallVector<Value> boxes;
};

/// Adds the partial sums of the blocks of a cluster that split K, over DSMEM.
/// In each round two blocks share the work: one gives away the sums of the
/// later half of its tokens, the other those of the earlier, so that in the end
/// every block has few tokens and whole sums. Sums are added in one order
/// everywhere. This block's part is `rank` (index); `ring` is memory for the
/// exchange.
void reduceOverCluster(const MatmulProblem &problem, KernelBuilder &b,
                       SmallVectorImpl<Value> &sums, Value rank, Value ring);
/// The first of the tokens (i64) that the block is left with, of a tile at
/// `token`.
Value firstTokenOfRank(const MatmulProblem &problem, KernelBuilder &b,
                       Value rank, Value token);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_MATMUL_EPILOGUE_RESULTSTORE_H
