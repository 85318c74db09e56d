//===- ProductKernel.cpp - Products of two activations --------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One role, of all warps, over a ring of stages, as a multistage matmul; but
// all sizes may be dynamic, and either operand may lie in memory with its rows
// or with K adjacent: a tile is as the memory is, and ldmatrix, or wgmma of B,
// transposes what lies across. Rows of A are rows of the MMAs, so that a lane
// has adjacent columns of C.
//
//===----------------------------------------------------------------------===//

#include "Kernels/Tensor/ProductKernel.h"
#include "Kernels/Support/HostIntegers.h"
#include "Kernels/Support/Pipeline.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

// Columns of one accumulator fragment: what one ldmatrix loads for a K step.
static constexpr int64_t kPiece = 16;
// Rows of an MMA of a warpgroup, and columns of a tile that it reads: 128
// bytes.
static constexpr int64_t kGroupRows = 64, kTileColumns = 64;

namespace {

class ProductGenerator {
public:
  ProductGenerator(const ProductKernel &spec, OpBuilder &builder)
      : spec(spec), schedule(spec.schedule), builder(builder), loc(spec.loc),
        b(builder, spec.loc, spec.name, /*pointers=*/3,
          std::max<int64_t>(llvm::count_if(spec.sizes, ShapedType::isDynamic),
                            1),
          schedule.getNumWarps(), schedule),
        shape(spec.tileShape()),
        tileA(spec.aIsAcross, shape.rows, /*columns=*/0, spec, builder),
        tileB(spec.bIsAcross, shape.columns,
              spec.isWarpgroup() ? kTileColumns : 0, spec, builder),
        pipeline(b, schedule.getStages(), tilesOfStage()) {
    MLIRContext *context = builder.getContext();
    mma = MmaSyncAttr::get(context, kPiece, spec.operandType);
    wgmma = WgmmaAttr::get(context, spec.operandType, /*sparse=*/false);
    ldmatrix = LdMatrixAttr::get(context);
    bool isWarpgroup = spec.isWarpgroup();
    accumulator =
        b.frag({shape.warpRows, isWarpgroup ? shape.warpColumns : kPiece},
               builder.getF32Type(),
               LayoutAttr::get(context, isWarpgroup ? wgmma.getLayoutC()
                                                    : mma.getLayoutC()));
  }

  gpu::GPUFuncOp run() {
    if (spec.programmatic)
      b.griddepWait();
    b.openRole("main", schedule.getNumWarps());
    placeBlock();
    placeWarp();
    store(mainloop());
    return b.finish();
  }

private:
  /// A tile of an operand: rows of it and columns of K, or the other way, then
  /// in tiles of at most `mostColumns` where that is not 0.
  struct OperandTile {
    OperandTile(bool isAcross, int64_t rows, int64_t mostColumns,
                const ProductKernel &spec, OpBuilder &builder)
        : isAcross(isAcross) {
      int64_t k = spec.schedule.getK();
      if (isAcross && mostColumns) {
        count = llvm::divideCeil(rows, mostColumns);
        rows = mostColumns;
      }
      type = TileType::get(builder.getContext(),
                           isAcross ? ArrayRef{k, rows} : ArrayRef{rows, k},
                           spec.operandType, Order::Swizzled);
    }
    bool isAcross;
    TileType type;
    int64_t count = 1;
    /// Where the block's batch iteration begins, rows and pitch (i64), and the
    /// first row of the block (index).
    Value pointer, rows, pitch, first;
  };

  SmallVector<TileType> tilesOfStage() const {
    SmallVector<TileType> tiles = {tileA.type};
    tiles.append(tileB.count, tileB.type);
    return tiles;
  }

  /// A size that is known needs no register.
  Value size(int64_t number) {
    if (ShapedType::isStatic(spec.sizes[number]))
      return b.i64(spec.sizes[number]);
    return b.size(llvm::count_if(ArrayRef(spec.sizes).take_front(number),
                                 ShapedType::isDynamic));
  }
  Value index(int64_t number) { return b.toIndex(size(number)); }
  Value product(Value x, Value y) {
    return builder.createOrFold<arith::MulIOp>(loc, x, y);
  }
  Value sum(Value x, Value y) { return b.add(x, y); }
  Value tilesOf(int64_t number, int64_t tile) {
    return b.div(b.add(index(number), tile - 1), tile);
  }

