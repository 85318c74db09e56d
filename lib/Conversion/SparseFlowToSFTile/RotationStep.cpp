//===- RotationStep.cpp - Rotations in a launch list ----------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversion/SparseFlowToSFTile/RotationStep.h"
#include "Kernels/Rotation/RotatedQuantize.h"
#include "Kernels/Support/HostIntegers.h"
#include "Launch/LaunchGroup.h"
#include "SparseFlow/Support/Remarks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::sparseflow;

static constexpr int64_t kAccessBytes = 16;

/// The kernel of `op`, whose name is left to the caller.
static HadamardKernel kernelOf(HadamardOp op, const StepContext &context) {
  return {"",
          op.getLoc(),
          op.getK(),
          static_cast<int64_t>(op.getBlock()),
          op.getScale(),
          getElementTypeOrSelf(op.getType()),
          op.getSigns() ? getElementTypeOrSelf(op.getSigns().getType())
                        : Type(),
          /*aligned=*/false,
          context.programmatic()};
}

/// x and the signs; an error where they have no place.
static FailureOr<SmallVector<Value>> sourcesOf(HadamardOp op,
                                               HostProgramBuilder &program) {
  SmallVector<Value> pointers = {program.bufferOf(op.getX())};
  if (op.getSigns())
    pointers.push_back(program.bufferOf(op.getSigns()));
  if (llvm::is_contained(pointers, Value()))
    return op.emitOpError("expected x and the signs to be arguments or "
                          "computed tensors; pass constants as arguments");
  return pointers;
}

/// Requires pointers that kernels access by 16 bytes.
static void requireAligned(Variant &variant, ArrayRef<Value> pointers) {
  for (Value pointer : pointers)
    variant.require(pointer, kAccessBytes);
}

/// "8 threads of 8 elements a block of 64, ...".
static std::string describe(const HadamardKernel &kernel) {
  HadamardShape shape = kernel.shape();
  std::string text =
      std::to_string(shape.threads) + " threads of " +
      std::to_string(shape.elements) + " elements each have a block of " +
      std::to_string(shape.block) + " in registers, " +
      std::to_string(shape.shuffles) + " of its steps between lanes of a warp";
  if (shape.isExchanged())
    text += ", 5 behind an exchange through " +
            std::to_string(shape.exchangedBytes()) + " bytes of shared memory";
  return text + "; " + std::to_string(kernel.groups()) +
         (kernel.groups() == 1 ? " block" : " blocks") + " of elements and " +
         std::to_string(kernel.threads()) + " threads a block of threads";
}

FailureOr<SmallVector<Variant>>
mlir::sparseflow::rotationVariants(HadamardOp op, const StepContext &context,
                                   HadamardOp second) {
  HostProgramBuilder &program = context.program;
  SmallVector<Value> pointers, blocks;
  for (HadamardOp member : {op, second}) {
    if (!member)
      continue;
    FailureOr<SmallVector<Value>> sources = sourcesOf(member, program);
    if (failed(sources))
      return failure();
    pointers.append(*sources);
    pointers.push_back(program.bufferOf(member.getResult()));
    blocks.push_back(program.builder.createOrFold<arith::MulIOp>(
        member.getLoc(), program.rowsOf(member.getResult()),
        program.constant(member.getK() /
                         static_cast<int64_t>(member.getBlock()))));
  }
  return withFallback([&](bool aligned) {
    HadamardKernel kernel = kernelOf(op, context);
    kernel.isPair = !!second;
    kernel.name = context.prefix + (aligned ? "_hadamard" : "_hadamard_any");
    kernel.aligned = aligned;
    if (aligned)
      explain(op, "rotation") << describe(kernel);
    if (aligned && second)
      explain(second, "rotation") << "in the launch of the rotation before it, "
                                     "of which it reads nothing";
    gpu::GPUFuncOp function = kernel.generate(context.kernels);
    Variant variant;
    if (aligned)
      requireAligned(variant, pointers);
    variant.launches = [=](OpBuilder &builder) {
      HostIntegers host{builder, kernel.loc};
      Value grid = host.ceilDiv(blocks.front(), kernel.groups());
      if (second)
        grid = host.add(grid, host.ceilDiv(blocks.back(), kernel.groups()));
      return SmallVector<Launch>{
          {function, grid, pointers, blocks, kernel.programmatic}};
    };
    return variant;
  });
}

FailureOr<SmallVector<Variant>> mlir::sparseflow::rotatedQuantizeVariants(
    HadamardOp op, const StepContext &context, ArrayRef<Value> results,
    bool natural) {
  HostProgramBuilder &program = context.program;
  FailureOr<SmallVector<Value>> sources = sourcesOf(op, program);
  if (failed(sources))
    return failure();
  Value rows = program.rowsOf(op.getResult());
  SmallVector<Value> pointers(*sources);
  pointers.append(results.begin(), results.end());
  return withFallback([&](bool aligned) {
    RotatedQuantizeKernel kernel{kernelOf(op, context), natural};
    kernel.rotation.name = context.prefix + (aligned ? "_rotated_quantize"
                                                     : "_rotated_quantize_any");
    kernel.rotation.aligned = aligned;
    gpu::GPUFuncOp function = kernel.generate(context.kernels);
    Variant variant;
    if (aligned)
      requireAligned(variant, *sources);
    bool programmatic = kernel.rotation.programmatic;
    variant.launches = [=](OpBuilder &builder) {
      return SmallVector<Launch>{
          {function, rows, pointers, /*sizes=*/{}, programmatic}};
    };
    return variant;
  });
}

/// Whether `b` may share the launch of `a`: neither writes what the other one
/// reads or writes.
static bool areApart(HadamardOp a, HadamardOp b, HostProgramBuilder &program) {
  if (rotationBefore(b) != a)
    return false;
  Value one = program.bufferOf(a.getResult()),
        other = program.bufferOf(b.getResult());
  return one != other && one != program.bufferOf(b.getX()) &&
         other != program.bufferOf(a.getX());
}

FailureOr<bool> mlir::sparseflow::convertRotation(HadamardOp op,
                                                  HadamardOp second,
                                                  const StepContext &context) {
  bool both = second && areApart(op, second, context.program);
  FailureOr<SmallVector<Variant>> variants =
      rotationVariants(op, context, both ? second : HadamardOp());
  if (failed(variants))
    return failure();
  context.program.addStep(op.getLoc(), "hadamard",
                          context.program.rowsOf(op.getResult()), *variants);
  return both;
}
