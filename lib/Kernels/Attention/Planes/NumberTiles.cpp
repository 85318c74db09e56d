//===- NumberTiles.cpp - Tiles of keys and values from numbers ------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Attention/Planes/NumberTiles.h"
#include "Kernels/Support/ThreadCode.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

// Features of a tile.
static constexpr int64_t kTileCols = 64;
// Warps that share the work.
static constexpr int64_t kWarps = 4;
// The largest number of f16.
static constexpr double kLargest = 65504.0;
static constexpr int64_t kPage = TernaryAttr::kPageTokens;

NumberTiles::NumberTiles(KernelBuilder &b, const CacheNumbers &numbers,
                         RingOp ring, int64_t sharers, Value rank,
                         bool scalesLate)
    : b(b), numbers(numbers), ring(ring), sharers(sharers), rank(rank),
      scalesLate(scalesLate),
      tokens(ring.getRing().getType().getTiles().front().getShape()[0] /
             (kWarps * sharers)) {}

Value NumberTiles::part() const {
  Value warp = WarpIdOp::create(b.builder, b.loc, b.builder.getIndexType());
  return sharers > 1 ? b.add(b.mul(rank, kWarps), warp) : warp;
}
Value NumberTiles::pageOfWarp() const { return b.div(part(), kPage / tokens); }

/// Rows are tokens of keys, and features of values.
FragType NumberTiles::operandType(Type element) const {
  MLIRContext *context = b.builder.getContext();
  auto atom = MmaSyncAttr::get(context, kPiece, b.builder.getF16Type());
  return b.frag({kPiece, kPiece}, element,
                LayoutAttr::get(context, atom.getLayoutA()));
}

SmallVector<Value> NumberTiles::load(Value page, int64_t piece) const {
  OpBuilder &builder = b.builder;
  MLIRContext *context = builder.getContext();
  TernaryAttr encoding = numbers.encoding;
  Type i32 = builder.getI32Type(), scale = encoding.getScaleType();
  static const Coord registers[] = {{0, 1}, {0, 2}};
  static const Coord lanes[] = {{1, 0}, {2, 0}, {4, 0}, {8, 0}, {16, 0}};
  FragType wordType = b.frag(
      {32, 4}, i32, LayoutAttr::get(context, LinearLayout(registers, lanes)));
  auto view = [&](Type element, Value start, int64_t rows, int64_t cols,
                  int64_t pitch) -> Value {
    return ViewOp::create(builder, b.loc,
                          ViewType::get(context, element, Order::RowMajor),
                          start, b.i64(rows), b.i64(cols), b.i64(pitch));
  };
  auto load = [&](FragType type, Value from, Value row, Value col,
                  Access access, int64_t width) {
    auto op = LoadOp::create(builder, b.loc, type, from, b.toI64(row),
                             b.toI64(col), access, width);
    op.setRowsInBoundsAttr(builder.getUnitAttr());
    op.setColsInBoundsAttr(builder.getUnitAttr());
    return op;
  };
  Value token = b.mul(b.rem(part(), kPage / tokens), tokens);
  Value first = b.mul(b.div(token, kPiece), 32 * numbers.slabChunks());
  Value codes = view(i32, page, 32 * kPage / kPiece * numbers.slabChunks(), 4,
                     /*pitch=*/4);
  Value behind = LLVM::GEPOp::create(
      builder, b.loc, page.getType(), builder.getI8Type(), page,
      ArrayRef<LLVM::GEPArg>{
          static_cast<int32_t>(encoding.getPageCodeBytes(numbers.features))});
  // All rows are the same one: of keys each token is a row of the operand.
  Value factors = view(scale, behind, kPage,
                       encoding.getPageScales(numbers.features), /*pitch=*/0);
  bool isKeys = !encoding.isValueCache();
  SmallVector<Value> loaded;
  for (int64_t chunk = 0; chunk < numbers.slabChunks(); ++chunk)
    loaded.push_back(
        load(wordType, codes,
             b.add(first, 32 * (piece * numbers.slabChunks() + chunk)),
             b.index(0), Access::Direct, /*width=*/16));
  for (int64_t group = 0; group < numbers.groups(); ++group) {
    Value at = b.add(token, group * kPage + piece * kPiece);
    loaded.push_back(load(operandType(scale), factors, b.index(0), at,
                          isKeys ? Access::Transposed : Access::Direct,
                          isKeys ? 2 : 4));
  }
  return loaded;
}

