//===- TernaryLookup.cpp - Sums of trits out of tables --------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Three codes c0, c1, c2 of 0..2 are an index c0 + 3 c1 + 9 c2 below 27, so the
// sums c0 a0 + c1 a1 + c2 a2 of a token's three activations are a table of 27
// words. One instruction looks up 32 rows in it: 96 products, where one of
// bytes makes 64. Both kinds run on units of their own, so each step does both:
//
//   a lookup    32 rows x 3 columns, into sums of 16 bits
//   two dots    16 rows x 4 columns each, into sums of 32 bits
//
// A slab are 32 columns: four words of the 16-column groups of tern.v1 (see
// TernaryProduct.cpp), which hold 8 columns each. Of every word w
//
//   columns of t = 0   the first three are a lookup, the fourth is kept
//   columns of t = 1   are a dot
//
// and the four that were kept are a fifth dot. Weights are decoded to this form
// once for many tokens; rows lie in lanes: lane 8 m + g has row 16 m + g in its
// low half and row 16 m + 8 + g in its high half.
//
// Sums of 16 bits are widened after a block of 8 slabs: 32 lookups of at most
// 3 * 2 * 128 are 24576.
//
//===----------------------------------------------------------------------===//

#include "Target/CPU/Ternary/TernaryLookup.h"
#include "Target/CPU/Matmul/PackOperands.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::sparseflow::cpu;

namespace {

// tern.v1: units of 64 rows x 128 columns, a plane 2048 bytes, 16 rows 512.
constexpr int64_t kUnitColumns = 128, kPlaneBytes = 2048, kTileBytes = 512;
constexpr int64_t kVector = 64, kLanes = 16;

constexpr int64_t kBlockRows = 32, kUnitSlabs = 4, kBlockUnits = 2;
constexpr int64_t kBlockSlabs = kUnitSlabs * kBlockUnits;
/// Lookups and dots of a slab.
constexpr int64_t kLookups = 4, kDots = 5;
/// Vectors of a slab of 32 rows: for each word the indices and the codes of two
/// halves, then the codes of the columns that were kept.
constexpr int64_t kSlabVectors = 3 * kLookups + 2;
constexpr int64_t kSlabCodes = kSlabVectors * kLanes;
/// Words of 32 bits of a slab of a group: tables, and what dots read.
constexpr int64_t kSlabTables = kLookups * kLookupGroup * kLanes;
constexpr int64_t kSlabColumns = kDots * kLookupGroup;

/// Sums of 32 rows and a group.
constexpr int64_t kBlockTotals = kBlockRows * kLookupGroup;

/// Rows of a task: a table that was loaded serves all of them.
constexpr int64_t kPanelBlocks = 8;
/// Groups whose tables exist at a time, and how many bytes they may take.
constexpr int64_t kChunkGroups = 16, kChunkBytes = 16 << 20;

class LookupEmitter {
public:
  LookupEmitter(const IndexBuilder &ib, const TernaryOperands &o, DotKind dot)
      : ib(ib), b(ib.b), loc(ib.loc), o(o), dot(dot),
        units(llvm::divideCeil(o.k, kUnitColumns)),
        blocks(llvm::divideCeil(units, kBlockUnits)),
        vectorI8(VectorType::get(kVector, b.getI8Type())),
        vectorI16(VectorType::get(2 * kLanes, b.getI16Type())),
        vectorI32(VectorType::get(kLanes, b.getI32Type())) {}

