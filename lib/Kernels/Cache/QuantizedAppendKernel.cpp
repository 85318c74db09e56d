//===- QuantizedAppendKernel.cpp - New tokens of quantized caches --------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A warp for each token of a head. Of 64 features a lane has one and the one 8
// further: in int4v.v1 and int4k.v1 these are the halves of a byte, and a byte
// of a cache belongs to one token, so tokens are written independently.
//
//===----------------------------------------------------------------------===//

#include "Kernels/Cache/CacheAppendKernel.h"
#include "Kernels/Support/HostIntegers.h"
#include "Kernels/Support/ThreadCode.h"
#include "SparseFlow/Support/E4M3.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::sparseflow;

static constexpr int64_t kWarp = 32, kWarps = CacheAppendKernel::kThreads / 32;
static constexpr int64_t kPage = TernaryAttr::kPageTokens;
// Features that a warp has at once.
static constexpr int64_t kStep = 64;
static constexpr int64_t kInfinityBits = 0x7F800000;
// Added to a number below 2^22, it leaves the nearest integer, ties to even, in
// the lower bits.
static constexpr float kRounding = 12582912.0f;

namespace {

class QuantizedAppend : ThreadCode {
public:
  QuantizedAppend(const CacheAppendKernel &spec, OpBuilder &builder)
      : ThreadCode(builder, spec.loc), spec(spec),
        bits(spec.encoding.getCacheBits()) {}

  gpu::GPUFuncOp run() {
    int64_t pointers = spec.page ? 4 : 3;
    gpu::GPUFuncOp kernel =
        openKernel(spec.name, pointers, /*numbers=*/4,
                   CacheAppendKernel::kThreads, spec.programmatic);
    batch = kernel.getArgument(pointers);
    tokens = kernel.getArgument(pointers + 1);
    positions = kernel.getArgument(pointers + 2);
    pageCount = kernel.getArgument(pointers + 3);
    lane = rem(threadId(), kWarp);
    Value number = add(mul(wide(blockId()), integer64(kWarps)),
                       wide(div(threadId(), kWarp)));
    Value all = mul(mul(batch, integer64(spec.keyHeads)), tokens);
    ifTrue(below(number, all), [&] { writeToken(kernel, number); });
    closeKernel(kernel);
    return kernel;
  }

private:
  void writeToken(gpu::GPUFuncOp kernel, Value number) {
    Value token = rem(number, tokens), rows = div(number, tokens);
    Value head = rem(rows, integer64(spec.keyHeads));
    Value entry = div(rows, integer64(spec.keyHeads));
    Value length = arith::ExtSIOp::create(
        builder, loc, i64,
        load(i32, advance(kernel.getArgument(2), entry, 1, i32),
             /*alignment=*/4));
    Value position = add(length, token);
    x = advance(kernel.getArgument(1), number, spec.features, spec.tokenType);
    ifTrue(below(position, positions), [&] {
      if (!spec.page) {
        Value perHead = div(positions, integer64(kPage));
        Value first = mul(rows, perHead);
        writeRow(kernel, add(first, div(position, integer64(kPage))), position);
        return;
      }
      Value columns = div(positions, integer64(spec.page));
      Value at = add(mul(entry, columns), div(position, integer64(spec.page)));
      Value page = arith::ExtSIOp::create(
          builder, loc, i64,
          load(i32, advance(kernel.getArgument(3), at, 1, i32),
               /*alignment=*/4));
      // An entry that is no page keeps nothing.
      ifTrue(below(page, pageCount), [&] {
        Value inPage = rem(position, integer64(spec.page));
        Value first = mul(add(mul(page, integer64(spec.keyHeads)), head),
                          integer64(spec.page / kPage));
        writeRow(kernel, add(first, div(inPage, integer64(kPage))), inPage);
      });
    });
  }

