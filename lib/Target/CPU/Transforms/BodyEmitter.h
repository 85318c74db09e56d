//===- BodyEmitter.h - Bodies of linalg ops in vector loops -----*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_TARGET_CPU_TRANSFORMS_BODYEMITTER_H
#define SPARSEFLOW_LIB_TARGET_CPU_TRANSFORMS_BODYEMITTER_H

#include "Target/CPU/Transforms/IndexBuilder.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::sparseflow::cpu {

/// Emits the body of an op on buffers for one element, or for `lanes` elements
/// that are neighbours along its last loop. An operand that does not vary along
/// it is loaded once a row and broadcast.
class BodyEmitter {
public:
  BodyEmitter(linalg::GenericOp op, const IndexBuilder &ib, int64_t lanes)
      : op(op), ib(ib), lanes(lanes) {}

  /// True where `op` has buffers whose elements along the last loop are
  /// neighbours or the same, and a body of elementwise ops.
  static bool isEmittable(linalg::GenericOp op);

  /// The number of iterations of each loop.
  SmallVector<Value> loopSizes();
  /// The position in all loops but the last, of which all together count
  /// `row`; 0 in the last.
  SmallVector<Value> rowOf(Value row, ArrayRef<Value> sizes);
  /// How many rows those loops make together, and how many of them have about
  /// `unit` elements, at least one.
  Value rowCount(ArrayRef<Value> sizes);
  Value rowsPerUnit(ArrayRef<Value> sizes, int64_t unit);
  /// Where `operand` is read or written at `ivs`.
  SmallVector<Value> indices(OpOperand &operand, ArrayRef<Value> ivs);

  /// Loads, once a row, what stays the same along it.
  void loadInvariants(ArrayRef<Value> ivs);
  /// The values that the body yields at `ivs`. `carried`: what takes the place
  /// of the first result's old value, null where memory has it.
  SmallVector<Value> emit(ArrayRef<Value> ivs, bool vector,
                          Value carried = nullptr);
  /// `scalar` in every lane.
  Value splat(Value scalar);

private:
  bool varies(OpOperand &operand);
  Value loadScalar(OpOperand &operand, ArrayRef<Value> ivs);
  Value load(OpOperand &operand, ArrayRef<Value> ivs, bool vector);
  Value indexOf(linalg::IndexOp index, ArrayRef<Value> ivs, bool vector);
  VectorType vectorOf(Type element) { return VectorType::get(lanes, element); }

  linalg::GenericOp op;
  IndexBuilder ib;
  int64_t lanes;
  llvm::DenseMap<unsigned, Value> invariants;
};

/// Reports options of `pass` that its loops cannot have.
LogicalResult verifyVectorOptions(func::FuncOp function, StringRef pass,
                                  int64_t lanes, int64_t unit);

/// Replaces the ops of `function` that fit by the loops of an Emitter.
template <typename Emitter>
void emitLoops(func::FuncOp function, int64_t lanes, int64_t unit,
               function_ref<bool(linalg::GenericOp)> fits) {
  SmallVector<linalg::GenericOp> ops;
  function.walk([&](linalg::GenericOp op) {
    if (fits(op))
      ops.push_back(op);
  });
  for (linalg::GenericOp op : ops) {
    Emitter(op, lanes, unit).emit();
    op.erase();
  }
}

} // namespace mlir::sparseflow::cpu

#endif // SPARSEFLOW_LIB_TARGET_CPU_TRANSFORMS_BODYEMITTER_H
