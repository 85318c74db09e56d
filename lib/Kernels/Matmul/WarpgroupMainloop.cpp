//===- WarpgroupMainloop.cpp - Sums of a tile -----------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/WarpgroupMainloop.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

// Features of a warpgroup in an instruction, of a warp in it, and its warps.
static constexpr int64_t kUnit = 64, kWarpFeatures = 16, kGroupWarps = 4;

WarpgroupMainloop::WarpgroupMainloop(const MatmulKernel &spec, KernelBuilder &b)
    : spec(spec), schedule(spec.schedule), b(b), builder(b.builder),
      loc(spec.loc) {
  MLIRContext *context = builder.getContext();
  if (spec.isTernary()) {
    decoded.emplace(spec, b);
    wgmma = decoded->atom;
  } else {
    wgmma = WgmmaAttr::get(context, spec.operandType, spec.isTwoFour());
  }
  accLayout = LayoutAttr::get(context, wgmma.getLayoutC());
  blockT = schedule.getBlock()[1];
  depth = schedule.getK();
  splits = schedule.getSplitK();
  pieces = schedule.getWarp()[0] / kWarpFeatures;
  // The last parts of a ternary weight's depth may be shorter: what they have
  // too much are columns of zeros behind the last one.
  steps = llvm::divideCeil(llvm::divideCeil(spec.k, depth), splits);
  tiles = spec.stageTiles();
}

void WarpgroupMainloop::begin(Value ringOfStages, Value scales) {
  ring = ringOfStages;
  Value warp = WarpIdOp::create(builder, loc, builder.getIndexType());
  groupFeature = b.mul(b.div(warp, kGroupWarps), pieces * kUnit);
  warpFeature = b.mul(b.rem(warp, kGroupWarps), kWarpFeatures);
  if (spec.scales && !spec.scalesDecoded())
    grouped.emplace(spec, b, *decoded, ring, rows(), scales);
}

/// The first of the warp's rows of each piece in those of a stage.
SmallVector<Value> WarpgroupMainloop::rows() {
  SmallVector<Value> rows;
  for (int64_t piece = 0; piece < pieces; ++piece)
    rows.push_back(b.add(pieceFeature(piece), warpFeature));
  return rows;
}

/// The sums of a tile whose products run before the weights of the next stage
/// are decoded, while other warpgroups multiply: sums and weights of many
/// tokens leave no registers for more.
SmallVector<Value> WarpgroupMainloop::multiplyInTurn(Value position) {
  Running state = fresh();
  auto turn = [&](Value stage) {
    start(stage, state);
    state.sums = finish(state);
    ReleaseOp::create(builder, loc, ring, at(stage));
  };
  turn(position);
  auto loop = scf::ForOp::create(builder, loc, b.i32(1), b.i32(steps), b.i32(1),
                                 state.sums);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  state.sums = llvm::to_vector(ValueRange(loop.getRegionIterArgs()));
  turn(b.add(position, loop.getInductionVar()));
  scf::YieldOp::create(builder, loc, state.sums);
  return loop.getResults();
}

/// The sums of a tile. While the products of a stage run those of the next
/// are started, with weights that are decoded meanwhile if they are ternary;
/// then the stage before is given back. Metadata and decoded weights must
/// stay in their registers as long as the products that read them run, so
/// that a turn of the loop is two stages, each with registers of its own.
SmallVector<Value> WarpgroupMainloop::multiplyTile(Value position) {
  if (grouped)
    return grouped->multiplyTile(position, steps);
  if (decoded && !decoded->leavesRoom(pieces))
    return multiplyInTurn(position);
  Running state = fresh();
  start(position, state);
  leaveOne(state);
  // An odd stage stands before the loop where weights are decoded: behind it
  // ptxas would move them from registers to others.
  int64_t pairs = (steps - 1) / 2, before = 0;
  if (spec.isTernary() && (steps - 1) % 2) {
    advance(position, 1, state);
    before = 1;
  }
  SmallVector<Value> carried = state.sums;
  llvm::append_range(carried, state.held);
  auto loop = scf::ForOp::create(builder, loc, b.i32(0), b.i32(pairs), b.i32(1),
                                 carried);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value stage =
        b.add(b.add(position, before), b.mul(loop.getInductionVar(), 2));
    state.assign(loop.getRegionIterArgs(), pieces);
    advance(stage, 1, state);
    advance(stage, 2, state);
    carried = state.sums;
    llvm::append_range(carried, state.held);
    scf::YieldOp::create(builder, loc, carried);
  }
  state.assign(loop.getResults(), pieces);
  if ((steps - 1) % 2 > before)
    advance(position, steps - 1, state);
  SmallVector<Value> sums = finish(state);
  ReleaseOp::create(builder, loc, ring, at(b.add(position, steps - 1)));
  return sums;
}

