//===- ElementwiseKernel.cpp - Partial sums and an epilogue ---------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Elementwise/ElementwiseKernel.h"
#include "Kernels/Support/HostIntegers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

// Partial sums of a lane that are on their way at once.
static constexpr int64_t kPartsInFlight = 64;

/// Tiles of a warp along the features.
static int64_t featureTiles(const ElementwiseKernel &kernel) {
  return llvm::divideCeil(kernel.cols, kernel.schedule.getWarp()[0]);
}

/// The layout with the longest vectors, at most `vector` elements, for a part
/// of a warp. Sizes that are no power of two are a grid of the largest power in
/// them; a small part has fewer than 32 long vectors.
static LayoutAttr layoutFor(MLIRContext *context, ArrayRef<int64_t> shape,
                            int64_t vector) {
  int64_t rows = shape[0] & -shape[0], cols = shape[1] & -shape[1];
  for (; vector > 1; vector /= 2)
    if (auto layout = vectorLayout(rows, cols, vector))
      return LayoutAttr::get(context, *layout);
  // A warp has at least 16 x 8 elements.
  return LayoutAttr::get(context, *vectorLayout(rows, cols, 1));
}

Value ElementwiseKernel::gridSize(OpBuilder &builder, Location loc,
                                  Value rows) const {
  HostIntegers host{builder, loc};
  Value tiles =
      host.mul(host.ceilDiv(rows, schedule.getWarp()[1]), featureTiles(*this));
  return host.ceilDiv(tiles, schedule.getNumWarps());
}

/// Adds the partial sums that `load` gives (by number, i64) one after another,
/// always in this order: the same bits every time. As many loads as a group are
/// on their way at once; all of them would not fit into registers.
Value ElementwiseKernel::addPartialSums(
    KernelBuilder &b, function_ref<Value(Value split)> load) const {
  int64_t perLane = schedule.getWarp()[0] * schedule.getWarp()[1] / 32;
  int64_t together = std::max<int64_t>(1, kPartsInFlight / perLane);
  OpBuilder &builder = b.builder;
  auto addGroup = [&](Value sum, Value first, int64_t count) {
    SmallVector<Value> values;
    for (int64_t number = 0; number < count; ++number)
      values.push_back(load(b.add(first, number)));
    for (Value value : values)
      sum = sum ? b.sum(sum, value) : value;
    return sum;
  };
  // What is no whole group comes first, so that the order stays.
  int64_t head = (partialSums - 1) % together + 1;
  Value sum = addGroup(Value(), b.i64(0), head);
  if (head == partialSums)
    return sum;
  auto loop = scf::ForOp::create(builder, loc, b.index(head),
                                 b.index(partialSums), b.index(together), sum);
  // Unrolled, the loads of all groups would be hoisted to the start.
  b.keepRolled(loop);
  OpBuilder::InsertionGuard inside(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value next = addGroup(loop.getRegionIterArg(0),
                        b.toI64(loop.getInductionVar()), together);
  scf::YieldOp::create(builder, loc, next);
  return loop.getResult(0);
}

gpu::GPUFuncOp ElementwiseKernel::generate(OpBuilder &builder) const {
  OpBuilder::InsertionGuard guard(builder);
  int64_t pointers = operands.size() + 2;
  KernelBuilder b(builder, loc, name, SmallVector<KernelParameter>(pointers),
                  schedule);
  MLIRContext *context = builder.getContext();
  // The widest element decides how many of them make a 16-byte access.
  int64_t bytes = 4;
  for (const ElementOperand &operand : operands)
    bytes = std::max<int64_t>(bytes,
                              operand.elementType.getIntOrFloatBitWidth() / 8);
  SmallVector<int64_t> shape(schedule.getWarp());
  LayoutAttr layout = layoutFor(context, shape, 16 / bytes);

  int64_t next = 0;
  Value parts = b.view(b.pointer(next++), partialType,
                       b.mul(b.count(), partialSums), cols);
  SmallVector<Value> views;
  for (const ElementOperand &operand : operands)
    views.push_back(b.operandView(operand, b.pointer(next++), cols));
  Value result = b.view(b.pointer(next), resultType, b.count(), cols);

  b.openRole("main", schedule.getNumWarps());
  if (programmatic)
    b.griddepWait();
  Value warp = WarpIdOp::create(builder, loc, builder.getIndexType());
  Value tile = b.toI64(b.add(b.mul(b.blockId(), schedule.getNumWarps()), warp));
  // A warp past the last tile computes rows that are never stored.
  Value row = b.mul(b.rem(tile, featureTiles(*this)), shape[0]);
  Value col = b.mul(b.div(tile, featureTiles(*this)), shape[1]);

  bool whole = cols % shape[0] == 0;
  ElementOperand part{partialType, Broadcast::Full,
                      widthFor(cols, partialType)};
  SmallVector<Value> inputs = {addPartialSums(b, [&](Value split) -> Value {
    Value offset = arith::MulIOp::create(builder, loc, b.count(), split);
    return b.loadOperand(part, parts, row, b.add(col, offset), shape, layout,
                         whole);
  })};
  for (auto [operand, view] : llvm::zip(operands, views))
    inputs.push_back(
        b.loadOperand(operand, view, row, col, shape, layout, whole));
  Value value = b.map(body, inputs, shape, resultType, layout);
  StoreOp::create(builder, loc, value, result, col, row, Access::Transposed,
                  storeWidth, /*rowsInBounds=*/false, whole);
  return b.finish();
}
