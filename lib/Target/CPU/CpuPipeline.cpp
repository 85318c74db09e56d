//===- CpuPipeline.cpp - Linalg on tensors to LLVM for the CPU ------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Target/CPU/CpuPipeline.h"
#include "SparseFlow/Target/CPU/Passes.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::sparseflow;

CpuPipelineOptions::CpuPipelineOptions(const CpuSchedule &schedule) {
  lanes = schedule.lanes;
  tileRows = schedule.tileRows;
  tileVectors = schedule.tileVectors;
  blockRows = schedule.blockRows;
  blockColumns = schedule.blockColumns;
  blockDepth = schedule.blockDepth;
  directRows = schedule.directRows;
  prefetchBytes = schedule.prefetchBytes;
  elementwiseUnit = schedule.elementwiseUnit;
  nativeHalf = schedule.nativeHalf;
  int8Dot = schedule.int8Dot;
  lookupTokens = schedule.lookupTokens;
}

CpuSchedule CpuPipelineOptions::getSchedule() const {
  CpuSchedule schedule;
  schedule.lanes = lanes;
  schedule.tileRows = tileRows;
  schedule.tileVectors = tileVectors;
  schedule.blockRows = blockRows;
  schedule.blockColumns = blockColumns;
  schedule.blockDepth = blockDepth;
  schedule.directRows = directRows;
  schedule.prefetchBytes = prefetchBytes;
  schedule.elementwiseUnit = elementwiseUnit;
  schedule.nativeHalf = nativeHalf;
  schedule.int8Dot = int8Dot;
  schedule.lookupTokens = lookupTokens;
  return schedule;
}

static void addCleanup(OpPassManager &pm) {
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

/// Tensors to buffers; results in the caller's memory.
static void addBufferization(OpPassManager &pm) {
  pm.addPass(bufferization::createEmptyTensorEliminationPass());
  bufferization::OneShotBufferizePassOptions options;
  options.bufferizeFunctionBoundaries = true;
  options.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  // What a loop carries may be another tensor each time.
  options.allowReturnAllocsFromLoops = true;
  pm.addPass(bufferization::createOneShotBufferizePass(options));
  addCleanup(pm);
  bufferization::buildBufferDeallocationPipeline(pm);
}

/// Linalg on buffers to loops over vectors and scalars.
static void addLoops(OpPassManager &pm, const CpuSchedule &schedule) {
  pm.addNestedPass<func::FuncOp>(cpu::createSplitBatches());
  cpu::TileMatmulOptions matmul;
  matmul.lanes = schedule.lanes;
  matmul.tileRows = schedule.tileRows;
  matmul.tileVectors = schedule.tileVectors;
  matmul.blockRows = schedule.blockRows;
  matmul.blockColumns = schedule.blockColumns;
  matmul.blockDepth = schedule.blockDepth;
  matmul.directRows = schedule.directRows;
  matmul.prefetchBytes = schedule.prefetchBytes;
  matmul.unit = schedule.elementwiseUnit;
  pm.addPass(cpu::createTileMatmul(matmul));
  cpu::TernaryProductOptions ternary;
  ternary.int8Dot = schedule.int8Dot;
  ternary.lookupTokens = schedule.lookupTokens;
  pm.addNestedPass<func::FuncOp>(cpu::createTernaryProduct(ternary));
  cpu::CacheValuesOptions caches;
  caches.unit = schedule.elementwiseUnit;
  pm.addNestedPass<func::FuncOp>(cpu::createCacheValues(caches));
  cpu::VectorizeElementwiseOptions elementwise;
  elementwise.lanes = schedule.lanes;
  elementwise.unit = schedule.elementwiseUnit;
  pm.addNestedPass<func::FuncOp>(cpu::createVectorizeElementwise(elementwise));
  cpu::VectorizeReductionsOptions reductions;
  reductions.lanes = schedule.lanes;
  reductions.unit = schedule.elementwiseUnit;
  pm.addNestedPass<func::FuncOp>(cpu::createVectorizeReductions(reductions));
  pm.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
  addCleanup(pm);
}

/// Leaves f32 arithmetic, and conversions that the host or integer arithmetic
/// can do; no 16-bit float reaches a library call.
static void addNumerics(OpPassManager &pm, const CpuSchedule &schedule) {
  arith::ArithEmulateUnsupportedFloatsOptions emulate;
  emulate.sourceTypeStrs = {"f16", "bf16"};
  emulate.targetTypeStr = "f32";
  pm.addPass(arith::createArithEmulateUnsupportedFloats(emulate));
  pm.addPass(math::createMathExtendToSupportedTypes());
  pm.addNestedPass<func::FuncOp>(cpu::createKeepRounding());
  pm.addNestedPass<func::FuncOp>(cpu::createApproximateMath());
  arith::ArithExpandOpsPassOptions expand;
  expand.includeBf16 = true;
  pm.addPass(arith::createArithExpandOpsPass(expand));
  if (!schedule.nativeHalf)
    pm.addNestedPass<func::FuncOp>(cpu::createExpandHalf());
  addCleanup(pm);
}

static void addLLVM(OpPassManager &pm) {
  pm.addPass(cpu::createOutlineParallel());
  pm.addPass(cpu::createEntryPoints());
  pm.addNestedPass<func::FuncOp>(cpu::createExpandShapes());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createConvertMathToLLVMPass());
  // Takes vectors apart, so the vector dialect is lowered after it.
  pm.addPass(createConvertMathToLibmPass());
  pm.addPass(createConvertVectorToLLVMPass());
  FinalizeMemRefToLLVMConversionPassOptions memref;
  memref.useGenericFunctions = true;
  pm.addPass(createFinalizeMemRefToLLVMConversionPass(memref));
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createConvertIndexToLLVMPass());
  pm.addPass(createUBToLLVMConversionPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  addCleanup(pm);
}

void mlir::sparseflow::buildCpuPipeline(OpPassManager &pm,
                                        const CpuPipelineOptions &options) {
  CpuSchedule schedule = options.getSchedule();
  pm.addPass(createInlinerPass());
  pm.addPass(createSymbolDCEPass());
  pm.addPass(createLinalgGeneralizeNamedOpsPass());
  pm.addNestedPass<func::FuncOp>(cpu::createGuardGathers());
  pm.addNestedPass<func::FuncOp>(cpu::createBoundSlices());
  addCleanup(pm);
  pm.addNestedPass<func::FuncOp>(cpu::createFuseElementwise());
  addCleanup(pm);
  pm.addNestedPass<func::FuncOp>(cpu::createResultsToDestinations());
  addBufferization(pm);
  addLoops(pm, schedule);
  addNumerics(pm, schedule);
  addLLVM(pm);
}

void mlir::sparseflow::registerCpuPipeline() {
  cpu::registerSparseFlowCpuPasses();
  PassPipelineRegistration<CpuPipelineOptions>(
      "sparseflow-cpu", "Lower linalg on tensors to the LLVM dialect",
      buildCpuPipeline);
}