  void emit(Value tokens) {
    int64_t groupBytes = units * kUnitSlabs * (kSlabTables + kSlabColumns) * 4;
    int64_t chunk =
        std::clamp<int64_t>(kChunkBytes / groupBytes, 1, kChunkGroups) *
        kLookupGroup;
    ib.loop(ib.constant(0), tokens, chunk, [&](Value first) {
      Value count = ib.min(ib.sub(tokens, first), ib.constant(chunk));
      emitChunk(first, ib.div(count, kLookupGroup));
    });
  }

private:
  Value constant(int64_t value) { return ib.splat(vectorI32, value); }
  Value cast(VectorType type, Value value) {
    return vector::BitCastOp::create(b, loc, type, value);
  }
  Value shuffle(Value v1, Value v2, ArrayRef<int64_t> lanes) {
    return vector::ShuffleOp::create(b, loc, v1, v2, lanes);
  }
  Value add(Value v1, Value v2) {
    return arith::AddIOp::create(b, loc, v1, v2);
  }
  Value both(Value v1, int64_t mask) {
    return arith::AndIOp::create(b, loc, v1, constant(mask));
  }
  Value either(Value v1, Value v2) {
    return arith::OrIOp::create(b, loc, v1, v2);
  }
  Value left(Value value, int64_t bits) {
    return arith::ShLIOp::create(b, loc, value, constant(bits));
  }
  Value right(Value value, int64_t bits) {
    return arith::ShRUIOp::create(b, loc, value, constant(bits));
  }
  Value dotOf(Value sum, Value codes, Value values) {
    return createDot(b, loc, dot, sum, cast(vectorI8, codes),
                     cast(vectorI8, values));
  }
  Value load(Value memref, Value at, VectorType type) {
    return vector::LoadOp::create(b, loc, type, memref, at);
  }
  void store(Value value, Value memref, Value at) {
    vector::StoreOp::create(b, loc, value, memref, at);
  }
  Value spread(Value scalar) {
    return vector::BroadcastOp::create(b, loc, vectorI32, scalar);
  }
  Value allocate(Value words) {
    return memref::AllocOp::create(
        b, loc, MemRefType::get({ShapedType::kDynamic}, b.getI32Type()), words,
        b.getI64IntegerAttr(kVector));
  }

  /// Units of block `block`: the last one may have fewer.
  Value unitsOf(Value block) {
    return ib.min(ib.constant(kBlockUnits),
                  ib.sub(ib.constant(units), ib.mul(block, kBlockUnits)));
  }
  /// The first slab of a unit among all of a chunk.
  Value slabOf(Value group, Value unit) {
    return ib.mul(ib.add(ib.mul(group, units), unit), kUnitSlabs);
  }

  /// `groups` groups of tokens from token `first` on.
  void emitChunk(Value first, Value groups) {
    Value slabs = ib.mul(groups, units * kUnitSlabs);
    tables = allocate(ib.mul(slabs, kSlabTables));
    columns = allocate(ib.mul(slabs, kSlabColumns));
    ib.parallel(ib.mul(groups, blocks), [&](Value task) {
      emitTables(first, ib.div(task, blocks),
                 ib.rem(task, ib.constant(blocks)));
    });
    int64_t rowBlocks = llvm::divideCeil(o.n, kBlockRows);
    ib.parallel(ib.constant(llvm::divideCeil(rowBlocks, kPanelBlocks)),
                [&](Value panel) {
                  Value block = ib.mul(panel, kPanelBlocks);
                  Value count = ib.min(ib.constant(kPanelBlocks),
                                       ib.sub(ib.constant(rowBlocks), block));
                  emitPanel(block, count, first, groups);
                });
    for (Value buffer : {tables, columns})
      memref::DeallocOp::create(b, loc, buffer);
  }

  //===--------------------------------------------------------------------===//
  // Activations
  //===--------------------------------------------------------------------===//

  /// The digits of table entries 2 i + `odd` in lane i, a byte each. The
  /// entries behind the last are zeros.
  Value digits(int64_t odd) {
    SmallVector<int32_t> lanes;
    for (int64_t i = 0; i < kLanes; ++i) {
      int64_t entry = 2 * i + odd;
      lanes.push_back(
          entry >= 27 ? 0 : entry % 3 | entry / 3 % 3 << 8 | entry / 9 << 16);
    }
    return arith::ConstantOp::create(
        b, loc, vectorI32, DenseElementsAttr::get(vectorI32, ArrayRef(lanes)));
  }

  /// Tables and columns of a group in one block of units.
  void emitTables(Value first, Value group, Value block) {
    Value firstUnit = ib.mul(block, kBlockUnits);
    ib.loop(ib.constant(0), ib.constant(kLookupGroup), 1, [&](Value t) {
      Value token = ib.add(ib.add(first, ib.mul(group, kLookupGroup)), t);
      ib.loop(ib.constant(0), unitsOf(block), 1, [&](Value unit) {
        unit = ib.add(unit, firstUnit);
        Value at = ib.mul(ib.add(ib.mul(token, units), unit), kUnitColumns);
        emitUnitTables(at, slabOf(group, unit), t);
      });
    });
  }

