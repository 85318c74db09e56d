//===- TernaryProduct.cpp - Vector loops over packed trits ----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile of tern.v1 has 16 rows x 128 columns in 512 bytes: 64 bytes for each
// pair of rows g and g + 8. Their 16 words belong to the 16-column groups s and
// the four columns of a group that lie together once activations are in the
// order of docs/formats/ternary.md. Bits 0 and 4 of every pair of a byte are
// row g, bits 2 and 6 row g + 8, so
//
//   word & 0x03030303          row g      even groups   codes
//   word & 0x0c0c0c0c          row g + 8  even groups   codes * 4
//   word >> 4 & 0x03030303     row g      odd groups    codes
//   word >> 4 & 0x0c0c0c0c     row g + 8  odd groups    codes * 4
//
// are operands of int8 dot products as they are. Sums of row g + 8 are
// divided by 4 in the end, and since a code is a trit + 1, the sum of the
// activations is subtracted.
//
//===----------------------------------------------------------------------===//

#include "Target/CPU/Ternary/TernaryProduct.h"
#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"
#include "SparseFlow/Support/Remarks.h"
#include "SparseFlow/Target/CPU/Passes.h"
#include "Target/CPU/Matmul/DotProduct.h"
#include "Target/CPU/Ternary/TernaryLookup.h"
#include "Target/CPU/Transforms/IndexBuilder.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::sparseflow::cpu {
#define GEN_PASS_DEF_TERNARYPRODUCT
#include "SparseFlow/Target/CPU/Passes.h.inc"
} // namespace mlir::sparseflow::cpu

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sparseflow::cpu;

/// The packed bytes that the body of `op` reads.
static Value findBytes(linalg::GenericOp op) {
  Value bytes;
  op.getBody()->walk([&](memref::LoadOp load) {
    auto type = load.getMemRefType();
    if (type.getRank() == 1 && type.getElementType().isInteger(8))
      bytes = load.getMemRef();
  });
  return bytes;
}

namespace {

constexpr int64_t kTileRows = 16, kUnitColumns = 128, kPlaneBytes = 2048;
constexpr int64_t kTileBytes = 512, kVector = 64, kLanes = 16;

/// Emits the product of one marked op.
class ProductEmitter {
public:
  ProductEmitter(const IndexBuilder &ib, linalg::GenericOp op, Value bytes,
                 DotKind dot, int64_t lookupTokens)
      : ib(ib), b(ib.b), loc(ib.loc), dot(dot), lookupTokens(lookupTokens),
        bytes(bytes), x(ib.collapseRows(op.getInputs()[0])),
        y(ib.collapseRows(op.getOutputs()[0])) {
    auto storage = op->getAttrOfType<StorageAttr>(kTernarySums);
    n = storage.getRows();
    k = storage.getColumns();
    units = llvm::divideCeil(k, kUnitColumns);
    planes = storage.getTernary().getPlanes();
    plane = op->getAttrOfType<IntegerAttr>(kTernaryPlane).getInt();
    vectorI8 = VectorType::get(kVector, b.getI8Type());
    vectorI32 = VectorType::get(kLanes, b.getI32Type());
  }

  void emit() {
    tokens = ib.dim(x, 0);
    prepare();
    int64_t known = cast<MemRefType>(x.getType()).getDimSize(0);
    bool isDynamic = ShapedType::isDynamic(known);
    Value first = ib.constant(0);
    int64_t left = known;
    if (lookupTokens && (isDynamic || known >= lookupTokens)) {
      first = emitGroups();
      left = known % kLookupGroup;
    }
    emitTiles(first, isDynamic || left >= 4, isDynamic || left % 4);
    memref::DeallocOp::create(b, loc, ordered);
    memref::DeallocOp::create(b, loc, sums);
  }

private:
  Value constant(int64_t value) { return ib.splat(vectorI32, value); }
  Value zero() { return constant(0); }
  Value bytesOf(Value words) {
    return vector::BitCastOp::create(b, loc, vectorI8, words);
  }
  Value shuffle(Value v1, Value v2, ArrayRef<int64_t> lanes) {
    return vector::ShuffleOp::create(b, loc, v1, v2, lanes);
  }
  Value add(Value v1, Value v2) {
    return arith::AddIOp::create(b, loc, v1, v2);
  }

