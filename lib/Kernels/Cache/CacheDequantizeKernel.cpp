//===- CacheDequantizeKernel.cpp - Caches as f16 or bf16 ------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A warp for each chunk of 512 bytes, 16 of a thread: what a lane of an MMA has
// of 16 positions and 32 or 64 features (docs/formats/quantized-cache.md). To
// be stored they are wanted otherwise: 8 adjacent features of one position are
// 16 bytes of the result. So lanes exchange what they hold, half of it at a
// time with the lane whose number differs by one bit:
//
//   values  halves of words, which are neighbouring positions   lanes g, g + 4
//   both    words, which are 16 features apart      values: lanes g, g + 2
//   both    fields, which are 8 features apart      values: lanes g, g + 1
//
// g is lane / 4 for values; for keys, whose lanes 0 to 3 of four have the pairs
// of features that those of values have of positions, the last two are lanes
// q, q + 2 and q, q + 1 of each four.
//
//===----------------------------------------------------------------------===//

#include "Kernels/Cache/CacheDequantizeKernel.h"
#include "Kernels/Support/HostIntegers.h"
#include "Kernels/Support/ThreadCode.h"
#include "SparseFlow/Support/E4M3.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::sparseflow;

static constexpr int64_t kPage = TernaryAttr::kPageTokens;
// Bytes that a thread has, of a chunk, and positions of that.
static constexpr int64_t kThreadBytes = 16, kChunkBytes = 512, kRows = 16;
// Features that a thread stores at once, and of the threads with one position.
static constexpr int64_t kOctet = 8, kAdjacent = 32;
// Keys of the longest stage, which may begin that many before a window.
static constexpr int64_t kMostStageKeys = 256;
// The lower halves of bytes, and 2^23 as f32, whose last bits are an integer.
static constexpr int64_t kNibbles = 0x0F0F0F0F, kInteger = 0x4B000000;
static constexpr float kLargestHalf = 65504.0f;
int64_t CacheDequantizeKernel::Part::chunksOfPage() const {
  return encoding.getPageFeatures(features) * encoding.getCacheBits() / 8 *
         kPage / kChunkBytes;
}

Value CacheDequantizeKernel::gridSize(OpBuilder &builder, Value batch,
                                      Value positions) const {
  HostIntegers host{builder, loc};
  Value pages =
      host.mul(host.mul(batch, keyHeads), host.ceilDiv(positions, kPage));
  int64_t chunks = keys.chunksOfPage() + values.chunksOfPage();
  return host.ceilDiv(host.mul(pages, chunks * kChunkBytes / kThreadBytes),
                      kThreads);
}

Value CacheDequantizeKernel::bytes(OpBuilder &builder, const Part &part,
                                   Value batch, Value positions) const {
  HostIntegers host{builder, loc};
  int64_t row = keyHeads * part.features * (type.getIntOrFloatBitWidth() / 8);
  return host.mul(host.mul(batch, positions), row);
}

namespace {

class Dequantizer : ThreadCode {
public:
  Dequantizer(const CacheDequantizeKernel &spec, OpBuilder &builder)
      : ThreadCode(builder, spec.loc), spec(spec) {}

  gpu::GPUFuncOp run() {
    int64_t pointers = kInputs + spec.hasLengths + (spec.page > 0);
    kernel = openKernel(spec.name, pointers, /*numbers=*/4, spec.kThreads,
                        spec.programmatic);
    Value batch = narrow(kernel.getArgument(pointers));
    positions = kernel.getArgument(pointers + 1);
    queries = kernel.getArgument(pointers + 2);
    pageCount = kernel.getArgument(pointers + 3);
    lane = rem(threadId(), 32);
    // The chunk's number among all. They are counted in 32 bits: there are 512
    // bytes for each.
    int64_t ofKeys = spec.keys.chunksOfPage();
    int64_t ofBoth = ofKeys + spec.values.chunksOfPage();
    Value chunk = add(mul(blockId(), spec.kThreads / 32), div(threadId(), 32));
    Value pagesOfHead = div(narrow(positions), kPage);
    Value all = mul(mul(batch, spec.keyHeads * ofBoth), pagesOfHead);
    ifTrue(below(chunk, all), [&] {
      page64 = div(chunk, ofBoth);
      Value row = div(page64, pagesOfHead);
      head = rem(row, spec.keyHeads);
      entry = div(row, spec.keyHeads);
      pageOfEntry = rem(page64, pagesOfHead);
      Value inPage = rem(chunk, ofBoth);
      Value isKeys = less(inPage, integer(ofKeys));
      ifTrue(isKeys, [&] { dequantize(spec.keys, 0, inPage); });
      ifTrue(negated(isKeys),
             [&] { dequantize(spec.values, 1, sub(inPage, integer(ofKeys))); });
    });
    closeKernel(kernel);
    return kernel;
  }

private:
  // Pointers before lengths.
  static constexpr int64_t kInputs = 4;

