//===- TernaryCache.cpp - Values out of the pages of a cache --------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Target/CPU/Ternary/TernaryCache.h"
#include "SparseFlow/Dialect/SparseFlow/Transforms/LowerAttention.h"
#include "SparseFlow/Dialect/SparseFlow/Transforms/Signature.h"
#include "Target/CPU/Ternary/CachePages.h"
#include "Target/CPU/Ternary/CacheValues.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::sparseflow;

namespace {
/// A cache: its pages, a tensor [B, G, pages, bytes] of i8, and its type.
struct Cache {
  Value pages;
  RankedTensorType type;
};
} // namespace

/// How many positions of `cache` the longest of `lengths` reaches, in whole
/// pages.
static Value createUsed(OpBuilder &b, Location loc, const Cache &cache,
                        Value lengths) {
  cpu::IndexBuilder i{b, loc};
  Type i32 = b.getI32Type();
  Value none = arith::ConstantIntOp::create(b, loc, 0, 32);
  Value init = tensor::EmptyOp::create(b, loc, ArrayRef<int64_t>(), i32);
  init = linalg::FillOp::create(b, loc, none, init).getResult(0);
  AffineMap maps[] = {b.getMultiDimIdentityMap(1),
                      AffineMap::get(1, 0, b.getContext())};
  Value most = linalg::GenericOp::create(
                   b, loc, init.getType(), lengths, init, maps,
                   utils::IteratorType::reduction,
                   [](OpBuilder &b, Location loc, ValueRange in) {
                     Value more = arith::MaxSIOp::create(b, loc, in[1], in[0]);
                     linalg::YieldOp::create(b, loc, more);
                   })
                   .getResult(0);
  most = arith::IndexCastOp::create(
      b, loc, b.getIndexType(),
      tensor::ExtractOp::create(b, loc, most, ValueRange()));
  Value pages = i.min(i.ceilDiv(most, TernaryAttr::kPageTokens),
                      tensor::DimOp::create(b, loc, cache.pages, 2));
  return i.mul(pages, TernaryAttr::kPageTokens);
}

/// The values of a cache, or of its first `used` positions: scale * trit, a
/// tensor of f32.
static Value createCacheValues(OpBuilder &b, Location loc, const Cache &cache,
                               Value used) {
  Value pages = cache.pages;
  RankedTensorType type = cache.type;
  cpu::IndexBuilder i{b, loc};
  SmallVector<int64_t> shape(type.getShape());
  SmallVector<Value> sizes;
  if (type.isDynamicDim(0))
    sizes.push_back(tensor::DimOp::create(b, loc, pages, 0));
  if (used)
    shape[2] = ShapedType::kDynamic;
  else if (type.isDynamicDim(2))
    used = i.mul(tensor::DimOp::create(b, loc, pages, 2),
                 TernaryAttr::kPageTokens);
  if (used)
    sizes.push_back(used);
  Value empty = tensor::EmptyOp::create(b, loc, shape, b.getF32Type(), sizes);
  SmallVector<utils::IteratorType> parallel(4, utils::IteratorType::parallel);
  auto values = linalg::GenericOp::create(
      b, loc, empty.getType(), ValueRange(), empty,
      ArrayRef(b.getMultiDimIdentityMap(4)), parallel,
      [&](OpBuilder &b, Location loc, ValueRange) {
        SmallVector<Value> at;
        for (unsigned dim = 0; dim < 4; ++dim)
          at.push_back(linalg::IndexOp::create(b, loc, dim));
        Value element = cpu::CachePages(b, loc, type)
                            .readElement(pages, {at[0], at[1]}, at[2], at[3]);
        linalg::YieldOp::create(b, loc, element);
      });
  if (cpu::hasVectorValues(type))
    values->setAttr(cpu::kCacheValues, TypeAttr::get(type));
  return values.getResult(0);
}

LogicalResult mlir::sparseflow::cpu::lowerCaches(func::FuncOp function) {
  IRRewriter rewriter(function.getContext());
  // Appends change pages: what they return are pages that others read.
  if (failed(verifyUpdates(function)))
    return failure();
  // What reads pages, and what it reads, while ops still see the cache.
  llvm::MapVector<Value, UnrealizedConversionCastOp> pages;
  DenseMap<Value, Cache> caches;
  for (BlockArgument argument : function.getArguments()) {
    TernaryAttr encoding = getTernaryEncoding(argument.getType());
    if (!encoding || !encoding.isCache())
      continue;
    auto type = cast<RankedTensorType>(argument.getType());
    rewriter.setInsertionPointToStart(&function.front());
    auto cast = UnrealizedConversionCastOp::create(
        rewriter, argument.getLoc(), encoding.getPagedType(type), argument);
    pages[argument] = cast;
    caches[argument] = {cast.getResult(0), type};
  }
  SmallVector<CacheAppendOp> appends =
      llvm::filter_to_vector(function.getOps<CacheAppendOp>(),
                             [](CacheAppendOp op) { return !op.isDense(); });
  for (CacheAppendOp op : appends) {
    auto type = cast<RankedTensorType>(op.getCache().getType());
    Value before = pages.lookup(op.getCache()).getResult(0);
    rewriter.setInsertionPoint(op);
    Value after = cpu::createAppended(rewriter, op, before, type);
    caches[op.getResult()] = {after, type};
    for (OpOperand &use : llvm::make_early_inc_range(op.getResult().getUses()))
      if (isa<func::ReturnOp>(use.getOwner()))
        use.set(after);
  }
  SmallVector<AttentionOp> attentions;
  function.walk([&](AttentionOp op) {
    if (op.getMode() != AttentionMode::FullPrecision)
      attentions.push_back(op);
  });
  for (AttentionOp op : attentions) {
    bool isBoth = op.getMode() == AttentionMode::TernaryKeysValues;
    Cache k = caches.lookup(op.getK()), v = caches.lookup(op.getV());
    if (!k.pages || (isBoth && !v.pages))
      return op.emitOpError("expected ternary keys and values to be "
                            "arguments of the function, or what "
                            "sparseflow.cache_append made of them, found the "
                            "result of another op; pass the cache as an "
                            "argument");
    rewriter.setInsertionPoint(op);
    // Keys behind all lengths count for nothing. A page table orders others.
    Value used;
    if (isBoth && op.getLengths() && !op.getPages())
      used = createUsed(rewriter, op.getLoc(), k, op.getLengths());
    Value keys = createCacheValues(rewriter, op.getLoc(), k, used);
    Value values =
        isBoth ? createCacheValues(rewriter, op.getLoc(), v, used) : op.getV();
    lowerAttention(rewriter, op, keys, values);
  }
  for (CacheAppendOp op : appends) {
    for (Operation *reader : llvm::make_early_inc_range(op->getUsers()))
      if (isa<tensor::DimOp>(reader)) // Sizes are those of the argument.
        reader->setOperand(0, op.getCache());
    if (!op.getResult().use_empty())
      return (*op->getUsers().begin())
          ->emitOpError("cannot read the cache that grew: expected "
                        "sparseflow.attention");
    rewriter.eraseOp(op);
  }
  for (auto [cache, cast] : pages) {
    for (Operation *owner : cache.getUsers())
      if (owner != cast && !isa<tensor::DimOp>(owner))
        return owner->emitOpError("cannot read argument ")
               << mlir::cast<BlockArgument>(cache).getArgNumber()
               << ", which is a ternary cache: expected "
                  "sparseflow.attention or sparseflow.cache_append";
    cache.setType(cast.getResult(0).getType());
    cast.getResult(0).replaceAllUsesWith(cache);
    cast.erase();
  }
  return success();
}
