//===- StreamedParts.h - Parts of StreamedMatmul.cpp -----------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_CONVERSION_SPARSEFLOWTOSFTILE_STREAMEDPARTS_H
#define SPARSEFLOW_LIB_CONVERSION_SPARSEFLOWTOSFTILE_STREAMEDPARTS_H

#include "Kernels.h"
#include "ThreadCode.h"

namespace mlir::sparseflow {

/// Registers of operand A from the codes of ternary weights.
class StreamedDecoder : ThreadCode {
public:
  StreamedDecoder(OpBuilder &builder, Location loc)
      : ThreadCode(builder, loc) {}

  /// Codes of the lower eight rows as they are, those of the upper eight times
  /// four, which whoever stores the sums takes away: a shift for four
  /// registers.
  SmallVector<Value> decodeBytes(Value word);
  /// As DecodePatterns.cpp: the bits of a code in the mantissa of a power of
  /// two, which one multiplication and an addition, fused, take away. f16 has
  /// room for five fields of two bits and bf16 for three.
  SmallVector<Value> decodeFloats(Value word, int64_t half, Type type);
  /// The kept weights of 64 columns, bytes with a sign. tern24.v1 has their
  /// signs, one bit each, which repeated over the byte and or-ed with 1 are -1
  /// or 1. tern24z.v1 has two bits, of which the upper one is the sign's.
  SmallVector<Value> decodeKept(Value codes, int64_t step, KeptCodes keeps);
};

/// The activations of the whole depth in a block's shared memory, quantised
/// there if they are to have 8 bits.
class HeldActivations : ThreadCode {
public:
  struct Form {
    /// In memory, and whether they become 8 bits, in their natural order.
    Type type;
    bool quantized, natural;
    /// Elements of a row, and with those of whole units.
    int64_t k, columns;
    int64_t threads;
    /// Bytes of a row, and where rows and words begin in shared memory.
    int64_t rowBytes, heldAt, wordsAt;
  };
  HeldActivations(OpBuilder &builder, Location loc, const Form &form, Value x,
                  Value shared)
      : ThreadCode(builder, loc), form(form), x(x), shared(shared) {}

  /// Two times a word for each warp, of up to 8 tokens their scale, and the
  /// sums of their values warp by warp.
  static constexpr int64_t kScalesAt = 256, kSumsAt = 288;
  static constexpr int64_t kWordsBytes = kSumsAt + 8 * 32 * 4;

  /// Puts them there; all threads of the block.
  void hold(Value tokens);
  /// Of a token's values, if they were quantised.
  Value sumOf(Value token);
  Value scaleOf(Value token);

private:
  Value loadChunk(Value token, Value column);
  Value heldRow(Value token);
  void holdAsTheyAre(Value token);
  void holdQuantized(Value token);

  Form form;
  Value x, shared, thread;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_CONVERSION_SPARSEFLOWTOSFTILE_STREAMEDPARTS_H
