//===- DecodePatterns.cpp - Operands from packed words --------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The codec says what the bits of words are (lib/Dialect/SFTile/Codecs); this
// hands it those of 16 rows at a time, and multiplies by scales.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "SparseFlow/Dialect/SFTile/Atoms/BitInstructions.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::sftile;

namespace {

struct DecodeLowering : public OpConversionPattern<DecodeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(DecodeOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    if (auto cache = dyn_cast<CacheCodecInterface>(op.getCodec())) {
      rewriter.replaceOpWithMultiple(
          op, {cacheOperand(rewriter, op, adaptor, cache)});
      return success();
    }
    auto codec = cast<CodecInterface>(op.getCodec());
    Type element = op.getWeights().getType().getElementType();
    ValueRange words = adaptor.getCodes();
    size_t perLane = codec.getWordsPerLane();
    SmallVector<Value> registers;
    for (; !words.empty(); words = words.drop_front(perLane))
      llvm::append_range(registers,
                         codec.emit(rewriter, loc, words.take_front(perLane),
                                    op.getCol(), element, op.getShifted()));
    scale(rewriter, loc, adaptor.getScales(), element, registers);
    rewriter.replaceOpWithMultiple(op, {registers});
    return success();
  }

  static SmallVector<Value> cacheOperand(OpBuilder &builder, DecodeOp op,
                                         OneToNOpAdaptor adaptor,
                                         CacheCodecInterface codec) {
    Location loc = op.getLoc();
    FragType operand = op.getWeights().getType();
    SmallVector<Value> registers;
    for (int64_t i = 0; i < operand.getRegistersPerLane(); ++i) {
      Value numbers =
          codec.emit(builder, loc, adaptor.getCodes(), operand, op.getCol(), i);
      if (op.getFlip())
        numbers =
            Integers(builder, loc).bitXor(numbers, adaptor.getFlip().front());
      if (op.getScales())
        numbers = product(builder, loc, operand.getElementType(), numbers,
                          adaptor.getScales()[i]);
      registers.push_back(numbers);
    }
    return registers;
  }

  /// Two numbers times their scales.
  static Value product(OpBuilder &builder, Location loc, Type element,
                       Value numbers, Value scales) {
    auto pair = VectorType::get({2}, element);
    Value product = LLVM::FMulOp::create(
        builder, loc, LLVM::BitcastOp::create(builder, loc, pair, numbers),
        LLVM::BitcastOp::create(builder, loc, pair, scales));
    return LLVM::BitcastOp::create(builder, loc, builder.getI32Type(), product);
  }

  /// Multiplies the weights of rows g, in registers of even numbers, and g + 8
  /// by the scales of these rows, of f32, if there are any.
  static void scale(OpBuilder &builder, Location loc, ValueRange scales,
                    Type element, MutableArrayRef<Value> registers) {
    if (scales.empty())
      return;
    auto pair = VectorType::get({2}, element);
    SmallVector<Value> factors;
    for (Value scale : scales) {
      Value factor = LLVM::FPTruncOp::create(builder, loc, element, scale);
      factors.push_back(vector::FromElementsOp::create(
          builder, loc, pair, ValueRange{factor, factor}));
    }
    for (auto [index, weights] : llvm::enumerate(registers)) {
      Value numbers = LLVM::BitcastOp::create(builder, loc, pair, weights);
      Value product =
          LLVM::FMulOp::create(builder, loc, numbers, factors[index % 2]);
      weights =
          LLVM::BitcastOp::create(builder, loc, builder.getI32Type(), product);
    }
  }
};

//===----------------------------------------------------------------------===//
// Nonzeros
//===----------------------------------------------------------------------===//

// Nonzeros of 2:4 sparse weights lie as int8 MMAs read them.
// With q a lane's number in its quad, a lane of bytes has nonzeros 4 q to 4
// q + 3 of 16, one of 16 bits 2 q and 2 q + 1 and those 8 behind: the
// bytes 2 (q % 2) and the next one of lanes q / 2 and q / 2 + 2. A word of
// metadata has 32 columns of row g + 8 (q % 2) there, and 16 columns of rows g
// and g + 8 here. So each word is made of two, whose lanes' memory is as near
// as its own.
struct LoadNonzerosLowering : public OpConversionPattern<LoadNonzerosOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(LoadNonzerosOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Integers ints(rewriter, loc);
    FragType frag = op.getFrag().getType();
    Value lane = emitLaneId(rewriter, loc);
    Value inQuad = ints.rem(lane, 4), isOdd = ints.rem(lane, 2);
    bool metadata = op.getMetadata();
    Value first = ints.sub(lane, metadata ? isOdd : inQuad);
    if (!metadata)
      first = ints.add(first, ints.div(inQuad, 2));
    auto load = [&](Value from) {
      auto [laneRow, laneCol] =
          emitLanePosition(rewriter, loc, frag.getLayout().getLayout(), from);
      Value offset = emitTileOffset(
          rewriter, loc, op.getTile().getType(),
          ints.add(ints.toI32(adaptor.getRow().front()), laneRow),
          ints.add(ints.toI32(adaptor.getCol().front()), laneCol));
      int64_t words = frag.getElementsPerLane();
      Value loaded = LLVM::LoadOp::create(
          rewriter, loc, VectorType::get({words}, rewriter.getI32Type()),
          ints.advance(adaptor.getTile().front(), offset), 4 * words);
      return splitVector(rewriter, loc, loaded);
    };
    SmallVector<Value> near = load(first),
                       far = load(ints.add(first, metadata ? 1 : 2));
    // Halves of words, or alternate bytes: those of a register are then in both
    // of its halves.
    Value odd = ints.less(ints.i32(0), isOdd);
    Value order = ints.select(odd, ints.i32(metadata ? 0x7632 : 0x7362),
                              ints.i32(metadata ? 0x5410 : 0x5140));
    SmallVector<Value> words;
    for (auto [low, high] : llvm::zip(near, far))
      words.push_back(emitPermuteBytes(rewriter, loc, low, high, order));
    rewriter.replaceOpWithMultiple(op, {words});
    return success();
  }
};

} // namespace

void mlir::sftile::populateDecodePatterns(const SFTileTypeConverter &converter,
                                          RewritePatternSet &patterns) {
  patterns.add<DecodeLowering, LoadNonzerosLowering>(converter,
                                                     patterns.getContext());
}
