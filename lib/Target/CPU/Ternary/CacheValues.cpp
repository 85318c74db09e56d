//===- CacheValues.cpp - Vector loops over the pages of a cache -----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A chunk of a page, 512 bytes, has the numbers of 16 tokens and 32 features of
// 8 bits, or 64 of 4: eight rows of 64 bytes, for each token modulo 8 of keys,
// each feature modulo 8 of values. A byte's place, a bit of a row's number or
// of the byte's in its row, is a bit of its token or its feature; so shuffles
// of bytes bring a token's features side by side: of pairs of rows, where a bit
// of a feature is one of the row's number, and then within each.
//
//===----------------------------------------------------------------------===//

#include "Target/CPU/Ternary/CacheValues.h"
#include "SparseFlow/Support/E4M3.h"
#include "SparseFlow/Target/CPU/Passes.h"
#include "Target/CPU/Ternary/CachePages.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::sparseflow::cpu {
#define GEN_PASS_DEF_CACHEVALUES
#include "SparseFlow/Target/CPU/Passes.h.inc"
} // namespace mlir::sparseflow::cpu

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sparseflow::cpu;

// Of f32 in a vector; a group of features that share a scale is a multiple.
static constexpr int64_t kCacheLanes = 16;

bool mlir::sparseflow::cpu::hasVectorValues(RankedTensorType type) {
  return !getTernaryEncoding(type).isTernary() &&
         type.getDimSize(3) % kCacheLanes == 0;
}

/// The pages that the body of `op` reads.
static Value findPages(linalg::GenericOp op) {
  Value pages;
  op.getBody()->walk([&](memref::LoadOp load) {
    auto type = load.getMemRefType();
    if (type.getRank() == 4 && type.getElementType().isInteger(8))
      pages = load.getMemRef();
  });
  return pages;
}

namespace {

constexpr int64_t kRow = 64, kRows = 8, kRowBits = 6, kChunkBytes = 512;
constexpr int64_t kChunkTokens = 16, kPage = TernaryAttr::kPageTokens;

/// Bit `number` of a token's place in its chunk; bits of features are 0 to 5.
constexpr int64_t token(int64_t number) { return 8 + number; }
constexpr bool isToken(int64_t bit) { return bit >= 8; }

/// Bytes in registers of 64, and which bits of tokens and features their places
/// are: those of a byte's place in its register, and of the register's number.
struct Registers {
  SmallVector<Value> values;
  SmallVector<int64_t> inside, number;
};

class ValuesEmitter {
public:
  ValuesEmitter(const IndexBuilder &ib, linalg::GenericOp op, Value pages,
                RankedTensorType type, int64_t unit)
      : ib(ib), b(ib.b), loc(ib.loc), pages(pages), out(op.getOutputs()[0]),
        encoding(getTernaryEncoding(type)), features(type.getDimSize(3)),
        cache(b, loc, type), unit(unit),
        bytes(VectorType::get(kRow, b.getI8Type())),
        f32(VectorType::get(kCacheLanes, b.getF32Type())) {}

  void emit() {
    Value heads = ib.dim(out, 1);
    Value perHead = ib.div(ib.dim(out, 2), kPage);
    Value all = ib.mul(ib.mul(ib.dim(out, 0), heads), perHead);
    int64_t perTask = std::max<int64_t>(1, unit / (kPage * features));
    ib.parallel(ib.ceilDiv(all, perTask), [&](Value task) {
      Value first = ib.mul(task, perTask);
      Value end = ib.min(ib.add(first, perTask), all);
      ib.loop(first, end, 1, [&](Value number) {
        Value page = ib.rem(number, perHead), head = ib.div(number, perHead);
        emitPage({ib.div(head, heads), ib.rem(head, heads)}, page);
      });
    });
  }

private:
  Value shuffle(Value v1, Value v2, ArrayRef<int64_t> lanes) {
    return vector::ShuffleOp::create(b, loc, v1, v2, lanes);
  }

  void emitPage(ValueRange head, Value page) {
    int64_t width = encoding.getCacheBits(), chunkFeatures = 256 / width;
    int64_t chunks = encoding.getPageFeatures(features) / chunkFeatures;
    ib.loop(ib.constant(0), ib.constant(kPage / kChunkTokens), 1,
            [&](Value group) {
              Value first = ib.mul(group, kChunkTokens);
              SmallVector<Value> at{head[0], head[1], page};
              for (int64_t chunk = 0; chunk < chunks; ++chunk) {
                Value place = ib.add(ib.mul(group, chunks * kChunkBytes),
                                     chunk * kChunkBytes);
                emitChunk(at, first, place, chunk * chunkFeatures);
              }
            });
  }

  /// The rows of the chunk at byte `place` of the page `at`.
  Registers load(ArrayRef<Value> at, Value place) {
    bool isWide = encoding.getCacheBits() == 8;
    bool isValue = encoding.isValueCache();
    auto inner = [&](int64_t bit) { return isValue ? token(bit) : bit; };
    auto outer = [&](int64_t bit) { return isValue ? bit : token(bit); };
    Registers rows;
    rows.number = {outer(0), outer(1), outer(2)};
    rows.inside = {3, inner(0), token(3), 4, inner(1), inner(2)};
    if (!isWide)
      rows.inside = {token(3), inner(0), 4, 5, inner(1), inner(2)};
    for (int64_t row = 0; row < kRows; ++row) {
      SmallVector<Value> where(at);
      where.push_back(ib.add(place, row * kRow));
      rows.values.push_back(
          vector::LoadOp::create(b, loc, bytes, pages, where));
    }
    if (isWide)
      return rows;
    // Numbers of 4 bits become bytes: the lower ones, then the upper ones.
    Value four = arith::ConstantOp::create(
        b, loc, bytes, DenseElementsAttr::get(bytes, b.getI8IntegerAttr(4)));
    SmallVector<Value> upper;
    for (Value &row : rows.values) {
      upper.push_back(arith::ShRSIOp::create(b, loc, row, four));
      Value moved = arith::ShLIOp::create(b, loc, row, four);
      row = arith::ShRSIOp::create(b, loc, moved, four);
    }
    rows.values.append(upper);
    rows.number.push_back(3);
    return rows;
  }

