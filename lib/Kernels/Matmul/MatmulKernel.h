//===- MatmulKernel.h - Generators of matmul kernels ------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A generator writes one gpu.func of sftile operations from a description of
// what to compute and a schedule that says with which sizes. It does not know
// the program around the kernel: that is HostProgram.cpp's part.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_MATMUL_MATMULKERNEL_H
#define SPARSEFLOW_LIB_KERNELS_MATMUL_MATMULKERNEL_H

#include "Kernels/Support/KernelBuilder.h"

namespace mlir::sparseflow {

/// What a matmul multiplies its activations with: a matrix, packed 2:4 values
/// with their metadata (sf24.v1), or the codes of ternary weights (tern.v1).
enum class WeightKind { Dense, TwoFour, Ternary };

/// Which codes a ternary weight has: those of all columns (tern.v1), or two of
/// four with their positions, which are signs (tern24.v1) or may be zero
/// (tern24z.v1).
enum class KeptCodes { All, PairsNonZero, Pairs };

/// Scales of a ternary weight that the loop over the depth multiplies with,
/// because a group of columns or a plane has its own. They lie as
/// docs/formats/ternary.md says: [plane][group][rows], the rows padded to 64.
struct LoopScales {
  Type type; // f16, bf16 or f32
  /// Columns of a group and groups of a row; scales of a plane that all rows
  /// share are one group of one row.
  int64_t columns, groups, planes;
  bool perRow;
  /// Whether weights of type `operand` may be multiplied by them as they are
  /// decoded: numbers of that type times -1, 0 or 1 are exact.
  bool areExactIn(Type operand) const { return perRow && type == operand; }
};

/// Where the weight of a matmul comes from, and how wide its copies may be.
struct MatmulKernel {
  std::string name;
  Location loc;
  int64_t n, k;
  Type operandType; // of activations and weights as they are multiplied
  Type resultType;
  WeightKind weights;
  std::optional<LoopScales> scales;
  sftile::ScheduleAttr schedule;
  /// How activations (and dense weights) reach shared memory.
  sftile::CopyAtomInterface copy;
  /// Bytes of one store of the result.
  int64_t storeWidth;
  SmallVector<ElementOperand> operands;
  ElementBody body;
  /// Compute capability, as major * 10 + minor: decides about stmatrix.
  unsigned computeCapability;
  /// Of a kernel that quantises activations itself (`held` of the schedule,
  /// integer): their type in memory, and the operands that are the scales of
  /// tokens, which it does not read. Operand 0 is then the sum of a token's
  /// values, which it does not read either.
  Type heldType = {};
  KeptCodes keeps = KeptCodes::All;
  SmallVector<int64_t> tokenScales = {};
  /// A product of the same activations by a weight of the same form that a
  /// streamed kernel computes too (LaunchGroup.h). Its parameters follow those
  /// of the kernel's own: weight, each operand, result. Bodies are equal, but
  /// where one is gated.
  struct Companion {
    int64_t n;
    Type resultType;
    SmallVector<ElementOperand> operands;
    ElementBody body;
    SmallVector<int64_t> tokenScales;
  };
  SmallVector<Companion> companions = {};
  /// Of the only companion: the operand that is this kernel's own result,
  /// element by element, which is not stored. Neither has a parameter.
  std::optional<int64_t> gatedOperand = {};

