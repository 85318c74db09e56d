//===- StreamedParts.h - Parts of StreamedMatmul.cpp -----------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_MATMUL_STREAMED_STREAMEDPARTS_H
#define SPARSEFLOW_LIB_KERNELS_MATMUL_STREAMED_STREAMEDPARTS_H

#include "Kernels/Matmul/MatmulProblem.h"
#include "Kernels/Support/ThreadCode.h"
#include "Kernels/Tensor/TensorKernel.h"
#include "SparseFlow/Dialect/SFTile/IR/ThreadOps.h"

namespace mlir::sparseflow {

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
  /// `place`. Other lanes read them than those that copy them.
  void copy(Value unit, Value row, Value lane, Value place);
  /// Adds the accumulators of part `part` of a unit, `ofPart`, times its
  /// scales, to `sums`. Those of integers are `counted` from 1.5 * 2^23, as
  /// bits of f32.
  void accumulate(ArrayRef<Value> ofPart, bool counted, Value place,
                  int64_t plane, int64_t part, Value lane,
                  MutableArrayRef<Value> sums);

  /// The first scale, in global memory.
  Value pointer;

private:
  LoopScales scales;
  int64_t tiles, columns, unitCols, rows, elementBytes;
};

/// The MMAs of a warp with one unit of weights, whose codes become operand A of
/// 8 or 16 bits, dense or 2:4 sparse.
class StreamedMainloop : ThreadCode {
public:
  struct Form {
    sftile::CodecInterface weights;
    Type type; // of activations
    /// MMA tiles of 16 features, and of eight tokens.
    int64_t tiles, tokenTiles;
    /// Null if accumulators are scaled behind the mainloop.
    StreamedScales *scales;
    /// Whether operand A is raw codes (thread.unpack raw), so that the
    /// sums of halves are apart.
    bool raw;
  };
  /// Operand B: four registers for each token tile.
  using Activations = SmallVector<SmallVector<Value>>;

  StreamedMainloop(OpBuilder &builder, Location loc, const Form &form);

  /// Whether there are raw codes of 16 bits for these weights.
  static bool isRaw(sftile::CodecInterface weights, Type type) {
    return !weights.isSparse() && type.isF16();
  }
  /// The accumulators of weights [tile][token tile][4] from those of raw codes
  /// and the sums of the activations, [token tile][4] for any row.
  SmallVector<Value> fromRaw(ArrayRef<Value> sums, ArrayRef<Value> ofTokens);
  /// Adds the activations of a load to `sums`, times `one`, a register of A.
  void addUpTokens(const Activations &x, Value one,
                   MutableArrayRef<Value> sums);

  /// Adds to the accumulators `sums` [tile][token tile][4], or
  /// [tile][half][token tile][4] of raw codes. `codes` are words of each plane
  /// and tile, `meta` the metadata of each tile. `activations` loads 64 bytes
  /// of each token by their number in the unit.
  void multiply(ArrayRef<Value> codes, ArrayRef<Value> meta, Value scalesAt,
                Value lane, function_ref<Activations(int64_t)> activations,
                MutableArrayRef<Value> sums);

private:
  struct Weights {
    Value codes, meta;
  };
  Weights exchangeBytes(const Weights &weights, Value lane);
  void multiplyTile(const Weights &weights, int64_t column, int64_t columns,
                    const Activations &x, MutableArrayRef<Value> acc);
  /// Operand A of MMA `part` of a word, four registers.
  SmallVector<Value> unpack(Value words, int64_t word, int64_t part);
  void emitMma(ArrayRef<Value> a, Value metadata, int64_t selector,
               const Activations &x, int64_t first, int64_t count,
               MutableArrayRef<Value> sums);

  Form form;
  bool sparse, integers;
  sftile::Codec codec;
  /// The type of operand A.
  Type operandType;
  sftile::MmaAtomInterface mma;
};

/// The sum of the activations of each token, which accumulators of raw codes
/// have too much. Warps that have units in common share their matrix loads.
class TokenSums : ThreadCode {
public:
  /// For warp `warpAcross` of `across` that share units, of which the first is
  /// the block's warp `firstWarp`; `place` has 32 bytes for each warp and token
  /// tile.
  TokenSums(OpBuilder &builder, Location loc, int64_t tokenTiles,
            int64_t across, Value warpAcross, Value firstWarp, Value lane,
            Value place);

  /// Matrix loads of a unit that this warp adds up, and the first one's number.
  int64_t loads() const { return count; }
  Value firstLoad() const { return first; }
  /// The register of A that adds them up, zero in a warp that has none.
  Value one() const { return ones; }
  /// What a warp has added up, [token tile][4], into shared memory; then,
  /// behind a barrier of the block, the sums of those that share units.
  void storePartialSums(ArrayRef<Value> sums);
  SmallVector<Value> loadSums();
  /// Whether the sum of one of `tokens` tokens is not finite: the same for all
  /// warps that share units.
  Value anyNotFinite(ArrayRef<Value> sums, Value tokens);

private:
  Value tokenOf(int64_t tokenTile, int64_t column);
  Value wordOf(Value warp, int64_t tokenTile, int64_t column);

