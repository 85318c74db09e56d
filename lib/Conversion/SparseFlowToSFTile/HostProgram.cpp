//===- HostProgram.cpp - The launch list of a function ----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostProgram.h"
#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::sparseflow;

// Every buffer in the workspace starts at a multiple of this, so that the
// widest access is aligned wherever the workspace itself is.
static constexpr int64_t kBufferAlignment = 256;

HostProgram::HostProgram(func::FuncOp function,
                         const FunctionSignature &signature)
    : builder(function.getContext()), original(function), signature(signature) {
  MLIRContext *context = function.getContext();
  Type pointer = LLVM::LLVMPointerType::get(context, 1);
  int64_t pointers = function.getNumArguments() + function.getNumResults() + 1;
  SmallVector<Type> parameters(pointers, pointer);
  parameters.append(signature.symbols.size(), builder.getI64Type());
  builder.setInsertionPointAfter(function);
  host = func::FuncOp::create(
      builder, function.getLoc(), function.getName(),
      builder.getFunctionType(parameters, builder.getI64Type()));
  for (NamedAttribute attribute : function->getDiscardableAttrs())
    host->setAttr(attribute.getName(), attribute.getValue());
  builder.setInsertionPointToStart(host.addEntryBlock());
  workspace = host.getArgument(pointers - 1);
}

Value HostProgram::constant(int64_t value) {
  return arith::ConstantOp::create(builder, host.getLoc(),
                                   builder.getI64IntegerAttr(value));
}

Value HostProgram::sizeOf(const SymbolicDim &dim) {
  if (dim.symbol.empty())
    return constant(dim.size);
  size_t index =
      llvm::find(signature.symbols, dim.symbol) - signature.symbols.begin();
  return host.getArgument(host.getNumArguments() - signature.symbols.size() +
                          index);
}

Value HostProgram::rowsOf(Value tensor) {
  Value rows;
  ArrayRef<SymbolicDim> shape = signature.shapes.find(tensor)->second;
  for (const SymbolicDim &dim : shape.drop_back()) {
    Value size = sizeOf(dim);
    rows = rows ? builder.createOrFold<arith::MulIOp>(host.getLoc(), rows, size)
                : size;
  }
  return rows ? rows : constant(1);
}

Value HostProgram::dimOf(Value tensor, unsigned dim) {
  return sizeOf(signature.shapes.find(tensor)->second[dim]);
}

Value HostProgram::bytesOf(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  Value perRow = constant(type.getElementTypeBitWidth() / 8);
  if (int64_t rank = type.getRank())
    perRow = builder.createOrFold<arith::MulIOp>(
        host.getLoc(), dimOf(tensor, rank - 1), perRow);
  return builder.createOrFold<arith::MulIOp>(host.getLoc(), rowsOf(tensor),
                                             perRow);
}

Value HostProgram::advance(Value pointer, int64_t bytes) {
  if (!bytes)
    return pointer;
  return LLVM::GEPOp::create(builder, host.getLoc(), pointer.getType(),
                             builder.getI8Type(), pointer, constant(bytes));
}

/// `value` rounded up to the alignment of buffers.
static Value alignUp(OpBuilder &builder, Location loc, Value value) {
  Value alignment = arith::ConstantOp::create(
      builder, loc, builder.getI64IntegerAttr(kBufferAlignment));
  Value units = builder.createOrFold<arith::CeilDivUIOp>(loc, value, alignment);
  return builder.createOrFold<arith::MulIOp>(loc, units, alignment);
}

Value mlir::sparseflow::skipReshapes(Value tensor) {
  while (isa_and_nonnull<tensor::CollapseShapeOp, tensor::ExpandShapeOp,
                         tensor::CastOp>(tensor.getDefiningOp()))
    tensor = tensor.getDefiningOp()->getOperand(0);
  return tensor;
}

/// The last op that reads `tensor`, by any of its shapes, or `last`.
static Operation *findLastUse(Value tensor, Operation *last) {
  for (Operation *user : tensor.getUsers()) {
    if (last->isBeforeInBlock(user))
      last = user;
    if (user->getNumResults() == 1 &&
        skipReshapes(user->getResult(0)) == skipReshapes(tensor))
      last = findLastUse(user->getResult(0), last);
  }
  return last;
}