  /// Sums of whole groups of tokens out of tables. Returns how many tokens that
  /// are: none where there are fewer than what pays.
  Value emitGroups() {
    Value whole = ib.mul(ib.div(tokens, kLookupGroup), kLookupGroup);
    Value pays = b.createOrFold<arith::CmpIOp>(
        loc, arith::CmpIPredicate::uge, tokens, ib.constant(lookupTokens));
    whole = b.createOrFold<arith::SelectOp>(loc, pays, whole, ib.constant(0));
    TernaryOperands operands{bytes, ordered, sums, y, n, k, planes, plane};
    emitLookups(ib, operands, dot, whole);
    return whole;
  }

  /// Dots of the tokens from `first` on, four at a time, then one.
  void emitTiles(Value first, bool hasFours, bool hasOnes) {
    if (!hasFours && !hasOnes)
      return;
    Value isLeft = b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::ult,
                                                 first, tokens);
    Value tiles = ib.constant(llvm::divideCeil(n, kTileRows));
    tiles = b.createOrFold<arith::SelectOp>(loc, isLeft, tiles, ib.constant(0));
    ib.parallel(tiles, [&](Value tile) {
      Value fours = ib.mul(ib.div(ib.sub(tokens, first), 4), 4);
      Value whole = ib.add(first, fours);
      if (hasFours)
        ib.loop(first, whole, 4,
                [&](Value token) { emitTile(tile, token, 4); });
      if (hasOnes)
        ib.loop(whole, tokens, 1,
                [&](Value token) { emitTile(tile, token, 1); });
    });
  }

  /// Where column `c` of a unit is in the two vectors of activations: 64 t +
  /// 4 (4 q + s) + 2 j + h for c = 32 s + 16 t + 8 h + 2 q + j.
  static int64_t placeOf(int64_t c) {
    int64_t s = c / 32, t = c / 16 % 2, h = c / 8 % 2, q = c % 8 / 2, j = c % 2;
    return 64 * t + 4 * (4 * q + s) + 2 * j + h;
  }

  /// Copies the activations of every token in the order of the trits, zeros
  /// behind the last column, and adds them up.
  void prepare() {
    constexpr int64_t dynamic = ShapedType::kDynamic;
    int64_t pitch = units * kUnitColumns;
    ordered = memref::AllocOp::create(
        b, loc, MemRefType::get({dynamic}, b.getI8Type()),
        ib.mul(tokens, pitch), b.getI64IntegerAttr(kVector));
    sums = memref::AllocOp::create(
        b, loc, MemRefType::get({dynamic}, b.getI32Type()), tokens);
    int64_t wholeUnits = k / kUnitColumns, rest = k % kUnitColumns;
    // Waking a thread takes longer than a few tokens.
    Value perTask =
        ib.constant(std::max<int64_t>(1, 65536 / std::max<int64_t>(1, pitch)));
    ib.parallel(ib.ceilDiv(tokens, perTask), [&](Value task) {
      Value first = ib.mul(task, perTask);
      Value last = ib.min(ib.add(first, perTask), tokens);
      ib.loop(first, last, 1, [&](Value token) {
        Value base = ib.mul(token, pitch);
        Value sum = orderUnits(token, base, wholeUnits);
        if (rest)
          sum = orderRest(token, base, wholeUnits, rest, sum);
        memref::StoreOp::create(b, loc, sum, sums, token);
      });
    });
  }

  Value orderUnits(Value token, Value base, int64_t wholeUnits) {
    SmallVector<int64_t> lanes[2] = {SmallVector<int64_t>(kVector),
                                     SmallVector<int64_t>(kVector)};
    for (int64_t c = 0; c < kUnitColumns; ++c)
      lanes[placeOf(c) / kVector][placeOf(c) % kVector] = c;
    Value ones = bytesOf(constant(0x01010101));
    auto loop = scf::ForOp::create(
        b, loc, ib.constant(0), ib.constant(wholeUnits), ib.constant(1), zero(),
        [&](OpBuilder &, Location, Value unit, ValueRange sum) {
          Value column = ib.mul(unit, kUnitColumns);
          Value halves[2];
          for (int64_t i : {0, 1})
            halves[i] = vector::LoadOp::create(
                b, loc, vectorI8, x,
                ValueRange{token, ib.add(column, i * kVector)});
          Value next = sum[0];
          for (int64_t t : {0, 1}) {
            Value part = shuffle(halves[0], halves[1], lanes[t]);
            vector::StoreOp::create(b, loc, part, ordered,
                                    ib.add(ib.add(base, column), t * kVector));
            next = createDot(b, loc, dot, next, ones, part);
          }
          scf::YieldOp::create(b, loc, next);
        });
    return vector::ReductionOp::create(b, loc, vector::CombiningKind::ADD,
                                       loop.getResult(0));
  }

