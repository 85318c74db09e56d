//===- MaterializeStorage.cpp - Encoded tensors become bytes --------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"
#include "SparseFlow/Dialect/SparseFlow/Transforms/Passes.h"
#include "SparseFlow/Dialect/SparseFlow/Transforms/Signature.h"
#include "SparseFlow/Support/Remarks.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::sparseflow {
#define GEN_PASS_DEF_SPARSEFLOWMATERIALIZESTORAGE
#include "SparseFlow/Dialect/SparseFlow/Transforms/Passes.h.inc"
} // namespace mlir::sparseflow

using namespace mlir;
using namespace mlir::sparseflow;

/// The storage that packs arguments of `type`; null where the pattern has no
/// packed layout and the argument is to be dense.
static FailureOr<StorageAttr> selectStorage(BlockArgument argument,
                                            bool requireSparse) {
  auto type = cast<RankedTensorType>(argument.getType());
  Operation *function = argument.getOwner()->getParentOp();
  if (getTernaryEncoding(type))
    return StorageAttr::getFor(type, [&] {
      return function->emitError("cannot pack argument ")
             << argument.getArgNumber() << ": ";
    });
  NmAttr encoding = getNmEncoding(type);
  if (!encoding) {
    function->emitError("expected argument ")
        << argument.getArgNumber()
        << " to be dense or to have an encoding #sparseflow.nm<N:M>, "
           "#sparseflow.ternary or #sparseflow.quantized, found "
        << type << "; run sparseflow-import-encodings";
    return failure();
  }
  bool hasLayout = encoding.isTwoOfFour() && encoding.isAlongLastAxis() &&
                   type.getRank() == 2;
  if (hasLayout || requireSparse)
    return StorageAttr::getFor(type, [&] {
      return function->emitError("cannot pack argument ")
             << argument.getArgNumber() << ": ";
    });
  explain(function, argument.getLoc(), "storage")
      << "argument " << argument.getArgNumber()
      << " is stored densely: " << encoding
      << " has no packed layout, only #sparseflow.nm<2:4> along K "
         "has one";
  return StorageAttr();
}

/// Gives `argument` the type of its storage and adapts its users.
static LogicalResult rewriteArgument(BlockArgument argument,
                                     StorageAttr storage) {
  argument.setType(
      storage ? storage.getBlobType()
              : cast<RankedTensorType>(dropEncoding(argument.getType())));
  for (OpOperand &use : llvm::make_early_inc_range(argument.getUses())) {
    Operation *owner = use.getOwner();
    auto matmul = dyn_cast<MatmulOp>(owner);
    if (matmul && &use == &matmul.getWMutable()) {
      if (storage)
        matmul.setStorageAttr(storage);
      continue;
    }
    bool isForwarded = storage ? isa<PackOp>(owner) : isa<UnpackOp>(owner);
    if (isForwarded) {
      owner->getResult(0).replaceAllUsesWith(argument);
      owner->erase();
      continue;
    }
    if (!storage)
      continue;
    return owner->emitOpError("cannot read argument ")
           << argument.getArgNumber() << ", which is packed as " << storage
           << ": expected the weight of a sparseflow.matmul; pass a dense copy "
              "for this op";
  }
  return success();
}

/// Weights are packed with their file, not in a compiled function.
static LogicalResult refuseConversions(func::FuncOp function) {
  for (auto ternarize : function.getOps<TernarizeOp>())
    return ternarize.emitOpError(
        "cannot run inside a compiled function: expected weights that are "
        "ternary already; pack them with 'sparseflow pack --format ternary'");
  return success();
}

static LogicalResult materialize(func::FuncOp function, bool requireSparse) {
  for (auto prune : function.getOps<PruneOp>())
    return prune.emitOpError("cannot run inside a compiled function: expected "
                             "weights that are pruned already; mark the "
                             "argument with sparseflow-mark-sparse and pack "
                             "the data");
  if (failed(refuseConversions(function)))
    return failure();
  FailureOr<FunctionSignature> signature = inferSignature(function);
  if (failed(signature))
    return failure();
  recordSignature(function, *signature);

  for (BlockArgument argument : function.getArguments()) {
    if (!cast<RankedTensorType>(argument.getType()).getEncoding())
      continue;
    // Pages are read as they are, and their number is the call's.
    TernaryAttr ternary = getTernaryEncoding(argument.getType());
    if (ternary && ternary.isCache())
      continue;
    FailureOr<StorageAttr> storage = selectStorage(argument, requireSparse);
    if (failed(storage) || failed(rewriteArgument(argument, *storage)))
      return failure();
  }
  function.setType(FunctionType::get(function.getContext(),
                                     function.front().getArgumentTypes(),
                                     function.getResultTypes()));
  return success();
}

namespace {
struct MaterializeStorage
    : sparseflow::impl::SparseFlowMaterializeStorageBase<MaterializeStorage> {
  using SparseFlowMaterializeStorageBase::SparseFlowMaterializeStorageBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    // A function that remembers its signature has been through here; the types
    // it has now are not its original ones.
    bool isDone = function.isExternal() ||
                  function->hasAttr(SparseFlowDialect::kArgumentTypesAttr);
    if ((!isDone && failed(materialize(function, requireSparse))) ||
        failed(verifyNoEncodings(function)))
      signalPassFailure();
  }
};
} // namespace
