//===- StreamedMainloop.cpp - The MMAs of one unit of weights -------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/Streamed/StreamedParts.h"
#include "SparseFlow/Dialect/SFTile/Codecs/Ternary.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

static constexpr int64_t kWarp = 32, kChunk = 16, kTileRows = 16;
// The bits of 1.5 * 2^23: an integer that is added to them, as bits, is added
// to the number of f32.
static constexpr int64_t kFloatStart = 0x4B400000;

//===----------------------------------------------------------------------===//
// Scales
//===----------------------------------------------------------------------===//

StreamedScales::StreamedScales(OpBuilder &builder, Location loc,
                               const LoopScales &scales, int64_t unitCols,
                               int64_t tiles, int64_t n)
    : ThreadCode(builder, loc), scales(scales), tiles(tiles),
      columns(std::min(scales.columns, unitCols)), unitCols(unitCols),
      rows(llvm::alignTo(n, 64)),
      elementBytes(scales.type.getIntOrFloatBitWidth() / 8) {}

int64_t StreamedScales::bytes() const {
  return scales.perRow
             ? parts() * scales.planes * tiles * kTileRows * elementBytes
             : 0;
}

void StreamedScales::copy(Value unit, Value row, Value lane, Value place) {
  if (!scales.perRow)
    return;
  int64_t perTile = kTileRows * elementBytes / kChunk;
  int64_t chunks = bytes() / kChunk;
  for (int64_t first = 0; first < chunks; first += kWarp) {
    // [plane][part of the unit][tile][chunk]
    Value number = add(lane, first);
    Value inTiles = rem(number, tiles * perTile);
    Value part = div(number, tiles * perTile);
    Value plane = div(part, parts());
    Value column = add(mul(unit, unitCols), mul(rem(part, parts()), columns));
    Value ofRow = arith::MinUIOp::create(
        builder, loc, div(column, scales.columns), integer(scales.groups - 1));
    Value from = add(mul(add(mul(plane, scales.groups), ofRow), rows),
                     add(row, mul(inTiles, kChunk / elementBytes)));
    auto start = [&] {
      Value to = at(place, mul(number, kChunk));
      ThreadCopyOp::create(builder, loc, advance(pointer, from, 1, scales.type),
                           to, /*bytes=*/Value(),
                           CpAsyncAttr::get(builder.getContext(), kChunk));
    };
    if (chunks - first < kWarp)
      ifTrue(less(number, integer(chunks)), start);
    else
      start();
  }
}

void StreamedScales::accumulate(ArrayRef<Value> ofPart, bool counted,
                                Value place, int64_t plane, int64_t part,
                                Value lane, MutableArrayRef<Value> sums) {
  int64_t perTile = sums.size() / tiles;
  for (int64_t tile = 0; tile < tiles; ++tile)
    for (int64_t upper = 0; upper < 2; ++upper) {
      Value from;
      if (scales.perRow) {
        int64_t row =
            ((plane * parts() + part) * tiles + tile) * kTileRows + 8 * upper;
        from =
            at(at(place, row * elementBytes), mul(div(lane, 4), elementBytes));
      } else {
        from = advance(pointer, integer(plane), 1, scales.type);
      }
      // Where they are needed: those of a whole unit would not fit registers.
      Value scale =
          LLVM::LoadOp::create(builder, loc, scales.type, from, elementBytes,
                               /*isVolatile=*/scales.perRow);
      if (!scales.type.isF32())
        scale = arith::ExtFOp::create(builder, loc, f32, scale);
      for (int64_t index = 0; index < perTile; ++index) {
        if (index % 4 / 2 != upper)
          continue;
        Value &sum = sums[tile * perTile + index];
        Value value = ofPart[tile * perTile + index];
        if (counted)
          value = arith::SubFOp::create(builder, loc, floatOf(value),
                                        floatOf(integer(kFloatStart)));
        value = arith::MulFOp::create(builder, loc, value, scale);
        sum = arith::AddFOp::create(builder, loc, sum, value);
      }
    }
}

//===----------------------------------------------------------------------===//
// MMAs
//===----------------------------------------------------------------------===//

