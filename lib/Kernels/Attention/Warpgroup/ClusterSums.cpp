//===- ClusterSums.cpp - Sums of blocks that divide the keys --------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Attention/Warpgroup/ClusterSums.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

namespace {

/// Arithmetic on a number for each row.
struct Columns {
  KernelBuilder &b;
  FragType type;

  static Value number(OpBuilder &inner, Location loc, float value) {
    return arith::ConstantOp::create(inner, loc, inner.getF32FloatAttr(value));
  }
  Value max(Value x, Value y) {
    return b.map(type, {x, y}, [&](OpBuilder &inner, ValueRange in) -> Value {
      return arith::MaxNumFOp::create(inner, b.loc, in[0], in[1]);
    });
  }
  /// exp(lse - largest), zero of a row without keys, also where no block has
  /// any.
  Value weight(Value lse, Value largest) {
    return b.map(
        type, {lse, largest}, [&](OpBuilder &inner, ValueRange in) -> Value {
          Value below = arith::SubFOp::create(inner, b.loc, in[0], in[1]);
          Value power = math::ExpOp::create(inner, b.loc, below);
          Value empty =
              arith::CmpFOp::create(inner, b.loc, arith::CmpFPredicate::OEQ,
                                    in[0], number(inner, b.loc, -INFINITY));
          return arith::SelectOp::create(inner, b.loc, empty,
                                         number(inner, b.loc, 0.0f), power);
        });
  }
  Value plus(Value x, Value y) {
    return b.map(type, {x, y}, [&](OpBuilder &inner, ValueRange in) -> Value {
      return arith::AddFOp::create(inner, b.loc, in[0], in[1]);
    });
  }
  /// x / sum; zero of a row without keys.
  Value share(Value x, Value sum) {
    return b.map(type, {x, sum}, [&](OpBuilder &inner, ValueRange in) -> Value {
      Value quotient = arith::DivFOp::create(inner, b.loc, in[0], in[1]);
      return arith::SelectOp::create(inner, b.loc, isZero(inner, in[1]),
                                     number(inner, b.loc, 0.0f), quotient);
    });
  }
  Value logSum(Value largest, Value sum) {
    return b.map(
        type, {largest, sum}, [&](OpBuilder &inner, ValueRange in) -> Value {
          Value log = math::LogOp::create(inner, b.loc, in[1]);
          Value lse = arith::AddFOp::create(inner, b.loc, in[0], log);
          return arith::SelectOp::create(inner, b.loc, isZero(inner, in[1]),
                                         number(inner, b.loc, -INFINITY), lse);
        });
  }

private:
  Value isZero(OpBuilder &inner, Value x) {
    return arith::CmpFOp::create(inner, b.loc, arith::CmpFPredicate::OEQ, x,
                                 number(inner, b.loc, 0.0f));
  }
};

} // namespace

void ClusterSums::addUp(KernelBuilder &b, int64_t blocks, Value rank,
                        Value ring) {
  OpBuilder &builder = b.builder;
  Columns columns{b, cast<FragType>(lse.getType())};
  column = b.index(0);
  int64_t offset = 0;
  for (int64_t round = 1; round < blocks; round *= 2) {
    Value bit = b.rem(b.div(rank, round), 2);
    Value later = arith::CmpIOp::create(
        builder, b.loc, arith::CmpIPredicate::ne, bit, b.index(0));
    auto [kept, given] = b.halves(means, later);
    auto half = cast<FragType>(kept.getType());
    Value partner = arith::XOrIOp::create(builder, b.loc, rank, b.index(round));
    auto exchange =
        DsmemExchangeOp::create(builder, b.loc, TypeRange{half, columns.type},
                                ValueRange{given, lse}, partner, ring, offset);
    offset += exchange.getBytes();

    Value theirs = exchange.getResult(1);
    Value largest = columns.max(lse, theirs);
    Value own = columns.weight(lse, largest);
    Value other = columns.weight(theirs, largest);
    Value sum = columns.plus(own, other);
    auto spread = [&](Value weight) -> Value {
      return BroadcastOp::create(builder, b.loc, half,
                                 columns.share(weight, sum));
    };
    means =
        b.map(half, {kept, spread(own), exchange.getResult(0), spread(other)},
              [&](OpBuilder &inner, ValueRange in) -> Value {
                Value first = arith::MulFOp::create(inner, b.loc, in[0], in[1]);
                return math::FmaOp::create(inner, b.loc, in[2], in[3], first);
              });
    lse = columns.logSum(largest, sum);
    column = b.add(column, b.mul(bit, half.getShape()[1]));
  }
}