  /// The unit whose activations stand at `at`, for token `t` of its group.
  void emitUnitTables(Value at, Value slab, Value t) {
    Value bytes = load(o.ordered, at, vectorI8);
    Value words = cast(vectorI32, bytes);
    Value second =
        cast(vectorI32, load(o.ordered, ib.add(at, kVector), vectorI8));
    Value even = digits(0), odd = digits(1);
    for (int64_t i = 0; i < kUnitSlabs; ++i) {
      Value here = ib.add(slab, i);
      Value column = ib.add(ib.mul(here, kSlabColumns), ib.mul(t, kDots));
      int64_t w = 4 * i;
      store(shuffle(second, second, {w, w + 1, w + 2, w + 3}), columns, column);
      Value kept =
          shuffle(bytes, bytes, {4 * w + 3, 4 * w + 7, 4 * w + 11, 4 * w + 15});
      store(cast(VectorType::get(1, b.getI32Type()), kept), columns,
            ib.add(column, kLookups));
      Value table = ib.add(ib.mul(here, kSlabTables), ib.mul(t, kLanes));
      for (int64_t j = 0; j < kLookups; ++j) {
        Value values =
            shuffle(words, words, SmallVector<int64_t>(kLanes, w + j));
        Value low = both(dotOf(constant(0), even, values), 0xffff);
        Value high = left(dotOf(constant(0), odd, values), 16);
        store(either(low, high), tables,
              ib.add(table, j * kLookupGroup * kLanes));
      }
    }
  }

  //===--------------------------------------------------------------------===//
  // Weights
  //===--------------------------------------------------------------------===//

  /// Where a block of rows begins in a unit.
  Value placeOf(Value block, Value unit) {
    Value at = ib.mul(ib.add(ib.mul(ib.div(block, 2), units), unit),
                      o.planes * kPlaneBytes);
    Value half = ib.mul(ib.rem(block, ib.constant(2)), 2 * kTileBytes);
    return ib.add(ib.add(at, half), o.plane * kPlaneBytes);
  }

  /// Decodes 32 rows of a unit from `at` on to its slabs at `to`.
  void emitDecode(Value at, Value codes, Value to) {
    SmallVector<Value> words;
    for (int64_t i = 0; i < kLanes; ++i)
      words.push_back(
          cast(vectorI32, load(o.bytes, ib.add(at, i * kVector), vectorI8)));
    transposeSquare(ib, words);
    constexpr int64_t low = 0x03030303, high = 0x0c0c0c0c;
    Value weights = constant(0x00090301);
    for (int64_t i = 0; i < kUnitSlabs; ++i) {
      auto put = [&](int64_t place, Value value) {
        store(value, codes, ib.add(to, i * kSlabCodes + place * kLanes));
      };
      Value kept;
      for (int64_t j = 0; j < kLookups; ++j) {
        Value word = words[4 * i + j];
        // Codes of the high half are four times as large: 14 + 2 bits.
        Value index = left(dotOf(constant(0), both(word, high), weights), 14);
        put(3 * j, dotOf(index, both(word, low), weights));
        put(3 * j + 1, both(right(word, 4), low));
        put(3 * j + 2, both(right(word, 6), low));
        Value last = j == 3 ? word : right(word, 24 - 8 * j);
        last = both(last, int64_t(0xff) << (8 * j));
        kept = j == 0 ? last : either(kept, last);
      }
      put(3 * kLookups, both(kept, low));
      put(3 * kLookups + 1, both(right(kept, 2), low));
    }
  }

