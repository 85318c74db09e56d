//===- Donation.h - Arguments whose memory results take ---------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_DIALECT_SPARSEFLOW_IR_DONATION_H
#define SPARSEFLOW_DIALECT_SPARSEFLOW_IR_DONATION_H

#include "mlir/Support/LLVM.h"

namespace mlir::sparseflow {

/// On an argument of a function: the caller gives its memory away, and a result
/// is written there (sparseflow-update-in-place).
inline constexpr llvm::StringLiteral kDonatedAttr = "sparseflow.donated";

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_DIALECT_SPARSEFLOW_IR_DONATION_H
