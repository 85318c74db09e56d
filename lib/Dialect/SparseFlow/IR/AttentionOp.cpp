//===- AttentionOp.cpp - Attention: syntax, verifier, canonical form ------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Attention/AttentionSinks.h"
#include "Attention/RaiseScoreMask.h"
#include "AttentionPages.h"
#include "AttentionPlanes.h"
#include "AttentionSyntax.h"
#include "AttentionValues.h"
#include "AttentionVarlen.h"
#include "EmptySums.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include <cmath>

using namespace mlir;
using namespace mlir::sparseflow;

// Arguments of a score region before the score operands: the score and the
// indices of batch entry, head, query and key.
static constexpr unsigned kScoreArguments = 5;

//===----------------------------------------------------------------------===//
// Accessors
//===----------------------------------------------------------------------===//

RankedTensorType AttentionOp::getQType() {
  return cast<RankedTensorType>(getQ().getType());
}
RankedTensorType AttentionOp::getKType() {
  return cast<RankedTensorType>(getK().getType());
}
RankedTensorType AttentionOp::getVType() {
  return cast<RankedTensorType>(getV().getType());
}
RankedTensorType AttentionOp::getResultType() {
  return cast<RankedTensorType>(getResult().getType());
}

RankedTensorType AttentionOp::inferResultType(RankedTensorType q,
                                              RankedTensorType v, Type element,
                                              int64_t valueFeatures) {
  SmallVector<int64_t> shape(q.getShape());
  shape.back() = valueFeatures ? valueFeatures : v.getShape().back();
  return RankedTensorType::get(shape, element);
}

RankedTensorType AttentionOp::inferLseType(RankedTensorType q,
                                           AttentionLayout layout) {
  bool headsFirst = layout == AttentionLayout::Bhsd;
  return RankedTensorType::get({q.getDimSize(0),
                                q.getDimSize(headsFirst ? 1 : 2),
                                q.getDimSize(headsFirst ? 2 : 1)},
                               Float32Type::get(q.getContext()));
}

// Scores are kept in f32: from about 2^24 / scale on, the products of a row
// differ by more than exp can say, and their sums are no numbers.
static constexpr float kMaxScale = 1024;

static bool isUsableScale(float scale) { return std::abs(scale) <= kMaxScale; }

float AttentionOp::getScaleValue() {
  if (std::optional<APFloat> scale = getScale())
    return scale->convertToFloat();
  return 1.0f / std::sqrt(static_cast<float>(getD()));
}

StringRef AttentionOp::getScoreDims(unsigned index) {
  return cast<StringAttr>(getScoreDims()[index]).getValue();
}

Value AttentionOp::getYieldedScore() {
  return cast<YieldOp>(getScore().front().getTerminator()).getValue();
}

bool AttentionOp::isScoreComputation(Operation *op) {
  if (op->getNumRegions() != 0 || op->getNumResults() != 1)
    return false;
  auto isScalar = [](Type type) {
    return isa<FloatType>(type) || type.isInteger(1) || type.isInteger(32);
  };
  if (!llvm::all_of(op->getOperandTypes(), isScalar) ||
      !isScalar(op->getResult(0).getType()))
    return false;
  auto isIndex = [](Type type) { return type.isInteger(32); };
  bool onIndices = llvm::any_of(op->getOperandTypes(), isIndex) ||
                   isIndex(op->getResult(0).getType());
  // Only what every device, and the reference, computes alike.
  if (onIndices)
    return isa<arith::ConstantOp, arith::AddIOp, arith::SubIOp, arith::MulIOp,
               arith::MaxSIOp, arith::MinSIOp, arith::CmpIOp, arith::SelectOp,
               arith::SIToFPOp>(op);
  return isScalarComputation(op);
}

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//

void AttentionOp::getAsmBlockArgumentNames(Region &region,
                                           OpAsmSetValueNameFn setName) {
  static const char *const names[] = {"s", "b", "h", "i", "j"};
  for (BlockArgument argument : region.getArguments()) {
    unsigned number = argument.getArgNumber();
    setName(argument, number < kScoreArguments ? names[number] : "in");
  }
}

