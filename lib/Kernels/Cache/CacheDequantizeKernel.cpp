//===- CacheDequantizeKernel.cpp - Caches as f16 or bf16 ------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block for each page of 64 positions of a head. Of numbers of 8 and 4 bits a
// warp has 16 positions and, where that can be, half of their features: chunks
// of 512 bytes, 16 of a thread, which are what a lane of an MMA has of 32 or 64
// features (docs/formats/quantized-cache.md). To be stored they are wanted
// otherwise: 8 adjacent features of one position are 16 bytes of the result. So
// lanes exchange what they hold, half of it at a time with the lane whose
// number differs by one bit:
//
//   values  halves of words, which are neighbouring positions   lanes g, g + 4
//   both    words, which are 16 features apart      values: lanes g, g + 2
//   both    fields, which are 8 features apart      values: lanes g, g + 1
//
// g is lane / 4 for values; for keys, whose lanes 0 to 3 of four have the pairs
// of features that those of values have of positions, the last two are lanes
// q, q + 2 and q, q + 1 of each four.
//
// Of trits (docs/formats/ternary-cache.md) a warp has a chunk, of keys 16 or 32
// positions, of values 32 features. Words are positions or 64
// features apart there, of values 8 features, and fields of values 8 positions;
// the exchanges are the same.
//
// Afterwards both halves of a word are neighbouring features: pairs of f16,
// whose numbers are exact. Such a pair times a scale of f16 is the result,
// rounded once; with other types it is computed in f32.
//
//===----------------------------------------------------------------------===//

#include "Kernels/Cache/CacheDequantizeKernel.h"
#include "Kernels/Support/HostIntegers.h"
#include "Kernels/Support/ThreadCode.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::sparseflow;

static constexpr int64_t kPage = TernaryAttr::kPageTokens;
// Bytes that a thread has, of a chunk, and positions of that.
static constexpr int64_t kThreadBytes = 16, kChunkBytes = 512, kRows = 16;
// Features that a thread stores at once.
static constexpr int64_t kOctet = 8;
// Keys of the longest stage, which may begin that many before a window.
static constexpr int64_t kMostStageKeys = 256;
// The lower halves of bytes, and of pairs of bits the upper one.
static constexpr int64_t kNibbles = 0x0F0F0F0F, kUpperTrits = 0xCCCCCCCC;
static constexpr float kLargestHalf = 65504.0f;

int64_t CacheDequantizeKernel::Part::warps() const {
  if (!encoding)
    return 0;
  int64_t chunks = encoding.getPageCodeBytes(features) / kChunkBytes;
  if (encoding.isTernary())
    return chunks;
  return chunks % (2 * kPage / kRows) ? kPage / kRows : 2 * kPage / kRows;
}

Value CacheDequantizeKernel::gridSize(OpBuilder &builder, Value batch,
                                      Value positions) const {
  HostIntegers host{builder, loc};
  return host.mul(host.mul(batch, keyHeads), host.ceilDiv(positions, kPage));
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
    int64_t warps = spec.keys.warps() + spec.values.warps();
    kernel = openKernel(spec.name, pointers, /*numbers=*/3, 32 * warps,
                        spec.programmatic);
    positions = kernel.getArgument(pointers);
    queries = kernel.getArgument(pointers + 1);
    pageCount = kernel.getArgument(pointers + 2);
    lane = rem(threadId(), 32);
    Value pagesOfHead = div(narrow(positions), kPage);
    page64 = blockId();
    Value row = div(page64, pagesOfHead);
    pageOfEntry = rem(page64, pagesOfHead);
    head = rem(row, spec.keyHeads);
    entry = div(row, spec.keyHeads);
    Value number = div(threadId(), 32);
    Value isKeys = less(number, integer(spec.keys.warps()));
    ifTrue(isKeys, [&] { dequantize(spec.keys, 0, number); });
    if (spec.values.encoding)
      ifTrue(negated(isKeys), [&] {
        dequantize(spec.values, 1, sub(number, integer(spec.keys.warps())));
      });
    closeKernel(kernel);
    return kernel;
  }

