//===- TensorStep.cpp - Kernels of tensor ops, and their launches ---------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversion/SparseFlowToSFTile/TensorStep.h"
#include "Kernels/Support/HostIntegers.h"
#include "Kernels/Tensor/RowQuantize.h"
#include "SparseFlow/Support/Remarks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <deque>

using namespace mlir;
using namespace mlir::sparseflow;

namespace {

/// Finds what a kernel reads: tensors in memory, sizes, and integers that the
/// host computes.
class GroupCollector {
public:
  GroupCollector(HostProgramBuilder &program, TensorGroup &group)
      : program(program), group(group) {}

  LogicalResult collect() {
    for (Value result : group.root->getResults()) {
      group.outputs.push_back(result);
      addSizes(result);
    }
    return visit(group.root);
  }
  /// The integers of a launch, and what must hold of sizes (i1) so that slices
  /// are inside of what they are taken from.
  SmallVector<Value> numbers, bounds;

private:
  int64_t numberOf(Value value) {
    auto *found = llvm::find(numbers, value);
    if (found != numbers.end())
      return found - numbers.begin();
    numbers.push_back(value);
    return group.numbers++;
  }

  void addSizes(Value tensor) {
    auto type = cast<RankedTensorType>(tensor.getType());
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (type.isDynamicDim(dim))
        group.sizes[{tensor, dim}] = numberOf(program.dimOf(tensor, dim));
  }

  /// What elements decide the kernel computes of them.
  LogicalResult addScalar(Value value) {
    Operation *op = value.getDefiningOp();
    if (!value.getType().isIntOrIndex() ||
        isa_and_nonnull<arith::ConstantOp>(op))
      return success();
    if (!isFromData(value)) {
      group.scalars[value] = numberOf(program.scalarOf(value));
      return success();
    }
    for (Value operand : op->getOperands())
      if (failed(isa<RankedTensorType>(operand.getType()) ? read(op, operand)
                                                          : addScalar(operand)))
        return failure();
    return success();
  }

  /// A slice's end, where sizes of a call decide it.
  void addBounds(tensor::ExtractSliceOp op) {
    HostIntegers host{program.builder, op.getLoc()};
    auto number = [&](OpFoldResult value) -> Value {
      if (std::optional<int64_t> known = getConstantIntValue(value))
        return host.constant(*known);
      return program.scalarOf(cast<Value>(value));
    };
    for (auto [dim, offset, size, stride] : llvm::enumerate(
             op.getMixedOffsets(), op.getMixedSizes(), op.getMixedStrides())) {
      // An offset of data is inside already.
      auto first = dyn_cast<Value>(offset);
      if (getConstantIntValue(stride) != 1 || (first && isFromData(first)))
        continue;
      Value end = host.add(number(offset), number(size));
      Value all = program.dimOf(op.getSource(), dim);
      if (end != all && !(getConstantIntValue(end) && getConstantIntValue(all)))
        bounds.push_back(arith::CmpIOp::create(
            program.builder, op.getLoc(), arith::CmpIPredicate::ule, end, all));
    }
  }

  LogicalResult readScalar(Operation *op, Value value) {
    if (isa_and_nonnull<arith::ConstantOp>(value.getDefiningOp()))
      return success();
    if (!value.getType().isIntOrIndex())
      return op->emitOpError("expected a body that uses its inputs, constants "
                             "and integers computed from sizes, found a value "
                             "of ")
             << value.getType()
             << " that the host computes; pass it as an input of rank 0";
    return addScalar(value);
  }

  LogicalResult read(Operation *reader, Value tensor) {
    if (!isa<RankedTensorType>(tensor.getType()))
      return readScalar(reader, tensor);
    addSizes(tensor);
    Value source = skipReshapes(tensor);
    if (program.bufferOf(tensor)) {
      group.inputs.insert(source);
      return success();
    }
    Operation *op = tensor.getDefiningOp();
    assert(op && "arguments of the function have buffers");
    if (isa<arith::ConstantOp, tensor::EmptyOp>(op))
      return success();
    return seen.insert(op).second ? visit(op) : success();
  }

