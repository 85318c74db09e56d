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

/// Where the sparse or dense weight of a matmul comes from, and how wide its
/// copies may be.
struct MatmulKernel {
  std::string name;
  Location loc;
  int64_t n, k;
  Type operandType; // of activations and weights
  Type resultType;
  bool sparse;
  sftile::ScheduleAttr schedule;
  /// How activations (and dense weights) reach shared memory.
  sftile::CopyAtomInterface copy;
  /// Bytes of one store of the result.
  int64_t storeWidth;
  SmallVector<ElementOperand> operands;
  ElementBody body;
  /// Compute capability, as major * 10 + minor: decides about stmatrix.
  unsigned computeCapability;

  /// True if the depth is split over blocks that do not meet: the kernel then
  /// writes f32 partial sums [split][T][n] and neither reads operands nor
  /// applies the body.
  bool partial() const { return schedule.getSplitK() > 1 && !specialised(); }
  int64_t threads() const { return schedule.getNumWarps() * 32; }
  /// True if some warps copy and the others multiply (SpecialisedMatmul.cpp).
  bool specialised() const { return schedule.getProducerWarps() > 0; }
  /// True if results leave by the copy engine.
  bool sendsResults() const {
    return specialised() && resultType.getIntOrFloatBitWidth() == 16;
  }

  /// Writes the kernel at the builder's place. Parameters, in order:
  ///   x, weight [, metadata if sparse], each operand, result: !llvm.ptr<1>
  ///   number of tokens: i64
  /// Where mapsOf() says so the parameter is a tensor map.
  gpu::GPUFuncOp generate(OpBuilder &builder) const;
  /// Blocks to launch for `tokens` (i64).
  Value gridSize(OpBuilder &builder, Location loc, Value tokens) const;
  /// What is passed for a pointer parameter: a pointer, or the map of a
  /// row-major matrix of [tokens or n] x [k or n].
  struct Map {
    int64_t cols;
    /// Rows; nothing: as many as there are tokens.
    std::optional<int64_t> rows;
    Type elementType;
    std::array<int64_t, 2> box; // cols, rows
  };
  SmallVector<std::optional<Map>> mapsOf() const;

private:
  gpu::GPUFuncOp generateSpecialised(OpBuilder &builder) const;
  Value persistentGridSize(OpBuilder &builder, Location loc,
                           Value tokens) const;
};

class KernelBuilder;

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

  int64_t threads() const { return schedule.getNumWarps() * 32; }
  /// Parameters: [partial sums,] each operand, result: !llvm.ptr<1>; rows: i64.
  gpu::GPUFuncOp generate(OpBuilder &builder) const;
  Value gridSize(OpBuilder &builder, Location loc, Value rows) const;

private:
  Value sumPartials(KernelBuilder &b, sftile::FragType type,
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
  Value toI64(Value value);
  Value blockId();

  /// A row-major view of `rows` x `cols` elements, rows adjacent.
  Value view(Value pointer, Type elementType, Value rows, int64_t cols);
  /// The view of an operand that is broadcast to [count, cols].
  Value operandView(const ElementOperand &operand, Value pointer, int64_t cols);
  /// Opens a role behind the roles before it; what is built next stands inside.
  sftile::RoleOp openRole(StringRef name, int64_t warps);
  /// Closes the function.
  gpu::GPUFuncOp finish();

  /// Loads the part of an operand that belongs to a fragment at (row, col).
  Value loadOperand(const ElementOperand &operand, Value view, Value row,
                    Value col, ArrayRef<int64_t> shape,
                    sftile::LayoutAttr layout, bool featuresInBounds);
  /// Applies a body to fragments of one layout.
  Value map(const ElementBody &body, ValueRange inputs, ArrayRef<int64_t> shape,
            Type elementType, sftile::LayoutAttr layout);
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

/// The widest access of at most 16 bytes that rows of `cols` elements allow.
int64_t widthFor(int64_t cols, Type elementType);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_CONVERSION_SPARSEFLOWTOSFTILE_KERNELS_H