private:
  // Pointers before lengths.
  static constexpr int64_t kInputs = 4;

  /// 8 features that the lane stores: so many positions and features behind
  /// its first ones, which are `row` and `feature`.
  struct Octet {
    int64_t row, feature;
  };

  //===--------------------------------------------------------------------===//
  // Where a warp's numbers are
  //===--------------------------------------------------------------------===//

  void dequantize(const CacheDequantizeKernel::Part &of, int64_t number,
                  Value warpOfPart) {
    part = &of;
    pointer = number;
    warp = warpOfPart;
    bits = of.encoding.getCacheBits();
    isValues = of.encoding.isValueCache();
    int64_t warps = of.warps();
    chunks = of.encoding.getPageCodeBytes(of.features) / kChunkBytes / warps;
    scales.clear();
    // Positions of the warp, and what its lanes have of them.
    int64_t rows = kRows;
    Value firstRow, lower = rem(lane, 4), upper = div(lane, 4);
    if (bits > 2) {
      int64_t sharing = warps * kRows / kPage, width = chunks * 256 / bits;
      firstRow = mul(div(warp, sharing), rows);
      row = isValues ? add(mul(lower, 2), div(lane, 16)) : upper;
      feature = add(mul(rem(isValues ? upper : lower, 4), kOctet),
                    mul(rem(warp, sharing), width));
      reach = 4 * kOctet + (sharing - 1) * width;
    } else if (isValues) {
      rows = kPage;
      firstRow = integer(0);
      row = add(add(mul(lower, 2), div(lane, 16)), mul(rem(upper, 2), kOctet));
      feature = add(mul(warp, 4 * kOctet), mul(rem(div(lane, 8), 2), kOctet));
      reach = 4 * kOctet * warps - 2 * kOctet;
    } else {
      // Of more than 64 features two words of a lane are one position.
      bool isWide = warps == kPage / kRows;
      rows = kPage / warps;
      firstRow = mul(warp, rows);
      Value second = div(lower, 2);
      row = isWide ? upper : add(upper, mul(second, kOctet));
      feature = mul(rem(lower, 2), kOctet);
      if (isWide)
        feature = add(feature, mul(second, kPage));
      reach = 2 * kOctet + (isWide ? kPage : 0);
    }
    row = add(row, firstRow);
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
      Value behind = add(first, rows + kMostStageKeys);
      isUsed = arith::AndIOp::create(builder, loc, isUsed, less(seen, behind));
    }
    ifTrue(isUsed, [&] { writeRows(); });
  }

  void writeRows() {
    Value position = wide(add(mul(pageOfEntry, kPage), row));
    Value heads = integer64(spec.keyHeads);
    Value at =
        add(mul(add(mul(wide(entry), heads), wide(head)), positions), position);
    result = advance(kernel.getArgument(2 + pointer),
                     add(mul(at, integer64(part->features)), wide(feature)), 1,
                     spec.type);
    if (!spec.page) {
      writePage(wide(page64));
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
      writePage(add(first, wide(inside)));
    });
    ifTrue(negated(isPage), [&] {
      Value zero = arith::ConstantOp::create(builder, loc,
                                             builder.getZeroAttr(spec.type));
      SmallVector<Value> zeros(kOctet, zero);
      for (const Octet &octet : octets())
        store(octet, zeros);
    });
  }

  /// What the lane stores of the words that it has in chunk `chunk` for both
  /// values of `other`, by fields.
  SmallVector<Octet> octetsOf(int64_t chunk, int64_t other) const {
    if (bits == 8)
      return {{8 * other, 32 * chunk}};
    if (bits == 4)
      return {{0, 64 * chunk + 32 * other}, {8, 64 * chunk + 32 * other}};
    SmallVector<Octet> all;
    for (int64_t field = 0; field < 4; ++field)
      if (isValues)
        all.push_back({16 * field, 16 * other});
      else
        all.push_back({(part->warps() > 2 ? 8 : 16) * other, 16 * field});
    return all;
  }
  SmallVector<Octet> octets() const {
    SmallVector<Octet> all;
    for (int64_t chunk = 0; chunk < chunks; ++chunk)
      for (int64_t other : {0, 1})
        llvm::append_range(all, octetsOf(chunk, other));
    return all;
  }

  //===--------------------------------------------------------------------===//
  // What they are
  //===--------------------------------------------------------------------===//

  /// What the warp has of page `number` of the cache.
  void writePage(Value number) {
    Value page = advance(kernel.getArgument(pointer), number,
                         part->encoding.getPageBytes(part->features),
                         builder.getI8Type());
    Value own =
        at(page,
           wide(add(mul(warp, chunks * kChunkBytes), mul(lane, kThreadBytes))));
    // All are on their way before the first is needed.
    SmallVector<Value> loaded;
    for (int64_t chunk = 0; chunk < chunks; ++chunk)
      loaded.push_back(load(VectorType::get({4}, i32),
                            at(own, chunk * kChunkBytes), /*alignment=*/16));
    loadScales(at(page, part->encoding.getPageCodeBytes(part->features)));
    for (auto [chunk, four] : llvm::enumerate(loaded))
      writeChunk(chunk, four);
  }

  void writeChunk(int64_t chunk, Value four) {
    SmallVector<Value> words;
    for (int64_t word = 0; word < 4; ++word)
      words.push_back(vector::ExtractOp::create(builder, loc, four, word));
    if (isValues)
      exchangeHalves(words);
    // Of 8 bits the first and the last two words are apart, else neighbours.
    for (int64_t other : {0, 1}) {
      Value low = words[bits == 8 ? other : 2 * other];
      Value high = words[bits == 8 ? 2 + other : 2 * other + 1];
      exchangeWords(low, high);
      std::array<Value, 2> pairs = exchangeFields(low, high);
      for (auto [field, octet] : llvm::enumerate(octetsOf(chunk, other)))
        write(octet, pairs, 2 * field);
    }
  }

  Value bitOfLane(int64_t mask) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                                 bitAnd(lane, mask), integer(0));
  }
  /// `upper` in lanes whose numbers have the bit.
  Value ofLane(int64_t mask, int64_t upper, int64_t lower) {
    return select(bitOfLane(mask), integer(upper), integer(lower));
  }

  /// Of values, whose words are two positions: afterwards the position that
  /// the lane keeps, of two lanes.
  void exchangeHalves(MutableArrayRef<Value> words) {
    Value sent = ofLane(16, 0x5410, 0x7632);
    Value first = ofLane(16, 0x3254, 0x5410);
    Value second = ofLane(16, 0x3276, 0x7610);
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

  /// Two words of the fields that the lane stores: their halves are
  /// neighbouring features. Fields of `low` and of `high` take turns.
  std::array<Value, 2> exchangeFields(Value low, Value high) {
    int64_t mask = isValues ? 4 : 1;
    Value kept, sent;
    if (bits == 8) {
      kept = permute(low, high, ofLane(mask, 0x7351, 0x6240));
      sent = permute(low, high, ofLane(mask, 0x6240, 0x7351));
    } else {
      // The first field of trits is the uppermost.
      int64_t one = bits == 2 ? ~kUpperTrits : kNibbles;
      auto merged = [&](Value lower, Value upper) {
        return bitOr(bitAnd(lower, one), left(bitAnd(upper, one), bits));
      };
      auto mergedUpper = [&](Value lower, Value upper) {
        return bitOr(bitAnd(right(lower, bits), one), bitAnd(upper, ~one));
      };
      Value even = bits == 2 ? mergedUpper(high, low) : merged(low, high);
      Value odd = bits == 2 ? merged(high, low) : mergedUpper(low, high);
      Value isUpper = bitOfLane(mask);
      kept = select(isUpper, odd, even);
      sent = select(isUpper, even, odd);
    }
    Value received = shuffleXor(sent, mask);
    if (isValues)
      return {permute(kept, received, ofLane(mask, 0x1054, 0x5410)),
              permute(kept, received, ofLane(mask, 0x3276, 0x7632))};
    Value isUpper = bitOfLane(mask);
    return {select(isUpper, received, kept), select(isUpper, kept, received)};
  }

  //===--------------------------------------------------------------------===//
  // Numbers
  //===--------------------------------------------------------------------===//

  Value both(float value) {
    auto pair = VectorType::get({2}, builder.getF16Type());
    return arith::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(
            pair, builder.getFloatAttr(builder.getF16Type(), value)));
  }
  Value asPair(Value word) {
    return LLVM::BitcastOp::create(
        builder, loc, VectorType::get({2}, builder.getF16Type()), word);
  }
  /// Products and sums that are exact may be fused.
  Value times(Value pair, float factor) {
    return LLVM::FMulOp::create(builder, loc, pair, both(factor),
                                LLVM::FastmathFlags::contract);
  }
  Value plus(Value pair, Value other) {
    return LLVM::FAddOp::create(builder, loc, pair, other,
                                LLVM::FastmathFlags::contract);
  }

  /// Field `field` of both halves of `word` as two f16, exactly.
  Value numbersOf(Value word, int64_t field) {
    if (part->encoding.isFloatCache())
      return floatsOf(word, field);
    // The upper bits of an f16 are its sign and 2.
    if (bits == 2)
      return times(asPair(bitAnd(left(word, 2 * field), 0xC000C000)), 0.5f);
    // With the sign changed, and the upper bits of 2^10, they are that much
    // more than the number.
    if (bits == 8) {
      word = bitXor(word, integer(0x80808080));
      word = permute(word, integer(0x64646464), field ? 0x4341 : 0x4240);
      return plus(asPair(word), both(-1152));
    }
    word = right(word, field / 2 * 8);
    if (field % 2 == 0) {
      word = bitXor(bitAnd(word, 0x000F000F), integer(0x64086408));
      return plus(asPair(word), both(-1032));
    }
    word = bitXor(bitAnd(word, 0x00F000F0), integer(0x64806480));
    return plus(times(asPair(word), 1.0f / 16), both(-72));
  }

  /// The same of f8E4M3FN: exponent and mantissa, moved to those of f16, are
  /// the number over 2^8, and 480 where it is NaN. What makes that infinite
  /// and others not, times zero, is NaN for it and zero for them.
  Value floatsOf(Value word, int64_t field) {
    Value sign = bitAnd(field ? word : left(word, 8), 0x80008000);
    Value size = bitAnd(field ? right(word, 1) : left(word, 7), 0x3F803F80);
    Value number = LLVM::FMulOp::create(builder, loc, asPair(bitOr(sign, size)),
                                        both(256));
    Value above = LLVM::FMulOp::create(builder, loc, number, both(142));
    return plus(times(above, 0), number);
  }

  /// The numbers of `octet`, which are in two fields of each of `words`, times
  /// their scale.
  void write(const Octet &octet, ArrayRef<Value> words, int64_t field) {
    if (octet.feature >= part->features)
      return;
    Value scale = scales.lookup(keyOf(octet));
    SmallVector<Value> numbers;
    for (int64_t pair = 0; pair < kOctet / 2; ++pair) {
      int64_t first = pair / 2, last = pair % 2;
      Value two = isValues ? numbersOf(words[first], field + last)
                           : numbersOf(words[last], field + first);
      scaleTwo(two, scale, numbers);
    }
    store(octet, numbers);
  }

  void scaleTwo(Value two, Value scale, SmallVectorImpl<Value> &numbers) {
    auto extract = [&](int64_t index) -> Value {
      return vector::ExtractOp::create(builder, loc, two, index);
    };
    if (isa<VectorType>(scale.getType())) {
      two = LLVM::FMulOp::create(builder, loc, two, scale);
      if (bits > 2) {
        two = LLVM::MinimumOp::create(builder, loc, two, both(kLargestHalf));
        two = LLVM::MaximumOp::create(builder, loc, two, both(-kLargestHalf));
      }
      numbers.append({extract(0), extract(1)});
      return;
    }
    for (int64_t index : {0, 1}) {
      Value number = arith::ExtFOp::create(builder, loc, f32, extract(index));
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
  }

  //===--------------------------------------------------------------------===//
  // Scales
  //===--------------------------------------------------------------------===//

  /// Octets with the same scale have the same.
  std::pair<int64_t, int64_t> keyOf(const Octet &octet) const {
    int64_t group = part->encoding.getScaleFeatures(part->features);
    return {part->encoding.isTokenScaled() ? octet.row : 0,
            group < part->features ? octet.feature / group : 0};
  }

  /// A pair of f16 for an octet where products are computed in that, else f32.
  /// Infinite ones are NaN.
  void loadScales(Value from) {
    int64_t group = part->encoding.getScaleFeatures(part->features);
    Type type = part->encoding.getScaleType();
    bool isPair = type.isF16() && spec.type.isF16();
    for (const Octet &octet : octets()) {
      Value &scale = scales[keyOf(octet)];
      if (scale || octet.feature >= part->features)
        continue;
      Value number = integer(0);
      if (group < part->features)
        number = div(add(feature, octet.feature / group * group), group);
      if (part->encoding.isTokenScaled())
        number = add(mul(number, kPage), add(row, octet.row));
      scale = load(type, advance(from, number, 1, type),
                   type.getIntOrFloatBitWidth() / 8);
      if (!isPair && !type.isF32())
        scale = arith::ExtFOp::create(builder, loc, f32, scale);
      Value zero = arith::ConstantOp::create(
          builder, loc, builder.getZeroAttr(scale.getType()));
      Value none = arith::MulFOp::create(builder, loc, scale, zero);
      scale = arith::AddFOp::create(builder, loc, scale, none);
      if (isPair)
        scale = vector::BroadcastOp::create(builder, loc,
                                            VectorType::get({2}, type), scale);
    }
  }

  //===--------------------------------------------------------------------===//
  // Results
  //===--------------------------------------------------------------------===//

  void store(const Octet &octet, ArrayRef<Value> numbers) {
    auto storeAll = [&] {
      int64_t bytes = spec.type.getIntOrFloatBitWidth() / 8;
      Value all = vector::FromElementsOp::create(
          builder, loc, VectorType::get({kOctet}, spec.type), numbers);
      ThreadCode::store(
          all, at(result, (octet.row * part->features + octet.feature) * bytes),
          /*alignment=*/16);
    };
    // What the last chunk has behind the features is padding.
    int64_t left = part->features - octet.feature;
    if (left >= reach)
      storeAll();
    else if (left > 0)
      ifTrue(less(feature, integer(left)), storeAll);
  }

  const CacheDequantizeKernel &spec;
  gpu::GPUFuncOp kernel;
  // i64
  Value positions, queries, pageCount;
  // i32: the block's page of 64 positions, and where that is.
  Value page64, pageOfEntry, entry, head, lane;
  // i32: the warp's number of those of its part.
  Value warp;
  // Of that part; chunks that the warp has.
  const CacheDequantizeKernel::Part *part = nullptr;
  int64_t pointer = 0, bits = 0, chunks = 0;
  bool isValues = false;
  // i32: the first position in the page and the first feature that the lane
  // stores, the latter at most `reach` - 8.
  Value row, feature;
  int64_t reach = 0;
  // Where that goes.
  Value result;
  llvm::SmallDenseMap<std::pair<int64_t, int64_t>, Value> scales;
};

} // namespace

gpu::GPUFuncOp CacheDequantizeKernel::generate(OpBuilder &builder) const {
  OpBuilder::InsertionGuard guard(builder);
  return Dequantizer(*this, builder).run();
}
