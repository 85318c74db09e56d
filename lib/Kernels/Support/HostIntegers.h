//===- HostIntegers.h - Integers of a launch --------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Grids, tensor maps and workspace are integer arithmetic on the host, in i64.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_SUPPORT_HOSTINTEGERS_H
#define SPARSEFLOW_LIB_KERNELS_SUPPORT_HOSTINTEGERS_H

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mlir::sparseflow {

/// Unsigned integers (i64); what is known at compile time stays known.
struct HostIntegers {
  OpBuilder &builder;
  Location loc;

  Value constant(int64_t value) const {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI64IntegerAttr(value));
  }
  Value add(Value x, Value y) const { return fold<arith::AddIOp>(x, y); }
  Value add(Value x, int64_t y) const { return add(x, constant(y)); }
  Value mul(Value x, Value y) const { return fold<arith::MulIOp>(x, y); }
  Value mul(Value x, int64_t y) const { return mul(x, constant(y)); }
  Value div(Value x, Value y) const { return fold<arith::DivUIOp>(x, y); }
  Value rem(Value x, int64_t y) const {
    return fold<arith::RemUIOp>(x, constant(y));
  }
  Value ceilDiv(Value x, Value y) const {
    return fold<arith::CeilDivUIOp>(x, y);
  }
  Value ceilDiv(Value x, int64_t y) const { return ceilDiv(x, constant(y)); }
  Value min(Value x, Value y) const { return fold<arith::MinUIOp>(x, y); }
  Value min(Value x, int64_t y) const { return min(x, constant(y)); }
  Value max(Value x, Value y) const { return fold<arith::MaxUIOp>(x, y); }
  Value max(Value x, int64_t y) const { return max(x, constant(y)); }

private:
  template <typename Op>
  Value fold(Value x, Value y) const {
    return builder.createOrFold<Op>(loc, x, y);
  }
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_SUPPORT_HOSTINTEGERS_H
