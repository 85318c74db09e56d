//===- Epilogue.cpp - From accumulators to results ----------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/Epilogue/Epilogue.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

/// The layout in which a slice of elements of `type` meets global memory, in
/// accesses of `width` bytes: as many in a lane, narrower only if a slice has
/// too few of them.
LayoutAttr Epilogue::memoryLayout(Type type, int64_t width) const {
  MLIRContext *context = b.builder.getContext();
  int64_t vector =
      std::max<int64_t>(8 * width / type.getIntOrFloatBitWidth(), 1);
  // Rows that are no power of two are a grid of the largest power in them.
  int64_t rows = features & -features;
  for (; vector > 1; vector /= 2)
    if (auto layout = vectorLayout(rows, tokens, vector))
      return LayoutAttr::get(context, *layout);
  return LayoutAttr::get(context, *vectorLayout(rows, tokens, 1));
}

/// The scratch tile for slices of elements of `type`, made on first use.
Value Epilogue::scratchFor(Type type) {
  Value &scratch = scratches[type];
  if (scratch)
    return scratch;
  OpBuilder::InsertionGuard guard(b.builder);
  // Every warp finds its own tile, so the op belongs to the role.
  b.builder.setInsertionPointToStart(scratchBlock);
  // Only rows of a power of two of bytes can be swizzled.
  Order order =
      llvm::isPowerOf2_64(features) ? Order::Swizzled : Order::RowMajor;
  auto tile =
      TileType::get(b.builder.getContext(), {tokens, features}, type, order);
  return scratch = SharedOp::create(b.builder, b.loc, tile, warps,
                                    /*sharers=*/1, /*overlaid=*/true);
}

Attribute Epilogue::matrixAtom(Type type, bool store) const {
  MLIRContext *context = b.builder.getContext();
  if (type.getIntOrFloatBitWidth() != 16)
    return {};
  if (!store)
    return LdMatrixAttr::get(context);
  auto stmatrix = StMatrixAttr::get(context);
  return problem.computeCapability >= stmatrix.getMinComputeCapability()
             ? Attribute(stmatrix)
             : Attribute();
}

Value Epilogue::convert(Value source, LayoutAttr layout, bool store) {
  auto type = cast<FragType>(source.getType());
  Type element = type.getElementType();
  return ConvertLayoutOp::create(
      b.builder, b.loc, b.frag(type.getShape(), element, layout), source,
      scratchFor(element),
      dyn_cast_or_null<AtomInterface>(matrixAtom(element, store)));
}

Value Epilogue::loadOne(size_t index, Value row, Value col) {
  const ElementOperand &operand = problem.operands[index];
  bool full = operand.broadcast == Broadcast::Full;
  if (Value held = operandViews[index]; isa<TileType>(held.getType()))
    return LoadOp::create(
        b.builder, b.loc,
        b.frag({features, tokens}, operand.elementType, accLayout), held,
        b.toIndex(arith::SubIOp::create(b.builder, b.loc, col, heldFrom)),
        b.index(0), Access::Col);
  return b.loadOperand(
      operand, operandViews[index], row, col, {features, tokens},
      full ? memoryLayout(operand.elementType, operand.width) : accLayout,
      wholeFeatures());
}

SmallVector<Value> Epilogue::load(Value row, Value col) {
  SmallVector<Value> loaded;
  for (auto [index, operand] : llvm::enumerate(problem.operands)) {
    bool differs = operand.broadcast == Broadcast::Full ||
                   operand.broadcast == Broadcast::PerToken;
    loaded.push_back(differs && !llvm::is_contained(given, index)
                         ? loadOne(index, row, col)
                         : Value());
  }
  return loaded;
}

Value Epilogue::apply(Value part, Value row, Value col,
                      ArrayRef<Value> operands) {
  SmallVector<Value> inputs = {part};
  for (auto [index, operand] : llvm::enumerate(problem.operands)) {
    Value loaded = operands[index] ? operands[index] : loadOne(index, row, col);
    bool moves = cast<FragType>(loaded.getType()).getLayout() != accLayout;
    inputs.push_back(moves ? convert(loaded, accLayout, /*store=*/false)
                           : loaded);
  }
  return b.map(problem.body, inputs, {features, tokens}, problem.resultType,
               accLayout);
}

// A slice of a full f16 operand takes four registers.
static constexpr int64_t kSlicesAhead = 5;

Value OperandsAhead::applyNext(Value part, ArrayRef<Value> taken) {
  int64_t end = std::min<int64_t>(next + kSlicesAhead, slices);
  for (int64_t number = loaded.size(); number < end; ++number) {
    std::pair<Value, Value> place = placeOf(number);
    loaded.push_back({place, epilogue.load(place.first, place.second)});
  }
  Slice &slice = loaded[next++];
  for (auto [operand, value] : llvm::zip(slice.operands, taken))
    if (value)
      operand = value;
  return epilogue.apply(part, slice.place.first, slice.place.second,
                        slice.operands);
}

void Epilogue::store(Value value, Value view, Value row, Value col,
                     int64_t width) {
  Type element = cast<FragType>(value.getType()).getElementType();
  Value moved = convert(value, memoryLayout(element, width), /*store=*/true);
  StoreOp::create(b.builder, b.loc, moved, view, col, row, Access::Transposed,
                  width, /*rowsInBounds=*/false, wholeFeatures());
}
