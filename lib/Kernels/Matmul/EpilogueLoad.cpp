//===- EpilogueLoad.cpp - Operands by TMA ---------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/EpilogueLoad.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

// Features of a box: the 128 bytes that the swizzle spans.
static constexpr int64_t kBoxFeatures = 64;
static constexpr int64_t kGroupWarps = 4, kWarpFeatures = 16;
EpilogueLoad::EpilogueLoad(const MatmulKernel &spec, KernelBuilder &b,
                           const SmallVector<Value> &views)
    : spec(spec), b(b), views(views) {
  const ScheduleAttr &schedule = spec.schedule;
  groups = schedule.getNumConsumerWarps() / kGroupWarps;
  pieces = schedule.getBlock()[0] / (groups * kBoxFeatures);
  boxes =
      schedule.getBlock()[1] / schedule.getSplitK() / schedule.getStoreTokens();
  for (auto [index, operand] : llvm::enumerate(spec.operands))
    if (spec.isFetched(operand))
      operands.push_back(index);
}

void EpilogueLoad::makeRing() {
  if (operands.empty())
    return;
  MLIRContext *context = b.builder.getContext();
  SmallVector<TileType> tiles;
  for (size_t index : operands)
    tiles.append(
        groups,
        TileType::get(context, {spec.schedule.getStoreTokens(), kBoxFeatures},
                      spec.operands[index].elementType, Order::Swizzled));
  ring = RingOp::create(b.builder, b.loc,
                        RingType::get(context, spec.operandStages(), tiles),
                        IntegerAttr(), IntegerAttr());
}

Value EpilogueLoad::position(Value tile, Value number) {
  return b.add(b.mul(tile, pieces * boxes), number);
}

void EpilogueLoad::copyTile(Value feature, Value token, Value tile) {
  if (operands.empty())
    return;
  OpBuilder &builder = b.builder;
  SmallVector<Type> slots;
  for (TileType type : cast<RingType>(ring.getType()).getTiles())
    slots.push_back(SlotType::get(builder.getContext(), type.getShape(),
                                  type.getElementType(), type.getOrder()));
  auto loop = scf::ForOp::create(builder, b.loc, b.index(0),
                                 b.index(pieces * boxes), b.index(1));
  b.keepRolled(loop);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value number = loop.getInductionVar();
  Value at = position(tile, number);
  auto acquired = AcquireOp::create(builder, b.loc, slots, ring, at);
  Value row = b.add(token, b.toI64(b.mul(b.rem(number, boxes),
                                         spec.schedule.getStoreTokens())));
  Value piece = b.toI64(b.mul(b.div(number, boxes), kBoxFeatures));
  for (auto [index, slot] : llvm::enumerate(acquired.getSlots())) {
    int64_t group = index % groups;
    Value col = b.add(b.add(feature, piece), group * pieces * kBoxFeatures);
    CopyOp::create(builder, b.loc, views[operands[index / groups]], row, col,
                   slot, TmaAttr::get(builder.getContext()), IntegerAttr(),
                   UnitAttr(), UnitAttr());
  }
  CommitOp::create(builder, b.loc, ring, at);
}

void EpilogueLoad::openBox(Value tile, int64_t number) {
  openTiles.clear();
  if (operands.empty())
    return;
  OpBuilder &builder = b.builder;
  ArrayRef<TileType> types = cast<RingType>(ring.getType()).getTiles();
  openPosition = position(tile, b.index(number));
  ValueRange tiles = WaitOp::create(builder, b.loc, SmallVector<Type>(types),
                                    ring, openPosition)
                         .getTiles();
  Value group = b.div(WarpIdOp::create(builder, b.loc, builder.getIndexType()),
                      kGroupWarps);
  for (size_t place = 0; place < operands.size(); ++place) {
    Value mine = tiles[place * groups];
    for (int64_t other = 1; other < groups; ++other) {
      Value chosen = arith::CmpIOp::create(
          builder, b.loc, arith::CmpIPredicate::eq, group, b.index(other));
      mine = arith::SelectOp::create(builder, b.loc, chosen,
                                     tiles[place * groups + other], mine);
    }
    openTiles.push_back(mine);
  }
}

SmallVector<Value> EpilogueLoad::take(int64_t first, int64_t tokens,
                                      Value feature, LayoutAttr layout) {
  SmallVector<Value> taken(spec.operands.size());
  for (auto [index, tile] : llvm::zip(operands, openTiles)) {
    FragType type = b.frag({kWarpFeatures, tokens},
                           spec.operands[index].elementType, layout);
    taken[index] =
        TakeOp::create(b.builder, b.loc, type, tile, b.index(first), feature,
                       LdMatrixAttr::get(b.builder.getContext()));
  }
  return taken;
}

void EpilogueLoad::closeBox() {
  if (!operands.empty())
    ReleaseOp::create(b.builder, b.loc, ring, openPosition);
}