  /// The columns of a unit that is not whole, one by one.
  Value orderRest(Value token, Value base, int64_t unit, int64_t rest,
                  Value sum) {
    Value start = ib.add(base, unit * kUnitColumns);
    Value none = bytesOf(zero());
    for (int64_t t : {0, 1})
      vector::StoreOp::create(b, loc, none, ordered,
                              ib.add(start, t * kVector));
    auto loop = scf::ForOp::create(
        b, loc, ib.constant(0), ib.constant(rest), ib.constant(1), sum,
        [&](OpBuilder &, Location, Value c, ValueRange total) {
          auto digit = [&](int64_t divisor, int64_t count) {
            return ib.rem(ib.div(c, divisor), ib.constant(count));
          };
          Value value = memref::LoadOp::create(
              b, loc, x, ValueRange{token, ib.add(c, unit * kUnitColumns)});
          Value place = ib.mul(digit(16, 2), 64);
          place = ib.add(place, ib.mul(digit(2, 4), 16));
          place = ib.add(place, ib.mul(digit(32, 4), 4));
          place = ib.add(ib.add(place, ib.mul(digit(1, 2), 2)), digit(8, 2));
          memref::StoreOp::create(b, loc, value, ordered, ib.add(start, place));
          Value wide = arith::ExtSIOp::create(b, loc, b.getI32Type(), value);
          scf::YieldOp::create(b, loc, add(total[0], wide));
        });
    return loop.getResult(0);
  }

  /// The sums of `count` tokens and the rows of pairs [first, first + pairs):
  /// by token, then rows g, then rows g + 8.
  SmallVector<Value> emitPairs(Value tile, Value token, int64_t count,
                               int64_t first, int64_t pairs) {
    Value unitRow = ib.div(tile, 4), m = ib.rem(tile, ib.constant(4));
    Value start = ib.add(ib.mul(unitRow, units * planes * kPlaneBytes),
                         ib.mul(m, kTileBytes));
    start = ib.add(start, plane * kPlaneBytes + first * kVector);
    int64_t pitch = units * kUnitColumns;
    Value from = ib.mul(token, pitch);
    SmallVector<Value> init(2 * pairs * count, zero());
    auto loop = scf::ForOp::create(
        b, loc, ib.constant(0), ib.constant(units), ib.constant(1), init,
        [&](OpBuilder &, Location, Value unit, ValueRange sums) {
          SmallVector<Value> next(sums);
          Value at = ib.add(start, ib.mul(unit, planes * kPlaneBytes));
          Value column = ib.add(from, ib.mul(unit, kUnitColumns));
          Value low = constant(0x03030303), high = constant(0x0c0c0c0c);
          Value four = constant(4);
          // Codes of rows g and g + 8, even and odd groups.
          SmallVector<Value> codes;
          for (int64_t g = 0; g < pairs; ++g) {
            Value words = vector::LoadOp::create(b, loc, vectorI8, bytes,
                                                 ib.add(at, g * kVector));
            words = vector::BitCastOp::create(b, loc, vectorI32, words);
            Value moved = arith::ShRUIOp::create(b, loc, words, four);
            for (Value mask : {low, high})
              for (Value from : {words, moved})
                codes.push_back(
                    bytesOf(arith::AndIOp::create(b, loc, from, mask)));
          }
          for (int64_t i = 0; i < count; ++i)
            for (int64_t t : {0, 1}) {
              Value values = vector::LoadOp::create(
                  b, loc, vectorI8, ordered,
                  ib.add(column, i * pitch + t * kVector));
              for (int64_t g = 0; g < pairs; ++g)
                for (int64_t r : {0, 1}) {
                  Value &sum = next[(2 * i + r) * pairs + g];
                  sum = createDot(b, loc, dot, sum, codes[4 * g + 2 * r + t],
                                  values);
                }
            }
          scf::YieldOp::create(b, loc, next);
        });
    return SmallVector<Value>(loop.getResults());
  }