  //===--------------------------------------------------------------------===//
  // Where a chunk is
  //===--------------------------------------------------------------------===//

  void dequantize(const CacheDequantizeKernel::Part &of, int64_t number,
                  Value chunk) {
    part = &of;
    pointer = number;
    chunkInPage = chunk;
    bits = of.encoding.getCacheBits();
    isValues = of.encoding.isValueCache();
    int64_t perRow = of.chunksOfPage() / (kPage / kRows);
    chunkFeatures = kChunkBytes * 8 / bits / kRows;
    firstRow = mul(div(chunk, perRow), kRows);
    firstFeature = mul(rem(chunk, perRow), chunkFeatures);
    Value first = add(mul(pageOfEntry, kPage), firstRow);
    Value end = narrow(positions);
    if (spec.hasLengths) {
      Value length =
          load(i32, advance(kernel.getArgument(kInputs), entry, 1, i32),
               /*alignment=*/4);
      end = arith::MinSIOp::create(builder, loc, length, end);
    }
    Value isUsed = less(first, end);
    if (spec.window) {
      // The first query sees window - 1 keys before its own.
      Value seen = sub(sub(end, narrow(queries)), integer(spec.window - 1));
      Value behind = add(first, kRows + kMostStageKeys);
      isUsed = arith::AndIOp::create(builder, loc, isUsed, less(seen, behind));
    }
    ifTrue(isUsed, [&] { writeRows(first); });
  }

  void writeRows(Value first) {
    // The first element of the chunk.
    Value row = wide(first), heads = integer64(spec.keyHeads);
    Value at =
        spec.bshd
            ? add(mul(add(mul(wide(entry), positions), row), heads), wide(head))
            : add(mul(add(mul(wide(entry), heads), wide(head)), positions),
                  row);
    result =
        advance(kernel.getArgument(2 + pointer),
                add(mul(at, integer64(part->features)), wide(firstFeature)), 1,
                spec.type);
    if (!spec.page) {
      writeChunk(wide(page64));
      return;
    }
    Value columns = div(narrow(positions), spec.page);
    Value column = add(mul(wide(entry), wide(columns)),
                       wide(div(mul(pageOfEntry, kPage), spec.page)));
    Value table = kernel.getArgument(kInputs + spec.hasLengths);
    Value number = load(i32, advance(table, column, 1, i32), /*alignment=*/4);
    number = arith::ExtSIOp::create(builder, loc, i64, number);
    Value isPage = below(number, pageCount);
    ifTrue(isPage, [&] {
      Value first = mul(add(mul(number, heads), wide(head)),
                        integer64(spec.page / kPage));
      Value inside = rem(pageOfEntry, spec.page / kPage);
      writeChunk(add(first, wide(inside)));
    });
    ifTrue(negated(isPage), [&] {
      Value zero = arith::ConstantOp::create(builder, loc,
                                             builder.getZeroAttr(spec.type));
      SmallVector<Value> zeros(kOctet, zero);
      for (int64_t piece = 0; piece < pieces(); ++piece)
        for (int64_t upper : {0, 1})
          storeOctet(piece, upper, zeros);
    });
  }

  //===--------------------------------------------------------------------===//
  // What a chunk holds
  //===--------------------------------------------------------------------===//

  /// How many times 32 features a chunk has.
  int64_t pieces() const { return chunkFeatures / kAdjacent; }

