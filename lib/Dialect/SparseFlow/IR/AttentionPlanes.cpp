//===- AttentionPlanes.cpp - Ternary keys and values
//-----------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionPlanes.h"

using namespace mlir;
using namespace mlir::sparseflow;

//===----------------------------------------------------------------------===//
// attention
//===----------------------------------------------------------------------===//

AttentionMode AttentionOp::getMode() {
  if (!getTernaryEncoding(getKType()))
    return AttentionMode::FullPrecision;
  return getTernaryEncoding(getVType()) ? AttentionMode::TernaryKeysValues
                                        : AttentionMode::TernaryKeys;
}

/// Keys are packed for products along features, values along positions.
static LogicalResult verifyStorage(AttentionOp op, StringRef name,
                                   TernaryAttr encoding, bool isValues) {
  if (!encoding || (encoding.isCache() && encoding.isValueCache() == isValues))
    return success();
  // What the storage would be called at its right place.
  TernaryStorage expected =
      isValues ? TernaryStorage::ValuePlanes : TernaryStorage::KeyPlanes;
  if (encoding.isCache() && encoding.getCacheBits() == 8)
    expected = isValues ? TernaryStorage::ValueInt8 : TernaryStorage::KeyInt8;
  if (encoding.isFloatCache())
    expected = isValues ? TernaryStorage::ValueE4M3 : TernaryStorage::KeyE4M3;
  if (encoding.isCache() && encoding.getCacheBits() == 4)
    expected = isValues ? TernaryStorage::ValueInt4 : TernaryStorage::KeyInt4;
  return op.emitOpError("expected ")
         << encoding.getKeyword() << " " << name << " with the storage "
         << stringifyTernaryStorage(expected) << ", found " << encoding
         << ": matmuls with "
         << (isValues
                 ? "values add up keys, so a word holds keys of one feature"
                 : "keys add up features, so a word holds features of one key")
         << (encoding.isCache() ? "; exchange the two" : "; a weight is none");
}

LogicalResult mlir::sparseflow::verifyPlanes(AttentionOp op) {
  TernaryAttr keys = getTernaryEncoding(op.getKType()),
              values = getTernaryEncoding(op.getVType());
  if (failed(verifyStorage(op, "keys", keys, /*isValues=*/false)) ||
      failed(verifyStorage(op, "values", values, /*isValues=*/true)))
    return failure();
  bool areNumbers =
      (keys && !keys.isTernary()) || (values && !values.isTernary());
  if (areNumbers &&
      (!keys || !values || keys.isTernary() || values.isTernary()))
    return op.emitOpError("expected quantized keys and values together, "
                          "found k ")
           << op.getKType() << " and v " << op.getVType()
           << "; quantize both, or neither";
  if (values && !keys)
    return op.emitOpError("expected ternary keys where the values are ternary, "
                          "found k ")
           << op.getKType()
           << ": full keys are read at full cost, and rounded values hurt the "
              "result directly; make the keys ternary, or keep both";
  if (keys && op.getLayout() != AttentionLayout::Bhsd)
    return op.emitOpError("expected the layout bhsd with ")
           << keys.getKeyword() << " keys, whose pages belong to a head, found "
           << stringifyAttentionLayout(op.getLayout());
  std::optional<uint64_t> words = op.getPlaneMask();
  if (!words)
    return success();
  if (!keys || !keys.isTernary())
    return op.emitOpError("expected ternary keys with plane_mask, found k ")
           << op.getKType() << ", which has no planes";
  if (*words != 32 && *words != 64)
    return op.emitOpError("expected a plane_mask of words of 32 or 64 keys, "
                          "found ")
           << static_cast<int64_t>(*words);
  if (!op.getCausal() && !op.getWindow() && !op.getLengths())
    return op.emitOpError("masks planes, but excludes no key: a key whose "
                          "planes are cleared has the score 0, not -inf, so it "
                          "stays in the maximum and the sum of the softmax and "
                          "takes weight from every other key; expected causal, "
                          "a window or lengths, which leave it out, found none "
                          "(drop plane_mask, or say which keys are left out)");
  return success();
}

//===----------------------------------------------------------------------===//
// cache_append
//===----------------------------------------------------------------------===//

int64_t CacheAppendOp::getPageSize() {
  return getPages() ? cast<RankedTensorType>(getCache().getType())
                          .getDimSize(getSequenceDim())
                    : 0;
}