  LogicalResult visit(Operation *op) {
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
      return visitLinalg(linalgOp);
    // Offsets and the like.
    for (Value operand : op->getOperands())
      if (operand.getType().isIntOrIndex() && failed(addScalar(operand)))
        return failure();
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
      addBounds(slice);
    if (auto pad = dyn_cast<tensor::PadOp>(op))
      if (failed(visitBody(op, pad.getRegion().front())))
        return failure();
    if (auto reshape = dyn_cast<tensor::ReshapeOp>(op))
      return read(op, reshape.getSource());
    auto append = dyn_cast<CacheAppendOp>(op);
    tensor::InsertSliceOp slice = getUpdateOfSlice(op);
    for (OpOperand &operand : op->getOpOperands()) {
      // A cache is written where it lies, as other arguments are.
      if ((append && &operand == &append.getCacheMutable()) ||
          (slice && &operand == &slice.getDestMutable()))
        addSizes(operand.get());
      else if (isa<RankedTensorType>(operand.get().getType()) &&
               failed(read(op, operand.get())))
        return failure();
    }
    return success();
  }

  LogicalResult visitLinalg(linalg::LinalgOp op) {
    for (OpOperand &operand : op->getOpOperands()) {
      if (isa<RankedTensorType>(operand.get().getType()))
        addSizes(operand.get());
      if (op.payloadUsesValueFromOperand(&operand) &&
          failed(read(op, operand.get())))
        return failure();
    }
    return visitBody(op, *op.getBlock());
  }

  LogicalResult visitBody(Operation *owner, Block &block) {
    for (Operation &inner : block)
      for (Value operand : inner.getOperands()) {
        bool isOwn = operand.getParentBlock() == &block;
        if (!isOwn && failed(read(owner, operand)))
          return failure();
      }
    return success();
  }

  HostProgramBuilder &program;
  TensorGroup &group;
  DenseSet<Operation *> seen;
};

} // namespace

namespace {
/// A kernel's ops, and what it is launched with.
struct Member {
  TensorGroup group;
  SmallVector<Value> pointers, numbers, bounds;
  int64_t vector = 1;
  std::optional<std::pair<Value, int64_t>> dynamic;
};
} // namespace

static bool isEmpty(Operation *root) {
  return llvm::is_contained(
      cast<RankedTensorType>(root->getResult(0).getType()).getShape(), 0);
}

static LogicalResult collect(Operation *root, HostProgramBuilder &program,
                             Member &member) {
  member.group.root = root;
  GroupCollector collector(program, member.group);
  if (failed(collector.collect()) || program.sizesFailed())
    return failure();
  for (Value input : member.group.inputs)
    member.pointers.push_back(program.bufferOf(input));
  for (Value output : member.group.outputs)
    member.pointers.push_back(program.bufferOf(output));
  member.numbers = collector.numbers;
  member.bounds = collector.bounds;
  if (member.numbers.empty())
    member.numbers.push_back(program.constant(0));
  member.vector = vectorOf(member.group, *kernelFormOf(root), member.dynamic);
  return success();
}

/// Whether `next` may run at the same time as `member`: it reads nothing that
/// this writes, and writes nothing that this reads or writes.
static bool isApart(const Member &member, const Member &next) {
  auto outputs = [](const Member &of) {
    return ArrayRef(of.pointers).take_back(of.group.outputs.size());
  };
  auto meets = [](ArrayRef<Value> a, ArrayRef<Value> b) {
    return llvm::any_of(
        a, [&](Value value) { return llvm::is_contained(b, value); });
  };
  return !meets(outputs(member), next.pointers) &&
         !meets(member.pointers, outputs(next));
}

