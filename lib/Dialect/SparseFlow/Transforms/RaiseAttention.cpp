//===- RaiseAttention.cpp - softmax(Q K^T) V becomes attention ------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Starts at a product with values and walks back: over roundings to a softmax,
// written as one op or as its five steps; over elementwise ops, which become
// the score region; to the product of queries and keys.
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"
#include "SparseFlow/Dialect/SparseFlow/Transforms/Passes.h"
#include "SparseFlow/Support/Remarks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::sparseflow {
#define GEN_PASS_DEF_SPARSEFLOWRAISEATTENTION
#include "SparseFlow/Dialect/SparseFlow/Transforms/Passes.h.inc"
} // namespace mlir::sparseflow

using namespace mlir;
using namespace mlir::sparseflow;

using Loops = SmallVector<unsigned>;

//===----------------------------------------------------------------------===//
// Pieces of linalg
//===----------------------------------------------------------------------===//

static std::optional<Loops> getLoops(AffineMap map) {
  Loops loops;
  for (AffineExpr expr : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim)
      return std::nullopt;
    loops.push_back(dim.getPosition());
  }
  return loops;
}

/// The loops of a map that selects some of them.
static Loops getSelected(AffineMap map) {
  Loops loops;
  for (unsigned i = 0, e = map.getNumResults(); i < e; ++i)
    loops.push_back(map.getDimPosition(i));
  return loops;
}

static Value skipExtension(Value value) {
  while (auto extension = value.getDefiningOp<arith::ExtFOp>())
    value = extension.getIn();
  return value;
}

/// True for out + a * b on floats.
static bool isMultiplyAdd(linalg::LinalgOp op) {
  Block &block = *op.getBlock();
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 ||
      op->getNumResults() != 1 || op.getNumReductionLoops() != 1)
    return false;
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
  Value in0 = block.getArgument(0), in1 = block.getArgument(1);
  return (lhs == in0 && rhs == in1) || (lhs == in1 && rhs == in0);
}

/// True for a tensor filled with the float that `test` accepts.
template <typename Test>
static bool isFilled(Value value, Test test) {
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

static bool isZero(const APFloat &value) { return value.isZero(); }

/// Elementwise: all loops parallel and the result written in order.
static linalg::LinalgOp getElementwise(Value value) {
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  if (!op || op.getNumParallelLoops() != op.getNumLoops() ||
      op.getNumDpsInits() != 1 || op->getNumResults() != 1 ||
      op.getNumDpsInputs() == 0 || isa<linalg::FillOp>(op.getOperation()) ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity() ||
      op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)))
    return nullptr;
  return op;
}

/// The tensor behind elementwise ops that only round or extend.
static Value skipCast(Value value) {
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

/// A reduction of the last dimension of a rank-4 tensor by `OpT`; its input.
template <typename... OpT>
static Value matchReduction(Value value) {
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  if (!op || op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 ||
      op.getNumLoops() != 4 || op.getNumReductionLoops() != 1)
    return nullptr;
  std::optional<Loops> in =
      getLoops(op.getMatchingIndexingMap(op.getDpsInputOperand(0)));
  std::optional<Loops> out =
      getLoops(op.getMatchingIndexingMap(op.getDpsInitOperand(0)));
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  if (!in || !out || in->size() != 4 || in->back() != reductions[0] ||
      ArrayRef(*out) != ArrayRef(*in).drop_back())
    return nullptr;
  Operation *combine =
      op.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<OpT...>(combine))
    return nullptr;
  Value a = skipExtension(combine->getOperand(0)),
        b = skipExtension(combine->getOperand(1));
  Value first = op.getBlock()->getArgument(0),
        second = op.getBlock()->getArgument(1);
  if (!((a == first && b == second) || (a == second && b == first)))
    return nullptr;
  return op.getDpsInputOperand(0)->get();
}