bool CacheAppendOp::isDense() {
  return !cast<RankedTensorType>(getCache().getType()).getEncoding();
}

/// Whether the cache, its pages and the method belong together.
static LogicalResult verifyCache(CacheAppendOp op) {
  auto cache = cast<RankedTensorType>(op.getCache().getType());
  TernaryAttr encoding = getTernaryEncoding(cache);
  if (cache.getRank() != 4 ||
      (!op.isDense() && !(encoding && encoding.isCache())) ||
      (op.isDense() && !isa<FloatType>(cache.getElementType())))
    return op.emitOpError("expected a cache [B, G, S, D] of floats, or with an "
                          "encoding #sparseflow.ternary<key_planes, ...> or "
                          "<value_planes, ...>, or #sparseflow.quantized<"
                          "key_int8, ...> and the like, found ")
           << cache;
  // What attention reads (AttentionPages.cpp).
  int64_t page = op.getPageSize();
  int64_t step = op.isDense() ? 16 : TernaryAttr::kPageTokens;
  if (op.getPages() &&
      ((encoding && encoding.isTernary()) || ShapedType::isDynamic(page) ||
       page < step || page > 256 || page % step))
    return op.emitOpError("expected a dense or quantized cache in pages of a "
                          "static multiple of ")
           << step << " keys, at most 256, beside a page table, found "
           << cache;
  if (op.isDense()) {
    if (op.getMethod())
      return op.emitOpError(
                 "expected no method, since a dense cache takes tokens "
                 "as they are, found ")
             << stringifyTernaryMethod(*op.getMethod());
    return success();
  }
  if (encoding.isTernary() != op.getMethod().has_value())
    return op.emitOpError("expected a method ('by <absmean>') for a ternary "
                          "cache, and none for a quantized one, which has one "
                          "rule; found ")
           << (op.getMethod() ? stringifyTernaryMethod(*op.getMethod())
                              : "none")
           << " for " << cache;
  if (op.getMethod() == TernaryMethod::Lloyd)
    return op.emitOpError(
        "expected the method absmean or twn: lloyd repeats until "
        "nothing changes, which no bound of a kernel's time "
        "allows, found lloyd");
  if (op.getLayout() != AttentionLayout::Bhsd)
    return op.emitOpError("expected the layout bhsd of a quantized or ternary "
                          "cache, found ")
           << stringifyAttentionLayout(op.getLayout());
  return success();
}

LogicalResult CacheAppendOp::verify() {
  if (failed(verifyCache(*this)))
    return failure();
  auto cache = cast<RankedTensorType>(getCache().getType());
  auto tokens = cast<RankedTensorType>(getTokens().getType());
  auto lengths = cast<RankedTensorType>(getLengths().getType());
  SmallVector<int64_t> shape(cache.getShape());
  shape[getSequenceDim()] = tokens.getRank() == 4
                                ? tokens.getDimSize(getSequenceDim())
                                : ShapedType::kDynamic;
  if (getPages()) {
    auto table = cast<RankedTensorType>(getPages().getType());
    if (table.getRank() != 2 || !table.getElementType().isInteger(32))
      return emitOpError("expected pages to be a row of i32 for each batch "
                         "entry, found ")
             << table;
    shape[0] = table.getDimSize(0);
  }
  if (tokens.getRank() != 4 || tokens.getEncoding() ||
      failed(verifyCompatibleShape(shape, tokens.getShape())) ||
      tokens.getElementType() != cache.getElementType())
    return emitOpError("expected tokens [B, G, T, D]")
           << (getSequenceDim() == 1 ? ", in the layout bshd [B, T, G, D],"
                                     : "")
           << " of the cache's type without an encoding, "
           << RankedTensorType::get(shape, cache.getElementType()) << ", found "
           << tokens;
  if (lengths.getRank() != 1 || !lengths.getElementType().isInteger(32) ||
      failed(verifyCompatibleShape(ArrayRef(shape).take_front(1),
                                   lengths.getShape())))
    return emitOpError("expected lengths to be one i32 for each batch entry, "
                       "the tokens that the cache has already, a ")
           << RankedTensorType::get(ArrayRef(shape).take_front(1),
                                    IntegerType::get(getContext(), 32))
           << ", found " << lengths;
  return success();
}
