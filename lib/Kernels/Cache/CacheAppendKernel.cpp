//===- CacheAppendKernel.cpp - New tokens of a ternary cache ------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block for each page that new tokens of a head may fall into. Its warps
// first find the threshold of each token, which is a sum over all features, and
// write the token's scale; then each thread packs whole words of the page. A
// word of keys is 16 features of one token, so it is written; one of values is
// 16 tokens of one feature, of which only new ones are replaced. No word has
// two threads, so there are no atomics.
//
//===----------------------------------------------------------------------===//

#include "Kernels/Cache/CacheAppendKernel.h"
#include "Kernels/Support/HostIntegers.h"
#include "Kernels/Support/ThreadCode.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <limits>

using namespace mlir;
using namespace mlir::sparseflow;

static constexpr int64_t kWarp = 32, kWarps = CacheAppendKernel::kThreads / 32;
static constexpr int64_t kPage = TernaryAttr::kPageTokens;
static constexpr int64_t kInfinityBits = 0x7F800000;

/// Pages that `tokens` (i32 or i64) may fall into, wherever the first one is.
static Value pagesOf(OpBuilder &builder, Location loc, Value tokens) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(
        builder, loc, builder.getIntegerAttr(tokens.getType(), value));
  };
  Value last = arith::AddIOp::create(builder, loc, tokens, constant(kPage - 2));
  Value whole = arith::DivUIOp::create(builder, loc, last, constant(kPage));
  return arith::AddIOp::create(builder, loc, whole, constant(1));
}

Value CacheAppendKernel::gridSize(OpBuilder &builder, Location loc, Value batch,
                                  Value tokens) const {
  if (!encoding.isTernary())
    return quantizedGridSize(builder, loc, batch, tokens);
  HostIntegers host{builder, loc};
  return host.mul(host.mul(batch, keyHeads), pagesOf(builder, loc, tokens));
}

namespace {

class AppendGenerator : ThreadCode {
public:
  AppendGenerator(const CacheAppendKernel &spec, OpBuilder &builder)
      : ThreadCode(builder, spec.loc), spec(spec),
        isToken(spec.encoding.getGroup() == TernaryAttr::kTokenScale),
        isValues(spec.encoding.getStorage() == TernaryStorage::ValuePlanes),
        padded(llvm::alignTo(spec.features, 64)) {}

  gpu::GPUFuncOp run() {
    gpu::GPUFuncOp kernel =
        openKernel(spec.name, /*pointers=*/3, /*numbers=*/2,
                   CacheAppendKernel::kThreads, spec.programmatic);
    // A threshold for each token of a page.
    shared = sharedArray(kernel, spec.name + "_thresholds", f32, kPage);
    thread = threadId();
    place(kernel);
    ifTrue(less(integer(0), count), [&] {
      findThresholds();
      barrier();
      if (isValues)
        writeValues();
      else
        writeKeys();
    });
    closeKernel(kernel);
    return kernel;
  }

private:
  Value smaller(Value a, Value b) {
    return arith::MinSIOp::create(builder, loc, a, b);
  }
  Value larger(Value a, Value b) {
    return arith::MaxSIOp::create(builder, loc, a, b);
  }

