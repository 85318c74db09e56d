//===- AttentionMatch.cpp - What of a program is an attention -------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionMatch.h"

#include "Softmax.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::sparseflow;

using Loops = SmallVector<int64_t>;

// The loop over the features of queries and keys.
static constexpr int64_t kInnerLoop = 500;

static bool isZero(const APFloat &value) { return value.isZero(); }

char AttentionMatch::getLetter(int64_t loop) const {
  return loop == kUnitIndex ? 0
         : loop == batch    ? 'b'
         : loop == head     ? 'h'
         : loop == query    ? 'q'
         : loop == key      ? 'k'
                            : 0;
}

Loops AttentionMatch::getResultLoops() const {
  return layout == AttentionLayout::Bhsd ? Loops{batch, head, query, feature}
                                         : Loops{batch, query, head, feature};
}

/// "'linalg.generic'", or "an argument".
static std::string nameSource(Value value) {
  Operation *op = value.getDefiningOp();
  return op ? "'" + op->getName().getStringRef().str() + "'" : "an argument";
}

//===----------------------------------------------------------------------===//
// Queries, keys and values
//===----------------------------------------------------------------------===//

namespace {
/// A tensor that queries, keys or values may be read from.
struct Candidate {
  Value value;
  /// Of `value` as `groups` collapse it, where there are any.
  Loops loops;
  double scale;
  SmallVector<ReassociationIndices> groups;
};
} // namespace

/// A tensor of more than four dimensions without units, from the last one on.
static Candidate dropUnits(Candidate candidate) {
  int64_t rank = candidate.loops.size(), excess = rank - 4;
  SmallVector<bool> isDropped(rank, false);
  for (int64_t i = rank; i-- > 0 && excess > 0;)
    if (candidate.loops[i] == kUnitIndex) {
      isDropped[i] = true;
      --excess;
    }
  if (!llvm::is_contained(isDropped, true))
    return candidate;
  // A unit goes with the dimension before it, the first ones with the next.
  Loops loops;
  ReassociationIndices leading;
  for (int64_t i = 0; i < rank; ++i) {
    if (!isDropped[i]) {
      loops.push_back(candidate.loops[i]);
      candidate.groups.push_back(leading);
      leading.clear();
    } else if (candidate.groups.empty()) {
      leading.push_back(i);
      continue;
    }
    candidate.groups.back().push_back(i);
  }
  candidate.loops = loops;
  return candidate;
}

/// The size of dimension `dim` of a candidate.
static int64_t getSize(const Candidate &candidate, int64_t dim) {
  auto type = cast<RankedTensorType>(candidate.value.getType());
  if (candidate.groups.empty())
    return type.getDimSize(dim);
  int64_t size = 1;
  for (int64_t part : candidate.groups[dim])
    size = type.getDimSize(part) == 1 ? size : type.getDimSize(part);
  return size;
}

/// The number that `result` is a multiple of `argument` by, under conversions.
static std::optional<double> getFactor(Value result, BlockArgument argument) {
  auto skip = [](Value value) {
    while (
        isa_and_nonnull<arith::ExtFOp, arith::TruncFOp>(value.getDefiningOp()))
      value = value.getDefiningOp()->getOperand(0);
    return value;
  };
  Operation *op = skip(result).getDefiningOp();
  if (!isa_and_nonnull<arith::MulFOp, arith::DivFOp>(op))
    return std::nullopt;
  for (unsigned i : {0u, 1u}) {
    APFloat number(0.0f);
    bool isDivisor = isa<arith::DivFOp>(op);
    if (skip(op->getOperand(i)) != argument || (isDivisor && i != 0) ||
        !matchPattern(op->getOperand(1 - i), m_ConstantFloat(&number)))
      continue;
    bool losesInfo;
    number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                   &losesInfo);
    double factor = number.convertToDouble();
    return isDivisor ? 1 / factor : factor;
  }
  return std::nullopt;
}

