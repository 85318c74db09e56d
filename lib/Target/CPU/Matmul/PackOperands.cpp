//===- PackOperands.cpp - Panels of f32 for the matmul kernel -------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Target/CPU/Matmul/PackOperands.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <numeric>

using namespace mlir;
using namespace mlir::sparseflow::cpu;

Value mlir::sparseflow::cpu::toF32(const IndexBuilder &ib, Value value) {
  Type type = ib.b.getF32Type();
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    type = vector.clone(type);
  if (value.getType() == type)
    return value;
  return arith::ExtFOp::create(ib.b, ib.loc, type, value);
}

BlockExchange::BlockExchange(int64_t n, int64_t block) {
  for (int64_t i = 0; i < n; ++i) {
    bool odd = i & block;
    low.push_back(odd ? n + i - block : i);
    high.push_back(odd ? n + i : i + block);
  }
}

// Exchanges blocks of 1, 2, 4 ... elements: log2(n) rounds of n two-input
// shuffles, which every vector unit has.
void mlir::sparseflow::cpu::transposeSquare(const IndexBuilder &ib,
                                            SmallVectorImpl<Value> &rows) {
  int64_t n = rows.size();
  for (int64_t block = 1; block < n; block *= 2) {
    BlockExchange exchange(n, block);
    for (int64_t i = 0; i < n; ++i) {
      if (i & block)
        continue;
      Value x = rows[i], y = rows[i + block];
      rows[i] = vector::ShuffleOp::create(ib.b, ib.loc, x, y, exchange.low);
      rows[i + block] =
          vector::ShuffleOp::create(ib.b, ib.loc, x, y, exchange.high);
    }
  }
}

/// Packs `lanes` rows, first in panel at `offset`, with squares of `lanes`.
static void packRows(const IndexBuilder &ib, Value source, Value packed,
                     ArrayRef<Value> rows, Value panel, Value offset,
                     Value depth) {
  int64_t lanes = rows.size();
  auto element = cast<MemRefType>(source.getType()).getElementType();
  auto type = VectorType::get(lanes, element);
  Value zero = ib.constant(0);
  Value whole = ib.mul(ib.div(depth, lanes), lanes);
  ib.loop(zero, whole, lanes, [&](Value k) {
    SmallVector<Value> square;
    for (Value row : rows)
      square.push_back(
          toF32(ib, vector::LoadOp::create(ib.b, ib.loc, type, source,
                                           ValueRange{row, k})));
    transposeSquare(ib, square);
    for (int64_t i = 0; i < lanes; ++i)
      vector::StoreOp::create(ib.b, ib.loc, square[i], packed,
                              ValueRange{panel, ib.add(k, i), offset});
  });
  ib.loop(whole, depth, 1, [&](Value k) {
    for (int64_t i = 0; i < lanes; ++i) {
      Value loaded =
          memref::LoadOp::create(ib.b, ib.loc, source, ValueRange{rows[i], k});
      memref::StoreOp::create(ib.b, ib.loc, toF32(ib, loaded), packed,
                              ValueRange{panel, k, ib.add(offset, i)});
    }
  });
}

Value mlir::sparseflow::cpu::allocatePanels(const IndexBuilder &ib,
                                            Value panels, Value depth,
                                            int64_t width) {
  auto type = MemRefType::get(
      {ShapedType::kDynamic, ShapedType::kDynamic, width}, ib.b.getF32Type());
  return memref::AllocOp::create(ib.b, ib.loc, type, ValueRange{panels, depth},
                                 ib.b.getI64IntegerAttr(64));
}

void mlir::sparseflow::cpu::packPanel(const IndexBuilder &ib, Value source,
                                      bool transposed, int64_t lanes,
                                      Value first, Value packed, Value panel) {
  auto sourceType = cast<MemRefType>(source.getType());
  int64_t width = cast<MemRefType>(packed.getType()).getDimSize(2);
  Value count = ib.dim(source, transposed ? 1 : 0);
  Value depth = ib.dim(source, transposed ? 0 : 1);
  Value zero = ib.constant(0), last = ib.sub(count, ib.constant(1));
  if (!transposed && sourceType.isLastDimUnitStride()) {
    // A square must divide the panel's width.
    int64_t square = std::gcd(width, lanes);
    ib.loop(zero, ib.constant(width), square, [&](Value offset) {
      SmallVector<Value> rows;
      for (int64_t i = 0; i < square; ++i)
        rows.push_back(ib.min(ib.add(ib.add(first, offset), i), last));
      packRows(ib, source, packed, rows, panel, offset, depth);
    });
    return;
  }
  ib.loop(zero, depth, 1, [&](Value k) {
    ib.loop(zero, ib.constant(width), 1, [&](Value i) {
      Value row = ib.min(ib.add(first, i), last);
      Value loaded = memref::LoadOp::create(ib.b, ib.loc, source,
                                            transposed ? ValueRange{k, row}
                                                       : ValueRange{row, k});
      memref::StoreOp::create(ib.b, ib.loc, toF32(ib, loaded), packed,
                              ValueRange{panel, k, i});
    });
  });
}

Value mlir::sparseflow::cpu::packPanels(const IndexBuilder &ib, Value source,
                                        bool transposed, int64_t width,
                                        int64_t lanes) {
  Value count = ib.dim(source, transposed ? 1 : 0);
  Value panels = ib.ceilDiv(count, width);
  Value packed =
      allocatePanels(ib, panels, ib.dim(source, transposed ? 0 : 1), width);
  ib.parallel(panels, [&](Value panel) {
    packPanel(ib, source, transposed, lanes, ib.mul(panel, width), packed,
              panel);
  });
  return packed;
}
