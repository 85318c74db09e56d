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
      llvm::cl::desc("arguments to make N:M sparse, NAME=N:M or INDEX=N:M")};
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

/// Registers the pipelines of this file with the global pass registry.
void registerTensorPipelines();

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_PIPELINES_PIPELINES_H
