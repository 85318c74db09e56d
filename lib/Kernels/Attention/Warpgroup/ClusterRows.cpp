//===- ClusterRows.cpp - Few rows of blocks that divide keys --------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Attention/Warpgroup/ClusterRows.h"
#include "Kernels/Attention/Sinks/SinkLogits.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

static constexpr int64_t kLanes = 32, kWordBytes = 4;

ClusterRows::ClusterRows(const AttentionKernel &spec, KernelBuilder &b)
    : ThreadCode(b.builder, b.loc), spec(spec), shape(spec.shape), b(b),
      blocks(spec.schedule.getKeyBlocks()) {
  int64_t warps = spec.schedule.getNumConsumerWarps();
  tile = SharedOp::create(builder, loc,
                          TileType::get(builder.getContext(),
                                        {kMostRows, shape.dv + kLseColumns},
                                        f32, Order::RowMajor),
                          warps, /*sharers=*/warps);
}

void ClusterRows::put(Value means, Value lse) {
  Value warp = WarpIdOp::create(builder, loc, builder.getIndexType());
  Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        warp, b.index(0));
  ifTrue(isFirst, [&] {
    auto type = cast<FragType>(means.getType());
    FragType numbers =
        b.frag({type.getShape()[0], kLseColumns}, f32, type.getLayout());
    StoreOp::create(builder, loc, means, tile, b.index(0), b.index(0));
    StoreOp::create(builder, loc,
                    BroadcastOp::create(builder, loc, numbers, lse), tile,
                    b.index(0), b.index(shape.dv));
  });
  sftile::BarrierOp::create(builder, loc, BarrierScope::Cluster);
}

void ClusterRows::storeShare(Value rank, Value result, Value lse, Value sinks) {
  Value thread = add(threadId(), -kLanes * spec.schedule.getProducerWarps());
  int64_t threads = kLanes * spec.schedule.getNumConsumerWarps();
  int64_t pairs = spec.rowsOfTile() * shape.dv / 2;
  int64_t share = llvm::divideCeil(pairs, blocks);
  Value first = mul(b.toI32(rank), share);
  forLoop(thread, integer(share), integer(threads), {},
          [&](Value number, ValueRange) {
            Value pair = add(first, number);
            auto body = [&] { storePair(pair, result, lse, sinks); };
            if (share * blocks == pairs)
              body();
            else
              ifTrue(less(pair, integer(pairs)), body);
            return SmallVector<Value>();
          });
}

void ClusterRows::storePair(Value number, Value result, Value lse,
                            Value sinks) {
  Value row = div(number, shape.dv / 2);
  Value column = mul(rem(number, shape.dv / 2), 2);
  int64_t pitch = cast<TileType>(tile.getType()).getPitch();
  Value rowBytes = mul(row, pitch);
  Value place = add(rowBytes, mul(column, kWordBytes));
  auto pair = VectorType::get({2}, f32);
  SmallVector<Value> lses, means;
  for (int64_t block = 0; block < blocks; ++block) {
    Value memory = AddressOp::create(builder, loc, tile, integer(block));
    lses.push_back(
        load(f32, at(at(memory, rowBytes), shape.dv * kWordBytes), kWordBytes));
    means.push_back(load(pair, at(memory, place), 2 * kWordBytes));
  }
  Value none = floating(-INFINITY), zero = floating(0.0f), largest = none;
  for (Value own : lses)
    largest = arith::MaxNumFOp::create(builder, loc, largest, own);
  auto isEqual = [&](Value x, Value y) -> Value {
    return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, x, y);
  };
  Value weights = zero;
  std::array<Value, 2> sums = {zero, zero};
  for (auto [own, mean] : llvm::zip(lses, means)) {
    Value below = arith::SubFOp::create(builder, loc, own, largest);
    Value power = math::ExpOp::create(builder, loc, below);
    // Also where no block has keys.
    Value weight = select(isEqual(own, none), zero, power);
    weights = arith::AddFOp::create(builder, loc, weights, weight);
    for (auto [number, sum] : llvm::enumerate(sums))
      sum = math::FmaOp::create(
          builder, loc,
          vector::ExtractOp::create(builder, loc, mean, int64_t(number)),
          weight, sum);
  }
  Value isEmpty = isEqual(weights, zero);
  Value inverse =
      select(isEmpty, zero,
             arith::DivFOp::create(builder, loc, floating(1.0f), weights));
  auto logSum = [&]() -> Value {
    Value total = arith::AddFOp::create(
        builder, loc, largest, math::LogOp::create(builder, loc, weights));
    return select(isEmpty, none, total);
  };
  Value sink, ofKeys;
  if (sinks) {
    sink = load(f32, advance(sinks, row, 1, f32), kWordBytes);
    ofKeys = logSum();
    inverse = arith::MulFOp::create(
        builder, loc, inverse,
        withSink(builder, loc, SinkOf::Weight, ofKeys, sink));
  }
  SmallVector<Value> elements;
  for (Value sum : sums) {
    elements.push_back(arith::MulFOp::create(builder, loc, sum, inverse));
    if (shape.resultType != f32)
      elements.back() = arith::TruncFOp::create(builder, loc, shape.resultType,
                                                elements.back());
  }
  Value both = vector::FromElementsOp::create(
      builder, loc, VectorType::get({2}, shape.resultType), elements);
  store(both,
        advance(result, add(mul(row, shape.dv), column), 1, shape.resultType),
        shape.resultType.getIntOrFloatBitWidth() / 4);
  if (!lse)
    return;
  ifTrue(equal(column, 0), [&] {
    Value total =
        sink ? withSink(builder, loc, SinkOf::LogSum, ofKeys, sink) : logSum();
    store(total, advance(lse, row, 1, f32), kWordBytes);
  });
}
