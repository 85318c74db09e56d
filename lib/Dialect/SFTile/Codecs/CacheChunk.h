//===- CacheChunk.h - Chunks of a page of numbers ---------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the numbers of docs/formats/quantized-cache.md are among the four words
// that a lane has of a chunk, for the codecs of caches.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_DIALECT_SFTILE_CODECS_CACHECHUNK_H
#define SPARSEFLOW_LIB_DIALECT_SFTILE_CODECS_CACHECHUNK_H

#include "SparseFlow/Dialect/SFTile/IR/SFTile.h"

namespace mlir::sftile {

/// Checks that four words of a lane, elements of `bits` each, become the 16 x
/// 16 operand `operand` from column `col` of the chunk on.
LogicalResult
verifyCacheChunk(llvm::function_ref<InFlightDiagnostic()> emitError, Type words,
                 Type operand, int64_t col, int64_t bits);

/// The 8 x 8 matrix of register `index` of `operand`: features from 8 on in bit
/// 0, tokens in bit 1.
int64_t quarterOfRegister(FragType operand, CacheOperand holds, int64_t index);

} // namespace mlir::sftile

#endif // SPARSEFLOW_LIB_DIALECT_SFTILE_CODECS_CACHECHUNK_H
