//===- CacheNumbers.h - Numbers of 8 and 4 bits in a page -------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How int8, int4 and e4m3 keys, or values, lie in the pages of a cache
// (docs/formats/quantized-cache.md), and what makes operands of them.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_ATTENTION_PLANES_CACHENUMBERS_H
#define SPARSEFLOW_LIB_KERNELS_ATTENTION_PLANES_CACHENUMBERS_H

#include "Kernels/Support/KernelBuilder.h"

namespace mlir::sparseflow {

/// How the keys, or the values, of a cache lie in its pages.
struct CacheNumbers {
  TernaryAttr encoding;
  int64_t features, pointer;
  bool convertsFloats;
  /// Operands may be bare: integers with an offset, in a unit of their own,
  /// both of which are left to whoever multiplies.
  bool mayBeBare = false;

  int64_t bits() const { return encoding.getCacheBits(); }
  /// K steps of 16 features in a chunk; chunks of 16 tokens.
  int64_t chunkSteps() const { return 16 / bits(); }
  int64_t slabChunks() const {
    return encoding.getPageFeatures(features) / 16 / chunkSteps();
  }
  /// Steps of 16 features that share a token's scale, and how many such groups
  /// there are.
  int64_t groupSteps() const {
    return llvm::divideCeil(encoding.getScaleFeatures(features), 16);
  }
  int64_t groups() const {
    return llvm::divideCeil(features, encoding.getScaleFeatures(features));
  }
  /// What probabilities are multiplied by: less than what the largest number
  /// needs, so that no product with a probability overflows.
  float valueFactor() const {
    return encoding.isFloatCache() ? 256.0f : bits() == 8 ? 64.0f : 4.0f;
  }
  bool isBare() const { return mayBeBare && !encoding.isFloatCache(); }
  /// What bare numbers exceed theirs by.
  double offset() const { return double(int64_t(1) << (bits() - 1)); }
  /// What 1 is as an element of feature `feature` (of 16), the same for all of
  /// keys, whose sums are over features.
  double unit(int64_t feature) const {
    if (!isBare())
      return 1.0;
    bool isLower = bits() == 8 || (encoding.isValueCache() && feature < 8);
    return isLower ? 0x1p-24 : 0x1p-20;
  }
  /// Whether features 0 to 7 and 8 to 15 of 16 have units of their own.
  bool hasTwoUnits() const { return unit(0) != unit(8); }
  sftile::CacheCodecInterface codec() const {
    using namespace sftile;
    MLIRContext *context = encoding.getContext();
    CacheOperand holds =
        encoding.isValueCache() ? CacheOperand::Values : CacheOperand::Keys;
    if (encoding.isFloatCache())
      return E4M3CacheAttr::get(context, holds, convertsFloats);
    return IntCacheAttr::get(context, bits(), holds, isBare());
  }
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_ATTENTION_PLANES_CACHENUMBERS_H
