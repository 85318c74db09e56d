//===- LowerCacheAppend.cpp - Appends to dense caches as linalg -----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SparseFlow/Transforms/LowerAttention.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::sparseflow;

/// Each element of the cache is one of a new token, or what it was.
linalg::GenericOp mlir::sparseflow::createAppended(OpBuilder &b,
                                                   CacheAppendOp op) {
  assert(op.isDense() && !op.getPages() && "not pages");
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op.getCache().getType());
  unsigned sequence = op.getSequenceDim();
  AffineMap identity = b.getMultiDimIdentityMap(4);
  AffineMap entry = identity.getMajorSubMap(1);
  SmallVector<utils::IteratorType> parallel(4, utils::IteratorType::parallel);
  return linalg::GenericOp::create(
      b, loc, type, op.getLengths(), op.getCache(), ArrayRef{entry, identity},
      parallel, [&](OpBuilder &b, Location loc, ValueRange arguments) {
        SmallVector<Value> at;
        for (unsigned dim = 0; dim < 4; ++dim)
          at.push_back(linalg::IndexOp::create(b, loc, dim));
        auto index = [&](int64_t value) -> Value {
          return arith::ConstantIndexOp::create(b, loc, value);
        };
        Value length =
            arith::IndexCastOp::create(b, loc, b.getIndexType(), arguments[0]);
        Value token = arith::SubIOp::create(b, loc, at[sequence], length);
        Value count =
            tensor::DimOp::create(b, loc, op.getTokens(), index(sequence));
        Value isNew = arith::AndIOp::create(
            b, loc,
            arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, token,
                                  index(0)),
            arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, token,
                                  count));
        // Some token is read for every position.
        at[sequence] = arith::SelectOp::create(b, loc, isNew, token, index(0));
        Value read = tensor::ExtractOp::create(b, loc, op.getTokens(), at);
        Value kept = arith::SelectOp::create(b, loc, isNew, read, arguments[1]);
        linalg::YieldOp::create(b, loc, kept);
      });
}

/// Token after token goes where the table says: which token a position has, if
/// any, cannot be said without a search.
Value mlir::sparseflow::createAppendedToPages(OpBuilder &b, CacheAppendOp op) {
  assert(op.isDense() && op.getPages() && "pages");
  Location loc = op.getLoc();
  unsigned sequence = op.getSequenceDim();
  Value tokens = op.getTokens();
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  auto sizeOf = [&](Value tensor, int64_t dim) -> Value {
    return tensor::DimOp::create(b, loc, tensor, index(dim));
  };
  auto toIndex = [&](Value tensor, ValueRange at) -> Value {
    Value read = tensor::ExtractOp::create(b, loc, tensor, at);
    return arith::IndexCastOp::create(b, loc, b.getIndexType(), read);
  };
  Value zero = index(0), one = index(1), page = index(op.getPageSize());
  Value count = sizeOf(op.getCache(), 0);
  Value end = arith::MulIOp::create(b, loc, sizeOf(op.getPages(), 1), page);
  /// `write` where 0 <= number < `limit`, the cache as it is elsewhere.
  auto guarded = [&](Value number, Value limit, Value cache,
                     function_ref<Value()> write) -> Value {
    Value isInside = arith::AndIOp::create(
        b, loc,
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, number, zero),
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, number,
                              limit));
    auto branch = scf::IfOp::create(b, loc, cache.getType(), isInside,
                                    /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(b, loc, cache);
    b.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(b, loc, write());
    return branch.getResult(0);
  };
  auto loop = [&](Value size, Value cache,
                  function_ref<Value(Value, Value)> body) -> Value {
    auto each = scf::ForOp::create(b, loc, zero, size, one, cache);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(each.getBody());
    scf::YieldOp::create(
        b, loc, body(each.getInductionVar(), each.getRegionIterArg(0)));
    return each.getResult(0);
  };
  SmallVector<OpFoldResult> sizes, strides(4, b.getIndexAttr(1));
  for (unsigned dim = 0; dim < 4; ++dim)
    sizes.push_back(dim == 0 || dim == sequence
                        ? OpFoldResult(b.getIndexAttr(1))
                        : tensor::getMixedSize(b, loc, tokens, dim));
  auto placed = [&](Value entry, Value row) {
    SmallVector<OpFoldResult> offsets(4, b.getIndexAttr(0));
    offsets[0] = entry;
    offsets[sequence] = row;
    return offsets;
  };
  return loop(sizeOf(tokens, 0), op.getCache(), [&](Value entry, Value cache) {
    Value length = toIndex(op.getLengths(), entry);
    return loop(sizeOf(tokens, sequence), cache, [&](Value t, Value cache) {
      Value position = arith::AddIOp::create(b, loc, length, t);
      return guarded(position, end, cache, [&] {
        Value column = arith::DivUIOp::create(b, loc, position, page);
        Value row = arith::RemUIOp::create(b, loc, position, page);
        Value number = toIndex(op.getPages(), {entry, column});
        return guarded(number, count, cache, [&]() -> Value {
          Value token = tensor::ExtractSliceOp::create(
              b, loc, tokens, placed(entry, t), sizes, strides);
          return tensor::InsertSliceOp::create(
              b, loc, token, cache, placed(number, row), sizes, strides);
        });
      });
    });
  });
}
