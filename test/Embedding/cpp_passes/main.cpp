//===- main.cpp - Dialects and passes by name, from a build tree ----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Pipelines/Pipelines.h"
#include "SparseFlow/Pipelines/Register.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

int main() {
  mlir::DialectRegistry registry;
  registry.insert<mlir::func::FuncDialect>();
  mlir::sparseflow::registerSparseFlowDialects(registry);
  mlir::sparseflow::registerSparseFlowExtensions(registry);
  mlir::sparseflow::registerSparseFlowPasses();
  mlir::sparseflow::registerSparseFlowPasses(); // harmless
  mlir::MLIRContext context(registry);
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceString<mlir::ModuleOp>(
          R"mlir(
        func.func @f(%x: tensor<?x8xf16>,
                     %w: tensor<16x8xf16, #sparseflow.nm<2:4>>)
            -> tensor<?x16xf32> {
          %y = sparseflow.matmul %x, %w {
          ^bb0(%acc: f32):
            sparseflow.yield %acc : f32
          } : tensor<?x8xf16>, tensor<16x8xf16, #sparseflow.nm<2:4>>
              -> tensor<?x16xf32>
          return %y : tensor<?x16xf32>
        })mlir",
          &context);
  if (!module)
    return 1;
  mlir::OwningOpRef<mlir::ModuleOp> whole = module->clone();

  // One level, by name.
  mlir::PassManager manager(&context);
  if (failed(mlir::parsePassPipeline("sparseflow-tensor", manager)) ||
      failed(manager.run(*module)))
    return 1;
  module->print(llvm::outs());

  // All of them, by function.
  mlir::PassManager kernels(&context);
  mlir::sparseflow::TilePipelineOptions options;
  options.target = "sm_80";
  mlir::sparseflow::buildSparseFlowPipeline(kernels, options);
  if (failed(kernels.run(*whole)))
    return 1;
  whole->print(llvm::outs());
  return 0;
}
