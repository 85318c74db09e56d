//===- Dialects.cpp - Dialects and passes for MLIR's C API ----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sparseflow-c/Dialects.h"

#include "SparseFlow/Compiler/Compiler.h"
#include "SparseFlow/Dialect/SFTile/IR/SFTile.h"
#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"
#include "SparseFlow/Pipelines/Register.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"

#include <mutex>

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(SparseFlow, sparseflow,
                                      mlir::sparseflow::SparseFlowDialect)
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(SFTile, sftile,
                                      mlir::sftile::SFTileDialect)

void sparseflowRegisterDialects(MlirDialectRegistry registry) {
  mlir::sparseflow::registerCompiler(*unwrap(registry));
}

void sparseflowRegisterPasses(void) {
  static std::once_flag once;
  std::call_once(once, mlir::sparseflow::registerSparseFlowPasses);
}
