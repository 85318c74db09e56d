/*===- Dialects.h - Dialects and passes for MLIR's C API -------*- C -*-===*\
|*
|* Part of the SparseFlow project, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* For programs that use MLIR's own C API (mlir-c): they link libSparseFlow-C,
|* libMLIR and the parts of MLIR's C API they need, all of one LLVM 22.1.
|*
\*===----------------------------------------------------------------------===*/

#ifndef SPARSEFLOW_C_DIALECTS_H
#define SPARSEFLOW_C_DIALECTS_H

#include "mlir-c/IR.h"
#include "sparseflow-c/Compiler.h"

#ifdef __cplusplus
extern "C" {
#endif

MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(SparseFlow, sparseflow);
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(SFTile, sftile);

/** Adds both dialects, those of MLIR that programs and passes use, and every
 *  extension that they need. */
SPARSEFLOW_C_EXPORT void
sparseflowRegisterDialects(MlirDialectRegistry registry);

/** Registers SparseFlow's passes and pipelines with the global registry of
 *  passes, once, whatever the number of calls. Thread-safe against itself. */
SPARSEFLOW_C_EXPORT void sparseflowRegisterPasses(void);

#ifdef __cplusplus
}
#endif

#endif /* SPARSEFLOW_C_DIALECTS_H */
