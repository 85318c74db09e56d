//===- Product.cpp - Products of two computed tensors ---------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SparseFlow/Transforms/Product.h"

#include "Views.h"

#include "SparseFlow/Dialect/SparseFlow/Transforms/KernelForm.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::sparseflow;

using Operand = ActivationProduct::Operand;

bool ActivationProduct::reads(Operation *op) const {
  return llvm::any_of(ArrayRef{a.source, b.source}, [&](Value source) {
    return skipReshapes(source).getDefiningOp() == op;
  });
}

/// Whether a contraction begins its sums at zero.
static bool startsAtZero(linalg::LinalgOp op) {
  Value init = op.getDpsInitOperand(0)->get();
  if (auto fill = init.getDefiningOp<linalg::FillOp>())
    init = fill.getInputs().front();
  else if (auto same = init.getDefiningOp<linalg::GenericOp>())
    init = same.getBlock()->getTerminator()->getOperand(0);
  return matchPattern(init, m_AnyZeroFloat());
}

/// The innermost loop that is no unit dimension, or kUnitIndex.
static int64_t innermost(ArrayRef<int64_t> loops) {
  for (int64_t loop : llvm::reverse(loops))
    if (loop != kUnitIndex)
      return loop;
  return kUnitIndex;
}

static bool hasTwice(ArrayRef<int64_t> loops) {
  llvm::SmallDenseSet<int64_t> seen;
  return llvm::any_of(loops, [&](int64_t loop) {
    return loop != kUnitIndex && !seen.insert(loop).second;
  });
}

/// What `input` of `op` is made from, as far back as its elements are the same
/// numbers and `row` or `k` is adjacent.
static std::optional<Operand> sourceOf(linalg::LinalgOp op, OpOperand *input,
                                       int64_t row, int64_t k) {
  std::optional<SmallVector<int64_t>> loops =
      getLoops(op.getMatchingIndexingMap(input));
  if (!loops)
    return std::nullopt;
  SmallVector<View> views = followViews(input->get(), *loops);
  for (const View &view : llvm::reverse(views)) {
    Type element = getElementTypeOrSelf(view.source.getType());
    int64_t last = innermost(view.loops);
    if (isa<Float16Type, BFloat16Type>(element) && !hasTwice(view.loops) &&
        (last == row || last == k))
      return Operand{view.source, view.loops, last == row};
  }
  return std::nullopt;
}

/// The narrowest type that the elements of `input` have been of.
static Type elementOf(linalg::LinalgOp op, OpOperand *input) {
  Type element = getElementTypeOrSelf(input->get().getType());
  std::optional<SmallVector<int64_t>> loops =
      getLoops(op.getMatchingIndexingMap(input));
  for (const View &view :
       loops ? followViews(input->get(), *loops) : SmallVector<View>())
    element = view.element;
  return element;
}

static std::string textOf(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

std::optional<ActivationProduct>
mlir::sparseflow::matchProduct(linalg::LinalgOp op, std::string &reason) {
  auto refuse = [&](const Twine &why) -> std::optional<ActivationProduct> {
    reason = why.str();
    return std::nullopt;
  };
  if (!isContraction(op))
    return refuse("it is no matmul");
  Type type = elementOf(op, op.getDpsInputOperand(0));
  Type other = elementOf(op, op.getDpsInputOperand(1));
  if (!isa<Float16Type, BFloat16Type>(type) || type != other)
    return refuse("expected f16 x f16 or bf16 x bf16, found " + textOf(type) +
                  " x " + textOf(other));
  if (!startsAtZero(op))
    return refuse("it adds to a tensor: add to the product instead");
  auto refuseShape = [&] {
    return refuse("expected operands [.., M, K] and [.., N, K] of a result "
                  "[.., M, N], with M or N or K adjacent in memory");
  };
  std::optional<SmallVector<int64_t>> result =
      getLoops(op.getMatchingIndexingMap(op.getDpsInitOperand(0)));
  if (!result || hasTwice(*result))
    return refuseShape();
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  ActivationProduct product;
  product.result = *result;
  product.k = reductions.front();
  product.n = innermost(*result);

  OpOperand *inputs[] = {op.getDpsInputOperand(0), op.getDpsInputOperand(1)};
  auto reads = [&](OpOperand *input, int64_t loop) {
    return loop != kUnitIndex &&
           op.getMatchingIndexingMap(input).isFunctionOfDim(loop);
  };
  if (reads(inputs[0], product.n))
    std::swap(inputs[0], inputs[1]);
  auto [a, b] = inputs;
  product.m = kUnitIndex;
  for (int64_t loop : *result)
    if (reads(a, loop) && !reads(b, loop))
      product.m = loop;
  if (reads(a, product.n) || !reads(b, product.n) || !reads(a, product.k) ||
      !reads(b, product.k) || product.m == kUnitIndex)
    return refuseShape();
  for (int64_t loop : *result)
    if (loop != kUnitIndex && loop != product.m && loop != product.n)
      product.batch.push_back(loop);

  std::optional<Operand> first = sourceOf(op, a, product.m, product.k);
  std::optional<Operand> second = sourceOf(op, b, product.n, product.k);
  if (!first || !second)
    return refuseShape();
  product.a = std::move(*first);
  product.b = std::move(*second);
  return product;
}

/// Whether `op` computes each element of its result from the same element of
/// its only input, by scalar arithmetic.
static bool isMapOfOne(linalg::LinalgOp op) {
  Block *block = op.getBlock();
  return op.getNumLoops() == op.getNumParallelLoops() &&
         op.getNumDpsInputs() == 1 && op->getNumResults() == 1 &&
         llvm::all_of(op.getIndexingMapsArray(),
                      [](AffineMap map) { return map.isIdentity(); }) &&
         block->getArgument(1).use_empty() &&
         llvm::all_of(block->without_terminator(),
                      [&](Operation &inner) {
                        return isa<arith::ArithDialect, math::MathDialect>(
                                   inner.getDialect()) &&
                               llvm::all_of(
                                   inner.getOperands(), [&](Value value) {
                                     return value.getParentBlock() == block ||
                                            matchPattern(value, m_Constant());
                                   });
                      }) &&
         block->getTerminator()->getOperand(0).getParentBlock() == block;
}

ProductChain mlir::sparseflow::productChainOf(Operation *op) {
  ProductChain chain;
  auto map = dyn_cast_or_null<linalg::LinalgOp>(op);
  while (map && isMapOfOne(map) && !map->hasAttr(kInPlaceAttr)) {
    chain.maps.insert(chain.maps.begin(), map);
    Value input = map.getDpsInputOperand(0)->get();
    if (!input.hasOneUse())
      return {};
    map = input.getDefiningOp<linalg::LinalgOp>();
  }
  if (map && isContraction(map))
    chain.contraction = map;
  return chain;
}

bool mlir::sparseflow::roundsProduct(Operation *op) {
  std::string reason;
  ProductChain chain = productChainOf(op);
  if (chain.maps.empty() || !chain.contraction ||
      !matchProduct(chain.contraction, reason))
    return false;
  auto widthOf = [](Value tensor) {
    return getElementTypeOrSelf(tensor.getType()).getIntOrFloatBitWidth();
  };
  return widthOf(op->getResult(0)) < widthOf(op->getOperand(0));
}
