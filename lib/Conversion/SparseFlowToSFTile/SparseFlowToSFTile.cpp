//===- SparseFlowToSFTile.cpp - Functions become kernels and launches -===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversion/SparseFlowToSFTile/Steps.h"
#include "Launch/ArgmaxGroup.h"
#include "Launch/Cache/CacheAppendStep.h"
#include "Launch/LaunchGroup.h"
#include "Launch/MatmulStep.h"
#include "Launch/QuantizeGroup.h"
#include "SparseFlow/Conversion/SparseFlowToSFTile/KernelNames.h"
#include "SparseFlow/Conversion/SparseFlowToSFTile/Passes.h"
#include "SparseFlow/Support/Remarks.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/RegionUtils.h"

#include "llvm/ADT/StringExtras.h"

namespace mlir::sparseflow {
#define GEN_PASS_DEF_CONVERTSPARSEFLOWTOSFTILE
#include "SparseFlow/Conversion/SparseFlowToSFTile/Passes.h.inc"
} // namespace mlir::sparseflow

using namespace mlir;
using namespace mlir::sparseflow;

// Kernels of tensor ops that share a launch, at most.
static constexpr size_t kMaxShared = 8;

LogicalResult mlir::sparseflow::convertMatmul(MatmulOp op,
                                              const StepContext &context) {
  MatmulStep step(op, context);
  if (failed(step.prepare()))
    return failure();
  FailureOr<std::unique_ptr<SharedLaunch>> launch =
      SharedLaunch::of(op, context);
  if (failed(launch))
    return failure();
  return step.append(launch->get());
}

namespace {

/// Converts one function.
class FunctionConverter {
public:
  /// The names of the kernels begin with `prefix`.
  FunctionConverter(func::FuncOp function, std::string prefix,
                    gpu::GPUModuleOp kernels,
                    const FunctionSignature &signature,
                    unsigned computeCapability)
      : function(function), prefix(std::move(prefix)), kernels(kernels),
        program(function, signature),
        kernelBuilder(OpBuilder::atBlockEnd(kernels.getBody())),
        computeCapability(computeCapability) {}

  LogicalResult run() {
    program.bindBuffers();
    for (Operation &op : function.front().without_terminator()) {
      LogicalResult converted = refuseEmpty(op);
      if (failed(converted))
        return failure();
      Operation *previous = program.lastStep();
      computed.clear();
      // A number of its own, which the quantization's kernels do not take.
      if (isQuantizedWith(&op)) {
        ++operation;
        continue;
      }
      if (auto matmul = dyn_cast<MatmulOp>(op))
        converted = convertMatmul(matmul, nextContext());
      else if (auto attention = dyn_cast<AttentionOp>(op))
        converted = convertAttention(attention, nextContext());
      else if (MatmulOp matmul = matmulOfArgmax(&op))
        converted =
            convertArgmax(cast<linalg::LinalgOp>(op), matmul, nextContext());
      else if (kernelFormOf(&op) == KernelForm::Product)
        converted = convertProduct(cast<linalg::LinalgOp>(op), nextContext());
      else if (kernelFormOf(&op))
        converted = convertTensor(&op);
      else if (isInlined(&op))
        continue;
      else if (auto quantize = dyn_cast<QuantizeOp>(op))
        converted = convertQuantize(quantize, nextContext());
      else if (auto rotation = dyn_cast<HadamardOp>(op))
        converted = convertPair(rotation, convertRotation);
      else if (auto sample = dyn_cast<SampleOp>(op))
        converted = convertSample(sample, nextContext());
      else if (auto append = dyn_cast<CacheAppendOp>(op))
        converted = convertPair(append, convertAppend);
      else if (!isa<tensor::EmptyOp, tensor::DimOp, tensor::CollapseShapeOp,
                    tensor::ExpandShapeOp, tensor::CastOp, tensor::ReshapeOp,
                    tensor::FromElementsOp, arith::ConstantOp>(op) &&
               (op.getNumResults() == 0 ||
                !llvm::all_of(op.getResultTypes(),
                              [](Type type) { return type.isIntOrIndex(); })))
        return op.emitOpError(
            "expected sparseflow.matmul, sparseflow.attention or an op that "
            "sparseflow-form-kernels gave a kernel; run that pass first, or "
            "compute this outside, or on the cpu device");
      if (failed(converted))
        return failure();
      if (program.lastStep() != previous && op.getNumResults() &&
          !program.sizesFailed())
        program.noteTraffic(computed.empty() ? ArrayRef<Operation *>(&op)
                                             : ArrayRef(computed),
                            previous);
    }
    if (failed(copyAliases()))
      return failure();
    if (program.sizesFailed())
      return failure();
    program.finish();
    return success();
  }

private:
  /// For the next operation, which has a number in the names of its kernels.
  StepContext nextContext() {
    return {program, kernelBuilder, (prefix + "_" + Twine(operation++)).str(),
            computeCapability, sums};
  }

  /// A size that is 0 at run time launches nothing; features that are none for
  /// good would be a kernel without instructions.
  static LogicalResult refuseEmpty(Operation &op) {
    for (Type type : op.getResultTypes()) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      if ((isa<MatmulOp>(op) || kernelFormOf(&op)) && tensor &&
          tensor.getRank() && tensor.getShape().back() == 0)
        return op.emitOpError("expected a result with features, found ")
               << type << "; there is nothing to compute, remove it";
    }
    return success();
  }

