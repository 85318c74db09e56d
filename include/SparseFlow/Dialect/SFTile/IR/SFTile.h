//===- SFTile.h - The sftile dialect ----------------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Attributes, types, operations and interfaces of the level at which a kernel
// is a program over tiles. The .td files beside this header carry semantics and
// examples.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_DIALECT_SFTILE_IR_SFTILE_H
#define SPARSEFLOW_DIALECT_SFTILE_IR_SFTILE_H

#include "SparseFlow/Dialect/SFTile/IR/ScheduleFields.h"
#include "SparseFlow/Support/LinearLayout.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "SparseFlow/Dialect/SFTile/IR/SFTileDialect.h.inc"
#include "SparseFlow/Dialect/SFTile/IR/SFTileEnums.h.inc"

namespace mlir::sftile {

/// What one execution of a copy atom moves to shared memory.
struct CopyOperands {
  /// !llvm.ptr<3>.
  Value destination;
  /// !llvm.ptr<1>, or the !llvm.ptr of a tensor map.
  Value source;
  /// Of a thread's copy: how many bytes to read (i32, 0 to getBytes(); the rest
  /// is filled with zeros); null means all of them.
  Value valid;
  /// Of a bulk copy: where in the tensor map (i32, the fastest coordinate
  /// first), the bytes that arrive, and the barrier that counts them
  /// (!llvm.ptr<3>). With a `multicast` mask (i16) they arrive in every block
  /// of the cluster whose bit is set, at the same offset, and count in that
  /// block's barrier.
  ValueRange place;
  int64_t bytes = 0;
  Value barrier, multicast;
  /// Whether the L2 cache may give up first what is read.
  bool readOnce = false;
};

/// What one asynchronous MMA of a warpgroup reads, as an atom emits it.
/// Addresses are !llvm.ptr<3>.
struct AsyncMmaOperands {
  /// Registers of A (i32), or one address: its corner in shared memory.
  SmallVector<Value> a;
  /// The corner of B in shared memory.
  Value b;
  /// 0 if K lies along the rows of B's tile. Otherwise the rows of the tile are
  /// K, and this is the distance in bytes to the next 64 columns of N.
  int64_t tileBytesOfB = 0;
  /// Columns of the accumulator.
  int64_t n = 0;
  /// The accumulator; empty if the MMA is not added to anything.
  ValueRange acc;
  /// Nothing is added to `acc`, whose registers are used nevertheless.
  bool cleared = false;
  /// Of a sparse A: a word of metadata (i32) and which of its MMAs this is.
  Value metadata;
  int64_t selector = 0;
};

} // namespace mlir::sftile

#include "SparseFlow/Dialect/SFTile/IR/SFTileInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "SparseFlow/Dialect/SFTile/IR/SFTileAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "SparseFlow/Dialect/SFTile/IR/SFTileTypes.h.inc"

#define GET_OP_CLASSES
#include "SparseFlow/Dialect/SFTile/IR/SFTileOps.h.inc"

namespace mlir::sftile {

/// The type of a pointer to what a view shows: global memory, or a tensor map.
Type getViewPointerType(Type view);
/// The type of a position in memory: i64 in a view, index in a tile.
Type getPositionType(Type memory);

/// The layout of metadata words: lane l of the warp holds word l of its row.
LinearLayout getMetadataLayout();

/// The layout of the codes of quantized weights: lane l holds words 4 l to 4 l
/// + 3 of its row.
LinearLayout getCodesLayout();
/// The layout of the words of 16 rows of a weight that keeps two of four
/// columns, in rows of 32 words: lane l holds `words` of them (2 or 4), from
/// word l * `words` on.
LinearLayout getNonzeroWordsLayout(int64_t words);
/// The layout of decoded weights of type `element` (f16, bf16 or i8): the A
/// operand of mma.m16n8k16 or mma.m16n8k32.
LinearLayout getWeightsLayout(Type element);

/// The codec of a packed layout of docs/formats, such as "tern.v1"; null if
/// kernels read no such weights.
CodecInterface findCodec(MLIRContext *context, StringRef packedLayout);
/// What lanes have of a unit's codes: a row of words for each 16 rows, or of
/// sparse weights, for 16 rows, several.
FragType getCodesType(CodecInterface codec, int64_t rows);

} // namespace mlir::sftile

#endif // SPARSEFLOW_DIALECT_SFTILE_IR_SFTILE_H
