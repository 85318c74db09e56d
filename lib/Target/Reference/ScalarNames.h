//===- ScalarNames.h - Names of scalar ops in manifests --------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_TARGET_REFERENCE_SCALARNAMES_H
#define SPARSEFLOW_LIB_TARGET_REFERENCE_SCALARNAMES_H

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mlir::sparseflow {

/// The manifest's name of a scalar op without attributes; empty for others.
/// Booleans are 0 and 1 there, and integers signed.
StringRef getManifestName(Operation &op);

/// The comparison of floats that does what `op` does.
std::optional<StringRef> getFloatPredicate(arith::CmpIOp op);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_TARGET_REFERENCE_SCALARNAMES_H