  /// The 16 sums over the lanes of 16 vectors.
  Value reduce(ArrayRef<Value> vectors) {
    // Within 128 bits: a0 b0 a1 b1 + a2 b2 a3 b3, then a b c d.
    auto inner = [&](Value v1, Value v2, bool pairs) {
      SmallVector<int64_t> low, high;
      for (int64_t lane = 0; lane < kLanes; lane += 4)
        for (int64_t i = 0; i < 4; ++i) {
          int64_t from = pairs ? i % 2 : i / 2;
          int64_t second = pairs ? i / 2 : i % 2;
          low.push_back(second * kLanes + lane + from);
          high.push_back(second * kLanes + lane + from + 2);
        }
      return add(shuffle(v1, v2, low), shuffle(v1, v2, high));
    };
    // Of 128 bits each: e0 e2 f0 f2 + e1 e3 f1 f3.
    auto outer = [&](Value v1, Value v2) {
      SmallVector<int64_t> even, odd;
      for (int64_t i = 0; i < kLanes; ++i) {
        int64_t block = i / 4 % 2 * 2, second = i / 8;
        even.push_back(second * kLanes + 4 * block + i % 4);
        odd.push_back(second * kLanes + 4 * (block + 1) + i % 4);
      }
      return add(shuffle(v1, v2, even), shuffle(v1, v2, odd));
    };
    SmallVector<Value> quads;
    for (int64_t i = 0; i < kLanes; i += 4)
      quads.push_back(inner(inner(vectors[i], vectors[i + 1], false),
                            inner(vectors[i + 2], vectors[i + 3], false),
                            true));
    return outer(outer(quads[0], quads[1]), outer(quads[2], quads[3]));
  }

  /// `total`'s lanes of rows g + 8 divided by 4: those whose bit `bit` is set.
  Value divide(Value total, int64_t bit) {
    SmallVector<int32_t> shifts;
    for (int64_t lane = 0; lane < kLanes; ++lane)
      shifts.push_back(lane & bit ? 2 : 0);
    Value shift = arith::ConstantOp::create(
        b, loc, vectorI32, DenseElementsAttr::get(vectorI32, ArrayRef(shifts)));
    return arith::ShRSIOp::create(b, loc, total, shift);
  }

  void emitTile(Value tile, Value token, int64_t count) {
    // Sums that the registers hold beside the codes.
    bool wide = dot == DotKind::Avx512Vnni;
    if (count == 1) {
      int64_t pairs = wide ? 8 : 2;
      SmallVector<Value> all(kTileRows);
      for (int64_t g = 0; g < 8; g += pairs) {
        SmallVector<Value> part = emitPairs(tile, token, 1, g, pairs);
        for (int64_t i = 0; i < pairs; ++i) {
          all[g + i] = part[i];
          all[8 + g + i] = part[pairs + i];
        }
      }
      return store(tile, token, divide(reduce(all), 8));
    }
    // Lanes 4 i + 2 r + g: token i, row 8 r + g of the pairs.
    SmallVector<Value> parts;
    for (int64_t g = 0; g < 8; g += 2)
      parts.push_back(divide(reduce(emitPairs(tile, token, 4, g, 2)), 2));
    for (int64_t i = 0; i < 4; ++i) {
      SmallVector<int64_t> lanes;
      for (int64_t r : {0, 1})
        for (int64_t second : {0, 1})
          for (int64_t g : {0, 1})
            lanes.push_back(second * kLanes + 4 * i + 2 * r + g);
      Value low = shuffle(parts[0], parts[1], lanes);
      Value high = shuffle(parts[2], parts[3], lanes);
      store(tile, ib.add(token, i),
            shuffle(low, high,
                    {0, 1, 2, 3, 8, 9, 10, 11, 4, 5, 6, 7, 12, 13, 14, 15}));
    }
  }

  /// Adds the sums of the tile's rows to y.
  void store(Value tile, Value token, Value total) {
    Value correction = memref::LoadOp::create(b, loc, sums, token);
    correction = vector::BroadcastOp::create(b, loc, vectorI32, correction);
    total = arith::SubIOp::create(b, loc, total, correction);
    Value row = ib.mul(tile, kTileRows);
    SmallVector<Value> at{token, row};
    if (n % kTileRows == 0) {
      Value old = vector::LoadOp::create(b, loc, vectorI32, y, at);
      vector::StoreOp::create(b, loc, add(old, total), y, at);
      return;
    }
    Value mask = vector::CreateMaskOp::create(
        b, loc, VectorType::get(kLanes, b.getI1Type()),
        ib.sub(ib.constant(n), row));
    Value old =
        vector::MaskedLoadOp::create(b, loc, vectorI32, y, at, mask, zero());
    vector::MaskedStoreOp::create(b, loc, y, at, mask, add(old, total));
  }

  IndexBuilder ib;
  OpBuilder &b;
  Location loc;
  DotKind dot;
  int64_t lookupTokens;
  Value bytes, x, y, tokens, ordered, sums;
  int64_t n, k, units, planes, plane;
  VectorType vectorI8, vectorI32;
};

