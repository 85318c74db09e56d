//===- Views.cpp - What a value is made from, element by element ----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Views.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::sparseflow;

std::optional<SmallVector<int64_t>> mlir::sparseflow::getLoops(AffineMap map) {
  SmallVector<int64_t> loops;
  for (AffineExpr expr : map.getResults()) {
    auto constant = dyn_cast<AffineConstantExpr>(expr);
    if (constant && constant.getValue() == 0)
      loops.push_back(kUnitIndex);
    else if (auto dim = dyn_cast<AffineDimExpr>(expr))
      loops.push_back(dim.getPosition());
    else
      return std::nullopt;
  }
  return loops;
}

//===----------------------------------------------------------------------===//
// Loops in parts
//===----------------------------------------------------------------------===//

/// Sizes tell how a loop is taken apart where at most one of them is dynamic.
static bool areKnown(ArrayRef<int64_t> sizes) {
  return llvm::count_if(sizes, ShapedType::isDynamic) <= 1;
}

/// Which of `fine` make each of `coarse`: [3, 2, 2] is [3, 4] by {3}, {2, 2}.
static std::optional<SmallVector<SmallVector<int64_t>>>
groupSizes(ArrayRef<int64_t> coarse, ArrayRef<int64_t> fine) {
  SmallVector<SmallVector<int64_t>> groups;
  size_t next = 0;
  for (int64_t size : coarse) {
    groups.emplace_back();
    int64_t product = 1;
    while (next < fine.size() && (groups.back().empty() || product < size)) {
      if (ShapedType::isDynamic(fine[next]) != ShapedType::isDynamic(size))
        return std::nullopt;
      groups.back().push_back(fine[next]);
      product = ShapedType::isDynamic(size) ? size : product * fine[next];
      ++next;
    }
    if (product != size)
      return std::nullopt;
  }
  return next == fine.size() ? std::optional(groups) : std::nullopt;
}

std::optional<SmallVector<int64_t>> LoopSplits::split(int64_t loop,
                                                      ArrayRef<int64_t> sizes) {
  if (sizes.size() == 1)
    return SmallVector<int64_t>{loop};
  if (!areKnown(sizes))
    return std::nullopt;
  for (size_t i = 0; i < splits.size(); ++i) {
    if (splits[i].whole != loop)
      continue;
    SmallVector<int64_t> parts = splits[i].parts, known = splits[i].sizes;
    if (known == sizes)
      return parts;
    if (auto groups = groupSizes(known, sizes)) {
      // Parts that are taken apart further.
      SmallVector<int64_t> atoms;
      for (auto [part, group] : llvm::zip(parts, *groups)) {
        auto inner = split(part, group);
        if (!inner)
          return std::nullopt;
        llvm::append_range(atoms, *inner);
      }
      return atoms;
    }
    auto groups = groupSizes(sizes, known);
    if (!groups)
      return std::nullopt;
    // Parts that belong together.
    SmallVector<int64_t> wholes;
    ArrayRef<int64_t> rest = parts;
    for (ArrayRef<int64_t> group : *groups) {
      auto whole = join(rest.take_front(group.size()), group);
      if (!whole)
        return std::nullopt;
      wholes.push_back(*whole);
      rest = rest.drop_front(group.size());
    }
    splits[i].parts = wholes;
    splits[i].sizes = SmallVector<int64_t>(sizes);
    return wholes;
  }
  Split made{loop, {}, SmallVector<int64_t>(sizes)};
  for (size_t i = 0; i < sizes.size(); ++i)
    made.parts.push_back(next++);
  splits.push_back(made);
  return made.parts;
}

std::optional<int64_t> LoopSplits::join(ArrayRef<int64_t> parts,
                                        ArrayRef<int64_t> sizes) {
  if (parts.size() == 1)
    return parts.front();
  if (!areKnown(sizes))
    return std::nullopt;
  SmallVector<int64_t> atoms;
  for (int64_t part : parts)
    llvm::append_range(atoms, getAtoms(part));
  for (const Split &known : splits)
    if (getAtoms(known.whole) == atoms)
      return known.whole;
  splits.push_back(
      {next, SmallVector<int64_t>(parts), SmallVector<int64_t>(sizes)});
  return next++;
}