StreamedMainloop::StreamedMainloop(OpBuilder &builder, Location loc,
                                   const Form &form)
    : ThreadCode(builder, loc), form(form), sparse(form.weights.isSparse()),
      integers(form.type.isInteger(8)), operandType(form.type) {
  MLIRContext *context = builder.getContext();
  codec = isa<Tern24V1Attr>(form.weights)    ? Codec::Tern24V1
          : isa<Tern24zV1Attr>(form.weights) ? Codec::Tern24zV1
                                             : Codec::TernV1;
  // Codes of tern.v1 that are not scaled in the mainloop stay raw.
  if (integers && (sparse || form.scales))
    operandType = IntegerType::get(context, 8, IntegerType::Signed);
  if (sparse)
    mma = MmaSpSyncAttr::get(context, integers ? 64 : 32, operandType);
  else if (integers)
    mma = MmaInt8SyncAttr::get(context, 32, operandType);
  else
    mma = MmaSyncAttr::get(context, 16, operandType);
}

SmallVector<Value> StreamedMainloop::unpack(Value words, int64_t word,
                                            int64_t part) {
  Value codes = vector::ExtractOp::create(builder, loc, words, word);
  bool raw = form.raw || operandType.isSignlessInteger(8);
  return llvm::to_vector(ValueRange(
      ThreadUnpackOp::create(builder, loc, codes, part, codec, raw, operandType)
          .getResults()));
}

void StreamedMainloop::multiply(ArrayRef<Value> codes, ArrayRef<Value> meta,
                                Value scalesAt, Value lane,
                                function_ref<Activations(int64_t)> activations,
                                MutableArrayRef<Value> sums) {
  int64_t unitCols = sparse ? 256 : 128;
  // A matrix load has 64 bytes of a token.
  int64_t perLoad = integers ? 64 : 32;
  int64_t scaled = form.scales ? form.scales->columnsOfPart() : unitCols;
  int64_t grain = std::min(perLoad, scaled);
  int64_t planes = codes.size() / form.tiles;
  SmallVector<Weights> weights;
  for (auto [index, words] : llvm::enumerate(codes)) {
    weights.push_back({words, sparse ? meta[index] : Value()});
    if (sparse && !integers)
      weights.back() = exchangeBytes(weights.back(), lane);
  }
  Value start;
  if (form.scales)
    start = integers ? integer(kFloatStart) : floating(0.0f);
  SmallVector<SmallVector<Value>> parts(planes);
  Activations x;
  for (int64_t column = 0; column < unitCols; column += grain) {
    if (column % perLoad == 0)
      x = activations(column / perLoad);
    for (int64_t plane = 0; plane < planes; ++plane) {
      if (form.scales && column % scaled == 0)
        parts[plane].assign(sums.size(), start);
      MutableArrayRef<Value> acc =
          form.scales ? MutableArrayRef<Value>(parts[plane]) : sums;
      int64_t perTile = form.tokenTiles * (form.raw ? 8 : 4);
      for (int64_t tile = 0; tile < form.tiles; ++tile)
        multiplyTile(weights[plane * form.tiles + tile], column, grain, x,
                     acc.slice(tile * perTile, perTile));
      if (form.scales && (column + grain) % scaled == 0)
        form.scales->accumulate(parts[plane], integers, scalesAt, plane,
                                column / scaled, lane, sums);
    }
  }
}

void StreamedMainloop::multiplyTile(const Weights &weights, int64_t column,
                                    int64_t columns, const Activations &x,
                                    MutableArrayRef<Value> acc) {
  if (sparse) {
    // A word of the codec has several MMAs of 64 or 32 columns.
    int64_t step = column / (integers ? 64 : 32);
    int64_t parts = (codec == Codec::Tern24V1 ? 2 : 1) * (integers ? 1 : 2);
    SmallVector<Value> a = unpack(weights.codes, step / parts, step % parts);
    // Registers 0 and 1 are the first 32 of the 64 columns.
    if (integers && columns == 32)
      for (int64_t i = 0; i < 2; ++i)
        a[(column % 64 ? 0 : 2) + i] = integer(0);
    Value metadata =
        vector::ExtractOp::create(builder, loc, weights.meta, column / 64);
    int64_t selector = integers ? 0 : step % 2;
    emitMma(a, metadata, selector, x, 0, 4, acc);
    return;
  }
  for (int64_t from = column; from < column + columns; from += 32) {
    int64_t word = from / 32;
    if (integers) {
      emitMma(unpack(weights.codes, word, 0), Value(), 0, x, word % 2 * 2, 2,
              acc);
      continue;
    }
    for (int64_t half = 0; half < 2; ++half) {
      // The sums of raw codes' halves are apart.
      MutableArrayRef<Value> sums = acc;
      if (form.raw)
        sums = acc.slice(half * form.tokenTiles * 4, form.tokenTiles * 4);
      emitMma(unpack(weights.codes, word, half), Value(), 0, x, 2 * half, 2,
              sums);
    }
  }
}