  LogicalResult convertTensor(Operation *root);
  /// An op that may share its launch with one of its kind behind it: queries
  /// and keys of a layer are rotated so, keys and values appended. `convert`
  /// says whether both were converted.
  template <typename OpTy>
  LogicalResult convertPair(OpTy op,
                            FailureOr<bool> (*convert)(OpTy, OpTy,
                                                       const StepContext &));
  LogicalResult copyAliases();

  func::FuncOp function;
  std::string prefix;
  gpu::GPUModuleOp kernels;
  HostProgramBuilder program;
  OpBuilder kernelBuilder;
  unsigned computeCapability;
  int64_t operation = 0;
  /// What the launch of the operation that was just converted computes, where
  /// it is not that operation alone.
  SmallVector<Operation *> computed;
  /// Roots that are part of the launch of one in front of them.
  DenseSet<Operation *> shared;
  /// Of quantized activations: the sum of every token's values.
  DenseMap<Value, Value> sums;
};

} // namespace

//===----------------------------------------------------------------------===//
// Tensor ops
//===----------------------------------------------------------------------===//

/// The roots that may share a launch with `root`: of the form map, with nothing
/// between them that is launched.
static SmallVector<Operation *> launchedWith(Operation *root) {
  SmallVector<Operation *> roots = {root};
  if (kernelFormOf(root) != KernelForm::Map)
    return roots;
  for (Operation *op = root->getNextNode(); op && roots.size() < kMaxShared;
       op = op->getNextNode()) {
    if (kernelFormOf(op) == KernelForm::Map)
      roots.push_back(op);
    else if (!isLaunchless(op))
      break;
  }
  return roots;
}

LogicalResult FunctionConverter::convertTensor(Operation *root) {
  // Part of the launch of one before it: its number is its own.
  StepContext context = nextContext();
  if (shared.erase(root))
    return success();
  SmallVector<Operation *> roots = launchedWith(root);
  FailureOr<size_t> count = convertTensorOps(roots, context);
  if (failed(count))
    return failure();
  computed.assign(roots.begin(), roots.begin() + *count);
  shared.insert(roots.begin() + 1, roots.begin() + *count);
  return success();
}

template <typename OpTy>
LogicalResult FunctionConverter::convertPair(
    OpTy op, FailureOr<bool> (*convert)(OpTy, OpTy, const StepContext &)) {
  StepContext context = nextContext();
  if (shared.erase(op))
    return success();
  auto second = dyn_cast<OpTy>(nextLaunched(op));
  FailureOr<bool> both = convert(op, second, context);
  if (failed(both))
    return failure();
  if (*both) {
    computed = {op, second};
    shared.insert(second);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Results that have no computation of their own
//===----------------------------------------------------------------------===//

LogicalResult FunctionConverter::copyAliases() {
  Operation *terminator = function.front().getTerminator();
  DenseSet<Value> seen;
  for (auto [index, value] : llvm::enumerate(terminator->getOperands())) {
    Operation *source = skipReshapes(value).getDefiningOp();
    auto refuse = [&, index = index](StringRef found, StringRef remedy) {
      return terminator->emitOpError("expected result #")
             << index << " to be computed by an operation of its own, found "
             << found << "; " << remedy;
    };
    if (!source)
      return refuse("an argument", "leave it out: the caller has it");
    if (!source->hasAttr(kSchedulesAttr) && !kernelFormOf(source) &&
        !isa<CacheAppendOp, HadamardOp, SampleOp>(source))
      return refuse("a constant, or a value that folds to one",
                    "leave it out, or run on the CPU (--device cpu)");
    if (!seen.insert(skipReshapes(value)).second)
      return refuse("a value that is returned already",
                    "return each tensor once (equal computations "
                    "are one)");
  }
  return success();
}

std::string mlir::sparseflow::kernelPrefix(StringRef function,
                                           llvm::StringSet<> &taken) {
  std::string prefix;
  for (char c : function)
    prefix += llvm::isAlnum(c) || c == '_' || c == '$' ? c : '_';
  if (prefix.empty() || llvm::isDigit(prefix.front()))
    prefix.insert(0, "_");
  while (!taken.insert(prefix).second)
    prefix += '_';
  return prefix;
}

namespace {
struct ConvertSparseFlowToSFTile
    : public sparseflow::impl::ConvertSparseFlowToSFTileBase<
          ConvertSparseFlowToSFTile> {
  using ConvertSparseFlowToSFTileBase::ConvertSparseFlowToSFTileBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
    SmallVector<func::FuncOp> functions;
    for (auto function : module.getOps<func::FuncOp>())
      if (!function.isExternal() &&
          function->hasAttr(SparseFlowDialect::kArgumentTypesAttr))
        functions.push_back(function);
    if (functions.empty())
      return;
    auto kernels =
        gpu::GPUModuleOp::create(builder, module.getLoc(), "kernels");
    module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                    builder.getUnitAttr());
    llvm::StringSet<> prefixes;
    for (func::FuncOp function : functions) {
      FailureOr<FunctionSignature> signature = inferSignature(function);
      if (failed(signature) ||
          failed(FunctionConverter(function,
                                   kernelPrefix(function.getName(), prefixes),
                                   kernels, *signature, computeCapability)
                     .run()))
        return signalPassFailure();
    }
  }
};
} // namespace
