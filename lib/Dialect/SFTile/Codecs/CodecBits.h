//===- CodecBits.h - Arithmetic of codecs ----------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared by the files of this folder: operations on words of i32, with folding.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_DIALECT_SFTILE_CODECS_CODECBITS_H
#define SPARSEFLOW_LIB_DIALECT_SFTILE_CODECS_CODECBITS_H

#include "SparseFlow/Dialect/SFTile/Atoms/BitInstructions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/bit.h"

namespace mlir::sftile {

class CodecBits {
public:
  CodecBits(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  Value constant(int64_t bits) {
    return arith::ConstantOp::create(
        builder, loc, builder.getI32IntegerAttr(static_cast<int32_t>(bits)));
  }
  Value left(Value word, int64_t bits) {
    return bits ? op<arith::ShLIOp>(word, constant(bits)) : word;
  }
  Value right(Value word, int64_t bits) {
    return bits ? op<arith::ShRUIOp>(word, constant(bits)) : word;
  }
  Value bitAnd(Value word, int64_t mask) {
    return op<arith::AndIOp>(word, constant(mask));
  }
  Value bitXor(Value word, int64_t mask) {
    return op<arith::XOrIOp>(word, constant(mask));
  }
  Value bitOr(Value a, Value b) { return op<arith::OrIOp>(a, b); }
  Value add(Value a, int64_t b) { return op<arith::AddIOp>(a, constant(b)); }
  Value mul(Value a, int64_t b) { return op<arith::MulIOp>(a, constant(b)); }

  /// The codes of `width` bits in field `field` of both halves of `word`, less
  /// `bias` or, without one, in two's complement, as a pair of f16 or bf16. The
  /// bits of a code, put into the mantissa of a power of two, are that power
  /// plus a multiple of the code; one multiplication and an addition, which the
  /// GPU fuses, take the power away. Both are exact, so that the back end may
  /// fuse them.
  Value codesAsFloats(Value word, Type element, int64_t width, int64_t field,
                      std::optional<int64_t> bias) {
    // 2^7 and 2^10: below the point bf16 has 7 bits, f16 has 10. Fields that
    // have no room there move down, in f16 as many as a power of two.
    bool isBf16 = element.isBF16();
    int64_t one = isBf16 ? 0x43004300 : 0x64006400;
    double power = isBf16 ? 128 : 1024;
    int64_t room = (isBf16 ? 7 : 10) / width;
    int64_t together =
        isBf16 ? room : int64_t(llvm::bit_floor(static_cast<uint64_t>(room)));
    int64_t moved = field < room ? 0 : field / together * together;
    field -= moved;
    word = right(word, width * moved);
    int64_t ones = (int64_t(1) << width) - 1, sign = int64_t(1) << (width - 1);
    int64_t mask = (ones << 16 | ones) << (width * field);
    int64_t signs = (sign << 16 | sign) << (width * field);
    // Two's complement with its upper bit changed exceeds the number by that.
    Value magic = bias ? emitAndOr(builder, loc, word, mask, one)
                       : emitAndXor(builder, loc, word, mask, one ^ signs);
    double above = double(bias.value_or(sign));
    double scale = 1.0 / double(int64_t(1) << (width * field));
    auto pair = VectorType::get({2}, element);
    auto both = [&](double value) -> Value {
      return arith::ConstantOp::create(
          builder, loc,
          DenseElementsAttr::get(pair, builder.getFloatAttr(element, value)));
    };
    auto fuse = LLVM::FastmathFlags::contract;
    Value number = LLVM::BitcastOp::create(builder, loc, pair, magic);
    Value product =
        LLVM::FMulOp::create(builder, loc, number, both(scale), fuse);
    Value codes = LLVM::FAddOp::create(builder, loc, product,
                                       both(-(power * scale + above)), fuse);
    return LLVM::BitcastOp::create(builder, loc, builder.getI32Type(), codes);
  }

  OpBuilder &builder;
  Location loc;

private:
  template <typename OpT>
  Value op(Value a, Value b) {
    return builder.createOrFold<OpT>(loc, a, b);
  }
};

} // namespace mlir::sftile

#endif // SPARSEFLOW_LIB_DIALECT_SFTILE_CODECS_CODECBITS_H