/// An elementwise op of a rank-4 tensor and one of its rows (rank 3): the two
/// inputs if `test` accepts the body, given the arguments for them.
template <typename Test>
static std::optional<std::pair<Value, Value>> matchRowwise(Value value,
                                                           Test test) {
  linalg::LinalgOp op = getElementwise(value);
  if (!op || op.getNumDpsInputs() != 2 || op.getNumLoops() != 4)
    return std::nullopt;
  AffineMap all = AffineMap::getMultiDimIdentityMap(4, value.getContext());
  for (unsigned i : {0u, 1u}) {
    OpOperand *whole = op.getDpsInputOperand(i),
              *row = op.getDpsInputOperand(1 - i);
    if (op.getMatchingIndexingMap(whole) != all ||
        op.getMatchingIndexingMap(row) != all.getMajorSubMap(3))
      continue;
    if (test(op.getBlock()->getTerminator()->getOperand(0),
             op.getMatchingBlockArgument(whole),
             op.getMatchingBlockArgument(row)))
      return std::pair(whole->get(), row->get());
  }
  return std::nullopt;
}

/// The scores whose softmax over the last dimension `value` is; null if it is
/// none.
static Value matchSoftmax(Value value) {
  if (auto softmax = value.getDefiningOp<linalg::SoftmaxOp>()) {
    auto type = cast<ShapedType>(softmax.getInput().getType());
    return softmax.getDimension() + 1 == uint64_t(type.getRank())
               ? softmax.getInput()
               : Value();
  }
  auto quotient = matchRowwise(value, [](Value result, Value a, Value row) {
    auto divide = result.getDefiningOp<arith::DivFOp>();
    return divide && divide.getLhs() == a && divide.getRhs() == row;
  });
  if (!quotient)
    return nullptr;
  auto [powers, sums] = *quotient;
  if (matchReduction<arith::AddFOp>(sums) != powers)
    return nullptr;
  // exp(x - max) in one op or in two.
  Value differences = powers;
  auto isDifference = [](Value result, Value a, Value row) {
    auto subtract = result.getDefiningOp<arith::SubFOp>();
    return subtract && subtract.getLhs() == a && subtract.getRhs() == row;
  };
  if (linalg::LinalgOp op = getElementwise(powers);
      op && op.getNumDpsInputs() == 1) {
    auto power = op.getBlock()
                     ->getTerminator()
                     ->getOperand(0)
                     .getDefiningOp<math::ExpOp>();
    if (!power || power.getOperand() != op.getBlock()->getArgument(0) ||
        !op.getMatchingIndexingMap(op.getDpsInputOperand(0)).isIdentity())
      return nullptr;
    differences = op.getDpsInputOperand(0)->get();
  }
  auto difference =
      matchRowwise(differences, [&](Value result, Value a, Value row) {
        if (differences == powers) {
          auto power = result.getDefiningOp<math::ExpOp>();
          return power && isDifference(power.getOperand(), a, row);
        }
        return isDifference(result, a, row);
      });
  if (!difference)
    return nullptr;
  auto [scores, most] = *difference;
  if (matchReduction<arith::MaximumFOp, arith::MaxNumFOp>(most) != scores)
    return nullptr;
  return scores;
}

//===----------------------------------------------------------------------===//
// The match
//===----------------------------------------------------------------------===//

namespace {
/// What is found on the way back.
struct Match {
  Value q, k, v;
  AttentionLayout layout;
  /// Elementwise ops on the scores, the last one first, and the operand of each
  /// through which the scores come in.
  SmallVector<std::pair<linalg::LinalgOp, OpOperand *>> steps;
};

/// A tensor [b, h, s, d] or [b, s, h, d] by its loops; none for other orders.
std::optional<AttentionLayout> getLayout(ArrayRef<unsigned> loops,
                                         ArrayRef<unsigned> bhsd) {
  if (loops == bhsd)
    return AttentionLayout::Bhsd;
  Loops bshd(bhsd);
  std::swap(bshd[1], bshd[2]);
  if (loops == ArrayRef(bshd))
    return AttentionLayout::Bshd;
  return std::nullopt;
}

/// Looks through transposes: the tensor behind them, by its own dimensions.
void skipTransposes(Value &value, Loops &loops) {
  while (auto transpose = value.getDefiningOp<linalg::TransposeOp>()) {
    Loops source(loops.size());
    for (auto [to, from] : llvm::enumerate(transpose.getPermutation()))
      source[from] = loops[to];
    loops = source;
    value = transpose.getInput();
  }
}
} // namespace

