//===- RaiseAttention.cpp - softmax(Q K^T) V becomes attention ------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// AttentionMatch.h finds them: from a matmul with values back over a softmax,
// written as one op or as its steps, and over elementwise ops, which become the
// score region, to the matmul of queries and keys. Here the op is made, and
// what only moved its result on is left out.
//
//===----------------------------------------------------------------------===//

#include "AttentionMatch.h"
#include "HeadShapes.h"
#include "RaiseOps.h"
#include "Softmax.h"

#include "SparseFlow/Dialect/SparseFlow/Transforms/Passes.h"
#include "SparseFlow/Support/Remarks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::sparseflow {
#define GEN_PASS_DEF_SPARSEFLOWRAISEATTENTION
#include "SparseFlow/Dialect/SparseFlow/Transforms/Passes.h.inc"
} // namespace mlir::sparseflow

using namespace mlir;
using namespace mlir::sparseflow;

using Loops = SmallVector<int64_t>;

//===----------------------------------------------------------------------===//
// The score region
//===----------------------------------------------------------------------===//

static Value toF32(OpBuilder &b, Location loc, Value value) {
  Type f32 = b.getF32Type();
  return !isa<FloatType>(value.getType()) || value.getType() == f32
             ? value
             : arith::ExtFOp::create(b, loc, f32, value).getResult();
}

namespace {
/// A scalar that a step of the scores reads beside the scores.
struct ScoreOperand {
  Value value;
  std::string letters;
  /// A boolean, which `value` holds as 0 and 1.
  bool isFlag;
};
} // namespace

/// A tensor of booleans as f16, which attention kernels load.
static Value flagsToFloats(RewriterBase &b, Value value) {
  Location loc = value.getLoc();
  auto rank = cast<RankedTensorType>(value.getType()).getRank();
  Type f16 = b.getF16Type();
  Value empty = tensor::EmptyOp::create(
      b, loc, tensor::getMixedSizes(b, loc, value), f16);
  SmallVector<AffineMap> maps(2, b.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             b, loc, empty.getType(), value, empty, maps, loops,
             [&](OpBuilder &b, Location loc, ValueRange arguments) {
               Value number =
                   arith::UIToFPOp::create(b, loc, f16, arguments[0]);
               linalg::YieldOp::create(b, loc, number);
             })
      .getResult(0);
}

/// `input` of a step without the dimensions that are read at index 0, and the
/// letters of the others.
static ScoreOperand makeOperand(RewriterBase &b, const AttentionMatch &match,
                                const ScoreStep &step, OpOperand *input) {
  linalg::LinalgOp op = step.op;
  SmallVector<int64_t> loops = *getLoops(op.getMatchingIndexingMap(input));
  for (int64_t &loop : loops)
    loop = loop == kUnitIndex ? kUnitIndex : step.loops[loop];
  ScoreOperand operand{input->get(), "", false};
  for (int64_t loop : loops)
    if (loop != kUnitIndex)
      operand.letters.push_back(match.getLetter(loop));
  if (llvm::is_contained(loops, kUnitIndex)) {
    auto type = cast<RankedTensorType>(operand.value.getType());
    SmallVector<int64_t> shape;
    for (auto [loop, size] : llvm::zip(loops, type.getShape()))
      if (loop != kUnitIndex)
        shape.push_back(size);
    operand.value = tensor::CollapseShapeOp::create(
        b, op.getLoc(), RankedTensorType::get(shape, type.getElementType()),
        operand.value, foldUnits(loops));
  }
  operand.isFlag = getElementTypeOrSelf(operand.value.getType()).isInteger(1);
  if (operand.isFlag)
    operand.value = flagsToFloats(b, operand.value);
  return operand;
}

