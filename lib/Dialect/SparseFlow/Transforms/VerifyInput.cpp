//===- VerifyInput.cpp - What no device can compile -----------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"
#include "SparseFlow/Dialect/SparseFlow/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

namespace mlir::sparseflow {
#define GEN_PASS_DEF_SPARSEFLOWVERIFYINPUT
#include "SparseFlow/Dialect/SparseFlow/Transforms/Passes.h.inc"
} // namespace mlir::sparseflow

using namespace mlir;
using namespace mlir::sparseflow;

/// Its verifier knows of indices past the last dimension, not of those before
/// the first.
static LogicalResult verifyDim(tensor::DimOp op) {
  std::optional<int64_t> index = getConstantIntValue(op.getIndex());
  if (!index || *index >= 0)
    return success();
  return op.emitOpError("expected a dimension from 0 on, found ")
         << *index << "; write the number of the dimension";
}

namespace {
/// Follows calls from function to function.
class CallWalk {
public:
  explicit CallWalk(ModuleOp module) : symbols(module) {}

  /// Fails at the first call that closes a circle.
  LogicalResult visit(func::FuncOp function) {
    if (!done.insert(function).second)
      return success();
    path.push_back(function);
    WalkResult walk = function.walk([&](func::CallOp call) -> WalkResult {
      auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
      if (!callee)
        return WalkResult::advance();
      if (failed(verifyCallee(function, call, callee)))
        return WalkResult::interrupt();
      auto *begin = llvm::find(path, callee);
      if (begin == path.end())
        return visit(callee);
      InFlightDiagnostic error = call.emitError("recursion cannot be compiled: "
                                                "this call closes the circle ");
      for (func::FuncOp step : ArrayRef(begin, path.end()))
        error << "'" << step.getName() << "' -> ";
      error << "'" << callee.getName()
            << "', and kernels are launched from a list without a stack; "
               "write the steps out, or leave the loop to the caller";
      return error;
    });
    path.pop_back();
    return failure(walk.wasInterrupted());
  }

private:
  /// What is called becomes part of its caller, so it has to be there, may not
  /// object, and may not say of its arguments what the caller's do not.
  static LogicalResult verifyCallee(func::FuncOp function, func::CallOp call,
                                    func::FuncOp callee) {
    if (callee.isExternal()) {
      InFlightDiagnostic error = call.emitError("expected a function with a "
                                                "body, found the declaration '")
                                 << callee.getName()
                                 << "': what is called becomes part of the "
                                    "kernels of its caller; put its body into "
                                    "the module";
      error.attachNote(callee.getLoc()) << "declared here";
      return error;
    }
    if (call.getNoInline() || callee.getNoInline())
      return call.emitError("expected a call without 'no_inline', found it at ")
             << (call.getNoInline() ? "the call" : "the function") << " of '"
             << callee.getName()
             << "': what is called becomes part of the kernels of its caller; "
                "remove the attribute";
    StringRef name = SparseFlowDialect::kSparseAttr;
    for (auto [i, operand] : llvm::enumerate(call.getArgOperands())) {
      Attribute mark = callee.getArgAttr(i, name);
      auto tensor = dyn_cast<RankedTensorType>(operand.getType());
      if (!mark || (tensor && tensor.getEncoding()))
        continue;
      auto argument = dyn_cast<BlockArgument>(operand);
      if (argument && argument.getOwner() == &function.front() &&
          function.getArgAttr(argument.getArgNumber(), name) == mark)
        continue;
      return call.emitError("expected operand ")
             << i << " to be an argument with '" << name << "' = " << mark
             << ", as argument " << i << " of '" << callee.getName()
             << "' has: a call becomes part of its caller, and the mark would "
                "be lost; mark the caller's argument, too";
    }
    return success();
  }

  SymbolTable symbols;
  SmallVector<func::FuncOp> path;
  llvm::SmallPtrSet<Operation *, 8> done;
};

struct VerifyInput : sparseflow::impl::SparseFlowVerifyInputBase<VerifyInput> {
  void runOnOperation() override {
    markAllAnalysesPreserved();
    CallWalk calls(getOperation());
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (failed(calls.visit(function)))
        return signalPassFailure();
      // Values that live outside the function: state, or weights of a module.
      WalkResult walk = function.walk([](Operation *op) -> WalkResult {
        if (auto dim = dyn_cast<tensor::DimOp>(op))
          return verifyDim(dim);
        if (op->getName().getDialectNamespace() != "ml_program" &&
            op->getName().getDialectNamespace() != "util")
          return WalkResult::advance();
        InFlightDiagnostic error =
            op->emitError("'")
            << op->getName()
            << "' cannot be compiled: a compiled function sees its arguments "
               "only; make the value an argument (torch-mlir: export with "
               "parameters as inputs), and pass weights with --weights";
        return error;
      });
      if (walk.wasInterrupted())
        return signalPassFailure();
    }
  }
};
} // namespace