  /// Exchanges bit `bit` of the registers' numbers and bit `place` of places.
  void exchange(Registers &rows, int64_t bit, int64_t place) {
    for (int64_t low = 0, e = rows.values.size(); low < e; ++low) {
      if (low >> bit & 1)
        continue;
      int64_t high = low | int64_t(1) << bit;
      SmallVector<int64_t> lanes[2];
      for (int64_t half : {0, 1})
        for (int64_t byte = 0; byte < kRow; ++byte) {
          int64_t from = (byte & ~(int64_t(1) << place)) | half << place;
          lanes[half].push_back((byte >> place & 1) * kRow + from);
        }
      Value v1 = rows.values[low], v2 = rows.values[high];
      rows.values[low] = shuffle(v1, v2, lanes[0]);
      rows.values[high] = shuffle(v1, v2, lanes[1]);
    }
    std::swap(rows.number[bit], rows.inside[place]);
  }

  /// Brings the features of a token side by side, in their order; of 8 bits two
  /// tokens stay in a register, the second one behind the first.
  void order(Registers &rows) {
    for (int64_t bit = 0, e = rows.number.size(); bit < e; ++bit)
      if (!isToken(rows.number[bit]))
        exchange(rows, bit,
                 llvm::find_if(rows.inside, isToken) - rows.inside.begin());
    SmallVector<int64_t> sorted(rows.inside), lanes;
    llvm::sort(sorted);
    for (int64_t byte = 0; byte < kRow; ++byte) {
      int64_t from = 0;
      for (int64_t place = 0; place < kRowBits; ++place) {
        int64_t bit = llvm::find(sorted, rows.inside[place]) - sorted.begin();
        from |= (byte >> bit & 1) << place;
      }
      lanes.push_back(from);
    }
    for (Value &row : rows.values)
      row = shuffle(row, row, lanes);
    rows.inside = sorted;
  }

  /// The values of 16 tokens, the first of which is number `first` of its page,
  /// and the features from `feature` on.
  void emitChunk(ArrayRef<Value> at, Value first, Value place,
                 int64_t feature) {
    Registers rows = load(at, place);
    order(rows);
    bool hasTwo = isToken(rows.inside.back());
    int64_t perToken = hasTwo ? kRow / 2 : kRow;
    for (auto [index, row] : llvm::enumerate(rows.values))
      for (int64_t second = 0; second <= hasTwo; ++second) {
        int64_t place =
            second ? int64_t(1) << (rows.inside.back() - token(0)) : int64_t(0);
        for (auto [bit, of] : llvm::enumerate(rows.number))
          place |= int64_t(index >> bit & 1) << (of - token(0));
        emitToken(at, ib.add(first, place), feature, row, second * perToken,
                  perToken);
      }
  }

  /// Numbers of a token: `count` bytes of `row` from byte `begin` on.
  void emitToken(ArrayRef<Value> at, Value inPage, int64_t feature, Value row,
                 int64_t begin, int64_t count) {
    Value position = ib.add(ib.mul(at[2], kPage), inPage), scale;
    int64_t group = encoding.getScaleFeatures(features);
    for (int64_t i = 0; i < count && feature + i < features; i += kCacheLanes) {
      Value where = ib.constant(feature + i);
      if (!scale || (feature + i) % group == 0)
        scale = vector::BroadcastOp::create(
            b, loc, f32,
            cache.readScale(pages, {at[0], at[1]}, position, where));
      Value part = vector::ExtractStridedSliceOp::create(
          b, loc, row, {begin + i}, {kCacheLanes}, {1});
      Value value = arith::MulFOp::create(b, loc, scale, floats(part));
      vector::StoreOp::create(b, loc, value, out,
                              ValueRange{at[0], at[1], position, where});
    }
  }

  Value floats(Value codes) {
    auto i32 = VectorType::get(kCacheLanes, b.getI32Type());
    if (encoding.isFloatCache()) {
      Value wide = arith::ExtUIOp::create(b, loc, i32, codes);
      wide = arith::ShLIOp::create(b, loc, wide, ib.splat(i32, 24));
      return emitFloatOfE4M3(b, loc, wide);
    }
    Value wide = arith::ExtSIOp::create(b, loc, i32, codes);
    return arith::SIToFPOp::create(b, loc, f32, wide);
  }

  IndexBuilder ib;
  OpBuilder &b;
  Location loc;
  Value pages, out;
  TernaryAttr encoding;
  int64_t features;
  CachePages cache;
  int64_t unit;
  VectorType bytes, f32;
};

struct CacheValuesPass
    : public sparseflow::cpu::impl::CacheValuesBase<CacheValuesPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<linalg::GenericOp> marked;
    getOperation().walk([&](linalg::GenericOp op) {
      if (op->hasAttr(kCacheValues))
        marked.push_back(op);
    });
    for (linalg::GenericOp op : marked) {
      Value pages = findPages(op);
      if (!op.hasPureBufferSemantics() || !pages)
        continue;
      auto type = cast<RankedTensorType>(
          op->getAttrOfType<TypeAttr>(kCacheValues).getValue());
      OpBuilder b(op);
      ValuesEmitter({b, op.getLoc()}, op, pages, type, unit).emit();
      op.erase();
    }
  }
};
} // namespace