/// Clones the body of one elementwise op in f32; `inputs` are its scalars.
static Value cloneStep(RewriterBase &b, const AttentionMatch &match,
                       const ScoreStep &step, ValueRange inputs,
                       ArrayRef<BlockArgument> indices) {
  linalg::LinalgOp op = step.op;
  IRMapping map;
  auto clone = [&](Operation *scalar) {
    if (isa<arith::TruncFOp, arith::ExtFOp>(scalar)) {
      map.map(scalar->getResult(0), map.lookup(scalar->getOperand(0)));
      return;
    }
    APFloat number(0.0f);
    Type type = scalar->getResult(0).getType();
    if (isa<FloatType>(type) &&
        matchPattern(scalar, m_ConstantFloat(&number))) {
      bool isInexact;
      number.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                     &isInexact);
      map.map(scalar->getResult(0),
              arith::ConstantOp::create(b, scalar->getLoc(),
                                        b.getFloatAttr(b.getF32Type(), number))
                  .getResult());
      return;
    }
    Operation *made = b.clone(*scalar, map);
    for (Value result : made->getResults())
      if (isa<FloatType>(result.getType()))
        result.setType(b.getF32Type());
  };
  for (auto [input, value] : llvm::zip(op.getDpsInputOperands(), inputs))
    map.map(op.getMatchingBlockArgument(input), toF32(b, op.getLoc(), value));
  // Nothing of the region comes from outside, constants neither.
  for (Operation &scalar : *op.getBlock())
    for (Value operand : scalar.getOperands())
      if (operand.getParentBlock() != op.getBlock() && !map.contains(operand))
        clone(operand.getDefiningOp());
  for (Operation &scalar : op.getBlock()->without_terminator()) {
    // Indices are i32 in a score region; that of a dimension of size 1 is 0.
    if (auto index = dyn_cast<linalg::IndexOp>(scalar)) {
      char letter = match.getLetter(step.loops[index.getDim()]);
      Value known = letter ? Value(indices[StringRef("bhqk").find(letter)])
                           : arith::ConstantOp::create(b, index.getLoc(),
                                                       b.getI32IntegerAttr(0))
                                 .getResult();
      map.map(index.getResult(), known);
    } else if (auto cast = dyn_cast<arith::IndexCastOp>(scalar)) {
      map.map(cast.getResult(), map.lookup(cast.getIn()));
    } else {
      clone(&scalar);
    }
  }
  return map.lookup(op.getBlock()->getTerminator()->getOperand(0));
}

static void buildScore(RewriterBase &b, AttentionOp attention,
                       const AttentionMatch &match,
                       ArrayRef<ScoreOperand> operands) {
  Location loc = attention.getLoc();
  SmallVector<Type> types{b.getF32Type()};
  types.append(4, b.getI32Type());
  for (const ScoreOperand &operand : operands)
    types.push_back(getElementTypeOrSelf(operand.value.getType()));
  Block *block = b.createBlock(&attention.getScore(), {}, types,
                               SmallVector<Location>(types.size(), loc));
  SmallVector<BlockArgument> indices(block->getArguments().slice(1, 4));
  Value score = block->getArgument(0);
  unsigned next = 0;
  for (const ScoreStep &step : llvm::reverse(match.steps)) {
    linalg::LinalgOp op = step.op;
    SmallVector<Value> inputs;
    for (OpOperand *input : op.getDpsInputOperands()) {
      if (input == step.through) {
        inputs.push_back(score);
        continue;
      }
      Value value = block->getArgument(5 + next);
      if (operands[next++].isFlag) {
        Value zero = arith::ConstantOp::create(b, loc, b.getF32FloatAttr(0.0f));
        value = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNE,
                                      toF32(b, loc, value), zero);
      }
      inputs.push_back(value);
    }
    score = cloneStep(b, match, step, inputs, indices);
  }
  YieldOp::create(b, loc, score);
}

//===----------------------------------------------------------------------===//
// The result
//===----------------------------------------------------------------------===//

namespace {
/// A tensor that holds the result, and the loops that read its dimensions.
struct Place {
  Value value;
  SmallVector<int64_t> loops;
};
} // namespace

