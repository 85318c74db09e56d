//===- AttentionKernel.cpp - Online softmax on mma and cp.async -----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each warp owns rows of the result and holds their scores, statistics and sums
// in registers. Keys and values come through a ring. For a stage of keys: the
// products with the queries, masks where the stage needs them, the new maximum
// of each row, exponentials relative to it, the old sums corrected, and the
// second product, whose left operand is the exponentials where they are.
//
//===----------------------------------------------------------------------===//

#include "AttentionBlock.h"
#include "SparseFlow/Dialect/SFTile/IR/RowLayouts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

// Keys, and features of the result, of one accumulator fragment: what one
// matrix load brings for a step of depth 16.
static constexpr int64_t kPiece = 16;
// Features of a tile in shared memory: rows of 128 bytes.
static constexpr int64_t kTileCols = 64;

namespace {

class Generator : AttentionBlock {
public:
  Generator(const AttentionKernel &spec, OpBuilder &builder)
      : AttentionBlock(spec, builder, /*maps=*/{}) {
    MLIRContext *context = builder.getContext();
    mma = MmaSyncAttr::get(context, 16, shape.operandType);
    aLayout = LayoutAttr::get(context, mma.getLayoutA());
    bLayout = LayoutAttr::get(context, mma.getLayoutB());
    accLayout = LayoutAttr::get(context, mma.getLayoutC());
    depthSteps = llvm::divideCeil(shape.d, kPiece);
    resultPieces = llvm::divideCeil(shape.dv, kPiece);
  }

  gpu::GPUFuncOp run() {
    makeRing();
    b.openRole("main", schedule.getNumWarps());
    placeBlock(b.blockId());
    boundKeys();
    placeWarp();
    loadQueries();
    SoftmaxState state = mainLoop();
    store(state);
    return b.finish();
  }

private:
  //===--------------------------------------------------------------------===//
  // Shared memory
  //===--------------------------------------------------------------------===//

  /// Widths of the tiles that hold `features` features of a row: as many as are
  /// needed of 64, and a last one that is no wider than it must be.
  static SmallVector<int64_t> tileWidths(int64_t features) {
    SmallVector<int64_t> widths(features / kTileCols, kTileCols);
    if (int64_t rest = features % kTileCols)
      widths.push_back(rest <= 16 ? 16 : rest <= 32 ? 32 : kTileCols);
    return widths;
  }

  void makeRing() {
    for (int64_t width : tileWidths(shape.d))
      tiles.push_back(tile(keysPerStage, width));
    keyTiles = tiles.size();
    for (int64_t width : tileWidths(shape.dv))
      tiles.push_back(tile(keysPerStage, width));
    ring = RingOp::create(
        builder, loc,
        RingType::get(builder.getContext(), schedule.getStages(), tiles),
        IntegerAttr(), IntegerAttr());
  }

  //===--------------------------------------------------------------------===//
  // Queries
  //===--------------------------------------------------------------------===//

  /// Brings the warp's queries into its scratch tile, which holds 64 features
  /// beside the next 64: row r and feature d at (d / 64 * rows + r, d % 64).
  void loadQueries() {
    Value view =
        headView(b.pointer(0), shape.operandType, head, index(kQueries),
                 shape.heads, shape.d, rowCount, schedule.getPacked());
    int64_t width = std::min(llvm::alignTo(shape.d, kPiece), uint64_t(64));
    width = llvm::PowerOf2Ceil(width);
    int64_t chunks = llvm::divideCeil(shape.d, kTileCols);
    queryTile =
        ScratchOp::create(builder, loc, tile(chunks * rows, width),
                          schedule.getNumWarps(), IntegerAttr(), IntegerAttr());
    FragType type = b.frag({rows, kPiece}, shape.operandType, aLayout);
    Value row = b.toI64(b.add(firstRow, warpRow));
    for (int64_t step = 0; step < depthSteps; ++step) {
      // All loads are on their way before the first is waited for.
      queries.push_back(LoadDirectOp::create(builder, loc, type, view, row,
                                             b.i64(step * kPiece),
                                             spec.queryWidth));
    }
    if (schedule.getHeld())
      return;
    for (int64_t step = 0; step < depthSteps; ++step) {
      auto [r, c] = queryPlace(step);
      PutRowsOp::create(builder, loc, queries[step], queryTile, b.index(r),
                        b.index(c));
    }
    queries.clear();
  }

