//===- ThreadPatterns.h - Operations on registers --------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_CONVERSION_SFTILETONVVM_THREADPATTERNS_H
#define SPARSEFLOW_LIB_CONVERSION_SFTILETONVVM_THREADPATTERNS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::sftile {

/// The operations of SFTileThreadOps.td: an instruction, or a few, each.
void populateThreadPatterns(RewritePatternSet &patterns);

} // namespace mlir::sftile

#endif // SPARSEFLOW_LIB_CONVERSION_SFTILETONVVM_THREADPATTERNS_H
