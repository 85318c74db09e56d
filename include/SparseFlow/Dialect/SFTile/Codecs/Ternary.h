//===- Ternary.h - Codecs of ternary weights -------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the bits of packed ternary weights mean, and how they become registers
// of operand A: four of 32 bits for an MMA of 16 rows, two rows alternating (g
// and g + 8 of lane 4 g + c), then those of the upper half of K. docs/formats
// has the layout of the words in memory. Every step is exact.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_DIALECT_SFTILE_CODECS_TERNARY_H
#define SPARSEFLOW_DIALECT_SFTILE_CODECS_TERNARY_H

#include "mlir/IR/Builders.h"

namespace mlir::sftile {

/// tern.v1: a word has 16 codes of two bits, 0, 1 and 2 for -1, 0 and 1, of two
/// rows and 32 columns of K.
namespace tern_v1 {

/// The weights as si8, K = 32.
SmallVector<Value> unpackBytes(OpBuilder &builder, Location loc, Value word);
/// The codes as u8, K = 32.
SmallVector<Value> unpackCodes(OpBuilder &builder, Location loc, Value word);
/// The weights times -64 as si8, K = 32.
SmallVector<Value> unpackNegated(OpBuilder &builder, Location loc, Value word);
/// The codes times 64 as u8, K = 32.
SmallVector<Value> unpackShifted(OpBuilder &builder, Location loc, Value word);
/// The weights as f16 or bf16, K = 16: the lower or the upper `half` of the
/// word's columns.
SmallVector<Value> unpackFloats(OpBuilder &builder, Location loc, Value word,
                                Type element, int64_t half);

/// The codes as u8, K = 32, those of the upper eight rows times kRawUpper: a
/// shift for four registers.
SmallVector<Value> unpackRawBytes(OpBuilder &builder, Location loc, Value word);
/// The codes as f16 without an exponent, K = 16: the code times rawScale.
/// Twelve instructions for the registers of both halves, of which two shift to
/// the left.
SmallVector<Value> unpackRawHalves(OpBuilder &builder, Location loc, Value word,
                                   int64_t half);
constexpr int64_t kRawUpperShift = 2, kRawUpper = 1 << kRawUpperShift;
/// The lowest bit of a code of unpackRawHalves. MMAs align products by their
/// operands' exponents, so a code loses as many bits of a sum as it has zeros
/// in front: 10 at bit 0, 3 at bit 6 (docs/Rationale/Simulator.md).
constexpr int64_t kRawHalfShift = 6;
/// What a code of unpackRawHalves is multiplied by; `upper`: in the upper eight
/// rows.
constexpr double rawScale(bool upper) {
  // The last place of f16 numbers without an exponent.
  constexpr double kLastPlace = 1.0 / (1 << 24);
  return kLastPlace * (int64_t(1) << (kRawHalfShift + 2 * upper));
}

} // namespace tern_v1

/// tern24.v1 and tern24z.v1: the nonzeros of 2:4 sparse weights; `part` is the
/// number of the MMA in the word. Of tern24.v1 a word has their signs, one bit
/// each; of tern24z.v1 the weights in two bits, two's complement, because both
/// of four columns need not be nonzeros.
namespace tern24 {

/// As si8, 32 nonzeros of K = 64.
SmallVector<Value> unpackSigns(OpBuilder &builder, Location loc, Value word,
                               int64_t part);
SmallVector<Value> unpackBytes(OpBuilder &builder, Location loc, Value word);
/// Signs times 64; weights of tern24z.v1 are that by tern_v1::unpackShifted.
SmallVector<Value> unpackShiftedSigns(OpBuilder &builder, Location loc,
                                      Value word, int64_t part);
/// As f16 or bf16, 16 nonzeros of K = 32, from words whose bytes the lanes of a
/// quad have exchanged.
SmallVector<Value> unpackSignsAsFloats(OpBuilder &builder, Location loc,
                                       Value word, Type element, int64_t part);
SmallVector<Value> unpackFloats(OpBuilder &builder, Location loc, Value word,
                                Type element, int64_t part);

} // namespace tern24

} // namespace mlir::sftile

#endif // SPARSEFLOW_DIALECT_SFTILE_CODECS_TERNARY_H