  std::pair<int64_t, int64_t> queryPlace(int64_t step) const {
    int64_t feature = step * kPiece;
    return {feature / kTileCols * rows, feature % kTileCols};
  }

  Value query(int64_t step) {
    if (schedule.getHeld())
      return queries[step];
    auto [r, c] = queryPlace(step);
    return LoadOp::create(builder, loc,
                          b.frag({rows, kPiece}, shape.operandType, aLayout),
                          queryTile, b.index(r), b.index(c),
                          LdMatrixAttr::get(builder.getContext()));
  }

  //===--------------------------------------------------------------------===//
  // Keys and values
  //===--------------------------------------------------------------------===//

  /// Fills position `position` of the ring; past the end with zeros, or, where
  /// all stages are whole, not at all.
  void fill(Value position) {
    SmallVector<Type> slots;
    for (TileType type : tiles)
      slots.push_back(SlotType::get(builder.getContext(), type.getShape(),
                                    type.getElementType(), type.getOrder()));
    auto slot = AcquireOp::create(builder, loc, slots, ring, position);
    Value inside = less(position, stageCount);
    Value rowsInside = length;
    OpBuilder::InsertionGuard guard(builder);
    UnitAttr whole;
    if (wholeStages()) {
      whole = builder.getUnitAttr();
      auto branch = scf::IfOp::create(builder, loc, inside);
      builder.setInsertionPointAfter(branch);
      CommitOp::create(builder, loc, ring, position);
      builder.setInsertionPointToStart(branch.thenBlock());
    } else {
      rowsInside =
          arith::SelectOp::create(builder, loc, inside, length, b.index(0));
    }
    Value key = b.toI64(b.add(startKey, b.mul(position, keysPerStage)));
    auto copy = [&](int64_t pointer, int64_t features, int64_t first,
                    int64_t count, CopyAtomInterface atom) {
      Value view = headView(b.pointer(pointer), shape.operandType, keyHead,
                            index(kKeys), shape.keyHeads, features, rowsInside,
                            /*packed=*/false);
      int64_t col = 0;
      for (int64_t number = first; number < first + count; ++number) {
        int64_t width = tiles[number].getShape()[1];
        CopyOp::create(builder, loc, view, key, b.i64(col),
                       slot.getSlots()[number], atom, IntegerAttr(), whole,
                       col + width <= features ? builder.getUnitAttr()
                                               : UnitAttr());
        col += width;
      }
    };
    copy(1, shape.d, 0, keyTiles, spec.copyKeys);
    copy(2, shape.dv, keyTiles, tiles.size() - keyTiles, spec.copyValues);
    if (!whole)
      CommitOp::create(builder, loc, ring, position);
  }

  //===--------------------------------------------------------------------===//
  // The loop over stages
  //===--------------------------------------------------------------------===//

  SoftmaxState mainLoop() {
    for (int64_t position = 0; position < schedule.getStages() - 1; ++position)
      fill(b.index(position));
    Softmax softmax(b, shape, accLayout, rows);
    SoftmaxState start = softmax.start(resultPieces, kPiece);
    auto loop = scf::ForOp::create(builder, loc, b.index(0), stageCount,
                                   b.index(1), start.values());
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value position = loop.getInductionVar();
    auto ready = WaitOp::create(builder, loc,
                                SmallVector<Type>(tiles.begin(), tiles.end()),
                                ring, position);
    fill(b.add(position, schedule.getStages() - 1));
    SoftmaxState state(loop.getRegionIterArgs());
    SmallVector<Value> scores = multiplyKeys(ready.getTiles());
    if (shape.score)
      scores = applyScore(softmax, scores, kPiece,
                          b.add(startKey, b.mul(position, keysPerStage)));
    else if (shape.scale <= 0.0f)
      scores = softmax.scaled(scores);
    if (hasMasks())
      scores = applyMasks(softmax, scores, position);
    SmallVector<Value> weights = softmax.update(state, scores);
    multiplyValues(ready.getTiles(), weights, state);
    ReleaseOp::create(builder, loc, ring, position);
    scf::YieldOp::create(builder, loc, state.values());
    return SoftmaxState(loop.getResults());
  }

