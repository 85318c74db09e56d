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
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::sparseflow;

/// Each element of the cache is one of a new token, or what it was.
linalg::GenericOp mlir::sparseflow::createAppended(OpBuilder &b,
                                                   CacheAppendOp op) {
  assert(op.isDense() && "ternary caches have pages");
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
