//===- WarpSpecializedMatmul.cpp - Matmul on TMA and wgmma ----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// One warpgroup of the block copies: one of its threads starts bulk copies into
// a ring, as far ahead as the ring is long. The others multiply what has
// arrived, each warpgroup 64 features, or several times 64, by all tokens of
// the block. Blocks are persistent: copies for a tile run while the results of
// the one before leave. Blocks of a cluster compute neighbouring features of
// the same tokens, and each fetches its part of the activations for all.
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/Epilogue.h"
#include "Kernels/Matmul/EpilogueLoad.h"
#include "Kernels/Matmul/WarpgroupMainloop.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

// Packed weights come in units of 64 rows, of 64 columns if they are 2:4.
static constexpr int64_t kUnit = 64;
// Rows of a swizzled tile in bytes.
static constexpr int64_t kSwizzle = 128;
static constexpr int64_t kGroupWarps = 4;
// Features of a warp in an instruction, and tokens that an epilogue treats at
// once: the four matrices of one stmatrix.
static constexpr int64_t kWarpFeatures = 16, kSliceTokens = 16;

namespace {

class WarpSpecializedMatmul {
public:
  WarpSpecializedMatmul(const MatmulKernel &spec, OpBuilder &builder)
      : spec(spec), schedule(spec.schedule), builder(builder), loc(spec.loc),
        b(builder, spec.loc, spec.name, isMap(spec), schedule),
        products(spec, b), steps(products.steps),
        fetched(spec, b, operandViews) {
    boxCols = kSwizzle * 8 / spec.operandType.getIntOrFloatBitWidth();
    blockF = schedule.getBlock()[0];
    blockT = schedule.getBlock()[1];
    depth = schedule.getK();
    cluster = schedule.getCluster();
    splits = schedule.getSplitK();
    if (cluster * splits > 1)
      b.kernel->setAttr("nvvm.cluster_dim",
                        builder.getDenseI32ArrayAttr(
                            {static_cast<int32_t>(cluster * splits), 1, 1}));
    b.kernel->setAttr("nvvm.minctasm", builder.getI32IntegerAttr(1));
  }

  gpu::GPUFuncOp run() {
    makeViews();
    makeRing();
    // No kernel writes packed weights: they may come before others have ended.
    bool early = spec.isTernary();
    if (!early)
      GriddepWaitOp::create(builder, loc);
    RoleOp copying = b.openRole("copy", schedule.getProducerWarps());
    copying.setLeader(true);
    copying.setRegisters(schedule.getProducerRegisters());
    if (early)
      copyFirstStages();
    forEachTile([&](Value feature, Value token, Value position) {
      copyTile(feature, token, position);
      fetched.copyTile(feature, tokenOfPart(token), at(b.div(position, steps)));
    });
    b.openRole("multiply", schedule.getNumConsumerWarps());
    if (early)
      GriddepWaitOp::create(builder, loc);
    consume();
    return b.finish();
  }

private:
  /// A position as operations take it. Tiles, stages and positions are counted
  /// in 32 bits: that saves registers in the loop over the depth.
  Value at(Value position) { return b.toIndex(position); }

  static SmallVector<bool> isMap(const MatmulKernel &spec) {
    return llvm::map_to_vector(spec.mapsOf(),
                               [](const auto &map) { return map.has_value(); });
  }

  Value mapped(int64_t pointer, Type elementType) {
    return ViewOp::create(
        builder, loc,
        ViewType::get(builder.getContext(), elementType, Order::TensorMap),
        b.pointer(pointer));
  }

  Value packed(int64_t pointer, Type elementType, Order order,
               int64_t unitDepth = kUnit, int64_t perUnit = 1) {
    return ViewOp::create(
        builder, loc, ViewType::get(builder.getContext(), elementType, order),
        b.pointer(pointer), b.i64(llvm::divideCeil(spec.n, kUnit)),
        b.i64(llvm::divideCeil(spec.k, unitDepth) * perUnit), Value());
  }

