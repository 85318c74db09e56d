//===- MarkSparse.cpp - Declare arguments to be N:M sparse ----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"
#include "SparseFlow/Dialect/SparseFlow/Transforms/Passes.h"
#include "SparseFlow/Support/Remarks.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::sparseflow {
#define GEN_PASS_DEF_SPARSEFLOWMARKSPARSE
#include "SparseFlow/Dialect/SparseFlow/Transforms/Passes.h.inc"
} // namespace mlir::sparseflow

using namespace mlir;
using namespace mlir::sparseflow;

namespace {
/// One item of the option: ARG=N:M.
struct Mark {
  StringRef argument;
  int64_t n, m;
};
} // namespace

/// Parses `text`; a name may hold '=', so the last one separates.
static std::optional<Mark> parseMark(StringRef text) {
  auto [argument, pattern] = text.rsplit('=');
  auto [n, m] = pattern.split(':');
  Mark mark{argument, 0, 0};
  if (argument.empty() || n.getAsInteger(10, mark.n) ||
      m.getAsInteger(10, mark.m))
    return std::nullopt;
  return mark;
}

/// The index of the argument that `mark` names in `function`: by name first,
/// so that an argument named "0" can be marked.
static std::optional<unsigned> findArgument(func::FuncOp function,
                                            StringRef argument) {
  unsigned count = function.getNumArguments();
  for (unsigned i = 0; i < count; ++i) {
    auto name =
        function.getArgAttrOfType<StringAttr>(i, SparseFlowDialect::kNameAttr);
    if (name && name.getValue() == argument)
      return i;
  }
  unsigned index;
  if (argument.getAsInteger(10, index) || index >= count)
    return std::nullopt;
  return index;
}

/// True for a use that gives an encoded tensor a meaning.
static bool carriesEncoding(OpOperand &use) {
  Operation *owner = use.getOwner();
  if (auto matmul = dyn_cast<MatmulOp>(owner))
    return &use == &matmul.getWMutable();
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(owner))
    return linalgOp.isDpsInput(&use);
  return isa<tensor::DimOp, UnpackOp>(owner);
}

static LogicalResult markArgument(func::FuncOp function, unsigned index,
                                  const Mark &mark) {
  auto error = [&] {
    return function.emitError("cannot mark argument ")
           << index << " as " << mark.n << ":" << mark.m << ": ";
  };
  auto type = dyn_cast<RankedTensorType>(function.getArgumentTypes()[index]);
  if (!type)
    return error() << "expected a ranked tensor, found "
                   << function.getArgumentTypes()[index];
  auto encoding = NmAttr::getChecked(error, function.getContext(), mark.n,
                                     mark.m, int64_t{-1});
  if (!encoding)
    return failure();
  if (type.getEncoding() == encoding)
    return success();
  if (type.getEncoding())
    return error() << "it has the encoding " << type.getEncoding()
                   << " already; remove one of the two";
  auto encoded = RankedTensorType::getChecked(error, type.getShape(),
                                              type.getElementType(), encoding);
  if (!encoded)
    return failure();

  SmallVector<Type> types(function.getArgumentTypes());
  types[index] = encoded;
  function.setType(FunctionType::get(function.getContext(), types,
                                     function.getResultTypes()));
  explain(function, "import")
      << "argument " << index << " is " << encoded << " by request";
  if (function.isExternal())
    return success();

  BlockArgument argument = function.getArgument(index);
  argument.setType(encoded);
  auto needsDense = [](OpOperand &use) { return !carriesEncoding(use); };
  if (llvm::any_of(argument.getUses(), needsDense)) {
    OpBuilder b(function.getContext());
    b.setInsertionPointToStart(&function.front());
    Value dense =
        UnpackOp::create(b, argument.getLoc(), type, argument, StorageAttr());
    argument.replaceUsesWithIf(dense, needsDense);
  }
  return success();
}

namespace {
struct MarkSparse : sparseflow::impl::SparseFlowMarkSparseBase<MarkSparse> {
  using SparseFlowMarkSparseBase::SparseFlowMarkSparseBase;

  void runOnOperation() override {
    for (StringRef text : mark) {
      std::optional<Mark> item = parseMark(text);
      if (!item) {
        getOperation().emitError()
            << "expected an item of 'mark' as NAME=N:M or INDEX=N:M, found \""
            << text << "\"";
        return signalPassFailure();
      }
      bool found = false;
      for (auto function : getOperation().getOps<func::FuncOp>()) {
        std::optional<unsigned> index = findArgument(function, item->argument);
        if (!index)
          continue;
        found = true;
        if (failed(markArgument(function, *index, *item)))
          return signalPassFailure();
      }
      if (!found) {
        getOperation().emitError()
            << "expected 'mark' to name an argument, found \"" << item->argument
            << "\", which no function has; names are the '"
            << SparseFlowDialect::kNameAttr << "' of arguments";
        return signalPassFailure();
      }
    }
  }
};
} // namespace
