//===- Contraction.cpp - Recognise x * w^T on buffers ---------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Target/CPU/Matmul/Contraction.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::sparseflow::cpu;

/// `value` without a widening conversion to f32.
static Value skipExtension(Value value) {
  if (auto extension = value.getDefiningOp<arith::ExtFOp>())
    return extension.getIn();
  return value;
}

/// The block argument of two that a product's factors are, in the order of the
/// product; null where `value` is no product of the two.
static bool isProduct(Value value, BlockArgument x, BlockArgument y) {
  auto product = value.getDefiningOp<arith::MulFOp>();
  if (!product)
    return false;
  Value lhs = skipExtension(product.getLhs());
  Value rhs = skipExtension(product.getRhs());
  return (lhs == x && rhs == y) || (lhs == y && rhs == x);
}

static bool isZero(Value value) {
  return matchPattern(value, m_AnyZeroFloat());
}

/// `value` = condition ? nonZero : zero, where the condition says that
/// `weight` is not zero. NaN counts as not zero.
static bool isGuard(Value value, Value &weight, Value &nonZero, Value &zero) {
  auto select = value.getDefiningOp<arith::SelectOp>();
  if (!select)
    return false;
  auto compare = select.getCondition().getDefiningOp<arith::CmpFOp>();
  if (!compare)
    return false;
  Value tested = compare.getLhs();
  if (isZero(tested))
    tested = compare.getRhs();
  else if (!isZero(compare.getRhs()))
    return false;
  weight = skipExtension(tested);
  nonZero = select.getTrueValue();
  zero = select.getFalseValue();
  if (compare.getPredicate() == arith::CmpFPredicate::OEQ)
    std::swap(nonZero, zero);
  return compare.getPredicate() == arith::CmpFPredicate::UNE ||
         compare.getPredicate() == arith::CmpFPredicate::OEQ;
}

namespace {
/// What the body of a contraction says.
struct Body {
  /// The input whose zeros are skipped; null where no zero is.
  Value skipped;
};
} // namespace

/// Matches acc + x * y, acc + (w != 0 ? x * y : 0) and
/// w != 0 ? acc + x * y : acc.
static std::optional<Body> matchBody(linalg::GenericOp op) {
  Block &block = op.getRegion().front();
  BlockArgument x = block.getArgument(0), y = block.getArgument(1);
  Value sum = block.getTerminator()->getOperand(0);
  BlockArgument acc = block.getArgument(2);
  Body body;
  Value zero, guarded;
  if (isGuard(sum, body.skipped, guarded, zero)) {
    if (zero != acc)
      return std::nullopt;
    sum = guarded;
  }
  auto add = sum.getDefiningOp<arith::AddFOp>();
  if (!add)
    return std::nullopt;
  Value product = add.getLhs() == acc ? add.getRhs() : add.getLhs();
  if (add.getLhs() != acc && add.getRhs() != acc)
    return std::nullopt;
  if (!body.skipped && isGuard(product, body.skipped, guarded, zero)) {
    if (!isZero(zero))
      return std::nullopt;
    product = guarded;
  }
  if (!isProduct(product, x, y) ||
      (body.skipped && body.skipped != x && body.skipped != y))
    return std::nullopt;
  return body;
}

static bool hasUnitInnerStride(Value memref) {
  return cast<MemRefType>(memref.getType()).isLastDimUnitStride();
}

/// True where the first `count` dimensions of `memref` can be seen as one.
static bool isCollapsible(Value memref, unsigned count) {
  auto type = cast<MemRefType>(memref.getType());
  if (count == 1)
    return true;
  SmallVector<ReassociationIndices> groups(1);
  for (int64_t i = 0; i < type.getRank(); ++i) {
    if (i < count)
      groups.front().push_back(i);
    else
      groups.push_back({i});
  }
  return memref::CollapseShapeOp::isGuaranteedCollapsible(type, groups);
}

std::optional<Contraction> Contraction::match(linalg::GenericOp op) {
  if (!op.hasPureBufferSemantics() || op.getNumDpsInputs() != 2 ||
      op.getNumDpsInits() != 1 || op.getNumReductionLoops() != 1)
    return std::nullopt;
  for (Value operand : op->getOperands()) {
    auto type = dyn_cast<MemRefType>(operand.getType());
    if (!type || !type.isStrided() || type.getMemorySpace() ||
        !(type.getElementType().isF32() || type.getElementType().isF16() ||
          type.getElementType().isBF16()))
      return std::nullopt;
  }
  Value c = op.getDpsInits()[0];
  if (!cast<MemRefType>(c.getType()).getElementType().isF32())
    return std::nullopt;
  std::optional<Body> body = matchBody(op);
  if (!body)
    return std::nullopt;

  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (AffineMap map : maps)
    if (!map.isProjectedPermutation())
      return std::nullopt;
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  AffineMap cMap = maps[2];
  if (cMap.getNumResults() < 2 || cMap.getNumResults() + 1 != op.getNumLoops())
    return std::nullopt;
  AffineExpr k = getAffineDimExpr(reductions[0], op.getContext());
  AffineExpr n = cMap.getResults().back();
  ArrayRef<AffineExpr> m = cMap.getResults().drop_back();

  for (unsigned bIndex : {1u, 0u}) {
    AffineMap aMap = maps[1 - bIndex], bMap = maps[bIndex];
    if (aMap.getNumResults() != m.size() + 1 || bMap.getNumResults() != 2 ||
        aMap.getResults().drop_back() != m || aMap.getResults().back() != k)
      continue;
    Contraction result;
    result.op = op;
    result.a = op.getDpsInputs()[1 - bIndex];
    result.b = op.getDpsInputs()[bIndex];
    result.c = c;
    if (bMap.getResult(0) == k && bMap.getResult(1) == n)
      result.bIsTransposed = true;
    else if (bMap.getResult(0) != n || bMap.getResult(1) != k)
      continue;
    // The zeros of the other factor could only be skipped by another kernel.
    BlockArgument weight = op.getRegion().front().getArgument(bIndex);
    if (body->skipped && body->skipped != weight)
      continue;
    result.skipZeroWeights = body->skipped != nullptr;
    if (!hasUnitInnerStride(c) || !isCollapsible(result.a, m.size()) ||
        !isCollapsible(c, m.size()))
      continue;
    return result;
  }
  return std::nullopt;
}