/// What only moves or rounds `place`, of which nothing else is read.
static std::optional<Place> stepForward(const Place &place,
                                        LoopSplits &splits) {
  if (!place.value.hasOneUse())
    return std::nullopt;
  OpOperand &use = *place.value.use_begin();
  Operation *user = use.getOwner();
  Place next{Value(), {}};
  if (auto cast = dyn_cast<tensor::CastOp>(user))
    return Place{cast.getResult(), place.loops};
  if (auto op = dyn_cast<linalg::LinalgOp>(user)) {
    if (!op.isDpsInput(&use) || op->getNumResults() != 1)
      return std::nullopt;
    Value result = op->getResult(0);
    AffineMap to = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
    AffineMap from = op.getMatchingIndexingMap(&use);
    if (op.getNumDpsInputs() != 1 || !to.isPermutation() ||
        !from.isPermutation() || from.getNumDims() != place.loops.size())
      return std::nullopt;
    // Only what a view looks through: copies and conversions.
    SmallVector<int64_t> identity;
    for (unsigned i = 0; i < op.getNumLoops(); ++i)
      identity.push_back(i);
    SmallVector<View> views = followViews(result, identity, true);
    if (views.size() < 2 && skipCast(result) == result &&
        !isa<linalg::TransposeOp>(user))
      return std::nullopt;
    SmallVector<int64_t> byLoop(op.getNumLoops());
    for (auto [i, loop] : llvm::enumerate(place.loops))
      byLoop[from.getDimPosition(i)] = loop;
    next.value = result;
    for (unsigned i = 0; i < to.getNumResults(); ++i)
      next.loops.push_back(byLoop[to.getDimPosition(i)]);
    return next;
  }
  auto expand = dyn_cast<tensor::ExpandShapeOp>(user);
  auto collapse = dyn_cast<tensor::CollapseShapeOp>(user);
  if (!expand && !collapse)
    return std::nullopt;
  auto longer = expand ? expand.getResultType() : collapse.getSrcType();
  SmallVector<ReassociationIndices> groups =
      expand ? expand.getReassociationIndices()
             : collapse.getReassociationIndices();
  next.value = user->getResult(0);
  next.loops.assign(expand ? longer.getRank() : groups.size(), kUnitIndex);
  for (auto [shorter, group] : llvm::enumerate(groups)) {
    SmallVector<int64_t> large = llvm::filter_to_vector(
        group, [&](int64_t dim) { return longer.getDimSize(dim) != 1; });
    if (large.empty())
      large = {group.back()};
    SmallVector<int64_t> sizes, parts;
    for (int64_t dim : large) {
      sizes.push_back(longer.getDimSize(dim));
      if (collapse)
        parts.push_back(place.loops[dim]);
    }
    if (large.size() == 1) {
      if (expand)
        next.loops[large[0]] = place.loops[shorter];
      else
        next.loops[shorter] = parts[0];
      continue;
    }
    if (expand) {
      auto split = splits.split(place.loops[shorter], sizes);
      if (!split)
        return std::nullopt;
      for (auto [dim, part] : llvm::zip(large, *split))
        next.loops[dim] = part;
    } else if (auto whole = splits.join(parts, sizes)) {
      next.loops[shorter] = *whole;
    } else {
      return std::nullopt;
    }
  }
  return next;
}

/// True for a dimension that no loop of the result counts.
static bool isUnit(int64_t loop, ArrayRef<int64_t> loops) {
  return loop == kUnitIndex || !llvm::is_contained(loops, loop);
}

/// How the attention's result, [..] by `result`, becomes a tensor that is read
/// by `loops`: the groups that are collapsed; none for the result itself.
static std::optional<SmallVector<ReassociationIndices>>
matchResult(ArrayRef<int64_t> loops, ArrayRef<int64_t> result) {
  SmallVector<int64_t> found, expected;
  for (int64_t loop : loops)
    if (!isUnit(loop, result))
      found.push_back(loop);
  for (int64_t loop : result)
    if (loop != kUnitIndex)
      expected.push_back(loop);
  if (found != expected)
    return std::nullopt;
  if (loops.size() == 4) {
    for (auto [loop, is] : llvm::zip(loops, result))
      if (isUnit(loop, result) != (is == kUnitIndex))
        return std::nullopt;
    return SmallVector<ReassociationIndices>();
  }
  if (loops.size() != expected.size())
    return std::nullopt;
  return foldUnits(result);
}

/// The loops of `match.result` with those of joined batches and heads apart, if
/// they are those of [B, H, S, D]; the groups that join them again.
static std::optional<SmallVector<ReassociationIndices>>
matchJoined(const AttentionMatch &match) {
  SmallVector<int64_t> bhsd{match.batch, match.head, match.query,
                            match.feature};
  SmallVector<ReassociationIndices> groups;
  int64_t next = 0;
  auto skipUnits = [&](ReassociationIndices &group) {
    while (next < 4 && bhsd[next] == kUnitIndex)
      group.push_back(next++);
  };
  for (int64_t loop : match.result) {
    groups.emplace_back();
    skipUnits(groups.back());
    for (int64_t atom : match.splits.getAtoms(loop)) {
      if (next >= 4 || bhsd[next] != atom)
        return std::nullopt;
      groups.back().push_back(next++);
      skipUnits(groups.back());
    }
  }
  return next == 4 ? std::optional(groups) : std::nullopt;
}

