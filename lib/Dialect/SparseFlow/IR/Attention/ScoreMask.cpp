//===- ScoreMask.cpp - Which keys a score region leaves out ---------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conditions are computed twice, as the pairs for which they may hold and those
// for which they may not, both of them too large if anything: that way a
// negation is a change of places, and nothing is lost by "and" and "or" of what
// is not understood.
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SparseFlow/IR/ScoreMask.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include <cmath>

using namespace mlir;
using namespace mlir::sparseflow;

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

bool PairRange::contains(const PairRange &other) const {
  return firstQuery <= other.firstQuery && lastQuery >= other.lastQuery &&
         firstKey <= other.firstKey && lastKey >= other.lastKey &&
         leastOffset <= other.leastOffset && mostOffset >= other.mostOffset;
}

PairRange PairRange::operator&(const PairRange &other) const {
  PairRange both{std::max(firstQuery, other.firstQuery),
                 std::min(lastQuery, other.lastQuery),
                 std::max(firstKey, other.firstKey),
                 std::min(lastKey, other.lastKey),
                 std::max(leastOffset, other.leastOffset),
                 std::min(mostOffset, other.mostOffset)};
  // Each of i, j and j - i is a sum of the other two.
  PairRange tight = both;
  auto atLeast = [](int64_t &bound, int64_t value) {
    if (PairRange::isBound(value))
      bound = std::max(bound, value);
  };
  auto atMost = [](int64_t &bound, int64_t value) {
    if (PairRange::isBound(value))
      bound = std::min(bound, value);
  };
  atLeast(tight.leastOffset, both.firstKey - both.lastQuery);
  atMost(tight.mostOffset, both.lastKey - both.firstQuery);
  atLeast(tight.firstKey, both.firstQuery + both.leastOffset);
  atMost(tight.lastKey, both.lastQuery + both.mostOffset);
  atLeast(tight.firstQuery, both.firstKey - both.mostOffset);
  atMost(tight.lastQuery, both.lastKey - both.leastOffset);
  return tight;
}

PairRange PairRange::operator|(const PairRange &other) const {
  return {std::min(firstQuery, other.firstQuery),
          std::max(lastQuery, other.lastQuery),
          std::min(firstKey, other.firstKey),
          std::max(lastKey, other.lastKey),
          std::min(leastOffset, other.leastOffset),
          std::max(mostOffset, other.mostOffset)};
}

/// Ranges of one set at most; more are joined.
static constexpr size_t kMostRanges = 4;

static PairRanges join(const PairRanges &a, const PairRanges &b) {
  PairRanges all;
  auto add = [&](const PairRange &range) {
    if (llvm::any_of(all, [&](auto &other) { return other.contains(range); }))
      return;
    llvm::erase_if(all, [&](auto &other) { return range.contains(other); });
    all.push_back(range);
  };
  llvm::for_each(a, add);
  llvm::for_each(b, add);
  while (all.size() > kMostRanges) {
    PairRange last = all.pop_back_val();
    all.back() = all.back() | last;
  }
  return all;
}

