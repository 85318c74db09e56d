//===- MmaCommon.h - What mma.sync and mma.sp share -----------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared by the atoms of MMAs of a warp. For 16-bit elements they spread 8x8
// matrices over it in the same way: lane l = 4g + c holds columns 2c and 2c + 1
// of row g.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_DIALECT_SFTILE_ATOMS_MMACOMMON_H
#define SPARSEFLOW_LIB_DIALECT_SFTILE_ATOMS_MMACOMMON_H

#include "SparseFlow/Dialect/SFTile/IR/SFTile.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

#include <array>

namespace mlir::sftile {

/// Matrices of 8x8 whose corners are spanned by `corners`: one register bit for
/// each, above the bit that steps to the neighbouring column.
LinearLayout matrixLayout(ArrayRef<Coord> corners);

/// 32-bit registers of two elements each as NVVM wants them: f16 as vectors of
/// two, bf16 as bits.
SmallVector<Value> toNvvmOperands(OpBuilder &builder, Location loc,
                                  Type elementType, ValueRange registers);

/// The multiplicand types of an MMA of two operands of `elementType`.
std::array<NVVM::MMATypes, 2> multiplicandTypes(Type elementType);

/// The struct of four accumulators of type `element` that an MMA gives, and its
/// members.
Type accumulatorStruct(OpBuilder &builder, Type element);
SmallVector<Value> unpackAccumulators(OpBuilder &builder, Location loc,
                                      Value mma);

} // namespace mlir::sftile

#endif // SPARSEFLOW_LIB_DIALECT_SFTILE_ATOMS_MMACOMMON_H