  /// Fetches what is decoded after this block of units: one unit while each of
  /// the first groups is multiplied.
  void emitFetch(Value block, Value group, Value depth) {
    Value isEarly = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                                          group, ib.constant(kBlockUnits));
    auto branch = scf::IfOp::create(b, loc, isEarly, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    Value unit = ib.add(ib.mul(ib.add(depth, 1), kBlockUnits), group);
    Value at = placeOf(block, ib.min(unit, ib.constant(units - 1)));
    for (int64_t i = 0; i < kLanes; ++i)
      memref::PrefetchOp::create(b, loc, o.bytes, ib.add(at, i * kVector),
                                 /*isWrite=*/false, /*localityHint=*/3,
                                 /*isDataCache=*/true);
  }

  /// `count` blocks of rows from `block` on, for all groups.
  void emitPanel(Value block, Value count, Value first, Value groups) {
    Value codes =
        allocate(ib.constant(kPanelBlocks * kBlockSlabs * kSlabCodes));
    // Their sums until all columns are through: 32 of each token of a group.
    Value totals = allocate(ib.mul(groups, kPanelBlocks * kBlockTotals));
    auto eachBlock = [&](function_ref<void(Value, Value, Value)> body) {
      ib.loop(ib.constant(0), groups, 1, [&](Value group) {
        ib.loop(ib.constant(0), count, 1, [&](Value i) {
          Value place = ib.add(ib.mul(group, kPanelBlocks), i);
          body(group, i, ib.mul(place, kBlockTotals));
        });
      });
    };
    eachBlock([&](Value group, Value, Value total) {
      emitStart(ib.add(first, ib.mul(group, kLookupGroup)), totals, total);
    });
    ib.loop(ib.constant(0), ib.constant(blocks), 1, [&](Value depth) {
      // Both blocks of a unit, which are neighbours in memory, then the next.
      ib.loop(ib.constant(0), count, 2, [&](Value pair) {
        ib.loop(ib.constant(0), unitsOf(depth), 1, [&](Value unit) {
          Value end = ib.min(ib.add(pair, 2), count);
          ib.loop(pair, end, 1, [&](Value i) {
            Value slab =
                ib.add(ib.mul(i, kBlockSlabs), ib.mul(unit, kUnitSlabs));
            Value at = ib.add(ib.mul(depth, kBlockUnits), unit);
            emitDecode(placeOf(ib.add(block, i), at), codes,
                       ib.mul(slab, kSlabCodes));
          });
        });
      });
      eachBlock([&](Value group, Value i, Value total) {
        emitFetch(ib.add(block, i), group, depth);
        emitBlock(codes, i, group, depth, totals, total);
      });
    });
    eachBlock([&](Value group, Value i, Value total) {
      emitResults(ib.add(first, ib.mul(group, kLookupGroup)),
                  ib.mul(ib.add(block, i), kBlockRows), totals, total);
    });
    memref::DeallocOp::create(b, loc, codes);
    memref::DeallocOp::create(b, loc, totals);
  }

  //===--------------------------------------------------------------------===//
  // The product
  //===--------------------------------------------------------------------===//

  /// Sums begin with what codes have too much: a code is a trit + 1.
  void emitStart(Value token, Value totals, Value total) {
    for (int64_t t = 0; t < kLookupGroup; ++t) {
      Value sum = memref::LoadOp::create(b, loc, o.sums, ib.add(token, t));
      sum = arith::SubIOp::create(b, loc, constant(0), spread(sum));
      for (int64_t r : {0, 1})
        store(sum, totals, ib.add(total, (2 * t + r) * kLanes));
    }
  }

