//===- StreamedParts.h - Parts of StreamedMatmul.cpp -----------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_MATMUL_STREAMED_STREAMEDPARTS_H
#define SPARSEFLOW_LIB_KERNELS_MATMUL_STREAMED_STREAMEDPARTS_H

#include "Kernels/Matmul/MatmulKernel.h"
#include "Kernels/Support/ThreadCode.h"

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
  /// The bits of the codes as f16 without an exponent, that is, codes times
  /// rawScale(half, upper), where `upper` says whether of the upper eight rows:
  /// nine instructions for the registers of both halves. What they are too much
  /// is the sum of the activations.
  SmallVector<Value> decodeRaw(Value word, int64_t half);
  static double rawScale(int64_t half, bool upper);
  /// The weights themselves, bytes with a sign.
  SmallVector<Value> decodeTrits(Value word);
  /// The kept weights of 32 columns, numbers of f16 or bf16, from words that
  /// lanes have exchanged: the first byte of each half has the bits of column
  /// 2 q + i of 16, the second one those of 8 columns behind, of half i in lane
  /// q of four.
  SmallVector<Value> decodeKeptFloats(Value codes, int64_t step,
                                      KeptCodes keeps, Type type);
  /// The kept weights of 64 columns, bytes with a sign. tern24.v1 has their
  /// signs, one bit each, which repeated over the byte and or-ed with 1 are -1
  /// or 1. tern24z.v1 has two bits, of which the upper one is the sign's.
  SmallVector<Value> decodeKept(Value codes, int64_t step, KeptCodes keeps);
  /// Adds their products with 64 columns of activations, four registers for
  /// every eight tokens, to `sums`, four for each of these.
  void multiplyKept(ArrayRef<Value> a, Value metadata,
                    ArrayRef<SmallVector<Value>> x,
                    MutableArrayRef<Value> sums);
};

/// Scales of groups of columns and of planes, which come with the weights that
/// they belong to: a stage of the warp's ring has them behind the weights.
class StreamedScales : ThreadCode {
public:
  /// For warps with `tiles` of 16 rows of a weight of `n`.
  StreamedScales(OpBuilder &builder, Location loc, const LoopScales &scales,
                 int64_t unitCols, int64_t tiles, int64_t n);

  /// Bytes that they take in a stage, a multiple of 16.
  int64_t bytes() const;
  /// Columns of a unit that have one scale, and parts of it that these are.
  int64_t columnsOfPart() const { return columns; }
  int64_t parts() const { return unitCols / columns; }
  /// Starts the copies of those of `unit` and the rows from `row` on to
  /// `place`. They are other lanes' than those that copy them.
  void copy(Value unit, Value row, Value lane, Value place);
  /// Adds the sums of part `part` of a unit, `ofPart`, times its scales, to
  /// `sums`. Those of integers are `counted` from 1.5 * 2^23, as bits of f32.
  void accumulate(ArrayRef<Value> ofPart, bool counted, Value place,
                  int64_t plane, int64_t part, Value lane,
                  MutableArrayRef<Value> sums);

  /// The first scale, in global memory.
  Value pointer;

private:
  LoopScales scales;
  int64_t tiles, columns, unitCols, rows, elementBytes;
};

/// The products of a warp with one unit of weights: codes of bytes or of
/// 16-bit numbers, all of them or two of four columns.
class StreamedMainloop : ThreadCode {
public:
  struct Form {
    KeptCodes keeps;
    Type type; // of activations
    /// Tiles of 16 rows, and groups of eight tokens.
    int64_t tiles, pieces;
    /// Null if sums are scaled behind the loop.
    StreamedScales *scales;
    /// Whether operand A is raw codes (StreamedDecoder::decodeRaw), so that the
    /// sums of halves are apart.
    bool raw;
  };
  /// Four registers for every eight tokens.
  using Activations = SmallVector<SmallVector<Value>>;

  StreamedMainloop(OpBuilder &builder, Location loc, const Form &form);

