//===- Reference.h - What a function computes, as JSON ----------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A manifest carries the meaning of each function next to its kernels, so that
// a tool without a compiler can check a result in float64. This library writes
// that part of the manifest; docs/formats describes it.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TARGET_REFERENCE_REFERENCE_H
#define SPARSEFLOW_TARGET_REFERENCE_REFERENCE_H

#include "mlir/Support/LLVM.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace mlir::func {
class FuncOp;
} // namespace mlir::func

namespace mlir::sparseflow {

/// The manifest entries "name", "symbols", "arguments", "results" and
/// "reference" of `function`, which is made of sparseflow.matmul, linalg ops
/// and reshapes and still has its encodings (the form after buildTensorPipeline
/// without materialize-storage).
///
/// Fails with a LocatedError that names the first op that has no reference
/// form. A contradiction between shapes is also reported as a diagnostic.
llvm::Expected<llvm::json::Object> exportReference(func::FuncOp function);

/// The same without "reference", for a function that has ops without a
/// reference form: it can be run and not be checked.
llvm::Expected<llvm::json::Object> exportSignature(func::FuncOp function);

/// Registers `sparseflow-print-reference`, which prints exportReference of
/// every function with a body to the standard output.
void registerPrintReferencePass();

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_TARGET_REFERENCE_REFERENCE_H
