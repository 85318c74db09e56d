//===- ElementEmitter.h - Elements of tensors, as code ----------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the code that computes elements of a tensor value, whatever ops make
// it: a tensor in memory is loaded; a linalg op is its body, on elements of its
// operands where its indexing maps say; reshapes, slices, concatenations and
// pads are arithmetic on indices. Each element is computed once: what was asked
// for before, at the same index, is the same value. Reductions are asked of the
// kernel, which knows how its threads share them.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_TENSOR_ELEMENTEMITTER_H
#define SPARSEFLOW_LIB_KERNELS_TENSOR_ELEMENTEMITTER_H

#include "Kernels/Support/ThreadCode.h"
#include "Kernels/Tensor/Lanes.h"
#include "Kernels/Tensor/TensorKernel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::sparseflow {

class ElementEmitter : public IndexArithmetic {
public:
  ElementEmitter(ThreadCode &code, const TensorGroup &group,
                 const TensorAccess &access)
      : IndexArithmetic(code.builder, code.loc), code(code), group(group),
        access(access) {}

  /// Takes the parameters of the kernel, whose body is being written: pointers
  /// from `pointers` on, and integers from `numbers` on.
  void bind(gpu::GPUFuncOp kernel, unsigned pointers, unsigned numbers);
  /// Takes those of a kernel of this group alone.
  void bind(gpu::GPUFuncOp kernel) {
    bind(kernel, 0, group.inputs.size() + group.outputs.size());
  }

  /// The elements of `tensor` at `indices`, one of its element type for each
  /// lane.
  Lanes evaluate(Value tensor, ArrayRef<Lanes> indices);
  /// Values of the body of `op` at an iteration.
  SmallVector<Lanes> evaluateBody(linalg::LinalgOp op, ArrayRef<Lanes> loops,
                                  ValueRange wanted);
  /// `yes` or `no`, computed only where `condition` (i1) says so.
  Lanes choose(Value condition, Type element, function_ref<Lanes()> yes,
               function_ref<Lanes()> no);
  /// Stores elements of output `number` at `indices`.
  void store(int64_t number, const Lanes &elements, ArrayRef<Lanes> indices);
  /// Stores elements of tokens, at `indices` of them, where the cache that is
  /// the only output has a place for them.
  void append(CacheAppendOp op, const Lanes &elements, ArrayRef<Lanes> indices);
  /// Stores elements of a slice, at `indices` of it, where what it is inserted
  /// into, which is the only output, has a place for them.
  void update(tensor::InsertSliceOp op, const Lanes &elements,
              ArrayRef<Lanes> indices);

  SmallVector<Size> sizesOf(Value tensor);
  /// The sizes of the loops of `op`.
  SmallVector<Size> loopSizes(linalg::LinalgOp op);
  /// The iteration that writes element `indices` of result `number`.
  SmallVector<Lanes> loopsOf(linalg::LinalgOp op, int64_t number,
                             ArrayRef<Lanes> indices);
  /// Takes the size that accesses of more than one element run over as a
  /// multiple of them, which the host has checked.
  void assumeVector(KernelForm form);

  /// Elements of a reduction, which the kernel knows already.
  void remember(Value tensor, ArrayRef<Lanes> indices, const Lanes &elements);
  /// Whether `tensor` is read from memory, as it is or by another shape.
  Value pointerOf(Value tensor);

  /// Called for the elements of a reduction at these indices when they are
  /// first asked for: remembers them.
  std::function<void(linalg::LinalgOp, int64_t number, ArrayRef<Lanes>)>
      onReduction;

  ThreadCode &code;

  /// A value as it is in memory, and back from what `load` gives.
  Value toStored(Value value);
  Value fromStored(Type element, function_ref<Value(Type stored)> load);
  /// An integer of the function: one that the host computes, or that elements
  /// of tensors decide. Of its own type.
  Value scalar(Value value);
  Lanes constant(TypedAttr value);

private:
  Lanes compute(Value tensor, ArrayRef<Lanes> indices);
  /// An integer that elements decide.
  Value compute(Value value);
  Lanes load(Value tensor, Value pointer, ArrayRef<Lanes> indices);
  Value address(Value pointer, Value offset, Type stored);
  Lanes concat(tensor::ConcatOp op, ArrayRef<Lanes> indices);
  Lanes pad(tensor::PadOp op, ArrayRef<Lanes> indices);
  Lanes insert(tensor::InsertSliceOp op, ArrayRef<Lanes> indices);
  Lanes insertStrided(tensor::InsertSliceOp op, ArrayRef<Lanes> indices);
  Lanes extract(tensor::ExtractSliceOp op, ArrayRef<Lanes> indices);
  Lanes reshape(Value source, Value result, ArrayRef<Lanes> indices,
                ArrayRef<ReassociationIndices> groups, bool isCollapse);
  /// One lane after the other, where lanes go different ways.
  Lanes laneByLane(ArrayRef<Lanes> indices,
                   function_ref<Lanes(ArrayRef<Lanes>)> compute);
  /// `inside` at indices less `from` where they are in the box of `sizes`
  /// there, else `outside`; dimensions that the box fills are not compared.
  Lanes inBox(ArrayRef<Lanes> indices, ArrayRef<Lanes> from,
              ArrayRef<Size> sizes, ArrayRef<bool> isWhole, Type element,
              function_ref<Lanes(ArrayRef<Lanes>)> inside,
              function_ref<Lanes(ArrayRef<Lanes>)> outside);
  /// Whether lane 0 of `index` is in [from, end), i1.
  Value isInside(const Lanes &index, const Lanes &from, const Lanes &end);
  /// Compares the first lanes.
  Value compare(arith::CmpIPredicate predicate, const Lanes &a, const Lanes &b);
  Lanes numberOf(OpFoldResult number);
  Lanes lanesOf(const Size &size);
  /// Whether lane 0 of `index` is in [0, end), i1.
  Value isBelow(const Lanes &index, const Lanes &end);

  const TensorGroup &group;
  const TensorAccess &access;
  gpu::GPUFuncOp kernel;
  unsigned firstPointer = 0;
  SmallVector<Value> parameters; // index
  DenseMap<int64_t, int64_t> multiples;
};

/// How many bytes an element has in memory: i1 has one.
int64_t elementBytes(Type element);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_TENSOR_ELEMENTEMITTER_H