ParseResult mlir::sparseflow::parseScoreOperands(
    OpAsmParser &parser,
    SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands,
    SmallVectorImpl<Type> &types, ArrayAttr &dims) {
  Builder &b = parser.getBuilder();
  if (failed(parser.parseOptionalKeyword("operands"))) {
    dims = b.getArrayAttr({});
    return success();
  }
  SmallVector<Attribute> list;
  auto parseDims = [&]() -> ParseResult {
    std::string text;
    if (parser.parseString(&text))
      return failure();
    list.push_back(b.getStringAttr(text));
    return success();
  };
  if (parser.parseLParen() || parser.parseOperandList(operands) ||
      parser.parseColonTypeList(types) || parser.parseRParen() ||
      parser.parseKeyword("as") ||
      parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, parseDims))
    return failure();
  dims = b.getArrayAttr(list);
  return success();
}

void mlir::sparseflow::printScoreOperands(OpAsmPrinter &printer, Operation *,
                                          OperandRange operands,
                                          TypeRange types, ArrayAttr dims) {
  if (operands.empty())
    return;
  printer << " operands(" << operands << " : " << types << ") as " << dims;
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

LogicalResult
AttentionOp::reifyResultShapes(OpBuilder &b,
                               ReifiedRankedShapedTypeDims &shapes) {
  auto size = [&](RankedTensorType type, unsigned dim, Value from,
                  unsigned fromDim) -> OpFoldResult {
    if (type.isDynamicDim(dim))
      return b.createOrFold<tensor::DimOp>(getLoc(), from, fromDim);
    return b.getIndexAttr(type.getDimSize(dim));
  };
  SmallVector<OpFoldResult> dims;
  for (unsigned dim = 0; dim < 4; ++dim)
    dims.push_back(size(getResultType(), dim, dim < 3 ? getQ() : getV(), dim));
  shapes.push_back(std::move(dims));
  if (!getLse())
    return success();
  auto lse = cast<RankedTensorType>(getLse().getType());
  shapes.push_back({size(lse, 0, getQ(), 0), size(lse, 1, getQ(), getHeadDim()),
                    size(lse, 2, getQ(), getSequenceDim())});
  return success();
}

//===----------------------------------------------------------------------===//
// Verifier
//===----------------------------------------------------------------------===//

/// Checks that q, k, v and the result are what their letters say.
static LogicalResult verifyTensors(AttentionOp op) {
  RankedTensorType q = op.getQType(), k = op.getKType(), v = op.getVType(),
                   o = op.getResultType();
  bool bhsd = op.getLayout() == AttentionLayout::Bhsd, paged(op.getPages());
  for (auto [name, type, shape] :
       {std::tuple("q", q, bhsd ? "[B, H, S_q, D]" : "[B, S_q, H, D]"),
        std::tuple("k", k,
                   paged  ? bhsd ? "[P, G, page, D]" : "[P, page, G, D]"
                   : bhsd ? "[B, G, S_k, D]"
                          : "[B, S_k, G, D]"),
        std::tuple("v", v,
                   paged  ? bhsd ? "[P, G, page, D_v]" : "[P, page, G, D_v]"
                   : bhsd ? "[B, G, S_k, D_v]"
                          : "[B, S_k, G, D_v]"),
        std::tuple("the result", o,
                   bhsd ? "[B, H, S_q, D_v]" : "[B, S_q, H, D_v]")}) {
    if (type.getRank() != 4)
      return op.emitOpError("expected ")
             << name << " to be " << shape << " of rank 4, found " << type
             << "; insert a tensor.expand_shape";
    bool mayBeTernary = StringRef(name) == "k" || StringRef(name) == "v";
    if (type.getEncoding() && !(mayBeTernary && getTernaryEncoding(type)))
      return op.emitOpError("expected ")
             << name << " to have no encoding, found " << type
             << "; only the weight of sparseflow.matmul may be sparse, and k "
                "and v may be #sparseflow.ternary or #sparseflow.quantized "
                "caches";
    if (type.isDynamicDim(op.getHeadDim()) || type.isDynamicDim(3) ||
        type.getDimSize(op.getHeadDim()) == 0 || type.getDimSize(3) == 0)
      return op.emitOpError("expected ")
             << name << " " << shape
             << " with a static, positive number of heads and of features, "
                "found "
             << type << "; insert a tensor.cast";
  }
  Type element = q.getElementType();
  if (!element.isF16() && !element.isBF16())
    return op.emitOpError("expected q to hold f16 or bf16, found ")
           << element << "; convert it first";
  if (k.getElementType() != element || v.getElementType() != element)
    return op.emitOpError("expected q, k and v to have one element type, "
                          "found ")
           << element << ", " << k.getElementType() << " and "
           << v.getElementType();
  Type stored = o.getElementType();
  if (!stored.isF16() && !stored.isBF16() && !stored.isF32())
    return op.emitOpError("expected the result to hold f16, bf16 or f32, "
                          "found ")
           << stored;
  if (op.getQueryHeads() % op.getKeyHeads())
    return op.emitOpError("expected the number of query heads to be a multiple "
                          "of the number of key heads, found ")
           << op.getQueryHeads() << " and " << op.getKeyHeads();
  if (k.getDimSize(3) != q.getDimSize(3))
    return op.emitOpError("expected q and k to have the same number of "
                          "features D, found ")
           << q.getDimSize(3) << " and " << k.getDimSize(3);

  SmallVector<int64_t> keys(k.getShape());
  keys[3] = v.getDimSize(3);
  if (failed(verifyCompatibleShape(keys, v.getShape())))
    return op.emitOpError("expected v to have the sizes of k except for its "
                          "features, found ")
           << v << " for k " << k;
  if (std::optional<uint64_t> given = op.getValueFeatures()) {
    int64_t features = static_cast<int64_t>(*given);
    if (features < 1 || features > v.getDimSize(3))
      return op.emitOpError("expected value_features from 1 to ")
             << v.getDimSize(3) << ", the features of v, found " << features;
    if (v.getEncoding())
      return op.emitOpError("expected v without an encoding beside "
                            "value_features, found ")
             << v << "; store a cache of the features that count";
  }
  RankedTensorType result =
      AttentionOp::inferResultType(q, v, stored, op.getDv());
  if (failed(verifyCompatibleShape(result, o)))
    return op.emitOpError("expected the result type ")
           << result << " for q " << q << " and v " << v << ", found " << o;
  int64_t entries = op.hasOwnCaches() ? op.getSequenceCount() : q.getDimSize(0);
  if (!paged && failed(verifyCompatibleShape({entries}, {k.getDimSize(0)})))
    return op.emitOpError("expected q and k to have one batch size, found ")
           << entries << " and " << k.getDimSize(0);
  return success();
}

/// The size that letter `letter` of "bhqk" stands for.
static int64_t sizeOfLetter(AttentionOp op, char letter) {
  switch (letter) {
  case 'b':
    return op.getQType().getDimSize(0);
  case 'h':
    return op.getQueryHeads();
  case 'q':
    return op.getQType().getDimSize(op.getSequenceDim());
  default:
    return op.getKeyCount();
  }
}

static LogicalResult verifyScoreOperand(AttentionOp op, unsigned index) {
  auto type = cast<RankedTensorType>(op.getScoreOperands()[index].getType());
  StringRef dims = op.getScoreDims(index);
  size_t next = 0;
  for (char letter : dims) {
    next = StringRef("bhqk").find(letter, next);
    if (next == StringRef::npos)
      return op.emitOpError("expected the dimensions of score operand ")
             << index
             << " as letters of \"bhqk\", each at most once and in this order, "
                "found \""
             << dims << "\"; transpose the operand";
    ++next;
  }
  Type element = type.getElementType();
  if (!element.isF16() && !element.isBF16() && !element.isF32())
    return op.emitOpError("expected score operand ")
           << index << " to hold f16, bf16 or f32, found " << element;
  SmallVector<int64_t> shape;
  for (char letter : dims)
    shape.push_back(sizeOfLetter(op, letter));
  if (type.getEncoding() ||
      failed(verifyCompatibleShape(shape, type.getShape())))
    return op.emitOpError("expected score operand ")
           << index << ", which is indexed by \"" << dims
           << "\", to have the type " << RankedTensorType::get(shape, element)
           << ", found " << type;
  return success();
}

LogicalResult AttentionOp::verify() {
  if (failed(verifyTensors(*this)) || failed(verifyPages(*this)) ||
      failed(verifyVarlen(*this)) || failed(verifyPlanes(*this)) ||
      failed(verifySinks(*this)))
    return failure();
  if (Value lengths = getLengths()) {
    auto type = cast<RankedTensorType>(lengths.getType());
    int64_t entries = getSequenceCount();
    if (type.getRank() != 1 || !type.getElementType().isInteger(32) ||
        failed(verifyCompatibleShape({entries}, type.getShape())))
      return emitOpError("expected lengths to be one i32 for each batch entry, "
                         "a ")
             << RankedTensorType::get({entries},
                                      IntegerType::get(getContext(), 32))
             << ", found " << type;
  }
  if (getLse()) {
    auto type = cast<RankedTensorType>(getLse().getType());
    RankedTensorType expected = inferLseType(getQType(), getLayout());
    if (type.getElementType() != expected.getElementType() ||
        failed(verifyCompatibleShape(type, expected)))
      return emitOpError("expected the log-sum-exp to be [B, H, S_q] of f32, ")
             << expected << ", found " << type;
  }
  if (std::optional<uint64_t> window = getWindow();
      window && static_cast<int64_t>(*window) < 1)
    return emitOpError("expected a window of at least 1 key, found ")
           << static_cast<int64_t>(*window)
           << "; leave it out to attend to every key";
  if (FloatAttr scale = getScaleAttr();
      scale && !isUsableScale(getScaleValue()))
    return emitOpError("expected a scale of at most ")
           << static_cast<int64_t>(kMaxScale) << " in magnitude, found "
           << scale << "; f32 has no digits for the differences of such scores";
  if (getScoreDims().size() != getScoreOperands().size())
    return emitOpError("expected the dimensions of each of ")
           << getScoreOperands().size() << " score operands, found "
           << getScoreDims().size();
  if (!hasScore() && !getScoreOperands().empty())
    return emitOpError("expected a score region that reads the ")
           << getScoreOperands().size() << " score operands, found none";
  for (unsigned i = 0, e = getScoreOperands().size(); i < e; ++i)
    if (failed(verifyScoreOperand(*this, i)))
      return failure();
  return success();
}

LogicalResult AttentionOp::verifyRegions() {
  if (!hasScore())
    return success();
  if (!getScore().hasOneBlock())
    return emitOpError("expected a score region of one block");
  Block &block = getScore().front();
  Type f32 = Float32Type::get(getContext());
  SmallVector<Type> types{f32};
  types.append(kScoreArguments - 1, IntegerType::get(getContext(), 32));
  for (Value operand : getScoreOperands())
    types.push_back(getElementTypeOrSelf(operand.getType()));
  if (block.getArgumentTypes() != TypeRange(types))
    return emitOpError("expected score arguments (")
           << types
           << "): the scaled dot product, the indices of batch entry, head, "
              "query "
              "and key, then one element of each operand, found ("
           << block.getArgumentTypes() << ")";
  for (Operation &op : block.without_terminator())
    if (!isScoreComputation(&op))
      return op.emitOpError("is not allowed in a score region: expected scalar "
                            "arith and math ops on floats and i1, and "
                            "arith.{addi, subi, muli, maxsi, minsi, cmpi, "
                            "select, sitofp} on i32 indices; compute it "
                            "outside and pass it as a score operand");
  auto yield = dyn_cast<YieldOp>(block.getTerminator());
  if (!yield || yield.getValue().getType() != f32)
    return emitOpError("expected the score region to end with sparseflow.yield "
                       "of an f32");
  return success();
}

//===----------------------------------------------------------------------===//
// Canonical form
//===----------------------------------------------------------------------===//

namespace {
/// `score` without zeros that are added, as masks leave them: they turn -0 into
/// 0 at most, whose exponentials are equal.
static Value withoutZeros(Value score) {
  while (auto sum = score.getDefiningOp<arith::AddFOp>()) {
    if (matchPattern(sum.getRhs(), m_AnyZeroFloat()))
      score = sum.getLhs();
    else if (matchPattern(sum.getLhs(), m_AnyZeroFloat()))
      score = sum.getRhs();
    else
      break;
  }
  return score;
}

/// A region that yields the product, or one that only scales it, is none.
struct SimplifyScore : OpRewritePattern<AttentionOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AttentionOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasScore())
      return rewriter.notifyMatchFailure(op, "no score region");
    Value product = op.getScore().getArgument(0);
    Value score = withoutZeros(op.getYieldedScore());
    FloatAttr scale = op.getScaleAttr();
    if (score != product) {
      auto mul = score.getDefiningOp<arith::MulFOp>();
      APFloat factor(0.0f);
      if (!mul || mul.getLhs() != product ||
          !matchPattern(mul.getRhs(), m_ConstantFloat(&factor)) ||
          !isUsableScale(op.getScaleValue() * factor.convertToFloat()))
        return rewriter.notifyMatchFailure(op, "the score is computed");
      scale = rewriter.getF32FloatAttr(op.getScaleValue() *
                                       factor.convertToFloat());
    }
    rewriter.modifyOpInPlace(op, [&] {
      rewriter.eraseBlock(&op.getScore().front());
      op.getScoreOperandsMutable().clear();
      op.setScoreDimsAttr(rewriter.getArrayAttr({}));
      if (scale)
        op.setScaleAttr(scale);
    });
    return success();
  }
};

