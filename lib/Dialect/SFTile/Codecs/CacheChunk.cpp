//===- CacheChunk.cpp - Chunks of a page of numbers -----------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CacheChunk.h"

#include "SparseFlow/Dialect/SFTile/IR/RowLayouts.h"

using namespace mlir;
using namespace mlir::sftile;

LogicalResult mlir::sftile::verifyCacheChunk(
    llvm::function_ref<InFlightDiagnostic()> emitError, Type words,
    Type operand, int64_t col, int64_t bits) {
  auto chunk = cast<FragType>(words), result = cast<FragType>(operand);
  if (!chunk.getElementType().isInteger(32) || chunk.getElementsPerLane() != 4)
    return emitError() << "expected four words of i32 for each lane, found "
                       << chunk;
  Type element = result.getElementType();
  if ((!element.isF16() && !element.isBF16()) ||
      !isMatrixLayout(result.getLayout().getLayout()) ||
      result.getShape() != ArrayRef<int64_t>({16, 16}))
    return emitError() << "expected an operand of 16 x 16 elements of f16 or "
                          "bf16, found "
                       << result;
  int64_t features = 256 / bits;
  if (col < 0 || col >= features || col % 16)
    return emitError() << "expected a column from 0 to " << features - 1
                       << " that is a multiple of 16, found " << col;
  return success();
}

int64_t mlir::sftile::quarterOfRegister(FragType operand, CacheOperand holds,
                                        int64_t index) {
  Coord place = operand.getPosition(2 * index);
  if (holds == CacheOperand::Values)
    std::swap(place.row, place.col);
  return place.col / 8 + place.row / 8 * 2;
}
