//===- Softmax.cpp - Softmaxes as front ends write them -------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Softmax.h"

#include "Dialect/SparseFlow/Transforms/Views.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::sparseflow;

linalg::LinalgOp mlir::sparseflow::getElementwise(Value value) {
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  if (!op || op.getNumParallelLoops() != op.getNumLoops() ||
      op.getNumDpsInits() != 1 || op->getNumResults() != 1 ||
      op.getNumDpsInputs() == 0 || isa<linalg::FillOp>(op.getOperation()) ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity() ||
      op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)))
    return nullptr;
  return op;
}

bool mlir::sparseflow::isFilled(Value value,
                                function_ref<bool(const APFloat &)> test) {
  if (auto fill = value.getDefiningOp<linalg::FillOp>())
    value = fill.getInputs()[0];
  APFloat number(0.0f);
  SplatElementsAttr splat;
  if (matchPattern(value, m_ConstantFloat(&number)))
    return test(number);
  return matchPattern(value, m_Constant(&splat)) &&
         isa<FloatType>(splat.getElementType()) &&
         test(splat.getSplatValue<APFloat>());
}

Value mlir::sparseflow::skipCast(Value value) {
  while (linalg::LinalgOp op = getElementwise(value)) {
    Block &block = *op.getBlock();
    if (op.getNumDpsInputs() != 1 || block.getOperations().size() > 2 ||
        !op.getMatchingIndexingMap(op.getDpsInputOperand(0)).isIdentity())
      break;
    Value result = block.getTerminator()->getOperand(0);
    Operation *cast = result.getDefiningOp();
    bool isCast = result == block.getArgument(0) ||
                  (isa_and_nonnull<arith::TruncFOp, arith::ExtFOp>(cast) &&
                   cast->getOperand(0) == block.getArgument(0));
    if (!isCast)
      break;
    value = op.getDpsInputOperand(0)->get();
  }
  return value;
}

static bool startsSum(Value init) {
  return isFilled(init, [](const APFloat &value) { return value.isZero(); });
}

/// -inf, or the lowest number, which front ends take where they avoid it.
static bool startsMaximum(Value init) {
  return isFilled(init, [](const APFloat &value) {
    return value.isNegative() && (value.isInfinity() || value.isLargest());
  });
}

static bool startsTrue(Value init) {
  if (auto fill = init.getDefiningOp<linalg::FillOp>())
    init = fill.getInputs()[0];
  return matchPattern(init, m_One()) || matchPattern(init, m_NonZero());
}

static Value skipExtension(Value value) {
  while (auto extension = value.getDefiningOp<arith::ExtFOp>())
    value = extension.getIn();
  return value;
}

static Value skipRounding(Value value) {
  while (auto rounding = value.getDefiningOp<arith::TruncFOp>())
    value = rounding.getIn();
  return value;
}

/// The input, of `rank` dimensions, that is reduced over the last of them by
/// `OpT` to what `view` shows, read by the loops of the other dimensions.
template <typename... OpT>
static Value matchReduction(const View &view, int64_t rank,
                            function_ref<bool(Value)> isStart) {
  auto op = view.source.getDefiningOp<linalg::LinalgOp>();
  if (!op || op.getNumDpsInputs() != 1 || op.getNumLoops() != rank ||
      op.getNumReductionLoops() != 1)
    return nullptr;
  // A maximum may come with its position, a second result.
  unsigned number = cast<OpResult>(view.source).getResultNumber();
  OpOperand *input = op.getDpsInputOperand(0);
  OpOperand *init = op.getDpsInitOperand(number);
  std::optional<SmallVector<int64_t>> in =
      getLoops(op.getMatchingIndexingMap(input));
  std::optional<SmallVector<int64_t>> out =
      getLoops(op.getMatchingIndexingMap(init));
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  if (!in || !out || static_cast<int64_t>(in->size()) != rank ||
      in->back() != reductions[0] || !isStart(init->get()))
    return nullptr;
  // Dimension p of the row is dimension p of the input, but for units.
  int64_t next = 0;
  for (auto [loop, readBy] : llvm::zip(*out, view.loops)) {
    if (loop == kUnitIndex) {
      if (readBy != kUnitIndex)
        return nullptr;
      continue;
    }
    if (loop != (*in)[next] || readBy != next)
      return nullptr;
    ++next;
  }
  if (next != rank - 1)
    return nullptr;
  Operation *combine =
      op.getBlock()->getTerminator()->getOperand(number).getDefiningOp();
  if (!isa_and_nonnull<OpT...>(combine))
    return nullptr;
  Value a = skipExtension(skipRounding(combine->getOperand(0))),
        b = skipExtension(skipRounding(combine->getOperand(1)));
  Value first = op.getMatchingBlockArgument(input),
        second = op.getMatchingBlockArgument(init);
  if (!((a == first && b == second) || (a == second && b == first)))
    return nullptr;
  return input->get();
}

namespace {
/// An elementwise op of a tensor and one value for each of its rows.
struct Rowwise {
  Value whole;
  /// The row values, the oldest last.
  SmallVector<View> rows;
};
} // namespace

