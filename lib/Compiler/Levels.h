//===- Levels.h - The steps between the levels of IR ------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_COMPILER_LEVELS_H
#define SPARSEFLOW_LIB_COMPILER_LEVELS_H

#include "SparseFlow/Compiler/Compiler.h"

namespace mlir::sparseflow {

/// Tensors with encodings -> kernels of tiles and host functions, for one
/// target, by the options' schedules and calibration. In place; a failure
/// leaves the module in an unspecified state.
LogicalResult lowerToTiles(ModuleOp module, const TargetInfo &target,
                           const CompileOptions &options);

/// Kernels of tiles -> kernels of llvm and nvvm ops, in place.
LogicalResult lowerToHost(ModuleOp module, const TargetInfo &target);

/// Gives kernels of llvm and nvvm ops the debug information from which LLVM
/// writes .loc lines, and nothing else, into PTX.
LogicalResult addLineInfo(ModuleOp module);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_COMPILER_LEVELS_H
