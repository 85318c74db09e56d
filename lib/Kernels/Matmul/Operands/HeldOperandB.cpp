//===- HeldOperandB.cpp - Activations that a block quantizes --------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/Operands/HeldOperandB.h"
#include "Kernels/Matmul/Mainloop/WarpgroupMainloop.h"
#include "Kernels/Quantize/TokenPieces.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

static constexpr int64_t kWarp = 32, kWordBytes = 4, kAlignment = 1024;
// Columns of a piece.
static constexpr int64_t kPieceColumns = TokenPieces::kColumns;
// A row of a swizzled tile: 16-byte chunks are permuted among eight rows.
static constexpr int64_t kTileColumns = 128, kChunk = 16, kSwizzledRows = 8;
static constexpr int64_t kChunks = kTileColumns / kChunk;
// Lanes that share a token, at least.
static constexpr int64_t kLeastSharers = 4;
// Registers for what a lane has loaded of tokens until their scales are known,
// and where four warpgroups share those of an SM.
static constexpr int64_t kLoadedRegisters = 96, kLoadedRegistersOfFour = 64;
static constexpr int64_t kWarpsOfThree = 12;

int64_t HeldOperandB::columns() const {
  return llvm::alignTo(problem.k, std::max(schedule.getK(), kTileColumns));
}

TileType HeldOperandB::valuesType() const {
  return TileType::get(problem.operandType.getContext(),
                       {columns() / kTileColumns * blockTokens(), kTileColumns},
                       problem.operandType, Order::Swizzled);
}

TileType HeldOperandB::wordsType(Type type) const {
  return TileType::get(type.getContext(), {blockTokens(), 1}, type,
                       Order::RowMajor);
}

int64_t HeldOperandB::heldBytes() const {
  return llvm::alignTo(columns() * blockTokens(), kAlignment) +
         2 * llvm::alignTo(blockTokens() * kWordBytes, kAlignment);
}

namespace {

/// How the consumer warps of a block divide its tokens among their lanes.
struct TokenShares {
  TokenShares(const MatmulProblem &problem, int64_t tokens, int64_t columns);

  /// Adjacent lanes that share a token.
  int64_t sharers = kLeastSharers;
  /// Pieces of a token, and those of a lane.
  int64_t pieces, rounds;
  /// Tokens that all warps have at once, and how many of those a lane has under
  /// way, loaded and not yet quantized.
  int64_t step, together;
  /// Whether a whole number of steps is all tokens of the block.
  bool fills;
};

/// Emits what a consumer warp does to hold the tokens of its block.
class TokenHolder {
public:
  TokenHolder(KernelBuilder &b, const MatmulProblem &problem, int64_t tokens,
              int64_t columns)
      : b(b), code(b.builder, b.loc), problem(problem), blockTokens(tokens),
        shares(problem, tokens, columns),
        pieces(code, problem.heldType, problem.k) {}

  /// Quantizes rows of `x` from token `first` on into `tokens`.
  void hold(const HeldOperandB::Tokens &tokens, Value x, Value first);

private:
  using Piece = TokenPieces::Piece;

  /// Which tokens and pieces a lane has.
  void divide(Value x, Value first);
  /// Loads the pieces of a token that a lane has.
  SmallVector<Piece> load(Value token);
  /// Rounds a token that was loaded to 8 bits and stores it.
  void quantize(Value token, ArrayRef<Piece> loaded);
  void store(Value token, ArrayRef<Value> rounded, QuantizeSteps &quantizer,
             Value sum);
  /// `value` of all lanes that share a token.
  Value reduce(Value value, function_ref<Value(Value, Value)> join);
  Value addressOf(Value tile) {
    return AddressOp::create(b.builder, b.loc, tile);
  }

  KernelBuilder &b;
  ThreadCode code;
  const MatmulProblem &problem;
  int64_t blockTokens;
  TokenShares shares;
  TokenPieces pieces;
  /// Pointers to the tiles.
  Value valuesAt, scalesAt, sumsAt;
  /// The first row of `x`, and the last that may be read, from it on.
  Value start, last;
  /// The lane among those that share a token; the warp's first token, and the
  /// lane's in every step.
  Value sharer, firstOfWarp, own;
  /// The lane's pieces.
  SmallVector<Value> numbers;
};

} // namespace