  bool isTwoFour() const { return weights == WeightKind::TwoFour; }
  bool isTernary() const { return weights == WeightKind::Ternary; }
  /// How ternary weights of a stage lie, the columns of a unit of theirs, and
  /// how many of that order it is: those that keep pairs are pieces of 512
  /// bytes.
  sftile::Order ternaryOrder() const {
    return keeps == KeptCodes::All ? sftile::Order::Ternary
                                   : sftile::Order::Metadata24;
  }
  int64_t ternaryUnit() const { return keeps == KeptCodes::All ? 128 : 256; }
  /// Planes of a ternary weight, and groups of columns in a stage whose scales
  /// come with it; 0: none do.
  int64_t planes() const { return scales ? scales->planes : 1; }
  int64_t stageGroups() const {
    if (!isWarpSpecialized() || !scales || !scales->perRow)
      return 0;
    return std::max<int64_t>(schedule.getK() / scales->columns, 1);
  }
  /// Whether weights are multiplied by their scales as they are decoded.
  bool scalesDecoded() const {
    return scales && scales->areExactIn(operandType);
  }
  /// The number of the first tile of a stage that holds activations.
  int64_t firstActivations() const {
    return (isTwoFour() ? 2 : 1) + (stageGroups() ? planes() : 0);
  }
  int64_t ternaryPieces() const {
    return keeps == KeptCodes::All            ? 1
           : keeps == KeptCodes::PairsNonZero ? 6
                                              : 8;
  }
  bool isDense() const { return weights == WeightKind::Dense; }
  /// Activations of 8 bits, which a QuantizeKernel wrote.
  bool isInteger() const { return operandType.isInteger(8); }
  /// The type of the sums, f32 or i32, exact.
  Type accumulatorType() const;
  /// Elements from a token's activations to the next one's.
  int64_t pitch() const;
  /// Whether the kernel waits by itself for those before it.
  bool programmatic() const {
    return isWarpSpecialized() || (isTernary() && computeCapability >= 90);
  }
  /// True if the depth is split over blocks that do not meet: the kernel then
  /// writes partial sums [split][T][n] of the accumulator's type and neither
  /// reads operands nor applies the body.
  bool partial() const {
    return schedule.getSplitK() > 1 && !isWarpSpecialized() && !streamed();
  }
  int64_t threads() const { return schedule.getNumWarps() * 32; }
  /// True if some warps copy and the others multiply
  /// (WarpSpecializedMatmul.cpp).
  bool isWarpSpecialized() const { return schedule.getProducerWarps() > 0; }
  /// True if every warp copies its own weights (StreamedMatmul.cpp).
  bool streamed() const { return schedule.isStreamed(); }
  /// Features that a block of a streamed kernel has of its result.
  int64_t streamedFeatures() const {
    return schedule.getBlock()[0] / (gatedOperand ? 2 : 1);
  }
  /// True if results leave by TMA.
  bool sendsResults() const {
    return isWarpSpecialized() && resultType.getIntOrFloatBitWidth() == 16;
  }

  /// Stages of the ring in which full operands arrive by TMA while
  /// the tile is still being multiplied; 0 if no memory is left for them, or
  /// the threads that compute load them.
  int64_t operandStages() const;
  /// The kernel with a stage less, where that makes room for such a ring.
  MatmulKernel withRoomForOperands() const;
  /// True if `operand` comes that way.
  bool isFetched(const ElementOperand &operand) const;
  /// True if the packed weight of a stage comes in a box for its values and one
  /// for its metadata, instead of a copy for each row of units.
  bool boxesWeights() const;
  /// The tiles of a stage: of the weight, then one for each plane of scales, if
  /// they come with it (a row for each group), then of the activations.
  SmallVector<sftile::TileType> stageTiles() const;

  /// Writes the kernel at the builder's place. Parameters, in order:
  ///   x, weight [, metadata if 2:4] [, scales if they are LoopScales], each
  ///   operand, result: !llvm.ptr<1> number of tokens: i64
  /// Where mapsOf() says so the parameter is a tensor map.
  gpu::GPUFuncOp generate(OpBuilder &builder) const;
  /// Blocks to launch for `tokens` (i64).
  Value gridSize(OpBuilder &builder, Location loc, Value tokens) const;
  /// What is passed for a pointer parameter: a pointer, or the map of a tensor
  /// whose elements are adjacent.
  struct Map {
    Type elementType;
    /// Innermost first; kDynamic, the last one only: as many as tokens.
    SmallVector<int64_t> sizes;
    SmallVector<int64_t> box;
    int64_t swizzle = 128; // bytes
  };
  SmallVector<std::optional<Map>> mapsOf() const;
  /// The arguments of a launch: `pointers`, and in place of those that the
  /// kernel wants described, their tensor maps.
  SmallVector<Value> withMaps(OpBuilder &builder, ArrayRef<Value> pointers,
                              Value tokens) const;

private:
  gpu::GPUFuncOp generateWarpSpecialized(OpBuilder &builder) const;
  gpu::GPUFuncOp generateStreamed(OpBuilder &builder) const;
  int64_t blocksOfFeatures() const;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_MATMUL_MATMULKERNEL_H