  /// Whether there is such an operand A for these weights.
  static bool isRaw(KeptCodes keeps, Type type) {
    return keeps == KeptCodes::All && type.isF16();
  }
  /// The sums of weights [tile][eight tokens][4] from those of raw codes and
  /// the sums of the activations, [eight tokens][4] for whichever row.
  SmallVector<Value> fromRaw(ArrayRef<Value> sums, ArrayRef<Value> ofTokens);
  /// Adds the activations of a load to `sums`, times `one`, a register of A.
  void addUpTokens(const Activations &x, Value one,
                   MutableArrayRef<Value> sums);

  /// Adds to `sums` [tile][eight tokens][4], or [tile][half][eight tokens][4]
  /// of raw codes. `codes` are words of each plane
  /// and tile, `meta` those of each tile that say which columns are kept.
  /// `activations` loads 64 bytes of each token by their number in the unit.
  void multiply(ArrayRef<Value> codes, ArrayRef<Value> meta, Value scalesAt,
                Value lane, function_ref<Activations(int64_t)> activations,
                MutableArrayRef<Value> sums);

private:
  struct Weights {
    Value codes, meta;
  };
  Weights exchange(const Weights &weights, Value lane);
  void multiplyTile(const Weights &weights, int64_t column, int64_t columns,
                    const Activations &x, MutableArrayRef<Value> acc);
  void product(ArrayRef<Value> a, Value metadata, int64_t selector,
               const Activations &x, int64_t first, int64_t count,
               MutableArrayRef<Value> sums);

  Form form;
  StreamedDecoder decoder;
  bool pairs, integers;
  sftile::MmaAtomInterface mma;
};

/// What sums of raw codes have too much: the activations of every token. Warps
/// that have units in common share their loads of four matrices.
class TokenSums : ThreadCode {
public:
  /// For warp `warpAcross` of `across` that share units, of which the first is
  /// the block's warp `firstWarp`; `place` has 32 bytes for each warp and eight
  /// tokens.
  TokenSums(OpBuilder &builder, Location loc, int64_t pieces, int64_t across,
            Value warpAcross, Value firstWarp, Value lane, Value place);

  /// Loads of a unit that this warp adds up, and the first one's number.
  int64_t loads() const { return count; }
  Value firstLoad() const { return first; }
  /// The register of A that adds them up, zero in a warp that has none.
  Value one() const { return ones; }
  /// What a warp has added up, [eight tokens][4], into shared memory; then,
  /// behind a barrier of the block, the sums of those that share units.
  void put(ArrayRef<Value> sums);
  SmallVector<Value> take();
  /// Whether one of those of `tokens` tokens is no number: the same for all
  /// warps that share units.
  Value anyNotFinite(ArrayRef<Value> sums, Value tokens);

private:
  Value tokenOf(int64_t piece, int64_t column);
  Value wordOf(Value warp, int64_t piece, int64_t column);

  int64_t pieces, across, count;
  Value warpAcross, firstWarp, lane, place, first, ones;
};

/// The activations of the whole depth in a block's shared memory, quantised
/// there if they are to have 8 bits.
class HeldActivations : ThreadCode {
public:
  struct Form {
    /// In memory, and whether they become 8 bits, in their natural order.
    Type type;
    bool quantized, natural;
    /// Whether a warp quantises a token, for several at once, or all threads
    /// do.
    bool byWarp;
    /// Elements of a row, and with those of whole units.
    int64_t k, columns;
    int64_t threads;
    /// Bytes of a row, and where rows and words begin in shared memory.
    int64_t rowBytes, heldAt, wordsAt;
  };
  /// `x` begins with the block's first token.
  HeldActivations(OpBuilder &builder, Location loc, const Form &form, Value x,
                  Value shared)
      : ThreadCode(builder, loc), form(form), x(x), shared(shared) {}

