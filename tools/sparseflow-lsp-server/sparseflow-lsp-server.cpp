//===- sparseflow-lsp-server.cpp - MLIR in an editor ----------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's language server with SparseFlow's dialects: diagnostics while typing,
// definitions, hover, completion. Editors start it for .mlir files; VS Code's
// MLIR extension takes its path as "mlir.server_path".
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Pipelines/Register.h"

#include "mlir/InitAllDialects.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::sparseflow::registerSparseFlowDialects(registry);
  mlir::sparseflow::registerSparseFlowExtensions(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
