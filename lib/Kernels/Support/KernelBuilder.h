//===- KernelBuilder.h - A kernel under construction ------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What every generator of kernels over tiles starts from: the function and its
// roles, integer helpers, the tensors that a scalar body reads, and bodies
// applied to fragments.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_SUPPORT_KERNELBUILDER_H
#define SPARSEFLOW_LIB_KERNELS_SUPPORT_KERNELBUILDER_H

#include "Kernels/Support/KernelParameter.h"
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

/// What `value` is computed of in its block, cloned behind what `mapping` has
/// of it: scalar arithmetic, and constants from anywhere.
Value cloneScalars(OpBuilder &builder, Value value, IRMapping &mapping);

/// A kernel under construction: the function, its role and integer helpers.
class KernelBuilder {
public:
  /// Opens `gpu.func name(parameters..., i64...) kernel` for the warps of
  /// `schedule` and stands at the start of the function's body.
  KernelBuilder(OpBuilder &builder, Location loc, StringRef name,
                ArrayRef<KernelParameter> parameters,
                sftile::ScheduleAttr schedule, int64_t sizes = 1)
      : KernelBuilder(builder, loc, name, parameters.size(), sizes,
                      schedule.getNumWarps(), schedule,
                      tensorMapIndices(parameters)) {}

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

  /// `value` of an integer type or index.
  Value constant(Type type, int64_t value);
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
  /// Numbers are not negative, and stay as they are if they have the type.
  Value toIndex(Value value);
  Value toI64(Value value);
  Value toI32(Value value);
  Value blockId();

  /// A row-major view of `rows` x `cols` elements; rows are adjacent, or
  /// `pitch` elements apart.
  Value view(Value pointer, Type elementType, Value rows, int64_t cols) {
    return view(pointer, elementType, rows, cols, cols);
  }
  Value view(Value pointer, Type elementType, Value rows, int64_t cols,
             int64_t pitch);
  /// The tensor that a tensor map describes.
  Value mappedView(Value map, Type elementType);
  /// The view of an operand that is broadcast to [count, cols].
  Value operandView(const ElementOperand &operand, Value pointer, int64_t cols);
  /// Opens a role behind the roles before it; what is built next stands inside.
  sftile::RoleOp openRole(StringRef name, int64_t warps);
  /// The same for what the second warp of `role`, which has a leader, does.
  void openBeside(sftile::RoleOp role);
  /// Keeps LLVM from unrolling `loop`, whatever its number of turns.
  void keepRolled(Operation *loop);
  /// Lets the kernels behind this one start, and waits for those before it
  /// (PDL).
  void griddepWait();
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
  /// The halves of a fragment's columns: the later ones first if `later` (i1).
  std::pair<Value, Value> halves(Value fragment, Value later);
  sftile::FragType frag(ArrayRef<int64_t> shape, Type elementType,
                        sftile::LayoutAttr layout);

  OpBuilder &builder;
  Location loc;
  gpu::GPUFuncOp kernel;

private:
  void openBody(Region &region);
  Value like(Value a, int64_t value);
};

/// The access of an operand with `broadcast`.
sftile::Access accessOf(Broadcast broadcast);

/// The widest access of at most 16 bytes that rows of `cols` elements allow.
int64_t widthFor(int64_t cols, Type elementType);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_SUPPORT_KERNELBUILDER_H
