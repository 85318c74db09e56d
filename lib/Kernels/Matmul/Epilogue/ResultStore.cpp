//===- ResultStore.cpp - Where the results of a tile go -------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/Epilogue/ResultStore.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

Value ResultStore::slice(KernelBuilder &b, Value sums, int64_t first,
                         int64_t tokens) {
  auto type = cast<FragType>(sums.getType());
  return SliceOp::create(b.builder, b.loc,
                         b.frag({type.getShape()[0], tokens},
                                type.getElementType(), type.getLayout()),
                         sums, 0, first);
}

/// Calls `body` with every slice of the accumulators and its token.
static void
forEachSlice(KernelBuilder &b, const Epilogue &epilogue,
             ArrayRef<AccumulatorTile> accumulators,
             function_ref<void(const AccumulatorTile &, int64_t, Value)> body) {
  for (const AccumulatorTile &tile : accumulators) {
    int64_t tokens = cast<FragType>(tile.sums.getType()).getShape()[1];
    for (int64_t first = 0; first < tokens; first += epilogue.tokensOfSlice())
      body(tile, first, b.add(tile.token, tile.tokenOffset + first));
  }
}

void DirectStore::store(ArrayRef<AccumulatorTile> accumulators, Value) {
  forEachSlice(b, epilogue, accumulators,
               [&](const AccumulatorTile &tile, int64_t first, Value token) {
                 Value value =
                     slice(b, tile.sums, first, epilogue.tokensOfSlice());
                 Value results =
                     ahead.empty()
                         ? epilogue.apply(value, tile.feature, token)
                         : epilogue.apply(value, tile.feature, token, ahead);
                 epilogue.store(results, result, tile.feature, token,
                                problem.storeWidth);
               });
}

void GatedStore::store(ArrayRef<AccumulatorTile> accumulators, Value) {
  size_t count = accumulators.size() / 2;
  const AccumulatorTile *gated = accumulators.drop_front(count).begin();
  for (const AccumulatorTile &gating : accumulators.take_front(count)) {
    Value sums = gated++->sums;
    forEachSlice(
        b, first, gating,
        [&](const AccumulatorTile &tile, int64_t offset, Value token) {
          int64_t tokens = first.tokensOfSlice();
          SmallVector<Value> operands = second.load(tile.feature, token);
          operands[gate] = first.apply(slice(b, gating.sums, offset, tokens),
                                       tile.feature, token);
          Value value = second.apply(slice(b, sums, offset, tokens),
                                     tile.feature, token, operands);
          second.store(value, result, tile.feature, token, problem.storeWidth);
        });
  }
}

void PartialSumStore::store(ArrayRef<AccumulatorTile> accumulators, Value) {
  Type type = problem.accumulatorType();
  Value offset = b.mul(firstRow, problem.n);
  Value moved = LLVM::GEPOp::create(b.builder, b.loc, pointer.getType(), type,
                                    pointer, offset);
  Value view = b.view(moved, type, b.count(), problem.n);
  forEachSlice(b, epilogue, accumulators,
               [&](const AccumulatorTile &tile, int64_t first, Value token) {
                 Value value =
                     slice(b, tile.sums, first, epilogue.tokensOfSlice());
                 epilogue.store(value, view, tile.feature, token,
                                widthFor(problem.n, type));
               });
}
