//===- PlanePages.h - Pages of a ternary cache ------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the planes and scales of one head lie, and how a warp reads them
// (docs/formats/ternary-cache.md).
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_ATTENTION_PLANES_PLANEPAGES_H
#define SPARSEFLOW_LIB_KERNELS_ATTENTION_PLANES_PLANEPAGES_H

#include "Kernels/Support/KernelBuilder.h"

namespace mlir::sparseflow {

class PlanePages {
public:
  /// Bytes of a page that a warp reads at once.
  static constexpr int64_t kChunkBytes = 512;

  /// `encoding` null: a tensor, which has no pages.
  PlanePages(KernelBuilder &b, TernaryAttr encoding, int64_t features)
      : b(b), encoding(encoding), features(features) {}

  explicit operator bool() const { return bool(encoding); }
  int64_t chunks() const {
    return encoding.getPageCodeBytes(features) / kChunkBytes;
  }
  /// Words of 16 trits that a row of keys has, in as many tiles of 64 features.
  int64_t wordsOfKey() const { return llvm::divideCeil(features, 64); }
  bool isTokenScaled() const {
    return encoding.getGroup() == TernaryAttr::kTokenScale;
  }
  /// Features that share a scale, if tokens have none of their own.
  int64_t group() const {
    bool isOne = encoding.getGroup() == TernaryAttr::kHeadScale;
    return isOne ? features : encoding.getGroup();
  }

  /// Goes to head number `number` (index) of the cache at `pointer`, counted
  /// through all batch entries; each has `count` (index) pages.
  void place(Value pointer, Value number, Value count);
  /// Page `number` (index). Past the end it is another page, whose data is not
  /// used.
  Value page(Value number) const;
  /// Chunk `chunk` (index) of a page: 4 words for each lane.
  Value loadChunk(Value page, Value chunk) const;
  /// Scale `number` of a page as f32.
  Value scale(Value page, int64_t number) const {
    return scale(page, b.index(number));
  }
  Value scale(Value page, Value number) const;

private:
  Value advance(Value pointer, Value bytes) const;

  KernelBuilder &b;
  TernaryAttr encoding;
  int64_t features;
  Value first, count;
};

/// The `operand` of an MMA whose rows from 8 i on are in word `words[i]` of
/// `chunk`, one word or two, from column `col` of K on. `flip` (i32, may be
/// null): sign bits to toggle.
Value decodePlanes(KernelBuilder &b, sftile::FragType operand, Value chunk,
                   ArrayRef<int64_t> words, int64_t col, Value flip = {});

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_ATTENTION_PLANES_PLANEPAGES_H