/// Operands that the region does not read, reads twice, or that are splat
/// constants, are no operands.
struct SimplifyScoreOperands : OpRewritePattern<AttentionOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AttentionOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasScore())
      return rewriter.notifyMatchFailure(op, "no score region");
    Block &block = op.getScore().front();
    SmallVector<Value> kept;
    SmallVector<Attribute> dims;
    llvm::BitVector dropped(block.getNumArguments());
    llvm::SmallDenseMap<std::pair<Value, Attribute>, BlockArgument> seen;
    for (auto [i, operand] : llvm::enumerate(op.getScoreOperands())) {
      BlockArgument argument = block.getArgument(kScoreArguments + i);
      Attribute letters = op.getScoreDims()[i];
      SplatElementsAttr splat;
      if (argument.use_empty()) {
        dropped.set(kScoreArguments + i);
        continue;
      }
      if (matchPattern(operand, m_Constant(&splat))) {
        OpBuilder::InsertionGuard guard(rewriter);
        rewriter.setInsertionPointToStart(&block);
        Value constant = arith::ConstantOp::create(
            rewriter, op.getLoc(), splat.getSplatValue<TypedAttr>());
        rewriter.replaceAllUsesWith(argument, constant);
        dropped.set(kScoreArguments + i);
        continue;
      }
      auto [known, isNew] = seen.try_emplace({operand, letters}, argument);
      if (!isNew) {
        rewriter.replaceAllUsesWith(argument, known->second);
        dropped.set(kScoreArguments + i);
        continue;
      }
      kept.push_back(operand);
      dims.push_back(letters);
    }
    if (dropped.none())
      return rewriter.notifyMatchFailure(op, "every operand is needed");
    rewriter.modifyOpInPlace(op, [&] {
      block.eraseArguments(dropped);
      op.getScoreOperandsMutable().assign(kept);
      op.setScoreDimsAttr(rewriter.getArrayAttr(dims));
    });
    return success();
  }
};

