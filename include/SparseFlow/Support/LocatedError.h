//===- LocatedError.h - An error with a location ----------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Library functions that are no passes return llvm::Error; this one keeps the
// MLIR location, so that the caller can still report a diagnostic there.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_SUPPORT_LOCATEDERROR_H
#define SPARSEFLOW_SUPPORT_LOCATEDERROR_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "llvm/Support/Error.h"

#include <string>

namespace mlir::sparseflow {

class LocatedError : public llvm::ErrorInfo<LocatedError> {
public:
  static inline char ID = 0;

  LocatedError(Location location, std::string message)
      : location(location), message(std::move(message)) {}

  Location getLocation() const { return location; }
  StringRef getMessage() const { return message; }

  /// Prints `loc(...): message`.
  void log(llvm::raw_ostream &os) const override {
    os << location << ": " << message;
  }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

private:
  Location location;
  std::string message;
};

/// Reports every part of `error` as a diagnostic: located ones at their place,
/// others at `fallback`. Consumes the error and returns failure.
inline LogicalResult reportError(llvm::Error error, Location fallback) {
  llvm::handleAllErrors(
      std::move(error),
      [](const LocatedError &located) {
        emitError(located.getLocation()) << located.getMessage();
      },
      [&](const llvm::ErrorInfoBase &other) {
        emitError(fallback) << other.message();
      });
  return failure();
}

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_SUPPORT_LOCATEDERROR_H
