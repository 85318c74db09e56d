//===- Kernels.h - Generators of kernels over tiles ------------*- C++ -*-===//
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

#ifndef SPARSEFLOW_LIB_CONVERSION_SPARSEFLOWTOSFTILE_KERNELS_H
#define SPARSEFLOW_LIB_CONVERSION_SPARSEFLOWTOSFTILE_KERNELS_H

#include "SparseFlow/Dialect/SFTile/IR/SFTile.h"
#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::sparseflow {

/// A tensor that an epilogue or an elementwise kernel reads.
struct ElementOperand {
  Type elementType;
  Broadcast broadcast;
  /// Bytes that one access may move: the pointer and the row pitch have this
  /// alignment.
  int64_t width;
  /// In memory it is [features, tokens]; `broadcast` is Full.
  bool isTransposed = false;
};

/// Scalar arithmetic on elements: a block whose arguments are the accumulator
/// (for a matmul) and an element of each operand, and which yields the result.
/// The block belongs to the program and is cloned, not moved.
struct ElementBody {
  Block *block;
  /// The value that the block yields.
  Value yielded;
};

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
    if (!specialised() || !scales || !scales->perRow)
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
    return specialised() || (isTernary() && computeCapability >= 90);
  }
  /// True if the depth is split over blocks that do not meet: the kernel then
  /// writes partial sums [split][T][n] of the accumulator's type and neither
  /// reads operands nor applies the body.
  bool partial() const {
    return schedule.getSplitK() > 1 && !specialised() && !streamed();
  }
  int64_t threads() const { return schedule.getNumWarps() * 32; }
  /// True if some warps copy and the others multiply (SpecialisedMatmul.cpp).
  bool specialised() const { return schedule.getProducerWarps() > 0; }
  /// True if every warp copies its own weights (StreamedMatmul.cpp).
  bool streamed() const { return schedule.isStreamed(); }
  /// Features that a block of a streamed kernel has of its result.
  int64_t streamedFeatures() const {
    return schedule.getBlock()[0] / (gatedOperand ? 2 : 1);
  }
  /// True if results leave by the copy engine.
  bool sendsResults() const {
    return specialised() && resultType.getIntOrFloatBitWidth() == 16;
  }

  /// Stages of the ring in which full operands arrive by the copy engine while
  /// the tile is still being multiplied; 0 if no memory is left for them, or
  /// the threads that compute load them.
  int64_t operandStages() const;
  /// The kernel with a stage less, where that makes room for such a ring.
  MatmulKernel withRoomForOperands() const;
  /// The kernel with fewer sums or threads, where scales and planes take their
  /// registers: a streamed one with half the warps along the depth, twice the
  /// stages, another one with half the tokens.
  MatmulKernel withRoomForScales() const;
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
  gpu::GPUFuncOp generateSpecialised(OpBuilder &builder) const;
  gpu::GPUFuncOp generateStreamed(OpBuilder &builder) const;
  int64_t blocksOfFeatures() const;
};

class KernelBuilder;

/// Quantises activations to 8 bits, a scale for each token, by the rule of
/// sparseflow.quantize. What it writes for T tokens, K columns and
/// P = quantizedPitch(K):
///   values [T][P] i8   in the order of columns that products of codes of two
///                      bits read (docs/formats/ternary.md), or `natural`;
///                      zeros from K on
///   scales [T] f32
///   sums   [T] i32     of a token's values
struct QuantizeKernel {
  std::string name;
  Location loc;
  int64_t k;
  Type inputType; // f16, bf16 or f32
  /// Whether the activations are multiples of 16 bytes, row by row.
  bool aligned;
  /// Whether the kernel waits by itself for those before it.
  bool programmatic;
  /// Whether values are in the order of their columns.
  bool natural = false;
  /// Whether there are many more tokens than multiprocessors, so that blocks
  /// which share one hide each other's waiting; of few tokens each should be
  /// done soon.
  bool manyTokens = false;

  /// Parameters: x, values, scales, sums: !llvm.ptr<1>; tokens: i64. A block
  /// for each token.
  gpu::GPUFuncOp generate(OpBuilder &builder) const;
  int64_t threads() const;
};

/// Bytes from a token's quantised values to the next one's: whole units of
/// packed weights, `natural` ones of those that keep two of four columns.
int64_t quantizedPitch(int64_t k, bool natural = false);

/// An elementwise kernel over a [rows, cols] result, or the second half of a
/// matmul with a split depth, which first adds up the partial sums in order.
struct ElementwiseKernel {
  std::string name;
  Location loc;
  int64_t cols;
  Type resultType;
  sftile::ScheduleAttr schedule;
  int64_t storeWidth;
  /// The number of partial sums that make the body's first argument; 0 if
  /// there are none.
  int64_t partials;
  SmallVector<ElementOperand> operands;
  ElementBody body;
  Type partialType = {}; // f32 or i32, if there are partial sums
  /// Whether the kernel waits by itself for those before it.
  bool programmatic = false;

