//===- DecodePatterns.cpp - Ternary weights from their codes ------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A word of tern.v1 holds 16 codes of two bits. They stand so that a shift and
// a mask give whole registers of operand A, and where codes become
// floating-point numbers no conversion is needed: the bits of a code, put into
// the mantissa of a power of two, are that power plus a multiple of the code,
// and one multiplication and an addition take the power away, fused on a GPU.
// Every step is exact.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::sftile;

namespace {

/// How the bits of a pair of codes become two floating-point numbers: or-ed to
/// `one`, the pattern of 2^m in both halves, where m bits of the mantissa stand
/// below the point, a code c is 2^m + c, or 2^m + 4^j c from j fields higher.
struct FloatCodes {
  int64_t one, power;
  /// Fields of two bits that the mantissa has room for.
  int64_t fields;
};

FloatCodes codesOf(Type element) {
  // bf16: 7 bits below the point hold three fields; f16: 10 bits hold five, and
  // the others are eight bits away.
  return element.isBF16() ? FloatCodes{0x43004300, 128, 3}
                          : FloatCodes{0x64006400, 1024, 4};
}

struct DecodeLowering : public OpConversionPattern<DecodeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(DecodeOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type element = op.getWeights().getType().getElementType();
    int64_t col = op.getCol();
    SmallVector<Value> registers;
    if (op.getCodes().getType().getShape()[1] == 32) {
      ValueRange codes = adaptor.getCodes();
      int64_t step = col / 32;
      if (!element.isInteger(8))
        decodeKeptFloats(rewriter, op.getLoc(), codes, col / 16, element,
                         registers);
      else if (codes.size() == 2)
        decodeSigns(rewriter, op.getLoc(), codes[step / 2], 4 * (step % 2),
                    registers);
      else
        decodeKept(rewriter, op.getLoc(), codes[step], registers);
      scale(rewriter, op.getLoc(), adaptor.getScales(), element, registers);
      rewriter.replaceOpWithMultiple(op, {registers});
      return success();
    }
    for (int64_t row = 0; row < op.getCodes().getType().getShape()[0]; ++row) {
      // Four words a lane and row, a word for 32 columns.
      Value word = adaptor.getCodes()[row * 4 + col / 32];
      if (op.getShifted())
        decodeShifted(rewriter, op.getLoc(), word, registers);
      else if (element.isInteger(8))
        decodeBytes(rewriter, op.getLoc(), word, element.isSignedInteger(),
                    registers);
      else
        decodeFloats(rewriter, op.getLoc(), word, element, col / 16 % 2,
                     registers);
    }
    scale(rewriter, op.getLoc(), adaptor.getScales(), element, registers);
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

  static Value shifted(OpBuilder &builder, Location loc, Value word,
                       int64_t bits) {
    if (bits == 0)
      return word;
    return arith::ShRUIOp::create(builder, loc, word,
                                  Integers(builder, loc).i32(bits));
  }

  /// Register f holds four bytes, bits 2 f and 2 f + 1 of the word's; one less
  /// where they have a sign: 127 more carries into no other byte, and what is
  /// then left to take away, 128, is the top bit.
  static void decodeBytes(OpBuilder &builder, Location loc, Value word,
                          bool isSigned, SmallVectorImpl<Value> &registers) {
    Integers ints(builder, loc);
    for (int64_t f = 0; f < 4; ++f) {
      Value bytes =
          ints.bitAnd(shifted(builder, loc, word, 2 * f), ints.i32(0x03030303));
      if (isSigned)
        bytes = arith::XOrIOp::create(
            builder, loc, ints.add(bytes, ints.i32(0x7F7F7F7F)),
            ints.i32(static_cast<int32_t>(0x80808080)));
      registers.push_back(bytes);
    }
  }

  /// Codes in the top bits of bytes are 0, 64 and -128; with bit 6 changed
  /// they are 64, 0 and -64, of opposite sign as the weights. As much work as
  /// codes without a sign.
  static void decodeShifted(OpBuilder &builder, Location loc, Value word,
                            SmallVectorImpl<Value> &registers) {
    Integers ints(builder, loc);
    for (int64_t f = 0; f < 4; ++f) {
      Value top = word;
      if (f < 3)
        top = LLVM::ShlOp::create(builder, loc, word, ints.i32(6 - 2 * f));
      Value bits = ints.bitAnd(top, ints.i32(static_cast<int32_t>(0xC0C0C0C0)));
      registers.push_back(
          arith::XOrIOp::create(builder, loc, bits, ints.i32(0x40404040)));
    }
  }

  /// Signs of register f are the top bits of the word's bytes, `first` + f
  /// further up: repeated over the byte and or-ed with 1 they are -1 or 1.
  static void decodeSigns(OpBuilder &builder, Location loc, Value word,
                          int64_t first, SmallVectorImpl<Value> &registers) {
    Integers ints(builder, loc);
    for (int64_t f = 0; f < 4; ++f) {
      Value top = word;
      if (first + f)
        top = LLVM::ShlOp::create(builder, loc, word, ints.i32(first + f));
      Value signs =
          LLVM::InlineAsmOp::create(
              builder, loc, builder.getI32Type(),
              ValueRange{top, ints.i32(0xBA98)}, "prmt.b32 $0, $1, $1, $2;",
              "=r,r,r", /*has_side_effects=*/false, /*is_align_stack=*/false,
              LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr())
              .getRes();
      registers.push_back(
          arith::OrIOp::create(builder, loc, signs, ints.i32(0x01010101)));
    }
  }

  /// Numbers of two bits with a sign, those of register f at bits 2 f and
  /// 2 f + 1 of the word's bytes.
  static void decodeKept(OpBuilder &builder, Location loc, Value word,
                         SmallVectorImpl<Value> &registers) {
    Integers ints(builder, loc);
    for (int64_t f = 0; f < 4; ++f) {
      Value bits =
          ints.bitAnd(shifted(builder, loc, word, 2 * f), ints.i32(0x03030303));
      Value sign = ints.bitAnd(bits, ints.i32(0x02020202));
      // 2 times 126: the bits above it.
      registers.push_back(
          arith::OrIOp::create(builder, loc, bits, ints.mul(sign, 0x7E)));
    }
  }

  /// Register r + 2 h of half-step `t` holds the two codes at bits
  /// 2 (r + 2 t) and 16 higher of the word shifted by 8 h.
  static void decodeFloats(OpBuilder &builder, Location loc, Value word,
                           Type element, int64_t t,
                           SmallVectorImpl<Value> &registers) {
    FloatCodes codes = codesOf(element);
    for (int64_t h = 0; h < 2; ++h)
      for (int64_t r = 0; r < 2; ++r)
        registers.push_back(
            decodeField(builder, loc, word, codes, element, 4 * h + r + 2 * t));
  }

  /// The numbers in field `field` of both halves of `word`: one more than the
  /// weight, or, with a sign, two's complement of two bits.
  static Value decodeField(OpBuilder &builder, Location loc, Value word,
                           const FloatCodes &codes, Type element, int64_t field,
                           bool hasSign = false) {
    Integers ints(builder, loc);
    auto pair = VectorType::get({2}, element);
    auto both = [&](double value) -> Value {
      return arith::ConstantOp::create(
          builder, loc,
          DenseElementsAttr::get(pair, builder.getFloatAttr(element, value)));
    };
    int64_t moved = field == codes.fields && codes.fields == 4
                        ? 0 // the fifth field of f16
                        : field / codes.fields * codes.fields;
    field -= moved;
    // Two's complement with its upper bit changed is two more than the number.
    int64_t above = hasSign ? 2 : 1;
    int64_t one = codes.one;
    if (hasSign)
      one ^= int64_t(0x00020002) << (2 * field);
    auto mask = static_cast<int32_t>(int64_t(0x00030003) << (2 * field));
    // (word & mask) | one, or ^: one instruction, which ptxas does not
    // always find: only one of its operands may be immediate.
    Value magic =
        LLVM::InlineAsmOp::create(
            builder, loc, builder.getI32Type(),
            ValueRange{shifted(builder, loc, word, 2 * moved), ints.i32(mask),
                       ints.i32(one)},
            hasSign ? "lop3.b32 $0, $1, $2, $3, 0x6A;"
                    : "lop3.b32 $0, $1, $2, $3, 0xEA;",
            "=r,r,r,r", /*has_side_effects=*/false, /*is_align_stack=*/false,
            LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr())
            .getRes();
    Value number = LLVM::BitcastOp::create(builder, loc, pair, magic);
    double scale = 1.0 / double(int64_t(1) << (2 * field));
    // Exact with and without a rounding between: the back end may fuse.
    auto fuse = LLVM::FastmathFlags::contract;
    Value product =
        LLVM::FMulOp::create(builder, loc, number, both(scale), fuse);
    Value trits = LLVM::FAddOp::create(
        builder, loc, product,
        both(-(double(codes.power) * scale + double(above))), fuse);
    return LLVM::BitcastOp::create(builder, loc, builder.getI32Type(), trits);
  }

  /// 16 kept columns, number `step` of the words that load_kept gives: of two
  /// bits, or signs, whose place depends on how many words there are.
  static void decodeKeptFloats(OpBuilder &builder, Location loc,
                               ValueRange words, int64_t step, Type element,
                               SmallVectorImpl<Value> &registers) {
    Integers ints(builder, loc);
    int64_t one = element.isBF16() ? 0x3F803F80 : 0x3C003C00;
    for (int64_t h = 0; h < 2; ++h)
      for (int64_t r = 0; r < 2; ++r) {
        int64_t f = 2 * (step % 2) + r;
        if (words.size() == 4) {
          registers.push_back(decodeField(builder, loc, words[step / 2],
                                          codesOf(element), element, 4 * h + f,
                                          /*hasSign=*/true));
          continue;
        }
        // The sign becomes that of 1.
        Value top = words[step / 4];
        int64_t bit = 8 * h + 7 - (4 * (step / 2 % 2) + f);
        if (bit != 15)
          top = LLVM::ShlOp::create(builder, loc, top, ints.i32(15 - bit));
        registers.push_back(arith::OrIOp::create(
            builder, loc,
            ints.bitAnd(top, ints.i32(static_cast<int32_t>(0x80008000))),
            ints.i32(one)));
      }
  }
};

} // namespace

void mlir::sftile::populateDecodePatterns(const SFTileTypeConverter &converter,
                                          RewritePatternSet &patterns) {
  patterns.add<DecodeLowering>(converter, patterns.getContext());
}
