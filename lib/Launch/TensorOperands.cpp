//===- TensorOperands.cpp - What kernels of tensor ops are launched with --===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Launch/TensorOperands.h"
#include "Kernels/Support/HostIntegers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::sparseflow;

namespace {

/// Finds what a kernel reads: tensors in memory, sizes, and integers that the
/// host computes.
class GroupCollector {
public:
  GroupCollector(HostProgramBuilder &program, TensorGroup &group)
      : program(program), group(group) {}

  LogicalResult collect() {
    for (Value result : group.root->getResults()) {
      group.outputs.push_back(result);
      addSizes(result);
    }
    return visit(group.root);
  }
  /// The integers of a launch, and what must hold of sizes (i1) so that slices
  /// are inside of what they are taken from.
  SmallVector<Value> numbers, bounds;

private:
  int64_t numberOf(Value value) {
    auto *found = llvm::find(numbers, value);
    if (found != numbers.end())
      return found - numbers.begin();
    numbers.push_back(value);
    return group.numbers++;
  }

  void addSizes(Value tensor) {
    auto type = cast<RankedTensorType>(tensor.getType());
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (type.isDynamicDim(dim))
        group.sizes[{tensor, dim}] = numberOf(program.dimOf(tensor, dim));
  }

  /// What elements decide the kernel computes of them.
  LogicalResult addScalar(Value value) {
    Operation *op = value.getDefiningOp();
    if (!value.getType().isIntOrIndex() ||
        isa_and_nonnull<arith::ConstantOp>(op))
      return success();
    if (!isFromData(value)) {
      group.scalars[value] = numberOf(program.scalarOf(value));
      return success();
    }
    for (Value operand : op->getOperands())
      if (failed(isa<RankedTensorType>(operand.getType()) ? read(op, operand)
                                                          : addScalar(operand)))
        return failure();
    return success();
  }

  /// A slice's end, where sizes of a call decide it.
  void addBounds(tensor::ExtractSliceOp op) {
    HostIntegers host{program.builder, op.getLoc()};
    auto number = [&](OpFoldResult value) -> Value {
      if (std::optional<int64_t> known = getConstantIntValue(value))
        return host.constant(*known);
      return program.scalarOf(cast<Value>(value));
    };
    for (auto [dim, offset, size, stride] : llvm::enumerate(
             op.getMixedOffsets(), op.getMixedSizes(), op.getMixedStrides())) {
      // An offset of data is inside already.
      auto first = dyn_cast<Value>(offset);
      if (getConstantIntValue(stride) != 1 || (first && isFromData(first)))
        continue;
      Value end = host.add(number(offset), number(size));
      Value all = program.dimOf(op.getSource(), dim);
      if (end != all && !(getConstantIntValue(end) && getConstantIntValue(all)))
        bounds.push_back(arith::CmpIOp::create(
            program.builder, op.getLoc(), arith::CmpIPredicate::ule, end, all));
    }
  }

  LogicalResult readScalar(Operation *op, Value value) {
    if (isa_and_nonnull<arith::ConstantOp>(value.getDefiningOp()))
      return success();
    if (!value.getType().isIntOrIndex())
      return op->emitOpError("expected a body that uses its inputs, constants "
                             "and integers computed from sizes, found a value "
                             "of ")
             << value.getType()
             << " that the host computes; pass it as an input of rank 0";
    return addScalar(value);
  }

  LogicalResult read(Operation *reader, Value tensor) {
    if (!isa<RankedTensorType>(tensor.getType()))
      return readScalar(reader, tensor);
    addSizes(tensor);
    Value source = skipReshapes(tensor);
    if (program.bufferOf(tensor)) {
      group.inputs.insert(source);
      return success();
    }
    Operation *op = tensor.getDefiningOp();
    assert(op && "arguments of the function have buffers");
    if (isa<arith::ConstantOp, tensor::EmptyOp>(op))
      return success();
    return seen.insert(op).second ? visit(op) : success();
  }

