//===- Remarks.h - Every decision is a remark -------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Passes report what they decided, and why, as MLIR remark diagnostics at the
// op concerned, each with a category in brackets:
//
//   ffn.mlir:7:8: remark: [epilogue] fused arith.addf, per_feature operand
//
// A diagnostic is thread-safe, ordered under multithreading, testable with
// -verify-diagnostics, and a tool collects it with the handler that it installs
// anyway. MLIR's remark engine streams to one file per context and is off in
// mlir-opt by default, so reports and tests would need a second mechanism.
//
// The attribute `sparseflow.remarks = false` on the op's module, or on any op
// around it, turns remarks off.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_SUPPORT_REMARKS_H
#define SPARSEFLOW_SUPPORT_REMARKS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"

#include <optional>

namespace mlir::sparseflow {

/// A remark under construction; it is emitted when it goes out of scope.
/// Streaming into one that is turned off costs nothing.
class Remark {
public:
  Remark() = default;
  explicit Remark(InFlightDiagnostic &&diagnostic)
      : diagnostic(std::move(diagnostic)) {}

  template <typename T>
  Remark &operator<<(T &&value) & {
    if (diagnostic)
      *diagnostic << std::forward<T>(value);
    return *this;
  }
  template <typename T>
  Remark &&operator<<(T &&value) && {
    return std::move(*this << std::forward<T>(value));
  }

private:
  std::optional<InFlightDiagnostic> diagnostic;
};

/// Starts a remark of `category` ("import", "epilogue", "storage", ...) at
/// `location`, inside `scope`.
inline Remark explain(Operation *scope, Location location, StringRef category) {
  for (Operation *op = scope; op; op = op->getParentOp())
    if (auto enabled = op->getAttrOfType<BoolAttr>("sparseflow.remarks"))
      if (!enabled.getValue())
        return Remark();
  Remark result(emitRemark(location));
  result << "[" << category << "] ";
  return result;
}

/// Starts a remark of `category` at `op`.
inline Remark explain(Operation *op, StringRef category) {
  return explain(op, op->getLoc(), category);
}

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_SUPPORT_REMARKS_H
