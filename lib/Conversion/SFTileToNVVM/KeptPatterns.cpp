//===- KeptPatterns.cpp - Kept pairs for products of 16 bits ------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Weights that keep two of four columns lie as int8 MMAs read them.
// With q a lane's number in its quad, a lane of bytes has kept columns 4 q to 4
// q + 3 of 16, one of 16 bits columns 2 q and 2 q + 1 and those 8 behind: the
// bytes 2 (q % 2) and the next one of lanes q / 2 and q / 2 + 2. A word of
// metadata has 32 columns of row g + 8 (q % 2) there, and 16 columns of rows g
// and g + 8 here. So each word is made of two, whose lanes' memory is as near
// as its own.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "SparseFlow/Dialect/SFTile/Atoms/BitInstructions.h"

using namespace mlir;
using namespace mlir::sftile;

namespace {

struct LoadKeptLowering : public OpConversionPattern<LoadKeptOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(LoadKeptOp op, OneToNOpAdaptor adaptor,
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

void mlir::sftile::populateKeptPatterns(const SFTileTypeConverter &converter,
                                        RewritePatternSet &patterns) {
  patterns.add<LoadKeptLowering>(converter, patterns.getContext());
}