void NumberTiles::fill(Value position, ValueRange loaded, Value isThere,
                       function_ref<void(int64_t)> loadNext) const {
  OpBuilder &builder = b.builder;
  auto acquired = AcquireOp::create(builder, b.loc, ring, position);
  // Behind the first of the next words where scales are.
  Value zero;
  if (scalesLate) {
    loadNext(0);
    zero = lateZero();
  } else {
    zero = b.constant(builder.getI16Type(), 0);
  }
  SmallVector<Value> scales;
  size_t each = loaded.size() / pieces(), words = numbers.slabChunks();
  for (int64_t piece = 0; piece < pieces(); ++piece)
    for (Value scale : loaded.slice(piece * each + words, each - words))
      scales.push_back(withoutInfinity(scale, zero));
  for (int64_t piece = 0; piece < pieces(); ++piece) {
    if (piece > 0 || !scalesLate)
      loadNext(piece);
    store(acquired.getSlots(), piece, loaded.slice(piece * each, words),
          ValueRange(scales).slice(piece * (each - words), each - words));
  }
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(
        scf::IfOp::create(builder, b.loc, anyLarge(scales)).thenBlock());
    rewrite(acquired.getSlots(),
            [&](Value numbers) { return clamped(numbers); });
  }
  if (isThere) {
    OpBuilder::InsertionGuard guard(builder);
    Value isMissing = arith::XOrIOp::create(builder, b.loc, isThere,
                                            b.constant(builder.getI1Type(), 1));
    builder.setInsertionPointToStart(
        scf::IfOp::create(builder, b.loc, isMissing).thenBlock());
    rewrite(acquired.getSlots(), [&](Value numbers) { return constant(0); });
  }
  IntegerAttr sharedBy;
  if (sharers > 1)
    sharedBy = builder.getI64IntegerAttr(sharers);
  CommitOp::create(builder, b.loc, ring, position, sharedBy);
}

/// Whether, in any lane, a product may be beyond f16, or a scale is no number.
Value NumberTiles::anyLarge(ValueRange scales) const {
  OpBuilder &builder = b.builder;
  double most = numbers.encoding.isFloatCache() ? 448
                : numbers.bits() == 8           ? 128
                                                : 8;
  Value any;
  for (Value scale : scales) {
    auto type = cast<FragType>(scale.getType());
    Type i1 = builder.getI1Type();
    Value large = b.map(
        b.frag(type.getShape(), i1, type.getLayout()), scale,
        [&](OpBuilder &inner, ValueRange in) -> Value {
          Value limit = arith::ConstantOp::create(
              inner, b.loc,
              builder.getFloatAttr(builder.getF16Type(), kLargest / most));
          return arith::CmpFOp::create(
              inner, b.loc, arith::CmpFPredicate::UGT,
              math::AbsFOp::create(inner, b.loc, in[0]), limit);
        });
    large = ReduceOp::create(builder, b.loc, i1, Reduction::Or, large);
    any = any ? arith::OrIOp::create(builder, b.loc, any, large) : large;
  }
  return any;
}

/// Zero, which nobody knows before the free stage is there. What is computed
/// with it would otherwise stand in front of the commit of the stage before,
/// where ptxas waits for the loads that it needs.
Value NumberTiles::lateZero() const {
  OpBuilder &builder = b.builder;
  Value zero = gpu::ShuffleOp::create(builder, b.loc, b.i32(0), b.i32(0),
                                      b.i32(32), gpu::ShuffleMode::IDX)
                   .getShuffleResult();
  return arith::TruncIOp::create(builder, b.loc, builder.getI16Type(), zero);
}

