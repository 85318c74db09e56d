//===- AppendCache.cpp - New tokens of a ternary cache --------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An append as loops over batch entries, heads, tokens and features that change
// the pages bit by bit. Sums have the order that the op's rule says, so bits
// are those of the GPU's kernel and of the packer.
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Support/E4M3.h"
#include "Target/CPU/Ternary/CachePages.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sparseflow::cpu;

//===----------------------------------------------------------------------===//
// Elements of pages
//===----------------------------------------------------------------------===//

/// The place of a number of 4 or 8 bits.
std::pair<Value, Value> CachePages::locateNumber(Value inPage,
                                                 Value feature) const {
  int64_t width = encoding.getCacheBits();
  bool values = encoding.isValueCache();
  Value inner = values ? inPage : feature, outer = values ? feature : inPage;
  Value lane = i.add(i.mul(rem(outer, 8), 4), i.div(rem(inner, 8), 2));
  Value upper = i.mul(rem(i.div(inPage, 8), 2), 2);
  Value field = i.add(rem(i.div(feature, 8), 2), upper);
  Value step = i.div(feature, 16), place, word;
  if (width == 8) {
    word = i.add(i.mul(rem(step, 2), 2), i.div(field, 2));
    place = i.mul(rem(field, 2), 8);
  } else {
    word = rem(step, 4);
    place = i.mul(field, 4);
  }
  place = i.add(place, i.mul(rem(inner, 2), 16));
  int64_t chunkFeatures = 256 / width;
  int64_t chunks = encoding.getPageFeatures(features) / chunkFeatures;
  Value chunk =
      i.add(i.mul(i.div(inPage, 16), chunks), i.div(feature, chunkFeatures));
  Value at = i.add(i.mul(chunk, 512), i.mul(lane, 16));
  at = i.add(i.add(at, i.mul(word, 4)), i.div(place, 8));
  return {at, rem(place, 8)};
}

std::pair<Value, Value> CachePages::locate(Value token, Value feature) const {
  bool values = encoding.isValueCache();
  Value inPage = rem(token, TernaryAttr::kPageTokens);
  if (!encoding.isTernary())
    return locateNumber(inPage, feature);
  Value row = values ? feature : inPage, k = values ? inPage : feature;
  int64_t words = values ? 1 : llvm::divideCeil(features, 64);
  Value word = i.add(i.mul(i.div(row, 8), words), i.div(k, 64));
  Value lane = i.add(i.mul(rem(row, 8), 4), i.div(rem(k, 8), 2));
  Value field = i.div(rem(k, 64), 8);
  Value place = i.sub(i.add(i.mul(rem(k, 2), 16), 14), i.mul(field, 2));
  Value at = i.add(i.mul(i.div(word, 4), 512), i.mul(lane, 16));
  at = i.add(i.add(at, i.mul(rem(word, 4), 4)), i.div(place, 8));
  return {at, rem(place, 8)};
}

Value CachePages::scaleByte(Value token, Value feature) const {
  int64_t group = encoding.getScaleFeatures(features);
  Value number = group >= features ? i.constant(0) : i.div(feature, group);
  if (encoding.isTokenScaled())
    number = i.add(i.mul(number, TernaryAttr::kPageTokens),
                   rem(token, TernaryAttr::kPageTokens));
  int64_t width = encoding.getScaleType().getIntOrFloatBitWidth() / 8;
  return i.add(i.mul(number, width), encoding.getPageCodeBytes(features));
}

Value CachePages::readElement(Value pages, ValueRange head, Value token,
                              Value feature) {
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(b, loc, value, 32);
  };
  auto [at, low] = locate(token, feature);
  Value byte = arith::ExtUIOp::create(b, loc, b.getI32Type(),
                                      byteAt(pages, place(head, token, at)));
  Value shift = arith::IndexCastUIOp::create(b, loc, b.getI32Type(), low);
  Value bits = arith::ShRUIOp::create(b, loc, byte, shift);
  Value scale = readScale(pages, head, token, feature);
  if (encoding.isFloatCache()) {
    Value top = arith::ShLIOp::create(b, loc, bits, number(24));
    Value value = emitFloatOfE4M3(b, loc, top);
    return arith::MulFOp::create(b, loc, scale, value);
  }
  // 0, 1, or 3 for -1: a number of two bits with a sign, as wider ones are.
  int64_t above = 32 - encoding.getCacheBits();
  Value top = arith::ShLIOp::create(b, loc, bits, number(above));
  Value trit = arith::ShRSIOp::create(b, loc, top, number(above));
  return arith::MulFOp::create(
      b, loc, scale, arith::SIToFPOp::create(b, loc, b.getF32Type(), trit));
}

