//===- TensorPipelines.cpp - Pipelines on tensors -------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SparseFlow/Transforms/Passes.h"
#include "SparseFlow/Pipelines/Pipelines.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void sparseflow::buildImportPipeline(OpPassManager &pm,
                                     const ImportPipelineOptions &options) {
  pm.addPass(createSparseFlowVerifyInput());
  pm.addPass(createInlinerPass());
  pm.addPass(createSymbolDCEPass());
  pm.addPass(createSparseFlowImportEncodings());
  pm.addNestedPass<func::FuncOp>(createSparseFlowSimplifySizes());
  pm.addNestedPass<func::FuncOp>(createSparseFlowNormalizeScalars());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  // Before ops are fused and rearranged: its steps are recognised as they come.
  pm.addNestedPass<func::FuncOp>(createSparseFlowRaiseAttention());
  pm.addNestedPass<func::FuncOp>(createSparseFlowNormalizeLinalg());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  SparseFlowMarkSparseOptions mark;
  mark.mark = llvm::to_vector(options.mark);
  pm.addPass(createSparseFlowMarkSparse(mark));
  pm.addNestedPass<func::FuncOp>(createSparseFlowOrientWeights());
  pm.addNestedPass<func::FuncOp>(createSparseFlowRaiseLinalg());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

void sparseflow::buildTensorPipeline(OpPassManager &pm,
                                     const TensorPipelineOptions &options) {
  pm.addNestedPass<func::FuncOp>(createSparseFlowFoldEpilogues());
  if (options.quantizeActivations)
    pm.addNestedPass<func::FuncOp>(createSparseFlowQuantizeActivations());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addNestedPass<func::FuncOp>(createSparseFlowUpdateInPlace());
  if (!options.materializeStorage)
    return;
  pm.addNestedPass<func::FuncOp>(createSparseFlowVerifyProgram());
  SparseFlowMaterializeStorageOptions storage;
  storage.requireSparse = options.requireSparse;
  pm.addNestedPass<func::FuncOp>(createSparseFlowMaterializeStorage(storage));
}

void sparseflow::registerTensorPipelines() {
  PassPipelineRegistration<ImportPipelineOptions>(
      "sparseflow-import", "Raise linalg on tensors to the sparseflow dialect",
      [](OpPassManager &pm, const ImportPipelineOptions &options) {
        buildImportPipeline(pm, options);
      });
  PassPipelineRegistration<TensorPipelineOptions>(
      "sparseflow-tensor",
      "Fuse epilogues and turn encoded weights into packed bytes",
      [](OpPassManager &pm, const TensorPipelineOptions &options) {
        buildTensorPipeline(pm, options);
      });
}