const SmallVector<int64_t> *LoopSplits::getParts(int64_t loop) const {
  for (const Split &known : splits)
    if (known.whole == loop)
      return &known.parts;
  return nullptr;
}

SmallVector<int64_t> LoopSplits::getAtoms(int64_t loop) const {
  const SmallVector<int64_t> *parts = getParts(loop);
  if (!parts)
    return {loop};
  SmallVector<int64_t> atoms;
  for (int64_t part : *parts)
    llvm::append_range(atoms, getAtoms(part));
  return atoms;
}

//===----------------------------------------------------------------------===//
// One step back
//===----------------------------------------------------------------------===//

/// The narrower of two float types; null for types that hold different values
/// (f16 and bf16), and for others than floats.
static Type narrower(Type a, Type b) {
  if (a == b)
    return a;
  auto x = dyn_cast<FloatType>(a), y = dyn_cast<FloatType>(b);
  if (!x || !y || x.getWidth() == y.getWidth())
    return nullptr;
  return x.getWidth() < y.getWidth() ? a : b;
}

/// The argument that `value` is, under conversions between floats; null for
/// anything else.
static BlockArgument skipConversions(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<arith::ExtFOp, arith::TruncFOp>(op))
      return nullptr;
    value = op->getOperand(0);
  }
  return dyn_cast<BlockArgument>(value);
}

/// The source of an op that only copies, repeats, permutes or converts.
static std::optional<View> throughLinalg(const View &view,
                                         linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 ||
      op.getNumLoops() != op.getNumParallelLoops() ||
      !op.hasPureTensorSemantics())
    return std::nullopt;
  OpOperand *input = op.getDpsInputOperand(0);
  AffineMap to = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  std::optional<SmallVector<int64_t>> from =
      getLoops(op.getMatchingIndexingMap(input));
  if (!from || !to.isPermutation())
    return std::nullopt;
  Value yielded = op.getBlock()->getTerminator()->getOperand(0);
  if (skipConversions(yielded) != op.getMatchingBlockArgument(input))
    return std::nullopt;
  View result{input->get(), {}, view.element};
  for (int64_t loop : *from)
    result.loops.push_back(loop == kUnitIndex
                               ? kUnitIndex
                               : view.loops[*to.getResultPosition(
                                     getAffineDimExpr(loop, op.getContext()))]);
  return result;
}

/// A reshape that only adds or removes unit dimensions, or any with `splits`.
/// `groups` says which dimensions of the longer shape are one of the shorter.
static std::optional<View> throughReshape(const View &view, Value source,
                                          RankedTensorType longer,
                                          ArrayRef<ReassociationIndices> groups,
                                          bool isCollapse, LoopSplits *splits) {
  View result{source, {}, view.element};
  unsigned sourceRank =
      isCollapse ? longer.getRank() : static_cast<int64_t>(groups.size());
  result.loops.assign(sourceRank, kUnitIndex);
  for (auto [shorter, group] : llvm::enumerate(groups)) {
    // The one dimension that is more than a unit; any, where all are units.
    SmallVector<int64_t> large = llvm::filter_to_vector(
        group, [&](int64_t dim) { return longer.getDimSize(dim) != 1; });
    if (large.size() > 1) {
      if (!splits)
        return std::nullopt;
      SmallVector<int64_t> sizes, parts;
      for (int64_t dim : large) {
        sizes.push_back(longer.getDimSize(dim));
        if (!isCollapse)
          parts.push_back(view.loops[dim]);
      }
      if (!isCollapse) {
        bool hasUnit = llvm::is_contained(parts, kUnitIndex);
        std::optional<int64_t> whole =
            hasUnit ? std::nullopt : splits->join(parts, sizes);
        if (!whole)
          return std::nullopt;
        result.loops[shorter] = *whole;
        continue;
      }
      auto split = view.loops[shorter] == kUnitIndex
                       ? std::nullopt
                       : splits->split(view.loops[shorter], sizes);
      if (!split)
        return std::nullopt;
      for (auto [dim, part] : llvm::zip(large, *split))
        result.loops[dim] = part;
      continue;
    }
    int64_t dim = large.empty() ? group.back() : large.front();
    if (isCollapse) {
      result.loops[dim] = view.loops[shorter];
      continue;
    }
    int64_t loop = view.loops[dim];
    for (int64_t other : group)
      if (loop == kUnitIndex)
        loop = view.loops[other];
    result.loops[shorter] = loop;
  }
  return result;
}

