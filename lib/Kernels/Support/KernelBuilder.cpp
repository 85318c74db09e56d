//===- KernelBuilder.cpp - What generators of kernels share ------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Support/KernelBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

sftile::Access mlir::sparseflow::accessOf(Broadcast broadcast) {
  switch (broadcast) {
  case Broadcast::PerFeature:
    return Access::Row;
  case Broadcast::PerToken:
    return Access::Col;
  case Broadcast::Full:
    return Access::Transposed;
  case Broadcast::Scalar:
    return Access::Scalar;
  }
  llvm_unreachable("unknown broadcast");
}

int64_t mlir::sparseflow::widthFor(int64_t cols, Type elementType) {
  int64_t bytes = elementType.getIntOrFloatBitWidth() / 8;
  int64_t width = 16;
  while (width > bytes && cols * bytes % width)
    width /= 2;
  return width;
}

KernelBuilder::KernelBuilder(OpBuilder &builder, Location loc, StringRef name,
                             int64_t pointers, int64_t sizes, int64_t warps,
                             Attribute schedule, ArrayRef<int64_t> maps)
    : builder(builder), loc(loc) {
  SmallVector<Type> parameters(
      pointers, LLVM::LLVMPointerType::get(builder.getContext(), 1));
  for (int64_t index : maps)
    parameters[index] = LLVM::LLVMPointerType::get(builder.getContext());
  parameters.append(sizes, builder.getI64Type());
  kernel = gpu::GPUFuncOp::create(builder, loc, name,
                                  builder.getFunctionType(parameters, {}));
  kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                  builder.getUnitAttr());
  kernel.setKnownBlockSize(
      SmallVector<int32_t>{static_cast<int32_t>(warps * 32), 1, 1});
  kernel->setAttr("sftile.schedule", schedule);
  if (!maps.empty())
    kernel->setAttr("sftile.tensor_maps", builder.getDenseI64ArrayAttr(maps));
  builder.setInsertionPointToStart(&kernel.getBody().front());
}

Value KernelBuilder::size(int64_t number) {
  // Integers follow the pointers.
  auto *first =
      llvm::find_if(kernel.getArguments(), [](BlockArgument argument) {
        return argument.getType().isInteger(64);
      });
  return *(first + number);
}

Value KernelBuilder::constant(Type type, int64_t value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getIntegerAttr(type, value));
}

Value KernelBuilder::i64(int64_t value) {
  return constant(builder.getI64Type(), value);
}

Value KernelBuilder::i32(int64_t value) {
  return constant(builder.getI32Type(), value);
}

Value KernelBuilder::index(int64_t value) {
  return constant(builder.getIndexType(), value);
}

Value KernelBuilder::like(Value a, int64_t value) {
  return constant(a.getType(), value);
}

Value KernelBuilder::add(Value a, Value b) {
  return builder.createOrFold<arith::AddIOp>(loc, a, b);
}

Value KernelBuilder::mul(Value a, int64_t b) {
  return builder.createOrFold<arith::MulIOp>(loc, a, like(a, b));
}

Value KernelBuilder::div(Value a, Value b) {
  return builder.createOrFold<arith::DivUIOp>(loc, a, b);
}

Value KernelBuilder::rem(Value a, Value b) {
  return builder.createOrFold<arith::RemUIOp>(loc, a, b);
}

Value KernelBuilder::min(Value a, Value b) {
  return builder.createOrFold<arith::MinSIOp>(loc, a, b);
}

Value KernelBuilder::toIndex(Value value) {
  if (value.getType().isIndex())
    return value;
  return builder.createOrFold<arith::IndexCastOp>(loc, builder.getIndexType(),
                                                  value);
}

Value KernelBuilder::toI64(Value value) {
  if (value.getType().isInteger(64))
    return value;
  if (value.getType().isInteger(32))
    return builder.createOrFold<arith::ExtUIOp>(loc, builder.getI64Type(),
                                                value);
  return builder.createOrFold<arith::IndexCastOp>(loc, builder.getI64Type(),
                                                  value);
}

Value KernelBuilder::toI32(Value value) {
  if (value.getType().isInteger(32))
    return value;
  if (value.getType().isInteger(64))
    return builder.createOrFold<arith::TruncIOp>(loc, builder.getI32Type(),
                                                 value);
  return builder.createOrFold<arith::IndexCastOp>(loc, builder.getI32Type(),
                                                  value);
}

Value KernelBuilder::blockId() {
  return gpu::BlockIdOp::create(builder, loc, builder.getIndexType(),
                                gpu::Dimension::x);
}

Value KernelBuilder::view(Value pointer, Type elementType, Value rows,
                          int64_t cols, int64_t pitch) {
  return ViewOp::create(
      builder, loc,
      ViewType::get(builder.getContext(), elementType, Order::RowMajor),
      pointer, rows, i64(cols), i64(pitch));
}

Value KernelBuilder::mappedView(Value map, Type elementType) {
  return ViewOp::create(
      builder, loc,
      ViewType::get(builder.getContext(), elementType, Order::TensorMap), map);
}

Value KernelBuilder::operandView(const ElementOperand &operand, Value pointer,
                                 int64_t cols) {
  switch (operand.broadcast) {
  case Broadcast::PerFeature:
    return view(pointer, operand.elementType, i64(1), cols);
  case Broadcast::PerToken:
    return view(pointer, operand.elementType, count(), 1);
  case Broadcast::Full:
    if (operand.isTransposed)
      return ViewOp::create(builder, loc,
                            ViewType::get(builder.getContext(),
                                          operand.elementType, Order::RowMajor),
                            pointer, i64(cols), count(), count());
    return view(pointer, operand.elementType, count(), cols);
  case Broadcast::Scalar:
    return view(pointer, operand.elementType, i64(1), 1);
  }
  llvm_unreachable("unknown broadcast");
}

