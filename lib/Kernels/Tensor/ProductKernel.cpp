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
// or with K adjacent: a tile is as the memory is, and ldmatrix transposes what
// lies across. Rows of A are rows of the MMAs, so that a lane has adjacent
// columns of C.
//
//===----------------------------------------------------------------------===//

#include "Kernels/Tensor/ProductKernel.h"
#include "Kernels/Support/HostIntegers.h"
#include "Kernels/Support/Pipeline.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

// Columns of one accumulator fragment: what one ldmatrix loads for a K step.
static constexpr int64_t kPiece = 16;

namespace {

class ProductGenerator {
public:
  ProductGenerator(const ProductKernel &spec, OpBuilder &builder)
      : spec(spec), schedule(spec.schedule), builder(builder), loc(spec.loc),
        b(builder, spec.loc, spec.name, /*pointers=*/3,
          std::max<int64_t>(llvm::count_if(spec.sizes, ShapedType::isDynamic),
                            1),
          schedule.getNumWarps(), schedule),
        tileA(spec.aIsAcross, schedule.getBlock()[1], spec, builder),
        tileB(spec.bIsAcross, schedule.getBlock()[0], spec, builder),
        pipeline(b, schedule.getStages(), {tileA.type, tileB.type}) {
    MLIRContext *context = builder.getContext();
    mma = MmaSyncAttr::get(context, kPiece, spec.operandType);
    ldmatrix = LdMatrixAttr::get(context);
    accumulator = b.frag({schedule.getWarp()[1], kPiece}, builder.getF32Type(),
                         LayoutAttr::get(context, mma.getLayoutC()));
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
  /// A tile of an operand: rows of it and columns of K, or the other way.
  struct OperandTile {
    OperandTile(bool isAcross, int64_t rows, const ProductKernel &spec,
                OpBuilder &builder)
        : isAcross(isAcross) {
      int64_t k = spec.schedule.getK();
      type = TileType::get(builder.getContext(),
                           isAcross ? ArrayRef{k, rows} : ArrayRef{rows, k},
                           spec.operandType, Order::Swizzled);
    }
    bool isAcross;
    TileType type;
    /// Where the block's batch iteration begins, rows and pitch (i64), and the
    /// first row of the block (index).
    Value pointer, rows, pitch, first;
  };

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
    int64_t columns = schedule.getBlock()[0], rows = schedule.getBlock()[1];
    Value id = b.blockId();
    Value across = tilesOf(kColumns, columns), down = tilesOf(kRows, rows);
    tileB.first = b.mul(b.rem(id, across), columns);
    id = b.div(id, across);
    tileA.first = b.mul(b.rem(id, down), rows);
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
    int64_t columns = schedule.getWarp()[0], rows = schedule.getWarp()[1];
    int64_t across = schedule.getBlock()[0] / columns;
    Value warp = WarpIdOp::create(builder, loc, builder.getIndexType());
    warpColumn = b.mul(b.rem(warp, across), columns);
    warpRow = b.mul(b.div(warp, across), rows);
  }

  //===--------------------------------------------------------------------===//
  // The loop over stages
  //===--------------------------------------------------------------------===//

  /// Starts the copy of K from `k` (index) on. What lies outside becomes zero;
  /// behind the last stage that is everything.
  void copy(const OperandTile &tile, Value k, Value isInside, Value slot,
            CopyAtomInterface atom) {
    Value rows = tile.isAcross ? depth : tile.rows;
    rows = arith::SelectOp::create(builder, loc, isInside, rows, b.i64(0));
    Value view = ViewOp::create(
        builder, loc,
        ViewType::get(builder.getContext(), spec.operandType, Order::RowMajor),
        tile.pointer, rows, tile.isAcross ? tile.rows : depth, tile.pitch);
    Value first = b.toI64(tile.first), at = b.toI64(k);
    CopyOp::create(builder, loc, view, tile.isAcross ? at : first,
                   tile.isAcross ? first : at, slot, /*rows=*/Value(), atom,
                   IntegerAttr(), UnitAttr(), UnitAttr());
  }

  void fill(Value position) {
    SmallVector<Value> slots = pipeline.acquire(position);
    Value isInside = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::slt, position, stageCount);
    Value k = b.mul(position, schedule.getK());
    copy(tileA, k, isInside, slots[0], spec.copyA);
    copy(tileB, k, isInside, slots[1], spec.copyB);
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

  void multiply(ArrayRef<Value> stage, MutableArrayRef<Value> sums) {
    for (int64_t k = 0; k < schedule.getK(); k += kPiece) {
      Value a = load(tileA, stage[0], warpRow, schedule.getWarp()[1], k,
                     mma.getLayoutA());
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
    SmallVector<Value> start(schedule.getWarp()[0] / kPiece, none);
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

  void store(ArrayRef<Value> sums) {
    Value view = ViewOp::create(
        builder, loc,
        ViewType::get(builder.getContext(), spec.resultType, Order::RowMajor),
        result, tileA.rows, tileB.rows, size(kPitchC));
    Value row = b.toI64(sum(tileA.first, warpRow));
    Value column = b.toI64(sum(tileB.first, warpColumn));
    for (auto [piece, value] : llvm::enumerate(sums)) {
      Value rounded = value;
      if (!spec.resultType.isF32())
        rounded = b.map(b.frag({schedule.getWarp()[1], kPiece}, spec.resultType,
                               accumulator.getLayout()),
                        value, [&](OpBuilder &inner, ValueRange inputs) {
                          return arith::TruncFOp::create(
                              inner, loc, spec.resultType, inputs[0]);
                        });
      StoreOp::create(builder, loc, rounded, view, row,
                      b.add(column, int64_t(piece) * kPiece), Access::Direct,
                      spec.storeWidth);
    }
  }

  const ProductKernel &spec;
  ScheduleAttr schedule;
  OpBuilder &builder;
  Location loc;
  KernelBuilder b;
  OperandTile tileA, tileB;
  Pipeline pipeline;
  MmaSyncAttr mma;
  MatrixAtomInterface ldmatrix;
  FragType accumulator;
  Value result, depth, stageCount, warpRow, warpColumn;
};

} // namespace

gpu::GPUFuncOp ProductKernel::generate(OpBuilder &builder) const {
  OpBuilder::InsertionGuard guard(builder);
  return ProductGenerator(*this, builder).run();
}

Value ProductKernel::gridSize(OpBuilder &builder, ArrayRef<Value> all) const {
  HostIntegers host{builder, loc};
  Value grid = host.mul(host.ceilDiv(all[kRows], schedule.getBlock()[1]),
                        host.ceilDiv(all[kColumns], schedule.getBlock()[0]));
  for (size_t at = kFirstBatch; at < all.size(); at += kPerBatch)
    grid = host.mul(grid, all[at]);
  return grid;
}
