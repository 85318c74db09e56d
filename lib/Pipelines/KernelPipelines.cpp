//===- KernelPipelines.cpp - From tensors to instructions -----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Conversion/LowerMath/Passes.h"
#include "SparseFlow/Conversion/SFTileToNVVM/Passes.h"
#include "SparseFlow/Conversion/SparseFlowToSFTile/Passes.h"
#include "SparseFlow/Dialect/SFTile/Transforms/Passes.h"
#include "SparseFlow/Dialect/SparseFlow/Transforms/Passes.h"
#include "SparseFlow/Pipelines/Pipelines.h"
#include "SparseFlow/Target/NVPTX/Resources.h"

#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace mlir::sparseflow;

/// The row of `name`; null if there is none, which a pass of the pipeline then
/// reports, because building a pipeline cannot.
static const TargetInfo *findTarget(StringRef name) {
  llvm::Expected<const TargetInfo *> target = parseTarget(name);
  if (target)
    return *target;
  llvm::consumeError(target.takeError());
  return nullptr;
}

void mlir::sparseflow::buildTilePipeline(OpPassManager &pm,
                                         const TilePipelineOptions &options) {
  const TargetInfo *target = findTarget(options.target);
  pm.addNestedPass<func::FuncOp>(createSparseFlowFormKernels());
  SparseFlowSelectScheduleOptions select;
  select.target = options.target;
  select.scheduleFile = options.scheduleFile;
  select.calibration = options.calibration;
  select.gpu = options.gpu;
  select.denseForms = options.denseForms;
  pm.addPass(createSparseFlowSelectSchedule(select));
  ConvertSparseFlowToSFTileOptions convert;
  convert.computeCapability = target ? target->sm : 0;
  pm.addPass(createConvertSparseFlowToSFTile(convert));
  pm.addPass(sftile::createSFTileMergeKernels());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

void mlir::sparseflow::buildCodegenPipeline(
    OpPassManager &pm, const CodegenPipelineOptions &options) {
  const TargetInfo *target = findTarget(options.target);
  sftile::SFTileVerifyTargetOptions verify;
  verify.target = options.target;
  verify.computeCapability = target ? target->sm : 0;
  pm.addNestedPass<gpu::GPUModuleOp>(sftile::createSFTileVerifyTarget(verify));
  sftile::SFTileAssignResourcesOptions assign;
  if (target)
    assign.maxSharedBytes = target->maxSharedBytes;
  pm.addPass(sftile::createSFTileAssignResources(assign));

  OpPassManager &kernels = pm.nest<gpu::GPUModuleOp>();
  kernels.addPass(sftile::createConvertSFTileToNVVM());
  kernels.addPass(createSparseFlowLowerMathPass());
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createCSEPass());
  kernels.addPass(createSCFToControlFlowPass());
  // Every target has redux.sync: it is there from sm_80.
  ConvertGpuOpsToNVVMOpsOptions gpuOps;
  gpuOps.hasRedux = true;
  kernels.addPass(createConvertGpuOpsToNVVMOps(gpuOps));
  kernels.addPass(sftile::createSFTileTensorMapParameters());
  kernels.addPass(createReconcileUnrealizedCastsPass());
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createCSEPass());
}

void mlir::sparseflow::buildSparseFlowPipeline(
    OpPassManager &pm, const TilePipelineOptions &options) {
  buildImportPipeline(pm);
  buildTensorPipeline(pm);
  buildTilePipeline(pm, options);
  CodegenPipelineOptions codegen;
  codegen.target = options.target;
  buildCodegenPipeline(pm, codegen);
}

namespace {
struct AssignSharedMemoryOptions
    : public PassPipelineOptions<AssignSharedMemoryOptions> {
  Option<int64_t> maxSharedBytes{
      *this, "max-shared-bytes",
      llvm::cl::desc("the shared memory that a block may have, in bytes"),
      llvm::cl::init(SMLimits::ofLargest().sharedBytesPerBlock)};
};
} // namespace

/// sftile-assign-resources by its name of before.
static void buildAssignSharedMemory(OpPassManager &pm,
                                    const AssignSharedMemoryOptions &options) {
  llvm::WithColor::warning()
      << "sftile-assign-shared-memory is read by this version for the last "
         "time; write sftile-assign-resources\n";
  sftile::SFTileAssignResourcesOptions assign;
  assign.maxSharedBytes = options.maxSharedBytes;
  pm.addPass(sftile::createSFTileAssignResources(assign));
}

void mlir::sparseflow::registerKernelPipelines() {
  PassPipelineRegistration<AssignSharedMemoryOptions>(
      "sftile-assign-shared-memory",
      "the same as sftile-assign-resources, for one version more",
      buildAssignSharedMemory);
  PassPipelineRegistration<TilePipelineOptions>(
      "sparseflow-tile", "functions on tensors to kernels over tiles",
      buildTilePipeline);
  PassPipelineRegistration<CodegenPipelineOptions>(
      "sparseflow-codegen", "kernels over tiles to llvm and nvvm operations",
      buildCodegenPipeline);
  PassPipelineRegistration<TilePipelineOptions>(
      "sparseflow-pipeline", "a front end's program to kernels for a target",
      buildSparseFlowPipeline);
}
