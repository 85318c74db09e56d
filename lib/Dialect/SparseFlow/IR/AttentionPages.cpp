//===- AttentionPages.cpp - Keys and values in pages ----------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionPages.h"

using namespace mlir;
using namespace mlir::sparseflow;

// Keys of a page: whole pieces of MMAs, and at most a box of TMA.
static constexpr int64_t kPageStep = 16, kMaxPage = 256;

int64_t AttentionOp::getPageSize() {
  return getPages() ? getKType().getDimSize(getSequenceDim()) : 0;
}

int64_t AttentionOp::getKeyCount() {
  if (!getPages())
    return getKType().getDimSize(getSequenceDim());
  if (getKType().getDimSize(0) == 0)
    return 0;
  int64_t columns = cast<RankedTensorType>(getPages().getType()).getDimSize(1);
  return ShapedType::isDynamic(columns) ? columns : columns * getPageSize();
}

LogicalResult mlir::sparseflow::verifyPages(AttentionOp op) {
  if (!op.getPages())
    return success();
  auto table = cast<RankedTensorType>(op.getPages().getType());
  int64_t shape[] = {op.getSequenceCount(), ShapedType::kDynamic};
  if (table.getRank() != 2 || !table.getElementType().isInteger(32) ||
      failed(verifyCompatibleShape(shape, table.getShape())))
    return op.emitOpError("expected pages to be a row of i32 for each batch "
                          "entry, a ")
           << RankedTensorType::get(shape,
                                    IntegerType::get(op.getContext(), 32))
           << ", found " << table;
  TernaryAttr keys = getTernaryEncoding(op.getKType());
  if (keys && keys.isTernary())
    return op.emitOpError("expected dense or quantized k and v beside a page "
                          "table, found k ")
           << op.getKType()
           << ", which has pages of its own; leave the table out, or unpack "
              "the cache";
  // Pages of a quantized cache are whole in a page of the table.
  int64_t page = op.getPageSize();
  int64_t step = keys ? TernaryAttr::kPageTokens : kPageStep;
  if (ShapedType::isDynamic(page) || page < step || page > kMaxPage ||
      page % step)
    return op.emitOpError("expected pages of a static multiple of ")
           << step << " keys, at most " << kMaxPage << ", found k "
           << op.getKType() << "; copy the cache to such pages";
  for (unsigned i = 0, e = op.getScoreDims().size(); i < e; ++i)
    if (op.getScoreDims(i).contains('k') && table.isDynamicDim(1))
      return op.emitOpError("expected a static number of pages in a row of the "
                            "table, since score operand ")
             << i << " has an element for each key, found " << table
             << "; insert a tensor.cast";
  return success();
}
