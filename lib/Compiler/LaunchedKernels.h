//===- LaunchedKernels.h - What one call launches ---------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_COMPILER_LAUNCHEDKERNELS_H
#define SPARSEFLOW_LIB_COMPILER_LAUNCHEDKERNELS_H

#include "SparseFlow/Compiler/Compiler.h"

namespace mlir::sparseflow {

/// On kernels that no call launches for which the program is compiled.
inline constexpr llvm::StringLiteral kNotLaunchedAttr =
    "sparseflow.not_launched";

/// Of kernels of tiles: takes the body of those that no such call launches, and
/// leaves a trap. A remark counts them.
void dropUnlaunched(ModuleOp module, const KnownCall &call);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_COMPILER_LAUNCHEDKERNELS_H
