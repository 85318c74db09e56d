//===- PagePool.cpp - Pages of keys and values of one allocation ----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SparseFlow/IR/PagePool.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::sparseflow;

// Dimensions of a page, and that of its number.
static constexpr int64_t kPageDims = 3;

/// True if `slice` has all entries of the pool.
static bool hasAllEntries(tensor::ExtractSliceOp slice) {
  if (slice.isDynamicOffset(0) || slice.getStaticOffset(0) != 0)
    return false;
  if (!slice.isDynamicSize(0))
    return slice.getStaticSize(0) == slice.getSourceType().getDimSize(0);
  auto size = slice.getDynamicSize(0).getDefiningOp<tensor::DimOp>();
  return size && size.getSource() == slice.getSource() &&
         size.getConstantIndex() == 0;
}

std::optional<PagePool> mlir::sparseflow::getPagePool(Value pages,
                                                      std::string &reason) {
  auto slice = pages.getDefiningOp<tensor::ExtractSliceOp>();
  if (!slice)
    return std::nullopt;
  RankedTensorType from = slice.getSourceType(), type = slice.getType();
  int64_t between = from.getRank() - kPageDims - 1;
  if (type.getRank() != kPageDims + 1 || between < 1 || from.getEncoding())
    return std::nullopt;
  auto refuse = [&](std::string why) {
    reason = std::move(why);
    return std::nullopt;
  };
  if (!slice.hasUnitStride())
    return refuse("expected a slice with steps of 1");
  if (!hasAllEntries(slice))
    return refuse("expected a slice of all entries of the pool, its first "
                  "dimension");
  PagePool pool{slice.getSource(), 1, 0};
  for (int64_t dim = 1; dim < from.getRank(); ++dim) {
    int64_t size = from.getDimSize(dim);
    bool isPage = dim > between;
    if (ShapedType::isDynamic(size))
      return refuse("expected a pool of known sizes but for its entries");
    if (slice.isDynamicOffset(dim) || slice.isDynamicSize(dim))
      return refuse("expected a slice at a known place of each entry");
    if (isPage) {
      if (slice.getStaticOffset(dim) != 0 || slice.getStaticSize(dim) != size)
        return refuse("expected a slice of whole pages");
      continue;
    }
    // Which of several sizes of 1 the type leaves out moves nothing in memory.
    if (slice.getStaticSize(dim) != 1)
      return refuse("expected a slice of one page of each entry");
    pool.first = pool.first * size + slice.getStaticOffset(dim);
    pool.pitch *= size;
  }
  return pool;
}

bool mlir::sparseflow::isReadInPool(Operation *op) {
  auto slice = dyn_cast<tensor::ExtractSliceOp>(op);
  std::string reason;
  if (!slice || !isa<BlockArgument>(slice.getSource()) ||
      !getPagePool(slice.getResult(), reason))
    return false;
  bool isRead = false;
  for (OpOperand &use : slice.getResult().getUses()) {
    Operation *user = use.getOwner();
    if (isa<tensor::DimOp>(user))
      continue;
    auto attention = dyn_cast<AttentionOp>(user);
    if (!attention || !attention.getPages() ||
        (use.get() != attention.getK() && use.get() != attention.getV()) ||
        (use.getOperandNumber() != 1 && use.getOperandNumber() != 2))
      return false;
    isRead = true;
  }
  return isRead;
}