  /// Which tokens of which page are this block's.
  void place(gpu::GPUFuncOp kernel) {
    Value tokens = kernel.getArgument(3), positions = kernel.getArgument(4);
    Value block = blockId();
    Value pages = pagesOf(builder, loc, narrow(tokens));
    Value head = div(block, pages);
    Value number = rem(block, pages);
    Value length = arith::ExtSIOp::create(
        builder, loc, i64,
        load(i32,
             advance(kernel.getArgument(2), div(head, spec.keyHeads), 1, i32),
             /*alignment=*/4));
    // What stands before position 0 is dropped.
    Value firstPage = div(larger(length, integer64(0)), integer64(kPage));
    firstPage = add(firstPage, wide(number));
    Value start = mul(firstPage, integer64(kPage));
    Value from = larger(start, length);
    Value end = smaller(add(start, integer64(kPage)), add(length, tokens));
    end = smaller(end, positions);
    // Far past the end of a cache a difference has more than 32 bits.
    count = narrow(larger(sub(end, from), integer64(0)));
    offset = narrow(sub(from, start));
    Value heads = wide(head);
    Value perHead = div(positions, integer64(kPage));
    Value pageNumber = add(mul(heads, perHead), firstPage);
    page =
        advance(kernel.getArgument(0), pageNumber,
                spec.encoding.getPageBytes(spec.features), builder.getI8Type());
    Value row = add(mul(heads, tokens), sub(from, length));
    x = advance(kernel.getArgument(1), row, spec.features, spec.tokenType);
  }

  /// Feature `feature` of the block's token `token`, both i32, as f32.
  Value element(Value token, Value feature) {
    Value row = advance(x, token, spec.features, spec.tokenType);
    Value value = load(spec.tokenType, advance(row, feature, 1, spec.tokenType),
                       spec.tokenType.getIntOrFloatBitWidth() / 8);
    return arith::ExtFOp::create(builder, loc, f32, value);
  }
  Value absolute(Value value) {
    return floatOf(bitAnd(bitsOf(value), 0x7FFFFFFF));
  }
  Value isGreater(Value a, Value b) {
    return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OGT, a, b);
  }
  Value times(Value a, float b) {
    return arith::MulFOp::create(builder, loc, a, floating(b));
  }
  Value threshold(Value token) {
    return advance(LLVM::AddressOfOp::create(builder, loc, shared), token, 1,
                   f32);
  }

  /// The sum of all lanes by halves, the order that the op's rule prescribes.
  Value sumOverWarp(Value value) {
    for (int64_t distance = kWarp / 2; distance; distance /= 2) {
      Value other = shuffleXor(value, distance);
      value = arith::AddFOp::create(builder, loc, value, other);
    }
    return value;
  }

  /// A warp for each token. A token with a NaN or an infinity has a threshold
  /// that no magnitude exceeds.
  void findThresholds() {
    Value lane = rem(thread, kWarp), warp = div(thread, kWarp);
    forLoop(warp, count, integer(kWarps), {}, [&](Value token, ValueRange) {
      SmallVector<Value> magnitudes;
      Value largest = integer(0);
      for (int64_t first = 0; first < spec.features; first += kWarp) {
        Value feature = add(lane, first), inside;
        if (first + kWarp > spec.features) {
          inside = less(feature, integer(spec.features));
          feature = select(inside, feature, integer(0));
        }
        Value magnitude = absolute(element(token, feature));
        if (inside)
          magnitude = select(inside, magnitude, floating(0));
        magnitudes.push_back(magnitude);
        largest =
            arith::MaxUIOp::create(builder, loc, largest, bitsOf(magnitude));
      }
      largest = warpMax(largest);
      Value finite = less(largest, integer(kInfinityBits));
      Value limit = floating(0);
      if (isToken)
        limit = findScale(token, magnitudes, finite);
      limit = select(finite, limit,
                     floating(std::numeric_limits<float>::infinity()));
      ifTrue(equal(lane, 0),
             [&] { store(limit, threshold(token), /*alignment=*/4); });
      return SmallVector<Value>();
    });
  }

