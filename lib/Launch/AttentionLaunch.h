//===- AttentionLaunch.h - Launches of attention ----------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_LAUNCH_ATTENTIONLAUNCH_H
#define SPARSEFLOW_LIB_LAUNCH_ATTENTIONLAUNCH_H

#include "Kernels/Attention/AttentionKernel.h"
#include "Launch/HostProgramBuilder.h"
#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"
#include <vector>

namespace mlir::sparseflow {

/// Where the kernels of one attention are generated.
class AttentionKernels {
public:
  explicit AttentionKernels(OpBuilder &builder) : builder(builder) {}

  /// The kernel that `kernel` describes, or one like it: what combines partials
  /// does not depend on how many keys were divided among how many blocks.
  gpu::GPUFuncOp generateOnce(const SplitKvCombineKernel &kernel);

  OpBuilder &builder;

private:
  std::vector<std::pair<SplitKvCombineKernel, gpu::GPUFuncOp>> combining;
};

/// The tensors of one attention in the host program, and their sizes.
class AttentionLaunch {
public:
  AttentionLaunch(AttentionOp op, HostProgramBuilder &program);

  /// Finds where the operands are; each must be somewhere.
  LogicalResult bind();
  /// The integers (i64) that kernels are launched with. `batch` counts
  /// sequences where these follow one another in one entry of the tensors.
  Value batch() const { return batchCount; }
  Value queries() const { return queryCount; }
  Value keys() const { return keyCount; }
  /// What launches of `kernel` ask for; of a `bounded` one also the numbers
  /// that its schedule is for.
  Variant guardsOf(const AttentionKernel &kernel, bool bounded) const;
  /// The launches of `kernel` and of those that it needs: in front of it the
  /// one that plans its tiles, behind it the one that combines the results of
  /// split-KV. They are written by `kernels`.
  Launches launchesOf(const AttentionKernel &kernel,
                      AttentionKernels &kernels) const;
  /// Adds `variant`, whose `kernel` divides keys in a few bits among blocks. It
  /// starts before what is in front of it ends (PDL) only where these are few:
  /// beside others' blocks they are not spread evenly over the SMs, and blocks
  /// that wait to combine take the place of some that read keys.
  void addEarly(SmallVectorImpl<Variant> &variants,
                const AttentionKernel &kernel, Variant variant) const;
  /// Remarks on how kernels of `schedules` copy keys and values.
  void explainCopies(ArrayRef<sftile::AttentionScheduleAttr> schedules) const;
  /// Whether the kernel of a row reads keys and values that one in front has
  /// dequantized, where they are quantized.
  static bool isBehindFront(sftile::AttentionScheduleAttr schedule);
  /// The fewest queries of a call that such a row of `schedules` takes, with
  /// remarks on each.
  int64_t
  fewestInFront(ArrayRef<sftile::AttentionScheduleAttr> schedules) const;
  /// The same attention on quantized keys and values that a kernel in front
  /// dequantizes into the workspace (Kernels/Cache/CacheDequantizeKernel.h),
  /// which fewer than `fewest` queries do not need. `programmatic`: it starts
  /// while kernels before it end (PDL).
  AttentionLaunch dequantized(std::string name, int64_t fewest,
                              bool programmatic,
                              AttentionKernels &kernels) const;

  AttentionShape shape;

private:
  FailureOr<Value> placeOf(Value tensor, const std::string &name);
  /// Scratch memory behind what is taken already.
  Value scratch(Value bytes) const;
  Launches launchWhole(const AttentionKernel &kernel,
                       AttentionKernels &kernels) const;
  Launches launchSplits(const AttentionKernel &kernel,
                        AttentionKernels &kernels) const;
  Launch launchOf(OpBuilder &builder, const AttentionKernel &kernel,
                  gpu::GPUFuncOp function, Value grid, ArrayRef<Value> pointers,
                  Value splits) const;
  /// The kernel's pointers, with queries, keys and values as tensor maps.
  SmallVector<Value> withMaps(OpBuilder &builder, const AttentionKernel &kernel,
                              ArrayRef<Value> pointers) const;

  AttentionOp op;
  HostProgramBuilder &program;
  Location loc;
  SmallVector<Value> inputs; // As the kernel takes them.
  Value result, lse, batchCount, entries, queryCount, keyCount;
  Value pageCount; // Null without pages.
  // What is launched before each kernel, and bytes of scratch memory that it
  // fills; null if nothing is.
  Launches front;
  Value frontBytes;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_LAUNCH_ATTENTIONLAUNCH_H
