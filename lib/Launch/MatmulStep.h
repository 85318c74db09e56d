//===- MatmulStep.h - The ways to launch matmuls ----------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A matmul becomes a step of the host form: variants, each a kernel of its own
// or of a launch that several matmuls share.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_LAUNCH_MATMULSTEP_H
#define SPARSEFLOW_LIB_LAUNCH_MATMULSTEP_H

#include "Kernels/Elementwise/ElementwiseKernel.h"
#include "Kernels/Matmul/MatmulGenerator.h"
#include "Kernels/Matmul/TernaryScales.h"
#include "Launch/LaunchGroup.h"
#include "Launch/Rows/RowsOfMatmuls.h"
#include "Launch/StepContext.h"
#include "Launch/TensorOperands.h"

namespace mlir::sparseflow {

class SharedLaunch;

/// One matmul: what its kernels read and write, and the ways to launch them.
class MatmulStep {
public:
  /// With `dense`, by kernels for the dense form of its packed weight.
  MatmulStep(MatmulOp op, const StepContext &context, bool dense = false)
      : op(op), context(context), program(context.program), dense(dense),
        n(op.getN()), k(op.getK()), elementType(op.getXType().getElementType()),
        resultType(op.getResultType().getElementType()),
        integer(elementType.isInteger(8)),
        ternary(dense ? TernaryAttr() : op.getTernary()) {}

  /// Checks the matmul and finds its buffers.
  LogicalResult prepare();
  /// A kernel of its own, launched alone. A bounded variant serves as many
  /// tokens as its schedule says; copies of activations and partial sums have
  /// room for `scratchRows` (0: all), as many as any launch of the kernel has.
  Variant alone(sftile::ScheduleAttr schedule, StringRef suffix, bool aligned,
                bool bounded, int64_t scratchRows);
  /// Appends the step; with the kernels of `launch` (null: there is none).
  LogicalResult append(SharedLaunch *launch);

  MatmulOp op;

private:
  friend class SharedLaunch;

  /// A generator and what it has written.
  struct Generated {
    std::shared_ptr<MatmulGenerator> generator;
    gpu::GPUFuncOp kernel;
  };
  /// Activations in the workspace and behind them a dense weight; nothing where
  /// the program's own are read.
  struct CopiedRows {
    SmallVector<Value, 2> pointers;
    Value bytes; // of all of them
    explicit operator bool() const { return !pointers.empty(); }
  };
  /// Those that a kernel of `problem` reads, of at most `mostRows` (0: any
  /// number).
  CopiedRows copiedRows(const MatmulProblem &problem, int64_t mostRows);
  /// Workspace behind them.
  Value scratchBehind(const CopiedRows &copied, Value bytes);
  /// `launches` behind a kernel that makes the copies.
  Launches behindCopies(const MatmulProblem &problem, const CopiedRows &copied,
                        Launches launches);
  /// The kernel of what `problemOf` says for `schedule`, or for one with less
  /// in its stages, where a block has no room for them.
  Generated
  generate(sftile::ScheduleAttr schedule,
           function_ref<MatmulProblem(sftile::ScheduleAttr)> problemOf);
  /// The launch of it over `rows` (i64); `numbers` are integers of rows that it
  /// computes.
  static Launch launchOf(const Generated &generated, OpBuilder &builder,
                         ArrayRef<Value> pointers, Value rows,
                         ArrayRef<Value> numbers = {});
  /// With a kernel behind it that adds the parts of split-K, of `mostRows`;
  /// `numbers` as of launchOf.
  Launches launchReduced(const Generated &generated,
                         SmallVector<Value> pointers, const CopiedRows &copied,
                         int64_t mostRows, SmallVector<Value> numbers);
  /// With a kernel behind it that adds what stream-K has divided.
  Launches launchDivided(const Generated &generated,
                         SmallVector<Value> pointers, const CopiedRows &copied);
  /// A variant for each schedule, behind `variants`.
  void appendVariants(SmallVectorImpl<Variant> &variants,
                      SharedLaunch *launch = nullptr);
  /// Limits how many blocks of the kernels that stream weights an SM has: of
  /// the variants of schedules(), divided where that number changes.
  void spreadBlocks(SmallVectorImpl<Variant> &variants) const;
  /// What the accesses of `problem`, which is aligned, ask of its weight, of
  /// the operands but `except`, and of the result if it is stored.
  void requireWidths(Variant &variant, const MatmulProblem &problem,
                     std::optional<int64_t> except, bool stored) const;
  /// Without those by which blocks would compute rows that are stored.
  SmallVector<sftile::ScheduleAttr> schedules() const;
  LogicalResult checkPinned();
  MatmulProblem problemOf(sftile::ScheduleAttr schedule, StringRef suffix,
                          bool aligned);
  /// The same with a schedule that leaves room for epilogue operands by TMA.
  MatmulProblem problemFor(sftile::ScheduleAttr schedule, StringRef suffix,
                           bool aligned);
  /// Adds that `pointer` must be a multiple of `bytes`, if that says anything.
  static void require(Variant &variant, Value pointer, int64_t bytes,
                      Type type) {
    if (bytes > type.getIntOrFloatBitWidth() / 8)
      variant.require(pointer, bytes);
  }
  /// Whether kernels with this schedule read copies of the activations
  /// (copiesRows), and elements from one row of these to the next.
  bool padsRows(sftile::ScheduleAttr schedule) const;
  int64_t paddedPitch() const;
  /// Bytes that the address of activations must be a multiple of.
  int64_t readWidth(const MatmulProblem &problem) const;
  /// The schedule, without stream-K where a kernel cannot have it.
  sftile::ScheduleAttr dividing(const MatmulProblem &problem);
  /// Bytes of `bytesOfRow` for each row, of which there are at most `mostRows`
  /// (0: any number).
  Value bytesOfRows(int64_t mostRows, int64_t bytesOfRow);
  /// Whether kernels with this schedule quantize what they read, or compute
  /// that, too.
  bool quantizes(sftile::ScheduleAttr schedule) const {
    return schedule.getHeld() && integer;
  }
  bool computes(sftile::ScheduleAttr schedule) const {
    bool may =
        quantizes(schedule) ? schedule.isStreamed() : computesRows(schedule);
    return may && computed.rows;
  }
  friend FailureOr<SmallVector<Variant>>
  guardsOfComputedRows(ArrayRef<MatmulOp> readers, const StepContext &context);