  /// Writes the scale of a token and returns its threshold.
  Value findScale(Value token, ArrayRef<Value> magnitudes, Value finite) {
    Value sum = floating(0);
    for (Value magnitude : magnitudes)
      sum = arith::AddFOp::create(builder, loc, sum, magnitude);
    Value mean =
        arith::DivFOp::create(builder, loc, sumOverWarp(sum),
                              floating(static_cast<float>(spec.features)));
    bool isTwn = spec.method == TernaryMethod::Twn;
    Value limit = times(mean, isTwn ? 0.7f : 0.5f), scale = mean;
    if (isTwn) {
      Value kept = integer(0);
      sum = floating(0);
      for (Value magnitude : magnitudes) {
        Value far = isGreater(magnitude, limit);
        kept = add(kept, select(far, integer(1), integer(0)));
        sum = arith::AddFOp::create(builder, loc, sum,
                                    select(far, magnitude, floating(0)));
      }
      kept = warpSum(kept);
      sum = sumOverWarp(sum);
      Value isSome = less(integer(0), kept);
      Value divisor = arith::SIToFPOp::create(builder, loc, f32,
                                              select(isSome, kept, integer(1)));
      scale = select(isSome, arith::DivFOp::create(builder, loc, sum, divisor),
                     floating(0));
    }
    auto type = cast<FloatType>(spec.encoding.getScaleType());
    if (!type.isF32())
      scale = arith::TruncFOp::create(builder, loc, type, scale);
    Value none = arith::ConstantOp::create(
        builder, loc,
        FloatAttr::get(type, APFloat::getQNaN(type.getFloatSemantics())));
    scale = select(finite, scale, none);
    ifTrue(equal(rem(thread, kWarp), 0), [&] {
      store(scale, scalePointer(add(token, offset)),
            type.getIntOrFloatBitWidth() / 8);
    });
    return limit;
  }

  /// Scale `number` (i32) of the page.
  Value scalePointer(Value number) {
    Value first = at(page, spec.encoding.getPageCodeBytes(spec.features));
    return advance(first, number, 1, spec.encoding.getScaleType());
  }

  /// The scale that feature `feature` (i32) of the head has already, f32.
  Value headScale(Value feature) {
    Type type = spec.encoding.getScaleType();
    int64_t group = spec.encoding.getGroup();
    Value number =
        group == TernaryAttr::kHeadScale ? integer(0) : div(feature, group);
    Value loaded =
        load(type, scalePointer(number), type.getIntOrFloatBitWidth() / 8);
    return type.isF32()
               ? loaded
               : arith::ExtFOp::create(builder, loc, f32, loaded).getResult();
  }

  /// The two bits of a trit: `scale` is null where each token has its own.
  Value tritOf(Value value, Value limit, Value scale) {
    Value magnitude = absolute(value), sign = right(bitsOf(value), 31);
    Value far = isGreater(magnitude, limit);
    if (scale) {
      Value size = absolute(scale);
      far = arith::AndIOp::create(builder, loc, far,
                                  isGreater(magnitude, times(size, 0.5f)));
      // A scale of zero leaves nothing to choose from.
      far = arith::AndIOp::create(builder, loc, far,
                                  isGreater(size, floating(0)));
      sign = bitXor(sign, right(bitsOf(scale), 31));
    }
    Value bits = bitOr(integer(1), left(sign, 1));
    return select(far, bits, integer(0));
  }

  /// Where element 8 `field` + `odd` of a word's 16 stands in it.
  static int64_t bitOf(int64_t field, int64_t odd) {
    return 16 * odd + 14 - 2 * field;
  }

  Value wordPointer(Value word, Value lane) {
    Value bytes = add(mul(div(word, 4), 512), mul(lane, 16));
    return at(page, wide(add(bytes, mul(rem(word, 4), 4))));
  }

  /// Words of one token: 16 features each.
  void writeKeys() {
    int64_t kWords = padded / 64, words = 4 * kWords;
    Value all = mul(count, words);
    forLoop(thread, all, integer(CacheAppendKernel::kThreads), {},
            [&](Value index, ValueRange) {
              Value token = div(index, words), rest = rem(index, words);
              Value block = div(rest, 4), quarter = rem(rest, 4);
              Value limit = load(f32, threshold(token), /*alignment=*/4);
              Value first = add(mul(block, 64), mul(quarter, 2));
              Value bits = integer(0), scale;
              for (int64_t field = 0; field < 8; ++field) {
                // Groups are whole numbers of four fields.
                if (!isToken && field % 4 == 0)
                  scale = headScale(inBounds(add(first, 8 * field)));
                for (int64_t odd : {0, 1})
                  bits = bitOr(bits, left(keyTrit(token, first, 8 * field + odd,
                                                  limit, scale),
                                          bitOf(field, odd)));
              }
              Value row = add(token, offset);
              Value word = add(mul(div(row, 8), kWords), block);
              store(bits, wordPointer(word, add(mul(rem(row, 8), 4), quarter)),
                    /*alignment=*/4);
              return SmallVector<Value>();
            });
  }