/// The product of queries and keys that makes `scores`.
static bool matchScores(Value scores, Match &match, std::string &reason) {
  auto op = scores.getDefiningOp<linalg::LinalgOp>();
  if (!op || !isMultiplyAdd(op) ||
      !isFilled(op.getDpsInitOperand(0)->get(), isZero)) {
    reason = "expected scores from a product of queries and keys that starts "
             "at zero";
    return false;
  }
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  std::optional<Loops> out =
      getLoops(op.getMatchingIndexingMap(op.getDpsInitOperand(0)));
  if (!out || out->size() != 4) {
    reason = "expected scores [B, H, S_q, S_k]";
    return false;
  }
  unsigned b = (*out)[0], h = (*out)[1], i = (*out)[2], j = (*out)[3],
           d = reductions[0];
  for (unsigned number : {0u, 1u}) {
    Value q = op.getDpsInputOperand(number)->get(),
          k = op.getDpsInputOperand(1 - number)->get();
    std::optional<Loops> qLoops =
        getLoops(op.getMatchingIndexingMap(op.getDpsInputOperand(number)));
    std::optional<Loops> kLoops =
        getLoops(op.getMatchingIndexingMap(op.getDpsInputOperand(1 - number)));
    if (!qLoops || !kLoops || qLoops->size() != 4 || kLoops->size() != 4)
      continue;
    skipTransposes(q, *qLoops);
    skipTransposes(k, *kLoops);
    auto qLayout = getLayout(*qLoops, {b, h, i, d});
    auto kLayout = getLayout(*kLoops, {b, h, j, d});
    if (qLayout != match.layout || kLayout != match.layout)
      continue;
    match.q = q;
    match.k = k;
    return true;
  }
  reason = "expected queries and keys in the layout of the values";
  return false;
}

/// Walks over elementwise ops on the scores.
static Value collectSteps(Value scores, Match &match, std::string &reason) {
  while (linalg::LinalgOp op = getElementwise(scores)) {
    OpOperand *through = nullptr;
    for (OpOperand *input : op.getDpsInputOperands()) {
      AffineMap map = op.getMatchingIndexingMap(input);
      auto type = dyn_cast<RankedTensorType>(input->get().getType());
      bool ordered = map.isProjectedPermutation(false) &&
                     llvm::is_sorted(getSelected(map));
      if (!type || !isa<FloatType>(type.getElementType()) || !ordered) {
        reason = "expected inputs of elementwise ops on the scores to be float "
                 "tensors indexed by some of their dimensions in order";
        return nullptr;
      }
      // The scores are what a product or another step makes.
      auto producer = input->get().getDefiningOp<linalg::LinalgOp>();
      bool isScores =
          map.isIdentity() && producer &&
          (producer.getNumReductionLoops() || getElementwise(input->get()));
      if (isScores && !through)
        through = input;
    }
    for (Operation &scalar : op.getBlock()->without_terminator())
      if (!isa<linalg::IndexOp, arith::IndexCastOp>(scalar) &&
          !AttentionOp::isScoreComputation(&scalar) &&
          !isa<arith::CmpIOp>(scalar)) {
        reason = "expected scalar arithmetic on the scores, found " +
                 scalar.getName().getStringRef().str();
        return nullptr;
      }
    for (Operation &scalar : *op.getBlock())
      for (Value operand : scalar.getOperands()) {
        if (operand.getParentBlock() == op.getBlock())
          continue;
        if (!operand.getDefiningOp<arith::ConstantOp>() ||
            operand.getType().isIndex()) {
          reason = "expected scalars from outside the elementwise ops to be "
                   "constants";
          return nullptr;
        }
      }
    if (!through) {
      reason = "expected elementwise ops on a product of queries and keys";
      return nullptr;
    }
    match.steps.emplace_back(op, through);
    scores = through->get();
  }
  return scores;
}