  /// Blocks of one row of tiles are neighbours: they share rows of A.
  void placeBlock() {
    Value id = b.blockId();
    Value across = tilesOf(kColumns, shape.columns);
    Value down = tilesOf(kRows, shape.rows);
    tileB.first = b.mul(b.rem(id, across), shape.columns);
    id = b.div(id, across);
    tileA.first = b.mul(b.rem(id, down), shape.rows);
    Value batch = b.div(id, down);
    Value places[] = {b.index(0), b.index(0), b.index(0)};
    for (int64_t at = int64_t(spec.sizes.size()) - kPerBatch; at >= kFirstBatch;
         at -= kPerBatch) {
      Value own = b.rem(batch, index(at));
      batch = b.div(batch, index(at));
      for (int64_t operand = 0; operand < 3; ++operand)
        places[operand] =
            sum(places[operand], product(own, index(at + 1 + operand)));
    }
    auto place = [&](int64_t operand, Type type) -> Value {
      Value pointer = b.pointer(operand);
      return LLVM::GEPOp::create(builder, loc, pointer.getType(), type, pointer,
                                 b.toI64(places[operand]));
    };
    tileA.pointer = place(0, spec.operandType);
    tileB.pointer = place(1, spec.operandType);
    result = place(2, spec.resultType);
    tileA.rows = size(kRows);
    tileB.rows = size(kColumns);
    tileA.pitch = size(kPitchA);
    tileB.pitch = size(kPitchB);
    depth = size(kDepth);
    stageCount = tilesOf(kDepth, schedule.getK());
  }

  void placeWarp() {
    int64_t across = shape.columns / shape.warpColumns;
    Value warp = WarpIdOp::create(builder, loc, builder.getIndexType());
    warpColumn = b.mul(b.rem(warp, across), shape.warpColumns);
    warpRow = b.mul(b.div(warp, across), shape.warpRows);
  }

  //===--------------------------------------------------------------------===//
  // The loop over stages
  //===--------------------------------------------------------------------===//

  /// Starts the copy of K from `k` (index) on. What lies outside becomes zero;
  /// behind the last stage that is everything.
  void copy(const OperandTile &tile, Value k, Value isInside,
            ArrayRef<Value> slots, CopyAtomInterface atom) {
    Value rows = tile.isAcross ? depth : tile.rows;
    rows = arith::SelectOp::create(builder, loc, isInside, rows, b.i64(0));
    Value view = ViewOp::create(
        builder, loc,
        ViewType::get(builder.getContext(), spec.operandType, Order::RowMajor),
        tile.pointer, rows, tile.isAcross ? tile.rows : depth, tile.pitch);
    Value first = b.toI64(tile.first), at = b.toI64(k);
    for (auto [number, slot] : llvm::enumerate(slots))
      CopyOp::create(
          builder, loc, view, tile.isAcross ? at : first,
          tile.isAcross ? b.add(first, int64_t(number) * kTileColumns) : at,
          slot, /*rows=*/Value(), atom, IntegerAttr(), UnitAttr(), UnitAttr());
  }

  void fill(Value position) {
    SmallVector<Value> slots = pipeline.acquire(position);
    Value isInside = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::slt, position, stageCount);
    Value k = b.mul(position, schedule.getK());
    ArrayRef<Value> all = slots;
    copy(tileA, k, isInside, all.take_front(), spec.copyA);
    copy(tileB, k, isInside, all.drop_front(), spec.copyB);
    pipeline.commit(position);
  }

  /// Operand `tile` of an MMA: rows from `row` (index) on, columns of K from
  /// `k` on.
  Value load(const OperandTile &tile, Value stage, Value row, int64_t rows,
             int64_t k, const LinearLayout &layout) {
    FragType type = b.frag({rows, kPiece}, spec.operandType,
                           LayoutAttr::get(builder.getContext(), layout));
    if (tile.isAcross)
      return LoadOp::create(builder, loc, type, stage, b.index(k), row,
                            Access::Transposed, ldmatrix);
    return LoadOp::create(builder, loc, type, stage, row, b.index(k),
                          Access::Direct, ldmatrix);
  }

  /// MMAs of a warpgroup, which are over when the next stage is waited for: its
  /// barrier gives this one's memory back.
  void multiplyTogether(ArrayRef<Value> stage, Value &sum) {
    Value pending = sum;
    Value row = b.mul(b.div(warpRow, kGroupRows), kGroupRows);
    auto type = PendingType::get(builder.getContext(), accumulator);
    for (int64_t k = 0; k < schedule.getK(); k += wgmma.getK())
      pending = MmaAsyncOp::create(
          builder, loc, type, stage[0], row, b.index(k), stage[1],
          tileB.isAcross ? b.index(k) : warpColumn,
          tileB.isAcross ? b.index(0) : b.index(k), pending,
          /*metadata=*/Value(), IntegerAttr(), wgmma, tileB.isAcross);
    auto group = CommitGroupOp::create(builder, loc, pending, wgmma);
    sum = WaitGroupOp::create(builder, loc, accumulator, group.getResults(),
                              /*held=*/ValueRange(), /*pending=*/0, wgmma)
              .getResult(0);
  }

