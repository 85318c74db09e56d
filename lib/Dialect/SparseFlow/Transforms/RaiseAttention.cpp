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

#include "HeadShapes.h"
#include "Softmax.h"
#include "Views.h"

#include "SparseFlow/Dialect/SparseFlow/Transforms/Passes.h"
#include "SparseFlow/Support/Remarks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
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

using Loops = SmallVector<int64_t>;

//===----------------------------------------------------------------------===//
// Pieces of linalg
//===----------------------------------------------------------------------===//

/// The loops of a map that selects some of them.
static Loops getSelected(AffineMap map) {
  Loops loops;
  for (unsigned i = 0, e = map.getNumResults(); i < e; ++i)
    loops.push_back(map.getDimPosition(i));
  return loops;
}

static bool isZero(const APFloat &value) { return value.isZero(); }

//===----------------------------------------------------------------------===//
// The match
//===----------------------------------------------------------------------===//

namespace {
/// How the tensors of the products become those of an attention.
enum class Form {
  Whole, ///< they have four dimensions
  Split, ///< batches [B * H, S, D], joined from four dimensions just before
  Units  ///< [B, S, D] or [S, D]: one head, one batch
};

/// What is found on the way back.
struct Match {
  Form form;
  Value q, k, v;
  AttentionLayout layout;
  /// Elementwise ops on the scores, the last one first, and the operand of each
  /// through which the scores come in.
  SmallVector<std::pair<linalg::LinalgOp, OpOperand *>> steps;
};
} // namespace

// In place of a loop of a product: the two that its batch was joined from.
static constexpr int64_t kBatchLoop = 100, kHeadLoop = 101;

/// A tensor [b, h, s, d] or [b, s, h, d] by its loops; none for other orders.
static std::optional<AttentionLayout> getLayout(ArrayRef<int64_t> loops,
                                                ArrayRef<int64_t> bhsd) {
  if (loops == bhsd)
    return AttentionLayout::Bhsd;
  Loops bshd(bhsd);
  std::swap(bshd[1], bshd[2]);
  if (loops == ArrayRef<int64_t>(bshd))
    return AttentionLayout::Bshd;
  return std::nullopt;
}

/// Looks through transposes: the tensor behind them, by its own dimensions.
static void skipTransposes(Value &value, Loops &loops) {
  while (auto transpose = value.getDefiningOp<linalg::TransposeOp>()) {
    Loops source(loops.size());
    for (auto [to, from] : llvm::enumerate(transpose.getPermutation()))
      source[from] = loops[to];
    loops = source;
    value = transpose.getInput();
  }
}

/// The layout of `value`, which is read by `loops`, as queries, keys or values
/// with positions `s` and features `d`; `value` becomes what the attention
/// reads.
static std::optional<AttentionLayout> resolve(Value &value, Loops loops,
                                              Form form, Loops batch, int64_t s,
                                              int64_t d) {
  skipTransposes(value, loops);
  if (form == Form::Split) {
    auto collapse = value.getDefiningOp<tensor::CollapseShapeOp>();
    if (!collapse || collapse.getSrcType().getRank() != 4)
      return std::nullopt;
    Loops parts;
    for (auto [loop, group] :
         llvm::zip(loops, collapse.getReassociationIndices())) {
      bool isJoined = loop == batch[0];
      if (group.size() != (isJoined ? 2 : 1))
        return std::nullopt;
      if (isJoined)
        parts.append({kBatchLoop, kHeadLoop});
      else
        parts.push_back(loop);
    }
    value = collapse.getSrc();
    loops = parts;
    batch = {kBatchLoop, kHeadLoop};
    skipTransposes(value, loops);
  }
  batch.append({s, d});
  if (form != Form::Units)
    return getLayout(loops, batch);
  if (loops == batch)
    return AttentionLayout::Bhsd;
  return std::nullopt;
}