/// Everything that `value`, which is read by `loops`, is made from by movement,
/// conversion and scaling; the oldest last.
static SmallVector<Candidate> collectCandidates(Value value, Loops loops,
                                                LoopSplits &splits) {
  SmallVector<Candidate> candidates;
  double scale = 1;
  while (true) {
    for (const View &view : followViews(value, loops, true, &splits)) {
      value = view.source;
      loops = view.loops;
      Type element = getElementTypeOrSelf(value.getType());
      if (element.isF16() || element.isBF16())
        candidates.push_back(dropUnits({value, loops, scale, {}}));
    }
    linalg::LinalgOp op = getElementwise(value);
    if (!op || op.getNumDpsInputs() != 1)
      break;
    OpOperand *input = op.getDpsInputOperand(0);
    std::optional<Loops> from = getLoops(op.getMatchingIndexingMap(input));
    std::optional<double> factor =
        getFactor(op.getBlock()->getTerminator()->getOperand(0),
                  op.getMatchingBlockArgument(input));
    if (!from || !factor || !isa<RankedTensorType>(input->get().getType()))
      break;
    scale *= *factor;
    for (int64_t &loop : *from)
      loop = loop == kUnitIndex ? kUnitIndex : loops[loop];
    value = input->get();
    loops = *from;
  }
  return candidates;
}

namespace {
/// A candidate in a layout.
struct Placed {
  AttentionLayout layout;
  int64_t batch, head;
};
} // namespace

/// The layouts in which `loops` are a tensor with positions `sequence` and
/// features `feature`.
static SmallVector<Placed> place(const Candidate &candidate, int64_t sequence,
                                 int64_t feature) {
  ArrayRef<int64_t> loops = candidate.loops;
  SmallVector<Placed> placed;
  int64_t rank = loops.size();
  if (rank < 2 || rank > 4 || loops.back() != feature ||
      llvm::count(loops, sequence) != (sequence == kUnitIndex ? 0 : 1))
    return placed;
  if (rank < 4) {
    if (loops[rank - 2] == sequence)
      placed.push_back({AttentionLayout::Bhsd,
                        rank == 3 ? loops[0] : kUnitIndex, kUnitIndex});
    return placed;
  }
  if (loops[2] == sequence)
    placed.push_back({AttentionLayout::Bhsd, loops[0], loops[1]});
  if (loops[1] == sequence)
    placed.push_back({AttentionLayout::Bshd, loops[0], loops[2]});
  return placed;
}

/// True where key heads `head` serve the query heads `queries`: the same, one
/// for all, or each for a group of neighbours.
static bool isHeadOf(int64_t head, int64_t queries, const LoopSplits &splits) {
  if (head == queries || head == kUnitIndex)
    return true;
  const SmallVector<int64_t> *parts = splits.getParts(queries);
  return parts && parts->size() == 2 && parts->front() == head;
}

/// True for what comes from outside as it is and is one matrix for the whole
/// batch: a weight, not keys or values.
static bool isWeight(ArrayRef<Candidate> candidates, ArrayRef<int64_t> batch,
                     const LoopSplits &splits) {
  if (candidates.empty())
    return false;
  const Candidate &oldest = candidates.back();
  Operation *op = oldest.value.getDefiningOp();
  if (op && !isa<arith::ConstantOp>(op))
    return false;
  return oldest.loops.size() <= 2 && llvm::none_of(batch, [&](int64_t loop) {
           return llvm::any_of(splits.getAtoms(loop), [&](int64_t atom) {
             return llvm::is_contained(oldest.loops, atom);
           });
         });
}

/// Chooses the oldest tensors that are queries, keys and values of one layout.
static bool choose(AttentionMatch &match, ArrayRef<Candidate> queries,
                   ArrayRef<Candidate> keys, ArrayRef<Candidate> values) {
  for (const Candidate &q : llvm::reverse(queries))
    for (const Placed &ofQ : place(q, match.query, kInnerLoop)) {
      auto fits = [&](const Candidate &candidate, int64_t feature) {
        return llvm::any_of(
            place(candidate, match.key, feature), [&](const Placed &placed) {
              return placed.layout == ofQ.layout && placed.batch == ofQ.batch &&
                     isHeadOf(placed.head, ofQ.head, match.splits);
            });
      };
      auto headsOf = [&](const Candidate &candidate) {
        bool isBhsd = ofQ.layout == AttentionLayout::Bhsd;
        return candidate.loops.size() < 4 ? 1
                                          : getSize(candidate, isBhsd ? 1 : 2);
      };
      for (const Candidate &k : llvm::reverse(keys)) {
        if (!fits(k, kInnerLoop))
          continue;
        for (const Candidate &v : llvm::reverse(values)) {
          if (!fits(v, match.feature) || headsOf(k) != headsOf(v) ||
              getElementTypeOrSelf(k.value.getType()) !=
                  getElementTypeOrSelf(q.value.getType()) ||
              getElementTypeOrSelf(v.value.getType()) !=
                  getElementTypeOrSelf(q.value.getType()) ||
              v.scale != 1)
            continue;
          match.q = {q.value, q.groups};
          match.k = {k.value, k.groups};
          match.v = {v.value, v.groups};
          match.scale = q.scale * k.scale;
          match.layout = ofQ.layout;
          match.batch = ofQ.batch;
          match.head = ofQ.head;
          return true;
        }
      }
    }
  return false;
}

