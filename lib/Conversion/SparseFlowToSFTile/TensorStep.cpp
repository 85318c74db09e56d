//===- TensorStep.cpp - Kernels of tensor ops, and their launches ---------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversion/SparseFlowToSFTile/TensorStep.h"
#include "Kernels/Tensor/RowQuantize.h"
#include "Launch/MatmulStep.h"
#include "SparseFlow/Support/Remarks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

#include <deque>

using namespace mlir;
using namespace mlir::sparseflow;

static bool isEmpty(Operation *root) {
  return llvm::is_contained(
      cast<RankedTensorType>(root->getResult(0).getType()).getShape(), 0);
}

/// The launch of `members` with accesses of their vectors, or of single
/// elements.
static Variant variantOf(MutableArrayRef<TensorOperands> members,
                         const StepContext &context, const std::string &name,
                         bool isVector) {
  HostProgramBuilder &program = context.program;
  bool programmatic = context.programmatic();
  Variant variant;
  SmallVector<TensorKernel> parts;
  SmallVector<Value> pointers, numbers, ends;
  Value grid;
  for (TensorOperands &member : members) {
    Location loc = member.group.root->getLoc();
    int64_t length = isVector ? member.vector : 1;
    if (length > 1) {
      for (Value pointer : member.pointers)
        variant.require(pointer, 16);
      if (member.dynamic) {
        Value size =
            program.dimOf(member.dynamic->first, member.dynamic->second);
        Value rest = arith::RemUIOp::create(program.builder, loc, size,
                                            program.constant(length));
        variant.conditions.push_back(arith::CmpIOp::create(
            program.builder, loc, arith::CmpIPredicate::eq, rest,
            program.constant(0)));
      }
    }
    parts.push_back(TensorKernel{name,
                                 loc,
                                 member.group,
                                 *kernelFormOf(member.group.root),
                                 {length},
                                 programmatic});
    Value own =
        parts.back().gridSize(program.builder, [&](Value tensor, int64_t dim) {
          return program.dimOf(tensor, dim);
        });
    if (grid)
      ends.push_back(grid);
    grid = grid ? program.builder.createOrFold<arith::AddIOp>(loc, grid, own)
                : own;
    llvm::append_range(pointers, member.pointers);
    llvm::append_range(numbers, member.numbers);
  }
  llvm::append_range(numbers, ends);
  gpu::GPUFuncOp function = members.size() == 1
                                ? parts.front().generate(context.kernels)
                                : generateMaps(context.kernels, name, parts);
  variant.launches = [=](OpBuilder &) {
    return SmallVector<Launch>{
        {function, grid, pointers, numbers, programmatic}};
  };
  return variant;
}

/// No kernel is launched for a call whose sizes contradict each other.
static void addBounds(MutableArrayRef<Variant> variants,
                      const TensorOperands &member) {
  for (Variant &variant : variants)
    llvm::append_range(variant.conditions, member.bounds);
}

/// With accesses of vectors, and where these ask for something of single
/// elements, too.
static SmallVector<Variant> variantsOf(MutableArrayRef<TensorOperands> members,
                                       const StepContext &context,
                                       const std::string &name) {
  SmallVector<Variant> variants = withFallback([&](bool isVector) {
    return variantOf(members, context, isVector ? name : name + "_any",
                     isVector);
  });
  for (TensorOperands &member : members)
    addBounds(variants, member);
  return variants;
}

/// Where matmuls compute the rows of `root` for one token, nothing stands in
/// front of `variants`. Gives what the step counts, i64.
static FailureOr<Value> leaveToMatmuls(Operation *root,
                                       SmallVector<Variant> &variants,
                                       const StepContext &context) {
  HostProgramBuilder &program = context.program;
  SmallVector<MatmulOp> readers =
      matmulsThatCompute(root, [&](const std::string &reason) {
        explain(root, "kernel")
            << "rows of one token are stored, too: " << reason;
      });
  if (readers.empty())
    return program.constant(1);
  FailureOr<SmallVector<Variant>> guards =
      guardsOfComputedRows(readers, context);
  if (failed(guards))
    return failure();
  Variant nothing;
  nothing.maxRows = 1;
  nothing.nothing = true;
  for (const Variant &guard : *guards) {
    llvm::append_range(nothing.alignments, guard.alignments);
    llvm::append_range(nothing.conditions, guard.conditions);
  }
  variants.insert(variants.begin(), std::move(nothing));
  explain(root, "kernel") << "one token is computed by the "
                          << int64_t(readers.size())
                          << " matmuls that read it, in each block";
  return program.rowsOf(root->getResult(0));
}