  /// Whether each warp quantises a token by itself: there are several, and it
  /// has registers for the columns of one.
  static bool byWarp(int64_t tokens, int64_t columns) {
    return tokens > 1 && columns <= 2048;
  }
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

/// Copies of activations of 16 bits whose rows begin anywhere.
class ElementCopies : ThreadCode {
public:
  /// For rows of `k` elements.
  ElementCopies(OpBuilder &builder, Location loc, int64_t k)
      : ThreadCode(builder, loc), k(k) {}
  /// 16 bytes of `row` from column `first` on, zeros from K on, one by one.
  void copy(Value to, Value row, Value first);

private:
  int64_t k;
};

/// Loads of four matrices of activations from a stage, whose rows are swizzled,
/// or from held rows.
class MatrixLoads : ThreadCode {
public:
  struct Form {
    bool held;
    /// Groups of eight tokens, bytes from a token to the next one's, and where
    /// the first one's are, from the stage or from the unit's held columns on.
    int64_t pieces, rowBytes, start;
  };
  /// Where this lane's rows begin, [eight tokens][load].
  using Offsets = SmallVector<SmallVector<Value>>;
  /// What a load has of a token.
  static constexpr int64_t kBytes = 64;

  MatrixLoads(OpBuilder &builder, Location loc, const Form &form, Value lane,
              Value tokens)
      : ThreadCode(builder, loc), form(form), lane(lane), tokens(tokens) {}

  /// Of `count` loads of the unit from number `first` on.
  Offsets offsets(Value first, int64_t count);
  /// The activations of load `number` of `offsets`, of every eight tokens.
  StreamedMainloop::Activations load(Value start, const Offsets &offsets,
                                     int64_t number);

private:
  Form form;
  Value lane, tokens;
};

/// The products of one launch: whose weights a block reads, and what becomes of
/// sums.
class StreamedMembers : ThreadCode {
public:
  /// `b` has as many pointers as pointerCount says.
  StreamedMembers(const MatmulKernel &spec, KernelBuilder &b);

  static int64_t pointerCount(const MatmulKernel &spec);

  /// Says which product this block belongs to, by the number of its tile, and
  /// returns that tile's number among those of the product.
  Value pick(Value tile);
  /// Whether blocks end where the rows of every product do, padded to a
  /// multiple of `rows`.
  bool fillBlocks(int64_t rows) const;

  /// What a block has in shared memory of a token that it has quantised: the
  /// sum of its values and its scale; nothing if it has not.
  struct Known {
    Value sum, scale;
  };
  /// Applies the body to the sum of a feature and a token, or of gated products
  /// the bodies to both, and stores the result.
  void store(ArrayRef<Value> sums, Value feature, Value token,
             const Known &known);

  /// After pick(): of this block's product, or of both if they are gated.
  SmallVector<Value> weights;
  /// Its number of features, i32, and its scales, if the loop reads them.
  Value features, scales;

private:
  struct Member {
    int64_t n;
    Type resultType;
    ArrayRef<ElementOperand> operands;
    ElementBody body;
    ArrayRef<int64_t> tokenScales;
    /// Parameters: the weight (behind it its scales, if the loop reads them),
    /// each operand (-1: it has none), the result.
    int64_t weight;
    SmallVector<int64_t> pointers;
    int64_t result;
  };
  static SmallVector<Member> membersOf(const MatmulKernel &spec);

  Value apply(const Member &member, Value sum, Value feature, Value token,
              ArrayRef<Value> pointers, const Known &known, Value gate = {});
  Value loadOperand(const Member &member, int64_t index, Value pointer,
                    Value feature, Value token, const Known &known);
  /// Where a token's features begin in a tensor of this block's product.
  Value rowOf(Value pointer, Value token, Type type);

  const MatmulKernel &spec;
  KernelBuilder &b;
  SmallVector<Member> members;
  bool gated;
  SmallVector<Value> operandPointers;
  Value resultPointer;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_MATMUL_STREAMED_STREAMEDPARTS_H