  /// Writes the token as position `position` mod 64 of page `number`, both i64.
  void writeRow(gpu::GPUFuncOp kernel, Value number, Value position) {
    page =
        advance(kernel.getArgument(0), number,
                spec.encoding.getPageBytes(spec.features), builder.getI8Type());
    Value row = arith::TruncIOp::create(builder, loc, i32,
                                        rem(position, integer64(kPage)));
    // The lane's features of each 64: 16 (lane / 8) + lane % 8, and 8 more.
    Value lower = add(mul(div(lane, 8), 16), rem(lane, 8));
    SmallVector<Value> elements;
    Value largest = integer(0);
    for (int64_t first = 0; first < spec.features; first += kStep)
      for (int64_t more : {0, 8}) {
        Value value =
            element(add(lower, first + more), first + kStep > spec.features);
        elements.push_back(value);
        largest = largestMagnitude(largest, value);
      }
    Value finite = less(warpMax(largest), integer(kInfinityBits));
    // Scales first: those of 32 features belong to half of a warp.
    int64_t group = spec.encoding.getScaleFeatures(spec.features);
    if (group >= spec.features)
      group = llvm::alignTo(spec.features, kStep);
    int64_t together = std::max(group, kStep) / kStep * 2;
    for (size_t from = 0; from < elements.size(); from += together) {
      ArrayRef<Value> values = ArrayRef(elements).slice(
          from, std::min<size_t>(together, elements.size() - from));
      int64_t firstFeature = static_cast<int64_t>(from) / 2 * kStep;
      Value scale = writeScale(values, finite, row, group, firstFeature);
      for (size_t i = 0; i < values.size(); i += 2) {
        Value a = rounded(values[i], scale, finite),
              b = rounded(values[i + 1], scale, finite);
        int64_t step = firstFeature + static_cast<int64_t>(i) / 2 * kStep;
        writeNumbers(row, lower, step, a, b);
      }
    }
  }

  Value element(Value feature, bool mayBeOutside) {
    Value inside;
    if (mayBeOutside) {
      inside = less(feature, integer(spec.features));
      feature = select(inside, feature, integer(0));
    }
    Value value = load(spec.tokenType, advance(x, feature, 1, spec.tokenType),
                       spec.tokenType.getIntOrFloatBitWidth() / 8);
    value = arith::ExtFOp::create(builder, loc, f32, value);
    return inside ? select(inside, value, floating(0)) : value;
  }

  Value larger(Value a, Value b) {
    return arith::MaxUIOp::create(builder, loc, a, b);
  }

  /// The scale of `values` (f32), which lanes that share features have in
  /// common, written to its place.
  Value writeScale(ArrayRef<Value> values, Value finite, Value row,
                   int64_t group, int64_t firstFeature) {
    Value largest = largestMagnitude(integer(0), values);
    int64_t lanes = group < kStep ? group / 2 : kWarp;
    for (int64_t distance = lanes / 2; distance; distance /= 2)
      largest = larger(largest, shuffleXor(largest, distance));
    float limit = spec.encoding.getCacheLimit();
    Value scale =
        arith::DivFOp::create(builder, loc, floatOf(largest), floating(limit));
    auto type = cast<FloatType>(spec.encoding.getScaleType());
    Value stored = scale;
    if (!type.isF32()) {
      stored = arith::TruncFOp::create(builder, loc, type, scale);
      scale = arith::ExtFOp::create(builder, loc, f32, stored);
    }
    Value none = arith::ConstantOp::create(
        builder, loc,
        FloatAttr::get(type, APFloat::getQNaN(type.getFloatSemantics())));
    stored = select(finite, stored, none);
    // Group numbers of the lanes of a warp differ where they are small.
    Value number = integer(firstFeature / group);
    if (group < kStep)
      number = add(number, div(lane, lanes));
    Value isFirst = equal(rem(lane, lanes), 0);
    if (group < kStep)
      isFirst = arith::AndIOp::create(
          builder, loc, isFirst,
          less(number, integer(llvm::divideCeil(spec.features, group))));
    ifTrue(isFirst, [&] {
      Value first = at(page, spec.encoding.getPageCodeBytes(spec.features));
      store(stored, advance(first, add(mul(number, kPage), row), 1, type),
            type.getIntOrFloatBitWidth() / 8);
    });
    return scale;
  }