  void makeViews() {
    int64_t next = 0;
    xView = mapped(next++, spec.operandType);
    auto units = [&](Type type, Order order) {
      return spec.boxesWeights() ? mapped(next++, type)
                                 : packed(next++, type, order);
    };
    if (spec.isTwoFour()) {
      wView = units(spec.operandType, Order::Values24);
      metaView = units(builder.getI32Type(), Order::Metadata24);
    } else if (spec.isTernary()) {
      wView = packed(next++, builder.getI32Type(), spec.ternaryOrder(),
                     spec.ternaryUnit(), spec.ternaryPieces() * spec.planes());
      if (spec.scales)
        makeScaleViews(b.pointer(next++));
    } else {
      wView = mapped(next++, spec.operandType);
    }
    for (const ElementOperand &operand : spec.operands) {
      operandViews.push_back(
          spec.isFetched(operand)
              ? mapped(next, operand.elementType)
              : b.operandView(operand, b.pointer(next), spec.n));
      ++next;
    }
    yView = spec.sendsResults()
                ? mapped(next, spec.resultType)
                : b.view(b.pointer(next), spec.resultType, b.count(), spec.n);
  }

  /// A view for each plane: a row for each group of columns.
  void makeScaleViews(Value pointer) {
    scales = pointer;
    if (!spec.stageGroups())
      return;
    int64_t features = llvm::alignTo(spec.n, kUnit);
    for (int64_t plane = 0; plane < spec.planes(); ++plane) {
      Value first = LLVM::GEPOp::create(
          builder, loc, pointer.getType(), spec.scales->type, pointer,
          ArrayRef<LLVM::GEPArg>{
              static_cast<int32_t>(plane * spec.scales->groups * features)});
      scaleViews.push_back(b.view(first, spec.scales->type,
                                  b.i64(spec.scales->groups), features));
    }
  }

  TileType tile(int64_t rows, int64_t cols, Type type, Order order) {
    return TileType::get(builder.getContext(), {rows, cols}, type, order);
  }

  void makeRing() {
    tiles = spec.stageTiles();
    firstActivations = spec.firstActivations();
    auto type =
        RingType::get(builder.getContext(), schedule.getStages(), tiles);
    ring = RingOp::create(builder, loc, type, IntegerAttr(), IntegerAttr());
    fetched.makeRing();
  }

  /// Builds `body` in a loop over the tiles of this block, with the first
  /// feature and token of the tile (i64) and the position in the ring of its
  /// first stage (i32).
  void forEachTile(function_ref<void(Value, Value, Value)> body) {
    Value blocks = gpu::GridDimOp::create(builder, loc, builder.getIndexType(),
                                          gpu::Dimension::x);
    Value tokenTiles = b.toI32(builder.createOrFold<arith::CeilDivUIOp>(
        loc, b.count(), b.i64(blockT)));
    Value tiles = b.mul(tokenTiles, llvm::divideCeil(spec.n, blockF * cluster));
    auto loop = scf::ForOp::create(
        builder, loc, b.toI32(b.div(b.blockId(), cluster * splits)), tiles,
        b.toI32(b.div(blocks, cluster * splits)), ValueRange{b.i32(0)});
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    auto [feature, token] = placeOf(loop.getInductionVar(), tokenTiles);
    Value position = loop.getRegionIterArg(0);
    body(feature, token, position);
    scf::YieldOp::create(builder, loc, ValueRange{b.add(position, steps)});
  }

  /// The first feature and token (i64) of tile `number`. Tiles of one group of
  /// token tiles are visited feature tile by feature tile, so that the group's
  /// activations and the current weights stay in the L2 cache.
  std::pair<Value, Value> placeOf(Value number, Value tokenTiles) {
    int64_t featureTiles = llvm::divideCeil(spec.n, blockF * cluster);
    int64_t group = schedule.getGroup();
    Value groupNumber = b.div(number, group * featureTiles);
    Value inGroup = b.rem(number, group * featureTiles);
    Value firstToken = b.mul(groupNumber, group);
    Value left = arith::SubIOp::create(builder, loc, tokenTiles, firstToken);
    Value width = b.min(left, b.i32(group));
    Value token = b.mul(b.add(firstToken, b.rem(inGroup, width)), blockT);
    Value feature = b.mul(b.div(inGroup, width), blockF * cluster);
    if (cluster > 1)
      feature =
          b.add(feature, b.mul(b.toI32(b.rem(b.blockId(), cluster)), blockF));
    return {b.toI64(feature), b.toI64(token)};
  }