/// The launch of `members` with accesses of their vectors, or of single
/// elements.
static Variant variantOf(MutableArrayRef<Member> members,
                         const StepContext &context, const std::string &name,
                         bool isVector) {
  HostProgramBuilder &program = context.program;
  bool programmatic = context.programmatic();
  Variant variant;
  SmallVector<TensorKernel> parts;
  SmallVector<Value> pointers, numbers, ends;
  Value grid;
  for (Member &member : members) {
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
static void addBounds(MutableArrayRef<Variant> variants, const Member &member) {
  for (Variant &variant : variants)
    llvm::append_range(variant.conditions, member.bounds);
}

/// With accesses of vectors, and where these ask for something of single
/// elements, too.
static SmallVector<Variant> variantsOf(MutableArrayRef<Member> members,
                                       const StepContext &context,
                                       const std::string &name) {
  SmallVector<Variant> variants = withFallback([&](bool isVector) {
    return variantOf(members, context, isVector ? name : name + "_any",
                     isVector);
  });
  for (Member &member : members)
    addBounds(variants, member);
  return variants;
}

FailureOr<size_t>
mlir::sparseflow::convertTensorOps(ArrayRef<Operation *> roots,
                                   const StepContext &context) {
  HostProgramBuilder &program = context.program;
  // Of nothing there is nothing to launch.
  if (isEmpty(roots.front()))
    return 1;
  // Kernels keep a reference to the group of their member.
  std::deque<Member> collected(1);
  if (failed(collect(roots.front(), program, collected.front())))
    return failure();
  for (Operation *root : roots.drop_front()) {
    collected.emplace_back();
    if (failed(collect(root, program, collected.back())))
      return failure();
    if (isEmpty(root) ||
        !llvm::all_of(llvm::drop_end(collected), [&](const Member &member) {
          return isApart(member, collected.back());
        })) {
      collected.pop_back();
      break;
    }
    explain(root, "kernel") << "shares a launch with the kernel before it, of "
                               "which it reads nothing";
  }
  std::vector<Member> members(std::make_move_iterator(collected.begin()),
                              std::make_move_iterator(collected.end()));

  StringRef form = stringifyKernelForm(*kernelFormOf(roots.front()));
  SmallVector<Variant> variants =
      variantsOf(members, context, (context.prefix + "_" + form).str());
  if (program.sizesFailed())
    return failure();
  program.addStep(roots.front()->getLoc(), form, program.constant(1), variants);
  return members.size();
}

FailureOr<SmallVector<Variant>>
mlir::sparseflow::rowsVariants(Operation *root, const StepContext &context) {
  Member member;
  if (failed(collect(root, context.program, member)))
    return failure();
  SmallVector<Variant> variants =
      variantsOf(member, context, context.prefix + "_rows");
  if (context.program.sizesFailed())
    return failure();
  return variants;
}

FailureOr<CollectedRows>
mlir::sparseflow::collectRows(Operation *root, HostProgramBuilder &program) {
  Member member;
  if (failed(collect(root, program, member)))
    return failure();
  CollectedRows collected;
  collected.bounds = member.bounds;
  collected.inputs = member.pointers;
  collected.inputs.pop_back();
  if (member.group.numbers)
    collected.numbers = member.numbers;
  collected.rows = std::make_shared<ComputedRows>(
      ComputedRows{std::move(member.group), {member.vector}});
  return collected;
}

void CollectedRows::require(Variant &variant) const {
  for (Value pointer : inputs)
    variant.require(pointer, 16);
  llvm::append_range(variant.conditions, bounds);
}

FailureOr<SmallVector<Variant>> mlir::sparseflow::quantizedRowsVariants(
    Operation *root, const TokenShape &token, Value signs,
    ArrayRef<Value> results, const StepContext &context) {
  HostProgramBuilder &program = context.program;
  Member member;
  if (failed(collect(root, program, member)))
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