RoleOp KernelBuilder::openRole(StringRef name, int64_t warps) {
  builder.setInsertionPointToEnd(&kernel.getBody().front());
  auto role = RoleOp::create(builder, loc, name, warps, /*leader=*/false,
                             /*registers=*/IntegerAttr());
  openBody(role.getBody());
  return role;
}

void KernelBuilder::openBeside(RoleOp role) { openBody(role.getBeside()); }

void KernelBuilder::openBody(Region &region) {
  builder.setInsertionPointToStart(&region.emplaceBlock());
  sftile::YieldOp::create(builder, loc);
  builder.setInsertionPointToStart(&region.front());
}

void KernelBuilder::keepRolled(Operation *loop) {
  MLIRContext *context = builder.getContext();
  auto unroll = LLVM::LoopUnrollAttr::get(context, builder.getBoolAttr(true),
                                          {}, {}, {}, {}, {}, {});
  loop->setAttr("llvm.loop_annotation",
                LLVM::LoopAnnotationAttr::get(context, {}, {}, {}, unroll, {},
                                              {}, {}, {}, {}, {}, {}, {}, {},
                                              {}, {}));
}

Value mlir::sparseflow::cloneScalars(OpBuilder &builder, Value value,
                                     IRMapping &mapping) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    cloneScalars(builder, operand, mapping);
  builder.clone(*op, mapping);
  return mapping.lookup(value);
}

void KernelBuilder::griddepWait() {
  GriddepOp::create(builder, loc, GriddepAction::LaunchDependents);
  GriddepOp::create(builder, loc, GriddepAction::Wait);
}

gpu::GPUFuncOp KernelBuilder::finish() {
  builder.setInsertionPointToEnd(&kernel.getBody().front());
  gpu::ReturnOp::create(builder, loc);
  builder.setInsertionPointAfter(kernel);
  return kernel;
}

FragType KernelBuilder::frag(ArrayRef<int64_t> shape, Type elementType,
                             LayoutAttr layout) {
  return FragType::get(builder.getContext(), shape, elementType, layout);
}

Value KernelBuilder::loadOperand(const ElementOperand &operand, Value view,
                                 Value row, Value col, ArrayRef<int64_t> shape,
                                 LayoutAttr layout, bool featuresInBounds) {
  FragType type = frag(shape, operand.elementType, layout);
  if (operand.isTransposed)
    // Rows have as many elements as there are tokens: any number.
    return LoadOp::create(builder, loc, type, view, row, col, Access::Direct,
                          operand.elementType.getIntOrFloatBitWidth() / 8,
                          featuresInBounds);
  Access access = accessOf(operand.broadcast);
  bool hasTokens = access == Access::Transposed || access == Access::Col;
  bool hasFeatures = access == Access::Transposed || access == Access::Row;
  return LoadOp::create(builder, loc, type, view, hasTokens ? col : i64(0),
                        hasFeatures ? row : i64(0), access, operand.width,
                        /*rowsInBounds=*/false, featuresInBounds);
}

Value KernelBuilder::map(FragType type, ValueRange inputs, Body body) {
  auto op = MapOp::create(builder, loc, type, inputs);
  OpBuilder::InsertionGuard guard(builder);
  Block &block = op.getBody().emplaceBlock();
  for (Value input : inputs)
    block.addArgument(cast<FragType>(input.getType()).getElementType(), loc);
  builder.setInsertionPointToStart(&block);
  Value result = body(builder, block.getArguments());
  sftile::YieldOp::create(builder, loc, result);
  return op;
}

Value KernelBuilder::sum(Value first, Value second) {
  auto type = cast<FragType>(first.getType());
  return map(type, {first, second},
             [&](OpBuilder &inner, ValueRange in) -> Value {
               if (isa<FloatType>(type.getElementType()))
                 return arith::AddFOp::create(inner, loc, in[0], in[1]);
               return arith::AddIOp::create(inner, loc, in[0], in[1]);
             });
}

std::pair<Value, Value> KernelBuilder::halves(Value fragment, Value later) {
  auto type = cast<FragType>(fragment.getType());
  int64_t columns = type.getShape()[1] / 2;
  FragType half = frag({type.getShape()[0], columns}, type.getElementType(),
                       type.getLayout());
  auto from = [&](int64_t column) -> Value {
    return SliceOp::create(builder, loc, half, fragment, 0, column);
  };
  Value first = from(0), second = from(columns);
  Value own = arith::SelectOp::create(builder, loc, later, second, first);
  return {own, arith::SelectOp::create(builder, loc, later, first, second)};
}

Value KernelBuilder::map(const ElementBody &body, ValueRange inputs,
                         ArrayRef<int64_t> shape, Type elementType,
                         LayoutAttr layout) {
  auto op =
      MapOp::create(builder, loc, frag(shape, elementType, layout), inputs);
  OpBuilder::InsertionGuard guard(builder);
  Block &block = op.getBody().emplaceBlock();
  IRMapping mapping;
  for (auto [argument, input] : llvm::zip(body.block->getArguments(), inputs))
    mapping.map(argument,
                block.addArgument(
                    cast<FragType>(input.getType()).getElementType(), loc));
  builder.setInsertionPointToStart(&block);
  for (Operation &scalar : body.block->without_terminator())
    builder.clone(scalar, mapping);
  sftile::YieldOp::create(builder, loc, mapping.lookupOrDefault(body.yielded));
  return op;
}
