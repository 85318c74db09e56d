//===- Register.cpp - Everything sparseflow-opt knows ---------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Pipelines/Register.h"

#include "SparseFlow/Conversion/LowerMath/Passes.h"
#include "SparseFlow/Conversion/SFTileToNVVM/Passes.h"
#include "SparseFlow/Conversion/SparseFlowToSFTile/Passes.h"
#include "SparseFlow/Dialect/SFTile/Transforms/Passes.h"
#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"
#include "SparseFlow/Dialect/SparseFlow/Transforms/Passes.h"
#include "SparseFlow/Pipelines/Pipelines.h"
#include "SparseFlow/Target/CPU/CpuPipeline.h"
#include "SparseFlow/Target/NVPTX/Kernels.h"
#include "SparseFlow/Target/Reference/Reference.h"

#include "mlir/InitAllExtensions.h"

using namespace mlir;

void sparseflow::registerSparseFlowDialects(DialectRegistry &registry) {
  registry.insert<SparseFlowDialect, sftile::SFTileDialect>();
}

void sparseflow::registerSparseFlowExtensions(DialectRegistry &registry) {
  registerAllExtensions(registry);
  registerKernelTranslations(registry);
}

void sparseflow::registerSparseFlowPasses() {
  registerSparseFlowTransformsPasses();
  registerPrintReferencePass();
  registerTensorPipelines();
  sftile::registerSFTilePasses();
  sftile::registerSFTileToNVVMPasses();
  registerSparseFlowToSFTilePasses();
  registerSparseFlowLowerMathPasses();
  registerKernelPipelines();
  registerCpuPipeline();
}
