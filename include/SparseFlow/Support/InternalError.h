//===- InternalError.h - What no input can cause ----------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An invariant that costs nothing to check in every build: where it breaks,
// SparseFlow has a defect, or the LLVM that it was built with. Nobody can test
// such an error, so nothing that an input can cause may be one.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_SUPPORT_INTERNALERROR_H
#define SPARSEFLOW_SUPPORT_INTERNALERROR_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

#include <string>

namespace mlir::sparseflow {

/// The text of such an error: what was found, and what to do.
inline std::string internalErrorText(const llvm::Twine &found) {
  return ("internal error: " + found + "; please report it with the input")
      .str();
}

inline llvm::Error internalError(const llvm::Twine &found) {
  return llvm::createStringError(internalErrorText(found));
}

inline InFlightDiagnostic emitInternalError(Location location,
                                            const llvm::Twine &found) {
  return emitError(location) << internalErrorText(found);
}

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_SUPPORT_INTERNALERROR_H
