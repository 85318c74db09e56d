//===- TernaryCache.cpp - Values out of the pages of a cache
//----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TernaryCache.h"
#include "IndexBuilder.h"
#include "SparseFlow/Dialect/SparseFlow/Transforms/LowerAttention.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::sparseflow;

namespace {

/// Reads one element; names are those of docs/formats/ternary-cache.md.
class ElementReader {
public:
  ElementReader(OpBuilder &b, Location loc, Value pages, RankedTensorType type)
      : b(b), loc(loc), pages(pages), encoding(getTernaryEncoding(type)),
        features(type.getDimSize(3)), i{b, loc} {}

  /// The f32 at [head[0], head[1], token, feature].
  Value read(ValueRange head, Value token, Value feature) const {
    Value page = i.div(token, TernaryAttr::kPageTokens);
    Value inPage = rem(token, TernaryAttr::kPageTokens);
    auto byteAt = [&](Value at) -> Value {
      return tensor::ExtractOp::create(b, loc, pages,
                                       ValueRange{head[0], head[1], page, at});
    };
    Value trit = readTrit(inPage, feature, byteAt);
    Value scale = readScale(inPage, feature, byteAt);
    return arith::MulFOp::create(b, loc, scale, trit);
  }

private:
  using Bytes = function_ref<Value(Value)>;

  Value rem(Value x, int64_t y) const { return i.rem(x, i.constant(y)); }
  Value number(int64_t value) const {
    return arith::ConstantIntOp::create(b, loc, value, 32);
  }

  Value readTrit(Value token, Value feature, Bytes byteAt) const {
    bool values = encoding.getStorage() == TernaryStorage::ValuePlanes;
    Value row = values ? feature : token, depth = values ? token : feature;
    int64_t words = values ? 1 : llvm::divideCeil(features, 64);
    Value word = i.add(i.mul(i.div(row, 8), words), i.div(depth, 64));
    Value lane = i.add(i.mul(rem(row, 8), 4), i.div(rem(depth, 8), 2));
    Value field = i.div(rem(depth, 64), 8);
    Value place = i.sub(i.add(i.mul(rem(depth, 2), 16), 14), i.mul(field, 2));
    Value at = i.add(i.mul(i.div(word, 4), 512), i.mul(lane, 16));
    at = i.add(i.add(at, i.mul(rem(word, 4), 4)), i.div(place, 8));
    Value byte = arith::ExtUIOp::create(b, loc, b.getI32Type(), byteAt(at));
    Value shift =
        arith::IndexCastUIOp::create(b, loc, b.getI32Type(), rem(place, 8));
    Value bits = arith::ShRUIOp::create(b, loc, byte, shift);
    // 0, 1, or 3 for -1: a number of two bits with a sign.
    Value top = arith::ShLIOp::create(b, loc, bits, number(30));
    Value trit = arith::ShRSIOp::create(b, loc, top, number(30));
    return arith::SIToFPOp::create(b, loc, b.getF32Type(), trit);
  }

  Value readScale(Value token, Value feature, Bytes byteAt) const {
    int64_t group = encoding.getGroup();
    Value place = group == TernaryAttr::kHeadScale    ? i.constant(0)
                  : group == TernaryAttr::kTokenScale ? token
                                                      : i.div(feature, group);
    Type type = encoding.getScaleType();
    int64_t width = type.getIntOrFloatBitWidth() / 8;
    Value at =
        i.add(i.mul(place, width), TernaryAttr::getPagePlaneBytes(features));
    Type bits = b.getIntegerType(width * 8);
    Value value;
    for (int64_t number = 0; number < width; ++number) {
      Value part =
          arith::ExtUIOp::create(b, loc, bits, byteAt(i.add(at, number)));
      Value shift = arith::ConstantIntOp::create(b, loc, bits, 8 * number);
      part = arith::ShLIOp::create(b, loc, part, shift);
      value =
          value ? arith::OrIOp::create(b, loc, value, part).getResult() : part;
    }
    value = arith::BitcastOp::create(b, loc, type, value);
    return width == 4 ? value
                      : arith::ExtFOp::create(b, loc, b.getF32Type(), value)
                            .getResult();
  }

