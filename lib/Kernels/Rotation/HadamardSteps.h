//===- HadamardSteps.h - A Hadamard matrix by threads -----------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps of sparseflow.hadamard for blocks of elements that groups of
// threads hold in registers, in the order of the op's definition. An index of a
// block is made of bits; a step adds and subtracts elements whose indices
// differ in one:
//
//   which bits of the index     element of an access | threads      | access
//   one warp has the block      registers            | shuffles     | registers
//   several have it             registers            | shuffles and | registers
//                                                    | registers of
//                                                    | another thread
//
// "Of another thread": the block goes through shared memory once so that a
// thread gets elements whose indices differ in the next five bits, and back.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_ROTATION_HADAMARDSTEPS_H
#define SPARSEFLOW_LIB_KERNELS_ROTATION_HADAMARDSTEPS_H

#include "Kernels/Support/ThreadCode.h"

namespace mlir::sparseflow {

/// How threads share a block. It follows from sizes alone.
struct HadamardShape {
  int64_t block;    // elements
  int64_t vector;   // adjacent elements of a thread
  int64_t elements; // of a thread
  int64_t threads;  // of a block
  int64_t shuffles; // steps between threads of a warp

  /// `vector`: 4, 8 or 16.
  static HadamardShape of(int64_t block, int64_t vector);

  int64_t vectors() const { return elements / vector; }
  /// Whether a block meets in shared memory, and in how many bytes.
  bool isExchanged() const { return threads > 32; }
  int64_t exchangedBytes() const { return isExchanged() ? 4 * block : 0; }
};

class HadamardSteps {
public:
  /// For thread `thread` (i32) of a block of threads, groups of which have a
  /// block of elements each. `exchange`: exchangedBytes() of shared memory for
  /// each group, or null.
  HadamardSteps(ThreadCode &code, const HadamardShape &shape, Value thread,
                Value exchange);

  /// The thread's group, i32.
  Value group() const { return ownGroup; }
  /// Of the thread's vector `number` the first element's index, i32.
  Value indexOf(int64_t number);
  /// `values` (f32), the thread's vectors one behind the other, become those of
  /// the block times H, times `scale`. Every thread of the block of threads has
  /// to come here.
  void run(MutableArrayRef<Value> values, float scale);

private:
  void combine(MutableArrayRef<Value> values, int64_t distance);
  void combineLanes(MutableArrayRef<Value> values, int64_t distance);
  void exchange(MutableArrayRef<Value> values);

  ThreadCode &code;
  HadamardShape shape;
  Value ownThread, ownGroup, memory;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_ROTATION_HADAMARDSTEPS_H
