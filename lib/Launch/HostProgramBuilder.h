//===- HostProgramBuilder.h - The launch list of a function -----*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds the host form of a function: buffers for its tensors, sizes as integer
// arithmetic on symbols, and launches behind guards. The form is described in
// SparseFlow/Target/Manifest/HostProgram.h, which reads it.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_LAUNCH_HOSTPROGRAMBUILDER_H
#define SPARSEFLOW_LIB_LAUNCH_HOSTPROGRAMBUILDER_H

#include "SparseFlow/Dialect/SparseFlow/Transforms/KernelForm.h"
#include "SparseFlow/Dialect/SparseFlow/Transforms/Signature.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"

namespace mlir::sparseflow {

/// One launch of a variant: the kernel, its grid and its arguments, pointers or
/// tensor maps, then its sizes (i64); where there are none, the number of rows.
struct Launch {
  gpu::GPUFuncOp kernel;
  Value grid; // i64
  SmallVector<Value> pointers;
  SmallVector<Value> sizes = {};
  /// The kernel waits by itself for those before it, so that it may be launched
  /// while they run.
  bool programmatic = false;
  /// Bytes of shared memory that a block gets at least, also if the kernel uses
  /// fewer: a way to have fewer of them on an SM.
  int64_t leastSharedBytes = 0;
};

/// Builds launches where the builder is.
using Launches = std::function<SmallVector<Launch>(OpBuilder &)>;

/// Pointers that must be multiples of a number of bytes.
struct Alignment {
  Value pointer;
  int64_t bytes;
};

/// A way to compute an operation, usable if the number of rows is at most
/// `maxRows` (0: any) and every pointer is aligned. The launches are built by a
/// callback, because they stand inside the guard.
struct Variant {
  int64_t maxRows = 0;
  SmallVector<Alignment> alignments;
  /// Comparisons (i1) that must hold too.
  SmallVector<Value> conditions = {};
  Launches launches;
  /// Where this variant fits the operation has nothing to do; it is not the
  /// last one.
  bool nothing = false;
  /// Shared memory of a block of a kernel that streams weights; 0: of others.
  int32_t blockBytes = 0;
  /// The operations that it computes, where it is more than its own.
  SmallVector<Operation *> computes = {};
  /// Predicted nanoseconds at numbers of tokens, 0 for none; or null.
  DenseI64ArrayAttr predicted = {}, predictedAt = {};

  /// Asks for `pointer` at a multiple of `bytes`; parts of the workspace are.
  void require(Value pointer, int64_t bytes);
  /// Whether every call with aligned pointers fits.
  bool takesAligned() const;
  /// Whether every call that fits `other` does, but for those with tensors that
  /// have no elements, which a last variant takes.
  bool takesAllOf(const Variant &other) const;
  /// Whether something is asked for, so that another stands behind it.
  bool isGuarded() const {
    return maxRows || !alignments.empty() || !conditions.empty();
  }
};

/// What `variantOf(true)` gives for accesses of several elements and, where it
/// asks for something, behind it what `variantOf(false)` gives for any
/// pointers.
SmallVector<Variant> withFallback(function_ref<Variant(bool isWide)> variantOf);

class HostProgramBuilder {
public:
  /// Starts the host form of `function` behind it in its module.
  HostProgramBuilder(func::FuncOp function, const FunctionSignature &signature);

  /// Binds the results: a value that `function` returns lives in the caller's
  /// buffer; every other tensor computed by it gets a part of the workspace.
  void bindBuffers();

  /// The pointer to the elements of a tensor value.
  Value bufferOf(Value tensor) const {
    return buffers.lookup(skipReshapes(tensor));
  }
  /// The same for `tensor`, which `op` calls `name`; an error without one.
  FailureOr<Value> placeOf(Operation *op, Value tensor,
                           const std::string &name) const;
  /// Whether a tensor is an argument that no kernel writes.
  static bool isConstant(Value tensor);
  /// The pointer to the dense form of a packed weight, an argument.
  Value denseFormOf(Value weight);
  /// `pointer` + a number of bytes, i64.
  Value advance(Value pointer, int64_t bytes);
  Value advance(Value pointer, Value bytes);
  /// Rows of a tensor when all but its last dimension are folded, as i64.
  Value rowsOf(Value tensor);
  /// A part of the workspace for each row (i64) of a value that `bytesPerRow`
  /// bytes hold, for the rest of the function.
  Value reserve(Value rows, int64_t bytesPerRow);
  /// Says where the elements of a value are that has its place from `reserve`.
  void bind(Value tensor, Value pointer) { buffers[tensor] = pointer; }
  /// Dimension `dim` of a tensor, as i64. Where the sizes of the arguments do
  /// not say it, an error is reported, and sizesFailed() is true.
  Value dimOf(Value tensor, unsigned dim);
  /// An integer of the program that is computed from sizes, as i64; errors as
  /// above.
  Value scalarOf(Value value);
  bool sizesFailed() const { return hasError; }
  /// A pointer to workspace of `bytes` (i64) that an operation may use while it
  /// runs; operations follow one another and share it.
  Value scratch(Value bytes);
  Value constant(int64_t value);

  /// Appends a step: the first variant whose guards hold is launched.
  void addStep(Location loc, StringRef opName, Value rows,
               ArrayRef<Variant> variants);

  /// The last operation of the host form so far; null if there is none.
  Operation *lastStep();
  /// Says on the steps that were appended for `ops` behind `previous` how many
  /// tokens they are for and which bytes they read and write, as an affine map
  /// over the symbols. Nothing where that is not known before a call.
  void noteTraffic(ArrayRef<Operation *> ops, Operation *previous);

  /// Ends the function and replaces the original.
  func::FuncOp finish();

  OpBuilder builder;

private:
  /// The map of noteTraffic; null where it is not known.
  AffineMapAttr trafficOf(ArrayRef<Operation *> ops);
  void placeTensors(ArrayRef<Value> tensors);
  Value sizeOf(const SymbolicDim &dim);
  Value computeDim(Value tensor, unsigned dim);
  Value computeScalar(Value value);
  Value refuseSize(Location loc, const Twine &what);
  Value bytesOf(Value tensor);
  /// The first of `variants` that fits; `leastRows` is the least number of rows
  /// that the variants in front of them leave.
  void addVariants(Location loc, StringRef opName, Value rows,
                   ArrayRef<Variant> variants, int64_t leastRows);
  void emitLaunches(Location loc, StringRef opName, Value rows,
                    const Variant &variant, int64_t leastRows);

  func::FuncOp original, host;
  const FunctionSignature &signature;
  DenseMap<Value, Value> buffers;
  Value workspace, workspaceEnd, scratchBytes;
  DenseMap<std::pair<Value, unsigned>, Value> dims;
  DenseMap<Value, Value> scalars;
  /// The kernels that something launches already.
  llvm::SmallDenseSet<Operation *> launched;
  bool hasError = false;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_LAUNCH_HOSTPROGRAMBUILDER_H