void StreamedMainloop::emitMma(ArrayRef<Value> a, Value metadata,
                               int64_t selector, const Activations &x,
                               int64_t first, int64_t count,
                               MutableArrayRef<Value> sums) {
  for (auto [tokenTile, registers] : llvm::enumerate(x)) {
    MutableArrayRef<Value> acc = sums.slice(tokenTile * 4, 4);
    auto next = ThreadMmaOp::create(
        builder, loc, ValueRange(acc).getTypes(), a,
        ValueRange(registers).slice(first, count), acc, metadata,
        metadata ? builder.getI64IntegerAttr(selector) : IntegerAttr(), mma);
    llvm::copy(next.getResults(), acc.begin());
  }
}

SmallVector<Value> StreamedMainloop::fromRaw(ArrayRef<Value> sums,
                                             ArrayRef<Value> ofTokens) {
  SmallVector<Value> results;
  int64_t count = form.tokenTiles * 4;
  for (int64_t tile = 0; tile < form.tiles; ++tile)
    for (int64_t i = 0; i < count; ++i) {
      bool upper = i % 4 / 2;
      Value sum = arith::NegFOp::create(builder, loc, ofTokens[i]);
      for (int64_t half : {1, 0})
        sum = math::FmaOp::create(
            builder, loc, sums[(2 * tile + half) * count + i],
            floating(1.0 / tern_v1::rawScale(upper)), sum);
      results.push_back(sum);
    }
  return results;
}

void StreamedMainloop::addUpTokens(const Activations &x, Value one,
                                   MutableArrayRef<Value> sums) {
  SmallVector<Value> a(4, one);
  for (int64_t half = 0; half < 2; ++half)
    emitMma(a, Value(), 0, x, 2 * half, 2, sums);
}

/// Packed 2:4 weights lie as int8 MMAs read them: a lane has four adjacent
/// nonzeros, and a metadata word for 32 columns of one row. MMAs of 16 bits
/// want two nonzeros and, eight behind, two more; and words for 16 columns of
/// two rows.
StreamedMainloop::Weights
StreamedMainloop::exchangeBytes(const Weights &weights, Value lane) {
  Value odd = equal(rem(lane, 2), 1);
  Value quad = sub(lane, rem(lane, 4)), inQuad = div(rem(lane, 4), 2);
  Value first = add(quad, inQuad);
  // Nonzero 2 q + i of 16 is byte 2 (q % 2) + i of lane q / 2, and the one 8
  // behind is that byte of the lane two further. Bytes of the two lanes in
  // turns: the nonzeros of a register are then in both halves of the word.
  Value order = select(odd, integer(0x7362), integer(0x5140));
  SmallVector<Value> codes, meta;
  int64_t words = cast<VectorType>(weights.codes.getType()).getDimSize(0);
  for (int64_t i = 0; i < words; ++i) {
    Value word = vector::ExtractOp::create(builder, loc, weights.codes, i);
    Value near = shuffle(word, first);
    Value far = shuffle(word, add(first, 2));
    codes.push_back(permute(near, far, order));
  }
  order = select(odd, integer(0x3276), integer(0x5410));
  for (int64_t i = 0; i < 4; ++i) {
    Value word = vector::ExtractOp::create(builder, loc, weights.meta, i);
    Value other = shuffleXor(word, 1);
    meta.push_back(permute(word, other, order));
  }
  auto join = [&](ArrayRef<Value> values) -> Value {
    auto type = VectorType::get({int64_t(values.size())}, i32);
    return vector::FromElementsOp::create(builder, loc, type, values);
  };
  return {join(codes), join(meta)};
}
