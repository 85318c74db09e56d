//===- sparseflow-reduce.cpp - Makes a failing program small --------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mlir-reduce with SparseFlow's dialects and passes:
//
//   sparseflow-reduce FILE -reduction-tree='traversal-mode=0 test=SCRIPT'
//
// SCRIPT gets a candidate as its argument and exits 1 as long as that still
// shows the problem.
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Pipelines/Register.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllPasses();
  mlir::sparseflow::registerSparseFlowDialects(registry);
  mlir::sparseflow::registerSparseFlowExtensions(registry);
  mlir::sparseflow::registerSparseFlowPasses();
  mlir::MLIRContext context(registry);
  return mlir::failed(mlir::mlirReduceMain(argc, argv, context));
}
