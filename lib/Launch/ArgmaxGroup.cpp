//===- ArgmaxGroup.cpp - The argmax of a matmul ---------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Launch/ArgmaxGroup.h"
#include "Kernels/Elementwise/MaximaKernel.h"
#include "Launch/LaunchGroup.h"

#include "SparseFlow/Dialect/SparseFlow/Transforms/KernelForm.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::sparseflow;

/// The constant that all elements of a tensor begin with, or null.
static Attribute filledWith(Value tensor) {
  Attribute value;
  auto op = tensor.getDefiningOp<linalg::LinalgOp>();
  // A fill, or one that is written as a generic.
  auto fill = tensor.getDefiningOp<linalg::FillOp>();
  Value element = fill ? fill.getInputs().front()
                  : op ? op.getBlock()->getTerminator()->getOperand(0)
                       : Value();
  if (element && matchPattern(element, m_Constant(&value)))
    return value;
  DenseElementsAttr elements;
  if (matchPattern(tensor, m_Constant(&elements)) && elements.isSplat())
    return elements.getSplatValue<Attribute>();
  return {};
}

/// Whether `value` is `element`, or scalar arithmetic on it alone.
static bool isComputedOf(Value value, Value element) {
  Operation *op = value.getDefiningOp();
  return value == element || matchPattern(value, m_Constant()) ||
         (op && op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
          isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) &&
          llvm::all_of(op->getOperands(), [&](Value operand) {
            return isComputedOf(operand, element);
          }));
}

Value mlir::sparseflow::comparedBy(linalg::LinalgOp argmax) {
  return matchReductionBody(argmax)->elements.front();
}

/// Whether `op` says, for each row of its only input, where the largest
/// element is, NaN above all numbers and the first of equal ones: the form that
/// sparseflow-normalize-linalg gives it.
static bool isArgmaxOfRows(linalg::LinalgOp op) {
  int64_t last = int64_t(op.getNumLoops()) - 1;
  SmallVector<unsigned> reduced;
  op.getReductionDims(reduced);
  if (op.getNumDpsInputs() != 1 || op->getNumResults() != 2 ||
      reduced.size() != 1 || int64_t(reduced.front()) != last ||
      !op.getMatchingIndexingMap(op.getDpsInputOperand(0)).isIdentity())
    return false;
  std::optional<ReductionBody> body = matchReductionBody(op);
  Block *block = op.getBlock();
  auto index = body && body->position == 1u
                   ? body->elements[1].getDefiningOp<arith::IndexCastOp>()
                   : arith::IndexCastOp();
  if (!index || !index.getIn().getDefiningOp<linalg::IndexOp>() ||
      !isComputedOf(body->elements[0], block->getArgument(0)) ||
      body->elements[0].getType().getIntOrFloatBitWidth() > 32)
    return false;
  Value element = body->elements[0], best = block->getArgument(1);
  Operation *end = block->getTerminator();
  auto largest = end->getOperand(0).getDefiningOp<arith::MaximumFOp>();
  auto select = end->getOperand(1).getDefiningOp<arith::SelectOp>();
  auto takes = select ? select.getCondition().getDefiningOp<arith::AndIOp>()
                      : arith::AndIOp();
  auto above =
      takes ? takes.getLhs().getDefiningOp<arith::CmpFOp>() : arith::CmpFOp();
  auto isNumber =
      takes ? takes.getRhs().getDefiningOp<arith::CmpFOp>() : arith::CmpFOp();
  auto compares = [](arith::CmpFOp compare, arith::CmpFPredicate predicate,
                     Value a, Value b) {
    return compare && compare.getPredicate() == predicate &&
           compare.getLhs() == a && compare.getRhs() == b;
  };
  auto smallest =
      dyn_cast_or_null<FloatAttr>(filledWith(op.getDpsInitOperand(0)->get()));
  auto first =
      dyn_cast_or_null<IntegerAttr>(filledWith(op.getDpsInitOperand(1)->get()));
  return largest && llvm::is_contained(largest->getOperands(), element) &&
         llvm::is_contained(largest->getOperands(), best) &&
         compares(above, arith::CmpFPredicate::UGT, element, best) &&
         compares(isNumber, arith::CmpFPredicate::ORD, best, best) &&
         select.getTrueValue() == index.getResult() &&
         select.getFalseValue() == block->getArgument(2) && smallest &&
         smallest.getValue().isInfinity() && smallest.getValue().isNegative() &&
         first && first.getValue().isZero();
}