  OpBuilder &b;
  Location loc;
  Value pages;
  TernaryAttr encoding;
  int64_t features;
  cpu::IndexBuilder i;
};

} // namespace

/// The values of a cache of type `type`, whose pages are `pages`, a tensor
/// [B, G, pages, bytes] of i8: scale * trit, a tensor of f32.
static Value createCacheValues(OpBuilder &b, Location loc, Value pages,
                               RankedTensorType type) {
  cpu::IndexBuilder i{b, loc};
  SmallVector<Value> sizes;
  if (type.isDynamicDim(0))
    sizes.push_back(tensor::DimOp::create(b, loc, pages, 0));
  if (type.isDynamicDim(2))
    sizes.push_back(i.mul(tensor::DimOp::create(b, loc, pages, 2),
                          TernaryAttr::kPageTokens));
  Value empty =
      tensor::EmptyOp::create(b, loc, type.getShape(), b.getF32Type(), sizes);
  SmallVector<utils::IteratorType> parallel(4, utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             b, loc, empty.getType(), ValueRange(), empty,
             ArrayRef(b.getMultiDimIdentityMap(4)), parallel,
             [&](OpBuilder &b, Location loc, ValueRange) {
               SmallVector<Value> at;
               for (unsigned dim = 0; dim < 4; ++dim)
                 at.push_back(linalg::IndexOp::create(b, loc, dim));
               Value element = ElementReader(b, loc, pages, type)
                                   .read({at[0], at[1]}, at[2], at[3]);
               linalg::YieldOp::create(b, loc, element);
             })
      .getResult(0);
}

LogicalResult mlir::sparseflow::cpu::lowerCaches(func::FuncOp function) {
  IRRewriter rewriter(function.getContext());
  // What reads pages, and what it reads, while ops still see the cache.
  llvm::MapVector<Value, UnrealizedConversionCastOp> pages;
  DenseMap<Value, Value> values;
  for (BlockArgument argument : function.getArguments()) {
    TernaryAttr encoding = getTernaryEncoding(argument.getType());
    if (!encoding || !encoding.isCache())
      continue;
    auto type = cast<RankedTensorType>(argument.getType());
    rewriter.setInsertionPointToStart(&function.front());
    auto cast = UnrealizedConversionCastOp::create(
        rewriter, argument.getLoc(), encoding.getPagedType(type), argument);
    pages[argument] = cast;
    rewriter.setInsertionPointAfter(cast);
    values[argument] =
        createCacheValues(rewriter, argument.getLoc(), cast.getResult(0), type);
  }
  SmallVector<AttentionOp> attentions;
  function.walk([&](AttentionOp op) {
    if (op.getMode() != AttentionMode::FullPrecision)
      attentions.push_back(op);
  });
  for (AttentionOp op : attentions) {
    Value k = values.lookup(op.getK());
    Value v = op.getMode() == AttentionMode::TernaryKeysValues
                  ? values.lookup(op.getV())
                  : op.getV();
    if (!k || !v)
      return op.emitOpError("expected ternary keys and values to be "
                            "arguments of the function, found the result of "
                            "another op; pass the cache as an argument");
    lowerAttention(rewriter, op, k, v);
  }
  for (auto [cache, cast] : pages) {
    for (Operation *owner : cache.getUsers())
      if (owner != cast && !isa<tensor::DimOp>(owner))
        return owner->emitOpError("cannot read argument ")
               << mlir::cast<BlockArgument>(cache).getArgNumber()
               << ", which is a ternary cache: expected "
                  "sparseflow.attention";
    cache.setType(cast.getResult(0).getType());
    cast.getResult(0).replaceAllUsesWith(cache);
    cast.erase();
  }
  return success();
}
