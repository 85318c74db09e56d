//===- sparseflow-opt.cpp - Runs SparseFlow passes on textual IR ----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   sparseflow-opt FILE --sparseflow-fold-epilogues
//   sparseflow-opt FILE --pass-pipeline='builtin.module(sparseflow-import)'
//
// mlir-opt with SparseFlow's dialects, passes and pipelines, one at a time or
// in any order; --help lists them. FILE - is the standard input.
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Pipelines/Register.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllPasses();
  mlir::sparseflow::registerSparseFlowDialects(registry);
  mlir::sparseflow::registerSparseFlowPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "SparseFlow optimizer driver\n", registry));
}