  Value inBounds(Value feature) {
    if (padded == spec.features)
      return feature;
    return smaller(feature, integer(spec.features - 1));
  }

  Value keyTrit(Value token, Value first, int64_t step, Value limit,
                Value scale) {
    Value feature = add(first, step);
    Value trit = tritOf(element(token, inBounds(feature)), limit, scale);
    if (padded == spec.features)
      return trit;
    return select(less(feature, integer(spec.features)), trit, integer(0));
  }

  /// Words of one feature: 16 tokens each, of which new ones are replaced.
  void writeValues() {
    forLoop(thread, integer(4 * padded), integer(CacheAppendKernel::kThreads),
            {}, [&](Value index, ValueRange) {
              Value feature = rem(index, padded);
              if (padded == spec.features) {
                writeValueWord(feature, div(index, padded));
                return SmallVector<Value>();
              }
              ifTrue(less(feature, integer(spec.features)),
                     [&] { writeValueWord(feature, div(index, padded)); });
              return SmallVector<Value>();
            });
  }

  void writeValueWord(Value feature, Value quarter) {
    Value scale = isToken ? Value() : headScale(feature);
    Value first = sub(mul(quarter, 2), offset);
    Value bits = integer(0), mask = integer(0);
    for (int64_t field = 0; field < 8; ++field)
      for (int64_t odd : {0, 1}) {
        Value token = add(first, 8 * field + odd);
        Value isNew = below(token, count);
        auto branch = scf::IfOp::create(builder, loc, TypeRange{i32}, isNew,
                                        /*withElse=*/true);
        OpBuilder::InsertionGuard guard(builder);
        builder.setInsertionPointToStart(branch.thenBlock());
        Value limit = load(f32, threshold(token), /*alignment=*/4);
        scf::YieldOp::create(builder, loc,
                             tritOf(element(token, feature), limit, scale));
        builder.setInsertionPointToStart(branch.elseBlock());
        scf::YieldOp::create(builder, loc, integer(0));
        builder.setInsertionPointAfter(branch);
        int64_t bit = bitOf(field, odd);
        bits = bitOr(bits, left(branch.getResult(0), bit));
        mask =
            bitOr(mask, select(isNew, integer(int64_t(3) << bit), integer(0)));
      }
    Value to =
        wordPointer(div(feature, 8), add(mul(rem(feature, 8), 4), quarter));
    Value isTouched = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::ne, mask, integer(0));
    ifTrue(isTouched, [&] {
      Value old = load(i32, to, /*alignment=*/4);
      Value kept =
          arith::AndIOp::create(builder, loc, old, bitXor(mask, integer(-1)));
      store(bitOr(kept, bits), to, /*alignment=*/4);
    });
  }

  const CacheAppendKernel &spec;
  bool isToken, isValues;
  int64_t padded; // Features, up to whole words.
  LLVM::GlobalOp shared;
  /// The block's page, the first of its new tokens in it, how many there are,
  /// and their vectors.
  Value page, offset, count, x;
  Value thread;
};

} // namespace

gpu::GPUFuncOp CacheAppendKernel::generate(OpBuilder &builder) const {
  OpBuilder::InsertionGuard guard(builder);
  return encoding.isTernary() ? AppendGenerator(*this, builder).run()
                              : generateQuantized(builder);
}