  int64_t threads() const { return schedule.getNumWarps() * 32; }
  /// Parameters: [partial sums,] each operand, result: !llvm.ptr<1>; rows: i64.
  gpu::GPUFuncOp generate(OpBuilder &builder) const;
  Value gridSize(OpBuilder &builder, Location loc, Value rows) const;

private:
  Value sumPartials(KernelBuilder &b,
                    function_ref<Value(Value split)> load) const;
};

/// A kernel under construction: the function, its role and integer helpers.
class KernelBuilder {
public:
  /// Opens `gpu.func name(pointers..., i64) kernel` for the warps of `schedule`
  /// and stands at the start of the function's body. A pointer is a tensor map
  /// where `maps` says so.
  KernelBuilder(OpBuilder &builder, Location loc, StringRef name,
                ArrayRef<bool> maps, sftile::ScheduleAttr schedule);

  Value pointer(int64_t index) { return kernel.getArgument(index); }
  /// The last parameter: tokens or rows.
  Value count() { return kernel.getArguments().back(); }

  /// A kernel with `sizes` integers, any schedule and `warps` warps. The
  /// pointers whose numbers are in `maps` are tensor maps.
  KernelBuilder(OpBuilder &builder, Location loc, StringRef name,
                int64_t pointers, int64_t sizes, int64_t warps,
                Attribute schedule, ArrayRef<int64_t> maps = {});
  /// Integer parameter `number`, i64.
  Value size(int64_t number);

  Value i64(int64_t value);
  Value i32(int64_t value);
  Value index(int64_t value);
  Value add(Value a, Value b);
  Value add(Value a, int64_t b) { return b ? add(a, like(a, b)) : a; }
  Value mul(Value a, int64_t b);
  Value div(Value a, Value b);
  Value rem(Value a, Value b);
  Value div(Value a, int64_t b) { return div(a, like(a, b)); }
  Value rem(Value a, int64_t b) { return rem(a, like(a, b)); }
  Value min(Value a, Value b);
  Value toIndex(Value value);
  /// Numbers are not negative.
  Value toI64(Value value);
  Value toI32(Value value);
  Value blockId();

  /// A row-major view of `rows` x `cols` elements, rows adjacent.
  Value view(Value pointer, Type elementType, Value rows, int64_t cols);
  /// The view of an operand that is broadcast to [count, cols].
  Value operandView(const ElementOperand &operand, Value pointer, int64_t cols);
  /// Opens a role behind the roles before it; what is built next stands inside.
  sftile::RoleOp openRole(StringRef name, int64_t warps);
  /// Keeps LLVM from unrolling `loop`, whatever its number of turns.
  void keepRolled(Operation *loop);
  /// Closes the function.
  gpu::GPUFuncOp finish();

  /// Loads the part of an operand that belongs to a fragment at (row, col).
  Value loadOperand(const ElementOperand &operand, Value view, Value row,
                    Value col, ArrayRef<int64_t> shape,
                    sftile::LayoutAttr layout, bool featuresInBounds);
  /// Applies a body to fragments of one layout.
  Value map(const ElementBody &body, ValueRange inputs, ArrayRef<int64_t> shape,
            Type elementType, sftile::LayoutAttr layout);
  /// A body that is written in place: it gets an element of each input, and
  /// gives that of a fragment of `type`.
  using Body = function_ref<Value(OpBuilder &, ValueRange)>;
  Value map(sftile::FragType type, ValueRange inputs, Body body);
  /// The sum of two fragments of one type, f32 or i32, element by element.
  Value sum(Value first, Value second);
  sftile::FragType frag(ArrayRef<int64_t> shape, Type elementType,
                        sftile::LayoutAttr layout);

  OpBuilder &builder;
  Location loc;
  gpu::GPUFuncOp kernel;

private:
  Value like(Value a, int64_t value);
};

/// The access of an operand with `broadcast`.
sftile::Access accessOf(Broadcast broadcast);

/// How an operand with indexing map `map` meets a result of `rank` dimensions.
std::optional<Broadcast> broadcastOf(AffineMap map, int64_t rank);

/// True for an operand [features, tokens] of a result [tokens, features].
bool isTransposed(AffineMap map);

/// The widest access of at most 16 bytes that rows of `cols` elements allow.
int64_t widthFor(int64_t cols, Type elementType);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_CONVERSION_SPARSEFLOWTOSFTILE_KERNELS_H
