//===- WgmmaCommon.h - What the wgmma atoms share -------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared by the files Wgmma*.cpp, and by nothing else.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_DIALECT_SFTILE_ATOMS_WGMMACOMMON_H
#define SPARSEFLOW_LIB_DIALECT_SFTILE_ATOMS_WGMMACOMMON_H

#include "SparseFlow/Dialect/SFTile/IR/SFTile.h"

namespace mlir::sftile {

/// The layout of the 16 x 8 accumulator tile that a warp holds.
LinearLayout getWgmmaAccumulatorLayout();

/// The i64 descriptor of a matrix that starts at `address`, a !llvm.ptr<3>.
/// Swizzled: rows of 128 bytes in groups of eight. Core matrices: 8x8 elements
/// of 128 bytes each, neighbours along the depth 128 bytes apart and along the
/// rows 256.
/// Transposed: rows of 64 elements are the depth, in groups of eight, and
/// further columns lie in tiles `tileBytes` apart.
Value emitSwizzledDescriptor(OpBuilder &builder, Location loc, Value address);
Value emitTransposedDescriptor(OpBuilder &builder, Location loc, Value address,
                               int64_t tileBytes);
Value emitCoreMatrixDescriptor(OpBuilder &builder, Location loc, Value address);

/// Emits `instruction` (up to the shape) on accumulators `c` of `columns`
/// columns, with `inputs` as further operands and `tail` behind the predicate
/// that makes it accumulate. Without `c` it does not accumulate. The first
/// `together` inputs, if any, are one operand of several registers.
SmallVector<Value> emitWgmma(OpBuilder &builder, Location loc,
                             const Twine &instruction, ValueRange c,
                             int64_t columns, ArrayRef<Value> inputs,
                             StringRef selector, StringRef tail,
                             size_t together = 0);

/// Emits `instruction` (up to the types) with the 32-bit registers `a` and the
/// descriptor of B on accumulators `c` of type `element`; `tail` stands behind
/// the predicate that makes it accumulate. Without `c`, or if `cleared`, it
/// does not. A sparse A has `metadata`, and a selector of it.
SmallVector<Value>
emitWgmmaRegisters(OpBuilder &builder, Location loc, const Twine &instruction,
                   Type element, ValueRange c, int64_t columns, ValueRange a,
                   Value descriptor, StringRef tail, Value metadata = {},
                   int64_t selector = 0, bool cleared = false);

void emitWgmmaFence(OpBuilder &builder, Location loc);
void emitWgmmaCommit(OpBuilder &builder, Location loc);
SmallVector<Value> emitWgmmaAwait(OpBuilder &builder, Location loc,
                                  ValueRange accumulators, ValueRange held,
                                  int64_t leaving);

} // namespace mlir::sftile

#endif // SPARSEFLOW_LIB_DIALECT_SFTILE_ATOMS_WGMMACOMMON_H
