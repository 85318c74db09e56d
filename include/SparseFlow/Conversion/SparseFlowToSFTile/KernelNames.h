//===- KernelNames.h - What generated kernels are called --------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_CONVERSION_SPARSEFLOWTOSFTILE_KERNELNAMES_H
#define SPARSEFLOW_CONVERSION_SPARSEFLOWTOSFTILE_KERNELNAMES_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringSet.h"

#include <string>

namespace mlir::sparseflow {

/// What the names of a function's kernels begin with: PREFIX_OP_VARIANT. It is
/// the function's name with '_' in place of what PTX takes in no identifier,
/// and more of them until it is none of `taken`, the prefixes of the functions
/// before it; it is added to them.
std::string kernelPrefix(StringRef function, llvm::StringSet<> &taken);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_CONVERSION_SPARSEFLOWTOSFTILE_KERNELNAMES_H