/// Adds the parts of a split depth. In each round two blocks share the work:
/// one gives away the sums of the later half of its tokens, the other those
/// of the earlier, so that in the end every block has few tokens and whole
/// sums. Sums are added in one order everywhere.
void WarpgroupMainloop::addParts(SmallVector<Value> &sums, Value rank) {
  int64_t part = blockT;
  for (int64_t round = 1; round < splits; round *= 2) {
    part /= 2;
    Value bit = b.rem(b.div(rank, round), 2);
    Value partner = arith::XOrIOp::create(builder, loc, rank, b.index(round));
    Value later = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                                        bit, b.index(0));
    FragType half =
        b.frag({kWarpFeatures, part}, spec.accumulatorType(), accLayout);
    for (Value &sum : sums) {
      auto partOf = [&](int64_t first) -> Value {
        return SliceOp::create(builder, loc, half, sum, 0, first);
      };
      Value early = partOf(0), late = partOf(part);
      Value kept = arith::SelectOp::create(builder, loc, later, late, early);
      Value given = arith::SelectOp::create(builder, loc, later, early, late);
      sum =
          DsmemReduceOp::create(builder, loc, half, kept, given, partner, ring);
    }
  }
}

FragType WarpgroupMainloop::sumsType() {
  return b.frag({kWarpFeatures, blockT}, spec.accumulatorType(), accLayout);
}

/// Sums of nothing.
WarpgroupMainloop::Running WarpgroupMainloop::fresh() {
  Type type = spec.accumulatorType();
  Value zero =
      arith::ConstantOp::create(builder, loc, type, builder.getZeroAttr(type));
  Value sum = SplatOp::create(builder, loc, sumsType(), zero);
  return {SmallVector<Value>(pieces, sum), {}};
}

/// Waits for all products; returns the sums.
SmallVector<Value> WarpgroupMainloop::finish(Running &state) {
  SmallVector<Type> types(pieces, sumsType());
  return MmaWaitOp::create(builder, loc, types, state.sums, state.held,
                           /*pending=*/0, wgmma)
      .getResults();
}

/// Waits for all groups of products but the youngest; they have read `held`.
void WarpgroupMainloop::leaveOne(Running &state, ValueRange held) {
  state.sums =
      MmaWaitOp::create(builder, loc, TypeRange(ValueRange(state.sums)),
                        state.sums, held, /*pending=*/1, wgmma)
          .getResults();
}

/// Starts the products of stage `position` + `offset`, waits for those of the
/// stage before and gives it back.
void WarpgroupMainloop::advance(Value position, int64_t offset,
                                Running &state) {
  SmallVector<Value> held = state.held;
  start(b.add(position, offset), state);
  leaveOne(state, held);
  ReleaseOp::create(builder, loc, ring, at(b.add(position, offset - 1)));
}

/// Starts the products of one stage, a group.
void WarpgroupMainloop::start(Value position, Running &state) {
  auto ready = WaitOp::create(builder, loc, llvm::to_vector_of<Type>(tiles),
                              ring, at(position));
  state.held.clear();
  if (spec.isTernary())
    decoded->start(ready.getTiles(), rows(), state.sums, state.held);
  else
    startProducts(ready.getTiles(), state);
  state.sums =
      MmaCommitOp::create(builder, loc, state.sums, wgmma).getResults();
}

void WarpgroupMainloop::startProducts(ValueRange stage, Running &state) {
  MLIRContext *context = builder.getContext();
  int64_t step = wgmma.getK();
  if (spec.isTwoFour())
    for (int64_t piece = 0; piece < pieces; ++piece) {
      Value row = b.div(b.add(pieceFeature(piece), warpFeature), 16);
      FragType type = b.frag({1, 32}, builder.getI32Type(),
                             LayoutAttr::get(context, getMetadataLayout()));
      state.held.push_back(LoadOp::create(builder, loc, type, stage[1], row,
                                          b.index(0),
                                          MatrixLoadAtomInterface()));
    }
  for (int64_t k = 0; k < depth; k += step) {
    IntegerAttr selector;
    if (spec.isTwoFour())
      selector = builder.getI64IntegerAttr(k / step);
    for (auto [piece, sum] : llvm::enumerate(state.sums)) {
      Type frag = sum.getType();
      if (auto pending = dyn_cast<PendingType>(frag))
        frag = pending.getFrag();
      sum = MmaAsyncOp::create(
          builder, loc, PendingType::get(context, cast<FragType>(frag)),
          stage[0], pieceFeature(piece), b.index(spec.isTwoFour() ? k / 2 : k),
          stage.back(), b.index(0), b.index(k), sum,
          spec.isTwoFour() ? state.held[piece] : Value(), selector, wgmma);
    }
  }
}

/// The first of the 64 features of the warpgroup's accumulator `piece`.
Value WarpgroupMainloop::pieceFeature(int64_t piece) {
  return b.add(groupFeature, piece * kUnit);
}
