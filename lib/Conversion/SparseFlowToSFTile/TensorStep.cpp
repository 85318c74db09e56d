//===- TensorStep.cpp - Kernels of tensor ops, and their launches ---------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorStep.h"
#include "Kernels/Tensor/TensorKernel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::sparseflow;

namespace {

/// Finds what a kernel reads: tensors in memory, sizes, and integers that the
/// host computes.
class GroupCollector {
public:
  GroupCollector(HostProgram &program, TensorGroup &group)
      : program(program), group(group) {}

  LogicalResult collect() {
    for (Value result : group.root->getResults()) {
      group.outputs.push_back(result);
      addSizes(result);
    }
    return visit(group.root);
  }
  /// The integers of a launch.
  SmallVector<Value> numbers;

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

  void addScalar(Value value) {
    if (value.getType().isIntOrIndex() &&
        !isa_and_nonnull<arith::ConstantOp>(value.getDefiningOp()))
      group.scalars[value] = numberOf(program.scalarOf(value));
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
    addScalar(value);
    return success();
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
      if (operand.getType().isIntOrIndex())
        addScalar(operand);
    if (auto pad = dyn_cast<tensor::PadOp>(op))
      if (failed(visitBody(op, pad.getRegion().front())))
        return failure();
    if (auto reshape = dyn_cast<tensor::ReshapeOp>(op))
      return read(op, reshape.getSource());
    auto append = dyn_cast<CacheAppendOp>(op);
    for (OpOperand &operand : op->getOpOperands()) {
      // A cache is written where it lies.
      if (append && &operand == &append.getCacheMutable())
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

  HostProgram &program;
  TensorGroup &group;
  DenseSet<Operation *> seen;
};

} // namespace

LogicalResult mlir::sparseflow::convertTensorOp(Operation *root,
                                                HostProgram &program,
                                                OpBuilder &kernels,
                                                const std::string &prefix,
                                                bool programmatic) {
  // Of nothing there is nothing to launch.
  if (llvm::is_contained(
          cast<RankedTensorType>(root->getResult(0).getType()).getShape(), 0))
    return success();
  KernelForm form = *kernelFormOf(root);
  TensorGroup group;
  group.root = root;
  GroupCollector collector(program, group);
  if (failed(collector.collect()) || program.sizesFailed())
    return failure();
  SmallVector<Value> pointers;
  for (Value input : group.inputs)
    pointers.push_back(program.bufferOf(input));
  for (Value output : group.outputs)
    pointers.push_back(program.bufferOf(output));
  SmallVector<Value> numbers = collector.numbers;
  if (numbers.empty())
    numbers.push_back(program.constant(0));

  std::optional<std::pair<Value, int64_t>> dynamic;
  int64_t vector = vectorOf(group, form, dynamic);
  Location loc = root->getLoc();
  StringRef formName = stringifyKernelForm(form);
  SmallVector<Variant> variants;
  for (int64_t length : {vector, int64_t(1)}) {
    TensorKernel kernel{prefix + "_" + formName.str() +
                            (length == vector ? "" : "_any"),
                        loc,
                        group,
                        form,
                        {length},
                        programmatic};
    Variant variant;
    if (length > 1) {
      for (Value pointer : pointers)
        // Parts of the workspace are aligned.
        if (!pointer.getDefiningOp<LLVM::GEPOp>())
          variant.alignments.push_back({pointer, 16});
      if (dynamic) {
        Value size = program.dimOf(dynamic->first, dynamic->second);
        Value rest = arith::RemUIOp::create(program.builder, loc, size,
                                            program.constant(length));
        variant.conditions.push_back(arith::CmpIOp::create(
            program.builder, loc, arith::CmpIPredicate::eq, rest,
            program.constant(0)));
      }
    }
    Value grid =
        kernel.gridSize(program.builder, [&](Value tensor, int64_t dim) {
          return program.dimOf(tensor, dim);
        });
    gpu::GPUFuncOp function = kernel.generate(kernels);
    variant.launches = [=](OpBuilder &) {
      return SmallVector<Launch>{
          {function, grid, pointers, numbers, programmatic}};
    };
    bool isGuarded = !variant.alignments.empty() || !variant.conditions.empty();
    variants.push_back(std::move(variant));
    if (!isGuarded)
      break;
  }
  if (program.sizesFailed())
    return failure();
  program.addStep(loc, formName, program.constant(1), variants);
  return success();
}