/// Of eight lanes that store at once, all have other chunks of a tile's row:
/// lanes of this many tokens begin with other pieces.
static int64_t rotationsOf(const TokenShares &shares) {
  return std::max<int64_t>(kChunks / shares.sharers, 1);
}

TokenShares::TokenShares(const MatmulProblem &problem, int64_t tokens,
                         int64_t columns)
    : pieces(columns / kPieceColumns) {
  int64_t warps = problem.schedule.getNumConsumerWarps();
  int64_t ofPiece = TokenPieces::registers(problem.heldType);
  // As few as have registers for it, so that a step between lanes, and the
  // divisions, are those of several tokens, unless lanes would have none. A
  // multiple of the tile's columns leaves none of eight without work.
  int64_t registers =
      warps > kWarpsOfThree ? kLoadedRegistersOfFour : kLoadedRegisters;
  auto isTooMuch = [&] {
    return int64_t(llvm::divideCeil(pieces, sharers)) * ofPiece > registers;
  };
  auto isTooFew = [&] { return warps * kWarp / (2 * sharers) >= tokens; };
  while (sharers < kWarp && (isTooMuch() || isTooFew()))
    sharers *= 2;
  rounds = llvm::divideCeil(pieces, sharers);
  step = warps * (kWarp / sharers);
  together = std::clamp<int64_t>(registers / (rounds * ofPiece), 1,
                                 llvm::divideCeil(tokens, step));
  fills = tokens % (step * together) == 0;
}

void TokenHolder::divide(Value x, Value first) {
  int64_t sharers = shares.sharers;
  Value lane = code.rem(code.threadId(), kWarp);
  Value warp =
      b.toI32(WarpIdOp::create(b.builder, b.loc, b.builder.getIndexType()));
  sharer = code.rem(lane, sharers);
  firstOfWarp = code.mul(warp, kWarp / sharers);
  own = code.div(lane, sharers);
  if (shares.fills)
    own = code.add(firstOfWarp, own);
  start = code.advance(x, first, problem.k, problem.heldType);
  last =
      code.sub(code.sub(b.toI32(b.count()), b.toI32(first)), code.integer(1));
  // What the tile does not have is not read either: it would come from the L2
  // cache like the rest.
  if (!shares.fills)
    last = arith::MinSIOp::create(b.builder, b.loc, last,
                                  code.integer(blockTokens - 1));
  Value rotation =
      code.mul(code.rem(code.div(lane, sharers), rotationsOf(shares)), sharers);
  for (int64_t round = 0; round < shares.rounds; ++round)
    numbers.push_back(code.bitXor(code.add(sharer, round * sharers), rotation));
}

SmallVector<TokenPieces::Piece> TokenHolder::load(Value token) {
  Value row =
      code.advance(start, arith::MinUIOp::create(b.builder, b.loc, token, last),
                   problem.k, problem.heldType);
  SmallVector<Piece> loaded;
  for (auto [round, number] : llvm::enumerate(numbers)) {
    // Columns behind those of all pieces of these rounds.
    uint64_t end = llvm::alignTo(round + 1, rotationsOf(shares)) *
                   shares.sharers * kPieceColumns;
    loaded.push_back(pieces.load(row, code.mul(number, kPieceColumns),
                                 /*inside=*/end <= uint64_t(problem.k)));
  }
  return loaded;
}

Value TokenHolder::reduce(Value value, function_ref<Value(Value, Value)> join) {
  for (int64_t mask = 1; mask < shares.sharers; mask *= 2)
    value = join(value, code.shuffleXor(value, mask));
  return value;
}

void TokenHolder::quantize(Value token, ArrayRef<Piece> loaded) {
  QuantizeSteps quantizer(code);
  quantizer.setMagnitude(
      reduce(pieces.magnitudeOf(loaded), [&](Value a, Value c) -> Value {
        return arith::MaxUIOp::create(b.builder, b.loc, a, c);
      }));
  Value sum = code.integer(0);
  SmallVector<Value> rounded;
  for (const Piece &piece : loaded)
    rounded.push_back(vector::FromElementsOp::create(
        b.builder, b.loc, VectorType::get({4}, code.i32),
        quantizer.round(pieces.elementsOf(piece), sum,
                        problem.hasSparseCodes())));
  sum = reduce(sum, [&](Value a, Value c) { return code.add(a, c); });
  auto storeToken = [&] { store(token, rounded, quantizer, sum); };
  if (shares.fills)
    storeToken();
  else
    code.ifTrue(code.less(token, code.integer(blockTokens)), storeToken);
}

