//===- HoistConstants.h - Weights out of the program ------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A front end that was given a whole model prints its weights as constants. A
// kernel cannot hold them, and a packed file cannot replace them. This file
// makes them arguments, and says what has to be passed.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_DIALECT_SPARSEFLOW_TRANSFORMS_HOISTCONSTANTS_H
#define SPARSEFLOW_DIALECT_SPARSEFLOW_TRANSFORMS_HOISTCONSTANTS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"

#include <string>
#include <vector>

namespace mlir::sparseflow {

/// A constant tensor that became an argument.
struct HoistedConstant {
  /// The `sparseflow.name` of the argument, in every function that has it.
  std::string name;
  /// The type of the argument: f16, bf16 or f32, static.
  RankedTensorType type;
  /// What the program said: of `type`, or of its transpose [K, N] where
  /// `isTransposed`, because matmuls read a weight as [N, K].
  ElementsAttr value;
  bool isTransposed = false;

  /// The elements in the order of `type`, row-major, native byte order.
  std::vector<char> bytes() const;
};

/// Makes every constant tensor of floats of the public functions of `module` an
/// argument behind the others; what several functions hold gets one name. Names
/// are those of MLIR resources where there are any (torch-mlir's), else
/// "constant0", "constant1", ... Zeros that a matmul starts from stay, and so
/// do constants of one element. Functions should have been inlined.
///
/// Fails with an error at the op: a resource whose data are not in the file.
FailureOr<std::vector<HoistedConstant>> hoistConstants(ModuleOp module);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_DIALECT_SPARSEFLOW_TRANSFORMS_HOISTCONSTANTS_H
