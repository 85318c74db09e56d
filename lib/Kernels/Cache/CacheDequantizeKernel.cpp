//===- CacheDequantizeKernel.cpp - Caches as f16 or bf16 ------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A warp for each chunk of 512 bytes, 16 of a thread: what a lane of an MMA has
// of 16 positions and 32 or 64 features (docs/formats/quantized-cache.md).
//
//===----------------------------------------------------------------------===//

#include "Kernels/Cache/CacheDequantizeKernel.h"
#include "Kernels/Support/HostIntegers.h"
#include "Kernels/Support/ThreadCode.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <map>

using namespace mlir;
using namespace mlir::sparseflow;

static constexpr int64_t kPage = TernaryAttr::kPageTokens;
// Bytes that a thread has, of a chunk, and positions of that.
static constexpr int64_t kThreadBytes = 16, kChunkBytes = 512, kRows = 16;

int64_t CacheDequantizeKernel::chunksOfPage() const {
  return encoding.getPageFeatures(features) * encoding.getCacheBits() / 8 *
         kPage / kChunkBytes;
}

Value CacheDequantizeKernel::gridSize(OpBuilder &builder, Value batch,
                                      Value positions) const {
  HostIntegers host{builder, loc};
  Value pages =
      host.mul(host.mul(batch, keyHeads), host.ceilDiv(positions, kPage));
  return host.ceilDiv(
      host.mul(pages, chunksOfPage() * kChunkBytes / kThreadBytes), kThreads);
}

Value CacheDequantizeKernel::bytes(OpBuilder &builder, Value batch,
                                   Value positions) const {
  HostIntegers host{builder, loc};
  int64_t row = keyHeads * features * (type.getIntOrFloatBitWidth() / 8);
  return host.mul(host.mul(batch, positions), row);
}

Value CacheDequantizeKernel::scaleBytes(OpBuilder &builder, Value batch,
                                        Value positions) const {
  // A stage of an MMA's most keys may begin with the last page.
  constexpr int64_t kBehind = 256;
  HostIntegers host{builder, loc};
  return host.mul(
      host.add(host.mul(host.mul(batch, positions), keyHeads), kBehind),
      sizeof(float));
}

namespace {

/// Two numbers of a thread's 16 bytes, neighbours along K: where the bits of
/// the first begin in which word (the second is 16 further), and which element
/// of the chunk that is, beside what the lane's number says.
struct Pair {
  int64_t word, bit, position, feature;
};

class Dequantizer : ThreadCode {
public:
  Dequantizer(const CacheDequantizeKernel &spec, int64_t chunksOfPage,
              OpBuilder &builder)
      : ThreadCode(builder, spec.loc), spec(spec), chunksOfPage(chunksOfPage),
        bits(spec.encoding.getCacheBits()), chunkFeatures(256 / bits),
        isValues(spec.encoding.isValueCache()) {}

  gpu::GPUFuncOp run() {
    firstInput = isValues ? 2 : 3;
    int64_t pointers = firstInput + spec.hasLengths + (spec.page > 0);
    gpu::GPUFuncOp kernel =
        openKernel(spec.name, pointers, /*numbers=*/3,
                   CacheDequantizeKernel::kThreads, spec.programmatic);
    Value batch = narrow(kernel.getArgument(pointers));
    positions = kernel.getArgument(pointers + 1);
    Value pageCount = kernel.getArgument(pointers + 2);
    lane = rem(threadId(), 32);
    // The chunk's number among all. They are counted in 32 bits: there are 512
    // bytes for each.
    Value chunk = add(mul(blockId(), spec.kThreads / 32), div(threadId(), 32));
    Value pagesOfHead = div(narrow(positions), kPage);
    Value all = mul(mul(batch, spec.keyHeads * chunksOfPage), pagesOfHead);
    ifTrue(below(chunk, all), [&] {
      place(chunk, pagesOfHead);
      auto write = [&] { writeChunk(kernel, pageCount); };
      if (!spec.hasLengths)
        return write();
      Value length =
          load(i32, advance(kernel.getArgument(firstInput), entry, 1, i32),
               /*alignment=*/4);
      ifTrue(less(firstPosition, length), write);
    });
    closeKernel(kernel);
    return kernel;
  }

private:
  void place(Value chunk, Value pagesOfHead) {
    chunkInPage = rem(chunk, chunksOfPage);
    page64 = div(chunk, chunksOfPage);
    Value row = div(page64, pagesOfHead);
    head = rem(row, spec.keyHeads);
    entry = div(row, spec.keyHeads);
    pageOfEntry = rem(page64, pagesOfHead);
    firstPosition = mul(pageOfEntry, kPage);
  }