  int64_t tokenTiles, across, count;
  Value warpAcross, firstWarp, lane, place, first, ones;
};

/// What a thread quantizes of a token: pieces of 16 columns, zeros from K on.
class HeldPieces {
public:
  virtual ~HeldPieces() = default;
  /// Takes those of token `token` whose numbers (i32) are given.
  virtual void take(Value token, ArrayRef<Value> numbers) = 0;
  /// The largest of their magnitudes, bits of f32.
  virtual Value magnitude() = 0;
  /// The elements of one of them, by its place among the numbers, f32.
  virtual SmallVector<Value> elements(size_t place) = 0;
};

/// Of the rows of `problem.computedRows`, for the `threads` of a block, each of
/// which has `pieces`: a token's norm, computed by each block that reads it.
/// `rows` is the kernel of rows that they would be else, and outlives it.
std::unique_ptr<HeldPieces> computedPieces(KernelBuilder &b,
                                           const TensorKernel &rows,
                                           int64_t threads, int64_t pieces);

/// How the threads of a block share the quantization of its tokens.
struct HeldSharing {
  /// Each warp quantizes a token by itself: there are several, and it has
  /// registers for the columns of one.
  bool byWarp = false;
  /// Otherwise how many all threads quantize in one step. Of several the parts,
  /// a piece for each lane of a warp, are spread over the warps as far as
  /// registers reach.
  int64_t together = 1;
  /// Parts of a token, and pieces that a thread has at a time.
  int64_t parts, pieces;

  /// Of up to `tokens` tokens with `columns` columns of `type`.
  HeldSharing(int64_t tokens, int64_t columns, int64_t threads, Type type);
};

/// The activations of all of K in a block's shared memory, quantized there for
/// int8 MMAs.
class HeldActivations : ThreadCode, HeldPieces {
public:
  struct Form {
    /// Their type in global memory, how they are quantized, if they are, and
    /// whether they keep the order of their columns then.
    Type type;
    std::optional<HeldSharing> sharing;
    bool natural;
    /// K, and rounded up to whole units.
    int64_t k, columns;
    int64_t threads;
    /// Bytes of a row, and where rows and words begin in shared memory.
    int64_t rowBytes, heldAt, wordsAt;
  };
  /// `x` begins with the block's first token.
  HeldActivations(OpBuilder &builder, Location loc, const Form &form, Value x,
                  Value shared)
      : ThreadCode(builder, loc), form(form), x(x), shared(shared) {}

  /// Two times a word for each warp, of up to 8 tokens their scale, the sums of
  /// their values warp by warp or part by part, and where parts have none of
  /// their own the magnitudes of these.
  static constexpr int64_t kScalesAt = 256, kSumsAt = 288;
  static constexpr int64_t kMagnitudesAt = kSumsAt + 8 * 32 * 4;
  static int64_t wordsBytes(const std::optional<HeldSharing> &sharing) {
    return kMagnitudesAt + (sharing && sharing->together > 1 ? 8 * 32 * 4 : 0);
  }

  /// Loads those of `tokens` tokens, or takes them from `computed`; all threads
  /// of the block execute it.
  void hold(Value tokens, HeldPieces *computed = nullptr);
  /// Of a token, if it was quantized.
  Value sumOf(Value token);
  Value scaleOf(Value token);

private:
  Value rowOf(Value token);
  Value heldRow(Value token);
  void copyToken(Value token);
  void quantizeToken(Value token, HeldPieces &pieces);
  void quantizeTogether(Value first, Value tokens);
  /// The values of `body`, or `otherwise` in warps where `condition` does not
  /// hold.
  SmallVector<Value> ifInside(Value condition,
                              function_ref<SmallVector<Value>()> body,
                              ArrayRef<Value> otherwise);
  void take(Value token, ArrayRef<Value> numbers) override;
  Value magnitude() override;
  SmallVector<Value> elements(size_t place) override;

  Form form;
  Value x, shared, thread;
  /// Pieces as they were loaded.
  SmallVector<SmallVector<Value>> raw;
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

/// Matrix loads of activations from a stage, whose rows are swizzled, or from
/// held rows.
class MatrixLoads : ThreadCode {
public:
  struct Form {
    bool held;
    /// Token tiles, bytes from a token to the next one's, and where the first
    /// one's are, from the stage or from the unit's held columns on.
    int64_t tokenTiles, rowBytes, start;
  };
  /// Where this lane's rows begin, [token tile][load].
  using Offsets = SmallVector<SmallVector<Value>>;
  /// What a load has of a token.
  static constexpr int64_t kBytes = 64;

