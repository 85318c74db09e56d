//===- MapKernel.cpp - A thread for some elements of the result -----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Elementwise ops, gathers, broadcasts, slices, concatenations, permutations:
// an element of the result is a function of its indices. A thread computes
// vectors of adjacent elements. Loads of all its vectors stand before their
// use; one past the end computes the last vector again and stores nothing.
//
//===----------------------------------------------------------------------===//

#include "Kernels/Tensor/ElementEmitter.h"
#include "Kernels/Tensor/TensorKernel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::sparseflow;

static constexpr int64_t kThreads = 256;
// Vectors of a thread, where there are enough elements for every SM.
static constexpr int64_t kVectors = 2, kManyElements = 1 << 20;

static int64_t vectorsOf(const TensorGroup &group) {
  auto type = cast<RankedTensorType>(group.getComputed().front().getType());
  bool isFew = type.hasStaticShape() && type.getNumElements() < kManyElements;
  return isFew ? 1 : kVectors;
}

int64_t mlir::sparseflow::mapTile(const TensorGroup &group, int64_t vector) {
  return kThreads * vector * vectorsOf(group);
}

/// Whether `value`, of the body of `op`, is the element that the result of `op`
/// replaces in place.
static bool isReplaced(linalg::LinalgOp op, Value value) {
  auto element = dyn_cast<BlockArgument>(value);
  if (!element || element.getOwner() != op.getBlock())
    return false;
  auto argument =
      dyn_cast<BlockArgument>(op->getOperand(element.getArgNumber()));
  auto number = op->getAttrOfType<IntegerAttr>(kInPlaceAttr);
  return argument && argument.getOwner() == op->getBlock() &&
         argument.getArgNumber() == number.getInt();
}

/// Stores elements of a result that has the memory of an argument. Where they
/// are selected between new ones and those that are there, nothing is read or
/// written for the latter.
static void emitUpdate(ThreadCode &code, ElementEmitter &emitter,
                       const TensorGroup &group, ArrayRef<Lanes> indices) {
  auto op = cast<linalg::LinalgOp>(group.root);
  SmallVector<Lanes> loops = emitter.loopsOf(op, 0, indices);
  Value element = op.getBlock()->getTerminator()->getOperand(0);
  auto store = [&] {
    Scope scope(emitter);
    emitter.store(0, emitter.evaluateBody(op, loops, element)[0], indices);
  };
  auto select = element.getDefiningOp<arith::SelectOp>();
  bool keepsTrue = select && isReplaced(op, select.getTrueValue());
  if (!keepsTrue && !(select && isReplaced(op, select.getFalseValue())))
    return store();
  Lanes condition = emitter.evaluateBody(op, loops, select.getCondition())[0];
  if (!condition.isUniform())
    return store();
  element = keepsTrue ? select.getFalseValue() : select.getTrueValue();
  Value isNew = emitter.at(condition, 0);
  if (keepsTrue) {
    Value yes = arith::ConstantOp::create(code.builder, code.loc,
                                          code.builder.getBoolAttr(true));
    isNew = arith::XOrIOp::create(code.builder, code.loc, isNew, yes);
  }
  code.ifTrue(isNew, store);
}

