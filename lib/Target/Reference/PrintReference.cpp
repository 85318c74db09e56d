//===- PrintReference.cpp - Prints the reference of every function --------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Support/LocatedError.h"
#include "SparseFlow/Target/Reference/Reference.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::sparseflow;

namespace {
/// A debugging aid: the module passes through unchanged.
struct PrintReference : PassWrapper<PrintReference, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PrintReference)

  StringRef getArgument() const override {
    return "sparseflow-print-reference";
  }
  StringRef getDescription() const override {
    return "Print what every function computes, as the manifest says it";
  }

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (function.isExternal())
        continue;
      llvm::Expected<llvm::json::Object> reference = exportReference(function);
      if (!reference) {
        (void)reportError(reference.takeError(), function.getLoc());
        return signalPassFailure();
      }
      llvm::outs() << llvm::formatv("{0}\n",
                                    llvm::json::Value(std::move(*reference)));
    }
    markAllAnalysesPreserved();
  }
};
} // namespace

void mlir::sparseflow::registerPrintReferencePass() {
  PassRegistration<PrintReference>();
}
