//===- ThreadOps.cpp - What threads do with registers ---------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SFTile/IR/ThreadOps.h"

using namespace mlir;
using namespace mlir::sftile;

#include "SparseFlow/Dialect/SFTile/IR/SFTileThreadEnums.cpp.inc"

//===----------------------------------------------------------------------===//
// Operands and MMAs
//===----------------------------------------------------------------------===//

LogicalResult ThreadCopyOp::verify() {
  if (!getStored()) {
    if (getAtom().isBulk())
      return emitOpError("expected an atom of a thread's copies, found ")
             << getAtomAttr();
    return success();
  }
  if (!getAtom().isBulk() || getAtom().usesTensorMap())
    return emitOpError("expected the atom bulk, without tensor maps, for a "
                       "copy to global memory, found ")
           << getAtomAttr();
  if (!getBytes())
    return emitOpError("expected the number of bytes of a copy to global "
                       "memory");
  return success();
}

LogicalResult ThreadLoadMatricesOp::verify() {
  if (getAtom().isStore())
    return emitOpError("expected an atom that loads matrices, found ")
           << getAtomAttr();
  return success();
}

LogicalResult ThreadUnpackOp::verify() {
  Type element = getElement();
  bool isFloat = element.isF16() || element.isBF16();
  if (getRaw()) {
    if (getCodec() != Codec::TernV1)
      return emitOpError("expected tern_v1, whose codes are numbers, for raw "
                         "codes; found ")
             << stringifyCodec(getCodec());
    if (!element.isF16() && !element.isSignlessInteger(8))
      return emitOpError("expected raw codes as i8 or f16; found ") << element;
  } else if (!isFloat && !element.isSignedInteger(8)) {
    return emitOpError("expected weights as si8, f16 or bf16; found ")
           << element;
  }
  int64_t parts = getCodec() == Codec::Tern24V1 ? 2 : 1;
  if (isFloat)
    parts *= 2;
  if (int64_t(getPart()) >= parts)
    return emitOpError("expected a part from 0 to ")
           << parts - 1 << " of a word as " << element << "; found "
           << getPart();
  return success();
}

LogicalResult ThreadBytesOp::verify() {
  bool rounds = getKind() == BytesKind::Round;
  size_t count = rounds ? 4 : getKind() == BytesKind::Permute ? 3 : 2;
  bool areRight = llvm::all_of(getOperands(), [&](Value operand) {
    return operand.getType().isF32() == rounds;
  });
  if (getOperands().size() != count || !areRight)
    return emitOpError("expected ")
           << count << " operands of " << (rounds ? "f32" : "i32") << " for "
           << stringifyBytesKind(getKind()) << "; found "
           << getOperands().getTypes();
  return success();
}

/// Registers of 32 bits that a lane has of `rows` x `cols` elements of `type`.
static int64_t registersOf(int64_t rows, int64_t cols, Type type) {
  return rows * cols * type.getIntOrFloatBitWidth() / (32 * 32);
}

LogicalResult ThreadMmaOp::verify() {
  MmaAtomInterface atom = getAtom();
  int64_t m = atom.getM(), n = atom.getN(), k = atom.getK();
  Type type = atom.getOperandType();
  auto expect = [&](StringRef name, int64_t found,
                    int64_t expected) -> LogicalResult {
    if (found == expected)
      return success();
    return emitOpError("expected ") << expected << " registers of " << name
                                    << " for " << atom << "; found " << found;
  };
  int64_t compressed = atom.isSparse() ? k / 2 : k;
  if (failed(expect("a", getA().size(), registersOf(m, compressed, type))) ||
      failed(expect("b", getB().size(), registersOf(n, k, type))) ||
      failed(expect("c", getC().size(), m * n / 32)))
    return failure();
  for (Type found : getC().getTypes())
    if (found != atom.getAccumulatorType())
      return emitOpError("expected accumulators of ")
             << atom.getAccumulatorType() << " for " << atom << "; found "
             << found;
  if (bool(getMetadata()) != atom.isSparse())
    return emitOpError("expected ")
           << (atom.isSparse() ? "" : "no ") << "metadata for " << atom;
  int64_t selectors = atom.getNumSelectors();
  if (getSelector() && int64_t(*getSelector()) >= selectors)
    return emitOpError("expected a selector from 0 to ")
           << selectors - 1 << " for " << atom << "; found " << *getSelector();
  return success();
}

#define GET_OP_CLASSES
#include "SparseFlow/Dialect/SFTile/IR/SFTileThreadOps.cpp.inc"
