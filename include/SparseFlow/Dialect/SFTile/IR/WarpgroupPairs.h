//===- WarpgroupPairs.h - Sparse products of bytes by wgmma ----*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// wgmma.sp m64k64 on bytes with a sign, the sparse operand in registers, for
// kernels that are not made of tiles (StreamedMatmul.cpp). Every function is
// executed by the four warps of a warpgroup together.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_DIALECT_SFTILE_IR_WARPGROUPPAIRS_H
#define SPARSEFLOW_DIALECT_SFTILE_IR_WARPGROUPPAIRS_H

#include "mlir/IR/Builders.h"

namespace mlir::sftile {

/// What threads have written to shared memory before becomes visible to the
/// products behind the next barrier, which read it another way.
void emitWarpgroupVisible(OpBuilder &builder, Location loc);

/// Opens products whose registers were written by other instructions.
void emitWarpgroupFence(OpBuilder &builder, Location loc);

/// Starts a product: sums (i32, `columns` / 2 of a lane) + A B. `a` are four
/// registers of kept bytes and `metadata` their positions, as of
/// mma.sp.m16n8k64 with 16 rows a warp. `b` (!llvm.ptr<3>) is `columns` rows of
/// 64 bytes in rows of 128 with the swizzle of that width, eight rows in 1024
/// bytes, which begin at a multiple of 1024. Returns the registers of the sums,
/// which are complete after emitPairsAwait.
SmallVector<Value> emitPairsProduct(OpBuilder &builder, Location loc,
                                    ValueRange a, Value metadata, Value b,
                                    ValueRange sums, int64_t columns);

/// Waits for all products; `held` are registers that they read.
SmallVector<Value> emitPairsAwait(OpBuilder &builder, Location loc,
                                  ValueRange sums, ValueRange held);

} // namespace mlir::sftile

#endif // SPARSEFLOW_DIALECT_SFTILE_IR_WARPGROUPPAIRS_H