/// The code of block `block` (index) of `spec`.
static void emitMap(ThreadCode &code, ElementEmitter &emitter,
                    const TensorKernel &spec, Value block) {
  const TensorGroup &group = spec.group;
  OpBuilder &builder = code.builder;
  int64_t vector = spec.access.vector;
  emitter.width = vector;
  emitter.assumeVector(spec.form);

  SmallVector<Value> computed = group.getComputed();
  SmallVector<Size> sizes = emitter.sizesOf(computed.front());
  Size total = IndexArithmetic::product(emitter, sizes);
  Value first = arith::MulIOp::create(builder, spec.loc, block,
                                      emitter.index(mapTile(group, vector)));
  Value own = arith::MulIOp::create(
      builder, spec.loc,
      gpu::ThreadIdOp::create(builder, spec.loc, gpu::Dimension::x),
      emitter.index(vector));
  Value start = arith::AddIOp::create(builder, spec.loc, first, own);
  Value last = builder.createOrFold<arith::SubIOp>(
      spec.loc, emitter.valueOf(total), emitter.index(vector));

  // What another thread writes may not be read, not even for nothing.
  bool isUpdate = group.root->hasAttr(kInPlaceAttr) && !group.getSlice();
  struct Part {
    Value isInside;
    SmallVector<Lanes> indices, elements;
  };
  std::vector<Part> parts;
  for (int64_t number = 0; number < vectorsOf(group); ++number) {
    Value at = builder.createOrFold<arith::AddIOp>(
        spec.loc, start, emitter.index(number * kThreads * vector));
    Value isInside = arith::CmpIOp::create(builder, spec.loc,
                                           arith::CmpIPredicate::ule, at, last);
    Value read = arith::MinUIOp::create(builder, spec.loc, at, last);
    Part part{isInside,
              emitter.delinearize(emitter.line(read, 1, vector), sizes),
              {}};
    for (Value tensor : isUpdate ? ArrayRef<Value>() : ArrayRef(computed))
      part.elements.push_back(emitter.evaluate(tensor, part.indices));
    parts.push_back(std::move(part));
  }
  for (const Part &part : parts)
    code.ifTrue(part.isInside, [&] {
      Scope scope(emitter);
      if (isUpdate) {
        emitUpdate(code, emitter, group, part.indices);
        return;
      }
      if (CacheAppendOp append = group.getAppend()) {
        emitter.append(append, part.elements.front(), part.indices);
        return;
      }
      if (tensor::InsertSliceOp slice = group.getSlice()) {
        emitter.update(slice, part.elements.front(), part.indices);
        return;
      }
      for (auto [number, elements] : llvm::enumerate(part.elements))
        emitter.store(int64_t(number), elements, part.indices);
    });
}

gpu::GPUFuncOp mlir::sparseflow::generateMaps(OpBuilder &builder,
                                              StringRef name,
                                              ArrayRef<TensorKernel> kernels) {
  int64_t pointers = 0, numbers = kernels.size() - 1;
  for (const TensorKernel &spec : kernels) {
    pointers += spec.group.inputs.size() + spec.group.outputs.size();
    numbers += std::max<int64_t>(spec.group.numbers, 1);
  }
  Location loc = kernels.front().loc;
  ThreadCode code(builder, loc);
  gpu::GPUFuncOp kernel = code.openKernel(name, pointers, numbers, kThreads,
                                          kernels.front().programmatic);
  Value block = gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x);
  unsigned pointer = 0, number = pointers;
  unsigned ends = pointers + numbers - (kernels.size() - 1);
  auto endOf = [&](size_t index) -> Value {
    return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                      kernel.getArgument(ends + index));
  };
  for (auto [index, spec] : llvm::enumerate(kernels)) {
    auto emit = [&, &spec = spec](Value own) {
      ElementEmitter emitter(code, spec.group, spec.access);
      emitter.bind(kernel, pointer, number);
      emitMap(code, emitter, spec, own);
    };
    if (kernels.size() == 1) {
      emit(block);
      break;
    }
    Value isOwn, own = block;
    if (index) {
      Value begin = endOf(index - 1);
      isOwn = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge,
                                    block, begin);
      own = arith::SubIOp::create(builder, loc, block, begin);
    }
    if (index + 1 < kernels.size()) {
      Value isBefore = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::ult, block, endOf(index));
      isOwn = isOwn ? arith::AndIOp::create(builder, loc, isOwn, isBefore)
                    : isBefore;
    }
    code.ifTrue(isOwn, [&] { emit(own); });
    pointer += spec.group.inputs.size() + spec.group.outputs.size();
    number += std::max<int64_t>(spec.group.numbers, 1);
  }
  code.closeKernel(kernel);
  return kernel;
}
