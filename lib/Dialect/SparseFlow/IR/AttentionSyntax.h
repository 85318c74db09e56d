//===- AttentionSyntax.h - The score operands of attention ------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Custom directives of the assembly format, which the generated code of all ops
// calls.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_DIALECT_SPARSEFLOW_IR_ATTENTIONSYNTAX_H
#define SPARSEFLOW_LIB_DIALECT_SPARSEFLOW_IR_ATTENTIONSYNTAX_H

#include "mlir/IR/OpImplementation.h"

namespace mlir::sparseflow {

/// Parses `operands(%a, %b : type, type) as ["bhqk", "h"]`, or nothing.
ParseResult
parseScoreOperands(OpAsmParser &parser,
                   SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands,
                   SmallVectorImpl<Type> &types, ArrayAttr &dims);
void printScoreOperands(OpAsmPrinter &printer, Operation *op,
                        OperandRange operands, TypeRange types, ArrayAttr dims);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_DIALECT_SPARSEFLOW_IR_ATTENTIONSYNTAX_H
