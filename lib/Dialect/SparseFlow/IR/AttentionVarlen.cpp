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

int64_t AttentionOp::getSequenceCount() {
  if (!isVarlen())
    return getQType().getDimSize(0);
  auto type = cast<RankedTensorType>(getCuSeqlensQ().getType());
  if (type.getRank() != 1 || type.isDynamicDim(0) || type.getDimSize(0) == 0)
    return ShapedType::kDynamic;
  return type.getDimSize(0) - 1;
}

LogicalResult mlir::sparseflow::verifyVarlen(AttentionOp op) {
  Value queries = op.getCuSeqlensQ(), keys = op.getCuSeqlensK();
  if (!queries && !keys)
    return success();
  if (!queries || (!keys && !op.getLengths()))
    return op.emitOpError("expected cumulative lengths of queries and of keys, "
                          "or of queries beside the lengths of caches, found "
                          "those of ")
           << (queries ? "queries" : "keys") << " alone";
  if (keys && (op.getLengths() || op.getPages()))
    return op.emitOpError("expected no lengths and no pages beside cu_seqlens "
                          "of keys, which say where each sequence's keys are; "
                          "leave one or the other out");
  SmallVector<RankedTensorType> offsets = {
      cast<RankedTensorType>(queries.getType())};
  SmallVector<std::pair<StringRef, RankedTensorType>> packed = {
      {"q", op.getQType()}};
  if (keys) {
    offsets.push_back(cast<RankedTensorType>(keys.getType()));
    packed.emplace_back("k", op.getKType());
  }
  for (RankedTensorType type : offsets)
    if (type.getRank() != 1 || !type.getElementType().isInteger(32) ||
        type.getDimSize(0) == 0)
      return op.emitOpError("expected cu_seqlens to be an i32 for each "
                            "sequence and one behind the last, a "
                            "tensor<?xi32>, found ")
             << type;
  if (failed(verifyCompatibleShape(offsets.front().getShape(),
                                   offsets.back().getShape())))
    return op.emitOpError("expected cu_seqlens of queries and of keys for one "
                          "number of sequences, found ")
           << offsets.front() << " and " << offsets.back();
  for (auto [name, type] : packed)
    if (type.getDimSize(0) != 1)
      return op.emitOpError("expected ")
             << name << " of one batch entry, whose rows are those of all "
             << "sequences, beside cu_seqlens, found " << type
             << "; reshape it";
  TernaryAttr encoding = getTernaryEncoding(op.getKType());
  if (encoding && (keys || encoding.isTernary()))
    return op.emitOpError("expected k and v of f16 or bf16 beside cu_seqlens, "
                          "or quantized ones beside lengths, found k ")
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