  /// q k^T for the keys of a stage, a fragment for every 16 keys.
  SmallVector<Value> multiplyKeys(ValueRange stage) {
    auto ldmatrix = LdMatrixAttr::get(builder.getContext());
    Value zero =
        arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(0.0f));
    FragType accType = b.frag({rows, kPiece}, f32, accLayout);
    FragType keyType = b.frag({kPiece, kPiece}, shape.operandType, bLayout);
    Value none = SplatOp::create(builder, loc, accType, zero);
    SmallVector<Value> scores(keysPerStage / kPiece, none);
    for (int64_t step = 0; step < depthSteps; ++step) {
      Value a = query(step);
      int64_t feature = step * kPiece;
      for (auto [piece, sum] : llvm::enumerate(scores)) {
        Value keys = LoadOp::create(
            builder, loc, keyType, stage[feature / kTileCols],
            b.index(piece * kPiece), b.index(feature % kTileCols), ldmatrix);
        sum = MmaOp::create(builder, loc, accType, a, keys, sum, Value(),
                            IntegerAttr(), mma);
      }
    }
    return scores;
  }

  /// Adds the weighted values of a stage to the sums.
  void multiplyValues(ValueRange stage, ArrayRef<Value> weights,
                      SoftmaxState &state) {
    auto ldmatrix = LdMatrixAttr::get(builder.getContext());
    FragType aType = b.frag({rows, kPiece}, shape.operandType, aLayout);
    FragType valueType = b.frag({kPiece, kPiece}, shape.operandType, bLayout);
    for (auto [piece, weight] : llvm::enumerate(weights)) {
      Value a = ReinterpretOp::create(builder, loc, aType, weight);
      for (auto [number, sum] : llvm::enumerate(state.sums)) {
        int64_t feature = number * kPiece;
        Value values = LoadTransposedOp::create(
            builder, loc, valueType, stage[keyTiles + feature / kTileCols],
            b.index(piece * kPiece), b.index(feature % kTileCols), ldmatrix);
        sum = MmaOp::create(builder, loc, sum.getType(), a, values, sum,
                            Value(), IntegerAttr(), mma);
      }
    }
  }

  //===--------------------------------------------------------------------===//
  // Scores
  //===--------------------------------------------------------------------===//

  /// Only stages that hold a key which some query of the block may not attend
  /// to run the code of the masks.
  SmallVector<Value> applyMasks(Softmax &softmax, SmallVector<Value> scores,
                                Value stage) {
    Value needed = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::sge, stage, maskedFrom);
    if (maskedBefore)
      needed =
          arith::OrIOp::create(builder, loc, needed, less(stage, maskedBefore));
    SmallVector<Type> types(scores.size(), scores.front().getType());
    auto branch = scf::IfOp::create(builder, loc, types, needed, true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(builder, loc, mask(softmax, scores, kPiece, stage));
    builder.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(builder, loc, scores);
    return llvm::to_vector_of<Value>(branch.getResults());
  }

  MmaAtomInterface mma;
  LayoutAttr aLayout, bLayout;
  int64_t depthSteps, resultPieces, keyTiles = 0;
  SmallVector<TileType> tiles;
  Value ring, queryTile;
  SmallVector<Value> queries;
};

} // namespace

gpu::GPUFuncOp AttentionKernel::generate(OpBuilder &builder) const {
  OpBuilder::InsertionGuard guard(builder);
  gpu::GPUFuncOp kernel = specialised()     ? generateSpecialised(builder)
                          : shape.keyPlanes ? generateTernary(builder)
                                            : Generator(*this, builder).run();
  // Otherwise the assembler may take few registers, for more blocks than there
  // is shared memory for, and spill.
  // Planes need none, and many warps hide what each waits for: 128 registers.
  bool isLight = shape.valuePlanes && schedule.getPacked();
  kernel->setAttr("nvvm.minctasm", builder.getI32IntegerAttr(isLight ? 16 : 1));
  return kernel;
}