/// The only op that reads a tensor, by any of its shapes; null if there are
/// several.
static Operation *onlyReader(Value tensor) {
  Operation *reader = nullptr;
  for (Operation *user : tensor.getUsers()) {
    if (isa<tensor::DimOp>(user))
      continue;
    if (reader)
      return nullptr;
    reader = user;
  }
  if (reader && reader->getNumResults() == 1 &&
      skipReshapes(reader->getResult(0)) == skipReshapes(tensor))
    return onlyReader(reader->getResult(0));
  return reader;
}

/// Why the kernels of `op` do not store partial maxima for `argmax`.
static std::string whyApart(MatmulOp op, linalg::LinalgOp argmax) {
  if (onlyReader(op.getResult()) != argmax)
    return "something else reads the matmul's results";
  if (!argmax->getResult(0).use_empty())
    return "the maximum is read, not its position alone";
  Type type = getElementTypeOrSelf(argmax->getResult(1).getType());
  if (!type.isInteger(32) && !type.isInteger(64))
    return "its positions are no integers of 32 or 64 bits";
  SmallVector<sftile::ScheduleAttr> schedules = schedulesOf(op);
  llvm::append_range(schedules, schedulesOf(op, kDenseSchedulesAttr));
  if (auto unaligned =
          op->getAttrOfType<sftile::ScheduleAttr>(kUnalignedScheduleAttr))
    schedules.push_back(unaligned);
  for (sftile::ScheduleAttr schedule : schedules) {
    std::string name = schedule.getName().str();
    if (schedule.isStreamed())
      return name + " streams weights, whose warps share the sums of a feature";
    if (schedule.getSplitK() > 1 && !schedule.getProducerWarps())
      return name + " splits K, and a second kernel computes the results";
  }
  return "";
}

linalg::LinalgOp mlir::sparseflow::argmaxOf(
    MatmulOp op, function_ref<void(Operation *, const std::string &)> onApart) {
  for (Operation *user : op.getResult().getUsers()) {
    while (user && user->getNumResults() == 1 &&
           skipReshapes(user->getResult(0)) == op.getResult() &&
           user->getResult(0).hasOneUse())
      user = *user->getResult(0).user_begin();
    auto argmax = dyn_cast_or_null<linalg::LinalgOp>(user);
    if (!argmax || !isArgmaxOfRows(argmax) ||
        cast<RankedTensorType>(argmax.getDpsInputOperand(0)->get().getType())
                .getShape()
                .back() != op.getN())
      continue;
    std::string why = whyApart(op, argmax);
    if (why.empty())
      return argmax;
    onApart(argmax, why);
  }
  return {};
}

int64_t mlir::sparseflow::bytesOfMaxima(Value tensor) {
  auto matmul = tensor.getDefiningOp<MatmulOp>();
  return matmul && argmaxOf(matmul) ? MaximaKernel::bytesOf(matmul.getN()) : 0;
}

MatmulOp mlir::sparseflow::matmulOfArgmax(Operation *op) {
  auto argmax = dyn_cast<linalg::LinalgOp>(op);
  if (!argmax || argmax.getNumDpsInputs() != 1 || argmax->getNumResults() != 2)
    return {};
  Value source = skipReshapes(argmax.getDpsInputOperand(0)->get());
  auto matmul = source.getDefiningOp<MatmulOp>();
  return matmul && argmaxOf(matmul) == argmax ? matmul : MatmulOp();
}
