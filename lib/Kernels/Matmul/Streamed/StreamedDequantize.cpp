//===- StreamedDequantize.cpp - Operand A of few tokens -------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/Streamed/StreamedParts.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::sparseflow;

SmallVector<Value> StreamedDecoder::decodeBytes(Value word) {
  Value later = right(word, 4);
  return {bitAnd(word, 0x03030303), bitAnd(word, 0x0C0C0C0C),
          bitAnd(later, 0x03030303), bitAnd(later, 0x0C0C0C0C)};
}

SmallVector<Value> StreamedDecoder::decodeFloats(Value word, int64_t half,
                                                 Type type) {
  bool bf16 = type.isBF16();
  double power = bf16 ? 128 : 1024;
  auto pair = VectorType::get({2}, type);
  auto both = [&](double value) -> Value {
    return arith::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(pair, builder.getFloatAttr(type, value)));
  };
  SmallVector<Value> registers;
  for (int64_t h = 0; h < 2; ++h)
    for (int64_t r = 0; r < 2; ++r) {
      int64_t field = 4 * h + r + 2 * half;
      int64_t shift = bf16 ? field / 3 * 3 : field > 4 ? 4 : 0;
      field -= shift;
      Value bits =
          maskAnd(right(word, 2 * shift), int64_t(0x00030003) << (2 * field),
                  bf16 ? 0x43004300 : 0x64006400);
      Value number = LLVM::BitcastOp::create(builder, loc, pair, bits);
      double scale = 1.0 / double(int64_t(1) << (2 * field));
      auto fuse = LLVM::FastmathFlags::contract;
      Value scaled =
          LLVM::FMulOp::create(builder, loc, number, both(scale), fuse);
      Value trits = LLVM::FAddOp::create(builder, loc, scaled,
                                         both(-(power * scale + 1.0)), fuse);
      registers.push_back(LLVM::BitcastOp::create(builder, loc, i32, trits));
    }
  return registers;
}

SmallVector<Value> StreamedDecoder::decodeRaw(Value word, int64_t half) {
  Value later = right(word, 8);
  int64_t lower = int64_t(0x00030003) << (4 * half), upper = lower << 2;
  return {bitAnd(word, lower), bitAnd(word, upper), bitAnd(later, lower),
          bitAnd(later, upper)};
}

double StreamedDecoder::rawScale(int64_t half, bool upper) {
  // The last place of f16 numbers without an exponent.
  constexpr double kLastPlace = 1.0 / (1 << 24);
  return kLastPlace * (1 << (4 * half + 2 * upper));
}

SmallVector<Value> StreamedDecoder::decodeTrits(Value word) {
  // As DecodePatterns.cpp: 127 more carries into no other byte, and what is
  // then left to take away, 128, is the top bit.
  SmallVector<Value> registers;
  for (int64_t f = 0; f < 4; ++f)
    registers.push_back(
        bitXor(add(bitAnd(right(word, 2 * f), 0x03030303), 0x7F7F7F7F),
               integer(static_cast<int32_t>(0x80808080))));
  return registers;
}

SmallVector<Value> StreamedDecoder::decodeKeptFloats(Value codes, int64_t step,
                                                     KeptCodes keeps,
                                                     Type type) {
  int64_t one = type.isBF16() ? 0x3F80 : 0x3C00;
  int64_t signs = int32_t(0x80008000);
  SmallVector<Value> registers;
  bool oneBit = keeps == KeptCodes::PairsNonZero;
  Value word =
      vector::ExtractOp::create(builder, loc, codes, step / (oneBit ? 4 : 2));
  for (int64_t h = 0; h < 2; ++h)
    for (int64_t r = 0; r < 2; ++r) {
      int64_t f = 2 * (step % 2) + r;
      if (oneBit) {
        int64_t bit = 8 * h + 7 - (4 * (step / 2 % 2) + f);
        registers.push_back(
            maskAnd(left(word, 15 - bit), signs, one << 16 | one));
        continue;
      }
      int64_t bit = 8 * h + 2 * f;
      Value magnitude = mul(bitAnd(right(word, bit), 0x00010001), one);
      registers.push_back(
          bitOr(bitAnd(left(word, 14 - bit), signs), magnitude));
    }
  return registers;
}

SmallVector<Value> StreamedDecoder::decodeKept(Value codes, int64_t step,
                                               KeptCodes keeps) {
  SmallVector<Value> registers;
  if (keeps == KeptCodes::PairsNonZero) {
    Value word = vector::ExtractOp::create(builder, loc, codes, step / 2);
    for (int64_t f = 0; f < 4; ++f) {
      Value top = left(word, 4 * (step % 2) + f);
      registers.push_back(
          bitOr(permute(top, top, 0xBA98), integer(0x01010101)));
    }
    return registers;
  }
  Value word = vector::ExtractOp::create(builder, loc, codes, step);
  for (int64_t f = 0; f < 4; ++f) {
    Value bits = bitAnd(right(word, 2 * f), 0x03030303);
    Value sign = bitAnd(bits, 0x02020202);
    registers.push_back(bitOr(bits, mul(sign, 0x7E)));
  }
  return registers;
}

void StreamedDecoder::multiplyKept(ArrayRef<Value> a, Value metadata,
                                   ArrayRef<SmallVector<Value>> x,
                                   MutableArrayRef<Value> sums) {
  Type result = LLVM::LLVMStructType::getLiteral(builder.getContext(),
                                                 SmallVector<Type>(4, i32));
  for (auto [piece, registers] : llvm::enumerate(x)) {
    MutableArrayRef<Value> acc = sums.slice(piece * 4, 4);
    // The selector is an immediate of the instruction.
    Value selector = LLVM::ConstantOp::create(builder, loc, i32,
                                              builder.getI32IntegerAttr(0));
    auto op = NVVM::MmaSpOp::create(
        builder, loc, result, a, registers, acc, metadata, selector,
        ArrayRef<int64_t>{16, 8, 64}, NVVM::MMAIntOverflow::wrapped,
        std::array<NVVM::MMATypes, 2>{NVVM::MMATypes::s8, NVVM::MMATypes::s8});
    op.setOrderedMetadata(true);
    for (int64_t i = 0; i < 4; ++i)
      acc[i] = LLVM::ExtractValueOp::create(builder, loc, op.getRes(), i);
  }
}