Value CachePages::readScale(Value pages, ValueRange head, Value token,
                            Value feature) {
  Type type = encoding.getScaleType();
  int64_t width = type.getIntOrFloatBitWidth() / 8;
  Value at = scaleByte(token, feature);
  Type bits = b.getIntegerType(width * 8);
  Value value;
  for (int64_t number = 0; number < width; ++number) {
    Value part = arith::ExtUIOp::create(
        b, loc, bits, byteAt(pages, place(head, token, i.add(at, number))));
    Value shift = arith::ConstantIntOp::create(b, loc, bits, 8 * number);
    part = arith::ShLIOp::create(b, loc, part, shift);
    value =
        value ? arith::OrIOp::create(b, loc, value, part).getResult() : part;
  }
  value = arith::BitcastOp::create(b, loc, type, value);
  return width == 4
             ? value
             : arith::ExtFOp::create(b, loc, b.getF32Type(), value).getResult();
}

Value CachePages::writeBits(Value pages, ValueRange head, Value token,
                            Value feature, Value bits) {
  Type i8 = b.getI8Type();
  auto [at, low] = locate(token, feature);
  SmallVector<Value> where = place(head, token, at);
  Value shift = arith::IndexCastUIOp::create(b, loc, i8, low);
  int64_t field = (int64_t(1) << encoding.getCacheBits()) - 1;
  Value fields =
      arith::ConstantIntOp::create(b, loc, static_cast<int8_t>(field), 8);
  Value ones = arith::ConstantIntOp::create(b, loc, -1, 8);
  Value mask = arith::XOrIOp::create(
      b, loc, arith::ShLIOp::create(b, loc, fields, shift), ones);
  Value kept = arith::AndIOp::create(b, loc, byteAt(pages, where), mask);
  bits = arith::AndIOp::create(b, loc, bits, fields);
  Value byte = arith::OrIOp::create(b, loc, kept,
                                    arith::ShLIOp::create(b, loc, bits, shift));
  return tensor::InsertOp::create(b, loc, byte, pages, where);
}

