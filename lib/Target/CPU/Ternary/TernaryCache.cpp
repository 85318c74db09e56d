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
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::sparseflow;

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
               Value element =
                   cpu::CachePages(b, loc, type)
                       .readElement(pages, {at[0], at[1]}, at[2], at[3]);
               linalg::YieldOp::create(b, loc, element);
             })
      .getResult(0);
}

LogicalResult mlir::sparseflow::cpu::lowerCaches(func::FuncOp function) {
  IRRewriter rewriter(function.getContext());
  // Appends change pages: what they return are pages that others read.
  if (failed(verifyUpdates(function)))
    return failure();
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
  SmallVector<CacheAppendOp> appends =
      llvm::filter_to_vector(function.getOps<CacheAppendOp>(),
                             [](CacheAppendOp op) { return !op.isDense(); });
  for (CacheAppendOp op : appends) {
    auto type = cast<RankedTensorType>(op.getCache().getType());
    Value before = pages.lookup(op.getCache()).getResult(0);
    rewriter.setInsertionPoint(op);
    Value after = cpu::createAppended(rewriter, op, before, type);
    values[op.getResult()] =
        createCacheValues(rewriter, op.getLoc(), after, type);
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
    Value k = values.lookup(op.getK());
    Value v = op.getMode() == AttentionMode::TernaryKeysValues
                  ? values.lookup(op.getV())
                  : op.getV();
    if (!k || !v)
      return op.emitOpError("expected ternary keys and values to be "
                            "arguments of the function, or what "
                            "sparseflow.cache_append made of them, found the "
                            "result of another op; pass the cache as an "
                            "argument");
    lowerAttention(rewriter, op, k, v);
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
