//===- SplitBatches.cpp - Batched products as loops over products ---------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Target/CPU/Passes.h"
#include "Target/CPU/Transforms/IndexBuilder.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SmallBitVector.h"

namespace mlir::sparseflow::cpu {
#define GEN_PASS_DEF_SPLITBATCHES
#include "SparseFlow/Target/CPU/Passes.h.inc"
} // namespace mlir::sparseflow::cpu

using namespace mlir;
using namespace mlir::sparseflow::cpu;

namespace {
/// A dimension of an operand: loop `loop` over `divisor`.
struct Dimension {
  unsigned loop;
  int64_t divisor;
};
using Dimensions = SmallVector<Dimension, 4>;

/// A batched contraction: its loops by role, and its operands' dimensions.
struct Batched {
  linalg::GenericOp op;
  std::vector<Dimensions> operands;
  llvm::SmallBitVector isBatch;
};
} // namespace

/// The dimensions of an operand, where each is a loop or the quotient of one.
static std::optional<Dimensions> readMap(AffineMap map) {
  Dimensions dimensions;
  for (AffineExpr expr : map.getResults()) {
    int64_t divisor = 1;
    if (auto quotient = dyn_cast<AffineBinaryOpExpr>(expr);
        quotient && expr.getKind() == AffineExprKind::FloorDiv) {
      auto constant = dyn_cast<AffineConstantExpr>(quotient.getRHS());
      if (!constant || constant.getValue() < 1)
        return std::nullopt;
      divisor = constant.getValue();
      expr = quotient.getLHS();
    }
    auto loop = dyn_cast<AffineDimExpr>(expr);
    if (!loop)
      return std::nullopt;
    dimensions.push_back({loop.getPosition(), divisor});
  }
  return dimensions;
}

static std::optional<Batched> match(linalg::GenericOp op) {
  if (!op.hasPureBufferSemantics() || op.getNumDpsInputs() != 2 ||
      op.getNumDpsInits() != 1 || op.getNumReductionLoops() != 1 ||
      op.hasIndexSemantics())
    return std::nullopt;
  Batched batched;
  batched.op = op;
  for (auto [operand, map] :
       llvm::zip(op->getOperands(), op.getIndexingMapsArray())) {
    auto type = dyn_cast<MemRefType>(operand.getType());
    std::optional<Dimensions> read = readMap(map);
    if (!type || !type.isStrided() || !read)
      return std::nullopt;
    batched.operands.push_back(*read);
  }
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  unsigned loops = op.getNumLoops();
  const Dimensions &result = batched.operands[2];
  if (result.size() + 1 != loops || result.size() < 3 ||
      !op.getIndexingMapsArray()[2].isProjectedPermutation())
    return std::nullopt;
  auto uses = [&](unsigned operand, unsigned loop) {
    return llvm::any_of(batched.operands[operand],
                        [&](Dimension d) { return d.loop == loop; });
  };
  batched.isBatch.resize(loops);
  SmallVector<unsigned> rows;
  unsigned columns = result.back().loop;
  // The factor with the columns is the weight.
  unsigned weight = uses(0, columns) ? 0 : 1;
  if (!uses(weight, columns) || uses(1 - weight, columns))
    return std::nullopt;
  for (Dimension d : ArrayRef(result).drop_back()) {
    if (uses(0, d.loop) && uses(1, d.loop))
      batched.isBatch.set(d.loop);
    else if (uses(1 - weight, d.loop))
      rows.push_back(d.loop);
    else
      return std::nullopt;
  }
  if (batched.isBatch.none() || rows.empty())
    return std::nullopt;
  // Quotients and repetitions are those of a batch alone.
  for (const Dimensions &dimensions : batched.operands) {
    llvm::SmallBitVector seen(loops);
    for (Dimension d : dimensions) {
      if (!batched.isBatch.test(d.loop) && d.divisor != 1)
        return std::nullopt;
      if (seen.test(d.loop))
        return std::nullopt;
      seen.set(d.loop);
    }
  }
  return batched;
}