  //===--------------------------------------------------------------------===//
  // The warps that copy
  //===--------------------------------------------------------------------===//

  /// The first stages of the block's first tile: the weights of all of them,
  /// then, when the kernels before have ended, the activations.
  void copyFirstStages() {
    Value tokenTiles = b.toI32(builder.createOrFold<arith::CeilDivUIOp>(
        loc, b.count(), b.i64(blockT)));
    auto [feature, token] =
        placeOf(b.toI32(b.div(b.blockId(), cluster * splits)), tokenTiles);
    SmallVector<SmallVector<Value>> slots;
    for (int64_t stage = 0; stage < firstStages(); ++stage) {
      slots.push_back(acquire(b.index(stage)));
      copyWeights(feature, stepOfPart(b.i32(stage)), slots.back());
    }
    GriddepWaitOp::create(builder, loc);
    for (int64_t stage = 0; stage < firstStages(); ++stage) {
      copyActivations(token, stepOfPart(b.i32(stage)), slots[stage]);
      CommitOp::create(builder, loc, ring, b.index(stage));
    }
  }

  /// Stages that copyFirstStages() fills.
  int64_t firstStages() const {
    return spec.isTernary() ? std::min(schedule.getStages(), steps) : 0;
  }

  void copyTile(Value feature, Value token, Value position) {
    Value first = b.i32(0);
    if (firstStages()) {
      Value begins = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::eq, position, b.i32(0));
      first = arith::SelectOp::create(builder, loc, begins,
                                      b.i32(firstStages()), first);
    }
    auto loop = scf::ForOp::create(builder, loc, first, b.i32(steps), b.i32(1));
    // Unrolled, the places of all stages would not fit the few registers.
    b.keepRolled(loop);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value stage = at(b.add(position, loop.getInductionVar()));
    Value step = stepOfPart(loop.getInductionVar());
    SmallVector<Value> slots = acquire(stage);
    copyActivations(token, step, slots);
    copyWeights(feature, step, slots);
    CommitOp::create(builder, loc, ring, stage);
  }

  SmallVector<Value> acquire(Value stage) {
    SmallVector<Type> types;
    for (TileType type : tiles)
      types.push_back(SlotType::get(builder.getContext(), type.getShape(),
                                    type.getElementType(), type.getOrder()));
    return AcquireOp::create(builder, loc, types, ring, stage).getSlots();
  }

  /// Step `step` (i32) of this block's part among those of the whole depth.
  Value stepOfPart(Value step) {
    if (splits == 1)
      return step;
    return b.add(step, b.mul(b.toI32(rankInSplit()), steps));
  }

  void copyWeights(Value feature, Value step, ArrayRef<Value> slots) {
    if (spec.isTwoFour())
      copyPacked({wView, metaView}, depth / kUnit, feature, step, slots);
    else if (spec.isTernary())
      copyTernary(feature, step, slots);
    else
      CopyOp::create(builder, loc, wView, feature, b.toI64(b.mul(step, depth)),
                     slots[0], TmaAttr::get(builder.getContext()),
                     IntegerAttr(), UnitAttr(), UnitAttr());
  }

