//===- KWarpSums.cpp - Accumulators of warps that divide K ----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/Epilogue/KWarpSums.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

// A register of a warp is a row of shared memory.
static constexpr int64_t kLanes = 32;

static int64_t registersOf(Value fragment) {
  return cast<FragType>(fragment.getType()).getRegistersPerLane();
}

SmallVector<Value> mlir::sparseflow::sumOverKWarps(KernelBuilder &b,
                                                   ScheduleAttr schedule,
                                                   ArrayRef<Value> own) {
  OpBuilder &builder = b.builder;
  int64_t warps = schedule.getNumWarps(), sharers = schedule.getKWarps();
  // Warps with a tile each stand side by side, and those of the next part of K
  // behind them.
  int64_t apart = warps / sharers, registers = 0;
  for (Value sum : own)
    registers += registersOf(sum);
  Type element = cast<FragType>(own.front().getType()).getElementType();
  Value shared = SharedOp::create(
      builder, b.loc,
      TileType::get(builder.getContext(), {(warps - apart) * registers, kLanes},
                    element, Order::RowMajor),
      warps, /*sharers=*/warps);
  Value warp = WarpIdOp::create(builder, b.loc, builder.getIndexType());
  auto openIf = [&](arith::CmpIPredicate predicate) {
    Value condition =
        arith::CmpIOp::create(builder, b.loc, predicate, warp, b.index(apart));
    auto branch = scf::IfOp::create(builder, b.loc, condition);
    builder.setInsertionPointToStart(branch.thenBlock());
  };
  // Calls `body` with each accumulator and its row, from that of warp `place`
  // (index) on.
  auto forRows = [&](Value place, function_ref<void(size_t, Value)> body) {
    Value row = b.mul(place, registers);
    for (auto [number, sum] : llvm::enumerate(own)) {
      body(number, row);
      row = b.add(row, registersOf(sum));
    }
  };
  {
    OpBuilder::InsertionGuard guard(builder);
    openIf(arith::CmpIPredicate::uge);
    forRows(b.add(warp, -apart), [&](size_t number, Value row) {
      StoreOp::create(builder, b.loc, own[number], shared, row, b.index(0),
                      Access::Registers);
    });
  }
  gpu::BarrierOp::create(builder, b.loc);
  openIf(arith::CmpIPredicate::ult);
  SmallVector<Value> sums(own);
  for (int64_t other = 0; other < sharers - 1; ++other)
    forRows(b.add(warp, other * apart), [&](size_t number, Value row) {
      Value more =
          LoadOp::create(builder, b.loc, cast<FragType>(sums[number].getType()),
                         shared, row, b.index(0), Access::Registers);
      sums[number] = b.sum(sums[number], more);
    });
  return sums;
}

void mlir::sparseflow::exchangeOverKWarps(KernelBuilder &b,
                                          ScheduleAttr schedule,
                                          SmallVectorImpl<Value> &sums,
                                          Value part) {
  OpBuilder &builder = b.builder;
  int64_t warps = schedule.getNumConsumerWarps();
  int64_t registers = registersOf(sums.front()) / 2;
  auto rows = static_cast<int64_t>(sums.size()) * registers;
  Type element = cast<FragType>(sums.front().getType()).getElementType();
  Value shared = SharedOp::create(builder, b.loc,
                                  TileType::get(builder.getContext(),
                                                {warps * rows, kLanes}, element,
                                                Order::RowMajor),
                                  warps, /*sharers=*/warps);
  Value warp = WarpIdOp::create(builder, b.loc, builder.getIndexType());
  Value other = b.rem(b.add(warp, warps / 2), warps);
  Value second = arith::CmpIOp::create(builder, b.loc, arith::CmpIPredicate::ne,
                                       part, b.index(0));
  auto rowOf = [&](Value ofWarp, size_t number) {
    return b.add(b.mul(ofWarp, rows), static_cast<int64_t>(number) * registers);
  };
  for (auto [number, sum] : llvm::enumerate(sums)) {
    auto [own, given] = b.halves(sum, second);
    StoreOp::create(builder, b.loc, given, shared, rowOf(warp, number),
                    b.index(0), Access::Registers);
    sum = own;
  }
  sftile::BarrierOp::create(builder, b.loc, BarrierScope::Role);
  for (auto [number, sum] : llvm::enumerate(sums))
    sum = b.sum(sum, LoadOp::create(
                         builder, b.loc, cast<FragType>(sum.getType()), shared,
                         rowOf(other, number), b.index(0), Access::Registers));
  // The next tile's sums take the place of these.
  if (schedule.getGrid())
    sftile::BarrierOp::create(builder, b.loc, BarrierScope::Role);
}
