//===- SparseFlow.h - The sparseflow dialect, in C++ ------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything a user of the dialect includes: attributes, ops, and the checks of
// scalar regions that passes share with the verifier. The classes are value
// types over an MLIRContext and follow its threading rules.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_DIALECT_SPARSEFLOW_IR_SPARSEFLOW_H
#define SPARSEFLOW_DIALECT_SPARSEFLOW_IR_SPARSEFLOW_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/TensorEncoding.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlowDialect.h.inc"

#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlowEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlowAttributes.h.inc"

#define GET_OP_CLASSES
#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlowOps.h.inc"

namespace mlir::sparseflow {

/// True for an op that an epilogue or a generated elementwise kernel may hold:
/// `arith` or `math`, no region, and scalar operands and results (floats, or
/// i1 for comparisons).
bool isScalarComputation(Operation *op);

/// The #sparseflow.nm encoding of `type`, or null.
NmAttr getNmEncoding(Type type);

/// The #sparseflow.ternary or #sparseflow.quantized encoding of `type`, or
/// null.
TernaryAttr getTernaryEncoding(Type type);

/// `type` without its encoding; any other type is returned unchanged.
Type dropEncoding(Type type);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_DIALECT_SPARSEFLOW_IR_SPARSEFLOW_H