  void copyTernary(Value feature, Value step, ArrayRef<Value> slots) {
    copyPacked(wView,
               depth / spec.ternaryUnit() * spec.ternaryPieces() *
                   spec.planes(),
               feature, step, slots);
    if (scaleViews.empty())
      return;
    // Behind the last group come its scales once more.
    int64_t columns = spec.scales->columns;
    Value group = columns >= depth ? b.div(step, columns / depth)
                                   : b.mul(step, depth / columns);
    UnitAttr yes = builder.getUnitAttr();
    bool whole = steps * splits * depth <= spec.scales->groups * columns;
    bool fits = llvm::alignTo(spec.n, kUnit) % (blockF * cluster) == 0;
    for (auto [view, slot] : llvm::zip(scaleViews, slots.drop_front()))
      CopyOp::create(builder, loc, view, b.toI64(group), feature, slot,
                     BulkAttr::get(builder.getContext()), IntegerAttr(),
                     whole ? yes : UnitAttr(), fits ? yes : UnitAttr());
  }

  void copyActivations(Value token, Value step, ArrayRef<Value> slots) {
    Value k = b.toI64(b.mul(step, depth));
    auto tma = TmaAttr::get(builder.getContext());
    IntegerAttr sharers;
    if (cluster > 1)
      sharers = builder.getI64IntegerAttr(cluster);
    for (auto [number, slot] :
         llvm::enumerate(slots.drop_front(firstActivations)))
      CopyOp::create(builder, loc, xView, token, b.add(k, number * boxCols),
                     slot, tma, sharers, UnitAttr(), UnitAttr());
  }

  /// Copies `units` units of each row of units. Behind the last stage come
  /// weights once more, which meet zeros.
  void copyPacked(ArrayRef<Value> views, int64_t units, Value feature,
                  Value step, ValueRange slots) {
    AtomInterface atom = BulkAttr::get(builder.getContext());
    if (spec.boxesWeights())
      atom = TmaAttr::get(builder.getContext());
    UnitAttr yes = builder.getUnitAttr();
    Value unitRow = b.div(feature, kUnit);
    int64_t stages = llvm::divideCeil(spec.k, depth);
    if (steps * splits > stages)
      step = b.min(step, b.i32(stages - 1));
    Value unitCol = b.toI64(b.mul(step, units));
    bool fits =
        llvm::divideCeil(spec.n, kUnit) % (blockF * cluster / kUnit) == 0;
    bool whole =
        !spec.isTernary() || llvm::divideCeil(spec.k, spec.ternaryUnit()) %
                                     (depth / spec.ternaryUnit()) ==
                                 0;
    for (auto [view, slot] : llvm::zip(views, slots))
      CopyOp::create(builder, loc, view, unitRow, unitCol, slot, atom,
                     IntegerAttr(), fits ? yes : UnitAttr(),
                     whole ? yes : UnitAttr());
  }

  //===--------------------------------------------------------------------===//
  // The warps that multiply
  //===--------------------------------------------------------------------===//

  void consume() {
    Block *role = builder.getInsertionBlock();
    products.begin(ring, scales);
    if (spec.sendsResults())
      for (int64_t i = 0; i < schedule.getStoreBuffers(); ++i)
        boxes.push_back(SharedOp::create(builder, loc,
                                         tile(schedule.getStoreTokens(), kUnit,
                                              spec.resultType, Order::Swizzled),
                                         schedule.getNumConsumerWarps(),
                                         kGroupWarps));
    Epilogue epilogue(spec, b, products.accLayout, kWarpFeatures, kSliceTokens,
                      schedule.getNumConsumerWarps(), operandViews, role);
    forEachTile([&](Value feature, Value token, Value position) {
      SmallVector<Value> acc = products.multiplyTile(position);
      if (splits > 1)
        products.addParts(acc, rankInSplit());
      token = tokenOfPart(token);
      if (spec.sendsResults())
        sendResults(epilogue, acc, feature, token, at(b.div(position, steps)));
      else
        storeResults(epilogue, acc, feature, token);
    });
    // The memory of the last boxes must outlive their way.
    if (spec.sendsResults())
      TmaStoreWaitOp::create(builder, loc, boxes.front(), /*pending=*/0,
                             TmaAttr::get(builder.getContext()));
  }

  Value rankInSplit() { return b.rem(b.blockId(), splits); }

