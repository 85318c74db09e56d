//===- BitInstructions.cpp - prmt, lop3, bytes-----------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SFTile/Atoms/BitInstructions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::sftile;

static Value emitInstruction(OpBuilder &builder, Location loc, StringRef text,
                             ValueRange operands,
                             StringRef constraints = "=r,r,r,r") {
  return LLVM::InlineAsmOp::create(
             builder, loc, builder.getI32Type(), operands, text, constraints,
             /*has_side_effects=*/false, /*is_align_stack=*/false,
             LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr())
      .getRes();
}

Value mlir::sftile::emitPermuteBytes(OpBuilder &builder, Location loc,
                                     Value low, Value high, Value selector) {
  return emitInstruction(builder, loc, "prmt.b32 $0, $1, $2, $3;",
                         {low, high, selector});
}

/// The last operand of lop3 is the result for the bits 0xF0 of `value`, 0xCC of
/// `mask` and 0xAA of `other`.
static Value emitLop3(OpBuilder &builder, Location loc, StringRef text,
                      Value value, int32_t mask, int32_t other) {
  auto constant = [&](int32_t bits) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI32IntegerAttr(bits));
  };
  Value maskBits = constant(mask);
  return emitInstruction(builder, loc, text,
                         {value, maskBits, constant(other)});
}

Value mlir::sftile::emitAndOr(OpBuilder &builder, Location loc, Value value,
                              int32_t mask, int32_t other) {
  return emitLop3(builder, loc, "lop3.b32 $0, $1, $2, $3, 0xEA;", value, mask,
                  other);
}

Value mlir::sftile::emitAndXor(OpBuilder &builder, Location loc, Value value,
                               int32_t mask, int32_t other) {
  return emitLop3(builder, loc, "lop3.b32 $0, $1, $2, $3, 0x6A;", value, mask,
                  other);
}

Value mlir::sftile::emitRoundBytes(OpBuilder &builder, Location loc,
                                   ValueRange numbers) {
  return emitInstruction(builder, loc,
                         "{\n"
                         ".reg .b32 a, b, c, d, upper;\n"
                         "cvt.rni.s32.f32 a, $1;\n"
                         "cvt.rni.s32.f32 b, $2;\n"
                         "cvt.rni.s32.f32 c, $3;\n"
                         "cvt.rni.s32.f32 d, $4;\n"
                         "cvt.pack.sat.s8.s32.b32 upper, d, c, 0;\n"
                         "cvt.pack.sat.s8.s32.b32 $0, b, a, upper;\n"
                         "}",
                         numbers, "=r,f,f,f,f");
}

Value mlir::sftile::emitSumBytes(OpBuilder &builder, Location loc, Value bytes,
                                 Value sum) {
  return emitInstruction(builder, loc, "dp4a.s32.s32 $0, $1, 0x01010101, $2;",
                         {bytes, sum}, "=r,r,r");
}

Value mlir::sftile::emitHalvesOfE4M3(OpBuilder &builder, Location loc,
                                     Value pair) {
  Value half =
      arith::TruncIOp::create(builder, loc, builder.getI16Type(), pair);
  return emitInstruction(builder, loc, "cvt.rn.f16x2.e4m3x2 $0, $1;", half,
                         "=r,h");
}