  void writeChunk(Value number) {
    Type i8 = builder.getI8Type();
    Value page = advance(kernel.getArgument(pointer), number,
                         part->encoding.getPageBytes(part->features), i8);
    Value offset = add(mul(chunkInPage, kChunkBytes), mul(lane, kThreadBytes));
    Value loaded = load(VectorType::get({4}, i32), at(page, wide(offset)),
                        /*alignment=*/16);
    scales = at(page, part->encoding.getPageCodeBytes(part->features));
    SmallVector<Value> words;
    for (int64_t word = 0; word < 4; ++word)
      words.push_back(vector::ExtractOp::create(builder, loc, loaded, word));
    if (isValues)
      exchangeHalves(words);
    // Of 8 bits the first and the last two words are 16 features apart, of 4
    // bits neighbours are.
    for (int64_t other : {0, 1}) {
      Value low = words[bits == 8 ? other : 2 * other];
      Value high = words[bits == 8 ? 2 + other : 2 * other + 1];
      exchangeWords(low, high);
      auto [even, odd] = exchangeFields(low, high);
      if (bits == 8) {
        writeOctet(0, other, biased(even), biased(odd));
        continue;
      }
      SmallVector<Value> evens = nibbles(even), odds = nibbles(odd);
      for (int64_t upper : {0, 1})
        writeOctet(other, upper, evens, odds);
    }
  }