  void multiply(ArrayRef<Value> stage, MutableArrayRef<Value> sums) {
    if (spec.isWarpgroup())
      return multiplyTogether(stage, sums.front());
    for (int64_t k = 0; k < schedule.getK(); k += kPiece) {
      Value a =
          load(tileA, stage[0], warpRow, shape.warpRows, k, mma.getLayoutA());
      for (auto [piece, sum] : llvm::enumerate(sums)) {
        Value column = b.add(warpColumn, int64_t(piece) * kPiece);
        Value other =
            load(tileB, stage[1], column, kPiece, k, mma.getLayoutB());
        sum = MmaOp::create(builder, loc, accumulator, a, other, sum, Value(),
                            IntegerAttr(), mma);
      }
    }
  }

  SmallVector<Value> mainloop() {
    Value zero =
        arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(0.0f));
    Value none = BroadcastOp::create(builder, loc, accumulator, zero);
    SmallVector<Value> start(shape.warpColumns / accumulator.getShape()[1],
                             none);
    int64_t ahead = schedule.getStages() - 1;
    for (int64_t position = 0; position < ahead; ++position)
      fill(b.index(position));
    auto loop = scf::ForOp::create(builder, loc, b.index(0), stageCount,
                                   b.index(1), start);
    // The gate counts MMAs; a short body would be repeated.
    b.keepRolled(loop);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value position = loop.getInductionVar();
    SmallVector<Value> stage = pipeline.wait(position);
    fill(b.add(position, ahead));
    SmallVector<Value> sums =
        llvm::to_vector_of<Value>(loop.getRegionIterArgs());
    multiply(stage, sums);
    pipeline.release(position);
    scf::YieldOp::create(builder, loc, sums);
    return llvm::to_vector_of<Value>(loop.getResults());
  }

  /// The result's element of a sum, f32.
  Value finish(OpBuilder &inner, Value sum) {
    auto converted = [&](Value value, Type type) -> Value {
      if (value.getType() == type)
        return value;
      return arith::TruncFOp::create(inner, loc, type, value);
    };
    for (linalg::LinalgOp map : spec.maps) {
      Block *block = map.getBlock();
      IRMapping mapping;
      mapping.map(block->getArgument(0),
                  converted(sum, block->getArgument(0).getType()));
      sum = cloneScalars(inner, block->getTerminator()->getOperand(0), mapping);
    }
    return converted(sum, spec.resultType);
  }

  void store(ArrayRef<Value> sums) {
    Value view = ViewOp::create(
        builder, loc,
        ViewType::get(builder.getContext(), spec.resultType, Order::RowMajor),
        result, tileA.rows, tileB.rows, size(kPitchC));
    Value row = b.toI64(sum(tileA.first, warpRow));
    Value column = b.toI64(sum(tileB.first, warpColumn));
    for (auto [piece, value] : llvm::enumerate(sums)) {
      Value finished = value;
      if (!spec.resultType.isF32() || !spec.maps.empty())
        finished = b.map(b.frag(accumulator.getShape(), spec.resultType,
                                accumulator.getLayout()),
                         value, [&](OpBuilder &inner, ValueRange inputs) {
                           return finish(inner, inputs[0]);
                         });
      StoreOp::create(builder, loc, finished, view, row,
                      b.add(column, int64_t(piece) * kPiece), Access::Direct,
                      spec.storeWidth);
    }
  }

  const ProductKernel &spec;
  ScheduleAttr schedule;
  OpBuilder &builder;
  Location loc;
  KernelBuilder b;
  ProductKernel::TileShape shape;
  OperandTile tileA, tileB;
  Pipeline pipeline;
  MmaSyncAttr mma;
  WgmmaAttr wgmma;
  MatrixAtomInterface ldmatrix;
  FragType accumulator;
  Value result, depth, stageCount, warpRow, warpColumn;
};

} // namespace

bool ProductKernel::isWarpgroup() const {
  return schedule.getMultistage() && schedule.getMultistage()->warpgroup;
}

ProductKernel::TileShape ProductKernel::tileShape() const {
  ArrayRef<int64_t> block = schedule.getBlock(), warp = schedule.getWarp();
  // What features are in a matmul, 16 of a warp, are rows of A here.
  if (isWarpgroup())
    return {block[0], block[1], warp[0], warp[1]};
  return {block[1], block[0], warp[1], warp[0]};
}

gpu::GPUFuncOp ProductKernel::generate(OpBuilder &builder) const {
  OpBuilder::InsertionGuard guard(builder);
  return ProductGenerator(*this, builder).run();
}

Value ProductKernel::gridSize(OpBuilder &builder, ArrayRef<Value> all) const {
  HostIntegers host{builder, loc};
  TileShape shape = tileShape();
  Value grid = host.mul(host.ceilDiv(all[kRows], shape.rows),
                        host.ceilDiv(all[kColumns], shape.columns));
  for (size_t at = kFirstBatch; at < all.size(); at += kPerBatch)
    grid = host.mul(grid, all[at]);
  return grid;
}