  LogicalResult visit(Operation *op) {
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
      return visitLinalg(linalgOp);
    // Offsets and the like.
    for (Value operand : op->getOperands())
      if (operand.getType().isIntOrIndex() && failed(addScalar(operand)))
        return failure();
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
      addBounds(slice);
    if (auto pad = dyn_cast<tensor::PadOp>(op))
      if (failed(visitBody(op, pad.getRegion().front())))
        return failure();
    if (auto reshape = dyn_cast<tensor::ReshapeOp>(op))
      return read(op, reshape.getSource());
    auto append = dyn_cast<CacheAppendOp>(op);
    tensor::InsertSliceOp slice = getUpdateOfSlice(op);
    for (OpOperand &operand : op->getOpOperands()) {
      // A cache is written where it lies, as other arguments are.
      if ((append && &operand == &append.getCacheMutable()) ||
          (slice && &operand == &slice.getDestMutable()))
        addSizes(operand.get());
      else if (isa<RankedTensorType>(operand.get().getType()) &&
               failed(read(op, operand.get())))
        return failure();
    }
    return success();
  }

  LogicalResult visitLinalg(linalg::LinalgOp op) {
    for (OpOperand &operand : op->getOpOperands()) {
      if (isa<RankedTensorType>(operand.get().getType()))
        addSizes(operand.get());
      if (op.payloadUsesValueFromOperand(&operand) &&
          failed(read(op, operand.get())))
        return failure();
    }
    return visitBody(op, *op.getBlock());
  }

  LogicalResult visitBody(Operation *owner, Block &block) {
    for (Operation &inner : block)
      for (Value operand : inner.getOperands()) {
        bool isOwn = operand.getParentBlock() == &block;
        if (!isOwn && failed(read(owner, operand)))
          return failure();
      }
    return success();
  }

  HostProgramBuilder &program;
  TensorGroup &group;
  DenseSet<Operation *> seen;
};

} // namespace

LogicalResult TensorOperands::collect(Operation *root,
                                      HostProgramBuilder &program) {
  group.root = root;
  GroupCollector collector(program, group);
  if (failed(collector.collect()) || program.sizesFailed())
    return failure();
  for (Value input : group.inputs)
    pointers.push_back(program.bufferOf(input));
  for (Value output : group.outputs)
    pointers.push_back(program.bufferOf(output));
  numbers = collector.numbers;
  bounds = collector.bounds;
  if (numbers.empty())
    numbers.push_back(program.constant(0));
  vector = vectorOf(group, *kernelFormOf(root), dynamic);
  return success();
}

bool TensorOperands::isApartFrom(const TensorOperands &next) const {
  auto outputs = [](const TensorOperands &of) {
    return ArrayRef(of.pointers).take_back(of.group.outputs.size());
  };
  auto meets = [](ArrayRef<Value> a, ArrayRef<Value> b) {
    return llvm::any_of(
        a, [&](Value value) { return llvm::is_contained(b, value); });
  };
  return !meets(outputs(*this), next.pointers) &&
         !meets(pointers, outputs(next));
}

FailureOr<CollectedRows>
mlir::sparseflow::collectRows(Operation *root, HostProgramBuilder &program) {
  TensorOperands member;
  if (failed(member.collect(root, program)))
    return failure();
  CollectedRows collected;
  collected.bounds = member.bounds;
  collected.inputs = member.pointers;
  collected.inputs.pop_back();
  if (member.group.numbers)
    collected.numbers = member.numbers;
  collected.rows = std::make_shared<ComputedRows>(
      ComputedRows{std::move(member.group), {member.vector}});
  return collected;
}

void CollectedRows::require(Variant &variant) const {
  for (Value pointer : inputs)
    variant.require(pointer, 16);
  llvm::append_range(variant.conditions, bounds);
}