  /// Adds the product of block `i` of `codes` and a group, in a block of units,
  /// to `totals`.
  void emitBlock(Value codes, Value i, Value group, Value depth, Value totals,
                 Value total) {
    constexpr int64_t count = kLookupGroup;
    // Lookups of each token, then the dots of its two halves.
    SmallVector<Value> init(count, cast(vectorI16, constant(0)));
    for (int64_t j = 0; j < 2 * count; ++j)
      init.push_back(load(totals, ib.add(total, j * kLanes), vectorI32));
    Value firstCode = ib.mul(i, kBlockSlabs * kSlabCodes);
    Value firstSlab = slabOf(group, ib.mul(depth, kBlockUnits));
    auto loop = scf::ForOp::create(
        b, loc, ib.constant(0), ib.mul(unitsOf(depth), kUnitSlabs),
        ib.constant(1), init,
        [&](OpBuilder &, Location, Value slab, ValueRange sums) {
          SmallVector<Value> next(sums);
          Value code = ib.add(firstCode, ib.mul(slab, kSlabCodes));
          Value here = ib.add(firstSlab, slab);
          emitSlab(codes, code, ib.mul(here, kSlabTables),
                   ib.mul(here, kSlabColumns), next);
          scf::YieldOp::create(b, loc, next);
        });
    Value bits = constant(16);
    for (int64_t t = 0; t < count; ++t) {
      Value looked = cast(vectorI32, loop.getResult(t));
      Value halves[] = {left(looked, 16), looked};
      for (int64_t r : {0, 1}) {
        Value wide = arith::ShRSIOp::create(b, loc, halves[r], bits);
        store(add(loop.getResult(count + 2 * t + r), wide), totals,
              ib.add(total, (2 * t + r) * kLanes));
      }
    }
  }

  void emitSlab(Value codes, Value code, Value table, Value column,
                MutableArrayRef<Value> sums) {
    auto codeAt = [&](int64_t place) {
      return load(codes, ib.add(code, place * kLanes), vectorI32);
    };
    for (int64_t j = 0; j < kDots; ++j) {
      Value index;
      if (j < kLookups)
        index = cast(vectorI16, codeAt(3 * j));
      // The columns that were kept have no indices before their codes.
      int64_t place = j < kLookups ? 3 * j + 1 : 3 * kLookups;
      Value halves[] = {codeAt(place), codeAt(place + 1)};
      for (int64_t t = 0; t < kLookupGroup; ++t) {
        Value values = spread(memref::LoadOp::create(
            b, loc, columns, ib.add(column, t * kDots + j)));
        if (j < kLookups) {
          Value entries =
              load(tables, ib.add(table, (j * kLookupGroup + t) * kLanes),
                   vectorI32);
          sums[t] = add(sums[t],
                        createLookup(b, loc, cast(vectorI16, entries), index));
        }
        for (int64_t r : {0, 1}) {
          Value &sum = sums[kLookupGroup + 2 * t + r];
          sum = dotOf(sum, halves[r], values);
        }
      }
    }
  }

  /// Adds the totals of a group to rows from `row` on, in their order.
  void emitResults(Value token, Value row, Value totals, Value total) {
    for (int64_t t = 0; t < kLookupGroup; ++t) {
      Value at = ib.add(total, 2 * t * kLanes);
      Value low = load(totals, at, vectorI32);
      Value high = load(totals, ib.add(at, kLanes), vectorI32);
      for (int64_t half : {0, 1}) {
        SmallVector<int64_t> lanes;
        for (int64_t i = 0; i < kLanes; ++i)
          lanes.push_back(i / 8 * kLanes + 8 * half + i % 8);
        addTo(ib.add(token, t), ib.add(row, half * kLanes),
              shuffle(low, high, lanes));
      }
    }
  }

  void addTo(Value token, Value row, Value value) {
    SmallVector<Value> at{token, row};
    if (o.n % kBlockRows == 0) {
      Value old = vector::LoadOp::create(b, loc, vectorI32, o.y, at);
      vector::StoreOp::create(b, loc, add(old, value), o.y, at);
      return;
    }
    Value mask = vector::CreateMaskOp::create(
        b, loc, VectorType::get(kLanes, b.getI1Type()),
        ib.sub(ib.constant(o.n), row));
    Value old = vector::MaskedLoadOp::create(b, loc, vectorI32, o.y, at, mask,
                                             constant(0));
    vector::MaskedStoreOp::create(b, loc, o.y, at, mask, add(old, value));
  }

  IndexBuilder ib;
  OpBuilder &b;
  Location loc;
  const TernaryOperands &o;
  DotKind dot;
  int64_t units, blocks;
  VectorType vectorI8, vectorI16, vectorI32;
  Value tables, columns;
};

} // namespace

void mlir::sparseflow::cpu::emitLookups(const IndexBuilder &ib,
                                        const TernaryOperands &operands,
                                        DotKind dot, Value tokens) {
  LookupEmitter(ib, operands, dot).emit(tokens);
}
