//===- AttentionVarlen.cpp - Sequences one behind the other ---------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionVarlen.h"

using namespace mlir;
using namespace mlir::sparseflow;

LogicalResult mlir::sparseflow::verifyVarlen(AttentionOp op) {
  Value queries = op.getCuSeqlensQ(), keys = op.getCuSeqlensK();
  if (!queries != !keys)
    return op.emitOpError("expected cumulative lengths of queries and of keys, "
                          "or neither, found one of them");
  if (!queries)
    return success();
  auto q = cast<RankedTensorType>(queries.getType());
  auto k = cast<RankedTensorType>(keys.getType());
  for (RankedTensorType type : {q, k})
    if (type.getRank() != 1 || !type.getElementType().isInteger(32) ||
        type.getDimSize(0) == 0)
      return op.emitOpError("expected cu_seqlens to be an i32 for each "
                            "sequence and one behind the last, a "
                            "tensor<?xi32>, found ")
             << type;
  if (failed(verifyCompatibleShape(q.getShape(), k.getShape())))
    return op.emitOpError("expected cu_seqlens of queries and of keys for one "
                          "number of sequences, found ")
           << q << " and " << k;
  for (auto [name, type] :
       {std::pair("q", op.getQType()), std::pair("k", op.getKType())})
    if (type.getDimSize(0) != 1)
      return op.emitOpError("expected ")
             << name << " of one batch entry, whose rows are those of all "
             << "sequences, beside cu_seqlens, found " << type
             << "; reshape it";
  if (op.getLengths() || op.getPages())
    return op.emitOpError("expected no lengths and no pages beside "
                          "cu_seqlens, which say where each sequence's keys "
                          "are");
  if (op.getKType().getEncoding() || op.getVType().getEncoding())
    return op.emitOpError("expected k and v of f16 or bf16 beside cu_seqlens, "
                          "found k ")
           << op.getKType() << " and v " << op.getVType()
           << "; unpack the caches";
  if (!op.getScoreOperands().empty())
    return op.emitOpError("expected no score operands beside cu_seqlens, since "
                          "the score counts heads, queries and keys from those "
                          "of a sequence, found ")
           << op.getScoreOperands().size()
           << "; a score of the indices alone may stand there";
  return success();
}