  /// The first of the tokens that this block finishes, of a tile at `token`.
  Value tokenOfPart(Value token) {
    int64_t part = blockT;
    for (int64_t round = 1; round < splits; round *= 2) {
      part /= 2;
      Value bit = b.rem(b.div(rankInSplit(), round), 2);
      token = b.add(token, b.mul(b.toI64(bit), part));
    }
    return token;
  }

  Value slice(Value sum, int64_t first) {
    return SliceOp::create(builder, loc,
                           b.frag({kWarpFeatures, kSliceTokens},
                                  spec.accumulatorType(), products.accLayout),
                           sum, 0, first);
  }

  void sendResults(Epilogue &epilogue, ArrayRef<Value> sums, Value feature,
                   Value token, Value tileNumber) {
    auto tma = TmaAttr::get(builder.getContext());
    auto stmatrix = dyn_cast_or_null<MatrixStoreAtomInterface>(
        epilogue.matrixAtom(spec.resultType, /*store=*/true));
    int64_t buffers = schedule.getStoreBuffers(), number = 0;
    int64_t perPiece = blockT / splits / kSliceTokens;
    SmallVector<Value> firsts, rows;
    for (size_t piece = 0; piece < sums.size(); ++piece) {
      firsts.push_back(b.add(feature, b.toI64(products.pieceFeature(piece))));
      rows.push_back(b.add(firsts.back(), b.toI64(products.warpFeature)));
    }
    auto placeOf = [&](int64_t number) {
      return std::pair(rows[number / perPiece],
                       b.add(token, number % perPiece * kSliceTokens));
    };
    OperandsAhead ahead(epilogue, perPiece * sums.size(), placeOf);
    for (auto [piece, sum] : llvm::enumerate(sums)) {
      for (int64_t box = 0; box < blockT / splits;
           box += schedule.getStoreTokens()) {
        Value place = boxes[number % buffers];
        fetched.openBox(tileNumber, number++);
        TmaStoreWaitOp::create(builder, loc, place, buffers - 1, tma);
        int64_t inBox = schedule.getStoreTokens();
        for (int64_t inside = 0; inside < inBox; inside += kSliceTokens) {
          SmallVector<Value> taken = fetched.take(
              inside, kSliceTokens, products.warpFeature, products.accLayout);
          if (inside + kSliceTokens == inBox)
            fetched.closeBox();
          PutOp::create(builder, loc,
                        ahead.applyNext(slice(sum, box + inside), taken), place,
                        b.index(inside), products.warpFeature, stmatrix);
        }
        TmaStoreOp::create(builder, loc, place, yView, b.add(token, box),
                           firsts[piece], tma);
      }
    }
  }

  void storeResults(Epilogue &epilogue, ArrayRef<Value> sums, Value feature,
                    Value token) {
    for (auto [piece, sum] : llvm::enumerate(sums)) {
      Value row = b.add(feature, b.toI64(b.add(products.pieceFeature(piece),
                                               products.warpFeature)));
      for (int64_t first = 0; first < blockT / splits; first += kSliceTokens) {
        Value col = b.add(token, first);
        epilogue.store(epilogue.apply(slice(sum, first), row, col), yView, row,
                       col, spec.storeWidth);
      }
    }
  }

  const MatmulKernel &spec;
  ScheduleAttr schedule;
  OpBuilder &builder;
  Location loc;
  KernelBuilder b;

  WarpgroupMainloop products;
  /// Stages of a block's part of a tile.
  int64_t steps;
  int64_t blockF, blockT, depth, cluster;
  /// Blocks of a cluster that share a tile, each over its part of the depth.
  int64_t splits;
  /// Columns of a swizzled tile, and the first tile of a stage with
  /// activations.
  int64_t boxCols, firstActivations;
  SmallVector<TileType> tiles;
  Value ring, xView, wView, metaView, yView, scales;
  SmallVector<Value> scaleViews, operandViews, boxes;
  EpilogueLoad fetched;
};

} // namespace

gpu::GPUFuncOp MatmulKernel::generateWarpSpecialized(OpBuilder &builder) const {
  return WarpSpecializedMatmul(*this, builder).run();
}
