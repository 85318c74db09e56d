//===- HadamardKernel.h - Activations rotated -------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_ROTATION_HADAMARDKERNEL_H
#define SPARSEFLOW_LIB_KERNELS_ROTATION_HADAMARDKERNEL_H

#include "Kernels/Rotation/HadamardSteps.h"

namespace mlir::sparseflow {

/// Rotates rows of K elements in blocks, by the rule of sparseflow.hadamard.
struct HadamardKernel {
  std::string name;
  Location loc;
  int64_t k, block;
  float scale;
  Type elementType; // f16, bf16 or f32, of x and the result
  Type signsType;   // the same, or null: there are no signs
  /// Whether pointers are multiples of 16 bytes.
  bool aligned;
  /// Whether it is launched with PDL, and waits for the kernels before it.
  bool programmatic;
  /// Whether blocks of threads behind those of x rotate another x; without
  /// signs.
  bool isPair = false;

  /// Parameters: x, the signs if there are some, y: !llvm.ptr<1>; the number of
  /// blocks of elements in all rows: i64. Of a pair x, y, the other x and y,
  /// and both numbers. A block of threads has groups() blocks of elements of
  /// one x.
  gpu::GPUFuncOp generate(OpBuilder &builder) const;
  HadamardShape shape() const;
  /// Blocks of elements of a block of threads.
  int64_t groups() const;
  int64_t threads() const { return groups() * shape().threads; }
};

/// Elements that a thread of a kernel loads and stores.
class HadamardAccess {
public:
  /// `vector` adjacent elements at once, 16 bytes an access if `aligned`, else
  /// one element.
  HadamardAccess(ThreadCode &code, int64_t vector, bool aligned)
      : code(code), vector(vector), aligned(aligned) {}

  /// The elements from `pointer` on, f32.
  SmallVector<Value> load(Value pointer, Type type);
  void store(ArrayRef<Value> values, Value pointer, Type type);

private:
  int64_t lengthOf(Type type) const;

  ThreadCode &code;
  int64_t vector;
  bool aligned;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_ROTATION_HADAMARDKERNEL_H