static std::optional<Match> matchAttention(linalg::LinalgOp op,
                                           std::string &reason) {
  if (!isMultiplyAdd(op))
    return std::nullopt;
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  for (unsigned number : {0u, 1u}) {
    OpOperand *p = op.getDpsInputOperand(number),
              *v = op.getDpsInputOperand(1 - number);
    Value scores = matchSoftmax(skipCast(p->get()));
    if (!scores)
      continue;
    std::optional<Loops> pLoops = getLoops(op.getMatchingIndexingMap(p));
    std::optional<Loops> vLoops = getLoops(op.getMatchingIndexingMap(v));
    std::optional<Loops> oLoops =
        getLoops(op.getMatchingIndexingMap(op.getDpsInitOperand(0)));
    if (!pLoops || !vLoops || !oLoops || pLoops->size() != 4 ||
        vLoops->size() != 4 || oLoops->size() != 4 ||
        pLoops->back() != reductions[0] ||
        !isFilled(op.getDpsInitOperand(0)->get(), isZero)) {
      reason =
          "expected probabilities [B, H, S_q, S_k], values of rank 4 and a "
          "sum that starts at zero";
      return std::nullopt;
    }
    Match match;
    match.v = v->get();
    skipTransposes(match.v, *vLoops);
    unsigned b = (*pLoops)[0], h = (*pLoops)[1], i = (*pLoops)[2],
             j = (*pLoops)[3];
    unsigned d = 0;
    for (unsigned loop : *vLoops)
      if (loop != b && loop != h && loop != j)
        d = loop;
    auto vLayout = getLayout(*vLoops, {b, h, j, d});
    auto oLayout = getLayout(*oLoops, {b, h, i, d});
    if (!vLayout || vLayout != oLayout) {
      reason = "expected values and result in one of the layouts [B, H, S, D] "
               "and [B, S, H, D]";
      return std::nullopt;
    }
    match.layout = *vLayout;
    Value products = collectSteps(scores, match, reason);
    if (!products || !matchScores(products, match, reason))
      return std::nullopt;
    return match;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The op
//===----------------------------------------------------------------------===//

/// Clones the body of one elementwise op; `inputs` are its scalars.
static Value cloneStep(RewriterBase &b, linalg::LinalgOp op, ValueRange inputs,
                       ArrayRef<BlockArgument> indices) {
  IRMapping map;
  for (auto [input, value] : llvm::zip(op.getDpsInputOperands(), inputs))
    map.map(op.getMatchingBlockArgument(input), value);
  // Nothing of the region comes from outside, constants neither.
  for (Operation &scalar : *op.getBlock())
    for (Value operand : scalar.getOperands())
      if (operand.getParentBlock() != op.getBlock() && !map.contains(operand))
        map.map(operand, b.clone(*operand.getDefiningOp())->getResult(0));
  for (Operation &scalar : op.getBlock()->without_terminator()) {
    // Indices are i32 in a score region.
    if (auto index = dyn_cast<linalg::IndexOp>(scalar))
      map.map(index.getResult(), indices[index.getDim()]);
    else if (auto cast = dyn_cast<arith::IndexCastOp>(scalar))
      map.map(cast.getResult(), map.lookup(cast.getIn()));
    else
      b.clone(scalar, map);
  }
  return map.lookupOrDefault(op.getBlock()->getTerminator()->getOperand(0));
}

static Value toF32(OpBuilder &b, Location loc, Value value) {
  Type f32 = b.getF32Type();
  return value.getType() == f32
             ? value
             : arith::ExtFOp::create(b, loc, f32, value).getResult();
}

static void buildScore(RewriterBase &b, AttentionOp attention,
                       const Match &match, ArrayRef<Value> operands) {
  Location loc = attention.getLoc();
  SmallVector<Type> types{b.getF32Type()};
  types.append(4, b.getI32Type());
  for (Value operand : operands)
    types.push_back(getElementTypeOrSelf(operand.getType()));
  Block *block = b.createBlock(&attention.getScore(), {}, types,
                               SmallVector<Location>(types.size(), loc));
  SmallVector<BlockArgument> indices(block->getArguments().slice(1, 4));
  Value score = block->getArgument(0);
  unsigned next = 5;
  for (auto [op, through] : llvm::reverse(match.steps)) {
    SmallVector<Value> inputs;
    for (OpOperand *input : op.getDpsInputOperands()) {
      if (input != through) {
        inputs.push_back(block->getArgument(next++));
        continue;
      }
      Type wanted = op.getMatchingBlockArgument(input).getType();
      Value given = score;
      if (wanted != given.getType())
        given = arith::TruncFOp::create(b, loc, wanted, given);
      inputs.push_back(given);
    }
    score = toF32(b, loc, cloneStep(b, op, inputs, indices));
  }
  YieldOp::create(b, loc, score);
}

static void raise(RewriterBase &rewriter, linalg::LinalgOp op) {
  std::string reason;
  std::optional<Match> match = matchAttention(op, reason);
  auto elementOf = [](Value value) {
    return getElementTypeOrSelf(value.getType());
  };
  if (match) {
    Type element = elementOf(match->q);
    if ((!element.isF16() && !element.isBF16()) ||
        elementOf(match->k) != element || elementOf(match->v) != element)
      reason = "expected queries, keys and values of f16 or bf16";
    for (auto [step, through] : match->steps)
      for (Operation &scalar : step.getBlock()->without_terminator())
        if (llvm::any_of(scalar.getResultTypes(),
                         [](Type type) { return type.isInteger(64); }))
          reason = "expected indices of 32 bits in scores";
  }
  if (!match || !reason.empty()) {
    if (!reason.empty())
      explain(op, "import")
          << op->getName().getStringRef() << " is no attention: " << reason;
    return;
  }
  rewriter.setInsertionPoint(op);
  SmallVector<Value> operands;
  SmallVector<Attribute> dims;
  for (auto [step, through] : llvm::reverse(match->steps))
    for (OpOperand *input : step.getDpsInputOperands()) {
      if (input == through)
        continue;
      std::string letters;
      for (unsigned loop : getSelected(step.getMatchingIndexingMap(input)))
        letters.push_back("bhqk"[loop]);
      operands.push_back(input->get());
      dims.push_back(rewriter.getStringAttr(letters));
    }
  Type resultType = op->getResult(0).getType();
  // The products are not scaled: what scales them is one of the steps.
  auto attention = AttentionOp::create(
      rewriter, op->getLoc(), resultType, Type(), match->q, match->k, match->v,
      Value(), operands, rewriter.getArrayAttr(dims), match->layout,
      /*causal=*/false, IntegerAttr(), rewriter.getF32FloatAttr(1.0f));
  if (!match->steps.empty()) {
    OpBuilder::InsertionGuard guard(rewriter);
    buildScore(rewriter, attention, *match, operands);
  }
  explain(op, "import") << "raised to attention over " << match->steps.size()
                        << " elementwise ops on the scores; the softmax is "
                           "computed in f32";
  rewriter.replaceOp(op, attention.getResult());
}

namespace {
struct RaiseAttention
    : sparseflow::impl::SparseFlowRaiseAttentionBase<RaiseAttention> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    for (linalg::LinalgOp op : ops)
      raise(rewriter, op);
    // What only fed the raised ops.
    getOperation().walk<WalkOrder::PostOrder, ReverseIterator>(
        [&](Operation *op) {
          if (isOpTriviallyDead(op))
            rewriter.eraseOp(op);
        });
  }
};
} // namespace
