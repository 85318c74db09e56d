//===- AttentionOperands.cpp - The operands of attention by name ----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SparseFlow/IR/AttentionOperands.h"

using namespace mlir;
using namespace mlir::sparseflow;

SmallVector<std::pair<StringRef, Value>>
mlir::sparseflow::getNamedOperands(AttentionOp op) {
  SmallVector<std::pair<StringRef, Value>> operands = {
      {"q", op.getQ()},
      {"k", op.getK()},
      {"v", op.getV()},
      {"lengths", op.getLengths()},
      {"pages", op.getPages()},
      {"cu_seqlens_q", op.getCuSeqlensQ()},
      {"cu_seqlens_k", op.getCuSeqlensK()},
      {"sink_logits", op.getSinkLogits()}};
  llvm::erase_if(operands, [](auto operand) { return !operand.second; });
  return operands;
}
