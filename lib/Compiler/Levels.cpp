//===- Levels.cpp - The steps between the levels of IR --------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Levels.h"

#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"
#include "SparseFlow/Dialect/SparseFlow/Transforms/Passes.h"
#include "SparseFlow/Dialect/SparseFlow/Transforms/Signature.h"
#include "SparseFlow/Pipelines/Pipelines.h"
#include "SparseFlow/Pipelines/Register.h"
#include "SparseFlow/Support/LocatedError.h"
#include "SparseFlow/Support/Remarks.h"
#include "SparseFlow/Target/NVPTX/Kernels.h"
#include "SparseFlow/Target/Reference/Reference.h"

#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/IR/Verifier.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::sparseflow;

void mlir::sparseflow::registerCompiler(DialectRegistry &registry) {
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerSparseFlowDialects(registry);
  registerKernelTranslations(registry);
}

/// Runs a pipeline that `build` fills, without the command line's options.
/// Builds without assertions verify what comes out only: after every pass that
/// took a tenth of a compile. sparseflow-opt always verifies each.
static LogicalResult
runPipeline(ModuleOp module, llvm::function_ref<void(OpPassManager &)> build) {
  PassManager manager(module.getContext(), ModuleOp::getOperationName());
#ifdef NDEBUG
  manager.enableVerifier(false);
#endif
  build(manager);
  return success(succeeded(manager.run(module)) && succeeded(verify(module)));
}

LogicalResult mlir::sparseflow::importModule(ModuleOp module,
                                             ArrayRef<std::string> sparse,
                                             bool quantizeActivations) {
  return runPipeline(module, [&](OpPassManager &manager) {
    ImportPipelineOptions import;
    for (const std::string &mark : sparse)
      import.mark.push_back(mark);
    buildImportPipeline(manager, import);
    TensorPipelineOptions tensor;
    tensor.materializeStorage = false;
    tensor.quantizeActivations = quantizeActivations;
    buildTensorPipeline(manager, tensor);
  });
}

LogicalResult mlir::sparseflow::lowerToTiles(ModuleOp module,
                                             const TargetInfo &target,
                                             const CompileOptions &options) {
  return runPipeline(module, [&](OpPassManager &manager) {
    buildTensorPipeline(manager);
    TilePipelineOptions tile;
    tile.target = target.name.str();
    tile.scheduleFile = options.scheduleFile;
    tile.calibration = options.calibration;
    tile.gpu = options.gpu;
    tile.denseForms = options.denseFallback != DenseFallback::None;
    buildTilePipeline(manager, tile);
  });
}

LogicalResult mlir::sparseflow::lowerToHost(ModuleOp module,
                                            const TargetInfo &target) {
  return runPipeline(module, [&](OpPassManager &manager) {
    CodegenPipelineOptions codegen;
    codegen.target = target.name.str();
    buildCodegenPipeline(manager, codegen);
  });
}

LogicalResult mlir::sparseflow::addLineInfo(ModuleOp module) {
  return runPipeline(module, [&](OpPassManager &manager) {
    LLVM::DIScopeForLLVMFuncOpPassOptions scope;
    scope.emissionKind = LLVM::DIEmissionKind::DebugDirectivesOnly;
    manager.addPass(LLVM::createDIScopeForLLVMFuncOpPass(scope));
  });
}

/// True where `module` has ternary weights or 8-bit activations.
static bool usesTernary(ModuleOp module) {
  WalkResult walk = module.walk([](Operation *op) {
    auto function = dyn_cast<func::FuncOp>(op);
    auto isTernary = [](Type type) { return !!getTernaryEncoding(type); };
    bool found =
        isa<QuantizeOp>(op) || llvm::any_of(op->getOperandTypes(), isTernary) ||
        (function && llvm::any_of(function.getArgumentTypes(), isTernary));
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return walk.wasInterrupted();
}

LogicalResult mlir::sparseflow::lowerForCpu(ModuleOp module) {
  // The device itself knows how to read packed bytes.
  if (usesTernary(module))
    return success();
  return runPipeline(module, [&](OpPassManager &manager) {
    manager.addNestedPass<func::FuncOp>(createSparseFlowLowerToLinalg());
    manager.addPass(createCanonicalizerPass());
  });
}

/// Says why a function has no reference, at the op that has none.
static void explainUnchecked(func::FuncOp function, llvm::Error reason) {
  llvm::handleAllErrors(
      std::move(reason),
      [&](const LocatedError &error) {
        explain(function, error.getLocation(), "reference")
            << "results cannot be checked: " << error.getMessage();
      },
      [&](const llvm::ErrorInfoBase &error) {
        explain(function, "reference")
            << "results cannot be checked: " << error.message();
      });
}

FailureOr<std::vector<llvm::json::Object>>
mlir::sparseflow::describeFunctions(ModuleOp module) {
  std::vector<llvm::json::Object> functions;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal() || !function.isPublic())
      continue;
    if (failed(verifyUpdates(function)))
      return failure();
    llvm::Expected<llvm::json::Object> reference = exportReference(function);
    if (!reference) {
      // What cannot be checked can be run all the same.
      llvm::Error reason = reference.takeError();
      reference = exportSignature(function);
      if (!reference) {
        llvm::consumeError(std::move(reason));
        return reportError(reference.takeError(), function.getLoc());
      }
      explainUnchecked(function, std::move(reason));
    }
    functions.push_back(std::move(*reference));
  }
  return functions;
}
