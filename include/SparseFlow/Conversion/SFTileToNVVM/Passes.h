//===- Passes.h - From tiles to instructions --------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_CONVERSION_SFTILETONVVM_PASSES_H
#define SPARSEFLOW_CONVERSION_SFTILETONVVM_PASSES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/Pass.h"

namespace mlir::sftile {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "SparseFlow/Conversion/SFTileToNVVM/Passes.h.inc"

} // namespace mlir::sftile

#endif // SPARSEFLOW_CONVERSION_SFTILETONVVM_PASSES_H