  void writeChunk(gpu::GPUFuncOp kernel, Value pageCount) {
    int64_t perRow = chunksOfPage / (kPage / kRows);
    firstRow = mul(div(chunkInPage, perRow), kRows);
    firstFeature = mul(rem(chunkInPage, perRow), chunkFeatures);
    // The first element of the thread's position 0 and feature 0.
    Value row = wide(add(firstPosition, firstRow));
    Value heads = integer64(spec.keyHeads);
    Value at =
        spec.bshd
            ? add(mul(add(mul(wide(entry), positions), row), heads), wide(head))
            : add(mul(add(mul(wide(entry), heads), wide(head)), positions),
                  row);
    result = advance(kernel.getArgument(1),
                     add(mul(at, integer64(spec.features)), wide(firstFeature)),
                     1, spec.type);
    if (!isValues)
      scaleResult = advance(
          kernel.getArgument(2),
          add(mul(wide(page64), integer64(kPage)), wide(firstRow)), 1, f32);
    if (!spec.page) {
      writeNumbers(kernel, wide(page64));
      return;
    }
    Value columns = div(narrow(positions), spec.page);
    Value column = add(mul(wide(entry), wide(columns)),
                       wide(div(firstPosition, spec.page)));
    Value table = kernel.getArgument(firstInput + spec.hasLengths);
    Value number = load(i32, advance(table, column, 1, i32), /*alignment=*/4);
    number = arith::ExtSIOp::create(builder, loc, i64, number);
    Value isPage = below(number, pageCount);
    ifTrue(isPage, [&] {
      Value first = mul(add(mul(number, heads), wide(head)),
                        integer64(spec.page / kPage));
      Value inside = rem(pageOfEntry, spec.page / kPage);
      writeNumbers(kernel, add(first, wide(inside)));
    });
    Value isNone = arith::XOrIOp::create(
        builder, loc, isPage,
        arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true)));
    ifTrue(isNone, [&] {
      for (const Pair &pair : pairs())
        write(pair, integer(0));
      writeKeyScales([&](int64_t) { return floating(0.0f); });
    });
  }

  /// As the format has them.
  SmallVector<Pair> pairs() const {
    SmallVector<Pair> all;
    for (int64_t word = 0; word < 4; ++word)
      for (int64_t field = 0; field < (bits == 8 ? 2 : 4); ++field) {
        int64_t upper = bits == 8 ? word % 2 : field / 2;
        int64_t sixteen = bits == 8 ? word / 2 : word;
        all.push_back(
            {word, bits * field, 8 * upper, 16 * sixteen + 8 * (field % 2)});
      }
    return all;
  }

  void writeNumbers(gpu::GPUFuncOp kernel, Value number) {
    Type i8 = builder.getI8Type();
    Value page = advance(kernel.getArgument(0), number,
                         spec.encoding.getPageBytes(spec.features), i8);
    Value offset = add(mul(chunkInPage, kChunkBytes), mul(lane, kThreadBytes));
    Value words = load(VectorType::get({4}, i32), at(page, wide(offset)),
                       /*alignment=*/16);
    scales = at(page, spec.encoding.getPageCodeBytes(spec.features));
    known.clear();
    for (const Pair &pair : pairs()) {
      Value word = vector::ExtractOp::create(builder, loc, words, pair.word);
      Value low = numberOf(word, pair, /*half=*/0);
      Value high = numberOf(word, pair, /*half=*/1);
      write(pair, bitOr(low, left(high, 16)));
    }
    writeKeyScales([&](int64_t position) { return scaleOf(position, 0); });
  }

  /// The bits of one of a pair's numbers, i32.
  Value numberOf(Value word, const Pair &pair, int64_t half) {
    Value upper = left(word, 32 - bits - pair.bit - 16 * half);
    Value value =
        arith::ShRSIOp::create(builder, loc, upper, integer(32 - bits));
    value = arith::SIToFPOp::create(builder, loc, f32, value);
    if (isValues)
      value = arith::MulFOp::create(
          builder, loc, value, scaleOf(pair.position + half, pair.feature));
    else if (spec.type.isBF16())
      return right(bitsOf(value), 16); // Exact, and no conversion of PTX.
    value = arith::TruncFOp::create(builder, loc, spec.type, value);
    value = arith::BitcastOp::create(builder, loc, builder.getI16Type(), value);
    return arith::ExtUIOp::create(builder, loc, i32, value);
  }

  /// Scales of keys: of the lanes with one position the first of the first
  /// chunk of its features writes it.
  void writeKeyScales(function_ref<Value(int64_t)> scaleAt) {
    if (isValues)
      return;
    Value isFirst = equal(bitOr(rem(lane, 4), firstFeature), 0);
    ifTrue(isFirst, [&] {
      for (int64_t position : {0, 8}) {
        Value row = add(laneAlong(/*isK=*/false), position);
        store(scaleAt(position), advance(scaleResult, row, 1, f32), 4);
      }
    });
  }

  /// The lane's part of positions, or of features: K has pairs of lanes' number
  /// mod 4, the other one has its quotient.
  Value laneAlong(bool isK) {
    return isK ? mul(rem(lane, 4), 2) : div(lane, 4);
  }

  /// The scale of a position and a feature of the chunk, beside what the lane's
  /// number says; f32.
  Value scaleOf(int64_t position, int64_t feature) {
    int64_t group = spec.encoding.getScaleFeatures(spec.features);
    bool isWhole = group >= spec.features;
    int64_t inChunk = isWhole ? 0 : feature / group;
    Value &scale = known[{position, inChunk}];
    if (scale)
      return scale;
    Value index = add(firstRow, add(laneAlong(isValues), position));
    if (!isWhole)
      index = add(index, mul(add(div(firstFeature, group), inChunk), kPage));
    Type type = spec.encoding.getScaleType();
    scale = load(type, advance(scales, index, 1, type),
                 type.getIntOrFloatBitWidth() / 8);
    if (!type.isF32())
      scale = arith::ExtFOp::create(builder, loc, f32, scale);
    return scale;
  }

  /// Stores a pair (bits, i32) as neighbouring features. Values are neighbours
  /// along positions: lanes with neighbouring features exchange halves.
  void write(const Pair &pair, Value numbers) {
    Value position = add(laneAlong(isValues), pair.position);
    Value feature = add(laneAlong(!isValues), pair.feature);
    if (isValues) {
      Value isOdd = rem(div(lane, 4), 2);
      Value other = shuffleXor(numbers, 4);
      Value selector =
          select(equal(isOdd, 0), integer(0x5410), integer(0x3276));
      numbers = permute(numbers, other, selector);
      position = add(position, isOdd);
      feature = sub(feature, isOdd);
    }
    auto store = [&] {
      int64_t pitch = spec.features * (spec.bshd ? spec.keyHeads : 1);
      Value to = advance(result, wide(position), pitch, spec.type);
      this->store(numbers, advance(to, wide(feature), 1, spec.type),
                  /*alignment=*/4);
    };
    // What the last chunk has behind the features is padding.
    if (spec.features % chunkFeatures == 0)
      return store();
    ifTrue(less(add(firstFeature, feature), integer(spec.features)), store);
  }

  const CacheDequantizeKernel &spec;
  int64_t chunksOfPage, bits, chunkFeatures;
  bool isValues;
  // The number of the parameter behind the results.
  int64_t firstInput;
  // i64
  Value positions;
  // i32
  Value page64, pageOfEntry, entry, head, firstPosition;
  Value lane, chunkInPage, firstRow, firstFeature;
  Value result, scaleResult, scales;
  /// Scales that were loaded: of a position and a group of the chunk.
  std::map<std::pair<int64_t, int64_t>, Value> known;
};

} // namespace

gpu::GPUFuncOp CacheDequantizeKernel::generate(OpBuilder &builder) const {
  OpBuilder::InsertionGuard guard(builder);
  return Dequantizer(*this, chunksOfPage(), builder).run();
}
