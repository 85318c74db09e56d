//===- CachePages.h - Elements of the pages of a cache ----------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the elements and the scales of a quantized cache are in its pages, a
// tensor [B, G, pages, bytes of a page] of i8. Names are those of
// docs/formats/ternary-cache.md and quantized-cache.md.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_TARGET_CPU_TERNARY_CACHEPAGES_H
#define SPARSEFLOW_LIB_TARGET_CPU_TERNARY_CACHEPAGES_H

#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"
#include "Target/CPU/Transforms/IndexBuilder.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::sparseflow::cpu {

/// Reads and writes elements of the pages of a cache of type `type`; what is
/// read may be a buffer. Indices are those of the cache: `head` is batch entry
/// and head.
class CachePages {
public:
  CachePages(OpBuilder &b, Location loc, RankedTensorType type)
      : b(b), loc(loc), encoding(getTernaryEncoding(type)),
        features(type.getDimSize(3)), i{b, loc} {}

  /// The f32 at [head[0], head[1], token, feature].
  Value readElement(Value pages, ValueRange head, Value token, Value feature);
  /// The scale of an element, f32.
  Value readScale(Value pages, ValueRange head, Value token, Value feature);
  /// `pages` with the trit or number `bits` (i8, the lowest of it) at an
  /// element.
  Value writeBits(Value pages, ValueRange head, Value token, Value feature,
                  Value bits);
  /// `pages` with the scale `scale`, of the cache's type, for a token and the
  /// features that share one with `feature`.
  Value writeTokenScale(Value pages, ValueRange head, Value token,
                        Value feature, Value scale);

private:
  Value rem(Value x, int64_t y) const { return i.rem(x, i.constant(y)); }
  /// The byte of the page that holds an element, and the lowest of its bits.
  std::pair<Value, Value> locate(Value token, Value feature) const;
  std::pair<Value, Value> locateNumber(Value inPage, Value feature) const;
  /// The first byte of a scale in its page.
  Value scaleByte(Value token, Value feature) const;
  SmallVector<Value> place(ValueRange head, Value token, Value byte) const {
    return {head[0], head[1], i.div(token, TernaryAttr::kPageTokens), byte};
  }
  Value byteAt(Value pages, ValueRange place) const {
    if (isa<MemRefType>(pages.getType()))
      return memref::LoadOp::create(b, loc, pages, place);
    return tensor::ExtractOp::create(b, loc, pages, place);
  }

  OpBuilder &b;
  Location loc;
  TernaryAttr encoding;
  int64_t features;
  IndexBuilder i;
};

/// The pages of a cache of type `type` after the tokens of `op`, by its rule.
Value createAppended(OpBuilder &b, CacheAppendOp op, Value pages,
                     RankedTensorType type);

} // namespace mlir::sparseflow::cpu

#endif // SPARSEFLOW_LIB_TARGET_CPU_TERNARY_CACHEPAGES_H
