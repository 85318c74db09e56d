//===- Signature.h - The signature of a compiled function -------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A compiled function is called with sizes, not with types. This file finds
// which dynamic dimensions of the arguments and results are the same size, and
// names each such size with a symbol.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_DIALECT_SPARSEFLOW_TRANSFORMS_SIGNATURE_H
#define SPARSEFLOW_DIALECT_SPARSEFLOW_TRANSFORMS_SIGNATURE_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/DenseMap.h"

#include <string>

namespace mlir::func {
class FuncOp;
} // namespace mlir::func

namespace mlir::sparseflow {

/// The attribute that holds FunctionSignature::resultUpdates, where a result is
/// an update.
inline constexpr StringLiteral kResultUpdatesAttr = "sparseflow.result_updates";

/// One dimension: its static size, or the symbol of a dynamic one.
struct SymbolicDim {
  int64_t size = 0;
  /// Empty for a static dimension.
  std::string symbol;
};

using SymbolicShape = SmallVector<SymbolicDim>;

/// Names, symbolic shapes and symbols of a function. Symbols are named in the
/// order in which arguments mention them: T, T1, T2, ...
struct FunctionSignature {
  SmallVector<std::string> symbols;
  SmallVector<std::string> argumentNames;
  SmallVector<SymbolicShape> argumentShapes;
  SmallVector<SymbolicShape> resultShapes;
  /// For each result the argument that it is after an update in place, or -1.
  SmallVector<int64_t> resultUpdates;
  /// The shape of every tensor value in the body, arguments included.
  llvm::DenseMap<Value, SymbolicShape> shapes;
};

/// Infers the signature of `function`, whose body is one block of
/// sparseflow.matmul, elementwise linalg.generic and the ops that compute
/// shapes. Dimensions are the same size where an op needs them to be.
///
/// Fails with an error at the op or argument: a type that is no ranked tensor,
/// a size of a result that no argument has, two arguments with one name, a
/// body of several blocks.
FailureOr<FunctionSignature> inferSignature(func::FuncOp function);

/// Records `function`'s types, as they are now, and `signature` in the
/// function's `sparseflow.*` attributes.
void recordSignature(func::FuncOp function, const FunctionSignature &signature);

/// The argument of its function whose memory `value` has: that of a cache that
/// sparseflow.cache_append grew, or one that was donated for it; -1 where there
/// is none.
int64_t getUpdatedArgument(Value value);

/// Checks that caches and donated arguments can be updated in place: an
/// argument of `function`, which nothing reads afterwards as it was, and which
/// the function returns once.
LogicalResult verifyUpdates(func::FuncOp function);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_DIALECT_SPARSEFLOW_TRANSFORMS_SIGNATURE_H