//===----------------------------------------------------------------------===//
// Scores
//===----------------------------------------------------------------------===//

/// The matmul that `value` comes from, through movement and elementwise ops;
/// null where there is none.
static linalg::LinalgOp findMatmul(Value value, unsigned depth = 0) {
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  if (op && isContraction(op))
    return op;
  Operation *source = value.getDefiningOp();
  if (!source || depth > 16)
    return nullptr;
  if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::CastOp>(
          source))
    return findMatmul(source->getOperand(0), depth + 1);
  if (!op || op.getNumParallelLoops() != op.getNumLoops())
    return nullptr;
  for (OpOperand *input : op.getDpsInputOperands())
    if (linalg::LinalgOp found = findMatmul(input->get(), depth + 1))
      return found;
  return nullptr;
}

/// Says in `reason` what of an elementwise op no score can hold.
static bool verifyStep(linalg::LinalgOp op, std::string &reason) {
  for (OpOperand *input : op.getDpsInputOperands()) {
    auto type = dyn_cast<RankedTensorType>(input->get().getType());
    std::optional<Loops> loops = getLoops(op.getMatchingIndexingMap(input));
    if (!type || !loops ||
        !(isa<FloatType>(type.getElementType()) ||
          type.getElementType().isInteger(1))) {
      reason = "expected inputs of elementwise ops on the scores to be tensors "
               "of floats or i1 that loops index";
      return false;
    }
  }
  for (Operation &scalar : op.getBlock()->without_terminator())
    if (!isa<linalg::IndexOp, arith::IndexCastOp>(scalar) &&
        !AttentionOp::isScoreComputation(&scalar) &&
        !isa<arith::CmpIOp>(scalar)) {
      reason = "expected scalar arithmetic on the scores, found " +
               scalar.getName().getStringRef().str();
      return false;
    }
  for (Operation &scalar : *op.getBlock())
    for (Value operand : scalar.getOperands()) {
      if (operand.getParentBlock() == op.getBlock())
        continue;
      if (!operand.getDefiningOp<arith::ConstantOp>() ||
          operand.getType().isIndex()) {
        reason = "expected scalars from outside the elementwise ops to be "
                 "constants";
        return false;
      }
    }
  for (Operation &scalar : op.getBlock()->without_terminator())
    if (llvm::any_of(scalar.getResultTypes(),
                     [](Type type) { return type.isInteger(64); })) {
      reason = "expected indices of 32 bits in scores";
      return false;
    }
  return true;
}

/// Walks back over elementwise ops on the scores to the matmul of queries and
/// keys; `loops` become those that its result is read by.
static linalg::LinalgOp walkScores(Value scores, Loops &loops,
                                   AttentionMatch &match, std::string &reason) {
  while (true) {
    for (const View &view : followViews(scores, loops, true, &match.splits)) {
      scores = view.source;
      loops = view.loops;
    }
    auto op = scores.getDefiningOp<linalg::LinalgOp>();
    if (op && isContraction(op))
      return op;
    op = getElementwise(scores);
    if (!op) {
      reason = "expected scores from a matmul of queries and keys that starts "
               "at zero, found " +
               nameSource(scores);
      return nullptr;
    }
    if (!verifyStep(op, reason))
      return nullptr;
    OpOperand *through = nullptr;
    for (OpOperand *input : op.getDpsInputOperands())
      if (!through && op.getMatchingIndexingMap(input).isIdentity() &&
          findMatmul(input->get()))
        through = input;
    if (!through) {
      reason = "expected elementwise ops on a matmul of queries and keys";
      return nullptr;
    }
    match.steps.push_back({op, through, loops});
    scores = through->get();
  }
}

