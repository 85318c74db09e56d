//===- ManifestImport.h - A manifest's functions as IR ----------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_TRANSLATE_MANIFESTIMPORT_H
#define SPARSEFLOW_TOOLS_TRANSLATE_MANIFESTIMPORT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir::sparseflow {

/// Declarations of the functions of a manifest.json: their types with
/// encodings, and the names of arguments (`sparseflow.name`) and sizes
/// (`sparseflow.symbols`, `sparseflow.argument_shapes`,
/// `sparseflow.result_shapes`). A compiler that generates calls of a bundle
/// links against them. Reports errors at `name` and returns null.
OwningOpRef<ModuleOp> importManifest(StringRef text, StringRef name,
                                     MLIRContext *context);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_TOOLS_TRANSLATE_MANIFESTIMPORT_H