  /// The activations that kernels with this schedule read, or what they compute
  /// them of.
  SmallVector<Value> readBy(sftile::ScheduleAttr schedule) const {
    if (computes(schedule))
      return computed.inputs;
    return {quantizes(schedule) ? given : x};
  }
  ArrayRef<Value> numbersOf(sftile::ScheduleAttr schedule) const {
    return computes(schedule) ? ArrayRef<Value>(computed.numbers)
                              : ArrayRef<Value>();
  }
  /// What a variant by `problem` and `schedule` asks for, as alone() says.
  Variant guardsOf(const MatmulProblem &problem, sftile::ScheduleAttr schedule,
                   bool aligned, bool bounded) const;
  /// Adds that what is read is aligned, to `bytes` if it is activations.
  void requireRead(Variant &variant, sftile::ScheduleAttr schedule,
                   int64_t bytes) const {
    if (computes(schedule))
      computed.require(variant);
    else
      require(variant, readBy(schedule).front(), bytes, elementType);
  }

  const StepContext &context;
  HostProgramBuilder &program;
  bool dense;
  int64_t n, k;
  Type elementType, resultType;
  bool integer;
  /// Of partial maxima, where they are stored in place of results.
  ElementBody maxima = {};
  TernaryAttr ternary;
  WeightKind weights = WeightKind::Dense;
  Value x, w, y, metadata, loopScalesPointer, rows;
  // What a kernel computes itself that quantizes activations.
  Value given, givenScales;
  Type givenType;
  // And what it computes them of, where it does.
  CollectedRows computed;
  ElementBody body = {};
  ScaledEpilogue scaled;
  std::optional<LoopScales> inLoop;
  SmallVector<std::pair<Type, Broadcast>> operandTypes;
  SmallVector<Value> operandPointers;
  sftile::ScheduleAttr reduceSchedule;
};

/// What the variants ask for by which `readers` compute the rows that they read
/// (matmulsThatCompute): where all of it holds, nothing else has to.
FailureOr<SmallVector<Variant>>
guardsOfComputedRows(ArrayRef<MatmulOp> readers, const StepContext &context);

/// The launches that the matmuls of a group share.
class SharedLaunch {
public:
  /// Those of the group of `op`, or null where it has none: remarks say why.
  /// An error if a matmul of the group cannot be converted.
  static FailureOr<std::unique_ptr<SharedLaunch>>
  of(MatmulOp op, const StepContext &context);

  /// Whether one kernel with this schedule computes all matmuls.
  bool serves(sftile::ScheduleAttr schedule) const;
  /// The variant of `op`'s step for such a schedule: the launch at the first
  /// matmul, nothing at the others. Copies of activations have room for
  /// `scratchRows` (0: all).
  Variant variantOf(MatmulOp op, sftile::ScheduleAttr schedule,
                    StringRef suffix, int64_t scratchRows);

private:
  SharedLaunch(LaunchGroup group, const StepContext &context);
  StringRef whyApart(sftile::ScheduleAttr schedule);
  StringRef whyQuantizedApart(sftile::ScheduleAttr schedule);
  StringRef whyConsumersApart(sftile::ScheduleAttr schedule);
  void chooseSchedules(bool isFirst);
  MatmulProblem problemFor(sftile::ScheduleAttr schedule, StringRef suffix);
  Variant guardsOf(sftile::ScheduleAttr schedule);
  Variant launchOf(sftile::ScheduleAttr schedule, StringRef suffix,
                   int64_t scratchRows);
  /// The number of the operand of the second step that is the first's result.
  std::optional<int64_t> gatedOperand() const;
  /// Whether the result of step `number` is stored.
  bool isStored(size_t number) const { return number || !group.gatedOperand; }

  LaunchGroup group;
  std::vector<MatmulStep> steps;
  SmallVector<sftile::ScheduleAttr> schedules;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_LAUNCH_MATMULSTEP_H