Value CachePages::writeTokenScale(Value pages, ValueRange head, Value token,
                                  Value feature, Value scale) {
  int64_t width = encoding.getScaleType().getIntOrFloatBitWidth() / 8;
  Type whole = b.getIntegerType(width * 8);
  Value bits = arith::BitcastOp::create(b, loc, whole, scale);
  Value at = scaleByte(token, feature);
  for (int64_t number = 0; number < width; ++number) {
    Value shift = arith::ConstantIntOp::create(b, loc, whole, 8 * number);
    Value byte = arith::TruncIOp::create(
        b, loc, b.getI8Type(), arith::ShRUIOp::create(b, loc, bits, shift));
    pages = tensor::InsertOp::create(b, loc, byte, pages,
                                     place(head, token, i.add(at, number)));
  }
  return pages;
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

namespace {

// Parts of a sum over features.
constexpr int64_t kParts = 32;

class AppendLowering {
public:
  AppendLowering(OpBuilder &b, CacheAppendOp op, RankedTensorType type)
      : b(b), op(op), loc(op.getLoc()), type(type),
        encoding(getTernaryEncoding(type)), features(type.getDimSize(3)),
        f32(b.getF32Type()), i{b, loc}, cache(b, loc, type) {}

  Value create(Value pages) {
    Value zero = i.constant(0);
    Value positions = i.mul(dim(pages, 2), TernaryAttr::kPageTokens);
    if (op.getPages())
      positions = i.mul(dim(op.getPages(), 1), op.getPageSize());
    Value heads = dim(pages, 1), count = dim(op.getTokens(), 2);
    return loop(
        zero, dim(op.getTokens(), 0), pages, [&](Value batch, Value outer) {
          Value length = arith::IndexCastOp::create(
              b, loc, b.getIndexType(),
              tensor::ExtractOp::create(b, loc, op.getLengths(), batch));
          return loop(zero, heads, outer, [&](Value head, Value inner) {
            return loop(zero, count, inner, [&](Value token, Value before) {
              Value position = i.add(length, token);
              // A position before 0 is a large number here.
              Value isInside = arith::CmpIOp::create(
                  b, loc, arith::CmpIPredicate::ult, position, positions);
              auto branch =
                  scf::IfOp::create(b, loc, before.getType(), isInside,
                                    /*withElse=*/true);
              OpBuilder::InsertionGuard guard(b);
              b.setInsertionPointToStart(branch.elseBlock());
              scf::YieldOp::create(b, loc, before);
              b.setInsertionPointToStart(branch.thenBlock());
              scf::YieldOp::create(
                  b, loc,
                  op.getPages()
                      ? writeInPage(before, {batch, head}, token, position)
                  : encoding.isTernary()
                      ? writeToken(before, {batch, head}, token, position)
                      : writeNumbers(before, {batch, head}, token,
                                     {batch, head}, position));
              return Value(branch.getResult(0));
            });
          });
        });
  }

private:
  Value dim(Value tensor, int64_t index) {
    return b.createOrFold<tensor::DimOp>(loc, tensor, index);
  }
  Value number(float value) {
    return arith::ConstantOp::create(b, loc, b.getF32FloatAttr(value));
  }

  Value loop(Value from, Value to, Value carried,
             function_ref<Value(Value, Value)> body) {
    auto loop = scf::ForOp::create(b, loc, from, to, i.constant(1), carried);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    scf::YieldOp::create(
        b, loc, body(loop.getInductionVar(), loop.getRegionIterArg(0)));
    return loop.getResult(0);
  }

  Value element(ValueRange head, Value token, Value feature) {
    Value value = tensor::ExtractOp::create(
        b, loc, op.getTokens(), ValueRange{head[0], head[1], token, feature});
    return arith::ExtFOp::create(b, loc, f32, value);
  }
  Value bitsOf(Value value) {
    return arith::BitcastOp::create(b, loc, b.getI32Type(), value);
  }
  /// By bits: no pass may see a comparison in it.
  Value absolute(Value value) {
    Value mask = arith::ConstantIntOp::create(b, loc, 0x7FFFFFFF, 32);
    return arith::BitcastOp::create(
        b, loc, f32, arith::AndIOp::create(b, loc, bitsOf(value), mask));
  }
  Value isGreater(Value x, Value y) {
    return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGT, x, y);
  }
  Value times(Value x, float y) {
    return arith::MulFOp::create(b, loc, x, number(y));
  }

  /// Whether no element of a token is a NaN or an infinity (i1).
  Value isFinite(ValueRange head, Value token) {
    Value yes = arith::ConstantIntOp::create(b, loc, 1, 1);
    Value infinity = arith::ConstantIntOp::create(b, loc, 0x7F800000, 32);
    return loop(i.constant(0), i.constant(features), yes,
                [&](Value feature, Value before) -> Value {
                  Value bits = bitsOf(absolute(element(head, token, feature)));
                  Value one = arith::CmpIOp::create(
                      b, loc, arith::CmpIPredicate::ult, bits, infinity);
                  return arith::AndIOp::create(b, loc, before, one);
                });
  }

  /// The sum of `term` over the features, in 32 parts.
  Value sum(function_ref<Value(Value)> term) {
    int64_t whole = features / kParts;
    SmallVector<Value> parts(kParts, number(0));
    if (whole) {
      auto loop = scf::ForOp::create(b, loc, i.constant(0), i.constant(whole),
                                     i.constant(1), parts);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      Value first = i.mul(loop.getInductionVar(), kParts);
      SmallVector<Value> next;
      for (auto [part, before] : llvm::enumerate(loop.getRegionIterArgs()))
        next.push_back(
            arith::AddFOp::create(b, loc, before, term(i.add(first, part))));
      scf::YieldOp::create(b, loc, next);
      parts.assign(loop.result_begin(), loop.result_end());
    }
    for (int64_t rest = whole * kParts; rest < features; ++rest)
      parts[rest % kParts] = arith::AddFOp::create(b, loc, parts[rest % kParts],
                                                   term(i.constant(rest)));
    for (int64_t distance = kParts / 2; distance; distance /= 2)
      for (int64_t part = 0; part < distance; ++part)
        parts[part] =
            arith::AddFOp::create(b, loc, parts[part], parts[part + distance]);
    return parts[0];
  }

  /// The pages with one token's trits, and its scale where it has one.
  Value writeToken(Value pages, ValueRange head, Value token, Value position) {
    Value finite = isFinite(head, token);
    bool isToken = encoding.getGroup() == TernaryAttr::kTokenScale;
    Value limit;
    if (isToken)
      std::tie(limit, pages) = writeScale(pages, head, token, position, finite);
    return loop(i.constant(0), i.constant(features), pages,
                [&](Value feature, Value before) -> Value {
                  Value value = element(head, token, feature);
                  Value sign = bitsOf(value), bound = limit, isSome = finite;
                  if (!isToken) {
                    Value scale =
                        cache.readScale(before, head, position, feature);
                    sign = arith::XOrIOp::create(b, loc, sign, bitsOf(scale));
                    // A scale of zero leaves nothing to choose from.
                    isSome = arith::AndIOp::create(
                        b, loc, isSome, isGreater(absolute(scale), number(0)));
                    bound = times(absolute(scale), 0.5f);
                  }
                  Value isFar = arith::AndIOp::create(
                      b, loc, isSome, isGreater(absolute(value), bound));
                  auto small = [&](int64_t constant) -> Value {
                    return arith::ConstantIntOp::create(b, loc, constant, 8);
                  };
                  Value isNegative = arith::CmpIOp::create(
                      b, loc, arith::CmpIPredicate::slt, sign,
                      arith::ConstantIntOp::create(b, loc, 0, 32));
                  Value bits = arith::SelectOp::create(b, loc, isNegative,
                                                       small(3), small(1));
                  bits = arith::SelectOp::create(b, loc, isFar, bits, small(0));
                  return cache.writeBits(before, head, position, feature, bits);
                });
  }

  /// The pages with one token's numbers at `position` of the page that the
  /// table names, if it is one.
  Value writeInPage(Value pages, ValueRange head, Value token, Value position) {
    Value size = i.constant(op.getPageSize());
    Value number = arith::IndexCastOp::create(
        b, loc, b.getIndexType(),
        tensor::ExtractOp::create(b, loc, op.getPages(),
                                  ValueRange{head[0], i.div(position, size)}));
    // A number below 0 is a large one here.
    Value isPage = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                                         number, dim(pages, 0));
    auto branch = scf::IfOp::create(b, loc, pages.getType(), isPage,
                                    /*withElse=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(b, loc, pages);
    b.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(b, loc,
                         writeNumbers(pages, head, token, {number, head[1]},
                                      i.rem(position, size)));
    return branch.getResult(0);
  }

  /// The pages with one token's numbers and scales: token `token` of `head` as
  /// position `position` of `place`.
  Value writeNumbers(Value pages, ValueRange head, Value token,
                     ValueRange place, Value position) {
    Value finite = isFinite(head, token);
    int64_t group = encoding.getScaleFeatures(features);
    float limit = encoding.getCacheLimit();
    for (int64_t first = 0; first < features; first += group) {
      Value from = i.constant(first),
            end = i.constant(std::min(first + group, features));
      // Bits without a sign compare like the numbers.
      Value largest =
          loop(from, end, arith::ConstantIntOp::create(b, loc, 0, 32),
               [&](Value feature, Value before) -> Value {
                 return arith::MaxUIOp::create(
                     b, loc, before,
                     bitsOf(absolute(element(head, token, feature))));
               });
      Value scale = arith::DivFOp::create(
          b, loc, arith::BitcastOp::create(b, loc, f32, largest),
          number(limit));
      auto stored = cast<FloatType>(encoding.getScaleType());
      Value kept = scale;
      if (!stored.isF32()) {
        kept = arith::TruncFOp::create(b, loc, stored, scale);
        scale = arith::ExtFOp::create(b, loc, f32, kept);
      }
      Value none = arith::ConstantOp::create(
          b, loc,
          FloatAttr::get(stored, APFloat::getQNaN(stored.getFloatSemantics())));
      kept = arith::SelectOp::create(b, loc, finite, kept, none);
      pages = cache.writeTokenScale(pages, place, position, from, kept);
      Value isSome =
          arith::AndIOp::create(b, loc, finite, isGreater(scale, number(0)));
      Value divisor = arith::SelectOp::create(b, loc, isSome, scale, number(1));
      pages = loop(from, end, pages, [&](Value feature, Value before) -> Value {
        Value quotient = arith::DivFOp::create(
            b, loc, element(head, token, feature), divisor);
        quotient = arith::MinNumFOp::create(b, loc, quotient, number(limit));
        quotient = arith::MaxNumFOp::create(b, loc, quotient, number(-limit));
        // The nearest integer, ties to even, is in the lower bits then.
        Value code = encoding.isFloatCache()
                         ? emitBitsOfE4M3(b, loc, quotient)
                         : bitsOf(arith::AddFOp::create(b, loc, quotient,
                                                        number(12582912.0f)));
        Value bits = arith::SelectOp::create(
            b, loc, isSome, code, arith::ConstantIntOp::create(b, loc, 0, 32));
        bits = arith::TruncIOp::create(b, loc, b.getI8Type(), bits);
        return cache.writeBits(before, place, position, feature, bits);
      });
    }
    return pages;
  }

  /// The threshold of a token, and the pages with its scale.
  std::pair<Value, Value> writeScale(Value pages, ValueRange head, Value token,
                                     Value position, Value finite) {
    auto magnitude = [&](Value feature) {
      return absolute(element(head, token, feature));
    };
    Value mean = arith::DivFOp::create(b, loc, sum(magnitude),
                                       number(static_cast<float>(features)));
    bool isTwn = *op.getMethod() == TernaryMethod::Twn;
    Value limit = times(mean, isTwn ? 0.7f : 0.5f), scale = mean;
    if (isTwn) {
      Value kept = sum([&](Value feature) -> Value {
        Value size = magnitude(feature);
        return arith::SelectOp::create(b, loc, isGreater(size, limit), size,
                                       number(0));
      });
      // Counts are exact in any order.
      Value count = sum([&](Value feature) -> Value {
        return arith::SelectOp::create(
            b, loc, isGreater(magnitude(feature), limit), number(1), number(0));
      });
      Value isSome = isGreater(count, number(0));
      Value divisor = arith::SelectOp::create(b, loc, isSome, count, number(1));
      scale = arith::SelectOp::create(
          b, loc, isSome, arith::DivFOp::create(b, loc, kept, divisor),
          number(0));
    }
    auto stored = cast<FloatType>(encoding.getScaleType());
    if (!stored.isF32())
      scale = arith::TruncFOp::create(b, loc, stored, scale);
    Value none = arith::ConstantOp::create(
        b, loc,
        FloatAttr::get(stored, APFloat::getQNaN(stored.getFloatSemantics())));
    scale = arith::SelectOp::create(b, loc, finite, scale, none);
    return {limit,
            cache.writeTokenScale(pages, head, position, i.constant(0), scale)};
  }

  OpBuilder &b;
  CacheAppendOp op;
  Location loc;
  RankedTensorType type;
  TernaryAttr encoding;
  int64_t features;
  Type f32;
  IndexBuilder i;
  CachePages cache;
};

} // namespace

Value cpu::createAppended(OpBuilder &b, CacheAppendOp op, Value pages,
                          RankedTensorType type) {
  return AppendLowering(b, op, type).create(pages);
}
