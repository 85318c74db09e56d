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
  /// What scales of values are multiplied by: less than what the largest number
  /// needs, so that no product with a probability overflows.
  float valueFactor() const {
    return encoding.isFloatCache() ? 256.0f : bits() == 8 ? 64.0f : 4.0f;
  }
  sftile::CacheCodecInterface codec() const {
    using namespace sftile;
    MLIRContext *context = encoding.getContext();
    CacheOperand holds =
        encoding.isValueCache() ? CacheOperand::Values : CacheOperand::Keys;
    if (encoding.isFloatCache())
      return E4M3CacheAttr::get(context, holds, convertsFloats);
    return IntCacheAttr::get(context, bits(), holds);
  }
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_ATTENTION_PLANES_CACHENUMBERS_H