void TokenHolder::store(Value token, ArrayRef<Value> rounded,
                        QuantizeSteps &quantizer, Value sum) {
  Value inSwizzle = code.rem(token, kSwizzledRows);
  for (auto [round, values] : llvm::enumerate(rounded)) {
    Value row = code.add(
        code.mul(code.div(numbers[round], kChunks), blockTokens), token);
    Value chunk = code.bitXor(code.rem(numbers[round], kChunks), inSwizzle);
    Value place = code.at(valuesAt, code.add(code.mul(row, kTileColumns),
                                             code.mul(chunk, kChunk)));
    auto write = [&, values = values] { code.store(values, place, kChunk); };
    if ((int64_t(round) + 1) * shares.sharers <= shares.pieces)
      write();
    else
      code.ifTrue(code.less(numbers[round], code.integer(shares.pieces)),
                  write);
  }
  code.ifTrue(code.equal(sharer, 0), [&] {
    Value offset = code.mul(token, kWordBytes);
    code.store(quantizer.shownScale(), code.at(scalesAt, offset), kWordBytes);
    code.store(sum, code.at(sumsAt, offset), kWordBytes);
  });
}

void TokenHolder::hold(const HeldOperandB::Tokens &tokens, Value x,
                       Value first) {
  valuesAt = addressOf(tokens.values);
  scalesAt = addressOf(tokens.scales);
  sumsAt = addressOf(tokens.sums);
  divide(x, first);
  // A warp begins with its own tokens, and has nothing to do where the tile
  // ends before them.
  code.forLoop(shares.fills ? code.integer(0) : firstOfWarp,
               code.integer(blockTokens),
               code.integer(shares.step * shares.together), {},
               [&](Value from, ValueRange) {
                 SmallVector<std::pair<Value, SmallVector<Piece>>> loaded;
                 for (int64_t i = 0; i < shares.together; ++i) {
                   Value token = code.add(code.add(from, own), i * shares.step);
                   loaded.emplace_back(token, load(token));
                 }
                 for (const auto &[token, ofToken] : loaded)
                   quantize(token, ofToken);
                 return SmallVector<Value>();
               });
}

HeldOperandB::Tokens HeldOperandB::hold(KernelBuilder &b, Value x,
                                        Value first) const {
  int64_t warps = schedule.getNumConsumerWarps();
  auto share = [&](TileType type) -> Value {
    return SharedOp::create(b.builder, b.loc, type, warps, warps);
  };
  Tokens tokens{share(valuesType()), share(wordsType(b.builder.getF32Type())),
                share(wordsType(b.builder.getI32Type()))};
  TokenHolder(b, problem, blockTokens(), columns()).hold(tokens, x, first);
  BarrierOp::create(b.builder, b.loc, BarrierScope::Role);
  return tokens;
}

void HeldOperandB::addTo(KernelBuilder &b, const Tokens &tokens, Value step,
                         MatmulStage &stage) const {
  int64_t tiles = llvm::divideCeil(schedule.getK(), kTileColumns);
  step = WarpgroupMainloop::stepOfStage(problem, b, step);
  Value first = b.toIndex(b.mul(step, tiles * blockTokens()));
  for (int64_t number = 0; number < tiles; ++number) {
    stage.b.push_back(tokens.values);
    stage.rowsOfB.push_back(b.add(first, number * blockTokens()));
  }
}

SmallVector<Value> HeldOperandB::operandViews(ArrayRef<Value> views,
                                              const Tokens &tokens) const {
  SmallVector<Value> result(views);
  for (int64_t scale : problem.tokenScales)
    result[scale] = tokens.scales;
  // Where codes exceed the weights by one, the first operand is the sums.
  if (problem.codec.getBias(problem.operandType))
    result.front() = tokens.sums;
  return result;
}