/// The scales of a plane's rows as f32, sixteen at a time; there is room for a
/// multiple of 64.
void emitScales(const IndexBuilder &ib, linalg::GenericOp op, Value bytes) {
  OpBuilder &b = ib.b;
  Location loc = ib.loc;
  auto storage = op->getAttrOfType<StorageAttr>(kTernaryScales);
  TernaryAttr encoding = storage.getTernary();
  int64_t n = storage.getRows();
  int64_t width = encoding.getScaleType().getIntOrFloatBitWidth() / 8;
  int64_t plane = op->getAttrOfType<IntegerAttr>(kTernaryPlane).getInt();
  int64_t start = encoding.getScaleOffset(n, storage.getColumns()) +
                  plane * int64_t(llvm::alignTo(n, 64)) * width;
  auto raw = VectorType::get(kLanes * width, b.getI8Type());
  auto narrow = VectorType::get(kLanes, encoding.getScaleType());
  auto f32 = VectorType::get(kLanes, b.getF32Type());
  Value out = op.getOutputs()[0];
  ib.loop(ib.constant(0), ib.constant(n), kLanes, [&](Value row) {
    Value at = ib.add(ib.mul(row, width), start);
    Value value = vector::LoadOp::create(b, loc, raw, bytes, at);
    value = vector::BitCastOp::create(b, loc, narrow, value);
    if (width != 4)
      value = arith::ExtFOp::create(b, loc, f32, value);
    if (n % kLanes == 0) {
      vector::StoreOp::create(b, loc, value, out, row);
      return;
    }
    Value mask = vector::CreateMaskOp::create(
        b, loc, VectorType::get(kLanes, b.getI1Type()),
        ib.sub(ib.constant(n), row));
    vector::MaskedStoreOp::create(b, loc, out, row, mask, value);
  });
}

struct TernaryProductPass
    : public sparseflow::cpu::impl::TernaryProductBase<TernaryProductPass> {
  using Base::Base;

  void runOnOperation() override {
    std::optional<DotKind> kind = parseDotKind(int8Dot);
    if (!kind) {
      getOperation().emitError()
          << getArgument() << ": expected int8-dot to be portable, avx2 or "
          << "avx512vnni, found '" << int8Dot << "'";
      return signalPassFailure();
    }
    if (lookupTokens < 0) {
      getOperation().emitError()
          << getArgument() << ": expected lookup-tokens to be at least 0, "
          << "found " << int64_t(lookupTokens);
      return signalPassFailure();
    }
    SmallVector<linalg::GenericOp> marked;
    getOperation().walk([&](linalg::GenericOp op) {
      if (op->hasAttr(kTernarySums) || op->hasAttr(kTernaryScales))
        marked.push_back(op);
    });
    for (linalg::GenericOp op : marked) {
      Value bytes = findBytes(op);
      if (!op.hasPureBufferSemantics() || !bytes)
        continue;
      OpBuilder b(op);
      IndexBuilder ib{b, op.getLoc()};
      if (op->hasAttr(kTernarySums))
        ProductEmitter(ib, op, bytes, *kind, chooseLookups(op, *kind)).emit();
      else
        emitScales(ib, op, bytes);
      op.erase();
    }
  }

private:
  /// The number of tokens from which `op` takes sums from tables; 0: never.
  int64_t chooseLookups(linalg::GenericOp op, DotKind kind) {
    auto x = cast<MemRefType>(op.getInputs()[0].getType());
    int64_t least = lookupTokens, tokens = 1;
    for (int64_t size : x.getShape().drop_back())
      tokens = ShapedType::isDynamic(size) || ShapedType::isDynamic(tokens)
                   ? ShapedType::kDynamic
                   : tokens * size;
    Remark note = explain(op, "matmul");
    note << "8-bit activations times packed trits by int8 dot products ("
         << int8Dot << ")";
    if (!hasLookup(kind)) {
      note << "; tables of sums need avx512vnni";
      return 0;
    }
    if (!least) {
      note << "; tables of sums do not pay on this CPU (lookup-tokens is 0)";
      return 0;
    }
    if (!ShapedType::isDynamic(tokens) && tokens < least) {
      note << "; tables of sums pay from " << least << " tokens on, found "
           << tokens;
      return 0;
    }
    note << ", and by tables of sums for groups of " << kLookupGroup
         << " tokens where there are " << least << " or more";
    return least;
  }
};
} // namespace
