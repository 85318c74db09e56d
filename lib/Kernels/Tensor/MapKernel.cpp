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

gpu::GPUFuncOp mlir::sparseflow::generateMap(OpBuilder &builder,
                                             const TensorKernel &spec) {
  const TensorGroup &group = spec.group;
  ThreadCode code(builder, spec.loc);
  int64_t vector = spec.access.vector;
  gpu::GPUFuncOp kernel = code.openKernel(
      spec.name, int64_t(group.inputs.size() + group.outputs.size()),
      std::max<int64_t>(group.numbers, 1), kThreads, spec.programmatic);
  ElementEmitter emitter(code, group, spec.access);
  emitter.width = vector;
  emitter.bind(kernel);
  emitter.assumeVector(spec.form);

  SmallVector<Value> computed = group.getComputed();
  SmallVector<Size> sizes = emitter.sizesOf(computed.front());
  Size total = IndexArithmetic::product(emitter, sizes);
  Value first = arith::MulIOp::create(
      builder, spec.loc,
      gpu::BlockIdOp::create(builder, spec.loc, gpu::Dimension::x),
      emitter.index(mapTile(group, vector)));
  Value own = arith::MulIOp::create(
      builder, spec.loc,
      gpu::ThreadIdOp::create(builder, spec.loc, gpu::Dimension::x),
      emitter.index(vector));
  Value start = arith::AddIOp::create(builder, spec.loc, first, own);
  Value last = builder.createOrFold<arith::SubIOp>(
      spec.loc, emitter.valueOf(total), emitter.index(vector));

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
    for (Value tensor : computed)
      part.elements.push_back(emitter.evaluate(tensor, part.indices));
    parts.push_back(std::move(part));
  }
  for (const Part &part : parts)
    code.ifTrue(part.isInside, [&] {
      Scope scope(emitter);
      if (CacheAppendOp append = group.getAppend()) {
        emitter.append(append, part.elements.front(), part.indices);
        return;
      }
      for (auto [number, elements] : llvm::enumerate(part.elements))
        emitter.store(int64_t(number), elements, part.indices);
    });
  code.closeKernel(kernel);
  return kernel;
}
