//===- PackOperands.h - Panels of f32 for the matmul kernel -----*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A packed operand is a memref<panels x K x width x f32>: element (row r, k) of
// the source stands at [r / width, k, r % width]. One step of the kernel along
// k then reads `width` neighbours, whatever the type and the pitch of the
// source. Rows past the end repeat the last one; the kernel never stores them.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_TARGET_CPU_MATMUL_PACKOPERANDS_H
#define SPARSEFLOW_LIB_TARGET_CPU_MATMUL_PACKOPERANDS_H

#include "Target/CPU/Transforms/IndexBuilder.h"

namespace mlir::sparseflow::cpu {

/// `value`, a float or a vector of floats of at most 32 bits, as f32.
Value toF32(const IndexBuilder &ib, Value value);

/// The two shuffles of `n` lanes by which two vectors exchange every other
/// block of `block` elements.
struct BlockExchange {
  BlockExchange(int64_t n, int64_t block);
  SmallVector<int64_t> low, high;
};

/// Emits the packing of `source` (memref<R x K> of f16, bf16 or f32; [K, R] if
/// `transposed`) into panels of `width` rows, one task a panel, with vectors of
/// at most `lanes` elements. Returns the new buffer; the caller frees it.
Value packPanels(const IndexBuilder &ib, Value source, bool transposed,
                 int64_t width, int64_t lanes);

/// A new buffer for panels of `width` rows, which the caller frees.
Value allocatePanels(const IndexBuilder &ib, Value panels, Value depth,
                     int64_t width);

/// Packs the rows of `source` from `first` on into panel `panel` of `packed`.
void packPanel(const IndexBuilder &ib, Value source, bool transposed,
               int64_t lanes, Value first, Value packed, Value panel);

/// Transposes as many vectors as each has elements, a power of two: element i
/// of vector j becomes element j of vector i.
void transposeSquare(const IndexBuilder &ib, SmallVectorImpl<Value> &rows);

} // namespace mlir::sparseflow::cpu

#endif // SPARSEFLOW_LIB_TARGET_CPU_MATMUL_PACKOPERANDS_H
