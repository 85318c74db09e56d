//===- TensorRT.h - Kernels as ahead-of-time plug-ins -----------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_COMPILER_TENSORRT_H
#define SPARSEFLOW_LIB_COMPILER_TENSORRT_H

#include "mlir/Support/LLVM.h"
#include "llvm/Support/Error.h"

#include <string>

namespace mlir::sparseflow {

/// The functions of a manifest with one program, and the PTX of that program,
/// as plug-ins whose kernels TensorRT launches: docs/tensorrt.md. An
/// error names a function that is none, and why.
llvm::Expected<std::string> describePlugins(StringRef manifest, StringRef ptx);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_COMPILER_TENSORRT_H