/// Every operand and index of the steps has to be one of the four that a score
/// knows.
static bool verifyLetters(const AttentionMatch &match, std::string &reason) {
  auto isKnown = [&](const ScoreStep &step, int64_t loop) {
    return step.loops[loop] == kUnitIndex || match.getLetter(step.loops[loop]);
  };
  for (const ScoreStep &step : match.steps) {
    auto op = step.op;
    for (auto index : op.getBlock()->getOps<linalg::IndexOp>())
      if (!isKnown(step, static_cast<int64_t>(index.getDim()))) {
        reason = "expected batches and heads apart where scores depend on them";
        return false;
      }
    for (OpOperand *input : op.getDpsInputOperands()) {
      if (input == step.through)
        continue;
      std::string letters;
      Loops loops = *getLoops(op.getMatchingIndexingMap(input));
      for (int64_t loop : loops) {
        if (loop == kUnitIndex)
          continue;
        if (!isKnown(step, loop)) {
          reason =
              "expected batches and heads apart where scores depend on them";
          return false;
        }
        if (char letter = match.getLetter(step.loops[loop]))
          letters.push_back(letter);
      }
      for (size_t i = 1; i < letters.size(); ++i)
        if (StringRef("bhqk").find(letters[i - 1]) >=
            StringRef("bhqk").find(letters[i])) {
          reason =
              "expected inputs of elementwise ops on the scores to be "
              "indexed by some of batch, head, query and key in this order";
          return false;
        }
    }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

/// The softmax that `value`, read by `loops`, comes from by movement and
/// rounding: its input, which is read by what `loops` become.
static Value findSoftmax(Value value, Loops &loops, LoopSplits &splits) {
  for (const View &view : followViews(value, loops, true, &splits))
    if (Value scores = matchSoftmax(view.source)) {
      loops = view.loops;
      return scores;
    }
  return nullptr;
}

/// True where an exponential of what a matmul makes comes into `value`: a
/// softmax, or something like it.
static bool looksLikeSoftmax(Value value) {
  SmallVector<std::pair<Value, unsigned>> open{{value, 0}};
  while (!open.empty()) {
    auto [next, depth] = open.pop_back_val();
    Operation *op = next.getDefiningOp();
    auto linalgOp = dyn_cast_or_null<linalg::LinalgOp>(op);
    if (!op || depth > 6 || (linalgOp && isContraction(linalgOp)))
      continue;
    if (isa<linalg::SoftmaxOp>(op))
      return true;
    if (linalgOp && (!linalgOp.getBlock()->getOps<math::ExpOp>().empty() ||
                     !linalgOp.getBlock()->getOps<math::Exp2Op>().empty()))
      if (linalgOp.getNumReductionLoops() == 0 && findMatmul(next) &&
          linalgOp.getBlock()->getOps<arith::DivFOp>().empty())
        return true;
    for (Value operand : op->getOperands())
      if (isa<RankedTensorType>(operand.getType()))
        open.emplace_back(operand, depth + 1);
  }
  return false;
}

namespace {

/// Reads a contraction as softmax(Q K^T) V, where one of its operands is the
/// probabilities.
class AttentionReader {
public:
  AttentionReader(linalg::LinalgOp op, std::string &reason)
      : op(op), reason(reason) {}

  /// Nothing where `p` is not a softmax; `isDecided` then says whether the
  /// other operand need not be tried.
  std::optional<AttentionMatch> read(OpOperand &p, bool &isDecided);

private:
  /// The operands of the matmul behind the scores.
  struct Sides {
    SmallVector<Candidate> queries, keys;
  };
  /// Divides the loops of the result among batch, queries and features.
  void divideLoops(const Loops &out, const Loops &inP, const Loops &inV);
  /// The operands of `matmul`, whose result has `loops` of the whole.
  std::optional<Sides> readScores(linalg::LinalgOp matmul, const Loops &loops);
  std::nullopt_t refuse(const llvm::Twine &why) {
    reason = why.str();
    return std::nullopt;
  }
  bool startsAtZero(linalg::LinalgOp matmul) {
    return isFilled(matmul.getDpsInitOperand(0)->get(), isZero);
  }

  linalg::LinalgOp op;
  std::string &reason;
  AttentionMatch match;
  Loops features, queries, batch;
};

} // namespace

void AttentionReader::divideLoops(const Loops &out, const Loops &inP,
                                  const Loops &inV) {
  // Values have features that probabilities do not have, and no queries.
  for (int64_t loop : out) {
    bool isInP = llvm::is_contained(inP, loop),
         isInV = llvm::is_contained(inV, loop);
    (isInP && isInV ? batch : isInP ? queries : features).push_back(loop);
  }
}

std::optional<AttentionReader::Sides>
AttentionReader::readScores(linalg::LinalgOp matmul, const Loops &loops) {
  if (!startsAtZero(matmul))
    return refuse("expected scores from a matmul of queries and keys that "
                  "starts at zero, found another initial value of '" +
                  matmul->getName().getStringRef() + "'");
  // The matmul's loops by those of the whole.
  std::optional<Loops> produced =
      getLoops(matmul.getMatchingIndexingMap(matmul.getDpsInitOperand(0)));
  SmallVector<unsigned> inner;
  matmul.getReductionDims(inner);
  DenseMap<int64_t, int64_t> nameOf{{inner.front(), kInnerLoop},
                                    {kUnitIndex, kUnitIndex}};
  if (produced && produced->size() == loops.size())
    for (auto [loop, name] : llvm::zip(*produced, loops))
      nameOf[loop] = name;
  SmallVector<Candidate> sides[2];
  int keySide = -1;
  for (int i : {0, 1}) {
    OpOperand *operand = matmul.getDpsInputOperand(i);
    std::optional<Loops> read =
        getLoops(matmul.getMatchingIndexingMap(operand));
    if (!read || llvm::any_of(*read, [&](int64_t loop) {
          return !nameOf.contains(loop);
        }))
      return refuse("expected a matmul of queries and keys by loops");
    for (int64_t &loop : *read)
      loop = nameOf[loop];
    if (llvm::is_contained(*read, match.key))
      keySide = i;
    sides[i] = collectCandidates(operand->get(), *read, match.splits);
  }
  if (keySide < 0)
    return refuse("expected keys in the matmul that makes the scores");
  return Sides{std::move(sides[1 - keySide]), std::move(sides[keySide])};
}

std::optional<AttentionMatch> AttentionReader::read(OpOperand &p,
                                                    bool &isDecided) {
  OpOperand *v = op.getDpsInputOperand(1 - p.getOperandNumber());
  OpOperand *init = op.getDpsInitOperand(0);
  std::optional<Loops> out = getLoops(op.getMatchingIndexingMap(init));
  std::optional<Loops> loopsOfP = getLoops(op.getMatchingIndexingMap(&p));
  std::optional<Loops> loopsOfV = getLoops(op.getMatchingIndexingMap(v));
  if (!loopsOfP || !loopsOfV || !out)
    return std::nullopt;
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  match.key = reductions.front();
  divideLoops(*out, *loopsOfP, *loopsOfV);
  Loops loops = *loopsOfP;
  Value scores = findSoftmax(p.get(), loops, match.splits);
  if (!scores) {
    if (looksLikeSoftmax(p.get()) && reason.empty())
      reason = "expected a softmax over the last dimension, found " +
               nameSource(p.get()) + " behind an exponential of scores";
    return std::nullopt;
  }
  isDecided = true;
  reason.clear();
  SmallVector<Candidate> values =
      collectCandidates(v->get(), *loopsOfV, match.splits);
  if (isWeight(values, batch, match.splits))
    return std::nullopt;
  if (features.size() != 1 || queries.size() != 1 ||
      loops.back() != match.key || !startsAtZero(op))
    return refuse(
        "expected probabilities [B, H, S_q, S_k], or without the first "
        "dimensions, values [.., S_k, D] and a sum that starts at zero");
  match.query = queries.front();
  match.feature = features.front();
  match.result = *out;
  linalg::LinalgOp matmul = walkScores(scores, loops, match, reason);
  if (!matmul)
    return std::nullopt;
  std::optional<Sides> sides = readScores(matmul, loops);
  if (!sides)
    return std::nullopt;
  if (isWeight(sides->keys, batch, match.splits))
    return refuse(
        "expected keys that are computed, found one weight for the batch");
  if (!choose(match, sides->queries, sides->keys, values))
    return refuse(
        "expected queries, keys and values of one type, f16 or bf16, all "
        "in one of the layouts [B, H, S, D] and [B, S, H, D], where each "
        "head of keys serves neighbouring heads of queries");
  if (!verifyLetters(match, reason))
    return std::nullopt;
  return match;
}

std::optional<AttentionMatch>
mlir::sparseflow::matchAttention(linalg::LinalgOp op, std::string &reason) {
  if (!isContraction(op))
    return std::nullopt;
  for (OpOperand *p : op.getDpsInputOperands()) {
    bool isDecided = false;
    std::optional<AttentionMatch> match =
        AttentionReader(op, reason).read(*p, isDecided);
    if (match || isDecided)
      return match;
  }
  return std::nullopt;
}
