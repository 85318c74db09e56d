//===- ToolSearch.h - Where NVIDIA's tools are ------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_TARGET_NVPTX_TOOLSEARCH_H
#define SPARSEFLOW_LIB_TARGET_NVPTX_TOOLSEARCH_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace mlir::sparseflow {

/// The path of a program of the CUDA toolkit: in `firstDirectory` (may be
/// empty), CUDA_HOME/bin, PATH, `lastDirectory`. Empty when absent;
/// `searched` receives the places.
std::string findCudaTool(llvm::StringRef name, llvm::StringRef firstDirectory,
                         llvm::StringRef lastDirectory, std::string &searched);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_TARGET_NVPTX_TOOLSEARCH_H