static bool isTrivial(ArrayRef<ReassociationIndices> groups) {
  return llvm::all_of(groups, [](auto &group) { return group.size() == 1; });
}

/// Rewrites `op`, the matmul with the values, and what moves its result.
static void replace(RewriterBase &rewriter, linalg::LinalgOp op,
                    AttentionMatch &match, AttentionOp attention,
                    const Place &last, ArrayRef<ReassociationIndices> groups,
                    bool isJoined) {
  Value result = attention.getResult();
  if (isJoined && match.layout == AttentionLayout::Bshd)
    result = transposeHeads(rewriter, result);
  if (!groups.empty() && !isTrivial(groups))
    result =
        tensor::CollapseShapeOp::create(rewriter, op.getLoc(), result, groups);
  rewriter.replaceAllUsesWith(last.value,
                              castTo(rewriter, result, last.value.getType()));
}

static void raise(RewriterBase &rewriter, linalg::LinalgOp op) {
  std::string reason;
  std::optional<AttentionMatch> match = matchAttention(op, reason);
  // The furthest place of the result that an attention writes.
  std::optional<Place> last;
  SmallVector<ReassociationIndices> groups;
  bool isJoined = false;
  if (match) {
    Place place{op->getResult(0), match->result};
    for (std::optional<Place> next = place; next;
         next = stepForward(*next, match->splits))
      if (auto found = matchResult(next->loops, match->getResultLoops())) {
        last = next;
        groups = *found;
      }
    if (!last)
      if (auto found = matchJoined(*match)) {
        last = place;
        groups = *found;
        isJoined = true;
      }
    if (!last)
      reason = "expected a result in one of the layouts [B, H, S, D] and "
               "[B, S, H, D]";
  }
  if (!last) {
    if (!reason.empty())
      explain(op, "import")
          << op->getName().getStringRef() << " is no attention: " << reason;
    return;
  }
  // Behind all operands, which may come after the matmul's.
  rewriter.setInsertionPoint(op);
  SmallVector<ScoreOperand> operands;
  SmallVector<Value> values;
  SmallVector<Attribute> dims;
  for (const ScoreStep &step : llvm::reverse(match->steps)) {
    linalg::LinalgOp stepOp = step.op;
    for (OpOperand *input : stepOp.getDpsInputOperands()) {
      if (input == step.through)
        continue;
      operands.push_back(makeOperand(rewriter, *match, step, input));
      values.push_back(operands.back().value);
      dims.push_back(rewriter.getStringAttr(operands.back().letters));
    }
  }
  auto take = [&](const AttentionSource &source) {
    Value value = source.value;
    if (!source.groups.empty())
      value = tensor::CollapseShapeOp::create(rewriter, op.getLoc(), value,
                                              source.groups);
    return toRank4(rewriter, value);
  };
  Value q = take(match->q), k = take(match->k), v = take(match->v);
  RankedTensorType type = AttentionOp::inferResultType(
      cast<RankedTensorType>(q.getType()), cast<RankedTensorType>(v.getType()),
      getElementTypeOrSelf(last->value.getType()));
  auto attention = AttentionOp::create(
      rewriter, op->getLoc(), type, Type(), q, k, v, /*lengths=*/Value(),
      /*pages=*/Value(), /*cu_seqlens_q=*/Value(), /*cu_seqlens_k=*/Value(),
      /*sink_logits=*/Value(), values, rewriter.getArrayAttr(dims),
      match->layout,
      /*causal=*/false, IntegerAttr(),
      rewriter.getF32FloatAttr(static_cast<float>(match->scale)),
      /*plane_mask=*/IntegerAttr(), /*value_features=*/IntegerAttr());
  if (!match->steps.empty()) {
    OpBuilder::InsertionGuard guard(rewriter);
    buildScore(rewriter, attention, *match, operands);
  }
  explain(op, "import") << "raised to attention over " << match->steps.size()
                        << " elementwise ops on the scores, which are "
                           "computed in f32 like the softmax";
  replace(rewriter, op, *match, attention, *last, groups, isJoined);
}

namespace {
struct RaiseAttention
    : sparseflow::impl::SparseFlowRaiseAttentionBase<RaiseAttention> {
  void runOnOperation() override { raiseLinalgOps(getOperation(), raise); }
};
} // namespace