static PairRanges meet(const PairRanges &a, const PairRanges &b) {
  PairRanges all;
  for (const PairRange &one : a)
    for (const PairRange &other : b)
      if (PairRange both = one & other; !both.isEmpty())
        all = join(all, {both});
  return all;
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

namespace {
/// Where a condition may hold, and where it may not.
struct Truth {
  PairRanges holds, fails;
};

/// i * query + j * key + constant.
struct Affine {
  int64_t query = 0, key = 0, constant = 0;
  Affine operator-(const Affine &other) const {
    return {query - other.query, key - other.key, constant - other.constant};
  }
};

class ScoreMask {
public:
  explicit ScoreMask(AttentionOp op)
      : op(op), facts(getPairsOfMasks(op) & PairRange()) {}

  /// The pairs for which `score` may be something other than -inf.
  PairRanges seen(Value score);
  Truth truthOf(Value condition);

private:
  PairRanges all() const {
    return facts.isEmpty() ? PairRanges() : PairRanges{facts};
  }
  static Truth both(const Truth &a, const Truth &b) {
    return {meet(a.holds, b.holds), join(a.fails, b.fails)};
  }
  static Truth negated(const Truth &truth) {
    return {truth.fails, truth.holds};
  }
  static Truth either(const Truth &a, const Truth &b) {
    return negated(both(negated(a), negated(b)));
  }
  std::optional<Affine> affine(Value value);
  std::optional<Affine> computeAffine(Value value);
  /// Where `difference` may be at most 0.
  PairRanges atMostZero(const Affine &difference);
  bool isNeverNegative(Value value);
  /// a + more <= b, in whole numbers.
  Truth atMost(Value a, Value b, int64_t more);
  Truth computeAtMost(Value a, Value b, int64_t more);
  Truth compare(arith::CmpIOp compare);
  Truth computeTruth(Value condition);
  PairRanges computeSeen(Value score);
  std::optional<double> magnitude(Value value);
  std::optional<double> computeMagnitude(Value value);
  bool isBelowInfinity(Value value);
  bool computeIsBelowInfinity(Value value);

  AttentionOp op;
  PairRange facts;
  // Values that are read twice are computed once: doublings of doublings would
  // take forever.
  llvm::DenseMap<Value, std::optional<Affine>> affines;
  llvm::DenseMap<std::tuple<Value, Value, int64_t>, Truth> orders;
  llvm::DenseMap<Value, Truth> truths;
  llvm::DenseMap<Value, std::optional<double>> magnitudes;
  llvm::DenseMap<Value, bool> belowInfinity;
  llvm::DenseMap<Value, PairRanges> scores;
};
} // namespace

/// What `known` has for `key`, else what `compute` gives, which may add others.
template <typename Known, typename Key, typename Compute>
static auto once(Known &known, const Key &key, Compute compute) {
  auto found = known.find(key);
  if (found != known.end())
    return found->second;
  auto result = compute();
  known[key] = result;
  return result;
}

// No memory holds so many positions. Two indices and a constant of that size
// add up without overflow, if the indices have opposite signs.
static constexpr int64_t kMostPositions = int64_t(1) << 30;

std::optional<Affine> ScoreMask::affine(Value value) {
  return once(affines, value, [&] { return computeAffine(value); });
}

std::optional<Affine> ScoreMask::computeAffine(Value value) {
  Block &block = op.getScore().front();
  if (value == block.getArgument(3))
    return Affine{1, 0, 0};
  if (value == block.getArgument(4))
    return Affine{0, 1, 0};
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return std::abs(constant.getSExtValue()) <= kMostPositions
               ? std::optional(Affine{0, 0, constant.getSExtValue()})
               : std::nullopt;
  Operation *sum = value.getDefiningOp();
  if (!isa_and_nonnull<arith::AddIOp, arith::SubIOp>(sum))
    return std::nullopt;
  std::optional<Affine> a = affine(sum->getOperand(0)),
                        b = affine(sum->getOperand(1));
  if (!a || !b)
    return std::nullopt;
  if (isa<arith::AddIOp>(sum))
    *b = Affine() - *b;
  Affine result = *a - *b;
  bool isSmall = std::abs(result.query) <= 1 && std::abs(result.key) <= 1 &&
                 result.query * result.key <= 0 &&
                 std::abs(result.constant) <= kMostPositions;
  return isSmall ? std::optional(result) : std::nullopt;
}

PairRanges ScoreMask::atMostZero(const Affine &difference) {
  int64_t constant = difference.constant;
  PairRange range;
  auto is = [&](int64_t query, int64_t key) {
    return difference.query == query && difference.key == key;
  };
  if (is(0, 0))
    return constant <= 0 ? all() : PairRanges();
  if (is(1, 0))
    range.lastQuery = -constant;
  else if (is(-1, 0))
    range.firstQuery = constant;
  else if (is(0, 1))
    range.lastKey = -constant;
  else if (is(0, -1))
    range.firstKey = constant;
  else if (is(-1, 1))
    range.mostOffset = -constant;
  else if (is(1, -1))
    range.leastOffset = constant;
  return meet(all(), {range});
}

bool ScoreMask::isNeverNegative(Value value) {
  std::optional<Affine> number = affine(value);
  if (!number)
    return false;
  // value <= -1 nowhere.
  return atMostZero({number->query, number->key, number->constant + 1}).empty();
}

Truth ScoreMask::atMost(Value a, Value b, int64_t more) {
  return once(orders, std::tuple(a, b, more),
              [&] { return computeAtMost(a, b, more); });
}

Truth ScoreMask::computeAtMost(Value a, Value b, int64_t more) {
  auto each = [&](Operation *op, auto compare) {
    return std::pair(compare(op->getOperand(0)), compare(op->getOperand(1)));
  };
  auto ofA = [&](Value value) { return atMost(value, b, more); };
  auto ofB = [&](Value value) { return atMost(a, value, more); };
  if (auto max = b.getDefiningOp<arith::MaxSIOp>())
    return std::apply(either, each(max, ofB));
  if (auto min = b.getDefiningOp<arith::MinSIOp>())
    return std::apply(both, each(min, ofB));
  if (auto max = a.getDefiningOp<arith::MaxSIOp>())
    return std::apply(both, each(max, ofA));
  if (auto min = a.getDefiningOp<arith::MinSIOp>())
    return std::apply(either, each(min, ofA));
  std::optional<Affine> x = affine(a), y = affine(b);
  if (!x || !y)
    return {all(), all()};
  Affine difference = *x - *y, opposite = *y - *x;
  difference.constant += more;
  opposite.constant += 1 - more;
  return {atMostZero(difference), atMostZero(opposite)};
}

Truth ScoreMask::compare(arith::CmpIOp compare) {
  using Predicate = arith::CmpIPredicate;
  Value a = compare.getLhs(), b = compare.getRhs();
  if (!a.getType().isInteger(32))
    return {all(), all()};
  Predicate predicate = compare.getPredicate();
  // An unsigned order is the signed one of what is never negative; a number
  // that may be is below nothing then.
  auto below = [&](Value a, Value b, int64_t more) -> Truth {
    if (!isNeverNegative(b))
      return {all(), all()};
    Truth isLess = atMost(a, b, more);
    if (isNeverNegative(a))
      return isLess;
    std::optional<Affine> number = affine(a);
    if (!number)
      return {all(), all()};
    Truth isPositive{
        atMostZero(Affine() - *number),
        atMostZero({number->query, number->key, number->constant + 1})};
    return both(isPositive, isLess);
  };
  switch (predicate) {
  case Predicate::eq:
    return both(atMost(a, b, 0), atMost(b, a, 0));
  case Predicate::ne:
    return negated(both(atMost(a, b, 0), atMost(b, a, 0)));
  case Predicate::slt:
    return atMost(a, b, 1);
  case Predicate::sle:
    return atMost(a, b, 0);
  case Predicate::sgt:
    return atMost(b, a, 1);
  case Predicate::sge:
    return atMost(b, a, 0);
  case Predicate::ult:
    return below(a, b, 1);
  case Predicate::ule:
    return below(a, b, 0);
  case Predicate::ugt:
    return below(b, a, 1);
  case Predicate::uge:
    return below(b, a, 0);
  }
  llvm_unreachable("a predicate of integers");
}

Truth ScoreMask::computeTruth(Value condition) {
  APInt constant;
  if (matchPattern(condition, m_ConstantInt(&constant)))
    return constant.isZero() ? Truth{{}, all()} : Truth{all(), {}};
  Operation *made = condition.getDefiningOp();
  if (auto cmp = dyn_cast_if_present<arith::CmpIOp>(made))
    return compare(cmp);
  if (auto select = dyn_cast_if_present<arith::SelectOp>(made)) {
    Truth which = truthOf(select.getCondition());
    return either(both(which, truthOf(select.getTrueValue())),
                  both(negated(which), truthOf(select.getFalseValue())));
  }
  if (!isa_and_nonnull<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(made))
    return {all(), all()};
  Truth a = truthOf(made->getOperand(0)), b = truthOf(made->getOperand(1));
  if (isa<arith::AndIOp>(made))
    return both(a, b);
  if (isa<arith::OrIOp>(made))
    return either(a, b);
  return either(both(a, negated(b)), both(negated(a), b));
}

Truth ScoreMask::truthOf(Value condition) {
  return once(truths, condition, [&] { return computeTruth(condition); });
}

//===----------------------------------------------------------------------===//
// Scores
//===----------------------------------------------------------------------===//

// Numbers of that size are sums of finite ones without overflow.
static constexpr double kMostMagnitude = 1e37, kLeastFactor = 1e-30;

/// The largest finite f16.
static constexpr double kMostHalf = 65504;

static std::optional<double> constantOf(Value value) {
  FloatAttr constant;
  if (!matchPattern(value, m_Constant(&constant)))
    return std::nullopt;
  return constant.getValueAsDouble();
}

/// What `value` is at most in magnitude, where it is a number.
std::optional<double> ScoreMask::magnitude(Value value) {
  return once(magnitudes, value, [&] { return computeMagnitude(value); });
}

std::optional<double> ScoreMask::computeMagnitude(Value value) {
  // Sums, products and indices may be too large for f16. Half of the largest
  // leaves room for what rounding adds.
  double most = value.getType().isF16() ? kMostHalf / 2 : kMostMagnitude;
  auto limited = [&](double number) {
    return number < most ? std::optional(number) : std::nullopt;
  };
  if (std::optional<double> constant = constantOf(value))
    return limited(std::abs(*constant));
  if (value == op.getScore().getArgument(0) &&
      op.getQType().getElementType().isF16() &&
      !getTernaryEncoding(op.getKType()))
    return limited(kMostHalf * kMostHalf * static_cast<double>(op.getD()) *
                   std::abs(op.getScaleValue()));
  Operation *made = value.getDefiningOp();
  if (isa_and_nonnull<arith::SIToFPOp>(made))
    return limited(double(int64_t(1) << 31));
  if (!isa_and_nonnull<arith::MulFOp, arith::AddFOp, arith::SubFOp>(made))
    return std::nullopt;
  std::optional<double> a = magnitude(made->getOperand(0)),
                        b = magnitude(made->getOperand(1));
  if (!a || !b)
    return std::nullopt;
  return limited(isa<arith::MulFOp>(made) ? *a * *b : *a + *b);
}

/// True for what is a number or -inf: -inf stays when it is added.
bool ScoreMask::isBelowInfinity(Value value) {
  return once(belowInfinity, value,
              [&] { return computeIsBelowInfinity(value); });
}

bool ScoreMask::computeIsBelowInfinity(Value value) {
  if (magnitude(value))
    return true;
  if (std::optional<double> constant = constantOf(value))
    return *constant == -std::numeric_limits<double>::infinity();
  if (auto wider = value.getDefiningOp<arith::ExtFOp>())
    return isBelowInfinity(wider.getIn());
  auto select = value.getDefiningOp<arith::SelectOp>();
  return select && isBelowInfinity(select.getTrueValue()) &&
         isBelowInfinity(select.getFalseValue());
}

PairRanges ScoreMask::computeSeen(Value score) {
  if (std::optional<double> constant = constantOf(score))
    return *constant == -std::numeric_limits<double>::infinity() ? PairRanges()
                                                                 : all();
  Operation *made = score.getDefiningOp();
  if (auto select = dyn_cast_if_present<arith::SelectOp>(made)) {
    Truth which = truthOf(select.getCondition());
    return join(meet(which.holds, seen(select.getTrueValue())),
                meet(which.fails, seen(select.getFalseValue())));
  }
  if (isa_and_nonnull<arith::ExtFOp, arith::TruncFOp>(made))
    return seen(made->getOperand(0));
  if (auto sum = dyn_cast_if_present<arith::AddFOp>(made)) {
    PairRanges left = all();
    if (isBelowInfinity(sum.getRhs()))
      left = meet(left, seen(sum.getLhs()));
    if (isBelowInfinity(sum.getLhs()))
      left = meet(left, seen(sum.getRhs()));
    return left;
  }
  if (auto difference = dyn_cast_if_present<arith::SubFOp>(made))
    return magnitude(difference.getRhs()) ? seen(difference.getLhs()) : all();
  // A positive number, which is not flushed to zero.
  if (isa_and_nonnull<arith::MulFOp, arith::DivFOp>(made)) {
    std::optional<double> factor = constantOf(made->getOperand(1));
    if (factor && *factor >= kLeastFactor && *factor < kMostMagnitude)
      return seen(made->getOperand(0));
  }
  return all();
}

PairRanges ScoreMask::seen(Value score) {
  return once(scores, score, [&] { return computeSeen(score); });
}

//===----------------------------------------------------------------------===//
// Of an op
//===----------------------------------------------------------------------===//

std::optional<int64_t> mlir::sparseflow::getPositionShift(AttentionOp op) {
  if (op.isVarlen())
    return op.getCuSeqlensQ() == op.getCuSeqlensK() ? std::optional<int64_t>(0)
                                                    : std::nullopt;
  int64_t queries = op.getQType().getDimSize(op.getSequenceDim());
  int64_t keys = op.getKeyCount();
  if (op.getLengths() || ShapedType::isDynamic(queries) ||
      ShapedType::isDynamic(keys))
    return std::nullopt;
  return keys - queries;
}

PairRange mlir::sparseflow::getPairsOfMasks(AttentionOp op) {
  PairRange pairs;
  int64_t queries = op.getQType().getDimSize(op.getSequenceDim());
  int64_t keys = op.getKeyCount();
  if (ShapedType::isStatic(queries))
    pairs.lastQuery = queries - 1;
  if (ShapedType::isStatic(keys))
    pairs.lastKey = keys - 1;
  if (std::optional<int64_t> shift = getPositionShift(op)) {
    if (op.getCausal())
      pairs.mostOffset = *shift;
    // A window may be any i64.
    constexpr uint64_t kMost = PairRange::kFar / 4;
    if (std::optional<uint64_t> window = op.getWindow();
        window && *window < kMost) {
      int64_t width = static_cast<int64_t>(*window);
      pairs.leastOffset = *shift - width + 1;
      pairs.mostOffset = std::min(pairs.mostOffset, *shift + width - 1);
    }
  }
  return pairs & PairRange();
}

PairRanges mlir::sparseflow::getSeenPairs(AttentionOp op) {
  if (!op.hasScore())
    return {getPairsOfMasks(op)};
  return ScoreMask(op).seen(op.getYieldedScore());
}

SmallVector<std::pair<Value, bool>>
mlir::sparseflow::getKnownTruths(AttentionOp op, ValueRange conditions) {
  ScoreMask mask(op);
  SmallVector<std::pair<Value, bool>> known;
  for (Value condition : conditions) {
    Truth truth = mask.truthOf(condition);
    // Where there are no pairs anything holds.
    if (truth.fails.empty())
      known.emplace_back(condition, true);
    else if (truth.holds.empty())
      known.emplace_back(condition, false);
  }
  return known;
}
