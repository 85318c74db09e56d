//===- TernaryBlob.cpp - Trits and scales out of packed bytes -------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Target/CPU/Ternary/TernaryBlob.h"
#include "SparseFlow/Dialect/SparseFlow/IR/PackedLayouts.h"
#include "Target/CPU/Ternary/TernaryProduct.h"
#include "Target/CPU/Transforms/IndexBuilder.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sparseflow::cpu;

namespace {

/// The weight at one row and column before it is scaled, an i32. Names are
/// those of the format documents.
class CodeReader {
public:
  CodeReader(const TernaryBlob &blob, int64_t plane, OpBuilder &b, Location loc)
      : blob(blob), plane(plane), b(b), loc(loc), i{b, loc} {}

  Value read(Value row, Value col) const {
    const PackedLayout &layout = getPackedLayout(blob.encoding.getStorage());
    if (layout.places)
      return readCode(layout, row, col);
    switch (layout.storage) {
    case TernaryStorage::BitPlanes:
      return readBits(row, col);
    case TernaryStorage::Base3:
      return readBase3(row, col);
    case TernaryStorage::TwoFour:
      return readPair(row, col, /*zeros=*/false);
    case TernaryStorage::TwoFourZero:
      return readPair(row, col, /*zeros=*/true);
    default:
      llvm_unreachable("a layout without places, or of a cache");
    }
  }

private:
  Value rem(Value x, int64_t y) const { return i.rem(x, i.constant(y)); }
  Value number(int64_t value) const {
    return arith::ConstantIntOp::create(b, loc, value, 32);
  }
  Value byteAt(Value index) const {
    Value byte = tensor::ExtractOp::create(b, loc, blob.bytes, index);
    return arith::ExtUIOp::create(b, loc, b.getI32Type(), byte);
  }
  /// `mask` bits of the byte at `index`, from `bit` on.
  Value bitsAt(Value index, Value bit, int64_t mask) const {
    Value shift = arith::IndexCastUIOp::create(b, loc, b.getI32Type(), bit);
    Value moved = arith::ShRUIOp::create(b, loc, byteAt(index), shift);
    return arith::AndIOp::create(b, loc, moved, number(mask));
  }
  Value equals(Value x, Value y) const {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, x, y);
  }
  Value select(Value condition, Value x, Value y) const {
    return arith::SelectOp::create(b, loc, condition, x, y);
  }
  Value minus(Value x, Value y) const {
    return arith::SubIOp::create(b, loc, x, y);
  }
  Value index32(Value x) const {
    return arith::IndexCastUIOp::create(b, loc, b.getI32Type(), x);
  }

  Value readCode(const PackedLayout &layout, Value row, Value col) const {
    int64_t columnUnits = llvm::divideCeil(blob.k, layout.columns);
    Value unit = i.add(i.mul(i.div(row, layout.rows), columnUnits),
                       i.div(col, layout.columns));
    unit = i.add(i.mul(unit, blob.encoding.getPlanes()), plane);
    Value byte = i.mul(unit, layout.bytes), bit = i.constant(0);
    addPlaces(row, layout.places->ofRow, byte, bit);
    addPlaces(col, layout.places->ofColumn, byte, bit);
    int64_t width = layout.places->width;
    Value code = bitsAt(byte, bit, (int64_t(1) << width) - 1);
    if (!layout.places->isSigned)
      return minus(code, number(-layout.low));
    Value above = number(32 - width);
    return arith::ShRSIOp::create(
        b, loc, arith::ShLIOp::create(b, loc, code, above), above);
  }

  /// Adds the places of the bits of `index` to `byte` and, inside of it, `bit`:
  /// those of adjacent bits at once.
  void addPlaces(Value index, ArrayRef<int64_t> places, Value &byte,
                 Value &bit) const {
    constexpr int64_t kByte = 3; // The first place that counts bytes.
    for (size_t first = 0, last; first < places.size(); first = last) {
      last = first + 1;
      while (last < places.size() && places[last] == places[last - 1] + 1 &&
             places[last] != kByte)
        ++last;
      Value field =
          rem(i.div(index, int64_t(1) << first), int64_t(1) << (last - first));
      int64_t place = places[first];
      if (place >= kByte)
        byte = i.add(byte, i.mul(field, int64_t(1) << (place - kByte)));
      else
        bit = i.add(bit, i.mul(field, int64_t(1) << place));
    }
  }

  Value readBits(Value row, Value col) const {
    int64_t rowBytes = llvm::divideCeil(blob.k, 64) * 8;
    auto bitOf = [&](int64_t sign) {
      Value place = i.add(row, (2 * plane + sign) * blob.n);
      Value byte = i.add(i.mul(place, rowBytes), i.div(col, 8));
      return bitsAt(byte, rem(col, 8), 1);
    };
    Value plus = bitOf(0);
    return minus(plus, bitOf(1));
  }