  Value bitOfLane(int64_t mask) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                                 bitAnd(lane, mask), integer(0));
  }

  /// Of values, whose words are two positions: afterwards the position that
  /// the lane keeps, of two lanes.
  void exchangeHalves(MutableArrayRef<Value> words) {
    Value isUpper = bitOfLane(16);
    auto either = [&](int64_t lower, int64_t upper) {
      return select(isUpper, integer(upper), integer(lower));
    };
    Value sent = either(0x7632, 0x5410);
    Value first = either(0x5410, 0x3254), second = either(0x7610, 0x3276);
    for (int64_t pair : {0, 2}) {
      Value &a = words[pair], &b = words[pair + 1];
      Value received = shuffleXor(permute(a, b, sent), 16);
      a = permute(a, received, first);
      b = permute(b, received, second);
    }
  }

  /// Afterwards they are one lane's word and the other lane's.
  void exchangeWords(Value &low, Value &high) {
    int64_t mask = isValues ? 8 : 2;
    Value isUpper = bitOfLane(mask);
    Value kept = select(isUpper, high, low);
    Value received = shuffleXor(select(isUpper, low, high), mask);
    low = select(isUpper, received, kept);
    high = select(isUpper, kept, received);
  }

  /// The fields of 8 features that the lane stores, of the lanes with even and
  /// with odd numbers: bytes of `low` before those of `high`, or its nibbles
  /// below those.
  std::pair<Value, Value> exchangeFields(Value low, Value high) {
    int64_t mask = isValues ? 4 : 1;
    Value isUpper = bitOfLane(mask);
    Value first, second;
    if (bits == 8) {
      first = permute(low, high, 0x6420);
      second = permute(low, high, 0x7531);
    } else {
      first = bitOr(bitAnd(low, kNibbles), left(bitAnd(high, kNibbles), 4));
      second = bitOr(bitAnd(right(low, 4), kNibbles), bitAnd(high, ~kNibbles));
    }
    Value kept = select(isUpper, second, first);
    Value received = shuffleXor(select(isUpper, first, second), mask);
    return {select(isUpper, received, kept), select(isUpper, kept, received)};
  }

  /// Bytes plus 128 (of floats as they are), or the lower and the upper nibbles
  /// of bytes plus 8.
  SmallVector<Value> biased(Value word) {
    if (part->encoding.isFloatCache())
      return {word};
    return {bitXor(word, integer(0x80808080))};
  }
  SmallVector<Value> nibbles(Value word) {
    Value flip = integer(0x08080808);
    return {bitXor(bitAnd(word, kNibbles), flip),
            bitXor(bitAnd(right(word, 4), kNibbles), flip)};
  }

  /// The 8 features that the lane has of a position: of bytes in one word each,
  /// of nibbles in two.
  void writeOctet(int64_t piece, int64_t upper, ArrayRef<Value> even,
                  ArrayRef<Value> odd) {
    Value scale = scaleOf(piece, upper);
    SmallVector<Value> numbers;
    for (int64_t feature = 0; feature < kOctet; ++feature) {
      // The lane that it comes from, beside those that differ by the last step:
      // pairs of features of keys, features of values.
      int64_t from = isValues ? feature : feature / 2;
      int64_t middle = from / 2 % 2, last = isValues ? from / 4 : feature % 2;
      ArrayRef<Value> words = from % 2 ? odd : even;
      Value word = words[bits == 8 ? 0 : middle];
      int64_t byte = bits == 8 ? 2 * middle + last : upper + 2 * last;
      Value number = numberOf(word, byte);
      number = arith::MulFOp::create(builder, loc, number, scale);
      if (spec.type.isF16()) {
        number = arith::MinimumFOp::create(builder, loc, number,
                                           floating(kLargestHalf));
        number = arith::MaximumFOp::create(builder, loc, number,
                                           floating(-kLargestHalf));
      }
      numbers.push_back(
          arith::TruncFOp::create(builder, loc, spec.type, number));
    }
    storeOctet(piece, upper, numbers);
  }

  /// Byte `byte` of `word` as f32.
  Value numberOf(Value word, int64_t byte) {
    if (part->encoding.isFloatCache()) {
      Value top = permute(word, integer(0), 0x0444 | byte << 12);
      return emitFloatOfE4M3(builder, loc, top);
    }
    Value number = floatOf(permute(word, integer(kInteger), 0x7440 + byte));
    return arith::SubFOp::create(
        builder, loc, number,
        floating(8388608.0f + (bits == 8 ? 128.0f : 8.0f)));
  }

  /// The position, of 16, that the lane stores 8 features of.
  Value rowOf(int64_t upper) {
    Value row =
        isValues ? add(mul(rem(lane, 4), 2), div(lane, 16)) : div(lane, 4);
    return add(row, 8 * upper);
  }

  /// The scale of that position and piece, NaN where it is infinite (f32).
  Value scaleOf(int64_t piece, int64_t upper) {
    int64_t group = part->encoding.getScaleFeatures(part->features);
    Value index = add(firstRow, rowOf(upper));
    if (group < part->features) {
      Value feature = add(firstFeature, kAdjacent * piece);
      index = add(index, mul(div(feature, group), kPage));
    }
    Type type = part->encoding.getScaleType();
    Value scale = load(type, advance(scales, index, 1, type),
                       type.getIntOrFloatBitWidth() / 8);
    if (!type.isF32())
      scale = arith::ExtFOp::create(builder, loc, f32, scale);
    Value none = arith::MulFOp::create(builder, loc, scale, floating(0.0f));
    return arith::AddFOp::create(builder, loc, scale, none);
  }

  void storeOctet(int64_t piece, int64_t upper, ArrayRef<Value> numbers) {
    Value octet = rem(isValues ? div(lane, 4) : lane, 4);
    Value feature = add(mul(octet, kOctet), kAdjacent * piece);
    auto store = [&] {
      int64_t pitch = part->features * (spec.bshd ? spec.keyHeads : 1);
      Value to = advance(result, wide(rowOf(upper)), pitch, spec.type);
      Value all = vector::FromElementsOp::create(
          builder, loc, VectorType::get({kOctet}, spec.type), numbers);
      this->store(all, advance(to, wide(feature), 1, spec.type),
                  /*alignment=*/16);
    };
    // What the last chunk has behind the features is padding.
    if (part->features % chunkFeatures == 0)
      return store();
    ifTrue(less(add(firstFeature, feature), integer(part->features)), store);
  }

  const CacheDequantizeKernel &spec;
  gpu::GPUFuncOp kernel;
  // i64
  Value positions, queries, pageCount;
  // i32: the warp's page of 64 positions, and where that is.
  Value page64, pageOfEntry, entry, head, lane;
  // Of the part that the chunk is of.
  const CacheDequantizeKernel::Part *part = nullptr;
  int64_t pointer = 0, bits = 0, chunkFeatures = 0;
  bool isValues = false;
  Value chunkInPage, firstRow, firstFeature, result, scales;
};

} // namespace

gpu::GPUFuncOp CacheDequantizeKernel::generate(OpBuilder &builder) const {
  OpBuilder::InsertionGuard guard(builder);
  return Dequantizer(*this, builder).run();
}