/// Masks that leave no key out are none: one query stands at the last key, and
/// a window that reaches over every pair of positions holds them all.
struct DropIdleMasks : OpRewritePattern<AttentionOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AttentionOp op,
                                PatternRewriter &rewriter) const override {
    unsigned dim = op.getSequenceDim();
    int64_t queries = op.getQType().getDimSize(dim);
    int64_t keys = op.getKeyCount();
    bool idleCausal = op.getCausal() && queries == 1;
    // Positions lie between L - S_q and L - 1, keys between 0 and L - 1.
    bool idleWindow =
        op.getWindow() && ShapedType::isStatic(queries) &&
        ShapedType::isStatic(keys) &&
        static_cast<int64_t>(*op.getWindow()) >= std::max(queries, keys);
    if (!idleCausal && !idleWindow)
      return rewriter.notifyMatchFailure(op, "the masks matter");
    rewriter.modifyOpInPlace(op, [&] {
      if (idleCausal)
        op.setCausal(false);
      if (idleWindow)
        op.removeWindowAttr();
      // Planes have nothing to be masked by any more.
      if (!op.getCausal() && !op.getWindow() && !op.getLengths())
        op.removePlaneMaskAttr();
    });
    return success();
  }
};

/// A log-sum-exp that nobody reads is not computed.
struct DropUnusedLse : OpRewritePattern<AttentionOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AttentionOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getLse() || !op.getLse().use_empty())
      return rewriter.notifyMatchFailure(op, "nothing to drop");
    auto plain = AttentionOp::create(
        rewriter, op.getLoc(), op.getResultType(), Type(), op.getQ(), op.getK(),
        op.getV(), op.getLengths(), op.getPages(), op.getCuSeqlensQ(),
        op.getCuSeqlensK(), op.getSinkLogits(), op.getScoreOperands(),
        op.getScoreDims(), op.getLayout(), op.getCausal(), op.getWindowAttr(),
        op.getScaleAttr(), op.getPlaneMaskAttr(), op.getValueFeaturesAttr());
    rewriter.inlineRegionBefore(op.getScore(), plain.getScore(),
                                plain.getScore().end());
    rewriter.replaceAllUsesWith(op.getResult(), plain.getResult());
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void AttentionOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *context) {
  patterns
      .add<SimplifyScore, SimplifyScoreOperands, DropIdleMasks, DropUnusedLse>(
          context);
  populateScoreMaskPatterns(patterns);
  populateValuePatterns(patterns);
  populateSinkPatterns(patterns);
  populateEmptyAttentionPatterns(patterns);
}
