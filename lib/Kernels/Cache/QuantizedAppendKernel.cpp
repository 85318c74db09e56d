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
      : ThreadCode(builder, spec.loc), spec(spec) {}

  gpu::GPUFuncOp run() {
    int64_t pointers = spec.page ? 4 : 3, numbers = 4;
    int64_t allPointers = pointers + (spec.second ? 2 : 0);
    gpu::GPUFuncOp kernel =
        openKernel(spec.name, allPointers, numbers + (spec.second ? 2 : 0),
                   CacheAppendKernel::kThreads, spec.programmatic);
    batch = kernel.getArgument(allPointers);
    tokens = kernel.getArgument(allPointers + 1);
    lane = rem(threadId(), kWarp);
    Value all = mul(mul(batch, integer64(spec.keyHeads)), tokens);
    auto append = [&](int64_t cache, int64_t size, Value block) {
      pages = kernel.getArgument(cache);
      newTokens = kernel.getArgument(cache + 1);
      positions = kernel.getArgument(size);
      pageCount = kernel.getArgument(size + 1);
      Value number = add(mul(wide(block), integer64(kWarps)),
                         wide(div(threadId(), kWarp)));
      ifTrue(below(number, all), [&] { writeToken(kernel, number); });
    };
    if (!spec.second) {
      append(0, allPointers + 2, blockId());
    } else {
      // Half of the blocks for each cache.
      Value blocks =
          narrow(div(add(all, integer64(kWarps - 1)), integer64(kWarps)));
      ifTrue(below(blockId(), blocks),
             [&] { append(0, allPointers + 2, blockId()); });
      encoding = spec.second->encoding;
      features = spec.second->features;
      bits = encoding.getCacheBits();
      ifTrue(less(blocks, add(blockId(), 1)), [&] {
        append(pointers, allPointers + numbers, sub(blockId(), blocks));
      });
    }
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
    x = advance(newTokens, number, features, spec.tokenType);
    // Beside the load of the length, which says where they go.
    loadElements();
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

  void loadElements() {
    // The lane's features of each 64: 16 (lane / 8) + lane % 8, and 8 more.
    lower = add(mul(div(lane, 8), 16), rem(lane, 8));
    elements.clear();
    largest = integer(0);
    for (int64_t first = 0; first < features; first += kStep)
      for (int64_t more : {0, 8}) {
        Value value =
            element(add(lower, first + more), first + kStep > features);
        elements.push_back(value);
        largest = largestMagnitude(largest, value);
      }
    largest = warpMax(largest);
  }

  /// Writes the token as position `position` mod 64 of page `number`, both i64.
  void writeRow(gpu::GPUFuncOp kernel, Value number, Value position) {
    page = advance(pages, number, encoding.getPageBytes(features),
                   builder.getI8Type());
    Value row = arith::TruncIOp::create(builder, loc, i32,
                                        rem(position, integer64(kPage)));
    Value finite = less(largest, integer(kInfinityBits));
    // Scales first: those of 32 features belong to half of a warp.
    int64_t group = encoding.getScaleFeatures(features);
    if (group >= features)
      group = llvm::alignTo(features, kStep);
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
      inside = less(feature, integer(features));
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
    int64_t lanes = group < kStep ? group / 2 : kWarp;
    Value most = largest;
    if (values.size() < elements.size() || lanes < kWarp) {
      most = largestMagnitude(integer(0), values);
      for (int64_t distance = lanes / 2; distance; distance /= 2)
        most = larger(most, shuffleXor(most, distance));
    }
    float limit = encoding.getCacheLimit();
    Value scale =
        arith::DivFOp::create(builder, loc, floatOf(most), floating(limit));
    auto type = cast<FloatType>(encoding.getScaleType());
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
          less(number, integer(llvm::divideCeil(features, group))));
    ifTrue(isFirst, [&] {
      Value first = at(page, encoding.getPageCodeBytes(features));
      store(stored, advance(first, add(mul(number, kPage), row), 1, type),
            type.getIntOrFloatBitWidth() / 8);
    });
    return scale;
  }

  /// A number in two's complement, or the bits of a float, in the lower bits of
  /// an i32.
  Value rounded(Value value, Value scale, Value finite) {
    float limit = encoding.getCacheLimit();
    Value isSome = arith::CmpFOp::create(
        builder, loc, arith::CmpFPredicate::UNE, scale, floating(0));
    isSome = arith::AndIOp::create(builder, loc, isSome, finite);
    Value number = arith::DivFOp::create(builder, loc, value,
                                         select(isSome, scale, floating(1)));
    number = arith::MinNumFOp::create(builder, loc, number, floating(limit));
    number = arith::MaxNumFOp::create(builder, loc, number, floating(-limit));
    if (encoding.isFloatCache())
      return select(isSome, emitBitsOfE4M3(builder, loc, number), integer(0));
    number = arith::AddFOp::create(builder, loc, number, floating(kRounding));
    return select(isSome, bitAnd(bitsOf(number), (int64_t(1) << bits) - 1),
                  integer(0));
  }

  /// Features `lower` + `step` and the one 8 further of token `row` (i32).
  void writeNumbers(Value row, Value lower, int64_t step, Value a, Value b) {
    bool isValues = encoding.isValueCache();
    Value inner = isValues ? row : lower, outer = isValues ? lower : row;
    Value laneOf = add(mul(rem(outer, 8), 4), div(rem(inner, 8), 2));
    Value half = rem(inner, 2), upper = rem(div(row, 8), 2);
    // Of `lower` in its 64: steps of 16, from lane to lane.
    Value part = div(lower, 16);
    int64_t chunks = encoding.getPageFeatures(features) * bits / 256;
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
    if (step + kStep <= encoding.getPageFeatures(features))
      return write();
    int64_t inside = encoding.getPageFeatures(features) - step;
    ifTrue(less(lower, integer(inside)), write);
  }

  const CacheAppendKernel &spec;
  // Of the cache that is appended to.
  TernaryAttr encoding = spec.encoding;
  int64_t features = spec.features, bits = encoding.getCacheBits();
  Value pages, newTokens;
  // i64
  Value batch, tokens, positions, pageCount;
  Value lane, page, x;
  // Of the token (f32): those of this lane, from feature `lower` of each 64 on,
  // and the bits of the largest magnitude of all.
  SmallVector<Value> elements;
  Value lower, largest;
};

} // namespace

Value CacheAppendKernel::quantizedGridSize(OpBuilder &builder, Location loc,
                                           Value batch, Value tokens) const {
  HostIntegers host{builder, loc};
  Value blocks =
      host.ceilDiv(host.mul(host.mul(batch, keyHeads), tokens), kWarps);
  return second ? host.mul(blocks, 2) : blocks;
}

gpu::GPUFuncOp CacheAppendKernel::generateQuantized(OpBuilder &builder) const {
  return QuantizedAppend(*this, builder).run();
}
