//===- TokenQuantizer.h - Tokens in registers to 8 bits ---------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_ROTATION_TOKENQUANTIZER_H
#define SPARSEFLOW_LIB_KERNELS_ROTATION_TOKENQUANTIZER_H

#include "Kernels/Rotation/HadamardSteps.h"

namespace mlir::sparseflow {

/// How the threads of a block share a token of which they hold the elements,
/// rotate them where `block` is not 0, and quantize them.
struct TokenShape {
  int64_t k;     // elements of a token
  int64_t block; // elements of a block that is rotated, or 0
  float scale;   // of the rotation
  Type type;     // what elements are rounded to behind a rotation
  bool natural;  // whether values are stored in the order of their columns
  /// Whether the number of threads is a power of two, as reductions ask for.
  bool isPower = false;

  /// Adjacent columns of a thread; k is a multiple of them.
  static constexpr int64_t kVector = 16;

  /// How many blocks of elements a group of threads has, one after the other:
  /// 0 where a token does not fit in registers.
  int64_t rounds() const;
  /// Groups of threads, of which those of the last round may have no block.
  int64_t groups() const;
  int64_t threads() const;
  /// A group of threads and its block; without a rotation one thread and 16
  /// elements.
  HadamardShape shape() const;

private:
  int64_t unit() const { return block ? block : kVector; }
  int64_t threadsOf(int64_t rounds) const;
};

/// Quantizes the token that the threads of a block hold, a round after the
/// other, as QuantizeKernel does.
class TokenQuantizer {
public:
  /// For thread `thread` (i32) of the block.
  TokenQuantizer(ThreadCode &code, const TokenShape &shape, Value thread);

  /// Of a round the first columns of the thread's vectors, i32. A group
  /// without a block of elements has those of the last one, since all threads
  /// meet at barriers.
  const SmallVector<Value> &columns(int64_t round) {
    return rounds[round].columns;
  }
  /// Whether the thread has that round (i1; null: every thread has).
  Value isThere(int64_t round) { return rounds[round].isThere; }
  /// Takes the elements of a round (f32), vector by vector, and rotates them.
  void take(int64_t round, SmallVector<Value> values);
  /// When all rounds are there: stores token `token` (i64).
  void store(Value token, Value values, Value scales, Value sums);

private:
  struct Round {
    SmallVector<Value> values, columns;
    Value isThere;
  };

  Value ifThere(const Round &round, Value value);
  Value storeRound(const Round &round, Value row, QuantizeSteps &quantize);
  void padRow(Value row, int64_t pitch);

  ThreadCode &code;
  const TokenShape &shape;
  HadamardShape group;
  Value thread, words, magnitude;
  std::optional<HadamardSteps> steps;
  SmallVector<Round> rounds;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_ROTATION_TOKENQUANTIZER_H