/// The slice of an operand at `ivs`, one for each loop, null where the loop is
/// none of the batch.
static Value slice(const IndexBuilder &ib, Value source,
                   const Dimensions &dimensions, ArrayRef<Value> ivs) {
  SmallVector<OpFoldResult> offsets, sizes;
  SmallVector<OpFoldResult> strides(dimensions.size(), ib.b.getIndexAttr(1));
  SmallVector<int64_t> shape;
  auto type = cast<MemRefType>(source.getType());
  for (auto [index, d] : llvm::enumerate(dimensions)) {
    if (Value iv = ivs[d.loop]) {
      offsets.push_back(getAsOpFoldResult(ib.div(iv, d.divisor)));
      sizes.push_back(ib.b.getIndexAttr(1));
      continue;
    }
    offsets.push_back(ib.b.getIndexAttr(0));
    sizes.push_back(getAsOpFoldResult(ib.dim(source, index)));
    shape.push_back(
        getConstantIntValue(sizes.back()).value_or(ShapedType::kDynamic));
  }
  MemRefType reduced = memref::SubViewOp::inferRankReducedResultType(
      shape, type, offsets, sizes, strides);
  return memref::SubViewOp::create(ib.b, ib.loc, reduced, source, offsets,
                                   sizes, strides);
}

static void split(const Batched &batched) {
  linalg::GenericOp op = batched.op;
  OpBuilder b(op);
  IndexBuilder ib{b, op.getLoc()};
  unsigned loops = op.getNumLoops();
  // The result's dimensions are loops themselves, so it has the sizes.
  SmallVector<unsigned> batch;
  SmallVector<Value> sizes;
  Value count = ib.constant(1);
  for (auto [index, d] : llvm::enumerate(batched.operands[2])) {
    if (!batched.isBatch.test(d.loop))
      continue;
    batch.push_back(d.loop);
    sizes.push_back(ib.dim(op.getDpsInits()[0], index));
    count = ib.mul(count, sizes.back());
  }
  SmallVector<AffineExpr> kept(loops);
  SmallVector<utils::IteratorType> iterators;
  for (unsigned loop = 0; loop < loops; ++loop) {
    if (batched.isBatch.test(loop))
      continue;
    kept[loop] = b.getAffineDimExpr(iterators.size());
    iterators.push_back(op.getIteratorTypesArray()[loop]);
  }
  ib.parallel(count, [&](Value place) {
    SmallVector<Value> ivs(loops);
    for (unsigned i = batch.size(); i-- > 0;) {
      ivs[batch[i]] = i ? ib.rem(place, sizes[i]) : place;
      if (i)
        place = ib.div(place, sizes[i]);
    }
    SmallVector<Value> slices;
    SmallVector<AffineMap> maps;
    for (auto [operand, dimensions] :
         llvm::zip(op->getOperands(), batched.operands)) {
      slices.push_back(slice(ib, operand, dimensions, ivs));
      SmallVector<AffineExpr> exprs;
      for (Dimension d : dimensions)
        if (kept[d.loop])
          exprs.push_back(kept[d.loop]);
      maps.push_back(
          AffineMap::get(iterators.size(), 0, exprs, b.getContext()));
    }
    auto inner =
        linalg::GenericOp::create(b, ib.loc, ValueRange(slices).take_front(2),
                                  slices[2], maps, iterators);
    IRMapping mapping;
    op.getRegion().cloneInto(&inner.getRegion(), mapping);
  });
  op.erase();
}

namespace {
struct SplitBatchesPass
    : public sparseflow::cpu::impl::SplitBatchesBase<SplitBatchesPass> {
  using Base::Base;

  void runOnOperation() override {
    std::vector<Batched> found;
    getOperation().walk([&](linalg::GenericOp op) {
      if (std::optional<Batched> batched = match(op))
        found.push_back(*batched);
    });
    for (const Batched &batched : found)
      split(batched);
  }
};
} // namespace
