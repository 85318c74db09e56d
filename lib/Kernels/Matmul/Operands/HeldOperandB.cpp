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
// A row of a swizzled tile: 16-byte chunks are permuted among eight rows.
static constexpr int64_t kTileColumns = 128, kChunk = 16, kSwizzledRows = 8;
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

HeldOperandB::Tokens HeldOperandB::hold(KernelBuilder &b, Value x,
                                        Value first) const {
  ThreadCode code(b.builder, b.loc);
  int64_t warps = schedule.getNumConsumerWarps();
  auto share = [&](TileType type) -> Value {
    return SharedOp::create(b.builder, b.loc, type, warps, warps);
  };
  auto placeOf = [&](Value tile) -> Value {
    return AddressOp::create(b.builder, b.loc, tile);
  };
  Tokens tokens{share(valuesType()), share(wordsType(code.f32)),
                share(wordsType(code.i32))};
  Value valuesAt = placeOf(tokens.values), scalesAt = placeOf(tokens.scales),
        sumsAt = placeOf(tokens.sums);

  TokenPieces pieces(code, problem.heldType, problem.k);
  constexpr int64_t width = TokenPieces::kColumns;
  constexpr int64_t chunks = kTileColumns / kChunk;
  int64_t count = columns() / width,
          ofPiece = pieces.registers(problem.heldType);
  // Lanes that share a token: as few as have registers for it, so that a step
  // between lanes, and the divisions, are those of several tokens, unless lanes
  // would have none. A multiple of the tile's columns leaves none of eight
  // without work.
  int64_t registers =
      warps > kWarpsOfThree ? kLoadedRegistersOfFour : kLoadedRegisters;
  int64_t sharers = kLeastSharers;
  while (sharers < kWarp &&
         (int64_t(llvm::divideCeil(count, sharers)) * ofPiece > registers ||
          warps * kWarp / (2 * sharers) >= blockTokens()))
    sharers *= 2;
  int64_t rounds = llvm::divideCeil(count, sharers);
  int64_t step = warps * (kWarp / sharers);
  int64_t steps = llvm::divideCeil(blockTokens(), step);
  // Tokens of a lane whose loads are under way at once.
  int64_t together =
      std::clamp<int64_t>(registers / (rounds * ofPiece), 1, steps);
  bool fills = blockTokens() % (step * together) == 0;
  Value lane = code.rem(code.threadId(), kWarp);
  Value warp =
      b.toI32(WarpIdOp::create(b.builder, b.loc, b.builder.getIndexType()));
  Value sharer = code.rem(lane, sharers);
  Value ofWarp = code.mul(warp, kWarp / sharers);
  Value own = code.div(lane, sharers);
  if (fills)
    own = code.add(ofWarp, own);
  Value start = code.advance(x, first, problem.k, problem.heldType);
  Value last =
      code.sub(code.sub(b.toI32(b.count()), b.toI32(first)), code.integer(1));
  // What the tile does not have is not read either: it would come from the L2
  // cache like the rest.
  if (!fills)
    last = arith::MinSIOp::create(b.builder, b.loc, last,
                                  code.integer(blockTokens() - 1));
  SmallVector<Value> numbers;
  // Of eight lanes that store at once, all have other chunks of 128 columns.
  int64_t turns = std::max<int64_t>(chunks / sharers, 1);
  Value turn = code.mul(code.rem(code.div(lane, sharers), turns), sharers);
  for (int64_t round = 0; round < rounds; ++round)
    numbers.push_back(code.bitXor(code.add(sharer, round * sharers), turn));

  auto ofSharers = [&](Value value, function_ref<Value(Value, Value)> join) {
    for (int64_t mask = 1; mask < sharers; mask *= 2)
      value = join(value, code.shuffleXor(value, mask));
    return value;
  };
  auto quantize = [&](Value token, ArrayRef<TokenPieces::Piece> loaded) {
    QuantizeSteps quantizer(code);
    quantizer.setMagnitude(
        ofSharers(pieces.magnitudeOf(loaded), [&](Value a, Value c) -> Value {
          return arith::MaxUIOp::create(b.builder, b.loc, a, c);
        }));
    Value sum = code.integer(0), inSwizzle = code.rem(token, kSwizzledRows);
    SmallVector<Value> rounded;
    for (const TokenPieces::Piece &piece : loaded)
      rounded.push_back(vector::FromElementsOp::create(
          b.builder, b.loc, VectorType::get({4}, code.i32),
          quantizer.round(pieces.elementsOf(piece), sum,
                          problem.hasSparseCodes())));
    sum = ofSharers(sum, [&](Value a, Value c) { return code.add(a, c); });
    auto store = [&] {
      for (auto [round, values] : llvm::enumerate(rounded)) {
        Value row = code.add(
            code.mul(code.div(numbers[round], chunks), blockTokens()), token);
        Value chunk = code.bitXor(code.rem(numbers[round], chunks), inSwizzle);
        Value place = code.at(valuesAt, code.add(code.mul(row, kTileColumns),
                                                 code.mul(chunk, kChunk)));
        auto write = [&, values = values] {
          code.store(values, place, kChunk);
        };
        if ((int64_t(round) + 1) * sharers <= count)
          write();
        else
          code.ifTrue(code.less(numbers[round], code.integer(count)), write);
      }
      code.ifTrue(code.equal(sharer, 0), [&] {
        Value offset = code.mul(token, kWordBytes);
        code.store(quantizer.shownScale(), code.at(scalesAt, offset),
                   kWordBytes);
        code.store(sum, code.at(sumsAt, offset), kWordBytes);
      });
    };
    if (fills)
      store();
    else
      code.ifTrue(code.less(token, code.integer(blockTokens())), store);
  };
  // A warp begins with its own tokens, and has nothing to do where the tile
  // ends before them.
  code.forLoop(
      fills ? code.integer(0) : ofWarp, code.integer(blockTokens()),
      code.integer(step * together), {}, [&](Value from, ValueRange) {
        SmallVector<Value> ofPlace;
        SmallVector<SmallVector<TokenPieces::Piece>> loaded(together);
        for (int64_t place = 0; place < together; ++place) {
          ofPlace.push_back(code.add(code.add(from, own), place * step));
          Value row = code.advance(
              start,
              arith::MinUIOp::create(b.builder, b.loc, ofPlace.back(), last),
              problem.k, problem.heldType);
          for (auto [round, number] : llvm::enumerate(numbers))
            loaded[place].push_back(pieces.load(
                row, code.mul(number, width),
                /*inside=*/llvm::alignTo(round + 1, turns) * sharers * width <=
                    uint64_t(problem.k)));
        }
        for (auto [token, ofToken] : llvm::zip(ofPlace, loaded))
          quantize(token, ofToken);
        return SmallVector<Value>();
      });
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