  /// A number in two's complement, or the bits of a float, in the lower bits of
  /// an i32.
  Value rounded(Value value, Value scale, Value finite) {
    float limit = spec.encoding.getCacheLimit();
    Value isSome = arith::CmpFOp::create(
        builder, loc, arith::CmpFPredicate::UNE, scale, floating(0));
    isSome = arith::AndIOp::create(builder, loc, isSome, finite);
    Value number = arith::DivFOp::create(builder, loc, value,
                                         select(isSome, scale, floating(1)));
    number = arith::MinNumFOp::create(builder, loc, number, floating(limit));
    number = arith::MaxNumFOp::create(builder, loc, number, floating(-limit));
    if (spec.encoding.isFloatCache())
      return select(isSome, emitBitsOfE4M3(builder, loc, number), integer(0));
    number = arith::AddFOp::create(builder, loc, number, floating(kRounding));
    return select(isSome, bitAnd(bitsOf(number), (int64_t(1) << bits) - 1),
                  integer(0));
  }

  /// Features `lower` + `step` and the one 8 further of token `row` (i32).
  void writeNumbers(Value row, Value lower, int64_t step, Value a, Value b) {
    bool isValues = spec.encoding.isValueCache();
    Value inner = isValues ? row : lower, outer = isValues ? lower : row;
    Value laneOf = add(mul(rem(outer, 8), 4), div(rem(inner, 8), 2));
    Value half = rem(inner, 2), upper = rem(div(row, 8), 2);
    // Of `lower` in its 64: steps of 16, from lane to lane.
    Value part = div(lower, 16);
    int64_t chunks = spec.encoding.getPageFeatures(spec.features) * bits / 256;
    Value chunk = mul(div(row, 16), chunks), word, byte;
    if (bits == 8) {
      chunk = add(add(chunk, step / 32), div(part, 2));
      word = add(mul(rem(part, 2), 2), upper);
      byte = mul(half, 2);
    } else {
      chunk = add(chunk, step / 64);
      word = part;
      byte = add(mul(half, 2), upper);
    }
    Value offset =
        add(add(mul(chunk, 512), mul(laneOf, 16)), add(mul(word, 4), byte));
    Type i8 = builder.getI8Type();
    auto narrow = [&](Value value) -> Value {
      return arith::TruncIOp::create(builder, loc, i8, value);
    };
    auto write = [&] {
      Value to = at(page, wide(offset));
      if (bits == 4) {
        store(narrow(bitOr(a, left(b, 4))), to, /*alignment=*/1);
        return;
      }
      store(narrow(a), to, /*alignment=*/1);
      store(narrow(b), at(to, 1), /*alignment=*/1);
    };
    // Features that are padding are zeros already; a page has no further ones.
    if (step + kStep <= spec.encoding.getPageFeatures(spec.features))
      return write();
    int64_t inside = spec.encoding.getPageFeatures(spec.features) - step;
    ifTrue(less(lower, integer(inside)), write);
  }

  const CacheAppendKernel &spec;
  int64_t bits;
  // i64
  Value batch, tokens, positions, pageCount;
  Value lane, page, x;
};

} // namespace

Value CacheAppendKernel::quantizedGridSize(OpBuilder &builder, Location loc,
                                           Value batch, Value tokens) const {
  HostIntegers host{builder, loc};
  return host.ceilDiv(host.mul(host.mul(batch, keyHeads), tokens), kWarps);
}

gpu::GPUFuncOp CacheAppendKernel::generateQuantized(OpBuilder &builder) const {
  return QuantizedAppend(*this, builder).run();
}