FailureOr<size_t>
mlir::sparseflow::convertTensorOps(ArrayRef<Operation *> roots,
                                   const StepContext &context) {
  HostProgramBuilder &program = context.program;
  // Of nothing there is nothing to launch.
  if (isEmpty(roots.front()))
    return 1;
  // Kernels keep a reference to the group of their member.
  std::deque<TensorOperands> collected(1);
  if (failed(collected.front().collect(roots.front(), program)))
    return failure();
  for (Operation *root : roots.drop_front()) {
    collected.emplace_back();
    if (failed(collected.back().collect(root, program)))
      return failure();
    if (isEmpty(root) ||
        !llvm::all_of(llvm::drop_end(collected),
                      [&](const TensorOperands &member) {
                        return member.isApartFrom(collected.back());
                      })) {
      collected.pop_back();
      break;
    }
    explain(root, "kernel") << "shares a launch with the kernel before it, of "
                               "which it reads nothing";
  }
  std::vector<TensorOperands> members(
      std::make_move_iterator(collected.begin()),
      std::make_move_iterator(collected.end()));

  StringRef form = stringifyKernelForm(*kernelFormOf(roots.front()));
  SmallVector<Variant> variants =
      variantsOf(members, context, (context.prefix + "_" + form).str());
  FailureOr<Value> ofRows = leaveToMatmuls(roots.front(), variants, context);
  if (failed(ofRows) || program.sizesFailed())
    return failure();
  program.addStep(roots.front()->getLoc(), form, *ofRows, variants);
  return members.size();
}

FailureOr<SmallVector<Variant>>
mlir::sparseflow::rowsVariants(Operation *root, const StepContext &context) {
  TensorOperands member;
  if (failed(member.collect(root, context.program)))
    return failure();
  SmallVector<Variant> variants =
      variantsOf(member, context, context.prefix + "_rows");
  if (context.program.sizesFailed())
    return failure();
  return variants;
}

FailureOr<SmallVector<Variant>> mlir::sparseflow::quantizedRowsVariants(
    Operation *root, const TokenShape &token, Value signs,
    ArrayRef<Value> results, const StepContext &context) {
  HostProgramBuilder &program = context.program;
  TensorOperands member;
  if (failed(member.collect(root, program)))
    return failure();
  ArrayRef<Value> inputs =
      ArrayRef(member.pointers).drop_back(member.group.outputs.size());
  SmallVector<Value> sources(inputs), pointers;
  if (signs)
    sources.push_back(program.bufferOf(signs));
  pointers = sources;
  pointers.append(results.begin(), results.end());
  Value grid = program.rowsOf(root->getResult(0));
  bool programmatic = context.programmatic();
  SmallVector<Variant> variants = withFallback([&](bool aligned) {
    RowQuantizeKernel kernel{
        {context.prefix + (aligned ? "_rows_quantize" : "_rows_quantize_any"),
         root->getLoc(),
         member.group,
         KernelForm::Rows,
         {aligned ? member.vector : 1},
         programmatic},
        token,
        signs ? getElementTypeOrSelf(signs.getType()) : Type()};
    gpu::GPUFuncOp function = kernel.generate(context.kernels);
    Variant variant;
    if (aligned)
      for (Value pointer : sources)
        variant.require(pointer, 16);
    variant.launches = [=, numbers = member.numbers](OpBuilder &) {
      return SmallVector<Launch>{
          {function, grid, pointers, numbers, programmatic}};
    };
    return variant;
  });
  addBounds(variants, member);
  if (program.sizesFailed())
    return failure();
  return variants;
}