  Value readBase3(Value row, Value col) const {
    int64_t rowBytes = llvm::divideCeil(blob.k, 5);
    Value byte =
        i.add(i.mul(i.add(row, plane * blob.n), rowBytes), i.div(col, 5));
    Value digit = index32(rem(col, 5)), divisor = number(1);
    for (int64_t d = 1, power = 3; d < 5; ++d, power *= 3)
      divisor = select(equals(digit, number(d)), number(power), divisor);
    Value high = arith::DivUIOp::create(b, loc, byteAt(byte), divisor);
    return minus(arith::RemUIOp::create(b, loc, high, number(3)), number(1));
  }

  Value readPair(Value row, Value col, bool zeros) const {
    int64_t columnUnits = llvm::divideCeil(blob.k, 256);
    Value unit = i.add(i.mul(i.div(row, 64), columnUnits), i.div(col, 256));
    Value start = i.mul(unit, zeros ? 4096 : 3072);
    Value m = i.div(rem(row, 64), 16), r = i.div(rem(row, 16), 8);
    Value e = i.div(rem(col, 256), 64), half = i.div(rem(col, 64), 32);
    Value group = i.div(rem(col, 32), 4), lanes = i.mul(rem(row, 8), 4);
    // The nibble of the group: two positions.
    Value lane = i.add(i.add(lanes, r), i.mul(half, 2));
    Value byte = i.add(i.add(start, i.mul(m, 512)), i.mul(lane, 16));
    byte = i.add(i.add(byte, i.mul(e, 4)), i.div(group, 2));
    Value nibble = bitsAt(byte, i.mul(rem(group, 2), 4), 15);
    Value first = arith::AndIOp::create(b, loc, nibble, number(3));
    Value second = arith::ShRUIOp::create(b, loc, nibble, number(2));
    Value position = index32(rem(col, 4));
    Value isSecond = equals(position, second);
    Value isKept =
        arith::OrIOp::create(b, loc, isSecond, equals(position, first));
    // The value: register f, byte x of lane q.
    Value v = arith::IndexCastUIOp::create(
        b, loc, b.getIndexType(), select(isSecond, number(1), number(0)));
    Value q = i.add(lanes, i.div(group, 2));
    Value x = i.add(i.mul(rem(group, 2), 2), v);
    Value f = i.add(i.mul(half, 2), r);
    Value values = i.add(start, 2048);
    Value trit;
    if (zeros) {
      Value at = i.add(i.add(values, i.mul(m, 512)), i.mul(q, 16));
      Value code = bitsAt(i.add(i.add(at, i.mul(e, 4)), x), i.mul(f, 2), 3);
      trit = select(equals(code, number(3)), number(-1), code);
    } else {
      Value at = i.add(i.add(values, i.mul(m, 256)), i.mul(q, 8));
      at = i.add(i.add(at, i.mul(i.div(e, 2), 4)), x);
      Value bit = i.sub(i.constant(7), i.add(i.mul(rem(e, 2), 4), f));
      trit =
          select(equals(bitsAt(at, bit, 1), number(1)), number(-1), number(1));
    }
    return select(isKept, trit, number(0));
  }

  const TernaryBlob &blob;
  int64_t plane;
  OpBuilder &b;
  Location loc;
  IndexBuilder i;
};

/// An op without inputs: each element of the result is what `body` computes
/// from its indices.
template <typename Body>
Value generate(OpBuilder &b, Location loc, ArrayRef<int64_t> shape,
               Type element, Body body) {
  Value empty = tensor::EmptyOp::create(b, loc, shape, element);
  unsigned rank = shape.size();
  SmallVector<utils::IteratorType> parallel(rank,
                                            utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             b, loc, empty.getType(), ValueRange(), empty,
             ArrayRef(b.getMultiDimIdentityMap(rank)), parallel,
             [&](OpBuilder &b, Location loc, ValueRange) {
               SmallVector<Value> indices;
               for (unsigned dim = 0; dim < rank; ++dim)
                 indices.push_back(linalg::IndexOp::create(b, loc, dim));
               linalg::YieldOp::create(b, loc, body(b, loc, indices));
             })
      .getResult(0);
}

} // namespace