/// The older value of `view`, one op back.
static std::optional<View> stepBack(const View &view, LoopSplits *splits) {
  Operation *op = view.source.getDefiningOp();
  std::optional<View> result;
  if (auto collapse = dyn_cast_or_null<tensor::CollapseShapeOp>(op))
    result = throughReshape(view, collapse.getSrc(), collapse.getSrcType(),
                            collapse.getReassociationIndices(), true, splits);
  else if (auto expand = dyn_cast_or_null<tensor::ExpandShapeOp>(op))
    result = throughReshape(view, expand.getSrc(), expand.getResultType(),
                            expand.getReassociationIndices(), false, splits);
  else if (auto linalgOp = dyn_cast_or_null<linalg::LinalgOp>(op))
    result = throughLinalg(view, linalgOp);
  else if (isa_and_nonnull<tensor::CastOp, arith::ExtFOp, arith::TruncFOp>(
               op) ||
           (isa_and_nonnull<UnpackOp>(op) &&
            !cast<UnpackOp>(op).getStorageAttr()))
    result = View{op->getOperand(0), view.loops, view.element};
  auto type =
      result ? dyn_cast<RankedTensorType>(result->source.getType()) : nullptr;
  if (!type || type.getRank() != static_cast<int64_t>(result->loops.size()))
    return std::nullopt;
  for (auto [loop, size] : llvm::zip(result->loops, type.getShape()))
    if (loop == kUnitIndex && size != 1)
      return std::nullopt;
  result->element = narrower(view.element, type.getElementType());
  return result->element ? result : std::nullopt;
}

SmallVector<View> mlir::sparseflow::followViews(Value value,
                                                ArrayRef<int64_t> loops,
                                                bool throughRounding,
                                                LoopSplits *splits) {
  SmallVector<View> views;
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || type.getRank() != static_cast<int64_t>(loops.size()))
    return views;
  std::optional<View> view =
      View{value, SmallVector<int64_t>(loops), type.getElementType()};
  for (; view; view = stepBack(*view, splits)) {
    // A source wider than what arrives was rounded on the way. One further back
    // may have been narrow all along.
    bool isExact =
        getElementTypeOrSelf(view->source.getType()) == view->element;
    if (isExact || throughRounding)
      views.push_back(*view);
  }
  return views;
}

SmallVector<ReassociationIndices>
mlir::sparseflow::foldUnits(ArrayRef<int64_t> loops) {
  SmallVector<ReassociationIndices> groups;
  ReassociationIndices leading;
  for (auto [i, loop] : llvm::enumerate(loops)) {
    if (loop != kUnitIndex) {
      groups.push_back(leading);
      leading.clear();
    } else if (groups.empty()) {
      leading.push_back(i);
      continue;
    }
    groups.back().push_back(i);
  }
  return groups;
}

