//===- DecodePatterns.cpp - Weights from their codes ----------------------===//
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
    CodecInterface codec = op.getCodec();
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

} // namespace

void mlir::sftile::populateDecodePatterns(const SFTileTypeConverter &converter,
                                          RewritePatternSet &patterns) {
  patterns.add<DecodeLowering>(converter, patterns.getContext());
}
