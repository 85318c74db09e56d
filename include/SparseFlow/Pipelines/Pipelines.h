//===- Pipelines.h - Named pipelines and their builders ---------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each level of the ladder is one pipeline, for tools by name and for embedding
// compilers by function. Options are plain data; nothing global is read.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_PIPELINES_PIPELINES_H
#define SPARSEFLOW_PIPELINES_PIPELINES_H

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace mlir::sparseflow {

/// Options of `sparseflow-import`.
struct ImportPipelineOptions : PassPipelineOptions<ImportPipelineOptions> {
  ListOption<std::string> mark{
      *this, "mark",
      llvm::cl::desc("arguments to make N:M sparse or ternary, ARG=N:M or "
                     "ARG=ternary:STORAGE:SCALE:TYPE[:PLANES]")};
};

/// Programs as front ends write them (upstream encodings, linalg on tensors) to
/// sparseflow.matmul with identity epilogues, and elementwise linalg. Runs on a
/// module.
void buildImportPipeline(OpPassManager &pm,
                         const ImportPipelineOptions &options = {});

/// Options of `sparseflow-tensor`.
struct TensorPipelineOptions : PassPipelineOptions<TensorPipelineOptions> {
  Option<bool> materializeStorage{
      *this, "materialize-storage",
      llvm::cl::desc("turn encoded weights into packed bytes at the end"),
      llvm::cl::init(true)};
  Option<bool> quantizeActivations{
      *this, "quantize-activations",
      llvm::cl::desc("multiply ternary weights with 8-bit activations"),
      llvm::cl::init(false)};
  Option<bool> requireSparse{
      *this, "require-sparse",
      llvm::cl::desc("refuse encodings without a packed layout"),
      llvm::cl::init(false)};
};

/// Optimises on tensors: fuses epilogues, and ends with storage in place of
/// encodings. Runs on a module. Without `materialize-storage` the result still
/// has encodings: the form that exportReference and sparseflow-lower-to-linalg
/// take.
void buildTensorPipeline(OpPassManager &pm,
                         const TensorPipelineOptions &options = {});

/// Options of `sparseflow-tile`.
struct TilePipelineOptions : PassPipelineOptions<TilePipelineOptions> {
  Option<std::string> target{*this, "target",
                             llvm::cl::desc("the GPU target, such as sm_90"),
                             llvm::cl::init("sm_80")};
  Option<std::string> scheduleFile{
      *this, "schedule-file",
      llvm::cl::desc("a schedule table in place of the built-in one")};
  Option<std::string> calibration{
      *this, "calibration",
      llvm::cl::desc("constants of the cost model, whatever the GPU is: a "
                     "name or a file")};
  Option<std::string> gpu{
      *this, "gpu",
      llvm::cl::desc("the GPU that kernels are for, as its driver calls it; "
                     "which constants are taken where none are named")};
  Option<bool> denseForms{
      *this, "dense-forms",
      llvm::cl::desc("kernels for the dense form of packed weights, too"),
      llvm::cl::init(false)};
};

/// Functions on tensors, with storage in place of encodings, to kernels over
/// tiles and a list of launches. Runs on a module. An unknown target is an
/// error of the pass that needs it.
void buildTilePipeline(OpPassManager &pm,
                       const TilePipelineOptions &options = {});

/// Options of `sparseflow-codegen`.
struct CodegenPipelineOptions : PassPipelineOptions<CodegenPipelineOptions> {
  Option<std::string> target{*this, "target",
                             llvm::cl::desc("the GPU target, such as sm_90"),
                             llvm::cl::init("sm_80")};
};

/// Kernels over tiles, generated or written by hand, to kernels of llvm and
/// nvvm operations. Runs on a module.
void buildCodegenPipeline(OpPassManager &pm,
                          const CodegenPipelineOptions &options = {});

/// Everything from a front end's program to kernels of llvm and nvvm
/// operations: `sparseflow-pipeline="target=sm_80"`.
void buildSparseFlowPipeline(OpPassManager &pm,
                             const TilePipelineOptions &options = {});

/// Register the pipelines of this file with the global pass registry.
void registerTensorPipelines();
void registerKernelPipelines();

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_PIPELINES_PIPELINES_H