Value TernaryBlob::createTrits(OpBuilder &b, Location loc, int64_t plane,
                               Type element, bool grouped) const {
  SmallVector<int64_t> shape{n, k};
  if (grouped)
    shape = {n, groups(), groupColumns()};
  return generate(
      b, loc, shape, element,
      [&](OpBuilder &b, Location loc, ArrayRef<Value> indices) -> Value {
        IndexBuilder i{b, loc};
        Value col = indices[1];
        if (grouped)
          col = i.add(i.mul(col, groupColumns()), indices[2]);
        // Behind the last column nothing is read: its trit is zero.
        bool hasTail = grouped && groups() * groupColumns() != k;
        Value inside = i.min(col, i.constant(k - 1));
        Value trit = CodeReader(*this, plane, b, loc)
                         .read(indices[0], hasTail ? inside : col);
        if (hasTail) {
          Value isInside = arith::CmpIOp::create(
              b, loc, arith::CmpIPredicate::ult, col, i.constant(k));
          Value zero = arith::ConstantIntOp::create(b, loc, 0, 32);
          trit = arith::SelectOp::create(b, loc, isInside, trit, zero);
        }
        if (isa<FloatType>(element))
          return arith::SIToFPOp::create(b, loc, element, trit);
        if (element.getIntOrFloatBitWidth() < 32)
          return arith::TruncIOp::create(b, loc, element, trit);
        return trit;
      });
}

Value TernaryBlob::createTrit(OpBuilder &b, Location loc, int64_t plane,
                              Value row, Value col) const {
  return CodeReader(*this, plane, b, loc).read(row, col);
}

std::string TernaryBlob::explainUnpacking(RankedTensorType x) const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (!x.getElementType().isInteger(8))
    stream << "8-bit activations, found " << x.getElementType();
  else if (encoding.getStorage() != TernaryStorage::Codes)
    stream << "the layout tern.v1, found " << encoding.getLayout();
  else if (groups() > 1)
    stream << "one scale a row or tensor, found " << groups() << " groups";
  else if (k > kMaxTernaryDepth)
    stream << "at most " << kMaxTernaryDepth << " columns, found " << k;
  return text;
}

/// The scale at `place` of all scales of the blob, as f32.
static Value createScaleAt(OpBuilder &b, Location loc, const TernaryBlob &blob,
                           Value place) {
  IndexBuilder i{b, loc};
  Type type = blob.encoding.getScaleType();
  int64_t width = type.getIntOrFloatBitWidth() / 8;
  Value at =
      i.add(i.mul(place, width), blob.encoding.getScaleOffset(blob.n, blob.k));
  Type bits = b.getIntegerType(width * 8);
  Value value;
  for (int64_t byte = 0; byte < width; ++byte) {
    Value part = tensor::ExtractOp::create(b, loc, blob.bytes, i.add(at, byte));
    part = arith::ExtUIOp::create(b, loc, bits, part);
    Value shift = arith::ConstantIntOp::create(b, loc, bits, 8 * byte);
    part = arith::ShLIOp::create(b, loc, part, shift);
    value = byte == 0 ? part
                      : arith::OrIOp::create(b, loc, value, part).getResult();
  }
  value = arith::BitcastOp::create(b, loc, type, value);
  if (width == 4)
    return value;
  return arith::ExtFOp::create(b, loc, b.getF32Type(), value);
}

Value TernaryBlob::createRowScales(OpBuilder &b, Location loc,
                                   int64_t plane) const {
  bool isTensor = encoding.getGroup() == TernaryAttr::kTensorScale;
  int64_t rows = llvm::alignTo(n, 64);
  Value scales = generate(
      b, loc, {n}, b.getF32Type(),
      [&](OpBuilder &b, Location loc, ArrayRef<Value> indices) -> Value {
        IndexBuilder i{b, loc};
        Value place =
            isTensor ? i.constant(plane) : i.add(indices[0], plane * rows);
        return createScaleAt(b, loc, *this, place);
      });
  if (!isTensor)
    markTernary(scales.getDefiningOp(), *this, plane, kTernaryScales);
  return scales;
}

Value TernaryBlob::createScales(OpBuilder &b, Location loc,
                                int64_t plane) const {
  int64_t rows = llvm::alignTo(n, 64);
  bool isTensor = encoding.getGroup() == TernaryAttr::kTensorScale;
  return generate(
      b, loc, {groups(), n}, b.getF32Type(),
      [&](OpBuilder &b, Location loc, ArrayRef<Value> indices) -> Value {
        IndexBuilder i{b, loc};
        Value place = i.constant(plane);
        if (!isTensor)
          place = i.add(i.mul(i.add(indices[0], plane * groups()), rows),
                        indices[1]);
        return createScaleAt(b, loc, *this, place);
      });
}

void mlir::sparseflow::cpu::markTernary(Operation *op, const TernaryBlob &blob,
                                        int64_t plane, StringRef mark) {
  OpBuilder b(op);
  op->setAttr(
      mark, StorageAttr::get(op->getContext(), blob.encoding.getLayout(),
                             {blob.n, blob.k}, b.getF16Type(), blob.encoding));
  op->setAttr(kTernaryPlane, b.getI64IntegerAttr(plane));
}