void HostProgram::bindBuffers() {
  Location loc = host.getLoc();
  int64_t arguments = original.getNumArguments();
  for (int64_t index = 0; index < arguments; ++index)
    buffers[original.getArgument(index)] = host.getArgument(index);
  // A cache grows where it lies.
  for (auto append : original.front().getOps<CacheAppendOp>())
    buffers[append.getResult()] = buffers.lookup(append.getCache());
  auto terminator = original.front().getTerminator();
  for (auto [index, value] : llvm::enumerate(terminator->getOperands()))
    buffers.try_emplace(skipReshapes(value),
                        host.getArgument(arguments + index));

  // Tensors whose lives do not overlap and that have one size share a place.
  struct Place {
    Value pointer;
    SymbolicShape shape;
    Type type;
    Operation *lastUse;
  };
  SmallVector<Place, 4> places;
  workspaceEnd = constant(0);
  SmallVector<Value> tensors;
  for (Operation &op : original.front().without_terminator())
    if (op.hasAttr("sftile.schedules"))
      llvm::append_range(tensors, op.getResults());
  for (Value tensor : tensors) {
    if (buffers.contains(tensor))
      continue;
    Operation *op = tensor.getDefiningOp();
    Operation *lastUse = findLastUse(tensor, op);
    const SymbolicShape &shape = signature.shapes.find(tensor)->second;
    auto sameSize = [&](const Place &place) {
      return place.type == tensor.getType() &&
             llvm::equal(place.shape, shape,
                         [](const SymbolicDim &a, const SymbolicDim &b) {
                           return a.size == b.size && a.symbol == b.symbol;
                         });
    };
    auto *free = llvm::find_if(places, [&](const Place &place) {
      return sameSize(place) && place.lastUse->isBeforeInBlock(op);
    });
    if (free != places.end()) {
      free->lastUse = lastUse;
      buffers[tensor] = free->pointer;
      continue;
    }
    Value pointer =
        LLVM::GEPOp::create(builder, loc, workspace.getType(),
                            builder.getI8Type(), workspace, workspaceEnd);
    Value bytes = alignUp(builder, loc, bytesOf(tensor));
    workspaceEnd =
        builder.createOrFold<arith::AddIOp>(loc, workspaceEnd, bytes);
    buffers[tensor] = pointer;
    places.push_back({pointer, shape, tensor.getType(), lastUse});
  }
  scratchBytes = constant(0);
}

Value HostProgram::reserve(Value rows, int64_t bytesPerRow) {
  Location loc = host.getLoc();
  Value pointer =
      LLVM::GEPOp::create(builder, loc, workspace.getType(),
                          builder.getI8Type(), workspace, workspaceEnd);
  Value bytes =
      builder.createOrFold<arith::MulIOp>(loc, rows, constant(bytesPerRow));
  workspaceEnd = builder.createOrFold<arith::AddIOp>(
      loc, workspaceEnd, alignUp(builder, loc, bytes));
  return pointer;
}

Value HostProgram::scratch(Value bytes) {
  Location loc = host.getLoc();
  scratchBytes = builder.createOrFold<arith::MaxUIOp>(
      loc, scratchBytes, alignUp(builder, loc, bytes));
  return LLVM::GEPOp::create(builder, loc, workspace.getType(),
                             builder.getI8Type(), workspace, workspaceEnd);
}

void HostProgram::emitLaunches(Location loc, StringRef opName, Value rows,
                               const Variant &variant) {
  for (const Launch &launch : variant.launches(builder)) {
    auto index = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(builder, loc, value);
    };
    Value grid = arith::IndexCastOp::create(
        builder, loc, builder.getIndexType(), launch.grid);
    gpu::GPUFuncOp kernel = launch.kernel;
    int64_t threads = (*kernel.getKnownBlockSize())[0];
    SmallVector<Value> arguments = launch.pointers;
    if (launch.sizes.empty())
      arguments.push_back(rows);
    llvm::append_range(arguments, launch.sizes);
    Value shared = arith::ConstantOp::create(
        builder, loc,
        builder.getI32IntegerAttr(0)); // set when shared memory is laid out
    auto op = gpu::LaunchFuncOp::create(
        builder, loc, kernel, gpu::KernelDim3{grid, index(1), index(1)},
        gpu::KernelDim3{index(threads), index(1), index(1)}, shared, arguments);
    op->setAttr("sparseflow.op", builder.getStringAttr(opName));
    if (launch.programmatic)
      op->setAttr("sparseflow.programmatic", builder.getUnitAttr());
  }
}

void HostProgram::addStep(Location loc, StringRef opName, Value rows,
                          ArrayRef<Variant> variants) {
  const Variant &variant = variants.front();
  Value guard;
  auto require = [&](Value condition) {
    guard = guard ? arith::AndIOp::create(builder, loc, guard, condition)
                  : condition;
  };
  if (variant.maxRows)
    require(arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ule, rows,
                                  constant(variant.maxRows)));
  for (const Alignment &alignment : variant.alignments) {
    Value address = LLVM::PtrToIntOp::create(builder, loc, builder.getI64Type(),
                                             alignment.pointer);
    Value low = arith::AndIOp::create(builder, loc, address,
                                      constant(alignment.bytes - 1));
    require(arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, low,
                                  constant(0)));
  }
  for (Value condition : variant.conditions)
    require(condition);
  if (!guard) {
    emitLaunches(loc, opName, rows, variant);
    return;
  }
  bool last = variants.size() == 1;
  auto branch = scf::IfOp::create(builder, loc, guard, /*withElse=*/!last);
  branch->setAttr("sparseflow.op", builder.getStringAttr(opName));
  OpBuilder::InsertionGuard insertion(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  if (variant.nothing)
    branch->setAttr("sparseflow.nothing", builder.getUnitAttr());
  else
    emitLaunches(loc, opName, rows, variant);
  if (!last) {
    builder.setInsertionPointToStart(branch.elseBlock());
    addStep(loc, opName, rows, variants.drop_front());
  }
}

func::FuncOp HostProgram::finish() {
  Location loc = host.getLoc();
  Value total =
      builder.createOrFold<arith::AddIOp>(loc, workspaceEnd, scratchBytes);
  func::ReturnOp::create(builder, loc, total);
  original.erase();
  return host;
}
