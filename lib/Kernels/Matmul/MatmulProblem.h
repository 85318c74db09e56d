//===- MatmulProblem.h - What a matmul kernel computes ----------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The description of a matmul kernel: sizes, types, the encoding of its weight,
// its epilogue and how operands are aligned, with the schedule to compute it
// by. Composition.cpp says which parts a kernel is composed of for it.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_MATMUL_MATMULPROBLEM_H
#define SPARSEFLOW_LIB_KERNELS_MATMUL_MATMULPROBLEM_H

#include "Kernels/Support/KernelBuilder.h"
#include "Kernels/Tensor/TensorGroup.h"

namespace mlir::sparseflow {

/// What a matmul multiplies its activations with: a matrix, packed 2:4 values
/// with their metadata (sf24.v1), or the codes of a quantized weight.
enum class WeightKind { Dense, TwoFour, Quantized };

/// Scales of a quantized weight that the mainloop multiplies with, because a
/// quantization group or a plane has its own. They lie as
/// docs/formats/ternary.md says: [plane][group][rows], the rows padded to 64.
struct LoopScales {
  Type type; // f16, bf16 or f32
  /// Columns of a group and groups of a row; scales of a plane that all rows
  /// share are one group of one row.
  int64_t columns, groups, planes;
  bool perRow;
  /// Whether they multiply -1, 0 and 1 only.
  bool ternary;
  /// Whether weights of type `operand` may be multiplied by them as they are
  /// dequantized: numbers of that type times -1, 0 or 1 are exact.
  bool areExactIn(Type operand) const {
    return ternary && perRow && type == operand;
  }
};

struct MatmulProblem {
  std::string name;
  Location loc;
  int64_t n, k;
  Type operandType; // of activations and weights as they are multiplied
  Type resultType;
  WeightKind weights;
  std::optional<LoopScales> scales;
  sftile::ScheduleAttr schedule;
  /// How activations (and dense weights) reach shared memory without TMA.
  sftile::CopyAtomInterface copy;
  /// Bytes of one store of the result.
  int64_t storeWidth;
  SmallVector<ElementOperand> operands;
  ElementBody body;
  /// As major * 10 + minor: decides about stmatrix and PDL.
  unsigned computeCapability;
  /// Of a kernel that quantizes activations itself (`held` of the schedule,
  /// int8): their type in memory, and the operands that are the scales of
  /// tokens, which it does not read. Operand 0 is then the sum of a token's
  /// values, which it does not read either.
  Type heldType = {};
  /// Of a kernel that computes the activations, too, of one token: parameters
  /// are the inputs of these rows in place of the activations, and their
  /// integers, in front of the number of tokens.
  std::shared_ptr<const ComputedRows> computedRows = {};
  /// Of a quantized weight.
  sftile::CodecInterface codec = {};
  /// Of a dense weight: no kernel writes it while this one may be under way.
  bool constantWeight = false;
  SmallVector<int64_t> tokenScales = {};
  /// A matmul of the same activations by a weight of the same form that the
  /// kernel computes too (LaunchGroup.h). Parameters are the activations, the
  /// weights of all, then of each its operands and its result. Bodies are
  /// equal, but where one is gated.
  struct Companion {
    int64_t n;
    Type resultType;
    int64_t storeWidth;
    SmallVector<ElementOperand> operands;
    ElementBody body;
    SmallVector<int64_t> tokenScales;
  };
  SmallVector<Companion> companions = {};
  /// Of the only companion: the operand that is this kernel's own result,
  /// element by element, which is not stored. Neither has a parameter.
  std::optional<int64_t> gatedOperand = {};
  /// Where it has a block, nothing but partial maxima of `yielded`, which is
  /// computed of a result, is stored (MaximaKernel.h).
  ElementBody maxima = {};
  /// Elements from a token's activations to the next one's where these have
  /// been copied to rows of a multiple of 16 bytes, zeros behind K, as rows of
  /// dense weights then are, too; 0: rows are adjacent.
  int64_t paddedPitch = 0;

  /// This matmul, and companion `number`, each by itself.
  MatmulProblem withoutCompanions() const;
  MatmulProblem ofCompanion(size_t number) const;

  bool isArgmax() const { return maxima.block; }
  /// Activations of 8 bits, which a QuantizeKernel wrote.
  bool isInteger() const { return operandType.isInteger(8); }
  /// Whether the weight has the nonzeros of 2:4 sparse ones in codes.
  bool hasSparseCodes() const { return codec && codec.isSparse(); }
  int64_t planes() const { return scales ? scales->planes : 1; }
  /// The type of accumulators behind the mainloop: f32, or i32 of exact sums.
  Type accumulatorType() const;
  /// Columns of the activations: K, or whole units of what has been quantized,
  /// zeros behind K.
  int64_t columns() const;
  /// Elements from a token's activations to the next one's.
  int64_t pitch() const { return paddedPitch ? paddedPitch : columns(); }
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_MATMUL_MATMULPROBLEM_H
