//===- SparseOperands.h - Metadata and selectors of MMAs ------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the verifiers of a warp's and of a warpgroup's MMAs ask alike.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_DIALECT_SFTILE_IR_SPARSEOPERANDS_H
#define SPARSEFLOW_LIB_DIALECT_SFTILE_IR_SPARSEOPERANDS_H

#include "mlir/Support/LLVM.h"

namespace mlir::sftile {

/// An MMA has metadata if its atom is sparse, and else none.
template <typename OpT>
LogicalResult verifyHasMetadata(OpT op) {
  bool isSparse = op.getAtom().isSparse();
  if (isSparse == bool(op.getMetadata()))
    return success();
  return op.emitOpError(isSparse ? "expected metadata: the atom is sparse"
                                 : "expected no metadata: the atom is dense");
}

/// The selector is one of the MMAs that `words` of metadata in each lane
/// serve.
template <typename OpT>
LogicalResult verifySelector(OpT op, int64_t words = 1) {
  int64_t count = words * op.getAtom().getNumSelectors();
  std::optional<int64_t> selector = op.getSelector();
  if (selector && *selector >= 0 && *selector < count)
    return success();
  return op.emitOpError("expected a selector from 0 to ")
         << count - 1 << " for " << op.getAtomAttr();
}

} // namespace mlir::sftile

#endif // SPARSEFLOW_LIB_DIALECT_SFTILE_IR_SPARSEOPERANDS_H
