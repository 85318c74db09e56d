//===- Register.h - Everything sparseflow-opt knows -------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For tools and embedding compilers. Registering twice is harmless.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_PIPELINES_REGISTER_H
#define SPARSEFLOW_PIPELINES_REGISTER_H

#include "mlir/IR/DialectRegistry.h"

namespace mlir::sparseflow {

/// Adds SparseFlow's own dialects to `registry`. The upstream dialects that
/// programs use are the caller's to add.
void registerSparseFlowDialects(DialectRegistry &registry);

/// Adds what upstream dialects need in the passes of SparseFlow: their
/// translations to LLVM IR, and their interfaces (inlining, conversion to
/// LLVM).
void registerSparseFlowExtensions(DialectRegistry &registry);

/// Registers every pass and every named pipeline of SparseFlow with the global
/// pass registry. Not thread-safe, as that registry is not.
void registerSparseFlowPasses();

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_PIPELINES_REGISTER_H
