//===- Views.h - What a value is made from, element by element --*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A front end rarely multiplies with the weight that its caller passed: between
// the two stand a transpose, a broadcast over the batch, a reshape with a unit
// dimension, a conversion. None of them computes. A view says, for a value that
// some op reads with given loops, which older value holds the same elements and
// which loop indexes each of its dimensions:
//
//   %t = linalg.transpose ins(%w : tensor<512x256xf16>) ...   [1, 0]
//   %b = linalg.broadcast ins(%t : tensor<256x512xf16>) ...   over the batch
//   linalg.batch_matmul ins(%x, %b)       // reads %b by the loops [b, k, n]
//
//   views of %b: %b by [b, k, n], %t by [k, n], %w by [n, k]
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_DIALECT_SPARSEFLOW_TRANSFORMS_VIEWS_H
#define SPARSEFLOW_LIB_DIALECT_SPARSEFLOW_TRANSFORMS_VIEWS_H

#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::sparseflow {

/// In place of a loop: the dimension has size 1 and is read at index 0.
constexpr int64_t kUnitIndex = -1;

struct View {
  Value source;
  /// A loop, or kUnitIndex, for each dimension of `source`.
  SmallVector<int64_t> loops;
  /// The narrowest type that the elements pass on their way: they hold no more
  /// than that, whatever the types at both ends.
  Type element;
};

/// Loops that reshapes take apart or put together, such as [B * H, S, D] and
/// [B, H, S, D]: a loop and the loops of its parts name each other.
class LoopSplits {
public:
  /// The parts of `loop`, of these sizes, made where it has none yet; nothing
  /// where it was taken apart in another way, or where the sizes do not say
  /// how.
  std::optional<SmallVector<int64_t>> split(int64_t loop,
                                            ArrayRef<int64_t> sizes);
  /// The loop of which `parts`, of these sizes, are the parts.
  std::optional<int64_t> join(ArrayRef<int64_t> parts, ArrayRef<int64_t> sizes);
  /// The parts of `loop`, down to those that are not taken apart.
  SmallVector<int64_t> getAtoms(int64_t loop) const;
  /// The parts of `loop`; null where it has none.
  const SmallVector<int64_t> *getParts(int64_t loop) const;

private:
  struct Split {
    int64_t whole;
    SmallVector<int64_t> parts, sizes;
  };
  SmallVector<Split> splits;
  /// Above the loops of any op.
  int64_t next = 1000;
};

/// The loops that the results of `map` name, and kUnitIndex for a constant 0;
/// nothing where an expression is neither.
std::optional<SmallVector<int64_t>> getLoops(AffineMap map);

/// `value`, which is read by `loops`, and everything it is made from, the
/// oldest last. Sources that are rounded on the way are among them only with
/// `throughRounding`; extensions are always passed, so callers compare types
/// where they matter. Reshapes of more than unit dimensions are passed only
/// with `splits`. Empty where `value` is no ranked tensor of `loops.size()`
/// dimensions.
SmallVector<View> followViews(Value value, ArrayRef<int64_t> loops,
                              bool throughRounding = false,
                              LoopSplits *splits = nullptr);

/// The groups that fold the dimensions of `loops` which are read at index 0
/// into their neighbours.
SmallVector<ReassociationIndices> foldUnits(ArrayRef<int64_t> loops);

/// How an operand that is read by the loops `operand` meets a result with the
/// loops `result`, [..., t, n]; nothing where it is none of the four ways.
std::optional<Broadcast> classifyBroadcast(ArrayRef<int64_t> operand,
                                           ArrayRef<int64_t> result);

/// True for y += x * w: two inputs and one result, one reduction, a body that
/// multiplies and adds floats.
bool isContraction(linalg::LinalgOp op);

/// True where the weight of the contraction `op`, the input that the result's
/// last dimension indexes, is one matrix for all of the other input.
bool hasMatrixWeight(linalg::LinalgOp op);

/// One matmul that multiplies with a value, as that value sees it.
struct WeightUse {
  Operation *op;
  /// Which dimensions of the value are features (N) and which K.
  unsigned n, k;
  /// What the matmul multiplies: f16 or bf16, or f32 where nothing is rounded.
  Type element;
};

/// For every argument of `function` that is the weight of matmuls: those
/// matmuls. The weight is the input that the result's last dimension, the
/// features, indexes.
llvm::MapVector<BlockArgument, SmallVector<WeightUse>>
findWeights(func::FuncOp function);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_DIALECT_SPARSEFLOW_TRANSFORMS_VIEWS_H