std::optional<Broadcast>
mlir::sparseflow::classifyBroadcast(ArrayRef<int64_t> operand,
                                    ArrayRef<int64_t> result) {
  if (operand.empty())
    return Broadcast::Scalar;
  if (operand == result)
    return Broadcast::Full;
  if (operand == result.take_back(1))
    return Broadcast::PerFeature;
  if (operand == result.drop_back(1))
    return Broadcast::PerToken;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// The value under extensions to a wider float, which change no product.
static Value skipExtension(Value value) {
  while (auto extension = value.getDefiningOp<arith::ExtFOp>())
    value = extension.getIn();
  return value;
}

/// Matches a body that yields out + in0 * in1, in any order of operands.
static bool isMultiplyAdd(linalg::LinalgOp op) {
  Block &block = *op.getBlock();
  if (block.getNumArguments() != 3)
    return false;
  Value in0 = block.getArgument(0), in1 = block.getArgument(1);
  Value out = block.getArgument(2);
  auto add =
      block.getTerminator()->getOperand(0).getDefiningOp<arith::AddFOp>();
  if (!add || (add.getLhs() != out && add.getRhs() != out))
    return false;
  Value product = add.getLhs() == out ? add.getRhs() : add.getLhs();
  auto mul = skipExtension(product).getDefiningOp<arith::MulFOp>();
  if (!mul)
    return false;
  Value lhs = skipExtension(mul.getLhs()), rhs = skipExtension(mul.getRhs());
  return (lhs == in0 && rhs == in1) || (lhs == in1 && rhs == in0);
}

bool mlir::sparseflow::isContraction(linalg::LinalgOp op) {
  return op.getNumDpsInputs() == 2 && op.getNumDpsInits() == 1 &&
         op->getNumResults() == 1 && op.getNumReductionLoops() == 1 &&
         isMultiplyAdd(op);
}

bool mlir::sparseflow::hasMatrixWeight(linalg::LinalgOp op) {
  std::optional<SmallVector<int64_t>> y =
      getLoops(op.getMatchingIndexingMap(op.getDpsInitOperand(0)));
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  if (!y || y->empty() || reductions.size() != 1)
    return false;
  int64_t n = y->back(), k = reductions.front();
  for (OpOperand *operand : op.getDpsInputOperands()) {
    std::optional<SmallVector<int64_t>> loops =
        getLoops(op.getMatchingIndexingMap(operand));
    if (!loops || !llvm::is_contained(*loops, n))
      continue;
    return llvm::any_of(
        followViews(operand->get(), *loops, /*throughRounding=*/true),
        [&](const View &view) {
          return llvm::all_of(view.loops, [&](int64_t loop) {
            return loop == n || loop == k || loop == kUnitIndex;
          });
        });
  }
  return false;
}

llvm::MapVector<BlockArgument, SmallVector<WeightUse>>
mlir::sparseflow::findWeights(func::FuncOp function) {
  llvm::MapVector<BlockArgument, SmallVector<WeightUse>> weights;
  // Adds a use of the argument that `operand` is made from, if it is indexed by
  // the loops n and k alone.
  auto add = [&](Operation *op, Value operand, ArrayRef<int64_t> loops,
                 int64_t n, int64_t k) {
    SmallVector<View> views =
        followViews(operand, loops, /*throughRounding=*/true);
    if (views.empty())
      return;
    const View &view = views.back();
    auto argument = dyn_cast<BlockArgument>(view.source);
    auto at = [&](int64_t loop) {
      return llvm::find(view.loops, loop) - view.loops.begin();
    };
    bool isMatrix = llvm::all_of(view.loops, [&](int64_t loop) {
      return loop == n || loop == k || loop == kUnitIndex;
    });
    if (!argument || argument.getOwner() != &function.front() || !isMatrix ||
        llvm::count(view.loops, n) != 1 || llvm::count(view.loops, k) != 1)
      return;
    weights[argument].push_back({op, static_cast<unsigned>(at(n)),
                                 static_cast<unsigned>(at(k)), view.element});
  };
  function.walk([&](Operation *op) {
    if (auto matmul = dyn_cast<MatmulOp>(op); matmul && !matmul.getStorage())
      add(op, matmul.getW(), {0, 1}, 0, 1);
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (!linalgOp || !isContraction(linalgOp))
      return;
    std::optional<SmallVector<int64_t>> y = getLoops(
        linalgOp.getMatchingIndexingMap(linalgOp.getDpsInitOperand(0)));
    SmallVector<unsigned> reductions;
    linalgOp.getReductionDims(reductions);
    if (!y || y->empty() || y->back() == kUnitIndex)
      return;
    for (OpOperand *operand : linalgOp.getDpsInputOperands()) {
      std::optional<SmallVector<int64_t>> loops =
          getLoops(linalgOp.getMatchingIndexingMap(operand));
      if (loops && llvm::is_contained(*loops, y->back()))
        add(op, operand->get(), *loops, y->back(), reductions.front());
    }
  });
  return weights;
}