/// True for what comes from outside as it is and is one for the whole batch, or
/// beside a softmax without a batch: a weight, not keys or values.
static bool isWeight(Value value, ArrayRef<int64_t> loops,
                     ArrayRef<int64_t> batch) {
  SmallVector<View> views = followViews(value, loops);
  if (views.empty())
    return batch.empty();
  const View &oldest = views.back();
  Operation *op = oldest.source.getDefiningOp();
  bool isGiven = !op || isa<arith::ConstantOp>(op);
  return isGiven && llvm::none_of(batch, [&](int64_t loop) {
           return llvm::is_contained(oldest.loops, loop);
         });
}

/// The product of queries and keys that makes `scores`.
static bool matchScores(Value scores, int64_t rank, Match &match,
                        std::string &reason) {
  auto op = skipSplit(scores).getDefiningOp<linalg::LinalgOp>();
  if (!op || !isContraction(op) ||
      !isFilled(op.getDpsInitOperand(0)->get(), isZero)) {
    reason = "expected scores from a product of queries and keys that starts "
             "at zero";
    return false;
  }
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  std::optional<Loops> out =
      getLoops(op.getMatchingIndexingMap(op.getDpsInitOperand(0)));
  if (!out || static_cast<int64_t>(out->size()) != rank) {
    reason = "expected scores [B, H, S_q, S_k], or of less dimensions in both "
             "products";
    return false;
  }
  int64_t j = out->pop_back_val(), i = out->pop_back_val(), d = reductions[0];
  for (unsigned number : {0u, 1u}) {
    Value q = op.getDpsInputOperand(number)->get(),
          k = op.getDpsInputOperand(1 - number)->get();
    std::optional<Loops> qLoops =
        getLoops(op.getMatchingIndexingMap(op.getDpsInputOperand(number)));
    std::optional<Loops> kLoops =
        getLoops(op.getMatchingIndexingMap(op.getDpsInputOperand(1 - number)));
    if (!qLoops || !kLoops || qLoops->size() != kLoops->size() ||
        static_cast<int64_t>(qLoops->size()) != rank)
      continue;
    if (isWeight(k, *kLoops, *out))
      continue;
    auto qLayout = resolve(q, *qLoops, match.form, *out, i, d);
    auto kLayout = resolve(k, *kLoops, match.form, *out, j, d);
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
      auto producer = skipSplit(input->get()).getDefiningOp<linalg::LinalgOp>();
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

/// The letter of "bhqk" for a dimension of scores of `rank` dimensions; '?' for
/// batches and heads in one.
static char getLetter(int64_t rank, int64_t dim, Form form) {
  if (rank == 3 && form == Form::Split)
    return "?qk"[dim];
  return rank == 4 ? "bhqk"[dim] : rank == 3 ? "bqk"[dim] : "qk"[dim];
}

/// Says in `reason` why the steps cannot be the score of one attention; ""
/// where they can.
static void checkSteps(const Match &match, int64_t rank, std::string &reason) {
  for (auto [op, through] : match.steps) {
    int64_t loops = op.getNumLoops();
    if (match.form == Form::Units && loops != rank) {
      reason = "expected scores of as many dimensions as queries and keys";
      return;
    }
    auto isJoined = [&, form = match.form](int64_t dim) {
      return getLetter(loops, dim, form) == '?';
    };
    bool indexesJoined = false;
    for (auto index : op.getBlock()->getOps<linalg::IndexOp>())
      indexesJoined |= isJoined(index.getDim());
    for (OpOperand *input : op.getDpsInputOperands())
      if (input != through)
        for (int64_t dim : getSelected(op.getMatchingIndexingMap(input)))
          indexesJoined |= isJoined(dim);
    if (indexesJoined)
      reason = "expected batches and heads apart where scores depend on them";
  }
}

/// Matches with the products' tensors in `form`.
static std::optional<Match> matchForm(linalg::LinalgOp op, OpOperand *p,
                                      Value scores, Form form,
                                      std::string &reason) {
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  OpOperand *v = op.getDpsInputOperand(1 - p->getOperandNumber());
  std::optional<Loops> pLoops = getLoops(op.getMatchingIndexingMap(p));
  std::optional<Loops> vLoops = getLoops(op.getMatchingIndexingMap(v));
  std::optional<Loops> oLoops =
      getLoops(op.getMatchingIndexingMap(op.getDpsInitOperand(0)));
  if (!pLoops || !vLoops || !oLoops || pLoops->size() < 2 ||
      pLoops->size() > 4 || vLoops->size() != pLoops->size() ||
      oLoops->size() != pLoops->size() || pLoops->back() != reductions[0] ||
      !isFilled(op.getDpsInitOperand(0)->get(), isZero)) {
    reason = "expected probabilities [B, H, S_q, S_k], or without the first "
             "dimensions, values of the same rank and a sum that starts at "
             "zero";
    return std::nullopt;
  }
  int64_t rank = pLoops->size();
  Match match;
  match.form = form;
  match.v = v->get();
  Loops batch(*pLoops);
  int64_t j = batch.pop_back_val(), i = batch.pop_back_val(), d = 0;
  for (int64_t loop : *vLoops)
    if (!llvm::is_contained(*pLoops, loop))
      d = loop;
  if (isWeight(match.v, *vLoops, batch))
    return std::nullopt;
  auto vLayout = resolve(match.v, *vLoops, form, batch, j, d);
  Loops bhsd(batch);
  bhsd.append({i, d});
  bool isInOrder = form == Form::Whole ? getLayout(*oLoops, bhsd) == vLayout
                                       : *oLoops == bhsd;
  if (!vLayout || !isInOrder) {
    reason = "expected values and result in one of the layouts [B, H, S, D] "
             "and [B, S, H, D]";
    return std::nullopt;
  }
  match.layout = *vLayout;
  Value products = collectSteps(scores, match, reason);
  if (!products || !matchScores(products, rank, match, reason))
    return std::nullopt;
  checkSteps(match, rank, reason);
  return match;
}

static std::optional<Match> matchAttention(linalg::LinalgOp op,
                                           std::string &reason) {
  if (!isContraction(op))
    return std::nullopt;
  for (OpOperand *p : op.getDpsInputOperands()) {
    Value scores = matchSoftmax(skipCast(skipJoin(skipCast(p->get()))));
    if (!scores)
      continue;
    int64_t rank = cast<RankedTensorType>(p->get().getType()).getRank();
    if (rank == 4)
      return matchForm(op, p, scores, Form::Whole, reason);
    if (rank == 3)
      if (auto match = matchForm(op, p, scores, Form::Split, reason);
          match && reason.empty())
        return match;
    reason.clear();
    return matchForm(op, p, scores, Form::Units, reason);
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The op
//===----------------------------------------------------------------------===//

static Value toF32(OpBuilder &b, Location loc, Value value) {
  Type f32 = b.getF32Type();
  return !isa<FloatType>(value.getType()) || value.getType() == f32
             ? value
             : arith::ExtFOp::create(b, loc, f32, value).getResult();
}

/// Clones the body of one elementwise op in f32; `inputs` are its scalars.
static Value cloneStep(RewriterBase &b, linalg::LinalgOp op, ValueRange inputs,
                       ArrayRef<BlockArgument> indices, Form form) {
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
    // Indices are i32 in a score region.
    if (auto index = dyn_cast<linalg::IndexOp>(scalar))
      map.map(index.getResult(), indices[StringRef("bhqk").find(getLetter(
                                     op.getNumLoops(), index.getDim(), form))]);
    else if (auto cast = dyn_cast<arith::IndexCastOp>(scalar))
      map.map(cast.getResult(), map.lookup(cast.getIn()));
    else
      clone(&scalar);
  }
  return map.lookup(op.getBlock()->getTerminator()->getOperand(0));
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
      if (input == through)
        inputs.push_back(score);
      else
        inputs.push_back(block->getArgument(next++));
    }
    score = cloneStep(b, op, inputs, indices, match.form);
  }
  YieldOp::create(b, loc, score);
}

/// Puts `result` of an attention in the place of `op`, a product of batches
/// that were joined from four dimensions. What splits and transposes them again
/// reads `result` itself.
static void replaceSplit(RewriterBase &rewriter, linalg::LinalgOp op,
                         Value result, AttentionLayout layout) {
  bool isBshd = layout == AttentionLayout::Bshd;
  SmallVector<Operation *> users(op->getUsers());
  for (Operation *user : users) {
    auto expand = dyn_cast<tensor::ExpandShapeOp>(user);
    if (!expand || !joinsHeads(expand.getReassociationIndices()))
      continue;
    SmallVector<Operation *> readers(expand->getUsers());
    for (Operation *reader : readers) {
      auto transpose = dyn_cast<linalg::TransposeOp>(reader);
      if (!isBshd || !transpose ||
          transpose.getPermutation() != ArrayRef<int64_t>{0, 2, 1, 3})
        continue;
      rewriter.setInsertionPoint(transpose);
      rewriter.replaceOp(transpose, castTo(rewriter, result,
                                           transpose->getResult(0).getType()));
    }
    if (expand->use_empty()) {
      rewriter.eraseOp(expand);
      continue;
    }
    rewriter.setInsertionPoint(expand);
    Value heads = isBshd ? transposeHeads(rewriter, result) : result;
    rewriter.replaceOp(expand, castTo(rewriter, heads, expand.getType()));
  }
  if (op->use_empty()) {
    rewriter.eraseOp(op);
    return;
  }
  rewriter.setInsertionPoint(op);
  Value heads = isBshd ? transposeHeads(rewriter, result) : result;
  Value joined = tensor::CollapseShapeOp::create(
      rewriter, op.getLoc(), heads,
      SmallVector<ReassociationIndices>{{0, 1}, {2}, {3}});
  rewriter.replaceOp(op, castTo(rewriter, joined, op->getResult(0).getType()));
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
      for (int64_t loop : getSelected(step.getMatchingIndexingMap(input)))
        letters.push_back(getLetter(step.getNumLoops(), loop, match->form));
      operands.push_back(input->get());
      dims.push_back(rewriter.getStringAttr(letters));
    }
  auto resultType = cast<RankedTensorType>(op->getResult(0).getType());
  Value q = toRank4(rewriter, match->q), k = toRank4(rewriter, match->k),
        v = toRank4(rewriter, match->v);
  auto attentionType = resultType;
  if (match->form != Form::Whole) {
    SmallVector<int64_t> shape(cast<RankedTensorType>(q.getType()).getShape());
    shape.back() = cast<RankedTensorType>(v.getType()).getShape().back();
    attentionType = RankedTensorType::get(shape, resultType.getElementType());
  }
  // The products are not scaled: what scales them is one of the steps.
  auto attention = AttentionOp::create(
      rewriter, op->getLoc(), attentionType, Type(), q, k, v, Value(), operands,
      rewriter.getArrayAttr(dims), match->layout,
      /*causal=*/false, IntegerAttr(), rewriter.getF32FloatAttr(1.0f),
      /*plane_mask=*/IntegerAttr());
  if (!match->steps.empty()) {
    OpBuilder::InsertionGuard guard(rewriter);
    buildScore(rewriter, attention, *match, operands);
  }
  explain(op, "import") << "raised to attention over " << match->steps.size()
                        << " elementwise ops on the scores, which are "
                           "computed in f32 like the softmax";
  if (match->form == Form::Split)
    return replaceSplit(rewriter, op, attention.getResult(), match->layout);
  Value result = attention.getResult();
  if (match->form == Form::Units)
    result = tensor::CollapseShapeOp::create(rewriter, op.getLoc(), result,
                                             unitGroups(resultType.getRank()));
  rewriter.replaceOp(op, castTo(rewriter, result, resultType));
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
