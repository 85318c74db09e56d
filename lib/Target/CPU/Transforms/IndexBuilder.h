//===- IndexBuilder.h - Index arithmetic and loops --------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The passes of the CPU device emit loop nests by hand; this builder keeps that
// code readable. Sizes are never negative, so division is unsigned. Operations
// on constants fold at once.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_TARGET_CPU_TRANSFORMS_INDEXBUILDER_H
#define SPARSEFLOW_LIB_TARGET_CPU_TRANSFORMS_INDEXBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"

namespace mlir::sparseflow::cpu {

struct IndexBuilder {
  OpBuilder &b;
  Location loc;

  Value constant(int64_t value) const {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  /// `value` in every lane of a vector of 32-bit integers.
  Value splat(VectorType type, int64_t value) const {
    return arith::ConstantOp::create(
        b, loc, type,
        DenseElementsAttr::get(
            type, b.getI32IntegerAttr(static_cast<int32_t>(value))));
  }
  Value add(Value x, Value y) const {
    return b.createOrFold<arith::AddIOp>(loc, x, y);
  }
  Value sub(Value x, Value y) const {
    return b.createOrFold<arith::SubIOp>(loc, x, y);
  }
  Value mul(Value x, Value y) const {
    return b.createOrFold<arith::MulIOp>(loc, x, y);
  }
  Value div(Value x, Value y) const {
    return b.createOrFold<arith::DivUIOp>(loc, x, y);
  }
  Value rem(Value x, Value y) const {
    return b.createOrFold<arith::RemUIOp>(loc, x, y);
  }
  Value min(Value x, Value y) const {
    return b.createOrFold<arith::MinUIOp>(loc, x, y);
  }
  Value max(Value x, Value y) const {
    return b.createOrFold<arith::MaxUIOp>(loc, x, y);
  }
  Value ceilDiv(Value x, Value y) const {
    return div(add(x, sub(y, constant(1))), y);
  }
  Value add(Value x, int64_t y) const { return add(x, constant(y)); }
  Value mul(Value x, int64_t y) const { return mul(x, constant(y)); }
  Value div(Value x, int64_t y) const { return div(x, constant(y)); }
  Value ceilDiv(Value x, int64_t y) const { return ceilDiv(x, constant(y)); }
  Value dim(Value memref, int64_t index) const {
    return b.createOrFold<memref::DimOp>(loc, memref, index);
  }

  /// `memref` with all dimensions but the last seen as one.
  Value collapseRows(Value memref) const {
    int64_t rank = cast<MemRefType>(memref.getType()).getRank();
    if (rank == 2)
      return memref;
    SmallVector<ReassociationIndices> groups(2);
    for (int64_t i = 0; i + 1 < rank; ++i)
      groups[0].push_back(i);
    groups[1].push_back(rank - 1);
    return memref::CollapseShapeOp::create(b, loc, memref, groups);
  }

  /// for (iv = begin; iv < end; iv += step) body(iv)
  void loop(Value begin, Value end, int64_t step,
            function_ref<void(Value)> body) const {
    scf::ForOp::create(b, loc, begin, end, constant(step), ValueRange(),
                       [&](OpBuilder &, Location, Value iv, ValueRange) {
                         body(iv);
                         scf::YieldOp::create(b, loc);
                       });
  }

  /// body(0) ... body(count - 1), in any order and on any thread.
  void parallel(Value count, function_ref<void(Value)> body) const {
    Value zero = constant(0), one = constant(1);
    scf::ParallelOp::create(
        b, loc, ValueRange(zero), ValueRange(count), ValueRange(one),
        [&](OpBuilder &, Location, ValueRange ivs) { body(ivs.front()); });
  }
};

} // namespace mlir::sparseflow::cpu

#endif // SPARSEFLOW_LIB_TARGET_CPU_TRANSFORMS_INDEXBUILDER_H