/// `value` as an elementwise op of two inputs if `test` accepts its body, given
/// the arguments for the tensor and its rows.
template <typename Test>
static std::optional<Rowwise> matchRowwise(Value value, Test test) {
  linalg::LinalgOp op = getElementwise(value);
  if (!op || op.getNumDpsInputs() != 2)
    return std::nullopt;
  for (unsigned i : {0u, 1u}) {
    OpOperand *whole = op.getDpsInputOperand(i),
              *row = op.getDpsInputOperand(1 - i);
    std::optional<SmallVector<int64_t>> loops =
        getLoops(op.getMatchingIndexingMap(row));
    if (!op.getMatchingIndexingMap(whole).isIdentity() || !loops)
      continue;
    if (test(skipRounding(op.getBlock()->getTerminator()->getOperand(0)),
             op.getMatchingBlockArgument(whole),
             op.getMatchingBlockArgument(row)))
      return Rowwise{whole->get(), followViews(row->get(), *loops)};
  }
  return std::nullopt;
}

/// True for a - row.
static bool isDifference(Value result, Value a, Value row) {
  auto subtract = result.getDefiningOp<arith::SubFOp>();
  return subtract && skipExtension(subtract.getLhs()) == a &&
         skipExtension(subtract.getRhs()) == row;
}

/// The scores of a softmax with zeros in the rows of which all scores are -inf:
///
///   select(all(scores == -inf), 0, softmax(scores))
///
/// That is what an attention makes of such rows.
static Value matchSafeSoftmax(Value value) {
  linalg::LinalgOp op = getElementwise(value);
  if (!op || op.getNumDpsInputs() != 2)
    return nullptr;
  auto select = op.getBlock()
                    ->getTerminator()
                    ->getOperand(0)
                    .getDefiningOp<arith::SelectOp>();
  if (!select || !matchPattern(select.getTrueValue(), m_AnyZeroFloat()))
    return nullptr;
  for (unsigned i : {0u, 1u}) {
    OpOperand *whole = op.getDpsInputOperand(i),
              *flag = op.getDpsInputOperand(1 - i);
    std::optional<SmallVector<int64_t>> loops =
        getLoops(op.getMatchingIndexingMap(flag));
    if (select.getFalseValue() != op.getMatchingBlockArgument(whole) ||
        select.getCondition() != op.getMatchingBlockArgument(flag) ||
        !op.getMatchingIndexingMap(whole).isIdentity() || !loops)
      continue;
    Value scores = matchSoftmax(whole->get());
    if (!scores)
      return nullptr;
    int64_t rank = cast<RankedTensorType>(scores.getType()).getRank();
    for (const View &row : followViews(flag->get(), *loops)) {
      Value flags = matchReduction<arith::AndIOp>(row, rank, startsTrue);
      linalg::LinalgOp compare =
          flags ? getElementwise(flags) : linalg::LinalgOp();
      if (!compare || compare.getNumDpsInputs() != 1 ||
          compare.getDpsInputOperand(0)->get() != scores ||
          !compare.getMatchingIndexingMap(compare.getDpsInputOperand(0))
               .isIdentity())
        continue;
      auto test = compare.getBlock()
                      ->getTerminator()
                      ->getOperand(0)
                      .getDefiningOp<arith::CmpFOp>();
      APFloat number(0.0f);
      if (test && test.getPredicate() == arith::CmpFPredicate::OEQ &&
          skipExtension(test.getLhs()) == compare.getBlock()->getArgument(0) &&
          matchPattern(test.getRhs(), m_ConstantFloat(&number)) &&
          number.isInfinity() && number.isNegative())
        return scores;
    }
  }
  return nullptr;
}

Value mlir::sparseflow::matchSoftmax(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || type.getRank() < 2)
    return nullptr;
  int64_t rank = type.getRank();
  if (auto softmax = value.getDefiningOp<linalg::SoftmaxOp>())
    return static_cast<int64_t>(softmax.getDimension()) + 1 == rank
               ? softmax.getInput()
               : Value();
  if (Value scores = matchSafeSoftmax(value))
    return scores;
  auto quotient = matchRowwise(value, [](Value result, Value a, Value row) {
    auto divide = result.getDefiningOp<arith::DivFOp>();
    return divide && skipExtension(divide.getLhs()) == a &&
           skipExtension(divide.getRhs()) == row;
  });
  if (!quotient)
    return nullptr;
  Value powers = quotient->whole;
  if (llvm::none_of(quotient->rows, [&](const View &row) {
        return matchReduction<arith::AddFOp>(row, rank, startsSum) == powers;
      }))
    return nullptr;
  // exp(x - max) in one op or in two.
  Value differences = powers;
  if (linalg::LinalgOp op = getElementwise(powers);
      op && op.getNumDpsInputs() == 1) {
    auto power = skipRounding(op.getBlock()->getTerminator()->getOperand(0))
                     .getDefiningOp<math::ExpOp>();
    if (!power ||
        skipExtension(power.getOperand()) != op.getBlock()->getArgument(0) ||
        !op.getMatchingIndexingMap(op.getDpsInputOperand(0)).isIdentity())
      return nullptr;
    differences = op.getDpsInputOperand(0)->get();
  }
  auto difference =
      matchRowwise(differences, [&](Value result, Value a, Value row) {
        if (differences != powers)
          return isDifference(result, a, row);
        auto power = result.getDefiningOp<math::ExpOp>();
        return power && isDifference(skipRounding(power.getOperand()), a, row);
      });
  if (!difference)
    return nullptr;
  Value scores = difference->whole;
  bool isShifted = llvm::any_of(difference->rows, [&](const View &row) {
    return matchReduction<arith::MaximumFOp, arith::MaxNumFOp>(
               row, rank, startsMaximum) == scores;
  });
  return isShifted ? scores : Value();
}
