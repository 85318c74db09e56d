//===- TernaryBlob.h - Trits and scales out of packed bytes -----*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_TARGET_CPU_TERNARY_TERNARYBLOB_H
#define SPARSEFLOW_LIB_TARGET_CPU_TERNARY_TERNARYBLOB_H

#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"

namespace mlir::sparseflow::cpu {

/// Reads the packed bytes of a ternary weight [n, k] with linalg on tensors, in
/// any of the layouts of docs/formats/ternary.md. The bytes are trusted: they
/// passed the runtime's validation.
struct TernaryBlob {
  /// tensor<BYTESxi8>.
  Value bytes;
  TernaryAttr encoding;
  int64_t n, k;

  /// The trits of a plane as `element` (an integer or float type):
  /// [n, k], or grouped [n, groups, columns of a group] with zeros behind the
  /// last column.
  Value createTrits(OpBuilder &b, Location loc, int64_t plane, Type element,
                    bool grouped) const;
  /// The trit at one row and column of a plane, an i32.
  Value createTrit(OpBuilder &b, Location loc, int64_t plane, Value row,
                   Value col) const;
  /// The scales of a plane that has no groups: tensor<Nxf32>.
  Value createRowScales(OpBuilder &b, Location loc, int64_t plane) const;
  /// The scales of a plane: tensor<GROUPSxNxf32>.
  Value createScales(OpBuilder &b, Location loc, int64_t plane) const;

  /// What sparseflow-cpu-ternary-product would need instead of what it finds in
  /// a product with activations of type `x`; empty where it has a vector loop.
  std::string explainUnpacking(RankedTensorType x) const;

  int64_t groups() const { return encoding.getGroups(k); }
  int64_t groupColumns() const { return encoding.getGroupColumns(k); }
};

/// Marks `op`, which reads plane `plane` of `blob`, as one of those of
/// TernaryProduct.h.
void markTernary(Operation *op, const TernaryBlob &blob, int64_t plane,
                 StringRef mark);

} // namespace mlir::sparseflow::cpu

#endif // SPARSEFLOW_LIB_TARGET_CPU_TERNARY_TERNARYBLOB_H
