//===- CacheAppendStep.h - Cache appends in a launch list -------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_LAUNCH_CACHE_CACHEAPPENDSTEP_H
#define SPARSEFLOW_LIB_LAUNCH_CACHE_CACHEAPPENDSTEP_H

#include "Launch/StepContext.h"

namespace mlir::sparseflow {

/// Adds the launch of `op`. `second`, which may be null, is done by it as well
/// where both are alike, and true is returned.
FailureOr<bool> convertAppend(CacheAppendOp op, CacheAppendOp second,
                              const StepContext &context);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_LAUNCH_CACHE_CACHEAPPENDSTEP_H
