//===- DecodePatterns.cpp - Ternary weights from their codes ------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The codec says what the bits of a word are (lib/Dialect/SFTile/Codecs); this
// says which words a fragment's registers come from.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "SparseFlow/Dialect/SFTile/Codecs/Ternary.h"
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
    Type element = op.getWeights().getType().getElementType();
    ArrayRef<int64_t> shape = op.getCodes().getType().getShape();
    SmallVector<Value> registers;
    if (shape[1] == 32)
      registers = unpackNonzeros(rewriter, loc, adaptor.getCodes(), op.getCol(),
                                 element);
    else
      for (int64_t row = 0; row < shape[0]; ++row)
        // Four words a lane and row, a word for 32 columns.
        llvm::append_range(
            registers,
            unpackCodes(op, rewriter,
                        adaptor.getCodes()[row * 4 + op.getCol() / 32]));
    scale(rewriter, loc, adaptor.getScales(), element, registers);
    rewriter.replaceOpWithMultiple(op, {registers});
    return success();
  }

  /// tern.v1: a word has 32 columns.
  static SmallVector<Value> unpackCodes(DecodeOp op, OpBuilder &builder,
                                        Value word) {
    Location loc = op.getLoc();
    Type element = op.getWeights().getType().getElementType();
    if (op.getShifted())
      return tern_v1::unpackNegated(builder, loc, word);
    if (!element.isInteger(8))
      return tern_v1::unpackFloats(builder, loc, word, element,
                                   op.getCol() / 16 % 2);
    return element.isSignedInteger() ? tern_v1::unpackBytes(builder, loc, word)
                                     : tern_v1::unpackCodes(builder, loc, word);
  }

  /// The nonzeros of tern24.v1, two words a lane, or of tern24z.v1, four, from
  /// column `col` of the nonzeros on.
  static SmallVector<Value> unpackNonzeros(OpBuilder &builder, Location loc,
                                           ValueRange words, int64_t col,
                                           Type element) {
    bool isSigns = words.size() == 2;
    if (element.isInteger(8)) {
      int64_t step = col / 32;
      return isSigns
                 ? tern24::unpackSigns(builder, loc, words[step / 2], step % 2)
                 : tern24::unpackBytes(builder, loc, words[step]);
    }
    int64_t step = col / 16;
    return isSigns ? tern24::unpackSignsAsFloats(builder, loc, words[step / 4],
                                                 element, step % 4)
                   : tern24::unpackFloats(builder, loc, words[step / 2],
                                          element, step % 2);
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