  MatrixLoads(OpBuilder &builder, Location loc, const Form &form, Value lane,
              Value tokens)
      : ThreadCode(builder, loc), form(form), lane(lane), tokens(tokens) {}

  /// Of `count` loads of the unit from number `first` on.
  Offsets offsets(Value first, int64_t count);
  /// The activations of load `number` of `offsets`, of every token tile.
  StreamedMainloop::Activations load(Value start, const Offsets &offsets,
                                     int64_t number);

private:
  Form form;
  Value lane, tokens;
};

/// The matmuls of one launch: whose weights a block reads, and their epilogues.
class StreamedMembers : ThreadCode {
public:
  /// `b` has as many pointers as pointerCount says.
  StreamedMembers(const MatmulProblem &spec, KernelBuilder &b);

  static int64_t pointerCount(const MatmulProblem &spec);

  /// Chooses the matmul of this block by the number of its tile, and returns
  /// the tile's number in this matmul.
  Value pick(Value tile);
  /// Whether blocks end where the features of every matmul do, padded to a
  /// multiple of `rows`.
  bool fillBlocks(int64_t rows) const;

  /// In front of the wait for the kernels before (PDL): brings what epilogues
  /// read of `count` features from `feature` on, such as the scales of weights,
  /// to the L2 cache. It is read last, when nothing hides that it comes from
  /// memory.
  void prefetch(Value feature, int64_t count, int64_t threads);

  /// What a block that has quantized a token has in shared memory: the sum of
  /// its values and its scale; nothing otherwise.
  struct Known {
    Value sum, scale;
  };
  /// Applies the epilogue to the sum of a feature and a token, or of gated
  /// matmuls both epilogues.
  Value compute(ArrayRef<Value> sums, Value feature, Value token,
                const Known &known);
  void store(Value result, Value feature, Value token);

  /// After pick(): of this block's matmul, or of both if they are gated.
  SmallVector<Value> weights;
  /// Its number of features, i32, and its scales, if the mainloop reads them.
  Value features, scales;

private:
  struct Member {
    int64_t n;
    Type resultType;
    ArrayRef<ElementOperand> operands;
    ElementBody body;
    ArrayRef<int64_t> tokenScales;
    /// Parameters: the weight (behind it its scales, if the mainloop reads
    /// them); behind the weights of all each operand (-1: it has none) and the
    /// result.
    int64_t weight;
    SmallVector<int64_t> pointers;
    int64_t result;
  };
  static SmallVector<Member> membersOf(const MatmulProblem &spec);

  Value apply(const Member &member, Value sum, Value feature, Value token,
              ArrayRef<Value> pointers, const Known &known, Value gate = {});
  Value loadOperand(const Member &member, int64_t index, Value pointer,
                    Value feature, Value token, const Known &known);
  /// Where a token's features begin in a tensor of this block's matmul.
  Value rowOf(Value pointer, Value token, Type type);

  const MatmulProblem &spec;
  KernelBuilder &b;
  SmallVector<Member> members;
  bool gated;
  SmallVector<Value> operandPointers;
  Value resultPointer;
};

/// The end of a kernel: warps leave their sums in shared memory, and the
/// threads of all blocks of a cluster add them up and store results.
class StreamedResults : ThreadCode {
public:
  struct Form {
    /// A block's features, of all its weights, and at most so many tokens; a
    /// warp's MMA tiles, of 16 features and of eight tokens.
    int64_t features, tokens, tiles, tokenTiles;
    /// Warps and blocks along K, and threads of a block.
    int64_t along, splits, threads;
    /// Rows of one weight, behind which as many of another follow; or 0.
    int64_t gatedRows;
    Type sumType;
    /// Whether sums are of raw codes of 8 bits.
    bool raw;
  };
  StreamedResults(OpBuilder &builder, Location loc, const Form &form,
                  Value shared)
      : ThreadCode(builder, loc), form(form), shared(shared) {}

  /// What sums take of the shared memory of a block, from its start on.
  static int64_t bytes(const Form &form);
  /// Stores the accumulators of a warp, [tile][token tile][4].
  void putSums(ArrayRef<Value> sums, Value lane, Value warpAcross,
               Value warpAlong, Value tokens);

  struct Place {
    /// Of the thread in its cluster, tokens of the block, its first feature,
    /// and its first token if that is not 0.
    Value thread, tokens, feature, token;
  };
  /// Behind a barrier. `known` says what the block knows of a token.
  void store(StreamedMembers &members,
             function_ref<StreamedMembers::Known(Value)> known,
             const Place &place);

private:
  int64_t ofResult() const { return form.features / (form.gatedRows ? 2 : 1); }
  int64_t resultsTogether() const;
  SmallVector<Value> sumsOf(ArrayRef<Value> blocks, Value element, Value token);

  Form form;
  Value shared;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_MATMUL_STREAMED_STREAMEDPARTS_H