/// Of a scale: infinite ones are no numbers.
Value NumberTiles::withoutInfinity(Value scale, Value zero) const {
  return b.map(cast<FragType>(scale.getType()), scale,
               [&](OpBuilder &inner, ValueRange in) -> Value {
                 Type type = in[0].getType();
                 Value none =
                     arith::BitcastOp::create(inner, b.loc, type, zero);
                 // What depends on the stage is one instruction.
                 auto fuse = scalesLate ? arith::FastMathFlags::contract
                                        : arith::FastMathFlags::none;
                 none = arith::MulFOp::create(inner, b.loc, in[0], none, fuse);
                 return arith::AddFOp::create(inner, b.loc, in[0], none, fuse);
               });
}

/// Of what the warp has stored, 8 elements at a time. Rows lie one behind the
/// other. Rolled, since it is rare.
void NumberTiles::rewrite(ValueRange slots,
                          function_ref<Value(Value)> body) const {
  constexpr int64_t kBytes = 16, kLanes = 32;
  OpBuilder &builder = b.builder;
  ThreadCode code(builder, b.loc);
  sftile::BarrierOp::create(builder, b.loc, BarrierScope::Warp);
  int64_t bytes = tokens * 2 * kTileCols;
  Value first = code.mul(b.toI32(part()), bytes);
  Value own =
      code.add(first, code.mul(code.rem(code.threadId(), kLanes), kBytes));
  auto loop = scf::ForOp::create(builder, b.loc, own,
                                 code.add(first, code.integer(bytes)),
                                 code.integer(kBytes * kLanes));
  b.keepRolled(loop);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  for (Value slot : slots) {
    Value at = code.at(AddressOp::create(builder, b.loc, slot),
                       loop.getInductionVar());
    Value numbers = code.load(eightHalves(), at, kBytes);
    code.store(body(numbers), at, kBytes);
  }
}

VectorType NumberTiles::eightHalves() const {
  return VectorType::get({8}, b.builder.getF16Type());
}
Value NumberTiles::constant(double value) const {
  FloatAttr number = b.builder.getFloatAttr(b.builder.getF16Type(), value);
  return arith::ConstantOp::create(
      b.builder, b.loc, DenseElementsAttr::get(eightHalves(), number));
}
/// What is beyond f16 becomes its largest number.
Value NumberTiles::clamped(Value numbers) const {
  numbers =
      LLVM::MinimumOp::create(b.builder, b.loc, numbers, constant(kLargest));
  return LLVM::MaximumOp::create(b.builder, b.loc, numbers,
                                 constant(-kLargest));
}

void NumberTiles::store(ValueRange slots, int64_t piece, ValueRange words,
                        ValueRange scales) const {
  OpBuilder &builder = b.builder;
  MLIRContext *context = builder.getContext();
  Type element = ring.getRing().getType().getTiles().front().getElementType();
  bool isKeys = !numbers.encoding.isValueCache();
  int64_t steps = numbers.slabChunks() * numbers.chunkSteps();
  for (int64_t step = 0; step < steps; ++step) {
    Value scale =
        scales[std::min(step / numbers.groupSteps(), numbers.groups() - 1)];
    Value operand = DecodeOp::create(
        builder, b.loc, operandType(element),
        words[step / numbers.chunkSteps()],
        builder.getI64IntegerAttr(kPiece * (step % numbers.chunkSteps())),
        /*shifted=*/UnitAttr(), scale, /*flip=*/Value(), numbers.codec());
    Value token = b.add(b.mul(part(), tokens), piece * kPiece);
    int64_t feature = step * kPiece;
    StoreOp::create(builder, b.loc, operand, slots[feature / kTileCols], token,
                    b.index(feature % kTileCols),
                    isKeys ? Access::Direct : Access::Transposed,
                    StMatrixAttr::get(context));
  }
}
