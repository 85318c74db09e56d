//===- Plugin.cpp - SparseFlow inside a stock mlir-opt --------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   P=SparseFlowPlugin.so
//   mlir-opt-22 --load-dialect-plugin=$P --load-pass-plugin=$P
//     --pass-pipeline='builtin.module(sparseflow-import)' FILE
//
// The passes are names inside --pass-pipeline, not options: a plug-in is loaded
// after the command line has been read. A tool that has the dialects already
// must not load it.
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Pipelines/Register.h"

#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/Config/llvm-config.h"

using namespace mlir;

static void registerDialects(DialectRegistry *registry) {
  sparseflow::registerSparseFlowDialects(*registry);
  sparseflow::registerSparseFlowExtensions(*registry);
}

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "SparseFlow", SPARSEFLOW_VERSION,
          registerDialects};
}

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "SparseFlow", SPARSEFLOW_VERSION,
          sparseflow::registerSparseFlowPasses};
}
